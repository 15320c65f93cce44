"""What the pre-commit hook runs: `python -m citeguard.cli.hook SOURCES TEXT...`.

It needs no shell, so that it also works on Windows.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from citeguard.cli.app import run
from citeguard.cli.output import ExitStatus


def main(arguments: Sequence[str]) -> int:
    """Audit texts against the same sources, which come first, and show each report.

    It returns 0 if no text fails; what nobody could decide does not fail. Else 1, or 130 if
    interrupted.
    """
    sources, *texts = arguments
    result = ExitStatus.PASSED
    for text in texts:
        status = run(["audit", text, "--quiet", "--sources", sources])
        if status == ExitStatus.INTERRUPTED:
            return status
        if status not in (ExitStatus.PASSED, ExitStatus.UNDECIDED):
            result = ExitStatus.FAILED
    return result


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
