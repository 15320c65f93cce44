"""Which blocks of a page are its main text."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any

from citeguard.documents.html.blocks import Block
from citeguard.documents.html.elements import BLOCKS, Element, tag_of
from citeguard.documents.html.furniture import Weight, is_furniture, is_label

# It tells of every small page that it dislikes; that is printed if nothing else listens.
logging.getLogger("trafilatura").addHandler(logging.NullHandler())

_Kept = Callable[[Block], bool]
_Weights = dict[Element, Weight]

# Ideographs are words by themselves: there are no spaces between words made of them.
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W\u3040-\u30ff\u3400-\u9fff]+")
_ROOT = re.compile(r"<html\b", re.IGNORECASE)
_Trigrams = set[tuple[str, str, str]]

_MOST_ELEMENTS = 30_000  # which take some 5 seconds
_SAME = 0.6  # share of a block's trigrams that show it again in what was kept
_NEARLY_ALL = 0.9  # of the letters that were kept: what holds them is where the main text is
_FEWEST_BLOCKS = 3  # in what can be an article
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
    weights = _weigh(elements, blocks, is_kept)
    furniture = _furniture(elements, weights)
    left = [block for block in blocks if block.home not in furniture]
    kept = weights[root].kept - sum(weights[each].kept for each in _outermost(furniture))
    if not kept:
        return left or list(blocks)
    weights |= {element: Weight() for element in furniture}
    region = _widened(_innermost(root, _NEARLY_ALL * kept, weights), weights)
    inside = set(region.iter()) | _around_title(region, left)
    return [block for block in left if block.home in inside and not is_label(block)] or left


def _weigh(elements: Sequence[Element], blocks: Sequence[Block], is_kept: _Kept) -> _Weights:
    """Return what stands in each element of a tree, whose elements are given in their order."""
    weights = {element: Weight() for element in elements}
    for block in blocks:
        weights[block.home].add(block, kept=is_kept(block))
    for element in reversed(elements):
        parent = element.getparent()
        if parent is not None and parent in weights:
            weights[parent].add_all(weights[element])
    return weights


def _furniture(elements: Sequence[Element], weights: _Weights) -> set[Element]:
    """Return the elements that are furniture, and all in them."""
    page = weights[elements[0]]
    furniture: set[Element] = set()
    for element in elements:
        if element.getparent() in furniture or is_furniture(element, weights[element], page):
            furniture.add(element)
    return furniture


def _outermost(elements: set[Element]) -> Iterator[Element]:
    return (element for element in elements if element.getparent() not in elements)


def _innermost(root: Element, wanted: float, weights: _Weights) -> Element:
    """Return the innermost element with so many letters that were kept, and several blocks."""
    region = root
    while True:
        inner = next((each for each in region if weights[each].kept >= wanted), None)
        if inner is None or tag_of(inner) not in BLOCKS or weights[inner].blocks < _FEWEST_BLOCKS:
            return region
        region = inner


def _widened(region: Element, weights: _Weights) -> Element:
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
        and own.letters >= _LONG
        and own.linked < _FEW_LINKS * own.letters
        and (
            tag in ("article", "section", "table", "tr")
            or element.get("class", "") == region.get("class", "")
        )
    )


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
