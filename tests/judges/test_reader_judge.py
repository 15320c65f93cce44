"""`ReaderJudge`: what is proven, what the model is asked, and what its probabilities decide."""

import math
import pickle
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citeguard import (
    Answer,
    CiteguardError,
    Evidence,
    JudgeFailedError,
    Outcome,
    Policy,
    Sources,
    Span,
    SupportQuestion,
    Verdict,
    verify,
)
from citeguard.judges import MemoryCache
from citeguard.judges import reader as judging
from citeguard.judges.reader import ReaderJudge
from citeguard.language.tables import Piece
from citeguard.reader.cross_encoder import Pair
from citeguard.reader.model import Reader
from rows import each_row
from tiny_entailment import MINILM, save_model

pytestmark = pytest.mark.torch

NAN = math.nan
STATEMENT = "The plan passed."
CONFIRMED, DENIED, NEITHER = "The plan was confirmed.", "The plan was denied.", "The plan is long."
CASES: list[tuple[str, Outcome]] = [
    (CONFIRMED, "supported"),
    (DENIED, "contradicted"),
    (NEITHER, "unsupported"),
]
FILLER = "The committee met on Monday and talked about the weather for a while. "
HANDBOOK = "The notice period is one month. It doesn’t apply during probation. Lunch is free."


def about(*texts: str, statement: str = STATEMENT, start: int = 0) -> SupportQuestion:
    """Return a question whose evidence is from the sources "1", "2" and so on."""
    evidence = (Evidence(text=t, source_id=str(n), start=start) for n, t in enumerate(texts, 1))
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


def always(row: Any) -> Any:
    return lambda pairs: [row] * len(pairs)  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]


def judged(model: Any, question: SupportQuestion, **options: Any) -> Verdict:
    (verdict,) = ReaderJudge(model, **options).judge([question])
    return verdict


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cross-encoder on disk, with its labels in an order of its own."""
    labels = ["contradiction", "neutral", "entailment"]
    return save_model(tmp_path_factory.mktemp("models") / "three", labels)


@pytest.fixture
def without_extra(monkeypatch: pytest.MonkeyPatch) -> ReaderJudge:
    """A judge where the packages of the extra are not installed."""
    monkeypatch.setattr("citeguard.reader.entailing.is_installed", lambda: False)
    return ReaderJudge()


class TestEveryModel:
    """What holds whatever reads: the shipped reader, a function, or nothing."""

    @pytest.fixture(params=["shipped", "function", "none"])
    def judge(self, request: pytest.FixtureRequest) -> ReaderJudge:
        if request.param == "none":
            return request.getfixturevalue("without_extra")
        return ReaderJudge(None if request.param == "shipped" else always((0.0, 0.1, 0.9)))

    @each_row(
        "statement",
        ["The notice period is one month.", "the notice period is one month", "LUNCH IS FREE."],
    )
    def test_what_is_verbatim_is_supported(self, judge: ReaderJudge, statement: str) -> None:
        (verdict,) = judge.judge([about(FILLER + HANDBOOK, statement=statement, start=100)])
        low = 100 + (FILLER + HANDBOOK).casefold().index(statement.casefold().rstrip("."))
        assert (verdict.outcome, verdict.score) == ("supported", 1.0)
        assert verdict.span == Span("1", low, low + len(statement.rstrip(".")) + 1)
        assert verdict.reason == "The source says it word for word."

    @each_row(
        ("statement", "text"),
        [
            ("The notice period is one month.", "It is false that the notice period is one month."),
            ("Lunch is free.", "Nobody believes that lunch is free."),
            ("No.", "No applications were received."),
            ("Berlin.", "The company was founded in Berlin."),
            ("Pets are not allowed on the beach.", "Pets are not allowed on the beach in July."),
            ("No patient died", "No patient died during the first week."),
            ("Members pay half.", "Members pay half if they book early."),
            ("It rained in May.", "Anna says it rained in May."),
            # What a reader sees of these is not what the words say.
            ("~~Lunch is free.~~", "Lunch is free."),
            ("Lunch is <span hidden>free</span>.", "Lunch is free."),
            ("Lunch is ![not](http://example.org/not.png) free.", "Lunch is free."),
            ("Lunch is free. \u274c", "Lunch is free."),
            ("Lunch is \U0001f17d\U0001f17e\U0001f183 free.", "Lunch is free."),
            ("L\u0336u\u0336n\u0336c\u0336h\u0336 is free.", "Lunch is free."),
            ("Lunch is n\u043et free.", "Lunch is free."),
            ("Not true: Lunch is free.", "Lunch is free."),
            ("Myth: Lunch is free.", "Lunch is free."),
            ("Lunch is free. :-(", "Lunch is free."),
            ("!(Lunch is free.)", "Lunch is free."),
            ("Lunch is free?", "Lunch is free."),
            ("Lunch costs 50² dollars.", "Lunch costs 50 dollars."),
            ("~Lunch is free.~", "Lunch is free."),
            ("<p style='text-decoration:line-through'>Lunch is free.</p>", "Lunch is free."),
            ("<Img src=x alt='It is false that'> Lunch is free.", "Lunch is free."),
            ("Lunch is <input value='not'> free.", "Lunch is free."),
            ("<style>p::before{content:'NOT '}</style>Lunch is free.", "Lunch is free."),
            *(
                (f"Lunch is free{asks}", "Lunch is free.")
                for asks in ("？", "؟", "⁉", "?<br>", "?[^1]", "?¹")
            ),
        ],
    )
    def test_denied_words_and_parts_of_sentences_are_no_proof(
        self, judge: ReaderJudge, statement: str, text: str
    ) -> None:
        (verdict,) = judge.judge([about(text, statement=statement)])
        assert verdict.outcome != "supported"

    @each_row(
        ("question", "reason"),
        [
            *((about(*texts), "there is no evidence") for texts in ((), ("",), (" \n", ""))),
            *(
                (about(HANDBOOK, statement=statement), "the statement has no words")
                for statement in ("", " \n", "…", "🎉", "\u0301")
            ),
        ],
    )
    def test_without_evidence_or_words_nothing_is_decided(
        self, judge: ReaderJudge, question: SupportQuestion, reason: str
    ) -> None:
        (verdict,) = judge.judge([question])
        assert verdict == Verdict("undecided", reason=reason, judge=judge.name)

    @each_row("text", ["🎉", "\ud800", "…", "x" * 2_000, "so " * 1_000, "\x00", "\u0301"])
    def test_any_text_has_a_verdict(self, judge: ReaderJudge, text: str) -> None:
        for question in (about(text), about(HANDBOOK, statement=f"Lunch {text}")):
            assert judge.judge([question])[0].outcome != "supported"

    @given(st.text(max_size=200), st.text(max_size=200))
    @settings(max_examples=10)
    def test_words_are_those_at_the_span(self, statement: str, text: str) -> None:
        for judge in (ReaderJudge(), ReaderJudge(always((0.0, 0.1, 0.9)))):
            (verdict,) = judge.judge([about(f"{FILLER}{text}", statement=statement)])
            if verdict.span is not None:
                source = f"{FILLER}{text}"
                assert source[verdict.span.start : verdict.span.end] == verdict.words

    def test_a_judge_goes_to_another_process(self, judge: ReaderJudge) -> None:
        if judge.name != "<lambda>":
            again = pickle.loads(pickle.dumps(judge))
            assert (repr(again), again.settings.version) == (repr(judge), judge.settings.version)


class TestShippedReader:
    @each_row(
        ("statement", "outcome"),
        [
            ("Anna Kurz designed the bridge at Aldermoor.", "supported"),
            ("The bridge did not open in 1937.", "contradicted"),
            ("Whales sing to each other at night.", "unsupported"),
        ],
    )
    def test_clear_cases(self, statement: str, outcome: Outcome) -> None:
        text = "The bridge at Aldermoor was designed by Anna Kurz. The bridge opened in 1937."
        assert judged(None, about(FILLER * 30 + text, statement=statement)).outcome == outcome

    @each_row(
        ("statement", "outcome"),
        [
            ("The trial enrolled patients aged at least 18 years.", "supported"),
            ("The trial enrolled patients with a BMI below 30.", "supported"),
            ("The trial enrolled patients with a BMI above 30.", "contradicted"),
            ("The trial enrolled patients younger than 18 years.", "contradicted"),
        ],
    )
    def test_bounds_are_read_in_any_form(self, statement: str, outcome: Outcome) -> None:
        text = "The trial enrolled patients aged ≥18 years with a BMI <30."
        assert judged(None, about(text, statement=statement)).outcome == outcome

    def test_a_figure_that_no_passage_has_is_never_supported(self) -> None:
        text = "The Society had £1,200 in hand a year ago; today it has £1,560."
        statement = "The Society has nearly £360 more in hand than a year ago."
        verdict = judged(None, about(text, statement=statement))
        assert verdict.outcome == "undecided"
        assert verdict.reason.startswith("no passage has ")

    def test_another_figure_is_never_supported_whatever_stands_beside_it(self) -> None:
        ferry = (
            "Ferry rules\n\nThe ferry sails four times a day between Port Hallam and the island. "
            "Dogs travel free of charge, but they must be kept on a lead. The crossing takes 35 "
            "minutes.\n\nBicycles are carried only if there is room. No refunds are given for "
            "missed sailings. The ferry does not sail on Christmas Day."
        )
        keepers = (
            "Its keepers — two at a time — lived in the tower until 1987. The lamp isn’t switched "
            "on during the day.\n\nVisitors must not climb the tower in winter."
        )
        question = about(ferry, keepers, statement="The ferry makes nine trips a day")
        verdict = judged(None, question)
        assert verdict.outcome == "undecided"
        assert "nine" in verdict.reason

    def test_a_word_states_nothing(self) -> None:
        verdict = judged(None, about("Lunch is free. Parking costs 20 euros.", statement="Lunch"))
        assert (verdict.outcome, verdict.reason) == ("undecided", "one word states nothing")

    def test_threads_get_the_same_verdicts(self) -> None:
        questions = [about(HANDBOOK, statement=f"Notice is {n} months.") for n in range(12)]
        judge = ReaderJudge()
        with ThreadPoolExecutor(4) as pool:
            given = list(pool.map(lambda question: judge.judge([question])[0], questions))
        assert given == judge.judge(questions)

    def test_is_the_reader_of_any_folder(self) -> None:
        from citeguard.reader.model import SHIPPED

        question = about(HANDBOOK, statement="A month’s notice is needed.")
        verdict = judged(None, question)
        assert judged(SHIPPED, question) == judged(Reader(SHIPPED), question) == verdict

    def test_without_its_files(self, tmp_path: Path) -> None:
        with pytest.raises(CiteguardError, match="has no"):
            judged(Reader(tmp_path), about(CONFIRMED))


class TestWithoutTheExtra:
    @each_row(
        ("statement", "outcome"),
        [
            ("The notice period is two months.", "contradicted"),
            ("The notice period isn’t one month.", "contradicted"),
            ("One month’s notice is required.", "undecided"),
            ("Whales sing.", "undecided"),
        ],
    )
    def test_only_what_is_proven_is_decided(
        self, without_extra: ReaderJudge, statement: str, outcome: Outcome
    ) -> None:
        (verdict,) = without_extra.judge([about(HANDBOOK, statement=statement)])
        assert verdict.outcome == outcome

    def test_says_what_differs_or_what_to_install(self, without_extra: ReaderJudge) -> None:
        differs, unread = without_extra.judge(
            [about(HANDBOOK, statement=f"The notice period is {n}.") for n in ("two months", "ok")]
        )
        assert differs.words == "The notice period is one month."
        assert differs.reason.startswith(
            "In the same words, it says 'two months' where the source says 'one month'"
        )
        assert 'pip install "pydantic-citeguard[reader]"' in unread.reason


class TestCrossEncoders:
    def test_of_three_labels(self, folder: Path) -> None:
        verdicts = ReaderJudge(folder).judge([about(text) for text, _ in CASES])
        assert [verdict.outcome for verdict in verdicts] == [outcome for _, outcome in CASES]

    def test_of_two_labels_never_contradict(self, tmp_path: Path) -> None:
        judge = ReaderJudge(save_model(tmp_path, ["not_entailment", "entailment"]))
        verdicts = judge.judge([about(text) for text, _ in CASES])
        assert [v.outcome for v in verdicts] == ["supported", "unsupported", "unsupported"]

    @pytest.mark.parametrize("count", [1, 3])
    def test_of_unknown_labels_are_rejected(self, count: int, tmp_path: Path) -> None:
        meanings = ["entailment", "neutral", "contradiction"][:count]
        folder = save_model(tmp_path, [f"LABEL_{n}" for n in range(count)], meanings=meanings)
        with pytest.raises(CiteguardError, match=r"LABEL_0.*such as labels="):
            judged(folder, about(CONFIRMED))
        if count == 1:
            assert judged(folder, about(CONFIRMED), labels=["supported"]).outcome == "supported"

    def test_with_labels_for_another_number_of_outputs(self, folder: Path) -> None:
        with pytest.raises(CiteguardError, match="has 3 outputs, but labels= names 2"):
            judged(folder, about(CONFIRMED), labels=["entailment", "not_entailment"])

    @each_row("given_as", ["text", "path", "instance"])
    def test_by_folder_or_instance(self, given_as: str, folder: Path) -> None:
        from sentence_transformers import CrossEncoder

        model = {"text": str, "path": Path, "instance": lambda path: CrossEncoder(str(path))}
        judge = ReaderJudge(model[given_as](folder))
        assert judge.judge([about(DENIED)])[0].outcome == "contradicted"
        assert judge.name == folder.name

    def test_are_loaded_once_for_all_threads(self, folder: Path) -> None:
        judge = ReaderJudge(folder)
        with ThreadPoolExecutor(4) as pool:
            given = pool.map(lambda case: judge.judge([about(case[0])])[0].outcome, CASES * 4)
        assert list(given) == [outcome for _, outcome in CASES * 4]

    def test_what_they_would_read_in_part_is_undecided(self, folder: Path) -> None:
        long = about("confirmed " + "q7 " * 300)  # a token each
        assert judged(folder, long).outcome == "undecided"
        assert "longer than the model reads" in judged(always(NAN), about(CONFIRMED)).reason


class TestSetUp:
    def test_of_a_folder_that_is_no_model(self, tmp_path: Path) -> None:
        tmp_path.joinpath("readme.txt").write_text("no model")
        for given_folder in (tmp_path, tmp_path / "none"):
            with pytest.raises(CiteguardError, match="cannot be loaded"):
                judged(given_folder, about(CONFIRMED))

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

    @each_row(
        "options",
        [
            {"supported_from": 1.1},
            {"supported_from": NAN},
            {"supported_from": True},
            {"contradicted_from": "high"},
            {"unsupported_below": -0.1},
            {"version": 3},
            {"batch_size": 0},
            {"timeout": 0},
            {"labels": ["entailment", "neutral", "contradiction"]},
        ],
        ids=str,
    )
    def test_of_values_that_make_no_sense(self, options: dict[str, Any]) -> None:
        with pytest.raises(CiteguardError):
            ReaderJudge(Table(), **options)

    @each_row("model", [3, Table], ids=repr)
    def test_of_what_is_no_model(self, model: Any) -> None:
        with pytest.raises(CiteguardError, match="expected the name or folder of a cross-encoder"):
            ReaderJudge(model)


class TestVerdict:
    def test_names_the_words_that_decide(self) -> None:
        text = FILLER * 20 + CONFIRMED + " " + FILLER * 20
        verdict = judged(Table(), about(text, start=100))
        assert (verdict.outcome, verdict.score, verdict.judge) == ("supported", 0.9, "table")
        assert verdict.reason == "The passage supports it (90% sure)."
        assert CONFIRMED in verdict.words
        assert verdict.span is not None
        assert text[verdict.span.start - 100 : verdict.span.end - 100] == verdict.words

    def test_of_one_against_names_its_source(self) -> None:
        verdict = judged(Table(), about(FILLER * 20, DENIED))
        assert verdict == Verdict(
            "contradicted",
            reason="The passage contradicts it (90% sure).",
            score=0.0,
            words=DENIED,
            span=Span("2", 0, len(DENIED)),
            judge="table",
        )

    def test_shows_the_nearest_passage_when_none_supports(self) -> None:
        verdict = judged(Table(), about("It rained.", NEITHER))
        reason = 'The nearest sentence is "The plan is long."'
        assert verdict == Verdict("unsupported", reason=reason, score=0.1, judge="table")

    def test_shows_no_passage_that_shares_no_word(self) -> None:
        verdict = judged(Table(), about("It rained."))
        assert verdict.reason == "No sentence has a word of it."

    def test_of_evidence_without_a_source_has_no_span(self) -> None:
        question = SupportQuestion(statement=STATEMENT, evidence=(Evidence(text=CONFIRMED),))
        verdict = judged(Table(), question)
        assert (verdict.words, verdict.span) == (CONFIRMED, None)

    def test_in_a_table_points_at_the_row(self) -> None:
        row, read = "| Oslo | 12 |", "Trams of Oslo: 12 lines."
        evidence = Evidence(
            text=read,
            source_id="table",
            pieces=(Piece(0, len(read), 40, 40 + len(row), verbatim=False),),
            written=row,
        )
        question = SupportQuestion(statement="Oslo has 12 lines.", evidence=(evidence,))
        assert judged(always((0.9, 0.1, 0.0)), question).span == Span("table", 40, 40 + len(row))

    @each_row(
        ("statement", "outcome"),
        [
            ("It is confirmed. It is long.", "supported"),
            ("It is confirmed. It is odd.", "unsupported"),
            ("It is odd. Monday is denied.", "contradicted"),
            ("It is confirmed. It is open.", "undecided"),
        ],
    )
    def test_of_several_sentences_is_that_of_the_weakest(
        self, statement: str, outcome: Outcome
    ) -> None:
        rows = {"odd": (0.1, 0.9, 0.0), "denied": (0, 0.1, 0.9), "open": (NAN, NAN, NAN)}

        def by_statement(pairs: Sequence[Pair]) -> list[Any]:
            found = [[row for word, row in rows.items() if word in each] for _, each in pairs]
            return [row[0] if row else (0.9, 0.1, 0.0) for row in found]

        question = about("We met on Monday.", statement=statement)
        assert judged(by_statement, question).outcome == outcome

    def test_of_what_two_passages_say_together(self) -> None:
        def both(pairs: Sequence[Pair]) -> list[Any]:
            return [0.9 if "1990" in text and "Berlin" in text else 0.2 for text, _ in pairs]

        question = about(
            "He was born in 1990.", "He was born in Berlin.", statement="Born 1990 in Berlin."
        )
        verdict = judged(both, question)
        assert verdict.outcome == "supported"
        assert verdict.span in (Span("1", 0, 20), Span("2", 0, 22))

    @each_row(
        ("texts", "outcome"),
        [
            ([CONFIRMED, NEITHER, NEITHER], "supported"),
            ([CONFIRMED, DENIED], "supported"),
            ([NEITHER, DENIED, NEITHER], "contradicted"),
            ([NEITHER, "They denied it."], "unsupported"),  # it is about something else
            ([" ", CONFIRMED], "supported"),
        ],
    )
    def test_of_several_passages(self, texts: list[str], outcome: Outcome) -> None:
        long = [text + " " + FILLER * 20 if text.strip() else text for text in texts]
        assert judged(Table(), about(*long)).outcome == outcome

    @each_row(
        ("row", "outcome"),
        [
            ((0.5, 0.3, 0.2), "supported"),
            ((0.45, 0.3, 0.25), "unsupported"),
            ((0.2, 0.3, 0.5), "contradicted"),
            ((0.0, 1.0, 0.0), "unsupported"),
            ((NAN, NAN, NAN), "undecided"),
            ((math.inf, 0.0, 0.0), "undecided"),
            ((NAN, 0.5, 0.5), "undecided"),
        ],
    )
    def test_by_the_thresholds(self, row: tuple[float, ...], outcome: Outcome) -> None:
        assert judged(Table({"plan": row}), about(NEITHER)).outcome == outcome

    def test_of_a_sure_model_says_which_fact_differs(self) -> None:
        question = about("The plan cost 5 euros.", statement="The plan cost 6 euros.")
        support, against = (
            judged(always(row), question) for row in ((0.9, 0.1, 0.0), (0.0, 0.1, 0.9))
        )
        assert (support.outcome, against.outcome) == ("undecided", "contradicted")
        assert support.reason.startswith("it may be supported, but it says")
        assert "where the source says '5" in against.reason

    @given(
        st.tuples(*[st.floats(0.01, 1)] * 3),
        st.floats(0.01, 1),
        st.floats(0.01, 1),
        st.floats(0, 1),
    )
    @settings(deadline=None)
    def test_raising_a_threshold_decides_no_more(
        self, shares: tuple[float, ...], supported: float, contradicted: float, up: float
    ) -> None:
        table = Table({"plan": [share / sum(shares) for share in shares]})
        lower = {"supported_from": supported, "contradicted_from": contradicted}
        higher = {name: each + (1 - each) * up for name, each in lower.items()}
        before, after = (
            judged(table, about(NEITHER), unsupported_below=0.0, **each).outcome
            for each in (lower, higher)
        )
        assert before == "supported" or after != "supported"
        assert before in ("supported", "contradicted") or after != "contradicted"


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
        assert judged(always(row), about(CONFIRMED)).outcome == "supported"

    @each_row("given", [NAN, RuntimeError("out of memory")], ids=["NaN", "raises"])
    def test_that_fail_let_no_answer_pass(self, given: Any) -> None:
        def model(pairs: Sequence[Pair]) -> list[float]:
            if isinstance(given, Exception):
                raise given
            return [given] * len(pairs)

        data = {"statements": [{"text": STATEMENT, "citations": [{"quote": CONFIRMED}]}]}
        policy = Policy(support=[ReaderJudge(model)])
        with pytest.raises(ValueError, match="could not be checked"):
            verify(Answer, data, sources=Sources([CONFIRMED]), policy=policy)


class TestCost:
    def test_all_statements_are_one_call_without_a_pair_twice(self) -> None:
        table = Table()
        questions = [about(CONFIRMED), about(NEITHER, statement="Why is it so?"), about(NEITHER)]
        ReaderJudge(table).judge([*questions, *questions])
        (pairs,) = table.calls
        assert len(pairs) == len(set(pairs)) == 3

    def test_what_was_read_before_is_not_read_again(self) -> None:
        table = Table()
        judge = ReaderJudge(table)
        first = judge.judge([about(CONFIRMED)])
        assert judge.judge([about(CONFIRMED)]) == first
        judge.judge([about(CONFIRMED), about(DENIED)])
        assert [len(pairs) for pairs in table.calls] == [1, 1]

    def test_pairs_used_longest_ago_are_forgotten(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("citeguard.reader.entailing._PAIRS_KEPT", 2)
        table = Table()
        judge = ReaderJudge(table)
        for text in "abacab":
            judge.judge([about(text)])
        assert [pairs[0][0] for pairs in table.calls] == ["a", "b", "c", "b"]

    def test_few_windows_of_long_evidence_are_read(self) -> None:
        table = Table()
        judged(table, about(FILLER * 50, FILLER.upper() * 50))
        assert len(table.calls[0]) <= 4


class TestVersion:
    def test_changes_with_the_release(self, monkeypatch: pytest.MonkeyPatch) -> None:
        before = ReaderJudge("some/model").settings.version
        monkeypatch.setattr(judging, "VERSION", "next")
        assert ReaderJudge("some/model").settings.version != before

    def test_of_a_folder_changes_with_it(self, tmp_path: Path) -> None:
        folder = save_model(tmp_path, ["entailment", "not_entailment"])
        before = ReaderJudge(folder).settings.version
        assert ReaderJudge(folder).settings.version == before
        save_model(tmp_path, ["not_entailment", "entailment"])
        assert ReaderJudge(folder).settings.version != before

    @each_row("name", ["supported_from", "contradicted_from", "unsupported_below"])
    def test_changes_with_the_thresholds(self, name: str) -> None:
        assert ReaderJudge(**{name: 0.6}).settings.version != ReaderJudge().settings.version

    def test_a_model_without_a_name_is_not_kept_beyond_its_judge(self) -> None:
        assert ReaderJudge(Table(), cache=MemoryCache()).settings.version is None
        assert ReaderJudge(Table(), cache=MemoryCache(), version="3").settings.version is not None
        assert ReaderJudge(Table()).settings.version is not None
