"""A conversation that the library keeps: `Chat`, whose references can be looked up again."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

from citeguard.library.asking import ReplyEnded, ReplyEvent
from citeguard.library.reply import Message, Reply

if TYPE_CHECKING:
    from citeguard.library.library import Library

_TITLE = 80  # characters of the first question


class Chat:
    """Questions and answers in order, kept in the library's file with their references.

    A question may refer to what was said before. `Library.chat` makes one.

    Attributes:
        id: Its id.
    """

    def __init__(self, library: Library, chat_id: str) -> None:
        self._library = library
        self.id = chat_id

    def __repr__(self) -> str:
        """Name the chat."""
        return f"Chat({self.id!r})"

    @property
    def messages(self) -> tuple[Message, ...]:
        """The messages, in order; `Library.state_of` says of a reference whether it still stands.

        Raises:
            CiteguardError: The chat was deleted.
        """
        return self._library.messages(self.id)

    def ask(self, question: str, **options: Any) -> Reply:
        """Ask, and keep the question and the reply; `options` are those of `Library.ask`."""
        reply = self._library.ask(question, history=self.messages, **options)
        self._keep(reply)
        return reply

    async def aask(self, question: str, **options: Any) -> Reply:
        """Do what `ask` does, without blocking the event loop."""
        reply = await self._library.aask(question, history=self.messages, **options)
        self._keep(reply)
        return reply

    async def astream(self, question: str, **options: Any) -> AsyncGenerator[ReplyEvent]:
        """Yield what happens, as `Library.astream` does; the reply is kept before it is yielded."""
        stream = self._library.astream(question, history=self.messages, **options)
        async with aclosing(stream):
            async for event in stream:
                if isinstance(event, ReplyEnded):
                    self._keep(event.reply)
                yield event

    def _keep(self, reply: Reply) -> None:
        self._library.add_messages(self.id, messages_of(reply))


def messages_of(reply: Reply) -> tuple[Message, Message]:
    """Return a reply as the messages of a conversation: the question, and the answer."""
    answer = Message(
        role="assistant",
        text=reply.text,
        references=reply.references,
        outcome=reply.outcome,
        asked_from=reply.asked_from,
    )
    return Message(role="user", text=reply.question), answer
