"""Sentences and their offsets."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citeguard.text.sentences import sentence_intervals

CASES = [
    pytest.param(["It rained.", "It was late."], " ", id="two"),
    pytest.param(
        ["Dr. Lee came at 3.15 p.m. on Monday.", "He left."], " ", id="abbreviations and decimals"
    ),
    pytest.param(["Was it so?", "It was!"], " ", id="other stops"),
    pytest.param(["It rained\nand rained.", "It was late."], "\n", id="a line break within"),
    pytest.param(["A Heading", "It was late."], "\n\n", id="a heading"),
    pytest.param(["One paragraph", "and another"], "\n \t\n", id="a blank line of blanks"),
    pytest.param(["雨が降った。", "もう遅い。"], "", id="Japanese"),
    pytest.param(["下雨了。", "你来吗？", "来！"], "", id="Chinese"),
    pytest.param(["他说：“来。”", "他走了。"], "", id="Chinese, closing mark"),
    pytest.param(["Er kam, bzw. ging, im Mai.", "Es war spät."], " ", id="German"),
]


def sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_intervals(text)]


class TestSentenceIntervals:
    @pytest.mark.parametrize(("expected", "between"), CASES)
    def test_cut_at_the_ends_of_sentences(self, expected: list[str], between: str) -> None:
        assert sentences(between.join(expected)) == expected

    @pytest.mark.parametrize("text", ["", " ", "\n\n \n"])
    def test_of_a_blank_text_are_none(self, text: str) -> None:
        assert sentence_intervals(text) == []

    @settings(max_examples=300, deadline=None, derandomize=True)
    @given(
        text=st.one_of(
            st.text(max_size=60),
            st.lists(
                st.sampled_from(
                    [
                        "It",
                        "rained",
                        ". ",
                        "Dr",
                        ".",
                        "\n",
                        "\n\n",
                        "雨",
                        "。",
                        "” ",
                        "3.5",
                        "?!",
                        " ",
                    ]
                )
            ).map("".join),
        )
    )
    def test_are_in_order_without_overlap_and_leave_no_letter_out(self, text: str) -> None:
        position = 0
        for start, end in sentence_intervals(text):
            assert position <= start < end <= len(text)
            assert not any(map(str.isalnum, text[position:start]))
            position = end
        assert not any(map(str.isalnum, text[position:]))
