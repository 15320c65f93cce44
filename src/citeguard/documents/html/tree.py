"""The tree of an HTML file: the encoding of its bytes, its elements, and what these are.

`repaired` has the tags of a page as browsers take them; the parser of `lxml` takes some otherwise.
Here is also what a tag, a role or a class says: whether an element is a block, has text, is raised,
a heading, or a row of data.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Collection, Container
from html import escape, unescape
from importlib import import_module
from typing import Any, NamedTuple

from citeguard.errors import InvalidSourcesError
from citeguard.language.scripts import IDEOGRAPHS

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

_FORMATTING = frozenset("a b big code em font i nobr s small strike strong tt u".split())
_PLAIN = frozenset("abbr bdi bdo cite del dfn ins kbd label mark q samp span sub sup var".split())
# Void elements in HTML that the parser takes for others.
_UNKNOWN_VOID = frozenset("bgsound embed keygen source track wbr".split())
_CHILDLESS = _UNKNOWN_VOID | frozenset(  # or that the parser ends
    (
        "area base basefont br col frame hr img input link meta param"
        " body head html optgroup option rp rt"
    ).split()
)
_TABLE = frozenset(("table",))
_MAY_HIDE = re.compile(r"\s(?:hidden|style|class|id)\b", re.IGNORECASE)
_IN_TABLES = frozenset("caption td th tr tbody tfoot thead".split())
_BORDERS = frozenset("applet caption marquee object td template th".split())  # of formatting
_ENDING_P = BLOCKS - _IN_TABLES - {"body", "html", "legend"}
_ENDED = {  # by the start of an element: which others, and what is around these at most
    **dict.fromkeys(_ENDING_P, (("p",), _BORDERS)),
    "li": (("li",), LISTS | _BORDERS),
    **dict.fromkeys(("dd", "dt"), (("dd", "dt"), {"dl"} | _BORDERS)),
    **dict.fromkeys(CELLS, (CELLS, _TABLE)),
    **dict.fromkeys(_IN_TABLES - CELLS, (("tr", "caption"), _TABLE)),
}
# What the parser ends at the start of these, and browsers do not.
_PARSER_ENDS = {
    "p": frozenset("b big i s small strike tt u".split()),
    "center": frozenset(("b", "font", "i")),
    **dict.fromkeys(("table", "fieldset"), frozenset("a")),
    **dict.fromkeys(_IN_TABLES, _FORMATTING),
}
# Three alike: HTML calls it the "Noah's Ark clause" (13.2.4.3).
_DEEPEST, _MOST_LOST, _MOST_ALIKE = 2_000, 100, 3
# Comments, declarations, elements whose content has no tags, and tags.
_TAG = re.compile(
    r"<!--(?:-?>|.*?(?:--!?>|\Z))|<[!?][^>]*(?:>|\Z)"
    r"|<(?P<raw>iframe|script|style|svg|textarea|title|xmp)\b[^>]*+(?<!/)>.*?"
    r"(?:</(?P=raw)\b[^>]*>|\Z)"
    r"|<(?P<slash>/?)(?P<name>[a-z][^\s/>]*)(?:=\s*(?:\"[^\"]*\"|'[^']*')|[^>])*+(?:>|\Z)",
    re.IGNORECASE | re.DOTALL | re.ASCII,
)


class _Open(NamedTuple):
    name: str
    tag: str
    lost: list[_Open]  # what was to be reopened where it began, if it is a border of formatting


def repaired(page: str, name: str) -> str:
    """Return a page in which formatting elements end before what is around them, and go on behind.

    So browsers "reconstruct the active formatting elements" (HTML, 13.2.4.3): in
    `<p><s>a</p><p>b</p>`, b is struck out, too. Void elements that the parser does not know end at
    once, and the page goes on behind `</body>` and `</html>`.

    Raises:
        InvalidSourcesError: its elements are nested too deeply; the message starts with `name`.
    """
    repair, place = _Repair(), 0
    for match in _TAG.finditer(page):
        repair.read_text(page[place : match.start()])
        place = match.end()
        tag = (match["name"] or "").lower()
        if not tag:
            repair.done.append(match[0])
        elif match["slash"]:
            repair.end(tag, match[0])
        else:
            repair.start(tag, match[0])
        if len(repair.opened) > _DEEPEST or len(repair.lost) > _MOST_LOST:
            raise InvalidSourcesError(f"{name}: its elements are nested too deeply to be read")
    repair.read_text(page[place:])
    return "".join(repair.done)


class _Repair:
    def __init__(self) -> None:
        self.done: list[str] = []
        self.opened: list[_Open] = []
        self.names = Counter[str]()  # of the open elements
        self.lost: list[_Open] = []  # formatting elements that go on with the next text

    def read_text(self, text: str) -> None:
        if text.strip():
            self._reopen()
        self.done.append(text)

    def start(self, name: str, tag: str) -> None:
        if name == "form" and self.names[name]:  # browsers know no forms in forms
            return
        if name in _ENDED:
            self._close(*_ENDED[name], implied=True)
        while self.opened and self.opened[-1].name in _PARSER_ENDS.get(name, ()):
            self.lost.insert(0, self.opened.pop())
            self.names[self.lost[0].name] -= 1
            self.done.append(f"</{self.lost[0].name}>")
        if name in _FORMATTING:
            if name == "a":  # none goes on in another
                self._end_formatting(name)
            self._reopen()
        # In HTML, as opposed to XHTML, "<span hidden/>" begins an element that goes on. The parser
        # does not know; that matters where what goes on may be hidden.
        goes_on = tag.endswith("/>") and name not in _CHILDLESS | _TABLE | _IN_TABLES - {"td"}
        hides = _MAY_HIDE.search(tag) if name != "a" else "hidden" in tag.lower()
        if goes_on and hides and not self.names["math"]:
            tag = f"{tag[:-2]}>"
        self.done.append(f"{tag}</{name}>" if name in _UNKNOWN_VOID else tag)
        if name not in _CHILDLESS and not tag.endswith("/>"):
            is_border = name in _BORDERS
            self.opened.append(_Open(name, tag, self.lost if is_border else []))
            self.names[name] += 1
            self.lost = [] if is_border else self.lost

    def end(self, name: str, tag: str) -> None:
        if name in ("body", "html", *_UNKNOWN_VOID):
            return
        if name not in _FORMATTING:
            around = _TABLE if name in _IN_TABLES else _BORDERS - {name}
            # A name with a hyphen is that of a custom element.
            around = around | BLOCKS if name in _PLAIN or "-" in name else around
            closed = self._close((name,), () if name == "table" else around)
            if self.names[name] and not closed and around >= BLOCKS:  # it is around a block
                return
        elif not self._end_formatting(name):
            return
        self.done.append(tag)

    def _end_formatting(self, name: str) -> bool:
        """End the formatting element of a name; return whether it was open."""
        if lost := [place for place, each in enumerate(self.lost) if each.name == name]:
            del self.lost[lost[-1]]
        elif self._close((name,), BLOCKS | _BORDERS):
            return True
        elif self.names[name]:
            for place in range(len(self.opened) - 1, -1, -1):  # it is around a block
                if self.opened[place].name in _BORDERS:
                    return False
                if self.opened[place].name == name:
                    self.names[name] -= 1
                    del self.opened[place]
                    return True
        return False

    def _close(self, names: Collection[str], around: Container[str], implied: bool = False) -> bool:
        """End the innermost element of these names, unless it is around one of those others."""
        if not any(self.names[name] for name in names):
            return False
        places = range(len(self.opened) - 1, -1, -1)
        found = (n for n in places if self.opened[n].name in names or self.opened[n].name in around)
        place = next(found, None)
        if place is None or self.opened[place].name not in names:
            return False
        ended, *inside = self.opened[place:]
        del self.opened[place:]
        self.names.subtract(each.name for each in [ended, *inside])
        inside = [each for each in inside if each.name in _FORMATTING | _BORDERS]
        self.done += [f"</{each.name}>" for each in inside[::-1] if each.name in _FORMATTING]
        if implied and inside:
            self.done.append(f"</{ended.name}>")
        # In "<li>a<s>x<li>y", <s> strikes out the next item, too.
        for each in [*inside[::-1], ended]:
            if each.name in _BORDERS:
                self.lost = each.lost
            elif each is not ended:
                self.lost.insert(0, each)
        # Of more than three alike, browsers forget the first ones.
        self.lost = [e for n, e in enumerate(self.lost) if self.lost[n:].count(e) <= _MOST_ALIKE]
        return True

    def _reopen(self) -> None:
        self.done += [each.tag for each in self.lost]
        self.opened += self.lost
        self.names.update(each.name for each in self.lost)
        self.lost = []


_etree: Any = import_module("lxml.etree")  # it has no types

Element = Any
"""An element of a tree of `lxml`."""

_BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
    # "<" in two bytes: UTF-16 without a mark.
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
_OF_TWO_BYTES = frozenset(("utf-16", "utf-16-le", "utf-16-be"))
_MEANING_WINDOWS = frozenset(("iso8859-1", "ascii"))  # so browsers read them (WHATWG Encoding)

# The parser's time grows with the square of their number.
_MOST_ATTRIBUTES = 1_000
_ATTRIBUTE = r"""(?>[\s/]*=?[^\s/>=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+))?)"""
_TOO_MANY_ATTRIBUTES = re.compile(rf"<[a-zA-Z][^\s/>]*+{_ATTRIBUTE}{{{_MOST_ATTRIBUTES + 1}}}")

_UNDRAWN = frozenset(
    (
        "area base datalist head link meta noembed noframes noscript param"
        " rp script source style template title track"
    ).split()
)
_HIDDEN = _UNDRAWN | frozenset(
    "audio canvas embed iframe img input meter object progress select svg textarea video".split()
)
IN_DOUBT = "inDoubt"
"""An attribute of elements in which something may be hidden; no page can have it, as those of pages
are in lower case."""
_ENTITY = re.compile(r"&[a-zA-Z]\w*;", re.ASCII)
_SPACES = tuple(
    f"http://www.w3.org/{each}" for each in ("1999/xhtml", "2000/svg", "1998/Math/MathML")
)
_OF_HEADS = frozenset(
    "base basefont bgsound link meta noscript object script style template title".split()
)
# "[edit]" behind headings and "↑" before notes in pages of MediaWiki.
_OF_EDITORS = frozenset("mw-cite-backlink mw-editsection".split())
_HIDDEN_IN = {"annotation": "math", "annotation-xml": "math", "rt": "ruby"}
_PARTS = {"sup": "raised", "sub": "lowered", "msqrt": "root", "mroot": "mroot"}
_PLACES = {  # in elements of MathML
    **{"msup": {1: "raised"}, "msub": {1: "lowered"}, "msubsup": {1: "lowered", 2: "raised"}},
    **{"munder": {1: "lowered"}, "mover": {1: "raised"}, "munderover": {1: "lowered", 2: "raised"}},
    **{"mfrac": {0: "over", 1: "under"}, "mroot": {1: "degree"}},
}
_NUMBER = re.compile(r"-?[0-9]{1,9}")
# As "¶", which Sphinx puts behind headings.
_SIGN_LINKS = frozenset("# ¶ § ^ ↑ ↩ ↩︎ 🔗".split())
# A cell of data holds a value or a sentence; a cell with one of these serves the layout of a page.
_NO_DATA = ("table", "pre", "form", "article", "section", "blockquote", *HEADINGS)
_LEVEL = re.compile(r"[1-9]")
_USUAL_LEVEL = 2  # of an element with the role of a heading (WAI-ARIA 1.2)


def decode_page(content: bytes, *, charset: str = "") -> str:
    r"""Return the text of an HTML file in its encoding.

    A byte-order mark decides first; then whether the bytes are UTF-8, which text in other encodings
    hardly ever is by chance; then the encoding that the server or else the page names; and last
    Windows-1252. Bytes that are not a character in that encoding are replaced by U+FFFD.

    Args:
        content: The content of the file.
        charset: The encoding that the server names, if any. Only a server can name UTF-16.

    Examples:
        >>> decode_page(b"<meta charset=iso-8859-2>\xb1"), decode_page("naïve".encode())
        ('<meta charset=iso-8859-2>ą', 'naïve')
    """
    for mark, encoding in _BYTE_ORDER_MARKS.items():
        if content.startswith(mark):
            return content.decode(encoding, "replace").lstrip("\ufeff")
    by_server = _encoding(charset) if charset else None
    if by_server in _OF_TWO_BYTES:  # with ASCII in it, it would pass for UTF-8
        return content.decode(by_server, "replace")
    named = by_server
    if named is None and (match := _NAMED.search(content[:_HEAD])):
        # A page in which a name could be read is not in UTF-16.
        by_page = _encoding(match[1].decode())
        named = None if by_page in _OF_TWO_BYTES else by_page
    if named is not None and named.startswith("iso2022_"):  # made of the bytes of ASCII
        return content.decode(named, "replace")
    text = content.decode("utf-8", "replace")
    wrong = text.count("\ufffd")
    # Where no encoding is named, a few wrong bytes are faults in UTF-8.
    if not wrong or (named is None and wrong <= sum(char > "\x7f" for char in text) - wrong):
        return text
    return content.decode(named or _WINDOWS, "replace")


def _encoding(named: str) -> str | None:
    try:
        name = codecs.lookup(named).name
    except (LookupError, ValueError):  # ValueError: with a NUL
        return None
    if name in _MEANING_WINDOWS:
        return _WINDOWS
    return name if name in _OF_TWO_BYTES or _OF_PAGES.fullmatch(name) else None


_SELF_CLOSED = re.compile(r"<(script\b[^<>]*)/>", re.IGNORECASE)  # it goes on, see `repaired`


def parse_page(text: str, name: str, *, xhtml: bool = False) -> Element | None:
    """Return the root of the repaired tree of a page's text, or `None` without any element.

    Nothing is loaded. XHTML that is no XML is read as HTML, and all of it is in doubt, as programs
    show a part of it, or an error.

    Raises:
        InvalidSourcesError: elements are nested more than some 2,000 deep, as deep as the parser
            goes, or one has more than 1,000 attributes; the message starts with `name`.
    """
    if _TOO_MANY_ATTRIBUTES.search(text):
        raise InvalidSourcesError(
            f"{name}: an element has more than {_MOST_ATTRIBUTES:,} attributes"
        )
    is_xml = xhtml or name.lower().endswith(".xhtml")
    if is_xml and (root := _parsed_xml(text)) is not None:
        return root
    text = text.replace("<![CDATA[", "").replace("]]>", "") if is_xml else text
    text = repaired(_SELF_CLOSED.sub(r"<\1>", text), name)
    parser = _etree.HTMLParser(
        encoding="utf-8", huge_tree=True, no_network=True, remove_comments=True, remove_pis=True
    )
    root: Element | None = _etree.fromstring(text.encode("utf-8", "replace"), parser)
    if any(error.type_name == "ERR_RESOURCE_LIMIT" for error in parser.error_log):
        raise InvalidSourcesError(f"{name}: its elements are nested too deeply to be read")
    if root is None:
        return None
    for head in root.iter("head"):
        if any(tag_of(each) not in _OF_HEADS for each in head):
            head.tag = "div"  # elements of HTML 5 do not end a head for the parser
    for shadow in root.xpath("//template[@shadowrootmode]"):
        shadow.tag = "span"
        shadow.getparent().set(IN_DOUBT, "")  # its slots and styles may hide it
        for style in shadow.iter("style", "link"):
            style.set("media", "not all")  # of what is outside
    if is_xml:
        root.set(IN_DOUBT, "")
    return root


def _parsed_xml(text: str) -> Element | None:
    """Return the root of a page of XHTML, with elements by their namespaces, if it is XML."""
    # With entities of its own, a page may unpack without an end: the parser's limits stay.
    defines = "<!ENTITY" in text
    parser = _etree.XMLParser(
        encoding="utf-8", huge_tree=not defines, no_network=True, remove_comments=True
    )
    if not defines:  # those of HTML, which are elsewhere
        text = _ENTITY.sub(lambda match: escape(unescape(match[0])), text)
    try:
        root = _etree.fromstring(text.encode("utf-8", "replace"), parser)
    except _etree.XMLSyntaxError:
        return None
    for element in root.iter("*"):
        name = _etree.QName(element)
        # Names of SVG and MathML may have capitals ("foreignObject"); <TITLE> is no title of XHTML.
        spaces = _SPACES[1:] if name.localname != name.localname.lower() else (None, *_SPACES)
        known = name.namespace in spaces
        element.tag = name.localname if known else f"{element.prefix or 'other'}.{name.localname}"
    # '<?xml-stylesheet href="a.css"?>' is a link to a style sheet.
    for each in root.itersiblings(preceding=True):
        if getattr(each, "target", "") == "xml-stylesheet":
            link = {"rel": "stylesheet", **each.attrib}
            root.insert(0, root.makeelement("link", link))
    _etree.strip_elements(root, _etree.ProcessingInstruction, with_tail=False)
    return root


def walk(root: Element) -> Any:
    """Return the starts and ends of the elements of a tree of any depth, without recursion.

    Yields pairs of "start" or "end", and the element; `skip_subtree()` skips the content of the
    element that has just started.
    """
    return _etree.iterwalk(root, events=("start", "end"))


def tag_of(element: Element) -> str:
    """Return an element's tag in lower case; empty for a comment."""
    return element.tag.lower() if isinstance(element.tag, str) else ""


def heading_level(element: Element) -> int | None:
    """Return the level of a heading by its tag or its role, from 1 to 6, or `None`."""
    level = HEADINGS.get(tag_of(element))
    if level is None and element.get("role") == "heading":
        value = element.get("aria-level", "").strip()
        return min(int(value), max(HEADINGS.values())) if _LEVEL.fullmatch(value) else _USUAL_LEVEL
    return level


def is_shown(element: Element) -> bool:
    """Return whether an element is one whose text is the page's, by its tag and its role.

    Scripts are not, nor buttons and marks of links. `Styles` says what of the others is hidden.
    """
    tag = tag_of(element)
    if tag in _HIDDEN or (
        tag in _HIDDEN_IN and next(element.iterancestors(_HIDDEN_IN[tag]), None) is not None
    ):
        return False
    if tag == "button":  # it may be the title of what it opens
        around = list(element.iterancestors())
        if not any(tag_of(each) in ("summary", "dt") or heading_level(each) for each in around):
            return False
    if tag == "a" and (element.text or "").strip() in _SIGN_LINKS and not len(element):
        return False
    attributes = element.attrib
    if attributes.get("aria-hidden") == "true" and tag not in BLOCKS:
        beside = element.getparent()  # a formula is there twice, for readers and for programs
        if beside is not None and next(beside.iter("math"), None) is not None:
            return False
    return _OF_EDITORS.isdisjoint(attributes.get("class", "").split())


def is_drawn(element: Element) -> bool:
    """Return whether readers see something of an element that is not shown as text."""
    return tag_of(element) not in _UNDRAWN and element.get("type") != "hidden"


_OF_WORDS = ("", "text", "search", "email", "url", "tel", "number")
_USUAL_SIZE = 20  # characters
_WORDLESS = ("hidden", "submit", "button")


def words_in(control: Element) -> int:
    """Return how many words a button, a list or a drawing shows that is no part of the text."""
    tag = tag_of(control)
    shown = control.iter("text") if tag == "svg" else [control] * (tag in ("button", "select"))
    return sum(len("".join(each.itertext()).split()) for each in shown)


def has_content(box: Element) -> bool:
    """Return whether an element has words, pictures or the like in it."""
    return bool("".join(box.itertext()).strip()) or next(box.iter(*_HIDDEN), None) is not None


def shown_by(control: Element) -> tuple[str | None, bool]:
    """Return the words that a control shows, ☑ or ☐ for a box to tick, and whether it shows others.

    The words are `None` if they are not known: dates are shown in the reader's own way, and of a
    long value a part. A box without words beside it opens and closes a part of the page.
    """
    tag, kind = tag_of(control), control.get("type", "").lower()
    text = "".join(control.itertext())
    if tag == "textarea":
        return text, False
    if tag == "select" and "multiple" not in control.attrib and control.get("size", "1") == "1":
        options = [*control.iter("option")]
        # Of several that are selected, browsers show the last one.
        chosen = [each for each in options if "selected" in each.attrib][-1:]
        chosen += [each for each in options if "disabled" not in each.attrib]
        shown = (each.get("label") or "".join(each.itertext()) for each in chosen)
        return next(shown, ""), False
    if tag == "input" and kind in ("checkbox", "radio"):
        label = next(control.iterancestors("label"), None)
        words = (control.tail or "") if label is None else "".join(label.itertext())
        after = control.getnext()
        is_named = bool(words.strip()) or (after is not None and tag_of(after) == "label")
        return "☐☑"["checked" in control.attrib] if is_named else None, False
    if tag == "input":
        value = control.get("value", "")
        is_whole = kind in _OF_WORDS and len(value) <= _number(control.get("size"), _USUAL_SIZE)
        if value and is_whole:
            return value, False
        other = value or control.get("placeholder", "")
        return None, kind not in _WORDLESS and bool(other.strip())
    if tag == "rt":  # of ideographs, it says how they are read
        base = "".join(control.getparent().itertext())
        return None, not re.search(rf"[{IDEOGRAPHS}]", base)
    if tag in ("object", "embed", "iframe"):
        return None, any(name in control.attrib for name in ("data", "src", "srcdoc"))
    is_drawn = tag == "select" or (tag == "svg" and control.find(".//text") is not None)
    return None, is_drawn and bool(text.strip())


def parts_of(element: Element) -> list[str]:
    """Return which parts of a line or a formula an element is, from the innermost one.

    They are "raised", as an exponent or the mark of a note, or "lowered", as an index; "over" or
    "under" the line of a fraction; a "root", one with a degree ("mroot"), or that "degree".
    """
    tag, parent = tag_of(element), element.getparent()
    found = _PARTS.get(tag, "raised" if element.get("role") == "doc-noteref" else "")
    if parent is not None and tag_of(parent) == "mmultiscripts":
        place = parent.index(element)
        before = [tag_of(each) for each in parent[:place]]
        place -= before.index("mprescripts") if "mprescripts" in before else 0
        return ["lowered" if place % 2 else "raised"] if place else []
    if parent is not None and (places := _PLACES.get(tag_of(parent))):
        return [each for each in (found, places.get(parent.index(element), "")) if each]
    return [found] if found else []


def is_note_mark(script: Element) -> bool:
    """Return whether a raised element is the mark of a note: a link to a place in the page."""
    parent = script.getparent()
    links = [script, *([] if parent is None else [parent]), *script.iter("a")]
    return script.get("role") == "doc-noteref" or any("#" in link.get("href", "") for link in links)


def first_number(numbered: Element) -> int:
    """Return the number of the first item of a list."""
    items = [each for each in numbered if tag_of(each) == "li"]
    return _number(numbered.get("start"), len(items) if "reversed" in numbered.attrib else 1)


def number_of(item: Element, usual: int) -> int:
    """Return the number of an item, which is the usual one unless it has another."""
    return _number(item.get("value"), usual)


def _number(written: str | None, usual: int) -> int:
    return int(written) if _NUMBER.fullmatch(written := (written or "").strip()) else usual


def span_of(cell: Element, attribute: str) -> int:
    """Return how many rows or columns a cell spans, by the attribute that says so; at most 1,000.

    That is what HTML allows; a cell that spans all further rows spans one.
    """
    written = cell.get(attribute, "").strip()
    return min(max(int(written), 1), 1_000) if _NUMBER.fullmatch(written) else 1


def is_row_of_data(row: Element) -> bool:
    """Return whether a row of a table holds data: several cells with a line or two each.

    A cell that spans several columns is one by itself: the name of the rows below it.
    """
    cells = [cell for cell in row if tag_of(cell) in CELLS]
    spanning = len(cells) == 1 and span_of(cells[0], "colspan") > 1
    return (len(cells) > 1 or spanning) and not any(
        next(cell.iter(*_NO_DATA), None) is not None or len(list(cell.iter("p"))) > 1
        for cell in cells
    )
