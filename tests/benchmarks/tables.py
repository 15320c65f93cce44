"""Tables of the report, written line by line."""

from collections.abc import Iterable, Iterator, Sequence


def table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """Write a Markdown table; the first column is text, the others are figures."""
    yield f"{title}:"
    yield ""
    yield f"| {' | '.join(columns)} |"
    yield f"|---|{'--:|' * (len(columns) - 1)}"
    for row in rows:
        yield f"| {' | '.join(map(str, row))} |"
    yield ""


def met(value: float, most: float, text: str) -> str:
    """Return a figure's text, bold where it is above what is aimed at."""
    return text if value <= most else f"**{text}**"
