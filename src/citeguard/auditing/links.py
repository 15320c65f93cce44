"""The links and references of a text: they are read, and are sources of its claims.

`LinkChecker` says how they are read. A page that was read is a source like any other; one that
could not be read makes the claims that link to it undecided, never unsupported.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice

from citeguard.auditing.conclusions import OpenClaim, finding, numbers_of
from citeguard.auditing.marks import Linked, Mark, not_prose
from citeguard.auditing.references import find_references
from citeguard.errors import CiteguardError, described
from citeguard.judges.loops import in_thread, together
from citeguard.judges.verdicts import Verdict
from citeguard.language.excerpts import counted_as, shown
from citeguard.reports.report import (
    CheckedClaim,
    CheckedLink,
    CitationFinding,
    CitationProblem,
    LinkOutcome,
)
from citeguard.sources.collection import Source, Sources
from citeguard.sources.links import address_of, page_of
from citeguard.web.works import (
    Identifier,
    LookupFailedError,
    PageFetcher,
    Registries,
    Resolved,
    asnapshot,
    find_identifiers,
    leads_elsewhere,
    resolve_identifier,
)

LinkProgress = Callable[[int, int], object]
"""Called with the number of links read, and the number of all links."""

JUDGE = "links"
"""The judge of claims whose pages could not be read."""

_MOST_AT_ONCE = 16  # pages that are fetched
_LONGEST_ADDRESS = 120  # characters in a message
_LONGEST_REASON = 300  # characters in a message
_MOST_NAMED = 3  # pages in the reason of a verdict
# Both are a little more than `marks` reads of a link in HTML: 2,000 characters of its opening tag,
# and 1,000 to the closing one.
_LOOK_BACK = 2_100  # characters before an address in which the tag that it is in begins
_NEAR = 1_100  # characters after an address in HTML in which its link ends
_IMAGE = re.compile(r"!\[[^\[\]\n]{0,300}\]\(<?\Z")
# A tag that is still open: '<img src="'; not an address in angle brackets.
_TAG = re.compile(r"<(?!https?:|www\.)/?([a-z][a-z0-9]*)\b[^<>]*\Z", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"href\s*=\s*[\"']?\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkChecker:
    """How the links and references of a text are read.

    Attributes:
        fetcher: What fetches pages, such as a `Fetcher`.
        registries: Where DOIs and arXiv numbers are looked up.
        wayback: Whether the Wayback Machine is asked for a copy of each dead page.
        wayback_url: Its address.
        progress: Called with the number of links read, and the number of all links.

    Raises:
        CiteguardError: the fetcher has no method `afetch`.
    """

    fetcher: PageFetcher
    registries: Registries = field(default_factory=Registries)
    wayback: bool = False
    wayback_url: str = "https://archive.org"
    progress: LinkProgress | None = None

    def __post_init__(self) -> None:
        """Reject what cannot fetch."""
        if not isinstance(self.fetcher, PageFetcher) or isinstance(self.fetcher, type):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise CiteguardError(
                f"links: expected a Fetcher or a LinkChecker, got {described(self.fetcher)}"
            )


def _places_in(text: str) -> dict[Identifier, int | None]:
    """Return the addresses of a text, outside of code, pictures and tags other than `<a>`.

    Each is with the start of the entry of a list of references that it is in.
    """
    references = find_references(text)
    skipped = not_prose(text, ())
    owners = sorted(references.entries, key=lambda entry: entry.start)
    places: dict[Identifier, int | None] = {}
    at = 0
    for each in find_identifiers(text):
        while at < len(owners) and owners[at].end <= each.start:
            at += 1
        is_owned = at < len(owners) and owners[at].start <= each.start
        before = text[max(0, each.start - _LOOK_BACK) : each.start]
        if not skipped[each.start] and _is_link(before):
            places[each] = owners[at].start if is_owned else None
    return places


def _is_link(before: str) -> bool:
    # As long as the pattern can match: a picture is seen, and cites nothing.
    if _IMAGE.search(before[-310:]):
        return False
    tag = _TAG.search(before, before.rfind("<") if "<" in before else len(before))
    if tag is None:
        return True
    return tag[1].lower() == "a" and _ATTRIBUTE.search(before) is not None


@dataclass(frozen=True, kw_only=True)  # without slots, which cannot keep what is computed once
class Links:
    """The links of a text, after they were read."""

    # In its order, each with the start of the entry of a list of references that it is in.
    places: Mapping[Identifier, int | None] = field(default_factory=dict[Identifier, int | None])
    resolved: Mapping[str, Resolved] = field(default_factory=dict[str, Resolved])  # by address
    given: Mapping[str, str] = field(default_factory=dict[str, str])  # ids of the caller's sources
    # The addresses of copies of dead pages, or why none is known, by their addresses.
    snapshots: Mapping[str, str] = field(default_factory=dict[str, str])
    has_given: bool = False  # whether there are sources besides them

    @cached_property
    def read(self) -> tuple[Source, ...]:
        """The sources with the texts that were read, in the order of the text."""
        found = (each.source for each in self.resolved.values() if each.url not in self.given)
        return tuple(source for source in found if source is not None)

    @cached_property
    def placeholders(self) -> tuple[Source, ...]:
        """Sources that stand for what was not read, only so that marks can name it."""
        return tuple(
            Source(each.url, each.url, each.work.title or None if each.work else None, each.url)
            for each in self.resolved.values()
            if each.source is None and each.url not in self.given
        )

    @cached_property
    def retracted(self) -> dict[str, str]:
        """The ids of the works that a registry says were retracted, each with who says so."""
        works = ((self._id_of(each.url), each.work) for each in self.resolved.values())
        return {name: work.retracted for name, work in works if work and work.retracted}

    @cached_property
    def unread(self) -> frozenset[str]:
        """The ids of what was not read."""
        return frozenset(each.id for each in self.placeholders)

    def sources(self, everything: Sources) -> Sources:
        """Return the sources with a text that was read; all of them if there are none."""
        unread = self.unread
        return Sources([each for each in everything if each.id not in unread] or everything)

    @cached_property
    def linked(self) -> Linked:
        """What the links lead to, for whoever reads the marks of the text."""
        targets = {
            written: self._id_of(place.url)
            for place in self.places
            for written in (place.value, place.url)
        }
        entries: dict[int, list[str]] = {}
        for place, entry in self.places.items():
            if entry is not None:
                entries.setdefault(entry, []).append(place.url)
        outside = tuple(
            (place.start, place.end, self._id_of(place.url))
            for place, entry in self.places.items()
            if entry is None
        )
        best = {start: self._id_of(self._best(urls)) for start, urls in entries.items()}
        return Linked(targets, best, outside)

    def split(self, mark: Mark) -> Mark:
        """Return a mark whose `cited` are only sources that were read."""
        unread = self.unread
        return replace(
            mark,
            cited=tuple(each for each in mark.cited if each not in unread),
            unread=tuple(each for each in mark.cited if each in unread),
        )

    def unsettled(self, prepared: OpenClaim) -> str:
        """Return why nobody can say that a claim is unsupported, in a sentence; empty if one can.

        What it cites was not read, or not as a whole; or it cites nothing, and some page was not
        read that may say it. A page that does not exist says nothing.
        """
        if prepared.cited or prepared.unread:
            cited = (each for each in prepared.cited if each in self.resolved)
            parts = (each for each in cited if self.resolved[each].extent == "part")
            ids = [*prepared.unread, *(each for each in parts if each not in self.given)]
        else:
            ids = [each for each in self.resolved if each in self.unread]
            ids = [each for each in ids if self.resolved[each].outcome != "not_found"]
        reasons = [self._why_unsettled(each) for each in ids[:_MOST_NAMED]]
        if len(ids) > _MOST_NAMED:
            reasons.append(f"{counted_as(len(ids) - _MOST_NAMED, 'more page')} could not be read")
        return "; ".join(reasons)

    def settled(self, judged: OpenClaim) -> OpenClaim:
        """Return a judged claim as undecided if what it cites may say it, and was not read."""
        verdict = judged.verdict
        if verdict is None or verdict.outcome != "unsupported":
            return judged
        if not (reason := self.unsettled(judged)):
            return judged
        return replace(
            judged, verdict=replace(verdict, outcome="undecided", reason=reason, judge=JUDGE)
        )

    def without_evidence(self, prepared: OpenClaim) -> Verdict | None:
        """Return the verdict on a claim that cites nothing that was read; `None` if it does."""
        nothing_read = not self.read and not self.has_given
        if nothing_read or (prepared.unread and not prepared.cited):
            reason = self.unsettled(prepared) or "no page could be read"
            return Verdict("undecided", reason=reason, judge=JUDGE)
        return None

    def findings(
        self,
        marks: Sequence[Mark],
        judged: Sequence[OpenClaim],
        claims: Sequence[CheckedClaim],
        misplaced: frozenset[int] = frozenset(),
    ) -> Iterator[CitationFinding]:
        """Yield what is wrong with the links themselves, and with what the pages say.

        Of the `misplaced` claims it is already reported that another source supports them.
        """
        citing = numbers_of(marks, judged)
        for place, entry in self.places.items():
            yield from self._on_place(place, entry, citing)
        yield from self._on_claims(citing, claims, misplaced)

    def audited(self) -> tuple[CheckedLink, ...]:
        """Return the links as the report has them."""
        places: dict[str, list[tuple[int, int]]] = {}
        for place in self.places:
            places.setdefault(place.url, []).append((place.start, place.end))
        return tuple(self._audited(self.resolved[url], tuple(each)) for url, each in places.items())

    def _audited(self, each: Resolved, places: tuple[tuple[int, int], ...]) -> CheckedLink:
        # Of a work whose text is from a page or a file, that one; of one with an abstract, none.
        asked = (page for page in reversed(each.pages) if page.source or not each.source)
        page = next(asked, None)
        title = each.work.title if each.work else ""
        snapshot = self.snapshots.get(each.url, "")
        return CheckedLink(
            url=each.url,
            outcome=self.outcome(each),
            reason=self._reason(each),
            places=places,
            source_id=self.given.get(each.url) or (each.source and each.source.id),
            title=title or (each.source and each.source.title) or "",
            final_url=page.final_url if page else "",
            status=page.status if page else None,
            fetched_at=page.fetched_at if page else None,
            sha256=page.sha256 if page else "",
            snapshot=snapshot if snapshot.startswith("http") else "",
        )

    def outcome(self, each: Resolved) -> LinkOutcome:
        """Return what became of a link."""
        if each.outcome == "not_found":
            return "dead"
        if each.source is None:
            return "unread"
        if each.kind == "url" and leads_elsewhere(each.pages[-1]):
            return "redirected"
        return "read_in_part" if each.extent == "part" else "read"

    def _reason(self, each: Resolved) -> str:
        outcome = self.outcome(each)
        if outcome == "redirected":
            return f"it leads to {leads_elsewhere(each.pages[-1])}"
        if outcome == "read_in_part":
            return "only its abstract, or a page about it, was read"
        if outcome == "unread" and each.outcome == "exists":
            last = each.pages[-1].reason if each.pages else ""
            return f"it exists, and its text could not be had{last and f': {last}'}".rstrip(".")
        return each.reason.rstrip(".")

    def _why_unsettled(self, url: str) -> str:
        each, name = self.resolved[url], _named(url)
        outcome, reason = self.outcome(each), shown(self._reason(each), _LONGEST_REASON)
        if outcome == "dead":
            return f"{name} leads nowhere: {reason}"
        if outcome in ("redirected", "read_in_part"):
            return f"{name} was not read as a whole: {reason}"
        return f"{name} could not be read: {reason}"

    def _id_of(self, url: str) -> str:
        return self.given.get(url, url)

    def _best(self, urls: Sequence[str]) -> str:
        """Return which of the addresses of an entry has the most of its text."""

        def rank(url: str) -> tuple[bool, bool, int]:
            each = self.resolved[url]
            # Of equally complete ones, the identifier that names the work and not a page about it.
            kind = ("doi", "arxiv", "url").index(each.kind or "url")
            return (each.source is None and url not in self.given, each.extent == "part", kind)

        return min(urls, key=rank)

    def _on_place(
        self, place: Identifier, entry: int | None, citing: Mapping[Mark, Sequence[int]]
    ) -> Iterator[CitationFinding]:
        """Yield whether a link is dead, was not read, or leads elsewhere."""
        url = place.url
        each = self.resolved[url]
        outcome = self.outcome(each)
        problems: dict[LinkOutcome, CitationProblem] = {
            "dead": "link_dead",
            "unread": "link_blocked",
            "redirected": "link_redirected",
        }
        if outcome not in problems or (outcome == "unread" and url in self.given):
            return
        source_id, reason = self._id_of(url), shown(self._reason(each), _LONGEST_REASON)
        ids = {self._id_of(url), *([] if entry is None else [self.linked.entries[entry]])}
        # The marks that name what the address, or the entry that it is in, leads to.
        naming = [mark for mark in citing if not ids.isdisjoint((*mark.cited, *mark.unread))]
        # Of a link in HTML, the mark is after it.
        after = (mark for mark in naming if place.end <= mark.end < place.end + _NEAR)
        around = [*islice(after, 1)] if entry is None else []
        marks = around if entry is None else naming
        if outcome == "dead":
            found = self.snapshots.get(url, "")
            copy = (
                f"A copy: {found}"
                if found.startswith("http")
                else f"{found[:1].upper()}{found[1:]}."
            )
            message = f"{_named(url)} leads nowhere: {reason}.{f' {copy}' if found else ''}"
        elif outcome == "unread":
            message = f"{_named(url)} could not be read: {reason}. Check it yourself."
        else:
            there = shown(leads_elsewhere(each.pages[-1]), _LONGEST_REASON)
            message = f"{_named(url)} leads to {there}. Check that it is the right page."
        numbers = dict.fromkeys(number for mark in marks for number in citing[mark])
        at = around[0].interval if around else (place.start, place.end)
        yield finding(problems[outcome], at, numbers, message, cited=source_id)

    def _on_claims(
        self,
        citing: Mapping[Mark, Sequence[int]],
        claims: Sequence[CheckedClaim],
        misplaced: frozenset[int],
    ) -> Iterator[CitationFinding]:
        """Yield the marks whose pages do not say, or contradict, what they are cited for."""
        ours = {each.id for each in self.read}
        for mark, numbers in citing.items():
            about = [claims[number - 1] for number in numbers if number not in misplaced]
            for source_id in (each for each in mark.cited if each in ours):
                against = [
                    each.number
                    for each in about
                    if each.verdict == "contradicted"
                    and each.deciding is not None
                    and each.deciding.source_id == source_id
                ]
                if against:
                    message = f"{_named(source_id)} says otherwise."
                    yield finding(
                        "page_contradicts", mark.interval, against, message, cited=source_id
                    )
                if silent := [each.number for each in about if each.verdict == "unsupported"]:
                    message = f"{_named(source_id)} was read, and does not say this."
                    yield finding("not_on_page", mark.interval, silent, message, cited=source_id)


def _named(url: str) -> str:
    return f"“{shown(url, _LONGEST_ADDRESS)}”"


async def read_links(text: str, given: Sources | None, checker: LinkChecker) -> Links:
    """Return the links of a text, read; each page once, several at a time.

    A link to the address of a `given` source is still followed, but the text of the source counts.
    """
    places = await in_thread(_places_in, text)
    wanted = {place.url: place for place in places}
    limit = asyncio.Semaphore(_MOST_AT_ONCE)
    done = 0

    async def read(identifier: Identifier) -> tuple[Resolved, str]:
        nonlocal done
        async with limit:
            resolved = await resolve_identifier(identifier, checker.fetcher, checker.registries)
            is_dead = resolved.kind == "url" and resolved.outcome == "not_found"
            copy = await _copy_of(resolved.url, checker) if checker.wayback and is_dead else ""
        done += 1
        if checker.progress is not None:
            checker.progress(done, len(wanted))
        return resolved, copy

    results = dict(zip(wanted, await together(map(read, wanted.values())), strict=True))
    return Links(
        places=places,
        resolved={url: resolved for url, (resolved, _) in results.items()},
        given=_given_for(wanted, given),
        snapshots={url: copy for url, (_, copy) in results.items() if copy},
        has_given=given is not None,
    )


async def _copy_of(url: str, checker: LinkChecker) -> str:
    try:
        found = await asnapshot(
            url, base_url=checker.wayback_url, seconds=checker.registries.seconds
        )
    except LookupFailedError as error:
        return str(error)
    return found or "the Wayback Machine has no copy"


def _given_for(urls: Iterable[str], given: Sources | None) -> dict[str, str]:
    """Return the ids of the given sources that have an address."""
    known: dict[str, str] = {}
    for source in given or ():
        for name in (source.url or "", source.id):
            if address := page_of(address_of(name)):
                known.setdefault(address, source.id)
    return {url: known[at] for url in urls if (at := page_of(address_of(url))) in known}
