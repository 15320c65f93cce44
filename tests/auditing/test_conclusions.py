from __future__ import annotations

import pytest

from citeguard.auditing.claims.claim import Claim
from citeguard.auditing.conclusions import JudgedClaim, PreparedClaim, concluded, confidence_in
from citeguard.auditing.report import AuditVerdict
from citeguard.judges.verdicts import Evidence, SupportQuestion, Verdict
from rows import each_row


def judged(claim: str, *passages: str, score: float | None = 0.2) -> JudgedClaim:
    evidence = tuple(Evidence(text=text) for text in passages)
    opened = PreparedClaim(
        number=1,
        claim=Claim(text=claim, start=0, end=len(claim), sentence=(0, len(claim))),
        question=SupportQuestion(statement=claim, evidence=evidence),
    )
    return JudgedClaim(prepared=opened, verdict=Verdict("unsupported", score=score))


class TestConcluded:
    def test_partly_is_what_the_best_passage_says_a_good_part_of(self) -> None:
        claim = "lunch is free, tasty and huge"  # four words of content
        assert concluded(judged(claim, "dinner costs a lot", "free lunch")) == "partly_supported"

    def test_not_found_is_what_each_passage_says_too_little_of(self) -> None:
        claim = "lunch is free, tasty and huge"
        assert concluded(judged(claim, "lunch", "free of charge")) == "not_found"

    @each_row(
        "claim",
        [
            pytest.param("lunch is free for 30 people", id="a number"),
            pytest.param("lunch is free for Anna", id="a name"),
        ],
    )
    def test_not_found_is_what_a_fact_is_missing_of(self, claim: str) -> None:
        assert concluded(judged(claim, "lunch is free for people")) == "not_found"

    def test_a_judge_that_does_not_grade_has_said_no(self) -> None:
        assert concluded(judged("lunch is free", "lunch is free", score=None)) == "not_found"


class TestConfidenceIn:
    @each_row(
        ("verdict", "score", "confidence"),
        [
            ("supported", 0.8, 0.8),
            ("supported", None, 1.0),
            ("contradicted", 0.25, 0.75),
            ("contradicted", None, 1.0),
            ("not_found", 0.25, 0.75),
            ("not_found", None, 1.0),
            ("partly_supported", 0.3, 0.15),
            ("undecided", 0.5, None),
            ("not_checkable", None, None),
        ],
    )
    def test_is_of_the_verdict(
        self, verdict: AuditVerdict, score: float | None, confidence: float | None
    ) -> None:
        assert confidence_in(verdict, score) == confidence
