import threading
from collections.abc import Sequence
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeguard import (
    Answer,
    CiteguardError,
    Policy,
    Sources,
    Span,
    Statement,
    UndecidedError,
    averify,
)
from citeguard.sources.collection import Passage
from citeguard.testing import ScriptedJudge
from citeguard.validation.support import _joined
from conftest import Failures, Verifying

TERMS = "The notice period is one month."
PROBATION = "During probation the notice period is two weeks."
LAB = "Visitors may not enter the laboratory without a badge."
LUNCH = "Lunch is free for all employees."
FILLER = " ".join(f"Paragraph {n} deals with parking places." for n in range(12))
HANDBOOK = f"{TERMS} {FILLER} {LAB} {FILLER} {PROBATION}"
SOURCES = Sources({"handbook": HANDBOOK, "faq": f"{LUNCH} {FILLER}"})

CITED = {"text": "In probation notice is two weeks.", "citations": [{"quote": TERMS}]}
UNCITED = {"text": "Lunch is free for employees.", "citations": []}
UNHEARD_OF = {"text": "Quokkas jump.", "citations": []}


def shown(judge: ScriptedJudge) -> list[tuple[str | None, str]]:
    """Return what the one question of a judge shows it; all of it must stand where it says."""
    (question,) = judge.asked
    for each in question.evidence:
        assert each.source_id is not None
        assert SOURCES[each.source_id].text[each.start : each.start + len(each.text)] == each.text
    return [(each.source_id, each.text) for each in question.evidence]


class Counting:
    """Finds what it is told to, and remembers the queries and threads."""

    def __init__(self, *spans: Span, trouble: Exception | None = None) -> None:
        self.spans = spans
        self.trouble = trouble
        self.queries: list[str] = []
        self.threads: list[threading.Thread] = []

    def search(
        self, queries: Sequence[str], sources: Sources, /, *, k: int, source_ids: Any = None
    ) -> list[list[Passage]]:
        self.queries += queries
        self.threads.append(threading.current_thread())
        if self.trouble is not None:
            raise self.trouble
        within = [each for each in self.spans if source_ids is None or each.source_id in source_ids]
        found = [Passage(span, sources.slice(span), 1.0) for span in within[:k]]
        return [found for _ in queries]


class TestPassages:
    async def test_of_the_cited_source_are_shown_beside_the_quote(
        self, verifying: Verifying
    ) -> None:
        judge = ScriptedJudge()
        policy = Policy(support=[judge], evidence="passages")
        await verifying(Statement, CITED, sources=SOURCES, policy=policy)
        places = shown(judge)
        assert {source for source, _ in places} == {"handbook"}
        assert any(TERMS in text for _, text in places)
        assert any(PROBATION in text for _, text in places)
        assert len("".join(text for _, text in places)) < len(HANDBOOK)

    async def test_always_have_the_quote_s_own_sentences(self, verifying: Verifying) -> None:
        judge = ScriptedJudge()
        policy = Policy(support=[judge], evidence="passages", passages=1)
        data = {**CITED, "citations": [{"quote": "without a badge"}]}
        await verifying(Statement, data, sources=SOURCES, policy=policy)
        assert any(LAB in text for _, text in shown(judge))


class TestSearch:
    POLICY: ClassVar[dict[str, Any]] = {"uncited": "search"}

    async def test_judges_what_cites_nothing(self, verifying: Verifying) -> None:
        judge = ScriptedJudge()
        policy = Policy(support=[judge], **self.POLICY)
        found = await verifying(Statement, UNCITED, sources=SOURCES, policy=policy)
        assert found.verdict.outcome == "supported"
        assert found.citations == []
        assert any(LUNCH in text for _, text in shown(judge))

    async def test_that_finds_nothing_shows_short_sources_whole(self, verifying: Verifying) -> None:
        judge = ScriptedJudge()
        policy = Policy(support=[judge], **self.POLICY)
        await verifying(Statement, UNHEARD_OF, sources=SOURCES, policy=policy)
        assert [text for _, text in shown(judge)] == [source.text for source in SOURCES]

    async def test_that_finds_nothing_in_long_sources_asks_nobody(
        self, verifying: Verifying, failures: Failures
    ) -> None:
        judge = ScriptedJudge()
        policy = Policy(support=[judge], **self.POLICY)
        long = Sources({"handbook": HANDBOOK * (8_000 // len(HANDBOOK) + 1)})
        with pytest.raises(ValueError, match="statement_unsupported") as caught:
            await verifying(Statement, UNHEARD_OF, sources=long, policy=policy)
        (line,) = failures(lambda: (_ for _ in ()).throw(caught.value))
        assert (line["type"], line["loc"]) == ("statement_unsupported", ("text",))
        assert line["msg"] == (
            'The sources do not support the statement. The judge: "No passage of the sources is '
            'about it." Say no more than the sources say, or drop it.'
        )
        assert judge.asked == []

    async def test_needs_judges(self, verifying: Verifying) -> None:
        with pytest.raises(CiteguardError, match="needs judges"):
            await verifying(Statement, UNCITED, sources=SOURCES, policy=Policy(**self.POLICY))


POLICIES = pytest.mark.parametrize(
    ("rules", "data"),
    [
        pytest.param({"evidence": "passages"}, CITED, id="passages"),
        pytest.param({"uncited": "search"}, UNCITED, id="search"),
    ],
)


class TestRetriever:
    @POLICIES
    @pytest.mark.parametrize("trouble", [ValueError("bad"), ConnectionError("down")], ids=repr)
    async def test_that_fails_leaves_it_undecided(
        self, rules: Any, data: Any, trouble: Exception, verifying: Verifying
    ) -> None:
        judge = ScriptedJudge()
        policy = Policy(
            support=[judge],
            alignment=judge,
            retriever=Counting(trouble=trouble),
            undecided="pass",
            **rules,
        )
        found = await verifying(Answer, {"statements": [data]}, sources=SOURCES, policy=policy)
        verdict = found.statements[0].verdict
        assert (verdict.outcome, verdict.judge) == ("undecided", "search")
        assert verdict.reason.startswith(f"search: raised {type(trouble).__name__}")
        assert judge.asked == []

    @POLICIES
    async def test_that_fails_fails_closed(
        self, rules: Any, data: Any, verifying: Verifying
    ) -> None:
        failing = Counting(trouble=OSError("down"))
        policy = Policy(support=[ScriptedJudge()], retriever=failing, **rules)
        with pytest.raises(ValueError, match="type=undecided"):
            await verifying(Statement, data, sources=SOURCES, policy=policy)
        raising = Policy(support=[ScriptedJudge()], retriever=failing, undecided="raise", **rules)
        with pytest.raises(UndecidedError, match="search: raised OSError"):
            await verifying(Statement, data, sources=SOURCES, policy=raising)

    @POLICIES
    async def test_a_mistake_in_its_code_is_raised(
        self, rules: Any, data: Any, verifying: Verifying
    ) -> None:
        retriever = Counting(trouble=KeyError("mine"))
        policy = Policy(support=[ScriptedJudge()], retriever=retriever, **rules)
        with pytest.raises(CiteguardError, match="the retriever raised KeyError"):
            await verifying(Statement, data, sources=SOURCES, policy=policy)

    @POLICIES
    async def test_blocks_no_event_loop(self, rules: Any, data: Any) -> None:
        retriever = Counting(Span("handbook", 0, len(TERMS)))
        policy = Policy(support=[ScriptedJudge()], retriever=retriever, **rules)
        await averify(Statement, data, sources=Sources([*SOURCES]), policy=policy)
        assert threading.main_thread() not in retriever.threads


spans = st.builds(
    lambda source, start, length: Span(source, start, start + length),
    st.sampled_from("ab"),
    st.integers(0, 30),
    st.integers(1, 8),
)


class TestJoined:
    @given(st.lists(spans, max_size=8))
    def test_covers_the_same_and_nothing_twice(self, found: list[Span]) -> None:
        joined = list(_joined(found, "ab"))
        places = [(each.source_id, n) for each in joined for n in range(each.start, each.end)]
        assert len(places) == len(set(places))
        assert set(places) == {(s.source_id, n) for s in found for n in range(s.start, s.end)}
        assert joined == sorted(joined, key=lambda each: (each.source_id, each.start))
