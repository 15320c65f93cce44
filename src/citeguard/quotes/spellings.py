"""Whether a quote has the words of its source in another spelling, or misspelt.

Letters of another kind, words joined or split, lost accents, typing errors. In all of these, two
spellings are one word only if one of them is not a word.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import cache, cached_property

from citeguard.language import lexicon, quantities
from citeguard.language.spelling import (
    is_english_word,
    is_garbled,
    is_lost_mark,
    is_slip,
)
from citeguard.language.tokens import REPLACEMENT, Token
from citeguard.quotes.search import fold

_SHORTEST_PART = 4  # letters; words of longer parts mean the same apart ("bank note") and joined
_ONE_GLYPH = r"(?:[^\W\d_]|ffi|ffl|fi|fl|ff|ae|oe|ss)?"
_LETTER_VARIANTS = str.maketrans("أإآٱىیةکؤئё", "ااااييهكويе")
_GREEK = re.compile("[\u0370-\u03ff\u1f00-\u1fff]")


@cache
def loaded() -> frozenset[str]:
    """Return the words of any language whose loss or gain changes what is said."""
    tables = map(lexicon.union, ("negators", "qualifiers", "numbers"))
    return quantities.MAGNITUDE_WORDS.union(quantities.UNIT_WORDS, *tables)


class Language:
    """The language of a quote and its passage, and the words that the source uses nearby."""

    def __init__(self, tokens: Sequence[Token], text: str, code: Callable[[], str]) -> None:
        self._words = [token.key for token in tokens if token.kind == "word"]
        self._text, self._code = text, code

    @cached_property
    def code(self) -> str:
        """The code of the language, "" if it is unknown."""
        return "en" if self.is_english else self._code()

    @property
    def articles(self) -> frozenset[str]:
        """What comes before nouns, if it writes them like names."""
        return lexicon.load_lexicon(self.code).articles

    @cached_property
    def is_english(self) -> bool:
        """Whether enough words are English for the English word list to apply."""
        english, foreign = (
            sum(word in lexicon.english(table) for word in self._words)
            for table in ("function_words", "foreign_words")
        )
        if sum(not word.isascii() for word in self._words) * 4 > len(self._words):
            return False
        known = sum(map(is_english_word, self._words))
        if english > foreign and english * 10 >= len(self._words):
            return True
        return foreign <= english and known * 10 >= len(self._words) * 6

    def is_used(self, word: str, times: int) -> bool:
        """Return whether the source has a word nearby at least so many times."""
        start = -1
        while times and (start := self._text.find(word, start + 1)) >= 0:
            end = start + len(word)
            beside = self._text[start - 1 : start], self._text[end : end + 1]
            times -= not any(map(str.isalnum, beside))
        return not times


def letters_of(tokens: Sequence[Token]) -> str:
    """Return the letters and digits of tokens as the search form has them, U+FFFD kept."""
    parts = "".join(token.key for token in tokens).split(REPLACEMENT)
    return REPLACEMENT.join(map(fold, parts))


def bare(tokens: Sequence[Token]) -> str:
    """Return the letters and digits of tokens with their accents, in lower case."""
    return "".join(token.key for token in tokens).replace("'", "").replace("-", "")


def bare_text(tokens: Sequence[Token]) -> str:
    """Return the letters and digits of tokens with their accents and their case."""
    return "".join(token.text for token in tokens).replace("'", "")


def is_acronym_case(quoted: str, source: str) -> bool:
    """Return whether two words that differ in case are a word and an acronym: "us" and "US"."""
    other_case = quoted.isupper() != source.isupper()
    return other_case and quoted.lower() in lexicon.english("acronyms")


def is_other_unit(quoted: str, source: str) -> bool:
    """Return whether case makes another unit: "mW" and "MW" or "Mb" and "MB", not "mg" and "MG"."""
    if quoted.lower() not in quantities.CASED_UNITS or quoted == source:
        return False
    return quoted[1:] == source[1:] or quoted[:-1] == source[:-1]


def is_harmless_spacing(
    quoted: Sequence[Token], source: Sequence[Token], *, hyphenated: bool
) -> bool:
    """Return whether the same letters, split into words differently, mean the same.

    "deve loped" is "developed", but "every day" is not "everyday". A hyphen between the parts,
    or an editorial bracket, shows that nothing was changed.
    """
    if hyphenated or any(token.bracketed for token in (*quoted, *source)):
        return True
    parts = [part.key for part in max(quoted, source, key=len)]
    if not all(is_english_word(part) or part in ("a", "i") for part in parts):
        return True
    short = any(len(part) < _SHORTEST_PART for part in parts)
    joined = bare(source)
    if joined in lexicon.english("joined"):
        return True
    return joined not in lexicon.english("split") and not (short and is_english_word(joined))


def is_harmless_accent(
    quoted: Sequence[Token], source: Sequence[Token], language: Language
) -> bool:
    """Return whether the same base letters with other accents are the same word.

    In English they are ("café", "cafe"), except for a few pairs. In other languages an accent makes
    another word ("wurde", "würde"), unless it is only the Arabic hamza, the dots of "ё" or the
    capital form of "ß", or the bare spelling is no word.
    """
    one, other = bare(quoted), bare(source)
    same = one.translate(_LETTER_VARIANTS) == other.translate(_LETTER_VARIANTS)
    if same or _are_same_in_capitals(bare_text(quoted), bare_text(source)):
        return True
    if language.is_english:
        is_bare = one.isascii() or other.isascii()
        return is_bare and letters_of(quoted) not in lexicon.english("accents")
    words = [re.findall(r"[^\s']+", " ".join(t.key for t in side)) for side in (quoted, source)]
    return len(words[0]) == len(words[1]) and all(
        a == b or is_lost_mark(a, b, language.code) or is_lost_mark(b, a, language.code)
        for a, b in zip(*words, strict=True)
    )


def _are_same_in_capitals(quoted: str, source: str) -> bool:
    """Return whether one side is in capitals, which lack the accents of the other's small letters.

    "SS" is also "ß", the Turkish "I" also "ı", and Greek capitals have no accents.
    """
    capitals, other = (quoted, source) if quoted.isupper() else (source, quoted)
    if not capitals.isupper():
        return False
    if _GREEK.search(other):
        capitals, other = (unicodedata.normalize("NFD", each) for each in (capitals, other))
        other = other.replace("\u0301", "")
    return capitals.casefold() == other.casefold() or capitals == other.replace("i", "İ").upper()


def is_garbled_reading(quoted: Sequence[Token], source: Sequence[Token]) -> bool:
    """Return whether a decoder left U+FFFD in the source for letters that the quote has."""
    one, other = letters_of(quoted), letters_of(source)
    garbled = _ONE_GLYPH.join(map(re.escape, other.split(REPLACEMENT)))
    return REPLACEMENT in other and re.fullmatch(garbled, one) is not None


def is_misspelling(quoted: Token, source: Token, language: Language) -> bool:
    """Return whether one of two words is the other one with a typing error, and no word."""
    if not quoted.kind == source.kind == "word":
        return False
    one, other, code = quoted.key, source.key, language.code
    # The passage itself is one use of the source's word, so that one needs a second.
    if language.is_english:
        return is_slip(
            one,
            other,
            quoted_known=is_english_word(one) or language.is_used(quoted.text, 1),
            source_known=is_english_word(other) or language.is_used(source.text, 2),
        )
    if {one, other} & loaded():
        return False
    if is_lost_mark(one, other, code) or is_lost_mark(other, one, code):
        return True
    is_repeated = language.is_used(source.text, 2)
    if is_garbled(one, other, code, intended_known=is_repeated or None):
        return not language.is_used(quoted.text, 1)
    # That no list has the source's word is no licence to change it.
    return is_garbled(other, one, code, intended_known=False) and not is_repeated
