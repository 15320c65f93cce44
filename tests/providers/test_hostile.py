"""Replies with anything anywhere: an answer whose citations are right, or a clear error."""

import copy
import random
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeguard import Answer, CiteguardError
from citeguard.providers import ImportedAnswer
from providers import replies
from providers.replies import (
    DOCUMENTS,
    SOURCES,
    char_location,
    file_citation,
    gemini,
    message,
    output_text,
    perplexity,
    retrieved,
    support,
    url_citation,
    verified,
)

NOTICE = "The notice period is one month."
LINK = "([example.org](https://example.org/handbook))"

_CHAR = {"documentChar": {"documentIndex": 0, "start": 21, "end": 30}}
_COHERE = {"start": 21, "end": 30, "text": "one month", "sources": [{"id": "1"}]}
REPLIES: dict[str, tuple[Callable[..., ImportedAnswer], Any]] = {
    "anthropic": (
        Answer.from_anthropic,
        message(
            char_location("one month", 21, 30),
            replies.block_location("E-mail counts as writing.", 1, 2),
            replies.page_location("one month", 1, 2),
        ),
    ),
    "converse": (Answer.from_bedrock, replies.converse(_CHAR)),
    "generated": (
        Answer.from_bedrock,
        replies.generated(NOTICE, NOTICE, 0, 31, NOTICE, "handbook"),
    ),
    "cohere": (Answer.from_cohere, replies.cohere(NOTICE, _COHERE)),
    "gemini": (
        Answer.from_gemini,
        gemini([{"text": NOTICE}], [support(0, 31, NOTICE, 0)], [retrieved(NOTICE)]),
    ),
    "langextract": (Answer.from_langextract, replies.extracted("one month", 21, 30, NOTICE)),
    "mistral": (Answer.from_mistral, {"choices": [{"message": replies.referring(NOTICE, 0, "2")}]}),
    "openai": (
        Answer.from_openai,
        output_text(f"{NOTICE} {LINK}", url_citation(32, 32 + len(LINK)), file_citation(31, "FAQ")),
    ),
    "perplexity": (
        Answer.from_perplexity,
        perplexity(f"{NOTICE}[1][2]", "https://example.org/handbook", "https://example.net"),
    ),
    "vertex": (Answer.from_vertex, replies.vertex(NOTICE, 0, 31, replies.vertex_chunk(NOTICE))),
}
JUNK: list[Any] = [
    *(None, True, -1, 0, 7, 1e300, float("nan"), 10**30, "", " ", "0", "-1", "\ud83d", "👩‍🚀" * 3),
    *([], {}, [None], {"text": None}, [[[]]], b"bytes", object(), "[1]", "<co>", "【†】"),
    *("\ue200cite\ue202turn0search0\ue201", "https://example.org/handbook", "1", "\n\n"),
]


def spoil(pick: random.Random, value: Any) -> Any:
    """Return data with one part replaced by something else, or removed."""
    if pick.random() < 0.15 or not isinstance(value, (dict, list)) or not value:
        return copy.deepcopy(pick.choice(JUNK))  # a later round may spoil it in place
    key = pick.choice([*value] if isinstance(value, dict) else range(len(value)))
    if pick.random() < 0.1:
        del value[key]
    else:
        value[key] = spoil(pick, value[key])
    return value


class TestSpoiltReplies:
    @pytest.mark.parametrize("name", REPLIES)
    @given(seed=st.integers(0, 2**32), documents=st.sampled_from([SOURCES, DOCUMENTS]))
    def test_give_right_citations_or_a_clear_error(
        self, name: str, documents: Any, seed: int
    ) -> None:
        function, reply = REPLIES[name]
        pick, spoilt = random.Random(seed), copy.deepcopy(reply)
        for _ in range(pick.randint(1, 3)):
            spoilt = spoil(pick, spoilt)
        with suppress(CiteguardError):
            answer = function(spoilt, documents)
            assert verified(answer)
            assert all(each.text.strip() for each in answer.statements)

    @pytest.mark.parametrize("name", REPLIES)
    def test_are_right_when_they_are_not(self, name: str) -> None:
        function, reply = REPLIES[name]
        answer = function(reply, SOURCES)
        assert answer.segments
        assert verified(answer)

    def test_may_refer_to_themselves(self) -> None:
        reply = message(char_location("one month", 21, 30))
        reply["content"][0]["itself"] = reply
        assert Answer.from_anthropic(reply, SOURCES).findings == ()
