"""Which policy counts in the test that is running: the plugin says, the assertions ask."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from citeguard.validation.policy import Policy

Choice = Callable[[], "Policy | None"]

# One for the process, as pytest runs one test at a time; so threads that a test starts see it, too.
_choices: list[Choice] = []


@contextmanager
def choosing(choice: Choice) -> Generator[None]:
    """Inside the block, let `choice` say which policy counts; it is called when somebody asks."""
    _choices.append(choice)
    try:
        yield
    finally:
        _choices.remove(choice)


def chosen_policy() -> Policy | None:
    """Return the policy of the running test, or `None` where none was chosen.

    Raises:
        CiteguardError: what was chosen is no policy.
    """
    return _choices[-1]() if _choices else None
