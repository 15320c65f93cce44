"""Facts in which a statement and its evidence differ: which kinds count, and how to report them."""

from __future__ import annotations

from typing import NamedTuple

from citeguard.facts import Contrast, ContrastKind
from citeguard.language.excerpts import as_json

VERSION = "8"
"""Changes when the results of `contrasts` do; part of the key of cached verdicts."""

CONFLICTING: frozenset[ContrastKind] = frozenset(
    ("negation", "number", "name", "opposite", "exclusive", "roles")
)
"""The kinds of contrast whose two sides cannot both be true."""

CLAIMS_MORE: frozenset[ContrastKind] = frozenset(("quantity", "modality"))
"""The kinds of contrast in which the statement says more than the passage."""

_SHOWN = 80  # characters of what differs in a reason


class Difference(NamedTuple):
    """The words of a statement and those of the passage in their place; either may be empty."""

    stated: str
    found: str

    @property
    def reason(self) -> str:
        """The difference in a sentence."""
        stated, found = as_json(self.stated, _SHOWN), as_json(self.found, _SHOWN)
        if not self.found:
            return f"It says {stated}, and the passage does not."
        if not self.stated:
            return f"It omits {found}, which the passage says."
        return f"It says {stated} where the passage says {found}."


def is_conflict(contrast: Contrast) -> bool:
    """Return whether the two sides of a contrast exclude each other.

    A name that the passage only lacks is not a conflict: the passage may mean it unnamed.
    """
    return contrast.kind in CONFLICTING and not (contrast.kind == "name" and not contrast.found)
