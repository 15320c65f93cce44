"""The arguments of measures, checked: labels, decisions and scores; and the measures' libraries."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence, Set
from contextlib import suppress
from importlib import import_module
from numbers import Real
from typing import Any, cast

import numpy as np

from citeguard.errors import CiteguardError, optional_packages


def library(module: str) -> Any:
    """Import a module of a library that the extra `metrics` installs.

    Raises:
        CiteguardError: the library is missing.
    """
    with optional_packages("this measure"):
        return import_module(module)


def read_decisions(decisions: Iterable[Any], name: str = "decision") -> list[bool | None]:
    """Return decisions as booleans, with `None` for one that was not made; 0 and 1 count as such.

    Raises:
        CiteguardError: anything else; the message calls it by its `name`.
    """
    listed = _listed(decisions)
    for place, value in enumerate(listed):
        is_made = value is not None or name == "label"
        if is_made and not (_is_number(value) and value in (0, 1)):
            raise CiteguardError(f"{name} {place} must be True or False, 1 or 0, not {value!r}")
    return [None if value is None else bool(value) for value in listed]


def read_labels(labels: Iterable[Any]) -> list[bool]:
    """Return labels as `read_decisions` does; each must be made."""
    return cast("list[bool]", read_decisions(labels, "label"))


def read_scored_labels(
    labels: Iterable[Any], scores: Iterable[Any], *, bounded: bool = False
) -> tuple[list[bool], list[float]]:
    """Return labels as booleans, and their scores as finite numbers; from 0 to 1 if `bounded`.

    Raises:
        CiteguardError: a label or a score cannot be read, or there are not as many of both.
    """
    truth, values = read_labels(labels), list[float]()
    for place, score in enumerate(_listed(scores)):
        number = math.nan
        with suppress(OverflowError):  # an integer may be larger than any float
            number = float(score) if _is_number(score) else math.nan
        if not math.isfinite(number) or (bounded and not 0 <= number <= 1):
            wanted = "a number from 0 to 1" if bounded else "a finite number"
            raise CiteguardError(
                f"score {place} must be {wanted}, not {score!r}; omit what has no score"
            )
        values.append(number)
    check_lengths(truth, values, "scores")
    return truth, values


def check_lengths(labels: Sequence[object], others: Sequence[object], name: str) -> None:
    """Raise a `CiteguardError` unless there are as many labels as others."""
    if len(labels) != len(others):
        raise CiteguardError(
            f"every label needs one of the {name}; there are {len(labels)} labels "
            f"and {len(others)} {name}"
        )


def as_python(value: Any, method: str = "item") -> Any:
    """Return values of numpy, pandas or torch as Python's own; anything else as it is."""
    convert = getattr(value, method, None)
    return convert() if callable(convert) else value


def _listed(given: Any) -> list[Any]:
    values = as_python(given, "tolist")
    # A mapping iterates over its keys, and a set in any order.
    unfit = isinstance(values, (str, bytes, bytearray, Mapping, Set))
    if unfit or not isinstance(values, Iterable):
        raise CiteguardError(f"labels, decisions and scores must be lists, not {given!r}")
    return list(cast("Iterable[Any]", values))


def _is_number(value: object) -> bool:
    return isinstance(value, (Real, np.bool_))
