import json
from typing import Any

import pytest
from openai.types.chat import ChatCompletion
from openai.types.responses import Response

from citeguard import Answer, CiteguardError
from providers import replies
from providers.replies import (
    HANDBOOK,
    SOURCES,
    cited,
    file_citation,
    gemini,
    generated,
    kinds,
    output_text,
    retrieved,
    support,
    url_citation,
    vertex,
    vertex_chunk,
)
from rows import each_row

NOTICE = "The notice period is one month."
LINK = "([example.org](https://example.org/handbook?utm_source=openai))"


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

    def test_quotes_only_what_supports_the_statement(self) -> None:
        text = "The notice period is one year."
        answer = Answer.from_openai(output_text(text, url_citation(0, len(text))), SOURCES)
        assert cited(answer) == [(text, [])]
        (finding,) = answer.findings
        assert (finding.kind, finding.source_id, finding.is_lost) == ("no_quote", "handbook", True)

    @each_row("reply", [{}, {"output": []}, {"choices": []}, [], "[]", 1])
    def test_rejects_what_has_no_text(self, reply: Any) -> None:
        with pytest.raises(CiteguardError, match=r"^from_openai: "):
            Answer.from_openai(reply, SOURCES)

    def test_places_files_by_their_index(self) -> None:
        text = "Employees resign in writing. Cheese is blue."
        answer = Answer.from_openai(output_text(text, file_citation(28)), SOURCES)
        assert cited(answer)[0] == (
            "Employees resign in writing.",
            ["Employees resign in writing."],
        )

    def test_skips_files_that_were_made(self) -> None:
        made = {"type": "file_path", "file_id": "file-1", "index": 3}
        assert Answer.from_openai(output_text(NOTICE, made), SOURCES).findings == ()


def test_a_reply_with_half_a_character_is_an_error() -> None:
    reply = json.dumps(output_text("Notice is one month. \ud800"))
    with pytest.raises(CiteguardError, match="lone surrogate"):
        Answer.from_openai(reply, SOURCES)


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
        import cohere

        reply = cohere.V2ChatResponse.model_validate(
            replies.cohere(
                f"👩‍🚀 {NOTICE} Cheese is blue.", self.citation(25, 34, "one month", "handbook")
            )
        )
        answer = Answer.from_cohere(reply, SOURCES)
        assert cited(answer) == [(f"👩‍🚀 {NOTICE}", [NOTICE]), ("Cheese is blue.", [])]
        assert [(each.start, each.end) for each in answer.segments] == [(25, 34)]
        assert kinds(answer) == ["no_quote"]

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
        ] == [("one month", ("handbook",)), ("Write to HR", ("faq",)), ("soon", ())]
        assert "index_out_of_range" in kinds(answer)

    def test_reads_the_documents_of_the_reply(self) -> None:
        answer = Answer.from_cohere(
            replies.cohere(NOTICE, self.citation(21, 30, "one month", "doc_7"))
        )
        assert cited(answer) == [(NOTICE, [NOTICE])]


class TestFromMistral:
    def test_reads_the_sdks_own_types(self) -> None:
        from mistralai.client import models as mistral

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
        from mistralai.client import models as mistral

        reference = mistral.ToolReferenceChunk(
            tool="web_search", title="Handbook", url="https://example.org/handbook"
        )
        reply = {
            "outputs": [
                {"type": "message.output", "content": [mistral.TextChunk(text=NOTICE), reference]}
            ]
        }
        assert cited(Answer.from_mistral(reply, SOURCES)) == [(NOTICE, [NOTICE])]


class TestFromPerplexity:
    URLS = ("https://example.net", "https://example.org/handbook")

    def test_reads_the_sdks_own_types(self) -> None:
        from perplexity.types import StreamChunk

        text = "The notice period is one month[2]. Cheese is blue."
        reply = StreamChunk.model_validate(replies.perplexity(text, *self.URLS))
        answer = Answer.from_perplexity(reply, SOURCES)
        assert answer.text == f"{NOTICE} Cheese is blue."
        assert cited(answer)[0] == (NOTICE, [NOTICE])
        assert [(each.kind, each.path) for each in answer.findings] == [
            ("no_quote", "citations[1]")
        ]

    @each_row(
        ("mark", "expected"),
        [
            ("[1, 2]", ["handbook", "faq"]),
            ("[1-2]", ["handbook", "faq"]),
            ("[1][2]", ["handbook", "faq"]),
            ("[2–2]", ["faq"]),
        ],
    )
    def test_reads_marks_of_several_pages(self, mark: str, expected: list[str]) -> None:
        urls = "https://example.org/handbook", "https://example.com/faq"
        answer = Answer.from_perplexity(
            replies.perplexity(f"{NOTICE[:-1]} {mark}.", *urls), SOURCES
        )
        assert answer.text == NOTICE
        assert [each.source_ids for each in answer.segments] == [tuple(expected)]

    def test_leaves_code_alone(self) -> None:
        text = "Use `pages[1]`.\n\n```\nfirst[1]\n```\n"
        answer = Answer.from_perplexity(
            replies.perplexity(text, "https://example.org/handbook"), SOURCES
        )
        assert (answer.text, answer.segments) == (text, ())

    def test_cuts_off_the_half_after_a_mark(self) -> None:
        text = (
            f"{NOTICE[:-1]}[1], and parking costs five dollars. Lunch is free[2], dinner is not[1]."
        )
        answer = Answer.from_perplexity(replies.perplexity(text, *self.URLS), SOURCES)
        assert [statement.text for statement in answer.statements] == [
            NOTICE[:-1],
            "and parking costs five dollars.",
            "Lunch is free, dinner is not.",
        ]

    def test_counts_the_results_of_a_search_without_citations(self) -> None:
        reply = replies.perplexity(f"{NOTICE}[1]")
        reply["search_results"] = [{"title": "Handbook", "url": self.URLS[1], "snippet": "It is …"}]
        assert cited(Answer.from_perplexity(reply, SOURCES)) == [(NOTICE, [NOTICE])]


class TestOtherProviders:
    """A reply that was given to the wrong function loses no citation silently."""

    @each_row(
        ("function", "reply"),
        [
            (Answer.from_openai, replies.message(replies.char_location("one month", 21, 30))),
            (
                Answer.from_mistral,
                {
                    "choices": [
                        {"message": {"content": NOTICE, "annotations": [url_citation(0, 31)]}}
                    ]
                },
            ),
            (
                Answer.from_openai,
                {
                    "choices": [
                        {"message": {"content": "Hello."}},
                        {"message": {"content": NOTICE, "annotations": [url_citation(0, 31)]}},
                    ]
                },
            ),
        ],
    )
    def test_are_reported(self, function: Any, reply: Any) -> None:
        answer = function(reply, SOURCES)
        (finding,) = answer.findings
        assert (finding.kind, finding.is_lost) == ("not_read", True)


class TestMessages:
    @each_row(
        ("annotation", "expected"),
        [
            (
                {"type": "news", "start_index": 0, "end_index": 31},
                ["The citation names no document.", "The provider quotes no words."],
            ),
            (
                {"type": "url_citation", "url": "https://example.org/handbook"},
                [
                    "The reply does not say which part is cited.",
                    "The provider quotes no words; a search has found a passage that says this.",
                ],
            ),
        ],
    )
    def test_say_what_is_missing(self, annotation: dict[str, Any], expected: list[str]) -> None:
        answer = Answer.from_openai(output_text(NOTICE, annotation), SOURCES)
        assert [each.message for each in answer.findings] == expected


class TestFromGemini:
    def test_reads_the_sdks_own_types(self) -> None:
        text = "👩‍🚀 Die Kündigungsfrist beträgt einen Monat."
        chunk = retrieved(NOTICE)
        from google.genai import types as genai

        reply = genai.GenerateContentResponse.model_validate(
            gemini([{"text": text}], [support(12, len(text.encode()), text[4:], 0)], [chunk])
        )
        answer = Answer.from_gemini(reply, SOURCES)
        assert cited(answer) == [(text, [NOTICE])]
        assert [(each.start, each.end) for each in answer.segments] == [(4, len(text))]
        assert answer.findings == ()

    def test_checks_the_text_of_chunks(self) -> None:
        chunk = retrieved("The notice period is two months.")
        reply = gemini([{"text": NOTICE}], [support(0, 31, NOTICE, 0)], [chunk])
        answer = Answer.from_gemini(reply, SOURCES)
        assert (cited(answer), kinds(answer)) == ([(NOTICE, [])], ["text_not_in_document"])

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
        ] == [(NOTICE, ("handbook",)), ("Employees resign in writing.", ("faq",))]
        assert kinds(answer) == ["no_quote", "no_quote"]


class TestFromVertex:
    @each_row(
        "reference",
        [
            vertex_chunk(NOTICE),
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
        text = "Die Kündigungsfrist beträgt einen Monat. Käse ist blau."
        answer = Answer.from_vertex(vertex(text, 0, 42, reference), SOURCES)
        assert cited(answer) == [
            ("Die Kündigungsfrist beträgt einen Monat.", [NOTICE]),
            ("Käse ist blau.", []),
        ]
        assert answer.findings == ()


class TestRetrieveAndGenerate:
    @each_row(
        "documents", [None, {"handbook.txt": HANDBOOK}, {"s3://bucket/handbook.txt": HANDBOOK}]
    )
    def test_cites_the_chunks(self, documents: Any) -> None:
        text, uri = "👩‍🚀 It is one month. Cheese is blue.", "s3://bucket/handbook.txt"
        reply = generated(text, text[4:20], 4, 20, NOTICE, uri)
        answer = Answer.from_bedrock(reply, documents)
        assert cited(answer) == [("👩‍🚀 It is one month.", [NOTICE]), ("Cheese is blue.", [])]
        assert answer.findings == ()
