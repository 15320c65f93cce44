"""A text as it is rewritten: its words with their places, and rewriting itself."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import NamedTuple

from citeguard.datasets.synthesis.negative import Change
from citeguard.language.lexicon import ENGLISH_FUNCTION_WORDS, FOREIGN_FUNCTION_WORDS
from citeguard.language.sentences import Interval, sentence_intervals

_WORD = re.compile(
    r"\d+(?:[.,]\d+)*(?:st|nd|rd|th|s)?(?![^\W_])|\d+(?:[.,]\d+)*"
    r"|(?:[A-Z]\.){2,}|[^\W\d_]+(?:['’][^\W\d_]+)*|\S"
)
_PAIRS = (("(", ")"), ("[", "]"), ("“", "”"))
_MOST_TEXTS = 256  # of which sentences are kept
_LEAST_ENGLISH = 0.08  # share of function words; 0.15 and more in running English
_SILENT_H = ("hour", "honest", "honor", "honour", "heir")
_LIKE_YOU = ("uni", "use", "usu", "eu", "one", "once", "ut", "ura")
_SPOKEN_VOWEL = re.compile(r"8|11(?!\d)|18(?!\d)")
_VOWEL_LETTERS = "AEFHILMNORSX"  # "an FBI agent"


class Word(NamedTuple):
    """A word, a number or a mark of a text.

    Attributes:
        text: As it is written.
        key: In small letters, with a straight apostrophe.
        start: Where it starts, in code points.
        end: Where it ends, exclusive.
        glued: Whether nothing stands between it and the word before.
    """

    text: str
    key: str
    start: int
    end: int
    glued: bool

    @property
    def is_capital(self) -> bool:
        """Whether it begins with a capital."""
        return self.text[0].isupper()

    @property
    def is_figure(self) -> bool:
        """Whether it begins with a digit."""
        return self.text[0].isdecimal()

    @property
    def is_word(self) -> bool:
        """Whether it begins with a letter."""
        return self.text[0].isalpha()


@lru_cache(maxsize=_MOST_TEXTS)
def sentences_of(text: str) -> tuple[Interval, ...]:
    """Return the intervals of a text's sentences; those of the texts used last are kept."""
    return tuple(sentence_intervals(text))


class Passage:
    """A text and its words.

    Args:
        text: The text.
        is_sentence: Whether it is known to be one sentence.
    """

    def __init__(self, text: str, *, is_sentence: bool = False) -> None:
        self.text = text
        self._is_sentence = is_sentence
        self.words = tuple(_words(text))

    @cached_property
    def keys(self) -> frozenset[str]:
        """All words, in small letters."""
        return frozenset(word.key for word in self.words)

    @cached_property
    def starts(self) -> frozenset[int]:
        """The places of the words that begin a sentence."""
        begins = {0} if self._is_sentence else {start for start, _ in sentences_of(self.text)}
        return frozenset(i for i, word in enumerate(self.words) if word.start in begins)

    @cached_property
    def is_english(self) -> bool:
        """Whether enough of the words are function words of English, and more than foreign ones."""
        words = [word.key for word in self.words if word.is_word]
        english = sum(word in ENGLISH_FUNCTION_WORDS for word in words)
        foreign = sum(word in FOREIGN_FUNCTION_WORDS for word in words)
        return english > max(_LEAST_ENGLISH * len(words), foreign)

    def key(self, i: int) -> str:
        """Return a word in small letters; "" beyond the ends."""
        return self.words[i].key if 0 <= i < len(self.words) else ""

    def at(self, i: int) -> Word | None:
        """Return a word; `None` beyond the ends."""
        return self.words[i] if 0 <= i < len(self.words) else None

    def edit(self, first: int, last: int, words: str) -> Edit:
        """Put other words in the place of those from `first` to `last`, both included."""
        return Edit(self.words[first].start, self.words[last].end, words)

    def removal(self, first: int, last: int) -> Edit:
        """Take words away, with the white space before them."""
        start = self.words[first - 1].end if first else 0
        end = self.words[last].end
        if not first and last + 1 < len(self.words):
            after = self.words[last + 1]
            return Edit(0, after.end, capitalized(after.text))
        return Edit(start, end, "")

    def clause_start(self, i: int) -> int:
        """Return the place of the first word of the clause that a word is in, by punctuation."""
        while i > 0 and self.words[i - 1].text not in ',;:.!?()—–“”"':
            i -= 1
        return i


def _words(text: str) -> Iterable[Word]:
    end = -1
    for found in _WORD.finditer(text):
        key = found[0].lower().replace("’", "'")
        yield Word(found[0], key, found.start(), found.end(), found.start() == end)
        end = found.end()


class Edit(NamedTuple):
    """Other words for `text[start:end]` of the true text."""

    start: int
    end: int
    words: str


class Rewrite(NamedTuple):
    """One way to make a text wrong.

    Attributes:
        variant: How.
        edits: What is changed in the true text; in order, and apart from each other.
        source_id: The source to ascribe it to; "" for its own.
    """

    variant: str
    edits: tuple[Edit, ...]
    source_id: str = ""


def rewritten(text: str, edits: Iterable[Edit]) -> tuple[str, tuple[Change, ...]]:
    """Return a text with its edits made, and where they are in it.

    Capitals at the beginning of the text, and "a" and "an" before a changed word, are seen to.
    """
    fitted = sorted(each for edit in edits for each in _fitted(text, edit))
    shifts = accumulate((len(e.words) - (e.end - e.start) for e in fitted), initial=0)
    changes = tuple(
        Change(
            start=edit.start + shift,
            end=edit.start + shift + len(edit.words),
            text=edit.words,
            original=text[edit.start : edit.end],
        )
        for edit, shift in zip(fitted, shifts, strict=False)
    )
    for edit in reversed(fitted):
        text = text[: edit.start] + edit.words + text[edit.end :]
    return text, changes


def _fitted(text: str, edit: Edit) -> Iterable[Edit]:
    before = text[: edit.start].rstrip()
    if text[edit.start : edit.start + 1].isupper() and not before.strip("\"'“‘(["):
        edit = edit._replace(words=capitalized(edit.words))
    if (article := _article(text, edit)) is not None:
        yield article
    yield edit


def _article(text: str, edit: Edit) -> Edit | None:
    """Return the edit of an "a" or "an" that no longer fits what stands after it."""
    match = re.search(r"\b(an?)\s+[\"“‘'$£€]?\Z", text[max(0, edit.start - 6) : edit.start], re.I)
    after = edit.words or text[edit.end :].lstrip()
    if match is None or not after[:1].isalnum():
        return None
    start = max(0, edit.start - 6) + match.start()
    if (len(match[1]) == 2) == begins_with_vowel(after):
        return None
    fitting = match[1][0] + ("n" if begins_with_vowel(after) else "")
    return Edit(start, start + len(match[1]), fitting)


def begins_with_vowel(words: str) -> bool:
    """Tell whether words are spoken with a vowel first, so that "an" goes before them.

    Examples:
        >>> [begins_with_vowel(word) for word in ("hour", "unit", "11", "FBI", "dog")]
        [True, False, True, True, False]
    """
    first = words.split()[0] if words.split() else ""
    if first[:1].isdecimal():
        return _SPOKEN_VOWEL.match(first) is not None
    if len(first) > 1 and first.isupper():
        return first[0] in _VOWEL_LETTERS
    key = first.lower()
    if key.startswith(_SILENT_H):
        return True
    return key[:1] in "aeiou" and not key.startswith(_LIKE_YOU)


def capitalized(words: str) -> str:
    """Return words with a capital first."""
    return words[:1].upper() + words[1:]


def is_balanced(text: str) -> bool:
    """Tell whether every bracket and quotation mark of a text has its other half.

    Examples:
        >>> is_balanced("a (b)"), is_balanced("(a")
        (True, False)
    """
    pairs = all(text.count(pair[0]) == text.count(pair[1]) for pair in _PAIRS)
    return pairs and text.count('"') % 2 == 0 and text.count("``") == text.count("''")
