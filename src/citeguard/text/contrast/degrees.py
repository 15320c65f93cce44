"""Contrasts of kinds `quantity` and `modality`: the statement claims more than the passage."""

from __future__ import annotations

from collections.abc import Iterator

from citeguard.text.contrast.reading import LIGHT, Contrast, Pair, Reading, contrast
from citeguard.text.contrast.tables import root

# How much of a whole a word names, from none to all of it.
_DEGREES = {
    word: degree
    for degree, words in enumerate(
        (
            "no none never neither nobody",
            "few little hardly rarely seldom scarcely",
            "some several sometimes occasionally certain",
            "many numerous often frequently various",
            "most mostly usually generally majority mainly largely typically",
            "all every each always everyone everybody entire whole both",
        )
    )
    for word in words.split()
}
_SOME = 2
_ONLY = frozenset("only just sole solely merely exclusively alone single".split())
_SAYS_ONLY = frozenset(("only", "solely", "exclusively"))
_HEDGES = frozenset(
    "may might could possibly perhaps probably likely reportedly allegedly supposedly purportedly"
    " apparently seemingly presumably potentially maybe would if whether unless 可能 或许".split()
)
_HEDGING_STEMS = frozenset(
    map(
        root,
        "alleged suspected planned proposed expected believed claimed rumored rumoured potential"
        " possible hope intend aim plan propose consider attempt try suggest seem appear threaten"
        " accuse allege suspect expect".split(),
    )
)
_REACH = 3  # words from a quantifier to what it counts, and from a hedge to its verb
_LEAST_LIKENESS = 0.6
_LEAST_COVERAGE = 0.5


def degree_contrasts(pair: Pair) -> Iterator[Contrast]:
    """Yield the contrasts of kinds `quantity` and `modality`."""
    if pair.coverage < _LEAST_COVERAGE:
        return
    yield from _quantities(pair)
    yield from _exclusivity(pair)
    yield from _certainties(pair)


def _quantities(pair: Pair) -> Iterator[Contrast]:
    for i, word in enumerate(pair.statement.words):
        if word.key in _DEGREES and (noun := _next_shared(pair, i)) is not None:
            for place in pair.passage.places[pair.statement.words[noun].stem]:
                j = _quantifier_before(pair.passage, place)
                if j is not None and _claims_more(word.key, pair.passage.words[j].key):
                    if pair.likeness(noun, place) >= _LEAST_LIKENESS:
                        yield contrast(
                            "quantity", pair.statement.slice(i, i), pair.passage.slice(j, j)
                        )
                    break


def _claims_more(stated: str, found: str) -> bool:
    one, other = _DEGREES[stated], _DEGREES[found]
    return one != other and (one < _SOME <= other or (one > _SOME and one > other))


def _next_shared(pair: Pair, i: int) -> int | None:
    """Return the place of the next shared content word, if it is near."""
    words = pair.statement.words
    for k in range(i + 1, min(i + 1 + _REACH, len(words))):
        if words[k].gap:
            return None
        if words[k].stem in pair.shared:
            return k
    return None


def _quantifier_before(reading: Reading, place: int) -> int | None:
    for k in range(place - 1, max(-1, place - 1 - _REACH), -1):
        if reading.words[k + 1].gap:
            return None
        if reading.words[k].key in _DEGREES:
            return k
    return None


def _exclusivity(pair: Pair) -> Iterator[Contrast]:
    """Yield where the statement says "only" and the passage does not."""
    if any(word.key in _ONLY for word in pair.passage.words):
        return
    for i, word in enumerate(pair.statement.words):
        is_denied = pair.statement.stem_at(i - 1) == "not"  # "not only"
        if word.key in _SAYS_ONLY and not is_denied and _next_shared(pair, i) is not None:
            yield contrast("quantity", pair.statement.slice(i, i))


def _certainties(pair: Pair) -> Iterator[Contrast]:
    """Yield where the passage hedges a verb and the statement does not."""
    if any(_hedges(pair.statement, i) for i in range(len(pair.statement.words))):
        return
    for h in range(len(pair.passage.words)):
        j = _governed(pair.passage, h) if _hedges(pair.passage, h) else None
        if j is None:
            continue
        stem = pair.passage.words[j].stem
        for i in pair.statement.places.get(stem, ())[:1]:
            if pair.likeness(i, j) >= _LEAST_LIKENESS:
                yield contrast(
                    "modality", pair.statement.slice(i, i), pair.passage.slice(min(h, j), j)
                )


def _hedges(reading: Reading, i: int) -> bool:
    word = reading.words[i]
    if word.key in ("may", "might") and word.text[0].isupper() and not word.gap:
        return False
    return word.key in _HEDGES or word.stem in _HEDGING_STEMS


def _governed(reading: Reading, h: int) -> int | None:
    """Return the place of the content word that a hedge bears on."""
    words = reading.words
    for k in range(h + 1, min(h + 2 + _REACH, len(words))):
        if words[k].gap:
            return None
        if words[k].content and words[k].stem not in LIGHT and not words[k].key.endswith("ly"):
            return k
    return None
