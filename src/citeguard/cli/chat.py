"""`citeguard chat`: a conversation about documents, in the terminal."""

from __future__ import annotations

import re
import sys
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from citeguard.cli.arguments import SOURCE_FILES, ModelOptions, option, with_model
from citeguard.cli.asking import (
    Asking,
    heard,
    print_wrapped,
    say_how_answers_are_made,
    show_reason,
    show_reference,
    show_reply,
    with_asking,
)
from citeguard.cli.output import ExitStatus, plain_console, visible
from citeguard.errors import CiteguardError
from citeguard.language.excerpts import counted_as

if TYPE_CHECKING:
    from citeguard.library.library import Chat, Library
    from citeguard.library.reply import ReferenceState

_PROMPT = "? "
_COMMANDS = "/sources lists the documents, /quit ends"
_COMMAND = re.compile(r"/\w+")
STATES: dict[ReferenceState, str] = {
    "stands": "",
    "source_changed": "the document has changed since",
    "source_removed": "the document is no longer in the library",
    "quote_missing": "the document no longer says this",
    "quote_on_other_page": "this is now on another page",
    "under_other_heading": "this is now under another heading",
    "in_other_source": "another document says this now",
}
"""What has become of a reference, for readers; empty if it stands."""


@with_asking
@with_model
def chat_command(
    documents: Annotated[
        list[str] | None, typer.Argument(metavar="PATH", help=SOURCE_FILES)
    ] = None,
    *,
    chat: Annotated[
        str | None,
        option("ID", "Go on with a chat of the library; citeguard library list shows them."),
    ] = None,
    asking: Asking | None = None,
    model: ModelOptions | None = None,
) -> int:
    """Ask one question after the other, each answered with references.

        citeguard chat paper.pdf

        citeguard chat papers/ --library papers.db --model openai/gpt-5-mini

        citeguard chat --library papers.db --chat 3f2a

        citeguard chat paper.pdf < questions.txt

    A question may refer to what was said before. With --library, the chat is kept in it; when it is
    continued, each reference whose words are no longer where they were is marked. /sources lists
    the documents; /quit, Ctrl-D or Ctrl-C ends the chat, and Ctrl-C while an answer is written only
    ends the answer. Standard input that is no terminal is read as one question a line.

    Exit status:

          0  ended
          2  it could not begin, or the library could not be read or written
        130  interrupted, if standard input is no terminal
    """
    asking = asking or Asking()
    if chat is not None and asking.library is None:
        raise typer.BadParameter("--chat needs --library.")
    if sys.stdin is None:
        raise CiteguardError("standard input is closed")
    answerer = None if model is None else model()
    with asking.opened(documents or ()) as library:
        kept = None if chat is None else library.chat(chat)
        if kept is not None:
            show_chat(library, kept)
        options = {"answerer": answerer, **asking.options}
        if answerer is None:
            say_how_answers_are_made()
        conversation = _Conversation(library, kept, options)
        conversation.hold()
        if asking.library is not None and conversation.chat is not None:
            command = f"citeguard chat --library {asking.library} --chat {conversation.chat.id}"
            typer.echo(visible(f"citeguard: kept; to go on: {command}"), err=True)
    return ExitStatus.PASSED


class _Conversation:
    """Questions from standard input, and their answers on standard output."""

    def __init__(self, library: Library, chat: Chat | None, options: dict[str, Any]) -> None:
        self._library, self._options = library, options
        self.chat = chat

    def hold(self) -> None:
        """Answer questions until there are no more."""
        interactive = sys.stdin.isatty()
        if interactive:
            with suppress(ImportError):
                import_module("readline")  # lines can be edited and called back
            counted = counted_as(len(self._library), "document")
            typer.echo(f"{counted}. Ask a question; {_COMMANDS}.")
        while (line := _next_line(interactive)) is not None:
            said = line.strip()
            if not interactive and said:
                typer.echo(visible(f"{_PROMPT}{said}"))
            if said == "/quit":
                return
            if said == "/sources":
                self._list()
            elif _COMMAND.fullmatch(said):
                typer.echo(visible(f"{said} is no command: {_COMMANDS}."))
            elif said:
                self._answer(said, interactive=interactive)

    def _list(self) -> None:
        for info in self._library.documents():
            typer.echo(visible(f"{info.source_id}  {info.title or ''}".rstrip()))

    def _answer(self, question: str, *, interactive: bool) -> None:
        # Made now, so that a chat without questions is not kept.
        self.chat = chat = self.chat or self._library.chat()
        try:
            reply = heard(
                lambda: chat.astream(question, **self._options),
                lambda: chat.ask(question, **self._options),
            )
        except KeyboardInterrupt:
            if not interactive:
                raise
            typer.echo("stopped")
            return
        show_reply(reply)
        typer.echo("")


def _next_line(interactive: bool) -> str | None:
    """Return the next line of standard input; `None` at its end."""
    try:
        return input(_PROMPT if interactive else "")
    except (EOFError, KeyboardInterrupt) as error:
        if not interactive and isinstance(error, KeyboardInterrupt):
            raise
        if interactive:
            typer.echo("")  # after the prompt
        return None


def show_chat(library: Library, chat: Chat) -> None:
    """Print a chat as it was, and which of its references no longer stand."""
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
