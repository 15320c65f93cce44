import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from citeguard import CiteguardError
from citeguard.training import EntailmentPair, read_pairs, with_distractors
from citeguard.training.pairs import fingerprint, read_given
from rows import each_row
from training_pairs import plans

PAIR = EntailmentPair("Notice is one month.", "It takes a month.", "supported")


class TestReadPairs:
    @each_row("name", ["pairs.jsonl", "pairs.jsonl.gz"])
    def test_of_lines(self, name: str, tmp_path: Path) -> None:
        pairs = plans(3)
        lines = "".join(json.dumps({**pair._asdict(), "id": 1}) + "\n\n" for pair in pairs)
        data = lines.encode()
        path = tmp_path / name
        path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
        assert read_pairs(path) == pairs

    @each_row(
        ("line", "reason"),
        [
            ("{cut", "Expecting property name"),
            ('["a", "b", "supported"]', "list indices"),
            ('{"premise": "It rains.", "label": "neutral"}', "'hypothesis'"),
            (json.dumps({**PAIR._asdict(), "label": "true"}), "the label must be one of supported"),
            (json.dumps({**PAIR._asdict(), "premise": " "}), "the premise must be a text"),
            (json.dumps({**PAIR._asdict(), "hypothesis": 3}), "the hypothesis must be a text"),
        ],
    )
    def test_names_the_line_that_is_no_pair(self, line: str, reason: str, tmp_path: Path) -> None:
        path = tmp_path / "pairs.jsonl"
        path.write_text(json.dumps(PAIR._asdict()) + "\n" + line)
        with pytest.raises(CiteguardError, match=r"line 2 of pairs\.jsonl is no pair") as raised:
            read_pairs(path)
        assert reason in str(raised.value)

    @each_row("name", ["missing.jsonl", "cut.jsonl.gz"])
    def test_of_a_file_that_cannot_be_read(self, name: str, tmp_path: Path) -> None:
        if name.startswith("cut"):
            tmp_path.joinpath(name).write_bytes(gzip.compress(b"{}")[:-4])
        with pytest.raises(CiteguardError, match=f"{name} cannot be read"):
            read_pairs(tmp_path / name)


class TestReadGiven:
    @each_row(
        ("pairs", "message"),
        [
            ([], r"train\(\) needs pairs"),
            ([PAIR, "It rains."], r"train\(\): pair 2: expected an EntailmentPair, got str"),
            ([PAIR, ("a", "b")], "pair 2: expected an EntailmentPair, got tuple"),
            ([("a", "b", "yes")], "pair 1: the label must be one of"),
        ],
    )
    def test_names_the_call_and_the_pair(self, pairs: Any, message: str) -> None:
        with pytest.raises(CiteguardError, match=message):
            read_given("train", pairs)


class TestWithDistractors:
    def test_changes_no_more_than_its_share(self) -> None:
        pairs = plans(200)
        assert list(with_distractors(pairs, share=0)) == pairs
        some = list(with_distractors(pairs, share=0.5, seed=1))
        assert some == list(with_distractors(pairs, share=0.5, seed=1))
        assert some != list(with_distractors(pairs, share=0.5, seed=2))

    def test_keeps_premises_hypotheses_and_labels(self) -> None:
        pairs = [*plans(40), EntailmentPair("Long. " * 100, "It is long.", "neutral")]
        for before, after in zip(pairs, with_distractors(pairs, share=1), strict=True):
            assert before.premise in after.premise
            assert before[1:] == after[1:]
        assert after == before  # it is long enough

    def test_adds_nothing_about_the_same_thing(self) -> None:
        pairs = [PAIR, EntailmentPair("It takes a month to leave.", "Leaving is slow.", "neutral")]
        assert next(with_distractors(pairs, share=1)).premise == PAIR.premise

    def test_of_a_share_out_of_range(self) -> None:
        with pytest.raises(CiteguardError, match=r"with_distractors\(share=...\)"):
            list(with_distractors([PAIR], share=2))


def test_fingerprints_change_with_the_order() -> None:
    pairs = plans(5)
    assert fingerprint(pairs) == fingerprint(list(pairs)) != fingerprint(pairs[::-1])
