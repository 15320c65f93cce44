"""The arguments and options that several commands share, and the files that they name."""

from __future__ import annotations

import inspect
import logging
import os
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, wraps
from inspect import Parameter, Signature
from pathlib import Path, PurePath
from typing import IO, TYPE_CHECKING, Annotated, Any, cast
from urllib.parse import urlsplit

import typer

from citeguard.datasets.fields import Fields
from citeguard.documents.files import decode, read_text
from citeguard.errors import CiteguardError, foreign_code
from citeguard.judges.usage import Budget
from citeguard.sources.collection import Sources
from citeguard.validation.policy import Policy

if TYPE_CHECKING:
    from citeguard.judges.llm import LLMJudge

SOURCE_FILES = "Text, Markdown, HTML and PDF files, JSON of {id: text}, and folders of them."
STANDARD_STREAM = "-"
"""The path that means standard input, or standard output."""

SampleInput = str | IO[bytes]
"""The path of samples, or standard input."""

_METAVAR = "SAMPLES.jsonl"
_SAMPLES = typer.Argument(
    metavar=_METAVAR,
    help="JSON lines, also as .jsonl.gz, or .parquet; - reads JSON lines from standard input.",
)
_FIELDS = "Fields of the samples (a key, or a JMESPath expression)"
_FIELDS_HELP = {
    "sources": "What the answer is checked against.  [default: sources]",
    "question": "The question.  [default: question]",
    "answer": "The answer: an object, a text of JSON, or, with --quotes-field, plain text.  "
    "[default: answer]",
    "statements": "Its statements, if they are not part of an answer.  [default: statements]",
    "quotes": "The quotes, if they are not part of citations.",
    "quoted_from": "The ids of the sources of these quotes.",
}


def option(
    name: str, metavar: str | None, description: str, group: str | None = None, **settings: Any
) -> Any:
    """Return an option for `Annotated[...]`; a flag has no metavar."""
    return typer.Option(name, metavar=metavar, help=description, rich_help_panel=group, **settings)


AsJson = Annotated[bool, option("--json", None, "Print JSON instead of tables.")]
Quiet = Annotated[bool, option("--quiet", None, "Show no progress.")]
Support = Annotated[
    bool,
    option(
        "--support",
        None,
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
    return option("--sources", "PATH...", description)


def repeat_sources(arguments: Sequence[str]) -> list[str]:
    """Put `--sources` before every path that follows it, because the parser takes one at a time.

    The paths end at the next argument that starts with a dash. `--sources=` takes exactly one path.

    Examples:
        >>> repeat_sources(["answer.json", "--sources", "a.txt", "b.txt", "--json"])
        ['answer.json', '--sources=a.txt', '--sources=b.txt', '--json']
    """
    repeated: list[str] = []
    listing = False
    for position, argument in enumerate(arguments):
        if argument == "--":
            return [*repeated, *arguments[position:]]
        if not argument.startswith("-"):
            repeated.append(f"--sources={argument}" if listing else argument)
        elif listing := argument == "--sources":
            following = arguments[position + 1 : position + 2]
            if not following or following[0].startswith("-"):
                raise typer.BadParameter("--sources needs at least one path after it.")
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
_OF_ONE = "the judge of one text or answer, or of all samples of evaluate"


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeOptions:
    """A language model that decides what the embedded verifier cannot, as the options name it.

    It holds no key, so it can be printed, and sent to other processes. Called, it returns the
    default policy with this judge.

    Attributes:
        model: The provider and the model, as `instructor.from_provider` takes them.
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
        """Reject an address that would hold a key: it is shown, and kept in records of runs."""
        if self.base_url is not None and not _is_plain_url(self.base_url):
            raise CiteguardError(
                "--base-url must be an address such as http://localhost:8000/v1, without a user "
                "name, password or query; keys belong into the environment"
            )

    def __call__(self) -> Policy:
        """Return the default policy with this judge."""
        return self.policy()

    @property
    def budget(self) -> Budget:
        """What it may cost."""
        return Budget(calls=self.calls, tokens=self.tokens, seconds=self.seconds)

    def policy(self, **rules: Any) -> Policy:
        """Return a policy with this judge after the embedded verifier.

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
def judge_of(model: str, base_url: str | None, price: float) -> LLMJudge:
    """Return the judge with a client of the provider, whose key it reads from the environment."""
    import instructor

    from citeguard.judges.llm import LLMJudge

    # It logs what endpoints say, some of which repeat the key.
    logging.getLogger("instructor").setLevel(logging.CRITICAL + 1)
    address = {} if base_url is None else {"base_url": base_url}
    with foreign_code(lambda error: CiteguardError(f"--judge {model}: {error}")):
        client = cast("Any", instructor).from_provider(model, **address)
    return LLMJudge(client, price=price)


def _is_plain_url(text: str) -> bool:
    try:
        url = urlsplit(text)
        plain = "@" not in url.netloc and not url.query and not url.fragment
        return url.scheme in ("http", "https") and bool(url.hostname) and plain
    except ValueError:
        return False


def _judge_option(
    name: str, metavar: str, description: str, least: float | None = None, **settings: Any
) -> Any:
    group = "A language model as a judge"
    return option(name, metavar, description, group, min=least, **settings)


_JUDGE_OPTIONS: dict[str, Any] = {
    "judge": Annotated[
        str | None,
        _judge_option(
            "--judge",
            "PROVIDER/MODEL",
            "Ask it about support, where the embedded verifier cannot decide: openai/gpt-5-mini, "
            "or any other that instructor knows. Its key comes from the environment. '' for none.",
            envvar=_JUDGE_VARIABLE,
        ),
    ],
    "base_url": Annotated[
        str | None,
        _judge_option(
            "--base-url",
            "URL",
            "The address of its endpoint, if it is not the provider's.",
            envvar=_BASE_URL_VARIABLE,
        ),
    ],
    "judge_calls": Annotated[
        int | None, _judge_option("--judge-calls", "N", f"The most calls of {_OF_ONE}.", 0)
    ],
    "judge_tokens": Annotated[
        int | None,
        _judge_option("--judge-tokens", "N", "No further call once this many tokens are used.", 0),
    ],
    "judge_seconds": Annotated[
        float | None,
        _judge_option("--judge-seconds", "N", "The most seconds to wait for all judges.", 0),
    ],
    "judge_price": Annotated[
        float | None,
        _judge_option("--judge-price", "P", "The price of a million tokens, to show a cost.", 0),
    ],
}


def with_judge(command: Callable[..., int]) -> Callable[..., int]:
    """Read the argument `judge` of a command, a `JudgeOptions` or `None`, from the command line."""

    @wraps(command)
    def called(**given: Any) -> int:
        named = {name: given.pop(name) for name in _JUDGE_OPTIONS}
        return command(**given, judge=_judge_options(**named))

    signature = inspect.signature(command, eval_str=True)
    called.__signature__ = Signature(  # pyright: ignore[reportAttributeAccessIssue]
        [
            *(
                each.replace(kind=Parameter.KEYWORD_ONLY)
                for name, each in signature.parameters.items()
                if name != "judge"
            ),
            *(
                Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=annotation)
                for name, annotation in _JUDGE_OPTIONS.items()
            ),
        ]
    )
    return called


def _judge_options(
    judge: str | None,
    base_url: str | None,
    judge_calls: int | None,
    judge_tokens: int | None,
    judge_seconds: float | None,
    judge_price: float | None,
) -> JudgeOptions | None:
    if judge:
        return JudgeOptions(
            model=judge,
            base_url=base_url or None,
            calls=judge_calls,
            tokens=judge_tokens,
            seconds=judge_seconds,
            price=judge_price or 0.0,
        )
    # A variable may name the address of a judge that this command does not ask.
    given = {
        "--base-url": base_url if base_url != os.environ.get(_BASE_URL_VARIABLE) else None,
        "--judge-calls": judge_calls,
        "--judge-tokens": judge_tokens,
        "--judge-seconds": judge_seconds,
        "--judge-price": judge_price,
    }
    if named := [name for name, value in given.items() if value is not None]:
        raise typer.BadParameter(f"{named[0]} needs --judge.")
    return None


def with_samples(command: Callable[..., int]) -> Callable[..., int]:
    """Read the arguments `samples`, `sources` and `fields` of a command from the command line.

    The command gets the path of the samples or standard input, the `Sources` for all samples or
    `None`, and the `Fields`; the command line has a path, `--sources` and an option for each field.
    """

    def parameter(name: str, annotation: Any, default: Any = None) -> Parameter:
        return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)

    @wraps(command)
    def called(samples: str, sources: list[str] | None, **given: Any) -> int:
        named = {name: given.pop(f"{name}_field") for name in _FIELDS_HELP}
        if not samples:
            raise CiteguardError("the path of the samples is empty")
        return command(
            samples=_standard_input() if samples == STANDARD_STREAM else samples,
            sources=Sources.from_paths(sources) if sources else None,
            fields=_fields(named),
            **given,
        )

    signature = inspect.signature(command, eval_str=True)
    read = ("samples", "sources", "fields")
    called.__signature__ = Signature(  # pyright: ignore[reportAttributeAccessIssue]
        [
            parameter("samples", Annotated[str, _SAMPLES], Parameter.empty),
            parameter("sources", Annotated[list[str] | None, sources_option(after=_METAVAR)]),
            *(each for name, each in signature.parameters.items() if name not in read),
            *(
                parameter(
                    f"{name}_field",
                    Annotated[
                        str | None,
                        option(option_of(name), "EXPR", text, _FIELDS, show_default=False),
                    ],
                )
                for name, text in _FIELDS_HELP.items()
            ),
        ]
    )
    return called


def option_of(name: str) -> str:
    """Return the option for a field: `--sources-field`."""
    return f"--{name.replace('_', '-')}-field"


def _fields(named: dict[str, str | None]) -> Fields:
    try:
        return Fields(**{name: value for name, value in named.items() if value is not None})
    except CiteguardError as error:
        called = r"Fields\((\w+)=(.*)\)(?= is no| must be| names)"
        message = re.sub(called, lambda each: f"{option_of(each[1])} {each[2]}", str(error))
        raise CiteguardError(message) from error


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
