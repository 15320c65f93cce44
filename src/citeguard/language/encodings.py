"""Texts whose bytes were read in another encoding than they were written in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from citeguard.language.markup import Noise

_LEADS = ("Ã", "â", "Â", "Å", "Ä", "ï")

# Encodings that texts are written in, and those that they are wrongly read in.
_WRITTEN = (
    "utf-8 cp1250 cp1251 cp1252 cp1253 cp1254 cp1255 cp1256 cp1257 iso8859_2 iso8859_5 koi8_r cp866"
    " mac_roman shift_jis euc_jp gb18030 big5 euc_kr"
).split()
_READ = "cp1252 cp1251 cp1250 cp1254 koi8_r mac_roman".split()
_WORD = re.compile(
    r"[^\s.,;:!?()\[\]«»„“”‘’\"…–—]*[^\s\x00-\x7f«»„“”‘’…–—][^\s.,;:!?()\[\]«»„“”\"…–—]*"
)


def garbled_utf8(text: str) -> Iterator[Noise]:
    """Yield where a text has UTF-8 read as Windows-1252: "Ã©" for "é"."""
    if any(lead in text for lead in _LEADS):
        table, pattern = _garbled_table()
        for match in pattern.finditer(text):
            yield Noise(match.start(), match.end(), table[match[0]], "markup")


@cache
def _garbled_table() -> tuple[dict[str, str], re.Pattern[str]]:
    """UTF-8 read as Windows-1252, for the characters that prose is full of."""
    points = [
        *range(0xA0, 0x180),
        *range(0x2010, 0x2027),
        0x2032,
        0x20AC,
        0x2122,
        *range(0xFB00, 0xFB05),
    ]
    table = {_decode(chr(point).encode(), "cp1252"): chr(point) for point in points}
    longest_first = sorted(table, key=len, reverse=True)
    return table, re.compile("|".join(map(re.escape, longest_first)))


def recoded(quote: str, source: str) -> Iterator[str]:
    """Yield a quote in the other encodings in which a source may have it.

    Either side may be the garbled one. The whole quote is read in one way. A quote whose words
    beyond ASCII are all in the source has no other.

    Examples:
        >>> [*recoded("kiþi güvenliði", "herkes kişi güvenliği")]
        ['kişi güvenliği']
    """
    words = {word for word in _WORD.findall(quote) if word not in source}
    if not words:
        return
    probe = max(sorted(words), key=len)
    seen: set[str] = set()
    for written in _WRITTEN:
        for read in _READ:
            for garbles in (True, False):
                word = _recode(probe, written, read, garbles=garbles)
                if word in (None, probe) or word not in source:
                    continue
                other = _recode(quote, written, read, garbles=garbles)
                if other is not None and other not in seen:
                    seen.add(other)
                    yield other


def _recode(text: str, written: str, read: str, *, garbles: bool) -> str | None:
    """Garble a text that was written in one encoding and read in another, or undo that."""
    try:
        if garbles:
            return _decode(text.encode(written), read)
        return _encode(text, read).decode(written)
    except UnicodeError:
        return None


@cache
def _page(encoding: str) -> tuple[str, dict[str, int]]:
    # Bytes that an encoding leaves undefined come through as C1 control characters.
    chars = [bytes([byte]).decode(encoding, "ignore") or chr(byte) for byte in range(256)]
    return "".join(chars), {char: byte for byte, char in enumerate(chars)}


def _decode(encoded: bytes, encoding: str) -> str:
    page, _ = _page(encoding)
    return "".join(page[byte] for byte in encoded)


def _encode(text: str, encoding: str) -> bytes:
    _, table = _page(encoding)
    try:
        return bytes(table[char] for char in text)
    except KeyError as error:
        raise UnicodeError from error
