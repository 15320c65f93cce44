"""The difference guard: which differences between a quote and its passage change the meaning.

It looks at the aligned difference alone. Typography, misspellings that are no words, misread
glyphs, citation marks, page furniture and editorial brackets are harmless; every other change of a
word, number or symbol is material. When in doubt, a difference is material.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from citeguard.text import lexicon
from citeguard.text.canonical import fold_character
from citeguard.text.edits import Block, Edit, Operation, align
from citeguard.text.furniture import is_furniture
from citeguard.text.spelling import is_english_word, is_slip, lost_ligature, read_misread
from citeguard.text.tokens import Token, tokenize

Judgement = tuple[bool, str]  # (material, reason)

_PRONOUNS = frozenset(
    "he she it they him her them his its their this that these those i we us our you your who which".split()
)
# Words that an accent makes other words, in English.
_ACCENT_PAIRS = frozenset("resume expose rose pate mate lame sake ore".split())
_CASED_UNITS = frozenset("mw mb gb kb tb m g s mpa mv ma mj k t".split())
_ARABIC_VARIANTS = frozenset(
    [frozenset(pair) for pair in ("أا", "إا", "آا", "ٱا", "ىي", "ةه", "یي", "کك", "یى", "ؤو", "ئي")]
)


@dataclass(frozen=True, slots=True)
class Passage:
    """A half-open interval of a text, in code points."""

    text: str
    start: int
    end: int


def compare(quote: str, passage: Passage) -> tuple[Edit, ...]:
    """Return the differences between a quote and a passage, harmless and material, in order.

    Differences of punctuation, white space, glyphs and case that carry no meaning are no edits.

    Example:
        >>> text = "The drug was not approved."
        >>> [edit.reason for edit in compare("The drug was approved", Passage(text, 0, 25))]
        ['negation']
    """
    quoted = tokenize(quote)
    source = tokenize(passage.text[passage.start : passage.end])
    return tuple(_Comparison(quoted, source, quote, passage).edits())


class _Comparison:
    def __init__(
        self, quoted: list[Token], source: list[Token], quote: str, passage: Passage
    ) -> None:
        self.quote, self.passage = quote, passage
        self.quoted = [token for token in quoted if token.kind != "mark"]
        self.source = [token for token in source if token.kind != "mark"]
        self.marks = [
            [token.key for token in tokens if token.kind == "mark"] for tokens in (quoted, source)
        ]

    def edits(self) -> Iterator[Edit]:
        yield from self._marks()
        q = s = 0
        for block in align(self.quoted, self.source):
            yield from self._cases(q, block.q, s)
            yield from self._block(block)
            q, s = block.q_end, block.s_end
        yield from self._cases(q, len(self.quoted), s)

    def _marks(self) -> Iterator[Edit]:
        quoted, source = self.marks
        if quoted != source:
            altered = bool(quoted) and len(quoted) == len(source)
            yield _edit(" ".join(quoted), " ".join(source), (altered, "citation mark"))

    def _block(self, block: Block) -> Iterator[Edit]:
        quoted, source = self.quoted[block.q : block.q_end], self.source[block.s : block.s_end]
        judgement = self._judge(block, quoted, source)
        yield _edit(self._quote_words(quoted), self._source_words(source), judgement)

    def _judge(self, block: Block, quoted: list[Token], source: list[Token]) -> Judgement:
        if not quoted:
            return self._judge_left_out(block, source)
        if (kept := self._without_furniture(source)) is not None:
            return self._judge(block, quoted, kept)
        if _is_editorial(quoted, source):
            return False, "editorial bracket"
        if source and _letters(quoted) == _letters(source):
            return self._judge_same_letters(quoted, source)
        if source and self._is_slip(quoted, source):
            return False, "spelling"
        return True, classify(quoted, source, self.source)

    def _judge_left_out(self, block: Block, source: list[Token]) -> Judgement:
        """Words of the source that the quote lacks: harmless only where a page break put them."""
        end = self.passage.end - self.passage.start
        before = self.source[block.s - 1].end if block.s else 0
        after = self.source[block.s_end].start if block.s_end < len(self.source) else end
        if is_furniture(self.passage.text, self.passage.start + before, self.passage.start + after):
            return False, "page furniture"
        if all(token.key == _REPLACED for token in source):
            return self._touches_number(source), "garbled"
        return True, classify([], source, self.source)

    def _touches_number(self, source: list[Token]) -> bool:
        start, end = (self.passage.start + i for i in (source[0].start, source[-1].end))
        around = self.passage.text[max(0, start - 2) : start] + self.passage.text[end : end + 2]
        return any(char.isdigit() for char in around)

    def _without_furniture(self, source: list[Token]) -> list[Token] | None:
        """The tokens without a page break in their midst; `None` where there is none."""
        for i in range(len(source) - 2):
            for j in range(len(source) - 1, i + 1, -1):
                start = self.passage.start
                if is_furniture(self.passage.text, start + source[i].end, start + source[j].start):
                    return [*source[: i + 1], *source[j:]]
        return None

    def _judge_same_letters(self, quoted: list[Token], source: list[Token]) -> Judgement:
        """The same letters and digits, cut or accented differently."""
        if [t.key for t in quoted if t.kind == "number"] != [t.key for t in source if t.kind == "number"]:
            return True, "number"
        if any(t.kind == "symbol" for t in (*quoted, *source)):
            return True, classify(quoted, source, self.source)
        if _bare(quoted) != _bare(source):
            return self._judge_accents(quoted, source)
        if _is_acronym_case(_bare_text(quoted), _bare_text(source)):
            return True, "case"
        return self._judge_spacing(quoted, source)

    def _judge_spacing(self, quoted: list[Token], source: list[Token]) -> Judgement:
        """ "every day" is not "everyday", but "deve loped" is "developed"."""
        harmless = any(token.bracketed or "-" in token.text for token in (*quoted, *source))
        return not harmless and _bare(source) in lexicon.SPLIT_WORDS, "spacing"

    def _judge_accents(self, quoted: list[Token], source: list[Token]) -> Judgement:
        one, other = _bare(quoted), _bare(source)
        if _has_stray_accent(self._quote_words(quoted)) or _has_stray_accent(self._source_words(source)):
            return False, "accent"
        if _are_arabic_variants(one, other) or _is_capital_sharp_s(quoted, source):
            return False, "accent"
        folded = _letters(quoted)
        harmless = self._is_english() and folded not in _ACCENT_PAIRS and not _both_accented(one, other)
        return not harmless, "accent"

    def _is_slip(self, quoted: list[Token], source: list[Token]) -> bool:
        if [t.key for t in quoted] == ["-"] and [t.key for t in source] == [_REPLACED]:
            return True
        if any(t.kind in ("symbol", "ideograph") for t in (*quoted, *source)):
            return False
        if self._is_misread(quoted, source):
            return True
        if any(t.kind == "number" for t in (*quoted, *source)) or not self._is_english():
            return False
        if len(quoted) == len(source):
            pairs = zip(quoted, source, strict=True)
            return all(a.key == b.key or self._is_word_slip(a, b) for a, b in pairs)
        return False

    def _is_word_slip(self, quoted: Token, source: Token) -> bool:
        if self._is_name(source) or _REPLACED in quoted.key:
            return False
        if _REPLACED in source.key:
            return _fits_replaced(quoted.key, source.key)
        return is_slip(
            quoted.key,
            source.key,
            quoted_known=is_english_word(quoted.key) or self._stands_in_text(quoted.text, 1),
            source_known=is_english_word(source.key) or self._stands_in_text(source.text, 2),
        )

    def _is_misread(self, quoted: list[Token], source: list[Token]) -> bool:
        """A glyph taken for another: the letters agree once misread, and one side is no words."""
        one, other = _letters(quoted), _letters(source)
        if len(one) < 3:
            return False
        if read_misread(one) != read_misread(other) and not lost_ligature(one, other):
            return _REPLACED in other and _fits_replaced(one, other)
        return not all(self._are_plausible(tokens) for tokens in (quoted, source))

    def _are_plausible(self, tokens: list[Token]) -> bool:
        if len(tokens) == 1 and tokens[0].kind == "number":
            return True
        return all(t.kind == "word" and (is_english_word(t.key) or self._is_name(t)) for t in tokens)

    def _cases(self, start: int, end: int, s: int) -> Iterator[Edit]:
        """Yield the edits among equal keys whose case tells two words apart, such as "us"/"US"."""
        pairs = [
            (i, s + i - start) for i in range(start, end) if self.quoted[i].text != self.source[s + i - start].text
        ]
        for i, j in pairs:
            if not self._is_uniform_case() and self._changes_by_case(i, j):
                quoted, source = self.quoted[i], self.source[j]
                yield _edit(quoted.text, source.text, (True, "case"))

    def _changes_by_case(self, i: int, j: int) -> bool:
        quoted, source = self.quoted[i], self.source[j]
        if _is_acronym_case(quoted.text, source.text):
            return True
        if quoted.key in _CASED_UNITS and i and self.quoted[i - 1].kind == "number":
            return True
        starts = i == 0 or j == 0 or self._starts_sentence(j)
        return quoted.key in lexicon.NAME_WORDS and not starts and quoted.text.islower() != source.text.islower()

    def _is_uniform_case(self) -> bool:
        """Text all in capitals, all in small letters or all in title case says nothing by case."""
        sides = [[t.text for t in side if t.kind == "word"] for side in (self.quoted, self.source)]
        differing = sum(a != b for a, b in zip(*sides, strict=False))
        return differing > 1 and any(map(_is_in_one_case, sides))

    def _is_name(self, token: Token) -> bool:
        if not token.text[:1].isupper() or token.kind != "word":
            return False
        position = next((j for j, other in enumerate(self.source) if other is token), None)
        if position is not None and self._starts_sentence(position):
            return False
        return not token.text.isupper() or len(token.text) < 4 or not is_english_word(token.key)

    def _starts_sentence(self, j: int) -> bool:
        text, start = self.passage.text, self.passage.start + self.source[j].start
        before = text[max(0, start - 40) : start].rstrip(" \n\t\"'“”‘’«»([*_#>`")
        return not before or before[-1] in ".!?:…。"

    def _is_english(self) -> bool:
        words = [t.key for t in (*self.quoted, *self.source) if t.kind == "word"]
        english = sum(word in lexicon.ENGLISH_FUNCTION_WORDS for word in words)
        foreign = sum(word in lexicon.FOREIGN_FUNCTION_WORDS for word in words)
        if english > foreign and english * 10 >= len(words):
            return True
        return not foreign and sum(map(is_english_word, words)) * 10 >= len(words) * 6

    def _stands_in_text(self, word: str, times: int) -> bool:
        """Tell whether the source has a word at least so often, whatever the lists say."""
        text, start = self.passage.text, -1
        while (start := text.find(word, start + 1)) >= 0:
            end = start + len(word)
            if not text[start - 1 : start].isalnum() and not text[end : end + 1].isalnum():
                times -= 1
                if not times:
                    return True
        return False

    def _quote_words(self, tokens: list[Token]) -> str:
        return self.quote[tokens[0].start : tokens[-1].end] if tokens else ""

    def _source_words(self, tokens: list[Token]) -> str:
        if not tokens:
            return ""
        start = self.passage.start
        return self.passage.text[start + tokens[0].start : start + tokens[-1].end]


_REPLACED = "\ufffd"


def classify(quoted: Sequence[Token], source: Sequence[Token], passage: Sequence[Token]) -> str:
    """Name the kind of a material difference: what the reader should look at first."""
    tokens = (*quoted, *source)
    keys = {token.key for token in tokens}
    if keys & lexicon.NEGATORS or any(key.endswith("n't") for key in keys) or _negates_by_prefix(quoted, source):
        return "negation"
    if any(token.kind == "number" for token in tokens) or keys & (lexicon.NUMBER_WORDS | lexicon.MAGNITUDES):
        return "number"
    if any(token.kind == "symbol" for token in tokens):
        return "sign or unit"
    if keys & lexicon.UNITS and _follow_number(source or quoted, passage):
        return "unit"
    if keys & lexicon.QUALIFIERS:
        return "qualifier"
    if any(token.text[:1].isupper() for token in tokens[-len(source) or None :]) and len(tokens[0].text) > 1:
        return "name"
    return "word"


def _negates_by_prefix(quoted: Sequence[Token], source: Sequence[Token]) -> bool:
    if len(quoted) != 1 or len(source) != 1:
        return False
    longer, shorter = sorted((quoted[0].key, source[0].key), key=len, reverse=True)
    return longer.endswith(shorter) and longer[: len(longer) - len(shorter)] in lexicon.NEGATING_PREFIXES


def _follow_number(tokens: Sequence[Token], passage: Sequence[Token]) -> bool:
    return any(
        before.kind == "number" and after.start == tokens[0].start
        for before, after in zip(passage, passage[1:], strict=False)
    )


def _edit(quoted: str, source: str, judgement: Judgement) -> Edit:
    operation: Operation = "insert" if not source else "delete" if not quoted else "replace"
    material, reason = judgement
    return Edit(operation=operation, quoted=quoted, source=source, material=material, reason=reason)


def _letters(tokens: Sequence[Token]) -> str:
    """The letters and digits of tokens as the search form has them."""
    return "".join(
        char if char == _REPLACED else fold_character(char) for token in tokens for char in token.key
    )


def _bare(tokens: Sequence[Token]) -> str:
    """The letters and digits of tokens with their accents, without apostrophes and spaces."""
    return "".join(token.key for token in tokens).replace("'", "").replace("-", "")


def _bare_text(tokens: Sequence[Token]) -> str:
    return "".join(token.text for token in tokens).replace("'", "")


def _is_acronym_case(quoted: str, source: str) -> bool:
    return quoted.casefold() in lexicon.ACRONYM_WORDS and quoted.isupper() != source.isupper()


def _is_editorial(quoted: Sequence[Token], source: Sequence[Token]) -> bool:
    """Tell whether the quoter's own words in square brackets were added, or stand for a pronoun."""
    if not all(token.bracketed for token in quoted):
        return False
    keys = {token.key for token in quoted}
    loaded = lexicon.NEGATORS | lexicon.QUALIFIERS | lexicon.NUMBER_WORDS
    if keys & loaded or any(token.kind in ("number", "symbol") for token in quoted):
        return False
    return all(token.key in _PRONOUNS for token in source)


def _is_in_one_case(words: list[str]) -> bool:
    capitals = sum(word[:1].isupper() for word in words)
    return not capitals or capitals > 0.8 * len(words)


def _is_capital_sharp_s(quoted: Sequence[Token], source: Sequence[Token]) -> bool:
    one, other = _bare_text(quoted), _bare_text(source)
    return (one.isupper() or other.isupper()) and one.casefold() == other.casefold()


def _has_stray_accent(words: str) -> bool:
    return any(accent in words for accent in "´¨ˆ˜¸`")


def _both_accented(one: str, other: str) -> bool:
    return not one.isascii() and not other.isascii()


def _are_arabic_variants(one: str, other: str) -> bool:
    return len(one) == len(other) and all(
        a == b or frozenset((a, b)) in _ARABIC_VARIANTS for a, b in zip(one, other, strict=True)
    )


def _fits_replaced(word: str, garbled: str) -> bool:
    """Tell whether a word fits a garbled one, in which U+FFFD stands for one letter or for none."""
    letters = garbled.split(_REPLACED)
    position = 0
    for i, part in enumerate(letters):
        found = word.find(part, position)
        if found < 0 or found - position > (1 if i else 0):
            return False
        position = found + len(part)
    return len(word) - position <= 1 and word.isalpha()
