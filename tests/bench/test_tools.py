"""The tools that the benchmark compares."""

from importlib.util import find_spec

import pytest

from citeguard.bench.tools import TOOLS, Check, Tool

TEXT = "The board met on Monday.\nIt approved the budget of 1,200 euros for the new roof. 👁 Done."
QUOTE = "It approved the budget of 1,200 euros for the new roof."
AT = TEXT.index(QUOTE)
BY_NAME = {tool.name: tool for tool in TOOLS}
HERE = [tool for tool in TOOLS if tool.version is not None]


def check_of(name: str) -> Check:
    return BY_NAME[name].load()


@pytest.mark.parametrize("tool", HERE, ids=lambda tool: tool.name)
class TestEveryTool:
    def test_accepts_a_verbatim_quote_where_it_is(self, tool: Tool) -> None:
        found = tool.load()(QUOTE, TEXT)
        assert found.accepted
        if found.spans is not None:
            (span,) = found.spans
            assert TEXT[slice(*span)].rstrip(".") == QUOTE.rstrip(".")

    def test_rejects_what_has_no_word_of_the_text(self, tool: Tool) -> None:
        assert not tool.load()("Cake keeps fresh in winter under a glass bell.", TEXT).accepted


class TestTools:
    def test_langchains_rule_needs_patterns(self) -> None:
        if find_spec("regex") is None:
            assert BY_NAME["LangChain's rule for citations"].version is None
            return
        check = check_of("LangChain's rule for citations")
        assert not check("(an open bracket", TEXT).accepted
        assert check("It aproved the budget", TEXT).spans == ((AT, AT + 22),)
