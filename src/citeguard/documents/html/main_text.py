"""Which blocks of a page are its main text."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any

from citeguard.documents.html.blocks import Block
from citeguard.documents.html.elements import HEADINGS, Element, is_row_of_data, tag_of
from citeguard.documents.html.furniture import NEARLY_ALL, furniture_of, innermost, is_label
from citeguard.documents.html.weights import Weight, Weights, weigh

# It tells of every small page that it dislikes; that is printed if nothing else listens.
logging.getLogger("trafilatura").addHandler(logging.NullHandler())

_Kept = Callable[[Block], bool]

# Ideographs are words by themselves: there are no spaces between words made of them.
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W\u3040-\u30ff\u3400-\u9fff]+")
_ROOT = re.compile(r"<html\b", re.IGNORECASE)
_Trigrams = set[tuple[str, str, str]]

_MOST_ELEMENTS = 30_000  # which take some 5 seconds
_SAME = 0.6  # share of a block's trigrams that show it again in what was kept
_OF_TEXT = frozenset(("dl", "details", "blockquote", "pre", "figure"))
_LONG = 100  # letters of something that is more than a label
_FEW_LINKS = 0.3  # share of the letters


def first_reading(page: str, root: Element) -> _Kept:
    """Return what tells whether `trafilatura` takes a block for main text.

    It knows a great many kinds of pages, and seldom takes furniture for text; but it leaves out
    much: captions, terms and definitions, short paragraphs, all but the first of several articles.
    It is not asked about very large pages, which would take it minutes.

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

    def is_kept(block: Block) -> bool:
        own = _trigrams(block.text)
        return bool(own) and len(own & known) >= _SAME * len(own)

    return is_kept


def main_blocks(root: Element, blocks: Sequence[Block], is_kept: _Kept) -> list[Block]:
    """Return the blocks that are main text, in order.

    These are the blocks of the region in which the first reading found its text, without the
    furniture that stands amid it; so what it left out there is in. Where it found nothing, it is
    everything but furniture; and everything where there is nothing else.

    Args:
        root: The page.
        blocks: All that it shows.
        is_kept: The first reading.
    """
    elements = list(root.iter())
    weights = weigh(elements, blocks, is_kept)
    furniture = furniture_of(elements, weights)
    left = [block for block in blocks if block.home not in furniture]
    kept = weights[root].kept - sum(weights[each].kept for each in _outermost(furniture))
    if not kept:
        return left or list(blocks)
    weights |= {element: Weight() for element in furniture}
    region = _widened(innermost(root, NEARLY_ALL * kept, weights), weights)
    inside = set(region.iter()) | _around_title(region, left) | _beside(region, weights)
    return [block for block in left if block.home in inside and not is_label(block)] or left


def _outermost(elements: set[Element]) -> Iterator[Element]:
    return (element for element in elements if element.getparent() not in elements)


def _widened(region: Element, weights: Weights) -> Element:
    """Return the outermost element in which there is one like the region, or like what it is in."""
    widest, inner = region, region
    while (outer := inner.getparent()) is not None and tag_of(outer) != "html":
        if any(each is not inner and _is_alike(each, inner, weights[each]) for each in outer):
            widest = outer
        inner = outer
    return widest


def _is_alike(element: Element, region: Element, own: Weight) -> bool:
    """Tell whether an element is of the same kind as a region, and has text of its own."""
    tag = tag_of(element)
    return (
        tag == tag_of(region)
        and (own.letters >= _LONG or (bool(own.stated) and _is_of_a_kind(element, tag)))
        and own.linked < _FEW_LINKS * own.letters
        and (
            tag in ("article", "section", "table", "tr")
            or element.get("class", "") == region.get("class", "")
        )
    )


def _is_of_a_kind(element: Element, tag: str) -> bool:
    return tag in ("article", "section") or bool(element.get("class"))


def _beside(region: Element, weights: Weights) -> set[Element]:
    """Return the elements of lists of terms, quotations and the like that are beside a region.

    Those that stand beside something around the region must have sentences. Headings right above
    them belong to them.
    """
    beside: set[Element] = set()
    inner = region
    while (outer := inner.getparent()) is not None and tag_of(inner) != "body":
        above: list[Element] = []
        for each in outer:
            if each is not inner and _is_of_text(each, weights[each], near=inner is region):
                beside.update(*(part.iter() for part in (*above, each)))
            above = [each] if tag_of(each) in HEADINGS else []
        inner = outer
    return beside


def _is_of_text(element: Element, own: Weight, *, near: bool) -> bool:
    """Tell whether an element is one that is seldom used but for text, and is not of links."""
    tag = tag_of(element)
    if own.linked >= _FEW_LINKS * own.letters:  # also where there is nothing in it
        return False
    if tag == "table":
        return near and any(map(is_row_of_data, element.iter("tr")))
    if tag == "p":
        return near and bool(own.stated)
    return tag in _OF_TEXT and (near or bool(own.stated))


def _around_title(region: Element, blocks: Sequence[Block]) -> set[Element]:
    """Return the elements of the page's title and of what stands with it: a lead, a date.

    Where the region is in the same element, it is the title alone.
    """
    home = next((block.home for block in blocks if block.level == 1), None)
    if home is None:
        return set()
    title = home if tag_of(home) == "h1" else next(home.iterancestors("h1"), home)
    around = title.getparent()
    if around is None or any(each is around for each in (region, *region.iterancestors())):
        return set(title.iter())
    return set(around.iter())


def _trigrams(text: str) -> _Trigrams:
    words = _WORD.findall(text.lower())
    return set(zip(words, words[1:], words[2:], strict=False))
