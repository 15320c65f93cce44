"""The documents that a provider was given: by position, by name, by address, with their blocks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, Literal, cast

from citeguard.language.sentences import Interval
from citeguard.providers.reply import Node, plain
from citeguard.sources.collection import Source, Sources, as_sources
from citeguard.sources.links import address_of, is_url, page_of, web_url

_REDIRECTS = re.compile(
    r"(?:https?://)?(?:vertexaisearch\.cloud\.google\.com/grounding-api-redirect/"
    r"|(?:www\.)?google\.[a-z.]{2,6}/url\?|(?:www\.)?bing\.com/ck/a\?)",
    re.IGNORECASE,
)
_BETWEEN_BLOCKS = "\n"

Kind = Literal["document", "search_result"]


@dataclass(frozen=True, slots=True)
class _Read:
    """A document of a request, read."""

    source: Source
    kind: Kind
    blocks: tuple[str, ...]


class Documents:
    """Sources, and how a provider names them.

    Args:
        given: Whatever `Sources` accepts; or the documents of a request, in a list: `document` and
            `search_result` blocks of Anthropic and Bedrock, documents of Cohere. Those without a
            text, such as PDF files, must be given as a `Source`.

    Raises:
        InvalidSourcesError: They cannot be read as sources.
    """

    def __init__(self, given: Any) -> None:
        listed = cast("list[Any]", given) if isinstance(given, (list, tuple)) else None
        read = [_read(each, str(place)) for place, each in enumerate(listed or (), start=1)]
        self._kinds: dict[str, Kind] = {}
        self._blocks: dict[str, tuple[str, ...]] = {}
        if listed is not None and any(read):
            given = [
                each if found is None else found.source
                for each, found in zip(listed, read, strict=True)
            ]
        self.sources: Sources = as_sources(given)
        for found in filter(None, read):
            self._kinds[found.source.id] = found.kind
            if found.blocks:
                self._blocks[found.source.id] = found.blocks

    def at(self, index: int | None, kind: Kind | None = None) -> Source | None:
        """Return the document in a place, from 0; among those of a kind, if kinds are known."""
        listed = list(self.sources)
        if kind is not None and self._kinds:
            listed = [each for each in listed if self._kinds.get(each.id, "document") == kind]
        return listed[index] if index is not None and 0 <= index < len(listed) else None

    def named(self, *names: str | None) -> Source | None:
        """Return the document that the first of some names is the id, address or title of.

        A name that several documents have names none.
        """
        for name in filter(None, names):
            if name in self.sources:
                return self.sources[name]
            for agrees in (_has_address, _has_title):
                found = [each for each in self.sources if agrees(each, name)]
                if len(found) == 1:
                    return found[0]
        return None

    def of_host(self, *hosts: str | None) -> Source | None:
        """Return the only document from the host that a provider shows in place of an address."""
        for host in filter(None, hosts):
            wanted = host.casefold().removeprefix("www.")
            found = [
                each
                for each in self.sources
                if address_of(each.url or "").partition("/")[0] == wanted
            ]
            if len(found) == 1:
                return found[0]
        return None

    def blocks(self, source: Source, first: int, after: int) -> tuple[Interval, str] | None:
        """Return where some blocks of a document are, and their text as a provider joins it.

        Returns:
            `None` if the document has no such blocks.
        """
        blocks = self._blocks[source.id]
        if not 0 <= first < after <= len(blocks):
            return None
        ends = list(accumulate(len(each) + len(_BETWEEN_BLOCKS) for each in blocks))
        start = ends[first] - len(blocks[first]) - len(_BETWEEN_BLOCKS)
        return (start, ends[after - 1] - len(_BETWEEN_BLOCKS)), "".join(blocks[first:after])

    def has_blocks(self, source: Source) -> bool:
        """Return whether the blocks of a document are known."""
        return source.id in self._blocks


def is_redirect(url: str | None) -> bool:
    """Return whether a URL leads elsewhere, so that it does not say which document it means."""
    return url is not None and _REDIRECTS.match(url) is not None


def sources_of_chunks(chunks: Iterable[tuple[str | None, str | None, str | None]]) -> list[Source]:
    """Return sources made of the texts that a reply carries.

    Args:
        chunks: For each its text, its name or address, and its title. Those without text are
            skipped, and texts of one name are joined, each once.
    """
    texts: dict[str, dict[str, None]] = {}
    titles: dict[str, str | None] = {}
    for number, (text, name, title) in enumerate(chunks, start=1):
        if text and text.strip():
            key = name or title or str(number)
            texts.setdefault(key, {})[text] = None
            titles.setdefault(key, title)
    return [
        Source(key, "\n\n".join(each), title=titles[key], url=web_url(key))
        for key, each in texts.items()
    ]


def _has_address(source: Source, name: str) -> bool:
    address = address_of(name)
    if not address:
        return False
    own = address_of(source.url or source.id)
    return own != "" and page_of(own) == page_of(address)


def _has_title(source: Source, name: str) -> bool:
    wanted = name.strip().casefold()
    base = wanted.rpartition("/")[2]
    names = {each.strip().casefold() for each in (source.id, source.title or "")} - {""}
    return wanted in names or (not is_url(name) and base in names)


def _read(item: Any, number: str) -> _Read | None:
    """Return a document of a request; `None` if it is anything else."""
    if isinstance(item, (str, Source)):
        return None
    data = plain(item) if isinstance(item, Mapping) or hasattr(item, "model_dump") else None
    if not isinstance(data, dict):
        return None
    node = Node(cast("object", data), "")
    kind = node.text("type")
    if kind == "document" and node.at("source"):
        return _of_content(node.at("source"), number, "document", node.text("title"))
    if kind == "search_result":
        return _of_search(node, number)
    if inner := node.at("document", "source"):  # Bedrock
        return _of_content(inner, number, "document", node.at("document").text("name"))
    if inner := node.any_of("search_result"):
        return _of_search(inner, number)
    if contents := node.at("data"):  # Cohere
        return _of_fields(contents, node.text("id") or number)
    return None


def _of_content(content: Node, number: str, kind: Kind, title: str | None) -> _Read | None:
    if blocks := _texts(content):
        return _Read(_joined(number, blocks, title, None), kind, blocks)
    text = content.text("text") or (content.text("data") if content.text("type") == "text" else "")
    return _Read(Source(number, text, title=title), kind, ()) if text else None


def _of_search(result: Node, number: str) -> _Read | None:
    blocks, name = _texts(result), result.text("source")
    if not blocks:
        return None
    source_id = number if name is None or web_url(name) else name
    found = _joined(source_id, blocks, result.text("title"), web_url(name))
    return _Read(found, "search_result", blocks)


def _of_fields(contents: Node, source_id: str) -> _Read | None:
    """Read a document of Cohere, which has fields of any name."""
    if text := contents.own_text():
        return _Read(Source(source_id, text), "document", ())
    given = {name: contents.text(name) for name in contents.names()}
    about = ("title", "url", "id")
    texts = [text for name, text in given.items() if text and name not in about]
    if not texts:
        return None
    source = Source(
        source_id, "\n".join(texts), title=given.get("title"), url=web_url(given.get("url"))
    )
    return _Read(source, "document", ())


def _texts(content: Node) -> tuple[str, ...]:
    return tuple(text for each in content.items("content") if (text := each.text("text")))


def _joined(source_id: str, blocks: tuple[str, ...], title: str | None, url: str | None) -> Source:
    return Source(source_id, _BETWEEN_BLOCKS.join(blocks), title=title, url=url)
