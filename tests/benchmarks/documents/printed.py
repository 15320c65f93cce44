"""A paper as a PDF file, and where on its pages each sentence stands, as its maker knows it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from .papers import Paper, Sentence

STYLES = Path(__file__).parent / "styles"
"""Style sheets and preambles, by the names of styles."""

FIRST, LAST = "first", "last"
_LEVEL = 1  # points up or down that words of one line may differ by


class Place(NamedTuple):
    """A place on a page: its number from 1, and points from the left and from below."""

    page: int
    left: float
    up: float


class Crossing(StrEnum):
    """What a sentence goes across, from its first word to its last."""

    PAGES = "across pages"
    COLUMNS = "across columns"
    LINES = "across lines"
    NOTHING = "in one line"


Places = Mapping[str, Place]
"""Where the first and the last word of each sentence stand, by `mark`."""


def mark(sentence: Sentence, end: str) -> str:
    """Return what the first or the last word of a sentence is called."""
    return f"{sentence.number}.{end}"


@dataclass(frozen=True, slots=True)
class Style:
    """A way to set a paper.

    Attributes:
        name: What it is called.
        columns: How many columns of text a page has.
    """

    name: str
    columns: int


@dataclass(frozen=True, slots=True)
class Maker:
    """A program that makes PDF files.

    Attributes:
        name: What it is called.
        missing: The program that it needs and that is not installed, if so.
        styles: The ways in which it sets papers.
        write: Sets a paper in a style, into a file, and returns the places of its sentences.
    """

    name: str
    missing: str | None
    styles: tuple[Style, ...]
    write: Callable[[Paper, Style, Path], Places]


@dataclass(frozen=True, slots=True)
class Printed:
    """A PDF file of a paper.

    Attributes:
        paper: What it was made of.
        maker: The name of the program.
        style: How it was set.
        path: The file.
        places: Where its sentences stand.
    """

    paper: Paper
    maker: str
    style: Style
    path: Path
    places: Places

    def page_of(self, sentence: Sentence) -> int:
        """Return the number of the page on which a sentence starts."""
        return self.places[mark(sentence, FIRST)].page

    def crossing(self, sentence: Sentence) -> Crossing:
        """Tell what a sentence goes across."""
        first, last = self.places[mark(sentence, FIRST)], self.places[mark(sentence, LAST)]
        if first.page != last.page:
            return Crossing.PAGES
        if last.up > first.up + _LEVEL:
            return Crossing.COLUMNS
        return Crossing.LINES if last.up < first.up - _LEVEL else Crossing.NOTHING


def printed(paper: Paper, maker: Maker, style: Style, folder: Path) -> Printed:
    """Set a paper."""
    path = folder / f"{maker.name}-{style.name}-{paper.name}.pdf"
    return Printed(paper, maker.name, style, path, maker.write(paper, style, path))
