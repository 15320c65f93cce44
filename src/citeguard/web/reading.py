"""What a server sent, as text with a layout: `read_page`, and the kinds of content it reads.

Some servers answer "200 OK" without showing what was asked for. Nothing here is about single sites:
such a page is recognized if it says so in the way that is made for machines, or if it says so to
its readers and has hardly any other text.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, cast
from urllib.parse import unquote

import jmespath

from citeguard.documents.document import Document, PageLimitError
from citeguard.documents.files import TEXTS, kind_of
from citeguard.documents.html.tree import Element, decode_page, parse_page
from citeguard.documents.loading import read_document
from citeguard.errors import InvalidSourcesError
from citeguard.language.excerpts import shortened
from citeguard.sources.collection import Source
from citeguard.web.page import PageOutcome, WebPage

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
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": ".xlsx",
    "application/epub+zip": ".epub",
    "message/rfc822": ".eml",
}
# Texts that are for programs.
_UNREAD_TEXTS = frozenset(("text/css", "text/javascript", "text/ecmascript", "text/event-stream"))
_UNNAMED = frozenset(("", "application/octet-stream", "binary/octet-stream", "unknown/unknown"))
_XML = frozenset(("text/xml", "application/xml"))
_OF_TEXTS = frozenset((".md", ".markdown", ".csv", ".tsv"))
_HTML_START = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]{0,200}>\s*)?(?:<!--.{0,500}?-->\s*)?<(?:!doctype\s+)?html\b",
    re.IGNORECASE | re.DOTALL,
)
_PDF_START = b"%PDF-"
_LONGEST_REFRESH = 20_000  # bytes of a page that only sends its readers on
_REFRESH = re.compile(
    r"""\s*[01]?(?:\.\d*)?\s*[;,]\s*(?:url\s*=\s*)?(?P<quote>["']?)(?P<url>[^"'\s][^"']*)(?P=quote)""",
    re.IGNORECASE,
)


class NotFetchedError(Exception):
    """A page that was asked for, and could not be read: what became of it, and why."""

    def __init__(self, outcome: PageOutcome, reason: str) -> None:
        super().__init__(reason)
        self.outcome: PageOutcome = outcome
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Content:
    """What a server sent; the suffix of its path may say more than the type that it names."""

    body: bytes
    content_type: str
    charset: str = ""
    path: str = ""


def suffix_of(content: Content) -> str:
    """Return the suffix of the kind of file as which content is read; empty for none.

    A PDF file or an HTML page is known by its first bytes, where the server says nothing better
    than "text" or "bytes".
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
    """Return where an HTML page sends its readers on within a second; empty if nowhere."""
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


def read_page(content: Content, *, trusted: bool = False) -> Document:
    """Return the text of a page, with a map back to the page; or raise a `NotFetchedError`.

    A `trusted` page, as one in a file of pages, is what was asked for, whatever it says.
    """
    suffix = suffix_of(content)
    if not suffix:
        named = content.content_type[:100] or "the server names none"
        raise NotFetchedError("unsupported_type", f"its type is not read: {named}")
    name, body, root = f"page{suffix}", content.body, None
    try:
        if kind_of(name) in TEXTS:
            text = decode_page(content.body, charset=content.charset)
            if suffix != ".html" and "\0" in text:
                raise InvalidSourcesError("is binary data, not text")
            # A byte-order mark decides, whatever encoding the page itself names.
            body = f"\ufeff{text}".encode("utf-8", "replace")
            root = parse_page(text, "the page") if suffix == ".html" else None
        document = read_document(body, name, max_pages=_MOST_PAGES)
    except PageLimitError as error:
        raise NotFetchedError("too_large", f"it has more than {_MOST_PAGES:,} pages") from error
    except InvalidSourcesError as error:
        if root is not None and next(root.iter("script"), None) is not None:
            reason = "it shows its text only to browsers that run its scripts"
            raise NotFetchedError("blocked", reason) from error
        reason = str(error).removeprefix(f"{name}: ")
        raise NotFetchedError("unsupported_type", f"the page {reason}") from error
    if not trusted:
        headings = [heading.text for heading in document.layout.headings]
        _check_shown(document.text, document.title, headings, root)
    return document


def source_of(url: str, document: Document, final_url: str) -> Source:
    """Return the source of a page; its title is on one line, of at most 500 characters."""
    title = shortened(" ".join((document.title or "").split()), _LONGEST_TITLE)
    return Source(url, document.text, title or None, final_url, document.layout)


def held_page(
    url: str,
    content: Content,
    document: Document | None = None,
    *,
    final_url: str = "",
    **about: Any,
) -> WebPage:
    """Return a page that did not come from the web just now, but from a wiki, a file or a folder.

    Its `document` is its text, if it has been read, and `about` are other attributes.
    """
    final_url = final_url or url
    outcome, reason, source = "fetched", "", None
    try:
        document = document or read_page(content, trusted=True)
        if not any(map(str.isalnum, document.text)):
            raise NotFetchedError("unsupported_type", "the page has no text")
        source = source_of(url, document, final_url)
    except NotFetchedError as error:
        outcome, reason = error.outcome, error.reason
    return WebPage(
        url=url,
        outcome=outcome,
        reason=reason,
        final_url=final_url,
        content_type=content.content_type,
        sha256=hashlib.sha256(content.body).hexdigest(),
        source=source,
        **about,
    )


# Pages that show something else than what was asked for.

_SHORT = 800  # letters and digits; a page with more is a page, whatever else it says
_CUT = 4_000  # letters and digits of a text that may be the beginning of another one
_READ = 5_000  # characters of a short text, of which the rest has hardly any letters
_END = 400  # characters in which a text that is cut asks for money
_LONGEST_DATA = 200_000  # characters of one element with structured data


def _any_of(*phrases: str) -> re.Pattern[str]:
    return re.compile("|".join(phrases), re.IGNORECASE)


_PAGE = r"\b(?:page|article|document|file|story|content|url|site)\b[^.\n]{0,40}?"
_NOT = r"\b(?:cannot|can['’]?t|could not|couldn['’]?t)"
_MISSING = _any_of(
    r"\b4(?:04|10)\b[^\w\n]{0,9}(?:error|not found|gone)\b|^\W{0,9}(?:error\W{1,9})?404\b",
    r"(?:^|[|–—:-]) ?not found ?(?:$|[|–—:.-])",
    rf"{_PAGE}(?:\bnot found\b|{_NOT} be found|\bdo(?:es|) ?n[o'’]t exist|\bno longer\b)",
    rf"{_PAGE}(?:\b(?:is|was|been) (?:removed|deleted|moved)|\bisn['’]t available)",
    rf"{_NOT} find\b[^.\n]{{0,30}}\b(?:page|article|document|file|looking for)\b",
    "seite nicht gefunden|page introuvable|página no encontrada|pagina non trovata",
    "страница не найдена|页面不存在|頁面不存在|ページが見つかりません|페이지를 찾을 수 없",
)
_ROBOT = _any_of(
    r"\b(?:enable|requires?|needs?|aktivieren|activer)\b[^.\n]{0,40}\bjavascript\b",
    r"\bjavascript\b[^.\n]{0,40}\b(?:disabled|required|enabled|not supported|turned off)\b",
    r"\b(?:re-?)?captcha\b|\bunusual (?:traffic|activity)\b",
    r"\bare you (?:a )?(?:human|(?:ro)?bot)\b",
    r"\b(?:verify|confirm|prove|make sure)\b[^.\n]{0,30}\b(?:human|not a (?:ro)?bot)\b",
    r"\b(?:checking|verifying) your (?:browser|connection)\b|^just a moment\b",
    r"^\W{0,9}(?:403 )?(?:access (?:is )?(?:denied|blocked)|forbidden)\b|\byou have been blocked\b",
)
_CONSENT = _any_of(
    r"^\W{0,9}before you continue\b|\bwe (?:value|care about|respect) your privacy\b",
    r"\b(?:accept|reject|manage) (?:all|cookies)\b|\balle akzeptieren\b|\btout accepter\b",
)
_COOKIES = _any_of(r"\bcookies?\b|\bprivacy\b|\bdatenschutz\b|\bpersonal data\b")
_PAY = _any_of(
    r"\b(?:subscribe|sign (?:in|up)|log in|register|join|create an?|start)\b[^.\n]{0,80}"
    r"\bto (?:(?:continue|keep|finish) reading|(?:read|access|unlock) (?:the|this)\b)",
    r"\b(?:article|content|story|post) is (?:only )?(?:for|available to|reserved for)\b[^.\n]{0,40}"
    r"(?:subscriber|member)",
    r"\balready a (?:subscriber|member) ?\?|\breached\b[^.\n]{0,40}\bfree articles?\b",
    r"\babonnieren\b[^.\n]{0,40}\bweiterlesen\b|\babonnez-vous pour|\bréservé aux abonnés",
)


def _check_shown(
    text: str, title: str | None, headings: Sequence[str], root: Element | None
) -> None:
    """Raise a `NotFetchedError` if a page shows something else than what was asked for.

    - **paywalled**: its structured data says that it is not free (schema.org
      `isAccessibleForFree`, or `article:content_tier` is `locked`); or it has no more than 4,000
      letters, and the last ones ask the reader to pay or to sign in.
    - **dead**: no more than 800 letters, of which the title or a heading says that there is no such
      page.
    - **blocked**: no more than 800 letters, which ask for JavaScript, cookies or consent, or for
      proof of being human.
    """
    letters = sum(map(str.isalnum, text))
    if root is not None and _is_declared_locked(root):
        raise NotFetchedError("paywalled", "the page says that it is not free to read")
    if letters <= _CUT and _PAY.search(text[-_END:]):
        reason = "its text ends where it asks readers to pay or to sign in"
        raise NotFetchedError("paywalled", reason)
    if letters > _SHORT:
        return
    shown = [" ".join(line[:_READ].split()) for line in (title or "", *headings[:2])]
    if any(map(_MISSING.search, shown)) or _MISSING.match(text.strip()):
        raise NotFetchedError("dead", "the page says that there is no such page")
    every = "\n".join([*shown, text[:_READ]])
    if _ROBOT.search(every):
        reason = "the page asks for JavaScript, or for proof of being human"
        raise NotFetchedError("blocked", reason)
    if _CONSENT.search(every) and _COOKIES.search(every):
        raise NotFetchedError("blocked", "the page asks for consent")


# Of a page's JSON-LD, what it says of the page itself: its top, the graph there, and their parts.
_FREE = jmespath.compile(
    '[].[@, "@graph"][][].[@, hasPart, mainEntity][][].isAccessibleForFree | [].to_string(@)'
)


def _is_declared_locked(root: Element) -> bool:
    declared: list[str] = []
    for each in root.iter("meta", "link", "span", "div"):
        if each.get("itemprop", "") == "isAccessibleForFree":
            declared.append(each.get("content", "") or each.get("href", "") or each.text or "")
        if each.get("property", "").lower() == "article:content_tier":
            declared.append(each.get("content", "").replace("locked", "false"))
    for script in root.iter("script"):
        data = script.text or ""
        is_data = script.get("type", "").strip().lower() == "application/ld+json"
        if is_data and len(data) <= _LONGEST_DATA:
            with suppress(ValueError, RecursionError):  # many pages have it wrong
                parsed = json.loads(data)
                nodes = cast("list[Any]", parsed) if isinstance(parsed, list) else [parsed]
                declared += _FREE.search(nodes)
    said = (each.strip(' "').lower() for each in declared)
    return any(each in ("false", "no") or each.endswith("://schema.org/false") for each in said)
