"""Replies that providers really sent, as far as others have published them.

Of each the answer, its offsets and the texts that they are about are kept, and nothing else. The
replies of Google and OpenAI are recorded in the tests of pydantic-ai (`tests/models/cassettes` of
github.com/pydantic/pydantic-ai, MIT License); the name of each test says in which. How Anthropic
quotes PDF files is shown in its cookbook (`misc/using_citations.ipynb` of
github.com/anthropics/claude-cookbooks, MIT License).
"""

from typing import Any

from citeguard import Answer, Source, Sources
from providers.replies import cited, kinds, message, output_text, page_location, spans

PARIS = "Paris is the capital of France. The Eiffel Tower is a famous landmark in Paris."
CHUNK = {"retrievedContext": {"text": PARIS, "fileSearchStore": "fileSearchStores/test"}}


def _support(start: int | None, end: int, text: str, index: int) -> dict[str, Any]:
    segment = {"startIndex": start, "endIndex": end, "text": text}
    segment = {name: value for name, value in segment.items() if value is not None}
    return {"segment": segment, "groundingChunkIndices": [index]}


class TestGoogle:
    def test_google_model_file_search_tool_stream(self) -> None:
        """The second list of chunks continues the first; thoughts and code precede the text."""
        code = {"executableCode": {"language": "PYTHON", "code": "print(file_search.query())"}}
        capital = "The capital of France is Paris."
        tower = "A famous landmark in Paris is the Eiffel Tower."
        supports = [_support(None, 31, capital, 1), _support(32, 79, tower, 1)]
        candidates: list[dict[str, Any]] = [
            {"content": {"parts": [{**code, "thought": True}]}},
            {"content": {"parts": [code]}, "groundingMetadata": {"groundingChunks": [CHUNK]}},
            {"content": {"parts": [{"text": "The capital of France"}]}},
            {
                "content": {
                    "parts": [{"text": " is Paris. A famous landmark in Paris is the Eiffel"}]
                }
            },
            {
                "content": {"parts": [{"text": " Tower."}]},
                "groundingMetadata": {"groundingChunks": [CHUNK], "groundingSupports": supports},
            },
        ]
        answer = Answer.from_gemini([{"candidates": [each]} for each in candidates])
        assert cited(answer) == [(capital, [PARIS]), (tower, [PARIS])]
        assert answer.findings == ()

    def test_google_gemini_web_search_citations(self) -> None:
        """A segment ends before the full stop; the address is a redirect, the title is a host."""
        text = (
            "The official documentation for Pydantic AI can be found on the Pydantic website. It "
            "provides comprehensive information on Pydantic AI, which is described as the Python "
            "AI SDK, offering a typed, extensible agent loop."
        )
        host = "https://vertexaisearch.cloud.google.com/grounding-api-redirect/"
        candidate = {
            "content": {"parts": [{"text": text}]},
            "groundingMetadata": {
                "groundingChunks": [
                    {"web": {"title": "pydantic.dev", "uri": f"{host}AUZIYQE0Nf5v"}}
                ],
                "groundingSupports": [
                    _support(None, 79, text[:79], 0),
                    _support(81, 215, text[81:215], 0),
                ],
            },
        }
        page = "Pydantic AI is the Python AI SDK, offering a typed, extensible agent loop."
        sources = Sources([{"id": "docs", "text": page, "url": "https://pydantic.dev/docs"}])
        answer = Answer.from_gemini({"candidates": [candidate]}, sources)
        assert [(each.start, each.end) for each in answer.segments] == [(0, 79), (81, 215)]
        assert kinds(answer) == ["redirect_uri", "no_quote"] * 2
        assert {each.source_id for each in answer.findings} == {"docs"}


class TestOpenai:
    def test_openai_include_raw_annotations_non_streaming(self) -> None:
        """The end is exclusive, and what is cited is the link in the text."""
        url = "https://www.britannica.com/place/Mount-Columbia?utm_source=openai"
        claim = "The tallest mountain in Alberta is **Mount Columbia** (3,747 m / 12,294 ft)."
        annotation = {"type": "url_citation", "start_index": 77, "end_index": 162, "url": url}
        sources = Sources(
            [
                {
                    "id": "britannica",
                    "text": "Mount Columbia (3,747 m) is the tallest mountain in Alberta.",
                    "url": "https://www.britannica.com/place/Mount-Columbia",
                }
            ]
        )
        reply = output_text(f"{claim} ([britannica.com]({url}))", annotation)
        answer = Answer.from_openai(reply, sources)
        assert answer.text == claim
        assert kinds(answer) == ["no_quote"]
        assert answer.segments[0].source_ids == ("britannica",)

    def test_openai_responses_model_file_search_tool_with_results(self) -> None:
        """The index of a file is a place in the text: here, before the full stop."""
        file = {"file_id": "file-2b6dRdmXnzSrqiEbhVJZRU", "filename": "tmpd_9a5dki.txt"}
        text = "Paris is the capital of France. It is known for the Eiffel Tower."
        reply = output_text(
            "The capital of France is Paris.", {"type": "file_citation", "index": 30, **file}
        )
        found = {"type": "file_search_call", "results": [{**file, "score": 0.9716, "text": text}]}
        reply["output"].insert(0, found)
        answer = Answer.from_openai(reply)
        assert cited(answer) == [
            ("The capital of France is Paris.", ["Paris is the capital of France."])
        ]
        assert kinds(answer) == ["no_quote"]


class TestAnthropic:
    def test_quotes_pdf_files_with_signs_for_hyphens(self, paper: Source) -> None:
        """The lines end in `\\r\\n`, and a hyphen at the end of one is U+0002."""
        quote = (
            "Recent advances in sequencing technologies promise ultra\x02long reads of "
            "∼100 kilo bases (kb) in aver\x02age, full-length mRNA or cDNA reads in high "
            "through\x02put\r\nand genomic contigs over 100 mega bases (Mb) in length. "
        )
        answer = Answer.from_anthropic(message(page_location(quote, 1, 2)), [paper])
        assert len(spans(answer)) == 1
        assert kinds(answer) == []
