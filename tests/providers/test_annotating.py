from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import cohere
import openai.types.beta.threads as assistants
import pytest
from google.genai import types as genai
from mistralai.client import models as mistral
from openai.types.chat import ChatCompletion
from openai.types.responses import Response
from perplexity.types import StreamChunk

from citeguard import Answer, CiteguardError, InvalidSourcesError
from providers import replies
from providers.replies import (
    FAQ,
    HANDBOOK,
    SOURCES,
    cited,
    file_citation,
    gemini,
    kinds,
    output_text,
    retrieved,
    spans,
    support,
    url_citation,
    verified,
)
from rows import each_row

NOTICE = "The notice period is one month."
LINK = "([example.org](https://example.org/handbook?utm_source=openai))"
MARK = "\ue200cite\ue202turn0search0\ue201"


class TestFromOpenai:
    def test_reads_the_sdks_response(self) -> None:
        text = f"The notice period is one month. {LINK} Cheese is blue."
        start = text.index(LINK)
        reply = Response.model_validate(output_text(text, url_citation(start, start + len(LINK))))
        answer = Answer.from_openai(reply, SOURCES)
        assert answer.text == f"{NOTICE} Cheese is blue."
        assert cited(answer) == [(NOTICE, [NOTICE]), ("Cheese is blue.", [])]
        assert kinds(answer) == ["no_quote"]

    def test_reads_chat_completions(self) -> None:
        annotation = {"type": "url_citation", "url_citation": url_citation(0, 31)}
        del annotation["url_citation"]["type"]
        reply = ChatCompletion.model_validate(
            {
                "id": "1",
                "object": "chat.completion",
                "created": 0,
                "model": "gpt",
                "choices": [
                    {
                        "index": 0,
                        "finish_reason": "stop",
                        "message": {
                            "role": "assistant",
                            "content": NOTICE,
                            "annotations": [annotation],
                        },
                    }
                ],
            }
        )
        answer = Answer.from_openai(reply, SOURCES)
        assert cited(answer) == [(NOTICE, [NOTICE])]
        assert answer.segments[0].source_ids == ("handbook",)

    def test_reads_messages_of_the_assistants_api(self) -> None:
        mark = "【4:0†faq.txt】"
        text = f"Employees resign in writing{mark}. Cheese is blue."
        annotation = {
            "type": "file_citation",
            "text": mark,
            "start_index": 27,
            "end_index": 27 + len(mark),
            "file_citation": {"file_id": "faq"},
        }
        reply = assistants.Message.model_construct(
            content=[
                assistants.TextContentBlock.model_validate(
                    {"type": "text", "text": {"value": text, "annotations": [annotation]}}
                )
            ]
        )
        answer = Answer.from_openai(reply, SOURCES)
        assert answer.text == "Employees resign in writing. Cheese is blue."
        assert cited(answer)[0][1] == ["Employees resign in writing."]
        assert kinds(answer) == ["no_quote"]

    def test_quotes_only_what_supports_the_statement(self) -> None:
        text = "The notice period is one year."
        answer = Answer.from_openai(output_text(text, url_citation(0, len(text))), SOURCES)
        assert cited(answer) == [(text, [])]
        (finding,) = answer.findings
        assert (finding.kind, finding.source_id, finding.is_lost) == ("no_quote", "handbook", True)

    def test_quotes_no_other_document(self) -> None:
        reply = output_text(NOTICE, url_citation(0, 31, "https://example.com/faq"))
        answer = Answer.from_openai(reply, SOURCES)
        assert cited(answer) == [(NOTICE, [])]
        assert answer.segments[0].source_ids == ("faq",)

    def test_reports_pages_that_were_not_given(self) -> None:
        reply = output_text(NOTICE, {**url_citation(0, 31, "https://example.net"), "title": "Net"})
        assert kinds(Answer.from_openai(reply, SOURCES)) == ["missing_source", "no_quote"]

    def test_places_files_by_their_index(self) -> None:
        text = "Employees resign in writing. Cheese is blue."
        answer = Answer.from_openai(output_text(text, file_citation(28)), SOURCES)
        assert cited(answer)[0] == (
            "Employees resign in writing.",
            ["Employees resign in writing."],
        )

    def test_proves_the_quote_of_a_file(self) -> None:
        quoted = {**file_citation(31), "quote": "E-mail counts as writing."}
        answer = Answer.from_openai(output_text(NOTICE, quoted), SOURCES)
        assert (cited(answer), kinds(answer)) == ([(NOTICE, ["E-mail counts as writing."])], [])

    def test_skips_files_that_were_made(self) -> None:
        made = {"type": "file_path", "file_id": "file-1", "index": 3}
        assert Answer.from_openai(output_text(NOTICE, made), SOURCES).findings == ()

    def test_reads_the_texts_of_a_file_search(self) -> None:
        reply = output_text(NOTICE, file_citation(31, "handbook.pdf"))
        results = [{"file_id": "file-1", "filename": "handbook.pdf", "score": 1, "text": HANDBOOK}]
        reply["output"][0] = {"type": "file_search_call", "id": "fs_1", "results": results}
        answer = Answer.from_openai(reply)
        assert cited(answer) == [(NOTICE, [NOTICE])]
        assert answer.sources is not None
        assert answer.sources.ids == ("file-1",)

    def test_needs_documents(self) -> None:
        with pytest.raises(InvalidSourcesError):
            Answer.from_openai(output_text(NOTICE))

    @each_row("reply", [{}, {"output": []}, {"choices": []}, [], "[]", 1])
    def test_rejects_what_has_no_text(self, reply: Any) -> None:
        with pytest.raises(CiteguardError, match=r"^from_openai: "):
            Answer.from_openai(reply, SOURCES)


class TestFromGemini:
    def test_reads_the_sdks_own_types(self) -> None:
        text = "👩‍🚀 Die Kündigungsfrist beträgt einen Monat."
        chunk = retrieved(NOTICE)
        reply = genai.GenerateContentResponse.model_validate(
            gemini([{"text": text}], [support(12, len(text.encode()), text[4:], 0)], [chunk])
        )
        answer = Answer.from_gemini(reply, SOURCES)
        assert cited(answer) == [(text, [NOTICE])]
        assert [(each.start, each.end) for each in answer.segments] == [(4, len(text))]
        assert answer.findings == ()

    def test_reads_an_absent_start_as_zero(self) -> None:
        reply = gemini([{"text": NOTICE}], [support(None, 31, NOTICE, 0)], [retrieved(NOTICE)])
        assert kinds(Answer.from_gemini(reply, SOURCES)) == []

    def test_makes_sources_of_the_chunks(self) -> None:
        chunks = [retrieved(NOTICE), retrieved("Lunch is free.", "gs://bucket/lunch.txt")]
        reply = gemini([{"text": NOTICE}], [support(0, 31, NOTICE, 0, 1)], chunks)
        answer = Answer.from_gemini(reply)
        assert cited(answer) == [(NOTICE, [NOTICE, "Lunch is free."])]
        assert [each.source_ids for each in answer.segments] == [
            ("https://example.org/handbook", "gs://bucket/lunch.txt")
        ]

    def test_checks_the_text_of_chunks(self) -> None:
        chunk = retrieved("The notice period is two months.")
        reply = gemini([{"text": NOTICE}], [support(0, 31, NOTICE, 0)], [chunk])
        answer = Answer.from_gemini(reply, SOURCES)
        assert (cited(answer), kinds(answer)) == ([(NOTICE, [])], ["text_not_in_document"])

    def test_resolves_redirects_by_the_host(self) -> None:
        uri = "https://vertexaisearch.cloud.google.com/grounding-api-redirect/AUZIYQ"
        web = [{"web": {"uri": uri, "title": "example.org"}}, {"web": {"uri": uri, "title": "x.y"}}]
        reply = gemini([{"text": NOTICE}], [support(0, 31, NOTICE, 0, 1)], web)
        answer = Answer.from_gemini(reply, SOURCES)
        assert cited(answer) == [(NOTICE, [NOTICE])]
        assert [(each.kind, each.source_id) for each in answer.findings] == [
            ("redirect_uri", "handbook"),
            ("no_quote", "handbook"),
            ("redirect_uri", None),
            ("no_quote", None),
        ]

    def test_reads_recitations(self) -> None:
        reply = gemini([{"text": NOTICE}], [], [])
        reply["candidates"][0]["citationMetadata"] = {
            "citationSources": [{"endIndex": 31, "uri": "https://example.org/handbook"}]
        }
        assert cited(Answer.from_gemini(reply, SOURCES)) == [(NOTICE, [NOTICE])]

    def test_reads_the_interactions_api(self) -> None:
        text = "Für alle: The notice period is one month. Employees resign in writing."
        page, file = (
            {"type": "url_citation", "url": "https://example.org/handbook", "title": "Handbook"},
            {"type": "file_citation", "file_name": "faq.txt", "document_uri": "files/1"},
        )
        annotations = [
            {**page, "start_index": 11, "end_index": 42},
            {**file, "start_index": 43, "end_index": 71},
        ]
        content = {"type": "text", "text": text, "annotations": annotations}
        reply = {"id": "1", "steps": [{"type": "model_output", "content": [content]}]}
        answer = Answer.from_gemini(reply, SOURCES)
        assert [
            (answer.text[each.start : each.end], each.source_ids) for each in answer.segments
        ] == [
            (NOTICE, ("handbook",)),
            ("Employees resign in writing.", ("faq",)),
        ]
        assert kinds(answer) == ["no_quote", "no_quote"]

    @each_row("index", [5, -1])
    def test_reports_chunks_that_are_not_there(self, index: int) -> None:
        reply = gemini([{"text": NOTICE}], [support(0, 31, NOTICE, index)], [retrieved(NOTICE)])
        assert kinds(Answer.from_gemini(reply, SOURCES)) == ["index_out_of_range", "no_quote"]

    def test_rejects_what_is_no_response(self) -> None:
        with pytest.raises(CiteguardError, match=r"^from_gemini: "):
            Answer.from_gemini({"candidates": []}, SOURCES)


def vertex(start: int, end: int, **info: Any) -> dict[str, Any]:
    return {
        "answer": {
            "name": "projects/1/answers/2",
            "state": "SUCCEEDED",
            "answerText": "Die Kündigungsfrist beträgt einen Monat. Käse ist blau.",
            # 64-bit integers are texts in the JSON of protocol buffers.
            "citations": [
                {"startIndex": str(start), "endIndex": str(end), "sources": [{"referenceId": "0"}]}
            ],
            "groundingSupports": [
                {"startIndex": str(start), "endIndex": str(end), "sources": [{"referenceId": "0"}]}
            ],
            "references": [info],
        }
    }


CHUNK = {
    "chunkInfo": {
        "chunk": "projects/1/chunks/c1",
        "content": NOTICE,
        "documentMetadata": {"uri": "https://example.org/handbook", "title": "Handbook"},
    }
}


class TestFromVertex:
    @each_row(
        "reference",
        [
            CHUNK,
            {
                "unstructuredDocumentInfo": {
                    "document": "projects/1/documents/d1",
                    "uri": "https://example.org/handbook",
                    "title": "Handbook",
                    "chunkContents": [{"content": NOTICE, "pageIdentifier": "1"}],
                }
            },
        ],
    )
    def test_reads_answers(self, reference: dict[str, Any]) -> None:
        answer = Answer.from_vertex(vertex(0, 42, **reference), SOURCES)
        assert cited(answer) == [
            ("Die Kündigungsfrist beträgt einen Monat.", [NOTICE]),
            ("Käse ist blau.", []),
        ]
        assert answer.findings == ()

    def test_reads_protocol_buffers(self) -> None:
        class Message(SimpleNamespace):
            """As proto-plus, whose `to_dict` is a method of the class."""

            @classmethod
            def to_dict(cls, message: Message) -> dict[str, Any]:
                return vars(message)

        answer = Answer.from_vertex(Message(**vertex(0, 42, **CHUNK)), SOURCES)
        assert spans(answer) == [("handbook", 0, 31)]

    def test_reads_check_grounding(self) -> None:
        text = "Schön: The notice period is one month. Käse ist blau."
        reply = {
            "supportScore": 0.5,
            "citedChunks": [{"chunkText": NOTICE, "source": "0", "title": "Handbook"}],
            "claims": [
                {"startPos": 8, "endPos": 39, "claimText": NOTICE, "citationIndices": [0]},
                {
                    "startPos": 40,
                    "endPos": 56,
                    "claimText": "Käse ist blau.",
                    "citationIndices": [],
                },
            ],
        }
        answer = Answer.from_vertex(reply, SOURCES, text=text)
        assert spans(answer) == [("handbook", 0, 31)]
        assert [(each.start, each.end) for each in answer.segments] == [(7, 38)]
        assert answer.findings == ()
        alone = Answer.from_vertex(reply)
        assert cited(alone) == [(NOTICE, [NOTICE]), ("Käse ist blau.", [])]

    def test_rejects_what_is_no_answer(self) -> None:
        with pytest.raises(CiteguardError, match=r"^from_vertex: "):
            Answer.from_vertex({"answer": {}}, SOURCES)


class TestFromCohere:
    def citation(self, start: int, end: int, text: str, *ids: str) -> dict[str, Any]:
        sources = [
            {"type": "document", "id": each, "document": {"id": each, "text": HANDBOOK}}
            for each in ids
        ]
        return {
            "start": start,
            "end": end,
            "text": text,
            "sources": sources,
            "type": "TEXT_CONTENT",
        }

    def test_reads_the_sdks_own_types(self) -> None:
        reply = cohere.V2ChatResponse.model_validate(
            replies.cohere(
                f"👩‍🚀 {NOTICE} Cheese is blue.", self.citation(25, 34, "one month", "handbook")
            )
        )
        answer = Answer.from_cohere(reply, SOURCES)
        assert cited(answer) == [(f"👩‍🚀 {NOTICE}", [NOTICE]), ("Cheese is blue.", [])]
        assert [(each.start, each.end) for each in answer.segments] == [(25, 34)]
        assert kinds(answer) == ["no_quote"]

    def test_reads_the_documents_of_the_request(self) -> None:
        documents = [{"data": {"title": "Handbook", "text": HANDBOOK}}, {"id": "x", "data": FAQ}]
        reply = replies.cohere(
            "One month. In writing.",
            self.citation(0, 9, "One month", "doc:0"),
            self.citation(11, 21, "In writing", "x"),
        )
        answer = Answer.from_cohere(reply, documents)
        assert [each.source_ids for each in answer.segments] == [("1",), ("x",)]

    def test_reads_the_documents_of_the_reply(self) -> None:
        answer = Answer.from_cohere(
            replies.cohere(NOTICE, self.citation(21, 30, "one month", "doc_7"))
        )
        assert cited(answer) == [(NOTICE, [NOTICE])]

    def test_skips_citations_of_thoughts(self) -> None:
        thought = {**self.citation(0, 3, "The", "handbook"), "type": "THINKING_CONTENT"}
        assert Answer.from_cohere(replies.cohere(NOTICE, thought), SOURCES).segments == ()

    def test_reads_streams(self) -> None:
        events = [
            {"type": "message-start", "id": "1"},
            *(
                {
                    "type": "content-delta",
                    "index": 0,
                    "delta": {"message": {"content": {"text": text}}},
                }
                for text in ("The notice period ", "is one month.")
            ),
            {
                "type": "citation-start",
                "index": 0,
                "delta": {"message": {"citations": self.citation(21, 30, "one month", "handbook")}},
            },
            {"type": "citation-end", "index": 0},
        ]
        assert cited(Answer.from_cohere(events, SOURCES)) == [(NOTICE, [NOTICE])]

    def test_reads_tags(self) -> None:
        text = "It is <co>one month</co: 0:[0]>. <co: 1>Write to HR</co: 1>, <co>soon</co: 5>."
        answer = Answer.from_cohere(replies.cohere(text), SOURCES)
        assert answer.text == "It is one month. Write to HR, soon."
        assert [
            (answer.text[each.start : each.end], each.source_ids) for each in answer.segments
        ] == [
            ("one month", ("handbook",)),
            ("Write to HR", ("faq",)),
            ("soon", ()),
        ]
        assert "index_out_of_range" in kinds(answer)

    def test_reads_the_api_v1(self) -> None:
        reply = {
            "text": NOTICE,
            "citations": [
                {"start": 21, "end": 30, "text": "one month", "document_ids": ["handbook"]}
            ],
            "documents": [{"id": "handbook", "title": "Handbook", "snippet": HANDBOOK}],
        }
        assert cited(Answer.from_cohere(reply)) == [(NOTICE, [NOTICE])]


class TestFromMistral:
    def test_reads_the_sdks_own_types(self) -> None:
        reply = mistral.AssistantMessage(
            content=[
                mistral.TextChunk(text="The notice period is one month"),
                mistral.ReferenceChunk(reference_ids=[0]),
                mistral.TextChunk(text=". Employees resign in writing"),
                mistral.ReferenceChunk(reference_ids=["faq", 7, "x"]),
                mistral.TextChunk(text="."),
            ]
        )
        answer = Answer.from_mistral(reply, SOURCES)
        assert cited(answer) == [
            (NOTICE, [NOTICE]),
            ("Employees resign in writing.", ["Employees resign in writing."]),
        ]
        assert kinds(answer) == [
            *("no_quote", "no_quote"),
            *("index_out_of_range", "no_quote", "missing_source", "no_quote"),
        ]

    def test_reads_conversations(self) -> None:
        reference = mistral.ToolReferenceChunk(
            tool="web_search", title="Handbook", url="https://example.org/handbook"
        )
        reply = {
            "outputs": [
                {
                    "type": "message.output",
                    "content": [mistral.TextChunk(text=NOTICE), reference],
                }
            ]
        }
        assert cited(Answer.from_mistral(reply, SOURCES)) == [(NOTICE, [NOTICE])]


class TestFromPerplexity:
    URLS = ("https://example.net", "https://example.org/handbook")

    def test_reads_the_sdks_own_types(self) -> None:
        text = "The notice period is one month[2]. Cheese is blue."
        reply = StreamChunk.model_validate(replies.perplexity(text, *self.URLS))
        answer = Answer.from_perplexity(reply, SOURCES)
        assert answer.text == f"{NOTICE} Cheese is blue."
        assert cited(answer)[0] == (NOTICE, [NOTICE])
        assert [(each.kind, each.path) for each in answer.findings] == [
            ("no_quote", "citations[1]")
        ]

    def test_counts_the_results_of_a_search_without_citations(self) -> None:
        reply = replies.perplexity(f"{NOTICE}[1]")
        reply["search_results"] = [{"title": "Handbook", "url": self.URLS[1], "snippet": "It is …"}]
        assert cited(Answer.from_perplexity(reply, SOURCES)) == [(NOTICE, [NOTICE])]

    def test_leaves_figures_alone(self) -> None:
        text = "The 95% CI [12] is wide."
        assert Answer.from_perplexity(replies.perplexity(text), SOURCES).text == text


def generated(start: int, end: int, chunk: str = NOTICE) -> dict[str, Any]:
    """Return a reply of RetrieveAndGenerate."""
    text = "👩‍🚀 It is one month. Cheese is blue."
    reference = {
        "content": {"text": chunk, "type": "TEXT"},
        "location": {"type": "S3", "s3Location": {"uri": "s3://bucket/handbook.txt"}},
        "metadata": {"x-amz-bedrock-kb-source-uri": "s3://bucket/handbook.txt"},
    }
    part = {"text": text[4:20], "span": {"start": start, "end": end}}
    return {
        "output": {"text": text},
        "citations": [
            {
                "generatedResponsePart": {"textResponsePart": part},
                "retrievedReferences": [reference],
            }
        ],
        "sessionId": "1",
    }


class TestRetrieveAndGenerate:
    @each_row(
        "documents", [None, {"handbook.txt": HANDBOOK}, {"s3://bucket/handbook.txt": HANDBOOK}]
    )
    def test_cites_the_chunks(self, documents: Any) -> None:
        answer = Answer.from_bedrock(generated(4, 20), documents)
        assert cited(answer) == [("👩‍🚀 It is one month.", [NOTICE]), ("Cheese is blue.", [])]
        assert answer.findings == ()

    def test_proves_the_span_by_its_text(self) -> None:
        answer = Answer.from_bedrock(generated(4, 19))
        assert [(each.start, each.end) for each in answer.segments] == [(4, 20)]
        assert kinds(answer) == ["end_inclusive"]

    def test_rejects_what_is_no_reply(self) -> None:
        with pytest.raises(CiteguardError, match=r"^from_bedrock: "):
            Answer.from_bedrock({"output": {}}, SOURCES)


class TestMarks:
    def test_of_programs_are_not_shown(self) -> None:
        answer = Answer.from_gemini(
            gemini([{"text": f"It rained{MARK}. A <co>lot</co: 0>."}], [], []), SOURCES
        )
        assert answer.text == "It rained. A lot."
        assert verified(answer)
