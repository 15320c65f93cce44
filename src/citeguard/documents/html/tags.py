"""The tags of HTML, and `repaired`: those of a page as browsers take them.

The parser of `lxml` takes some of them otherwise.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Container
from typing import NamedTuple

from citeguard.errors import InvalidSourcesError

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
_PARSER_ENDS = {
    "p": frozenset("b big i s small strike tt u".split()),
    "center": frozenset(("b", "font", "i")),
    **dict.fromkeys(("table", "fieldset"), frozenset("a")),
    **dict.fromkeys(_IN_TABLES, _FORMATTING),
}
_DEEPEST, _MOST_LOST, _MOST_ALIKE = 2_000, 100, 3
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
