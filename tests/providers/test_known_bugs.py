"""The documented bugs of providers, and of libraries between, each with the finding that shows it.

The name of a row is the report: a repository and the number of its issue, or what is wrong.
Segments of Gemini's that do not fit their part were reported, in one form or another, in
python-genai#1512, gemini-cli#29039 and #6008, firebase#8033 and #8056, bifrost#4345, and
laravel/ai#1013.
"""

from collections.abc import Callable

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


def _gemini_in(unit: str, text: str, words: str) -> ImportedAnswer:
    reply = gemini(
        [{"text": text}], [support(*_part(text, words, unit), words, 0)], [retrieved(NOTICE)]
    )
    return Answer.from_gemini(reply, SOURCES)


def _of_part(declared: int | None, *parts: str, at: int = 1) -> ImportedAnswer:
    one = support(0, len(parts[at].encode()), parts[at], 0, part=declared)
    reply = gemini([{"text": part} for part in parts], [one], [retrieved(NOTICE)])
    return Answer.from_gemini(reply, SOURCES)


def _of_all_parts() -> ImportedAnswer:
    parts = ("Sehr gern! ", "Die Kündigungsfrist beträgt einen Monat.")
    one = support(*_part("".join(parts), parts[1], "utf8"), parts[1], 0, part=1)
    reply = gemini([{"text": part} for part in parts], [one], [retrieved(NOTICE)])
    return Answer.from_gemini(reply, SOURCES)


def _after_a_thought() -> ImportedAnswer:
    parts = [{"text": "The user wants to know.", "thought": True}, {"text": NOTICE}]
    reply = gemini(parts, [support(0, 31, NOTICE, 0)], [retrieved(NOTICE)])
    return Answer.from_gemini(reply, SOURCES)


def _of_web(uri: str, title: str = "example.org") -> ImportedAnswer:
    web = {"web": {"uri": uri, "title": title}}
    return Answer.from_gemini(
        gemini([{"text": NOTICE}], [support(0, 31, NOTICE, 0)], [web]), SOURCES
    )


def _vertex(start: int, end: int) -> ImportedAnswer:
    reply = replies.vertex(GERMAN, start, end, replies.vertex_chunk(NOTICE))
    return Answer.from_vertex(reply, SOURCES)


def _cohere(start: int, end: int, text: str, *ids: str, answer: str = NOTICE) -> ImportedAnswer:
    sources = [{"type": "document", "id": each} for each in ids]
    citation = {"start": start, "end": end, "text": text, "sources": sources}
    return Answer.from_cohere(replies.cohere(answer, citation), SOURCES)


def _linked(start: int, end: int) -> ImportedAnswer:
    return Answer.from_openai(output_text(f"{NOTICE} {LINK}", url_citation(start, end)), SOURCES)


def _tagged() -> ImportedAnswer:
    return Answer.from_cohere(replies.cohere("It is <co>one month</co: 0:[1,2]>."), SOURCES)


BUGS: dict[str, tuple[Callable[[], ImportedAnswer], list[str]]] = {
    # OpenAI
    "openai/openai-openapi#263: the documented end is that of the last character": (
        lambda: _linked(32, 31 + len(LINK)),
        ["end_inclusive", "no_quote"],
    ),
    "mattermost/mattermost-plugin-ai#553: UTF-16 code units": (
        lambda: Answer.from_openai(
            output_text(f"👩‍🚀 {NOTICE} {LINK}", url_citation(38, 38 + len(LINK))), SOURCES
        ),
        ["wrong_unit", "no_quote"],
    ),
    "OpenAI: file_citation.index is a place in a list of files": (
        lambda: Answer.from_openai(output_text(NOTICE, file_citation(1)), SOURCES),
        ["location_missing", "no_quote"],
    ),
    "OpenAI: annotations vanish with structured outputs, and the marks stay": (
        lambda: Answer.from_openai(
            output_text(f"{NOTICE} \ue200cite\ue202turn0search0\ue202turn1file2\ue201"), SOURCES
        ),
        ["missing_source"],
    ),
    "unslothai/unsloth#5713: marks without their private-use characters": (
        lambda: Answer.from_openai(output_text(f"{NOTICE}citeturn0search0turn0search4"), SOURCES),
        ["missing_source"],
    ),
    "OpenAI: offsets are beyond the answer": (
        lambda: Answer.from_openai(output_text(NOTICE, url_citation(900, 950)), SOURCES),
        ["offset_wrong", "no_quote"],
    ),
    "xAI: start and end are 0": (
        lambda: Answer.from_openai(output_text(NOTICE, url_citation(0, 0)), SOURCES),
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
    "Gemini: a thought is a part": (_after_a_thought, ["wrong_part"]),
    "Gemini: bytes read as characters": (
        lambda: _gemini_in("code_points", GERMAN, "Die Kündigungsfrist beträgt einen Monat."),
        ["wrong_unit"],
    ),
    "Gemini: bytes read as UTF-16 code units": (
        lambda: _gemini_in("utf16", "👩‍🚀 " + JAPANESE, "予告期間は一か月です。"),
        ["wrong_unit"],
    ),
    "Gemini: segments of another text": (
        lambda: Answer.from_gemini(
            gemini([{"text": NOTICE}], [support(0, 40, "Sure! Notice.", 0)], [retrieved(NOTICE)]),
            SOURCES,
        ),
        ["offset_wrong"],
    ),
    "Gemini: segments of another place, of two": (
        lambda: Answer.from_gemini(
            gemini(
                [{"text": f"Yes. {NOTICE} Yes."}], [support(90, 94, "Yes.", 0)], [retrieved(NOTICE)]
            ),
            SOURCES,
        ),
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
        lambda: Answer.from_gemini(
            gemini([{"text": NOTICE}], [support(0, 31, NOTICE)], []), SOURCES
        ),
        ["missing_source", "no_quote"],
    ),
    "Gemini's documentation: the text of a segment is cut": (
        lambda: Answer.from_gemini(
            gemini(
                [{"text": f"{NOTICE} Cheese is blue."}],
                [support(0, 31, "The notice pe...", 0)],
                [retrieved(NOTICE)],
            ),
            SOURCES,
        ),
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
    "smg#308: tags in the text": (_tagged, ["no_quote", "index_out_of_range", "no_quote"]),
    # Mistral
    "Mistral's references have no words": (
        lambda: Answer.from_mistral(replies.referring(NOTICE, 1), SOURCES),
        ["no_quote"],
    ),
    # Perplexity
    "nicobailon/pi-web-access#340, #341: the list of citations was cut": (
        lambda: Answer.from_perplexity(
            perplexity(f"{NOTICE}[3]", "https://example.org/handbook"), SOURCES
        ),
        ["index_out_of_range", "no_quote"],
    ),
    "Perplexity: marks that count from 0": (
        lambda: Answer.from_perplexity(
            perplexity(f"{NOTICE}[0]", "https://example.org/handbook"), SOURCES
        ),
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
        lambda: Answer.from_anthropic(
            message(char_location("The grass is green.", 0, 20)),
            "The grass is green. The sky is blue.",
        ),
        [],
    ),
    "Anthropic's pages are read with an inclusive end": (
        lambda: Answer.from_anthropic(message(replies.page_location("one month", 1, 1)), SOURCES),
        ["end_inclusive"],
    ),
    "github/copilot-sdk#2267: UTF-16 code units": (
        lambda: Answer.from_anthropic(
            message(char_location("Astronauts", 61, 71)), {"faq": replies.FAQ}
        ),
        ["wrong_unit"],
    ),
    "Anthropic: the text is that of another document": (
        lambda: Answer.from_anthropic(message(char_location("one month", 21, 30, 1)), SOURCES),
        ["text_in_other_document"],
    ),
    "Anthropic: the text is in no document": (
        lambda: Answer.from_anthropic(message(char_location("two years", 21, 30)), SOURCES),
        ["text_not_in_document"],
    ),
    # LangExtract
    "google/langextract#201: the interval of Chinese text is that of other characters": (
        lambda: Answer.from_langextract(
            replies.extracted("试用期", 0, 3, "通知期为一个月，试用期内不适用。")
        ),
        ["offset_wrong"],
    ),
    "google/langextract#151: the interval holds other words": (
        lambda: Answer.from_langextract(replies.extracted("one month", 32, 41, HANDBOOK)),
        ["offset_wrong"],
    ),
    "google/langextract#209: words that are not in the text": (
        lambda: Answer.from_langextract(replies.extracted("two months", 21, 30, HANDBOOK)),
        ["text_not_in_document"],
    ),
    "google/langextract#327: no interval": (
        lambda: Answer.from_langextract(replies.extracted("one month", None, None, HANDBOOK)),
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
