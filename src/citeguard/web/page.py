"""`WebPage`: a page of the web that was asked for, and what became of it; headers of answers."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Literal

from citeguard.sources.collection import Source

PageOutcome = Literal[
    "fetched",
    "dead",
    "blocked",
    "paywalled",
    "too_large",
    "unsupported_type",
    "unreachable",
    "refused",
]
"""What became of a page that was asked for.

`dead`: the server says there is no such page. `blocked`: it does not let us read it, by its answer
or by its robots.txt. `unreachable`: no answer, or one that says to try again. `refused`: we do not
open the address, because it is private or no address of the web.
"""


_LONGEST_WAIT = 86_400.0  # seconds that a server may ask us to stay away


@dataclass(frozen=True, slots=True, kw_only=True)
class WebPage:
    """A page of the web that was asked for, and what became of it.

    Attributes:
        url: The address that was asked for.
        outcome: What became of it.
        reason: Why it was not fetched, in a sentence; empty if it was.
        final_url: The address that answered in the end.
        redirects: The addresses on the way there, in order, without the first and the last one.
        status: The HTTP status of the last answer; `None` without one.
        content_type: The type that the server names, in lower case, without parameters.
        sha256: Of the decoded body, in hexadecimal; empty without one.
        fetched_at: When the answer came, in UTC; `None` without one.
        retry_after: Seconds after which the server wants to be asked again.
        cached: Whether this is an earlier answer, from the cache.
        source: The page's text, with a map back to the page; only if the outcome is `fetched`. Its
            id is `url`, its `url` is `final_url`.
    """

    url: str
    outcome: PageOutcome
    reason: str = ""
    final_url: str = ""
    redirects: tuple[str, ...] = ()
    status: int | None = None
    content_type: str = ""
    sha256: str = ""
    fetched_at: datetime | None = None
    retry_after: float | None = None
    cached: bool = False
    source: Source | None = field(default=None, repr=False)


def read_content_type(header: str) -> tuple[str, str]:
    """Return the type of a `Content-Type` header and its charset, both in lower case."""
    named, *parameters = header.lower().split(";")
    pairs = (parameter.partition("=") for parameter in parameters)
    charsets = (value.strip(" \t\"'") for name, _, value in pairs if name.strip() == "charset")
    return named.strip(), next(charsets, "")


def read_retry_after(header: str) -> float | None:
    """Return the seconds of a `Retry-After` header, at most a day; `None` without any."""
    if re.fullmatch(r"\s*\d+(?:\.\d{1,9})?\s*", header, re.ASCII):
        # Nine digits are far more than a day, and never infinite.
        return min(float(header.strip()[:9]), _LONGEST_WAIT)
    try:
        until = parsedate_to_datetime(header)
    except (ValueError, OverflowError):
        return None
    # Dates of HTTP are in GMT, whether they say so or not (RFC 9110, 5.6.7).
    aware = until if until.tzinfo else until.replace(tzinfo=UTC)
    return min(max((aware - datetime.now(UTC)).total_seconds(), 0.0), _LONGEST_WAIT)
