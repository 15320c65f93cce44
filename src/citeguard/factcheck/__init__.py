"""Facts checked against pages: statement, queries, pages, passages, verdict.

`fact_check` and `afact_check`, which `citeguard` also exports, return a `FactReport`;
`astream_fact_check` yields a `FactEvent` for each thing that happens.
"""

from typing import TYPE_CHECKING

from citeguard.lazy import lazily

if TYPE_CHECKING:
    from citeguard.factcheck.checking import afact_check, astream_fact_check, fact_check
    from citeguard.factcheck.conclusions import Conclusion, Finding, Flaw, conclude
    from citeguard.factcheck.events import (
        CheckEnded,
        FactEvent,
        PageRead,
        PassagesChosen,
        QueriesWritten,
        SearchEnded,
        StatementFound,
        VerdictReached,
    )
    from citeguard.factcheck.evidence import PagePassages
    from citeguard.factcheck.fact_reader import (
        FactReader,
        FactsOfPage,
        ReadFact,
        estimated_tokens,
        facts_of,
    )
    from citeguard.factcheck.queries import Plan, QueryWriter, local_queries
    from citeguard.factcheck.report import (
        CheckedPassage,
        FactCheck,
        FactFlag,
        FactReport,
        FoundPage,
        ReadPage,
        Search,
        Spent,
        UndecidedCause,
    )
    from citeguard.factcheck.settings import FactBudget, FactPolicy

__all__ = [
    "CheckEnded",
    "CheckedPassage",
    "Conclusion",
    "FactBudget",
    "FactCheck",
    "FactEvent",
    "FactFlag",
    "FactPolicy",
    "FactReader",
    "FactReport",
    "FactsOfPage",
    "Finding",
    "Flaw",
    "FoundPage",
    "PagePassages",
    "PageRead",
    "PassagesChosen",
    "Plan",
    "QueriesWritten",
    "QueryWriter",
    "ReadFact",
    "ReadPage",
    "Search",
    "SearchEnded",
    "Spent",
    "StatementFound",
    "UndecidedCause",
    "VerdictReached",
    "afact_check",
    "astream_fact_check",
    "conclude",
    "estimated_tokens",
    "fact_check",
    "facts_of",
    "local_queries",
]

_HOMES = {
    "checking": "afact_check astream_fact_check fact_check",
    "conclusions": "Conclusion Finding Flaw conclude",
    "events": "CheckEnded FactEvent PageRead PassagesChosen QueriesWritten SearchEnded "
    "StatementFound VerdictReached",
    "evidence": "PagePassages",
    "fact_reader": "FactReader FactsOfPage ReadFact estimated_tokens facts_of",
    "queries": "Plan QueryWriter local_queries",
    "report": "CheckedPassage FactCheck FactFlag FactReport FoundPage ReadPage "
    "Search Spent UndecidedCause",
    "settings": "FactBudget FactPolicy",
}
__getattr__, __dir__ = lazily(__name__, _HOMES)
