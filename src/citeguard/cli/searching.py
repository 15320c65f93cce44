"""The options that say who finds and reads pages, and what they name: `WebOptions`."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Literal

from citeguard.cli.arguments import option
from citeguard.errors import CiteguardError

if TYPE_CHECKING:
    from citeguard.web import Fetcher, SearchProvider

Engine = Literal["brave", "serper", "tavily", "exa", "searxng", "mediawiki", "kiwix"]

KEY_VARIABLES: dict[str, str] = {
    "brave": "BRAVE_API_KEY",
    "serper": "SERPER_API_KEY",
    "tavily": "TAVILY_API_KEY",
    "exa": "EXA_API_KEY",
}
"""Where the keys of services come from: an option would be kept by the shell, and seen by others."""

WHAT_TO_GIVE = (
    "say where to look for pages: --folder FOLDER (saved pages), --pages URL..., --zim FILE, or "
    "--search NAME"
)

_option = partial(option, group="Where to look for pages")
SearchEngine = Annotated[
    Engine | None,
    _option(
        None,
        "A search service, whose key comes from the environment "
        f"({', '.join(KEY_VARIABLES.values())}), or a server of your own at --url.",
        "--search",
    ),
]
Address = Annotated[
    str | None,
    _option(
        "URL",
        "The address of the service: required for searxng and kiwix; the api.php for mediawiki. "
        "It may be private.",
        "--url",
    ),
]
Book = Annotated[str | None, _option("NAME", "The book of kiwix to search.", "--book")]
ListedAddresses = Annotated[
    list[str] | None,
    _option(
        "URL...",
        "The pages to read, whatever the statement. Every address up to the next option is one.",
        "--pages",
    ),
]
ZimPath = Annotated[
    str | None,
    _option("FILE", "A ZIM file, such as Wikipedia's: no network. Needs the extra zim.", "--zim"),
]
Folder = Annotated[
    str | None,
    _option(
        "FOLDER", "A folder of saved pages: HTML, PDF, Markdown, text. No network.", "--folder"
    ),
]
OriginalAddresses = Annotated[
    bool,
    _option(
        None,
        "A saved page has the address that its file names, which anyone could write there.",
        "--original-addresses",
    ),
]
Contact = Annotated[
    str | None,
    _option(
        "ADDRESS",
        "Your mail or web address, for the operators of servers; required for mediawiki.",
        "--contact",
    ),
]
Cache = Annotated[str | None, _option("FOLDER", "Keep pages that were read here.", "--cache")]
Allowed = Annotated[
    list[str] | None,
    _option(
        "HOST:PORT",
        "A host of your own network whose pages may be read; may be given several times. Others "
        "are never opened, whatever a page or a search says.",
        "--allow",
    ),
]


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
    book: str | None = None
    pages: tuple[str, ...] = ()
    zim: str | None = None
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
        for name, needed in (
            ("url", "--search"),
            ("book", "--search kiwix"),
            ("original_addresses", "--folder"),
        ):
            if getattr(self, name) and needed.split()[0] not in given:
                raise CiteguardError(f"--{name.replace('_', '-')} needs {needed}")
        if self.search in ("searxng", "kiwix") and not self.url:
            raise CiteguardError(f"--search {self.search} needs its address: --url URL")
        if self.search == "kiwix" and not self.book:
            raise CiteguardError("--search kiwix needs the name of a book: --book NAME")
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
            return web.Zim(self.zim)
        if self.pages:
            return web.ListedPages(self.pages)
        return self._service()

    def _service(self) -> SearchProvider:
        from citeguard import web

        engine, address = self.search, self.url or ""
        if engine == "searxng":
            return web.SearXNG(address)
        if engine == "kiwix":
            return web.Kiwix(address, self.book or "")
        given: dict[str, Any] = {"base_url": address} if address else {}
        if engine == "mediawiki":
            given = {"api": address} if address else {}
            return web.MediaWiki(contact=self.contact or "", **given)
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


def web_options(
    pages: Sequence[str] | None, allow: Sequence[str] | None, **given: Any
) -> WebOptions:
    """Return the options as a command gets them."""
    return WebOptions(pages=tuple(pages or ()), allow=tuple(allow or ()), **given)
