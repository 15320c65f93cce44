"""Fact checks as people read them: in a terminal, as Markdown and as a page."""

from __future__ import annotations

import io
import re
from html.parser import HTMLParser

from inline_snapshot import snapshot
from rich.console import Console

from citeguard.factcheck import FactReport
from citeguard.factcheck.outputs.markdown import LONGEST
from citeguard.factcheck.outputs.wording import (
    ASCII_ICONS,
    ICONS,
    LABELS,
    MEANINGS,
    deciding,
    origins_text,
    quoted,
    search_text,
    summary,
    unread,
)
from factcheck.checks import ALL, CONTRADICTED, EVIL, HOSTILE, UNDECIDED, check, passage, report
from factcheck.checks import search as searched
from rows import each_row


def printed(shown: FactReport, width: int = 72, encoding: str = "utf-8") -> str:
    file = io.TextIOWrapper(io.BytesIO(), encoding, "backslashreplace")
    console = Console(width=width, file=file, markup=False, highlight=False, emoji=False)
    console.print(shown, crop=False)
    file.seek(0)
    return file.read()


class Links(HTMLParser):
    """Collects the elements of a page, and where its links lead."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.links: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.links += [value or "" for name, value in attrs if name == "href" and tag == "a"]


class TestWording:
    def test_covers_every_outcome(self) -> None:
        assert set(LABELS) == set(ICONS) == set(ASCII_ICONS) == set(MEANINGS)
        assert len(set(LABELS.values())) == len(LABELS)

    def test_of_a_summary_counts_outcomes(self) -> None:
        assert summary(ALL) == (
            "5 statements: 1 supported, 1 contradicted, 1 undecided, 1 disputed, 1 not checkable"
        )

    def test_of_one_origin(self) -> None:
        assert origins_text(check()) == "1 origin supports it."

    def test_an_outage_is_no_empty_result(self) -> None:
        assert search_text(UNDECIDED.searches[0]) == "no answer"
        assert search_text(searched(results=())) == "0 pages found"

    def test_of_an_engine_that_answered_in_part(self) -> None:
        assert search_text(searched(partial=True)) == "1 page found: some engines did not answer"

    def test_names_each_page_once(self) -> None:
        twice = check(passages=(passage(1), passage(1, words="four years"), passage(2)))
        assert [each.url for each in deciding(twice)] == [passage(1).url, passage(2).url]

    def test_of_unread_pages(self) -> None:
        assert [page.outcome for page in unread(CONTRADICTED)] == ["paywalled"]

    def test_few_words_are_shown_with_what_is_around_them(self) -> None:
        assert quoted(passage(words="May 1937")) == passage().text


class TestTerminal:
    def test_of_all_outcomes(self) -> None:
        assert printed(ALL) == snapshot("""\
✓ Supported: The bridge opened in 1937.
    1 origin supports it.
    “The bridge opened to traffic in May 1937, after four years of
    work.”
    Page 1
    https://example1.org/bridge#:~:text=opened%20to%20traffic

✕ Contradicted: The bridge opened in 1938.
    The source says 1937, not 1938.
    contradicts: “The bridge opened to traffic in May 1937, after four
    years of work.”
    Page 1
    https://example1.org/bridge#:~:text=opened%20to%20traffic
    contradicts: “The bridge opened to traffic in May 1937, after four
    years of work.”
    Page 2
    https://example2.org/bridge#:~:text=opened%20to%20traffic
    Not read: https://example3.org/bridge: behind a paywall (402): Pay.

… Undecided: It is painted red.
    No search engine answered.
    Not searched: “The bridge opened in 1937.”: no answer

– Not checkable: I like it.
    This is an opinion, which no source can support.

≠ Disputed: The bridge has a toll.
    1 origin supports it, 1 origin contradicts it.
    “The bridge opened to traffic in May 1937, after four years of
    work.”
    Page 1
    https://example1.org/bridge#:~:text=opened%20to%20traffic
    contradicts: “The bridge opened to traffic in May 1937, after four
    years of work.”
    Page 2
    https://example2.org/bridge#:~:text=opened%20to%20traffic

5 statements: 1 supported, 1 contradicted, 1 undecided, 1 disputed, 1 \n\
not checkable
5 searches, 5 pages
""")

    def test_without_icons_where_they_cannot_be_encoded(self) -> None:
        assert printed(ALL, encoding="ascii").startswith("+ Supported: ")

    @each_row("width", [20, 40, 200])
    def test_cuts_no_link(self, width: int) -> None:
        link = passage().link
        assert f"    {link}\n" in printed(ALL, width=width)

    def test_shows_control_characters(self) -> None:
        shown = printed(HOSTILE)
        assert "\x1b" not in shown
        assert "\\u202e" in shown
        assert "\u202e" not in shown


class TestMarkdown:
    def test_of_all_outcomes(self) -> None:
        assert ALL.to_markdown() == snapshot("""\
## Fact check: 5 statements: 1 supported, 1 contradicted, 1 undecided, 1 disputed, 1 not checkable

### ✓ Supported

> The bridge opened in 1937.

1 origin supports it.

- “The bridge opened to traffic in May 1937, after four years of work.” ([Page 1](<https://example1.org/bridge#:~:text=opened%20to%20traffic>))

### ✕ Contradicted

> The bridge opened in 1938.

The source says 1937, not 1938.

- contradicts: “The bridge opened to traffic in May 1937, after four years of work.” ([Page 1](<https://example1.org/bridge#:~:text=opened%20to%20traffic>))
- contradicts: “The bridge opened to traffic in May 1937, after four years of work.” ([Page 2](<https://example2.org/bridge#:~:text=opened%20to%20traffic>))

- Not read: https<span>:</span>//example3.org/bridge: behind a paywall (402): Pay.

### … Undecided

> It is painted red.

No search engine answered.

- Not searched: “The bridge opened in 1937.”: no answer

### – Not checkable

> I like it.

This is an opinion, which no source can support.

### ≠ Disputed

> The bridge has a toll.

1 origin supports it, 1 origin contradicts it.

- “The bridge opened to traffic in May 1937, after four years of work.” ([Page 1](<https://example1.org/bridge#:~:text=opened%20to%20traffic>))
- contradicts: “The bridge opened to traffic in May 1937, after four years of work.” ([Page 2](<https://example2.org/bridge#:~:text=opened%20to%20traffic>))

5 searches, 5 pages
""")

    def test_is_bounded_and_says_what_is_missing(self) -> None:
        page = report(*[check(number=n) for n in range(1, 2_000)]).to_markdown()
        assert len(page) <= LONGEST
        (missing,) = re.findall(r"\*\*([\d,]+) statements omitted here\*\*", page)
        assert page.count("### ") + int(missing.replace(",", "")) == 1_999

    def test_has_no_markup_of_pages(self) -> None:
        page = HOSTILE.to_markdown()
        assert "<img" not in page
        assert "](<javascript" not in page
        assert "![" not in page


class TestPage:
    def test_has_no_script_and_loads_nothing(self) -> None:
        page = ALL.to_html()
        assert "default-src 'none'" in page
        assert Links(page).names.isdisjoint({"script", "img", "iframe", "object", "form"})

    def test_leads_to_the_words(self) -> None:
        assert passage().link in Links(ALL.to_html()).links

    def test_marks_the_words(self) -> None:
        assert "<mark>opened to traffic in May 1937</mark>" in ALL.to_html()

    def test_escapes_everything(self) -> None:
        page = HOSTILE.to_html(title=EVIL)
        found = Links(page)
        assert "img" not in found.names
        assert found.links == []
        assert "\x1b" not in page
        assert "\u202e" not in page

    @each_row("url", ["file://host/share/a.html", "file:////host/a", "data:text/html,a", "a b"])
    def test_makes_no_link_to_elsewhere(self, url: str) -> None:
        links = Links(report(check(passages=(passage(link=url),))).to_html()).links
        assert url not in links

    def test_leads_to_files_of_this_machine(self) -> None:
        link = "file:///home/me/bridge.html#:~:text=opened"
        assert link in Links(report(check(passages=(passage(link=link),))).to_html()).links

    def test_always_encodes(self) -> None:
        assert report(check(statement="\ud800")).to_html().encode()


class TestJson:
    def test_can_be_read_again(self) -> None:
        assert FactReport.model_validate_json(ALL.to_json()) == ALL
        assert HOSTILE.to_json().isascii()
