import pytest

from citeguard import Sources
from citeguard.auditing.conclusions import quotations, verdict_on_quotations
from rows import each_row

SOURCES = Sources(
    {
        "handbook": "The notice period is one month. It is not applied during probation.",
        "faq": "Lunch is free for all employees.",
    }
)


class TestQuotations:
    @each_row(
        "claim",
        [
            pytest.param('It says "the notice period is one month".', id="straight"),
            pytest.param("It says “the notice period is one month.”", id="curly"),
            pytest.param("It says «the notice period is one month».", id="guillemets"),
            pytest.param("It says „the notice period is one month“.", id="German"),
        ],
    )
    def test_are_found_between_their_marks(self, claim: str) -> None:
        [quotation] = quotations(claim, SOURCES, [])
        assert quotation.appears
        assert quotation.instead is not None
        assert quotation.instead.source_id == "handbook"

    @each_row(
        "claim",
        [
            pytest.param("Lunch is “free” here.", id="a word kept at a distance"),
            pytest.param("She wrote “War and Peace”.", id="a title"),
            pytest.param('It is 5\' 10" tall and 6" wide.', id="inches"),
            pytest.param("No marks.", id="none"),
            pytest.param("She sang “The Sound of Silence by the Sea”.", id="a longer title"),
            pytest.param("He asked “Who pays for all of that?”", id="a question"),
        ],
    )
    def test_are_left_alone_where_they_are_no_words_of_a_source(self, claim: str) -> None:
        assert quotations(claim, SOURCES, []) == []

    def test_are_looked_for_in_what_is_cited(self) -> None:
        [quotation] = quotations("“Lunch is free for all employees”", SOURCES, ["handbook"])
        assert not quotation.appears


class TestVerdictOnQuotations:
    def test_is_contradicted_where_one_is_rewritten(self) -> None:
        found = quotations("“the notice period is two months”", SOURCES, [])
        verdict = verdict_on_quotations(found)
        assert verdict is not None
        assert verdict.outcome == "contradicted"
        assert [(fact.stated, fact.found) for fact in found[0].facts] == [
            ("two months", "one month")
        ]

    def test_is_unsupported_where_one_stands_nowhere(self) -> None:
        found = quotations("“Dogs may come along to work.”", SOURCES, [])
        verdict = verdict_on_quotations(found)
        assert verdict is not None
        assert verdict.outcome == "unsupported"
        assert "Dogs may come along to work" in verdict.reason

    def test_speaks_of_the_altered_one_first(self) -> None:
        claim = "“Dogs may come along to work” and “it is applied during probation”"
        verdict = verdict_on_quotations(quotations(claim, SOURCES, []))
        assert verdict is not None
        assert verdict.outcome == "contradicted"
