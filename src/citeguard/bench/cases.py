"""The cases of the benchmark: quotes with their source, and what a careful editor says of them."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from citeguard.errors import CiteguardError

CaseLabel = Literal["true", "part", "clipped", "changed", "grey"]  # what is right: see `Case`
LABELS: tuple[CaseLabel, ...] = get_args(CaseLabel)

SHIPPED = Path(__file__).with_name("quotes.jsonl.gz")
"""The cases that come with the package; `quotes.md` beside them describes them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A quote, the text that it is said to be from, and whether it is.

    Attributes:
        id: Its name, which stays the same.
        language: The language of the text, as in ISO 639-1.
        genre: What kind of text it is.
        kind: What was done to the quote, in two or three words.
        label: `true`, if an editor would let it stand as a quotation; `part`, if it is moreover a
            fair part of a sentence; `clipped`, if it is word for word, but says something else
            than the sentence that it is cut out of; `changed`, if the text does not say it, or not
            in these words; `grey`, if those who labelled it disagree, and nothing is measured.
        text: The source.
        quote: The quote.
        spans: Where it is in the text: half-open intervals of code points, one for each part of an
            elided quote; empty if it is changed.
    """

    id: str
    language: str
    genre: str
    kind: str
    label: CaseLabel
    text: str
    quote: str
    spans: tuple[tuple[int, int], ...]


def read_cases(file: Path = SHIPPED) -> list[Case]:
    """Return the cases of a file of JSON lines, which may be compressed (`.gz`).

    A line is a text with its cases; `quotes.md` shows one.
    """
    opened = gzip.open if file.suffix == ".gz" else open
    try:
        with opened(file, "rt", encoding="utf-8") as lines:
            return [case for n, line in enumerate(lines, 1) for case in _cases(line, n, file)]
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise CiteguardError(f"{file} cannot be read: {error}") from error


def _cases(line: str, number: int, file: Path) -> Iterator[Case]:
    try:
        row: Any = json.loads(line)
        for place, each in enumerate(row["cases"]):
            spans = tuple((int(start), int(end)) for start, end in each.get("spans", ()))
            if each["label"] not in LABELS:
                known = ", ".join(LABELS)
                raise ValueError(f"the label of case {place + 1} is none of {known}")
            if not all(0 <= start < end <= len(row["text"]) for start, end in spans):
                raise ValueError(f"a span of case {place + 1} is outside the text")
            yield Case(
                id=f"{row['id']}-{place + 1}",
                language=row["language"],
                genre=row["genre"],
                kind=each["kind"],
                label=each["label"],
                text=row["text"],
                quote=each["quote"],
                spans=spans,
            )
    except KeyError as error:
        raise CiteguardError(f"line {number} of {file.name} lacks the field {error}") from error
    except (AttributeError, TypeError, ValueError) as error:
        raise CiteguardError(f"line {number} of {file.name} has no cases: {error}") from error
