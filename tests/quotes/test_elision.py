"""Elided quotes: their segments, and what an ellipsis may not swallow."""

from __future__ import annotations

import pytest

from citeguard.quotes.ellipsis import find_hidden, split_at_ellipses

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

# (what stands before the gap, the gap, what stands after it)
HARMLESS = [
    pytest.param("The company", ", founded in 1999 by two sisters,", " sells tea.", id="a clause"),
    pytest.param("It was", " red and big and", " round.", id="words"),
    pytest.param(
        "It rained.", " They did not go out. ", "It was May.", id="a whole sentence, with its not"
    ),
    pytest.param("It rained.", " Only men came. All left. ", "It was May.", id="whole sentences"),
    pytest.param("So said", " Dr. Smith of the", " council.", id="an abbreviation"),
    pytest.param(
        "雨が降った。", "彼は来なかった。", "五月だった。", id="a whole Japanese sentence"
    ),
    pytest.param("It was", " ", "so.", id="nothing"),
    pytest.param("It rained.", " They went.\n\nWe did. ", "So what.", id="a paragraph"),
    pytest.param("It rained.", " It poured. No." * 400, " It was May.", id="far apart"),
    pytest.param("The firm", ", which does not own land,", " pays rent.", id="a relative clause"),
    pytest.param("The man", " (whom nobody had seen)", " left.", id="in brackets"),
    pytest.param("The witnesses,", " two of whom never spoke", ", left.", id="two of whom"),
    pytest.param(
        "En un lugar de la Mancha",
        ", de cuyo nombre no quiero acordarme,",
        " vivía un hidalgo.",
        id="Spanish",
    ),
    pytest.param("Der Vertrag", ", der nicht verlängert wurde,", " endet im Mai.", id="German"),
    pytest.param("Мост", ", который никто не чинил,", " стоит у реки.", id="Russian"),
    pytest.param(
        "Cumhuriyet, halka saygılı,",
        " başlangıçta belirtilen ilkelere dayanan,",
        " demokratik bir devlettir.",
        id="a Turkish participle",
    ),
    pytest.param(
        "je voulais poser le volume",
        " que je croyais avoir dans les mains",
        " et souffler ma lumière.",
        id="a clause before a connective",
    ),
    pytest.param("She sang", " and left the hall", "! He stayed.", id="up to the end"),
    pytest.param("They met", ", in May 2019 and about 5 km away,", " and left.", id="about, May"),
]
HIDDEN = [
    pytest.param("The drug was", " not tested and not", " approved.", "negation", id="not"),
    pytest.param("The drug", " isn’t tested and", " approved.", "negation", id="n't"),
    pytest.param("They", " never", " came.", "negation", id="never"),
    pytest.param("He came", " without any", " friends.", "negation", id="without"),
    pytest.param(
        "It rained",
        " again. They did not",
        " go.",
        "two sentences joined",
        id="not in the sentence after",
    ),
    pytest.param(
        "It did rain",
        " if not here. Later",
        " it did.",
        "two sentences joined",
        id="not in the sentence before",
    ),
    pytest.param("They came", " only if asked and", " left.", "qualifier", id="only"),
    pytest.param("The", " alleged and wanted", " thief fled.", "qualifier", id="alleged"),
    pytest.param("It fell", " by up to", " 25 points.", "qualifier", id="up to"),
    pytest.param(
        "So said Dr",
        ". Smith. It was not",
        " so.",
        "two sentences joined",
        id="behind an abbreviation",
    ),
    pytest.param(
        "It rained.",
        " They went.\n\n## Later\n\nWe did. ",
        "So what.",
        "different passages",
        id="a heading between",
    ),
    pytest.param("Sales were", " 20 million, against", " 80 million.", "number", id="a value"),
    pytest.param(
        "The firm settled.", " Its rival", " paid.", "another subject", id="a subject before a verb"
    ),
    pytest.param("It fell", ", he claimed.", " We left.", "qualifier", id="an attribution"),
    pytest.param("It cures", ", which is a myth,", " all.", "negation", id="a relative denial"),
    pytest.param("The drug", ", he said, ", "is safe.", "qualifier", id="an aside that attributes"),
    pytest.param(
        "The drug",
        ", which is not sold, and the syrup, which is,",
        " are old.",
        "another subject",
        id="a subject between asides",
    ),
    pytest.param(
        "The patients", " who did not survive", " were old.", "negation", id="a restrictive clause"
    ),
    pytest.param("药物", "并不", "安全。", "negation", id="Chinese"),
]


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


class TestSwallowed:
    @pytest.mark.parametrize(("before", "gap", "after"), HARMLESS)
    def test_nothing(self, before: str, gap: str, after: str) -> None:
        assert find_hidden(before + gap + after, len(before), len(before + gap)) is None

    @pytest.mark.parametrize(("before", "gap", "after", "reason"), HIDDEN)
    def test_something(self, before: str, gap: str, after: str, reason: str) -> None:
        edit = find_hidden(before + gap + after, len(before), len(before + gap))
        assert edit is not None
        assert (edit.material, edit.operation, edit.quoted, edit.reason) == (
            True,
            "delete",
            "",
            reason,
        )
        assert edit.source
