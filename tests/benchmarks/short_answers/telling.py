"""Telling right statements from wrong ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from citeguard.judges.short_answers import ShortAnswers
from citeguard.judges.short_answers.kinds import asked_for
from citeguard.judges.verdicts import Evidence, Outcome, SupportQuestion

from . import material
from .material import Case

_KINDS = ("number", "date", "person", "place", "name", "phrase")
_CLAIMS = ("fever_symmetric", "fm2", "nli_breaking", "nli_negation", "scifact_abs")

Judged = list[tuple[Case, Outcome]]
Row = tuple[str, int, str, str, str, str]


def rows(folder: Path) -> Iterator[Row]:
    """Yield a row for each data set, and for each kind of question of XQuAD."""
    for sentence in (False, True):
        for bare in (True, False):
            judged = _judged(material.xquad_cases(folder, sentence=sentence, bare=bare))
            given = (
                f"{'answers' if bare else 'sentences'}, {'sentence' if sentence else 'paragraph'}"
            )
            yield _row(f"XQuAD ({given})", judged)
            if not (bare or sentence):
                yield from _by_kind(judged)
    yield _row("HaluEval QA", _judged(material.halueval_cases(folder)))
    for name in _CLAIMS:
        yield _row(f"yes or no: {name}", _judged(material.yes_no_cases(folder, name)))


def beside_rows(folder: Path) -> Iterator[tuple[str, int, str]]:
    """Yield how often a statement seems to answer a question that it does not answer."""
    outcomes = Counter(outcome for _, outcome in _judged(_beside(folder)))
    for outcome in ("supported", "contradicted"):
        yield outcome, outcomes.total(), _share(outcomes[outcome], outcomes.total())


def _beside(folder: Path) -> Iterator[Case]:
    for paragraph in material.by_paragraph(material.xquad(folder)):
        for asked in paragraph:
            for other in paragraph:
                if asked.differs(other) and asked.answer not in other.sentence:
                    yield Case(asked.question, other.stated(other.answer), other.sentence, False)


def _judged(cases: Iterable[Case]) -> Judged:
    return [(case, _outcome(case)) for case in cases]


def _outcome(case: Case) -> Outcome:
    question = SupportQuestion(statement=case.statement, evidence=(Evidence(text=case.passage),))
    return ShortAnswers(question=case.question).judge([question])[0].outcome


def _by_kind(judged: Judged) -> Iterator[Row]:
    for kind in _KINDS:
        yield _row(kind, [each for each in judged if asked_for(each[0].question).kind == kind])


def _row(name: str, judged: Judged) -> Row:
    supported = [case.right for case, outcome in judged if outcome == "supported"]
    contradicted = [not case.right for case, outcome in judged if outcome == "contradicted"]
    decided = [*supported, *contradicted]
    return (
        name,
        len(judged),
        _share(len(decided), len(judged)),
        _share(sum(decided), len(decided)),
        f"{len(supported)}, {_share(sum(supported), len(supported))}",
        f"{len(contradicted)}, {_share(sum(contradicted), len(contradicted))}",
    )


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} %" if whole else "–"
