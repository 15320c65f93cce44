"""How much a PDF file unpacks to, before a reader has to find out: `check_unpacked`."""

from __future__ import annotations

import re
import zlib
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import chain

from citeguard.server.refusals import RefusedError

_STREAM = re.compile(rb"(?<!end)stream\r?\n")
_PICTURE = b"/Image"
_DICTIONARY = 1_000  # bytes before a stream in which it says what it is
_PIECE = 1_000_000  # bytes that are unpacked at a time
_DEEPEST = 3  # times that something is packed

# What a page draws, and a font, are far smaller; a picture is a page in colours, 600 dots an inch.
_MOST_OF_A_STREAM = 64_000_000
_MOST_OF_A_PICTURE = 200_000_000
_MOST_OF_A_FILE = 600_000_000


def check_unpacked(content: bytes, name: str) -> None:
    """Refuse a PDF file whose streams unpack to far more than a document has.

    Streams that are packed in another way than with Flate, or hidden by encryption, are not
    unpacked: there a reader's limit of memory holds.

    Args:
        content: What the file holds.
        name: Its name; the message starts with it.

    Raises:
        RefusedError: a stream, or all of them together, unpack to too much.
    """
    file = _Room(_MOST_OF_A_FILE, name)
    for found in _STREAM.finditer(content):
        start, end = found.span()
        if _is_packed(content[end : end + 2]):
            is_picture = _PICTURE in content[max(start - _DICTIONARY, 0) : start]
            stream = _Room(_MOST_OF_A_PICTURE if is_picture else _MOST_OF_A_STREAM, name)
            deque(_plain(_sliced(content, end), stream, file), maxlen=0)


def _plain(pieces: Iterator[bytes], *rooms: _Room) -> Iterator[bytes]:
    """Return what a stream holds, unpacked as often as it is packed; each time is counted."""
    for _ in range(_DEEPEST):
        first = next(pieces, b"")
        pieces = chain([first], pieces)
        if not _is_packed(first):
            break
        pieces = _unpacked(pieces)
        for room in rooms:
            pieces = room.counted(pieces)
    return pieces


class _Room:
    """Counts what is unpacked, and refuses what is too much."""

    def __init__(self, most: int, name: str) -> None:
        self._left = most
        self._refusal = f"{name}: unpacks to more than {most // 1_000_000:,} MB"

    def counted(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
        for piece in pieces:
            self._left -= len(piece)
            if self._left < 0:
                raise RefusedError("too_much_memory", self._refusal)
            yield piece


def _is_packed(start: bytes) -> bool:
    """Tell whether bytes begin as zlib's do."""
    return len(start) > 1 and start[0] & 15 == 8 and int.from_bytes(start[:2], "big") % 31 == 0


def _sliced(content: bytes, start: int) -> Iterator[bytes]:
    for place in range(start, len(content), _PIECE):
        yield content[place : place + _PIECE]


def _unpacked(packed: Iterable[bytes]) -> Iterator[bytes]:
    unpacker = zlib.decompressobj()
    for piece in packed:
        rest = piece
        while rest and not unpacker.eof:
            try:
                yield unpacker.decompress(rest, _PIECE)
            except zlib.error:
                return
            rest = unpacker.unconsumed_tail
        if unpacker.eof:
            return
