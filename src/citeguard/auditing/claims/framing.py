"""What a sentence begins with that is not part of what it claims: "However,", "In summary,"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from citeguard.auditing.claims.imperatives import verb_of_command
from citeguard.auditing.claims.phrases import first_clause
from citeguard.auditing.claims.word_list import FINITE
from citeguard.auditing.claims.words import Word

_ADVERBS = (
    "however|therefore|thus|hence|moreover|furthermore|additionally|also|nevertheless|nonetheless"
    "|consequently|accordingly|meanwhile|similarly|likewise|instead|finally|lastly|firstly|secondly"
    "|thirdly|first|second|third|next|then|overall|notably|importantly|interestingly|indeed|in fact"
    "|in addition|in summary|to summarize|to summarise|in conclusion|to conclude|in short|in brief"
    "|in other words|as a result|as such|for example|for instance|in contrast|by contrast|to sum up"
    "|on the other hand|on the one hand|in general|ultimately|so|and|but|yes|no|well|please note"
    "|note|and yet|yet|alternatively|that said|in essence|essentially|besides|plus|specifically"
    "|in particular|to answer your question|after all|of course"
)
_GIVEN = (
    r"(?:the |this |these |your |my )?"
    r"(?:(?:given|provided|above|following|retrieved|available|same|supplied) )?"
)
_TEXTS = (
    r"(?:passages?|information|text|texts|context|contexts|sources?|documents?|articles?|data"
    r"|excerpts?|snippets?|search results|paragraphs?|content|material|story|reviews?|summary)"
)
_TELLS = (
    r"says?|said|states?|stated|notes?|noted|shows?|shown|reports?|reported|explains?|explained"
    r"|mentions?|mentioned|describes?|described|indicates?|indicated"
)
_AS_TOLD = (
    r"as (?:said|stated|noted|shown|seen|reported|explained|mentioned|described|indicated)"
    r" (?:in|by)"
)
# A source that is named by citation marks alone, which are blanked: "According to [1] and [2],".
_NO_SOURCE = r"\s*(?:(?:and|or|,)\s+)*"
_NO_SOURCE_LAST = re.compile(
    rf",?\s(?:according to|as per|{_AS_TOLD}){_NO_SOURCE}(?:and|or)?\Z", re.IGNORECASE
)
_AUXILIARY = (
    r"(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|shall|should|may|might|must)"
)
_TAG_QUESTION = re.compile(
    rf",\s+(?:(?P<is>{_AUXILIARY}|ca|wo)(?P<denied>n?['’]t)?\s+"
    r"(?:i|you|he|she|it|we|they|there)(?P<not>\snot)?|right|correct|no)\s*\?+\s*\Z",
    re.IGNORECASE,
)
_DENIED = re.compile(r"\b(?:not|never|no|nobody|nothing|hardly)\b|n['’]t\b", re.IGNORECASE)
_ASKS = re.compile(
    rf"(?:who|whom|whose|what|which|when|where|why|how|am|{_AUXILIARY})\b", re.IGNORECASE
)
_TOLD_IN_QUESTION = re.compile(r"did you know that\s", re.IGNORECASE)
_FRAMING = re.compile(
    rf"(?:(?:{_ADVERBS}),\s+"
    rf"|(?:according to|based on|as per|as stated in|as mentioned in|as described in|per|from|in)\s"
    rf"{_GIVEN}{_TEXTS}(?:\s(?:provided|given|above|you provided|\d))?\s*,\s+"
    r"|(?:and|but|so|yet)\s+(?=\w)"
    r"|(?:(?:please |do |also )?(?:note|be aware|keep in mind|bear in mind|remember) that"
    r"|please (?:note|remember)|remember,|(?:do not|don['’]t) forget that|did you know that)"
    r",?\s+"
    r"|it should be noted that\s+"
    rf"|(?:{_AS_TOLD}|according to|based on|as per|per|in){_NO_SOURCE},\s+"
    rf"|as{_NO_SOURCE}\s(?:{_TELLS}),\s+"
    r"|(?:note|answer|summary|conclusion|response):\s+"
    r"|(?:it is|it's) (?:important|worth|interesting) (?:to note|noting|to mention|mentioning)"
    r"(?: that)?,?\s+)+",
    re.IGNORECASE,
)


def framing_end(plain: str) -> int:
    """Return where the framing at the beginning of a sentence ends; 0 if there is none.

    Examples:
        >>> plain = "However, according to the passage, it rained."
        >>> plain[framing_end(plain) :]
        'it rained.'
    """
    found = _FRAMING.match(plain)
    return found.end() if found else 0


def stated_end(plain: str) -> int:
    """Return where what a sentence states ends, before "isn't it?" or an emptied "according to".

    Examples:
        >>> plain = "It rained, didn't it?"
        >>> plain[: stated_end(plain)]
        'It rained'
    """
    found = _NO_SOURCE_LAST.search(plain.rstrip(" .")) or _tag_question(plain)
    return found.start() if found else len(plain)


def is_stated(plain: str, words: Sequence[Word]) -> bool:
    """Tell whether a question states something: "Did you know that …?", "…, isn't it?"."""
    if _TOLD_IN_QUESTION.match(plain):
        return True
    tag = _tag_question(plain)
    return tag is not None and any(word.tag in FINITE and word.end <= tag.start() for word in words)


def _tag_question(plain: str) -> re.Match[str] | None:
    """Return the question after a statement, which denies what that affirms, or the other way."""
    found = None if _ASKS.match(plain) else _TAG_QUESTION.search(plain)
    if found is None or found["is"] is None:
        return found
    is_denied = _DENIED.search(plain, 0, found.start()) is not None
    return found if is_denied != bool(found["denied"] or found["not"]) else None


_LONGEST_LABEL = 7  # words


def label_end(words: Sequence[Word]) -> int:
    """Return the place of the word after a label, as "Speed: the car is fast"; 0 without one.

    What follows it must be a clause or a command: "Name: Smile Cafe" is one claim.
    """
    for at in range(1, min(len(words) - 1, _LONGEST_LABEL)):
        if words[at].tag in FINITE:
            return 0
        is_dash = words[at].text in "–—-" and words[at - 1].end < words[at].start
        if words[at].text == ":" or (is_dash and words[at].end < words[at + 1].start):
            is_clause = first_clause(words, at + 1, len(words)) is not None
            return at + 1 if is_clause or verb_of_command(words, at + 1) is not None else 0
    return 0


def number_end(words: Sequence[Word]) -> int:
    """Return the place of the word after the number of a step, as in "4 Stir it"; 0 without one."""
    if len(words) < 3 or words[0].tag != "CD" or not words[0].text.isdecimal():
        return 0
    is_short = len(words[0].text) <= 2 and words[1].text[0].isupper()
    return int(is_short and verb_of_command(words, 1) is not None)
