"""Whether a quoted sentence answers a question: `AskedQuestion`, `RelevanceJudge`."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from citeguard import Answer, CiteguardError, Policy, Source, Sources
from citeguard.judges.verdicts import AlignmentQuestion, Evidence, SupportQuestion
from citeguard.library.alignment import RelevanceJudge
from citeguard.library.extraction import LEAST_ALONE, best_sentences
from citeguard.library.relevance import LEAST, AskedQuestion, Quoted

DATA = Path(__file__).parent / "data"
EXAMPLES = Path(__file__).parents[2] / "docs" / "example"

NEAR_MISSES = {
    "name": ("How much memory did Kart use?", "Minimap2 used 6.8 GB of memory."),
    "name of several words": ("Who founded New Haven?", "New Orleans was founded by Bienville."),
    "word of no dictionary": ("How fast is nucmer?", "The mapper aligns 5 reads a second."),
    "number": ("Who won the race in 1987?", "Ann Miller won the race in 1978."),
    "no number": ("How many users does the tool have?", "We thank the users of the tool."),
    "no time": ("When was the bridge painted?", "The bridge was painted red."),
    "no duration": ("How long does the test take?", "The test consists of questions."),
    "opposite": ("Who won the final?", "The final was lost by Ann Miller."),
}
ANSWERS = {
    "name": ("How much memory did Kart use?", "Kart used 6.8 GB of memory."),
    "acronym": ("When was the World Health Organization founded?", "The WHO was founded in 1948."),
    "mistyped name": ("What did John Sheeshanks donate?", "John Sheepshanks donated paintings."),
    "vague number": ("How many users does the tool have?", "The tool has several thousand users."),
    "time of day": ("When does the gate open?", "The gate opens at noon."),
    "number in words": ("When does the pool open?", "The pool opens at seven."),
    "condition": ("When is an intron exact?", "An intron is exact if it is identical to another."),
    "vague time": ("When was the bridge painted?", "The bridge was painted during the war."),
    "another form": ("Who discovered the comet?", "The discovery of the comet was by Ann Miller."),
}


class TestNearMisses:
    @pytest.mark.parametrize(("question", "quote"), NEAR_MISSES.values(), ids=NEAR_MISSES.keys())
    def test_what_nearly_answers_does_not(self, question: str, quote: str) -> None:
        assert AskedQuestion(question).relevance(Quoted(text=quote)).score < LEAST

    @pytest.mark.parametrize(("question", "quote"), ANSWERS.values(), ids=ANSWERS.keys())
    def test_what_answers_does(self, question: str, quote: str) -> None:
        assert AskedQuestion(question).relevance(Quoted(text=quote)).score >= LEAST


class TestContext:
    def test_a_name_may_be_before_the_sentence_that_refers_to_it(self) -> None:
        asked = AskedQuestion("When did Ann Miller win the race?")
        alone = asked.relevance(Quoted(text="She won the race in 1987."))
        known = asked.relevance(
            Quoted(text="She won the race in 1987.", before="Ann Miller is a runner.")
        )
        assert alone.score < LEAST <= known.score

    def test_a_name_before_is_not_meant_by_a_sentence_that_begins_with_another(self) -> None:
        asked = AskedQuestion("When did Ann Miller win the race?")
        before = "Ann Miller is a runner."
        meant = asked.relevance(Quoted(text="She won the race in 1987.", before=before))
        other = asked.relevance(Quoted(text="Zoë Brandt won the race in 1987.", before=before))
        assert other.score < meant.score
        assert "Miller" in other.missing
        assert "Miller" not in meant.missing

    def test_a_name_that_follows_is_not_meant(self) -> None:
        asked = AskedQuestion("When did Ann Miller win the race?")
        text, name = "She won the race in 1987.", "Ann Miller came second."
        before, after = (
            asked.relevance(Quoted(text=text, before=name)),
            asked.relevance(Quoted(text=text, after=name)),
        )
        assert after.score < before.score
        assert "Miller" in after.missing

    def test_a_title_names_what_a_document_is_about(self) -> None:
        asked = AskedQuestion("How long is the Rhine?")
        text = "It is 1,230 km long."
        alone = asked.relevance(Quoted(text=text))
        assert alone.score < asked.relevance(Quoted(text=text, title="Rhine")).score

    def test_what_stands_before_is_not_quoted(self) -> None:
        asked = AskedQuestion("When is lunch free?")
        beside = Quoted(text="Parking costs 20 euros a month.", before="Lunch is free on Fridays.")
        assert asked.relevance(beside).score < LEAST


class TestOtherLanguages:
    def test_words_with_capitals_are_no_names_where_all_nouns_have_them(self) -> None:
        asked = AskedQuestion("Wann wurde der alte Turm der Burg eröffnet?")
        quoted = Quoted(text="Der alte Turm wurde 1936 eröffnet.")
        assert asked.relevance(quoted).score >= LEAST


class TestRelevance:
    def test_says_what_kind_of_answer_is_lacking(self) -> None:
        found = AskedQuestion("How many users are there?").relevance(Quoted(text="Users help."))
        assert found.lacks == "number"

    def test_a_question_without_words_is_answered_by_nothing(self) -> None:
        assert AskedQuestion("What is it?").relevance(Quoted(text="It is a bridge.")).score == 0

    def test_more_of_the_question_is_never_worse(self) -> None:
        asked = AskedQuestion("When did the bridge over the river open?")
        texts = ["It opened in 1936.", "The bridge opened in 1936."]
        texts.append("The bridge over the river opened in 1936.")
        scores = [each.score for each in asked.relevances([Quoted(text=text) for text in texts])]
        assert scores == sorted(scores)

    def test_no_is_an_answer(self) -> None:
        asked = AskedQuestion("Are dogs allowed in the office?")
        denied, other = asked.relevances(
            [
                Quoted(text="Dogs are not allowed in the office."),
                Quoted(
                    text="Smoking is allowed only on the terrace.",
                    before="Dogs are not allowed in the office. ",
                ),
            ]
        )
        assert denied.score > max(other.score, LEAST_ALONE)

    def test_what_is_asked_for_may_be_all_that_a_question_is_about(self) -> None:
        asked = AskedQuestion("What was revenue in 2023?")
        own, other = asked.relevances(
            [
                Quoted(text="Revenue rose by 12 percent to 48 million euros in 2023."),
                Quoted(text="We hired 30 engineers in 2023."),
            ]
        )
        assert own.score > LEAST_ALONE > LEAST > other.score

    def test_a_reason_that_is_asked_for_must_be_there(self) -> None:
        asked = AskedQuestion("Why was the bridge closed?")
        without, with_reason = asked.relevances(
            [
                Quoted(text="The bridge was closed on 3 May 1936."),
                Quoted(text="The bridge was closed because its cables had rusted."),
            ]
        )
        assert with_reason.score > without.score + 0.1


class TestBestSentences:
    @pytest.mark.parametrize(
        "heading",
        ["# Rules of parking", "Rules of parking", "## Parking, 2023\n\nRules of parking"],
    )
    def test_headings_of_a_plain_text_are_none(self, heading: str) -> None:
        sources = Sources({"rules": f"{heading}\n\nParking is free for guests. Bikes have racks."})
        question = "What are the rules of parking?"
        found = best_sentences(question, sources.search(question), sources, most=9, least=0)
        texts = [each.text for each in found]
        assert texts == ["Parking is free for guests."]

    def test_short_lines_without_a_period_that_are_no_headings_are_some(self) -> None:
        sources = Sources({"rules": "Parking: 3 euros a day\n\nGuests park for free"})
        question = "What does parking cost?"
        found = best_sentences(question, sources.search(question), sources, most=9, least=0)
        assert len(found) == 2


class TestOutdone:
    SOURCES = Sources(
        {
            "town": "The bridge is inspected every year before it opens again.\n\n"
            "The bridge opened in 1936."
        }
    )

    def aligned(self, quote: str, **options: Any) -> Answer:
        judge = RelevanceJudge(self.SOURCES, supported_from=0.1, **options)
        context = self.SOURCES.as_context(
            Policy(alignment=judge), question="When did the bridge open?"
        )
        statement = {"text": quote, "citations": [{"quote": quote}]}
        return Answer.model_validate({"statements": [statement]}, context=context)

    def test_another_sentence_that_answers_better_is_named(self) -> None:
        quote = "The bridge is inspected every year before it opens again."
        assert self.aligned(quote).statements
        with pytest.raises(ValueError, match="answer_misaligned") as error:
            self.aligned(quote, outdone_by=1.2)
        assert "The bridge opened in 1936." in str(error.value)

    def test_the_best_sentence_is_not_outdone(self) -> None:
        assert self.aligned("The bridge opened in 1936.", outdone_by=1.2).statements

    def test_must_be_above_1(self) -> None:
        with pytest.raises(CiteguardError, match="outdone_by"):
            RelevanceJudge(outdone_by=1)

    def test_nothing_is_dropped_that_a_caller_lets_pass(self) -> None:
        quotes = ("The bridge opened in 1936.", "The weather was fine.")
        evidence = [Evidence(text=quote) for quote in quotes]
        question = AlignmentQuestion(
            question="When did the bridge open?",
            statements=tuple(
                SupportQuestion(statement=each.text, evidence=(each,)) for each in evidence
            ),
        )
        outcomes = {
            threshold: [
                verdict and verdict.outcome
                for verdict in RelevanceJudge(supported_from=threshold).align(question).statements
            ]
            for threshold in (0.0, 0.5)
        }
        assert outcomes == {0.0: ["supported", "supported"], 0.5: ["supported", "unsupported"]}

    def test_without_sources_nothing_is_compared(self) -> None:
        evidence = (Evidence(text="The bridge opened in 1936."),)
        question = AlignmentQuestion(
            question="When did the bridge open?",
            statements=(SupportQuestion(statement="In 1936.", evidence=evidence),),
        )
        assert RelevanceJudge(outdone_by=2).align(question).answer.outcome == "supported"


class TestFloors:
    """The written questions about the paper and the short passages, and some of XQuAD.

    All of them: `python -m tests.benchmarks.library answerable`.
    """

    def test_answers_pass(self) -> None:
        passed = [self.score(row, "gold") >= LEAST for row in self.written()["answerable"]]
        assert sum(passed) >= 29
        assert len(passed) == 30

    def test_near_misses_are_refused(self) -> None:
        known = [
            row for row in self.written()["unanswerable"] if row["document"] in self.documents()
        ]
        assert len(known) == 42
        assert sum(self.score(row, "nearest") < LEAST for row in known) >= 16

    @staticmethod
    @cache
    def written() -> dict[str, list[dict[str, str]]]:
        return json.loads((DATA / "answerable.json").read_text("utf-8"))

    @staticmethod
    @cache
    def documents() -> dict[str, Sources]:
        paths = [EXAMPLES / "paper" / "minimap2.pdf", *sorted(EXAMPLES.glob("*-*.txt"))]
        return {path.stem: Sources.from_paths([path]) for path in paths}

    def score(self, row: dict[str, str], what: str) -> float:
        sources = self.documents()[row["document"]]
        source: Source = next(each for each in sources if row[what] in each.text)
        place = source.text.index(row[what]) + len(row[what]) // 2
        start, end = source.prepared.sentences_at(place, place + 1)
        found = [each.text for each in sources.search(row["question"], k=8)]
        asked = AskedQuestion(row["question"], background=found)
        return asked.relevance(Quoted.of(source, start, end)).score
