"""`citeguard evaluate`: the quality of citations, and of the verdicts on them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated

from rich.table import Table
from rich.text import Text

from citeguard.cli.arguments import (
    AsJson,
    JudgeOptions,
    SampleInput,
    option,
    with_judge,
    with_samples,
)
from citeguard.cli.output import (
    ExitStatus,
    as_example,
    plain_console,
    print_json,
    show_models,
    visible,
)
from citeguard.datasets.fields import Fields
from citeguard.language.excerpts import counted_as
from citeguard.sources.collection import Sources

if TYPE_CHECKING:
    from citeguard.datasets.evaluation import Evaluation, LabelQuality
    from citeguard.metrics import CitationOverlap, Interval

_against = partial(option, group="Compare with (needs the extra metrics)")
_CLASS_MEASURES = {
    "precision": "precision",
    "recall": "recall",
    "F1": "f1",
    "0.3 precision + 0.7 recall": "recall_weighted_f",
}


@with_judge
@with_samples
def evaluate(
    samples: SampleInput,
    sources: Sources | None,
    fields: Fields,
    *,
    as_json: AsJson = False,
    label_field: Annotated[
        str | None,
        _against(
            "EXPR",
            "Whether a sample is supported: supported, true or 1; or unsupported, contradicted, "
            "false or 0.",
        ),
    ] = None,
    gold_field: Annotated[
        str | None,
        _against(
            "EXPR", "The citations that it should have: objects with quote and source_id, or texts."
        ),
    ] = None,
    target_precision: Annotated[
        float | None,
        _against("P", "Find the lowest score at which samples are supported with this precision."),
    ] = None,
    target_recall: Annotated[
        float | None, _against("P", "Find the highest score at which they have this recall.")
    ] = None,
    judge: JudgeOptions | None = None,
) -> int:
    """Measure the quality of citations, and of citeguard's own verdicts.

        citeguard evaluate answers.jsonl --sources docs/*.txt

        citeguard evaluate answers.jsonl --label-field label
            --target-precision 0.95

    It measures what share of the quotes appear in their source, and what share of the statements
    are supported by what they cite, according to the verifier that comes with the package and, with
    --judge, to a language model where the verifier cannot decide. With labels it measures how often
    that verdict is right; with gold citations, how far the citations agree with them. Undecided
    items are excluded from a share and counted beside it. The samples are those of citeguard
    filter.

    Exit status:

          0  measured, whatever the result
          2  it could not be measured
        130  interrupted
    """
    from citeguard.datasets import evaluate_samples

    result = evaluate_samples(
        samples,
        sources=sources,
        fields=fields,
        judge=None if judge is None else judge.policy().support,
        budget=None if judge is None else judge.budget,
        label=label_field,
        gold=gold_field,
        precision=target_precision,
        recall=target_recall,
    )
    if as_json:
        print_json(result.as_data())
    else:
        show(result)
    return ExitStatus.PASSED


def show(result: Evaluation) -> None:
    """Print tables of the measures."""
    console = plain_console()
    samples = result.samples
    console.print(
        f"{counted_as(result.read, 'sample')}: {samples.yes:,} would be kept, "
        f"{samples.no:,} rejected, {samples.undecided:,} undecided"
    )
    if result.problems:
        problems = (f"{visible(code)} {count:,}" for code, count in result.problems.items())
        console.print(f"problems: {', '.join(problems)}")
    for code, count in result.unreadable.items():
        example = as_example(result.examples[code])
        console.print(Text(f"not measured: {count:,} by {visible(code)}: {example}", "yellow"))
    console.print(_citations(result))
    show_models(console, result.models)
    if result.labels is not None:
        console.print(_labels(result.labels))
        if result.labels.target:
            console.print(_threshold(result.labels))
    if result.gold is not None:
        console.print(_gold(result.gold, result.without_gold))


def _citations(result: Evaluation) -> Table:
    cited = result.citations
    rows = [
        ("quotes found in their source", result.quotes),
        ("statements that pass", result.statements),
        ("citation recall: statements supported", cited.recall),
        ("citation precision: citations that count", cited.precision),
        ("citation redundancy: not needed", cited.redundancy),
    ]
    table = _table("Citations", "Share", "Of", "Undecided")
    for name, share in rows:
        table.add_row(name, _number(share.value), f"{share.decided:,}", f"{share.undecided:,}")
    for name, value in (("recall", cited.mean_recall), ("precision", cited.mean_precision)):
        table.add_row(f"mean citation {name} of an answer", _number(value), "", "")
    return table


def _labels(quality: LabelQuality) -> Table:
    table = _table("Verdicts against labels", "Supported", "Wrong")
    sides = (quality.supported, quality.wrong)
    for name, measure in _CLASS_MEASURES.items():
        table.add_row(name, *(_number(getattr(side, measure)) for side in sides))
    table.add_row("balanced accuracy", _number(quality.supported.balanced_accuracy), "")
    table.add_row("ROC-AUC of the scores", _number(quality.roc_auc), "")
    table.add_row("calibration error of the scores", _number(quality.calibration.error), "")
    decided = [side.true_positives + side.false_negatives for side in sides]
    table.add_row("labels, decided", *(f"{count:,}" for count in decided))
    undecided = [side.undecided_positives for side in sides]
    table.add_row("labels, undecided: only in the scores", *(f"{count:,}" for count in undecided))
    if quality.unlabelled:
        table.add_row("samples without a label", f"{quality.unlabelled:,}", "")
    return table


def _threshold(quality: LabelQuality) -> Table:
    target = quality.target
    name = "recall" if target.precision is None else "precision"
    wanted = getattr(target, name)
    table = _table(f"Threshold for a {name} of {wanted}, on these labels", "", "95 % interval")
    if (chosen := quality.threshold) is None:
        table.add_row("supported from a score of", _number(None), "")
        return table
    table.add_row("supported from a score of", _number(chosen.value), "")
    precision, recall = chosen.quality.precision, chosen.quality.recall
    table.add_row("precision", _number(precision), _interval(chosen.precision_interval))
    table.add_row("recall", _number(recall), _interval(chosen.recall_interval))
    return table


def _gold(overlap: CitationOverlap, without: int) -> Table:
    table = _table("Citations against gold ones", "")
    table.add_row("the same source", _number(overlap.exact_source))
    table.add_row("ROUGE-L", _number(overlap.rouge_l))
    table.add_row("both, half and half", _number(overlap.combined))
    table.add_row("gold citations that are missing", f"{overlap.missing:,} of {overlap.gold:,}")
    table.add_row("citations that are not gold", f"{overlap.spurious:,} of {overlap.predicted:,}")
    if without:
        table.add_row("samples without gold citations", f"{without:,}")
    return table


def _table(name: str, *columns: str) -> Table:
    table = Table()
    table.add_column(name, overflow="fold")
    for column in columns:
        table.add_column(column, justify="right", no_wrap=True)
    return table


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _interval(interval: Interval) -> str:
    return f"{interval.low:.3f} to {interval.high:.3f}"
