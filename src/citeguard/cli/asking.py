"""The commands `ask` and `chat`: questions to documents, answered with references."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Generator, Sequence
from contextlib import aclosing, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.live import Live
from rich.spinner import Spinner
from rich.text import Text

from citeguard.cli.arguments import (
    SOURCE_FILES,
    STANDARD_STREAM,
    AsJson,
    ModelOptions,
    argument,
    option,
    read_input,
    shown_reading,
)
from citeguard.cli.output import ExitStatus, plain_console, print_json, print_wrapped, visible
from citeguard.errors import CiteguardError
from citeguard.judges.reader import INSTALL
from citeguard.language.excerpts import counted_as
from citeguard.reader.model import is_installed

if TYPE_CHECKING:
    from citeguard.library.library import Changes, Chat, Library
    from citeguard.library.reply import Message, Reference, Reply, ReplyOutcome

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
        """Open the library, and add documents to it."""
        if not documents and self.library is None:
            raise CiteguardError("say what to ask: files or folders, or a library with --library")
        with opened_library(self.library, self.embedder, new=bool(documents)) as library:
            if documents:
                with shown_reading(documents):
                    changes = library.add(list(documents))
                report_unread(changes)
            if not len(library):
                raise CiteguardError("there is no document to ask")
            yield library


@contextmanager
def opened_library(
    path: str | None, embedder: str | None = None, *, new: bool
) -> Generator[Library]:
    """Open a library, or begin one that is not kept; one in a file may be created if `new`."""
    if path == "":
        raise CiteguardError("the path of the library is empty")
    if path is not None and not new and not Path(path).exists():
        raise CiteguardError(f"{path}: no such file")
    if embedder is not None and not Path(embedder).is_dir():  # else a name, and a download
        raise CiteguardError(f"--embedder {embedder}: expected the folder of an embedding model")
    from citeguard.library.library import Library

    with Library(path, embedder=embedder) as library:
        yield library


def report_unread(changes: Changes) -> None:
    """Print, on standard error, the files of folders that could not be read."""
    for reason in changes.failed.values():
        typer.echo(visible(f"citeguard: not read: {reason}"), err=True)


def say_how_answers_are_made() -> None:
    """Print, on standard error, that no model is asked."""
    how = "an answer is a sentence of the documents that a small reader chose"
    if not is_installed():
        how = f"passages are found, and nothing reads them: {INSTALL}"
    typer.echo(f"citeguard: no language model is asked (--model NAME): {how}", err=True)


def heard(asked: Library | Chat, question: str, options: dict[str, Any]) -> Reply:
    """Return the reply to a question; in a terminal, show its text while it is written."""
    console = plain_console()
    if not console.is_terminal:
        return asked.ask(question, **options)
    from citeguard.judges.loops import run_sync
    from citeguard.library.reply import ReplyEnded, TextWritten

    reading = Spinner("dots", Text("reading"))
    with Live(reading, console=console, transient=True, vertical_overflow="visible") as live:

        async def reply() -> Reply:
            async with aclosing(asked.astream(question, **options)) as events:
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


def show_reference(console: Console, reference: Reference, state: str = "") -> None:
    """Print a reference: its number, its quote, its place, its link, and what became of it."""
    number = f"[{reference.number}] "
    indent = " " * len(number)
    print_wrapped(console, Text(f"“{visible(reference.quote)}”"), number)
    print_wrapped(console, Text(visible(reference.place), "cyan"), indent)
    if state:
        print_wrapped(console, Text(state, "yellow"), indent)
    if reference.link is not None:  # not wrapped: one that is cut cannot be opened
        console.print(Text(f"{indent}{visible(reference.link)}", "dim"), soft_wrap=True)


STATUSES: dict[ReplyOutcome, ExitStatus] = {
    "answered": ExitStatus.PASSED,
    "partly": ExitStatus.PASSED,
    "passages": ExitStatus.CLOSEST_PASSAGES,
    "cannot_answer": ExitStatus.FAILED,
    "undecided": ExitStatus.UNDECIDED,
}


def ask_command(
    *,
    documents: Annotated[
        list[str] | None,
        argument("PATH", f"{SOURCE_FILES} Needed unless --library has some already."),
    ] = None,
    question: Annotated[str, argument("QUESTION", "The question; - reads standard input.")],
    as_json: AsJson = False,
    asking: Asking,
    model: ModelOptions,
) -> int:
    """Answer a question from documents, with references, or say that no passage answers it.

        citeguard ask paper.pdf "How much memory does minimap2 need?"

        citeguard ask --library papers.db "Which tools were compared?"

        citeguard ask paper.pdf "How is it indexed?" --model openai/gpt-5-mini

    Without a model, the answer is a sentence of the documents that the reader is sure about, or
    the closest passages are shown; nothing leaves this machine. Whoever answers, every quote was
    found in the documents, where its reference says.

    Exit status:

          0  answered, or a part of it
          1  no passage that was read answers it
          3  undecided: the model failed, or it could not be verified
          4  not answered clearly enough: the closest passages
    """
    # A question that is the name of a file was most likely given in the wrong place.
    if question != STANDARD_STREAM and os.path.exists(question):
        raise CiteguardError(f"{visible(question)} is a file or folder: the question comes last")
    if question == STANDARD_STREAM:
        question = read_input(question, "the question")
    if not question.strip():
        raise CiteguardError("the question is empty")
    answerer = model.answerer()
    options: dict[str, Any] = {"answerer": answerer, **asking.options}
    with asking.opened(documents or ()) as library:
        if as_json:
            reply = library.ask(question, **options)
            print_json(reply.model_dump(mode="json"))
        else:
            reply = heard(library, question, options)
            show_reply(reply)
            by_reader = reply.asked_from in ("section", "passages")
            if answerer is None and by_reader and reply.outcome == "answered":
                say_how_answers_are_made()
    return STATUSES[reply.outcome]


_PROMPT = "? "
_COMMANDS = "/sources lists the documents, /quit ends"
_COMMAND = re.compile(r"/\w+")


def chat_command(
    documents: Annotated[list[str] | None, argument("PATH", SOURCE_FILES)] = None,
    *,
    chat: Annotated[
        str | None, option("ID", "A chat to go on with, as citeguard library list shows.")
    ] = None,
    asking: Asking,
    model: ModelOptions,
) -> int:
    """Ask one question after the other, each answered with references.

        citeguard chat paper.pdf

        citeguard chat --library papers.db --chat 3f2a

        citeguard chat paper.pdf < questions.txt

    A question may refer to what was said before. With --library, the chat is kept in it; when it is
    continued, each reference whose words are no longer where they were is marked. /sources lists
    the documents; /quit, Ctrl-D or Ctrl-C ends the chat, and Ctrl-C while an answer is written only
    ends the answer. Standard input that is no terminal is read as one question a line.

    Exit status:

          0  ended
    """
    if chat is not None and asking.library is None:
        raise typer.BadParameter("--chat needs --library.")
    if sys.stdin is None:
        raise CiteguardError("standard input is closed")
    options = {"answerer": model.answerer(), **asking.options}
    with asking.opened(documents or ()) as library:
        talk = None if chat is None else library.chat(chat)
        if talk is not None:
            show_chat(library, talk)
        if not model:
            say_how_answers_are_made()
        talk = _converse(library, talk, options)
        if asking.library is not None and talk is not None:
            command = f"citeguard chat --library {asking.library} --chat {talk.id}"
            typer.echo(visible(f"citeguard: kept; to go on: {command}"), err=True)
    return ExitStatus.PASSED


def _converse(library: Library, talk: Chat | None, options: dict[str, Any]) -> Chat | None:
    """Answer questions from standard input until there are no more, and return the chat."""
    interactive = sys.stdin.isatty()
    if interactive:
        with suppress(ImportError):
            import_module("readline")  # lines can be edited and called back
        counted = counted_as(len(library), "document")
        typer.echo(f"{counted}. Ask a question; {_COMMANDS}.")
    while (line := _next_line(interactive)) not in (None, "/quit"):
        if line == "/sources":
            for info in library.documents():
                typer.echo(visible(f"{info.source_id}  {info.title or ''}".rstrip()))
        elif _COMMAND.fullmatch(line):
            typer.echo(visible(f"{line} is no command: {_COMMANDS}."))
        elif line:
            talk = talk or library.chat()  # now, so that a chat without questions is not kept
            try:
                show_reply(heard(talk, line, options))
                typer.echo("")
            except KeyboardInterrupt:
                if not interactive:
                    raise
                typer.echo("stopped")
    return talk


def _next_line(interactive: bool) -> str | None:
    """Return the next line of standard input, stripped; `None` at its end."""
    try:
        line = input(_PROMPT if interactive else "").strip()
    except (EOFError, KeyboardInterrupt) as error:
        if not interactive and isinstance(error, KeyboardInterrupt):
            raise
        if interactive:
            typer.echo("")  # after the prompt
        return None
    if line and not interactive:
        typer.echo(visible(f"{_PROMPT}{line}"))
    return line


def show_chat(library: Library, chat: Chat) -> None:
    """Print a chat as it was, and which of its references no longer stand."""
    from citeguard.library.reply import STATES

    console = plain_console()
    for message in chat.messages:
        if message.role == "user":
            typer.echo(visible(f"{_PROMPT}{message.text}"))
            continue
        print_wrapped(console, Text(visible(message.text)))
        if message.references:
            show_reason(console, message)
            console.print()
        for reference in message.references:
            show_reference(console, reference, STATES[library.state_of(reference)])
        console.print()
