"""One small encyclopedia, `tests/data/mentions/wiki.jsonl`, as a ZIM file and a wiki."""

import html
import re
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any, cast
from urllib.parse import quote

from libzim.writer import Creator, Hint, Item, StringProvider

from citeguard.language.tokens import stem
from citeguard.web import Encyclopedia, MediaWiki, Zim
from named_mentions import lines_of
from web.search_servers import Answer, SearchServer


class SmallWiki:
    """The articles, redirects and disambiguation pages of the small encyclopedia, by title."""

    def __init__(self, rows: list[dict[str, Any]] | None = None) -> None:
        listed = rows or lines_of("wiki.jsonl")
        self.rows: dict[str, dict[str, Any]] = {row["title"]: row for row in listed}
        self.redirects: dict[str, str] = {
            name: title
            for title, row in self.rows.items()
            for name in cast("list[str]", row.get("redirects") or [])
            if name not in self.rows
        }

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each page, which is also that of its revision, less 1000."""
        return {title: number for number, title in enumerate(self.rows, 1)}

    def intro(self, title: str) -> str:
        row = self.rows[title]
        if row["disambiguation"]:
            return f"{title.removesuffix(' (disambiguation)')} may refer to:"
        return str(row["intro"])

    def sections(self, title: str) -> list[tuple[str, str]]:
        sections: list[dict[str, str]] = self.rows[title].get("sections") or []
        return [(each["heading"], each["text"]) for each in sections]

    def links(self, title: str) -> list[str]:
        links: list[str] = self.rows[title].get("links") or []
        return links

    def text(self, title: str) -> str:
        sections = (f"{heading}\n{text}" for heading, text in self.sections(title))
        return "\n".join([self.intro(title), *self.links(title), *sections])

    def html(self, title: str) -> str:
        """Return a page as mwoffliner writes it, as far as it matters here."""
        links = "".join(
            f'<li><a href="{quote(each.replace(" ", "_"))}">{html.escape(each)}</a></li>'
            for each in self.links(title)
        )
        is_list = self.rows[title]["disambiguation"]
        mark = '<div id="disambigbox" class="dmbox dmbox-disambig"></div>' if is_list else ""
        sections = "".join(
            f"<h2>{html.escape(heading)}</h2><p>{html.escape(text)}</p>"
            for heading, text in self.sections(title)
        )
        name, intro = html.escape(title), html.escape(self.intro(title))
        listed = f"<ul>{links}</ul>{mark}" if links else mark
        return (
            f"<html><head><title>{name}</title></head><body><h1>{name}</h1><p>{intro}</p>"
            f"{listed}{sections}</body></html>"
        )

    def write_zim(self, path: Path) -> Path:
        """Write the encyclopedia as a ZIM file with a full-text index, and return its path."""
        pages = (
            ZimPage(title.replace(" ", "_"), title, self.html(title), "text/html")
            for title in self.rows
        )
        redirects = {name: (name, title) for name, title in self.redirects.items()}
        return write_zim(path, pages, redirects)


class ZimPage(Item):
    def __init__(self, path: str, title: str, content: str, mimetype: str) -> None:
        super().__init__()
        self._fields = (path, title, content, mimetype)

    def get_path(self) -> str:
        return self._fields[0]

    def get_title(self) -> str:
        return self._fields[1]

    def get_mimetype(self) -> str:
        return self._fields[3]

    def get_contentprovider(self) -> Any:
        return StringProvider(self._fields[2])

    def get_hints(self) -> dict[Any, Any]:
        return {Hint.FRONT_ARTICLE: True}


def write_zim(
    path: Path,
    pages: Iterable[ZimPage],
    redirects: Mapping[str, tuple[str, str]],
    *,
    index: bool = True,
    date: str = "2026-11-23",
) -> Path:
    """Write a ZIM file and return its path; redirects are titles and titles of pages, by names."""
    with Creator(path).config_indexing(index, "eng") as creator:
        creator.set_mainpath("Paris")
        for page in pages:
            creator.add_item(page)
        for name, (title, target) in redirects.items():
            front: dict[Hint, int] = {Hint.FRONT_ARTICLE: True}
            creator.add_redirection(name.replace(" ", "_"), title, target.replace(" ", "_"), front)
        creator.add_metadata("Title", "Small encyclopedia")
        creator.add_metadata("Language", "eng")
        creator.add_metadata("Date", date)
    return path


_WORD = re.compile(r"\w+")


class WikiServer(SearchServer):
    """A wiki's API over the small encyclopedia, as MediaWiki speaks it with `formatversion=2`."""

    def __init__(self, wiki: SmallWiki) -> None:
        super().__init__(lambda seen: Answer(self.reply(seen.params)))
        self.wiki = wiki
        self.api = f"{self.url}/w/api.php"

    def reply(self, params: dict[str, str]) -> dict[str, Any]:
        """Return what the API answers."""
        assert params["formatversion"] == "2"
        assert params["maxlag"] == "5"
        if params.get("list") == "search":
            return self._searched(params)
        asked = params["titles"].split("|")
        assert len(asked) <= 50
        spelled = {name: name[:1].upper() + name[1:] for name in asked}
        names = list(dict.fromkeys(spelled.values()))
        moved = {name: self.wiki.redirects[name] for name in names if name in self.wiki.redirects}
        pages = list(dict.fromkeys(moved.get(name, name) for name in names))
        query: dict[str, Any] = {"pages": [self._page(title, params) for title in pages]}
        changed = [{"from": a, "to": b} for a, b in spelled.items() if a != b]
        redirects = [{"from": a, "to": b} for a, b in moved.items()]
        query |= {"normalized": changed} if changed else {}
        query |= {"redirects": redirects} if redirects else {}
        return {"batchcomplete": True, "query": query}

    def _page(self, title: str, params: dict[str, str]) -> dict[str, Any]:
        if title not in self.wiki.rows:
            return {"ns": 0, "title": title, "missing": True}
        number = self.wiki.numbers[title]
        page: dict[str, Any] = {"pageid": number, "ns": 0, "title": title}
        wanted = params["prop"].split("|")
        if "info" in wanted:
            address = f"{self.url}/wiki/{quote(title.replace(' ', '_'))}"
            page |= {"fullurl": address, "lastrevid": 1000 + number}
        if "pageprops" in wanted and self.wiki.rows[title]["disambiguation"]:
            page["pageprops"] = {"disambiguation": ""}
        if "links" in wanted:
            page["links"] = [{"ns": 0, "title": each} for each in sorted(self.wiki.links(title))]
        if "extracts" in wanted:
            page["extract"] = self._extract(title, whole="exintro" not in params)
        return page

    def _extract(self, title: str, *, whole: bool) -> str:
        intro = self.wiki.intro(title)
        if not whole:
            return intro
        listed = "\n".join([intro, *self.wiki.links(title)])
        sections = self.wiki.sections(title)
        return listed + "".join(f"\n\n\n== {name} ==\n{text}" for name, text in sections)

    def _searched(self, params: dict[str, str]) -> dict[str, Any]:
        ways = [set(_words(way)) for way in params["srsearch"].split(" OR ")]
        hits = [
            (-sum(_words(self.wiki.text(title)).count(word) for word in way), title)
            for title in self.wiki.rows
            for way in ways
            if way <= {*_words(title), *_words(self.wiki.text(title))}
        ]
        titles = list(dict.fromkeys(title for _, title in sorted(hits)))
        found = [
            {"ns": 0, "title": title, "pageid": self.wiki.numbers[title], "snippet": "",
             "wordcount": len(_words(self.wiki.text(title)))}
            for title in titles[: int(params["srlimit"])]
        ]  # fmt: skip
        return {"batchcomplete": True, "query": {"search": found}}


def _words(text: str) -> list[str]:
    # Wikipedia's search compares stems, too.
    return [stem(word) for word in _WORD.findall(text.lower())]


@contextmanager
def zim(folder: Path) -> Generator[Encyclopedia]:
    yield Zim(SmallWiki().write_zim(folder / "small.zim"))


@contextmanager
def mediawiki(_: Path) -> Generator[Encyclopedia]:
    with WikiServer(SmallWiki()) as server:
        yield MediaWiki(server.api, contact="tests@example.org")
