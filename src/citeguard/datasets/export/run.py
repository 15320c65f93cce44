"""Samples written for trainers: `export_samples`."""

from __future__ import annotations

import hashlib
import json
from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import IO, Any, cast

from pydantic import BaseModel

from citeguard.datasets.export.card import Card, card_of
from citeguard.datasets.export.folder import CARD, appearing, name_of, told
from citeguard.datasets.export.pairs import Attempts, rejected_of
from citeguard.datasets.export.rendering import AnswerKind, Form, PromptKind, Rendering, as_json
from citeguard.datasets.export.splits import (
    SPLITS,
    Shares,
    SourceGroups,
    Split,
    counts_of_documents,
    digest_of,
)
from citeguard.datasets.export.summary import ExportSummary, NothingExportedError, SplitFacts
from citeguard.datasets.export.warnings import warnings_of
from citeguard.datasets.fields import Fields, MalformedSampleError
from citeguard.datasets.reading import reader_of
from citeguard.datasets.samples import CheckedSample, SampleChecker, SampleProblem
from citeguard.datasets.shelf import Shelf
from citeguard.errors import CiteguardError
from citeguard.models import Answer
from citeguard.policy import DEFAULT_POLICY, Policy
from citeguard.sources import Sources
from citeguard.verification import verify

_CHUNK = 64
_SPOOL = "samples.spool"


def export_samples(
    samples: Any,
    to: str | PathLike[str],
    *,
    form: Form = "chat",
    prompt: PromptKind = "instruction",
    answer: AnswerKind | None = None,
    system: str | None = None,
    validation: float = 0.1,
    test: float = 0.0,
    seed: int = 0,
    group: str | None = None,
    model: Any = Answer,
    sources: Any = None,
    policy: Policy | Callable[[], Policy] | None = None,
    fields: Fields | None = None,
    rejected: str = "rejected",
    card: Card | None = None,
    overwrite: bool = False,
) -> ExportSummary:
    """Write samples to train with: a JSONL file for each split, and a card.

    Every sample is validated anew, so that what is written are the sources' own words. What fails
    is not written, and counted by its codes: those of validation, and `question_missing`,
    `group_missing`, `rejected_missing`, `rejected_passes`, `rejected_same`, `text_unencodable` (a
    lone surrogate), and `answer_not_restored` (a model of yours that does not read what it writes).
    Samples that say the same are all written, and counted.

    The folder appears when it is complete; until then it grows under a hidden name beside it. The
    samples are read once and in constant memory, but for some 200 bytes for each different document
    and some 100 for each sample. The same samples in the same order give the same bytes.

    Args:
        samples: What `reader_of` takes: a path, a table, or an iterable of objects.
        to: The folder to write.
        form: `chat` and `preference` as OpenAI reads them; `completion`, with a text each for
            prompt and completion; `chosen-rejected`, pairs with messages as TRL reads them.
        prompt: `instruction`: the question with its sources, as `Sources.as_prompt` has them;
            `simple`: the question alone, to be answered from what the model has learnt.
        answer: `json`: the object that the language model is to fill in, as `model` reads it;
            `text`: sentences, each with its quotes in brackets; `plain`: sentences alone, for
            simple prompts. By default `json`, and `plain` for simple prompts without pairs.
        system: A system message of yours; an empty one for none.
        validation: The share of groups to validate with, from 0 to below 1.
        test: The share of groups to test with, likewise.
        seed: Another one gives other splits.
        group: Where samples name the group that is not to be split, as a key or an expression; by
            default samples that share a document are a group, as `split_by_source` has it.
        model: What answers are validated as.
        sources: What all samples share; else each has its own.
        policy: What fails. Or a function that returns it.
        fields: Where samples keep what.
        rejected: Where samples keep earlier attempts, one or a list, for pairs: objects, or texts
            as the language model wrote them. The last one that fails is written.
        card: What the card is to say besides.
        overwrite: Replace an earlier export; a folder with anything else in it is never replaced.

    Raises:
        NothingExportedError: no sample could be exported.
        CiteguardError: arguments out of range, samples that cannot be read, a folder that is there
            or cannot be written.
    """
    rendering = Rendering(form=form, prompt=prompt, answer=answer, system=system, model=model)
    shares = Shares(validation=validation, test=test, seed=seed)
    checker = SampleChecker(model, sources=sources, policy=policy, fields=fields)
    reading = _Reading(checker, rendering, group=group, rejected=rejected)
    folder = Path(to)
    with appearing(folder, overwrite=overwrite) as partial, ExitStack() as stack:
        spool = _Spool(partial / _SPOOL, folder, stack)
        for chunk in reader_of(samples).chunks(_CHUNK, 0):
            for exported in reading.of([(each.sample, each.fault) for each in chunk.records]):
                spool.add(exported)
        if not spool.count:
            raise NothingExportedError(reading.summary(folder))
        splits = spool.groups.splits(shares)
        sizes = spool.distribute(partial, splits)
        summary = _summary(reading.summary(folder), spool, splits, sizes)
        told_of = warnings_of(summary, shares, form, shared=spool.shared(splits))
        summary = replace(summary, warnings=told_of)
        text = card_of(
            summary,
            Card() if card is None else card,
            rendering=rendering,
            shares=shares,
            policy=checker.policy,
            group=group,
        )
        with told(folder):
            partial.joinpath(CARD).write_text(text, "utf-8", newline="\n")
    return summary


@dataclass(frozen=True, slots=True)
class _Exported:
    """A sample as it is written, and what says where it belongs."""

    line: bytes
    length: int
    documents: list[bytes]
    group: str | None


class _RefusedError(Exception):
    """A sample that is not exported."""

    def __init__(self, problem: SampleProblem) -> None:
        super().__init__(problem.message)
        self.problem = problem


class _Reading:
    """Checks samples, renders them, and counts those that cannot be exported."""

    def __init__(
        self, checker: SampleChecker, rendering: Rendering, *, group: str | None, rejected: str
    ) -> None:
        self._checker = checker
        self._rendering = rendering
        self._shelf = Shelf(checker.sources)
        self._attempts = Attempts(checker) if rendering.has_pairs else None
        self._rejected = _place("rejected", rejected)
        self._group = None if group is None else _place("group", group)
        self._documents: tuple[Sources, list[bytes]] | None = None
        self._read = self._exported = self._refused = self._undecided = 0
        self._codes: Counter[str] = Counter()
        self._examples: dict[str, str] = {}

    def of(self, records: Sequence[tuple[Any, str | None]]) -> Iterator[_Exported]:
        """Yield what can be exported of samples; those that could not be read come with why."""
        readable = [_as_object(sample) for sample, fault in records if fault is None]
        checked = iter(self._checker.check_all(readable))
        for _, fault in records:
            self._read += 1
            each = next(checked) if fault is None else _unreadable(fault)
            try:
                if each.outcome == "kept":
                    exported = self._export(each)
                    self._exported += 1
                    yield exported
                else:
                    self._count(each.problems)
            except _RefusedError as error:
                self._count([error.problem])
            except MalformedSampleError as error:
                self._count([SampleProblem(code=error.code, message=str(error))])

    def summary(self, folder: Path) -> ExportSummary:
        """Return the counts."""
        ordered = sorted(self._codes.items(), key=lambda counted: (-counted[1], counted[0]))
        return ExportSummary(
            folder=folder,
            read=self._read,
            exported=self._exported,
            refused=self._refused,
            undecided=self._undecided,
            codes=dict(ordered),
            examples=self._examples,
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

    def _export(self, checked: CheckedSample) -> _Exported:
        sample, fields = cast("Mapping[str, Any]", checked.sample), self._checker.fields
        sources = self._shelf.sources_of(fields.find("sources", sample))
        question = _question_of(fields.question_of(sample), checked.answer)
        chosen = self._rendering.said(checked.answer)
        self._check_restored(chosen, sources, question)
        rejected = self._rejected_text(sample, question, sources, chosen)
        line = as_json(self._rendering.record(question, sources, chosen, rejected))
        return _Exported(
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
        return json.dumps(value, sort_keys=True, default=str)

    def _documents_of(self, sources: Sources) -> list[bytes]:
        # Samples of the same sources often stand side by side.
        if self._documents is None or self._documents[0] is not sources:
            self._documents = sources, [digest_of(source.text) for source in sources]
        return self._documents[1]


@dataclass
class _Spool:
    """Samples as they are written, before it is known into which split each goes."""

    path: Path
    folder: Path
    stack: ExitStack
    groups: SourceGroups = field(default_factory=SourceGroups)
    longest: int = 0
    _nodes: array[int] = field(default_factory=lambda: array("q"))
    _lines: set[bytes] = field(default_factory=set[bytes])

    def __post_init__(self) -> None:
        self._file = self._opened(self.path, "wb")

    @property
    def count(self) -> int:
        """How many samples there are."""
        return len(self._nodes)

    @property
    def duplicates(self) -> int:
        """How many of them are the same as an earlier one."""
        return self.count - len(self._lines)

    def add(self, exported: _Exported) -> None:
        """Take a sample."""
        self._nodes.append(self.groups.add(exported.documents, exported.group))
        self._lines.add(hashlib.blake2b(exported.line, digest_size=16).digest())
        self.longest = max(self.longest, exported.length)
        with told(self.folder):
            self._file.write(exported.line)

    def distribute(self, to: Path, splits: Mapping[int, Split]) -> dict[Split, tuple[int, int]]:
        """Write each sample into the file of its split; return their counts and sizes."""
        sizes: dict[Split, tuple[int, int]] = {}
        files: dict[Split, IO[bytes]] = {}
        with told(self.folder):
            self._file.close()
            with self.path.open("rb") as lines:
                for node, line in zip(self._nodes, lines, strict=True):
                    split = splits[self.groups.root(node)]
                    if split not in files:
                        files[split] = self._opened(to / name_of(split), "wb")
                    files[split].write(line)
                    count, size = sizes.get(split, (0, 0))
                    sizes[split] = count + 1, size + len(line)
            for file in files.values():
                file.close()
            self.path.unlink()
        return sizes

    def shared(self, splits: Mapping[int, Split]) -> int:
        """Count the documents that stand in several splits."""
        return counts_of_documents(self.groups, splits)[1]

    def _opened(self, path: Path, mode: str) -> IO[bytes]:
        with told(self.folder):
            return cast("IO[bytes]", self.stack.enter_context(path.open(mode)))


def _summary(
    counted: ExportSummary,
    spool: _Spool,
    splits: Mapping[int, Split],
    sizes: Mapping[Split, tuple[int, int]],
) -> ExportSummary:
    documents, _ = counts_of_documents(spool.groups, splits)
    return replace(
        counted,
        splits={
            split: SplitFacts(
                samples=sizes[split][0], documents=documents[split], bytes=sizes[split][1]
            )
            for split in SPLITS
            if split in sizes
        },
        groups=len(splits),
        duplicates=spool.duplicates,
        longest=spool.longest,
    )


def _as_object(sample: Any) -> Any:
    return sample.model_dump() if isinstance(sample, BaseModel) else sample


def _unreadable(fault: str) -> CheckedSample:
    problem = SampleProblem(code="sample_malformed", message=fault)
    return CheckedSample(sample=None, outcome="rejected", problems=(problem,))


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


def _place(argument: str, expression: Any) -> Callable[[Mapping[str, Any]], Any]:
    """Return what finds a value in a sample, by a key or an expression as in `Fields`."""
    try:
        fields = Fields(answer=expression)
    except CiteguardError as error:
        told_of = f"{argument} must be a key or an expression, not {expression!r}"
        raise CiteguardError(told_of) from error
    return lambda sample: fields.find("answer", sample)
