"""The commands on files of samples: `filter`, `evaluate` and `export`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from citeguard.cli.arguments import (
    AsJson,
    JudgeOptions,
    Quiet,
    SampleOptions,
    Support,
    flag,
    option,
    option_of,
)
from citeguard.cli.output import (
    ExitStatus,
    as_example,
    plain_console,
    print_lines,
    print_result,
    table_of,
    visible,
)
from citeguard.datasets.formats import Form
from citeguard.judges.usage import models_data
from citeguard.language.excerpts import counted_as

if TYPE_CHECKING:
    from citeguard.datasets.evaluation import Evaluation, LabelQuality
    from citeguard.datasets.exporting import ExportSummary
    from citeguard.datasets.filter_files import FilterSummary


_OUTPUTS = "Files to write"
_output = partial(option, "FILE", group=_OUTPUTS)
_against = partial(option, group="Compare with labels (needs the extra metrics)")
_written = partial(option, group="How samples are written")
_splits = partial(option, group="Splits")
_MOST_CODES = 20  # a validator of the user's own may raise any number of codes
_HINTS = {
    "sources_missing": "No sample has sources: name their field with "
    f"{option_of('sources')}, or give files for all samples with --sources.",
    "answer_missing": "No sample has an answer: name its field with "
    f"{option_of('answer')} or {option_of('statements')}, and that of the quotes, if they are not "
    f"part of citations, with {option_of('quotes')}.",
    "question_missing": f"No sample has a question: name its field with {option_of('question')}.",
}


def filter_command(
    samples: SampleOptions,
    *,
    support: Support = False,
    max_rejected: Annotated[
        float | None,
        option("SHARE", "Exit with 1 if a larger share is rejected, 0 to 1.", min=0.0, max=1.0),
    ] = None,
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
        str | None, _output("Undecided samples; by default they are among the rejected ones.")
    ] = None,
    restart: Annotated[
        bool, flag("--restart", "Start again, and overwrite files.", group=_OUTPUTS)
    ] = False,
    judge: JudgeOptions,
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
          3  with the undecided ones, more than --max-rejected; or no samples
    """
    from citeguard.datasets import filter_samples
    from citeguard.validation.policy import Policy

    if judge:
        judge()  # now: what is wrong with it should not wait until files are open
    summary = filter_samples(
        **samples.arguments(quiet=quiet),
        policy=judge or (Policy.fast() if support else None),
        kept=kept,
        rejected=rejected,
        undecided=undecided,
        workers=workers,
        restart=restart,
        progress=not quiet,
    )
    print_result(as_json, _summary_data, _show_summary, summary)
    if max_rejected is None:
        return ExitStatus.PASSED
    most = max_rejected * summary.read
    if summary.read and summary.rejected + summary.undecided <= most:
        return ExitStatus.PASSED
    if not summary.read:
        typer.echo("citeguard: there are no samples", err=True)
        return ExitStatus.UNDECIDED
    has_failed, counts = summary.rejected > most, f"{summary.rejected} rejected"
    counts += "" if has_failed else f" and {summary.undecided} undecided"
    allowed = f"more than --max-rejected {max_rejected:g} allows"
    typer.echo(f"citeguard: {counts} of {summary.read}: {allowed}", err=True)
    return ExitStatus.FAILED if has_failed else ExitStatus.UNDECIDED


def _summary_data(summary: FilterSummary, **more: Any) -> dict[str, Any]:
    counts = {name: getattr(summary, name) for name in ("read", "kept", "rejected", "undecided")}
    codes = [
        {"code": code, "samples": count, "example": summary.examples[code]}
        for code, count in summary.codes.items()
    ]
    return {**counts, **models_data(summary.models), **more, "codes": codes, "hint": _hint(summary)}


def evaluate(
    samples: SampleOptions,
    *,
    as_json: AsJson = False,
    label_field: Annotated[
        str | None,
        _against("EXPR", "Whether a sample is supported: its verdict, true or false, 1 or 0."),
    ] = None,
    target_precision: Annotated[
        float | None, _against("P", "Find the lowest score with this precision.")
    ] = None,
    target_recall: Annotated[
        float | None, _against("P", "Find the highest score with this recall.")
    ] = None,
    judge: JudgeOptions,
) -> int:
    """Measure the quality of citations, and of citeguard's own verdicts.

        citeguard evaluate answers.jsonl --sources docs/*.txt

        citeguard evaluate answers.jsonl --label-field label
            --target-precision 0.95

    It measures what share of the quotes appear in their source, and what share of the statements
    are supported by what they cite; with labels, how often that verdict is right. Undecided items
    are excluded from a share and counted beside it. The samples are those of citeguard filter.

    Exit status:

          0  measured, whatever the result
    """
    from citeguard.datasets import evaluate_samples

    result = evaluate_samples(
        **samples.arguments(),
        judge=judge().support if judge else None,
        budget=judge.budget if judge else None,
        label=label_field,
        precision=target_precision,
        recall=target_recall,
    )
    print_result(as_json, type(result).as_data, _show_evaluation, result)
    return ExitStatus.PASSED


def _show_evaluation(result: Evaluation) -> None:
    console, samples = plain_console(), result.samples
    refusals = f", {counted_as(result.refusals, 'refusal')}" if result.refusals else ""
    print_lines(
        f"{counted_as(result.read, 'sample')}: {samples.yes:,} would be kept, "
        f"{samples.no:,} rejected, {samples.undecided:,} undecided{refusals}"
    )
    if result.problems:
        problems = (f"{visible(code)} {count:,}" for code, count in result.problems.items())
        print_lines(f"problems: {', '.join(problems)}")
    for code, count in result.unreadable.items():
        print_lines(f"not measured: {count:,} by {code}: {as_example(result.examples[code])}")
    cited = result.citations
    shares = {
        "quotes found in their source": result.quotes,
        "statements that pass": result.statements,
        "citation recall: statements supported": cited.recall,
        "citation precision: citations that count": cited.precision,
    }
    rows: list[Any] = [
        *((name, each.value, each.decided, each.undecided) for name, each in shares.items()),
        ("mean citation recall of an answer", cited.mean_recall),
        ("mean citation precision of an answer", cited.mean_precision),
    ]
    console.print(table_of(["Citations", "Share", "Of", "Undecided"], rows))
    print_lines(*map(str, result.models))
    if result.labels is not None:
        for table in _label_tables(result.labels):
            console.print(table)


def _label_tables(quality: LabelQuality) -> Iterator[Table]:
    """Yield how verdicts agree with labels, and the threshold for a target if there is one."""
    measures = {
        "precision": "precision",
        "recall": "recall",
        "F1": "f1",
        "0.3 precision + 0.7 recall": "recall_weighted_f",
    }
    sides = (quality.supported, quality.wrong)
    rows: list[Any] = [
        *((name, *(getattr(side, it) for side in sides)) for name, it in measures.items()),
        ("balanced accuracy", quality.supported.balanced_accuracy),
        ("ROC-AUC of the scores", quality.roc_auc),
        ("calibration error of the scores", quality.calibration.error),
        ("labels, decided", *(side.true_positives + side.false_negatives for side in sides)),
        ("labels, undecided: only in the scores", *(side.undecided_positives for side in sides)),
    ]
    if quality.unlabelled:
        rows.append(("samples without a label", quality.unlabelled))
    yield table_of(["Verdicts against labels", "Supported", "Wrong"], rows)
    if not quality.target:
        return
    [(name, wanted)] = quality.target.items()
    title = f"Threshold for a {name} of {wanted}, on these labels"
    rows = [("supported from a score of", quality.threshold and quality.threshold.value)]
    if quality.threshold is not None:
        for name in ("precision", "recall"):
            interval = getattr(quality.threshold, f"{name}_interval")
            shown = f"{interval.low:.3f} to {interval.high:.3f}"
            rows.append((name, getattr(quality.threshold.quality, name), shown))
    yield table_of([title, "", "95 % interval"], rows)


def export(
    samples: SampleOptions,
    *,
    to: Annotated[str, option("FOLDER", "The folder to write.")],
    support: Annotated[
        bool, flag("--support", "Export only what the reader finds supported.")
    ] = False,
    overwrite: Annotated[bool, flag("--overwrite", "Replace an earlier export.")] = False,
    as_json: AsJson = False,
    form: Annotated[
        Form, _written("FORM", "chat, preference (OpenAI), completion or chosen-rejected (TRL).")
    ] = "chat",
    validation: Annotated[float, _splits("SHARE", "The share for validation, 0 to below 1.")] = 0.1,
    test: Annotated[float, _splits("SHARE", "The share for testing, 0 to below 1.")] = 0.0,
    seed: Annotated[int, _splits("N", "The seed of the random split.")] = 0,
    group_field: Annotated[
        str | None, _splits("EXPR", "What stays in one split.  [default: what shares a source]")
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
    """
    from citeguard.datasets import NothingExportedError, export_samples
    from citeguard.validation.policy import Policy

    status = ExitStatus.PASSED
    try:
        summary = export_samples(
            to=to,
            **samples.arguments(),
            form=form,
            validation=validation,
            test=test,
            seed=seed,
            group=group_field,
            policy=Policy.fast() if support else None,
            overwrite=overwrite,
        )
    except NothingExportedError as error:
        summary, status = error.summary, ExitStatus.FAILED
    print_result(as_json, _export_data, _show_summary, summary)
    return status


def _export_data(summary: ExportSummary) -> dict[str, Any]:
    names = ("fingerprint", "duplicates", "longest", "warnings")
    return _summary_data(
        summary,
        folder=str(summary.folder),
        splits={split: asdict(facts) for split, facts in summary.splits.items()},
        **{name: getattr(summary, name) for name in names},
    )


def _show_summary(summary: Any) -> None:
    """Print the counts, and how many samples have each error code.

    Of an `ExportSummary` also the splits and warnings; and a hint if all samples lack some field.
    """
    counts, *_ = str(summary).splitlines()
    print_lines(counts, *map(str, summary.models))
    if splits := getattr(summary, "splits", None):
        columns = [visible(f"In {summary.folder}"), "Samples", "Documents"]
        rows = [(split, each.samples, each.documents) for split, each in splits.items()]
        plain_console().print(table_of(columns, rows))
    codes = summary.codes
    if codes:
        table = Table(expand=True)
        table.add_column("Problem", overflow="fold")
        table.add_column("Samples", justify="right")
        table.add_column("The first message", ratio=1, overflow="fold")
        for code, count in list(codes.items())[:_MOST_CODES]:
            table.add_row(visible(code), f"{count:,}", as_example(summary.examples[code]))
        plain_console().print(table)
    if (more := len(codes) - _MOST_CODES) > 0:
        print_lines(f"and {counted_as(more, 'other problem')}")
    print_lines(*filter(None, [_hint(summary)]), *getattr(summary, "warnings", ()))


def _hint(summary: FilterSummary) -> str | None:
    read, codes = summary.read, summary.codes
    return next((hint for code, hint in _HINTS.items() if read and codes.get(code) == read), None)
