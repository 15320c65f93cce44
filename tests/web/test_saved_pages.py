"""Pages that the caller gives: saved in a folder, or listed."""

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from citeguard import CiteguardError
from citeguard.web import ListedPages, PageHolder, SavedPages, SearchFailedError, SearchQuery
from rows import each_row

TIDES = """<!DOCTYPE html>
<!-- saved from url=(0025)https://example.org/tides -->
<html><head><title>Tides</title></head><body><h1>Tides</h1>
<p>The moon causes the tides of the sea twice a day.</p></body></html>"""
MOON = """<html><head><title>The moon</title>
<link rel="canonical" href="https://sea.example.net/moon#top"></head><body><h1>The moon</h1>
<p>The moon has no air. Its day lasts a month.</p></body></html>"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "Tides_files").mkdir()
    (tmp_path / "below").mkdir()
    (tmp_path / "Tides.html").write_text(TIDES)
    (tmp_path / "Tides_files" / "frame.html").write_text("<p>Advertisement: tides of the moon</p>")
    (tmp_path / "below" / "Moon.htm").write_text(MOON)
    (tmp_path / "below" / "notes.txt").write_text("Bread is baked from flour.")
    (tmp_path / "data.json").write_text('{"tides": "not a page"}')
    return tmp_path


class TestSavedPages:
    def test_are_ranked_by_their_words(self, folder: Path) -> None:
        page = SavedPages(folder).search(SearchQuery(text="Does the moon cause tides?"))
        assert [each.title for each in page.results] == ["Tides", "The moon"]
        first = page.results[0]
        assert first.url == (folder / "Tides.html").as_uri()
        assert "The moon causes the tides" in first.snippet
        assert (page.partial, page.notes) == (False, ())

    def test_without_a_word_in_common_are_not_found(self, folder: Path) -> None:
        assert SavedPages(folder).search(SearchQuery(text="volcano")).results == ()

    def test_come_from_the_folder(self, folder: Path) -> None:
        pages = SavedPages(folder)
        assert isinstance(pages, PageHolder)
        url = (folder / "Tides.html").as_uri()
        os.utime(folder / "Tides.html", (1_700_000_000, 1_700_000_000))
        assert not pages.holds(url)  # before the first search
        pages.search(SearchQuery(text="tides"))
        assert pages.holds(url)
        page = pages.fetch(url)
        assert (page.outcome, page.content_type, page.cached) == ("fetched", "text/html", True)
        assert page.fetched_at == datetime.fromtimestamp(1_700_000_000, UTC)
        assert page.source is not None
        assert (page.source.id, page.source.title) == (url, "Tides")

    def test_hold_nothing_else(self, folder: Path) -> None:
        pages = SavedPages(folder)
        pages.search(SearchQuery(text="tides"))
        for url in (
            "https://example.org/tides",
            (folder / "data.json").as_uri(),
            "file:///etc/passwd",
        ):
            assert not pages.holds(url)
            assert pages.fetch(url).outcome == "dead"

    def test_have_the_addresses_that_they_name_if_they_are_believed(self, folder: Path) -> None:
        pages = SavedPages(folder, believed=True)
        found = pages.search(SearchQuery(text="moon tides bread")).results
        assert {each.url for each in found} == {
            "https://example.org/tides",
            "https://sea.example.net/moon",
            (folder / "below" / "notes.txt").as_uri(),
        }
        assert pages.holds("https://example.org/tides#high")
        source = pages.fetch("https://example.org/tides").source
        assert source is not None
        assert (source.id, source.url) == ("https://example.org/tides",) * 2

    def test_that_name_one_address_keep_those_of_their_files(self, folder: Path) -> None:
        (folder / "copy.html").write_text(TIDES)
        found = SavedPages(folder, believed=True).search(SearchQuery(text="tides")).results
        assert {each.url for each in found} == {
            (folder / "copy.html").as_uri(),
            (folder / "Tides.html").as_uri(),
        }

    def test_that_cannot_be_read_are_named(self, folder: Path) -> None:
        (folder / "broken.pdf").write_bytes(b"%PDF-1.7 and nothing else")
        (folder / "empty.html").write_text("")
        page = SavedPages(folder).search(SearchQuery(text="tides", limit=1))
        assert (len(page.results), page.partial) == (1, True)
        assert [note.partition(" ")[0] for note in page.notes] == ["broken.pdf", "empty.html"]

    def test_that_are_gone_are_named(self, folder: Path) -> None:
        (folder / "link.html").symlink_to(folder / "nowhere.html")
        page = SavedPages(folder).search(SearchQuery(text="moon"))
        assert page.notes == ("link.html was not searched: no such file or directory.",)

    def test_are_there(self, tmp_path: Path) -> None:
        with pytest.raises(CiteguardError, match="is not a folder"):
            SavedPages(tmp_path / "none")
        with pytest.raises(CiteguardError, match="has no files"):
            SavedPages(tmp_path).search(SearchQuery(text="tides"))
        (tmp_path / "a.html").write_text("")
        with pytest.raises(CiteguardError, match=r"no page to read .* a\.html was not searched"):
            SavedPages(tmp_path).search(SearchQuery(text="tides"))

    def test_need_words(self, folder: Path) -> None:
        with pytest.raises(SearchFailedError):
            SavedPages(folder).search(SearchQuery(text="?"))


class TestListedPages:
    def test_are_found_for_every_query(self) -> None:
        pages = ListedPages([f"https://example.org/{number}" for number in range(8)])
        for text in ("tides", "anything else"):
            page = pages.search(SearchQuery(text=text, limit=2))
            assert [each.rank for each in page.results] == [*range(1, 9)]
            assert page.results[0].query == text
        assert not isinstance(pages, PageHolder)

    @each_row("urls", [[], ["/relative"], ["file:///etc/passwd"], [None]])
    def test_are_addresses_of_the_web(self, urls: list[str]) -> None:
        with pytest.raises(CiteguardError, match=r"ListedPages\(urls\)"):
            ListedPages(urls)
