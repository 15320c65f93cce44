"""Markdown files as documents: `read_markdown`, which reads what the rendered page shows."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from itertools import accumulate
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline, escape, newline
from markdown_it.token import Token
from mdit_py_plugins.footnote import footnote_plugin

from citeguard.documents.document import Decision, Document, Reason, Writer
from citeguard.documents.files import decode
from citeguard.documents.html.blocks import Block, blocks_of, write_block
from citeguard.documents.html.styles import Styles
from citeguard.documents.html.tree import parse_page
from citeguard.errors import InvalidSourcesError
from citeguard.sources.layout import Layout

# The parser drops blocks that are nested deeper, and these numbers bound the time that it takes for
# hostile text: for quotes and lists, and for emphasis and links.
_DEEPEST = 50
_DEEPEST_IN_LINE = 10
# A paragraph is parsed in pieces of so many characters: on hostile text, the time of some of the
# parser's rules grows with the square of the length.
_LONGEST_PIECE = 3_000
# Brackets that are open at once, of which the parser goes through a piece for each; and how many
# characters it may go through for more, in some 3 seconds.
_OPEN, _MOST_STEPS = 5, 60_000_000
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
_ATTRIBUTES = re.compile(r"\s*\{[:#.][^{}\n]*\}\s*\Z")  # "{#notice}" after a heading
# In the page, the number of a line is between two noncharacters where the line begins.
_SIGN = "\ufdd2"
_LINE = re.compile(rf"{_SIGN}(\d+){_SIGN}")
# "~not~", but not "~5 to ~6 days".
_TILDES = re.compile(r"(?<!~)~(?![\s~])[^~\n]*(?<!\s)~(?!~)")
_BOX = re.compile(r"\[(?P<tick>[ xX])\]\s+")


def read_markdown(content: bytes, name: str, decision: Decision | None = None) -> Document:
    r"""Return the text that the rendered page shows, with the line of the file of each part.

    Reads CommonMark with tables, strikethrough, task lists and footnotes. List marks are kept, a
    row of a table is one line with its cells separated by " | ", and footnotes come last. What is
    struck out, what HTML in it hides and the descriptions of images are as decided, by default
    left out. Front matter is not part of the text; its title is the document's, or else the first
    heading of level 1. A file with quotes, lists or elements nested too deeply is read as plain
    text.

    Raises:
        CiteguardError: the file is not UTF-8; the message starts with `name`.

    Examples:
        >>> document = read_markdown(b"# Pay\n\nPay is *monthly*,\nin [euro](e.md).", "pay.md")
        >>> document.text, document.layout.line_at(22)
        ('Pay\n\nPay is monthly, in euro.', 4)
    """
    text = re.sub("\r\n?", "\n", decode(content, name)).replace(_SIGN, "")
    settings = _FRONT_MATTER.match(text)
    body = text if settings is None else "\n" * settings[0].count("\n") + text[settings.end() :]
    parser, env = _parser(), dict[str, Any]()
    try:
        tokens = parser.parse(body, env)
        if any(token.block and token.level >= _DEEPEST - 1 for token in tokens):
            raise InvalidSourcesError("its blocks are nested too deeply")
        root = parse_page(f"<body>{parser.renderer.render(tokens, parser.options, env)}", name)
        for style in () if root is None else root.iter("style"):
            style.text = _LINE.sub("", style.text or "")
        for control in () if root is None else root.iter("select", "textarea"):
            control.tag = "select"  # some programs show its value, others leave it out
            control.set("multiple", "")
    except InvalidSourcesError:
        return Document(text=text, layout=Layout("markdown", len(text)))
    writer = Writer(decision)
    line, mark = 1, ""
    decision = _Unnumbered(writer)
    for block in () if root is None else blocks_of(root, decision, Styles(root)):
        line, mark = _write(writer, block, line, block.mark or mark)
    highest = (heading.text for heading in writer.headings if heading.level == 1)
    named = None if settings is None else _TITLE.search(settings[0])
    # "title: |" has its text in the next lines.
    title = "" if named is None or re.match(r"[|>][+-]?\d?\Z", named["title"]) else named["title"]
    # The same decision may be that of a whole mail, of which this is an attachment.
    writer.decision.unsure |= decision.unsure
    writer.decision.unread += decision.unread
    return writer.document("markdown", title=title or next(highest, None))


class _Unnumbered(Decision):
    """The decision of a writer, about text without the numbers of lines."""

    def __init__(self, writer: Writer) -> None:
        super().__init__("keep" if writer.decision.keeps else "omit")
        self.left_out = writer.decision.left_out

    def on(self, text: str, reason: Reason) -> str:
        return super().on(_LINE.sub("", text), reason)


def _write(writer: Writer, block: Block, line: int, mark: str) -> tuple[int, str]:
    """Write a block from some line on; return the line it ends in, and the mark of an empty one."""
    text, *rest = _LINE.split(block.text)
    lines = [] if rest and not text else [(0, line)]
    for number, piece in zip(rest[::2], rest[1::2], strict=True):
        line = int(number)
        lines.append((len(text), line))
        text += piece.lstrip(" ") if text[-1:] in ("", " ", "\n") else piece
    if not text.strip():
        return line, mark
    if mark and (box := _BOX.match(text)):
        mark += "☐ " if box["tick"] == " " else "☑ "
        text = text[box.end() :]
        lines = [(max(0, offset - box.end()), number) for offset, number in lines]
    if block.level is not None:
        text = _ATTRIBUTES.sub("", text)
    for cell in block.cells:
        cell.text = _LINE.sub("", cell.text)
    write_block(writer, replace(block, text=text, mark=mark), lines=lines)
    return line, ""


@cache
def _parser(deepest: int = _DEEPEST) -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": deepest}).use(footnote_plugin)
    parser.enable(["table", "strikethrough"])
    parser.core.ruler.at("inline", _parse_inline)
    parser.core.ruler.push("lines", _number_lines)
    parser.inline.ruler.before("strikethrough", "single tilde", _single_tilde)
    parser.inline.ruler.at("newline", _placing_breaks(newline))
    parser.inline.ruler.at("escape", _placing_breaks(escape))
    for name, rule in _RULES.items():
        parser.add_render_rule(name, rule)
    return parser


def _parse_inline(state: StateCore) -> None:
    parser = _parser(_DEEPEST_IN_LINE)
    for token in state.tokens:
        if token.type == "inline":
            token.children = []
            for piece in _PIECE.finditer(token.content):
                steps = (1 if sign == "[" else -1 for sign in re.findall(r"[\[\]]", piece[0]))
                depths = accumulate(steps, lambda depth, step: max(0, depth + step))
                taken = max(0, max(depths, default=0) - _OPEN) * len(piece[0])
                state.env["steps"] = state.env.get("steps", 0) + taken
                if state.env["steps"] > _MOST_STEPS:
                    raise InvalidSourcesError("its brackets are nested too deeply")
                parsed: list[Token] = []
                parser.inline.parse(piece[0], parser, state.env, parsed)
                for child in parsed:
                    if token.map is not None and "place" in child.meta:
                        end = token.content.index("\n", piece.start() + child.meta["place"]) + 1
                        child.meta["line"] = token.map[0] + 1 + token.content.count("\n", 0, end)
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


def _single_tilde(state: StateInline, silent: bool) -> bool:
    """Put "~not~" in doubt: GitHub strikes it out, Pandoc lowers it, others show the signs."""
    matched = _TILDES.match(state.src, state.pos) is not None
    if matched and not silent:
        state.push("html_inline", "", 0).content = "<i style='text-decoration: unknown'>~</i>"
    state.pos += matched
    return matched


def _number_lines(state: StateCore) -> None:
    """Number the first line of each text, and write the mark of a footnote before its own."""
    line, mark = 1, ""
    lines_of_notes: dict[int, int] = {}
    for token in state.tokens:
        if token.map is not None:
            line = token.map[0] + 1
        if token.type == "footnote_open":
            mark = f"[{token.meta['id'] + 1}] "
            line = lines_of_notes.get(token.meta["id"], line)
        if token.type == "inline":
            at = line
            for child in token.children or []:
                at = child.meta.get("line", at)
                if child.type == "footnote_ref":
                    lines_of_notes[child.meta["id"]] = at
            first = Token("text", "", 0, content=_numbered(line) + mark)
            token.children, mark = [first, *(token.children or [])], ""


def _numbered(line: int) -> str:
    return f"{_SIGN}{line}{_SIGN}"


def _break(_: Any, tokens: Sequence[Token], at: int, *__: Any) -> str:
    tag = "<br>" if tokens[at].type == "hardbreak" else "\n"
    return tag + (_numbered(tokens[at].meta["line"]) if "line" in tokens[at].meta else "")


def _code(_: Any, tokens: Sequence[Token], at: int, *__: Any) -> str:
    first = (tokens[at].map or [0])[0] + 1 + (tokens[at].type == "fence")
    lines = escapeHtml(tokens[at].content).split("\n")
    numbered = (f"{_numbered(first + place)}\n{line}" for place, line in enumerate(lines))
    return f"<pre>{''.join(numbered)}</pre>"


def _html(_: Any, tokens: Sequence[Token], at: int, *__: Any) -> str:
    is_block = tokens[at].type == "html_block"
    before = _numbered((tokens[at].map or [0])[0] + 1) if is_block else ""
    return before + tokens[at].content


def _image(renderer: RendererHTML, tokens: Sequence[Token], at: int, *rest: Any) -> str:
    text = renderer.renderInlineAsText(tokens[at].children or [], *rest)
    return f"<img><span hidden>{escapeHtml(text)}</span>"


def _note(_: Any, tokens: Sequence[Token], at: int, *__: Any) -> str:
    return f"[{tokens[at].meta['id'] + 1}]"


def _nothing(*_: Any) -> str:
    return ""


_RULES: dict[str, Callable[..., str]] = {
    **dict.fromkeys(("softbreak", "hardbreak"), _break),
    **dict.fromkeys(("fence", "code_block"), _code),
    **dict.fromkeys(("html_block", "html_inline"), _html),
    "image": _image,
    "footnote_ref": _note,
    **{
        f"footnote_{part}": _nothing
        for part in ("block_open", "block_close", "open", "close", "anchor")
    },
}
