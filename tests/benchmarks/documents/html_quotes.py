"""Quotes looked up in web pages: whether they are found, and whether anything else is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random

from citeguard import Sources
from citeguard.errors import CiteguardError

from ..tables import table
from .looking_up import REFUSED, Lookup, look_up, refused_shares, share, stands
from .papers import load_papers
from .web_pages import WebPage, web_pages

_MOST = 12  # quotes of one page


def page_tables(data: Path, folder: Path) -> Iterator[str]:
    """Write what was found, every quote that was not, and the furniture that was."""
    lookups: dict[str, list[Lookup]] = defaultdict(list)
    leaks: dict[str, list[bool]] = defaultdict(list)
    failures: list[str] = []
    for page in web_pages(load_papers(data), folder):
        try:
            sources = Sources.from_paths(page.path)
        except CiteguardError as error:
            failures.append(f"- not read: {error}")
            continue
        of_page = [look_up(quote, sources) for quote in _chosen(page)]
        leaking = [words for words in page.furniture if stands(words, sources)]
        lookups[page.template] += of_page
        leaks[page.template] += [words in leaking for words in page.furniture]
        failures += (f"- furniture: {page.path.name}: {words}" for words in leaking)
        failures += (line for each in of_page for line in each.failures(page.path.name))
    yield from _table(lookups, leaks)
    yield "Failures:"
    yield from failures or ["- none"]


def _chosen(page: WebPage) -> list[str]:
    sentences = list(page.paper.sentences)
    return [each.text for each in Random(page.path.name).sample(sentences, _MOST)]


def _table(lookups: dict[str, list[Lookup]], leaks: dict[str, list[bool]]) -> Iterator[str]:
    every = [lookup for each in lookups.values() for lookup in each]
    rows = [_row(name, lookups[name], leaks[name]) for name in sorted(lookups)]
    rows.append(_row("all", every, [leak for each in leaks.values() for leak in each]))
    columns = ["page", "quotes", "found", *REFUSED, "furniture in the text"]
    yield from table("Quotes in web pages", columns, rows)


def _row(name: str, lookups: Sequence[Lookup], leaks: Iterable[bool]) -> Sequence[object]:
    leaked = list(leaks)
    found = share(sum(lookup.found for lookup in lookups), len(lookups))
    return [
        name,
        len(lookups),
        found,
        *refused_shares(lookups),
        f"{share(sum(leaked), len(leaked))} of {len(leaked)}",
    ]
