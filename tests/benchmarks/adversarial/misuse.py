"""Quotes that stand nowhere, or not where they are said to stand, or are no quotes at all."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

from .cases import Case
from .corpus import rows
from .gather import Gatherer, is_sound, squashed, verbatim

_TEMPLATES = (
    "The {a} was later replaced by a larger {b} in {y}.",
    "Officials said the {a} would remain open to the {b} until {y}.",
    "In {y} the {a} won a national award for its {b}.",
    "The {a} and the {b} were sold to a private buyer in {y}.",
    "More than {n} people attended the opening of the {a} near the {b}.",
    "The {a} has since become a model for every {b} in the region.",
    "Researchers found that the {a} depends on the {b} in {n} of all cases.",
    "Its {a} was praised, but the {b} was considered too expensive.",
    "A second {a} is planned for {y}, once the {b} is complete.",
    "According to the author, the {a} explains why the {b} declined after {y}.",
    "The {b} could not have survived without the {a} of {y}.",
    "The city council voted {n} to {k} against moving the {a}.",
)
_NOTHING = (
    "",
    " ",
    "\n",
    "\t \n",
    "...",
    "…",
    "—",
    "-",
    "“”",
    '""',
    "''",
    ".",
    "!?",
    "[...]",
    "[…]",
    "\u200b",
    "\u00a0",
    "\ufeff",
    "**",
    "()",
    "*",
    "\u00ad",
    "``''",
    "。",
    "「」",
    "... ...",
    "[...] [...]",
    "\x00",
    "_",
    "#",
    "> ",
    "&nbsp;",
    "<br>",
    "\u2060\u200b",
    "--",
    "…",
    "\r\n",
    "・",
    "׀",
)
_SHORT = (
    "a",
    "I",
    "of",
    "to",
    "is",
    "in",
    "the",
    "it",
    "A",
    "s",
    "1",
    "2",
    "an",
    "No",
    "as",
    "e",
    "He",
    "at",
    "on",
    "t.",
    "“a”",
    "or",
    "be",
    "by",
    "x",
    "no",
)


def nothing_cases(gatherer: Gatherer) -> Iterator[Case]:
    """Quote nothing, blanks, marks alone, or one or two letters of a real text."""
    for category, quotes in (("nothing", _NOTHING), ("too_short", _SHORT)):
        for number in range(min(gatherer.limit, 2 * len(quotes))):
            text, index = gatherer.corpus.shuffled(category)[number]
            rng = Random(f"{category}{number}")
            quote = quotes[number % len(quotes)]
            yield gatherer.case(category, text.draft(index).reworded(quote), rng, accept=False)


def _two_sources(gatherer: Gatherer, category: str) -> Iterator[Case]:
    """Draft a quote among at least two sources, with the id of one that does not have it."""
    corpus = gatherer.corpus
    for number, draft in enumerate(gatherer.drafts(category, verbatim)):
        rng = Random(f"{category}{number}")
        case = gatherer.case(category, draft, rng, accept=False)
        other = rng.choice(
            [
                t.body
                for t in rng.sample(corpus.natural, 3)
                if squashed(draft.quote) not in squashed(t.body)
            ]
        )
        yield replace(case, sources={**case.sources, "other": other}, source_id="other")


def misattributed_cases(gatherer: Gatherer) -> Iterator[Case]:
    """Name a source that does not have the quote; and one whose id does not exist."""
    yield from _two_sources(gatherer, "misattributed")
    ids = ("s99", "missing", "", " ", "S1", "0", "handbook", "s 1", "None", "s1.", "source s1")
    for number, case in enumerate(_two_sources(gatherer, "unknown_source")):
        named = ids[number % len(ids)]
        yield replace(case, source_id=named if named not in case.sources else named + "-x")


def split_over_sources(gatherer: Gatherer) -> Iterator[Case]:
    """Elide between two sources, or between two texts that make one long source."""
    for category, joined in (("ellipsis_two_sources", False), ("ellipsis_far_apart", True)):
        for number, draft in enumerate(gatherer.drafts(category, verbatim)):
            rng = Random(f"{category}{number}")
            text, index = gatherer.corpus.shuffled(category + "other")[number]
            mark = rng.choice((" ... ", " […] ", " [...] ", "… "))
            quote = draft.quote + mark + text.sentence(index)
            if joined:
                filler = gatherer.corpus.natural[rng.randrange(len(gatherer.corpus.natural))].body
                title = rng.choice(("Background", "History", "Methods"))
                parts = (draft.text, f"# {title}", filler, "# Outlook", text.body)
                body = "\n\n".join(parts)
                yield Case(category=category, accept=False, sources={"s1": body}, quote=quote)
            else:
                sources = {"s1": draft.text, "s2": text.body}
                yield Case(category=category, accept=False, sources=sources, quote=quote)


def invented_cases(gatherer: Gatherer) -> Iterator[Case]:
    """Quote sentences that nobody wrote, of the text's own words, and those of other texts."""
    for number, draft in enumerate(gatherer.drafts("invented", verbatim)):
        rng = Random(f"invented{number}")
        nouns = [
            w for w in re.findall(r"\b[a-z]{5,}\b", draft.text) if gatherer.corpus.is_common(w)
        ] or ["town"]
        fields = {
            "a": rng.choice(nouns),
            "b": rng.choice(nouns),
            "y": rng.randint(1900, 2020),
            "n": rng.randint(40, 900),
            "k": rng.randint(3, 30),
        }
        quote = rng.choice(_TEMPLATES).format(**fields)
        yield gatherer.case("invented", draft.reworded(quote), rng, accept=False)
    for number, draft in enumerate(gatherer.drafts("from_elsewhere", verbatim)):
        rng = Random(f"elsewhere{number}")
        text, index = gatherer.corpus.shuffled("elsewhere2")[number]
        case = gatherer.case(
            "from_elsewhere", draft.reworded(text.sentence(index)), rng, accept=False
        )
        if is_sound(case):
            yield case


def paraphrase_cases(gatherer: Gatherer) -> Iterator[Case]:
    """Quote what a model or a person wrote about a source in words of their own."""
    made = 0
    for name in (
        "ragtruth_sent",
        "wice",
        "summedits",
        "clapnq",
        "scifact_abs",
        "bump",
        "factcheck_gpt",
    ):
        share = gatherer.limit // 6
        found = (case for row in rows(gatherer.corpus.folder, name) if (case := _paraphrase(row)))
        for case, _ in zip(found, range(share), strict=False):
            if made < gatherer.limit:
                made += 1
                yield case


def _paraphrase(row: dict[str, Any]) -> Case | None:
    """Make a case of a row whose statement stands in none of its texts, by at least four words."""
    sources = {context["id"]: context["text"][:20000] for context in row["context"]}
    words = re.findall(r"\w+", row["statement"].lower())
    if not 8 <= len(words) <= 60 or hash_of(row["id"]) % 5:
        return None
    if any(
        _shared(words, re.findall(r"\w+", body.lower())) > len(words) - 4
        for body in sources.values()
    ):
        return None
    return Case(
        category="paraphrase", accept=False, sources=sources, quote=row["statement"], note=row["id"]
    )


def hash_of(name: str) -> int:
    """Number a name, the same in every run."""
    return sum(ord(char) * (i + 1) for i, char in enumerate(name))


def _shared(words: list[str], body: list[str]) -> int:
    """Count the words of the longest runs that a text shares, in order."""
    matcher = difflib.SequenceMatcher(None, body, words, autojunk=False)
    return max((b.size for b in matcher.get_matching_blocks()), default=0)


def misuse_cases(gatherer: Gatherer) -> Iterator[Case]:
    """Make every case of this module."""
    yield from nothing_cases(gatherer)
    yield from misattributed_cases(gatherer)
    yield from split_over_sources(gatherer)
    yield from invented_cases(gatherer)
    yield from paraphrase_cases(gatherer)
