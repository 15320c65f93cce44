"""Statements that were written to be told apart, by somebody who had not seen the rules.

They are as near to the words of sixteen short texts as can be, one half false, one half true, each
of a kind. While rules were made, those about one half of the texts (`dev`) were in view; those
about the other half (`held`) only as the counts that are printed here.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from citeguard.judges.grounding import GroundingVerifier
from citeguard.judges.verdicts import Evidence, Outcome, SupportQuestion

from ..tables import table

_FILE = Path(__file__).with_name("written.json")
_OUTCOMES: tuple[Outcome, ...] = ("supported", "undecided", "unsupported", "contradicted")

_Counts = dict[str, Counter[str]]


def written_tables() -> Iterator[str]:
    """Write what the shipped verifier says of them: of those out of view by kind."""
    data = json.loads(_FILE.read_text("utf-8"))
    for supported, name in ((False, "False"), (True, "True")):
        held, dev = (_counts(data, part, supported=supported) for part in ("held", "dev"))
        rows = [_row(kind, held[kind]) for kind in sorted(held)]
        rows += [_row("all", _total(held)), _row("all of those in view", _total(dev))]
        yield from table(f"{name} statements", ["kind", "count", *_OUTCOMES], rows)


def _counts(data: dict[str, Any], part: str, *, supported: bool) -> _Counts:
    verifier, counts = GroundingVerifier(), defaultdict[str, Counter[str]](Counter)
    for row in data["statements"]:
        about = data["texts"][row["about"]]
        if about["part"] == part and row["supported"] == supported:
            evidence = (Evidence(text=about["text"]),)
            question = SupportQuestion(statement=row["statement"], evidence=evidence)
            counts[row["kind"]][verifier.judge([question])[0].outcome] += 1
    return counts


def _total(counts: _Counts) -> Counter[str]:
    return sum(counts.values(), Counter())


def _row(kind: str, counts: Counter[str]) -> tuple[object, ...]:
    shown = kind.replace("_", " ")
    return (shown, counts.total(), *(counts[outcome] for outcome in _OUTCOMES))
