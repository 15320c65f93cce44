from __future__ import annotations

from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from citeguard.reports.page import SourceViews, as_html, text_blocks
from citeguard.reports.report import Correction, Replacement, Report
from reports.samples import large

if TYPE_CHECKING:
    from page.chromium import Browser

SHIFT = """return new Promise((done) => {
    let moved = 0;
    const seen = (list) => list.getEntries().forEach((entry) => { moved += entry.value; });
    new PerformanceObserver(seen).observe({ type: "layout-shift", buffered: true });
    setTimeout(() => done(moved), 300);
});"""


@pytest.fixture(scope="module")
def report() -> Report:
    return large(150_000)


class TestALargePage:
    def test_lists_what_is_most_most_urgent_and_says_how_much_it_leaves_out(
        self, report: Report
    ) -> None:
        page = as_html(report)
        listed, _, unlisted = page.partition('<template id="unlisted">')
        contradicted = sum(each.verdict == "contradicted" for each in report.claims)
        assert listed.count('class="entry v-contradicted"') == contradicted
        assert listed.count('class="entry ') == 1_000
        assert unlisted.count('class="entry ') == len(report.claims) - 1_000
        rest = f"{len(report.claims) - 1_000:,}"
        assert f"The other {rest} are marked in the text above" in page

    def test_has_the_whole_text_and_the_whole_source(self, report: Report) -> None:
        text = "".join(
            words.html
            for block in text_blocks(report)
            for passage in block
            for words in passage.words
        )
        [view] = SourceViews(report).sources
        source = "".join(segment.html for block in view.blocks for segment in block)
        assert (unescape(text), unescape(source)) == (report.text, report.sources[0].text)

    @pytest.mark.browser
    def test_opens_and_works(self, chromium: Browser, tmp_path: Path, report: Report) -> None:
        swap = Replacement(start=0, end=7, text="Post")
        correction = Correction(claim="It is.", sentence="It is.", replacements=(swap,))
        first = report.claims[0].model_copy(update={"correction": correction})
        report = report.model_copy(update={"claims": (first, *report.claims[1:])})
        file = tmp_path / "large.html"
        file.write_text(as_html(report), "utf-8")
        chromium.open(file)
        count = "return document.querySelectorAll('.claim').length"
        assert chromium.run(count) == len(report.claims)
        assert chromium.run(SHIFT) < 0.01  # of the window: nothing moves when it opens
        chromium.run("document.getElementById('c1100').click()")
        chromium.frames()
        assert chromium.chosen == "c1100"
        inner, outer = chromium.run(
            "return [document.querySelector('.deciding'), document.getElementById('sources')]"
            ".map((one) => one.getBoundingClientRect()).map((box) => [box.top, box.bottom])"
        )
        assert outer[0] <= inner[0] < inner[1] <= outer[1]
        chromium.click(".filter.v-unsupported")
        unsupported = sum(each.verdict == "unsupported" for each in report.claims)
        assert chromium.text("#status").startswith(f"Showing {unsupported:,}")
        assert chromium.messages() == []
