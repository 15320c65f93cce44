"""A text with 40 links over a site of 40 pages, written before the audit was run on it.

Each row is what the text says, how it links, what the server sends, and the finding that is right.
"""

from io import BytesIO
from typing import NamedTuple

from reportlab.pdfgen.canvas import Canvas

from citeguard.reports.report import CitationProblem
from linked_site import Reply, page


def pdf(*lines: str) -> Reply:
    """Return a PDF file of one page."""
    file = BytesIO()
    canvas = Canvas(file, invariant=True)
    for number, line in enumerate(lines):
        canvas.drawString(72, 760 - 20 * number, line)
    canvas.save()
    return Reply(file.getvalue(), content_type="application/pdf")


def moved(path: str) -> Reply:
    """Return a redirect."""
    return Reply(status=301, headers={"Location": path})


class Row(NamedTuple):
    """A link of the text.

    Attributes:
        sentence: What is said; `{}` is where the address is.
        reply: What the server sends.
        problem: The finding on it; `None` for a page that says so.
    """

    sentence: str
    reply: Reply
    problem: CitationProblem | None


_BRIDGE = (
    "The Karl Bridge was opened to traffic in May 1931 after four years of work.",
    "It is 412 metres long and carries two lanes and a tram line.",
    "About 38,000 vehicles cross it on a working day.",
)
_BAKERY = (
    "Lindgren is a family bakery in Uppsala with 64 employees.",
    "In 2022 it sold its shops in Gävle and now bakes for supermarkets only.",
)
_LAKE = (
    "Lake Orrin covers 83 square kilometres and is at most 61 metres deep.",
    "Swimming has been banned there since an algal bloom in August 2018.",
)
_SHIP = (
    "The ferry Aurora was built in Turku and entered service in 2007.",
    "She carries 1,800 passengers and 320 cars between Turku and Stockholm.",
)
_SCHOOL = (
    "The Northfield school teaches 1,120 pupils in 46 classes.",
    "A new sports hall was finished in October 2020. It cost 9.4 million euros.",
)
_TRIAL = (
    "In the trial, 214 patients received the drug and 209 a placebo.",
    "Pain fell by 31% in the group with the drug. Nausea was the most frequent side effect.",
)
_DAM = (
    "The Verrin dam failed on 3 February 1959, and 27 people died.",
    "An inquiry blamed the foundation, which had not been grouted.",
)
_CITY = (
    "Marlow has 71,500 inhabitants. Its mayor is Petra Hahn, who was elected in 2019.",
    "The town hall moved to the old mill in 2015.",
)

ROWS = [
    # The page says so, in its own words or nearly.
    Row("The Karl Bridge was opened in [May 1931]({}).", page("Karl Bridge", *_BRIDGE), None),
    Row("The bridge is 412 metres long ({}).", page("Karl Bridge", *_BRIDGE), None),
    Row("The Karl Bridge carries two lanes and a tram line <{}>.", page("Bridges", *_BRIDGE), None),
    Row("Lindgren has 64 employees [[source]({})].", page("Lindgren", *_BAKERY), None),
    Row("Lindgren sold its shops in Gävle in 2022: {}.", page("Lindgren", *_BAKERY), None),
    Row('Lake Orrin covers <a href="{}">83 square kilometres</a>.', page("Orrin", *_LAKE), None),
    Row("The ferry Aurora [entered service in 2007]({}).", page("Aurora", *_SHIP), None),
    Row("The Aurora carries 1,800 passengers and 320 cars ({}).", page("Aurora", *_SHIP), None),
    Row("The Northfield school teaches [1,120 pupils]({}).", page("School", *_SCHOOL), None),
    Row("The new sports hall cost 9.4 million euros ([school]({})).", page("Hall", *_SCHOOL), None),
    Row("In the trial, 209 patients received a placebo ({}).", pdf(*_TRIAL), None),
    Row("Nausea was the most frequent side effect of the drug ({}).", pdf(*_TRIAL), None),
    Row("In 1959, 27 people died when the Verrin dam failed ({}).", page("Dam", *_DAM), None),
    Row("Petra Hahn was elected mayor of Marlow in 2019 ({}).", page("Marlow", *_CITY), None),
    # It moved, and still says so.
    Row("Marlow has 71,500 inhabitants ({}).", moved("/de/marlow-population"), None),
    # The page contradicts it.
    Row("The bridge opened in [June 1934]({}).", page("Bridge", *_BRIDGE), "page_contradicts"),
    Row("The Karl Bridge is 512 metres long ({}).", page("Bridge", *_BRIDGE), "page_contradicts"),
    Row("Lindgren has 640 employees ({}).", page("Lindgren", *_BAKERY), "page_contradicts"),
    Row("Lake Orrin is at most 16 metres deep ({}).", page("Orrin", *_LAKE), "page_contradicts"),
    Row("The Aurora entered service in 2017 ({}).", page("Aurora", *_SHIP), "page_contradicts"),
    Row("Pain fell by 13% in the group with the drug ({}).", pdf(*_TRIAL), "page_contradicts"),
    Row("The dam failed on 3 March 1959 ({}).", page("Dam", *_DAM), "page_contradicts"),
    # The page does not say it.
    Row(
        "The Karl Bridge was painted by Italian prisoners ({}).",
        page("B", *_BRIDGE),
        "not_on_page",
    ),
    Row("Lindgren exports rye crackers to Japan ({}).", page("L", *_BAKERY), "not_on_page"),
    Row("Pike and eels live in Lake Orrin ({}).", page("O", *_LAKE), "not_on_page"),
    Row("The captain of the Aurora is a Norwegian ({}).", page("A", *_SHIP), "not_on_page"),
    Row(
        "The school has a Latin teacher and an orchestra ({}).",
        page("S", *_SCHOOL),
        "not_on_page",
    ),
    Row("Marlow is famous for its cheese market ({}).", page("M", *_CITY), "not_on_page"),
    # There is no such page.
    Row("The harbour of Trell was dredged in 2011 ({}).", Reply("Not here.", 404), "link_dead"),
    Row("Trell exports granite to Denmark [[1]({})].", Reply("Gone.", 410), "link_dead"),
    Row("A [quarter of Trell]({}) works in fishing.", Reply("<h1>404</h1>", 404), "link_dead"),
    Row('Its lighthouse is <a href="{}">27 metres high</a>.', Reply("", 404), "link_dead"),
    # It cannot be read.
    Row("The Ostrand mine closed in 1988 ({}).", Reply("Forbidden", 403), "link_blocked"),
    Row("Ostrand had 300 miners ({}).", Reply("Too many", 429), "link_blocked"),
    Row("The mine was 620 metres deep ({}).", Reply("", 500), "link_blocked"),
    Row("The miners went on strike in 1974 ({}).", Reply("", 451), "link_blocked"),
    Row("Ostrand sold its railway to Sweden ({}).", Reply(hangs=True), "link_blocked"),
    # It is another page.
    Row("The Kesten museum has 12 Roman boats ({}).", moved("/"), "link_redirected"),
    Row("Kesten was a Roman port ({}).", moved("/login?next=x"), "link_redirected"),
    Row("The [boats of Kesten]({}) are made of oak.", moved("/home"), "link_redirected"),
]

OTHERS = {
    "/": page("Welcome", "Welcome to our site. Here you find news of the region, and the weather."),
    "/home": page("Welcome", "Welcome to our site. Here you find news of the region."),
    "/login": page("Log in", "Please enter your name and your password to read this page."),
    "/de/marlow-population": page("Marlow", *_CITY),
}
"""Pages that are reached by redirects."""

_NAMES = {14: "/marlow-population"}


def path_of(number: int) -> str:
    """Return the path of the page of a row, by its place in `ROWS`."""
    return _NAMES.get(number, f"/articles/{number}/page-{number}")
