"""Words in quotation marks, and whether they appear in the sources."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from citeguard.facts.aligned import differences
from citeguard.judges.verdicts import Verdict
from citeguard.language.excerpts import as_json
from citeguard.language.tokens import tokenize
from citeguard.reports.report import DifferingFact, FactKind
from citeguard.sources.collection import Sources, Span
from citeguard.sources.matches import Edit, Match, locate, nearest

JUDGE = "quotation"
"""The judge of altered quotations, and of those that appear in no source."""

_FEWEST_WORDS = 4
"""In a quotation that is checked; shorter ones are as often titles or terms in scare quotes."""

_ALTERED_FROM = 0.8
"""The similarity from which words are an altered quotation; below it they are of another text."""

_QUESTION = ("?", "？")
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
    within: Sequence[str | None] = cited or [None]
    return [_quotation(words, sources, within) for words in _quoted(claim)]


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
    return Verdict(
        "contradicted",
        reason=f"The words in quotation marks, {words}, are altered",
        words=worst.found,
        span=worst.instead,
        judge=JUDGE,
    )


def altered_facts(found: Iterable[Quotation]) -> tuple[DifferingFact, ...]:
    """Return the facts in which quotations differ from the words that they alter."""
    return tuple(dict.fromkeys(fact for each in found for fact in each.facts))


def _quotation(words: str, sources: Sources, within: Iterable[str | None]) -> Quotation:
    ids = list(within)
    matches = [match for each in ids if (match := locate(words, sources, each)) is not None]
    best = min(matches, key=lambda match: (not match.accepted, -match.similarity), default=None)
    if best is not None and (best.accepted or best.similarity >= _ALTERED_FROM):
        return _altered(words, best)
    return _rewritten(words, sources, ids) or Quotation(words=words, appears=False)


def _altered(words: str, match: Match) -> Quotation:
    return Quotation(
        words=words,
        appears=match.accepted,
        instead=match.span,
        found=match.text,
        facts=tuple(dict.fromkeys(map(_fact, match.material))),
    )


def _rewritten(words: str, sources: Sources, ids: Iterable[str | None]) -> Quotation | None:
    """Return a quotation with more edits than a match may have, if a fact differs."""
    for each in ids:
        span = nearest(words, sources, each)
        passage = "" if span is None else sources.slice(span)
        facts = tuple(
            DifferingFact(kind=one.kind, stated=one.stated, found=one.found)
            for one in differences(words, passage)
        )
        if facts:
            return Quotation(words=words, appears=False, instead=span, found=passage, facts=facts)
    return None


def _fact(edit: Edit) -> DifferingFact:
    kind = _KINDS_OF_EDITS.get(edit.reason, "word")
    return DifferingFact(kind=kind, stated=edit.quoted, found=edit.source)


def _quoted(claim: str) -> Iterator[str]:
    """Yield what is quoted: four or more words that are neither somebody's question nor a title."""
    for found in _QUOTED.finditer(claim):
        words = next(filter(None, found.groups())).strip()
        tokens = [token.text for token in tokenize(words)]
        if len(tokens) >= _FEWEST_WORDS and not words.endswith(_QUESTION) and not _is_title(tokens):
            yield words.rstrip(",.;")


def _is_title(words: Sequence[str]) -> bool:
    """Return whether words are written as a title is: all long ones with a capital."""
    long = [word for word in words if len(word) > _SHORT_IN_TITLES and word[0].isalpha()]
    return bool(long) and all(word[0].isupper() for word in long)
