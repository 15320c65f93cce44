"""An audit as JUnit's XML: what is a failure, and that any text can be read back."""

from xml.etree import ElementTree

from hypothesis import given
from inline_snapshot import snapshot

from citeguard.reports.junit import as_junit
from citeguard.reports.report import BY_URGENCY, PROBLEMS, CitationProblem, Report, Shown
from hostile import hostile
from reports.samples import (
    drawn_reports,
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
<testsuites name="citeguard.audit" tests="15" failures="6" errors="1" skipped="3">
  <testsuite name="citeguard.audit" tests="15" failures="6" errors="1" skipped="3">
    <testcase classname="citeguard.audit.claims" name="1. The notice period is one month" />
    <testcase classname="citeguard.audit.claims" name="2. The institute was founded in 1985 by Marta Lindqvist">
      <failure message="Contradicted: The claim says 1985; the source says 1984." type="contradicted">Claim: The institute was founded in 1985 by Marta Lindqvist
The claim says 1985; the source says 1984.
Source: “The institute was founded in 1984 by Marta Lindqvist” (handbook, line 7)
Correction: The institute was founded in 1984 by Marta Lindqvist</failure>
    </testcase>
    <testcase classname="citeguard.audit.claims" name="3. Lunch is free for everybody">
      <failure message="Unsupported: The source says so of employees; it says that guests pay." type="unsupported">Claim: Lunch is free for everybody
The source says so of employees; it says that guests pay.
Source: “Lunch is free for all employees” (faq, line 1)</failure>
    </testcase>
    <testcase classname="citeguard.audit.claims" name="4. visitors need a badge to enter the laboratory" />
    <testcase classname="citeguard.audit.claims" name="5. The campus has a swimming pool">
      <failure message="Unsupported: No source says anything of a swimming pool." type="unsupported">Claim: The campus has a swimming pool
No source says anything of a swimming pool.</failure>
    </testcase>
    <testcase classname="citeguard.audit.claims" name="6. In my opinion it is the nicest place to work in the city">
      <skipped message="opinion" />
    </testcase>
    <testcase classname="citeguard.audit.claims" name="7. Parking spaces can be booked by the hour">
      <failure message="Contradicted: The source says that they cannot be reserved." type="contradicted">Claim: Parking spaces can be booked by the hour
The source says that they cannot be reserved.
Source: “They cannot be reserved.” (faq, line 3)</failure>
    </testcase>
    <testcase classname="citeguard.audit.claims" name="8. The institute moved to the old rope works in 1997" />
    <testcase classname="citeguard.audit.claims" name="9. Guests pay 9 euros for lunch" />
    <testcase classname="citeguard.audit.claims" name="10. Badges are handed out at the main gate" />
    <testcase classname="citeguard.audit.claims" name="11. Staff may work from home on some days">
      <error message="Undecided: The judge did not answer in time." type="undecided">Claim: Staff may work from home on some days
The judge did not answer in time.</error>
    </testcase>
    <testcase classname="citeguard.audit.citations" name="Wrong source: “[faq]”">
      <failure message="faq does not say this; cite handbook." type="wrong_source">faq does not say this; cite handbook.</failure>
    </testcase>
    <testcase classname="citeguard.audit.citations" name="Uncited: “The campus has a swimming pool”">
      <skipped message="This claim cites nothing." />
    </testcase>
    <testcase classname="citeguard.audit.citations" name="Unknown source: “[rules]”">
      <failure message="No source is called rules." type="unknown_id">No source is called rules.</failure>
    </testcase>
    <testcase classname="citeguard.audit.uncovered" name="“Welcome aboard!”">
      <skipped message="this sentence has no claim" />
    </testcase>
  </testsuite>
</testsuites>
""")  # noqa: E501

    def test_has_the_name(self) -> None:
        suite = suite_of(full_report(), name="answers & <co>\x00\ud800")
        assert suite.attrib["name"] == "answers & <co>\\u0000\\ud800"
        assert {test.attrib["classname"].split(">")[1] for test in suite.iter("testcase")} == {
            *("\\u0000\\ud800.claims", "\\u0000\\ud800.citations", "\\u0000\\ud800.uncovered"),
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

    @given(drawn_reports() | drawn_reports(hostile.filter(bool)))
    def test_can_be_read(self, report: Report) -> None:
        assert len(suite_of(report).findall("testcase")) == len(report.claims) + len(
            report.findings
        ) + len(report.uncovered)
