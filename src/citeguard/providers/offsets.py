"""Offsets that providers state, proved against the text that they say is there.

Providers do not always count in the unit that they document, and neither do the libraries between.
So offsets are read in each unit, with an exclusive and with an inclusive end, and believed where
the slice is the provider's own text.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import Literal, NamedTuple, get_args

from citeguard.language.sentences import Interval
from citeguard.language.tokens import to_word_borders
from citeguard.providers.imported import FindingKind

Unit = Literal["code_points", "utf16", "utf8"]
"""What offsets count: code points (Python), UTF-16 code units (JavaScript), UTF-8 bytes (Go)."""

UNITS: tuple[Unit, ...] = get_args(Unit)
_CODECS: dict[Unit, tuple[str, int]] = {"utf16": ("utf-16-le", 2), "utf8": ("utf-8", 1)}
_MOST_PLACES = 1_000
_FEWEST_LETTERS = 6  # that a text which is cut off must have, to prove anything
_LONGEST_CHARACTER: dict[Unit, int] = {"code_points": 1, "utf16": 2, "utf8": 4}


class Reading(NamedTuple):
    """One way of reading a pair of offsets."""

    interval: Interval  # that they enclose, half-open, in code points
    kinds: tuple[FindingKind, ...]  # what is wrong with them if read so; empty if as documented


class Positions:
    """The positions of a text in code points, UTF-16 code units and UTF-8 bytes.

    A lone surrogate counts as one UTF-16 code unit and three UTF-8 bytes.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._encoded: dict[Unit, bytes] = {}
        # There all three units are the same.
        self._is_ascii = text.isascii()

    def interval(self, start: int, end: int, unit: Unit) -> Interval | None:
        """Return what offsets in a unit enclose; `None` outside the text or inside a character."""
        if not 0 <= start <= end:
            return None
        if self._is_ascii or unit == "code_points":
            return (start, end) if end <= len(self.text) else None
        codec, width = _CODECS[unit]
        if unit not in self._encoded:
            self._encoded[unit] = self.text.encode(codec, "surrogatepass")
        encoded = self._encoded[unit]
        if end * width > len(encoded):
            return None
        try:
            before = encoded[: start * width].decode(codec, "surrogatepass")
            inside = encoded[start * width : end * width].decode(codec, "surrogatepass")
        except UnicodeDecodeError:
            return None
        # Half of a surrogate pair decodes, but to what the text does not have there.
        first, last = len(before), len(before) + len(inside)
        is_whole = (
            self.text[first:last] == inside
            and self.text[max(0, first - 1) : first] == (before[-1:])
        )
        return (first, last) if is_whole else None

    def offsets(self, start: int, end: int, unit: Unit) -> Interval:
        """Return an interval in code points as offsets in a unit."""
        if self._is_ascii or unit == "code_points":
            return start, end
        codec, width = _CODECS[unit]

        def length(part: str) -> int:
            return len(part.encode(codec, "surrogatepass")) // width

        low = length(self.text[:start])
        return low, low + length(self.text[start:end])

    def readings(self, start: int, end: int, declared: Unit) -> Iterator[Reading]:
        """Yield what offsets may mean, the documented reading first, inclusive ends last."""
        units: tuple[Unit, ...] = (declared, *(unit for unit in UNITS if unit != declared))
        for inclusive in (False, True):
            for unit in units:
                # The last character may have several units, and the end be any of them.
                longest = _LONGEST_CHARACTER[unit] if inclusive else 1
                for after in range(end + inclusive, end + inclusive + longest):
                    if (interval := self.interval(start, after, unit)) is not None:
                        kinds: tuple[FindingKind, ...] = () if unit == declared else ("wrong_unit",)
                        yield Reading(interval, (*kinds, "end_inclusive") if inclusive else kinds)
                        break


def prove(
    positions: Positions, start: int, end: int, quoted: str, *, declared: Unit
) -> Reading | None:
    """Return the reading of offsets at which a text has what a provider quotes; `None` if none.

    The documented reading, in the unit declared and with an exclusive end, comes first. Of the
    others the one that fits counts; if several fit, at different places, the first is taken and is
    `ambiguous`.

    Examples:
        >>> prove(Positions("Ça va bien."), 4, 6, "va", declared="utf8")
        Reading(interval=(3, 5), kinds=())
        >>> prove(Positions("Ça va bien."), 3, 5, "va", declared="utf8")
        Reading(interval=(3, 5), kinds=('wrong_unit',))
    """
    text = positions.text
    readings = positions.readings(start, end, declared)
    fitting = [each for each in readings if text[slice(*each.interval)] == quoted]
    if fitting:
        interval, kinds = fitting[0]
        is_ambiguous = kinds and len({each.interval for each in fitting}) > 1
        return Reading(interval, (*kinds, "ambiguous") if is_ambiguous else kinds)
    interval = positions.interval(start, end, declared)
    if interval is None or not _agree(text[slice(*interval)], quoted):
        return None
    start, end = interval
    # Blanks at the ends that the provider does not quote are not quoted here either.
    if quoted == quoted.strip():
        end = start + len(text[start:end].rstrip())
        start = end - len(text[start:end].lstrip())
    return Reading((start, end), ())


def prove_by_words(positions: Positions, start: int, end: int, *, declared: Unit) -> Reading | None:
    """Return the reading of offsets whose text the provider does not repeat; `None` outside it.

    The only evidence is that a citation begins and ends between words: if the documented reading
    does not, and exactly one other place does, that is what is meant; first with an exclusive end.
    """
    text = positions.text
    readings = [reading for reading in positions.readings(start, end, declared) if start < end]
    if not readings:
        return None
    first = readings[0]
    if not first.kinds and _is_of_words(text, first.interval):
        return first
    fitting = [each for each in readings if _is_of_words(text, each.interval, trimmed=True)]
    for is_inclusive in (False, True):
        others = [each for each in fitting if ("end_inclusive" in each.kinds) == is_inclusive]
        if len({each.interval for each in others}) == 1:
            return others[0]
    return Reading(first.interval, (*first.kinds, "ambiguous"))


def _is_of_words(text: str, interval: Interval, *, trimmed: bool = False) -> bool:
    start, end = interval
    inside = text[start:end]
    if not inside.strip() or to_word_borders(text, start, end) != interval:
        return False
    return not trimmed or (inside == inside.strip() and any(map(str.isalnum, inside)))


def _agree(inside: str, quoted: str) -> bool:
    """Return whether two texts differ in what is not of the words, or in an end that was cut."""
    words, given = _plain(inside), _plain(quoted)
    head = given.removesuffix("…") if given.endswith("…") else given.removesuffix("...")
    is_cut = head != given and sum(map(str.isalnum, head)) >= _FEWEST_LETTERS
    return given != "" and (words == given or (is_cut and words.startswith(head)))


def _plain(text: str) -> str:
    """Return a text without what extraction and transport change: white space, composition."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def verbatim_places(words: str, text: str) -> Iterator[int]:
    """Yield where a text has some words verbatim, at most 1,000 places; some overlap."""
    at = text.find(words)
    # A bound for hostile texts: "aaaa…" has "aa" nearly everywhere.
    for _ in range(_MOST_PLACES):
        if at < 0:
            return
        yield at
        at = text.find(words, at + 1)
