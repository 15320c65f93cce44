"""Fine-tuning at an OpenAI-compatible endpoint, by the `openai` client: files checked first."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast

from pydantic import BaseModel, StringConstraints, ValidationError

from citeguard.documents.files import parse_json, read_text
from citeguard.errors import CiteguardError, described
from citeguard.judges.model_calls import estimated_tokens
from citeguard.language.excerpts import as_path, counted_as, shown

if TYPE_CHECKING:
    import openai
    from openai.types.fine_tuning import FineTuningJob

TrainingForm = Literal["chat", "preference"]

LEAST_SAMPLES = 10
"""The least number of samples to train with, which is OpenAI's."""
_METHODS = {"chat": "supervised", "preference": "dpo"}
_PER_MESSAGE = 4  # tokens that mark the role and the ends of a message
_LONGEST_REASON = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingFile:
    """A file of samples that was checked.

    Attributes:
        path: The file.
        form: `chat`: messages that end with the assistant's; `preference`: two such ends.
        samples: How many there are.
        tokens: About how many tokens they have together, rather too many.
    """

    path: Path
    form: TrainingForm
    samples: int
    tokens: int


class _Message(BaseModel):
    role: Literal["system", "developer", "user", "assistant", "tool"]
    content: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class _Asked(BaseModel):
    messages: list[_Message]


class _Preference(BaseModel):
    input: _Asked
    preferred_output: list[_Message]
    non_preferred_output: list[_Message]


def check_training_file(path: str | PathLike[str], *, least: int = 1) -> TrainingFile:
    """Check a file of samples in a form that OpenAI's endpoints train with.

    Each line is an object as `export_samples` writes it for `form="chat"` or `form="preference"`,
    and all have the same form. Tokens are estimated, without a tokenizer.

    Args:
        path: The file.
        least: The least number of samples.

    Raises:
        CiteguardError: the file cannot be read, a line has another form, or there are too few.
    """
    path = Path(path)
    forms: list[TrainingForm] = []
    tokens = 0
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if not line.strip():
            continue
        place = f"{path}, line {number}"
        data: Any = parse_json(line, place)
        if not isinstance(data, dict) or not {"messages", "preferred_output"} & data.keys():  # pyright: ignore[reportUnknownMemberType]
            raise CiteguardError(f"{place}: has neither messages nor a preferred_output")
        form: TrainingForm = "chat" if "messages" in data else "preference"
        if forms and form != forms[0]:
            raise CiteguardError(f"{place}: has the form {form}, but line 1 the form {forms[0]}")
        try:
            if form == "chat":
                asked, ends = [], [_Asked.model_validate(data).messages]
            else:
                pair = _Preference.model_validate(data)
                asked = pair.input.messages
                ends = [pair.preferred_output, pair.non_preferred_output]
        except ValidationError as error:
            first = error.errors()[0]
            raise CiteguardError(f"{place}: {as_path(first['loc'])}: {first['msg']}") from None
        if any(not messages or messages[-1].role != "assistant" for messages in ends):
            raise CiteguardError(f"{place}: the last message must be of the role assistant")
        forms.append(form)
        texts = (each.content for messages in (asked, *ends) for each in messages)
        tokens += sum(estimated_tokens(text) + _PER_MESSAGE for text in texts)
    if len(forms) < least:
        found = counted_as(len(forms), "sample")
        raise CiteguardError(f"{path}: has {found}, and at least {least} are needed")
    form = forms[0] if forms else "chat"
    return TrainingFile(path=path, form=form, samples=len(forms), tokens=tokens)


def start_fine_tuning(
    client: openai.OpenAI,
    train: str | PathLike[str],
    validation: str | PathLike[str] | None = None,
    *,
    model: str,
    epochs: int = 3,
    batch_size: int = 1,
    **settings: Any,
) -> FineTuningJob:
    """Upload samples to an OpenAI-compatible endpoint, and start a fine-tuning job with them.

    The files are checked first, so that nothing is uploaded if one is wrong. Samples in the form
    `chat` are trained supervised, those in the form `preference` by direct preference optimization.
    If the endpoint refuses a file or the job, the files that it took before are deleted there. What
    fails on the way is retried by the client, as often as its `max_retries` says.

    Args:
        client: An `OpenAI`, for any compatible endpoint.
        train: The file of samples to train with, at least ten.
        validation: The file of samples to validate with, if any.
        model: The name of the model to start from.
        epochs: How often each sample is trained with.
        batch_size: How many samples are trained with at a time.
        settings: What else `client.fine_tuning.jobs.create` takes, such as `suffix` and `seed`.

    Raises:
        CiteguardError: a file is wrong (`check_training_file`), both have not the same form, or
            the endpoint refuses or cannot be reached.
    """
    import openai

    if not isinstance(client, openai.OpenAI):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise CiteguardError(f"client: expected an OpenAI, got {described(client)}")
    files = [check_training_file(train, least=LEAST_SAMPLES)]
    if validation is not None:
        files.append(check_training_file(validation))
        if files[1].form != files[0].form:
            raise CiteguardError(
                f"{validation}: has the form {files[1].form}, but {train} the form {files[0].form}"
            )
    method = _METHODS[files[0].form]
    hyperparameters = {"n_epochs": epochs, "batch_size": batch_size}
    uploaded: list[str] = []
    try:
        for file in files:
            with _explained(f"{file.path} was not uploaded"):
                content = (file.path.name, file.path.read_bytes())  # a file could be sent once only
                sent = client.files.create(file=content, purpose="fine-tune")
            uploaded.append(sent.id)
            if sent.status == "error":
                details = shown(sent.status_details or "no reason is given", _LONGEST_REASON)
                raise CiteguardError(f"{file.path} was not accepted: {details}")
        with _explained("the job was not started"):
            return client.fine_tuning.jobs.create(
                model=model,
                training_file=uploaded[0],
                validation_file=uploaded[1] if uploaded[1:] else openai.omit,
                method=cast("Any", {"type": method, method: {"hyperparameters": hyperparameters}}),
                **settings,
            )
    except CiteguardError:
        for name in uploaded:
            with suppress(openai.OpenAIError):  # not worth hiding the first error
                client.files.delete(name)
        raise


def wait_for_fine_tuning(
    client: openai.OpenAI,
    job: FineTuningJob | str,
    *,
    poll: float = 10.0,
    timeout: float = float("inf"),
    on_event: Callable[[str], None] | None = None,
) -> FineTuningJob:
    """Wait until a fine-tuning job has ended, and return how.

    A job that failed is returned, with its `error`: look at its `status`. What fails on the way is
    retried by the client; if that is in vain, the job goes on.

    Args:
        client: The client that the job was started with.
        job: The job, or its id.
        poll: Seconds between two looks at it.
        timeout: Seconds to wait at most; then the job is returned as it is.
        on_event: Called with each message that the endpoint reports, once, in order.

    Raises:
        CiteguardError: the endpoint does not know the job, or cannot be asked.
    """
    name = job if isinstance(job, str) else job.id
    end = time.monotonic() + timeout
    seen: set[str] = set()
    while True:
        # The state first: events that end a job are then among those that are read.
        with _explained(f"the job {name} cannot be read"):
            state = client.fine_tuning.jobs.retrieve(name)
            events = client.fine_tuning.jobs.list_events(name, limit=100) if on_event else None
        for event in events.data[::-1] if events else ():  # the latest come first
            if on_event is not None and event.id not in seen:
                seen.add(event.id)
                on_event(
                    event.message if event.level == "info" else f"{event.level}: {event.message}"
                )
        left = end - time.monotonic()
        if state.status in ("succeeded", "failed", "cancelled") or left <= 0:
            return state
        time.sleep(min(poll, left))


@contextmanager
def _explained(failed: str) -> Generator[None]:
    """Turn an error of the client into one that says what failed."""
    import openai

    try:
        yield
    except openai.APIStatusError as error:
        given: Any = error.body
        body = cast("dict[str, Any]", given) if isinstance(given, dict) else dict[str, Any]()
        # What it says about a key is not repeated: some repeat the key.
        told = error.status_code not in (401, 403) and body.get("message")
        reason = f": {shown(str(body['message']), _LONGEST_REASON)}" if told else ""
        raise CiteguardError(
            f"{failed}: the endpoint answered HTTP {error.status_code}{reason}"
        ) from None
    except openai.APIConnectionError:
        raise CiteguardError(f"{failed}: the endpoint cannot be reached") from None
    except openai.APIResponseValidationError:
        raise CiteguardError(f"{failed}: the endpoint's answer cannot be read") from None
