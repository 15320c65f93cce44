"""What stands around the main text of a page: navigation, notices, comments, and the like."""

from __future__ import annotations

import re
from dataclasses import dataclass

from citeguard.documents.html.blocks import Block
from citeguard.documents.html.elements import BLOCKS, HEADINGS, Element, tag_of

# Words of the classes and ids that pages give it.
_NAMES = frozenset(
    (
        "ad ads advert advertisement advertising ambox banner breadcrumb breadcrumbs catlinks ccpa"
        " comment comments consent cookie cookies disqus footer gdpr hatnote masthead mbox menu"
        " modal nav navbar navbox navigation newsletter pager pagination popup printfooter promo"
        " promotion recommendations recommended related relatedposts respond share sharedaddy"
        " sharing sidebar sidenav signup sitenotice social sphinxsidebar sponsor sponsored"
        " subscribe subscription toc toolbar widget"
    ).split()
)
_ROLES = frozenset(
    "alertdialog banner complementary contentinfo dialog menu menubar navigation search".split()
)
_TAGS = frozenset(("nav", "footer", "dialog", "menu", "search"))
_WORD = re.compile(r"[A-Z]?[a-z]+")
# Elements of running text: neither names nor links tell that they are no part of it.
_OF_TEXT = frozenset(("html", "body", "main", "p", "dt", *HEADINGS))
_ITEMS = frozenset(("li", "dd", "blockquote", "pre"))
_OF_TABLES = frozenset(("table", "tbody", "thead", "tfoot", "tr", "td", "th"))

_COOKIES = re.compile(r"\bcookies?\b", re.IGNORECASE)
_DOING = re.compile(
    r"\b(?:use[sd]?|using|accept\w*|agree|consent|manage|reject|settings|preferences|policy"
    r"|verwende\w*|nutze\w*|akzeptier\w*|zustimm\w*|utilis\w+|usamos|utilizamos|aceptar)\b",
    re.IGNORECASE,
)
_FORMULA = re.compile(
    r"\A(?:©|\(c\)|copyright\b)|\ball rights reserved\b|\A(?:privacy|terms)\b.{0,20}\Z"
    r"|\bour newsletter\b|\Ashare (?:this|on)\b|\Aleave a (?:comment|reply)\b",
    re.IGNORECASE,
)
_LONGEST_FORMULA = 400  # characters
_LONGEST_LABEL = 4  # words
_SENTENCE_ENDS = (".", "!", "?", ":", "…", "。")

# Shares of the letters of an element, or of its page.
_MOST = 0.5
_NEARLY_ALL = 0.95
_SMALL = 0.2


@dataclass(slots=True)
class Weight:
    """How much stands in an element: blocks, and their letters and digits.

    Attributes:
        blocks: How many blocks.
        letters: Their letters and digits.
        linked: Those of links.
        kept: Those that a first reading took for main text.
        formal: Those of formulas, such as notices about cookies.
        titles: How many of the blocks are headings of level 1.
    """

    blocks: int = 0
    letters: int = 0
    linked: int = 0
    kept: int = 0
    formal: int = 0
    titles: int = 0

    def add(self, block: Block, *, kept: bool) -> None:
        """Add a block."""
        letters = sum(map(str.isalnum, block.text))
        formal = is_formula(block.text)
        self.blocks += 1
        self.letters += letters
        self.linked += min(block.linked, letters)
        self.kept += letters if kept and not formal else 0
        self.formal += letters if formal else 0
        self.titles += block.level == 1

    def add_all(self, inside: Weight) -> None:
        """Add what stands in an element inside."""
        self.blocks += inside.blocks
        self.letters += inside.letters
        self.linked += inside.linked
        self.kept += inside.kept
        self.formal += inside.formal
        self.titles += inside.titles


def is_formula(text: str) -> bool:
    """Tell whether a text is a phrase that pages have around their text: on cookies, on rights."""
    if len(text) > _LONGEST_FORMULA:
        return False
    if _COOKIES.search(text) and _DOING.search(text):
        return True
    return _FORMULA.search(text) is not None


def is_furniture(element: Element, own: Weight, page: Weight) -> bool:
    """Tell whether an element is not of the main text: by its tag, role or name, or what is in it.

    One that holds most of the main text is never furniture, whatever it is called.

    Args:
        element: Which one.
        own: What stands in it.
        page: What stands on the whole page.
    """
    tag = tag_of(element)
    if tag in _OF_TEXT or not own.letters or not (tag in BLOCKS or "-" in tag):
        return False
    if own.kept > _MOST * page.kept or (not page.kept and own.letters > _MOST * page.letters):
        return False
    return (
        _is_called_so(element, tag)
        or _is_page_header(element, tag, own, page)
        or (tag not in _ITEMS and (_is_of_links(tag, own) or _is_of_formulas(own, page)))
    )


def is_label(block: Block) -> bool:
    """Tell whether a block is a link with a few words and no sentence: "Full size image"."""
    return (
        block.level is None
        and not block.mark
        and block.linked >= len("".join(block.text.split()))
        and len(block.text.split()) <= _LONGEST_LABEL
        and not block.text.endswith(_SENTENCE_ENDS)
    )


def _is_called_so(element: Element, tag: str) -> bool:
    names = _names(element, tag)
    return (
        tag in _TAGS
        or element.get("role") in _ROLES
        or element.get("aria-hidden") == "true"
        or not _NAMES.isdisjoint(names)
        or (tag == "aside" and next(element.iterancestors("article", "section"), None) is None)
    )


def _names(element: Element, tag: str) -> set[str]:
    """Return the words of an element's class and id, and of a tag that a page made up."""
    made_up = tag if "-" in tag else ""
    named = f"{made_up} {element.get('class', '')} {element.get('id', '')}"
    return {word.lower() for word in _WORD.findall(named)}


def _is_page_header(element: Element, tag: str, own: Weight, page: Weight) -> bool:
    """Tell whether an element stands above all: of the site, not of the article with its title."""
    if own.kept or not (tag == "header" or "header" in _names(element, tag)):
        return False
    around = next(element.iterancestors("article", "main", "section"), None)
    return around is None and not (own.titles and own.titles == page.titles)


def _is_of_links(tag: str, own: Weight) -> bool:
    if tag in _OF_TABLES:  # one column of a table of data is often of links
        return own.linked > _NEARLY_ALL * own.letters
    return own.linked > _MOST * own.letters and own.kept < _MOST * own.letters


def _is_of_formulas(own: Weight, page: Weight) -> bool:
    return own.formal >= _MOST * own.letters and own.letters < _SMALL * page.letters
