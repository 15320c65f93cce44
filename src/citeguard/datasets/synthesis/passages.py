"""The true text as a passage that can be rewritten, and the sources that it is from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from random import Random
from typing import Any, NamedTuple

from citeguard.facts.reading import Reading
from citeguard.language.lexicon import find_lexicon
from citeguard.language.numbers import find_numbers
from citeguard.language.sentences import Interval, sentence_intervals
from citeguard.language.terms import terms
from citeguard.quotes.canonical import SearchForm
from citeguard.sources.collection import Sources

_PAIRS = (("(", ")"), ("[", "]"), ("“", "”"), ("``", "''"))
_MOST_TEXTS = 256  # whose sentences are cached
_MOST_DOCUMENTS = 64
_LONGEST = 200_000  # characters of a source that are read
_SAID = 0.6  # share of a text's terms in one sentence that also has the new ones
_ARTICLE = re.compile(r"\b(an?)\s+[\"“‘'$£€]?\Z", re.IGNORECASE)
_SPOKEN_VOWEL = re.compile(
    r"(?!uni|us[eu]|eu|once?\b|ut[ei]|ura)[aeiou]|hour|hono|hones|heir|8|1[18]\b", re.IGNORECASE
)


class Edit(NamedTuple):
    """A replacement of `text[start:end]`; offsets in code points, half-open."""

    start: int
    end: int
    text: str


class Rewrite(NamedTuple):
    """One way to make a text wrong.

    Attributes:
        variant: How it is done.
        edits: The edits of the true text, apart from each other, in any order.
        preference: Rewrites with a higher preference are tried first.
        source_id: The source to ascribe the text to; empty for its own.
    """

    variant: str
    edits: tuple[Edit, ...]
    preference: int = 0
    source_id: str = ""


@lru_cache(maxsize=_MOST_TEXTS)
def sentences_of(text: str) -> tuple[Interval, ...]:
    """Return the intervals of a text's sentences; those of the last few texts are cached."""
    return tuple(sentence_intervals(text))


class Passage(Reading):
    """A text that can be rewritten: its words, its numbers and edits of them."""

    @cached_property
    def keys(self) -> frozenset[str]:
        """All words in lower case."""
        return frozenset(word.key for word in self.words)

    def edit(self, first: int, last: int, text: str) -> Edit:
        """Return the edit that replaces the words from `first` to `last`, both included."""
        return Edit(self.words[first].start, self.words[last].end, text)

    def clause_start(self, i: int) -> int:
        """Return the place of the first word of a clause, by punctuation."""
        while i > 0 and not self.words[i].gap and self.words[i - 1].key != "—":
            i -= 1
        return i


class Document:
    """A source as material for wrong texts: its sentences, numbers and terms."""

    def __init__(self, text: str) -> None:
        self.kept: dict[object, Any] = {}
        self.text = text
        lexicon = find_lexicon(text)
        self.is_english = lexicon is not None and lexicon.code == "en"

    @cached_property
    def sentences(self) -> list[str]:
        """Its sentences, without those of several lines."""
        found = (self.text[start:end] for start, end in sentences_of(self.text))
        return [sentence for sentence in found if "\n" not in sentence]

    @cached_property
    def numbers(self) -> frozenset[float]:
        """The values of its numbers, and of the parts of its dates."""
        return frozenset(
            float(value)
            for number in find_numbers(self.text)
            for value in (number.value, number.low, number.high, number.year, number.day)
            if value is not None
        )

    @cached_property
    def _sentence_terms(self) -> list[frozenset[str]]:
        return [_terms(self.text[start:end]) for start, end in sentences_of(self.text)]

    def says(self, text: str, new: str) -> bool:
        """Return whether a sentence has all new terms of a text, and most of the others."""
        wanted, fresh = _terms(text), _terms(new)
        return bool(fresh) and any(
            fresh <= said and len(wanted & said) >= _SAID * len(wanted)
            for said in self._sentence_terms
        )


def _terms(text: str) -> frozenset[str]:
    return frozenset(term.key for term in terms(text))


@lru_cache(maxsize=_MOST_DOCUMENTS)
def _document(text: str) -> Document:
    return Document(text[:_LONGEST])


def letters_of(text: str) -> str:
    """Return the letters and digits of a text, folded as for the search of quotes."""
    return SearchForm(text).letters


class Material:
    """The sources of a true text, and the one that it is from."""

    def __init__(self, sources: Sources, source_id: str) -> None:
        self.sources = sources
        self.source_id = source_id
        self.document = _document(sources[source_id].text)

    @cached_property
    def numbers(self) -> frozenset[float]:
        """The values of the numbers in all sources."""
        return frozenset[float]().union(*(_document(each.text).numbers for each in self.sources))

    def has(self, text: str, source_id: str | None = None) -> bool:
        """Return whether a source, or any, has the letters and digits of a text in a row."""
        letters = letters_of(text)
        within = [self.sources[source_id]] if source_id is not None else self.sources
        return any(letters in source.prepared.form.letters for source in within)

    def says(self, text: str, new: str) -> bool:
        """Return whether a sentence of a source seems to say a text that has new words."""
        return any(_document(source.text).says(text, new) for source in self.sources)


def drawn(texts: Iterable[str], most: int, random: Random) -> list[str]:
    """Draw up to `most` texts, in random order."""
    found = list(texts)
    return random.sample(found, min(len(found), most))


def rewritten(text: str, edits: Iterable[Edit]) -> tuple[str, tuple[Edit, ...]]:
    """Return a text with its edits made, and the edits in order as they were made.

    A capital at the beginning of the text, and an "a" or "an" before an edit, is adapted.
    """
    fitted = tuple(sorted(each for edit in edits for each in _fitted(text, edit)))
    for edit in reversed(fitted):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text, fitted


def _fitted(text: str, edit: Edit) -> Iterator[Edit]:
    before = text[: edit.start]
    if not before.strip(" \"'“‘([") and text[edit.start : edit.start + 1].isupper():
        edit = edit._replace(text=edit.text[:1].upper() + edit.text[1:])
    article = _ARTICLE.search(before)
    after = edit.text or text[edit.end :].lstrip()
    n = "n" if _SPOKEN_VOWEL.match(after) else ""
    if article and after[:1].isalnum() and article[1][1:] != n:
        yield Edit(article.start(1), article.end(1), article[1][0] + n)
    yield edit


def is_balanced(text: str) -> bool:
    """Return whether every bracket and quotation mark of a text has its other half."""
    pairs = all(text.count(pair[0]) == text.count(pair[1]) for pair in _PAIRS)
    return pairs and text.count('"') % 2 == 0
