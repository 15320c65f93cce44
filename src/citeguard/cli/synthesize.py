"""`citeguard synthesize`: labelled samples made from sources, true ones and wrong ones."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, cast

import typer
from rich.table import Table

from citeguard.cli.arguments import SOURCE_FILES
from citeguard.cli.display import plain_console, print_json, visible
from citeguard.cli.statuses import ExitStatus
from citeguard.datasets.reading import errors_naming
from citeguard.errors import CiteguardError
from citeguard.language.excerpts import counted_as
from citeguard.sources.collection import Sources

_STANDARD_OUTPUT = "-"


class TargetChoice(StrEnum):
    """What is made wrong."""

    QUOTE = "quote"
    STATEMENT = "statement"


def synthesize_command(
    paths: Annotated[
        list[str],
        typer.Argument(metavar="PATH", help=SOURCE_FILES),
    ],
    to: Annotated[
        str, typer.Option("--to", metavar="FILE.jsonl", help="The file; - is standard output.")
    ],
    *,
    target: Annotated[
        TargetChoice,
        typer.Option("--target", metavar="TARGET", help="What is made wrong: quote or statement."),
    ] = TargetChoice.QUOTE,
    kinds: Annotated[
        list[str] | None,
        typer.Option(
            "--kind",
            metavar="KIND",
            help="How: negation, number, unit, date, entity, quantifier, role_swap, stitched, "
            "misattributed, clipped or fabricated; may be given several times.  [default: all]",
        ),
    ] = None,
    count: Annotated[
        int | None,
        typer.Option(
            "--count",
            metavar="N",
            min=1,
            help="The most true quotes to start from.  [default: all]",
        ),
    ] = None,
    each: Annotated[
        int, typer.Option("--each", metavar="N", min=1, help="The most wrong ones made from each.")
    ] = 1,
    originals: Annotated[
        bool,
        typer.Option("--originals", help="Also write the true ones, before those made from them."),
    ] = False,
    without_sources: Annotated[
        bool,
        typer.Option(
            "--without-sources",
            help="Omit the sources from the samples; pass them to other commands by --sources.",
        ),
    ] = False,
    seed: Annotated[
        int, typer.Option("--seed", metavar="N", min=0, help="Another seed gives other samples.")
    ] = 0,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace an existing file.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> int:
    """Make labelled wrong quotes or statements from the sentences of your sources.

        citeguard synthesize handbook.txt faq.md --to made.jsonl --originals

        citeguard evaluate made.jsonl --label-field label

    Each is wrong in one known way, such as another number or a lost "not", which its field negative
    describes. They are made by rules, without a model, and are the same for the same seed. Use them
    to measure a check on your own documents, or to train one.

    Exit status:

          0  written
          1  nothing written: nothing could be made from these sources
          2  it could not run
        130  interrupted
    """
    _check_output(to, overwrite=overwrite)
    sources = Sources.from_paths(paths)
    from citeguard.datasets import synthetic_samples
    from citeguard.datasets.synthesis.negative import KINDS

    counts: Counter[str] = Counter()
    samples = synthetic_samples(
        _items(sources, count, seed),
        kinds=cast("Any", kinds or KINDS),
        seed=seed,
        each=each,
        target=cast("Any", target.value),
        originals=originals,
    )
    left_out = "sources" if without_sources else None
    _write(_counted(samples, counts, left_out), to)
    if to != _STANDARD_OUTPUT:
        tell = print_json if as_json else show
        tell({"to": to, "samples": counts.total(), "kinds": dict(sorted(counts.items()))})
    return ExitStatus.PASSED if counts else ExitStatus.FAILED


def show(data: dict[str, Any]) -> None:
    """Print how many samples of each kind were written."""
    console = plain_console()
    written = f" in {visible(data['to'])}" if data["samples"] else ": nothing could be made"
    console.print(f"{counted_as(data['samples'], 'sample')}{written}")
    if data["samples"]:
        table = Table()
        table.add_column("Kind")
        table.add_column("Samples", justify="right")
        for kind, count in data["kinds"].items():
            table.add_row(kind, f"{count:,}")
        console.print(table)


def _items(sources: Sources, count: int | None, seed: int) -> Iterator[tuple[str, str, Sources]]:
    from citeguard.datasets import true_quotes

    spans = true_quotes(sources, count=count, seed=seed)
    return ((sources.slice(span), span.source_id, sources) for span in spans)


def _counted(
    samples: Iterable[dict[str, Any]], counts: Counter[str], left_out: str | None
) -> Iterator[dict[str, Any]]:
    for sample in samples:
        negative = sample["negative"]
        counts["true" if negative is None else negative["kind"]] += 1
        yield {key: value for key, value in sample.items() if key != left_out}


def _check_output(to: str, *, overwrite: bool) -> None:
    if to == _STANDARD_OUTPUT:
        return
    if not to.lower().endswith(".jsonl"):
        raise CiteguardError(f"--to {to!r} must name a file that ends in .jsonl")
    if Path(to).exists() and not overwrite:
        raise CiteguardError(f"{to}: there already; remove it, or give --overwrite")


def _write(samples: Iterable[dict[str, Any]], to: str) -> None:
    """Write samples as lines; the file appears only when it is complete and not empty."""
    lines = (f"{json.dumps(sample)}\n" for sample in samples)
    if to == _STANDARD_OUTPUT:
        sys.stdout.writelines(lines)
        return
    partial = Path(f"{to}.partial")
    try:
        with errors_naming(str(partial)), partial.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(lines)
        if partial.stat().st_size:
            partial.replace(to)
    finally:
        partial.unlink(missing_ok=True)
