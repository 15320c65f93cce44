"""What pages say: the text that counts, the passages about a statement, and the verdict of all."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, get_args

from citeguard.auditing.references import find_references
from citeguard.judges.verdicts import Evidence, Verdict
from citeguard.language.citations import is_reference_heading
from citeguard.language.excerpts import STOPS, counted_as
from citeguard.language.sentences import Interval, stripped
from citeguard.reports.places import place_of
from citeguard.reports.report import Place, UndecidedCause
from citeguard.retrieval.passages import DefaultPassages, Passages
from citeguard.retrieval.ranking import BM25Retriever
from citeguard.retrieval.search import Retriever, distinct, search_each
from citeguard.sources.collection import Passage, Source, Sources, Span
from citeguard.validation.support import evidence_at
from citeguard.web.page import WebPage

# Headings of what leads to other pages, beside lists of references; in the languages of the web's
# largest encyclopedias.
_ELSEWHERE = frozenset(
    "see also|external links|further reading|related articles|related links|related pages|related"
    "|recommended|read more|most read|navigation|contents|table of contents|siehe auch|weblinks"
    "|inhaltsverzeichnis|voir aussi|liens externes|véase también|enlaces externos|vedi anche"
    "|collegamenti esterni|ver também|zie ook|externe links|см. также|ссылки|関連項目|外部リンク"
    "|参见|外部链接".split("|")
)
_HEADING_MARKS = re.compile(r"^[\s#=*_0-9.]*|[\s#=*_:：…]*$")
_LONGEST_HEADING = 60  # characters
_LINK = r"(?:\[[^\[\]\n]*\]\([^()\s]*\)|<?(?:https?://|www\.)[^\s<>]+>?)"
# A line that is nothing but links, with marks of lists around them.
_ONLY_LINKS = re.compile(rf"[ \t]*(?:[-*+•·|>›»,/]|\d+[.)]|[ \t]|{_LINK})*{_LINK}[-*+•·|>›»,/ \t]*")


def silent_intervals(source: Source) -> list[Interval]:
    """Return the parts of a page that say nothing themselves, as half-open intervals, in order.

    These are lists of references, what is under headings such as "See also", and lines that
    consist of links. They name works and pages, with the words of what is said there, so that a
    claim looks supported by a page that only cites it.
    """
    text = source.text
    borders = [each.start for each in source.headings]
    # A list of references ends with its section, which is known only here.
    found = [
        (start, min([end, *borders[bisect_right(borders, start) :][:1]]))
        for start, end in find_references(text).intervals
    ]
    found += sections_elsewhere(source)
    start = 0
    for line in text.split("\n"):
        if "/" in line and _ONLY_LINKS.fullmatch(line):
            found.append((start, start + len(line)))
        start += len(line) + 1
    merged: list[Interval] = []
    for start, end in sorted(found):
        if merged and start <= merged[-1][1]:
            start, end = merged[-1][0], max(end, merged.pop()[1])
        merged.append((start, end))
    return merged


def sections_elsewhere(source: Source) -> Iterator[Interval]:
    """Yield what is under headings such as "See also", with these, and with what is below them."""
    for at, heading in enumerate(source.headings):
        if _leads_elsewhere(heading.text):
            after = (e.start for e in source.headings[at + 1 :] if e.level <= heading.level)
            yield heading.start, next(after, len(source.text))


def without(interval: Interval, parts: Iterable[Interval]) -> Iterator[Interval]:
    """Yield what is left of an interval without some parts, which are in order."""
    start, end = interval
    for low, high in parts:
        if low < end and start < high:
            if start < low:
                yield start, low
            start = high
    if start < end:
        yield start, end


def _leads_elsewhere(heading: str) -> bool:
    if len(heading) > _LONGEST_HEADING:
        return False
    words = " ".join(_HEADING_MARKS.sub("", heading).casefold().split())
    return words in _ELSEWHERE or is_reference_heading(heading)


@dataclass(frozen=True, slots=True)
class PagePassages(Passages):
    """Passages of pages: as `cut` makes them, without what `silent_intervals` are."""

    cut: Passages = field(default_factory=DefaultPassages)

    def intervals(self, source: Source) -> Iterator[Interval]:
        """Yield the passages of a page, in order."""
        silent = silent_intervals(source)
        for passage in self.cut.intervals(source):
            for part in without(passage, silent):
                start, end = stripped(source.text, *part)
                if any(map(str.isalnum, source.text[start:end])):
                    yield start, end


_RETRIEVER = BM25Retriever(passages=PagePassages())


def text_of(page: WebPage) -> str:
    """Return a page's text; empty if it was not fetched, or has no letter and no digit."""
    source = page.source
    if page.outcome != "fetched" or source is None or not any(map(str.isalnum, source.text)):
        return ""
    return source.text


def different(pages: Iterable[WebPage]) -> Sources | None:
    """Return the texts of pages, each once, in an order that does not depend on theirs.

    `None` if none has a text. Rankings break ties by the order of sources, and count words over all
    of them: without it, the order of the results, or a page found twice, could change a verdict.
    """
    by_text: dict[str, Source] = {}
    for page in sorted(pages, key=lambda page: page.url):
        if (text := text_of(page)) and page.source is not None:
            by_text.setdefault(text, page.source)
    return Sources([by_text[text] for text in sorted(by_text)]) if by_text else None


def passages_about(
    queries: Sequence[str], sources: Sources, *, passages: int, retriever: Retriever | None
) -> list[Passage]:
    """Return the best passages for each query, `passages` at most, without repetitions."""
    rankings = search_each(queries, sources, k=passages, retriever=retriever or _RETRIEVER)
    found = [passage for ranking in rankings for passage in ranking]
    return distinct(found, len(found))


def evidence_by_page(
    spans: Iterable[Span], sources: Sources, statement: str
) -> dict[str, tuple[Evidence, ...]]:
    """Return the evidence at some places, by source: that of different pages is never joined."""
    by_page: dict[str, list[Span]] = {}
    for span in sorted(spans, key=lambda span: (span.start, span.end)):
        by_page.setdefault(span.source_id, []).append(span)
    evidence = {name: evidence_at(places, sources) for name, places in by_page.items()}
    return {name: tuple(found) for name, found in evidence.items() if found}


def places_of(
    spans: Iterable[Span], sources: Sources, verdicts: Mapping[str, Verdict]
) -> tuple[list[Place], list[Place]]:
    """Return the passages as a report has them, and the words that decide, one place of each page.

    Those that decide come first. A decision that rests on words of another passage of the page is
    not shown beside this one. The spans are ranked; the verdicts are by page.
    """
    passages: list[Place] = []
    decisive: dict[str, Place] = {}
    for span in spans:
        verdict = verdicts.get(span.source_id)
        words = None if verdict is None else verdict.span
        within = words is not None and span.start < words.end and words.start < span.end
        outcome = None if verdict is None else verdict.outcome
        if outcome in _DECISIVE:
            decisive.setdefault(span.source_id, place_of(words or span, sources, outcome))
            outcome = outcome if within or words is None else None
        passages.append(place_of(span, sources, outcome))
    order = (*_DECISIVE, "undecided", "unsupported", None)
    return (
        sorted(passages, key=lambda each: order.index(each.outcome)),
        sorted(decisive.values(), key=lambda each: order.index(each.outcome)),
    )


_DECISIVE = ("supported", "contradicted")


@dataclass(frozen=True, slots=True)
class Flaw:
    """Something that went wrong, without which more might have been found; why, in a sentence."""

    cause: UndecidedCause
    reason: str = ""


_REASONS: dict[UndecidedCause, str] = {
    "budget": "The budget ran out.",
    "search_failed": "A search failed.",
    "page_unread": "A page could not be read.",
    "nothing_found": "No page was found.",
    "judge_failed": "The judge could not decide.",
    "ambiguous": "A name can mean several things.",
}


def conclude(
    findings: Iterable[tuple[int, Verdict]], *, pages: int, flaws: Iterable[Flaw] = ()
) -> dict[str, Any]:
    """Return what pages say of a statement, whatever their order, as fields of a `CheckedClaim`.

    A page that supports or contradicts it decides, whatever else failed: what a page says stands.
    Pages that disagree leave it `undecided`, flagged as `conflicting`. If no page decides, and
    anything failed or is undecided, so is the verdict: a page that was not read could have decided.
    A finding is the number of a page's origin, and what the judge says of its passages.
    """
    findings = list(findings)
    for_it, against = (
        len({origin for origin, each in findings if each.outcome == outcome})
        for outcome in ("supported", "contradicted")
    )
    causes: tuple[UndecidedCause, ...] = ()
    if for_it or against:
        verdict = "undecided" if for_it and against else "supported" if for_it else "contradicted"
        sides = [
            f"{counted_as(count, 'origin')} {verb}{'s' if count == 1 else ''} it"
            for count, verb in ((for_it, "support"), (against, "contradict"))
            if count
        ]
        reason = f"{', '.join(sides)}."
    else:
        unclear = [each for _, each in findings if each.outcome == "undecided"]
        wrong = [*flaws, *(Flaw("judge_failed", sentence(each.reason)) for each in unclear)]
        if not wrong and not pages:
            wrong = [Flaw("nothing_found")]
        given = {each.cause for each in wrong}
        causes = tuple(cause for cause in get_args(UndecidedCause) if cause in given)
        verdict = "undecided" if causes else "unsupported"
        reason = f"{counted_as(pages, 'page')} read, and nothing there supports or contradicts it."
        if causes:
            reasons = [
                min((e.reason for e in wrong if e.cause == cause and e.reason), default="")
                or _REASONS[cause]
                for cause in causes
            ]
            reason = " ".join(dict.fromkeys(reasons))
    return {
        "verdict": verdict,
        "explanation": reason,
        "flag": "conflicting" if for_it and against else None,
        "causes": causes,
        "score": max((e.score for _, e in findings if e.score is not None), default=None),
        "origins_for": for_it,
        "origins_against": against,
    }


def sentence(reason: str) -> str:
    """Return a reason as a sentence: "The budget of 3 calls is spent." of its message."""
    reason = reason[:1].upper() + reason[1:] if reason[:7] == "the bud" else reason
    return reason if reason.endswith(STOPS) or not reason else f"{reason}."
