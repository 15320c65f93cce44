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
    from citeguard.factcheck.checking import afact_check, fact_check
    from citeguard.judges.llm import LLMJudge
    from citeguard.judges.prompts import Prompt
    from citeguard.judges.reader import ReaderJudge
    from citeguard.judges.short_answers import ShortAnswers
    from citeguard.judges.similarity import Similarity
    from citeguard.judges.usage import Budget, Usage, track_usage
    from citeguard.judges.verdicts import (
        Alignment,
        AlignmentJudge,
        AlignmentQuestion,
        Evidence,
        Judge,
        JudgeFailedError,
        JudgeSettings,
        Outcome,
        SupportQuestion,
        Verdict,
    )
    from citeguard.judges.vote import Vote
    from citeguard.library.library import Library
    from citeguard.library.reply import Reference, Reply
    from citeguard.reports.report import Report
    from citeguard.sources.collection import Source, Sources, Span
    from citeguard.sources.matches import Match, locate
    from citeguard.validation.client import guard
    from citeguard.validation.models import Answer, Citation, Statement
    from citeguard.validation.policy import Policy, use_sources
    from citeguard.validation.quote_rules import ExactQuote, FuzzyQuote, Quote
    from citeguard.validation.salvage import Dropped, StatementError
    from citeguard.validation.support import JudgedSupported, SupportedBySource
    from citeguard.validation.verification import averify, verify

__version__ = "0.3.0"

__all__ = [
    "Alignment",
    "AlignmentJudge",
    "AlignmentQuestion",
    "Answer",
    "Budget",
    "Citation",
    "CiteguardError",
    "Dropped",
    "Evidence",
    "ExactQuote",
    "FuzzyQuote",
    "InvalidSourcesError",
    "Judge",
    "JudgeFailedError",
    "JudgeSettings",
    "JudgedSupported",
    "LLMJudge",
    "Library",
    "Match",
    "MissingSourcesError",
    "Outcome",
    "Policy",
    "Prompt",
    "Quote",
    "ReaderJudge",
    "Reference",
    "Reply",
    "Report",
    "ShortAnswers",
    "Similarity",
    "Source",
    "Sources",
    "Span",
    "Statement",
    "StatementError",
    "SupportQuestion",
    "SupportedBySource",
    "UndecidedError",
    "UnknownSourceError",
    "Usage",
    "Verdict",
    "Vote",
    "aaudit",
    "afact_check",
    "audit",
    "averify",
    "fact_check",
    "guard",
    "locate",
    "track_usage",
    "use_sources",
    "verify",
]

_HOMES = {
    "auditing.run": "aaudit audit",
    "errors": "CiteguardError InvalidSourcesError MissingSourcesError UndecidedError "
    "UnknownSourceError",
    "factcheck.checking": "afact_check fact_check",
    "judges.llm": "LLMJudge",
    "judges.prompts": "Prompt",
    "judges.reader": "ReaderJudge",
    "judges.short_answers": "ShortAnswers",
    "judges.similarity": "Similarity",
    "judges.usage": "Budget Usage track_usage",
    "judges.verdicts": "Alignment AlignmentJudge AlignmentQuestion Evidence Judge JudgeFailedError "
    "JudgeSettings Outcome SupportQuestion Verdict",
    "judges.vote": "Vote",
    "library.library": "Library",
    "library.reply": "Reference Reply",
    "reports.report": "Report",
    "sources.collection": "Source Sources Span",
    "sources.matches": "Match locate",
    "validation.client": "guard",
    "validation.models": "Answer Citation Statement",
    "validation.policy": "Policy use_sources",
    "validation.quote_rules": "ExactQuote FuzzyQuote Quote",
    "validation.salvage": "Dropped StatementError",
    "validation.support": "JudgedSupported SupportedBySource",
    "validation.verification": "averify verify",
}
__getattr__, __dir__ = lazily(__name__, _HOMES)
