"""Rejected attempts beside the answer that was right: which one failed, and how it is written."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

from pydantic import BaseModel

from citeguard.datasets.export.rendering import alike, as_json
from citeguard.datasets.fields import Fields, MalformedSampleError
from citeguard.datasets.samples import CheckedSample, SampleChecker, SampleProblem
from citeguard.sources.collection import Source, Sources

_FIELDS = Fields()


class Attempts:
    """Checks attempts that are said to have failed, against the sources of their samples.

    Args:
        checker: What the samples are checked with; attempts are held to the same.
    """

    def __init__(self, checker: SampleChecker) -> None:
        self._checker = SampleChecker(checker.model, policy=checker.policy)

    def check(self, attempts: Any, question: str, sources: Sources) -> list[CheckedSample]:
        """Check the attempts of a sample, one or a list, without those that are blank."""
        is_several = isinstance(attempts, (list, tuple))
        listed = map(_plain, cast("Sequence[Any]", attempts) if is_several else [attempts])
        documents = [_facts(source) for source in sources]
        samples = [
            {"question": question, "sources": documents, "answer": attempt}
            for attempt in filter(_is_said, listed)
        ]
        return [
            _no_object(sample)
            if _object_of(sample["answer"]) is None
            else self._checker.check(sample)
            for sample in samples
        ]


def rejected_of(checked: Sequence[CheckedSample], chosen: str) -> tuple[str, SampleProblem | None]:
    """Return the last attempt that failed, written like the chosen one, or why there is none."""
    failed = [each for each in checked if each.outcome == "rejected"]
    if failed:
        text = _written(failed[-1].sample["answer"], chosen)
        return text, _problem("rejected_same") if text == chosen else None
    if not checked:
        return "", _problem("rejected_missing")
    undecided = [problem for each in checked for problem in each.problems]
    return "", undecided[0] if undecided else _problem("rejected_passes")


_MESSAGES = {
    "rejected_missing": "there is no rejected attempt beside the answer",
    "rejected_passes": "none of the rejected attempts fails",
    "rejected_same": "the rejected attempt says the same as the answer",
}


def _problem(code: str) -> SampleProblem:
    return SampleProblem(code=code, message=_MESSAGES[code])


def _facts(source: Source) -> dict[str, Any]:
    return {"id": source.id, "text": source.text, "title": source.title, "url": source.url}


def _plain(attempt: Any) -> Any:
    """Return an attempt as JSON has it; it may be an instance that other rules let pass."""
    is_instance = isinstance(attempt, BaseModel)
    return attempt.model_dump(mode="json", by_alias=True) if is_instance else attempt


def _is_said(attempt: Any) -> bool:
    if isinstance(attempt, str):
        return bool(attempt.strip())
    return isinstance(attempt, Mapping) and bool(cast("Any", attempt))


def _object_of(attempt: Any) -> Any:
    """Return the object that an attempt is, or has as JSON in its text; `None` if it has none."""
    try:
        given = _FIELDS.data_of({"answer": attempt})
    except MalformedSampleError:
        return None
    if isinstance(attempt, str):
        return json.loads(given) if isinstance(given, str) else None
    return given


def _no_object(sample: Any) -> CheckedSample:
    problem = SampleProblem(code="json_invalid", message="the attempt is no JSON object")
    return CheckedSample(sample=sample, outcome="rejected", problems=(problem,))


def _written(attempt: Any, chosen: str) -> str:
    """Write an attempt as the chosen answer is written; what is no JSON stays as it is."""
    data = _object_of(attempt)
    return str(attempt) if data is None else as_json(alike(data, json.loads(chosen)))
