"""What differs in fact between a statement and a passage: `contrasts`."""

from citeguard.text.contrast.find import Contrast, ContrastKind, contrasts

__all__ = ["Contrast", "ContrastKind", "contrasts"]
