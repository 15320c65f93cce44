"""`citeguard export`: samples written to train with."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from citeguard.cli.arguments import samples_argument, sources_option
from citeguard.cli.display import plain_console, print_json, visible
from citeguard.cli.field_options import samples_of, shared_sources, with_fields
from citeguard.cli.reasons import hint_of, reasons_data, show_reasons
from citeguard.cli.statuses import ExitStatus
from citeguard.datasets.fields import Fields
from citeguard.fitting import counted_as

if TYPE_CHECKING:
    from citeguard.datasets.export.card import ExportSummary

_WRITTEN = "How samples are written"
_SPLITS = "Splits"
_CARD = "The card"


class FormChoice(StrEnum):
    """The forms of `export_samples`."""

    CHAT = "chat"
    COMPLETION = "completion"
    PREFERENCE = "preference"
    CHOSEN_REJECTED = "chosen-rejected"


class PromptChoice(StrEnum):
    """The prompts of `export_samples`."""

    INSTRUCTION = "instruction"
    SIMPLE = "simple"


class AnswerChoice(StrEnum):
    """The answers of `export_samples`."""

    JSON = "json"
    TEXT = "text"
    PLAIN = "plain"


@with_fields
def export(
    samples: Annotated[str, samples_argument("SAMPLES.jsonl")],
    to: Annotated[str, typer.Option("--to", metavar="FOLDER", help="The folder to write.")],
    sources: Annotated[list[str] | None, sources_option(after="SAMPLES.jsonl")] = None,
    *,
    support: Annotated[
        bool,
        typer.Option(
            "--support",
            help="Export only what cites something that supports it, judged without a model.",
        ),
    ] = False,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace an earlier export.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")] = False,
    form: Annotated[
        FormChoice,
        typer.Option(
            "--form",
            rich_help_panel=_WRITTEN,
            metavar="FORM",
            help="chat or preference, as OpenAI reads them; completion: a prompt and a "
            "completion; chosen-rejected: pairs, as TRL reads them.",
        ),
    ] = FormChoice.CHAT,
    prompt: Annotated[
        PromptChoice,
        typer.Option(
            "--prompt",
            rich_help_panel=_WRITTEN,
            metavar="PROMPT",
            help="instruction: the question with its sources; simple: the question alone.",
        ),
    ] = PromptChoice.INSTRUCTION,
    answer: Annotated[
        AnswerChoice | None,
        typer.Option(
            "--answer",
            rich_help_panel=_WRITTEN,
            metavar="ANSWER",
            help="json; text: sentences with their quotes; plain: sentences alone.  [default: "
            "json, or plain with --prompt simple but for pairs]",
        ),
    ] = None,
    system: Annotated[
        str | None,
        typer.Option(
            "--system",
            rich_help_panel=_WRITTEN,
            metavar="TEXT",
            help="A system message of yours; an empty one for none.",
        ),
    ] = None,
    rejected_field: Annotated[
        str,
        typer.Option(
            "--rejected-field",
            rich_help_panel=_WRITTEN,
            metavar="EXPR",
            help="Where samples keep earlier attempts, for pairs.",
        ),
    ] = "rejected",
    validation: Annotated[
        float,
        typer.Option(
            "--validation",
            rich_help_panel=_SPLITS,
            metavar="SHARE",
            help="The share to validate with, 0 to below 1.",
        ),
    ] = 0.1,
    test: Annotated[
        float,
        typer.Option(
            "--test",
            rich_help_panel=_SPLITS,
            metavar="SHARE",
            help="The share to test with, likewise.",
        ),
    ] = 0.0,
    seed: Annotated[
        int,
        typer.Option(
            "--seed", rich_help_panel=_SPLITS, metavar="N", help="Another one splits otherwise."
        ),
    ] = 0,
    group_field: Annotated[
        str | None,
        typer.Option(
            "--group-field",
            rich_help_panel=_SPLITS,
            metavar="EXPR",
            help="What is not to be split.  [default: samples that share a source]",
        ),
    ] = None,
    title: Annotated[
        str | None,
        typer.Option("--title", rich_help_panel=_CARD, metavar="TEXT", help="Its heading."),
    ] = None,
    license_name: Annotated[
        str | None,
        typer.Option(
            "--license",
            rich_help_panel=_CARD,
            metavar="NAME",
            help="The licence of the data, as the hub names it: cc-by-4.0.",
        ),
    ] = None,
    filtered: Annotated[
        str | None,
        typer.Option(
            "--filtered",
            rich_help_panel=_CARD,
            metavar="NAME.run.json",
            help="The record that citeguard filter left beside its first file: how many samples "
            "were rejected, and why.",
        ),
    ] = None,
    fields: Fields,
) -> int:
    """Write good samples to train with: JSON lines for each split, and a card.

        citeguard export good.jsonl --to dataset

        citeguard export good.jsonl --to dataset --form completion --test 0.1
            --sources docs/*.txt

    Every sample is checked anew, and written with the sources' own words; one that fails is left
    out and counted. Samples are those of citeguard filter, with a question. Samples that share a
    source are in the same split, so that no model is tested on what it was trained on.

    Exit status:

          0  written, even if some samples were left out
          1  nothing written: no sample is good
          2  the export could not run
        130  interrupted
    """
    from citeguard.datasets import Card, NothingExportedError, export_samples, read_summary
    from citeguard.policy import Policy

    status = ExitStatus.PASSED
    counts = None if filtered is None else read_summary(filtered)
    try:
        summary = export_samples(
            samples_of(samples),
            to,
            form=form.value,
            prompt=prompt.value,
            answer=None if answer is None else answer.value,
            system=system,
            validation=validation,
            test=test,
            seed=seed,
            group=group_field,
            sources=shared_sources(sources),
            policy=Policy.fast() if support else None,
            fields=fields,
            rejected=rejected_field,
            card=Card(title=title, license=license_name, filtered=counts),
            overwrite=overwrite,
        )
    except NothingExportedError as error:
        summary, status = error.summary, ExitStatus.FAILED
    if as_json:
        print_json(as_data(summary))
    else:
        show(summary)
    return status


def as_data(summary: ExportSummary) -> dict[str, Any]:
    """Return what came of an export as JSON-like data."""
    return {
        "folder": str(summary.folder),
        "read": summary.read,
        "exported": summary.exported,
        "refused": summary.refused,
        "undecided": summary.undecided,
        "splits": {
            split: {"samples": facts.samples, "documents": facts.documents, "bytes": facts.bytes}
            for split, facts in summary.splits.items()
        },
        "fingerprint": summary.fingerprint,
        "duplicates": summary.duplicates,
        "longest": summary.longest,
        "warnings": list(summary.warnings),
        "codes": reasons_data(summary.codes, summary.examples),
        "hint": hint_of(summary.codes, read=summary.read),
    }


def show(summary: ExportSummary) -> None:
    """Print the counts, the splits, why samples were left out, and what one should know."""
    console = plain_console()
    console.print(
        f"{counted_as(summary.read, 'sample')}: {summary.exported:,} exported, "
        f"{summary.refused:,} refused, {summary.undecided:,} undecided"
    )
    if summary.splits:
        console.print(_splits(summary))
    show_reasons(console, summary.codes, summary.examples, read=summary.read)
    for warning in summary.warnings:
        console.print(Text(visible(warning), "yellow"))


def _splits(summary: ExportSummary) -> Table:
    table = Table()
    table.add_column(visible(f"In {summary.folder}"), overflow="fold")
    for column in ("Samples", "Documents", "Bytes"):
        table.add_column(column, justify="right")
    for split, facts in summary.splits.items():
        counts = (facts.samples, facts.documents, facts.bytes)
        table.add_row(split, *(f"{count:,}" for count in counts))
    return table
