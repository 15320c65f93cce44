"""For the tests of programs that use citeguard: assertions, fakes, and strategies for `hypothesis`.

The pytest plugin is `citeguard.testing.plugin`, which pytest loads by itself. Names are loaded when
they are first used, so that a test run pays for none that it does not use.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

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
_HOME = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    """Load a public name from its module."""
    if name not in _HOME:
        raise AttributeError(f"module 'citeguard.testing' has no attribute {name!r}")
    value = getattr(import_module(f"citeguard.testing.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names, loaded or not."""
    return sorted({*globals(), *__all__})
