"""One sample checked: `SampleChecker` and its result, `CheckedSample`."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, cast

from pydantic import BaseModel, ValidationError

from citeguard.datasets.chunks import Chunk, Record
from citeguard.datasets.fields import Fields, MalformedSampleError
from citeguard.errors import CiteguardError, InvalidSourcesError, UndecidedError
from citeguard.judges.loops import run_sync, together
from citeguard.language.excerpts import as_path, shown
from citeguard.sources.collection import Source, Sources
from citeguard.validation.models import Answer
from citeguard.validation.policy import Policy, without_drops
from citeguard.validation.verification import averify, verify

SampleOutcome = Literal["kept", "rejected", "undecided"]

CONCURRENT_SAMPLES = 16
"""How many samples are checked at a time if judges are asked."""

# Code points of source text that are kept; what is prepared of them takes some thirty bytes each.
_CACHED_TEXT = 2_000_000
_SHOWN_KEYS = 200
_SHOWN_TEXT = 80
_SOURCE_FIELDS = ("id", "text", "title", "url")
# Pydantic cannot write a validator's message with a lone surrogate, such as one of a sample's text.
_SAMPLE_ERRORS = (MalformedSampleError, ValidationError, UndecidedError, UnicodeEncodeError)


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleProblem:
    """One error in a sample, or one question about it that no judge could decide.

    Attributes:
        code: The error's code; `sample_malformed`, `json_invalid`, `answer_missing`,
            `sources_missing` or `sources_invalid` if the sample could not be validated.
        message: Its message.
        path: Where in the answer, as Python would write it: "statements[0].citations[1].quote".
        score: The judge's score, or the similarity of the quote and the nearest passage, 0 to 1;
            `None` if there is none.
    """

    code: str
    message: str
    path: str = ""
    score: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedSample:
    """A sample and the result of checking it.

    Attributes:
        sample: The sample as it was given or read; an instance of a model becomes an object.
            `None` if it could not be read.
        outcome: `kept` if it passed, `rejected` if it has an error, `undecided` if it has no known
            error but a judge could not decide.
        problems: Why it was not kept.
        answer: The validated answer, if it was kept.
    """

    sample: Any
    outcome: SampleOutcome
    problems: tuple[SampleProblem, ...] = ()
    answer: Any = None

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of the problems, without duplicates, in their order."""
        return tuple(dict.fromkeys(problem.code for problem in self.problems))


class SampleChecker:
    """Checks samples one by one; sources that samples share are prepared once.

    A checker can be pickled if its model and its policy can. Use it from one thread at a time.

    Args:
        model: `Answer`, or your own model, that the samples' answers are validated as.
        sources: What all samples share, as `Sources` takes it; else each sample has its own.
        policy: What fails; the default policy if omitted. Or a function that returns it, called
            when it is first needed, in each process: for judges with connections or large models.
        fields: Where samples keep their parts.

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
        self._source_cache = SourceCache(self.sources)
        if policy is not None and not callable(policy):
            _require_policy(policy)
        if not isinstance(self.fields, Fields):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise CiteguardError(f"fields must be Fields(...), not {fields!r}")

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the arguments, not the caches."""
        given = {"sources": self.sources, "policy": self.given_policy, "fields": self.fields}
        return partial(type(self), self.model, **given), ()

    @property
    def policy(self) -> Policy | None:
        """The policy; a function that makes it is called now."""
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
        return policy is not None and bool(policy.judges or policy.aligners)

    def check(self, sample: Any) -> CheckedSample:
        """Check one sample: an object, or an instance of a model.

        Raises:
            CiteguardError: the setup is wrong.
        """
        [checked] = self.check_all([sample])
        return checked

    def check_all(self, samples: Sequence[Any]) -> list[CheckedSample]:
        """Check samples; judges are asked about sixteen of them concurrently.

        Raises:
            CiteguardError: the setup is wrong.
        """
        # Without a sample, a policy that was given as a function is not made.
        if not samples or not self.asks_judges:
            return [self._check(sample) for sample in samples]
        checked: list[CheckedSample] = []
        for start in range(0, len(samples), CONCURRENT_SAMPLES):
            concurrent = samples[start : start + CONCURRENT_SAMPLES]
            checked += run_sync(together(map(self._check_async, concurrent)))
        return checked

    def check_records(self, records: Sequence[Record], *, unit: str) -> list[CheckedSample]:
        """Check records, in order; those that could not be read are rejected.

        Messages call a record by its `unit`, such as "line".
        """
        readable = [record.sample for record in records if record.fault is None]
        checked = iter(self.check_all(readable))
        return [
            next(checked)
            if record.fault is None
            else _unreadable(f"{unit} {record.number}: {record.fault}")
            for record in records
        ]

    def check_chunk(self, chunk: Chunk) -> list[CheckedSample]:
        """Check the samples of a chunk, as `check_records` does.

        Raises:
            CiteguardError: the setup is wrong.
        """
        with ExitStack() as stack:
            stack.push(partial(_note_samples, chunk))
            return self.check_records(chunk.records, unit=chunk.unit)

    def sources_of(self, sample: Mapping[str, Any]) -> Sources:
        """Return the sources that a sample is checked against.

        Raises:
            MalformedSampleError: it has none, or they cannot be read as sources.
        """
        try:
            return self._source_cache.sources_of(self.fields.find("sources", sample))
        except MalformedSampleError as error:
            if error.code == "sources_missing":
                message = f"no sources at {self.fields.sources!r}; {_keys_of(sample)}"
                raise MalformedSampleError(message, error.code) from error
            raise

    def _check(self, sample: Any) -> CheckedSample:
        try:
            answer = verify(self.model, **self._arguments(sample))
        except _SAMPLE_ERRORS as error:
            return failed(sample, error)
        return CheckedSample(sample=sample, outcome="kept", answer=answer)

    async def _check_async(self, sample: Any) -> CheckedSample:
        try:
            answer = await averify(self.model, **self._arguments(sample))
        except _SAMPLE_ERRORS as error:
            return failed(sample, error)
        return CheckedSample(sample=sample, outcome="kept", answer=answer)

    def _arguments(self, sample: Any) -> dict[str, Any]:
        """Return the arguments of `verify` for a sample."""
        given = sample.model_dump() if isinstance(sample, BaseModel) else sample
        if not isinstance(given, Mapping):
            kind = "null" if given is None else type(given).__name__
            raise MalformedSampleError(f"a sample is an object, not {kind}")
        raw = cast("Mapping[str, Any]", given)
        sources = self.sources_of(raw)
        data = self.fields.data_of(raw, whole=self._needs_whole)
        if self._needs_statements and isinstance(data, Mapping) and "statements" not in data:
            raise MalformedSampleError(self._no_answer(raw), "answer_missing")
        question = self.fields.question_of(raw)
        return {
            "data": data,
            "sources": sources,
            "policy": without_drops(self.policy),
            "question": question,
        }

    def _no_answer(self, sample: Mapping[str, Any]) -> str:
        answer = self.fields.find("answer", sample)
        if isinstance(answer, str):
            text = shown(answer, _SHOWN_TEXT)
            return f"the text at {self.fields.answer!r} is not the JSON of an answer: “{text}”"
        return (
            f"no statements at {self.fields.statements!r}, and no answer, as an object or as "
            f"JSON, at {self.fields.answer!r}; {_keys_of(sample)}"
        )


def _note_samples(chunk: Chunk, _: object, error: BaseException | None, __: object) -> None:
    """Add to whatever a validator or a judge of the user's raises which samples it was about."""
    if isinstance(error, Exception):
        first, last = chunk.records[0].number, chunk.records[-1].number
        error.add_note(f"This was while samples {first:,} to {last:,} were checked.")


class SourceCache:
    """Keeps up to `limit` code points of recent sources: preparing takes longer than a check."""

    def __init__(self, shared: Sources | None = None, *, limit: int = _CACHED_TEXT) -> None:
        self._shared = shared
        self._limit = limit
        self._size = 0
        self._cached: OrderedDict[Source, Source] = OrderedDict()
        self._last: tuple[list[Source], Sources] | None = None

    def sources_of(self, given: Any) -> Sources:
        """Return the sources that a sample names or contains.

        Raises:
            MalformedSampleError: there are none, or they cannot be read as sources.
        """
        try:
            if listed := [self._cached_source(source) for source in self._read(given)]:
                return self._collection(listed)
        except InvalidSourcesError as error:
            raise MalformedSampleError(str(error), "sources_invalid") from error
        if self._shared is None:
            raise MalformedSampleError("the sample has no sources", "sources_missing")
        return self._shared

    def _collection(self, listed: list[Source]) -> Sources:
        # Samples about one document are often neighbours.
        if self._last is not None and list(map(id, self._last[0])) == list(map(id, listed)):
            return self._last[1]
        self._last = listed, Sources(listed)
        return self._last[1]

    def _read(self, given: Any) -> Iterator[Source]:
        if given is None:
            return
        if isinstance(given, Mapping):
            yield from _sources_in(cast("Mapping[Any, Any]", given))
            return
        listed = cast("Sequence[Any]", given if isinstance(given, (list, tuple)) else [given])
        for number, each in enumerate(listed, start=1):
            if isinstance(each, (str, int)) and self._shared is not None:
                yield self._shared_source(str(each), self._shared)
            else:
                yield _source(str(number), each)

    def _shared_source(self, source_id: str, shared: Sources) -> Source:
        if source_id not in shared:
            raise InvalidSourcesError(
                f"none of the shared sources has the id '{shown(source_id, _SHOWN_TEXT)}'; a text "
                "of the sample's own needs an id"
            )
        return shared[source_id]

    def _cached_source(self, source: Source) -> Source:
        """Return the equal source from the cache, or add this one."""
        if (cached := self._cached.get(source)) is not None:
            self._cached.move_to_end(source)
            return cached
        self._cached[source] = source
        self._size += len(source.text)
        while self._size > self._limit and len(self._cached) > 1:
            oldest, _ = self._cached.popitem(last=False)
            self._size -= len(oldest.text)
        return source


def _sources_in(given: Mapping[Any, Any]) -> Iterator[Source]:
    """Read `{id: text}`, one object, or columns of ids and texts, as older tables have them."""
    if _is_source(given):
        yield _source("1", given)
    elif isinstance(given.get("text"), (list, tuple)):
        names = [name for name in _SOURCE_FIELDS if isinstance(given.get(name), (list, tuple))]
        columns = [cast("Sequence[Any]", given[name]) for name in names]
        if len({len(column) for column in columns}) > 1:
            raise InvalidSourcesError("the columns of the sources differ in length")
        for number, row in enumerate(zip(*columns, strict=True), start=1):
            yield _source(str(number), dict(zip(names, row, strict=True)))
    else:
        # A table gives every row the keys of all rows, with null for those that it lacks.
        for source_id, text in given.items():
            if text is not None:
                yield _source(str(source_id), text)


def _is_source(given: Mapping[Any, Any]) -> bool:
    """Return whether a mapping is one source rather than `{id: text}`."""
    if "text" not in given or not ("id" in given or set(given) <= {*_SOURCE_FIELDS}):
        return False
    text = given["text"]
    return isinstance(text, str) or (text is None and given.get("id") is not None)


def _source(source_id: str, given: Any) -> Source:
    if not isinstance(given, Mapping):
        return Source(source_id, given)
    facts = cast("Mapping[str, Any]", given)
    own_id, title, url = facts.get("id"), facts.get("title"), facts.get("url")
    return Source(
        source_id if own_id is None else str(own_id),
        cast("str", facts.get("text")),
        title=title if isinstance(title, str) else None,
        url=url if isinstance(url, str) else None,
    )


def most_frequent_first(counts: Mapping[str, int]) -> dict[str, int]:
    """Return counts of codes in descending order; equal counts are ordered by code.

    Examples:
        >>> most_frequent_first({"undecided": 1, "quote_altered": 1, "quote_not_found": 2})
        {'quote_not_found': 2, 'quote_altered': 1, 'undecided': 1}
    """
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _has_more_fields(model: Any) -> bool:
    return bool(model.model_fields.keys() - Answer.model_fields.keys())


def _require_policy(policy: Any) -> Policy:
    if not isinstance(policy, Policy):
        raise CiteguardError(f"policy: expected a Policy, got {type(policy).__name__}")
    return policy


def _unreadable(fault: str) -> CheckedSample:
    problem = SampleProblem(code="sample_malformed", message=fault)
    return CheckedSample(sample=None, outcome="rejected", problems=(problem,))


def failed(sample: Any, error: Exception) -> CheckedSample:
    """Return the result for a sample whose check raised an error of the data."""
    if isinstance(error, ValidationError):
        problems = _problems(error)
    elif isinstance(error, MalformedSampleError):
        problems = (SampleProblem(code=error.code, message=str(error)),)
    else:
        problem_code = "value_error" if isinstance(error, UnicodeEncodeError) else "undecided"
        problems = (SampleProblem(code=problem_code, message=str(error)),)
    is_undecided = all(problem.code == "undecided" for problem in problems)
    outcome: SampleOutcome = "undecided" if is_undecided else "rejected"
    return CheckedSample(sample=sample, outcome=outcome, problems=problems)


def _problems(error: ValidationError) -> tuple[SampleProblem, ...]:
    problems: list[SampleProblem] = []
    for line in error.errors(include_url=False, include_input=False):
        facts = line.get("ctx", {})
        score = facts.get("score", facts.get("similarity"))
        problem = SampleProblem(
            code=line["type"],
            message=line["msg"],
            path=as_path(line["loc"]),
            score=score if isinstance(score, (int, float)) else None,
        )
        problems.append(problem)
    return tuple(problems)


def _keys_of(sample: Mapping[Any, Any]) -> str:
    keys = ", ".join(repr(key) for key in sample)
    return f"the sample's keys are {shown(keys, _SHOWN_KEYS)}" if keys else "the sample is empty"
