"""The facts in which two texts differ: negation, numbers, names, words, qualifiers and roles."""

from citeguard.facts.contrasts import contrasts
from citeguard.facts.reading import Contrast, ContrastKind
from citeguard.facts.slots import misplaced_values

__all__ = ["Contrast", "ContrastKind", "contrasts", "misplaced_values"]
