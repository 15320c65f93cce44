"""Claims found by structure, without a model: `LocalClaims`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from citeguard.auditing.claims.claim import Claim, Extraction
from citeguard.auditing.claims.units import FILLER, TextUnit, filled_end, spoken, units
from citeguard.language.grammar import DEMONSTRATIVES, OBJECT_PRONOUNS, POSSESSIVES, PREPOSITIONS
from citeguard.language.grammar import SUBJECT_PRONOUNS as SUBJECTS
from citeguard.language.tokens import Token, tokenize
from citeguard.reports.report import SetAside

_LONGEST_CONTEXT = 400  # characters
_LONGEST_CALL = 3  # words of what is no sentence but a call: "Great question!"
_LONGEST_POINTER = 5  # words
_LONGEST_TITLE = 12  # words
_SHORT_IN_TITLES = 4  # letters of a word that titles write without a capital, as "with"
_WRITERS = frozenset("i me my mine myself".split())
# Not "I", "you" and "we", which refer to those who speak.
_POINTING = (SUBJECTS | OBJECT_PRONOUNS | POSSESSIVES | DEMONSTRATIVES) - frozenset(
    "i me my you your we us our".split()
)
_TRAILING = " \t\r\n.,;:!?…。！？；：，、|"
# A source that only citation marks name, which are blanked: "According to [1] and [2],".
_SOURCE = r"(?:according to|based on|as per|per|in|as \w+ (?:in|by))\s+(?:(?:and|or|,)\s*)*"
_SOURCE_FIRST = re.compile(rf"\W*{_SOURCE},\s+|as\s+(?:says?|states?|shows?|reports?),\s+", re.I)
_SOURCE_LAST = re.compile(rf",\s+{_SOURCE}\W*\Z", re.I)
_LINK_ALONE = re.compile(r"(?:\w{1,12}:)?(?:\W*(?:https?://|www\.)\S+)+\W*")


@dataclass(frozen=True, slots=True)
class LocalClaims:
    """Finds the claims of texts by their structure: no model, the same result every time.

    Every sentence, item of a list and row of a table is one claim. Set aside are headings, code,
    questions, lines that introduce what follows, short calls ("Great question!"), and sentences
    without a figure in which the writer says "I". A claim that begins with a pronoun has the
    sentence before it as its context. Takes less than a millisecond a sentence.

    Examples:
        >>> (found,) = LocalClaims().extract(["Anna moved to Paris in 1999. Is that so?"])
        >>> [(claim.text, claim.set_aside) for claim in found.claims]
        [('Anna moved to Paris in 1999', None), ('Is that so?', 'question')]
    """

    def extract(self, texts: Sequence[str], /) -> list[Extraction]:
        """Return the claims of each text, in order."""
        return [Extraction(claims=tuple(_claims(text))) for text in texts]


def _claims(text: str) -> Iterator[Claim]:
    before: list[str] = []  # the sentences that a pronoun may refer to
    for unit in units(text):
        if not any(map(str.isalnum, unit.plain)):
            continue
        tokens = [] if unit.form == "code" else tokenize(unit.plain)
        leans = bool(tokens) and tokens[0].key.partition("'")[0] in _POINTING
        yield _claim(unit, _set_aside(unit, tokens), before if leans else [])
        if unit.form in ("heading", "code"):
            before = []
        else:
            before = [*(before[-1:] if leans else []), spoken(unit.plain)]


def _claim(unit: TextUnit, reason: SetAside | None, before: Sequence[str]) -> Claim:
    start, end = 0, len(unit.plain)
    if reason is None:
        first, last = _SOURCE_FIRST.match(unit.plain), _SOURCE_LAST.search(unit.plain)
        start = first.end() if first else 0
        end = len(unit.plain[: last.start() if last else end].rstrip(_TRAILING))
    words = unit.plain[start:end].replace(FILLER, "")
    if unit.form == "row" and reason is None:
        head, *cells = filter(None, map(str.strip, words.split("|")))
        words = f"{head}: {', '.join(cells)}" if cells else head
    context = [unit.lead] if unit.form in ("item", "row") else []
    context += (each for each in before if each.rstrip(":") != unit.lead)
    return Claim(
        text=" ".join(words.split()) if unit.form == "code" else spoken(words),
        start=unit.start + start,
        end=unit.start + filled_end(unit.plain, end),
        sentence=(unit.start, unit.end),
        set_aside=reason,
        context="" if reason else " ".join(filter(None, context))[-_LONGEST_CONTEXT:],
    )


def _set_aside(unit: TextUnit, tokens: Sequence[Token]) -> SetAside | None:
    """Return why the words of a unit are not checkable; `None` if they are."""
    plain = spoken(unit.plain)
    if unit.form in ("code", "heading"):
        return unit.form
    if not any(map(str.isalpha, plain)) or _LINK_ALONE.fullmatch(plain):
        return "no claim"
    if plain.rstrip("\"'”’) ").endswith(("?", "？", "؟")) and not plain.endswith(("”", '"')):
        return "question"
    if any(map(str.isdigit, plain)) or unit.form == "row":
        return None  # a figure can be checked in whatever sentence
    if plain.endswith((":", "：")):
        return "no claim"
    if unit.form == "paragraph" and plain.endswith("!") and len(tokens) <= _LONGEST_CALL:
        return "greeting"
    if any(token.key.partition("'")[0] in _WRITERS for token in tokens):
        return "opinion"
    if unit.form == "paragraph" and len(plain.split()) == 1 and plain.isascii():
        return "no claim"
    # What is left of a pointer to a page without its link: "Read more at [1]."
    if tokens[-1].key in PREPOSITIONS and len(tokens) <= _LONGEST_POINTER:
        return "no claim"
    return "heading" if _is_title(unit, plain) else None


def _is_title(unit: TextUnit, plain: str) -> bool:
    """Return whether a line without a stop is written with capitals, as a title is."""
    words = plain.split()
    if unit.form != "paragraph" or not plain[-1].isalnum() or ":" in plain:
        return False
    long = [word for word in words if len(word) > _SHORT_IN_TITLES and word[0].isalpha()]
    titled = len(long) > 1 and all(word[0].isupper() for word in long)
    return titled and len(words) <= _LONGEST_TITLE
