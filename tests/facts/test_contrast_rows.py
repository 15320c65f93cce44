"""The tables of differences of fact: what each row says is found, and nothing else."""

import pytest

from citeguard.facts import contrasts
from facts.contrast_rows import (
    alternatives,
    cancelling,
    conditions,
    degrees,
    frames,
    kinds,
    names,
    order,
    scopes,
)

TOPICS = {
    "alternatives": alternatives,
    "cancelling": cancelling,
    "conditions": conditions,
    "degrees": degrees,
    "frames": frames,
    "kinds": kinds,
    "names": names,
    "order": order,
    "scopes": scopes,
}

DIFFERENT = [
    pytest.param(found.split(), stated.split(" / "), statement, passage, id=f"{topic}: {tried}")
    for topic, table in TOPICS.items()
    for found, tried, stated, statement, passage in table.DIFFERENT
]
SAME = [
    pytest.param(statement, passage, id=f"{topic}: {tried}")
    for topic, table in TOPICS.items()
    for tried, statement, passage in table.SAME
]
TEXTS = {
    text: None
    for topic in TOPICS.values()
    for row in (*topic.DIFFERENT, *topic.SAME)
    for text in row[-2:]
}


class TestDifferent:
    @pytest.mark.parametrize(("kinds", "stated", "statement", "passage"), DIFFERENT)
    def test_the_facts_of_the_row_are_found_and_no_others(
        self, kinds: list[str], stated: list[str], statement: str, passage: str
    ) -> None:
        found = contrasts(statement, passage)
        assert {each.kind for each in found} == set(kinds)
        # The same words may be of two kinds.
        assert list(dict.fromkeys(each.stated for each in found)) == stated


class TestSame:
    @pytest.mark.parametrize(("statement", "passage"), SAME)
    def test_facts_in_other_words_are_no_contrast(self, statement: str, passage: str) -> None:
        assert contrasts(statement, passage) == ()

    @pytest.mark.parametrize("text", TEXTS)
    def test_text_has_no_contrast_with_itself(self, text: str) -> None:
        assert contrasts(text, text) == ()
