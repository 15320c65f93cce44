"""`citeguard check`: what it prints of an answer, and what it exits with."""

import json
import sys
from importlib import invalidate_caches
from pathlib import Path
from typing import Any

import pytest

from auditing.papers import paper
from citeguard import Policy, Source, Sources, Span, Verdict
from citeguard.cli.app import run
from citeguard.cli.check import show
from citeguard.judges.verdicts import name_of
from citeguard.sources.layout import FileKind, Heading, Layout
from citeguard.testing import ScriptedJudge
from citeguard.validation.examine import as_data, examine
from cli.material import BAD, GOOD, answer, check, told_in_one_line, words, write
from fixture_types import Captured, MonkeyPatch

ROOT = Path(__file__).parent.parent.parent
EXAMPLE = ROOT / "docs" / "example"
EXAMPLE_SOURCES = sorted(map(str, EXAMPLE.glob("*.txt")))


class TestShown:
    def test_shows_quote_grade_and_place(self, capsys: Captured) -> None:
        check(answer(GOOD))
        told = words(capsys.readouterr().out)
        assert "As it says." in told
        assert "“The notice period is one month.”" in told
        assert "✓ word for word: handbook, line 3" in told
        assert told.endswith("1 statement, 1 quote: all good")

    def test_shows_every_error_and_what_is_good_beside_them(self, capsys: Captured) -> None:
        wrong = {"quote": GOOD["quote"], "source_id": "faq"}
        check(answer(BAD, GOOD, wrong))
        told = words(capsys.readouterr().out)
        assert "“Cake is served on Fridays at noon.” (cites handbook) ✕ not found" in told
        assert "✓ word for word: handbook, line 3" in told
        assert "✕ no such source (source_unknown) the quote is in handbook" in told
        assert told.endswith("3 statements, 3 quotes: 2 problems")

    def test_flags_a_quote_that_its_sentence_frames(self, capsys: Captured) -> None:
        write("rumour.txt", "It is false that the notice period is one month.")
        cited = {"quote": "the notice period is one month", "source_id": "rumour"}
        assert check(answer(cited), sources="rumour.txt") == 0
        told = words(capsys.readouterr().out)
        assert "! denied by its own sentence: “It is false that”" in told
        assert told.endswith("1 statement, 1 quote: 1 flagged")

    def test_shows_what_differs(self, capsys: Captured) -> None:
        check(answer({"quote": "The notice period is two months.", "source_id": "handbook"}))
        told = words(capsys.readouterr().out)
        assert "✕ not what the source says (quote_altered)" in told
        assert "[-two months.-] {+one month+} handbook, line 3" in told

    def test_strikes_out_and_underlines_what_differs_in_colour(
        self, capsys: Captured, monkeypatch: MonkeyPatch
    ) -> None:
        monkeypatch.setenv("FORCE_COLOR", "1")
        check(answer({"quote": "The notice period is two months.", "source_id": "handbook"}))
        shown = capsys.readouterr().out
        assert "\x1b[9;31mtwo months.\x1b[0m \x1b[4;32mone month\x1b[0m" in shown

    def test_of_statements_says_why_they_fail(self, capsys: Captured) -> None:
        judge = ScriptedJudge(otherwise=Verdict("undecided", reason="No reply."))
        sources = Sources({"handbook": NOTICE})
        cited = answer({**GOOD, "quote": NOTICE}, text="It is long.")
        show(examine(cited, sources, Policy(support=judge)), sources)
        told = words(capsys.readouterr().out)
        assert told.startswith("? It is long. ? could not be decided (undecided) No reply.")

    def test_keeps_to_the_terminals_width(self, capsys: Captured, monkeypatch: MonkeyPatch) -> None:
        for columns in (20, 40, 63, 64, 80, 200):
            monkeypatch.setenv("COLUMNS", str(columns))
            check(answer(GOOD, BAD, text="A" * 300))
            lines = capsys.readouterr().out.splitlines()
            assert max(map(len, lines)) <= columns

    def test_obeys_no_control_character(self, capsys: Captured) -> None:
        for control in ("\x1b[2J", "\x07", "\x9b31m", "\u202e", "\ud800"):
            cited = {"quote": f"Cake is {control} served.", "source_id": f"hand{control}book"}
            check(answer(cited, text=f"So {control} be it."))
            assert control[0] not in capsys.readouterr().out


NOTICE = "The notice period is one month."
FOUNDED = {"quote": "founded in 1984 by Marta Lindqvist", "source_id": "paper"}


def read_as(kind: FileKind, *headings: str) -> Source:
    """Return a source that was read from such a file, with its words on line 7."""
    above = [Heading(words, level, 0, 0) for level, words in enumerate(headings, 1)]
    lines = [] if kind == "html" else [(0, 7)]
    return Source("faq", NOTICE, layout=Layout(kind, 31, headings=above, line_starts=lines))


def test_places_in_json_have_page_and_headings() -> None:
    for source, cited, place in [
        (
            paper(),
            FOUNDED,
            {"line": None, "page": 2, "headings": ["The Harbour Institute", "History"]},
        ),
        (
            read_as("markdown", "Work"),
            {"quote": NOTICE, "source_id": "faq"},
            {"line": 7, "page": None, "headings": ["Work"]},
        ),
    ]:
        sources = Sources([source])
        [statement] = as_data(examine(answer(cited), sources), sources)["statements"]
        told = statement["citations"][0]
        assert {name: told[name] for name in place} == place


class TestJson:
    def test_says_where_a_quote_stands(self, capsys: Captured) -> None:
        assert check(answer(GOOD), "--json") == 0
        assert json.loads(capsys.readouterr().out) == {
            "passed": True,
            "statements": [
                {
                    "text": "As it says.",
                    "citations": [
                        {
                            **GOOD,
                            "spans": [{"source_id": "handbook", "start": 11, "end": 42}],
                            "grade": "exact",
                            "quoted_as": None,
                            "framing": None,
                            "line": 3,
                            "errors": [],
                        }
                    ],
                    "errors": [],
                }
            ],
            "errors": [],
        }

    def test_says_what_is_wrong_and_where(self, capsys: Captured) -> None:
        uncited = {"text": "So.", "citations": []}
        assert check({"statements": [*answer(BAD)["statements"], uncited]}, "--json") == 1
        told = json.loads(capsys.readouterr().out)
        assert told["passed"] is False
        assert told["errors"] == []
        wrong, bare = told["statements"]
        assert wrong["citations"][0]["errors"][0]["code"] == "quote_not_found"
        assert wrong["citations"][0]["errors"][0]["message"].startswith("The quote is not found")
        assert wrong["errors"] == []
        assert [error["code"] for error in bare["errors"]] == ["statement_uncited"]


def stated(*texts: str) -> dict[str, Any]:
    """Make an answer whose statements all cite the same sentence."""
    return {"statements": [{"text": text, "citations": [GOOD]} for text in texts]}


SUPPORTED = "The notice period is one month."
UNRELATED = "Cake is served on Fridays at noon in the canteen."


class TestSupport:
    @pytest.fixture(autouse=True)
    def judged_by_a_script(self, monkeypatch: MonkeyPatch) -> None:
        """Let what is decided be known; that the reader is asked is tested apart."""
        said = {"Perhaps.": Verdict("undecided", reason="between the thresholds", score=0.5)}
        said[SUPPORTED] = Verdict("supported", score=0.875, span=Span("handbook", 11, 42))
        judge = ScriptedJudge(said, otherwise=Verdict("unsupported", reason="No.", score=0.1))
        monkeypatch.setattr("citeguard.validation.policy.reader_judge", lambda: judge)

    def test_is_in_the_exit_status(self) -> None:
        for content, status in [
            (stated(SUPPORTED), 0),
            (stated(SUPPORTED, UNRELATED), 1),
            (stated(SUPPORTED, "Perhaps."), 3),
            (stated(UNRELATED, "Perhaps."), 1),
            (answer(BAD, text="Perhaps."), 1),
            ({"statements": [{"text": "x", "citations": []}]}, 1),
        ]:
            assert check(content, "--support") == status

    def test_is_in_the_json(self, capsys: Captured) -> None:
        check(stated(SUPPORTED, UNRELATED, "Perhaps."), "--support", "--json")
        told = json.loads(capsys.readouterr().out)
        assert told["passed"] is False
        verdicts = [each["verdict"] for each in told["statements"]]
        span = {"source_id": "handbook", "start": 11, "end": 42}
        assert [(each["outcome"], each["score"], each["span"]) for each in verdicts] == [
            *(("supported", 0.875, span), ("unsupported", 0.1, None), ("undecided", 0.5, None))
        ]
        assert verdicts[1] == {**verdicts[1], "reason": "No.", "words": "", "judge": ""}
        codes = [[error["code"] for error in each["errors"]] for each in told["statements"]]
        assert codes == [[], ["statement_unsupported"], ["undecided"]]


def test_support_without_a_model_is_judged_by_the_reader(capsys: Captured) -> None:
    check(stated(SUPPORTED, UNRELATED), "--support", "--json")
    supported, unrelated = json.loads(capsys.readouterr().out)["statements"]
    assert supported["verdict"]["outcome"] == "supported"
    assert supported["verdict"]["judge"] == name_of(Policy.fast().support[0])
    assert unrelated["verdict"]["outcome"] != "supported"


def test_what_is_no_answer_is_named(capsys: Captured) -> None:
    for content, told in [
        (b"\xff\xfe", "answer.json: not UTF-8"),
        ("", "answer.json: not JSON"),
        ("{", "answer.json: not JSON"),
        ("[" * 100_000, "answer.json: not JSON"),
        ([], "the answer has the wrong form: the whole: "),
        (None, "the answer has the wrong form: the whole: "),
        ({}, "the answer has the wrong form: statements: Field required"),
        ({"statements": "x"}, "the answer has the wrong form: statements: "),
        (
            {"statements": [{"text": "x"}]},
            "the answer has the wrong form: statements.0.citations: Field required",
        ),
        (
            {"statements": [{"text": 1, "citations": [{}]}]},
            "form: statements.0.text: Input should be a valid string (and 1 more)",
        ),
        (
            answer(BAD, {"quote": 5}),
            "the answer has the wrong form: statements.1.citations.0.quote: ",
        ),
    ]:
        assert told in told_in_one_line(capsys, check(content))


def test_shipped_example_the_answer_with_errors_fails(capsys: Captured) -> None:
    """What `docs/example` promises, by the README."""
    arguments = ["check", str(EXAMPLE / "answer-with-errors.json"), "--json", "--sources"]
    assert run([*arguments, *EXAMPLE_SOURCES]) == 1
    statements = json.loads(capsys.readouterr().out)["statements"]
    errors = [each["citations"][0]["errors"] for each in statements]
    assert [[error["code"] for error in each] for each in errors] == [
        [],
        ["quote_altered"],
        ["quote_altered"],
        ["quote_wrong_source"],
    ]
    assert "[-20/40-] {+20/20+}" in errors[1][0]["message"]
    assert "{+not+}" in errors[2][0]["message"]


class TestForModel:
    """What a language model is told of its mistakes."""

    def test_is_a_line_for_each_problem(self, capsys: Captured) -> None:
        altered = {"quote": "The notice period is two months.", "source_id": "handbook"}
        assert check(answer(GOOD, altered), "--for-model") == 1
        told = told_on_lines(capsys)
        assert len(told) == 1
        assert told[0].startswith("statements[1].citations[0].quote: The quote is not what source")
        assert told[0].endswith("or drop your claim.")

    def test_is_nothing_if_all_is_good(self, capsys: Captured) -> None:
        assert check(answer(GOOD), "--for-model") == 0
        assert capsys.readouterr() == ("", "")


def told_on_lines(capsys: Captured) -> list[str]:
    return capsys.readouterr().out.splitlines()


class TestOptions:
    def test_a_text_that_is_no_answer_is_for_audit(self, capsys: Captured) -> None:
        assert check("Notice is a month.") == 2
        assert "use citeguard audit answer.json" in told_in_one_line(capsys)

    def test_keeps_what_readers_do_not_see(self, capsys: Captured) -> None:
        write("page.html", "<p>The fee is <s>ten euros</s> waived.</p>")
        cited = {"quote": "ten euros", "source_id": "page"}
        assert check(answer(cited), sources="page.html") == 1
        assert check(answer(cited), "--unseen", "keep", sources="page.html") == 0
        assert "! in text that was read with doubts: page" in words(capsys.readouterr().out)

    def test_reads_a_fenced_answer(self, capsys: Captured) -> None:
        fenced = f"Here it is:\n```json\n{json.dumps(answer(GOOD))}\n```\nAnything else?"
        Path("fenced.md").write_text(fenced, encoding="utf-8")
        assert run(["check", "fenced.md", "--sources", "handbook.txt"]) == 0

    def test_exact_takes_no_other_typography(self, capsys: Captured) -> None:
        loose = {**GOOD, "quote": GOOD["quote"].upper()}
        assert check(answer(loose)) == 0
        assert check(answer(loose), "--exact") == 1
        assert "quote_altered" in capsys.readouterr().out

    def test_uncited_statements_may_pass(self) -> None:
        bare = {"statements": [{"text": "So.", "citations": []}]}
        assert check(bare, "--uncited", "pass") == 0

    def test_says_what_is_not_in_the_sources(self, capsys: Captured) -> None:
        assert check({"statements": [], "unanswerable": "Nothing on dogs."}) == 0
        said = "Not in the sources, in the model's own, unchecked words: Nothing on dogs."
        assert said in words(capsys.readouterr().out)
        check({"statements": [], "unanswerable": "Nothing on dogs."}, "--json")
        assert json.loads(capsys.readouterr().out)["unanswerable"] == "Nothing on dogs."


class TestOwnModel:
    MODULE = """
from datetime import date
from pydantic import BaseModel
from citeguard import Quote

class Finding(BaseModel, strict=True):
    evidence: Quote
    day: date = date(2026, 1, 1)

class Other: ...
"""

    @pytest.fixture(autouse=True)
    def module(self, monkeypatch: MonkeyPatch) -> None:
        Path("findings_of_mine.py").write_text(self.MODULE, encoding="utf-8")
        monkeypatch.setattr(sys, "path", [*sys.path])
        monkeypatch.delitem(sys.modules, "findings_of_mine", raising=False)

    def test_passes(self, capsys: Captured) -> None:
        finding = {"evidence": GOOD["quote"], "day": "2026-11-22"}
        assert check(finding, "--model", "findings_of_mine:Finding") == 0
        assert words(capsys.readouterr().out) == "Finding: all good"

    def test_shows_each_error_at_its_place(self, capsys: Captured) -> None:
        assert check({"evidence": BAD["quote"]}, "--model", "findings_of_mine:Finding") == 1
        shown = words(capsys.readouterr().out)
        assert shown.startswith("evidence ✕ not found (quote_not_found)")
        assert shown.endswith("Finding: 1 problem")

    @pytest.mark.parametrize("broken", ["class", "1 / 0", "raise SystemError('no')"])
    def test_in_a_broken_module(
        self, broken: str, capsys: Captured, monkeypatch: MonkeyPatch
    ) -> None:
        Path("broken_of_mine.py").write_text(broken, encoding="utf-8")
        monkeypatch.delitem(sys.modules, "broken_of_mine", raising=False)
        invalidate_caches()
        assert check({"evidence": "x"}, "--model", "broken_of_mine:Finding") == 2
        assert "--model broken_of_mine:Finding: " in words(capsys.readouterr().err)

    @pytest.mark.parametrize(
        "name",
        [
            "findings_of_mine",
            "no_such_module:A",
            "findings_of_mine:Nothing",
            "findings_of_mine:Other",
        ],
    )
    def test_that_is_none_could_not_run(self, name: str, capsys: Captured) -> None:
        assert check({"evidence": "x"}, "--model", name) == 2
        assert "--model" in capsys.readouterr().err
