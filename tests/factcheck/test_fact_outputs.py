"""The report of a fact check as people read it: in a terminal, as Markdown and as a page."""

import io
from html.parser import HTMLParser

from inline_snapshot import snapshot
from rich.console import Console

from citeguard.reports.report import Report
from citeguard.reports.wording import facts_of, opened, search_text, spent_text
from factcheck.checks import ALL, EVIL, FAILED, HOSTILE, check, place, report
from rows import each_row


def printed(shown: Report, width: int = 72) -> str:
    file = io.StringIO()
    console = Console(width=width, file=file, markup=False, highlight=False, emoji=False)
    console.print(shown, crop=False)
    return file.getvalue()


def links_of(page: str) -> list[str]:
    """Return where the links of a page lead."""
    found: list[str] = []

    class Links(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            found.extend(value or "" for name, value in attrs if name == "href" and tag == "a")

    Links().feed(page)
    return found


class TestTerminal:
    def test_of_all_outcomes(self) -> None:
        assert printed(ALL) == snapshot("""\
1 of 4 statements is supported; 1 is contradicted; 2 could not be
decided

(✓1) The bridge opened in 1937. (✕2) The bridge opened in 1938. (…3) It
is painted red. (–4) I like it. (…5) The bridge has a toll.

✓ 1 Supported: The bridge opened in 1937.
    1 origin supports it.
    Page 1: “The bridge opened to traffic in May 1937, after four years
    of work.”
    https://example1.org/bridge#a

✕ 2 Contradicted: The bridge opened in 1938.
    2 origins contradict it.
    Contradicts: Page 1: “The bridge opened to traffic in May 1937,
    after four years of work.”
    https://example1.org/bridge#a
    Contradicts: Page 2: “The bridge opened to traffic in May 1937,
    after four years of work.”
    https://example2.org/bridge#a

… 3 Undecided: It is painted red.
    No search engine answered.

– 4 Nothing to check: I like it.
    This is an opinion.

… 5 Undecided (disputed): The bridge has a toll.
    1 origin supports it, 1 origin contradicts it.
    Page 1: “The bridge opened to traffic in May 1937, after four years
    of work.”
    https://example1.org/bridge#a
    Contradicts: Page 2: “The bridge opened to traffic in May 1937,
    after four years of work.”
    https://example2.org/bridge#a

Not searched: “bridge red”: No answer.
Not read: https://example3.org/bridge: behind a paywall (402): it asks
to pay
5 searches, 5 pages
""")

    @each_row("width", [20, 40, 200])
    def test_cuts_no_link(self, width: int) -> None:
        assert f"    {place().url}\n" in printed(ALL, width=width)


class TestMarkdown:
    def test_has_both_sides_and_what_was_not_read(self) -> None:
        page = ALL.to_markdown()
        said = "“The bridge opened to traffic in May 1937, after four years of work.”"
        assert (
            "#### … Claim 5: undecided (disputed)\n\n> The bridge has a toll.\n\n"
            "1 origin supports it, 1 origin contradicts it.\n\n"
            f"- Source: {said} ([Page 1](<https://example1.org/bridge#a>))\n"
            f"- Contradicts: {said} ([Page 2](<https://example2.org/bridge#a>))\n"
        ) in page
        assert page.partition("### Not read\n\n")[2].splitlines()[:2] == [
            "- **Not searched**: “bridge red”: No answer.",
            "- **Not read**: https<span>:</span>//example3.org/bridge: behind a paywall (402): it "
            "asks to pay",
        ]
        assert "5 searches, 5 pages\n" in page

    def test_has_no_markup_of_pages(self) -> None:
        page = HOSTILE.to_markdown()
        assert "<img" not in page
        assert "](<javascript" not in page
        assert "![" not in page


class TestPage:
    def test_leads_to_the_words(self) -> None:
        assert place().url in links_of(ALL.to_html())

    def test_names_what_was_not_read(self) -> None:
        page = ALL.to_html()
        assert "behind a paywall (402): it asks to pay" in page
        assert "No answer." in page

    def test_escapes_everything(self) -> None:
        page = HOSTILE.to_html(title=EVIL)
        assert "<img" not in page
        assert "javascript:" not in "".join(links_of(page))
        assert "\x1b" not in page
        assert "\u202e" not in page


class TestWording:
    @each_row(
        ("url", "is_opened"),
        [
            ("https://example.org/a", True),
            ("file:///home/me/bridge.html#:~:text=opened", True),
            ("file://host/share/a.html", False),
            ("file:////host/a", False),
            ("data:text/html,a", False),
            ("javascript:alert(1)", False),
        ],
    )
    def test_opens_the_web_and_files_of_this_machine(self, url: str, is_opened: bool) -> None:
        assert (opened(url) == url) is is_opened
        page = report(check(deciding=place(url=url))).to_html()
        assert (url in links_of(page)) is is_opened

    def test_an_outage_is_no_empty_result(self) -> None:
        assert search_text(FAILED) == "No answer."
        empty = FAILED.model_copy(update={"failure": None, "reason": ""})
        assert search_text(empty) == "0 pages found"
        partial = empty.model_copy(update={"partial": True})
        assert search_text(partial) == "0 pages found: some engines did not answer"

    def test_the_nearest_are_shown_where_nothing_decides(self) -> None:
        near = tuple(place(n, outcome="undecided") for n in range(3))
        claim = check("undecided", deciding=None, evidence=near)
        assert [(fact.label, fact.place) for fact in facts_of(claim)] == [
            ("Nearest", each) for each in near[:2]
        ]
        audited = tuple(each.model_copy(update={"outcome": None}) for each in near)
        for verdict, shown_places in (("undecided", [audited[0]]), ("unsupported", [])):
            claim = check(verdict, deciding=None, evidence=audited)
            assert [fact.place for fact in facts_of(claim)] == shown_places
        below = near[0].model_copy(update={"text": "Pay\n\nPay is due.", "headings": ("Pay",)})
        claim = check("undecided", deciding=None, evidence=(below,))
        assert [fact.words for fact in facts_of(claim)] == ["Pay is due."]

    def test_what_was_spent(self) -> None:
        spent = ALL.model_copy().spent
        assert spent is not None
        paid = spent.model_copy(update={"calls": 2, "tokens": 1_000, "cost": 0.5})
        assert spent_text(paid) == "5 searches, 5 pages, 2 calls, 1,000 tokens, cost 0.5000"


def test_json_can_be_read_again() -> None:
    assert Report.model_validate_json(ALL.to_json()) == ALL
    assert HOSTILE.to_json().isascii()
