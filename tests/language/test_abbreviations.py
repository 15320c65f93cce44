"""Abbreviations: which stops end none."""

import re

from citeguard.language.grammar import (
    ABBREVIATED,
    ABBREVIATIONS,
    TITLES,
    ends_in_abbreviation,
)


class TestEndsInAbbreviation:
    def test_holds_for_all_of_them_and_for_initials(self) -> None:
        texts = [f"They met {each}." for each in (*ABBREVIATIONS, "J", "J. R")]
        assert [text for text in texts if not ends_in_abbreviation(text)] == []

    def test_does_not_hold_for_words(self) -> None:
        for text in ("He said no.", "It is a co.", "The Colonel.", "X-ray.", "Dr", "", "."):
            assert not ends_in_abbreviation(text)


def test_pattern_has_no_group() -> None:
    assert re.compile(ABBREVIATED).groups == 0


def test_titles_have_the_abbreviated_ones() -> None:
    assert {"mr", "mrs", "dr", "prof", "st", "jr"} <= TITLES
