"""Wrong texts from true ones: the promises that hold for every kind, and how each is made."""

import json
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citeguard import Citation, CiteguardError, Sources, UnknownSourceError, locate
from citeguard.datasets import Negative, negatives, sample_of, synthesize, true_quotes
from citeguard.datasets.synthesis import KINDS, Kind
from citeguard.testing.strategies import QuoteCase, quote_cases

# From Wikipedia, "Super Bowl 50" and "Force", as in XQuAD (CC BY-SA 4.0), shortened.
PANTHERS = (
    "The Panthers defense gave up just 308 points, ranking sixth in the league, while also leading "
    "the NFL in interceptions with 24 and boasting four Pro Bowl selections. Pro Bowl defensive "
    "tackle Kawann Short led the team in sacks with 11, while also forcing three fumbles and "
    "recovering two. The line also featured veteran defensive end Jared Allen, a 5-time pro bowler "
    "who was the career sack leader with 136, along with defensive end Kony Ealy, who had 5 sacks "
    "in just 9 starts. Peyton Manning was not ready to play in November 2015."
)
FORCE = (
    "Aristotle was aware of this problem and proposed that the air carries the projectile to its "
    "target. In the 20th century, the development of quantum mechanics led to a modern "
    "understanding. Many physicists still use the older theory, and it is often accurate at a "
    "distance of more than 10 kilometers. Newton did not publish the work until 1687. The proof "
    "was written down by Robert Stone within a year. It was read to the end by Thomas Miller. "
    "Later Ian Mill defeated Robert Stone in a court of the small town."
)
SOURCES = Sources({"bowl": PANTHERS, "force": FORCE})
ITEMS = [(SOURCES.slice(span), span.source_id, SOURCES) for span in true_quotes(SOURCES)]
MADE = [
    each
    for seed in range(6)
    for text, source_id, sources in ITEMS
    for each in negatives(text, sources, source_id=source_id, seed=seed)
]


def restored(made: Negative) -> str:
    """Return a wrong text with its change undone."""
    end = made.start + len(made.added)
    assert made.text[made.start : end] == made.added
    return made.text[: made.start] + made.removed + made.text[end:]


steady = settings(derandomize=True)


class TestNegatives:
    def test_are_of_all_kinds_say_what_was_changed_and_are_found_in_no_source(self) -> None:
        assert {each.kind for each in MADE} == set(KINDS)
        for made in MADE:
            assert restored(made) == made.original
            assert made.added != made.removed
            found = locate(made.text, SOURCES, made.source_id)
            assert found is None or not found.accepted, made

    def test_of_one_kind_do_not_depend_on_the_others(self) -> None:
        text, source_id, sources = ITEMS[0]
        together = negatives(text, sources, source_id=source_id)
        alone = [
            each
            for kind in KINDS
            for each in negatives(text, sources, source_id=source_id, kinds=[kind])
        ]
        assert together == alone

    def test_are_the_same_in_every_process(self) -> None:
        text = "The pool has 48 lamps in all. It is the largest of the town."
        program = (
            "import sys\nfrom citeguard.datasets import negatives\n"
            "for each in negatives(sys.argv[1][:29], sys.argv[1], source_id='1'): print(each.text)"
        )
        run = subprocess.run(
            [sys.executable, "-c", program, text], capture_output=True, check=True, text=True
        )
        own = negatives(text[:29], text, source_id="1")
        assert run.stdout.splitlines() == [each.text for each in own]

    def test_of_statements_say_so(self) -> None:
        statement = "Kawann Short had 11 sacks, and was the best of the team."
        found = negatives(statement, SOURCES, source_id="bowl", target="statement")
        assert {each.target for each in found} == {"statement"}
        assert "number" in {each.kind for each in found}

    def test_in_other_languages_are_of_safe_kinds(self) -> None:
        text = "Die Brücke wurde 1998 eröffnet und hat 48 Bögen."
        more = " Sie ist die größte der Stadt und wird nicht oft benutzt."
        more += " Man hat sie in drei Jahren aus Stein und Holz gebaut."
        found = {each.kind for each in negatives(text, text + more, source_id="1")}
        assert found == {"number", "date"}

    @given(text=st.text(st.sampled_from('aA1 .,$%"“(–-\n’tnoisTh不。e'), max_size=60))
    @steady
    def test_of_anything_can_be_undone(self, text: str) -> None:
        given_sources = {"own": f"It is so. {text}", "other": "Something else is said here."}
        for made in negatives(text, given_sources, source_id="own"):
            assert restored(made) == text

    @given(quote_cases())
    @steady
    def test_are_rejected_by_the_quote_check(self, case: QuoteCase) -> None:
        quote = locate(case.true_quote, case.sources, case.source_id)
        assert quote is not None
        for made in negatives(quote.text, case.sources, source_id=case.source_id):
            found = locate(made.text, case.sources, made.source_id)
            assert found is None or not found.accepted, made

    def test_reject_unknown_arguments(self) -> None:
        wrong: dict[str, Any]
        for wrong, message in (
            ({"kinds": ["typo"]}, "kinds must be of negation, number"),
            ({"kinds": "number"}, "not 'number'"),
            ({"target": "answer"}, "target must be"),
            ({"seed": -1}, "seed must be an integer"),
        ):
            with pytest.raises(CiteguardError, match=message):
                negatives("A.", "A.", source_id="1", **wrong)
        with pytest.raises(UnknownSourceError):
            negatives("A.", "A.", source_id="2")


class TestSynthesize:
    def test_depends_on_the_item_and_not_on_its_place(self) -> None:
        forward = list(synthesize(ITEMS, seed=3))
        backward = list(synthesize(reversed(ITEMS), seed=3))
        assert forward == backward[::-1]

    def test_makes_as_many_as_asked_of_different_kinds(self) -> None:
        made = list(synthesize(ITEMS[-8:-7], each=2))
        assert len(made) == len({each.kind for each in made}) == 2


class TestTrueQuotes:
    def test_are_slices_that_pass(self) -> None:
        for span in true_quotes(SOURCES):
            data = {"quote": SOURCES.slice(span), "source_id": span.source_id}
            citation = Citation.model_validate(data, context=SOURCES.as_context())
            assert citation.grade == "exact"

    def test_are_as_many_as_asked_in_the_order_of_the_sources(self) -> None:
        found = true_quotes(SOURCES, count=3, seed=1)
        assert len(found) == 3
        assert found == [span for span in true_quotes(SOURCES) if span in found]
        assert true_quotes(SOURCES, count=0) == []

    @pytest.mark.parametrize(
        "text",
        [
            "Chapter One And Its Many Long Titles",
            "Is it not so that the pool is closed on Sundays?",
            "Short one.",
            "| 12 | 13 | 14 | 15 | 16 | 17 | 18 | 19 | 20 | 21 |.",
            "and it goes on without a capital at its beginning.",
            "However, in one episode it is implied that Mr.",
        ],
    )
    def test_are_no_headings_questions_or_fragments(self, text: str) -> None:
        assert true_quotes(text) == []

    def test_that_stand_twice_are_drawn_once(self) -> None:
        text = "Visitors may not enter the laboratory on Sundays."
        assert len(true_quotes({"a": text, "b": text})) == 1


class TestSamples:
    def test_have_the_shape_of_a_dataset(self) -> None:
        for made in MADE[:20]:
            sample = json.loads(json.dumps(sample_of(made, SOURCES, question="What?")))
            citation = sample["statements"][0]["citations"][0]
            assert citation == {"quote": made.text, "source_id": made.source_id}
            assert [each["id"] for each in sample["sources"]] == ["bowl", "force"]
            assert (sample["label"], sample["question"]) == ("unsupported", "What?")
            assert sample["negative"]["kind"] == made.kind

    def test_of_the_original_is_true(self) -> None:
        made = MADE[0]
        sample = sample_of(made, SOURCES, original=True)
        citation = sample["statements"][0]["citations"][0]
        assert citation == {"quote": made.original, "source_id": made.source_id}
        assert (sample["label"], sample["negative"]) == ("supported", None)

    def test_of_a_statement_keep_its_citation(self) -> None:
        statement = "Newton did not publish the work early, but in 1687."
        found = negatives(statement, SOURCES, source_id="force", target="statement")
        made = next(each for each in found if each.kind == "date")
        sample = sample_of(made, SOURCES, quote="publish the work until 1687")
        assert sample["statements"][0]["text"] == made.text
        assert sample["statements"][0]["citations"][0]["quote"] == "publish the work until 1687"
        assert sample["label"] == "contradicted"
        assert sample_of(made, SOURCES, original=True)["statements"][0]["text"] == statement


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
