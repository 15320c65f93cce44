"""The one report of checked statements: `Report`, its parts, and `trust_of`.

An audit fills it with the claims of a text and its citation marks, a fact check with the pages that
were searched for and read. Only the text, the sources and the claims are required.

The vocabulary is here, too: what a claim is shown as (`Shown`), and the problems that citations can
have, each with what it means for the whole text (`PROBLEMS`).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Sequence
from datetime import datetime
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from pydantic import BaseModel, ConfigDict, Field

from citeguard.judges.usage import Stage
from citeguard.judges.verdicts import Outcome
from citeguard.language.excerpts import counted_as
from citeguard.sources.layout import Box, DoubtReason, FileKind, Heading, name_of_place
from citeguard.web.search import SearchFailure

if TYPE_CHECKING:
    from rich.console import RenderableType

SetAside = Literal["opinion", "question", "instruction", "greeting", "heading", "code", "no claim"]
"""Why words of a text are not checkable."""

Shown = Literal["contradicted", "unsupported", "undecided", "supported", "set_aside"]
"""How a claim is shown: its verdict, or that it has none; the most urgent first."""

BY_URGENCY: tuple[Shown, ...] = get_args(Shown)
ATTENTION: tuple[Shown, ...] = ("contradicted", "unsupported", "undecided")
"""The verdicts that need attention, the most urgent first."""

UndecidedCause = Literal[
    "budget", "search_failed", "page_unread", "nothing_found", "judge_failed", "ambiguous"
]
"""Why a fact check leaves a claim undecided: a budget ran out; a search failed; a page that was
found could not be read; no page was found; a judge could not decide; a name can mean several
things."""

FactKind = Literal["number", "name", "negation", "word"]
"""The kind of fact in which a claim and its source differ; a number may be a date, too."""

CitationProblem = Literal[
    "uncited",
    "unknown_id",
    "wrong_source",
    "redundant",
    "retracted",
    "link_dead",
    "link_blocked",
    "link_redirected",
    "not_on_page",
    "page_contradicts",
]
"""The problem with a citation mark of a text, or with a missing one.

`PROBLEMS` says what each means. Those from `link_dead` on are only found where links are read: see
`LinkChecker`.
"""


class ProblemKind(NamedTuple):
    """A kind of `CitationProblem`, and whether it makes the text fail, or leaves it undecided."""

    label: str
    meaning: str  # as a sentence
    level: Literal["error", "warning", "note"] = "warning"  # for SARIF
    effect: Literal["failed", "undecided", "shown"] = "shown"


PROBLEMS: dict[CitationProblem, ProblemKind] = {
    "uncited": ProblemKind("Uncited", "A claim has no citation mark, in a text that has some."),
    "unknown_id": ProblemKind("Unknown source", "A mark names no source.", "error", "failed"),
    "wrong_source": ProblemKind("Wrong source", "Another source says it.", "error", "failed"),
    "redundant": ProblemKind("Redundant citation", "A mark is not needed beside another.", "note"),
    "retracted": ProblemKind("Retracted", "The work was retracted.", "error", "failed"),
    "link_dead": ProblemKind("Dead link", "There is no such page or work.", "error", "failed"),
    "link_blocked": ProblemKind("Link not read", "The page was not read.", "note", "undecided"),
    "link_redirected": ProblemKind("Link leads elsewhere", "It is hardly the page that was meant."),
    "not_on_page": ProblemKind("Not on the page", "The page does not say it.", effect="failed"),
    "page_contradicts": ProblemKind("Page says otherwise", "It says otherwise.", "error", "failed"),
}

LinkOutcome = Literal["read", "read_in_part", "redirected", "dead", "unread"]
"""What became of a link.

- `read`: the page was read, or all of the work.
- `read_in_part`: of a work, its abstract or a page about it was read.
- `redirected`: another page than the one that was meant was read, by all appearances.
- `dead`: there is no such page, or no such work.
- `unread`: it could not be read, whatever the reason.
"""


# The coverage, in percent, from which a text has a score; with less it would mislead.
_ENOUGH = 80.0


class Part(BaseModel):
    """A part of a report: frozen, without extra fields."""

    # A report is read from JSON again, as a baseline: a misspelt field would silently count for
    # nothing.
    model_config = ConfigDict(frozen=True, extra="forbid")


class SourcePage(Part):
    """A page of a source that was read from a PDF file.

    Attributes:
        number: Which page of the file it is, from 1.
        label: Its label in the file, such as "iv"; else the number as text.
        width: In points, 1/72 inch, as the page is shown; `height` likewise.
        start: Where its words start in the source's text, in code points; `None` if it has none.
        picture: The page as WebP in Base64; empty if no claim rests on it, or there are too many.
    """

    number: int
    label: str
    width: float
    height: float
    start: int | None = None
    picture: str = Field(default="", pattern="^[A-Za-z0-9+/]*=*$", repr=False)

    @property
    def name(self) -> str:
        """The page, for a reader: `p. 4`.

        Examples:
            >>> SourcePage(number=16, label="iv", width=612, height=792).name
            'p. iv (16 of the file)'
        """
        return name_of_place(page=self.number, page_label=self.label)


class CheckedSource(Part):
    """A source as it was when the text was audited.

    Attributes:
        id: What citations call it.
        text: Its words.
        title: What it is called.
        url: Its address on the web.
        kind: The kind of file that it was read from; `None` for text that came from no file.
        headings: The headings of a file, in the order of the text.
        pages: The pages of a PDF file, in order.
    """

    id: str
    text: str = Field(repr=False)
    title: str | None = None
    url: str | None = None
    kind: FileKind | None = None
    headings: tuple[Heading, ...] = Field(default=(), repr=False)
    pages: tuple[SourcePage, ...] = Field(default=(), repr=False)


class Place(Part):
    """Words of a source.

    Attributes:
        source_id: The source.
        start: Where they start in its text, in code points.
        end: Where they end, exclusive.
        line: The number of the line they start on, from 1; `None` for files other than text and
            Markdown, whose lines mean nothing to a reader.
        text: The words, as the source has them.
        title: What a page of the web is called; empty for other sources, which their id names.
        url: The address that leads to the words; empty for a source without one.
        outcome: What the judge says of the claim, having read this page alone; `None` if pages
            are not judged one by one.
        headings: The headings above, the highest first.
        page: The number of the page they start on, from 1; `None` in a file without pages.
        page_label: What the file calls that page.
        boxes: The rectangles they cover, line by line, on this page and the next; empty without
            pages.
        detail: The table, row and column, or the part of the file, in words.
        doubts: Why the words may not be what the file shows; empty if nothing is known against it.
    """

    source_id: str
    start: int
    end: int
    line: int | None = None
    text: str
    title: str = ""
    url: str = ""
    outcome: Outcome | None = None
    headings: tuple[str, ...] = ()
    page: int | None = None
    page_label: str | None = None
    boxes: tuple[Box, ...] = Field(default=(), repr=False)
    detail: str = ""
    doubts: tuple[DoubtReason, ...] = ()

    @property
    def name(self) -> str:
        """The place, for a reader: `p. 4 › Results`, or `line 12`; empty if nothing is known.

        Examples:
            >>> Place(source_id="handbook", start=0, end=3, line=12, text="One").name
            'line 12'
        """
        return name_of_place(
            page=self.page,
            page_label=self.page_label,
            headings=self.headings,
            line=self.line,
            detail=self.detail,
        )


class DifferingFact(Part):
    """A fact in which a claim and its source differ.

    Attributes:
        kind: Its kind.
        stated: The claim's words; empty where it omits something.
        found: The source's words instead; empty where it has none.
    """

    kind: FactKind
    stated: str
    found: str


class Replacement(Part):
    """The text that replaces `text[start:end]` of the audited text; offsets in code points."""

    start: int
    end: int
    text: str


class Correction(Part):
    """A claim with the source's facts instead of its own; judged again, and supported.

    Attributes:
        claim: The claim, corrected.
        sentence: Its sentence, corrected.
        replacements: The replacements in the audited text, in order.
        score: How well the corrected claim is supported, 0 to 1; `None` if the judge gives none.
    """

    claim: str
    sentence: str
    replacements: tuple[Replacement, ...]
    score: float | None = None


class CheckedClaim(Part):
    """A statement that was checked, and what the sources say about it.

    Attributes:
        number: Which one of the report it is, from 1.
        text: What is claimed.
        start: Where its own words start in the text of the report, in code points; `end` is
            exclusive. The own words of two claims do not overlap.
        sentence_start: Where its sentence starts, to `sentence_end`, exclusive.
        verdict: `supported`, `contradicted`, `unsupported`, or `undecided` if the judges could not
            decide; `None` if it was set aside.
        set_aside: Why it is not checkable; `None` if it is.
        context: Words before it without which it cannot be understood; empty if there are none.
        cited: The ids of the sources that its citation marks name, in order.
        score: How well it is supported, 0 to 1; `None` if the judge gives no score.
        place: Where it is in the file that the text was read from, such as `p. 4 › Results`; empty
            if the text is from no file.
        judge: The judge that decided; empty if none was asked.
        explanation: Why it has its verdict, in a sentence or two.
        evidence: What the judge was shown; where nothing decides, after the nearest sentence of it.
        deciding: The words of the evidence that decide; `None` if there are none. `further` are
            those of other pages, where pages are judged one by one.
        differences: The facts in which the claim and the source differ.
        correction: The claim corrected by the source; `None` if there is no clean correction.
        flag: `conflicting` if it is undecided because some pages support it and others contradict
            it.
        causes: Why a fact check leaves it undecided; empty if it does not, or pages conflict.
        origins_for: How many independent origins support it, in a fact check; as many as
            `origins_against` contradict it.
        dropped_facts: How many facts of a `FactReader` were dropped, as no page has their quotes.
        dismissed: Why a reader decided that it is no problem; empty if nobody did.
        is_new: Whether it is a problem that the baseline does not have; `None` without a baseline.
    """

    number: int
    text: str
    start: int
    end: int
    sentence_start: int
    sentence_end: int
    verdict: Outcome | None = None
    set_aside: SetAside | None = None
    context: str = ""
    cited: tuple[str, ...] = ()
    score: float | None = None
    place: str = ""
    judge: str = ""
    explanation: str
    evidence: tuple[Place, ...] = ()
    deciding: Place | None = None
    further: tuple[Place, ...] = ()
    differences: tuple[DifferingFact, ...] = ()
    correction: Correction | None = None
    flag: Literal["conflicting"] | None = None
    causes: tuple[UndecidedCause, ...] = ()
    origins_for: int = 0
    origins_against: int = 0
    dropped_facts: int = 0
    dismissed: str = ""
    is_new: bool | None = None

    @property
    def decisive(self) -> tuple[Place, ...]:
        """All the words that decide, the foremost first."""
        return (() if self.deciding is None else (self.deciding,)) + self.further

    @property
    def is_uncertain(self) -> bool:
        """Whether it is supported only by words that its files may not show."""
        found = self.decisive
        return self.verdict == "supported" and bool(found) and all(each.doubts for each in found)

    @property
    def shown(self) -> Shown:
        """Its verdict; `set_aside` if it has none."""
        return self.verdict or "set_aside"

    @property
    def foremost(self) -> Place | None:
        """The words to read first: those that decide, else the first of the evidence.

        `None` for an unsupported claim: no words say it.
        """
        found = self.evidence if self.verdict != "unsupported" else ()
        return self.deciding or next(iter(found), None)


class CitationFinding(Part):
    """A problem with a citation mark, or a missing one.

    Attributes:
        problem: The kind of problem.
        start: Where the mark or the claim without a mark starts in the text, in code
            points.
        end: Where it ends, exclusive.
        claims: The numbers of the claims it is about.
        cited: What is cited: an id, or a key of no source; empty where nothing is.
        better: The ids of the sources that support the claim instead.
        message: The problem and what to do, in a sentence.
    """

    problem: CitationProblem
    start: int
    end: int
    claims: tuple[int, ...] = ()
    cited: str = ""
    better: tuple[str, ...] = ()
    message: str


class CheckedLink(Part):
    """A page, or a work, that a text links to or that a search has found.

    Attributes:
        url: Its address; of a work the one by which anybody would look it up.
        outcome: What became of it.
        reason: Why it was not read as a whole, as a clause; empty if it was.
        places: Where the text has it: pairs of start and end, exclusive, in code points.
        source_id: The id of the source with its text; `None` if it was not read.
        title: The title of the page or the work; empty if it is not known.
        final_url: The address that answered in the end; empty if none did.
        status: The HTTP status of the last answer; `None` without one.
        fetched_at: When the answer came, in UTC.
        sha256: Of the page's decoded body, in hexadecimal; empty without one.
        snapshot: The address of a copy of a dead page, if one was looked for and found.
        claims: The numbers of the claims that a search found it for.
        origin: A number that it shares with its copies and with pages of the same domain.
    """

    url: str
    outcome: LinkOutcome
    reason: str = ""
    places: tuple[tuple[int, int], ...] = ()
    source_id: str | None = None
    title: str = ""
    final_url: str = ""
    status: int | None = None
    fetched_at: datetime | None = None
    sha256: str = ""
    snapshot: str = ""
    claims: tuple[int, ...] = ()
    origin: int | None = None


class Search(Part):
    """A search: what was asked of whom, and what came back.

    Attributes:
        query: The words that were searched for.
        found: The addresses that the provider found, the best first. They are not evidence.
        partial: Whether something that was to be searched did not answer.
        failure: Why the search failed; `None` if it did not.
        reason: What a reader should know of it, in a sentence; empty if there is nothing.
        ambiguous: Names that can mean several things, a sentence each.
        claims: The numbers of the claims that it was sent for.
    """

    query: str
    provider: str = ""
    found: tuple[str, ...] = ()
    partial: bool = False
    failure: SearchFailure | None = None
    reason: str = ""
    ambiguous: tuple[str, ...] = ()
    claims: tuple[int, ...] = ()


class Spent(Part):
    """What a fact check took.

    Attributes:
        searches: Searches that were sent.
        pages: Pages that were asked for, those from the cache included.
        calls: Calls of models that are not local, with their `tokens`.
        cost: What they cost, in the currency of their prices.
        seconds: Seconds on the clock.
    """

    searches: int = 0
    pages: int = 0
    calls: int = 0
    tokens: int = 0
    cost: float = 0.0
    seconds: float = 0.0


class Uncovered(Part):
    """A sentence of the text, `text[start:end]`, without a claim of the extractor."""

    start: int
    end: int


class Trust(Part):
    """How much of a text its sources support: see `trust_of`.

    `str` of it is a sentence: `6 of 9 statements are supported; 2 are contradicted; 1 could not
    be decided`.

    Attributes:
        value: The share of the checkable claims that is supported, 0 to 100, to one decimal place:
            what is undecided is not verified. `None` unless at least 80 % of them were decided.
        coverage: The share of the checkable claims that was decided, 0 to 100.
        supported: How many claims are supported; the other three count as their names say.
    """

    value: float | None
    coverage: float
    supported: int
    contradicted: int
    unsupported: int
    undecided: int

    @property
    def checkable(self) -> int:
        """How many claims there are, without those that were set aside."""
        return self.supported + self.contradicted + self.unsupported + self.undecided

    def __str__(self) -> str:
        """Return how many claims are supported, contradicted and so on, as a sentence."""
        are = "is" if 1 in (self.supported, self.checkable) else "are"
        first = f"{self.supported:,} of {counted_as(self.checkable, 'statement')} {are} supported"
        rest = {"contradicted": self.contradicted, "unsupported": self.unsupported}
        others = [f"{n:,} {'is' if n == 1 else 'are'} {word}" for word, n in rest.items() if n]
        others += [f"{self.undecided:,} could not be decided"] if self.undecided else []
        return "; ".join([first, *others])


class Report(Part):
    """A text, claim by claim, beside its sources, with methods that write it in several formats.

    It is complete: `model_dump_json` and `to_json` write all of it, including the texts of the
    sources, and `Report.model_validate_json` reads that again. The methods `to_…` return a form of
    it and, if a path is given, write it to that file as UTF-8; they raise `OSError` if they cannot.

    Attributes:
        text: The audited text.
        sources: The sources, in order.
        claims: All claims in the order of the text, also those that are not checkable.
        findings: The problems with citation marks, in the order of the text.
        uncovered: The sentences without a claim, in order.
        trust: How much of it is supported; `None` where there is no claim to check.
        links: What became of the links of the text, in its order, or of the pages that were found;
            empty if none were read.
        searches: The searches of a fact check, in the order in which they ended.
        spent: What a fact check took; `None` for an audit.
        models: What each judge was asked that is not `local`, such as a language model, and what
            that cost: the claims, their corrections, and the questions about their citations.
        mended: The claims that were a problem in the baseline, and no longer are; `None` without
            a baseline: see `since`.

    Examples:
        >>> from citeguard import audit
        >>> report = audit("The notice period is one month.", "The notice period is one month.")
        >>> report.claims[0].verdict
        'supported'
    """

    text: str = Field(repr=False)
    sources: tuple[CheckedSource, ...]
    claims: tuple[CheckedClaim, ...]
    findings: tuple[CitationFinding, ...] = ()
    uncovered: tuple[Uncovered, ...] = ()
    trust: Trust | None = None
    links: tuple[CheckedLink, ...] = ()
    searches: tuple[Search, ...] = ()
    spent: Spent | None = None
    models: tuple[Stage, ...] = ()
    mended: tuple[str, ...] | None = None

    @property
    def counts(self) -> dict[Shown, int]:
        """How many claims have each verdict, and how many were set aside."""
        found = Counter(claim.shown for claim in self.claims)
        return {shown: found[shown] for shown in BY_URGENCY}

    def with_verdict(self, *verdicts: Shown) -> tuple[CheckedClaim, ...]:
        """Return the claims that have one of these verdicts, or were `set_aside`, in order."""
        return tuple(claim for claim in self.claims if claim.shown in verdicts)

    @property
    def urgent(self) -> tuple[CheckedClaim, ...]:
        """The claims that need attention and were not dismissed, the most urgent first."""
        found = [claim for verdict in ATTENTION for claim in self.with_verdict(verdict)]
        found += [claim for claim in self.claims if claim.is_uncertain]
        return tuple(claim for claim in found if not claim.dismissed)

    @property
    def settled(self) -> tuple[CheckedClaim, ...]:
        """The claims that are supported for certain, or were set aside, in order."""
        found = self.with_verdict("supported", "set_aside")
        return tuple(claim for claim in found if not claim.is_uncertain)

    @property
    def open_findings(self) -> tuple[CitationFinding, ...]:
        """The problems with citations, without those whose claims were all dismissed."""
        dismissed = {claim.number for claim in self.claims if claim.dismissed}
        return tuple(e for e in self.findings if not e.claims or not dismissed.issuperset(e.claims))

    def since(self, baseline: Report) -> Report:
        """Return the report, compared with an earlier one of the same text.

        A claim is the same if its words are, white space aside. What was dismissed there is
        dismissed here, as long as its verdict is the same.

        Examples:
            >>> from citeguard import audit
            >>> before = audit("It opens at ten.", ["It opens at nine."])
            >>> audit("It opens at nine.", ["It opens at nine."]).since(before).mended
            ('It opens at ten',)
        """
        before = {_words_of(claim): claim for claim in baseline.claims}
        claims: list[CheckedClaim] = []
        for claim in self.claims:
            was = before.get(_words_of(claim))
            new = claim.shown in ATTENTION and (was is None or was.shown not in ATTENTION)
            dismissed = claim.dismissed
            # A verdict that has changed is another problem, which nobody has looked at.
            if was is not None and was.shown == claim.shown:
                dismissed = dismissed or was.dismissed
            claims.append(claim.model_copy(update={"is_new": new, "dismissed": dismissed}))
        problems = {_words_of(claim) for claim in self.with_verdict(*ATTENTION)}
        mended = tuple(
            words
            for words, claim in before.items()
            if claim.shown in ATTENTION and words not in problems
        )
        return self.model_copy(update={"claims": tuple(claims), "mended": mended})

    @property
    def corrections(self) -> tuple[CheckedClaim, ...]:
        """The claims with a correction that overlaps no earlier one, in the order of the text."""
        kept: list[CheckedClaim] = []
        done = 0
        for claim in sorted(self.claims, key=lambda claim: claim.start):
            swaps = claim.correction.replacements if claim.correction else ()
            if swaps and done <= swaps[0].start and swaps[-1].end <= len(self.text):
                kept.append(claim)
                done = swaps[-1].end
        return tuple(kept)

    @property
    def corrected_text(self) -> str:
        """The text with all its `corrections`; what has none is left as it is."""
        made = (claim.correction for claim in self.corrections)
        swaps = [swap for each in made if each is not None for swap in each.replacements]
        parts, done = list[str](), 0
        for swap in swaps:
            parts += [self.text[done : swap.start], swap.text]
            done = swap.end
        return "".join([*parts, self.text[done:]])

    @property
    def unread(self) -> tuple[CheckedLink, ...]:
        """The pages that searches found and that could not be read."""
        return tuple(each for each in self.links if each.claims and each.source_id is None)

    @property
    def outcome(self) -> Literal["passed", "failed", "undecided"]:
        """Whether the text passed, as exit statuses and test reports say.

        It failed if a claim is contradicted or unsupported, or a citation has a problem that counts
        as such. It is undecided if a claim is, if all support of one is uncertain, if a link could
        not be read, or if no claim is supported. Dismissed claims count for nothing here.
        """
        effects = {PROBLEMS[finding.problem].effect for finding in self.open_findings}
        verdicts = {claim.verdict for claim in self.urgent}
        if verdicts & {"contradicted", "unsupported"} or "failed" in effects:
            return "failed"
        if verdicts or "undecided" in effects:
            return "undecided"
        dismissed = any(claim.dismissed for claim in self.claims)
        return "passed" if self.with_verdict("supported") or dismissed else "undecided"

    def to_html(self, path: str | PathLike[str] | None = None, *, title: str | None = None) -> str:
        """Return one self-contained page that loads nothing from outside; everything is escaped.

        Args:
            path: A file to write.
            title: The page's title; by default it names the sources.
        """
        from citeguard.reports.page import as_html

        return _written(as_html(self, title=title), path)

    def to_json(self, path: str | PathLike[str] | None = None) -> str:
        """Return all of the report as JSON in ASCII, whatever characters the sources have."""
        # Not Pydantic's own JSON, which cannot write lone surrogates.
        return _written(json.dumps(self.model_dump(mode="json"), indent=2), path)

    def to_markdown(self, path: str | PathLike[str] | None = None) -> str:
        """Return Markdown, for a comment on a change or the summary of a CI run."""
        from citeguard.reports.markdown import as_markdown

        return _written(as_markdown(self), path)

    def to_sarif(self, path: str | PathLike[str] | None = None, *, uri: str = "text") -> str:
        """Return the problems as SARIF 2.1.0, which code hosts show at the lines of a file.

        Args:
            path: A file to write.
            uri: The audited text's file, relative to the root of its repository.
        """
        from citeguard.reports.sarif import as_sarif

        return _written(as_sarif(self, uri=uri), path)

    def to_junit(
        self, path: str | PathLike[str] | None = None, *, name: str = "citeguard.audit"
    ) -> str:
        """Return JUnit-style XML, with a test for every claim; `name` is that of the suite."""
        from citeguard.reports.junit import as_junit

        return _written(as_junit(self, name=name), path)

    def annotate(
        self,
        file: str | PathLike[str],
        path: str | PathLike[str],
        *,
        verdicts: Collection[Shown] = ATTENTION,
    ) -> None:
        """Write a copy of the Word or PDF file that the text was read from, with notes in it.

        Each claim that needs attention and was not dismissed has a note with its verdict, the
        explanation, and the words of the source with their place; so has each problem with a
        citation that counts. In Word notes are comments, and a correction is a tracked change if
        its words can be changed alone; in PDF notes are highlights. All else stays as it is.

        Args:
            file: The file that the text was read from.
            path: The file to write.
            verdicts: The verdicts of the claims that get a note.

        Raises:
            CiteguardError: the file is of another kind, or does not have the text of the report.
        """
        from citeguard.documents.files import read_bytes
        from citeguard.reports.annotated import annotated

        Path(path).write_bytes(annotated(self, read_bytes(Path(file)), str(file), verdicts))

    def _repr_html_(self) -> str:
        """Show the report in a notebook."""
        from citeguard.reports.cards import report_card

        return report_card(self)

    def __rich__(self) -> RenderableType:
        """Show the report in a terminal, with `rich.print`."""
        from citeguard.reports.terminal import as_renderable

        return as_renderable(self)


def _words_of(claim: CheckedClaim) -> str:
    """Return what makes a claim the same as one of an earlier report."""
    return " ".join(claim.text.split())


def _written(content: str, path: str | PathLike[str] | None) -> str:
    if path is not None:
        Path(path).write_text(content, encoding="utf-8")
    return content


def trust_of(claims: Sequence[CheckedClaim]) -> Trust | None:
    """Return how much of a text with these claims is supported.

    What is undecided counts as not verified. So a text can have a high value only if most of its
    claims were decided; where fewer than 80 % were, there is no value at all. How sure a verdict is
    does not count, nor do claims that were set aside.

    Returns:
        The score; `None` if there is no claim to check.

    Examples:
        >>> from citeguard import audit
        >>> report = audit("It opens at ten [1]. Does it?", ["It opens at ten."])
        >>> print(trust_of(report.claims), trust_of(report.claims).value)
        1 of 1 statement is supported 100.0
        >>> trust_of([]) is None
        True
    """
    counts = Counter(claim.verdict for claim in claims if claim.verdict)
    if not (checkable := counts.total()):
        return None
    coverage = 100 * (checkable - counts["undecided"]) / checkable
    return Trust(
        value=round(100 * counts["supported"] / checkable, 1) if coverage >= _ENOUGH else None,
        coverage=round(coverage, 1),
        supported=counts["supported"],
        contradicted=counts["contradicted"],
        unsupported=counts["unsupported"],
        undecided=counts["undecided"],
    )
