"""`citeguard evaluate`: the quality of citations, and of the verdicts on them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

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
    print_result,
    show_models,
    table_of,
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
    are supported by what they cite, according to the reader and, with --judge, to another model
    where the reader cannot decide. With labels it measures how often that verdict is right; with
    gold citations, how far the citations agree with them. Undecided items are excluded from a share
    and counted beside it. The samples are those of citeguard filter.

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
        judge=None if judge is None else judge().support,
        budget=None if judge is None else judge.budget,
        label=label_field,
        gold=gold_field,
        precision=target_precision,
        recall=target_recall,
    )
    print_result(as_json, type(result).as_data, show, result)
    return ExitStatus.PASSED


def show(result: Evaluation) -> None:
    """Print tables of the measures."""
    console = plain_console()
    samples = result.samples
    refusals = f", {counted_as(result.refusals, 'refusal')}" if result.refusals else ""
    console.print(
        f"{counted_as(result.read, 'sample')}: {samples.yes:,} would be kept, "
        f"{samples.no:,} rejected, {samples.undecided:,} undecided{refusals}"
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
    shares = {
        "quotes found in their source": result.quotes,
        "statements that pass": result.statements,
        "citation recall: statements supported": cited.recall,
        "citation precision: citations that count": cited.precision,
    }
    rows = [(name, each.value, each.decided, each.undecided) for name, each in shares.items()]
    means = [
        ("mean citation recall of an answer", cited.mean_recall),
        ("mean citation precision of an answer", cited.mean_precision),
    ]
    return table_of(["Citations", "Share", "Of", "Undecided"], [*rows, *means])


def _labels(quality: LabelQuality) -> Table:
    sides = (quality.supported, quality.wrong)
    positives = [side.true_positives + side.false_negatives for side in sides]
    undecided = [side.undecided_positives for side in sides]
    rows = [
        *((name, *(getattr(side, it) for side in sides)) for name, it in _CLASS_MEASURES.items()),
        ("balanced accuracy", quality.supported.balanced_accuracy),
        ("ROC-AUC of the scores", quality.roc_auc),
        ("calibration error of the scores", quality.calibration.error),
        ("labels, decided", *positives),
        ("labels, undecided: only in the scores", *undecided),
        *([("samples without a label", quality.unlabelled)] if quality.unlabelled else []),
    ]
    return table_of(["Verdicts against labels", "Supported", "Wrong"], rows)


def _threshold(quality: LabelQuality) -> Table:
    chosen = quality.threshold
    [(name, wanted)] = quality.target.items()
    title = f"Threshold for a {name} of {wanted}, on these labels"
    rows: list[tuple[Any, ...]] = [
        ("supported from a score of", None if chosen is None else chosen.value)
    ]
    if chosen is not None:
        reached = chosen.quality
        rows += [
            ("precision", reached.precision, _interval(chosen.precision_interval)),
            ("recall", reached.recall, _interval(chosen.recall_interval)),
        ]
    return table_of([title, "", "95 % interval"], rows)


def _gold(overlap: CitationOverlap, without: int) -> Table:
    rows = [
        ("the same source", overlap.exact_source),
        ("ROUGE-L", overlap.rouge_l),
        ("both, half and half", overlap.combined),
        ("gold citations that are missing", f"{overlap.missing:,} of {overlap.gold:,}"),
        ("citations that are not gold", f"{overlap.spurious:,} of {overlap.predicted:,}"),
        *([("samples without gold citations", without)] if without else []),
    ]
    return table_of(["Citations against gold ones", ""], rows)


def _interval(interval: Interval) -> str:
    return f"{interval.low:.3f} to {interval.high:.3f}"
