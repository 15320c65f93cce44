"""Calls of judges as OpenTelemetry spans, for programs that trace."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Generator, Iterable
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import partial
from typing import Any

from citeguard.errors import foreign_code
from citeguard.judges.verdicts import Alignment, Verdict

_log = logging.getLogger("citeguard")

_EVENT = "gen_ai.evaluation.result"


@contextmanager
def traced(judge: str, subject: str, count: int) -> Generator[Callable[[Iterable[Any]], None]]:
    """Trace one call of a judge as a span, if the program has imported OpenTelemetry.

    The span is called `judge NAME`. Every verdict is an event of it as the semantic conventions for
    generative AI name it, `gen_ai.evaluation.result`, with score, label and explanation; calls of
    language models that the judge makes become its children. A failure is the span's error.

    Args:
        judge: The judge's name.
        subject: What it is asked about, `support` or `alignment`.
        count: How many questions it is asked.

    Yields:
        A function that takes the judge's answers.
    """
    # A program that traces has imported it; for others, importing it would cost time.
    trace = sys.modules.get("opentelemetry.trace")
    if trace is None:
        yield lambda answers: None
        return
    attributes = {"citeguard.judge.subject": subject, "citeguard.judge.questions": count}
    with ExitStack() as stack:
        span: Any = None
        with _harmless():
            tracer = trace.get_tracer("citeguard")
            block = tracer.start_as_current_span(f"judge {judge}", attributes=attributes)
            span = block.__enter__()
            stack.push(partial(_leave, block))

        def add(answers: Iterable[Any]) -> None:
            with _harmless():
                for answer in answers:
                    on_whole = isinstance(answer, Alignment)
                    for verdict in (answer.answer, *answer.statements) if on_whole else (answer,):
                        if verdict is not None:
                            span.add_event(_EVENT, _described(verdict, subject))

        yield add if span is not None else lambda answers: None


def _leave(block: AbstractContextManager[Any], *error: Any) -> None:
    # The block raises the judge's own error again, which is not the tracer's.
    with _harmless(error[1]):
        block.__exit__(*error)


class _TracerFailedError(Exception):
    """A tracer raised its cause."""


@contextmanager
def _harmless(own: BaseException | None = None) -> Generator[None]:
    """Log what a tracer raises, whatever it is: no verdict may depend on being traced."""
    try:
        with foreign_code(_TracerFailedError):
            yield
    except _TracerFailedError as error:
        if error.__cause__ is not own:
            _log.warning("a call of a judge could not be traced", exc_info=error.__cause__)


def _described(verdict: Verdict, subject: str) -> dict[str, Any]:
    described: dict[str, Any] = {
        "gen_ai.evaluation.name": f"citeguard.{subject}",
        "gen_ai.evaluation.score.label": verdict.outcome,
        "gen_ai.evaluation.score.value": verdict.score,
        "gen_ai.evaluation.explanation": verdict.reason or None,
    }
    return {name: value for name, value in described.items() if value is not None}
