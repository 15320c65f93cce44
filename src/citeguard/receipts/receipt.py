"""The receipt of an answer: `Receipt`, and `make_receipt`."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from importlib.metadata import version
from itertools import pairwise
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from citeguard.errors import CiteguardError
from citeguard.language.sentences import Interval
from citeguard.providers.offsets import UNITS, Positions, Unit
from citeguard.receipts.signing import Algorithm, sign
from citeguard.sources.collection import Source, Sources, Span
from citeguard.sources.matches import ELLIPSIS, Grade
from citeguard.validation.models import Answer, check_sources

_MOST_QUOTES = 1_000  # to find out that one is gone may take 10 ms for each megabyte of a source
_NEAR = 32  # characters from a quote; what a `TextQuoteSelector` usually has on either side


class _Record(BaseModel):
    """A part of a receipt: frozen, without extra fields, and read without conversions."""

    # A value that was converted, or a field that nobody knows, would not be what was signed.
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class ReceiptSource(_Record):
    """A source as it was; `sha256` is that of its text in UTF-8."""

    id: str
    sha256: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
    title: str | None = None
    authors: tuple[str, ...] | None = None
    date: str | None = None
    url: str | None = None


class QuotePart(_Record):
    """Words of a source in one piece, with their half-open place in its text, in three units.

    The prefix and the suffix are the rest of the sentences within 32 characters of them.
    """

    text: Annotated[str, Field(min_length=1)]
    prefix: str
    suffix: str
    place: dict[Unit, Interval]

    @property
    def window(self) -> str:
        """The words with what is around them."""
        return f"{self.prefix}{self.text}{self.suffix}"

    def span(self, source_id: str) -> Span:
        """Return the place of the words in a source."""
        return Span(source_id, *self.place["code_points"])

    @model_validator(mode="after")
    def _count(self) -> Self:
        low, high = len(self.prefix), len(self.prefix) + len(self.text)
        for unit, (start, end) in places_in(self.window, low, high).items():
            first, last = self.place.get(unit, (-1, -1))
            if first < start or last - first != end - start:
                raise ValueError(f"the place in {unit} is not that of the text")
        return self


class ReceiptQuote(_Record):
    """A quote, the statement that it is cited for, and its parts; several if it is elided."""

    statement: str
    quote: str
    source_id: str
    grade: Grade
    parts: tuple[QuotePart, ...]

    @model_validator(mode="after")
    def _join(self) -> Self:
        spans = [part.span(self.source_id) for part in self.parts]
        if any(one.end > other.start for one, other in pairwise(spans)):
            raise ValueError("the parts are not in order")
        if ELLIPSIS.join(part.text for part in self.parts) != self.quote:
            raise ValueError("the parts are not the quote")
        return self


class Signature(_Record):
    """The signature of `Receipt.canonical`, in hexadecimal."""

    algorithm: Algorithm
    value: Annotated[str, Field(pattern="^([0-9a-f]{64}){1,2}$")]


class Receipt(_Record):
    """Where the quotes of an answer were found: a record to keep, and to check again later.

    One whose contents contradict each other is not valid. Without a signature that proves little:
    whoever can count may write another one.

    Attributes:
        format: The version of this form.
        citeguard: The version of citeguard that made it.
        created_at: When it was made, in UTC.
        question: The question, if the answer repeats it.
        sources: The sources that are quoted.
        quotes: The quotes, in the order of the answer.
        signature: The signature, if it was made with a key.
    """

    format: Literal["citeguard.receipt/1"] = "citeguard.receipt/1"
    citeguard: str
    created_at: datetime
    question: str | None = None
    sources: tuple[ReceiptSource, ...]
    quotes: Annotated[tuple[ReceiptQuote, ...], Field(min_length=1, max_length=_MOST_QUOTES)]
    signature: Signature | None = None

    @property
    def canonical(self) -> bytes:
        """What is signed: all but the signature, as the canonical JSON of RFC 8785.

        That is in UTF-8, with sorted keys, without white space, and without keys that are null.
        """
        data = self.model_dump(mode="json", exclude={"signature"}, exclude_none=True)
        # Python's JSON is that of RFC 8785 here: all keys are ASCII, and all numbers integers.
        text = json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        return text.encode()

    def to_json(self) -> str:
        """Return the receipt as JSON in ASCII, for a file."""
        return json.dumps(self.model_dump(mode="json", exclude_none=True), indent=2) + "\n"

    @model_validator(mode="after")
    def _match_sources(self) -> Self:
        if sorted(each.id for each in self.sources) != sorted({q.source_id for q in self.quotes}):
            raise ValueError("the sources are not those of the quotes")
        return self


def make_receipt(answer: Answer, sources: Sources, *, key: str | bytes | None = None) -> Receipt:
    """Return the receipt of an answer, see `Answer.receipt`."""
    check_sources(answer, sources)
    cited = [(each.text, one) for each in answer.statements for one in each.citations or ()]
    if not cited:
        raise CiteguardError("an answer without quotes has no receipt")
    try:
        quotes = tuple(
            ReceiptQuote(
                statement=statement,
                quote=citation.quote,
                source_id=citation.span.source_id,
                grade=citation.grade or "exact",
                parts=tuple(part_at(sources[span.source_id], span) for span in citation.spans),
            )
            for statement, citation in cited
        )
        receipt = Receipt(
            citeguard=version("pydantic-citeguard"),
            created_at=datetime.now(UTC).replace(microsecond=0),
            question=answer.question,
            sources=tuple(
                ReceiptSource(
                    id=source.id,
                    sha256=source.sha256,
                    title=source.title,
                    authors=source.fields.authors or None,
                    date=source.fields.date,
                    url=source.url,
                )
                for source in map(sources.__getitem__, dict.fromkeys(q.source_id for q in quotes))
            ),
            quotes=quotes,
        )
        content = receipt.canonical
    except ValueError as error:  # too many quotes, or half of a surrogate pair
        raise CiteguardError(f"no receipt can be made of this answer: {error}") from error
    if key is None:
        return receipt
    algorithm, value = sign(content, key)
    signature = Signature(algorithm=algorithm, value=value.hex())
    return receipt.model_copy(update={"signature": signature})


def part_at(source: Source, span: Span) -> QuotePart:
    """Return the words at a span of a source, with what is around them."""
    text, start, end = source.text, span.start, span.end
    low, high = source.prepared.sentences_at(max(0, start - _NEAR), end + _NEAR)
    words = {"text": text[start:end], "prefix": text[low:start], "suffix": text[end:high]}
    return QuotePart(**words, place=places_in(text, start, end))


def places_in(text: str, start: int, end: int) -> dict[Unit, Interval]:
    """Return an interval of a text, in code points, in all three units."""
    positions = Positions(text)
    return {unit: positions.offsets(start, end, unit) for unit in UNITS}
