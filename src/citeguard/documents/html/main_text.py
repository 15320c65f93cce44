"""The main text of a page, without boilerplate: navigation, notices, comments, lists of links.

`trafilatura` says where the main text is, but omits much of it. So the blocks of the region in
which it found its text are kept, but for elements that are boilerplate by their tag, role, class
and id, or by their content.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from math import inf
from typing import Any

from citeguard.documents.html.blocks import Block
from citeguard.documents.html.tree import (
    BLOCKS,
    HEADINGS,
    Element,
    heading_level,
    is_row_of_data,
    tag_of,
)
from citeguard.language.scripts import IDEOGRAPHS

# It warns of every small page, and without a handler Python prints the warnings.
logging.getLogger("trafilatura").addHandler(logging.NullHandler())

_Extracted = Callable[[Block], bool]
_Trigrams = set[tuple[str, str, str]]

_WORD = re.compile(rf"[{IDEOGRAPHS}]|[^\W{IDEOGRAPHS}]+")
_ROOT = re.compile(r"<html\b", re.IGNORECASE)
_MOST_ELEMENTS = 30_000  # which take trafilatura some 5 seconds
_SAME = 0.6  # of a block's trigrams: it appears in the extracted text
_LONG = 100  # letters of something longer than a label
_LONGEST_LABEL = 4  # words
_SENTENCE_ENDS = (".", "!", "?", ":", "…", "。")
_FEWEST_BLOCKS = 3  # in what can be an article

# Shares of the letters of an element, or of its page.
_MOST = 0.5
_NEARLY_ALL = 0.9  # of the main text: what holds them is where it is
_ALL_BUT_A_FEW = 0.95
_FEW_LINKS = 0.3
_SMALL = 0.2

_ROLES = frozenset("alertdialog banner contentinfo dialog menu menubar navigation search".split())
_TAGS = frozenset(("nav", "dialog", "menu", "search"))
# Elements of running text, of which neither names nor links make boilerplate.
_OF_TEXT = frozenset(("html", "body", "main", "p", "dt"))
_ITEMS = frozenset(("li", "dd", "blockquote", "pre"))
_OF_TABLES = frozenset(("table", "tbody", "thead", "tfoot", "tr", "td", "th"))
_SELDOM_BOILERPLATE = frozenset(("dl", "details", "blockquote", "pre", "figure"))

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
_BOILERPLATE_NAMES = _LINK_NAMES | _SENTENCE_NAMES
# Which part of a page something is, or whose: "comment-list" and "user-comment" are comments, and
# "related-work" is work.
_PART_NAMES = frozenset(
    (
        "area article articles bar block body bottom box button buttons c card cards container"
        " content customer customers embed enabled form group holder inline inner item items js"
        " layer link links list message module notice outer overlay panel part post posts reader"
        " readers row section slot stories story teaser text thread top unit user users window wp"
        " wrap wrapper"
    ).split()
)
_NAMES_AND_PARTS = _BOILERPLATE_NAMES | _PART_NAMES
_WORD_OF_NAME = re.compile(r"[A-Z]?[a-z]+")
_DIGIT = re.compile(r"\d")

_OTHER_PAGES = re.compile(
    r"(?:you (?:may|might) also (?:like|enjoy|be interested in)|what to read next|up next"
    r"|(?:read|more) (?:more|next|stories|articles|posts|news|on this story)|more from .+"
    r"|(?:related|recommended|recent|popular|latest) (?:articles|posts|stories|news|content|videos)"
    r"|recommended for you|most (?:read|popular|viewed|shared)(?: .+)?|trending(?: now)?)\W*",
    re.IGNORECASE,
)
_COOKIES = re.compile(r"\bcookies?\b", re.IGNORECASE)
_CONSENT = re.compile(
    r"\b(?:use[sd]?|using|accept\w*|agree|consent|manage|reject|settings|preferences|policy"
    r"|verwende\w*|nutze\w*|akzeptier\w*|zustimm\w*|utilis\w+|usamos|utilizamos|aceptar)\b",
    re.IGNORECASE,
)
_STOCK_PHRASE = re.compile(
    r"\A(?:©|\(c\)|copyright\b)|\ball rights reserved\b|\A(?:privacy|terms)\b.{0,20}\Z"
    r"|\bour newsletter\b|\Ashare (?:this|on)\b|\A(?:follow|like|find) us on\b"
    r"|\Aleave a (?:comment|reply)\b",
    re.IGNORECASE,
)
_LONGEST_STOCK_PHRASE = 400  # characters
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
    if next(islice(root.iter(), _MOST_ELEMENTS, None), None) is not None:
        return lambda block: False
    from trafilatura import bare_extraction  # takes a third of a second to load

    started = page if _ROOT.search(page) else f"<!DOCTYPE html><html>{page}"  # it reads no parts
    extracted: Any = bare_extraction(started, include_comments=False, include_tables=True)
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
    kept = contents[root].kept - sum(contents[each].kept for each in outermost)
    if not kept:
        return left or list(blocks)
    contents |= {element: _Content() for element in boilerplate}
    region = _widened(_innermost(root, _NEARLY_ALL * kept, contents), contents)
    inside = set(region.iter()) | _around_title(region, left) | _beside(region, contents)
    return [block for block in left if block.home in inside and not _is_label(block)] or left


@dataclass(slots=True)
class _Content:
    """The content of an element: its blocks, and their letters and digits.

    Attributes:
        blocks: The number of blocks.
        letters: Their letters and digits.
        linked: Those in links.
        kept: Those that were extracted as main text.
        stock: Those of stock phrases, such as notices about cookies.
        stated: Those of blocks that end as sentences do, except for stock phrases, and for elements
            with a name of `_SENTENCE_NAMES`.
        titles: The number of blocks that are headings of level 1.
        opening: The position of the first block on the page, and its text if it is a heading.
    """

    blocks: int = 0
    letters: int = 0
    linked: int = 0
    kept: int = 0
    stock: int = 0
    stated: int = 0
    titles: int = 0
    opening: tuple[float, str] = (inf, "")

    @property
    def heading(self) -> str:
        """The heading that the element begins with; empty without one."""
        return self.opening[1]

    def add(self, inside: _Content, *, stated: bool = True) -> None:
        self.blocks += inside.blocks
        self.letters += inside.letters
        self.linked += inside.linked
        self.kept += inside.kept
        self.stock += inside.stock
        self.stated += inside.stated if stated else 0
        self.titles += inside.titles
        self.opening = min(self.opening, inside.opening)


_Contents = dict[Element, _Content]


def _contents(
    elements: Sequence[Element], blocks: Sequence[Block], is_extracted: _Extracted
) -> _Contents:
    """Return the content of each element of a tree, given in order."""
    contents = {element: _Content() for element in elements}
    for position, block in enumerate(blocks):
        letters = sum(map(str.isalnum, block.text))
        stock = _is_stock_phrase(block.text)
        own = _Content(
            blocks=1,
            letters=letters,
            linked=min(block.linked, letters),
            kept=letters if is_extracted(block) and not stock else 0,
            stock=letters if stock else 0,
            stated=letters if _SENTENCE.match(block.text) and not stock else 0,
            titles=int(block.level == 1),
            opening=(position, "" if block.level is None else block.text),
        )
        contents[block.home].add(own)
    for element in reversed(elements):
        parent = element.getparent()
        if parent is not None and parent in contents:
            own = contents[element]
            stated = bool(own.stated) and not _ends_in_sentence_name(element, own.heading)
            contents[parent].add(own, stated=stated)
    return contents


def _is_stock_phrase(text: str) -> bool:
    if len(text) > _LONGEST_STOCK_PHRASE:
        return False
    if _COOKIES.search(text) and _CONSENT.search(text):
        return True
    return _STOCK_PHRASE.search(text) is not None


@dataclass(frozen=True, slots=True)
class _Page:
    """What boilerplate is recognised by.

    Attributes:
        content: That of the page.
        in_body: Whether the main text is directly in the body, and not in a part of it.
        inside: Else the elements in that part: in the article, or in the innermost element with
            nearly all of the main text.
        alike: The tags and classes of the elements with most of it.
    """

    content: _Content
    in_body: bool
    inside: set[Element]
    alike: set[tuple[str, str]]


def _boilerplate(elements: Sequence[Element], contents: _Contents) -> set[Element]:
    """Return the elements that are boilerplate, with all in them.

    An element with most of the main text never is, whatever its name.
    """
    page = _page(elements, contents)
    boilerplate: set[Element] = set()
    for element in elements:
        inside = element.getparent() in boilerplate
        if inside or _is_boilerplate(element, contents[element], page):
            boilerplate.add(element)
    return boilerplate


def _main(own: _Content, page: _Content) -> int:
    """Return how much main text an element has, as far as it is known."""
    return own.kept if page.kept else own.letters


def _page(elements: Sequence[Element], contents: _Contents) -> _Page:
    page = contents[elements[0]]
    all_letters = _main(page, page)
    holders = [each for each in elements if _main(contents[each], page) > _MOST * all_letters]
    articles = [
        each
        for each in holders
        if tag_of(each) in ("article", "main")
        or each.get("role") in ("main", "article")
        or "articleBody" in each.get("itemprop", "").split()
    ]
    wanted = _NEARLY_ALL * all_letters
    part = articles[-1] if articles else _innermost(elements[0], wanted, contents)
    alike = {(tag_of(each), each.get("class", "")) for each in holders if each.get("class")}
    in_body = tag_of(part) in ("html", "body")
    return _Page(page, in_body, set() if in_body else set(part.iter()), alike)


def _innermost(root: Element, wanted: float, contents: _Contents) -> Element:
    """Return the innermost element with so many letters of the main text, and several blocks."""
    page = contents[root]
    region = root
    while True:
        inner = next((each for each in region if _main(contents[each], page) >= wanted), None)
        if inner is None or tag_of(inner) not in BLOCKS or contents[inner].blocks < _FEWEST_BLOCKS:
            return region
        region = inner


def _is_boilerplate(element: Element, own: _Content, page: _Page) -> bool:
    tag = tag_of(element)
    if tag in _OF_TEXT or not own.letters or not (tag in BLOCKS or "-" in tag):
        return False
    main = _main(own, page.content)
    if heading_level(element) or main > _MOST * _main(page.content, page.content):
        return False
    return (
        _is_named_so(element, tag, own, page)
        or _is_page_header(element, tag, own, page.content)
        or _is_of_other_pages(element, own, page)
        or (tag not in _ITEMS and _is_of_links(element, tag, own, page))
        or (
            tag not in _ITEMS
            and own.stock >= _MOST * own.letters
            and own.letters < _SMALL * page.content.letters
        )
    )


def _is_named_so(element: Element, tag: str, own: _Content, page: _Page) -> bool:
    """Return whether an element is boilerplate by its tag, role, class or id."""
    if tag in _TAGS or element.get("role") in _ROLES or element.get("aria-hidden") == "true":
        return True
    beside = (
        (tag == "footer" and next(element.iterancestors("blockquote"), None) is None)
        or element.get("role") == "complementary"
        or (tag == "aside" and next(element.iterancestors("article", "section"), None) is None)
    )
    if not (beside or not _BOILERPLATE_NAMES.isdisjoint(_words_of_names(element))):
        return False
    if (tag, element.get("class", "")) in page.alike:
        return False
    has_sentences = own.stated and own.linked <= _MOST * own.letters
    within = element in page.inside or (page.in_body and _is_id_of_heading(element, own.heading))
    if not (has_sentences and within):
        return True
    if any(
        _last_word(name) in _SENTENCE_NAMES and _NAMES_AND_PARTS.issuperset(_words(name))
        for name in _names(element, own.heading)
    ):
        return True
    return _ends_in_sentence_name(element, own.heading) and own.kept < _MOST * own.letters


def _is_page_header(element: Element, tag: str, own: _Content, page: _Content) -> bool:
    """Return whether an element is the header of the site, and not of the article."""
    if own.kept or not (tag == "header" or "header" in _words_of_names(element)):
        return False
    around = next(element.iterancestors("article", "main", "section"), None)
    return around is None and not (own.titles and own.titles == page.titles)


def _is_of_other_pages(element: Element, own: _Content, page: _Page) -> bool:
    """Return whether an element begins with a heading such as "Read next".

    Within the main text it has links, too.
    """
    if not _OTHER_PAGES.fullmatch(own.heading):
        return False
    return own.linked > 0 or element not in page.inside


def _is_of_links(element: Element, tag: str, own: _Content, page: _Page) -> bool:
    if tag in _OF_TABLES:  # one column of a table of data is often of links
        return own.linked > _ALL_BUT_A_FEW * own.letters
    if own.linked <= _MOST * own.letters or own.kept >= _MOST * own.letters:
        return False
    return own.stated < _MOST * own.letters or element not in page.inside


def _words_of_names(element: Element) -> set[str]:
    """Return the words of an element's class and id, and of a custom tag."""
    return {word for name in [*_classes(element), element.get("id", "")] for word in _words(name)}


def _ends_in_sentence_name(element: Element, heading: str) -> bool:
    """Return whether a name says that an element has sentences of boilerplate: "user-comments".

    The last word decides: "subscription-terms" are terms. An id made from the heading that the
    element begins with says nothing.
    """
    return any(_last_word(name) in _SENTENCE_NAMES for name in _names(element, heading))


def _is_id_of_heading(element: Element, heading: str) -> bool:
    """Return whether an id is made from the words of a heading: "cookies" from "Cookies".

    A heading with a number is one that counts: "3 comments".
    """
    named = _BOILERPLATE_NAMES & set(_words(element.get("id", "")))
    return bool(named) and named <= set(_words(heading.lower())) and not _DIGIT.search(heading)


def _names(element: Element, heading: str) -> list[str]:
    of_heading = _is_id_of_heading(element, heading)
    return [*_classes(element), *([] if of_heading else [element.get("id", "")])]


def _classes(element: Element) -> list[str]:
    tag = tag_of(element)
    return [*([tag] if "-" in tag else []), *element.get("class", "").split()]


def _words(name: str) -> list[str]:
    return [word.lower() for word in _WORD_OF_NAME.findall(name)]


def _last_word(name: str) -> str | None:
    """Return the last word of a name that does not only say which part of a page it is."""
    return next((word for word in reversed(_words(name)) if word not in _PART_NAMES), None)


def _is_label(block: Block) -> bool:
    """Return whether a block is a link of a few words and no sentence: "Full size image"."""
    return (
        block.level is None
        and not block.mark
        and block.linked >= len("".join(block.text.split()))
        and len(block.text.split()) <= _LONGEST_LABEL
        and not block.text.endswith(_SENTENCE_ENDS)
    )


def _widened(region: Element, contents: _Contents) -> Element:
    """Return the outermost element with another one like the region, or like what it is in."""
    widest, inner = region, region
    while (outer := inner.getparent()) is not None and tag_of(outer) != "html":
        if any(each is not inner and _is_alike(each, inner, contents[each]) for each in outer):
            widest = outer
        inner = outer
    return widest


def _is_alike(element: Element, region: Element, own: _Content) -> bool:
    """Return whether an element is of the same kind as a region, and has text of its own."""
    tag = tag_of(element)
    named = tag in ("article", "section") or bool(element.get("class"))
    return (
        tag == tag_of(region)
        and (own.letters >= _LONG or (bool(own.stated) and named))
        and own.linked < _FEW_LINKS * own.letters
        and (
            tag in ("article", "section", "table", "tr")
            or element.get("class", "") == region.get("class", "")
        )
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


def _beside(region: Element, contents: _Contents) -> set[Element]:
    """Return the elements of lists of terms, quotations and the like beside a region.

    Those beside something around the region must have sentences. Headings right above them belong
    to them.
    """
    beside: set[Element] = set()
    inner = region
    while (outer := inner.getparent()) is not None and tag_of(inner) != "body":
        above: list[Element] = []
        for each in outer:
            if each is not inner and _is_of_text(each, contents[each], near=inner is region):
                beside.update(*(part.iter() for part in (*above, each)))
            above = [each] if tag_of(each) in HEADINGS else []
        inner = outer
    return beside


def _is_of_text(element: Element, own: _Content, *, near: bool) -> bool:
    """Return whether an element is seldom anything but text, and is not of links."""
    tag = tag_of(element)
    if own.linked >= _FEW_LINKS * own.letters:  # also if it is empty
        return False
    if tag == "table":
        return near and any(map(is_row_of_data, element.iter("tr")))
    if tag == "p":
        return near and bool(own.stated)
    return tag in _SELDOM_BOILERPLATE and (near or bool(own.stated))
