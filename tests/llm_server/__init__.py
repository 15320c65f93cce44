"""A scripted server on the loopback that speaks OpenAI's chat-completions and responses protocols.

The real `openai` client, and everything built on it, talks to it over real HTTP. A test queues
replies, makes calls, and reads what was sent:

    with LLMServer() as server, server.client() as client:
        server.push({"answer": 42})
        client.chat.completions.create(model="scripted", messages=[...])
        assert server.requests[0].texts == ["..."]

Each reply takes the form that its request asked for: a tool call, JSON content, JSON in a Markdown
fence, a function call or text of the responses API, in one piece or streamed. A reply may also go
wrong: an error status, a body that is no JSON, a connection that breaks, no reply at all.
"""

from llm_server.exchange import Fault, Reply, Request, Shape
from llm_server.server import LLMServer

__all__ = ["Fault", "LLMServer", "Reply", "Request", "Shape"]
