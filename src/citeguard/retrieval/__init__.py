"""Passages of sources, and how those are found that bear on a statement."""

from citeguard.retrieval.cutting import SectionPassages, TokenPassages
from citeguard.retrieval.passages import Passage, Passages, Windows
from citeguard.retrieval.retrievers import BM25Retriever, DenseRetriever
from citeguard.retrieval.search import HybridRetriever, Retriever

__all__ = [
    "BM25Retriever",
    "DenseRetriever",
    "HybridRetriever",
    "Passage",
    "Passages",
    "Retriever",
    "SectionPassages",
    "TokenPassages",
    "Windows",
]
