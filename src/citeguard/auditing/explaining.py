"""What is said of a claim, in a sentence or two that a person can act on: `explanation`."""

from __future__ import annotations

from collections.abc import Sequence

from citeguard.auditing.claims.claim import SetAside
from citeguard.auditing.results import AuditVerdict, DifferingFact
from citeguard.language.excerpts import shown

_LONGEST = 300  # characters of what a judge said
_LONGEST_FACT = 80
_LONGEST_PLACE = 120
_MOST_FACTS = 3

SET_ASIDE: dict[SetAside, str] = {
    "opinion": "That's an opinion, and no source can bear it out.",
    "question": "That's a question.",
    "instruction": "That's an instruction to the reader.",
    "greeting": "That's a courtesy, or about the answer itself.",
    "heading": "That's a heading.",
    "code": "That's code.",
    "no claim": "That says nothing that could be true or false.",
}
"""Why claims are not checkable."""

_OPENINGS: dict[AuditVerdict, str] = {
    "supported": "The source says so",
    "partly_supported": "The source says a part of it",
    "contradicted": "The source says otherwise",
    "not_found": "The sources do not say this",
    "not_checkable": "",
    "undecided": "Nobody could tell",
}


def explanation(
    verdict: AuditVerdict,
    *,
    reason: str = "",
    facts: Sequence[DifferingFact] = (),
    better: Sequence[str] = (),
) -> str:
    """Say why a claim has its verdict: what it says, and what the source says instead.

    Args:
        verdict: The verdict.
        reason: What the judge said.
        facts: In what the claim differs from the source.
        better: The ids of sources that say it, although it does not cite them.

    Examples:
        >>> fact = DifferingFact(kind="number", stated="nine", found="ten")
        >>> explanation("contradicted", facts=[fact])
        'The source says otherwise: “ten” where the claim says “nine”.'
    """
    if verdict == "supported":
        return f"{_OPENINGS[verdict]}."
    told = f": {_told(facts)}." if facts else f". {_sentence(reason)}"
    first = f"{_OPENINGS[verdict]}{told}".strip()
    return " ".join([first, *(f"Not cited, but {_named(each)} says so." for each in better)])


def _named(source_id: str) -> str:
    return f"“{shown(source_id, _LONGEST_PLACE)}”"


def _sentence(reason: str) -> str:
    """Return what a judge said as a sentence of its own."""
    told = shown(reason, _LONGEST)
    stop = "" if not told or told.endswith((".", "!", "?")) else "."
    return f"{told[:1].upper()}{told[1:]}{stop}"


def _told(facts: Sequence[DifferingFact]) -> str:
    told = [_difference(fact) for fact in facts[:_MOST_FACTS]]
    more = len(facts) - len(told)
    return "; ".join([*told, *([f"and {more} more"] if more else [])])


def _difference(fact: DifferingFact) -> str:
    stated, found = shown(fact.stated, _LONGEST_FACT), shown(fact.found, _LONGEST_FACT)
    if not fact.found:
        return f"the claim says “{stated}”, and the source does not"
    if not fact.stated:
        return f"the claim leaves out “{found}”"
    return f"“{found}” where the claim says “{stated}”"
