"""Pages of PDF files in the report's page: what it has of them, without a browser."""

import re

import pytest

from auditing.papers import FOUNDED, audited_paper
from citeguard import Report
from citeguard.reports.page import Sheet, SourceViews, as_html, sheets
from reports.samples import full_report


def sheets_of(report: Report) -> list[Sheet]:
    return list(sheets(report, SourceViews(report)))


def with_claims(report: Report, *numbers: int) -> Report:
    claims = tuple(claim for claim in report.claims if claim.number in numbers)
    return report.model_copy(update={"claims": claims})


class TestSheets:
    def test_are_the_pages_that_claims_rest_on(self) -> None:
        assert [(each.id, each.source, each.claims) for each in sheets_of(audited_paper())] == [
            ("p1-1", "paper", [2]),
            ("p1-2", "paper", [1]),
        ]

    def test_mark_a_place_once_however_many_claims_rest_on_it(self) -> None:
        [claim] = with_claims(audited_paper(), 1).claims
        claims = (claim, claim.model_copy(update={"number": 7}))
        [sheet] = sheets_of(audited_paper().model_copy(update={"claims": claims}))
        assert sheet.claims == [1, 7]
        assert len(sheet.places) == 1

    def test_share_a_place_that_goes_on_over_the_page(self) -> None:
        [claim] = with_claims(audited_paper(), 1).claims
        assert claim.deciding is not None
        first, last = FOUNDED
        over = claim.deciding.model_copy(
            update={"boxes": (type(first)(1, 0, 9, 99, 18), last), "page": 1}
        )
        claims = (claim.model_copy(update={"deciding": over}),)
        report = audited_paper().model_copy(update={"claims": claims})
        assert [each.id for each in sheets_of(report)] == ["p1-1", "p1-2"]
        assert as_html(report).count('<g id="m') == 1

    def test_are_none_without_pictures(self) -> None:
        assert sheets_of(full_report()) == []


class TestThePage:
    def test_has_each_picture_once(self) -> None:
        [claim] = with_claims(audited_paper(), 1).claims
        many = tuple(claim.model_copy(update={"number": number}) for number in range(1, 9))
        page = as_html(audited_paper().model_copy(update={"claims": many}))
        assert page.count("data:image/webp;base64,") == 1

    def test_marks_the_words_in_points(self) -> None:
        rects = re.findall(
            r'<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/>',
            as_html(with_claims(audited_paper(), 1)),
        )
        assert [[float(each) for each in rect] for rect in rects] == [
            pytest.approx([box.left, box.top, box.right - box.left, box.bottom - box.top], abs=0.05)
            for box in FOUNDED
        ]

    def test_leads_from_the_list_to_the_marked_words(self) -> None:
        page = as_html(with_claims(audited_paper(), 1))
        [number] = re.findall(r'href="#m(\d+)">Show the page</a>', page)
        assert f'<g id="m{number}"' in page

    def test_is_the_same_from_json(self) -> None:
        again = Report.model_validate_json(audited_paper().to_json())
        assert again.to_html() == audited_paper().to_html()
