import gc
import re
import weakref
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import combinations
from threading import Barrier
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citeguard import CiteguardError, Source, Sources, Span, UnknownSourceError
from citeguard.retrieval.embeddings import EmbeddingFailedError
from citeguard.retrieval.passages import Kept, SectionPassages, TokenPassages, Windows
from citeguard.retrieval.ranking import BM25Retriever, DenseRetriever
from citeguard.retrieval.search import HybridRetriever, Retriever
from citeguard.sources.collection import Passage
from citeguard.sources.layout import Heading, Layout
from rows import each_row
from tiny_entailment import MINILM

SOURCES = Sources(
    {
        "handbook": "The notice period is one month. It doesn’t apply during probation. "
        "Lunch is free on Fridays.",
        "faq": "Employees resign in writing. E-mail counts as writing. Ask Ms. Lee for a form.",
        "车": "雨が降った。国会图书馆收藏了超过一亿件藏品。寝よう。",
    }
)
SENTENCES = Windows(size=1, overlap=0)
SINGLE = BM25Retriever(passages=SENTENCES)


def count_letters(texts: Sequence[str]) -> Any:
    """Embed a text as the counts of its letters: alike are those of the same letters."""
    return [[text.lower().count(letter) + 0.01 for letter in "abcdefghijklmnopq"] for text in texts]


def found(query: str | Sequence[str], **options: Any) -> list[str]:
    return [passage.text for passage in SOURCES.search(query, **{"retriever": SINGLE} | options)]


ALL = each_row(
    "retriever",
    [
        SINGLE,
        DenseRetriever(count_letters, passages=TokenPassages(most=8, overlap=3)),
        HybridRetriever(BM25Retriever(), DenseRetriever(count_letters)),
    ],
    ids=type,
)


class TestSearch:
    def test_finds_what_bears_on_a_query_first(self) -> None:
        for query, expected in [
            ("Can I resign by e-mail?", "E-mail counts as writing."),  # a question
            ("noticed period", "The notice period is one month."),  # inflection
            ("图书馆", "国会图书馆收藏了超过一亿件藏品。"),  # Chinese
            ("雨が", "雨が降った。"),  # Japanese
            ("FRIDAY 🎉🎉", "Lunch is free on Fridays."),  # emoji
        ]:
            assert found(query)[0] == expected
        assert found(["probation", "lunch"], k=2) == [
            "It doesn’t apply during probation.",
            "Lunch is free on Fridays.",
        ]

    def test_in_sources_of_which_some_have_no_words(self) -> None:
        sources = Sources({"blank": "", "dots": "…\n\n—", "text": "It rained."})
        assert [p.span for p in sources.search("rain")] == [Span("text", 0, 10)]

    def test_of_equal_passages_finds_the_first_first(self) -> None:
        sources = Sources(dict.fromkeys("cab", "It rained."))
        assert [p.span.source_id for p in sources.search("rain")] == ["c", "a", "b"]

    @ALL
    @settings(derandomize=True)
    @given(query=st.text(max_size=40) | st.sampled_from(SOURCES["faq"].text.split()))
    def test_finds_what_stands_in_the_sources_best_first(
        self, retriever: Retriever, query: str
    ) -> None:
        passages = SOURCES.search(query, retriever=retriever)
        assert all(SOURCES.slice(passage.span) == passage.text for passage in passages)
        scores = [passage.score for passage in passages]
        assert scores == sorted(scores, reverse=True)

    @ALL
    def test_finds_nothing_twice(self, retriever: Retriever) -> None:
        passages = SOURCES.search(["writing", "resign by e-mail"], k=50, retriever=retriever)
        spans = [passage.span for passage in passages]
        for one, other in combinations(spans, 2):
            shared = min(one.end, other.end) - max(one.start, other.start)
            shorter = min(one.end - one.start, other.end - other.start)
            assert one.source_id != other.source_id or 2 * shared <= shorter

    def test_looks_further_where_passages_repeat_each_other(self) -> None:
        text = " ".join(f"The rain of day {number} fell." for number in range(100))
        retriever = BM25Retriever(passages=Windows(size=20, overlap=19))
        assert len(Sources(text).search("rain", k=4, retriever=retriever)) == 4


class TestSourceIds:
    @ALL
    def test_restrict_a_search(self, retriever: Retriever) -> None:
        options: dict[str, Any] = {"retriever": retriever, "k": 9}
        for source_ids in ("faq", ["faq"], {"faq"}, ("faq", "faq")):
            passages = SOURCES.search("writing lunch", source_ids=source_ids, **options)
            assert {passage.span.source_id for passage in passages} == {"faq"}

    def test_that_no_source_has_are_an_error(self) -> None:
        with pytest.raises(UnknownSourceError, match="no source has the id 'f'"):
            found("lunch", source_ids=["f"])


class TestMistakes:
    @each_row(
        ("options", "message"),
        [
            ({"k": 0}, "search(k=...) must be an integer of at least 1"),
            ({"k": True}, "search(k=...) must be an integer of at least 1"),
            ({"query": None}, "expected a query or several, as strings"),
            ({"query": [["lunch"]]}, "expected a query or several, as strings"),
            ({"retriever": BM25Retriever}, "expected a retriever with a method search"),
            ({"retriever": "bm25"}, "expected a retriever with a method search"),
        ],
    )
    def test_in_a_search(self, options: dict[str, Any], message: str) -> None:
        with pytest.raises(CiteguardError, match=re.escape(message)):
            SOURCES.search(**{"query": "lunch"} | options)

    @each_row(
        ("make", "message"),
        [
            (lambda: BM25Retriever(passages="sections"), "BM25Retriever(passages=...): expected P"),
            (lambda: DenseRetriever(MINILM, passages=Windows), "expected Passages, such as"),
            (lambda: HybridRetriever(SINGLE), "HybridRetriever() takes two or more retrievers"),
            (lambda: HybridRetriever(SINGLE, object()), "expected a retriever with a method"),
        ],
        ids=str,
    )
    def test_in_a_retriever(self, make: Callable[[], Any], message: str) -> None:
        with pytest.raises(CiteguardError, match=re.escape(message)):
            make()


class Scripted:
    """A vector store of one's own, that returns what it is told to."""

    def __init__(self, *rankings: list[Passage]) -> None:
        self.rankings = list(rankings)
        self.asked: list[tuple[Sequence[str], int, Collection[str] | None]] = []

    def __repr__(self) -> str:
        return "Scripted()"

    def search(
        self,
        queries: Sequence[str],
        sources: Sources,
        /,
        *,
        k: int,
        source_ids: Collection[str] | None = None,
    ) -> list[list[Passage]]:
        self.asked.append((queries, k, source_ids))
        return [ranking[:k] for ranking in self.rankings]


def passage(start: int, end: int, score: float = 1.0, source_id: str = "faq") -> Passage:
    span = Span(source_id, start, end)
    return Passage(span, SOURCES.slice(span), score)


class TestOwnRetriever:
    def test_is_asked_and_what_it_returns_is_cleared_of_repetition(self) -> None:
        store = Scripted([passage(0, 28), passage(2, 27), passage(29, 54)])
        assert SOURCES.search("resign", k=2, retriever=store) == [passage(0, 28), passage(29, 54)]
        assert store.asked == [(["resign"], 4, None)]

    def test_is_asked_for_more_while_that_may_help(self) -> None:
        store = Scripted([*(passage(0, 28 - cut) for cut in range(9)), passage(29, 54)])
        assert SOURCES.search("resign", k=2, retriever=store) == [passage(0, 28), passage(29, 54)]
        assert [k for _, k, _ in store.asked] == [4, 8, 16]
        repeating = Scripted([passage(0, 28)] * 99)
        assert SOURCES.search("resign", k=2, retriever=repeating) == [passage(0, 28)]
        assert len(repeating.asked) == 2

    def test_that_finds_what_does_not_stand_there_is_an_error(self) -> None:
        for wrong in [
            Passage(Span("faq", 0, 4), "Lunch", 1.0),
            Passage(Span("elsewhere", 0, 4), "Empl", 1.0),
            Passage(Span("faq", 10_000, 10_004), "Empl", 1.0),
        ]:
            with pytest.raises(
                CiteguardError, match=r"Scripted\(\) returned .* which is not its text: index"
            ):
                SOURCES.search("resign", retriever=Scripted([wrong]))

    @pytest.mark.parametrize("returned", [None, [None], "ab", [["resign"]]])
    def test_that_returns_no_passages_is_an_error(self, returned: Any) -> None:
        store = Scripted([])
        store.search = lambda *_, **__: returned  # pyright: ignore[reportAttributeAccessIssue]
        with pytest.raises(CiteguardError, match="expected a list of Passages a query"):
            SOURCES.search("resign", retriever=store)

    def test_that_returns_another_number_of_rankings_is_an_error(self) -> None:
        with pytest.raises(CiteguardError, match="returned 1 rankings for 2 queries"):
            SOURCES.search(["resign", "lunch"], retriever=Scripted([]))


class TestIndexes:
    def test_embed_each_source_once(self) -> None:
        texts: list[str] = []

        def embedder(given: Sequence[str]) -> Any:
            texts.extend(given)
            return count_letters(given)

        shared, retriever = Source("a", "It rained."), DenseRetriever(embedder)
        for other in ("So be it.", "The end."):
            Sources([shared, Source("b", other)]).search("rain", retriever=retriever)
        assert texts.count("It rained.") == 1

    @ALL
    def test_do_not_keep_sources_alive(self, retriever: Retriever) -> None:
        sources = Sources("It rained. It was late.")
        assert sources.search("rain", retriever=retriever)
        alive = weakref.ref(sources), weakref.ref(sources["1"])
        del sources
        gc.collect()
        assert [each() for each in alive] == [None, None]

    @ALL
    def test_are_shared_by_threads(self, retriever: Retriever) -> None:
        sources, together = Sources([f"It rained on day {n}." for n in range(50)]), Barrier(8)

        def search(number: int) -> list[Passage]:
            together.wait()
            return sources.search(f"day {number}", retriever=retriever)

        with ThreadPoolExecutor(8) as pool:
            answers = list(pool.map(search, range(8)))
        assert answers == [sources.search(f"day {n}", retriever=retriever) for n in range(8)]

    @each_row(
        "kind", [BM25Retriever, partial(DenseRetriever, count_letters)], ids=["words", "vectors"]
    )
    def test_are_of_the_passages_given_and_by_default_of_sections(self, kind: Any) -> None:
        layout = Layout("markdown", 28, headings=[Heading("Rain", 1, 0, 4)])
        source = Source("doc", "Rain\n\nIt rained. Much rain.", layout=layout)
        sources = Sources([source, Source("plain", source.text)])
        for passages in (None, SENTENCES, TokenPassages()):
            found = sources.search("rain", k=9, retriever=kind(passages=passages))
            cut = passages or SectionPassages()
            assert {each.span for each in found} >= set(cut.of(source))


class TestDenseRetriever:
    def test_ranks_by_cosine(self) -> None:
        sources = Sources({"a": "aaaa", "b": "aaab", "c": "bbbb"})
        passages = sources.search("aa", retriever=DenseRetriever(count_letters))
        assert [each.span.source_id for each in passages] == ["a", "b", "c"]
        assert passages[0].score == pytest.approx(1, abs=1e-3)

    @pytest.mark.parametrize("bad", [float("nan"), 0.0])
    def test_fails_where_there_is_no_vector(self, bad: float) -> None:
        def embedder(texts: Sequence[str]) -> Any:
            return [[bad, 0.0] if "rain" in text else [1.0, 0.0] for text in texts]

        with pytest.raises(EmbeddingFailedError, match="embedder gave no vector for one of 1"):
            Sources("It rained.").search("late", retriever=DenseRetriever(embedder))

    def test_in_sources_without_passages(self) -> None:
        sources = Sources({"blank": " ", "text": "It rained."})
        assert (
            sources.search("x", source_ids="blank", retriever=DenseRetriever(count_letters)) == []
        )


class TestBM25:
    @settings(derandomize=True)
    @given(st.lists(st.lists(st.sampled_from("rain late soon".split()), min_size=1), min_size=1))
    def test_scores_are_those_of_the_formula(self, texts: list[list[str]]) -> None:
        sources = Sources([" ".join(words) for words in texts])
        passages = sources.search("rain soon", k=99, retriever=SINGLE)
        scores = {each.span.source_id: each.score for each in passages}
        lengths = [len(words) for words in texts]
        for number, words in enumerate(texts, start=1):
            expected = 0.0
            for word in ("rain", "soon"):
                having = sum(word in other for other in texts)
                rarity = np.log(1 + (len(texts) - having + 0.5) / (having + 0.5))
                times = words.count(word)
                norm = 1.5 * (0.25 + 0.75 * len(words) / np.mean(lengths))
                expected += rarity * times / (times + norm)
            assert scores.get(str(number), 0.0) == pytest.approx(expected, abs=1e-4)


class TestKept:
    def test_is_bounded(self) -> None:
        kept: Kept[int] = Kept(most=3)
        owner = Source("a", "text").prepared
        computed: list[int] = []

        def compute(number: int) -> int:
            computed.append(number)
            return number

        for number in (0, 1, 2, 0, 3, 3, 0):
            assert kept.get(owner, number, partial(compute, number)) == number
        assert computed == [0, 1, 2, 3, 0]
