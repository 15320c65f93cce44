"""What a client may ask of the service: `Limits`."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, fields, replace

from citeguard.errors import check_number, check_whole

_MEGABYTE = 1_000_000
_DAY = 86_400.0  # seconds
_BYTES_PER_CHARACTER = 12  # of JSON at most: two escapes of six
_BYTES_OF_FIELDS = 300_000  # of a question besides its texts: the ids of a thousand documents


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How large a request may be, how long it may take, and how many are served at once.

    A request that exceeds a limit is rejected with a status and a code of its own: see
    `citeguard.server.errors`.

    Attributes:
        body_bytes: Maximum size of a request body, in bytes.
        file_bytes: Maximum size of one uploaded file, in bytes.
        files: Maximum number of files in a request.
        pages: Maximum number of pages in one PDF file.
        text_characters: Maximum length of the text or answer to check, in code points.
        sources: Maximum number of sources, including those that files contain.
        source_characters: Maximum length of all sources together, as extracted, with their ids,
            titles and URLs, in code points.
        body_seconds: Time for a body to arrive.
        body_bytes_per_second: Minimum average rate of a body, after the first three seconds.
        reading_seconds: Time to read a request with its documents.
        judging_seconds: Time to check it after that.
        fact_seconds: The same for a fact check, which waits for other servers.
        chat_seconds: Time to answer a question of a chat.
        question_characters: Maximum length of a question of a chat, in code points.
        history_characters: Maximum length of what was said before it, in code points.
        workers: Number of worker processes for texts, and again for documents. Each works on one
            request at a time. Defaults to the number of cores.
        fact_checks: Number of worker processes for fact checks. Each waits between its requests to
            a host, so a host gets up to so many requests at a time.
        chats: Maximum number of questions of chats that are answered at once.
        sessions: Maximum number of sessions of MCP over HTTP that are open at once; a new client
            ends the one that has been idle the longest.
        session_seconds: Time after which one of them ends if it is not used.
        waiting: Maximum number of requests that wait for a worker, in each of the two queues, and
            of documents of the library that are shown at once.
        waiting_seconds: Time that a request waits in its queue.
        held_bytes: Maximum size of all bodies together that arrive or wait, in bytes.
        memory_bytes: Maximum size of a worker's data, including the models of the policy, in
            bytes. Enforced on Linux only.

    Raises:
        CiteguardError: A limit is not a number, or is too small.

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
    fact_seconds: float = 120.0
    chat_seconds: float = 120.0
    question_characters: int = 4_000
    history_characters: int = 50_000
    workers: int = field(default_factory=lambda: os.cpu_count() or 1)
    fact_checks: int = 2
    chats: int = 100
    sessions: int = 300  # of some 45 kB each
    session_seconds: float = 600.0
    waiting: int = 64
    waiting_seconds: float = 60.0
    held_bytes: int = 1_000 * _MEGABYTE
    memory_bytes: int = 1_000 * _MEGABYTE

    def of_fact_checks(self) -> Limits:
        """Return these limits as they are for fact checks."""
        return replace(self, workers=self.fact_checks, judging_seconds=self.fact_seconds)

    def of_chats(self) -> Limits:
        """Return these limits as they are for questions of chats, whose bodies are small."""
        characters = self.question_characters + self.history_characters
        most = _BYTES_PER_CHARACTER * characters + _BYTES_OF_FIELDS
        return replace(self, body_bytes=min(self.body_bytes, most))

    def __post_init__(self) -> None:
        """Reject a limit under which no request could be served."""
        for each in fields(self):
            argument, value = f"Limits({each.name}=...)", getattr(self, each.name)
            if each.name.endswith("_seconds"):
                check_number(argument, value, 0, _DAY, above=True)
            else:
                check_whole(argument, value, 1)
