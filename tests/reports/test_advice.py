from typing import Any

from citeguard.reports.page import as_html
from citeguard.reports.report import CheckedClaim, Correction, Replacement, Report, trust_of
from citeguard.reports.wording import advice, label_of, since_text
from reports.samples import claim, full_report, report_of
from rows import each_row

TEXT = "One. Two. Ten."


def _report(*verdicts: Any) -> Report:
    words = zip(TEXT.split(), verdicts, strict=False)
    return report_of(TEXT, tuple(claim(n, TEXT, *each) for n, each in enumerate(words, 1)))


class TestAdvice:
    @each_row(
        ("verdicts", "said"),
        [
            (["supported"] * 3, "Ready to send: the sources support all 3 statements."),
            (["undecided"], "Read this before you send it: 1 statement could not be verified."),
            (
                ["supported", "contradicted", "undecided"],
                "Do not send this yet: 1 statement contradicts the sources, 1 could not be "
                "verified.",
            ),
            (["unsupported"] * 2, "Do not send this yet: 2 statements are not in the sources."),
            ([], "Nothing to check: no statement here could be true or false."),
        ],
    )
    def test_says_what_to_do(self, verdicts: list[str], said: str) -> None:
        assert advice(_report(*verdicts)) == said

    @each_row("verdict", ["supported", "undecided", "contradicted"])
    def test_to_send_a_text_comes_with_what_was_not_checked(self, verdict: str) -> None:
        assert ("no person has read it" in as_html(_report(verdict))) == (verdict == "supported")

    def test_counts_wrong_citations(self) -> None:
        assert advice(full_report()).endswith(", 2 citations are wrong.")


class TestTheCorrectedText:
    def corrected(self, number: int, *swaps: Replacement) -> CheckedClaim:
        correction = Correction(claim="", sentence="", replacements=swaps)
        words = TEXT.split()[number - 1]
        return claim(number, TEXT, words, "contradicted", correction=correction)

    def test_has_all_that_do_not_overlap(self) -> None:
        claims = (
            self.corrected(1, Replacement(start=0, end=3, text="Eleven")),
            self.corrected(2, Replacement(start=2, end=8, text="?")),
            self.corrected(3, Replacement(start=10, end=13, text="")),
        )
        report = Report(text=TEXT, sources=(), claims=claims, trust=trust_of(claims))
        assert [each.number for each in report.corrections] == [1, 3]
        assert report.corrected_text == "Eleven. Two. ."

    def test_says_what_it_leaves_wrong(self) -> None:
        assert "the corrected text (1 correction, 1 left to you)" in as_html(full_report())


class TestABaseline:
    def test_says_what_is_new_and_mended(self) -> None:
        before = _report("supported", "contradicted", "undecided")
        after = _report("unsupported", "contradicted", "supported").since(before)
        assert [claim.is_new for claim in after.claims] == [True, False, False]
        assert after.mended == ("Ten.",)
        assert since_text(after) == "Since the baseline: 1 problem is new, 1 is mended."
        assert label_of(after.claims[0]) == "Unsupported (new)"
        assert since_text(after) in after.to_markdown()

    def test_keeps_what_was_dismissed_while_its_verdict_is_the_same(self) -> None:
        before = _report("contradicted", "unsupported")
        dismissed = tuple(
            claim.model_copy(update={"dismissed": "It is a joke."}) for claim in before.claims
        )
        before = before.model_copy(update={"claims": dismissed})
        after = _report("contradicted", "undecided").since(before)
        assert [claim.dismissed for claim in after.claims] == ["It is a joke.", ""]
        assert [claim.number for claim in after.urgent] == [2]
        assert after.outcome == "undecided"
        only = _report("contradicted").since(before)
        assert only.outcome == "passed"
        assert "were not dismissed" in advice(only)
        assert "It is a joke." in only.to_html()
