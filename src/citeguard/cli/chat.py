"""`citeguard chat`: a conversation about documents, in the terminal."""

from __future__ import annotations

import re
import sys
from contextlib import suppress
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from citeguard.cli.arguments import SOURCE_FILES, ModelOptions, argument, option
from citeguard.cli.asking import (
    Asking,
    heard,
    print_wrapped,
    say_how_answers_are_made,
    show_reason,
    show_reference,
    show_reply,
)
from citeguard.cli.output import ExitStatus, plain_console, visible
from citeguard.errors import CiteguardError
from citeguard.language.excerpts import counted_as

if TYPE_CHECKING:
    from citeguard.library.library import Chat, Library

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
                stream, whole = partial(talk.astream, line), partial(talk.ask, line)
                show_reply(heard(partial(stream, **options), partial(whole, **options)))
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
