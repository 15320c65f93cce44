"""The keys by which a text cites sources: numbers, ids, titles, addresses, authors and years."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from citeguard.auditing.references import Catalogue, Entry, Work, folded, work_of
from citeguard.language.citations import YEAR, is_surname, looks_like_id, pattern
from citeguard.sources.collection import Sources
from citeguard.sources.links import address_of, is_url, page_of


class Named(NamedTuple):
    """A key in a citation mark.

    Attributes:
        key: As it is written.
        source_id: The source it names; `None` if it names none, or several.
        entry: What the text's list of references says of it; empty if it is not listed.
    """

    key: str
    source_id: str | None
    entry: str = ""


class Linked(NamedTuple):
    """What the links of a text lead to.

    Attributes:
        targets: Addresses as they are written, with the ids of their sources.
        entries: Where entries of the list of references start, with the ids of their sources.
        places: The half-open intervals of addresses outside of that list, with these ids.
    """

    targets: Mapping[str, str]
    entries: Mapping[int, str]
    places: tuple[tuple[int, int, str], ...]

    @property
    def ids(self) -> frozenset[str]:
        """The ids of all sources that links lead to."""
        return frozenset((*self.targets.values(), *self.entries.values()))


_NO_LINKS = Linked({}, {}, ())
_MOST_IN_RANGE = 100  # numbers in a range such as "[1-100]"
# Links that are called so are marks: "founded in 1984 [source](…)".
CITING = frozenset(("source", "sources", "link", "reference", "ref", "citation"))
_SHORTEST_WORD = 3  # an id without a digit, in round brackets: "(a)" counts something
_MOST_AUTHOR_WORDS = 6  # before the year, in an id or a title
_LONGEST_TITLE = 200  # characters of an id or a title that are searched for authors and year

_AUTHOR_AND_YEAR = re.compile(rf"[^\W\d_]{{3,}}[_-]?{YEAR}[a-z]?")
# "nakamoto2008", "vaswani2017attention"
_KEY_OF_WORK = re.compile(
    rf"@?([^\W\d_]{{2,30}})(?:etal)?[-_:.]?({YEAR})([a-z]?)(?:[-_:]?[^\W\d_]{{3,30}})?",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]+")
_DIGITS = re.compile(r"[0-9]+")
_NUMBER = re.compile(r"[0-9]{1,3}")
_BETWEEN = re.compile(r"[,;，；、|]|\s(?:and|&)\s", re.IGNORECASE)
_NO_LABEL_IN_ROUND = ("note", "nb", "n ", "id", "cite")  # "(note 3)" is a note of the text itself
_SOURCE_YEAR = re.compile(rf"(?<![0-9])({YEAR})([a-z](?![^\W\d_]))?(?![0-9])")
_ONE_YEAR = re.compile(rf"({YEAR})?([a-z])?")
_INITIALS = re.compile(r"\b[^\W\d_]\.")
_TWO_LETTERS = re.compile(r"[^\W\d_]{2}|[@#]")
_FIGURE = re.compile(r"[0-9]{4}|[0-9][.,][0-9]{3}|[0-9]\.[0-9]|[%$€£¥]")
_SEPARATOR = re.compile(r"[.,;]")
_FILE_SUFFIX = re.compile(r"\.[a-z]{2,5}\Z", re.IGNORECASE)
_NOT_KEY = re.compile(r"[\s_-]+")


class Keys:
    """The keys of sources, and what the inside of a mark names by them.

    A key is the id of a source, also when it is written with other capitals, blanks, `_` or `-`, or
    with the suffix of a file, or its title. A number is the source that the text's list of
    references says it is; without a list, the source with that id; if no id is a number, the source
    in that place, from 1. Authors and year name a source whose id or title begins with them, or
    whose entry in the list does. A key that fits several sources names none.

    Args:
        sources: The sources.
        entries: The entries of the text's list of references.
        cite: Keys with the ids of the sources that they name, whatever the list says.
        linked: What links lead to. No number names such a source by its place.
    """

    def __init__(
        self,
        sources: Sources,
        entries: Iterable[Entry] = (),
        cite: Mapping[str, str] | None = None,
        linked: Linked | None = None,
    ) -> None:
        self._linked = linked or _NO_LINKS
        self._ids = tuple(each for each in sources.ids if each not in self._linked.ids)
        self._known = frozenset(sources.ids)
        self._numbers = {int(each): each for each in self._ids if _is_number(each)}
        # An id takes precedence over a title, and both over the id of a file without its suffix.
        stems = _unambiguous((_fold(_without_suffix(each)), each) for each in self._ids)
        titles = _unambiguous((_fold(each.title or ""), each.id) for each in sources)
        self._names = stems | titles | _unambiguous((_fold(each), each) for each in sources.ids)
        urls = _unambiguous((address_of(each.url or each.id), each.id) for each in sources)
        self._urls = _unambiguous((page_of(url), each) for url, each in urls.items()) | urls
        self._shapes = frozenset(map(_shape, self._ids)) - {""}
        self._words = any(_WORD.fullmatch(_fold(each)) for each in self._ids)
        self._works: dict[tuple[str, str], list[tuple[Work, Named]]] = {}
        for source in sources:
            for name in dict.fromkeys((source.id, source.title or "")):
                self._add_source(name, source.id)
        self._given = {_folded_key(key): source_id for key, source_id in (cite or {}).items()}
        self._entries: dict[str, Named] = {}
        self._add_list([*entries], sources)

    def in_square_brackets(self, inside: str) -> list[Named]:
        """Return the keys between `[` and `]`; none if that is not a citation."""
        inside = inside.strip()
        if found := self._by_name(inside):
            return [found]
        inside = inside.removeprefix("^")
        return self._listed(inside) or self._dated(inside)

    def unknown_words(self, inside: str) -> list[Named]:
        """Return the words between `[` and `]` as keys of no source, if each looks like an id."""
        tokens = [token.strip() for token in _BETWEEN.split(inside)]
        named = [token for token in tokens if not _is_locator(token)]
        are_ids = all(looks_like_id(token, plain=self._words) for token in named)
        return [Named(token, None) for token in named] if are_ids else []

    def listed_numbers(self, written: str) -> list[Named]:
        """Return the numbers and ranges of a list, if the list of references has all of them."""
        tokens = [token.strip() for token in _BETWEEN.split(written)]
        numbers = [each for token in tokens for each in self._numbers_in(token)]
        every = all(map(self._numbers_in, tokens))
        return numbers if every and all(each.key in self._entries for each in numbers) else []

    def in_command(self, inside: str) -> list[Named]:
        r"""Return the keys between the braces of `\cite{…}`."""
        return [self.named(key) for token in inside.split(",") if (key := token.strip())]

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
            return [self.named(token) for token in alone]
        return self._dated(inside)

    def in_place(self, index: int) -> Named:
        """Return the source in a place, counted from 0, as programs count."""
        found = self._ids[index] if index < len(self._ids) else None
        return Named(str(index), found)

    def at_link(self, words: str, target: str) -> tuple[list[Named], bool]:
        """Return the source a link leads to, and whether its words are only its name."""
        found = self._by_name(target)
        if found is None or found.source_id is None:
            return [], False
        host = target.split("/")[2] if is_url(target) and "/" in target[8:] else target
        called = self._by_name(words.strip())
        name = not _WORD.search(words) or (called and called.source_id == found.source_id)
        # A year or an amount is what the text says: "founded in [1985](…)".
        is_name = bool(name) and not _FIGURE.search(words)
        is_name |= words.strip().casefold() in CITING
        return [found._replace(key=words)], is_name or _fold(words) in _fold(host)

    def raised(self, digits: str) -> list[Named]:
        """Return the keys of a raised mark: numbers and ranges, and nothing else.

        Of digits without a sign between them that are the number of no source, each is one.
        """
        only_numbers = bool(digits.strip()) and all(char in "0123456789,;-– \n" for char in digits)
        named = self._listed(digits) if only_numbers else []
        if len(named) == 1 and named[0].source_id is None and digits.isdecimal():
            singly = [self.named(digit) for digit in digits]
            return singly if all(each.source_id for each in singly) else named
        return named

    def dated(self, authors: str, years: str) -> list[Named]:
        """Return the keys of "Smith (2020)"; none unless each names a source."""
        named = [
            self._written(work)[0]._replace(key=f"{authors} {work.year}{work.letter}")
            for work in _works_of(authors, years)
        ]
        return named if all(each.source_id or each.entry for each in named) else []

    def _add_source(self, name: str, source_id: str) -> None:
        work = _source_work(name)
        prefix = ""
        for author in work.authors if work else ():
            prefix += author
            self._add_work(prefix, work, Named(name, source_id))

    def _add_work(self, prefix: str, work: Work | None, named: Named) -> None:
        works = self._works.setdefault((prefix, work.year if work else ""), [])
        # A title that says the same as the id is one work.
        if work and all(
            (work, named.source_id) != (each, other.source_id) for each, other in works
        ):
            works.append((work, named))

    def _add_list(self, entries: list[Entry], sources: Sources) -> None:
        """Read which sources the entries of a list of references are."""
        catalogue = Catalogue(sources) if entries else None
        recognized = catalogue.sources_of(entries, self._linked.entries) if catalogue else []
        listed: dict[str, Named] = {}
        for entry, known in zip(entries, recognized, strict=True):
            work = work_of(entry)
            found = known or (self._written(work)[0].source_id if work else None)
            named = Named(entry.key, self._given.get(_folded_key(entry.key), found), entry.text)
            key = _folded_key(entry.key)
            if key and (key not in listed or listed[key].source_id is None):
                listed[key] = named
            if work and work.authors:
                self._add_work(work.authors[0], work, named)
        numbers = {key: named for key, named in listed.items() if _is_number(key)}
        # Of a list in the order of the sources, they need not all be recognized.
        in_order = all(
            each.source_id in (None, self._numbered(key)) for key, each in numbers.items()
        ) and (bool(self._numbers) or len(numbers) <= len(self._ids))
        self._entries = {
            key: each for key, each in listed.items() if each.source_id or key not in numbers
        }
        if not in_order:
            self._entries |= numbers

    def _by_name(self, key: str) -> Named | None:
        """Return the source of a key, or the entry of no source; `None` if it is neither."""
        key = key.removeprefix("^")
        found = self._given.get(_folded_key(key))
        listed = self._entries.get(_folded_key(key))
        if found is None and listed and (listed.source_id or _is_number(key)):
            return listed._replace(key=key)
        found = found or self._linked.targets.get(key) or self._source_called(key)
        if found is not None:
            return Named(key, found)
        if listed is None and (work := _KEY_OF_WORK.fullmatch(key)):
            listed = self._written(Work((folded(work[1]),), work[2], work[3]))[0]
            listed = listed if listed.source_id or listed.entry else None
        return listed and listed._replace(key=key)

    def _source_called(self, key: str) -> str | None:
        if key in self._known:
            return key
        if is_url(key):
            address = address_of(key)
            if linked := self._urls.get(address) or self._urls.get(page_of(address)):
                return linked
        forms = (key, page_of(key), _without_suffix(page_of(key)))
        return next(filter(None, (self._names.get(_fold(form)) for form in forms)), None)

    def _numbered(self, digits: str) -> str | None:
        place = int(digits)
        if self._numbers:
            return self._numbers.get(place)
        return self._ids[place - 1] if 0 < place <= len(self._ids) else None

    def named(self, key: str) -> Named:
        """Return what a key names that is written for nothing else."""
        found = self._by_name(key)
        return found or Named(key, self._numbered(key) if _is_number(key) else None)

    def _stands_alone(self, key: str) -> bool:
        """Return whether words in round brackets are a key, without a label such as "source"."""
        if not _WORD.search(key):
            return False
        if not _DIGITS.search(key):
            known = is_url(key) or page_of(key) in self._known
            return bool(known and self._source_called(key)) and len(key) >= _SHORTEST_WORD
        return (not _is_number(key) and self._by_name(key) is not None) or _shape(
            page_of(key)
        ) in self._shapes

    def _listed(self, inside: str) -> list[Named]:
        """Read a list of keys, which may have words such as "source", pages and notes in it."""
        tokens = filter(None, map(str.strip, _BETWEEN.split(_without_lead(inside))))
        read = [(token, self._token(token)) for token in tokens]
        named = [each for _, found in read for each in found]
        others = [token for token, found in read if not (found or _is_year_or_place(token))]
        if not named or _is_locator(read[0][0]) or not _may_be_beside(others, named):
            return []
        if len(named) > 1 and any(each[:2] == ("0", None) for each in named):
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
            return [found]
        label = pattern("label").match(token)
        key = token[label.end() if label else 0 :].lstrip(" #^@")
        if numbers := self._numbers_in(key):
            return numbers
        named = self.named(key)
        if named.source_id or _shape(page_of(key)) in self._shapes or pattern("id").fullmatch(key):
            return [named]
        certain = label is not None and label["colon"] and key and not any(map(str.isspace, key))
        return [named] if certain else []

    def _numbers_in(self, key: str) -> list[Named]:
        if _NUMBER.fullmatch(key):
            return [self.named(key)]
        if (ends := pattern("range").fullmatch(key)) is None:
            return []
        first, last = int(ends[1]), int(ends[2])
        if not first < last < first + _MOST_IN_RANGE:
            return [Named(key, None)]
        return [self.named(str(number)) for number in range(first, last + 1)]

    def _dated(self, inside: str) -> list[Named]:
        """Read authors and years; those of no source count beside one of a source."""
        named: list[Named] = []
        certain = False
        for part in pattern("works").split(inside):
            cited = pattern("cited work").fullmatch(_without_lead(part.strip()))
            if cited is None:
                return []
            found = [self._written(each) for each in _works_of(cited["authors"], cited["years"])]
            named += [each._replace(key=cited[0]) for each, _ in found]
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

    def _written(self, cited: Work) -> tuple[Named, bool]:
        """Return the source with these authors and year, and whether there is one, or several."""
        if found := self._given.get(_folded_key(" ".join((*cited.authors, cited.year)))):
            return Named("", found), True
        first, *others = cited.authors or ("",)
        works = self._works.get((first, cited.year), [])
        works = [pair for pair in works if cited.letter in ("", pair[0].letter)]
        # The second author of a text must be that of the source, if both name one.
        works = [
            pair
            for pair in works
            if not others
            or not (beyond := "".join(pair[0].authors)[len(first) :])
            or beyond.startswith(others[0])
        ]
        plain = [pair for pair in works if pair[0].letter == cited.letter]
        alone = [pair for pair in plain if "".join(pair[0].authors) == "".join(cited.authors)]
        for choice in (alone, plain, works):
            named = {each.source_id: each for _, each in choice}
            if len(named) == 1:
                return next(iter(named.values())), True
        return Named("", None), bool(works)


def _may_be_beside(others: list[str], named: list[Named]) -> bool:
    """Return whether other words may be beside keys: "[1, 2.5]" and "[1, x]" are figures."""
    known = [each for each in named if each.source_id]
    cites_id = any(not _is_number(each.key) for each in known)
    are_words = all(_TWO_LETTERS.match(token) for token in others)
    return not others or cites_id or (bool(known) and are_words)


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
    words = [folded(word).removesuffix("etal") for word in _WORD.findall(head)]
    authors = tuple(word for word in words if word not in ("and", "et", "al"))
    if not 0 < len(authors) <= _MOST_AUTHOR_WORDS:
        return None
    return Work(authors, year[1], year[2] or "")


def _works_of(authors: str, years: str) -> Iterator[Work]:
    """Yield what "Smith and Lee" and "2019, 2020a, b" name together."""
    names = pattern("and").split(pattern("et al").sub("", _INITIALS.sub("", authors)))
    letters = tuple(filter(None, (folded(str(name)) for name in names)))
    year = ""
    for part in years.split(","):
        if (given := _ONE_YEAR.fullmatch(part.strip())) is not None:
            year = given[1] or year
            yield Work(letters, year, given[2] or "")


def _without_lead(inside: str) -> str:
    """Return the inside of a bracket without a "see" or the like before it."""
    lead = pattern("lead").match(inside)
    return inside[lead.end() :] if lead else inside


def _is_locator(token: str) -> bool:
    """Return whether words are a page, a chapter or the like."""
    return pattern("locator").fullmatch(token) is not None


def _is_year_or_place(token: str) -> bool:
    """Return whether a word beside keys is a year or a place in a source: "p5", "L3"."""
    return _is_locator(token) or pattern("beside").fullmatch(token) is not None


def _fold(key: str) -> str:
    """Return a key without what may be written differently: capitals, blanks and hyphens."""
    return _NOT_KEY.sub("", unicodedata.normalize("NFKC", key).casefold())


def _folded_key(key: str) -> str:
    """Return a key of a list of references as it is compared."""
    key = key.strip().removeprefix("^")
    return str(int(key)) if _is_number(key) else _fold(_SEPARATOR.sub("", key))


def _without_suffix(key: str) -> str:
    """Return an id without the suffix of a file's name."""
    return _FILE_SUFFIX.sub("", key)


def _is_number(key: str) -> bool:
    """Return whether a key is a number that may be a place in a list."""
    return key.isascii() and key.isdecimal() and len(key) <= 9
