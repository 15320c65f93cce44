"""The lists of Word documents: `Lists` counts them, and writes their marks as Word shows them."""

from __future__ import annotations

import re
from collections.abc import Callable

from citeguard.documents.document import roman
from citeguard.documents.office.elements import Element
from citeguard.documents.office.symbols import as_shown
from citeguard.documents.office.word_looks import Styles, W, value
from citeguard.language.lexicon import DENYING_PICTURES

_PLACE = re.compile(r"%([1-9])")
_LARGEST = 0x7FFF  # that Word itself writes in letters
# Forms of figures and of words for numbers, which are written in digits.
_OF_NUMBERS = re.compile(
    r"|(?:decimal|ordinal|cardinal|numberInDash).*|.*(?:Counting|Digital|Legal|Numbers).*"
)


class Lists:
    """The numbers and marks of lists, counted through the document.

    Args:
        element: The part of the file that describes them, if it has one.
        font_in: Returns the font that an element names.
    """

    def __init__(self, element: Element | None, font_in: Callable[[Element], str]) -> None:
        self._font_in = font_in
        self._levels: dict[str, dict[int, Element]] = {}  # by the number of the list
        self._abstract: dict[str, str] = {}
        self._starts: dict[str, dict[int, int]] = {}
        self._counts: dict[str, dict[int, int]] = {}
        abstract = {each.get(f"{W}abstractNumId"): each for each in _all(element, "abstractNum")}
        for each in _all(element, "num"):
            number = each.get(f"{W}numId")
            self._abstract[number] = value(each, "abstractNumId")
            overrides = _all(each, "lvlOverride")
            self._levels[number] = {
                int(level.get(f"{W}ilvl")): level
                for part in (abstract.get(self._abstract[number]), *overrides)
                for level in _all(part, "lvl")
            }
            self._starts[number] = {
                int(override.get(f"{W}ilvl")): int(start)
                for override in overrides
                if (start := value(override, "startOverride"))
            }

    def level(self, number: str, depth: int) -> Element | None:
        """Return what a list says of a depth in it, if there is such a list."""
        return self._levels.get(number, {}).get(depth)

    def place(self, paragraph: Element, style: str, styles: Styles) -> tuple[str, int]:
        """Return the list of a paragraph, and how deep it is in it."""
        if number := value(paragraph, "pPr", "numPr", "numId"):
            return number, int(value(paragraph, "pPr", "numPr", "ilvl") or 0)
        for name, element in styles.chain(style):
            if number := value(element, "pPr", "numPr", "numId"):
                levels = self._levels.get(number, {}).items()
                # A style may be linked with a level of its list, which then counts.
                linked = (at for at, each in levels if value(each, "pStyle") == name)
                return number, next(linked, int(value(element, "pPr", "numPr", "ilvl") or 0))
        return "", 0

    def mark(self, number: str, depth: int) -> str:
        """Return the mark of the next paragraph of a list; empty for one that has none."""
        level = self.level(number, depth)
        if level is None:
            return ""
        counts = self._counts.setdefault(self._abstract[number], {})
        if depth in (starts := self._starts[number]):  # only before the first item
            counts[depth] = starts.pop(depth)
        else:
            counts[depth] = counts[depth] + 1 if depth in counts else self._start(number, depth)
        for deeper in [each for each in counts if each > depth]:
            del counts[deeper]
        template = value(level, "lvlText")
        if value(level, "numFmt") == "bullet":
            return said_by(template, self._font_in(level.find(f"{W}rPr/{W}rFonts"))) or "-"
        return _PLACE.sub(lambda match: self._written(number, int(match[1]) - 1), template)

    def _start(self, number: str, depth: int) -> int:
        return int(value(self.level(number, depth), "start") or 1)

    def _written(self, number: str, depth: int) -> str:
        counts = self._counts[self._abstract[number]]
        count = counts.setdefault(depth, self._start(number, depth))
        form = value(self.level(number, depth), "numFmt")
        return "" if form == "none" else counted(count, form)


def said_by(bullet: str, font: str) -> str:
    """Return a bullet as a font shows it if it is a word, or a sign that denies."""
    sign = as_shown(bullet, font)
    is_word = len(sign) > 1 and any(map(str.isalpha, sign))
    return sign if is_word or not {*DENYING_PICTURES}.isdisjoint(sign) else ""


def counted(number: int, form: str) -> str:
    """Return a number of a list in a form such as "upperLetter"; U+FFFD for a sign not known."""
    written = str(number) if _OF_NUMBERS.fullmatch(form) else "\ufffd"
    if form == "hex":
        return f"{number:X}"
    if form == "decimalZero":
        return f"{number:02}"
    if number > _LARGEST:
        return str(number)
    if form.endswith("Letter"):
        # Behind "z", Word goes on with "aa", "bb" and "cc".
        written = chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1)
    elif form.endswith("Roman"):
        written = roman(number)
    return written.upper() if form.startswith("upper") else written


def _all(element: Element | None, tag: str) -> list[Element]:
    return [] if element is None else [*element.iter(f"{W}{tag}")]
