"""How requests under way end when the service does: `Ending`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from citeguard.server.refusals import RefusedError


class Ending:
    """Lets all that is done under it go on until it comes.

    Attributes:
        has_come: Whether it has; what begins then is refused, too.
    """

    def __init__(self) -> None:
        self.has_come = False
        self._ends: set[asyncio.Timeout] = set()

    def come(self) -> None:
        """Have all that is under way refused."""
        self.has_come = True
        now = asyncio.get_running_loop().time()
        for end in self._ends:
            end.reschedule(now)

    @asynccontextmanager
    async def awaited(self) -> AsyncGenerator[None]:
        """Do what a block does, until the ending comes.

        Raises:
            RefusedError: it has come.
        """
        end = asyncio.timeout(0 if self.has_come else None)
        try:
            async with end:
                self._ends.add(end)
                yield
        except TimeoutError as error:
            raise RefusedError("unavailable", "the service stops") from error
        finally:
            self._ends.discard(end)
