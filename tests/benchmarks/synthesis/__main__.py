"""Measure the wrong quotes that synthesis makes.

    python -m tests.benchmarks.synthesis DATA_FOLDER

Prints how many of each kind can be made, and what share the checks catch.
"""

from collections.abc import Iterator, Sequence

from pydantic import ValidationError

from citeguard import Citation
from citeguard.datasets import Negative, negatives
from citeguard.datasets.synthesis import KINDS

from ..tables import command, table, write
from .material import TrueText, quotes

Made = tuple[Negative, TrueText]


def _lines(true: Sequence[TrueText], made: Sequence[Made]) -> Iterator[str]:
    refused = sum(not _is_accepted(each.text, each) for each in true)
    columns = ("kind", "made", "from true quotes", "caught")
    yield from table("Wrong quotes", columns, [_row(kind, true, made) for kind in KINDS])
    yield f"Of {len(true)} true quotes, {refused} were rejected: {refused / len(true):.1%}."


def _row(kind: str, true: Sequence[TrueText], made: Sequence[Made]) -> list[object]:
    own = [each for each in made if each[0].kind == kind]
    caught = sum(not _is_accepted(negative.text, text) for negative, text in own)
    share = f"{caught / len(own):.1%}" if own else ""
    return [kind, len(own), f"{len(own) / len(true):.1%}", share]


def _is_accepted(quote: str, true: TrueText) -> bool:
    """Return whether a citation of the quote passes, with the source named."""
    data = {"quote": quote, "source_id": true.source_id}
    try:
        Citation.model_validate(data, context=true.sources.as_context())
    except ValidationError:
        return False
    return True


if __name__ == "__main__":
    true = list(quotes(command("synthesis", __doc__).parse_args().data))
    made = [
        (each, text)
        for text in true
        for each in negatives(text.text, text.sources, source_id=text.source_id)
    ]
    write(_lines(true, made))
