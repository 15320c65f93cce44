"""Samples to filter: a handbook, answers that quote it rightly and wrongly, and files of them."""

import gzip
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

Json = dict[str, Any]

HANDBOOK = (
    "The notice period is one month. During probation, either party may end the contract within "
    "fourteen days. Visitors may not enter the laboratory without a badge."
)
SOURCES = {"handbook": HANDBOOK}
RIGHT = "The notice period is one month."
WRONG = "The notice period is not one month."


def sample(quote: str = RIGHT, text: str = "As the handbook says.", **more: Any) -> Json:
    """Return a sample whose one statement has one quote."""
    statement = {"text": text, "citations": [{"quote": quote, "source_id": "handbook"}]}
    return {"statements": [statement], "sources": SOURCES, **more}


def mixed(count: int) -> list[Json]:
    """Return samples of which every third is wrong."""
    return [sample(WRONG if n % 3 == 2 else RIGHT, number=n) for n in range(count)]


def as_lines(samples: Iterable[Any]) -> bytes:
    """Return samples as lines of JSON; bytes among them stand as they are."""
    encoded = (each if isinstance(each, bytes) else json.dumps(each).encode() for each in samples)
    return b"".join(line + b"\n" for line in encoded)


def write_lines(path: Path, samples: Iterable[Any]) -> Path:
    """Write samples into a file of JSON lines, compressed if its name says so."""
    lines = as_lines(samples)
    path.write_bytes(gzip.compress(lines) if path.name.lower().endswith(".gz") else lines)
    return path


def read_lines(path: Path) -> list[Json]:
    """Read a file of JSON lines."""
    content = path.read_bytes()
    if path.name.lower().endswith(".gz"):
        content = gzip.decompress(content)
    return [json.loads(line) for line in content.splitlines()]


def contents(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder, but for records, which say when they were written to."""
    paths = sorted(path for path in folder.iterdir() if not path.name.endswith(".run.json"))
    return {path.name: path.read_bytes() for path in paths}
