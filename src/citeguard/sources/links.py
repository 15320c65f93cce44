"""Links to sources and to places in them: `text_fragment_url`, `page_url`, `address_of`."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache
from itertools import accumulate
from urllib.parse import quote as percent_encode
from urllib.parse import urlsplit

from citeguard.language.tokens import to_word_borders

_FRAGMENT_WORDS = 4  # words at either end of a long passage in a text fragment, and around it
_MOST_WORDS = 12  # at either end, where fewer come earlier too
_TEXTS_KEPT = 8  # a report has many links to few texts; folding a megabyte takes some 100 ms
_NEAR = 200  # characters in which the words around a passage are looked for
_LONGEST_DIRECTIVE = 1_500  # not all browsers open links of more than 2,000 characters

# Documents write a block of a page on a line of its own, after a list mark that the browser draws:
# "\n", "\n- ", "\n3. "; between the cells of a row there is a bar.
_BORDER = re.compile(r"\s*\n\s*(?:(?:-|\d+\.)\s)?|(?:\A|\s)\|(?:\s|\Z)")
_LIST_MARK = re.compile(r"\s*(?:-|\d+\.)\s")
_SCHEME = re.compile(r"\s{0,3}(?:https?://(?:www\.)?|www\.)", re.IGNORECASE)
_TRACKING = re.compile(r"[?&]utm_[^&#]*")  # "?utm_source=chatgpt.com": the page is the same
_FRAGMENT = re.compile(r"(?<=.)#[^#\s,;|]*\Z")


def web_url(url: str | None) -> str | None:
    """Return a URL if it is a valid one with `http` or `https`, a host and no port 0, or `None`."""
    # Browsers drop some of these characters, and read "\" as "/": such a link may lead elsewhere.
    if url is None or re.search(r"[\x00-\x20\x7f-\x9f\\]", url):
        return None
    try:
        parts = urlsplit(url)
        # This raises for what is no name of a host, such as "..".
        can_be_asked = (parts.hostname or "").encode("idna") and parts.port != 0
    except ValueError:
        return None
    return url if parts.scheme.lower() in ("http", "https") and can_be_asked else None


def text_fragment_url(url: str, text: str, start: int, end: int) -> str:
    """Return a URL with a text fragment that scrolls to an interval of the page's text.

    Follows the WICG draft "URL Fragment Text Directives". A browser highlights the first place that
    fits and looks for each part of a directive inside one block of the page. So a long passage, or
    one of several blocks, is named by its first and last words, and words around it are added
    where the same words come earlier in the text. The interval is widened to whole words. The URL
    is returned unchanged if it contains no words, or very long ones.
    """
    start, end = to_word_borders(text, start, end)
    line = text.rfind("\n", 0, start) + 1
    if not text[line:start].strip() and (mark := _LIST_MARK.match(text, start, end)):
        start = mark.end()
    blocks = _blocks(text, start, end)
    if not blocks:
        return url
    before, after = text[max(0, start - _NEAR) : start], text[end : end + _NEAR]
    prefix = (_blocks(before, 0, len(before)) or [[]])[-1][-_FRAGMENT_WORDS:]
    suffix = (_blocks(after, 0, len(after)) or [[]])[0][:_FRAGMENT_WORDS]
    first, last = blocks[0], blocks[-1]
    # A short passage is named as a whole: it has no room for two ends.
    if len(blocks) == 1 and len(first) <= 2 * _FRAGMENT_WORDS:
        none: list[str] = []
        left, right = none, none
        around = [(prefix, none), (none, suffix)]
        if _BORDER.search(before[-3:]):  # of a block's own words rather than of its neighbour's
            around.reverse()
        for left, right in (none, none), *around, (prefix, suffix):
            if not _come_earlier(left + first + right, text, start):
                break
        return _with_directive(url, left, [first], right)
    # A single block is shared: neither end may take words of the other.
    most = len(first) // 2 if len(blocks) == 1 else _MOST_WORDS
    opening, left = first[:_FRAGMENT_WORDS], list[str]()
    if _come_earlier(opening, text, start):
        opening = first[: min(most, _MOST_WORDS)]
        is_short = len(opening) < _FRAGMENT_WORDS
        left = prefix if is_short or _come_earlier(opening, text, start) else []
    passage = _folded(text[start:end].split())[len(_folded(opening)) : -1]
    closing, right = last[-_FRAGMENT_WORDS:], list[str]()
    if _folded(closing) in passage:
        closing = last[-min(most, _MOST_WORDS) :]
        right = suffix if _folded(closing) in passage else []
    return _with_directive(url, left, [opening, closing], right)


def page_url(url: str, page: int) -> str:
    """Return the URL of a PDF file with its fragment replaced by one for a page (RFC 8118, 3)."""
    return f"{url.partition('#')[0]}#page={page}"


def media_url(url: str, time: str) -> str:
    """Return the URL of a recording with its fragment replaced by one for a time, as "01:02:03"."""
    seconds = 0
    for part in time.split(":"):
        seconds = 60 * seconds + int(part)
    return f"{url.partition('#')[0]}#t={seconds}"


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


def _blocks(text: str, start: int, end: int) -> list[list[str]]:
    """Return the words of an interval by blocks of the page: lines, and cells of tables."""
    return [words for each in _BORDER.split(text[start:end]) if (words := each.split())]


def _come_earlier(words: list[str], text: str, start: int) -> bool:
    """Return whether words occur before a place of a text, whatever their case and blanks."""
    folded, starts, places = _folded_text(text)
    if (at := bisect_right(starts, start) - 1) < 0:
        return False
    end = places[at] + len(text[starts[at] : start].rstrip().lower())
    return folded.find(_folded(words), 0, end) >= 0


@lru_cache(maxsize=_TEXTS_KEPT)
def _folded_text(text: str) -> tuple[str, list[int], list[int]]:
    """Return a text with its words folded, and where each begins in the text, and in that."""
    found = list(re.finditer(r"\S+", text))
    words = [word[0].lower() for word in found]
    places = accumulate((len(word) + 1 for word in words), initial=0)
    return " ".join(words), [word.start() for word in found], list(places)


def _folded(words: list[str]) -> str:
    return " ".join(words).lower()


def _with_directive(url: str, left: list[str], parts: list[list[str]], right: list[str]) -> str:
    # The syntax of a directive takes hyphens, commas and ampersands.
    encoded = [
        # A lone surrogate, which has no UTF-8, becomes "?".
        percent_encode(" ".join(words), safe="", errors="replace").replace("-", "%2D")
        for words in (left, *parts, right)
    ]
    shown = [encoded[0] + "-" * bool(left), *encoded[1:-1], "-" * bool(right) + encoded[-1]]
    directive = ",".join(filter(None, shown))
    if len(directive) > _LONGEST_DIRECTIVE:
        return url
    return f"{url}{':~:' if '#' in url else '#:~:'}text={directive}"
