"""Fine-tuning at an OpenAI-compatible endpoint: `start_fine_tuning`, `wait_for_fine_tuning`."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

from citeguard.documents.files import parse_json, read_text
from citeguard.errors import CiteguardError, check_number, check_text, check_whole, described
from citeguard.judges.model_calls import estimated_tokens
from citeguard.language.excerpts import counted_as, shown

if TYPE_CHECKING:
    import openai

TrainingForm = Literal["chat", "preference"]
"""`chat`: messages that end with the assistant's; `preference`: two such ends to the same ones."""

LEAST_SAMPLES = 10
"""The least number of samples to train with, which is OpenAI's."""

_METHODS = {"chat": "supervised", "preference": "dpo"}
_ROLES = ("system", "developer", "user", "assistant", "tool")
_LONGEST_SUFFIX = 64
_MOST_FAILURES = 5  # of polling, one after the other
_PER_MESSAGE = 4  # tokens that mark the role and the ends of a message
_LONGEST_REASON = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingFile:
    """A file of samples that was checked.

    Attributes:
        path: The file.
        form: The form of its samples.
        samples: How many there are.
        tokens: About how many tokens they have together, rather too many.
    """

    path: Path
    form: TrainingForm
    samples: int
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FineTuning:
    """A fine-tuning job, as it was when its endpoint was last asked.

    Attributes:
        id: The endpoint's name of the job.
        status: `validating_files`, `queued`, `running`, `succeeded`, `failed` or `cancelled`, or
            what else the endpoint says.
        model: The name of the new model; `None` until it is there.
        error: Why the job failed; `None` if it did not.
        training_file: The endpoint's id of the file to train with.
        validation_file: That of the file to validate with; `None` without one.
        trained_tokens: How many tokens were trained with; `None` until the endpoint says.
    """

    id: str
    status: str
    model: str | None = None
    error: str | None = None
    training_file: str = ""
    validation_file: str | None = None
    trained_tokens: int | None = None

    @property
    def ended(self) -> bool:
        """Whether nothing more will happen."""
        return self.status in ("succeeded", "failed", "cancelled")


@dataclass(frozen=True, slots=True, kw_only=True)
class FineTuningEvent:
    """Something that an endpoint reports of a job.

    Attributes:
        message: What happened.
        level: `info`, `warn` or `error`.
    """

    message: str
    level: str = "info"


def check_training_file(path: str | PathLike[str], *, least: int = 1) -> TrainingFile:
    """Check a file of samples in the form that OpenAI's endpoints train with.

    Each line is an object: `{"messages": [...]}`, or `{"input": {"messages": [...]},
    "preferred_output": [...], "non_preferred_output": [...]}`, as `export_samples` writes them for
    `form="chat"` and `form="preference"`. All lines have the same form. Tokens are estimated,
    without a tokenizer.

    Args:
        path: The file.
        least: The least number of samples.

    Raises:
        CiteguardError: The file cannot be read, a line has another form, or there are too few.
    """
    path = Path(path)
    lines = [
        (number, line)
        for number, line in enumerate(read_text(path).split("\n"), start=1)
        if line.strip()
    ]
    forms: dict[TrainingForm, int] = {}
    tokens = 0
    for number, line in lines:
        place = f"{path}, line {number}"
        kind, count = _sample_of(parse_json(line, place), place)
        if forms and kind not in forms:
            (known, first), *_ = forms.items()
            raise CiteguardError(f"{place}: has the form {kind}, but line {first} the form {known}")
        forms.setdefault(kind, number)
        tokens += count
    if len(lines) < least:
        raise CiteguardError(
            f"{path}: has {counted_as(len(lines), 'sample')}, and at least {least} are needed"
        )
    form: TrainingForm = next(iter(forms)) if forms else "chat"
    return TrainingFile(path=path, form=form, samples=len(lines), tokens=tokens)


def start_fine_tuning(
    client: openai.OpenAI,
    train: str | PathLike[str],
    validation: str | PathLike[str] | None = None,
    *,
    model: str,
    epochs: int = 3,
    batch_size: int = 1,
    suffix: str | None = None,
    seed: int | None = None,
) -> FineTuning:
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
        suffix: What is added to the name of the new model, up to 64 characters.
        seed: For an endpoint that takes one: the same job again gives nearly the same model.

    Raises:
        CiteguardError: A file is wrong (`check_training_file`), both have not the same form, the
            arguments are out of range, or the endpoint refuses or cannot be reached.
    """
    _check_client(client)
    check_text("model", model)
    check_whole("epochs", epochs, 1)
    check_whole("batch_size", batch_size, 1)
    check_text("suffix", suffix)
    if suffix is not None and len(suffix) > _LONGEST_SUFFIX:
        raise CiteguardError(
            f"suffix must have at most {_LONGEST_SUFFIX} characters, not {suffix!r}"
        )
    files = [check_training_file(train, least=LEAST_SAMPLES)]
    if validation is not None:
        files.append(check_training_file(validation))
        if files[1].form != files[0].form:
            raise CiteguardError(
                f"{validation}: has the form {files[1].form}, but {train} the form {files[0].form}"
            )
    method = _METHODS[files[0].form]
    settings = {"n_epochs": epochs, "batch_size": batch_size}
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
        given = {"validation_file": uploaded[1:], "suffix": suffix, "seed": seed}
        request: dict[str, Any] = {name: each for name, each in given.items() if each}
        if uploaded[1:]:
            request["validation_file"] = uploaded[1]
        with _explained("the job was not started"):
            job = client.fine_tuning.jobs.create(
                model=model,
                training_file=uploaded[0],
                method=cast("Any", {"type": method, method: {"hyperparameters": settings}}),
                **request,
            )
    except CiteguardError:
        import openai

        for name in uploaded:
            with suppress(openai.OpenAIError):  # not worth hiding the first error
                client.files.delete(name)
        raise
    return _read(job)


def wait_for_fine_tuning(
    client: openai.OpenAI,
    job: FineTuning | str,
    *,
    poll: float = 10.0,
    timeout: float | None = None,
    on_event: Callable[[FineTuningEvent], None] | None = None,
) -> FineTuning:
    """Wait until a fine-tuning job has ended, and return how.

    A job that failed is returned, with its `error`: look at its `status`. A request that fails is
    made again at the next poll; after five in a row this raises, while the job goes on.

    Args:
        client: The client that the job was started with.
        job: The job, or its id.
        poll: Seconds between two looks at it.
        timeout: Seconds to wait at most; then the job is returned as it is. `None` for no limit.
        on_event: Called with each event that the endpoint reports, once, in order.

    Raises:
        CiteguardError: The endpoint does not know the job, or could not be asked five times in a
            row.
    """
    _check_client(client)
    check_number("poll", poll, 0, float("inf"))
    if timeout is not None:
        check_number("timeout", timeout, 0, float("inf"))
    name = job if isinstance(job, str) else job.id
    end = float("inf") if timeout is None else time.monotonic() + timeout
    seen: set[str] = set()
    failures = 0
    while True:
        state = None
        try:
            # The state first: events that end a job are then among those that are read.
            with _explained("the job cannot be read"):
                state = _read(client.fine_tuning.jobs.retrieve(name))
                page = client.fine_tuning.jobs.list_events(name, limit=100) if on_event else None
            for event in page.data[::-1] if page is not None else ():  # the latest come first
                if on_event is not None and event.id not in seen:
                    seen.add(event.id)
                    on_event(FineTuningEvent(message=event.message, level=event.level))
            failures = 0
        except _UnansweredError as error:
            failures += 1
            if failures >= _MOST_FAILURES:
                raise CiteguardError(f"{error}; the job {name} goes on") from error
            state = None
        left = end - time.monotonic()
        if state is not None and (state.ended or left <= 0):
            return state
        time.sleep(max(0.0, min(poll, left)))


class _UnansweredError(CiteguardError):
    """The endpoint did not answer, and may do so later."""


def _check_client(client: object) -> None:
    import openai

    if not isinstance(client, openai.OpenAI):
        raise CiteguardError(f"client: expected an OpenAI, got {described(client)}")


@contextmanager
def _explained(failed: str) -> Generator[None]:
    """Turn an error of the client into one that says what failed.

    Raises:
        CiteguardError: The endpoint refuses, or cannot be reached.
    """
    import openai

    try:
        yield
    except openai.APIStatusError as error:
        code = error.status_code
        body = cast("dict[str, Any]", error.body) if _is_mapping(error.body) else {}
        message, about = body.get("message"), body.get("param")
        named = f"{about}: " if isinstance(about, str) else ""
        # What it says about a key is not repeated: some repeat the key.
        is_told = isinstance(message, str) and code not in (401, 403)
        reason = f": {shown(f'{named}{message}', _LONGEST_REASON)}" if is_told else ""
        kind = _UnansweredError if code in (408, 409, 429) or code >= 500 else CiteguardError
        raise kind(f"{failed}: the endpoint answered HTTP {code}{reason}") from None
    except openai.APIConnectionError:
        raise _UnansweredError(f"{failed}: the endpoint cannot be reached") from None
    except openai.APIResponseValidationError:
        raise CiteguardError(f"{failed}: the endpoint's answer cannot be read") from None


def _is_mapping(data: object) -> bool:
    return isinstance(data, Mapping)


def _read(job: Any) -> FineTuning:
    # Compatible endpoints leave out what OpenAI's always sends.
    message = getattr(getattr(job, "error", None), "message", None)
    return FineTuning(
        id=job.id,
        status=str(job.status),
        model=job.fine_tuned_model,
        error=shown(message, _LONGEST_REASON) if isinstance(message, str) and message else None,
        training_file=job.training_file,
        validation_file=job.validation_file,
        trained_tokens=job.trained_tokens,
    )


def _sample_of(data: Any, place: str) -> tuple[TrainingForm, int]:
    """Return the form of a sample, and about how many tokens it has.

    Raises:
        CiteguardError: It has no form that is known.
    """
    if not isinstance(data, Mapping):
        raise CiteguardError(f"{place}: a sample is an object")
    sample = cast("Mapping[str, Any]", data)
    if "messages" in sample:
        return "chat", _tokens_of(sample["messages"], f"{place}: messages", ends="assistant")
    if "preferred_output" in sample or "non_preferred_output" in sample:
        given = sample.get("input")
        asked = (
            cast("Mapping[str, Any]", given).get("messages") if isinstance(given, Mapping) else None
        )
        tokens = _tokens_of(asked, f"{place}: input.messages", ends="user")
        for name in ("preferred_output", "non_preferred_output"):
            tokens += _tokens_of(sample.get(name), f"{place}: {name}", ends="assistant")
        return "preference", tokens
    if {"prompt", "completion"} <= {*sample} or {"chosen", "rejected"} <= {*sample}:
        raise CiteguardError(
            f"{place}: this form is for other trainers; export with form='chat' or 'preference'"
        )
    raise CiteguardError(f"{place}: has neither messages nor a preferred_output")


def _tokens_of(given: Any, place: str, *, ends: str) -> int:
    if not isinstance(given, list) or not given:
        raise CiteguardError(f"{place}: must be a list of messages, and not empty")
    tokens = 0
    role: Any = None
    for number, each in enumerate(cast("list[Any]", given)):
        message: Mapping[str, Any] = {}
        if isinstance(each, Mapping):
            message = cast("Mapping[str, Any]", each)
        role, content = message.get("role"), message.get("content")
        if role not in _ROLES:
            listed = ", ".join(_ROLES)
            raise CiteguardError(f"{place}[{number}].role: must be one of {listed}, not {role!r}")
        if not isinstance(content, str) or not content.strip():
            raise CiteguardError(f"{place}[{number}].content: must be a text, and not blank")
        tokens += estimated_tokens(content) + _PER_MESSAGE
    if role != ends:
        raise CiteguardError(f"{place}: the last message must be of the role {ends}, not {role!r}")
    return tokens
