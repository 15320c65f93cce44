"""For tests of programs that use citeguard: assertions, fakes, and strategies for `hypothesis`.

pytest loads the plugin, `citeguard.testing.plugin`, by itself. Names are imported on first use, so
that a test run pays only for those it uses.
"""

from typing import TYPE_CHECKING

from citeguard.lazy import lazily

if TYPE_CHECKING:
    from citeguard.testing.assertions import assert_cited, assert_quote
    from citeguard.testing.scripted import ScriptedEmbedder, ScriptedJudge
    from citeguard.testing.strategies import QuoteCase, quote_cases

__all__ = [
    "QuoteCase",
    "ScriptedEmbedder",
    "ScriptedJudge",
    "assert_cited",
    "assert_quote",
    "quote_cases",
]

_HOMES = {
    "assertions": "assert_cited assert_quote",
    "scripted": "ScriptedEmbedder ScriptedJudge",
    "strategies": "QuoteCase quote_cases",
}
__getattr__, __dir__ = lazily(__name__, _HOMES)
