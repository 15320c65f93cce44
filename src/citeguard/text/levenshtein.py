"""Semi-global Levenshtein distance: the substring of a text that is nearest to a pattern.

Myers' bit-parallel algorithm (G. Myers, "A fast bit-vector algorithm for approximate string
matching based on dynamic programming", JACM 46(3), 1999), in the form of H. Hyyrö (2003), with
Python's integers as bit vectors of any length.
"""

from __future__ import annotations

from collections.abc import Iterable


def end_distances(pattern: str, text: Iterable[str], *, anchored: bool = False) -> list[int]:
    """Return, for every `j`, the least distance of a pattern to a substring ending at `text[j]`.

    The list has one entry more than the text; entry 0 is the distance to the empty substring.
    Distances count insertions, deletions and substitutions of characters, one each.

    Args:
        pattern: what to look for.
        text: where; read once, from the start.
        anchored: the substring must start at the start of the text.

    Examples:
        >>> end_distances("abc", "xabx")
        [3, 3, 2, 1, 1]
    """
    length = len(pattern)
    if not length:
        return [j if anchored else 0 for j, _ in enumerate([None, *text])]
    peq: dict[str, int] = {}
    for i, char in enumerate(pattern):
        peq[char] = peq.get(char, 0) | 1 << i
    mask, last = (1 << length) - 1, 1 << (length - 1)
    positive, negative, distance = mask, 0, length
    distances = [distance]
    for char in text:
        equal = peq.get(char, 0)
        diagonal = (((equal & positive) + positive) ^ positive) | equal | negative
        horizontal_positive = negative | ~(diagonal | positive)
        horizontal_negative = positive & diagonal
        if horizontal_positive & last:
            distance += 1
        elif horizontal_negative & last:
            distance -= 1
        shifted = horizontal_positive << 1 | anchored
        positive = (horizontal_negative << 1 | ~(diagonal | shifted)) & mask
        negative = shifted & diagonal & mask
        distances.append(distance)
    return distances


def nearest_substring(pattern: str, text: str) -> tuple[int, int, int]:
    """Return (start, end, distance) of the substring nearest to the pattern.

    Of several, the one that ends first; of those, the longest that starts with the pattern's
    first character, else the longest.

    Examples:
        >>> nearest_substring("abd", "xxabcdxx")
        (2, 6, 1)
    """
    distances = end_distances(pattern, text)
    distance = min(distances)
    end = distances.index(distance)
    backwards = end_distances(pattern[::-1], reversed(text[:end]), anchored=True)
    starts = [end - j for j, d in enumerate(backwards) if d == distance]
    start = min(starts, key=lambda s: (not text.startswith(pattern[:1], s), s))
    return start, end, distance
