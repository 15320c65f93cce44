"""Whether the sentence around a quote denies it."""

from __future__ import annotations

import re

_REACH = 240  # characters of the sentence that are read on either side
_NEGATOR_REACH = 40  # characters before a quote in which a negator may deny its first words
_BETWEEN = " \t\r\n:,\"“‘'"
_INTRODUCTIONS = ("that", "to say", "whether", "claim", "claims")
_STOPS = (". ", "! ", "? ", ".\n", "!\n", "?\n", "\n\n", "。", "！", "？", '." ', ".” ")
_DENIED = (
    r"false|untrue|not true|not the case|a myth|a lie|a hoax|incorrect|wrong|refuted|debunked"
    r"|disprove[dn]|rejected|denied|a mistake|a misconception"
)
# "It is false that …", "No study has shown that …", "He denied claims that …": a denial in the
# clause that ends where the quote begins.
_CLAUSE_BEFORE = re.compile(
    r"(?:\b(?:not|never|no|nobody|none|neither|nor|without|cannot|hardly|false|falsely|untrue"
    r"|incorrect|wrong|wrongly|mistake|mistaken|mistakenly|myth|lie|hoax|misconception|fallacy"
    r"|rumou?r|fail(?:s|ed|ing)?|den(?:y|ies|ied|ying)|dismiss\w*|disput\w+|refut\w+|debunk\w+|reject\w*|disprov\w+"
    r"|doubt\w*|contrary)\b|n['’]t\b)[^.;!?]{0,120}\b(?:that|to say|whether|claims?)"
    r"[\s:,]*[\"“‘']?\Z",
    re.IGNORECASE,
)
# "Nobody doubts that …", "It cannot be denied that …"
_DOUBLY_DENIED = re.compile(
    r"\b(?:few|nobody|no one|none|not|never|cannot|hardly|without|n['’]t)\b[^.;!?]{0,30}"
    r"\b(?:doubt|den[iy]|disput|question|reject|refut)",
    re.IGNORECASE,
)
_WORD_BEFORE = re.compile(
    r"(?:\b(?:not|never|cannot|hardly|without|neither|nor|no)|n['’]t)\s+(?:\w+\s+)?\Z",
    re.IGNORECASE,
)
_CLAUSE_AFTER = re.compile(
    r"[\s,;\"”’')—-]*(?:which |this |that |an? \w+ (?:that )?)?"
    r"(?:is|was|are|were|has been|have been|turned out to be|proved)"
    rf" (?:(?!not|never|hardly)\w+ )?(?:{_DENIED})\b",
    re.IGNORECASE,
)


def is_denied(text: str, start: int, end: int) -> bool:
    """Return whether the sentence around `text[start:end]` denies what the interval says.

    Recognizes fixed English phrases, such as "It is false that …" and "… is a myth", and a negator
    right before the interval. The result is a hint for the reader, not a proof.

    Examples:
        >>> text = "It is false that the drug is safe."
        >>> is_denied(text, 17, 33)
        True
    """
    before = text[max(0, start - _REACH) : start]
    stops = [place + len(stop) for stop in _STOPS if (place := before.rfind(stop)) >= 0]
    before = before[max(stops, default=0) :]
    # The patterns are costly, and most sentences do not end like this.
    introduced = before.rstrip(_BETWEEN).lower().endswith(_INTRODUCTIONS)
    if introduced and _CLAUSE_BEFORE.search(before) and not _DOUBLY_DENIED.search(before):
        return True
    if before and _WORD_BEFORE.search(before[-_NEGATOR_REACH:]):
        return True
    return _CLAUSE_AFTER.match(text, end, end + _REACH) is not None
