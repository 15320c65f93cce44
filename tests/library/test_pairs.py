"""Question-answer pairs: what is kept, what is dropped and why, and what a failing model leaves."""

import json
from collections.abc import Callable, Generator, Mapping
from pathlib import Path
from typing import Any

import pytest

from citeguard import Budget, CiteguardError, LLMJudge, Policy, Source, Sources, verify
from citeguard.datasets import export_samples, negatives
from citeguard.documents import read_sources
from citeguard.library.pairs import QAReport, generate_questions, pair_samples
from citeguard.testing import ScriptedJudge
from citeguard.validation.models import Answer
from export_material import lines
from llm_server import LLMServer, Reply
from pair_writer import GUIDE, PairWriter, answer, pair, statement
from rows import each_row

FEE = pair("What do visitors pay a day?", "Visitors pay 5 euros a day at the north gate.")
GROUPS = pair("How much do large groups pay?", "Groups of more than ten people pay 40 euros.")
LUNCH = pair("What does lunch cost?", "Lunch costs 7 euros and is served from noon.")
BADGE = pair("Where is the badge issued?", "The badge is issued at the north gate.")
ALARM = pair("When is the alarm tested?", "The alarm is tested on the first Monday of each month.")

PAPER_PAIRS = Path(__file__).with_name("minimap2_pairs.json")

CONCLUSION = (
    "A badge costs nothing, while the daily fee pays for the guided tour through the plant."
)

GOOD = {"1 Entry": [BADGE], "2 Fees": [FEE, GROUPS, LUNCH], "3 Safety": [ALARM]}


@pytest.fixture(scope="module")
def guide() -> Source:
    return read_sources([("guide.md", GUIDE.encode())])["guide"]


Generate = Callable[..., QAReport]


@pytest.fixture(scope="module")
def generate(guide: Source) -> Generator[Generate]:
    """Call `generate_questions` with what a scripted model says."""
    with LLMServer() as server:

        def call(
            questions: Mapping[str, Any] | None = None,
            long: Mapping[str, Any] | None = None,
            /,
            source: Any = guide,
            **arguments: Any,
        ) -> QAReport:
            server.route = PairWriter(questions, long)
            client = server.client()
            return generate_questions(source, client, model="scripted", **arguments)

        yield call


class TestKept:
    def test_are_questions_of_every_section_in_order(self, generate: Generate) -> None:
        report = generate(GOOD)
        assert [each.question for each in report.pairs] == [
            each["question"] for listed in GOOD.values() for each in listed
        ]
        assert (len(report.pairs), report.failures, report.dropped) == (5, (), ())

    def test_have_quotes_at_their_places_in_the_whole_document(
        self, generate: Generate, guide: Source
    ) -> None:
        [kept] = generate({"2 Fees": [LUNCH]}).pairs
        span = kept.answer.statements[0].citations[0].span
        assert guide.text[span.start : span.end] == LUNCH["answer"]
        verdict = kept.answer.statements[0].verdict
        assert verdict is not None
        assert verdict.span is not None
        assert guide.text[verdict.span.start : verdict.span.end] in LUNCH["answer"]
        assert guide.text[kept.start : kept.end].startswith("2 Fees")

    def test_may_be_of_several_documents(self, generate: Generate) -> None:
        sources = Sources(
            {
                "rules": "Visitors wear a badge at all times, and they return it at the gate.",
                "faq": "Lunch is served from noon in the canteen behind the old furnace hall.",
            }
        )
        asked = [
            pair("When is lunch served?", sources["faq"].text),
            pair("What do visitors wear?", sources["rules"].text),
        ]
        report = generate({"": asked}, source=sources)
        assert [(each.source_id, each.question) for each in report.pairs] == [
            ("rules", "What do visitors wear?"),
            ("faq", "When is lunch served?"),
        ]


def test_sections_are_shown_whole_and_without_references(guide: Source) -> None:
    writer = PairWriter()
    with LLMServer(writer) as server:
        report = generate_questions(guide, server.client(), model="scripted")
    shown = [each["headings"][-1:] for each in writer.data["sparse"]]
    assert sorted(shown) == sorted(
        [
            *([], ["Abstract"], ["1 Entry"], ["2 Fees"], ["3 Safety"], ["Conclusion"]),
            ["Acknowledgements"],
        ]
    )
    assert all("Journal of Plants" not in each["text"] for each in writer.data["sparse"])
    assert report.pairs == ()


class TestDropped:
    @each_row(
        "bad, code",
        [
            (
                pair(FEE["question"], FEE["answer"], FEE["answer"].replace("5", "6")),
                "quote_altered",
            ),
            (
                pair(FEE["question"], FEE["answer"], "Children play chess on Sundays."),
                "quote_not_found",
            ),
            (
                pair(FEE["question"], "Visitors pay 9 euros a day.", FEE["answer"]),
                "statement_contradicted",
            ),
            (
                pair(
                    "When is the alarm tested?", "On the first Monday of each month.", FEE["answer"]
                ),
                "statement_unsupported",
            ),
            (pair("What do visitors pay?", " ", FEE["answer"]), "question_trivial"),
            (pair("What do visitors pay?", FEE["answer"], ""), "quote_empty"),
            ({**FEE, "quotes": []}, "statement_uncited"),
            (
                pair("Do visitors pay 5 euros a day at the north gate?", FEE["answer"]),
                "question_trivial",
            ),
            (
                pair("What did Grant write?", "Grant, T. (2021). Badges and gates."),
                "quote_not_found",
            ),
            (pair("Where is the badge issued?", BADGE["answer"]), "quote_altered"),
        ],
    )
    def test_has_the_reason(self, generate: Generate, bad: dict[str, Any], code: str) -> None:
        report = generate({"2 Fees": [bad, LUNCH]})
        assert [each.question for each in report.pairs] == [LUNCH["question"]]
        [dropped] = report.dropped
        assert dropped.codes == (code,)
        assert dropped.sample["question"] == bad["question"]
        assert dropped.sample["headings"] == ("Visitor guide", "2 Fees")

    def test_are_questions_that_were_asked_before(self, generate: Generate) -> None:
        again = pair("what do visitors pay  a day", FEE["answer"])
        report = generate({"2 Fees": [FEE, again]})
        assert report.codes == {"question_repeated": 1}
        assert FEE["question"] in report.dropped[0].problems[0].message

    def test_are_dense_questions_beyond_the_passages(self, generate: Generate) -> None:
        report = generate({"2 Fees": [FEE, GROUPS, LUNCH]}, kind="dense")
        assert [each.question for each in report.pairs] == [FEE["question"]]
        assert report.dropped == ()

    def test_follow_the_policy(self, generate: Generate) -> None:
        said = pair(
            "What does a tour through the plant cost?", "Nobody is charged for it.", LUNCH["answer"]
        )
        assert not generate({"2 Fees": [said]}).pairs
        lenient = Policy(support=[ScriptedJudge()])
        assert len(generate({"2 Fees": [said]}, policy=lenient).pairs) == 1

    def test_are_answers_that_an_alignment_judge_rejects(self, generate: Generate) -> None:
        judge = ScriptedJudge(answered="unsupported")
        report = generate({"2 Fees": [FEE]}, policy=Policy.fast(alignment=judge))
        assert report.codes == {"answer_misaligned": 1}


class TestLongAnswers:
    LONG = answer(statement(FEE["answer"]), statement(GROUPS["answer"]))

    def test_are_asked_for_one_by_one(self, generate: Generate) -> None:
        report = generate({"2 Fees": [FEE]}, {FEE["question"]: self.LONG}, answers="long")
        [kept] = report.pairs
        assert [each.text for each in kept.answer.statements] == [FEE["answer"], GROUPS["answer"]]
        assert report.usage.calls == 8

    def test_are_corrected_by_the_model(self, generate: Generate) -> None:
        wrong = answer(statement(FEE["answer"], "Visitors pay 6 euros a day."))
        report = generate({"2 Fees": [FEE]}, {FEE["question"]: [wrong, self.LONG]}, answers="long")
        assert len(report.pairs) == 1

    def test_are_dropped_if_they_stay_wrong(self, generate: Generate) -> None:
        wrong = answer(statement("Visitors pay 8 euros a day.", FEE["answer"]))
        report = generate({"2 Fees": [FEE]}, {FEE["question"]: wrong}, answers="long")
        assert report.codes == {"statement_contradicted": 1}
        assert not report.failures


class TestFailures:
    @each_row(
        "reply",
        [
            Reply('{"pairs": ['),
            Reply({"pairs": [{"question": "What?"}]}),
            Reply({"pairs": [FEE]}, cut_after="5 euros"),
            Reply("", status=429),
            Reply(fault="hang_up"),
            Reply("not JSON", body="<html>"),
        ],
        ids=["cut", "shape", "length", "429", "hang-up", "html"],
    )
    def test_are_reported_whatever_went_wrong(self, generate: Generate, reply: Reply) -> None:
        report = generate({"1 Entry": [BADGE], "2 Fees": reply})
        assert [each.question for each in report.pairs] == [BADGE["question"]]
        [failure] = report.failures
        assert "2 Fees: questions: " in failure

    def test_by_the_budget_are_listed(self, generate: Generate) -> None:
        report = generate(GOOD, budget=Budget(calls=4), concurrency=1)
        assert report.usage.calls == 4
        assert len(report.failures) == 3
        assert all("the budget of 4 calls is spent" in each for each in report.failures)

    def test_of_a_judge_are_named(self, generate: Generate) -> None:
        with LLMServer(lambda request: Reply("", status=500)) as broken:
            judge = LLMJudge(broken.client(), model="judge")
            report = generate({"2 Fees": [FEE]}, policy=Policy(support=[judge]))
        assert report.codes == {"undecided": 1}
        assert "HTTP 500" in report.dropped[0].problems[0].message

    @each_row(
        "arguments, message",
        [
            ({"kind": "thick"}, "kind must be one of 'sparse', 'dense', not 'thick'"),
            ({"answers": "vast"}, "answers must be one of 'short', 'long', not 'vast'"),
            ({"negatives": -1}, "negatives must be"),
            ({"policy": "fast"}, "policy: expected a Policy, got"),
            ({"retries": -1}, "retries must be an integer of at least 0"),
        ],
    )
    def test_of_arguments_are_raised(
        self, generate: Generate, arguments: dict[str, Any], message: str
    ) -> None:
        with pytest.raises(CiteguardError, match=message):
            generate(**arguments)


class TestNegatives:
    def test_in_a_wrong_context_have_another_section(self, generate: Generate) -> None:
        report = generate(GOOD, negatives=0.4)
        wrong = [each for each in report.pairs if each.negative]
        assert len(wrong) == 2
        homes = {each.question: each.headings for each in report.pairs if not each.negative}
        for each in wrong:
            assert each.headings != homes[each.question]
            assert each.own_answer is not None
            assert each.answer.unanswerable

    def test_in_a_context_that_says_the_same_are_dropped(self, generate: Generate) -> None:
        text = "Visitors pay 5 euros a day at the north gate, and they get a badge for it."
        sources = {"one": text, "two": f"In short: {text}"}
        report = generate(
            {"": [pair("What do visitors pay?", text)]},
            source=sources,
            negatives=1.0,
        )
        assert report.codes["negative_answered"] == 1
        assert report.negatives == 0

    def test_are_judged_by_the_policy_too(self, generate: Generate) -> None:
        judge = ScriptedJudge()
        generate({"2 Fees": [FEE]}, negatives=1.0, policy=Policy.fast(alignment=judge))
        assert [each.question for each in judge.aligned].count(FEE["question"]) > 1


@pytest.fixture(scope="module")
def report(generate: Generate) -> QAReport:
    tour = pair(
        "What does the daily fee pay for?",
        "The daily fee pays for the guided tour through the plant.",
        CONCLUSION,
    )
    return generate({**GOOD, "Conclusion": [tour]}, negatives=0.4)


class TestSamples:
    def test_show_the_section_only(self, report: QAReport, guide: Source) -> None:
        for each, sample in zip(report.pairs, pair_samples(report.pairs, guide), strict=True):
            verify(Answer, sample["answer"], sources=sample["sources"])
            [source] = sample["sources"]
            assert source["text"] == guide.text[each.start : each.end]
            assert sample["section"].split(" › ")[-1] in source["text"]

    @each_row("form", ["chat", "completion", "preference", "chosen-rejected"])
    def test_are_exported(self, report: QAReport, guide: Source, tmp_path: Path, form: Any) -> None:
        samples = pair_samples(
            report.pairs, guide, rejected=form in ("preference", "chosen-rejected")
        )
        summary = export_samples(
            samples, tmp_path / form, form=form, group="section", validation=0.3
        )
        assert not summary.rejected
        assert summary.kept >= 6

    def test_have_answers_with_a_changed_fact_to_reject(
        self, report: QAReport, guide: Source
    ) -> None:
        by_question = {
            each["question"]: each
            for each in pair_samples(report.pairs, guide, rejected=True)
            if not each["negative"]
        }
        quoted, stated = by_question[FEE["question"]]["rejected"]
        assert quoted["statements"][0]["text"] == FEE["answer"]
        assert quoted["statements"][0]["citations"][0]["quote"] != FEE["answer"]
        assert stated["statements"][0]["text"] != FEE["answer"]
        assert stated["statements"][0]["citations"][0]["quote"] == FEE["answer"]

    def test_reject_a_changed_statement_if_a_judge_is_there(
        self, report: QAReport, guide: Source, tmp_path: Path
    ) -> None:
        samples = pair_samples(report.pairs, guide, rejected=True)
        export_samples(
            samples, tmp_path / "set", form="preference", validation=0, policy=Policy.fast()
        )
        for line in lines(tmp_path / "set" / "train.jsonl"):
            assert line["preferred_output"] != line["non_preferred_output"]


def written(*headings: str) -> list[dict[str, str]]:
    """Return pairs about the paper, written by hand."""
    rows = json.loads(PAPER_PAIRS.read_text("utf-8"))
    return [row for row in rows if not headings or row["heading"] in headings]


class TestAccuracy:
    """Nearly all good pairs are kept, and no altered one."""

    @pytest.mark.parametrize(
        ("rows", "least"),
        [
            pytest.param(written("ABSTRACT"), 3, id="abstract"),
            # 23 with the first reader
            pytest.param(written(), 18, id="all", marks=pytest.mark.slow),
        ],
    )
    def test_of_good_pairs(
        self, generate: Generate, paper: Source, rows: list[dict[str, str]], least: int
    ) -> None:
        report = generate(by_heading(rows), source=paper)
        assert len(report.pairs) + len(report.dropped) == len(rows)
        assert len(report.pairs) >= least

    @pytest.mark.parametrize(
        ("rows", "least"),
        [
            pytest.param(written("ABSTRACT", "1 INTRODUCTION"), 2, id="introduction"),
            pytest.param(written(), 8, id="all", marks=pytest.mark.slow),
        ],
    )
    def test_of_altered_quotes_and_wrong_statements(
        self, generate: Generate, paper: Source, rows: list[dict[str, str]], least: int
    ) -> None:
        for target in ("quote", "statement"):
            wrong = [
                {**row, "answer": made.text if target == "statement" else row["answer"]}
                | {"quote": made.text if target == "quote" else row["quote"]}
                for row in rows
                for made in negatives(
                    row["quote"],
                    Sources([paper]),
                    source_id="minimap2",
                    kinds=["number", "negation", "unit"],
                    target=target,
                )[:1]
            ]
            report = generate(by_heading(wrong), source=paper)
            assert len(report.dropped) == len(wrong) >= least
            assert not report.pairs


def by_heading(rows: list[dict[str, str]]) -> dict[str, list[dict[str, Any]]]:
    asked: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        written = pair(row["question"], row["answer"], row["quote"])
        asked.setdefault(row["heading"], []).append(written)
    return asked
