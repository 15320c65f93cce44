"""Which name a pronoun stands for, where only one can be meant."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from citeguard.auditing.claims.marks import spoken
from citeguard.auditing.claims.phrases import first_clause, group_at
from citeguard.auditing.claims.referents import Referent, has_unnamed_person, names_in
from citeguard.auditing.claims.word_list import FINITE, NOUNS
from citeguard.auditing.claims.words import Word

_SHE_OR_HE = {"he": "he", "his": "he", "she": "she", "her": "she"}
_IT = frozenset(("it", "its"))
_THEY = frozenset(("they", "their"))
OBJECTS = frozenset("him her them it his its their he she they himself herself itself".split())
POINTING = frozenset("this these that those such".split())
_SENTENCES_BACK = 2
_EMPTY = frozenset("that to rain rains rained raining snow snows snowed snowing".split())
_EXPLETIVE = 4  # words after "it" in which "that" or "to" shows that nothing is meant by it


class Resolver:
    """Remembers the sentences before, and says what a pronoun stands for.

    Names are looked for in the two sentences before and in what stands before the pronoun in its
    own. Where two people could be meant, or a person without a name, nothing is said.
    """

    def __init__(self) -> None:
        self._before: deque[tuple[str, Sequence[Word]]] = deque(maxlen=_SENTENCES_BACK)
        self._seen: dict[str, set[str]] = {}
        self._known: dict[str, Referent] = {}
        self._kept: dict[str, Referent] = {}

    def remember(self, plain: str, words: Sequence[Word]) -> None:
        """Go on to the next sentence."""
        self._before.append((plain, words))
        for name in names_in(plain, words):
            if name.gender != "it":
                self._seen.setdefault(name.key, set()).add(name.text)
        self._known, self._kept = self._kept, {}

    def forget(self) -> None:
        """Forget all sentences, as a heading begins something new."""
        self._before.clear()
        self._known, self._kept = {}, {}

    def resolve(self, plain: str, words: Sequence[Word], at: int) -> str:
        """Return the words for a pronoun in a sentence, at a place; empty if it is not certain."""
        key = words[at].key
        found: Referent | None = None
        if key in _SHE_OR_HE:
            found = self._person(plain, words, at, _SHE_OR_HE[key])
        elif any(word.tag in NOUNS for word in words[:at]):
            return ""  # what stands in its own sentence may be meant as well
        elif key in _IT and not _is_expletive(words, at):
            found = self._subject(plural=False)
        elif key in _THEY:
            found = self._subject(plural=True)
        if found is None:
            return ""
        return found.text + ("'s" if words[at].tag == "PRP$" else "")

    def _person(self, plain: str, words: Sequence[Word], at: int, pronoun: str) -> Referent | None:
        window = [*self._before, (plain, words[:at])]
        if any(has_unnamed_person(each) for _, each in window):
            return None
        found = [name for text, each in window for name in names_in(text, each)]
        if pronoun in self._known:
            found.append(self._known[pronoun])
        fitting = {name.key: name for name in found if name.gender in (pronoun, "")}
        if len(fitting) != 1:
            return None
        (only,) = fitting.values()
        if self._is_doubtful(only):
            return None
        self._kept[pronoun] = only
        return only

    def _is_doubtful(self, name: Referent) -> bool:
        """Tell whether somebody else was named before, who could be meant as well."""
        others = any(key != name.key for key in self._seen)
        namesakes = [text for text in self._seen.get(name.key, ()) if " " in text]
        return len(namesakes) > 1 or (name.gender == "" and others)

    def _subject(self, *, plural: bool) -> Referent | None:
        """Return the subject of the sentence before, if that says of it only what it is."""
        if not self._before:
            return None
        plain, words = self._before[-1]
        found = first_clause(words, 0, len(words))
        if found is None:
            return None
        clause, _ = found
        own = words[clause.subject : clause.subject_end]
        if not own or group_at(words, clause.verb, len(words)).kind != "be":
            return None
        last = own[-1]
        if last.tag not in NOUNS - {"QUOTE"} or any(
            word.tag in ("IN", "CC", "WDT") for word in own
        ):
            return None
        others = [word for word in words[clause.verb :] if word.tag == "NNS"]
        if (last.tag in ("NNS", "NNPS")) != plural or (plural and others):
            return None
        return Referent(spoken(plain[own[0].start : last.end]), last.key, "it")


def _is_expletive(words: Sequence[Word], at: int) -> bool:
    """Tell whether nothing is meant by "it": "it is clear that", "it took years to"."""
    if at + 1 >= len(words) or words[at].tag == "PRP$" or words[at + 1].tag not in FINITE:
        return False
    after = [word.key for word in words[at + 1 : at + 2 + _EXPLETIVE]]
    return not _EMPTY.isdisjoint(after)


def leans(words: Sequence[Word]) -> bool:
    """Tell whether words speak of something before them, by a pronoun or by "this" and a noun."""
    named = False
    for at, word in enumerate(words):
        if (
            word.key in OBJECTS
            and not named
            and not (word.key == "it" and _is_expletive(words, at))
        ):
            return True
        if at == 0 and word.key in POINTING:
            return True
        named = named or word.tag in NOUNS
    return False
