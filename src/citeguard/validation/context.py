"""How the sources reach a validator: Pydantic's validation context, or `use_sources`."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

from citeguard.errors import CiteguardError, InvalidSourcesError, MissingSourcesError
from citeguard.sources.collection import Source, Sources, as_source, read_pairs

if TYPE_CHECKING:
    from citeguard.validation.policy import Policy

_HOW = (
    'Pass context=sources.as_context(), or context={"sources": {"id": "text"}}, '
    "or validate inside `with use_sources(sources):`."
)
_KEYS = ("sources", "text_chunks", "context")
# Callers who keep a plain dict usually keep one; each entry holds its texts in memory.
_KEPT = 8


@dataclass(frozen=True, slots=True)
class Grounding:
    """What a validator needs: the sources, and the policy or `None` for the default one.

    Attributes:
        question: What was asked, when that is known.
        memory: What validation with this grounding has to remember, by name.

    Raises:
        CiteguardError: the policy is no `Policy`, or the question no text.
    """

    sources: Sources
    policy: Policy | None = None
    question: str | None = None
    memory: dict[str, Any] = field(
        default_factory=dict[str, Any], init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        """Reject at once what would fail as an `AttributeError` in the middle of an answer."""
        from citeguard.validation.policy import (
            Policy,  # built on this module, as its quote rules are
        )

        if self.policy is not None and not isinstance(self.policy, Policy):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise CiteguardError(f"a policy must be a Policy(...), not {self.policy!r}")
        if self.question is not None and not isinstance(self.question, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise CiteguardError(f"a question must be a text, not {_type(self.question)}")


class Context(dict[str, Any]):
    """Validation context that `instructor` passes on but does not render messages with.

    A context that is true makes `instructor` run every message through Jinja, by which a poisoned
    document could rewrite the evidence or read secrets; so this mapping is false, though not empty.
    """

    def __init__(self, grounding: Grounding) -> None:
        super().__init__(citeguard=grounding)

    def __bool__(self) -> bool:
        """Say false, whatever is inside."""
        return False


_current: ContextVar[Grounding | None] = ContextVar("citeguard_grounding", default=None)


@contextmanager
def use_sources(
    sources: Sources | Source | str | Mapping[Any, Any] | Iterable[Any],
    policy: Policy | None = None,
    question: str | None = None,
) -> Generator[Sources, None, None]:
    """Check everything validated inside the block, without a context of its own, against `sources`.

    For frameworks that cannot pass a validation context. An explicit context wins. Blocks nest, the
    innermost one counting, with its own policy; each thread and each asyncio task sees its own. A
    thread that is started inside the block does not see it, unless it is started with a copy of
    the context as `asyncio.to_thread` does.

    Args:
        sources: Whatever `Sources` accepts.
        policy: What fails; the default policy when absent.
        question: What was asked, for judges of the whole answer.

    Yields:
        The prepared sources.

    Raises:
        InvalidSourcesError: `sources` cannot be read as sources.
        CiteguardError: `policy` is no `Policy`.

    Examples:
        >>> from citeguard import Citation
        >>> with use_sources({"handbook": "Notice is one month."}):
        ...     Citation(quote="one month").span
        Span(source_id='handbook', start=10, end=19)
    """
    prepared = sources if isinstance(sources, Sources) else Sources(sources)
    token = _current.set(Grounding(prepared, policy, question))
    try:
        yield prepared
    finally:
        _current.reset(token)


def resolve(context: Any) -> Grounding:
    """Return the sources and the policy that a validation context carries.

    Read are: what `Sources.as_context` returns, a `Sources`, an object whose attribute `sources` is
    one, and a mapping with one of the keys "citeguard" (that of `as_context`), "sources",
    "text_chunks" or "context", in this order, whose value is whatever `Sources` accepts, except an
    iterator. Sources built from a plain mapping are kept, so that validating
    again with the same texts prepares them once. Without a context, `use_sources` decides.

    A plain mapping that is true makes `instructor` render the messages with it; `as_context` does
    not.

    Raises:
        MissingSourcesError: no context and no `use_sources` block, or a context without sources.
        InvalidSourcesError: what is given as sources cannot be read as sources.

    Examples:
        >>> resolve({"text_chunks": {1: "Notice is one month."}}).sources
        Sources('1')
    """
    if context is None:
        if (current := _current.get()) is None:
            raise MissingSourcesError(f"there are no sources to check quotes against. {_HOW}")
        return current
    # Nearly always; to compare with `Mapping` takes longer.
    if type(context) is Context or isinstance(context, Mapping):
        return _from_mapping(cast("Mapping[Any, Any]", context))
    return _from_object(context)


def _from_mapping(context: Mapping[Any, Any]) -> Grounding:
    if isinstance(grounding := context.get("citeguard"), Grounding):
        return grounding
    for key in ("citeguard", *_KEYS):
        if context.get(key) is not None:
            return Grounding(_prepare(context[key]))
    keys = ", ".join(repr(key)[:40] for key in list(context)[:5]) or "none"
    raise MissingSourcesError(f"the validation context holds no sources; its keys: {keys}. {_HOW}")


def _from_object(context: Any) -> Grounding:
    if isinstance(context, Grounding):
        return context
    sources = context if isinstance(context, Sources) else getattr(context, "sources", None)
    if isinstance(sources, Sources):
        return Grounding(sources)
    raise InvalidSourcesError(
        f"a validation context cannot be read as sources when it is of type "
        f"{_type(context)}. {_HOW}"
    )


def _prepare(given: Any) -> Sources:
    if isinstance(given, Sources):
        return given
    try:
        return _build(tuple(_read(given)))
    except InvalidSourcesError as error:
        raise InvalidSourcesError(f"{error}. {_HOW}") from None


@lru_cache(maxsize=_KEPT)
def _build(pairs: tuple[tuple[str, str | Source], ...]) -> Sources:
    return Sources([as_source(*pair) for pair in pairs])


def _read(given: Any) -> Iterator[tuple[str, str | Source]]:
    # An iterator would be used up by the first quote, and the second would find no sources.
    if isinstance(given, Iterator):
        raise InvalidSourcesError(
            f"sources in a context must be a mapping, a list or a text, not {_type(given)}"
        )
    return read_pairs(given)


def _type(value: Any) -> str:
    return type(value).__name__
