"""One sample checked: `SampleChecker` and its result, `CheckedSample`."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, cast

from pydantic import BaseModel, ValidationError

from citeguard.datasets.fields import Fields, MalformedSampleError
from citeguard.datasets.readers import Chunk
from citeguard.errors import CiteguardError, InvalidSourcesError, UndecidedError, check_kind
from citeguard.judges.loops import run_sync, together
from citeguard.language.excerpts import as_path, shown
from citeguard.sources.collection import Source, Sources, as_source, is_record, read_pairs
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

    The arguments are those of `filter_samples`. A policy that is a function is called when it is
    first needed.

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
        # A model with further fields gets the whole sample; an answer its statements.
        self._needs_statements = isinstance(model, type) and issubclass(model, Answer)
        names = cast("Any", model).model_fields.keys() if self._needs_statements else {""}
        self._needs_whole = not names <= Answer.model_fields.keys()
        self._source_cache = SourceCache(self.sources)
        if policy is not None and not callable(policy):
            require_policy(policy)
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
            self._made_policy = require_policy(given())
        return self._made_policy

    def check(self, sample: Any) -> CheckedSample:
        """Check one sample: an object, or an instance of a model.

        Raises:
            CiteguardError: the setup is wrong.
        """
        return self.check_all([sample])[0]

    def check_all(self, samples: Sequence[Any]) -> list[CheckedSample]:
        """Check samples; judges are asked about sixteen of them concurrently."""
        # Without a sample, a policy that was given as a function is not made.
        policy = self.policy if samples else None
        if policy is None or not (policy.judges or policy.aligners):
            return [self._check(sample) for sample in samples]
        checked: list[CheckedSample] = []
        for start in range(0, len(samples), CONCURRENT_SAMPLES):
            concurrent = samples[start : start + CONCURRENT_SAMPLES]
            checked += run_sync(together(map(self._check_async, concurrent)))
        return checked

    def check_chunk(self, chunk: Chunk) -> list[CheckedSample]:
        """Check the samples of a chunk, in order; those that could not be read are rejected."""
        records = chunk.records
        try:
            checked = iter(self.check_all([each.sample for each in records if each.fault is None]))
        except Exception as error:
            # Whatever a validator or a judge of the user's raises, it was about these samples.
            first, last = records[0].number, records[-1].number
            error.add_note(f"This was while samples {first:,} to {last:,} were checked.")
            raise
        return [
            next(checked)
            if each.fault is None
            else failed(None, MalformedSampleError(f"{chunk.unit} {each.number}: {each.fault}"))
            for each in records
        ]

    def sources_of(self, sample: Mapping[str, Any]) -> Sources:
        """Return the sources that a sample is checked against; it is malformed without any."""
        sources = self._source_cache.find(self.fields.find("sources", sample))
        if sources is None:
            message = f"no sources at {self.fields.sources!r}; {_keys_of(sample)}"
            raise MalformedSampleError(message, "sources_missing")
        return sources

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
        # Pydantic would only say that a field is required, not where it was looked for.
        if self._needs_statements and isinstance(data, Mapping) and "statements" not in data:
            answer, place = self.fields.find("answer", raw), repr(self.fields.answer)
            message = (
                f"no statements at {self.fields.statements!r}, and no answer, as an object or "
                f"as JSON, at {place}; {_keys_of(raw)}"
            )
            if isinstance(answer, str):
                text = shown(answer, _SHOWN_TEXT)
                message = f"the text at {place} is not the JSON of an answer: “{text}”"
            raise MalformedSampleError(message, "answer_missing")
        return {
            "data": data,
            "sources": sources,
            "policy": without_drops(self.policy),
            "question": self.fields.question_of(raw),
        }


class SourceCache:
    """Keeps up to `limit` code points of recent sources: preparing takes longer than a check."""

    def __init__(self, shared: Sources | None = None, *, limit: int = _CACHED_TEXT) -> None:
        self._shared = shared
        self._limit = limit
        self._size = 0
        self._cached: OrderedDict[Source, Source] = OrderedDict()
        self._last: tuple[list[Source], Sources] | None = None

    def find(self, given: Any) -> Sources | None:
        """Return the sources that a sample names or contains, or `None` if there are none."""
        try:
            own = () if given is None else self._read(given)
            listed = [self._cached_source(source) for source in own]
            if not listed:
                return self._shared
            # Samples about one document are often neighbours.
            if self._last is None or list(map(id, self._last[0])) != list(map(id, listed)):
                self._last = listed, Sources(listed)
            return self._last[1]
        except InvalidSourcesError as error:
            raise MalformedSampleError(str(error), "sources_invalid") from error

    def _read(self, given: Any) -> Iterator[Source]:
        if isinstance(given, Mapping):
            named = cast("Mapping[Any, Any]", given)
            if is_record(named) or [*named] == ["text"]:
                given = [named]
            else:
                # A table gives every row the keys of all rows, with null for those that it lacks.
                given = {key: text for key, text in named.items() if text is not None}
        else:
            listed = cast("Sequence[Any]", given if isinstance(given, (list, tuple)) else [given])
            given = [self._named(each) for each in listed]
        yield from (as_source(*pair) for pair in read_pairs(given))

    def _named(self, each: Any) -> Any:
        """Return the shared source with an id, if there are any; else what is given."""
        if self._shared is None or not isinstance(each, (str, int)):
            return each
        if str(each) in self._shared:
            return self._shared[str(each)]
        raise InvalidSourcesError(
            f"none of the shared sources has the id '{shown(str(each), _SHOWN_TEXT)}'; a text of "
            "the sample's own needs an id"
        )

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


def most_frequent_first(counts: Mapping[str, int]) -> dict[str, int]:
    """Return counts of codes in descending order; equal counts are ordered by code."""
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def failed(sample: Any, error: Exception) -> CheckedSample:
    """Return the result for a sample whose check raised an error of the data."""
    if isinstance(error, ValidationError):
        problems = [
            SampleProblem(
                code=line["type"],
                message=line["msg"],
                path=as_path(line["loc"]),
                score=score if isinstance(score, (int, float)) else None,
            )
            for line in error.errors(include_url=False, include_input=False)
            for facts in [line.get("ctx", {})]
            for score in [facts.get("score", facts.get("similarity"))]
        ]
    else:
        code = "value_error" if isinstance(error, UnicodeEncodeError) else "undecided"
        code = error.code if isinstance(error, MalformedSampleError) else code
        problems = [SampleProblem(code=code, message=str(error))]
    is_undecided = all(problem.code == "undecided" for problem in problems)
    outcome: SampleOutcome = "undecided" if is_undecided else "rejected"
    return CheckedSample(sample=sample, outcome=outcome, problems=tuple(problems))


def require_policy(policy: Any) -> Policy:
    """Return a policy; raise a `CiteguardError` if it is something else."""
    check_kind("policy", policy, Policy, required=True)
    return policy


def _keys_of(sample: Mapping[Any, Any]) -> str:
    keys = ", ".join(repr(key) for key in sample)
    return f"the sample's keys are {shown(keys, _SHOWN_KEYS)}" if keys else "the sample is empty"
