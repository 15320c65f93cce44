"""What a run has done so far, kept in a file, so that a run that was stopped can go on."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from inspect import isclass, isroutine
from os import PathLike
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from citeguard.datasets.filtering.outputs import Output
from citeguard.datasets.filtering.summary import FilterSummary
from citeguard.datasets.reading import Reader, errors_naming
from citeguard.datasets.samples import SampleChecker
from citeguard.errors import CiteguardError
from citeguard.sources.collection import Sources

_HOW = " (restart=True, --restart)"

Settings = Mapping[str, Any]
"""What a run depends on, in JSON."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRecord:
    """How far a run is.

    Attributes:
        settings: What it depends on.
        summary: What came of the samples so far.
        sizes: How much of each partial file belongs to these, in bytes.
        all_read: Whether there are no further samples; then the files may have been finished.
    """

    settings: Settings
    summary: FilterSummary = field(default_factory=FilterSummary)
    sizes: tuple[int, ...] = ()
    all_read: bool = False

    def save(self, path: Path) -> None:
        """Write the record in place of the one that was there.

        Raises:
            CiteguardError: it cannot be written.
        """
        new = path.with_name(f"{path.name}.new")
        with errors_naming(str(path)):
            new.write_text(json.dumps(asdict(self), indent=2) + "\n", encoding="utf-8")
            new.replace(path)


def begin(path: Path, outputs: Sequence[Output], settings: Settings, *, restart: bool) -> RunRecord:
    """Return the record that a run begins with: that of the run before, or a new one.

    Raises:
        CiteguardError: the run before had other settings, left files without a record, or has lost
            its files; or the record cannot be read.
    """
    new = RunRecord(settings=settings, sizes=(0,) * len(outputs))
    if restart:
        return new
    record = _load(path)
    if record is None:
        if there := [str(path) for output in outputs for path in output.there]:
            names = ", ".join(there)
            raise CiteguardError(f"{names}: there already; remove it, or begin anew{_HOW}")
        return new
    if record.settings != settings:
        changed = " and ".join(_difference(record.settings, settings))
        raise CiteguardError(
            f"{path}: this is the record of a run with other {changed}; give the same as then, "
            f"or begin anew{_HOW}"
        )
    for output in outputs:
        if record.all_read and not (output.path.exists() or output.partial.exists()):
            told = f"{output.path}: written by the run that {path} records, and gone"
            raise CiteguardError(f"{told}; begin anew{_HOW}")
    return record


def read_summary(path: str | PathLike[str]) -> FilterSummary:
    """Return what came of a filter, from the record that it left beside its first file.

    Args:
        path: The record, `NAME.run.json`.

    Raises:
        CiteguardError: there is no such file, it is no record, or the run did not end.
    """
    record = _load(Path(path))
    if record is None:
        raise CiteguardError(f"{path}: no such file")
    if not record.all_read:
        raise CiteguardError(f"{path}: the filter has not come to its end: run it again to go on")
    return record.summary


def _load(path: Path) -> RunRecord | None:
    if not path.exists():
        return None
    with errors_naming(str(path)):
        said = path.read_bytes()
    try:
        # Pydantic's JSON has no lone surrogates; names of files that are not UTF-8 have.
        return TypeAdapter(RunRecord).validate_python(json.loads(said))
    except (ValueError, RecursionError) as error:
        message = f"{path}: no record of a run; remove it, or begin anew{_HOW}"
        raise CiteguardError(message) from error


def settings_of(
    reader: Reader, checker: SampleChecker, outputs: Iterable[Output], chunk: int
) -> Settings:
    """Return what the outputs of a run depend on, in JSON."""
    settings = {
        "citeguard": version("pydantic-citeguard"),
        "samples": dict(reader.identity),
        "model": _name_of(checker.model),
        "policy": _name_of(checker.given_policy),
        "sources": None if checker.sources is None else _digest_of(checker.sources),
        "fields": asdict(checker.fields),
        "outputs": {each.path.name: sorted(each.outcomes) for each in outputs},
        "chunk": chunk,
    }
    return json.loads(json.dumps(settings))


def _difference(one: Settings, other: Settings) -> list[str]:
    return [name for name in {**one, **other} if one.get(name) != other.get(name)]


def _name_of(value: Any) -> str:
    if isclass(value) or isroutine(value):
        return f"{value.__module__}.{value.__qualname__}"
    return re.sub(r" at 0x[0-9a-fA-F]+", "", repr(value))


def _digest_of(sources: Sources) -> str:
    texts = [(source.id, source.text, source.title, source.url) for source in sources]
    return hashlib.sha256(json.dumps(texts).encode()).hexdigest()[:16]
