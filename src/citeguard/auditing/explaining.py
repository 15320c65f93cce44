"""What is said of a claim, in a sentence or two that a person can act on: `explanation`."""

from __future__ import annotations

from collections.abc import Sequence

from citeguard.auditing.claims.claim import SetAside
from citeguard.auditing.labels import name_of_place
from citeguard.auditing.report import AuditVerdict, DifferingFact, Place
from citeguard.fitting import shown

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
    deciding: Place | None = None,
    facts: Sequence[DifferingFact] = (),
    better: Sequence[str] = (),
) -> str:
    """Say why a claim has its verdict: what it says, what the source says, and where.

    Args:
        verdict: The verdict.
        reason: What the judge said.
        deciding: The words of the source that decide, if any do.
        facts: In what the claim differs from them.
        better: The ids of sources that say it, although it does not cite them.

    Examples:
        >>> fact = DifferingFact(kind="number", stated="nine", found="ten")
        >>> explanation("contradicted", facts=[fact])
        'The source says otherwise: “ten” where the claim says “nine”.'
    """
    opening = f"{_OPENINGS[verdict]}{_where(verdict, deciding)}"
    if verdict == "supported":
        return f"{opening}."
    told = f"{opening}: {_told(facts)}." if facts else f"{opening}. {_sentence(reason)}".strip()
    return " ".join([told, *(f"Not cited, but {_named(each)} says so." for each in better)])


def _named(source_id: str) -> str:
    return f"“{shown(source_id, _LONGEST_PLACE)}”"


def _where(verdict: AuditVerdict, deciding: Place | None) -> str:
    """Return where the source says what it says, in brackets."""
    if deciding is None or verdict in ("not_found", "undecided"):
        return ""
    return f" ({shown(name_of_place(deciding), _LONGEST_PLACE)})"


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
