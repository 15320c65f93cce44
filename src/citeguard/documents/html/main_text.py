"""The main text of a page, without boilerplate: navigation, notices, comments, lists of links.

`trafilatura` says where the main text is, but omits much of it. So the blocks of the region in
which it found its text are kept, but for elements that are boilerplate by their tag, role, class
and id, or by their content.
"""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Callable, Sequence
from importlib import import_module
from itertools import chain
from typing import Any

from citeguard.documents.html.blocks import Block
from citeguard.documents.html.tree import BLOCKS, Element, heading_level, tag_of
from citeguard.language.scripts import IDEOGRAPHS

_etree: Any = import_module("lxml.etree")  # it has no types

# It warns of every small page, and without a handler Python prints the warnings.
logging.getLogger("trafilatura").addHandler(logging.NullHandler())

_Extracted = Callable[[Block], bool]
_Trigrams = set[tuple[str, str, str]]

_WORD = re.compile(rf"[{IDEOGRAPHS}]|[^\W{IDEOGRAPHS}]+")
_ROOT = re.compile(r"<html\b", re.IGNORECASE)
_MOST_ELEMENTS = 30_000  # which take trafilatura some 5 seconds
_SAME = 0.6  # of a block's trigrams: it appears in the extracted text
_LONGEST_LABEL = 4  # words
_SENTENCE_ENDS = (".", "!", "?", ":", "…", "。")
_FEWEST_BLOCKS = 3  # in what can be an article

# Shares of the letters of an element, or of its page.
_MOST = 0.5
_NEARLY_ALL = 0.9  # of the main text: what holds them is where it is
_ALL_BUT_A_FEW = 0.95

_ROLES = frozenset("alertdialog banner contentinfo dialog menu menubar navigation search".split())
_TAGS = frozenset(("nav", "search"))
# Elements of running text, of which neither names nor links make boilerplate.
_OF_TEXT = frozenset(("html", "body", "main", "p", "dt"))
_ITEMS = frozenset(("li", "dd", "blockquote", "pre"))
_OF_TABLES = frozenset(("table", "tbody", "thead", "tfoot", "tr", "td", "th"))

# Words of classes and ids. What one of these names is made of links and labels; text with such a
# name is something else: the menu of a restaurant, a text in a box.
_LINK_NAMES = frozenset(
    (
        "banner breadcrumb breadcrumbs catlinks footer masthead menu nav navbar navbox navigation"
        " pager pagination printfooter promotion share sharedaddy sharing sidebar sidenav social"
        " sphinxsidebar toc toolbar widget"
    ).split()
)
# What one of these names has sentences too, and they are not part of the main text.
_SENTENCE_NAMES = frozenset(
    (
        "ad ads advert advertisement advertising ambox ccpa comment comments consent cookie cookies"
        " disqus gdpr hatnote mbox modal newsletter popup promo recommendations recommended related"
        " relatedposts respond signup sitenotice sponsor sponsored subscribe subscription"
    ).split()
)
_NAMES = _LINK_NAMES | _SENTENCE_NAMES
_WORD_OF_NAME = re.compile(r"[A-Z]?[a-z]+")
# Four words or more that end as a sentence does.
_SENTENCE = re.compile(r"(?:(?:\S++\s++){3}+.*[.!?…]|.*。)[\"'”’»)\[\]\d\s⁰-⁹¹²³]*\Z", re.DOTALL)


def first_reading(page: str, root: Element) -> _Extracted:
    """Return a function that says whether `trafilatura` extracts a block as main text.

    It knows a great many kinds of pages, and seldom takes boilerplate for text; but it omits much:
    captions, terms and definitions, short paragraphs, all but the first of several articles. It is
    not asked about very large pages, which would take it minutes.

    Args:
        page: The text of the file.
        root: The tree of its elements.
    """
    if len(list(root.iter())) > _MOST_ELEMENTS:
        return lambda block: False
    from trafilatura import bare_extraction, load_html  # takes a third of a second to load

    started = page if _ROOT.search(page) else f"<!DOCTYPE html><html>{page}"  # it reads no parts
    tree: Any = load_html(started)
    if tree is None:
        return lambda block: False
    _etree.strip_attributes(tree, "rowspan", "colspan")  # it writes a cell for each that one spans
    extracted: Any = bare_extraction(tree, include_comments=False, include_tables=True)
    known = _trigrams("" if extracted is None else extracted.text or "")

    def is_extracted(block: Block) -> bool:
        own = _trigrams(block.text)
        return bool(own) and len(own & known) >= _SAME * len(own)

    return is_extracted


def _trigrams(text: str) -> _Trigrams:
    words = _WORD.findall(text.lower())
    return set(zip(words, words[1:], words[2:], strict=False))


def main_blocks(root: Element, blocks: Sequence[Block], is_extracted: _Extracted) -> list[Block]:
    """Return the blocks of a page that are main text, in order.

    These are the blocks of the region of the extracted text, without boilerplate. If nothing was
    extracted, they are everything but boilerplate; and everything if there is nothing else.

    Args:
        root: The page.
        blocks: All that it shows.
        is_extracted: The first reading.
    """
    elements = list(root.iter())
    contents = _contents(elements, blocks, is_extracted)
    boilerplate = _boilerplate(elements, contents)
    left = [block for block in blocks if block.home not in boilerplate]
    outermost = (each for each in boilerplate if each.getparent() not in boilerplate)
    kept = contents[root]["kept"] - sum(contents[each]["kept"] for each in outermost)
    if not kept:
        return left or list(blocks)
    contents |= {element: _Content() for element in boilerplate}
    region = _innermost(root, _NEARLY_ALL * kept, contents)
    inside = set(region.iter()) | _around_title(region, left)
    return [block for block in left if block.home in inside and not _is_label(block)] or left


# Of each element the number of its blocks, their letters and digits ("letters"), those in links
# ("linked"), those that were extracted as main text ("kept"), and those of blocks that end as
# sentences do ("stated").
_Content = Counter[str]
_Contents = dict[Element, _Content]


def _contents(
    elements: Sequence[Element], blocks: Sequence[Block], is_extracted: _Extracted
) -> _Contents:
    """Return the content of each element of a tree, given in order."""
    contents = {element: _Content() for element in elements}
    for block in blocks:
        letters = sum(map(str.isalnum, block.text))
        contents[block.home].update(
            blocks=1,
            letters=letters,
            linked=min(block.linked, letters),
            kept=letters if is_extracted(block) else 0,
            stated=letters if _SENTENCE.match(block.text) else 0,
        )
    for element in reversed(elements):
        if (parent := element.getparent()) in contents:
            contents[parent].update(contents[element])
    return contents


def _main(own: _Content, page: _Content) -> int:
    """Return how much main text an element has, as far as it is known."""
    return own["kept"] if page["kept"] else own["letters"]


def _innermost(root: Element, wanted: float, contents: _Contents) -> Element:
    """Return the innermost element with so many letters of the main text, and several blocks."""
    page = contents[root]
    region = root
    while True:
        inner = next((each for each in region if _main(contents[each], page) >= wanted), None)
        if (
            inner is None
            or tag_of(inner) not in BLOCKS
            or contents[inner]["blocks"] < _FEWEST_BLOCKS
        ):
            return region
        region = inner


def _boilerplate(elements: Sequence[Element], contents: _Contents) -> set[Element]:
    """Return the elements that are boilerplate, with all in them.

    An element with most of the main text never is, whatever its name.
    """
    page = contents[elements[0]]
    whole = _main(page, page)
    article = _innermost(elements[0], _NEARLY_ALL * whole, contents)
    inside = set[Element]() if tag_of(article) in ("html", "body") else set(article.iter())
    boilerplate: set[Element] = set()
    for element in elements:
        own = contents[element]
        if element.getparent() in boilerplate or (
            _main(own, page) <= _MOST * whole
            and _is_boilerplate(element, own, within=element in inside)
        ):
            boilerplate.add(element)
    return boilerplate


def _is_boilerplate(element: Element, own: _Content, *, within: bool) -> bool:
    """Return whether an element is boilerplate by its tag, role, class and id, or its links.

    Args:
        element: The element.
        own: Its content.
        within: Whether it is in the article.
    """
    tag = tag_of(element)
    if tag in _OF_TEXT or not own["letters"] or not (tag in BLOCKS or "-" in tag):
        return False
    if heading_level(element):
        return False
    if tag in _TAGS or element.get("role") in _ROLES or element.get("aria-hidden") == "true":
        return True
    if {"noprint", "no-print"} & {*element.get("class", "").split()}:
        return True
    # In an article an id is often made from a heading: "comments" of a manual's chapter.
    names = [tag if "-" in tag else "", *element.get("class", "").split()]
    names += [] if within else [element.get("id", "")]
    words = [[word.lower() for word in _WORD_OF_NAME.findall(name)] for name in names]
    is_beside = tag in ("aside", "footer") or element.get("role") == "complementary"
    if is_beside or not _NAMES.isdisjoint(chain.from_iterable(words)):
        if not (within and own["stated"] and own["linked"] <= _MOST * own["letters"]):
            return True
        # There the last word decides, and the first reading: "related-work" is work.
        named = any(name[-1] in _SENTENCE_NAMES for name in words if name)
        if named and own["kept"] < _MOST * own["letters"]:
            return True
    if tag in _OF_TABLES:  # one column of a table of data is often of links
        return own["linked"] > _ALL_BUT_A_FEW * own["letters"]
    return tag not in _ITEMS and own["linked"] > _MOST * own["letters"] > max(
        own["kept"], own["stated"]
    )


def _is_label(block: Block) -> bool:
    """Return whether a block is a link of a few words and no sentence: "Full size image"."""
    return (
        block.level is None
        and not block.mark
        and block.linked >= len("".join(block.text.split()))
        and len(block.text.split()) <= _LONGEST_LABEL
        and not block.text.endswith(_SENTENCE_ENDS)
    )


def _around_title(region: Element, blocks: Sequence[Block]) -> set[Element]:
    """Return the elements of the page's title and of what is with it: a lead, a date.

    If the region is in the same element, it is the title alone.
    """
    home = next((block.home for block in blocks if block.level == 1), None)
    if home is None:
        return set()
    title = home if tag_of(home) == "h1" else next(home.iterancestors("h1"), home)
    around = title.getparent()
    if around is None or any(each is around for each in (region, *region.iterancestors())):
        return set(title.iter())
    return set(around.iter())
