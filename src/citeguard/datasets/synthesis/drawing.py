"""True quotes, drawn from sources: `true_quotes`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

from citeguard.datasets.synthesis.passages import sentences_of
from citeguard.errors import check_whole
from citeguard.sources.collection import Source, Sources, Span

_FEWEST_WORDS, _MOST_WORDS = 6, 45
_FEWEST_CHARACTERS, _MOST_CHARACTERS = 35, 320
_LEAST_LETTERS = 0.7  # share of letters among what is no white space
_MOST_CAPITALS = 0.5  # share of words with a capital, above which a line is a heading
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_FEWEST_UNSPACED, _MOST_UNSPACED = 12, 120
_STOPS = (".", "!", "。", "！", '."', ".”", ".'", ".’", ".)", "。」")
_ABBREVIATED = re.compile(r"\b(?:Mr|Mrs|Ms|Dr|St|Prof|Sen|Gen|Gov|Rep|vs|No)\.\Z")
_CLAUSE = re.compile(r"; (?=[a-z])")


def true_quotes(sources: Any, *, count: int | None = None, seed: int = 0) -> list[Span]:
    """Draw quotes from sources: whole sentences, or clauses of long ones up to a semicolon.

    Left out are headings, fragments, questions, tables, and sentences of fewer than 6 words or more
    than 320 characters. A sentence that several places have is drawn once. No model is called.

    Args:
        sources: Whatever `Sources` accepts.
        count: The most quotes; `None` for all. Fewer are returned if there are not as many.
        seed: Another one draws others.

    Returns:
        Where they stand, in the order of the sources.

    Raises:
        CiteguardError: a number or seed that is none; or what `Sources` does not accept.

    Examples:
        >>> sources = Sources({"rules": "Rules. Visitors may not enter the laboratory on Sundays."})
        >>> [sources.slice(span) for span in true_quotes(sources, count=1)]
        ['Visitors may not enter the laboratory on Sundays.']
    """
    check_whole("true_quotes(seed=...)", seed, 0)
    if count is not None:
        check_whole("true_quotes(count=...)", count, 0)
    given = sources if isinstance(sources, Sources) else Sources(sources)
    found = list({given.slice(span): span for span in _all(given)}.values())
    if count is None or count >= len(found):
        return found
    rank = {span: Random(f"{seed}\0{given.slice(span)}").random() for span in found}
    kept = frozenset(islice(sorted(found, key=rank.__getitem__), count))
    return [span for span in found if span in kept]


def _all(sources: Sources) -> Iterator[Span]:
    for source in sources:
        for start, end in sentences_of(source.text):
            yield from _quotes(source, start, end)


def _quotes(source: Source, start: int, end: int) -> Iterator[Span]:
    text = source.text[start:end]
    if _is_natural(text):
        yield Span(source.id, start, end)
    elif len(text) > _MOST_CHARACTERS and (clause := _CLAUSE.search(text)):
        whole = _is_natural(f"{text[: clause.start()]}.")
        yield from [Span(source.id, start, start + clause.start())] if whole else ()


def _is_natural(text: str) -> bool:
    if "\n" in text or not text.endswith(_STOPS) or _ABBREVIATED.search(text):
        return False
    if _UNSPACED.search(text):
        return _FEWEST_UNSPACED <= len(text) <= _MOST_UNSPACED
    words = text.split()
    if not (_FEWEST_WORDS <= len(words) <= _MOST_WORDS and text[0].isupper()):
        return False
    if not _FEWEST_CHARACTERS <= len(text) <= _MOST_CHARACTERS:
        return False
    return _is_prose(text, words)


def _is_prose(text: str, words: list[str]) -> bool:
    solid = "".join(words)
    letters = sum(char.isalpha() for char in solid)
    capitals = sum(word[0].isupper() for word in words)
    return letters >= _LEAST_LETTERS * len(solid) and capitals <= _MOST_CAPITALS * len(words)
