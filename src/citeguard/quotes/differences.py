"""Which differences between a quote and its passage change the meaning.

`compare` aligns the tokens of both and judges each block in which they differ. Typography,
misspellings that are not words, misread glyphs, citation marks, page furniture and editorial
brackets are harmless; every other change of a word, number or symbol is material. When in doubt, a
difference is material. A material difference has a reason, by the kind of words that changed.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from itertools import count, pairwise
from typing import Literal

from rapidfuzz.distance import Levenshtein

from citeguard.language import lexicon, quantities
from citeguard.language.abbreviations import ends_in_abbreviation
from citeguard.language.citations import is_note
from citeguard.language.noise import noise_between, read
from citeguard.language.numerals import find_language, writes_decimal_comma
from citeguard.language.scripts import is_unspaced
from citeguard.language.sentences import Interval
from citeguard.language.spelling import (
    LIGATURES,
    has_sequences,
    is_english_word,
    is_garbled,
    is_lost_mark,
    is_slip,
    looks_impossible,
    lost_ligature,
    read_misread,
)
from citeguard.language.tokens import REPLACEMENT, Token, canonical, tokenize
from citeguard.language.variants import may_vary
from citeguard.quotes.canonical import fold
from citeguard.quotes.equivalents import (
    NEARBY,
    are_two_verbs,
    may_be_quantity,
    read_quantities,
)
from citeguard.quotes.furniture import BETWEEN_LINES, find_furniture
from citeguard.quotes.items import is_in_list, is_item
from citeguard.quotes.renderings import rendered_alike
from citeguard.quotes.symbols import Gap, find_change

Operation = Literal["insert", "delete", "replace"]
Judgement = tuple[bool, str]  # (material, reason)

_SHORTEST_MISREAD = 3  # letters; in fewer, a glyph is the whole word
_SHORTEST_PART = 4  # letters; words of longer parts mean the same apart ("bank note") and joined
_ONE_GLYPH = rf"(?:[^\W\d_]|{'|'.join(LIGATURES)}|ae|oe|ss)?"
_LETTER_VARIANTS = str.maketrans("أإآٱىیةکؤئё", "ااااييهكويе")
_NUMBERS = lexicon.NUMBER_WORDS | quantities.MAGNITUDE_WORDS
_LOADED = lexicon.NEGATORS | lexicon.QUALIFIERS | _NUMBERS | quantities.UNIT_WORDS
_ONE_COMMA = re.compile(r"[1-9]\d{0,2},\d{3}")
_GREEK = re.compile("[\u0370-\u03ff\u1f00-\u1fff]")
_ESCAPES = re.compile(r"\\[a-z]")
_UNNUMBERED = ("<ref", "{{", "\\")  # notes that a reader sees as a number which is not written
_OF_NUMBERS = "-−–—+~"  # signs that may belong to the number after them alone
_TYPED = {"<super>": "^", "<sub>": "_"}  # for the Unicode form of a raised or lowered letter
_TAG = re.compile(r"<[^<>]{0,300}>")
_STRAY_ACCENTS = "´¨ˆ˜¸`"
_LOOK_BACK = 40  # characters read before a token
_ONE_CASE = 0.8  # share of words with a capital above which a text is in title case


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """One difference between a quote and its source.

    Attributes:
        operation: Whether the quote adds, omits or replaces words of the source.
        quoted: The quote's words; empty for a deletion.
        source: The source's words; empty for an insertion.
        material: Whether the difference may change the meaning, so that the quote is rejected.
        reason: What kind of difference it is, in a word or two.
    """

    operation: Operation
    quoted: str
    source: str
    material: bool
    reason: str


def omission(words: str, reason: str) -> Edit:
    """Return the material edit of a quote that omits some words of its source."""
    return Edit(operation="delete", quoted="", source=words, material=True, reason=reason)


def compare(quote: str, text: str, start: int, end: int) -> tuple[Edit, ...]:
    """Return the differences between a quote and `text[start:end]`, in order.

    Differences of punctuation, white space, glyphs and case that carry no meaning are not edits.

    Examples:
        >>> text = "The drug was not approved."
        >>> [edit.reason for edit in compare("The drug was approved", text, 0, 25)]
        ['negation']
    """
    words = text[start:end]
    folded, quoted = fold(words), fold(quote)
    if (folded == quoted or "&" in words + quote) and _canonical_quote(quote) == canonical(words):
        return ()  # the same text, so no rule below may object
    edits = _compare(quote, text, (start, end), ())
    if not _count_material(edits):
        return edits
    if len(folded) <= len(quoted) or not BETWEEN_LINES.search(words):
        return edits
    furniture = find_furniture(text, start, end, quoted)
    if not furniture:
        return edits
    cleared = _compare(quote, text, (start, end), furniture)
    return min(edits, cleared, key=_count_material)


def _count_material(edits: tuple[Edit, ...]) -> int:
    return sum(edit.material for edit in edits)


def _compare(
    quote: str, text: str, passage: Interval, omitted: Sequence[Interval]
) -> tuple[Edit, ...]:
    """Compare a quote with the rest of a passage, as both are written or as they are read."""
    start, end = passage
    furniture = [
        _edit("", text[low:high].strip(), (False, "page furniture")) for low, high in omitted
    ]
    # What is left out may have joined marks that are none.
    noise = None if omitted else noise_between(text, start, end)
    source = tokenize(_blanked(text, passage, omitted), offset=start, noise=noise)
    breaks = [low for low, _ in omitted]
    quoted = _quote_tokens(quote)
    edits = (*furniture, *_Comparison(quoted, source, quote, text, breaks).edits())
    if _may_be_rendered([edit for edit in edits if edit.material]):
        language = find_language(text, start, end)
        sides = _rendered_alike(quoted, source, language)
        alike = (*furniture, *_Comparison(*sides, quote, text, breaks).edits())
        if _count_material(alike) < _count_material(edits):
            edits, quoted, source = alike, *sides
    material = [edit for edit in edits if edit.material]
    if not _may_be_equivalent(material, quote, text[start:end]):
        return edits
    nearby = text[max(0, start - NEARBY) : end + NEARBY]
    language = find_language(text, start, end)
    sides = (
        _normal(quote, quoted, language, nearby),
        _normal(text, source, language, nearby),
    )
    if _distance(*sides) >= _distance(quoted, source):
        return edits
    equated = (*furniture, *_NormalComparison(*sides, quote, text, breaks).edits())
    return min(edits, equated, key=_count_material)


def _blanked(text: str, passage: Interval, omitted: Sequence[Interval]) -> str:
    """Return the text of a passage, with blanks for the intervals to leave out."""
    parts: list[str] = []
    place, end = passage
    for low, high in omitted:
        parts += text[place:low], " " * (high - low)
        place = high
    return "".join([*parts, text[place:end]])


def _may_be_rendered(edits: list[Edit]) -> bool:
    """Return whether a rendering may explain a difference: a side has letters beyond ASCII."""
    return any(not (edit.quoted.isascii() and edit.source.isascii()) for edit in edits)


def _rendered_alike(
    quoted: list[Token], source: list[Token], language: str
) -> tuple[list[Token], list[Token]]:
    marks = [[token for token in side if token.kind == "mark"] for side in (quoted, source)]
    words = [[token for token in side if token.kind != "mark"] for side in (quoted, source)]
    alike = rendered_alike(words[0], words[1], language)
    return marks[0] + alike[0], marks[1] + alike[1]


def _may_be_equivalent(edits: list[Edit], quote: str, source: str) -> bool:
    """Return whether both texts have words that another reading could make equal; a quick test."""
    quoted = [word for edit in edits for word in edit.quoted.split()]
    words = [word for edit in edits for word in edit.source.split()]
    sides = [any(map(_may_vary, side)) for side in (quoted, words)]
    if all(sides):
        return True
    if any(sides) and ("(" in quote or "(" in source):
        return True  # "ninety (90)" and "90"
    if any(is_unspaced(word[0]) for word in (*quoted, *words) if not word.isascii()):
        return any(map(str.isdigit, quote))  # a part of a word may differ
    return not quantities.ORDINAL_ENDINGS.isdisjoint((*quoted, *words))  # "3rd" and "3"


def _may_vary(word: str) -> bool:
    return may_vary(word) or may_be_quantity(word) or not any(map(str.isalnum, word))


def _distance(one: list[Token], other: list[Token]) -> int:
    return Levenshtein.distance([token.key for token in one], [token.key for token in other])


@lru_cache(maxsize=8)
def _canonical_quote(quote: str) -> str:
    return canonical(quote)


@lru_cache(maxsize=8)
def _quote_tokens(quote: str) -> list[Token]:
    """Return the tokens of a quote; cached, as it is compared with several passages."""
    return tokenize(quote)


def _normal(text: str, tokens: list[Token], language: str, nearby: str) -> list[Token]:
    marks = [token for token in tokens if token.kind == "mark"]
    words = [token for token in tokens if token.kind != "mark"]
    return marks + read_quantities(text, words, language, nearby=nearby)


# Alignment


@dataclass(frozen=True, slots=True)
class _Block:
    """A stretch of difference: the quote has `quote[q:q_end]` in place of `source[s:s_end]`."""

    q: int
    q_end: int
    s: int
    s_end: int


def _align(quote: Sequence[Token], source: Sequence[Token]) -> Iterator[_Block]:
    """Yield the blocks in which two token sequences differ by key; adjacent ones are joined."""
    block: _Block | None = None
    keys = [token.key for token in quote], [token.key for token in source]
    if keys[0] == keys[1]:
        return
    for op in Levenshtein.opcodes(*keys):
        if op.tag == "equal":
            if block:
                yield block
            block = None
        elif block:
            block = _Block(block.q, op.src_end, block.s, op.dest_end)
        else:
            block = _Block(op.src_start, op.src_end, op.dest_start, op.dest_end)
    if block:
        yield block


# Harmless differences of spelling


class _Language:
    """The language of a quote and its passage, and the words that the source uses nearby."""

    def __init__(self, tokens: Sequence[Token], text: str, code: Callable[[], str]) -> None:
        self._words = [token.key for token in tokens if token.kind == "word"]
        self._text, self._code = text, code

    @cached_property
    def code(self) -> str:
        """The code of the language, "" if it has no tables."""
        return "en" if self.is_english else self._code()

    @property
    def articles(self) -> frozenset[str]:
        """What comes before nouns, if it writes them like names."""
        return lexicon.load_lexicon(self.code).articles if self.code else frozenset()

    @cached_property
    def is_english(self) -> bool:
        """Whether enough words are English for the English word list to apply."""
        english = sum(word in lexicon.ENGLISH_FUNCTION_WORDS for word in self._words)
        foreign = sum(word in lexicon.FOREIGN_FUNCTION_WORDS for word in self._words)
        if english > foreign and english * 10 >= len(self._words):
            return True
        known = sum(map(is_english_word, self._words))
        return foreign <= english and known * 10 >= len(self._words) * 6

    def is_used(self, word: str, times: int) -> bool:
        """Return whether the source has a word nearby at least so many times."""
        start = -1
        while times and (start := self._text.find(word, start + 1)) >= 0:
            end = start + len(word)
            beside = self._text[start - 1 : start], self._text[end : end + 1]
            times -= not any(map(str.isalnum, beside))
        return not times


def _letters_of(tokens: Sequence[Token]) -> str:
    """Return the letters and digits of tokens as the search form has them, U+FFFD kept."""
    parts = "".join(token.key for token in tokens).split(REPLACEMENT)
    return REPLACEMENT.join(map(fold, parts))


def _is_harmless_spacing(
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
    if _bare(source) in lexicon.SPLIT_WORDS:
        return False
    short = any(len(part) < _SHORTEST_PART for part in parts)
    return not (short and is_english_word(_bare(source)))


def _is_harmless_accent(
    quoted: Sequence[Token], source: Sequence[Token], language: _Language
) -> bool:
    """Return whether the same base letters with other accents are the same word.

    In English they are ("café", "cafe"), except for a few pairs. In other languages an accent makes
    another word ("wurde", "würde"), unless it is only the Arabic hamza, the dots of "ё" or the
    capital form of "ß", or the bare spelling is no word.
    """
    one, other = _bare(quoted), _bare(source)
    same = one.translate(_LETTER_VARIANTS) == other.translate(_LETTER_VARIANTS)
    if same or _are_same_in_capitals(quoted, source):
        return True
    if language.is_english:
        bare = one.isascii() or other.isascii()
        return bare and _letters_of(quoted) not in lexicon.ACCENT_PAIRS
    words = [re.findall(r"[^\s']+", " ".join(t.key for t in side)) for side in (quoted, source)]
    return len(words[0]) == len(words[1]) and all(
        a == b or is_lost_mark(a, b, language.code) or is_lost_mark(b, a, language.code)
        for a, b in zip(*words, strict=True)
    )


def _is_misreading(quoted: Sequence[Token], source: Sequence[Token], language: _Language) -> bool:
    """Return whether glyphs were confused or lost when the source's text was extracted.

    The letters must agree once misread, and one side must not be words: "modern" is not "modem".
    """
    one, other = _letters_of(quoted), _letters_of(source)
    if REPLACEMENT in other:
        return (
            re.fullmatch(_ONE_GLYPH.join(map(re.escape, other.split(REPLACEMENT))), one) is not None
        )
    if len(one) < _SHORTEST_MISREAD:
        return False
    lost = lost_ligature(one, other) or lost_ligature(other, one)
    if not lost and read_misread(one) != read_misread(other):
        return False
    if all(_are_plausible(tokens) for tokens in (quoted, source)):
        return False
    if language.is_english or not (one.isalpha() and other.isalpha()):
        return True
    if not has_sequences(language.code):
        return lost and min(len(one), len(other)) > _SHORTEST_PART
    one, other = _bare(quoted), _bare(source)
    impossible = looks_impossible(one, other, language.code)
    return impossible or looks_impossible(other, one, language.code)


def _bare(tokens: Sequence[Token]) -> str:
    """Return the letters and digits of tokens with their accents, in lower case."""
    return "".join(token.key for token in tokens).replace("'", "").replace("-", "")


def _bare_text(tokens: Sequence[Token]) -> str:
    """Return the letters and digits of tokens with their accents and their case."""
    return "".join(token.text for token in tokens).replace("'", "")


def _is_acronym_case(quoted: str, source: str) -> bool:
    """Return whether two words that differ in case are a word and an acronym: "us" and "US"."""
    return quoted.lower() in lexicon.ACRONYM_WORDS and quoted.isupper() != source.isupper()


def _is_other_unit(quoted: str, source: str) -> bool:
    """Return whether case makes another unit: "mW" and "MW" or "Mb" and "MB", not "mg" and "MG"."""
    if quoted.lower() not in quantities.CASED_UNITS or quoted == source:
        return False
    return quoted[1:] == source[1:] or quoted[:-1] == source[:-1]


def _are_plausible(tokens: Sequence[Token]) -> bool:
    if len(tokens) == 1 and tokens[0].kind == "number":
        return True
    return all(token.kind == "word" and is_english_word(token.key) for token in tokens)


def _are_same_in_capitals(quoted: Sequence[Token], source: Sequence[Token]) -> bool:
    """Return whether one side is in capitals, which lack the accents of the other's small letters.

    "SS" is also "ß", the Turkish "I" also "ı", and Greek capitals have no accents.
    """
    capitals, other = _bare_text(quoted), _bare_text(source)
    if not capitals.isupper():
        capitals, other = other, capitals
    if not capitals.isupper():
        return False
    if capitals.casefold() == other.casefold():
        return True
    bare = unicodedata.normalize("NFD", other).replace("\u0301", "")
    if (
        _GREEK.search(other)
        and unicodedata.normalize("NFD", capitals.casefold()) == bare.casefold()
    ):
        return True
    return capitals == other.replace("i", "İ").upper()


# The reasons of material differences


def _reason(quoted: Sequence[Token], source: Sequence[Token], passage: Sequence[Token]) -> str:
    """Return the reason of a material difference.

    Args:
        quoted: The quote's tokens; empty if it omits words.
        source: The passage's tokens; empty if the quote adds words.
        passage: All tokens of the passage, which show what precedes a unit.
    """
    tokens = (*quoted, *source)
    keys = {token.key for token in tokens}
    is_denied = bool(keys & lexicon.NEGATORS) or any(key.endswith("n't") for key in keys)
    if is_denied or _differ_by_prefix(quoted, source):
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


# The comparison


class _Comparison:
    """A quote beside a passage."""

    def __init__(
        self,
        quoted: list[Token],
        source: list[Token],
        quote: str,
        text: str,
        breaks: Sequence[int] = (),
    ) -> None:
        self.quote, self.text, self.breaks = quote, text, breaks
        self.tokens = quoted, source
        self.quoted = [token for token in quoted if token.kind != "mark"]
        self.source = [token for token in source if token.kind != "mark"]

    def edits(self) -> Iterator[Edit]:
        yield from self._marks()
        q = s = 0
        for block in _align(self.quoted, self.source):
            yield from self._equal(q, block.q, s)
            yield self._block(block)
            q, s = block.q_end, block.s_end
        yield from self._equal(q, len(self.quoted), s)

    def _marks(self) -> Iterator[Edit]:
        """Yield the edit of citation marks, which may be omitted or added but not exchanged."""
        quoted, source = ([t.text for t in side if t.kind == "mark"] for side in self.tokens)
        if [*map(_letters_of_mark, quoted)] != [*map(_letters_of_mark, source)]:
            exchanged = len(quoted) == len(source) and any(
                _letters_of_mark(one) != _letters_of_mark(other)
                and not (one.startswith(_UNNUMBERED) or other.startswith(_UNNUMBERED))
                for one, other in zip(quoted, source, strict=True)
            )
            yield _edit(" ".join(quoted), " ".join(source), (exchanged, "citation mark"))

    def _block(self, block: _Block) -> Edit:
        quoted, source = self.quoted[block.q : block.q_end], self.source[block.s : block.s_end]
        judged = (False, "spacing") if self._is_same_sign(block) else self._judge(quoted, source)
        return _edit(self._quote_words(quoted), self._source_words(source), judged)

    def _is_same_sign(self, block: _Block) -> bool:
        """Return whether both sides have one sign, a token on one: "mid+1" and "mid + 1"."""
        tokens = (*self.quoted[block.q : block.q_end], *self.source[block.s : block.s_end])
        one_side = block.q == block.q_end or block.s == block.s_end
        if not one_side or any(token.kind != "symbol" for token in tokens):
            return False
        sides = (self.quote, self.quoted, block.q, block.q_end), (
            self.text, self.source, block.s, block.s_end,
        )  # fmt: skip
        if any(first == 0 or last == len(side) for _, side, first, last in sides):
            return False
        after = (
            self.quote[self.quoted[block.q_end].start],
            self.text[self.source[block.s_end].start],
        )
        if "".join(token.key for token in tokens) in [_typed(char)[:-1] for char in after]:
            return True  # "2^k" and "2ᵏ"
        gaps = [text[side[first - 1].end : side[last].start] for text, side, first, last in sides]
        signs = set(map(_sign_of, gaps))
        if len(signs) > 1 or "" in signs:
            return False
        # " -5" may be a number below zero.
        return not any(sign in gaps[0] for sign in _OF_NUMBERS) or all(map(_is_infix, gaps))

    def _judge(self, quoted: list[Token], source: list[Token]) -> Judgement:
        harmless = self._harmless_reason(quoted, source)
        if harmless is not None:
            return False, harmless
        if quoted and source and _letters_of(quoted) == _letters_of(source):
            return self._judge_same_letters(quoted, source)
        return True, _reason(quoted, source, self.source)

    def _harmless_reason(self, quoted: list[Token], source: list[Token]) -> str | None:
        if not (quoted and source) and all(map(_is_picture, (*quoted, *source))):
            return "picture"
        if not quoted:
            start, end = source[0].start, source[-1].end
            if len(source) == 1 and (
                is_item(self.text, start, end) or is_in_list(self.text, start, end)
            ):
                return "item number"
            if any(t.kind == "number" for t in source) and is_note(self.text, start, end):
                return "citation mark"
            garbled = all(token.key == REPLACEMENT for token in source)
            beside = self.text[max(0, start - 2) : start] + self.text[end : end + 2]
            return "garbled" if garbled and not any(map(str.isdigit, beside)) else None
        if _is_editorial(quoted, source):
            return "editorial bracket"
        if not source:
            alone = len(quoted) == 1 and is_in_list(self.quote, quoted[0].start, quoted[0].end)
            return "item number" if alone else None
        return "spelling" if self._is_slip(quoted, source) else None

    def _judge_same_letters(self, quoted: list[Token], source: list[Token]) -> Judgement:
        """Judge a block with the same letters and digits, split or accented differently."""
        words = self._quote_words(quoted), self._source_words(source)
        numbers = [[t.key for t in side if t.kind == "number"] for side in (quoted, source)]
        if numbers[0] != numbers[1]:
            return True, "number"
        if any(token.kind == "symbol" for token in (*quoted, *source)):
            if len({"".join(map(_typed, read(side))) for side in words}) == 1:
                return False, "typography"
            return True, _reason(quoted, source, self.source)
        escaped = [_ESCAPES.search(read(side)) is not None for side in words if "\\" in side]
        if escaped.count(True) == 1:
            return True, "sign or unit"
        if _bare(quoted) != _bare(source):
            stray = any(accent in words[0] + words[1] for accent in _STRAY_ACCENTS)
            return not (stray or _is_harmless_accent(quoted, source, self.language)), "accent"
        if _is_acronym_case(_bare_text(quoted), _bare_text(source)):
            return True, "case"
        if len(quoted) == len(source) and is_english_word(_bare(source)):
            return True, "spelling"  # "we're" and "were", "dogs" and "dog's" are two words each
        hyphenated = any(hyphen in side for side in words for hyphen in "-‐\u00ad¬")
        wrapped = any("\n" in side for side in words)
        if hyphenated and not wrapped and _bare(source).startswith(lexicon.HYPHEN_WORDS):
            return True, "spacing"
        return not _is_harmless_spacing(quoted, source, hyphenated=hyphenated), "spacing"

    def _is_slip(self, quoted: list[Token], source: list[Token]) -> bool:
        if _letters_of(quoted) == _letters_of(source):
            return False
        if [t.key for t in quoted] == ["-"] and [t.key for t in source] == [REPLACEMENT]:
            return True  # the dash of a range, lost in extraction
        symbols = any(t.kind == "symbol" and t.key != REPLACEMENT for t in (*quoted, *source))
        named = any(self._is_name(token) and token.text.isalpha() for token in source) and not all(
            token.key in lexicon.ENGLISH_FUNCTION_WORDS for token in quoted
        )
        if not symbols and not named and _is_misreading(quoted, source, self.language):
            return True
        pairs = list(zip(quoted, source, strict=False))
        return len(quoted) == len(source) and all(
            a.key == b.key or self._is_word_slip(a, b) for a, b in pairs
        )

    def _is_word_slip(self, quoted: Token, source: Token) -> bool:
        if quoted.kind != "word" or source.kind not in ("word", "symbol"):
            return False
        if _is_misreading([quoted], [source], self.language) and not self._is_name(source):
            return True
        if source.kind == "symbol" or self._is_name(source):
            return False
        if not self.language.is_english:
            return self._is_foreign_slip(quoted, source)
        # The passage itself is one use of the source's word, so that one needs a second.
        return is_slip(
            quoted.key,
            source.key,
            quoted_known=is_english_word(quoted.key) or self.language.is_used(quoted.text, 1),
            source_known=is_english_word(source.key) or self.language.is_used(source.text, 2),
        )

    def _is_foreign_slip(self, quoted: Token, source: Token) -> bool:
        code, used = self.language.code, self.language.is_used
        if {quoted.key, source.key} & _LOADED:
            return False
        if is_lost_mark(quoted.key, source.key, code) or is_lost_mark(source.key, quoted.key, code):
            return True
        if is_garbled(quoted.key, source.key, code):
            return not used(quoted.text, 1)
        return is_garbled(source.key, quoted.key, code) and not used(source.text, 2)

    def _equal(self, start: int, end: int, s: int) -> Iterator[Edit]:
        """Yield the edits of equal keys: case that makes another word, and symbols between them."""
        for i, j in zip(range(start, end), count(s)):
            quoted, source = self.quoted[i], self.source[j]
            if quoted.text != source.text and self._changes_by_case(i, j):
                yield _edit(quoted.text, source.text, (True, "case"))
            if quoted.text != source.text and self._is_other_number(quoted, source):
                yield _edit(quoted.text, source.text, (True, "number"))
            if i + 1 == end:
                continue
            after, source_after = self.quoted[i + 1].start, self.source[j + 1].start
            # Most gaps are one blank.
            if self.quote[quoted.end : after] != self.text[source.end : source_after] and (
                change := self._changed_symbols(i, j)
            ):
                yield _edit(*change, (True, "sign or unit"))

    def _is_other_number(self, quoted: Token, source: Token) -> bool:
        """Return whether equal figures are a thousand and a decimal: "1,250" in German, "1250"."""
        if quoted.kind != "number":
            return False
        decimal = [bool(_ONE_COMMA.fullmatch(token.text)) for token in (quoted, source)]
        return decimal[0] != decimal[1] and self._has_decimal_comma

    @cached_property
    def _has_decimal_comma(self) -> bool:
        start, end = self.source[0].start, self.source[-1].end
        nearby = self.text[max(0, start - NEARBY) : end + NEARBY]
        return writes_decimal_comma(nearby, find_language(self.text, start, end))

    def _changed_symbols(self, i: int, j: int) -> tuple[str, str] | None:
        """Return the symbols after two equal tokens if they differ from those of the source."""
        quoted = Gap(self.quote, self.quoted[i].end, self.quoted[i + 1].start)
        source = Gap(self.text, self.source[j].end, self.source[j + 1].start)
        following = bisect_left(self.breaks, source.start)
        if following < len(self.breaks) and self.breaks[following] <= source.end:
            return None  # a page break
        return find_change(quoted, source)

    def _changes_by_case(self, i: int, j: int) -> bool:
        quoted, source = self.quoted[i], self.source[j]
        if _is_acronym_case(quoted.text, source.text):
            return not (self._in_one_case and self._recased(inside=True) > 1)
        if self._in_one_case:
            return False
        if i and self.quoted[i - 1].kind == "number" and _is_other_unit(quoted.text, source.text):
            return True
        if i == 0 or j == 0 or self._starts_sentence(source):
            return False
        return quoted.key in lexicon.NAME_WORDS and quoted.text.islower() != source.text.islower()

    @cached_property
    def _in_one_case(self) -> bool:
        """Whether a side is all in upper, lower or title case, so that case means nothing."""
        sides = [[t.text for t in side if t.kind == "word"] for side in (self.quoted, self.source)]
        return self._recased(inside=False) > 1 and any(map(_is_in_one_case, sides))

    def _recased(self, *, inside: bool) -> int:
        """Return how many words differ in case; only those `inside` sentences, or the first too."""
        pairs = zip(self.quoted, self.source, strict=False)
        return sum(
            a.text != b.text and not (inside and self._starts_sentence(b))
            for a, b in pairs
            if a.kind == "word"
        )

    @cached_property
    def language(self) -> _Language:
        """The language of both sides."""
        start, end = self.source[0].start, self.source[-1].end
        nearby = self.text[max(0, start - NEARBY) : end + NEARBY]
        code = partial(find_language, self.text, start, end)
        return _Language((*self.quoted, *self.source), nearby, code)

    def _is_name(self, token: Token) -> bool:
        if not token.text[:1].isupper() or self._in_one_case:
            return False
        before = self.text[max(0, token.start - _LOOK_BACK) : token.start].split()[-1:]
        if not self.language.articles.isdisjoint(before):
            return False  # a noun
        return not is_english_word(token.key) or not self._starts_sentence(token)

    def _starts_sentence(self, token: Token) -> bool:
        before = self.text[max(0, token.start - _LOOK_BACK) : token.start].rstrip(
            " \n\t\"'“”‘’«»([*_#>`"
        )
        return not before or (before[-1] in ".!?…。" and not ends_in_abbreviation(before))

    def _quote_words(self, tokens: Sequence[Token]) -> str:
        return self.quote[tokens[0].start : tokens[-1].end] if tokens else ""

    def _source_words(self, tokens: Sequence[Token]) -> str:
        return self.text[tokens[0].start : tokens[-1].end] if tokens else ""


class _NormalComparison(_Comparison):
    """The same with equivalents read as one, each of which is a harmless edit."""

    def _equal(self, start: int, end: int, s: int) -> Iterator[Edit]:
        yield from super()._equal(start, end, s)
        group = start
        for i in range(start, end):
            if are_two_verbs(self.quoted[i], self.source[i - start + s]):
                yield _edit(self.quoted[i].text, self.source[i - start + s].text, (True, "word"))
            # Words of one contraction come from one place of the text.
            if self._is_one_place(self.quoted, i + 1) or self._is_one_place(
                self.source, i - start + s + 1
            ):
                continue
            words = (
                self._quote_words(self.quoted[group : i + 1]),
                self._source_words(self.source[group - start + s : i - start + s + 1]),
            )
            if words[0].lower() != words[1].lower() and _keys(words[0]) != _keys(words[1]):
                yield _edit(*words, (False, "equivalent"))
            group = i + 1

    def _is_one_place(self, tokens: list[Token], i: int) -> bool:
        return i < len(tokens) and tokens[i].start == tokens[i - 1].start


def _letters_of_mark(mark: str) -> str:
    return fold(_TAG.sub("", mark))


def _typed(char: str) -> str:
    """Return a character as it is typed: "ᵢ" is "_i"."""
    form, _, _ = unicodedata.decomposition(char).partition(" ")
    return f"{_TYPED[form]}{unicodedata.normalize('NFKC', char)}" if form in _TYPED else char


def _sign_of(gap: str) -> str:
    """Return what is between two words without blanks and, if there is more, emphasis."""
    sign = canonical(read(gap)).replace("—", "-").replace(" ", "")
    return sign.strip("*_`") or sign


def _is_infix(gap: str) -> bool:
    return gap[:1].isspace() == gap[-1:].isspace()


def _keys(words: str) -> list[str]:
    return [token.key for token in tokenize(words)]


def _edit(quoted: str, source: str, judgement: Judgement) -> Edit:
    operation: Operation = "insert" if not source else "delete" if not quoted else "replace"
    material, reason = judgement
    return Edit(operation=operation, quoted=quoted, source=source, material=material, reason=reason)


def _is_picture(token: Token) -> bool:
    """Return whether a token is an emoji or similar, which may be omitted but not exchanged."""
    pictured = token.kind == "symbol" and unicodedata.category(token.key[0]) == "So"
    return pictured and token.key not in ("°", REPLACEMENT)


def _is_editorial(quoted: Sequence[Token], source: Sequence[Token]) -> bool:
    """Return whether the quote adds words in square brackets, or has them in place of a pronoun."""
    if not all(token.bracketed for token in quoted):
        return False
    if any(token.kind in ("number", "symbol") or token.key in _LOADED for token in quoted):
        return False
    return all(token.key in lexicon.PRONOUNS for token in source)


def _is_in_one_case(words: list[str]) -> bool:
    capitals = sum(word[:1].isupper() for word in words)
    return not capitals or capitals > _ONE_CASE * len(words)
