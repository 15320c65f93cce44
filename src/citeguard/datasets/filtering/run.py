"""Samples filtered into files, `filter_samples`, or checked one by one, `check_samples`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from itertools import chain
from os import PathLike
from typing import IO, Any

from citeguard.datasets.checking import Checking
from citeguard.datasets.fields import Fields
from citeguard.datasets.filtering.outputs import Output, outputs_of
from citeguard.datasets.filtering.progress import Report, shown_progress
from citeguard.datasets.filtering.record import Settings, begin, settings_of
from citeguard.datasets.filtering.summary import FilterSummary
from citeguard.datasets.filtering.work import Done, Filtering
from citeguard.datasets.filtering.workers import in_order
from citeguard.datasets.reading import CHUNK_SIZE, errors_naming, reader_of
from citeguard.datasets.samples import SIDE_BY_SIDE, CheckedSample, SampleChecker
from citeguard.errors import CiteguardError, check_whole
from citeguard.language.excerpts import counted_as
from citeguard.validation.models import Answer
from citeguard.validation.policy import Policy

_SAVE_EVERY = 1.0  # seconds


def filter_samples(
    samples: Any,
    *,
    model: Any = Answer,
    sources: Any = None,
    policy: Policy | Callable[[], Policy] | None = None,
    fields: Fields | None = None,
    kept: str | PathLike[str] | None = None,
    rejected: str | PathLike[str] | None = None,
    undecided: str | PathLike[str] | None = None,
    workers: int | None = None,
    strict: bool = False,
    restart: bool = False,
    progress: bool = True,
) -> FilterSummary:
    """Check samples, and write each into the file of what became of it.

    Kept samples are written as they came. The others are written with one more field, `citeguard`,
    that holds their `outcome`, their `number`, and all their `problems` with codes, messages,
    places and scores. Undecided samples go to the rejected ones if they have no file of their own.
    A line that is no JSON object is a rejected sample, with its text in `citeguard.validation.raw`.

    The order is that of the samples, and the bytes are the same however many processes work. Memory
    does not grow with their number. Files grow as `NAME.partial` and take their names when all is
    done. A run that was stopped or killed goes on where it was if it is started again with the same
    arguments: `NAME.run.json`, beside the first file, records how far it is, and what came of it.

    Args:
        samples: Whatever `read_samples` takes: a path, a frame, a dataset, an iterable of objects.
            To go on with an iterable, give it from its start.
        model: `Answer`, or any model of yours, that the samples' answers are validated as.
        sources: What all samples share, as `Sources` takes it; else each sample has its own.
        policy: What fails; the default policy when absent. Or a function that returns it, called
            once in each process: for judges with connections or large models.
        fields: Where samples keep what.
        kept: The file for samples that passed. Its name ends in `.jsonl`, `.ndjson`, the same with
            `.gz`, or `.parquet`.
        rejected: The file for samples that did not.
        undecided: The file for samples of which nobody could tell.
        workers: How many processes; `None` is one for each core, or this one where few samples or
            judges with connections make others pointless.
        strict: Whether a line or row that cannot be read is an error, and not a rejected sample.
        restart: Whether to begin anew, whatever is there already.
        progress: Whether to show on standard error how far it is.

    Raises:
        CiteguardError: the set-up is wrong, a file cannot be read or written, a process died, the
            files are there already, or a run is to go on with other arguments.

    Examples:
        >>> citation = {"quote": "Notice is not one month.", "source_id": "handbook"}
        >>> sample = {"statements": [{"text": "It takes less.", "citations": [citation]}]}
        >>> print(filter_samples([sample], sources={"handbook": "Notice is one month."}))
        1 sample: 0 kept, 1 rejected (100.0 %), 0 undecided
          quote_altered: 1
    """
    checker = SampleChecker(model, sources=sources, policy=policy, fields=fields)
    _check_workers(workers)
    reader = reader_of(samples)
    outputs = outputs_of(kept=kept, rejected=rejected, undecided=undecided, given=reader.name)
    size = _chunk_size(policy)
    work = Filtering(checker, outputs, strict=strict, name=reader.name)

    def results(skip: int) -> Iterator[Done]:
        return in_order(work, reader.chunks(size, skip), workers)

    with shown_progress(progress) as report:
        tell = _telling(report, reader.share_read)
        if not outputs:
            return _counted(results(0), tell)
        settings = settings_of(reader, checker, outputs, size)
        return _Run(outputs, settings, restart=restart).go(results, tell)


def check_samples(
    samples: Any,
    *,
    model: Any = Answer,
    sources: Any = None,
    policy: Policy | Callable[[], Policy] | None = None,
    fields: Fields | None = None,
    workers: int | None = 1,
) -> Iterator[CheckedSample]:
    """Check samples and yield them one after the other, in their order.

    A sample that cannot be read is a rejected one, whose `sample` is `None`.

    Args:
        samples: As for `filter_samples`, and so are the others.
        model: The model.
        sources: What all samples share.
        policy: What fails.
        fields: Where samples keep what.
        workers: How many processes; `None` is one for each core.

    Raises:
        CiteguardError: as for `filter_samples`.

    Examples:
        >>> statement = {"text": "It takes a month.", "citations": [{"quote": "one month"}]}
        >>> samples = [{"statements": [statement]}]
        >>> [checked.outcome for checked in check_samples(samples, sources="Notice: one month.")]
        ['kept']
    """
    checker = SampleChecker(model, sources=sources, policy=policy, fields=fields)
    _check_workers(workers)
    chunks = reader_of(samples).chunks(_chunk_size(policy), 0)
    return chain.from_iterable(in_order(Checking(checker), chunks, workers))


def _check_workers(workers: int | None) -> None:
    if workers is not None:
        check_whole("workers", workers, 1)


def _chunk_size(policy: Policy | Callable[[], Policy] | None) -> int:
    # A function makes what this process may never need, and is there for judges.
    is_judged = bool(policy.support or policy.aligners) if isinstance(policy, Policy) else policy
    return SIDE_BY_SIDE if is_judged else CHUNK_SIZE


_Tell = Callable[[FilterSummary], None]


def _telling(report: Report, share_read: Callable[[], float | None]) -> _Tell:
    return lambda summary: report(summary, share_read())


def _counted(results: Iterator[Done], tell: _Tell) -> FilterSummary:
    summary = FilterSummary()
    for done in results:
        summary += done.summary
        tell(summary)
    return summary


class _Run:
    """A run that writes files, and its record."""

    def __init__(self, outputs: Sequence[Output], settings: Settings, *, restart: bool) -> None:
        first = outputs[0].path
        self._outputs = outputs
        self._path = first.with_name(f"{first.name}.run.json")
        self._record = begin(self._path, outputs, settings, restart=restart)
        self._saved = time.monotonic()

    def go(self, results: Callable[[int], Iterator[Done]], tell: _Tell) -> FilterSummary:
        """Do what is left to do."""
        if not self._record.all_read:
            self._read_all(results, tell)
        for output, size in zip(self._outputs, self._record.sizes, strict=True):
            output.finish(size)
        return self._record.summary

    def _read_all(self, results: Callable[[int], Iterator[Done]], tell: _Tell) -> None:
        with ExitStack() as stack:
            sizes = self._record.sizes
            files = [
                stack.enter_context(output.open_at(size))
                for output, size in zip(self._outputs, sizes, strict=True)
            ]
            self._record.save(self._path)
            try:
                for done in results(self._record.summary.read):
                    self._add(done, files)
                    tell(self._record.summary)
            except (Exception, KeyboardInterrupt) as error:
                # What cannot be saved is done again; the record that is there stays true.
                with suppress(CiteguardError):
                    self._record.save(self._path)
                    if read := self._record.summary.read:
                        error.add_note(_saved(read))
                raise
            self._record = replace(self._record, all_read=True)
            self._record.save(self._path)

    def _add(self, done: Done, files: Sequence[IO[bytes]]) -> None:
        for output, file, piece in zip(self._outputs, files, done.pieces, strict=True):
            with errors_naming(str(output.partial)):
                _write(file, piece)
        self._record = replace(
            self._record,
            summary=self._record.summary + done.summary,
            sizes=tuple(file.tell() for file in files),
        )
        if time.monotonic() - self._saved > _SAVE_EVERY:
            self._record.save(self._path)
            self._saved = time.monotonic()


def _saved(read: int) -> str:
    return f"The work on {counted_as(read, 'sample')} is saved: run it again to go on."


def _write(file: IO[bytes], piece: bytes) -> None:
    """Write all of a piece to an unbuffered file, which may take it in parts."""
    rest = memoryview(piece)
    while rest:
        rest = rest[file.write(rest) :]
