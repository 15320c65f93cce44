"""How far a quote may be from its source, and a first look where in a short text it may stand so.

Of a quote of `m` letters, which may differ by `edit_budget(m)` edits, an edit spoils at most one of
the `m // 5` disjoint pieces of five letters. So at least `m // 5 - budget` of them stand unchanged
wherever the quote stands within the budget, shifted against one another by no more than the budget
(the pigeonhole lemma of Jokinen and Ukkonen, 1991).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

PIECE = 5
_SHORTEST = 2 * PIECE  # below, one edit could spoil every piece: no edits are allowed
_LONGEST = 4_000  # letters; longer quotes are found verbatim or folded, not with edits
_MOST_SCANNED = 50_000  # letters of text, once for each piece: beyond it an index is quicker
_MOST_TIMES = 4  # that a piece stands in a text on average, before it is called repetitive

Region = tuple[int, int]  # half-open; of letters of a search form


def edit_budget(length: int) -> int:
    """Return how many edits a quote of so many letters may be away from its source.

    Examples:
        >>> [edit_budget(length) for length in (9, 16, 100, 5000)]
        [0, 2, 12, 0]
    """
    return length // 8 if _SHORTEST <= length <= _LONGEST else 0


def scanned_regions(quote: str, text: str) -> list[Region] | None:
    """Return where a quote may stand in a short text with edits, within the budget.

    A place beside one where the quote stands unchanged, which is nearer, does not count.

    Args:
        quote: the letters to look for.
        text: where.

    Returns:
        Nothing or one region; `None` where an index must tell, as the text is long or repetitive.

    Examples:
        >>> scanned_regions("noticeisonemonth", "thenoticeisonemonthlong")
        []
        >>> scanned_regions("noticeisonemonth", "thenoticeistwomonthslong")
        [(1, 23)]
    """
    budget, count = edit_budget(len(quote)), len(quote) // PIECE
    if not budget or len(quote) > len(text) + budget:
        return []
    if count * len(text) > _MOST_SCANNED:
        return None
    # Most texts do not have enough of the pieces anywhere.
    pieces = [quote[offset : offset + PIECE] for offset in range(0, PIECE * count, PIECE)]
    absent = (piece for piece in pieces if piece not in text)
    if next(islice(absent, budget, None), None) is not None:
        return []
    every = (place - PIECE * i for i, piece in enumerate(pieces) for place in _places(piece, text))
    shifts = [*islice(every, _MOST_TIMES * count + 1)]
    if len(shifts) > _MOST_TIMES * count:
        return None
    # An edited place has enough pieces near its beginning. Where the unchanged quote has one of
    # them, the place lies beside it; so only the others tell of a place elsewhere.
    unchanged = {*_places(quote, text)}
    if len(shifts) - sum(shift in unchanged for shift in shifts) < count - budget:
        return []
    regions = [*_regions(sorted(shifts), count - budget, quote, len(text))]
    return regions if len(regions) < 2 else None


def _regions(shifts: list[int], needed: int, quote: str, length: int) -> Iterator[Region]:
    budget = edit_budget(len(quote))
    close = zip(shifts, shifts[needed - 1 :], strict=False)
    firsts = [first for first, last in close if last - first <= budget]
    return regions_of(firsts, len(quote), length)


def regions_of(firsts: Iterable[int], quoted: int, length: int) -> Iterator[Region]:
    """Yield the intervals of a text that may hold a quote, of where enough pieces of it meet.

    Args:
        firsts: where the first of these pieces would have the quote begin, in order.
        quoted: the letters of the quote.
        length: the letters of the text.
    """
    budget = edit_budget(quoted)
    for first, last in _runs(firsts, gap=quoted // 2):
        yield max(0, first - budget), min(length, last + budget + quoted + budget)


def _runs(values: Iterable[int], *, gap: int) -> Iterator[tuple[int, int]]:
    """Yield (first, last) of each run of sorted values that lie at most `gap` apart."""
    first: int | None = None
    last = 0
    for value in values:
        if first is None:
            first = value
        elif value - last > gap:
            yield first, last
            first = value
        last = value
    if first is not None:
        yield first, last


def _places(letters: str, text: str) -> Iterator[int]:
    place = text.find(letters)
    while place >= 0:
        yield place
        place = text.find(letters, place + 1)
