"""What `audit` and `fact-check` share: the files of a report, and how it is shown and judged."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from citeguard.cli.arguments import STANDARD_STREAM, option
from citeguard.cli.output import ExitStatus, plain_console, require_outputs, write_output

if TYPE_CHECKING:
    from citeguard.reports.report import Report

STATUSES: Mapping[str, ExitStatus] = {
    "passed": ExitStatus.PASSED,
    "failed": ExitStatus.FAILED,
    "undecided": ExitStatus.UNDECIDED,
}
"""The exit status of each `Report.outcome`."""

_output = partial(option, "FILE", group="Files to write; - is standard output")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportFiles:
    """The files to write a report to, as the options name them."""

    html: Annotated[str | None, _output("A page to read and share.")] = None
    json: Annotated[str | None, _output("The whole report, for programs.")] = None
    markdown: Annotated[str | None, _output("A comment for a pull request, or a summary.")] = None
    sarif: Annotated[str | None, _output("Results in the text, for code scanning and editors.")] = (
        None
    )
    junit: Annotated[str | None, _output("Each claim as a test, for test reports.")] = None

    @property
    def _paths(self) -> dict[str, str]:
        named = {each.name: getattr(self, each.name) for each in fields(self)}
        return {kind: path for kind, path in named.items() if path is not None}

    def require(self, inputs: Iterable[str]) -> None:
        """Reject, before long work, files that cannot be written or would replace an input."""
        require_outputs(self._paths, inputs)

    def write(self, report: Report, *, title: str, uri: str = "text") -> None:
        """Write a report to all of them, and show it unless one is standard output.

        Args:
            report: The report.
            title: The title of the page.
            uri: Where the text is, for SARIF.
        """
        options: dict[str, dict[str, Any]] = {"html": {"title": title}, "sarif": {"uri": uri}}
        for kind, path in self._paths.items():
            content = getattr(report, f"to_{kind}")(**options.get(kind, {}))
            write_output(path, content.rstrip("\n") + "\n")
        if STANDARD_STREAM not in self._paths.values():
            # Not cropped: a link that is cut cannot be opened.
            plain_console().print(report, crop=False)
