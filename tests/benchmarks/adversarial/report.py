"""Tables of outcomes: errors by category, failing cases, and a machine-readable copy."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from typing import Any

from .cases import Case
from .verdicts import Outcome

APART = ("flag_", "synth_", "contested_")
"""Categories that are reported but stand outside the totals."""


def by_category(outcomes: Iterable[Outcome]) -> dict[str, list[Outcome]]:
    """Sort outcomes into their categories, in order of appearance."""
    sorted_out: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        sorted_out.setdefault(outcome.case.category, []).append(outcome)
    return sorted_out


def summary(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Count one category's errors, exact places and time."""
    accepted = [o for o in outcomes if o.case.expected and o.verdict.accepted and not o.crash]
    return {
        "cases": len(outcomes),
        "wrongly_accepted": sum(not o.case.accept and o.verdict.accepted for o in outcomes),
        "wrongly_rejected": sum(o.case.accept and not o.verdict.accepted for o in outcomes),
        "errors": sum(not o.right for o in outcomes),
        "crashes": sum(bool(o.crash) for o in outcomes),
        "placed": len(accepted),
        "exact_places": sum(o.span_right for o in accepted),
        "milliseconds": 1000 * sum(o.seconds for o in outcomes) / max(1, len(outcomes)),
    }


def table(outcomes: Sequence[Outcome]) -> str:
    """Print one line for each category and the totals, which leave the groups apart out."""
    titles = ("expected", "n", "errors", "%", "spans %", "crashes", "ms")
    head = f"{'category':28} " + " ".join(f"{title:>8}" for title in titles)
    groups = by_category(outcomes)
    lines = [head, *(_line(name, group) for name, group in groups.items())]
    main = [o for o in outcomes if not o.case.category.startswith(APART)]
    lines += ["", _line("TOTAL true quotes", [o for o in main if o.case.accept])]
    lines += [_line("TOTAL changed quotes", [o for o in main if not o.case.accept])]
    for prefix in APART:
        group = [o for o in outcomes if o.case.category.startswith(prefix)]
        lines += [_line(f"(apart) {prefix}", group)] if group else []
    over = [n for n, g in groups.items() if summary(g)["errors"] > 0.01 * len(g)]
    lines += ["", f"mean error over categories: {macro_error(main):.2f} %"]
    lines += [f"{len(over)} of {len(groups)} categories over 1 %: {', '.join(over)}", EDGES]
    return "\n".join(lines)


EDGES = (
    "Places are compared after trimming, at both edges, characters that are neither letters nor "
    "digits."
)


def macro_error(outcomes: Sequence[Outcome]) -> float:
    """Average the categories' error rates, in percent."""
    rates = [summary(group)["errors"] / len(group) for group in by_category(outcomes).values()]
    return 100 * sum(rates) / max(1, len(rates))


def _line(name: str, outcomes: Sequence[Outcome]) -> str:
    """Print one category's line."""
    s = summary(outcomes)
    true = sum(o.case.accept for o in outcomes)
    want = "accept" if true == len(outcomes) else "both" if true else "reject"
    places = f"{100 * s['exact_places'] / s['placed']:.1f}" if s["placed"] else "-"
    rate = f"{100 * s['errors'] / max(1, s['cases']):.1f}"
    cells = (want, s["cases"], s["errors"], rate, places, s["crashes"], f"{s['milliseconds']:.2f}")
    return f"{name:28} " + " ".join(f"{cell:>8}" for cell in cells)


def failures(outcomes: Iterable[Outcome], category: str) -> str:
    """Print the failing cases of the categories that begin with a name, places included."""
    chosen = [o for o in outcomes if o.case.category.startswith(category) and not _all_right(o)]
    return "\n\n".join(map(described, chosen)) or f"no failing case in {category}"


def _all_right(outcome: Outcome) -> bool:
    """Tell whether verdict and place are right."""
    return outcome.right and (not outcome.case.expected or outcome.span_right)


def described(outcome: Outcome) -> str:
    """Print one case compactly: what was wanted, what came, the quote, the source around it."""
    case, verdict = outcome.case, outcome.verdict
    came = "accepted" if verdict.accepted else "rejected"
    wrong = came if not outcome.right else "wrong place"
    lines = [
        f"[{case.category}] {wrong} ({outcome.crash or verdict.reason}) "
        f"denied={verdict.denied} {case.note}",
        f"  quote   : {case.quote!r}",
        f"  source  : {_around(case)!r}",
    ]
    if verdict.accepted and case.expected:
        lines += [
            f"  found   : {_words(case, verdict.places)!r}",
            f"  expected: {_words(case, case.expected[0])!r}",
        ]
    return "\n".join(lines)


def _words(case: Case, places: Iterable[Any]) -> list[str]:
    """Return the words at places, long ones cut."""
    return [case.sources[p.source_id][p.start : p.end][:300] for p in places]


def _around(case: Case) -> str:
    """Return the source's words where the quote should stand, or where it stands most nearly."""
    if case.expected:
        first, last = case.expected[0][0], case.expected[0][-1]
        return case.sources[first.source_id][max(0, first.start - 25) : last.end + 25]
    body = case.sources.get(case.source_id or "") or max(case.sources.values(), key=len, default="")
    best = ("", 0)
    for text in [body, *case.sources.values()]:
        m = difflib.SequenceMatcher(
            None, text, case.quote[:400], autojunk=False
        ).find_longest_match()
        if m.size > best[1]:
            start = max(0, m.a - m.b)
            best = (text[max(0, start - 25) : start + len(case.quote) + 60], m.size)
    return best[0]


def as_json(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Return every category's summary and every failing case."""
    return {
        "categories": {name: summary(group) for name, group in by_category(outcomes).items()},
        "failures": [described(o) for o in outcomes if not _all_right(o)],
    }
