"""What stands around the main text of a page: navigation, notices, comments, and the like."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from citeguard.documents.html.blocks import Block
from citeguard.documents.html.elements import BLOCKS, Element, heading_level, tag_of
from citeguard.documents.html.names import (
    is_called_apart,
    is_called_furniture,
    is_called_nothing_else,
    is_id_of_heading,
    words_of_names,
)
from citeguard.documents.html.weights import Weight, Weights

_ROLES = frozenset("alertdialog banner contentinfo dialog menu menubar navigation search".split())
_TAGS = frozenset(("nav", "dialog", "menu", "search"))
# Elements of running text: neither names nor links tell that they are no part of it.
_OF_TEXT = frozenset(("html", "body", "main", "p", "dt"))
_ITEMS = frozenset(("li", "dd", "blockquote", "pre"))
_OF_TABLES = frozenset(("table", "tbody", "thead", "tfoot", "tr", "td", "th"))
_OTHER_PAGES = re.compile(
    r"(?:you (?:may|might) also (?:like|enjoy|be interested in)|what to read next|up next"
    r"|(?:read|more) (?:more|next|stories|articles|posts|news|on this story)|more from .+"
    r"|(?:related|recommended|recent|popular|latest) (?:articles|posts|stories|news|content|videos)"
    r"|recommended for you|most (?:read|popular|viewed|shared)(?: .+)?|trending(?: now)?)\W*",
    re.IGNORECASE,
)
_LONGEST_LABEL = 4  # words
_SENTENCE_ENDS = (".", "!", "?", ":", "…", "。")
_FEWEST_BLOCKS = 3  # in what can be an article

# Shares of the letters of an element, or of its page.
_MOST = 0.5
NEARLY_ALL = 0.9  # of the main text: what holds them is where it is
_ALL_BUT_A_FEW = 0.95
_SMALL = 0.2


@dataclass(frozen=True, slots=True)
class _Page:
    """What furniture is told by.

    Attributes:
        weight: What stands on the page.
        in_body: Whether the main text stands in the body directly, and not in a part of it.
        amid: Else the elements in that part: in the article, or in the innermost element that holds
            nearly all of the main text.
        alike: The tags and classes of the elements that hold most of it.
    """

    weight: Weight
    in_body: bool
    amid: set[Element]
    alike: set[tuple[str, str]]


def furniture_of(elements: Sequence[Element], weights: Weights) -> set[Element]:
    """Return the elements that are furniture, and all in them.

    It is told by tags, roles and names, or by what is in it. An element that holds most of the
    main text is never furniture, whatever it is called.

    Args:
        elements: Those of the page, in their order.
        weights: What stands in them.
    """
    page = _page(elements, weights)
    furniture: set[Element] = set()
    for element in elements:
        if element.getparent() in furniture or _is_furniture(element, weights[element], page):
            furniture.add(element)
    return furniture


def innermost(root: Element, wanted: float, weights: Weights) -> Element:
    """Return the innermost element with so many letters of the main text, and several blocks."""
    page = weights[root]
    region = root
    while True:
        inner = next((each for each in region if _main(weights[each], page) >= wanted), None)
        if inner is None or tag_of(inner) not in BLOCKS or weights[inner].blocks < _FEWEST_BLOCKS:
            return region
        region = inner


def is_label(block: Block) -> bool:
    """Tell whether a block is a link with a few words and no sentence: "Full size image"."""
    return (
        block.level is None
        and not block.mark
        and block.linked >= len("".join(block.text.split()))
        and len(block.text.split()) <= _LONGEST_LABEL
        and not block.text.endswith(_SENTENCE_ENDS)
    )


def _main(own: Weight, page: Weight) -> int:
    """Return how much of the main text is in an element, as far as it is known."""
    return own.kept if page.kept else own.letters


def _page(elements: Sequence[Element], weights: Weights) -> _Page:
    page = weights[elements[0]]
    holders = [
        element for element in elements if _main(weights[element], page) > _MOST * _main(page, page)
    ]
    articles = [element for element in holders if _is_article(element)]
    wanted = NEARLY_ALL * _main(page, page)
    part = articles[-1] if articles else innermost(elements[0], wanted, weights)
    alike = {(tag_of(each), each.get("class", "")) for each in holders if each.get("class")}
    in_body = tag_of(part) in ("html", "body")
    return _Page(page, in_body, set() if in_body else set(part.iter()), alike)


def _is_article(element: Element) -> bool:
    return (
        tag_of(element) in ("article", "main")
        or element.get("role") in ("main", "article")
        or "articleBody" in element.get("itemprop", "").split()
    )


def _is_furniture(element: Element, own: Weight, page: _Page) -> bool:
    tag = tag_of(element)
    if tag in _OF_TEXT or not own.letters or not (tag in BLOCKS or "-" in tag):
        return False
    if heading_level(element) or _main(own, page.weight) > _MOST * _main(page.weight, page.weight):
        return False
    return (
        _is_called_so(element, tag, own, page)
        or _is_page_header(element, tag, own, page.weight)
        or _is_of_other_pages(element, own, page)
        or (tag not in _ITEMS and _is_of_links(element, tag, own, page))
        or (tag not in _ITEMS and _is_of_formulas(own, page.weight))
    )


def _is_called_so(element: Element, tag: str, own: Weight, page: _Page) -> bool:
    if tag in _TAGS or element.get("role") in _ROLES or element.get("aria-hidden") == "true":
        return True
    if not (_is_beside(element, tag) or is_called_furniture(element)):
        return False
    if (tag, element.get("class", "")) in page.alike:
        return False
    if not _is_text_amid(element, own, page):
        return True
    if is_called_nothing_else(element, own.heading):
        return True
    return is_called_apart(element, own.heading) and own.kept < _MOST * own.letters


def _is_beside(element: Element, tag: str) -> bool:
    """Tell whether an element says by its tag or role that it stands beside the main text."""
    return (
        (tag == "footer" and next(element.iterancestors("blockquote"), None) is None)
        or element.get("role") == "complementary"
        or (tag == "aside" and next(element.iterancestors("article", "section"), None) is None)
    )


def _is_text_amid(element: Element, own: Weight, page: _Page) -> bool:
    """Tell whether an element has sentences, that are no links, and stands amid the main text."""
    if not own.stated or own.linked > _MOST * own.letters:
        return False
    return element in page.amid or (page.in_body and is_id_of_heading(element, own.heading))


def _is_page_header(element: Element, tag: str, own: Weight, page: Weight) -> bool:
    """Tell whether an element stands above all: of the site, not of the article with its title."""
    if own.kept or not (tag == "header" or "header" in words_of_names(element)):
        return False
    around = next(element.iterancestors("article", "main", "section"), None)
    return around is None and not (own.titles and own.titles == page.titles)


def _is_of_other_pages(element: Element, own: Weight, page: _Page) -> bool:
    """Tell whether an element begins with a heading such as "Read next".

    Amid the main text there are links in it, too.
    """
    if not _OTHER_PAGES.fullmatch(own.heading):
        return False
    return own.linked > 0 or element not in page.amid


def _is_of_links(element: Element, tag: str, own: Weight, page: _Page) -> bool:
    if tag in _OF_TABLES:  # one column of a table of data is often of links
        return own.linked > _ALL_BUT_A_FEW * own.letters
    if own.linked <= _MOST * own.letters or own.kept >= _MOST * own.letters:
        return False
    return own.stated < _MOST * own.letters or element not in page.amid


def _is_of_formulas(own: Weight, page: Weight) -> bool:
    return own.formal >= _MOST * own.letters and own.letters < _SMALL * page.letters
