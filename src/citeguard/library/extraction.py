"""The sentences of found passages that answer a question, word for word: `best_sentences`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from citeguard.language.sentences import sentence_intervals
from citeguard.library.relevance import AskedQuestion
from citeguard.sources.collection import Passage, Source, Sources, Span

LEAST = 0.5
"""The least score of a sentence that answers, 0 to 1, inclusive."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BestSentence:
    """A sentence of a source that likely answers a question.

    Attributes:
        span: Where it is in its source.
        text: The sentence, verbatim.
        score: The probability that it answers the question, 0 to 1.
    """

    span: Span
    text: str
    score: float


def best_sentences(
    question: str,
    passages: Sequence[Passage],
    sources: Sources | Mapping[str, Source],
    *,
    most: int = 1,
    least: float = LEAST,
) -> list[BestSentence]:
    """Return the sentences of some passages that likely answer a question, best first.

    Args:
        question: The question.
        passages: What a search found for it.
        sources: The sources of the passages, by id.
        most: The maximum number of sentences.
        least: The minimum score, 0 to 1, inclusive.

    Examples:
        >>> sources = Sources({"bridge": "It is red. The bridge opened in 1936. It is long."})
        >>> passages = sources.search("When did the bridge open?")
        >>> [each.text for each in best_sentences("When did the bridge open?", passages, sources)]
        ['The bridge opened in 1936.']
    """
    asked = AskedQuestion(question, background=[passage.text for passage in passages])
    found: dict[Span, BestSentence] = {}
    for span, before in _sentences(passages):
        source = sources[span.source_id]
        text = source.text[span.start : span.end]
        headings = source.layout.headings_at(span.start) if source.layout else ()
        relevance = asked.relevance(
            text, before=before, headings=headings, title=source.title or ""
        )
        if relevance.score >= least:
            found[span] = BestSentence(span=span, text=text, score=relevance.score)
    return sorted(found.values(), key=lambda each: -each.score)[:most]


def _sentences(passages: Sequence[Passage]) -> Iterable[tuple[Span, str]]:
    """Yield each sentence of the passages once, and the one before it."""
    for passage in passages:
        before = ""
        for start, end in sentence_intervals(passage.text):
            offset = passage.span.start
            yield Span(passage.span.source_id, offset + start, offset + end), before
            before = passage.text[start:end]
