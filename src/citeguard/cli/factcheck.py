"""`citeguard fact-check`, and who finds and reads pages: `WebOptions`."""

from __future__ import annotations

import os
from dataclasses import dataclass, fields
from datetime import date, datetime
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Literal
from urllib.parse import urlsplit

import typer

from citeguard.cli.arguments import (
    STANDARD_STREAM,
    JudgeModel,
    JudgeOptions,
    Quiet,
    argument,
    client_of,
    flag,
    option,
    read_text_source,
)
from citeguard.cli.output import STATUSES, ReportFiles, visible
from citeguard.datasets.progress_bar import shown_progress
from citeguard.errors import CiteguardError
from citeguard.language.excerpts import shown

if TYPE_CHECKING:
    from citeguard.factcheck import FactEvent
    from citeguard.server.factchecks import FactChecking
    from citeguard.web import Fetcher, SearchProvider

Engine = Literal["brave", "serper", "tavily", "exa", "searxng", "mediawiki"]

WHAT_TO_GIVE = (
    "say where to look for pages: --folder FOLDER (saved pages), --pages URL..., --zim FILE, or "
    "--search NAME"
)
_WHERE = ("search", "pages", "zim", "folder")
_web = partial(option, group="Where to look for pages")
_fetch = partial(option, group="How pages are read")


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchOptions:
    """How pages are read, as the options say; falsy without options."""

    contact: Annotated[
        str | None, _fetch("ADDRESS", "Your mail or web address, for the servers that are asked.")
    ] = None
    cache: Annotated[str | None, _fetch("FOLDER", "Keep pages that were read here.")] = None
    allow: Annotated[
        list[str] | None,
        _fetch("HOST:PORT", "A host of your own network that may be read; repeatable."),
    ] = None

    def __bool__(self) -> bool:
        """Return whether any of the options is given."""
        return any(getattr(self, each.name) for each in fields(self))

    def fetcher(self) -> Fetcher:
        """Return what reads the pages."""
        from citeguard.web import Fetcher

        allow, cache = tuple(self.allow or ()), self.cache or None
        return Fetcher(allow=allow, contact=self.contact or "", cache=cache)


@dataclass(frozen=True, slots=True, kw_only=True)
class WebOptions(FetchOptions):
    """Who finds and reads pages, as the options name them; falsy without options.

    It holds no key, so it can be printed, and sent to other processes.
    """

    search: Annotated[
        Engine | None,
        _web(
            None,
            "A search service; its key is in the environment: BRAVE_API_KEY, SERPER_API_KEY, …",
        ),
    ] = None
    url: Annotated[
        str | None,
        _web("URL", "The address of searxng, or the api.php of mediawiki. It may be private."),
    ] = None
    pages: Annotated[
        list[str] | None, _web("URL", "The pages to read; all addresses up to the next option.")
    ] = None
    zim: Annotated[
        str | None, _web("FILE", "A ZIM file, such as Wikipedia's. Needs the extra zim.")
    ] = None
    articles: Annotated[
        str | None, _web("URL", "What the public addresses of its pages begin with.")
    ] = None
    folder: Annotated[
        str | None, _web("FOLDER", "A folder of saved pages: HTML, PDF, Markdown, text.")
    ] = None
    original_addresses: Annotated[
        bool | None,
        _web(None, "Believe the address that a saved page names.", "--original-addresses"),
    ] = None

    def __post_init__(self) -> None:
        """Reject options that do not fit together."""
        if not self:
            return
        given = [f"--{name}" for name in _WHERE if getattr(self, name)]
        if len(given) != 1:
            named = f", not both {' and '.join(given)}" if given else ""
            raise CiteguardError(f"{WHAT_TO_GIVE}{named}")
        needs = {"url": "search", "original_addresses": "folder", "articles": "zim"}
        for name, needed in needs.items():
            if getattr(self, name) and not getattr(self, needed):
                raise CiteguardError(f"--{name.replace('_', '-')} needs --{needed}")
        if self.articles:
            address = urlsplit(self.articles)
            if address.scheme not in ("http", "https") or not address.netloc:
                raise CiteguardError(
                    "--articles: expected what addresses begin with, such as "
                    f"https://en.wikipedia.org/wiki/, not {self.articles!r}"
                )
        if self.search == "searxng" and not self.url:
            raise CiteguardError("--search searxng needs its address: --url URL")
        if self.search == "mediawiki" and not self.contact:
            raise CiteguardError(
                "--search mediawiki needs your mail or web address, as its operators ask: "
                "--contact ADDRESS"
            )

    def provider(self) -> SearchProvider:
        """Return who finds the pages."""
        from citeguard import web

        if self.folder:
            return web.SavedPages(self.folder, believed=bool(self.original_addresses))
        if self.zim:
            # A shell may have put nothing in the place of `$1`.
            articles = f"{self.articles.removesuffix('$1')}$1" if self.articles else None
            return web.Wikipedia(web.Zim(self.zim, articles=articles))
        if self.pages:
            return web.ListedPages(self.pages)
        if self.search == "searxng":
            return web.SearXNG(self.url or "")
        if self.search == "mediawiki":
            api: dict[str, Any] = {"api": self.url} if self.url else {}
            return web.Wikipedia(web.MediaWiki(contact=self.contact or "", **api))
        # The key is in the environment: the shell would keep an option, and others could see it.
        address: dict[str, Any] = {"base_url": self.url} if self.url else {}
        # The classes are called like the engines: Brave, Serper, Tavily, Exa.
        return getattr(web, (self.search or "").capitalize())(**address)


def fact_checking(
    web: WebOptions,
    judge: JudgeOptions,
    *,
    searches: int | None = None,
    pages: int | None = None,
    seconds: float | None = None,
) -> FactChecking:
    """Return how a service checks facts; what is not decided in time is undecided.

    The budget is that of a request.
    """
    from citeguard.factcheck import FactBudget
    from citeguard.server.factchecks import FactChecking

    calls, tokens = judge.judge_calls, judge.judge_tokens
    return FactChecking(
        search=web.provider(),
        fetcher=web.fetcher(),
        judge=judge().support if judge else None,
        budget=FactBudget(
            calls=calls, tokens=tokens, searches=searches, pages=pages, seconds=seconds
        ),
    )


_WORDS_LIMIT = 100  # characters of a statement, a query or a title in a line of progress
_most = partial(option, group="What it may take; without an option there is no limit", min=0)


def factcheck_command(
    text: Annotated[
        str, argument("TEXT", "A statement or text, a file with one, or - for standard input.")
    ],
    *,
    results: Annotated[int, option("N", "The most pages to read for one query.", min=1)] = 3,
    domain: Annotated[
        list[str] | None, option("DOMAIN", "Search only this domain; repeatable.")
    ] = None,
    not_domain: Annotated[
        list[str] | None, option("DOMAIN", "Search all but this domain; repeatable.")
    ] = None,
    since: Annotated[
        datetime | None,
        option("YYYY-MM-DD", "Only pages published on that day or later.", formats=["%Y-%m-%d"]),
    ] = None,
    write_queries: Annotated[
        bool, flag("--write-queries", "Have the model of --judge write the queries.")
    ] = False,
    max_searches: Annotated[int | None, _most("N", "Searches.")] = None,
    max_pages: Annotated[int | None, _most("N", "Pages that are asked for.")] = None,
    max_calls: Annotated[int | None, _most("N", "Calls of the language model.")] = None,
    max_seconds: Annotated[float | None, _most("N", "Seconds, all in all.")] = None,
    max_cost: Annotated[
        float | None, _most("N", "What the language model's tokens cost, with --judge-price.")
    ] = None,
    quiet: Quiet = False,
    files: ReportFiles,
    web: WebOptions,
    judge: JudgeModel,
) -> int:
    """Check a statement, or a text statement by statement, on pages that are found and read.

        citeguard fact-check "The bridge opened in 1937." --folder saved-pages/

        citeguard fact-check report.txt --search brave --html report.html

        citeguard fact-check report.txt --pages https://example.org/bridge

    Nothing but the text of a page that was read counts. Private addresses are never opened, except
    for the hosts of --allow. A statement is undecided if pages contradict each other; or if a
    search failed, a page could not be read or a limit was reached, and no page decides.

    Exit status:

          0  pages support every statement that can be checked
          1  some statement is contradicted or unsupported
          3  none of these, but some statement is undecided; or there is none to
             check
    """
    if not web:
        raise CiteguardError(WHAT_TO_GIVE)
    # `Path.is_file` would raise for a statement that is too long for a file's name.
    is_file = text == STANDARD_STREAM or os.path.isfile(text)
    files.require([text] if is_file else [])
    said = read_text_source(text, quiet=quiet).text if is_file else text
    if not is_file and " " not in text.strip():
        name = visible(text)
        raise CiteguardError(
            f"{name}: no such file, and no statement in one word" if name else "the text is empty"
        )
    if write_queries and not judge:
        raise typer.BadParameter("--write-queries needs --judge.")
    if max_cost is not None and not judge.judge_price:
        raise typer.BadParameter("--max-cost needs --judge and --judge-price.")
    from citeguard.factcheck import FactBudget, FactPolicy, QueryWriter, fact_check
    from citeguard.reports.wording import day_of

    writer = None
    if judge.judge and write_queries:
        client = client_of(judge.judge, judge.base_url, option="--judge")
        writer = QueryWriter(client, price=judge.judge_price or 0.0)
    seen: dict[int, bool] = {}  # the statements, and whether each has its verdict
    with shown_progress(quiet=quiet) as show_line:

        def on_event(event: FactEvent) -> None:
            if event.event != "report":
                seen[event.number] = event.event == "verdict"
            if line := line_of(event):
                show_line(line, sum(seen.values()), len(seen))

        report = fact_check(
            said,
            search=web.provider(),
            fetcher=web.fetcher(),
            judge=judge().support if judge else None,
            writer=writer,
            policy=FactPolicy(
                limit=results,
                domains=tuple(domain or ()),
                not_domains=tuple(not_domain or ()),
                since=since.date() if since is not None else None,
            ),
            budget=FactBudget(
                searches=max_searches,
                pages=max_pages,
                calls=max_calls,
                seconds=max_seconds,
                cost=max_cost,
            ),
            on_event=on_event,
        )
    files.write(report, title=f"Fact check on {day_of(date.today())}")
    return STATUSES[report.outcome]


def line_of(event: FactEvent) -> str:
    """Return what happened on one line, after the number of the statement; empty if little did."""
    from citeguard.reports.wording import label_of, search_text

    said = partial(shown, limit=_WORDS_LIMIT)
    match event.event:
        case "results":
            search = event.search
            line = f"{search.provider}, “{said(search.query)}”: {said(search_text(search))}"
        case "page":
            page = event.page
            line = f"{said(page.title.strip() or page.url)}: {said(page.reason or 'read')}"
        case "verdict":
            line = f"{label_of(event.claim).lower()}: “{said(event.claim.text)}”"
        case _:
            return ""
    return visible(f"{event.number}: {line}")
