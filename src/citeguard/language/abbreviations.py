"""Abbreviations that end in a full stop, and titles of persons (English)."""

from __future__ import annotations

import re

_BEFORE_NAMES = "Mr Mrs Ms Dr Prof St Sen Gen Gov Rep Lt Col Capt Sgt Maj Rev Hon Mt Ft".split()
_AFTER_NAMES = "Jr Sr Inc Ltd Co Corp".split()
_OTHERS = "vs No Nos Fig Figs Eq approx e.g i.e cf al".split()

ABBREVIATIONS = frozenset((*_BEFORE_NAMES, *_AFTER_NAMES, *_OTHERS))
"""Abbreviations without their last stop, in the case in which they are written.

"No" is one, "no" is a word; so compare with the case of the text.
"""

TITLES = frozenset(
    "mr mrs ms miss dr prof professor sir dame lord lady king queen prince princess president vice"
    " senator governor mayor judge justice chief general captain colonel major minister prime"
    " secretary st saint pope father sister brother jr sr chancellor emperor director chairman ceo"
    " officer police detective coach former".split()
)
"""Titles that stand beside a name and are no part of it, in small letters."""

_LISTED = "|".join(re.escape(each) for each in sorted(ABBREVIATIONS, key=len, reverse=True))

ABBREVIATED = rf"\b(?:[A-Z]|{_LISTED})"
"""The pattern of an abbreviation or an initial without its stop."""

_ENDING = re.compile(rf"{ABBREVIATED}\.\Z")


def ends_in_abbreviation(text: str) -> bool:
    """Return whether the full stop that a text ends in is that of an abbreviation or an initial.

    Examples:
        >>> [ends_in_abbreviation(text) for text in ("See Fig.", "by J.", "He said no.", "et al")]
        [True, True, False, False]
    """
    return _ENDING.search(text) is not None
