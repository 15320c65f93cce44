"""A slip is forgiven only where one of the two spellings is no word."""

from __future__ import annotations

import pytest

from citeguard.language.spelling import is_english_word, is_slip, lost_ligature, read_misread

SLIPS = [
    ("recieve", "receive"),
    ("goverment", "government"),
    ("occured", "occurred"),
    ("seperate", "separate"),
    ("enviroment", "environment"),
    ("accomodation", "accommodation"),
    ("definately", "definitely"),
    ("begining", "beginning"),
    ("becuase", "because"),
    ("receive", "recieve"),
]
OTHER_WORDS = [
    ("contract", "contact"),
    ("trail", "trial"),
    ("causal", "casual"),
    ("united", "untied"),
    ("hypotension", "hypertension"),
    ("intestate", "interstate"),
    ("affect", "effect"),
    ("prescribe", "proscribe"),
    ("public", "pubic"),
    ("marital", "martial"),
    ("form", "from"),
    ("allusion", "illusion"),
]


def judged(quoted: str, source: str) -> bool:
    known = {"quoted_known": is_english_word(quoted), "source_known": is_english_word(source)}
    return is_slip(quoted, source, **known)


class TestIsSlip:
    @pytest.mark.parametrize(("quoted", "source"), SLIPS)
    def test_where_one_is_no_word(self, quoted: str, source: str) -> None:
        assert judged(quoted, source)

    @pytest.mark.parametrize(("quoted", "source"), OTHER_WORDS)
    def test_never_where_both_are_words(self, quoted: str, source: str) -> None:
        assert not judged(quoted, source)

    @pytest.mark.parametrize(
        ("quoted", "source"),
        [
            pytest.param("cet", "cat", id="too short"),
            pytest.param("recxxve", "receive", id="two edits in a short word"),
            pytest.param("governmentxyz", "government", id="three edits"),
            pytest.param("frobnicate5", "frobnicate", id="a digit"),
        ],
    )
    def test_never_too_far(self, quoted: str, source: str) -> None:
        assert not is_slip(quoted, source, quoted_known=False, source_known=True)

    @pytest.mark.parametrize(
        ("quoted", "source"),
        [
            pytest.param("frobnicates", "frobnicate", id="inflection"),
            pytest.param("unfrobnicate", "frobnicate", id="negating prefix"),
            pytest.param("hyperfrobosis", "hypofrobosis", id="opposite prefixes"),
            pytest.param("prefrobal", "postfrobal", id="before and after"),
            pytest.param("methylfrob", "ethylfrob", id="two chemicals"),
        ],
    )
    def test_never_of_an_affix(self, quoted: str, source: str) -> None:
        assert not is_slip(quoted, source, quoted_known=False, source_known=True)

    def test_of_two_unknown_words_in_the_middle_of_a_long_one(self) -> None:
        assert is_slip("frobniccate", "frobnicate", quoted_known=False, source_known=False)

    @pytest.mark.parametrize(
        ("quoted", "source"),
        [
            pytest.param("frobnikate", "frobnicata", id="at the end"),
            pytest.param("drobnicate", "frobnicate", id="at the start"),
            pytest.param("frobs", "frabs", id="short"),
            pytest.param("frxbnixate", "frobnicate", id="twice"),
        ],
    )
    def test_of_two_unknown_words_nowhere_else(self, quoted: str, source: str) -> None:
        assert not is_slip(quoted, source, quoted_known=False, source_known=False)


class TestIsEnglishWord:
    @pytest.mark.parametrize("word", ["an", "aardvark", "government", "color", "colour", "zygote"])
    def test_true(self, word: str) -> None:
        assert is_english_word(word)

    @pytest.mark.parametrize(
        "word",
        ["", "goverment", "xqzt", "\n", "zzzzzz", "aaaa", "naïve!", "Government", "\ud800", "日本"],
    )
    def test_false(self, word: str) -> None:
        assert not is_english_word(word)


class TestLostLigature:
    @pytest.mark.parametrize(
        ("letters", "garbled"),
        [
            ("significant", "signicant"),
            ("office", "oce"),
            ("effect", "eect"),
            ("flow", "ow"),
            ("ruffled", "rued"),
        ],
    )
    def test_true(self, letters: str, garbled: str) -> None:
        assert lost_ligature(letters, garbled)

    @pytest.mark.parametrize(
        ("letters", "garbled"), [("significant", "significant"), ("cat", "ct"), ("fit", "ft")]
    )
    def test_false(self, letters: str, garbled: str) -> None:
        assert not lost_ligature(letters, garbled)


class TestReadMisread:
    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ("c1inical", "clinical"),
            ("rnodern", "modern"),
            ("5ystem", "system"),
            ("g0od", "good"),
            ("vvill", "will"),
        ],
    )
    def test_makes_glyphs_equal(self, one: str, other: str) -> None:
        assert read_misread(one) == read_misread(other)

    def test_keeps_other_letters_apart(self) -> None:
        assert read_misread("cat") != read_misread("cut")
