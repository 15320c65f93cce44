"""Why a request is not served: `RefusedError`, with a status and a code that programs can read."""

from __future__ import annotations

import json
from typing import Literal, get_args

RefusalCode = Literal[
    "malformed",
    "bad_host",
    "cross_site",
    "not_found",
    "method_not_allowed",
    "slow_body",
    "body_too_large",
    "file_too_large",
    "too_many_files",
    "too_many_pages",
    "text_too_long",
    "too_many_sources",
    "sources_too_long",
    "media_type",
    "invalid",
    "unreadable",
    "too_slow",
    "too_much_memory",
    "busy",
    "internal",
    "undecided",
    "unavailable",
]
"""What a refusal is called.

- `malformed` (400): the body is not what its media type says.
- `bad_host` (400): the service is asked for under a name that is not its own.
- `cross_site` (403): a browser sent it from a page of another site.
- `not_found` (404), `method_not_allowed` (405): there is no such thing to ask for.
- `slow_body` (408): the body came too slowly.
- `body_too_large`, `file_too_large`, `too_many_files`, `too_many_pages`, `text_too_long`,
  `too_many_sources`, `sources_too_long` (413): more than `Limits` allow.
- `media_type` (415): the body is neither JSON nor a form, or is packed.
- `invalid` (422): it lacks what is needed, or has what nobody asked for.
- `unreadable` (422): a document cannot be read; the message names the file and the reason.
- `too_slow`, `too_much_memory` (422): to read or check it would take more than `Limits` allow.
- `busy` (429): too many requests at once; `Retry-After` says when to ask again.
- `internal` (500): a fault of the service.
- `undecided` (502): a language model that was asked gave no reply that can be used.
- `unavailable` (503): the service stops, or has no process for such requests.
"""

CODES: tuple[RefusalCode, ...] = get_args(RefusalCode)

STATUSES: dict[RefusalCode, int] = {
    "malformed": 400,
    "bad_host": 400,
    "cross_site": 403,
    "not_found": 404,
    "method_not_allowed": 405,
    "slow_body": 408,
    "body_too_large": 413,
    "file_too_large": 413,
    "too_many_files": 413,
    "too_many_pages": 413,
    "text_too_long": 413,
    "too_many_sources": 413,
    "sources_too_long": 413,
    "media_type": 415,
    "invalid": 422,
    "unreadable": 422,
    "too_slow": 422,
    "too_much_memory": 422,
    "busy": 429,
    "internal": 500,
    "undecided": 502,
    "unavailable": 503,
}

RETRY_AFTER = 5
"""Seconds after which a client that was refused as `busy` should ask again."""


class RefusedError(Exception):
    """A request that is not served.

    Attributes:
        code: Why, for programs.
        message: Why, for people.
    """

    def __init__(self, code: RefusalCode, message: str) -> None:
        super().__init__(code, message)
        self.code: RefusalCode = code
        self.message = message

    @property
    def status(self) -> int:
        """The status of the reply."""
        return STATUSES[self.code]

    @property
    def headers(self) -> dict[str, str]:
        """The headers that the reply has besides."""
        return {"Retry-After": str(RETRY_AFTER)} if self.code == "busy" else {}

    def as_json(self) -> bytes:
        """Return it as JSON in ASCII, as a reply or an event has it.

        Examples:
            >>> RefusedError("busy", "try later").as_json()
            b'{"error": {"code": "busy", "message": "try later"}}'
        """
        return json.dumps({"error": {"code": self.code, "message": self.message}}).encode()

    @classmethod
    def from_json(cls, data: bytes) -> RefusedError:
        """Return what `as_json` wrote."""
        error = json.loads(data)["error"]
        return cls(error["code"], error["message"])


def internal_fault() -> RefusedError:
    """Return what a client is told of a fault that is not its own."""
    return RefusedError("internal", "a fault of the service")


def too_much_memory() -> RefusedError:
    """Return what a client is told whose request takes more memory than it may."""
    told = "to read and check this takes more memory than a request may have"
    return RefusedError("too_much_memory", told)
