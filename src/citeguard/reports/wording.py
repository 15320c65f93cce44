"""What people read in a report: the names of verdicts, problems and places, and `explanation`.

Icons are one column wide; a terminal that cannot encode them takes those in ASCII.

Examples:
    >>> f"{ICONS['unsupported']} {LABELS['unsupported']}"
    '? Unsupported'
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from citeguard.language.citations import ReadableText
from citeguard.language.excerpts import counted_as, shown
from citeguard.reports.report import (
    CheckedClaim,
    CitationFinding,
    CitationProblem,
    DifferingFact,
    FactKind,
    Place,
    Search,
    SetAside,
    Shown,
    Spent,
    Trust,
)
from citeguard.sources.links import web_url

LABELS: dict[Shown, str] = {
    "supported": "Supported",
    "contradicted": "Contradicted",
    "unsupported": "Unsupported",
    "set_aside": "Not checkable",
    "undecided": "Undecided",
}

ICONS: dict[Shown, str] = {
    "supported": "✓",
    "contradicted": "✕",
    "unsupported": "?",
    "set_aside": "–",
    "undecided": "…",
}

ASCII_ICONS: dict[Shown, str] = {
    "supported": "+",
    "contradicted": "x",
    "unsupported": "?",
    "set_aside": "-",
    "undecided": ".",
}

MEANINGS: dict[Shown, str] = {
    "supported": "Its sources say so.",
    "contradicted": "Its sources say otherwise.",
    "unsupported": "The sources do not say it.",
    "set_aside": "No source could support or contradict it.",
    "undecided": "It could not be decided whether its sources say so.",
}

PROBLEM_LABELS: dict[CitationProblem, str] = {
    "uncited": "Uncited",
    "unknown_id": "Unknown source",
    "wrong_source": "Wrong source",
    "redundant": "Redundant citation",
    "link_dead": "Dead link",
    "link_blocked": "Link not read",
    "link_redirected": "Link leads elsewhere",
    "not_on_page": "Not on the page",
    "page_contradicts": "Page says otherwise",
    "title_differs": "Other title",
    "author_differs": "Other author",
    "year_differs": "Other year",
}

PROBLEM_MEANINGS: dict[CitationProblem, str] = {
    "uncited": "A claim has no citation mark, in a text that has some.",
    "unknown_id": "A citation mark names no source.",
    "wrong_source": "The sources cited do not say it, and another one does.",
    "redundant": "The other sources support the claims without it.",
    "link_dead": "A link leads to no page, or a DOI or an arXiv number to no work.",
    "link_blocked": "A page could not be read, so that nobody knows what it says.",
    "link_redirected": "A link leads to what is hardly the page that was meant.",
    "not_on_page": "The page that is linked was read, and does not say it.",
    "page_contradicts": "The page that is linked says otherwise.",
    "title_differs": "The record of the work has another title than the reference.",
    "author_differs": "The record of the work has other authors than the reference.",
    "year_differs": "The record of the work has another year than the reference.",
}

FACT_LABELS: dict[FactKind, str] = {
    "number": "Number",
    "name": "Name",
    "negation": "Negation",
    "word": "Word",
}

SET_ASIDE_LABELS: dict[SetAside, str] = {
    "opinion": "an opinion",
    "question": "a question",
    "instruction": "an instruction",
    "greeting": "a greeting",
    "heading": "a heading",
    "code": "code",
    "no claim": "no claim",
}

SET_ASIDE: dict[SetAside, str] = {
    "opinion": "This is an opinion, which no source can support.",
    "question": "This is a question.",
    "instruction": "This is an instruction to the reader.",
    "greeting": "This is a courtesy, or about the answer itself.",
    "heading": "This is a heading.",
    "code": "This is code.",
    "no claim": "This says nothing that could be true or false.",
}
"""Why claims are not checkable."""

_OPENINGS: dict[Shown, str] = {
    "supported": "The source says so",
    "contradicted": "The source says otherwise",
    "unsupported": "The sources do not say this",
    "set_aside": "",
    "undecided": "This could not be decided",
}

_LONGEST = 300  # characters of a judge's reason
_LONGEST_FACT = 80
_LONGEST_PLACE = 120
_MOST_FACTS = 3

_ID_LIMIT = 80
_PLACE_LIMIT = 240
_MOST_CLAIMS = 10
_MOST_PLACES = 4
_MOST_NEAREST = 2
_FILE = re.compile(r"file:///[^/\\\s][^\x00-\x20\x7f-\x9f\\]*\Z")
_MOST_NAMED = 3
# Not `strftime`, whose names depend on the locale.
_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)


NOTHING_TO_CHECK = "Nothing to check"
"""What a report without a claim says."""


def headline(trust: Trust | None) -> str:
    """Return how many claims are supported and so on, with the share where it may be trusted.

    Examples:
        >>> from citeguard import audit
        >>> report = audit("It opens at ten [1]. Does it?", ["It opens at ten."])
        >>> headline(report.trust)
        '1 of 1 statement is supported (100 %)'
        >>> headline(None)
        'Nothing to check'
    """
    if trust is None:
        return NOTHING_TO_CHECK
    first, *rest = str(trust).split("; ")
    share = "" if trust.value is None else f" ({trust.value:g} %)"
    return "; ".join([f"{first}{share}", *rest])


def title_of(text: str, sources: Sequence[str], day: date | None = None) -> str:
    """Return the title of a report: what was checked, against what, and on which day.

    Of more than three sources, two are named.

    Examples:
        >>> title_of("answer.md", ["handbook.md", "faq.pdf"], date(2026, 3, 9))
        'answer.md, checked against handbook.md and faq.pdf on 9 March 2026'
    """
    many = len(sources) > _MOST_NAMED
    named = [*sources[: _MOST_NAMED - 1], f"{len(sources) - _MOST_NAMED + 1:,} more"]
    *first, last = named if many else sources or ["no sources"]
    against = f"{', '.join(first)} and {last}" if first else last
    on = "" if day is None else f" on {day.day} {_MONTHS[day.month - 1]} {day.year}"
    return f"{text}, checked against {against}{on}"


def label_of(claim: CheckedClaim) -> str:
    """Return the verdict on a claim in a few words, with its flag."""
    return f"{LABELS[claim.shown]}{' (disputed)' if claim.flag == 'conflicting' else ''}"


def source_and_place(place: Place) -> str:
    """Return on one line where words of a source are; a long id is cut, markup is not escaped.

    A page of the web is named by its title, if it has one.
    """
    source = place.title.strip() or place.source_id
    if place.title and place.headings[:1] == (place.title,):  # of most pages
        source = ""
    named = (shown(source, _ID_LIMIT), shown(place.name, _PLACE_LIMIT))
    return ", ".join(filter(None, named))


def places_shown(claim: CheckedClaim) -> tuple[str, tuple[Place, ...]]:
    """Return the words to show beside a claim, and what they are if they do not decide.

    Those that decide, or else, in a fact check, the first of those that were found.
    """
    if claim.decisive or not any(place.outcome for place in claim.evidence):
        return "", claim.decisive[:_MOST_PLACES]
    return "The nearest that was found:", claim.evidence[:_MOST_NEAREST]


def opened(url: str) -> str | None:
    """Return an address of the web or of a file of this machine; `None` for any other.

    Not of a file of another machine: to open one can tell that machine who opens it.

    Examples:
        >>> opened("https://example.org/"), opened("javascript:alert(1)")
        ('https://example.org/', None)
    """
    return url if web_url(url) or _FILE.match(url) else None


def search_text(search: Search) -> str:
    """Return what came of a search: "3 pages found", or why it failed."""
    if search.failure is not None:
        return search.reason
    found = f"{counted_as(len(search.found), 'page')} found"
    more = search.reason or ("some engines did not answer" if search.partial else "")
    return f"{found}: {more}" if more else found


def not_searched(search: Search) -> str:
    """Return that a search failed, or was answered in part, on one line."""
    what = "Not searched" if search.failure is not None else "Searched in part"
    return f"{what}: “{search.query}”: {search_text(search)}"


def spent_text(spent: Spent) -> str:
    """Return what a fact check took, on one line.

    Examples:
        >>> spent_text(Spent(searches=1, pages=4))
        '1 search, 4 pages'
    """
    searches = "1 search" if spent.searches == 1 else f"{spent.searches:,} searches"
    parts = [searches, counted_as(spent.pages, "page")]
    if spent.calls:
        parts += [counted_as(spent.calls, "call"), counted_as(spent.tokens, "token")]
    if spent.cost:
        parts.append(f"cost {spent.cost:.4f}")
    return ", ".join(parts)


def title_of_finding(finding: CitationFinding) -> str:
    """Return the problem, and which claims have it."""
    label, numbers = PROBLEM_LABELS[finding.problem], [*map(str, finding.claims)]
    if len(numbers) > _MOST_CLAIMS:
        numbers = [*numbers[:_MOST_CLAIMS], "…"]
    noun = "claim" if len(numbers) == 1 else "claims"
    return f"{label} ({noun} {', '.join(numbers)})" if numbers else label


def words_of_finding(finding: CitationFinding, text: ReadableText) -> str:
    """Return the words of a text that a finding is about; of a mark for programs what it names."""
    return text[finding.start : finding.end] or f"[{finding.cited}]"


def explanation(
    verdict: Shown,
    *,
    reason: str = "",
    facts: Sequence[DifferingFact] = (),
    better: Sequence[str] = (),
) -> str:
    """Return why a claim has its verdict, in a sentence or two: what it says, what the source says.

    Args:
        verdict: The verdict.
        reason: The judge's reason.
        facts: The facts in which the claim differs from the source.
        better: The ids of sources that support it, although it does not cite them.
    """
    if verdict == "supported":
        return f"{_OPENINGS[verdict]}."
    detail = f": {_listed(facts)}." if facts else f". {_sentence(reason)}"
    first = f"{_OPENINGS[verdict]}{detail}".strip()
    others = (f"“{shown(each, _LONGEST_PLACE)}” says so, but is not cited." for each in better)
    return " ".join([first, *others])


def _sentence(reason: str) -> str:
    """Return a judge's reason as sentences of their own: one for each line."""
    sentences: list[str] = []
    for line in reason.splitlines():
        text = shown(line, _LONGEST)
        stop = "" if not text or text.endswith((".", "!", "?")) else "."
        is_name = text.partition(" ")[0].endswith(":")  # of a judge, as in "gpt-5-mini: timed out"
        sentences.append(f"{text if is_name else text[:1].upper() + text[1:]}{stop}")
    return shown(" ".join(filter(None, sentences)), _LONGEST)


def _listed(facts: Sequence[DifferingFact]) -> str:
    listed = [_difference(fact) for fact in facts[:_MOST_FACTS]]
    more = len(facts) - len(listed)
    return "; ".join([*listed, *([f"and {more} more"] if more else [])])


def _difference(fact: DifferingFact) -> str:
    stated, found = shown(fact.stated, _LONGEST_FACT), shown(fact.found, _LONGEST_FACT)
    if not fact.found:
        return f"the claim says “{stated}”, and the source does not"
    if not fact.stated:
        return f"the claim omits “{found}”"
    return f"“{found}” where the claim says “{stated}”"
