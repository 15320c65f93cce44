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
from functools import cache, cached_property, lru_cache
from itertools import count, groupby, pairwise
from typing import Literal, NamedTuple

from rapidfuzz.distance import Levenshtein

from citeguard.language import lexicon, number_words
from citeguard.language.citations import is_note
from citeguard.language.lexicon import ends_in_abbreviation
from citeguard.language.markup import find_noise, noise_between, read, unseen_parts
from citeguard.language.numbers import has_decimal_comma
from citeguard.language.scripts import is_overlay
from citeguard.language.sentences import Interval, sentence_intervals
from citeguard.language.spelling import is_english_word, is_garbled, is_slip
from citeguard.language.tokens import REPLACEMENT, Token, canonical, tokenize
from citeguard.quotes.equivalents import TIME_OF_DAY, are_two_verbs, may_vary, normal_form
from citeguard.quotes.printed import BETWEEN_LINES, find_furniture
from citeguard.quotes.search import fold
from citeguard.quotes.symbols import Gap, find_change, find_splice

Operation = Literal["insert", "delete", "replace"]
Judgement = tuple[bool, str]  # (material, reason)

# "1,250": a thousand in English, and less than two in German.
_ONE_COMMA = re.compile(r"[1-9]\d{0,2},\d{3}")
# A command, or the accent on a letter in LaTeX: 'f\"allt'.
_COMMAND, _ACCENT_BEFORE = re.compile(r"\\[a-z]"), re.compile(r"\w\\[\"'`^~]\w")
# Notes that a reader sees as a number which is not written, or does not see: of assistants.
_CITATION = re.compile(r"[(\[（［]\s*[^\W\d_]{2}")  # "(Smith"; assistants add "[1]"
_UNNUMBERED = ("<ref", "{{", "\\", "【", "\ue200")
# "2. " behind a stop or an empty line; otherwise it may end a sentence of the text.
_ITEM = re.compile(r"(?:[.:;!?。।]\s*|\n)\n[( \t]*(\d{1,2})[.)][ \t]")
_NUMBER, _FIGURE = re.compile(r"\s*\(?(\d{1,2})[.)]\s"), re.compile(r"[\W_]*\d")
# The number before an item, which may have a line of its own; or none at the start of a line.
_NUMBER_BEFORE = re.compile(
    r"(?:(?<![\w.,])(\d{1,2})[^\w\n]*|(?:\A|\n)[^\w\n]*(?:(\d{1,2})\W*)?)\Z"
)
# "3 And God said" behind a stop, without a stop of its own.
_VERSE_NUMBER = re.compile(r"(?:[.:;!?·।]\s+|\A)(\d{1,3})[ \t]+(?:¶\s*)?(?=[^\W\d_])")
_TAG = re.compile(r"<[^<>]{0,300}>")
_TARGET = re.compile(
    r"(?:\]\(|href=\")([^()\s\"]{1,300})[)\"]"
)  # of a link; a quote may leave it out
# Between a figure and a word of Korean, a blank is optional.
_KOREAN_SPACE = re.compile(r"(?<=[가-힣])\s+(?=\d)|(?<=\d)\s+(?=[가-힣])")
_WITHOUT_OGONEK, _STRAY = str.maketrans("ąę", "ae"), 4  # characters behind a word
_STRAY_ACCENTS = "´¨ˆ˜¸`"
_QUOTE = ("'", "’")
# Signs such as "▲" come first; of the pictures, these deny, rate, or say that something is done.
_FIRST_PICTURE = "\u2600"
_SAYING = frozenset("☐☑☒☓✗✘✖❌❎🚫⛔👎🙅★☆⭐⬆⬇📈📉🔺🔻🔼🔽🔴🟠🟡🟢" + REPLACEMENT)
_ENCLOSED = "\U0001f100\U0001f1e5"  # the first and the last of the letters and words in squares
_LONG_CHANGE = 12  # tokens of both sides
_LONGEST_ENDING = 4  # characters of "[s", "[ed"
_LOOK_BACK = 40  # characters read before a token
_NEARBY = 10_000  # characters on either side that show how words and numbers are written
_BESIDE = 1_000  # characters on either side of what is left out that show what is separated
_LOWERED = re.compile(r"([^\W\d_])_(\w+)")
_GLUED = 25  # letters of a word from which on it may be several
SPLICE = "sentences run together"
STRUCK, _STRIKING = "struck out", ("~~", "<", "\\")
_MAY_END = re.compile(r"[.!?。！？।؟۔…]|\n")
_OPTION = re.compile(r"[\s`\"'(\[]-\Z")  # "-x"
_CODE = tuple(":{%\\_[")  # a letter right behind these is a name in code
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


# A minus, and a bullet before a number, which is none.
_MINUS, _DASHED_ITEM = re.compile(r"[-−–]\d"), re.compile(r"[-−–]\s+\d")


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
    # "-5" is not "- 5 apples": the source's dash is the bullet of an item.
    is_item = _MINUS.match(quote) and _DASHED_ITEM.match(words) and text[:start][-1:] in ("", "\n")
    same = not is_item and (folded == quoted or "&" in words + quote)
    if same and _canonical_quote(quote) == canonical(words):
        return ()  # the same text, so no rule below may object
    edits = _compare(quote, text, (start, end), ())
    if not _count_material(edits):
        return edits
    # What is a mark on one side may be none in the markup of the other: "**15. Scope**".
    if any(edit.reason == "citation mark" for edit in edits):
        literal = _compare(quote, text, (start, end), (), marks=False)
        if not _count_material(literal):
            return literal
    if len(folded) <= len(quoted):
        return edits
    unseen = [(start + low, start + high) for low, high in unseen_parts(words)]
    furniture = find_furniture(text, start, end, quoted) if BETWEEN_LINES.search(words) else []
    if not (omitted := unseen or furniture):
        return edits
    cleared = _compare(quote, text, (start, end), omitted)
    return min(edits, cleared, key=_count_material)


def _count_material(edits: tuple[Edit, ...]) -> int:
    return sum(edit.material for edit in edits)


def _compare(
    quote: str, text: str, passage: Interval, omitted: Sequence[Interval], *, marks: bool = True
) -> tuple[Edit, ...]:
    """Compare a quote with the rest of a passage, as both are written or as they are read.

    Without `marks`, those of citations and notes are words like others.
    """
    start, end = passage
    # What is left out may have joined marks that are none.
    noise = None if omitted else noise_between(text, start, end)
    if not marks:
        noise, own = (
            [n for n in each if n.kind != "mark"] for each in (noise or (), find_noise(quote))
        )
        quoted = _split(tokenize(quote, noise=own))
    else:
        quoted = _quote_tokens(quote)
    source = _split(tokenize(_blanked(text, passage, omitted), offset=start, noise=noise))
    left_out = [text[low:high].strip() for low, high in omitted]
    first = (
        *(
            _edit("", words, (False, STRUCK if words.startswith(_STRIKING) else "page furniture"))
            for words in left_out
        ),
        *_mark_edits(quote, quoted.marks, source.marks),
        *_number_edits(quote, text, start),
        *(
            _edit(target, "", (True, "link"))
            for target in _TARGET.findall(quote)
            if (own := _TARGET.findall(text, start, end + len(target) + 1)) and target not in own
        ),
    )
    breaks = [low for low, _ in omitted]
    sides = quoted.words, source.words
    edits = (*first, *_Comparison(*sides, quote, text, breaks).edits())
    if not _may_be_equivalent(edits):
        return edits
    nearby = TIME_OF_DAY.sub(" ", text[max(0, start - _NEARBY) : end + _NEARBY])
    comma = has_decimal_comma(nearby, lexicon.find_language(text, start, end))
    read = (normal_form(quote, sides[0], comma=comma), normal_form(text, sides[1], comma=comma))
    if _distance(*read) >= _distance(*sides):
        return edits
    equated = (*first, *_ReadComparison(*read, quote, text, breaks).edits())
    return min(edits, equated, key=_count_material)


def _blanked(text: str, passage: Interval, omitted: Sequence[Interval]) -> str:
    """Return the text of a passage, with blanks for the intervals to leave out."""
    parts: list[str] = []
    place, end = passage
    for low, high in omitted:
        parts += text[place:low], " " * (high - low)
        place = high
    return "".join([*parts, text[place:end]])


def _may_be_equivalent(edits: Sequence[Edit]) -> bool:
    """Return whether changed words may be the same in another reading; a quick test."""
    sides = (
        " ".join(edit.quoted for edit in edits if edit.material),
        " ".join(edit.source for edit in edits if edit.material),
    )
    words = " ".join(sides).split()
    # What only one side has may still be of a number: "ninety (90) days", "the 7th of June".
    is_changed = all(map(str.strip, sides)) or any(
        word in number_words.ORDINAL_ENDINGS or any(map(str.isdigit, word)) for word in words
    )
    return is_changed and any(map(may_vary, words))


def _distance(one: list[Token], other: list[Token]) -> int:
    return Levenshtein.distance([token.key for token in one], [token.key for token in other])


_canonical_quote = lru_cache(maxsize=8)(canonical)


class _Split(NamedTuple):
    """The citation marks of a text, and its other tokens."""

    marks: list[str]
    words: list[Token]


def _split(tokens: list[Token]) -> _Split:
    marks = [token.text for token in tokens if token.kind == "mark"]
    return _Split(marks, [token for token in tokens if token.kind != "mark"] if marks else tokens)


@lru_cache(maxsize=8)
def _quote_tokens(quote: str) -> _Split:
    """Return the tokens of a quote; cached, as it is compared with several passages."""
    return _split(tokenize(quote))


def _mark_edits(quote: str, quoted: list[str], source: list[str]) -> Iterator[Edit]:
    """Yield the edit of citation marks, which may be omitted but not exchanged.

    Numbers may be added, as a reader may see some that are not written, but no names: "(Lee 2019)".
    """
    letters = [[fold(_TAG.sub("", mark)) for mark in side] for side in (quoted, source)]
    if letters[0] != letters[1]:
        is_written = not any(mark.startswith(_UNNUMBERED) for mark in (*quoted, *source))
        is_added = any(
            letter not in letters[1] and _CITATION.match(mark) and f"]{mark}" not in quote
            for mark, letter in zip(quoted, letters[0], strict=True)
        )
        is_changed = is_written and (is_added or len(quoted) == len(source))
        yield _edit(" ".join(quoted), " ".join(source), (is_changed, "citation mark"))


def _number_edits(quote: str, text: str, start: int) -> Iterator[Edit]:
    """Yield the edit of another number of the item that a quote begins with: "(7)" for "(2)".

    Only at the start of a line may the source lack a number, as that of a list is not written.
    """
    quoted = _NUMBER.match(quote)
    if quoted is None or _FIGURE.match(text, start):
        return
    before = _TAG.sub("\n", text[max(0, start - _BESIDE) : start]).replace("_", " ")
    source = _NUMBER_BEFORE.search(before)
    number = source and (source[1] or source[2])
    if source is None or number not in (None, quoted[1]):
        yield _edit(quoted[1], number or "", (True, "number"))


def _align(quote: Sequence[Token], source: Sequence[Token]) -> Iterator[tuple[int, int, int, int]]:
    """Yield (q, q_end, s, s_end) where the quote has `quote[q:q_end]` for `source[s:s_end]`."""
    keys = [token.key for token in quote], [token.key for token in source]
    if keys[0] == keys[1]:
        return
    for is_equal, group in groupby(Levenshtein.opcodes(*keys), lambda op: op.tag == "equal"):
        ops = [*group]
        if not is_equal:
            yield ops[0].src_start, ops[-1].src_end, ops[0].dest_start, ops[-1].dest_end


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
    if len(tokens) > _LONG_CHANGE:
        return "words"  # whichever of them weighs most: a negator may be one of a whole line
    is_denied = bool(keys & lexicon.union("negators")) or any(key.endswith("n't") for key in keys)
    if is_denied or _differ_by_prefix(quoted, source):
        return "negation"
    numbers = lexicon.union("numbers") | number_words.MAGNITUDE_WORDS
    if keys & numbers or any(token.kind == "number" for token in tokens):
        return "number"
    if any(token.kind == "symbol" for token in tokens):
        return "sign or unit"
    if keys & number_words.UNIT_WORDS and any(
        before.kind == "number" and after.start == (source or quoted)[0].start
        for before, after in pairwise(passage)
    ):
        return "unit"
    if all(token.key in number_words.MONTHS for token in tokens):
        return "date"
    if keys & lexicon.union("qualifiers"):
        return "qualifier"
    is_name = any(t.text[:1].isupper() and t.key not in _small_words() for t in source or quoted)
    return "name" if is_name else "word"


@cache
def _small_words() -> frozenset[str]:
    return lexicon.union("common") | lexicon.union("subjects")


def _differ_by_prefix(quoted: Sequence[Token], source: Sequence[Token]) -> bool:
    if len(quoted) != 1 or len(source) != 1:
        return False
    longer, shorter = sorted((quoted[0].key, source[0].key), key=len, reverse=True)
    return longer.endswith(shorter) and longer.removesuffix(shorter) in lexicon.union("prefixes")


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
        self.quoted, self.source = quoted, source

    def edits(self) -> Iterator[Edit]:
        i = j = 0
        for q, q_end, s, s_end in _align(self.quoted, self.source):
            yield from self._equal(i, q, j)
            quoted, source = self.quoted[q:q_end], self.source[s:s_end]
            judged = self._judge(quoted, source)
            if judged[0] and quoted and self._is_script(quoted, source, s):
                judged = False, "markup"
            if judged[0] and self._is_spaced_minus(q, quoted, source):
                judged = False, "spacing"
            if judged[0] and not quoted and self._joins_sentences(q, s, s_end):
                judged = True, SPLICE
            yield _edit(self._quote_words(quoted), self._source_words(source), judged)
            if not judged[0] and judged[1] != "garbled":  # it may have been a separator
                yield from self._splices_around(q, q_end, s, s_end)
            i, j = q_end, s_end
        yield from self._equal(i, len(self.quoted), j)

    def _is_spaced_minus(self, q: int, quoted: list[Token], source: list[Token]) -> bool:
        """Return whether a minus has the typed hyphen for it, which may be a dash: "x - 3"."""
        is_minus = [token.key for token in source] == ["-"] and not quoted
        return (
            is_minus
            and 0 < q < len(self.quoted)
            and (self.quote[self.quoted[q - 1].end : self.quoted[q].start].strip(" )]}") == "-")
        )

    def _joins_sentences(self, q: int, s: int, s_end: int) -> bool:
        """Return whether what a quote leaves out has more ends of sentences than it shows there."""
        if not (q and s and q < len(self.quoted) and s_end < len(self.source)):
            return False
        stretches = (
            self.quote[self.quoted[q - 1].start : self.quoted[q].end],
            self.text[self.source[s - 1].start : self.source[s_end].end],
        )
        if not _MAY_END.search(stretches[1]):  # finding sentences is slow
            return False
        one, other = (len(sentence_intervals(stretch)) for stretch in stretches)
        return one < other

    def _splices_around(self, q: int, q_end: int, s: int, s_end: int) -> Iterator[Edit]:
        """Yield the edits of separators beside a harmless difference."""
        pairs = [((q, q), (s, s)), ((q_end, q_end), (s_end, s_end))]
        if q == q_end or s == s_end:  # one side has nothing there: a note, an item's number
            pairs = [((q, q_end), (s, s_end))]
        for (i, i_end), (j, j_end) in pairs:
            if i and j and i_end < len(self.quoted) and j_end < len(self.source):
                quoted = _gap(self.quote, self.quoted, i, i_end)
                source = _gap(self.text, self.source, j, j_end)
                if change := find_splice(quoted, source, self._passage):
                    yield _edit(*change, (True, SPLICE))

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
            if len(source) == 1 and source[0].kind == "number":
                items = _ITEM.finditer(self.text, max(0, start - _LOOK_BACK), end + _LOOK_BACK)
                if any(match.span(1) == (start, end) for match in items) or self._is_verse(source):
                    return "item number"
            if any(t.kind == "number" for t in source) and is_note(self.text, start, end):
                return "citation mark"
            garbled = all(token.key == REPLACEMENT for token in source)
            beside = self.text[max(0, start - 2) : start] + self.text[end : end + 2]
            return "garbled" if garbled and not any(map(str.isdigit, beside)) else None
        if _is_editorial(quoted, source) and self._is_apart(quoted):
            return "editorial bracket"
        if self._quote_words(quoted).replace("º", "°") == self._source_words(source).replace(
            "º", "°"
        ):
            return "glyph"
        return "spelling" if self._is_slip(quoted, source) else None

    def _is_apart(self, quoted: list[Token]) -> bool:
        """Return whether words in brackets are by themselves, or a short ending: "q[ue]".

        They are no index ("x[True]"), label of a link or part of a word ("[un]safe", "な[ります]").
        """
        opening = self.quote.rfind("[", 0, quoted[0].start)
        closing = self.quote.find("]", quoted[-1].end)
        after = self.quote[closing + 1 : closing + 2]
        is_ending = opening > 0 and self.quote[opening - 1].isalnum()
        # Words in Chinese and Japanese have no blanks around them; those in hiragana are endings.
        is_word = quoted[0].kind != "character"
        is_long = closing - opening > _LONGEST_ENDING if is_word else "ぁ" <= quoted[0].text <= "ゟ"
        is_beginning = is_word and after.isalpha()
        return not (is_ending and is_long) and after not in ("(", "[") and not is_beginning

    def _is_verse(self, source: list[Token]) -> bool:
        """Return whether a number is that of a verse, with the one before or behind it nearby."""
        start, end = source[0].start, source[-1].end
        low = max(0, start - _BESIDE)
        found = [
            (int(match[1]), match.span(1))
            for match in _VERSE_NUMBER.finditer(self.text, low, end + _BESIDE)
        ]
        return any(
            (start, end) in (one[1], two[1], three[1])
            and (one[0] + 1, two[0] + 1) == (two[0], three[0])
            for one, two, three in zip(found, found[1:], found[2:], strict=False)
        )

    def _judge_same_letters(self, quoted: list[Token], source: list[Token]) -> Judgement:
        """Judge a block with the same letters and digits, split or accented differently."""
        words = self._quote_words(quoted), self._source_words(source)
        one, other = (_KOREAN_SPACE.sub("", side) for side in words)
        if one == other or self._is_glued(*words):
            return False, "spacing"
        # TeX's ogoneks, which tools print behind the word or on a line of their own.
        if "˛" in self.text[source[0].start : source[-1].end + _STRAY]:
            bare = [_bare(side).translate(_WITHOUT_OGONEK) for side in (quoted, source)]
            return bare[0] != bare[1], "accent"
        numbers = [[t.key for t in side if t.kind == "number"] for side in (quoted, source)]
        if numbers[0] != numbers[1]:
            return True, "number"
        if any(token.kind == "symbol" for token in (*quoted, *source)):
            return True, _reason(quoted, source, self.source)
        escaped = [
            bool(_COMMAND.search(read(side)) or _ACCENT_BEFORE.search(side))
            for side in words
            if "\\" in side
        ]
        if escaped.count(True) == 1:
            return True, "sign or unit"
        if _bare(quoted) != _bare(source):
            if any(token.kind == "character" for token in (*quoted, *source)):
                return True, _reason(quoted, source, self.source)
            stray = any(accent in words[0] + words[1] for accent in _STRAY_ACCENTS)
            is_same = stray or (
                self.language.code == "it"
                and _with_typed_accents(self.quote, quoted)
                == _with_typed_accents(self.text, source)
            )
            return not (is_same or _is_harmless_accent(quoted, source, self.language)), "accent"
        if _is_acronym_case(_bare_text(quoted), _bare_text(source)):
            return True, "case"
        if len(quoted) == len(source) and is_english_word(_bare(source)):
            return True, "spelling"  # "we're" and "were", "dogs" and "dog's" are two words each
        hyphenated = any(hyphen in side for side in words for hyphen in "-‐\u00ad¬")
        return not _is_harmless_spacing(quoted, source, hyphenated=hyphenated), "spacing"

    def _is_glued(self, quoted: str, source: str) -> bool:
        """Return whether words differ in blanks only, which the extraction of a PDF has lost."""
        return any(len(token.text) >= _GLUED for token in self.source) and (
            "".join(quoted.split()) == "".join(source.split())
        )

    def _is_script(self, quoted: list[Token], source: list[Token], s: int) -> bool:
        """Return whether a plain text has lost what is raised in "χ²", or lowered in "u_i".

        Only the quote may have the sign of any index; in a source, "_" may be of a name in code.
        """
        before = self.source[s - 1] if s else None
        if {token.key for token in (*quoted, *source)} == {"2", "²"}:
            return before is not None and before.key == "χ"
        if source:
            said, written = ("".join(token.text for token in side) for side in (quoted, source))
            script = _LOWERED.fullmatch(said)
            return script is not None and script[1] + script[2] == written
        is_base = before is not None and len(before.text) == 1 and not before.text.isdigit()
        glued = self.text[before.end : before.end + 1] if before else ""
        return is_base and glued.isalnum() and [token.key for token in quoted] == ["_"]

    def _is_slip(self, quoted: list[Token], source: list[Token]) -> bool:
        if _letters_of(quoted) == _letters_of(source):
            return False
        if _is_garbled_reading(quoted, source):
            return True
        figure = self._source_words(source).translate(_MISREAD_DIGITS)  # "1,l83" of a scan
        if figure == self._quote_words(quoted) and quoted[0].kind == source[-1].kind == "number":
            return True
        return len(quoted) == len(source) and all(
            a.key == b.key or (not self._is_name(b) and _is_misspelling(a, b, self.language))
            for a, b in zip(quoted, source, strict=True)
        )

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
            if self.quote[quoted.end : after] != self.text[source.end : source_after]:
                yield from self._changes_between(i, j)

    def _is_other_number(self, quoted: Token, source: Token) -> bool:
        """Return whether equal figures are a thousand and a decimal: "1,250" in German, "1250"."""
        if quoted.kind != "number":
            return False
        decimal = [bool(_ONE_COMMA.fullmatch(token.text)) for token in (quoted, source)]
        if decimal[0] == decimal[1]:
            return False
        language = lexicon.find_language(self.text, self.source[0].start, self.source[-1].end)
        return has_decimal_comma(self._nearby, language)

    def _changes_between(self, i: int, j: int) -> Iterator[Edit]:
        """Yield the edits of the symbols, and of the separators, after two equal tokens."""
        quoted, source = _gap(self.quote, self.quoted, i + 1), _gap(self.text, self.source, j + 1)
        following = bisect_left(self.breaks, source.start)
        if following < len(self.breaks) and self.breaks[following] <= source.end:
            return  # a page break
        if change := find_change(quoted, source):
            yield _edit(*change, (True, "sign or unit"))
        elif change := find_splice(quoted, source, self._passage):
            if change[1] == "¶":  # shows nothing by itself
                one, other = self.quoted[i : i + 2], self.source[j : j + 2]
                change = f"{one[0].text} {one[1].text}", f"{other[0].text} ¶ {other[1].text}"
            yield _edit(*change, (True, SPLICE))

    @property
    def _passage(self) -> Interval:
        return self.source[0].start, self.source[-1].end

    def _changes_by_case(self, i: int, j: int) -> bool:
        quoted, source = self.quoted[i], self.source[j]
        pairs = zip(quoted.text, source.text, strict=False)
        # In Turkish, "I" is the capital of another letter than "i".
        if any({*pair} == {"I", "i"} for pair in pairs) and "ı" in self.quote + self._nearby:
            return True
        if _is_acronym_case(quoted.text, source.text):
            return not (self._in_one_case and self._recased(inside=True) > 1)
        if self._in_one_case:
            return False
        if (
            source.text.isalpha()
            and len(source.text) == 1
            and (
                self.text.startswith(_CODE, source.start - 1)
                or _OPTION.search(self.text, max(0, source.start - 2), source.start)
            )
        ):
            return True  # a format specifier, an index, an option: "{0:x}", "a[i]", "-x"
        if i and self.quoted[i - 1].kind == "number":
            # "mW" and "MW" or "Mb" and "MB" are two units, "mg" and "MG" are not.
            units = [number_words.parse_symbol(each.text) for each in (quoted, source)]
            if None not in units and units[0] != units[1]:
                return True
        # A variable, by itself or before Latin letters: "Δx".
        one, other = quoted.text[0], source.text[0]
        is_variable = _GREEK.match(other) and source.text[1:].isascii()
        if is_variable and one == other.swapcase() and self.language.code != "el":
            return True
        if i == 0 or j == 0 or self._starts_sentence(source):
            return False
        other_case = quoted.text.islower() != source.text.islower()
        return other_case and quoted.key in lexicon.english("names")

    @cached_property
    def _in_one_case(self) -> bool:
        """Whether a side is all in upper, lower or title case, so that case means nothing."""
        sides = [[t.text for t in side if t.kind == "word"] for side in (self.quoted, self.source)]
        capitals = [(sum(word[:1].isupper() for word in words), len(words)) for words in sides]
        is_one = any(not count or count > _ONE_CASE * of for count, of in capitals)
        return is_one and self._recased(inside=False) > 1

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
        return _Language(
            (*self.quoted, *self.source),
            self._nearby,
            lambda: lexicon.find_language(self.text, self.source[0].start, self.source[-1].end),
        )

    @property
    def _nearby(self) -> str:
        return self.text[max(0, self.source[0].start - _NEARBY) : self.source[-1].end + _NEARBY]

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


class _ReadComparison(_Comparison):
    """A comparison in which equivalents are equal; each of them is a harmless edit."""

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
            keys = [[token.key for token in tokenize(side)] for side in words]
            if keys[0] != keys[1]:
                yield _edit(*words, (False, "equivalent"))
            group = i + 1

    def _is_one_place(self, tokens: list[Token], i: int) -> bool:
        return i < len(tokens) and tokens[i].start == tokens[i - 1].start


def _gap(text: str, tokens: Sequence[Token], i: int, end: int | None = None) -> Gap:
    """Return what is between two tokens, before the one at `i`; without those from it to `end`."""
    end = i if end is None else end
    gap = Gap(text, tokens[i - 1].end, tokens[end].start)
    if i == end:
        return gap
    low, high = tokens[i].start, tokens[end - 1].end
    if text[low - 1 : low] in ("(", "[") and text[high : high + 1] in (")", "]"):
        low, high = low - 1, high + 1
    around = text[max(0, low - _BESIDE) : low], text[high : high + _BESIDE]
    blanked = f"{around[0]}{' ' * (high - low)}{around[1]}"
    moved = low - len(around[0])
    return Gap(blanked, gap.start - moved, gap.end - moved)


def _edit(quoted: str, source: str, judgement: Judgement) -> Edit:
    operation: Operation = "insert" if not source else "delete" if not quoted else "replace"
    material, reason = judgement
    return Edit(operation=operation, quoted=quoted, source=source, material=material, reason=reason)


def _is_picture(token: Token) -> bool:
    """Return whether a token is an emoji that adorns, which may be omitted but not exchanged."""
    is_picture = token.kind == "symbol" and unicodedata.category(token.key[0]) == "So"
    is_picture = is_picture and not _ENCLOSED[0] <= token.key[0] <= _ENCLOSED[1]
    return is_picture and token.key[0] >= _FIRST_PICTURE and _SAYING.isdisjoint(token.key)


def _is_editorial(quoted: Sequence[Token], source: Sequence[Token]) -> bool:
    """Return whether the quote adds words in square brackets, or has them in place of a pronoun."""
    if not all(token.bracketed for token in quoted):
        return False
    if any(token.kind in ("number", "symbol") or token.key in loaded() for token in quoted):
        return False
    return all(token.key in lexicon.english("pronouns") for token in source)


# Spelling: the words of the source in other letters, with other accents or split, or misspelt. Two
# spellings are one word only if one of them is not a word.

_ONE_GLYPH = r"(?:[^\W\d_]|ffi|ffl|fi|fl|ff|ae|oe|ss)?"
_LETTER_VARIANTS = str.maketrans("أإآٱىیةکؤئё", "ااااييهكويе")
_MISREAD_DIGITS = str.maketrans("lIO", "110")
_WITH_SS = frozenset("masse massen busse bussen".split())  # where "ß" makes another word
_STRESS = re.compile("(?<=[аеёиоуыэюяіїє])\u0301")
_GREEK = re.compile("[\u0370-\u03ff\u1f00-\u1fff]")


@cache
def loaded() -> frozenset[str]:
    """Return the words of any language whose loss or gain changes what is said."""
    tables = map(lexicon.union, ("negators", "qualifiers", "numbers"))
    return number_words.MAGNITUDE_WORDS.union(number_words.UNIT_WORDS, *tables)


class _Language:
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
        # A heading may have no function word; then six of ten words must be in the list.
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


def _letters_of(tokens: Sequence[Token]) -> str:
    """Return the letters and digits of tokens as the search form has them, U+FFFD kept."""
    parts = "".join(token.key for token in tokens).split(REPLACEMENT)
    return REPLACEMENT.join(map(fold, parts))


def _bare(tokens: Sequence[Token]) -> str:
    """Return the letters and digits of tokens with their accents, in lower case."""
    return "".join(token.key for token in tokens).replace("'", "").replace("-", "")


def _bare_text(tokens: Sequence[Token]) -> str:
    """Return the letters and digits of tokens with their accents and their case."""
    return "".join(token.text for token in tokens).replace("'", "")


def _with_typed_accents(text: str, tokens: Sequence[Token]) -> str:
    """Return words with an apostrophe for a last accent, as Italian is typed: "E'" for "È"."""
    words = (
        unicodedata.normalize("NFD", token.key) + "'" * (text[token.end : token.end + 1] in _QUOTE)
        for token in tokens
    )
    return " ".join(re.sub("[\u0300\u0301]\\Z", "'", word) for word in words)


def _is_acronym_case(quoted: str, source: str) -> bool:
    """Return whether two words that differ in case are a word and an acronym: "us" and "US"."""
    other_case = quoted.isupper() != source.isupper()
    return other_case and quoted.lower() in lexicon.english("acronyms")


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
    are_words = all(is_english_word(part) or part in ("a", "i") for part in parts)
    return not (are_words and is_english_word(_bare(source)))


def _is_harmless_accent(
    quoted: Sequence[Token], source: Sequence[Token], language: _Language
) -> bool:
    """Return whether the same base letters with other accents are the same word.

    In English they are ("café", "cafe"), except for a few pairs. In other languages an accent makes
    another word ("wurde", "würde"), unless it is only the Arabic hamza, the dots of "ё" or the
    capital form of "ß".
    """
    # Persian may leave out the hamza that joins two words; Russian marks a stress for learners.
    one, other = (_bare(side).replace("\u0654", "") for side in (quoted, source))
    if bool(_STRESS.search(one)) != bool(_STRESS.search(other)):
        one, other = (_STRESS.sub("", side) for side in (one, other))
    same = one.translate(_LETTER_VARIANTS) == other.translate(_LETTER_VARIANTS)
    if language.code == "de" and {one, other}.isdisjoint(_WITH_SS):
        same = one.replace("ß", "ss") == other.replace("ß", "ss")
    elif language.code == "fr":  # "A" for "À", "l'Etat" for "l'État"
        pairs = zip(_bare_text(quoted), _bare_text(source), strict=False)
        same = len(one) == len(other) and all(
            a == b or (a.isupper() and b.isupper()) for a, b in pairs
        )
    if same or _are_same_in_capitals(_bare_text(quoted), _bare_text(source)):
        return True
    is_bare = one.isascii() or other.isascii()
    # "x̄" is no "x", and struck letters are no accented ones.
    is_word = len(one) > 1 and _letters_of(quoted) not in lexicon.english("accents")
    is_word = is_word and not any(map(is_overlay, one + other))
    return language.is_english and is_bare and is_word


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


def _is_garbled_reading(quoted: Sequence[Token], source: Sequence[Token]) -> bool:
    """Return whether a decoder left U+FFFD in the source for letters that the quote has."""
    one, other = _letters_of(quoted), _letters_of(source)
    garbled = _ONE_GLYPH.join(map(re.escape, other.split(REPLACEMENT)))
    return REPLACEMENT in other and re.fullmatch(garbled, one) is not None


def _is_misspelling(quoted: Token, source: Token, language: _Language) -> bool:
    """Return whether one of two words is the other one with a typing error, and no word."""
    if not quoted.kind == source.kind == "word":
        return False
    one, other, code = quoted.key, source.key, language.code
    longer, shorter = sorted((one, other), key=len, reverse=True)
    if quoted.text[0].isupper() and longer.startswith(shorter):
        return False  # names differ at their ends: "Brown" and "Browne"
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
    is_repeated = language.is_used(source.text, 2)
    if is_garbled(one, other, code, intended_known=is_repeated or None):
        return not language.is_used(quoted.text, 1)
    return is_garbled(other, one, code) and not is_repeated
