"""The HTTP service: `create_app` creates it, `Limits` says what a client may ask of it.

The server process only moves bytes. Requests are parsed and worked on in worker processes, which
have a memory limit and are killed when a request takes too long.
"""

from typing import TYPE_CHECKING

from citeguard.lazy import lazily

if TYPE_CHECKING:
    from citeguard.server.app import create_app
    from citeguard.server.limits import Limits

__all__ = ["Limits", "create_app"]

_HOMES = {
    "app": "create_app",
    "limits": "Limits",
}
__getattr__, __dir__ = lazily(__name__, _HOMES)
