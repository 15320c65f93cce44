"""Make the pictures of this folder: `python docs/pictures/make.py`, in the root of the repository.

Commands are run in a terminal of 80 columns, and Chromium draws the pages. It needs the extra `dev`
and Debian's `chromium` and `chromium-driver`. Pictures of commands are text, which a test compares
with what the commands print today.
"""

from __future__ import annotations

import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image
from rich.console import CONSOLE_SVG_FORMAT, Console
from rich.text import Text
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.wait import WebDriverWait

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[1]
EXAMPLE = "docs/example"
COLUMNS = 80
QUESTION = "What does a minimal eye examination consist of?"
TEXTS = " ".join(
    f"{EXAMPLE}/{name}.txt" for name in ("infant-vision", "visual-perception", "eye-examination")
)

COMMANDS = {
    "help": "citeguard --help",
    "check": f"citeguard check {EXAMPLE}/answer-with-errors.json --sources {TEXTS}",
    "audit": f"citeguard audit {EXAMPLE}/summary.md --sources {TEXTS}",
    "ask": f'citeguard ask {EXAMPLE}/eye-examination.txt "{QUESTION}"',
}
"""What is shown of the terminal, by the name of its picture."""

# Without the font that the style sheet of a picture would load from elsewhere.
_FORMAT = re.sub(r"@font-face \{\{.*?\}\}\s*", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)
_PATIENCE = 120  # seconds
_COLOURS = 128


def printed(command: str) -> str:
    """Return what a command prints in a terminal with colours."""
    environment = {**os.environ, "COLUMNS": str(COLUMNS), "FORCE_COLOR": "1"}
    program = [sys.executable, "-m", *shlex.split(command)]
    done = subprocess.run(program, capture_output=True, text=True, cwd=ROOT, env=environment)
    # A terminal has erased what was shown while an answer was looked for.
    return done.stdout.rpartition("\x1b[2K")[2]


def draw_commands() -> None:
    """Draw what the commands print."""
    for name, command in COMMANDS.items():
        console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True)
        console.print(Text.from_ansi(printed(command)))
        file = str(FOLDER / f"{name}.svg")
        console.save_svg(
            file, title=command.partition(" --")[0], code_format=_FORMAT, unique_id=name
        )


def draw_pages() -> None:
    """Draw the page of an audit, which is kept, of a fact check and of a chat, at 1280 by 800."""
    with browser() as chromium, tempfile.TemporaryDirectory() as folder:
        report, facts, library = (
            FOLDER / "report.html",
            Path(folder, "f.html"),
            Path(folder, "l.db"),
        )
        printed(f"{COMMANDS['audit']} --html {report}")
        statement = "The bridge was opened in 1937. It is 2,737 metres long."
        pages = f"--folder {EXAMPLE}/pages"
        printed(f'citeguard fact-check "{statement}" {pages} --html {facts}')
        for name, page in (("report", report), ("facts", facts)):
            draw(chromium, page.as_uri(), name)
        printed(f"citeguard library add {library} {TEXTS}")
        with served(library) as address:
            draw(chromium, f"{address}/ask", "chat", QUESTION)


def draw(chromium: webdriver.Chrome, address: str, name: str, question: str = "") -> None:
    """Draw a page, with the answer to a question if there is one, in few colours."""
    chromium.get(address)
    if question:
        chromium.find_element(By.ID, "question").send_keys(question, Keys.ENTER)
        answered = (By.CSS_SELECTOR, "#messages .answer[aria-busy=false]")
        WebDriverWait(chromium, _PATIENCE).until(lambda page: page.find_elements(*answered))
    with Image.open(io.BytesIO(chromium.get_screenshot_as_png())) as picture:
        picture.convert("RGB").quantize(_COLOURS).save(FOLDER / f"{name}.png", optimize=True)


@contextmanager
def browser() -> Iterator[webdriver.Chrome]:
    """Start a Chromium, and end it."""
    options = webdriver.ChromeOptions()
    for flag in ("headless=new", "no-sandbox", "hide-scrollbars", "window-size=1280,940"):
        options.add_argument(f"--{flag}")
    driver = webdriver.Chrome(options, Service(shutil.which("chromedriver")))
    try:
        yield driver
    finally:
        driver.quit()


@contextmanager
def served(library: Path) -> Iterator[str]:
    """Serve a library on this machine, and return the address."""
    program = [sys.executable, "-m", "citeguard", "serve", "--port", "0", "--library", str(library)]
    with subprocess.Popen(
        program, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as run:
        assert run.stdout is not None
        try:
            yield next(
                found[0] for line in run.stdout if (found := re.search(r"http://\S+\d", line))
            )
        finally:
            run.terminate()


if __name__ == "__main__":
    draw_commands()
    draw_pages()
