"""The frozen samples of a data folder: chosen by hashes and by seeds, never by citeguard's code."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from random import Random

from ..adversarial.corpus import usable_sentences
from ..adversarial.everything import all_cases
from ..auditing.material import Answer
from ..auditing.material import load as load_answers
from ..documents.papers import Paper, paper_of
from . import measuring
from .data import MIXED, load
from .measuring import Named

_QUOTES = 8  # cases of a category
_SUMMEDITS = 600  # answers
_PAPERS: Mapping[str, int] = {"xquad_en": 4, "scifact_abs": 3, "bump": 3, "wice": 2}
_PAPER = (90, 140)  # sentences
_NOTES = "factcheck_gpt"


def quotes(folder: Path) -> Named:
    """Measure the quote kernel on a few cases of each adversarial category."""
    yield from measuring.quotes(all_cases(folder, _QUOTES))


def claims(folder: Path) -> Named:
    """Measure the reader on data sets of which it has seen at most other documents."""
    items = {name: [each for each in load(folder, name) if each.excluded] for name in MIXED}
    found = {name: each for name, each in items.items() if each}
    yield from measuring.claims("held-out claims", f"{len(found)} data sets", found)


def written(folder: Path) -> Named:
    """Measure the statements written by hand; they need no data."""
    yield from measuring.written()


def audits(folder: Path) -> Named:
    """Measure audits of whole answers."""
    for name, most in {"ragtruth": None, "summedits": _SUMMEDITS}.items():
        yield from measuring.audits(name, load_answers(folder, name, most))


def pages(folder: Path) -> Named:
    """Measure in PDF files of twelve papers whether quotes are found on their pages."""
    yield from measuring.pages(papers(folder))


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
