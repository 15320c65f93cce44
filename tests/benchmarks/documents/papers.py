"""Papers made of real texts: titles, sections, paragraphs, sentences, notes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, count, cycle, islice
from pathlib import Path
from random import Random
from typing import TypeVar

from citeguard.language.sentences import sentence_intervals

from ..data import rows

_PAPERS = {"bump": 12, "scifact_abs": 7, "xquad_en": 6, "wice": 4, "summedits": 3, "ragtruth": 3}
_STORIES = {"storysumm": 1}
_LONG = ("bump", "wice")
_NOTES = "factcheck_gpt"
_LENGTHS = (9_000, 24_000)  # characters of a paper, which fill 2 to 8 pages
_SHORTEST, _LONGEST = 40, 600  # characters of a sentence
_PARAGRAPH = (3, 7)  # sentences
_SECTION = (3, 6)  # paragraphs
_NOTED = 0.07  # of the sentences
_EURO = "€"  # some fonts of LaTeX draw it as a C with two lines
_NOTED_WORD = 4  # letters: nobody has a note on "a", after which a figure may be an exponent
_LINE = 90  # characters from which a line of a web page is taken for prose
_HEADINGS = (
    "Introduction;Background;What happened;The first reports;Related work;Materials and methods;"
    "Results;Reactions;Discussion;A closer look;Effects on the workflow;Findings in brief;"
    "Limits;What is next;Conclusions"
).split(";")
Item = TypeVar("Item")
_LETTERS = 0.7  # of a sentence's characters, at least
_NO_PROSE = re.compile(r"[<>{}\\_^~|#]|\w{30}|http|\.\.\.")
_BLANK_BEFORE_STOP = re.compile(r"\s+(?=[.,;:!?](?:\s|$))")
_META_DATA = "("  # what lines begin with that are no text of a page
_HYPHENATED = re.compile(r"(?<=[a-z][aeiouy][b-df-hj-np-tv-z])(?=[b-df-hj-np-tv-z][aeiouy][a-z])")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, with the note that one of its words has.

    Attributes:
        number: Which sentence of its paper it is.
        text: Its words, one blank between two.
        note: What the note says.
        noted: After how many of its words the note's mark stands.
    """

    number: int
    text: str
    note: Sentence | None = None
    noted: int = 0


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and the paragraphs under it."""

    heading: str
    paragraphs: tuple[tuple[Sentence, ...], ...]


@dataclass(frozen=True)
class Paper:
    """A document before it is set: its name, its title, its sections."""

    name: str
    title: str
    sections: tuple[Section, ...]

    @property
    def sentences(self) -> Iterator[Sentence]:
        """The sentences of its running text, in order."""
        for section in self.sections:
            for paragraph in section.paragraphs:
                yield from paragraph

    @cached_property
    def notes(self) -> tuple[Sentence, ...]:
        """What its notes say, in order."""
        return tuple(each.note for each in self.sentences if each.note is not None)

    @cached_property
    def note_numbers(self) -> Mapping[Sentence, int]:
        """Which note each of them is, from 1."""
        return {note: number for number, note in enumerate(self.notes, 1)}

    def in_western_letters(self) -> Paper:
        """Return it without the paragraphs that have letters which not every font has."""
        return replace(self, sections=tuple(map(_western, self.sections)))


def load_papers(folder: Path) -> list[Paper]:
    """Return papers made of the data, none of whose sentences recurs; always the same ones.

    Kinds of text take turns, so that any run of papers has several kinds.
    """
    notes = _prose(folder, _NOTES)
    made = [
        [
            paper_of(f"{name}-{n}", sentences, notes)
            for n, sentences in enumerate(_shares(name, folder, most))
        ]
        for name, most in (_PAPERS | _STORIES).items()
    ]
    ordered = (
        (place / len(papers), paper) for papers in made for place, paper in enumerate(papers)
    )
    return [paper for _, paper in sorted(ordered, key=lambda pair: (pair[0], pair[1].name))]


def long_paper(folder: Path, length: int) -> Paper:
    """Return a paper of so many characters, of letters that every font has."""
    notes = _prose(folder, _NOTES)
    prose = chain.from_iterable(_prose(folder, name) for name in _LONG)
    return paper_of("long", list(_taken(filter(_is_western, prose), length)), notes)


def hyphenated(word: str) -> str:
    """Return a word with soft hyphens where it may be cut: between two consonants in vowels."""
    return _HYPHENATED.sub("\u00ad", word)


def _western(section: Section) -> Section:
    kept = (each for each in section.paragraphs if _is_western(_all_text(each)))
    return replace(section, paragraphs=tuple(kept))


def _all_text(paragraph: Iterable[Sentence]) -> str:
    return "".join(each.text + (each.note.text if each.note else "") for each in paragraph)


def _is_western(text: str) -> bool:
    if _EURO in text:
        return False
    try:
        text.encode("cp1252")
    except UnicodeEncodeError:
        return False
    return True


def _shares(name: str, folder: Path, most: int) -> Iterator[list[str]]:
    """Yield the sentences of each of a data set's papers."""
    random, prose = Random(name), _prose(folder, name)
    for _ in range(most):
        yield list(_taken(prose, random.randint(*_LENGTHS)))


def _taken(sentences: Iterator[str], length: int) -> Iterator[str]:
    while length > 0:
        sentence = next(sentences)
        length -= len(sentence)
        yield sentence


def _prose(folder: Path, name: str) -> Iterator[str]:
    """Yield the sentences of a data set's sources that are prose, none twice."""
    seen: set[str] = set()
    for text in _texts(folder, name):
        for start, end in sentence_intervals(text):
            sentence = text[start:end]
            if _is_prose(sentence) and sentence not in seen:
                seen.add(sentence)
                yield sentence


def _texts(folder: Path, name: str) -> Iterator[str]:
    read = rows(folder / f"{name}.jsonl.gz")
    return map(_plain, dict.fromkeys(each["text"] for row in read for each in row["context"]))


def _plain(text: str) -> str:
    lines = (line for line in text.splitlines() if len(line) >= _LINE)
    kept = (" ".join(line.split()) for line in lines if not line.startswith(_META_DATA))
    return "\n\n".join(_BLANK_BEFORE_STOP.sub("", line) for line in kept)


def _is_prose(sentence: str) -> bool:
    return (
        _SHORTEST <= len(sentence) <= _LONGEST
        and sentence[0].isupper()
        and sentence[-1] in ".!?"
        and sum(map(str.isalpha, sentence)) > _LETTERS * len(sentence)
        and not _NO_PROSE.search(sentence)
    )


def paper_of(name: str, sentences: Sequence[str], notes: Iterator[str]) -> Paper:
    """Return a paper made of sentences, a few with a note; its name decides where they go."""
    random, numbers = Random(name), count()
    paragraphs = list(
        _cut([_sentence(text, random, numbers, notes) for text in sentences], _PARAGRAPH, random)
    )
    headings = cycle(random.sample(_HEADINGS, len(_HEADINGS)))
    sections = zip(headings, _cut(paragraphs, _SECTION, random), strict=False)
    title = " ".join(sentences[len(sentences) // 2].split()[:7]).rstrip(".,;:")
    return Paper(name, title, tuple(Section(heading, tuple(each)) for heading, each in sections))


def _sentence(text: str, random: Random, numbers: Iterator[int], notes: Iterator[str]) -> Sentence:
    words = text.split()
    ends = [
        place
        for place, word in enumerate(words[2:-2], 3)
        if word[-_NOTED_WORD:].isalpha() and len(word) >= _NOTED_WORD
    ]
    if not ends or random.random() > _NOTED:
        return Sentence(next(numbers), text)
    number = next(numbers)
    return Sentence(number, text, Sentence(next(numbers), next(notes)), random.choice(ends))


def _cut(
    items: Sequence[Item], sizes: tuple[int, int], random: Random
) -> Iterator[tuple[Item, ...]]:
    rest = iter(items)
    while run := tuple(islice(rest, random.randint(*sizes))):
        yield run
