"""How far a quote may be from its source, and a quick look whether anything that near can be there.

Of a quote of `m` letters, which may differ by `edit_budget(m)` edits, an edit spoils at most one of
the `m // 5` disjoint pieces of five letters. So at least `m // 5 - budget` of them stand unchanged
wherever the quote stands within the budget, shifted against one another by no more than the budget
(the pigeonhole lemma of Jokinen and Ukkonen, 1991).
"""

from __future__ import annotations

from collections.abc import Iterator

PIECE = 5
_SHORTEST = 2 * PIECE  # below, one edit could spoil every piece: no edits are allowed
_LONGEST = 4_000  # letters; longer quotes are found verbatim or folded, not with edits
_MOST_SCANNED = 50_000  # letters of text, once for each piece: beyond it an index is quicker


def edit_budget(length: int) -> int:
    """Return how many edits a quote of so many letters may be away from its source.

    Examples:
        >>> [edit_budget(length) for length in (9, 16, 100, 5000)]
        [0, 2, 12, 0]
    """
    return length // 8 if _SHORTEST <= length <= _LONGEST else 0


def may_differ_in(quote: str, text: str) -> bool:
    """Tell whether a quote may stand in a text with edits, within the budget; false is certain.

    A place beside one where the quote stands unchanged, which is nearer, does not count.

    Args:
        quote: the letters to look for.
        text: where; a long one is not looked at, and anything may be there.

    Examples:
        >>> may_differ_in("noticeisonemonth", "thenoticeisonemonthlong")
        False
        >>> may_differ_in("noticeisonemonth", "thenoticeistwomonths")
        True
    """
    budget, count = edit_budget(len(quote)), len(quote) // PIECE
    if not budget or len(quote) > len(text) + budget:
        return False
    if count * len(text) > _MOST_SCANNED:
        return True
    # An edited place has these pieces near its beginning. Where the unchanged quote has one of
    # them, the place lies beside it; so only the others tell of a place elsewhere.
    missing = count - budget
    unchanged = {*_places(quote, text)}
    for offset in range(0, PIECE * count, PIECE):
        for place in _places(quote[offset : offset + PIECE], text):
            missing -= place - offset not in unchanged
            if not missing:
                return True
    return False


def _places(letters: str, text: str) -> Iterator[int]:
    place = text.find(letters)
    while place >= 0:
        yield place
        place = text.find(letters, place + 1)
