"""Providers that quote their documents: Anthropic, Amazon Bedrock's Converse, LangExtract.

A citation of theirs is a text of the document with its place there: offsets, pages or blocks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from citeguard.errors import CiteguardError
from citeguard.providers.documents import Documents, Kind
from citeguard.providers.draft import Cited, Draft, cited_page, quoted
from citeguard.providers.imported import ImportedAnswer
from citeguard.providers.proving import proved
from citeguard.providers.reply import Node, read_reply
from citeguard.sources.collection import Source


def from_anthropic(message: Any, documents: Any) -> ImportedAnswer:
    """Return the answer of a message of Anthropic's API, with its citations verified.

    All kinds of location are read: characters (code points, end exclusive), pages (from 1, end
    exclusive), content blocks (end exclusive), search results, and web search results, whose URL
    names the document. No model is called.

    Args:
        message: A `Message` of the SDK or its dict, its list of content blocks, or the events of a
            stream.
        documents: The documents of the request, in the order of the request: whatever `Sources`
            accepts, or the `document` and `search_result` blocks themselves. A PDF file must be
            given as a source (`Sources.from_paths`); its pages are then checked, too.

    Raises:
        CiteguardError: `message` is nothing of the kind.
        InvalidSourcesError: `documents` cannot be read as sources.
    """
    node, known = read_reply("from_anthropic", message), Documents(documents)
    blocks = node.items() or node.items("content")
    if any((each.text("type") or "").startswith("content_block_") for each in blocks):
        blocks = _streamed(_deltas(blocks))
    if not blocks and not isinstance(node.at("content").data, list):
        raise CiteguardError("from_anthropic: expected a message with a list `content`")
    parts = [
        (text, [_by_anthropic(each, known) for each in block.items("citations")])
        for block in blocks
        if (text := block.text("text")) is not None
    ]
    return _imported(known, parts, node)


def from_converse(response: Node, documents: Any) -> ImportedAnswer:
    """Return the answer of Amazon Bedrock's Converse API; see `from_bedrock`."""
    known = Documents(documents)
    message = response.at("output", "message") or response.at("message") or response
    blocks = message.items("content") or response.items()
    if deltas := [delta for each in blocks if (delta := each.at("content_block_delta"))]:
        blocks = _streamed(
            (event.whole("content_block_index") or 0, event.at("delta")) for event in deltas
        )
    parts: list[tuple[str, list[Cited]]] = []
    for block in blocks:
        cited = block.at("citations_content") or block
        text = "".join(each.text("text") or "" for each in cited.items("content"))
        if cited is not block or (text := block.text("text")) is not None:
            parts.append((text, [_by_converse(each, known) for each in cited.items("citations")]))
    return _imported(known, parts, response)


def from_langextract(result: Any, documents: Any = None) -> ImportedAnswer:
    """Return the extractions of LangExtract as an answer, each with its place in the text proved.

    Every extraction is a statement, "class: text". LangExtract aligns extractions to the text by
    words, approximately if it must; here an extraction has a citation only if its words are in the
    text. No model is called.

    Args:
        result: An `AnnotatedDocument`, its dict, or a list of them.
        documents: The texts, by `document_id`, or in the order of the results; by default those in
            the results themselves.

    Raises:
        CiteguardError: `result` is nothing of the kind.
        InvalidSourcesError: `documents` cannot be read as sources, or there are none.
    """
    node = read_reply("from_langextract", result)
    results = node.items() or [node]
    if not any("extractions" in each.names() for each in results):
        raise CiteguardError("from_langextract: expected a document with a list `extractions`")
    ids = [each.text("document_id", "_document_id") for each in results]
    own = [
        Source(name or str(number), text)
        for number, (each, name) in enumerate(zip(results, ids, strict=True), start=1)
        if (text := each.text("text"))
    ]
    known = Documents(own if documents is None else documents)
    parts = [
        _extraction(one, known.named(name) or known.at(number))
        for number, (each, name) in enumerate(zip(results, ids, strict=True))
        for one in each.items("extractions")
    ]
    return _imported(known, parts, node, between="\n")


def _imported(
    documents: Documents,
    parts: Sequence[tuple[str, Sequence[Cited]]],
    reply: Node,
    *,
    between: str = "",
) -> ImportedAnswer:
    """Return the answer of the parts of a reply's text, each with what it cites."""
    draft = Draft([text for text, _ in parts], between=between)
    for start, (text, cited) in zip(draft.starts, parts, strict=True):
        for each in cited:
            draft.cite(each, (start, start + len(text)))
    return proved(draft, documents, reply)


def _deltas(events: Iterable[Node]) -> Iterator[tuple[int, Node]]:
    """Yield what each event of a stream of Anthropic's adds to which block."""
    for event in events:
        # The SDK's event of a block's end has all of the block again.
        is_start = event.text("type") == "content_block_start"
        yield event.whole("index") or 0, event.at("content_block" if is_start else "delta")


def _streamed(deltas: Iterable[tuple[int, Node]]) -> list[Node]:
    """Return the content blocks of a stream: their texts, and their citations."""
    texts: dict[int, str] = {}
    citations: dict[int, list[object]] = {}
    for index, delta in deltas:
        own = [*delta.items("citations"), *filter(None, [delta.at("citation")])]
        citations.setdefault(index, []).extend(each.data for each in own)
        if (text := delta.text("text")) is not None:
            texts[index] = texts.get(index, "") + text
    return [
        Node({"text": text, "citations": citations[index]}, f"content[{index}]")
        for index, text in sorted(texts.items())
    ]


def _by_anthropic(node: Node, documents: Documents) -> Cited:
    quote, kind = node.text("cited_text"), node.text("type")
    if kind == "web_search_result_location":
        url, title = node.text("url"), node.text("title")
        return replace(cited_page(node.path, documents, url, title), quote=quote)
    label: Kind = "search_result" if kind == "search_result_location" else "document"
    names = [node.text(name) for name in ("source", "title")]
    if label == "document":
        names = [node.text(name) for name in ("file_id", "document_title")]
    cited = _indexed(node.path, documents, node.whole(f"{label}_index"), label, names)
    cited = replace(cited, quote=quote)
    if kind not in _COUNTED:
        said = f"Citations of the type {quoted(kind)} are not known; only their words were read."
        return cited.with_problem("location_missing", said)
    counted = _COUNTED[kind]
    start, end = (node.whole(f"{side}_{counted}") for side in ("start", "end"))
    return _placed(cited, documents, counted, start, end)


def _by_converse(node: Node, documents: Documents) -> Cited:
    texts = [text for each in node.items("source_content") if (text := each.text("text"))]
    quote = "".join(texts) or None
    location, names = node.at("location"), [node.text("source"), node.text("title")]
    for name in ("document_char", "document_page", "document_chunk", "search_result_location"):
        if not (place := location.at(name)):
            continue
        label: Kind = "search_result" if name == "search_result_location" else "document"
        cited = _indexed(node.path, documents, place.whole(f"{label}_index"), label, names)
        start, end, counted = place.whole("start"), place.whole("end"), _COUNTED[name]
        if counted == "page_number" and end is not None:
            end += 1  # Anthropic's is that of the page behind the last one
        return _placed(replace(cited, quote=quote), documents, counted, start, end)
    if url := location.at("web").text("url"):
        return replace(cited_page(node.path, documents, url, names[1]), quote=quote)
    cited = Cited(path=node.path, source=documents.named(*names), quote=quote)
    return _placed(cited, documents, "char_index", None, None)


def _extraction(node: Node, source: Source | None) -> tuple[str, list[Cited]]:
    text, kind = node.text("extraction_text") or "", node.text("extraction_class")
    interval = node.at("char_interval")
    cited = Cited(path=node.path, source=source, quote=text)
    start, end = interval.whole("start_pos"), interval.whole("end_pos")
    if source is None:
        cited = cited.with_problem("missing_source", "The text of this result was not given.")
    elif start is None or end is None:
        cited = cited.with_problem("location_missing", "LangExtract did not find these words.")
    else:
        cited = replace(cited, offsets=(start, end))
    return f"{kind}: {text}" if kind else text, [cited]


def _indexed(
    path: str, documents: Documents, index: int | None, kind: Kind, names: Sequence[str | None]
) -> Cited:
    """Return a citation of the document in a place of the request, unless its name is another's."""
    source, named = documents.at(index, kind), documents.named(*names)
    cited = Cited(path=path, source=named)
    if kind == "search_result" and named is not None and not documents.kinds:
        return cited  # the index does not count the documents
    noun = kind.replace("_", " ")
    if index is None:
        said = f"The citation does not say which {noun} it means."
        return cited if named else cited.with_problem("missing_source", said)
    if source is None:
        said = f"The reply cites {noun} {index}, counted from 0, and there are fewer."
        return cited.with_problem("index_out_of_range", said)
    if named is None or named is source or documents.is_called(source, *names):
        return replace(cited, source=source)
    name = quoted(next(filter(None, names)))
    said = f"The {noun} {index}, counted from 0, is {source.id!r}; {name} is {named.id!r}."
    return cited.with_problem("wrong_index", said)


# What the two ends of each kind of location count.
_COUNTED = {
    **{"char_location": "char_index", "document_char": "char_index"},
    **{"page_location": "page_number", "document_page": "page_number"},
    **{"content_block_location": "block_index", "document_chunk": "block_index"},
    "search_result_location": "block_index",
}


def _placed(
    cited: Cited, documents: Documents, counted: str, start: int | None, end: int | None
) -> Cited:
    if start is None or end is None:
        return cited.with_problem("location_missing", "The reply does not say where the words are.")
    if counted == "char_index":
        return replace(cited, offsets=(start, end))
    if counted == "page_number":
        return _with_pages(cited, start, end)
    return _with_blocks(cited, documents, start, end)


def _with_pages(cited: Cited, first: int, after: int) -> Cited:
    """Return a citation with pages from `first`, counted from 1, until before `after`."""
    if first < 1:
        said = f"Pages are counted from 1, and the reply says {first}."
        return cited.with_problem("zero_or_negative_marker", said)
    if after <= first:
        said = f"The page {after} is the last one, not the one behind it."
        cited, after = cited.with_problem("end_inclusive", said), first + 1
    return replace(cited, pages=range(first, after))


def _with_blocks(cited: Cited, documents: Documents, first: int, after: int) -> Cited:
    """Return a citation with the place of its blocks, if they have its words."""
    source, quote = cited.source, cited.quote
    if source is None or quote is None or source.id not in documents.parts:
        return cited
    exclusive, inclusive = (documents.blocks(source, first, end) for end in (after, after + 1))
    if exclusive is not None and exclusive[1] == quote:
        return replace(cited, interval=exclusive[0])
    if inclusive is not None and inclusive[1] == quote:
        said = f"The block {after} is the last one, not the one behind it."
        return replace(cited.with_problem("end_inclusive", said), interval=inclusive[0])
    if exclusive is None:
        said = f"The document has no blocks {first} to {after}."
        return cited.with_problem("index_out_of_range", said)
    return cited.with_problem("offset_wrong", f"Blocks {first} to {after} have other words.")
