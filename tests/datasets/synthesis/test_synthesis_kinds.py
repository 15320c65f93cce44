"""Every kind of wrong text: how it is made, and when it is not."""

import pytest

from citeguard.datasets import Negative, negatives
from citeguard.datasets.synthesis import Kind

BACKGROUND = (
    "The committee met in the old town hall, because the roof of the new one was being repaired. "
    "The members of the board were pleased with the report, and they thanked the staff."
)


def made(text: str, kind: Kind, *, more: str = BACKGROUND, seed: int = 0) -> Negative | None:
    """Make a text of a source wrong in one way."""
    found = negatives(text, {"own": f"{text} {more}"}, source_id="own", kinds=[kind], seed=seed)
    return found[0] if found else None


def texts(text: str, kind: Kind, *, more: str = BACKGROUND, seeds: int = 12) -> set[str]:
    """Return what is made of a text with several seeds."""
    found = (made(text, kind, more=more, seed=seed) for seed in range(seeds))
    return {each.text for each in found if each is not None}


@pytest.mark.parametrize(
    ("kind", "text", "wrong"),
    [
        ("negation", "The drug is sold to children.", "The drug is not sold to children."),
        ("negation", "It does not carry the virus.", "It does carry the virus."),
        ("negation", "It wasn’t repaired last year.", "It was repaired last year."),
        ("negation", "The road is no longer open.", "The road is still open."),
        ("negation", "He entered without a badge.", "He entered with a badge."),
        ("negation", "Guests do not use the lift.", "Guests use the lift."),
        ("negation", "They don't know the answer.", "They know the answer."),
        ("negation", "The plant can survive the frost.", "The plant cannot survive the frost."),
        ("negation", "The city has a harbour.", "The city does not have a harbour."),
        ("negation", "The man was unable to leave.", "The man was able to leave."),
        ("negation", "There is no evidence of it.", "There is evidence of it."),
        ("unit", "The road is 12 kilometers long.", "The road is 12 miles long."),
        ("unit", "It cost $5 million.", "It cost €5 million."),
        ("unit", "The town has 5 billion trees.", "The town has 5 million trees."),
        ("unit", "It weighs six kg in all.", "It weighs six lb in all."),
    ],
)  # fmt: skip
def test_is_made_wrong_in_the_stated_way(kind: Kind, text: str, wrong: str) -> None:
    assert texts(text, kind) == {wrong}


class TestNumber:
    def test_is_another_in_the_same_form(self) -> None:
        for text in (
            "The bridge has 48 arches in all.",
            "The bridge has seven arches in all.",
            "The sum was $1,234 in the first place.",
            "It has 2.5 million trees.",
        ):
            found = texts(text, "number")
            assert found
            for wrong in found:
                assert wrong != text
                assert len(wrong.split()) == len(text.split())
                assert wrong.count(",") == text.count(",")

    def test_rises_after_at_least_and_falls_after_at_most(self) -> None:
        for words, rises in (("at least", True), ("at most", False)):
            found = texts(f"The bridge has {words} 48 arches.", "number")
            assert found
            assert all((int(text.split()[5]) > 48) == rises for text in found)

    def test_is_none_that_the_sources_have(self) -> None:
        more = "Others have two, three, four, five, six, eight, nine, ten, eleven or twelve."
        assert texts("The bridge has seven arches in all.", "number", more=more) == set()


class TestEntity:
    def test_is_another_person_of_the_document(self) -> None:
        more = "The bridge was opened by Thomas Miller. It was praised in Rome and in Paris."
        found = texts("The plan was drawn by Robert Stone in a year.", "entity", more=more)
        assert found == {"The plan was drawn by Thomas Miller in a year."}

    def test_follows_the_same_word(self) -> None:
        more = "Many people of Germany went by train to London, said Thomas Miller."
        found = texts("The match was moved to Paris.", "entity", more=more)
        assert found == {"The match was moved to London."}
