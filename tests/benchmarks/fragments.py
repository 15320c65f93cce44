"""How many text fragments of links Chrome's own polyfill finds: needs node, and no network.

    npm install --prefix FOLDER text-fragments-polyfill@6 jsdom@26
    python -m tests.benchmarks.fragments FOLDER

Of each page, sentences, four words of each, neighbouring blocks and cells of tables are linked to;
one counts if exactly its words are highlighted, in their place and not in another with the same
words.
"""

import argparse
import json
import re
import subprocess
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from citeguard.documents import read_sources
from citeguard.sources.links import text_fragment_url

_HERE = Path(__file__).parent
_PAGES = [
    *sorted((_HERE.parents[1] / "docs/example/pages").glob("*.html")),
    _HERE / "fragments.html",
]
_MARKS = re.compile(r"(?m)^(?:- |\d+\. )")  # of lists: no words of the page


def cases_of(page: Path) -> Iterator[dict[str, Any]]:
    """Yield links to places of a page, with the words there and those before."""
    [source] = read_sources([(page.name, page.read_bytes())])
    text = source.text
    for start, end in _spans(text):
        words = _MARKS.sub("", text[start:end])
        line = text.rfind("\n", 0, start) + 1
        kind = "blocks" if "\n" in words.strip() else "inside"
        kind = "table" if "|" in text[line:end] else kind
        kind += ", again" if text.find(text[start:end].strip()) < start else ""
        url = text_fragment_url("https://page.example/", text, start, end)
        before = _MARKS.sub("", text[:start])[-80:]
        yield {"page": str(page), "url": url, "words": words, "before": before, "kind": kind}


def _spans(text: str) -> Iterator[tuple[int, int]]:
    lines = [line for line in re.finditer(r"[^\n]+", text) if re.search(r"\w", line[0])]
    for line in lines:
        for sentence in re.finditer(r"\S.+?(?:\.(?=\s)|$)", line[0]):
            start = line.start() + sentence.start()
            yield start, line.start() + sentence.end()
            words = [*re.finditer(r"\w+", sentence[0])]
            if len(words) > 4:
                yield start + words[1].start(), start + words[4].end()
    for one, other in pairwise(lines):
        yield one.start(), other.end()
    for cell in re.finditer(r"(?<=\| )[^|\n]+(?= \|)", text):
        yield cell.span()


def main(folder: str) -> None:
    """Print how many are found, by kind, and those that are not."""
    cases = json.dumps([case for page in _PAGES for case in cases_of(page)])
    # The script runs beside the packages, which node looks for from there.
    script = Path(folder) / "fragments.mjs"
    script.write_text((_HERE / "fragments.mjs").read_text("utf-8"), "utf-8")
    subprocess.run(["node", script.name], cwd=folder, input=cases, text=True, check=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.fragments")
    parser.add_argument("folder", help="where npm has installed the polyfill")
    main(parser.parse_args().folder)
