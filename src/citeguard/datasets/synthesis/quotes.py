"""True quotes, drawn from sources: `true_quotes`."""

from __future__ import annotations

import re
from random import Random
from typing import Any

from citeguard.errors import check_whole
from citeguard.language.grammar import ends_in_abbreviation
from citeguard.language.scripts import UNSPACED
from citeguard.language.sentences import sentence_intervals
from citeguard.sources.collection import Span, as_sources

_FEWEST_WORDS = 6
_FEWEST_CHARACTERS, _MOST_CHARACTERS = 35, 320
_LEAST_LETTERS = 0.7  # share of letters among what is no white space
_MOST_CAPITALS = 0.5  # share of words with a capital, above which a line is a heading
_UNSPACED = re.compile(f"[{UNSPACED}]")
_FEWEST_UNSPACED, _MOST_UNSPACED = 12, 120
_STOPS = (".", "!", "。", "！", '."', ".”", ".'", ".’", ".)", "。」")


def true_quotes(sources: Any, *, count: int | None = None, seed: int = 0) -> list[Span]:
    """Draw quotes from sources: whole sentences.

    Headings, fragments, questions, tables, and sentences of fewer than 6 words or more than 320
    characters are omitted. A sentence that is found in several places is drawn once. No model is
    called.

    Args:
        sources: Whatever `Sources` accepts.
        count: The most quotes; `None` for all. Fewer are returned if there are not as many.
        seed: Another seed draws other quotes.

    Returns:
        The spans of the quotes, in the order of the sources.

    Raises:
        CiteguardError: `count` or `seed` is not an integer of at least 0, or the sources are not
            what `Sources` accepts.

    Examples:
        >>> from citeguard import Sources
        >>> sources = Sources({"rules": "Rules. Visitors may not enter the laboratory on Sundays."})
        >>> [sources.slice(span) for span in true_quotes(sources, count=1)]
        ['Visitors may not enter the laboratory on Sundays.']
    """
    check_whole("true_quotes(seed=...)", seed, 0)
    if count is not None:
        check_whole("true_quotes(count=...)", count, 0)
    spans = {
        source.text[start:end]: Span(source.id, start, end)
        for source in as_sources(sources)
        for start, end in sentence_intervals(source.text)
        if _is_natural(source.text[start:end])
    }
    ranks = {text: Random(f"{seed}\0{text}").random() for text in spans}
    chosen = frozenset(sorted(ranks, key=ranks.__getitem__)[:count])
    return [span for text, span in spans.items() if text in chosen]


def _is_natural(text: str) -> bool:
    if "\n" in text or not text.endswith(_STOPS) or ends_in_abbreviation(text):
        return False
    if _UNSPACED.search(text):
        return _FEWEST_UNSPACED <= len(text) <= _MOST_UNSPACED
    words = text.split()
    short = len(words) < _FEWEST_WORDS or len(text) < _FEWEST_CHARACTERS
    if short or len(text) > _MOST_CHARACTERS or not text[0].isupper():
        return False
    letters = sum(char.isalpha() for char in text)
    capitals = sum(word[0].isupper() for word in words)
    is_prose = letters >= _LEAST_LETTERS * len("".join(words))
    return is_prose and capitals <= _MOST_CAPITALS * len(words)
