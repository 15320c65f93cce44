"""Which words of a sentence are its finite verbs, where the word list does not tell."""

from __future__ import annotations

from collections.abc import Sequence

from citeguard.auditing.claims.word_list import (
    BE,
    DETERMINERS,
    DO,
    FINITE,
    HAVE,
    HE,
    NOUNS,
    SHE,
    can_be_verb,
    is_third_person,
)

_ADVERBS = frozenset("RB RBR RBS".split())
_CONJUNCTIONS = frozenset("while whereas although though because if when as since unless".split())
_BORDERS = frozenset((",", ";", ":", "CC", "WDT", "WP", "WRB"))
_OBJECTS = ("TO", "DT", "PRP$", "PRP")
# Plurals that stand before nouns: "sales tax".
_BEFORE_NOUNS = frozenset(
    "sales sports savings news systems goods arms operations customs communications resources"
    " rights affairs games services products parts needs admissions materials securities works"
    " electronics logistics mathematics physics politics economics statistics ethics genetics"
    " credits benefits details tips options features uses causes effects symptoms steps pros cons"
    " others contents notes references results sources".split()
)
_PREDICATE = frozenset("DT JJ RB NN VBG VBN".split())
_AFTER_VERB = frozenset("DT PRP$ PRP CD JJ RB TO NNP NNS QUOTE".split())
_AFTER_LAST_VERB = _AFTER_VERB - {"TO", "RB", "PRP"}


def word_before(tags: list[str], at: int) -> int:
    """Return the place of the word before, adverbs left out."""
    at -= 1
    while at > 0 and tags[at] in _ADVERBS:
        at -= 1
    return at


def give_verbs(keys: list[str], tags: list[str]) -> None:
    """Tell finite verbs from participles and nouns, a part of the sentence after the other."""
    start = 0
    ends_apart = _verb_after_comma(tags)
    for at in range(len(tags) + 1):
        if at == len(tags) or tags[at] in _BORDERS or _opens_clause(keys, tags, at):
            _give_verb(keys, tags, start, at, reduced=at < ends_apart)
            start = at + 1
    if FINITE.isdisjoint(tags) and tags[0] in NOUNS | {"DT"}:
        # "Lee, a former teacher, founded a school."
        for at in range(1, len(tags) - 1):
            if tags[at] == "VBN" and tags[at - 1] == "," and tags[at + 1] != "IN":
                tags[at] = "VBD"
                break
    _end_insertion(tags)
    if FINITE.isdisjoint(tags):
        _give_last_verbs(keys, tags)
    for at in range(2, len(tags) - 1):
        if tags[at] != "NNS" or tags[at - 1] != "CC":
            continue
        if (
            _is_second_verb(keys, tags, at)
            or _follows_predicate(keys, tags, at)
            or _is_last_of_list(keys, tags, at)
        ):
            tags[at] = "VBZ"


def may_be_plural(key: str) -> bool:
    """Tell whether an unknown noun that begins a sentence, in small letters, may be a plural."""
    return key.endswith("s") and not key.endswith(("ss", "us", "is")) and key not in HE | SHE


def _give_last_verbs(keys: list[str], tags: list[str]) -> None:
    """Make verbs of the last words in "Dogs bark." and "Dogs bark and cats meow."."""
    links = [at for at, tag in enumerate(tags) if tag == "CC" and keys[at] in ("and", "but")]
    ends = [*links, len(tags) - 1]
    starts = [0, *(at + 1 for at in links)]
    if tags[-1] not in (".", "!") or any(
        end - start != 2 or not _is_plural_and_verb(keys, tags, start)
        for start, end in zip(starts, ends, strict=True)
    ):
        return
    for end in ends:
        tags[end - 1] = "VBP"


def _is_plural_and_verb(keys: Sequence[str], tags: Sequence[str], at: int) -> bool:
    """Tell whether a noun and a verb stand at a place, as "dogs bark", but not "sales tax"."""
    is_plural = tags[at] in ("NNS", "NNPS") or (
        at == 0 and tags[at] == "NNP" and may_be_plural(keys[at])
    )
    is_verb = tags[at + 1] in ("NN", "VB") and can_be_verb(keys[at + 1])
    return is_plural and is_verb and keys[at] not in _BEFORE_NOUNS


def _opens_clause(keys: Sequence[str], tags: Sequence[str], at: int) -> bool:
    if keys[at] == "that":
        return tags[at] == "IN" and tags[at - 1] in FINITE
    return keys[at] in _CONJUNCTIONS and tags[at + 1 : at + 2] == ["PRP"]


def _end_insertion(tags: list[str]) -> None:
    """Make a verb of what follows ", which …,": "the work, which was known, allowed for it"."""
    for at in range(2, len(tags)):
        if tags[at] in ("WDT", "WP") and tags[at - 1] == ",":
            closing = next((end for end in range(at, len(tags) - 1) if tags[end] == ","), 0)
            if closing and tags[closing + 1] == "VBN" and FINITE.isdisjoint(tags[: at - 1]):
                tags[closing + 1] = "VBD"
            return


def give_second_verbs(keys: list[str], tags: list[str]) -> None:
    """Make a verb of "start" in "they drop it and start a search", and in "will drop and start"."""
    for at in range(2, len(tags) - 1):
        link = word_before(tags, at)
        if tags[link] != "CC" or keys[link] not in ("and", "but") or link < 2:
            continue
        if tags[at] not in ("VB", "NN", "JJ") or not can_be_verb(keys[at]):
            continue
        if tags[at] != "VB" and tags[at + 1] not in _OBJECTS[1:]:
            continue
        tags[at] = _tag_of_first_verb(keys, tags, link) or tags[at]


def _tag_of_first_verb(keys: Sequence[str], tags: Sequence[str], end: int) -> str:
    """Return the tag of a second verb in its plain form, by the first verb before it."""
    for at in range(end - 1, 0, -1):
        if tags[at] == "MD" or keys[at] in DO:
            return "VB"
        if tags[at] == "TO" and tags[at + 1] == "VB":
            return ""
        if tags[at] in FINITE:
            return "VBP" if tags[at] == "VBP" and keys[at] not in BE | HAVE else ""
    return ""


def _verb_after_comma(tags: Sequence[str]) -> int:
    """Return the place of the last verb right after a comma, whose subject stands before that."""
    return max(
        (at for at in range(1, len(tags)) if tags[at - 1] == "," and tags[at] in FINITE), default=0
    )


def _is_second_verb(keys: Sequence[str], tags: Sequence[str], at: int) -> bool:
    """Tell whether a noun after "and" is a verb, as in "tries to win and plans to stay"."""
    follows = ("TO", "DT", "PRP$", "PRP", "IN") if keys[at - 1] == "but" else _OBJECTS
    return (
        tags[at + 1] in follows
        and "VBZ" in tags[:at]
        and tags[at - 2] not in ("DT", "JJ", "PRP$")
        and is_third_person(keys[at])
    )


def _is_last_of_list(keys: Sequence[str], tags: Sequence[str], at: int) -> bool:
    """Tell whether a noun after "and" is a verb, as in "makes cars, sells vans and rents flats"."""
    verbs = [place for place in range(at - 1) if tags[place] == "VBZ"]
    is_list = len(verbs) > 1 and tags[verbs[-1] - 1] == ","
    return is_list and tags[at + 1] in _AFTER_LAST_VERB and is_third_person(keys[at])


def _follows_predicate(keys: Sequence[str], tags: Sequence[str], at: int) -> bool:
    """Tell whether a noun after "is a doctor and" or "is tall and" is a verb: "lives in Rome".

    It would have to be of another number than the noun before, or no adjective.
    """
    if tags[at + 1] not in ("IN", "TO", "RB") or not FINITE.isdisjoint(tags[at + 1 :]):
        return False
    first = at - 2
    while first > 0 and tags[first] in _PREDICATE:
        first -= 1
    own = tags[first + 1 : at - 1]
    is_whole = own[:1] == ["DT"] or (own != [] and set(own) <= {"JJ", "RB"})
    return is_whole and keys[first] in ("is", "was") and is_third_person(keys[at])


def _give_verb(keys: list[str], tags: list[str], start: int, end: int, *, reduced: bool) -> None:
    """Make a verb of the word that can be one where a part with a subject has none."""
    if any(tag in FINITE for tag in tags[start:end]):
        return
    subject = next((at for at in range(start, end) if tags[at] in NOUNS | {"PRP"}), None)
    if start < end and keys[start] in _CONJUNCTIONS:
        start += 1
    if subject is None or start >= end or tags[start] in ("IN", "TO", "VBG", "VBN", "VB"):
        return
    for at in range(subject + 1, end):
        if tags[at - 1] in ("IN", "TO", "DT", "JJ"):
            continue  # "in adjusted profits"
        is_adjective = tags[at] == "JJ" and keys[at].endswith("ed") and _ends_clause(tags, at)
        if (tags[at] == "VBN" or is_adjective) and not _has_auxiliary(keys, tags, at):
            # "a statement released by his wife, Elaine, criticised both".
            if not reduced and (at + 1 >= end or keys[at + 1] != "by"):
                tags[at] = "VBD"
            return
    for at in range(subject + 1, min(end, len(tags) - 1)):
        is_numbered = tags[at - 1] == "CD" and tags[at - 2] in NOUNS  # "passage 2 adds"
        if (is_numbered or tags[at - 1] in NOUNS | {"RB"}) and (
            verb := _verb_tag(keys, tags, start, at)
        ):
            tags[at] = verb
            return


def _verb_tag(keys: Sequence[str], tags: Sequence[str], start: int, at: int) -> str:
    """Return the tag of a noun that is a verb after its subject; empty if it is none."""
    after = tags[at + 1]
    if tags[at] == "NNS" and is_third_person(keys[at]):
        is_named = at == start + 1 and tags[at - 1] == "NNP" and keys[at - 1] in HE | SHE
        if is_named and after in ("IN", "CC", "."):
            return "VBZ"  # "Anna works in Rome."
        if len(keys[at - 1]) == 1 and tags[at - 1] == "NNP" and after in NOUNS:
            return "VBZ"  # "type A uses gas"
    if after == "IN" and tags[at - 1] == "NNS" and tags[at] == "NN" and can_be_verb(keys[at]):
        return "VBP"
    if after not in _AFTER_VERB and keys[at + 1] not in DETERMINERS:
        return ""
    if tags[at] == "NNS" and is_third_person(keys[at]):
        return "VBZ"
    is_plural = tags[at - 1] == "NNS" or (tags[at] == "VB" and "NNS" in tags[start:at])
    return "VBP" if tags[at] in ("NN", "VB") and is_plural and can_be_verb(keys[at]) else ""


def _ends_clause(tags: Sequence[str], at: int) -> bool:
    """Tell whether nothing that an adjective could go with follows a word after its noun."""
    after = tags[at + 1] if at + 1 < len(tags) else "."
    return tags[at - 1] in NOUNS and after in (".", ",", ";", "CC")


def _has_auxiliary(keys: list[str], tags: list[str], at: int) -> bool:
    before = word_before(tags, at)
    return keys[before] in BE or keys[before] in HAVE
