"""Slips of spelling and other words, in twenty-one languages."""

# ruff: noqa: E501

import subprocess
import sys

import pytest

from citeguard.language.lexicon import load_lexicon
from quotes.tables import accepted, cases

FRAMES = dict(cases("frames of slips"))

SLIPS = cases("slips")

UNLISTED_SLIPS = cases("unlisted slips")

OTHER_WORDS = cases("other words")
OTHER_TEXTS = cases("other texts")


def pairs(table: list[tuple[str, ...]]) -> list[tuple[str, str]]:
    """Return quotes and their sources, each also the other way round."""
    return [
        (FRAMES[code].format(one), FRAMES[code].format(other))
        for code, *row in table
        for words in map(str.split, row)
        for one, other in (words, words[::-1])
    ]


def share_accepted(texts: list[tuple[str, str]]) -> float:
    return sum(accepted(*each) is not None for each in texts) / len(texts)


class TestSlips:
    def test_most_slips_are_forgiven(self) -> None:
        assert share_accepted(pairs(SLIPS)) >= 0.7

    def test_most_slips_for_listed_words_are_forgiven(self) -> None:
        texts = [(quote, source) for source, quote in pairs(UNLISTED_SLIPS)[::2]]
        assert share_accepted(texts) >= 0.75

    def test_a_misprint_of_the_source_may_be_corrected(self) -> None:
        table = [
            ("fr", "fonctionnalité fonctionalité"),
            ("ru", "арбитражному арбиражному"),
            ("es", "privilegios priviegios"),
            ("nl", "onderdrukken onderdukken"),
            ("de", "assoziierten assozierten"),
        ]
        assert share_accepted(pairs(table)) == 1

    def test_no_other_word_is_accepted(self) -> None:
        assert [texts for texts in pairs(OTHER_WORDS) if accepted(*texts)] == []

    def test_no_other_text_is_accepted(self) -> None:
        texts = [*OTHER_TEXTS, *((other, one) for one, other in OTHER_TEXTS)]
        assert [each for each in texts if accepted(*each)] == []

    @pytest.mark.parametrize(
        ("quote", "source"),
        [
            ("Das Gutachten von Herrn Kowalksi liegt vor.", "Das Gutachten von Herrn Kowalski liegt vor."),
            ("Le rapport de Dupnot est public depuis hier.", "Le rapport de Dupont est public depuis hier."),
            ("Hij heeft het neit gezien in de stad.", "Hij heeft het niet gezien in de stad."),
            ("Ha comprato il toino nella città vecchia.", "Ha comprato il tonno nella città vecchia."),
        ],
        ids=["German name", "French name", "negation", "short word"],
    )  # fmt: skip
    def test_names_negations_and_short_words_are_never_forgiven(
        self, quote: str, source: str
    ) -> None:
        assert not accepted(quote, source)

    def test_a_form_that_the_source_uses_is_a_word(self) -> None:
        source = "Nach dem Bericht ist das nicht wihctig. Das Wort wihctig steht dort."
        quote = "Nach dem Bericht ist das nicht wichtig."
        assert not accepted(quote, source)

    def test_import_loads_no_list(self) -> None:
        code = "import citeguard, citeguard.language.spelling as s; print(s._data.cache_info().currsize)"
        shown = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
        assert shown.stdout.split() == [b"0"]


@pytest.mark.parametrize("language", ["fi", "cs", "", "xx"])
def test_languages_without_tables_have_empty_ones(language: str) -> None:
    assert load_lexicon(language).articles == frozenset()


def test_of_no_known_language_are_other_words() -> None:
    assert not accepted("Xilo vremat dolubin kasterl.", "Xilo vremat dolubin kasterol.")
