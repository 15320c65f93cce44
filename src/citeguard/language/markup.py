"""Reads the syntaxes of markup as a reader sees them: HTML, wikis, Markdown, mail, terminals, ruby.

Each syntax is a reader: it yields the places of a text that are no words, and what is seen there.
A reader is asked only if the text has the string without which it finds nothing.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from citeguard.language.citations import (
    compiled,
    pattern,
    points_to_note,
    raised,
    word_before,
)

Kind = Literal["markup", "mark"]


@dataclass(frozen=True, slots=True)
class Noise:
    """A half-open interval of a text that reads as `replacement`.

    `mark` is a citation, a footnote or a reading, which a faithful quote may drop; `markup` is
    syntax.
    """

    start: int
    end: int
    replacement: str
    kind: Kind


Reader = Callable[[str], Iterator[Noise]]


def replacing(
    pattern: str, read: str | Callable[[re.Match[str]], str | None] = "", kind: Kind = "markup"
) -> Reader:
    """Return a reader of what matches a pattern; a match that reads as `None` is none."""

    def reader(text: str) -> Iterator[Noise]:
        for match in compiled(pattern).finditer(text):
            seen = read if isinstance(read, str) else read(match)
            if seen is not None:
                yield Noise(match.start(), match.end(), seen, kind)

    return reader


def _omitting_groups(*patterns: str) -> Reader:
    """Return a reader to which each group of a match is markup."""

    def reader(text: str) -> Iterator[Noise]:
        for each in patterns:
            for match in compiled(each).finditer(text):
                for i in range(1, len(match.groups()) + 1):
                    yield Noise(match.start(i), match.end(i), "", "markup")

    return reader


# HTML and XML

# Names whose tags are markup even without a pair, as HTML has them. Not "del", "s" and "strike":
# what they strike out is not what the text says.
_HTML = frozenset(
    (
        "a abbr b big blockquote br center cite code dd div dl dt em font h1 h2 h3 h4 h5 h6 hr i"
        " img ins li mark ol p pre q section small span strong table tbody td th thead tr tt u ul"
        " wbr article aside caption dfn figcaption figure footer header kbd label main nav ruby rb"
        " rtc samp sub sup time var html head body nowiki poem lang"
    ).split()
)
_STRUCK = frozenset("del s strike".split())
_INDENT = 40  # blanks before or after a tag on a line of tags
_BREAKS = frozenset(
    (
        "blockquote br dd div dl dt h1 h2 h3 h4 h5 h6 hr lb li ol p pb pre table tbody td th thead"
        " tr ul"
    ).split()
)
_VALUE = r"(?:\"[^\"<]{0,300}\"|'[^'<]{0,300}'|[^\s\"'<>=`]{1,300})"
_FLAGS = "checked|compact|controls|disabled|hidden|nowrap|open|reversed"
_ATTRIBUTES = rf"(?P<attributes>(?:\s+(?:[a-z_:][\w:.-]{{0,60}}\s?=\s?{_VALUE}|{_FLAGS})){{0,40}})"
_TAG = rf"<(?P<end>/)?(?P<name>[a-z][\w:.-]{{0,40}}){_ATTRIBUTES}\s{{0,80}}(?P<alone>/)?>"
_BB_TAG = r"\[(?P<end>/)?(?P<name>[a-z]{1,10})(?:=[^\[\]\n]{1,300})?\]"
# The number of a reference in articles of JATS.
_BIBLIOGRAPHIC = r"<xref\sref-type=\"bibr\"[^<>]{0,100}>\d{1,3}</xref>"
# A "ref" is a note in a wiki; elsewhere it has a target, and its words are read.
_HIDDEN = (
    r"<(?P<end>/)?(?P<name>script|style|rt|rp|footnote|fn|indexterm|ref(?=\s*/?>|\s+(?:name|group)\b))"
    r"\b(?:[^<>]{0,300}?)(?P<alone>/)?>"
)


def _entity(match: re.Match[str]) -> str | None:
    char = html.unescape(html.unescape(match[0]))
    return char if char != match[0] else None


def _tags(text: str) -> Iterator[Noise]:
    """Tags of any vocabulary by their form: "<file>" is a tag only if it has a pair."""
    closed = {name.lower() for name in compiled(r"</([a-z][\w:.-]{0,40})").findall(text)}
    for match in compiled(_TAG).finditer(text):
        name, (start, end) = match["name"].lower(), match.span()
        if name in _STRUCK:
            continue
        is_formed = (
            match["end"] or match["attributes"] or (match["alone"] and match["name"][0].islower())
        )
        if (
            is_formed
            or name in _HTML
            or name in closed
            or (closed and _is_among_tags(text, start, end))
        ):
            # Between elements, as in a list or a row, there is a border of words.
            between = (
                name not in _HTML
                and text[end : end + 1] == "<"
                and text[end + 1 : end + 2].isalpha()
            )
            yield Noise(start, end, "\n" if between or name in _BREAKS else "", "markup")


def _is_among_tags(text: str, start: int, end: int) -> bool:
    """Return whether a tag is on a line of tags, or glued between them: its pair may be far."""
    before = text[max(0, start - _INDENT) : start].rstrip(" \t")[-1:]
    after = text[end : end + _INDENT].lstrip(" \t")[:2]
    follows = before == "\n" or start == 0 or (before == ">" and text[start - 1] == ">")
    return follows and (after[:1] in ("", "\n") or (after[0] == "<" and after[1:].isalpha()))


def _bulletin_tags(text: str) -> Iterator[Noise]:
    """Pairs of BBCode: "[b]", "[url=…]"."""
    tags = [*compiled(_BB_TAG).finditer(text)]
    closed = {match["name"].lower() for match in tags if match["end"]} - _STRUCK
    for match in tags:
        if match["name"].lower() in closed:
            yield Noise(match.start(), match.end(), "", "markup")


def _raised_tags(text: str) -> Iterator[Noise]:
    for match in pattern("raised tag").finditer(text):
        referring = "[" in match[0] or match[0].count("<") > 2
        if referring or points_to_note(word_before(text, match.start()), match[1]):
            yield Noise(match.start(), match.end(), "", "mark")
        else:
            yield Noise(match.start(), match.end(), raised(match[1]), "markup")


def _hidden_elements(text: str) -> Iterator[Noise]:
    """Elements whose content is not read in the text: scripts, notes of a wiki, readings."""
    opened: dict[str, int] = {}
    for match in compiled(_HIDDEN).finditer(text):
        name = match["name"].lower()
        kind = "markup" if name in ("script", "style", "indexterm") else "mark"
        if match["alone"]:
            yield Noise(match.start(), match.end(), "", kind)
        elif not match["end"]:
            opened[name] = match.start()
        elif name in opened:
            yield Noise(opened.pop(name), match.end(), "", kind)


def _comments(text: str) -> Iterator[Noise]:
    start = text.find("<!--")
    while start >= 0 and (end := text.find("-->", start)) >= 0:
        yield Noise(start, end + 3, "", "markup")
        start = text.find("<!--", end)


# Wikis

# Templates that show their content, after the parameters that they do not show.
_SHOWN = (
    r"nowrap|nobr|small(?:er)?|big|larger|strong|em|math|var|quote|langue\|[a-z-]+|lang\|[a-z-]+"
    r"|lang-[a-z-]+|ipa(?:c|-[a-z-]+)?(?:\|[a-z]{2,3}(?=\|))?|transl(?:iteration)?\|[a-z-]+|colou?r\|\w+"
    r"|abbr|tooltip|date|start date|mvar"
)
_NOTES = (
    r"cite\b[^|{}]*|citation\b[^|{}]*|cn|fact|sfnp?|efn(?:-\w+)?|refn?|harvn?b?|rp?|page needed"
    r"|clarify|when|who|by whom|which|dubious|dead link|note|notetag|literatur|internetquelle"
    r"|lien web|sic|ouvrage|нет аи|(?:better|additional) source needed|cita requerida|senza fonte"
)
_TEMPLATE = (
    rf"\s*(?:(?P<note>{_NOTES})\s*(?=[|}}])|(?P<shown>(?:{_SHOWN})\||formatnum:)"
    r"|(?P<measure>convert|cvt|unité|unit|val)\|(?P<value>[^{}|]{1,30})"
    r"(?:\|(?:u=)?(?P<unit>[^{}|=]{1,20}))?(?=[|}])|(?P<currency>[A-Z]{0,3}[$€£¥])\|"
    r"|(?P<dash>(?:spaced )?[nm]dash|snd?|–|—)(?=\}\})"
    r"|(?P<blank>nbsp|spaces?|thinsp|pad)(?=[|}])"
    r"|frac\|(?P<fraction>\d+\|\d+)(?=\}))"
)
_LONGEST_PARAMETER = 300  # characters


def _templates(text: str) -> Iterator[Noise]:
    """Templates as they are shown: "{{convert|5|km}}", "{{lang|fr|Paris}}"; notes are marks."""
    opened: list[tuple[int, int, str]] = []  # start, where its content starts, what it is
    for match in compiled(r"\{\{|\}\}").finditer(text):
        if match[0] == "{{":
            opened.append(_opened(text, match.start()))
            start, content, what = opened[-1]
            if what == "shown":
                name = text[start:content].strip("{|} ")
                shown = name if name[-1:] in "$€£¥" else ""
                yield Noise(start, content, shown, "markup")
        elif opened:
            start, content, what = opened.pop()
            if what == "shown":
                bar = text.find("|", content, min(match.start(), content + _LONGEST_PARAMETER))
                plain = bar >= 0 and "[[" not in text[content:bar]
                yield Noise(bar if plain else match.start(), match.end(), "", "markup")
            elif what == "note":
                yield Noise(start, match.end(), "", "mark")
            elif what:
                yield Noise(start, match.end(), what, "markup")


def _opened(text: str, start: int) -> tuple[int, int, str]:
    """Return a template's start, that of its content, and "shown", "note", or what it reads as."""
    name = compiled(_TEMPLATE).match(text, start + 2)
    if name is None:
        return start, start + 2, ""
    if name["note"]:
        what = "note"
    elif name["shown"] or name["currency"]:
        what = "shown"
    elif name["measure"]:
        what = " ".join((name["value"].strip(), *([name["unit"]] if name["unit"] else [])))
    elif name["dash"]:
        what = "—" if name["dash"] in ("mdash", "—") else " – "
    else:
        what = "\u00a0" if name["blank"] else name["fraction"].replace("|", "/")
    return start, name.end(), what


# Escapes, mail, RTF


def _json_blanks(text: str) -> Iterator[Noise]:
    """The escaped line breaks and tabs of a JSON string, in a text that shows that it is JSON."""
    if compiled(r"\"\s?:\s?\"|\\\"").search(text):
        yield from replacing(r"\\(?<![:\\]\\)(?-i:[nrt])", " ")(text)


def _code_point(escape: re.Match[str]) -> str | None:
    point = int(escape[0][2:], 16)
    return None if 0xD800 <= point < 0xE000 else chr(point)


_LONG_LINE = 60  # characters; quoted-printable breaks lines at 76


def _soft_break(match: re.Match[str]) -> str | None:
    text, start = match.string, match.start()
    is_sign = text[start - 1 : start] in ("", "\n", *"=<>!+-*/%&|^:")
    is_long = match["prefix"] or start - text.rfind("\n", 0, start) > _LONG_LINE
    return "" if is_long and not is_sign else None


def _escaped_bytes(match: re.Match[str]) -> str | None:
    """Return the characters of escaped bytes; `None` if they are none: of "state=CA"."""
    if match[0] in ("=3D", "=20", "=09"):
        return "=" if match[0] == "=3D" else " "
    encoded = bytes.fromhex(re.sub(r"[=\s]", "", match[0]))
    try:
        return encoded.decode()
    except UnicodeDecodeError:
        read = encoded.decode("latin-1")
    text = match.string
    before, after = text[match.start() - 1 : match.start()], text[match.end() : match.end() + 1]
    is_letter = read >= "à" and before.isalpha() and not (after.isdecimal() or after.isupper())
    return read if read >= "À" and (is_letter or after.islower()) else None


_RTF = (
    r"\\'(?P<byte>[0-9a-f]{2})|\{\\rtf1?|\\(?:(?P<line>par|pard|line|tab)|ansi(?:cpg\d+)?|uc\d|deff\d"
    r"|[bi]0?|ul(?:none)?|q[clrj]|plain|fs?\d{1,3}|cf\d{1,2}|lang\d+)(?![a-z0-9])\s?"
)


def _rtf(text: str) -> Iterator[Noise]:
    is_document = "{\\rtf" in text or "\\par" in text
    # `\'ec` alone may be LaTeX: "pr\'ecis".
    has_bytes = is_document or compiled(r"\\'[89a-f]\d").search(text) is not None
    for match in compiled(_RTF).finditer(text):
        if match["byte"]:
            char = bytes.fromhex(match["byte"]).decode("cp1252", "ignore")
            if char and not char.isascii() and has_bytes:
                yield Noise(match.start(), match.end(), char, "markup")
        elif is_document:
            yield Noise(match.start(), match.end(), "\n" if match["line"] else "", "markup")
    if is_document:
        yield from replacing(r"(?<!\\)[{}]")(text)


# AsciiDoc

_ASCIIDOC_LINK = (
    r":(?:(?<=\blink:)|(?<=\bxref:)|(?<=\bhttps:)|(?<=\bhttp:)|(?<=\bkbd:)|(?<=\bbtn:))"
    r"[^\s\[\]<>]{0,200}\[(?!\d{1,3}\])(?P<words>[^\[\]\n]{1,200})\]"
)


def _asciidoc_links(text: str) -> Iterator[Noise]:
    """Links and keys: "xref:setup.adoc[the set-up]", "https://a.org[a link]", "kbd:[Esc]"."""
    for match in compiled(_ASCIIDOC_LINK).finditer(text):
        start = match.start() - len(word_before(text, match.start()))
        yield Noise(start, match.start("words"), "", "markup")
        yield Noise(match.end("words"), match.end(), "", "markup")
    for match in compiled(r":(?<=footnote:)[\w-]{0,40}\[[^\[\]\n]{0,300}\]").finditer(text):
        yield Noise(match.start() - len("footnote"), match.end(), "", "mark")


# Readings

# Words in brackets that are no reading of the word before them.
_NO_READINGS = re.compile(
    r"ない|なし|のみ|だけ|のぞ|ふく|など|ほか|いずれ|すべて|または|ただし|あるいは|および|もしくは|ではなく"
)
_SHORTEST, _LONGEST = 1.3, 3.2  # kana for each kanji


def _bracketed_reading(match: re.Match[str]) -> str | None:
    start = match.start()
    kanji = compiled(r"[\u3400-\u9fff々]{2,10}\Z").search(match.string, max(0, start - 10), start)
    share = len("".join(match[1].split())) / len(kanji[0]) if kanji else 0
    return "" if _SHORTEST <= share <= _LONGEST and not _NO_READINGS.search(match[1]) else None


# Org

# "~code~", "=verbatim="; where there is such a pair, "/italic/" is no path.
_ORG_CODE = r"(~)(?<![^\s(]~)(?=[^\W\d_])[^~\n]{1,80}(?<=[\w)])(~)(?![\w~])"
_ORG_VERBATIM = r"(=)(?<![^\s(]=)(?=[^\W\d_])[^=\n]{1,80}(?<=[\w)])(=)(?![\w=])"
_ORG_ITALICS = r"(/)(?<![^\s(]/)(?=[^\W\d_])[^/\n]{1,80}(?<=[\w.)])(/)(?![\w/])"


def _org_marks(text: str) -> Iterator[Noise]:
    found = [*_omitting_groups(_ORG_CODE, _ORG_VERBATIM)(text)]
    yield from found
    if found:
        yield from _omitting_groups(_ORG_ITALICS)(text)


READERS: tuple[tuple[str | tuple[str, ...], Reader], ...] = (
    ("&", replacing(r"&(?:amp;)?(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});", _entity)),
    ("<", _raised_tags),
    ("<", _tags),
    ("<", replacing(r"<!doctype\b[^<>]{0,300}>|<\?xml\b[^<>]{0,300}\?>|<!\[CDATA\[|\]\]>")),
    (
        ("<xref",),
        replacing(
            rf"[\[(]?{_BIBLIOGRAPHIC}(?:\s?[,;–-]\s?{_BIBLIOGRAPHIC}){{0,9}}[\])]?", kind="mark"
        ),
    ),
    ("<", _hidden_elements),
    ("<", _comments),
    (
        "]",
        replacing(
            r"\]\((?:https?:|mailto:|www\.|[#/.]|[^\s()]{1,80}[./#])"
            r"(?:[^\s()]|\([^\s()]{0,80}\)){0,300}(?:\s\"[^\"\n]{0,100}\")?\)",
            "]",
        ),
    ),
    ("!", replacing(r"!\[[^\[\]\n]{0,100}\]\([^()\s]{1,300}\)", kind="mark")),
    ("^", replacing(r"\^(?<=[^\s\[]\^)\[[^\[\]\n]{1,300}\]", kind="mark")),
    (
        ("```", "~~~"),
        replacing(r"^[ \t]*(?:`{3,}|~{3,})[ \t]*(?:\{?[\w+#.-]{1,20}\}?)?[ \t]*$", "\n"),
    ),
    (("[[",), replacing(r"\[\[[^\[\]|\n]{1,80}\||\[\[|\]\]")),
    (
        "[",
        replacing(
            r"\[\[(?:file|image|datei|bild|fichier|archivo|immagine|plik|файл|ficheiro):[^\[\]\n]{0,300}\]\]",
            kind="mark",
        ),
    ),
    (("{{",), _templates),
    (("[/",), _bulletin_tags),
    ("[", _asciidoc_links),
    (("<<",), _omitting_groups(r"(<<[a-z_][\w-]{0,60},\s?)[^<>\n]{1,100}(>>)")),
    # The headings of wikis and AsciiDoc.
    (
        ("==",),
        _omitting_groups(
            r"(=(?<![^\n]=)={1,5})[ \t]*[^=\s][^=\n]{0,200}(={2,6})[ \t]*$",
            r"(=(?<![^\n]=)={1,5}[ \t])",
        ),
    ),
    # Javadoc: "{@code null}".
    (
        "{",
        _omitting_groups(r"(\{@(?:code|link|linkplain|literal|value)\s+)[^{}\n]{1,120}(\})"),
    ),
    # Org: "[[https://a.org][a link]]".
    ("]", replacing(r"\[\[[^\[\]\n]{1,200}\]\[")),
    ("~=", _org_marks),
    # reStructuredText and MyST: ":ref:`index page <index>`", "`site <https://a.org>`_".
    (
        "`",
        replacing(r":(?<![\w:]:)[a-z][\w.+-]{0,20}(?::[a-z][\w.+-]{0,20}){0,2}:(?=`[^`\n])"),
    ),
    ("`", _omitting_groups(r":`[^`<\n]{1,100}(\s<[^<>`\n]{1,100}>)(?=`)")),
    (("`_",), replacing(r"<(?:https?|mailto):[^<>\s]{1,300}>`__?(?!\w)|`(?<=\w`)__?(?!\w)")),
    # "+-----+----+", of a table drawn with characters.
    ("+", replacing(r"\+(?<!\S.)(?:[-=]{2,}\+)+[ \t]*$", "\n")),
    # Colours and the cursor; titles and links.
    (
        "\x1b",
        replacing(
            r"\x1b\[[0-?]{0,40}[ -/]{0,4}[@-~]|\x1b\][^\x07\x1b]{0,300}(?:\x07|\x1b\\)"
            r"|\x1b[()][A-Z0-9]"
        ),
    ),
    ("\\", replacing(r"\\(?=[!-/:-@\[-`{-~])")),
    ("\\", replacing(r"\\(?<!\\\\)(?-i:u)[0-9a-f]{4}", _code_point)),
    (("\\n", "\\r", "\\t"), _json_blanks),
    ("\\", _rtf),
    (
        "=",
        replacing(
            r"=(?-i:[89A-F][0-9A-F](?:(?:=\r?\n)?=[89A-F][0-9A-F])*|3D(?=[\"'\s=])|(?:20|09)(?=\r?$))",
            _escaped_bytes,
        ),
    ),
    (
        "=",
        replacing(r"=\r?\n(?P<prefix>(?:[ \t]{0,3}>){1,9} ?)?(?=[^\s=])", _soft_break),
    ),
    # Kanji and their reading, as Aozora Bunko and dictionaries write it.
    ("《", replacing(r"《(?<=[\u3400-\u9fff々〆ヶ]《)[\u3041-\u30ff]{1,40}》", kind="mark")),
    (("［＃",), replacing(r"［＃[^［］\n]{1,100}］", kind="mark")),
    (
        "（",
        replacing(
            r"[（(](?<=[\u3400-\u9fff々]{2}.)([\u3041-\u3096\u30fc・\s]{3,30})[）)]",
            _bracketed_reading,
            "mark",
        ),
    ),
)
"""(the signs of which one must occur for the reader to find anything, the reader)"""
