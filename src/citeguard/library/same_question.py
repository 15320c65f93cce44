"""Whether a question asks for nothing else than another one, so that it has the same answer.

First version: the same words in the same order, apart from case, articles, inflection, contractions
and numbers written as words, and no contrast of fact.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from citeguard.facts.contrasts import contrasts
from citeguard.facts.tables import root
from citeguard.language.tokens import tokenize
from citeguard.quotes.equivalents import read_quantities

_ARTICLES = frozenset(("a", "an", "the", "please"))


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionMatch:
    """Whether two questions are the same, and what differs; truthy if they are the same.

    Attributes:
        difference: What differs, as "asked / stored"; empty if the questions are the same.
    """

    difference: str = ""

    def __bool__(self) -> bool:
        """Return whether the questions are the same."""
        return not self.difference


def same_question(asked: str, stored: str) -> QuestionMatch:
    """Return whether two questions ask for the same, so that one answer serves both."""
    one, other = _words(asked), _words(stored)
    if one != other or not one:
        extra = " ".join(word for word in one if word not in other)
        missing = " ".join(word for word in other if word not in one)
        return QuestionMatch(difference=f"{extra} / {missing}")
    found = contrasts(asked, stored) or contrasts(stored, asked)
    if found:
        return QuestionMatch(difference=f"{found[0].stated} / {found[0].found}")
    return QuestionMatch()


@lru_cache(maxsize=4_096)
def _words(question: str) -> tuple[str, ...]:
    tokens = [token for token in tokenize(question) if token.kind != "mark"]
    read = read_quantities(question, tokens, "en")
    return tuple(
        root(token.key) if token.kind == "word" else token.key
        for token in read
        if token.key not in _ARTICLES
    )
