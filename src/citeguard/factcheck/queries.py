"""What is searched for: the statement and its names, or what a language model writes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, Field

from citeguard.errors import check_whole
from citeguard.judges.model_calls import ModelCalls
from citeguard.judges.prompts import Prompt, read_prompt
from citeguard.judges.usage import UsageCounter
from citeguard.web.names import names_in
from citeguard.web.search import as_words, fitted

if TYPE_CHECKING:
    import instructor
    import openai

_LONGEST_NAMES = 12  # words of a query made of names


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How a statement is checked.

    Attributes:
        queries: What is searched for, in order; empty if it is not checkable.
        checkable: Whether pages can decide it.
        reason: Why, or why not, in a sentence.
    """

    queries: tuple[str, ...] = ()
    checkable: bool = True
    reason: str = ""


def local_queries(statement: str, context: str = "") -> tuple[str, ...]:
    """Return queries for a statement, without a model: its words, and its names with its numbers.

    Args:
        statement: The statement.
        context: The words before it that a pronoun in it refers to; their names are added.

    Examples:
        >>> local_queries("Anna Miller was born in the old town of Oslo in 1950.")
        ('Anna Miller was born in the old town of Oslo in 1950.', 'Anna Miller Oslo 1950')
        >>> local_queries("She was born in 1950.", "Anna Miller is a chemist.")
        ('Anna Miller She was born in 1950.', 'Anna Miller 1950')
    """
    before = list(dict.fromkeys(each.text for each in names_in(context)))
    named = list(dict.fromkeys([*before, *(each.text for each in names_in(statement))]))
    queries = [" ".join([*before, statement])]
    if named or before:
        numbers = re.findall(r"\d[\d.,:/-]*\d|\d", statement)
        queries.append(" ".join(" ".join([*named, *numbers]).split()[:_LONGEST_NAMES]))
    return distinct_queries(queries)


def distinct_queries(queries: Iterable[str]) -> tuple[str, ...]:
    r"""Return queries without operators, on one line and as long as services take them.

    Blank ones are left out, and those that differ in no word.

    Examples:
        >>> distinct_queries(["Rain  fell\nin\tOslo.", 'site:evil.example "Rain" -fell', "rain fell in oslo"])
        ('Rain fell in Oslo.', 'site evil.example Rain fell')
    """  # noqa: E501
    kept: dict[str, str] = {}
    for query in (fitted(as_words(each)) for each in queries):
        words = re.findall(r"\w+", query.casefold())
        if words:
            kept.setdefault(" ".join(words), query)
    return tuple(kept.values())


class QueriesReply(BaseModel):
    """Whether a statement can be checked, and what to search for."""

    checkable: bool = Field(description="Whether a page could show that it is true or false.")
    reason: str = Field(default="", description="Why, in one sentence.")
    queries: list[str] = Field(default_factory=list, description="The best first.")


class QueryWriter:
    """A language model that says whether a statement can be checked, and writes the queries.

    One call for each statement, which it is shown as data; it never decides whether a statement is
    true.

    Args:
        client: One of instructor's, for any provider, or an `OpenAI` or `AsyncOpenAI`, for any
            compatible endpoint.
        model: The model's name; by default the one that the client was made with.
        queries: The most queries for one statement.
        prompt: The instructions; `{queries}` in them is replaced by the number.
        options: Further arguments for each call, such as `{"temperature": 0}`.
        concurrency: The most calls at a time, in one event loop.
        timeout: Seconds that one call may take; `None` for no limit.
        price: The price of a million tokens, for `Spent.cost`.

    Raises:
        CiteguardError: A client of another kind, no model, or invalid settings; and when asked, if
            the endpoint answers that the key or the model does not exist.

    Examples:
        >>> import openai
        >>> client = openai.OpenAI(api_key="…", base_url="http://localhost:8000/v1")
        >>> QueryWriter(client, model="gpt-5-mini")
        QueryWriter('gpt-5-mini')
    """

    def __init__(
        self,
        client: instructor.Instructor | openai.OpenAI | openai.AsyncOpenAI,
        *,
        model: str | None = None,
        queries: int = 4,
        prompt: Prompt | None = None,
        options: Mapping[str, Any] | None = None,
        concurrency: int = 16,
        timeout: float | None = 60.0,
        price: float = 0.0,
    ) -> None:
        check_whole("QueryWriter(queries=...)", queries, 1)
        self._model = ModelCalls(
            client,
            model=model,
            options=options,
            concurrency=concurrency,
            timeout=timeout,
            price=price,
            owner="QueryWriter",
        )
        self._queries = queries
        prompt = prompt or read_prompt("queries", "citeguard.factcheck")
        instructions = prompt.instructions.replace("{queries}", str(queries))
        self._prompt = replace(prompt, instructions=instructions)

    def __repr__(self) -> str:
        """Name the model."""
        return f"QueryWriter({self._model.name!r})"

    async def plan(self, statement: str, context: str, counter: UsageCounter) -> Plan:
        """Return whether a statement is checkable, and the model's queries.

        Raises:
            BudgetSpentError: The budget does not allow a call.
            JudgeFailedError: The model gave no usable reply.
        """
        data = {"statement": statement, **({"context": context} if context else {})}
        reply = await self._model.ask(QueriesReply, self._prompt, data, counter)
        if not reply.checkable:
            return Plan(checkable=False, reason=reply.reason)
        queries = distinct_queries(reply.queries)[: self._queries]
        return Plan(queries=queries, reason=reply.reason)
