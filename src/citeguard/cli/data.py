"""`citeguard data`: samples made by a model or by rules, and a fine-tuning job with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast

import typer

from citeguard.cli.arguments import (
    STANDARD_STREAM,
    AsJson,
    ModelOptions,
    Paths,
    argument,
    check_base_url,
    client_of,
    flag,
    option,
    read_sources,
)
from citeguard.cli.output import (
    ExitStatus,
    plain_console,
    print_json,
    print_lines,
    print_result,
    require_lines,
    table_of,
    visible,
    write_lines,
)
from citeguard.errors import CiteguardError, foreign_code
from citeguard.language.excerpts import counted_as

if TYPE_CHECKING:
    from openai.types.fine_tuning import FineTuningJob, FineTuningJobEvent

    from citeguard.library.pairs import QAReport


_To = Annotated[str, option("FILE.jsonl", "The file; - is standard output.")]
_Overwrite = Annotated[bool, flag("--overwrite", "Replace an existing file.")]


def questions_command(
    paths: Paths,
    to: _To,
    *,
    kind: Annotated[
        Literal["sparse", "dense"],
        option("KIND", "sparse: as many as it takes; dense: as many as a section has passages."),
    ] = "sparse",
    answers: Annotated[
        Literal["short", "long"], option("ANSWERS", "long: a detailed answer, by another call.")
    ] = "short",
    rejected: Annotated[
        bool, flag("--rejected", "Add wrong answers, for export --form preference.")
    ] = False,
    negatives: Annotated[
        float, option("SHARE", "Add questions beside another section, as a share.", min=0)
    ] = 0.0,
    overwrite: _Overwrite = False,
    as_json: AsJson = False,
    model: ModelOptions,
) -> int:
    """Have a model write questions about documents, with answers; keep those that are verified.

        citeguard data questions paper.pdf --to qa.jsonl --model openai/gpt-5-mini

        citeguard export qa.jsonl --to dataset --group-field section

    The model is called once for each top-level section, references excluded. A pair is kept if its
    quotes are found in the section and support its answer, and if no other pair asks the same. The
    rest is counted by reason. The pairs are samples for citeguard export, in which each has the
    text of its section.

    Exit status:

          0  written, with an answer to every call of the model
          1  nothing written: no pair was kept
          3  written, but pairs are missing because calls of the model failed
    """
    from citeguard.library.pairs import generate_questions, pair_samples

    if not model.model:
        raise typer.BadParameter("--model is needed: the language model that writes the questions.")
    require_lines(to, overwrite=overwrite)
    sources = read_sources(paths)
    client = client_of(model.model, model.base_url)
    report = generate_questions(sources, client, kind=kind, answers=answers, negatives=negatives)
    if report.pairs:
        write_lines(pair_samples(report.pairs, sources, rejected=rejected), to)
    if to != STANDARD_STREAM:
        print_result(as_json, _questions_data, _show_questions, report)
    if not report.pairs:
        return ExitStatus.FAILED
    return ExitStatus.UNDECIDED if report.failures else ExitStatus.PASSED


def _questions_data(report: QAReport) -> dict[str, Any]:
    """Return a report as JSON-like data, without the pairs, which are in the file."""
    return {
        "kept": len(report.pairs),
        "negatives": report.negatives,
        "codes": report.codes,
        "dropped": [asdict(each) for each in report.dropped],
        "failures": report.failures,
        "usage": asdict(replace(report.usage, stages=())),
    }


def _show_questions(report: QAReport) -> None:
    for line in str(report).split("\n"):
        typer.echo(f"{line[: len(line) - len(line.lstrip())]}{visible(line)}")


def fine_tune_command(
    train: Annotated[str, argument("TRAIN.jsonl", "The samples to train with, at least ten.")],
    model: Annotated[str, option("NAME", "The model to start from, as the endpoint names it.")],
    *,
    validation: Annotated[str | None, option("FILE.jsonl", "The samples to validate with.")] = None,
    base_url: Annotated[
        str | None, option("URL", "The address of the endpoint.  [default: OpenAI's]")
    ] = None,
    wait: Annotated[bool, flag("--wait", "Wait for the end, and print what happens.")] = False,
    as_json: AsJson = False,
) -> int:
    """Upload samples, and start a fine-tuning job with them.

        citeguard export pairs.jsonl --to dataset --group-field section

        citeguard data fine-tune dataset/train.jsonl --validation dataset/validation.jsonl
            --model gpt-4.1-mini-2025-04-14 --wait

    The samples are those of citeguard export in the forms chat and preference. The key comes from
    OPENAI_API_KEY; it and all samples are sent to the endpoint.

    Exit status:

          0  started; with --wait, succeeded
          1  with --wait: the job failed, or was cancelled
    """
    import openai

    from citeguard.library.fine_tuning import start_fine_tuning, wait_for_fine_tuning

    check_base_url(base_url)
    with foreign_code(lambda error: CiteguardError(str(error))):
        client = openai.OpenAI(base_url=base_url)
    job = start_fine_tuning(client, train, validation, model=model)
    if wait:
        if not as_json:
            _show_job(job)

        def show_event(event: FineTuningJobEvent) -> None:
            level = "" if event.level == "info" else f"{event.level}: "
            print_lines(f"{level}{event.message}")

        on_event = None if as_json else show_event
        job = wait_for_fine_tuning(client, job.id, on_event=on_event)
    print_result(as_json, _job_data, _show_job, job)
    return ExitStatus.FAILED if job.status in ("failed", "cancelled") else ExitStatus.PASSED


def _show_job(job: FineTuningJob) -> None:
    """Print how the job is, and the new model or the error."""
    lines = [f"Job {job.id}: {job.status}"]
    lines += [f"The new model: {job.fine_tuned_model}"] if job.fine_tuned_model else []
    lines += [job.error.message] if job.error and job.error.message else []
    print_lines(*lines)


def _job_data(job: FineTuningJob) -> dict[str, Any]:
    names = ("id", "status", "training_file", "validation_file", "trained_tokens")
    data = {name: getattr(job, name) for name in names}
    error = job.error.message if job.error else None
    return {**data, "model": job.fine_tuned_model, "error": error}


def synthesize_command(
    paths: Paths,
    to: _To,
    *,
    kinds: Annotated[
        list[str] | None,
        option(
            "KIND",
            "How: negation, number, unit, date or entity; repeatable.  [default: all]",
            "--kind",
        ),
    ] = None,
    originals: Annotated[
        bool, flag("--originals", "Also write the true ones, each before its wrong ones.")
    ] = False,
    seed: Annotated[int, option("N", "The seed of the random choices.", min=0)] = 0,
    overwrite: _Overwrite = False,
    as_json: AsJson = False,
) -> int:
    """Make wrong quotes from the sentences of your sources, with labels.

        citeguard data synthesize handbook.txt faq.md --to made.jsonl --originals

        citeguard evaluate made.jsonl --label-field label

    Each is wrong in one known way, such as another number or a lost "not", which its field negative
    names. They are made by rules, without a model, and are the same for the same seed. With them
    you can measure a check on your own documents, or train one.

    Exit status:

          0  written
          1  nothing written: nothing could be made from these sources
    """
    from citeguard.datasets import sample_of, synthesize, true_quotes
    from citeguard.datasets.synthesis import KINDS

    require_lines(to, overwrite=overwrite)
    sources = read_sources(paths)
    counts: Counter[str] = Counter()
    quotes = true_quotes(sources, seed=seed)
    true = ((sources.slice(span), span.source_id, sources) for span in quotes)
    made = synthesize(true, kinds=cast("Any", kinds or KINDS), seed=seed)

    def samples() -> Iterator[dict[str, Any]]:
        last = None
        for negative in made:
            # The wrong texts that are made of one true text follow each other.
            for original in (True, False) if originals and negative.original != last else (False,):
                counts["true" if original else negative.kind] += 1
                yield sample_of(negative, sources, original=original)
            last = negative.original

    write_lines(samples(), to)
    if to != STANDARD_STREAM:
        made_of, total = dict(sorted(counts.items())), counts.total()
        if as_json:
            print_json({"to": to, "samples": total, "kinds": made_of})
        else:
            written = f" in {to}" if total else ": nothing could be made"
            print_lines(f"{counted_as(total, 'sample')}{written}")
            if total:
                plain_console().print(table_of(["Kind", "Samples"], made_of.items()))
    return ExitStatus.PASSED if counts else ExitStatus.FAILED
