from inline_snapshot import snapshot

from auditing.sentences import SentenceClaims
from citeguard import Policy, Report, Sources, audit
from citeguard.judges.verdicts import SupportQuestion, Verdict
from citeguard.reports.report import CitationProblem
from citeguard.testing import ScriptedJudge

SOURCES = Sources(
    {
        "handbook": "The notice period is one month. It does not apply during probation.",
        "faq": "Lunch is free for all employees. The canteen closes at two.",
        "menu": "On Fridays there is fish for lunch. The soup is vegan.",
    }
)


def audited(text: str, policy: Policy | None = None) -> Report:
    return audit(text, SOURCES, policy=policy, extractor=SentenceClaims())


def found(text: str) -> list[tuple[CitationProblem, str, str]]:
    return [
        (each.problem, text[each.start : each.end], each.cited) for each in audited(text).findings
    ]


class TestFindings:
    def test_name_the_source_that_says_it(self) -> None:
        text = "Lunch is free for all employees [handbook]."
        report = audited(text)
        [finding] = report.findings
        assert finding.problem == "wrong_source"
        told = report.claims[0].explanation  # nothing of the cited source's nearest sentence
        assert told == "No cited source says this, but “faq” does."
        assert (finding.cited, finding.better, finding.claims) == ("handbook", ("faq",), (1,))

    def test_do_not_name_two_sources_that_are_both_needed(self) -> None:
        class NeedsBoth:
            name = "both"
            settings = ScriptedJudge().settings

            def judge(self, questions: list[SupportQuestion]) -> list[Verdict]:
                return [self._verdict(each) for each in questions]

            def _verdict(self, question: SupportQuestion) -> Verdict:
                ids = {each.source_id for each in question.evidence}
                return Verdict("supported" if ids >= {"faq", "menu"} else "unsupported")

        policy = Policy(support=[NeedsBoth()])
        assert audited("Lunch is free, and fish on Fridays [faq][menu].", policy).findings == ()

    def test_do_not_name_a_source_that_another_claim_of_the_mark_needs(self) -> None:
        text = "Lunch is free for all employees and on Fridays there is fish for lunch [faq][menu]."
        assert [each.problem for each in audit(text, SOURCES).findings] == []

    def test_do_not_cite_another_source_for_an_altered_quotation(self) -> None:
        text = "It says “lunch is free for all cats” [handbook]."
        policy = Policy(support=[ScriptedJudge()])
        assert [finding.problem for finding in audited(text, policy).findings] == []

    def test_suggest_the_id_that_is_meant(self) -> None:
        [finding] = audit(
            "Quokkas hop [doc-11].", {"doc-1": "Lunch is free.", "doc-2": "Tea."}
        ).findings
        assert finding.message.endswith("Did you mean “doc-1”?")

    def test_say_what_to_do(self) -> None:
        text = (
            "Lunch is free for all employees [9]. Lunch is free for all employees"
            " [handbook]. Lunch is free for all employees [faq][handbook]. The soup is vegan."
        )
        messages = [finding.message for finding in audited(text).findings]
        assert messages == snapshot(
            [
                "No source is called “9”; the ids are handbook, faq, menu. Cite “faq”, which says"
                " this.",
                "“handbook” does not say this, and another source does: cite “faq”.",
                "“handbook” does not say this, and the other sources cited do.",
                "No source is cited for this claim: cite one, or remove the claim.",
            ]
        )
