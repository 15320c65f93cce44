"""What means the same by construction is accepted, what nearly does is not, both ways."""

import pytest

from citeguard import FuzzyQuote, Policy, Sources, locate
from citeguard.language.tokens import tokenize
from citeguard.quotes.equivalents import may_vary, us_spelling
from citeguard.quotes.find import Grade
from citeguard.sources.matches import Match
from quotes.tables import cases
from rows import each_row

EQUIVALENT = cases("equivalent")
DIFFERENT = cases("nearly equivalent")
SAME = cases("one typography")
OTHER_LETTERS = cases("other letters")


# Long enough that approximate search finds what is written in another way.
FRAME = "So they said in the town and in the whole country at that time: {}"


def found(quote: str, text: str) -> Match | None:
    return locate(quote, Sources({"s": f"# I.\n\n{text}\n\n* * *"}))


def found_in_frame(quote: str, text: str) -> Match | None:
    return found(FRAME.format(quote), FRAME.format(text))


def both_ways(pairs: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    return [pair for one, other in pairs for pair in ((one, other), (other, one))]


class TestEquivalent:
    def test_is_accepted_with_the_words_of_the_source(self) -> None:
        for quote, text in both_ways(EQUIVALENT):
            match = found_in_frame(quote, text)
            assert match is not None, quote
            assert (match.accepted, match.grade) == (True, "equivalent"), quote
            assert match.text.rstrip(".") == FRAME.format(text).rstrip("."), quote
            assert {edit.reason for edit in match.edits} <= {"equivalent"}, quote

    @each_row(
        "quote, text",
        [
            ("Der Zuschuss beträgt 30000 Kronen", "Der Zuschuss beträgt 30.000 Kronen"),
            ("Kapılar bugün 23:30'da kapanır", "Kapılar bugün 23.30'da kapanır"),
        ],
    )
    def test_depends_on_the_decimal_sign(self, quote: str, text: str) -> None:
        match = found(quote, text)
        assert match is not None
        assert match.grade == "equivalent"
        assert not (match := found_in_frame(quote, text)) or not match.accepted

    def test_is_no_other_word(self) -> None:
        for quote, text in both_ways(DIFFERENT):
            match = found(quote, text)
            assert match is None or not match.accepted, quote

    def test_shows_each_place(self) -> None:
        match = found("It doesn't cover five colours", "It does not cover 5 colors")
        assert match is not None
        assert [(edit.quoted, edit.source) for edit in match.edits] == [
            ("doesn't", "does not"),
            ("five", "5"),
            ("colours", "colors"),
        ]

    def test_does_not_hide_a_change_beside_it(self) -> None:
        match = found("It doesn't cost five pounds", "It does not cost 6 pounds")
        assert match is not None
        assert [(edit.quoted, edit.source) for edit in match.material] == [("five", "6")]

    def test_is_the_grade_of_a_quote_in_parts(self) -> None:
        match = found("They couldn't ... leave it", "They could not, in the end, leave it")
        assert match is not None
        assert (match.accepted, match.grade, len(match.spans)) == (True, "equivalent", 2)

    @each_row(
        "quote",
        [
            pytest.param("It doesn't matter to them", id="contraction"),
            pytest.param("It does not matter to em", id="another word"),
        ],
    )
    def test_can_be_rejected(self, quote: str) -> None:
        match = found(quote, "It does not matter to them")
        assert match is not None
        assert not FuzzyQuote(equivalent=False).accepts(match)
        assert isinstance(Policy(quote=FuzzyQuote(equivalent=False)).quote, FuzzyQuote)


class TestSameLetters:
    def test_are_typography(self) -> None:
        for quote, text in both_ways(SAME):
            match = found(quote, text)
            assert match is not None, quote
            grade: Grade = "normalized"
            assert (match.accepted, match.grade) == (True, grade), quote

    def test_are_not_letters_that_look_alike(self) -> None:
        for quote, text in both_ways(OTHER_LETTERS):
            match = found(quote, text)
            assert match is None or not match.accepted, quote


class TestSpelling:
    def test_goes_both_ways(self) -> None:
        for british, american in [
            ("favourable", "favorable"),
            ("theatres", "theaters"),
            ("centred", "centered"),
            ("organisations", "organizations"),
            ("paralysed", "paralyzed"),
            ("cancelled", "canceled"),
            ("oesophagus", "esophagus"),
            ("defence", "defense"),
            ("dialogue", "dialog"),
        ]:
            assert us_spelling(british) == american

    def test_leaves_other_words(self) -> None:
        for word in "hour four advise surprise called metre poem shoes acre ox größe".split():
            assert us_spelling(word) == word


def test_tokens_keep_their_places() -> None:
    text = "They’ve 12 colours"
    (match,) = [found(text, "They have twelve colors")]
    assert match is not None
    assert match.source.text[match.span.start : match.span.end] == "They have twelve colors"
    assert [token.key for token in tokenize(text)] == ["they've", "12", "colours"]


@each_row(
    "word, varies",
    [
        *((word, True) for word in ("colour", "five", "5", "don't", "twenty-five", "%", "percent")),
        *((word, False) for word in ("laboratory", "well-known", "(visitors)")),
    ],
)
def test_whether_a_word_may_vary(word: str, varies: bool) -> None:
    assert may_vary(word) is varies
