"""What a notebook shows of a report, a match, an answer and the like: `as_card`, one template."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import NamedTuple

from citeguard.judges.verdicts import Verdict
from citeguard.language.citations import ReadableText
from citeguard.language.excerpts import counted_as, shortened
from citeguard.reports import wording
from citeguard.reports.html import rendered
from citeguard.reports.page import text_blocks
from citeguard.reports.places import place_of
from citeguard.reports.report import CheckedClaim, Place, Report
from citeguard.sources.collection import Passage, Source, Sources, Span
from citeguard.sources.matches import ELLIPSIS, Match
from citeguard.validation.messages import not_in_sources
from citeguard.validation.models import Answer, Citation

LISTED = 20
"""The most rows of a card, and quotes of a row."""

_LONGEST, _LONGEST_AROUND, _LONGEST_TEXT = 1_000, 300, 6_000  # characters

# Each has its own background, to be readable in a light and in a dark notebook.
_STYLES = {
    "supported": "background-color:#e4f3ea;color:#0f4a2c",
    "contradicted": "background-color:#fde8e5;color:#8c1d18",
    "unsupported": "background-color:#f1eafb;color:#4a2a78",
    "set_aside": "background-color:#eceae5;color:#474d54",
    "undecided": "background-color:#e4effa;color:#083f70",
    "uncertain": "background-color:#fdf0d3;color:#6b4000",
    "quote": "background-color:#fff3bf;color:#1f2328",
}

Words = Sequence[tuple[str, str]]
"""Words in their order, each with how they are marked: `quote`, a verdict, or not at all."""

Badge = tuple[str, str]
"""A coloured label: a verdict, or `uncertain`; and what it says."""


class Quoted(NamedTuple):
    """Words of a source, their place, how they were found, and what to know of them."""

    words: Words
    place: str = ""
    url: str | None = None
    badge: Badge | None = None
    notes: Sequence[str] = ()


class Row(NamedTuple):
    """A statement or a document, with what is quoted for it or of it."""

    text: str = ""
    badge: Badge | None = None
    notes: Sequence[str] = ()
    quotes: Sequence[Quoted] = ()


def as_card(head: Row, rows: Iterable[Row], total: int) -> str:
    """Return HTML for a notebook: escaped, without script, of bounded size, for light and dark.

    Under the title are the first 20 of so many rows in all. All styles are inline, since a notebook
    that is not trusted drops any others.

    Examples:
        >>> "1,000 more" in as_card(Row("Sources"), [Row("<b>")], 1_001)
        True
    """
    shown = [*islice(rows, LISTED)]
    return rendered(
        "card.html",
        head=head,
        rows=shown,
        more=total - len(shown),
        listed=LISTED,
        longest=_LONGEST,
        shortened=shortened,
        styles=_STYLES,
        wording=wording,
    )


def report_card(report: Report) -> str:
    """Return what a notebook shows of a report: its text with the claims marked, and the problems.

    Examples:
        >>> "Nothing to check" in report_card(Report(text="Hello!", sources=(), claims=()))
        True
    """
    text = ReadableText(report.text[:_LONGEST_TEXT])
    claims = tuple(claim for claim in report.claims if claim.start < _LONGEST_TEXT)
    shown = Report(text=report.text[:_LONGEST_TEXT], sources=(), claims=claims)
    words = [
        (text[one.pieces[0].start : one.pieces[-1].end], one.claim.shown if one.claim else "")
        for block in text_blocks(shown)
        for one in block
    ]
    left_out = len(report.text) - _LONGEST_TEXT
    more = [f"{left_out:,} more characters; to_html() shows them all."] if left_out > 0 else []
    rows = [Row(quotes=[Quoted(words, notes=more)]), *map(_problem, report.urgent)]
    return as_card(Row(wording.headline(report)), rows, len(rows))


def _problem(claim: CheckedClaim) -> Row:
    def quoted(place: Place) -> Quoted:
        name = wording.source_and_place(place)
        named = name if claim.decisive else f"Closest passage: {name}"
        badge = ("uncertain", wording.UNCERTAIN.label) if place.doubts else None
        return Quoted([(place.text, "quote")], named, place.url, badge)

    quotes = [*map(quoted, claim.decisive or claim.evidence[:1])]
    badge = (claim.shown, wording.label_of(claim))
    return Row(claim.text, badge, [claim.explanation], quotes)


def match_card(match: Match) -> str:
    """Return what a notebook shows of a match: the quote, and its words in their sentence."""
    notes = [
        f"Quoted: “{edit.quoted or '–'}”; the source: “{edit.source or '–'}” ({edit.reason})"
        for edit in match.material
    ]
    quoted = _quoted(match.text, match, Sources([match.source]))
    badge = quoted.badge or ("contradicted", "Not what the source says")
    rows = [Row(quotes=[quoted._replace(badge=None)])]
    return as_card(Row(f"“{match.quote}”", badge, notes), rows, 1)


def answer_card(answer: Answer, sources: Sources | None) -> str:
    """Return what a notebook shows of an answer.

    With its sources, quotes are marked in their sentences and have a place; else they are alone.
    """
    quotes = counted_as(sum(len(each.citations) for each in answer.statements), "quote")
    notes = [f"{counted_as(len(answer.statements), 'statement')}, {quotes} from the sources"]
    judged = any(each.verdict for each in answer.statements) or answer.alignment
    if answer.statements and not judged:
        notes.append("No judge was asked whether the quotes support the statements.")
    if answer.dropped:
        notes.append(f"Dropped, as they were wrong: {counted_as(len(answer.dropped), 'statement')}")
    if answer.unanswerable:
        notes.append(not_in_sources(answer.unanswerable))
    rows = (
        Row(
            each.text,
            _verdict(each.verdict),
            [each.verdict.reason] if each.verdict and each.verdict.reason else [],
            [_quoted(one.quote, one, sources) for one in each.citations[:LISTED]],
        )
        for each in answer.statements
    )
    badge = _verdict(answer.alignment and answer.alignment.answer)
    return as_card(Row(answer.question or "Answer", badge, notes), rows, len(answer.statements))


def sources_card(sources: Sources) -> str:
    """Return what a notebook shows of sources: titles, ids, sizes and how each begins."""
    # A generator: of a thousand sources only the first twenty are made into rows.
    rows = (document_row(each.id, each.title, len(each.text), each.text) for each in sources)
    return as_card(Row(counted_as(len(sources), "source")), rows, len(sources))


def document_row(name: str, title: str | None, characters: int, *beginning: str) -> Row:
    """Return the row of a document: its title, or else its id; and its size."""
    size = counted_as(characters, "character")
    return Row(title or name, notes=[f"{name}, {size}" if title else size, *beginning])


def passage_words(span: Span, quote: str, passages: Iterable[Passage]) -> Words:
    """Return a quote marked in its sentence, as far as one of the passages has it."""
    for each in passages:
        start, end = span.start - each.span.start, span.end - each.span.start
        if each.span.source_id == span.source_id and 0 <= start < end <= len(each.text):
            source = Source(span.source_id, each.text)
            return _in_sentences(source, [Span(source.id, start, end)])
    return [(quote, "quote")]


def _verdict(verdict: Verdict | None) -> Badge | None:
    return verdict and (verdict.outcome, wording.VERDICTS[verdict.outcome].label)


def _quoted(quote: str, found: Match | Citation, sources: Sources | None) -> Quoted:
    spans, grade, framing, notes = found.spans, found.grade, found.framing, list[str]()
    if isinstance(found, Citation) and found.quoted_as:
        notes.append(f"The answer has “{found.quoted_as}”")
    if framing is not None:
        notes.append(f"{framing.kind.capitalize()} by its own sentence: “{framing.words}”")
    badge = None if grade is None else ("supported", wording.GRADES[grade].capitalize())
    badge = (grade, wording.UNCERTAIN.label) if grade == "uncertain" else badge
    if sources is None or not spans:
        return Quoted([(quote, "quote")], spans[0].source_id if spans else "", None, badge, notes)
    source = sources[spans[0].source_id]
    place = place_of(Span(source.id, spans[0].start, spans[-1].end), sources)
    notes += filter(None, [wording.doubt_text(place)])
    words = _in_sentences(source, spans)
    return Quoted(words, wording.source_and_place(place), place.url, badge, notes)


def _in_sentences(source: Source, spans: Sequence[Span]) -> Words:
    """Return spans of a source, in its order, with what else their sentences say."""
    words, done, stop = list[tuple[str, str]](), 0, 0
    for span in spans:
        low, high = source.prepared.sentences_at(span.start, span.end)
        if low >= stop:
            if stop:
                words += [(source.text[done:stop], ""), (ELLIPSIS, "")]
            done = max(low, span.start - _LONGEST_AROUND)
            words += [("…", "")] if done > low else []
        words += [
            (source.text[done : span.start], ""),
            (source.text[span.start : span.end], "quote"),
        ]
        done, stop = span.end, max(stop, high)
    words.append((source.text[done:stop], ""))
    return [(each if look else shortened(each, _LONGEST_AROUND), look) for each, look in words]
