"""A report as JUnit-style XML, which CI systems show as test reports: `as_junit`."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree import ElementTree

from citeguard.language.citations import ReadableText
from citeguard.reports.report import PROBLEMS, Place, Report
from citeguard.reports.wording import (
    as_line,
    facts_of,
    label_of,
    source_and_place,
    words_of_finding,
)

_NAME_LIMIT = 120


def as_junit(report: Report, *, name: str = "citeguard.audit") -> str:
    """Return a report as JUnit-style XML, with a test for each claim.

    A claim that is contradicted or unsupported is a failure, one that is undecided, or whose
    support is uncertain, an error, and one that is not checkable is skipped. A problem with a
    citation is a test of its own, whose outcome is as `PROBLEMS` says. Problems that make no text
    fail, and sentences without a claim, are skipped tests. The classes of tests begin with the name
    of the suite. Characters that XML cannot hold are written out.

    Examples:
        >>> from citeguard import Report
        >>> report = Report(text="", sources=(), claims=())
        >>> print(as_junit(report, name="answer"))
        <?xml version='1.0' encoding='utf-8'?>
        <testsuites name="answer" tests="0" failures="0" errors="0" skipped="0">
          <testsuite name="answer" tests="0" failures="0" errors="0" skipped="0" />
        </testsuites>
        <BLANKLINE>
    """
    name = as_line(name, _NAME_LIMIT)
    tests = [*_tests(report, name)]
    counts = {"name": name, "tests": str(len(tests))}
    for counted, outcome in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        counts[counted] = str(sum(test.find(outcome) is not None for test in tests))
    suites = ElementTree.Element("testsuites", counts)
    suite = ElementTree.SubElement(suites, "testsuite", counts)
    suite.extend(tests)
    ElementTree.indent(suites)
    return ElementTree.tostring(suites, "utf-8", xml_declaration=True).decode() + "\n"


def _tests(report: Report, suite: str) -> Iterator[ElementTree.Element]:
    def where(place: Place) -> str:
        return as_line(source_and_place(place))

    text = ReadableText(report.text)
    for claim in report.claims:
        test = _test(f"{claim.number}. {claim.text}", f"{suite}.claims")
        if claim.shown == "set_aside":
            _add(test, "skipped", claim.set_aside or "not checkable")
        elif claim.shown != "supported" or claim.is_uncertain:
            kind = "error" if claim.shown in ("undecided", "supported") else "failure"
            message = f"{label_of(claim)}: {claim.explanation}"
            facts = (fact.line(as_line, where) for fact in facts_of(claim))
            place = f" ({as_line(claim.place)})" if claim.place else ""
            details = [f"Claim{place}: {as_line(claim.text)}", as_line(claim.explanation), *facts]
            name = "uncertain" if claim.is_uncertain else claim.shown
            _add(test, kind, message, type=name).text = "\n".join(details)
        yield test
    for finding in report.findings:
        kind = PROBLEMS[finding.problem]
        words = words_of_finding(finding, text)
        test = _test(f"{kind.label}: “{words}”", f"{suite}.citations")
        if kind.effect == "shown":
            _add(test, "skipped", finding.message)
        else:
            tag = "failure" if kind.effect == "failed" else "error"
            outcome = _add(test, tag, finding.message, type=finding.problem)
            outcome.text = as_line(finding.message)
        yield test
    for sentence in report.uncovered:
        test = _test(f"“{text[sentence.start : sentence.end]}”", f"{suite}.uncovered")
        _add(test, "skipped", "this sentence has no claim")
        yield test


def _test(name: str, suite: str) -> ElementTree.Element:
    return ElementTree.Element("testcase", classname=suite, name=as_line(name, _NAME_LIMIT))


def _add(
    test: ElementTree.Element, outcome: str, message: str, **attributes: str
) -> ElementTree.Element:
    return ElementTree.SubElement(test, outcome, {"message": as_line(message), **attributes})
