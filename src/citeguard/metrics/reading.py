"""What measures are given, read and checked: labels, decisions and scores; and their libraries."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence, Set
from contextlib import suppress
from importlib import import_module
from numbers import Real
from typing import Any, cast

import numpy as np

from citeguard.errors import CiteguardError

_DISTRIBUTIONS = {"sklearn": "scikit-learn", "rouge_score": "rouge-score"}


def library(module: str) -> Any:
    """Return a module of a library that the extra `metrics` installs, loaded when first needed.

    Raises:
        CiteguardError: it is missing.
    """
    try:
        return import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        raise CiteguardError(
            f"this measure needs the package {_DISTRIBUTIONS.get(package, package)}: "
            'pip install "pydantic-citeguard[metrics]"'
        ) from error


def read_labels(labels: Iterable[Any]) -> list[bool]:
    """Return labels as booleans; 0 and 1 are taken for them.

    Raises:
        CiteguardError: one is neither.
    """
    return [_boolean("label", place, label) for place, label in enumerate(_listed(labels))]


def read_decisions(decisions: Iterable[Any]) -> list[bool | None]:
    """Return decisions as booleans, and `None` for one that was not made.

    Raises:
        CiteguardError: one is neither.
    """
    return [
        None if decision is None else _boolean("decision", place, decision)
        for place, decision in enumerate(_listed(decisions))
    ]


def read_scores(scores: Iterable[Any], *, bounded: bool = False) -> list[float]:
    """Return scores as finite numbers; `bounded` ones as numbers from 0 to 1.

    Raises:
        CiteguardError: one is none.
    """
    return [_score(place, score, bounded) for place, score in enumerate(_listed(scores))]


def check_lengths(labels: Sequence[object], others: Sequence[object], name: str) -> None:
    """Refuse a list that is not as long as that of the labels.

    Raises:
        CiteguardError: it is not.
    """
    if len(labels) != len(others):
        raise CiteguardError(
            f"every label needs one of the {name}; there are {len(labels)} labels "
            f"and {len(others)} {name}"
        )


def as_python(value: Any, method: str = "item") -> Any:
    """Return what numpy, pandas or torch hold as Python does; anything else as it is."""
    convert = getattr(value, method, None)
    return convert() if callable(convert) else value


def _listed(given: Any) -> list[Any]:
    values = as_python(given, "tolist")
    # The keys of a mapping and the order of a set say nothing of the things that are measured.
    unfit = isinstance(values, (str, bytes, bytearray, Mapping, Set))
    if unfit or not isinstance(values, Iterable):
        raise CiteguardError(f"labels, decisions and scores must be lists, not {given!r}")
    return list(cast("Iterable[Any]", values))


def _boolean(name: str, place: int, value: Any) -> bool:
    if _is_number(value) and value in (0, 1):
        return bool(value)
    raise CiteguardError(f"{name} {place} must be True or False, 1 or 0, not {value!r}")


def _is_number(value: object) -> bool:
    return isinstance(value, (Real, np.bool_))


def _score(place: int, value: Any, bounded: bool) -> float:
    number = math.nan
    with suppress(OverflowError):  # a whole number may be larger than any float
        number = float(value) if _is_number(value) else math.nan
    if math.isfinite(number) and (not bounded or 0 <= number <= 1):
        return number
    wanted = "a number from 0 to 1" if bounded else "a finite number"
    raise CiteguardError(
        f"score {place} must be {wanted}, not {value!r}; leave out what has no score"
    )
