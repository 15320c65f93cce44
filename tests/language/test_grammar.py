"""Abbreviations: which stops end no sentence."""

from citeguard.language.grammar import ABBREVIATIONS, ends_in_abbreviation


def test_stops_of_abbreviations_and_initials() -> None:
    texts = [f"They met {each}." for each in (*ABBREVIATIONS, "J", "J. R")]
    assert [text for text in texts if not ends_in_abbreviation(text)] == []
    for text in ("He said no.", "It is a co.", "The Colonel.", "X-ray.", "Dr", "", "."):
        assert not ends_in_abbreviation(text)
