"""A model that judges as it is told, and a small town's rules for it to judge by.

`JudgingModel` is a route of the scripted server. It reads the data that the prompts of
`citeguard.judges.prompts` render, so that a test says which statement gets which verdict:

    with LLMServer(JudgingModel({"Entry is free.": "contradicted"})) as endpoint: ...
"""

import json
import re
import threading
from collections.abc import Mapping, Sequence
from typing import Any

from citeguard import Sources
from citeguard.judges.verdicts import Outcome
from integration.material import Json, citation
from llm_server import LLMServer, Reply, Request

RULES = "\n".join(
    f"The permit for trade number {number} costs {number * 15} crowns a year."
    for number in range(1, 41)
)
MARKET = (
    "The market opens at seven on Saturdays. Stalls must be empty by noon.\n\n"
    "Dogs are not allowed in the hall. A stall costs 12 crowns a day, paid in advance."
)
TOWN = Sources({"market": MARKET, "permits": RULES})
ASKED = "When does the market open, and what does a stall cost?"

TRUE_QUOTES = {
    "The market opens at seven.": "The market opens at seven on Saturdays.",
    "Dogs must stay outside.": "Dogs are not allowed in the hall.",
    "A stall costs 12 crowns.": "A stall costs 12 crowns a day, paid in advance.",
}
FALSE_TEXT = "Stalls may stay until evening."
FALSE_QUOTE = "Stalls must be empty by noon."
OPENING, DOGS, PRICE = TRUE_QUOTES

Said = Outcome | Json | Reply
"""A verdict, a whole entry of the reply (its id is filled in), or a reply to all of the request."""

_DATA = re.compile(r"\[(?P<mark>\w+) data\]\n(?P<data>.*)\n\[(?P=mark) end of data\]", re.DOTALL)


def statement(text: str, quote: str, source_id: str = "market") -> Json:
    """Return a statement as a model writes it, with one citation."""
    return {"text": text, "citations": [citation(quote, source_id)]}


def answer(*statements: Json) -> Json:
    """Return an answer as a model writes it."""
    return {"statements": list(statements)}


TRUE = [statement(text, quote) for text, quote in TRUE_QUOTES.items()]
FALSE = statement(FALSE_TEXT, FALSE_QUOTE)
GOOD = answer(*TRUE)
BAD = answer(*TRUE, FALSE)


def permits(count: int, *, wrong: Sequence[int] = ()) -> Json:
    """Return an answer of so many true statements, but for those whose number is in `wrong`."""
    return answer(*(_permit(number, number in wrong) for number in range(1, count + 1)))


def _permit(number: int, wrong: bool) -> Json:
    text = f"Trade {number} {'pays nothing' if wrong else 'needs a permit'}."
    quote = f"The permit for trade number {number} costs {number * 15} crowns a year."
    return statement(text, quote, "permits")


class JudgingModel:
    """Answers prompts of judges; whatever else is asked is left to the queue.

    Words of the first passage are given as those that decide, so that they are found in it.

    Args:
        said: What to say of a statement, by its text; of a list its first entry, then its second,
            and the last for ever after.
        otherwise: What to say of all other statements.
        answered: Whether an answer, as a whole, answers its question; or a reply instead.
        latency: Seconds that every verdict takes.
    """

    def __init__(
        self,
        said: Mapping[str, Said | list[Said]] | None = None,
        *,
        otherwise: Said = "supported",
        answered: bool | Reply = True,
        latency: float = 0.0,
    ) -> None:
        self._said = {
            text: script if isinstance(script, list) else [script]
            for text, script in (said or {}).items()
        }
        self._otherwise: Said = otherwise
        self._answered = answered
        self._latency = latency
        self._lock = threading.Lock()

    def __call__(self, request: Request) -> Reply | None:
        """Judge what a request asks about."""
        data = read_data(request)
        if data is None:
            return None
        if "statements" in data:
            return self._aligned(data["statements"])
        return self._reply(data["cases"], {})

    def _aligned(self, cases: list[Json]) -> Reply:
        if isinstance(self._answered, Reply):
            return self._answered
        said = {"answered": self._answered, "reason": "Half of it is missing."}
        return self._reply([case for case in cases if case["evidence"]], said)

    def _reply(self, cases: list[Json], beside: Json) -> Reply:
        said = [(case, self._next(case["statement"])) for case in cases]
        whole = [each for _, each in said if isinstance(each, Reply)]
        if whole:
            return whole[0]
        entries = [_entry(case, each) for case, each in said]
        return Reply({**beside, "verdicts": entries}, latency=self._latency)

    def _next(self, text: str) -> Said:
        with self._lock:
            script = self._said.get(text, [self._otherwise])
            return script.pop(0) if len(script) > 1 else script[0]


def _entry(case: Json, said: Any) -> Json:
    entry: Json = {"id": case["id"], "words": case["evidence"][0]["text"]}
    if isinstance(said, dict):
        return {**entry, "verdict": "supported", "reason": "So it stands there.", **said}
    return {**entry, "verdict": said, "reason": f"The source leaves it {said}."}


def read_data(request: Request) -> Json | None:
    """Return what a request asks a judge about; `None` if it asks no judge."""
    found = _DATA.search("\n".join(request.texts))
    return None if found is None else json.loads(found["data"])


def generations(server: LLMServer) -> list[Request]:
    """Return the requests that asked for an answer."""
    return [request for request in server.requests if read_data(request) is None]


def asked(server: LLMServer) -> list[list[str]]:
    """Return the statements that each request to judge some of them was about."""
    data = [found for request in server.requests if (found := read_data(request))]
    return [[case["statement"] for case in each["cases"]] for each in data if "cases" in each]


def aligned(server: LLMServer) -> list[Json]:
    """Return the data of each request to judge an answer as a whole."""
    data = [found for request in server.requests if (found := read_data(request))]
    return [each for each in data if "statements" in each]


def statements_asked(server: LLMServer) -> list[str]:
    """Return the statements that were judged, each as often as it was, sorted."""
    return sorted(text for texts in asked(server) for text in texts)
