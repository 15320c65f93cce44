"""A PDF file of two pages whose words stand at known places, read by hand, and an audit by it."""

from array import array
from collections.abc import Iterator
from functools import cache
from io import BytesIO

from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from citeguard import Policy, Report, Source, Sources, Span, Verdict, audit
from citeguard.sources.layout import Box, Heading, Layout, Page, PrintedLine
from citeguard.testing import ScriptedJudge

WIDTH, HEIGHT = 400, 500  # points of a page
LEFT = 50
SIZE = 12
_FONT = "Helvetica"
_ASCENT, _DESCENT = 9, 3  # points of a line above and below its baseline
_LEADING = 16

PAGES = (
    (
        "The Harbour Institute",
        "It studies harbours, and what becomes of them.",
        "Its library is open to everybody on weekdays.",
    ),
    (
        "History",
        "The institute was founded in 1984 by Marta Lindqvist",
        "and eleven colleagues. It moved to the old rope works",
        "in the spring of 1997.",
    ),
)
HEADINGS = ("The Harbour Institute", "History")
TEXT = "\n\n".join(part for first, *rest in PAGES for part in (first, "\n".join(rest)))
DECIDING = (
    "The institute was founded in 1984 by Marta Lindqvist\nand eleven colleagues.",
    "Its library is open to everybody on weekdays.",
)
AUDITED = """\
The institute was founded in 1985 by Marta Lindqvist [paper].
Its library is open to everybody on weekdays [paper].
There is a swimming pool [paper].
Lunch is free for all employees [faq].
"""
FOUNDED = (
    Box(page=2, left=50.0, top=67, right=330.1, bottom=79),
    Box(page=2, left=50.0, top=83, right=172.7, bottom=95),
)
"""Where on its second page the sentence stands that contradicts the first claim."""


@cache
def audited_paper() -> Report:
    """Return an audit whose claims rest on both pages of the file, and on a text without pages.

    The first is contradicted, the second and the last one are supported.
    """
    faq = Source("faq", "Lunch is free for all employees.\n")
    founded, library = (
        Span("paper", TEXT.index(words), TEXT.index(words) + len(words)) for words in DECIDING
    )
    said = {
        "The institute was founded in 1985 by Marta Lindqvist": Verdict(
            "contradicted", words=DECIDING[0], span=founded, judge="script"
        ),
        "Its library is open to everybody on weekdays": Verdict(
            "supported", words=DECIDING[1], span=library, judge="script"
        ),
        "Lunch is free for all employees": Verdict(
            "supported", words=faq.text.strip(), span=Span("faq", 0, 32), judge="script"
        ),
    }
    script = {end: verdict for words, verdict in said.items() for end in (words, f"{words}.")}
    policy = Policy(support=[ScriptedJudge(script, otherwise="unsupported")])
    return audit(AUDITED, Sources([paper(url="https://example.org/paper.pdf"), faq]), policy=policy)


def paper(*, url: str | None = None, label: str = "ii") -> Source:
    """Return the file as a source; its second page bears this label."""
    layout = Layout(
        "pdf",
        len(TEXT),
        headings=[_heading(words, level) for level, words in enumerate(HEADINGS, 1)],
        pages=[
            Page(number, ("1", label)[number - 1], WIDTH, HEIGHT, "\n".join(lines))
            for number, lines in enumerate(PAGES, 1)
        ],
        printed=_printed(),
        file=paper_file(),
    )
    return Source("paper", TEXT, url=url, layout=layout)


def paper_file() -> bytes:
    """Return the PDF file."""
    written = BytesIO()
    canvas = Canvas(written, pagesize=(WIDTH, HEIGHT))
    for lines in PAGES:
        canvas.setFont(_FONT, SIZE)
        for number, line in enumerate(lines):
            canvas.drawString(LEFT, HEIGHT - _baseline(number), line)
        canvas.showPage()
    canvas.save()
    return written.getvalue()


def _printed() -> Iterator[PrintedLine]:
    for page, lines in enumerate(PAGES, 1):
        for number, line in enumerate(lines):
            edges = [LEFT + stringWidth(line[:at], _FONT, SIZE) for at in range(len(line) + 1)]
            yield PrintedLine(
                start=TEXT.index(line),
                page=page,
                top=_baseline(number) - _ASCENT,
                bottom=_baseline(number) + _DESCENT,
                lefts=array("d", edges[:-1]),
                rights=array("d", edges[1:]),
            )


def _baseline(number: int) -> int:
    """Return how far below the upper edge of its page a line stands, in points."""
    return 60 + number * _LEADING


def _heading(words: str, level: int) -> Heading:
    start = TEXT.index(words)
    return Heading(words, level, start, start + len(words))
