"""A real Chromium that shows a page, and what it says of it."""

import json
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.wait import WebDriverWait

_PATIENCE = 30.0  # seconds
_FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--window-size=1280,900",
)


class Browser:
    """A Chromium with one page."""

    def __init__(self, profile: Path) -> None:
        """Start it with a profile of its own; `close` ends it."""
        options = Options()
        for flag in (*_FLAGS, f"--user-data-dir={profile}"):
            options.add_argument(flag)
        options.binary_location = _program("chromium", "chromium-browser", "google-chrome")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(options, Service(_program("chromedriver")))

    def close(self) -> None:
        """End it."""
        self.driver.quit()

    def open(self, page: Path, fragment: str = "") -> None:
        """Show a page, at the size of a desktop, in light colours, and forget what was logged."""
        self.visit(page.as_uri() + fragment)

    def visit(self, address: str) -> None:
        """Show the page of an address, as `open` does."""
        self.size(1280, 900)
        self.emulate()
        self.driver.get("about:blank")
        self.messages()
        self.requests()
        self.driver.get(address)
        # On a busy machine the driver returns before a large page has been read.
        read = "return document.readyState == 'complete' && location.href != 'about:blank'"
        WebDriverWait(self.driver, _PATIENCE).until(lambda each: each.execute_script(read))

    def wait(self, selector: str) -> None:
        """Wait until the page has an element that a CSS selector names."""
        found = lambda driver: driver.find_elements(By.CSS_SELECTOR, selector)  # noqa: E731
        WebDriverWait(self.driver, _PATIENCE).until(found)

    @contextmanager
    def new_window(self) -> Generator[None]:
        """Work in the window that has been opened, and close it at the end."""
        first = self.driver.current_window_handle
        WebDriverWait(self.driver, _PATIENCE).until(lambda each: len(each.window_handles) == 2)
        self.driver.switch_to.window(next(e for e in self.driver.window_handles if e != first))
        try:
            yield
        finally:
            self.driver.close()
            self.driver.switch_to.window(first)

    def run(self, script: str, *arguments: Any) -> Any:
        """Run the body of a JavaScript function in the page."""
        return self.driver.execute_script(script, *arguments)

    def press(self, *keys: str) -> None:
        """Press keys one after the other; a key is a letter, or a name such as `Enter`."""
        for key in keys:
            ActionChains(self.driver).send_keys(getattr(Keys, key.upper(), key)).perform()

    def click(self, selector: str) -> None:
        """Click on the first element that a CSS selector names."""
        self.driver.find_element(By.CSS_SELECTOR, selector).click()

    def hover(self, selector: str) -> None:
        """Move the pointer to the first element that a CSS selector names."""
        element = self.driver.find_element(By.CSS_SELECTOR, selector)
        ActionChains(self.driver).move_to_element(element).perform()

    def text(self, selector: str) -> str:
        """Return the text that is seen of the first element that a CSS selector names."""
        return self.driver.find_element(By.CSS_SELECTOR, selector).text

    def texts(self, selector: str) -> list[str]:
        """Return the text that is seen of each element that a CSS selector names."""
        return [each.text for each in self.driver.find_elements(By.CSS_SELECTOR, selector)]

    @property
    def focus(self) -> str:
        """The id of the element that has the focus, or else its text."""
        return self.run("const at = document.activeElement; return at.id || at.textContent;")

    @property
    def chosen(self) -> str:
        """The id of the claim that is explained."""
        return self.run("return document.querySelector('.claim[aria-current]').id")

    def frames(self, count: int = 10) -> None:
        """Wait until the page was painted so many times."""
        self.driver.execute_async_script(
            "const done = arguments[1]; let left = arguments[0];"
            "const next = () => (left-- ? requestAnimationFrame(next) : done()); next();",
            count,
        )

    def command(self, name: str, **parameters: Any) -> Any:
        """Send a command of the DevTools protocol."""
        return self.driver.execute_cdp_cmd(name, parameters)

    def size(self, width: int, height: int) -> None:
        """Give the page a viewport of so many CSS pixels."""
        self.command(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 600,
        )

    def emulate(self, media: str = "screen", scheme: str = "light") -> None:
        """Show the page on a medium and in a colour scheme."""
        features = [
            {"name": "prefers-color-scheme", "value": scheme},
            {"name": "prefers-reduced-motion", "value": "reduce"},
        ]
        self.command("Emulation.setEmulatedMedia", media=media, features=features)

    def violations(self) -> list[str]:
        """Return what axe-core finds wrong with the page as it is, without pages in it."""
        self.run((files("axe_core_python") / "axe.min.js").read_text("utf-8"))
        found = self.driver.execute_async_script(
            "axe.run(document, {iframes: false}).then((found) => arguments[0](found.violations))"
        )
        return [f"{each['id']}: {node['html'][:120]}" for each in found for node in each["nodes"]]

    def messages(self) -> list[str]:
        """Return what the console said since it was last asked."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self) -> list[str]:
        """Return the addresses the page asked for since they were last asked for.

        Pictures that stand in the page itself are left out: nobody is asked for them.
        """
        sent = [json.loads(entry["message"]) for entry in self.driver.get_log("performance")]
        asked_for = [
            event["message"]["params"]["request"]["url"]
            for event in sent
            if event["message"]["method"] == "Network.requestWillBeSent"
        ]
        return [address for address in asked_for if not address.startswith("data:")]


def _program(*names: str) -> str:
    found = next((path for name in names if (path := shutil.which(name))), None)
    if found is None:
        raise FileNotFoundError(f"these tests need {names[0]} on the path")
    return found
