"""Quotes in any model: the type `Quote`, and the rules `ExactQuote` and `FuzzyQuote`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, ClassVar, get_args
from weakref import WeakKeyDictionary

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from citeguard.errors import check_whole
from citeguard.language.excerpts import without_halves
from citeguard.language.tokens import is_long_enough, length_of, tokenize
from citeguard.quotes.borders import clipped
from citeguard.sources.collection import Source, Sources, Span
from citeguard.sources.matches import ELLIPSIS, Framing, Grade, Match, Search, nearest, resembling
from citeguard.validation import messages
from citeguard.validation.context import Grounding, Siblings, TextRule, custom_error

COPY_VERBATIM = "Words copied verbatim from the source, unbroken and unchanged."
_OWN_RULE = "citeguard_own_rule"  # marks the schema of a `Quote` that has no other rule
# A hint for the model and a fact for programs; neither needs all ids.
_MOST_IDS = 20
_MOST_KEPT = 1_000  # quotes of the same sources; few answers have more
_LONGEST_KEPT = 4_000  # characters of a quote; nearly all have fewer
# What was found for a quote, or the error, by all that it depends on.
_looked_up: WeakKeyDictionary[Sources, dict[tuple[Any, ...], Match | PydanticCustomError]] = (
    WeakKeyDictionary()
)


@dataclass(frozen=True, slots=True, kw_only=True)
class QuoteRule(TextRule):
    """What both rules do; they differ in the matches that they accept."""

    source_field: str | None = None
    min_length: int = 4

    def __post_init__(self) -> None:
        """Reject invalid settings."""
        self._check_settings()
        check_whole("min_length", self.min_length, 0)

    def accepts(self, match: Match) -> bool:
        """Return whether a match of a quote satisfies the rule."""
        return match.accepted

    def _check(self, text: str, grounding: Grounding, siblings: Siblings) -> str:
        source_id, field = siblings.source_id(self.source_field), siblings.field
        # Another rule may have changed it.
        writing = text.quoted_as or text if isinstance(text, Quote) else text
        match = check_quote(writing, grounding, source_id=source_id, rule=self, field=field)
        # A constraint between the type and the rule may have made it a plain `str`.
        is_quote = isinstance(text, Quote) or Quote in (siblings.type, *get_args(siblings.type))
        return Quote.of(match) if is_quote else match.text

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler | None = None
    ) -> CoreSchema:
        """Check after the field's own validation; in place of the rule that a `Quote` has."""
        schema: Any = TextRule.__get_pydantic_core_schema__(self, source, handler)
        # Else a `Quote` with `ExactQuote()` would also have to pass `FuzzyQuote()`.
        schema["schema"] = _without_own_rule(schema["schema"])
        return schema

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Ask the language model to copy, unless the field has a description of its own."""
        return _asking_to_copy(schema, handler)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExactQuote(QuoteRule):
    """A text that is a verbatim slice of a source, from word border to word border.

    Does not check whether the slice supports anything, or how its sentence frames it (see
    `Policy.framed`). Needs no model. Implies no strictness: what Pydantic converts to a `str` is
    checked as that `str`. `None` passes if the annotation allows it.

    Fails with `quote_empty` (no letters or digits), `quote_too_short`, `quote_not_found`,
    `quote_altered` (found, but not verbatim), `quote_clipped` (cut off from what denies or limits
    it, or in a word or number), `quote_wrong_source`, `source_unknown`, and `quote_framed` when the
    policy says so.

    Attributes:
        fold: Also accept other typography (spaces, glyphs, case, markup), and replace it by the
            source's own characters.
        source_field: The field of the same model, declared earlier, that holds the id of the
            source. If it is `None`, or holds `None`, any source counts.
        min_length: The fewest letters or digits of the quote, and of the words of the source that
            it matches, inclusive; ideographs, kana and hangul count double.

    Raises:
        CiteguardError: An argument has a value of the wrong type, or the rule lacks its
            parentheses; and at validation, without sources, on a field that is no `str`, or if
            `source_field` is not declared earlier.

    Examples:
        >>> from typing import Annotated
        >>> from pydantic import BaseModel
        >>> from citeguard import Sources
        >>> class Finding(BaseModel):
        ...     evidence: Annotated[str, ExactQuote()]
        >>> context = Sources({"handbook": "Notice is one month."}).as_context()
        >>> Finding.model_validate({"evidence": "one month"}, context=context)
        Finding(evidence='one month')
    """

    fold: bool = False

    def accepts(self, match: Match) -> bool:
        """Return whether a match of a quote satisfies the rule."""
        verbatim = match.grade == "exact" or (self.fold and match.grade == "normalized")
        return verbatim and match.accepted


@dataclass(frozen=True, slots=True, kw_only=True)
class FuzzyQuote(QuoteRule):
    """A text that is found in a source, in any typography; the source's own words replace it.

    Accepts what `locate` accepts: other spaces, glyphs, case or markup, a spelling slip, words
    omitted where an ellipsis says so, and forms that mean the same by construction ("doesn't" and
    "does not"). A difference of substance is an error. Does not check whether the words support
    anything. Needs no model.

    Fails with the codes of `ExactQuote`.

    Attributes:
        equivalent: Accept quotes of the grade `equivalent`.
        source_field: As for `ExactQuote`.
        min_length: As for `ExactQuote`.

    Examples:
        >>> from typing import Annotated
        >>> from pydantic import TypeAdapter
        >>> from citeguard import Sources
        >>> context = Sources({"handbook": "Notice is one month."}).as_context()
        >>> TypeAdapter(Annotated[str, FuzzyQuote()]).validate_python("one month", context=context)
        'one month'
    """

    equivalent: bool = True

    def accepts(self, match: Match) -> bool:
        """Return whether a match of a quote satisfies the rule."""
        return match.accepted and (self.equivalent or match.grade != "equivalent")


def _asking_to_copy(schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
    described = handler(schema)
    if handler.mode == "validation":
        described.setdefault("description", COPY_VERBATIM)
    return described


def _without_own_rule(schema: Any) -> Any:
    """Return the schema of a `Quote`, or of an optional one, without the rule it has by itself."""
    if schema["type"] == "nullable":
        return {**schema, "schema": _without_own_rule(schema["schema"])}
    return schema["schema"] if schema.get("metadata", {}).get(_OWN_RULE) else schema


def find_match(search: Search, source_id: str | None, rule: QuoteRule) -> Match | None:
    """Return the match of a quote in a source or in any, or `None` if the rule rejects it."""
    if source_id is not None and source_id not in search.sources:
        return None
    if not is_long_enough(search.quote, rule.min_length):
        return None
    match = search.match(source_id)
    return match if match is not None and _satisfies(match, rule) else None


def _satisfies(match: Match, rule: QuoteRule) -> bool:
    # Brackets of the quote may hold most of its letters: "is [the full amount]" matches "is".
    return rule.accepts(match) and is_long_enough(match.text, rule.min_length)


class Quote(str):
    """The words of a source as the field of any model: a `str` that knows where it is from.

    Validation checks it by `FuzzyQuote()`, or by the rule of `Annotated[Quote, ExactQuote()]`, and
    returns the source's own words with their place. It is dumped as plain text, and checked again
    when it is loaded; its JSON schema asks to copy verbatim. Like any `str` it can also be made by
    hand: then it is unverified, and has no spans.

    Attributes:
        spans: Where the words are: one span, or one for each part of an elided quote; empty if the
            quote was never verified.
        grade: How the words were found; `None` if the quote was never verified.
        quoted_as: The language model's wording, if it differed.
        framing: What the sentence around the words does to them; `None` if nothing.

    Raises:
        CiteguardError: Validation found no sources.

    Examples:
        >>> from pydantic import BaseModel
        >>> from citeguard import Sources
        >>> class Finding(BaseModel):
        ...     evidence: Quote
        >>> context = Sources({"handbook": "Notice is one month."}).as_context()
        >>> finding = Finding.model_validate({"evidence": "notice is one month"}, context=context)
        >>> finding.evidence, finding.evidence.grade, finding.evidence.span.source_id
        ('Notice is one month', 'normalized', 'handbook')
        >>> finding.model_dump_json()
        '{"evidence":"Notice is one month"}'
    """

    spans: tuple[Span, ...] = ()
    grade: Grade | None = None
    quoted_as: str | None = None
    framing: Framing | None = None
    _rule: ClassVar[FuzzyQuote] = FuzzyQuote()

    @classmethod
    def of(cls, match: Match) -> Quote:
        """Return the words of an accepted match as a quote."""
        quote = cls(match.text)
        quote.spans, quote.grade, quote.framing = match.spans, match.grade, match.framing
        quote.quoted_as = None if match.quote == match.text else match.quote
        return quote

    @property
    def span(self) -> Span | None:
        """From the start of the first part to the end of the last; `None` if unverified."""
        if not self.spans:
            return None
        return Span(self.spans[0].source_id, self.spans[0].start, self.spans[-1].end)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Check a text by `FuzzyQuote()`, unless another rule takes its place."""
        text = core_schema.no_info_after_validator_function(cls, core_schema.str_schema())
        schema: Any = cls._rule.after(text, handler, source)
        schema["metadata"] = {**schema.get("metadata", {}), _OWN_RULE: True}
        schema["serialization"] = core_schema.plain_serializer_function_ser_schema(
            str, return_schema=core_schema.str_schema()
        )
        return schema

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Ask the language model to copy."""
        return _asking_to_copy(core_schema.str_schema(), handler)


def check_quote(
    quote: str,
    grounding: Grounding,
    *,
    source_id: str | None = None,
    rule: QuoteRule,
    field: str | None = None,
    spans: Sequence[Any] = (),
) -> Match:
    """Return the match of a quote, in the source named or in any; at `spans`, if it is there.

    Or raise a `PydanticCustomError` with the code, the message for the language model, and those of
    the facts that apply: quote, source_id, nearest, nearest_span, fuller, edits, found_in,
    similarity, known and suggestion. The message has the name of the field, in a model without
    citations.
    """
    sources, policy = grounding.sources, grounding.policy
    speech = policy is not None and policy.speech

    # Answers repeat quotes, and are validated several times.
    kept, key = _looked_up.setdefault(sources, {}), (quote, source_id, rule, field, speech)
    found = kept.get(key)
    if found is None:
        search = Search(quote, sources, speech=speech)
        found = find_match(search, source_id, rule)
        found = found or _Rejection(search, source_id, rule, field).error()
        if len(quote) <= _LONGEST_KEPT:
            if len(kept) >= _MOST_KEPT:
                kept.clear()
            kept[key] = found
    if isinstance(found, PydanticCustomError):
        # A new one, as an exception that is raised again keeps all the frames that it passed.
        facts = {**(found.context or {})}
        raise PydanticCustomError(found.type, found.message_template, facts)  # pyright: ignore[reportArgumentType]
    match = placed(found, spans, sources, source_id)
    framing = match.framing
    if policy is None or framing is None or framing.kind not in policy.framed:
        return match
    low, high = min(match.span.start, framing.span[0]), max(match.span.end, framing.span[1])
    passage = sentences_around(match.source, low, high)
    message = messages.quote_framed(match.source_id, framing, passage, field)
    raise custom_error("quote_framed", message, **_facts(match, source_id), framing=framing)


def check_speaker(match: Match, speaker: str) -> str | None:
    """Return who says a quote, as its source names them; `None` if it names nobody.

    Or raise a `PydanticCustomError`, if that is somebody else. One name may be a part of the other.
    """
    intervals = [(span.start, span.end) for span in match.spans]
    found = [each for each in match.source.speakers_of(*intervals) if each is not None]
    given = _words_of(speaker)
    if not found or not given:
        return None
    others = [n for n in found if not (given <= _words_of(n) or _words_of(n) <= given)]
    if not others:
        return found[0]
    message = messages.quote_wrong_speaker(match.source_id, speaker, others)
    facts = _facts(match, match.source_id)
    raise custom_error("quote_wrong_speaker", message, **facts, speaker=others[0])


def _words_of(name: str) -> set[str]:
    return {token.key for token in tokenize(name) if token.kind in ("word", "number")}


def placed(match: Match, spans: Sequence[Any], sources: Sources, source_id: str | None) -> Match:
    """Return a match at other spans, if these are of sources and have the same words.

    Each is a `Span`, or a mapping with its fields; anything else is ignored.
    """
    given = [each for span in spans if (each := _as_span(span)) is not None]
    ids = {span.source_id for span in given}
    if len(ids) != 1 or len(given) != len(match.spans) or not ids <= {source_id or match.source_id}:
        return match
    if tuple(given) == match.spans or ELLIPSIS.join(map(sources.slice, given)) != match.text:
        return match
    if any(clipped(match.source.text, span.start, span.end) for span in given):
        return match
    there = replace(match, spans=tuple(given))
    return replace(there, grade="uncertain") if there.doubts else there


def _as_span(given: Any) -> Span | None:
    match given:
        case Span():
            return given
        case {"source_id": str(source_id), "start": int(start), "end": int(end)} if (
            0 <= start <= end
        ):
            return Span(source_id, start, end)
        case _:
            return None


@dataclass(frozen=True, slots=True)
class _Rejection:
    """A quote that a rule has rejected, and where it was looked for."""

    search: Search
    source_id: str | None
    rule: QuoteRule
    field: str | None

    def error(self) -> PydanticCustomError:
        search, source_id, sources = self.search, self.source_id, self.search.sources
        # A quote is judged against its source, so the source comes first.
        if source_id is not None and source_id not in sources:
            return self._source_unknown(source_id)
        if not is_long_enough(search.quote, self.rule.min_length):
            return self._too_short(search.quote, search.match(source_id))
        elsewhere = None if source_id is None or len(sources) == 1 else search.match()
        if source_id is not None and elsewhere and _satisfies(elsewhere, self.rule):
            found_in = self._found_in()
            message = messages.quote_wrong_source(source_id, found_in, elsewhere.text, self.field)
            facts = _facts(elsewhere, source_id)
            return custom_error("quote_wrong_source", message, found_in=found_in, **facts)
        match = search.match(source_id) or elsewhere
        if match is None:
            return self._not_found()
        if self.rule.accepts(match):
            return self._too_short(match.text, match)
        return self._altered(match)

    def _altered(self, match: Match) -> PydanticCustomError:
        clipped_ = bool(match.material) and messages.is_clipped(match)
        message, facts = messages.quote_altered(match, self.field, self.source_id), {}
        if clipped_:
            facts["fuller"] = messages.fuller(match)
        code = "quote_clipped" if clipped_ else "quote_altered"
        return custom_error(code, message, **_facts(match, self.source_id), **facts)

    def _found_in(self) -> tuple[str, ...]:
        """Return the ids of the sources in which the rule accepts the quote."""
        ids = self.search.sources.ids
        found = (each for each in ids if find_match(self.search, each, self.rule) is not None)
        return tuple(islice(found, _MOST_IDS))

    def _source_unknown(self, source_id: str) -> PydanticCustomError:
        sources, quote, found_in = self.search.sources, self.search.quote, self._found_in()
        suggestion = messages.closest(source_id, sources.ids)
        near = found_in[0] if found_in else suggestion
        passage: dict[str, Any] = {}
        if match := (near and self.search.match(near)) or self.search.match():
            seen = (0, 0) if match.accepted else messages.changed_at(quote, match.text)
            passage = {"nearest_id": match.source_id, "passage": match.text, "seen": seen}
        elif span := nearest(quote, sources):
            passage = {"nearest_id": span.source_id, "passage": sources.slice(span)}
        message = messages.source_unknown(
            source_id, sources.ids, found_in, suggestion, field=self.field, **passage
        )
        return custom_error(
            "source_unknown",
            message,
            quote=quote,
            source_id=source_id,
            found_in=found_in,
            suggestion=suggestion,
            known=sources.ids[:_MOST_IDS],
        )

    def _too_short(self, words: str, match: Match | None) -> PydanticCustomError:
        length, known = length_of(words), self.search.sources.ids
        if length == 0:
            code, message = "quote_empty", messages.quote_empty(known, self.source_id, self.field)
        else:
            code = "quote_too_short"
            message = messages.quote_too_short(
                length,
                self.rule.min_length,
                known,
                self.source_id if match is None else match.source_id,
                self.field,
                "" if match is None else match.sentences()[0],
                often=match is not None and bool(match.others),
            )
        return custom_error(code, message, quote=self.search.quote, source_id=self.source_id)

    def _not_found(self) -> PydanticCustomError:
        sources = self.search.sources
        if match := resembling(self.search.quote, sources, self.source_id):
            return self._altered(match)
        span = nearest(self.search.quote, sources, self.source_id)
        text, near, passage = None, None, None
        if span is not None:
            text, near = sources.slice(span), span.source_id
            passage = without_halves(sources[near].text, span.start, span.end)
        return custom_error(
            "quote_not_found",
            messages.quote_not_found(self.source_id, near, passage, self.field),
            quote=self.search.quote,
            source_id=self.source_id,
            nearest=text,
            nearest_span=span,
        )


def sentences_around(source: Source, start: int, end: int) -> str:
    """Return the sentences, or rows of a table, that an interval of a source's text overlaps."""
    return without_halves(source.text, *source.prepared.passage_at(start, end))


def _facts(match: Match, source_id: str | None) -> dict[str, Any]:
    return {
        "quote": match.quote,
        "source_id": source_id,
        "nearest": match.text,
        "nearest_span": match.span,
        "edits": match.edits,
        "similarity": match.similarity,
    }
