"""Works as a text cites them, by authors and year, and as ids and titles of sources name them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

from citeguard.auditing.citing.asides import plain

YEAR = r"(?:1[6-9]|20)[0-9]{2}"
_MOST_AUTHOR_WORDS = 6  # before the year, in an id or a title
_LONGEST_TITLE = 200  # characters of an id or a title that are read as authors and year
_SOURCE_YEAR = re.compile(rf"(?<![0-9])({YEAR})([a-z](?![^\W\d_]))?(?![0-9])")
_ONE_YEAR = re.compile(rf"({YEAR})?([a-z])?")
AND = re.compile(r",\s?(?:and\s|&\s)?|\s(?:and|&|&amp;)\s")
ET_AL = re.compile(r",?\s(?:et\s+al\b\.?|and\s(?:others|colleagues))")
_INITIALS = re.compile(r"\b[^\W\d_]\.")
_WORD = re.compile(r"[^\W\d_]+")


class Work(NamedTuple):
    """Authors and year, as a source's id or title has them, or a text that cites it.

    Attributes:
        authors: Folded; of a source they are its words, of a text its names.
        year: Four digits.
        letter: The letter after the year, or nothing.
    """

    authors: tuple[str, ...]
    year: str
    letter: str


def source_work(name: str) -> Work | None:
    """Return the authors and the year that an id or a title begins with, if it does."""
    year = _SOURCE_YEAR.search(name[:_LONGEST_TITLE])
    if year is None:
        return None
    head = unicodedata.normalize("NFC", _INITIALS.sub("", ET_AL.sub("", name[: year.start()])))
    words = [plain(word).removesuffix("etal") for word in _WORD.findall(head)]
    authors = tuple(word for word in words if word not in ("and", "et", "al"))
    if not 0 < len(authors) <= _MOST_AUTHOR_WORDS:
        return None
    return Work(authors, year[1], year[2] or "")


def works_of(authors: str, years: str) -> Iterator[Work]:
    """Yield what "Smith and Lee" and "2019, 2020a, b" name together."""
    names = AND.split(ET_AL.sub("", _INITIALS.sub("", authors)))
    folded = tuple(filter(None, (plain(str(name)) for name in names)))
    year = ""
    for part in years.split(","):
        if (given := _ONE_YEAR.fullmatch(part.strip())) is not None:
            year = given[1] or year
            yield Work(folded, year, given[2] or "")


def agree(work: Work, first: str, others: list[str]) -> bool:
    """Tell whether the second author of a text is that of a source, if both name one."""
    beyond = "".join(work.authors)[len(first) :]
    return not others or not beyond or beyond.startswith(others[0])
