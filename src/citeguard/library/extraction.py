"""The sentences of found passages that answer a question, word for word: `best_sentences`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from citeguard.errors import check_number, check_whole
from citeguard.language.citations import is_reference_heading
from citeguard.language.windows import sentence_pieces
from citeguard.library.relevance import AskedQuestion, Quoted
from citeguard.retrieval.embeddings import Embedder
from citeguard.sources.collection import Passage, Source, Sources, Span

# Of 150 questions of XQuAD, 91 % are answered so, 83 % with what has the answer, and 2 % of those
# whose articles were taken out. A model that has read the passages may quote from .5.
LEAST_ALONE = 0.6
"""The least score of a sentence that is the answer by itself, inclusive."""

# A heading of a text without a layout: a line that is marked as one, as in Markdown, or has some
# words, no number and no end of a sentence, and is by itself above the text.
_HEADING = re.compile(
    r"\s*(?:#{1,6}[^\S\n]+[^\n]*|(?<![^\n]\n)[^\W\d][^\n\d.:;!?|]{0,60}(?=\s*\n\s*\n\s*\S))"
)
_FOLLOWING = 0.9  # share of the best score from which another sentence is worth quoting too


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
    least: float = LEAST_ALONE,
    embedder: Embedder | None = None,
) -> list[BestSentence]:
    """Return the sentences of some passages that likely answer a question, best first.

    None if nothing answers it. A second and a third one are returned only if they score nearly as
    well as the best, and none with the words of one before it, from a copy of its document, say. No
    model is called but the embedder, once.

    Args:
        question: The question.
        passages: What a search found for it.
        sources: The sources of the passages, by id.
        most: The maximum number of sentences.
        least: The minimum score, 0 to 1, inclusive.
        embedder: Vectors of texts, whose cosine then counts too.

    Raises:
        CiteguardError: `most` below 1, `least` not from 0 to 1, or not an embedder.
        EmbeddingFailedError: The embedder returned no usable vectors.

    Examples:
        >>> sources = Sources({"bridge": "It is red. The bridge opened in 1936. It is long."})
        >>> passages = sources.search("When did the bridge open?")
        >>> [each.text for each in best_sentences("When did the bridge open?", passages, sources)]
        ['The bridge opened in 1936.']
    """
    check_whole("best_sentences(most=...)", most, 1)
    check_number("best_sentences(least=...)", least, 0, 1)
    background = [passage.text for passage in passages]
    asked = AskedQuestion(question, background=background, embedder=embedder)
    spans = list(dict.fromkeys(_sentences(passages, sources)))
    scored = asked.relevances(
        [Quoted.of(sources[each.source_id], each.start, each.end) for each in spans]
    )
    ranked = sorted(zip(spans, scored, strict=True), key=lambda each: -each[1].score)
    enough = max(least, _FOLLOWING * ranked[0][1].score) if ranked else least
    best: dict[str, BestSentence] = {}
    for span, relevance in ranked:
        if len(best) == most or relevance.score < enough:
            break
        text = sources[span.source_id].text[span.start : span.end]
        sentence = BestSentence(span=span, text=text, score=relevance.score)
        best.setdefault(" ".join(text.split()), sentence)
    return list(best.values())


def _sentences(
    passages: Iterable[Passage], sources: Sources | Mapping[str, Source]
) -> Iterator[Span]:
    """Yield the sentences of passages, in order; none is longer than 1,000 characters.

    Headings are no sentences, and neither are the entries of a list of references.
    """
    for passage in passages:
        source_id, offset = passage.span.source_id, passage.span.start
        layout = sources[source_id].layout
        for low, high in sentence_pieces(passage.text):
            start, end = offset + low, offset + high
            if layout is not None and layout.headings:
                if any(map(is_reference_heading, layout.headings_at(start))):
                    continue
                above = (each.end for each in layout.headings if each.start < end)
                start = max(start, max(above, default=start))
            elif found := _HEADING.match(sources[source_id].text, start):
                start = found.end()
            text = sources[source_id].text[start:end]
            start += len(text) - len(text.lstrip())
            if any(map(str.isalnum, text)):
                yield Span(source_id, start, end)
