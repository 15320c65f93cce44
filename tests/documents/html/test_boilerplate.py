"""Names of elements: what is called as furniture is, and yet is part of the main text."""

from collections.abc import Callable, Sequence
from itertools import cycle

from citeguard.documents.html.reader import read_html
from rows import each_row

Page = Callable[[str], str]

BRIDGE = (
    "<p>The bridge over the river was closed to traffic in the spring of last year, after"
    " inspectors found cracks in two of its pillars.</p><p>Residents of both banks have asked for a"
    " ferry, which the city has so far refused to pay for, citing the cost of it.</p>"
)
DECIDED = "The council decided on Tuesday that the bridge will not be rebuilt before 2031."
READER = "I do not agree with a word of it, and my dog does not either."


def text_of(page: str) -> str:
    return read_html(page.encode(), "a.html").text


def article(amid: str) -> str:
    return f"<html><body><article><h1>Bridge</h1>{BRIDGE}{amid}</article></body></html>"


def main(amid: str) -> str:
    return f"<html><body><main><h1>Bridge</h1>{BRIDGE}{amid}</main></body></html>"


def by_role(amid: str) -> str:
    return f'<body><div class="body" role="main"><h1>Bridge</h1>{BRIDGE}{amid}</div></body>'


def by_property(amid: str) -> str:
    return f'<body><div itemprop="articleBody"><h1>Bridge</h1>{BRIDGE}{amid}</div></body>'


def division(amid: str) -> str:
    return f'<body><div class="x"><h1>Bridge</h1>{BRIDGE}{amid}<p>It is so.</p></div></body>'


def body(amid: str) -> str:
    return f"<html><body><h1>Bridge</h1>{BRIDGE}{amid}{BRIDGE}</body></html>"


PAGES = [article, main, by_role, by_property, division]


def paired(cases: Sequence[str]) -> list[tuple[Page, str]]:
    """Return each case with one of the kinds of pages, by turns."""
    return list(zip(cycle(PAGES), cases))


class TestNamesAmidTheMainText:
    @each_row(
        ("page", "element"),
        paired(
            [
                "<div class=related-work><p>{}</p></div>",
                "<section class=subscription-terms><p>{}</p></section>",
                "<section id=social-impact><p>{}</p></section>",
                "<div id=comments-on-method><p>{}</p></div>",
                "<div class=menu><p>{}</p></div>",
                "<aside class=admonition><p>{}</p></aside>",
                "<div role=complementary><p>{}</p></div>",
                "<footer><p>{}</p></footer>",
            ]
        ),
    )
    def test_leave_text_in(self, page: Page, element: str) -> None:
        assert DECIDED in text_of(page(element.format(DECIDED)))

    @each_row(
        ("page", "element"),
        paired(
            [
                "<div class=weekly-newsletter><p>{}</p></div>",
                "<div class=menu><p><a href=/a>Whatever happened at the bridge.</a></p></div>",
                "<ol class=breadcrumbs><li>Home<li>Cities</ol>",
                "<footer><p>Posted in <a href=/c>Cities</a></footer>",
            ]
        ),
    )
    def test_tell_furniture_still(self, page: Page, element: str) -> None:
        assert text_of(page(element.format(READER))) == text_of(page(""))

    @each_row(
        "element",
        ["footer", "aside", "div role=complementary", "div class=widget", "div class=menu"],
    )
    def test_outside_of_it_tell_furniture(self, element: str) -> None:
        tag = element.split()[0]
        beside = f"<{element}><p>{READER}</p></{tag}>"
        page = f"<body><main><h1>Bridge</h1>{BRIDGE}</main>{beside}</body>"
        assert READER not in text_of(page)
        assert READER not in text_of(body(beside))


class TestLinkedSentences:
    LINKS = "<ul><li><a href=/x>{}</a></li><li><a href=/y>{}</a></li></ul>"

    @each_row("page", PAGES)
    def test_amid_the_main_text_are_text(self, page: Page) -> None:
        links = self.LINKS.format(DECIDED, "And it will build no tunnel.")
        assert f"- {DECIDED}\n\n- And it will build no tunnel." in text_of(page(links))
