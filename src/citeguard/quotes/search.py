"""Approximate search: folded letters, the edit budget of a quote, the substring nearest to it.

A quote of `m` letters may differ from its source by `edit_budget(m)` edits. It has `m // 5`
disjoint pieces of five letters, and each edit changes at most one of them. So wherever the quote is
within the budget, at least `m // 5 - budget` pieces are unchanged, shifted against one another by
no more than the budget (the pigeonhole lemma of Jokinen and Ukkonen, 1991). Only places where that
many pieces meet are compared letter by letter, by Myers' bit-parallel algorithm (G. Myers, "A fast
bit-vector algorithm for approximate string matching based on dynamic programming", JACM 46(3),
1999), in the form of H. Hyyrö (2003), with Python's integers as bit vectors of any length.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from rapidfuzz.distance import LCSseq, Levenshtein

from citeguard.language.scripts import CharacterTable

PIECE = 5
_SHORTEST = 2 * PIECE  # below, one edit could change every piece: no edits are allowed
LONGEST = 4_000  # letters, or characters; longer quotes are found verbatim or folded only
_MOST_HALVES = 2_000  # places of half a short quote that are tried
_MOST_SCANNED = 50_000  # letters of text times pieces: beyond it an index is faster
_MOST_TIMES = 4  # occurrences of a piece on average, beyond which a text is repetitive
_FEW_EDITS = (1, 3, 6)  # numbers of edits for which trying intact parts beats the bit vectors
_MOST_INTACT = 16  # places of a part that are tried

Region = tuple[int, int]  # half-open; of letters of a search form


@dataclass(frozen=True, slots=True)
class Candidate:
    """A half-open interval of a search form, and its distance from the quote's in edits."""

    start: int
    end: int
    distance: int


def edit_budget(length: int) -> int:
    """Return by how many edits a quote of `length` letters may differ from its source.

    Examples:
        >>> [edit_budget(length) for length in (9, 16, 100, 5000)]
        [0, 2, 12, 0]
    """
    # Fewer edits than pieces, or the lemma would promise nothing.
    return length // 8 if _SHORTEST <= length <= LONGEST else 0


def scanned_regions(quote: str, text: str) -> list[Region] | None:
    """Return where a short text may contain a quote with edits, within the budget.

    Places that overlap an unchanged occurrence of the quote, which is nearer, do not count.

    Args:
        quote: The letters to look for.
        text: The search form to look in.

    Returns:
        No region or one; `None` if the text is so long or repetitive that an index is needed.

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
    every = (
        place - PIECE * i for i, piece in enumerate(pieces) for place in occurrences(piece, text)
    )
    shifts = [*islice(every, _MOST_TIMES * count + 1)]
    if len(shifts) > _MOST_TIMES * count:
        return None
    # An edited place has enough pieces near its beginning. One that shares a piece with an
    # unchanged occurrence overlaps it, so only the other pieces can show a place elsewhere.
    unchanged = {*occurrences(quote, text)}
    needed = count - budget
    if len(shifts) - sum(shift in unchanged for shift in shifts) < needed:
        return []
    shifts.sort()
    close = zip(shifts, shifts[needed - 1 :], strict=False)
    firsts = [first for first, last in close if last - first <= budget]
    regions = [*regions_of(firsts, len(quote), len(text))]
    return regions if len(regions) < 2 else None


def places_with_one_edit(quote: str, text: str) -> Iterator[Region]:
    """Yield where a text has a quote of 6 to 9 letters with one edit, which leaves half intact."""
    middle = len(quote) // 2
    for half, offset in (
        ((quote[:middle], 0), (quote[middle:], middle)) if 2 < middle < PIECE else ()
    ):
        for place in islice(occurrences(half, text), _MOST_HALVES):
            # The intact half is at its own end of the place; the other end may move.
            for moved in (-1, 0, 1):
                low = place - offset - (moved if offset else 0)
                high = place - offset + len(quote) + (0 if offset else moved)
                if (
                    0 <= low < high <= len(text)
                    and Levenshtein.distance(quote, text[low:high], score_cutoff=1) == 1
                ):
                    yield low, high


def regions_of(firsts: Iterable[int], quoted: int, length: int) -> Iterator[Region]:
    """Yield the intervals of a text that may contain a quote.

    Args:
        firsts: For each place where enough pieces meet, the start of the quote that the first of
            them implies; ascending.
        quoted: The number of letters of the quote.
        length: The number of letters of the text.
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


def occurrences(letters: str, text: str) -> Iterator[int]:
    """Yield where some letters occur in a text unchanged, in order; empty ones occur nowhere."""
    place = text.find(letters) if letters else -1
    while place >= 0:
        yield place
        place = text.find(letters, place + 1)


def end_distances(pattern: str, text: Iterable[str], *, anchored: bool = False) -> list[int]:
    """Return, for every `j`, the least distance of a pattern to a substring ending at `text[j]`.

    The list has one entry more than the text; entry 0 is the distance to the empty substring.
    Distances count insertions, deletions and substitutions of characters, one each.

    Args:
        pattern: The string to look for.
        text: The characters to look in; read once, from the start.
        anchored: Whether the substring must start at the start of the text.

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
    """Return (start, end, distance) of a substring nearest to a pattern.

    Args:
        pattern: The string to look for; not empty.
        text: The text to look in.
        most: The greatest distance allowed, inclusive.

    Returns:
        `None` if every substring is further away.

    Examples:
        >>> nearest_substring("abcde", "xxabxdexx", most=1)
        (2, 7, 1)
    """
    for edits in (tried for tried in _FEW_EDITS if tried <= most):
        if (nearest := _with_part_intact(pattern, text, edits)) is not None:
            return nearest
    return _by_bit_vectors(pattern, text, most)


def _with_part_intact(pattern: str, text: str, edits: int) -> tuple[int, int, int] | None:
    """Return the nearest substring within a few edits, which leave one of `edits + 1` parts intact.

    Wherever a part occurs, the rest of the pattern on either side of it is compared with a few
    stretches of the text, one for each shift that the edits allow.
    """
    best: tuple[int, int, int] | None = None
    width = len(pattern) // (edits + 1)
    for low in range(0, width * (edits + 1), max(1, width)):
        before, part, after = pattern[:low], pattern[low : low + width], pattern[low + width :]
        places = [*islice(occurrences(part, text), _MOST_INTACT + 1)]
        if len(places) > _MOST_INTACT:  # a repetitive text, for the bit vectors
            return None
        for place in places:
            nearest = _around(before, after, text, place, place + len(part), edits)
            if nearest is not None and (best is None or nearest[2] < best[2]):
                best = nearest
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
    """Return (length, distance) of the prefix of a text nearest to some words, within `edits`."""
    if text.startswith(words):
        return len(words), 0
    # Another length saves at most `edits`, so beyond twice as many no prefix is near enough.
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
    # Of equally near ones, prefer one that begins as the pattern does, then the longest.
    start = min(starts, key=lambda s: (not text.startswith(pattern[:1], s), s))
    return start, end, distance


def nearest_in(letters: str, region: Region, quote: str) -> Candidate | None:
    """Return the place in a region nearest to a quote, or `None` if none is within the budget."""
    budget, text = edit_budget(len(quote)), letters[region[0] : region[1]]
    # A cheap test that rejects nothing within the budget: so many letters must be in common order.
    needed = len(quote) - budget
    if LCSseq.similarity(quote, text, score_cutoff=needed) < needed:
        return None
    nearest = nearest_substring(quote, text, most=budget)
    return nearest and Candidate(region[0] + nearest[0], region[0] + nearest[1], nearest[2])


# Folding

# Letters that Unicode does not decompose, and letters of Arabic and Persian that are used in place
# of each other.
_LETTERS = {
    "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ħ": "h", "ł": "l", "ı": "i",
    "ŋ": "ng", "ŧ": "t",
    "ة": "ه", "ى": "ي", "ی": "ي", "ک": "ك", "ٱ": "ا", "ہ": "ه", "ھ": "ه",
}  # fmt: skip
_DROPPED = frozenset("™®©℠ـªº⁰¹²³⁴⁵⁶⁷⁸⁹")
# Letters beyond the basic plane fold into its private use area, so that no search form takes more
# than two bytes a character. Two letters may fold to one: `differences` compares the originals.
_PRIVATE_START, _PRIVATE_SIZE = 0xE000, 0x1900


def _is_dropped(char: str) -> bool:
    return char in _DROPPED or "ʰ" <= char <= "˿"  # modifier letters, the apostrophe among them


def _fold_decomposed(char: str) -> str:
    if _is_dropped(char):
        return ""
    if char in _LETTERS:
        return _LETTERS[char]
    category = unicodedata.category(char)
    if category == "Nd":
        return str(unicodedata.digit(char))
    if category[0] not in "LN":
        return ""
    return char if char < "\U00010000" else chr(_PRIVATE_START + ord(char) % _PRIVATE_SIZE)


def fold_character(char: str) -> str:
    """Return the letters and digits that one character contributes to the search form.

    Examples:
        >>> [fold_character(char) for char in ("É", "ﬁ", "7", "½", "-")]
        ['e', 'fi', '7', '12', '']
    """
    if _is_dropped(char):
        return ""
    folded = unicodedata.normalize("NFKD", char).casefold()
    return "".join(map(_fold_decomposed, unicodedata.normalize("NFKD", folded)))


FOLDS = CharacterTable(lambda char: fold_character(char) or None)


def fold(text: str) -> str:
    """Return the folded letters and digits of a text, including those of its noise."""
    return text.translate(FOLDS)
