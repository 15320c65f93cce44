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
_FRAMING = re.compile(
    rf"(?:(?:{_ADVERBS}),\s+"
    rf"|(?:according to|based on|as per|as stated in|as mentioned in|as described in|per|from|in)\s"
    rf"{_GIVEN}{_TEXTS}(?:\s(?:provided|given|above|you provided|\d))?\s*,\s+"
    r"|(?:and|but|so|yet)\s+(?=\w)"
    r"|(?:(?:please )?(?:note|be aware|keep in mind|bear in mind) that|please (?:note|remember))"
    r",?\s+"
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
