"""The persons, organisations, places, works and events that a text names, with offsets: `mentions`.

Rules find them, without a model. Runs of words with a capital are names, with the words that
connect them ("Battle of Gettysburg"); so are titles in quotation marks. A capital that only begins
a sentence counts for nothing, and dates, languages, peoples and titles without a name are left out.
In a text without capitals, or with nothing else, given names and the names of countries begin a
name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal, Protocol

from citeguard.facts.tables import (
    countries,
    has_capital_sense,
    lines,
    memberships,
    root,
    short_names,
)
from citeguard.language.grammar import ABBREVIATIONS, TITLES, is_finite
from citeguard.language.quantities import MONTH_NAMES, WEEKDAYS
from citeguard.language.spelling import is_english_word
from citeguard.language.terms import FUNCTION_WORDS
from citeguard.language.tokens import Token, tokenize

MentionKind = Literal["person", "organisation", "place", "work", "event"]
"""What a name names."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A name in a text.

    Attributes:
        start: Where it starts, in code points.
        end: Where it ends, exclusive.
        text: The name, as the text has it.
        kind: What it names, as far as its words show; `None` if they do not.
    """

    start: int
    end: int
    text: str
    kind: MentionKind | None = None


class Tagger(Protocol):
    """Anything that finds the names of a text, as `mentions` does."""

    def __call__(self, text: str, /) -> Iterable[Mention]:
        """Return the names of a text."""
        ...


def mentions(text: str) -> list[Mention]:
    """Return the persons, organisations, places, works and events that a text names, in order.

    No mention overlaps another. Rules for English, without a model: on two frozen samples about
    nine of ten persons, organisations and places are found with their exact borders. A name that
    is also a common word is missed where it begins a sentence.

    Args:
        text: A statement, or a text with several. Titles in quotation marks count as names; words
            that are only quoted ("nicknamed 'Pop'") do not.

    Examples:
        >>> [(each.text, each.kind) for each in mentions("The Battle of Gettysburg was in 1863.")]
        [('Battle of Gettysburg', 'event')]
        >>> [each.text for each in mentions("In May, Ho Chi Minh met a French admiral in Paris.")]
        ['Ho Chi Minh', 'Paris']
    """
    tokens = [token for token in tokenize(text) if token.kind != "mark"]
    if not any(token.kind == "word" and _has_capital(token) for token in tokens):
        return list(_Uncapitalised(text, tokens).found())
    if _is_headline(tokens):
        return list(_Uncapitalised(text, tokens, is_edited=True).found())
    titles = list(_quoted_titles(text, tokens))
    found = [*titles]
    for mention in _Names(text, tokens).found():
        if not any(
            mention.start < end and start < mention.end for start, end in map(_ends, titles)
        ):
            found.append(mention)
    return sorted(found, key=lambda mention: mention.start)


def _is_headline(tokens: Sequence[Token]) -> bool:
    """Return whether a text in capitals is no name but a sentence: its capitals say nothing."""
    words = [token for token in tokens if token.kind == "word"]
    if len(words) < _LEAST_HEADLINE or any(char.islower() for each in words for char in each.text):
        return False
    small = {each.key for each in words if each.key in FUNCTION_WORDS}
    if not small <= _WITHIN_NAMES:
        return True
    if small or _is_head(_plain(words[-1])):
        return False
    return all(_is_common(_plain(each)) for each in words)  # "POLICE ARREST FIVE MEN"


def _ends(mention: Mention) -> tuple[int, int]:
    return mention.start, mention.end


# Knowledge

# Forms of `countries` other than the first of a line that name the country, not its people.
_OTHER_NAMES = frozenset(
    "czechia/holland/burma/britain/great britain/america/united states of america/usa/us/u s/u s a"
    "/uk/u k/uae".split("/")
)
_PEOPLE_CLASSES = ("language", "religion", "denomination", "party")
_PLACE_CLASSES = ("planet", "state", "city")
_ADJECTIVES = ("ian", "ians", "ean", "eans", "ish", "ese", "ist", "ists", "ism", "lithic", "zoic")
_PARTICLES = frozenset("al el bin ibn de del della der di da dos du la le van von ten ter".split())
_ROMAN = re.compile(r"[IVXL]+\Z")
_NUMBER_WORDS = frozenset("two three four five six seven eight nine ten twelve".split())
_DETERMINERS = frozenset("the a an this that these those my our no all every".split())
_ARTICLES = frozenset("the a an".split())
_LEAST_HEADLINE = 4  # words; fewer, all in capitals, may be an acronym or a name
_WITHIN_NAMES = frozenset("the a an of for".split())
_SCORE = re.compile(r"\d{1,2}[-–]\d{1,2}(?![\w-])")
_DATE_WORDS = frozenset((*WEEKDAYS, *MONTH_NAMES))
_YEARLY = frozenset(
    "census championship championships cup elections final finals games olympics".split()
)


@cache
def _table(name: str) -> frozenset[str]:
    rows = (line.partition(": ") for line in lines("mentions"))
    return next(frozenset(words.split()) for row, _, words in rows if row == name)


@cache
def first_names() -> frozenset[str]:
    """Return common given names, in lower case."""
    given = (name for line in lines("first_names") for name in line.split())
    return frozenset(given) | short_names().keys()


def _has_capital(token: Token) -> bool:
    return token.text[0].isupper() and token.text != "I"


def _plain(token: Token) -> str:
    return token.key.removesuffix("'s").removesuffix("'")


def _surface(token: Token) -> str:
    return token.text[: len(_plain(token))]


def _is_title(word: str) -> bool:
    return word in TITLES or word in _table("role")


def _in_class(word: str, names: Iterable[str]) -> bool:
    key = "_".join(map(root, word.split()))
    found = {member.name for member in memberships().get(key, ())}
    return not found.isdisjoint(names)


def _is_place(word: str) -> bool:
    first = countries().get(word)
    if first is not None and (first.lower() == word or word in _OTHER_NAMES):
        return True
    return _in_class(word, _PLACE_CLASSES) or word in _CONTINENTS


_CONTINENTS = frozenset("africa asia europe antarctica oceania".split())


def _is_people(word: str) -> bool:
    """Return whether a word is the adjective or people of a country, a language or a religion."""
    if _is_place(word):
        return False
    if word in countries() or _in_class(word, (*_PEOPLE_CLASSES, "continent")):
        return True
    if word in _table("people") or word.removesuffix("s") in _table("people"):
        return True
    return len(word) > 5 and word.endswith(_ADJECTIVES) and word not in first_names()


def _is_common(word: str) -> bool:
    """Return whether a word, in lower case, is a common word, whether or not it is a name too."""
    if word in first_names() or _is_people(word) or (_is_place(word) and not _is_planet(word)):
        return False
    return is_english_word(word) or word in FUNCTION_WORDS


def _is_planet(word: str) -> bool:
    return _in_class(word, ["planet"])  # also gods, metals and the ground


def _is_head(word: str) -> bool:
    return any(word in _table(kind) for kind in ("organisation", "place", "event"))


# Titles in quotation marks

_QUOTED = re.compile(
    r"“([^“”\n]+)”|\"([^\"\n]+)\"|``\s*(.+?)\s*''|«([^«»\n]+)»|\*([^*\n]+)\*|‘([^‘’\n]+)’|(?<!\w)'([^'\n]+)'(?!\w)"
)
_MOST_TITLE_WORDS = 12
_LEAD = 3  # words before a quotation that show that it is only quoted


def _quoted_titles(text: str, tokens: list[Token]) -> Iterator[Mention]:
    nicknames = set(_nicknames(text))
    for match in _QUOTED.finditer(text):
        group = next(number for number, words in enumerate(match.groups(), 1) if words)
        start, end = match.span(group)
        while end > start and text[end - 1] in ".,;: ":
            end -= 1
        within = [token for token in tokens if start <= token.start and token.end <= end]
        before = [token.key for token in tokens if token.end <= match.start()][-_LEAD:]
        if not within or text[: match.start()].rstrip().endswith(","):
            continue
        if match.span() in nicknames:
            continue
        is_title = len(within) <= _MOST_TITLE_WORDS and _is_written_as_title(within)
        if is_title and _table("naming").isdisjoint(before):
            yield Mention(start, end, text[start:end], "work")


_NICKNAME = re.compile(r"([^\W\d_]+) ([\"“][^\"“”\n]{1,30}[\"”])(?= ([^\W\d_]))")


def _nicknames(text: str) -> Iterator[tuple[int, int]]:
    """Yield where names of persons have quotations in them: 'Edward "Duke" Ellington'."""
    for match in _NICKNAME.finditer(text):
        given, _, following = match.groups()
        if given[0].isupper() and given.lower() in first_names() and following.isupper():
            yield match.span(2)


def _is_written_as_title(tokens: list[Token]) -> bool:
    words = [token for token in tokens if token.kind == "word" and len(token.key) > 1]
    strong = [token for token in words if token.key not in FUNCTION_WORDS]
    return bool(strong) and _has_capital(words[0]) and all(map(_has_capital, strong))


# Runs of words with a capital

_JOINED, _COMMA, _COLON, _APART = "joined", "comma", "colon", "apart"
_AND = frozenset(["and", "&"])
_TITLE_WORDS = frozenset("in to at on with from by into under over a an is not my".split())


class _Names:
    """Finds the names of a text that has capitals."""

    def __init__(self, text: str, tokens: list[Token]) -> None:
        self._text = text
        self._tokens = tokens
        self._quotes = {edge for start, end in _nicknames(text) for edge in (start, end - 1)}
        self._gaps = [_APART, *map(self._gap, range(1, len(tokens)))]

    def _gap(self, i: int) -> str:
        before, token = self._tokens[i - 1], self._tokens[i]
        between = self._text[before.end : token.start]
        if "\n" in between:
            return _APART
        if between.strip() in ("", "-", "'", "’"):
            return _JOINED
        if not self._quotes.isdisjoint(range(before.end, token.start)):
            return _JOINED
        if between.strip() == "." and (
            (len(before.text) == 1 and before.text != "I") or before.text in ABBREVIATIONS
        ):
            return _JOINED
        if between.strip() == ",":
            return _COMMA
        return _COLON if between == ": " else _APART

    def found(self) -> Iterator[Mention]:
        i = 0
        while i < len(self._tokens):
            if not self._is_name(i):
                i += 1
                continue
            last = self._last_of(i)
            yield from self._trimmed(i, last)
            i = last + 1

    def _begins(self, i: int) -> bool:
        """Return whether a word begins a sentence, or what may be one."""
        if i == 0:
            return True
        between = self._text[self._tokens[i - 1].end : self._tokens[i].start]
        return self._gaps[i] in (_APART, _COLON) and any(sign in between for sign in '.!?\n:;"“*•')

    def _is_name(self, i: int) -> bool:
        token = self._tokens[i]
        if token.kind != "word":
            return False
        if token.text == "I":
            return i > 0 and self._gaps[i] == _JOINED and self._is_numeral(i)
        return token.text[0].isupper() or any(char.isupper() for char in token.text[1:])

    def _is_numeral(self, i: int) -> bool:
        """Return whether "I" is that of "James I", or of "As I Lay Dying", and no pronoun."""
        before, following = self._tokens[i - 1], self._tokens[i + 1 : i + 2]
        if not _has_capital(before):
            return False
        is_joined = i > 1 and self._gaps[i - 1] == _JOINED and _has_capital(self._tokens[i - 2])
        if is_joined and _is_head(_plain(before)):  # "World War I", but "After the War I went"
            return True
        return not _is_common(_plain(before)) or any(map(_has_capital, following))

    def _last_of(self, first: int) -> int:
        last = first
        while (following := self._continued(first, last)) is not None:
            last = following
        return last

    def _continued(self, first: int, last: int) -> int | None:
        """Return the last word of the next part of a name; `None` where it ends."""
        i = last + 1
        if i >= len(self._tokens):
            return None
        before, token, gap = self._tokens[last], self._tokens[i], self._gaps[i]
        if before.key.endswith("'s") and not self._owns(first, last):
            return None
        if gap == _COMMA:
            is_suffix = token.text in ("Jr", "Sr", "Inc", "Ltd", "III", "II", "Vol", "Part")
            return i if is_suffix else None
        if gap == _COLON:
            follows = self._is_name(i) and i + 1 < len(self._tokens) and self._is_name(i + 1)
            return i if follows and self._gaps[i + 1] == _JOINED else None
        if gap != _JOINED:
            return None
        if self._is_name(i):
            is_article = token.key in _ARTICLES and first == last and self._begins(first)
            return None if is_article and before.key in FUNCTION_WORDS else i
        between = self._text[before.end : token.start]
        if self._begins_score(i):
            return None
        if token.kind == "number" and (
            between in ("", "-") or len(token.text) < 4 or before.key in ("flight", "route")
        ):
            is_order = first == last and self._begins(first) and _is_common(before.key)  # "Add 1"
            return i if token.text.isdigit() and not (is_order or self._counts(i)) else None
        if token.text in "#+" and between == "" and len(before.text) == 1:
            return i
        return self._connected(first, last)

    def _begins_score(self, i: int) -> bool:
        """Return whether a number after a name is the first of a score: "beat Arsenal 2-0"."""
        start = self._tokens[i].start
        return self._text[start - 1] == " " and bool(_SCORE.match(self._text, start))

    def _counts(self, i: int) -> bool:
        """Return whether a number counts the word after it: "won 3 games"."""
        if i + 1 >= len(self._tokens) or self._gaps[i + 1] != _JOINED:
            return False
        after = self._tokens[i + 1]
        return after.kind == "word" and after.key.endswith("s") and after.text.islower()

    def _owns(self, first: int, last: int) -> bool:
        """Return whether a possessive is part of a name: "King's Men", but "Verdi's Otello"."""
        owner = _plain(self._tokens[last])
        following = self._tokens[last + 1 : last + 2]
        return first == last and _is_common(owner) and bool(following) and self._is_name(last + 1)

    def _connected(self, first: int, last: int) -> int | None:
        """Return the word after the small words that connect it with a name before them."""
        at = last + 1
        while at < len(self._tokens) and at - last <= 3 and self._gaps[at] == _JOINED:
            if self._is_name(at):
                break
            key = self._tokens[at].key
            if key not in FUNCTION_WORDS and key not in _PARTICLES:
                return None
            at += 1
        else:
            return None
        if at >= len(self._tokens) or not self._is_name(at):
            return None
        words = [token.key for token in self._tokens[last + 1 : at]]
        signs = {token.text for token in self._tokens[last + 1 : at]}
        links = zip(self._tokens[last:at], self._tokens[last + 1 : at + 1], strict=True)
        if all(self._text[one.end : other.start] == "-" for one, other in links):
            return at  # "Stratford-upon-Avon"
        if "&" in signs:
            return at
        joins = self._joins(first, last, words, at)
        return at if joins else None

    def _joins(self, first: int, last: int, words: list[str], at: int) -> bool:
        """Return whether small words connect the name before them with the word at a place."""
        left, right = _plain(self._tokens[last]), _plain(self._tokens[at])
        if right in _DATE_WORDS:
            return False
        if self._are_titles(first, last):  # "Lord of the Rings", but "President of France"
            return words == ["of", "the"] and _is_common(right) and not _is_head(right)
        if all(word in _PARTICLES for word in words):
            return not _is_common(left)
        if self._only_begins(first, last, at):
            return False
        if words[0] == "of":
            return self._may_be_of(first, last)
        if words == ["the"]:  # "Alexander the Great"
            return last == first and is_english_word(right) and not _is_common(left)
        if words[0] == "for":
            return is_english_word(left) and not _is_place(left)
        if not _is_common(right) or _is_head(right) or _is_title(right):
            return False
        if words[0] in _AND:
            is_whole = last > first and (_is_head(left) or right in _ARTICLES)
            is_number = self._tokens[last].kind == "number"
            return not (is_whole or is_number) and (_is_common(left) or len(words) > 1)
        before = map(_plain, self._tokens[first : last + 1])
        return words[0] in _TITLE_WORDS and all(map(_is_common, before))

    def _only_begins(self, first: int, last: int, at: int) -> bool:
        """Return whether a common word only begins a sentence: "Fans of Iron Maiden"."""
        left, right = _plain(self._tokens[last]), _plain(self._tokens[at])
        if last > first or not self._begins(first) or not _is_common(left) or _is_head(left):
            return False
        after = at + 1
        goes_on = after < len(self._tokens) and self._gaps[after] == _JOINED
        if self._is_acronym(at):
            return True
        return not _is_common(right) or (goes_on and self._is_name(after))

    def _is_acronym(self, i: int) -> bool:
        """Return whether a word is in capitals, and so not the common word with these letters."""
        surface = _surface(self._tokens[i])
        return len(surface) > 1 and surface.isupper()

    def _may_be_of(self, first: int, last: int) -> bool:
        """Return whether "of" goes on with a name: not after that of a person, as it is whole."""
        start, left = _plain(self._tokens[first]), _plain(self._tokens[last])
        is_numeral = bool(_ROMAN.match(self._tokens[last].text))
        if last > first and start in first_names():
            return is_numeral
        if last > first and not is_english_word(start):
            return _is_head(left) or left in _table("work")
        return left in first_names() or is_numeral or not self._is_proper(last)

    def _is_proper(self, i: int) -> bool:
        """Return whether a word is a name and no common word, so that "of" begins another."""
        word = _plain(self._tokens[i])
        return not is_english_word(word) and not _is_head(word)

    def _are_titles(self, first: int, last: int) -> bool:
        if self._begins(first) and self._tokens[first].key in _ARTICLES and last > first:
            first += 1  # "The Prime Minister of Japan"
        return all(_is_title(_plain(token)) for token in self._tokens[first : last + 1])

    # What a run is, in the end

    def _trimmed(self, first: int, last: int) -> Iterator[Mention]:
        """Yield the name of a run, without what is no part of it."""
        if self._begins(first):
            first = self._without_start(first, last)
        first = self._without_people(first, last)
        while last > first and _is_title(_plain(self._tokens[last])) and self._is_of_place(first):
            last -= 1  # "U.S. Senator"
        if first > last or not self._is_mention(first, last):
            return
        if first == last and self._gaps[first] == _JOINED and self._has_particle(first):
            first -= 1
        if _plain(self._tokens[last]) in _YEARLY and first and self._is_year(first - 1):
            first -= 1
        start, end = self._tokens[first].start, self._tokens[last].end
        if self._tokens[last].key.endswith("'s"):
            end -= 2
        elif self._text[end : end + 1] == "." and self._is_abbreviated(last):
            end += 1
        yield Mention(start, end, self._text[start:end], self._kind(first, last))

    def _is_of_place(self, first: int) -> bool:
        word = _plain(self._tokens[first])
        return _is_place(word) or _is_people(word) or self._tokens[first].text == "U"

    def _is_small(self, token: Token) -> bool:
        """Return whether a word is a function word, and no acronym or number of a king."""
        return _plain(token) in FUNCTION_WORDS and not _surface(token).isupper()

    def _is_abbreviated(self, last: int) -> bool:
        token = self._tokens[last]
        if token.text in ("Jr", "Sr", "Inc", "Ltd", "Co", "Corp"):
            return True
        before = self._text[max(0, token.start - 2) : token.start]
        return len(token.text) == 1 and before[1:] == "." and before[:1].isupper()

    def _has_particle(self, first: int) -> bool:
        return first > 0 and self._tokens[first - 1].text in _PARTICLES

    def _is_year(self, i: int) -> bool:
        token = self._tokens[i]
        return token.kind == "number" and len(token.text) == 4 and self._gaps[i + 1] == _JOINED

    def _without_start(self, first: int, last: int) -> int:
        """Return where a run starts, without a word that only begins the sentence."""
        token = self._tokens[first]
        key = _plain(token)
        rest = self._tokens[first + 1 : last + 1]
        if token.text.isupper() and len(token.text) > 1:
            return first
        if key in FUNCTION_WORDS or key in _NUMBER_WORDS or key in _table("adverb"):
            return first if rest and self._is_title_case(key, rest) else first + 1
        if not rest:
            return first if self._is_name_at_start(first) else first + 1
        is_named_next = not _is_common(_plain(rest[0]))
        is_role = _in_class(key, ["profession"]) and not _is_title(key)
        is_adverb = key.endswith("ly") and _is_common(key)
        return first + 1 if is_named_next and (is_role or is_adverb) else first

    def _is_title_case(self, key: str, rest: list[Token]) -> bool:
        """Return whether the words after a small word show that it begins the title of a work."""
        # Small words have a capital within a title only.
        if any(token.key in FUNCTION_WORDS and _has_capital(token) for token in rest[1:]):
            return True
        if rest[0].key in FUNCTION_WORDS and rest[0].key not in _ARTICLES:
            return rest[0].text[0].isupper()
        if key not in _DETERMINERS and key not in _NUMBER_WORDS:
            return False
        words = [_plain(token) for token in rest if _has_capital(token)]
        if key not in _ARTICLES and key not in _NUMBER_WORDS:  # "Our Town", but "our town"
            return all(map(_is_common, words))
        if _is_head(_head(rest)):
            return False
        if key in ("a", "an"):
            return len(words) > 1 and is_english_word(words[-1])
        if len(words) == 1 and has_capital_sense(words[0]):
            return False
        return all(_is_common(word) and not _is_title(word) for word in words)

    def _is_name_at_start(self, first: int) -> bool:
        token = self._tokens[first]
        key = _plain(token)
        if not is_english_word(key) or _is_place(key) or key in first_names():
            return True
        following = self._tokens[first + 1 : first + 2]
        if following and following[0].key in ("who", "whose", "whom"):  # "Curie, who studied there"
            return self._gaps[first + 1] == _COMMA
        is_subject = token.key.endswith("'s") or any(is_finite(each.key) for each in following)
        return has_capital_sense(key) and is_subject

    def _without_people(self, first: int, last: int) -> int:
        """Return where a run starts, without the adjective of a people before a person's name."""
        while first < last and _is_people(_plain(self._tokens[first])):
            following = _plain(self._tokens[first + 1])
            if not (_is_title(following) or following in first_names()):
                break
            first += 1
        return first

    def _is_mention(self, first: int, last: int) -> bool:
        tokens = self._tokens[first : last + 1]
        words = [_plain(token) for token in tokens]
        if all(map(self._is_small, tokens)):
            return False
        if self._are_titles(first, last) or words[-1] in _table("no name"):
            return False
        if all(word in _DATE_WORDS or word.isdigit() or _is_people(word) for word in words):
            return False
        token = tokens[0]
        if first == last:
            if len(token.text) == 1 or words[0] in _table("common acronym"):
                return False
            if _surface(token)[:-1].isupper() and _surface(token).endswith("s"):  # "UTVs"
                return False
            if words[0].endswith("ly") and self._begins(first):
                return False
            return not self._abbreviates_words(first)
        return True

    def _abbreviates_words(self, i: int) -> bool:
        """Return whether an acronym in brackets is that of common words before it."""
        short = self._tokens[i].text
        before = self._text[: self._tokens[i].start].rstrip()
        if not (short.isupper() and before.endswith("(")):
            return False
        words = [token for token in self._tokens[:i] if token.key not in FUNCTION_WORDS]
        long = words[-len(short) :]
        initials = "".join(token.text[0] for token in long)
        return initials.lower() == short.lower() and not any(map(_has_capital, long))

    def _kind(self, first: int, last: int) -> MentionKind | None:
        tokens = self._tokens[first : last + 1]
        words = [_plain(token) for token in tokens]
        if words[0] in _ARTICLES:
            return "work"
        whole = " ".join(words)
        if _is_place(whole) or (len(words) > 1 and words[0] in _table("first place")):
            return "place"
        head = _head(tokens)
        is_titled = _is_title(words[0]) and len(words) > 1
        if not is_titled and not (words[0] in first_names() and len(words) == 2):
            for kind in ("event", "organisation", "place", "work"):
                if head in _table(kind):
                    return kind
        return "person" if is_titled or words[0] in first_names() else None


def _head(tokens: list[Token]) -> str:
    """Return the word of a name that shows what it names: the last, or the last before "of"."""
    words = [_plain(token) for token in tokens]
    at = words.index("of") if "of" in words[1:] else len(words)
    return words[at - 1]


class _Uncapitalised:
    """Finds names in a text whose capitals say nothing: given names with a surname, and countries.

    In an edited one, such as a headline, words that are not English are names too.
    """

    def __init__(self, text: str, tokens: list[Token], *, is_edited: bool = False) -> None:
        self._text = text
        self._tokens = tokens
        self._is_edited = is_edited

    def found(self) -> Iterator[Mention]:
        i = 0
        while i < len(self._tokens):
            width, kind = self._name_at(i)
            if width:
                start, end = self._tokens[i].start, self._tokens[i + width - 1].end
                if self._tokens[i + width - 1].key.endswith("'s"):
                    end -= 2
                yield Mention(start, end, self._text[start:end], kind)
            i += width or 1

    def _name_at(self, i: int) -> tuple[int, MentionKind | None]:
        for width in range(min(3, len(self._tokens) - i), 0, -1):
            words = " ".join(map(_plain, self._tokens[i : i + width]))
            is_place = _is_place(words) and not has_capital_sense(words)
            if is_place and words not in FUNCTION_WORDS:
                return width, "place"
        word = _plain(self._tokens[i])
        if word not in first_names() and not (_is_title(word) and self._are_joined(i)):
            is_name = self._is_edited and self._is_foreign(i) and not _is_people(word)
            return (1, None) if is_name and word not in _table("common acronym") else (0, None)
        width = 1
        while i + width < len(self._tokens) and self._is_unknown(i + width):
            width += 1
        if width == 1 and self._is_surname(i + 1) and not is_english_word(word):
            width = 2
        return (width, "person") if width > 1 else (0, None)

    def _are_joined(self, i: int) -> bool:
        return i + 1 < len(self._tokens) and self._is_unknown(i + 1)

    def _is_surname(self, i: int) -> bool:
        """Return whether a common word after a given name is a surname: a verb follows it."""
        if i >= len(self._tokens) or self._tokens[i].kind != "word":
            return False
        word = self._tokens[i].key
        if word in FUNCTION_WORDS or is_finite(word) or word.endswith(("s", "ing", "ly")):
            return False
        return i + 1 == len(self._tokens) or is_finite(self._tokens[i + 1].key)

    def _is_unknown(self, i: int) -> bool:
        between = self._text[self._tokens[i - 1].end : self._tokens[i].start]
        return between == " " and self._is_foreign(i)

    def _is_foreign(self, i: int) -> bool:
        token = self._tokens[i]
        is_word = token.kind == "word" and len(token.key) > 1
        return is_word and not is_english_word(_plain(token)) and token.key not in FUNCTION_WORDS
