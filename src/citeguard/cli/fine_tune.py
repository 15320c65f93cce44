"""`citeguard data fine-tune`: a fine-tuning job at an OpenAI-compatible endpoint."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

from citeguard.cli.arguments import AsJson, argument, check_base_url, flag, option
from citeguard.cli.output import ExitStatus, print_lines, print_result
from citeguard.errors import CiteguardError
from citeguard.language.excerpts import counted_as

if TYPE_CHECKING:
    import openai
    from openai.types.fine_tuning import FineTuningJob, FineTuningJobEvent

    from citeguard.library.fine_tuning import TrainingFile


def fine_tune_command(
    train: Annotated[str, argument("TRAIN.jsonl", "The samples to train with, at least ten.")],
    model: Annotated[str, option("NAME", "The model to start from, as the endpoint names it.")],
    *,
    validation: Annotated[str | None, option("FILE.jsonl", "The samples to validate with.")] = None,
    base_url: Annotated[
        str | None, option("URL", "The address of the endpoint.  [default: OpenAI's]")
    ] = None,
    epochs: Annotated[int, option("N", "How often each sample is trained with.", min=1)] = 3,
    wait: Annotated[bool, flag("--wait", "Wait for the end, and print what happens.")] = False,
    check_only: Annotated[
        bool, flag("--check-only", "Check the files, count samples and tokens, upload nothing.")
    ] = False,
    poll: Annotated[
        float, option("SECONDS", "How often to look at the job while waiting.", min=0)
    ] = 10.0,
    as_json: AsJson = False,
) -> int:
    """Upload samples, and start a fine-tuning job with them.

        citeguard export pairs.jsonl --to dataset --group-field section

        citeguard data fine-tune dataset/train.jsonl --validation dataset/validation.jsonl
            --model gpt-4.1-mini-2025-04-14 --wait

    The samples are those of citeguard export in the forms chat and preference. They are checked
    before anything is uploaded. The key comes from OPENAI_API_KEY; it and all samples are sent to
    the endpoint.

    Exit status:

          0  started; with --wait, succeeded
          1  with --wait: the job failed, or was cancelled
    """
    from citeguard.library.fine_tuning import (
        LEAST_SAMPLES,
        check_training_file,
        start_fine_tuning,
        wait_for_fine_tuning,
    )

    files = [check_training_file(train, least=LEAST_SAMPLES)]
    files += [] if validation is None else [check_training_file(validation)]
    if check_only:
        print_result(as_json, _files_data, _show_files, files)
        return ExitStatus.PASSED
    client = _client(base_url)
    if not as_json:
        _show_files(files)
    job = start_fine_tuning(client, train, validation, model=model, epochs=epochs)
    if wait:
        if not as_json:
            show(job)
        on_event = None if as_json else _print_event
        job = wait_for_fine_tuning(client, job.id, poll=poll, on_event=on_event)
    print_result(as_json, _job_data, show, job)
    return ExitStatus.FAILED if job.status in ("failed", "cancelled") else ExitStatus.PASSED


def show(job: FineTuningJob) -> None:
    """Print how the job is, and the new model or the error."""
    lines = [f"Job {job.id}: {job.status}"]
    lines += [f"The new model: {job.fine_tuned_model}"] if job.fine_tuned_model else []
    lines += [job.error.message] if job.error and job.error.message else []
    print_lines(*lines)


def _job_data(job: FineTuningJob) -> dict[str, Any]:
    return {
        "id": job.id,
        "status": job.status,
        "model": job.fine_tuned_model,
        "error": job.error.message if job.error else None,
        "training_file": job.training_file,
        "validation_file": job.validation_file,
        "trained_tokens": job.trained_tokens,
    }


def _files_data(files: Sequence[TrainingFile]) -> list[dict[str, Any]]:
    return [{**asdict(file), "path": str(file.path)} for file in files]


def _show_files(files: Sequence[TrainingFile]) -> None:
    for file in files:
        count = counted_as(file.samples, "sample")
        print_lines(f"{file.path}: {count} ({file.form}), about {file.tokens:,} tokens")


def _print_event(event: FineTuningJobEvent) -> None:
    print_lines(f"{'' if event.level == 'info' else f'{event.level}: '}{event.message}")


def _client(base_url: str | None) -> openai.OpenAI:
    import openai

    check_base_url(base_url)
    given: dict[str, Any] = {} if base_url is None else {"base_url": base_url}
    try:
        return openai.OpenAI(**given)
    except openai.OpenAIError as error:
        raise CiteguardError(str(error)) from None
