"""The names in a text, by their capitals: `names_in`. What a name means is looked up, not read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from citeguard.language.number_words import MONTH_NAMES, WEEKDAYS
from citeguard.language.sentences import sentence_intervals
from citeguard.language.spelling import is_english_word
from citeguard.language.tokens import FUNCTION_WORDS

# A word with a capital, an initial, or a title such as "Dr."; small words may join two of them.
_WORD = r"(?:(?:[A-Z]\.)+|[^\W_]*[A-ZÀ-ÞΑ-ΩА-Я](?:[\w'’&-]*\w)?(?:(?<=\b[DMJS][rt])\.)?)"
_NAME = re.compile(rf"\b{_WORD}(?: (?:(?:of|the|de|da|di|del|la|le|van|von|for) )*{_WORD})*")
_DATES = frozenset((*MONTH_NAMES, *WEEKDAYS, "i"))
_APPOSITION = re.compile(r", (?:the|an?|who|whose)\b")
# An adjective alone has an article of its own, which is rarely what is meant.
_PEOPLE = re.compile(
    r"\w{3,}(?:ians?|eans?|ish|ese|ists?|ism)|(?:American|Mexican|German|Greek|Roman|Muslim)s?"
    r"|French|Dutch|Welsh|Jewish"
)


@dataclass(frozen=True, slots=True)
class Mention:
    """A name in a text."""

    start: int  # in code points
    end: int  # exclusive
    text: str


Tagger = Callable[[str], Iterable[Mention]]
"""Anything that finds the names of a text, as `names_in` does."""


def names_in(text: str) -> list[Mention]:
    """Return the runs of words with a capital, without what only begins a sentence, in order.

    Dates and adjectives of peoples are left out, and so is a common word that begins a sentence. A
    name too many costs a look-up; names without capitals are missed.
    """
    found: list[Mention] = []
    for start, end in sentence_intervals(text):
        for run in _NAME.finditer(text, start, end):
            words, first = run[0].split(" "), run.start()
            opens = not any(map(str.isalnum, text[start:first]))
            while words and (
                words[0].lower() in _DATES
                or (opens and words[0].lower() in FUNCTION_WORDS and not words[0].isupper())
            ):
                first += len(words.pop(0)) + 1
            while words and words[-1].lower() in _DATES:
                words.pop()
            name = re.sub(r"['’]s?\Z", "", " ".join(words))
            # "Mercury, the singer, was born" begins with a name, "Rain fell" with a common word.
            is_common = is_english_word(name.lower()) and not name.isupper()
            begins = opens and is_common and not _APPOSITION.match(text, run.end())
            if len(name) > 1 and not (len(words) == 1 and (begins or _PEOPLE.fullmatch(name))):
                found.append(Mention(first, first + len(name), name))
    return found
