"""A judge of whether what an answer quotes answers the question: `RelevanceJudge`."""

from __future__ import annotations

import math
from collections.abc import Sequence

from citeguard.errors import check_number
from citeguard.judges.reader import INSTALL
from citeguard.judges.verdicts import (
    Alignment,
    AlignmentQuestion,
    Evidence,
    Outcome,
    SupportQuestion,
    Verdict,
    local_settings,
)
from citeguard.language.excerpts import as_json
from citeguard.language.sentences import sentence_pieces
from citeguard.reader.answering import (
    answer_logits,
    answer_probabilities,
    answer_scores,
    answered_from,
)
from citeguard.reader.model import is_installed, shipped_reader
from citeguard.sources.collection import Passage, Sources, Span

VERSION = "7"
"""Changes when scores do; part of the key of cached verdicts."""

# Of 145 questions over documents that nobody trained on, with a quote of the sentence that answers,
# 87 % reach it; with one of another sentence that shares the most words, 20 %.
LEAST = 0.25
"""The least score of a quote that answers a question, inclusive."""

_OUTDONE = 0.7  # weight of how much better another sentence answers, in log odds
_PASSAGES = 4  # of the sources, whose sentences a quote is compared with
_SHOWN = 200  # characters of a sentence in a reason


class RelevanceJudge:
    """A judge that reads whether the quotes of an answer answer its question.

    For `Policy.alignment`. An answer is `supported` if a quote of it answers the question, by
    itself, with the sentence before it, and with those on both sides under its headings; and if no
    other sentence of the passages answers much better. It is `unsupported` otherwise. Whether the
    statements follow from the quotes is for the judges of `Policy.support`.

    An answer that only says that the sources do not answer (`Answer.unanswerable`) is `supported`,
    unless a sentence of the sources answers.

    The shipped reader is asked, no language model. Without the extra `reader` all is `undecided`.

    Args:
        sources: The sources of the answer, for what is around a quote.
        passages: What a search found for the question, if it was searched already.
        supported_from: The least score of a quote that answers the question, 0 to 1, inclusive.

    Attributes:
        settings: How it is asked.

    Raises:
        CiteguardError: A threshold that is not a number from 0 to 1.

    Examples:
        >>> from citeguard import Answer, Policy
        >>> sources = Sources({"bridge": "It is painted red. The bridge opened in 1936."})
        >>> policy = Policy(alignment=RelevanceJudge(sources))
        >>> context = sources.as_context(policy, question="When did the bridge open?")
        >>> wrong = {"text": "It is red.", "citations": [{"quote": "It is painted red."}]}
        >>> try:
        ...     Answer.model_validate({"statements": [wrong]}, context=context)
        ... except ValueError as error:
        ...     error.errors()[0]["ctx"]["reason"]
        'No quote answers the question.'
    """

    name = "relevance"

    def __init__(
        self,
        sources: Sources | None = None,
        *,
        passages: Sequence[Passage] | None = None,
        supported_from: float = LEAST,
    ) -> None:
        check_number("RelevanceJudge(supported_from=...)", supported_from, 0, 1)
        self._sources, self._passages, self._least = sources, passages, supported_from
        # Verdicts depend on the sources, so they are kept by this judge alone.
        reader = shipped_reader().version if is_installed() else "none"
        self.settings = local_settings(VERSION, supported_from, reader, model=None, cache=None)

    def __repr__(self) -> str:
        """Show the threshold."""
        return f"RelevanceJudge(supported_from={self._least})"

    def align(self, question: AlignmentQuestion) -> Alignment:
        """Return whether the quotes answer the question, or it is rightly left open."""
        text = (question.question or "").strip()
        if not text:
            return Alignment(answer=self._verdict("supported", "There is no question."))
        if not is_installed():
            return Alignment(answer=self._verdict("undecided", f"nothing reads: {INSTALL}"))
        cited = [each for each in question.statements if each.evidence]
        if not cited:
            return Alignment(answer=self._left_open(text, question))
        best = max(self._score(text, each) for each in cited)
        verdict = self._verdict("unsupported", "No quote answers the question.", best)
        if best >= self._least:
            verdict = self._verdict("supported", "A quote answers it.", best)
        return Alignment(answer=verdict)

    def _score(self, question: str, statement: SupportQuestion) -> float:
        """Return how well the best of a statement's quotes answers a question, 0 to 1."""
        quotes = [each.text for each in statement.evidence]
        # What is said only by several quotes together is read so, too.
        logits = [self._logit(question, each) for each in statement.evidence]
        logits += answer_logits(question, [" ".join(quotes)]) if len(quotes) > 1 else []
        others = [
            passage.text[start:end]
            for passage in self._found(question)
            for start, end in sentence_pieces(passage.text)
            if not any(_is_in(passage.text[start:end], quote) for quote in quotes)
        ]
        scores = answer_scores(question, [*quotes, *others])
        alone, *better = max(scores[: len(quotes)]), *scores[len(quotes) :]
        outdone = max(0.0, max(better, default=alone) - alone)
        return 1 / (1 + math.exp(-max(logits) + _OUTDONE * outdone))

    def _logit(self, question: str, evidence: Evidence) -> float:
        """Return the mean logit of a quote by itself, and with more and more around it."""
        before, after, above = "", "", ""
        place = evidence.span(0, len(evidence.text))
        if self._sources is not None and place is not None and place.source_id in self._sources:
            before, after, above = _around(self._sources, place)
        read = (
            evidence.text,
            f"{before} {evidence.text}",
            f"{above} {before} {evidence.text} {after}",
        )
        logits = answer_logits(question, read)
        return sum(logits) / len(logits)

    def _left_open(self, text: str, question: AlignmentQuestion) -> Verdict:
        found = [each.text for each in question.passages or self._found(text)]
        read = answer_probabilities(text, found)
        best = max(read, default=0.0)
        if best < answered_from():
            return self._verdict("supported", "No sentence found clearly answers it.", 1 - best)
        passage = found[read.index(best)]
        pieces = [passage[start:end] for start, end in sentence_pieces(passage)]
        scores = answer_scores(text, pieces)
        said = as_json(pieces[scores.index(max(scores))], _SHOWN)
        reason = f"The sources seem to answer it: {said}."
        return self._verdict("unsupported", reason, 1 - best)

    def _found(self, question: str) -> Sequence[Passage]:
        if self._passages is not None:
            return self._passages[:_PASSAGES]
        return () if self._sources is None else self._sources.search(question, k=_PASSAGES)

    def _verdict(self, outcome: Outcome, reason: str, score: float | None = None) -> Verdict:
        return Verdict(outcome, reason=reason, score=score, judge=self.name)


def _is_in(sentence: str, quote: str) -> bool:
    words, others = " ".join(sentence.split()), " ".join(quote.split())
    return words in others or others in words


def _around(sources: Sources, place: Span) -> tuple[str, str, str]:
    """Return the sentences before and after a place in its paragraph, and the headings above."""
    source = sources[place.source_id]
    low = source.text.rfind("\n\n", 0, place.start) + 1
    high = source.text.find("\n\n", place.end)
    paragraph = source.text[low : len(source.text) if high < 0 else high]
    pieces = [(low + start, low + end) for start, end in sentence_pieces(paragraph)]
    before = next((each for each in reversed(pieces) if each[1] <= place.start), (0, 0))
    after = next((each for each in pieces if each[0] >= place.end), (0, 0))
    headings = source.layout.headings_at(place.start) if source.layout else ()
    above = "".join(f"{each}. " for each in headings[-1:])
    return source.text[slice(*before)], source.text[slice(*after)], above
