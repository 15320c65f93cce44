"""Check the statements of a text against pages: `fact_check` and its asynchronous kin."""

from __future__ import annotations

import asyncio
import inspect
import time
from collections import defaultdict
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any, TypedDict, TypeVar, Unpack, cast

from citeguard.auditing.claims import Claim, ClaimExtractor, LocalClaims, require_fit
from citeguard.errors import (
    CiteguardError,
    UndecidedError,
    check_kind,
    check_text,
    described,
    foreign_code,
)
from citeguard.factcheck.events import (
    CheckEnded,
    FactEvent,
    PassagesChosen,
    StatementFound,
    VerdictReached,
)
from citeguard.factcheck.evidence import (
    Flaw,
    conclude,
    different,
    evidence_by_page,
    passages_about,
    places_of,
    sentence,
    text_of,
)
from citeguard.factcheck.gathering import Gatherer, Statement, distinct_queries, local_queries
from citeguard.factcheck.models import FactReader, Plan, QueryWriter
from citeguard.factcheck.settings import FactBudget, FactPolicy
from citeguard.judges.cascade import Pending, Session
from citeguard.judges.loops import in_thread, run_sync, together
from citeguard.judges.model_calls import BudgetSpentError
from citeguard.judges.usage import PAID, track_usage
from citeguard.judges.verdicts import (
    Judge,
    JudgeFailedError,
    SupportQuestion,
    Verdict,
    explain,
)
from citeguard.reports.places import checked_sources
from citeguard.reports.report import (
    CheckedClaim,
    Report,
    Search,
    Spent,
    UndecidedCause,
    trust_of,
)
from citeguard.reports.wording import SET_ASIDE
from citeguard.sources.collection import Source, Sources, Span
from citeguard.validation.policy import reader_judge
from citeguard.web.page import WebPage
from citeguard.web.search import SearchProvider, called

T = TypeVar("T")

OnEvent = Callable[[FactEvent], object]
"""Called with each event; what it returns is awaited if it can be."""

_STATEMENTS = 8  # checked at a time, so that the first verdicts come early
_LOCAL = LocalClaims()


class FactOptions(TypedDict, total=False):
    """What `fact_check` and its kin take beside a text and who searches; see `fact_check`."""

    fetcher: Any
    judge: Judge | Sequence[Judge] | None
    writer: Any
    extractor: ClaimExtractor | None
    read_with: Any
    policy: FactPolicy | None
    budget: FactBudget | None


def fact_check(
    text: str,
    *,
    search: SearchProvider | Sequence[SearchProvider],
    on_event: OnEvent | None = None,
    **options: Unpack[FactOptions],
) -> Report:
    """Return what pages of the web say of a text, statement by statement.

    Each statement is searched for, the pages that are found are read, and a judge says what their
    passages say of it. Nothing but the text of a page that was read counts: no title, no snippet of
    a search, no knowledge of a model. A search that failed, a page that could not be read and a
    spent budget are never taken for silence: a statement that no page decides is then `undecided`,
    and says why. That a statement is supported means that a page says so, not that it is true.

    Without a writer, an extractor and a judge of your own, no model is called. Each query is sent
    once and each page read once, however many statements need it. Waits for the check; in an event
    loop use `afact_check`, or `astream_fact_check` to see it work.

    Args:
        text: A statement, or a text with several.
        search: Who finds pages; of several providers all are asked. One that holds pages itself
            (`PageHolder`) is asked for them before the fetcher.
        on_event: Called with each event, in a thread of citeguard's own; an exception that it
            raises ends the check.
        options: As follows.
        fetcher: What reads pages, with a method `fetch` or `afetch` that returns a `WebPage`; by
            default a `citeguard.web.Fetcher()`.
        judge: Who says what passages say of a statement, or several, each asked about what those
            before left undecided; by default `ReaderJudge()`.
        writer: Who says what can be checked, and writes queries: a `QueryWriter`, or a client of a
            language model to make one of. Without one, rules say what can be checked, and the
            queries are the statement itself, and its names and numbers.
        extractor: What finds the statements; by default `LocalClaims()`.
        read_with: A `FactReader`, or a client to make one of: then a language model reads the
            pages, in place of a search for passages.
        policy: How many pages and passages, and which domains.
        budget: What it may take.

    Raises:
        CiteguardError: The text or another argument is not what it should be; or a judge, a
            provider or the fetcher is misconfigured.
        UndecidedError: The language model that should find the statements gave no usable reply.

    Examples:
        >>> from citeguard.web import SearchPage, SearchResult, WebPage
        >>> from citeguard import Source
        >>> url = "https://example.org/tower"
        >>> class Shelf:
        ...     name = "shelf"
        ...     def search(self, query):
        ...         return SearchPage(results=(SearchResult(url=url),))
        ...     def holds(self, url):
        ...         return True
        ...     def fetch(self, url):
        ...         page = Source(url, "The tower was finished in 1889.", url=url)
        ...         return WebPage(url=url, outcome="fetched", final_url=url, source=page)
        >>> report = fact_check("The tower was finished in 1889. I like it!", search=Shelf())
        >>> [(claim.verdict, claim.set_aside) for claim in report.claims]
        [('supported', None), (None, 'greeting')]
        >>> report.claims[0].deciding.url
        'https://example.org/tower#:~:text=The%20tower%20was%20finished%20in%201889.'
    """
    return run_sync(_reported(_Check(text, search=search, **options), on_event))


async def afact_check(
    text: str,
    *,
    search: SearchProvider | Sequence[SearchProvider],
    on_event: OnEvent | None = None,
    **options: Unpack[FactOptions],
) -> Report:
    """Do what `fact_check` does, without blocking the event loop.

    When it is cancelled, so is all that it has under way. `on_event` is called in the event loop.
    """
    return await _reported(_Check(text, search=search, **options), on_event)


def astream_fact_check(
    text: str,
    *,
    search: SearchProvider | Sequence[SearchProvider],
    **options: Unpack[FactOptions],
) -> AsyncGenerator[FactEvent, None]:
    """Do what `fact_check` does, and yield each event as it happens; the last has the report.

    The check goes on while the events are consumed, however slowly. Closing the generator cancels
    what is under way: leave its loop within `contextlib.aclosing`, or let it be collected.

    Raises:
        CiteguardError: At once, if an argument is not what it should be; else see `fact_check`.
    """
    return _Check(text, search=search, **options).events()


async def _reported(check: _Check, on_event: OnEvent | None) -> Report:
    async with aclosing(check.events()) as events:
        async for event in events:
            if on_event is not None and inspect.isawaitable(seen := on_event(event)):
                await seen
            if isinstance(event, CheckEnded):
                return event.report
    raise AssertionError("a check ends with its report")


class _Check:
    """The check of one text: what it may use, what it shares between statements, what it spent."""

    def __init__(
        self,
        text: str,
        *,
        search: SearchProvider | Sequence[SearchProvider],
        **options: Unpack[FactOptions],
    ) -> None:
        check_text("fact_check(text)", text, required=True)
        self._text = text
        providers = _listed("search", "SearchProvider", search)
        for each in providers:
            check_kind("fact_check(search=...)", each, SearchProvider, required=True)
        fetcher, judge = options.get("fetcher"), options.get("judge")
        fetch = getattr(fetcher, "afetch", None) or getattr(fetcher, "fetch", None)
        if fetcher is not None and (isinstance(fetcher, type) or not callable(fetch)):
            message = f"expected a Fetcher, got {described(fetcher)}"
            raise CiteguardError(f"fact_check(fetcher=...): {message}")
        self._extractor = options.get("extractor") or _LOCAL
        check_kind("fact_check(extractor=...)", self._extractor, ClaimExtractor, required=True)
        self._judges = (reader_judge(),) if judge is None else _listed("judge", "Judge", judge)
        for each in self._judges:
            check_kind("fact_check(judge=...)", each, Judge, required=True)
        self._writer = _made(options.get("writer"), QueryWriter)
        self._reader = _made(options.get("read_with"), FactReader)
        self._policy: FactPolicy = _given(options, "policy", FactPolicy)
        self._budget: FactBudget = _given(options, "budget", FactBudget)
        self._session = Session()
        self._queue: asyncio.Queue[FactEvent | None] = asyncio.Queue()
        self._emit = self._queue.put_nowait
        self._gatherer = Gatherer(
            providers, fetch, policy=self._policy, budget=self._budget, emit=self._emit
        )
        self._origins = self._gatherer.origins

    async def events(self) -> AsyncGenerator[FactEvent, None]:
        checking = asyncio.create_task(self._check())
        checking.add_done_callback(lambda _: self._emit(cast("Any", None)))
        try:
            while (event := await self._queue.get()) is not None:
                yield event
            await checking
        finally:
            under_way = [checking, *self._gatherer.tasks()]
            for task in under_way:
                task.cancel()
            # Waited for, so that nothing of a check goes on after it.
            await asyncio.gather(*under_way, return_exceptions=True)

    async def _check(self) -> None:
        start = time.monotonic()
        seconds = self._budget.seconds
        now = asyncio.get_running_loop().time()
        deadline = None if seconds is None else now + seconds
        with track_usage() as counter:
            claims = await self._claims(deadline)
            # The seconds are kept by the check's own clock.
            self._session = Session(replace(self._budget, seconds=None))
            self._session.counter.usage = counter.usage  # what finding the statements took
            gate = asyncio.Semaphore(_STATEMENTS)
            statements = [
                Statement(number=number, claim=claim) for number, claim in enumerate(claims, 1)
            ]
            checked = await together(self._one(each, gate, deadline) for each in statements)
            usage = counter.usage
        spent = Spent(
            searches=self._gatherer.sent,
            pages=self._gatherer.asked,
            calls=usage.calls,
            tokens=usage.tokens,
            cost=usage.cost,
            seconds=time.monotonic() - start,
        )
        report = await in_thread(self._report, statements, checked, spent)
        self._emit(CheckEnded(report=report))

    def _report(
        self, statements: Sequence[Statement], claims: Sequence[CheckedClaim], spent: Spent
    ) -> Report:
        """Return the report, with each page and each search once; it draws pages of PDF files."""
        pages: dict[str, WebPage] = {}
        links: defaultdict[str, list[int]] = defaultdict(list)
        searches: dict[int, Search] = {}
        for each in statements:
            for page in filter(None, each.pages.values()):
                pages[page.url] = page
                links[page.url].append(each.number)
            for search in each.searches:
                # By identity: statements share a search that was sent once.
                known = searches.get(id(search), search)
                numbers = (*known.claims, each.number)
                searches[id(search)] = known.model_copy(update={"claims": numbers})
        read = [page.source for page in pages.values() if page.source and text_of(page)]
        return Report(
            text=self._text,
            sources=checked_sources(Sources(read), claims) if read else (),
            claims=tuple(claims),
            trust=trust_of(claims),
            links=tuple(self._gatherer.as_link(page, links[url]) for url, page in pages.items()),
            searches=tuple(searches.values()),
            spent=spent,
        )

    async def _claims(self, deadline: float | None) -> Sequence[Claim]:
        extract = getattr(self._extractor, "aextract", self._extractor.extract)
        try:
            async with asyncio.timeout_at(deadline):
                (extraction,) = await called(extract, [self._text])
        except TimeoutError as late:
            raise UndecidedError(
                f"the budget of {self._budget.seconds:g} seconds is spent before the statements "
                "were found"
            ) from late
        require_fit(extraction, self._text)
        return extraction.claims

    # One statement

    async def _one(
        self, statement: Statement, gate: asyncio.Semaphore, deadline: float | None
    ) -> CheckedClaim:
        statement.set_aside = aside = statement.claim.set_aside
        if aside is not None:
            statement.reason = SET_ASIDE[aside]
            return self._concluded(statement)
        async with gate:
            try:
                async with asyncio.timeout_at(deadline):
                    await self._decide(statement)
            except TimeoutError:
                spent = f"The budget of {self._budget.seconds:g} seconds is spent."
                statement.flaws.append(Flaw("budget", spent))
            return self._concluded(statement)

    def _found(self, statement: Statement) -> None:
        claim = statement.claim
        statement.announced = True
        self._emit(
            StatementFound(
                number=statement.number,
                statement=claim.text,
                start=claim.start,
                end=claim.end,
                checkable=statement.set_aside is None,
                reason=statement.reason,
            )
        )

    async def _decide(self, statement: Statement) -> None:
        plan = await self._planned(statement)
        if not plan.checkable:
            statement.set_aside = "no claim"
            statement.reason = plan.reason or SET_ASIDE["no claim"]
        self._found(statement)
        if statement.set_aside is not None:
            return
        await self._gatherer.gather(statement, plan.queries)
        await self._choose(statement)
        await self._judge(statement)

    async def _planned(self, statement: Statement) -> Plan:
        claim = statement.claim
        # Not in a thread: it takes no millisecond, and statements spend the budget in their order.
        own = local_queries(claim.text, claim.context)
        plan = None
        if self._writer is not None:
            asked = self._writer.plan(claim.text, claim.context, self._session.counter)
            plan = await self._asked(statement, asked, "search_failed", _UNWRITTEN)
        if plan is None:
            return Plan(queries=own)
        # The statement itself, too: what a model writes may miss its words.
        return replace(plan, queries=distinct_queries([*own[:1], *plan.queries]))

    async def _asked(
        self, statement: Statement, asked: Awaitable[T], cause: UndecidedCause, before: str = ""
    ) -> T | None:
        """Return what a language model answers; `None` if it fails, or the budget is spent."""
        try:
            return await asked
        except BudgetSpentError as spent:
            statement.flaws.append(Flaw("budget", sentence(str(spent))))
        except JudgeFailedError as failed:
            statement.flaws.append(Flaw(cause, sentence(f"{before}{failed}")))
        return None

    # Passages, verdicts, conclusions

    async def _choose(self, statement: Statement) -> None:
        sources = await in_thread(different, statement.read)
        if sources is None:
            return
        if self._reader is not None:
            spans = await together(
                self._facts(statement, source, self._reader) for source in sources
            )
            statement.sources, statement.spans = sources, tuple(chain.from_iterable(spans))
            return
        claim, policy = statement.claim, self._policy
        queries = distinct_queries([f"{claim.context} {claim.text}", *statement.queries])
        choose = partial(
            passages_about,
            queries,
            sources,
            passages=policy.passages,
            retriever=policy.retriever,
        )
        try:
            with foreign_code(
                lambda error: JudgeFailedError(f"retriever: {explain(error)}"),
                owner="the retriever",
            ):
                found = await in_thread(choose)
        except JudgeFailedError as failed:
            statement.flaws.append(Flaw("judge_failed", sentence(str(failed))))
            return
        statement.sources, statement.spans = sources, tuple(passage.span for passage in found)

    async def _facts(self, statement: Statement, source: Source, reader: FactReader) -> list[Span]:
        """Return the sentences that a language model quotes from a page."""
        said = f"{statement.claim.context} {statement.claim.text}".strip()
        asked = reader.facts_of(source, [said], self._session.counter)
        found = await self._asked(statement, asked, "judge_failed")
        if found is None:
            return []
        statement.dropped += found.dropped
        return list(found.spans)

    async def _judge(self, statement: Statement) -> None:
        sources, spans = statement.sources, statement.spans
        passages = places_of(spans, sources, {})[0] if sources is not None else ()
        self._emit(PassagesChosen(number=statement.number, passages=tuple(passages)))
        if sources is None or not spans:
            return
        said = statement.claim.text
        evidence = await in_thread(evidence_by_page, spans, sources, said)
        questions = [
            Pending(self._judges, SupportQuestion(statement=said, evidence=shown))
            for shown in evidence.values()
        ]
        verdicts = await self._session.settle(questions)
        statement.verdicts = dict(zip(evidence, verdicts, strict=True))

    def _concluded(self, statement: Statement) -> CheckedClaim:
        """Return a statement as the report has it, with what is known of it by now."""
        if not statement.announced:
            self._found(statement)
        concluded: dict[str, Any] = {"set_aside": statement.set_aside}
        if statement.set_aside is not None:
            concluded["explanation"] = statement.reason
        else:
            concluded |= self._verdict(statement)
        dropped = statement.dropped
        checked = statement.claim.checked(statement.number, dropped_facts=dropped, **concluded)
        self._emit(VerdictReached(number=statement.number, claim=checked))
        return checked

    def _verdict(self, statement: Statement) -> dict[str, Any]:
        flaws = list(statement.all_flaws())
        spent = self._session.counter.spent(*PAID)
        judged: list[tuple[int, Verdict]] = []
        for name, verdict in statement.verdicts.items():
            # A session says only in the reason that it asked no judge.
            if verdict.outcome == "undecided" and spent is not None and spent in verdict.reason:
                flaws.append(Flaw("budget", sentence(verdict.reason)))
            else:
                judged.append((self._origins.of(name) or 0, verdict))
        found = conclude(judged, pages=len(statement.read), flaws=flaws)
        if statement.sources is None:
            return found
        passages, decisive = places_of(statement.spans, statement.sources, statement.verdicts)
        judges = [statement.verdicts[each.source_id].judge for each in decisive]
        return {
            **found,
            "evidence": tuple(passages),
            "deciding": next(iter(decisive), None),
            "further": tuple(decisive[1:]),
            "judge": next(iter(judges), ""),
        }


_UNWRITTEN = "The queries could not be written: "


# Arguments


def _listed(argument: str, kind: str, given: Any) -> tuple[Any, ...]:
    listed = tuple(cast("Any", given)) if isinstance(given, (list, tuple)) else (given,)
    if not listed:
        raise CiteguardError(f"fact_check({argument}=...): expected at least one {kind}")
    return listed


def _given(options: Any, name: str, kind: type[T]) -> T:
    given = options.get(name)
    check_kind(f"fact_check({name}=...)", given, kind)
    return kind() if given is None else given


def _made(given: Any, kind: type[T]) -> T | None:
    """Return a helper that is a language model, made of a client if need be."""
    return given if given is None or isinstance(given, kind) else cast("Any", kind)(given)
