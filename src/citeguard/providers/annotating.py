"""Providers that annotate their answer: OpenAI, Google, Cohere, Mistral, Perplexity, Bedrock.

A citation of theirs is a part of the answer and the name of a document. Some send the text of the
document, too, or of a chunk of it, which is then what they quote; the others quote nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from citeguard.errors import CiteguardError
from citeguard.language.citations import is_figure, machine_marks, pattern, places_in_tag
from citeguard.language.sentences import Interval
from citeguard.providers.documents import Documents, sources_of_chunks
from citeguard.providers.findings import ImportFinding
from citeguard.providers.imported import ImportedAnswer
from citeguard.providers.importing import (
    AnswerText,
    Cited,
    Problem,
    imported,
    proved_segment,
)
from citeguard.providers.offsets import Positions, Unit, prove, prove_by_words
from citeguard.providers.quoting import from_converse, web_source
from citeguard.providers.reply import Node, read_reply
from citeguard.sources.collection import Source

_NUMBER_MARK = re.compile(r"\[(-?[0-9]{1,3})\](?!\()")
# "([example.org](https://example.org/page))", "【4:0†source】", "[1]", "https://example.org/page"
_LINK = r"\[[^\[\]\n]{0,300}\]\([^()\s]{1,2000}(?:\([^()\s]{0,200}\)[^()\s]{0,500})?\)"
_MARK = re.compile(
    rf"\s*(?:\({_LINK}\)|{_LINK}|【[^【】\n]{{1,80}}】|\[-?[0-9]{{1,3}}\]|https?://\S+)\s*"
)
_AUTOMATIC_ID = re.compile(r"doc[_:]([0-9]{1,6})")


def from_openai(reply: Any, documents: Any = None) -> ImportedAnswer:
    """Return the answer of a reply of OpenAI's API, with its citations resolved and searched for.

    Read are the Responses API (`url_citation`, `file_citation`, `container_file_citation`), Chat
    Completions, and messages of the Assistants API. OpenAI quotes no words of the documents: a
    citation is in the answer if the document is given and a passage of it says what the statement
    says. `start_index` and `end_index` count code points of the answer; the end is documented as
    that of the last character, and is exclusive. A link or a mark that a citation consists of is
    not part of the text of the answer.

    Args:
        reply: A `Response`, a `ChatCompletion`, a `Message` of the Assistants API, or its dict.
        documents: The pages and files, found by URL, file id or file name; whatever `Sources`
            accepts. By default the texts of the file search in the reply, if it includes them.

    Raises:
        CiteguardError: `reply` is nothing of the kind.
        InvalidSourcesError: `documents` cannot be read as sources, or there are none.
    """
    node = read_reply("from_openai", reply)
    parts = _openai_parts(node)
    if not parts:
        raise CiteguardError("from_openai: expected a response with text, got none")
    results = [
        result
        for item in node.items("output")
        if item.text("type") == "file_search_call"
        for result in item.items("results")
    ]
    chunks = ((each.text("text"), each.text("file_id"), each.text("filename")) for each in results)
    known = Documents(sources_of_chunks(chunks) if documents is None else documents)
    draft = _Draft([text for text, _ in parts], between="\n")
    for number, (_, annotated) in enumerate(parts):
        for annotation in annotated:
            _annotate(draft, number, annotation, known)
    draft.leave_marks("missing_source", "No annotation says what the mark {} is.")
    return draft.answer(known)


def from_gemini(reply: Any, documents: Any = None) -> ImportedAnswer:
    """Return the answer of a reply of the Gemini API, with its citations resolved and verified.

    Segments are UTF-8 bytes of a part of the answer, end exclusive, and are proved by their own
    text. A chunk that a retrieval tool returned has a text, which is located in the documents; a
    chunk of the web has only a URL, mostly a redirect, and is resolved by its title or domain.

    Of the Interactions API the annotations are read, which have neither a text nor a part.

    Args:
        reply: A `GenerateContentResponse`, one of its candidates, an `Interaction`, or its dict.
        documents: The documents, found by URI, document name or title; whatever `Sources` accepts.
            By default the texts of the retrieved chunks in the reply.

    Raises:
        CiteguardError: `reply` is nothing of the kind.
        InvalidSourcesError: `documents` cannot be read as sources, or there are none.
    """
    node = read_reply("from_gemini", reply)
    if node.items("steps"):
        return _interaction(node, documents)
    candidate = (node.items("candidates") or [node])[0]
    parts = candidate.at("content").items("parts")
    if not parts:
        raise CiteguardError("from_gemini: expected a response with candidates and parts")
    metadata = candidate.at("grounding_metadata")
    chunks = metadata.items("grounding_chunks")
    given = [_gemini_chunk(each) for each in chunks]
    known = _known(documents, given)
    # A thought is a part, which is counted and not shown.
    draft = _Draft(["" if each.at("thought") else each.text("text") or "" for each in parts])
    for support in metadata.items("grounding_supports"):
        segment = support.at("segment")
        where, problems = draft.segment(
            support.path,
            segment.whole("part_index") or 0,
            segment.whole("start_index") or 0,
            segment.whole("end_index"),
            segment.text("text"),
            "utf8",
        )
        indices = support.wholes("grounding_chunk_indices")
        for index in indices or [None]:
            draft.cite(_of_chunk(support.path, index, given, known, problems), where)
    for each in candidate.at("citation_metadata").any_of("citations", "citation_sources").items():
        start, end = each.whole("start_index") or 0, each.whole("end_index")
        where, problems = draft.segment(each.path, 0, start, end, None, "utf8")
        source, more = web_source(known, each.text("uri"), each.text("title"))
        draft.cite(
            Cited(path=each.path, segment=None, source=source, problems=(*problems, *more)), where
        )
    return draft.answer(known)


def from_vertex(reply: Any, documents: Any = None, *, text: str | None = None) -> ImportedAnswer:
    """Return the answer of Vertex AI Search, or of its Check Grounding API, with its citations.

    Offsets are UTF-8 bytes of the answer, end exclusive. Check Grounding repeats the text of each
    claim, which proves them; an answer does not: there, an interval that cuts a word is read in
    another unit if only that one does not. The texts of the chunks are located in the documents.

    Args:
        reply: An `AnswerQueryResponse`, an `Answer`, a `CheckGroundingResponse`, or its dict.
        documents: The documents, found by URI, document name or title; whatever `Sources` accepts.
            By default the texts of the chunks in the reply.
        text: The text that Check Grounding was asked about; by default its claims, one per line.

    Raises:
        CiteguardError: `reply` is nothing of the kind.
        InvalidSourcesError: `documents` cannot be read as sources, or there are none.
    """
    node = read_reply("from_vertex", reply)
    if node.items("claims"):
        return _checked_grounding(node, documents, text)
    answer = node.any_of("answer") or node
    raw = answer.text("answer_text")
    if raw is None:
        raise CiteguardError("from_vertex: expected an answer with `answer_text`, or claims")
    given = [_vertex_reference(each) for each in answer.items("references")]
    known = _known(documents, given)
    draft = _Draft([raw])
    seen: set[tuple[object, ...]] = set()
    for each in (*answer.items("citations"), *answer.items("grounding_supports")):
        start, end = each.whole("start_index") or 0, each.whole("end_index")
        where, problems = draft.segment(each.path, 0, start, end, None, "utf8")
        for source in each.items("sources") or [Node(None, each.path)]:
            index = source.whole("reference_id")
            key = (start, end, index)
            if key not in seen:  # citations and supports repeat each other
                draft.cite(_of_chunk(each.path, index, given, known, problems), where)
            seen.add(key)
    return draft.answer(known)


def from_cohere(reply: Any, documents: Any = None) -> ImportedAnswer:
    """Return the answer of Cohere's chat, with its citations resolved and searched for.

    `start` and `end` count code points of the answer, end exclusive, whatever the SDK says of them,
    and are proved by the citation's own text. Cohere names documents and quotes none of their
    words. Citations of plans and of thoughts are not of the answer, and are skipped.

    Args:
        reply: A response of the API v2 or v1, its message, its dict, or the events of a stream.
        documents: The documents of the request: Cohere's dicts, or whatever `Sources` accepts. By
            default those that the reply repeats.

    Raises:
        CiteguardError: `reply` is nothing of the kind.
        InvalidSourcesError: `documents` cannot be read as sources, or there are none.
    """
    node = read_reply("from_cohere", reply)
    if events := node.items():
        node = _streamed(events)
    message = node.any_of("message") or node
    contents = message.items("content")
    texts = [each.text("text") or "" for each in contents]
    raw = message.text("text", "content")
    if not contents and raw is None:
        raise CiteguardError("from_cohere: expected a response with a message and its content")
    citations = [
        each
        for each in message.items("citations")
        if each.text("type") not in ("THINKING_CONTENT", "PLAN")
    ]
    known = Documents(_cohere_documents(message, citations) if documents is None else documents)
    draft = _Draft(texts if contents else [raw or ""])
    for each in citations:
        where, problems = draft.segment(
            each.path,
            each.whole("content_index") or 0,
            each.whole("start") or 0,
            each.whole("end"),
            each.text("text"),
            "code_points",
        )
        named = [source.text("id") for source in each.items("sources")]
        named += [name for item in each.items("document_ids") if (name := item.own_text())]
        if not named:
            said = "The citation names no document."
            problem: Problem = "missing_source", said
            draft.cite(
                Cited(path=each.path, segment=None, source=None, problems=(*problems, problem)),
                where,
            )
        for name in named:
            source = known.named(name) or _numbered(name, known)
            missing: tuple[Problem, ...] = ()
            if source is None:
                missing = (("missing_source", f"The document {name} was not given."),)
            draft.cite(
                Cited(path=each.path, segment=None, source=source, problems=(*problems, *missing)),
                where,
            )
    if not citations:
        _read_tags(draft, known)
    return draft.answer(known)


def from_mistral(reply: Any, documents: Any) -> ImportedAnswer:
    """Return the answer of Mistral's chat or conversations, with its references searched for.

    A reference follows the text that it is about, and has neither words nor offsets: it belongs to
    the sentence before it. Its ids are those of the documents, or count them from 0.

    Args:
        reply: A `ChatCompletionResponse`, a `ConversationResponse`, a message, or its dict.
        documents: The documents; whatever `Sources` accepts.

    Raises:
        CiteguardError: `reply` is nothing of the kind.
        InvalidSourcesError: `documents` cannot be read as sources.
    """
    node, known = read_reply("from_mistral", reply), Documents(documents)
    message = _message(node)
    for output in node.items("outputs"):
        if output.text("type") == "message.output":
            message = output
    text, chunks = message.text("content"), message.items("content")
    if text is None and not chunks:
        raise CiteguardError("from_mistral: expected a response with a message and its content")
    draft = _Draft([text or "".join(each.text("text") or "" for each in chunks)])
    at = 0
    for chunk in chunks:
        at += len(chunk.text("text") or "")
        for each in chunk.items("reference_ids"):
            draft.cite(_of_id(each, known), (at, at), is_mark=True)
        if chunk.text("type") == "tool_reference":
            source, problems = web_source(known, chunk.text("url"), chunk.text("title"))
            cited = Cited(path=chunk.path, segment=None, source=source, problems=problems)
            draft.cite(cited, (at, at), is_mark=True)
    return draft.answer(known)


def from_perplexity(reply: Any, documents: Any) -> ImportedAnswer:
    """Return the answer of Perplexity's API, with its marks resolved and searched for.

    A mark such as "[2]" in the answer is a place, from 1, in the reply's full list of `citations`,
    or of `search_results` without one. Annotations are read as OpenAI's. Snippets of results are
    no evidence: they may be shortened, or rewritten.

    Args:
        reply: A chat completion of Perplexity's, a response, or its dict.
        documents: The pages, found by URL; whatever `Sources` accepts.

    Raises:
        CiteguardError: `reply` is nothing of the kind.
        InvalidSourcesError: `documents` cannot be read as sources.
    """
    node, known = read_reply("from_perplexity", reply), Documents(documents)
    parts = _openai_parts(node)
    if not parts:
        raise CiteguardError("from_perplexity: expected a response with text, got none")
    draft = _Draft([text for text, _ in parts], between="\n")
    for number, (_, annotated) in enumerate(parts):
        for annotation in annotated or node.items("annotations"):
            _annotate(draft, number, annotation, known)
    results = node.items("search_results")
    for item in node.items("output"):
        results += item.items("results")
    listed = [(each.own_text(), None) for each in node.items("citations")]
    listed = listed or [(each.text("url"), each.text("title")) for each in results]
    for mark in _NUMBER_MARK.finditer(draft.raw):
        number = int(mark[1])
        if is_figure(draft.raw, *mark.span()) or draft.is_marked(mark.start()):
            continue
        path = f"citations[{number - 1}]"
        if number < 1:
            problem: Problem = "zero_or_negative_marker", f"Marks count from 1: {mark[0]}."
            cited = Cited(path=path, segment=None, source=None, problems=(problem,))
        elif number > len(listed):
            said = f"The mark {mark[0]} is beyond the list of {len(listed)} citations."
            cited = Cited(
                path=path, segment=None, source=None, problems=(("index_out_of_range", said),)
            )
        else:
            source, problems = web_source(known, *listed[number - 1])
            cited = Cited(path=path, segment=None, source=source, problems=problems)
        draft.cite(cited, mark.span(), is_mark=True)
    return draft.answer(known)


def from_bedrock(reply: Any, documents: Any = None) -> ImportedAnswer:
    """Return the answer of Amazon Bedrock's Converse or RetrieveAndGenerate, with its citations.

    Converse quotes documents, by characters, pages (from 1) or chunks. RetrieveAndGenerate sends
    the texts of the chunks that it retrieved, and spans of the answer, whose end it does not
    document: they are proved by their own text.

    Args:
        reply: The response, a dict.
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
    references = [
        [_bedrock_chunk(each) for each in citation.items("retrieved_references")]
        for citation in node.items("citations")
    ]
    chunks = [chunk for listed in references for chunk in listed]
    known = _known(documents, chunks)
    draft = _Draft([raw])
    for citation, listed in zip(node.items("citations"), references, strict=True):
        part = citation.at("generated_response_part", "text_response_part")
        span = part.at("span")
        where, problems = draft.segment(
            citation.path,
            0,
            span.whole("start") or 0,
            span.whole("end"),
            part.text("text"),
            "code_points",
        )
        for index in range(len(listed)) or (None,):
            draft.cite(_of_chunk(citation.path, index, listed, known, problems), where)
    return draft.answer(known)


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


def _known(documents: Any, chunks: Iterable[_Chunk]) -> Documents:
    """Return the documents that were given; without any, the texts of the chunks of the reply."""
    if documents is not None:
        return Documents(documents)
    return Documents(sources_of_chunks((each.text, each.name, each.title) for each in chunks))


@dataclass
class _Draft:
    """The citations of an answer in parts, whose text is not yet without its marks."""

    texts: Sequence[str]
    between: str = ""
    marks: list[Interval] = field(default_factory=list[Interval])
    cited: list[tuple[Cited, Interval | None, bool]] = field(
        default_factory=list[tuple[Cited, Interval | None, bool]]
    )
    findings: list[ImportFinding] = field(default_factory=list[ImportFinding])

    def __post_init__(self) -> None:
        self.starts: list[int] = []
        self.raw = ""
        for text in self.texts:
            self.raw += self.between if self.raw else ""
            self.starts.append(len(self.raw))
            self.raw += text
        self.positions = [Positions(text) for text in self.texts]
        self.marks += machine_marks(self.raw)

    def segment(
        self, path: str, part: int, start: int, end: int | None, own: str | None, unit: Unit
    ) -> tuple[Interval | None, tuple[Problem, ...]]:
        """Return the interval of the raw text that offsets of a part mean, and the problems."""
        if end is None and not own:
            return None, (("location_missing", "The reply does not say which part is cited."),)
        end = start + len(own or "") if end is None else end
        whole = Positions(self.raw)
        if 0 <= part < len(self.texts):
            base = self.starts[part]
            where, problems = self._in(self.positions[part], start, end, own, unit)
            if where is not None:
                return (where[0] + base, where[1] + base), problems
        others = [
            (self.positions[number], base)
            for number, base in enumerate(self.starts)
            if number != part
        ]
        for positions, base in (*others, (whole, 0)) if len(self.texts) > 1 else ():
            where, problems = self._in(positions, start, end, own, unit)
            if where is not None:
                said = f"{start} to {end} does not count in part {part}, but elsewhere."
                return (where[0] + base, where[1] + base), (("wrong_part", said), *problems)
        return proved_segment(path, whole, start, end, own, unit)

    def _in(
        self, positions: Positions, start: int, end: int, own: str | None, unit: Unit
    ) -> tuple[Interval | None, tuple[Problem, ...]]:
        if own:
            proof = prove(positions, start, end, own, declared=unit)
        else:
            proof = prove_by_words(positions, start, end, declared=unit)
        if proof is None:
            return None, ()
        return proved_segment("", positions, start, end, own, unit)

    def cite(self, cited: Cited, where: Interval | None, *, is_mark: bool = False) -> None:
        """Add a citation of an interval of the raw text, or of the sentence before a mark there."""
        if is_mark and where is not None:
            self.marks.append(where)
        self.cited.append((cited, where, is_mark))

    def is_marked(self, position: int) -> bool:
        """Return whether a position of the raw text is in a mark."""
        return any(start <= position < end for start, end in self.marks)

    def leave_marks(self, kind: Any, message: str) -> None:
        """Report the marks that no citation is about."""
        about = [where for _, where, _ in self.cited if where is not None]
        for start, end in machine_marks(self.raw):
            if not any(low < end and high > start for low, high in about):
                shown = self.raw[start:end].encode("unicode_escape").decode()
                self.findings.append(
                    ImportFinding(kind=kind, path="text", message=message.format(shown))
                )

    def answer(self, documents: Documents) -> ImportedAnswer:
        """Return the answer."""
        text = AnswerText(self.raw, self.marks)
        cited = [
            replace(each, segment=_segment(text, where, is_mark))
            for each, where, is_mark in self.cited
        ]
        return imported(documents, text, cited, self.findings)


def _segment(text: AnswerText, where: Interval | None, is_mark: bool) -> Interval | None:
    if where is None:
        return None
    return text.sentence_before(where[0]) if is_mark else text.interval(*where)


def _message(node: Node) -> Node:
    choices = node.items("choices")
    return choices[0].any_of("message", "delta") if choices else node


def _openai_parts(node: Node) -> list[tuple[str, list[Node]]]:
    """Return the texts of a reply of OpenAI's shape, each with its annotations."""
    parts: list[tuple[str, list[Node]]] = []
    messages = [each for each in node.items("output") if each.items("content")] or [_message(node)]
    for message in messages:
        if (text := message.text("content", "output_text")) is not None:
            parts.append((text, message.items("annotations")))
        for content in message.items("content") or ([message] if message.text("text") else []):
            inner = content.at("text")
            if (value := inner.text("value")) is not None:  # Assistants
                parts.append((value, inner.items("annotations")))
            elif (text := inner.own_text()) is not None:
                parts.append((text, content.items("annotations")))
    return parts


def _interaction(node: Node, documents: Any) -> ImportedAnswer:
    outputs = [each for each in node.items("steps") if each.text("type") == "model_output"]
    contents = [content for each in outputs for content in each.items("content")]
    known = Documents(documents)
    draft = _Draft([each.text("text") or "" for each in contents], between="\n")
    for number, content in enumerate(contents):
        for annotation in content.items("annotations"):
            _annotate(draft, number, annotation, known, unit="utf8")
    return draft.answer(known)


def _annotate(
    draft: _Draft,
    part: int,
    annotation: Node,
    documents: Documents,
    *,
    unit: Unit = "code_points",
) -> None:
    """Add an annotation of OpenAI's; `file_path` is about a file that was made, and cites none."""
    kind = annotation.text("type")
    if kind == "file_path":
        return
    inner = annotation.any_of(kind or "") if kind and annotation.at(kind) else annotation
    url, title = inner.text("url"), inner.text("title")
    file_id, name = inner.text("file_id", "document_uri"), inner.text("filename", "file_name")
    problems: tuple[Problem, ...] = ()
    if url is not None or (file_id is None and name is None):
        source, problems = web_source(documents, url, title)
    elif (source := documents.named(file_id, name)) is None:
        problems = (("missing_source", f"The file {name or file_id} was not given."),)
    # Older versions of the Assistants API quote the file.
    quote = inner.text("quote")
    cited = Cited(path=annotation.path, segment=None, source=source, quote=quote, problems=problems)
    # In the Assistants API the offsets are beside the file.
    outer = inner if inner.whole("end_index") is not None else annotation
    start, end = outer.whole("start_index"), outer.whole("end_index")
    if end == 0 and not start:
        said = "The reply does not say which part is cited: start and end are 0."
        draft.cite(cited.with_problem("location_missing", said), None)
        return
    if end is None:
        _at_index(draft, part, inner.whole("index"), cited)
        return
    own, base = annotation.text("text"), draft.starts[part]
    if own is None:
        for reading in draft.positions[part].readings(start or 0, end, unit):
            low, high = reading.interval
            if _is_mark(draft.texts[part][low:high]):
                where, more = (low + base, high + base), ()
                if reading.is_inclusive or reading.unit != unit:
                    own = draft.texts[part][low:high]
                    where, more = draft.segment("", part, start or 0, end, own, unit)
                problems = (*cited.problems, *more)
                draft.cite(replace(cited, problems=problems), where, is_mark=True)
                return
    where, more = draft.segment(annotation.path, part, start or 0, end, own, unit)
    is_mark = where is not None and _is_mark(draft.raw[slice(*where)])
    draft.cite(replace(cited, problems=(*cited.problems, *more)), where, is_mark=is_mark)


def _at_index(draft: _Draft, part: int, index: int | None, cited: Cited) -> None:
    """Add the citation of a file, whose `index` is a place in the text, or in a list of files."""
    text = draft.texts[part]
    if index is not None and 0 < index <= len(text) and not _is_inside_word(text, index):
        where = draft.starts[part] + index
        draft.cite(cited, (where, where), is_mark=True)
        return
    said = f"The index {index} is no place in the answer between words."
    draft.cite(cited.with_problem("location_missing", said), None)


def _is_inside_word(text: str, place: int) -> bool:
    return text[place - 1].isspace() or (
        text[place - 1].isalnum() and text[place : place + 1].isalnum()
    )


def _is_mark(text: str) -> bool:
    marks = machine_marks(text)
    if marks:
        return not any(map(str.isalnum, "".join(_outside(text, marks))))
    return _MARK.fullmatch(text) is not None


def _outside(text: str, marks: Iterable[Interval]) -> list[str]:
    parts, done = list[str](), 0
    for start, end in marks:
        parts.append(text[done:start])
        done = end
    return [*parts, text[done:]]


def _of_chunk(
    path: str,
    index: int | None,
    chunks: Sequence[_Chunk],
    documents: Documents,
    problems: tuple[Problem, ...],
) -> Cited:
    """Return the citation of a chunk in a list of the reply, from 0."""
    cited = Cited(path=path, segment=None, source=None, problems=problems)
    if index is None:
        return cited.with_problem("missing_source", "The citation names no chunk.")
    if not 0 <= index < len(chunks):
        said = f"The reply cites chunk {index}, counted from 0, and has {len(chunks)}."
        return cited.with_problem("index_out_of_range", said)
    chunk = chunks[index]
    source = documents.named(*chunk.names)
    if source is not None:
        more: tuple[Problem, ...] = ()
    else:
        source, more = web_source(documents, chunk.name, chunk.title, chunk.host)
    return replace(
        cited,
        source=source,
        quote=chunk.text,
        pages=chunk.pages,
        problems=(*problems, *more),
    )


def _gemini_chunk(node: Node) -> _Chunk:
    web, context = node.at("web"), node.at("retrieved_context")
    if not context:
        site = web or node.any_of("maps", "image")
        return _Chunk(None, (site.text("uri"),), site.text("title"), site.text("domain"))
    rag = context.at("rag_chunk")
    first, last = (rag.at("page_span").whole(name) for name in ("first_page", "last_page"))
    page = context.whole("page_number")
    pages = None if page is None else range(page, page + 1)
    if first is not None:
        pages = range(first, (first if last is None else last) + 1)
    names = context.text("uri"), context.text("document_name"), context.text("title")
    text = rag.text("text") or context.text("text")
    return _Chunk(text, names, context.text("title"), pages=pages)


def _vertex_reference(node: Node) -> _Chunk:
    if info := node.at("chunk_info"):
        about = info.at("document_metadata")
        text = info.text("content")
        page = about.text("page_identifier")
    else:
        about = node.any_of("unstructured_document_info", "structured_document_info")
        contents = about.items("chunk_contents")
        text = contents[0].text("content") if contents else None
        page = contents[0].text("page_identifier") if contents else None
    names = about.text("uri") or None, about.text("document") or None, about.text("title")
    number = int(page) if page and page.isascii() and page.isdecimal() else None
    pages = None if number is None else range(number, number + 1)
    return _Chunk(text or None, names, about.text("title") or None, pages=pages)


def _bedrock_chunk(node: Node) -> _Chunk:
    location, metadata = node.at("location"), node.at("metadata")
    places = (location.at(name) for name in location.names())
    addresses = [each.text("uri", "url", "id") for each in places if each]
    named = metadata.text("x-amz-bedrock-kb-source-uri")
    names = (*addresses, named)
    return _Chunk(node.at("content").text("text"), names, metadata.text("title"))


def _checked_grounding(node: Node, documents: Any, text: str | None) -> ImportedAnswer:
    given = [
        _Chunk(each.text("chunk_text"), (each.text("source"), each.text("uri")), each.text("title"))
        for each in node.items("cited_chunks")
    ]
    known = _known(documents, given)
    claims = node.items("claims")
    draft = _Draft(
        [each.text("claim_text") or "" for each in claims] if text is None else [text], between="\n"
    )
    for number, claim in enumerate(claims):
        own = claim.text("claim_text")
        if text is None:
            low = draft.starts[number]
            where, problems = (low, low + len(own or "")), ()
        else:
            start, end = claim.whole("start_pos") or 0, claim.whole("end_pos")
            where, problems = draft.segment(claim.path, 0, start, end, own, "utf8")
        for index in claim.wholes("citation_indices"):
            draft.cite(_of_chunk(claim.path, index, given, known, problems), where)
    return draft.answer(known)


def _of_id(node: Node, documents: Documents) -> Cited:
    """Return the citation of an id of Mistral's: the id of a document, or its place from 0."""
    number, name = node.whole(""), node.own_text()
    key = str(number) if name is None else name
    source = documents.named(name) if name is not None else None
    source = source or (documents.at(number) if number is not None else None)
    cited = Cited(path=node.path, segment=None, source=source)
    if source is not None:
        return cited
    if number is not None and name is None:
        said = f"The reply cites document {number}, counted from 0, and there are fewer."
        return cited.with_problem("index_out_of_range", said)
    return cited.with_problem("missing_source", f"The document {key} was not given.")


def _numbered(name: str | None, documents: Documents) -> Source | None:
    """Return the document of an id that Cohere gives to one without an id."""
    automatic = _AUTOMATIC_ID.fullmatch(name or "")
    return documents.at(int(automatic[1])) if automatic else None


def _read_tags(draft: _Draft, documents: Documents) -> None:
    """Read the tags of a text that was not parsed: "<co>one month</co: 0:[1]>"."""
    for opening, closing in pairwise(machine_marks(draft.raw)):
        tag = pattern("closing tag").fullmatch(draft.raw, *closing)
        for place in places_in_tag(tag[1] or "") if tag else ():
            source, problems = documents.at(place), list[Problem]()
            if source is None:
                said = f"The tag names document {place}, counted from 0, and there are fewer."
                problems.append(("index_out_of_range", said))
            cited = Cited(path="text", segment=None, source=source, problems=tuple(problems))
            draft.cite(cited, (opening[1], closing[0]))


def _cohere_documents(message: Node, citations: Iterable[Node]) -> list[Any]:
    """Return the documents that a reply repeats."""
    found: dict[str, Any] = {}
    for each in citations:
        for source in each.items("sources"):
            fields = source.any_of("document", "tool_output")
            name = source.text("id") or fields.text("id")
            if fields and name is not None:
                found.setdefault(name, {"id": name, "data": fields.data})
    for fields in message.items("documents"):  # of the API v1
        name = fields.text("id")
        if name is not None:
            found.setdefault(name, {"id": name, "data": fields.data})
    return list(found.values())


def _streamed(events: Iterable[Node]) -> Node:
    """Return the message of a stream of Cohere's, with its citations."""
    texts: dict[int, list[str]] = {}
    citations: list[object] = []
    for event in events:
        message = event.at("delta", "message")
        if event.text("type") == "content-delta":
            text = message.at("content").text("text")
            texts.setdefault(event.whole("index") or 0, []).append(text or "")
        elif event.text("type") == "citation-start":
            citations.append(message.at("citations").data)
    content = [{"type": "text", "text": "".join(text)} for _, text in sorted(texts.items())]
    return Node({"content": content, "citations": citations}, "")
