"""Passages read under the titles of their pages, and verdicts that rest on one place."""

from __future__ import annotations

import pytest

from citeguard import GroundingVerifier, Source
from citeguard.factcheck import FactCheck, FactPolicy, fact_check
from citeguard.factcheck.titles import title_of, under_title
from citeguard.judges.verdicts import Evidence, SupportQuestion, Verdict
from factcheck.small_pages import Held, html_page

BRIDGE = (
    "<h1>The Aldermoor Bridge</h1><p>The Aldermoor Bridge crosses the Sel. It opened in 1937.</p>"
    "<h2>What it cost</h2><p>The bridge cost 3.2 million crowns. Ines Halvorsen was paid six"
    " thousand crowns.</p>"
)


def source_of(html: str, title: str = "") -> Source:
    source = html_page("https://a.example/", title, html).source
    assert source is not None
    return source


def shown(statement: str, html: str = BRIDGE) -> Evidence:
    source = source_of(html)
    return under_title(Evidence(text=source.text, source_id="a"), source, statement)


def check(statement: str, html: str = BRIDGE) -> FactCheck:
    pages = Held(html_page("https://a.example/", "", html))
    return fact_check(statement, search=pages, policy=FactPolicy(one_place=True)).checks[0]


def verdict(statement: str, text: str) -> Verdict:
    judge = GroundingVerifier(unsupported_below=0.4, contradicted_from=0.5, in_one_place=True)
    question = SupportQuestion(statement=statement, evidence=(Evidence(text=text),))
    return judge.judge([question])[0]


class TestTitle:
    @pytest.mark.parametrize(
        ("html", "title", "name"),
        [
            pytest.param(BRIDGE, "Bridges | A guide", "Aldermoor Bridge", id="first heading"),
            pytest.param("<p>It is.</p>", "The Sel – A guide", "The Sel", id="part of title"),
            pytest.param("<h1>Nordvik Shipping in 2022</h1>", "", "Nordvik Shipping", id="number"),
            pytest.param("<h1>The Sel Bridge was opened</h1>", "", "Sel Bridge", id="verb"),
            pytest.param("<h1>Tomas Brandt, its builder</h1>", "", "Tomas Brandt", id="as stated"),
            pytest.param("<h1>How it was built</h1>", "", "", id="no name"),
        ],
    )
    def test_is_a_name_and_no_statement(self, html: str, title: str, name: str) -> None:
        source = source_of(f"{html}<p>It is old.</p>", title)
        assert title_of(source, "Tomas Brandt was the builder of the bridge.") == name


class TestUnderTitle:
    def test_sentences_without_its_words_have_it_before_them(self) -> None:
        text = shown("It opened in 1937.").text
        assert "The Aldermoor Bridge: It opened in 1937." in text
        assert "The Aldermoor Bridge: The bridge cost" in text
        assert "Bridge: The Aldermoor Bridge crosses" not in text
        assert ": What it cost" not in text

    def test_sentences_about_another_name_decide_nothing_of_it(self) -> None:
        about = shown("The Aldermoor Bridge cost six thousand crowns.").text
        assert "Bridge: Ines" not in about
        assert "Bridge: Ines" in shown("Ines Halvorsen was paid for her work.").text

    def test_places_are_those_of_the_page(self) -> None:
        source = source_of(BRIDGE)
        evidence = shown("It opened in 1937.")
        assert evidence.as_written().text == source.text
        for words in ("It opened in 1937.", "The bridge cost 3.2 million crowns."):
            start = evidence.text.index(words)
            span = evidence.span(start, start + len(words))
            assert span is not None
            assert source.text[span.start : span.end] == words

    def test_a_page_without_a_title_is_as_it_is(self) -> None:
        source = source_of("<p>It opened in 1937.</p>")
        evidence = Evidence(text=source.text, source_id="a")
        assert under_title(evidence, source, "The bridge opened.") is evidence


class TestVerdicts:
    def test_a_page_is_read_under_its_title(self) -> None:
        found = check("The Aldermoor Bridge cost 3.2 million crowns.")
        assert found.outcome == "supported"
        assert found.passages[0].words == "The bridge cost 3.2 million crowns."

    def test_the_title_does_not_decide(self) -> None:
        found = check("The Aldermoor Bridge opened in 1937.")
        assert found.outcome == "supported"
        assert found.passages[0].words == "It opened in 1937."

    def test_another_value_of_the_same_thing(self) -> None:
        assert check("The Aldermoor Bridge cost 4.2 million crowns.").outcome == "contradicted"

    def test_a_value_of_something_else_contradicts_nothing(self) -> None:
        html = "<h1>A weekend in Aldermoor</h1><p>We saw it all. Tickets cost six crowns.</p>"
        found = check("The Aldermoor Bridge cost 3.2 million crowns.", html)
        assert found.outcome in ("undecided", "unsupported")

    @pytest.mark.parametrize(
        ("statement", "text"),
        [
            pytest.param(
                "The Aldermoor Bridge was designed by Tomas Brandt.",
                "Ines Halvorsen had designed the Aldermoor Bridge. Tomas Brandt left that evening.",
                id="two sentences",
            ),
            pytest.param(
                "Olav Berg has been the chief executive since 2017.",
                "Karin Holt has been chief executive since 2017; the chairman is Olav Berg.",
                id="two clauses",
            ),
        ],
    )
    def test_words_of_several_places_support_nothing(self, statement: str, text: str) -> None:
        assert verdict(statement, text).outcome != "supported"

    def test_a_sentence_that_refers_to_the_one_before(self) -> None:
        text = "Robert Vane was an engineer of the coast guard. He built the lighthouse in 1854."
        assert verdict("Robert Vane built the lighthouse in 1854.", text).outcome == "supported"

    @pytest.mark.parametrize(
        "text",
        ["Tickets for the Aldermoor Bridge cost six crowns.", "The Sel Bridge cost six crowns."],
    )
    def test_a_value_of_what_is_not_the_subject(self, text: str) -> None:
        statement = "The Aldermoor Bridge cost 3.2 million crowns."
        assert verdict(statement, text).outcome != "contradicted"
