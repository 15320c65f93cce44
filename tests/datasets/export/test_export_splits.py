"""No document stands in two splits, and what is where depends on nothing but seed and texts."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeguard import CiteguardError
from citeguard.datasets import split_by_source
from rows import each_row

NAMES = st.sampled_from([f"document {letter}" for letter in "abcdefghij"])
CORPORA = st.lists(st.lists(NAMES, min_size=1, max_size=3), max_size=20)


def alone(count: int) -> list[list[str]]:
    """Return that many samples with a document of their own."""
    return [[f"document {number}"] for number in range(count)]


class TestLeaks:
    @given(CORPORA, st.integers(0, 5))
    def test_no_document_is_in_two_splits(self, corpus: list[list[str]], seed: int) -> None:
        splits = split_by_source(corpus, validation=0.4, test=0.2, seed=seed)
        found: dict[str, set[str]] = {}
        for documents, split in zip(corpus, splits, strict=True):
            for each in documents:
                found.setdefault(each, set()).add(split)
        assert all(len(each) == 1 for each in found.values())

    @each_row(
        "same",
        [
            *("é  b\n\tc", " é b c ", "é\u00a0b c", "é b\r\nc"),
            *("e\u0301 b c", "\ufeffé b c", "é b\u00ad\u200b c"),
        ],
        ids=["runs", "ends", "no-break", "DOS", "decomposed", "byte order mark", "invisible"],
    )
    def test_an_encoding_makes_no_other_document(self, same: str) -> None:
        for seed in range(20):
            corpus = [["é b c"], [same], ["x"], ["y"]]
            splits = split_by_source(corpus, validation=0.5, seed=seed)
            assert splits[0] == splits[1]


class TestDeterminism:
    @given(CORPORA, st.randoms(use_true_random=False))
    def test_the_order_of_samples_does_not_matter(
        self, corpus: list[list[str]], random: Random
    ) -> None:
        places = list(range(len(corpus)))
        random.shuffle(places)
        splits = split_by_source(corpus, validation=0.3, test=0.3)
        shuffled = split_by_source([corpus[place] for place in places], validation=0.3, test=0.3)
        assert shuffled == [splits[place] for place in places]

    def test_a_group_stays_when_others_come(self) -> None:
        few = split_by_source(alone(100), validation=0.2)
        assert split_by_source(alone(1000), validation=0.2)[:100] == few


class TestShares:
    @each_row("share", [0.1, 0.3, 0.5])
    def test_are_met_by_and_large(self, share: float) -> None:
        count = Counter(split_by_source(alone(2000), validation=share))["validation"]
        assert count == pytest.approx(2000 * share, abs=3 * (2000 * share * (1 - share)) ** 0.5)

    @given(st.integers(0, 1_000))
    def test_no_split_is_empty_if_there_are_groups_enough(self, seed: int) -> None:
        two = split_by_source(alone(2), validation=0.01, test=0.01, seed=seed)
        assert set(two) == {"train", "validation"}
        three = split_by_source(alone(3), validation=0.5, test=0.49, seed=seed)
        assert set(three) == {"train", "validation", "test"}

    @each_row(
        "shares",
        [
            {"validation": -0.1},
            {"validation": 1.0},
            {"validation": float("nan")},
            {"validation": "0.1"},
            {"validation": 0.5, "test": 0.5},
            {"test": 2},
            {"seed": -1},
            {"seed": 0.5},
        ],
        ids=repr,
    )
    def test_out_of_range_are_errors(self, shares: dict[str, float]) -> None:
        with pytest.raises(CiteguardError):
            split_by_source(alone(3), **shares)  # pyright: ignore[reportArgumentType]
