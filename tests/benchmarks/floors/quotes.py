"""Labelled quotes: cases, and whether `Citation` is right about them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from citeguard import Citation, Sources

from ..data import rows


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A quote, the sources that it is checked against, and what is right.

    Attributes:
        category: What kind of quote it is.
        accept: Whether it should be accepted.
        sources: The texts, by id.
        quote: The quote.
        source_id: The source that it cites, if it names one.
        denied: Whether its sentence denies it; `None` where that is not asked.
    """

    category: str
    accept: bool
    sources: Mapping[str, str]
    quote: str
    source_id: str | None = None
    denied: bool | None = None


def is_right(case: Case) -> bool:
    """Return whether `Citation` accepts a quote, and reports a denial, exactly if it should."""
    data = {"quote": case.quote, "source_id": case.source_id}
    try:
        citation = Citation.model_validate(data, context=Sources(case.sources).as_context())
    except ValidationError:
        return not case.accept
    denied = citation.framing is not None and citation.framing.kind == "denied"
    return case.accept and case.denied in (None, denied)


def by_category(cases: Iterable[Case]) -> dict[str, list[bool]]:
    """Return whether each case is judged wrongly, by category."""
    wrong: defaultdict[str, list[bool]] = defaultdict(list)
    for case in cases:
        wrong[case.category].append(not is_right(case))
    return wrong


def natural(folder: Path) -> Iterator[Case]:
    """Yield what a language model wrote when it quoted: faithful, or with a change that matters."""
    for row in rows(folder / "quotes_natural.jsonl.gz"):
        if row["label"] is not None:
            yield _case(row, f"natural, {row['label']}", None)


def synthetic(folder: Path) -> Iterator[Case]:
    """Yield quotes that were left as they are, or changed by rule, in one of seventeen ways."""
    for row in rows(folder / "quotes_synth.jsonl.gz"):
        yield _case(row, f"synthetic, {row['meta']['kind']}", row["meta"]["cited"])


def _case(row: Mapping[str, Any], category: str, cited: str | None) -> Case:
    return Case(
        category=category,
        accept=row["label"] == "supported",
        sources={each["id"]: each["text"] for each in row["context"]},
        quote=row["quote"],
        source_id=cited,
    )
