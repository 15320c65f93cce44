"""The difference guard: which differences between a quote and its passage change the meaning.

It looks at the aligned difference alone. Typography, misspellings that are no words, misread
glyphs, citation marks, page furniture and editorial brackets are harmless; every other change of a
word, number or symbol is material. When in doubt, a difference is material.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from citeguard.language import lexicon, quantities
from citeguard.language.spelling import is_english_word
from citeguard.language.tokens import REPLACEMENT, Token, tokenize
from citeguard.quotes.canonical import fold
from citeguard.quotes.edits import Block, Edit, Operation, align
from citeguard.quotes.furniture import find_furniture
from citeguard.quotes.likeness import (
    Language,
    bare,
    bare_text,
    is_acronym_case,
    is_harmless_accent,
    is_harmless_spacing,
    is_misreading,
    is_misspelling,
    is_other_unit,
    letters_of,
)
from citeguard.quotes.reasons import classify

Judgement = tuple[bool, str]  # (material, reason)

_LOADED = (
    lexicon.NEGATORS
    | lexicon.QUALIFIERS
    | lexicon.NUMBER_WORDS
    | quantities.MAGNITUDE_WORDS
    | quantities.UNIT_WORDS
)
_ABBREVIATED = re.compile(
    r"(?:\b[A-Z]|\b(?:Dr|Mr|Mrs|Ms|St|Prof|Jr|Sr|vs|No|Fig|cf|al|e\.g|i\.e))\.$"
)
_STRAY_ACCENTS = "´¨ˆ˜¸`"
_NEARBY = 10_000  # characters on either side of a passage that show which words the source uses
_LOOK_BACK = 40  # characters before a token that are looked at
_ITEM_DIGITS, _ITEM_ENDS = 2, (". ", ") ", ".\t", ")\t")
_ONE_CASE = 0.8  # share of words with a capital from which a text is in title case


@dataclass(frozen=True, slots=True)
class Passage:
    """A half-open interval of a text, in code points."""

    text: str
    start: int
    end: int


def compare(quote: str, passage: Passage) -> tuple[Edit, ...]:
    """Return the differences between a quote and a passage, harmless and material, in order.

    Differences of punctuation, white space, glyphs and case that carry no meaning are no edits.

    Examples:
        >>> text = "The drug was not approved."
        >>> [edit.reason for edit in compare("The drug was approved", Passage(text, 0, 25))]
        ['negation']
    """
    edits = _compare(quote, passage, [(passage.start, passage.end)])
    if not any(edit.material for edit in edits):
        return edits
    furniture = find_furniture(passage.text, passage.start, passage.end, fold(quote))
    if not furniture:
        return edits
    borders = [passage.start, *(place for lines in furniture for place in lines), passage.end]
    cleared = _compare(quote, passage, list(zip(borders[::2], borders[1::2], strict=True)))
    left_out = (
        _edit("", passage.text[low:high].strip(), (False, "page furniture"))
        for low, high in furniture
    )
    return min(edits, (*left_out, *cleared), key=_material_count)


def _compare(quote: str, passage: Passage, parts: list[tuple[int, int]]) -> tuple[Edit, ...]:
    """Compare a quote with some parts of a passage."""
    source = [
        token for low, high in parts for token in tokenize(passage.text[low:high], offset=low)
    ]
    return tuple(_Comparison(_quote_tokens(quote), source, quote, passage.text).edits())


@lru_cache(maxsize=8)
def _quote_tokens(quote: str) -> list[Token]:
    """The tokens of a quote, which is compared with one passage after the other."""
    return tokenize(quote)


def _material_count(edits: tuple[Edit, ...]) -> int:
    return sum(edit.material for edit in edits)


class _Comparison:
    """One quote beside one passage."""

    def __init__(self, quoted: list[Token], source: list[Token], quote: str, text: str) -> None:
        self.quote, self.text = quote, text
        self.tokens = quoted, source
        self.quoted = [token for token in quoted if token.kind != "mark"]
        self.source = [token for token in source if token.kind != "mark"]

    def edits(self) -> Iterator[Edit]:
        yield from self._marks()
        q = s = 0
        for block in align(self.quoted, self.source):
            yield from self._cases(q, block.q, s)
            yield self._block(block)
            q, s = block.q_end, block.s_end
        yield from self._cases(q, len(self.quoted), s)

    def _marks(self) -> Iterator[Edit]:
        """Marks may be dropped or added, but not exchanged for others."""
        quoted, source = ([t.text for t in side if t.kind == "mark"] for side in self.tokens)
        if [*map(fold, quoted)] != [*map(fold, source)]:
            exchanged = bool(quoted) and len(quoted) == len(source)
            yield _edit(" ".join(quoted), " ".join(source), (exchanged, "citation mark"))

    def _block(self, block: Block) -> Edit:
        quoted, source = self.quoted[block.q : block.q_end], self.source[block.s : block.s_end]
        return _edit(
            self._quote_words(quoted), self._source_words(source), self._judge(quoted, source)
        )

    def _judge(self, quoted: list[Token], source: list[Token]) -> Judgement:
        harmless = self._harmless_reason(quoted, source)
        if harmless is not None:
            return False, harmless
        if quoted and source and letters_of(quoted) == letters_of(source):
            return self._judge_same_letters(quoted, source)
        return True, classify(quoted, source, self.source)

    def _harmless_reason(self, quoted: list[Token], source: list[Token]) -> str | None:
        if not (quoted and source) and all(map(_is_picture, (*quoted, *source))):
            return "picture"
        if not quoted:
            if self._is_item_number(source):
                return "item number"
            garbled = all(token.key == REPLACEMENT for token in source)
            return "garbled" if garbled and not self._touches_number(source) else None
        if _is_editorial(quoted, source):
            return "editorial bracket"
        return "spelling" if source and self._is_slip(quoted, source) else None

    def _judge_same_letters(self, quoted: list[Token], source: list[Token]) -> Judgement:
        """The same letters and digits, cut or accented differently."""
        numbers = [[t.key for t in side if t.kind == "number"] for side in (quoted, source)]
        if numbers[0] != numbers[1]:
            return True, "number"
        if any(token.kind == "symbol" for token in (*quoted, *source)):
            return True, classify(quoted, source, self.source)
        words = self._quote_words(quoted), self._source_words(source)
        if bare(quoted) != bare(source):
            stray = any(accent in words[0] + words[1] for accent in _STRAY_ACCENTS)
            return not (stray or is_harmless_accent(quoted, source, self.language)), "accent"
        if is_acronym_case(bare_text(quoted), bare_text(source)):
            return True, "case"
        if len(quoted) == len(source) and is_english_word(bare(source)):
            return True, "spelling"  # "we're" and "were", "dogs" and "dog's" are two words each
        hyphenated = any(hyphen in side for side in words for hyphen in "-‐\u00ad¬")
        wrapped = any("\n" in side for side in words)
        if hyphenated and not wrapped and bare(source).startswith(lexicon.HYPHEN_WORDS):
            return True, "spacing"
        return not is_harmless_spacing(quoted, source, hyphenated=hyphenated), "spacing"

    def _is_slip(self, quoted: list[Token], source: list[Token]) -> bool:
        if any(token.kind == "character" for token in (*quoted, *source)):
            return False
        if letters_of(quoted) == letters_of(source):
            return False
        if [t.key for t in quoted] == ["-"] and [t.key for t in source] == [REPLACEMENT]:
            return True  # the dash of a range, lost in extraction
        symbols = any(t.kind == "symbol" and t.key != REPLACEMENT for t in (*quoted, *source))
        named = any(self._is_name(token) and token.text.isalpha() for token in source)
        if not symbols and not named and is_misreading(quoted, source):
            return True
        pairs = list(zip(quoted, source, strict=False))
        return len(quoted) == len(source) and all(
            a.key == b.key or self._is_word_slip(a, b) for a, b in pairs
        )

    def _is_word_slip(self, quoted: Token, source: Token) -> bool:
        if quoted.kind != "word" or source.kind not in ("word", "symbol"):
            return False
        if is_misreading([quoted], [source]) and not self._is_name(source):
            return True
        if quoted is self.quoted[-1] and source.key.startswith(quoted.key):
            return False  # cut off, not misspelt
        if source.kind == "symbol" or self._is_name(source) or not self.language.is_english:
            return False
        return is_misspelling(quoted, source, self.language)

    def _cases(self, start: int, end: int, s: int) -> Iterator[Edit]:
        """Yield the edits among equal keys whose case tells two words apart, such as "us"/"US"."""
        for i in range(start, end):
            quoted, source = self.quoted[i], self.source[s + i - start]
            if quoted.text != source.text and self._changes_by_case(i, s + i - start):
                yield _edit(quoted.text, source.text, (True, "case"))

    def _changes_by_case(self, i: int, j: int) -> bool:
        quoted, source = self.quoted[i], self.source[j]
        if is_acronym_case(quoted.text, source.text):
            return not (self.in_one_case and self._recased(inside=True) > 1)
        if self.in_one_case:
            return False
        if i and self.quoted[i - 1].kind == "number" and is_other_unit(quoted.text, source.text):
            return True
        if i == 0 or j == 0 or self._starts_sentence(source):
            return False
        return quoted.key in lexicon.NAME_WORDS and quoted.text.islower() != source.text.islower()

    @cached_property
    def in_one_case(self) -> bool:
        """Whether a side is all in capitals, small letters or title case: case says nothing."""
        sides = [[t.text for t in side if t.kind == "word"] for side in (self.quoted, self.source)]
        return self._recased(inside=False) > 1 and any(map(_is_in_one_case, sides))

    def _recased(self, *, inside: bool) -> int:
        """Count the words that differ in case; `inside` sentences, or at their beginnings too."""
        pairs = zip(self.quoted, self.source, strict=False)
        return sum(
            a.text != b.text and not (inside and self._starts_sentence(b))
            for a, b in pairs
            if a.kind == "word"
        )

    @cached_property
    def language(self) -> Language:
        """The language of both sides."""
        start, end = self.source[0].start, self.source[-1].end
        nearby = self.text[max(0, start - _NEARBY) : end + _NEARBY]
        return Language((*self.quoted, *self.source), nearby)

    def _is_name(self, token: Token) -> bool:
        if not token.text[:1].isupper() or self.in_one_case:
            return False
        return not is_english_word(token.key) or not self._starts_sentence(token)

    def _starts_sentence(self, token: Token) -> bool:
        before = self.text[max(0, token.start - _LOOK_BACK) : token.start].rstrip(
            " \n\t\"'“”‘’«»([*_#>`"
        )
        return not before or (before[-1] in ".!?…。" and not _ABBREVIATED.search(before))

    def _is_item_number(self, tokens: list[Token]) -> bool:
        """The number of a list item: alone at the start of a line, after the end of a sentence."""
        start, end = tokens[0].start, tokens[-1].end
        before, _, indent = self.text[max(0, start - _LOOK_BACK) : start].rpartition("\n")
        ended = before.rstrip()[-1:] in tuple(".:;!?。") or before.endswith("\n")
        alone = len(tokens) == 1 and tokens[0].kind == "number" and end - start <= _ITEM_DIGITS
        return (
            alone and ended and not indent.strip("( \t") and self.text[end : end + 2] in _ITEM_ENDS
        )

    def _touches_number(self, tokens: list[Token]) -> bool:
        start, end = tokens[0].start, tokens[-1].end
        left, right = self.text[max(0, start - 2) : start], self.text[end : end + 2]
        adjacent = left[-1:].isdigit() or right[:1].isdigit()
        return adjacent or (left.strip().isdigit() and right.strip().isdigit())

    def _quote_words(self, tokens: Sequence[Token]) -> str:
        return self.quote[tokens[0].start : tokens[-1].end] if tokens else ""

    def _source_words(self, tokens: Sequence[Token]) -> str:
        return self.text[tokens[0].start : tokens[-1].end] if tokens else ""


def _edit(quoted: str, source: str, judgement: Judgement) -> Edit:
    operation: Operation = "insert" if not source else "delete" if not quoted else "replace"
    material, reason = judgement
    return Edit(operation=operation, quoted=quoted, source=source, material=material, reason=reason)


def _is_picture(token: Token) -> bool:
    """Tell whether a token is an emoji or the like, which may be dropped but not exchanged."""
    pictured = token.kind == "symbol" and unicodedata.category(token.key[0]) == "So"
    return pictured and token.key not in ("°", REPLACEMENT)


def _is_editorial(quoted: Sequence[Token], source: Sequence[Token]) -> bool:
    """Tell whether the quoter's own words in square brackets were added, or stand for a pronoun."""
    if not all(token.bracketed for token in quoted):
        return False
    if any(token.kind in ("number", "symbol") or token.key in _LOADED for token in quoted):
        return False
    return all(token.key in lexicon.PRONOUNS for token in source)


def _is_in_one_case(words: list[str]) -> bool:
    capitals = sum(word[:1].isupper() for word in words)
    return not capitals or capitals > _ONE_CASE * len(words)
