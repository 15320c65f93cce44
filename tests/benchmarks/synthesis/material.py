"""True quotes of the labelled data, with their sources."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from random import Random
from typing import Any

from citeguard import Sources
from citeguard.datasets import true_quotes

from ..data import rows

QUOTED = ("xquad_en", "clapnq", "quotesum", "ragtruth_sent")
_MOST_SOURCES = 120  # of a data set
_QUOTES = 4  # of a set of sources
_TOGETHER = 3  # articles of one title that are given as sources of one item


@dataclass(frozen=True, slots=True)
class TrueText:
    """A true text, the id of its source, and its sources."""

    text: str
    source_id: str
    sources: Sources


def quotes(folder: Path) -> Iterator[TrueText]:
    """Yield true quotes of the data sets; of each so many sources, and of each of these four."""
    for name in QUOTED:
        for sources in _sources(folder, name):
            for span in true_quotes(sources, count=_QUOTES):
                yield TrueText(sources.slice(span), span.source_id, sources)


def _sources(folder: Path, name: str) -> list[Sources]:
    found = {
        tuple(each["text"] for each in row["context"]): row
        for row in rows(folder / f"{name}.jsonl.gz")
    }
    ordered = sorted(found.values(), key=_title)
    if name == "xquad_en":  # of one passage each: some of the same article go together
        together = [list(group) for _, group in groupby(ordered, key=_title)]
        listed = [
            [row["context"][0]["text"] for row in group[at : at + _TOGETHER]]
            for group in together
            for at in range(0, len(group), _TOGETHER)
        ]
    else:
        listed = [[each["text"] for each in row["context"]] for row in ordered]
    return [Sources(each) for each in Random(0).sample(listed, min(_MOST_SOURCES, len(listed)))]


def _title(row: dict[str, Any]) -> str:
    return str(row["meta"].get("title", ""))
