"""What a judge has said before: read from its cache, and put there."""

from __future__ import annotations

import asyncio
import json
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from functools import lru_cache
from typing import Any, TypeVar

from pydantic import TypeAdapter

from citeguard.judges.cache import MemoryCache
from citeguard.judges.judge import explain
from citeguard.judges.loops import aside, in_thread
from citeguard.judges.seat import Seat

_LONG = 50_000  # characters of evidence from which to make keys of them takes milliseconds
_PATIENCE = 5.0  # seconds; a cache is there to save time
_ANSWERS_KEPT = 1_000  # as objects; they are small

R = TypeVar("R")


async def recall(seat: Seat, questions: Sequence[Any]) -> dict[Any, Any]:
    """Return what the judge has said of these questions before, as far as its cache has it."""
    return await _with_cache(seat, lambda: _read_all(seat, questions), questions) or {}


def recall_at_once(seat: Seat, questions: Sequence[Any]) -> dict[Any, Any]:
    """Return what can be recalled without waiting: short questions, from a cache in memory."""
    if seat.settings.version is None or not isinstance(seat.settings.cache, MemoryCache):
        return {}
    try:
        return _read_all(seat, [each for each in questions if not seat.is_long(each)])
    except Exception as error:  # of a user's own kind of MemoryCache
        _warn(seat, error)
        return {}


async def keep(seat: Seat, answers: Mapping[Any, Any]) -> None:
    """Keep what the judge says."""

    def write() -> None:
        # Not as Pydantic writes JSON: words of a source may hold what it cannot write.
        texts = [json.dumps(asdict(answer)) for answer in answers.values()]
        seat.settings.cache.put(dict(zip(seat.keys(answers), texts, strict=True)))

    if answers:
        await _with_cache(seat, write, answers)


def _read_all(seat: Seat, questions: Sequence[Any]) -> dict[Any, Any]:
    keys = seat.keys(questions)
    texts = seat.settings.cache.get(keys)
    kept = [_read(seat.kind.answer, texts.get(key)) for key in keys]
    return {
        question: answer
        for question, answer in zip(questions, kept, strict=True)
        if seat.kind.fits(question, answer)
    }


async def _with_cache(seat: Seat, use: Callable[[], R], questions: Iterable[Any]) -> R | None:
    """Use a judge's cache, if it has one; when that fails, verdicts cost what they cost without."""
    if seat.settings.version is None:
        return None
    try:
        if isinstance(seat.settings.cache, MemoryCache):
            return await aside(sum(map(seat.kind.length, questions)) > _LONG, use)
        async with asyncio.timeout(_PATIENCE):
            return await in_thread(use)
    except Exception as error:
        _warn(seat, error)
        return None


def _warn(seat: Seat, error: Exception) -> None:
    told = f"the verdict cache of {seat.name} failed: {explain(error)}"
    warnings.warn(told, RuntimeWarning, stacklevel=2)


# Answers do not change, so that all who read the same one may have the same object.
@lru_cache(maxsize=_ANSWERS_KEPT)
def _read(answer: Any, text: str | None) -> Any:
    """Read a kept answer; what cannot be read was written by another version, or damaged."""
    try:
        return None if text is None else _adapter(answer).validate_python(json.loads(text))
    except ValueError:
        return None


@lru_cache
def _adapter(answer: Any) -> TypeAdapter[Any]:
    return TypeAdapter(answer)
