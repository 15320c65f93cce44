"""Measuring in turns, and the rows of the report."""

import gc
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean
from time import perf_counter

Action = Callable[[], object]

_LEAST = 0.002  # seconds that one sample takes at least, far above the clock's resolution


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of the report."""

    case: str
    ours: str
    peer: str
    theirs: str
    ratio: str


def best_in_turns(actions: Sequence[Action], rounds: int) -> list[float]:
    """Return the least seconds a call of each action takes.

    The actions take turns in every round, so that a noisy moment hits all of them alike.
    """
    calls = [_calls(action) for action in actions]
    samples = [
        [_seconds(action, times) for action, times in zip(actions, calls, strict=True)]
        for _ in range(rounds)
    ]
    return [min(column) for column in zip(*samples, strict=True)]


def _calls(action: Action) -> int:
    action()  # the first call may build what later ones use
    return max(1, round(_LEAST / max(_seconds(action, 1), 1e-9)))


def _seconds(action: Action, times: int) -> float:
    turns = range(times)
    collecting = gc.isenabled()
    gc.disable()
    try:
        start = perf_counter()
        for _ in turns:
            action()
        return (perf_counter() - start) / times
    finally:
        if collecting:
            gc.enable()


def compared(
    case: str,
    pairs: Iterable[tuple[Action, Action]],
    *,
    peer: str,
    rounds: int,
) -> Row:
    """Compare citeguard with a peer over several inputs of one kind.

    Args:
        case: what the row is called.
        pairs: for each input, citeguard's action and the peer's.
        peer: the peer's name.
        rounds: how often each pair is measured; the best counts.
    """
    times = [best_in_turns(pair, rounds) for pair in pairs]
    ours, theirs = (fmean(column) for column in zip(*times, strict=True))
    worst = max(a / b for a, b in times)
    return Row(
        case=case,
        ours=seconds(ours),
        peer=peer,
        theirs=seconds(theirs),
        ratio=f"{ours / theirs:.2f} (worst {worst:.2f})",
    )


def seconds(value: float) -> str:
    """Write a duration in the unit that suits it."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if abs(value) >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value * 1e6:.3g} µs"
