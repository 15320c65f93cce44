from __future__ import annotations

import itertools
import math
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeguard import (
    Answer,
    CiteguardError,
    Evidence,
    JudgeFailedError,
    MemoryCache,
    Outcome,
    Policy,
    Sources,
    Span,
    SupportQuestion,
    Verdict,
    verify,
)
from citeguard.entailment.cross_encoder import Pair, Probabilities
from citeguard.judges.entailment import Entailment, PairScores, Premise, Selection, forget
from rows import each_row
from tiny_entailment import MINILM, save_model

NAN = math.nan
STATEMENT = "The plan passed."
CONFIRMED = "The plan was confirmed."
DENIED = "The plan was denied."
NEITHER = "The plan is long."
CASES: list[tuple[str, Outcome]] = [
    (CONFIRMED, "supported"),
    (DENIED, "contradicted"),
    (NEITHER, "unsupported"),
]
FILLER = "The committee met on Monday and talked about the weather for a while. "


def about(*texts: str, statement: str = STATEMENT) -> SupportQuestion:
    """Return a question whose evidence is whole sources, "1", "2" and so on."""
    evidence = (Evidence(text=text, source_id=str(n)) for n, text in enumerate(texts, 1))
    return SupportQuestion(statement=statement, evidence=tuple(evidence))


class Table:
    """An entailment model that reads its probabilities off words of the premise."""

    name = "table"

    def __init__(self, rows: dict[str, Any] | None = None) -> None:
        self.rows = rows or {"confirmed": (0.9, 0.1, 0.0), "denied": (0.0, 0.1, 0.9)}
        self.calls: list[list[Pair]] = []

    def __call__(self, pairs: Sequence[Pair]) -> list[Any]:
        self.calls.append(list(pairs))
        return [self.row(premise) for premise, _ in pairs]

    def row(self, premise: str) -> Any:
        found = [row for word, row in self.rows.items() if word in premise]
        return found[0] if found else (0.1, 0.9, 0.0)


def judged(model: Any, question: SupportQuestion, **settings: Any) -> Verdict:
    (verdict,) = Entailment(model, **settings).judge([question])
    return verdict


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model on disk, with its labels in an order of its own."""
    labels = ["contradiction", "neutral", "entailment"]
    return save_model(tmp_path_factory.mktemp("models") / "three", labels)


class TestCrossEncoders:
    @pytest.mark.parametrize(
        "labels",
        list(itertools.permutations(["ENTAILMENT", "neutral", "Contradiction"])),
        ids=" ".join,
    )
    def test_of_three_labels_in_any_order(self, labels: Sequence[str], tmp_path: Path) -> None:
        judge = Entailment(save_model(tmp_path, labels))
        verdicts = judge.judge([about(text) for text, _ in CASES])
        assert [verdict.outcome for verdict in verdicts] == [outcome for _, outcome in CASES]

    @pytest.mark.parametrize(
        "labels", list(itertools.permutations(["not_entailment", "entailment"])), ids=" ".join
    )
    def test_of_two_labels_never_contradict(self, labels: Sequence[str], tmp_path: Path) -> None:
        judge = Entailment(save_model(tmp_path, labels))
        verdicts = judge.judge([about(text) for text, _ in CASES])
        assert [v.outcome for v in verdicts] == ["supported", "unsupported", "unsupported"]

    def test_of_one_output_that_the_user_names(self, tmp_path: Path) -> None:
        folder = save_model(tmp_path, ["LABEL_0"], meanings=["entailment"])
        verdicts = Entailment(folder, labels=["supported"]).judge([about(t) for t, _ in CASES])
        assert [v.outcome for v in verdicts] == ["supported", "unsupported", "unsupported"]

    @pytest.mark.parametrize("count", [1, 2, 3])
    def test_of_unknown_labels_are_refused(self, count: int, tmp_path: Path) -> None:
        names = [f"LABEL_{place}" for place in range(count)]
        folder = save_model(
            tmp_path, names, meanings=["entailment", "neutral", "contradiction"][:count]
        )
        with pytest.raises(CiteguardError, match=r"LABEL_0.*such as labels="):
            judged(folder, about(CONFIRMED))

    def test_with_labels_of_the_user_in_place_of_their_own(self, tmp_path: Path) -> None:
        meanings = ["not_entailment", "entailment"]
        folder = save_model(tmp_path, ["LABEL_0", "LABEL_1"], meanings=meanings)
        assert judged(folder, about(CONFIRMED), labels=meanings).outcome == "supported"
        assert judged(folder, about(CONFIRMED), labels=meanings[::-1]).outcome == "unsupported"

    def test_with_labels_for_another_number_of_outputs(self, folder: Path) -> None:
        with pytest.raises(CiteguardError, match="has 3 outputs, but labels= names 2"):
            judged(folder, about(CONFIRMED), labels=["entailment", "not_entailment"])

    @pytest.mark.parametrize("given_as", ["text", "path", "instance"])
    def test_by_folder_or_instance(self, given_as: str, folder: Path) -> None:
        from sentence_transformers import CrossEncoder

        model = {"text": str, "path": Path, "instance": lambda path: CrossEncoder(str(path))}
        judge = Entailment(model[given_as](folder))
        assert judge.judge([about(DENIED)])[0].outcome == "contradicted"
        assert judge.name == folder.name

    def test_are_loaded_once_and_when_needed(self, folder: Path) -> None:
        judge = Entailment(folder)
        verdicts: list[Verdict] = []
        threads = [
            threading.Thread(target=lambda text=text: verdicts.extend(judge.judge([about(text)])))
            for text, _ in CASES * 4
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(v.outcome for v in verdicts) == sorted(o for _, o in CASES * 4)

    def test_no_statement_of_ten_thousand_words_passes(self, folder: Path) -> None:
        verdict = judged(folder, about(CONFIRMED, statement="The plan passed. " * 3_400))
        assert verdict.outcome == "undecided"
        assert "longer than it reads" in verdict.reason


class TestSetUp:
    def test_of_a_folder_that_is_no_model(self, tmp_path: Path) -> None:
        tmp_path.joinpath("readme.txt").write_text("no model")
        with pytest.raises(CiteguardError, match=r"cannot be loaded .* Give the folder of"):
            judged(tmp_path, about(CONFIRMED))

    def test_of_a_folder_with_a_damaged_model(self, folder: Path, tmp_path: Path) -> None:
        for file in folder.iterdir():
            tmp_path.joinpath(file.name).write_bytes(file.read_bytes())
        tmp_path.joinpath("model.safetensors").write_bytes(b"{}")
        with pytest.raises(CiteguardError, match="cannot be loaded"):
            judged(tmp_path, about(CONFIRMED))

    def test_of_a_folder_that_is_not_there(self, tmp_path: Path) -> None:
        with pytest.raises(CiteguardError, match="cannot be loaded"):
            judged(tmp_path / "none", about(CONFIRMED))

    def test_of_a_name_without_a_connection(self, monkeypatch: pytest.MonkeyPatch) -> None:
        import huggingface_hub.constants

        monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
        with pytest.raises(CiteguardError, match="once it has been downloaded"):
            judged("nobody/has-this-model", about(CONFIRMED))

    def test_of_an_encoder_without_a_trained_head(self) -> None:
        with pytest.raises(CiteguardError, match="BertModel, which was not trained for"):
            judged(MINILM, about(CONFIRMED), labels=["entailment", "not_entailment"])

    def test_without_the_package(self, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
        monkeypatch.setitem(sys.modules, "sentence_transformers", None)
        with pytest.raises(CiteguardError, match=r'pip install "pydantic-citeguard\[semantic\]"'):
            judged(folder, about(CONFIRMED))

    def test_of_an_embedding_model(self) -> None:
        from sentence_transformers import SentenceTransformer

        with pytest.raises(CiteguardError, match="expected the name or folder of a cross-encoder"):
            Entailment(SentenceTransformer(str(MINILM)))  # pyright: ignore[reportArgumentType]

    @each_row(
        "settings",
        [
            {"supported_from": 0},
            {"supported_from": 1.1},
            {"supported_from": NAN},
            {"supported_from": True},
            {"passages": True},
            {"size": "3"},
            {"version": 3},
            {"contradicted_from": "high"},
            {"size": 0},
            {"overlap": 3},
            {"overlap": -1},
            {"passages": 0},
            {"batch_size": 0},
            {"timeout": 0},
            {"labels": ["entailment", "neutral", "contradiction"]},
        ],
        ids=str,
    )
    def test_of_numbers_that_make_no_sense(self, settings: dict[str, Any]) -> None:
        with pytest.raises(CiteguardError):
            Entailment(Table(), **settings)

    @each_row("model", [None, 3, Table], ids=repr)
    def test_of_what_is_no_model(self, model: Any) -> None:
        with pytest.raises(CiteguardError, match="expected the name or folder"):
            Entailment(model)

    def test_shows_itself(self) -> None:
        assert (
            repr(Entailment("some/model"))
            == "Entailment('some/model', supported_from=0.5, contradicted_from=0.5)"
        )


class TestVerdict:
    def test_names_the_words_that_support(self) -> None:
        text = FILLER * 20 + CONFIRMED + " " + FILLER * 20
        evidence = (Evidence(text=text, source_id="minutes", start=100),)
        question = SupportQuestion(statement=STATEMENT, evidence=evidence)
        verdict = judged(Table(), question, size=1, overlap=0)
        start = 100 + 20 * len(FILLER)
        assert verdict == Verdict(
            "supported",
            reason="The passage supports it (entailment 0.90).",
            score=0.9,
            words=CONFIRMED,
            span=Span("minutes", start, start + len(CONFIRMED)),
            judge="table",
        )

    def test_names_the_words_that_contradict(self) -> None:
        verdict = judged(Table(), about(FILLER * 20, DENIED))
        assert verdict == Verdict(
            "contradicted",
            reason="The passage contradicts it (contradiction 0.90).",
            score=0.1,
            words=DENIED,
            span=Span("2", 0, len(DENIED)),
            judge="table",
        )

    def test_shows_the_nearest_passage_when_none_supports(self) -> None:
        verdict = judged(Table(), about(NEITHER))
        assert verdict == Verdict(
            "unsupported",
            reason='The passage does not say so; the nearest is "The plan is long.".',
            score=0.1,
            judge="table",
        )

    def test_of_evidence_without_a_source_has_no_span(self) -> None:
        evidence = (Evidence(text=CONFIRMED),)
        verdict = judged(Table(), SupportQuestion(statement=STATEMENT, evidence=evidence))
        assert (verdict.words, verdict.span) == (CONFIRMED, None)

    @each_row(
        ("texts", "outcome"),
        [
            pytest.param([CONFIRMED, NEITHER, NEITHER], "supported", id="one that supports"),
            pytest.param([CONFIRMED, DENIED], "supported", id="one that supports, one against"),
            pytest.param([NEITHER, DENIED, NEITHER], "contradicted", id="one against"),
            pytest.param(
                [NEITHER, "They denied it."], "unsupported", id="one against, of something else"
            ),
            pytest.param([" ", "\n"], "undecided", id="blank"),
            pytest.param([], "undecided", id="none"),
            pytest.param([" ", CONFIRMED], "supported", id="one blank"),
        ],
    )
    def test_of_several_passages(self, texts: list[str], outcome: Outcome) -> None:
        long = [text and text + " " + FILLER * 20 for text in texts if text.strip()]
        blank = [text for text in texts if not text.strip()]
        assert judged(Table(), about(*long, *blank), size=1, overlap=0).outcome == outcome

    def test_of_a_blank_statement(self) -> None:
        verdict = judged(Table(), about(CONFIRMED, statement=" "))
        assert verdict == Verdict("undecided", reason="the statement has no words", judge="table")

    @each_row(
        ("row", "outcome"),
        [
            ((0.5, 0.3, 0.2), "supported"),
            ((0.45, 0.3, 0.25), "undecided"),
            ((0.2, 0.3, 0.5), "contradicted"),
            ((0.2, 0.35, 0.45), "undecided"),
            ((0.3, 0.4, 0.3), "unsupported"),
            ((0.0, 1.0, 0.0), "unsupported"),
            ((NAN, NAN, NAN), "undecided"),
            ((math.inf, 0.0, 0.0), "undecided"),
            ((NAN, 0.5, 0.5), "undecided"),
        ],
    )
    def test_by_the_thresholds(self, row: tuple[float, ...], outcome: Outcome) -> None:
        assert judged(Table({"plan": row}), about(NEITHER)).outcome == outcome

    @given(
        st.tuples(*[st.floats(0.01, 1)] * 3),
        st.floats(0.01, 1),
        st.floats(0.01, 1),
        st.floats(0, 1),
    )
    def test_raising_a_threshold_decides_no_more(
        self, shares: tuple[float, ...], supported: float, contradicted: float, up: float
    ) -> None:
        table = Table({"plan": [share / sum(shares) for share in shares]})
        higher = {
            "supported_from": supported + (1 - supported) * up,
            "contradicted_from": contradicted + (1 - contradicted) * up,
        }
        lower = {"supported_from": supported, "contradicted_from": contradicted}
        before = judged(table, about(NEITHER), **lower).outcome
        after = judged(table, about(NEITHER), **higher).outcome
        assert before == "supported" or after != "supported"
        assert before in ("supported", "contradicted") or after != "contradicted"

    def test_is_undecided_when_a_passage_that_could_support_is_unread(self) -> None:
        table = Table({"confirmed": (NAN, NAN, NAN), "denied": (0.0, 0.1, 0.9)})
        verdict = judged(table, about(CONFIRMED + FILLER * 20, DENIED))
        assert verdict.outcome == "undecided"

    def test_does_not_need_all_in_one_piece_where_the_parts_are_read(self) -> None:
        rows = {"It rained.\nIt snowed.": (NAN, NAN, NAN)}
        verdict = judged(Table(rows), about("It rained.", "It snowed."))
        assert verdict.outcome == "unsupported"

    def test_of_what_two_passages_say_together(self) -> None:
        class Both:
            def __call__(self, pairs: Sequence[Pair]) -> list[Any]:
                return [0.9 if "1990" in p and "Berlin" in p else 0.2 for p, _ in pairs]

        question = about(
            "He was born in 1990.", "He was born in Berlin.", statement="Born 1990, Berlin."
        )
        verdict = judged(Both(), question)
        assert verdict.outcome == "supported"
        assert verdict.span in (Span("1", 0, 20), Span("2", 0, 22))


class TestModelsOfOnesOwn:
    @each_row(
        "given",
        [
            pytest.param([[0.9, 0.1, 0.0]] * 2, id="too many rows"),
            pytest.param([[0.9, 0.1]], id="two columns"),
            pytest.param([[5.0, -2.0, 0.1]], id="logits"),
            pytest.param([[0.9, 0.9, 0.9]], id="not adding up"),
            pytest.param([1.7], id="above one"),
            pytest.param([["yes", "no", "no"]], id="words"),
            pytest.param(None, id="nothing"),
            pytest.param([[0.9, 0.1], [0.5]], id="ragged"),
        ],
    )
    def test_that_give_no_probabilities_fail(self, given: Any) -> None:
        with pytest.raises(JudgeFailedError, match="the model returned"):
            judged(lambda pairs: given, about(CONFIRMED))  # pyright: ignore[reportUnknownLambdaType]

    @each_row("row", [0.9, [0.9]], ids=["(n,)", "(n, 1)"])
    def test_may_know_entailment_only(self, row: Any) -> None:
        assert judged(lambda pairs: [row] * len(pairs), about(CONFIRMED)).outcome == "supported"  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]

    @each_row("given", [NAN, RuntimeError("out of memory")], ids=["NaN", "raises"])
    def test_that_fail_let_no_answer_pass(self, given: Any) -> None:
        def model(pairs: Sequence[Pair]) -> list[float]:
            if isinstance(given, Exception):
                raise given
            return [given] * len(pairs)

        citation = {"quote": CONFIRMED, "source_id": "1"}
        data = {"statements": [{"text": STATEMENT, "citations": [citation]}]}
        policy = Policy(support=[Entailment(model)])
        with pytest.raises(ValueError, match="could not be checked"):
            verify(Answer, data, sources=Sources([CONFIRMED]), policy=policy)


class TestCost:
    def test_all_statements_are_one_call_without_a_pair_twice(self) -> None:
        table = Table()
        questions = [about(CONFIRMED, NEITHER), about(CONFIRMED), about(NEITHER, statement="Why?")]
        Entailment(table).judge([*questions, *questions])
        (pairs,) = table.calls
        assert len(pairs) == len(set(pairs)) == 4

    def test_the_longest_pairs_come_first(self) -> None:
        table = Table()
        Entailment(table).judge([about("It is. " * n) for n in (1, 30, 5, 12)])
        lengths = [sum(map(len, pair)) for pair in table.calls[0]]
        assert lengths == sorted(lengths, reverse=True)

    def test_what_was_asked_before_is_not_asked_again(self) -> None:
        table = Table()
        judge = Entailment(table)
        first = judge.judge([about(CONFIRMED)])
        assert judge.judge([about(CONFIRMED)]) == first
        judge.judge([about(CONFIRMED), about(DENIED)])
        assert [len(pairs) for pairs in table.calls] == [1, 1]

    def test_pairs_used_longest_ago_are_forgotten(self) -> None:
        table = Table()
        scores = PairScores(table, size=2)
        for premise in ("a", "b", "a", "c", "a", "b"):
            scores([(premise, STATEMENT)])
        assert [pairs[0][0] for pairs in table.calls] == ["a", "b", "c", "b"]

    def test_more_pairs_than_are_kept_are_all_answered(self) -> None:
        pairs = [(str(n), STATEMENT) for n in range(5)]
        assert list(PairScores(Table(), size=2)(pairs)) == pairs

    def test_no_more_windows_are_read_than_asked_for(self) -> None:
        table = Table()
        judged(table, about(FILLER * 50, FILLER.upper() * 50), passages=3)
        assert len(table.calls[0]) <= 3

    def test_an_answer_is_judged_in_one_call(self) -> None:
        table = Table()
        statements = [
            {"text": f"{STATEMENT} ({n})", "citations": [{"quote": CONFIRMED}]} for n in range(10)
        ]
        policy = Policy(support=[Entailment(table)])
        verify(Answer, {"statements": statements}, sources=Sources([CONFIRMED]), policy=policy)
        assert [len(pairs) for pairs in table.calls] == [10]


class TestVersion:
    def test_changes_with_the_release(self, monkeypatch: pytest.MonkeyPatch) -> None:
        before = Entailment("some/model").settings.version
        monkeypatch.setattr("citeguard.judges.entailment.VERSION", "next")
        assert Entailment("some/model").settings.version != before

    def test_of_a_folder_changes_with_it(self, tmp_path: Path) -> None:
        folder = save_model(tmp_path, ["entailment", "not_entailment"])
        before = Entailment(folder).settings.version
        assert Entailment(folder).settings.version == before
        save_model(tmp_path, ["not_entailment", "entailment"])
        assert Entailment(folder).settings.version != before

    @each_row(
        "settings",
        [
            {"supported_from": 0.6},
            {"contradicted_from": 0.6},
            {"size": 4},
            {"overlap": 0},
            {"passages": 2},
        ],
        ids=str,
    )
    def test_changes_with_the_settings(self, settings: dict[str, Any]) -> None:
        assert (
            Entailment("some/model", **settings).settings.version
            != Entailment("some/model").settings.version
        )

    def test_a_model_without_a_name_is_not_kept_beyond_its_judge(self) -> None:
        assert Entailment(Table(), cache=MemoryCache()).settings.version is None
        assert Entailment(Table(), cache=MemoryCache(), version="3").settings.version is not None
        assert Entailment(Table()).settings.version is not None


def read(question: SupportQuestion, **settings: int) -> list[Premise]:
    return Selection(**{"size": 3, "overlap": 1, "passages": 4} | settings).premises(question)


class TestSelection:
    def test_takes_the_windows_that_share_rare_terms(self) -> None:
        text = FILLER * 30 + "Nurses were paid. " + FILLER * 30
        (premise,) = read(about(text, statement="The nurses talked."), passages=1)
        assert "Nurses were paid." in premise.text

    def test_reads_short_evidence_in_one_piece_too(self) -> None:
        text = "It rained. It was late. Nobody came. So be it."
        whole, *parts = read(about(text))
        assert (whole.text, whole.whole, len(parts)) == (text, True, 2)

    def test_of_nothing(self) -> None:
        assert read(about("", " \n ")) == []

    def test_reads_a_text_again_once_it_is_forgotten(self) -> None:
        before = read(about(CONFIRMED))
        forget()
        assert read(about(CONFIRMED)) == before

    @given(
        st.lists(st.text(max_size=300), max_size=4), st.integers(1, 4), st.integers(1, 5), st.text()
    )
    def test_windows_stand_where_they_say(
        self, texts: list[str], size: int, passages: int, statement: str
    ) -> None:
        question = about(*texts, statement=statement)
        premises = read(question, size=size, overlap=size - 1, passages=passages)
        assert len([premise for premise in premises if not premise.whole]) <= passages
        assert bool(premises) == any(text.strip() for text in texts)
        for premise in premises:
            assert 0 <= premise.relevance <= 1 + 1e-9
            if premise.span is not None:
                text = texts[int(premise.span.source_id) - 1]
                assert text[premise.span.start : premise.span.end] == premise.text

    def test_of_text_without_sentences_is_bounded(self) -> None:
        premises = read(about("word " * 20_000))
        assert [len(premise.text) <= 1_000 for premise in premises] == [True] * 4


def test_probabilities_have_names() -> None:
    assert Probabilities(0.1, 0.2, 0.7).contradiction == 0.7
