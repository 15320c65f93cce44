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

from citeguard.cli.arguments import option
from citeguard.cli.output import plain_console, visible
from citeguard.errors import CiteguardError
from citeguard.sources.layout import name_of_place

if TYPE_CHECKING:
    from citeguard.library.asking import ReplyEvent
    from citeguard.library.library import Changes, Library
    from citeguard.library.reply import Message, Reference, Reply

Embedder = Annotated[
    str | None,
    option(
        "FOLDER",
        "A sentence-transformers model, to find passages by meaning; one for one library.",
        "--embedder",
    ),
]
_asking = partial(option, group="How it is answered")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """Which library is asked, and how, as the options say."""

    library: Annotated[
        str | None,
        option("FILE", "Documents in one file. Those given are added; all in it are asked."),
    ] = None
    embedder: Embedder = None
    source: Annotated[list[str] | None, _asking("ID", "Ask only this document; repeatable.")] = None
    k: Annotated[
        int | None, _asking("N", "The most passages that are read.  [default: 4]", "--k", min=1)
    ] = None
    threshold: Annotated[
        float | None,
        _asking("N", "The least probability that what is quoted answers, 0 to 1.", min=0, max=1),
    ] = None

    @property
    def options(self) -> dict[str, Any]:
        """The arguments of `Library.ask`."""
        given = {"source_ids": self.source or None, "k": self.k, "threshold": self.threshold}
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

    reading = Spinner("dots", Text("reading"))
    with Live(reading, console=console, transient=True, vertical_overflow="visible") as live:

        async def reply() -> Reply:
            async with aclosing(stream()) as events:
                async for event in events:
                    if isinstance(event, TextWritten):
                        # Not verified yet, so it is dim, and it is gone when the reply is there.
                        live.update(Text(visible(event.text), "dim"))
                    elif isinstance(event, ReplyEnded):
                        return event.reply
            raise RuntimeError("the events ended without a reply")  # the generator promises it

        return run_sync(reply())


def show_reply(reply: Reply) -> None:
    """Print an answer, why it is none or only a part, and its references."""
    from citeguard.library.reply import UNVERIFIED

    console = plain_console()
    if reply.understood:
        print_wrapped(console, Text(visible(f"Understood as: {reply.understood}"), "dim"))
    if reply.outcome == "passages":
        why = reply.reason if reply.reason == UNVERIFIED else f"Not answered. {reply.reason}"
        print_wrapped(console, Text(visible(why), "yellow"))
        print_wrapped(console, Text("Closest passages:"))
    else:
        answered = reply.outcome in ("answered", "partly")
        print_wrapped(console, Text(visible(reply.text), "" if answered else "yellow"))
    show_reason(console, reply)
    if reply.references:
        console.print()
    for reference in reply.references:
        show_reference(console, reference)


def show_reason(console: Console, answer: Reply | Message) -> None:
    """Print why an answer is only a part of one, or undecided."""
    titles = {"partly": "Only a part", "undecided": "Undecided", "cannot_answer": "Reason"}
    title = titles.get(answer.outcome or "")
    if answer.reason and title:
        print_wrapped(console, Text(visible(f"{title}: {answer.reason}"), "yellow"))


_NARROWEST = 20  # columns that a quote gets, however narrow the terminal is


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
    document, heading = reference.source_id, reference.heading
    if reference.title not in (None, document):
        document = f"{reference.title} ({document})"
        # A document often begins with its title as the heading of all of it.
        is_title = heading == reference.title
        heading = "" if is_title else heading.removeprefix(f"{reference.title} › ")
    place = name_of_place(
        page=reference.page,
        page_label=reference.page_label,
        headings=heading.split(" › ") if heading else [],
    )
    shown = ", ".join(filter(None, [document, place]))
    print_wrapped(console, Text(f"“{visible(reference.quote)}”"), number)
    print_wrapped(console, Text(visible(shown), "cyan"), indent)
    if state:
        print_wrapped(console, Text(state, "yellow"), indent)
    if reference.link is not None:  # not wrapped: one that is cut cannot be opened
        console.print(Text(f"{indent}{visible(reference.link)}", "dim"), soft_wrap=True)
