"""How fast a long PDF file is read and quotes are found in it, in a process of its own."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import citeguard

from ..tables import aimed, table
from .latex import LATEX
from .papers import Paper, long_paper
from .platypus import REPORTLAB
from .printed import printed

_LENGTH = 1_850_000  # characters, which fill 300 pages of two columns
_QUOTES = 100
_MEGABYTE = 1_000_000
_LEAST_RATE, _MOST_MEMORY, _MOST_TIME = 50, 500, 20  # pages/s, MB, ms: what is aimed at
_LONG_WORD = re.compile(r"\b[a-z]{7,}\b")

# The peak is the process's own: `ru_maxrss` starts with what its parent had.
_PROGRAM = """
import json, re, sys
from time import perf_counter, process_time
start = perf_counter()
from citeguard import Sources, locate
imported = perf_counter()
path, groups = json.load(sys.stdin)
def seconds(act):
    start = perf_counter()
    return act(), perf_counter() - start
def peak():
    with open("/proc/self/status") as status:
        return 1024 * int(re.search(r"VmHWM:\\s+(\\d+) kB", status.read())[1])
def find(quote):
    match = locate(quote, sources)
    if match is None or not match.accepted:
        return None
    return sources.location_of(match.span).page
working = process_time()
sources, read = seconds(lambda: Sources.from_paths(path))
told = {"imported": imported - start, "read": read, "worked": process_time() - working}
told["peak"] = peak()
(source,) = sources
told["pages"] = len(source.layout.pages)
told["first"] = seconds(lambda: find(groups["in other writing"][0]))[1]
told["found"] = {
    name: [seconds(lambda: find(quote)) for quote in quotes] for name, quotes in groups.items()
}
told["last peak"] = peak()
json.dump(told, sys.stdout)
"""


def speed_tables(data: Path, folder: Path) -> Iterator[str]:
    """Write how fast a file of 300 pages is read, in how much memory, and quotes found in it."""
    paper = long_paper(data, _LENGTH)
    makers = [maker for maker in (REPORTLAB, LATEX) if maker.missing is None]
    files = {maker.name: printed(paper, maker, maker.styles[0], folder).path for maker in makers}
    told = {name: _told(path, _groups(paper)) for name, path in files.items()}
    columns = [
        "made by",
        "pages",
        "import",
        "read",
        "of that, CPU time",
        "pages/s",
        "peak",
        "peak with quotes",
        "first quote, with index",
    ]
    rows = [_row(name, each) for name, each in told.items()]
    yield from table("A long PDF file of two columns, in a new process", columns, rows)
    columns = ["quotes", "", "found", "median", "worst"]
    rows = [row for name, each in told.items() for row in _quote_rows(name, each)]
    yield from table("Quotes in it, after reading it and finding one", columns, rows)


def _groups(paper: Paper) -> Mapping[str, Sequence[str]]:
    """Return quotes as they are printed, in other writing, with a slip, and that nobody printed."""
    sentences = [each.text for each in paper.sentences if _LONG_WORD.search(each.text)]
    chosen = Random("quotes").sample(sentences, _QUOTES)
    return {
        "as printed": chosen,
        "in other writing": list(map(_rewritten, chosen)),
        "with a slip": list(map(_with_slip, chosen)),
        "of another text": [" ".join(reversed(each.split(" "))) for each in chosen],
    }


def _rewritten(quote: str) -> str:
    """Return a quote with other quotation marks, dashes and blanks, in small letters."""
    other = quote.replace("'", "’").replace('"', "”").replace(" - ", " – ").replace(", ", ",\u00a0")
    return f"“{other[0].lower()}{other[1:]}”"


def _with_slip(quote: str) -> str:
    """Return a quote whose first long word has a letter twice."""
    return _LONG_WORD.sub(lambda word: word[0][:4] + word[0][3:], quote, count=1)


def _told(path: Path, groups: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    package = Path(citeguard.__file__).parents[1]
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM],
        input=json.dumps([str(path), groups]).encode(),
        stdout=subprocess.PIPE,
        check=True,
        env={**os.environ, "PYTHONPATH": str(package)},
    )
    return json.loads(done.stdout)


def _row(name: str, told: Mapping[str, Any]) -> Sequence[object]:
    rate, peak = told["pages"] / told["read"], told["peak"] / _MEGABYTE
    last = told["last peak"] / _MEGABYTE
    return [
        name,
        told["pages"],
        f"{told['imported']:.2f} s",
        f"{told['read']:.2f} s",
        f"{told['worked']:.2f} s",
        aimed(rate >= _LEAST_RATE, f"{rate:.0f}"),
        aimed(peak < _MOST_MEMORY, f"{peak:.0f} MB"),
        aimed(last < _MOST_MEMORY, f"{last:.0f} MB"),
        f"{1000 * told['first']:.0f} ms",
    ]


def _quote_rows(name: str, told: Mapping[str, Any]) -> Iterator[Sequence[object]]:
    for group, timed in told["found"].items():
        times = [1000 * seconds for _, seconds in timed]
        found = sum(page is not None for page, _ in timed)
        middle, worst = median(times), max(times)
        yield [
            group,
            name,
            f"{found} of {len(timed)}",
            aimed(middle < _MOST_TIME, f"{middle:.2f} ms"),
            aimed(worst < _MOST_TIME, f"{worst:.1f} ms"),
        ]
