from typing import Any

import pytest
from filter_material import HANDBOOK, RIGHT

from citeguard import CiteguardError
from citeguard.datasets import Fields, SampleChecker
from citeguard.datasets.fields import MalformedSampleError
from rows import each_row

STATEMENTS = [{"text": "A month.", "citations": [{"quote": "one month"}]}]


class TestDataOf:
    @each_row(
        "given",
        [
            {"answer": {"statements": STATEMENTS}},
            {"statements": STATEMENTS},
            {"statements": STATEMENTS, "answer": "in plain words", "other": 1},
        ],
    )
    def test_finds_statements(self, given: Any) -> None:
        assert Fields().data_of(given) == {"statements": STATEMENTS}

    @each_row(
        "text",
        [
            '{"statements": []}',
            ' {"statements": []}\n',
            '```\n{"statements": []}```',
            'Here it is:\n\n```json\n{"statements": []}\n```\n\nAnything else?',
        ],
    )
    def test_reads_json_in_a_text(self, text: str) -> None:
        assert Fields().data_of({"answer": text}) == '{"statements": []}'

    def test_finds_why_nothing_is_answered(self) -> None:
        refused = {"statements": [], "unanswerable": "The texts do not say it."}
        assert Fields().data_of(refused | {"id": 8}) == refused
        assert Fields().data_of({"unanswerable": refused["unanswerable"]}) == refused

    def test_else_it_is_the_sample_without_its_sources_and_annotation(self) -> None:
        given = {"claim": "A month.", "answer": "Yes.", "sources": "text", "citeguard": {}}
        assert Fields().data_of(given) == {"claim": "A month.", "answer": "Yes."}

    @each_row("key", ["a.b", "my answer", "my-answer", "a[0]", "back\\slash", "élan"])
    def test_a_key_may_have_any_characters(self, key: str) -> None:
        assert Fields(statements=key).data_of({key: STATEMENTS}) == {"statements": STATEMENTS}


class TestQuotes:
    @each_row(
        ("quotes", "citations"),
        [
            (None, []),
            ("one month", [{"quote": "one month"}]),
            (["a", "b"], [{"quote": "a"}, {"quote": "b"}]),
            ([{"quote": "a", "source_id": "x"}], [{"quote": "a", "source_id": "x"}]),
        ],
    )
    def test_of_a_plain_answer(self, quotes: Any, citations: Any) -> None:
        fields = Fields(quotes="quotes")
        assert fields.data_of({"answer": "A month.", "quotes": quotes}) == {
            "statements": [{"text": "A month.", "citations": citations}]
        }

    def test_of_statements_side_by_side(self) -> None:
        fields = Fields(quotes="quotes", quoted_from="ids")
        given = {
            "statements": ["one", "two"],
            "quotes": ["a", ["b", "c"]],
            "ids": ["x", ["y", "z"]],
        }
        assert fields.data_of(given)["statements"] == [
            {"text": "one", "citations": [{"quote": "a", "source_id": "x"}]},
            {
                "text": "two",
                "citations": [{"quote": "b", "source_id": "y"}, {"quote": "c", "source_id": "z"}],
            },
        ]

    @each_row(
        ("given", "message"),
        [
            (
                {"quotes": ["a"]},
                "no text at 'answer' (answer) and nothing at 'statements' (statements)",
            ),
            (
                {"statements": ["one", "two"], "quotes": ["a"]},
                "2 statements at 'statements', but quotes for 1 at 'quotes'",
            ),
            (
                {"answer": "one", "quotes": ["a", "b"], "ids": ["x"]},
                "2 quotes, but source ids for 1",
            ),
        ],
    )
    def test_quotes_and_statements_that_do_not_match_are_malformed(
        self, given: Any, message: str
    ) -> None:
        with pytest.raises(MalformedSampleError) as caught:
            Fields(quotes="quotes", quoted_from="ids").data_of(given)
        assert str(caught.value) == message


class TestExpressions:
    def test_reach_what_lies_deeper(self) -> None:
        fields = Fields(
            answer="output.text",
            quotes="evidence[].quote",
            sources="documents[].{id: key, text: body}",
        )
        given = {
            "output": {"text": "A month."},
            "evidence": [{"quote": RIGHT}],
            "documents": [{"key": "handbook", "body": HANDBOOK}],
        }
        assert SampleChecker(fields=fields).check(given).outcome == "kept"

    @each_row(
        ("wrong", "message"),
        [
            (
                {"answer": "a["},
                r"Fields\(answer='a\['\) must be a key or a valid JMESPath expression",
            ),
            ({"answer": ""}, r"Fields\(answer=''\) must be a key or a JMESPath expression"),
            ({"sources": None}, r"sources=None\) must be a key"),
            ({"quotes": 3}, r"quotes=3\) must be a key"),
            ({"quoted_from": "ids"}, "together with quotes"),
        ],
    )
    def test_invalid_ones_are_errors_at_once(self, wrong: Any, message: str) -> None:
        with pytest.raises(CiteguardError, match=message):
            Fields(**wrong)
