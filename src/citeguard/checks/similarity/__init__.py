"""Support told from the likeness of embeddings: `Similarity`."""

from citeguard.checks.similarity.check import Similarity

__all__ = ["Similarity"]
