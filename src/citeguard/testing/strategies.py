"""Strategies for `hypothesis`: sources, a quote that appears in them, and one that does not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeVar, get_args

from citeguard.errors import CiteguardError, check_whole, optional_packages
from citeguard.sources.collection import Sources

if TYPE_CHECKING:
    from hypothesis import strategies as st

T = TypeVar("T")

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
_FABRICATED = (
    "Penguins juggle seventeen violins at midnight.",
    "Every submarine dreams of purple marmalade.",
    "Grandmother knitted a telescope for the volcano.",
    "Dragons prefer saxophones over breakfast cereal.",
)

Change = Literal["negation", "number", "unit", "name", "fabricated"]
_CHANGES: tuple[Change, ...] = get_args(Change)


@dataclass(frozen=True, slots=True, kw_only=True)
class QuoteCase:
    """Sources, a quote that appears in them, and one that does not.

    Attributes:
        sources: The sources.
        source_id: The source that has the true quote, and that the false one claims to be from.
        true_quote: Words of that source, in other typography unless exact quotes were requested.
        false_quote: Words that no source has.
        change: How the false quote was made from words of the source.
    """

    sources: Sources
    source_id: str
    true_quote: str
    false_quote: str
    change: Change


def quote_cases(*, most_sources: int = 3, exact: bool = False) -> st.SearchStrategy[QuoteCase]:
    """Return a strategy for sources, a true quote and a false one.

    The true quote always passes `FuzzyQuote()`, and the false one never does, whether or not the
    source's id is given. The sources are short English texts, designed so that an altered sentence
    of one cannot appear in another by chance.

    Args:
        most_sources: The largest number of sources in a case, from 1 to 4.
        exact: Whether the true quote is a verbatim slice, which also passes `ExactQuote()`.

    Raises:
        CiteguardError: `most_sources` is out of range, or `hypothesis` is missing.

    Examples:
        >>> from hypothesis import given, settings
        >>> from citeguard.testing import assert_quote
        >>> @settings(max_examples=20, deadline=None)
        ... @given(quote_cases())
        ... def test_finds_true_quotes(case: QuoteCase) -> None:
        ...     assert_quote(case.true_quote, case.sources, source_id=case.source_id)
        >>> test_finds_true_quotes()
    """
    check_whole("quote_cases(most_sources=...)", most_sources, 1)
    if most_sources > 4:
        raise CiteguardError(f"quote_cases(most_sources=...) must be at most 4, not {most_sources}")
    with optional_packages("quote strategies"):
        from hypothesis import strategies as st

    return st.composite(_case)(most_sources, exact)


def _case(draw: st.DrawFn, most_sources: int, exact: bool) -> QuoteCase:
    from hypothesis import strategies as st

    def pick(options: Sequence[T], but: object = None) -> T:
        return draw(st.sampled_from([each for each in options if each != but]))

    # Every sentence has its own subject, so a changed one cannot appear elsewhere by chance. The
    # last subject has no sentence.
    subjects = draw(st.lists(st.sampled_from(_SUBJECTS), min_size=2, max_size=7, unique=True))
    numbers = range(2, 1_000)
    sentences = [
        (
            *(f"{each} must", pick(("", "not")), pick(_ACTIONS), pick(_RELATIONS)),
            *(str(pick(numbers)), f"{pick(_PERIODS)},", f"{pick(_REASONS)}."),
        )
        for each in subjects[:-1]
    ]
    homes = [f"source-{draw(st.integers(1, most_sources))}" for _ in sentences]
    texts: dict[str, str] = {}
    for home, each in zip(homes, sentences, strict=True):
        texts[home] = f"{texts.get(home, '')}{_written(each)}\n"
    place = draw(st.integers(0, len(sentences) - 1))
    subject, denial, action, relation, number, period, reason = sentences[place]
    words = _written(sentences[place]).split()
    # A quote that begins behind "not" leaves out what denies it.
    start = draw(st.integers(0, words.index("not") if denial else len(words) - 4))
    quote = " ".join(words[start : draw(st.integers(start + 4, len(words)))])
    variants = [
        quote,
        quote.replace(" ", "\n", 1),
        quote.replace(" ", "\u00a0"),
        quote[0].swapcase() + quote[1:],
        f"“{quote}”",
        f"**{quote}**",
        f" {quote}  ",
    ]
    change = pick(_CHANGES)
    match change:
        case "negation":
            denial = "" if denial else "not"
        case "number":
            number = str(pick(numbers, int(number)))
        case "unit":
            period = f"{pick(_PERIODS, period[:-1])},"
        case _:
            subject = f"{subjects[-1]} must"
    altered = _written((subject, denial, action, relation, number, period, reason))
    return QuoteCase(
        sources=Sources(texts),
        source_id=homes[place],
        true_quote=quote if exact else pick(variants),
        false_quote=pick(_FABRICATED) if change == "fabricated" else altered,
        change=change,
    )


def _written(parts: Iterable[str]) -> str:
    return " ".join(filter(None, parts))
