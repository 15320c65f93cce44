"""The names in a text, and what each is a name of, as far as cheap evidence tells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from citeguard.datasets.synthesis.passages import Passage, Word
from citeguard.datasets.synthesis.tables import groups, nations
from citeguard.facts.names import TITLES
from citeguard.language.quantities import MONTHS
from citeguard.language.spelling import is_english_word
from citeguard.language.terms import FUNCTION_WORDS

_BEFORE_PART = ("saint", "new", "-", "&")
_LINKS = frozenset("of de van von der del di da la al bin du".split())
_MOST_LINKS = 2
_MOST_PERSON_WORDS = 4
_PLACES = ("city", "state", "continent")
_NO_NAMES = FUNCTION_WORDS | {
    *MONTHS,
    *"monday tuesday wednesday thursday friday saturday sunday god".split(),
}
_PLACED = ("country", "state", "continent")
_KNOWN_BY_ROLE = frozenset("president pope king queen".split())
_AWARDS = frozenset(("Oscar", "Tony"))
_HE, _SHE = frozenset("he his him himself".split()), frozenset("she her hers herself".split())


class Entity(NamedTuple):
    """A name of something whose type is known.

    Attributes:
        text: The name.
        type: What it is a name of: only names of one type are exchanged.
        first: The place of its first word.
        last: The place of its last one.
        article: Whether "the" stands before it.
    """

    text: str
    type: str
    first: int
    last: int
    article: bool

    @property
    def words(self) -> frozenset[str]:
        """Its words, in small letters, without those that many names share."""
        return frozenset(self.text.lower().replace(".", " ").split()) - FUNCTION_WORDS


def find_entities(passage: Passage, known: dict[str, str] | None = None) -> list[Entity]:
    """Return the names of a text that have a type, in order.

    Args:
        passage: The text.
        known: What a longer text tells of names.
    """
    runs = list(_runs(passage))
    told = find_known(passage) if known is None else known
    found = (_entity(passage, first, last, told) for first, last in runs)
    return [entity for entity in found if entity is not None]


def find_known(passage: Passage) -> dict[str, str]:
    """Return what a text tells of its names: of whom a surname is, and what is a place."""
    found: dict[str, str] = {}
    for first, last in _runs(passage):
        if _stands_as_place(passage, first, last):
            found.setdefault(_between(passage, first, last), "place")
        sex = _sex(passage, first, last)
        if sex is not None and last > first:
            found[passage.words[last].text] = f"surname of {sex}"
    return found


def _stands_as_place(passage: Passage, first: int, last: int) -> bool:
    """Tell whether a name stands as that of a place does: "in Goleta," but not "in Latin"."""
    after = passage.key(last + 1)
    words = passage.words[first : last + 1]
    plain = all(not word.text[1:2].isupper() and word.key.isalpha() for word in words)
    ends = after in (",", ".", "and", "in", "on", "to", "from", "where", "for", "with", "was", "is")
    return plain and ends and passage.key(first - 1) in ("in", "near") and not _is_language(words)


def _is_language(words: Sequence[Word]) -> bool:
    return words[-1].key.endswith(("ish", "ese", "ic", "ian", "ism", "in", "tion", "logy"))


def _between(passage: Passage, first: int, last: int) -> str:
    return passage.text[passage.words[first].start : passage.words[last].end]


@cache
def places() -> frozenset[str]:
    """Return the names of countries, cities and states, and the adjectives of nations."""
    names = groups("names")
    return frozenset(nations()).union(*(names[place] for place in _PLACES)) | {"Soviet"}


def suits_pronouns(passage: Passage, entity: Entity) -> bool:
    """Tell whether a name of a person fits the "he" or "she" of a text; other names always do."""
    sex = entity.type.rpartition(" ")[2]
    if sex not in ("man", "woman"):
        return True
    return passage.keys.isdisjoint(_SHE if sex == "man" else _HE)


def _runs(passage: Passage) -> Iterator[tuple[int, int]]:
    words, i = passage.words, 0
    while i < len(words):
        if not _is_name_word(passage, i):
            i += 1
            continue
        last = _run_end(passage, i)
        yield i, last
        i = last + 1


def _run_end(passage: Passage, i: int) -> int:
    while True:
        k = i + 1
        while k <= i + _MOST_LINKS and (passage.key(k) in _LINKS or _is_initial_stop(passage, k)):
            k += 1
        if not _goes_on(passage, i, k):
            return i
        i = k


def _goes_on(passage: Passage, i: int, k: int) -> bool:
    after = passage.at(k)
    if after is None or not after.is_word or not after.is_capital:
        return False
    if passage.words[i].key.endswith("'s") or after.key in _NO_NAMES:
        return False
    # Only blanks between.
    return k not in passage.starts or _is_initial_stop(passage, k - 1)


def _is_initial_stop(passage: Passage, k: int) -> bool:
    """Tell whether a word is the stop of "J." or "St."."""
    if passage.key(k) != "." or not passage.words[k].glued:
        return False
    before = passage.words[k - 1]
    return before.is_capital and (len(before.text) == 1 or before.key in ("st", "dr", "mr", "mrs"))


def _is_name_word(passage: Passage, i: int) -> bool:
    word = passage.words[i]
    if not (word.is_word and word.is_capital) or word.key in _NO_NAMES or word.key in TITLES:
        return False
    if i in passage.starts or passage.key(i - 1) in ('"', "“", ":", "``"):
        return (
            not is_english_word(word.key) or word.text in _listed() or _is_capital(passage, i + 1)
        )
    return True


def _is_capital(passage: Passage, i: int) -> bool:
    word = passage.at(i)
    return word is not None and word.is_capital and word.key not in _NO_NAMES


@cache
def _listed() -> frozenset[str]:
    names = groups("names")
    return names["man"] | names["woman"] | places()


def _entity(passage: Passage, first: int, last: int, known: dict[str, str]) -> Entity | None:
    words = passage.words[first : last + 1]
    end = words[-1].end - (2 if words[-1].key.endswith("'s") else 0)
    text = passage.text[words[0].start : end]
    kind = _type(passage, first, last, text, known)
    if kind is None or _is_part(passage, first, last) or "\n" in text:
        return None
    # "Pope John", "Dubrovnik, Croatia", "Malaysia (listen)"
    placed = passage.key(first - 1) == "," and _is_capital(passage, first - 2) and kind in _PLACED
    if placed or passage.key(first - 1) in _KNOWN_BY_ROLE or passage.key(last + 1) == "(":
        return None
    return Entity(text, kind, first, last, passage.key(first - 1) == "the")


def _is_part(passage: Passage, first: int, last: int) -> bool:
    """Tell whether a name goes on before or after: "anti-German", "Paris-based", "Windows 8"."""
    before, after = passage.at(first - 1), passage.at(last + 1)
    if before is not None and before.text in "–/@#" and passage.words[first].glued:
        return True
    if before is not None and (before.key in _BEFORE_PART or _is_number_word(before)):
        return True
    if passage.key(first - 2) == "st" and passage.key(first - 1) == ".":
        return True
    return after is not None and (
        (after.glued and after.text in "–/") or after.text in "-&" or _is_number_word(after)
    )


def _is_number_word(word: Word) -> bool:
    return word.is_figure or word.text in ("II", "III", "IV", "V", "VI", "VII", "VIII", "Jr", "Sr")


def _type(passage: Passage, first: int, last: int, text: str, known: dict[str, str]) -> str | None:
    if text in nations():
        return _nation_type(passage, last, nations()[text][0])
    names = groups("names")
    for place in _PLACES:
        if text in names[place] and text not in names["man"] | names["woman"]:
            return place
    sex = _sex(passage, first, last)
    if sex is not None and last - first >= _MOST_PERSON_WORDS:
        return None
    if sex is not None:
        return f"person of {sex}" if last > first else _given_type(passage, first, sex)
    if first == last and text in names["team"]:
        return "team"
    return known.get(text) or (_type_by_head(passage, first, last) if last > first else None)


def _nation_type(passage: Passage, last: int, kind: str) -> str | None:
    """Tell "the French army" from "the French", and both from the language."""
    after = passage.at(last + 1)
    if kind == "country":
        return kind
    return kind if after is not None and after.is_word and after.text.islower() else None


def _given_type(passage: Passage, first: int, sex: str) -> str | None:
    """A given name alone; where it stands after "in" it is rather that of a place."""
    if passage.words[first].text in _AWARDS:
        return None
    if passage.key(first - 1) in ("in", "at", "near", "the"):
        return None
    return f"given name of {sex}"


def _sex(passage: Passage, first: int, last: int) -> str | None:
    words = passage.words[first : last + 1]
    if any(word.key == "of" for word in words) or _head_group(words[-1].text) is not None:
        return None
    names = groups("names")
    start = words[0].text.removesuffix("'s").removesuffix("’s")
    if start in names["man"]:
        return "man"
    return "woman" if start in names["woman"] else None


def _type_by_head(passage: Passage, first: int, last: int) -> str | None:
    words = passage.words[first : last + 1]
    of = next((k for k, word in enumerate(words) if word.key == "of"), None)
    head = words[-1 if of is None else of - 1]
    group = _head_group(head.text)
    return group and f"{head.text.lower()}{' of' if of is not None else ''}"


@cache
def _head_group(head: str) -> str | None:
    special = ("man", "woman", *_PLACES)
    return next(
        (name for name, heads in groups("names").items() if name not in special and head in heads),
        None,
    )
