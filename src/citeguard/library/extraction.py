"""What of documents may answer a question, and what does: `reranked`, `best_answer`."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import NamedTuple

from citeguard.language.citations import is_reference_heading
from citeguard.language.sentences import ends_as_sentence, sentence_pieces
from citeguard.reader.answering import answer_probabilities, answer_scores, answered_from
from citeguard.reader.windows import headings, title_over
from citeguard.retrieval.search import distinct
from citeguard.sources.collection import Passage, Source, Sources, Span

_RERANKED = 30  # sentences, at some eight milliseconds each
_READ = 3  # of them, with what is around: some 80 milliseconds each
_LEADING = 6  # sentences of a document's beginning that are among those that are reranked
_LEADS = 2  # documents of which they are, and whose titles and authors are read
_LONGEST_LEAD = 4_000  # characters in which they are looked for
_LONGEST_FIELD = 300
_SMALL = 0.85  # of the usual height of a document's lines: references, notes, the text of figures
_LEAST_ALONE = 0.5  # of the probability that a sentence answers, without what is around it
_FEWEST_WORDS = 3
_LINE = re.compile(r"\S[^\n]*\S")
_PARAGRAPH = re.compile(r"\S(?:(?!\n[^\S\n]*\n).)*", re.DOTALL)


class Best(NamedTuple):
    """What a source says that answers a question."""

    span: Span
    text: str  # the sentence, verbatim; of a field, such as the title, with its name before it


@dataclass(frozen=True, slots=True)
class _Candidate:
    """What may answer: a sentence, or a field of a document."""

    span: Span
    read: str  # by itself
    around: Span  # the text that is read with it
    said: str = ""  # of a field; a sentence is said word for word
    title: str = ""  # what stands over it in its document
    is_line: bool = False  # no sentence, such as an item or a cell, so that it cannot be said

    @property
    def titled(self) -> str:
        """What is read of it, under what stands over it."""
        return f"{self.title} {self.read}".lstrip()


def reranked(
    question: str,
    passages: Sequence[Passage],
    sources: Sources,
    *,
    k: int,
    others: Sequence[Passage] = (),
) -> list[Passage]:
    """Return the `k` passages with the sentences that answer a question best, best first.

    Given is what a search found for it, best first, with its documents. The paragraphs with which
    the first documents begin, such as an abstract, take part. Passages without a sentence that is
    read keep their order, behind the others. Of `others`, which no search found, as many sentences
    are read besides; those of which none rather answers are left out.
    """
    leads = [islice(_lead(sources[each]), _LEADING) for each in _first(passages)]
    found = [list(_sentences(sources[each.span.source_id], each.span)) for each in passages]
    candidates = [*islice(chain(*found[:1], *leads, *found[1:]), _RERANKED)]
    unfound = (_sentences(sources[each.span.source_id], each.span) for each in others)
    candidates += islice(chain.from_iterable(unfound), _RERANKED)
    scores = answer_scores(question, [each.titled for each in candidates])
    best: dict[Span, float] = {}
    for score, each in zip(scores, candidates, strict=True):
        best[each.around] = max(score, best.get(each.around, score))
    at_others = {each.span for each in others}
    wanted = [span for span, score in best.items() if score > 0 or span not in at_others]
    ranked = sorted(wanted, key=lambda span: -best[span])
    read = [Passage(span, sources.slice(span), best[span]) for span in ranked]
    return distinct([*read, *(each for each in passages if each.span not in best)], k)


def best_answer(
    question: str, passages: Sequence[Passage], sources: Sources, threshold: float | None
) -> Best | None:
    """Return what answers a question; `None` if the reader is not sure enough.

    The title and the authors of the documents are read, and the sentences of the passages, which
    `reranked` returned. The best of them are read again with what is around them: where the best
    one does not answer, by itself and so, the next ones do not, either. Nor do they where a line
    that is no sentence fits better.
    """
    least = answered_from() if threshold is None else threshold
    listed = [field for each in _first(passages) for field in _fields(sources[each])]
    for each in passages:
        listed += islice(_sentences(sources[each.span.source_id], each.span), _RERANKED)
        listed += islice(_lines(sources[each.span.source_id], each.span), _RERANKED)
    scores = answer_scores(question, [each.titled for each in listed])
    ranked = sorted(zip(scores, listed, strict=True), key=lambda each: -each[0])[:_READ]
    best: Best | None = None
    for _, each in ranked:
        if each.is_line:
            break
        whole = each.read if each.said else sources.slice(each.around)
        probability, alone = answer_probabilities(
            question, [whole, each.read], titles=[each.title] * 2
        )
        if probability < least or alone < _LEAST_ALONE:
            break
        if not each.said:  # it says more than a title that answers, too: "Opening day, 1937"
            return Best(each.span, sources.slice(each.span))
        best = best or Best(each.span, each.said)
    return best


def _first(passages: Sequence[Passage]) -> list[str]:
    """Return the first documents that passages are of, by their ids."""
    return [*dict.fromkeys(each.span.source_id for each in passages)][:_LEADS]


def _lead(source: Source) -> Iterator[_Candidate]:
    """Yield the sentences with which a document begins: those of its abstract, if it has one."""
    for match in _PARAGRAPH.finditer(source.text, 0, _LONGEST_LEAD):
        yield from _sentences(source, Span(source.id, *match.span()))


def _sentences(source: Source, passage: Span) -> Iterator[_Candidate]:
    """Yield the sentences of a passage that may answer, by where they are and how they end."""
    text = source.text
    for low, high in sentence_pieces(text[passage.start : passage.end]):
        start, end = passage.start + low, passage.start + high
        for heading in source.headings:
            if heading.start < end and start < heading.end:
                start = heading.end
        start += len(text[start:end]) - len(text[start:end].lstrip())
        sentence = text[start:end]
        # Without spaces between words, every character counts as one.
        unspaced = sum("\u2e80" <= char <= "\uffdc" for char in sentence)
        if max(unspaced, len(sentence.split())) < _FEWEST_WORDS:
            continue
        if ends_as_sentence(sentence) and _is_body(source, start, end):
            title = title_over(source.title, text, start)
            yield _Candidate(Span(source.id, start, end), sentence, passage, title=title)


def _lines(source: Source, passage: Span) -> Iterator[_Candidate]:
    """Yield the lines of a passage that are no sentences, such as items, code and addresses."""
    text = source.text
    above = [
        (start, end)
        for start, end in {(each.start, each.end) for each in source.headings} | {*headings(text)}
        if start < passage.end and passage.start < end
    ]
    for low, high in sentence_pieces(text[passage.start : passage.end]):
        piece = text[passage.start + low : passage.start + high]
        for line in () if ends_as_sentence(piece) else _LINE.finditer(piece):
            start = passage.start + low + line.start()
            span = Span(source.id, start, start + len(line[0]))
            if not any(first < span.end and start < last for first, last in above):
                title = title_over(source.title, text, start)
                yield _Candidate(span, line[0], passage, title=title, is_line=True)


def _is_body(source: Source, start: int, end: int) -> bool:
    """Return whether a place is in running text: no reference, legend, note or figure."""
    layout = source.layout
    if layout is None or any(map(is_reference_heading, layout.headings_at(start))):
        return layout is None
    first = bisect_right(layout.printed, start, key=lambda line: line.end)
    last = bisect_left(layout.printed, end, key=lambda line: line.start)
    heights = [line.bottom - line.top for line in layout.printed[first:last]]
    usual: Counter[float] = Counter()
    for line in layout.printed if heights else ():
        usual[round(line.bottom - line.top, 1)] += len(line.lefts)
    return not heights or max(heights) >= _SMALL * usual.most_common(1)[0][0]


def _fields(source: Source) -> Iterator[_Candidate]:
    """Yield the title of a document, and the lines between it and the next heading.

    These are the authors, their addresses, and dates. A field by itself is no sentence, so that it
    is read as one, with the title: nobody there wrote Hamlet. Text that ends as a sentence does is
    no field, and neither is what follows it.
    """
    title = " ".join((source.title or "").split())
    listed = source.headings
    at = next((i for i, each in enumerate(listed) if " ".join(each.text.split()) == title), None)
    if not title or at is None:
        return
    span = Span(source.id, listed[at].start, listed[at].end)
    yield _Candidate(span, f'The title of the document is "{title}".', span, f"Title: {title}")
    end = listed[at + 1].start if at + 1 < len(listed) else span.end
    for match in _LINE.finditer(source.text[span.end : end]):
        line = " ".join(match[0].split())
        if ends_as_sentence(line) or len(line) > _LONGEST_FIELD:
            return
        place = Span(source.id, span.end + match.start(), span.end + match.end())
        yield _Candidate(place, f"The authors of “{title}” are {line}.", place, line)
