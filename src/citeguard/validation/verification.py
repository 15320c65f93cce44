"""Validation in two passes, so that judges work side by side: `verify`, `averify`."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from typing import Any, TypeVar

from pydantic import BaseModel, TypeAdapter

from citeguard.judges.cases import Case
from citeguard.judges.loops import aside, run_sync
from citeguard.judges.session import Session, collecting, judging
from citeguard.sources.collection import Sources
from citeguard.validation.context import Context, Grounding
from citeguard.validation.evidence import retrieves
from citeguard.validation.policy import Policy, policy_of
from citeguard.validation.raw import RawData

T = TypeVar("T")

_MODELS = 8  # to make the adapter of a model takes as long as to check a quote


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
    is to be judged. Validators of your own run twice; the first time a verdict is `undecided`. When
    there is nothing to ask, as all verdicts are cached, the first time is the only one. Waits for
    the judges: in an event loop use `averify`.

    Args:
        model: `Answer`, a model of your own, or any type that Pydantic can validate.
        data: JSON, as a `str` or `bytes`, or what Pydantic takes. Instances of Pydantic's models
            and of dataclasses are validated anew, also those in mappings, lists, tuples, sets and
            deques; in other containers they are believed.
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
        if cases := validation.cases():
            run_sync(validation.session.settle(cases))
        return validation.result()


async def averify(
    model: type[T],
    data: Any,
    *,
    sources: Any,
    policy: Policy | None = None,
    question: str | None = None,
) -> T:
    """Do what `verify` does, without blocking the event loop.

    Where the policy has evidence retrieved, the first validation is done in a thread of its own.
    """
    validation = _Validation(model, data, _grounding(sources, policy, question))
    with judging(validation.session):
        # What is found is kept, so that the second time validation searches for nothing.
        if cases := await aside(validation.retrieves, validation.cases):
            await validation.session.settle(cases)
        return validation.result()


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
        self.retrieves = retrieves(policy_of(grounding))
        self._adapter = _adapter(model)
        self._data = RawData(data)
        self._context = Context(grounding)
        self._result: Callable[[], Any] = self._validate

    def cases(self) -> list[Case]:
        """Return what is to be asked; if it is nothing, the result is there."""
        with collecting() as cases:
            result = _outcome(self._validate)
        if not cases:
            self._result = result
        return cases

    def result(self) -> Any:
        """Return what the data is validated to, or raise what is wrong with it."""
        return self._result()

    def _validate(self) -> Any:
        return self._data.validate(self._adapter, self._context)


def _adapter(model: Any) -> TypeAdapter[Any]:
    if not _is_model(model):
        return TypeAdapter[Any](model)
    # A model that is rebuilt has another validator.
    return _adapter_of_model(model, getattr(model, "__pydantic_validator__", None))


def _is_model(model: Any) -> bool:
    return isinstance(model, type) and issubclass(model, BaseModel)


@lru_cache(maxsize=_MODELS)
def _adapter_of_model(model: Any, _validator: object) -> TypeAdapter[Any]:
    return TypeAdapter[Any](model)


def _outcome(call: Callable[[], Any]) -> Callable[[], Any]:
    """Make a call, and return what returns or raises the same as it did."""
    try:
        value = call()
    except Exception as error:
        caught = error

        def fail() -> Any:
            raise caught

        return fail
    return lambda: value
