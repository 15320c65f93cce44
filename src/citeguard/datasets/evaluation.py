"""How good the citations of samples are, and the verdicts on them: `evaluate_samples`.

Samples are parsed statement by statement, so that a bad quote leaves the others measurable.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, cast

from pydantic import BaseModel
from pydantic_core import PydanticCustomError

from citeguard.datasets.fields import Fields, MalformedSampleError, field_getter
from citeguard.datasets.readers import CHUNK_SIZE, reader_of
from citeguard.datasets.samples import SampleChecker, SampleProblem, failed, most_frequent_first
from citeguard.errors import CiteguardError, check_number
from citeguard.judges.cascade import Pending, Session, stages_of_models
from citeguard.judges.loops import run_sync
from citeguard.judges.usage import Budget, Stage, models_data
from citeguard.judges.verdicts import Evidence, Judge, SupportQuestion, Verdict
from citeguard.language.excerpts import counted_as
from citeguard.metrics.citations import CitationQuality, CitedStatement, citation_quality
from citeguard.metrics.labels import (
    Calibration,
    ClassificationQuality,
    Threshold,
    calibration,
    classification_quality,
    find_threshold,
    roc_auc,
)
from citeguard.metrics.shares import Share, library, share_of
from citeguard.validation.context import Grounding
from citeguard.validation.models import Answer
from citeguard.validation.policy import DEFAULT_POLICY, Policy, reader_judge
from citeguard.validation.quote_rules import check_quote
from citeguard.validation.support import VERDICT_CODES, cited_evidence, question_about

# As a key, 1 is also True, 1.0 and numpy's.
_LABELS: dict[Hashable, bool] = {
    **dict.fromkeys(("supported", "true", "1", 1), True),
    **dict.fromkeys(("unsupported", "contradicted", "false", "0", 0), False),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelQuality:
    """How the verdicts on samples agree with their labels.

    Attributes:
        supported: With supported samples as positives: precision is the share of kept samples that
            are supported.
        wrong: With the other samples as positives: recall is the share of wrong samples that were
            detected.
        scored: How many labelled samples have a score; the figures below are of these.
        roc_auc: The probability that a supported sample has a higher score than a wrong one.
        calibration: How far scores are from the probability of being supported.
        target: What the threshold was to reach: a `precision` or a `recall`; empty if neither.
        threshold: The lowest score that counts as supported; `None` if no score reaches the target,
            or there is none.
        unlabelled: How many samples have no label; they are not included above.
    """

    supported: ClassificationQuality
    wrong: ClassificationQuality
    scored: int
    roc_auc: float | None
    calibration: Calibration
    target: Mapping[str, float]
    threshold: Threshold | None
    unlabelled: int

    def as_data(self) -> dict[str, Any]:
        """Return it as JSON-like data; undefined values are `None`."""
        labelled = self.supported.decided + self.supported.undecided
        return {"unlabelled": self.unlabelled, "labelled": labelled, **asdict(self)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """How good the citations of samples are, and, with labels, how good the verdicts on them.

    Attributes:
        read: How many samples were read.
        unreadable: How many could not be measured, by the code of what is wrong with them: their
            shape, or their sources. They are not included below.
        examples: The first message of each of these codes.
        refusals: How many answers have no statement and say that the sources do not answer. They
            are right or wrong by their question, not by their citations, so they are not included
            in `samples` and `labels`.
        samples: Those that pass the filter: all quotes are found, all statements are supported.
        quotes: The quotes that are found in their source.
        statements: The statements that pass: their quotes are found and support them.
        problems: How many quotes and statements have each error code, in descending order.
        citations: Citation recall and precision, by the judge; a quote that is not
            found supports nothing.
        labels: How the verdicts agree with labels, if there are any.
        models: What each judge was asked that is not `local`, such as a language model.
    """

    read: int
    unreadable: Mapping[str, int]
    examples: Mapping[str, str]
    refusals: int = 0
    samples: Share
    quotes: Share
    statements: Share
    problems: Mapping[str, int]
    citations: CitationQuality
    labels: LabelQuality | None = None
    models: tuple[Stage, ...] = ()

    def as_data(self) -> dict[str, Any]:
        """Return it as JSON-like data; undefined values are `None`."""

        def shares(owner: object, *names: str) -> dict[str, Any]:
            found: dict[str, Share] = {name: getattr(owner, name) for name in names}
            return {name: {"value": each.value, **asdict(each)} for name, each in found.items()}

        cited = self.citations
        means = {"mean_recall": cited.mean_recall, "mean_precision": cited.mean_precision}
        return {
            "read": self.read,
            "unreadable": [
                {"code": code, "samples": count, "example": self.examples[code]}
                for code, count in self.unreadable.items()
            ],
            "refusals": self.refusals,
            **shares(self, "samples", "quotes", "statements"),
            "problems": dict(self.problems),
            "citations": {**shares(cited, "recall", "precision"), **means},
            **models_data(self.models),
            "labels": None if self.labels is None else self.labels.as_data(),
        }


def evaluate_samples(
    samples: Any,
    *,
    sources: Any = None,
    fields: Fields | None = None,
    judge: Judge | Sequence[Judge] | None = None,
    budget: Budget | None = None,
    label: str | None = None,
    precision: float | None = None,
    recall: float | None = None,
) -> Evaluation:
    """Measure the citations of samples, and the verdicts on them against labels.

    Every quote is looked up and every statement judged by itself, so one that fails leaves the
    others measured. A sample is decided as `filter_samples` does with `Policy.fast()`, or with the
    judges given. Its score is that of its least supported statement, and 0 if one of its quotes is
    not found or one of its statements has none. It has no score if a judge gave none.

    The statements of all samples are held in memory. The judge is asked about each statement, and
    up to twice about each citation, as by `citation_quality`.

    Args:
        samples: What `filter_samples` takes: a path, a frame, a dataset, an iterable of objects.
        sources: What all samples share, as `Sources` takes it; else each sample has its own.
        fields: Where samples keep their parts.
        judge: Decides whether what is cited supports a statement; or several, asked in turn; by
            default the verifier that comes with the package.
        budget: What the judges of all samples together may cost.
        label: Where samples keep whether they are supported: `supported`, true or 1; or
            `unsupported`, `contradicted`, false or 0. Those without a label are omitted there.
        precision: Find the lowest score from which on samples are supported with this precision.
        recall: Find the highest score from which on they have this recall.

    Raises:
        CiteguardError: the setup is wrong, a file cannot be read, no sample can be measured, no
            sample has a label where one was named, a label is invalid, or the extra `metrics` is
            missing, which labels need.

    Examples:
        >>> citation = {"quote": "Notice is one month.", "source_id": "handbook"}
        >>> sample = {"statements": [{"text": "Notice is one month.", "citations": [citation]}]}
        >>> evaluation = evaluate_samples([sample], sources={"handbook": "Notice is one month."})
        >>> evaluation.quotes.value, evaluation.citations.recall
        (1.0, Share(yes=1, no=0, undecided=0))
    """
    target = _check_setup(label, precision=precision, recall=recall)
    listed = [reader_judge() if judge is None else judge]
    policy = Policy(support=judge if isinstance(judge, (list, tuple)) else cast("Any", listed))
    measured: list[_Sample] = []
    unreadable: Counter[str] = Counter()
    examples: dict[str, str] = {}
    for each in _parse(samples, sources=sources, fields=fields, label=label):
        if isinstance(each, _Sample):
            measured.append(each)
        else:
            unreadable[each.code] += 1
            examples.setdefault(each.code, each.message)
    if not measured:
        none = f"none of {counted_as(unreadable.total(), 'sample')} can be measured"
        codes = (f"{n:,} by {code}: {examples[code]}" for code, n in unreadable.items())
        raise CiteguardError("; ".join([none, *codes]))
    # Labels first: what is wrong with them should cost no judge's work.
    labels = [] if label is None else [read_label(each.label, each.number) for each in measured]
    if label is not None and all(each is None for each in labels):
        raise CiteguardError(f"no sample has a label at {label!r}")
    session = Session(budget)
    statements = [statement for sample in measured for statement in sample.statements]
    _judge(statements, policy.judges, session)
    # A quote that was not found shows nothing.
    cited = [
        [CitedStatement(text=each.text, citations=each.citations) for each in sample.statements]
        for sample in measured
    ]
    return Evaluation(
        read=len(measured) + unreadable.total(),
        unreadable=most_frequent_first(unreadable),
        examples=examples,
        refusals=sum(sample.refuses for sample in measured),
        samples=share_of(sample.decision for sample in measured if not sample.refuses),
        quotes=share_of(bool(shown) for each in statements for shown in each.citations),
        statements=share_of(statement.decision for statement in statements),
        problems=most_frequent_first(Counter(code for each in statements for code in each.codes)),
        citations=citation_quality(cited, policy.judges, session=session),
        labels=_label_quality(labels, measured, target) if label else None,
        models=stages_of_models(policy.judges, session.usage),
    )


def _check_setup(label: str | None, **given: float | None) -> dict[str, float]:
    """Return the target, or raise now what would be raised after all samples have been judged."""
    target = {name: value for name, value in given.items() if value is not None}
    if len(target) > 1:
        raise CiteguardError("a threshold is chosen for a precision or for a recall: name one")
    for name, value in target.items():
        check_number(name, value, 0.0, 1.0, above=True)
        library("scipy.stats")
    if target and label is None:
        raise CiteguardError("a threshold is chosen against labels: name the field that holds them")
    if label is not None:
        library("sklearn.metrics")
    return target


def _judge(statements: Iterable[_Statement], judges: tuple[Judge, ...], session: Session) -> None:
    """Set the verdict of each statement without an error; equal questions are asked once."""
    asked: dict[SupportQuestion, list[_Statement]] = {}
    for each in statements:
        if not each.errors:
            shown = (evidence for citation in each.citations for evidence in citation)
            asked.setdefault(question_about(each.text, shown), []).append(each)
    pending = [Pending(judges, question) for question in asked]
    verdicts: list[Verdict] = run_sync(session.settle(pending)) if pending else []
    for same, verdict in zip(asked.values(), verdicts, strict=True):
        for each in same:
            each.verdict = verdict


@dataclass(slots=True, kw_only=True)
class _Statement:
    """A statement; it has a verdict once it is judged, if it has no errors.

    `citations` has what a judge is shown of each: nothing of a quote that was not found. `errors`
    are the codes of the statement itself and of its quotes.
    """

    text: str
    citations: list[tuple[Evidence, ...]]
    errors: list[str]
    verdict: Verdict | None = None

    @property
    def codes(self) -> list[str]:
        judged = None if self.verdict is None else VERDICT_CODES.get(self.verdict.outcome)
        return self.errors if judged is None else [judged]

    @property
    def decision(self) -> bool | None:
        """Whether it passes; `None` if it is undecided."""
        return None if self.codes == ["undecided"] else not self.codes


@dataclass(frozen=True, slots=True)
class _Sample:
    """The statements of a sample's answer, and its label, as it was given."""

    number: int
    statements: tuple[_Statement, ...]
    refuses: bool
    label: Any

    @property
    def decision(self) -> bool | None:
        """Whether it passes, as a filter decides; an empty answer does not."""
        decisions = {each.decision for each in self.statements}
        if False in decisions or not decisions:
            return False
        return None if None in decisions else True

    @property
    def score(self) -> float | None:
        """The lowest score of a statement; 0 if one has no verdict, `None` if one has no score."""
        scores = [0.0 if each.verdict is None else each.verdict.score for each in self.statements]
        known = [score for score in scores if score is not None]
        return min(known, default=0.0) if len(known) == len(scores) else None


# Validation would stop at a wrong quote; here each is measured by itself.
class _LenientCitation(BaseModel):
    quote: str
    source_id: str | None = None


class _LenientStatement(BaseModel):
    text: str
    citations: list[_LenientCitation]


class _LenientAnswer(Answer):
    """An answer of the right shape, whatever its quotes are."""

    statements: list[_LenientStatement]  # pyright: ignore[reportIncompatibleVariableOverride]


def _parse(
    samples: Any, *, sources: Any, fields: Fields | None, label: str | None
) -> Iterator[_Sample | SampleProblem]:
    """Yield the samples, or the first problem of those that cannot be parsed."""
    lenient = Policy(empty="pass")
    checker = SampleChecker(_LenientAnswer, sources=sources, policy=lenient, fields=fields)
    label_of = field_getter("label", label)
    for chunk in reader_of(samples).chunks(CHUNK_SIZE, 0):
        for record, checked in zip(chunk.records, checker.check_chunk(chunk), strict=True):
            if checked.answer is None:
                yield checked.problems[0]
                continue
            answer: _LenientAnswer = checked.answer
            grounding = Grounding(checker.sources_of(record.sample), lenient)
            statements = tuple(_statement(each, grounding) for each in answer.statements)
            refuses = not statements and answer.unanswerable is not None
            try:
                labelled = label_of(record.sample)
            except MalformedSampleError as error:
                yield failed(None, error).problems[0]
            else:
                yield _Sample(record.number, statements, refuses, labelled)


def _statement(given: _LenientStatement, grounding: Grounding) -> _Statement:
    errors = [] if given.text.strip() else ["statement_empty"]
    errors += [] if given.citations else ["statement_uncited"]
    citations: list[tuple[Evidence, ...]] = []
    for each in given.citations:
        rule, source_id = DEFAULT_POLICY.quote, each.source_id
        try:
            match = check_quote(each.quote, grounding, source_id=source_id, rule=rule)
            citations.append(tuple(cited_evidence(given.text, [match.spans], grounding)))
        except PydanticCustomError as error:
            errors.append(error.type)
            citations.append(())
    return _Statement(text=given.text, citations=citations, errors=errors)


def read_label(value: Any, number: int) -> bool | None:
    """Return whether a label says that a sample is supported, or `None` if there is no label.

    In frames with missing values, numbers have become 1.0 and 0.0, and missing ones NaN.

    Raises:
        CiteguardError: it says neither.

    Examples:
        >>> [read_label(value, 1) for value in ("supported", "contradicted", 1, False, None)]
        [True, False, True, False, None]
    """
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None
    key = value.strip().lower() if isinstance(value, str) else value
    label = _LABELS.get(key) if isinstance(key, Hashable) else None
    if label is None:
        known = ", ".join(dict.fromkeys(map(str, _LABELS)))
        raise CiteguardError(f"sample {number}: the label must be one of {known}, not {value!r}")
    return label


def _label_quality(
    labels: Sequence[bool | None], judged: Sequence[_Sample], target: Mapping[str, float]
) -> LabelQuality:
    labelled = [
        (label, each.decision, each.score)
        for label, each in zip(labels, judged, strict=True)
        if label is not None and not each.refuses
    ]
    truth, decisions = [label for label, *_ in labelled], [each for _, each, _ in labelled]
    scored = [(label, score) for label, _, score in labelled if score is not None]
    scored_truth, scores = [label for label, _ in scored], [score for _, score in scored]
    return LabelQuality(
        supported=classification_quality(truth, decisions),
        wrong=classification_quality(
            [not each for each in truth], [None if each is None else not each for each in decisions]
        ),
        scored=len(scored),
        roc_auc=roc_auc(scored_truth, scores),
        calibration=calibration(scored_truth, scores),
        target=target,
        threshold=find_threshold(scored_truth, scores, **target) if target else None,
        unlabelled=list(labels).count(None),
    )
