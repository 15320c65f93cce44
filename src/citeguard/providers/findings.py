"""What is wrong with the citations of a provider's reply: `ImportFinding`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from citeguard.sources.collection import Span

FindingKind = Literal[
    "wrong_unit",
    "end_inclusive",
    "wrong_part",
    "offset_wrong",
    "ambiguous",
    "index_out_of_range",
    "wrong_index",
    "zero_or_negative_marker",
    "missing_source",
    "redirect_uri",
    "location_missing",
    "no_quote",
    "not_read",
    "text_not_in_document",
    "text_in_other_document",
    "text_on_other_page",
]
"""The kinds of findings; docs/how-to/provider-citations.md says what each means."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportFinding:
    """Something that is wrong with one citation of a reply, or that it lacks.

    Attributes:
        kind: What is wrong.
        path: Where in the reply the citation is, in the names of the SDK for Python:
            "content[1].citations[0]".
        message: What is wrong, in a sentence.
        source_id: The source that the citation names; `None` if that is not known.
        quote: The words that the provider says it cites; `None` if it does not say.
        span: Where the words that the answer now cites are; `None` if nothing could be proved.
        segment: The part of `ImportedAnswer.text` that is cited, half-open, in code points.

    Examples:
        >>> finding = ImportFinding(kind="no_quote", path="citations[0]", message="No words.")
        >>> finding.is_lost
        True
    """

    kind: FindingKind
    path: str
    message: str
    source_id: str | None = None
    quote: str | None = None
    span: Span | None = None
    segment: tuple[int, int] | None = None

    @property
    def is_lost(self) -> bool:
        """Whether the answer lacks the citation, because no words of a source could be proved."""
        return self.span is None

    def __str__(self) -> str:
        """Return the finding on one line."""
        return f"{self.kind} at {self.path}: {self.message}"
