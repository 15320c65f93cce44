"""An audit as JUnit-style XML, which CI systems show as test reports: `as_junit`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree

from citeguard.language.citations import ReadableText
from citeguard.language.excerpts import shown
from citeguard.reports.report import (
    FAILING,
    FAILING_PROBLEMS,
    UNDECIDED_PROBLEMS,
    CheckedClaim,
    CitationFinding,
    Report,
    Uncovered,
)
from citeguard.reports.wording import (
    LABELS,
    PROBLEM_LABELS,
    source_and_place,
    words_of_finding,
)

_NAME_LIMIT = 120
_TEXT_LIMIT = 2_000
_OUTCOMES = {"failures": "failure", "errors": "error", "skipped": "skipped"}

# XML cannot hold these, not even as references; `shown` writes out the others.
_NO_CHARACTERS = re.compile("[\ufffe\uffff]")


def as_junit(report: Report, *, name: str = "citeguard.audit") -> str:
    """Return an audit as JUnit-style XML, with a test for each claim.

    A claim that is contradicted or unsupported is a failure, one that is
    undecided an error, and one that is not checkable is skipped. A citation mark with an unknown or
    wrong source is a failure of its own, and so is a dead link; a link that could not be read is an
    error. Other findings on marks and labels, and a sentence without
    a claim, are skipped tests, since they make no text fail.

    Args:
        report: The audit.
        name: The name of the suite, with which the classes of its tests begin.

    Returns:
        A document with a declaration of UTF-8. Characters that XML cannot hold are written out.

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
    name = _held(name, _NAME_LIMIT)
    tests = [*_tests(report, name)]
    counts = {"name": name, "tests": str(len(tests)), **_counts(tests)}
    suites = ElementTree.Element("testsuites", counts)
    suite = ElementTree.SubElement(suites, "testsuite", counts)
    if report.trust is not None:
        properties = ElementTree.SubElement(suite, "properties")
        scores = {"trust": report.trust.value, "coverage": report.trust.coverage}
        for kind, score in scores.items():
            if score is None:
                continue
            ElementTree.SubElement(properties, "property", name=kind, value=f"{score:g}")
    suite.extend(tests)
    ElementTree.indent(suites)
    return ElementTree.tostring(suites, "utf-8", xml_declaration=True).decode() + "\n"


def _counts(tests: list[ElementTree.Element]) -> dict[str, str]:
    return {
        counted: str(sum(test.find(outcome) is not None for test in tests))
        for counted, outcome in _OUTCOMES.items()
    }


def _tests(report: Report, name: str) -> Iterator[ElementTree.Element]:
    text = ReadableText(report.text)
    for claim in report.claims:
        yield _of_claim(claim, f"{name}.claims")
    for finding in report.findings:
        yield _of_finding(finding, text, f"{name}.citations")
    for sentence in report.uncovered:
        yield _of_uncovered(sentence, text, f"{name}.uncovered")


def _of_claim(claim: CheckedClaim, suite: str) -> ElementTree.Element:
    test = _test(f"{claim.number}. {claim.text}", suite)
    if claim.shown == "set_aside":
        _add(test, "skipped", claim.set_aside or "not checkable")
    elif claim.shown != "supported":
        kind = "failure" if claim.shown in FAILING else "error"
        message = f"{LABELS[claim.shown]}: {claim.explanation}"
        _add(test, kind, message, type=claim.shown).text = "\n".join(_details(claim))
    return test


def _details(claim: CheckedClaim) -> Iterator[str]:
    yield f"Claim: {_held(claim.text)}"
    yield _held(claim.explanation)
    if (place := claim.deciding) is not None:
        yield f"Source: “{_held(place.text)}” ({_held(source_and_place(place))})"
    if claim.correction is not None:
        yield f"Correction: {_held(claim.correction.claim)}"


def _of_finding(finding: CitationFinding, text: ReadableText, suite: str) -> ElementTree.Element:
    words = words_of_finding(finding, text)
    test = _test(f"{PROBLEM_LABELS[finding.problem]}: “{words}”", suite)
    if finding.problem in FAILING_PROBLEMS | UNDECIDED_PROBLEMS:
        kind = "failure" if finding.problem in FAILING_PROBLEMS else "error"
        outcome = _add(test, kind, finding.message, type=finding.problem)
        outcome.text = _held(finding.message)
    else:
        _add(test, "skipped", finding.message)
    return test


def _of_uncovered(sentence: Uncovered, text: ReadableText, suite: str) -> ElementTree.Element:
    test = _test(f"“{text[sentence.start : sentence.end]}”", suite)
    _add(test, "skipped", "this sentence has no claim")
    return test


def _test(name: str, suite: str) -> ElementTree.Element:
    return ElementTree.Element("testcase", classname=suite, name=_held(name, _NAME_LIMIT))


def _add(
    test: ElementTree.Element, outcome: str, message: str, **attributes: str
) -> ElementTree.Element:
    return ElementTree.SubElement(test, outcome, {"message": _held(message), **attributes})


def _held(text: str, limit: int = _TEXT_LIMIT) -> str:
    """Return a text on one line, without what XML cannot hold."""
    return shown(_NO_CHARACTERS.sub(lambda sign: f"\\u{ord(sign[0]):04x}", text), limit)
