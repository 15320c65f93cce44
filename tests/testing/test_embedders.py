from __future__ import annotations

import subprocess
import sys
from math import sqrt

import pytest
from inline_snapshot import snapshot

from citeguard import (
    Answer,
    CiteguardError,
    DenseRetriever,
    Embedder,
    Policy,
    Similarity,
    Sources,
    verify,
)
from citeguard.testing import ScriptedEmbedder

SOURCES = Sources({"handbook": "Notice is one month.", "faq": "Lunch is free."})


def cosine(one: str, other: str, embedder: ScriptedEmbedder | None = None) -> float:
    a, b = (embedder or ScriptedEmbedder())([one, other])
    product = sum(x * y for x, y in zip(a, b, strict=True))
    return product / sqrt(sum(x * x for x in a) * sum(y * y for y in b))


class TestScriptedEmbedder:
    def test_is_an_embedder(self) -> None:
        assert isinstance(ScriptedEmbedder(), Embedder)

    @pytest.mark.parametrize(
        ("one", "other", "expected"),
        [
            pytest.param("Notice is one month.", "one MONTH is notice", 1.0, id="the same words"),
            pytest.param("Notice is one month.", "Lunch was free", 0.0, id="no common word"),
            pytest.param("one month", "one year", 0.5, id="half of the words"),
            pytest.param("通知期", "期通知", 1.0, id="ideographs"),
            pytest.param("通知", "通信", 0.5, id="half of the ideographs"),
        ],
    )
    def test_finds_texts_as_alike_as_their_words(
        self, one: str, other: str, expected: float
    ) -> None:
        assert cosine(one, other) == pytest.approx(expected)

    def test_orders_texts_by_the_words_that_they_share(self) -> None:
        quote = "notice is one month"
        others = ["notice is one month", "notice is one year", "notice was given", "lunch"]
        likeness = [cosine(quote, other) for other in others]
        assert likeness == sorted(likeness, reverse=True)

    def test_is_the_same_in_every_run(self) -> None:
        # Python's own hashes of texts differ from run to run.
        program = (
            "from citeguard.testing import ScriptedEmbedder;"
            "print([i for i, n in enumerate(ScriptedEmbedder()(['one month'])[0]) if n])"
        )
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
        assert done.stdout.decode() == snapshot("[457, 484]\n")

    def test_embeds_another_text_in_the_place_of_one(self) -> None:
        embedder = ScriptedEmbedder({"What does a meal cost?": "lunch free"})
        assert cosine("What does a meal cost?", "lunch free", embedder) == pytest.approx(1)

    def test_says_the_vector_that_it_was_told(self) -> None:
        embedder = ScriptedEmbedder({"up": [0, 1]}, dimensions=2)
        assert embedder(["up"]) == [[0.0, 1.0]]

    def test_raises_what_it_was_told(self) -> None:
        embedder = ScriptedEmbedder({"down": ConnectionError("no route")})
        with pytest.raises(ConnectionError, match="no route"):
            embedder(["up", "down"])

    def test_remembers_what_it_was_asked(self) -> None:
        embedder = ScriptedEmbedder()
        embedder(["one", "two"])
        embedder(["three"])
        assert embedder.asked == ["one", "two", "three"]

    def test_has_only_zeros_for_a_text_without_words(self) -> None:
        assert ScriptedEmbedder(dimensions=3)(["…", ""]) == [[0.0] * 3] * 2

    def test_serves_a_retriever(self) -> None:
        found = SOURCES.search("is lunch free", k=1, retriever=DenseRetriever(ScriptedEmbedder()))
        assert [passage.text for passage in found] == ["Lunch is free."]

    def test_serves_a_judge_of_similarity(self) -> None:
        policy = Policy(support=[Similarity(ScriptedEmbedder())])
        statement = {"text": "Notice is one month.", "citations": [{"quote": "one month"}]}
        answer = verify(Answer, {"statements": [statement]}, sources=SOURCES, policy=policy)
        verdict = answer.statements[0].verdict
        assert verdict is not None
        assert verdict.outcome == "supported"

    @pytest.mark.parametrize("dimensions", [0, -1, 1.5, True], ids=repr)
    def test_refuses_what_is_no_number_of_dimensions(self, dimensions: int) -> None:
        with pytest.raises(CiteguardError, match="must be a whole number from 1 on"):
            ScriptedEmbedder(dimensions=dimensions)

    def test_refuses_a_vector_of_another_length(self) -> None:
        with pytest.raises(CiteguardError) as caught:
            ScriptedEmbedder({"up": [0.0, 1.0]}, dimensions=3)
        assert str(caught.value) == snapshot(
            "ScriptedEmbedder: the vector of 'up' has 2 numbers, not 3"
        )

    def test_shows_its_script(self) -> None:
        assert repr(ScriptedEmbedder({"up": "down"})) == snapshot(
            "ScriptedEmbedder({'up': 'down'}, dimensions=512)"
        )
