"""Markdown files as documents: `read_markdown`, which reads what the rendered page shows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from itertools import accumulate, count

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline, escape, newline
from markdown_it.token import Token
from mdit_py_plugins.footnote import footnote_plugin

from citeguard.documents.document import Decision, Document, Writer, subscript, superscript, visible
from citeguard.documents.files import decode
from citeguard.documents.html.blocks import blocks_of, write_block
from citeguard.documents.html.styles import Look, Styles
from citeguard.documents.html.tree import parse_page
from citeguard.documents.tables import Written
from citeguard.sources.layout import Layout

# The parser drops blocks that are nested deeper, and these numbers bound the time that it takes for
# hostile text: for quotes and lists, and for emphasis and links.
_DEEPEST = 50
_DEEPEST_IN_LINE = 10
# A paragraph is parsed in pieces of so many characters: on hostile text, the time of some of the
# parser's rules grows with the square of the length.
_LONGEST_PIECE = 3_000
_PIECE = re.compile(
    rf".{{1,{_LONGEST_PIECE}}}(?=\n|\Z)|.{{1,{_LONGEST_PIECE}}}(?=\s)|.{{1,{_LONGEST_PIECE}}}",
    re.DOTALL,
)
# Front matter, as site generators read it: between lines of dashes or plus signs.
_FRONT_MATTER = re.compile(
    r"\A\s*?(?P<fence>---|\+\+\+)[ \t]*\n(?:#[^\n]*\n|[ \t]*\n)*(?=[\w\"'-]+[ \t]*[:=])"
    r"(?:[^\n]*\n)*?(?P=fence)[ \t]*(?:\n|\Z)"
)
_TITLE = re.compile(r"^title[ \t]*[:=][ \t]*([\"']?)(?P<title>[^\n]*?)\1[ \t]*$", re.MULTILINE)
_YAML_BLOCK = re.compile(r"[|>][+-]?\d?\Z")
_ATTRIBUTES = re.compile(r"\s*\{[:#.][^{}\n]*\}\s*\Z")  # "{#notice}" after a heading
_LINE_END = re.compile(r"\r\n?")
_TAG = re.compile(r"<(?P<end>/?)(?P<name>br|su[bp])\b", re.IGNORECASE)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_TAGS = re.compile(
    r"<(?P<end>/?)(?P<name>[a-z][\w-]*)(?:\"[^\"]*\"|'[^']*'|[^>\"'])*>", re.IGNORECASE
)
# Elements that have no end, and "p", which other blocks end.
_WITHOUT_END = frozenset("area br col embed hr img input link meta p source track wbr".split())
_BOX = re.compile(r"\[(?P<tick>[ xX])\]\s+")
_BOXES = {" ": "☐ ", "x": "☑ ", "X": "☑ "}


def read_markdown(content: bytes, name: str, decision: Decision | None = None) -> Document:
    r"""Return the text that the rendered page shows, with the line of the file of each part.

    Reads CommonMark with tables, strikethrough, task lists and footnotes. List marks are kept, a
    row of a table is one line with its cells separated by " | ", and footnotes come last. What is
    struck out, what HTML in it hides and the descriptions of images are as decided, by default
    left out. Front matter is not part of the text; its title is the document's, or else the first
    heading of level 1. A file with quotes or lists nested more than 50 deep is read as plain text.

    Raises:
        CiteguardError: the file is not UTF-8; the message starts with `name`.

    Examples:
        >>> document = read_markdown(b"# Pay\n\nPay is *monthly*,\nin [euro](e.md).", "pay.md")
        >>> document.text, document.layout.line_at(22)
        ('Pay\n\nPay is monthly, in euro.', 4)
    """
    text = _LINE_END.sub("\n", decode(content, name))
    settings = _FRONT_MATTER.match(text)
    body = text if settings is None else "\n" * settings[0].count("\n") + text[settings.end() :]
    tokens = _parser().parse(body)
    if any(token.block and token.level >= _DEEPEST - 1 for token in tokens):
        return Document(text=text, layout=Layout("markdown", len(text)))
    pages = "\n".join(token.content for token in tokens if token.type == "html_block")
    reader = _Reader(Writer(decision), Styles(parse_page(f"<p>{pages}", name), whole=False))
    reader.read(tokens)
    highest = (heading.text for heading in reader.writer.headings if heading.level == 1)
    named = None if settings is None else _TITLE.search(settings[0])
    title = None if named is None or _YAML_BLOCK.match(named["title"]) else named["title"]
    return reader.writer.document("markdown", title=title or next(highest, None))


@cache
def _parser(deepest: int = _DEEPEST) -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": deepest}).use(footnote_plugin)
    parser.enable(["table", "strikethrough"])
    parser.core.ruler.at("inline", _parse_inline)
    parser.inline.ruler.at("newline", _placing_breaks(newline))
    parser.inline.ruler.at("escape", _placing_breaks(escape))
    return parser


def _parse_inline(state: StateCore) -> None:
    parser = _parser(_DEEPEST_IN_LINE)
    for token in state.tokens:
        if token.type == "inline":
            token.children = []
            for piece in _PIECE.finditer(token.content):
                parsed: list[Token] = []
                parser.inline.parse(piece[0], parser, state.env, parsed)
                for child in parsed:
                    if "place" in child.meta:
                        child.meta["place"] += piece.start()
                token.children += parsed


def _placing_breaks(
    rule: Callable[[StateInline, bool], bool],
) -> Callable[[StateInline, bool], bool]:
    """Return a rule of the parser that also records the offsets of the line breaks it finds."""

    def placing(state: StateInline, silent: bool) -> bool:
        place, before = state.pos, len(state.tokens)
        matched = rule(state, silent)
        for token in state.tokens[before:]:
            if token.tag == "br":
                token.meta["place"] = place
        return matched

    return placing


class _Reader:
    """Writes what the tokens of blocks show."""

    def __init__(self, writer: Writer, styles: Styles) -> None:
        self.writer = writer
        self._tags = _OpenTags(styles)
        self._line = 1
        self._level: int | None = None  # of the open heading
        self._mark = ""  # of the list item or footnote that has just begun
        self._cells: list[Written] | None = None  # of the open row
        self._rows = self._tables = 0  # of the open table, so far
        self._lines_of_notes: dict[int, int] = {}

    def read(self, tokens: Iterable[Token]) -> None:  # noqa: C901 - one case each
        """Write what tokens show, in order."""
        for token in tokens:
            if token.map is not None:
                self._line = token.map[0] + 1
            match token.type:
                case "inline":
                    self._inline(token)
                case "fence" | "code_block":
                    self._code(token)
                case "html_block":
                    self._html(token)
                case "footnote_block_open":
                    self._tags.close_all()
                case "heading_open":
                    self._level = int(token.tag.removeprefix("h"))
                case "list_item_open":
                    self._mark = f"{token.info}{token.markup} " if token.info else "- "
                case "footnote_open":
                    self._mark = f"[{token.meta['id'] + 1}] "
                    self._line = self._lines_of_notes.get(token.meta["id"], self._line)
                case "heading_close" | "list_item_close" | "footnote_close":
                    self._level, self._mark = None, ""
                case _:
                    self._table(token.type)

    def _table(self, event: str) -> None:
        if event == "table_open":
            self._rows, self._tables = 0, self._tables + 1
        elif event == "tr_open":
            self._cells, self._rows = [], self._rows + 1
        elif event == "tr_close":
            cells, self._cells = self._cells or [], None
            self.writer.write_row(self._tables, cells, lines=[(0, self._line)])

    def _code(self, token: Token) -> None:
        first = self._line + (token.type == "fence")  # it begins on the line after the fence
        lengths = (len(line) + 1 for line in token.content.split("\n"))
        starts = accumulate(lengths, initial=0)
        text, reason = visible(token.content), self._tags.look.unseen
        if reason is not None:
            text = self.writer.decision.on(text, reason)
        self.writer.write(text, lines=zip(starts, count(first), strict=False))

    def _html(self, token: Token) -> None:
        root, look = parse_page(token.content, ""), self._tags.look
        self._tags.read(token.content)
        if root is None:
            return
        for block in blocks_of(root, self.writer.decision, self._tags.styles, look):
            line = self._line + (block.home.sourceline or 1) - 1
            write_block(self.writer, block, lines=[(0, line)])

    def _inline(self, token: Token) -> None:
        line = _Line(token, self._line, self._tags, self.writer.decision)
        self._lines_of_notes |= line.lines_of_notes
        if self._cells is not None:
            text, column = line.text.replace("\n", " "), len(self._cells) + 1
            self._cells.append(
                Written(text, self._rows, column, heads="column" if self._rows == 1 else "")
            )
            return
        text, starts = line.text, line.starts
        if self._mark and (box := _BOX.match(text)):
            self._mark += _BOXES[box["tick"]]
            text = text[box.end() :]
            starts = [(max(0, offset - box.end()), number) for offset, number in starts]
        if self._level is not None:
            text = _ATTRIBUTES.sub("", text.replace("\n", " "))
        self.writer.write(text, mark=self._mark, level=self._level, lines=starts)
        self._mark = ""


class _OpenTags:
    """The elements of raw HTML that are open, which may hold Markdown, and how they look."""

    def __init__(self, styles: Styles) -> None:
        self.styles = styles
        self._open: list[tuple[str, Look]] = []

    @property
    def look(self) -> Look:
        """The look of the text that follows."""
        return self._open[-1][1] if self._open else self.styles.first

    def read(self, markup: str) -> None:
        """Open and close elements as tags say."""
        for tag in _TAGS.finditer(_COMMENT.sub("", markup)):
            name = tag["name"].lower()
            if tag["end"]:
                places = [at for at, (each, _) in enumerate(self._open) if each == name]
                del self._open[places[-1] if places else len(self._open) :]
            elif name not in _WITHOUT_END and not tag[0].endswith("/>"):
                root = parse_page(f"<body>{tag[0]}", "")
                element = None if root is None else next(root.iter(name), None)
                look = self.look if element is None else self.styles.look_of(element, self.look)
                self._open.append((name, look))

    def close_all(self) -> None:
        """Close all elements."""
        self._open.clear()


class _Line:
    """What the tokens of a paragraph, a heading or a cell show.

    Attributes:
        starts: Pairs of an offset in the text and the number of the file's line there.
        lines_of_notes: The line with the mark of each footnote.
    """

    def __init__(self, token: Token, line: int, tags: _OpenTags, decision: Decision) -> None:
        self._tags, self._decision = tags, decision
        self.starts = [(0, line)]
        self.lines_of_notes: dict[int, int] = {}
        self._pieces: list[str] = []
        self._length = 0
        self._scripts: list[int] = []  # the number of pieces where each open script began
        # An inline footnote has no lines of its own.
        self._source = token.content if token.map is not None else None
        self._read_to = 0  # an offset in the source
        for child in token.children or []:
            self._read(child)

    @property
    def text(self) -> str:
        """The whole text."""
        return "".join(self._pieces)

    def _read(self, token: Token) -> None:
        if token.tag == "br":
            self._add("\n" if token.type == "hardbreak" else " ")
            if self._source is not None:
                place = self._source.index("\n", token.meta["place"]) + 1
                passed = self._source.count("\n", self._read_to, place)
                self.starts.append((self._length, self.starts[-1][1] + passed))
                self._read_to = place
        elif token.type == "html_inline":
            self._tags.read(token.content)
            self._tag(token.content)
        elif token.type in ("s_open", "s_close"):
            self._tags.read("<s>" if token.type == "s_open" else "</s>")
        elif token.type == "image":
            self._add(self._decision.on(visible(_alternative(token)), "hidden"), as_decided=True)
        elif token.type == "footnote_ref":
            self.lines_of_notes[token.meta["id"]] = self.starts[-1][1]
            self._add(f"[{token.meta['id'] + 1}]")
        else:
            self._add(token.content)

    def _add(self, text: str, *, as_decided: bool = False) -> None:
        shown, reason = text if as_decided else visible(text), self._tags.look.unseen
        if reason is not None and not as_decided:
            shown = self._decision.on(shown, reason)
        # What is left out has white space on both sides, of which the page shows one.
        if not self._pieces or (text.startswith(" ") and self._pieces[-1].endswith((" ", "\n"))):
            shown = shown.lstrip()
        if shown:
            self._pieces.append(shown)
            self._length += len(shown)

    def _tag(self, markup: str) -> None:
        tag = _TAG.match(markup)
        if tag is None:
            return
        name = tag["name"].lower()
        if name == "br":
            self._add("\n")
        elif not tag["end"]:
            self._scripts.append(len(self._pieces))
        elif self._scripts:
            start = self._scripts.pop()
            script = "".join(self._pieces[start:])
            del self._pieces[start:]
            self._length -= len(script)
            self._add(superscript(script) if name == "sup" else subscript(script))


def _alternative(image: Token) -> str:
    """Return the description of an image without markup."""
    described: list[str] = []
    waiting = [image]
    while waiting:
        token = waiting.pop()
        described.append(" " if token.tag == "br" else "" if token.children else token.content)
        waiting += reversed(token.children or [])
    return "".join(described)
