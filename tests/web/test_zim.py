"""ZIM files: searched, read, damaged."""

import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from citeguard import CiteguardError
from citeguard.judges.loops import run_sync
from citeguard.web import PageHolder, SearchFailedError, SearchPage, SearchQuery, Zim
from rows import each_row
from web.wiki import ZimPage, write_zim

PAGES = {
    "Eiffel_Tower": (
        "Eiffel Tower",
        "<h1>Eiffel Tower</h1><p>The Eiffel Tower is a lattice tower of iron in Paris, "
        "completed in 1889.</p><h2>Height</h2><p>The tower is 330 metres tall.</p>",
    ),
    "Mercury_(planet)": (
        "Mercury (planet)",
        "<h1>Mercury (planet)</h1><p>Mercury is the planet nearest to the Sun.</p>",
    ),
    "Paris": ("Paris", "<h1>Paris</h1><p>Paris is the capital of France &amp; a city.</p>"),
    "Tower": ("Tower", "<h1>Tower</h1><p>A tower is a tall structure. Many are of iron.</p>"),
    "हिन्दी": ("हिन्दी", "<h1>हिन्दी</h1><p>हिन्दी भारत की एक भाषा है।</p>"),
    "Café": ("Café", "<h1>Café</h1><p>A café serves coffee and small meals.</p>"),
}
REDIRECTS = {"Tour Eiffel": ("Tour Eiffel", "Eiffel Tower")}


def towers(path: Path, **options: Any) -> Path:
    """Write a ZIM file with pages, one of them empty, a redirect and a picture."""
    named = [
        (name, title, f"<html><head><title>{title}</title></head><body>{body}</body></html>")
        for name, (title, body) in PAGES.items()
    ]
    pages = [ZimPage(*each, "text/html") for each in named]
    pages.append(ZimPage("empty", "Empty", "<html><body></body></html>", "text/html"))
    pages.append(ZimPage("tower.svg", "", "<svg/>", "image/svg+xml"))
    return write_zim(path, pages, REDIRECTS, **{"date": "2026-01-02", **options})


def search(zim: Zim, query: SearchQuery) -> SearchPage:
    return run_sync(zim.search(query))


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return towers(tmp_path_factory.mktemp("zim") / "towers of the world.zim")


@pytest.fixture(scope="module")
def zim(path: Path) -> Zim:
    return Zim(path)


class TestZim:
    def test_finds_pages_with_all_the_words(self, zim: Zim) -> None:
        page = search(zim, SearchQuery(text="lattice tower iron", limit=1))
        [result] = page.results
        assert (result.title, result.url) == (
            "Eiffel Tower",
            "zim://towers%20of%20the%20world/Eiffel_Tower",
        )
        assert (result.provider, page.partial, page.notes) == ("Zim", False, ())

    def test_finds_the_page_of_a_wrong_statement(self, zim: Zim) -> None:
        page = search(zim, SearchQuery(text="The Eiffel Tower in Paris was completed in 1899."))
        assert page.results[0].title == "Eiffel Tower"
        assert page.notes == (
            "Some results have only some of the words: few pages have all of them.",
        )

    def test_finds_nothing(self, zim: Zim) -> None:
        assert search(zim, SearchQuery(text="xyzzy")).results == ()
        assert search(zim, SearchQuery(text="xyzzy plugh")).results == ()

    def test_has_the_pages_that_it_finds(self, zim: Zim) -> None:
        assert isinstance(zim, PageHolder)
        [result] = search(zim, SearchQuery(text="coffee")).results
        assert zim.holds(result.url)
        page = run_sync(zim.fetch(result.url))
        assert (page.outcome, page.url, page.cached) == ("fetched", result.url, True)
        assert page.fetched_at == datetime(2026, 1, 2, tzinfo=UTC)
        assert page.source is not None
        assert page.source.id == result.url
        assert page.source.text == "Café\n\nA café serves coffee and small meals."

    def test_follows_redirects(self, zim: Zim) -> None:
        page = run_sync(zim.fetch("zim://towers%20of%20the%20world/Tour_Eiffel"))
        assert page.final_url == "zim://towers%20of%20the%20world/Eiffel_Tower"
        assert page.source is not None
        assert page.source.layout is not None
        assert [each.text for each in page.source.layout.headings] == ["Eiffel Tower", "Height"]

    @each_row(
        ("name", "outcome", "reason"),
        [
            ("None", "dead", "there is no such page"),
            ("tower.svg", "unsupported_type", "its type is not read: image/svg+xml"),
            ("empty", "unsupported_type", "the page has no text"),
        ],
    )
    def test_says_why_there_is_no_page(
        self, zim: Zim, name: str, outcome: str, reason: str
    ) -> None:
        page = run_sync(zim.fetch(f"zim://towers%20of%20the%20world/{name}"))
        assert (page.outcome, page.source) == (outcome, None)
        assert reason in page.reason

    def test_holds_no_other_addresses(self, zim: Zim) -> None:
        for url in (
            "https://example.org/",
            "zim://other/Paris",
            "zim://towers%20of%20the%20world/",
        ):
            assert not zim.holds(url)
            assert run_sync(zim.fetch(url)).outcome == "refused"

    def test_pages_can_have_their_public_addresses(self, path: Path) -> None:
        zim = Zim(path, articles="https://en.wikipedia.org/wiki/$1")
        [result] = search(zim, SearchQuery(text="nearest Sun", domains=("wikipedia.org",))).results
        assert result.url == "https://en.wikipedia.org/wiki/Mercury_(planet)"
        assert run_sync(zim.fetch(f"{result.url}#Orbit")).outcome == "fetched"

    def test_may_be_asked_from_several_threads(self, zim: Zim) -> None:
        queries = ["iron tower", "coffee", "capital of France", "nearest planet"] * 10

        def titles(text: str) -> list[str]:
            return [each.title for each in search(zim, SearchQuery(text=text)).results]

        with ThreadPoolExecutor(4) as pool:
            assert [*pool.map(titles, queries)] == [*map(titles, queries)]


class TestFaults:
    def test_a_file_without_a_date(self, tmp_path: Path) -> None:
        zim = Zim(towers(tmp_path / "x.zim", date="unknown"))
        assert run_sync(zim.fetch("zim://x/Paris")).fetched_at is None

    def test_no_index_is_a_failure(self, tmp_path: Path) -> None:
        zim = Zim(towers(tmp_path / "x.zim", index=False))
        with pytest.raises(SearchFailedError) as caught:
            search(zim, SearchQuery(text="tower"))
        assert caught.value.kind == "refused"
        assert str(caught.value).endswith("x.zim: the file has no full-text index")

    def test_no_file(self, tmp_path: Path) -> None:
        with pytest.raises(CiteguardError, match=r"none\.zim: there is no such file"):
            Zim(tmp_path / "none.zim")

    def test_another_file(self, tmp_path: Path) -> None:
        tmp_path.joinpath("x.zim").write_bytes(b"not a ZIM file " * 99)
        with pytest.raises(CiteguardError, match=r"x\.zim: not a ZIM file"):
            Zim(tmp_path / "x.zim")

    @pytest.mark.parametrize("kept", [0.2, 0.5, 0.9])
    def test_a_file_that_is_cut_off(self, path: Path, tmp_path: Path, kept: float) -> None:
        content = path.read_bytes()
        cut = tmp_path / "x.zim"
        cut.write_bytes(content[: int(len(content) * kept)])
        with pytest.raises(CiteguardError):  # on opening, or as the search that fails
            search(Zim(cut), SearchQuery(text="tower"))

    def test_libzim_and_its_licence_are_named_if_it_is_missing(
        self, path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(sys.modules, "libzim", None)
        monkeypatch.delitem(sys.modules, "libzim.reader", raising=False)
        with pytest.raises(CiteguardError) as caught:
            Zim(path)
        assert str(caught.value) == (
            "libzim is required for reading ZIM files (unlike citeguard, libzim is under the GPL, "
            'version 3 or later): pip install "pydantic-citeguard[zim]"'
        )
