"""Language models in a fact check: `QueryWriter` and `FactReader`.

The writer says whether a statement can be checked, and what to search for. The reader reads pages
in place of a search for passages: it may only point at words, as what it quotes is looked for in
the page, and what the page does not have is dropped.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack

from pydantic import BaseModel, Field

from citeguard.errors import CiteguardError, check_whole
from citeguard.factcheck.evidence import PagePassages, silent_intervals
from citeguard.factcheck.gathering import distinct_queries
from citeguard.judges.loops import in_thread, together
from citeguard.judges.model_calls import ModelCalls, ModelOptions, estimated_tokens
from citeguard.judges.prompts import read_prompt
from citeguard.judges.usage import UsageCounter
from citeguard.language.sentences import Interval
from citeguard.retrieval.passages import Windows
from citeguard.sources.collection import Source, Sources, Span
from citeguard.sources.matches import locate

if TYPE_CHECKING:
    from citeguard.judges.model_calls import Client


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How a statement is checked."""

    queries: tuple[str, ...] = ()  # in order; empty if it is not checkable
    checkable: bool = True  # whether pages can decide it
    reason: str = ""  # why, or why not, in a sentence


class QueriesReply(BaseModel):
    """Whether a statement can be checked, and what to search for."""

    checkable: bool = Field(description="Whether a page could show that it is true or false.")
    reason: str = Field(default="", description="Why, in one sentence.")
    queries: list[str] = Field(default_factory=list, description="The best first.")


_MOST_QUERIES = 4  # as the prompt says


class QueryWriter:
    """A language model that says whether a statement can be checked, and writes the queries.

    One call for each statement, which it is shown as data, for at most four queries; it never
    decides whether a statement is true.

    Args:
        client: One of instructor's, for any provider, or an `OpenAI` or `AsyncOpenAI`, for any
            compatible endpoint.
        model: How it is called; see `ModelOptions`.

    Raises:
        CiteguardError: A client of another kind, no model, or invalid settings; and when asked, if
            the endpoint answers that the key or the model does not exist.

    Examples:
        >>> import openai
        >>> client = openai.OpenAI(api_key="…", base_url="http://localhost:8000/v1")
        >>> QueryWriter(client, model="gpt-5-mini")
        QueryWriter('gpt-5-mini')
    """

    def __init__(self, client: Client, **model: Unpack[ModelOptions]) -> None:
        self._model = ModelCalls(client, "QueryWriter", model, timeout=60.0)
        self._prompt = read_prompt("queries", "citeguard.factcheck")

    def __repr__(self) -> str:
        """Name the model."""
        return f"QueryWriter({self._model.name!r})"

    async def plan(self, statement: str, context: str, counter: UsageCounter) -> Plan:
        """Return whether a statement can be checked, and queries; raises like `ModelCalls.ask`."""
        data = {"statement": statement, **({"context": context} if context else {})}
        reply = await self._model.ask(QueriesReply, self._prompt, data, counter)
        if not reply.checkable:
            return Plan(checkable=False, reason=reply.reason)
        queries = distinct_queries(reply.queries)[:_MOST_QUERIES]
        return Plan(queries=queries, reason=reply.reason)


_FILLED = 0.75  # of the context: the rest is for the reply, as in the original
_MARKS = 40  # tokens by which digests in the prompt may differ
_LONGEST_QUOTE = 2_000  # characters; a sentence was asked for, and to look for more takes long
_SENTENCES = PagePassages(cut=Windows(size=1, overlap=0))


@dataclass(frozen=True, slots=True, kw_only=True)
class FactsOfPage:
    """What a language model has read in a page."""

    spans: tuple[Span, ...] = ()  # the sentences that it quotes, in order, each once
    dropped: int = 0  # facts whose quotes the page does not have


class FactReply(BaseModel):
    """A fact of the page."""

    fact: str = Field(default="", description="What the page says, in one sentence.")
    quote: str = Field(description="The words of the page that say it, copied verbatim.")


class FactsReply(BaseModel):
    """What the page says about the statements."""

    facts: list[FactReply] = Field(default_factory=list[FactReply])


class FactReader:
    """A language model that reads pages in place of a search for passages.

    A page's text goes to the model in parts of whole sentences, so that the prompt takes at most
    three quarters of its context. Each fact that it returns must quote the page verbatim, up to
    what `FuzzyQuote` forgives; other facts are dropped and counted. The sentences of the quotes are
    what judges read, never the model's own words.

    Args:
        client: One of instructor's, for any provider, or an `OpenAI` or `AsyncOpenAI`, for any
            compatible endpoint.
        context_tokens: How many tokens the model's context takes, prompt and reply together.
        model: How it is called; see `ModelOptions`.

    Raises:
        CiteguardError: A client of another kind, no model, invalid settings, or a context in which
            a sentence beside the instructions has no room.

    Examples:
        >>> import openai
        >>> client = openai.OpenAI(api_key="…", base_url="http://localhost:8000/v1")
        >>> FactReader(client, model="gpt-5-mini", context_tokens=128_000)
        FactReader('gpt-5-mini', context_tokens=128000)
    """

    def __init__(
        self, client: Client, *, context_tokens: int = 16_000, **model: Unpack[ModelOptions]
    ) -> None:
        check_whole("FactReader(context_tokens=...)", context_tokens, 1)
        self._model = ModelCalls(client, "FactReader", model)
        self._context = context_tokens
        self._prompt = read_prompt("facts", "citeguard.factcheck")

    def __repr__(self) -> str:
        """Name the model and its context."""
        return f"FactReader({self._model.name!r}, context_tokens={self._context})"

    async def facts_of(
        self, page: Source, statements: Sequence[str], counter: UsageCounter | None = None
    ) -> FactsOfPage:
        """Return the facts of a page that bear on some statements; one call for each part.

        Raises as `ModelCalls.ask` does, and a `CiteguardError` if a sentence has no room.
        """
        counter = counter or UsageCounter()
        parts = await in_thread(lambda: list(self._parts(page, statements)))
        replies = await together(
            self._model.ask(
                FactsReply, self._prompt, self._data(statements, page.text[start:end]), counter
            )
            for start, end in parts
        )
        located = [
            (part, reply.facts) for part, reply in zip(parts, replies, strict=True) if reply.facts
        ]
        return await in_thread(_located, page, located)

    def _data(self, statements: Sequence[str], words: str) -> dict[str, Any]:
        return {"statements": list(statements), "page": words}

    def _parts(self, page: Source, statements: Sequence[str]) -> Iterator[Interval]:
        """Yield the parts of a page: runs of sentences that fit beside the rest of the prompt."""
        messages = self._prompt.messages(self._data(statements, ""))
        taken = sum(estimated_tokens(message["content"]) for message in messages) + _MARKS
        taken += estimated_tokens(str(FactsReply.model_json_schema()))
        room = int(_FILLED * self._context) - taken
        start = end = size = 0
        for span in _SENTENCES.of(page):
            more = _written(page.text[end : span.end]) if size else 0
            # What is silent in between goes to no model.
            apart = size and any(map(str.isalnum, page.text[end : span.start]))
            if size and (apart or size + more > room):
                yield start, end
                size = 0
            if not size:
                start, more = span.start, _written(page.text[span.start : span.end])
            if more > room:
                raise CiteguardError(
                    f"FactReader(context_tokens={self._context}): no room for a sentence of "
                    f"{more:,} tokens beside the instructions and statements"
                )
            end, size = span.end, size + more
        if size:
            yield start, end


def _written(words: str) -> int:
    """Return how many tokens words take as a part of the data, which is JSON."""
    return estimated_tokens(json.dumps(words, ensure_ascii=False)[1:-1])


def _located(page: Source, replies: Sequence[tuple[Interval, Sequence[FactReply]]]) -> FactsOfPage:
    """Return the sentences with quotes that the part has that they were read in, each once."""
    found: set[Interval] = set()
    dropped = 0
    silent = silent_intervals(page)
    for (low, high), facts in replies:
        part = Sources([Source("part", page.text[low:high])])
        for each in facts:
            match = locate(each.quote, part) if 0 < len(each.quote) <= _LONGEST_QUOTE else None
            if match is not None and match.accepted:
                start, end = match.span.start + low, match.span.end + low
                if not any(start < last and first < end for first, last in silent):
                    found.add(page.prepared.sentences_at(start, end))
                    continue
            dropped += 1
    return FactsOfPage(spans=tuple(Span(page.id, *each) for each in sorted(found)), dropped=dropped)
