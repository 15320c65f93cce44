"""Check a language model's answer against the sources it was given, while the answer is parsed.

The public names are imported on first use, as in Pydantic: `import citeguard` alone costs next to
nothing.
"""

from typing import TYPE_CHECKING

from citeguard.lazy import lazily

if TYPE_CHECKING:
    from citeguard.auditing.run import aaudit, audit
    from citeguard.errors import (
        CiteguardError,
        InvalidSourcesError,
        MissingSourcesError,
        UndecidedError,
        UnknownSourceError,
    )
    from citeguard.factcheck.checking import afact_check, astream_fact_check, fact_check
    from citeguard.factcheck.settings import FactBudget, FactPolicy
    from citeguard.judges.cache import DiskCache, MemoryCache, VerdictCache
    from citeguard.judges.judge import AlignmentJudge, Judge, JudgeFailedError, JudgeSettings
    from citeguard.judges.llm import LLMJudge
    from citeguard.judges.prompts import Prompt
    from citeguard.judges.reader import ReaderJudge
    from citeguard.judges.short_answers import (
        AnswerExtractor,
        FoundAnswer,
        ShortAnswers,
    )
    from citeguard.judges.similarity import Similarity
    from citeguard.judges.usage import Budget, Stage, Usage, report_tokens, track_usage
    from citeguard.judges.verdicts import (
        Alignment,
        AlignmentQuestion,
        Evidence,
        Outcome,
        SupportQuestion,
        Verdict,
    )
    from citeguard.judges.vote import Vote
    from citeguard.library.answering import Answerer, ExtractiveAnswerer, LLMAnswerer
    from citeguard.library.catalogue import StoredQuestion
    from citeguard.library.library import Chat, Library
    from citeguard.library.reply import Message, Reference, Reply
    from citeguard.library.stores.store import PassageStore
    from citeguard.reader.cross_encoder import EntailmentModel
    from citeguard.reports.report import Report
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
    from citeguard.retrieval.embeddings import Embedder, EmbeddingFailedError, SentenceEmbedder
    from citeguard.retrieval.word_vectors import SIFEmbedder, read_word_vectors
    from citeguard.sources.collection import Source, Sources, Span
    from citeguard.sources.layout import Box, Heading, Layout, Location, Page, Section
    from citeguard.sources.matches import Edit, Framing, Grade, Match, locate
    from citeguard.validation.client import guard
    from citeguard.validation.models import Answer, Citation, Statement
    from citeguard.validation.policy import Policy, use_sources
    from citeguard.validation.quotes import ExactQuote, FuzzyQuote, Quote
    from citeguard.validation.salvage import Dropped, StatementError
    from citeguard.validation.support import (
        JudgedSupported,
        SupportedBySource,
    )
    from citeguard.validation.verification import averify, verify

__version__ = "0.2.0"

__all__ = [
    "Alignment",
    "AlignmentJudge",
    "AlignmentQuestion",
    "Answer",
    "AnswerExtractor",
    "Answerer",
    "BM25Retriever",
    "Box",
    "Budget",
    "Chat",
    "Citation",
    "CiteguardError",
    "DenseRetriever",
    "DiskCache",
    "Dropped",
    "Edit",
    "Embedder",
    "EmbeddingFailedError",
    "EntailmentModel",
    "Evidence",
    "ExactQuote",
    "ExtractiveAnswerer",
    "FactBudget",
    "FactPolicy",
    "FoundAnswer",
    "Framing",
    "FuzzyQuote",
    "Grade",
    "Heading",
    "HybridRetriever",
    "InvalidSourcesError",
    "Judge",
    "JudgeFailedError",
    "JudgeSettings",
    "JudgedSupported",
    "LLMAnswerer",
    "LLMJudge",
    "Layout",
    "Library",
    "Location",
    "Match",
    "MemoryCache",
    "Message",
    "MissingSourcesError",
    "Outcome",
    "Page",
    "Passage",
    "PassageStore",
    "Passages",
    "Policy",
    "Prompt",
    "Quote",
    "ReaderJudge",
    "Reference",
    "Reply",
    "Report",
    "Retriever",
    "SIFEmbedder",
    "Section",
    "SectionPassages",
    "SentenceEmbedder",
    "ShortAnswers",
    "Similarity",
    "Source",
    "Sources",
    "Span",
    "Stage",
    "Statement",
    "StatementError",
    "StoredQuestion",
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
    "afact_check",
    "astream_fact_check",
    "audit",
    "averify",
    "fact_check",
    "guard",
    "locate",
    "read_word_vectors",
    "report_tokens",
    "track_usage",
    "use_sources",
    "verify",
]

_HOMES = {
    "reports.report": "Report",
    "auditing.run": "aaudit audit",
    "errors": "CiteguardError InvalidSourcesError MissingSourcesError UndecidedError "
    "UnknownSourceError",
    "factcheck.checking": "afact_check astream_fact_check fact_check",
    "factcheck.settings": "FactBudget FactPolicy",
    "judges.cache": "DiskCache MemoryCache VerdictCache",
    "judges.judge": "AlignmentJudge Judge JudgeFailedError JudgeSettings",
    "judges.llm": "LLMJudge",
    "judges.prompts": "Prompt",
    "judges.reader": "ReaderJudge",
    "judges.short_answers": "AnswerExtractor FoundAnswer ShortAnswers",
    "judges.similarity": "Similarity",
    "judges.usage": "Budget Stage Usage report_tokens track_usage",
    "judges.verdicts": "Alignment AlignmentQuestion Evidence Outcome SupportQuestion Verdict",
    "judges.vote": "Vote",
    "library.answering": "Answerer ExtractiveAnswerer LLMAnswerer",
    "library.catalogue": "StoredQuestion",
    "library.library": "Chat Library",
    "library.reply": "Message Reference Reply",
    "library.stores.store": "PassageStore",
    "reader.cross_encoder": "EntailmentModel",
    "retrieval": "BM25Retriever DenseRetriever HybridRetriever Passage Passages Retriever "
    "SectionPassages TokenPassages Windows",
    "retrieval.embeddings": "Embedder EmbeddingFailedError SentenceEmbedder",
    "retrieval.word_vectors": "SIFEmbedder read_word_vectors",
    "sources.collection": "Source Sources Span",
    "sources.layout": "Box Heading Layout Location Page Section",
    "sources.matches": "Edit Framing Grade Match locate",
    "validation.client": "guard",
    "validation.models": "Answer Citation Statement",
    "validation.policy": "Policy use_sources",
    "validation.support": "JudgedSupported SupportedBySource",
    "validation.quotes": "ExactQuote FuzzyQuote Quote",
    "validation.salvage": "Dropped StatementError",
    "validation.verification": "averify verify",
}
__getattr__, __dir__ = lazily(__name__, _HOMES)
