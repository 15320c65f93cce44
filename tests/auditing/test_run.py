import asyncio
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditing.sentences import SentenceClaims
from citeguard import (
    Budget,
    CiteguardError,
    InvalidSourcesError,
    JudgeFailedError,
    Policy,
    Report,
    Sources,
    Span,
    Verdict,
    aaudit,
    audit,
)
from citeguard.auditing import Claim, Extraction
from citeguard.judges.verdicts import Outcome
from citeguard.reports.report import CheckedClaim, Shown
from citeguard.testing import ScriptedJudge
from entered import modules_entered
from rows import each_row

SOURCES = Sources(
    {
        "handbook": "The notice period is one month.\nIt does not apply during probation.",
        "faq": "Lunch is free for all employees. The canteen closes at two.",
    }
)


def a_claim(**facts: Any) -> Claim:
    return Claim(**{"text": "Lunch is free", "start": 0, "end": 13, "sentence": (0, 14), **facts})


def audited(text: str, *, judge: ScriptedJudge | None = None) -> Report:
    policy = None if judge is None else Policy(support=[judge])
    return audit(text, SOURCES, policy=policy, extractor=SentenceClaims())


def only_claim(text: str, *, judge: ScriptedJudge | None = None) -> CheckedClaim:
    [claim] = audited(text, judge=judge).claims
    return claim


class TestVerdicts:
    @each_row(
        ("text", "verdict"),
        [
            pytest.param("The notice period is one month.", "supported", id="supported"),
            pytest.param("The notice period is two months.", "contradicted", id="contradicted"),
            pytest.param("The company owns twelve helicopters.", "unsupported", id="not found"),
            pytest.param("What a lunch!", None, id="not checkable"),
        ],
    )
    def test_of_the_reader(self, text: str, verdict: Shown | None) -> None:
        assert only_claim(text).verdict == verdict

    @each_row(
        ("outcome", "text", "verdict"),
        [
            ("supported", "Lunch is free.", "supported"),
            ("contradicted", "Lunch is free.", "contradicted"),
            ("undecided", "Lunch is free.", "undecided"),
            ("unsupported", "Lunch is served by robots from Mars.", "unsupported"),
            ("unsupported", "Lunch is free for all employees, robots too.", "unsupported"),
        ],
    )
    def test_are_those_of_the_policy_s_judges(
        self, outcome: Outcome, text: str, verdict: Shown
    ) -> None:
        assert only_claim(text, judge=ScriptedJudge(otherwise=outcome)).verdict == verdict

    def test_of_a_judge_that_fails_is_undecided_with_the_reason(self) -> None:
        judge = ScriptedJudge(otherwise=JudgeFailedError("the endpoint is down"))
        claim = only_claim("Lunch is free.", judge=judge)
        assert claim.verdict == "undecided"
        assert "the endpoint is down" in claim.explanation

    def test_of_an_altered_quotation_is_contradicted_whatever_the_judge_says(self) -> None:
        text = 'It says "the notice period is two months".'
        claim = only_claim(text, judge=ScriptedJudge(otherwise="supported"))
        assert (claim.verdict, claim.judge) == ("contradicted", "quotation")
        [fact] = claim.differences
        assert (fact.stated, fact.found) == ("two months", "one month")

    def test_of_a_claim_in_other_words_than_short_sources_are_the_judge_s(self) -> None:
        judge = ScriptedJudge()
        claim = only_claim("Quokkas hop.", judge=judge)
        assert (claim.verdict, len(judge.asked)) == ("supported", 1)

    def test_nobody_is_asked_about_what_is_set_aside(self) -> None:
        judge = ScriptedJudge()
        claim = only_claim("Lunch is free!", judge=judge)
        assert claim.set_aside == "opinion"
        assert claim.explanation == "This is an opinion, which no source can support."
        assert judge.asked == []


class TestEvidence:
    def test_is_of_the_sources_that_are_cited(self) -> None:
        claim = only_claim("Lunch is free for all employees [handbook].")
        assert claim.cited == ("handbook",)
        assert {place.source_id for place in claim.evidence} <= {"handbook"}

    def test_is_of_all_sources_where_none_is_cited(self) -> None:
        assert [place.source_id for place in only_claim("Lunch is free.").evidence] == ["faq"]

    def test_is_not_decided_by_a_source_that_a_judge_makes_up(self) -> None:
        said = Verdict("supported", words="Lunch", span=Span("nowhere", 0, 5))
        claim = only_claim("Lunch is free.", judge=ScriptedJudge(otherwise=said))
        assert claim.deciding is None

    def test_that_cannot_be_searched_leaves_a_claim_undecided(self) -> None:
        class Broken:
            def search(self, *_: object, **__: object) -> list[object]:
                raise OSError("the index is gone")

        policy = Policy(retriever=Broken())
        [claim] = audit("Lunch is free.", SOURCES, policy=policy).claims
        assert claim.verdict == "undecided"
        assert "the index is gone" in claim.explanation


class TestCorrections:
    def test_put_the_source_s_fact_in_and_are_judged_anew(self) -> None:
        text = "I see. Lunch is served until 3 p.m. [1] every day."
        sources = ["Lunch is served until 2 p.m. every day."]
        claim = audit(text, sources, extractor=SentenceClaims()).claims[-1]
        assert claim.verdict == "contradicted"
        assert claim.correction is not None
        assert claim.correction.sentence == "Lunch is served until 2 p.m. [1] every day."
        assert claim.correction.score is not None
        [replacement] = claim.correction.replacements
        assert text[replacement.start : replacement.end] == "3 p.m."

    def test_keep_the_stop_of_a_time_and_leave_the_next_sentence(self) -> None:
        rules = "The pool closes at 4 p.m. The sauna opens at 9 a.m. Dogs stay out."
        told = "The pool closes at 5 p.m. The sauna opens at 8 a.m. Cats are fed."
        right = "The pool closes at 4 p.m. The sauna opens at 9 a.m. Cats are fed."
        assert audit(told, Sources(rules)).corrected_text == right

    def test_are_not_offered_when_the_judge_does_not_support_them(self) -> None:
        judge = ScriptedJudge(
            otherwise=Verdict("contradicted", words="Lunch is served until 2 p.m. every day.")
        )
        text = "Lunch is served until 3 p.m. every day."
        report = audit(
            text,
            ["Lunch is served until 2 p.m. every day."],
            policy=Policy(support=[judge]),
            extractor=SentenceClaims(),
        )
        assert [each.statement for each in judge.asked] == [
            "Lunch is served until 3 p.m. every day",
            "Lunch is served until 2 p.m. every day",
        ]
        assert report.claims[0].correction is None

    def test_of_what_is_undecided_are_not_offered(self) -> None:
        text = "Lunch is served until 3 p.m. every day"
        source = "Lunch is served until 2 p.m. every day."
        policy = Policy(support=[ScriptedJudge({text: "undecided"})])
        [claim] = audit(text, [source], policy=policy, extractor=SentenceClaims()).claims
        assert (claim.verdict, claim.correction) == ("undecided", None)


class TestReport:
    def test_round_trips_through_json(self) -> None:
        report = audit(
            "The notice period is two months [handbook][7]. Lunch is free! It is 🕐 now.", SOURCES
        )
        assert Report.model_validate_json(report.model_dump_json()) == report
        assert Report.model_validate_json(report.to_json()) == report

    @settings(max_examples=25)
    @given(st.text(max_size=80))
    def test_can_be_made_of_any_text(self, text: str) -> None:
        report = audit(text, SOURCES)
        for claim in report.claims:
            assert 0 <= claim.start < claim.end <= len(text)
        value = None if report.trust is None else report.trust.value
        assert value is None or 0 <= value <= 100


WRONG: list[tuple[Any, Any, dict[str, Any], type[CiteguardError], str]] = [
    *(
        (text, SOURCES, {}, CiteguardError, r"audit\(text\): expected a str")
        for text in (None, b"x")
    ),
    ("Lunch is free.", {}, {}, InvalidSourcesError, "no sources"),
    ("Lunch \ud800 is free.", SOURCES, {}, CiteguardError, "lone surrogate"),
    ("Lunch is free.", SOURCES, {"cite": "1"}, CiteguardError, "cite=.*expected a Mapping"),
    ("Lunch is free.", SOURCES, {"progress": 3}, CiteguardError, "expected a function"),
    ("Lunch is free.", SOURCES, {"on_claim": int}, CiteguardError, "expected a function"),
]


class TestAudit:
    @each_row(("text", "sources", "options", "error", "message"), WRONG)
    def test_refuses(
        self,
        text: Any,
        sources: Any,
        options: dict[str, Any],
        error: type[CiteguardError],
        message: str,
    ) -> None:
        with pytest.raises(error, match=message):
            audit(text, sources, **options)

    @each_row(
        "said",
        [
            pytest.param(None, id="nothing"),
            pytest.param([], id="none"),
            pytest.param([Extraction(claims=())] * 2, id="two"),
            pytest.param(["a claim"], id="a text"),
            pytest.param([Extraction(claims=(a_claim(start=-1),))], id="before the text"),
            pytest.param([Extraction(claims=(a_claim(end=99),))], id="after the text"),
            pytest.param([Extraction(claims=(a_claim(start=3, end=3),))], id="no words"),
            pytest.param([Extraction(claims=(a_claim(), a_claim()))], id="overlapping"),
            pytest.param([Extraction(claims=(a_claim(set_aside="dull"),))], id="a reason"),
            pytest.param([Extraction(claims=(a_claim(text=" "),))], id="blank"),
            pytest.param([Extraction(claims=(), uncovered=((5, 99),))], id="uncovered outside"),
        ],
    )
    def test_refuses_what_an_extractor_gets_wrong(self, said: Any) -> None:
        class Wrong:
            def extract(self, _: object) -> Any:
                return said

        with pytest.raises(CiteguardError):
            audit("Lunch is free.", SOURCES, extractor=Wrong())

    def test_tells_of_each_claim_as_soon_as_it_is_judged(self) -> None:
        told: list[tuple[int, int]] = []
        judge = ScriptedJudge()
        report = audit(
            " ".join(f"Lunch number {number} is free." for number in range(12)),
            SOURCES,
            policy=Policy(support=[judge]),
            extractor=SentenceClaims(),
            on_claim=lambda claim: told.append((claim.number, len(judge.asked))),
        )
        assert told == [*((number, 10) for number in range(1, 11)), (11, 12), (12, 12)]
        assert [claim.number for claim in report.claims] == list(range(1, 13))

    def test_stays_within_the_budget(self) -> None:
        judge = ScriptedJudge()
        policy = Policy(support=[judge], budget=Budget(calls=2))
        text = " ".join(f"Lunch number {number} is free." for number in range(5))
        report = audit(text, SOURCES, policy=policy, extractor=SentenceClaims())
        assert len(judge.asked) == 2
        assert report.counts["undecided"] == 3

    def test_enters_few_modules(self) -> None:
        text = (
            "The museum has 12 rooms [1]. Its garden was designed by Tom Reed. Entry costs 9 euros."
        )
        rooms = ["The museum has 14 rooms. Tickets cost 9 euros.", "Tom Reed laid the garden out."]
        audit("The shop opens at nine [1].", ["The shop opens at ten."])  # imports
        entered = modules_entered(lambda: asyncio.run(aaudit(text, rooms)))
        assert len(entered) <= 50, sorted(entered)

    def test_can_be_awaited_side_by_side(self) -> None:
        async def both() -> list[Report]:
            return await asyncio.gather(
                aaudit("Lunch is free.", SOURCES), aaudit("The moon is made of cheese.", SOURCES)
            )

        first, second = asyncio.run(both())
        assert [first.claims[0].verdict, second.claims[0].verdict] == ["supported", "unsupported"]
