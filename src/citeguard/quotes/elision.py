"""Elided quotes: the segments between the ellipses, and what an ellipsis may not swallow."""

from __future__ import annotations

import re
from itertools import chain, pairwise

from citeguard.language import lexicon, quantities
from citeguard.language.tokens import is_unspaced, tokenize
from citeguard.quotes.edits import Edit, left_out

_ELLIPSIS = re.compile(
    r"\s*(?:[\[(]\s*(?:\.\s?\.\s?\.|…|⋯|snip|omitted)\s*\.?\s*[\])]|(?:\.\s?){2,}\.|…+|⋯+)\s*"
)
_FEWEST_DOTS, _SIGNS = 3, ("…", "⋯", "snip", "omitted")  # without these there is no ellipsis
_PARAGRAPH = re.compile(r"\n[ \t]*\n")
_SENTENCE_END = re.compile(r"[.!?][\"'”’)\]]*\s+(?=[\"'“‘(\[]*[A-Z0-9])|[。！？]|\n[ \t]*\n")
_ABBREVIATION = re.compile(
    r"(?:\b[A-Z]|\b(?:Dr|Mr|Mrs|Ms|St|vs|No|Fig|approx|e\.g|i\.e|cf|al|Inc|Co|Ltd|Jr|Sr))$"
)
_LOOK_BACK, _LOOK_AHEAD = 20, 4  # characters read around a gap to tell where a sentence ends
_STOPS = tuple(".!?。！？")
MOST_SWALLOWED = 500  # characters between two segments: two or three sentences, one passage
_NEGATORS = lexicon.NEGATORS - {"non"}  # a prefix denies its own word, left out with it

_HEDGES = lexicon.HEDGES | lexicon.PHRASES


def split_at_ellipses(quote: str) -> list[str]:
    """Return the segments of a quote between its ellipses, blank ones left out.

    Examples:
        >>> split_at_ellipses("The drug [...] was safe…")
        ['The drug', 'was safe']
    """
    # The pattern is costly; most quotes have nothing like it.
    if quote.count(".") < _FEWEST_DOTS and not any(sign in quote for sign in _SIGNS):
        return [quote] if any(map(str.isalnum, quote)) else []
    return [part for part in _ELLIPSIS.split(quote) if any(map(str.isalnum, part))]


def without_ellipses(text: str) -> str:
    """Return a text with a blank for each of its ellipses."""
    return _ELLIPSIS.sub(" ", text)


def swallowed(text: str, start: int, end: int) -> Edit | None:
    """Return the material edit that an ellipsis hides in `text[start:end]`, or `None`.

    Only the sentences that the ellipsis breaks open count: a sentence left out whole is left out
    openly. A gap across paragraphs, or a longer one than a passage, is one in itself, and so is
    one from the midst of a sentence to the midst of another: it makes a third sentence of two.
    """
    gap = text[start:end]
    if len(gap) > MOST_SWALLOWED or _PARAGRAPH.search(gap):
        return left_out(gap.strip(), "different passages")
    parts = _broken_sentences(text, start, end)
    if len(parts) > 1 and all(any(map(str.isalnum, part)) for part in parts):
        return left_out(gap.strip(), "two sentences joined")
    keys = [[token.key for token in tokenize(part)] for part in parts]
    for part, tokens in zip(parts, keys, strict=True):
        if hidden := next((key for key in tokens if key in _NEGATORS or key.endswith("n't")), None):
            return left_out(hidden, "negation")
        if hidden := _hedge_in(part, tokens):
            return left_out(hidden, "qualifier")
    first, last = keys[0], keys[-1]
    if (
        first and first[0] in quantities.MAGNITUDE_WORDS
    ):  # "ten ... dollars" out of "ten million dollars"
        return left_out(first[0], "number")
    quantifier = (last[:-1] if last[-1:] == ["of"] else last)[-1:]
    if quantifier and quantifier[0] in lexicon.QUANTIFIERS:
        return left_out(quantifier[0], "qualifier")
    return None


def _hedge_in(part: str, tokens: list[str]) -> str | None:
    """Return the first hedge among some words, or in a text of a script without spaces."""
    pairs = (" ".join(pair) for pair in pairwise(tokens))
    found = (key for key in (*tokens, *pairs) if key in _HEDGES)
    unspaced = (phrase for phrase in lexicon.PHRASES if is_unspaced(phrase[0]) and phrase in part)
    return next(chain(found, unspaced), None)


def _broken_sentences(text: str, start: int, end: int) -> list[str]:
    """Return the parts of a gap that belong to the sentence before it or to the one after it."""
    # The sentence before may end with the segment's last character: look back over it.
    ends = [
        match.end()
        for match in _SENTENCE_END.finditer(text, max(0, start - _LOOK_BACK), end + _LOOK_AHEAD)
        if start <= match.end() <= end and not _is_abbreviation(text, match)
    ]
    if not ends:
        return [text[start:end]]
    whole = text[:start].endswith(_STOPS)
    return ["" if whole else text[start : ends[0]], text[ends[-1] : end]]


def _is_abbreviation(text: str, match: re.Match[str]) -> bool:
    before = text[max(0, match.start() - _LOOK_BACK) : match.start()]
    return match[0].startswith(".") and bool(_ABBREVIATION.search(before))
