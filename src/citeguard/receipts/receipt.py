"""The receipt of an answer, made (`make_receipt`) and checked against the sources of today."""

from __future__ import annotations

import json
import unicodedata
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from itertools import pairwise
from typing import Annotated, Any, Literal, Self, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from citeguard.documents.files import decode, parse_json
from citeguard.errors import CiteguardError
from citeguard.language.excerpts import as_path
from citeguard.language.sentences import Interval
from citeguard.providers.offsets import UNITS, Positions, Unit
from citeguard.receipts.signing import Algorithm, is_signed, sign
from citeguard.sources.collection import Source, Sources, Span, as_sources
from citeguard.sources.matches import ELLIPSIS, Grade, Match, locate
from citeguard.validation.examine import Problem, examine_citation
from citeguard.validation.models import Answer, check_sources
from citeguard.validation.policy import Policy
from citeguard.validation.quote_rules import ExactQuote, placed

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


QuoteStatus = Literal["holds", "moved", "context_changed", "stale", "forged"]
"""What has become of a quote, from good to bad.

`holds`: the source is unchanged, or has the words at the same place, with the same around them.
`moved`: it has them elsewhere, or has another id. `context_changed`: it has them, and something
else around them. `stale`: it does not have them, or only with what denies them; or it is gone.
`forged`: the receipt is not signed with the key, or contradicts itself or an unchanged source.
"""

_LARGEST = 10_000_000  # characters of a receipt
_IN_TYPOGRAPHY = Policy(quote=ExactQuote(fold=True, min_length=0))
_MOST_EXPANDED = 4  # characters for one, by other line ends and normal forms


@dataclass(frozen=True, slots=True, kw_only=True)
class QuoteState:
    """What has become of a quote.

    Attributes:
        quote: The quote, as the receipt has it.
        status: `holds`, `moved`, `context_changed`, `stale` or `forged`.
        spans: Where its words are now; empty if it is stale or forged.
        problem: What is wrong; `None` if it holds or has moved, or if all of the receipt is forged.
    """

    quote: ReceiptQuote
    status: QuoteStatus
    spans: tuple[Span, ...] = ()
    problem: Problem | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedReceipt:
    """A receipt, and what has become of its quotes.

    Attributes:
        receipt: The receipt; `None` if what was given is not a valid one.
        quotes: What has become of each quote, in order.
        reason: Why all of it is forged; `None` if it is not.
    """

    receipt: Receipt | None
    quotes: tuple[QuoteState, ...] = ()
    reason: str | None = None

    @property
    def status(self) -> QuoteStatus:
        """The worst status of a quote."""
        found = [each.status for each in self.quotes]
        return next((each for each in get_args(QuoteStatus)[::-1] if each in found), "forged")


def check_receipt(
    receipt: Receipt | str | bytes, sources: Any, *, key: str | bytes | None = None
) -> CheckedReceipt:
    """Return what has become of the quotes of a receipt. No model is called.

    A source is found by the hash of its text, or else by its id. Then a quote must be in it
    verbatim, or in other typography, with the same sentences around it.

    Args:
        receipt: The receipt, or the content of its file.
        sources: Anything that `Sources` accepts.
        key: The secret, or a key of Ed25519 in PEM, of which the public one suffices. With it, a
            receipt that is not signed with this key is forged; without it, no signature is checked.

    Raises:
        CiteguardError: The key is none, or a package is missing.
        InvalidSourcesError: `sources` cannot be read as sources.
    """
    known = as_sources(sources)
    try:
        read = _read(receipt)
    except CiteguardError as error:
        return CheckedReceipt(receipt=None, reason=str(error))
    if key is not None:
        given = read.signature
        value = b"" if given is None else bytes.fromhex(given.value)
        if given is None or not is_signed(read.canonical, given.algorithm, value, key):
            forged = tuple(QuoteState(quote=quote, status="forged") for quote in read.quotes)
            reason = "it is not signed with this key"
            return CheckedReceipt(receipt=read, quotes=forged, reason=reason)
    hashes = {source.id: source.sha256 for source in read.sources}
    states = (_state(quote, hashes[quote.source_id], known) for quote in read.quotes)
    return CheckedReceipt(receipt=read, quotes=tuple(states))


def _read(given: Receipt | str | bytes) -> Receipt:
    """Return a valid receipt, or raise a `CiteguardError` that says what is wrong with it."""
    if isinstance(given, Receipt):  # it may be a copy with other values
        given = given.to_json()
    text = decode(given, "the receipt") if isinstance(given, bytes) else given
    if len(text) > _LARGEST:
        raise CiteguardError(f"it has more than {_LARGEST:,} characters")
    parse_json(text, "the receipt")  # unlike Pydantic, it accepts no key twice
    try:
        return Receipt.model_validate_json(text)
    except ValidationError as error:
        wrong = error.errors(include_url=False)[0]
        said = f"{as_path(wrong['loc'])}: {wrong['msg']}".removeprefix(": ")
        raise CiteguardError(said) from error


def _state(quote: ReceiptQuote, sha256: str, sources: Sources) -> QuoteState:
    named = sources.get(quote.source_id)
    # The source of the same id first: several may have the same text.
    for source in filter(None, (named, *sources)):
        if source.sha256 == sha256:
            return _in_same_text(quote, source)
    return _stale(quote, sources) if named is None else _in_new_text(quote, named)


def _in_same_text(quote: ReceiptQuote, source: Source) -> QuoteState:
    spans = tuple(part.span(source.id) for part in quote.parts)
    for part, span in zip(quote.parts, spans, strict=True):
        # Not negative: a part whose prefix does not fit before it is not valid.
        is_there = source.text.startswith(part.window, span.start - len(part.prefix))
        if not is_there or part.place != places_in(source.text, span.start, span.end):
            said = "The source is unchanged, and has something else at this place."
            problem = Problem(code="forged", path="", message=said)
            return QuoteState(quote=quote, status="forged", problem=problem)
    status = "holds" if source.id == quote.source_id else "moved"
    return QuoteState(quote=quote, status=status, spans=spans)


def _in_new_text(quote: ReceiptQuote, source: Source) -> QuoteState:
    alone, spans = Sources(source), tuple(part.span(source.id) for part in quote.parts)
    around = {"prefix": quote.parts[0].prefix, "suffix": quote.parts[-1].suffix}
    searches = (locate(quote.quote, alone, **around), locate(quote.quote, alone))
    found = [each for each in searches if each is not None and _has_same_words(each)]
    if not found:
        return _stale(quote, alone)
    # The words may also be where they were, and what was found repeats them.
    for match in (placed(found[0], spans, alone, source.id), *found):
        if _has_same_context(quote, match):
            status = "holds" if match.spans == spans else "moved"
            return QuoteState(quote=quote, status=status, spans=match.spans)
    match = found[0]
    problem = Problem(
        code="context_changed",
        path="",
        message="The source has these words, with something else around them.",
        quote=ELLIPSIS.join(part.window for part in quote.parts),
        nearest=ELLIPSIS.join(part_at(source, span).window for span in match.spans),
        span=match.span,
    )
    return QuoteState(quote=quote, status="context_changed", spans=match.spans, problem=problem)


def _stale(quote: ReceiptQuote, sources: Sources) -> QuoteState:
    cited = {"quote": quote.quote, "source_id": quote.source_id}
    [problem, *_] = examine_citation(cited, sources, _IN_TYPOGRAPHY).problems
    return QuoteState(quote=quote, status="stale", problem=problem)


def _has_same_words(match: Match) -> bool:
    changes = ("spelling", "equivalent")
    return match.accepted and not any(edit.reason in changes for edit in match.edits)


def _has_same_context(quote: ReceiptQuote, match: Match) -> bool:
    if match.grade == "uncertain" != quote.grade or len(match.spans) != len(quote.parts):
        return False
    pairs = zip(quote.parts, match.spans, strict=True)
    return all(_is_around(part, span, match.source) for part, span in pairs)


def _is_around(part: QuotePart, span: Span, source: Source) -> bool:
    """Return whether what is around a span is as it was, and all of its own sentence."""
    text, prefix, suffix = source.text, _plain(part.prefix), _plain(part.suffix)
    low, high = source.prepared.sentences_at(span.start, span.end)
    before = text[max(0, span.start - _MOST_EXPANDED * len(part.prefix)) : span.start]
    after = text[span.end : span.end + _MOST_EXPANDED * len(part.suffix)]
    return (
        _plain(before).endswith(prefix)
        and _plain(after).startswith(suffix)
        and len(_plain(text[low : span.start])) <= len(prefix)
        and len(_plain(text[span.end : high])) <= len(suffix)
    )


def _plain(text: str) -> str:
    """Return a text without what saving it may change: line ends, and the normal form."""
    return " ".join(unicodedata.normalize("NFC", text).split())
