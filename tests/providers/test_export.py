from typing import Any

import pytest
from openai.types.responses import ResponseOutputText

from citeguard import Answer, CiteguardError, InvalidSourcesError, Sources, UnknownSourceError
from providers.replies import SOURCES, char_location, message, spans
from rows import each_row

QUOTES = [("handbook", "one month"), ("faq", "👩‍🚀 Astronauts may call")]


def answer(*quotes: tuple[str, str], text: str = "Über 👩‍🚀:") -> Answer:
    """Return an answer with a statement for each quote."""
    data = {
        "statements": [
            {"text": f"{text} {quote}.", "citations": [{"quote": quote, "source_id": source_id}]}
            for source_id, quote in quotes
        ]
    }
    return Answer.model_validate(data, context=SOURCES.as_context())


class TestToAnthropic:
    def test_is_read_by_the_sdk_and_again(self) -> None:
        from anthropic.types import TextBlock

        given = answer(*QUOTES)
        written = given.to_anthropic(SOURCES)
        blocks = [TextBlock.model_validate(block) for block in written["content"]]
        assert "".join(block.text for block in blocks) == (
            "Über 👩‍🚀: one month. Über 👩‍🚀: 👩‍🚀 Astronauts may call."
        )
        again = Answer.from_anthropic(blocks and written, SOURCES)
        assert spans(again) == [("handbook", 21, 30), ("faq", 55, 78)]
        assert again.findings == ()

    def test_writes_each_part_of_an_elided_quote(self) -> None:
        quote = "Employees resign in writing. … Astronauts may call."
        written = answer(("faq", quote)).to_anthropic(SOURCES)
        (block,) = written["content"]
        texts = [each["cited_text"] for each in block["citations"]]
        assert texts == ["Employees resign in writing.", "Astronauts may call."]


class TestToOpenai:
    def test_is_read_by_the_sdk_and_again(self) -> None:
        written = answer(*QUOTES).to_openai(SOURCES)
        text = ResponseOutputText.model_validate(written)
        again = Answer.from_openai(text, SOURCES)
        assert [(each.start, each.end, each.source_ids) for each in again.segments] == [
            (0, 20, ("handbook",)),
            (21, 55, ("faq",)),
        ]

    def test_names_a_file_without_a_url(self) -> None:
        sources = Sources({"notes": "Lunch is free."})
        data = {"statements": [{"text": "Free.", "citations": [{"quote": "Lunch is free."}]}]}
        given = Answer.model_validate(data, context=sources.as_context())
        assert given.to_openai(sources)["annotations"] == [
            {"type": "file_citation", "file_id": "notes", "filename": "notes", "index": 5}
        ]


class TestToGemini:
    def test_is_read_by_the_sdk_and_again(self) -> None:
        from google.genai import types as genai

        given = answer(*QUOTES)
        candidate = genai.Candidate.model_validate(given.to_gemini(SOURCES))
        again = Answer.from_gemini(candidate, SOURCES)
        assert spans(again) == spans(given)
        assert again.findings == ()


class TestToLangchain:
    def test_is_a_text_block(self) -> None:
        assert answer(QUOTES[0]).to_langchain(SOURCES) == {
            "type": "text",
            "text": "Über 👩‍🚀: one month.",
            "annotations": [
                {
                    "type": "citation",
                    "url": "https://example.org/handbook",
                    "title": "Handbook",
                    "start_index": 0,
                    "end_index": 20,
                    "cited_text": "one month",
                    "extras": {"source_id": "handbook", "spans": [[21, 30]]},
                }
            ],
        }


class TestToWebAnnotations:
    def test_select_by_position_and_by_quote(self) -> None:
        (annotation,) = answer(QUOTES[0]).to_web_annotations(SOURCES)
        assert annotation == {
            "@context": "http://www.w3.org/ns/anno.jsonld",
            "type": "Annotation",
            "motivation": "linking",
            "body": {
                "type": "TextualBody",
                "value": "Über 👩‍🚀: one month.",
                "format": "text/plain",
            },
            "target": [
                {
                    "source": "https://example.org/handbook",
                    "selector": [
                        {"type": "TextPositionSelector", "start": 21, "end": 30},
                        {
                            "type": "TextQuoteSelector",
                            "exact": "one month",
                            "prefix": "The notice period is ",
                            "suffix": ". It doesn’t apply during probat",
                        },
                    ],
                }
            ],
        }


FORMATS = ("to_anthropic", "to_gemini", "to_langchain", "to_openai", "to_web_annotations")


class TestSources:
    @each_row("name", FORMATS)
    def test_of_an_import_are_known(self, name: str) -> None:
        given = Answer.from_anthropic(message(char_location("one month", 21, 30)), SOURCES)
        assert getattr(given, name)() == getattr(given, name)(SOURCES)

    @each_row("name", FORMATS)
    def test_are_required(self, name: str) -> None:
        with pytest.raises(CiteguardError, match="does not know its sources"):
            getattr(answer(*QUOTES), name)()

    @each_row("name", FORMATS)
    @each_row(
        ("sources", "error"),
        [
            ({"handbook": "Something else entirely."}, InvalidSourcesError),
            ({"other": "Something else."}, UnknownSourceError),
        ],
    )
    def test_must_be_those_of_the_answer(
        self, name: str, sources: Any, error: type[Exception]
    ) -> None:
        with pytest.raises(error):
            getattr(answer(QUOTES[0]), name)(sources)
