"""The same cases through other tools' quote checks, as one Markdown table.

None of the peers knows several sources with ids. A peer is given the named source's text, or, where
none or an unknown one is named, all texts joined by a blank line.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ProcessPoolExecutor
from types import FrameType

from citeguard.bench.tools import TOOLS, Tool

from .cases import Case
from .report import APART, by_category, summary
from .verdicts import Outcome, Verdict, citeguard_checker, outcomes

SECONDS = 4
"""A case that takes a peer longer counts as rejected, and is counted as timed out."""


SLOW = ("instructor CitationMixin", "LangChain's rule for citations", "langextract WordAligner")
"""The tools that run on a sample only."""

PEERS = [tool for tool in TOOLS if tool.name != "citeguard" and tool.version is not None]


class TimedOutError(Exception):
    """A peer took too long over one case."""


def _time_out(signal_number: int, frame: FrameType | None) -> None:
    """Stop the case that runs."""
    raise TimedOutError


@contextlib.contextmanager
def time_limit(seconds: float) -> Generator[None]:
    """Raise `TimedOutError` inside the block when it takes too long."""
    signal.signal(signal.SIGALRM, _time_out)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _evidence(case: Case) -> str:
    """Return the text that a peer is given."""
    named = case.sources.get(case.source_id or "")
    return named if named is not None else "\n\n".join(case.sources.values())


def _checker(peer: Tool) -> Callable[[Case], Verdict]:
    """Make a peer a checker of cases."""
    judge = peer.load()

    def check(case: Case) -> Verdict:
        try:
            with time_limit(SECONDS):
                return Verdict(judge(case.quote, _evidence(case)).accepted)
        except TimedOutError:
            return Verdict(False, reason="timed out")

    return check


def sample(cases: Sequence[Case], size: int) -> list[Case]:
    """Take at most `size` cases of each category, evenly spread."""
    groups: dict[str, list[Case]] = {}
    for case in cases:
        groups.setdefault(case.category, []).append(case)
    return [c for group in groups.values() for c in group[:: max(1, len(group) // size)][:size]]


def run_part(number: int, cases: list[Case]) -> list[Outcome]:
    """Run one peer over some cases in a process of its own."""
    return list(outcomes(cases, _checker(PEERS[number])))


def run_peer(number: int, cases: Sequence[Case], sample_size: int) -> list[Outcome]:
    """Run one peer over all cases, or a sample where it is slow, on every core."""
    chosen = sample(cases, sample_size) if PEERS[number].name in SLOW else list(cases)
    parts = [chosen[start::16] for start in range(16)]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        found = pool.map(run_part, itertools.repeat(number), parts)
        return list(itertools.chain.from_iterable(found))


def markdown_table(cases: Sequence[Case], sample_size: int) -> str:
    """Run every peer and citeguard; rates are averages over the categories, in percent.

    Flags, the synthetic set and contested categories are left out; an exception is a rejection.
    """
    main = [case for case in cases if not case.category.startswith(APART)]
    lines = [
        "| checker | cases | errors % | true quotes rejected % | changed quotes accepted % "
        "| timed out | ms per case |",
        "|---|---:|---:|---:|---:|---:|---:|",
        _row("citeguard", list(outcomes(main, citeguard_checker()))),
    ]
    for number, peer in enumerate(PEERS):
        lines.append(_row(peer.name, run_peer(number, main, sample_size)))
    return "\n".join([*lines, "", _footnote(sample_size)])


def _footnote(sample_size: int) -> str:
    """Say how the slow peers were run."""
    slow = ", ".join(peer.name for peer in PEERS if peer.name in SLOW)
    return (
        f"Rates are averages over the categories. {slow}: a sample of {sample_size} cases of each "
        f"category; a case over {SECONDS} s counts as rejected."
    )


def _row(name: str, found: Sequence[Outcome]) -> str:
    """Print one checker's row."""
    groups = by_category(found).values()
    true = [_rate(g, "wrongly_rejected") for g in groups if g[0].case.accept]
    changed = [_rate(g, "wrongly_accepted") for g in groups if not g[0].case.accept]
    late = sum(o.verdict.reason == "timed out" for o in found)
    milliseconds = 1000 * sum(o.seconds for o in found) / max(1, len(found))
    rates = (_mean(true + changed), _mean(true), _mean(changed))
    cells = (name, str(len(found)), *(f"{rate:.1f}" for rate in rates), str(late))
    return f"| {' | '.join(cells)} | {milliseconds:.2f} |"


def _rate(group: Sequence[Outcome], what: str) -> float:
    """Return a share of a category in percent."""
    return 100 * summary(group)[what] / len(group)


def _mean(values: Sequence[float]) -> float:
    """Average values; 0 when there are none."""
    return sum(values) / max(1, len(values))
