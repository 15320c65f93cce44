"""HTML as a tree: what encoding the bytes have, and what elements the text."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from typing import Any, Protocol

from lxml import etree  # pyright: ignore[reportMissingTypeStubs, reportAttributeAccessIssue, reportUnknownVariableType]

from citeguard.documents.html.elements import Element
from citeguard.errors import InvalidSourcesError

_etree: Any = etree  # pyright: ignore[reportUnknownVariableType]

_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
    b"<\x00": "utf-16-le",
    b"\x00<": "utf-16-be",
}
_NAMED = re.compile(rb"""(?:charset|encoding)\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE)
_HEAD = 4_096  # bytes in which a page may name its encoding; browsers look at 1,024
# Encodings of pages, by Python's names. Others, such as UTF-7 and punycode, are traps or slow.
_OF_PAGES = re.compile(
    r"cp\d+|iso8859-\d+|koi8-\w|mac-\w+|tis-620|hz|(?:shift_jis|euc_|gb|big5|iso2022_)\w*"
)
_WINDOWS = "cp1252"
_MEANING_WINDOWS = frozenset(("iso8859-1", "ascii"))  # so browsers read them (WHATWG Encoding)

# The parser's time grows with the square of their number.
_MOST_ATTRIBUTES = 1_000
_ATTRIBUTE = r"""(?>[\s/]*=?[^\s/>=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+))?)"""
_TOO_MANY_ATTRIBUTES = re.compile(rf"<[a-zA-Z][^\s/>]*+{_ATTRIBUTE}{{{_MOST_ATTRIBUTES + 1}}}")


def decode_page(content: bytes) -> str:
    r"""Return the text of an HTML file in the encoding that it has, or else names.

    A byte-order mark counts first; then whether it is UTF-8, which text in other encodings hardly
    ever is by chance; then what it says; and last Windows-1252. What is no character in that
    encoding is replaced by U+FFFD.

    Examples:
        >>> decode_page(b"<meta charset=iso-8859-2>\xb1"), decode_page("naïve".encode())
        ('<meta charset=iso-8859-2>ą', 'naïve')
    """
    for mark, encoding in _MARKS.items():
        if content.startswith(mark):
            return content.decode(encoding, "replace").lstrip("\ufeff")
    named = _named_encoding(content[:_HEAD])
    if named is not None and named.startswith("iso2022_"):  # made of the bytes of ASCII
        return content.decode(named, "replace")
    text = content.decode("utf-8", "replace")
    wrong = text.count("\ufffd")
    if not wrong or (named is None and wrong <= sum(char > "\x7f" for char in text) - wrong):
        return text
    return content.decode(named or _WINDOWS, "replace")


def _named_encoding(head: bytes) -> str | None:
    """Return the encoding that a page names, as Python calls it; `None` for UTF-8, or for none."""
    found = _NAMED.search(head)
    if found is None:
        return None
    try:
        name = codecs.lookup(found[1].decode()).name
    except LookupError:
        return None
    if name in _MEANING_WINDOWS:
        return _WINDOWS
    return name if _OF_PAGES.fullmatch(name) else None


def parse_page(text: str, name: str) -> Element | None:
    """Return the root of the tree that a page's text makes, repaired; `None` without any element.

    Entities that a document type defines are not expanded, and nothing is loaded.

    Raises:
        InvalidSourcesError: elements are nested more than some 2,000 deep, as deep as the parser
            goes, or one has more than 1,000 attributes; the message starts with `name`.
    """
    if _TOO_MANY_ATTRIBUTES.search(text):
        raise InvalidSourcesError(
            f"{name}: an element has more than {_MOST_ATTRIBUTES:,} attributes"
        )
    parser = _etree.HTMLParser(
        encoding="utf-8", huge_tree=True, no_network=True, remove_comments=True, remove_pis=True
    )
    root: Element | None = _etree.fromstring(text.encode("utf-8", "replace"), parser)
    if any(error.type_name == "ERR_RESOURCE_LIMIT" for error in parser.error_log):
        raise InvalidSourcesError(f"{name}: its elements are nested too deeply to be read")
    return root


class Walk(Protocol):
    """The starts and ends of the elements of a tree, in order."""

    def __iter__(self) -> Iterator[tuple[str, Element]]:
        """Yield pairs of "start" or "end", and the element."""
        ...

    def skip_subtree(self) -> None:
        """Leave out what is in the element that just started."""
        ...


def walk(root: Element) -> Walk:
    """Return a walk through a tree; it may be as deep as it likes."""
    return _etree.iterwalk(root, events=("start", "end"))
