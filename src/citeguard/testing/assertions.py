"""What tests say of answers and quotes: `assert_cited`, `assert_quote`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from typing import Any, TypeVar, cast, overload

from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic_core import PydanticCustomError

from citeguard.errors import CiteguardError
from citeguard.sources.collection import Sources
from citeguard.sources.matches import Match
from citeguard.testing.failures import Failure, failures_of, report
from citeguard.testing.selection import chosen_policy
from citeguard.validation.context import Grounding
from citeguard.validation.models import Answer
from citeguard.validation.policy import Policy
from citeguard.validation.quotes import ExactQuote, FuzzyQuote, check_quote
from citeguard.validation.verification import verify

T = TypeVar("T")
ModelT = TypeVar("ModelT", bound=BaseModel)


@overload
def assert_cited(
    answer: Any,
    sources: Any,
    *,
    model: type[T],
    policy: Policy | None = None,
    question: str | None = None,
) -> T: ...
@overload
def assert_cited(
    answer: ModelT,
    sources: Any,
    *,
    policy: Policy | None = None,
    question: str | None = None,
) -> ModelT: ...
@overload
def assert_cited(
    answer: str | bytes | bytearray | Mapping[str, Any],
    sources: Any,
    *,
    policy: Policy | None = None,
    question: str | None = None,
) -> Answer: ...
@overload
def assert_cited(
    answer: T,
    sources: Any,
    *,
    policy: Policy | None = None,
    question: str | None = None,
) -> T: ...
def assert_cited(
    answer: Any,
    sources: Any,
    *,
    model: Any = None,
    policy: Policy | None = None,
    question: str | None = None,
) -> Any:
    """Assert that an answer's citations are good, and return it validated, with spans and grades.

    What the answer says of itself is not believed: it is checked anew, as `verify` does, also when
    it is an instance of a model. No model is called unless the policy names judges.

    Args:
        answer: An `Answer` or an instance of a model of your own (a dataclass will do); or the data
            of one, as a mapping or as JSON in a `str` or `bytes`.
        sources: Whatever `Sources` accepts.
        model: What the data is to be read as, any type that Pydantic can validate. When absent, an
            instance's own model, or else `Answer`.
        policy: What fails; when absent, what the marker or the options of the pytest plugin choose
            for the test that is running, or else the default policy.
        question: What was asked, for judges of the whole answer.

    Returns:
        The answer with what validation found: the sources' own words, places, verdicts.

    Raises:
        AssertionError: the answer is wrong in form or in substance, or the policy has what is
            undecided fail. Names all failures, in the answer's order; what is undecided is counted
            by itself.
        UndecidedError: a judge could not tell, and the policy says to raise.
        CiteguardError: the set-up is wrong: no sources, what is no policy, data that names no
            model, or a model in which nothing is checked against sources.

    Examples:
        >>> citation = {"quote": "one month", "source_id": "handbook"}
        >>> data = {"statements": [{"text": "It takes a month.", "citations": [citation]}]}
        >>> answer = assert_cited(data, {"handbook": "Notice is one month."})
        >>> answer.statements[0].citations[0].span
        Span(source_id='handbook', start=10, end=19)
    """
    __tracebackhide__ = True
    try:
        return _cited(answer, sources, model, policy, question)
    except (AssertionError, CiteguardError) as error:
        # Without citeguard's own frames: the caller's is the one to look at.
        raise error.with_traceback(None) from error.__cause__


def assert_quote(
    quote: str, sources: Any, *, source_id: str | None = None, exact: bool = False
) -> Match:
    """Assert that a quote stands in the sources, and return where.

    The rule is `FuzzyQuote()`, or `ExactQuote()`; the policy of a test does not matter here. A
    quote that its own sentence denies passes: see `Match.denied`. No model is called.

    Args:
        quote: The words.
        sources: Whatever `Sources` accepts.
        source_id: The source that they must stand in; any when absent.
        exact: Whether they must be a verbatim slice of the source.

    Raises:
        AssertionError: they do not stand there.
        CiteguardError: the set-up is wrong: no sources, or the quote is no text.

    Examples:
        >>> assert_quote("one month", "Notice is one month.").grade
        'exact'
    """
    __tracebackhide__ = True
    try:
        return _quoted(quote, sources, source_id, ExactQuote() if exact else FuzzyQuote())
    except (AssertionError, CiteguardError) as error:
        raise error.with_traceback(None) from error.__cause__


def _cited(
    answer: Any, sources: Any, model: Any, policy: Policy | None, question: str | None
) -> Any:
    prepared = _prepared(sources)
    read_as, data = _typed(answer, model)
    _require_rules(read_as)
    rules = chosen_policy() if policy is None else policy
    try:
        return verify(read_as, data, sources=prepared, policy=rules, question=question)
    except ValidationError as error:
        told = report(failures_of(error), prepared, "the answer")
        raise AssertionError(told) from None


def _quoted(
    quote: str, sources: Any, source_id: str | None, rule: ExactQuote | FuzzyQuote
) -> Match:
    prepared = _prepared(sources)
    _require_texts(quote=quote, source_id="" if source_id is None else source_id)
    try:
        return check_quote(quote, Grounding(prepared), source_id=source_id, rule=rule)
    except PydanticCustomError as error:
        failure = Failure((), error.type, error.message(), quote, error.context or {})
        raise AssertionError(report([failure], prepared, "the quote")) from None


def _prepared(sources: Any) -> Sources:
    return sources if isinstance(sources, Sources) else Sources(sources)


def _require_texts(**values: Any) -> None:
    for name, value in values.items():
        if not isinstance(value, str):
            raise CiteguardError(f"assert_quote({name}=...) must be a text, not {value!r}")


def _typed(answer: Any, model: Any) -> tuple[Any, Any]:
    """Return the type that an answer is to be read as, and its data.

    Raises:
        CiteguardError: the answer does not say what it is, and nobody else does.
    """
    if model is not None:
        return model, answer
    if isinstance(answer, BaseModel) or (is_dataclass(answer) and not isinstance(answer, type)):
        return cast("Any", type(answer)), answer  # pyright: ignore[reportUnknownArgumentType]
    if isinstance(answer, (str, bytes, bytearray, Mapping)):
        return Answer, cast("Any", answer)
    raise CiteguardError(
        "assert_cited takes an Answer, an instance of a model, a mapping or JSON; to check "
        f"{type(answer).__name__} data, name what it is: assert_cited(..., model=list[MyModel])"
    )


def _require_rules(model: Any) -> None:
    """Refuse a model that checks nothing against sources: the assertion would always hold.

    Raises:
        CiteguardError: it is one.
    """
    if not _has_rules(TypeAdapter[Any](model).core_schema):
        raise CiteguardError(
            f"nothing in {getattr(model, '__name__', model)} is checked against sources: annotate "
            "its quotes, as in Annotated[str, FuzzyQuote()], or use Citation as a field"
        )


def _has_rules(schema: Any) -> bool:
    """Tell whether a core schema calls a function of citeguard's anywhere."""
    if isinstance(schema, Mapping):
        parts: Any = cast("Mapping[str, Any]", schema).values()
    elif isinstance(schema, (list, tuple)):
        parts = cast("list[Any]", schema)
    else:
        return _is_own(schema)
    return any(map(_has_rules, parts))


def _is_own(part: Callable[..., Any] | object) -> bool:
    module = getattr(part, "__module__", None)
    is_function = callable(part) and not isinstance(part, type)
    return is_function and isinstance(module, str) and module.startswith("citeguard.")
