"""What audits say of sentences by long documents with headings, by how these are cut."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from citeguard import Policy, audit
from citeguard.reports.report import Report
from citeguard.auditing.run import UNSUPPORTED_BELOW
from citeguard.judges.grounding import GroundingVerifier
from citeguard.metrics import roc_auc
from citeguard.retrieval.passages import Passages, SectionPassages, Windows
from citeguard.retrieval.ranking import BM25Retriever
from citeguard.sources.collection import Source, Sources
from citeguard.sources.layout import Heading, Layout
from citeguard.verifier.model import Model

from ..tables import table
from .detectors import WRONG, Sentences, by_scores, by_verdicts, using
from .material import Answer
from .measuring import counted, percent, total

_SECTIONS = 5  # of a document
_WAYS: dict[str, tuple[Passages, int]] = {
    "3 sentences": (Windows(), 4),
    "sections": (SectionPassages(), 4),
    "sections, three": (SectionPassages(), 3),
}
"""Passages, and how many a judge is shown."""

_COLUMNS = ("sentences", "ROC AUC", "precision", "recall", "F1", "balanced accuracy")


def document_tables(
    sets: Mapping[str, Sequence[Answer]], models: Mapping[str, Model]
) -> Iterator[str]:
    """Write the figures of each data set, whose answers are sentences, by way of cutting.

    Args:
        sets: The data sets. Each document has the sources of several answers as its sections.
        models: For each a model that was fitted without it.
    """
    for name, answers in sets.items():
        yield from table(
            f"{name}: sentences with an error, in documents of {_SECTIONS} sections",
            ["passages", *_COLUMNS],
            ([way, *_figures(answers, models[name], *_WAYS[way])] for way in _WAYS),
        )


def _figures(answers: Sequence[Answer], model: Model, passages: Passages, k: int) -> list[object]:
    judge = GroundingVerifier(unsupported_below=UNSUPPORTED_BELOW)
    policy = Policy(support=[judge], retriever=BM25Retriever(passages=passages), passages=k)
    check = partial(audit, policy=policy, extractor=Sentences())
    documents = _documents(answers)
    with using(model):
        reports = [check(each.text, documents[_texts(each)]) for each in answers]
    checked = [pair for pair in zip(answers, reports, strict=True) if _is_checked(pair[1])]
    wrong = [answer.wrong for answer, _ in checked]
    scores = by_scores("", [report for _, report in checked]).scores
    flags = by_verdicts("", [report for _, report in checked], WRONG).scores
    found = total(counted(is_wrong, flag < 1) for is_wrong, flag in zip(wrong, flags, strict=True))
    shares = (found.precision, found.recall, found.f(), found.balanced)
    auc = roc_auc([not each for each in wrong], scores)
    return [len(checked), f"{auc:.3f}", *map(percent, shares)]


def _is_checked(report: Report) -> bool:
    return any(claim.verdict != "not_checkable" for claim in report.claims)


def _texts(answer: Answer) -> tuple[str, ...]:
    return tuple(answer.sources.values())


def _documents(answers: Sequence[Answer]) -> dict[tuple[str, ...], Sources]:
    """Return the document that an answer is checked by, for the texts of its sources."""
    known = list(dict.fromkeys(map(_texts, answers)))
    documents: dict[tuple[str, ...], Sources] = {}
    for start in range(0, len(known), _SECTIONS):
        together = known[start : start + _SECTIONS]
        documents |= dict.fromkeys(together, Sources([_document(together)]))
    return documents


def _document(sections: Sequence[Sequence[str]]) -> Source:
    text = ""
    headings: list[Heading] = []
    for number, paragraphs in enumerate(sections, start=1):
        heading = f"Part {number}"
        headings.append(Heading(heading, 1, len(text), len(text) + len(heading)))
        text += "\n\n".join([heading, *paragraphs, ""])
    return Source("document", text, layout=Layout("html", len(text), headings=headings))
