"""Support told from the likeness of embeddings: `Similarity`."""

from citeguard.judges.similarity.check import Similarity

__all__ = ["Similarity"]
