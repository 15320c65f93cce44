"""What the reader reads for a statement or a question: the sentences of texts that decide it.

The sentences that decide may stand apart ("Ada was born in 1815. … She died in 1852."), so that one
window takes from anywhere those that together have the rarest words, neighbours rather than others
("The mill burnt down. It was never rebuilt."). The other one is the best sentence by itself. What a
sentence speaks of may stand in the title or the heading over it alone ("Weight: 3 kg"): these are
read before it.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from citeguard.language.sentences import Interval, ends_as_sentence, sentence_pieces, stripped
from citeguard.language.tokens import term_keys

# A cross-encoder of this size reads some 110 words well and 400 badly.
LONGEST = 110
"""Words of a window; a single sentence may be longer."""

_MOST_STITCHED = 6  # sentences of the window that is put together
# Weight of words that a chosen sentence has already: another may say them of the right thing.
_OWN = 0.15
_NEIGHBOUR = 0.3  # weight of standing beside a chosen sentence
_TEXTS_KEPT = 512  # many statements are about one text; cutting it takes milliseconds
_LONGEST_HEADING = 10  # words
_SHARE = 0.67  # of the line after it: the lines of a wrapped paragraph are of about one length
_STATED = 3  # content words of a statement; fewer name a thing
_MOST_SHORT = 2  # short lines in a row, as a title and a heading are; more are a list or a column
_LINE = re.compile(r"\S[^\n]*")
_MARKED_HEADING = re.compile(r"#{1,6}\s+(.*?)[\s#]*\Z")
# Of a list item, a cell, and "Weight: 3 kg".
_NO_HEADING = re.compile(r".*(?:\s\|\s|\t|:\s|[,;:=]\Z)")


class Sentence(NamedTuple):
    """A sentence of one of the texts.

    Attributes:
        text: Which text it is of.
        start: Where it begins there, in code points.
        end: Where it ends, exclusive.
        words: How many words it has.
        keys: Its content words and numbers, and those of the headings over it, as `terms` folds
            them.
        headings: The intervals of the headings over it: the first of the text, and the nearest.
    """

    text: int
    start: int
    end: int
    words: int
    keys: frozenset[str]
    headings: tuple[Interval, ...]


@dataclass(frozen=True, slots=True)
class Window:
    """Sentences that are read together.

    Attributes:
        text: What is read.
        sentences: Its sentences, in the order of the texts.
        relevance: The share of the statement's words that it has, weighted by rarity, 0 to 1.
    """

    text: str
    sentences: tuple[Sentence, ...]
    relevance: float


def windows(statement: str, texts: Sequence[str], *, titles: Sequence[str] = ()) -> list[Window]:
    """Return what to read of some texts for a statement.

    First the sentences that together have its rarest words, then the best sentence by itself; one
    window where they are the same. Each is read under the title of its text, and under the headings
    over its sentences. None for blank texts.

    Args:
        statement: A statement or a question.
        texts: The texts.
        titles: What stands over each of them in its document, as `title_over` returns it.

    Examples:
        >>> text = "Ada was born in 1815. She liked numbers. Many did. Ada Lovelace died in 1852."
        >>> [each.text for each in windows("When did Ada Lovelace die?", [text])][-1]
        'Ada Lovelace died in 1852.'
    """
    stated = term_keys(statement)
    # A title names things; one that has all that is stated would be taken for what the text says.
    titles = [
        "" if len(stated) >= _STATED and stated <= term_keys(title) else title
        for title in titles or [""] * len(texts)
    ]
    sentences = [
        Sentence(number, *each)
        for number, text in enumerate(texts)
        for each in _cut(text, titles[number])
    ]
    if not sentences:
        return []
    weights = _weights(stated, [each.keys for each in sentences])
    shared = [stated & each.keys for each in sentences]
    scores = [math.fsum(weights[key] for key in keys) for keys in shared]
    best = max(range(len(sentences)), key=scores.__getitem__)
    # A third window, of the best sentence and those beside it, changed the area under the curve by
    # .002 on 1,320 statements and by .000 on 952 questions, for half as much time again.
    chosen = dict.fromkeys((_stitched(sentences, shared, weights), (best,)))
    total = math.fsum(weights.values())

    def window(places: tuple[int, ...]) -> Window:
        own = tuple(sentences[place] for place in places)
        has = math.fsum(
            weights[key] for key in frozenset[str]().union(*(shared[place] for place in places))
        )
        return Window(_joined(texts, titles, own), own, has / total if total else 0.0)

    return [window(places) for places in chosen]


def shares(asked: str, texts: Sequence[str]) -> list[float]:
    """Return for each of some texts the share of a question's words that it has, 0 to 1.

    The words are weighted by their rarity among the texts.

    Examples:
        >>> texts = ["Ada built it.", "Ada built the bridge.", "It rained."]
        >>> shares("Who built the bridge?", texts)
        [0.430..., 1.0, 0.0]
    """
    stated, found = term_keys(asked), [term_keys(text) for text in texts]
    weights = _weights(stated, found)
    total = math.fsum(weights.values())
    return [math.fsum(weights[key] for key in stated & each) / (total or 1) for each in found]


def title_over(title: str | None, text: str, position: int = 0) -> str:
    r"""Return what stands over a place of a document: its title, and the headings before it.

    Args:
        title: The document's title, if it is known.
        text: The document.
        position: The place, in code points.

    Examples:
        >>> title_over("Handbook", "# Leave\n\nIt is 30 days.\n\n# Pay\n\nIt is due.", 33)
        'Handbook. Leave. Pay.'
    """
    over = [" ".join((title or "").split())]
    over += (_words(text[start:end]) for start, end in _over(headings(text), position))
    return _titled(over)


@lru_cache(maxsize=_TEXTS_KEPT)
def headings(text: str) -> tuple[Interval, ...]:
    r"""Return the intervals of the lines that are headings, by how they are written, in order.

    These are lines marked as such (`# Pay`), and short lines by themselves that end as no sentence
    does, and behind which comes text.

    Examples:
        >>> text = "Pay\nIt is due on the 1st.\n\nLeave\nIt is 30 days, in the first year, too."
        >>> [text[start:end] for start, end in headings(text)]
        ['Pay', 'Leave']
    """
    lines = [each.span() for each in _LINE.finditer(text)]
    found: list[Interval] = []
    short: list[Interval] = []  # lines in a row that may be headings
    is_code, is_apart = False, True
    for place, (start, end) in enumerate(lines):
        line = text[start:end].rstrip()
        after, _ = lines[place + 1] if place + 1 < len(lines) else (len(text), 0)
        is_before_blank = text.count("\n", end, after) > 1
        is_code ^= line.startswith(("```", "~~~"))
        if not is_code and _MARKED_HEADING.match(line):
            found += short[-1:] if len(short) == 1 else []
            found.append((start, start + len(line)))
            short = []
        elif not is_code and (short or is_apart) and _is_short(line, text, after, is_before_blank):
            short.append((start, start + len(line)))
        else:
            found += short if len(short) <= _MOST_SHORT else []
            short = []
        is_apart = is_before_blank or line.startswith("#") or ends_as_sentence(line)
    return tuple(found)


def _is_short(line: str, text: str, after: int, is_before_blank: bool) -> bool:
    """Return whether a line may be a heading, by itself and by the line after it."""
    return (
        len(line.split()) <= _LONGEST_HEADING
        and line[0].isalnum()
        and not line[0].islower()
        and not ends_as_sentence(line)
        and _NO_HEADING.match(line) is None
        and (is_before_blank or _is_set_off(line, text[after : after + 200].split("\n")[0]))
        and any(map(str.isalpha, line))
    )


def _is_set_off(line: str, following: str) -> bool:
    """Return whether a line is no line of a paragraph that goes on with the following one."""
    return len(line) <= _SHARE * len(following) and not following[:1].islower()


def _over(found: tuple[Interval, ...], position: int) -> tuple[Interval, ...]:
    """Return the first heading, and the last one before a place, if they are before it."""
    if not (before := bisect_right(found, position, key=lambda each: each[1])):
        return ()
    return tuple(dict.fromkeys((found[0], found[before - 1])))


def _words(heading: str) -> str:
    marked = _MARKED_HEADING.match(heading)
    return " ".join((marked[1] if marked else heading).split())


def _titled(over: Iterable[str]) -> str:
    """Return titles as sentences, each once."""
    kept = [each for each in dict.fromkeys(over) if each]
    return " ".join(each if each[-1] in ".!?:。" else f"{each}." for each in kept)


@lru_cache(maxsize=_TEXTS_KEPT)
def _cut(
    text: str, title: str
) -> tuple[tuple[int, int, int, frozenset[str], tuple[Interval, ...]], ...]:
    """Return what `Sentence` has of the sentences of a text."""
    found = headings(text)
    over_all = term_keys(title)
    keys_of = {each: term_keys(text[slice(*each)]) for each in found}
    cut: list[tuple[int, int, int, frozenset[str], tuple[Interval, ...]]] = []
    for start, end in _sentences(text, found):
        over = _over(found, start)
        keys = term_keys(text[start:end]).union(over_all, *(keys_of[each] for each in over))
        cut.append((start, end, len(text[start:end].split()), keys, over))
    return tuple(cut)


def _sentences(text: str, found: Sequence[Interval]) -> Sequence[Interval]:
    """Return the sentences of a text without its headings, unless these are all there is."""
    pieces = sentence_pieces(text)
    cut: list[Interval] = []
    for start, end in pieces:
        first = bisect_right(found, start, key=lambda each: each[1])
        for low, high in found[first:]:
            if low >= end:
                break
            cut.append((start, low))
            start = high
        cut.append((start, end))
    bare = (stripped(text, start, end) for start, end in cut if start < end)
    return [(start, end) for start, end in bare if start < end] or pieces


def _weights(stated: frozenset[str], found: Sequence[frozenset[str]]) -> dict[str, float]:
    """Return the terms of a statement, each with its rarity among those of some texts."""
    counts = Counter(key for keys in found for key in keys)
    return {key: math.log(1 + len(found) / (1 + counts[key])) for key in stated}


def _stitched(
    sentences: Sequence[Sentence],
    shared: Sequence[frozenset[str]],
    weights: Mapping[str, float],
) -> tuple[int, ...]:
    """Return the places of sentences that together share the rarest terms, near each other."""
    if sum(each.words for each in sentences) <= LONGEST:
        return tuple(range(len(sentences)))
    chosen: set[int] = set()
    covered: set[str] = set()
    length = 0

    def gain(place: int) -> float:
        keys = shared[place]
        weight = math.fsum(weights[key] * (_OWN + (key not in covered)) for key in keys)
        beside = any(
            near in chosen and sentences[near].text == sentences[place].text
            for near in (place - 1, place + 1)
        )
        return weight + _NEIGHBOUR * beside

    while len(chosen) < min(_MOST_STITCHED, len(sentences)):
        best = max((place for place in range(len(sentences)) if place not in chosen), key=gain)
        if chosen and length + sentences[best].words > LONGEST:
            break
        chosen.add(best)
        covered |= shared[best]
        length += sentences[best].words
    return tuple(sorted(chosen))


def _joined(texts: Sequence[str], titles: Sequence[str], sentences: Sequence[Sentence]) -> str:
    """Return the words of sentences, with what stands over them wherever that changes."""
    parts: list[str] = []
    read: set[tuple[int, Interval | None]] = set()
    for each in sentences:
        text, title = texts[each.text], titles[each.text]
        over = {None: title, **{at: _words(text[slice(*at)]) for at in each.headings}}
        new = [words for at, words in over.items() if (each.text, at) not in read]
        read |= {(each.text, at) for at in over}
        new = [words for words in new if words == title or words not in title]
        parts += [_titled(new), " ".join(text[each.start : each.end].split())]
    return " ".join(filter(None, parts))
