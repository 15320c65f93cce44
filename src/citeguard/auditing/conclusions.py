"""What becomes of a claim in an audit: its quotations, verdict, correction and citations.

Judges decide whether a cited source supports a claim, alone or with others. So `probes` lists what
to ask them, and `findings_on_citations` reads their verdicts: unknown ids, wrong and redundant
sources.

Reference: what is redundant is decided as by the citation precision of Gao et al., "Enabling Large
Language Models to Generate Text with Citations" (ALCE), EMNLP 2023.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from citeguard.auditing.claims import Claim
from citeguard.auditing.marks import Mark
from citeguard.facts.aligned import Difference, differences, may_follow
from citeguard.judges.verdicts import Evidence, SupportQuestion, Verdict
from citeguard.language.citations import without_machine_marks
from citeguard.language.excerpts import as_json, shown
from citeguard.language.sentences import Interval
from citeguard.language.tokens import to_word_borders, tokenize
from citeguard.reader.windows import windows
from citeguard.reports.places import place_of
from citeguard.reports.report import (
    CheckedClaim,
    CitationFinding,
    CitationProblem,
    Correction,
    DifferingFact,
    FactKind,
    Replacement,
)
from citeguard.reports.wording import SET_ASIDE, explanation
from citeguard.sources.collection import Sources, Span
from citeguard.sources.matches import locate, nearest
from citeguard.validation.messages import closest

_EVEN = 0.5  # the score at which support is as probable as not
JUDGE = "quotation"
"""The judge of altered quotations, and of those that appear in no source."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenClaim:
    """A claim on its way through an audit."""

    number: int  # from 1
    claim: Claim
    marks: Sequence[Mark] = ()
    quotations: Sequence[Quotation] = ()
    # A verdict where there is nothing to ask; `None` if the claim is not checkable.
    question: SupportQuestion | Verdict | None = None
    verdict: Verdict | None = None
    differences: tuple[Difference, ...] = ()  # from the nearest sentence, if it may be wrong
    facts: tuple[DifferingFact, ...] = ()  # the same for people, or how a quotation was altered

    @property
    def cited(self) -> tuple[str, ...]:
        """The ids of the sources that its marks name, each once."""
        return tuple(dict.fromkeys(cited for mark in self.marks for cited in mark.cited))

    @property
    def unread(self) -> tuple[str, ...]:
        """The addresses of the pages that its marks link to and that could not be read."""
        return tuple(dict.fromkeys(url for mark in self.marks for url in mark.unread))

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """What the judges are shown."""
        return self.question.evidence if isinstance(self.question, SupportQuestion) else ()

    def judged(self, verdict: Verdict) -> OpenClaim:
        """Return the claim with a judge's verdict; a wrong quotation overrules it."""
        # That words are not there is proven, whatever a judge has read.
        if on_quotations := verdict_on_quotations(self.quotations):
            facts = dict.fromkeys(fact for each in self.quotations for fact in each.facts)
            return replace(self, verdict=on_quotations, facts=tuple(facts))
        if verdict.outcome not in ("contradicted", "undecided") or not self.evidence:
            return replace(self, verdict=verdict)
        texts = [verdict.words] if verdict.words else [each.text for each in self.evidence]
        sentence = ""
        if read := windows(self.claim.text, texts):
            nearest_one = read[-1].sentences[0]
            sentence = texts[nearest_one.text][nearest_one.start : nearest_one.end]
        found = differences(self.claim.text, sentence)
        return replace(self, verdict=verdict, differences=found, facts=_facts(found))

    @property
    def may_be_refuted(self) -> bool:
        """Whether the source's facts in the place of its own would show that it is wrong.

        Not if it was rather found supported, and not by a name, as a thing has several, nor by a
        number that may follow from others.
        """
        verdict = self.verdict
        if verdict is None or verdict.outcome != "undecided" or verdict.score is None:
            return verdict is not None and verdict.outcome == "contradicted"
        if verdict.score >= _EVEN or any(each.kind == "name" for each in self.differences):
            return False
        texts = [each.text for each in self.evidence]
        return not any(
            may_follow(self.claim.text, each.text) for each in windows(self.claim.text, texts)
        )

    def refuted(self, corrected: Verdict) -> OpenClaim:
        """Return the claim as contradicted by what supports it with the source's facts instead."""
        if self.verdict is None or self.verdict.outcome == "contradicted":
            return self
        words, span = corrected.words, corrected.span
        verdict = replace(self.verdict, outcome="contradicted", words=words, span=span)
        return replace(self, verdict=verdict)

    def checked(
        self, sources: Sources, correction: Correction | None = None, better: Sequence[str] = ()
    ) -> CheckedClaim:
        """Return the claim as the report has it, set aside if it has no verdict.

        Sources that support it, although it does not cite them, are `better`.
        """
        claim, reply = self.claim, self.verdict
        set_aside = None if reply else claim.set_aside or "no claim"
        explained = SET_ASIDE[set_aside] if set_aside else ""
        deciding = None
        if reply is not None:
            explained = explanation(
                reply.outcome, reason=reply.reason, facts=self.facts, better=better
            )
            # No words decide that a claim is unsupported; the nearest ones are among the evidence.
            span = None if reply.outcome == "unsupported" else reply.span
            if span is not None and span.source_id in sources and sources.slice(span):
                deciding = place_of(span, sources)
        spans = [each.span(0, len(each.text)) for each in self.evidence]
        texts = [each.text for each in self.evidence] if deciding is None else []
        if (read := windows(claim.text, texts)) and read[-1].relevance:
            # Whoever looks for words that decide sees the nearest sentence first.
            near = read[-1].sentences[0]
            spans.insert(0, spans.pop(near.text))
            spans.insert(0, self.evidence[near.text].span(near.start, near.end))
        return claim.checked(
            self.number,
            verdict=reply and reply.outcome,
            set_aside=set_aside,
            cited=self.cited,
            score=reply and reply.score,
            judge=reply.judge if reply else "",
            explanation=explained,
            evidence=tuple(place_of(span, sources) for span in dict.fromkeys(spans) if span),
            deciding=deciding,
            differences=self.facts,
            correction=correction,
        )


def _facts(found: Iterable[Difference]) -> tuple[DifferingFact, ...]:
    facts = (DifferingFact(kind=e.kind, stated=e.stated, found=e.found) for e in found)
    return tuple(dict.fromkeys(facts))


# -- Quotations

_FEWEST_WORDS = 4
"""In a quotation that is checked; shorter ones are as often titles or terms in scare quotes."""

_ALTERED_FROM = 0.8
"""The similarity from which words are an altered quotation; below it they are of another text."""

_SHORT_IN_TITLES = 4  # letters of a word that titles write without a capital, as "with"
_SHOWN = 120  # characters of a quotation in a reason
_KINDS_OF_EDITS: dict[str, FactKind] = {"negation": "negation", "number": "number", "name": "name"}
_LONGEST = 2_000  # characters between two marks that belong together
_QUOTED = re.compile(
    rf"“([^“”\n]{{1,{_LONGEST}}})”|\"([^\"\n]{{1,{_LONGEST}}})\"|«([^«»\n]{{1,{_LONGEST}}})»"
    rf"|„([^„“”\n]{{1,{_LONGEST}}})[“”]|「([^「」\n]{{1,{_LONGEST}}})」"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Quotation:
    """Words in quotation marks, and what the sources have instead if they do not appear there."""

    words: str
    appears: bool  # in a source, unaltered
    instead: Span | None = None  # the place whose words they alter
    found: str = ""  # the words there
    facts: tuple[DifferingFact, ...] = ()  # in which the two differ


def quotations(claim: str, sources: Sources, cited: Sequence[str]) -> list[Quotation]:
    """Return the quotations of four or more words in a claim, looked up in the sources cited."""
    return [_looked_up(words, sources, cited or [None]) for words in _quoted(claim)]


def verdict_on_quotations(found: Iterable[Quotation]) -> Verdict | None:
    """Return the verdict on the first altered quotation, else on the first that appears nowhere.

    `None` if all of them appear in the sources: then a judge decides on the claim.
    """
    wrong = [each for each in found if not each.appears]
    if not wrong:
        return None
    # An altered one first: for it there is a place to show.
    worst = min(wrong, key=lambda each: each.instead is None)
    words = as_json(worst.words, _SHOWN)
    if worst.instead is None:
        reason = f"The words in quotation marks, {words}, do not appear there"
        return Verdict("unsupported", reason=reason, judge=JUDGE)
    reason = f"The words in quotation marks, {words}, are altered"
    return Verdict(
        "contradicted", reason=reason, words=worst.found, span=worst.instead, judge=JUDGE
    )


def _looked_up(words: str, sources: Sources, within: Sequence[str | None]) -> Quotation:
    matches = [match for each in within if (match := locate(words, sources, each)) is not None]
    best = min(matches, key=lambda match: (not match.accepted, -match.similarity), default=None)
    if best is not None and (best.accepted or best.similarity >= _ALTERED_FROM):
        facts = (
            DifferingFact(
                kind=_KINDS_OF_EDITS.get(edit.reason, "word"), stated=edit.quoted, found=edit.source
            )
            for edit in best.material
        )
        return Quotation(
            words=words,
            appears=best.accepted,
            instead=best.span,
            found=best.text,
            facts=tuple(dict.fromkeys(facts)),
        )
    # With more edits than a match may have, it is still altered if a fact differs.
    for each in within:
        span = nearest(words, sources, each)
        passage = "" if span is None else sources.slice(span)
        if facts := _facts(differences(words, passage)):
            return Quotation(words=words, appears=False, instead=span, found=passage, facts=facts)
    return Quotation(words=words, appears=False)


def _quoted(claim: str) -> Iterator[str]:
    """Yield what is quoted: four or more words that are neither somebody's question nor a title."""
    for found in _QUOTED.finditer(claim):
        words = next(filter(None, found.groups())).strip()
        tokens = [token.text for token in tokenize(words)]
        # Titles have a capital in all long words.
        long = [word for word in tokens if len(word) > _SHORT_IN_TITLES and word[0].isalpha()]
        is_title = bool(long) and all(word[0].isupper() for word in long)
        if len(tokens) >= _FEWEST_WORDS and not words.endswith(("?", "？")) and not is_title:
            yield words.rstrip(",.;")


# -- Corrections

_MOST_REPLACED = 3  # facts; with more, it is unclear what was meant


def proposed(text: str, claim: Claim, found: Sequence[Difference]) -> Correction | None:
    """Return a claim with the facts of the source in the place of its own; `None` if unclear.

    It is unclear with more than three differences, with two at one place, with facts of two kinds,
    such as a year for an amount, and if the text does not have the stated words exactly once among
    the claim's own words, unless these are the claim. It has no score: it is still to be judged.
    """
    if not 0 < len(found) <= _MOST_REPLACED or not all(each.is_alike for each in found):
        return None
    own, replacements = text[claim.start : claim.end], list[Replacement]()
    corrected, done = list[str](), 0
    is_own = own.startswith(claim.text)
    for each in found:
        start = each.start if is_own else own.find(each.stated)
        # Words that come twice may be another fact: "Of 12 rooms 12 are free."
        if each.start < done or start < 0 or (not is_own and own.find(each.stated, start + 1) >= 0):
            return None
        start += claim.start
        end = start + len(each.stated)
        if to_word_borders(text, start, end) != (start, end):
            return None
        # The stop of "p.m." is that of the sentence, too.
        put = each.found.removesuffix(".") if text.startswith(".", end) else each.found
        if each.start == 0 and each.kind != "name":
            put = put[:1].upper() + put[1:]
        corrected += [claim.text[done : each.start], put]
        done = each.end
        replacements.append(Replacement(start=start, end=end, text=put))
    replacements.sort(key=lambda each: each.start)
    at, sentence = claim.sentence[0], list[str]()
    for each in replacements:
        sentence += [text[at : each.start], each.text]
        at = each.end
    return Correction(
        claim="".join([*corrected, claim.text[done:]]),
        sentence=without_machine_marks("".join([*sentence, text[at : claim.sentence[1]]])),
        replacements=tuple(replacements),
    )


_LONGEST_KEY = 80  # characters of an id in a message
_LONGEST_LIST = 200  # characters of all ids, or of an entry, in a message
_MOST_NAMED = 3  # sources in a message


class Probe(NamedTuple):
    """A question about the citations of a claim: do these sources alone support it?"""

    number: int  # of the claim
    # All sources that are not cited, one that is, or all that are but that one.
    about: Literal["elsewhere", "alone", "without"]
    source_ids: tuple[str, ...]


Verdicts = Mapping[Probe, Verdict]


def probes(judged: OpenClaim, sources: Sources) -> Iterator[Probe]:
    """Yield what to ask about the citations of a judged claim.

    If the cited sources do not support it, whether any other does; if several of them together do,
    whether each is needed.
    """
    number, cited = judged.number, judged.cited
    if judged.verdict and judged.verdict.outcome == "supported":
        for source_id in cited if len(cited) > 1 else ():
            yield Probe(number, "alone", (source_id,))
            yield Probe(number, "without", _without(source_id, cited))
    elif cited and (others := _without(cited, sources.ids)):
        yield Probe(number, "elsewhere", others)


def better_sources(
    judged: OpenClaim, sources: Sources, verdicts: Verdicts
) -> tuple[str, ...] | None:
    """Return the source that supports a claim and is not cited; `None` if there is none.

    Empty if the judge does not say which one it is.
    """
    probe = Probe(judged.number, "elsewhere", _without(judged.cited, sources.ids))
    found = verdicts.get(probe)
    if found is None or found.outcome != "supported":
        return None
    return () if found.span is None else (found.span.source_id,)


def findings_on_citations(
    marks: Sequence[Mark],
    judged: Sequence[OpenClaim],
    claims: Sequence[CheckedClaim],
    verdicts: Verdicts,
    sources: Sources,
) -> Iterator[CitationFinding]:
    """Yield the problems with the marks of a text, and the claims without a mark."""
    numbers = numbers_of(marks, judged)
    for mark in marks:
        of_mark = [claims[number - 1] for number in numbers[mark]]
        deciding = [claim.deciding for claim in of_mark if claim.verdict == "supported"]
        all_supported = len(deciding) == len(of_mark) and not mark.cited
        better = tuple(dict.fromkeys(each.source_id for each in deciding if each))
        better = better if all_supported else ()
        for key, entry in zip(mark.unknown, mark.entries, strict=True):
            message = _unknown(key, entry, sources, better)
            yield finding(
                "unknown_id", mark.interval, numbers[mark], message, cited=key, better=better
            )
    for mark, source_id in _redundant(judged, verdicts, numbers):
        message = f"{_named(source_id)} does not say this, and the other sources cited do."
        yield finding("redundant", mark.interval, numbers[mark], message, cited=source_id)
    for each in judged:
        better = better_sources(each, sources, verdicts)
        if better is not None:
            instead = f": cite {', '.join(map(_named, better))}" if better else ""
            names = ", ".join(map(_named, each.cited))
            message = f"{names} does not say this, and another source does{instead}."
            wrong = each.cited[0]
            mark = next(mark for mark in each.marks if wrong in mark.cited)
            yield finding(
                "wrong_source", mark.interval, [each.number], message, cited=wrong, better=better
            )
        if marks and not each.marks and each.question:
            message = "No source is cited for this claim: cite one, or remove the claim."
            yield finding("uncited", (each.claim.start, each.claim.end), [each.number], message)


def findings_on_retractions(
    marks: Sequence[Mark],
    judged: Sequence[OpenClaim],
    claims: Sequence[CheckedClaim],
    retracted: Mapping[str, str],
) -> Iterator[CitationFinding]:
    """Yield the marks that cite retracted works, and the claims that rest on one without a mark.

    The `retracted` are the ids of these works, each with who says so.
    """

    def found(source_id: str, at: Interval, numbers: Sequence[int]) -> CitationFinding:
        message = (
            f"{_named(source_id)} was retracted ({retracted[source_id]}): cite another work, or "
            "say that it was retracted."
        )
        return finding("retracted", at, numbers, message, cited=source_id)

    for mark, numbers in numbers_of(marks, judged).items():
        for source_id in (*mark.cited, *mark.unread):
            if source_id in retracted:
                yield found(source_id, mark.interval, numbers)
    for each in judged:
        deciding = claims[each.number - 1].deciding
        source_id = deciding.source_id if deciding else ""
        if source_id in retracted and source_id not in each.cited:
            yield found(source_id, (each.claim.start, each.claim.end), [each.number])


def numbers_of(marks: Iterable[Mark], judged: Iterable[OpenClaim]) -> dict[Mark, list[int]]:
    """Return the numbers of the claims that have each mark."""
    numbers: dict[Mark, list[int]] = {mark: [] for mark in marks}
    for each in judged:
        for mark in each.marks:
            numbers[mark].append(each.number)
    return numbers


def finding(
    problem: CitationProblem,
    at: Interval,
    claims: Iterable[int],
    message: str,
    *,
    cited: str = "",
    better: tuple[str, ...] = (),
) -> CitationFinding:
    """Return a finding on what is at an interval of the text: see `CitationFinding`."""
    return CitationFinding(
        problem=problem,
        start=at[0],
        end=at[1],
        claims=tuple(claims),
        cited=cited,
        better=better,
        message=message,
    )


def _redundant(
    judged: Sequence[OpenClaim], verdicts: Verdicts, numbers: Mapping[Mark, Sequence[int]]
) -> Iterator[tuple[Mark, str]]:
    """Yield the sources of a mark that none of its claims needs."""
    needed: dict[tuple[Mark, str], set[int]] = {}
    checkable = {each.number for each in judged if each.question}
    for each in judged:
        for source_id in each.cited:
            alone = verdicts.get(Probe(each.number, "alone", (source_id,)))
            rest = verdicts.get(Probe(each.number, "without", _without(source_id, each.cited)))
            # What no judge could decide does not show that a citation is of no use.
            if alone and rest and (alone.outcome, rest.outcome) == ("unsupported", "supported"):
                for mark in (mark for mark in each.marks if source_id in mark.cited):
                    of_mark = checkable.intersection(numbers[mark])
                    needed.setdefault((mark, source_id), of_mark).discard(each.number)
    for (mark, source_id), by in needed.items():
        if not by:
            yield mark, source_id


def _without(cited: str | Sequence[str], ids: Sequence[str]) -> tuple[str, ...]:
    """Return ids but for one, or for several."""
    gone = (cited,) if isinstance(cited, str) else cited
    return tuple(each for each in ids if each not in gone)


def _unknown(key: str, entry: str, sources: Sources, better: Sequence[str]) -> str:
    instead = f" Cite {', '.join(map(_named, better))}, which says this." if better else ""
    if entry:
        words = shown(entry, _LONGEST_LIST)
        listed = f"{_named(key)} is listed as “{words}”, and no source is known to be that: add it."
        return f"{listed}{instead}"
    suggestion = None if better else closest(key, sources.ids)
    meant = f" Did you mean {_named(suggestion)}?" if suggestion else ""
    ids = shown(", ".join(sources.ids), _LONGEST_LIST)
    return f"No source is called {_named(key)}; the ids are {ids}.{meant}{instead}"


def _named(source_id: str) -> str:
    return f"“{shown(source_id, _LONGEST_KEY)}”"
