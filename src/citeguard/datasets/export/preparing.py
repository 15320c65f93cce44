"""Samples checked and written out, one after the other: `Preparing`."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from citeguard.datasets.checking import Checking
from citeguard.datasets.chunks import Chunk
from citeguard.datasets.codes import most_frequent_first
from citeguard.datasets.export.pairs import Attempts, rejected_of
from citeguard.datasets.export.rendering import Rendering, as_json
from citeguard.datasets.export.splits import digest_of
from citeguard.datasets.export.spool import Exported
from citeguard.datasets.export.summary import ExportSummary
from citeguard.datasets.fields import MalformedSampleError, finding
from citeguard.datasets.samples import CheckedSample, SampleChecker, SampleProblem
from citeguard.sources.collection import Sources
from citeguard.validation.models import Answer
from citeguard.validation.policy import DEFAULT_POLICY
from citeguard.validation.verification import verify


class _RefusedError(Exception):
    """A sample that is not exported."""

    def __init__(self, problem: SampleProblem) -> None:
        super().__init__(problem.message)
        self.problem = problem


class Preparing:
    """Checks samples, renders them, and counts those that cannot be exported."""

    def __init__(
        self, checker: SampleChecker, rendering: Rendering, *, group: str | None, rejected: str
    ) -> None:
        self._checker = checker
        self._rendering = rendering
        self._attempts = Attempts(checker) if rendering.has_pairs else None
        self._rejected = finding("rejected", rejected)
        self._group = None if group is None else finding("group", group)
        self._documents: tuple[Sources, list[bytes]] | None = None
        self._read = self._exported = self._refused = self._undecided = 0
        self._codes: Counter[str] = Counter()
        self._examples: dict[str, str] = {}

    def of(self, chunk: Chunk) -> Iterator[Exported]:
        """Yield what can be exported of samples."""
        for each in Checking(self._checker)(chunk):
            self._read += 1
            if (exported := self._exported_of(each)) is not None:
                self._exported += 1
                yield exported

    def _exported_of(self, checked: CheckedSample) -> Exported | None:
        if checked.outcome != "kept":
            self._count(checked.problems)
            return None
        try:
            return self._export(checked)
        except _RefusedError as error:
            self._count([error.problem])
        except MalformedSampleError as error:
            self._count([SampleProblem(code=error.code, message=str(error))])
        return None

    def summary(self, folder: Path) -> ExportSummary:
        """Return the counts."""
        codes = most_frequent_first(self._codes)
        return ExportSummary(
            folder=folder,
            read=self._read,
            exported=self._exported,
            refused=self._refused,
            undecided=self._undecided,
            codes=codes,
            examples={code: self._examples[code] for code in codes},
        )

    def _count(self, problems: Sequence[SampleProblem]) -> None:
        codes = dict.fromkeys(problem.code for problem in problems)
        self._codes.update(codes.keys())
        for problem in problems:
            self._examples.setdefault(problem.code, problem.message)
        if all(each == "undecided" for each in codes):
            self._undecided += 1
        else:
            self._refused += 1

    def _export(self, checked: CheckedSample) -> Exported:
        sample = cast("Mapping[str, Any]", checked.sample)
        sources = self._checker.sources_of(sample)
        question = _question_of(self._checker.fields.question_of(sample), checked.answer)
        chosen = self._rendering.said(checked.answer)
        self._check_restored(chosen, sources, question)
        rejected = self._rejected_text(sample, question, sources, chosen)
        line = as_json(self._rendering.record(question, sources, chosen, rejected))
        return Exported(
            _encoded(line), len(line), self._documents_of(sources), self._group_of(sample)
        )

    def _rejected_text(
        self, sample: Mapping[str, Any], question: str, sources: Sources, chosen: str
    ) -> str:
        if self._attempts is None:
            return ""
        attempts = self._attempts.check(self._rejected(sample), question, sources)
        text, problem = rejected_of(attempts, chosen)
        if problem is not None:
            raise _RefusedError(problem)
        return text

    def _check_restored(self, chosen: str, sources: Sources, question: str) -> None:
        """Refuse what a model of the user's own writes and does not read: with aliases, say."""
        model = self._rendering.model
        if model is Answer or self._rendering.answer != "json":
            return
        policy = self._checker.policy or DEFAULT_POLICY
        uncited = "pass" if policy.uncited == "search" else policy.uncited
        unjudged = replace(policy, support=(), alignment=None, uncited=uncited)
        try:
            verify(model, chosen, sources=sources, policy=unjudged, question=question)
        except ValueError as error:
            why = f"the model does not read what it writes: {error}"
            problem = SampleProblem(code="answer_not_restored", message=why)
            raise _RefusedError(problem) from error

    def _group_of(self, sample: Mapping[str, Any]) -> str | None:
        if self._group is None:
            return None
        if (value := self._group(sample)) is None:
            raise _refused("group_missing", "the sample names no group")
        try:
            return json.dumps(value, sort_keys=True, default=str)
        except TypeError as error:
            raise MalformedSampleError(f"the group is nothing that JSON has: {error}") from error

    def _documents_of(self, sources: Sources) -> list[bytes]:
        # Samples of the same sources often stand side by side.
        if self._documents is None or self._documents[0] is not sources:
            self._documents = sources, [digest_of(source.text) for source in sources]
        return self._documents[1]


def _question_of(asked: str | None, answer: Any) -> str:
    question = getattr(answer, "question", None) if asked is None else asked
    if not isinstance(question, str) or not question.strip():
        raise _refused("question_missing", "the sample has no question to ask")
    return question


def _encoded(line: str) -> bytes:
    try:
        return f"{line}\n".encode()
    except UnicodeEncodeError as error:
        raise _refused("text_unencodable", f"a text cannot be written as UTF-8: {error}") from error


def _refused(code: str, message: str) -> _RefusedError:
    return _RefusedError(SampleProblem(code=code, message=message))
