"""Strategies for `hypothesis`: sources, a quote that stands in them, and one that does not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from citeguard.errors import CiteguardError, check_whole
from citeguard.sources.collection import Sources

try:
    from hypothesis import strategies as st
except ImportError as error:
    raise CiteguardError(
        "the strategies for quotes need the package hypothesis: pip install hypothesis"
    ) from error

_SUBJECTS = (
    "The landlord|The tenant|The supplier|The auditor|The pharmacist|The pilot|The librarian"
    "|The engineer|The treasurer|The visitor|The contractor|The inspector|The teacher"
    "|The notary|The courier|The gardener"
).split("|")
_ACTIONS = (
    "submit the signed report|return the rented vehicle|inspect the northern building"
    "|pay the remaining balance|renew the annual licence|store the chemical samples"
    "|publish the corrected figures|replace the damaged equipment"
).split("|")
_PERIODS = "days weeks months years hours".split()
_RELATIONS = "within after before".split()
_REASONS = (
    "because the contract requires it|unless the board objects|if the weather permits"
    "|when the committee meets|as the regulation demands"
).split("|")
_MOST = 6  # sentences of a case
_FABRICATED = (
    "Penguins juggle seventeen violins at midnight.",
    "Every submarine dreams of purple marmalade.",
    "Grandmother knitted a telescope for the volcano.",
    "Dragons prefer saxophones over breakfast cereal.",
)

Change = Literal["negation", "number", "unit", "name", "fabricated"]
_CHANGES: tuple[Change, ...] = ("negation", "number", "unit", "name", "fabricated")


@dataclass(frozen=True, slots=True, kw_only=True)
class QuoteCase:
    """Sources, a quote that stands in them, and one that does not.

    Attributes:
        sources: The sources.
        source_id: The one that the true quote stands in, and that the false one pretends to be of.
        true_quote: Words of that source; in other typography, unless they are to be exact.
        false_quote: Words that no source has.
        change: What was done to make the false quote of words of the source.
    """

    sources: Sources
    source_id: str
    true_quote: str
    false_quote: str
    change: Change


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A rule that somebody has to follow."""

    subject: str
    action: str
    relation: str
    number: int
    period: str
    reason: str
    is_negated: bool

    @property
    def text(self) -> str:
        denial = " not" if self.is_negated else ""
        return (
            f"{self.subject} must{denial} {self.action} {self.relation} {self.number} "
            f"{self.period}, {self.reason}."
        )


def quote_cases(*, most_sources: int = 3, exact: bool = False) -> st.SearchStrategy[QuoteCase]:
    """Return a strategy for sources, a true quote and a false one.

    The true quote always passes `FuzzyQuote()`, and the false one never does, with the source's id
    or without. The sources are short English texts, made up so that no altered sentence of one can
    stand in another by chance.

    Args:
        most_sources: The most sources of a case, from 1 to 4.
        exact: Whether the true quote is a verbatim slice, so that it passes `ExactQuote()`, too.

    Raises:
        CiteguardError: another number of sources; and on import, if `hypothesis` is missing.

    Examples:
        >>> from hypothesis import given, settings
        >>> from citeguard.testing import assert_quote
        >>> @settings(max_examples=20, deadline=None)
        ... @given(quote_cases())
        ... def test_finds_what_stands_there(case: QuoteCase) -> None:
        ...     assert_quote(case.true_quote, case.sources, source_id=case.source_id)
        >>> test_finds_what_stands_there()
    """
    check_whole("quote_cases(most_sources=...)", most_sources, 1)
    if most_sources > 4:
        raise CiteguardError(f"quote_cases(most_sources=...) must be at most 4, not {most_sources}")
    return _cases(most_sources, exact)


_SENTENCES = st.builds(
    _Sentence,
    subject=st.sampled_from(_SUBJECTS),
    action=st.sampled_from(_ACTIONS),
    relation=st.sampled_from(_RELATIONS),
    number=st.integers(2, 999),
    period=st.sampled_from(_PERIODS),
    reason=st.sampled_from(_REASONS),
    is_negated=st.booleans(),
)


@st.composite
def _cases(draw: st.DrawFn, most_sources: int, exact: bool) -> QuoteCase:
    # Every sentence has a subject of its own, so a changed one cannot stand elsewhere by chance.
    sentences = draw(
        st.lists(_SENTENCES, min_size=1, max_size=_MOST, unique_by=lambda each: each.subject)
    )
    homes = [draw(st.integers(1, most_sources)) for _ in sentences]
    texts: dict[str, str] = {}
    for home, sentence in zip(homes, sentences, strict=True):
        texts[f"source-{home}"] = f"{texts.get(f'source-{home}', '')}{sentence.text}\n"
    place = draw(st.integers(0, len(sentences) - 1))
    unused = [each for each in _SUBJECTS if each not in {other.subject for other in sentences}]
    change = draw(st.sampled_from(_CHANGES))
    return QuoteCase(
        sources=Sources(texts),
        source_id=f"source-{homes[place]}",
        true_quote=draw(_true_quotes(sentences[place], exact)),
        false_quote=draw(_false_quotes(sentences[place], change, unused)),
        change=change,
    )


@st.composite
def _true_quotes(draw: st.DrawFn, sentence: _Sentence, exact: bool) -> str:
    words = sentence.text.split()
    start = draw(st.integers(0, len(words) - 4))
    quoted = words[start : draw(st.integers(start + 4, len(words)))]
    quote = " ".join(quoted)
    return quote if exact else draw(st.sampled_from(_writings(quote)))


def _writings(quote: str) -> list[str]:
    """Return a quote as it stands, and in other typography."""
    return [
        quote,
        quote.replace(" ", "\n", 1),
        quote.replace(" ", "\u00a0"),
        quote[0].swapcase() + quote[1:],
        f"“{quote}”",
        f"**{quote}**",
        f" {quote}  ",
    ]


@st.composite
def _false_quotes(
    draw: st.DrawFn, sentence: _Sentence, change: Change, unused: Sequence[str]
) -> str:
    if change == "fabricated":
        return draw(st.sampled_from(_FABRICATED))
    if change == "negation":
        return _changed(sentence, is_negated=not sentence.is_negated)
    if change == "number":
        other = st.integers(2, 999).filter(lambda number: number != sentence.number)
        return _changed(sentence, number=draw(other))
    if change == "unit":
        return _changed(sentence, period=draw(_other(_PERIODS, sentence.period)))
    return _changed(sentence, subject=draw(st.sampled_from(unused)))


def _changed(sentence: _Sentence, **fields: Any) -> str:
    return replace(sentence, **fields).text


def _other(choices: Sequence[str], taken: str) -> st.SearchStrategy[str]:
    return st.sampled_from([choice for choice in choices if choice != taken])
