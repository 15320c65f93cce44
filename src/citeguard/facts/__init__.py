"""What two sentences disagree about: negation, numbers, names, opposites, qualifiers, roles."""

from citeguard.facts.find import Contrast, ContrastKind, contrasts

__all__ = ["Contrast", "ContrastKind", "contrasts"]
