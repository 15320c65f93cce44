"""What an audit says of claims about tables: true ones, and ones that give another cell's figure.

    python -m tests.benchmarks.auditing.cells

`cells.jsonl.gz` has 20 documents with a table, each with three claims of both kinds, written by
somebody who knew nothing of the package.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

from citeguard import audit
from citeguard.documents.loading import read_sources

from ..data import rows
from ..tables import table

CLAIMS = Path(__file__).with_name("cells.jsonl.gz")
_VERDICTS = ("supported", "undecided", "unsupported", "contradicted")


def main() -> None:
    """Print how many claims of each kind have which verdict."""
    found: dict[str, Counter[str]] = {"true": Counter(), "false": Counter()}
    for row in rows(CLAIMS):
        sources = read_sources([(f"{row['id']}.{row['format']}", row["text"].encode())])
        for kind, counts in found.items():
            for claim in row[kind]:
                verdicts = {each.verdict for each in audit(claim, sources).claims}
                counts[
                    next((each for each in reversed(_VERDICTS) if each in verdicts), "none")
                ] += 1
    lines = [(kind, *(counts[each] for each in _VERDICTS)) for kind, counts in found.items()]
    for line in table("Claims about cells of tables", ("claims", *_VERDICTS), lines):
        sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main()
