"""The HTTP service: `create_app` makes it, `Limits` says what one client may ask of it.

The server itself only moves bytes. Whatever looks into what a client has sent happens in worker
processes, which have a memory limit, and are ended when the time is up or the client is gone.
"""

from typing import TYPE_CHECKING

from citeguard.lazy import lazily

if TYPE_CHECKING:
    from citeguard.server.app import create_app
    from citeguard.server.limits import Limits

__all__ = ["Limits", "create_app"]

_HOMES = {"app": ["create_app"], "limits": ["Limits"]}
__getattr__, __dir__ = lazily(__name__, _HOMES)
