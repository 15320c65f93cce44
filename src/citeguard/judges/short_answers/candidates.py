"""Spans of a text that could be an answer of some kind."""

from __future__ import annotations

import re
from collections.abc import Iterator

from citeguard.judges.short_answers.kinds import AnswerKind
from citeguard.language.numbers import find_numbers
from citeguard.language.sentences import Interval
from citeguard.language.terms import FUNCTION_WORDS

_CAPITAL = r"[^\W\d_a-z][\w’'&-]*(?:\.(?=\s[^\W\d_a-z])|(?:\.[A-Z])+\.?)?"
_LINK = r"(?:of(?:\sthe)?|the|de|la|van|von|der|del|da|di|du|al|bin|and|&)"
# Capitalized words, joined by what names are joined by: "University of the Pacific".
_NAME = re.compile(rf"{_CAPITAL}(?:\s(?:{_LINK}\s)?(?:{_CAPITAL}|\d+\b))*")
_TITLE = re.compile(r"[\"“]([^\"“”\n]{2,80})[\"”]")
_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")
_AND = re.compile(r"\s(?:and|&)\s")
_NEXT_WORD = re.compile(r"\s+[^\W\d_]")
_NEAR = 12  # characters before a name that show what it is
_ARTICLE = re.compile(r"\b(?:an?|the)\s\Z", re.IGNORECASE)
_FUNCTION = re.compile(
    rf"\s+(?:{'|'.join(map(re.escape, sorted(FUNCTION_WORDS)))})\b", re.IGNORECASE
)
# Words without a name's meaning that often begin a sentence.
_OPENING = FUNCTION_WORDS | frozenset(
    "since despite although though while however also many most several according along among"
    " besides behind instead later soon once upon unlike today yet nobody everyone".split()
)
_MOST_WORDS = 6
_QUANTITIES = frozenset(("count", "percent", "money", "times"))
_SEPARATORS = FUNCTION_WORDS - {"of"}


def candidates(text: str, kind: AnswerKind) -> list[Interval]:
    """Return the half-open intervals that have the shape of an answer of a kind, in order.

    Numbers and dates are found by their form, names by their capitals, phrases as runs of words
    between function words. For yes-no questions and open ones there are none.

    Examples:
        >>> text = "On 7 February 2016 the Denver Broncos won by 14 points."
        >>> [text[start:end] for start, end in candidates(text, "number")]
        ['14']
        >>> [text[start:end] for start, end in candidates(text, "name")]
        ['Denver Broncos']
    """
    if kind == "date":
        return [(date.start, date.end) for date in find_numbers(text) if date.kind == "date"]
    if kind == "number":
        return [number.whole for number in find_numbers(text) if number.kind in _QUANTITIES]
    if kind in ("person", "place", "name"):
        return list(dict.fromkeys([*_names(text), *(m.span(1) for m in _TITLE.finditer(text))]))
    return list(_phrases(text)) if kind == "phrase" else []


def _names(text: str) -> Iterator[Interval]:
    # A date has capitals but is not part of a name.
    plain = text
    for date in find_numbers(text):
        if date.kind == "date" and (date.year or date.day):
            plain = plain[: date.start] + "·" * (date.end - date.start) + plain[date.end :]
    for match in _NAME.finditer(plain):
        start, end = match.span()
        if _begins_sentence(text, start):
            first = _WORD.match(text, start)
            # A capital there shows nothing, and a function word is not part of a name.
            if first and first[0].lower() in _OPENING:
                start = first.end() + 1
        if start < end and text[start:end].lower() not in FUNCTION_WORDS:
            if not _is_attribute(text, start, end):
                yield start, end
            yield from _halves(text, start, end)


def _is_attribute(text: str, start: int, end: int) -> bool:
    """Return whether a name only describes what follows: "an Irish actor", "Lecter's brother"."""
    follows = bool(_NEXT_WORD.match(text, end)) and not _FUNCTION.match(text, end)
    if text[start:end].endswith(("'s", "’s", "s'", "s’")):
        return follows
    return (
        follows
        and " " not in text[start:end]
        and bool(_ARTICLE.search(text[max(0, start - _NEAR) : start]))
    )


def _halves(text: str, start: int, end: int) -> Iterator[Interval]:
    """Yield the names on either side of "and", as in "Johnson and Johnson"."""
    for link in _AND.finditer(text, start, end):
        yield start, link.start()
        yield link.end(), end


def _begins_sentence(text: str, start: int) -> bool:
    before = text[max(0, start - _NEAR) : start].rstrip("\"“'‘( \n")
    return not before or before[-1] in ".!?:\n"


def _phrases(text: str) -> Iterator[Interval]:
    run: list[Interval] = []
    for match in _WORD.finditer(text):
        is_separated = bool(run) and text[run[-1][1] : match.start()].strip(" \n") != ""
        if run and (is_separated or match[0].lower() in _SEPARATORS):
            yield from _trimmed(text, run)
            run = []
        if match[0].lower() not in _SEPARATORS:
            run.append(match.span())
    yield from _trimmed(text, run)


def _trimmed(text: str, run: list[Interval]) -> Iterator[Interval]:
    """Yield the interval of a run of words without "of" at either end, if any words are left."""
    while run and text[slice(*run[0])].lower() == "of":
        run = run[1:]
    while run and text[slice(*run[-1])].lower() == "of":
        run = run[:-1]
    if run:
        yield run[0][0], run[min(len(run), _MOST_WORDS) - 1][1]
