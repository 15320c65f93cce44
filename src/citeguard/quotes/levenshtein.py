"""Semi-global Levenshtein distance: the substring of a text that is nearest to a pattern.

Myers' bit-parallel algorithm (G. Myers, "A fast bit-vector algorithm for approximate string
matching based on dynamic programming", JACM 46(3), 1999), in the form of H. Hyyrö (2003), with
Python's integers as bit vectors of any length.
"""

from __future__ import annotations

from collections.abc import Iterable

from rapidfuzz.distance import Levenshtein

_FEW_EDITS = (1, 3, 6)  # numbers of edits for which trying intact parts beats the bit vectors
_MOST_INTACT = 16  # places of a part that are tried


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
    # No complement (`~`): Python is slow with the bits of negative numbers.
    for char in text:
        equal = peq.get(char, 0)
        diagonal = ((((equal & positive) + positive) ^ positive) | equal | negative) & mask
        horizontal_positive = negative | (mask ^ (diagonal | positive))
        horizontal_negative = positive & diagonal
        if horizontal_positive & last:
            distance += 1
        elif horizontal_negative & last:
            distance -= 1
        shifted = (horizontal_positive << 1 | anchored) & mask
        positive = (horizontal_negative << 1 & mask) | (mask ^ (diagonal | shifted))
        negative = shifted & diagonal
        distances.append(distance)
    return distances


def nearest_substring(pattern: str, text: str, *, most: int) -> tuple[int, int, int] | None:
    """Return (start, end, distance) of a substring nearest to a pattern, within some edits.

    Args:
        pattern: what to look for; not empty.
        text: where.
        most: the greatest distance that counts.

    Returns:
        `None` when every substring is further away than that.

    Examples:
        >>> nearest_substring("abcde", "xxabxdexx", most=1)
        (2, 7, 1)
    """
    for edits in (tried for tried in _FEW_EDITS if tried <= most):
        if (found := _with_part_intact(pattern, text, edits)) is not None:
            return found
    return _by_bit_vectors(pattern, text, most)


def _with_part_intact(pattern: str, text: str, edits: int) -> tuple[int, int, int] | None:
    """Return the nearest substring within a few edits: they leave one of `edits + 1` parts intact.

    Wherever a part stands, the rest of the pattern on either side of it is compared with a few
    stretches of the text, one for each shift that the edits allow.
    """
    best: tuple[int, int, int] | None = None
    width = len(pattern) // (edits + 1)
    for low in range(0, width * (edits + 1), max(1, width)):
        before, part, after = pattern[:low], pattern[low : low + width], pattern[low + width :]
        place = text.find(part)
        for _ in range(_MOST_INTACT):
            if place < 0:
                break
            found = _around(before, after, text, place, place + len(part), edits)
            if found is not None and (best is None or found[2] < best[2]):
                best = found
            place = text.find(part, place + 1)
        if place >= 0:  # a repetitive text: leave it to the bit vectors
            return None
    return best


def _around(
    before: str, after: str, text: str, start: int, end: int, edits: int
) -> tuple[int, int, int] | None:
    left = _nearest_prefix(
        before[::-1], text[max(0, start - len(before) - edits) : start][::-1], edits
    )
    if left is None:
        return None
    right = _nearest_prefix(after, text[end : end + len(after) + edits], edits - left[1])
    return right and (start - left[0], end + right[0], left[1] + right[1])


def _nearest_prefix(words: str, text: str, edits: int) -> tuple[int, int] | None:
    """Return (length, distance) of the prefix of a text that is nearest to some words."""
    if text.startswith(words):
        return len(words), 0
    # Another length saves `edits` at most: what is twice as far away needs no second look.
    far = 2 * edits
    if Levenshtein.distance(words, text[: len(words)], score_cutoff=far) > far:
        return None
    best: tuple[int, int] | None = None
    shortest = max(0, len(words) - edits)
    for length in sorted(range(shortest, len(text) + 1), key=lambda n: abs(n - len(words))):
        distance = Levenshtein.distance(words, text[:length], score_cutoff=edits)
        if distance <= edits:
            best, edits = (length, distance), distance - 1
            if not distance:
                break
    return best


def _by_bit_vectors(pattern: str, text: str, most: int) -> tuple[int, int, int] | None:
    distances = end_distances(pattern, text)
    distance = min(distances)
    if distance > most:
        return None
    end = distances.index(distance)
    longest = text[max(0, end - len(pattern) - distance) : end]
    backwards = end_distances(pattern[::-1], reversed(longest), anchored=True)
    starts = [end - j for j, d in enumerate(backwards) if d == distance]
    # Of equally near ones, one that begins as the pattern does, else the longest.
    start = min(starts, key=lambda s: (not text.startswith(pattern[:1], s), s))
    return start, end, distance
