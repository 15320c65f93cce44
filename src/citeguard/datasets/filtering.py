"""Samples filtered into files, `filter_samples`, or checked one by one, `check_samples`."""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, suppress
from dataclasses import asdict, replace
from functools import cache, partial
from itertools import chain, islice
from os import PathLike
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeVar, cast

import cloudpickle  # pyright: ignore[reportMissingTypeStubs]
import loky  # pyright: ignore[reportMissingTypeStubs]

from citeguard.datasets.fields import Fields
from citeguard.datasets.filter_files import (
    START_OVER,
    FilterSummary,
    Output,
    RunRecord,
    begin,
    outputs_of,
    settings_of,
    summary_of,
)
from citeguard.datasets.readers import (
    CHUNK_SIZE,
    Chunk,
    Reader,
    errors_naming,
    reader_of,
    require_readable,
)
from citeguard.datasets.samples import CONCURRENT_SAMPLES, CheckedSample, SampleChecker
from citeguard.errors import CiteguardError, check_whole
from citeguard.judges.cascade import stages_of_models
from citeguard.judges.usage import track_usage
from citeguard.language.excerpts import counted_as
from citeguard.validation.models import Answer
from citeguard.validation.policy import Policy

if TYPE_CHECKING:
    from citeguard.datasets.progress_bar import Move

_SAVE_EVERY = 1.0  # seconds of work that are done again after a crash
_LINE_EVERY = 10.0  # seconds; where there is no terminal, a line of progress is printed


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
    """Check samples, and write each to the file for its outcome.

    Kept samples are written unchanged. The others are written with an additional field,
    `citeguard`, that holds their `outcome`, their `number`, and all their `problems` with codes,
    messages, paths and scores. Undecided samples go to the rejected ones unless they have a file of
    their own. A line that is not a JSON object is a rejected sample, with its text in
    `citeguard.raw`.

    Samples stay in order, and the output is the same, byte for byte, for any number of processes.
    Memory does not grow with the number of samples. Files grow as `NAME.partial` and get their
    names when all is done. A run that was stopped or killed resumes if it is started again with the
    same arguments: `NAME.run.json`, beside the first file, records how far it is.

    Args:
        samples: The path of a file of JSON lines, plain or gzipped, or of a Parquet file; an open
            binary file of JSON lines; a `Dataset` of Hugging Face; a frame of pandas or polars, or
            any other object that exports Arrow data; or an iterable of objects. To resume with an
            iterable, pass it from its start.
        model: `Answer`, or your own model, that the samples' answers are validated as.
        sources: What all samples share, as `Sources` takes it; else each sample has its own.
        policy: What fails; the default policy if omitted. Or a function that returns it, called
            once in each process: for judges with connections or large models.
        fields: Where samples keep their parts.
        kept: The file for samples that passed. Its name ends in `.jsonl`, `.ndjson`, the same with
            `.gz`, or `.parquet`.
        rejected: The file for samples with an error.
        undecided: The file for samples that no judge could decide.
        workers: How many processes; `None` is one for each core, or this one if there are few
            samples or the judges cannot be sent to others.
        strict: Whether a line or row that cannot be read is an error, and not a rejected sample.
        restart: Whether to start over, replacing existing files.
        progress: Whether to show progress on standard error.

    Raises:
        CiteguardError: the setup is wrong, a file cannot be read or written, a process died, the
            files exist already, or a run is resumed with other arguments.

    Examples:
        >>> citation = {"quote": "Notice is not one month.", "source_id": "handbook"}
        >>> sample = {"statements": [{"text": "It takes less.", "citations": [citation]}]}
        >>> print(filter_samples([sample], sources={"handbook": "Notice is one month."}))
        1 sample: 0 kept, 1 rejected (100.0 %), 0 undecided
          quote_altered: 1
    """
    checker = SampleChecker(model, sources=sources, policy=policy, fields=fields)
    check_whole("workers", 1 if workers is None else workers, 1)
    reader = reader_of(samples)
    outputs = outputs_of(kept=kept, rejected=rejected, undecided=undecided, given=reader.name)
    size = _chunk_size(policy)  # of the policy alone: an earlier run with the same had the same
    work = partial(_filter_chunk, checker, outputs, reader.name, strict)

    def results(skip: int) -> Iterator[_Result]:
        return map_in_order(work, reader.chunks(size, skip), workers)

    from citeguard.datasets.progress_bar import shown_progress  # workers do without it

    with shown_progress(quiet=not progress, every=_LINE_EVERY) as move:
        report = _reporter(move, reader)
        if not outputs:
            summary = FilterSummary()
            for counts, _ in results(0):
                summary += counts
                report(summary)
            return summary
        first = outputs[0].path
        path = first.with_name(f"{first.name}.run.json")
        settings = settings_of(reader.identity(), checker, outputs)
        record = begin(path, outputs, settings, restart=restart)
        if record.all_read and progress:
            sys.stderr.write(f"{first}: complete, nothing to do; to filter again, {START_OVER}\n")
        return _write_files(path, record, outputs, results, report)


def check_samples(
    samples: Any,
    *,
    model: Any = Answer,
    sources: Any = None,
    policy: Policy | Callable[[], Policy] | None = None,
    fields: Fields | None = None,
    workers: int | None = 1,
) -> Iterator[CheckedSample]:
    """Check samples and yield the results one by one, in order.

    A sample that cannot be read is a rejected one, whose `sample` is `None`.

    The arguments and errors are those of `filter_samples`.

    Examples:
        >>> statement = {"text": "It takes a month.", "citations": [{"quote": "one month"}]}
        >>> samples = [{"statements": [statement]}]
        >>> [checked.outcome for checked in check_samples(samples, sources="Notice: one month.")]
        ['kept']
    """
    checker = SampleChecker(model, sources=sources, policy=policy, fields=fields)
    chunks = reader_of(samples).chunks(_chunk_size(policy), 0)
    return chain.from_iterable(map_in_order(checker.check_chunk, chunks, workers))


def _chunk_size(policy: Policy | Callable[[], Policy] | None) -> int:
    # A function is not called here: this process may never need the policy. It implies judges.
    is_judged = bool(policy.judges or policy.aligners) if isinstance(policy, Policy) else policy
    return CONCURRENT_SAMPLES if is_judged else CHUNK_SIZE


# The counts of a chunk's samples, and what is appended to each output.
_Result = tuple[FilterSummary, list[bytes]]


def _filter_chunk(
    checker: SampleChecker, outputs: Sequence[Output], name: str, strict: bool, chunk: Chunk
) -> _Result:
    """Check the samples of a chunk and encode them for each output, in any process."""
    if strict:
        require_readable(name, chunk)
    with track_usage() as counter:
        checked = checker.check_chunk(chunk)
    policy = checker.policy
    models = () if policy is None else stages_of_models(policy.judges, counter.usage)
    annotations = {
        index: {
            "outcome": each.outcome,
            "number": record.number,
            "problems": [asdict(problem) for problem in each.problems],
            **({} if record.raw is None else {"raw": record.raw}),
        }
        for index, (each, record) in enumerate(zip(checked, chunk.records, strict=True))
        if each.outcome != "kept"
    }
    selected = (
        [i for i, each in enumerate(checked) if each.outcome in output.outcomes]
        for output in outputs
    )
    pieces = [
        output.encode(chunk, own, annotations)
        for output, own in zip(outputs, selected, strict=True)
    ]
    return summary_of(checked, models), pieces


def _write_files(
    path: Path,
    record: RunRecord,
    outputs: Sequence[Output],
    results: Callable[[int], Iterator[_Result]],
    report: Callable[[FilterSummary], None],
) -> FilterSummary:
    """Write what a record lacks; `results` takes the number of samples to skip."""
    if not record.all_read:
        with ExitStack() as stack:
            files = [
                stack.enter_context(output.open_at(size))
                for output, size in zip(outputs, record.sizes, strict=True)
            ]
            record.save(path)
            saved = time.monotonic()
            try:
                for counts, pieces in results(record.summary.read):
                    for output, file, piece in zip(outputs, files, pieces, strict=True):
                        with errors_naming(str(output.partial)):
                            _write(file, piece)
                    sizes = tuple(file.tell() for file in files)
                    record = replace(record, summary=record.summary + counts, sizes=sizes)
                    if time.monotonic() - saved > _SAVE_EVERY:
                        record.save(path)
                        saved = time.monotonic()
                    report(record.summary)
            except BaseException as error:
                # What cannot be saved is done again; the earlier record stays true.
                with suppress(CiteguardError):
                    record.save(path)
                    if read := record.summary.read:
                        count = counted_as(read, "sample")
                        error.add_note(f"The work on {count} is saved: run it again to resume.")
                raise
            record = replace(record, all_read=True)
            record.save(path)
    for output, size in zip(outputs, record.sizes, strict=True):
        output.finish(size)
    return record.summary


def _write(file: IO[bytes], piece: bytes) -> None:
    rest = memoryview(piece)
    while rest:  # an unbuffered file may write less than it is given
        rest = rest[file.write(rest) :]


def _reporter(move: Move, reader: Reader) -> Callable[[FilterSummary], None]:
    """Return what shows how far a run is, given the summary of the samples so far."""
    begun = time.monotonic()
    first: int | None = None

    def report(summary: FilterSummary) -> None:
        nonlocal first
        read, share = summary.read, reader.share
        # The rate starts with the first summary: what an earlier run did does not count.
        first = read if first is None else first
        of_all = "" if share is None else f"{share:.0%} of all, "
        rate = (read - first) / max(time.monotonic() - begun, 1e-9)
        wrong = 100 * summary.rejected / max(1, read)
        line = f"{read:,} samples, {of_all}{rate:,.0f}/s, {wrong:.1f} % rejected"
        move(line, share or 0.0, None if share is None else 1.0)

    return report


C = TypeVar("C")
R = TypeVar("R")

# Starting processes takes longer than so few chunks.
_FEW_CHUNKS = 4
# Results leave in order, so that one slow chunk keeps the others waiting, in memory.
_QUEUED_PER_WORKER = 4
_CHECK_PARENT_EVERY = 1.0  # seconds; nobody else ends the workers of a process that was killed


def map_in_order(
    work: Callable[[C], R], chunks: Iterable[C], workers: int | None = None
) -> Iterator[R]:
    """Yield the result of `work` for each chunk, in order, working a few chunks ahead.

    `work` is sent to each process once. One worker is this process; `None` is one for each core, or
    this process if there are few chunks or `work` cannot be pickled.
    """
    if workers is not None:
        check_whole("workers", workers, 1)
    else:
        rest = iter(chunks)
        first = list(islice(rest, _FEW_CHUNKS + 1))
        chunks = chain(first, rest)
        workers = loky.cpu_count() if len(first) > _FEW_CHUNKS and _pickled(work) else 1
    if workers == 1:
        yield from map(work, chunks)
        return
    pickled = _pickled(work)
    if pickled is None:
        raise CiteguardError(
            "the model or the policy cannot be sent to other processes: give the policy as a "
            "function that makes it, or set workers=1"
        )
    # loky, not `concurrent.futures`: it sends a model that was defined in a script, and needs no
    # main guard there. By default it replaces, with a warning, each process that has grown by
    # 300 MB, as one does that loads a judge's model.
    pool: Any = loky.ProcessPoolExecutor(
        workers,
        initializer=_initialize,
        initargs=(pickled, os.getpid()),
        env={"LOKY_MAX_MEMORY_LEAK_SIZE": "1e18"},
    )
    queue: deque[Future[Any]] = deque()
    rest = iter(chunks)
    try:
        while True:
            room = workers * _QUEUED_PER_WORKER - len(queue)
            queue.extend(pool.submit(_run, chunk) for chunk in islice(rest, room))
            if not queue:
                return
            yield queue.popleft().result()
    except BrokenProcessPool as error:
        reason = str(error).strip().partition("\n")[0].rstrip(".") or type(error).__name__
        raise CiteguardError(f"the worker processes failed: {reason}") from error
    finally:
        # Whoever stopped asking for results should not wait for chunks that nobody takes.
        pool.shutdown(wait=True, kill_workers=True)


def _pickled(work: Any) -> bytes | None:
    try:
        return cast("Any", cloudpickle).dumps(work)
    except (pickle.PicklingError, TypeError, AttributeError, ValueError, RuntimeError):
        return None  # a lock, a connection, or something else that belongs to this process


# In a worker process: the work that it was sent.
_pickled_work: bytes = b""


def _initialize(work: bytes, parent: int) -> None:
    def exit_after_parent() -> None:
        # A worker whose parent was killed would wait for work for ever.
        while os.getppid() == parent:
            time.sleep(_CHECK_PARENT_EVERY)
        # Not `sys.exit`, which in a thread ends only the thread.
        os._exit(1)

    global _pickled_work
    _pickled_work = work
    # Ctrl-C reaches the parent, too, which stops its workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=exit_after_parent, daemon=True).start()


# Unpickled when the first chunk comes, not in `_initialize`: an error there would only be a broken
# pool.
@cache
def _work() -> Callable[[Any], Any]:
    return pickle.loads(_pickled_work)


def _run(chunk: Any) -> Any:
    return _work()(chunk)
