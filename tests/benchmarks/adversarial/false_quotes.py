"""The makers of changed quotes: one for each category."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from .cases import (
    Candidates,
    Draft,
    disjoint,
    shifted,
)
from .content_words import ContentWords
from .corpus import Corpus, Text, TextMaker
from .degree import WORDS_OF_DEGREE
from .gather import of_sentence
from .layout import LAYOUTS
from .markup import (
    MARKUP,
)
from .negation import NEGATION
from .noise import Noise
from .quantities import NUMBERS
from .structure import BY_SENTENCE, BY_TEXT
from .typography import TYPOGRAPHY

DraftMaker = Callable[[Draft, Random], Draft | None]


def altered_draft(change: Candidates, draft: Draft, rng: Random, *, forward: bool) -> Draft | None:
    """Make one change of meaning in the quote (forward), or in the source."""
    edits = [
        edit
        for edit in disjoint(change(draft.quote, rng))
        if draft.quote[edit[0] : edit[1]] != edit[2]
    ]
    if not edits:
        return None
    start, end, new = edit = rng.choice(edits)
    note = f"{draft.quote[start:end]!r} -> {new!r}" + ("" if forward else " in the source")
    if forward:
        return draft.edit_quote([edit], note)
    return draft.edit_source(shifted([edit], draft.hull[0]), note)


def altered(change: Candidates, *, both: bool) -> TextMaker:
    """Make a maker that makes a change of meaning on one side."""

    def make(text: Text, index: int, rng: Random) -> Draft | None:
        return altered_draft(
            change, text.draft(index), rng, forward=not both or rng.random() < 0.65
        )

    return make


def altered_and_noisy(changes: list[Candidates], noises: list[Noise | DraftMaker]) -> TextMaker:
    """Make a maker that makes a change of meaning in the quote and a noise in the source."""

    def make(text: Text, index: int, rng: Random) -> Draft | None:
        draft = altered_draft(rng.choice(changes), text.draft(index), rng, forward=True)
        noise = rng.choice(noises)
        if draft is None:
            return None
        return noise.on_source(draft, rng) if isinstance(noise, Noise) else noise(draft, rng)

    return make


def of_planted(maker: TextMaker) -> TextMaker:
    """Make a maker that adds a noise to the source of another maker's drafts."""
    names = ("ws_wrap", "ws_gaps", "space_glyphs", "soft_hyphen", "hyphen_break")

    def make(text: Text, index: int, rng: Random) -> Draft | None:
        draft = maker(text, index, rng)
        return draft and TYPOGRAPHY[rng.choice(names)].on_source(draft, rng)

    return make


def clause_added(text: Text, index: int, rng: Random) -> Draft | None:
    """Add a clause of one's own to a sentence, before it or behind it."""
    draft = text.draft(index)
    tails = (
        ", which nobody had expected",
        ", according to the ministry",
        " and was later withdrawn",
        " for the first time in its history",
        ", mostly for financial reasons",
        " in the southern provinces",
        ", at least in theory",
        " and the cost was shared",
        " despite strong protests",
        ", as the table shows",
    )
    heads = (
        "According to the ministry, ",
        "In most cases, ",
        "For financial reasons, ",
        "Until last year, ",
        "In theory, ",
        "Contrary to the plan, ",
        "Under the new law, ",
    )
    if rng.random() < 0.6:
        return draft.reworded(draft.quote[:-1] + rng.choice(tails) + draft.quote[-1])
    head = rng.choice(heads)
    return draft.reworded(head + draft.quote[0].lower() + draft.quote[1:])


def refused_makers(corpus: Corpus) -> dict[str, TextMaker]:
    """Return the maker of each category of changed quotes."""
    words = ContentWords(corpus).table()
    one_way = (
        "negation_not_gained",
        "negation_nt_gained",
        "negation_never_gained",
        "bracketed_meaning",
    )
    changes = {**NEGATION, **NUMBERS, **WORDS_OF_DEGREE, **words}
    strong = [
        *NEGATION.values(),
        *NUMBERS.values(),
        WORDS_OF_DEGREE["quantifier"],
        WORDS_OF_DEGREE["hedge_lost"],
        words["word_swapped"],
        words["name_swapped"],
    ]
    noises: list[Noise | DraftMaker] = [
        TYPOGRAPHY[n] for n in ("ws_wrap", "ws_gaps", "soft_hyphen", "hyphen_break", "ligatures")
    ]
    noises += [
        MARKUP["mark_numeric"],
        MARKUP["md_emphasis"],
        MARKUP["html_tags"],
        *LAYOUTS.values(),
    ]
    return {
        **{name: altered(change, both=name not in one_way) for name, change in changes.items()},
        **{name: of_sentence(maker) for name, maker in BY_SENTENCE.items()},
        **BY_TEXT,
        "clause_added": clause_added,
        "noise_and_change": altered_and_noisy(strong, noises),
        "noise_and_negation": altered_and_noisy(list(NEGATION.values()), noises),
    }
