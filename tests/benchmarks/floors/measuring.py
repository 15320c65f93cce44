"""What is measured: the same figures on a whole data folder and on short extracts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from citeguard import Evidence, ReaderJudge, Sources, SupportQuestion, Verdict, audit

from ..data import rows
from ..documents.papers import Paper
from ..documents.pdf_quotes import outcomes as looked_up
from ..documents.platypus import REPORTLAB
from ..documents.printed import printed
from ..reader.material import WRITTEN
from .figures import Figure, auc, f1, figure, mean_share
from .quotes import Case, by_category

Named = Iterator[tuple[str, Figure]]
"""Figures by name."""

_OLDER = Path(__file__).with_name("written.json")


def quotes(name: str, cases: Sequence[Case]) -> Named:
    """Measure how often `Citation` is wrong about labelled quotes."""
    groups = by_category(cases)
    sample = [[case.category, case.quote, case.source_id, dict(case.sources)] for case in cases]
    about = f"mean error of quote checks, {name}, {len(groups)} categories"
    yield (
        f"quote error, {name}",
        figure(about, groups.values(), mean_share, sample=sample, falling=True),
    )


def written(texts: int | None = None) -> Named:
    """Measure what the shipped reader makes of statements that people and models wrote.

    Args:
        texts: Of how many of the texts that were reserved from training; by default all.
    """
    own = (row for row in rows(WRITTEN) if row["part"] == "reserved" and "text" in row)
    reserved = [*islice(own, texts)]
    statements = [
        (each[0], row["text"], each[1] == "supported") for row in reserved for each in row["claims"]
    ]
    read = [(label, _verdict(text, evidence)) for text, evidence, label in statements]
    scores = [(label, verdict.score or 0.0) for label, verdict in read]
    about = "AUC of the reader on statements that were reserved from training"
    yield "reserved AUC", figure(about, [scores], auc, sample=statements)
    if texts is None:
        older = json.loads(_OLDER.read_text("utf-8"))
        read += [
            (row["supported"], _verdict(row["statement"], older["texts"][row["about"]]["text"]))
            for row in older["statements"]
            if older["texts"][row["about"]]["part"] == "held"
        ]
    for name, label, outcomes in (
        ("true supported", True, {"supported"}),
        ("false supported", False, {"supported"}),
        ("true blamed", True, {"contradicted", "unsupported"}),
        ("false flagged", False, {"contradicted", "unsupported"}),
    ):
        found = [verdict.outcome in outcomes for each, verdict in read if each == label]
        falling = name in ("false supported", "true blamed")
        about = f"share of {'true' if label else 'false'} statements that are {name.split()[1]}"
        yield name, figure(about, [found], mean_share, sample=statements, falling=falling)


def _verdict(statement: str, text: str) -> Verdict:
    question = SupportQuestion(statement=statement, evidence=(Evidence(text=text),))
    return ReaderJudge().judge([question])[0]


def audits(name: str, answers: Sequence[dict[str, Any]]) -> Named:
    """Measure which answers of a data set audits flag: those with a claim that is not so."""
    reports = [audit(each["statement"], each["sources"]) for each in answers]
    wrong = [each["label"] != "supported" for each in answers]
    flagged = [
        any(claim.verdict in ("contradicted", "unsupported") for claim in each.claims)
        for each in reports
    ]
    found = [*zip(wrong, flagged, strict=True)]
    sample = [
        [each["id"], each["statement"], each["sources"], is_wrong]
        for each, is_wrong in zip(answers, wrong, strict=True)
    ]
    about = f"F1 of audits that flag wrong answers, {name}"
    yield f"audit F1 {name}", figure(about, [found], f1, sample=sample)


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
