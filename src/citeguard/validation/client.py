"""instructor's clients with judges that work concurrently: `guard`.

Each attempt of instructor's retry loop calls the function that sends the request, and then parses
the reply. Here that function is wrapped: it parses the reply first, in a dry run that collects the
questions for judges; all judges work concurrently; and when the loop parses, the verdicts are
known. Retries, their messages and their count are instructor's own.
"""

from __future__ import annotations

import inspect
from collections.abc import AsyncGenerator, Callable, Generator, Mapping
from contextlib import AbstractContextManager, aclosing, contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import lru_cache, wraps
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar, cast
from weakref import WeakSet

from pydantic import BaseModel, TypeAdapter, ValidationError

from citeguard.errors import CiteguardError
from citeguard.judges.cascade import Pending, Session, collecting, dry_run, judging
from citeguard.judges.loops import aside, run_sync
from citeguard.judges.model_calls import as_instructor, default_model
from citeguard.sources.collection import Sources
from citeguard.validation.context import Context, resolve
from citeguard.validation.policy import DEFAULT_POLICY, Policy, policy_of, use_sources
from citeguard.validation.salvage import salvaging_validator, tolerating
from citeguard.validation.support import retrieves
from citeguard.validation.verification import RawData, rounds

if TYPE_CHECKING:
    import instructor
    from instructor.core.exceptions import InstructorRetryException

C = TypeVar("C", bound="instructor.Instructor")


def guard(client: C) -> C:
    """Return a client like this one, in which judges work concurrently and never block the loop.

    For synchronous and asynchronous clients of any provider and mode. Retries remain instructor's:
    an attempt that fails is answered with its errors, and in the next one only what changed is
    judged. One budget (`Policy.budget`) covers all attempts of a call. A reply is parsed twice, so
    your own validators run twice. The client passed in is not changed; one that is already guarded
    is returned as it is.

    In an asynchronous stream, `create_iterable` yields an item once it has been judged;
    `create_partial` yields unverified objects and, if the stream was complete, the whole one at
    last, judged. Both raise a `ValidationError` and do not retry, as in instructor. In a
    synchronous stream judges work one after the other. `Policy(invalid="salvage")` drops at once in
    a stream, as there may be no other attempt.

    Raises:
        CiteguardError: Not a client of instructor, or not made by instructor's functions.
    """
    import instructor

    # Now, rather than during the first call, where it would block an event loop.
    for module in ("instructor.processing.response", "syntok.segmenter"):
        import_module(module)

    original = as_instructor(client)
    if original.create_fn in _guarding:
        return client
    # instructor's `patch` wraps the function that sends with `functools.wraps`.
    send = getattr(original.create_fn, "__wrapped__", None)
    if send is None:
        raise CiteguardError("this client cannot be guarded: its `create` is not instructor's")
    asynchronous = isinstance(original, instructor.AsyncInstructor)
    # The raw function that sends, not `create`: instructor's loop of retries stays around it, and
    # each attempt passes through.
    judging_send = _sent_and_judged_async(send) if asynchronous else _sent_and_judged(send)
    patched = instructor.patch(create=judging_send, mode=original.mode, provider=original.provider)
    create = (_create_async if asynchronous else _create)(patched, original)
    _guarding.add(create)
    guarded: Any = type(original)(
        client=original.client,
        create=create,
        mode=original.mode,
        provider=original.provider,
        hooks=original.hooks.copy(),
        **original.kwargs,
    )
    guarded.default_model = default_model(original)
    return guarded


@dataclass(frozen=True, slots=True)
class _Call:
    """A call of `create`, over all its attempts."""

    client: Any
    response_model: Any
    context: Any
    strict: bool
    policy: Policy
    session: Session
    sources: Sources | None

    def settle(self, response: Any) -> None:
        for questions in self._rounds(response):
            run_sync(self.session.settle(questions))

    async def asettle(self, response: Any) -> None:
        """Ask judges all questions in a reply, without blocking the event loop."""
        asked = self._rounds(response)
        while questions := await aside(retrieves(self.policy), lambda: next(asked, None)):
            await self.session.settle(questions)

    def dropping(self) -> _Call:
        """Return the call with a policy that drops the statements that are wrong."""
        policy = replace(self.policy, invalid="drop")
        context = Context(replace(resolve(self.context), policy=policy))
        if isinstance(self.context, Mapping):
            # What else the caller's validators read.
            context = dict(cast("Mapping[str, Any]", self.context)) | context  # pyright: ignore[reportUnknownMemberType]
        return replace(self, policy=policy, context=context)

    def streaming(self) -> AbstractContextManager[None]:
        """Accept wrong statements in a growing answer: they are dropped at its end."""
        is_partial = _is_partial(self.response_model)
        return tolerating(is_partial and self.policy.invalid == "drop")

    def _rounds(self, response: Any) -> Generator[list[Pending], None, None]:
        return rounds(lambda: dry_run(lambda: self.parse(response)), self.policy)

    def parse(self, response: Any) -> Any:
        from instructor.processing import response as processing

        # instructor's own parser, so that the dry run accepts and rejects what its loop will.
        return processing.process_response(  # pyright: ignore[reportUnknownMemberType]
            response,
            response_model=self.response_model,
            stream=False,
            validation_context=self.context,
            strict=self.strict,
            mode=self.client.mode,
            provider=self.client.provider,
        )

    async def judged(
        self, stream: AsyncGenerator[Any, None], *, whole: bool
    ) -> AsyncGenerator[Any, None]:
        """Yield what a stream yields, judged: each item, or the last state of a growing whole."""
        item: Any = None
        async with aclosing(stream):
            while True:
                with collecting() as questions, self.streaming():
                    item, previous = await anext(stream, _END), item
                if item is _END:
                    break
                # What is complete of a growing whole comes again in each state: it is judged last.
                yield item if whole else await self._verified(type(item), item, questions)
        # At its end, and only if it was complete, instructor has validated the whole.
        if whole and questions:
            partial: Any = type(previous)  # pyright: ignore[reportUnknownVariableType]
            # Its states are of a class of instructor's own, in which every field is optional.
            model = getattr(partial, "_original_model", partial)
            yield await self._verified(model, previous, questions)

    async def _verified(self, model: Any, item: Any, questions: list[Pending]) -> Any:
        """Validate with verdicts; what is left of an answer asks other questions than all of it."""

        def validate() -> Any:
            return RawData(item).validate(model, self.context)

        await self.session.settle(questions)
        with judging(self.session):
            asked = rounds(lambda: dry_run(validate), self.policy)
            while more := await aside(retrieves(self.policy), lambda: next(asked, None)):
                await self.session.settle(more)
            return validate()


_END: Any = object()
_guarding: WeakSet[Callable[..., Any]] = WeakSet()
_call: ContextVar[_Call | None] = ContextVar("citeguard_call", default=None)


def _sent_and_judged(send: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(send)
    def send_and_judge(*args: Any, **kwargs: Any) -> Any:
        call = _call.get()
        with _sources_of(call):
            response = send(*args, **kwargs)
        # Of a stream nothing has come yet.
        if call is not None and not kwargs.get("stream"):
            call.settle(response)
        return response

    return send_and_judge


def _sent_and_judged_async(send: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(send)
    async def send_and_judge(*args: Any, **kwargs: Any) -> Any:
        call = _call.get()
        with _sources_of(call):
            response = await send(*args, **kwargs)
        if call is not None and not kwargs.get("stream"):
            await call.asettle(response)
        return response

    return send_and_judge


def _sources_of(call: _Call | None) -> AbstractContextManager[object]:
    # For a client that validates replies itself, without a context: Google's does, to no effect,
    # for a schema of JSON.
    return nullcontext() if call is None or call.sources is None else use_sources(call.sources)


def _create(create: Callable[..., Any], original: Any) -> Callable[..., Any]:
    from instructor.core.exceptions import InstructorRetryException

    @wraps(create)
    def create_judged(**kwargs: Any) -> Any:
        with _calling(original, kwargs) as call:
            try:
                # instructor reads a synchronous stream of parts to its end in here.
                with nullcontext() if call is None else call.streaming():
                    return create(**kwargs)
            except InstructorRetryException as error:
                with _salvaging(call, error) as salvaging:
                    salvaging.settle(error.last_completion)
                    return salvaging.parse(error.last_completion)

    return create_judged


def _create_async(create: Callable[..., Any], original: Any) -> Callable[..., Any]:
    from instructor.core.exceptions import InstructorRetryException

    @wraps(create)
    async def create_judged(**kwargs: Any) -> Any:
        with _calling(original, kwargs) as call:
            try:
                result = await create(**kwargs)
            except InstructorRetryException as error:
                with _salvaging(call, error) as salvaging:
                    await salvaging.asettle(error.last_completion)
                    return salvaging.parse(error.last_completion)
        stream: Any = result
        if call is not None and inspect.isasyncgen(result):
            return call.judged(stream, whole=_is_partial(call.response_model))
        return result

    return create_judged


@contextmanager
def _salvaging(call: _Call | None, error: InstructorRetryException) -> Generator[_Call, None, None]:
    """Yield the call that keeps what is valid in the last reply, or raise the error."""
    # instructor wraps outages and mistakes of validators, too, which no dropped statement mends.
    is_wrong = isinstance(error.__cause__, ValidationError) and error.last_completion is not None
    if call is None or not is_wrong or call.policy.invalid != "salvage":
        raise error from error.__cause__
    try:
        yield call.dropping()
    except ValidationError:
        raise error from error.__cause__


@contextmanager
def _calling(original: Any, kwargs: dict[str, Any]) -> Generator[_Call | None, None, None]:
    """Judge replies inside the block, within the budget of one call."""
    from instructor import Mode

    if "model" not in kwargs and (model := default_model(original)) is not None:
        kwargs["model"] = model
    if "context" in kwargs:
        kwargs["context"] = _falsy(kwargs["context"])
    call: _Call | None = None
    if (response_model := kwargs.get("response_model")) is not None:
        if original.mode not in Mode.parallel_modes() and not _is_partial(response_model):
            response_model = _prepared(response_model)
        context = kwargs.get("context")
        try:
            grounding = resolve(context)
        except CiteguardError:  # no sources: validation reports it, and instructor raises it
            sources, policy = None, DEFAULT_POLICY
        else:
            sources, policy = grounding.sources, policy_of(grounding)
            if policy.invalid != "fail" and not kwargs.get("stream"):
                response_model = kwargs["response_model"] = _salvaged(response_model)
        strict, session = kwargs.get("strict", True), Session(policy.budget)
        call = _Call(original, response_model, context, strict, policy, session, sources)
    if call is not None and kwargs.get("stream") and call.policy.invalid == "salvage":
        call = call.dropping()
        # With a truthy context instructor renders messages, and should go on to.
        kwargs["context"] = {**call.context} if kwargs.get("context") else call.context
    token = _call.set(call)
    try:
        if call is None:
            yield None
        else:
            with judging(call.session):
                yield call
    finally:
        _call.reset(token)


@lru_cache(maxsize=64)  # it walks all fields of a model, and makes a class: some milliseconds
def _prepared(response_model: Any) -> Any:
    from instructor.processing.response import prepare_response_model

    return prepare_response_model(response_model)


def _falsy(context: Any) -> Any:
    """Return a context of sources with which instructor does not render messages as templates."""
    if isinstance(context, Sources):
        return context.as_context()
    if isinstance(context, dict) and not isinstance(context, Context):
        plain = cast("dict[str, Any]", context)
        held = next((each for each in plain.values() if isinstance(each, Sources)), None)
        return plain if held is None else plain | held.as_context()
    return context


@lru_cache(maxsize=64)
def _salvaged(response_model: Any) -> Any:
    """Return a model like this one, in which lists lose what the policy drops."""
    if not isinstance(response_model, type) or not issubclass(response_model, BaseModel):
        return cast("Any", response_model)
    # A subclass: the user's own class goes on validating as it did.
    name, parents = response_model.__name__, cast("tuple[type, ...]", (response_model,))
    model: Any = type(name, parents, {"__doc__": response_model.__doc__})
    model.__pydantic_validator__ = salvaging_validator(TypeAdapter(model))
    return model


def _is_partial(response_model: Any) -> bool:
    return hasattr(response_model, "_original_model")
