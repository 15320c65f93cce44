"""`citeguard data questions`: pairs of questions and answers about documents, by a model."""

from __future__ import annotations

from dataclasses import asdict, replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from citeguard.cli.arguments import (
    SOURCE_FILES,
    STANDARD_STREAM,
    AsJson,
    ModelOptions,
    argument,
    client_of,
    flag,
    option,
)
from citeguard.cli.output import (
    ExitStatus,
    print_result,
    require_lines,
    visible,
    write_lines,
)
from citeguard.sources.collection import Sources

if TYPE_CHECKING:
    from citeguard.library.pairs import Negative, QAReport
    from citeguard.validation.policy import Policy

_negative = partial(option, group="Pairs without an answer", min=0)


def questions_command(
    paths: Annotated[list[str], argument("PATH", SOURCE_FILES)],
    to: Annotated[str, option("FILE.jsonl", "The file; - is standard output.")],
    *,
    kind: Annotated[
        Literal["sparse", "dense"],
        option("KIND", "sparse: as many as it takes; dense: as many as a section has passages."),
    ] = "sparse",
    answers: Annotated[
        Literal["short", "long"], option("ANSWERS", "long: a detailed answer, by another call.")
    ] = "short",
    judge_too: Annotated[
        bool,
        flag(
            "--judge-too", "Have the model decide what the reader cannot, instead of dropping it."
        ),
    ] = False,
    rejected: Annotated[
        bool, flag("--rejected", "Add wrong answers, for export --form preference.")
    ] = False,
    unanswerable: Annotated[
        float, _negative("SHARE", "Unanswerable questions, as a share of the pairs.")
    ] = 0.0,
    wrong_context: Annotated[
        float, _negative("SHARE", "Questions beside another section, as a share.")
    ] = 0.0,
    overwrite: Annotated[bool, flag("--overwrite", "Replace an existing file.")] = False,
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
    sources = Sources.from_paths(paths)
    client = client_of(model.model, model.base_url)
    shares: dict[Negative, float] = {"unanswerable": unanswerable, "wrong_context": wrong_context}
    report = generate_questions(
        sources,
        client,
        kind=kind,
        answers=answers,
        negatives={name: share for name, share in shares.items() if share},
        policy=_policy(client) if judge_too else None,
        options=None if model.temperature is None else {"temperature": model.temperature},
    )
    if report.pairs:
        write_lines(pair_samples(report.pairs, sources, rejected=rejected), to)
    if to != STANDARD_STREAM:
        print_result(as_json, as_data, show, report)
    if not report.pairs:
        return ExitStatus.FAILED
    return ExitStatus.PASSED if report.complete else ExitStatus.UNDECIDED


def as_data(report: QAReport) -> dict[str, Any]:
    """Return a report as JSON-like data, without the pairs, which are in the file."""
    return {
        "made": report.made,
        "kept": len(report.pairs),
        "negatives": report.negatives,
        "codes": report.codes,
        "dropped": [asdict(each) for each in report.dropped],
        "failures": [asdict(each) for each in report.failures],
        "usage": asdict(replace(report.usage, stages=())),
    }


def show(report: QAReport) -> None:
    """Print the counts, why pairs were dropped, and which calls failed."""
    for line in str(report).split("\n"):
        typer.echo(f"{line[: len(line) - len(line.lstrip())]}{visible(line)}")


def _policy(client: Any) -> Policy:
    from citeguard.judges.llm import LLMJudge
    from citeguard.validation.policy import Policy

    return Policy.strict(LLMJudge(client))
