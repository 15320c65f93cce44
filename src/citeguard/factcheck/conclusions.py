"""From what each page says of a statement to its verdict: `conclude`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, get_args

from citeguard.judges.verdicts import Verdict
from citeguard.language.excerpts import STOPS, counted_as
from citeguard.reports.report import UndecidedCause


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
    findings: Iterable[tuple[int, Verdict]], *, pages: int, flaws: Iterable[Flaw] = ()
) -> dict[str, Any]:
    """Return what pages say of a statement, whatever their order, as fields of a `CheckedClaim`.

    A page that supports or contradicts it decides, whatever else failed: what a page says stands.
    Pages that disagree leave it `undecided`, flagged as `conflicting`. If no page decides, and
    anything failed or is undecided, so is the verdict: a page that was not read could have decided.
    A finding is the number of a page's origin, and what the judge says of its passages.
    """
    findings = list(findings)
    for_it, against = (
        len({origin for origin, each in findings if each.outcome == outcome})
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
        unclear = [each for _, each in findings if each.outcome == "undecided"]
        wrong = [*flaws, *(Flaw("judge_failed", sentence(each.reason)) for each in unclear)]
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
        "score": max((e.score for _, e in findings if e.score is not None), default=None),
        "origins_for": for_it,
        "origins_against": against,
    }


def sentence(reason: str) -> str:
    """Return a reason as a sentence: "The budget of 3 calls is spent." of its message."""
    reason = reason[:1].upper() + reason[1:] if reason[:7] == "the bud" else reason
    return reason if reason.endswith(STOPS) or not reason else f"{reason}."
