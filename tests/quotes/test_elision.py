"""Elided quotes: their segments, and what an ellipsis may not swallow."""

from __future__ import annotations

import re

import pytest

from citeguard.quotes.differences import Edit
from citeguard.quotes.ellipsis import find_hidden, split_at_ellipses
from quotes.tables import rows
from rows import each_row

ELLIPSES = [
    "...",
    "…",
    " ... ",
    " … ",
    "[...]",
    " [...] ",
    "[…]",
    "(...)",
    " (…) ",
    ". . .",
    "....",
    " . . . ",
    "⋯",
    "[ ... ]",
]

# The gap is in double square brackets.
HARMLESS = rows(r"""
The company[[, founded in 1999 by two sisters,]] sells tea.
It was[[ red and big and]] round.
It rained.[[ They did not go out. ]]It was May.
It rained.[[ Only men came. All left. ]]It was May.
So said[[ Dr. Smith of the]] council.
雨が降った。[[彼は来なかった。]]五月だった。
It was[[ ]]so.
Mr. Smith: I sold it.[[ It was old.\nIt ran well. ]]I left.
The plan has two parts.[[\nCosts: it will cost a lot.\n]]It ends in May.
It rained.[[ They went.\n\nWe did. ]]So what.
The firm[[, which does not own land,]] pays rent.
The man[[ (whom nobody had seen)]] left.
The witnesses,[[ two of whom never spoke]], left.
En un lugar de la Mancha[[, de cuyo nombre no quiero acordarme,]] vivía un hidalgo.
Der Vertrag[[, der nicht verlängert wurde,]] endet im Mai.
Мост[[, который никто не чинил,]] стоит у реки.
Cumhuriyet, halka saygılı,[[ başlangıçta belirtilen ilkelere dayanan,]] demokratik bir devlettir.
She sang[[ and left the hall]]! He stayed.
They met[[, in May 2019 and about 5 km away,]] and left.
""")
HIDDEN = rows(r"""
two speakers joined | Mr. Smith: I sold the car.[[\nMs. Jones: ]]I bought a boat.
two speakers joined | [10:01] Ann: Sales rose.[[\n[10:02] Bob: ]]Costs fell.
qualifier | The fine is[[ the greater of]] 20 million and 4 % of sales.
qualifier | La multa es[[ la mayor de]] 20 millones y el 4 % de las ventas de la empresa.
negation | The drug was[[ not tested and not]] approved.
negation | The drug[[ isn’t tested and]] approved.
negation | They[[ never]] came.
negation | He came[[ without any]] friends.
two sentences joined | It rained[[ again. They did not]] go.
two sentences joined | It did rain[[ if not here. Later]] it did.
qualifier | They came[[ only if asked and]] left.
qualifier | The[[ alleged and wanted]] thief fled.
qualifier | It fell[[ by up to]] 25 points.
two sentences joined | So said Dr[[. Smith. It was not]] so.
different passages | It rained.[[ They went.\n\n## Later\n\nWe did. ]]So what.
number | Sales were[[ 20 million, against]] 80 million.
another subject | The firm settled.[[ Its rival]] paid.
qualifier | It fell[[, he claimed.]] We left.
negation | It cures[[, which is a myth,]] all.
qualifier | The drug[[, he said, ]]is safe.
another subject | The drug[[, which is not sold, and the syrup, which is,]] are old.
negation | The patients[[ who did not survive]] were old.
negation | 药物[[并不]]安全。
""")


class TestSplitAtEllipses:
    @pytest.mark.parametrize("ellipsis", ELLIPSES)
    def test_gives_the_segments(self, ellipsis: str) -> None:
        assert split_at_ellipses(f"The drug{ellipsis}was safe") == ["The drug", "was safe"]

    @pytest.mark.parametrize("ellipsis", ELLIPSES)
    def test_leaves_blank_segments_out(self, ellipsis: str) -> None:
        assert split_at_ellipses(f"{ellipsis}The drug{ellipsis}") == ["The drug"]

    @pytest.mark.parametrize(
        "quote", ["The drug. Was safe", "a..b", "1.5.2", "e.g. this", "[the] drug"]
    )
    def test_sees_none(self, quote: str) -> None:
        assert split_at_ellipses(quote) == [quote]

    @pytest.mark.parametrize("quote", ["", "...", " … ", "?!…"])
    def test_of_no_words(self, quote: str) -> None:
        assert split_at_ellipses(quote) == []


def hidden_in(text: str) -> Edit | None:
    before, gap, after = re.split(r"\[\[|\]\]", text)
    return find_hidden(before + gap + after, len(before), len(before + gap))


class TestSwallowed:
    @each_row("text", [text for (text,) in HARMLESS])
    def test_nothing(self, text: str) -> None:
        assert hidden_in(text) is None

    def test_nothing_of_many_sentences(self) -> None:
        assert hidden_in(f"It rained.[[{' It poured. No.' * 400}]] It was May.") is None

    @each_row("reason, text", HIDDEN)
    def test_something(self, reason: str, text: str) -> None:
        edit = hidden_in(text)
        assert edit is not None
        assert (edit.material, edit.operation, edit.quoted) == (True, "delete", "")
        assert edit.reason == reason
        assert edit.source
