"""The exceptions that mean "the set-up is wrong", never "the data is wrong".

None of them is a `ValueError`: Pydantic would swallow it, and the language model would be asked to
repair a mistake of the program's. And the checks of arguments that raise them.
"""

from __future__ import annotations

import math


class CiteguardError(RuntimeError):
    """The set-up is wrong; no answer can be checked until the program is changed."""


class MissingSourcesError(CiteguardError):
    """Validation found no sources: the context is missing, empty or keyed wrongly."""


class InvalidSourcesError(CiteguardError):
    """What was given cannot be read as sources: a wrong type, an id twice, or only blanks."""


class UndecidedError(CiteguardError):
    """A judge could not tell, and the policy says `undecided="raise"`."""


class UnknownSourceError(CiteguardError):
    """A call named a source id that is not among the sources."""


def check_whole(argument: str, value: object, least: int) -> None:
    """Refuse what is no whole number from `least` on; `True` is none.

    Raises:
        CiteguardError: it is none.

    Examples:
        >>> check_whole("Windows(size=...)", 0, 1)
        Traceback (most recent call last):
        citeguard.errors.CiteguardError: Windows(size=...) must be a whole number from 1 on, not 0
    """
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise CiteguardError(f"{argument} must be a whole number from {least} on, not {value!r}")


def check_number(
    argument: str, value: object, least: float, most: float, *, above: bool = False
) -> None:
    """Refuse what is no number from `least` to `most`, or above the one; `True` and NaN are none.

    Raises:
        CiteguardError: it is none.
    """
    number = math.nan if isinstance(value, bool) or not isinstance(value, (int, float)) else value
    if not least <= number <= most or (above and number == least):
        bounds = f"above {least} and up to {most}" if above else f"from {least} to {most}"
        raise CiteguardError(f"{argument} must be a number {bounds}, not {value!r}")


def check_text(argument: str, value: object) -> None:
    """Refuse what is neither a text nor `None`.

    Raises:
        CiteguardError: it is neither.
    """
    if value is not None and not isinstance(value, str):
        raise CiteguardError(f"{argument} must be a text, not {value!r}")
