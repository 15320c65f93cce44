"""What preparing a source costs: all that the first search with edits builds, whatever it is."""

import gc
import tracemalloc
from collections.abc import Iterator

from citeguard import Sources, locate

from .texts import Prose, curly, with_emoji, with_marks
from .timing import Row, best_in_turns

_LEAST_SPEED = 5.0  # MB/s
_MOST_MEMORY = 8.0  # bytes a character


def rows(prose: Prose) -> Iterator[Row]:
    """Measure speed and memory for texts of several scripts."""
    english = prose.first(1_000_000)
    straight = english.encode("ascii", "ignore").decode()
    texts = {
        "English, ASCII": straight,
        "English as it is": english,
        "curly quotes": curly(english),
        "citation marks": with_marks(english),
        "Chinese": prose.chinese(1_000_000),
        "emoji": with_emoji(english),
        "English, ASCII, 5,000": straight[:5_000],
    }
    for name, text in texts.items():
        yield from _text_rows(name, text)


def _text_rows(name: str, text: str) -> Iterator[Row]:
    # Letters as the text has them, in an order that it has not: sought with edits, never found.
    quote = text[len(text) // 2 :][:100][::-1]
    speed = len(text.encode()) / 1e6 / _seconds(text, quote)
    kept, peak = _memory(text, quote)
    yield Row(
        case=f"prepare: {name}",
        ours=f"{speed:.2f} MB/s",
        aim=f"≥ {_LEAST_SPEED:g} MB/s",
        met=speed >= _LEAST_SPEED,
    )
    yield Row(
        case=f"memory: {name}",
        ours=f"{kept:.2f} B/char (peak {peak:.1f})",
        aim=f"≤ {_MOST_MEMORY:g}",
        met=kept <= _MOST_MEMORY,
    )


def _seconds(text: str, quote: str) -> float:
    """The first search in a text, less what the search itself takes."""
    sources = Sources(text)
    first, later = best_in_turns(
        (lambda: locate(quote, Sources(text)), lambda: locate(quote, sources)), 5
    )
    return first - later


def _memory(text: str, quote: str) -> tuple[float, float]:
    """Return the bytes a character that are kept, and that are in use at most meanwhile.

    The text itself does not count: whoever built the sources holds it anyway.
    """
    locate(quote, Sources(text))  # tables that all sources share
    gc.collect()
    tracemalloc.start()
    try:
        sources = Sources(text)
        locate(quote, sources)
        gc.collect()
        kept, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    del sources
    return kept / len(text), peak / len(text)
