"""A wrong text made from a true one: what was changed, and both as samples of a dataset."""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

from citeguard.sources.collection import as_sources

Kind = Literal[
    "negation",
    "number",
    "unit",
    "date",
    "entity",
    "quantifier",
    "role_swap",
    "stitched",
    "misattributed",
    "clipped",
    "fabricated",
]
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


def _sample(
    negative: Negative,
    sources: Any,
    question: str | None,
    text: str,
    quote: str,
    source_id: str,
    label: Label,
) -> dict[str, Any]:
    given = as_sources(sources)
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
