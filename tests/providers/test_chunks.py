from typing import Any

from citeguard import Answer
from providers.replies import (
    HANDBOOK,
    SOURCES,
    cited,
    gemini,
    generated,
    kinds,
    retrieved,
    support,
    vertex,
    vertex_chunk,
)
from rows import each_row

NOTICE = "The notice period is one month."


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
