"""The keys by which a text cites sources: numbers, ids, titles, addresses, authors and years."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from citeguard.language.citations import YEAR, is_surname, pattern
from citeguard.sources.collection import Sources


class Named(NamedTuple):
    """A key in a citation mark.

    Attributes:
        key: As it is written.
        source_id: The source it names; `None` if it names none, or several.
    """

    key: str
    source_id: str | None


class Work(NamedTuple):
    """Authors and year, from a source's id or title, or from a text that cites it.

    Attributes:
        authors: Folded; of a source they are its words, of a text its names.
        year: Four digits.
        letter: The letter after the year, or nothing.
    """

    authors: tuple[str, ...]
    year: str
    letter: str


_MOST_IN_RANGE = 100  # numbers in a range such as "[1-100]"
_SHORTEST_WORD = 3  # an id without a digit, in round brackets: "(a)" counts something
_MOST_AUTHOR_WORDS = 6  # before the year, in an id or a title
_LONGEST_TITLE = 200  # characters of an id or a title that are searched for authors and year

_AUTHOR_AND_YEAR = re.compile(rf"[^\W\d_]{{3,}}[_-]?{YEAR}[a-z]?")
_WORD = re.compile(r"[^\W\d_]+")
_DIGITS = re.compile(r"[0-9]+")
_NUMBER = re.compile(r"[0-9]{1,3}")
_BETWEEN = re.compile(r"[,;，；、|]|\s(?:and|&)\s", re.IGNORECASE)
_NO_LABEL_IN_ROUND = ("note", "nb", "n ", "id", "cite")  # "(note 3)" is a note of the text itself
_SOURCE_YEAR = re.compile(rf"(?<![0-9])({YEAR})([a-z](?![^\W\d_]))?(?![0-9])")
_ONE_YEAR = re.compile(rf"({YEAR})?([a-z])?")
_INITIALS = re.compile(r"\b[^\W\d_]\.")
_URL = re.compile(r"\s{0,3}(?:https?://(?:www\.)?|www\.)", re.IGNORECASE)
_TRACKING = re.compile(r"[?&]utm_[^&#]*")
_FRAGMENT = re.compile(r"(?<=.)#[^#\s,;|]*\Z")
_TWO_LETTERS = re.compile(r"[^\W\d_]{2}|[@#]")
_NOT_KEY = re.compile(r"[\s_-]+")


class Keys:
    """The keys of sources, and what the inside of a mark names by them.

    A key is the id of a source, also when it is written with other capitals, blanks, `_` or `-`,
    or its title. A number is the source with that id; if no id is a number, the source in that
    place, from 1. Authors and year name a source whose id or title begins with them. A key that
    fits several sources names none.
    """

    def __init__(self, sources: Sources) -> None:
        self._ids = sources.ids
        self._known = frozenset(self._ids)
        self._numbers = {int(each): each for each in self._ids if _is_number(each)}
        self._folded = _unambiguous((_fold(each), each) for each in self._ids)
        self._titled = _unambiguous((_fold(each.title or ""), each.id) for each in sources)
        self._shapes = frozenset(map(_shape, self._ids)) - {""}
        self._urls = _unambiguous((_address_of(each.url or each.id), each.id) for each in sources)
        self._pages = _unambiguous((_page_of(url), each) for url, each in self._urls.items())
        self._works: dict[tuple[str, str], list[tuple[Work, str]]] = {}
        for source in sources:
            for name in dict.fromkeys((source.id, source.title or "")):
                self._add_work(name, source.id)

    def in_square_brackets(self, inside: str) -> list[Named]:
        """Return the keys between `[` and `]`; none if that is not a citation."""
        inside = inside.strip()
        if found := self._by_name(inside):
            return [Named(inside, found)]
        inside = inside.removeprefix("^")
        return self._listed(inside) or self._dated(inside)

    def in_round_brackets(self, inside: str) -> list[Named]:
        """Return the keys between `(` and `)`, where numbers need a word such as "source"."""
        inside = inside.strip()
        labelled = pattern("label").match(_without_lead(inside))
        if labelled and not labelled[0].lower().startswith(_NO_LABEL_IN_ROUND):
            named = self._listed(inside)
            # "(Source: Reuters)" credits somebody, and cites none of the sources.
            return named if any(each.source_id or _is_number(each.key) for each in named) else []
        tokens = [token.strip() for token in _BETWEEN.split(_without_lead(inside))]
        alone = [token for token in tokens if self._stands_alone(token)]
        if tokens[:1] == alone[:1] and len(alone) + sum(map(_is_locator, tokens)) == len(tokens):
            return [self._name(token) for token in alone]
        return self._dated(inside)

    def at_link(self, words: str, target: str) -> tuple[list[Named], bool]:
        """Return the source a link leads to, and whether its words are only its name."""
        found = self._by_name(target)
        if found is None:
            return [], False
        host = target.split("/")[2] if _URL.match(target) and "/" in target[8:] else target
        name = not _WORD.search(words) or self._by_name(words.strip()) == found
        return [Named(words, found)], name or _fold(words) in _fold(host)

    def raised(self, digits: str) -> list[Named]:
        """Return the keys of a raised mark: numbers and ranges, and nothing else.

        Of digits without a sign between them that are the number of no source, each is one.
        """
        only_numbers = bool(digits.strip()) and all(char in "0123456789,;-– \n" for char in digits)
        named = self._listed(digits) if only_numbers else []
        if len(named) == 1 and named[0].source_id is None and digits.isdecimal():
            singly = [Named(digit, self._numbered(digit)) for digit in digits]
            return singly if all(each.source_id for each in singly) else named
        return named

    def dated(self, authors: str, years: str) -> list[Named]:
        """Return the keys of "Smith (2020)"; none unless each names a source."""
        named = [
            Named(f"{authors} {work.year}{work.letter}", self._written(work)[0])
            for work in _works_of(authors, years)
        ]
        return named if all(each.source_id for each in named) else []

    def _add_work(self, name: str, source_id: str) -> None:
        work = _source_work(name)
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
        if _URL.match(key):
            address = _address_of(key)
            if linked := self._urls.get(address) or self._pages.get(_page_of(address)):
                return linked
        for written in dict.fromkeys((key, _page_of(key))):
            folded = _fold(written)
            if folded and (found := self._folded.get(folded) or self._titled.get(folded)):
                return found
        return None

    def _numbered(self, digits: str) -> str | None:
        place = int(digits)
        if self._numbers:
            return self._numbers.get(place)
        return self._ids[place - 1] if 0 < place <= len(self._ids) else None

    def _name(self, key: str) -> Named:
        found = self._by_name(key)
        return Named(key, self._numbered(key) if found is None and _is_number(key) else found)

    def _stands_alone(self, key: str) -> bool:
        """Return whether words in round brackets are a key, without a label such as "source"."""
        if not _WORD.search(key):
            return False
        if not _DIGITS.search(key):
            known = _URL.match(key) or _page_of(key) in self._known
            return bool(known and self._by_name(key)) and len(key) >= _SHORTEST_WORD
        return self._by_name(key) is not None or _shape(_page_of(key)) in self._shapes

    def _listed(self, inside: str) -> list[Named]:
        """Read a list of keys, which may have words such as "source", pages and notes in it."""
        tokens = filter(None, map(str.strip, _BETWEEN.split(_without_lead(inside))))
        read = [(token, self._token(token)) for token in tokens]
        named = [each for _, found in read for each in found]
        others = [token for token, found in read if not (found or _is_year_or_place(token))]
        if not named or _is_locator(read[0][0]) or not _may_be_beside(others, named):
            return []
        if len(named) > 1 and any(each == Named("0", None) for each in named):
            return []  # "[0, 1]" is an interval
        return [
            each
            for token, found in read
            for each in found or ([] if self._is_note(token) else [Named(token, None)])
        ]

    def _is_note(self, token: str) -> bool:
        """Return whether words that are the key of no source are not meant as one."""
        if _is_year_or_place(token):
            return True
        cited = pattern("cited work").fullmatch(token)
        return any(map(str.isspace, token)) and not (cited and self._is_clear(cited))

    def _token(self, token: str) -> list[Named]:
        if found := self._by_name(token):
            return [Named(token, found)]
        label = pattern("label").match(token)
        key = token[label.end() if label else 0 :].lstrip(" #^@")
        if numbers := self._numbers_in(key):
            return numbers
        named = self._name(key)
        if named.source_id or _shape(_page_of(key)) in self._shapes or pattern("id").fullmatch(key):
            return [named]
        certain = label is not None and label["colon"] and key and not any(map(str.isspace, key))
        return [named] if certain else []

    def _numbers_in(self, key: str) -> list[Named]:
        if _NUMBER.fullmatch(key):
            return [self._name(key)]
        if (ends := pattern("range").fullmatch(key)) is None:
            return []
        first, last = int(ends[1]), int(ends[2])
        if not first < last < first + _MOST_IN_RANGE:
            return [Named(key, None)]
        return [self._name(str(number)) for number in range(first, last + 1)]

    def _dated(self, inside: str) -> list[Named]:
        """Read authors and years; those of no source count beside one of a source."""
        named: list[Named] = []
        certain = False
        for part in pattern("works").split(inside):
            cited = pattern("cited work").fullmatch(_without_lead(part.strip()))
            if cited is None:
                return []
            found = [self._written(each) for each in _works_of(cited["authors"], cited["years"])]
            named += [Named(cited[0], source_id) for source_id, _ in found]
            certain = certain or any(known for _, known in found) or self._is_clear(cited)
        return named if certain else []

    def _is_clear(self, cited: re.Match[str]) -> bool:
        """Return whether authors and year of no source are a citation all the same."""
        if not self._works or pattern("no author").match(cited["authors"]):
            return False
        names = pattern("and").split(pattern("et al").sub("", cited["authors"]))
        if not all(pattern("author").fullmatch(name.strip()) for name in names if name.strip()):
            return False
        several = len(names) > 1 or pattern("et al").search(cited["authors"])
        certain = cited["comma"] or several or is_surname(cited["authors"])
        return bool(certain)

    def _written(self, cited: Work) -> tuple[str | None, bool]:
        """Return the source with these authors and year, and whether there is one, or several."""
        first, *others = cited.authors or ("",)
        works = self._works.get((first, cited.year), [])
        works = [pair for pair in works if cited.letter in ("", pair[0].letter)]
        works = [pair for pair in works if _agree(pair[0], first, others)]
        plain = [pair for pair in works if pair[0].letter == cited.letter]
        alone = [pair for pair in plain if "".join(pair[0].authors) == "".join(cited.authors)]
        for choice in (alone, plain, works):
            ids = {source_id for _, source_id in choice}
            if len(ids) == 1:
                return ids.pop(), True
        return None, bool(works)


def _may_be_beside(others: list[str], named: list[Named]) -> bool:
    """Return whether other words may be beside keys: "[1, 2.5]" and "[1, x]" are figures."""
    known = [each for each in named if each.source_id]
    cites_id = any(not _is_number(each.key) for each in known)
    return not others or cites_id or (bool(known) and all(map(_begins_as_word, others)))


def _shape(key: str) -> str:
    """Return what keys that differ only in a number have in common; "" if it has no number."""
    if _AUTHOR_AND_YEAR.fullmatch(key) and not pattern("no author").match(key):
        return "author and year"
    folded, changed = _DIGITS.subn("0", _fold(key))
    return folded if changed and folded != "0" else ""


def _unambiguous(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    found: dict[str, set[str]] = {}
    for key, source_id in pairs:
        found.setdefault(key, set()).add(source_id)
    return {key: next(iter(ids)) for key, ids in found.items() if key and len(ids) == 1}


def _source_work(name: str) -> Work | None:
    """Return the authors and the year that an id or a title begins with, if it does."""
    year = _SOURCE_YEAR.search(name[:_LONGEST_TITLE])
    if year is None:
        return None
    head = unicodedata.normalize(
        "NFC", _INITIALS.sub("", pattern("et al").sub("", name[: year.start()]))
    )
    words = [_letters_of(word).removesuffix("etal") for word in _WORD.findall(head)]
    authors = tuple(word for word in words if word not in ("and", "et", "al"))
    if not 0 < len(authors) <= _MOST_AUTHOR_WORDS:
        return None
    return Work(authors, year[1], year[2] or "")


def _works_of(authors: str, years: str) -> Iterator[Work]:
    """Yield what "Smith and Lee" and "2019, 2020a, b" name together."""
    names = pattern("and").split(pattern("et al").sub("", _INITIALS.sub("", authors)))
    folded = tuple(filter(None, (_letters_of(str(name)) for name in names)))
    year = ""
    for part in years.split(","):
        if (given := _ONE_YEAR.fullmatch(part.strip())) is not None:
            year = given[1] or year
            yield Work(folded, year, given[2] or "")


def _agree(work: Work, first: str, others: list[str]) -> bool:
    """Return whether the second author of a text is that of a source, if both name one."""
    beyond = "".join(work.authors)[len(first) :]
    return not others or not beyond or beyond.startswith(others[0])


def _without_lead(inside: str) -> str:
    """Return the inside of a bracket without a "see" or the like before it."""
    lead = pattern("lead").match(inside)
    return inside[lead.end() :] if lead else inside


def _is_locator(token: str) -> bool:
    """Return whether words are a page, a chapter or the like."""
    return pattern("locator").fullmatch(token) is not None


def _page_of(key: str) -> str:
    """Return an address or an id without the fragment, as "docs/b.md" of "docs/b.md#L3"."""
    return _FRAGMENT.sub("", key)


def _address_of(url: str) -> str:
    """Return the part of an address that identifies it; empty if it is not a URL."""
    kept, sign, fragment = _TRACKING.sub("", url.strip()).partition("#")
    return _URL.sub("", kept.casefold()).rstrip("/") + sign + fragment if _URL.match(url) else ""


def _is_year_or_place(token: str) -> bool:
    """Return whether a word beside keys is a year or a place in a source: "p5", "L3"."""
    return _is_locator(token) or pattern("beside").fullmatch(token) is not None


def _begins_as_word(token: str) -> bool:
    """Return whether words begin as a word or a key does, not as a figure or a variable."""
    return _TWO_LETTERS.match(token) is not None


def _fold(key: str) -> str:
    """Return a key without what may be written differently: capitals, blanks and hyphens."""
    return _NOT_KEY.sub("", unicodedata.normalize("NFKC", key).casefold())


def _letters_of(word: str) -> str:
    """Return the letters of a word, without accents and capitals."""
    letters = unicodedata.normalize("NFKD", word.casefold())
    return "".join(char for char in letters if char.isalpha())


def _is_number(key: str) -> bool:
    """Return whether a key is a number that may be a place in a list."""
    return key.isascii() and key.isdecimal() and len(key) <= 9
