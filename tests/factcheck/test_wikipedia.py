"""Statements checked against an encyclopedia: the same over a wiki and a ZIM file."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from fake_web import Checked, checked_alone

from citeguard import CiteguardError
from citeguard.factcheck import fact_check
from citeguard.judges.loops import run_sync
from citeguard.web import (
    Encyclopedia,
    MediaWiki,
    PageHolder,
    SearchPage,
    SearchProvider,
    SearchQuery,
    Wikipedia,
)
from named_mentions import half_of, lines_of
from web.wiki import SmallWiki, WikiServer, mediawiki, zim

STATEMENTS = lines_of("statements.jsonl")


def checked(encyclopedia: Encyclopedia, every: int) -> list[Checked]:
    wikipedia = Wikipedia(encyclopedia)
    return [checked_alone(row["statement"], search=wikipedia) for row in STATEMENTS[::every]]


def said(check: Checked) -> tuple[Any, ...]:
    """Return what a check says, without addresses and times."""
    passages = [(each.title, each.headings[-1:], each.outcome) for each in check.claim.evidence]
    decisive = [each.text for each in check.claim.decisive]
    pages = [page.title for page in check.report.links]
    return check.claim.verdict, check.claim.causes, pages, passages, decisive


@cache
def by_file(every: int) -> list[tuple[Any, ...]]:
    with TemporaryDirectory() as folder, zim(Path(folder)) as encyclopedia:
        return [said(check) for check in checked(encyclopedia, every)]


class TestSameVerdicts:
    def test_over_a_wiki_and_a_file(self, tmp_path: Path) -> None:
        with mediawiki(tmp_path) as encyclopedia:
            found = [said(check) for check in checked(encyclopedia, 8)]
        ids = [row["id"] for row in STATEMENTS[::8]]
        assert dict(zip(ids, found, strict=True)) == dict(zip(ids, by_file(4)[::2], strict=True))

    # One of every four statements, or each.
    @pytest.mark.parametrize("every", [4, pytest.param(1, marks=pytest.mark.slow)])
    def test_floors(self, every: int) -> None:
        right, wrong = Counter[str](), Counter[str]()
        for row, (outcome, causes, *_) in zip(STATEMENTS[::every], by_file(every), strict=True):
            half = half_of(row["id"])
            right[half] += outcome == row["label"]
            wrong[half] += {outcome, row["label"]} == {"supported", "contradicted"}
            assert row["label"] != "undecided" or causes == ("ambiguous",)
        floors = {1: {"A": 14, "B": 12, "wrong": 3}, 4: {"A": 4, "B": 2, "wrong": 0}}[every]
        assert right["A"] >= floors["A"]
        assert right["B"] >= floors["B"]
        assert max(wrong.values()) <= floors["wrong"]


@pytest.fixture(scope="module")
def encyclopedia(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Encyclopedia]:
    with zim(tmp_path_factory.mktemp("wiki")) as each:
        yield each


class TestWikipedia:
    def test_is_a_provider_that_reads_statements_and_has_pages(
        self, encyclopedia: Encyclopedia
    ) -> None:
        wikipedia = Wikipedia(encyclopedia)
        assert isinstance(wikipedia, SearchProvider)
        assert wikipedia.reads_statements
        assert isinstance(wikipedia, PageHolder)
        assert repr(wikipedia).startswith("Wikipedia(Zim(")

    def test_an_ambiguous_name_makes_the_check_undecided(self, encyclopedia: Encyclopedia) -> None:
        search = Wikipedia(encyclopedia)
        check = checked_alone("Dumas was the son of a general.", search=search)
        assert (check.claim.verdict, check.claim.causes) == ("undecided", ("ambiguous",))
        assert (
            "“Dumas” can mean several articles: Thomas-Alexandre Dumas 0."
            in check.claim.explanation
        )
        assert check.report.searches[0].ambiguous == (check.claim.explanation,)
        assert check.report.links == ()

    def test_the_sentence_before_says_who_is_meant(self, encyclopedia: Encyclopedia) -> None:
        text = "Alexandre Dumas wrote The Three Musketeers. In 2002 his remains were moved."
        report = fact_check(text, search=Wikipedia(encyclopedia))
        [dumas] = [page for page in report.links if page.title == "Alexandre Dumas"]
        assert dumas.claims == (1, 2)

    def test_a_pronoun_is_what_the_sentence_before_names(self, encyclopedia: Encyclopedia) -> None:
        query = SearchQuery(text="It lies in Java.", context="Borobudur is a temple.")
        page = run_sync(Wikipedia(encyclopedia).search(query))
        assert [result.title for result in page.results][:1] == ["Borobudur"]

    def test_other_providers_are_asked_beside_it(self, encyclopedia: Encyclopedia) -> None:
        asked: list[str] = []

        class Other:
            name = "other"

            def search(self, query: SearchQuery) -> SearchPage:
                asked.append(query.text)
                return SearchPage()

        text = "Borobudur is a Buddhist temple of the ninth century."
        check = checked_alone(text, search=[Wikipedia(encyclopedia), Other()])
        assert check.claim.verdict == "supported"
        assert len(asked) == len(check.report.searches) - 1 > 0
        assert {search.provider for search in check.report.searches} == {"Wikipedia", "other"}

    async def test_redirects_are_noted(self, encyclopedia: Encyclopedia) -> None:
        query = SearchQuery(text="We went to NYC.")
        page = await Wikipedia(encyclopedia).search(query)
        assert [result.title for result in page.results] == ["New York City"]
        assert page.notes == ("“NYC” is New York City, redirected from NYC.",)

    async def test_only_a_statement_without_a_known_name_is_searched_for(
        self, encyclopedia: Encyclopedia
    ) -> None:
        page = await Wikipedia(encyclopedia).search(SearchQuery(text="largest Buddhist temple"))
        assert "Borobudur" in [result.title for result in page.results]

    def test_what_is_no_encyclopedia(self) -> None:
        with pytest.raises(CiteguardError, match="expected an Encyclopedia, got"):
            Wikipedia("en.wikipedia.org")  # pyright: ignore[reportArgumentType]


class TestEvidence:
    def check(self, statement: str) -> Checked:
        with WikiServer(SmallWiki()) as server:
            wiki = MediaWiki(server.api, contact="tests@example.org")
            return checked_alone(statement, search=Wikipedia(wiki))

    def test_names_revision_and_section_and_links_to_the_words(self) -> None:
        check = self.check("William Shakespeare left his wife his second-best bed.")
        [passage, *_] = check.claim.evidence
        assert check.claim.verdict == "supported"
        assert passage.headings
        assert "?oldid=" in passage.url
        assert "#:~:text=" in passage.url
        number = SmallWiki().numbers["William Shakespeare"]
        assert f"/wiki/William_Shakespeare?oldid={1000 + number}#:~:text=" in passage.url


class TestCost:
    def test_of_eight_statements(self) -> None:
        # Titles are kept over statements: 5 to 6 requests for each, that of the article included.
        with WikiServer(SmallWiki()) as server:
            wiki = MediaWiki(server.api, contact="tests@example.org")
            text = " ".join(row["statement"] for row in STATEMENTS[:8])
            report = fact_check(text, search=Wikipedia(wiki))
            asked = len(server.requests)
        assert len(report.claims) >= 7
        assert report.spent is not None
        assert report.spent.calls == 0
        assert asked <= 6 * len(report.claims)
