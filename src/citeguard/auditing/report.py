"""The result of an audit, and the forms in which it is written: `AuditReport`."""

from __future__ import annotations

import json
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from citeguard.auditing.results import AuditResult

if TYPE_CHECKING:
    from rich.console import RenderableType


class AuditReport(AuditResult):
    """A text, claim by claim, beside its sources, with methods that write it in several forms.

    It is complete: `model_dump_json` writes all of it, including the texts of the sources, and
    `AuditReport.model_validate_json` reads that again. `AuditResult` describes the fields.

    Examples:
        >>> from citeguard import audit
        >>> report = audit("The notice period is one month.", "The notice period is one month.")
        >>> report.claims[0].verdict
        'supported'
    """

    def to_html(self, path: str | PathLike[str] | None = None, *, title: str | None = None) -> str:
        """Return the report as one self-contained page, and write it to a file if a path is given.

        The page loads nothing from outside, and everything in it is escaped.

        Args:
            path: A file to write, as UTF-8.
            title: The page's title.

        Raises:
            OSError: the file cannot be written.
        """
        from citeguard.auditing.outputs.html.rendering import as_html

        return _written(as_html(self, title=title), path)

    def to_json(self, path: str | PathLike[str] | None = None) -> str:
        """Return all of the report as JSON in ASCII, whatever characters the sources have.

        `AuditReport.model_validate_json` reads it.

        Args:
            path: A file to write.

        Raises:
            OSError: the file cannot be written.
        """
        return _written(json.dumps(self.model_dump(mode="json"), indent=2), path)

    def to_markdown(self, path: str | PathLike[str] | None = None) -> str:
        """Return the report as Markdown, for a comment on a change or the summary of a CI run.

        Args:
            path: A file to write, as UTF-8.

        Raises:
            OSError: the file cannot be written.
        """
        from citeguard.auditing.outputs.markdown import as_markdown

        return _written(as_markdown(self), path)

    def to_sarif(self, path: str | PathLike[str] | None = None, *, uri: str = "text") -> str:
        """Return the problems as SARIF 2.1.0, which code hosts show at the lines of a file.

        Args:
            path: A file to write, as UTF-8.
            uri: The audited text's file, relative to the root of its repository.

        Raises:
            OSError: the file cannot be written.
        """
        from citeguard.auditing.outputs.sarif import as_sarif

        return _written(as_sarif(self, uri=uri), path)

    def to_junit(
        self, path: str | PathLike[str] | None = None, *, name: str = "citeguard.audit"
    ) -> str:
        """Return the report as JUnit-style XML, with a test for every claim.

        Args:
            path: A file to write, as UTF-8.
            name: The name of the test suite.

        Raises:
            OSError: the file cannot be written.
        """
        from citeguard.auditing.outputs.junit import as_junit

        return _written(as_junit(self, name=name), path)

    def _repr_html_(self) -> str:
        """Show the report in a notebook."""
        from citeguard.auditing.outputs.html.rendering import as_fragment

        return as_fragment(self)

    def __rich__(self) -> RenderableType:
        """Show the report in a terminal, with `rich.print`."""
        from citeguard.auditing.outputs.terminal import as_renderable

        return as_renderable(self)


def _written(content: str, path: str | PathLike[str] | None) -> str:
    if path is not None:
        Path(path).write_text(content, encoding="utf-8")
    return content
