import math
from collections.abc import Sequence
from typing import Any

import pytest

from citeguard import CiteguardError, Evidence, Outcome, Span, SupportQuestion, Verdict
from citeguard.judges import MemoryCache
from citeguard.judges.similarity import Similarity
from citeguard.retrieval.embeddings import SentenceEmbedder
from rows import each_row
from tiny_entailment import MINILM

pytestmark = pytest.mark.torch

NAN = math.nan
HANDBOOK = (
    "The notice period is one month. It doesn’t apply during probation. "
    "The maximum dose is 50 mg a day. Lunch is free on Fridays."
)


COSINES = {"rain": 1.0, "drizzle": 0.75, "cloud": 0.5, "wind": 0.25, "silence": -1.0}
"""How near a sentence with one of these words is to "rain"; without one it is at right angles."""


class Weather:
    """An embedder of what the weather is like; NaN for what stands nowhere."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, texts: Sequence[str], /) -> Any:
        self.asked.extend(texts)
        return [self.vector(text) for text in texts]

    def vector(self, text: str) -> list[float]:
        if "nowhere" in text:
            return [NAN, NAN]
        cosine = next((near for word, near in COSINES.items() if word in text), 0.0)
        return [cosine, math.sqrt(1 - cosine**2)]


def about(*texts: str, statement: str = "We had some rain.") -> SupportQuestion:
    """Return a question whose evidence is whole sources, "1", "2" and so on."""
    evidence = (Evidence(text=text, source_id=str(n)) for n, text in enumerate(texts, 1))
    return SupportQuestion(statement=statement, evidence=tuple(evidence))


def judged(question: SupportQuestion, **options: Any) -> Verdict:
    (verdict,) = Similarity(Weather(), **{"threshold": 0.5} | options).judge([question])
    return verdict


@pytest.fixture(scope="module")
def minilm() -> Similarity:
    return Similarity(MINILM)


def said(check: Similarity, statement: str, text: str = HANDBOOK) -> Verdict:
    evidence = (Evidence(text=text, source_id="handbook"),)
    return check.judge([SupportQuestion(statement=statement, evidence=evidence)])[0]


class TestWithRealWeights:
    @each_row(
        ("statement", "outcome"),
        [
            ("The notice period is one month.", "supported"),
            ("The period of notice is one month.", "supported"),
            ("On Fridays, lunch is free.", "supported"),
            ("The canteen serves fish every day.", "unsupported"),
            ("The company was founded in Leipzig.", "unsupported"),
        ],
    )
    def test_tells_what_is_said(self, minilm: Similarity, statement: str, outcome: Outcome) -> None:
        assert said(minilm, statement).outcome == outcome

    def test_says_where_the_nearest_sentence_stands(self, minilm: Similarity) -> None:
        verdict = said(minilm, "Lunch is free on Fridays.")
        assert verdict.span == Span("handbook", 100, 125)
        assert verdict.words == "Lunch is free on Fridays."

    def test_a_statement_beyond_what_the_model_reads_is_undecided(self, minilm: Similarity) -> None:
        verdict = said(minilm, "雨が降った。" * 60, "雨が降った。")
        assert verdict.outcome == "undecided"
        assert verdict.reason == "the statement is longer than the model reads"


class TestThreshold:
    @each_row(
        ("options", "word", "outcome"),
        [
            ({}, "drizzle", "supported"),
            ({}, "cloud", "supported"),
            ({}, "wind", "unsupported"),
            ({"threshold": 1}, "rain", "supported"),
            ({"threshold": 1}, "drizzle", "unsupported"),
            ({"undecided_from": 0.2}, "cloud", "supported"),
            ({"undecided_from": 0.2}, "wind", "undecided"),
            ({"undecided_from": 0.2}, "fish", "unsupported"),
            ({"undecided_from": -1}, "silence", "undecided"),
            ({"undecided_from": 0.5}, "wind", "unsupported"),
        ],
        ids=str,
    )
    def test_parts_the_outcomes(self, options: dict[str, Any], word: str, outcome: Outcome) -> None:
        assert judged(about(f"We had some {word}."), **options).outcome == outcome


class TestVerdict:
    def test_is_that_of_the_nearest_window(self) -> None:
        texts = ("We had some wind. We had some drizzle.", "We had some cloud.", "")
        verdict = judged(about(*texts))
        assert verdict == Verdict(
            "supported",
            reason="A passage says much the same (similarity 0.75; 0.50 is needed).",
            score=0.75,
            words="We had some drizzle.",
            span=Span("1", 18, 38),
            judge="Weather",
        )

    def test_of_windows_of_several_sentences(self) -> None:
        verdict = judged(about("It was late. We had some rain. So be it."), size=2, overlap=1)
        assert verdict.words == "It was late. We had some rain."


class TestUndecided:
    @each_row(
        ("question", "reason"),
        [
            pytest.param(
                about("We had some rain.", statement=" \n"),
                "the statement has no words",
                id="blank",
            ),
            pytest.param(about(), "there is no evidence", id="no evidence"),
            pytest.param(about("", " \n"), "there is no evidence", id="blank evidence"),
            pytest.param(
                about("We had some rain.", statement="rain " * 10_000),
                "the statement is longer than 1,000 characters, which no sentence is like",
                id="ten thousand words",
            ),
            pytest.param(
                about("We had some rain.", statement="From nowhere."),
                "the model gave no vector for 1 of 1 passages, or for the statement",
                id="no vector of the statement",
            ),
            pytest.param(
                about("We had some wind.", "From nowhere."),
                "the model gave no vector for 1 of 2 passages, or for the statement",
                id="no vector of a passage, which might be nearer",
            ),
        ],
    )
    def test_where_nobody_can_tell(self, question: SupportQuestion, reason: str) -> None:
        assert judged(question) == Verdict("undecided", reason=reason, judge="Weather")


class TestBatch:
    def test_all_statements_are_embedded_in_one_call_and_no_text_twice(self) -> None:
        embedder = Weather()
        text = "We had some rain. We had some wind."
        check = Similarity(embedder)
        check.judge([about(text), about(text, statement="We had some wind."), about(text)])
        assert sorted(embedder.asked) == ["We had some rain.", "We had some wind."]


class TestSettings:
    @each_row(
        "options",
        [{"threshold": 0.7}, {"undecided_from": 0.2}, {"size": 2}, {"size": 2, "overlap": 1}],
        ids=str,
    )
    def test_verdicts_are_kept_under_all_that_they_depend_on(
        self, minilm: Similarity, options: dict[str, Any]
    ) -> None:
        assert Similarity(MINILM, **options).settings.version != minilm.settings.version
        assert Similarity(MINILM).settings.version == minilm.settings.version

    def test_verdicts_of_a_model_without_a_name_are_not_kept_with_others(self) -> None:
        from sentence_transformers import SentenceTransformer

        loaded = SentenceTransformer(str(MINILM))
        assert Similarity(loaded, cache=MemoryCache()).settings.version is None
        assert Similarity(loaded, cache=MemoryCache(), version="1").settings.version is not None
        assert Similarity(loaded).settings.version is not None


class TestMistakes:
    @each_row(
        ("options", "message"),
        [
            (
                {"threshold": 0},
                r"Similarity\(threshold=...\) must be a number above 0 and up to 1, not 0",
            ),
            ({"threshold": NAN}, "not nan"),
            ({"threshold": True}, r"Similarity\(threshold=...\) .* not True"),
            (
                {"undecided_from": 0.7},
                r"Similarity\(undecided_from=...\) must be a number from -1 to 0.6, not 0.7",
            ),
            ({"version": 1}, r"Similarity\(version=...\): expected a str, got int"),
            ({"undecided_from": "low"}, "not 'low'"),
            ({"size": 0}, r"Windows\(size=...\) must be an integer of at least 1, not 0"),
            ({"size": 2, "overlap": 2}, r"Windows\(overlap=...\) must be below size, 2, not 2"),
        ],
        ids=str,
    )
    def test_in_the_settings(self, options: dict[str, Any], message: str) -> None:
        with pytest.raises(CiteguardError, match=message):
            Similarity(Weather(), **options)

    @each_row("model", [None, 5, Weather, SentenceEmbedder])
    def test_in_the_model(self, model: Any) -> None:
        with pytest.raises(CiteguardError, match="expected the name or folder of a"):
            Similarity(model)
