"""What people read in a report, whatever its form: verdicts, places, remarks, the headline.

Icons are one column wide; a terminal that cannot encode them takes those in ASCII.

Examples:
    >>> f"{VERDICTS['unsupported'].icon} {VERDICTS['unsupported'].label}"
    '? Unsupported'
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from typing import Literal, NamedTuple

from citeguard.language.citations import ReadableText
from citeguard.language.excerpts import counted_as, shown
from citeguard.reports.report import (
    PROBLEMS,
    CheckedClaim,
    CitationFinding,
    CitationProblem,
    DifferingFact,
    Place,
    Report,
    Search,
    SetAside,
    Shown,
    Spent,
)
from citeguard.sources.layout import DoubtReason
from citeguard.sources.links import web_url
from citeguard.sources.matches import Grade


class Look(NamedTuple):
    """How a verdict is shown."""

    label: str
    icon: str
    plain_icon: str  # in ASCII
    style: str  # its colour in a terminal
    meaning: str  # as a sentence
    opening: str  # of the explanation of such a claim


VERDICTS: dict[Shown, Look] = {
    "contradicted": Look(
        *("Contradicted", "✕", "x", "bold red"),
        *("Its sources say otherwise.", "The source says otherwise"),
    ),
    "unsupported": Look(
        *("Unsupported", "?", "?", "magenta"),
        *("The sources do not say it.", "The sources do not say this"),
    ),
    "undecided": Look(
        *("Undecided", "…", ".", "cyan"),
        *("It could not be decided whether its sources say so.", "This could not be decided"),
    ),
    "supported": Look(
        *("Supported", "✓", "+", "green"),
        *("Its sources say so.", "The source says so"),
    ),
    "set_aside": Look(
        *("Nothing to check", "–", "-", "dim"),
        *("No source could support or contradict it.", ""),
    ),
}

UNCERTAIN = Look(
    *("Uncertain", "!", "!", "yellow"),
    *("The file may show something else.", "The file may show something else here"),
)
"""How words are shown that the file of their source may not show."""

NOT_CHECKED = (
    "A model compared each statement with the sources; no person has read it. Whether the sources "
    "are right, and what the text leaves out, was not checked."
)
"""What is shown below the advice to send a text."""

LOOKS: dict[str, Look] = {**VERDICTS, "uncertain": UNCERTAIN}

GRADES: dict[Grade, str] = {
    "exact": "word for word",
    "normalized": "in other typography",
    "elided": "with omissions",
    "fuzzy": "with small differences",
    "equivalent": "in forms that mean the same",
    "uncertain": "in text that was read with doubts",
}
"""How a quote is found in its source, by its grade."""

_DOUBTS: dict[DoubtReason, str] = {
    "unseen": "it hides these words, or may do so",
    "unmapped": "it does not say which letters its glyphs are",
    "overdrawn": "something is drawn over these words",
    "recognised": "these words were read from a picture",
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

_UNSURE = (
    "rests only on words that the file may not show",
    "rest only on words that the files may not show",
)
_LONGEST = 300  # characters of a judge's reason, or of words of a text
_LONGEST_FACT = 80
_LONGEST_ID, _LONGEST_PLACE = 80, 240
_MOST_FACTS = 3
_MOST_CLAIMS = 10
_MOST_PLACES, _MOST_NEAREST = 4, 2
_MOST_NAMED = 3
_MOST_UNREAD = 5
# XML cannot hold these, not even as references; `shown` writes out the others.
_NOT_IN_XML = re.compile("[\ufffe\uffff]")
_FILE = re.compile(r"file:///[^/\\\s][^\x00-\x20\x7f-\x9f\\]*\Z")
# Not `strftime`, whose names depend on the locale.
_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)


def headline(report: Report) -> str:
    """Return how many claims are supported and so on, and the problems with citations.

    It has no percentage: one number would hide what is wrong beside it.

    Examples:
        >>> from citeguard import audit
        >>> headline(audit("It opens at ten [9]. Does it?", ["It opens at ten."]))
        '1 of 1 statement is supported; 1 problem with citations: unknown source'
        >>> headline(audit("Does it open?", ["It opens at ten."]))
        'Nothing to check'
    """
    parts = ["Nothing to check" if report.trust is None else str(report.trust)]
    if unsure := sum(claim.is_uncertain for claim in report.urgent):
        parts.append(f"{unsure:,} {_UNSURE[unsure > 1]}")
    if count := len(report.findings):
        kinds = Counter(PROBLEMS[finding.problem].label.lower() for finding in report.findings)
        named = ", ".join(kind if n == 1 else f"{kind} ({n:,})" for kind, n in kinds.items())
        parts.append(f"{counted_as(count, 'problem')} with citations: {named}")
    return "; ".join(parts)


def advice(report: Report) -> str:
    """Return what to do with the text, and why, in one sentence.

    It has a count of each kind of problem, and no share: of seven statements that would say little.

    Examples:
        >>> from citeguard import audit
        >>> advice(audit("It opens at ten.", ["It opens at ten."]))
        'Ready to send: the sources support its only statement.'
        >>> advice(audit("It opens at ten [9].", ["It opens at ten."]))
        'Do not send this yet: 1 citation is wrong.'
    """
    if report.trust is None:
        return "Nothing to check: no statement here could be true or false."
    counts, total = Counter(claim.shown for claim in report.urgent), report.trust.checkable
    effects = Counter(PROBLEMS[finding.problem].effect for finding in report.open_findings)
    if report.outcome == "passed":
        them = "its only statement" if total == 1 else f"all {total:,} statements"
        if report.trust.supported < total:
            return "Ready to send: the sources support all statements that were not dismissed."
        return f"Ready to send: the sources support {them}."
    clauses = (
        (counts["contradicted"], "contradicts the sources", "contradict the sources"),
        (counts["unsupported"], "is not in the sources", "are not in the sources"),
        (counts["undecided"], "could not be verified", "could not be verified"),
        (counts["supported"], *_UNSURE),
    )
    why = [f"{n:,} {one if n == 1 else many}" for n, one, many in clauses if n]
    if why:
        number, _, verb = why[0].partition(" ")
        why[0] = f"{number} {'statement' if number == '1' else 'statements'} {verb}"
    if wrong := effects["failed"]:
        why.append(f"{counted_as(wrong, 'citation')} {'is' if wrong == 1 else 'are'} wrong")
    if unread := effects["undecided"]:
        why.append(f"{counted_as(unread, 'link')} could not be read")
    do = "Do not send this yet" if report.outcome == "failed" else "Read this before you send it"
    return f"{do}: {', '.join(why)}."


def since_text(report: Report) -> str:
    """Return what is new and what is mended since a baseline; empty without one.

    Examples:
        >>> since_text(Report(text="", sources=(), claims=(), mended=("It opens at ten",)))
        'Since the baseline: 0 problems are new, 1 is mended.'
    """
    if report.mended is None:
        return ""
    new = sum(bool(claim.is_new) for claim in report.urgent)
    counts = {"new": new, "mended": len(report.mended)}
    dismissed = sum(bool(claim.dismissed) for claim in report.claims)
    counts.update({"dismissed": dismissed} if dismissed else {})
    first, *rest = (f"{n:,} {'is' if n == 1 else 'are'} {what}" for what, n in counts.items())
    noun = first.replace(" ", " problem " if new == 1 else " problems ", 1)
    said = ", ".join([noun, *rest])
    return f"Since the baseline: {said}."


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
    on = "" if day is None else f" on {day_of(day)}"
    return f"{text}, checked against {against}{on}"


def day_of(moment: date) -> str:
    """Return a day as people write it: "9 March 2026"."""
    return f"{moment.day} {_MONTHS[moment.month - 1]} {moment.year}"


def label_of(claim: CheckedClaim) -> str:
    """Return the verdict on a claim in a few words, with its flag."""
    flags = {
        "disputed": claim.flag == "conflicting",
        "uncertain": claim.is_uncertain,
        "new": claim.is_new,
        "dismissed": claim.dismissed,
    }
    flagged = ", ".join(flag for flag, is_set in flags.items() if is_set)
    return f"{VERDICTS[claim.shown].label}{f' ({flagged})' if flagged else ''}"


class Fact(NamedTuple):
    """What a reader needs beside a claim: words of a source, or its correction."""

    label: Literal["Source", "Contradicts", "Nearest", "Correction"]
    words: str
    place: Place | None  # `None` for a correction

    def line(self, written: Callable[[str], str], where: Callable[[Place], str]) -> str:
        """Return it on one line: `Source: “It opens at ten.” (handbook, line 3)`.

        Words and place are as a form of the report has them `written`.
        """
        if self.place is None:
            return f"{self.label}: {written(self.words)}"
        doubt = (
            f" – {UNCERTAIN.label.lower()}: {doubt_text(self.place)}" if self.place.doubts else ""
        )
        return f"{self.label}: “{written(self.words)}” ({where(self.place)}){doubt}"


def facts_of(claim: CheckedClaim) -> Iterator[Fact]:
    """Yield the words that decide, and the correction.

    Where nothing decides, the nearest words take their place: of a fact check those of two pages,
    of an audit one sentence if the claim is undecided.
    """
    for place in claim.decisive[:_MOST_PLACES]:
        against = place.outcome == "contradicted"
        yield Fact("Contradicts" if against else "Source", _below_headings(place), place)
    of_pages = any(place.outcome for place in claim.evidence)
    most = _MOST_NEAREST if of_pages else int(claim.shown == "undecided")
    for place in () if claim.decisive else claim.evidence[:most]:
        yield Fact("Nearest", _below_headings(place), place)
    if claim.correction is not None:
        yield Fact("Correction", claim.correction.claim, None)


def _below_headings(place: Place) -> str:
    """Return the words of a place without the headings they begin with, which its name has."""
    lines = place.text.split("\n")
    while len(lines) > 1 and lines[0].strip() in ("", *place.headings):
        del lines[0]
    return "\n".join(lines)


class Remark(NamedTuple):
    """What a reader should know besides the claims, on one line."""

    kind: Literal["citation", "unread", "uncovered"]  # the last is a sentence without a claim
    title: str
    text: str
    is_failure: bool = False  # it makes the text fail


def remarks_of(report: Report) -> Iterator[Remark]:
    """Yield what is wrong with citations, what could not be read, and what was not examined."""
    text = ReadableText(report.text)
    # The claims of findings that say the same.
    alike: dict[tuple[CitationProblem, str], list[int]] = {}
    for finding in report.findings:
        alike.setdefault((finding.problem, finding.message), []).extend(finding.claims)
    for (problem, message), claims in alike.items():
        fails = PROBLEMS[problem].effect == "failed"
        yield Remark("citation", title_of_problem(problem, claims), message, fails)
    for search in report.searches:
        if search.failure is None and not search.partial:
            continue
        what = "Not searched" if search.failure is not None else "Searched in part"
        yield Remark("unread", what, f"“{search.query}”: {search_text(search)}")
    unread = report.unread
    for page in unread[:_MOST_UNREAD]:
        yield Remark("unread", "Not read", f"{page.url}: {page.reason}")
    if (more := len(unread) - _MOST_UNREAD) > 0:
        yield Remark("unread", "Not read", counted_as(more, "other page"))
    for sentence in report.uncovered:
        words = shown(text[sentence.start : sentence.end], _LONGEST)
        yield Remark("uncovered", "Not examined", f"“{words}”")


def as_line(text: str, limit: int = 2_000) -> str:
    """Return a text on one line, cut to a length, without what XML cannot hold."""
    return shown(_NOT_IN_XML.sub(lambda sign: f"\\u{ord(sign[0]):04x}", text), limit)


def source_and_place(place: Place, name: str = "") -> str:
    """Return on one line where words of a source are; a long id is cut, markup is not escaped.

    Without another name, a page of the web is named by its title, if it has one.
    """
    source = name or place.title.strip() or place.source_id
    if place.headings[:1] == (source,):  # of most pages
        source = ""
    named = (shown(source, _LONGEST_ID), shown(place.name, _LONGEST_PLACE))
    return ", ".join(filter(None, named))


def where_and_url(place: Place) -> str:
    """Return where words of a source are, and the address that leads to them."""
    return ", ".join(filter(None, (source_and_place(place), place.url)))


def doubt_text(place: Place) -> str:
    """Return why words of a source may not be what its file shows; empty without a doubt.

    Examples:
        >>> doubt_text(Place(source_id="scan", start=0, end=3, text="One", doubts=("recognised",)))
        'The file may show something else here: these words were read from a picture'
    """
    reasons = "; ".join(_DOUBTS[each] for each in place.doubts)
    return f"{UNCERTAIN.opening}: {reasons}" if reasons else ""


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


def title_of_problem(problem: CitationProblem, claims: Iterable[int]) -> str:
    """Return what is wrong with citations, and with those of which claims."""
    label, numbers = PROBLEMS[problem].label, [*map(str, claims)]
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

    The `reason` is the judge's. The claim differs from the source in the facts; the `better`
    sources support it, although it does not cite them.
    """
    opening = VERDICTS[verdict].opening
    if verdict == "supported":
        return f"{opening}."
    names = [f"“{shown(each, _LONGEST_ID)}”" for each in better]
    if names and verdict == "unsupported":  # the reason is about what is cited only
        return f"No cited source says this, but {names[0]} does."
    differ = "; the nearest words differ" if verdict == "undecided" else ""
    detail = f"{differ}: {_listed(facts)}." if facts else f". {_sentence(reason)}"
    others = (f"{name} says so, but is not cited." for name in names)
    return " ".join([f"{opening}{detail}".strip(), *others])


def _sentence(reason: str) -> str:
    """Return a judge's reason as sentences of their own: one for each line."""
    sentences: list[str] = []
    for line in reason.splitlines():
        text = shown(line, _LONGEST)
        stop = "" if not text or text.rstrip('"”').endswith((".", "!", "?")) else "."
        is_name = text.partition(" ")[0].endswith(":")  # of a judge, as in "gpt-5-mini: timed out"
        sentences.append(f"{text if is_name else text[:1].upper() + text[1:]}{stop}")
    return shown(" ".join(filter(None, sentences)), _LONGEST)


def _listed(facts: Sequence[DifferingFact]) -> str:
    listed: list[str] = []
    for fact in facts[:_MOST_FACTS]:
        stated, found = shown(fact.stated, _LONGEST_FACT), shown(fact.found, _LONGEST_FACT)
        if not fact.found:
            listed.append(f"the claim says “{stated}”, and the source does not")
        elif not fact.stated:
            listed.append(f"the claim omits “{found}”")
        else:
            listed.append(f"“{found}” where the claim says “{stated}”")
    more = len(facts) - len(listed)
    return "; ".join([*listed, *([f"and {more} more"] if more else [])])
