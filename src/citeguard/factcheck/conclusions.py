"""From what each page says of a statement to the outcome of its check: `conclude`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import get_args

from citeguard.factcheck.report import FactOutcome, UndecidedCause
from citeguard.judges.verdicts import Outcome
from citeguard.language.excerpts import counted_as


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What a judge, shown passages of one page, says of a statement.

    Attributes:
        origin: The number of the page's origin: copies of a page, and pages of one domain, have the
            same.
        outcome: What the judge says.
        score: How well the page supports the statement, 0 to 1; `None` if the judge gives none.
        reason: Why, in a sentence.
    """

    origin: int
    outcome: Outcome
    score: float | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Flaw:
    """Something that went wrong, without which more might have been found.

    Attributes:
        cause: What.
        reason: Why, in a sentence.
    """

    cause: UndecidedCause
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conclusion:
    """The outcome of a check; the attributes are those of `FactCheck`."""

    outcome: FactOutcome
    reason: str
    causes: tuple[UndecidedCause, ...] = ()
    score: float | None = None
    origins_for: int = 0
    origins_against: int = 0


def conclude(findings: Iterable[Finding], *, pages: int, flaws: Iterable[Flaw] = ()) -> Conclusion:
    """Return what pages say of a statement, whatever their order.

    A page that supports or contradicts it decides, whatever else failed: what a page says stands.
    If none does, and anything failed or is undecided, the outcome is `undecided`, because a page
    that was not read could have decided.

    Args:
        findings: What the judge says of each page that has passages about the statement.
        pages: How many pages were read, those without such passages included.
        flaws: What went wrong.
    """
    findings = list(findings)
    supporting = _origins(findings, "supported")
    contradicting = _origins(findings, "contradicted")
    outcome: FactOutcome = "unsupported"
    causes: tuple[UndecidedCause, ...] = ()
    if supporting or contradicting:
        outcome = "supported" if not contradicting else "contradicted"
        outcome = "conflicting" if supporting and contradicting else outcome
        reason = _reason_of_decided(outcome, supporting, contradicting)
    else:
        unclear = [each for each in findings if each.outcome == "undecided"]
        wrong = [*flaws, *(Flaw(cause="judge_failed", reason=each.reason) for each in unclear)]
        if not wrong and not pages:
            wrong = [Flaw(cause="nothing_found", reason="No page was found.")]
        given = {each.cause for each in wrong}
        causes = tuple(cause for cause in get_args(UndecidedCause) if cause in given)
        outcome = "undecided" if causes else "unsupported"
        reason = _reason_of_undecided(wrong, causes) if causes else _silent(pages)
    scores = [each.score for each in findings if each.score is not None]
    return Conclusion(
        outcome=outcome,
        reason=reason,
        causes=causes,
        score=max(scores, default=None),
        origins_for=len(supporting),
        origins_against=len(contradicting),
    )


def with_parts(whole: Conclusion, parts: Sequence[Conclusion]) -> Conclusion:
    """Return what pages say of a statement with parts, given what they say of each.

    All parts supported is supported, if by different pages. Some supported and others not is
    `partly`, unless a part is undecided. Where the pages support no part, one that they contradict
    makes the statement contradicted. Otherwise the conclusion on the whole stands.
    """
    outcomes = {part.outcome for part in parts}
    if len(parts) < 2 or whole.outcome in ("supported", "conflicting") or "conflicting" in outcomes:
        return whole
    scores = [part.score for part in parts if part.score is not None]
    least = min(scores, default=None)
    if outcomes == {"supported"}:
        origins = min(part.origins_for for part in parts)
        reason = "The pages support each of its parts."
        return Conclusion(outcome="supported", reason=reason, score=least, origins_for=origins)
    origins_for = max(part.origins_for for part in parts)
    against = max(part.origins_against for part in parts)
    if "supported" in outcomes and "undecided" not in outcomes:
        supported = sum(part.outcome == "supported" for part in parts)
        reason = f"The pages support {supported:,} of its {len(parts):,} parts."
        return Conclusion(
            outcome="partly",
            reason=reason,
            score=least,
            origins_for=origins_for,
            origins_against=against,
        )
    if "contradicted" in outcomes and "supported" not in outcomes:
        reason = "The pages contradict a part of it."
        return Conclusion(
            outcome="contradicted", reason=reason, score=least, origins_against=against
        )
    return whole


def _origins(findings: Iterable[Finding], outcome: Outcome) -> set[int]:
    return {each.origin for each in findings if each.outcome == outcome}


def _reason_of_decided(
    outcome: FactOutcome, supporting: Collection[int], contradicting: Collection[int]
) -> str:
    if outcome == "supported":
        return f"{_origins_named(supporting)} it."
    if outcome == "contradicted":
        return f"{_origins_named(contradicting, 'contradict')} it."
    return f"{_origins_named(supporting)} it, {_origins_named(contradicting, 'contradict')} it."


def _origins_named(origins: Collection[int], verb: str = "support") -> str:
    ending = "s" if len(origins) == 1 else ""
    return f"{counted_as(len(origins), 'origin')} {verb}{ending}"


def _silent(pages: int) -> str:
    return (
        f"{counted_as(pages, 'page')} read, and none of them says so or otherwise."
        if pages != 1
        else "1 page read, and it does not say so or otherwise."
    )


_CAUSES: dict[UndecidedCause, str] = {
    "budget": "The budget ran out.",
    "search_failed": "A search failed.",
    "page_unread": "A page could not be read.",
    "nothing_found": "No page was found.",
    "judge_failed": "The judge could not decide.",
    "ambiguous": "A name can mean several things.",
}


def _reason_of_undecided(flaws: Sequence[Flaw], causes: Iterable[UndecidedCause]) -> str:
    reasons: dict[str, None] = {}
    for cause in causes:
        said = sorted({each.reason for each in flaws if each.cause == cause and each.reason})
        reasons[said[0] if said else _CAUSES[cause]] = None
    return " ".join(reasons)
