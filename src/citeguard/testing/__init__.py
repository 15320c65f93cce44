"""For the tests of programs that use citeguard: assertions, fakes, and strategies for `hypothesis`.

The pytest plugin is `citeguard.testing.plugin`, which pytest loads by itself. Names are loaded when
they are first used, so that a test run pays for none that it does not use.
"""

from typing import TYPE_CHECKING

from citeguard.lazy import lazily

if TYPE_CHECKING:
    from citeguard.testing.assertions import assert_cited, assert_quote
    from citeguard.testing.embedders import ScriptedEmbedder
    from citeguard.testing.judges import ScriptedJudge
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
    "assertions": ["assert_cited", "assert_quote"],
    "embedders": ["ScriptedEmbedder"],
    "judges": ["ScriptedJudge"],
    "strategies": ["QuoteCase", "quote_cases"],
}
__getattr__, __dir__ = lazily(__name__, _HOMES)
