"""A judge, and how it wants to be asked one kind of question: `Seat`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from functools import lru_cache
from typing import Any, cast

from citeguard.errors import CiteguardError
from citeguard.judges.cases import Kind
from citeguard.judges.judge import JudgeFailedError, JudgeSettings, name_of, settings_of
from citeguard.judges.parts import batches
from citeguard.judges.verdicts import Verdict

# Characters of a text from which its digest stands for it in a key, and is remembered: statements
# share their sources, and to digest 5,000 characters takes as long as all the rest of a key.
_LONG = 500
_DIGESTS_KEPT = 64


class Seat:
    """A judge, and how it wants to be asked one kind of question.

    Raises:
        CiteguardError: its `settings` are none.
    """

    def __init__(self, kind: Kind[Any, Any], judge: Any) -> None:
        self.kind = kind
        self.judge = judge
        self.name = name_of(judge)
        self.settings: JudgeSettings = settings_of(judge)

    def require_method(self) -> None:
        """Refuse a judge that cannot be asked this kind of question.

        Raises:
            CiteguardError: it has no method for it.
        """
        if not callable(getattr(self.judge, self.kind.method, None)):
            told = f"it has no method {self.kind.method}"
            raise CiteguardError(f"{self.name} cannot be asked about {self.kind.name}: {told}")

    def undecided(self, questions: Sequence[Any], reason: str) -> dict[Any, Any]:
        """Return what is said of questions when the judge failed."""
        told = f"{self.name}: {reason}"
        return {each: self.kind.undecided(each, told, self.name) for each in questions}

    def batches(self, questions: Sequence[Any]) -> list[list[Any]]:
        """Group questions for calls, as the judge wants them."""
        most = self.settings.batch_size if self.kind.batched else 1
        limit = self.settings.evidence_limit
        return batches(questions, self.kind.length, most=most, limit=limit)

    def is_long(self, question: Any) -> bool:
        """Tell whether a question has more evidence than the judge wants to have in one call."""
        limit = self.settings.evidence_limit
        return limit is not None and self.kind.length(question) > limit

    def keys(self, questions: Iterable[Any]) -> list[str]:
        """Return the key of each question in a cache: a digest of all that the verdict is about."""
        judge = (type(self.judge).__module__, type(self.judge).__qualname__, self.name)
        before = [self.kind.name, *judge, self.settings.version]
        return [_digest(json.dumps([*before, _identity(each)])) for each in questions]

    def checked(self, questions: Sequence[Any], answers: Any) -> dict[Any, Any]:
        """Return the judge's answer to each question.

        Raises:
            JudgeFailedError: there is none for each, or they are no answers.
        """
        if not isinstance(answers, Sequence) or isinstance(answers, str):
            raise JudgeFailedError("gave no list of verdicts, in the order of the questions")
        listed: list[Any] = list(cast("Sequence[Any]", answers))
        if len(listed) != len(questions):
            told = f"gave {len(listed)} of the {len(questions)} verdicts that it was asked for"
            raise JudgeFailedError(told)
        answered = dict(zip(questions, listed, strict=True))
        if not all(self.kind.fits(*pair) for pair in answered.items()):
            raise JudgeFailedError(self.kind.misfit)
        return answered

    def lasting(self, answers: Mapping[Any, Any]) -> dict[Any, Any]:
        """Pick the answers that the judge would give again."""
        return {
            question: answer for question, answer in answers.items() if self._would_repeat(answer)
        }

    def _would_repeat(self, answer: Any) -> bool:
        # What a local check could not tell, but has graded, it cannot tell the next time either.
        graded = isinstance(answer, Verdict) and answer.score is not None
        return answer.decided or (self.settings.local and graded)


def _identity(value: Any) -> Any:
    """Return all that a question says, as JSON-like data; a long text as a list of its digest."""
    if isinstance(value, str):
        return value if len(value) < _LONG else [_digest_kept(value)]
    if isinstance(value, tuple):
        return [_identity(each) for each in cast("tuple[Any, ...]", value)]
    names = _field_names(type(value))  # pyright: ignore[reportUnknownArgumentType]
    return [_identity(getattr(value, name)) for name in names] if names else value


@lru_cache
def _field_names(kind: type) -> tuple[str, ...]:
    is_dataclass = hasattr(kind, "__dataclass_fields__")
    return tuple(field.name for field in fields(kind)) if is_dataclass else ()


def _digest(text: str) -> str:
    # A text may have lone surrogates, which UTF-8 has not.
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


_digest_kept = lru_cache(maxsize=_DIGESTS_KEPT)(_digest)
