"""The judges: who can be asked whether evidence supports a statement, and how they are asked."""

from typing import TYPE_CHECKING

from citeguard.lazy import lazily

if TYPE_CHECKING:
    from citeguard.judges.cache import DiskCache, MemoryCache, VerdictCache
    from citeguard.judges.short_answers import AnswerExtractor, FoundAnswer
    from citeguard.judges.usage import Stage, report_tokens

__all__ = [
    "AnswerExtractor",
    "DiskCache",
    "FoundAnswer",
    "MemoryCache",
    "Stage",
    "VerdictCache",
    "report_tokens",
]

_HOMES = {
    "cache": "DiskCache MemoryCache VerdictCache",
    "short_answers": "AnswerExtractor FoundAnswer",
    "usage": "Stage report_tokens",
}
__getattr__, __dir__ = lazily(__name__, _HOMES)
