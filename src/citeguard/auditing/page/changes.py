"""What a correction changes in a sentence, word by word: `changes_of`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from citeguard.auditing.results import AuditedClaim, Replacement

Change = tuple[Literal["kept", "removed", "added"], str]
"""Words of a corrected sentence."""

_REACH = 100  # characters of a word that are looked at on each side of what is replaced

# What a word is made of: all but blanks, square brackets (they are citation marks), and the
# letters of scripts without blanks between words (Thai, Lao, Myanmar, Khmer, kana, Han).
_PART = (
    r"[^\s\[\]\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3000-\ua4cf\uf900-\ufaff\uff00-\uffef"
    r"\U00020000-\U0003ffff]"
)
_STARTS = re.compile(_PART)
_ENDS = re.compile(rf"{_PART}\Z")
_BEFORE = re.compile(rf"(?![(\"'“‘«„¿¡]){_PART}*\Z")
_AFTER = re.compile(rf"{_PART}*(?<![.,;:!?)\"'”’»…])")


def changes_of(text: str, claim: AuditedClaim) -> list[Change]:
    """Return the sentence of a claim with its correction, as words kept, removed and added.

    Words are changed as a whole, so that what is removed and what is added can each be read alone.

    Examples:
        >>> from citeguard.auditing.results import Correction
        >>> swap = Replacement(start=6, end=7, text="6")
        >>> claim = AuditedClaim(
        ...     number=1, text="See 6/9.", start=0, end=8, sentence_start=0, sentence_end=8,
        ...     kind="other", verdict="contradicted", explanation="It is 6/6.",
        ...     correction=Correction(claim="See 6/6.", sentence="See 6/6.", replacements=(swap,)),
        ... )
        >>> changes_of("See 6/9.", claim)
        [('kept', 'See '), ('removed', '6/9'), ('added', '6/6'), ('kept', '.')]
    """
    replacements = claim.correction.replacements if claim.correction else ()
    at = min([claim.sentence_start, *(swap.start for swap in replacements)])
    changes: list[Change] = []
    for swap in _whole_words(text, at, claim.sentence_end, replacements):
        changes.append(("kept", text[at : swap.start]))
        changes.append(("removed", text[swap.start : swap.end]))
        changes.append(("added", swap.text))
        at = swap.end
    changes.append(("kept", text[at : claim.sentence_end]))
    return [change for change in changes if change[1]]


def _whole_words(
    text: str, first: int, last: int, replacements: Sequence[Replacement]
) -> Iterator[Replacement]:
    """Widen replacements to whole words; those that then overlap become one."""
    start = end = first
    within: list[Replacement] = []
    for swap in replacements:
        low, high = _start_of_word(text, first, swap), _end_of_word(text, last, swap)
        if within and low < end:
            end = max(end, high)
        else:
            yield from _joined(text, start, end, within)
            start, end, within = max(low, end), high, []
        within.append(swap)
    yield from _joined(text, start, end, within)


def _joined(text: str, start: int, end: int, within: list[Replacement]) -> Iterator[Replacement]:
    """Yield the one replacement of `text[start:end]` that does what these do."""
    if not within:
        return
    at, words = start, ""
    for swap in within:
        words += text[at : swap.start] + swap.text
        at = swap.end
    yield Replacement(start=start, end=end, text=words + text[at:end])


def _start_of_word(text: str, first: int, swap: Replacement) -> int:
    if not any(_STARTS.match(words) for words in (text[swap.start : swap.end], swap.text)):
        return swap.start
    before = _BEFORE.search(text[max(0, first, swap.start - _REACH) : swap.start])
    return swap.start - len(before[0]) if before else swap.start


def _end_of_word(text: str, last: int, swap: Replacement) -> int:
    if not any(_ENDS.search(words) for words in (text[swap.start : swap.end], swap.text)):
        return swap.end
    after = _AFTER.match(text[swap.end : max(swap.end, min(last, swap.end + _REACH))])
    return swap.end + len(after[0]) if after else swap.end
