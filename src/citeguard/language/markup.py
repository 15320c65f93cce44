"""Reads the syntaxes of markup as a reader sees them: HTML, wikis, Markdown, mail, terminals, ruby.

Each syntax is a reader: it yields the places of a text that are no words, and what is seen there.
A reader is asked only if the text has the string without which it finds nothing.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal

from citeguard.language.citations import SUPERSCRIPTS, pattern, points_to_note, word_before


@dataclass(frozen=True, slots=True)
class Noise:
    """A half-open interval of a text that reads as `replacement`.

    `mark` is a citation, a footnote or a reading, which a faithful quote may drop; `markup` is
    syntax.
    """

    start: int
    end: int
    replacement: str
    kind: Literal["markup", "mark"]


Reader = Callable[[str], Iterator[Noise]]

_RAISED = str.maketrans("0123456789-−+", f"{SUPERSCRIPTS}⁻⁻⁺")

# Not "del", "s" and "strike": what they strike out is not what the text says.
_TAGS = (
    "a|abbr|b|big|blockquote|br|center|cite|code|dd|div|dl|dt|em|font|h[1-6]|hr|i|img|ins|li|mark"
    "|ol|p|pre|q|section|small|span|strong|table|tbody|td|th|thead|tr|tt|u|ul|wbr|article|aside"
    "|caption|dfn|figcaption|figure|footer|header|kbd|label|main|nav|ruby|rb|rtc|samp|time|var"
    "|html|head|body|nowiki|poem|lang"
)
_BLOCK_TAGS = "blockquote|br|d[dlt]|div|h[1-6]|hr|li|ol|p|pre|t\\w+|ul"
_ATTRIBUTES = r"(?:\s(?:[^<>\"']|\"[^\"<]{0,300}\"|'[^'<]{0,300}'){0,300})?"

# Wiki templates that show their content, after the parameters that they do not show.
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

_Name = Literal[
    "entity", "tag", "inline tag", "block tag", "script tag", "hidden element", "comment",
    "link target",
    "wiki target", "org target", "wiki file", "template", "template name", "terminal", "escape",
    "code point", "fence", "image", "inline note", "org code", "org verbatim", "org italics",
    "role", "role target", "inline target", "ruled line", "quoted-printable", "soft break", "ruby",
    "typesetting note", "reading", "kanji before", "hanja", "hangul before", "rtf", "rtf bytes",
]  # fmt: skip
_PATTERNS: dict[_Name, str] = {
    "entity": r"&(?:amp;)?(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});",
    "tag": rf"</?(?:{_TAGS}){_ATTRIBUTES}/?>",
    "block tag": rf"</?(?:{_BLOCK_TAGS})\b",
    "script tag": r"</?su[bp](?:\s[^<>]{0,300})?>",
    "hidden element": (
        r"<(?P<end>/)?(?P<name>script|style|ref|rt|rp)\b(?:[^<>]{0,300}?)(?P<alone>/)?>"
    ),
    "comment": r"<!--",
    # Javadoc: "{@code null}".
    "inline tag": r"\{@(?:code|link|linkplain|literal|value)\s+(?P<shown>[^{}\n]{1,120})\}",
    "link target": (
        r"\]\((?:https?:|mailto:|www\.|[#/.]|[^\s()]{1,80}[./#])"
        r"(?:[^\s()]|\([^\s()]{0,80}\)){0,300}(?:\s\"[^\"\n]{0,100}\")?\)"
    ),
    "wiki target": r"\[\[[^\[\]|\n]{1,80}\||\[\[|\]\]",
    "org target": r"\[\[[^\[\]\n]{1,200}\]\[",
    "wiki file": (
        r"\[\[(?:file|image|datei|bild|fichier|archivo|immagine|plik|файл|ficheiro):[^\[\]\n]{0,300}\]\]"
    ),
    "template": r"\{\{|\}\}",
    "template name": (
        rf"\s*(?:(?P<note>{_NOTES})\s*(?=[|}}])|(?P<shown>(?:{_SHOWN})\||formatnum:)"
        r"|(?P<measure>convert|cvt|unité|unit|val)\|(?P<value>[^{}|]{1,30})"
        r"(?:\|(?:u=)?(?P<unit>[^{}|=]{1,20}))?(?=[|}])|(?P<currency>[A-Z]{0,3}[$€£¥])\|"
        r"|(?P<dash>(?:spaced )?[nm]dash|snd?|–|—)(?=\}\})"
        r"|(?P<blank>nbsp|spaces?|thinsp|pad)(?=[|}])"
        r"|frac\|(?P<fraction>\d+\|\d+)(?=\}))"
    ),
    # Colours and the cursor; titles and links.
    "terminal": (
        r"\x1b\[[0-?]{0,40}[ -/]{0,4}[@-~]|\x1b\][^\x07\x1b]{0,300}(?:\x07|\x1b\\)"
        r"|\x1b[()][A-Z0-9]"
    ),
    "escape": r"\\(?=[!-/:-@\[-`{-~])",
    "code point": r"(?<!\\)\\(?-i:u)[0-9a-f]{4}",
    "fence": r"^[ \t]*(?:`{3,}|~{3,})[ \t]*(?:\{?[\w+#.-]{1,20}\}?)?[ \t]*$",
    "image": r"!\[[^\[\]\n]{0,100}\]\([^()\s]{1,300}\)",
    "inline note": r"\^(?<=[^\s\[]\^)\[[^\[\]\n]{1,300}\]",
    # reStructuredText and MyST: ":ref:`index page <index>`", "`site <https://a.org>`_".
    # Org: "~code~", "=verbatim="; where there is such a pair, "/italic/" is no path.
    # Org: "~code~", "=verbatim="; where there is such a pair, "/italic/" is no path.
    "org code": r"~(?<![^\s(]~)(?=[^\W\d_])[^~\n]{1,80}(?<=[\w)])~(?![\w~])",
    "org verbatim": r"=(?<![^\s(]=)(?=[^\W\d_])[^=\n]{1,80}(?<=[\w)])=(?![\w=])",
    "org italics": r"/(?<![^\s(]/)(?=[^\W\d_])[^/\n]{1,80}(?<=[\w.)])/(?![\w/])",
    "role": r":(?<![\w:]:)[a-z][\w.+-]{0,20}(?::[a-z][\w.+-]{0,20}){0,2}:(?=`[^`\n])",
    "role target": r":`[^`<\n]{1,100}(?P<target>\s<[^<>`\n]{1,100}>)(?=`)",
    "inline target": r"<(?:https?|mailto):[^<>\s]{1,300}>`__?(?!\w)|`(?<=\w`)__?(?!\w)",
    # "+-----+----+", of a table drawn with characters.
    "ruled line": r"^[ \t]*\+(?:[-=]{2,}\+)+[ \t]*$",
    "quoted-printable": (
        r"=(?-i:[89A-F][0-9A-F](?:(?:=\r?\n)?=[89A-F][0-9A-F])*|3D(?=[\"'\s=])|(?:20|09)(?=\r?$))"
    ),
    "soft break": r"=\r?\n(?P<prefix>(?:[ \t]{0,3}>){1,9} ?)?(?=[^\s=])",
    # Kanji and their reading, as Aozora Bunko and dictionaries write it.
    "ruby": r"《(?<=[\u3400-\u9fff々〆ヶ]《)[\u3041-\u30ff]{1,40}》",
    "typesetting note": r"［＃[^［］\n]{1,100}］",
    "reading": r"[（(](?<=[\u3400-\u9fff々]{2}.)([\u3041-\u3096\u30fc・\s]{3,30})[）)]",
    "hanja": r"[（(](?<=[\uac00-\ud7a3]{2}.)([\u3400-\u9fff]{2,10})[）)]",
    "hangul before": r"[\uac00-\ud7a3]{2,10}\Z",
    "kanji before": r"[\u3400-\u9fff々]{2,10}\Z",
    "rtf bytes": r"\\'[89a-f]\d",  # `\'ec` alone may be LaTeX: "pr\'ecis"
    "rtf": (
        r"\\'(?P<byte>[0-9a-f]{2})|\{\\rtf1?|\\(?:(?P<line>par|pard|line|tab)|ansi(?:cpg\d+)?|uc\d|deff\d"
        r"|[bi]0?|ul(?:none)?|q[clrj]|plain|fs?\d{1,3}|cf\d{1,2}|lang\d+)(?![a-z0-9])\s?"
    ),
}  # fmt: skip


@cache
def _pattern(name: _Name) -> re.Pattern[str]:
    return re.compile(_PATTERNS[name], re.IGNORECASE | re.MULTILINE)


def raised(digits: str) -> str:
    """Return digits and their sign as superscripts."""
    return digits.translate(_RAISED)


def replacing(
    find: Callable[[], re.Pattern[str]], replacement: str, kind: Literal["markup", "mark"]
) -> Reader:
    """Return a reader that sees one thing wherever a pattern matches."""

    def read(text: str) -> Iterator[Noise]:
        for match in find().finditer(text):
            yield Noise(match.start(), match.end(), replacement, kind)

    return read


def _reading(name: _Name, read: Callable[[str], str]) -> Reader:
    def reader(text: str) -> Iterator[Noise]:
        for match in _pattern(name).finditer(text):
            if (replacement := read(match[0])) != match[0]:
                yield Noise(match.start(), match.end(), replacement, "markup")

    return reader


def _replacing(name: _Name, replacement: str, kind: Literal["markup", "mark"] = "markup") -> Reader:
    return replacing(lambda: _pattern(name), replacement, kind)


# HTML


def _raised_tags(text: str) -> Iterator[Noise]:
    for match in pattern("raised tag").finditer(text):
        referring = "[" in match[0] or "<a" in match[0]
        if referring or points_to_note(word_before(text, match.start()), match[1]):
            yield Noise(match.start(), match.end(), "", "mark")
        else:
            yield Noise(match.start(), match.end(), raised(match[1]), "markup")


def _tag_as_text(tag: str) -> str:
    return "\n" if _pattern("block tag").match(tag) else ""


def _hidden_elements(text: str) -> Iterator[Noise]:
    """Elements whose content is not read in the text: scripts, notes of a wiki, readings."""
    opened: dict[str, int] = {}
    for match in _pattern("hidden element").finditer(text):
        name = match["name"].lower()
        kind = "markup" if name in ("script", "style") else "mark"
        if match["alone"]:
            yield Noise(match.start(), match.end(), "", kind)
        elif not match["end"]:
            opened[name] = match.start()
        elif name in opened:
            yield Noise(opened.pop(name), match.end(), "", kind)


def _inline_tags(text: str) -> Iterator[Noise]:
    for match in _pattern("inline tag").finditer(text):
        yield Noise(match.start(), match.start("shown"), "", "markup")
        yield Noise(match.end("shown"), match.end(), "", "markup")


def _comments(text: str) -> Iterator[Noise]:
    end = 0
    for match in _pattern("comment").finditer(text):
        if match.start() >= end:
            end = text.find("-->", match.end()) + 3
            if end < 3:
                return
            yield Noise(match.start(), end, "", "markup")


# Wikis


_LONGEST_PARAMETER = 300  # characters


def _templates(text: str) -> Iterator[Noise]:
    """Templates as they are shown: "{{convert|5|km}}", "{{lang|fr|Paris}}"; notes are marks."""
    opened: list[tuple[int, int, str]] = []  # start, where its content starts, what it is
    for match in _pattern("template").finditer(text):
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
            elif what:
                kind = "mark" if what == "note" else "markup"
                yield Noise(start, match.end(), "" if kind == "mark" else what, kind)


def _opened(text: str, start: int) -> tuple[int, int, str]:
    """Return a template's start, that of its content, and "shown", "note", or what it reads as."""
    name = _pattern("template name").match(text, start + 2)
    if name is None:
        return start, start + 2, ""
    if name["note"]:
        return start, name.end(), "note"
    if name["shown"] or name["currency"]:
        return start, name.end(), "shown"
    if name["measure"]:
        unit = f" {name['unit']}" if name["unit"] else ""
        return start, name.end(), name["value"].strip() + unit
    if name["dash"]:
        return start, name.end(), "—" if name["dash"] in ("mdash", "—") else " – "
    return start, name.end(), "\u00a0" if name["blank"] else name["fraction"].replace("|", "/")


# Escapes


def _code_point(escape: str) -> str:
    point = int(escape[2:], 16)
    return escape if 0xD800 <= point < 0xE000 else chr(point)


_LONG_LINE = 60  # characters; quoted-printable breaks lines at 76


def _quoted_printable(text: str) -> Iterator[Noise]:
    for match in _pattern("quoted-printable").finditer(text):
        if match[0] == "=3D":
            yield Noise(match.start(), match.end(), "=", "markup")
        elif match[0] in ("=20", "=09"):
            yield Noise(match.start(), match.end(), " ", "markup")
        elif read := _read_bytes(text, match):
            yield Noise(match.start(), match.end(), read, "markup")


def _soft_breaks(text: str) -> Iterator[Noise]:
    for match in _pattern("soft break").finditer(text):
        line = text.rfind("\n", 0, match.start()) + 1
        is_sign = text[match.start() - 1 : match.start()] in ("", "\n", *"=<>!+-*/%&|^:")
        if not is_sign and (match["prefix"] or match.start() - line >= _LONG_LINE):
            yield Noise(match.start(), match.end(), "", "markup")


def _read_bytes(text: str, match: re.Match[str]) -> str:
    """Return the characters of escaped bytes; "" if they are none: of "state=CA"."""
    encoded = bytes.fromhex(re.sub(r"[=\s]", "", match[0]))
    try:
        return encoded.decode()
    except UnicodeDecodeError:
        read = encoded.decode("latin-1")
    before, after = text[match.start() - 1 : match.start()], text[match.end() : match.end() + 1]
    is_letter = read >= "à" and before.isalpha() and not (after.isdecimal() or after.isupper())
    return read if read >= "À" and (is_letter or after.islower()) else ""


def _rtf(text: str) -> Iterator[Noise]:
    is_document = "{\\rtf" in text or "\\par" in text
    has_bytes = is_document or _pattern("rtf bytes").search(text) is not None
    for match in _pattern("rtf").finditer(text):
        if match["byte"]:
            char = bytes.fromhex(match["byte"]).decode("cp1252", "ignore")
            if char and not char.isascii() and has_bytes:
                yield Noise(match.start(), match.end(), char, "markup")
        elif is_document:
            yield Noise(match.start(), match.end(), "\n" if match["line"] else "", "markup")


# Readings

# Words in brackets that are no reading of the word before them.
_NO_READINGS = re.compile(
    r"ない|なし|のみ|だけ|のぞ|ふく|など|ほか|いずれ|すべて|または|ただし|あるいは|および|もしくは|ではなく"
)
_SHORTEST, _LONGEST = 1.3, 3.2  # kana for each kanji


def _bracketed_readings(text: str) -> Iterator[Noise]:
    for match in _pattern("reading").finditer(text):
        kanji = _pattern("kanji before").search(text, max(0, match.start() - 10), match.start())
        share = len("".join(match[1].split())) / len(kanji[0]) if kanji else 0
        if _SHORTEST <= share <= _LONGEST and not _NO_READINGS.search(match[1]):
            yield Noise(match.start(), match.end(), "", "mark")


def _hanja(text: str) -> Iterator[Noise]:
    """The ideographs in brackets behind a Korean word, one for each syllable."""
    if text.isascii():
        return
    for match in _pattern("hanja").finditer(text):
        word = _pattern("hangul before").search(text, max(0, match.start() - 10), match.start())
        if word and len(word[0]) >= len(match[1]):
            yield Noise(match.start(), match.end(), "", "mark")


def _org_marks(text: str) -> Iterator[Noise]:
    found = [*_pattern("org code").finditer(text), *_pattern("org verbatim").finditer(text)]
    for match in (*found, *(_pattern("org italics").finditer(text) if found else ())):
        yield Noise(match.start(), match.start() + 1, "", "markup")
        yield Noise(match.end() - 1, match.end(), "", "markup")


def _role_targets(text: str) -> Iterator[Noise]:
    for match in _pattern("role target").finditer(text):
        yield Noise(match.start("target"), match.end("target"), "", "markup")


# (a string that must occur for the reader to find anything, the reader)
READERS: tuple[tuple[str, Reader], ...] = (
    ("&", _reading("entity", lambda entity: html.unescape(html.unescape(entity)))),
    ("<", _raised_tags),
    ("<", _replacing("script tag", "")),
    ("<", _reading("tag", _tag_as_text)),
    ("</", _hidden_elements),
    ("/>", _hidden_elements),
    ("<!--", _comments),
    ("](", _replacing("link target", "]")),
    ("![", _replacing("image", "", "mark")),
    ("[[", _replacing("wiki target", "")),
    ("][", _replacing("org target", "")),
    ("[[", _replacing("wiki file", "", "mark")),
    ("{{", _templates),
    ("{@", _inline_tags),
    ("\x1b", _replacing("terminal", "")),
    ("\\", _replacing("escape", "")),
    ("\\u", _reading("code point", _code_point)),
    ("\\", _rtf),
    ("```", _replacing("fence", "\n")),
    ("~~~", _replacing("fence", "\n")),
    ("^[", _replacing("inline note", "", "mark")),
    ("~", _org_marks),
    ("= ", _org_marks),
    ("=.", _org_marks),
    (":`", _replacing("role", "")),
    (":`", _role_targets),
    ("`_", _replacing("inline target", "")),
    ("+-", _replacing("ruled line", "\n")),
    ("=", _quoted_printable),
    ("=\n", _soft_breaks),
    ("=\r", _soft_breaks),
    ("《", _replacing("ruby", "", "mark")),
    ("［＃", _replacing("typesetting note", "", "mark")),
    ("（", _bracketed_readings),
    ("（", _hanja),
    ("(", _hanja),
)
