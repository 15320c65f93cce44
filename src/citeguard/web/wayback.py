"""`snapshot`: the nearest copy of a page that the Wayback Machine has."""

from __future__ import annotations

from typing import Any, cast

from citeguard.judges.loops import run_sync
from citeguard.web.registries import LookupFailedError, as_json, ask

_SERVICE = "the Wayback Machine"


def snapshot(
    url: str, *, base_url: str = "https://archive.org", seconds: float = 20.0
) -> str | None:
    """Return the address of the latest copy of a page; `None` if there is none.

    The copy is not fetched. In an event loop use `asnapshot`.

    Args:
        url: The page's address.
        base_url: The address of the archive's interface.
        seconds: How long to wait for the answer.

    Raises:
        LookupFailedError: there is no usable answer. It does not mean that there is no copy.
        CiteguardError: the extra `web` is not installed.
    """
    return run_sync(asnapshot(url, base_url=base_url, seconds=seconds))


async def asnapshot(
    url: str, *, base_url: str = "https://archive.org", seconds: float = 20.0
) -> str | None:
    """Do what `snapshot` does, without blocking the event loop."""
    answer = await ask(
        f"{base_url}/wayback/available", service=_SERVICE, seconds=seconds, parameters={"url": url}
    )
    if answer.status == 404:
        raise LookupFailedError(f"{_SERVICE} answered 404")
    kept = as_json(answer, _SERVICE).get("archived_snapshots")
    if not isinstance(kept, dict):
        raise LookupFailedError(f"{_SERVICE} sent JSON of another form than it documents")
    closest = cast("dict[str, Any]", kept).get("closest")
    if not isinstance(closest, dict):
        return None
    found = cast("dict[str, Any]", closest)
    # Copies of the server's own error pages are none of the page.
    is_page = found.get("available") is True and str(found.get("status", "200")) == "200"
    address = found.get("url")
    return address if is_page and isinstance(address, str) else None
