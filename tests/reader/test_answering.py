"""How well texts answer a question."""

from citeguard.reader.answering import (
    answer_logits,
    answer_probabilities,
    answer_scores,
    answered_from,
)
from citeguard.reader.model import Reader

TEXT = (
    "The bridge is painted red. It was built by Ann Miller, who lived in Ghent.\n"
    "It was opened to traffic in 1936. Cars and buses cross it every day."
)
QUESTION = "When was the bridge opened to traffic?"


def test_of_texts_that_compete_the_one_with_rare_words_of_the_question_wins() -> None:
    question = "How much memory does the demo need?"
    texts = [
        "Each reference requires eight bytes in the sorted container.",
        "The above demo also takes nearly a gigabyte of memory to run.",
    ]
    logits, scores = answer_logits(question, texts), answer_scores(question, texts)
    assert logits[0] > logits[1]
    assert scores[1] > scores[0]


def test_what_does_not_answer_is_improbable() -> None:
    texts = [TEXT, "Lunch is free on Fridays. Visitors need a badge."]
    yes, no = answer_probabilities(QUESTION, texts, reader=Reader())
    assert 0.5 < yes <= 1
    assert no < answered_from() < 1
    assert no < yes


def test_texts_are_read_one_by_one() -> None:
    texts = [TEXT, "Lunch is free on Fridays."]
    alone = [answer_probabilities(QUESTION, [each])[0] for each in texts]
    assert answer_probabilities(QUESTION, texts) == alone


def test_nothing_answers_nothing() -> None:
    assert answer_probabilities(QUESTION, ["", " \n"]) == [0.0, 0.0]
    assert answer_probabilities(QUESTION, []) == []


def test_what_is_too_long_to_be_read_does_not_answer() -> None:
    [long, short] = answer_logits(QUESTION, ["bridge " * 2_000, "It was opened in 1936."])
    assert long < short
