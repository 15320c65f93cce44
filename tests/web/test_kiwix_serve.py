"""A real kiwix-serve over a ZIM file that the test writes; it needs Debian's kiwix-tools."""

from __future__ import annotations

import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from citeguard.web import Kiwix, SearchFailedError, SearchQuery, Zim
from citeguard.web.kiwix import KiwixClient
from web.zim_files import write_zim

pytestmark = pytest.mark.kiwix


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("kiwix")
    write_zim(folder / "towers.zim")
    write_zim(folder / "noindex.zim", index=False)
    return folder


@pytest.fixture(scope="module")
def url(folder: Path) -> Iterator[str]:
    with socket.socket() as chosen:
        chosen.bind(("127.0.0.1", 0))
        port = chosen.getsockname()[1]
    command = ["kiwix-serve", "--address=127.0.0.1", f"--port={port}", "towers.zim", "noindex.zim"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL) as process:
        try:
            until = time.monotonic() + 20
            while time.monotonic() < until and process.poll() is None:
                with socket.socket() as probe:
                    if probe.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.02)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()


class TestKiwixServe:
    async def test_finds_and_hands_over_pages(self, url: str) -> None:
        books = Kiwix(url, "towers")
        page = await books.search(SearchQuery(text="iron lattice tower", limit=1))
        [result] = page.results
        assert (result.title, result.url) == ("Eiffel Tower", f"{url}/towers/Eiffel_Tower")
        assert "lattice tower of iron in Paris" in result.snippet
        assert books.holds(result.url)
        read = await books.fetch(result.url)
        assert read.source is not None
        assert read.source.text.startswith("Eiffel Tower\n\nThe Eiffel Tower is a lattice tower")

    async def test_finds_the_page_of_a_wrong_statement(self, url: str) -> None:
        query = SearchQuery(text="The Eiffel Tower in Paris was completed in 1899.")
        page = await Kiwix(url, "towers").search(query)
        assert page.results[0].title == "Eiffel Tower"

    async def test_finds_what_the_file_itself_finds(self, url: str, folder: Path) -> None:
        zim, books = Zim(folder / "towers.zim"), Kiwix(url, "towers")
        for text in (
            "iron tower",
            "The capital of France is Paris",
            "a café in 1899",
            "हिन्दी भाषा",
            "xyzzy",
        ):
            query = SearchQuery(text=text)
            there = await books.search(query)
            assert [each.title for each in there.results] == [
                each.title for each in zim.search(query).results
            ]

    async def test_follows_redirects_and_knows_what_is_missing(self, url: str) -> None:
        books = Kiwix(url, "towers")
        read = await books.fetch(f"{url}/towers/Tour_Eiffel")
        assert (read.outcome, read.final_url) == ("fetched", f"{url}/towers/Eiffel_Tower")
        accented = await books.fetch(f"{url}/towers/Caf%C3%A9")
        assert accented.outcome == "fetched"
        assert (await books.fetch(f"{url}/towers/None")).outcome == "dead"
        assert (await books.fetch(f"{url}/towers/tower.svg")).outcome == "unsupported_type"

    @pytest.mark.parametrize("book", ["none", "noindex"])
    async def test_a_book_that_cannot_be_searched_is_a_failure(self, url: str, book: str) -> None:
        with pytest.raises(SearchFailedError) as caught:
            await Kiwix(url, book).search(SearchQuery(text="tower"))
        assert caught.value.kind == "refused"

    async def test_nothing_found_is_an_empty_page(self, url: str) -> None:
        assert (await Kiwix(url, "towers").search(SearchQuery(text="xyzzy"))).results == ()

    async def test_lists_its_books_and_suggests_titles(self, url: str) -> None:
        server = KiwixClient(url)
        assert await server.books() == ["noindex", "towers"]
        assert [hit.path for hit in await server.suggest("towers", "Merc")] == ["Mercury_(planet)"]
