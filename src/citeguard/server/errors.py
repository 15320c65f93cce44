"""Why a request is rejected: `ServiceError`, with a status and a code for programs."""

from __future__ import annotations

import json
from typing import Literal

STATUSES: dict[str, int] = {
    "malformed": 400,  # the body is not valid JSON, or not a form
    "bad_host": 400,  # the request names a host that is not allowed
    "no_token": 401,  # the service has a token, and the request has not
    "cross_site": 403,  # a browser sent the request from a page of another site
    "not_found": 404,  # there is no such path, chat or document
    "not_configured": 404,  # the service was started without what this path needs
    "method_not_allowed": 405,  # the path has no such method
    "slow_body": 408,  # the body arrived too slowly
    # The request exceeds `Limits`.
    "body_too_large": 413,
    "file_too_large": 413,
    "too_many_files": 413,
    "too_many_pages": 413,
    "text_too_long": 413,
    "too_many_sources": 413,
    "sources_too_long": 413,
    "media_type": 415,  # the body is neither JSON nor a form, or it is compressed
    "invalid": 422,  # a field is missing, unknown or wrong
    "unreadable": 422,  # a document cannot be read; the message names the file and the reason
    # Reading or checking the request exceeds `Limits`.
    "too_slow": 422,
    "too_much_memory": 422,
    "busy": 429,  # there are too many requests; `Retry-After` says when to try again
    "internal": 500,  # an error of the service itself
    "undecided": 502,  # a language model gave no usable reply
    "unavailable": 503,  # the service is shutting down, or no worker is running
}
"""The codes of error responses, and the HTTP status of each."""

RETRY_AFTER = 5
"""Seconds after which a client that got `busy` should try again."""


class ServiceError(Exception):
    """A request that is rejected: why, as a code of `STATUSES` and a message for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(code, message)
        self.code, self.message = code, message
        self.status = STATUSES[code]

    @property
    def headers(self) -> dict[str, str]:
        """Additional headers of the response."""
        if self.code == "no_token":
            # Of the two schemes, this is the one by which browsers ask people for a password.
            return {"WWW-Authenticate": 'Basic realm="citeguard", charset="UTF-8"'}
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


_MISSING = {
    "facts": (
        "a search provider, so it checks no facts",
        "--search NAME, or with --folder, --pages or --zim",
    ),
    "library": ("a library, so it has no documents to ask", "--library FILE"),
    "uploads": ("uploads, so clients cannot add documents", "--uploads"),
}


def not_configured(name: Literal["facts", "library", "uploads"]) -> ServiceError:
    """Return the error for a request that the service was not started for."""
    missing, option = _MISSING[name]
    message = f"this service was started without {missing}: start it with citeguard serve {option}"
    return ServiceError("not_configured", message)


def out_of_memory() -> ServiceError:
    """Return the error for a request that exceeds the memory limit of a worker."""
    return ServiceError("too_much_memory", "reading and checking this takes too much memory")
