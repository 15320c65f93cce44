"""Whether two questions ask for the same, so that the answer to one serves the other."""

from __future__ import annotations

import re

from citeguard.facts.aligned import differences
from citeguard.reader.answering import answer_probabilities
from citeguard.reader.model import is_installed

# A stored answer is served without a look at the documents, so the reader must be surer of it than
# of a sentence: it gives "When is dinner free?" .93 for "Lunch is free on Fridays.", and "On which
# day is lunch free?" .96. A question that is not recognized is answered anew.
_SURE = 0.95
_PUNCTUATION = re.compile(r"[,;:.?!…¿¡。？！]+(?=\s|\Z)|(?:\A|(?<=\s))[¿¡]+")


def has_same_words(one: str, other: str) -> bool:
    """Return whether two texts are the same but for case, white space and punctuation.

    Examples:
        >>> has_same_words("When is lunch free?", "when is lunch  free")
        True
    """
    return (words := _words(one)) == _words(other) and any(map(str.isalnum, words))


def _words(text: str) -> str:
    # Not casefold: "Maße" and "Masse" are two words.
    return " ".join(_PUNCTUATION.sub("", text.lower()).split())


def answers_too(question: str, other: str, answer: str) -> bool:
    """Return whether the answer to another question answers a question.

    The reader says so, and no number, name or negation of one question stands in the place of
    another one in the other. False without the extra `reader`.
    """
    if not is_installed() or differences(question, other) or differences(other, question):
        return False
    return answer_probabilities(question, [answer])[0] >= _SURE


def same_question(one: tuple[str, str], other: tuple[str, str]) -> bool:
    """Return whether two questions, each with its answer, ask for the same.

    They do if their words are the same, or if the answer to each answers the other.

    Examples:
        >>> same_question(("When is lunch free?", "On Fridays."), ("Who pays?", "The guests."))
        False
    """
    return has_same_words(one[0], other[0]) or (
        answers_too(one[0], *other) and answers_too(other[0], *one)
    )
