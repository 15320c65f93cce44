"""What a text is made wrong with: its source read once, and the other sources."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, lru_cache

from citeguard.datasets.synthesis.entities import Entity, find_entities, find_known
from citeguard.datasets.synthesis.negative import Target
from citeguard.datasets.synthesis.passages import Passage, sentences_of
from citeguard.language.quantities import CARDINALS, ORDINALS, TENS
from citeguard.language.terms import terms
from citeguard.quotes.canonical import SearchForm
from citeguard.sources.collection import Sources

_MOST_DOCUMENTS = 64
_LONGEST = 200_000  # characters of a source that are read for material
_LONGEST_NUMBER = 30
_SAID = 0.6  # share of the terms of a text that one sentence has which also has its new words
_NUMBERS = CARDINALS | TENS | ORDINALS


class Document:
    """A source as material: its sentences, its names, its numbers."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def sentences(self) -> list[Passage]:
        """Its sentences, those of several lines left out."""
        texts = (self.text[start:end] for start, end in sentences_of(self.text))
        return [Passage(text, is_sentence=True) for text in texts if "\n" not in text]

    @cached_property
    def passage(self) -> Passage:
        """All of it."""
        return Passage(self.text)

    @cached_property
    def known(self) -> dict[str, str]:
        """What it tells of its names."""
        return find_known(self.passage)

    @cached_property
    def entities(self) -> list[Entity]:
        """The names in it that have a type."""
        return find_entities(self.passage, self.known)

    @cached_property
    def numbers(self) -> frozenset[float]:
        """The numbers in it, whether in digits or in words."""
        return frozenset(number for word in self.passage.words for number in _value(word.key))

    @cached_property
    def _sentence_terms(self) -> list[frozenset[str]]:
        return [_keys(self.text[start:end]) for start, end in sentences_of(self.text)]

    def says(self, text: str, new: str) -> bool:
        """Tell whether a sentence has all new terms of a text, and most of the others."""
        wanted, fresh = _keys(text), _keys(new)
        return bool(fresh) and any(
            fresh <= said and len(wanted & said) >= _SAID * len(wanted)
            for said in self._sentence_terms
        )


def _keys(text: str) -> frozenset[str]:
    return frozenset(term.key for term in terms(text))


def _value(key: str) -> Iterator[float]:
    if key in _NUMBERS:
        yield float(_NUMBERS[key])
    if key[0].isdecimal() and len(key) <= _LONGEST_NUMBER:
        plain = key.rstrip("stndrh").replace(",", "")
        if plain.count(".") <= 1:
            yield float(plain.rstrip("."))


def letters_of(text: str) -> str:
    """Return the letters and digits of a text, folded."""
    return SearchForm(text).letters


@lru_cache(maxsize=_MOST_DOCUMENTS)
def document_of(text: str) -> Document:
    """Return a text as material; those used last are kept."""
    return Document(text[:_LONGEST])


class Material:
    """The sources of a true text, and the one it is from."""

    def __init__(self, sources: Sources, source_id: str, target: Target) -> None:
        self.sources = sources
        self.source_id = source_id
        self.target: Target = target
        self.document = document_of(sources[source_id].text)

    @property
    def documents(self) -> Iterator[Document]:
        """All sources, the text's own first."""
        yield self.document
        for source in self.sources:
            if source.id != self.source_id:
                yield document_of(source.text)

    @cached_property
    def numbers(self) -> frozenset[float]:
        """The numbers in any source."""
        return frozenset[float]().union(*(document.numbers for document in self.documents))

    def stands(self, text: str, source_id: str | None = None) -> bool:
        """Tell whether the letters and digits of a text stand in a row in a source, or in any."""
        letters = letters_of(text)
        within = [self.sources[source_id]] if source_id is not None else self.sources
        return any(letters in source.prepared.form.letters for source in within)

    def says(self, text: str, new: str) -> bool:
        """Tell whether any source seems to say a text that has new words."""
        return any(document.says(text, new) for document in self.documents)
