"""What a PDF page puts inside a sentence: heads, footers, page numbers, form feeds."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

from .cases import Draft, Edit

_TITLES = (
    "Results and Discussion",
    "Annual Report 2019",
    "The Journal of Applied Ecology",
    "Methods and Materials",
    "Regional Planning Review",
    "A Short History of the Northern Rail Lines",
    "Quarterly Statement of Accounts",
    "Guidelines for Clinical Practice",
    "Proceedings of the 14th Conference",
    "Appendix B: Survey Questions",
    "Public Health in Coastal Towns",
    "Notes to the Financial Statements",
)
_NAMES = ("Smith et al.", "J. Okafor and L. Brandt", "M. Tanaka", "R. García-López", "Brandt & Lee")
_SITES = ("www.example.org/news", "https://example.org/reports/2019/full.pdf", "http://example.com")

Furniture = Callable[[Random], str]


def page_number(rng: Random) -> str:
    """Write a page number the ways pages do."""
    n = rng.randint(2, 480)
    return rng.choice(
        (
            f"{n}",
            f"- {n} -",
            f"– {n} –",
            f"[{n}]",
            f"Page {n}",
            f"Page {n} of {n + 30}",
            f"page {n}/{n + 12}",
            f"p. {n}",
            f"{n} | P a g e",
            f"Page | {n}",
            f"{n} of {n + 8}",
            f"— {n} —",
            "xii",
            "iv",
            f"~ {n} ~",
            f"A-{n % 20}",
            f"{n % 9 + 1}-{n % 30 + 1}",
        )
    )


def numbered_head(rng: Random) -> str:
    """Write a running head that carries a number."""
    title, n = rng.choice(_TITLES), rng.randint(2, 480)
    return rng.choice(
        (
            f"{title} {n}",
            f"{n} {title}",
            f"{n}    {title.upper()}",
            f"{title.upper()}    {n}",
            f"{title} | {n}",
            f"CHAPTER {n % 12 + 1}. {title.upper()}",
            f"Chapter {n % 12 + 1}: {title}",
            f"{n % 9 + 1} {title}",
            f"{rng.choice(_NAMES)} {n}",
            f"{n} {rng.choice(_NAMES)}",
            f"{title}, Vol. {n % 40 + 1}, No. {n % 5 + 1}",
            f"Section {n % 9 + 1}.{n % 7 + 1} {title}",
            f"{title} • {n}",
        )
    )


def plain_head(rng: Random) -> str:
    """Write a running head of words alone."""
    title = rng.choice(_TITLES)
    return rng.choice(
        (title, title.upper(), rng.choice(_NAMES).upper(), f"{rng.choice(_NAMES)} / {title}")
    )


def footer(rng: Random) -> str:
    """Write a line with an address, an identifier or a right."""
    n = rng.randint(100, 9999)
    return rng.choice(
        (
            rng.choice(_SITES),
            f"https://doi.org/10.1000/xyz{n}",
            f"doi:10.1371/journal.pone.000{n}",
            f"Downloaded from {rng.choice(_SITES)} by guest on 12 March 2020",
            f"© {2000 + n % 24} The Authors. All rights reserved.",
            f"arXiv:1901.0{n}v2 [cs.CL] 12 Jan 2019",
            f"{rng.choice(_SITES)}    {n % 90 + 1}/{n % 90 + 30}",
            f"12/03/2021, 14:05    {rng.choice(_SITES)}",
            "This article is protected by copyright. All rights reserved.",
            f"ISSN 1234-{n:04d}",
            "CONFIDENTIAL – DO NOT DISTRIBUTE",
            f"PLOS ONE | {rng.choice(_SITES)} March 2, 2016 {n % 20 + 1} / {n % 20 + 14}",
            "Copyright © 2018 Example Press Ltd",
            f"Last updated: 3 May {2000 + n % 24}",
            "Draft – not for citation",
        )
    )


def _break(rng: Random, text: str, lines: Sequence[str], gap: str) -> list[Edit]:
    """Put lines at one space inside a text, far enough from its edges."""
    spaces = [m.start() for m in re.finditer(r"(?<=[\w,;]) (?=\w)", text)]
    inner = spaces[2:-2]
    if not inner:
        return []
    at = rng.choice(inner)
    return [(at, at + 1, gap + "\n".join(lines) + gap)]


def _paged(draft: Draft, rng: Random, lines: Sequence[str], gap: str) -> Draft | None:
    """Break a page inside a passage."""
    start, _ = draft.hull
    edits = _break(rng, draft.passage, lines, gap)
    return (
        draft.edit_source([(s + start, e + start, new) for s, e, new in edits], repr(lines))
        if edits
        else None
    )


def number_between_blank_lines(draft: Draft, rng: Random) -> Draft | None:
    """Break a page with its number alone."""
    return _paged(draft, rng, [page_number(rng)], "\n\n")


def number_on_a_line(draft: Draft, rng: Random) -> Draft | None:
    """Break a page with its number on a line of its own and no blank lines."""
    return _paged(draft, rng, [page_number(rng)], "\n")


def head_between_blank_lines(draft: Draft, rng: Random) -> Draft | None:
    """Break a page with a number and a head between blank lines."""
    lines = [page_number(rng), rng.choice((numbered_head, plain_head))(rng)]
    return _paged(draft, rng, lines, "\n\n")


def head_on_a_line(draft: Draft, rng: Random) -> Draft | None:
    """Break a page with a numbered running head and no blank lines."""
    return _paged(draft, rng, [numbered_head(rng)], "\n")


def form_feed(draft: Draft, rng: Random) -> Draft | None:
    """Break a page as pdftotext does: the number, a form feed, the next page's head."""
    foot = rng.choice(("", "\n" + page_number(rng), "\n\n" + footer(rng)))
    head = rng.choice(
        ("", numbered_head(rng) + "\n", numbered_head(rng) + "\n\n", plain_head(rng) + "\n\n")
    )
    return _paged(draft, rng, [f"{foot}\n\f{head}"], "")


def footer_line(draft: Draft, rng: Random) -> Draft | None:
    """Break a page with an address, an identifier or a right, with or without a number."""
    lines = [footer(rng), *rng.choice(((), (page_number(rng),)))]
    return _paged(draft, rng, lines, rng.choice(("\n\n", "\n")))


def repeated_head(draft: Draft, rng: Random) -> Draft | None:
    """Break a page with a head of words that stands on other pages too."""
    head, gap = plain_head(rng), rng.choice(("\n", "\n\n"))
    paged = _paged(draft, rng, [head], gap)
    if paged is None:
        return None
    start, end = paged.hull
    outside = [
        m.start() for m in re.finditer(r" ", paged.text) if not start - 1 <= m.start() <= end
    ]
    if len(outside) < 20:
        return None
    chosen = rng.sample(outside, min(4, 1 + len(outside) // 60))
    return paged.edit_source([(at, at + 1, f"{gap}{head}{gap}") for at in chosen])


def in_a_word(draft: Draft, rng: Random) -> Draft | None:
    """Break a page in the middle of a hyphenated word."""
    start, _ = draft.hull
    words = list(re.finditer(r"(?<= )[a-z]{4}(?=[bcdfglmnprst][a-z]{3,}\b)", draft.passage))
    if not words:
        return None
    at = start + rng.choice(words).end()
    lines = f"-\n\n{page_number(rng)}\n\n"
    return draft.edit_source(
        [
            (
                at,
                at,
                rng.choice((lines, f"-\n{page_number(rng)}\n\f", f"-\n\n{numbered_head(rng)}\n\n")),
            )
        ]
    )


LAYOUTS: dict[str, Callable[[Draft, Random], Draft | None]] = {
    "page_number_blank_lines": number_between_blank_lines,
    "page_number_line": number_on_a_line,
    "page_head_blank_lines": head_between_blank_lines,
    "page_head_line": head_on_a_line,
    "page_form_feed": form_feed,
    "page_footer": footer_line,
    "page_repeated_head": repeated_head,
    "page_in_a_word": in_a_word,
}
