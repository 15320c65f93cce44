"""What a server sent, as text: kinds of content, encodings, and pages that show something else."""

import pytest

from citeguard.documents.document import Document
from citeguard.web.page import read_content_type
from citeguard.web.reading import Content, NotFetchedError, read_page, suffix_of
from page_server import ARTICLE, pdf_of
from rows import each_row

PLAIN = "Notice is one month, for everybody."


def read(body: str | bytes, content_type: str = "text/html", path: str = "/page") -> Document:
    content = body if isinstance(body, bytes) else body.encode()
    named, charset = read_content_type(content_type)
    return read_page(Content(content, named, charset, path))


def outcome(body: str | bytes, content_type: str = "text/html") -> str:
    try:
        read(body, content_type)
    except NotFetchedError as error:
        return error.outcome if error.reason else "unexplained"
    return "fetched"


class TestKinds:
    @each_row(
        ("content_type", "path", "body", "suffix"),
        [
            ("text/html", "/", b"x", ".html"),
            ("text/html", "/", b"%PDF-1.7", ".pdf"),
            ("application/octet-stream", "/", b"%PDF-1.7", ".pdf"),
            ("text/plain", "/", b"x", ".txt"),
            ("text/plain", "/README.md", b"x", ".md"),
            ("text/plain", "/a.csv", b"x", ".csv"),
            ("text/plain", "/a.html", b"x", ".txt"),
            ("text/plain", "/a", b"\xef\xbb\xbf <!DOCTYPE html>", ".html"),
            ("text/markdown", "/", b"x", ".md"),
            ("text/csv", "/", b"x", ".csv"),
            ("text/x-rst", "/", b"x", ".txt"),
            ("application/json", "/a.json", b"{}", ".txt"),
            ("application/ld+json", "/", b"{}", ".txt"),
            ("application/xml", "/", b"<?xml version='1.0'?><html>", ".html"),
            ("", "/", b"<html>", ".html"),
            ("", "/", b"x", ".txt"),
            ("application/octet-stream", "/a.md", b"x", ".md"),
            *[
                (content_type, "/", b"x", "")
                for content_type in """
                    image/png video/mp4 text/css text/javascript text/event-stream nonsense
                    application/javascript application/zip application/xml application/rss+xml
                """.split()
            ],
            ("application/octet-stream", "/", b"\0\1\2", ""),
        ],
    )
    def test_are_known_by_type_name_and_first_bytes(
        self, content_type: str, path: str, body: bytes, suffix: str
    ) -> None:
        assert suffix_of(Content(body, content_type, "", path)) == suffix

    @each_row(
        ("body", "content_type", "kind", "text"),
        [
            (ARTICLE, "text/html", "html", "The notice period is one month"),
            (pdf_of(PLAIN), "application/pdf", "pdf", PLAIN),
            (PLAIN, "text/plain", "text", PLAIN),
            (f"# Notice\n\n*{PLAIN}*", "text/markdown", "markdown", PLAIN),
            ('{"notice": "one month"}', "application/json", "text", '"notice": "one month"'),
            ("who,notice\nall,one month", "text/csv", "table", "all | one month"),
        ],
    )
    def test_are_read_with_a_layout(
        self, body: str | bytes, content_type: str, kind: str, text: str
    ) -> None:
        document = read(body, content_type)
        assert text in document.text
        assert document.layout.kind == kind


class TestEncodings:
    @each_row(
        ("content_type", "body"),
        [
            ("text/html", "<p>żółw ma trzy lata i dom".encode()),
            ("text/html; charset=utf-8", "<p>żółw ma trzy lata i dom".encode()),
            ("text/html; charset=ISO-8859-2", "<p>żółw ma trzy lata i dom".encode("iso-8859-2")),
            # The header counts for more than the page.
            (
                "text/html; charset=iso-8859-2",
                b"<meta charset=iso-8859-1>" + "<p>żółw ma trzy lata i dom".encode("iso-8859-2"),
            ),
            (
                "text/html",
                b"<meta charset=iso-8859-2>" + "<p>żółw ma trzy lata i dom".encode("iso-8859-2"),
            ),
            # A byte-order mark counts for more than the header, and the bytes being UTF-8.
            ("text/html; charset=iso-8859-2", "\ufeff<p>żółw ma trzy lata i dom".encode()),
            ("text/html; charset=iso-8859-2", "<p>żółw ma trzy lata i dom".encode()),
            ("text/html", "\ufeff<p>żółw ma trzy lata i dom".encode("utf-16-le")),
            ("text/html; charset=utf-16le", "<p>żółw ma trzy lata i dom".encode("utf-16-le")),
            ("text/plain; charset=iso-8859-2", "żółw ma trzy lata i dom".encode("iso-8859-2")),
            ("text/plain; charset=utf-16be", "żółw ma trzy lata i dom".encode("utf-16-be")),
            ("text/markdown;charset='iso-8859-2'", "żółw ma *trzy* lata i dom".encode("latin2")),
        ],
    )
    def test_are_those_of_the_header_or_the_page(self, content_type: str, body: bytes) -> None:
        assert read(body, content_type).text == "żółw ma trzy lata i dom"


MISSING = [
    ("404 Not Found", "nginx"),
    ("Page not found | Acme", "The page you requested could not be found."),
    ("Acme", "<h1>Sorry, this page isn't available any more</h1><p>Go back home."),
    ("Oops!", "<h1>We can't find the page you're looking for</h1><p>Try the search."),
    ("Acme | Not Found", "Nothing is here."),
    ("Error 404", "Something is not here."),
    ("Seite nicht gefunden", "Die Seite gibt es nicht."),
    ("Page introuvable", "Cette page n'existe plus."),
    ("Página no encontrada", "Lo sentimos."),
    ("Pagina non trovata", "Ci dispiace."),
    ("页面不存在", "请返回首页。"),
    ("お探しのページが見つかりません", "トップへ"),
    ("This article has been removed", "It is no longer available."),
]
BLOCKED = [
    ("Just a moment...", "Checking your browser before accessing example.org."),
    ("Access Denied", "You don't have permission to access this server."),
    ("example.org", "Please enable JavaScript and cookies to continue."),
    ("Are you a robot?", "Please confirm you are not a robot by solving the CAPTCHA."),
    ("Acme", "You need to enable JavaScript to run this app."),
    ("Acme", "JavaScript is required to view this site."),
    ("Before you continue to Acme", "We use cookies and data to deliver our services."),
    ("We value your privacy", "We and our 834 partners store cookies. Accept all. Reject all."),
    ("Acme", "Bitte aktivieren Sie JavaScript in Ihrem Browser."),
]
PAID = [
    "The vote was close, and … Subscribe to continue reading.",
    "The minister said on Friday that … Already a subscriber? Sign in.",
    "The first results are in. This article is for subscribers only.",
    "The first results are in. You have reached your limit of free articles this month.",
    "Die Wahl war knapp. Jetzt abonnieren und weiterlesen",
    "Le vote était serré. Article réservé aux abonnés",
    "Sign in to read the full story, or start a free trial to keep reading.",
]
PAGES = [
    ("Notice", "The notice period is one month."),
    ("How to fix 404 errors", "A server answers 404 when a page is not there. " * 40),
    ("Missing ships", "The Waratah was lost in 1909, and its wreck was not found."),
    ("Reports of ships not found in the archive", "There are four of them, all of 1909."),
    ("Lost and found", "Umbrellas that were not found within a week are given away."),
    ("JavaScript", "JavaScript is a language that browsers run. Brendan Eich wrote it in 1995."),
    ("Cookies", "Our cookies are baked each morning, with butter and with care."),
    ("CAPTCHA", "A CAPTCHA is a test that distinguishes people from machines. " * 30),
    ("Privacy policy", "We use cookies. You can accept all of them, or manage cookies. " * 30),
    ("Newsletter", "Prices rose by five percent. Subscribe to our newsletter for more."),
    ("Room 404", "Room 404 is on the fourth floor, next to the stairs."),
    ("Gone with the Wind", "A novel of 1936 by Margaret Mitchell, set in Georgia."),
    ("Species not seen since 1998", "The bird has not been found again since 1998."),
    ("Access", "Access is by the gate in the south. Members sign in at the desk."),
    ("Payslips", "Payslips come at the end of the month. Log in to view yours, or to print it."),
    ("First steps", "Open the app, enter your address, and click “Sign in” to continue."),
    ("Free to read", "All of our articles are free to read, also for those who are no members."),
]


class TestWalls:
    @each_row(
        ("body", "expected"),
        [
            ("", "unsupported_type"),
            ("<html><body><img src=a.png></body></html>", "unsupported_type"),
            ("<body><div id=root></div><script src=a.js></script></body>", "blocked"),
        ],
    )
    def test_a_page_without_text(self, body: str, expected: str) -> None:
        assert outcome(body) == expected

    @each_row(("title", "body"), MISSING)
    def test_a_page_that_is_not_there(self, title: str, body: str) -> None:
        assert outcome(f"<title>{title}</title><h1>{title}</h1><p>{body}") == "dead"

    @each_row(("title", "body"), BLOCKED)
    def test_a_page_that_wants_something_first(self, title: str, body: str) -> None:
        assert outcome(f"<title>{title}</title><p>{body}") == "blocked"

    @each_row("text", PAID)
    def test_a_text_that_ends_where_money_is_asked_for(self, text: str) -> None:
        assert outcome(f"<title>News</title><h1>News</h1><p>{text}") == "paywalled"

    @each_row(("title", "body"), PAGES)
    def test_a_page_is_a_page(self, title: str, body: str) -> None:
        assert outcome(f"<title>{title}</title><h1>{title}</h1><p>{body}") == "fetched"

    @each_row(
        ("declared", "paid"),
        [
            ('{"@type": "NewsArticle", "isAccessibleForFree": false}', True),
            ('{"@type": "NewsArticle", "isAccessibleForFree": "False"}', True),
            ('{"@graph": [{"@type": "WebPage"}, {"isAccessibleForFree": false}]}', True),
            ('[{"isAccessibleForFree": "http://schema.org/False"}]', True),
            ('{"hasPart": {"isAccessibleForFree": false, "cssSelector": ".body"}}', True),
            ('{"isAccessibleForFree": true}', False),
            ('{"isAccessibleForFree": "True"}', False),
            # Other pages that this one only lists.
            ('{"itemListElement": [{"isAccessibleForFree": false}]}', False),
            ('{"isAccessibleForFree": false', False),
            ("[" * 50_000, False),
            ("null", False),
            ('"text"', False),
        ],
    )
    def test_a_page_that_says_whether_it_is_free(self, declared: str, paid: bool) -> None:
        page = f'<script type="application/ld+json">{declared}</script>{ARTICLE}'
        assert outcome(page) == ("paywalled" if paid else "fetched")

    @each_row(
        ("marked", "paid"),
        [
            ('<meta itemprop="isAccessibleForFree" content="false">', True),
            ('<meta property="article:content_tier" content="locked">', True),
            ('<meta property="article:content_tier" content="free">', False),
            ('<meta property="article:content_tier" content="metered">', False),
        ],
    )
    def test_a_page_that_says_so_in_its_elements(self, marked: str, paid: bool) -> None:
        page = ARTICLE.replace("<head>", f"<head>{marked}")
        assert outcome(page) == ("paywalled" if paid else "fetched")

    @pytest.mark.parametrize("text", ["page . " * 150_000, "enable " * 100, "-" * 3_000_000])
    def test_hostile_text_takes_no_time(self, text: str) -> None:
        assert outcome(f"{text} x", "text/plain") == "fetched"
