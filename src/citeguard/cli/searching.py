"""The options that say who finds and reads pages, and what they name: `WebOptions`."""

from __future__ import annotations

import os
from dataclasses import dataclass, fields
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Literal
from urllib.parse import urlsplit

from citeguard.cli.arguments import JudgeOptions, option
from citeguard.errors import CiteguardError

if TYPE_CHECKING:
    from citeguard.server.factchecks import FactChecking
    from citeguard.web import Fetcher, SearchProvider

Engine = Literal["brave", "serper", "tavily", "exa", "searxng", "mediawiki"]

KEY_VARIABLES: dict[str, str] = {
    "brave": "BRAVE_API_KEY",
    "serper": "SERPER_API_KEY",
    "tavily": "TAVILY_API_KEY",
    "exa": "EXA_API_KEY",
}
"""Where the keys of services come from. The shell would keep an option, and others could see it."""

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

    Raises:
        CiteguardError: Nothing says where to look, or several options do; or one is missing that
            another needs.
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
        """Return who finds the pages.

        Raises:
            CiteguardError: A key is missing in the environment, or a package, file or folder.
        """
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
        name = self.search or ""
        variable = KEY_VARIABLES[name]
        if not os.environ.get(variable, "").strip():
            raise CiteguardError(f"--search {name} needs a key in the environment: set {variable}")
        address: dict[str, Any] = {"base_url": self.url} if self.url else {}
        services = {"brave": web.Brave, "serper": web.Serper, "tavily": web.Tavily, "exa": web.Exa}
        return services[name](key_variable=variable, **address)


def fact_checking(
    web: WebOptions,
    judge: JudgeOptions,
    *,
    searches: int | None = None,
    pages: int | None = None,
    seconds: float | None = None,
) -> FactChecking:
    """Return how a service checks facts, as its options say.

    Args:
        web: Who finds and reads pages.
        judge: The model to ask, if any. Its budget is that of a request.
        searches: The most searches for a request.
        pages: The most pages for a request.
        seconds: The most seconds for a request; what is not decided by then is undecided.

    Raises:
        CiteguardError: A key is missing in the environment, or a package, file or folder.
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
