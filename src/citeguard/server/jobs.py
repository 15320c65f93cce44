"""What goes between the server and a worker process: a `Job` there, events back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Action = Literal["verify", "check"]
"""What is done: free text is audited, or an answer's citations are checked."""

Form = Literal["json", "events", "html"]
"""How it is replied: as one JSON object, as events, or as the report page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A request, as a worker gets it.

    Attributes:
        action: What is to be done.
        form: How it is replied.
        page: Whether the events end with the report page.
        content_type: What the client says its body is.
        body: The body; empty while it waits in a file.
    """

    action: Action
    form: Form
    page: bool
    content_type: str
    body: bytes = b""


READING = "reading"
"""The event that names the file that is read next."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that a worker tells.

    Attributes:
        name: What it is: one of those that a client gets (`sources`, `claim`, `progress`,
            `statement`, and at the end `report`, `result` or `page`), `error` for a refusal, or
            between the worker and the server only, `ready`, `reading` and `done`.
        data: What it says: JSON in ASCII, or of a `page` HTML in UTF-8.
    """

    name: str
    data: bytes = b""

    def as_bytes(self) -> bytes:
        """Return it as bytes, for a pipe."""
        return self.name.encode() + b"\0" + self.data

    @classmethod
    def from_bytes(cls, sent: bytes) -> Event:
        r"""Return what `as_bytes` wrote.

        Examples:
            >>> Event.from_bytes(Event("claim", b"{}").as_bytes())
            Event(name='claim', data=b'{}')
        """
        name, _, data = sent.partition(b"\0")
        return cls(name.decode(), data)
