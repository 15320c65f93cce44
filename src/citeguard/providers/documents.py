"""The documents that a provider was given: by position, by name, by address, with their blocks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Literal, cast

from citeguard.errors import InvalidSourcesError
from citeguard.language.sentences import Interval
from citeguard.providers.reply import Node, plain
from citeguard.sources.collection import Source, Sources, as_sources
from citeguard.sources.links import address_of, is_url, page_of, web_url

# These lead to a page, and do not show its own address.
_REDIRECTS = re.compile(
    r"(?:https?://)?(?:vertexaisearch\.cloud\.google\.com/grounding-api-redirect/"
    r"|(?:www\.)?google\.[a-z.]{2,6}/url\?|(?:www\.)?bing\.com/ck/a\?)",
    re.IGNORECASE,
)
# In the source, where two blocks must not make one word; providers join them without anything.
_BETWEEN_BLOCKS = "\n"

Kind = Literal["document", "search_result"]

# A document of a request: as a source, what it is, and its blocks.
_Read = tuple[Source, Kind, tuple[str, ...]]


class Documents:
    """Sources, and how a provider names them.

    Args:
        given: Whatever `Sources` accepts; or the documents of a request, in a list: `document` and
            `search_result` blocks of Anthropic and Bedrock, documents of Cohere. Those without a
            text, such as PDF files, must be given as a `Source`.

    Raises:
        InvalidSourcesError: They cannot be read as sources, or one of a request has no text.
    """

    def __init__(self, given: Any) -> None:
        self.kinds: dict[str, Kind] = {}  # of documents of a request
        self.parts: dict[str, tuple[str, ...]] = {}  # the blocks of those that have several
        if isinstance(given, (list, tuple)):
            items = list(cast("list[Any]", given))
            for place, each in enumerate(items):
                if (read := _read(each, str(place + 1))) is not None:
                    items[place], kind, blocks = read
                    self.kinds[items[place].id] = kind
                    if blocks:
                        self.parts[items[place].id] = blocks
            given = items
        self.sources: Sources = as_sources(given)

    def at(self, index: int | None, kind: Kind | None = None) -> Source | None:
        """Return the document in a place, from 0; among those of a kind, if kinds are known."""
        listed = list(self.sources)
        if kind is not None and self.kinds:
            # Anthropic and Bedrock count documents and search results apart.
            listed = [each for each in listed if self.kinds.get(each.id, "document") == kind]
        return listed[index] if index is not None and 0 <= index < len(listed) else None

    def named(self, *names: str | None) -> Source | None:
        """Return the document that some names identify, by id, address or title; the first counts.

        A title or an address that several documents share identifies none.
        """
        for name in filter(None, names):
            if name in self.sources:
                return self.sources[name]
            for agrees in (_has_address, _has_title):
                found = [each for each in self.sources if agrees(each, name)]
                if len(found) == 1:
                    return found[0]
        return None

    def is_called(self, source: Source, *names: str | None) -> bool:
        """Return whether a document has one of some names: as its id, address or title."""
        return any(
            name == source.id or _has_address(source, name) or _has_title(source, name)
            for name in filter(None, names)
        )

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

        It is `None` if the document has no such blocks, or they have no text.
        """
        blocks = self.parts[source.id]
        inside = blocks[first:after]
        if not 0 <= first < after <= len(blocks) or not any(inside):
            return None
        start = sum(len(each) + len(_BETWEEN_BLOCKS) for each in blocks[:first] if each)
        return (start, start + len(_joined(inside))), "".join(inside)


def is_redirect(url: str | None) -> bool:
    """Return whether a URL leads elsewhere, so that it does not say which document it means."""
    return url is not None and _REDIRECTS.match(url) is not None


def sources_of_chunks(chunks: Iterable[tuple[str | None, str | None, str | None]]) -> list[Source]:
    """Return sources made of the texts that a reply carries, with their names and titles.

    Chunks without text are skipped, and so are those without a name whose text is there; texts of
    one name are joined, each once.
    """
    texts: dict[str, dict[str, None]] = {}
    titles: dict[str, str | None] = {}
    for number, (text, name, title) in enumerate(chunks, start=1):
        key = name or title
        is_known = key is None and any(text in each for each in texts.values())
        if text and text.strip() and not is_known:
            key = key or str(number)
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
    # A provider may name a path or an address in its storage, and the source only its file.
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
        return _of_content(node.at("source"), number, node.text("title"))
    if kind == "search_result":
        return _of_search(node, number)
    if inner := node.at("document", "source"):  # Bedrock
        return _of_content(inner, number, node.at("document").text("name"))
    if inner := node.at("search_result"):
        return _of_search(inner, number)
    if contents := node.at("data"):  # Cohere
        return _of_fields(contents, node.text("id") or number)
    return None


def _of_content(content: Node, number: str, title: str | None) -> _Read:
    if any(blocks := _texts(content)):
        return Source(number, _joined(blocks), title=title), "document", blocks
    text = content.text("text", "content")
    if content.text("type") == "text":
        text = content.text("data") or text
    if not text:
        kind = content.text("media_type", "type") or "no type"
        raise InvalidSourcesError(
            f"document {number} has no text ({kind}): give it as a Source with its extracted text, "
            "as Sources.from_paths reads it"
        )
    return Source(number, text, title=title), "document", ()


def _of_search(result: Node, number: str) -> _Read:
    blocks, name = _texts(result), result.text("source")
    if not any(blocks):
        raise InvalidSourcesError(f"search result {number} has no text")
    url, title = web_url(name), result.text("title")
    source_id = number if name is None or url else name
    return Source(source_id, _joined(blocks), title=title, url=url), "search_result", blocks


def _of_fields(contents: Node, source_id: str) -> _Read | None:
    """Read a document of Cohere, which has fields of any name."""
    given = {name: contents.text(name) for name in contents.names()}
    texts = [text for name, text in given.items() if text and name not in ("title", "url", "id")]
    if text := contents.text(""):
        texts = [text]
    title, url = given.get("title"), web_url(given.get("url"))
    source = Source(source_id, "\n".join(texts), title=title, url=url) if texts else None
    return None if source is None else (source, "document", ())


def _texts(content: Node) -> tuple[str, ...]:
    """Return the texts of blocks; pictures have none, and count."""
    return tuple(each.text("text") or "" for each in content.items("content"))


def _joined(blocks: Iterable[str]) -> str:
    return _BETWEEN_BLOCKS.join(filter(None, blocks))
