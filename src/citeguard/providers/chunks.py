"""Providers that send the texts of what they retrieved: Google, Amazon Bedrock.

A citation of theirs is a part of the answer and some chunks of documents, in a list of the reply.
The text of a chunk is what they quote. A chunk of the web has none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from citeguard.errors import CiteguardError
from citeguard.providers.annotations import annotate
from citeguard.providers.documents import Documents, sources_of_chunks
from citeguard.providers.draft import Cited, Draft, Place, cited_page
from citeguard.providers.imported import ImportedAnswer
from citeguard.providers.locations import from_converse
from citeguard.providers.proving import proved
from citeguard.providers.reply import Node, read_reply


def from_gemini(reply: Any, documents: Any = None) -> ImportedAnswer:
    """Return the answer of a reply of the Gemini API, with its citations resolved and verified.

    Segments are UTF-8 bytes of a part of the answer, end exclusive, and are proved by their own
    text. A chunk that a retrieval tool returned has a text, which is located in the documents; a
    chunk of the web has only a URL, mostly a redirect, and is resolved by its title or domain. Of
    several candidates the first is read.

    Of the Interactions API the annotations are read, which have neither a text nor a part.

    Args:
        reply: A `GenerateContentResponse`, one of its candidates, an `Interaction`, or its dict; or
            the list of responses of a stream.
        documents: The documents, found by URI, document name or title; whatever `Sources` accepts.
            By default the texts of the retrieved chunks in the reply.

    Raises:
        CiteguardError: `reply` is nothing of the kind.
        InvalidSourcesError: `documents` cannot be read as sources, or there are none.
    """
    node = read_reply("from_gemini", reply)
    if node.items("steps"):
        return _interaction(node, documents)
    streamed = node.items()
    candidates = [(each.items("candidates") or [each])[0] for each in streamed or [node]]
    parts = [part for each in candidates for part in each.at("content").items("parts")]
    if not parts:
        raise CiteguardError("from_gemini: expected a response with candidates and parts")
    metadata = [each.at("grounding_metadata") for each in candidates]
    retrieved = [
        [_gemini_chunk(chunk) for chunk in each.items("grounding_chunks")] for each in metadata
    ]
    known = _known(documents, retrieved)
    # A thought is a part, which is counted and not shown. In a stream nothing says where parts end.
    texts = ["" if each.at("thought") else each.text("text") or "" for each in parts]
    draft = Draft(["".join(texts)] if streamed else texts)
    for support, chunks in _supports(metadata, retrieved):
        segment = support.at("segment")
        part, start, end = map(segment.whole, ("part_index", "start_index", "end_index"))
        place = draft.segment(part, start, end, segment.text("text"), "utf8")
        groups = [[chunk] for chunk in chunks]
        for index in support.wholes("grounding_chunk_indices") or [None]:
            _cite_chunks(draft, support.path, index, groups, known, place)
    for candidate in candidates:
        recited = candidate.at("citation_metadata").any_of("citations", "citation_sources")
        for each in recited.items():
            cited = cited_page(each.path, known, each.text("uri"), each.text("title"))
            draft.cite(cited, *_unquoted_segment(draft, each))
    return proved(draft, known, node)


def from_vertex(reply: Any, documents: Any = None) -> ImportedAnswer:
    """Return the answer of Vertex AI Search with its citations.

    Offsets are UTF-8 bytes of the answer, end exclusive, and its words are not repeated: an
    interval that cuts a word is read in another unit if only that one does not. The texts of the
    chunks are located in the documents.

    Args:
        reply: An `AnswerQueryResponse`, an `Answer`, or its dict.
        documents: The documents, found by URI, document name or title; whatever `Sources` accepts.
            By default the texts of the chunks in the reply.

    Raises:
        CiteguardError: `reply` is nothing of the kind.
        InvalidSourcesError: `documents` cannot be read as sources, or there are none.
    """
    node = read_reply("from_vertex", reply)
    answer = node.any_of("answer") or node
    raw = answer.text("answer_text")
    if raw is None:
        raise CiteguardError("from_vertex: expected an answer with `answer_text`")
    groups = [[*_vertex_chunks(each)] for each in answer.items("references")]
    known = _known(documents, groups)
    draft = Draft([raw])
    seen: set[tuple[object, ...]] = set()
    for each in (*answer.items("citations"), *answer.items("grounding_supports")):
        place = _unquoted_segment(draft, each)
        for source in each.items("sources") or [Node(None, each.path)]:
            index = source.whole("reference_id")
            key = (each.whole("start_index"), each.whole("end_index"), index)
            if key not in seen:  # citations and supports repeat each other
                seen.add(key)
                _cite_chunks(draft, each.path, index, groups, known, place)
    return proved(draft, known, node)


def from_bedrock(reply: Any, documents: Any = None) -> ImportedAnswer:
    """Return the answer of Amazon Bedrock's Converse or RetrieveAndGenerate, with its citations.

    Converse quotes documents, by characters, pages (from 1) or chunks. RetrieveAndGenerate sends
    the texts of the chunks that it retrieved, and spans of the answer, whose end it does not
    document: they are proved by their own text.

    Args:
        reply: The response, a dict; or the list of events of `converse_stream`.
        documents: The documents. For Converse in the order of the request, or the blocks of the
            request; for RetrieveAndGenerate found by URI, and by default the texts of the retrieved
            chunks.

    Raises:
        CiteguardError: `reply` is nothing of the kind.
        InvalidSourcesError: `documents` cannot be read as sources, or there are none.
    """
    node = read_reply("from_bedrock", reply)
    raw = node.at("output").text("text")
    if raw is None:
        if not (node.at("output", "message") or node.items("content") or node.items()):
            raise CiteguardError("from_bedrock: expected a response with an output")
        return from_converse(node, documents)
    groups = [
        [_bedrock_chunk(each) for each in citation.items("retrieved_references")]
        for citation in node.items("citations")
    ]
    known = _known(documents, groups)
    draft = Draft([raw])
    for index, citation in enumerate(node.items("citations")):
        part = citation.at("generated_response_part", "text_response_part")
        start, end = map(part.at("span").whole, ("start", "end"))
        place = draft.segment(0, start, end, part.text("text"), "code_points")
        # Each citation has chunks of its own.
        group = index if groups[index] else None
        _cite_chunks(draft, citation.path, group, groups, known, place)
    return proved(draft, known, node)


@dataclass(frozen=True, slots=True)
class _Chunk:
    """A text that a provider retrieved, and where from."""

    text: str | None
    names: tuple[str | None, ...]
    title: str | None
    host: str | None = None
    pages: range | None = None

    @property
    def name(self) -> str | None:
        return next(filter(None, self.names), None)


# What each index of a reply means: one chunk, or several of one document.
_Groups = Sequence[Sequence[_Chunk]]


def _known(documents: Any, groups: _Groups) -> Documents:
    """Return the documents that were given; without any, the texts of the chunks of the reply."""
    if documents is not None:
        return Documents(documents)
    chunks = (chunk for group in groups for chunk in group)
    return Documents(sources_of_chunks((each.text, each.name, each.title) for each in chunks))


def _cite_chunks(
    draft: Draft, path: str, index: int | None, groups: _Groups, documents: Documents, place: Place
) -> None:
    """Add the citations of the chunks that an index means, which counts from 0."""
    cited = Cited(path=path)
    if index is None:
        draft.cite(cited.with_problem("missing_source", "The citation names no chunk."), *place)
        return
    if not 0 <= index < len(groups):
        said = f"The reply cites chunk {index}, counted from 0, and has {len(groups)}."
        draft.cite(cited.with_problem("index_out_of_range", said), *place)
        return
    for chunk in groups[index]:
        each = replace(cited, source=documents.named(*chunk.names))
        if each.source is None and (chunk.name or chunk.title or chunk.host or not chunk.text):
            each = cited_page(path, documents, chunk.name, chunk.title, chunk.host)
        draft.cite(replace(each, quote=chunk.text, pages=chunk.pages), *place)


def _unquoted_segment(draft: Draft, node: Node) -> Place:
    """Return the part of the only text that offsets in bytes mean, which has no text of its own."""
    return draft.segment(0, node.whole("start_index"), node.whole("end_index"), None, "utf8")


def _interaction(node: Node, documents: Any) -> ImportedAnswer:
    outputs = [each for each in node.items("steps") if each.text("type") == "model_output"]
    contents = [content for each in outputs for content in each.items("content")]
    known = Documents(documents)
    draft = Draft([each.text("text") or "" for each in contents], between="\n")
    for number, content in enumerate(contents):
        for annotation in content.items("annotations"):
            annotate(draft, number, annotation, known, unit="utf8")
    return proved(draft, known, node)


def _supports(
    metadata: Sequence[Node], retrieved: Sequence[Sequence[_Chunk]]
) -> Iterator[tuple[Node, Sequence[_Chunk]]]:
    """Yield each support, and the list of chunks that its indices count.

    In a stream, later metadata may repeat an earlier list of chunks, or continue it: what is meant
    is the list beside the support, unless that is too short.
    """
    every = [chunk for chunks in retrieved for chunk in chunks]
    seen: list[object] = []
    for part, own in zip(metadata, retrieved, strict=True):
        supports = part.items("grounding_supports")
        indices = [i for each in supports for i in each.wholes("grounding_chunk_indices")]
        chunks = own if max(indices, default=0) < len(own) else every
        for support in supports:
            if support.data not in seen:
                seen.append(support.data)
                yield support, chunks


def _gemini_chunk(node: Node) -> _Chunk:
    web, context = node.at("web"), node.at("retrieved_context")
    if not context:
        site = web or node.any_of("maps", "image")
        return _Chunk(None, (site.text("uri"),), site.text("title"), site.text("domain"))
    rag = context.at("rag_chunk")
    first, last = (rag.at("page_span").whole(name) for name in ("first_page", "last_page"))
    pages = _pages(context.whole("page_number")) if first is None else _pages(first, last)
    names = context.text("uri"), context.text("document_name"), context.text("title")
    text = rag.text("text") or context.text("text")
    return _Chunk(text, names, context.text("title"), pages=pages)


def _pages(first: int | None, last: int | None = None) -> range | None:
    return None if first is None else range(first, (first if last is None else last) + 1)


def _vertex_chunks(node: Node) -> Iterator[_Chunk]:
    if info := node.at("chunk_info"):
        about, contents = info.at("document_metadata"), [info]
        pages = [about.text("page_identifier")]
    else:
        about = node.any_of("unstructured_document_info", "structured_document_info")
        contents = about.items("chunk_contents") or [Node(None, about.path)]
        pages = [each.text("page_identifier") for each in contents]
    names = about.text("uri") or None, about.text("document") or None, about.text("title")
    for content, page in zip(contents, pages, strict=True):
        number = int(page) if page and page.isascii() and page.isdecimal() else None
        text, title = content.text("content") or None, about.text("title") or None
        yield _Chunk(text, names, title, pages=_pages(number))


def _bedrock_chunk(node: Node) -> _Chunk:
    location, metadata = node.at("location"), node.at("metadata")
    addresses = (location.at(name).text("uri", "url", "id") for name in location.names())
    names = (*addresses, metadata.text("x-amz-bedrock-kb-source-uri"))
    return _Chunk(node.at("content").text("text"), names, metadata.text("title"))
