"""Validation in two passes, so that judges work side by side: `verify`, `averify`."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

from pydantic import TypeAdapter

from citeguard.checks.cases import Case
from citeguard.checks.loops import run_sync
from citeguard.checks.session import Session, collecting, judging
from citeguard.judged import policy_of
from citeguard.policy import Policy
from citeguard.raw import RawData
from citeguard.sources import Context, Grounding, Sources

T = TypeVar("T")


def verify(
    model: type[T],
    data: Any,
    *,
    sources: Any,
    policy: Policy | None = None,
    question: str | None = None,
) -> T:
    """Validate data as a model, with all judges working side by side.

    The result and the errors are those of `model.model_validate(data, context=...)`, where judges
    work one after the other. The data is validated twice, the first time on a copy, to collect what
    is to be judged. Validators of your own run twice; the first time a verdict is `undecided`.
    Waits for the judges: in an event loop use `averify`.

    Args:
        model: `Answer`, a model of your own, or any type that Pydantic can validate.
        data: JSON, as a `str` or `bytes`, or what Pydantic takes. Instances of Pydantic's models
            are validated anew, also those in mappings, lists and tuples; in other containers, and
            of dataclasses, they are believed.
        sources: Whatever `Sources` accepts.
        policy: What fails; the default policy when absent.
        question: What was asked, for judges of the whole answer.

    Raises:
        ValidationError: the data is wrong, in form or in substance.
        UndecidedError: a judge could not tell, and the policy says to raise.
        CiteguardError: the set-up is wrong.

    Examples:
        >>> from citeguard import Answer, Policy
        >>> from citeguard.testing import ScriptedJudge
        >>> citation = {"quote": "Notice is one month."}
        >>> data = {"statements": [{"text": "It takes a month.", "citations": [citation]}]}
        >>> policy = Policy(support=[ScriptedJudge()])
        >>> answer = verify(Answer, data, sources="Notice is one month.", policy=policy)
        >>> answer.statements[0].verdict.outcome
        'supported'
    """
    validation = _Validation(model, data, _grounding(sources, policy, question))
    with judging(validation.session):
        run_sync(validation.session.settle(validation.cases()))
        return validation.validate()


async def averify(
    model: type[T],
    data: Any,
    *,
    sources: Any,
    policy: Policy | None = None,
    question: str | None = None,
) -> T:
    """Do what `verify` does, without blocking the event loop."""
    validation = _Validation(model, data, _grounding(sources, policy, question))
    with judging(validation.session):
        await validation.session.settle(validation.cases())
        return validation.validate()


def dry_run(validate: Callable[[], object]) -> list[Case]:
    """Return what a validation would ask judges, whether it succeeds or not."""
    # What fails here fails again when it counts; what could be collected is judged all the same.
    # Any exception: validators of the user's may have no use for a verdict that is not there yet.
    with collecting() as cases, suppress(Exception):
        validate()
    return cases


def _grounding(sources: Any, policy: Policy | None, question: str | None) -> Grounding:
    prepared = sources if isinstance(sources, Sources) else Sources(sources)
    return Grounding(prepared, policy, question)


class _Validation:
    """Data that is validated as a model, in a session of its own."""

    def __init__(self, model: Any, data: Any, grounding: Grounding) -> None:
        self.session = Session(policy_of(grounding).budget)
        self._adapter = TypeAdapter[Any](model)
        self._data = RawData(data)
        self._context = Context(grounding)

    def cases(self) -> list[Case]:
        return dry_run(self.validate)

    def validate(self) -> Any:
        return self._data.validate(self._adapter, self._context)
