"""From what a reply says of its citations to an answer whose citations are proved: `proved`."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace

from citeguard.judges.reader import ReaderJudge
from citeguard.judges.verdicts import Evidence, Verdict
from citeguard.language.sentences import Interval
from citeguard.providers.documents import Documents
from citeguard.providers.draft import Cited, Draft, offset_problems, quoted
from citeguard.providers.imported import ImportedAnswer, ImportFinding, Segment
from citeguard.providers.offsets import Positions, prove, verbatim_places
from citeguard.providers.reply import Node
from citeguard.quotes.borders import clipped
from citeguard.sources.collection import Source, Span
from citeguard.sources.matches import ELLIPSIS, Grade, locate, nearest
from citeguard.validation.context import Grounding
from citeguard.validation.models import Citation, Statement
from citeguard.validation.support import found_evidence, question_about

_CUT = re.compile(r"\s*(?:…|\.\.\.)\Z")
_LONG_QUOTE = 20  # letters from which a quote that cuts a word is still no coincidence
_READER = ReaderJudge()


def proved(draft: Draft, documents: Documents, reply: Node) -> ImportedAnswer:
    """Return an answer with the citations that can be proved, and findings about the others."""
    answer, cited, findings = draft.stated(reply)
    text, prover = answer.text, _Prover(documents)
    whole = answer.statements(each.segment for each in cited if each.segment)
    citations: list[list[Citation]] = [[] for _ in whole]
    segments: dict[Interval, tuple[list[str], list[Citation]]] = {}
    for each in cited:
        number = _number_of(each.segment, whole)
        if each.segment is None and not each.problems:
            each = each.with_problem("location_missing", "The reply does not say what it cites.")
        found, each = prover.prove(each, text[slice(*whole[number])] if whole else "")
        span = found.spans[0] if found else None
        findings += [
            ImportFinding(
                kind=kind,
                path=each.path,
                message=message,
                source_id=None if each.source is None else each.source.id,
                quote=each.quote,
                span=span,
                segment=each.segment,
            )
            for kind, message in each.problems
        ]
        segment = each.segment or (whole[number] if whole else (0, len(text)))
        names, own = segments.setdefault(segment, ([], []))
        named = each.source.id if each.source else span.source_id if span else None
        if named is not None and named not in names:
            names.append(named)
        if found is None:
            continue
        citation = prover.citation(found)
        for listed in (own, citations[number]) if whole else (own,):
            if citation not in listed:
                listed.append(citation)
    # Not validated: every citation was proved just now, and validation would fail on the sentences
    # that have none.
    imported = ImportedAnswer.model_construct(
        statements=[
            Statement.model_construct(text=text[start:end], citations=own, verdict=None)
            for (start, end), own in zip(whole, citations, strict=True)
        ],
        text=text,
        segments=tuple(
            Segment(start=start, end=end, source_ids=(*names,), citations=(*own,))
            for (start, end), (names, own) in sorted(segments.items())
        ),
        findings=tuple(findings),
    )
    return imported.with_sources(documents.sources)


def _number_of(segment: Interval | None, whole: Sequence[Interval]) -> int:
    """Return which statement a segment belongs to: the first it touches, else the one before it."""
    if segment is None:
        return max(0, len(whole) - 1)
    start, end = segment
    touched = (at for at, (low, high) in enumerate(whole) if low < end and high > start)
    return next(touched, max(0, bisect_right([low for low, _ in whole], start) - 1))


@dataclass(frozen=True, slots=True)
class _Found:
    """Words of a source that a citation was proved to cite."""

    spans: tuple[Span, ...]
    grade: Grade
    quoted_as: str | None = None


class _Prover:
    """Looks for the words of citations in some documents."""

    def __init__(self, documents: Documents) -> None:
        self._documents = documents
        self._sources = documents.sources
        self._positions: dict[str, Positions] = {}

    def citation(self, found: _Found) -> Citation:
        first, last = found.spans[0], found.spans[-1]
        quote = ELLIPSIS.join(map(self._sources.slice, found.spans))
        source = self._sources[first.source_id]
        doubtful = any(source.doubts_in(span.start, span.end) for span in found.spans)
        return Citation.model_construct(
            quote=quote,
            source_id=first.source_id,
            spans=found.spans,
            grade="uncertain" if doubtful else found.grade,
            quoted_as=None if found.quoted_as == quote else found.quoted_as,
            framing=source.prepared.framing_at(first.start, last.end),
        )

    def prove(self, cited: Cited, statement: str) -> tuple[_Found | None, Cited]:
        """Return the words that a citation cites, if they can be proved, and all its problems."""
        if cited.quote is None or not cited.quote.strip():
            return self._without_quote(cited, statement)
        quote, source = cited.quote, cited.source
        if source is None:
            return self._elsewhere(cited, quote, None)
        if cited.interval is not None:
            return _exact(source, cited.interval, quote), cited
        if cited.offsets is not None:
            positions = self._positions.setdefault(source.id, Positions(source.text))
            start, end = cited.offsets
            # Whoever states offsets in documents documents them as code points.
            if proof := prove(positions, start, end, quote, declared="code_points"):
                problems = offset_problems(proof.kinds, start, end, "code_points")
                cited = replace(cited, problems=(*cited.problems, *problems))
                return _exact(source, proof.interval, quote), cited
        return self._relocated(cited, quote, source)

    def _relocated(self, cited: Cited, quote: str, source: Source) -> tuple[_Found | None, Cited]:
        """Look for words that are not where the reply says, if it says where."""
        matches = _occurrences(quote, self._documents, source)
        if not matches:
            return self._elsewhere(cited, quote, source)
        if cited.offsets is None:
            return self._chosen(cited, matches, None)
        start, end = cited.offsets
        stated = self._positions[source.id].interval(start, end, "code_points")
        for each in matches:  # in other typography, at the place that the reply states
            if (each.spans[0].start, each.spans[-1].end) == stated:
                return each, cited
        said = f"{source.id!r} has {quoted(quote)}, but not at {start} to {end}."
        return self._chosen(cited.with_problem("offset_wrong", said), matches, start)

    def _chosen(
        self, cited: Cited, matches: Sequence[_Found], near: int | None
    ) -> tuple[_Found, Cited]:
        """Choose among places of the words: the pages of the reply first, then the nearest."""
        fitting, wanted = matches, cited.pages
        if wanted is not None:
            pages = [self._pages(each) for each in matches]
            on_page = [
                each
                for each, own in zip(matches, pages, strict=True)
                if own is None or any(page in wanted for page in own)
            ]
            fitting = on_page or matches
            if not on_page:
                own = ", ".join(map(str, pages[0] or ()))
                named = " to ".join(map(str, dict.fromkeys((wanted[0], wanted[-1]))))
                said = f"The words are on page {own}, not on page {named}."
                cited = cited.with_problem("text_on_other_page", said)
        best = fitting[0]
        if len(fitting) > 1:
            if near is not None:
                best = min(fitting, key=lambda each: abs(each.spans[0].start - near))
            said = f"The document has these words in {len(fitting)} places."
            cited = cited.with_problem("ambiguous", said)
        return best, cited

    def _pages(self, found: _Found) -> range | None:
        first, last = found.spans[0], found.spans[-1]
        layout = self._sources[first.source_id].layout
        if layout is None or not layout.printed:
            return None
        # The end itself may be on the next page already.
        ends = first.start, max(first.start, last.end - 1)
        numbers = [page.number for place in ends if (page := layout.page_at(place)) is not None]
        return range(numbers[0], numbers[-1] + 1)

    def _elsewhere(
        self, cited: Cited, quote: str, source: Source | None
    ) -> tuple[_Found | None, Cited]:
        """Look for words in the other documents; in all if the reply names none."""
        found = {
            other.id: matches
            for other in self._sources
            if other is not source and (matches := _occurrences(quote, self._documents, other))
        }
        if not found:
            span = nearest(quote, self._sources, source.id if source else None)
            closest = f"; most like it is {quoted(self._sources.slice(span))}" if span else ""
            where = f"{source.id!r} does not" if source else "No document given does"
            said = f"{where} have {quoted(quote)}{closest}."
            return None, cited.with_problem("text_not_in_document", said)
        if source is None:
            return self._chosen(cited, [each for listed in found.values() for each in listed], None)
        name, matches = next(iter(found.items()))
        said = f"{quoted(quote)} is in {name!r}, not in {source.id!r}."
        cited = replace(cited.with_problem("text_in_other_document", said), pages=None)
        return self._chosen(cited, matches, None)

    def _without_quote(self, cited: Cited, statement: str) -> tuple[_Found | None, Cited]:
        """Look for a passage that says what a statement says, as the provider quotes none."""
        if cited.source is None:
            return None, cited.with_problem("no_quote", "The provider quotes no words.")
        found = self._searched(statement, cited.source) if statement.strip() else None
        said = "The provider quotes no words; a search has found a passage that says this."
        if found is None:
            said = f"The provider quotes no words, and no passage of {cited.source.id!r} says this."
        return found, cited.with_problem("no_quote", said)

    def _searched(self, statement: str, source: Source) -> _Found | None:
        """Return a passage that has a statement's words, or alone supports it, if there is one."""
        if matches := _occurrences(statement, self._documents, source):
            return replace(matches[0], quoted_as=None)
        evidence = found_evidence(statement, Grounding(self._sources), (source.id,))
        if not evidence:
            return None
        decisive = _verdict(statement, evidence).span
        passages = (each.span(0, len(each.text)) for each in evidence)
        # A sentence that supports the statement by itself is preferred to a whole passage.
        for span in filter(None, (decisive, *passages)):
            words = self._sources.slice(span)
            alone = Evidence(text=words, source_id=span.source_id, start=span.start)
            if words.strip() and _verdict(statement, [alone]).outcome == "supported":
                return _Found((span,), "exact")
        return None


def _verdict(statement: str, evidence: Sequence[Evidence]) -> Verdict:
    return _READER.judge([question_about(statement, evidence)])[0]


def _exact(source: Source, interval: Interval, quote: str) -> _Found:
    start, end = interval
    grade: Grade = "exact" if source.text[start:end] == quote else "normalized"
    return _Found((Span(source.id, start, end),), grade, quote)


def _occurrences(quote: str, documents: Documents, source: Source) -> list[_Found]:
    """Return the places of a source that have some words: verbatim, else in other typography."""
    words = quote.strip()
    places = verbatim_places(words, source.text) if words else ()
    verbatim = [(at, at + len(words)) for at in places]
    whole = [place for place in verbatim if not clipped(source.text, *place)]
    # A provider may cut the words that it cites anywhere; few letters may be part of any word.
    if not whole and sum(map(str.isalnum, words)) >= _LONG_QUOTE:
        whole = verbatim
    if whole:
        return [_exact(source, place, words) for place in whole]
    match = locate(quote, documents.sources, source_id=source.id)
    if match is None or not match.accepted:
        # Some providers cut what they quote after so many characters, and show that.
        head = _CUT.sub("", words)
        is_cut = head != words and sum(map(str.isalnum, head)) >= _LONG_QUOTE
        return _occurrences(head, documents, source) if is_cut else []
    others = [(other,) for other in match.others] if len(match.spans) == 1 else []
    every = sorted([match.spans, *others], key=lambda spans: spans[0].start)
    # The same characters inside of other words are a rival of other typography elsewhere.
    rivals = [_exact(source, place, words) for place in verbatim]
    return [*(_Found(spans, match.grade or "fuzzy", quote) for spans in every), *rivals]
