"""The documented bugs of providers, and of libraries between, each with the finding that shows it.

The name of a row is the report: a repository and the number of its issue, or what is wrong.
Segments of Gemini's that do not fit their part were reported, in one form or another, in
python-genai#1512, gemini-cli#29039 and #6008, firebase#8033 and #8056, bifrost#4345, and
laravel/ai#1013.
"""

from collections.abc import Callable, Sequence
from typing import Any

from citeguard import Answer
from citeguard.providers import ImportedAnswer
from providers import replies
from providers.replies import (
    HANDBOOK,
    SOURCES,
    char_location,
    file_citation,
    gemini,
    kinds,
    message,
    output_text,
    perplexity,
    retrieved,
    support,
    url_citation,
    verified,
)
from rows import each_row

NOTICE = "The notice period is one month."
GERMAN = "Für alle gilt: „Die Kündigungsfrist beträgt einen Monat.“"
JAPANESE = "予告期間は一か月です。試用期間中は適用されません。"
LINK = "([example.org](https://example.org/handbook))"
REDIRECT = "https://vertexaisearch.cloud.google.com/grounding-api-redirect/AUZIYQF"


def _part(text: str, words: str, unit: str) -> tuple[int, int]:
    """Return where words are in a text, in UTF-8 bytes, UTF-16 code units or code points."""
    before = text[: text.index(words)]
    if unit == "code_points":
        return len(before), len(before) + len(words)
    codec, width = {"utf8": ("utf-8", 1), "utf16": ("utf-16-le", 2)}[unit]
    start = len(before.encode(codec)) // width
    return start, start + len(words.encode(codec)) // width


def _gemini(*parts: Any, of: Any, chunks: Sequence[Any] = (retrieved(NOTICE),)) -> ImportedAnswer:
    """Read an answer of Gemini's with one support; a part is its text, or more than that."""
    given = [{"text": part} if isinstance(part, str) else part for part in parts]
    return Answer.from_gemini(gemini(given, [of], [*chunks]), SOURCES)


def _gemini_in(unit: str, text: str, words: str) -> ImportedAnswer:
    return _gemini(text, of=support(*_part(text, words, unit), words, 0))


def _of_part(declared: int | None, *parts: str) -> ImportedAnswer:
    return _gemini(*parts, of=support(0, len(parts[1].encode()), parts[1], 0, part=declared))


def _of_all_parts() -> ImportedAnswer:
    parts = ("Sehr gern! ", "Die Kündigungsfrist beträgt einen Monat.")
    one = support(*_part("".join(parts), parts[1], "utf8"), parts[1], 0, part=1)
    return _gemini(*parts, of=one)


def _of_web(uri: str, title: str = "example.org") -> ImportedAnswer:
    web = {"web": {"uri": uri, "title": title}}
    return _gemini(NOTICE, of=support(0, 31, NOTICE, 0), chunks=[web])


def _openai(text: str, *annotations: dict[str, Any]) -> ImportedAnswer:
    return Answer.from_openai(output_text(text, *annotations), SOURCES)


def _anthropic(location: dict[str, Any], documents: Any = SOURCES) -> ImportedAnswer:
    return Answer.from_anthropic(message(location), documents)


def _langextract(
    words: str, start: int | None, end: int | None, text: str = HANDBOOK
) -> ImportedAnswer:
    return Answer.from_langextract(replies.extracted(words, start, end, text))


def _perplexity(mark: str) -> ImportedAnswer:
    reply = perplexity(f"{NOTICE}{mark}", "https://example.org/handbook")
    return Answer.from_perplexity(reply, SOURCES)


def _vertex(start: int, end: int) -> ImportedAnswer:
    reply = replies.vertex(GERMAN, start, end, replies.vertex_chunk(NOTICE))
    return Answer.from_vertex(reply, SOURCES)


def _cohere(start: int, end: int, text: str, *ids: str, answer: str = NOTICE) -> ImportedAnswer:
    sources = [{"type": "document", "id": each} for each in ids]
    citation = {"start": start, "end": end, "text": text, "sources": sources}
    return Answer.from_cohere(replies.cohere(answer, citation), SOURCES)


BUGS: dict[str, tuple[Callable[[], ImportedAnswer], list[str]]] = {
    # OpenAI
    "openai/openai-openapi#263: the documented end is that of the last character": (
        lambda: _openai(f"{NOTICE} {LINK}", url_citation(32, 31 + len(LINK))),
        ["end_inclusive", "no_quote"],
    ),
    "mattermost/mattermost-plugin-ai#553: UTF-16 code units": (
        lambda: _openai(f"👩‍🚀 {NOTICE} {LINK}", url_citation(38, 38 + len(LINK))),
        ["wrong_unit", "no_quote"],
    ),
    "OpenAI: file_citation.index is a place in a list of files": (
        lambda: _openai(NOTICE, file_citation(1)),
        ["location_missing", "no_quote"],
    ),
    "OpenAI: annotations vanish with structured outputs, and the marks stay": (
        lambda: _openai(f"{NOTICE} \ue200cite\ue202turn0search0\ue202turn1file2\ue201"),
        ["missing_source"],
    ),
    "unslothai/unsloth#5713: marks without their private-use characters": (
        lambda: _openai(f"{NOTICE}citeturn0search0turn0search4"),
        ["missing_source"],
    ),
    "OpenAI: offsets are beyond the answer": (
        lambda: _openai(NOTICE, url_citation(900, 950)),
        ["offset_wrong", "no_quote"],
    ),
    "xAI: start and end are 0": (
        lambda: _openai(NOTICE, url_citation(0, 0)),
        ["location_missing", "no_quote"],
    ),
    # Gemini
    "googleapis/python-genai#961: the index of the part is missing": (
        lambda: _of_part(None, "Sure. ", NOTICE),
        ["wrong_part"],
    ),
    "Gemini: the index of the part is that of another": (
        lambda: _of_part(0, "Sure. ", NOTICE),
        ["wrong_part"],
    ),
    "Gemini: the index of a part that is not there": (
        lambda: _of_part(7, "Sure. ", NOTICE),
        ["wrong_part"],
    ),
    "Gemini: the offsets are those of all parts together": (_of_all_parts, ["wrong_part"]),
    "Gemini: a thought is a part": (
        lambda: _gemini(
            {"text": "The user wants to know.", "thought": True},
            NOTICE,
            of=support(0, 31, NOTICE, 0),
        ),
        ["wrong_part"],
    ),
    "Gemini: bytes read as characters": (
        lambda: _gemini_in("code_points", GERMAN, "Die Kündigungsfrist beträgt einen Monat."),
        ["wrong_unit"],
    ),
    "Gemini: bytes read as UTF-16 code units": (
        lambda: _gemini_in("utf16", "👩‍🚀 " + JAPANESE, "予告期間は一か月です。"),
        ["wrong_unit"],
    ),
    "Gemini: segments of another text": (
        lambda: _gemini(NOTICE, of=support(0, 40, "Sure! Notice.", 0)),
        ["offset_wrong"],
    ),
    "Gemini: segments of another place, of two": (
        lambda: _gemini(f"Yes. {NOTICE} Yes.", of=support(90, 94, "Yes.", 0)),
        ["offset_wrong", "ambiguous"],
    ),
    "googleapis/python-genai#1322: the URL is a redirect": (
        lambda: _of_web(REDIRECT),
        ["redirect_uri", "no_quote"],
    ),
    "googleapis/python-genai#1322: a redirect to a page that was not given": (
        lambda: _of_web(REDIRECT, "example.edu"),
        ["redirect_uri", "no_quote"],
    ),
    "Gemini: a support without chunks": (
        lambda: _gemini(NOTICE, of=support(0, 31, NOTICE), chunks=[]),
        ["missing_source", "no_quote"],
    ),
    "Gemini's documentation: the text of a segment is cut": (
        lambda: _gemini(f"{NOTICE} Cheese is blue.", of=support(0, 31, "The notice pe...", 0)),
        [],
    ),
    # Vertex AI
    "Vertex AI Search, an older page: characters": (
        lambda: _vertex(*_part(GERMAN, "Die Kündigungsfrist beträgt einen Monat.", "code_points")),
        ["wrong_unit"],
    ),
    # Cohere
    "Cohere's documentation of the API v1: 7 to 11 is “world”": (
        lambda: _cohere(7, 11, "world", "handbook", answer="Hello, world!"),
        ["end_inclusive", "no_quote"],
    ),
    "cohere-python: start and end are documented to be of the source": (
        lambda: _cohere(4, 17, "notice period", "handbook"),
        ["no_quote"],
    ),
    "BerriAI/litellm#6814: citations without their documents": (
        lambda: _cohere(4, 17, "notice period"),
        ["missing_source", "no_quote"],
    ),
    "smg#308: tags in the text": (
        lambda: Answer.from_cohere(replies.cohere("It is <co>one month</co: 0:[1,2]>."), SOURCES),
        ["no_quote", "index_out_of_range", "no_quote"],
    ),
    # Mistral
    "Mistral's references have no words": (
        lambda: Answer.from_mistral(replies.referring(NOTICE, 1), SOURCES),
        ["no_quote"],
    ),
    # Perplexity
    "nicobailon/pi-web-access#340, #341: the list of citations was cut": (
        lambda: _perplexity("[3]"),
        ["index_out_of_range", "no_quote"],
    ),
    "Perplexity: marks that count from 0": (
        lambda: _perplexity("[0]"),
        ["zero_or_negative_marker", "no_quote"],
    ),
    # Amazon Bedrock
    "aws/aws-sdk-js-v3#7497: the location is always {web: {}}": (
        lambda: Answer.from_bedrock(replies.converse({"web": {}}), SOURCES),
        ["location_missing"],
    ),
    "RetrieveAndGenerate does not document its end": (
        lambda: Answer.from_bedrock(
            replies.generated(f"{NOTICE} Cheese is blue.", NOTICE, 0, 30, NOTICE, "handbook"),
            SOURCES,
        ),
        ["end_inclusive"],
    ),
    # Anthropic
    "Anthropic's documentation: the end is that of the blank behind the sentence": (
        lambda: _anthropic(
            char_location("The grass is green.", 0, 20), "The grass is green. The sky is blue."
        ),
        [],
    ),
    "Anthropic's pages are read with an inclusive end": (
        lambda: _anthropic(replies.page_location("one month", 1, 1)),
        ["end_inclusive"],
    ),
    "github/copilot-sdk#2267: UTF-16 code units": (
        lambda: _anthropic(char_location("Astronauts", 61, 71), {"faq": replies.FAQ}),
        ["wrong_unit"],
    ),
    "Anthropic: the text is that of another document": (
        lambda: _anthropic(char_location("one month", 21, 30, 1)),
        ["text_in_other_document"],
    ),
    "Anthropic: the text is in no document": (
        lambda: _anthropic(char_location("two years", 21, 30)),
        ["text_not_in_document"],
    ),
    # LangExtract
    "google/langextract#201: the interval of Chinese text is that of other characters": (
        lambda: _langextract("试用期", 0, 3, "通知期为一个月，试用期内不适用。"),
        ["offset_wrong"],
    ),
    "google/langextract#151: the interval holds other words": (
        lambda: _langextract("one month", 32, 41),
        ["offset_wrong"],
    ),
    "google/langextract#209: words that are not in the text": (
        lambda: _langextract("two months", 21, 30),
        ["text_not_in_document"],
    ),
    "google/langextract#327: no interval": (
        lambda: _langextract("one month", None, None),
        ["location_missing"],
    ),
}


class TestKnownBugs:
    @each_row(("build", "expected"), list(BUGS.values()), ids=list(BUGS))
    def test_have_their_findings(
        self, build: Callable[[], ImportedAnswer], expected: list[str]
    ) -> None:
        answer = build()
        assert kinds(answer) == expected
        assert verified(answer)
        assert all(finding.path and finding.message for finding in answer.findings)
