"""Fine-tuning at an OpenAI-compatible endpoint: `start_fine_tuning`, `wait_for_fine_tuning`."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from citeguard.documents.files import read_text
from citeguard.errors import CiteguardError, described
from citeguard.judges.model_calls import estimated_tokens
from citeguard.language.excerpts import counted_as, shown

if TYPE_CHECKING:
    import openai
    from openai.types.fine_tuning import FineTuningJob, FineTuningJobEvent

TrainingForm = Literal["chat", "preference"]
"""`chat`: messages that end with the assistant's; `preference`: two such ends to the same ones."""

LEAST_SAMPLES = 10
"""The least number of samples to train with, which is OpenAI's."""

_PER_MESSAGE = 4  # tokens that mark the role and the ends of a message
_LONGEST_REASON = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingFile:
    """A file of samples that was checked: their form, how many they are, about how many tokens."""

    path: Path
    form: TrainingForm
    samples: int
    tokens: int


def check_training_file(path: str | PathLike[str], *, least: int = 1) -> TrainingFile:
    """Check a file of at least so many samples in the form that OpenAI's endpoints train with.

    Each line is an object, as `export_samples` writes them for `form="chat"` and
    `form="preference"`; all lines have the same form. Tokens are estimated, rather too many.

    Raises:
        CiteguardError: The file cannot be read, a line has another form, or there are too few.
    """
    path = Path(path)
    lines = [each for each in enumerate(read_text(path).split("\n"), 1) if each[1].strip()]
    if len(lines) < least:
        raise CiteguardError(
            f"{path}: has {counted_as(len(lines), 'sample')}, and at least {least} are needed"
        )
    form: TrainingForm = "preference" if lines and "preferred_output" in lines[0][1] else "chat"
    tokens = 0
    for number, line in lines:
        try:
            sample = json.loads(line)
            if form == "chat":
                chats = [sample["messages"]]
            else:
                ends = sample["preferred_output"], sample["non_preferred_output"]
                chats = [[*sample["input"]["messages"], *end] for end in ends]
            for chat in chats:
                texts = [each["content"] for each in chat]
                if chat[-1]["role"] != "assistant" or not all(map(str.strip, texts)):
                    raise ValueError("every message needs a content, the last is the assistant's")
                tokens += sum(estimated_tokens(text) + _PER_MESSAGE for text in texts)
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            raise CiteguardError(
                f"{path}, line {number}: {type(error).__name__}: {error}; export samples with "
                f'form="{form}"'
            ) from error
    return TrainingFile(path=path, form=form, samples=len(lines), tokens=tokens)


def start_fine_tuning(
    client: openai.OpenAI,
    train: str | PathLike[str],
    validation: str | PathLike[str] | None = None,
    *,
    model: str,
    epochs: int = 3,
    batch_size: int = 1,
    **options: Any,
) -> FineTuningJob:
    """Upload samples to an OpenAI-compatible endpoint, and start a fine-tuning job with them.

    The files are checked first, so that nothing is uploaded if one is wrong. Samples in the form
    `chat` are trained supervised, those in the form `preference` by direct preference optimization.
    If the endpoint rejects a file or the job, the files that it accepted before are deleted there.

    Args:
        client: An `OpenAI`, for any compatible endpoint.
        train: The file of samples to train with, at least ten.
        validation: The file of samples to validate with, if any.
        model: The name of the model to start from.
        epochs: How often each sample is trained with.
        batch_size: How many samples are trained with at a time.
        options: Further arguments of `client.fine_tuning.jobs.create`, such as `suffix` and `seed`.

    Raises:
        CiteguardError: A file is wrong (`check_training_file`), both have not the same form, or the
            endpoint rejects them or cannot be reached.
    """
    import openai

    if not isinstance(client, openai.OpenAI):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise CiteguardError(f"client: expected an OpenAI, got {described(client)}")
    files = [check_training_file(train, least=LEAST_SAMPLES)]
    files += [] if validation is None else [check_training_file(validation)]
    if files[-1].form != files[0].form:
        raise CiteguardError(
            f"{validation}: has the form {files[1].form}, but {train} the form {files[0].form}"
        )
    method = "supervised" if files[0].form == "chat" else "dpo"
    settings = {"n_epochs": epochs, "batch_size": batch_size}
    uploaded: list[str] = []
    try:
        for file in files:
            with _explained(f"{file.path} was not uploaded"):
                uploaded.append(client.files.create(file=file.path, purpose="fine-tune").id)
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

    Args:
        client: The client that the job was started with.
        job_id: The id of the job.
        poll: Seconds between two looks at it.
        timeout: Seconds to wait at most; then the job is returned as it is. `None` for no limit.
        on_event: Called with each event that the endpoint reports, once, in order.

    Raises:
        CiteguardError: The endpoint does not know the job, or cannot be reached any more; the job
            goes on.
    """
    end = float("inf") if timeout is None else time.monotonic() + timeout
    seen: set[str] = set()
    while True:
        with _explained("the job cannot be read"):
            # The state first: events that end a job are then among those that are read.
            job = client.fine_tuning.jobs.retrieve(job_id)
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
