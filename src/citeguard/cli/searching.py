"""The options that say who finds and reads pages, and what they name: `WebOptions`."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Literal

from citeguard.cli.arguments import Command, JudgeOptions, option, reading
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

_option = partial(option, group="Where to look for pages")
_WEB_OPTIONS: dict[str, Any] = {
    "search": Annotated[
        Engine | None,
        _option(
            None,
            "A search service, whose key comes from the environment "
            f"({', '.join(KEY_VARIABLES.values())}), or a server of your own at --url.",
        ),
    ],
    "url": Annotated[
        str | None,
        _option(
            "URL",
            "The address of the service: required for searxng; the api.php for mediawiki. "
            "It may be private.",
        ),
    ],
    "pages": Annotated[
        list[str] | None,
        _option(
            "URL",
            "The pages to read, whatever the statement. Every address up to the next option is "
            "one; --pages=URL takes exactly one.",
        ),
    ],
    "zim": Annotated[
        str | None,
        _option("FILE", "A ZIM file, such as Wikipedia's: no network. Needs the extra zim."),
    ],
    "articles": Annotated[
        str | None,
        _option(
            "URL",
            "What the public addresses of the pages of --zim begin with, such as "
            "https://en.wikipedia.org/wiki/: evidence then has links to the words.",
        ),
    ],
    "folder": Annotated[
        str | None,
        _option("FOLDER", "A folder of saved pages: HTML, PDF, Markdown, text. No network."),
    ],
    "original_addresses": Annotated[
        bool | None,
        _option(
            None,
            "A saved page has the address that its file names, which anyone could write there.",
            "--original-addresses",
        ),
    ],
    "contact": Annotated[
        str | None,
        _option(
            "ADDRESS",
            "Your mail or web address, for the operators of servers; required for mediawiki.",
        ),
    ],
    "cache": Annotated[str | None, _option("FOLDER", "Keep pages that were read here.")],
    "allow": Annotated[
        list[str] | None,
        _option(
            "HOST:PORT",
            "A host of your own network whose pages may be read; may be given several times. "
            "Others are never opened, whatever a page or a search says.",
        ),
    ],
}


def with_web(command: Command) -> Command:
    """Read the argument `web` of a command, `WebOptions` or `None`, from the command line."""
    return reading(command, _web, ("web",), {}, _WEB_OPTIONS)


def _web(*, pages: Any, allow: Any, **given: Any) -> dict[str, WebOptions | None]:
    options = {"pages": tuple(pages or ()), "allow": tuple(allow or ()), **given}
    options = {name: value for name, value in options.items() if value}
    return {"web": WebOptions(**options) if options else None}


@dataclass(frozen=True, slots=True, kw_only=True)
class WebOptions:
    """Who finds and reads pages, as the options name them.

    It holds no key, so it can be printed, and sent to other processes. The attributes are the
    options.

    Raises:
        CiteguardError: Nothing says where to look, or several options do; or one is missing that
            another needs.
    """

    search: Engine | None = None
    url: str | None = None
    pages: tuple[str, ...] = ()
    zim: str | None = None
    articles: str | None = None
    folder: str | None = None
    original_addresses: bool = False
    contact: str | None = None
    cache: str | None = None
    allow: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Reject options that do not fit together."""
        given = self.given
        if len(given) != 1:
            named = f", not both {' and '.join(given)}" if given else ""
            raise CiteguardError(f"{WHAT_TO_GIVE}{named}")
        for name, needed in (("url", "--search"), ("original_addresses", "--folder")):
            if getattr(self, name) and needed not in given:
                raise CiteguardError(f"--{name.replace('_', '-')} needs {needed}")
        if self.articles and not self.zim:
            raise CiteguardError("--articles needs --zim")
        if self.articles and not re.match(r"https?://[^/]", self.articles):
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

    @property
    def given(self) -> list[str]:
        """The options that say where to look."""
        named = {
            "--search": self.search,
            "--pages": self.pages,
            "--zim": self.zim,
            "--folder": self.folder,
        }
        return [name for name, value in named.items() if value]

    def provider(self) -> SearchProvider:
        """Return who finds the pages.

        Raises:
            CiteguardError: A key is missing in the environment, or a package, file or folder.
        """
        from citeguard import web

        if self.folder:
            return web.SavedPages(self.folder, believed=self.original_addresses)
        if self.zim:
            return web.Wikipedia(web.Zim(self.zim, articles=self._pattern))
        if self.pages:
            return web.ListedPages(self.pages)
        return self._service()

    @property
    def _pattern(self) -> str | None:
        """The public addresses of pages; a shell may have put nothing in the place of `$1`."""
        return f"{self.articles.removesuffix('$1')}$1" if self.articles else None

    def _service(self) -> SearchProvider:
        from citeguard import web

        engine, address = self.search, self.url or ""
        if engine == "searxng":
            return web.SearXNG(address)
        given: dict[str, Any] = {"base_url": address} if address else {}
        if engine == "mediawiki":
            given = {"api": address} if address else {}
            return web.Wikipedia(web.MediaWiki(contact=self.contact or "", **given))
        services: dict[str, Any] = {
            "brave": web.Brave,
            "serper": web.Serper,
            "tavily": web.Tavily,
            "exa": web.Exa,
        }
        variable = KEY_VARIABLES[engine or ""]
        if not os.environ.get(variable, "").strip():
            raise CiteguardError(
                f"--search {engine} needs a key in the environment: set {variable}"
            )
        return services[engine or ""](key_variable=variable, **given)

    def fetcher(self) -> Fetcher:
        """Return what reads pages that the provider does not hold."""
        from citeguard.web import Fetcher

        return Fetcher(allow=self.allow, contact=self.contact or "", cache=self.cache or None)


@dataclass(frozen=True, slots=True, kw_only=True)
class FactOptions:
    """How a service checks facts, as its options say; called, it returns a `FactChecking`.

    Attributes:
        web: Who finds and reads pages.
        judge: The model to ask, if any. Its budget is that of a request.
        searches: The most searches for a request.
        pages: The most pages for a request.
        seconds: The most seconds for a request; what is not decided by then is undecided.
    """

    web: WebOptions
    judge: JudgeOptions | None = None
    searches: int | None = None
    pages: int | None = None
    seconds: float | None = None

    def __call__(self) -> FactChecking:
        """Return who searches, reads and judges.

        Raises:
            CiteguardError: A key is missing in the environment, or a package, file or folder.
        """
        from citeguard.factcheck import FactBudget
        from citeguard.server.factchecks import FactChecking

        judge = self.judge
        return FactChecking(
            search=self.web.provider(),
            fetcher=self.web.fetcher(),
            judge=None if judge is None else judge().support,
            budget=FactBudget(
                calls=None if judge is None else judge.calls,
                tokens=None if judge is None else judge.tokens,
                searches=self.searches,
                pages=self.pages,
                seconds=self.seconds,
            ),
        )
