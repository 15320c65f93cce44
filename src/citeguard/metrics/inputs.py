"""The arguments of measures, checked: labels, decisions and scores; and the measures' libraries."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Set
from contextlib import suppress
from importlib import import_module
from numbers import Real
from typing import Any, cast

import numpy as np

from citeguard.errors import CiteguardError, optional_packages


def library(module: str) -> Any:
    """Import a module of a library that the extra `metrics` installs."""
    with optional_packages("this measure"):
        return import_module(module)


def read_decisions(
    labels: Iterable[Any], decisions: Iterable[Any]
) -> tuple[list[bool], list[bool | None]]:
    """Return labels as booleans, and decisions, too, with `None` for one that was not made."""
    made = [_read_bool(each, f"decision {n}") for n, each in enumerate(_listed(decisions))]
    return _read_labels(labels, len(made), "decisions"), made


def read_scores(
    labels: Iterable[Any], scores: Iterable[Any], *, bounded: bool = False
) -> tuple[list[bool], list[float]]:
    """Return labels as booleans, and their scores as finite numbers; from 0 to 1 if `bounded`."""
    values: list[float] = []
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
    return _read_labels(labels, len(values), "scores"), values


def as_python(value: Any, method: str = "item") -> Any:
    """Return values of numpy, pandas or torch as Python's own; anything else as it is."""
    convert = getattr(value, method, None)
    return convert() if callable(convert) else value


def _read_labels(labels: Iterable[Any], count: int, name: str) -> list[bool]:
    listed = _listed(labels)
    truth = [_read_bool(each, f"label {n}", required=True) for n, each in enumerate(listed)]
    if len(truth) != count:
        raise CiteguardError(
            f"every label needs one of the {name}; there are {len(truth)} labels and {count} {name}"
        )
    return cast("list[bool]", truth)


def _read_bool(value: Any, name: str, *, required: bool = False) -> bool | None:
    if value is None and not required:
        return None
    if not _is_number(value) or value not in (0, 1):
        raise CiteguardError(f"{name} must be True or False, 1 or 0, not {value!r}")
    return bool(value)


def _listed(given: Any) -> list[Any]:
    values = as_python(given, "tolist")
    # A mapping iterates over its keys, and a set in any order.
    unfit = isinstance(values, (str, bytes, bytearray, Mapping, Set))
    if unfit or not isinstance(values, Iterable):
        raise CiteguardError(f"labels, decisions and scores must be lists, not {given!r}")
    return list(cast("Iterable[Any]", values))


def _is_number(value: object) -> bool:
    return isinstance(value, (Real, np.bool_))
