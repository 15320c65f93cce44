"""Samples parsed statement by statement, so that a bad quote leaves the others measurable."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self, cast

from pydantic import BaseModel, PrivateAttr, ValidationInfo, model_validator
from pydantic_core import PydanticCustomError

from citeguard.datasets.fields import Fields, MalformedSampleError, field_getter
from citeguard.datasets.readers import CHUNK_SIZE, reader_of
from citeguard.datasets.samples import SampleChecker, SampleProblem
from citeguard.errors import CiteguardError
from citeguard.judges.verdicts import Evidence
from citeguard.metrics.citations import CitedStatement
from citeguard.validation.context import Grounding, resolve
from citeguard.validation.evidence import cited_evidence
from citeguard.validation.models import Answer
from citeguard.validation.policy import DEFAULT_POLICY, Policy
from citeguard.validation.quotes import check_quote

_LENIENT = Policy(empty="pass")


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedCitation:
    """A citation, whether its quote was found or not.

    Attributes:
        cited: The source's own words, or the given ones if they were not found.
        shown: What a judge is shown of it; empty if it was not found.
        code: The quote's error code; `None` if it was found.
    """

    cited: Evidence
    shown: tuple[Evidence, ...] = ()
    code: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedStatement:
    """A statement with its citations."""

    text: str
    citations: tuple[ParsedCitation, ...]

    @property
    def codes(self) -> list[str]:
        """The error codes that it has without being judged."""
        own = [] if self.text.strip() else ["statement_empty"]
        uncited = [] if self.citations else ["statement_uncited"]
        return [*own, *uncited, *(each.code for each in self.citations if each.code)]

    @property
    def cited(self) -> CitedStatement:
        """The statement as citations are measured; a quote that was not found shows nothing."""
        return CitedStatement(text=self.text, citations=[each.shown for each in self.citations])


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedSample:
    """The statements of a sample's answer, and its label and gold citations.

    Attributes:
        number: Its line in the file, or its place, from 1.
        statements: The statements.
        label: The value of the field of labels.
        gold: The value of the field of gold citations.
    """

    number: int
    statements: tuple[ParsedStatement, ...]
    label: Any = None
    gold: Any = None

    def gold_citations(self) -> list[Evidence]:
        """Return the gold citations.

        Raises:
            CiteguardError: one is not a citation.
        """
        is_list = isinstance(self.gold, (list, tuple))
        listed = cast("Sequence[Any]", self.gold if is_list else [self.gold])
        return [_gold_citation(self.number, each) for each in listed]


class _LenientCitation(BaseModel):
    quote: str
    source_id: str | None = None


class _LenientStatement(BaseModel):
    text: str
    citations: list[_LenientCitation]


class _LenientAnswer(Answer):
    """An answer of the right shape, whatever its quotes are."""

    statements: list[_LenientStatement]  # pyright: ignore[reportIncompatibleVariableOverride]
    _parsed: tuple[ParsedStatement, ...] = PrivateAttr(())

    @property
    def parsed(self) -> tuple[ParsedStatement, ...]:
        return self._parsed

    @model_validator(mode="after")
    def _find_quotes(self, info: ValidationInfo[Any]) -> Self:
        grounding = resolve(info.context)
        self._parsed = tuple(
            ParsedStatement(
                text=each.text,
                citations=tuple(_citation(each.text, given, grounding) for given in each.citations),
            )
            for each in self.statements
        )
        return self


def parse_samples(
    samples: Any, *, sources: Any, fields: Fields | None, label: str | None, gold: str | None
) -> Iterator[ParsedSample | SampleProblem]:
    """Yield the samples, or the first problem of those that cannot be parsed.

    Args:
        samples: What `filter_samples` takes.
        sources: What all samples share.
        fields: Where samples keep their parts.
        label: Where they keep a label, as a key or an expression.
        gold: Where they keep gold citations.

    Raises:
        CiteguardError: the setup is wrong, or a file cannot be read.
    """
    checker = SampleChecker(_LenientAnswer, sources=sources, policy=_LENIENT, fields=fields)
    label_of, gold_of = field_getter("label", label), field_getter("gold", gold)
    for chunk in reader_of(samples).chunks(CHUNK_SIZE, 0):
        for record, checked in zip(chunk.records, checker.check_chunk(chunk), strict=True):
            if checked.answer is None:
                yield checked.problems[0]
                continue
            try:
                yield ParsedSample(
                    number=record.number,
                    statements=cast("_LenientAnswer", checked.answer).parsed,
                    label=label_of(record.sample),
                    gold=gold_of(record.sample),
                )
            except MalformedSampleError as error:
                yield SampleProblem(code=error.code, message=str(error))


def _citation(statement: str, given: _LenientCitation, grounding: Grounding) -> ParsedCitation:
    rule = DEFAULT_POLICY.quote
    try:
        match = check_quote(given.quote, grounding, source_id=given.source_id, rule=rule)
    except PydanticCustomError as error:
        cited = Evidence(text=given.quote, source_id=given.source_id)
        return ParsedCitation(cited=cited, code=error.type)
    span = match.spans[0]
    return ParsedCitation(
        cited=Evidence(text=match.text, source_id=span.source_id, start=span.start),
        shown=tuple(cited_evidence(statement, [match.spans], grounding)),
    )


def _gold_citation(number: int, given: Any) -> Evidence:
    facts: Mapping[str, Any] = {"quote": given}
    if isinstance(given, Mapping):
        facts = cast("Mapping[str, Any]", given)
    # A table gives every object the keys of all, with null for those that it lacks.
    texts = [facts[name] for name in ("quote", "text") if facts.get(name) is not None]
    source_id = facts.get("source_id")
    text = "" if not texts and source_id is not None else next(iter(texts), None)
    if not isinstance(text, str) or not isinstance(source_id, (str, type(None))):
        raise CiteguardError(
            f"sample {number}: a gold citation must be a string, or an object with a quote, "
            f"a source_id or both, not {given!r}"
        )
    return Evidence(text=text, source_id=source_id)
