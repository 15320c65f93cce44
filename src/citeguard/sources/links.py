"""Links to sources and to places in them: `text_fragment_url`, `page_url`, `address_of`."""

from __future__ import annotations

import re
from urllib.parse import quote as percent_encode
from urllib.parse import urlsplit

_FRAGMENT_WORDS = 4  # words at either end of a long passage in a text fragment
_LONGEST_DIRECTIVE = 1_500  # not all browsers open links of more than 2,000 characters

_SCHEME = re.compile(r"\s{0,3}(?:https?://(?:www\.)?|www\.)", re.IGNORECASE)
_TRACKING = re.compile(r"[?&]utm_[^&#]*")
_FRAGMENT = re.compile(r"(?<=.)#[^#\s,;|]*\Z")


def web_url(url: str | None) -> str | None:
    """Return a URL if it is a valid one with `http` or `https`, or `None`."""
    if url is None or re.search(r"[\x00-\x20\x7f-\x9f\\]", url):
        return None
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    return url if parts.scheme.lower() in ("http", "https") and parts.netloc else None


def text_fragment_url(url: str, words: str) -> str:
    """Return a URL with a text fragment that scrolls to these words of the page.

    Follows the WICG draft "URL Fragment Text Directives". Of more than eight words the first and
    the last four are used. The URL is returned unchanged if there are no words, or very long ones.
    """
    split = words.split()
    short = len(split) <= 2 * _FRAGMENT_WORDS
    parts = [split] if short else [split[:_FRAGMENT_WORDS], split[-_FRAGMENT_WORDS:]]
    directive = ",".join(_encoded(" ".join(part)) for part in parts)
    if not directive or len(directive) > _LONGEST_DIRECTIVE:
        return url
    return f"{url}{':~:' if '#' in url else '#:~:'}text={directive}"


def page_url(url: str, page: int) -> str:
    """Return the URL of a PDF file with its fragment replaced by one for a page (RFC 8118, 3)."""
    return f"{url.partition('#')[0]}#page={page}"


def is_url(key: str) -> bool:
    """Return whether a key begins as the address of a page does."""
    return _SCHEME.match(key) is not None


def address_of(url: str) -> str:
    """Return the part of an address that identifies it; empty if it is not a URL."""
    kept, sign, fragment = _TRACKING.sub("", url.strip()).partition("#")
    return _SCHEME.sub("", kept.casefold()).rstrip("/") + sign + fragment if is_url(url) else ""


def page_of(key: str) -> str:
    """Return an address or an id without the fragment, as "docs/b.md" of "docs/b.md#L3"."""
    return _FRAGMENT.sub("", key)


def _encoded(text: str) -> str:
    return percent_encode(text, safe="", errors="replace").replace("-", "%2D")
