"""Documents to ask: kept in one file, searched, and answered from with verified references."""

from typing import TYPE_CHECKING

from citeguard.lazy import lazily

if TYPE_CHECKING:
    from citeguard.library.answering import Answerer, ExtractiveAnswerer, LLMAnswerer
    from citeguard.library.catalogue import StoredQuestion
    from citeguard.library.library import Chat
    from citeguard.library.reply import Message
    from citeguard.library.stores.store import PassageStore

__all__ = [
    "Answerer",
    "Chat",
    "ExtractiveAnswerer",
    "LLMAnswerer",
    "Message",
    "PassageStore",
    "StoredQuestion",
]

_HOMES = {
    "answering": "Answerer ExtractiveAnswerer LLMAnswerer",
    "catalogue": "StoredQuestion",
    "library": "Chat",
    "reply": "Message",
    "stores.store": "PassageStore",
}
__getattr__, __dir__ = lazily(__name__, _HOMES)
