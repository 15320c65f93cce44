"""Finding quotes in sources: `locate`, `nearest`, `Match` and `Edit`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from typing import Any

from rapidfuzz import fuzz

from citeguard.errors import check_text
from citeguard.language.excerpts import without_halves
from citeguard.language.scripts import is_unspaced
from citeguard.language.sentences import sentences_around
from citeguard.language.tokens import to_word_borders, tokenize
from citeguard.quotes.canonical import search_letters
from citeguard.quotes.differences import STRUCK, Edit, compare, omission
from citeguard.quotes.find import (
    Grade,
    Occurrence,
    QuoteForm,
    accepted_places,
    find_quote,
    find_verbatim,
)
from citeguard.quotes.framing import Framing, FramingKind
from citeguard.quotes.named_cells import find_cells
from citeguard.quotes.printed import may_begin_turn
from citeguard.sources.collection import Source, Sources, Span, as_sources
from citeguard.sources.layout import Doubt
from citeguard.sources.links import text_fragment_url

__all__ = ["Edit", "Framing", "FramingKind", "Grade", "Match", "locate", "nearest"]

ELLIPSIS = " … "
_MOST_OTHERS = 100  # a short quote, such as a name, may occur thousands of times
_NAMED = re.compile(r"[:：=(（–—]")  # between the name and the value of a quoted cell
_STRIKING = re.compile(r"~~|<(?:del|s|strike)\b", re.IGNORECASE)
_UNNAMED = "another speaker"
_MOST_PLACED = 1_000  # occurrences among which a prefix or suffix chooses
_MOST_COMPARED = 300  # letters of a quote that `nearest` compares: 0.4 s in a text of 10 MB
# What `nearest` finds resembles a quote if it has so many of its longer words, by their beginnings.
# Of 360 statements and the sources that support them 96 % do, with sources of others 4 %.
_LEAST_SHARED, _LONG_WORD, _BEGINNING = 0.15, 4, 5
# Where there are no such words, the similarity of the letters, 0 to 100. Short words are alike by
# chance: "a dog", "adopts".
_LEAST_SCORE, _LEAST_OF_WORDS = 50.0, 80.0
_MOST_WIDENED = 200  # characters by which `nearest` widens a passage to whole sentences


@dataclass(frozen=True, kw_only=True)
class Match:
    """A place in a source where a quote, or an altered form of it, is found.

    A match may be rejected: `accepted` says whether all differences are harmless.

    Attributes:
        quote: the quote as it was given.
        text: the source's own words; the segments of an elided quote are joined by " … ".
        spans: one, or one for each segment of an elided quote, in the source's order.
        grade: `exact` (character by character), `normalized` (typography, marks, brackets, page
            breaks), `elided` (segments in order), `fuzzy` (with misspellings), `equivalent`
            (contractions, spelling variants, numbers and dates that mean the same, cells of a table
            with their names), `uncertain`
            (what the file shows may be something else, see `doubts`); `None` if the match is
            rejected.
        similarity: 1 minus edits per letter of the quote, 0 to 1, higher is more similar.
        edits: the differences, harmless and material, in the quote's order.
        source: the source of the spans.
        searched: the sources that were searched.
    """

    quote: str
    text: str
    spans: tuple[Span, ...]
    grade: Grade | None
    similarity: float
    edits: tuple[Edit, ...] = ()
    source: Source = field(repr=False)
    searched: tuple[Source, ...] = field(repr=False, compare=False)

    @property
    def accepted(self) -> bool:
        """Whether no difference is material, so that the quote appears in the source."""
        return not self.material

    @property
    def material(self) -> tuple[Edit, ...]:
        """The differences that may change the meaning."""
        return tuple(edit for edit in self.edits if edit.material)

    @property
    def source_id(self) -> str:
        """The id of the source."""
        return self.source.id

    @property
    def span(self) -> Span:
        """From the start of the first span to the end of the last."""
        return Span(self.source_id, self.spans[0].start, self.spans[-1].end)

    @cached_property
    def doubts(self) -> tuple[Doubt, ...]:
        """Why the words may not be what the file of the source shows; empty if nothing."""
        return tuple(
            each for span in self.spans for each in self.source.doubts_in(span.start, span.end)
        )

    @cached_property
    def framing(self) -> Framing | None:
        """What the sentence around the quote does to it ("It is false that …"); not an edit."""
        return self.source.prepared.framing_at(self.span.start, self.span.end)

    def sentences(self) -> tuple[str, ...]:
        """Return the sentences or rows around each span; spans of the same ones share one text.

        They have no mark of emphasis or code whose pair is in another sentence.
        """
        prepared = self.source.prepared
        around = dict.fromkeys(prepared.passage_at(span.start, span.end) for span in self.spans)
        return tuple(without_halves(self.source.text, start, end) for start, end in around)

    @cached_property
    def others(self) -> tuple[Span, ...]:
        """Other occurrences of the quote in the sources searched; computed on first use.

        At most 100, in the order of the sources; none for an elided or a misspelled quote.
        """
        places = (
            Span(source.id, *found.intervals[0])
            for source in self.searched
            for found in accepted_places(QuoteForm(self.quote), source.prepared)
        )
        return tuple(islice((span for span in places if span != self.span), _MOST_OTHERS))

    def utf16(self) -> tuple[int, int]:
        """Return (start, end) of `span` in UTF-16 code units, as JavaScript counts."""
        return self._units("utf-16-le", 2)

    def utf8(self) -> tuple[int, int]:
        """Return (start, end) of `span` in UTF-8 bytes."""
        return self._units("utf-8", 1)

    def text_position_selector(self) -> dict[str, Any]:
        """Return the W3C Web Annotation `TextPositionSelector` of `span`, in code points."""
        return {"type": "TextPositionSelector", "start": self.span.start, "end": self.span.end}

    def text_quote_selector(self, *, context: int = 32) -> dict[str, Any]:
        """Return the W3C Web Annotation `TextQuoteSelector` of `span`.

        Args:
            context: the maximum length of the prefix and of the suffix, in characters.
        """
        text, span = self.source.text, self.span
        return {
            "type": "TextQuoteSelector",
            "exact": text[span.start : span.end],
            "prefix": text[max(0, span.start - context) : span.start],
            "suffix": text[span.end : span.end + context],
        }

    def text_fragment_url(self) -> str | None:
        """Return the source's URL with a text fragment that scrolls to the quote, or `None`.

        Follows the WICG draft "URL Fragment Text Directives".
        """
        if self.source.url is None:
            return None
        return text_fragment_url(self.source.url, self.source.text, self.span.start, self.span.end)

    def _repr_html_(self) -> str:
        """Show the match in a notebook."""
        from citeguard.reports.cards import match_card  # a door upwards

        return match_card(self)

    def _units(self, encoding: str, width: int) -> tuple[int, int]:
        def length(text: str) -> int:
            return len(text.encode(encoding, "surrogatepass")) // width

        start = length(self.source.text[: self.span.start])
        return start, start + length(self.source.text[self.span.start : self.span.end])


def locate(
    quote: str,
    sources: Sources | Source | str | Mapping[Any, Any] | Iterable[Any],
    source_id: str | None = None,
    prefix: str | None = None,
    suffix: str | None = None,
) -> Match | None:
    """Find a quote in sources; no model is called.

    The best of several occurrences wins, then the one whose surroundings are most similar to
    `prefix` and `suffix`, then the first.

    Args:
        quote: the words to find; white space around them is ignored.
        sources: anything that `Sources` accepts; pass a `Sources` to prepare the texts once.
        source_id: the only source to search.
        prefix: the text right before the quote, to choose among several occurrences.
        suffix: the text right after it.

    Returns:
        The best match, accepted or with material edits; `None` if nothing in the sources is within
        the edit budget (one edit in eight letters), or the quote has no letter or digit.

    Raises:
        InvalidSourcesError: `sources` cannot be read as sources.
        UnknownSourceError: no source has the id.
        CiteguardError: another argument is not a `str`.

    Examples:
        >>> match = locate("it's “safe”", {"note": "They say it’s 'safe'."})
        >>> match.text, match.span.start, match.grade
        ("it’s 'safe'", 9, 'normalized')
    """
    check_text("quote", quote, required=True)
    for name, text in (("source_id", source_id), ("prefix", prefix), ("suffix", suffix)):
        check_text(name, text)
    prepared = as_sources(sources)
    if prefix or suffix:
        searched = _searched(prepared, source_id)
        placed = _best_placed(QuoteForm(quote), searched, prefix or "", suffix or "")
        if placed is not None:
            return _match(quote, placed[1], placed[0], searched)
    return Search(quote, prepared).match(source_id)


class Search:
    """A search for one quote, which searches no source twice; kept while the quote is checked.

    In transcribed `speech` a quote may leave out hesitation, repeated words and false starts.
    """

    def __init__(self, quote: str, sources: Sources, *, speech: bool = False) -> None:
        self.quote = quote
        self.sources = sources
        self._form = QuoteForm(quote, speech=speech)
        self._found: dict[str, Occurrence | None] = {}

    def match(self, source_id: str | None = None) -> Match | None:
        """Return what `locate` returns without `prefix` and `suffix`."""
        searched = _searched(self.sources, source_id)
        for source in searched:
            # In all sources, before any is searched for something similar.
            if (found := find_verbatim(self._form, source.prepared)) is not None:
                return _match(self.quote, source, found, searched)
        if not self._form.letters:
            return None
        for source in searched:
            if source.id not in self._found:
                self._found[source.id] = self._find(source)
        places = [(found, each) for each in searched if (found := self._found[each.id])]
        best = min(places, key=lambda place: place[0].rank, default=None)
        return _match(self.quote, best[1], best[0], searched) if best else None

    def _find(self, source: Source) -> Occurrence | None:
        found = find_quote(self._form, source.prepared)
        if (found is not None and found.accepted) or not _NAMED.search(self.quote):
            return found
        return find_cells(self._form, source.text, source.readings) or found


def _searched(sources: Sources, source_id: str | None) -> tuple[Source, ...]:
    return tuple(sources) if source_id is None else (sources[source_id],)


def _match(quote: str, source: Source, found: Occurrence, searched: Sequence[Source]) -> Match:
    accepted = found.accepted
    match = Match(
        quote=quote,
        text=ELLIPSIS.join([source.text[low:high] for low, high in found.intervals]),
        spans=tuple([Span(source.id, low, high) for low, high in found.intervals]),
        grade=found.grade if accepted else None,
        similarity=found.similarity,
        edits=found.edits,
        source=source,
        searched=tuple(searched),
    )
    joined = _joined_speakers(match) if accepted else ()
    if not accepted or not (match.doubts or joined):
        return match
    # Another place with the same words may be beyond doubt.
    for span in match.others:
        again = next(each for each in searched if each.id == span.source_id)
        other = replace(match, spans=(span,), source=again)
        is_same = again.text[span.start : span.end] == match.text
        if is_same and not other.doubts and not _joined_speakers(other):
            return other
    wrong = [omission(" and ".join(joined), "two speakers joined")] if joined else _struck(match)
    if wrong:
        return replace(match, grade=None, edits=(*match.edits, *wrong))
    return replace(match, grade="uncertain")


def _struck(match: Match) -> list[Edit]:
    """Return the words of a quote that its source strikes out, unless the quote has the marks.

    What only may be hidden, as in code or a template, is in doubt instead.
    """
    text, start, end = match.source.text, match.span.start, match.span.end
    return [
        Edit(operation="insert", quoted=words, source="", material=True, reason=STRUCK)
        for low, high in match.source.hidden_in(start, end)
        if (mark := _STRIKING.match(text, low)) and mark[0].lower() not in match.quote.lower()
        if (words := text[max(low, start) : min(high, end)])
        and not any(words in edit.source for edit in match.edits)
    ]


def _joined_speakers(match: Match) -> tuple[str, ...]:
    """Return whose words a quote joins without their names, if the source is a transcript."""
    text, layout, start, end = (
        match.source.text,
        match.source.layout,
        match.span.start,
        match.span.end,
    )
    # Every turn begins a line. Finding all turns of a plain text takes 3 ms for 100,000 characters.
    line = text.find("\n", start, end) + 1
    if not line or (not (layout and layout.parts) and not may_begin_turn(text, line, end)):
        return ()
    intervals = [(span.start, span.end) for span in match.spans]
    speakers = [each or _UNNAMED for each in match.source.speakers_of(*intervals)]
    # A verbatim quote has the ">>" that shows the change.
    if match.quote != match.text and match.source.changes_speaker(start, end):
        return (*speakers, _UNNAMED)
    if match.quote.count("—") - match.text.count("—") >= len(speakers) - 1:  # another one answers
        return ()
    named = (
        re.search(rf"(?<!\w){re.escape(each)}(?!\w)", match.quote, re.IGNORECASE)
        for each in speakers[1:]
    )
    return () if all(named) else tuple(speakers)


def _best_placed(
    form: QuoteForm, searched: Iterable[Source], prefix: str, suffix: str
) -> tuple[Occurrence, Source] | None:
    """Return the occurrence of the quote whose surroundings are most similar to these."""
    places = [
        (found, source)
        for source in searched
        # Only accepted ones: the right surroundings must not make up for an altered word.
        for found in islice(accepted_places(form, source.prepared), _MOST_PLACED)
    ]
    given_before, given_after = search_letters(prefix), search_letters(suffix)

    def agreement(place: tuple[Occurrence, Source]) -> tuple[float, int]:
        found, text = place[0], place[1].text
        start, end = found.intervals[0]
        # Twice as much, as not every character has letters in the search form.
        before = search_letters(text[max(0, start - 2 * len(prefix)) : start])
        after = search_letters(text[end : end + 2 * len(suffix)])
        # `[-0:]` would be all of it.
        score = fuzz.ratio(given_before, before[-len(given_before) :] if given_before else "")
        return score + fuzz.ratio(given_after, after[: len(given_after)]), -found.rank[1]

    return max(places, key=agreement, default=None)


def nearest(quote: str, sources: Sources, source_id: str | None = None) -> Span | None:
    """Find the passage most similar to a quote that is in no source, for an error message.

    Compares at most 300 letters of the quote, by the longest common subsequence of its best window.
    The span begins and ends between words; `None` if no passage resembles the quote.
    """
    letters = search_letters(quote)[:_MOST_COMPARED]
    best_score, best = 0.0, None
    for source in _searched(sources, source_id):
        form = source.prepared.form
        if not letters or not form.letters:
            continue
        place = fuzz.partial_ratio_alignment(letters, form.letters, score_cutoff=best_score)
        if place is not None and place.score > best_score and place.dest_start < place.dest_end:
            best_score, best = place.score, (source, place.dest_start, place.dest_end)
    if best is None:
        return None
    source, start, end = best
    start, end = source.prepared.form.interval(start, end)
    # Whole sentences if these are short, else whole words.
    touched = sentences_around(source.text, start, end, _MOST_WIDENED)
    if touched is None or touched[1] - touched[0] > end - start + _MOST_WIDENED:
        touched = to_word_borders(source.text, start, end)
    start, end = touched
    quoted = _beginnings(quote[: 2 * _MOST_COMPARED])
    shared = len(quoted & _beginnings(source.text[start:end]))
    least = _LEAST_SCORE if any(map(is_unspaced, quote[:_MOST_COMPARED])) else _LEAST_OF_WORDS
    resembles = shared >= _LEAST_SHARED * len(quoted) if quoted else best_score >= least
    return Span(source.id, *_row_named(quote, source.text, start, end)) if resembles else None


def _row_named(quote: str, text: str, start: int, end: int) -> tuple[int, int]:
    """Return the row of a table that a quote names by its first cell, or the whole interval."""

    def words(given: str) -> str:
        # With blanks around it, "rent" is not in "rental".
        return " ".join(["", *re.findall(r"\w+", given.casefold()), ""])

    said, best, length = words(quote), (start, end), 1
    for line in re.compile(r"[^\n]*\|[^\n]*").finditer(text, start, end):
        name = words(next((cell for cell in line[0].split("|") if cell.strip()), ""))
        if len(name) > length and name in said:
            best, length = line.span(), len(name)
    return best


# A short quote with a changed word is beyond the edit budget: "two months" for "one month". It is
# shown as altered if most of its letters, and as many longer words, are those of the passage.
_MOST_RESEMBLING = 12  # words
_LEAST_ALIKE = 62.0  # of 100; "two months" and "one month" are 70, unrelated phrases below 55
# For a word more or fewer. With 5, "night and" was nearer to "night and week" than "night and day".
_PER_WORD = 12.0


def resembling(quote: str, sources: Sources, source_id: str | None = None) -> Match | None:
    """Find what a short quote that is in no source was made of; `None` if nothing is similar."""
    count = len(_words(quote))
    span = nearest(quote, sources, source_id) if count <= _MOST_RESEMBLING else None
    if span is None or not count:
        return None
    source, letters = sources[span.source_id], search_letters(quote)
    words = [(low + span.start, high + span.start) for low, high in _words(sources.slice(span))]
    # One word more or fewer may be nearer.
    windows = (
        (size, words[i][0], words[i + size - 1][1])
        for size in range(max(1, count - 1), count + 2)
        for i in range(len(words) - size + 1)
    )
    # Of windows that are about as similar, the one with as many words as the quote.
    scored = (
        (fuzz.ratio(letters, search_letters(source.text[a:b])) - _PER_WORD * (size != count), a, b)
        for size, a, b in windows
    )
    score, start, end = max(scored, default=(0.0, 0, 0))
    is_alike = score >= _LEAST_ALIKE
    # Letters alone may be alike by chance.
    if is_alike and not any(map(is_unspaced, quote)):
        is_alike = not _beginnings(quote).isdisjoint(_beginnings(source.text[start:end]))
    edits = compare(quote, source.text, start, end) if is_alike else ()
    if not any(edit.material for edit in edits):
        return None
    found = Occurrence(
        intervals=((start, end),), grade="fuzzy", similarity=score / 100, edits=edits
    )
    return _match(quote, source, found, _searched(sources, source_id))


def _words(text: str) -> list[tuple[int, int]]:
    return [(token.start, token.end) for token in tokenize(text) if token.kind != "mark"]


def _beginnings(text: str) -> set[str]:
    """Return the beginnings of the longer words of a text, and its numbers."""
    return {
        token.key[:_BEGINNING]
        for token in tokenize(text)
        if token.kind == "number" or (token.kind == "word" and len(token.key) >= _LONG_WORD)
    }
