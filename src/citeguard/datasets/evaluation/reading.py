"""Samples read part by part, so that what is wrong with one quote leaves the others measured."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self, cast

from pydantic import BaseModel, PrivateAttr, ValidationInfo, model_validator
from pydantic_core import PydanticCustomError

from citeguard.datasets.checking import Checking
from citeguard.datasets.fields import Fields, MalformedSampleError, finding
from citeguard.datasets.reading import CHUNK_SIZE, reader_of
from citeguard.datasets.samples import SampleChecker, SampleProblem
from citeguard.errors import CiteguardError
from citeguard.judges.verdicts import Evidence
from citeguard.metrics.cited import CitedStatement
from citeguard.validation.context import Grounding, resolve
from citeguard.validation.evidence import cited_evidence
from citeguard.validation.models import Answer
from citeguard.validation.policy import DEFAULT_POLICY, Policy
from citeguard.validation.quotes import check_quote

_LENIENT = Policy(empty="pass")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadCitation:
    """A citation, wherever it stands.

    Attributes:
        cited: The source's own words, or, if they stand in none, those that were given.
        shown: What a judge is shown of it; nothing if it stands nowhere.
        code: What is wrong with the quote; `None` if it stands.
    """

    cited: Evidence
    shown: tuple[Evidence, ...] = ()
    code: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadStatement:
    """A statement with its citations.

    Attributes:
        text: The statement.
        citations: What it cites.
    """

    text: str
    citations: tuple[ReadCitation, ...]

    @property
    def codes(self) -> list[str]:
        """What is wrong with it before anybody judges it."""
        own = [] if self.text.strip() else ["statement_empty"]
        uncited = [] if self.citations else ["statement_uncited"]
        return [*own, *uncited, *(each.code for each in self.citations if each.code)]

    @property
    def cited(self) -> CitedStatement:
        """The statement as citations are measured; a quote that stands nowhere shows nothing."""
        return CitedStatement(text=self.text, citations=[each.shown for each in self.citations])


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadSample:
    """A sample: the statements of its answer, and what it carries to compare them with.

    Attributes:
        number: Its line in the file, or its place, from 1.
        statements: What the answer says.
        label: What stands in the field of labels.
        gold: What stands in the field of gold citations.
    """

    number: int
    statements: tuple[ReadStatement, ...]
    label: Any = None
    gold: Any = None


class _GivenCitation(BaseModel):
    quote: str
    source_id: str | None = None


class _GivenStatement(BaseModel):
    text: str
    citations: list[_GivenCitation]


class _GivenAnswer(Answer):
    """An answer of the right shape, whose quotes may stand anywhere or nowhere."""

    statements: list[_GivenStatement]  # pyright: ignore[reportIncompatibleVariableOverride]
    _read: tuple[ReadStatement, ...] = PrivateAttr(())

    @property
    def read(self) -> tuple[ReadStatement, ...]:
        return self._read

    @model_validator(mode="after")
    def _look_up(self, info: ValidationInfo[Any]) -> Self:
        grounding = resolve(info.context)
        self._read = tuple(_statement(each, grounding) for each in self.statements)
        return self


def read_all(
    samples: Any, *, sources: Any, fields: Fields | None, label: str | None, gold: str | None
) -> Iterator[ReadSample | tuple[SampleProblem, ...]]:
    """Yield the samples, or, of those that cannot be read, why they cannot.

    Args:
        samples: Whatever `read_samples` takes.
        sources: What all samples share.
        fields: Where samples keep what.
        label: Where they keep a label, as a key or an expression.
        gold: Where they keep gold citations.

    Raises:
        CiteguardError: the set-up is wrong, or a file cannot be read.
    """
    checking = Checking(
        SampleChecker(_GivenAnswer, sources=sources, policy=_LENIENT, fields=fields)
    )
    find_label, find_gold = finding("label", label), finding("gold", gold)
    for chunk in reader_of(samples).chunks(CHUNK_SIZE, 0):
        for record, checked in zip(chunk.records, checking(chunk), strict=True):
            if checked.answer is None:
                yield checked.problems
                continue
            try:
                label_value, gold_value = find_label(record.sample), find_gold(record.sample)
            except MalformedSampleError as error:
                yield (SampleProblem(code=error.code, message=str(error)),)
                continue
            yield ReadSample(
                number=record.number,
                statements=cast("_GivenAnswer", checked.answer).read,
                label=label_value,
                gold=gold_value,
            )


def gold_citations(sample: ReadSample) -> list[Evidence]:
    """Return the gold citations of a sample.

    Raises:
        CiteguardError: what is none.
    """
    given: Any = sample.gold
    listed = cast("Sequence[Any]", given if isinstance(given, (list, tuple)) else [given])
    return [_gold(sample.number, each) for each in listed]


def _gold(number: int, given: Any) -> Evidence:
    facts: Mapping[str, Any] = {"quote": given}
    if isinstance(given, Mapping):
        facts = cast("Mapping[str, Any]", given)
    # A table gives every object the keys of all, with null for those that it has not.
    texts = [facts[name] for name in ("quote", "text") if facts.get(name) is not None]
    source_id = facts.get("source_id")
    text = "" if not texts and source_id is not None else next(iter(texts), None)
    if not isinstance(text, str) or not isinstance(source_id, (str, type(None))):
        raise CiteguardError(
            f"sample {number}: a gold citation must be a text, or an object with a quote, "
            f"a source_id or both, not {given!r}"
        )
    return Evidence(text=text, source_id=source_id)


def _statement(given: _GivenStatement, grounding: Grounding) -> ReadStatement:
    citations = tuple(_citation(given.text, each, grounding) for each in given.citations)
    return ReadStatement(text=given.text, citations=citations)


def _citation(statement: str, given: _GivenCitation, grounding: Grounding) -> ReadCitation:
    rule = DEFAULT_POLICY.quote
    try:
        match = check_quote(given.quote, grounding, source_id=given.source_id, rule=rule)
    except PydanticCustomError as error:
        said = Evidence(text=given.quote, source_id=given.source_id)
        return ReadCitation(cited=said, code=error.type)
    place = match.spans[0]
    return ReadCitation(
        cited=Evidence(text=match.text, source_id=place.source_id, start=place.start),
        shown=tuple(cited_evidence(statement, [match.spans], grounding)),
    )
