"""What synthesis makes: a text that is wrong, and what was done to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One change of a text.

    Attributes:
        start: Where it starts in the changed text, in code points.
        end: Where it ends, exclusive; `start` where words were only taken away.
        text: The words that stand there now.
        original: The words that stood there.
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
        variant: How it was done, more closely, such as `not added`.
        target: Whether it is to be a quote or a statement.
        text: The wrong text.
        source_id: The source it claims to be from.
        original: The true text.
        original_source_id: The source that this is from; another one if `kind` is `misattributed`.
        changes: What differs, in order; nothing if `kind` is `misattributed`.

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
