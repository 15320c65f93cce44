"""`citeguard filter`: the good samples of a file separated from the bad ones."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from rich.text import Text

from citeguard.cli.arguments import (
    AsJson,
    JudgeOptions,
    Quiet,
    SampleInput,
    Support,
    flag,
    option,
    with_judge,
    with_samples,
)
from citeguard.cli.output import (
    ExitStatus,
    codes_data,
    plain_console,
    print_result,
    show_codes,
    show_models,
)
from citeguard.datasets.fields import Fields
from citeguard.judges.usage import models_data
from citeguard.language.excerpts import counted_as
from citeguard.sources.collection import Sources

if TYPE_CHECKING:
    from citeguard.datasets.outputs import FilterSummary

_OUTPUTS = "Files to write"
_output = partial(option, "FILE", group=_OUTPUTS)


@with_judge
@with_samples
def filter_command(
    samples: SampleInput,
    sources: Sources | None,
    fields: Fields,
    *,
    support: Support = False,
    max_rejected: Annotated[
        float | None,
        option(
            "SHARE",
            "Exit with 1 if more than this share of the samples, 0 to 1, is rejected.",
            min=0.0,
            max=1.0,
        ),
    ] = None,
    strict: Annotated[bool, flag("--strict", "Stop at a line that cannot be read.")] = False,
    workers: Annotated[
        int | None, option("N", "Processes.  [default: one per core]", min=1)
    ] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
    kept: Annotated[str | None, _output("Samples that passed, unchanged.")] = None,
    rejected: Annotated[
        str | None, _output("Samples that failed, each with its problems in the field citeguard.")
    ] = None,
    undecided: Annotated[
        str | None,
        _output(
            "With --support or --judge, undecided samples; by default they are among the rejected "
            "ones."
        ),
    ] = None,
    restart: Annotated[
        bool,
        flag("--restart", "Start again and overwrite files, instead of resuming.", group=_OUTPUTS),
    ] = False,
    judge: JudgeOptions | None = None,
) -> int:
    """Separate samples whose quotes all appear in their sources from the others.

        citeguard filter samples.jsonl --kept good.jsonl --rejected bad.jsonl

        citeguard filter qa.jsonl --sources docs/*.txt --kept good.jsonl
            --answer-field response --quotes-field 'evidence[].text'

    A sample is an object with the answer, and the sources that it was given:

        {"sources": {"handbook": "Notice is one month."},
         "statements": [{"text": "It takes a month.",
                         "citations": [{"quote": "one month"}]}]}

    Samples without their own sources are checked against those of --sources. Without a file to
    write, samples are only counted. An interrupted run resumes if it is started again with the same
    options.

    Exit status:

          0  done, however many were rejected
          1  more than --max-rejected were rejected
          2  the filter could not run
          3  with the undecided ones, more than --max-rejected; or no samples
        130  interrupted
    """
    from citeguard.datasets import filter_samples
    from citeguard.validation.policy import Policy

    if judge is not None:
        judge()  # now: what is wrong with it should not wait until files are open
    summary = filter_samples(
        samples,
        sources=sources,
        policy=judge or (Policy.fast() if support else None),
        fields=fields,
        kept=kept,
        rejected=rejected,
        undecided=undecided,
        workers=workers,
        strict=strict,
        restart=restart,
        progress=not quiet,
    )
    print_result(as_json, as_data, show, summary)
    return ExitStatus.PASSED if max_rejected is None else _status(summary, max_rejected)


def as_data(summary: FilterSummary) -> dict[str, Any]:
    """Return a summary as JSON-like data."""
    return {
        "read": summary.read,
        "kept": summary.kept,
        "rejected": summary.rejected,
        "undecided": summary.undecided,
        **models_data(summary.models),
        **codes_data(summary),
    }


def show(summary: FilterSummary) -> None:
    """Print the counts, and why samples were not kept."""
    console = plain_console()
    share = f" ({100 * summary.rejected / summary.read:.1f} %)" if summary.rejected else ""
    counts = Text.assemble(
        f"{counted_as(summary.read, 'sample')}: ",
        (f"{summary.kept:,} kept", "green"),
        ", ",
        (f"{summary.rejected:,} rejected{share}", "red" if summary.rejected else ""),
        ", ",
        (f"{summary.undecided:,} undecided", "yellow" if summary.undecided else ""),
    )
    console.print(counts)
    show_models(console, summary.models)
    show_codes(console, summary)


def _status(summary: FilterSummary, most: float) -> ExitStatus:
    if not summary.read:
        return ExitStatus.UNDECIDED
    if summary.rejected > most * summary.read:
        return ExitStatus.FAILED
    if summary.rejected + summary.undecided > most * summary.read:
        return ExitStatus.UNDECIDED
    return ExitStatus.PASSED
