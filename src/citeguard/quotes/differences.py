"""The difference guard: which differences between a quote and its passage change the meaning.

It looks at the aligned difference alone. Typography, misspellings that are no words, misread
glyphs, citation marks, page furniture and editorial brackets are harmless; every other change of a
word, number or symbol is material. When in doubt, a difference is material.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Literal

from rapidfuzz.distance import Levenshtein

from citeguard.language import lexicon, quantities
from citeguard.language.abbreviations import ends_in_abbreviation
from citeguard.language.spelling import (
    LIGATURES,
    is_english_word,
    is_slip,
    lost_ligature,
    read_misread,
)
from citeguard.language.tokens import REPLACEMENT, Token, tokenize
from citeguard.quotes.canonical import fold
from citeguard.quotes.furniture import find_furniture

Operation = Literal["insert", "delete", "replace"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """One difference between a quote and its source.

    Attributes:
        operation: what the quote did to the source's words: added, left out or replaced some.
        quoted: the quote's words; empty for a deletion.
        source: the source's words; empty for an insertion.
        material: whether the difference may change the meaning, so that the quote is refused.
        reason: what kind of difference it is, in a word or two.
    """

    operation: Operation
    quoted: str
    source: str
    material: bool
    reason: str


def left_out(words: str, reason: str) -> Edit:
    """Return the material edit that a quote leaves some words of its source out."""
    return Edit(operation="delete", quoted="", source=words, material=True, reason=reason)


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of difference: `quote[q:q_end]` stands for `source[s:s_end]`."""

    q: int
    q_end: int
    s: int
    s_end: int


def align(quote: Sequence[Token], source: Sequence[Token]) -> Iterator[Block]:
    """Yield the blocks in which two token sequences differ by key, adjacent ones joined."""
    block: Block | None = None
    keys = [token.key for token in quote], [token.key for token in source]
    if keys[0] == keys[1]:
        return
    for op in Levenshtein.opcodes(*keys):
        if op.tag == "equal":
            if block:
                yield block
            block = None
        elif block:
            block = Block(block.q, op.src_end, block.s, op.dest_end)
        else:
            block = Block(op.src_start, op.src_end, op.dest_start, op.dest_end)
    if block:
        yield block


_SHORTEST_MISREAD = 3  # letters; in fewer, a glyph is the whole word
_SHORTEST_PART = 4  # letters; words of longer parts say the same apart ("bank note") as together
_WIDEST_GLYPH = 3  # letters of the ligature "ffi"
_LETTER_VARIANTS = frozenset(
    map(frozenset, ("أا", "إا", "آا", "ٱا", "ىي", "ةه", "یي", "کك", "یى", "ؤو", "ئي", "ёе"))
)


class Language:
    """What the texts of a comparison tell of their language, and of the words in it."""

    def __init__(self, tokens: Sequence[Token], text: str) -> None:
        self._words = [token.key for token in tokens if token.kind == "word"]
        self._text = text

    @property
    def is_english(self) -> bool:
        """Whether the words are English enough for the English word list to judge them."""
        english = sum(word in lexicon.ENGLISH_FUNCTION_WORDS for word in self._words)
        foreign = sum(word in lexicon.FOREIGN_FUNCTION_WORDS for word in self._words)
        if english > foreign and english * 10 >= len(self._words):
            return True
        known = sum(map(is_english_word, self._words))
        return foreign <= english and known * 10 >= len(self._words) * 6

    def stands_in_text(self, word: str, times: int) -> bool:
        """Tell whether the source has a word nearby at least so often, whatever the list says."""
        start = -1
        while (start := self._text.find(word, start + 1)) >= 0:
            end = start + len(word)
            if (
                not self._text[start - 1 : start].isalnum()
                and not self._text[end : end + 1].isalnum()
            ):
                times -= 1
                if not times:
                    return True
        return False


def letters_of(tokens: Sequence[Token]) -> str:
    """Return the letters and digits of tokens as the search form has them, U+FFFD kept."""
    parts = "".join(token.key for token in tokens).split(REPLACEMENT)
    return REPLACEMENT.join(map(fold, parts))


def is_harmless_spacing(
    quoted: Sequence[Token], source: Sequence[Token], *, hyphenated: bool
) -> bool:
    """Tell whether the same letters, cut into words differently, still say the same.

    "deve loped" is "developed", but "every day" is not "everyday". A hyphen between the parts,
    or an editorial bracket, shows that nothing was changed.
    """
    if hyphenated or any(token.bracketed for token in (*quoted, *source)):
        return True
    parts = [part.key for part in max(quoted, source, key=len)]
    if not all(is_english_word(part) or part in ("a", "i") for part in parts):
        return True
    if bare(source) in lexicon.SPLIT_WORDS:
        return False
    short = any(len(part) < _SHORTEST_PART for part in parts)
    return bare(source) == "cannot" or not (short and is_english_word(bare(source)))


def is_harmless_accent(
    quoted: Sequence[Token], source: Sequence[Token], language: Language
) -> bool:
    """Tell whether the same base letters with other accents are still the same word.

    In English they are ("café", "cafe"), but for a few pairs; elsewhere an accent makes another
    word ("wurde", "würde"), unless it is only the Arabic hamza, the dots of "ё" or the capital
    form of "ß".
    """
    one, other = bare(quoted), bare(source)
    if _are_letter_variants(one, other) or _is_capital_sharp_s(quoted, source):
        return True
    if letters_of(quoted) in lexicon.ACCENT_PAIRS or not (one.isascii() or other.isascii()):
        return False
    return language.is_english


def is_misreading(quoted: Sequence[Token], source: Sequence[Token]) -> bool:
    """Tell whether glyphs were taken for others, or lost, when the source's text was extracted.

    The letters must agree once misread, and one side must be no words: "modern" is not "modem".
    """
    one, other = letters_of(quoted), letters_of(source)
    if REPLACEMENT in other:
        return _fits_replaced(one, other)
    if len(one) < _SHORTEST_MISREAD:
        return False
    if read_misread(one) != read_misread(other) and not lost_ligature(one, other):
        return False
    return not all(_are_plausible(tokens) for tokens in (quoted, source))


def is_misspelling(quoted: Token, source: Token, language: Language) -> bool:
    """Tell whether one of two words is a slip for the other; `is_slip` has the rules."""
    return is_slip(
        quoted.key,
        source.key,
        quoted_known=is_english_word(quoted.key) or language.stands_in_text(quoted.text, 1),
        source_known=is_english_word(source.key) or language.stands_in_text(source.text, 2),
    )


def bare(tokens: Sequence[Token]) -> str:
    """Return the letters and digits of tokens with their accents, in small letters."""
    return "".join(token.key for token in tokens).replace("'", "").replace("-", "")


def bare_text(tokens: Sequence[Token]) -> str:
    """Return the letters and digits of tokens with their accents and their case."""
    return "".join(token.text for token in tokens).replace("'", "")


def is_acronym_case(quoted: str, source: str) -> bool:
    """Tell whether case makes an acronym of a word: "US" and "us"."""
    return quoted.lower() in lexicon.ACRONYM_WORDS and quoted.isupper() != source.isupper()


def is_other_unit(quoted: str, source: str) -> bool:
    """Tell whether case makes another unit: "mW" and "MW", "Mb" and "MB", but not "mg" and "MG"."""
    if quoted.lower() not in quantities.CASED_UNITS or quoted == source:
        return False
    return quoted[1:] == source[1:] or quoted[:-1] == source[:-1]


def _are_plausible(tokens: Sequence[Token]) -> bool:
    if len(tokens) == 1 and tokens[0].kind == "number":
        return True
    return all(token.kind == "word" and is_english_word(token.key) for token in tokens)


def _is_capital_sharp_s(quoted: Sequence[Token], source: Sequence[Token]) -> bool:
    one, other = bare_text(quoted), bare_text(source)
    return (one.isupper() or other.isupper()) and one.casefold() == other.casefold()


def _are_letter_variants(one: str, other: str) -> bool:
    return len(one) == len(other) and all(
        a == b or frozenset((a, b)) in _LETTER_VARIANTS for a, b in zip(one, other, strict=True)
    )


def _fits_replaced(word: str, garbled: str) -> bool:
    """Tell whether a word fits a garbled one, in which U+FFFD stands for a letter or a ligature."""
    head, replaced, tail = garbled.partition(REPLACEMENT)
    if not replaced:
        return word == garbled
    rest = word.removeprefix(head)
    return word.startswith(head) and any(
        _fits_replaced(rest[width:], tail)
        for width in range(_WIDEST_GLYPH + 1)
        if not width or _is_one_glyph(rest[:width])
    )


def _is_one_glyph(letters: str) -> bool:
    return (len(letters) == 1 and letters.isalpha()) or letters in (*LIGATURES, "ae", "oe", "ss")


def classify(quoted: Sequence[Token], source: Sequence[Token], passage: Sequence[Token]) -> str:
    """Name the kind of a difference between some tokens of a quote and of its passage.

    Args:
        quoted: the quote's tokens; empty when it left words out.
        source: the passage's tokens; empty when the quote added words.
        passage: all tokens of the passage, to see what precedes a unit.

    Returns:
        "negation", "number", "sign or unit", "unit", "qualifier", "name" or "word".
    """
    tokens = (*quoted, *source)
    keys = {token.key for token in tokens}
    if _denies(keys) or _differ_by_prefix(quoted, source):
        return "negation"
    if keys & _NUMBERS or any(token.kind == "number" for token in tokens):
        return "number"
    if any(token.kind == "symbol" for token in tokens):
        return "sign or unit"
    if keys & quantities.UNIT_WORDS and _follows_number(source or quoted, passage):
        return "unit"
    if keys & lexicon.QUALIFIERS:
        return "qualifier"
    return "name" if any(token.text[:1].isupper() for token in source or quoted) else "word"


_NUMBERS = lexicon.NUMBER_WORDS | quantities.MAGNITUDE_WORDS


def _denies(keys: set[str]) -> bool:
    return bool(keys & lexicon.NEGATORS) or any(key.endswith("n't") for key in keys)


def _differ_by_prefix(quoted: Sequence[Token], source: Sequence[Token]) -> bool:
    if len(quoted) != 1 or len(source) != 1:
        return False
    longer, shorter = sorted((quoted[0].key, source[0].key), key=len, reverse=True)
    return longer.endswith(shorter) and longer.removesuffix(shorter) in lexicon.NEGATING_PREFIXES


def _follows_number(tokens: Sequence[Token], passage: Sequence[Token]) -> bool:
    return any(
        before.kind == "number" and after.start == tokens[0].start
        for before, after in pairwise(passage)
    )


Judgement = tuple[bool, str]  # (material, reason)

_LOADED = (
    lexicon.NEGATORS
    | lexicon.QUALIFIERS
    | lexicon.NUMBER_WORDS
    | quantities.MAGNITUDE_WORDS
    | quantities.UNIT_WORDS
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
        return not before or (before[-1] in ".!?…。" and not ends_in_abbreviation(before))

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
