"""What is measured: statements with what they cite, `CitedStatement`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

from citeguard.errors import CiteguardError
from citeguard.judges.verdicts import Evidence
from citeguard.sources.collection import Sources
from citeguard.validation.context import Grounding
from citeguard.validation.evidence import cited_evidence
from citeguard.validation.models import Answer, Citation, Statement
from citeguard.validation.policy import Policy

Shown = Literal["quote", "sentence", "source"]
"""What a judge sees of a citation, as in `Policy.evidence`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedStatement:
    """A statement and what it cites, to be measured; nothing of it has to stand in a source.

    Attributes:
        text: The statement.
        citations: For each citation the passage, as a text or as `Evidence`, or several passages.
            One without any words supports nothing.

    Raises:
        CiteguardError: what is no text, or no sequence of citations.

    Examples:
        >>> CitedStatement(text="It takes a month.", citations=["Notice is one month."]).passages
        ((Evidence(text='Notice is one month.', source_id=None, start=0),),)
    """

    text: str
    citations: Sequence[str | Evidence | Sequence[Evidence]] = ()

    def __post_init__(self) -> None:
        """Refuse what no judge could be asked about; copy the citations, so that they stay."""
        given: Any = self.citations
        if not isinstance(self.text, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise CiteguardError(f"a statement must be a text, not {self.text!r}")
        if isinstance(given, str) or not isinstance(given, Sequence):
            raise CiteguardError(f"citations must be a list, not {given!r}")
        read = tuple(_passages(citation) for citation in cast("Sequence[Any]", given))
        object.__setattr__(self, "citations", read)

    @property
    def passages(self) -> tuple[tuple[Evidence, ...], ...]:
        """The passages of each citation."""
        return cast("tuple[tuple[Evidence, ...], ...]", self.citations)


def cited_statements(
    answer: Answer, sources: Any, *, evidence: Shown = "sentence"
) -> list[CitedStatement]:
    """Return the statements of a validated answer with what judges are to see of their citations.

    Args:
        answer: The answer, validated against these sources.
        sources: The sources, or whatever `Sources` accepts.
        evidence: What is seen of a citation: its `quote`, the sentences that it stands in, or the
            whole `source`; as in `Policy`. An elided quote has several passages.

    Raises:
        CiteguardError: another choice, an answer that was not validated, or one against other
            sources.

    Examples:
        >>> from citeguard import verify
        >>> sources = Sources({"handbook": "Notice is one month. Lunch is free."})
        >>> citation = {"quote": "one month", "source_id": "handbook"}
        >>> data = {"statements": [{"text": "It takes a month.", "citations": [citation]}]}
        >>> answer = verify(Answer, data, sources=sources)
        >>> cited_statements(answer, sources)[0].passages[0][0].text
        'Notice is one month.'
    """
    if evidence not in ("quote", "sentence", "source"):
        raise CiteguardError(
            f"evidence=... must be 'quote', 'sentence' or 'source', not {evidence!r}"
        )
    if not isinstance(answer, Answer):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise CiteguardError(f"cited_statements(...) takes an Answer, not {answer!r}")
    prepared = sources if isinstance(sources, Sources) else Sources(sources)
    grounding = Grounding(prepared, Policy(evidence=evidence))
    return [_cited(statement, grounding) for statement in answer.statements]


def _cited(statement: Statement, grounding: Grounding) -> CitedStatement:
    shown = [_shown(statement, citation, grounding) for citation in statement.citations]
    return CitedStatement(text=statement.text, citations=shown)


def _shown(statement: Statement, citation: Citation, grounding: Grounding) -> list[Evidence]:
    if not citation.spans:
        raise CiteguardError("the answer was not validated: a citation has no place in a source")
    return cited_evidence(statement.text, [citation.spans], grounding)


def _passages(citation: Any) -> tuple[Evidence, ...]:
    if isinstance(citation, str):
        return (Evidence(text=citation),)
    if isinstance(citation, Evidence):
        return (citation,)
    passages: tuple[Any, ...] = tuple(citation) if isinstance(citation, Sequence) else ()  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    if not isinstance(citation, Sequence) or not all(isinstance(p, Evidence) for p in passages):
        raise CiteguardError(f"a citation must be a text or Evidence, not {citation!r}")
    return passages
