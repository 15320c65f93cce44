"""The policy of the running test, which the plugin sets and the assertions use.

Its own module, because the plugin must import it without loading the assertions.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from citeguard.validation.policy import Policy

Choice = Callable[[], "Policy | None"]

# Per process, not per thread: pytest runs one test at a time, and a test may start threads.
_choices: list[Choice] = []


@contextmanager
def choosing(choice: Choice) -> Generator[None]:
    """Use the policy that `choice` returns inside the block; it is called at each use."""
    _choices.append(choice)
    try:
        yield
    finally:
        _choices.remove(choice)


def chosen_policy() -> Policy | None:
    """Return the policy of the running test, or `None` if none was chosen."""
    return _choices[-1]() if _choices else None
