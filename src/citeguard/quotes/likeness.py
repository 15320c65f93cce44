"""Which differences between tokens are harmless: spacing, accents, slips, misread glyphs."""

from __future__ import annotations

from collections.abc import Sequence

from citeguard.language import lexicon, quantities
from citeguard.language.spelling import (
    LIGATURES,
    is_english_word,
    is_slip,
    lost_ligature,
    read_misread,
)
from citeguard.language.tokens import REPLACEMENT, Token
from citeguard.quotes.canonical import fold

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
