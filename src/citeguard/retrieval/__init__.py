"""Passages of sources, and searching for those relevant to a query."""

from citeguard.retrieval.embeddings import Embedder, EmbeddingFailedError, SentenceEmbedder
from citeguard.retrieval.passages import Passages, SectionPassages, TokenPassages, Windows
from citeguard.retrieval.ranking import BM25Retriever, DenseRetriever
from citeguard.retrieval.search import HybridRetriever, Retriever
from citeguard.retrieval.word_vectors import SIFEmbedder, read_word_vectors
from citeguard.sources.collection import Passage

__all__ = [
    "BM25Retriever",
    "DenseRetriever",
    "Embedder",
    "EmbeddingFailedError",
    "HybridRetriever",
    "Passage",
    "Passages",
    "Retriever",
    "SIFEmbedder",
    "SectionPassages",
    "SentenceEmbedder",
    "TokenPassages",
    "Windows",
    "read_word_vectors",
]
