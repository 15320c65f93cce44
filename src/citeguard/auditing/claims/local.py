"""Claims found by rules, without a model: `LocalClaims`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from citeguard.auditing.claims.checkable import kind_of, set_aside
from citeguard.auditing.claims.claim import Claim, Extraction
from citeguard.auditing.claims.splitting import Part, split
from citeguard.auditing.claims.units import FILLER, TextUnit, filled_end, spoken, units
from citeguard.auditing.claims.words import (
    SentenceWord,
    has_finite_verb,
    is_command,
    is_finite,
    read_words,
)
from citeguard.language.grammar import (
    AUXILIARIES,
    DEMONSTRATIVES,
    DETERMINERS,
    PREPOSITIONS,
)
from citeguard.language.sentences import Interval

_LONGEST_CONTEXT = 400  # characters
_LONGEST_LABEL = 7  # words
_TRAILING = frozenset(".,;:!?…—–-。！？；：，、|")
_POINTING = DEMONSTRATIVES | {"such"}
# Not "I", "you" and "we", which refer to those who speak.
_PRONOUNS = frozenset("he him his himself she her herself it its itself they them their".split())

# "However,", "According to the passage,", "It is important to note that".
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
_SAYS = (
    r"says?|said|states?|stated|notes?|noted|shows?|shown|reports?|reported|explains?|explained"
    r"|mentions?|mentioned|describes?|described|indicates?|indicated"
)
_AS_SAID = (
    r"as (?:said|stated|noted|shown|seen|reported|explained|mentioned|described|indicated)"
    r" (?:in|by)"
)
# A source that only citation marks name, which are blanked: "According to [1] and [2],".
_NO_SOURCE = r"\s*(?:(?:and|or|,)\s+)*"
_NO_SOURCE_LAST = re.compile(
    rf",?\s(?:according to|as per|{_AS_SAID}){_NO_SOURCE}(?:and|or)?\Z", re.IGNORECASE
)
_FRAMING = re.compile(
    rf"(?:(?:{_ADVERBS}),\s+"
    rf"|(?:according to|based on|as per|as stated in|as mentioned in|as described in|per|from|in)\s"
    rf"{_GIVEN}{_TEXTS}(?:\s(?:provided|given|above|you provided|\d))?\s*,\s+"
    r"|(?:and|but|so|yet)\s+(?=\w)"
    r"|(?:(?:please |do |also )?(?:note|be aware|keep in mind|bear in mind|remember) that"
    r"|please (?:note|remember)|remember,|(?:do not|don['’]t) forget that)"
    r",?\s+"
    r"|it should be noted that\s+"
    rf"|(?:{_AS_SAID}|according to|based on|as per|per|in){_NO_SOURCE},\s+"
    rf"|as{_NO_SOURCE}\s(?:{_SAYS}),\s+"
    r"|(?:note|answer|summary|conclusion|response):\s+"
    r"|(?:it is|it's) (?:important|worth|interesting) (?:to note|noting|to mention|mentioning)"
    r"(?: that)?,?\s+)+",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class LocalClaims:
    """Finds the claims of texts by rules: no model, the same result every time.

    Sentences are split where each part stands alone, with its subject carried over. A claim that
    begins with a pronoun has the words before it as its context. The rules are for English:
    sentences of other languages are one claim each. Takes less than a millisecond a sentence.

    Examples:
        >>> (found,) = LocalClaims().extract(["Anna left Rome and moved to Paris. Is that so?"])
        >>> [(claim.text, claim.set_aside) for claim in found.claims]
        [('Anna left Rome', None), ('Anna moved to Paris', None), ('Is that so?', 'question')]
    """

    def extract(self, texts: Sequence[str], /) -> list[Extraction]:
        """Return the claims of each text, in order."""
        return [Extraction(claims=tuple(_claims(text))) for text in texts]


def _claims(text: str) -> Iterator[Claim]:
    before: list[str] = []  # the sentences that a pronoun may refer to
    for unit in units(text):
        if not any(map(str.isalnum, unit.plain)):
            continue
        words = [] if unit.form == "code" else read_words(unit.plain)
        yield from _of_unit(unit, words, before)
        if unit.form in ("heading", "code"):
            before = []
        else:
            before = [*(before[-1:] if _leans(words) else []), spoken(unit.plain)]


def _of_unit(
    unit: TextUnit, words: Sequence[SentenceWord], before: Sequence[str]
) -> Iterator[Claim]:
    reason = set_aside(unit, words)
    if reason or not words:
        is_code = unit.form == "code"
        yield Claim(
            text=" ".join(unit.plain.split()) if is_code else spoken(unit.plain),
            start=unit.start,
            end=unit.end,
            sentence=(unit.start, unit.end),
            kind=kind_of(words),
            set_aside=reason,
        )
        return
    label, own = _without_label(unit, words)
    parts = [Part(0, len(own))] if unit.form == "row" else split(own)
    for part in parts:
        start, end = _without_ends(own, part.start, part.end)
        if not part.carried:
            start = _without_framing(unit, own, start, end)
        if start < end:
            yield _claim(unit, own, Part(start, end, part.carried), label, before)


def _claim(
    unit: TextUnit, words: Sequence[SentenceWord], part: Part, label: str, before: Sequence[str]
) -> Claim:
    pieces = [*part.carried, (part.start, part.end)]
    read = [word for piece in pieces for word in words[slice(*piece)]]
    first, last = words[part.start].start, words[part.end - 1].end
    context = [unit.lead] if unit.form in ("item", "row") else []
    if _leans(read):
        if part.start <= 1 or _leans(words):
            context += [each for each in before if each.rstrip(":") != unit.lead or not context]
        if part.start > 1:
            near = words[max(0, part.start - 1 - _LONGEST_CONTEXT) : part.start]
            context.append(text_of(unit.plain, [(near[0].start, near[-1].start)]))
    return Claim(
        text=text_of(unit.plain, [_interval(words, piece) for piece in pieces]),
        start=unit.start + first,
        end=unit.start + filled_end(unit.plain, last),
        sentence=(unit.start, unit.end),
        kind=kind_of(read),
        context=" ".join(filter(None, [*context, label]))[-_LONGEST_CONTEXT:],
    )


def _leans(words: Sequence[SentenceWord]) -> bool:
    """Return whether words refer to something before them, by a pronoun before any noun."""
    for at, word in enumerate(words):
        if word.key in _PRONOUNS or (at == 0 and word.key in _POINTING):
            return True
        is_noun = word.kind in ("word", "quotation") and word.key not in _NO_NOUNS
        if is_noun and not is_finite(words, at):
            return False
    return False


_NO_NOUNS = DETERMINERS | PREPOSITIONS | AUXILIARIES | frozenset("and but so as if when".split())


def _without_framing(unit: TextUnit, words: Sequence[SentenceWord], start: int, end: int) -> int:
    """Return the first word of a part after "however," and the like."""
    if start >= end:
        return start
    first = words[start].start
    framing = _FRAMING.match(unit.plain, first, words[end - 1].end)
    framed = framing.end() if framing else first
    return next((at for at in range(start, end) if words[at].start >= framed), end)


def _without_label(
    unit: TextUnit, words: Sequence[SentenceWord]
) -> tuple[str, Sequence[SentenceWord]]:
    """Return the label before the words of a sentence, and these without label and framing."""
    last = _NO_SOURCE_LAST.search(unit.plain.rstrip(" ."))
    end = last.start() if last else len(unit.plain)
    own = [word for word in words if word.end <= end] or words
    own = own[_without_framing(unit, own, 0, len(own)) % len(own) :]
    if unit.form == "row" or not (after := _label_end(own)):
        return "", own
    label = text_of(unit.plain, [(own[0].start, own[after - 2].end)])
    own = own[after:]
    return label, own[_without_framing(unit, own, 0, len(own)) % len(own) :]


def _label_end(words: Sequence[SentenceWord]) -> int:
    """Return the place of the word after a label, as "Speed: the car is fast"; 0 without one.

    A clause or a command must follow: "Name: Smile Cafe" is one claim.
    """
    for at in range(1, min(len(words) - 1, _LONGEST_LABEL)):
        if is_finite(words, at):
            return 0
        is_dash = words[at].text in "–—-" and words[at - 1].end < words[at].start
        if words[at].text == ":" or (is_dash and words[at].end < words[at + 1].start):
            is_clause = has_finite_verb(words[at + 1 :]) or is_command(words, at + 1)
            return at + 1 if is_clause else 0
    return 0


def text_of(plain: str, pieces: Sequence[Interval]) -> str:
    """Return the words of some intervals of a sentence, one after the other."""
    joined = " ".join(plain[start:end] for start, end in pieces).replace(FILLER, "")
    if " | " in joined:  # the cells of a row
        first, *others = filter(None, map(str.strip, joined.split("|")))
        joined = f"{first}: {', '.join(others)}"
    return re.sub(r"\s+(?=[.,;:!?)\]%](?:\s|\Z))", "", " ".join(joined.split()))


def _interval(words: Sequence[SentenceWord], piece: Interval) -> Interval:
    return words[piece[0]].start, words[piece[1] - 1].end


def _without_ends(words: Sequence[SentenceWord], start: int, end: int) -> Interval:
    while start < end and words[start].text in _TRAILING:
        start += 1
    while end > start and words[end - 1].text in _TRAILING:
        end -= 1
    return start, end
