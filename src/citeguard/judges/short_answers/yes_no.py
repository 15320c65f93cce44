"""Whether a text says yes or no to a question."""

from __future__ import annotations

import re
from dataclasses import dataclass

from citeguard.facts import Contrast, contrasts
from citeguard.language.lexicon import load_lexicon
from citeguard.language.sentences import sentence_intervals
from citeguard.language.terms import terms

# "No actors …" and "No doubt …" are not the answer "no".
_LEADING = re.compile(
    r"\s*(yes|yeah|yep|(?:no|nope)(?=\s*(?:[,.;:!–—-]|\Z)"
    r"|\s+(?:it|he|she|they|there|this|that|these|you|we)\b))\b[\s,.;:!–—-]*",
    re.IGNORECASE,
)
_YES = ("yes", "yeah", "yep")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_RESTRICTING = frozenset("if unless until almost nearly less".split())
_DENYING = frozenset(("false", "falsely"))
# Kinds of contrast in which the text has something else in place of what the question asks about.
_REPLACING = ("opposite", "exclusive", "number", "name", "roles")
_ADDING = (" for ", " with ", " to ", " for the ", " with the ", " to the ")


@dataclass(frozen=True, slots=True)
class FoundPolarity:
    """The answer yes or no that a text gives.

    Attributes:
        yes: Whether it is yes.
        start: Where the words that give it start, in code points.
        end: Where they end, exclusive.
    """

    yes: bool
    start: int
    end: int


def find_yes_or_no(question: str, text: str, *, reply: bool = True) -> FoundPolarity | None:
    """Return the answer that a text gives to a yes-no question, or `None` if it is unclear.

    A sentence with all the content words of the question answers yes, unless it denies one of them
    or has the opposite in place of one. A "Yes" or "No" at the start of the text is an answer by
    itself, and must agree with the rest. A sentence that restricts or hedges ("only", "may",
    "unless") or has two denials is unclear, and so is any question with a denial.

    Args:
        question: A question whose answer is yes or no.
        text: The text that may answer it.
        reply: Whether the text is a reply, so that its first word can be the answer.

    Examples:
        >>> find_yes_or_no("Is the drug safe for children?", "The drug isn’t safe for children.")
        FoundPolarity(yes=False, start=0, end=33)
    """
    if _words(question) & load_lexicon("en").negators or "n't" in question.replace("’", "'"):
        return None
    leading = _LEADING.match(text) if reply else None
    found = _in_sentences(question, text, leading.end() if leading else 0)
    if leading is None:
        return found
    is_yes = leading[1].lower() in _YES
    if found is not None:
        return found if found.yes == is_yes else None
    restricted = _restricting(_words(text))
    return None if restricted else FoundPolarity(is_yes, leading.start(1), leading.end(1))


def _restricting(words: set[str]) -> set[str]:
    return words & (_RESTRICTING | load_lexicon("en").hedges - _DENYING)


def _in_sentences(question: str, text: str, start: int) -> FoundPolarity | None:
    """Return the answer of the sentences that cover the whole question, if they agree."""
    asked = {term.key for term in terms(question)}
    found = [
        FoundPolarity(yes, start + low, start + high)
        for low, high in sentence_intervals(text[start:])
        if (yes := _in_sentence(question, asked, text[start + low : start + high])) is not None
    ]
    return found[0] if asked and len({each.yes for each in found}) == 1 else None


def _in_sentence(question: str, asked: set[str], sentence: str) -> bool | None:
    words, wanted = _words(sentence), _words(question)
    if _restricting(words) - wanted or "?" in sentence:
        return None
    about = {term.key for term in terms(sentence)}
    if 2 * len(asked & about) < len(asked):
        return None  # saves finding contrasts, which takes longer
    found = contrasts(question, sentence)
    replaced = [contrast for contrast in found if contrast.kind in _REPLACING and contrast.found]
    denials = [contrast for contrast in found if contrast.kind == "negation"]
    if len(replaced) + len(denials) < len(found):
        return None  # neither yes nor no follows from the other kinds
    if any(_is_beside(question, contrast) for contrast in replaced):
        return None
    elsewhere = {term.key for contrast in replaced for term in terms(contrast.stated)}
    if asked - elsewhere - about:
        return None
    if not found:
        return True if not words & load_lexicon("en").negators else None
    return False if not (denials and replaced) and len(denials) < 2 else None


def _is_beside(question: str, contrast: Contrast) -> bool:
    """Return whether both may hold: "safe for adults" says nothing about children."""
    return question[: contrast.start].lower().endswith(_ADDING)


def _words(text: str) -> set[str]:
    return {word.lower().replace("’", "'") for word in _WORD.findall(text)}
