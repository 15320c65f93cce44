"""What a server sent, as text with a layout: `read_page`, and the kinds of content it reads."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePosixPath
from urllib.parse import unquote

from citeguard.documents.document import Document, PageLimitError
from citeguard.documents.files import kind_of
from citeguard.documents.html.tree import decode_page, parse_page
from citeguard.documents.loading import read_document
from citeguard.errors import InvalidSourcesError
from citeguard.web.page import PageOutcome
from citeguard.web.walls import needs_scripts, wall_of

_MOST_PAGES = 1_000  # of a PDF file, or slides
_LONGEST_TITLE = 500  # characters

_SUFFIXES = {
    "text/html": ".html",
    "application/xhtml+xml": ".html",
    "application/pdf": ".pdf",
    "application/x-pdf": ".pdf",
    "text/markdown": ".md",
    "text/x-markdown": ".md",
    "text/csv": ".csv",
    "text/tab-separated-values": ".tsv",
    "application/json": ".txt",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ".docx",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": ".pptx",
}
_UNREAD_TEXTS = frozenset(("text/css", "text/javascript", "text/ecmascript", "text/event-stream"))
_UNNAMED = frozenset(("", "application/octet-stream", "binary/octet-stream", "unknown/unknown"))
_XML = frozenset(("text/xml", "application/xml"))
_OF_TEXTS = frozenset((".md", ".markdown", ".csv", ".tsv"))
_HTML_START = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]{0,200}>\s*)?(?:<!--.{0,500}?-->\s*)?"
    rb"<(?:!doctype\s+html|html)\b",
    re.IGNORECASE | re.DOTALL,
)
_LONGEST_REFRESH = 20_000  # bytes of a page that only sends its readers on
_REFRESH = re.compile(
    r"""\s*[01]?(?:\.\d*)?\s*[;,]\s*(?:url\s*=\s*)?(?P<quote>["']?)(?P<url>[^"'\s][^"']*)(?P=quote)""",
    re.IGNORECASE,
)
_PDF_START = b"%PDF-"


class NotFetchedError(Exception):
    """A page that was asked for, and could not be read.

    Attributes:
        outcome: What became of it.
        reason: Why, in a sentence.
    """

    def __init__(self, outcome: PageOutcome, reason: str) -> None:
        super().__init__(reason)
        self.outcome: PageOutcome = outcome
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Content:
    """What a server sent.

    Attributes:
        body: The decoded body.
        content_type: The type that the server names, in lower case, without parameters.
        charset: The encoding that it names; empty if none.
        path: The path of the address, whose suffix may say more than a type.
    """

    body: bytes
    content_type: str
    charset: str
    path: str


def read_content_type(header: str) -> tuple[str, str]:
    """Return the type of a `Content-Type` header and its charset, both in lower case.

    Examples:
        >>> read_content_type('Text/HTML; charset="ISO-8859-2"')
        ('text/html', 'iso-8859-2')
    """
    named, *parameters = header.lower().split(";")
    pairs = (parameter.partition("=") for parameter in parameters)
    charsets = (value.strip(" \t\"'") for name, _, value in pairs if name.strip() == "charset")
    return named.strip(), next(charsets, "")


def suffix_of(content: Content) -> str:
    """Return the suffix of the kind of file as which content is read; empty for none.

    A PDF file or an HTML page is known by its first bytes, where the server says nothing better
    than "text" or "bytes".

    Examples:
        >>> suffix_of(Content(b"# Pay", "text/plain", "", "/README.md"))
        '.md'
    """
    named, body = content.content_type, content.body
    if (suffix := _SUFFIXES.get(named)) is not None and suffix not in (".txt", ".csv", ".tsv"):
        return ".pdf" if suffix == ".html" and body.startswith(_PDF_START) else suffix
    if named.endswith("+json"):
        return ".txt"
    if named in _UNREAD_TEXTS:
        return ""
    is_text = named.startswith("text/") or suffix is not None
    if not is_text and named not in _UNNAMED and named not in _XML:
        return ""
    if body.startswith(_PDF_START):
        return ".pdf"
    if _HTML_START.match(body):
        return ".html"
    if named in _XML or (named in _UNNAMED and b"\0" in body):
        return ""
    by_name = PurePosixPath(unquote(content.path)).suffix.lower()
    return suffix or (by_name if by_name in _OF_TEXTS else ".txt")


def refresh_of(content: Content) -> str:
    """Return where an HTML page sends its readers on at once; empty if nowhere.

    A page that is left after a second or less is not for readers, whatever else it has on it.

    Examples:
        >>> page = b'<meta http-equiv="refresh" content="0; url=latest/">'
        >>> refresh_of(Content(page, "text/html", "", "/"))
        'latest/'
    """
    body = content.body
    if len(body) > _LONGEST_REFRESH or b"refresh" not in body.lower():
        return ""
    if suffix_of(content) != ".html":
        return ""
    try:
        root = parse_page(decode_page(body, charset=content.charset), "the page")
    except InvalidSourcesError:
        return ""
    for meta in () if root is None else root.iter("meta"):
        # One for browsers without scripts is rarely about the same page.
        hidden = next(meta.iterancestors("noscript"), None) is not None
        if meta.get("http-equiv", "").lower() == "refresh" and not hidden:
            match = _REFRESH.match(meta.get("content", ""))
            return match["url"].strip() if match else ""
    return ""


def read_page(content: Content) -> Document:
    """Return the text of a page, with a map back to the page.

    Raises:
        NotFetchedError: It has no text, or another one than was asked for; it is of a kind that is
            not read, or damaged.
    """
    suffix = suffix_of(content)
    if not suffix:
        raise NotFetchedError(
            "unsupported_type",
            f"its type is not read: {content.content_type[:100] or 'the server names none'}",
        )
    body, root = content.body, None
    try:
        if kind_of(suffix_name := f"page{suffix}") not in ("pdf", "word", "slides"):
            text = decode_page(content.body, charset=content.charset)
            if suffix != ".html" and "\0" in text:
                raise InvalidSourcesError("it is binary data, not text")
            # A byte-order mark decides, whatever encoding the page itself names.
            body = f"\ufeff{text}".encode("utf-8", "replace")
            root = parse_page(text, "the page") if suffix == ".html" else None
        document = read_document(body, suffix_name, max_pages=_MOST_PAGES)
    except PageLimitError as error:
        raise NotFetchedError("too_large", f"it has more than {_MOST_PAGES:,} pages") from error
    except InvalidSourcesError as error:
        if root is not None and needs_scripts(root):
            raise NotFetchedError(
                "blocked", "it shows its text only to browsers that run its scripts"
            ) from error
        reason = str(error).removeprefix(f"page{suffix}: ")
        raise NotFetchedError("unsupported_type", f"it cannot be read: {reason}") from error
    headings = [heading.text for heading in document.layout.headings]
    wall = wall_of(document.text, document.title, headings, root)
    if wall is not None:
        raise NotFetchedError(*wall)
    return document


def shortened_title(title: str | None) -> str | None:
    """Return a title on one line, of at most 500 characters; `None` if it is blank."""
    words = " ".join((title or "").split())
    return words if len(words) <= _LONGEST_TITLE else f"{words[: _LONGEST_TITLE - 1].rstrip()}…"
