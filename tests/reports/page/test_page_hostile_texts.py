from __future__ import annotations

from base64 import b64encode
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from auditing.papers import paper_file
from citeguard.documents.pdf.pictures import page_picture
from citeguard.reports.html import plain
from citeguard.reports.page import as_html
from citeguard.reports.report import (
    CheckedSource,
    CitationFinding,
    DifferingFact,
    Report,
    SourcePage,
)
from citeguard.sources.layout import Box
from reports.samples import claim, place_of, report_of

if TYPE_CHECKING:
    from page.chromium import Browser

HOSTILE = {
    "script": "<script>ran = 1</script>",
    "end of script": "</script><script>ran = 1</script>",
    "end of comment": "--><script>ran = 1</script><!--",
    "textarea": "</textarea></title></style><script>ran = 1</script>",
    "attribute": "\"><img src=x onerror=\"ran = 1\"> ' onmouseover='ran = 1'",
    "template": "{{ 7*7 }} {% raw %} ${ran = 1} {# no #}",
    "entity": "&lt;b&gt; &amp;amp; &#0;",
    "policy": "<meta http-equiv=refresh content='0;url=javascript:ran=1'><base href=//x.example>",
    "right to left": "left \u202eright to left\u202c \u2066isolate \u200f mark",
    "hebrew": "הדו״ח אומר שהמחיר הוא 1,200 ש״ח (כולל מע״מ).",
    "control": "NUL \x00, bell \x07, escape \x1b[31m, DEL \x7f, NEL \x85",
    "surrogate": "lone \ud800 and \udc00 surrogates",
    "emoji": "👩‍👩‍👧‍👦 🏳️‍🌈 é e\u0301 𝒳",
    "cjk": "通知期間は一か月です。試用期間中は十四日以内に終了できます。",
    "lines": "one\r\ntwo\rthree\n\n\nfour\u2028five\tsix",
    "hidden": "visible\U000e0041\U000e0042 and no more",
}


_PICTURE = b64encode(page_picture(paper_file(), 1, width=9) or b"").decode()


def _report(text: str) -> Report:
    """Return a report that has a text wherever a report has words."""
    whole = f"Before. {text} After."
    start = len("Before. ")
    source = CheckedSource(id=text, title=text, url=f"javascript:ran=1//{text}", text=whole)
    page = SourcePage(number=4, label=text, width=9, height=9, start=0, picture=_PICTURE)
    linked = CheckedSource(
        id="linked", title=text, url=f"https://example.org/{text}", text=whole, pages=(page,)
    )
    deciding = place_of(linked, text).model_copy(
        update={
            "headings": (text, text),
            "page": 4,
            "page_label": text,
            "boxes": (Box(4, 1, 1, 2, 2),),
        }
    )
    checked = claim(
        1,
        whole,
        text,
        "contradicted",
        explanation=text,
        context=text,
        cited=(text,),
        judge=text,
        evidence=(place_of(source, text), place_of(linked, text)),
        deciding=deciding,
        differences=(DifferingFact(kind="word", stated=text, found=text),),
    )
    finding = CitationFinding(
        problem="unknown_id",
        start=start,
        end=start + len(text),
        claims=(1,),
        cited=text,
        message=text,
    )
    return report_of(whole, [checked], sources=[source, linked], findings=[finding])


@pytest.mark.browser
class TestAHostileText:
    @pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
    def test_stands_in_the_page_as_text(self, chromium: Browser, tmp_path: Path, text: str) -> None:
        file = tmp_path / "report.html"
        file.write_text(as_html(_report(text), title=text), "utf-8")
        chromium.open(file)
        shown = plain(text)
        whole = f"Before. {shown} After."
        assert _words(chromium, "#text .block") == whole
        assert _words(chromium, "#c1") == shown
        assert _words(chromium, "#s1 .block") == whole
        assert chromium.driver.title == " ".join(shown.split())
        chromium.click("#c1")
        assert _words(chromium, "#explanation .explanation") == shown
        assert _words(chromium, "#explanation .place p") == shown
        assert chromium.run("return document.querySelectorAll('script').length") == 1
        assert chromium.run("return typeof ran") == "undefined"
        assert chromium.run(
            "return Array.from(document.querySelectorAll('a'), (one) => one.protocol)"
            ".every((one) => ['file:', 'https:'].includes(one))"
        )
        assert chromium.messages() == []
        assert chromium.requests() == [file.as_uri()]

    def test_moves_nothing_sideways(self, chromium: Browser, tmp_path: Path) -> None:
        file = tmp_path / "report.html"
        report = _report("\n".join(text * 40 for text in HOSTILE.values()))
        file.write_text(as_html(report), "utf-8")
        chromium.open(file)
        chromium.size(360, 740)
        chromium.run("document.getElementById('c1').click()")
        assert chromium.run("return document.documentElement.scrollWidth") <= 360


def _words(browser: Browser, selector: str) -> str:
    return browser.run("return document.querySelector(arguments[0]).textContent", selector)
