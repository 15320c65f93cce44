"""Why a request is rejected: `ServiceError`, with a status and a code for programs."""

from __future__ import annotations

import json
from typing import Literal

ErrorCode = Literal[
    "malformed",
    "bad_host",
    "cross_site",
    "not_found",
    "not_configured",
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
"""The code of an error response.

- `malformed` (400): the body is not valid JSON, or not a form of its media type.
- `bad_host` (400): the request names a host that is not allowed.
- `cross_site` (403): a browser sent the request from a page of another site.
- `not_found` (404): there is no such path, chat or document.
- `method_not_allowed` (405): the path has no such method.
- `not_configured` (404): the service was started without what this path needs; the message says
  how to start it.
- `slow_body` (408): the body arrived too slowly.
- `body_too_large`, `file_too_large`, `too_many_files`, `too_many_pages`, `text_too_long`,
  `too_many_sources`, `sources_too_long` (413): the request exceeds `Limits`.
- `media_type` (415): the body is neither JSON nor a form, or it is compressed.
- `invalid` (422): a field is missing, unknown or wrong.
- `unreadable` (422): a document cannot be read; the message names the file and the reason.
- `too_slow`, `too_much_memory` (422): reading or checking the request exceeds `Limits`.
- `busy` (429): there are too many requests; `Retry-After` says when to try again.
- `internal` (500): an error of the service itself.
- `undecided` (502): a language model gave no usable reply.
- `unavailable` (503): the service is shutting down, or no worker is running.
"""

STATUSES: dict[ErrorCode, int] = {
    "malformed": 400,
    "bad_host": 400,
    "cross_site": 403,
    "not_found": 404,
    "not_configured": 404,
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
"""The HTTP status of each code."""

RETRY_AFTER = 5
"""Seconds after which a client that got `busy` should try again."""


class ServiceError(Exception):
    """A request that is rejected: why, as a code for programs and a message for people."""

    def __init__(self, code: ErrorCode, message: str) -> None:
        super().__init__(code, message)
        self.code: ErrorCode = code
        self.message = message

    @property
    def status(self) -> int:
        """The status of the response."""
        return STATUSES[self.code]

    @property
    def headers(self) -> dict[str, str]:
        """Additional headers of the response."""
        return {"Retry-After": str(RETRY_AFTER)} if self.code == "busy" else {}

    def as_json(self) -> bytes:
        """Return the body of the response, or the data of an `error` event: JSON in ASCII.

        Examples:
            >>> ServiceError("busy", "try later").as_json()
            b'{"error": {"code": "busy", "message": "try later"}}'
        """
        return json.dumps({"error": {"code": self.code, "message": self.message}}).encode()

    @classmethod
    def from_json(cls, data: bytes) -> ServiceError:
        """Return the error that `as_json` wrote."""
        error = json.loads(data)["error"]
        return cls(error["code"], error["message"])


def internal_error() -> ServiceError:
    """Return the error for a bug or a wrong configuration, without details."""
    return ServiceError("internal", "internal error")


def not_configured() -> ServiceError:
    """Return the error for a fact check that the service was not started for."""
    return ServiceError(
        "not_configured",
        "this service was started without a search provider, so it checks no facts: start it with "
        "citeguard serve --search NAME, or with --folder, --pages or --zim",
    )


def no_library() -> ServiceError:
    """Return the error for a question that the service was not started for."""
    return ServiceError(
        "not_configured",
        "this service was started without a library, so it has no documents to ask: start it with "
        "citeguard serve --library FILE",
    )


def out_of_memory() -> ServiceError:
    """Return the error for a request that exceeds the memory limit of a worker."""
    return ServiceError("too_much_memory", "reading and checking this takes too much memory")
