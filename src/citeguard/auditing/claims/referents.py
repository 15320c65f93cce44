"""Names and noun phrases that a pronoun may stand for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from citeguard.auditing.claims.marks import spoken
from citeguard.auditing.claims.people import HE, PERSONS, SHE
from citeguard.auditing.claims.word_list import BE
from citeguard.auditing.claims.words import Word
from citeguard.text.reading.names import TITLES
from citeguard.text.reading.tables import countries, short_names

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


def is_person(keys: Sequence[str]) -> bool:
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
