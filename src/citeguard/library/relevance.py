"""Whether sentences answer a question, by words, without a language model: `AskedQuestion`."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, fields
from functools import lru_cache
from itertools import pairwise
from math import fsum

from citeguard.facts import contrasts
from citeguard.facts.tables import memberships, root
from citeguard.judges.short_answers.extractor import LexicalExtractor, candidates
from citeguard.judges.short_answers.kinds import asked_for
from citeguard.language.sentences import sentence_intervals
from citeguard.language.terms import FUNCTION_WORDS
from citeguard.language.tokens import tokenize
from citeguard.verifier.model import shipped_model

_ROOT = 4  # letters that related words share
_MOST_READ = 2_048
_NEAR = 5  # words apart at which neighbours of the question are still together


@dataclass(frozen=True, slots=True, kw_only=True)
class Relevance:
    """How likely sentences answer a question.

    Attributes:
        score: The probability, 0 to 1, that they answer it; higher is better.
        missing: The words of the question that neither the sentences nor what is around them have,
            as the question writes them, the rarest first.
    """

    score: float
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Features:
    covered: float
    covered_plain: float
    around: float
    rarest_gone: float
    rarest_lacking: float
    names: float
    names_gone: float
    names_lacking: float
    numbers_gone: float
    docs_gone: float
    docs_rarest: float
    docs_names: float
    local: float
    local_rarest: float
    rival: float
    rivals: float
    title: float
    answer: float
    near: float
    candidates: float
    has_kind: float
    pairs: float
    compact: float
    last: float
    first: float
    unit: float
    length: float
    asked: float
    reverse: float
    conflict_name: float
    conflict_number: float
    conflict_opposite: float
    conflict_other: float
    unknown_name: float
    negation: float
    is_number: float
    is_date: float
    is_person: float
    is_place: float
    is_name: float
    is_phrase: float
    is_open: float
    is_yes_no: float
    known: float
    fresh: float
    fresh_near: float
    fresh_local: float
    fresh_rarest: float
    fresh_gone: float
    fresh_count: float
    near_share: float
    near_rarest: float
    lacks_number: float
    lacks_date: float
    lacks_name: float
    lacks_unit: float
    in_title: float
    opposed: float
    best_of: float


@dataclass(frozen=True, slots=True)
class _Term:
    key: str
    text: str
    weight: float
    is_name: bool
    is_number: bool


class AskedQuestion:
    def __init__(self, text: str, *, background: Iterable[str] = ()) -> None:
        self.text = text
        self.asked = asked_for(text)
        self.terms = _terms_of(text)
        self.total = fsum(term.weight for term in self.terms) or 1.0
        passages = tuple(dict.fromkeys(background))
        self.known = bool(passages)
        words = [_words(p) for p in passages]
        like = [[w.likeness(t.key) for w in words] for t in self.terms]
        self.in_docs = [max(row, default=1.0) for row in like]
        df = [sum(x > 0 for x in row) for row in like]
        n = len(passages)
        local = [math.log((n + 1) / (d + 0.5)) if n else 1.0 for d in df]
        self.local = [t.weight * l for t, l in zip(self.terms, local, strict=True)]
        self.local_total = fsum(self.local) or 1.0
        shares = []
        for p in passages:
            for a, b in sentence_intervals(p):
                s = p[a:b]
                shares.append(self._share(_words(s)))
        self.shares = sorted(shares, reverse=True)

    def _share(self, words: _Words) -> float:
        return fsum(t.weight * words.likeness(t.key) for t in self.terms) / self.total

    def features(
        self, sentences: str, *, before: str = "", headings: Sequence[str] = (), title: str = "", nearby: str = "",
    ) -> Features:
        here = _words(sentences)
        above = _words(" \n".join((*headings, title)))
        prior = _words(before)
        T = self.terms
        found = [here.likeness(t.key) for t in T]
        ctx = [max(f, 0.8 * above.likeness(t.key), 0.6 * prior.likeness(t.key)) for f, t in zip(found, T, strict=True)]
        total = self.total
        covered = fsum(t.weight * f for t, f in zip(T, found, strict=True)) / total
        around = fsum(t.weight * f for t, f in zip(T, ctx, strict=True)) / total
        lacking = [t for t, f in zip(T, found, strict=True) if not f]
        gone = [t for t, f in zip(T, ctx, strict=True) if not f]
        docgone = [t for t, f in zip(T, self.in_docs, strict=True) if not f]
        names = [t for t in T if t.is_name]
        titled = [above.likeness(t.key) for t in T]
        nearw = _words(nearby)
        round_ = [max(f, 0.8 * a, 0.6 * nearw.likeness(t.key)) for f, a, t in zip(found, titled, T, strict=True)]

        def fresh_share(values: Sequence[float]) -> float:
            whole = fsum(t.weight for t, a in zip(T, titled, strict=True) if not a)
            return fsum(t.weight * f for t, f, a in zip(T, values, titled, strict=True) if not a) / whole if whole else 1.0

        ranked = LexicalExtractor().ranked(self.text, sentences)
        kind = self.asked.kind
        possible = candidates(sentences, kind)
        diff = Counter(
            ("unknown" if c.kind == "name" and not c.found else c.kind)
            for c in contrasts(self.text, sentences)
        )
        n = len(T)
        pairs = list(pairwise(t.key for t in T))
        together = sum(here.near(a, b) for a, b in pairs)
        places = [here.places[t.key][0] for t in T if t.key in here.places]
        compact = (len(places) / (max(places) - min(places) + 1)) if places else 0.0
        weight_here = fsum(_rarity(k) for k in here.keys) or 1.0
        said = fsum(_rarity(k) for k in here.keys if any(t.key == k for t in T))
        return Features(
            covered=covered,
            covered_plain=sum(found) / (n or 1),
            around=around,
            rarest_gone=max((t.weight for t in gone), default=0.0) / 10,
            rarest_lacking=max((t.weight for t in lacking), default=0.0) / 10,
            names=float(len(names)),
            names_gone=float(sum(t.is_name for t in gone)),
            names_lacking=float(sum(t.is_name for t in lacking)),
            numbers_gone=float(sum(t.is_number for t in lacking)),
            docs_gone=fsum(t.weight for t in docgone) / total,
            docs_rarest=max((t.weight for t in docgone), default=0.0) / 10,
            docs_names=float(sum(t.is_name for t in docgone)),
            local=fsum(w * f for w, f in zip(self.local, found, strict=True)) / self.local_total,
            local_rarest=max((w for w, f in zip(self.local, ctx, strict=True) if not f), default=0.0) / 10,
            rival=(self.shares[0] if self.shares else covered) - covered,
            rivals=float(sum(s > covered + 1e-6 for s in self.shares)),
            title=fsum(t.weight * above.likeness(t.key) for t in T) / total,
            answer=ranked[0].score if ranked else 0.0,
            near=float(len(ranked)),
            candidates=float(len(possible)),
            has_kind=float(bool(ranked)),
            pairs=together / (len(pairs) or 1),
            compact=compact,
            last=found[-1] if found else 0.0,
            first=found[0] if found else 0.0,
            unit=float(self.asked.unit is not None and here.likeness(self.asked.unit) > 0) - float(self.asked.unit is not None),
            length=math.log(1 + len(here.keys)),
            asked=math.log(1 + n),
            reverse=said / weight_here,
            conflict_name=float(diff["name"] + diff["roles"]),
            conflict_number=float(diff["number"]),
            conflict_opposite=float(diff["opposite"] + diff["exclusive"]),
            conflict_other=float(diff["quantity"] + diff["modality"]),
            unknown_name=float(diff["unknown"]),
            negation=float(diff["negation"]),
            is_number=float(kind == "number"),
            is_date=float(kind == "date"),
            is_person=float(kind == "person"),
            is_place=float(kind == "place"),
            is_name=float(kind == "name"),
            is_phrase=float(kind == "phrase"),
            is_open=float(kind == "open"),
            is_yes_no=float(kind == "yes_no"),
            known=float(self.known),
            fresh=fresh_share(found),
            fresh_near=fresh_share(round_),
            fresh_local=fsum(w * f for w, f, a in zip(self.local, found, titled, strict=True) if not a) / (fsum(w for w, a in zip(self.local, titled, strict=True) if not a) or 1.0) if not all(titled) else 1.0,
            fresh_rarest=max((t.weight for t, f, a in zip(T, found, titled, strict=True) if not f and not a), default=0.0) / 10,
            fresh_gone=float(sum(not f and not a for f, a in zip(round_, titled, strict=True))),
            fresh_count=float(sum(f > 0 and not a for f, a in zip(found, titled, strict=True))),
            near_share=fsum(t.weight * f for t, f in zip(T, round_, strict=True)) / total,
            near_rarest=max((t.weight for t, f in zip(T, round_, strict=True) if not f), default=0.0) / 10,
            lacks_number=float(kind == "number" and not ranked),
            lacks_date=float(kind == "date" and not ranked),
            lacks_name=float(kind in ("person", "place", "name") and not ranked),
            lacks_unit=float(kind == "number" and bool(self.asked.unit) and not here.likeness(self.asked.unit or "")),
            in_title=float(sum(map(bool, titled))),
            opposed=float(sum(here.opposes(t.key) and not f for t, f in zip(T, found, strict=True))),
            best_of=float(bool(self.shares) and covered >= self.shares[0] - 1e-6),
        )


def _rarity(key: str) -> float:
    return shipped_model().rarity_of(key)


class _Words:
    """The content words of a text, to look up those of a question."""

    def __init__(self, text: str) -> None:
        self.places: dict[str, list[int]] = {}
        n = 0
        for token in tokenize(text):
            if token.kind == "mark":
                continue
            n += 1
            if token.kind in ("word", "number", "character") and token.key not in FUNCTION_WORDS:
                key = root(token.key) if token.kind == "word" else token.key
                self.places.setdefault(key, []).append(n)
        self.keys = frozenset(self.places)
        self._roots: dict[str, list[str]] = {}
        self._groups: set[tuple[str, int]] = set()
        table = memberships()
        for key in self.keys:
            if len(key) > _ROOT:
                self._roots.setdefault(key[:_ROOT], []).append(key)
            for m in table.get(key, ()):
                if m.kind != "loose":
                    self._groups.add((m.name, m.group))

    def likeness(self, key: str) -> float:
        """Return 1 if the text has a word, less for a related one, else 0."""
        if key in self.keys:
            return 1.0
        related = (_shared(key, other) for other in self._roots.get(key[:_ROOT], ()))
        best = max((share for share in related if share >= 0.6), default=0.0)
        if not best and self._groups and any((m.name, m.group) in self._groups for m in memberships().get(key, ())):
            return 0.7
        return best

    def opposes(self, key: str) -> bool:
        return any(
            (m.name, 1 - m.group) in self._groups for m in memberships().get(key, ()) if m.kind == "opposite"
        )

    def near(self, one: str, other: str) -> bool:
        return any(
            abs(a - b) <= _NEAR
            for a in self.places.get(one, ())[:3]
            for b in self.places.get(other, ())[:3]
        )


@lru_cache(maxsize=_MOST_READ)
def _words(text: str) -> _Words:
    return _Words(text)


def _shared(one: str, other: str) -> float:
    pairs = zip(one, other, strict=False)
    common = next((place for place, (a, b) in enumerate(pairs) if a != b), None)
    length = min(len(one), len(other)) if common is None else common
    return length / max(len(one), len(other)) if length > _ROOT else 0.0


def _terms_of(question: str) -> tuple[_Term, ...]:
    found: dict[str, _Term] = {}
    first = True
    for token in tokenize(question):
        if token.kind in ("word", "number", "character") and token.key not in FUNCTION_WORDS:
            key = root(token.key) if token.kind == "word" else token.key
            found.setdefault(key, _Term(key, token.text, _rarity(key), not first and token.text[:1].isupper(), token.kind == "number"))
        first = False
    return tuple(found.values())
