"""`tidy`: paragraphs that a language model proposes, each accepted only if it keeps the words."""

from __future__ import annotations

import asyncio
import json
import re
import time
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, Field

from citeguard.errors import CiteguardError, check_number, check_whole, described
from citeguard.judges.judge import JudgeFailedError
from citeguard.judges.loops import in_thread, run_sync, together
from citeguard.judges.model_calls import BudgetSpentError, ModelCalls, estimated_tokens
from citeguard.judges.prompts import Prompt, read_prompt
from citeguard.judges.usage import Budget, Usage, UsageCounter
from citeguard.language.excerpts import counted_as
from citeguard.language.sentences import Interval
from citeguard.library.tidying.rewriting import Cause, Piece, RawText, Rewriting, rewrite
from citeguard.quotes.differences import Edit
from citeguard.sources.collection import Source, Span
from citeguard.sources.layout import Heading, Layout, PrintedLine

if TYPE_CHECKING:
    import instructor
    import openai

KeptCause = Literal[Cause, "missing", "failed", "budget", "too_long"]
"""Why paragraphs are kept as they were: a `Cause` of a refused rewriting; the model returned
nothing for them, gave no usable reply, was not asked since the budget was spent; or a paragraph is
too long for the model's context."""

_SHARE = 0.5  # of the context: the reply is about as long as the prompt
_MARKS = 40  # tokens by which digests in the prompt may differ
_LEAST_SIMILARITY = 0.8
_PARAGRAPH_BREAK = re.compile(r"\n[ \t\r\v]*(?:\n\s*|\f\s*)|\f\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class TidiedParagraph:
    """What became of a paragraph of the raw text, or of several that belong together.

    Attributes:
        raw: The paragraphs in the raw text.
        span: Their place in the tidied text; empty if they were furniture of a page.
        accepted: Whether the text is as the model proposes; otherwise it is the raw text.
        cause: Why it is not; `None` if it is.
        reason: The same for a reader, on one line; empty if it is.
        similarity: Of the letters and signs of the raw text and the proposal, the share that both
            have, 0 to 1; `None` if there was no proposal.
        edits: The material differences of a refused proposal, as `locate` reports those of quotes.
            Differences of punctuation and capitals, which refuse it too, are not among them.
    """

    raw: tuple[Span, ...]
    span: Span
    accepted: bool
    cause: KeptCause | None = None
    reason: str = ""
    similarity: float | None = None
    edits: tuple[Edit, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Tidied:
    """A tidied document, and where each part of it is in the raw text.

    The tidied text has the characters of the raw text, but for white space, hyphens at the ends of
    lines, the furniture of pages, and ligatures, which are written in letters. A paragraph is in
    the order of the raw text, or of the columns that were interleaved in it.

    Attributes:
        source: The tidied document, with the id, title and URL of the raw one. Its layout has the
            headings, those that the model restored included, and the pages and boxes of a PDF file.
        raw: The raw document.
        paragraphs: What became of each paragraph, in the order of the text.
        usage: What the calls of the model took.
        pieces: Where the characters come from, in the order of the tidied text. White space between
            words may be of no piece.
    """

    source: Source
    raw: Source
    paragraphs: tuple[TidiedParagraph, ...]
    usage: Usage
    pieces: tuple[Piece, ...] = field(repr=False)

    def __str__(self) -> str:
        """Return one line for a reader: how much was tidied, and why the rest was not."""
        kept = [paragraph.cause for paragraph in self.paragraphs if paragraph.cause is not None]
        tidied = len(self.paragraphs) - len(kept)
        causes = (f"{kept.count(cause)} {cause}" for cause in dict.fromkeys(kept))
        rest = f"; kept {len(kept)}: {', '.join(causes)}" if kept else ""
        return f"{tidied} of {counted_as(len(self.paragraphs), 'paragraph')} tidied{rest}"

    @property
    def kept(self) -> tuple[TidiedParagraph, ...]:
        """The paragraphs whose raw text was kept."""
        return tuple(paragraph for paragraph in self.paragraphs if not paragraph.accepted)

    @property
    def markdown(self) -> str:
        """The tidied text with `#` marks before its headings, for a Markdown file.

        Nothing is escaped.
        """
        text, parts, last = self.source.text, list[str](), 0
        for heading in _headings(self.source):
            parts += text[last : heading.start], "#" * heading.level, " "
            last = heading.start
        return "".join([*parts, text[last:]])

    def raw_spans(self, span: Span) -> tuple[Span, ...]:
        """Return the places of the raw text that a span of the tidied text comes from, in order.

        Several if page furniture, or the line of another column, is between them in the raw text.

        Args:
            span: A span of the tidied text. If it is empty, or has white space alone, the result
                is empty.

        Raises:
            CiteguardError: The span is of another source, or not within the text.
        """
        if span.source_id != self.source.id or not 0 <= span.start <= span.end <= len(
            self.source.text
        ):
            raise CiteguardError(f"{span} is not a span of the tidied text")
        found: list[Span] = []
        for piece in _overlapping(self.pieces, span.start, span.end):
            start, end = piece.raw_start, piece.raw_end
            if piece.end - piece.start == end - start:
                start += max(0, span.start - piece.start)
                end -= max(0, piece.end - span.end)
            between = self.raw.text[found[-1].end : start] if found else ""
            if found and found[-1].end <= start and not any(map(str.isalnum, between)):
                found[-1] = replace(found[-1], end=end)
            else:
                found.append(Span(self.raw.id, start, end))
        return tuple(found)

    def raw_span(self, span: Span) -> Span | None:
        """Return the span of the raw text from the first to the last character of a tidied span.

        It may also have furniture of a page, or words of another column: `raw_spans` leaves them
        out. `None` if the span is empty or has white space alone.

        Raises:
            CiteguardError: As for `raw_spans`.
        """
        spans = self.raw_spans(span)
        if not spans:
            return None
        return Span(self.raw.id, min(each.start for each in spans), max(each.end for each in spans))


class ParagraphReply(BaseModel):
    """A paragraph as it should be."""

    numbers: list[int] = Field(description="The numbers of the paragraphs that it replaces.")
    text: str = Field(description="Its text; empty if it is a page header or footer.")


class TidyReply(BaseModel):
    """The paragraphs as they should be."""

    paragraphs: list[ParagraphReply]


async def atidy(
    source: Source,
    client: instructor.Instructor | openai.OpenAI | openai.AsyncOpenAI,
    *,
    model: str | None = None,
    threshold: float = _LEAST_SIMILARITY,
    context_tokens: int = 16_000,
    count_tokens: Callable[[str], int] = estimated_tokens,
    prompt: Prompt | None = None,
    options: Mapping[str, Any] | None = None,
    budget: Budget | None = None,
    concurrency: int = 16,
    timeout: float | None = 120.0,
    price: float = 0.0,
) -> Tidied:
    """Return a document as a language model tidies it, without a change of what it says.

    The model gets whole paragraphs of one section at a time, with their numbers, and returns
    paragraphs. One is accepted only if it has the same letters, digits and signs as the raw one,
    but for hyphens at line ends and lines that are furniture of a page, and if words are joined or
    split only where the raw text shows that they were broken. Otherwise, and if the model fails,
    the raw paragraph is kept, so that nothing is lost; `Tidied.paragraphs` says why. Whole
    paragraphs stay in the order of the raw text.

    It does not correct spelling, tables or formulas, and cannot see what the reader of the PDF file
    lost.

    Args:
        source: The document, as `Sources.from_paths` reads it. Without the headings of a layout, it
            is one section. Paragraphs are separated by blank lines or page breaks.
        client: One of instructor's, for any provider, or an `OpenAI` or `AsyncOpenAI`, for any
            compatible endpoint.
        model: The model's name; by default the one that the client was made with.
        threshold: The least similarity of a paragraph and its proposal, 0 to 1, inclusive: it
            bounds how much furniture may be left out of one. (A paragraph that is nothing else
            may go.)
        context_tokens: How many tokens the model's context takes; prompts take at most half, as
            replies are about as long.
        count_tokens: Counts the tokens of a text; by default `estimated_tokens`.
        prompt: The instructions.
        options: Further arguments for each call, such as `{"temperature": 0}`.
        budget: What the calls may take. When it is spent, the rest is kept as it is.
        concurrency: The most calls at a time, in one event loop.
        timeout: Seconds that one call may take; `None` for no limit.
        price: The price of a million tokens, for `Usage.cost`.

    Raises:
        CiteguardError: Not a source, a client of another kind, no model, invalid settings, a
            context without room for the instructions; or the endpoint answers that the key or the
            model does not exist.
    """
    if not isinstance(source, Source):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise CiteguardError(f"tidy: expected a Source, got {described(source)}")
    check_number("tidy(threshold=...)", threshold, 0, 1)
    check_whole("tidy(context_tokens=...)", context_tokens, 1)
    calls = ModelCalls(
        client,
        model=model,
        options=options,
        concurrency=concurrency,
        timeout=timeout,
        price=price,
        owner="tidy",
    )
    instructions = prompt or read_prompt("tidy", "citeguard.library.tidying")
    asker = _Asker(calls, instructions, count_tokens, source)
    raw = RawText(source.text)
    begun = time.monotonic()
    counter = UsageCounter(budget)
    seconds = None if budget is None else budget.seconds
    deadline = None if seconds is None else asyncio.get_running_loop().time() + seconds

    async def outcomes(part: _Part) -> list[_Outcome]:
        if part.cause is not None:
            return _kept(part, part.cause, "it is too long for the context of the model")
        try:
            async with asyncio.timeout_at(deadline):
                reply = await asker.ask(part, counter)
        except TimeoutError:
            return _kept(part, "budget", counter.out_of_time)
        except BudgetSpentError as spent:
            return _kept(part, "budget", str(spent))
        except JudgeFailedError as failure:
            return _kept(part, "failed", str(failure))
        return await in_thread(_judged, raw, part, reply, threshold)

    parts = await in_thread(lambda: list(asker.parts(context_tokens)))
    found = await together(map(outcomes, parts))
    counter.add(Usage(seconds=time.monotonic() - begun))
    return await in_thread(
        _assembled, source, [each for part in found for each in part], counter.usage
    )


def tidy(
    source: Source,
    client: instructor.Instructor | openai.OpenAI | openai.AsyncOpenAI,
    **options: Any,
) -> Tidied:
    """Return a document as a language model tidies it; see `atidy`, whose arguments it takes.

    Raises:
        CiteguardError: See `atidy`; or called from an async judge, where `atidy` must be awaited.
    """
    return run_sync(atidy(source, client, **options))


# What the model is asked


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """Paragraphs of one section that the model gets in one call.

    Attributes:
        headings: The headings above them, the highest first.
        level: The level of the last one; 1 if there is none.
        paragraphs: The half-open intervals of the paragraphs in the raw text.
        cause: Why the model is not asked about them, if it is not.
    """

    headings: tuple[str, ...]
    level: int
    paragraphs: tuple[Interval, ...]
    cause: KeptCause | None = None


class _Asker:
    """The calls of the model, and what goes into each."""

    def __init__(
        self, calls: ModelCalls, prompt: Prompt, count: Callable[[str], int], source: Source
    ) -> None:
        self._calls, self._prompt, self._count = calls, prompt, count
        self._source, self._text = source, source.text

    async def ask(self, part: _Part, counter: UsageCounter) -> TidyReply:
        texts = [self._text[start:end] for start, end in part.paragraphs]
        return await self._calls.ask(TidyReply, self._prompt, _data(part.headings, texts), counter)

    def parts(self, context: int) -> Iterator[_Part]:
        """Yield the paragraphs of each section in parts that fit the context.

        Raises:
            CiteguardError: The instructions do not fit.
        """
        schema = self._count(str(TidyReply.model_json_schema()))
        for headings, level, low, high in _sections(self._source):
            messages = self._prompt.messages(_data(headings, []))
            size = sum(self._count(message["content"]) for message in messages)
            room = int(_SHARE * context) - size - schema - _MARKS
            if room <= 0:
                raise CiteguardError(
                    f"tidy(context_tokens={context}): no room for a paragraph beside the "
                    "instructions"
                )
            own = list(_paragraphs(self._text, low, high))
            if not any(any(map(str.isalnum, self._text[start:end])) for start, end in own):
                continue  # rules and bullets alone
            for run in self._fitting(own, room):
                cause = "too_long" if self._size(run[0]) > room else None
                yield _Part(headings=headings, level=level, paragraphs=tuple(run), cause=cause)

    def _fitting(self, paragraphs: Iterable[Interval], room: int) -> Iterator[list[Interval]]:
        run: list[Interval] = []
        size = 0
        for each in paragraphs:
            more = self._size(each)
            if run and size + more > room:
                yield run
                run, size = [], 0
            run.append(each)
            size += more
        if run:
            yield run

    def _size(self, paragraph: Interval) -> int:
        """Return how many tokens a paragraph takes as data, rather too many."""
        text = self._text[slice(*paragraph)]
        # A number of four digits, at the depth of the data.
        data = {"paragraphs": [{"number": 1_000, "text": text}]}
        return self._count(json.dumps(data, ensure_ascii=False, indent=1))


def _data(headings: Sequence[str], paragraphs: Sequence[str]) -> dict[str, Any]:
    return {
        "section": " › ".join(headings),
        "paragraphs": [
            {"number": number, "text": text} for number, text in enumerate(paragraphs, 1)
        ],
    }


def _headings(source: Source) -> tuple[Heading, ...]:
    return () if source.layout is None else source.layout.headings


def _sections(source: Source) -> Iterator[tuple[tuple[str, ...], int, int, int]]:
    """Yield the headings above each run of text without a heading, their level, start and end."""
    path: tuple[str, ...] = ()
    level, start = 1, 0
    for heading in _headings(source):
        yield path, level, start, heading.start
        assert source.layout is not None
        path, level = source.layout.headings_at(heading.start), heading.level
        start = heading.end
    yield path, level, start, len(source.text)


def _paragraphs(text: str, low: int, high: int) -> Iterator[Interval]:
    borders = [low]
    for match in _PARAGRAPH_BREAK.finditer(text, low, high):
        borders += match.span()
    for start, end in zip(borders[::2], [*borders[1::2], high], strict=True):
        words = text[start:end]
        if words.strip():
            yield end - len(words.lstrip()), start + len(words.rstrip())


# What is made of the reply


@dataclass(frozen=True, slots=True, kw_only=True)
class _Outcome:
    """What becomes of some paragraphs: a rewriting, or the raw text with the reason."""

    paragraphs: tuple[Interval, ...]
    level: int = 1
    rewriting: Rewriting | None = None
    cause: KeptCause | None = None
    reason: str = ""
    similarity: float | None = None
    edits: tuple[Edit, ...] = ()


def _kept(part: _Part, cause: KeptCause, reason: str) -> list[_Outcome]:
    return [
        _Outcome(paragraphs=(paragraph,), cause=cause, reason=reason)
        for paragraph in part.paragraphs
    ]


def _judged(raw: RawText, part: _Part, reply: TidyReply, threshold: float) -> list[_Outcome]:
    """Return what becomes of the paragraphs of a part, each of them once."""
    outcomes: list[_Outcome] = []
    for numbers, proposed in _groups(reply, len(part.paragraphs)):
        own = tuple(part.paragraphs[number - 1] for number in numbers)
        if proposed is None:
            reason = "the model returned nothing for it"
            outcomes.append(_Outcome(paragraphs=own, cause="missing", reason=reason))
            continue
        found = rewrite(raw, own, proposed, threshold=threshold)
        if isinstance(found, Rewriting):
            outcomes.append(
                _Outcome(
                    paragraphs=own, level=part.level, rewriting=found, similarity=found.similarity
                )
            )
            continue
        outcomes += [
            _Outcome(
                paragraphs=(each,),
                cause=found.cause,
                reason=found.reason,
                similarity=found.similarity,
                edits=found.edits,
            )
            for each in own
        ]
    return outcomes


def _groups(reply: TidyReply, count: int) -> list[tuple[list[int], str | None]]:
    """Return the numbers of paragraphs that belong together, with the text for them, if any.

    Two replies that share a number belong together, and so do their texts: one of them alone would
    lose or repeat words. Numbers that there are none of, and what is returned for them alone, are
    ignored.
    """
    group_of = {number: number for number in range(1, count + 1)}
    known = [
        ([number for number in each.numbers if number in group_of], each.text)
        for each in reply.paragraphs
    ]
    for numbers, _ in known:
        groups = {group_of[number] for number in numbers}
        for number, group in group_of.items():
            if group in groups:
                group_of[number] = min(groups)
    texts: dict[int, list[str]] = {}
    for numbers, text in known:
        if numbers:
            texts.setdefault(group_of[numbers[0]], []).append(text)
    return [
        (
            [number for number, own in group_of.items() if own == group],
            "\n\n".join(texts[group]) if group in texts else None,
        )
        for group in sorted(set(group_of.values()))
    ]


# The tidied document


class _Writer:
    """Writes the tidied text in the order of the raw one, and keeps where its parts come from."""

    def __init__(self, source: Source) -> None:
        self._source, self._raw = source, source.text
        self._parts: list[str] = []
        self._length = 0
        self._seen = 0  # up to where the raw text is written, or not to be written
        self._is_raw = True  # whether what was written last is the raw text up to there
        self.pieces: list[Piece] = []
        self.headings: list[Heading] = []

    def keep(self, low: int, high: int) -> Span:
        """Write an interval of the raw text as it is."""
        self._keep_before(low)
        if self._is_raw:
            self._copy(self._seen, low)
        else:
            self._separate()
        start = self._length
        self._copy(low, high)
        self._seen, self._is_raw = high, True
        return Span(self._source.id, start, self._length)

    def replace(self, paragraph: Interval, rewriting: Rewriting, level: int) -> Span:
        """Write a rewriting in the place of a paragraph; no heading in it is above the level."""
        self._keep_before(paragraph[0])
        if rewriting.text:
            self._separate()
        start = self._length
        self._parts.append(rewriting.text)
        self._length += len(rewriting.text)
        self.pieces += (
            piece._replace(start=start + piece.start, end=start + piece.end)
            for piece in rewriting.pieces
        )
        for marks, low, high in rewriting.headings:
            self.head(rewriting.text[low:high], max(marks, level), start + low)
        self._seen, self._is_raw = paragraph[1], False
        return Span(self._source.id, start, self._length)

    def omit(self, paragraph: Interval) -> None:
        """Leave out a paragraph, which is written elsewhere."""
        self._keep_before(paragraph[0])
        self._seen, self._is_raw = paragraph[1], False

    def head(self, text: str, level: int, start: int) -> None:
        """Add a heading that is written."""
        self.headings.append(Heading(text, level, start, start + len(text)))

    def finish(self) -> str:
        """Return the text, with all that is left of the raw one."""
        self._keep_before(len(self._raw))
        if self._is_raw:
            self._copy(self._seen, len(self._raw))
        return "".join(self._parts)

    def _keep_before(self, low: int) -> None:
        """Write what no paragraph has: rules and bullets that the model was not asked about."""
        rest = self._raw[self._seen : low]
        if rest.strip():
            self.keep(low - len(rest.lstrip()), self._seen + len(rest.rstrip()))

    def _copy(self, low: int, high: int) -> None:
        if low < high:
            self._parts.append(self._raw[low:high])
            self.pieces.append(Piece(self._length, self._length + high - low, low, high))
            self._length += high - low

    def _separate(self) -> None:
        if self._length:
            self._parts.append("\n\n")
            self._length += 2


def _assembled(source: Source, outcomes: Sequence[_Outcome], usage: Usage) -> Tidied:
    """Return the tidied document, with every paragraph at the place of its first one."""
    steps: list[tuple[Interval, Heading | _Outcome | None]] = []
    for outcome in outcomes:
        first, *others = outcome.paragraphs
        steps += (first, outcome), *((each, None) for each in others)
    steps += (((each.start, each.end), each) for each in _headings(source))
    writer = _Writer(source)
    paragraphs: list[TidiedParagraph] = []
    for place, step in sorted(steps, key=lambda each: each[0]):
        if step is None:
            writer.omit(place)
        elif isinstance(step, Heading):
            writer.head(step.text, step.level, writer.keep(*place).start)
        else:
            paragraphs.append(_reported(source, step, _write(writer, step)))
    text = writer.finish()
    layout = _layout(source, text, writer.pieces, writer.headings)
    return Tidied(
        source=Source(source.id, text, title=source.title, url=source.url, layout=layout),
        raw=source,
        paragraphs=tuple(paragraphs),
        usage=usage,
        pieces=tuple(writer.pieces),
    )


def _write(writer: _Writer, outcome: _Outcome) -> Span:
    place = outcome.paragraphs[0]
    if outcome.rewriting is None:
        return writer.keep(*place)
    return writer.replace(place, outcome.rewriting, outcome.level)


def _reported(source: Source, outcome: _Outcome, span: Span) -> TidiedParagraph:
    return TidiedParagraph(
        raw=tuple(Span(source.id, *paragraph) for paragraph in outcome.paragraphs),
        span=span,
        accepted=outcome.rewriting is not None,
        cause=outcome.cause,
        reason=outcome.reason,
        similarity=outcome.similarity,
        edits=outcome.edits,
    )


def _overlapping(pieces: Sequence[Piece], start: int, end: int) -> Sequence[Piece]:
    first = bisect_right(pieces, start, key=lambda piece: piece.end)
    last = bisect_left(pieces, end, key=lambda piece: piece.start)
    return pieces[first:last]


def _layout(
    source: Source, text: str, pieces: Sequence[Piece], headings: Iterable[Heading]
) -> Layout:
    """Return the layout of the tidied text: its headings, and the places of the raw one."""
    raw = Layout("text", len(source.text)) if source.layout is None else source.layout
    return Layout(
        raw.kind,
        len(text),
        headings=headings,
        line_starts=() if raw.pages else _line_starts(source, pieces),
        pages=raw.pages,
        printed=[line for piece in pieces for line in _printed(raw.printed, piece)],
        file=raw.file,
    )


def _line_starts(source: Source, pieces: Iterable[Piece]) -> Iterator[tuple[int, int]]:
    """Yield where the lines of the file begin that the tidied text is from."""
    for piece in pieces:
        words = source.text[piece.raw_start : piece.raw_end]
        for offset in [0, *(match.end() for match in re.finditer("\n", words))]:
            place = piece.raw_start + offset
            known = None if source.layout is None else source.layout.line_at(place)
            line = source.prepared.line_at(place) if known is None else known
            yield piece.start + offset, line


def _printed(lines: Sequence[PrintedLine], piece: Piece) -> Iterator[PrintedLine]:
    """Yield the parts of lines on the page that a piece is from, as lines of the tidied text."""
    first = bisect_right(lines, piece.raw_start, key=lambda line: line.end)
    last = bisect_left(lines, piece.raw_end, key=lambda line: line.start)
    for line in lines[first:last]:
        low, high = max(piece.raw_start, line.start), min(piece.raw_end, line.end)
        # The letters of a ligature share its place.
        times = piece.end - piece.start if piece.raw_end - piece.raw_start == 1 else 1
        places = slice(low - line.start, high - line.start)
        yield replace(
            line,
            start=piece.start + low - piece.raw_start,
            lefts=line.lefts[places] * times,
            rights=line.rights[places] * times,
        )
