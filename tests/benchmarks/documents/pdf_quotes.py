"""Quotes looked up in PDF files: whether they are found, on which page, in which place."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from random import Random

from citeguard import Sources
from citeguard.errors import CiteguardError
from citeguard.sources.layout import Location

from ..tables import table
from .chromium import CHROMIUM
from .latex import LATEX
from .looking_up import REFUSED, Lookup, look_up, refused_shares, share
from .papers import Paper, Sentence, load_papers
from .platypus import REPORTLAB
from .printed import FIRST, Crossing, Printed, mark, printed

_MAKERS = (REPORTLAB, CHROMIUM, LATEX)
_MOST = 14  # quotes of one file
_FEWEST_WORDS = 6
_MOST_CROSSING, _MOST_NOTED, _MOST_NOTES = 7, 2, 1  # of these
_NEAR = 10  # points by which a marked line may be above or below its first word
_BESIDE = 40  # points to the side: reportlab tells places before it widens blanks


@dataclass(frozen=True, slots=True)
class Outcome:
    """A sentence of a file, looked up in it.

    Attributes:
        printed: The file.
        sentence: The sentence.
        lookup: What was found.
        location: Where.
        height: Of the page that it is on, in points.
    """

    printed: Printed
    sentence: Sentence
    lookup: Lookup
    location: Location | None
    height: float

    @property
    def page_is_right(self) -> bool:
        """Whether the page is the one on which the sentence starts."""
        return self.location is not None and self.location.page == self.printed.page_of(
            self.sentence
        )

    @property
    def place_is_right(self) -> bool:
        """Whether the first of the location's boxes is where the first word was printed."""
        if self.location is None or not self.location.boxes or not self.page_is_right:
            return False
        box, place = self.location.boxes[0], self.printed.places[mark(self.sentence, FIRST)]
        down = self.height - place.up
        return (
            box.page == place.page
            and box.left - _BESIDE <= place.left <= box.right + _BESIDE
            and box.top - _NEAR <= down <= box.bottom + _NEAR
        )


def quote_tables(data: Path, folder: Path) -> Iterator[str]:
    """Write what was found, and every quote that was not, or not where it stands."""
    every: list[Outcome] = []
    failures: list[str] = []
    for maker in _MAKERS:
        if maker.missing is not None:
            yield f"{maker.name} is left out, as {maker.missing} is not installed."
    for file in _files(load_papers(data), folder):
        try:
            sources = Sources.from_paths(file.path)
        except CiteguardError as error:
            failures.append(f"- not read: {error}")
            continue
        looked_up = list(outcomes(file, sources))
        every += looked_up
        failures += (line for each in looked_up for line in _failures(each))
    yield from _tables(every)
    yield "Failures:"
    yield from failures or ["- none"]


def _files(papers: Sequence[Paper], folder: Path) -> Iterator[Printed]:
    """Set the papers with the makers there are, by turns, in every style of theirs by turns."""
    makers = [maker for maker in _MAKERS if maker.missing is None]
    styled = {maker.name: cycle(maker.styles) for maker in makers}
    for paper, maker in zip(papers, cycle(makers)):
        kept = paper if maker is CHROMIUM else paper.in_western_letters()
        yield printed(kept, maker, next(styled[maker.name]), folder)


def _chosen(file: Printed) -> list[Sentence]:
    """Choose the quotes of a file: of those that cross a page or column many, of others some."""
    random = Random(file.path.name)
    text = "\n".join(each.text for each in file.paper.sentences)
    sentences = [
        each
        for each in file.paper.sentences
        if len(each.text.split()) >= _FEWEST_WORDS and text.count(each.text) == 1
    ]
    random.shuffle(sentences)
    crossing = [
        each for each in sentences if file.crossing(each) in (Crossing.PAGES, Crossing.COLUMNS)
    ]
    noted = [each for each in sentences if each.note is not None]
    first = [*crossing[:_MOST_CROSSING], *noted[:_MOST_NOTED]]
    others = [each for each in sentences if each not in first]
    notes = random.sample(file.paper.notes, min(_MOST_NOTES, len(file.paper.notes)))
    return [*dict.fromkeys(first), *others][: _MOST - len(notes)] + notes


def outcomes(file: Printed, sources: Sources) -> Iterator[Outcome]:
    """Look up quotes of a file."""
    for sentence in _chosen(file):
        lookup = look_up(sentence.text, sources)
        if lookup.match is None or not lookup.found:
            yield Outcome(file, sentence, lookup, None, 0)
            continue
        span, layout = lookup.match.span, lookup.match.source.layout
        page = None if layout is None else layout.page_at(span.start)
        yield Outcome(file, sentence, lookup, sources.location_of(span), page.height if page else 0)


def _is_note(file: Printed, sentence: Sentence) -> bool:
    return sentence in file.paper.note_numbers


def _failures(outcome: Outcome) -> Iterator[str]:
    """Describe what is wrong with an outcome, if anything is."""
    file, lookup = outcome.printed, outcome.lookup
    about = f"{file.path.name}, p. {file.page_of(outcome.sentence)}, {_kind(outcome)}"
    yield from lookup.failures(about)
    if lookup.found and not outcome.place_is_right:
        yield f"- marked elsewhere: {about}: {lookup.quote}"


def _tables(outcomes: Sequence[Outcome]) -> Iterator[str]:
    files = len({outcome.printed.path for outcome in outcomes})
    groups: dict[str, Callable[[Outcome], str]] = {
        "maker": lambda outcome: outcome.printed.maker,
        "crossing": _kind,
    }
    for name, group in groups.items():
        columns = [name, "quotes", "found", "right page", "right place", *REFUSED]
        title = f"Quotes in {files} PDF files, by {name}"
        yield from table(title, columns, [*_grouped(outcomes, group), _row("all", outcomes)])


def _kind(outcome: Outcome) -> str:
    """Tell what a quote goes across, or that it is in a note."""
    if _is_note(outcome.printed, outcome.sentence):
        return "in a note"
    marked = ", with a note's mark" if outcome.sentence.note is not None else ""
    return f"{outcome.printed.crossing(outcome.sentence)}{marked}"


def _grouped(
    outcomes: Iterable[Outcome], group: Callable[[Outcome], str]
) -> Iterator[Sequence[object]]:
    groups: dict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        groups[group(outcome)].append(outcome)
    return (_row(name, groups[name]) for name in sorted(groups))


def _row(name: str, outcomes: Sequence[Outcome]) -> Sequence[object]:
    lookups = [outcome.lookup for outcome in outcomes]
    found = sum(lookup.found for lookup in lookups)
    pages = sum(outcome.page_is_right for outcome in outcomes)
    places = sum(outcome.place_is_right for outcome in outcomes)
    shares = (share(part, len(outcomes)) for part in (found, pages, places))
    return [name, len(outcomes), *shares, *refused_shares(lookups)]
