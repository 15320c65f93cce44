"""The arguments and options that several commands share, and the files that they name.

Files are read as sources, with how far that has got on standard error.
"""

from __future__ import annotations

import inspect
import os
import re
import sys
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import MISSING, dataclass, field, fields, is_dataclass, replace
from functools import cache, partial, wraps
from inspect import Parameter, Signature
from os import PathLike
from pathlib import Path, PurePath
from typing import IO, TYPE_CHECKING, Annotated, Any, cast, get_type_hints

import typer

from citeguard.datasets.fields import Fields
from citeguard.datasets.progress_bar import Move, error_console, shown_bar
from citeguard.documents.document import Unseen
from citeguard.documents.files import decode, find_files, read_text, watching
from citeguard.errors import CiteguardError
from citeguard.judges.usage import Budget
from citeguard.language.excerpts import counted_as, shown
from citeguard.sources.collection import Source, Sources
from citeguard.sources.layout import SUFFIXES
from citeguard.validation.policy import Policy

if TYPE_CHECKING:
    from citeguard.judges.verdicts import Judge
    from citeguard.library.answering import LLMAnswerer


SOURCE_FILES = (
    "Text, Markdown, HTML, PDF, CSV, Word, PowerPoint, Excel, EPUB, mail (.eml) and caption (.vtt,"
    " .srt) files, JSON of {id: text}, and folders of them."
)
STANDARD_STREAM = "-"
"""The path that means standard input, or standard output."""


def option(metavar: str | None, description: str, *names: str, group: str = "", **more: Any) -> Any:
    """Return an option for `Annotated[...]`; without names it is called like its parameter."""
    return typer.Option(*names, metavar=metavar, help=description, rich_help_panel=group, **more)


def argument(metavar: str, description: str) -> Any:
    """Return an argument for `Annotated[...]`."""
    return typer.Argument(metavar=metavar, help=description)


def flag(name: str, description: str, **more: Any) -> Any:
    """Return an option without a value, for `Annotated[bool, ...]`."""
    return option(None, description, name, **more)


Paths = Annotated[list[str], argument("PATH", SOURCE_FILES)]
AsJson = Annotated[bool, flag("--json", "Print JSON instead of tables.")]
Quiet = Annotated[bool, flag("--quiet", "Show no progress.")]
HowUnseen = Annotated[
    Unseen,
    option(
        None,
        "What becomes of struck out and hidden text of source files: left out, or kept between ⟦ "
        "and ⟧; quotes from it are in doubt.",
        "--unseen",
    ),
]
Support = Annotated[
    bool,
    flag("--support", "Also judge, with the reader, whether the cited words support statements."),
]


# Typer has no groups of parameters, and seven commands share those of a judge.
def with_groups(command: Callable[..., int]) -> Callable[..., int]:
    """Return a command in which each parameter that is a dataclass is replaced by its fields.

    The fields are annotated as the parameters of commands are. On the command line, each is an
    option or argument of its own; the command gets the dataclass that is made of them.
    """
    own = inspect.signature(command, eval_str=True).parameters
    groups: dict[str, Any] = {
        name: each.annotation for name, each in own.items() if is_dataclass(each.annotation)
    }

    @wraps(command)
    def called(**given: Any) -> int:
        for name, group in groups.items():
            given[name] = group(**{each.name: given.pop(each.name) for each in fields(group)})
        return command(**given)

    parameters: list[Parameter] = []
    for name, parameter in own.items():
        if (group := groups.get(name)) is None:
            parameters.append(parameter.replace(kind=Parameter.KEYWORD_ONLY))
            continue
        hints = get_type_hints(group, include_extras=True)
        for each in fields(group):
            default = Parameter.empty if each.default is MISSING else each.default
            kind, annotation = Parameter.KEYWORD_ONLY, hints[each.name]
            parameters.append(Parameter(each.name, kind, default=default, annotation=annotation))
    called.__signature__ = Signature(parameters)  # pyright: ignore[reportAttributeAccessIssue]
    return called


def sources_option(*, after: str) -> Any:
    """Return the option `--sources PATH...`, which comes after an argument, for `Annotated[...]`.

    Typer cannot parse it before `repeat_sources` has rewritten it.
    """
    description = (
        f"{SOURCE_FILES} Every path up to the next option is a source, so put {after} before it; "
        "--sources=PATH takes exactly one."
    )
    return option("PATH...", description, "--sources")


# The options that take all that follows them, and what that is.
_LISTS = {"--sources": "path", "--pages": "address"}


def repeat_sources(arguments: Sequence[str]) -> list[str]:
    """Put `--sources` before every path that follows it, because the parser takes one at a time.

    The paths end at the next argument that starts with a dash. `--sources=` takes exactly one path.
    The same holds for `--pages` and addresses.
    """
    # A shell makes several arguments of `--sources docs/*.txt`, and options with any number of
    # values are nothing that Typer parses.
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
    for last in [each for each in arguments if not each.startswith("-")][-1:]:
        is_source = f"--sources={last}" in repeat_sources(arguments)
        if is_source and PurePath(last).suffix.lower() == PurePath(wanted).suffix != "":
            return f" {last} was read as a source: put {wanted} before --sources."
    return ""


_judge = partial(option, group="A model as a judge")
_model = partial(option, group="A language model that answers")
_ENDPOINT = "The address of its endpoint, if not the provider's own."
# The variables with the address of a model's endpoint, by the name of its option.
_VARIABLES = {"judge": "CITEGUARD_JUDGE_BASE_URL", "model": "CITEGUARD_BASE_URL"}


class NamedModel:
    """A model that options name; falsy if none is named.

    It holds no key, so it can be printed, and sent to other processes.
    """

    base_url: str | None

    def __post_init__(self) -> None:
        """Reject an address that would hold a key, and settings of no model."""
        check_base_url(self.base_url)
        named, *settings = fields(cast("Any", self))
        for each in settings:
            value = getattr(self, each.name)
            # A variable may name the address of a model that this command does not ask.
            of_others = each.name == "base_url" and value == os.environ.get(_VARIABLES[named.name])
            if not self and value is not None and not of_others:
                raise typer.BadParameter(f"--{each.name.replace('_', '-')} needs --{named.name}.")

    def __bool__(self) -> bool:
        """Return whether there is a model."""
        return bool(getattr(self, fields(cast("Any", self))[0].name))


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeModel(NamedModel):
    """A model that decides what the reader cannot.

    Called, it returns a policy with this judge after the reader.
    """

    judge: Annotated[
        str | None,
        _judge(
            "MODEL",
            "The model to ask where the reader cannot decide: openai/gpt-5-mini, or any other that "
            "instructor knows (its key comes from the environment); reader, the one that ships; or "
            "reader:FOLDER. '' for none.",
            envvar="CITEGUARD_JUDGE",
        ),
    ] = None
    base_url: Annotated[str | None, _judge("URL", _ENDPOINT, envvar=_VARIABLES["judge"])] = None
    judge_price: Annotated[
        float | None, _judge("P", "The price of a million tokens, to show a cost.", min=0)
    ] = field(default=None, repr=False)  # a run resumes with another one

    @property
    def budget(self) -> Budget:
        """What it may cost."""
        return Budget()

    def __call__(self, **rules: Any) -> Policy:
        """Return a policy with this judge after the reader."""
        judge = judge_of(self.judge or "", self.base_url or None, self.judge_price or 0.0)
        return Policy.strict(judge, budget=self.budget, **rules)


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeOptions(JudgeModel):
    """The same with limits: for one text or answer, or for all samples of `evaluate`."""

    judge_calls: Annotated[int | None, _judge("N", "The most calls to the judge.", min=0)] = None
    judge_tokens: Annotated[
        int | None, _judge("N", "Make no further call once this many tokens are used.", min=0)
    ] = None
    judge_seconds: Annotated[
        float | None, _judge("N", "The most seconds to wait for all judges.", min=0)
    ] = None

    @property
    def budget(self) -> Budget:
        """What it may cost."""
        return Budget(calls=self.judge_calls, tokens=self.judge_tokens, seconds=self.judge_seconds)

    def within(self, seconds: float) -> JudgeOptions:
        """Return these options with a budget of seconds, unless they have one."""
        return self if self.judge_seconds is not None else replace(self, judge_seconds=seconds)


@cache  # so that all policies share its connections and verdicts
def judge_of(model: str, base_url: str | None, price: float) -> Judge:
    """Return the judge that `JudgeModel` names; a provider's key is read from the environment."""
    from citeguard.judges.llm import named_judge

    with _errors_naming("--judge", model):
        return named_judge(model, base_url=base_url, price=price)


def client_of(
    model: str, base_url: str | None, *, option: str = "--model", streams: bool = False
) -> Any:
    """Do what `named_client` does; errors name the option that the model is from."""
    from citeguard.judges.model_calls import named_client

    with _errors_naming(option, model):
        return named_client(model, base_url=base_url or None, streams=streams)


@contextmanager
def _errors_naming(option: str, model: str) -> Generator[None]:
    """Name the option in errors of setting up a model, and the variable of a missing key."""
    try:
        yield
    except CiteguardError as error:
        variable = f"{model.partition('/')[0].upper()}_API_KEY"
        message = f"{option} {error}"
        # What clients say of a missing key is about arguments of their classes.
        if "api_key" in message.lower() and not os.environ.get(variable):
            message = f"{option} {model} needs a key in the environment: set {variable}"
        raise CiteguardError(message) from error


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelOptions(NamedModel):
    """A language model that writes answers."""

    model: Annotated[
        str | None,
        _model(
            "MODEL",
            "The language model that writes answers: openai/gpt-5-mini, or any other that "
            "instructor knows; its key comes from the environment. '' for none.",
            envvar="CITEGUARD_MODEL",
        ),
    ] = None
    base_url: Annotated[str | None, _model("URL", _ENDPOINT, envvar=_VARIABLES["model"])] = None

    def answerer(self) -> LLMAnswerer | None:
        """Return who writes the answers, or `None` if no model is named."""
        if not self.model:
            return None
        from citeguard.library.answering import LLMAnswerer

        client = client_of(self.model, self.base_url, streams=True)
        return LLMAnswerer(client)


def check_base_url(base_url: str | None, name: str = "--base-url") -> None:
    """Reject an address that would hold a key: it is shown, and kept in records of runs.

    `name` is the option that it was given with.
    """
    if base_url and not re.fullmatch(r"(?i)https?://[^\s/@?#]+(/[^\s?#]*)?", base_url):
        raise CiteguardError(
            f"{name} must be an address such as http://localhost:8000/v1, without a user name, "
            "password or query; keys belong in the environment"
        )


_FIELDS = "Fields of the samples (a key, or a JMESPath expression)"
_field = partial(option, "EXPR", group=_FIELDS, show_default=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleOptions:
    """The samples of a command, what they are checked against, and the fields that have it."""

    samples: Annotated[
        str,
        argument(
            "SAMPLES.jsonl", "JSON lines, also as .jsonl.gz, or .parquet; - is standard input."
        ),
    ]
    sources: Annotated[list[str] | None, sources_option(after="SAMPLES.jsonl")] = None
    unseen: HowUnseen = "omit"
    sources_field: Annotated[
        str | None, _field("What the answer is checked against.  [default: sources]")
    ] = None
    question_field: Annotated[str | None, _field("The question.  [default: question]")] = None
    answer_field: Annotated[
        str | None, _field("The answer: an object, or JSON or text.  [default: answer]")
    ] = None
    statements_field: Annotated[
        str | None, _field("Its statements, without an answer.  [default: statements]")
    ] = None
    quotes_field: Annotated[str | None, _field("The quotes, outside citations.")] = None
    quoted_from_field: Annotated[str | None, _field("The ids of the sources of these quotes.")] = (
        None
    )

    def arguments(self, *, quiet: bool = False) -> Mapping[str, Any]:
        """Return the arguments `samples`, `sources` and `fields` of what reads samples."""
        if not self.samples:
            raise CiteguardError("the path of the samples is empty")
        named = {each.name: getattr(self, each.name) for each in fields(self)}
        given = {
            name.removesuffix("_field"): value
            for name, value in named.items()
            if name.endswith("_field") and value is not None
        }
        try:
            read = Fields(**given)
        except CiteguardError as error:
            # The error names arguments of `Fields`; who reads it here knows options.
            called = r"Fields\((\w+)=(.*)\)(?= is no| must be| names)"
            message = re.sub(called, lambda each: f"{option_of(each[1])} {each[2]}", str(error))
            raise CiteguardError(message) from error
        sources = None
        if self.sources:
            sources = read_sources(self.sources, unseen=self.unseen, quiet=quiet)
        return {
            "samples": _standard_input() if self.samples == STANDARD_STREAM else self.samples,
            "sources": sources,
            "fields": read,
        }


def option_of(name: str) -> str:
    """Return the option for a field: `--sources-field`."""
    return f"--{name.replace('_', '-')}-field"


def read_input(path: str, name: str) -> str:
    """Return the text of a file, or of standard input for `-`; errors name what it contains."""
    if not path:
        raise CiteguardError(f"the path of {name} is empty")
    if path != STANDARD_STREAM:
        return read_text(Path(path))
    return decode(_standard_input().read(), "standard input")


_PLAIN = ("text", "markdown", "json")


def read_text_source(path: str, *, unseen: Unseen = "omit", quiet: bool = False) -> Source:
    """Return the text of a file, or of standard input, with the places that its kind has.

    Text and Markdown are read as they are written, so that lines, links and marks keep their
    places; other files as sources are.
    """
    if SUFFIXES.get(PurePath(path).suffix.lower(), "text") in _PLAIN:
        return Source("text", read_input(path, "the text"))
    [source] = read_sources([path], unseen=unseen, quiet=quiet)
    return source


def _standard_input() -> IO[bytes]:
    # Python has no stream if the descriptor was closed, as by `<&-` of a shell.
    if sys.stdin is None:
        raise CiteguardError("standard input is closed")
    return sys.stdin.buffer


_LONGEST_NOTE = 400


@contextmanager
def shown_reading(
    paths: Iterable[str | PathLike[str]] = (), *, quiet: bool = False
) -> Generator[Move]:
    """Show which file and page is read inside the block, in a terminal only.

    It yields what takes each step of other work, such as the documents of a library.
    """
    console = error_console()
    if quiet or not console.is_terminal:
        yield lambda line, done, total: None
        return
    total, read = 0, dict[str, int]()  # and the files begun, by name
    with suppress(CiteguardError):  # whoever reads them reports it
        total = sum(1 for _ in find_files(paths))
    with shown_bar(console) as move:

        def on_page(name: str, page: int, pages: int) -> None:
            done = read.setdefault(name, len(read)) + page / max(1, pages)
            place = f", page {page:,} of {pages:,}" if pages else ""
            move(f"{PurePath(name).name}{place}", done, max(total, len(read)))

        with watching(on_page):
            yield move


def read_sources(
    paths: Iterable[str | PathLike[str]], *, unseen: Unseen = "omit", quiet: bool = False
) -> Sources:
    """Read files and folders as `Sources.from_paths` does, and show how far that is.

    What of them is not in the sources' text, or in doubt there, is printed on standard error.
    """
    given = list(paths)
    with shown_reading(given, quiet=quiet):
        sources = Sources.from_paths(given, unseen=unseen)
    for source in sources:
        notes = list(source.warnings)
        # Not what a PDF file calls an artifact: almost every running head is one.
        for how in ("hidden", "struck out"):
            if left_out := source.left_out.get(how):
                notes.append(f"left out: {counted_as(left_out, 'character')} {how} in the file")
        if doubts := source.layout.doubts if source.layout else ():
            notes.append(f"in doubt: the file may show {counted_as(len(doubts), 'part')} otherwise")
        for note in notes:
            typer.echo(shown(f"citeguard: {source.id}: {note}", _LONGEST_NOTE), err=True)
    return sources
