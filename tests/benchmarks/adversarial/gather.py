"""Gather cases: drafts of natural sentences, sources around them, a check that all is sound."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from random import Random

from .cases import (
    Case,
    Draft,
    Place,
)
from .corpus import Corpus, Text, TextMaker, letters_and_digits
from .honest import fragment

DraftMaker = Callable[[Draft, Random], Draft | None]

_IDS = ("s{}", "doc-{}", "{}", "report_{}.pdf", "https://example.org/{}", "Kapitel {}", "chunk{}")
_CUT_ALLOWED = ("clipped_",)
_BY_MARKS_OR_CASE = (
    "range_",
    "power",
    "sign_",
    "unit",
    "us_and_US",
    "contested_",
    "identifier",
    "percent",
    "currency",
    "number_decimal",
    "number_thousands",
    "noise_and_symbol",
    "magnitude",
    "ellipsis_",
    "sentence_skipped",
    "nothing",
)


def squashed(text: str) -> str:
    """Fold case and whitespace."""
    return " ".join(text.casefold().split())


class Gatherer:
    """Turns makers of drafts into sound cases, with sources around them and ids."""

    def __init__(self, corpus: Corpus, limit: int) -> None:
        self.corpus = corpus
        self.limit = limit

    def drafts(self, category: str, maker: TextMaker, most: int | None = None) -> Iterator[Draft]:
        """Make up to the limit of drafts, from as many different texts as possible."""
        made = 0
        for number, (text, index) in enumerate(self.corpus.shuffled(category)):
            if made >= (most or self.limit):
                return
            draft = maker(text, index, Random(f"{category}/{number}"))
            if draft is not None:
                made += 1
                yield draft

    def cases(
        self, category: str, maker: TextMaker, *, accept: bool, denied: bool | None = None
    ) -> Iterator[Case]:
        """Make the cases of one category, unsound ones left out."""
        made = 0
        for number, draft in enumerate(self.drafts(category, maker, self.limit * 2)):
            case = self.case(
                category, draft, Random(f"{category}:{number}"), accept=accept, denied=denied
            )
            if made < self.limit and is_sound(case):
                made += 1
                yield case

    def case(
        self, category: str, draft: Draft, rng: Random, *, accept: bool, denied: bool | None = None
    ) -> Case:
        """Put a draft's text among none to two others, and name it or not."""
        form = rng.choice(_IDS)
        others = [
            t.body
            for t in rng.sample(self.corpus.natural, rng.choice((0, 0, 1, 2)))
            if t.body[:80] not in draft.text and squashed(draft.quote) not in squashed(t.body)
        ]
        at = rng.randint(0, len(others))
        bodies = [*others[:at], draft.text, *others[at:]]
        sources = {form.format(number): body for number, body in enumerate(bodies, 1)}
        own = form.format(at + 1)
        alternatives = [draft.spans, *([other] for other in draft.others)]
        expected = tuple(tuple(Place(own, *span) for span in spans) for spans in alternatives)
        return Case(
            category=category,
            accept=accept,
            sources=sources,
            quote=draft.quote,
            source_id=own if rng.random() < 0.5 else None,
            expected=expected if accept else (),
            denied=denied,
            note=draft.note,
        )

    def each(self, makers: Mapping[str, TextMaker], *, accept: bool) -> Iterator[Case]:
        """Make the cases of several categories."""
        for category, maker in makers.items():
            yield from self.cases(category, maker, accept=accept)


def is_sound(case: Case) -> bool:
    """Tell whether the right verdict is beyond doubt.

    An accepted case must have its place; a refused quote must stand in no source by another way.
    """
    if case.accept:
        return bool(case.expected) and bool(case.quote.strip())
    if case.category.startswith(_CUT_ALLOWED):
        return True
    if case.category.startswith(_BY_MARKS_OR_CASE):
        return not any(case.quote in " ".join(body.split()) for body in case.sources.values())
    quote = letters_and_digits(case.quote)
    return not any(quote in letters_and_digits(body) for body in case.sources.values())


def of_sentence(maker: DraftMaker) -> TextMaker:
    """Make a maker that is given a verbatim draft of the sentence."""
    return lambda text, index, rng: maker(text.draft(index), rng)


def sentence_or_part(draft: Draft, rng: Random) -> Draft:
    """Quote a whole sentence, mostly, or a part of one."""
    return (fragment(draft, rng, 7, 16) if rng.random() < 0.3 else None) or draft


def verbatim(text: Text, index: int, rng: Random) -> Draft | None:
    """Quote a sentence or a part as it stands."""
    return sentence_or_part(text.draft(index), rng)
