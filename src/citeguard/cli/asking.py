"""What the commands `ask`, `chat` and `library` share: opening a library, and showing replies."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Generator, Sequence
from contextlib import aclosing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.live import Live
from rich.spinner import Spinner
from rich.text import Text

from citeguard.cli.arguments import Command, option, reading
from citeguard.cli.output import plain_console, visible
from citeguard.errors import CiteguardError
from citeguard.sources.layout import name_of_place

if TYPE_CHECKING:
    from citeguard.library.asking import ReplyEvent
    from citeguard.library.library import Changes, Library
    from citeguard.library.reply import Message, Reference, Reply

_embedder = Annotated[
    str | None,
    option(
        "FOLDER",
        "An embedding model (sentence-transformers), to find passages by their meaning, too; "
        "always the same for one library.",
    ),
]
_asking = partial(option, group="How it is answered")
_ASKING_OPTIONS: dict[str, Any] = {
    "library": Annotated[
        str | None,
        option(
            "FILE",
            "A library: documents in one file. The documents given are added to it, and all that "
            "are in it are asked. Without it, nothing is kept.",
        ),
    ],
    "embedder": _embedder,
    "source": Annotated[
        list[str] | None,
        _asking("ID", "Ask only this document; may be given several times."),
    ],
    "k": Annotated[
        int | None, _asking("N", "The most passages that are read.  [default: 4]", "--k", min=1)
    ],
    "threshold": Annotated[
        float | None,
        _asking(
            "N",
            "The least probability, 0 to 1, with which the words that are quoted must answer the "
            "question.",
            min=0,
            max=1,
        ),
    ],
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """Which library is asked, and how, as the options say.

    Attributes:
        library: The library's file; `None` for one that is not kept.
        embedder: The folder of its embedding model.
        source_ids: The documents that are asked; empty for all.
        k: The most passages that are read; `None` for the default.
        threshold: As in `Library.ask`.
    """

    library: str | None = None
    embedder: str | None = None
    source_ids: tuple[str, ...] = ()
    k: int | None = None
    threshold: float | None = None

    @property
    def options(self) -> dict[str, Any]:
        """The arguments of `Library.ask`."""
        given = {"source_ids": self.source_ids or None, "k": self.k, "threshold": self.threshold}
        return {name: value for name, value in given.items() if value is not None}

    @contextmanager
    def opened(self, documents: Sequence[str]) -> Generator[Library]:
        """Open the library, and add documents to it.

        Raises:
            CiteguardError: There is nothing to ask, or something cannot be read.
        """
        if not documents and self.library is None:
            raise CiteguardError("say what to ask: files or folders, or a library with --library")
        with opened_library(self.library, self.embedder, new=bool(documents)) as library:
            if documents:
                with waiting("reading the documents"):
                    changes = library.add(list(documents))
                report_unread(changes)
            if not len(library):
                raise CiteguardError("there is no document to ask")
            yield library


def with_asking(command: Command) -> Command:
    """Read the argument `asking` of a command, an `Asking`, from the command line."""

    def make(*, source: Sequence[str] | None, **given: Any) -> dict[str, Asking]:
        return {"asking": Asking(source_ids=tuple(source or ()), **given)}

    return reading(command, make, ("asking",), {}, _ASKING_OPTIONS)


def with_embedder(command: Command) -> Command:
    """Read the argument `embedder` of a command, a path or `None`, from the command line."""

    def make(*, embedder: str | None) -> dict[str, str | None]:
        return {"embedder": embedder}

    return reading(command, make, ("embedder",), {}, {"embedder": _embedder})


@contextmanager
def opened_library(
    path: str | None, embedder: str | None = None, *, new: bool
) -> Generator[Library]:
    """Open a library.

    Args:
        path: Its file; `None` for one that is not kept.
        embedder: The folder of its embedding model.
        new: Whether it may be created.

    Raises:
        CiteguardError: There is no such file or folder, or it is no library.
    """
    if path == "":
        raise CiteguardError("the path of the library is empty")
    if path is not None and not new and not Path(path).exists():
        raise CiteguardError(f"{path}: no such file")
    if embedder is not None and not Path(embedder).is_dir():  # else a name, and a download
        raise CiteguardError(f"--embedder {embedder}: expected the folder of an embedding model")
    from citeguard.library.library import Library

    with Library(path, embedder=embedder) as library:
        yield library


@contextmanager
def waiting(text: str) -> Generator[None]:
    """Show on standard error what takes time, if that is a terminal."""
    console = Console(stderr=True, highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        yield
        return
    with Live(Spinner("dots", Text(text)), console=console, transient=True):
        yield


def report_unread(changes: Changes) -> None:
    """Print, on standard error, the files of folders that could not be read."""
    for reason in changes.failed.values():
        typer.echo(visible(f"citeguard: not read: {reason}"), err=True)


def say_how_answers_are_made() -> None:
    """Print, on standard error, that no model is asked."""
    typer.echo(
        "citeguard: no language model is asked (--model NAME): an answer is a sentence of the "
        "documents that a small reader chose",
        err=True,
    )


def heard(stream: Callable[[], AsyncGenerator[ReplyEvent]], whole: Callable[[], Reply]) -> Reply:
    """Return a reply; in a terminal, show its text while it is written.

    Args:
        stream: Starts the events of the reply.
        whole: Returns the reply at once.
    """
    console = plain_console()
    if not console.is_terminal:
        return whole()
    from citeguard.judges.loops import run_sync
    from citeguard.library.asking import ReplyEnded, TextWritten

    with Live(
        Spinner("dots", Text("reading")),
        console=console,
        transient=True,
        vertical_overflow="visible",
    ) as live:

        async def reply() -> Reply:
            ended: Reply | None = None
            async with aclosing(stream()) as events:
                async for event in events:
                    if isinstance(event, TextWritten):
                        # Not verified yet, so it is dim, and it is gone when the reply is there.
                        live.update(Text(visible(event.text), "dim"))
                    elif isinstance(event, ReplyEnded):
                        ended = event.reply
            if ended is None:  # the generator promises it
                raise RuntimeError("the events ended without a reply")
            return ended

        return run_sync(reply())


def show_reply(reply: Reply) -> None:
    """Print an answer, why it is none or only a part, and its references."""
    console = plain_console()
    if reply.outcome == "passages":
        print_wrapped(console, Text(visible(f"Not answered. {reply.reason}"), "yellow"))
        print_wrapped(console, Text(f"{_CLOSEST}:"))
    else:
        answered = reply.outcome in ("answered", "partly")
        print_wrapped(console, Text(visible(reply.text), "" if answered else "yellow"))
    if reply.statements:
        show_reason(console, reply)
    if reply.references:
        console.print()
    for reference in reply.references:
        show_reference(console, reference)


def show_reason(console: Console, answer: Reply | Message) -> None:
    """Print why an answer is only a part of one, or undecided."""
    if answer.reason and answer.outcome in _NOT_ALL:
        reason = f"{_NOT_ALL[answer.outcome]}: {answer.reason}"
        print_wrapped(console, Text(visible(reason), "yellow"))


_NARROWEST = 20  # columns that a quote gets, however narrow the terminal is
_NOT_ALL = {"partly": "Only a part", "undecided": "Undecided"}
_CLOSEST = "Closest passages"


def print_wrapped(console: Console, text: Text, first: str = "") -> None:
    """Print a text with a hanging indent as wide as what its first line begins with."""
    indent = " " * len(first)
    for position, row in enumerate(text.wrap(console, max(_NARROWEST, console.width - len(first)))):
        row.rstrip()
        console.print(Text(indent if position else first) + row, soft_wrap=True)


def show_reference(console: Console, reference: Reference, state: str = "") -> None:
    """Print a reference: its number, its quote, its place, its link, and what became of it."""
    number = f"[{reference.number}] "
    indent = " " * len(number)
    print_wrapped(console, Text(f"“{visible(reference.quote)}”"), number)
    print_wrapped(console, Text(visible(place_of(reference)), "cyan"), indent)
    if state:
        print_wrapped(console, Text(state, "yellow"), indent)
    if reference.link is not None:  # not wrapped: one that is cut cannot be opened
        console.print(Text(f"{indent}{visible(reference.link)}", "dim"), soft_wrap=True)


def place_of(reference: Reference) -> str:
    """Return the document and the place of a quote, on one line."""
    title, heading = reference.title, reference.heading
    document = reference.source_id
    if title is not None and title != document:
        document = f"{title} ({document})"
        # A document often begins with its title as the heading of all of it.
        heading = "" if heading == title else heading.removeprefix(f"{title} › ")
    place = name_of_place(
        page=reference.page,
        page_label=reference.page_label,
        headings=heading.split(" › ") if heading else [],
    )
    return f"{document}, {place}" if place else document
