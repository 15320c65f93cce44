"""The arguments and options that several commands share, and the files that they name."""

from __future__ import annotations

import inspect
import os
import re
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial, wraps
from inspect import Parameter, Signature
from pathlib import Path, PurePath
from typing import IO, TYPE_CHECKING, Annotated, Any
from urllib.parse import urlsplit

import typer

from citeguard.datasets.fields import Fields
from citeguard.documents.files import decode, read_text
from citeguard.errors import CiteguardError
from citeguard.judges.usage import Budget
from citeguard.sources.collection import Sources
from citeguard.validation.policy import Policy

if TYPE_CHECKING:
    from citeguard.judges.judge import Judge
    from citeguard.library.answering import LLMAnswerer

SOURCE_FILES = (
    "Text, Markdown, HTML, PDF, CSV, Word and PowerPoint files, JSON of {id: text}, and folders of"
    " them."
)
STANDARD_STREAM = "-"
"""The path that means standard input, or standard output."""

SampleInput = str | IO[bytes]
"""The path of samples, or standard input."""

Command = Callable[..., int]


def option(
    metavar: str | None, description: str, *names: str, group: str | None = None, **settings: Any
) -> Any:
    """Return an option for `Annotated[...]`; without names it is called like its parameter."""
    return typer.Option(
        *names, metavar=metavar, help=description, rich_help_panel=group, **settings
    )


def flag(name: str, description: str, **settings: Any) -> Any:
    """Return an option without a value, for `Annotated[bool, ...]`."""
    return option(None, description, name, **settings)


AsJson = Annotated[bool, flag("--json", "Print JSON instead of tables.")]
Quiet = Annotated[bool, flag("--quiet", "Show no progress.")]
Support = Annotated[
    bool,
    flag(
        "--support",
        "Also judge, without a language model, whether the cited words support the statements.",
    ),
]


def sources_option(*, after: str) -> Any:
    """Return the option `--sources PATH...`, for `Annotated[list[str], ...]`.

    Typer cannot parse it before `repeat_sources` has rewritten it.

    Args:
        after: The argument that comes before it, as the help names it: `"ANSWER.json"`.
    """
    description = (
        f"{SOURCE_FILES} Every path up to the next option is a source, so put {after} before it; "
        "--sources=PATH takes exactly one."
    )
    return option("PATH...", description, "--sources")


_LISTS = {"--sources": "path", "--pages": "address"}
"""The options that take all that follows them, and what that is."""


def repeat_sources(arguments: Sequence[str]) -> list[str]:
    """Put `--sources` before every path that follows it, because the parser takes one at a time.

    The paths end at the next argument that starts with a dash. `--sources=` takes exactly one path.
    The same holds for `--pages` and addresses.

    Examples:
        >>> repeat_sources(["answer.json", "--sources", "a.txt", "b.txt", "--json"])
        ['answer.json', '--sources=a.txt', '--sources=b.txt', '--json']
    """
    repeated: list[str] = []
    listing = ""
    for position, argument in enumerate(arguments):
        if argument == "--":
            return [*repeated, *arguments[position:]]
        if not argument.startswith("-"):
            repeated.append(f"{listing}={argument}" if listing else argument)
        elif listing := argument if argument in _LISTS else "":
            following = arguments[position + 1 : position + 2]
            if not following or following[0].startswith("-"):
                raise typer.BadParameter(
                    f"{listing} needs at least one {_LISTS[listing]} after it."
                )
        else:
            repeated.append(argument)
    return repeated


def hint_at_order(error: typer.TyperException, arguments: Sequence[str]) -> str:
    """Return a hint, after a space, if the file for a missing argument was read as a source.

    That is the case if the last path follows `--sources` and has the suffix of the argument's
    metavar, such as `ANSWER.json`. Otherwise the hint is empty.
    """
    missing = error.param if isinstance(error, typer.BadParameter) else None
    if missing is None or missing.param_type_name != "argument":
        return ""
    wanted = missing.display_name_raw
    *_, last = ["", *(each for each in arguments if not each.startswith("-"))]
    if not PurePath(wanted).suffix or not last.lower().endswith(PurePath(wanted).suffix):
        return ""
    is_source = f"--sources={last}" in repeat_sources(arguments)
    return f" {last} was read as a source: put {wanted} before --sources." if is_source else ""


_JUDGE_VARIABLE = "CITEGUARD_JUDGE"
_BASE_URL_VARIABLE = "CITEGUARD_JUDGE_BASE_URL"
_MODEL_URL_VARIABLE = "CITEGUARD_BASE_URL"
_OF_ONE = "one text or answer, or all samples of evaluate"


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeOptions:
    """A model that decides what the reader cannot, as the options name it.

    It holds no key, so it can be printed, and sent to other processes. Called, it returns a
    policy with this judge.

    Attributes:
        model: A provider and a language model, as `instructor.from_provider` takes them; or
            `reader:FOLDER`, as `named_judge` takes them.
        base_url: The address of the endpoint; `None` for the provider's own.
        calls: As in `Budget`.
        tokens: As in `Budget`.
        seconds: As in `Budget`.
        price: As in `JudgeSettings`.

    Raises:
        CiteguardError: The address is not one of HTTP, or has a password or a query.
    """

    model: str
    base_url: str | None = None
    calls: int | None = None
    tokens: int | None = None
    seconds: float | None = None
    price: float = field(default=0.0, repr=False)  # a run resumes with another one

    def __post_init__(self) -> None:
        """Reject an address that would hold a key."""
        check_base_url(self.base_url)

    @property
    def budget(self) -> Budget:
        """What it may cost."""
        return Budget(calls=self.calls, tokens=self.tokens, seconds=self.seconds)

    def __call__(self, **rules: Any) -> Policy:
        """Return a policy with this judge after the reader.

        Raises:
            CiteguardError: The judge cannot be set up: its provider is unknown, or a package or a
                key is missing.
        """
        judge = judge_of(self.model, self.base_url, self.price)
        return Policy.strict(judge, budget=self.budget, **rules)

    def within(self, seconds: float) -> JudgeOptions:
        """Return these options with a budget of seconds, unless they have one."""
        return self if self.seconds is not None else replace(self, seconds=seconds)


@cache  # so that all policies share its connections and verdicts
def judge_of(model: str, base_url: str | None, price: float) -> Judge:
    """Return the judge that `JudgeOptions` name; a provider's key is read from the environment."""
    from citeguard.judges.llm import named_judge

    try:
        return named_judge(model, base_url=base_url, price=price)
    except CiteguardError as error:
        raise CiteguardError(f"--judge {error}") from error


def client_of(
    model: str, base_url: str | None, *, option: str = "--judge", streams: bool = False
) -> Any:
    """Do what `named_client` does; errors name the option that the model is from."""
    from citeguard.judges.clients import named_client

    try:
        return named_client(model, base_url=base_url, streams=streams)
    except CiteguardError as error:
        raise CiteguardError(f"{option} {error}") from error


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelOptions:
    """A language model that writes answers, as the options name it; it holds no key.

    Attributes:
        model: A provider and a language model, as `instructor.from_provider` takes them.
        base_url: The address of the endpoint; `None` for the provider's own.
        temperature: From 0 to 2; `None` for that of the endpoint.

    Raises:
        CiteguardError: The address is not one of HTTP, or has a password or a query.
    """

    model: str
    base_url: str | None = None
    temperature: float | None = None

    def __post_init__(self) -> None:
        """Reject an address that would hold a key."""
        check_base_url(self.base_url)

    def __call__(self) -> LLMAnswerer:
        """Return the answerer.

        Raises:
            CiteguardError: It cannot be set up: its provider is unknown, or a package or a key is
                missing.
        """
        from citeguard.library.answering import LLMAnswerer

        client = client_of(self.model, self.base_url, option="--model", streams=True)
        return LLMAnswerer(client).with_options(temperature=self.temperature)


def check_base_url(base_url: str | None, name: str = "--base-url") -> None:
    """Reject an address that would hold a key: it is shown, and kept in records of runs.

    Args:
        base_url: The address; `None` for none.
        name: The option that it was given with.

    Raises:
        CiteguardError: It is not one of HTTP, or has a user name, a password or a query.
    """
    if base_url is not None and not _is_plain_url(base_url):
        raise CiteguardError(
            f"{name} must be an address such as http://localhost:8000/v1, without a user name, "
            "password or query; keys belong in the environment"
        )


def _is_plain_url(text: str) -> bool:
    try:
        url = urlsplit(text)
        plain = "@" not in url.netloc and not url.query and not url.fragment
        return url.scheme in ("http", "https") and bool(url.hostname) and plain
    except ValueError:
        return False


_judge_option = partial(option, group="A model as a judge")
_JUDGE_OPTIONS: dict[str, Any] = {
    "judge": Annotated[
        str | None,
        _judge_option(
            "MODEL",
            "The model to ask where the reader cannot decide about support: a language "
            "model such as openai/gpt-5-mini, or any other that instructor knows, whose key comes "
            "from the environment; or reader:FOLDER, another reader or an entailment model. "
            "'' for none.",
            envvar=_JUDGE_VARIABLE,
        ),
    ],
    "base_url": Annotated[
        str | None,
        _judge_option(
            "URL",
            "The address of its endpoint, if not the provider's own.",
            envvar=_BASE_URL_VARIABLE,
        ),
    ],
    "judge_calls": Annotated[
        int | None, _judge_option("N", f"The most calls to the judge for {_OF_ONE}.", min=0)
    ],
    "judge_tokens": Annotated[
        int | None,
        _judge_option("N", "Make no further call once this many tokens are used.", min=0),
    ],
    "judge_seconds": Annotated[
        float | None, _judge_option("N", "The most seconds to wait for all judges.", min=0)
    ],
    "judge_price": Annotated[
        float | None, _judge_option("P", "The price of a million tokens, to show a cost.", min=0)
    ],
}
_model_option = partial(option, group="A language model that answers")
_MODEL_OPTIONS: dict[str, Any] = {
    "model": Annotated[
        str | None,
        _model_option(
            "MODEL",
            "The language model that writes answers, such as openai/gpt-5-mini, or any other that "
            "instructor knows; its key comes from the environment. Without it, sentences of the "
            "documents are the answer. '' for none.",
            envvar="CITEGUARD_MODEL",
        ),
    ],
    "base_url": Annotated[
        str | None,
        _model_option(
            "URL",
            "The address of its endpoint, if not the provider's own.",
            envvar=_MODEL_URL_VARIABLE,
        ),
    ],
    "temperature": Annotated[
        float | None, _model_option("N", "Its temperature, 0 to 2.", min=0, max=2)
    ],
}
_SAMPLE_ARGUMENTS: dict[str, Any] = {
    "samples": Annotated[
        str,
        typer.Argument(
            metavar="SAMPLES.jsonl",
            help="JSON lines, also as .jsonl.gz, or .parquet; - reads JSON lines from standard "
            "input.",
        ),
    ],
    "sources": Annotated[list[str] | None, sources_option(after="SAMPLES.jsonl")],
}
_FIELD_OPTIONS: dict[str, Any] = {
    f"{name}_field": Annotated[
        str | None,
        option(
            "EXPR",
            text,
            group="Fields of the samples (a key, or a JMESPath expression)",
            show_default=False,
        ),
    ]
    for name, text in {
        "sources": "What the answer is checked against.  [default: sources]",
        "question": "The question.  [default: question]",
        "answer": "The answer: an object, a text of JSON, or, with --quotes-field, plain text.  "
        "[default: answer]",
        "statements": "Its statements, if they are not part of an answer.  [default: statements]",
        "quotes": "The quotes, if they are not part of citations.",
        "quoted_from": "The ids of the sources of these quotes.",
    }.items()
}


def with_judge(command: Command) -> Command:
    """Read the argument `judge` of a command, a `JudgeOptions` or `None`, from the command line."""
    return reading(command, _judge, ("judge",), {}, _JUDGE_OPTIONS)


def with_judge_alone(command: Command) -> Command:
    """Do what `with_judge` does for a command that has a budget of its own."""
    kept = {name: _JUDGE_OPTIONS[name] for name in ("judge", "base_url", "judge_price")}
    return reading(command, _judge, ("judge",), {}, kept)


def with_model(command: Command) -> Command:
    """Read the argument `model` of a command, a `ModelOptions` or `None`, from the command line."""
    return reading(command, _model, ("model",), {}, _MODEL_OPTIONS)


def with_samples(command: Command) -> Command:
    """Read the arguments `samples`, `sources` and `fields` of a command from the command line.

    The command gets the path of the samples or standard input, the `Sources` for all samples or
    `None`, and the `Fields`; the command line has a path, `--sources` and an option for each field.
    """
    made = ("samples", "sources", "fields")
    return reading(command, _samples, made, _SAMPLE_ARGUMENTS, _FIELD_OPTIONS)


def reading(
    command: Command,
    make: Callable[..., Mapping[str, Any]],
    made: Collection[str],
    first: Mapping[str, Any],
    last: Mapping[str, Any],
) -> Command:
    """Return a command of which some arguments are made of others, first and last in its help.

    Args:
        command: The command.
        make: Returns the arguments that are made, by name, given those on the command line.
        made: Their names.
        first: The annotations of what comes first on the command line; of type `str` if required.
        last: The annotations of what comes last.
    """

    @wraps(command)
    def called(**given: Any) -> int:
        values = make(**{name: given.pop(name) for name in (*first, *last)})
        return command(**given, **values)

    def parameters(annotations: Mapping[str, Any]) -> list[Parameter]:
        return [
            Parameter(
                name,
                Parameter.KEYWORD_ONLY,
                default=Parameter.empty if annotation.__origin__ is str else None,
                annotation=annotation,
            )
            for name, annotation in annotations.items()
        ]

    own = inspect.signature(command, eval_str=True).parameters.values()
    kept = [each.replace(kind=Parameter.KEYWORD_ONLY) for each in own if each.name not in made]
    called.__signature__ = Signature([*parameters(first), *kept, *parameters(last)])  # pyright: ignore[reportAttributeAccessIssue]
    return called


def _judge(
    *, judge: str | None, base_url: str | None, **limits: float | None
) -> dict[str, JudgeOptions | None]:
    given: dict[str, Any] = {name: value for name, value in limits.items() if value is not None}
    if judge:
        settings = {name.removeprefix("judge_"): value for name, value in given.items()}
        return {"judge": JudgeOptions(model=judge, base_url=base_url or None, **settings)}
    # A variable may name the address of a judge that this command does not ask.
    if base_url not in (None, os.environ.get(_BASE_URL_VARIABLE)):
        given = {"base_url": base_url, **given}
    if given:
        raise typer.BadParameter(f"--{next(iter(given)).replace('_', '-')} needs --judge.")
    return {"judge": None}


def _model(
    *, model: str | None, base_url: str | None, temperature: float | None
) -> dict[str, ModelOptions | None]:
    if model:
        options = ModelOptions(model=model, base_url=base_url or None, temperature=temperature)
        return {"model": options}
    # A variable may name the address of a model that this command does not ask.
    if base_url not in (None, os.environ.get(_MODEL_URL_VARIABLE)):
        raise typer.BadParameter("--base-url needs --model.")
    if temperature is not None:
        raise typer.BadParameter("--temperature needs --model.")
    return {"model": None}


def _samples(
    *, samples: str, sources: Sequence[str] | None, **fields: str | None
) -> dict[str, Any]:
    if not samples:
        raise CiteguardError("the path of the samples is empty")
    given = {name.removesuffix("_field"): each for name, each in fields.items() if each is not None}
    try:
        named = Fields(**given)
    except CiteguardError as error:
        called = r"Fields\((\w+)=(.*)\)(?= is no| must be| names)"
        message = re.sub(called, lambda each: f"{option_of(each[1])} {each[2]}", str(error))
        raise CiteguardError(message) from error
    return {
        "samples": _standard_input() if samples == STANDARD_STREAM else samples,
        "sources": Sources.from_paths(sources) if sources else None,
        "fields": named,
    }


def option_of(name: str) -> str:
    """Return the option for a field: `--sources-field`."""
    return f"--{name.replace('_', '-')}-field"


def read_input(path: str, name: str) -> str:
    """Return the text of a file, or of standard input for `-`.

    Args:
        path: The path.
        name: What the file contains, for error messages: `"the answer"`.

    Raises:
        CiteguardError: The path is empty, or the file cannot be read or is not UTF-8.
    """
    if not path:
        raise CiteguardError(f"the path of {name} is empty")
    if path != STANDARD_STREAM:
        return read_text(Path(path))
    return decode(_standard_input().read(), "standard input")


def _standard_input() -> IO[bytes]:
    if sys.stdin is None:
        raise CiteguardError("standard input is closed")
    return sys.stdin.buffer
