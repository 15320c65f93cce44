"""Wrong texts from true ones: `negatives` of one, `synthesize` of many, `sample_of` as a sample.

`kinds` has the rules, which yield rewrites of a text. They are drawn, applied and checked here.
`true_quotes` draws the texts to start from.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import chain, islice
from random import Random
from typing import Any, Literal, get_args

from citeguard.datasets.kinds import RULES, Edit, Kind, Material
from citeguard.errors import CiteguardError, check_whole
from citeguard.language.grammar import ends_in_abbreviation
from citeguard.language.scripts import UNSPACED
from citeguard.language.sentences import sentence_intervals
from citeguard.sources.collection import Span, as_sources

KINDS: tuple[Kind, ...] = get_args(Kind)

Target = Literal["quote", "statement"]
Label = Literal["supported", "unsupported", "contradicted", "false"]
Item = tuple[str, str, Any]
"""A true text, the id of its source, and its sources: whatever `Sources` accepts."""

_CONTRADICTED: frozenset[Kind] = frozenset(("negation", "number", "unit", "date"))
_ARTICLE = re.compile(r"\b(an?)\s+\Z", re.IGNORECASE)
_VOWEL = re.compile(r"(?!uni|us[eu]|eu|once?\b)[aeiou]|hour|hono|heir|8|1[18]\b", re.IGNORECASE)
_LONGEST = 5_000  # characters of a quote or statement


@dataclass(frozen=True, slots=True, kw_only=True)
class Negative:
    """A quote or a statement that is wrong, made from a true one by one change.

    `dataclasses.asdict` makes JSON of it.

    Attributes:
        kind: What is wrong.
        variant: How it was made wrong, such as `denial added`.
        target: Whether it is a quote or a statement.
        text: The wrong text.
        source_id: The source that it claims to be from.
        original: The true text.
        start: Where the change starts, in both texts, in code points.
        removed: The words of the original there.
        added: The new words, in their place.
    """

    kind: Kind
    variant: str
    target: Target
    text: str
    source_id: str
    original: str
    start: int
    removed: str
    added: str

    @property
    def label(self) -> Label:
        """The label of the wrong text.

        A wrong quote is not found in its source and supports nothing: `unsupported`. A statement is
        `contradicted` if its negation, number, unit or date is wrong; otherwise it is `false`,
        which may be either.
        """
        if self.target == "quote":
            return "unsupported"
        return "contradicted" if self.kind in _CONTRADICTED else "false"


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
    wrong quote is found in a source, and no other sentence of the sources says the same with the
    new name, number or date. Whether the true text is true is not checked. Nothing is made of a
    text of more than 5,000 characters. No model is called.

    Texts are made wrong by rules of English. From sources in other languages only the kinds
    `number` and `date` are made.

    Args:
        text: A quote that is found in the source, or a statement that it supports.
        sources: Whatever `Sources` accepts.
        source_id: The source that the text is from.
        kinds: The kinds wanted, in the order of the result.
        seed: Another seed gives other texts.
        target: Whether the text is a `quote` or a `statement`.

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


def sample_of(
    negative: Negative,
    sources: Any,
    *,
    quote: str | None = None,
    question: str | None = None,
    original: bool = False,
) -> dict[str, Any]:
    """Return a wrong text as a sample: an answer of one statement, with its citation and sources.

    A quote is cited for a statement with the same words. A statement cites the true text, or the
    given quote.

    Args:
        negative: The wrong text.
        sources: The sources that it was made with.
        quote: The quote that a statement cites, if the true one is not a quote itself.
        question: The question, if there was one.
        original: Whether to return the true text instead, labelled `supported`.

    Examples:
        >>> rules = "Visitors wear a badge. The notice period is 3 months."
        >>> quote = "The notice period is 3 months."
        >>> made = negatives(quote, rules, source_id="1", kinds=["negation"])[0]
        >>> sample = sample_of(made, rules)
        >>> sample["label"], sample["statements"][0]["citations"][0]["quote"]
        ('unsupported', 'The notice period is not 3 months.')
    """
    text, source_id = negative.original if original else negative.text, negative.source_id
    cited = text if negative.target == "quote" else quote or negative.original
    kind = "true" if original else negative.kind
    key = "\0".join((kind, negative.target, source_id, text, cited))
    return {
        "id": f"{kind}-{hashlib.sha256(key.encode()).hexdigest()[:12]}",
        "question": question,
        "statements": [{"text": text, "citations": [{"quote": cited, "source_id": source_id}]}],
        "sources": [{"id": source.id, "text": source.text} for source in as_sources(sources)],
        "label": "supported" if original else negative.label,
        "negative": None if original else asdict(negative),
    }


class _Maker:
    """A true text, and what can be made of it."""

    def __init__(self, item: Item, seed: int, target: Target) -> None:
        self._text, self._source_id, given = item
        self._material = Material(as_sources(given), self._source_id)
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
        foreign = rule.english and not self._material.is_english
        if not 0 < len(original) <= _LONGEST or foreign:
            return None
        random = self._random(kind)
        rewrites = list(rule.find(original, self._material, random))
        random.shuffle(rewrites)
        for variant, found in rewrites:
            edit = _fitted(original, found)
            text = original[: edit.start] + edit.text + original[edit.end :]
            # The sign of a currency is no letter: "€5" is found where "$5" is.
            known = text == original or (variant != "currency" and self._material.has(text))
            if not known and not (rule.said and self._material.says(text, found.text)):
                return Negative(
                    kind=kind,
                    variant=variant,
                    target=self._target,
                    text=text,
                    source_id=self._source_id,
                    original=original,
                    start=edit.start,
                    removed=original[edit.start : edit.end],
                    added=edit.text,
                )
        return None

    def _random(self, purpose: str) -> Random:
        # A string seeds alike in every process; the hash of a string does not.
        return Random(f"{self._seed}\0{purpose}\0{self._source_id}\0{self._text}")


def _fitted(text: str, edit: Edit) -> Edit:
    """Return an edit with the capital of a text's beginning, and with "a" or "an" before it."""
    before, new = text[: edit.start], edit.text
    if not before.strip(" \"'“‘([") and text[edit.start : edit.start + 1].isupper():
        new = new[:1].upper() + new[1:]
    article, n = _ARTICLE.search(before), "n" if _VOWEL.match(new) else ""
    if article and new[:1].isalnum() and article[1][1:] != n:
        between = before[article.end(1) :]
        return Edit(article.start(1), edit.end, f"{article[1][0]}{n}{between}{new}")
    return edit._replace(text=new)


def _check_choices(kinds: Sequence[Kind], seed: int, target: object) -> None:
    unknown = [kind for kind in kinds if kind not in KINDS]
    if unknown or isinstance(kinds, str):
        raise CiteguardError(f"kinds must be of {', '.join(KINDS)}, not {kinds!r}")
    if target not in ("quote", "statement"):
        raise CiteguardError(f'target must be "quote" or "statement", not {target!r}')
    check_whole("seed", seed, 0)


# True quotes

_FEWEST_WORDS = 6
_FEWEST_CHARACTERS, _MOST_CHARACTERS = 35, 320
_LEAST_LETTERS = 0.7  # share of letters among what is no white space
_MOST_CAPITALS = 0.5  # share of words with a capital, above which a line is a heading
_UNSPACED = re.compile(f"[{UNSPACED}]")
_FEWEST_UNSPACED, _MOST_UNSPACED = 12, 120
_STOPS = (".", "!", "。", "！", '."', ".”", ".'", ".’", ".)", "。」")


def true_quotes(sources: Any, *, count: int | None = None, seed: int = 0) -> list[Span]:
    """Draw quotes from sources: whole sentences.

    Headings, fragments, questions, tables, and sentences of fewer than 6 words or more than 320
    characters are omitted. A sentence that is found in several places is drawn once. No model is
    called.

    Args:
        sources: Whatever `Sources` accepts.
        count: The most quotes; `None` for all. Fewer are returned if there are not as many.
        seed: Another seed draws other quotes.

    Returns:
        The spans of the quotes, in the order of the sources.

    Raises:
        CiteguardError: `count` or `seed` is not an integer of at least 0, or the sources are not
            what `Sources` accepts.

    Examples:
        >>> from citeguard import Sources
        >>> sources = Sources({"rules": "Rules. Visitors may not enter the laboratory on Sundays."})
        >>> [sources.slice(span) for span in true_quotes(sources, count=1)]
        ['Visitors may not enter the laboratory on Sundays.']
    """
    check_whole("true_quotes(seed=...)", seed, 0)
    if count is not None:
        check_whole("true_quotes(count=...)", count, 0)
    spans = {
        source.text[start:end]: Span(source.id, start, end)
        for source in as_sources(sources)
        for start, end in sentence_intervals(source.text)
        if _is_natural(source.text[start:end])
    }
    ranks = {text: Random(f"{seed}\0{text}").random() for text in spans}
    chosen = frozenset(sorted(ranks, key=ranks.__getitem__)[:count])
    return [span for text, span in spans.items() if text in chosen]


def _is_natural(text: str) -> bool:
    if "\n" in text or not text.endswith(_STOPS) or ends_in_abbreviation(text):
        return False
    if _UNSPACED.search(text):
        return _FEWEST_UNSPACED <= len(text) <= _MOST_UNSPACED
    words = text.split()
    return (
        len(words) >= _FEWEST_WORDS
        and _FEWEST_CHARACTERS <= len(text) <= _MOST_CHARACTERS
        and text[0].isupper()
        and sum(map(str.isalpha, text)) >= _LEAST_LETTERS * len("".join(words))
        and sum(word[0].isupper() for word in words) <= _MOST_CAPITALS * len(words)
    )
