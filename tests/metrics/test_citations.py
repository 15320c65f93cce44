import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citeguard import (
    Answer,
    Citation,
    CiteguardError,
    Evidence,
    JudgeSettings,
    ReaderJudge,
    Sources,
    Statement,
    SupportQuestion,
    Verdict,
    verify,
)
from citeguard.metrics import (
    CitedStatement,
    Share,
    StatementCitations,
    citation_quality,
    cited_statements,
)
from citeguard.testing import ScriptedJudge

steady = settings(deadline=None, derandomize=True)
VERDICT = {True: Verdict("supported"), False: Verdict("unsupported"), None: Verdict("undecided")}


class Table:
    """A judge that looks its verdict up by the texts of the evidence, joined."""

    settings = JudgeSettings(batch_size=None)

    def __init__(self, said: dict[str, bool | None]) -> None:
        self.said = said
        self.calls: list[list[str]] = []

    def judge(self, questions: Sequence[SupportQuestion]) -> list[Verdict]:
        asked = ["".join(each.text for each in question.evidence) for question in questions]
        self.calls.append(asked)
        return [VERDICT[self.said.get(each, False)] for each in asked]


def measured(said: dict[str, bool | None], citations: Sequence[Any]) -> StatementCitations:
    statement = CitedStatement(text="It is so.", citations=citations)
    return citation_quality([[statement]], Table(said)).answers[0][0]


class TestCitationQuality:
    def test_by_hand(self) -> None:
        for said, citations, supported, relevant in [
            ({}, "", False, ""),
            ({"a": True}, "a", True, "+"),
            ({}, "a", False, "-"),
            ({"a": None}, "a", None, "?"),
            ({"ab": True, "a": True}, "ab", True, "+-"),
            ({"ab": True}, "ab", True, "++"),
            ({"ab": True, "a": True, "b": True}, "ab", True, "++"),
            ({"a": True}, "ab", False, "--"),
            ({"abc": True, "ab": True}, "abc", True, "++-"),
            ({"abc": True, "a": True, "ab": True, "ac": True}, "abc", True, "+--"),
            ({"a": True}, "aa", True, "++"),
            ({"ab": True, "a": None}, "ab", True, "+?"),
            ({"ab": True, "a": None, "b": None}, "ab", True, "??"),
            ({"ab": True, "a": None, "b": True}, "ab", True, "?+"),
            ({"ab": None, "a": True}, "ab", None, "?-"),
            ({"ab": None}, "ab", None, "??"),
        ]:
            signs = {"+": True, "-": False, "?": None}
            assert measured(said, list(citations)) == StatementCitations(
                supported=supported, relevant=tuple(signs[sign] for sign in relevant)
            )

    def test_counts_no_contradiction_as_support(self) -> None:
        denies = ScriptedJudge(otherwise="contradicted")
        found = citation_quality([[CitedStatement(text="So.", citations=["a"])]], denies)
        assert found.recall == found.precision == Share(no=1)

    def test_pools_statements_and_averages_answers(self) -> None:
        right, wrong = (CitedStatement(text="So.", citations=[each]) for each in "ab")
        bare = CitedStatement(text="So.")
        found = citation_quality([[right], [right, wrong, bare], [bare]], Table({"a": True}))
        assert found.recall == Share(yes=2, no=3)
        assert found.precision == Share(yes=2, no=1)
        assert found.mean_recall == pytest.approx((1 + 1 / 3 + 0) / 3)
        assert found.mean_precision == pytest.approx((1 + 1 / 2) / 2)

    def test_counts_answers_without_statements_apart(self) -> None:
        right = CitedStatement(text="So.", citations=["a"])
        found = citation_quality([[right], [], []], Table({"a": True}))
        assert (found.refusals, found.recall, found.mean_recall) == (2, Share(yes=1), 1.0)

    def test_of_nothing_is_undefined(self) -> None:
        for answers in ([], [[]]):
            found = citation_quality(answers, Table({}))
            assert found.recall.value is found.precision.value is None
            assert found.mean_recall is found.mean_precision is None
            assert found.questions == found.usage.calls == 0

    def test_puts_all_questions_at_once_and_none_twice(self) -> None:
        judge = Table({"a": True})
        statements = [CitedStatement(text="So.", citations=list(each)) for each in ("a", "ab")]
        found = citation_quality([statements, statements], judge)
        assert [sorted(call) for call in judge.calls] == [["a", "ab", "b"]]
        assert found.questions == 3
        assert found.usage.calls == 1

    def test_citation_without_words_supports_nothing(self) -> None:
        for blank in ("", " \n", Evidence(text=""), ()):
            alone, beside = measured({"": True}, [blank]), measured({"a": True}, ["a", blank])
            assert alone.supported is False
            assert beside.relevant == (True, False)

    def test_citation_may_have_several_passages(self) -> None:
        parts = [Evidence(text="a"), Evidence(text="b")]
        assert measured({"ab": True}, [parts]).relevant == (True,)

    def test_judge_that_fails_leaves_all_undecided(self) -> None:
        class Fails:
            def judge(self, questions: Sequence[SupportQuestion]) -> list[Verdict]:
                raise OSError("no route")

        statement = CitedStatement(text="So.", citations=["a", "b"])
        found = citation_quality([[statement]], Fails())
        assert found.recall == Share(undecided=1)
        assert found.precision == Share(undecided=2)
        assert found.mean_recall is None

    async def test_takes_async_judges_also_inside_a_loop(self) -> None:
        class Later:
            async def judge(self, questions: Sequence[SupportQuestion]) -> list[Verdict]:
                await asyncio.sleep(0)
                return [Verdict("supported") for _ in questions]

        answers = [[CitedStatement(text="So.", citations=["a"])]]
        assert citation_quality(answers, Later()).recall == Share(yes=1)
        found = await asyncio.to_thread(citation_quality, answers, Later())
        assert found.recall == Share(yes=1)

    def test_rejects_what_is_no_judge(self) -> None:
        for judge in (None, "judge", [], [None], Table, len):
            with pytest.raises(CiteguardError, match="expected a Judge or a list of them"):
                citation_quality([], judge)

    def test_rejects_what_is_no_answer(self) -> None:
        for answers in ([CitedStatement(text="So.")], [["So."]], ["So."], [None], [[None]]):
            with pytest.raises(CiteguardError, match="an answer must be a list of CitedStatement"):
                citation_quality(answers, Table({}))

    @given(st.data(), st.integers(0, 4))
    @steady
    def test_matches_alces_script_where_everything_is_decided(
        self, data: st.DataObject, count: int
    ) -> None:
        letters = "abcd"[:count]
        said = {
            "".join(c for place, c in enumerate(letters) if mask >> place & 1): data.draw(
                st.booleans()
            )
            for mask in range(1, 2**count)
        }
        found = measured(dict(said), list(letters))
        assert (int(bool(found.supported)), sum(map(bool, found.relevant))) == alce(said, letters)
        assert None not in (found.supported, *found.relevant)

    @given(st.data())
    @steady
    def test_undecided_verdicts_hide_nothing_that_could_be_known(self, data: st.DataObject) -> None:
        keys = ["ab", "a", "b"]
        said = {key: data.draw(st.sampled_from([True, False, None])) for key in keys}
        found = measured(dict(said), ["a", "b"])
        possible = [measured(dict(full), ["a", "b"]) for full in completions({**said})]
        for place in range(2):
            values = {each.relevant[place] for each in possible}
            assert found.relevant[place] == (values.pop() if len(values) == 1 else None)
        assert found.supported == said["ab"]


def completions(said: dict[str, bool | None]) -> list[dict[str, bool | None]]:
    key = next((key for key, value in said.items() if value is None), None)
    if key is None:
        return [said]
    return [*completions({**said, key: True}), *completions({**said, key: False})]


def alce(said: dict[str, bool], cited: str) -> tuple[int, int]:
    """Follow `compute_autoais` of ALCE's eval.py: what is entailed, and how many are precise."""
    if not cited or not said[cited]:
        return 0, 0
    if len(cited) == 1:
        return 1, 1
    return 1, sum(said[each] or not said[cited.replace(each, "")] for each in cited)


class TestCitedStatement:
    def test_rejects_what_is_no_text_no_list_or_no_citation(self) -> None:
        texts = [{"text": text} for text in (None, 1, b"So.")]
        lists = [{"text": "So.", "citations": each} for each in ("a quote", None, {"a"})]
        citations = (None, 1, ["a"], b"a", [None])
        cited = [{"text": "So.", "citations": [each]} for each in citations]
        for message, wrong in (
            ("a statement must be a string", texts),
            ("citations must be a list", lists),
            ("a citation must be a string or Evidence", cited),
        ):
            for each in wrong:
                with pytest.raises(CiteguardError, match=message):
                    CitedStatement(**each)


SOURCES = Sources(
    {"handbook": "Notice is one month. It is given in writing. Lunch is free.", "faq": "No. Yes."}
)


def answer(*quotes: str) -> Answer:
    citations = [{"quote": quote, "source_id": "handbook"} for quote in quotes]
    statement = {"text": "Notice is one month.", "citations": citations}
    return verify(Answer, {"statements": [statement]}, sources=SOURCES)


class TestCitedStatements:
    def test_show_what_is_chosen(self) -> None:
        for evidence, seen in [
            ("quote", ["one month", "Lunch is free."]),
            ("sentence", ["Notice is one month.", "Lunch is free."]),
            ("source", [SOURCES["handbook"].text] * 2),
        ]:
            (statement,) = cited_statements(
                answer("one month", "Lunch is free."), SOURCES, evidence=evidence
            )
            assert [passage.text for (passage,) in statement.passages] == seen

    def test_keep_the_parts_of_an_elided_quote_together(self) -> None:
        elided = answer("Notice is one month … Lunch is free")
        (statement,) = cited_statements(elided, SOURCES, evidence="quote")
        ((first, second),) = statement.passages
        assert (first.text, second.text) == ("Notice is one month", "Lunch is free")

    def test_are_measured_with_a_real_judge(self) -> None:
        cited = cited_statements(answer("Notice is one month.", "Lunch is free."), SOURCES)
        found = citation_quality([cited], ReaderJudge())
        assert found.recall == Share(yes=1)
        assert found.precision.yes == 1

    def test_reject_what_shows_a_judge_nothing(self) -> None:
        citation = Citation.model_construct(quote="one month")
        statement = Statement.model_construct(text="So.", citations=[citation])
        unvalidated, other = Answer.model_construct(statements=[statement]), Sources({"o": "No."})
        rows: list[tuple[Any, Sources, Any, str]] = [
            (answer("one month"), SOURCES, "passages", "'quote', 'sentence' or 'source'"),
            ({"statements": []}, SOURCES, "quote", "expects an Answer"),
            (unvalidated, SOURCES, "quote", "not validated"),
            (answer("one month"), other, "quote", "handbook"),
        ]
        for wrong, sources, evidence, message in rows:
            with pytest.raises(CiteguardError, match=message):
                cited_statements(wrong, sources, evidence=evidence)
