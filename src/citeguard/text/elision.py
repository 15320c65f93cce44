"""Elided quotes: the segments between the ellipses, and what an ellipsis may not swallow."""

from __future__ import annotations

import re
from itertools import pairwise

from citeguard.text.edits import Edit
from citeguard.text.lexicon import NEGATORS
from citeguard.text.tokens import tokenize

_ELLIPSIS = re.compile(
    r"\s*(?:[\[(]\s*(?:\.\s?\.\s?\.|…|⋯)\s*\.?\s*[\])]|(?:\.\s?){2,}\.|…+|⋯+)\s*"
)
_PARAGRAPH = re.compile(r"\n[ \t]*\n")
_SENTENCE_END = re.compile(r"[.!?][\"'”’)\]]*\s+(?=[\"'“‘(\[]*[A-Z0-9])|[。！？]|\n[ \t]*\n")
_ABBREVIATION = re.compile(
    r"(?:\b[A-Z]|\b(?:Dr|Mr|Mrs|Ms|St|vs|No|Fig|approx|e\.g|i\.e|cf|al|Inc|Co|Ltd|Jr|Sr))$"
)
_LOOK_BACK, _LOOK_AHEAD = 20, 4  # characters read around a gap to tell where a sentence ends
_STOPS = tuple(".!?。！？")
MOST_SWALLOWED = 500  # characters between two segments: two or three sentences, one passage
# Qualifiers that turn a statement when an ellipsis hides them; mere modifiers do not.
_TURNING = frozenset(
    (
        "only merely rarely seldom hardly scarcely barely almost nearly unless if except may"
        " might could allegedly alleged reportedly supposedly purportedly claimed possibly"
        " perhaps probably suspected false falsely formerly sometimes occasionally partly"
        " partially few little less until potentially apparently presumably likely unlikely"
        " maybe about approximately"
    ).split()
)
_SWALLOWED_NEGATORS = NEGATORS - {"non"}  # a prefix denies its own word, which is left out with it
# Quantifiers turn a statement when what they quantify is kept: right before the ellipsis ends.
_QUANTIFIERS = frozenset(["most", "some", "all", "every", "each", "any", "both"])
_TURNING_PHRASES = ("up to", "at least", "at most", "as if", "no longer", "most of", "some of")


def split_at_ellipses(quote: str) -> list[str]:
    """Return the segments of a quote between its ellipses, blank ones left out.

    Examples:
        >>> split_at_ellipses("The drug [...] was safe…")
        ['The drug', 'was safe']
    """
    return [part for part in _ELLIPSIS.split(quote) if any(map(str.isalnum, part))]


def swallowed(text: str, start: int, end: int) -> Edit | None:
    """Return the material edit that an ellipsis hides in `text[start:end]`, or `None`.

    Only the sentences that the ellipsis breaks open count: a sentence left out whole is left out
    openly. A gap across paragraphs, or a longer one than a passage, is one in itself.
    """
    gap = text[start:end]
    if len(gap) > MOST_SWALLOWED or _PARAGRAPH.search(gap):
        return _left_out(gap.strip(), "different passages")
    parts = _broken_sentences(text, start, end)
    for part in parts:
        keys = [token.key for token in tokenize(part)]
        if hit := next((k for k in keys if k in _SWALLOWED_NEGATORS or k.endswith("n't")), None):
            return _left_out(hit, "negation")
        phrases = [" ".join(pair) for pair in pairwise(keys)]
        hits = [k for k in (*keys, *phrases) if k in _TURNING or k in _TURNING_PHRASES]
        hits += [k for k in _last_quantifier(keys) if part is parts[-1]]
        if hits:
            return _left_out(hits[0], "qualifier")
    return None


def _last_quantifier(keys: list[str]) -> list[str]:
    last = keys[:-1] if keys[-1:] == ["of"] else keys
    return [key for key in last[-1:] if key in _QUANTIFIERS]


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


def _left_out(words: str, reason: str) -> Edit:
    return Edit(operation="delete", quoted="", source=words, material=True, reason=reason)
