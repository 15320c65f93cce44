from typing import Any

import pytest
from langextract.core.data import AlignmentStatus, AnnotatedDocument, CharInterval, Extraction

from citeguard import (
    Answer,
    CiteguardError,
    InvalidSourcesError,
    Policy,
    Source,
    Sources,
    Span,
    verify,
)
from citeguard.testing import ScriptedJudge
from providers.replies import (
    DOCUMENTS,
    HANDBOOK,
    SOURCES,
    block_location,
    char_location,
    cited,
    converse,
    kinds,
    message,
    page_location,
    search_location,
    spans,
    web_location,
)
from rows import each_row


class TestFromAnthropic:
    def test_reads_the_sdks_own_types(self) -> None:
        from anthropic import types as sdk

        location = sdk.CitationCharLocation(
            type="char_location",
            cited_text="The notice period is one month.",
            document_index=0,
            document_title="Handbook",
            start_char_index=0,
            end_char_index=31,
        )
        reply = sdk.Message(
            id="msg_01",
            type="message",
            role="assistant",
            model="claude",
            content=[
                sdk.TextBlock(type="text", text="According to the handbook, "),
                sdk.TextBlock(type="text", text="notice is one month", citations=[location]),
                sdk.TextBlock(type="text", text=". That is short."),
            ],
            usage=sdk.Usage(input_tokens=1, output_tokens=1),
        )
        answer = Answer.from_anthropic(reply, SOURCES)
        assert answer.text == "According to the handbook, notice is one month. That is short."
        assert cited(answer) == [
            (
                "According to the handbook, notice is one month.",
                ["The notice period is one month."],
            ),
            ("That is short.", []),
        ]
        assert [(each.start, each.end) for each in answer.segments] == [(27, 46)]
        assert answer.findings == ()

    def test_reads_every_kind_of_location(self) -> None:
        reply = message(
            char_location("one month", 21, 30),
            block_location("Employees resign in writing.E-mail counts as writing.", 0, 2),
            search_location("Parking costs nothing on Sundays.", "https://example.net/parking"),
            web_location("Parking costs nothing", "https://www.example.net/parking/"),
        )
        answer = Answer.from_anthropic(reply, DOCUMENTS)
        assert cited(answer)[0][1] == [
            "one month",
            "Employees resign in writing.\nE-mail counts as writing.",
            "Parking costs nothing on Sundays.",
            "Parking costs nothing",
        ]
        assert answer.findings == ()

    def test_reads_a_stream(self) -> None:
        deltas: list[dict[str, Any]] = [
            {"type": "text_delta", "text": "A "},
            {"type": "text_delta", "text": "month."},
            {"type": "citations_delta", "citation": char_location("one month", 21, 30)},
        ]
        block = {"type": "text", "text": ""}
        events = [
            {"type": "message_start"},
            {"type": "content_block_start", "index": 0, "content_block": block},
            *({"type": "content_block_delta", "index": 0, "delta": each} for each in deltas),
            {"type": "content_block_stop", "index": 0},
        ]
        assert cited(Answer.from_anthropic(events, SOURCES)) == [("A month.", ["one month"])]

    def test_locates_words_anew_that_are_elsewhere(self) -> None:
        answer = Answer.from_anthropic(message(char_location("one month", 40, 49)), SOURCES)
        assert spans(answer) == [("handbook", 21, 30)]
        (finding,) = answer.findings
        assert (finding.kind, finding.path, finding.span) == (
            "offset_wrong",
            "content[0].citations[0]",
            Span("handbook", 21, 30),
        )
        assert not finding.is_lost
        assert str(finding) == (
            "offset_wrong at content[0].citations[0]: 'handbook' has \"one month\", "
            "but not at 40 to 49."
        )

    def test_accepts_other_typography_at_the_place(self) -> None:
        quote = "It doesn't apply during probation."
        answer = Answer.from_anthropic(message(char_location(quote, 32, 66)), SOURCES)
        assert (spans(answer), kinds(answer)) == ([("handbook", 32, 66)], [])
        citation = answer.statements[0].citations[0]
        assert (citation.grade, citation.quoted_as) == ("normalized", quote)

    def test_loses_no_altered_quote_silently(self) -> None:
        answer = Answer.from_anthropic(
            message(char_location("The notice period is two months.", 0, 31)), SOURCES
        )
        assert cited(answer) == [("Notice is one month.", [])]
        (finding,) = answer.findings
        assert (finding.kind, finding.quote, finding.is_lost) == (
            "text_not_in_document",
            "The notice period is two months.",
            True,
        )
        assert answer.segments[0].source_ids == ("handbook",)

    @each_row(
        ("citation", "found", "expected"),
        [
            (char_location("one month", 21, 30, 7), ["one month"], ["index_out_of_range"]),
            (char_location("one month", 21, 30, -1), ["one month"], ["index_out_of_range"]),
            (char_location("", 21, 30), [], ["no_quote"]),
            (
                {
                    **char_location("one month", 0, 0),
                    "start_char_index": 21.0,
                    "end_char_index": "30",
                },
                ["one month"],
                [],
            ),
            (
                {**char_location("one month", 0, 0), "start_char_index": True},
                ["one month"],
                ["location_missing"],
            ),
            (
                {**char_location("one month", 0, 0), "end_char_index": None},
                ["one month"],
                ["location_missing"],
            ),
        ],
    )
    def test_names_what_is_wrong(
        self, citation: dict[str, Any], found: list[str], expected: list[str]
    ) -> None:
        answer = Answer.from_anthropic(message(citation, text="Cheese."), SOURCES)
        assert cited(answer) == [("Cheese.", found)]
        assert kinds(answer) == expected

    @each_row(
        ("first", "after", "expected"),
        [
            (1, 2, []),
            (2, 3, ["text_on_other_page"]),
            (1, 1, ["end_inclusive"]),
            (0, 1, ["zero_or_negative_marker"]),
        ],
    )
    def test_checks_pages(self, first: int, after: int, expected: list[str], paper: Source) -> None:
        quote = "Recent advances in sequencing technologies promise ultra-long reads"
        answer = Answer.from_anthropic(message(page_location(quote, first, after)), [paper])
        assert cited(answer)[0][1] == [quote]
        assert kinds(answer) == expected

    @each_row(
        ("index", "title", "expected"),
        [
            (0, "Handbook", ("handbook", [])),
            (0, "faq.txt", ("faq", ["wrong_index"])),
            (1, "Handbook", ("handbook", ["wrong_index"])),
            (1, "an unknown title", ("faq", [])),
            (9, "faq.txt", ("faq", ["index_out_of_range"])),
        ],
    )
    def test_believes_the_name_of_a_document_over_its_place(
        self, index: int, title: str, expected: tuple[str, list[str]]
    ) -> None:
        twice = "Notice is in writing."
        sources = Sources([Source("handbook", twice, title="Handbook"), Source("faq.txt", twice)])
        location = {**char_location(twice, 0, 21, index), "document_title": title}
        answer = Answer.from_anthropic(message(location), sources)
        (span,) = spans(answer)
        assert (span[0].removesuffix(".txt"), kinds(answer)) == expected

    def test_says_which_document_has_no_text(self) -> None:
        source = {"type": "base64", "media_type": "application/pdf", "data": "JVBERi0="}
        given = [DOCUMENTS[0], {"type": "document", "source": source}]
        with pytest.raises(
            InvalidSourcesError, match=r"document 2 has no text \(application/pdf\)"
        ):
            Answer.from_anthropic(message(), given)

    @each_row(
        ("quote", "found"),
        [
            ("The notice period is one month. It doesn’t apply dur...", HANDBOOK[:52]),
            ("The notice period is two months. It doesn’t apply dur...", None),
            ("It do...", None),
        ],
    )
    def test_finds_web_texts_that_are_cut_off(self, quote: str, found: str | None) -> None:
        location = web_location(quote, "https://example.org/handbook")
        answer = Answer.from_anthropic(message(location, text="Cheese."), SOURCES)
        assert cited(answer) == [("Cheese.", [] if found is None else [found])]
        assert kinds(answer) == ([] if found else ["text_not_in_document"])

    @each_row("reply", [{}, {"content": "text"}, 3, None, "no JSON", "[" * 100_000, pytest])
    def test_rejects_what_is_no_message(self, reply: Any) -> None:
        with pytest.raises(CiteguardError, match=r"^from_anthropic: "):
            Answer.from_anthropic(reply, SOURCES)

    @each_row(
        ("blocks", "expected"),
        [
            (
                ["*Notice is one month", ", and parking costs five dollars."],
                ["*Notice is one month", "and parking costs five dollars."],
            ),
            (
                ["Parking costs five dollars, and ", "*notice is one month", "."],
                ["Parking costs five dollars", "*and notice is one month."],
            ),
            (
                ["*Notice is one month,", " parking costs money; ", "*it is short", " in all."],
                ["*Notice is one month", "parking costs money", "*it is short in all."],
            ),
            (
                ["*Notice is one month", " (parking costs five dollars)."],
                ["*Notice is one month", "(parking costs five dollars)."],
            ),
            (["*通知期为一个月", "，停车收费五元。"], ["*通知期为一个月", "停车收费五元。"]),
            # What leads to a cited part, or says little beside it, is no statement.
            (
                ["According to the handbook, ", "*notice is one month", " and ", "*it is short."],
                ["*According to the handbook, notice is one month and it is short."],
            ),
            (
                ["*It is short", ", and according to page 5, ", "*notice is one month", "."],
                ["*It is short, and according to page 5, notice is one month."],
            ),
            (["*Notice is one month", ", he said."], ["*Notice is one month, he said."]),
            (
                ["Notice is ", "*one month", " for all of us."],
                ["*Notice is one month for all of us."],
            ),
        ],
    )
    def test_cuts_an_uncited_half_off_a_sentence(
        self, blocks: list[str], expected: list[str]
    ) -> None:
        content = [
            {
                "type": "text",
                "text": block.removeprefix("*"),
                "citations": [char_location("one month", 21, 30)] if block[0] == "*" else None,
            }
            for block in blocks
        ]
        answer = Answer.from_anthropic({"type": "message", "content": content}, SOURCES)
        assert [f"{'*' * bool(found)}{text}" for text, found in cited(answer)] == expected
        assert answer.text == "".join(block.removeprefix("*") for block in blocks)

    def test_joins_the_sentences_of_one_segment(self) -> None:
        text = "# Notice\n\n- It is a month. Not a year.\n- Ask HR.\n"
        answer = Answer.from_anthropic(
            message(char_location("one month", 21, 30), text=text), SOURCES
        )
        assert [each.text for each in answer.statements] == [text[2:].rstrip()]

    @each_row(
        ("first", "after", "expected"),
        [
            (1, 2, []),
            (1, 1, ["end_inclusive"]),
            (0, 1, ["offset_wrong"]),
            (3, 4, ["index_out_of_range"]),
        ],
    )
    def test_checks_blocks(self, first: int, after: int, expected: list[str]) -> None:
        location = block_location("E-mail counts as writing.", first, after)
        answer = Answer.from_anthropic(message(location), DOCUMENTS)
        assert spans(answer) == [("2", 29, 54)]
        assert kinds(answer) == expected

    @each_row(
        ("citation", "expected"),
        [
            (None, ["missing_source", "location_missing", "no_quote"]),
            (
                {"type": "news", "cited_text": "one month", "document_index": 0},
                ["location_missing"],
            ),
        ],
    )
    def test_reports_kinds_that_are_not_known(self, citation: Any, expected: list[str]) -> None:
        answer = Answer.from_anthropic(message(citation), SOURCES)
        assert kinds(answer) == expected
        assert all("None" not in each.message for each in answer.findings)

    def test_finds_search_results_by_name_among_sources(self) -> None:
        twice = "Notice is in writing."
        sources = Sources([Source("memo", twice), Source("page", twice, url="https://a.example/b")])
        location = search_location(twice, "https://a.example/b")
        answer = Answer.from_anthropic(message(location), sources)
        assert (spans(answer), kinds(answer)) == ([("page", 0, 21)], [])


class TestImportedAnswer:
    def test_is_judged_at_its_own_places(self) -> None:
        text = "Item 1: roof. It was carried.\nItem 2: gate. It was carried."
        answer = Answer.from_anthropic(
            message(char_location("It was carried.", 44, 59), text="The gate passed."), text
        )
        judge = ScriptedJudge()
        policy = Policy(support=[judge], evidence="quote")
        again = verify(Answer, answer, sources=answer.sources, policy=policy)
        assert again.statements[0].citations[0].span == Span("1", 44, 59)
        assert again.statements[0].verdict is not None
        assert again.statements[0].verdict.outcome == "supported"

    def test_is_dumped_with_its_findings(self) -> None:
        answer = Answer.from_anthropic(message(char_location("one month", 0, 9)), SOURCES)
        dumped = answer.model_dump(mode="json")
        assert dumped["findings"][0]["kind"] == "offset_wrong"
        loaded = Answer.model_validate(dumped, context=SOURCES.as_context())
        assert loaded.statements[0].citations == answer.statements[0].citations

    def test_equals_another_import(self) -> None:
        reply = message(char_location("one month", 21, 30))
        once, again = (Answer.from_anthropic(reply, DOCUMENTS) for _ in range(2))
        assert once == again
        assert once != Answer.from_anthropic(message(), DOCUMENTS)


class TestConverse:
    @each_row(
        ("location", "expected"),
        [
            ({"documentChar": {"documentIndex": 0, "start": 21, "end": 30}}, []),
            ({"documentChar": {"documentIndex": 0, "start": 21, "end": 29}}, ["end_inclusive"]),
            (
                {"documentChar": {"documentIndex": 9, "start": 21, "end": 30}},
                ["index_out_of_range"],
            ),
            ({"documentPage": {"documentIndex": 0, "start": 1, "end": 1}}, []),
            ({"web": {"url": "https://example.org/handbook", "domain": "example.org"}}, []),
            ({"web": {}}, ["location_missing"]),
            (None, ["location_missing"]),
        ],
    )
    def test_reads_every_location(
        self, location: dict[str, Any] | None, expected: list[str]
    ) -> None:
        answer = Answer.from_bedrock(converse(location), SOURCES)
        assert cited(answer) == [("According to the handbook, it is a month.", ["one month"])]
        assert kinds(answer) == expected

    def test_reads_a_stream(self) -> None:
        citation = {
            "sourceContent": [{"text": "one month"}],
            "location": {"documentChar": {"documentIndex": 0, "start": 21, "end": 30}},
        }
        deltas = [(0, {"text": "I see. "}), (1, {"text": "A "}), (1, {"text": "month."})]
        deltas.append((1, {"citation": citation}))
        events: list[dict[str, Any]] = [{"messageStart": {"role": "assistant"}}]
        events += [
            {"contentBlockDelta": {"contentBlockIndex": index, "delta": delta}}
            for index, delta in deltas
        ]
        answer = Answer.from_bedrock([*events, {"messageStop": {}}], SOURCES)
        assert cited(answer) == [("I see.", []), ("A month.", ["one month"])]
        assert (spans(answer), kinds(answer)) == ([("handbook", 21, 30)], [])

    def test_reads_the_blocks_of_the_request(self) -> None:
        documents = [
            {"document": {"name": "Handbook", "format": "txt", "source": {"text": HANDBOOK}}},
            {
                "document": {
                    "name": "FAQ",
                    "format": "txt",
                    "source": {"content": [{"text": "Write to HR."}, {"text": "One month."}]},
                }
            },
            {
                "searchResult": {
                    "source": "https://example.net",
                    "title": "Parking",
                    "content": [{"text": "Parking is free."}],
                }
            },
        ]
        chunk = {"documentChunk": {"documentIndex": 1, "start": 1, "end": 2}}
        found = {"searchResultLocation": {"searchResultIndex": 0, "start": 0, "end": 1}}
        for location, quote, place in (
            (chunk, "One month.", ("2", 13, 23)),
            (found, "Parking is free.", ("3", 0, 16)),
        ):
            answer = Answer.from_bedrock(converse(location, quote), documents)
            assert (spans(answer), kinds(answer)) == ([place], [])


class TestFromLangextract:
    def extraction(self, text: str, start: int | None, end: int | None) -> Extraction:
        interval = None if start is None else CharInterval(start_pos=start, end_pos=end)
        return Extraction(
            "period", text, char_interval=interval, alignment_status=AlignmentStatus.MATCH_EXACT
        )

    def test_proves_intervals(self) -> None:
        document = AnnotatedDocument(
            document_id="handbook",
            text=HANDBOOK,
            extractions=[
                self.extraction("one month", 21, 30),
                self.extraction("One Month", 21, 30),
                self.extraction("probation", 0, 9),
                self.extraction("two months", 21, 30),
                self.extraction("notice period", None, None),
            ],
        )
        answer = Answer.from_langextract(document)
        assert cited(answer) == [
            ("period: one month", ["one month"]),
            ("period: One Month", ["one month"]),
            ("period: probation", ["probation"]),
            ("period: two months", []),
            ("period: notice period", ["notice period"]),
        ]
        assert kinds(answer) == ["offset_wrong", "text_not_in_document", "location_missing"]
        assert [each.source_ids for each in answer.segments] == [("handbook",)] * 5
