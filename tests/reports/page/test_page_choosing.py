"""How claims are chosen in a browser: by keys, through filters, and what is copied of them."""

from itertools import product
from pathlib import Path

import pytest

from citeguard.reports.page import as_html
from citeguard.reports.report import Report
from page.chromium import Browser
from reports.samples import claim, full_report, report_of

pytestmark = pytest.mark.browser

_FILTERED = "return document.documentElement.dataset.show ?? ''"
_COPIED = (
    "getSelection().selectAllChildren(document.querySelector(arguments[0]));"
    "return getSelection().toString()"
)


class TestAFilter:
    @pytest.mark.parametrize("link", ['#claim-5 a[href="#c5"]', '#claim-1 a[href="#c1"]'])
    def test_is_cleared_by_a_link_to_a_claim_it_hides(self, browser: Browser, link: str) -> None:
        browser.click(".filter.v-contradicted")
        browser.run("document.querySelector(arguments[0]).click()", link)
        number = link[-3]
        assert browser.focus == f"c{number}"
        assert browser.chosen == f"c{number}"
        assert browser.run(_FILTERED) == ""
        browser.press("j")
        assert browser.focus == f"c{int(number) + 1}"
        browser.press("Escape")
        assert "Choose a marked claim" in browser.text("#explanation")

    def test_is_cleared_by_words_on_which_only_hidden_claims_rest(self, browser: Browser) -> None:
        browser.click(".filter.v-unsupported")
        words = "Array.from(document.querySelectorAll('.evidence'))"
        browser.run(f"{words}.find((one) => one.textContent.includes('cannot be')).click()")
        assert browser.focus == "c7"
        assert browser.run(_FILTERED) == ""

    def test_stays_for_a_link_to_a_claim_it_shows(self, browser: Browser) -> None:
        browser.click(".filter.v-contradicted")
        browser.run("document.querySelector('#claim-7 a[href=\"#c7\"]').click()")
        assert browser.focus == "c7"
        assert browser.run(_FILTERED) == "contradicted"

    def test_closes_the_explanation_of_a_claim_it_hides(self, browser: Browser) -> None:
        browser.click("#c2")
        browser.click(".filter.v-contradicted")
        assert browser.chosen == "c2"
        browser.click(".filter.v-contradicted")
        browser.click(".filter.v-unsupported")
        assert "Choose a marked claim" in browser.text("#explanation")
        assert browser.run("return document.querySelectorAll('.deciding').length") == 0


class TestKeysOnAFreshPage:
    def test_go_to_the_first_claim(self, browser: Browser) -> None:
        browser.press("Escape", "j")
        assert browser.focus == "c1"
        assert browser.chosen == "c1"

    def test_go_on_from_a_filter(self, browser: Browser) -> None:
        browser.click(".filter.v-contradicted")
        browser.press("j")
        assert browser.focus == "c7"
        browser.press("k")
        assert browser.focus == "c2"

    def test_lead_to_the_evidence_of_the_claim_that_is_chosen(self, browser: Browser) -> None:
        browser.press("Escape", "e")
        assert "Choose a marked claim" in browser.text("#explanation")
        browser.click("#c2")
        browser.run("document.querySelector('.filter').focus()")
        browser.press("e")
        assert "founded in 1984" in browser.run("return document.activeElement.textContent")

    def test_are_left_to_controls(self, browser: Browser) -> None:
        for control in ("input", "select", "textarea"):
            browser.run(
                "const one = document.createElement(arguments[0]); one.id = arguments[0];"
                "document.body.append(one); one.focus()",
                control,
            )
            browser.press("j", "n", "e")
            assert (browser.focus, browser.chosen) == (control, "c2")


class TestProblems:
    """The problems of the sample are claims 2, 7, 5, 3, 8, and 4, which cites wrongly."""

    def test_are_what_the_page_opens_on(self, browser: Browser) -> None:
        assert browser.run("return document.getElementById('c2').ariaCurrent") == "true"
        assert browser.text("#step") == "Problem 1 of 6"
        assert browser.chosen == "c2"
        assert browser.run("return scrollY") == 0
        assert browser.run("return document.activeElement.tagName") == "BODY"

    def test_are_gone_through_by_buttons_and_keys(self, browser: Browser) -> None:
        for act, number in [
            (lambda: browser.click("#next"), 7),
            (lambda: browser.press("n"), 3),
            (lambda: browser.press("p"), 7),
            (lambda: browser.click("#previous"), 2),
            (lambda: browser.click("#previous"), 4),
            (lambda: browser.click("#next"), 2),
        ]:
            act()
            assert browser.chosen == f"c{number}"

    def test_are_those_that_a_filter_shows_or_else_its_claims(self, browser: Browser) -> None:
        browser.click(".filter.v-contradicted")
        assert browser.text("#step") == "Problem 1 of 2"
        browser.click(".filter.v-contradicted")
        browser.click(".filter.v-set_aside")
        browser.click("#next")
        assert browser.text("#step") == "Claim 1 of 1"

    def test_none_lets_the_page_open_on_no_claim(self, chromium: Browser, tmp_path: Path) -> None:
        file = tmp_path / "good.html"
        text = "One. Two."
        claims = (claim(1, text, "One.", "supported"), claim(2, text, "Two.", "supported"))
        file.write_text(as_html(report_of(text, claims)), "utf-8")
        chromium.open(file)
        assert "Choose a marked claim" in chromium.text("#explanation")
        assert chromium.text("#step") == "2 claims"
        chromium.click("#next")
        assert chromium.text("#step") == "Claim 1 of 2"


class TestACorrection:
    def test_is_copied_as_it_is_to_be(self, browser: Browser) -> None:
        browser.click("#c2")
        for where, part in product(("#explanation", "#claim-2"), (".corrected", ".changes")):
            copied = browser.run(_COPIED, f"{where} {part}")
            assert copied.strip() == "The institute was founded in 1984 by Marta Lindqvist"


class TestClosestPassages:
    @pytest.fixture
    def pool(self, chromium: Browser, tmp_path: Path) -> Browser:
        report = full_report()
        pool = report.claims[4].model_copy(update={"evidence": report.claims[0].evidence})
        found = report.model_copy(update={"claims": (*report.claims[:4], pool)})
        file = tmp_path / "pool.html"
        file.write_text(as_html(found), "utf-8")
        chromium.open(file, "#c5")
        return chromium

    def test_are_shown_where_no_words_decide(self, pool: Browser) -> None:
        assert "What the source says" not in pool.text("#explanation")
        said = pool.text("#shown")
        assert "say this. Closest passages:\nThe notice period is one month" in said


class TestADismissal:
    def test_is_kept_in_a_file_that_is_a_baseline(self, browser: Browser) -> None:
        browser.run(
            "URL.createObjectURL = (blob) => { blob.text().then((text) => { window.saved = text });"
            "return '#'; }; URL.revokeObjectURL = () => {}"
        )
        browser.click("#explanation .dismiss input")
        browser.press("Escape", *"Agreed")  # the keys of the page are not those of a field
        browser.click("#explanation .dismiss button")
        assert browser.text("#step") == "5 problems"
        assert "Dismissed Agreed" in browser.text("#explanation")
        assert browser.violations() == []
        browser.click("#save")
        browser.frames()
        baseline = Report.model_validate_json(browser.run("return window.saved"))
        kept = full_report().since(baseline)
        assert [(each.number, each.dismissed) for each in kept.claims if each.dismissed] == [
            (2, "Agreed")
        ]
        assert kept.mended == ()
        assert not any(claim.is_new for claim in kept.claims)
