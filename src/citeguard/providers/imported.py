"""The answer that a provider's reply becomes, and what is wrong with its citations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from pydantic import PrivateAttr

from citeguard.sources.collection import Sources, Span
from citeguard.validation.models import Answer, Citation

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """A part of an answer's text that a provider attaches citations to.

    Attributes:
        start: Where it starts in `ImportedAnswer.text`, in code points.
        end: Where it ends, exclusive.
        source_ids: The sources that the provider names for it, in order, each once; those too of
            which no words could be proved.
        citations: The citations whose words were proved.
    """

    start: int
    end: int
    source_ids: tuple[str, ...] = ()
    citations: tuple[Citation, ...] = ()


class ImportedAnswer(Answer):
    """An `Answer` made of a provider's reply: proved citations, and what is wrong with the others.

    The statements are the sentences of the reply, in order. A sentence has the citations of all
    segments that touch it; a segment of several sentences makes one statement of them. A half of a
    sentence that nothing cites is a statement of its own, if a comma or a word such as "and"
    separates it from the cited one. Sentences without citations are statements, too.
    `verify(Answer, imported, sources=imported.sources, policy=...)` has them judged.

    A citation is in the answer only if its words are in a source: at the offsets that the reply
    states, where these prove right, else where the words are found anew. A provider that quotes
    nothing has a citation only where the document says what the statement says, in its words or
    with the support of the reader; either way the finding is `no_quote`. Whatever
    could not be proved is in `findings`.

    Attributes:
        text: The reply's text for readers, without the marks of citations.
        segments: The parts of the text that the reply cites sources for, in order.
        findings: What is wrong with the citations, in the order of the reply; several may be about
            one citation. Empty if everything is as the provider documents it.
        sources: The documents as sources, which the spans of the citations refer to.
    """

    text: str = ""
    segments: tuple[Segment, ...] = ()
    findings: tuple[ImportFinding, ...] = ()
    _sources: Sources | None = PrivateAttr(default=None)

    def __eq__(self, other: object) -> bool:
        """Compare what the reply says, but not the `Sources`, which have no equals."""
        if isinstance(other, ImportedAnswer):
            other = other.model_copy().with_sources(self._sources)
        return super().__eq__(other)

    @property
    def sources(self) -> Sources | None:
        """The sources that the answer cites; `None` if it was loaded from a dump."""
        return self._sources

    def with_sources(self, sources: Sources | None) -> ImportedAnswer:
        """Set the sources that the answer cites, and return the answer itself."""
        self._sources = sources
        return self

    def _rendered_with(self, sources: Any) -> Sources | None:
        return super()._rendered_with(self._sources if sources is None else sources)
