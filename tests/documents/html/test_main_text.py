"""Which part of a page is read: its main text, whole, and nothing that stands around it."""

from collections.abc import Callable, Sequence
from itertools import cycle

import pytest

from citeguard.documents.html.reader import read_html
from rows import each_row

Page = Callable[[str], str]

PARAGRAPHS = [
    "The notice period is one month in the first year, and three months in every year after it.",
    "Who resigns does so in writing, on paper, with a signature that the office can read.",
    "Keys, badges and computers are returned on the last day, before noon, at the front desk.",
    "Holidays that were not taken are paid with the last wage, at the rate of the last year.",
    "A reference is written within two weeks, and it is as kind as the facts allow it to be.",
]
NAVIGATION = "<li><a href=/a>Products and prices</a><li><a href=/b>Contact our office</a>"
COOKIES = "<p>We use cookies to improve your visit.</p><p>Manage your cookie preferences</p>"
COMMENTS = "<p>Thank you for this article, my sister and I had the very same talk last week.</p>"
SIDE = "<h3>Most read</h3><ul><li><a href=/c>Ten gardens you must see this spring</a></ul>"
FOOTER = "<p>© 2024 Example Inc. All rights reserved.</p><a href=/p>Privacy policy</a>"
FURNITURE = (
    "Products and prices",
    "cookie",
    "Thank you for this article",
    "Ten gardens",
    "All rights reserved",
)


def paragraphs(form: str = "<p>{}</p>") -> str:
    return "".join(form.format(each) for each in PARAGRAPHS)


def text_of(page: str) -> str:
    return read_html(page.encode(), "a.html").text


def by_elements(main: str) -> str:
    return (
        f"<html><body><header><nav><ul>{NAVIGATION}</ul></nav></header><div role=dialog>{COOKIES}"
        f"</div><main><article><h1>Notice</h1>{main}</article></main><aside>{SIDE}</aside>"
        f"<section id=comments>{COMMENTS}</section><footer>{FOOTER}</footer></body></html>"
    )


def by_names(main: str) -> str:
    return (
        f'<html><body><div class="mainNavigation"><ul>{NAVIGATION}</ul></div><div id="page">'
        f'<div class="entry"><h1>Notice</h1><div class="entry-content">{main}</div></div>'
        f'<div id="comment-list">{COMMENTS}</div><div class="right sidebar">{SIDE}</div></div>'
        f'<div class="cookie-bar">{COOKIES}</div><div class="site-footer">{FOOTER}</div>'
        "</body></html>"
    )


def by_nothing(main: str) -> str:
    return (
        f'<html><body><div class="kx"><ul>{NAVIGATION}</ul></div><div class="qa"><h1>Notice</h1>'
        f'<div class="wd">{main}</div></div><div class="fm">{SIDE}</div></body></html>'
    )


def by_tables(main: str) -> str:
    return (
        f"<table><tr><td colspan=2><ul>{NAVIGATION}</ul></td></tr><tr><td>{SIDE}</td><td>"
        f"<h1>Notice</h1>{main}</td></tr></table>"
    )


def in_a_form(main: str) -> str:
    return (
        f"<html><body><form id=all><input name=state><div id=menu><ul>{NAVIGATION}</ul></div>"
        f"<div id=content><h1>Notice</h1>{main}</div><div id=footer>{FOOTER}</div></form>"
        "</body></html>"
    )


PAGES = [by_elements, by_names, by_nothing, by_tables, in_a_form]
FORMS = {
    "paragraphs": "<p>{}</p>",
    "divisions": "<div>{}</div>",
    "line breaks": "{}<br><br>",
    "wrapped": "<div class=a><div class=b><p>{}</p></div></div>",
    "list": "<ul><li>{}</ul>",
    "quotation": "<blockquote>{}</blockquote>",
    "caption": "<p>As seen here:</p><figure><img><figcaption>{}</figcaption></figure>",
    "table": "<table><tr><th>Rule<td>{}</table>",
}


class TestMainText:
    @each_row(
        ("page", "form"),
        [*zip(cycle(PAGES), FORMS.values()), *zip(cycle(PAGES[1:]), FORMS.values())],
    )
    def test_is_whole_and_alone(self, page: Page, form: str) -> None:
        text = text_of(page(paragraphs(form)))
        assert [each for each in PARAGRAPHS if each not in text] == []
        assert [each for each in FURNITURE if each in text] == []

    @each_row(
        ("page", "amid"),
        list(
            zip(
                cycle(PAGES),
                [
                    "<h2>By law</h2>",
                    "<ol><li>Write.<li>Sign.</ol>",
                    "<table><tr><th>Year<th>Months<tr><td>First<td>One</table>",
                    "<figure><img><figcaption>The front desk</figcaption></figure>",
                    "<dl><dt>Office</dt><dd>Where the keys are</dd></dl>",
                    "<details><summary>By whom?</summary>By both.</details>",
                    f"<p>{PARAGRAPHS[0]}</p>",
                ],
            )
        ),
    )
    def test_keeps_what_is_within_it(self, page: Page, amid: str) -> None:
        shown = text_of(amid).replace("\n\n", " ")
        text = text_of(page(f"<p>{PARAGRAPHS[0]}</p>{amid}{paragraphs()}")).replace("\n\n", " ")
        assert shown in text[len(PARAGRAPHS[0]) :]

    @each_row(
        "main",
        [
            pytest.param(paragraphs("<article class=post><p>{}</p></article>"), id="articles"),
            pytest.param(paragraphs("<section><div><p>{}</p></div></section>"), id="sections"),
            pytest.param(paragraphs('<div class="post"><p>{}</p></div>'), id="divisions"),
        ],
    )
    def test_in_several_parts_is_read_whole(self, main: str) -> None:
        text = text_of(f"<html><body><nav>{NAVIGATION}</nav><main>{main}</main></body></html>")
        assert text == "\n\n".join(PARAGRAPHS)


class TestFurniture:
    @each_row(
        "amid",
        [
            '<aside class="related"><a href=/x>Out of it</a></aside>',
            '<div class="newsletter-promo"><p>Out of it</p></div>',
            '<div role="navigation"><p>Out of it</p></div>',
            "<nav>Out of it</nav>",
            "<ul><li><a href=/x>Out of it</a><li><a href=/y>Out of it too</a></ul>",
            "<p><a href=/x>Out of it</a></p>",
            "<share-buttons><p>Out of it</p></share-buttons>",
        ],
    )
    def test_amid_the_main_text_is_left_out(self, amid: str) -> None:
        text = text_of(by_elements(f"<p>{PARAGRAPHS[0]}</p>{amid}{paragraphs()}"))
        assert "Out of it" not in text
        assert text.endswith("\n\n".join(PARAGRAPHS))

    def test_a_column_of_links_is_data(self) -> None:
        rows = "".join(f"<tr><td><a href=/{n}>package-{n}</a><td>{n} kB" for n in range(5))
        assert "package-3 | 3 kB" in text_of(by_elements(f"{paragraphs()}<table>{rows}</table>"))


class TestSmallPages:
    @each_row(
        ("page", "text"),
        [
            ("<p>Words.", "Words."),
            ("<html><body><h1>Pay</h1><p>Monthly.</body></html>", "Pay\n\nMonthly."),
            ("<nav>Home</nav><p>Words.</p><footer>Ltd.</footer>", "Words."),
            ("<nav><a href=/>Home</a></nav>", "Home"),
            ("<table><tr><td>May<td>1,000</table>", "May | 1,000"),
            ("", ""),
        ],
    )
    def test_are_read(self, page: str, text: str) -> None:
        assert text_of(page) == text


BRIDGE = (
    "<p>The bridge over the river was closed to traffic in the spring of last year, after"
    " inspectors found cracks in two of its pillars.</p><p>Residents of both banks have asked for a"
    " ferry, which the city has so far refused to pay for, citing the cost of it.</p>"
)
DECIDED = "The council decided on Tuesday that the bridge will not be rebuilt before 2031."
READER = "I do not agree with a word of it, and my dog does not either."


def report(before: str, after: str = "") -> Page:
    """Return a function that puts something behind the report in what is around both."""
    return lambda amid: f"<html><body>{before}<h1>Bridge</h1>{BRIDGE}{amid}{after}</body></html>"


REPORTS = [
    report("<article>", "</article>"),
    report("<main>", "</main>"),
    report('<div class="body" role="main">', "</div>"),
    report('<div itemprop="articleBody">', "</div>"),
    report('<div class="x">', "<p>It is so.</p></div>"),
]


def paired(cases: Sequence[str]) -> list[tuple[Page, str]]:
    """Return each case with one of the kinds of pages, by turns."""
    return list(zip(cycle(REPORTS), cases))


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
        assert READER not in text_of(report("", BRIDGE)(beside))


class TestLinkedSentences:
    LINKS = "<ul><li><a href=/x>{}</a></li><li><a href=/y>{}</a></li></ul>"

    @each_row("page", REPORTS)
    def test_amid_the_main_text_are_text(self, page: Page) -> None:
        links = self.LINKS.format(DECIDED, "And it will build no tunnel.")
        assert f"- {DECIDED}\n\n- And it will build no tunnel." in text_of(page(links))
