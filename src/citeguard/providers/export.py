"""An answer in the forms of providers: `to_openai`, `to_anthropic`, `to_gemini`, and others.

What is written is plain data in the names of the provider's JSON. Of an `ImportedAnswer` its text
and segments are written; of any other answer the statements, joined by blanks.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any
from urllib.parse import quote as percent_encode

from citeguard.providers.imported import ImportedAnswer, Segment
from citeguard.providers.offsets import Positions
from citeguard.sources.collection import Sources, Span
from citeguard.sources.matches import Match
from citeguard.validation.models import Answer, Citation, check_sources

_CONTEXT = "http://www.w3.org/ns/anno.jsonld"


def to_openai(answer: Answer, sources: Sources) -> dict[str, Any]:
    """Return an answer as an `output_text` of OpenAI's Responses API.

    A source with a URL is a `url_citation` of the segment, in code points, end exclusive. Any other
    is a `file_citation`, whose `index` is the end of the segment; its id is the `file_id`.
    """
    text, segments = _parts(answer, sources)
    annotations: list[dict[str, Any]] = []
    for segment, source_id in ((each, name) for each in segments for name in each.source_ids):
        source = sources[source_id]
        name = source.title or source.id
        page = {"type": "url_citation", "url": source.url, "title": name}
        file = {"type": "file_citation", "file_id": source.id, "filename": name}
        place = {"start_index": segment.start, "end_index": segment.end}
        annotations.append({**page, **place} if source.url else {**file, "index": segment.end})
    return {"type": "output_text", "text": text, "annotations": annotations}


def to_anthropic(answer: Answer, sources: Sources) -> dict[str, Any]:
    """Return an answer as a message of Anthropic's API, with a `char_location` for each quote.

    Documents are in the order of the sources; offsets are code points of their texts, end
    exclusive. An elided quote has one citation for each of its parts. Where segments overlap, the
    text is cut at each of their borders.
    """
    text, segments = _parts(answer, sources)
    places = (place for each in segments for place in (each.start, each.end))
    borders = sorted({0, len(text), *places})
    indices = {source_id: index for index, source_id in enumerate(sources.ids)}
    blocks: list[dict[str, Any]] = []
    for start, end in pairwise(borders):
        spans = dict.fromkeys(
            span
            for each in segments
            if each.start <= start and end <= each.end
            for citation in each.citations
            for span in citation.spans
        )
        cited = [
            {
                "type": "char_location",
                "cited_text": sources.slice(span),
                "document_index": indices[span.source_id],
                "document_title": sources[span.source_id].title,
                "file_id": None,
                "start_char_index": span.start,
                "end_char_index": span.end,
            }
            for span in spans
        ]
        # Anthropic's own blocks have null where nothing is cited.
        blocks.append({"type": "text", "text": text[start:end], "citations": cited or None})
    return {"type": "message", "role": "assistant", "content": blocks}


def to_gemini(answer: Answer, sources: Sources) -> dict[str, Any]:
    """Return an answer as a candidate of the Gemini API, with its grounding metadata.

    Segments are UTF-8 bytes of the only part, end exclusive. Every quote is a chunk with a
    `retrievedContext`, whose `uri` is the URL of the source, or its id.
    """
    text, segments = _parts(answer, sources)
    positions, chunks = Positions(text), dict[tuple[str, str | None], int]()
    supports: list[dict[str, Any]] = []
    for segment in segments:
        quoted = [(each.spans[0].source_id, each.quote) for each in segment.citations]
        with_quote = {source_id for source_id, _ in quoted}
        bare = [(each, None) for each in segment.source_ids if each not in with_quote]
        start, end = positions.offsets(segment.start, segment.end, "utf8")
        place = {"partIndex": 0, "startIndex": start, "endIndex": end}
        indices = [chunks.setdefault(key, len(chunks)) for key in (*quoted, *bare)]
        supports.append(
            {
                "segment": {**place, "text": text[segment.start : segment.end]},
                "groundingChunkIndices": indices,
            }
        )
    contexts: list[dict[str, Any]] = []
    for source, words in ((sources[source_id], words) for source_id, words in chunks):
        context = {"uri": source.url or source.id, "title": source.title or source.id}
        contexts.append({"retrievedContext": {**context, **({"text": words} if words else {})}})
    return {
        "content": {"role": "model", "parts": [{"text": text}]},
        "groundingMetadata": {"groundingChunks": contexts, "groundingSupports": supports},
    }


def to_langchain(answer: Answer, sources: Sources) -> dict[str, Any]:
    """Return an answer as a text block of LangChain, with a `Citation` for each quote.

    `start_index` and `end_index` are code points of the block's text, end exclusive. The place in
    the source is in `extras`, in code points.
    """
    text, segments = _parts(answer, sources)
    annotations: list[dict[str, Any]] = []
    for segment, citation in ((each, one) for each in segments for one in each.citations):
        source = sources[citation.span.source_id]
        spans = [[span.start, span.end] for span in citation.spans]
        annotations.append(
            {
                "type": "citation",
                **({} if source.url is None else {"url": source.url}),
                "title": source.title or source.id,
                "start_index": segment.start,
                "end_index": segment.end,
                "cited_text": citation.quote,
                "extras": {"source_id": source.id, "spans": spans},
            }
        )
    return {"type": "text", "text": text, "annotations": annotations}


def to_web_annotations(answer: Answer, sources: Sources) -> list[dict[str, Any]]:
    """Return the citations of an answer as W3C Web Annotations, in order.

    The body is the statement; the targets are the words of the source, each with a
    `TextPositionSelector` and a `TextQuoteSelector`, both in code points of the source's text. A
    source without a URL is named by a URN with its id.
    """
    check_sources(answer, sources)
    return [
        {
            "@context": _CONTEXT,
            "type": "Annotation",
            "motivation": "linking",
            "body": {"type": "TextualBody", "value": statement.text, "format": "text/plain"},
            "target": [_target(span, citation, sources) for span in citation.spans],
        }
        for statement in answer.statements
        for citation in statement.citations
    ]


def _parts(answer: Answer, sources: Sources) -> tuple[str, Sequence[Segment]]:
    """Return the text of an answer, and the parts of it that cite something, in order."""
    check_sources(answer, sources)
    if isinstance(answer, ImportedAnswer) and answer.text:
        return answer.text, answer.segments
    segments: list[Segment] = []
    start = 0
    for statement in answer.statements:
        end, cited = start + len(statement.text), tuple(statement.citations)
        if ids := dict.fromkeys(each.spans[0].source_id for each in cited):
            segments.append(Segment(start=start, end=end, source_ids=(*ids,), citations=cited))
        start = end + 1
    return " ".join(each.text for each in answer.statements), segments


def _target(span: Span, citation: Citation, sources: Sources) -> dict[str, Any]:
    source = sources[span.source_id]
    words = sources.slice(span)
    match = Match(
        quote=words,
        text=words,
        spans=(span,),
        grade=citation.grade,
        similarity=1.0,
        source=source,
        searched=(source,),
    )
    # An id may have half a character, which has no encoding.
    urn = f"urn:citeguard:source:{percent_encode(source.id, safe='', errors='replace')}"
    return {
        "source": source.url or urn,
        "selector": [match.text_position_selector(), match.text_quote_selector()],
    }
