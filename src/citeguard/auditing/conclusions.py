"""What becomes of a claim in an audit: its quotations, its verdict and its correction."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from citeguard.auditing.claims import Claim
from citeguard.auditing.marks import Mark
from citeguard.facts.aligned import Difference, differences
from citeguard.judges.verdicts import Evidence, SupportQuestion, Verdict
from citeguard.language.citations import without_machine_marks
from citeguard.language.excerpts import as_json
from citeguard.language.tokens import to_word_borders, tokenize
from citeguard.reader.windows import windows
from citeguard.reports.places import place_of
from citeguard.reports.report import (
    CheckedClaim,
    Correction,
    DifferingFact,
    FactKind,
    Place,
    Replacement,
)
from citeguard.reports.wording import SET_ASIDE, explanation
from citeguard.sources.collection import Sources, Span
from citeguard.sources.matches import locate, nearest

JUDGE = "quotation"
"""The judge of altered quotations, and of those that appear in no source."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenClaim:
    """A claim on its way through an audit.

    Attributes:
        number: Which claim of the text it is, from 1.
        claim: The claim.
        marks: Its citation marks.
        quotations: Its words in quotation marks.
        question: What the judges are asked, or the verdict where there is nothing to ask; `None` if
            the claim is not checkable.
        verdict: The verdict; `None` before it is judged.
        differences: The facts in which it differs from the nearest sentence of the evidence, if it
            may be wrong.
        facts: The same for people; for an altered quotation, what was altered.
    """

    number: int
    claim: Claim
    marks: Sequence[Mark] = ()
    quotations: Sequence[Quotation] = ()
    question: SupportQuestion | Verdict | None = None
    verdict: Verdict | None = None
    differences: tuple[Difference, ...] = ()
    facts: tuple[DifferingFact, ...] = ()

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

    def refuted(self, corrected: Verdict) -> OpenClaim:
        """Return the claim as contradicted by what supports it with the source's facts instead."""
        if self.verdict is None or self.verdict.outcome == "contradicted":
            return self
        words, span = corrected.words, corrected.span
        return replace(
            self, verdict=replace(self.verdict, outcome="contradicted", words=words, span=span)
        )

    def checked(
        self, sources: Sources, correction: Correction | None = None, better: Sequence[str] = ()
    ) -> CheckedClaim:
        """Return the claim as the report has it, set aside if it has no verdict.

        Args:
            sources: The sources.
            correction: Its correction, if there is one.
            better: The ids of sources that support it, although it does not cite them.
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
            deciding = None if reply.outcome == "unsupported" else _deciding(reply.span, sources)
        spans = (each.span(0, len(each.text)) for each in self.evidence)
        return CheckedClaim(
            number=self.number,
            text=claim.text,
            start=claim.start,
            end=claim.end,
            sentence_start=claim.sentence[0],
            sentence_end=claim.sentence[1],
            verdict=reply and reply.outcome,
            set_aside=set_aside,
            context=claim.context,
            cited=self.cited,
            score=reply and reply.score,
            judge=reply.judge if reply else "",
            explanation=explained,
            evidence=tuple(place_of(span, sources) for span in spans if span is not None),
            deciding=deciding,
            differences=self.facts,
            correction=correction,
        )


def _deciding(span: Span | None, sources: Sources) -> Place | None:
    """Return the deciding words, if the judge says where they are, and a source has that place."""
    if span is None or span.source_id not in sources or not sources.slice(span):
        return None
    return place_of(span, sources)


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
    """Words in quotation marks, and what the sources have instead if they do not appear there.

    Attributes:
        words: The words.
        appears: Whether they appear in a source, unaltered.
        instead: The place in a source whose words they alter, or `None`.
        found: The words at that place.
        facts: The facts in which the two differ.
    """

    words: str
    appears: bool
    instead: Span | None = None
    found: str = ""
    facts: tuple[DifferingFact, ...] = ()


def quotations(claim: str, sources: Sources, cited: Sequence[str]) -> list[Quotation]:
    """Return the quotations of four or more words in a claim, each looked up in the sources.

    Args:
        claim: The claim.
        sources: Where to look.
        cited: Ids of the sources to search; empty for all.
    """
    return [_looked_up(words, sources, cited or [None]) for words in _quoted(claim)]


def verdict_on_quotations(found: Iterable[Quotation]) -> Verdict | None:
    """Return the verdict on the first altered quotation, else on the first that appears nowhere.

    `None` if all of them appear in the sources: then a judge decides on the claim.
    """
    wrong = [each for each in found if not each.appears]
    if not wrong:
        return None
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

_MOST_REPLACED = 3


def proposed(text: str, claim: Claim, found: Sequence[Difference]) -> Correction | None:
    """Return a claim with the facts of the source in the place of its own; `None` if unclear.

    It is unclear with more than three differences, with two at one place, and if the text does not
    have the stated words exactly once among the claim's own words. It has no score: it is still to
    be judged.

    Args:
        text: The audited text.
        claim: The claim.
        found: The facts in which it differs from its source, in order.
    """
    if not 0 < len(found) <= _MOST_REPLACED:
        return None
    own, replacements = text[claim.start : claim.end], list[Replacement]()
    corrected, done = list[str](), 0
    for each in found:
        start = own.find(each.stated)
        if each.start < done or start < 0 or own.find(each.stated, start + 1) >= 0:
            return None
        start += claim.start
        end = start + len(each.stated)
        if to_word_borders(text, start, end) != (start, end):
            return None
        put = each.found
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
