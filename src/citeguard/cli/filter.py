"""`citeguard filter`: the good samples of a file parted from the bad ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from citeguard.cli.arguments import Support, samples_argument, sources_option
from citeguard.cli.display import plain_console, print_json
from citeguard.cli.field_options import samples_of, shared_sources, with_fields
from citeguard.cli.reasons import hint_of, reasons_data, show_reasons
from citeguard.cli.statuses import ExitStatus
from citeguard.datasets.fields import Fields
from citeguard.fitting import counted_as

if TYPE_CHECKING:
    from citeguard.datasets.filtering.run_record import FilterSummary

_OUTPUTS = "Files to write"


@with_fields
def filter_command(
    samples: Annotated[str, samples_argument("SAMPLES.jsonl")],
    sources: Annotated[list[str] | None, sources_option(after="SAMPLES.jsonl")] = None,
    *,
    support: Support = False,
    max_rejected: Annotated[
        float | None,
        typer.Option(
            "--max-rejected",
            metavar="SHARE",
            min=0.0,
            max=1.0,
            help="Exit with 1 if more than this share of the samples, 0 to 1, is rejected.",
        ),
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Stop at a line that cannot be read.")
    ] = False,
    workers: Annotated[
        int | None,
        typer.Option("--workers", metavar="N", min=1, help="Processes.  [default: one per core]"),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Show no progress.")] = False,
    kept: Annotated[
        str | None,
        typer.Option(
            "--kept",
            metavar="FILE",
            rich_help_panel=_OUTPUTS,
            help="Samples that passed, as they came.",
        ),
    ] = None,
    rejected: Annotated[
        str | None,
        typer.Option(
            "--rejected",
            metavar="FILE",
            rich_help_panel=_OUTPUTS,
            help="Samples that did not, each with its problems in the field citeguard.",
        ),
    ] = None,
    undecided: Annotated[
        str | None,
        typer.Option(
            "--undecided",
            metavar="FILE",
            rich_help_panel=_OUTPUTS,
            help="With --support, samples of which it could not be told; by default among the "
            "rejected ones.",
        ),
    ] = None,
    restart: Annotated[
        bool,
        typer.Option(
            "--restart",
            rich_help_panel=_OUTPUTS,
            help="Begin anew, over the files that are there, instead of going on.",
        ),
    ] = False,
    fields: Fields,
) -> int:
    """Part samples whose quotes all stand in their sources from those with a bad one.

        citeguard filter samples.jsonl --kept good.jsonl --rejected bad.jsonl

        citeguard filter qa.jsonl --sources docs/*.txt --kept good.jsonl
            --answer-field response --quotes-field 'evidence[].text'

    A sample is an object with the sources that an answer was given, and the answer:

        {"sources": {"handbook": "Notice is one month."},
         "statements": [{"text": "It takes a month.",
                         "citations": [{"quote": "one month"}]}]}

    Samples without their own sources are checked against those of --sources. Without a file to
    write, samples are only counted. A run that was stopped goes on if it is started again with the
    same options.

    Exit status:

          0  done, however many were rejected
          1  more than --max-rejected were
          2  the filter could not run
          3  perhaps more than --max-rejected; or no samples
        130  interrupted
    """
    from citeguard.datasets import filter_samples
    from citeguard.policy import Policy

    summary = filter_samples(
        samples_of(samples),
        sources=shared_sources(sources),
        policy=Policy.fast() if support else None,
        fields=fields,
        kept=kept,
        rejected=rejected,
        undecided=undecided,
        workers=workers,
        strict=strict,
        restart=restart,
        progress=not quiet,
    )
    if as_json:
        print_json(as_data(summary))
    else:
        show(summary)
    return ExitStatus.PASSED if max_rejected is None else _status(summary, max_rejected)


def as_data(summary: FilterSummary) -> dict[str, Any]:
    """Return what came of a filter as JSON-like data."""
    return {
        "read": summary.read,
        "kept": summary.kept,
        "rejected": summary.rejected,
        "undecided": summary.undecided,
        "codes": reasons_data(summary.codes, summary.examples),
        "hint": hint_of(summary.codes, read=summary.read),
    }


def show(summary: FilterSummary) -> None:
    """Print the counts, and why samples were not kept."""
    console = plain_console()
    console.print(_counts(summary))
    show_reasons(console, summary.codes, summary.examples, read=summary.read)


def _counts(summary: FilterSummary) -> Text:
    share = f" ({100 * summary.rejected / summary.read:.1f} %)" if summary.rejected else ""
    return Text.assemble(
        f"{counted_as(summary.read, 'sample')}: ",
        (f"{summary.kept:,} kept", "green"),
        ", ",
        (f"{summary.rejected:,} rejected{share}", "red" if summary.rejected else ""),
        ", ",
        (f"{summary.undecided:,} undecided", "yellow" if summary.undecided else ""),
    )


def _status(summary: FilterSummary, most: float) -> ExitStatus:
    if not summary.read:
        return ExitStatus.UNDECIDED
    if summary.rejected > most * summary.read:
        return ExitStatus.FAILED
    if summary.rejected + summary.undecided > most * summary.read:
        return ExitStatus.UNDECIDED
    return ExitStatus.PASSED
