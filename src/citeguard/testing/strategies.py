"""Strategies for `hypothesis`: sources, a quote that appears in them, and one that does not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from citeguard.errors import CiteguardError, check_whole, optional_packages
from citeguard.sources.collection import Sources

if TYPE_CHECKING:
    from hypothesis import strategies as st

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


class _Sentence(NamedTuple):
    subject: str
    denial: str
    action: str
    relation: str
    number: int
    period: str
    reason: str

    @property
    def text(self) -> str:
        *before, reason = map(str, self)
        return f"{' '.join(filter(None, before))}, {reason}."


def _case(draw: st.DrawFn, most_sources: int, exact: bool) -> QuoteCase:
    from hypothesis import strategies as st

    sentence_cases = st.builds(
        _Sentence,
        subject=st.sampled_from([f"{each} must" for each in _SUBJECTS]),
        denial=st.sampled_from(["", "not"]),
        action=st.sampled_from(_ACTIONS),
        relation=st.sampled_from(_RELATIONS),
        number=st.integers(2, 999),
        period=st.sampled_from(_PERIODS),
        reason=st.sampled_from(_REASONS),
    )
    # Every sentence has its own subject, so a changed one cannot appear elsewhere by chance.
    sentences = draw(
        st.lists(sentence_cases, min_size=1, max_size=6, unique_by=lambda each: each.subject)
    )
    homes = [f"source-{draw(st.integers(1, most_sources))}" for _ in sentences]
    texts: dict[str, str] = {}
    for home, each in zip(homes, sentences, strict=True):
        texts[home] = f"{texts.get(home, '')}{each.text}\n"
    place = draw(st.integers(0, len(sentences) - 1))
    sentence = sentences[place]
    words = sentence.text.split()
    # A quote that begins behind "not" leaves out what denies it.
    latest = words.index("not") if sentence.denial else len(words) - 4
    start = draw(st.integers(0, latest))
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
    used = {other.subject for other in sentences}
    unused = [name for each in _SUBJECTS if (name := f"{each} must") not in used]
    change = draw(st.sampled_from(_CHANGES))
    false = {
        "fabricated": draw(st.sampled_from(_FABRICATED)),
        "negation": sentence._replace(denial="" if sentence.denial else "not").text,
        "number": sentence._replace(
            number=draw(st.integers(2, 999).filter(lambda number: number != sentence.number))
        ).text,
        "unit": sentence._replace(
            period=draw(st.sampled_from([each for each in _PERIODS if each != sentence.period]))
        ).text,
        "name": sentence._replace(subject=draw(st.sampled_from(unused))).text,
    }
    return QuoteCase(
        sources=Sources(texts),
        source_id=homes[place],
        true_quote=quote if exact else draw(st.sampled_from(variants)),
        false_quote=false[change],
        change=change,
    )
