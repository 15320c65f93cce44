"""A report as SARIF, which code scanning and editors show: `as_sarif`."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator
from importlib.metadata import version as version_of
from typing import Any
from urllib.parse import quote

from citeguard.language.excerpts import shown
from citeguard.reports.report import (
    ATTENTION,
    PROBLEMS,
    CheckedClaim,
    CitationFinding,
    Correction,
    Place,
    Report,
)
from citeguard.reports.wording import UNCERTAIN, VERDICTS, doubt_text, source_and_place

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)

_MESSAGE_LIMIT = 2_000
_SOURCES = "SOURCES"
_TEXT = 0  # where the audited text is among the artifacts; the sources follow

_CLAIM_LEVELS = {"contradicted": "error", "unsupported": "warning", "undecided": "note"}
# Results name their rule, and its position here.
_RULES: dict[str, tuple[str, str, str]] = {
    **{
        name: (VERDICTS[name].label, VERDICTS[name].meaning, _CLAIM_LEVELS[name])
        for name in ATTENTION
    },
    "uncertain": (UNCERTAIN.label, UNCERTAIN.meaning, "note"),
    **{name: kind[:3] for name, kind in PROBLEMS.items()},
}


def as_sarif(report: Report, *, uri: str = "text") -> str:
    """Return a report as a SARIF 2.1.0 log, with a result for each claim or mark with a problem.

    Contradicted claims are errors, unsupported ones warnings, and undecided and uncertain ones
    notes; `PROBLEMS` ranks the problems with citations. A result has the place of the words in the
    text and that of the deciding words in their source, and its fix is the claim's correction.
    Lines end with a line feed; columns and offsets are in code points. Sources are located by their
    ids, relative to `SOURCES`, for which the log gives no location; the text is at `uri`, in which
    characters that no URI may have are percent-encoded. The JSON is in ASCII.

    Examples:
        >>> from citeguard import Report
        >>> report = Report(text="", sources=(), claims=())
        >>> json.loads(as_sarif(report))["runs"][0]["results"]
        []
    """
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [_Run(report, uri).as_data()]}
    # In ASCII, so that lone surrogates of a text are written, too.
    return json.dumps(log, indent=2) + "\n"


class _Run:
    """A run of the log, with the lines of all texts."""

    def __init__(self, report: Report, uri: str) -> None:
        self._report = report
        self._text_location = {"uri": _encoded(uri), "index": _TEXT}
        self._lines = _Lines(report.text)
        self._source_lines = {source.id: _Lines(source.text) for source in report.sources}
        self._indexes = {source.id: at for at, source in enumerate(report.sources, start=_TEXT + 1)}

    def as_data(self) -> dict[str, Any]:
        return {
            "tool": {"driver": _driver()},
            "columnKind": "unicodeCodePoints",
            "originalUriBaseIds": {_SOURCES: {"description": {"text": "The sources, by id."}}},
            "artifacts": [*self._artifacts()],
            "results": [*self._results()],
            "properties": {
                "trust": None if (trust := self._report.trust) is None else trust.value,
                "coverage": None if trust is None else trust.coverage,
                "claims": self._report.counts,
            },
        }

    def _artifacts(self) -> Iterator[dict[str, Any]]:
        yield {"location": self._text_location, "roles": ["analysisTarget"]}
        for source in self._report.sources:
            described = {"description": _message(source.title)} if source.title else {}
            yield {"location": self._source_location(source.id), **described}

    def _source_location(self, source_id: str) -> dict[str, Any]:
        indexed = {"index": at} if (at := self._indexes.get(source_id)) is not None else {}
        return {"uri": _encoded(source_id, safe=""), "uriBaseId": _SOURCES, **indexed}

    def _results(self) -> Iterator[dict[str, Any]]:
        for claim in self._report.claims:
            if claim.shown in ATTENTION or claim.is_uncertain:
                yield self._of_claim(claim)
        for finding in self._report.findings:
            yield self._of_finding(finding)

    def _of_claim(self, claim: CheckedClaim) -> dict[str, Any]:
        known = {"score": claim.score, "judge": claim.judge}
        known |= {"place": claim.place} if claim.place else {}
        doubts = doubt_text(claim.decisive[0]) if claim.is_uncertain else ""
        result = {
            **_ruled("uncertain" if claim.is_uncertain else claim.shown),
            "message": _message(doubts or claim.explanation),
            "locations": [self._in_text(claim.start, claim.end)],
            "properties": {"claim": claim.number, "text": claim.text, **known},
        }
        if claim.deciding is not None:
            result["relatedLocations"] = [self._in_source(claim.deciding)]
        if claim.correction is not None and claim.correction.replacements:
            result["fixes"] = [self._fix(claim.correction)]
        return result

    def _of_finding(self, finding: CitationFinding) -> dict[str, Any]:
        known = {"cited": finding.cited, "better": finding.better}
        return {
            **_ruled(finding.problem),
            "message": _message(finding.message),
            "locations": [self._in_text(finding.start, finding.end)],
            "properties": {"claims": finding.claims, **known},
        }

    def _in_text(self, start: int, end: int) -> dict[str, Any]:
        region = self._lines.region(start, end)
        return {"physicalLocation": {"artifactLocation": self._text_location, "region": region}}

    def _in_source(self, place: Place) -> dict[str, Any]:
        if (lines := self._source_lines.get(place.source_id)) is not None:
            region = lines.region(place.start, place.end)
        else:
            region = {"charOffset": place.start, "charLength": place.end - place.start}
        return {
            "id": 1,
            "message": _message(source_and_place(place)),
            "physicalLocation": {
                "artifactLocation": self._source_location(place.source_id),
                "region": {**region, "snippet": {"text": place.text}},
            },
        }

    def _fix(self, correction: Correction) -> dict[str, Any]:
        replacements = [
            {
                "deletedRegion": self._lines.region(each.start, each.end),
                "insertedContent": {"text": each.text},
            }
            for each in correction.replacements
        ]
        changed = {"artifactLocation": self._text_location, "replacements": replacements}
        return {"description": _message(correction.sentence), "artifactChanges": [changed]}


def _driver() -> dict[str, Any]:
    rules = [
        {
            "id": rule,
            "name": label.title().replace(" ", ""),
            "shortDescription": {"text": label},
            "fullDescription": {"text": meaning},
            "help": {"text": meaning},
            "defaultConfiguration": {"level": level},
        }
        for rule, (label, meaning, level) in _RULES.items()
    ]
    return {"name": "citeguard", "version": version_of("pydantic-citeguard"), "rules": rules}


def _ruled(rule: str) -> dict[str, Any]:
    return {"ruleId": rule, "ruleIndex": [*_RULES].index(rule), "level": _RULES[rule][2]}


class _Lines:
    """The starts of a text's lines, found once."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(feed.end() for feed in re.finditer("\n", text))]

    def region(self, start: int, end: int) -> dict[str, int]:
        """Return the place of `text[start:end]`; lines and columns from 1, the end exclusive."""
        region = {"charOffset": start, "charLength": end - start}
        for name, offset in (("start", start), ("end", end)):
            line = bisect_right(self._starts, offset)
            column = offset - self._starts[line - 1] + 1
            region |= {f"{name}Line": line, f"{name}Column": column}
        return region


def _message(text: str) -> dict[str, str]:
    """Return a message on one line that has no placeholder and no link, whatever is in the text."""
    message = shown(text, _MESSAGE_LIMIT)
    # SARIF reads `{0}` as a placeholder, and `[words](target)` as a link.
    return {"text": message.replace("{", "{{").replace("}", "}}").replace("](", "] (")}


def _encoded(uri: str, safe: str = "/:?#[]@!$&'()*+,;=%") -> str:
    # An id may have half a character.
    return quote(uri, safe=safe, errors="surrogatepass")
