"""Fine-tuning at an OpenAI-compatible endpoint: `start_fine_tuning`, `wait_for_fine_tuning`."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from citeguard.documents.files import read_text
from citeguard.errors import CiteguardError, check_kind
from citeguard.language.excerpts import shown

if TYPE_CHECKING:
    import openai
    from openai.types.fine_tuning import FineTuningJob, FineTuningJobEvent

_LONGEST_REASON = 500


def start_fine_tuning(
    client: openai.OpenAI,
    train: str | PathLike[str],
    validation: str | PathLike[str] | None = None,
    *,
    model: str,
    epochs: int = 3,
    **options: Any,
) -> FineTuningJob:
    """Upload samples to an OpenAI-compatible endpoint, and start a fine-tuning job with them.

    Samples that `export_samples` wrote in the form `chat` are trained supervised, those in the form
    `preference` by direct preference optimization. The endpoint checks them. If it rejects a file
    or the job, the files that it accepted before are deleted there.

    Args:
        client: An `OpenAI`, for any compatible endpoint.
        train: The file of samples to train with; OpenAI wants at least ten.
        validation: The file of samples to validate with, if any.
        model: The name of the model to start from.
        epochs: How often each sample is trained with.
        options: Further arguments of `client.fine_tuning.jobs.create`, such as `suffix` and `seed`.

    Raises:
        CiteguardError: A file cannot be read or is empty, or the endpoint rejects it or cannot be
            reached.
    """
    import openai

    check_kind("client", client, openai.OpenAI, required=True)
    files = [Path(each) for each in (train, validation) if each is not None]
    first = [read_text(each).lstrip().partition("\n")[0] for each in files]
    if "" in first:
        raise CiteguardError(f"{files[first.index('')]}: has no samples")
    # Of the two forms only `preference` has this key.
    method = "dpo" if '"preferred_output"' in first[0] else "supervised"
    settings = {"n_epochs": epochs, "batch_size": 1}
    uploaded: list[str] = []
    try:
        for file in files:
            with _explained(f"{file} was not uploaded"):
                uploaded.append(client.files.create(file=file, purpose="fine-tune").id)
        names = dict(zip(("training_file", "validation_file"), uploaded, strict=False))
        with _explained("the job was not started"):
            kind: Any = {"type": method, method: {"hyperparameters": settings}}
            return client.fine_tuning.jobs.create(model=model, method=kind, **names, **options)
    except CiteguardError:
        for name in uploaded:
            with suppress(openai.OpenAIError):  # not worth hiding the first error
                client.files.delete(name)
        raise


def wait_for_fine_tuning(
    client: openai.OpenAI,
    job_id: str,
    *,
    poll: float = 10.0,
    timeout: float | None = None,
    on_event: Callable[[FineTuningJobEvent], None] | None = None,
) -> FineTuningJob:
    """Wait until a fine-tuning job has ended, and return it, also if it failed (`status`).

    After `timeout` seconds, if any, it is returned as it is; it is looked at every `poll` seconds.
    `on_event` is called with each event that the endpoint reports, once, in order. A
    `CiteguardError` says that the endpoint does not know the job, or cannot be reached any more;
    the job goes on.
    """
    end = float("inf") if timeout is None else time.monotonic() + timeout
    seen: set[str] = set()
    while True:
        with _explained("the job cannot be read"):
            # The state first: events that end a job are then among those that are read.
            job = client.fine_tuning.jobs.retrieve(job_id)
            # By default an endpoint sends the last 20 of them.
            page = client.fine_tuning.jobs.list_events(job_id, limit=100) if on_event else None
        for event in page.data[::-1] if page is not None else ():  # the latest come first
            if on_event is not None and event.id not in seen:
                seen.add(event.id)
                on_event(event)
        left = end - time.monotonic()
        if job.status in ("succeeded", "failed", "cancelled") or left <= 0:
            return job
        time.sleep(max(0.0, min(poll, left)))


@contextmanager
def _explained(failed: str) -> Generator[None]:
    """Turn an error of the client into one that says what failed."""
    import openai

    try:
        yield
    except openai.APIStatusError as error:
        body: Any = error.body
        said = str(body.get("message") if isinstance(body, dict) else body)  # pyright: ignore[reportUnknownMemberType,reportUnknownArgumentType]
        code = error.status_code
        # What it says about a key is not repeated: some repeat the key.
        reason = "" if code in (401, 403) else f": {shown(said, _LONGEST_REASON)}"
        raise CiteguardError(f"{failed}: the endpoint answered HTTP {code}{reason}") from None
    except openai.APIError as error:
        raise CiteguardError(f"{failed}: {shown(error.message, _LONGEST_REASON)}") from error
