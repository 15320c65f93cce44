"""The page that asks the documents, and the page of a document, in a real Chromium."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from citeguard import Library
from citeguard.server import Chatting, Limits, create_app
from llm_server import LLMServer
from reports.page.chromium import Browser
from server.documents import EVIL, NOTICE, NOWHERE, POOL, small_library
from server.serving import served, working

pytestmark = pytest.mark.browser

LAST = "#messages > li:last-child"
DONE = f"{LAST} .answer[aria-busy=false]"
SLOWLY = "How long is the notice period? Answer slowly."

Given = tuple[Library, Chatting, LLMServer]


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Given]:
    with small_library(tmp_path_factory.mktemp("library")) as given:
        yield given


@pytest.fixture(scope="module")
def page_address(given: Given) -> Iterator[str]:
    """Return the URL of the page, with a small library."""
    with working():
        app = create_app(limits=Limits(workers=1), library=given[1])
    with served(app) as address:
        yield f"{address}/ask"


@pytest.fixture
def browser(chromium: Browser, page_address: str) -> Browser:
    """Return the Chromium with the page just opened."""
    chromium.visit(page_address)
    chromium.wait("#documents li")
    return chromium


def ask(browser: Browser, question: str, until: str = DONE) -> None:
    before = len(browser.driver.find_elements(By.CSS_SELECTOR, "#messages > li"))
    browser.driver.find_element(By.ID, "question").send_keys(question, Keys.ENTER)
    browser.wait(f"#messages > li:nth-child({before + 1})")
    browser.wait(until)
    if until == DONE:
        browser.wait("#ask[aria-disabled=false]")


class TestAnswers:
    def test_have_numbers_and_references(self, browser: Browser, page_address: str) -> None:
        ask(browser, NOTICE)
        assert browser.text(f"{LAST} .verdict") == "Answered"
        assert browser.text(f"{LAST} .said") == "The notice period is one month. [1]"
        assert browser.text(f"{LAST} blockquote").startswith("The notice period is one month to")
        assert browser.text("#status") == "Answered, 1 reference."
        assert browser.focus == "question"
        assert browser.messages() == []
        site = page_address.removesuffix("ask")
        assert all(each.startswith(site) for each in browser.requests())

    def test_take_nothing_of_a_document_for_markup(self, browser: Browser) -> None:
        ask(browser, f"What is the logo of the institute? {EVIL}")
        assert EVIL in browser.text(f"{LAST} .said")
        assert EVIL in browser.text(f"{LAST} h3")
        assert browser.run("return document.querySelectorAll('main img, aside img').length") == 0
        assert EVIL in browser.text("#documents")
        assert browser.messages() == []

    def test_can_be_stopped(self, browser: Browser) -> None:
        ask(browser, SLOWLY, until="#stop:not([hidden])")
        browser.driver.find_element(By.ID, "stop").send_keys(Keys.ENTER)
        browser.wait("#problem.told:not([hidden])")
        assert browser.text("#problem") == "Stopped. Nothing of it was kept."
        assert browser.texts("#messages > li") == []
        assert browser.run("return document.getElementById('question').value") == SLOWLY
        assert browser.focus == "ask"

    def test_can_be_about_chosen_documents(self, browser: Browser) -> None:
        browser.driver.find_element(By.ID, "filter").send_keys("guide")
        assert browser.text("#filtered") == "1 of 3 documents."
        browser.click("#documents input")
        assert "Asks 1 document." in browser.text("#question-hint")
        browser.run("document.getElementById('model').closest('details').open = true")
        browser.driver.find_element(By.ID, "model").send_keys("extractive")
        ask(browser, NOTICE)
        assert browser.text(f"{LAST} .verdict") == "Not answered"

    def test_that_are_the_quote_are_printed_once(self, browser: Browser) -> None:
        browser.run("document.getElementById('model').closest('details').open = true")
        browser.driver.find_element(By.ID, "model").send_keys("extractive")
        ask(browser, POOL)
        said = browser.text(f"{LAST} .said").removesuffix(" [1]")
        assert browser.text(f"{LAST} .answer").count(said) == 1
        assert browser.text(f"{LAST} .references li") == "guide, p. 2"

    def test_say_as_what_a_follow_up_was_understood(self, browser: Browser) -> None:
        ask(browser, NOTICE)
        ask(browser, "What about the pool?")
        assert browser.text(f"{LAST} h3") == "What about the pool?"
        assert browser.text(f"{LAST} .why") == f"Understood as: {POOL}"
        assert browser.text(f"{LAST} .said") == "The pool opens at seven in the morning. [1]"


class TestReferences:
    def test_open_beside_the_answer_which_stays_in_use(self, browser: Browser) -> None:
        ask(browser, POOL)
        browser.click(f"{LAST} .number")
        browser.wait("#panel[open]:not(:modal) mark")
        right, left = (
            browser.run(f"return document.querySelector('{each}').getBoundingClientRect().{side}")
            for each, side in ((f"{LAST} .answer", "right"), ("#panel", "left"))
        )
        assert right <= left
        ask(browser, NOTICE)
        assert browser.text(f"{LAST} .verdict") == "Answered"
        browser.driver.find_element(By.ID, "panel-title").send_keys(Keys.ESCAPE)
        browser.wait("#panel:not([open])")

    def test_open_the_words_and_the_page_with_the_keyboard(self, browser: Browser) -> None:
        ask(browser, POOL)
        browser.driver.find_element(By.CSS_SELECTOR, f"{LAST} .number").send_keys(Keys.ENTER)
        browser.wait("#panel[open] #panel-sheet:not([hidden])")
        assert browser.focus == "panel-title"
        assert browser.text("#panel mark") == "The swimming pool opens at seven in the morning."
        assert browser.text("#panel-place").startswith("p. 2")
        browser.wait("#panel-links a + a")
        addresses = [
            each.get_attribute("href") or ""
            for each in browser.driver.find_elements(By.CSS_SELECTOR, "#panel-links a")
        ]
        assert addresses[0].endswith("#part")
        assert addresses[1].endswith("/files/guide#page=2")
        width = "return document.querySelector('#panel img').naturalWidth"
        for _ in range(50):
            if browser.run(width):
                break
            browser.frames()
        assert browser.run(width) == 900
        assert browser.violations() == []
        assert browser.messages() == []
        browser.press("Escape")
        assert browser.text("#panel") == ""
        assert browser.focus == "[1]"

    def test_show_their_sentence_and_its_neighbours_before_they_are_opened(
        self, browser: Browser
    ) -> None:
        ask(browser, NOTICE)
        browser.hover(f"{LAST} .number")
        browser.wait("#peek:popover-open mark")
        words, where = browser.texts("#peek p")
        assert browser.text("#peek mark").startswith("The notice period is one month to")
        assert words.endswith("party may end the contract within fourteen days.")
        assert where.startswith("handbook, line 1, added on ")
        assert browser.violations() == []
        browser.press("Escape")
        browser.wait("main:not(:has(#peek:popover-open))")
        assert browser.messages() == []

    def test_are_flagged_when_the_document_has_changed(
        self, browser: Browser, given: Given
    ) -> None:
        library = given[0]
        library.add({"lunch": "The canteen is closed on Sundays."})
        browser.run("document.getElementById('model').closest('details').open = true")
        browser.driver.find_element(By.ID, "model").send_keys("extractive")
        ask(browser, "When is the canteen closed?")
        assert browser.text(f"{LAST} .verdict") == "Answered"
        library.add({"lunch": "The canteen never closes."})
        browser.click("#new")
        browser.click("#chats button")
        browser.wait(".number.stale")
        assert browser.text(f"{LAST} .note") == "The document has changed since."
        browser.click(".number")
        browser.wait("#panel[open] #panel-note:not([hidden])")
        assert browser.text("#panel mark") == "The canteen is closed on Sundays."
        library.remove("lunch")
        browser.driver.refresh()
        browser.wait(".number.stale")
        assert browser.text(f"{LAST} .note") == "The document was removed since."


class TestChats:
    def test_can_be_opened_again(self, browser: Browser) -> None:
        browser.click("#new")
        ask(browser, NOTICE)
        ask(browser, "And how much is lunch?")
        before = browser.texts("#messages > li")
        browser.click("#new")
        assert browser.texts("#messages > li") == []
        browser.click("#chats li:first-child button")
        browser.wait("#messages > li:nth-child(2)")
        assert browser.texts("#messages > li") == before
        assert browser.text("main").count(NOTICE) == 1
        browser.driver.refresh()
        browser.wait("#messages > li:nth-child(2)")
        assert browser.texts("#messages > li") == before

    def test_can_be_deleted(self, browser: Browser) -> None:
        ask(browser, NOTICE)
        browser.wait('#chats button[aria-current="true"]')  # the list is read after the reply
        count = len(browser.texts("#chats li"))
        browser.click("#chats li:first-child .small")
        browser.wait(f"#chats:not(:has(li:nth-child({count})))")
        assert browser.texts("#messages > li") == []
        assert browser.text("#status") == "The chat was deleted."


def test_everyone_can_use_it(browser: Browser) -> None:
    browser.emulate(scheme="dark")
    browser.size(360, 800)
    assert browser.violations() == []
    for question in (NOTICE, POOL, NOWHERE, "How long is the notice period in an outage?"):
        ask(browser, question)
    browser.run("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    assert browser.violations() == []
    assert browser.run("return document.documentElement.scrollWidth") <= 360
    browser.click("#messages .number")
    browser.wait("#panel[open]")
    assert browser.violations() == []
    assert browser.run("return document.documentElement.scrollWidth") <= 360
    browser.press("Escape")


@pytest.fixture(scope="module")
def upload_address() -> Iterator[str]:
    limits = Limits(workers=1, file_bytes=20_000)
    with Library() as library:
        with working(documents=True):
            app = create_app(limits=limits, library=Chatting(library=library, uploads=True))
        with served(app) as address:
            yield f"{address}/ask"


def test_uploads_are_chosen_or_dropped_and_asked(
    chromium: Browser, upload_address: str, tmp_path: Path
) -> None:
    for name, words in (("tea.md", "Tea is at four."), ("large.md", "x" * 20_001)):
        (tmp_path / name).write_text(words, "utf-8")
    chromium.visit(upload_address)
    files = chromium.driver.find_element(By.ID, "files")
    files.send_keys(f"{tmp_path / 'tea.md'}\n{tmp_path / 'large.md'}")
    chromium.wait("#adding .failed")
    chromium.wait("#documents li")
    chromium.run(
        "const data = new DataTransfer(); data.items.add(new File(['MZ'], 'a/b<b>.exe'));"
        "document.dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true}));"
    )
    chromium.wait("#adding .failed ~ .failed")
    tea, large, exe = chromium.texts("#adding li")
    assert large == "large.md too large: at most 0.02 MB"
    assert tea == "tea.md added, 1 passage"
    assert exe.startswith("a/b<b>.exe ")
    assert chromium.texts("#documents label") == ["tea"]
    assert chromium.violations() == []
    (message,) = chromium.messages()
    assert "status of 422" in message
