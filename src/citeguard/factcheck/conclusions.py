"""From what each page says of a statement to its verdict: `conclude`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, get_args

from citeguard.judges.verdicts import Outcome
from citeguard.language.excerpts import counted_as
from citeguard.reports.report import UndecidedCause


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


@dataclass(frozen=True, slots=True)
class Flaw:
    """Something that went wrong, without which more might have been found; why, in a sentence."""

    cause: UndecidedCause
    reason: str = ""


_REASONS: dict[UndecidedCause, str] = {
    "budget": "The budget ran out.",
    "search_failed": "A search failed.",
    "page_unread": "A page could not be read.",
    "nothing_found": "No page was found.",
    "judge_failed": "The judge could not decide.",
    "ambiguous": "A name can mean several things.",
}


def conclude(
    findings: Iterable[Finding], *, pages: int, flaws: Iterable[Flaw] = ()
) -> dict[str, Any]:
    """Return what pages say of a statement, whatever their order, as fields of a `CheckedClaim`.

    A page that supports or contradicts it decides, whatever else failed: what a page says stands.
    Pages that disagree leave it `undecided`, flagged as `conflicting`. If no page decides, and
    anything failed or is undecided, the verdict is `undecided`, because a page that was not read
    could have decided.

    Args:
        findings: What the judge says of each page that has passages about the statement.
        pages: How many pages were read, those without such passages included.
        flaws: What went wrong.
    """
    findings = list(findings)
    for_it, against = (
        len({each.origin for each in findings if each.outcome == outcome})
        for outcome in ("supported", "contradicted")
    )
    causes: tuple[UndecidedCause, ...] = ()
    if for_it or against:
        verdict = "undecided" if for_it and against else "supported" if for_it else "contradicted"
        sides = [
            f"{counted_as(count, 'origin')} {verb}{'s' if count == 1 else ''} it"
            for count, verb in ((for_it, "support"), (against, "contradict"))
            if count
        ]
        reason = f"{', '.join(sides)}."
    else:
        unclear = [each for each in findings if each.outcome == "undecided"]
        wrong = [*flaws, *(Flaw("judge_failed", each.reason) for each in unclear)]
        if not wrong and not pages:
            wrong = [Flaw("nothing_found")]
        given = {each.cause for each in wrong}
        causes = tuple(cause for cause in get_args(UndecidedCause) if cause in given)
        verdict = "undecided" if causes else "unsupported"
        reason = f"{counted_as(pages, 'page')} read, and nothing there supports or contradicts it."
        if causes:
            reasons = [
                min((e.reason for e in wrong if e.cause == cause and e.reason), default="")
                or _REASONS[cause]
                for cause in causes
            ]
            reason = " ".join(dict.fromkeys(reasons))
    return {
        "verdict": verdict,
        "explanation": reason,
        "flag": "conflicting" if for_it and against else None,
        "causes": causes,
        "score": max((e.score for e in findings if e.score is not None), default=None),
        "origins_for": for_it,
        "origins_against": against,
    }
