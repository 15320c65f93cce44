"""What ", who …" and ", which …" speak of, where that is certain."""

from __future__ import annotations

from collections.abc import Sequence

from citeguard.auditing.claims.people import PERSONS
from citeguard.auditing.claims.referents import is_person
from citeguard.auditing.claims.word_list import NOUNS
from citeguard.auditing.claims.words import Word

_WITHIN = NOUNS | frozenset("DT PRP$ JJ JJS CD POS".split())
_FIRST = frozenset("DT PRP$ NNP NNPS NNS JJ QUOTE".split())
_PLURAL_VERBS = frozenset("are were have do".split())
_SINGULAR_VERBS = frozenset("is was has does".split())


def antecedent(words: Sequence[Word], comma: int, verb: int) -> int | None:
    """Return where the noun phrase before a comma begins, if it alone can be spoken of.

    Args:
        words: The words of the sentence.
        comma: Place of the comma before "who" or "which".
        verb: Place of the verb after it.
    """
    if comma > 2 and words[comma - 1].tag == "CD" and words[comma - 2].tag == ",":
        comma -= 2  # "Anna Lee, 26, who"
    link = next(at for at in range(comma, verb) if words[at].key in ("who", "which"))
    first = comma
    while first and words[first - 1].tag in _WITHIN:
        first -= 1
    if first == comma or words[comma - 1].tag not in NOUNS or not _fits(words, comma, verb):
        return None
    own = words[first:comma]
    # A common noun alone is the end of a phrase that was not read.
    before = words[first - 1] if first else None
    is_object = before is not None and before.tag[:2] == "VB"
    if before is not None and before.tag == "BRACKET":
        return None
    if not is_object and own[0].tag not in _FIRST:
        return None
    if words[link].key == "who":
        # "Anna, a clerk of Baker Street, who slept": a name after "of" must be a person's.
        is_sure = before is None or before.tag not in ("IN", ",")
        return first if _is_person(own, is_sure=is_sure) else None
    # "an outbreak in California, which began": which of the two is not certain.
    if before is not None and before.key in ("and", "or"):
        return None
    if before is not None and before.tag in ("IN", "TO"):
        outer = words[first - 2].tag
        # "a mix of these parts, which work": the number of the verb tells.
        is_told = outer == "NN" and own[-1].tag == "NNS" and words[verb].tag == "VBP"
        return first if is_told or outer[:2] in ("VB", "JJ") else None
    return first


def _is_person(own: Sequence[Word], *, is_sure: bool) -> bool:
    if own[-1].key in PERSONS:
        return is_sure
    names = [word.key.rstrip(".") for word in own if word.tag == "NNP"]
    return bool(names) and own[-1].tag == "NNP" and (is_sure or is_person(names))


def _fits(words: Sequence[Word], comma: int, verb: int) -> bool:
    """Tell whether the last noun and the verb agree in number."""
    plural = words[comma - 1].tag in ("NNS", "NNPS")
    key, tag = words[verb].key, words[verb].tag
    if key in _PLURAL_VERBS or tag == "VBP":
        return plural
    return not (plural and (key in _SINGULAR_VERBS or tag == "VBZ"))
