"""Every case of the benchmark, in one list."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from .cases import Case
from .corpus import Corpus
from .false_quotes import of_planted, refused_makers
from .flags import flag_makers
from .gather import Gatherer
from .languages import language_cases
from .misuse import misuse_cases
from .planted import changed, planted_maker, same
from .planted_tables import PAUSES, TABLES
from .probes import probe_cases
from .synthetic import synthetic_cases
from .true_quotes import accepted_makers


def all_cases(folder: Path, limit: int, corpus: Corpus | None = None) -> list[Case]:
    """Make every case: the same folder and limit always give the same cases in the same order.

    Args:
        folder: The data.
        limit: The most cases of a category.
        corpus: The texts that most cases are made from; by default those of all data sets.
    """
    corpus = corpus or Corpus(folder)
    gatherer = Gatherer(corpus, limit)
    return [
        *gatherer.each(accepted_makers(corpus), accept=True),
        *planted_true(gatherer),
        *gatherer.each(refused_makers(corpus), accept=False),
        *planted_false(gatherer),
        *misuse_cases(gatherer),
        *language_cases(folder, limit),
        *probe_cases(),
        *flagged(gatherer),
        *synthetic_cases(folder, limit * 5),
    ]


def planted_true(gatherer: Gatherer) -> Iterator[Case]:
    """Plant sentences and quote them in another spelling of the same."""
    for category, entries in {**TABLES, "pause": PAUSES}.items():
        if not category.startswith(("contested", "near_word")):
            maker = planted_maker([*same(entries)])
            name = "glyph_ellipsis" if category == "pause" else f"same_{category}"
            yield from gatherer.cases(name, maker, accept=True)


def planted_false(gatherer: Gatherer) -> Iterator[Case]:
    """Plant sentences and quote them in a reading that says another thing, plain and in noise."""
    for category, entries in TABLES.items():
        yield from gatherer.cases(category, planted_maker([*changed(entries)]), accept=False)
    every = [
        row
        for name, entries in TABLES.items()
        if not name.startswith("contested")
        for row in changed(entries)
    ]
    yield from gatherer.cases("noise_and_symbol", of_planted(planted_maker(every)), accept=False)


def flagged(gatherer: Gatherer) -> Iterator[Case]:
    """Quote, verbatim, sentences that their own frame denies, and some that nothing denies."""
    for category, (maker, denied) in flag_makers().items():
        yield from gatherer.cases(category, maker, accept=True, denied=denied)
