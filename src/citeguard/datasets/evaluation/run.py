"""Samples measured: `evaluate_samples`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from citeguard.datasets.codes import most_frequent_first
from citeguard.datasets.evaluation.labels import (
    Labelled,
    LabelQuality,
    Target,
    label_quality,
    read_label,
)
from citeguard.datasets.evaluation.reading import (
    ReadSample,
    ReadStatement,
    gold_citations,
    read_all,
)
from citeguard.datasets.evaluation.result import Evaluation
from citeguard.datasets.fields import Fields
from citeguard.datasets.samples import SampleProblem
from citeguard.errors import CiteguardError
from citeguard.judges.judge import Judge
from citeguard.judges.loops import run_sync
from citeguard.judges.session import Pending, Session
from citeguard.judges.verdicts import SupportQuestion, Verdict
from citeguard.language.excerpts import counted_as
from citeguard.metrics.citations import citation_quality
from citeguard.metrics.overlap import CitationOverlap, citation_overlap
from citeguard.metrics.reading import library
from citeguard.metrics.shares import Share, share_of
from citeguard.validation.evidence import question_about
from citeguard.validation.policy import Policy, embedded_judge

_PROBLEMS = {
    "unsupported": "statement_unsupported",
    "contradicted": "statement_contradicted",
    "undecided": "undecided",
}


def evaluate_samples(
    samples: Any,
    *,
    sources: Any = None,
    fields: Fields | None = None,
    judge: Judge | Sequence[Judge] | None = None,
    label: str | None = None,
    gold: str | None = None,
    precision: float | None = None,
    recall: float | None = None,
) -> Evaluation:
    """Measure the citations of samples, and the verdicts on them against labels.

    Every quote is looked up and every statement judged, by itself: one that fails leaves the others
    measured. A sample is decided as `filter_samples` does it with `Policy.fast()`, or with the
    judges given. Its score is that of its least supported statement, and 0 if one of its quotes
    stands nowhere or one of its statements has none. It has none where a judge did not grade.

    The statements of all samples are held in memory. The judge is asked about each statement, and
    up to twice about each citation, as `citation_quality` does it; one that keeps no verdicts is
    asked about statements once more.

    Args:
        samples: Whatever `read_samples` takes: a path, a frame, a dataset, an iterable of objects.
        sources: What all samples share, as `Sources` takes it; else each sample has its own.
        fields: Where samples keep what.
        judge: Who tells whether what is cited supports a statement, or several who are asked in
            turn; by default the verifier that comes with the package.
        label: Where samples keep whether they are supported: `supported`, true or 1; or
            `unsupported`, `contradicted`, false or 0. Those without one are left out there.
        gold: Where samples keep the citations that they should have, a list of texts or of objects
            with a `quote` (or a `text`) and a `source_id`. Those without are left out there.
        precision: Find the least score from which on samples are supported with this precision.
        recall: Find the highest score from which on they have this recall.

    Raises:
        CiteguardError: the set-up is wrong, a file cannot be read, no sample can be measured, or
            has a label or gold citations where they were named; what is no label; or the extra
            `metrics` is missing, which labels and gold citations need.

    Examples:
        >>> citation = {"quote": "Notice is one month.", "source_id": "handbook"}
        >>> sample = {"statements": [{"text": "Notice is one month.", "citations": [citation]}]}
        >>> found = evaluate_samples([sample], sources={"handbook": "Notice is one month."})
        >>> found.quotes.value, found.citations.recall
        (1.0, Share(yes=1, no=0, undecided=0))
    """
    target = Target(precision=precision, recall=recall)
    _check_setup(label, gold, target)
    policy = Policy(support=_judges(judge))
    reading = _Reading()
    for each in read_all(samples, sources=sources, fields=fields, label=label, gold=gold):
        reading.add(each)
    measured = reading.measured()
    labels = None if label is None else _labels_of(measured, label)
    found = None if gold is None else _overlap(measured, gold)
    judged = _judged(measured, policy.support)
    statements = [statement for sample in judged for statement in sample]
    return Evaluation(
        read=reading.read,
        unreadable=most_frequent_first(reading.codes),
        examples=reading.examples,
        samples=share_of(map(_decision, judged)),
        quotes=_quotes(measured),
        statements=share_of(statement.decision for statement in statements),
        problems=most_frequent_first(Counter(code for each in statements for code in each.codes)),
        citations=citation_quality(
            ([each.cited for each in sample.statements] for sample in measured), policy.support
        ),
        labels=None if labels is None else _label_quality(labels, judged, target),
        gold=found,
        without_gold=0 if gold is None else sum(sample.gold is None for sample in measured),
    )


class _Reading:
    """Samples that were read, and counts of those that could not be."""

    def __init__(self) -> None:
        self.read = 0
        self.codes: Counter[str] = Counter()
        self.examples: dict[str, str] = {}
        self._measured: list[ReadSample] = []

    def add(self, sample: ReadSample | tuple[SampleProblem, ...]) -> None:
        """Take a sample, or why it could not be read."""
        self.read += 1
        if isinstance(sample, ReadSample):
            self._measured.append(sample)
            return
        first = sample[0]
        self.codes[first.code] += 1
        self.examples.setdefault(first.code, first.message)

    def measured(self) -> list[ReadSample]:
        """Return those that were read.

        Raises:
            CiteguardError: there are none.
        """
        if not self._measured:
            if not self.read:
                raise CiteguardError("there are no samples to measure")
            code, count = self.codes.most_common(1)[0]
            raise CiteguardError(
                f"none of {counted_as(self.read, 'sample')} can be measured; {count:,} by "
                f"{code}: {self.examples[code]}"
            )
        return self._measured


@dataclass(frozen=True, slots=True, kw_only=True)
class _Judged:
    """A statement, and what was said of it; nobody is asked where its quotes are wrong."""

    statement: ReadStatement
    verdict: Verdict | None

    @property
    def codes(self) -> list[str]:
        """What is wrong with it and with its quotes."""
        if self.verdict is None:
            return self.statement.codes
        return [_PROBLEMS[self.verdict.outcome]] if self.verdict.outcome in _PROBLEMS else []

    @property
    def decision(self) -> bool | None:
        """Whether it passes; `None` if nobody could tell."""
        codes = self.codes
        return None if codes == ["undecided"] else not codes

    @property
    def score(self) -> float | None:
        """How well it is supported, 0 to 1."""
        return 0.0 if self.verdict is None else self.verdict.score


def _check_setup(label: str | None, gold: str | None, target: Target) -> None:
    """Refuse what would fail in the end, after all samples have been judged."""
    if target and label is None:
        raise CiteguardError("a threshold is chosen against labels: name the field that holds them")
    if label is not None:
        library("sklearn.metrics")
    if target or gold is not None:
        library("scipy.stats")
    if gold is not None:
        library("rouge_score.rouge_scorer")


def _judges(judge: Any) -> Sequence[Judge]:
    if judge is None:
        return [embedded_judge()]
    return judge if isinstance(judge, (list, tuple)) else [judge]  # pyright: ignore[reportUnknownVariableType]


def _judged(samples: Iterable[ReadSample], judges: Sequence[Judge]) -> list[list[_Judged]]:
    listed = [sample.statements for sample in samples]
    questions = dict.fromkeys(
        _question(each) for statements in listed for each in statements if not each.codes
    )
    asked = [Pending(tuple(judges), question) for question in questions]
    verdicts: list[Verdict] = run_sync(Session().settle(asked)) if asked else []
    known = dict(zip(questions, verdicts, strict=True))

    def judged(statement: ReadStatement) -> _Judged:
        verdict = None if statement.codes else known[_question(statement)]
        return _Judged(statement=statement, verdict=verdict)

    return [[judged(each) for each in statements] for statements in listed]


def _question(statement: ReadStatement) -> SupportQuestion:
    shown = (passage for each in statement.citations for passage in each.shown)
    return question_about(statement.text, shown)


def _decision(statements: Sequence[_Judged]) -> bool | None:
    """Tell whether a sample passes, as a filter does; an answer that says nothing does not."""
    decisions = {each.decision for each in statements}
    if False in decisions or not decisions:
        return False
    return None if None in decisions else True


def _score(statements: Sequence[_Judged]) -> float | None:
    scores = [each.score for each in statements]
    known = [score for score in scores if score is not None]
    return min(known, default=0.0) if len(known) == len(scores) else None


def _quotes(samples: Iterable[ReadSample]) -> Share:
    return share_of(
        citation.code is None
        for sample in samples
        for statement in sample.statements
        for citation in statement.citations
    )


def _labels_of(samples: Sequence[ReadSample], label: str) -> list[bool | None]:
    labels = [read_label(sample.label, sample.number) for sample in samples]
    if all(each is None for each in labels):
        raise CiteguardError(f"no sample has a label at {label!r}")
    return labels


def _label_quality(
    labels: Sequence[bool | None], judged: Sequence[Sequence[_Judged]], target: Target
) -> LabelQuality:
    labelled = [
        Labelled(label=label, decision=_decision(sample), score=_score(sample))
        for label, sample in zip(labels, judged, strict=True)
        if label is not None
    ]
    return label_quality(labelled, target, unlabelled=list(labels).count(None))


def _overlap(samples: Sequence[ReadSample], gold: str) -> CitationOverlap:
    with_gold = [sample for sample in samples if sample.gold is not None]
    if not with_gold:
        raise CiteguardError(f"no sample has gold citations at {gold!r}")
    return citation_overlap(
        [
            [citation.cited for each in sample.statements for citation in each.citations]
            for sample in with_gold
        ],
        [gold_citations(sample) for sample in with_gold],
    )
