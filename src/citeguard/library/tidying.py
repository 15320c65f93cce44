"""`tidy`: paragraphs that a language model proposes, each accepted only if it keeps the words."""

from __future__ import annotations

import asyncio
import json
import re
import time
from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

from pydantic import BaseModel, Field

from citeguard.errors import CiteguardError, check_kind, check_whole
from citeguard.judges.loops import in_thread, run_sync, together
from citeguard.judges.model_calls import (
    BudgetSpentError,
    ModelCalls,
    ModelOptions,
    estimated_tokens,
)
from citeguard.judges.prompts import Prompt, read_prompt
from citeguard.judges.usage import Budget, Usage, UsageCounter
from citeguard.judges.verdicts import JudgeFailedError
from citeguard.language.excerpts import counted_as
from citeguard.language.sentences import Interval, stripped
from citeguard.library.rewriting import Cause, RawText, Rejection, Rewriting, rewrite
from citeguard.sources.collection import Source, Span
from citeguard.sources.layout import Doubt, Heading, Layout, PrintedLine

if TYPE_CHECKING:
    from citeguard.judges.model_calls import Client

_SHARE = 0.5  # of the context: the reply is about as long as the prompt
_MARKS = 40  # tokens by which digests in the prompt may differ
_PARAGRAPH_BREAK = re.compile(r"\n[ \t\r\v]*(?:\n\s*|\f\s*)|\f\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class TidiedParagraph:
    """What became of some neighbouring paragraphs of the raw text.

    Attributes:
        raw: Their place in the raw text.
        span: Their place in the tidied text; empty if they were furniture of a page.
        cause: Why they are kept as they were; `None` if the text is as the model proposes.
        reason: The same for a reader, on one line; empty if it is.
    """

    raw: Span
    span: Span
    cause: Cause | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tidied:
    """A tidied document, and where each part of it is in the raw text.

    The tidied text has the characters of the raw text, in their order, but for white space, hyphens
    at the ends of lines, the furniture of pages, and ligatures, which are written in letters.

    Attributes:
        source: The tidied document, with the id, title and URL of the raw one. Its layout has the
            headings, those that the model restored included, and the pages and boxes of a PDF file;
            tables have no cells there, but those of `raw` have.
        raw: The raw document.
        paragraphs: What became of each paragraph, in the order of the text.
        usage: What the calls of the model took.
        origins: For each character of the tidied text its offset in the raw one; -1 for white space
            that is not from there.
    """

    source: Source
    raw: Source
    paragraphs: tuple[TidiedParagraph, ...]
    usage: Usage
    origins: Sequence[int] = field(repr=False)

    def __str__(self) -> str:
        """Return one line for a reader: how much was tidied, and why the rest was not."""
        causes = [each.cause for each in self.kept]
        listed = ", ".join(f"{causes.count(each)} {each}" for each in dict.fromkeys(causes))
        tidied = len(self.paragraphs) - len(causes)
        rest = f"; kept {len(causes)}: {listed}" if causes else ""
        return f"{tidied} of {counted_as(len(self.paragraphs), 'paragraph')} tidied{rest}"

    @property
    def kept(self) -> tuple[TidiedParagraph, ...]:
        """The paragraphs whose raw text was kept."""
        return tuple(each for each in self.paragraphs if each.cause is not None)

    @property
    def markdown(self) -> str:
        """The tidied text with `#` marks before its headings, for a Markdown file.

        Nothing is escaped.
        """
        text = self.source.text
        for heading in reversed(self.source.headings):
            text = f"{text[: heading.start]}{'#' * heading.level} {text[heading.start :]}"
        return text

    def raw_spans(self, span: Span) -> tuple[Span, ...]:
        """Return the places of the raw text that a span of the tidied text comes from, in order.

        Several if furniture of a page is between them. None for white space alone.

        Raises:
            CiteguardError: The span is of another source, or not within the text.
        """
        text = self.source.text
        if span.source_id != self.source.id or not 0 <= span.start <= span.end <= len(text):
            raise CiteguardError(f"{span} is not a span of the tidied text")
        found: list[Span] = []
        for at in range(span.start, span.end):
            start = self.origins[at]
            if start < 0 or text[at].isspace():
                continue
            between = self.raw.text[found[-1].end : start] if found else ""
            if found and not any(map(str.isalnum, between)):
                found[-1] = replace(found[-1], end=start + 1)
            else:
                found.append(Span(self.raw.id, start, start + 1))
        return tuple(found)


class ParagraphReply(BaseModel):
    """A paragraph as it should be."""

    numbers: list[int] = Field(description="The numbers of the paragraphs that it replaces.")
    text: str = Field(description="Its text; empty if it is a page header or footer.")


class TidyReply(BaseModel):
    """The paragraphs as they should be."""

    paragraphs: list[ParagraphReply]


async def atidy(
    source: Source,
    client: Client,
    *,
    context_tokens: int = 16_000,
    budget: Budget | None = None,
    **model: Unpack[ModelOptions],
) -> Tidied:
    """Return a document as a language model tidies it, without a change of what it says.

    The model gets whole paragraphs of one section at a time, with their numbers, and returns
    paragraphs. One is accepted only if it has the same letters, digits and signs as the raw one,
    but for hyphens at line ends and lines that are furniture of a page, and if words are joined or
    split only where the raw text shows that they were broken. Otherwise, and if the model fails,
    the raw paragraph is kept, so that nothing is lost; `Tidied.paragraphs` says why.

    It does not correct spelling, tables or formulas, and cannot see what the reader of the PDF file
    lost.

    Args:
        source: The document, as `Sources.from_paths` reads it. Without the headings of a layout, it
            is one section. Paragraphs are separated by blank lines or page breaks.
        client: One of instructor's, for any provider, or an `OpenAI` or `AsyncOpenAI`, for any
            compatible endpoint.
        context_tokens: How many tokens the model's context takes; prompts take at most half, as
            replies are about as long, unless one paragraph is longer.
        budget: What the calls may take. When it is spent, the rest is kept as it is.
        model: How it is called; see `ModelOptions`.

    Raises:
        CiteguardError: Not a source, a client of another kind, no model, invalid settings, a
            context without room for the instructions; or the endpoint answers that the key or the
            model does not exist.
    """
    check_kind("tidy", source, Source, required=True)
    check_whole("tidy(context_tokens=...)", context_tokens, 1)
    calls = ModelCalls(client, "tidy", model)
    instructions = read_prompt("tidy", "citeguard.library")
    raw = RawText(source.text)
    begun = time.monotonic()
    counter = UsageCounter(budget)
    left = counter.seconds_left()
    deadline = None if left is None else asyncio.get_running_loop().time() + left

    async def outcomes(part: _Part) -> list[_Outcome]:
        try:
            # One time for all parts, since they are asked about at once.
            async with asyncio.timeout_at(deadline):
                reply = await calls.ask(TidyReply, instructions, part.data(source.text), counter)
        except TimeoutError:
            why = Rejection("budget", counter.out_of_time)
        except BudgetSpentError as spent:
            why = Rejection("budget", str(spent))
        except JudgeFailedError as failure:
            why = Rejection("failed", str(failure))
        else:
            return await in_thread(lambda: list(_judged(raw, part, reply)))
        return [_Outcome(*each, why) for each in part.paragraphs]

    parts = await in_thread(lambda: list(_parts(source, instructions, context_tokens)))
    found = await together(map(outcomes, parts))
    # Parts are asked about at once, so that their times must not be added up.
    counter.add(Usage(seconds=time.monotonic() - begun))
    listed = [each for part in found for each in part]
    return await in_thread(_assembled, source, listed, counter.usage)


def tidy(source: Source, client: Client, **options: Any) -> Tidied:
    """Do what `atidy` does, whose arguments it takes, without an event loop."""
    return run_sync(atidy(source, client, **options))


class _Outcome(NamedTuple):
    """What becomes of an interval of the raw text."""

    start: int
    end: int
    found: Rewriting | Rejection
    level: int = 1  # above which no heading in it may be


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """Paragraphs of one section that the model gets in one call: their places in the raw text."""

    headings: Sequence[str]  # above them, the highest first
    level: int  # of the last one; 1 if there is none
    paragraphs: list[Interval] = field(default_factory=list[Interval])

    def data(self, text: str) -> dict[str, Any]:
        """Return what the model is shown."""
        own = [{"number": n, "text": text[a:b]} for n, (a, b) in enumerate(self.paragraphs, 1)]
        return {"section": " › ".join(self.headings), "paragraphs": own}


def _parts(source: Source, prompt: Prompt, context: int) -> Iterator[_Part]:
    """Yield the paragraphs of each section in parts that fit the context."""
    text = source.text
    schema = estimated_tokens(str(TidyReply.model_json_schema()))
    headings = source.headings
    for at, heading in enumerate([None, *headings]):
        low = heading.end if heading else 0
        high = headings[at].start if at < len(headings) else len(text)
        above = source.layout.headings_at(heading.start) if source.layout and heading else ()
        part = _Part(headings=above, level=heading.level if heading else 1)
        messages = prompt.messages(part.data(text))
        size = sum(estimated_tokens(message["content"]) for message in messages)
        room = int(_SHARE * context) - size - schema - _MARKS
        if room <= 0:
            raise CiteguardError(
                f"tidy(context_tokens={context}): no room for a paragraph beside the instructions"
            )
        own = list(_paragraphs(text, low, high))
        if not any(any(map(str.isalnum, text[start:end])) for start, end in own):
            continue  # rules and bullets alone
        taken = 0
        for start, end in own:
            # As it is written at the depth of the data, with a number of four digits.
            data = {"paragraphs": [{"number": 1_000, "text": text[start:end]}]}
            more = estimated_tokens(json.dumps(data, ensure_ascii=False, indent=1))
            if part.paragraphs and taken + more > room:
                yield part
                part, taken = replace(part, paragraphs=[]), 0
            part.paragraphs.append((start, end))
            taken += more
        yield part


def _paragraphs(text: str, low: int, high: int) -> Iterator[Interval]:
    borders = [low]
    for match in _PARAGRAPH_BREAK.finditer(text, low, high):
        borders += match.span()
    for start, end in zip(borders[::2], [*borders[1::2], high], strict=True):
        start, end = stripped(text, start, end)
        if start < end:
            yield start, end


def _judged(raw: RawText, part: _Part, reply: TidyReply) -> Iterator[_Outcome]:
    """Yield what becomes of the paragraphs of a part, each of them once."""
    open_: dict[int, Interval] = dict(enumerate(part.paragraphs, 1))  # by number, without a reply
    for each in reply.paragraphs:
        # Unknown numbers are ignored, and of two replies to one paragraph the second.
        own = [open_.pop(number) for number in sorted({*each.numbers}) if number in open_]
        if not own:
            continue
        low, high = own[0][0], own[-1][1]
        found = Rejection("order", "it joins paragraphs that are apart")
        if sum(low <= start < high for start, _ in part.paragraphs) == len(own):
            found = rewrite(raw, low, high, each.text)
        joined = own if isinstance(found, Rejection) else [(low, high)]
        yield from (_Outcome(*interval, found, part.level) for interval in joined)
    missing = Rejection("missing", "the model did not return it")
    yield from (_Outcome(*interval, missing) for interval in open_.values())


def _assembled(source: Source, outcomes: Sequence[_Outcome], usage: Usage) -> Tidied:
    """Return the tidied document: every paragraph in its place, and all else as it was."""
    raw, text, origins = source.text, "", list[int]()
    headings: list[Heading] = []
    paragraphs: list[TidiedParagraph] = []
    done, is_raw = 0, True  # up to where it is written, and whether the end is as it was
    for low, high, step in _steps(source, outcomes):
        found = step.found if isinstance(step, _Outcome) else None
        own = found if isinstance(found, Rewriting) else Rewriting(raw[low:high], range(low, high))
        was_raw, is_raw = is_raw, own is not found
        if was_raw and is_raw:
            gap = Rewriting(raw[done:low], range(done, low))
        else:
            gap = Rewriting("\n\n", (-1, -1)) if text and own.text else Rewriting("")
        start = len(text) + len(gap.text)
        text += gap.text + own.text
        origins += [*gap.origins, *own.origins]
        done = high
        if isinstance(step, Heading):
            headings.append(replace(step, start=start, end=len(text)))
        elif step is not None:
            headings += (
                Heading(own.text[a:b], max(marks, step.level), start + a, start + b)
                for marks, a, b in own.headings
            )
            places, span = Span(source.id, low, high), Span(source.id, start, len(text))
            cause, reason = found if isinstance(found, Rejection) else (None, "")
            paragraphs.append(TidiedParagraph(raw=places, span=span, cause=cause, reason=reason))
    if is_raw:
        text += raw[done:]
        origins += range(done, len(raw))
    layout = source.layout or Layout("text", len(raw))
    doubts = [
        Doubt(at, at + 1, doubt.reason)
        for at, origin in enumerate(origins if layout.doubts else ())
        for doubt in layout.doubts_in(origin, origin + 1)
    ]
    moved: Any = {"headings": headings, "printed": [*_printed(layout.printed, origins)]}
    # These cannot follow characters that were moved or omitted; the raw document has them.
    nowhere: Any = dict.fromkeys(("line_starts", "tables", "parts"), ())
    tidied = replace(layout, length=len(text), doubts=doubts, **moved, **nowhere)
    return Tidied(
        source=Source(source.id, text, source.title, source.url, tidied),
        raw=source,
        paragraphs=tuple(paragraphs),
        usage=usage,
        origins=origins,
    )


def _steps(
    source: Source, outcomes: Sequence[_Outcome]
) -> Iterator[tuple[int, int, _Outcome | Heading | None]]:
    """Yield what is written, in order; `None` for rules and bullets, not asked about."""
    done = 0
    for step in sorted([*outcomes, *source.headings], key=lambda each: (each.start, each.end)):
        low, high = stripped(source.text, done, step.start)
        if low < high:
            yield low, high, None
        yield step.start, step.end, step
        done = step.end
    low, high = stripped(source.text, done, len(source.text))
    if low < high:
        yield low, high, None


def _printed(lines: Sequence[PrintedLine], origins: Sequence[int]) -> Iterator[PrintedLine]:
    """Yield the runs of tidied characters that are on one line of a page, as its lines."""

    def line_at(at: int) -> int | None:
        found = bisect_right(lines, origins[at], key=lambda each: each.start) - 1
        return found if found >= 0 and origins[at] < lines[found].end else None

    for found, run in groupby(range(len(origins)), line_at):
        if found is not None:
            line, (first, *others) = lines[found], run
            places = [origins[at] - line.start for at in (first, *others)]
            lefts = array("f", [line.lefts[place] for place in places])
            rights = array("f", [line.rights[place] for place in places])
            yield replace(line, start=first, lefts=lefts, rights=rights)
