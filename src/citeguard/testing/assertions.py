"""Assertions about answers and quotes, and the report of a failed one.

A report shows every failure, its quote beside the nearest passage. Its lines are at most 72 columns
wide, so that they fit into 80 behind pytest's own marks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, is_dataclass
from pathlib import Path
from typing import Any, TypeVar, cast, overload
from urllib.parse import urlsplit

from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic_core import PydanticCustomError

from citeguard.errors import CiteguardError, check_text
from citeguard.language.excerpts import counted_as, shown
from citeguard.sources.collection import Sources, Span, as_sources
from citeguard.sources.matches import Edit, Match
from citeguard.testing.selection import chosen_policy
from citeguard.validation.context import Grounding
from citeguard.validation.messages import list_edits, word_diff
from citeguard.validation.models import Answer
from citeguard.validation.policy import Policy, without_drops
from citeguard.validation.quote_rules import ExactQuote, FuzzyQuote, check_quote, sentences_around
from citeguard.validation.verification import verify

T = TypeVar("T")

_WIDTH = 72
_LABEL_WIDTH = 11  # the longest label, its indentation, and two spaces
_TEXT_LIMIT = 400
_MESSAGE_LIMIT = 600
_PLACE_LIMIT = 160
_MOST_SHOWN = 10  # failures with their passages
_MOST_LISTED = 40  # failures with a line at least

# A user's own validator may raise errors with a context of the same names and other types.
_FACTS: dict[str, Any] = {
    **dict.fromkeys(("quote", "source_id", "nearest", "fuller", "judge", "reason", "words"), str),
    **dict.fromkeys(("nearest_span", "span"), Span),
    **{"edits": tuple, "score": float},
}

_LEGEND = "In a diff, [-the quote's words-] and {+the source's words+}."


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
    """Assert that an answer's citations are valid, and return it validated, with spans and grades.

    The answer is validated as by `verify`, even if it is an instance of a model: earlier results in
    it are not trusted. No language model is called unless the policy has judges that call one.

    Args:
        answer: An `Answer`, or an instance of your own model or dataclass; or the data of one, as a
            mapping or as JSON in a `str` or `bytes`.
        sources: Whatever `Sources` accepts.
        model: The type that the data is validated as, any that Pydantic knows. By default an
            instance's own model, or else `Answer`.
        policy: The rules; by default those that the marker or the options of the pytest plugin
            choose for the running test, or else the default policy.
        question: The question that was asked, for judges of the whole answer.

    Returns:
        The answer with the results of validation: the sources' own words, spans, verdicts.

    Raises:
        AssertionError: The answer is wrong in form or in substance, or a verdict is undecided and
            the policy makes that fail. The message shows all failures, in the answer's order, and
            counts undecided ones separately.
        UndecidedError: A judge could not decide, and the policy raises an error then.
        CiteguardError: There are no sources, the policy is invalid, the type of the data is
            unknown, or nothing in the model is checked against sources.

    Examples:
        >>> citation = {"quote": "one month", "source_id": "handbook"}
        >>> data = {"statements": [{"text": "It takes a month.", "citations": [citation]}]}
        >>> answer = assert_cited(data, {"handbook": "Notice is one month."})
        >>> answer.statements[0].citations[0].span
        Span(source_id='handbook', start=10, end=19)
    """
    __tracebackhide__ = True
    try:
        sources = as_sources(sources)
        expected, data = _typed(answer, model)
        rules = without_drops(chosen_policy() if policy is None else policy)
        return verify(expected, data, sources=sources, policy=rules, question=question)
    except ValidationError as error:
        failures = [
            _Failure(line["loc"], line["type"], line["msg"], line["input"], line.get("ctx", {}))
            for line in error.errors(include_url=False)
        ]
        # Without its cause, which pytest would print before the report.
        raise AssertionError(_report(failures, sources, "the answer")) from None
    except CiteguardError as error:
        # Removes citeguard's own frames, so that pytest shows the caller's frame last.
        raise error.with_traceback(None) from error.__cause__


def assert_quote(
    quote: str, sources: Any, *, source_id: str | None = None, exact: bool = False
) -> Match:
    """Assert that a quote appears in the sources, and return where.

    The rule is `FuzzyQuote()`, or `ExactQuote()`; the policy of the test is ignored. A quote that
    its own sentence frames passes: see `Match.framing`. No model is called.

    Args:
        quote: The quoted words.
        sources: Whatever `Sources` accepts.
        source_id: The source in which they must appear; by default any.
        exact: Whether they must be a verbatim slice of the source.

    Raises:
        AssertionError: The quote does not appear there.
        CiteguardError: There are no sources, or the quote is not a string.

    Examples:
        >>> assert_quote("one month", "Notice is one month.").grade
        'exact'
    """
    __tracebackhide__ = True
    try:
        sources = as_sources(sources)
        check_text("assert_quote(quote=...)", quote, required=True)
        check_text("assert_quote(source_id=...)", source_id)
        rule = ExactQuote() if exact else FuzzyQuote()
        return check_quote(quote, Grounding(sources), source_id=source_id, rule=rule)
    except PydanticCustomError as error:
        failure = _Failure((), error.type, error.message(), quote, error.context or {})
        raise AssertionError(_report([failure], sources, "the quote")) from None
    except CiteguardError as error:
        raise error.with_traceback(None) from error.__cause__


def _typed(answer: Any, model: Any) -> tuple[Any, Any]:
    """Return the type to validate as, and the data.

    Raises:
        CiteguardError: the type is unknown, or nothing in it is checked: that would always pass.
    """
    is_instance = isinstance(answer, BaseModel) or (
        is_dataclass(answer) and not isinstance(answer, type)
    )
    if model is None and not is_instance:
        if not isinstance(answer, (str, bytes, bytearray, Mapping)):
            raise CiteguardError(
                "assert_cited expects an Answer, an instance of a model, a mapping or JSON; to "
                f"check {type(answer).__name__} data, name its type: assert_cited(..., "
                "model=list[MyModel])"
            )
        model = Answer
    expected = cast("Any", type(answer) if model is None else model)  # pyright: ignore[reportUnknownArgumentType]
    if not _has_rules(TypeAdapter[Any](expected).core_schema):
        raise CiteguardError(
            f"nothing in {getattr(expected, '__name__', expected)} is checked against sources: "
            "annotate its quotes, as in Annotated[str, FuzzyQuote()], or use Citation as a field"
        )
    return expected, cast("Any", answer)


def _has_rules(schema: Any) -> bool:
    """Return whether a core schema calls one of citeguard's functions anywhere."""
    if isinstance(schema, Mapping):
        parts: Any = cast("Mapping[str, Any]", schema).values()
    elif isinstance(schema, (list, tuple)):
        parts = cast("list[Any]", schema)
    else:
        module = getattr(schema, "__module__", None)
        is_function = callable(schema) and not isinstance(schema, type)
        return is_function and isinstance(module, str) and module.startswith("citeguard.")
    return any(map(_has_rules, parts))


@dataclass(frozen=True, slots=True)
class _Failure:
    """A line error; its `loc` is empty for a quote that is not part of an answer."""

    loc: tuple[int | str, ...]
    code: str
    message: str
    value: Any
    context: Mapping[str, Any]

    @property
    def facts(self) -> dict[str, Any]:
        """The part of the context that citeguard's errors have."""
        return {n: fact for n, fact in self.context.items() if isinstance(fact, _FACTS.get(n, ()))}

    @property
    def span(self) -> Span | None:
        """Where the nearest passage is, or the words that the verdict rests on."""
        return self.facts.get("nearest_span") or self.facts.get("span")

    @property
    def edits(self) -> tuple[Edit, ...]:
        return tuple(edit for edit in self.facts.get("edits", ()) if isinstance(edit, Edit))


def _report(failures: Sequence[_Failure], sources: Sources, subject: str) -> str:
    """Return a summary in one line, then the failures: the first in full, others in one line."""
    full, brief = failures[:_MOST_SHOWN], failures[_MOST_SHOWN:_MOST_LISTED]
    blocks = [list(_lines(failure, sources)) for failure in full]
    legend = [_LEGEND] if any("  diff" in line[:6] for block in blocks for line in block) else []
    lines = [*_wrapped(_summary(failures, subject)), *legend]
    for block in blocks:
        lines += ["", *block]
    if brief:
        lines += ["", *(line for failure in brief for line in _wrapped(_headline(failure)))]
    if left := len(failures) - len(full) - len(brief):
        lines.append(f"… and {left} more")
    return "\n".join(lines)


def _summary(failures: Sequence[_Failure], subject: str) -> str:
    codes = Counter(failure.code for failure in failures)
    undecided = codes.pop("undecided", 0)
    counted = ", ".join(f"{code} ({n})" if n > 1 else code for code, n in codes.items())
    if not codes:
        return f"{undecided} undecided in {subject}: nothing is known to be wrong"
    problems = f"{counted_as(codes.total(), 'problem')} in {subject}: {counted}"
    return f"{problems}; {undecided} undecided" if undecided else problems


def _lines(failure: _Failure, sources: Sources) -> Iterator[str]:
    yield from _wrapped(_headline(failure))
    for label, text in _rows(failure, sources):
        first, *others = _wrapped(text, _WIDTH - _LABEL_WIDTH) or [""]
        yield f"  {label}".ljust(_LABEL_WIDTH) + first
        yield from (" " * _LABEL_WIDTH + other for other in others)


def _headline(failure: _Failure) -> str:
    steps = (f"[{each}]" if isinstance(each, int) else f".{each}" for each in failure.loc)
    place = shown("".join(steps).removeprefix("."), _PLACE_LIMIT)
    reasons = (edit.reason for edit in failure.edits if edit.material)
    kinds = dict.fromkeys(reason for reason in reasons if reason not in ("clipped", "limit"))
    if (score := failure.facts.get("score")) is not None:
        kinds[f"score {score:.2f}"] = None
    why = f" ({shown(', '.join(kinds), _PLACE_LIMIT)})" if kinds else ""
    return f"{place}: {failure.code}{why}" if place else f"{failure.code}{why}"


def _rows(failure: _Failure, sources: Sources) -> Iterator[tuple[str, str]]:
    quote = failure.facts.get("quote")
    if isinstance(quote, str) and failure.span is not None:
        yield from _quote_rows(quote, failure, failure.span, sources)
    elif failure.code == "undecided" or "reason" in failure.facts:
        yield from _verdict_rows(failure, sources)
    else:
        if isinstance(failure.value, (str, int, float)):
            yield "value", _shown(str(failure.value))
        if isinstance(quote, str) and quote != failure.value:
            yield "quote", _shown(quote)
        yield "problem", shown(failure.message, _MESSAGE_LIMIT)


def _quote_rows(
    quote: str, failure: _Failure, span: Span, sources: Sources
) -> Iterator[tuple[str, str]]:
    passage, difference = _passage(quote, failure, span, sources)
    cited = failure.facts.get("source_id")
    # If no words differ, the white space does: show it as escapes.
    show = _shown if difference or failure.code != "quote_altered" else _spelled_out
    yield "quote", show(quote)
    if cited is not None and cited != span.source_id:
        yield "cites", _shown(cited)
    yield "source", show(passage)
    yield "in", _where(span, sources)
    if difference:
        yield "diff", shown(difference, _TEXT_LIMIT)


def _passage(quote: str, failure: _Failure, span: Span, sources: Sources) -> tuple[str, str]:
    """Return the passage to show beside a quote, and the words that differ."""
    source, edits = sources[span.source_id], failure.edits
    nearest = str(failure.facts.get("nearest", ""))
    if failure.code == "quote_clipped":
        whole = str(failure.facts["fuller"])
        return sentences_around(source, span.start, span.end), word_diff(quote, whole, edits)
    if failure.code == "quote_framed":
        return sentences_around(source, span.start, span.end), ""
    if failure.code == "quote_wrong_source":
        return nearest, ""
    if nearest != (stretch := sources.slice(span)):  # the parts of an elided quote
        left = [edit for edit in edits if edit.source != "…"]
        return stretch, list_edits(left) or word_diff(quote, stretch)
    return nearest, word_diff(quote, nearest, edits, exact=not edits)


def _verdict_rows(failure: _Failure, sources: Sources) -> Iterator[tuple[str, str]]:
    facts = failure.facts
    if isinstance(failure.value, str):
        yield "text", _shown(failure.value)
    if judge := facts.get("judge"):
        yield "judge", _shown(str(judge))
    if reason := facts.get("reason"):
        yield "reason", _shown("; ".join(str(reason).splitlines()))
    if words := facts.get("words"):
        yield "source", _shown(str(words))
    if failure.span is not None:
        yield "in", _where(failure.span, sources)


def _shown(text: str) -> str:
    return shown(text, _TEXT_LIMIT)


def _spelled_out(text: str) -> str:
    seen = (c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    return shown("".join(seen).replace("  ", "\\x20\\x20"), _TEXT_LIMIT)


def _where(span: Span, sources: Sources) -> str:
    """Return the place of a passage: the source's id, and `file:line`, which editors can open."""
    source_id, found = shown(span.source_id, _PLACE_LIMIT), sources.location_of(span)
    path = _path(sources[span.source_id].url)
    if path is not None and found.line is not None:
        return f"{source_id}, {path}:{found.line}"
    return ", ".join(filter(None, (source_id, path, shown(str(found), _PLACE_LIMIT))))


def _path(url: str | None) -> str | None:
    from urllib.request import url2pathname  # slow to load, and only failures need it

    with suppress(ValueError):
        parts = urlsplit(url or "")
        if parts.scheme == "file" and not parts.netloc:
            path = Path(url2pathname(parts.path))
            here = Path.cwd()
            return str(path.relative_to(here) if path.is_relative_to(here) else path)
    return None


def _wrapped(text: str, width: int = _WIDTH) -> list[str]:
    # Imported only for a failure. Unlike `textwrap`, Rich knows that an ideograph is two columns.
    from rich.console import Console
    from rich.text import Text

    lines: Iterable[Text] = Text(text).wrap(Console(width=width), width)
    return [line.plain.rstrip() for line in lines]
