"""How a noise is applied: to the source or to the quote, always somewhere inside the passage."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Literal

from .cases import Candidates, Draft, Edit, Interval, disjoint

Side = Literal["source", "quote"]


@dataclass(frozen=True, slots=True)
class Noise:
    """A harmless kind of change.

    `rate` is the share of possible places changed, outside and inside the passage; at least one
    inside is. `inner` keeps the edges of the passage free of it, where it would be a matter of
    taste whether the span takes the added characters in. `usable` filters drafts.
    """

    candidates: Candidates
    rate: float = 0.5
    sides: tuple[Side, ...] = ("source", "quote")
    inner: bool = False
    most: int | None = None
    usable: Callable[[Draft], bool] = lambda draft: True

    def on(self, side: Side, draft: Draft, rng: Random) -> Draft | None:
        """Apply it to one side of a draft; `None` when no place inside the passage allows it."""
        if side not in self.sides or not self.usable(draft):
            return None
        return self.on_source(draft, rng) if side == "source" else self.on_quote(draft, rng)

    def on_source(self, draft: Draft, rng: Random) -> Draft | None:
        """Apply it to the source, around and inside the passage."""
        edits = self._chosen(draft.text, draft.spans, rng)
        return draft.edit_source(edits, "source side") if edits else None

    def on_quote(self, draft: Draft, rng: Random) -> Draft | None:
        """Apply it to the quote."""
        edits = self._chosen(draft.quote, ((0, len(draft.quote)),), rng)
        return draft.edit_quote(edits, "quote side") if edits else None

    def _chosen(self, text: str, focus: tuple[Interval, ...], rng: Random) -> list[Edit]:
        """Choose places: each with the rate's chance, and at least one inside the focus."""
        possible = [edit for edit in disjoint(self.candidates(text, rng)) if _real(edit, text)]
        if self.inner:
            possible = [edit for edit in possible if not _touches_edge(edit, focus)]
        inside = [edit for edit in possible if _inside(edit, focus)]
        if not inside:
            return []
        sure = rng.choice(inside)
        chosen = {edit for edit in possible if rng.random() < self.rate} | {sure}
        return self._limited(sorted(chosen), sure, rng)

    def _limited(self, chosen: list[Edit], sure: Edit, rng: Random) -> list[Edit]:
        """Keep no more edits than allowed, the sure one among them."""
        if self.most is None or len(chosen) <= self.most:
            return chosen
        others = [edit for edit in chosen if edit != sure]
        return sorted([sure, *rng.sample(others, self.most - 1)])


def _real(edit: Edit, text: str) -> bool:
    """Tell whether an edit changes anything."""
    start, end, new = edit
    return text[start:end] != new


def _inside(edit: Edit, focus: tuple[Interval, ...]) -> bool:
    """Tell whether an edit lies within an interval; an insertion, strictly within."""
    return any(
        start <= edit[0] and edit[1] <= end and (edit[1] > edit[0] or start < edit[0] < end)
        for start, end in focus
    )


def _touches_edge(edit: Edit, focus: tuple[Interval, ...]) -> bool:
    """Tell whether an edit begins, ends or spans where an interval does."""
    return any(edit[0] <= edge <= edit[1] for interval in focus for edge in interval)
