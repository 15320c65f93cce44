"""From what each page says of a statement to the outcome of its check: `conclude`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import get_args

from citeguard.factcheck.report import FactFlag, UndecidedCause
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

    outcome: Outcome
    reason: str
    flag: FactFlag | None = None
    causes: tuple[UndecidedCause, ...] = ()
    score: float | None = None
    origins_for: int = 0
    origins_against: int = 0


def conclude(findings: Iterable[Finding], *, pages: int, flaws: Iterable[Flaw] = ()) -> Conclusion:
    """Return what pages say of a statement, whatever their order.

    A page that supports or contradicts it decides, whatever else failed: what a page says stands.
    Pages that disagree leave it `undecided`, flagged as `conflicting`. If no page decides, and
    anything failed or is undecided, the outcome is `undecided`, because a page that was not read
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
    scores = [each.score for each in findings if each.score is not None]
    flag: FactFlag | None = "conflicting" if for_it and against else None
    causes: tuple[UndecidedCause, ...] = ()
    if for_it or against:
        outcome = "undecided" if flag else "supported" if for_it else "contradicted"
        sides = [(for_it, "support"), (against, "contradict")]
        said = [
            f"{counted_as(n, 'origin')} {verb}{'s' if n == 1 else ''} it" for n, verb in sides if n
        ]
        reason = f"{', '.join(said)}."
    else:
        unclear = [each for each in findings if each.outcome == "undecided"]
        wrong = [*flaws, *(Flaw(cause="judge_failed", reason=each.reason) for each in unclear)]
        if not wrong and not pages:
            wrong = [Flaw(cause="nothing_found")]
        given = {each.cause for each in wrong}
        causes = tuple(cause for cause in get_args(UndecidedCause) if cause in given)
        outcome = "undecided" if causes else "unsupported"
        reason = f"{counted_as(pages, 'page')} read, and nothing there supports or contradicts it."
        if causes:
            reasons = [
                min((e.reason for e in wrong if e.cause == cause and e.reason), default="")
                or _CAUSES[cause]
                for cause in causes
            ]
            reason = " ".join(dict.fromkeys(reasons))
    return Conclusion(
        outcome=outcome,
        reason=reason,
        flag=flag,
        causes=causes,
        score=max(scores, default=None),
        origins_for=for_it,
        origins_against=against,
    )


_CAUSES: dict[UndecidedCause, str] = {
    "budget": "The budget ran out.",
    "search_failed": "A search failed.",
    "page_unread": "A page could not be read.",
    "nothing_found": "No page was found.",
    "judge_failed": "The judge could not decide.",
    "ambiguous": "A name can mean several things.",
}
