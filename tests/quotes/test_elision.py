"""Elided quotes: their segments, and what an ellipsis may not swallow."""

import re

import pytest

from citeguard.quotes.differences import Edit
from citeguard.quotes.ellipsis import find_hidden, split_at_ellipses
from quotes.tables import accepted, cases
from rows import each_row

ELLIPSES = [
    "...",
    "…",
    " ... ",
    " … ",
    "[...]",
    " [...] ",
    "[…]",
    "(...)",
    " (…) ",
    ". . .",
    "....",
    " . . . ",
    "⋯",
    "[ ... ]",
    "・・・",
    "。。。",
    "（……）",
    "（中略）",
    " [omissis] ",
    "(중략)",
    "〔省略〕",
]
OPEN = cases("open ends")

HARMLESS = cases("harmless gaps")
HIDDEN = cases("gaps that hide")


class TestSplitAtEllipses:
    @pytest.mark.parametrize("ellipsis", ELLIPSES)
    def test_gives_the_segments(self, ellipsis: str) -> None:
        assert split_at_ellipses(f"The drug{ellipsis}was safe") == ["The drug", "was safe"]

    @pytest.mark.parametrize("ellipsis", ELLIPSES)
    def test_leaves_blank_segments_out(self, ellipsis: str) -> None:
        assert split_at_ellipses(f"{ellipsis}The drug{ellipsis}") == ["The drug"]

    @pytest.mark.parametrize(
        "quote", ["The drug. Was safe", "a..b", "1.5.2", "e.g. this", "[the] drug"]
    )
    def test_sees_none(self, quote: str) -> None:
        assert split_at_ellipses(quote) == [quote]

    @pytest.mark.parametrize("quote", ["", "...", " … ", "?!…"])
    def test_of_no_words(self, quote: str) -> None:
        assert split_at_ellipses(quote) == []


def hidden_in(text: str) -> Edit | None:
    before, gap, after = re.split(r"\[\[|\]\]", text)
    return find_hidden(before + gap + after, len(before), len(before + gap))


class TestSwallowed:
    @each_row("text", [text for (text,) in HARMLESS])
    def test_nothing(self, text: str) -> None:
        assert hidden_in(text) is None

    def test_nothing_of_many_sentences(self) -> None:
        assert hidden_in(f"It rained.[[{' It poured. No.' * 400}]] It was May.") is None

    @each_row("reason, text", HIDDEN)
    def test_something(self, reason: str, text: str) -> None:
        edit = hidden_in(text)
        assert edit is not None
        assert (edit.material, edit.operation, edit.quoted) == (True, "delete", "")
        assert edit.reason == reason
        assert edit.source


@pytest.mark.parametrize(
    "ellipsis", ["...", "…", "……", "⋯", "[…]", "・・・", "（前略）", "(以下略)", "‥"]
)
@each_row("text, words", OPEN)
def test_an_ellipsis_at_an_end_omits_nothing(text: str, words: str, ellipsis: str) -> None:
    for quote in (f"{ellipsis}{words}", f"{words}{ellipsis}", f"{ellipsis}{words}{ellipsis}"):
        match = accepted(quote, text)
        assert match is not None
        assert [text[span.start : span.end] for span in match.spans] == [words]


DENIED = cases("lost denials")
AROUND = [
    "The size of the key depends on the password which is selected. It is now recommended. ",
    "Die Sicherheit hängt von der Stärke des Verfahrens ab. Neuere werden jetzt empfohlen. ",
]


@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("border", [" ", "\n\n"])
@each_row("text, quote", DENIED)
def test_a_denial_counts_in_a_text_of_two_languages(
    text: str, quote: str, around: str, border: str
) -> None:
    assert accepted(quote, f"{around * 4}{border}{text}{border}{around * 4}") is None
