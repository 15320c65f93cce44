"""Check what a language model says against the sources it was given, as the answer is parsed.

The public names are loaded when they are first used, as Pydantic does with its own: `import
citeguard` alone costs next to nothing.
"""

from typing import TYPE_CHECKING

from citeguard.lazy import lazily

if TYPE_CHECKING:
    from citeguard.auditing.report import AuditReport
    from citeguard.auditing.run import aaudit, audit
    from citeguard.checks.cache import DiskCache, MemoryCache, VerdictCache
    from citeguard.checks.entailment import Entailment, EntailmentModel
    from citeguard.checks.grounding import GroundingVerifier
    from citeguard.checks.judge import AlignmentJudge, Judge, JudgeFailedError, JudgeSettings
    from citeguard.checks.llm import LLMJudge
    from citeguard.checks.prompts import Prompt
    from citeguard.checks.short_answers import (
        AnswerExtractor,
        FoundAnswer,
        LexicalExtractor,
        ShortAnswers,
    )
    from citeguard.checks.similarity import Similarity
    from citeguard.checks.usage import Budget, report_tokens, track_usage
    from citeguard.checks.vote import Vote
    from citeguard.client import guard
    from citeguard.context import use_sources
    from citeguard.embedding import Embedder, EmbeddingFailedError, SentenceEmbedder
    from citeguard.errors import (
        CiteguardError,
        InvalidSourcesError,
        MissingSourcesError,
        UndecidedError,
        UnknownSourceError,
    )
    from citeguard.layout import Box, Heading, Layout, Location, Page, Section
    from citeguard.matches import Edit, Grade, Match, locate
    from citeguard.models import Answer, Citation, Statement
    from citeguard.policy import Policy
    from citeguard.retrieval import (
        BM25Retriever,
        DenseRetriever,
        HybridRetriever,
        Passage,
        Passages,
        Retriever,
        SectionPassages,
        TokenPassages,
        Windows,
    )
    from citeguard.sources import Source, Sources, Span
    from citeguard.support import (
        EntailedBySource,
        JudgedSupported,
        SimilarToSource,
        SupportedBySource,
    )
    from citeguard.validators import ExactQuote, FuzzyQuote
    from citeguard.verdicts import (
        Alignment,
        AlignmentQuestion,
        Evidence,
        Outcome,
        Stage,
        SupportQuestion,
        Usage,
        Verdict,
    )
    from citeguard.verification import averify, verify

__all__ = [
    "Alignment",
    "AlignmentJudge",
    "AlignmentQuestion",
    "Answer",
    "AnswerExtractor",
    "AuditReport",
    "BM25Retriever",
    "Box",
    "Budget",
    "Citation",
    "CiteguardError",
    "DenseRetriever",
    "DiskCache",
    "Edit",
    "Embedder",
    "EmbeddingFailedError",
    "EntailedBySource",
    "Entailment",
    "EntailmentModel",
    "Evidence",
    "ExactQuote",
    "FoundAnswer",
    "FuzzyQuote",
    "Grade",
    "GroundingVerifier",
    "Heading",
    "HybridRetriever",
    "InvalidSourcesError",
    "Judge",
    "JudgeFailedError",
    "JudgeSettings",
    "JudgedSupported",
    "LLMJudge",
    "Layout",
    "LexicalExtractor",
    "Location",
    "Match",
    "MemoryCache",
    "MissingSourcesError",
    "Outcome",
    "Page",
    "Passage",
    "Passages",
    "Policy",
    "Prompt",
    "Retriever",
    "Section",
    "SectionPassages",
    "SentenceEmbedder",
    "ShortAnswers",
    "SimilarToSource",
    "Similarity",
    "Source",
    "Sources",
    "Span",
    "Stage",
    "Statement",
    "SupportQuestion",
    "SupportedBySource",
    "TokenPassages",
    "UndecidedError",
    "UnknownSourceError",
    "Usage",
    "Verdict",
    "VerdictCache",
    "Vote",
    "Windows",
    "aaudit",
    "audit",
    "averify",
    "guard",
    "locate",
    "report_tokens",
    "track_usage",
    "use_sources",
    "verify",
]

_HOMES = {
    "auditing.report": ["AuditReport"],
    "auditing.run": ["aaudit", "audit"],
    "checks.cache": ["DiskCache", "MemoryCache", "VerdictCache"],
    "checks.entailment": ["Entailment", "EntailmentModel"],
    "checks.grounding": ["GroundingVerifier"],
    "checks.judge": ["AlignmentJudge", "Judge", "JudgeFailedError", "JudgeSettings"],
    "checks.llm": ["LLMJudge"],
    "checks.prompts": ["Prompt"],
    "checks.short_answers": ["AnswerExtractor", "FoundAnswer", "LexicalExtractor", "ShortAnswers"],
    "checks.similarity": ["Similarity"],
    "checks.usage": ["Budget", "report_tokens", "track_usage"],
    "checks.vote": ["Vote"],
    "client": ["guard"],
    "context": ["use_sources"],
    "embedding": ["Embedder", "EmbeddingFailedError", "SentenceEmbedder"],
    "errors": [
        "CiteguardError",
        "InvalidSourcesError",
        "MissingSourcesError",
        "UndecidedError",
        "UnknownSourceError",
    ],
    "layout": ["Box", "Heading", "Layout", "Location", "Page", "Section"],
    "matches": ["Edit", "Grade", "Match", "locate"],
    "models": ["Answer", "Citation", "Statement"],
    "policy": ["Policy"],
    "retrieval": [
        "BM25Retriever",
        "DenseRetriever",
        "HybridRetriever",
        "Passage",
        "Passages",
        "Retriever",
        "SectionPassages",
        "TokenPassages",
        "Windows",
    ],
    "sources": ["Source", "Sources", "Span"],
    "support": ["EntailedBySource", "JudgedSupported", "SimilarToSource", "SupportedBySource"],
    "validators": ["ExactQuote", "FuzzyQuote"],
    "verdicts": [
        "Alignment",
        "AlignmentQuestion",
        "Evidence",
        "Outcome",
        "Stage",
        "SupportQuestion",
        "Usage",
        "Verdict",
    ],
    "verification": ["averify", "verify"],
}
__getattr__, __dir__ = lazily(__name__, _HOMES)
