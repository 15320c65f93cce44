"""What judges say, put as verdicts for people: `concluded`."""

from __future__ import annotations

from citeguard.auditing.examining import Judged
from citeguard.auditing.results import AuditVerdict
from citeguard.facts.reading import Pair
from citeguard.facts.reading import read
from citeguard.verifier.content import read as content
from citeguard.verifier.evidence import index_of

PARTLY_FROM = 0.35
"""The share of a claim's content words in one passage from which it is partly supported."""


def concluded(judged: Judged) -> AuditVerdict:
    """Return the verdict for people on a claim that was judged."""
    outcome = judged.verdict.outcome
    if outcome != "unsupported":
        return outcome
    return "partly_supported" if _is_partly_said(judged) else "not_found"


def _is_partly_said(judged: Judged) -> bool:
    """Tell whether the evidence says a good part of a claim, and has all of its facts.

    A judge that does not grade has said no, and means all of the claim. A number or a name that is
    missing is what a claim is about.
    """
    graded = judged.verdict.score is not None
    return graded and not _lacks_facts(judged) and _share_said(judged) >= PARTLY_FROM


def _lacks_facts(judged: Judged) -> bool:
    evidence = index_of(tuple(each.text for each in judged.opened.evidence))
    facts = (word.key for word in content(judged.opened.claim.text).words if word.kind != "word")
    return not all(evidence.likeness(key) for key in facts)


def _share_said(judged: Judged) -> float:
    """Return the largest share of a claim's content words that one passage has, 0 to 1."""
    claim = read(judged.opened.claim.text)
    shares = (Pair(claim, read(each.text)).coverage for each in judged.opened.evidence)
    return max(shares, default=0.0)


def confidence_in(verdict: AuditVerdict, score: float | None) -> float | None:
    """Return how sure a verdict is, 0 to 1: see `AuditedClaim.confidence`."""
    if verdict in ("undecided", "not_checkable"):
        return None
    if verdict == "supported":
        return 1.0 if score is None else score
    if verdict == "partly_supported":
        return None if score is None else 0.5 * score
    return 1.0 if score is None else 1.0 - score
