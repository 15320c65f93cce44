"""The reader: a small cross-encoder that ships, and models of the user's own in its place."""

from typing import TYPE_CHECKING

from citeguard.lazy import lazily

if TYPE_CHECKING:
    from citeguard.reader.cross_encoder import EntailmentModel

__all__ = [
    "EntailmentModel",
]

_HOMES = {
    "cross_encoder": "EntailmentModel",
}
__getattr__, __dir__ = lazily(__name__, _HOMES)
