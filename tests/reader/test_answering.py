"""How texts answer a question: `how_answered`."""

from __future__ import annotations

from citeguard.reader.answering import answer_logits, answered_from, how_answered
from citeguard.reader.model import Reader

TEXT = (
    "The bridge is painted red. It was built by Ann Miller, who lived in Ghent.\n"
    "It was opened to traffic in 1936. Cars and buses cross it every day."
)
QUESTION = "When was the bridge opened to traffic?"


def test_the_sentence_that_answers_is_named() -> None:
    [answered] = how_answered(QUESTION, [TEXT])
    assert TEXT[answered.start : answered.end] == "It was opened to traffic in 1936."
    assert 0.5 < answered.probability <= 1


def test_what_does_not_answer_is_improbable() -> None:
    texts = [TEXT, "Lunch is free on Fridays. Visitors need a badge."]
    yes, no = how_answered(QUESTION, texts, reader=Reader())
    assert no.probability < answered_from() < 1
    assert no.probability < yes.probability


def test_texts_are_read_one_by_one() -> None:
    texts = [TEXT, "Lunch is free on Fridays."]
    assert how_answered(QUESTION, texts) == [how_answered(QUESTION, [each])[0] for each in texts]


def test_nothing_answers_nothing() -> None:
    assert how_answered(QUESTION, ["", " \n"]) == [(0.0, 0, 0)] * 2
    assert how_answered(QUESTION, []) == []


def test_what_is_too_long_to_be_read_does_not_answer() -> None:
    [long, short] = answer_logits(QUESTION, ["bridge " * 2_000, "It was opened in 1936."])
    assert long < short
