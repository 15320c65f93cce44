"""Which language a text is in."""

from citeguard.language.lexicon import find_lexicon
from quotes.tables import cases

SENTENCES = cases("languages")


def test_a_short_text_shows_its_language() -> None:
    found = [(lexicon.code if (lexicon := find_lexicon(text)) else "-") for _, text in SENTENCES]
    wrong = [text for (code, text), own in zip(SENTENCES, found, strict=True) if code != own]
    assert len(wrong) <= 0.02 * len(SENTENCES), wrong
    assert not [own for (code, _), own in zip(SENTENCES, found, strict=True) if code == "-" != own]


def test_without_words_nothing_does() -> None:
    assert find_lexicon("12.5 % — …") is None
    assert find_lexicon("Kowalski Schmidt Dupont") is None
