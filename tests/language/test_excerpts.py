import json
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from inline_snapshot import snapshot

from citeguard.language.excerpts import (
    CUT,
    LIMIT,
    as_json,
    counted_as,
    excerpt,
    in_lines,
    shown,
    with_passage,
)

hostile = st.text(st.characters()) | st.text(
    st.sampled_from('\x00\x1b\n\r\t\x85"\\\ud800\udfff\u2028\u202e\u2066[-]{+}…א한字a ')
)
steady = settings(deadline=None, derandomize=True)
limits = st.integers(len(CUT), 60)
UNSEEN = [
    pytest.param("\x00", id="null"),
    pytest.param("\x1b", id="escape"),
    pytest.param("\x7f", id="delete"),
    pytest.param("\x9b", id="control sequence introducer"),
    pytest.param("\u2028", id="line separator"),
    pytest.param("\u202e", id="right-to-left override"),
    pytest.param("\u2067", id="right-to-left isolate"),
    pytest.param("\ud800", id="lone surrogate"),
]


def is_harmless(text: str) -> bool:
    kinds = {unicodedata.category(character) for character in text}
    return not kinds & {"Cc", "Cs", "Zl", "Zp"}


class TestAsJson:
    @steady
    @given(hostile)
    def test_is_the_text_when_there_is_room(self, text: str) -> None:
        read = json.loads(as_json(text, 6 * len(text) + 1))
        assert read.encode("utf-16", "surrogatepass") == text.encode("utf-16", "surrogatepass")

    @steady
    @given(hostile, limits)
    def test_is_bounded_harmless_and_json_however_it_is_cut(self, text: str, limit: int) -> None:
        written = as_json(text, limit)
        assert len(written) <= limit + 2
        assert is_harmless(written)
        read = json.loads(written)
        kept = read.removesuffix(CUT).encode("utf-16-le", "surrogatepass")
        assert text.encode("utf-16-le", "surrogatepass").startswith(kept)

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            pytest.param("", snapshot('""'), id="empty"),
            pytest.param("123456789", snapshot('"123456789"'), id="as long as the limit"),
            pytest.param("1234567890", snapshot('"12345 […]"'), id="one too long"),
            pytest.param('"a"\n\\', snapshot('"\\"a\\"\\n\\\\"'), id="escapes"),
            pytest.param("\u202eab", snapshot('"\\u202eab"'), id="bidirectional"),
            pytest.param("\u202e\u202e", snapshot('" […]"'), id="no escape is cut in two"),
        ],
    )
    def test_writes(self, text: str, expected: str) -> None:
        assert as_json(text, 9) == expected


class TestShown:
    @steady
    @given(hostile, limits)
    def test_is_bounded_and_harmless(self, text: str, limit: int) -> None:
        told = shown(text, limit)
        assert len(told) <= limit
        assert is_harmless(told)

    @pytest.mark.parametrize("character", UNSEEN)
    def test_shows_what_cannot_be_seen(self, character: str) -> None:
        told = shown(f"a{character}b", 20)
        assert told in (f"a\\u{ord(character):04x}b", "a b")

    def test_is_on_one_line(self) -> None:
        assert shown(" one\n\n two\tthree ", 20) == "one two three"

    def test_marks_what_was_cut_behind_much_space(self) -> None:
        assert shown("one" + " " * 99 + "two and more", 9).endswith(CUT)


class TestWithPassage:
    @steady
    @given(st.text("b", max_size=250), hostile, st.text("a", max_size=250))
    def test_cuts_nothing_but_the_passage(self, before: str, passage: str, after: str) -> None:
        text = with_passage(before, passage * 20, after)
        assert len(text) <= LIMIT
        assert text.startswith(f'{before}"')
        assert text.endswith(f'"{after}')

    def test_uses_all_the_room(self) -> None:
        assert len(with_passage("It says: ", "x" * 9_999, ".")) == LIMIT


class TestExcerpt:
    TEXT = "It rained. " * 40 + "Nobody came to the hall. " + "It was late. " * 40

    @steady
    @given(hostile, st.integers(20, 60), st.integers(0, 30), st.integers(0, 30))
    def test_is_bounded(self, text: str, limit: int, start: int, length: int) -> None:
        assert len(excerpt(text, limit, start, start + length)) <= limit

    @pytest.mark.parametrize("limit", [60, 100, 300])
    def test_shows_whole_sentences_around_the_place(self, limit: int) -> None:
        start = self.TEXT.index("Nobody")
        shown = excerpt(self.TEXT, limit, start, start + 6)
        assert "Nobody came to the hall." in shown
        assert shown.removeprefix("[…] ").removesuffix(CUT)[-1] == "."
        assert shown.removeprefix("[…] ").removesuffix(CUT)[0].isupper()

    def test_cuts_long_sentences_between_words(self) -> None:
        text = "and so on " * 90 + "the end of it " + "and so on " * 90
        start = text.index("the end")
        shown = excerpt(text, 100, start, start + 13)
        assert "the end of it" in shown
        words = shown.removeprefix("[…] ").removesuffix(CUT)
        assert {*words.split()} <= {*text.split()}

    def test_text_that_fits_is_whole(self) -> None:
        assert excerpt("It rained.", 10, 3, 4) == "It rained."


@pytest.mark.parametrize(("number", "said"), [(0, "0 quotes"), (1, "1 quote"), (2, "2 quotes")])
def test_things_are_counted_in_words(number: int, said: str) -> None:
    assert counted_as(number, "quote") == said


def test_lines_stay_lines_without_control_characters() -> None:
    assert in_lines("a\tb\r\n\x1b[31m\u202ec") == "a b \n\\u001b[31m\\u202ec"
