"""Wrong texts from true ones: `negatives` of one, `synthesize` and `synthetic_samples` of many.

`kinds` has the rules, which yield rewrites of a text. They are drawn, applied and checked here.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import accumulate, chain, islice
from random import Random
from typing import Any, Literal, get_args

from citeguard.datasets.synthesis.kinds import RULES, Edit, Kind, Material, Rewrite
from citeguard.errors import CiteguardError, check_whole
from citeguard.sources.collection import as_sources

KINDS: tuple[Kind, ...] = get_args(Kind)
QUOTE_ONLY: frozenset[Kind] = frozenset(("stitched", "misattributed", "clipped"))
"""Kinds of which there are quotes only: they are wrong as quotes, whatever they say."""

Target = Literal["quote", "statement"]
Label = Literal["supported", "unsupported", "contradicted", "false"]

_CONTRADICTED: frozenset[Kind] = frozenset(("negation", "number", "unit", "date"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One change of a text.

    Attributes:
        start: Where it starts in the changed text, in code points.
        end: Where it ends, exclusive; `start` where words were only removed.
        text: The new words.
        original: The words that they replace.
    """

    start: int
    end: int
    text: str
    original: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Negative:
    """A quote or a statement that is wrong, made from a true one.

    `dataclasses.asdict` makes JSON of it.

    Attributes:
        kind: What is wrong.
        variant: How it was made wrong, such as `denial added`.
        target: Whether it is a quote or a statement.
        text: The wrong text.
        source_id: The source it claims to be from.
        original: The true text.
        original_source_id: The source of the true text; `source_id` unless `misattributed`.
        changes: What differs, in order; empty if `misattributed`.

    Examples:
        >>> change = Change(start=10, end=13, text="two", original="one")
        >>> negative = Negative(
        ...     kind="number", variant="figure", target="quote", text="Notice is two weeks.",
        ...     source_id="faq", original="Notice is one weeks.", original_source_id="faq",
        ...     changes=(change,),
        ... )
        >>> negative.restored()
        'Notice is one weeks.'
    """

    kind: Kind
    variant: str
    target: Target
    text: str
    source_id: str
    original: str
    original_source_id: str
    changes: tuple[Change, ...] = ()

    def restored(self) -> str:
        """Return the text with every change undone; it is always `original`."""
        text = self.text
        for change in reversed(self.changes):
            text = text[: change.start] + change.original + text[change.end :]
        return text


def label_of(negative: Negative) -> Label:
    """Return the label of a wrong text.

    A wrong quote is not found in its source, or misleads, and supports nothing: `unsupported`. A
    statement is `contradicted` if its negation, number, unit or date is wrong; otherwise it is
    `false`, which may be either.

    Examples:
        >>> made = Negative(
        ...     kind="entity", variant="city", target="statement", text="It is in Rome.",
        ...     source_id="1", original="It is in Paris.", original_source_id="1",
        ... )
        >>> label_of(made)
        'false'
    """
    if negative.target == "quote":
        return "unsupported"
    return "contradicted" if negative.kind in _CONTRADICTED else "false"


def sample_of(
    negative: Negative,
    sources: Any,
    *,
    quote: str | None = None,
    question: str | None = None,
) -> dict[str, Any]:
    """Return a wrong text as a sample: an answer of one statement, with its citation and sources.

    A wrong quote is cited for a statement with the same words. A wrong statement cites the true
    text that it was made from, or the given quote.

    Args:
        negative: The wrong text.
        sources: The sources it was made with.
        quote: The quote that a wrong statement cites, if the true one is not a quote itself.
        question: The question, if there was one.

    Examples:
        >>> from citeguard.datasets import negatives
        >>> rules = "Visitors wear a badge. The notice period is 3 months."
        >>> made = negatives(
        ...     "The notice period is 3 months.", rules, source_id="1", kinds=["negation"]
        ... )[0]
        >>> sample = sample_of(made, rules)
        >>> sample["label"], sample["statements"][0]["citations"][0]["quote"]
        ('unsupported', 'The notice period is not 3 months.')
    """
    return _sample(negative, sources, label_of(negative), quote, question)


def original_sample_of(
    negative: Negative,
    sources: Any,
    *,
    quote: str | None = None,
    question: str | None = None,
) -> dict[str, Any]:
    """Return the true text that a wrong one was made from as a sample, labelled `supported`.

    The arguments are those of `sample_of`; `negative` is `None` in it.
    """
    true = replace(negative, text=negative.original, source_id=negative.original_source_id)
    sample = _sample(true, sources, "supported", quote, question)
    return {**sample, "negative": None}


def _sample(
    negative: Negative, sources: Any, label: Label, quote: str | None, question: str | None
) -> dict[str, Any]:
    text, source_id = negative.text, negative.source_id
    cited = text if negative.target == "quote" else quote or negative.original
    kind = "true" if label == "supported" else negative.kind
    key = "\0".join((kind, negative.target, source_id, text, cited))
    return {
        "id": f"{kind}-{hashlib.sha256(key.encode()).hexdigest()[:12]}",
        "question": question,
        "statements": [{"text": text, "citations": [{"quote": cited, "source_id": source_id}]}],
        "sources": [{"id": source.id, "text": source.text} for source in as_sources(sources)],
        "label": label,
        "negative": asdict(negative),
    }


_ARTICLE = re.compile(r"\b(an?)\s+\Z", re.IGNORECASE)
_VOWEL = re.compile(r"(?!uni|us[eu]|eu|once?\b)[aeiou]|hour|hono|heir|8|1[18]\b", re.IGNORECASE)
_LONGEST = 5_000  # characters of a quote or statement

Item = tuple[str, str, Any]
"""A true text, the id of its source, and its sources: whatever `Sources` accepts."""


def negatives(
    text: str,
    sources: Any,
    *,
    source_id: str,
    kinds: Sequence[Kind] = KINDS,
    seed: int = 0,
    target: Target = "quote",
) -> list[Negative]:
    """Return wrong texts made from a true one, one of each kind that is possible.

    The result of one kind depends on the text, the sources and the seed, not on the other kinds. No
    wrong quote is found in a source, except those that are clipped or misattributed, and no other
    sentence of the sources says the same with the new name, number or date. Whether the true text
    is true is not checked. Nothing is made of a text of more than 5,000 characters. No model is
    called.

    Texts are made wrong by rules of English. From sources in other languages only the kinds
    `number`, `date`, `stitched`, `misattributed` and `clipped` are made, and fewer of these.

    Args:
        text: A quote that is found in the source, or a statement that it supports.
        sources: Whatever `Sources` accepts; several if quotes are to be misattributed.
        source_id: The source that the text is from.
        kinds: The kinds wanted, in the order of the result.
        seed: Another seed gives other texts.
        target: Whether the text is a `quote` or a `statement`. A statement is never `stitched`,
            `misattributed` or `clipped`.

    Raises:
        CiteguardError: a kind or target does not exist, or the seed is not an integer.
        UnknownSourceError: no source has the id.

    Examples:
        >>> rules = "Visitors must wear a badge. The notice period is 3 months. It is paid."
        >>> quote = "The notice period is 3 months."
        >>> for each in negatives(quote, rules, source_id="1", kinds=["negation", "unit"]):
        ...     print(each.kind, "|", each.text)
        negation | The notice period is not 3 months.
        unit | The notice period is 3 weeks.
    """
    _check_choices(kinds, seed, target)
    maker = _Maker((text, source_id, sources), seed, target)
    return [made for kind in dict.fromkeys(kinds) if (made := maker.negative(kind))]


def synthesize(
    items: Iterable[Item],
    *,
    kinds: Sequence[Kind] = KINDS,
    seed: int = 0,
    each: int = 1,
    target: Target = "quote",
) -> Iterator[Negative]:
    """Yield wrong texts made from many true ones, in their order.

    Some of the kinds that a text allows are drawn, rare ones more often, so that all kinds are as
    frequent as possible. The result of an item depends on that item and the seed, not on the items
    before it. Items are read one at a time.

    Args:
        items: True texts, each with the id of its source, and its sources: whatever `Sources`
            accepts. Pass `Sources` that several items share as one object, in consecutive items.
        kinds: The kinds wanted.
        seed: Another seed gives other texts.
        each: The most texts made of an item.
        target: Whether the texts are quotes or statements.

    Raises:
        CiteguardError: a kind or target does not exist, or a number is not an integer.
        UnknownSourceError: no source has the id of an item.

    Examples:
        >>> handbook = {"handbook": "The notice period is 3 months. Lunch is free."}
        >>> items = [("The notice period is 3 months.", "handbook", handbook)]
        >>> [made.text for made in synthesize(items, kinds=["number"])]
        ['The notice period is 6 months.']
    """
    _check_choices(kinds, seed, target)
    check_whole("synthesize(each=...)", each, 1)
    return chain.from_iterable(_Maker(item, seed, target).some(kinds, each) for item in items)


def synthetic_samples(
    items: Iterable[Item],
    *,
    kinds: Sequence[Kind] = KINDS,
    seed: int = 0,
    each: int = 1,
    target: Target = "quote",
    originals: bool = False,
) -> Iterator[dict[str, Any]]:
    """Yield the wrong texts that `synthesize` makes as samples, in the form of `sample_of`.

    Args:
        items: As for `synthesize`, like the others.
        kinds: The kinds.
        seed: The seed.
        each: The most texts made of an item.
        target: Whether the texts are quotes or statements.
        originals: Whether to yield the true text as well, labelled `supported`, before the first
            wrong one that was made of it.

    Raises:
        CiteguardError: as for `synthesize`.

    Examples:
        >>> rules = "Visitors wear a badge. The notice period is 3 months."
        >>> items = [("The notice period is 3 months.", "1", rules)]
        >>> samples = synthetic_samples(items, kinds=["negation"], originals=True)
        >>> [sample["label"] for sample in samples]
        ['supported', 'unsupported']
    """
    _check_choices(kinds, seed, target)
    check_whole("synthetic_samples(each=...)", each, 1)

    def samples_of(item: Item) -> Iterator[dict[str, Any]]:
        maker = _Maker(item, seed, target)
        for number, negative in enumerate(maker.some(kinds, each)):
            if originals and not number:
                yield original_sample_of(negative, maker.sources)
            yield sample_of(negative, maker.sources)

    return chain.from_iterable(map(samples_of, items))


class _Maker:
    """A true text, and what can be made of it."""

    def __init__(self, item: Item, seed: int, target: Target) -> None:
        self._text, source_id, given = item
        self.sources = as_sources(given)
        self._material = Material(self.sources, source_id)
        self._seed = seed
        self._target: Target = target

    def some(self, kinds: Sequence[Kind], most: int) -> Iterator[Negative]:
        """Yield wrong texts of so many kinds, rare ones more often."""
        ranks: dict[Kind, float] = {
            kind: self._random(f"order\0{kind}").random() ** (1 / RULES[kind].weight)
            for kind in KINDS
            if kind in kinds
        }
        drawn = sorted(ranks, key=lambda kind: -ranks[kind])
        return islice(filter(None, map(self.negative, drawn)), most)

    def negative(self, kind: Kind) -> Negative | None:
        """Return a wrong text of a kind, or `None`."""
        rule, original = RULES[kind], self._text
        quote_only = self._target == "statement" and kind in QUOTE_ONLY
        foreign = rule.english and not self._material.is_english
        if not 0 < len(original) <= _LONGEST or quote_only or foreign:
            return None
        random = self._random(kind)
        rewrites = list(rule.find(original, self._material, random))
        random.shuffle(rewrites)
        for rewrite in rewrites:
            text, edits = _rewritten(original, rewrite.edits)
            if self._is_wrong(kind, rewrite, text, edits):
                return Negative(
                    kind=kind,
                    variant=rewrite.variant,
                    target=self._target,
                    text=text,
                    source_id=rewrite.source_id or self._material.source_id,
                    original=original,
                    original_source_id=self._material.source_id,
                    changes=tuple(_changes(original, edits)),
                )
        return None

    def _is_wrong(self, kind: Kind, rewrite: Rewrite, text: str, edits: Sequence[Edit]) -> bool:
        """Return whether a rewritten text is not true, or not in its source, after all."""
        if kind == "misattributed" or text == self._text or kind == "clipped":
            return kind == "misattributed" or text != self._text
        # The sign of a currency is no letter: "€5" is found where "$5" is.
        if rewrite.variant != "currency" and self._material.has(text):
            return False
        new = " ".join(edit.text for edit in edits)
        return not RULES[kind].said or not self._material.says(text, new)

    def _random(self, purpose: str) -> Random:
        # A string seeds alike in every process; the hash of a string does not.
        return Random(f"{self._seed}\0{purpose}\0{self._material.source_id}\0{self._text}")


def _rewritten(text: str, edits: Sequence[Edit]) -> tuple[str, tuple[Edit, ...]]:
    """Return a text with its edits made, and the edits in order as they were made.

    A capital at the beginning of the text, and an "a" or "an" before an edit, is adapted.
    """
    fitted: list[Edit] = []
    for edit in sorted(edits):
        before = text[: edit.start]
        if not before.strip(" \"'“‘([") and text[edit.start : edit.start + 1].isupper():
            edit = edit._replace(text=edit.text[:1].upper() + edit.text[1:])
        article, n = _ARTICLE.search(before), "n" if _VOWEL.match(edit.text) else ""
        if article and edit.text[:1].isalnum() and article[1][1:] != n:
            fitted.append(Edit(article.start(1), article.end(1), article[1][0] + n))
        fitted.append(edit)
    for edit in reversed(fitted):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text, tuple(fitted)


def _changes(text: str, edits: Sequence[Edit]) -> Iterator[Change]:
    """Yield edits of a text, in order, as changes with offsets in the rewritten text."""
    shifts = accumulate((len(e.text) - (e.end - e.start) for e in edits), initial=0)
    for edit, shift in zip(edits, shifts, strict=False):
        start = edit.start + shift
        original = text[edit.start : edit.end]
        yield Change(start=start, end=start + len(edit.text), text=edit.text, original=original)


def _check_choices(kinds: Sequence[Kind], seed: int, target: object) -> None:
    unknown = [kind for kind in kinds if kind not in KINDS]
    if unknown or isinstance(kinds, str):
        raise CiteguardError(f"kinds must be of {', '.join(KINDS)}, not {kinds!r}")
    if target not in ("quote", "statement"):
        raise CiteguardError(f'target must be "quote" or "statement", not {target!r}')
    check_whole("seed", seed, 0)
