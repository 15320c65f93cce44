"""The folder of labelled data: files of compressed JSON lines."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def rows(file: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows of a file of compressed JSON lines."""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)
