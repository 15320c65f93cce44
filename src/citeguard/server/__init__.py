"""The checks as a service: over HTTP (`create_app`), or as tools (`create_mcp_server`).

`Limits` says what a client may ask of it.

The server process only moves bytes. Requests are parsed and worked on in worker processes, which
have a memory limit and are killed when a request takes too long.
"""

from typing import TYPE_CHECKING

from citeguard.lazy import lazily

if TYPE_CHECKING:
    from citeguard.server.app import create_app
    from citeguard.server.chats import Chatting
    from citeguard.server.factchecks import FactChecking
    from citeguard.server.limits import Limits
    from citeguard.server.mcp import create_mcp_server

__all__ = ["Chatting", "FactChecking", "Limits", "create_app", "create_mcp_server"]

_HOMES = {
    "app": "create_app",
    "chats": "Chatting",
    "factchecks": "FactChecking",
    "limits": "Limits",
    "mcp": "create_mcp_server",
}
__getattr__, __dir__ = lazily(__name__, _HOMES)
