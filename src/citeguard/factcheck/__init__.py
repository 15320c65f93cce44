"""Facts checked against pages: statement, queries, pages, passages, verdict.

`fact_check` and `afact_check`, which `citeguard` also exports, return a `Report`;
`astream_fact_check` yields a `FactEvent` for each thing that happens.
"""

from typing import TYPE_CHECKING

from citeguard.lazy import lazily

if TYPE_CHECKING:
    from citeguard.factcheck.checking import afact_check, astream_fact_check, fact_check
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
    from citeguard.factcheck.models import FactReader, ModelOptions, QueryWriter
    from citeguard.factcheck.settings import FactBudget, FactPolicy

__all__ = [
    "CheckEnded",
    "FactBudget",
    "FactEvent",
    "FactPolicy",
    "FactReader",
    "ModelOptions",
    "PageRead",
    "PassagesChosen",
    "QueriesWritten",
    "QueryWriter",
    "SearchEnded",
    "StatementFound",
    "VerdictReached",
    "afact_check",
    "astream_fact_check",
    "fact_check",
]

_HOMES = {
    "checking": "afact_check astream_fact_check fact_check",
    "events": "CheckEnded FactEvent PageRead PassagesChosen QueriesWritten SearchEnded "
    "StatementFound VerdictReached",
    "models": "FactReader ModelOptions QueryWriter",
    "settings": "FactBudget FactPolicy",
}
__getattr__, __dir__ = lazily(__name__, _HOMES)
