import itertools
from pathlib import Path
from typing import Any

import pytest
from selenium.common.exceptions import JavascriptException

from page.chromium import Browser
from reports.samples import full_report

pytestmark = pytest.mark.browser

_CONTRAST = (Path(__file__).parent / "contrast.js").read_text("utf-8")


class TestThePage:
    def test_says_nothing_to_the_console_and_asks_for_nothing(
        self, browser: Browser, page_file: Path
    ) -> None:
        browser.click("#c2")
        assert browser.messages() == []
        assert browser.requests() == [page_file.as_uri()]

    def test_runs_no_script_but_its_own(
        self, chromium: Browser, page_file: Path, tmp_path: Path
    ) -> None:
        page = page_file.read_text("utf-8")
        script = "<script>ran = 1</script><img src=x onerror='ran = 1'>"
        file = tmp_path / "injected.html"
        file.write_text(page.replace("<main", f"{script}<style>p{{}}</style><main"), "utf-8")
        chromium.open(file)
        chromium.click("#c2")
        assert chromium.run("return typeof ran") == "undefined"
        blocked = chromium.messages()
        assert len(blocked) == 4
        assert all("violates the following Content Security Policy" in one for one in blocked)

    def test_takes_no_text_for_script(self, browser: Browser) -> None:
        with pytest.raises(JavascriptException, match="TrustedHTML"):
            browser.run("document.body.innerHTML = '<b>bold</b>'")

    def test_has_every_id_once_and_headings_in_order(self, browser: Browser) -> None:
        browser.click("#c2")
        ids, levels = browser.run(
            "return [Array.from(document.querySelectorAll('[id]'), (one) => one.id),"
            "Array.from(document.querySelectorAll('h1,h2,h3,h4'), (one) => Number(one.tagName[1]))]"
        )
        assert len(ids) == len(set(ids))
        assert levels[0] == 1
        assert all(next_ - level <= 1 for level, next_ in itertools.pairwise(levels))


class TestAClaim:
    def test_is_explained_when_it_is_clicked(self, browser: Browser) -> None:
        browser.click("#c2")
        browser.click("#explanation .rest > summary")
        said = browser.text("#explanation")
        for words in (
            "Contradicted\nThe institute was founded in 1985 by Marta Lindqvist",
            "The claim says 1985; the source says 1984.",
            "What the source says\nThe institute was founded in 1984 by Marta Lindqvist\n"
            "Staff handbook, line 7\nShow in source\nOpen the page",
            "Correction\nThe institute was founded in 1984 by Marta Lindqvist",
            "Other passages looked at",
            "Cites: handbook.",
            "Judged by: grounding.",
        ):
            assert words in said
        assert browser.run("return document.getElementById('c2').ariaCurrent") == "true"
        assert browser.texts("#explanation :is(.claimed .stated, .place .found)") == [
            "1985",
            "1984",
        ]

    def test_is_beside_its_source_alone(self, browser: Browser) -> None:
        browser.click("#c2")
        seen = "return ['s1', 's2'].map((id) => document.getElementById(id).checkVisibility())"
        assert browser.text("#shown") == "Staff handbook, line 7"
        assert browser.run(seen) == [True, False]
        browser.press("Escape")
        assert browser.text("#shown") == ""
        assert browser.run(seen) == [True, True]

    def test_without_words_that_decide_empties_the_other_side(self, browser: Browser) -> None:
        browser.click("#c5")
        assert browser.text("#sources").startswith("Sources\nNo words of the sources say this.")
        assert not browser.run("return document.getElementById('s1').checkVisibility()")

    def test_is_a_tick_in_the_strip(self, browser: Browser) -> None:
        browser.run(
            "document.querySelector('.ticks [data-claim=\"7\"]')"
            ".dispatchEvent(new MouseEvent('click', {bubbles: true}))"
        )
        assert browser.focus == "c7"
        now = "return Array.from(document.querySelectorAll('.now'), (one) => one.dataset.claim)"
        assert browser.run(now) == ["7"]
        strip = browser.run(
            "const {role, ariaLabel} = document.querySelector('.ticks'); return [role, ariaLabel]"
        )
        assert strip == ["img", "Where in the text the statements are, from its start to its end"]

    def test_links_to_the_words_in_the_page_of_its_source_as_the_list_does(
        self, browser: Browser
    ) -> None:
        browser.click("#c2")
        links = browser.run(
            "return ['#explanation .place a[target]', '#claim-2 .place a[target]']"
            ".map((one) => document.querySelector(one)).map((one) => [one.href, one.rel])"
        )
        address = (
            "https://example.org/handbook#:~:text=The%20institute%20was%20founded,by%20"
            "Marta%20Lindqvist"
        )
        assert links[0] == links[1]
        assert links[0] == [
            address.replace("founded,by", "founded,1984%20by"),
            "noopener noreferrer",
        ]

    def test_marks_what_its_source_says(self, browser: Browser) -> None:
        browser.click("#c2")
        deciding, current = browser.run(
            "return ['.deciding', '.current'].map((one) =>"
            "Array.from(document.querySelectorAll(one), (words) => words.textContent).join('|'))"
        )
        assert deciding == "The institute was founded in 1984 by Marta Lindqvist"
        assert current == ""  # what was only looked at is not marked

    def test_is_chosen_by_the_address_of_the_page(self, chromium: Browser, page_file: Path) -> None:
        chromium.open(page_file, "#c5")
        assert chromium.focus == "c5"
        assert "swimming pool" in chromium.text("#explanation")


class TestTheCorrectedText:
    def test_is_copied(self, browser: Browser) -> None:
        browser.run(
            "Object.defineProperty(navigator, 'clipboard', {value: {writeText: async (text) => {"
            "window.copied = text}}})"
        )
        browser.click("#copy")
        assert browser.text("#copy") == "Copied"
        assert browser.run("return window.copied") == full_report().corrected_text


class TestKeys:
    def test_go_to_the_evidence_and_back(self, browser: Browser) -> None:
        browser.run("document.getElementById('c1').focus()")
        browser.press("Tab")
        assert browser.focus == "c2"
        assert "founded in 1984" in browser.text("#explanation")
        browser.press("Enter")
        assert browser.focus == "Show in source"
        browser.press("Enter")
        assert "deciding" in browser.run("return document.activeElement.className")
        assert "founded in 1984" in browser.run("return document.activeElement.textContent")
        browser.press("Escape")
        assert browser.focus == "c2"
        browser.press("e")
        assert "founded in 1984" in browser.run("return document.activeElement.textContent")
        browser.press("Backspace")
        assert browser.focus == "c2"
        browser.press("Escape")
        assert "Choose a marked claim" in browser.text("#explanation")

    def test_go_from_claim_to_claim(self, browser: Browser) -> None:
        for keys, focus in [
            (["ArrowDown"], "c3"),
            (["ArrowRight", "ArrowRight"], "c4"),
            (["j", "j", "k"], "c3"),
            (["ArrowUp"], "c1"),
            (["ArrowLeft", "ArrowLeft"], "c1"),
            ([" "], "c2"),
        ]:
            browser.press("Escape")
            browser.run("document.getElementById('c2').focus()")
            browser.press(*[key.replace("Arrow", "ARROW_") for key in keys])
            assert (browser.focus, browser.chosen) == (focus, focus), keys


class TestASource:
    def test_is_unfolded_to_show_words(self, browser: Browser) -> None:
        browser.run("document.getElementById('s1').open = false")
        browser.run("document.getElementById('c2').focus()")
        browser.press("e")
        assert browser.run("return document.getElementById('s1').open")


class TestFilters:
    def test_show_claims_of_some_verdicts_only(self, browser: Browser) -> None:
        browser.click(".filter.v-contradicted")
        assert browser.text("#status") == "Showing 2 of 11 claims."
        assert browser.run(
            "return Array.from(document.querySelectorAll('.claim'))"
            ".filter((one) => one.tabIndex === 0).map((one) => one.id)"
        ) == ["c2", "c7"]
        assert browser.run(
            "return Array.from(document.querySelectorAll('.entry'))"
            ".filter((one) => one.checkVisibility()).map((one) => one.id)"
        ) == ["claim-2", "claim-7"]
        browser.run("document.getElementById('c2').focus()")
        browser.press("j")
        assert browser.focus == "c7"

    def test_are_left_by_one_button(self, browser: Browser) -> None:
        browser.click(".filter.v-contradicted")
        browser.click(".filter.v-unsupported")
        assert browser.text("#status") == "Showing 4 of 11 claims."
        browser.click("#all")
        assert browser.text("#status") == "Showing 11 of 11 claims."
        assert browser.run("return document.querySelectorAll('[aria-pressed=true]').length") == 0
        assert (
            browser.run("return document.querySelectorAll('.claim[tabindex=\"-1\"]').length") == 0
        )

    def test_make_other_claims_plain_text(self, browser: Browser) -> None:
        browser.click(".filter.v-contradicted")
        browser.click("#c1")
        assert browser.chosen == "c2"


class TestEveryone:
    @pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 360)])
    def test_can_read_and_use_it(self, browser: Browser, scheme: str, width: int) -> None:
        browser.emulate(scheme=scheme)
        browser.size(width, 800)
        for selector in ("#c2", "#c4", "#c5", "#c6", ".filter.v-contradicted"):
            browser.run("document.querySelector(arguments[0]).click()", selector)
            measured: dict[str, Any] = browser.run(_CONTRAST)
            assert measured["seen"] > 100
            assert measured["found"] == []
        for selector in ("#all", "#c2", "#close"):
            browser.run("document.querySelector(arguments[0]).click()", selector)
            assert browser.violations() == []

    def test_need_not_scroll_sideways(self, browser: Browser) -> None:
        browser.run("document.getElementById('c2').click()")
        for width in (320, 360, 800, 1024, 2000):
            browser.size(width, 740)
            assert browser.run("return document.documentElement.scrollWidth") <= width

    def test_sees_claim_and_explanation_on_a_phone(self, browser: Browser) -> None:
        browser.size(360, 740)
        for number in range(1, 12):
            browser.run("document.getElementById(arguments[0]).click()", f"c{number}")
            browser.frames(2)
            claim, sheet = browser.run(
                "return ['c' + arguments[0], 'panel']"
                ".map((id) => document.getElementById(id).getBoundingClientRect())"
                ".map((box) => [box.top, box.bottom])",
                number,
            )
            assert 0 <= claim[0] < claim[1] <= sheet[0] < sheet[1] <= 740

    def test_is_told_what_a_claim_is_by_a_screen_reader(self, browser: Browser) -> None:
        nodes = browser.command("Accessibility.getFullAXTree")["nodes"]
        told = [(node["role"]["value"], node.get("name", {}).get("value")) for node in nodes]
        assert ("button", "Supported: The notice period is one month") in told
        assert (
            "button",
            "Unsupported, without a citation: The campus has a swimming pool",
        ) in told
        assert ("region", "Explanation") in told
        assert {"banner", "main", "contentinfo", "navigation"} <= {role for role, _ in told}
        buttons = [name for role, name in told if role == "button" and ": " in (name or "")]
        assert len(buttons) == len(full_report().claims)

    def test_hears_the_verdict_and_why_and_no_more(self, browser: Browser) -> None:
        browser.click("#c2")
        live = "[aria-live], [role=status], [role=alert]"
        assert browser.run(
            "return Array.from(document.querySelectorAll(arguments[0]), (one) => one.textContent)",
            live,
        ) == ["", "Contradicted: The claim says 1985; the source says 1984."]
        browser.press("Escape")
        assert browser.run("return document.getElementById('announcement').textContent") == ""


class TestWithoutScript:
    def test_the_list_says_it_all(self, chromium: Browser, page_file: Path) -> None:
        chromium.command("Emulation.setScriptExecutionDisabled", value=True)
        try:
            chromium.open(page_file)
            assert not chromium.run("return document.getElementById('panel').checkVisibility()")
            entry = chromium.text("#claim-2")
            chromium.click("#c2")
            assert chromium.driver.current_url.endswith("#claim-2")
        finally:
            chromium.command("Emulation.setScriptExecutionDisabled", value=False)
        for words in (
            "Contradicted",
            "The claim says 1985; the source says 1984.",
            "Number: claim 1985 → source 1984",
            "Staff handbook, line 7",
            "Correction\nThe institute was founded in 1984 by Marta Lindqvist",
        ):
            assert words in entry

    def test_the_list_is_printed(self, browser: Browser) -> None:
        browser.run("document.getElementById('s1').open = false")
        browser.click("#c2")
        browser.emulate(media="print", scheme="dark")
        seen = browser.run(
            "return ['.claims', '#claim-2', '.other', '#s1 .block', '.panel', '.skip', '.keys']"
            ".map((one) => document.querySelector(one).checkVisibility())"
        )
        assert seen == [True, True, True, False, False, False, False]
        tops = browser.run(
            "return ['.claims', '#text'].map((one) =>"
            "document.querySelector(one).getBoundingClientRect().top)"
        )
        assert tops == sorted(tops)  # claims first
        assert browser.run(_CONTRAST)["found"] == []
        assert browser.run("return getComputedStyle(document.body).backgroundColor") == (
            "rgb(255, 255, 255)"
        )


class TestCards:
    """The card beside a claim, or the name of a source, before anything is clicked."""

    WORDS = "Notice. The notice period is one month to the end of a calendar month. "
    OPEN, CLOSED = "#peek:popover-open", "main:not(:has(#peek:popover-open))"

    def test_show_the_words_in_their_sentence_and_its_neighbours(self, browser: Browser) -> None:
        browser.hover("#c1")
        browser.wait(self.OPEN)
        assert browser.text("#peek").startswith(self.WORDS)
        assert browser.text("#peek mark") == "The notice period is one month"
        assert browser.text("#peek .from") == "Staff handbook, line 3, example.org"
        for scheme in ("light", "dark"):
            browser.emulate(scheme=scheme)
            assert browser.violations() == []
        browser.hover("#peek")
        browser.hover("#peek mark")
        browser.frames(60)
        browser.wait(self.OPEN)  # its words can be read, and copied
        browser.hover("h1")
        browser.wait(self.CLOSED)
        browser.hover("#explanation .place footer")
        browser.wait(self.OPEN)
        assert browser.text("#peek .from") == "Staff handbook, line 7, example.org"

    def test_follow_the_keyboard(self, browser: Browser) -> None:
        browser.run("document.getElementById('text').focus()")
        browser.press("Tab")
        browser.wait(self.OPEN)
        assert browser.focus == "c1"
        described = "return document.activeElement.getAttribute('aria-describedby')"
        assert browser.run(described) == "peek"
        chosen = browser.text("#explanation")
        browser.press("Escape")
        browser.wait(self.CLOSED)
        assert (browser.focus, browser.run(described)) == ("c1", None)
        assert browser.text("#explanation") == chosen
        assert browser.messages() == []

    def test_are_not_for_what_is_shown_or_was_not_found(self, browser: Browser) -> None:
        for selector in ("#c2[aria-current]", "#c5.v-unsupported"):
            browser.hover(selector)
            browser.frames(60)
            browser.wait(self.CLOSED)
