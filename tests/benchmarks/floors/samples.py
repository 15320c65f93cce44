"""The frozen samples of a data folder: chosen by hashes and by seeds, never by citeguard's code."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from random import Random

import numpy as np

from ..adversarial.corpus import letters_and_digits, usable_sentences
from ..adversarial.everything import all_cases
from ..auditing.held_out import measured, models_without
from ..auditing.material import Answer
from ..auditing.material import load as load_answers
from ..documents.papers import Paper, paper_of
from ..grounding.data import MIXED, document_key
from ..grounding.training import calibrate
from ..short_answers.material import Asked, Case, by_paragraph, halueval_cases, xquad
from . import measuring
from .figures import SEED
from .measuring import Named

NATURAL = (
    *("attributionbench", "citecheck", "factcheck_gpt", "q2_wow", "ragtruth_sent", "scifact_abs"),
    *("storysumm", "wice"),
)
"""The sets of `MIXED` whose statements were written for their own sake, and then labelled.

Not `bump`, `fever_symmetric`, `nli_breaking`, `nli_conj`, `nli_negation` and `summedits`, which
were made by rule or by edit; nor `fm2`, whose claims were written to fool people.
"""

_QUOTES = 8  # cases of a category
_SUMMEDITS = 600  # answers
_BUMP = 300  # articles
_PAPERS: Mapping[str, int] = {"xquad_en": 4, "scifact_abs": 3, "bump": 3, "wice": 2}
_PAPER = (90, 140)  # sentences
_NOTES = "factcheck_gpt"


def quotes(folder: Path) -> Named:
    """Measure the quote kernel on a few cases of each adversarial category."""
    yield from measuring.quotes(all_cases(folder, _QUOTES))


def verifier(folder: Path) -> Named:
    """Measure the verifier on each data set with a model trained on the others."""
    material, scores = measured(folder)
    scored = {}
    for name in MIXED:
        calibration = calibrate(material, scores, without=name)
        raw = np.nan_to_num(scores[name])
        accepted = calibration.probability(raw) >= 0.5
        scored[name] = [*zip(material.rows[name].supported, raw, accepted, strict=True)]
    for about, names in (("verifier", MIXED), ("verifier natural", NATURAL)):
        sample = [
            [item.statement, item.evidence, item.label]
            for name in names
            for item in material.items[name]
        ]
        chosen = {name: scored[name] for name in names}
        yield from measuring.verifier(about, f"{len(names)} held-out data sets", chosen, sample)


def written(folder: Path) -> Named:
    """Measure the statements written by hand; they need no data."""
    yield from measuring.written()


def audits(folder: Path) -> Named:
    """Measure audits of whole answers."""
    sets = {"ragtruth": None, "summedits": _SUMMEDITS}
    models = models_without(folder, sets)
    for name, most in sets.items():
        yield from measuring.audits(name, load_answers(folder, name, most), models[name])


def corrections(folder: Path) -> Named:
    """Measure corrections of summaries that people made wrong."""
    model = models_without(folder, ["bump"])["bump"]
    yield from measuring.corrections(pairs(load_answers(folder, "bump"), _BUMP), model)


def short_answers(folder: Path) -> Named:
    """Measure short answers to questions of XQuAD and HaluEval."""
    cases = [*question_cases(xquad(folder)), *halueval_cases(folder)]
    yield from measuring.short_answers(cases)


def pages(folder: Path) -> Named:
    """Measure in PDF files of twelve papers whether quotes are found on their pages."""
    yield from measuring.pages(papers(folder))


def pairs(answers: Sequence[Answer], articles: int) -> list[Answer]:
    """Return the answers about some articles, those that come first by the articles' hashes."""
    keys = {answer.id: document_key("".join(answer.sources.values())) for answer in answers}
    chosen = set(sorted(set(keys.values()))[:articles])
    return [answer for answer in answers if keys[answer.id] in chosen]


def question_cases(questions: list[Asked]) -> Iterator[Case]:
    """Yield each question with its answer, and with one of its paragraph that is asked for alike.

    Once the bare answer, once as a sentence.
    """
    chance = Random(SEED)
    for paragraph in by_paragraph(questions):
        for asked in paragraph:
            others = [other for other in paragraph if _is_other_answer(other, asked)]
            for other in (asked, *([chance.choice(others)] if others else [])):
                for said in (other.answer, asked.stated(other.answer)):
                    yield Case(asked.question, said, asked.paragraph, other is asked)


def _is_other_answer(other: Asked, asked: Asked) -> bool:
    one, two = letters_and_digits(other.answer), letters_and_digits(asked.answer)
    return other.asking == asked.asking and one not in two and two not in one


def papers(folder: Path) -> Iterator[Paper]:
    """Yield papers made of real texts, those of one data set after those of another."""
    notes = _sentences(load_answers(folder, _NOTES))
    for name, most in _PAPERS.items():
        sentences = _sentences(load_answers(folder, name))
        for number in range(most):
            length = Random(f"{name}-{number}").randint(*_PAPER)
            yield paper_of(f"{name}-{number}", [*islice(sentences, length)], notes)


def _sentences(answers: Sequence[Answer]) -> Iterator[str]:
    """Yield the plain sentences of the sources of answers, none twice."""
    texts = dict.fromkeys(text for answer in answers for text in answer.sources.values())
    sentences = (" ".join(t[a:b].split()) for t in texts for a, b in usable_sentences(t))
    yield from dict.fromkeys(sentences)
