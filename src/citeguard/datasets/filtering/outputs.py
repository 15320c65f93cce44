"""The files that a filter writes: each grows as `NAME.partial` until it is complete."""

from __future__ import annotations

import errno
import gzip
import os
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from citeguard.datasets import arrow
from citeguard.datasets.chunks import Annotations, Chunk
from citeguard.datasets.readers import JSON_LINES, PARQUET, errors_naming
from citeguard.datasets.samples import SampleOutcome
from citeguard.errors import CiteguardError

_GZIP_LEVEL = 6  # of samples; 9 takes twice as long, and saves half a percent
# The errors of file systems without locks, such as those of clusters.
_NO_LOCKS = (errno.ENOSYS, errno.ENOLCK, errno.EOPNOTSUPP)


@dataclass(frozen=True, slots=True)
class Output:
    """One file and the samples that go into it.

    Attributes:
        path: The file; its suffix determines the format.
        outcomes: The outcomes of the samples that go into it.
    """

    path: Path
    outcomes: frozenset[SampleOutcome]

    @property
    def partial(self) -> Path:
        """The file that is written to until all samples have been read."""
        return self.path.with_name(f"{self.path.name}.partial")

    @property
    def existing(self) -> list[Path]:
        """The files that exist already; a killed run may leave an empty partial file behind."""
        partial = [self.partial] if self.partial.is_file() and self.partial.stat().st_size else []
        return [*partial, *([self.path] if self.path.exists() else [])]

    def encode(self, chunk: Chunk, selected: Sequence[int], annotations: Annotations) -> bytes:
        """Return what some samples of a chunk add to the partial file."""
        if self._has_suffix(PARQUET):
            return arrow.to_stream(chunk.as_table(selected, annotations))
        lines = chunk.as_lines(selected, annotations)
        if self._has_suffix((".gz",)) and lines:
            return gzip.compress(lines, _GZIP_LEVEL, mtime=0)  # a gzip member of its own
        return lines

    def open_at(self, size: int) -> IO[bytes]:
        """Open the partial file for writing after its first `size` bytes; the rest is dropped.

        Raises:
            CiteguardError: it cannot be written, is shorter, or another run is writing it.
        """
        with errors_naming(str(self.partial)), ExitStack() as stack:
            file = stack.enter_context(self._open_locked())
            self._require_size(size, file)
            file.truncate(size)
            file.seek(size)
            stack.pop_all()
        return file

    def finish(self, size: int) -> None:
        """Turn the partial file, of `size` bytes, into the file; do nothing if that is done.

        Raises:
            CiteguardError: it cannot be written, is shorter, or another run is writing it.
        """
        if not self.partial.exists():
            return
        with errors_naming(str(self.path)), self._open_locked() as file:
            # It may be empty: of a run that was restarted, and stopped before it had a record.
            self._require_size(size, file)
            if self._has_suffix(PARQUET):
                self._finish_parquet()
                return
            if self._has_suffix((".gz",)) and not self.partial.stat().st_size:
                self.partial.write_bytes(gzip.compress(b"", mtime=0))
            self.partial.replace(self.path)

    def _finish_parquet(self) -> None:
        # The partial file goes last, so that this can be repeated wherever it was interrupted.
        whole = self.path.with_name(f"{self.path.name}.whole")
        try:
            arrow.write_parquet(self.partial, whole)
            whole.replace(self.path)
        finally:
            whole.unlink(missing_ok=True)
        self.partial.unlink()

    def _open_locked(self) -> IO[bytes]:
        """Open the partial file, and keep other runs from writing it until it is closed."""
        with ExitStack() as stack:
            # Not "w+b", which would truncate what another run is writing.
            descriptor = os.open(self.partial, os.O_RDWR | os.O_CREAT, 0o666)
            file = stack.enter_context(os.fdopen(descriptor, "r+b", buffering=0))
            _lock(file, self.partial)
            if not self._is_partial(file):
                raise CiteguardError(f"{self.partial}: another run has just finished it")
            stack.pop_all()
        return file

    def _is_partial(self, file: IO[bytes]) -> bool:
        # Another run may have renamed it between opening and locking.
        try:
            return os.path.samestat(os.fstat(file.fileno()), self.partial.stat())
        except FileNotFoundError:
            return False

    def _require_size(self, size: int, file: IO[bytes]) -> None:
        if file.seek(0, os.SEEK_END) < size:
            raise CiteguardError(
                f"{self.partial}: shorter than it was; start over (restart=True, --restart)"
            )

    def _has_suffix(self, suffixes: tuple[str, ...]) -> bool:
        return self.path.name.lower().endswith(suffixes)


def outputs_of(*, kept: Any, rejected: Any, undecided: Any, given: str) -> tuple[Output, ...]:
    """Return the outputs with these paths, without those that are `None`.

    Args:
        kept: The path for kept samples.
        rejected: The path for rejected samples, and for undecided ones without a path of their own.
        undecided: The path for undecided samples.
        given: The name of what is read; if it is a path, it must not be written.

    Raises:
        CiteguardError: two paths are the same, or one cannot be written.
    """
    failed: set[SampleOutcome] = {"rejected", "undecided"} if undecided is None else {"rejected"}
    outcomes: list[tuple[Any, set[SampleOutcome]]] = [
        (kept, {"kept"}),
        (rejected, failed),
        (undecided, {"undecided"}),
    ]
    outputs = tuple(_output(path, each) for path, each in outcomes if path is not None)
    paths = [output.path.resolve() for output in outputs]
    if len({*paths, Path(given).resolve()}) <= len(paths):
        raise CiteguardError("what is read, kept, rejected and undecided must be different files")
    return outputs


def _output(path: Any, outcomes: set[SampleOutcome]) -> Output:
    output = Output(Path(path), frozenset(outcomes))
    name = output.path.name.lower()
    if not name.endswith((*JSON_LINES, *PARQUET)):
        suffixes = ", ".join((*JSON_LINES, *PARQUET))
        message = f"{path}: not a kind of file that samples are written to ({suffixes})"
        raise CiteguardError(message)
    if name.endswith(PARQUET):
        arrow.pyarrow()
    if not output.path.parent.is_dir():
        raise CiteguardError(f"{path}: there is no folder {output.path.parent}")
    if output.path.is_dir():
        raise CiteguardError(f"{path}: this is a folder, not a file")
    return output


def _lock(file: IO[bytes], path: Path) -> None:
    try:
        import fcntl
    except ImportError:  # on Windows
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise CiteguardError(f"{path}: another run is writing it") from error
    except OSError as error:
        if error.errno not in _NO_LOCKS:
            raise
