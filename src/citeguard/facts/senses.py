"""Two words of the tables that here are no contrast: what they mean depends on where they stand."""

from __future__ import annotations

from citeguard.facts.pair import Pair
from citeguard.facts.reading.denials import FORMS_OF_BE
from citeguard.facts.reading.tables import memberships, root
from citeguard.facts.reading.words import Reading

_LEFT, _REMAINING = "left", frozenset(("remaining", "remain", "remains", "remained"))
_WIN, _DEFEAT = root("win"), frozenset(map(root, ("defeat", "beat")))
_REACH = 3  # words before a verb in which "was" makes a passive of it
_LET = frozenset(map(root, "let allow leave set aside".split()))
_LET_REACH = 6  # words from "let" to "stand"
_WHEN = frozenset(map(root, "next last this past few several some".split()))
_SIT, _STAND = root("sit"), root("stand")


def are_compatible(pair: Pair, i: int, j: int) -> bool:
    """Tell whether two words that exclude each other elsewhere may both be true here."""
    one, other = pair.statement, pair.passage
    return (
        _are_both_left(one, i, other, j)
        or _is_winner(one, i, other, j)
        or _is_winner(other, j, one, i)
        or _are_both_of_things(one, i, other, j)
        or _are_of_two_people(one, i, other, j)
        or _are_of_two_things(one, i, other, j)
        or _are_of_two_times(one, i, other, j)
    )


def _are_both_left(one: Reading, i: int, other: Reading, j: int) -> bool:
    """Tell whether "two are left" stands for "two remain", and not for "two went"."""
    keys = {one.words[i].key, other.words[j].key}
    return _LEFT in keys and not keys.isdisjoint(_REMAINING)


def _is_winner(one: Reading, i: int, other: Reading, j: int) -> bool:
    """Tell whether one text says "won" and the other "defeated them"."""
    if one.words[i].stem != _WIN or other.words[j].stem not in _DEFEAT:
        return False
    before = {word.key for word in other.words[max(0, j - _REACH) : j]}
    after = other.words[j + 1 : j + 2]
    has_object = bool(after) and not after[0].gap and after[0].key not in ("by", "in", "at")
    is_verb = other.words[j].key not in ("defeat", "defeats") or not before & {"the", "a"}
    return is_verb and has_object and before.isdisjoint(FORMS_OF_BE)


def _are_both_of_things(one: Reading, i: int, other: Reading, j: int) -> bool:
    """Tell whether a mixture, or a sum, stands in the one text and sits in the other."""
    if {one.words[i].stem, other.words[j].stem} != {_SIT, _STAND}:
        return False
    return _is_of_thing(one, i) and _is_of_thing(other, j)


def _is_of_thing(reading: Reading, i: int) -> bool:
    """Tell whether a word stands after "let" or the like, or before "at" and a number."""
    if any(word.stem in _LET for word in reading.words[max(0, i - _LET_REACH) : i]):
        return True
    after = reading.words[i + 1 : i + 4]
    return bool(after) and after[0].key == "at" and any(word.kind == "number" for word in after)


def _are_of_two_people(one: Reading, i: int, other: Reading, j: int) -> bool:
    """Tell whether two words of kinship may be of one person: her brother is his mother's son.

    They are not where the words before them are the same, or where only their sexes differ.
    """
    kin = (_groups(reading.words[k].stem) for reading, k in ((one, i), (other, j)))
    mine, yours = kin
    if "kin" not in mine or "kin" not in yours or mine & yours > {"kin"}:
        return False
    named = one.words[i + 1 : i + 2], other.words[j + 1 : j + 2]
    if all(words and not words[0].gap and words[0].text[0].isupper() for words in named):
        return named[0][0].stem != named[1][0].stem
    return one.stem_at(i - 1) != other.stem_at(j - 1)


def _groups(stem: str) -> set[str]:
    return {member.name for member in memberships().get(stem, ())}


def _are_of_two_things(one: Reading, i: int, other: Reading, j: int) -> bool:
    """Tell whether a colour is a part of another word: "white-tailed" is no colour of a deer."""
    if one.stem_at(i + 1) == other.stem_at(j + 1) or "colour" not in _groups(one.words[i].stem):
        return False
    return _is_part(one, i) or _is_part(other, j)


def _is_part(reading: Reading, i: int) -> bool:
    end = reading.words[i].end
    return reading.text[end : end + 1] == "-" and reading.text[end + 1 : end + 2].isalpha()


def _are_of_two_times(one: Reading, i: int, other: Reading, j: int) -> bool:
    """Tell whether one text says when, "next month", or only roughly how long, "a few minutes"."""
    if "unit" not in _groups(one.words[i].stem):
        return False
    before = {one.stem_at(i - 1), other.stem_at(j - 1)}
    return len(before) > 1 and not before.isdisjoint(_WHEN)
