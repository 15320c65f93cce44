"""The claims of 100 sentences, each judged by a reader: a floor for the rules that split them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from citeguard.auditing.claims.local import LocalClaims

PATH = Path(__file__).parents[1] / "data" / "judged_claims.jsonl"
ROWS: list[dict[str, Any]] = [json.loads(line) for line in PATH.read_text("utf-8").splitlines()]
FIELDS = ("text", "start", "end", "kind", "set_aside", "context")


def found(row: dict[str, Any]) -> list[dict[str, Any]]:
    (extraction,) = LocalClaims().extract([row["text"]])
    own = [claim for claim in extraction.claims if list(claim.sentence) == row["sentence"]]
    return [{name: getattr(claim, name) for name in FIELDS} for claim in own]


class TestJudgedClaims:
    def test_are_those_that_were_judged(self) -> None:
        # Where this fails, the new claims must be read and judged before they are written down.
        changed = [
            row["id"]
            for row in ROWS
            if found(row) != [{name: claim[name] for name in FIELDS} for claim in row["claims"]]
        ]
        assert changed == []

    def test_are_of_a_hundred_sentences(self) -> None:
        assert len(ROWS) == 100

    def test_are_atomic_and_faithful_with_right_offsets_nine_times_in_ten(self) -> None:
        judged = [claim["judged"] for row in ROWS for claim in row["claims"]]
        right = sum(all(each.values()) for each in judged)
        assert right / len(judged) >= 0.90

    def test_are_faithful_without_exception(self) -> None:
        assert all(claim["judged"]["faithful"] for row in ROWS for claim in row["claims"])
