"""What is measured: the same figures on a whole data folder and on short extracts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from citeguard import Sources
from citeguard.judges.grounding import GroundingVerifier
from citeguard.judges.short_answers import ShortAnswers
from citeguard.judges.verdicts import Evidence, SupportQuestion, Verdict
from citeguard.verifier.model import Model

from ..adversarial.cases import Case
from ..adversarial.report import APART, by_category
from ..adversarial.verdicts import citeguard_checker, outcomes
from ..auditing.corrections import OUTCOMES, judged
from ..auditing.detectors import WRONG, audited
from ..auditing.material import Answer
from ..documents.papers import Paper
from ..documents.pdf_quotes import outcomes as looked_up
from ..documents.platypus import REPORTLAB
from ..documents.printed import printed
from ..grounding.data import Item
from ..short_answers.material import Case as Asked
from .figures import (
    Figure,
    f1,
    figure,
    mean_auc,
    mean_balanced,
    mean_share,
)

Named = Iterator[tuple[str, Figure]]
"""Figures by name."""

_WRITTEN = Path(__file__).parents[1] / "grounding" / "written.json"
_NEARER = OUTCOMES[:2]


def quotes(cases: Sequence[Case]) -> Named:
    """Measure how often the quote kernel is wrong, categories reported apart left out."""
    groups = {
        name: [not each.right for each in group]
        for name, group in by_category(outcomes(cases, citeguard_checker())).items()
        if not name.startswith(APART)
    }
    yield (
        "quote error",
        figure(
            f"mean error of quote checks over {len(groups)} adversarial categories",
            groups.values(),
            mean_share,
            sample=[[case.category, case.quote, case.source_id, case.sources] for case in cases],
            falling=True,
        ),
    )


def verifier(
    name: str,
    about: str,
    scored: Mapping[str, Sequence[tuple[bool, float, bool]]],
    sample: object,
) -> Named:
    """Measure the verifier on data sets.

    Args:
        name: What the names of the figures begin with.
        about: Which data sets these are.
        scored: For each data set its statements: whether supported, score, whether accepted.
        sample: What the sample is hashed by.
    """
    auc = [[(label, score) for label, score, _ in each] for each in scored.values()]
    yield f"{name} AUC", figure(f"mean AUC, {about}", auc, mean_auc, sample=sample)
    told = [[(label, accepted) for label, _, accepted in each] for each in scored.values()]
    about = f"mean balanced accuracy with every statement decided, {about}"
    yield f"{name} balanced accuracy", figure(about, told, mean_balanced, sample=sample)


def claims(items: Mapping[str, Sequence[Item]]) -> Named:
    """Measure the shipped verifier on claims whose documents it has not seen."""
    grounding = GroundingVerifier()
    scored = {
        name: [_scored(item, grounding.judge([_question(item)])[0]) for item in each]
        for name, each in items.items()
    }
    sample = [
        [item.statement, item.evidence, item.label] for each in items.values() for item in each
    ]
    yield from verifier("claims", f"{len(items)} extracts, shipped model", scored, sample)


def _question(item: Item) -> SupportQuestion:
    evidence = tuple(Evidence(text=text) for text in item.evidence)
    return SupportQuestion(statement=item.statement, evidence=evidence)


def _scored(item: Item, verdict: Verdict) -> tuple[bool, float, bool]:
    score = 0.5 if verdict.score is None else verdict.score
    return item.supported, score, score >= 0.5


def written() -> Named:
    """Measure what the shipped verifier says of statements written by hand and never in view."""
    data = json.loads(_WRITTEN.read_text("utf-8"))
    grounding = GroundingVerifier()
    supported: dict[bool, list[bool]] = {True: [], False: []}
    for row in data["statements"]:
        evidence = (Evidence(text=data["texts"][row["about"]]["text"]),)
        question = SupportQuestion(statement=row["statement"], evidence=evidence)
        if data["texts"][row["about"]]["part"] == "held":
            outcome = grounding.judge([question])[0].outcome
            supported[row["supported"]].append(outcome == "supported")
    for name, label, about in (
        ("written false supported", False, "false statements written by hand called *supported*"),
        ("written true supported", True, "true statements written by hand called *supported*"),
    ):
        falling = not label
        yield name, figure(about, [supported[label]], mean_share, sample=data, falling=falling)


def audits(name: str, answers: Sequence[Answer], model: Model | None) -> Named:
    """Measure which answers audits flag: those with a claim that is wrong or not in the sources.

    Args:
        name: The data set.
        answers: Its answers.
        model: The verifier's, fitted without them; `None` for the shipped one.
    """
    reports = audited(answers, model=model)
    flagged = [any(claim.verdict in WRONG for claim in each.claims) for each in reports]
    rows = [(answer.wrong, flag) for answer, flag in zip(answers, flagged, strict=True)]
    about = f"F1 of audits that flag wrong answers, {name}"
    yield f"audit F1 {name}", figure(about, [rows], f1, sample=_texts(answers))


def _texts(answers: Iterable[Answer]) -> list[Any]:
    return [[answer.id, answer.text, answer.sources, answer.wrong] for answer in answers]


def corrections(answers: Sequence[Answer], model: Model | None) -> Named:
    """Measure the corrections of answers that people made wrong, beside the right answers.

    Args:
        answers: Pairs of a wrong and a right answer.
        model: The verifier's, fitted without them; `None` for the shipped one.
    """
    found = [(answer.id, outcome in _NEARER) for answer, _, outcome in judged(answers, model)]
    sample, mended = _texts(answers), {name for name, nearer in found if nearer}
    about = "corrections that make the answer (nearer to) the reference, of those made"
    yield "corrections right", figure(about, [[n for _, n in found]], mean_share, sample=sample)
    # Beside it, because a higher share of fewer corrections is no gain.
    wrong = [answer.id in mended for answer in answers if answer.wrong]
    about = "wrong answers that a correction makes (nearer to) the reference"
    yield "corrections found", figure(about, [wrong], mean_share, sample=sample)


def short_answers(cases: Sequence[Asked]) -> Named:
    """Measure how many short answers are decided, and how many of those rightly."""
    rows = [_decided(case) for case in cases]
    sample = [[case.question, case.statement, case.passage, case.right] for case in cases]
    decided = [decided for decided, _ in rows]
    right = [right for decided, right in rows if decided] or [False]
    about = "short answers decided"
    yield "short answers decided", figure(about, [decided], mean_share, sample=sample)
    about = "short answers right, of those decided"
    yield "short answers right", figure(about, [right], mean_share, sample=sample)


def _decided(case: Asked) -> tuple[bool, bool]:
    question = SupportQuestion(statement=case.statement, evidence=(Evidence(text=case.passage),))
    outcome = ShortAnswers(question=case.question).judge([question])[0].outcome
    decided = outcome in ("supported", "contradicted")
    return decided, decided and (outcome == "supported") == case.right


def pages(papers: Iterable[Paper]) -> Named:
    """Measure how often a quote of a PDF file is found on its page, papers in styles by turns."""
    hits: list[bool] = []
    sample: list[object] = []
    with TemporaryDirectory() as folder:
        for place, paper in enumerate(papers):
            style = REPORTLAB.styles[place % len(REPORTLAB.styles)]
            file = printed(paper.in_western_letters(), REPORTLAB, style, Path(folder))
            found = looked_up(file, Sources.from_paths(file.path))
            hits += [each.page_is_right for each in found]
            sample.append([each.text for each in paper.sentences])
    about = "quotes found on the page of a PDF file where they were printed"
    yield "page hits", figure(about, [hits], mean_share, sample=sample)
