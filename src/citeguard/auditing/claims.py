"""The claims of a text: `Claim`, what finds them (`ClaimExtractor`), and `LocalClaims`.

`LocalClaims` reads the structure of a text: `units` are its sentences, list items, headings, rows
and code. Marks and markup are blanked before anything is read, so that every offset stays what it
was.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol, get_args, runtime_checkable

from citeguard.errors import CiteguardError
from citeguard.language.citations import is_figure, pattern
from citeguard.language.lexicon import (
    DEMONSTRATIVES,
    DENYING_SIGNS,
    OBJECT_PRONOUNS,
    POSSESSIVES,
    PREPOSITIONS,
)
from citeguard.language.lexicon import SUBJECT_PRONOUNS as SUBJECTS
from citeguard.language.markup import find_noise, unseen_parts
from citeguard.language.sentences import Interval, sentence_intervals
from citeguard.language.tokens import Token, tokenize
from citeguard.reports.report import CheckedClaim, SetAside


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One thing that a text says, in words that can be read alone.

    Attributes:
        text: What is claimed, with its subject, and without citation marks.
        start: Where its own words start in the text, in code points.
        end: Where they end, exclusive. The own words of two claims never overlap.
        sentence: The half-open interval of its sentence in the text.
        set_aside: Why it is not checkable; `None` if it is.
        context: The words before it that a pronoun in it refers to, or that introduce it; empty if
            none do.
    """

    text: str
    start: int
    end: int
    sentence: Interval
    set_aside: SetAside | None = None
    context: str = ""

    def checked(self, number: int, **concluded: Any) -> CheckedClaim:
        """Return the claim as a report has it, with what became of it."""
        start, end = self.sentence
        return CheckedClaim(
            number=number,
            text=self.text,
            start=self.start,
            end=self.end,
            sentence_start=start,
            sentence_end=end,
            context=self.context,
            **concluded,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """The claims of a text.

    Attributes:
        claims: All of them, in the order of the text, those set aside among them.
        uncovered: The half-open intervals of sentences without a claim, in order.
    """

    claims: tuple[Claim, ...]
    uncovered: tuple[Interval, ...] = ()


@runtime_checkable
class ClaimExtractor(Protocol):
    """Anything that finds the claims of texts."""

    def extract(self, texts: Sequence[str], /) -> Sequence[Extraction]:
        """Return the claims of each text, in order."""
        ...


def require_fit(extraction: Extraction, text: str) -> None:
    """Raise if claims do not fit a text: the audit relies on their places and their order."""
    if not isinstance(extraction, Extraction):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise CiteguardError(f"an extractor must return an Extraction, not {extraction!r}")
    done = 0
    for claim in extraction.claims:
        if not done <= claim.start < claim.end <= len(text):
            raise CiteguardError(f"a claim must lie in its text, after the one before: {claim!r}")
        if claim.set_aside not in (None, *get_args(SetAside)):
            raise CiteguardError(f"a claim is set aside for no known reason: {claim!r}")
        if not claim.text.strip():
            raise CiteguardError(f"a claim must not be empty: {claim!r}")
        done = claim.end
    for start, end in extraction.uncovered:
        if not 0 <= start < end <= len(text):
            raise CiteguardError(f"what is uncovered must lie in the text: {(start, end)}")


# -- Claims by structure

_LONGEST_CONTEXT = 400  # characters
_LONGEST_CALL = 3  # words of what is no sentence but a call: "Great question!"
_LONGEST_POINTER = 5  # words
_WRITERS = frozenset("i me my myself".split())
# Not "I", "you" and "we", which refer to those who speak.
_POINTING = (SUBJECTS | OBJECT_PRONOUNS | POSSESSIVES | DEMONSTRATIVES) - frozenset(
    "i me my you your we us our".split()
)
_TRAILING = " \t\r\n.,;:!?…。！？；：，、|"
# A source that only citation marks name, which are blanked: "According to [1] and [2],".
_SOURCE = r"(?:according to|based on|as per|per|in|as \w+ (?:in|by))\s+(?:(?:and|or|,)\s*)*"
_SOURCE_FIRST = re.compile(rf"\W*{_SOURCE},\s+|as\s+(?:says?|states?|shows?|reports?),\s+", re.I)
_SOURCE_LAST = re.compile(rf",\s+{_SOURCE}\W*\Z", re.I)
# "Source: https://…"
_LINK_ALONE = re.compile(r"(?:\w{1,12}:)?(?:\W*(?:https?://|www\.)\S+)+\W*")


@dataclass(frozen=True, slots=True)
class LocalClaims:
    """Finds the claims of texts by their structure: no model, the same result every time.

    Every sentence, item of a list and row of a table is one claim. Set aside are headings, code,
    questions, lines that introduce what follows, short calls ("Great question!"), and sentences
    without a figure in which the writer says "I". A claim that begins with a pronoun has the
    sentence before it as its context. Takes less than a millisecond a sentence.

    Examples:
        >>> (found,) = LocalClaims().extract(["Anna moved to Paris in 1999. Is that so?"])
        >>> [(claim.text, claim.set_aside) for claim in found.claims]
        [('Anna moved to Paris in 1999', None), ('Is that so?', 'question')]
    """

    def extract(self, texts: Sequence[str], /) -> list[Extraction]:
        """Return the claims of each text, in order."""
        return [Extraction(claims=tuple(_claims(text))) for text in texts]


def _claims(text: str) -> Iterator[Claim]:
    before: list[str] = []  # the sentences that a pronoun may refer to
    for unit in units(text):
        if not any(map(str.isalnum, unit.plain)):
            continue
        tokens = [] if unit.form == "code" else tokenize(unit.plain)
        points_back = bool(tokens) and tokens[0].key.partition("'")[0] in _POINTING
        yield _claim(unit, _set_aside(unit, tokens), before if points_back else [])
        if unit.form in ("heading", "code"):
            before = []
        else:
            before = [*(before[-1:] if points_back else []), spoken(unit.plain)]


def _claim(unit: TextUnit, reason: SetAside | None, before: Sequence[str]) -> Claim:
    start, end = 0, len(unit.plain)
    if reason is None:
        first, last = _SOURCE_FIRST.match(unit.plain), _SOURCE_LAST.search(unit.plain)
        start = first.end() if first else 0
        end = len(unit.plain[: last.start() if last else end].rstrip(_TRAILING))
    words = unit.plain[start:end].replace(FILLER, "")
    if unit.form == "row" and reason is None:
        head, *cells = filter(None, map(str.strip, words.split("|")))
        words = f"{head}: {', '.join(cells)}" if cells else head
    context = [unit.lead] if unit.form in ("item", "row") else []
    context += (each for each in before if each.rstrip(":") != unit.lead)
    return Claim(
        text=" ".join(words.split()) if unit.form == "code" else spoken(words),
        start=unit.start + start,
        end=unit.start + filled_end(unit.plain, end),
        sentence=(unit.start, unit.end),
        set_aside=reason,
        context="" if reason else " ".join(filter(None, context))[-_LONGEST_CONTEXT:],
    )


def _set_aside(unit: TextUnit, tokens: Sequence[Token]) -> SetAside | None:
    """Return why the words of a unit are not checkable; `None` if they are."""
    plain = spoken(unit.plain)
    if unit.form in ("code", "heading"):
        return unit.form
    if not any(map(str.isalpha, plain)) or _LINK_ALONE.fullmatch(plain):
        return "no claim"
    # Not what ends in a question of somebody's: 'He asked: "Why?"'
    if plain.rstrip("\"'”’) ").endswith(("?", "？", "؟")) and not plain.endswith(("”", '"')):
        return "question"
    if any(map(str.isdigit, plain)) or unit.form == "row":
        return None  # a figure can be checked in whatever sentence
    if plain.endswith((":", "：")):
        return "no claim"
    if unit.form == "paragraph" and plain.endswith("!") and len(tokens) <= _LONGEST_CALL:
        return "greeting"
    # "I" within a sentence may be a numeral: "World War I began in 1914."
    if any(
        (key := token.key.partition("'")[0]) in _WRITERS and (key != "i" or not at)
        for at, token in enumerate(tokens)
    ):
        return "opinion"
    # "Certainly."; in scripts without spaces, a single word may be a sentence.
    if unit.form == "paragraph" and len(plain.split()) == 1 and plain.isascii():
        return "no claim"
    # What is left of a pointer to a page without its link: "Read more at [1]."
    is_pointer = tokens[-1].key in PREPOSITIONS and len(tokens) <= _LONGEST_POINTER
    return "no claim" if is_pointer else None


# -- The units of a text

Form = Literal["paragraph", "item", "heading", "row", "code"]

FILLER = "\u2060"
"""Fills the rest of an entity that is longer than its character: "Korea&rsquo;s"."""

_FENCE = re.compile(r"\s{0,3}(?:```|~~~)")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s+")
# "**Results**", "__Results:__"; not "**Stop.** Then go."
_BOLD_HEADING = re.compile(r"\s*(\*\*|__)(?:(?!\1)[^\n.!?])+(?:\1:?|:\1)\s*")
# "> - [x] Done", "2) Mix", "(a) Rent"
_ITEM = re.compile(
    r"[ \t]*(?:>[ \t]?)*"
    r"(?:[-*+•◦▪‣●○►·–—][ \t]+|\(?\d{1,3}[.)][ \t]+|\(?[a-z][.)][ \t]+|\[[xX]\][ \t]+)+"
)
_QUOTED = re.compile(r"[ \t]*(?:>[ \t]?)+")
_ROW = re.compile(r"\s*\|.*\||[^|\n]*\|[^|\n]*\|")
_RULE = re.compile(r"[\s|:=+*_~-]+")  # "---", "|:--|--:|"
_STOPS = tuple(".!?:;…。！？”\"'’)]")
# A shorter line was ended by its author, and not by the width of the page.
_SHORT = 45
# Sentences are found a paragraph at a time, which must not grow with the text.
_LONGEST = 4_000

# Of bounded length, as a mark without its pair must not join all sentences behind it.
_QUOTATION = re.compile(
    r"“[^“”]{1,600}”|«[^«»]{1,600}»|「[^「」]{1,600}」|『[^『』]{1,600}』"
    r"|(?<![\w\"])\"(?=\S)[^\"\n]{1,600}\"(?!\w)"
)
# The line under the head of a table: "|---|:-:|".
_UNDER_HEADER = re.compile(r"[ \t]*\n[ \t]*\|?[ \t]*:?-{2,}[-|: \t]*(?:\n|\Z)")
# A unit begins with a word, an opening mark, a currency, a sign before a number, or one that
# denies.
_LOOSE = re.compile(
    rf"(?:[^\w\"'“‘«「『(\[$€£¥.−–+~<>≈±{DENYING_SIGNS}-]|_|[.−–+~>≈±-](?!\d)|<(?![\da-z/]))*"
)
# The number of a step within a paragraph: "Mix it. 2. Bake it. (3) Cool it".
_NUMBERED = re.compile(r"(?:\(\d{1,2}\)|\d{1,2}[.)])\s+(?=[^\W\d_a-z])")

# "[words](address)", of which the words are read.
_LINK = re.compile(r"(!?\[)([^\[\]\n]{1,300})(\]\([^()\s]{1,500}(?:\s\"[^\"\n]{0,100}\")?\))")
# Signs of emphasis touch a word on one side; "3 * 4" and "a_b" have none.
_EMPHASIS = re.compile(
    r"\*{1,3}(?=\S)|(?<=\S)\*{1,3}|~~|(?<!\w)_{1,3}(?=\S)|(?<=\S)_{1,3}(?!\w)|`{1,2}"
)
_BEFORE_STOP = re.compile(r" (?=[.,;:!?](?:\s|\Z))")  # where a mark was
# Without any of these there is neither a mark nor markup.
_SIGNS = frozenset("[(【*_`~<&\\^¹²³⁰⁴⁵⁶⁷⁸⁹")


class Block(NamedTuple):
    """A part of a text that no sentence crosses."""

    start: int  # of its words, after its bullet or number
    end: int
    form: Form


class TextUnit(NamedTuple):
    """A sentence, or a heading, table row or block of code."""

    start: int
    end: int
    plain: str  # its words with marks and markup blanked, as long as it is
    form: Form  # of its block: a sentence of a list item is an `item`
    lead: str = ""  # the words that introduce it: the line before a list, or the heading over it


def units(text: str) -> Iterator[TextUnit]:
    r"""Yield the units of a text in order; together they hold all its letters."""
    heading = opening = ""
    header: TextUnit | None = None
    for block in _blocks(text):
        for unit in _in_block(text, block):
            if block.form == "item":
                lead = opening or heading
            elif block.form == "row":
                lead = header.plain if header else ""
            else:
                lead = heading
            found = unit._replace(lead=spoken(lead))
            if block.form == "row":
                if _UNDER_HEADER.match(text, block.end):
                    header = found = found._replace(form="heading")
                yield found
                continue
            yield found
            header = None
            if block.form == "heading":
                heading, opening = unit.plain.strip(" :"), ""
            elif block.form == "paragraph":
                opening = unit.plain.rstrip(": \t") if unit.plain.rstrip().endswith(":") else ""


def _in_block(text: str, block: Block) -> Iterator[TextUnit]:
    plain = text[block.start : block.end]
    if block.form == "code":
        start = block.start + len(plain) - len(plain.lstrip())
        yield TextUnit(start, block.end, text[start : block.end], "code")
        return
    plain = blanked(plain)
    spans = [(0, len(plain))] if block.form in ("heading", "row") else _sentences(plain)
    for start, end in spans:
        numbered = None if block.form == "row" else _NUMBERED.match(plain, start, end)
        loose = _LOOSE.match(plain, numbered.end() if numbered else start, end)
        start = loose.end() if loose else start
        if kept := plain[start:end].rstrip(" \t\r\n|"):
            end = filled_end(plain, start + len(kept))
            yield TextUnit(block.start + start, block.start + end, plain[start:end], block.form)


def _sentences(plain: str) -> list[Interval]:
    """Return the sentences of a block, none of which begins or ends inside a quotation."""
    quoted = [match.span() for match in _QUOTATION.finditer(plain)]
    found: list[Interval] = []
    number = 0
    for start, end in sentence_intervals(plain):
        while number < len(quoted) and quoted[number][1] <= start:
            number += 1
        inside = number < len(quoted) and quoted[number][0] < start
        if found and (inside or not any(map(str.isalnum, plain[start:end]))):
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return found


def _blocks(text: str) -> Iterator[Block]:
    """Yield the blocks of a text in order; together they hold all its letters."""
    current: Block | None = None
    for line in _lines(text):
        if current is not None and _continues(text, current, line):
            current = Block(current.start, line.end, current.form)
            continue
        if current is not None:
            yield from _bounded(text, current)
        current = line if line.start < line.end else None
    if current is not None:
        yield from _bounded(text, current)


def _lines(text: str) -> Iterator[Block]:
    """Yield a block for each line; a blank line is an empty paragraph."""
    start, in_code = 0, False
    lines = text.splitlines(keepends=True)
    # The rows of a table of two columns have a single bar.
    barred = [False, *(" | " in line for line in lines), False]
    for at, full in enumerate(lines, 1):
        line = full.rstrip()
        end = start + len(line)
        is_row = barred[at] and (barred[at - 1] or barred[at + 1])
        if (fence := _FENCE.match(full)) or in_code:
            yield Block(start, end, "code")
            in_code = in_code is not bool(fence)
        elif not line or _RULE.fullmatch(line):
            yield Block(end, end, "paragraph")
        elif heading := _HEADING.match(line):
            yield Block(start + heading.end(), end, "heading")
        elif _BOLD_HEADING.fullmatch(line):
            yield Block(start, end, "heading")
        elif is_row or _ROW.match(line) or ("|" in line and _UNDER_HEADER.match(text, end)):
            yield Block(start, end, "row")
        elif item := _ITEM.match(line):
            yield Block(start + item.end(), end, "item")
        else:
            quoted = _QUOTED.match(line)
            yield Block(start + (quoted.end() if quoted else 0), end, "paragraph")
        start += len(full)


def _continues(text: str, before: Block, line: Block) -> bool:
    if "code" in (before.form, line.form):
        return before.form == line.form
    if line.form != "paragraph" or line.start == line.end or before.form in ("heading", "row"):
        return False
    last = max(text.rfind("\n", before.start, before.end) + 1, before.start)
    begins_anew = not text[line.start : line.end].lstrip()[:1].islower()
    if text[before.end - 1] == ":" or (before.end - last < _SHORT and begins_anew):
        return False
    # Of a full line, the next one is the rest, unless a sentence ends and another begins there.
    return not (text.endswith(_STOPS, before.start, before.end) and begins_anew)


def _bounded(text: str, block: Block) -> Iterator[Block]:
    """Split a very long block between words."""
    start = block.start
    while block.end - start > _LONGEST and block.form != "code":
        cut = text.rfind(" ", start + 1, start + _LONGEST) + 1 or start + _LONGEST
        for stop in (". ", "。", "\n"):
            if (found := text.rfind(stop, start + _LONGEST // 2, start + _LONGEST)) >= 0:
                cut = found + len(stop)
                break
        yield Block(start, cut, block.form)
        start = cut
    yield Block(start, block.end, block.form)


def blanked(text: str) -> str:
    """Return a text of the same length in which marks, markup and what it hides are blanks."""
    if _SIGNS.isdisjoint(text):
        return text
    for start, end in unseen_parts(text):
        text = f"{text[:start]}{' ' * (end - start)}{text[end:]}"
    chars = list(text)
    for noise in find_noise(text):
        if noise.kind == "mark" and is_figure(text, noise.start, noise.end):
            continue
        # The number of an item is read with the list, and an escaped sign is a sign.
        if noise.kind == "mark" or len(noise.replacement) < noise.end - noise.start:
            width = noise.end - noise.start
            replacement = (noise.replacement or " " * width)[:width].replace("\n", " ")
            chars[noise.start : noise.end] = replacement.ljust(width, FILLER)
    blanks = [span for match in _LINK.finditer(text) for span in (match.span(1), match.span(3))]
    blanks += [match.span() for match in _EMPHASIS.finditer(text)]
    marks = (match.span() for match in pattern("named").finditer(text))
    for start, end in [*blanks, *(mark for mark in marks if not is_figure(text, *mark))]:
        chars[start:end] = " " * (end - start)
    return "".join(chars)


def spoken(plain: str) -> str:
    """Return blanked words with one blank between them."""
    return _BEFORE_STOP.sub("", " ".join(plain.replace(FILLER, "").split()))


def filled_end(plain: str, end: int) -> int:
    """Return where an entity or a tag ends whose character ends at a place."""
    while plain.startswith(FILLER, end):
        end += 1
    return end
