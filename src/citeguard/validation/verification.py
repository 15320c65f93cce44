"""Validation in two passes, so that judges work concurrently: `verify`, `averify`."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, KeysView, Mapping, ValuesView
from dataclasses import fields, is_dataclass
from functools import lru_cache
from operator import is_
from typing import Any, TypeVar, cast, overload

from pydantic import (
    BaseModel,
    PydanticSchemaGenerationError,
    RootModel,
    TypeAdapter,
    ValidationError,
)

from citeguard.errors import CiteguardError, described
from citeguard.judges.cascade import Pending, Session, dry_run, judging
from citeguard.judges.loops import aside, run_sync
from citeguard.validation.context import Context
from citeguard.validation.policy import Policy, grounded, policy_of
from citeguard.validation.salvage import salvaging_validator
from citeguard.validation.support import retrieves

_ATOMS = (str, int, float, type(None))


class RawData:
    """Data that can be validated repeatedly, as if it had never been validated.

    Pydantic trusts an instance of a model or of a dataclass. Here instances, at any depth of
    mappings, lists, tuples, sets and deques, become dicts of their fields; an iterator is read once
    and becomes a list, and so does a set or a deque that has instances in it.
    """

    def __init__(self, data: Any) -> None:
        self._has_instances = False
        self._data = self._raw(data)

    def validate(self, model: Any, context: Any, *, drops: bool = False) -> Any:
        """Validate the data: JSON if it is a `str` or `bytes`, else a copy that may be changed.

        With `drops`, models lose what is wrong; see `salvaging_validator`.
        """
        adapter: Any = _adapter(model)
        if drops:
            adapter = salvaging_validator(adapter)
        if isinstance(self._data, (str, bytes, bytearray)):
            return adapter.validate_json(self._data, context=context)
        data = self._raw(self._data)
        if not self._has_instances:
            return adapter.validate_python(data, context=context)
        # The values of an instance are named by its fields, whatever their aliases.
        return adapter.validate_python(data, context=context, by_name=True, by_alias=True)

    def _raw(self, value: Any) -> Any:
        # Nearly all values are of these types; comparing with `Mapping` and the like takes longer.
        if isinstance(value, _ATOMS):
            return value
        kind: Any = type(value)  # pyright: ignore[reportUnknownVariableType]
        if kind is dict:
            return {key: self._raw(each) for key, each in value.items()}
        if kind is list:
            return [self._raw(each) for each in value]
        if isinstance(value, BaseModel):
            self._has_instances = True
            return self._raw(_fields(value))
        if isinstance(value, Mapping):
            given = cast("Mapping[Any, Any]", value)
            return {key: self._raw(each) for key, each in given.items()}
        if kind is tuple:
            return tuple(self._raw(each) for each in cast("tuple[Any, ...]", value))
        if isinstance(value, (list, Iterator, KeysView, ValuesView)):
            return [self._raw(each) for each in cast("Iterable[Any]", value)]
        if isinstance(value, (set, frozenset, deque)):
            items = list(cast("Iterable[Any]", value))
            raw = [self._raw(each) for each in items]
            # Unchanged if possible: a strict field accepts no list for a set.
            return value if all(map(is_, raw, items)) else raw  # pyright: ignore[reportUnknownVariableType]
        if is_dataclass(value) and not isinstance(value, type):
            self._has_instances = True
            given = [each.name for each in fields(value) if each.init and hasattr(value, each.name)]
            return {name: self._raw(getattr(value, name)) for name in given}
        return value


def _fields(instance: BaseModel) -> Any:
    if isinstance(instance, RootModel):
        return cast("RootModel[Any]", instance).root
    own = type(instance).model_fields
    fields = {name: value for name, value in vars(instance).items() if name in own}
    return {**fields, **(instance.model_extra or {})}


T = TypeVar("T")
M = TypeVar("M", bound=BaseModel)

_MODELS = 8  # making the adapter of a model takes as long as checking a quote
_MISSING: Any = object()


@overload
def verify(
    answer: M, sources: Any, /, *, policy: Policy | None = None, question: str | None = None
) -> M: ...


@overload
def verify(
    model: type[T],
    data: Any,
    *,
    sources: Any,
    policy: Policy | None = None,
    question: str | None = None,
) -> T: ...


def verify(
    model: Any,
    data: Any = _MISSING,
    *,
    sources: Any = _MISSING,
    policy: Policy | None = None,
    question: str | None = None,
) -> Any:
    """Validate data as a model, or an answer once more, with all judges working concurrently.

    `verify(answer, sources)` is `verify(type(answer), answer, sources=sources)`. The result and the
    errors are those of `model.model_validate(data, context=...)`, in which judges work one after
    the other. The data is validated twice, the first time to collect the questions for judges. Your
    own validators run twice, too; the first time, verdicts are `undecided`. If there is nothing to
    ask, as all verdicts are cached, one validation is enough. Waits for the judges: in an event
    loop use `averify`.

    Args:
        model: `Answer`, a model of your own, or any type that Pydantic can validate.
        data: JSON, as a `str` or `bytes`, or anything that Pydantic takes. Instances of Pydantic's
            models and of dataclasses are validated again, also those in mappings, lists, tuples,
            sets and deques; in other containers they are trusted.
        sources: Anything that `Sources` accepts.
        policy: The rules; the default policy if `None`.
        question: The user's question, for judges of the whole answer.

    Raises:
        ValidationError: The data is wrong, in form or in substance.
        UndecidedError: No judge could decide, and the policy says to raise.
        CiteguardError: The setup is wrong.

    Examples:
        >>> from citeguard import Answer, Policy
        >>> from citeguard.testing import ScriptedJudge
        >>> citation = {"quote": "Notice is one month."}
        >>> data = {"statements": [{"text": "It takes a month.", "citations": [citation]}]}
        >>> policy = Policy(support=[ScriptedJudge()])
        >>> answer = verify(Answer, data, sources="Notice is one month.", policy=policy)
        >>> answer.statements[0].verdict.outcome
        'supported'
        >>> verify(answer, "Notice is one month.").statements[0].verdict is None
        True
    """
    validation = _Validation(*_read(model, data, sources), policy, question)
    with judging(validation.session):
        for questions in validation.rounds():
            run_sync(validation.session.settle(questions))
        return validation.result()


@overload
async def averify(
    answer: M, sources: Any, /, *, policy: Policy | None = None, question: str | None = None
) -> M: ...


@overload
async def averify(
    model: type[T],
    data: Any,
    *,
    sources: Any,
    policy: Policy | None = None,
    question: str | None = None,
) -> T: ...


async def averify(
    model: Any,
    data: Any = _MISSING,
    *,
    sources: Any = _MISSING,
    policy: Policy | None = None,
    question: str | None = None,
) -> Any:
    """Do what `verify` does, without blocking the event loop.

    If the policy retrieves evidence, the first validation runs in a thread of its own.
    """
    validation = _Validation(*_read(model, data, sources), policy, question)
    with judging(validation.session):
        # Search results are cached, so the second validation does not search again.
        asked = validation.rounds()
        while questions := await aside(validation.retrieves, lambda: next(asked, None)):
            await validation.session.settle(questions)
        return validation.result()


def _read(model: Any, data: Any, sources: Any) -> tuple[Any, Any, Any]:
    """Return model, data and sources from the arguments of either form of `verify`."""
    if data is not _MISSING and sources is not _MISSING:
        return model, data, sources
    given = data if sources is _MISSING else sources
    if not isinstance(model, BaseModel) or given is _MISSING:
        raise CiteguardError("call verify(answer, sources) or verify(Answer, data, sources=...)")
    return type(model), model, given


def rounds(
    questions: Callable[[], list[Pending]], policy: Policy
) -> Generator[list[Pending], None, None]:
    """Yield what is to be asked; once settled, what is asked of an answer that lost statements."""
    asked: set[Pending] = set()
    while fresh := [pending for pending in questions() if pending not in asked]:
        yield fresh
        if policy.invalid == "fail":
            break
        asked.update(fresh)


class _Validation:
    """Data to be validated as a model, in a session of its own."""

    def __init__(
        self, model: Any, data: Any, sources: Any, policy: Policy | None, question: str | None
    ) -> None:
        grounding = grounded(sources, policy, question)
        self._policy, self._context = policy_of(grounding), Context(grounding)
        self.session, self.retrieves = Session(self._policy.budget), retrieves(self._policy)
        self._model, self._data = model, RawData(data)
        _adapter(model)  # reports what is not a type
        self._outcome: tuple[Any, Exception | None] | None = None

    def rounds(self) -> Generator[list[Pending], None, None]:
        def questions() -> list[Pending]:
            # If nothing is to be asked, `result` needs no second validation.
            if found := dry_run(self._try):
                self._outcome = None
            return found

        return rounds(questions, self._policy)

    def _try(self) -> None:
        try:
            self._outcome = self._validated(), None
        except (ValidationError, CiteguardError) as error:
            self._outcome = None, error

    def _validated(self) -> Any:
        drops = self._policy.invalid == "drop"
        return self._data.validate(self._model, self._context, drops=drops)

    def result(self) -> Any:
        if self._outcome is None:
            return self._validated()
        value, error = self._outcome
        if error is not None:
            raise error
        return value


def _adapter(model: Any) -> TypeAdapter[Any]:
    if isinstance(model, type) and issubclass(model, BaseModel):
        # A rebuilt model has another validator.
        return _adapter_of_model(model, getattr(model, "__pydantic_validator__", None))
    # Pydantic takes a `dict` for a schema of its own, and a `str` for the name of a type.
    if isinstance(model, (str, bytes, Mapping, list, BaseModel)):
        raise CiteguardError(f"verify(model, data): expected a type, got {described(model)}")  # pyright: ignore[reportUnknownArgumentType]
    try:
        return TypeAdapter[Any](cast("Any", model))
    except PydanticSchemaGenerationError as error:
        given = described(cast("object", model))
        message = f"verify(model, data): expected a type that Pydantic validates, got {given}"
        raise CiteguardError(message) from error


@lru_cache(maxsize=_MODELS)
def _adapter_of_model(model: Any, _validator: object) -> TypeAdapter[Any]:
    return TypeAdapter[Any](model)
