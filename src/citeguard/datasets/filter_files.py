"""The files that a filter writes, and the record of its run, from which it resumes.

Each file grows as `NAME.partial` until it is complete.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from inspect import isclass, isroutine
from os import PathLike
from pathlib import Path
from typing import IO, Any

from pydantic import TypeAdapter

from citeguard.datasets import arrow
from citeguard.datasets.readers import PARQUET, Annotations, Chunk, errors_naming, is_parquet
from citeguard.datasets.samples import (
    CheckedSample,
    SampleChecker,
    SampleOutcome,
    most_frequent_first,
)
from citeguard.errors import CiteguardError, described
from citeguard.judges.usage import Stage, Usage
from citeguard.language.excerpts import counted_as

START_OVER = "start over (restart=True, --restart)"
"""What every message about an earlier run ends with."""
_GZIP_LEVEL = 6  # of samples; 9 takes twice as long, and saves half a percent


@dataclass(frozen=True, slots=True)
class Output:
    """One file, whose suffix determines the format, and the outcomes of its samples."""

    path: Path
    outcomes: frozenset[SampleOutcome]

    @property
    def partial(self) -> Path:
        """The file that is written to until all samples have been read."""
        return self.path.with_name(f"{self.path.name}.partial")

    def encode(self, chunk: Chunk, selected: Sequence[int], annotations: Annotations) -> bytes:
        """Return what some samples of a chunk add to the partial file."""
        if self._has_suffix(PARQUET):
            return arrow.to_stream(chunk.as_table(selected, annotations))
        lines = chunk.as_lines(selected, annotations)
        if self._has_suffix((".gz",)) and lines:
            # Without a time, so that the same samples give the same bytes.
            return gzip.compress(lines, _GZIP_LEVEL, mtime=0)  # a gzip member of its own
        return lines

    def open_at(self, size: int) -> IO[bytes]:
        """Open the partial file for writing after its first `size` bytes; the rest is dropped.

        Other runs cannot write it until it is closed. It is an error if it is shorter.
        """
        with errors_naming(str(self.partial)), ExitStack() as stack:
            # Not "w+b", which would truncate what another run is writing.
            descriptor = os.open(self.partial, os.O_RDWR | os.O_CREAT, 0o666)
            # Unbuffered: a record may only name sizes that the file has.
            file = stack.enter_context(os.fdopen(descriptor, "r+b", buffering=0))
            self._lock(file)
            if file.seek(0, os.SEEK_END) < size:
                raise CiteguardError(f"{self.partial}: shorter than it was; {START_OVER}")
            file.truncate(size)
            file.seek(size)
            stack.pop_all()
            return file

    def finish(self, size: int) -> None:
        """Turn the partial file, of `size` bytes, into the file; do nothing if that is done."""
        if not self.partial.exists():
            return
        with errors_naming(str(self.path)), self.open_at(size):
            if self._has_suffix(PARQUET):
                # The partial file goes last, so that this can be repeated after an interruption.
                whole = self.path.with_name(f"{self.path.name}.whole")
                try:
                    arrow.write_parquet(self.partial, whole)
                    whole.replace(self.path)
                finally:
                    whole.unlink(missing_ok=True)
                self.partial.unlink()
                return
            # A file without a byte is none of gzip.
            if self._has_suffix((".gz",)) and not size:
                self.partial.write_bytes(gzip.compress(b"", mtime=0))
            self.partial.replace(self.path)

    def _lock(self, file: IO[bytes]) -> None:
        # Neither on Windows nor on a file system without locks, such as that of a cluster.
        with suppress(ImportError, OSError):
            import fcntl

            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                message = f"{self.partial}: another run is writing it"
                raise CiteguardError(message) from error

    def _has_suffix(self, suffixes: tuple[str, ...]) -> bool:
        return self.path.name.lower().endswith(suffixes)


def outputs_of(*, kept: Any, rejected: Any, undecided: Any, given: str) -> tuple[Output, ...]:
    """Return the outputs with these paths, without those that are `None`.

    Undecided samples without a path of their own are rejected. `given` is what is read. It is an
    error if two paths are the same, or one cannot be written.
    """
    failed: list[SampleOutcome] = ["rejected", "undecided"] if undecided is None else ["rejected"]
    wanted: list[tuple[Any, list[SampleOutcome]]] = [
        (kept, ["kept"]),
        (rejected, failed),
        (undecided, ["undecided"]),
    ]
    for path, outcomes in wanted:
        name = str(path)
        if path is not None and not isinstance(path, (str, PathLike)):
            raise CiteguardError(f"{outcomes[0]}: expected a path, got {described(path)}")
        if "\0" in name:
            raise CiteguardError(f"{outcomes[0]}: a path cannot have NUL: {name!r}")
    outputs = tuple(
        Output(Path(path), frozenset(outcomes)) for path, outcomes in wanted if path is not None
    )
    paths: list[Path] = []
    for path in (output.path for output in outputs):
        if is_parquet(path, "written to"):
            # Now, rather than when all has been checked, if the package is missing.
            arrow.pyarrow()
        with errors_naming(str(path)):
            if not path.parent.is_dir():
                raise CiteguardError(f"{path}: there is no folder {path.parent}")
            if path.is_dir():
                raise CiteguardError(f"{path}: this is a folder, not a file")
            paths.append(path.resolve())
    if len({*paths, Path(given).resolve()}) <= len(paths):
        raise CiteguardError("what is read, kept, rejected and undecided must be different files")
    return outputs


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterSummary:
    """How many samples were read, by outcome; `read` is the sum of the other three counts.

    Attributes:
        read: The number of samples.
        kept: How many passed.
        rejected: How many have an error.
        undecided: How many no judge could decide.
        codes: The number of samples with each error code, in descending order.
        examples: The first message of each code, in the same order.
        models: What each judge was asked that is not `local`, such as a language model; two
            summaries that differ in this only are equal.

    Examples:
        >>> print(FilterSummary(read=4, kept=3, rejected=1, codes={"quote_altered": 1}))
        4 samples: 3 kept, 1 rejected (25.0 %), 0 undecided
          quote_altered: 1
    """

    read: int = 0
    kept: int = 0
    rejected: int = 0
    undecided: int = 0
    codes: Mapping[str, int] = field(default_factory=dict[str, int])
    examples: Mapping[str, str] = field(default_factory=dict[str, str])
    models: tuple[Stage, ...] = field(default=(), compare=False)

    def __add__(self, other: FilterSummary) -> FilterSummary:
        """Add the summary of the samples that follow."""
        codes = most_frequent_first(Counter(self.codes) + Counter(other.codes))
        examples = {**other.examples, **self.examples}
        return FilterSummary(
            read=self.read + other.read,
            kept=self.kept + other.kept,
            rejected=self.rejected + other.rejected,
            undecided=self.undecided + other.undecided,
            codes=codes,
            examples={code: examples[code] for code in codes if code in examples},
            models=(Usage(stages=self.models) + Usage(stages=other.models)).stages,
        )

    def __str__(self) -> str:
        """Return the counts on one line, and a line for each code."""
        share = f" ({100 * self.rejected / self.read:.1f} %)" if self.rejected else ""
        counts = (
            f"{counted_as(self.read, 'sample')}: {self.kept:,} kept, "
            f"{self.rejected:,} rejected{share}, {self.undecided:,} undecided"
        )
        return "\n".join([counts, *(f"  {code}: {count:,}" for code, count in self.codes.items())])


def summary_of(checked: Sequence[CheckedSample], models: tuple[Stage, ...] = ()) -> FilterSummary:
    """Return the counts of some samples, and what models were asked about them."""
    outcomes = Counter(each.outcome for each in checked)
    problems = [problem for each in checked for problem in each.problems]
    return FilterSummary(
        read=len(checked),
        **{name: outcomes[name] for name in ("kept", "rejected", "undecided")},
        codes=Counter(code for each in checked for code in each.codes),
        examples={problem.code: problem.message for problem in reversed(problems)},
        models=models,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRecord:
    """How far a run is: what it depends on, its result so far, and the sizes of partial files.

    The settings are JSON-like. Once all samples have been read, the files may be complete.
    """

    settings: Mapping[str, Any]
    summary: FilterSummary = field(default_factory=FilterSummary)
    sizes: tuple[int, ...] = ()
    all_read: bool = False

    def save(self, path: Path) -> None:
        """Write the record, replacing an earlier one atomically."""
        new = path.with_name(f"{path.name}.new")
        with errors_naming(str(path)):
            new.write_text(json.dumps(asdict(self), indent=2) + "\n", encoding="utf-8")
            # A crash while it is written leaves the earlier record whole.
            new.replace(path)

    @staticmethod
    def load(path: Path) -> RunRecord | None:
        """Read a record, or return `None` if there is no file."""
        if not path.exists():
            return None
        with errors_naming(str(path)):
            content = path.read_bytes()
        try:
            # Not Pydantic's JSON, which has no lone surrogates; names that are not UTF-8 have them.
            return TypeAdapter(RunRecord).validate_python(json.loads(content))
        except (ValueError, RecursionError) as error:
            message = f"{path}: not the record of a run; remove it, or {START_OVER}"
            raise CiteguardError(message) from error


def begin(
    path: Path, outputs: Sequence[Output], settings: Mapping[str, Any], *, restart: bool
) -> RunRecord:
    """Return the record to begin with: that of an earlier run, or a new one.

    It is an error if the earlier run had other settings, left files without a record, or has lost
    its files.
    """
    new = RunRecord(settings=settings, sizes=(0,) * len(outputs))
    if restart:
        return new
    record = RunRecord.load(path)
    if record is None:
        for each in (file for output in outputs for file in (output.partial, output.path)):
            # A killed run may leave an empty partial file behind.
            if each.is_file() and (each.stat().st_size or each.suffix != ".partial"):
                raise CiteguardError(f"{each}: already exists; remove it, or {START_OVER}")
        return new
    if record.settings != settings:
        names = dict.fromkeys((*record.settings, *settings))
        changed = [name for name in names if record.settings.get(name) != settings.get(name)]
        where, instead = f"{path}: an unfinished run", "pass the same"
        if record.all_read:
            where, instead = f"{outputs[0].path}: a finished run", "name other files"
        raise CiteguardError(
            f"{where} with different {' and '.join(changed)} has written it; {instead}, or "
            f"{START_OVER}"
        )
    for output in outputs:
        if record.all_read and not (output.path.exists() or output.partial.exists()):
            message = f"{output.path}: written by the run of {path}, and missing now"
            raise CiteguardError(f"{message}; {START_OVER}")
    return record


def settings_of(
    identity: Mapping[str, Any], checker: SampleChecker, outputs: Sequence[Output]
) -> Mapping[str, Any]:
    """Return what the outputs of a run depend on, in JSON; `identity` is that of the samples."""
    sources = None
    if checker.sources is not None:
        # A digest, as the record may be passed on with the data.
        texts = [(each.id, each.text, each.title, each.url) for each in checker.sources]
        sources = hashlib.sha256(json.dumps(texts).encode()).hexdigest()[:16]
    settings = {
        "citeguard": version("pydantic-citeguard"),
        "samples": dict(identity),
        "model": _name_of(checker.model),
        "policy": _name_of(checker.given_policy),
        "sources": sources,
        "fields": asdict(checker.fields),
        "outputs": {each.path.name: sorted(each.outcomes) for each in outputs},
    }
    return json.loads(json.dumps(settings))


def _name_of(value: Any) -> str:
    if isclass(value) or isroutine(value):
        return f"{value.__module__}.{value.__qualname__}"
    return re.sub(r" at 0x[0-9a-fA-F]+", "", repr(value))
