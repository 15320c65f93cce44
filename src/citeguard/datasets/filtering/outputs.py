"""The files that a filter writes: each grows in a partial file, and appears when it is whole."""

from __future__ import annotations

import errno
import gzip
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from citeguard.datasets import tables
from citeguard.datasets.chunks import Annotations, Chunk
from citeguard.datasets.filtering.parquet import write_parquet
from citeguard.datasets.reading import JSON_LINES, PARQUET, errors_naming
from citeguard.datasets.samples import SampleOutcome
from citeguard.errors import CiteguardError

_GZIP_LEVEL = 6
# What file systems that lock nothing say, as those of clusters may.
_NO_LOCKS = (errno.ENOSYS, errno.ENOLCK, errno.EOPNOTSUPP)


@dataclass(frozen=True, slots=True)
class Output:
    """One file, and the samples that go into it.

    Attributes:
        path: The file; its name says the format.
        outcomes: What became of the samples that go into it.
    """

    path: Path
    outcomes: frozenset[SampleOutcome]

    @property
    def partial(self) -> Path:
        """The file that it grows in."""
        return self.path.with_name(f"{self.path.name}.partial")

    @property
    def there(self) -> list[Path]:
        """What is there of it; an empty partial file may be all that a kill has left of a run."""
        partial = [self.partial] if self.partial.is_file() and self.partial.stat().st_size else []
        return [*partial, *([self.path] if self.path.exists() else [])]

    def encode(self, chunk: Chunk, picked: Sequence[int], annotations: Annotations) -> bytes:
        """Return what some samples add to the partial file; the same bytes, whoever does it."""
        name = self.path.name.lower()
        if name.endswith(PARQUET):
            return tables.to_stream(chunk.as_table(picked, annotations))
        lines = chunk.as_lines(picked, annotations)
        if name.endswith(".gz") and lines:
            return gzip.compress(lines, _GZIP_LEVEL, mtime=0)  # a member of its own
        return lines

    def open_at(self, size: int) -> IO[bytes]:
        """Open the partial file to be added to, after its first `size` bytes; the rest is lost.

        Raises:
            CiteguardError: it cannot be written, has fewer bytes, or another run writes it.
        """
        with errors_naming(str(self.partial)):
            file = self._locked()
            try:
                self._require(size, file)
                file.truncate(size)
                file.seek(size)
            except BaseException:
                file.close()
                raise
        return file

    def _require(self, size: int, file: IO[bytes]) -> None:
        if file.seek(0, os.SEEK_END) < size:
            raise CiteguardError(
                f"{self.partial}: shorter than it was; begin anew (restart=True, --restart)"
            )

    def _locked(self) -> IO[bytes]:
        """Open the partial file, as it is, and keep others from writing it until it is closed."""
        # Not "w+b", which would empty what another run is writing.
        file = os.fdopen(os.open(self.partial, os.O_RDWR | os.O_CREAT, 0o666), "r+b", buffering=0)
        try:
            _lock(file, self.partial)
            if not self._is(file):  # another run has turned it into the file in between
                raise CiteguardError(f"{self.partial}: another run has just finished it")
        except BaseException:
            file.close()
            raise
        return file

    def _is(self, file: IO[bytes]) -> bool:
        try:
            return os.path.samestat(os.fstat(file.fileno()), self.partial.stat())
        except FileNotFoundError:
            return False

    def finish(self, size: int) -> None:
        """Turn the partial file, of `size` bytes, into the file; if that is done, do nothing.

        Raises:
            CiteguardError: it cannot be written, has fewer bytes, or another run writes it.
        """
        if not self.partial.exists():
            return
        with errors_naming(str(self.path)), self._locked() as file:
            # Of a run that was begun anew, and stopped before it had a record, it is empty.
            self._require(size, file)
            if self.path.name.lower().endswith(PARQUET):
                self._finish_parquet()
                return
            if self.path.name.lower().endswith(".gz") and not self.partial.stat().st_size:
                self.partial.write_bytes(gzip.compress(b"", mtime=0))
            self.partial.replace(self.path)

    def _finish_parquet(self) -> None:
        # The partial file goes last: whenever this is cut off, it can be done again.
        whole = self.path.with_name(f"{self.path.name}.whole")
        try:
            write_parquet(self.partial, whole)
            whole.replace(self.path)
        finally:
            whole.unlink(missing_ok=True)
        self.partial.unlink()


def output_of(path: Any, outcomes: set[SampleOutcome]) -> Output:
    """Return the output with this path.

    Raises:
        CiteguardError: its name says no format, or there is no such folder.
    """
    output = Output(Path(path), frozenset(outcomes))
    kinds = (*JSON_LINES, *PARQUET)
    if not output.path.name.lower().endswith(kinds):
        raise CiteguardError(
            f"{path}: not a kind of file that samples are written to ({', '.join(kinds)})"
        )
    if output.path.name.lower().endswith(PARQUET):
        tables.arrow()
    if not output.path.parent.is_dir():
        raise CiteguardError(f"{path}: there is no folder {output.path.parent}")
    if output.path.is_dir():
        raise CiteguardError(f"{path}: a folder, and no file")
    return output


def outputs_of(*, kept: Any, rejected: Any, undecided: Any, given: str) -> tuple[Output, ...]:
    """Return the outputs with these paths, but for those that are `None`.

    Args:
        kept: The path for kept samples.
        rejected: The path for rejected samples, and for undecided ones without a path of their own.
        undecided: The path for undecided samples.
        given: The path of what is read, if it has one, or another name; it must not be written.

    Raises:
        CiteguardError: two paths are one, or a path is none that can be written.
    """
    refused: set[SampleOutcome] = {"rejected", "undecided"} if undecided is None else {"rejected"}
    named: list[tuple[Any, set[SampleOutcome]]] = [
        (kept, {"kept"}),
        (rejected, refused),
        (undecided, {"undecided"}),
    ]
    outputs = tuple(output_of(path, outcomes) for path, outcomes in named if path is not None)
    paths = [output.path.resolve() for output in outputs]
    if len({*paths, Path(given).resolve()}) <= len(paths):
        raise CiteguardError("what is read, kept, rejected and undecided must be different files")
    return outputs


def _lock(file: IO[bytes], path: Path) -> None:
    """Keep others from writing the file until it is closed, where the system can do that."""
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise CiteguardError(f"{path}: another run is writing it") from error
    except OSError as error:
        if error.errno not in _NO_LOCKS:
            raise
