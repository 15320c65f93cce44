"""Markup and marks: HTML, Markdown, citations, and quotation marks put around a quote."""

from __future__ import annotations

import re
from random import Random

from .cases import Edit
from .noise import Noise
from .typography import matches

_WORDS = r"(?<=\s)[A-Za-z][a-z]{2,}(?: [a-z]{2,}){0,3}(?=[\s,;])"
_ONE_WORD = r"(?<=\s)[A-Za-z][a-z]{3,}(?=[\s,;])"
_URLS = (
    "https://example.org/wiki/Main_page",
    "/wiki/Page_(disambiguation)",
    "http://www.example.com/a?b=1&c=2",
    "#cite_note-12",
    "page.html",
    "https://example.org/report-2019.pdf",
)
_AUTHORS = (
    "Smith",
    "Jones",
    "García",
    "Müller",
    "Chen",
    "Okafor",
    "Tanaka",
    "van Dijk",
    "Lee",
    "O’Neill",
)


def _wrap(m: re.Match[str], before: str, after: str) -> str:
    return f"{before}{m.group()}{after}"


def tagged(m: re.Match[str], rng: Random) -> str:
    """Put simple HTML tags around words."""
    tag = rng.choice(("b", "i", "em", "strong", "span", "u", "cite", "mark", "a", "abbr"))
    attributes = {
        "a": f' href="{rng.choice(_URLS)}"',
        "span": ' class="hl" style="color:#333"',
        "abbr": ' title="as given"',
    }
    return _wrap(m, f"<{tag}{attributes.get(tag, '')}>", f"</{tag}>")


def line_break_tag(m: re.Match[str], rng: Random) -> str:
    """Write a space as a break that HTML allows within a sentence."""
    return rng.choice(("<br>", "<br/>", " <br /> ", "<br>\n", " <wbr>", "<!-- ad --> "))


def emphasis(m: re.Match[str], rng: Random) -> str:
    """Put Markdown emphasis around words."""
    mark = rng.choice(("*", "**", "_", "__", "***"))
    return _wrap(m, mark, mark)


def code(m: re.Match[str], rng: Random) -> str:
    """Put Markdown code marks around a word."""
    mark = rng.choice(("`", "`", "``"))
    return _wrap(m, mark, mark)


def link(m: re.Match[str], rng: Random) -> str:
    """Make words a Markdown or wiki link."""
    words, url = m.group(), rng.choice(_URLS)
    return rng.choice(
        (
            f"[{words}]({url})",
            f'[{words}]({url} "{words.title()}")',
            f"[{words}][{rng.randint(1, 30)}]",
            f"[[{words}]]",
            f"[*{words}*]({url})",
            f"[{words}]({url.split('(')[0]})",
        )
    )


def numeric_mark(m: re.Match[str], rng: Random) -> str:
    """Write a numbered citation."""
    a, b = rng.randint(1, 90), rng.randint(1, 9)
    space = rng.choice(("", " "))
    return space + rng.choice(
        (
            f"[{a}]",
            f"[{a}]",
            f"[{a}, {a + b}]",
            f"[{a}–{a + b}]",
            f"[{a}][{a + 1}]",
            f"[{a},{a + b},{a + 2 * b}]",
        )
    )


def footnote_mark(m: re.Match[str], rng: Random) -> str:
    """Write a footnote's mark."""
    a = rng.randint(1, 40)
    raised = str(a).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return rng.choice(
        (
            f"[^{a}]",
            raised,
            raised,
            f"<sup>{a}</sup>",
            f"<sup>[{a}]</sup>",
            "†",
            "‡",
            "*",
            f"[^note{a}]",
        )
    )


def author_mark(m: re.Match[str], rng: Random) -> str:
    """Write an author-and-year citation."""
    one, two = rng.sample(_AUTHORS, 2)
    year, other = rng.randint(1975, 2024), rng.randint(1975, 2024)
    return " " + rng.choice(
        (
            f"({one} et al., {year})",
            f"({one} & {two}, {year})",
            f"({one} and {two} {year})",
            f"({one}, {year}; {two} et al., {other}b)",
            f"(see {one}, {year}, p. {rng.randint(2, 400)})",
            f"[{one} et al. {year}]",
            f"({one} {year})",
        )
    )


def wiki_mark(m: re.Match[str], rng: Random) -> str:
    """Write one of Wikipedia's marks in brackets."""
    return rng.choice(
        (
            "[citation needed]",
            "[a]",
            "[note 2]",
            "[clarification needed]",
            "[b]",
            "[who?]",
        )
    )


def line_marks(pattern: str, marks: tuple[str, ...]) -> Noise:
    """Make a noise that begins lines inside the passage with a Markdown mark."""
    return Noise(
        matches(pattern, lambda _, rng: "\n" + rng.choice(marks)),
        0.12,
        sides=("source",),
        inner=True,
    )


_OPENING = (
    "and|but|which|while|who|that|was|were|is|are|in|for|to|by|with|from|on|as|has|have|or|at"
)
_MARK_PLACE = rf"(?<=[a-z]{{3}})(?=[,;]| (?:{_OPENING})\b)"

MARKUP: dict[str, Noise] = {
    "html_tags": Noise(matches(_WORDS, tagged), 0.15, inner=True),
    "html_breaks": Noise(
        matches(r"(?<=[a-z,]) (?=[a-z])", line_break_tag), 0.08, sides=("source",), inner=True
    ),
    "md_emphasis": Noise(matches(_WORDS, emphasis), 0.2),
    "md_code": Noise(matches(_ONE_WORD, code), 0.15),
    "md_link": Noise(matches(_WORDS, link), 0.15, sides=("source",), inner=True),
    "md_link_in_quote": Noise(matches(_WORDS, link), 0.15, sides=("quote",), inner=True),
    "md_escape": Noise(
        matches(r"(?<=\w)[-.()'](?=[\w ])", lambda m, r: "\\" + m.group()),
        0.6,
        sides=("source",),
        inner=True,
    ),
    "md_quoted_lines": line_marks(r"(?<=[a-z,]) (?=[a-z])", ("> ", ">", "> > ")),
    "mark_numeric": Noise(matches(_MARK_PLACE, numeric_mark), 0.04, inner=True),
    "mark_footnote": Noise(matches(_MARK_PLACE, footnote_mark), 0.04, inner=True),
    "mark_author": Noise(matches(_MARK_PLACE, author_mark), 0.03, inner=True),
    "mark_wiki": Noise(matches(_MARK_PLACE, wiki_mark), 0.03, inner=True),
}


def heading(text: str, rng: Random) -> list[Edit]:
    """Find no place of its own: a mark for the beginning of a heading, list item or block quote."""
    return [
        (
            0,
            0,
            rng.choice(
                ("# ", "## ", "### ", "- ", "* ", "+ ", "1. ", "• ", "> ", "- [ ] ", "12) ")
            ),
        )
    ]


SURROUNDINGS = (
    ('"', '"'),
    ("“", "”"),
    ("'", "'"),
    ("‘", "’"),
    ("«", "»"),
    ("„", "“"),
    ("``", "''"),
    ("`", "`"),
    ("*", "*"),
    ("**", "**"),
    ("«\u00a0", "\u00a0»"),
    ('\\"', '\\"'),
    ('"', '".'),
    ("“", "”."),
    ("> ", ""),
    ("- ", ""),
    ("「", "」"),
    ('""', '""'),
    ("<q>", "</q>"),
    ("(", ")"),
    ("_“", "”_"),
)
