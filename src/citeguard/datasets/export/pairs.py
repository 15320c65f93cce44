"""Rejected attempts, and what becomes of them beside the answer that was right: `Attempts`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

from citeguard.datasets.export.rendering import alike, as_json
from citeguard.datasets.fields import Fields
from citeguard.datasets.samples import CheckedSample, SampleChecker, SampleProblem
from citeguard.sources import Source, Sources

_FIELDS = Fields()


class Attempts:
    """Checks attempts that are said to have failed, against the sources of their samples.

    Args:
        checker: What the samples are checked with; attempts are held to the same.
    """

    def __init__(self, checker: SampleChecker) -> None:
        self._checker = SampleChecker(checker.model, policy=lambda: checker.policy or _default())

    def check(self, attempts: Any, question: str, sources: Sources) -> list[CheckedSample]:
        """Check the attempts of a sample, one or a list; those that are blank are left out."""
        listed = cast("list[Any]", attempts) if isinstance(attempts, list) else [attempts]
        documents = [_facts(source) for source in sources]
        return self._checker.check_all(
            [
                {"question": question, "sources": documents, "answer": attempt}
                for attempt in listed
                if _is_said(attempt)
            ]
        )


def rejected_of(checked: Sequence[CheckedSample], chosen: str) -> tuple[str, SampleProblem | None]:
    """Return the last attempt that failed, as a language model wrote it, or why there is none."""
    failed = [each for each in checked if each.outcome == "rejected"]
    if failed:
        text = _text_of(failed[-1].sample["answer"], chosen)
        same = SampleProblem(
            code="rejected_same", message="the rejected attempt says what the answer says"
        )
        return text, same if text == chosen else None
    if not checked:
        missing = "there is no rejected attempt beside the answer"
        return "", SampleProblem(code="rejected_missing", message=missing)
    undecided = [problem for each in checked for problem in each.problems]
    passes = SampleProblem(code="rejected_passes", message="no attempt fails, so none is rejected")
    return "", undecided[0] if undecided else passes


def _default() -> Any:
    from citeguard.policy import DEFAULT_POLICY

    return DEFAULT_POLICY


def _facts(source: Source) -> dict[str, Any]:
    return {"id": source.id, "text": source.text, "title": source.title, "url": source.url}


def _is_said(attempt: Any) -> bool:
    if isinstance(attempt, str):
        return bool(attempt.strip())
    return isinstance(attempt, Mapping) and bool(cast("Any", attempt))


def _text_of(attempt: Any, chosen: str) -> str:
    """Write an attempt as the chosen answer is written; what is no JSON stays as it is."""
    data = _FIELDS.data_of({"answer": attempt})
    if isinstance(attempt, str):
        try:
            data = json.loads(data) if isinstance(data, str) else None
        except ValueError:
            data = None
    return attempt if data is None else as_json(alike(data, json.loads(chosen)))
