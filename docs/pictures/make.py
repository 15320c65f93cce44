"""Make the pictures of this folder: `python docs/pictures/make.py`, in the root of the repository.

Commands are run in a terminal of 80 columns, and Chromium draws the pages. It needs the extra `dev`
and Debian's `chromium` and `chromium-driver`. Pictures of commands are text, which a test compares
with what the commands print today. Nothing is loaded from the network.
"""

from __future__ import annotations

import contextlib
import glob
import io
import itertools
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Generator
from pathlib import Path
from typing import Any
from unittest.mock import patch

from PIL import Image
from rich.console import Console
from rich.text import Text
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.wait import WebDriverWait

from citeguard.cli.app import run

FOLDER = Path(__file__).parent.resolve()
ROOT = FOLDER.parents[1]
EXAMPLE = "docs/example"
COLUMNS = 80
QUESTION = "What does a minimal eye examination consist of?"
TEXTS = f"{EXAMPLE}/*.txt"
SOURCES = f"--sources {TEXTS}"
CHART = "The first eye chart was printed in 1862."

COMMANDS = {
    "help": ["citeguard --help"],
    "check": [f"citeguard check {EXAMPLE}/answer-with-errors.json {SOURCES}"],
    "audit": [f"citeguard audit {EXAMPLE}/summary.md {SOURCES}"],
    "baseline": [
        f'echo "A minimal eye examination has no test of pupil function. {CHART}" > answer.txt',
        f"citeguard audit answer.txt {SOURCES} --json earlier.json > /dev/null",
        f'echo "A minimal eye examination tests pupil function. {CHART} It was blue." > answer.txt',
        f"citeguard audit answer.txt {SOURCES} --baseline earlier.json",
    ],
    "ask": [f'citeguard ask {EXAMPLE}/paper/minimap2.pdf "How much memory does minimap2 need?"'],
    "chat": [f"printf '{QUESTION}\\nWhat is visual acuity?\\n' | citeguard chat {TEXTS}"],
    "fact-check": [
        'citeguard fact-check "The bridge was opened in 1937. It is 2,737 metres long." '
        f"--folder {EXAMPLE}/pages"
    ],
    "library": [
        f"citeguard library add eyes.db {TEXTS}",
        "citeguard library list eyes.db",
        'citeguard library search eyes.db "ways of testing the eyes" --k 2',
        "citeguard library check eyes.db",
    ],
    "receipt": [
        f"citeguard receipt make {EXAMPLE}/answer.json {SOURCES} > answer.receipt.json",
        f"sed -i 's/not only/only/' {EXAMPLE}/infant-vision.txt",
        f"citeguard receipt check answer.receipt.json {SOURCES}",
    ],
    "filter": [f"citeguard filter {EXAMPLE}/samples.jsonl {SOURCES} --kept good.jsonl"],
    "evaluate": [f"citeguard evaluate {EXAMPLE}/samples.jsonl {SOURCES} --label-field label"],
    "export": [f"citeguard export {EXAMPLE}/samples.jsonl --to dataset {SOURCES}"],
    "synthesize": [f"citeguard data synthesize {TEXTS} --to made.jsonl --originals"],
    "serve": ["citeguard serve --port 8017"],
    "mcp": [f"citeguard mcp {EXAMPLE}/eye-examination.txt --http 127.0.0.1:8018"],
    "outline": [f"citeguard dev outline {EXAMPLE}/summary.md"],
}
"""What is typed in the terminal, by the name of its picture."""

# A window without its buttons, and without the font that Rich would load from elsewhere.
_WINDOW = """<svg viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg"
 xml:space="preserve">
<style>text {{ font: 20px monospace; white-space: pre }}
{styles}</style>
<rect width="100%" height="100%" rx="8" fill="#292929"/>
<g transform="translate(9, 20)">
{backgrounds}{matrix}
</g>
</svg>
"""
# What a terminal has erased: it was shown while an answer was looked for.
_ERASED = re.compile(r"\x1b\[\?25l.*?\x1b\[\?25h\s*\x1b\[1A\x1b\[2K", re.DOTALL)
_FOR_A_SHELL = re.compile(r"^(?!citeguard )|[|<>;&$`]")
_PATIENCE = 120  # seconds
_COLOURS = 128
_COULD_NOT_RUN = 2  # the exit status


def printed(*commands: str) -> str:
    """Return what commands print in a terminal with colours, each after what is typed."""
    environment = {**os.environ, "COLUMNS": str(COLUMNS), "FORCE_COLOR": "1"}
    shown = list[str]()
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(ROOT / EXAMPLE, Path(folder, EXAMPLE))
        with contextlib.chdir(folder):
            for command in commands:
                shown.append(f"\x1b[2m$\x1b[0m \x1b[1m{command}\x1b[0m\n")
                if command.split()[1] in ("serve", "mcp"):
                    with served(command, folder) as said:
                        shown.append(said)
                else:
                    with patch.dict(os.environ, environment):
                        shown.append(_printed(command))
    return "".join(shown)


def _printed(command: str) -> str:
    if _FOR_A_SHELL.search(command):
        script = f'citeguard() {{ "{sys.executable}" -m citeguard "$@"; }}\n{command}'
        done = subprocess.run(["bash", "-c", script], capture_output=True, text=True)
        status, output, errors = done.returncode, done.stdout, done.stderr
    else:  # in this process, where models are loaded once
        arguments = (sorted(glob.glob(each)) or [each] for each in shlex.split(command)[1:])
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = run(list(itertools.chain(*arguments)))
        output, errors = out.getvalue(), err.getvalue()
    if status == _COULD_NOT_RUN:
        raise RuntimeError(errors)
    return _ERASED.sub("", output)


def draw_commands() -> None:
    """Draw what the commands print."""
    for name, commands in COMMANDS.items():
        console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True)
        console.print(Text.from_ansi(printed(*commands)))
        drawn = console.export_svg(code_format=_WINDOW, unique_id=name)
        small = re.sub(r' clip-path="[^"]*"|<text[^>]*>\s*</text>', "", drawn)
        FOLDER.joinpath(f"{name}.svg").write_text(small.replace("&#160;", " "), encoding="utf-8")


def draw_pages() -> None:
    """Draw the page of an audit, which is kept, of a fact check and of a chat, at 1280 by 800."""
    with browser() as chromium, tempfile.TemporaryDirectory() as folder:
        report, facts = FOLDER / "report.html", Path(folder, "facts.html")
        library = Path(folder, "library.db")
        for name, page in (("audit", report), ("fact-check", facts)):
            printed(f"{COMMANDS[name][0]} --html {page}")
            draw(chromium, page.as_uri(), page.stem)
        printed(f"citeguard library add {library} {TEXTS}")
        with served(f"citeguard serve --port 0 --library {library}") as said:
            draw(chromium, re.findall(r"http://\S+", said)[0] + "/ask", "chat", QUESTION)


def draw(chromium: webdriver.Chrome, address: str, name: str, question: str = "") -> None:
    """Draw a page, with the answer to a question if there is one, in few colours."""
    chromium.get(address)
    if question:
        chromium.find_element(By.ID, "question").send_keys(question, Keys.ENTER)
        answered = (By.CSS_SELECTOR, "#messages .answer[aria-busy=false]")
        WebDriverWait(chromium, _PATIENCE).until(lambda page: page.find_elements(*answered))
    with Image.open(io.BytesIO(chromium.get_screenshot_as_png())) as picture:
        picture.convert("RGB").quantize(_COLOURS).save(FOLDER / f"{name}.png", optimize=True)


@contextlib.contextmanager
def browser() -> Generator[webdriver.Chrome]:
    """Start a Chromium, and end it."""
    options = webdriver.ChromeOptions()
    for flag in ("headless=new", "no-sandbox", "hide-scrollbars", "window-size=1280,940"):
        options.add_argument(f"--{flag}")
    driver = webdriver.Chrome(options, Service(shutil.which("chromedriver")))
    try:
        yield driver
    finally:
        driver.quit()


@contextlib.contextmanager
def served(command: str, folder: str | Path = ROOT) -> Generator[str]:
    """Start a command that serves, and yield what it prints until it is ready."""
    program = [sys.executable, "-m", *shlex.split(command)]
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    with subprocess.Popen(program, cwd=folder, **pipes) as run:
        assert run.stdout is not None
        said = ""
        try:
            for line in run.stdout:
                said += line
                if "Ctrl-C" in line:
                    break
            yield said
        finally:
            run.terminate()


if __name__ == "__main__":
    draw_commands()
    draw_pages()
