"""HTML files as documents: `read_html`."""

from __future__ import annotations

import re

from citeguard.documents.document import Decision, Document, Writer
from citeguard.documents.html.blocks import blocks_of, write_block
from citeguard.documents.html.main_text import first_reading, main_blocks
from citeguard.documents.html.styles import Styles
from citeguard.documents.html.tree import Element, decode_page, parse_page
from citeguard.sources.layout import Fields
from citeguard.sources.links import web_url


def read_html(content: bytes, name: str, decision: Decision | None = None) -> Document:
    r"""Return the main text of a page as its readers see it, with its headings.

    Navigation, notices, comments and lists of links are left out, and so is what the page's own
    styles hide or strike out, unless the decision is to keep it; a warning counts the words of the
    former. List marks are kept, a row of a
    table is one line with its cells separated by " | ", and raised and lowered numbers are
    characters of their own: x². A page without a main text is read whole. Nothing is loaded or run.

    Raises:
        InvalidSourcesError: its elements are nested too deeply; the message starts with `name`.

    Examples:
        >>> page = b"<title>Pay</title><nav>Home</nav><h1>Pay</h1><p>Pay is <b>month</b>ly.</p>"
        >>> document = read_html(page, "pay.html")
        >>> document.text, document.title
        ('Pay\n\nPay is monthly.', 'Pay')
    """
    text = decode_page(content)
    root = parse_page(text, name)
    writer = Writer(decision, numbered=True)
    if root is None:
        return writer.document("html", title=None)
    blocks = list(blocks_of(root, writer.decision, Styles(root)))
    main = main_blocks(root, blocks, first_reading(text, root))
    for block in main:
        write_block(writer, block)
    writer.decision.unread += sum(len(each.text.split()) for each in blocks)
    writer.decision.unread -= sum(len(each.text.split()) for each in main)
    highest = [heading.text for heading in writer.headings if heading.level == 1]
    return writer.document(
        "html", title=_title(root, highest), url=_url(root), fields=_fields(root)
    )


def _title(root: Element, highest: list[str]) -> str | None:
    """Return the title of a page, without the name of the site that many pages add."""
    titles = (each for each in root.iter("title") if next(each.iterancestors("svg"), None) is None)
    named = " ".join(next((each.text or "" for each in titles), "").split())
    # "Pay | Example" with the heading "Pay".
    short = next((heading for heading in highest if heading in named), None)
    return short or named or next(iter(highest), None)


def _url(root: Element) -> str | None:
    """Return the address that a page gives itself: its canonical link, or `og:url`."""
    links = [link.get("href") for link in root.iter("link") if _is(link, "rel", "canonical")]
    links += [meta.get("content") for meta in root.iter("meta") if _is(meta, "property", "og:url")]
    return next((url for url in map(web_url, links) if url is not None), None)


_AUTHORS = ("citation_author", "dc.creator", "dcterms.creator", "author", "article:author")
_DATES = (
    *("citation_publication_date", "citation_date", "article:published_time", "dc.date"),
    *("dcterms.issued", "dcterms.created", "date"),
)
_ABSTRACTS = ("citation_abstract", "dc.description", "description", "og:description")
_DATE = re.compile(r"(\d{4})(?:[-/](\d{2})(?:[-/](\d{2}))?)?(?!\d)")


def _fields(root: Element) -> Fields:
    """Return what the page says of itself in `meta` elements, by the first of the names in use."""
    said: dict[str, list[str]] = {}
    for meta in root.iter("meta"):
        name = (meta.get("name") or meta.get("property") or "").strip().lower()
        if text := " ".join(meta.get("content", "").split()):
            said.setdefault(name, []).append(text)
    # An `article:author` is often the address of a profile.
    named = ([each for each in said.get(name, ()) if web_url(each) is None] for name in _AUTHORS)
    dates = (_DATE.match(each) for name in _DATES for each in said.get(name, ()))
    date = next((each for each in dates if each), None)
    return Fields(
        authors=tuple(next(filter(None, named), ())),
        date=None if date is None else "-".join(filter(None, date.groups())),
        abstract=next((each for name in _ABSTRACTS for each in said.get(name, ())), None),
    )


def _is(element: Element, attribute: str, value: str) -> bool:
    return value in element.get(attribute, "").lower().split()
