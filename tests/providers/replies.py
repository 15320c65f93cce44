"""Documents, and what providers say about them, in the shapes of their APIs."""

from typing import Any

from citeguard import Answer, Source, Sources
from citeguard.providers import ImportedAnswer

HANDBOOK = "The notice period is one month. It doesn’t apply during probation."
FAQ = "Employees resign in writing. E-mail counts as writing. 👩‍🚀 Astronauts may call."

SOURCES = Sources(
    [
        Source("handbook", HANDBOOK, title="Handbook", url="https://example.org/handbook"),
        Source("faq", FAQ, title="faq.txt", url="https://example.com/faq#top"),
    ]
)
DOCUMENTS = [
    {
        "type": "document",
        "title": "Handbook",
        "source": {"type": "text", "media_type": "text/plain", "data": HANDBOOK},
        "citations": {"enabled": True},
    },
    {
        "type": "document",
        "title": "FAQ",
        "source": {
            "type": "content",
            "content": [
                {"type": "text", "text": "Employees resign in writing."},
                {"type": "text", "text": "E-mail counts as writing."},
                {"type": "text", "text": "Lunch is free."},
            ],
        },
    },
    {
        "type": "search_result",
        "source": "https://example.net/parking",
        "title": "Parking",
        "content": [{"type": "text", "text": "Parking costs nothing on Sundays."}],
    },
]
"""The documents of a request to Anthropic."""


def kinds(answer: ImportedAnswer) -> list[str]:
    """Return the kinds of an answer's findings, in order."""
    return [finding.kind for finding in answer.findings]


def cited(answer: ImportedAnswer) -> list[tuple[str, list[str]]]:
    """Return the statements of an answer with the words that each cites."""
    return [
        (statement.text, [citation.quote for citation in statement.citations])
        for statement in answer.statements
    ]


def spans(answer: Answer) -> list[tuple[str, int, int]]:
    """Return the spans of an answer's citations, in order."""
    return [
        (span.source_id, span.start, span.end)
        for statement in answer.statements
        for citation in statement.citations
        for span in citation.spans
    ]


def verified(answer: ImportedAnswer) -> bool:
    """Return whether every citation has the words of its source, and every loss its finding."""
    assert answer.sources is not None
    citations = [each for statement in answer.statements for each in statement.citations]
    return all(
        each.quote == " … ".join(map(answer.sources.slice, each.spans)) for each in citations
    ) and all(
        segment.citations or any(finding.is_lost for finding in answer.findings)
        for segment in answer.segments
    )


def char_location(quote: str, start: int, end: int, index: int = 0) -> dict[str, Any]:
    """Return a citation of Anthropic's in a plain text."""
    return {
        "type": "char_location",
        "cited_text": quote,
        "document_index": index,
        "document_title": None,
        "start_char_index": start,
        "end_char_index": end,
        "file_id": None,
    }


def page_location(quote: str, first: int, after: int) -> dict[str, Any]:
    """Return a citation of Anthropic's of the pages of the first document."""
    pages = {"start_page_number": first, "end_page_number": after}
    return {"type": "page_location", "cited_text": quote, "document_index": 0, **pages}


def block_location(quote: str, first: int, after: int) -> dict[str, Any]:
    """Return a citation of Anthropic's of the blocks of the second document."""
    return {
        "type": "content_block_location",
        "cited_text": quote,
        "document_index": 1,
        "document_title": "FAQ",
        "start_block_index": first,
        "end_block_index": after,
    }


def search_location(quote: str, source: str) -> dict[str, Any]:
    """Return a citation of Anthropic's of the only block of the first search result."""
    return {
        "type": "search_result_location",
        "cited_text": quote,
        "search_result_index": 0,
        "source": source,
        "title": None,
        "start_block_index": 0,
        "end_block_index": 1,
    }


def web_location(quote: str, url: str) -> dict[str, Any]:
    """Return a citation of Anthropic's of a page that it has found."""
    named = {"url": url, "title": None, "encrypted_index": "Eo8B"}
    return {"type": "web_search_result_location", "cited_text": quote, **named}


def converse(location: dict[str, Any] | None, quote: str = "one month") -> dict[str, Any]:
    """Return a response of Bedrock's Converse, whose second block has a citation."""
    place = {} if location is None else {"location": location}
    citation = {"sourceContent": [{"text": quote}], **place}
    cited = {"content": [{"text": "it is a month."}], "citations": [citation]}
    blocks = [{"text": "According to the handbook, "}, {"citationsContent": cited}]
    return {"output": {"message": {"role": "assistant", "content": blocks}}}


def generated(text: str, part: str, start: int, end: int, chunk: str, uri: str) -> dict[str, Any]:
    """Return a response of Bedrock's RetrieveAndGenerate with one chunk."""
    reference = {
        "content": {"text": chunk, "type": "TEXT"},
        "location": {"type": "S3", "s3Location": {"uri": uri}},
        "metadata": {"x-amz-bedrock-kb-source-uri": uri},
    }
    span = {"text": part, "span": {"start": start, "end": end}}
    citation = {
        "generatedResponsePart": {"textResponsePart": span},
        "retrievedReferences": [reference],
    }
    return {"output": {"text": text}, "citations": [citation], "sessionId": "1"}


def vertex(text: str, start: int, end: int, reference: dict[str, Any]) -> dict[str, Any]:
    """Return an answer of Vertex AI Search; 64-bit integers are texts, as in protocol buffers."""
    place = {"startIndex": str(start), "endIndex": str(end), "sources": [{"referenceId": "0"}]}
    both = {"citations": [place], "groundingSupports": [place]}
    return {"answer": {"answerText": text, **both, "references": [reference]}}


def vertex_chunk(text: str) -> dict[str, Any]:
    """Return a reference of Vertex AI Search to the handbook."""
    about = {"uri": "https://example.org/handbook", "title": "Handbook"}
    return {"chunkInfo": {"content": text, "documentMetadata": about}}


def extracted(words: str, start: int | None, end: int | None, text: str) -> dict[str, Any]:
    """Return a document of LangExtract's with one extraction."""
    extraction = {
        "extraction_class": "period",
        "extraction_text": words,
        "char_interval": None if start is None else {"start_pos": start, "end_pos": end},
        "alignment_status": "match_fuzzy",
    }
    return {"document_id": "d", "text": text, "extractions": [extraction]}


def referring(text: str, *ids: int | str) -> dict[str, Any]:
    """Return a message of Mistral's with a reference after its text."""
    reference = {"type": "reference", "reference_ids": [*ids]}
    return {"content": [{"type": "text", "text": text}, reference]}


def message(*citations: dict[str, Any], text: str = "Notice is one month.") -> dict[str, Any]:
    """Return a message of Anthropic's with one text block."""
    return {
        "id": "msg_01",
        "type": "message",
        "role": "assistant",
        "model": "claude",
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
        "content": [{"type": "text", "text": text, "citations": [*citations]}],
    }


def gemini(parts: list[Any], supports: list[Any], chunks: list[Any]) -> dict[str, Any]:
    """Return a response of the Gemini API, as its REST interface writes it."""
    return {
        "candidates": [
            {
                "content": {"role": "model", "parts": parts},
                "groundingMetadata": {
                    "webSearchQueries": ["notice"],
                    "groundingChunks": chunks,
                    "groundingSupports": supports,
                },
            }
        ]
    }


def support(
    start: int | None, end: int, text: str | None, *chunks: int, part: int | None = None
) -> Any:
    """Return a grounding support of Gemini's; a zero is absent, as in JSON of protocol buffers."""
    segment = {"partIndex": part, "startIndex": start or None, "endIndex": end, "text": text}
    return {
        "segment": {name: value for name, value in segment.items() if value is not None},
        "groundingChunkIndices": [*chunks],
        "confidenceScores": [0.9 for _ in chunks],
    }


def retrieved(text: str, uri: str = "https://example.org/handbook", **more: Any) -> dict[str, Any]:
    """Return a chunk that a retrieval tool of Gemini's found."""
    return {"retrievedContext": {"uri": uri, "title": "Handbook", "text": text, **more}}


def output_text(text: str, *annotations: dict[str, Any]) -> dict[str, Any]:
    """Return a response of OpenAI's Responses API."""
    content = {"type": "output_text", "text": text, "annotations": [*annotations], "logprobs": []}
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 0,
        "model": "gpt",
        "parallel_tool_calls": False,
        "tool_choice": "auto",
        "tools": [],
        "output": [
            {
                "type": "web_search_call",
                "id": "ws_1",
                "status": "completed",
                "action": {"type": "search", "query": "notice"},
            },
            {
                "type": "message",
                "id": "msg_1",
                "role": "assistant",
                "status": "completed",
                "content": [content],
            },
        ],
    }


def url_citation(start: int, end: int, url: str = "https://example.org/handbook") -> dict[str, Any]:
    """Return an annotation of OpenAI's for a page."""
    return {
        "type": "url_citation",
        "start_index": start,
        "end_index": end,
        "url": url,
        "title": "Handbook",
    }


def file_citation(index: int, name: str = "faq.txt") -> dict[str, Any]:
    """Return an annotation of OpenAI's for a file."""
    return {"type": "file_citation", "file_id": "file-1", "filename": name, "index": index}


def perplexity(text: str, *urls: str) -> dict[str, Any]:
    """Return a chat completion of Perplexity's."""
    return {
        "id": "1",
        "object": "chat.completion",
        "created": 0,
        "model": "sonar",
        "citations": [*urls],
        "choices": [
            {
                "index": 0,
                "finish_reason": "stop",
                "message": {"role": "assistant", "content": text},
                "delta": {"role": "assistant", "content": ""},
            }
        ],
    }


def cohere(text: str, *citations: dict[str, Any]) -> dict[str, Any]:
    """Return a chat response of Cohere's API v2."""
    return {
        "id": "1",
        "finish_reason": "COMPLETE",
        "message": {
            "role": "assistant",
            "content": [{"type": "text", "text": text}],
            "citations": [*citations],
        },
    }
