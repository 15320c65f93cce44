"""An audit as JUnit's XML: what is a failure, and that any text can be read back."""

from xml.etree import ElementTree

from hypothesis import given
from inline_snapshot import snapshot

from auditing.papers import audited_paper
from citeguard.reports.junit import as_junit
from citeguard.reports.report import BY_URGENCY, PROBLEMS, CitationProblem, Report, Shown
from hostile import hostile
from reports.samples import (
    drawn_reports,
    empty_report,
    full_report,
    hostile_report,
    report_with,
    report_with_problem,
)
from rows import each_row

OUTCOMES: dict[Shown, str | None] = {
    "supported": None,
    "contradicted": "failure",
    "unsupported": "failure",
    "set_aside": "skipped",
    "undecided": "error",
}
EFFECTS = {"failed": "failure", "undecided": "error", "shown": "skipped"}


def suite_of(report: Report, name: str = "audit") -> ElementTree.Element:
    """Return the suite; what it counts must be there."""
    suites = ElementTree.fromstring(as_junit(report, name=name).encode())
    [suite] = suites
    tests = suite.findall("testcase")
    counts = {"tests": len(tests)}
    for counted, outcome in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        counts[counted] = sum(len(test.findall(outcome)) for test in tests)
    assert suites.attrib == suite.attrib
    assert {name: int(suite.attrib[name]) for name in counts} == counts
    return suite


def outcome_of(test: ElementTree.Element) -> str | None:
    return next((child.tag for child in test), None)


class TestDocument:
    def test_of_everything(self) -> None:
        assert as_junit(full_report()) == snapshot("""\
<?xml version='1.0' encoding='utf-8'?>
<testsuites name="citeguard.audit" tests="13" failures="5" errors="1" skipped="5">
  <testsuite name="citeguard.audit" tests="13" failures="5" errors="1" skipped="5">
    <testcase classname="citeguard.audit.claims" name="1. Working here">
      <skipped message="heading" />
    </testcase>
    <testcase classname="citeguard.audit.claims" name="2. Lunch is free for all employees" />
    <testcase classname="citeguard.audit.claims" name="3. The notice period is two months">
      <failure message="Contradicted: It says “two months”, and the source says “one month”." type="contradicted">Claim: The notice period is two months
It says “two months”, and the source says “one month”.
Source: “The notice period is one month.” (handbook, line 3)
Correction: The notice period is one month</failure>
    </testcase>
    <testcase classname="citeguard.audit.claims" name="4. The notice period does not apply during probation." />
    <testcase classname="citeguard.audit.claims" name="5. Lunch is free and served until 3 p.m.">
      <failure message="Unsupported: That it is served until 3 p.m. is not said." type="unsupported">Claim: Lunch is free and served until 3 p.m.
That it is served until 3 p.m. is not said.
Source: “It is served until 2 p.m.” (faq, line 2)</failure>
    </testcase>
    <testcase classname="citeguard.audit.claims" name="6. The office has a gym">
      <failure message="Unsupported: No source says anything like it." type="unsupported">Claim: The office has a gym
No source says anything like it.</failure>
    </testcase>
    <testcase classname="citeguard.audit.claims" name="7. In my view, that is fair.">
      <skipped message="opinion" />
    </testcase>
    <testcase classname="citeguard.audit.claims" name="8. Probation 🕐 lasts half a year.">
      <error message="Undecided: The judge timed out." type="undecided">Claim: Probation 🕐 lasts half a year.
The judge timed out.</error>
    </testcase>
    <testcase classname="citeguard.audit.citations" name="Redundant citation: “[faq]”">
      <skipped message="“faq” is cited twice; one mark is enough." />
    </testcase>
    <testcase classname="citeguard.audit.citations" name="Wrong source: “[handbook]”">
      <failure message="“handbook” does not say it; cite “faq” instead." type="wrong_source">“handbook” does not say it; cite “faq” instead.</failure>
    </testcase>
    <testcase classname="citeguard.audit.citations" name="Unknown source: “[9]”">
      <failure message="“9” is no source; there are “handbook” and “faq”." type="unknown_id">“9” is no source; there are “handbook” and “faq”.</failure>
    </testcase>
    <testcase classname="citeguard.audit.citations" name="Uncited: “Probation 🕐 lasts half a year.”">
      <skipped message="Nothing is cited; name the source, or drop the claim." />
    </testcase>
    <testcase classname="citeguard.audit.uncovered" name="“As was said above.”">
      <skipped message="this sentence has no claim" />
    </testcase>
  </testsuite>
</testsuites>
""")  # noqa: E501

    def test_of_nothing(self) -> None:
        suite = suite_of(empty_report())
        assert suite.attrib["tests"] == "0"

    def test_has_the_name(self) -> None:
        suite = suite_of(full_report(), name="answers & <co>\x00")
        assert suite.attrib["name"] == "answers & <co>\\u0000"
        assert {test.attrib["classname"].split(">")[1] for test in suite.iter("testcase")} == {
            "\\u0000.claims",
            "\\u0000.citations",
            "\\u0000.uncovered",
        }


class TestOutcomes:
    @each_row("verdict", BY_URGENCY)
    def test_of_a_verdict(self, verdict: Shown) -> None:
        good, test = suite_of(report_with(verdict)).findall("testcase")
        assert (outcome_of(good), outcome_of(test)) == (None, OUTCOMES[verdict])

    @each_row("problem", PROBLEMS)
    def test_of_a_mark(self, problem: CitationProblem) -> None:
        _, test = suite_of(report_with_problem(problem)).findall("testcase")
        assert outcome_of(test) == EFFECTS[PROBLEMS[problem].effect]


class TestPlaces:
    def test_are_pages_and_sections(self) -> None:
        told = "".join(suite_of(audited_paper()).itertext())
        assert "(paper, p. ii (2 of the file) › The Harbour Institute › History)" in told


class TestHostile:
    def test_words_are_words(self) -> None:
        suite = suite_of(hostile_report())
        told = [
            *suite.itertext(),
            *(each for test in suite.iter() for each in test.attrib.values()),
        ]
        assert any("<script>alert(1)</script>" in each for each in told)
        assert any("\\ufffe" in each for each in told)
        assert any("\\u0000" in each for each in told)

    @given(drawn_reports())
    def test_can_be_read(self, report: Report) -> None:
        assert len(suite_of(report).findall("testcase")) == len(report.claims) + len(
            report.findings
        ) + len(report.uncovered)

    @given(drawn_reports(hostile.filter(bool)))
    def test_can_be_read_if_hostile(self, report: Report) -> None:
        suite_of(report)

    def test_can_be_read_with_any_name(self) -> None:
        suite_of(full_report(), name="\ud800\uffff\n" * 1_000)
