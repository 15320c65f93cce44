"""Prepared texts, and what they remember."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeguard.text import index
from citeguard.text.index import PreparedText
from citeguard.text.sentences import whole_sentences

TEXT = "It rained all day. It was late.\n\nSo be it."


class TestSentencesAt:
    @given(st.data())
    def test_are_the_whole_sentences(self, data: st.DataObject) -> None:
        prepared = PreparedText(TEXT)
        for _ in range(3):
            start = data.draw(st.integers(0, len(TEXT)))
            end = data.draw(st.integers(start, len(TEXT)))
            assert prepared.sentences_at(start, end) == whole_sentences(TEXT, start, end)

    def test_are_looked_for_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        prepared = PreparedText(TEXT)
        first = prepared.sentences_at(3, 9)
        monkeypatch.setattr(prepared, "text", "Another text.")
        assert prepared.sentences_at(3, 9) == first

    def test_are_the_same_after_more_than_it_remembers(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(index, "_MOST_SENTENCES", 2)
        prepared = PreparedText(TEXT)
        for _ in range(2):
            found = [prepared.sentences_at(start, start + 1) for start in range(len(TEXT))]
            assert found == [whole_sentences(TEXT, start, start + 1) for start in range(len(TEXT))]
