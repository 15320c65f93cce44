"""How fast a long PDF file is read and quotes are found in it, in a process of its own."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import citeguard

from ..tables import table
from .latex import LATEX
from .papers import Paper, long_paper
from .platypus import REPORTLAB
from .printed import printed

_LENGTH = 1_850_000  # characters, which fill 300 pages of two columns
_QUOTES = 100
_MEGABYTE = 1_000_000
_LONG_WORD = re.compile(r"\b[a-z]{7,}\b")

# The peak is the process's own: `ru_maxrss` starts with what its parent had.
_PROGRAM = """
import json, re, sys
from time import perf_counter
from citeguard import Sources, locate
path, quotes = json.load(sys.stdin)
def seconds(act):
    start = perf_counter()
    return act(), perf_counter() - start
sources, read = seconds(lambda: Sources.from_paths(path))
(source,) = sources
with open("/proc/self/status") as status:
    peak = 1024 * int(re.search(r"VmHWM:\\s+(\\d+) kB", status.read())[1])
def find(quote):
    match = locate(quote, sources)
    return match and match.accepted and sources.location_of(match.span).page
first, *later = (seconds(lambda: find(quote))[1] for quote in (quotes[0], *quotes))
json.dump([len(source.layout.pages), len(source.text), read, peak, first, max(later)], sys.stdout)
"""


def speed_table(data: Path, folder: Path) -> Iterator[str]:
    """Write how fast a file of 300 pages is read, in how much memory, and quotes found in it."""
    paper = long_paper(data, _LENGTH)
    quotes = _quotes(paper)
    rows = [
        _row(maker.name, printed(paper, maker, maker.styles[0], folder).path, quotes)
        for maker in (REPORTLAB, LATEX)
        if maker.missing is None
    ]
    columns = ["printed by", "pages", "characters a page", "pages/s", "peak memory"]
    columns += ["first quote, with index", f"a quote, worst of {len(quotes)}"]
    yield from table("A long PDF file of two columns, in a new process", columns, rows)


def _quotes(paper: Paper) -> list[str]:
    """Return quotes in other writing, with a slip, and that nobody printed."""
    sentences = [each.text for each in paper.sentences if _LONG_WORD.search(each.text)]
    chosen = Random("quotes").sample(sentences, _QUOTES)
    unprinted = (" ".join(reversed(each.split(" "))) for each in chosen)
    return [*map(_rewritten, chosen), *map(_with_slip, chosen), *unprinted]


def _rewritten(quote: str) -> str:
    """Return a quote with other quotation marks, dashes and blanks, in small letters."""
    other = quote.replace("'", "’").replace('"', "”").replace(" - ", " – ").replace(", ", ",\u00a0")
    return f"“{other[0].lower()}{other[1:]}”"


def _with_slip(quote: str) -> str:
    """Return a quote whose first long word has a letter twice."""
    return _LONG_WORD.sub(lambda word: word[0][:4] + word[0][3:], quote, count=1)


def _row(name: str, path: Path, quotes: Sequence[str]) -> Sequence[object]:
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM],
        input=json.dumps([str(path), quotes]).encode(),
        stdout=subprocess.PIPE,
        check=True,
        env={**os.environ, "PYTHONPATH": str(Path(citeguard.__file__).parents[1])},
    )
    pages, characters, read, peak, first, worst = json.loads(done.stdout)
    return [
        name,
        pages,
        f"{characters / pages:,.0f}",
        f"{pages / read:.0f}",
        f"{peak / _MEGABYTE:.0f} MB",
        f"{1000 * first:.0f} ms",
        f"{1000 * worst:.1f} ms",
    ]
