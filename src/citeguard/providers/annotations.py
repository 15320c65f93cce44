"""Providers that name documents and quote no words: OpenAI, Cohere, Mistral, Perplexity.

A citation of theirs is a part of the answer, or a mark in it, and the name of a document.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

from citeguard.errors import CiteguardError
from citeguard.language.citations import is_figure, machine_marks, pattern, places_in_tag
from citeguard.providers.documents import Documents, sources_of_chunks
from citeguard.providers.draft import Cited, Draft, cited_document, cited_page
from citeguard.providers.imported import ImportedAnswer
from citeguard.providers.offsets import Unit
from citeguard.providers.proving import proved
from citeguard.providers.reply import Node, read_reply

# Not before a bracket: that is a link of Markdown.
_NUMBER_MARK = re.compile(r"\[(-?[0-9]{1,3}(?:\s?[-–,;]\s?[0-9]{1,3}){0,9})\](?!\()")
_LISTED = re.compile(r"((?<![0-9])-?[0-9]+)(?:\s?[-–]\s?([0-9]+))?")
_LONGEST_RANGE = 30  # citations of one mark
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]+`", re.DOTALL)
# "([example.org](https://example.org/page))", "【4:0†source】", "[1]", "https://example.org/page"
# Repetitions are bounded, so that no reply takes quadratic time.
_LINK = r"\[[^\[\]\n]{0,300}\]\([^()\s]{1,2000}(?:\([^()\s]{0,200}\)[^()\s]{0,500})?\)"
_MARK = re.compile(
    rf"\s*(?:\({_LINK}\)|{_LINK}|【[^【】\n]{{1,80}}】|\[-?[0-9]{{1,3}}\]|https?://\S+)\s*"
)
# What Cohere calls a document that was given without an id, by its place.
_AUTOMATIC_ID = re.compile(r"doc[_:]([0-9]{1,6})")


def from_openai(reply: Any, documents: Any = None) -> ImportedAnswer:
    """Return the answer of a reply of OpenAI's API, with its citations resolved and searched for.

    Read are the Responses API (`url_citation`, `file_citation`, `container_file_citation`) and Chat
    Completions. OpenAI quotes no words of the documents: a
    citation is in the answer if the document is given and a passage of it says what the statement
    says. `start_index` and `end_index` count code points of the answer; the end is documented as
    that of the last character, and is exclusive. A link or a mark that a citation consists of is
    not part of the text of the answer. Of several choices the first is read.

    Args:
        reply: A `Response`, a `ChatCompletion`, or its dict; of a stream the final response.
        documents: The pages and files, found by URL, file id or file name; whatever `Sources`
            accepts. By default the texts of the file search in the reply, if it includes them.

    Raises:
        CiteguardError: `reply` is nothing of the kind.
        InvalidSourcesError: `documents` cannot be read as sources, or there are none.
    """
    node = read_reply("from_openai", reply)
    results = [
        result
        for item in node.items("output")
        if item.text("type") == "file_search_call"
        for result in item.items("results")
    ]
    chunks = ((each.text("text"), each.text("file_id"), each.text("filename")) for each in results)
    known = Documents(sources_of_chunks(chunks) if documents is None else documents)
    draft = _annotated("from_openai", node, known)
    draft.leave_marks("missing_source", "No annotation says what the mark {} is.")
    return proved(draft, known, node)


def from_cohere(reply: Any, documents: Any = None) -> ImportedAnswer:
    """Return the answer of Cohere's chat, with its citations resolved and searched for.

    `start` and `end` count code points of the answer, end exclusive, whatever the SDK says of them,
    and are proved by the citation's own text. Cohere names documents and quotes none of their
    words. Citations of plans and of thoughts are not of the answer, and are skipped.

    Args:
        reply: A response of the API v2, its message, its dict, or the events of a stream.
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
    if not contents and message.text("content") is None:
        raise CiteguardError("from_cohere: expected a response with a message and its content")
    citations = [
        each
        for each in message.items("citations")
        if each.text("type") not in ("THINKING_CONTENT", "PLAN")
    ]
    known = Documents(_cohere_documents(citations) if documents is None else documents)
    texts = [each.text("text") or "" for each in contents]
    draft = Draft(texts if contents else [message.text("content") or ""])
    for each in citations:
        part, start, end = map(each.whole, ("content_index", "start", "end"))
        place = draft.segment(part, start, end, each.text("text"), "code_points")
        for name in [source.text("id") for source in each.items("sources")] or [None]:
            automatic = _AUTOMATIC_ID.fullmatch(name or "")  # of a document without an id
            index = int(automatic[1]) if automatic else None
            draft.cite(cited_document(each.path, known, name, index=index), *place)
    if not citations:
        _read_tags(draft, known)
    return proved(draft, known, node)


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
    outputs = [each for each in node.items("outputs") if each.text("type") == "message.output"]
    messages = outputs or [_message(node)]
    written = [
        text
        if (text := each.text("content")) is not None
        else "".join(chunk.text("text") or "" for chunk in each.items("content"))
        for each in messages
    ]
    if not any("content" in each.names() for each in messages):
        raise CiteguardError("from_mistral: expected a response with a message and its content")
    draft = Draft(written, between="\n")
    for start, message in zip(draft.starts, messages, strict=True):
        at = start
        for chunk in message.items("content"):
            at += len(chunk.text("text") or "")
            for each in chunk.items("reference_ids"):
                cited = cited_document(each.path, known, each.text(""), index=each.whole(""))
                draft.cite(cited, (at, at), is_mark=True)
            if chunk.text("type") == "tool_reference":
                cited = cited_page(chunk.path, known, chunk.text("url"), chunk.text("title"))
                draft.cite(cited, (at, at), is_mark=True)
    return proved(draft, known, node)


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
    draft = _annotated("from_perplexity", node, known, node.items("annotations"))
    results = node.items("search_results")
    for item in node.items("output"):
        results += item.items("results")
    listed = [(each.text(""), None) for each in node.items("citations")]
    listed = listed or [(each.text("url"), each.text("title")) for each in results]
    # In code, "[2]" is an index.
    code = [each.span() for each in _CODE.finditer(draft.raw)]
    for mark in _NUMBER_MARK.finditer(draft.raw):
        in_code = any(low <= mark.start() < high for low, high in code)
        if in_code or is_figure(draft.raw, *mark.span()) or draft.is_marked(mark.start()):
            continue
        for each in _LISTED.finditer(mark[1]):
            first, last = int(each[1]), int(each[2] or each[1])
            # Bounded: a reply may say "[1-999]".
            for number in range(first, max(first, min(last, first + _LONGEST_RANGE)) + 1):
                draft.cite(_of_number(number, mark[0], listed, known), mark.span(), is_mark=True)
    return proved(draft, known, node)


def _of_number(
    number: int, mark: str, listed: Sequence[tuple[str | None, str | None]], documents: Documents
) -> Cited:
    """Return the citation of a number of Perplexity's, from 1, in a list of pages."""
    path = f"citations[{number - 1}]"
    cited = Cited(path=path)
    if number < 1:
        return cited.with_problem("zero_or_negative_marker", f"Marks count from 1: {mark}.")
    if number > len(listed):
        said = f"The mark {mark} is beyond the list of {len(listed)} citations."
        return cited.with_problem("index_out_of_range", said)
    return cited_page(path, documents, *listed[number - 1])


def _message(node: Node) -> Node:
    choices = node.items("choices")
    return choices[0].any_of("message", "delta") if choices else node


def _annotated(
    function: str, node: Node, documents: Documents, above: Sequence[Node] = ()
) -> Draft:
    """Return the texts of a reply of OpenAI's shape, with their annotations, or those above."""
    parts: list[tuple[str, list[Node]]] = []
    messages = [each for each in node.items("output") if each.items("content")] or [_message(node)]
    for message in messages:
        if (text := message.text("content", "output_text")) is not None:
            parts.append((text, message.items("annotations")))
        for content in message.items("content") or ([message] if message.text("text") else []):
            if (text := content.text("text")) is not None:
                parts.append((text, content.items("annotations")))
    if not parts:
        raise CiteguardError(
            f"{function}: expected a response with text, got none; of a stream, give the final "
            "response"
        )
    draft = Draft([text for text, _ in parts], between="\n")
    for number, (_, own) in enumerate(parts):
        for annotation in own or above:
            annotate(draft, number, annotation, documents)
    return draft


def annotate(
    draft: Draft, part: int, annotation: Node, documents: Documents, *, unit: Unit = "code_points"
) -> None:
    """Add an annotation of OpenAI's; `file_path` is about a file that was made, and cites none."""
    kind = annotation.text("type")
    if kind == "file_path":
        return
    # Chat Completions put the facts below the type.
    node = annotation.any_of(kind or "") if kind and annotation.at(kind) else annotation
    url, title = node.text("url"), node.text("title")
    file_id, name = node.text("file_id", "document_uri"), node.text("filename", "file_name")
    if url is not None or (file_id is None and name is None):
        cited = cited_page(annotation.path, documents, url, title)
    else:
        cited = cited_document(annotation.path, documents, file_id, name)
    start, end, index = (node.whole(each) for each in ("start_index", "end_index", "index"))
    text = draft.texts[part]
    # The index is a place in the text, or in a list of files.
    is_place = index is not None and 0 < index <= len(text) and _ends_word(text, index)
    if end is None and index is not None and is_place:
        where = draft.starts[part] + index
        draft.cite(cited, (where, where), is_mark=True)
    elif end is None or (end == 0 and not start):
        said = "The reply does not say which part is cited."
        draft.cite(cited.with_problem("location_missing", said), None)
    else:
        positions = draft.positions[part]
        # The mark that the offsets enclose in some reading, if they do.
        readings = positions.readings(start or 0, end, unit)
        words = (positions.text[slice(*reading.interval)] for reading in readings)
        own = next(filter(_is_mark, words), None)
        where, problems = draft.segment(part, start, end, own, unit)
        is_mark = where is not None and _is_mark(draft.raw[slice(*where)])
        draft.cite(cited, where, problems, is_mark=is_mark)


def _ends_word(text: str, place: int) -> bool:
    last, following = text[place - 1], text[place : place + 1]
    return not (last.isspace() or (last.isalnum() and following.isalnum()))


def _is_mark(text: str) -> bool:
    done, marks = 0, machine_marks(text)
    for start, end in (*marks, (len(text), len(text))):
        if marks and any(map(str.isalnum, text[done:start])):
            return False
        done = end
    return bool(marks) or _MARK.fullmatch(text) is not None


def _read_tags(draft: Draft, documents: Documents) -> None:
    """Read the tags of a text that was not parsed: "<co>one month</co: 0:[1]>"."""
    for opening, closing in pairwise(machine_marks(draft.raw)):
        tag = pattern("closing tag").fullmatch(draft.raw, *closing)
        for place in places_in_tag(tag[1] or "") if tag else ():
            cited = cited_document("text", documents, index=place)
            draft.cite(cited, (opening[1], closing[0]))


def _cohere_documents(citations: Iterable[Node]) -> list[Any]:
    """Return the documents that a reply repeats."""
    found: dict[str, Any] = {}
    for source in (source for each in citations for source in each.items("sources")):
        fields = source.any_of("document", "tool_output")
        name = source.text("id") or fields.text("id")
        if fields and name is not None:
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
