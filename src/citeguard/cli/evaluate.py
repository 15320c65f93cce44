"""`citeguard evaluate`: how good the citations of samples are, and the verdicts on them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table
from rich.text import Text

from citeguard.cli.arguments import samples_argument, sources_option
from citeguard.cli.display import plain_console, print_json, visible
from citeguard.cli.field_options import samples_of, shared_sources, with_fields
from citeguard.cli.reasons import as_example
from citeguard.cli.statuses import ExitStatus
from citeguard.datasets.fields import Fields
from citeguard.fitting import counted_as

if TYPE_CHECKING:
    from citeguard.datasets.evaluation import Evaluation, LabelQuality
    from citeguard.metrics import CitationOverlap, Interval, Share

_AGAINST = "To compare with (needs the extra metrics)"
_CLASS_MEASURES = {
    "precision": "precision",
    "recall": "recall",
    "F1": "f1",
    "0.3 precision + 0.7 recall": "recall_weighted_f",
}


@with_fields
def evaluate(
    samples: Annotated[str, samples_argument("ANSWERS.jsonl")],
    sources: Annotated[list[str] | None, sources_option(after="ANSWERS.jsonl")] = None,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")] = False,
    label_field: Annotated[
        str | None,
        typer.Option(
            "--label-field",
            metavar="EXPR",
            rich_help_panel=_AGAINST,
            help="Whether a sample is supported: supported, true or 1; or unsupported, "
            "contradicted, false or 0.",
        ),
    ] = None,
    gold_field: Annotated[
        str | None,
        typer.Option(
            "--gold-field",
            metavar="EXPR",
            rich_help_panel=_AGAINST,
            help="The citations that it should have: objects with quote and source_id, or texts.",
        ),
    ] = None,
    target_precision: Annotated[
        float | None,
        typer.Option(
            "--target-precision",
            metavar="P",
            rich_help_panel=_AGAINST,
            help="Find the score from which on samples are supported with this precision.",
        ),
    ] = None,
    target_recall: Annotated[
        float | None,
        typer.Option(
            "--target-recall",
            metavar="P",
            rich_help_panel=_AGAINST,
            help="Find the score from which on they have this recall.",
        ),
    ] = None,
    fields: Fields,
) -> int:
    """Measure how good citations are, and how far citeguard's verdicts can be trusted.

        citeguard evaluate answers.jsonl --sources docs/*.txt

        citeguard evaluate answers.jsonl --label-field label
            --target-precision 0.95

    It tells which share of the quotes stand in their source, and which share of the statements are
    supported by what they cite: so says the verifier that comes with the package, without a model.
    With labels it tells how often that verdict is right; with gold citations, how far the citations
    are those. What could not be told is no part of a share, and is counted beside it. Samples are
    those of citeguard filter.

    Exit status:

          0  measured, whatever came of it
          2  it could not be measured
        130  interrupted
    """
    from citeguard.datasets import evaluate_samples

    found = evaluate_samples(
        samples_of(samples),
        sources=shared_sources(sources),
        fields=fields,
        label=label_field,
        gold=gold_field,
        precision=target_precision,
        recall=target_recall,
    )
    if as_json:
        print_json(found.as_data())
    else:
        show(found)
    return ExitStatus.PASSED


def show(found: Evaluation) -> None:
    """Print tables of what was measured."""
    console = plain_console()
    console.print(_counts(found))
    for code, count in found.unreadable.items():
        told = as_example(found.examples[code])
        console.print(Text(f"not measured: {count:,} by {visible(code)}: {told}", "yellow"))
    console.print(_citations(found))
    if found.labels is not None:
        console.print(_labels(found.labels))
        if found.labels.target:
            console.print(_threshold(found.labels))
    if found.gold is not None:
        console.print(_gold(found.gold, found.without_gold))


def _counts(found: Evaluation) -> Text:
    samples = found.samples
    told = Text(
        f"{counted_as(found.read, 'sample')}: {samples.yes:,} would be kept, "
        f"{samples.no:,} rejected, {samples.undecided:,} undecided"
    )
    if found.problems:
        problems = ", ".join(f"{visible(code)} {count:,}" for code, count in found.problems.items())
        told.append(f"\nproblems: {problems}")
    return told


def _citations(found: Evaluation) -> Table:
    cited = found.citations
    rows = [
        ("quotes that stand in their source", found.quotes),
        ("statements that pass", found.statements),
        ("citation recall: statements supported", cited.recall),
        ("citation precision: citations that count", cited.precision),
        ("citation redundancy: not needed", cited.redundancy),
    ]
    table = _table("Citations", "Share", "Of", "Undecided")
    for name, share in rows:
        table.add_row(name, *_share(share))
    for name, value in (("recall", cited.mean_recall), ("precision", cited.mean_precision)):
        table.add_row(f"mean citation {name} of an answer", _number(value), "", "")
    return table


def _labels(found: LabelQuality) -> Table:
    table = _table("Verdicts against labels", "Supported", "Wrong")
    sides = (found.supported, found.wrong)
    for name, measure in _CLASS_MEASURES.items():
        table.add_row(name, *(_number(getattr(side, measure)) for side in sides))
    table.add_row("balanced accuracy", _number(found.supported.balanced_accuracy), "")
    table.add_row("ROC-AUC of the scores", _number(found.roc_auc), "")
    table.add_row("calibration error of the scores", _number(found.calibration.error), "")
    decided = [side.true_positives + side.false_negatives for side in sides]
    table.add_row("labels, decided", *(f"{count:,}" for count in decided))
    undecided = [side.undecided_positives for side in sides]
    table.add_row("labels, undecided: only in the scores", *(f"{count:,}" for count in undecided))
    if found.unlabelled:
        table.add_row("samples without a label", f"{found.unlabelled:,}", "")
    return table


def _threshold(found: LabelQuality) -> Table:
    """Return what the threshold does; a dash if no score reaches the target."""
    is_precision = found.target.precision is not None
    wanted = found.target.precision if is_precision else found.target.recall
    name = "precision" if is_precision else "recall"
    table = _table(f"Threshold for a {name} of {wanted}, on these labels", "", "95 % interval")
    if (chosen := found.threshold) is None:
        table.add_row("supported from a score of", _number(None), "")
        return table
    table.add_row("supported from a score of", _number(chosen.value), "")
    precision, recall = chosen.quality.precision, chosen.quality.recall
    table.add_row("precision", _number(precision), _interval(chosen.precision_interval))
    table.add_row("recall", _number(recall), _interval(chosen.recall_interval))
    return table


def _gold(found: CitationOverlap, without: int) -> Table:
    table = _table("Citations against gold ones", "")
    table.add_row("the same source", _number(found.exact_source))
    table.add_row("ROUGE-L", _number(found.rouge_l))
    table.add_row("both, half and half", _number(found.combined))
    table.add_row("gold citations that are missing", f"{found.missing:,} of {found.gold:,}")
    table.add_row("citations that are no gold ones", f"{found.spurious:,} of {found.predicted:,}")
    if without:
        table.add_row("samples without gold citations", f"{without:,}")
    return table


def _table(name: str, *columns: str) -> Table:
    table = Table()
    table.add_column(name, overflow="fold")
    for column in columns:
        table.add_column(column, justify="right", no_wrap=True)
    return table


def _share(share: Share) -> tuple[str, str, str]:
    return _number(share.value), f"{share.decided:,}", f"{share.undecided:,}"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _interval(found: Interval) -> str:
    return f"{found.low:.3f} to {found.high:.3f}"
