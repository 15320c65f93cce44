"""Vectors of texts: whose model makes them, and how they are kept."""

from citeguard.retrieval.embedding.embedder import Embedder, SentenceEmbedder
from citeguard.retrieval.embedding.vectors import EmbeddingFailedError

__all__ = ["Embedder", "EmbeddingFailedError", "SentenceEmbedder"]
