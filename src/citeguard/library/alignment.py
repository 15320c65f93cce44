"""A judge of whether what an answer quotes answers the question: `RelevanceJudge`."""

from __future__ import annotations

from collections.abc import Sequence

from citeguard.errors import check_number
from citeguard.judges.judge import local_settings
from citeguard.judges.verdicts import (
    Alignment,
    AlignmentQuestion,
    Evidence,
    SupportQuestion,
    Verdict,
)
from citeguard.language.excerpts import as_json
from citeguard.library.extraction import LEAST
from citeguard.library.relevance import AskedQuestion, Relevance
from citeguard.sources.collection import Passage, Sources

VERSION = "1"
"""Part of the key of cached verdicts."""

_PASSAGES = 8
_MOST_NAMED = 4  # words of the question in a reason


class RelevanceJudge:
    """Judges whether the citations of an answer answer its question, by words.

    Args:
        sources: The sources of the answer, for titles, headings and what is around the quotes.
        found: The passages that were found for the question; by default, the sources are searched
            for them, which takes an index of all their words.
        supported_from: The least score of a citation that answers the question, 0 to 1, inclusive.

    Attributes:
        settings: How it is asked.
    """

    name = "relevance"

    def __init__(
        self,
        sources: Sources | None = None,
        *,
        found: Sequence[Passage] | None = None,
        supported_from: float = LEAST,
    ) -> None:
        check_number("RelevanceJudge(supported_from=...)", supported_from, 0, 1)
        self._sources, self._known, self._least = sources, found, supported_from
        self.settings = local_settings(supported_from, VERSION, model=None, cache=None)

    def __repr__(self) -> str:
        """Show the threshold."""
        return f"RelevanceJudge(supported_from={self._least})"

    def align(self, question: AlignmentQuestion) -> Alignment:
        """Return whether the citations answer the question, or it is rightly left open."""
        text = question.question
        if text is None or not text.strip():
            return Alignment(answer=self._verdict("supported", "no question is known"))
        asked = AskedQuestion(text, background=[each.text for each in self._found(text)])
        if not question.statements:
            return Alignment(answer=self._left_open(asked, question))
        scored = [self._best(asked, each) for each in question.statements]
        known = [each for each in scored if each is not None]
        best = max(known, key=lambda each: each.score, default=Relevance(score=0.0))
        if best.score >= self._least:
            return Alignment(answer=self._verdict("supported", "A quote answers it.", best.score))
        return Alignment(answer=self._verdict("unsupported", _reason(best), best.score))

    def _left_open(self, asked: AskedQuestion, question: AlignmentQuestion) -> Verdict:
        best = max((self._relevance(asked, each).score for each in question.passages), default=0.0)
        if best >= 0.95:
            return self._verdict("unsupported", "A passage of the sources answers it.", 1 - best)
        return self._verdict("supported", "No passage found answers it.", 1 - best)

    def _best(self, asked: AskedQuestion, statement: SupportQuestion) -> Relevance | None:
        found = [self._relevance(asked, each) for each in statement.evidence]
        return max(found, key=lambda each: each.score, default=None)

    def _relevance(self, asked: AskedQuestion, evidence: Evidence) -> Relevance:
        sources = self._sources
        if sources is None or evidence.source_id is None or evidence.source_id not in sources:
            return asked.relevance(evidence.text)
        source = sources[evidence.source_id]
        headings = source.layout.headings_at(evidence.start) if source.layout else ()
        return asked.relevance(evidence.text, headings=headings, title=source.title or "")

    def _found(self, question: str) -> Sequence[Passage]:
        if self._known is not None:
            return self._known
        return [] if self._sources is None else self._sources.search(question, k=_PASSAGES)

    def _verdict(self, outcome: str, reason: str, score: float | None = None) -> Verdict:
        return Verdict(outcome, reason=reason, score=score, judge=self.name)  # pyright: ignore


def _reason(best: Relevance) -> str:
    if not best.missing:
        return "none of the quotes says what is asked"
    words = ", ".join(as_json(word, 40) for word in best.missing[:_MOST_NAMED])
    return f"none of the quotes says anything about {words}"
