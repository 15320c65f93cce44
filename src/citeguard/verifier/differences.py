"""Facts in which a statement and its evidence differ: which of them count, and how to say so."""

from __future__ import annotations

from typing import NamedTuple

from citeguard.facts import Contrast, ContrastKind
from citeguard.language.excerpts import as_json

VERSION = "4"
"""Changes with what `contrasts` finds: verdicts that rest on it are kept under it."""

CONFLICTING: frozenset[ContrastKind] = frozenset(
    ("negation", "number", "name", "opposite", "exclusive")
)
"""The kinds of contrast of which not both sides can be true."""

CLAIMS_MORE: frozenset[ContrastKind] = frozenset(("quantity", "modality"))
"""The kinds of contrast in which the statement says more than the passage."""

_SHOWN = 80  # characters of what differs in a reason


class Difference(NamedTuple):
    """What a statement says where a passage says something else; either may be empty."""

    stated: str
    found: str

    @property
    def reason(self) -> str:
        """The difference in a sentence."""
        stated, found = as_json(self.stated, _SHOWN), as_json(self.found, _SHOWN)
        if not self.found:
            return f"It says {stated}, and the passage does not."
        if not self.stated:
            return f"It leaves out {found}, which the passage says."
        return f"It says {stated} where the passage says {found}."


def is_conflict(contrast: Contrast) -> bool:
    """Return whether the two sides of a contrast exclude each other.

    A name in whose place the passage has nothing is none: the passage may only not name it.
    """
    return contrast.kind in CONFLICTING and not (contrast.kind == "name" and not contrast.found)
