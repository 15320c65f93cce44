"""`citeguard export`: samples written for training."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from rich.text import Text

from citeguard.cli.arguments import AsJson, SampleInput, flag, option, with_samples
from citeguard.cli.output import (
    ExitStatus,
    codes_data,
    plain_console,
    print_result,
    show_codes,
    table_of,
    visible,
)
from citeguard.datasets.export.formats import AnswerKind, Form, PromptKind
from citeguard.datasets.fields import Fields
from citeguard.language.excerpts import counted_as
from citeguard.sources.collection import Sources

if TYPE_CHECKING:
    from citeguard.datasets.export.card import ExportSummary

_written = partial(option, group="How samples are written")
_splits = partial(option, group="Splits")
_card = partial(option, group="The card")


@with_samples
def export(
    samples: SampleInput,
    sources: Sources | None,
    fields: Fields,
    *,
    to: Annotated[str, option("FOLDER", "The folder to write.")],
    support: Annotated[
        bool,
        flag(
            "--support",
            "Export only statements that are supported by what they cite, judged without a "
            "language model.",
        ),
    ] = False,
    overwrite: Annotated[bool, flag("--overwrite", "Replace an earlier export.")] = False,
    as_json: AsJson = False,
    form: Annotated[
        Form,
        _written(
            "FORM",
            "chat or preference, for OpenAI; completion: a prompt and a completion; "
            "chosen-rejected: pairs, for TRL.",
        ),
    ] = "chat",
    prompt: Annotated[
        PromptKind,
        _written(
            "PROMPT", "instruction: the question with its sources; simple: the question alone."
        ),
    ] = "instruction",
    answer: Annotated[
        AnswerKind | None,
        _written(
            "ANSWER",
            "json; text: sentences with their quotes; plain: sentences alone.  [default: json, or "
            "plain with --prompt simple, except for pairs]",
        ),
    ] = None,
    system: Annotated[
        str | None, _written("TEXT", "Another system message; an empty one omits it.")
    ] = None,
    rejected_field: Annotated[
        str, _written("EXPR", "Earlier attempts of a sample, for pairs.")
    ] = "rejected",
    validation: Annotated[float, _splits("SHARE", "The share for validation, 0 to below 1.")] = 0.1,
    test: Annotated[float, _splits("SHARE", "The share for testing, 0 to below 1.")] = 0.0,
    seed: Annotated[int, _splits("N", "The seed of the random split.")] = 0,
    group_field: Annotated[
        str | None,
        _splits(
            "EXPR",
            "The key of groups to keep in one split.  [default: samples that share a source]",
        ),
    ] = None,
    title: Annotated[str | None, _card("TEXT", "Its heading.")] = None,
    license_name: Annotated[
        str | None,
        _card("NAME", "The licence of the data, as a hub names it: cc-by-4.0.", "--license"),
    ] = None,
) -> int:
    """Write good samples for training: JSON lines for each split, and a card.

        citeguard export good.jsonl --to dataset

        citeguard export good.jsonl --to dataset --form completion --test 0.1
            --sources docs/*.txt

    Every sample is checked again, and written with the sources' own words; one that fails is
    omitted and counted. The samples are those of citeguard filter, with a question. Samples that
    share a source are in the same split, so that no model is tested on what it was trained on.

    Exit status:

          0  written, even if some samples were omitted
          1  nothing written: no sample is good
          2  the export could not run
        130  interrupted
    """
    from citeguard.datasets import Card, NothingExportedError, export_samples
    from citeguard.validation.policy import Policy

    status = ExitStatus.PASSED
    try:
        summary = export_samples(
            samples,
            to,
            form=form,
            prompt=prompt,
            answer=answer,
            system=system,
            validation=validation,
            test=test,
            seed=seed,
            group=group_field,
            sources=sources,
            policy=Policy.fast() if support else None,
            fields=fields,
            rejected=rejected_field,
            card=Card(title=title, license=license_name),
            overwrite=overwrite,
        )
    except NothingExportedError as error:
        summary, status = error.summary, ExitStatus.FAILED
    print_result(as_json, as_data, show, summary)
    return status


def as_data(summary: ExportSummary) -> dict[str, Any]:
    """Return a summary as JSON-like data."""
    names = ("read", "exported", "refused", "undecided")
    return {
        "folder": str(summary.folder),
        **{name: getattr(summary, name) for name in names},
        "splits": {split: asdict(facts) for split, facts in summary.splits.items()},
        "fingerprint": summary.fingerprint,
        "duplicates": summary.duplicates,
        "longest": summary.longest,
        "warnings": list(summary.warnings),
        **codes_data(summary),
    }


def show(summary: ExportSummary) -> None:
    """Print the counts, the splits, why samples were omitted, and warnings."""
    console = plain_console()
    console.print(
        f"{counted_as(summary.read, 'sample')}: {summary.exported:,} exported, "
        f"{summary.refused:,} refused, {summary.undecided:,} undecided"
    )
    if summary.splits:
        columns = [visible(f"In {summary.folder}"), "Samples", "Documents"]
        rows = [(split, each.samples, each.documents) for split, each in summary.splits.items()]
        console.print(table_of(columns, rows))
    show_codes(console, summary)
    for warning in summary.warnings:
        console.print(Text(visible(warning), "yellow"))
