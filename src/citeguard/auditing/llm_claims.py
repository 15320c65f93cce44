"""Claims found by a language model: `LLMClaims`.

Its replies are read by `Reading`, which aligns what they quote with the words of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple, Self, Unpack, cast, get_args

from pydantic import BaseModel, Field, ValidationError, ValidationInfo, model_validator
from pydantic_core import InitErrorDetails, PydanticCustomError

from citeguard.auditing.claims import Claim, Extraction, blanked, spoken, units
from citeguard.errors import UndecidedError, check_whole, logger
from citeguard.facts.aligned import differences
from citeguard.judges.loops import aside, run_sync, together
from citeguard.judges.model_calls import ModelCalls, ModelOptions
from citeguard.judges.prompts import Prompt, read_prompt
from citeguard.judges.usage import Usage, UsageCounter, judge_usage
from citeguard.judges.verdicts import JudgeFailedError
from citeguard.language.excerpts import as_json, counted_as
from citeguard.language.sentences import Interval
from citeguard.reports.report import SetAside
from citeguard.sources.collection import Source, Sources
from citeguard.sources.matches import Match, locate
from citeguard.validation.context import resolve
from citeguard.validation.messages import word_diff

if TYPE_CHECKING:
    from citeguard.judges.model_calls import Client

_log = logger("citeguard")

_LONG = 10_000  # characters of text from which to find its sentences takes milliseconds
_MOST_BEFORE = 500  # characters before a part that are shown with it, for its pronouns


class LLMClaims:
    """A language model that finds the claims of texts.

    Each claim must quote the words of the text that it is made of; they are looked for as
    `FuzzyQuote` looks for quotes, and give the place of the claim, whatever the model says.
    Problems go back to the model through instructor's own retries: a quote that does not appear in
    the text, numbers, names or a negation that the text does not have, a sentence of which nothing
    is quoted. Problems that remain after the last retry are resolved without the model: a claim
    with only its wording wrong gets the words of the text; a quote that appears nowhere is dropped,
    and logged; sentences of which nothing is quoted are in `Extraction.uncovered`.

    The own words of two claims never overlap: words that both quote belong to the first, as far as
    the second has others.

    Long texts are cut at their sentences into parts, about which the model is asked concurrently.
    It is not asked about a text without letters and digits. A synchronous and an asynchronous
    client can both be used from synchronous and from asynchronous code.

    Args:
        client: One of instructor's, for any provider, or an `OpenAI` or `AsyncOpenAI`, for any
            compatible endpoint.
        prompt: The instructions to the model.
        max_retries: How often the model is asked again about a part, at most.
        part_limit: The most characters of a part.
        model: How it is called; see `ModelOptions`.

    Attributes:
        prompt: The instructions to the model.

    Raises:
        CiteguardError: a client of another kind, no model, or invalid settings; and when asked, if
            the endpoint answers that the key or the model does not exist.

    Examples:
        >>> import openai
        >>> client = openai.OpenAI(api_key="…", base_url="http://localhost:8000/v1")
        >>> LLMClaims(client, model="gpt-5-mini")
        LLMClaims('gpt-5-mini')
    """

    def __init__(
        self,
        client: Client,
        *,
        prompt: Prompt | None = None,
        max_retries: int = 2,
        part_limit: int = 4_000,
        **model: Unpack[ModelOptions],
    ) -> None:
        self._calls = ModelCalls(client, "LLMClaims", model)
        check_whole("LLMClaims(max_retries=...)", max_retries, 0)
        check_whole("LLMClaims(part_limit=...)", part_limit, 1)
        self.prompt = prompt or read_prompt("llm_claims", "citeguard.auditing")
        self._max_retries, self._part_limit = max_retries, part_limit

    def __repr__(self) -> str:
        """Name the model."""
        return f"LLMClaims({self.name!r})"

    @property
    def name(self) -> str:
        """What it is called in messages: the model's name."""
        return self._calls.name

    def extract(self, texts: Sequence[str], /) -> list[Extraction]:
        """Return the claims of each text, in order; waits for the model.

        Raises:
            UndecidedError: the model gave no usable reply about a part of a text, or none in time,
                so the claims are not known. The text is not at fault: the same call may succeed
                later, or with another extractor.
            CiteguardError: the setup is wrong.
        """
        return run_sync(self.aextract(texts))

    async def aextract(self, texts: Sequence[str], /) -> list[Extraction]:
        """Do what `extract` does, without blocking the event loop."""
        return await together(map(self._extracted, texts))

    async def _extracted(self, text: str) -> Extraction:
        parts = await aside(len(text) > _LONG, _parts, text, self._part_limit)
        known = await aside(len(text) > _LONG, words_of, text)
        read = await together(self._read(part, text, known) for part in parts)
        claims, uncovered = list[Claim](), list[Interval]()
        for (at, *_), reading in zip(parts, read, strict=True):
            uncovered += ((start + at, end + at) for start, end in reading.uncovered)
            for each in reading.claims or ():
                sentence = each.sentence[0] + at, each.sentence[1] + at
                moved = replace(each, start=each.start + at, end=each.end + at, sentence=sentence)
                claims.append(moved)
        return Extraction(claims=tuple(claims), uncovered=tuple(uncovered))

    async def _read(self, part: _TextPart, text: str, known: frozenset[str]) -> Reading:
        """Ask about a part, and return what was read of the replies."""
        words = text[part.start : part.end]
        sentences = [(start - part.start, end - part.start) for start, end in part.sentences]
        reading = Reading(words, known, sentences)
        before = text[max(0, part.start - _MOST_BEFORE) : part.start].strip()
        data = {**({"before": before} if before else {}), "text": words}
        context = reading.sources.as_context()
        # Where the validator of `ClaimsReply` finds it: instructor passes on nothing but the
        # context.
        context.grounding.memory["reading"] = reading
        counter = UsageCounter()
        try:
            await self._calls.ask(
                ClaimsReply,
                self.prompt,
                data,
                counter,
                context=context,
                max_retries=self._max_retries,
            )
        except JudgeFailedError as error:
            if reading.claims is None:  # else a reply was read, and counts all the same
                raise UndecidedError(str(error)) from error
        finally:
            # The first call has been counted; those with which instructor asked again have not.
            counter.add(judge_usage(Usage(calls=max(0, reading.replies - 1)), price=0.0))
        if reading.dropped:
            dropped = counted_as(reading.dropped, "quote")
            _log.warning("%s: %s dropped, found nowhere in the text", self.name, dropped)
        return reading


class _TextPart(NamedTuple):
    """A part of a text, and the half-open intervals of its sentences in the text."""

    start: int
    end: int
    sentences: list[Interval]


def _parts(text: str, limit: int) -> list[_TextPart]:
    """Cut a text at its sentences into parts, none longer than a limit.

    What is longer alone, such as code, is cut between words, or anywhere if it has no blanks.
    """
    parts: list[_TextPart] = []
    for start, end in _pieces(text, limit):
        if not any(map(str.isalnum, text[start:end])):
            continue
        if parts and end - parts[-1].start <= limit:
            last = parts.pop()
            parts.append(_TextPart(last.start, end, [*last.sentences, (start, end)]))
        else:
            parts.append(_TextPart(start, end, [(start, end)]))
    return parts


def _pieces(text: str, limit: int) -> Iterator[Interval]:
    for unit in units(text):
        start = unit.start
        while unit.end - start > limit:
            blank = text.rfind(" ", start + 1, start + limit)
            end = start + limit if blank < 0 else blank + 1
            yield start, end
            start = end
        yield start, unit.end


# -- What the model replies

_REASONS: tuple[str, ...] = get_args(SetAside)
_SHOWN = 120  # characters of the text in a message
_MOST_SHOWN = 5  # sentences, numbers or names in a message
_LONGEST_QUOTE = 2_000  # characters; a sentence was asked for, and to look for more takes long

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
# A capital where no sentence begins: "met Anna".
_NAME = re.compile(r"(?<=[^\W\d_]\s)[^\W\d_a-z][\w'’-]+")
_WORD = re.compile(r"[^\W_]+")


class ClaimReply(BaseModel):
    """One thing that the text says."""

    quote: str = Field(description="The words of the text that say it, copied verbatim.")
    text: str = Field(description="The same in one sentence that can be read alone.")
    # A string, so that an invalid choice costs the claim its reason, and not the whole reply.
    set_aside: str | None = Field(
        default=None,
        description="Why no source could support it; null if one could.",
        json_schema_extra={"enum": [*_REASONS, None]},
    )


class ClaimsReply(BaseModel):
    """All that the text claims, in its order."""

    claims: list[ClaimReply] = Field(description="At least one for each sentence.")

    @model_validator(mode="after")
    def _is_in_the_text(self, info: ValidationInfo) -> Self:
        reading = cast("Reading", resolve(info.context).memory["reading"])
        lines: list[InitErrorDetails] = []
        for message, number, name in reading.read(self.claims):
            error = PydanticCustomError("claim_misaligned", "{message}", {"message": message})
            loc = ("claims",) if number is None else ("claims", number, name)
            given = "" if number is None else getattr(self.claims[number], name)
            lines.append(InitErrorDetails(type=error, loc=loc, input=given))
        if lines:
            raise ValidationError.from_exception_data(type(self).__name__, lines)
        return self


class Problem(NamedTuple):
    """A problem with a field of a claim; without a number, with the whole reply."""

    message: str
    number: int | None = None
    field: str = "quote"


def words_of(text: str) -> frozenset[str]:
    """Return the words and numbers of a text, in lower case."""
    return frozenset(_NUMBER.findall(text)) | frozenset(_WORD.findall(text.casefold()))


@dataclass(slots=True)
class Reading:
    """A part of a text, and the best of the replies about it."""

    part: str  # has a letter or a digit
    known: frozenset[str]  # the words of the whole text, among which those of claims must be
    sentences: Sequence[Interval]
    claims: list[Claim] | None = None  # with places in the part, in order; `None` before any reply
    uncovered: list[Interval] = field(default_factory=list[Interval])
    dropped: int = 0  # claims that quoted words that the part does not have
    replies: int = 0  # that were read
    sources: Sources = field(init=False)  # the part, as the only source
    _problems: int = 0

    def __post_init__(self) -> None:
        """Make a source of the part."""
        self.sources = Sources(Source("text", self.part))

    def read(self, replies: Sequence[ClaimReply]) -> list[Problem]:
        """Find the claims of a reply in the part, and return the problems with them.

        Of several replies the one with the fewest problems is kept, of these the last.
        """
        self.replies += 1
        quoted, problems = list[Quoted](), list[Problem]()
        for number, reply in enumerate(replies):
            if reply.set_aside not in (None, *_REASONS):
                message = f"It is null, or one of {', '.join(_REASONS)}."
                problems.append(Problem(message, number, "set_aside"))
            long = len(reply.quote) > _LONGEST_QUOTE
            match = None if long else locate(reply.quote, self.sources)
            if match is None:
                message = "The quote is not in the text. Copy words of one sentence verbatim."
                problems.append(Problem(message, number))
                continue
            start, end = _place(match, quoted[-1].end if quoted else 0)
            flaws = _flaws(reply.text, match, self.part[start:end], self.known)
            found = [Problem(message, number, name) for name, message in flaws]
            problems += found
            quoted.append(Quoted(start, end, "" if found else spoken(blanked(reply.text)), reply))
        if uncovered := self._unquoted(quoted):
            words = _listed(self.part[start:end] for start, end in uncovered)
            message = f"Nothing is quoted from {counted_as(len(uncovered), 'sentence')}: {words}. "
            instead = "Add what each claims, or make one claim of it that is set aside."
            problems.append(Problem(message + instead))
        if self.claims is None or len(problems) <= self._problems:
            self._problems = len(problems)
            kept = apart(quoted, self.part)
            self.claims = [self._claim(each) for each in kept]
            self.uncovered, self.dropped = self._unquoted(kept), len(replies) - len(quoted)
        return problems

    def _unquoted(self, quoted: Sequence[Quoted]) -> list[Interval]:
        return [
            (start, end)
            for start, end in self.sentences
            if not any(each.start < end and start < each.end for each in quoted)
        ]

    def _claim(self, quoted: Quoted) -> Claim:
        # The sentence that it begins in; its own words, where there is none.
        holding = (each for each in self.sentences if each[0] <= quoted.start < each[1])
        sentence = next(holding, (quoted.start, quoted.end))
        first, last = quoted.made_of
        text, context = quoted.text, ""
        if not text:  # the words of the text, and those before, back to the sentence before
            before = [each for each in self.sentences if each[1] <= sentence[0]][-1:]
            start = before[0][0] if before else sentence[0]
            words = blanked(self.part[first:last]), blanked(self.part[start:first])
            text, context = map(spoken, words)
        reason = quoted.reply.set_aside
        return Claim(
            text=text,
            start=quoted.start,
            end=quoted.end,
            sentence=sentence,
            set_aside=cast("SetAside", reason) if reason in _REASONS else None,
            context=context,
        )


@dataclass(frozen=True, slots=True)
class Quoted:
    """A claim of a reply, with the interval of its own words."""

    start: int
    end: int
    text: str  # what is claimed; empty if the reply's wording cannot be trusted
    reply: ClaimReply
    quoted: Interval | None = None  # of all words that it quotes, if others quote some of them

    @property
    def made_of(self) -> Interval:
        """The interval of all words that it quotes."""
        return self.quoted or (self.start, self.end)

    def at(self, start: int, end: int) -> Quoted:
        """Return it with other own words."""
        return replace(self, start=start, end=end, quoted=self.made_of)


def apart(quoted: Iterable[Quoted], part: str) -> list[Quoted]:
    """Return claims so that the own words of no two overlap, in the order of the text.

    Words that two claims quote are those of the one that begins first; the other one has the rest
    of its words. Where it has none, it keeps them, and the first one has only the words before
    them; without any, each has half of the words. Of a single word that two claims
    quote, one claim is made that says both.
    """
    kept: list[Quoted] = []
    for each in sorted(quoted, key=lambda each: each.start):
        kept += _beside(kept.pop(), each, part) if kept else [each]
    return kept


def _beside(first: Quoted, second: Quoted, part: str) -> list[Quoted]:
    """Return two claims without an overlap, or the one that says both."""
    if second.start >= first.end:
        return [first, second]
    if rest := _with_words(part, first.end, second.end):
        return [first, second.at(*rest)]
    if before := _with_words(part, first.start, second.start):
        return [first.at(*before), second]
    words = [word.start() for word in _WORD.finditer(part, first.start, first.end)]
    if len(words) < 2:
        both = " ".join(filter(None, (first.text, second.text)))
        return [replace(first, text=both)]
    middle = words[len(words) // 2]
    before = _with_words(part, first.start, middle) or (first.start, middle)
    return [first.at(*before), second.at(middle, first.end)]


def _with_words(part: str, start: int, end: int) -> Interval | None:
    """Return an interval without the blanks around it; `None` if it has no words."""
    words = part[start:end]
    if start >= end or not _WORD.search(words):
        return None
    return start + len(words) - len(words.lstrip()), start + len(words.rstrip())


def _place(match: Match, done: int) -> Interval:
    """Return the interval of a quote; of several the next one, as claims come in order."""
    if len(match.spans) > 1:
        # A claim has one interval; of a quote that leaves words out, that of its longest part.
        longest = max(match.spans, key=lambda span: span.end - span.start)
        return longest.start, longest.end
    others = match.others if match.accepted else ()
    places = sorted((span.start, span.end) for span in (match.span, *others))
    return next((place for place in places if place[0] >= done), places[0])


def _flaws(text: str, match: Match, words: str, known: frozenset[str]) -> Iterator[tuple[str, str]]:
    """Yield the fields of a claim that say more or less than the text, and how."""
    if not match.accepted:
        diff = word_diff(match.quote, match.text, match.edits)
        stop = "" if diff.endswith("…") else "."
        says = f"The text says {as_json(match.text, _SHOWN)}; the difference: {diff}{stop}"
        yield "quote", f"{says} Copy words of the text verbatim."
    elif len(match.spans) > 1:
        yield "quote", "The quote leaves words out. Copy unbroken words of one sentence."
    if not _WORD.search(text):
        yield "text", "Say what is claimed."
    added = [number for number in _NUMBER.findall(text) if number not in known]
    for name in _NAME.findall(text):
        parts = [part for part in _WORD.findall(name.casefold()) if len(part) > 1]  # no initials
        if not known.issuperset(parts) and not any(map(str.isdigit, name)):
            added.append(name)
    if added:
        yield "text", f"The text does not have {_listed(added)}. Say no more than the text."
    for each in differences(text, words):
        if each.kind == "negation":
            stated, found = as_json(each.stated, _SHOWN), as_json(each.found, _SHOWN)
            says = f"It says {stated} where the quote says {found}."
            yield "text", f"{says} Say the same as the quote."


def _listed(texts: Iterable[str]) -> str:
    texts = list(texts)
    shown = [as_json(text, _SHOWN) for text in texts[:_MOST_SHOWN]]
    return ", ".join([*shown, "…"] if len(texts) > _MOST_SHOWN else shown)
