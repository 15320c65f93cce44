"""Approximate search is complete: within the budget it misses nothing that brute force finds."""

from collections.abc import Callable
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from citeguard.language.sentences import whole_sentences
from citeguard.quotes import canonical
from citeguard.quotes.canonical import PreparedText, SearchForm
from citeguard.quotes.pieces import PieceIndex
from citeguard.quotes.search import Candidate, edit_budget, end_distances, nearest_substring
from rows import each_row

LETTERS = "abcdefghijklmnopqrstuvwxyz"
# Search forms have letters of the basic plane alone; others are in its private use area.
ALPHABETS = ("ab", "acgt", LETTERS, "αβγδабвгдж", "的一是不了人我在有他", "\ue000\ue001\ue002")
PERIOD = "".join(Random(0).choices(LETTERS, k=300))
often = settings(derandomize=True)

Find = Callable[[str, str], list[Candidate]]


def by_index(text: str, quote: str) -> list[Candidate]:
    return PieceIndex(text).find(quote)


def by_prepared_text(text: str, quote: str) -> list[Candidate]:
    return PreparedText(text).near_places(quote)


CONTRACT = pytest.mark.parametrize("find", [by_index, by_prepared_text])


def last_row(pattern: str, text: str) -> list[int]:
    """Return the last row of the table of semi-global edit distance, from the definition."""
    codes, steps = np.array([ord(char) for char in text], dtype=int), np.arange(len(text) + 1)
    row = np.zeros(len(text) + 1, dtype=int)
    for char in pattern:
        below = row + 1
        below[1:] = np.minimum(below[1:], row[:-1] + (codes != ord(char)))
        row = np.minimum.accumulate(below - steps) + steps
    return row.tolist()


def edited(words: str, edits: int, alphabet: str, random: Random) -> str:
    chars = list(words)
    for _ in range(edits):
        place, operation = random.randrange(len(chars) + 1), random.choice("idr")
        if operation == "i":
            chars.insert(place, random.choice(alphabet))
        elif place < len(chars):
            chars[place : place + 1] = [random.choice(alphabet)] if operation == "r" else []
    return "".join(chars)


def planted(random: Random, alphabet: str) -> tuple[str, str]:
    """Return a text, often periodic, and a quote of it with edits below, at or over the budget."""
    length = random.randint(0, 300)
    text = "".join(random.choices(alphabet, k=length))
    if random.random() < 0.5:
        text = (text[: random.randint(1, 12)] * length)[:length]
        text = edited(text, random.randint(0, 6), alphabet, random)
    start = random.randint(0, len(text))
    cut = text[start : start + random.choice([random.randint(1, 30), random.randint(10, 120)])]
    budget = edit_budget(len(cut))
    edits = random.choice([0, 1, max(0, budget - 1), budget, budget + 1, budget + 2])
    return text, edited(cut, edits, alphabet, random)


def assert_true(found: list[Candidate], text: str, quote: str) -> None:
    for each in found:
        assert 0 <= each.start <= each.end <= len(text)
        distance = Levenshtein.distance(text[each.start : each.end], quote)
        assert distance == each.distance <= edit_budget(len(quote))
    assert [each.distance for each in found] == sorted(each.distance for each in found)


def test_the_table_by_hand() -> None:
    assert last_row("abc", "xabx") == [3, 3, 2, 1, 1]
    assert min(last_row("kitten", "the sitting cat")) == 2


class TestCompleteness:
    @CONTRACT
    @settings(derandomize=True, max_examples=100)
    @given(alphabet=st.sampled_from(ALPHABETS), seed=st.integers(0, 2**64))
    def test_of_quotes_cut_from_a_text(self, find: Find, alphabet: str, seed: int) -> None:
        text, quote = planted(Random(seed), alphabet)
        if SearchForm(text).letters != text:
            text, quote = SearchForm(text).letters, SearchForm(quote).letters
        found = find(text, quote)
        distance = min(last_row(quote, text))
        # Unchanged places need not be among those of a short text.
        if 0 < distance <= edit_budget(len(quote)):
            assert found
            assert found[0].distance == distance
        elif distance:
            assert found == []
        assert_true(found, text, quote)

    @each_row("length", [10, 16, 24, 79, 200])
    def test_with_the_whole_budget_spent(self, length: int) -> None:
        random, budget = Random(length), edit_budget(length)
        words = random.choices("abcdefghijklmnop", k=length)
        around = "".join(random.choices("abcdefghijklmnop", k=3_000))
        text = around[:1_500] + "".join(words) + around[1_500:]
        spread = [i * length // budget for i in range(budget)]
        for places in (spread, range(budget), range(length - budget, length)):
            quote = "".join("z" if i in places else char for i, char in enumerate(words))
            assert PieceIndex(text).find(quote)[0].distance == min(last_row(quote, text))

    def test_of_every_place_apart_from_one_another(self) -> None:
        words, filler = "abcdefghijklm" * 3 + "z", "nopqrstuvwxy" * 17
        for distance in (0, 1, 5):
            text = filler + "-" * distance + words[distance:] + filler + words + filler
            found = PieceIndex(text).find(words)
            assert [each.distance for each in found] == [0, distance]


@each_row(
    ("length", "budget"), [(0, 0), (9, 0), (10, 1), (16, 2), (100, 12), (4_000, 500), (4_001, 0)]
)
def test_one_edit_in_eight_letters_is_allowed(length: int, budget: int) -> None:
    assert edit_budget(length) == budget


@each_row(
    ("text", "quote"),
    [
        ("", "abcdefghijkl"),
        ("abcd", "abcdefghijkl"),
        (LETTERS, "abcdefghi"),
        (LETTERS, ""),
        ("abcdefghijklmnop", "abcdefghijklmnopxyz"),
    ],
)
def test_too_short_texts_and_quotes_have_no_candidate(text: str, quote: str) -> None:
    assert PieceIndex(text).find(quote) == []


@often
@given(text=st.text(alphabet="ab界", max_size=80), letters=st.text(alphabet="ab界", max_size=9))
def test_unchanged_places_are_all_found_in_order(text: str, letters: str) -> None:
    expected = [i for i in range(len(text)) if letters and text.startswith(letters, i)]
    assert list(PieceIndex(text).places(letters)) == expected


@each_row(
    ("text", "quote"),
    [
        ("a" * 100_000, "a" * 50 + "b" + "a" * 49),
        ("a" * 100_000, "a" * 4_000),
        ("a" * 100_000, "a" * 100_000),
        ("abcdefg" * 100_000, "abcdefg" * 500),
        (PERIOD * 2_000, PERIOD * 13),
    ],
)
def test_repetitive_texts_neither_hang_nor_give_wrong_places(text: str, quote: str) -> None:
    for each in PieceIndex(text).find(quote):
        assert 0 <= each.start < each.end <= len(text)
        assert each.distance <= edit_budget(len(quote))


class TestDistances:
    @often
    @given(
        pattern=st.text(alphabet="abé界\U0001d4d0", max_size=20),
        text=st.text(alphabet="abé界\U0001d4d0", max_size=20),
    )
    def test_are_those_of_the_table(self, pattern: str, text: str) -> None:
        assert end_distances(pattern, text) == last_row(pattern, text)
        anchored = [Levenshtein.distance(pattern, text[:j]) for j in range(len(text) + 1)]
        assert end_distances(pattern, text, anchored=True) == anchored

    @each_row("length", [63, 64, 65, 1000])
    def test_of_patterns_beyond_a_machine_word(self, length: int) -> None:
        pattern = ("abcdefg" * length)[:length]
        text = "xyz" + pattern[: length // 2] + "!" + pattern[length // 2 :] + "xyz"
        assert end_distances(pattern, text) == last_row(pattern, text)

    @often
    @given(seed=st.integers(0, 2**32), most=st.integers(0, 10))
    def test_the_nearest_substring_has_the_least(self, seed: int, most: int) -> None:
        text, pattern = planted(Random(seed), "abcd")
        pattern, most = pattern or "a", min(most, len(pattern) // 8)
        least, nearest = min(last_row(pattern, text)), nearest_substring(pattern, text, most=most)
        assert (nearest[2] if nearest else None) == (least if least <= most else None)
        if nearest:
            assert Levenshtein.distance(pattern, text[nearest[0] : nearest[1]]) == least


class TestPreparedText:
    TEXT = "It rained all day. It was late.\n\nSo be it."

    def test_remembers_the_sentences_around_a_place(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(canonical, "_MOST_CACHED", 2)
        prepared = PreparedText(self.TEXT)
        expected = [whole_sentences(self.TEXT, i, i + 1) for i in range(len(self.TEXT))]
        for _ in range(2):
            assert [prepared.sentences_at(i, i + 1) for i in range(len(self.TEXT))] == expected
        last = len(self.TEXT) - 1
        monkeypatch.setattr(prepared, "text", "Another text.")
        assert prepared.sentences_at(last, last + 1) == expected[-1]

    @each_row(
        ("text", "needed"),
        [("Notice is one month. So be it.", False), ("Notice is one month. " * 3_000, True)],
    )
    def test_builds_its_index_only_for_long_or_repetitive_texts(
        self, text: str, needed: bool
    ) -> None:
        prepared = PreparedText(text)
        assert prepared.near_places("noticeisanemonth")[0].distance == 1
        assert ("pieces" in vars(prepared)) is needed
