"""What is measured: the same figures on a whole data folder and on short extracts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from citeguard import Sources, audit
from citeguard.judges.reader import ReaderJudge
from citeguard.judges.verdicts import Evidence, SupportQuestion, Verdict

from ..adversarial.cases import Case
from ..adversarial.report import APART, by_category
from ..adversarial.verdicts import citeguard_checker, outcomes
from ..auditing.material import Answer
from ..documents.papers import Paper
from ..documents.pdf_quotes import outcomes as looked_up
from ..documents.platypus import REPORTLAB
from ..documents.printed import printed
from .data import Item
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

_WRITTEN = Path(__file__).with_name("written.json")
_UNFLAGGED = ("supported", "derived", "undecided", "not_checkable")


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


def claims(name: str, about: str, items: Mapping[str, Sequence[Item]]) -> Named:
    """Measure the shipped reader on labelled statements.

    Args:
        name: What the names of the figures begin with.
        about: Which data sets these are.
        items: The statements of each data set.
    """
    judge = ReaderJudge()
    scored = {
        key: [_scored(item, judge.judge([_question(item)])[0]) for item in each]
        for key, each in items.items()
    }
    sample = [
        [item.statement, item.evidence, item.label] for each in items.values() for item in each
    ]
    auc = [[(label, score) for label, score, _ in each] for each in scored.values()]
    yield f"{name} AUC", figure(f"mean AUC, {about}", auc, mean_auc, sample=sample)
    told = [[(label, accepted) for label, _, accepted in each] for each in scored.values()]
    about = f"mean balanced accuracy with every statement decided, {about}"
    yield f"{name} balanced accuracy", figure(about, told, mean_balanced, sample=sample)


def _question(item: Item) -> SupportQuestion:
    evidence = tuple(Evidence(text=text) for text in item.evidence)
    return SupportQuestion(statement=item.statement, evidence=evidence)


def _scored(item: Item, verdict: Verdict) -> tuple[bool, float, bool]:
    score = 0.5 if verdict.score is None else verdict.score
    return item.supported, score, score >= 0.5


def written() -> Named:
    """Measure what the shipped reader says of statements written by hand and never in view."""
    data = json.loads(_WRITTEN.read_text("utf-8"))
    judge = ReaderJudge()
    supported: dict[bool, list[bool]] = {True: [], False: []}
    for row in data["statements"]:
        evidence = (Evidence(text=data["texts"][row["about"]]["text"]),)
        question = SupportQuestion(statement=row["statement"], evidence=evidence)
        if data["texts"][row["about"]]["part"] == "held":
            outcome = judge.judge([question])[0].outcome
            supported[row["supported"]].append(outcome == "supported")
    for name, label, about in (
        ("written false supported", False, "false statements written by hand called *supported*"),
        ("written true supported", True, "true statements written by hand called *supported*"),
    ):
        falling = not label
        yield name, figure(about, [supported[label]], mean_share, sample=data, falling=falling)


def audits(name: str, answers: Sequence[Answer]) -> Named:
    """Measure which answers of a data set audits flag: those with a claim that is not so."""
    reports = [audit(answer.text, answer.sources) for answer in answers]
    flagged = [any(claim.verdict not in _UNFLAGGED for claim in each.claims) for each in reports]
    rows = [(answer.wrong, flag) for answer, flag in zip(answers, flagged, strict=True)]
    sample = [[answer.id, answer.text, answer.sources, answer.wrong] for answer in answers]
    about = f"F1 of audits that flag wrong answers, {name}"
    yield f"audit F1 {name}", figure(about, [rows], f1, sample=sample)


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
