"""Contrasts of kind `negation` in scripts without spaces."""

from __future__ import annotations

from collections.abc import Iterator

from citeguard.text.contrast.pair import Contrast, Pair, contrast
from citeguard.text.reading.words import Reading

_NEGATORS = "不没沒未无無非勿"
_REACH = 4  # ideographs before a word in which a negator denies it
# What begins with such a character and denies nothing.
_HARMLESS = frozenset(
    "不同 不断 不斷 不仅 不僅 不但 不过 不過 非常 无论 無論 未来 未來 不管 不久 不少 无数 不禁"
    " 不止 不只 非洲 不一 不错 不得 不妨".split()
)


def unspaced_contrasts(pair: Pair) -> Iterator[Contrast]:
    """Yield the contrasts of ideographs after a negator that the other text has without one."""
    one, other = pair.statement, pair.passage
    for i, j in _denied_in(one, other):
        yield contrast("negation", one.slice(i, i + 2), other.slice(j, j + 1))
    for j, i in _denied_in(other, one):
        yield contrast("negation", one.slice(i, i + 1), other.slice(j, j + 2))


def _denied_in(denying: Reading, other: Reading) -> Iterator[tuple[int, int]]:
    """Yield (place of a negator, place in the other text of what it denies, said there)."""
    for i, word in enumerate(denying.words):
        if word.kind == "character" and word.key in _NEGATORS and i + 2 < len(denying.words):
            denied = denying.words[i + 1].key, denying.words[i + 2].key
            if word.key + denied[0] not in _HARMLESS and denied[1] != denying.stem_at(i - 1):
                places = [j for j in other.places.get(denied[0], ()) if _stands(other, j, denied)]
                if places and not any(_is_denied_before(other, j) for j in places):
                    yield from ((i, j) for j in places[:1] if _stand_alike(denying, i, other, j))


def _stands(reading: Reading, j: int, two: tuple[str, str]) -> bool:
    return reading.stem_at(j) == two[0] and reading.stem_at(j + 1) == two[1]


def _is_denied_before(reading: Reading, j: int) -> bool:
    return any(reading.words[k].key in _NEGATORS for k in range(max(0, j - _REACH), j))


def _stand_alike(denying: Reading, i: int, other: Reading, j: int) -> bool:
    """Tell whether what stands before and after is the same, as far as it tells."""
    before = denying.stem_at(i - 1) == other.stem_at(j - 1)
    after = denying.stem_at(i + 3) == other.stem_at(j + 2)
    return (
        (before and after)
        or (before and denying.stem_at(i - 2) == other.stem_at(j - 2))
        or (after and denying.stem_at(i + 4) == other.stem_at(j + 3))
    )
