"""What one client may ask of the service: `Limits`."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, fields

from citeguard.errors import check_number, check_whole

_MEGABYTE = 1_000_000
_LONGEST = 86_400.0  # seconds: a day


def _cores() -> int:
    return os.cpu_count() or 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much a request may bring, how long it may take, and how many there may be at once.

    Each is refused with a status and a code of its own: see `citeguard.server.refusals`.

    Attributes:
        body_bytes: The most bytes of the body of a request.
        file_bytes: The most bytes of one file in it.
        files: The most files in it.
        pages: The most pages of one PDF file.
        text_characters: The most characters of the text or the answer that is checked.
        sources: The most sources: those given as text, and those that files hold.
        source_characters: The most characters of all sources together, as they were read, with
            their ids, titles and URLs.
        body_seconds: How long the body may take to arrive.
        body_bytes_per_second: How fast it has to come, on average, after the first three seconds.
        reading_seconds: How long it may take to read it: the request and its documents.
        judging_seconds: How long it may take to check it, once it was read.
        workers: How many processes work on texts, and how many more on uploaded documents: each
            has one request at a time. One for each core by default.
        waiting: The most requests that wait for a process, of each of the two.
        waiting_seconds: How long one waits.
        held_bytes: The most bytes of all bodies together that arrive, or wait for a process.
        memory_bytes: The most memory that a process may have for its data, the models of a policy
            included, where the system can hold it to that (Linux).

    Raises:
        CiteguardError: a number that is none, or too small.

    Examples:
        >>> Limits(files=3).files
        3
    """

    body_bytes: int = 40 * _MEGABYTE
    file_bytes: int = 40 * _MEGABYTE
    files: int = 20
    pages: int = 500
    text_characters: int = 50_000
    sources: int = 1_000
    source_characters: int = 1_000_000
    body_seconds: float = 30.0
    body_bytes_per_second: int = 1_000
    reading_seconds: float = 30.0
    judging_seconds: float = 60.0
    workers: int = field(default_factory=_cores)
    waiting: int = 64
    waiting_seconds: float = 60.0
    held_bytes: int = 1_000 * _MEGABYTE
    memory_bytes: int = 1_000 * _MEGABYTE

    def __post_init__(self) -> None:
        """Refuse a limit with which nothing could be done."""
        for each in fields(self):
            argument, value = f"Limits({each.name}=...)", getattr(self, each.name)
            if each.name.endswith("_seconds"):
                check_number(argument, value, 0, _LONGEST, above=True)
            else:
                check_whole(argument, value, 1)
