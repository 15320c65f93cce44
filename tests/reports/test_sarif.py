"""An audit as SARIF: its structure by the standard, and that its places are right."""

import json
import re
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot

from citeguard.reports.report import ATTENTION, PROBLEMS, CitationProblem, Correction, Report, Shown
from citeguard.reports.sarif import as_sarif
from reports.samples import (
    HANDBOOK,
    HOSTILE,
    claim_of,
    drawn_reports,
    empty_report,
    full_report,
    good_report,
    hostile_report,
    place_of,
    report_of,
    report_with,
    report_with_problem,
)
from rows import each_row


def run_of(report: Report, **options: Any) -> dict[str, Any]:
    log = json.loads(as_sarif(report, **options))
    assert set(log) == {"$schema", "version", "runs"}
    assert log["version"] == "2.1.0"
    [run] = log["runs"]
    return run


def results_of(report: Report) -> list[dict[str, Any]]:
    return run_of(report)["results"]


def physical(location: dict[str, Any]) -> dict[str, Any]:
    return location["physicalLocation"]


def offset_of(text: str, line: int, column: int) -> int:
    """Return the offset of a line and column as SARIF counts them, by their definition."""
    lines = re.split(r"(?<=\n)", text)
    return sum(map(len, lines[: line - 1])) + column - 1


def require_region(region: dict[str, Any], text: str, start: int, end: int) -> None:
    assert (region["charOffset"], region["charLength"]) == (start, end - start)
    assert offset_of(text, region["startLine"], region["startColumn"]) == start
    assert offset_of(text, region["endLine"], region["endColumn"]) == end
    assert min(region[each] for each in ("startLine", "startColumn", "endLine", "endColumn")) >= 1


class TestLog:
    def test_is_ascii(self) -> None:
        assert as_sarif(hostile_report()).isascii()

    def test_names_the_artifacts(self) -> None:
        assert run_of(full_report(), uri="answers/one.md")["artifacts"] == [
            {"location": {"uri": "answers/one.md", "index": 0}, "roles": ["analysisTarget"]},
            {
                "location": {"uri": "handbook", "uriBaseId": "SOURCES", "index": 1},
                "description": {"text": "Staff handbook"},
            },
            {"location": {"uri": "faq", "uriBaseId": "SOURCES", "index": 2}},
        ]


class TestRules:
    def test_are_one_for_each_problem(self) -> None:
        rules = run_of(empty_report())["tool"]["driver"]["rules"]
        assert [rule["id"] for rule in rules] == [*ATTENTION, "uncertain", *PROBLEMS]
        assert all(rule["shortDescription"]["text"] for rule in rules)
        assert all(rule["fullDescription"]["text"].endswith(".") for rule in rules)


class TestResults:
    @each_row("verdict", ATTENTION)
    def test_of_a_verdict(self, verdict: Shown) -> None:
        [result] = results_of(report_with(verdict))
        levels = {"contradicted": "error", "unsupported": "warning", "undecided": "note"}
        assert (result["ruleId"], result["level"]) == (verdict, levels[verdict])
        assert result["message"] == {"text": f"It is {verdict}."}
        assert result["properties"]["claim"] == 2

    @each_row("problem", PROBLEMS)
    def test_of_a_mark(self, problem: CitationProblem) -> None:
        [result] = results_of(report_with_problem(problem))
        assert result["ruleId"] == problem
        assert result["level"] == PROBLEMS[problem].level
        assert result["properties"]["claims"] == [1]

    def test_has_everything(self) -> None:
        assert results_of(full_report())[0] == snapshot(
            {
                "ruleId": "contradicted",
                "ruleIndex": 0,
                "level": "error",
                "message": {"text": "The claim says 1985; the source says 1984."},
                "locations": [
                    {
                        "physicalLocation": {
                            "artifactLocation": {"uri": "text", "index": 0},
                            "region": {
                                "startLine": 3,
                                "startColumn": 44,
                                "endLine": 3,
                                "endColumn": 96,
                                "charOffset": 79,
                                "charLength": 52,
                            },
                        }
                    }
                ],
                "properties": {
                    "claim": 2,
                    "text": "The institute was founded in 1985 by Marta Lindqvist",
                    "score": 0.06,
                    "judge": "grounding",
                },
                "relatedLocations": [
                    {
                        "id": 1,
                        "message": {"text": "handbook, line 7"},
                        "physicalLocation": {
                            "artifactLocation": {
                                "uri": "handbook",
                                "uriBaseId": "SOURCES",
                                "index": 1,
                            },
                            "region": {
                                "startLine": 7,
                                "startColumn": 13,
                                "endLine": 7,
                                "endColumn": 65,
                                "charOffset": 334,
                                "charLength": 52,
                                "snippet": {
                                    "text": "The institute was founded in 1984 by Marta Lindqvist"
                                },
                            },
                        },
                    }
                ],
                "fixes": [
                    {
                        "description": {
                            "text": "The institute was founded in 1984 by Marta Lindqvist"
                        },
                        "artifactChanges": [
                            {
                                "artifactLocation": {"uri": "text", "index": 0},
                                "replacements": [
                                    {
                                        "deletedRegion": {
                                            "startLine": 3,
                                            "startColumn": 73,
                                            "endLine": 3,
                                            "endColumn": 77,
                                            "charOffset": 108,
                                            "charLength": 4,
                                        },
                                        "insertedContent": {"text": "1984"},
                                    }
                                ],
                            }
                        ],
                    }
                ],
            }
        )

    def test_has_no_fix_without_replacements(self) -> None:
        correction = Correction(claim="It is.", sentence="It is.", replacements=())
        claim = claim_of("It isn't.", "It isn't.", "contradicted", correction=correction)
        assert "fixes" not in results_of(report_of("It isn't.", [claim]))[0]


class TestPlaces:
    @given(drawn_reports() | drawn_reports(st.text(st.sampled_from("\r\n🕐a"), min_size=1)))
    def test_and_rules_and_fixes_are_right(self, report: Report) -> None:
        run = run_of(report)
        texts = {source.id: source.text for source in report.sources}
        urgent = {claim.number: claim for claim in report.with_verdict(*ATTENTION)}
        for result in run["results"]:
            assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
            if (claim := urgent.get(result["properties"].get("claim"))) is None:
                continue
            region = physical(result["locations"][0])["region"]
            require_region(region, report.text, claim.start, claim.end)
            for related in result.get("relatedLocations", []):
                assert claim.deciding is not None
                place = claim.deciding
                region = physical(related)["region"]
                require_region(region, texts[place.source_id], place.start, place.end)
                assert region["snippet"]["text"] == place.text
            for fix in result.get("fixes", []):
                [change] = fix["artifactChanges"]
                [replacement] = change["replacements"]
                require_region(replacement["deletedRegion"], report.text, claim.start, claim.end)
                assert claim.correction is not None
                assert replacement["insertedContent"]["text"] == claim.correction.claim

    def test_in_a_source_that_is_not_there(self) -> None:
        place = place_of(HANDBOOK, "The notice period is one month.")
        text = "It is two months."
        claim = claim_of(text, text, "contradicted", deciding=place)
        [result] = results_of(report_of(text, [claim], sources=()))
        location = physical(result["relatedLocations"][0])
        assert location == {
            "artifactLocation": {"uri": "handbook", "uriBaseId": "SOURCES"},
            "region": {
                "charOffset": place.start,
                "charLength": place.end - place.start,
                "snippet": {"text": place.text},
            },
        }


class TestMessages:
    @each_row(
        ("explanation", "message"),
        [
            ("{0} of {", "{{0}} of {{"),
            ("[here](http://evil.example)", "[here] (http://evil.example)"),
            ("two\nlines\x1b", "two lines\\u001b"),
        ],
    )
    def test_have_no_placeholder_and_no_link(self, explanation: str, message: str) -> None:
        claim = claim_of("So.", "So.", "undecided", explanation=explanation)
        assert results_of(report_of("So.", [claim]))[0]["message"]["text"] == message


class TestUri:
    @each_row(
        ("uri", "encoded"),
        [
            ("docs/answer.md", "docs/answer.md"),
            ("file:///a%20b", "file:///a%20b"),
            ("a b/ü.md", "a%20b/%C3%BC.md"),
            ("\ud800", "%ED%A0%80"),
        ],
    )
    def test_is_encoded(self, uri: str, encoded: str) -> None:
        assert run_of(good_report(), uri=uri)["artifacts"][0]["location"]["uri"] == encoded

    def test_of_a_source_is_one_step(self) -> None:
        uri = run_of(hostile_report())["artifacts"][1]["location"]["uri"]
        assert re.fullmatch(r"[\w.~%-]+", uri)
        assert "%3Cscript%3E" in uri
        assert HOSTILE not in uri
