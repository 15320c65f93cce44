"""The keys by which a text cites sources: numbers, ids, titles, authors and years."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from citeguard.auditing.citing.asides import (
    NO_AUTHOR,
    URL,
    address_of,
    begins_as_word,
    fold,
    is_locator,
    is_number,
    is_number_list,
    is_surname,
    is_year_or_place,
    page_of,
    without_lead,
)
from citeguard.auditing.citing.works import AND, ET_AL, YEAR, Work, agree, source_work, works_of
from citeguard.sources.collection import Sources


class Named(NamedTuple):
    """A key in a citation mark.

    Attributes:
        key: As it is written.
        source_id: The source it names; `None` if no source bears it, or several do.
    """

    key: str
    source_id: str | None


_MOST_IN_RANGE = 100  # numbers that "[1-100]" may stand for
_SHORTEST_WORD = 3  # an id without a digit, in round brackets: "(a)" counts something

_AUTHOR_AND_YEAR = re.compile(rf"[^\W\d_]{{3,}}[_-]?{YEAR}[a-z]?")
_WORD = re.compile(r"[^\W\d_]+")
_DIGITS = re.compile(r"[0-9]+")
_NUMBER = re.compile(r"[0-9]{1,3}")
# An id that nobody writes for anything else: "[doc-9]".
_ID = re.compile(
    r"(?:docs?|documents?|sources?|src|refs?|references?|passages?|chunks?|contexts?|articles?"
    r"|papers?|files?)[-_][0-9]{1,4}",
    re.IGNORECASE,
)
_RANGE = re.compile(r"([0-9]{1,3})\s{0,3}[-–—]\s{0,3}([0-9]{1,3})")
_BETWEEN = re.compile(r"[,;，；、|]|\s(?:and|&)\s", re.IGNORECASE)
_LABEL = re.compile(
    r"(?:sources?|documents?|docs?|passages?|references?|refs?\.?|citations?|cite|contexts?"
    r"|chunks?|excerpts?|ids?|notes?|nb|n)(?P<colon>\s{0,3}:)?(?:\s{1,3}\#?|(?<=:)|\#)",
    re.IGNORECASE,
)
_NO_LABEL_IN_ROUND = ("note", "nb", "n ", "id", "cite")  # "(note 3)" is one of the text's own
_WORKS = re.compile(r";|(?<=[0-9]),\s(?=[^\W\d_]{2})|(?<=[0-9][a-z]),\s(?=[^\W\d_]{2})")
_CITED_WORK = re.compile(
    rf"(?P<authors>[^\d;]{{2,150}}?)(?P<comma>,)?\s{{1,3}}(?P<years>{YEAR}[a-z]?"
    rf"(?:\s?,\s?(?:{YEAR}[a-z]?|[a-z]\b))*)"
    r"(?:\s?[,:]\s?(?:pp?\.?\s?|§\s?|ch\.\s?)?[0-9]{1,5}(?:\s?[–-]\s?[0-9]{1,5})?)?"
)
_AUTHOR = re.compile(
    r"(?:(?:van|von|de|der|den|du|di|da|la|le|el)\s){0,3}[^\W\d_a-z][\w'’-]+"
    r"(?:\s[^\W\d_a-z][\w'’-]+){0,2}"
)


class Keys:
    """The keys that sources bear, and what the inside of a mark names by them.

    A key is the id of a source, also when it is written with other capitals, blanks, `_` or `-`,
    or its title. A number is the source with that id; if no id is a number, the source in that
    place, from 1. Authors and year are a source's whose id or title begins with them. What would be
    the key of several sources is that of none.

    Examples:
        >>> keys = Keys(Sources({"doc-1": "It rained.", "smith2020": "It snowed."}))
        >>> keys.in_square_brackets("Doc 1, 2")
        [Named(key='Doc 1', source_id='doc-1'), Named(key='2', source_id='smith2020')]
        >>> keys.in_round_brackets("Smith et al., 2020")
        [Named(key='Smith et al., 2020', source_id='smith2020')]
    """

    def __init__(self, sources: Sources) -> None:
        self._ids = sources.ids
        self._known = frozenset(self._ids)
        self._numbers = {int(each): each for each in self._ids if is_number(each)}
        self._folded = _unambiguous((fold(each), each) for each in self._ids)
        self._titled = _unambiguous((fold(each.title or ""), each.id) for each in sources)
        self._shapes = frozenset(map(_shape, self._ids)) - {""}
        self._urls = _unambiguous((address_of(each.url or each.id), each.id) for each in sources)
        self._pages = _unambiguous((page_of(url), each) for url, each in self._urls.items())
        self._works: dict[tuple[str, str], list[tuple[Work, str]]] = {}
        for source in sources:
            for name in dict.fromkeys((source.id, source.title or "")):
                self._add_work(name, source.id)

    def in_square_brackets(self, inside: str) -> list[Named]:
        """Return the keys between `[` and `]`; none if that is no citation."""
        inside = inside.strip()
        if found := self._by_name(inside):
            return [Named(inside, found)]
        inside = inside.removeprefix("^")
        return self._listed(inside) or self._dated(inside)

    def in_round_brackets(self, inside: str) -> list[Named]:
        """Return the keys between `(` and `)`, where numbers need a word such as "source"."""
        inside = inside.strip()
        labelled = _LABEL.match(without_lead(inside))
        if labelled and not labelled[0].lower().startswith(_NO_LABEL_IN_ROUND):
            named = self._listed(inside)
            # "(Source: Reuters)" tells where something is from, and cites nothing that was given.
            return named if any(each.source_id or is_number(each.key) for each in named) else []
        tokens = [token.strip() for token in _BETWEEN.split(without_lead(inside))]
        alone = [token for token in tokens if self._stands_alone(token)]
        if tokens[:1] == alone[:1] and len(alone) + sum(map(is_locator, tokens)) == len(tokens):
            return [self._name(token) for token in alone]
        return self._dated(inside)

    def at_link(self, words: str, target: str) -> tuple[list[Named], bool]:
        """Return what a link leads to, and whether its words are but a name of that."""
        found = self._by_name(target)
        if found is None:
            return [], False
        host = target.split("/")[2] if URL.match(target) and "/" in target[8:] else target
        name = not _WORD.search(words) or self._by_name(words.strip()) == found
        return [Named(words, found)], name or fold(words) in fold(host)

    def raised(self, digits: str) -> list[Named]:
        """Return the keys of a raised mark: numbers and ranges, and nothing else.

        Of digits without a sign between them that are the number of no source, each is one.
        """
        named = self._listed(digits) if is_number_list(digits) else []
        if len(named) == 1 and named[0].source_id is None and digits.isdecimal():
            singly = [Named(digit, self._numbered(digit)) for digit in digits]
            return singly if all(each.source_id for each in singly) else named
        return named

    def dated(self, authors: str, years: str) -> list[Named]:
        """Return the keys of "Smith (2020)"; none unless a source bears each of them."""
        named = [
            Named(f"{authors} {work.year}{work.letter}", self._written(work)[0])
            for work in works_of(authors, years)
        ]
        return named if all(each.source_id for each in named) else []

    def _add_work(self, name: str, source_id: str) -> None:
        work = source_work(name)
        prefix = ""
        for author in work.authors if work else ():
            prefix += author
            # A title that says the same as the id is one work.
            works = self._works.setdefault((prefix, work.year if work else ""), [])
            if work and (work, source_id) not in works:
                works.append((work, source_id))

    def _by_name(self, key: str) -> str | None:
        if key in self._known:
            return key
        if URL.match(key) and (linked := self._linked(address_of(key))):
            return linked
        for written in dict.fromkeys((key, page_of(key))):
            folded = fold(written)
            if folded and (found := self._folded.get(folded) or self._titled.get(folded)):
                return found
        return None

    def _linked(self, address: str) -> str | None:
        return self._urls.get(address) or self._pages.get(page_of(address))

    def _numbered(self, digits: str) -> str | None:
        place = int(digits)
        if self._numbers:
            return self._numbers.get(place)
        return self._ids[place - 1] if 0 < place <= len(self._ids) else None

    def _name(self, key: str) -> Named:
        found = self._by_name(key)
        return Named(key, self._numbered(key) if found is None and is_number(key) else found)

    def _stands_alone(self, key: str) -> bool:
        """Tell whether a key in round brackets is one, though no word says so."""
        if not _WORD.search(key):
            return False
        if not _DIGITS.search(key):
            known = URL.match(key) or page_of(key) in self._known
            return bool(known and self._by_name(key)) and len(key) >= _SHORTEST_WORD
        return self._by_name(key) is not None or _shape(page_of(key)) in self._shapes

    def _listed(self, inside: str) -> list[Named]:
        """Read a list of keys, which may have words such as "source", pages and notes in it."""
        tokens = filter(None, map(str.strip, _BETWEEN.split(without_lead(inside))))
        read = [(token, self._token(token)) for token in tokens]
        named = [each for _, found in read for each in found]
        others = [token for token, found in read if not (found or is_year_or_place(token))]
        if not named or is_locator(read[0][0]) or not _may_be_beside(others, named):
            return []
        if len(named) > 1 and any(each == Named("0", None) for each in named):
            return []  # "[0, 1]" is an interval
        return [
            each
            for token, found in read
            for each in found or ([] if self._is_note(token) else [Named(token, None)])
        ]

    def _is_note(self, token: str) -> bool:
        """Tell whether something that is the key of no source is not meant as one."""
        if is_year_or_place(token):
            return True
        cited = _CITED_WORK.fullmatch(token)
        return any(map(str.isspace, token)) and not (cited and self._is_clear(cited))

    def _token(self, token: str) -> list[Named]:
        if found := self._by_name(token):
            return [Named(token, found)]
        label = _LABEL.match(token)
        key = token[label.end() if label else 0 :].lstrip(" #^@")
        if numbers := self._numbers_in(key):
            return numbers
        named = self._name(key)
        if named.source_id or _shape(page_of(key)) in self._shapes or _ID.fullmatch(key):
            return [named]
        certain = label is not None and label["colon"] and key and not any(map(str.isspace, key))
        return [named] if certain else []

    def _numbers_in(self, key: str) -> list[Named]:
        if _NUMBER.fullmatch(key):
            return [self._name(key)]
        if (ends := _RANGE.fullmatch(key)) is None:
            return []
        first, last = int(ends[1]), int(ends[2])
        if not first < last < first + _MOST_IN_RANGE:
            return [Named(key, None)]
        return [self._name(str(number)) for number in range(first, last + 1)]

    def _dated(self, inside: str) -> list[Named]:
        """Read authors and years; what no source bears counts beside one that a source bears."""
        named: list[Named] = []
        certain = False
        for part in _WORKS.split(inside):
            cited = _CITED_WORK.fullmatch(without_lead(part.strip()))
            if cited is None:
                return []
            found = [self._written(each) for each in works_of(cited["authors"], cited["years"])]
            named += [Named(cited[0], source_id) for source_id, _ in found]
            certain = certain or any(known for _, known in found) or self._is_clear(cited)
        return named if certain else []

    def _is_clear(self, cited: re.Match[str]) -> bool:
        """Tell whether authors and year that no source bears are a citation all the same."""
        if not self._works or NO_AUTHOR.match(cited["authors"]):
            return False
        names = AND.split(ET_AL.sub("", cited["authors"]))
        if not all(_AUTHOR.fullmatch(name.strip()) for name in names if name.strip()):
            return False
        several = len(names) > 1 or ET_AL.search(cited["authors"])
        certain = cited["comma"] or several or is_surname(cited["authors"])
        return bool(certain) or _any_dated(self._ids, cited[0])

    def _written(self, cited: Work) -> tuple[str | None, bool]:
        """Return the source that bears authors and year, and whether any does, one or several."""
        first, *others = cited.authors or ("",)
        works = self._works.get((first, cited.year), [])
        works = [pair for pair in works if cited.letter in ("", pair[0].letter)]
        works = [pair for pair in works if agree(pair[0], first, others)]
        plain = [pair for pair in works if pair[0].letter == cited.letter]
        alone = [pair for pair in plain if "".join(pair[0].authors) == "".join(cited.authors)]
        for choice in (alone, plain, works):
            ids = {source_id for _, source_id in choice}
            if len(ids) == 1:
                return ids.pop(), True
        return None, bool(works)


def _may_be_beside(others: list[str], named: list[Named]) -> bool:
    """Tell whether these may stand beside keys: "[1, 2.5]" and "[1, x]" are figures."""
    known = [each for each in named if each.source_id]
    cites_id = any(not is_number(each.key) for each in known)
    return not others or cites_id or (bool(known) and all(map(begins_as_word, others)))


def _shape(key: str) -> str:
    """Return what keys that differ only in a number have in common; "" if it has no number."""
    if _AUTHOR_AND_YEAR.fullmatch(key) and not NO_AUTHOR.match(key):
        return "author and year"
    folded, changed = _DIGITS.subn("0", fold(key))
    return folded if changed and folded != "0" else ""


def _unambiguous(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    found: dict[str, set[str]] = {}
    for key, source_id in pairs:
        found.setdefault(key, set()).add(source_id)
    return {key: next(iter(ids)) for key, ids in found.items() if key and len(ids) == 1}


def _any_dated(ids: Iterable[str], key: str) -> bool:
    """Tell whether an id is written as a key is: letters, blanks and year in the same order."""
    form = _WORD.sub("a", _DIGITS.sub("0", key))
    return any(_WORD.sub("a", _DIGITS.sub("0", each)) == form for each in ids)
