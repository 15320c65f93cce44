"""Claims found by a language model: `LLMClaims`."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

from citeguard.auditing.claims.aligning import ClaimsReply, Reading, words_of
from citeguard.auditing.claims.claim import Claim, Extraction
from citeguard.auditing.claims.units import units
from citeguard.errors import UndecidedError, check_whole, foreign_code
from citeguard.judges.clients import Caller, as_instructor, give_time, model_and_options
from citeguard.judges.judge import JudgeFailedError, JudgeSettings, explain
from citeguard.judges.loops import aside, run_sync, together
from citeguard.judges.prompts import Prompt
from citeguard.judges.usage import Usage, UsageCounter, counting, judge_usage
from citeguard.language.excerpts import counted_as
from citeguard.language.sentences import Interval

if TYPE_CHECKING:
    import instructor
    import openai

_log = logging.getLogger("citeguard")

_LONG = 10_000  # characters of text from which to find its sentences takes milliseconds
_MOST_BEFORE = 500  # characters before a part that are shown with it


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
        model: The model's name; optional if the client was made with one.
        prompt: The instructions to the model.
        options: Further arguments for each call, such as `{"temperature": 0}`.
        max_retries: How often the model is asked again about a part, at most.
        concurrency: The most parts that are asked about at a time, in one call of `extract`.
        timeout: Seconds that one part may take, with its retries; `None` for no limit.
        part_limit: The most characters of a part.
        price: What a million tokens cost, for the `Usage.cost` of `track_usage`.

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
        client: instructor.Instructor | openai.OpenAI | openai.AsyncOpenAI,
        *,
        model: str | None = None,
        prompt: Prompt | None = None,
        options: Mapping[str, Any] | None = None,
        max_retries: int = 2,
        concurrency: int = 16,
        timeout: float | None = 120.0,
        part_limit: int = 4_000,
        price: float = 0.0,
    ) -> None:
        client = as_instructor(client)
        self._model, self._options = model_and_options(client, model, options, example="LLMClaims")
        check_whole("LLMClaims(max_retries=...)", max_retries, 0)
        check_whole("LLMClaims(part_limit=...)", part_limit, 1)
        self.prompt = prompt or _read_prompt()
        # These are checked as a judge's are.
        self._settings = JudgeSettings(concurrency=concurrency, timeout=timeout, price=price)
        self._part_limit = part_limit
        self._max_retries = max_retries
        self._caller = Caller(client, concurrency)
        give_time(self._options, client, timeout)

    def __repr__(self) -> str:
        """Name the model."""
        return f"LLMClaims({self._model!r})"

    @property
    def name(self) -> str:
        """What it is called in messages: the model's name."""
        return self._model

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
        gate = asyncio.Semaphore(self._settings.concurrency or 1)
        return await together(self._extracted(text, gate) for text in texts)

    async def _extracted(self, text: str, gate: asyncio.Semaphore) -> Extraction:
        parts = await aside(len(text) > _LONG, _parts, text, self._part_limit)
        known = await aside(len(text) > _LONG, words_of, text)
        read = await together(self._read(part, text, known, gate) for part in parts)
        return Extraction(
            claims=tuple(
                _shifted(claim, part.start)
                for part, reading in zip(parts, read, strict=True)
                for claim in reading.claims or ()
            ),
            uncovered=tuple(
                (start + part.start, end + part.start)
                for part, reading in zip(parts, read, strict=True)
                for start, end in reading.uncovered
            ),
        )

    async def _read(
        self, part: _TextPart, text: str, known: frozenset[str], gate: asyncio.Semaphore
    ) -> Reading:
        words = text[part.start : part.end]
        sentences = [(start - part.start, end - part.start) for start, end in part.sentences]
        reading = Reading.of(words, known, sentences)
        before = text[max(0, part.start - _MOST_BEFORE) : part.start].strip()
        data = {**({"before": before} if before else {}), "text": words}
        async with gate:
            await self._ask(reading, data)
        if reading.dropped:
            dropped = counted_as(reading.dropped, "quote")
            _log.warning("%s: %s dropped, found nowhere in the text", self.name, dropped)
        return reading

    async def _ask(self, reading: Reading, data: dict[str, str]) -> None:
        """Ask about a part; what the model says is then in the reading."""
        counter = UsageCounter()

        def add(usage: Usage) -> None:
            counter.add(judge_usage(usage, price=self._settings.price))

        timer = asyncio.timeout(self._settings.timeout)
        context = reading.sources.as_context()
        context.grounding.memory["reading"] = reading
        request: dict[str, Any] = {
            "messages": self.prompt.messages(data),
            "context": context,
            "max_retries": self._max_retries,
            **self._options,
        }
        add(Usage(calls=1))
        try:
            with counting(add), foreign_code(_ClientFailedError):
                async with timer:
                    await self._caller.ask(ClaimsReply, **request)
        except _ClientFailedError as failed:
            if reading.claims is None:  # else a reply was read, and counts all the same
                reason = self._reason(timer, failed.error)
                raise UndecidedError(f"{self.name}: {reason}") from failed.error
        finally:
            add(Usage(calls=max(0, reading.replies - 1)))  # the retries

    def _reason(self, timer: asyncio.Timeout, error: Exception) -> str:
        late = f"took longer than {self._settings.timeout} s"
        reason = late if timer.expired() else explain(error)
        expected = timer.expired() or isinstance(error, JudgeFailedError)
        _log.warning("%s: %s", self.name, reason, exc_info=None if expected else error)
        return reason


class _ClientFailedError(Exception):
    def __init__(self, error: Exception) -> None:
        self.error = error


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
            yield from _spoken(text, start, end)
            start = end
        yield from _spoken(text, start, unit.end)


def _spoken(text: str, start: int, end: int) -> Iterator[Interval]:
    if any(map(str.isalnum, text[start:end])):
        yield start, end


def _shifted(claim: Claim, by: int) -> Claim:
    start, end = claim.sentence
    sentence = (start + by, end + by)
    return replace(claim, start=claim.start + by, end=claim.end + by, sentence=sentence)


@cache
def _read_prompt() -> Prompt:
    """Return the prompt that comes with the package."""
    text = files("citeguard.auditing.claims").joinpath("llm.md").read_text("utf-8")
    version, _, instructions = text.partition("\n\n")
    return Prompt(version=version.removeprefix("version: "), instructions=instructions.strip())
