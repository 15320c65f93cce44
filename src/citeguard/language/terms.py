"""The terms of a text, in the form in which search and support checks compare them.

Inflection is folded ("measured" and "measures" are one term), and function words are ignored.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from citeguard.language.tokens import Token, tokenize

_MOST_STEMS = 100_000
_MOST_TEXTS = 4_096  # the same sentences are compared with many others
_LONGEST_WORD = 60  # letters; what is longer is encoded, and stemming it takes long

FUNCTION_WORDS = frozenset(
    (
        "a an the this that these those of in on at by to from for with as into onto upon about"
        " than and or but if so then there here it its it's he him his she her hers they them"
        " their theirs we us our ours you your yours i me my mine who whom whose which what when"
        " where why how is are was were be been being am isn't aren't wasn't weren't do does did"
        " doing done don't doesn't didn't have has had having will would shall should can could"
        " may might must not no nor s t 's also such both each any all some very just only own"
        " same too while during up down out over under again further because until through"
        " between before after above below"
    ).split()
)


class Term(NamedTuple):
    """A content word, a number, or two neighbouring characters of a script without spaces.

    Attributes:
        key: What is compared.
        start: Offset in the text of its first character, in code points.
        end: Offset after its last one.
    """

    key: str
    start: int
    end: int


def terms(text: str) -> list[Term]:
    """Return the terms of a text, in order.

    Examples:
        >>> [term.key for term in terms("The doses were measured in 2019.")]
        ['dose', 'measur', '2019']
    """
    found: list[Term] = []
    before: Token | None = None
    for token in tokenize(text):
        if token.kind == "word" and token.key not in FUNCTION_WORDS:
            found.append(Term(stem(token.key), token.start, token.end))
        elif token.kind == "number":
            found.append(Term(token.key, token.start, token.end))
        # Words of scripts without spaces are mostly of two characters; pairs need no list of them.
        elif before and before.kind == token.kind == "character" and before.end == token.start:
            found.append(Term(before.key + token.key, before.start, token.end))
        before = token
    return found


@lru_cache(maxsize=_MOST_TEXTS)
def term_keys(text: str) -> frozenset[str]:
    """Return the keys of the terms of a text, each once.

    Examples:
        >>> sorted(term_keys("Doses were measured: a dose."))
        ['dose', 'measur']
    """
    return frozenset(term.key for term in terms(text))


@lru_cache(maxsize=_MOST_STEMS)
def stem(word: str) -> str:
    """Return the stem of an English word (Snowball, "Porter2")."""
    if len(word) > _LONGEST_WORD:
        return word
    import snowballstemmer  # pyright: ignore[reportMissingTypeStubs]  (loaded when needed)

    # A stemmer keeps its word while it works, so threads cannot share one.
    stemmer: Any = snowballstemmer.stemmer("english")  # pyright: ignore[reportUnknownMemberType]
    return str(stemmer.stemWord(word.removesuffix("'s")))
