"""What both encyclopedias say of titles: the same."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from citeguard.web import Encyclopedia
from citeguard.web.reading import Content
from citeguard.web.zim import marks_of, path_of_title
from rows import each_row
from web.wiki import mediawiki, zim

Opened = Callable[[Path], AbstractContextManager[Encyclopedia]]


@pytest.fixture(scope="module", params=[zim, mediawiki], ids=["zim", "mediawiki"])
def encyclopedia(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Encyclopedia]:
    opened: Opened = request.param
    with opened(tmp_path_factory.mktemp("wiki")) as each:
        yield each


class TestEncyclopedias:
    async def test_titles_redirects_and_meanings(self, encyclopedia: Encyclopedia) -> None:
        assert isinstance(encyclopedia, Encyclopedia)
        asked = ["oscars", "Mercury", "Borobudur", "No such page", "Brontë", "a|b", "  Borobudur "]
        oscars, mercury, temple, none, bronte, invalid, again = await encyclopedia.titles(asked)
        assert (oscars.title, oscars.redirected_from) == ("Academy Awards", ("Oscars",))
        assert oscars.intro.startswith("The Academy Awards, known as the Oscars, are prizes")
        assert (mercury.outcome, mercury.is_disambiguation) == ("found", True)
        assert (temple.is_disambiguation, temple.redirected_from) == (False, ())
        assert temple.intro.endswith("World Heritage Site.")
        assert encyclopedia.holds(temple.url)
        assert none.outcome == "missing"
        assert (bronte.title, bronte.is_disambiguation) == ("Bronte", True)
        assert invalid.outcome == "invalid"
        assert (again.title, again.url) == (temple.title, temple.url)

    async def test_links_of_a_page_that_lists_meanings(self, encyclopedia: Encyclopedia) -> None:
        assert sorted(await encyclopedia.links("Weinstein")) == [
            "Harvey Weinstein",
            "Warren Weinstein",
        ]
        assert await encyclopedia.links("No such page") == []

    async def test_pages_with_words(self, encyclopedia: Encyclopedia) -> None:
        assert "Willem Dafoe" in [each.title for each in await encyclopedia.found("Dafoe", 5)]
        assert await encyclopedia.found("xyzzy", 5) == []


class TestPagesOfFiles:
    @each_row(
        ("title", "path"),
        [
            ("mercury (planet)", "Mercury_(planet)"),
            ("  Café  de  Flore ", "Café_de_Flore"),
            ("C#", None),
            ("", None),
            ("a|b", None),
        ],
    )
    def test_paths_of_titles(self, title: str, path: str | None) -> None:
        assert path_of_title(title) == path

    @each_row(
        ("body", "is_disambiguation"),
        [
            ('<div id="disambigbox">x</div>', True),
            ('<table class="plainlinks dmbox dmbox-disambig"></table>', True),
            ('<meta property="mw:PageProp/disambiguation">', True),
            ('<p class="disambig">x</p>', False),
        ],
    )
    def test_signs_of_pages_that_list_meanings(self, body: str, is_disambiguation: bool) -> None:
        page = f"<html><body><h1>X</h1><p>X is a letter.</p>{body}</body></html>".encode()
        assert marks_of(Content(page, "text/html"))[0] is is_disambiguation

    def test_links_to_articles_only(self) -> None:
        page = (
            '<a href="Venus">a</a><a href="./Mars_(planet)#Orbit">b</a><a href="#top">c</a>'
            '<a href="https://example.org/Earth">d</a><a class="external" href="Pluto">e</a>'
            '<a href="Help:Contents">f</a><a href="Doctor_Who:_Series">g</a><a>h</a>'
            '<a href="http://[">i</a><a href="../other">j</a><a href="Venus">k</a>'
        )
        _, titles = marks_of(Content(page.encode(), "text/html"))
        assert titles == ["Venus", "Mars (planet)", "Doctor Who: Series"]
