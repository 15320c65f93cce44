"""Whether the sentence that a quote was cut from denies it."""

from __future__ import annotations

import re

_SENTENCE_BREAK = re.compile(r"[.!?][\"'”’)]*\s|[。！？]|\n\s*\n")
_DENIAL_BEFORE = re.compile(
    r"\b(?:false|untrue|not true|incorrect|wrong|mistaken|inaccurate|not the case|(?:a )?(?:myth|lie|hoax|misconception|fallacy|rumou?r)"
    r"|no (?:evidence|proof|indication|sign|truth|doubt against)|not (?:clear|known|certain|proven|mean|say|claim|believe|think|show|imply|suggest)"
    r"|never (?:said|claimed|proved|shown)|den(?:y|ies|ied|ying)|disput\w+|refut\w+|debunk\w+|reject\w+|disprov\w+|doubt\w*|contrary to"
    r"|far from|falsely|wrongly|mistakenly|erroneously|cannot be said|fail(?:s|ed)? to show)\b[^.;!?]{0,60}$"
    r"|\b(?:not|never|cannot|n[o'’]t|hardly|without|neither|nor|no)\s+(?:\w+\s+)?$|n['’]t\s+(?:\w+\s+)?$",
    re.IGNORECASE,
)
_DENIAL_AFTER = re.compile(
    r"^[\s,;\"”’')]*(?:—|-|which |this |that |a claim (?:that )?|an? \w+ (?:that )?)?\s*(?:is|was|are|were|has been|have been|turned out to be|proved)"
    r" (?:false|untrue|not true|not the case|a myth|a lie|a hoax|incorrect|wrong|refuted|debunked|disproved|disproven|rejected|denied)\b",
    re.IGNORECASE,
)
_REACH = 240  # characters of the sentence that are read on either side


def is_denied(text: str, start: int, end: int) -> bool:
    """Tell whether the sentence around `text[start:end]` denies what the interval says.

    Reads fixed English phrases such as "It is false that …" and "… is a myth", and a negator right
    before the interval. It is a flag for the reader, not a proof.

    Example:
        >>> text = "It is false that the drug is safe."
        >>> is_denied(text, 17, 33)
        True
    """
    before = _SENTENCE_BREAK.split(text[max(0, start - _REACH) : start])[-1]
    after = _SENTENCE_BREAK.split(text[end : end + _REACH], maxsplit=1)[0]
    return bool(_DENIAL_BEFORE.search(before) or _DENIAL_AFTER.search(after))
