"""Pairs: the rejected attempt really fails, the chosen one really passes."""

import json
from pathlib import Path
from typing import Any

import pytest

from citeguard import Policy
from citeguard.datasets import NothingExportedError, export_samples
from citeguard.testing import ScriptedJudge
from export_material import WRONG, Json, answer, lines, sample

TRUNCATED = '{"statements": [{"text": "They'
TWICE = json.dumps(WRONG)[:-1] + ', "statements": []}'


def pair(
    tmp_path: Path, rejected: Any, *, statements: Any = None, **options: Any
) -> tuple[str, str]:
    """Return the chosen and the rejected text of a sample."""
    given = sample(rejected=rejected)
    given["statements"] = statements or given["statements"]
    export_samples([given], tmp_path / "out", form="chosen-rejected", overwrite=True, **options)
    [line] = lines(tmp_path / "out" / "train.jsonl")
    return line["chosen"][0]["content"], line["rejected"][0]["content"]


def codes(tmp_path: Path, **more: Any) -> dict[str, int]:
    """Return the codes with which a sample is refused as a pair."""
    options = {"policy": more.pop("policy", None)}
    with pytest.raises(NothingExportedError) as caught:
        export_samples([sample(**more)], tmp_path / "out", form="preference", **options)
    return dict(caught.value.summary.codes)


class TestRejected:
    @pytest.mark.parametrize(
        "given",
        [WRONG, [WRONG], json.dumps(WRONG), [json.dumps(WRONG, indent=2)]],
        ids=["object", "list", "text", "indented"],
    )
    def test_is_written_like_the_chosen_one(self, given: Any, tmp_path: Path) -> None:
        chosen, rejected = pair(tmp_path, given)
        assert json.loads(chosen) == answer(7)
        assert rejected == json.dumps(WRONG)

    def test_loses_fence_order_and_nulls(self, tmp_path: Path) -> None:
        citation = {"source_id": "rules", "quote": "pay nothing"}
        attempt = {"question": None, "statements": [{"citations": [citation], "text": "Free."}]}
        _, rejected = pair(tmp_path, f"```json\n{json.dumps(attempt)}\n```")
        assert rejected == (
            '{"statements": [{"text": "Free.", "citations": [{"quote": "pay nothing", '
            '"source_id": "rules"}]}]}'
        )

    def test_the_last_that_fails_is_taken(self, tmp_path: Path) -> None:
        first, second = dict(WRONG), json.loads(json.dumps(WRONG).replace("free", "gratis"))
        _, rejected = pair(tmp_path, [first, second, answer(7), "", None])
        assert json.loads(rejected) == second

    @pytest.mark.parametrize("text", [TRUNCATED, TWICE, "{}}", "I cannot answer that."])
    def test_what_is_no_json_stays_as_it_is(self, text: str, tmp_path: Path) -> None:
        assert pair(tmp_path, text)[1] == text


class TestRefusal:
    @pytest.mark.parametrize("rejected", [None, [], "", [" ", None, {}]], ids=repr)
    def test_without_an_attempt(self, rejected: Any, tmp_path: Path) -> None:
        assert codes(tmp_path, rejected=rejected) == {"rejected_missing": 1}

    def test_if_no_attempt_fails(self, tmp_path: Path) -> None:
        assert codes(tmp_path, rejected=[answer(7)]) == {"rejected_passes": 1}

    def test_if_the_attempt_is_undecided(self, tmp_path: Path) -> None:
        attempt: Json = json.loads(json.dumps(answer(7)).replace("They pay", "All pay"))
        policy = Policy(support=[ScriptedJudge({"All pay 7 euros.": "undecided"})])
        assert codes(tmp_path, rejected=attempt, policy=policy) == {"undecided": 1}
