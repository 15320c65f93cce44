"""One sample checked: `SampleChecker`, and what it finds, `CheckedSample`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from citeguard.datasets.fields import Fields, MalformedSampleError
from citeguard.datasets.shelf import Shelf
from citeguard.errors import CiteguardError, UndecidedError
from citeguard.judges.loops import run_sync, together
from citeguard.language.excerpts import as_path, shown
from citeguard.sources.collection import Sources
from citeguard.validation.models import Answer
from citeguard.validation.policy import Policy
from citeguard.validation.verification import averify, verify

SampleOutcome = Literal["kept", "rejected", "undecided"]
OUTCOMES: tuple[SampleOutcome, ...] = get_args(SampleOutcome)

SIDE_BY_SIDE = 16
"""Samples that are checked at a time where judges work."""

_KEYS_SHOWN = 200
_TEXT_SHOWN = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleProblem:
    """One thing that is wrong with a sample, or that nobody could tell.

    Attributes:
        code: The error's code; `sample_malformed`, `json_invalid`, `answer_missing`,
            `sources_missing` or `sources_invalid` where no validation was possible.
        message: Its message.
        path: Where in the answer, as Python would write it: "statements[0].citations[1].quote".
        score: The judge's score, or how alike the quote and the nearest passage are, from 0 to 1;
            `None` if there is none.
    """

    code: str
    message: str
    path: str = ""
    score: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedSample:
    """A sample, and what the checks made of it.

    Attributes:
        sample: The sample as it was given, or read, which makes an object of a model's instance;
            `None` if it could not be read.
        outcome: `kept` if it passed, `rejected` if something is wrong with it, `undecided` if
            nothing is known to be wrong, but nobody could tell of something.
        problems: Why it was not kept.
        answer: What it was validated to, if it was kept.
    """

    sample: Any
    outcome: SampleOutcome
    problems: tuple[SampleProblem, ...] = ()
    answer: Any = None

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of the problems, each once, in their order."""
        return tuple(dict.fromkeys(problem.code for problem in self.problems))


class SampleChecker:
    """Checks samples one by one; sources that samples share are prepared once.

    A checker can be sent to another process if its model and its policy can. It may be used from
    one thread at a time.

    Args:
        model: `Answer`, or any model of yours, that the samples' answers are validated as.
        sources: What all samples share, as `Sources` takes it; else each sample has its own.
        policy: What fails; the default policy when absent. Or a function that returns it, called
            when it is first needed, in each process: for judges with connections or large models.
        fields: Where samples keep what.

    Raises:
        CiteguardError: arguments of the wrong type.

    Examples:
        >>> citation = {"quote": "one month", "source_id": "handbook"}
        >>> sample = {
        ...     "statements": [{"text": "It takes a month.", "citations": [citation]}],
        ...     "sources": {"handbook": "Notice is one month."},
        ... }
        >>> SampleChecker().check(sample).outcome
        'kept'
    """

    def __init__(
        self,
        model: Any = Answer,
        *,
        sources: Any = None,
        policy: Policy | Callable[[], Policy] | None = None,
        fields: Fields | None = None,
    ) -> None:
        self.model = model
        self.sources = None if sources is None else Sources(sources)
        self.fields = Fields() if fields is None else fields
        self.given_policy = policy
        self._made_policy: Policy | None = None
        self._needs_statements = isinstance(model, type) and issubclass(model, Answer)
        self._needs_whole = not self._needs_statements or _has_more_fields(model)
        self._shelf = Shelf(self.sources)
        if policy is not None and not callable(policy):
            _require_policy(policy)
        if not isinstance(self.fields, Fields):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise CiteguardError(f"fields must be Fields(...), not {fields!r}")

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle what it was made of, not what it keeps."""
        return _checker, (self.model, self.sources, self.given_policy, self.fields)

    @property
    def policy(self) -> Policy | None:
        """The policy, made now if it was given as a function."""
        given = self.given_policy
        if given is None or isinstance(given, Policy):
            return given
        if self._made_policy is None:
            self._made_policy = _require_policy(given())
        return self._made_policy

    @property
    def asks_judges(self) -> bool:
        """Whether the policy has judges."""
        policy = self.policy
        return policy is not None and bool(policy.support or policy.aligners)

    def check(self, sample: Any) -> CheckedSample:
        """Check one sample; an object, or a model's instance.

        Raises:
            CiteguardError: the set-up is wrong.
        """
        [checked] = self.check_all([sample])
        return checked

    def check_all(self, samples: Sequence[Any]) -> list[CheckedSample]:
        """Check samples, whose judges then work side by side.

        Raises:
            CiteguardError: the set-up is wrong.
        """
        if self.asks_judges:
            return run_sync(together(map(self._check_async, samples)))
        return [self._check(sample) for sample in samples]

    def sources_of(self, sample: Mapping[str, Any]) -> Sources:
        """Return the sources that a sample is checked against.

        Raises:
            MalformedSampleError: it has none, or they cannot be read as sources.
        """
        try:
            return self._shelf.sources_of(self.fields.find("sources", sample))
        except MalformedSampleError as error:
            if error.code == "sources_missing":
                told = f"no sources at {self.fields.sources!r}; {_keys_of(sample)}"
                raise MalformedSampleError(told, error.code) from error
            raise

    def _check(self, sample: Any) -> CheckedSample:
        try:
            answer = verify(self.model, **self._question(sample))
        except _REFUSALS as error:
            return _refused(sample, error)
        return CheckedSample(sample=sample, outcome="kept", answer=answer)

    async def _check_async(self, sample: Any) -> CheckedSample:
        try:
            answer = await averify(self.model, **self._question(sample))
        except _REFUSALS as error:
            return _refused(sample, error)
        return CheckedSample(sample=sample, outcome="kept", answer=answer)

    def _question(self, sample: Any) -> dict[str, Any]:
        """Return what `verify` is to be asked about a sample, by its arguments' names.

        Raises:
            MalformedSampleError: the sample cannot be read.
        """
        given = sample.model_dump() if isinstance(sample, BaseModel) else sample
        if not isinstance(given, Mapping):
            raise MalformedSampleError(f"a sample is an object, not {_type_of(given)}")
        raw = cast("Mapping[str, Any]", given)
        sources = self.sources_of(raw)
        data = self.fields.data_of(raw, whole=self._needs_whole)
        if self._needs_statements and isinstance(data, Mapping) and "statements" not in data:
            raise MalformedSampleError(self._no_answer(raw), "answer_missing")
        question = self.fields.question_of(raw)
        return {"data": data, "sources": sources, "policy": self.policy, "question": question}

    def _no_answer(self, sample: Mapping[str, Any]) -> str:
        """Tell what was found where an answer was looked for."""
        answer = self.fields.find("answer", sample)
        if isinstance(answer, str):
            said = shown(answer, _TEXT_SHOWN)
            return f"the text at {self.fields.answer!r} is not the JSON of an answer: “{said}”"
        return (
            f"no statements at {self.fields.statements!r}, and no answer, as an object or as "
            f"JSON, at {self.fields.answer!r}; {_keys_of(sample)}"
        )


def unreadable(fault: str) -> CheckedSample:
    """Return what is found of a sample that could not be read: that it is a rejected one."""
    problem = SampleProblem(code="sample_malformed", message=fault)
    return CheckedSample(sample=None, outcome="rejected", problems=(problem,))


# Pydantic cannot write a validator's message that has a lone surrogate, as of a sample's text.
_REFUSALS = (MalformedSampleError, ValidationError, UndecidedError, UnicodeEncodeError)


def _checker(model: Any, sources: Any, policy: Any, fields: Fields) -> SampleChecker:
    return SampleChecker(model, sources=sources, policy=policy, fields=fields)


def _has_more_fields(model: Any) -> bool:
    return bool(model.model_fields.keys() - Answer.model_fields.keys())


def _require_policy(made: Any) -> Policy:
    if not isinstance(made, Policy):
        raise CiteguardError(f"a policy must be a Policy(...), not {made!r}")
    return made


def _refused(sample: Any, error: Exception) -> CheckedSample:
    if isinstance(error, ValidationError):
        lines = error.errors(include_url=False, include_input=False)
        problems = tuple(map(_problem, lines))
    elif isinstance(error, MalformedSampleError):
        problems = (SampleProblem(code=error.code, message=str(error)),)
    elif isinstance(error, UnicodeEncodeError):
        problems = (SampleProblem(code="value_error", message=str(error)),)
    else:
        problems = (SampleProblem(code="undecided", message=str(error)),)
    is_undecided = all(problem.code == "undecided" for problem in problems)
    outcome: SampleOutcome = "undecided" if is_undecided else "rejected"
    return CheckedSample(sample=sample, outcome=outcome, problems=problems)


def _problem(line: ErrorDetails) -> SampleProblem:
    facts = line.get("ctx", {})
    score = facts.get("score", facts.get("similarity"))
    return SampleProblem(
        code=line["type"],
        message=line["msg"],
        path=as_path(line["loc"]),
        score=score if isinstance(score, (int, float)) else None,
    )


def _type_of(value: Any) -> str:
    return "null" if value is None else type(value).__name__


def _keys_of(sample: Mapping[Any, Any]) -> str:
    """Tell what keys a sample has, so that somebody can name the right one."""
    keys = ", ".join(repr(key) for key in sample)
    return f"the sample's keys are {shown(keys, _KEYS_SHOWN)}" if keys else "the sample is empty"
