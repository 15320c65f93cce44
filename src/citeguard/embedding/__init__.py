"""Vectors of texts: whose model makes them, and how they are kept."""

from citeguard.embedding.embedder import Embedder, SentenceEmbedder
from citeguard.embedding.vectors import EmbeddingFailedError

__all__ = ["Embedder", "EmbeddingFailedError", "SentenceEmbedder"]
