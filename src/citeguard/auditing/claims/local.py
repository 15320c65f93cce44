"""Claims found by rules, without a model: `LocalClaims`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from citeguard.auditing.claims.checkable import set_aside
from citeguard.auditing.claims.claim import Claim, Extraction
from citeguard.auditing.claims.clauses import Part, split
from citeguard.auditing.claims.framing import framing_end, label_end, number_end, stated_end
from citeguard.auditing.claims.kinds import kind_of
from citeguard.auditing.claims.marks import filled_end, spoken
from citeguard.auditing.claims.pronouns import Resolver, leans
from citeguard.auditing.claims.units import Unit, units
from citeguard.auditing.claims.word_list import NOUNS
from citeguard.auditing.claims.words import Word, read_words, text_of
from citeguard.language.sentences import Interval

_LONGEST_CONTEXT = 400  # characters
_TRAILING = frozenset(".,;:!?…—–-。！？；：，、|")
_PRONOUNS = frozenset("he she it they his her its their".split())


@dataclass(frozen=True, slots=True)
class LocalClaims:
    """Finds the claims of texts by rules: no model, the same result every time.

    Sentences are split where each part stands alone, with its subject carried over; pronouns are
    resolved where only one name fits. The rules are for English: sentences of other languages are
    one claim each. Takes less than a millisecond a sentence, and a second more when first used.

    Examples:
        >>> (found,) = LocalClaims().extract(["Anna left Rome and moved to Paris. Is that so?"])
        >>> [(claim.text, claim.set_aside) for claim in found.claims]
        [('Anna left Rome', None), ('Anna moved to Paris', None), ('Is that so?', 'question')]
    """

    def extract(self, texts: Sequence[str], /) -> list[Extraction]:
        """Return the claims of each text, in order."""
        return [Extraction(claims=tuple(_Reader().read(text))) for text in texts]


class _Reader:
    """Reads one text, and knows what was said before."""

    def __init__(self) -> None:
        self._resolver = Resolver()
        self._said: list[str] = []

    def read(self, text: str) -> Iterator[Claim]:
        for unit in units(text):
            if not any(map(str.isalnum, unit.plain)):
                continue
            words = [] if unit.form == "code" else read_words(unit.plain)
            yield from self._claims(unit, words)
            self._go_on(unit, words)

    def _go_on(self, unit: Unit, words: Sequence[Word]) -> None:
        if unit.form in ("heading", "code"):
            self._resolver.forget()
            self._said = []
            return
        self._resolver.remember(unit.plain, words)
        said = spoken(unit.plain)
        self._said = [*self._said[-1:], said] if leans(words) else [said]

    def _claims(self, unit: Unit, words: Sequence[Word]) -> Iterator[Claim]:
        reason = set_aside(unit, words)
        if reason or not words:
            yield Claim(
                text=_spoken(unit),
                start=unit.start,
                end=unit.end,
                sentence=(unit.start, unit.end),
                kind=kind_of(words),
                set_aside=reason,
            )
            return
        label, own = _parted(unit, words)
        parts = [Part(0, len(own))] if unit.form == "row" else split(own)
        for part in parts:
            if claim := self._claim(unit, own, part, label):
                yield claim

    def _claim(self, unit: Unit, words: Sequence[Word], part: Part, label: str) -> Claim | None:
        start, end = _without_ends(words, part.start, part.end)
        if not part.carried:
            start = _without_framing(unit, words, start, end)
        if start >= end:
            return None
        places = [at for piece in part.carried for at in range(*piece)] + list(range(start, end))
        said = [words[at] for at in places]
        name, at = self._name(unit, words, places)
        pieces = [*(_interval(words, piece) for piece in part.carried)]
        pieces.append((words[start].start, words[end - 1].end))
        unresolved = [word for word in said if not name or word != words[at]]
        text = (
            text_of(unit.plain, pieces) if not name else _named(unit.plain, words, pieces, at, name)
        )
        return Claim(
            text=text,
            start=unit.start + words[start].start,
            end=unit.start + filled_end(unit.plain, words[end - 1].end),
            sentence=(unit.start, unit.end),
            kind=kind_of(said),
            context=self._context(unit, words, start, leans(unresolved), label),
        )

    def _name(self, unit: Unit, words: Sequence[Word], places: Sequence[int]) -> tuple[str, int]:
        """Return the name for the first pronoun of a claim, and the place of that."""
        named = False
        for at in places:
            if words[at].key in _PRONOUNS and (not named or (at and words[at - 1].text == ",")):
                return self._resolver.resolve(unit.plain, words, at), at
            named = named or words[at].tag in NOUNS
        return "", 0

    def _context(
        self, unit: Unit, words: Sequence[Word], start: int, leaning: bool, label: str
    ) -> str:
        """Return what introduces a claim, and what it leans on: what was said just before."""
        lead = unit.lead if unit.form in ("item", "row") else ""
        found = [lead]
        if leaning and start > 1:
            found.append(text_of(unit.plain, [(words[0].start, words[start - 1].start)]))
        if leaning and (start <= 1 or leans(words)):
            found[1:1] = [said for said in self._said if said.rstrip(":") != lead]
        found.append(label)
        return " ".join(filter(None, found))[-_LONGEST_CONTEXT:]


def _spoken(unit: Unit) -> str:
    return " ".join(unit.plain.split()) if unit.form == "code" else spoken(unit.plain)


def _without_framing(unit: Unit, words: Sequence[Word], start: int, end: int) -> int:
    """Return the first word of a part after "however," and the like."""
    if start >= end:
        return start
    first = words[start].start
    framed = first + framing_end(unit.plain[first : words[end - 1].end])
    return next((at for at in range(start, end) if words[at].start >= framed), end)


def _parted(unit: Unit, words: Sequence[Word]) -> tuple[str, Sequence[Word]]:
    """Return the label before the words of a sentence, and these without label and framing."""
    own = _stated(unit, words)
    own = own[number_end(own) :]
    own = own[_without_framing(unit, own, 0, len(own)) % len(own) :]
    if unit.form == "row" or not (end := label_end(own)):
        return "", own
    label = text_of(unit.plain, [(own[0].start, own[end - 2].end)])
    own = own[end:]
    return label, own[_without_framing(unit, own, 0, len(own)) % len(own) :]


def _stated(unit: Unit, words: Sequence[Word]) -> Sequence[Word]:
    """Return the words of a sentence without a question at its end; all if none would be left."""
    end = stated_end(unit.plain)
    return [word for word in words if word.end <= end] or words


def _interval(words: Sequence[Word], piece: Interval) -> Interval:
    return words[piece[0]].start, words[piece[1] - 1].end


def _without_ends(words: Sequence[Word], start: int, end: int) -> Interval:
    while start < end and words[start].text in _TRAILING:
        start += 1
    while end > start and words[end - 1].text in _TRAILING:
        end -= 1
    return start, end


def _named(
    plain: str, words: Sequence[Word], pieces: Sequence[Interval], at: int, name: str
) -> str:
    """Return the words of a claim with a name in the place of a pronoun."""
    said: list[str] = []
    for start, end in pieces:
        if start <= words[at].start < end:
            said += [text_of(plain, [(start, words[at].start)]), name]
            start = words[at].end
        said.append(text_of(plain, [(start, end)]))
    return text_of(joined := " ".join(filter(None, said)), [(0, len(joined))])
