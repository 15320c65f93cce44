"""Many rows in one test, and pairs in place of a cross product."""

import functools
import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import combinations, product
from typing import Any

import pytest

_Named = type(pytest.param())


def each_row(
    names: str | Sequence[str],
    rows: Iterable[Any],
    ids: Iterable[str] | Callable[[Any], Any] | None = None,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Run a test's body once for each row; a failure names its row.

    Takes what `pytest.mark.parametrize` takes, but the rows are one test, so they also share its
    fixtures: use it where no row changes what another one sees.
    """
    fields = [name.strip() for name in names.split(",")] if isinstance(names, str) else [*names]
    table = [*_read(fields, rows, ids, alone=isinstance(names, str) and len(fields) == 1)]
    if not table:
        raise ValueError(f"no rows for {names}")

    def decorate(test: Callable[..., Any]) -> Callable[..., Any]:
        if inspect.iscoroutinefunction(test):

            @functools.wraps(test)
            async def awaiting(*args: Any, **fixtures: Any) -> None:
                for name, row in table:
                    with _named(name):
                        await test(*args, **fixtures, **row)

            run: Callable[..., Any] = awaiting
        else:

            @functools.wraps(test)
            def calling(*args: Any, **fixtures: Any) -> None:
                for name, row in table:
                    with _named(name):
                        test(*args, **fixtures, **row)

            run = calling
        signature = inspect.signature(test)
        kept = [one for one in signature.parameters.values() if one.name not in fields]
        vars(run)["__signature__"] = signature.replace(parameters=kept)
        return run

    return decorate


def pairs(*factors: Iterable[Any]) -> list[tuple[Any, ...]]:
    """Return few rows in which any two values of two factors meet at least once."""
    columns = [[*factor] for factor in factors]
    every = [*product(*(range(len(column)) for column in columns))]
    missing = {pair for row in every for pair in _pairs_in(row)}
    chosen: list[tuple[int, ...]] = []
    while missing:
        best = max(every, key=lambda row: len(missing & _pairs_in(row)))
        chosen.append(best)
        missing -= _pairs_in(best)
    return [
        tuple(column[index] for column, index in zip(columns, row, strict=True))
        for row in sorted(chosen)
    ]


def _pairs_in(row: tuple[int, ...]) -> set[Any]:
    return set(combinations(enumerate(row), 2))


def _read(
    fields: list[str],
    rows: Iterable[Any],
    ids: Iterable[str] | Callable[[Any], Any] | None,
    *,
    alone: bool,
) -> Iterator[tuple[str, dict[str, Any]]]:
    named = None if ids is None or callable(ids) else iter(ids)
    for row in rows:
        name = next(named) if named is not None else None
        if isinstance(row, _Named):
            name = str(row.id) if row.id is not None else name
            values = row.values
        else:
            values = (row,) if alone else tuple(row)
        filled = dict(zip(fields, values, strict=True))
        yield name or ascii(values)[:200], filled


@contextmanager
def _named(row: str) -> Iterator[None]:
    try:
        yield
    except (Exception, pytest.fail.Exception) as error:
        error.add_note(f"row: {row}")
        raise
