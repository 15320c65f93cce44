"""Names and noun phrases that a pronoun, ", who …" or ", which …" may stand for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from citeguard.auditing.claims.marks import spoken
from citeguard.auditing.claims.word_list import BE, HE, NOUNS, PERSONS, SHE
from citeguard.auditing.claims.words import Word
from citeguard.facts.names import TITLES
from citeguard.facts.tables import countries, short_names

Gender = Literal["he", "she", "it", ""]
"""The pronoun that a name takes; empty where that is not known."""

_HIS_TITLES = frozenset("mr sir lord king prince father brother pope bishop duke emperor".split())
_HER_TITLES = frozenset("mrs ms miss lady queen princess sister mother duchess empress".split())
_THINGS = frozenset(
    "st ave rd university college school institute company corporation corp inc ltd co"
    " department ministry"
    " agency office bureau council committee commission court congress senate party union"
    " association organization organisation foundation society group bank church hospital museum"
    " city county state river lake mountain island ocean sea park street road avenue bridge airport"
    " station theatre theater studio studios records press times post journal news magazine"
    " restaurant cafe hotel bar grill store airlines airways team club league cup war act treaty"
    " award prize festival day administration authority service center centre system police"
    " january february march april may june july august september october november december monday"
    " tuesday wednesday thursday friday saturday sunday north south east west"
    " london paris rome berlin madrid moscow beijing tokyo delhi washington york angeles chicago"
    " boston houston dallas atlanta seattle miami francisco california texas florida illinois ohio"
    " michigan massachusetts pennsylvania jersey virginia carolina arizona colorado oregon europe"
    " asia africa america antarctica australia vienna warsaw prague dublin athens cairo istanbul"
    " baghdad tehran kabul kiev kyiv lahore karachi mumbai shanghai seoul sydney toronto".split()
)
_BEFORE_PLACES = frozenset(("in", "at", "near", "throughout", "across", "the", "within"))
_WITHIN = NOUNS | frozenset("DT PRP$ JJ JJS CD POS".split())
_FIRST = frozenset("DT PRP$ NNP NNPS NNS JJ QUOTE".split())
_PLURAL_VERBS = frozenset("are were have do".split())
_SINGULAR_VERBS = frozenset("is was has does".split())


class Referent(NamedTuple):
    """What may be meant by a pronoun.

    Attributes:
        text: Its words.
        key: What is the same for two namings of the same one: its last word in small letters.
        gender: The pronoun that it takes; empty if that is not known.
    """

    text: str
    key: str
    gender: Gender


def names_in(plain: str, words: Sequence[Word]) -> Iterator[Referent]:
    """Yield the names of a sentence."""
    at = 0
    while at < len(words):
        last = at
        while last < len(words) and words[last].tag in ("NNP", "NNPS"):
            last += 1
        if last > at:
            before = words[at - 1].key if at else ""
            keys = [word.key.rstrip(".") for word in words[at:last]]
            text = spoken(plain[words[at].start : words[last - 1].end])
            yield Referent(text, keys[-1], _gender(keys, before, text))
        at = max(last, at + 1)


def _gender(keys: Sequence[str], before: str, text: str) -> Gender:
    first = keys[0]
    if first in _HIS_TITLES:
        return "he"
    if first in _HER_TITLES:
        return "she"
    given = next((key for key in keys if key not in TITLES), "")
    if keys[-1] not in _THINGS and (given in HE or given in SHE):
        return "he" if given in HE else "she"
    if keys[-1] in _THINGS or keys[-1] in countries() or text.isupper():
        return "it"
    if first in TITLES or given in short_names():
        return ""
    return "it" if before in _BEFORE_PLACES else ""


def _is_persons_name(keys: Sequence[str]) -> bool:
    """Tell whether the words of a name, in small letters, are surely a person's."""
    return keys[0] in TITLES or any(key in HE or key in SHE for key in keys[:-1])


def has_unnamed_person(words: Sequence[Word]) -> bool:
    """Tell whether a sentence speaks of a person by a noun, as "the officer", beside names."""
    return any(
        word.tag == "NN" and word.key in PERSONS and not _is_of_name(words, at)
        for at, word in enumerate(words)
    )


def _is_of_name(words: Sequence[Word], at: int) -> bool:
    """Tell whether a noun is said of a name: "the singer Anna", "Anna is a singer"."""
    if at + 1 < len(words) and words[at + 1].tag == "NNP":
        return True
    return any(word.key in BE or word.tag == "," for word in words[max(0, at - 5) : at])


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
    return bool(names) and own[-1].tag == "NNP" and (is_sure or _is_persons_name(names))


def _fits(words: Sequence[Word], comma: int, verb: int) -> bool:
    """Tell whether the last noun and the verb agree in number."""
    plural = words[comma - 1].tag in ("NNS", "NNPS")
    key, tag = words[verb].key, words[verb].tag
    if key in _PLURAL_VERBS or tag == "VBP":
        return plural
    return not (plural and (key in _SINGULAR_VERBS or tag == "VBZ"))
