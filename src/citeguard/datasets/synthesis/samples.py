"""Samples of a dataset, made from wrong texts and from the true ones."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any, Literal

from citeguard.datasets.synthesis.making import Item, check_choices, synthesize
from citeguard.datasets.synthesis.negative import KINDS, Kind, Negative, Target
from citeguard.errors import check_whole
from citeguard.sources.collection import Sources

Label = Literal["supported", "unsupported", "contradicted", "false"]

_CONTRADICTED: frozenset[Kind] = frozenset(("negation", "number", "unit", "date"))


def label_of(negative: Negative) -> Label:
    """Return what is sure of a wrong text.

    A wrong quote does not stand where it says, or misleads, so that it supports nothing:
    `unsupported`. A statement is `contradicted` if its negation, number, unit or date is wrong;
    else it is `false`, which may be either.

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

    A wrong quote is cited for a statement of the same words. A wrong statement cites the true text
    it was made from, or the quote given.

    Args:
        negative: The wrong text.
        sources: The sources it was made with.
        quote: The quote that a wrong statement cites, when the true one is no quote itself.
        question: What was asked.

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
    cited = negative.text if negative.target == "quote" else quote or negative.original
    return _sample(
        negative, sources, question, negative.text, cited, negative.source_id, label_of(negative)
    )


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
    true, source_id = negative.original, negative.original_source_id
    cited = true if negative.target == "quote" else quote or true
    sample = _sample(negative, sources, question, true, cited, source_id, "supported")
    return {**sample, "negative": None}


def synthetic_samples(
    items: Iterable[Item],
    *,
    kinds: Sequence[Kind] = KINDS,
    seed: int = 0,
    each: int = 1,
    target: Target = "quote",
    originals: bool = False,
) -> Iterator[dict[str, Any]]:
    """Yield the wrong texts that `synthesize` makes as samples, as `sample_of` has them.

    Args:
        items: As for `synthesize`, and so are the others.
        kinds: The kinds.
        seed: The seed.
        each: How many of each item.
        target: Whether the texts are quotes or statements.
        originals: Whether the true text comes as well, labelled `supported`, before the first wrong
            one that was made of it.

    Raises:
        CiteguardError: as for `synthesize`.

    Examples:
        >>> rules = "Visitors wear a badge. The notice period is 3 months."
        >>> items = [("The notice period is 3 months.", "1", rules)]
        >>> samples = synthetic_samples(items, kinds=["negation"], originals=True)
        >>> [sample["label"] for sample in samples]
        ['supported', 'unsupported']
    """
    check_choices(kinds, seed, target)
    check_whole("synthetic_samples(each=...)", each, 1)
    return _samples(items, tuple(kinds), seed, each, target, originals)


def _samples(
    items: Iterable[Item],
    kinds: tuple[Kind, ...],
    seed: int,
    each: int,
    target: Target,
    originals: bool,
) -> Iterator[dict[str, Any]]:
    for text, source_id, given in items:
        sources = given if isinstance(given, Sources) else Sources(given)
        item = (text, source_id, sources)
        made = synthesize([item], kinds=kinds, seed=seed, each=each, target=target)
        for number, negative in enumerate(made):
            if originals and not number:
                yield original_sample_of(negative, sources)
            yield sample_of(negative, sources)


def _sample(
    negative: Negative,
    sources: Any,
    question: str | None,
    text: str,
    quote: str,
    source_id: str,
    label: Label,
) -> dict[str, Any]:
    given = sources if isinstance(sources, Sources) else Sources(sources)
    kind = "true" if label == "supported" else negative.kind
    key = "\0".join((kind, negative.target, source_id, text, quote))
    return {
        "id": f"{kind}-{hashlib.sha256(key.encode()).hexdigest()[:12]}",
        "question": question,
        "statements": [{"text": text, "citations": [{"quote": quote, "source_id": source_id}]}],
        "sources": [{"id": source.id, "text": source.text} for source in given],
        "label": label,
        "negative": asdict(negative),
    }
