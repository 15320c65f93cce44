"""What a report keeps of places in files: pages, sections, boxes, and pictures of pages."""

from base64 import b64decode
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from auditing.papers import (
    AUDITED,
    FOUNDED,
    HEADINGS,
    HEIGHT,
    PAGES,
    TEXT,
    WIDTH,
    audited_paper,
    paper,
    paper_file,
)
from citeguard import Source, Sources, audit
from citeguard.reports.places import checked_sources
from citeguard.reports.report import CheckedClaim, Place, Shown
from citeguard.sources.layout import Box, Heading, Layout
from reports.samples import claim_of, full_report
from rows import each_row

OLD = {"source_id": "handbook", "start": 0, "end": 3, "line": 12, "text": "One"}
"""A place as reports had it that knew no pages."""


def markdown(*headings: str) -> Source:
    text = "The notice period is one month."
    above = [Heading(words, level, 0, 0) for level, words in enumerate(headings, 1)]
    return Source(
        "faq", text, layout=Layout("markdown", len(text), headings=above, line_starts=[(0, 12)])
    )


def html(*headings: str) -> Source:
    text = "The notice period is one month."
    above = [Heading(words, level, 0, 0) for level, words in enumerate(headings, 1)]
    return Source("page", text, layout=Layout("html", len(text), headings=above))


def deciding(source: Source) -> Place:
    [claim] = audit("The notice period is one month.", Sources([source])).claims
    assert claim.deciding is not None
    return claim.deciding


def on_pages(*pages: int, verdict: Shown = "supported") -> list[CheckedClaim]:
    """Return claims that rest on pages of the paper."""
    boxes = [Box(page, 0, 0, 9, 9) for page in pages]
    places = [
        Place(source_id="paper", start=0, end=3, text="The", page=box.page, boxes=(box,))
        for box in boxes
    ]
    return [claim_of("It is.", "It is.", verdict, deciding=place) for place in places]


def pictured(sources: Sources, claims: list[CheckedClaim]) -> list[int]:
    [source] = checked_sources(sources, claims)
    return [page.number for page in source.pages if page.picture]


class TestAPlace:
    def test_has_its_page_section_and_boxes(self) -> None:
        place = audited_paper().claims[0].deciding
        assert place is not None
        assert (place.page, place.page_label, place.headings) == (2, "ii", HEADINGS)
        assert place.boxes == FOUNDED
        assert place.name == "p. ii (2 of the file) › The Harbour Institute › History"

    @each_row(
        ("source", "line", "name"),
        [
            (Source("handbook", "One.\nThe notice period is one month."), 2, "line 2"),
            (markdown("Work", "Notice"), 12, "Work › Notice, line 12"),
            (html("Work", "Notice"), None, "Work › Notice"),
            (html(), 1, "line 1"),
        ],
        ids=["text", "markdown", "html", "html without headings"],
    )
    def test_is_named_as_its_file_allows(self, source: Source, line: int | None, name: str) -> None:
        place = deciding(source)
        assert (place.line, place.name) == (line, name)

    def test_of_an_older_report_can_be_read(self) -> None:
        place = Place.model_validate(OLD)
        assert (place.name, place.page, place.boxes) == ("line 12", None, ())


class TestAFile:
    def test_is_read_with_the_places_of_its_words(self, tmp_path: Path) -> None:
        file = tmp_path / "paper.pdf"
        file.write_bytes(paper_file())
        report = audit(AUDITED, Sources.from_paths(file))
        place = report.claims[0].deciding
        assert place is not None
        assert place.boxes[-1].page == 2
        assert [page.number for page in report.sources[0].pages if page.picture] == [1, 2]
        for box, drawn in zip(place.boxes[-2:], FOUNDED, strict=True):
            assert (box.left, box.right) == (
                pytest.approx(drawn.left, abs=1),
                pytest.approx(drawn.right, abs=1),
            )
            assert (box.top, box.bottom) == (
                pytest.approx(drawn.top, abs=4),
                pytest.approx(drawn.bottom, abs=4),
            )


class TestForemost:
    def test_are_the_closest_where_none_decide(self) -> None:
        looked_at = full_report().claims[0].evidence
        pool = full_report().claims[4].model_copy(update={"evidence": looked_at})
        claim = pool.model_copy(update={"verdict": "undecided"})
        assert claim.deciding is None
        assert claim.foremost == claim.evidence[0]
        assert pool.foremost is None  # of an unsupported claim

    def test_are_the_nearest_sentence_before_its_passage(self) -> None:
        long = " ".join(f"Room {n} has a desk and a window to the yard." for n in range(100))
        source = f"{long}\n\nLunch at the canteen was praised by the guests. {long}"
        [claim] = audit("The guests painted the canteen green.", source).claims
        assert claim.deciding is None
        nearest, passage, *_ = (each.text for each in claim.evidence)
        assert nearest == "Lunch at the canteen was praised by the guests."
        assert nearest in passage

    def test_are_none_where_nothing_was_found(self) -> None:
        assert full_report().claims[5].foremost is None


class TestPages:
    def test_are_all_there_with_where_they_start(self) -> None:
        pages = audited_paper().sources[0].pages
        assert [(page.number, page.label, page.name) for page in pages] == [
            (1, "1", "p. 1"),
            (2, "ii", "p. ii (2 of the file)"),
        ]
        assert [page.start for page in pages] == [TEXT.index(first) for first, *_ in PAGES]
        assert {(page.width, page.height) for page in pages} == {(WIDTH, HEIGHT)}

    def test_have_pictures_where_claims_rest_on_them(self) -> None:
        assert pictured(Sources([paper()]), on_pages(2, 2)) == [2]
        assert pictured(Sources([paper()]), []) == []

    def test_show_the_page_in_its_proportions(self) -> None:
        page = audited_paper().sources[0].pages[1]
        with Image.open(BytesIO(b64decode(page.picture))) as picture:
            assert picture.width / picture.height == pytest.approx(WIDTH / HEIGHT, abs=0.01)

    @pytest.mark.parametrize(("limit", "most"), [("_MOST_PICTURES", 1), ("_BYTES_PER_PAGE", 40)])
    def test_that_are_too_many_are_left_to_the_urgent_claims(
        self, monkeypatch: pytest.MonkeyPatch, limit: str, most: int
    ) -> None:
        monkeypatch.setattr(f"citeguard.reports.places.{limit}", most)
        claims = [*on_pages(1), *on_pages(2, verdict="contradicted")]
        assert pictured(Sources([paper()]), claims) == [2]
