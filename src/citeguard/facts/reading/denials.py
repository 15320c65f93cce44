"""What a text denies: its negators, and the words in their scope."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from citeguard.facts.reading.connectives import links
from citeguard.facts.reading.emptied import FACTIVE, is_empty, is_of_another, is_parted
from citeguard.facts.reading.frames import frames
from citeguard.facts.reading.tables import root
from citeguard.facts.reading.words import LIGHT, MOST_PLACES, STOP, Reading, Word, kept
from citeguard.language import lexicon

# Without the first half of "ne … pas", and without what means something else elsewhere: German
# "noch" is "still", French "né" and "personne" are "born" and "person".
_FOREIGN = frozenset(
    word
    for language in lexicon.LEXICONS
    if language not in (lexicon.ENGLISH, lexicon.CHINESE, lexicon.JAPANESE)
    for word in language.negators
) - frozenset("ne ni né sin mai noch personne sans nada nem ما".split())
_NEGATORS = _FOREIGN | frozenset(
    "not never no without nor neither cannot nobody nothing none nowhere hardly scarcely barely"
    " rarely seldom non".split()
)


def _roots(words: str) -> frozenset[str]:
    return frozenset(map(root, words.split()))


# What a denial passes on to its clause: "no evidence that", "nobody believes that".
_REPORTS = _roots(
    "evidence proof sign indication reason idea notion claim belief theory suggestion rumor"
    " rumour allegation case true show prove suggest believe think indicate demonstrate mean imply"
    " attempt effort bid"
)
# "not only", "no doubt": no denial; by the negator and the word after it.
_EMPTY: dict[str, frozenset[str]] = {
    "not": frozenset(
        "only just merely simply solely least until unlike without less fewer alone mention".split()
    ),
    "no": frozenset("doubt matter later less fewer sooner other".split()),
    "nothing": frozenset(("but",)),
    "none": frozenset(("other",)),
    "without": frozenset(("doubt",)),
    "never": frozenset(("mind",)),
}
# They end a scope: what follows is another clause.
CLAUSE_WORDS = frozenset(
    "but because although though while whereas whether which who whom whose until unless when"
    " however except than since and if so despite".split()
)
_TRANSPARENT = _roots(
    "yet now really even ever actually also longer any anymore very much least most more"
)
_LONGEST_SCOPE, _NEITHER_SCOPE = 8, 14  # words
_PREDICATE_REACH = 4  # words from a form of "to be" to what is said
FORMS_OF_BE = frozenset("is was are were be been being isn't wasn't aren't weren't".split())
# After them it is said of what follows: "denied that", "banned from".
_OPENS_CLAUSE = frozenset("that from with of for until by".split())
_DEEPEST = 2  # content words of a scope that count as what is denied
# What stands for a whole predicate: "France did not", "but heating is not".
_STANDS_FOR = frozenset(
    "do does did is are was were has have had will would can could should must".split()
)
_CONTRASTING = frozenset("but while whereas although though however yet".split())
_NO_ELLIPSIS = frozenset(
    "who which that whose whom than as if whether what how where when so like it they".split()
)
_WITHIN_THINGS = frozenset("of and or the a an".split())
_LONGEST_SUBJECT, _LONGEST_MAIN = 8, 24  # words
_BESIDES = frozenset(("excluding", "apart", "other"))  # exceptions only from none or from all
_ALL = frozenset("all every each everyone everybody everything always any".split())


class Denials(NamedTuple):
    """What a text denies.

    Attributes:
        parity: for each word in the scope of a negator, whether the negators are odd in number.
        depth: for each of them, its rank among the content words of the scope, from 1.
        negator: for each of them, the place of its negator.
        negators: how many there are.
        places: the places of all of them.
        plain: the places of those that are words such as "not" and "no".
    """

    parity: dict[int, bool]
    depth: dict[int, int]
    negator: dict[int, int]
    negators: int
    places: frozenset[int]
    plain: frozenset[int]

    def is_denied(self, i: int) -> bool:
        """Tell whether a word is denied: it is among the first content words after a negator."""
        return self.parity.get(i, False) and self.depth[i] <= _DEEPEST

    def cancels(self, i: int) -> bool:
        """Tell whether a negator denies another one at once: "never fails"."""
        return i in self.places and i + 1 in self.places

    def scope(self, negator: int) -> list[int]:
        """Return the places of the content words in the scope of a negator."""
        return [i for i, place in self.negator.items() if place == negator]


@kept
def denials(reading: Reading) -> Denials:
    """Return what a text denies."""
    words = reading.words
    plain = frozenset(
        i for i in range(len(words)) if _is_negator(words, i) and not is_empty(reading, i)
    )
    scopes = dict(_scopes(reading, plain))
    denied = Denials({}, {}, {}, len(scopes), frozenset(scopes), plain)
    for negator in sorted(scopes):
        for depth, place in _denied(words, scopes[negator]):
            denied.parity[place] = not denied.parity.get(place, False)
            denied.depth[place] = depth
            denied.negator[place] = negator
    return denied


def _is_negator(words: tuple[Word, ...], i: int) -> bool:
    word = words[i]
    if word.key not in _NEGATORS and not word.key.endswith("n't"):
        return False
    after = words[i + 1].key if i + 1 < len(words) else ""
    return after not in _EMPTY.get(word.key, ()) and not _is_alternative(words, i)


def _scopes(reading: Reading, plain: frozenset[int]) -> Iterator[tuple[int, list[int]]]:
    """Yield (place of a negator, places of the words that it denies); of two, the last counts."""
    words = reading.words
    for frame in frames(reading):
        if frame.kind == "denies" and not is_of_another(words, frame.first, frame.end):
            yield frame.first, list(_clause_after(words, frame.first, frame.end))
    for frame in frames(reading):
        if frame.kind == "denied" and _is_predicate(words, frame.end):
            is_as = frame.end < len(words) and words[frame.end].key == "as"
            rest = _clause_after(words, frame.first, frame.end) if is_as else ()
            yield frame.first, [*_clause_before(words, frame.first), *rest]
    for i in plain:
        yield i, list(_clause_after(words, i, i + 1))


def _is_predicate(words: tuple[Word, ...], end: int) -> bool:
    """Tell whether what ends here is said of what stands before: "is false", "was ruled out"."""
    before = (word.key for word in words[max(0, end - _PREDICATE_REACH) : end])
    after = words[end].key if end < len(words) else ""
    return after not in _OPENS_CLAUSE and not FORMS_OF_BE.isdisjoint(before)


def _is_alternative(words: tuple[Word, ...], i: int) -> bool:
    """Tell whether a negator leaves both open: "whether or not", "may or may not"."""
    if words[i].key == "nor":
        return any(word.key == "neither" for word in words[max(0, i - _NEITHER_SCOPE) : i])
    before = [word.key for word in words[max(0, i - 2) : i]]
    return before[-1:] == ["or"] or (before[:1] == ["or"] and before[1] in ("may", "might", "can"))


def _clause_after(words: tuple[Word, ...], i: int, first: int) -> Iterator[int]:
    longest = _NEITHER_SCOPE if words[i].key == "neither" else _LONGEST_SCOPE
    for place in range(first, min(first + longest, len(words))):
        if words[place].gap or words[place].key in CLAUSE_WORDS or is_parted(words, i, place):
            return
        yield place


def _clause_before(words: tuple[Word, ...], i: int) -> Iterator[int]:
    """Yield the places of the clause that ends before a word, of "the claim that" only the rest."""
    first = i
    while first and not words[first].gap and i - first < _NEITHER_SCOPE:
        first -= 1
        if words[first].key == "that" and words[first - 1].stem in _REPORTS:
            break
    yield from range(first, i)


def _denied(words: tuple[Word, ...], places: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Yield (rank, place) of the content words of a scope."""
    depth = 0
    for i in places:
        word = words[i]
        if word.key == "nor":
            depth = 0
        if word.key == "one" and words[i - 1].key == "no":
            continue
        if word.content and word.stem not in _TRANSPARENT and not word.key.endswith("ly"):
            yield depth + 1, i
            is_plain = word.stem not in LIGHT and word.stem not in _REPORTS
            depth += is_plain or word.stem in FACTIVE


class Turn(NamedTuple):
    """Things of which a clause says, without a verb of its own, otherwise than its neighbour.

    Attributes:
        things: the stems of each of them.
        first: place of the first word of that clause.
        last: place of its last word.
        main: the places of the words whose verb it takes.
        is_denied: whether they do not, or are not, what those words say.
        is_exception: whether the things are named as an exception.
    """

    things: tuple[frozenset[str], ...]
    first: int
    last: int
    main: range
    is_denied: bool
    is_exception: bool

    @property
    def stems(self) -> frozenset[str]:
        """The stems of all things."""
        return frozenset[str]().union(*self.things)


@kept
def turns(reading: Reading) -> tuple[Turn, ...]:
    """Return the exceptions of a text, and its clauses such as "but France did not"; the first."""
    return (*islice(_ellipses(reading), MOST_PLACES), *_exceptions(reading))


def is_denied_within(reading: Reading, places: Iterable[int]) -> bool:
    """Tell whether the negators among some words are odd in number."""
    return len(denials(reading).places.intersection(places)) % 2 == 1


def _ellipses(reading: Reading) -> Iterator[Turn]:
    words = reading.words
    for i, word in enumerate(words):
        plain = word.key.removesuffix("n't")
        if plain not in _STANDS_FOR and word.key not in ("won't", "can't", "cannot"):
            continue
        last = i + _is_not(words, i + 1)
        first = _subject_of(words, i) if _ends_clause(reading, last) else None
        if first is not None:
            things = _things(words[first:i])
            main = _main_before(words, first)
            if things and main:
                is_denied = plain != word.key or last > i or word.key == "cannot"
                yield Turn(things, first, last, main, is_denied, is_exception=False)


def _is_not(words: tuple[Word, ...], i: int) -> bool:
    return i < len(words) and words[i].key == "not"


def _ends_clause(reading: Reading, last: int) -> bool:
    words, after = reading.words, last + 1
    if after < len(words) and words[after].key in ("either", "too") and not words[after].gap:
        after += 1
    if after >= len(words):
        return True
    between = reading.text[words[after - 1].end : words[after].start]
    return words[after].gap == STOP or "," in between


def _subject_of(words: tuple[Word, ...], i: int) -> int | None:
    """Return the place of the first word of the subject of a verb that stands alone."""
    if words[i - 1].key.endswith("'s"):
        return None  # "the whitetail's is not"
    for first in range(i - 1, max(0, i - 1 - _LONGEST_SUBJECT), -1):
        if words[first].key in _NO_ELLIPSIS:
            return None
        if words[first].key in _CONTRASTING:
            return first + 1
        if words[first].gap:
            return first + (words[first].key == "and")
    return None


def _main_before(words: tuple[Word, ...], first: int) -> range:
    """Return the places of the sentence, or of the rest of it, before a clause."""
    begin = first - 1
    while begin > 0 and first - begin < _LONGEST_MAIN and words[begin].gap < STOP:
        begin -= 1
    return range(max(0, begin), first)


def _things(words: tuple[Word, ...]) -> tuple[frozenset[str], ...]:
    """Return the stems of each of several things that "and", "or" or a comma joins."""
    found: list[set[str]] = [set()]
    for k, word in enumerate(words):
        if k and (word.gap or word.key in ("and", "or", "nor")):
            found.append(set())
        if word.content and word.stem not in LIGHT:
            found[-1].add(word.stem)
    return tuple(frozenset(stems) for stems in found if stems)


def _exceptions(reading: Reading) -> Iterator[Turn]:
    words = reading.words
    for link in links(reading):
        if ("exception", 0) not in link.groups:
            continue
        end = _end_of_things(words, link.last + 1)
        main = _sentence_of(words, link.first)
        is_denied = not is_denied_within(reading, (k for k in main if not link.first <= k < end))
        things = _things(words[link.last + 1 : end])
        is_sure = not is_denied or any(words[k].key in _ALL for k in main)
        if things and (is_sure or words[link.first].key not in _BESIDES):
            yield Turn(things, link.first, end - 1, main, is_denied, is_exception=True)


def _end_of_things(words: tuple[Word, ...], first: int) -> int:
    """Return the place after what is excepted: what no comma, verb or preposition parts."""
    begun = False
    for i in range(first, min(first + _LONGEST_SUBJECT, len(words))):
        word = words[i]
        is_part = word.content or not begun or word.key in _WITHIN_THINGS
        if i > first and (word.gap or word.stem in LIGHT or not is_part):
            return i
        if word.key in CLAUSE_WORDS and word.key != "and":
            return i
        begun = begun or word.content
    return min(first + _LONGEST_SUBJECT, len(words))


def _sentence_of(words: tuple[Word, ...], i: int) -> range:
    begin, end = i, i + 1
    while begin > 0 and i - begin < _LONGEST_MAIN and words[begin].gap < STOP:
        begin -= 1
    while end < len(words) and end - i < _LONGEST_MAIN and words[end].gap < STOP:
        end += 1
    return range(begin, end)
