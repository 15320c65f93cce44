"""The answer that a language model fills in: `Answer`, `Statement`, `Citation`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import (
    CoreSchema,
    InitErrorDetails,
    PydanticCustomError,
    PydanticKnownError,
    PydanticOmit,
    core_schema,
)

from citeguard.errors import CiteguardError, InvalidSourcesError
from citeguard.judges.usage import Usage
from citeguard.judges.verdicts import (
    PENDING,
    Alignment,
    AlignmentJudge,
    AlignmentQuestion,
    Evidence,
    JudgeFailedError,
    Verdict,
    pending_answer,
)
from citeguard.language.citations import without_machine_marks
from citeguard.language.excerpts import as_paragraph, counted_as, escaped
from citeguard.sources.collection import Sources, Span, as_sources
from citeguard.sources.matches import ELLIPSIS, Framing, Grade, Match, Search
from citeguard.validation import messages
from citeguard.validation.context import (
    Grounding,
    current_grounding,
    custom_error,
    encodable,
    resolve,
    written_name,
)
from citeguard.validation.known_ids import offering
from citeguard.validation.policy import Policy, policy_of
from citeguard.validation.quote_rules import (
    COPY_VERBATIM,
    check_quote,
    check_speaker,
    find_match,
    placed,
)
from citeguard.validation.salvage import (
    Dropped,
    StatementError,
    lost,
    read_dropped,
    tolerates,
    with_drops,
)
from citeguard.validation.support import (
    NOTHING_FOUND,
    answer_error,
    ask,
    cited_evidence,
    found_evidence,
    open_evidence,
    question_about,
    session_of,
    support_error,
    undecided_search,
    verdict_on,
)

if TYPE_CHECKING:
    from citeguard.providers import ImportedAnswer
    from citeguard.receipts.receipt import Receipt


@dataclass(frozen=True, slots=True, kw_only=True)
class HiddenFromLLM:
    """A field that a validator computes: no language model is asked for it, or can set it.

    The field is absent from the JSON schema for validation. Any input for it becomes `None`, unless
    it is of the type `keep`, for another validator to verify.
    """

    keep: type | None = None

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """Discard the input, and serialize as the field's type does."""

        def discard(value: Any, _: core_schema.ValidatorFunctionWrapHandler) -> Any:
            return value if self.keep is not None and isinstance(value, self.keep) else None

        return core_schema.no_info_wrap_validator_function(discard, handler(source))

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Omit the field from the schema that a language model sees."""
        # `SkipJsonSchema` would omit it from the schema of what is dumped, too, and accept whatever
        # a language model writes into it.
        if handler.mode == "validation":
            raise PydanticOmit
        return handler(schema)


# What models write into a field that they have nothing for.
_NO_REASON = ("none", "null", "n/a", "no", "false")
_WRONG_FIELDS = {
    "source_unknown": "source_id",
    "quote_wrong_source": "source_id",
    "quote_wrong_speaker": "speaker",
}


def stated_reason(unanswerable: str | None) -> str | None:
    """Return what `Answer.unanswerable` says; `None` if that is blank, or a word for nothing."""
    if unanswerable is None or not any(map(str.isalnum, unanswerable)):
        return None
    return None if unanswerable.strip(" \t\n.").lower() in _NO_REASON else unanswerable


def _rules(info: ValidationInfo[Any]) -> tuple[Grounding, Policy]:
    grounding = resolve(info.context)
    return grounding, policy_of(grounding)


def _describe(text: str) -> Callable[[dict[str, Any], type[BaseModel]], None]:
    """Describe a model to the language model; the docstrings are for developers."""

    def describe(schema: dict[str, Any], model: type[BaseModel]) -> None:
        if not model.__doc__ or model.__module__ == __name__:
            schema["description"] = text

    return describe


class _Checked(BaseModel):
    """A model that a rejected assignment leaves as it is, if a subclass allows assignments."""

    # Pydantic trusts instances by default, also those of `model_construct`, which checks nothing.
    model_config = ConfigDict(frozen=True, revalidate_instances="always")
    # In a model that loses what is wrong, it is a whole statement of an answer that is lost.
    _dropped_whole: ClassVar[bool] = True

    @field_validator("*")
    @classmethod
    def _require_whole(cls, value: Any) -> Any:
        """Reject half a character, as Pydantic does in JSON: it could not be stored."""
        if isinstance(value, str) and encodable(value) != value:
            raise PydanticKnownError("string_unicode")
        return value

    def __setattr__(self, name: str, value: Any) -> None:
        values, fields_set = dict(vars(self)), set(self.__pydantic_fields_set__)
        try:
            super().__setattr__(name, value)
        except BaseException:
            # Pydantic runs validators of the whole model when the value is set already.
            vars(self).clear()
            vars(self).update(values)
            self.__pydantic_fields_set__.intersection_update(fields_set)
            raise


class Citation(_Checked):
    """A quote from a source; after validation, in the source's own words.

    `Policy.quote` checks the quote against the source named, or against all sources if none is
    named. Where only typography differs, the source's words replace those of the language model; a
    difference of substance fails, with the codes of `FuzzyQuote` and at the field to correct,
    `quote` or `source_id`. Whether the quote supports anything is not checked.

    `speaker` is checked if it is given and the source names speakers, with `quote_wrong_speaker`;
    only `Answer.over` shows it to the language model.

    `spans`, `grade`, `quoted_as` and `framing` are computed. They are hidden from the language
    model, dumped, and computed again on loading, whatever the input has for them. `quoted_as` is
    taken from the input if it leads to the same quote; so are the `spans` of a citation that is
    validated again, as one of several places with the same words.

    Attributes:
        quote: The words of the source; the parts of an elided quote, in order, joined by " … ".
        source_id: The id that the language model named; `span.source_id` is always set.
        speaker: Who says it, if the language model names anybody; as the source names them, and
            `None` if it names nobody.
        spans: Where the words are: one span, or one for each part of an elided quote.
        grade: How the words were found.
        quoted_as: The language model's wording, if it differed from `quote`.
        framing: How the sentence around the words denies, attributes, conditions or asks them;
            `None` if it does not.

    Raises:
        CiteguardError: Validation found no sources, or something that cannot be read as sources.

    Examples:
        >>> from citeguard import Sources
        >>> context = Sources({"handbook": "Notice is one month."}).as_context()
        >>> citation = Citation.model_validate({"quote": "one month"}, context=context)
        >>> citation.span
        Span(source_id='handbook', start=10, end=19)
    """

    model_config = ConfigDict(
        json_schema_extra=_describe("A passage of a source, quoted word for word.")
    )

    quote: str = Field(description=COPY_VERBATIM)
    source_id: str | None = Field(
        default=None, description="The id of the source that the quote is copied from."
    )
    speaker: Annotated[str | None, HiddenFromLLM(keep=str)] = Field(
        default=None,
        exclude_if=lambda speaker: speaker is None,
        repr=False,
        description="Who says it, if the source is a conversation.",
    )
    spans: Annotated[tuple[Span, ...], HiddenFromLLM(keep=tuple)] = ()
    grade: Annotated[Grade | None, HiddenFromLLM()] = None
    quoted_as: Annotated[str | None, HiddenFromLLM(keep=str)] = None
    # Validated so that a citation of the wrong form, too, raises an error without sources.
    framing: Annotated[Framing | None, HiddenFromLLM()] = Field(default=None, validate_default=True)

    @property
    def span(self) -> Span:
        """The span of the quote, from the start of its first part to the end of its last."""
        return Span(self.spans[0].source_id, self.spans[0].start, self.spans[-1].end)

    @field_validator("source_id", mode="before")
    @classmethod
    def _number_as_text(cls, value: Any) -> Any:
        """Take an integer for a text: so models write the ids of numbered sources, unasked."""
        return str(value) if type(value) is int else value

    @field_validator("framing")
    @classmethod
    def _require_sources(cls, framing: Framing | None, info: ValidationInfo[Any]) -> Framing | None:
        resolve(info.context)
        return framing

    @model_validator(mode="after")
    def _check(self, info: ValidationInfo[Any]) -> Self:
        try:
            match = self._match(*_rules(info))
            speaker = None if self.speaker is None else check_speaker(match, self.speaker)
        except PydanticCustomError as error:
            if tolerates():
                vars(self).update(spans=(), grade=None, quoted_as=None, framing=None)
                return self
            field = _WRONG_FIELDS.get(error.type, "quote")
            raise _failed(type(self), [((field,), getattr(self, field), error)]) from None
        # Setting attributes would fail on a frozen model, and recurse where assignments validate.
        vars(self).update(
            quote=match.text,
            speaker=speaker,
            spans=match.spans,
            grade=match.grade,
            quoted_as=None if match.quote == match.text else match.quote,
            framing=match.framing,
        )
        # Else a dump with `exclude_unset` would lack what was computed.
        self.__pydantic_fields_set__.update(("spans", "grade", "quoted_as", "framing"))
        return self

    def _match(self, grounding: Grounding, policy: Policy) -> Match:
        rule = policy.quote
        given: Any = self.spans or ()  # whatever a tuple had in it, not yet validated
        match = check_quote(self.quote, grounding, source_id=self.source_id, rule=rule, spans=given)
        if self.quoted_as is None or self.quoted_as == self.quote:
            return match
        # A dumped citation keeps the language model's wording, if that still leads to the quote.
        search = Search(self.quoted_as, grounding.sources, speech=policy.speech)
        writing = find_match(search, self.source_id, rule)
        if writing is None or writing.text != self.quote:
            return match
        return placed(writing, given, grounding.sources, self.source_id)


class Statement(_Checked):
    """One claim of an answer, and the citations that support it.

    Fails with `statement_empty` if the text is blank and, unless `Policy.uncited` says otherwise,
    with `statement_uncited` if there are no citations. The judges of `Policy.support`, if any,
    decide whether the citations, or the passages found by a search in their place, support the
    text; it fails with `statement_unsupported` or `statement_contradicted`, and with `undecided` if
    no judge could decide, unless the policy lets that pass. A subclass that declares these fields
    again keeps these rules, defaults included.

    Attributes:
        text: The claim.
        citations: The citations that support it.
        verdict: The judges' verdict; `None` if none was asked. Computed: hidden from the language
            model, dumped, and never taken from the input.

    Examples:
        >>> from citeguard import use_sources
        >>> data = {"text": "It takes a month.", "citations": [{"quote": "one month"}]}
        >>> with use_sources("Notice is one month."):
        ...     Statement.model_validate(data).citations[0].grade
        'exact'
    """

    model_config = ConfigDict(
        validate_default=True,
        json_schema_extra=_describe("One claim, with the passages of the sources that support it."),
    )

    text: str = Field(description="One claim, in your own words.")
    citations: list[Citation] = Field(description="The passages that support the claim.")
    verdict: Annotated[Verdict | None, HiddenFromLLM()] = None

    # Methods, not annotations: a subclass that declares a field again inherits them.
    @field_validator("text")
    @classmethod
    def _require_text(cls, text: str, info: ValidationInfo[Any]) -> str:
        resolve(info.context)
        if not any(each.isprintable() and not each.isspace() for each in text):
            raise custom_error("statement_empty", messages.statement_empty())
        return text

    @field_validator("citations")
    @classmethod
    def _require_citations(cls, citations: list[Any], info: ValidationInfo[Any]) -> list[Any]:
        grounding, policy = _rules(info)
        if not citations and policy.uncited == "fail":
            known = grounding.sources.ids
            raise custom_error("statement_uncited", messages.statement_uncited(known))
        return citations

    @model_validator(mode="after")
    def _judge(self, info: ValidationInfo[Any]) -> Self:
        grounding, policy = _rules(info)
        # Here, not in `Answer`, whose validator does not run when a part of it has failed: so one
        # reply has the errors of quotes and of judges.
        vars(self).update(verdict=None)  # that of another text, if this one was assigned
        searches = not self.citations and policy.uncited == "search"
        if searches and not policy.judges:
            raise CiteguardError('Policy(uncited="search") needs judges: name them in support')
        is_judged = policy.judges and (self.citations or searches)
        if not is_judged or not all(each.spans for each in self.citations or ()):
            return self
        verdict = verdict_on(self.text, policy.judges, lambda: _shown(self, grounding), grounding)
        if verdict is not None:
            cited = bool(self.citations)
            error = support_error(verdict, self.text, policy, cited=cited)
            if error is not None:
                raise _failed(type(self), [(("text",), self.text, error)])
        vars(self).update(verdict=verdict or PENDING)
        self.__pydantic_fields_set__.add("verdict")
        return self


class Answer(_Checked):
    """An answer in statements, each with its citations: the response model for a language model.

    All failures of an answer are reported at once, each at its place. An answer without statements
    fails with `answer_empty`, unless it says why the sources do not answer, or the policy lets it
    pass. If nothing else has failed, the judge of `Policy.alignment` decides whether it answers the
    question, or rightly does not, and agrees with what it cites: it may fail with
    `answer_misaligned`, and its statements with the codes of their verdicts. A subclass that
    declares these fields again keeps these rules, defaults included.

    Attributes:
        statements: The statements.
        unanswerable: Why the sources do not answer the question, or a part of it; `None` if they
            do. Without `Policy.alignment` nobody checks whether that is so.
        question: The question, as the language model repeats it.
        alignment: The verdicts on the answer as a whole; `None` if no judge was asked. Computed:
            hidden from the language model, dumped, and never taken from the input.
        dropped: The statements that `Policy.invalid` has dropped, with their errors. Computed:
            hidden from the language model, dumped, and examined again on loading, as far as the
            policy drops.
        usage: What the judges have cost, over all attempts at the answer; `None` without judges.
            Not dumped.

    Raises:
        CiteguardError: Validation found no sources, or something that cannot be read as sources.

    Examples:
        >>> from citeguard import Sources
        >>> context = Sources({"rules": "Visitors may not enter without a badge."}).as_context()
        >>> citation = {"quote": "Visitors may enter without a badge.", "source_id": "rules"}
        >>> data = {"statements": [{"text": "They may enter.", "citations": [citation]}]}
        >>> try:
        ...     Answer.model_validate(data, context=context)
        ... except ValueError as error:
        ...     [(line["type"], line["loc"]) for line in error.errors()]
        [('quote_altered', ('statements', 0, 'citations', 0, 'quote'))]
    """

    model_config = ConfigDict(
        # The question's default, too: an answer of the wrong form must raise without sources, too.
        validate_default=True,
        json_schema_extra=_describe("An answer made of statements that the sources support."),
    )

    statements: list[Statement] = Field(
        description="The answer, one claim at a time; empty if the sources do not answer."
    )
    unanswerable: str | None = Field(
        default=None,
        description="If the sources do not answer the question, or a part of it: what they do not "
        "say. Make no statement about that.",
    )
    question: str | None = Field(default=None, description="The question that is answered.")
    alignment: Annotated[Alignment | None, HiddenFromLLM()] = None
    dropped: Annotated[tuple[Dropped, ...], HiddenFromLLM(keep=tuple)] = ()
    usage: Annotated[Usage | None, HiddenFromLLM()] = Field(default=None, exclude=True, repr=False)

    def __eq__(self, other: object) -> bool:
        """Compare everything but the usage: an answer is the same whatever its judges cost."""
        if isinstance(other, Answer):
            other = other.model_copy(update={"usage": self.usage})
        return super().__eq__(other)

    @classmethod
    def over(cls, sources: Any) -> type[Self]:
        """Return this model with the ids of some sources as the only ones in its JSON schema.

        If a source is a conversation, citations also get a `speaker`, one of those in the sources.

        With it as `response_model`, a provider that decodes by the schema can invent no id. Nothing
        else changes: validation still needs the sources, in its context. Of more ids than OpenAI
        takes as an enum (1,000, or 15,000 characters of more than 250) none is listed.
        The same ids give the same model again, and it can be pickled, as its answers can.

        Args:
            sources: Anything that `Sources` accepts.

        Raises:
            InvalidSourcesError: `sources` cannot be read as sources.

        Examples:
            >>> schema = Answer.over({"faq": "Lunch is free."}).model_json_schema()
            >>> schema["$defs"]["Citation"]["properties"]["source_id"]["anyOf"][0]["enum"]
            ['faq']
        """
        known = as_sources(sources)
        model = offering(cls, ("statements", "citations", "source_id"), known.ids)
        names = dict.fromkeys(part.speaker for source in known for part in source.parts)
        speakers = [name for name in names if name is not None]
        if not speakers:
            return model
        return offering(model, ("statements", "citations", "speaker"), speakers)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Let the list of statements lose what the policy drops."""
        return with_drops(handler(source), cls, handler)

    def to_markdown(self, sources: Any = None) -> str:
        """Return the answer as Markdown: its statements, with numbered footnotes for the quotes.

        A footnote has the quote and the source's title, or its id; with the sources, also the page,
        the headings or the line, and a link that opens the place if the source has a URL. Markup in
        the answer and in the sources has no effect.

        Args:
            sources: Anything that `Sources` accepts; those of the enclosing `use_sources` block if
                `None`, and if the answer cites them; without any, footnotes have no places.

        Raises:
            InvalidSourcesError: `sources` cannot be read as sources, or are not those that the
                answer was validated with.
            UnknownSourceError: The answer cites others.

        Examples:
            >>> from citeguard import Sources
            >>> sources = Sources({"faq": "Lunch is free."})
            >>> citation = {"quote": "Lunch is free", "source_id": "faq"}
            >>> data = {"statements": [{"text": "It costs nothing.", "citations": [citation]}]}
            >>> answer = Answer.model_validate(data, context=sources.as_context())
            >>> print(answer.to_markdown(sources), end="")
            It costs nothing.[^1]
            <BLANKLINE>
            [^1]: “Lunch is free” – faq, line 1
        """
        return as_markdown(self, self._rendered_with(sources))

    @staticmethod
    def from_anthropic(message: Any, documents: Any) -> ImportedAnswer:
        """Return the answer in a message of Anthropic's, its citations proved."""
        return _providers().from_anthropic(message, documents)

    @staticmethod
    def from_bedrock(reply: Any, documents: Any = None) -> ImportedAnswer:
        """Return the answer of Amazon Bedrock's Converse or RetrieveAndGenerate."""
        return _providers().from_bedrock(reply, documents)

    @staticmethod
    def from_cohere(reply: Any, documents: Any = None) -> ImportedAnswer:
        """Return the answer of Cohere's chat."""
        return _providers().from_cohere(reply, documents)

    @staticmethod
    def from_gemini(reply: Any, documents: Any = None) -> ImportedAnswer:
        """Return the answer of the Gemini API."""
        return _providers().from_gemini(reply, documents)

    @staticmethod
    def from_langextract(result: Any, documents: Any = None) -> ImportedAnswer:
        """Return LangExtract's extractions."""
        return _providers().from_langextract(result, documents)

    @staticmethod
    def from_mistral(reply: Any, documents: Any) -> ImportedAnswer:
        """Return the answer of Mistral's chat."""
        return _providers().from_mistral(reply, documents)

    @staticmethod
    def from_openai(reply: Any, documents: Any = None) -> ImportedAnswer:
        """Return the answer of OpenAI's Responses, Chat Completions or Assistants API."""
        return _providers().from_openai(reply, documents)

    @staticmethod
    def from_perplexity(reply: Any, documents: Any) -> ImportedAnswer:
        """Return the answer of Perplexity's API."""
        return _providers().from_perplexity(reply, documents)

    @staticmethod
    def from_vertex(reply: Any, documents: Any = None) -> ImportedAnswer:
        """Return the answer of Vertex AI Search."""
        return _providers().from_vertex(reply, documents)

    def receipt(self, sources: Any = None, *, key: str | bytes | None = None) -> Receipt:
        """Return a record of where the quotes were found, which can be checked again later.

        See `citeguard.receipts.check_receipt`. It has the words around each quote, and a hash of
        each source.

        Args:
            sources: As for `to_anthropic`.
            key: Signs it: a secret of at least 16 bytes, or a private key of Ed25519 in PEM, for
                which the package `cryptography` must be installed.

        Raises:
            CiteguardError: As for `to_anthropic`; or the answer has no quotes, the key cannot sign,
                or a package is missing.
            InvalidSourcesError: As for `to_markdown`.
            UnknownSourceError: The answer cites others.
        """
        from citeguard.receipts.receipt import make_receipt  # a door upwards

        return make_receipt(self, self._exported_with(sources), key=key)

    def to_anthropic(self, sources: Any = None) -> dict[str, Any]:
        """Return the answer as a message of Anthropic's.

        Args:
            sources: As for `to_markdown`; required if the answer does not know its sources.

        Raises:
            CiteguardError: The sources are unknown, or the answer was never validated.
            InvalidSourcesError: As for `to_markdown`.
            UnknownSourceError: The answer cites others.
        """
        return _providers().to_anthropic(self, self._exported_with(sources))

    def to_gemini(self, sources: Any = None) -> dict[str, Any]:
        """Return the answer as a candidate of Gemini's; arguments as for `to_anthropic`."""
        return _providers().to_gemini(self, self._exported_with(sources))

    def to_langchain(self, sources: Any = None) -> dict[str, Any]:
        """Return the answer as a text block of LangChain's; arguments as for `to_anthropic`."""
        return _providers().to_langchain(self, self._exported_with(sources))

    def to_openai(self, sources: Any = None) -> dict[str, Any]:
        """Return the answer as an output text of OpenAI's; arguments as for `to_anthropic`."""
        return _providers().to_openai(self, self._exported_with(sources))

    def to_web_annotations(self, sources: Any = None) -> list[dict[str, Any]]:
        """Return the citations as W3C annotations; arguments as for `to_anthropic`."""
        return _providers().to_web_annotations(self, self._exported_with(sources))

    def _exported_with(self, sources: Any) -> Sources:
        if (given := self._rendered_with(sources)) is None:
            raise CiteguardError("the answer does not know its sources: pass them")
        return given

    def _repr_html_(self) -> str:
        """Show the answer in a notebook; with places within `use_sources`."""
        from citeguard.reports.cards import answer_card  # a door upwards

        return answer_card(self, self._rendered_with(None))

    def _rendered_with(self, sources: Any) -> Sources | None:
        if sources is not None:
            given = as_sources(sources)
            check_sources(self, given)
            return given
        with suppress(CiteguardError):  # the enclosing block may be about other sources
            if (current := current_grounding.get()) is not None:
                check_sources(self, current.sources)
                return current.sources
        return None

    @field_validator("statements", "question")
    @classmethod
    def _require_sources(cls, value: Any, info: ValidationInfo[Any]) -> Any:
        resolve(info.context)
        return value

    @field_validator("unanswerable")
    @classmethod
    def _blank_is_none(cls, reason: str | None) -> str | None:
        return stated_reason(reason)

    @field_validator("dropped", mode="before")
    @classmethod
    def _read_dropped(cls, given: Any, info: ValidationInfo[Any]) -> tuple[Dropped, ...]:
        return read_dropped(cls, given, info)

    @model_validator(mode="after")
    def _judge(self, info: ValidationInfo[Any]) -> Self:
        grounding, policy = _rules(info)
        vars(self).update(alignment=None, usage=None)
        if not self.statements and self.unanswerable is None and policy.empty == "fail":
            field = written_name(type(self), "unanswerable")
            error = custom_error("answer_empty", messages.answer_empty(field))
            raise _failed(type(self), [(("statements",), self.statements, error)])
        if policy.aligners and (self.statements or self.unanswerable):
            vars(self).update(alignment=self._aligned(grounding, policy))
            self.__pydantic_fields_set__.add("alignment")
        if self.dropped:
            self.__pydantic_fields_set__.add("dropped")
        if policy.judges or policy.aligners:
            vars(self).update(usage=session_of(grounding).usage)
        return self

    def _aligned(self, grounding: Grounding, policy: Policy) -> Alignment:
        """Return the verdicts on the answer, or on what is left of it without wrong statements."""
        question = self.question if grounding.question is None else grounding.question
        alignment, is_known = _alignment(self, question, policy.aligners, grounding)
        errors = _misaligned(self, alignment, question, policy) if is_known else []
        if not errors:
            return alignment
        wrong = {
            int(loc[1]): StatementError(code=error.type, message=error.message(), loc=loc[2:])
            for loc, _, error in errors
            if len(loc) > 1 and error.type != "undecided" and policy.invalid == "drop"
        }
        if not wrong or len(wrong) == len(self.statements):
            raise _failed(type(self), errors)
        dropped = (lost(self.statements[place], [error]) for place, error in wrong.items())
        left = [each for place, each in enumerate(self.statements) if place not in wrong]
        vars(self).update(dropped=(*self.dropped, *dropped), statements=left)
        return self._aligned(grounding, policy)


_NO_QUESTION = Verdict("undecided", reason="no question is known that could be left open")
# No passage is about the question, so it is right that the answer leaves it open.
_NOTHING_TO_ANSWER = replace(NOTHING_FOUND, outcome="supported")


def _providers() -> Any:
    """Return the room of provider formats, a door upwards."""
    from citeguard import providers

    return providers


def _shown(statement: Statement, grounding: Grounding) -> list[Evidence]:
    if not statement.citations:  # a subclass may allow None
        return found_evidence(statement.text, grounding)
    quotes = [citation.spans for citation in statement.citations]
    return cited_evidence(statement.text, quotes, grounding)


def _alignment(
    answer: Answer, asked: str | None, judges: tuple[AlignmentJudge, ...], grounding: Grounding
) -> tuple[Alignment, bool]:
    try:
        statements = tuple(
            question_about(each.text, _shown(each, grounding) if each.citations else ())
            for each in answer.statements
        )
        is_open = answer.unanswerable is not None and asked is not None
        passages = tuple(open_evidence(asked, grounding)) if is_open and asked else ()
    except JudgeFailedError as error:
        return Alignment(answer=undecided_search(error)), True
    if not statements and not passages:
        return Alignment(answer=_NOTHING_TO_ANSWER if is_open else _NO_QUESTION), True
    question = AlignmentQuestion(
        question=asked, statements=statements, unanswerable=answer.unanswerable, passages=passages
    )
    alignment: Alignment | None = ask(question, judges, grounding)
    if alignment is None:
        return pending_answer(question), False
    return alignment, True


def _misaligned(
    answer: Answer, alignment: Alignment, question: str | None, policy: Policy
) -> list[_Located]:
    is_open = not answer.statements
    error = answer_error(
        alignment.answer,
        question,
        policy,
        is_open=is_open,
        unanswerable=written_name(type(answer), "unanswerable"),
    )
    place, given = "statements", [statement.text for statement in answer.statements]
    if is_open:
        place, given = "unanswerable", answer.unanswerable
    on_answer: list[_Located] = [] if error is None else [((place,), given, error)]
    if not any(each and each.decided for each in (alignment.answer, *alignment.statements)):
        # A judge that failed on everything is reported once.
        return on_answer
    on_statements: list[_Located] = []
    for number, verdict in enumerate(alignment.statements):
        statement = answer.statements[number]
        if verdict is not None and statement.citations:
            error = support_error(verdict, statement.text, policy)
            if error is not None:
                on_statements.append((("statements", number, "text"), statement.text, error))
    if on_statements and not alignment.answer.decided:
        # What is known to be wrong comes first, without a message that nothing is.
        return on_statements
    return [*on_answer, *on_statements]


_Located = tuple[tuple[int | str, ...], Any, PydanticCustomError]


def _failed(model: type[BaseModel], errors: Iterable[_Located]) -> ValidationError:
    """Return errors as one error of a model, each at its place."""
    # The only way for one validator to report several errors: Pydantic merges them, and puts its
    # own place before theirs.
    details = [
        InitErrorDetails(type=error, loc=(written_name(model, str(field)), *within), input=value)
        for (field, *within), value, error in errors
    ]
    return ValidationError.from_exception_data(model.__name__, details)


# An answer is shown whole; the bound is on what a hostile one can make of a page.
_LONGEST = 20_000


def check_sources(answer: Any, sources: Sources) -> None:
    """Raise if an answer's quotes are not where it says in the sources, or were never validated."""
    for statement in answer.statements:
        for citation in statement.citations or ():
            if not citation.spans:
                raise CiteguardError("the answer has a citation that was never validated")
            if ELLIPSIS.join(map(sources.slice, citation.spans)) != citation.quote:
                raise InvalidSourcesError(
                    f"source {citation.spans[0].source_id!r} does not have a quote where the "
                    "answer says: it was validated with other sources of the same ids"
                )


def as_markdown(answer: Any, sources: Sources | None) -> str:
    """Return an answer as Markdown; see `Answer.to_markdown`."""
    notes: dict[object, tuple[int, str]] = {}  # by spans: a place has only one
    parts: list[str] = []
    for statement in answer.statements:
        cited: dict[int, None] = {}
        for citation in statement.citations or ():
            if citation.spans not in notes:
                first = citation.spans[0]
                source = escaped(first.source_id)
                if sources is not None:
                    place = sources.location_of(first)
                    source = escaped(sources[first.source_id].title or first.source_id)
                    # A URL cannot end the link: `web_url` lets no space or control character in.
                    if (url := place.url) is not None:
                        url = url.replace("(", "%28").replace(")", "%29")
                        source = f"[{source}]({url})"
                    source += f", {escaped(str(place))}" if str(place) else ""
                number = len(notes) + 1
                note = f"[^{number}]: “{escaped(citation.quote, _LONGEST)}” – {source}"
                notes[citation.spans] = number, note
            cited[notes[citation.spans][0]] = None
        marks = "".join(f"[^{number}]" for number in cited)
        parts.append(as_paragraph(without_machine_marks(statement.text), _LONGEST) + marks)
    remarks: list[str] = []
    if answer.unanswerable is not None:
        remarks.append(messages.not_in_sources(answer.unanswerable))
    if answer.dropped:
        count = counted_as(len(answer.dropped), "statement")
        remarks.append(f"{count} omitted, as wrong or unsupported.")
    shown = [" ".join(parts), *(f"*{escaped(remark, _LONGEST)}*" for remark in remarks)]
    return "\n\n".join(filter(None, [*shown, "\n".join(note for _, note in notes.values())])) + "\n"
