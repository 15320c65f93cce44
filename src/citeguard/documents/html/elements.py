"""What elements of HTML are: blocks, hidden, raised, rows of data, items of lists."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Protocol


class Element(Protocol):
    """An element of a tree, as `lxml` has it."""

    text: str | None
    tail: str | None

    @property
    def tag(self) -> object:
        """Its name; no text where it is no element, but a comment."""
        ...

    @property
    def attrib(self) -> Mapping[str, str]:
        """Its attributes."""
        ...

    @property
    def sourceline(self) -> int | None:
        """The number of the line that it starts on, from 1."""
        ...

    def get(self, key: str, default: str = "") -> str:
        """Return an attribute."""
        ...

    def getparent(self) -> Element | None:
        """Return the element around it."""
        ...

    def index(self, child: Element) -> int:
        """Return the place of an element in it, from 0."""
        ...

    def iter(self, *tags: str) -> Iterator[Element]:
        """Yield it and the elements in it, those with one of some tags."""
        ...

    def iterancestors(self, *tags: str) -> Iterator[Element]:
        """Yield the elements around it, the innermost first."""
        ...

    def __iter__(self) -> Iterator[Element]:
        """Yield the elements that stand in it directly."""
        ...

    def __len__(self) -> int:
        """Count them."""
        ...


HEADINGS = {f"h{level}": level for level in range(1, 7)}
"""The tags of headings, with their levels."""

BLOCKS = frozenset(
    (
        "address article aside blockquote body caption center dd details dialog dir div dl dt"
        " fieldset figcaption figure footer form header hgroup hr html legend li main menu nav ol p"
        " pre search section summary table tbody td tfoot th thead tr ul"
    ).split()
    + list(HEADINGS)
)
"""The tags of elements that begin and end a line."""

LISTS = frozenset(("ol", "ul", "menu", "dir"))
"""The tags of lists."""

CELLS = frozenset(("td", "th"))
"""The tags of cells of tables."""

_UNSHOWN = frozenset(
    (
        "annotation annotation-xml applet area audio base canvas datalist embed frameset head"
        " iframe img input link map meta meter noframes noscript object option param picture"
        " progress rp rt script select source style svg template textarea title track video"
    ).split()
)
_UNSHOWN_CLASSES = frozenset(
    (
        "mw-cite-backlink mw-editsection noprint no-print screen-reader-text sr-only"
        " visually-hidden visuallyhidden"
    ).split()
)
_UNSHOWN_STYLE = re.compile(r"(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)
_RAISED_STYLE = re.compile(r"vertical-align\s*:\s*super", re.IGNORECASE)
_LOWERED_STYLE = re.compile(r"vertical-align\s*:\s*sub\b", re.IGNORECASE)
_NUMBER = re.compile(r"-?[0-9]{1,9}")
_SIGN_LINKS = frozenset("# ¶ § ^ ↑ ↩ ↩︎ 🔗".split())
# In a row of data a cell holds a value or a sentence; with these it serves the looks of a page.
_NO_DATA = ("table", "pre", "form", "article", "section", "blockquote", *HEADINGS)
_MOST_PARAGRAPHS = 1
_LEVEL = re.compile(r"[1-9]")
_USUAL_LEVEL = 2  # of what has the role of a heading (WAI-ARIA 1.2)


def tag_of(element: Element) -> str:
    """Return an element's tag in small letters, without a namespace; empty for comments."""
    tag = element.tag
    return tag.rpartition(":")[2].lower() if isinstance(tag, str) else ""


def heading_level(element: Element) -> int | None:
    """Return the level of a heading, by its tag or its role, from 1 to 6; `None` if it is none."""
    level = HEADINGS.get(tag_of(element))
    if level is None and element.get("role") == "heading":
        told = element.get("aria-level", "").strip()
        return min(int(told), max(HEADINGS.values())) if _LEVEL.fullmatch(told) else _USUAL_LEVEL
    return level


def is_shown(element: Element) -> bool:
    """Tell whether a page shows an element to its readers, as far as the file itself says."""
    tag = tag_of(element)
    if tag in _UNSHOWN or (tag == "button" and not _is_in_title(element)):
        return False
    if tag == "a" and (element.text or "").strip() in _SIGN_LINKS and not len(element):
        return False
    attributes = element.attrib
    if not attributes:
        return tag != "dialog"
    if "hidden" in attributes or (tag == "dialog" and "open" not in attributes):
        return False
    # A page that was saved while a dialog was open says it of all that is behind.
    if attributes.get("aria-hidden") == "true" and tag not in BLOCKS:
        return False
    if not _UNSHOWN_CLASSES.isdisjoint(attributes.get("class", "").split()):
        return False
    return not _UNSHOWN_STYLE.search(attributes.get("style", ""))


def _is_in_title(button: Element) -> bool:
    """Tell whether a button is the title of what it opens."""
    return any(
        tag_of(each) in ("summary", "dt") or heading_level(each) is not None
        for each in button.iterancestors()
    )


def is_raised(element: Element) -> bool:
    """Tell whether an element is raised: an exponent, or the mark of a note."""
    return (
        tag_of(element) == "sup"
        or element.get("role") == "doc-noteref"
        or _is_script(element, {"msup": 1, "msubsup": 2})
        or bool(_RAISED_STYLE.search(element.get("style", "")))
    )


def is_lowered(element: Element) -> bool:
    """Tell whether an element is lowered: an index."""
    return (
        tag_of(element) == "sub"
        or _is_script(element, {"msub": 1, "msubsup": 1})
        or bool(_LOWERED_STYLE.search(element.get("style", "")))
    )


def _is_script(element: Element, places: dict[str, int]) -> bool:
    """Tell whether an element stands at one of these places in an element of MathML."""
    parent = element.getparent()
    place = None if parent is None else places.get(tag_of(parent))
    return parent is not None and place is not None and parent.index(element) == place


def is_note_mark(script: Element) -> bool:
    """Tell whether what is raised is the mark of a note: a link to a place in the page."""
    parent = script.getparent()
    links = [script, *([] if parent is None else [parent]), *script.iter("a")]
    return script.get("role") == "doc-noteref" or any("#" in link.get("href", "") for link in links)


def is_numerator(element: Element) -> bool:
    """Tell whether an element is what stands above the line of a fraction."""
    return _is_script(element, {"mfrac": 0})


def first_number(numbered: Element) -> int:
    """Return the number of a numbered list's first item."""
    start = numbered.get("start", "1").strip()
    return int(start) if _NUMBER.fullmatch(start) else 1


def is_row_of_data(row: Element) -> bool:
    """Tell whether a row of a table holds data: several cells, with a line or two in each."""
    cells = [cell for cell in row if tag_of(cell) in CELLS]
    return len(cells) > 1 and not any(map(_serves_looks, cells))


def _serves_looks(cell: Element) -> bool:
    paragraphs = islice(cell.iter("p"), _MOST_PARAGRAPHS + 1)
    return next(cell.iter(*_NO_DATA), None) is not None or (
        sum(1 for _ in paragraphs) > _MOST_PARAGRAPHS
    )
