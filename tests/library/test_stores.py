"""What every `PassageStore` promises: SQLite, Qdrant's local mode, and a Postgres server."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from qdrant_client import QdrantClient

from citeguard import CiteguardError, Sources
from citeguard.library.stores.postgres import PgVectorStore
from citeguard.library.stores.qdrant import QdrantStore
from citeguard.library.stores.sqlite import SQLiteStore
from citeguard.library.stores.store import PassageStore, StoredPassage
from citeguard.retrieval import BM25Retriever, Windows
from library.stored import (
    cut,
    fill,
    normalized,
    passages_of,
    places,
    random_vectors,
    read_xquad,
    same_ranking,
)

ENGINES = ["sqlite", "qdrant", pytest.param("postgres", marks=pytest.mark.postgres)]
KEPT = ["sqlite", "qdrant folder", pytest.param("postgres", marks=pytest.mark.postgres)]

Opener = Callable[[], PassageStore]


@pytest.fixture
def opener(request: pytest.FixtureRequest, tmp_path: Path) -> Opener:
    """Open the same store, each time anew."""
    engine: str = request.param
    if engine == "postgres":
        address: str = request.getfixturevalue("database")
        return lambda: PgVectorStore(address)
    if engine == "qdrant folder":
        folder = str(tmp_path / "qdrant")
        client = QdrantClient(path=folder, force_disable_check_same_thread=True)
        return lambda: QdrantStore(client)
    if engine == "qdrant":
        return lambda: QdrantStore(QdrantClient(":memory:"))
    return lambda: SQLiteStore(tmp_path / "passages.db")


@pytest.fixture
def store(opener: Opener) -> Iterator[PassageStore]:
    opened = opener()
    yield opened
    opened.close()


HANDBOOK = passages_of("Notice is one month.", "Lunch is free on Fridays.", "Badges are red.")
FAQ = passages_of("Lunch costs nothing.", "The canteen is closed on Mondays.")
HANDBOOK_VECTORS = normalized([1, 0, 0], [0.9, 0.1, 0], [0, 0, 1])
FAQ_VECTORS = normalized([0.8, 0.2, 0], [0, 1, 0])


def fill_small(store: PassageStore) -> None:
    fill(
        store,
        {"handbook": HANDBOOK, "faq": FAQ},
        {"handbook": HANDBOOK_VECTORS, "faq": FAQ_VECTORS},
    )


@pytest.mark.parametrize("opener", ENGINES, indirect=True)
class TestStore:
    def test_is_empty_at_first(self, store: PassageStore) -> None:
        assert (len(store), dict(store.versions())) == (0, {})
        assert store.nearest(normalized([1, 0])[0], k=3) == []
        assert store.matching("lunch", k=3) == []
        store.delete(["handbook"])

    def test_finds_the_nearest_vectors(self, store: PassageStore) -> None:
        fill_small(store)
        found = store.nearest(normalized([1, 0, 0])[0], k=3)
        assert [each.text for each in found] == [
            "Notice is one month.",
            "Lunch is free on Fridays.",
            "Lunch costs nothing.",
        ]
        assert [each.score for each in found] == pytest.approx(
            [1, HANDBOOK_VECTORS[1, 0], FAQ_VECTORS[0, 0]], abs=1e-3
        )
        assert [each.span.end for each in found] == [20, 46, 20]

    def test_compares_all_vectors(self, store: PassageStore) -> None:
        vectors = random_vectors(300, 32)
        for at in range(0, 300, 30):
            passages = passages_of(*(f"number {at + each}" for each in range(30)))
            store.put(f"{at:03}", "1", passages, vectors[at : at + 30])
        for query in random_vectors(20, 32, seed=1):
            exact = np.sort(vectors @ query)[::-1][:7]
            found = store.nearest(query, k=7)
            assert [each.score for each in found] == pytest.approx(exact.tolist(), abs=1e-3)

    def test_orders_equal_scores_by_source_and_place(self, store: PassageStore) -> None:
        texts = passages_of(*["lunch is free"] * 12)
        vectors = normalized(*[[1, 1]] * 12)
        for source_id in ("b", "a", "é", "Z"):
            store.put(source_id, "1", texts, vectors)
        expected = [(source_id, 14 * at) for source_id in ("Z", "a") for at in range(12)]
        assert places(store.nearest(vectors[0], k=15)) == expected[:15]
        assert places(store.matching("lunch", k=15)) == expected[:15]

    def test_searches_some_documents(self, store: PassageStore) -> None:
        fill_small(store)
        query = normalized([1, 0, 0])[0]
        assert places(store.nearest(query, k=9, source_ids=["faq", "nobody"])) == [
            ("faq", 0),
            ("faq", 21),
        ]
        assert places(store.matching("lunch", k=9, source_ids={"faq"})) == [("faq", 0)]
        for ids in ([], ["nobody"]):
            assert store.nearest(query, k=9, source_ids=ids) == []
            assert store.matching("lunch", k=9, source_ids=ids) == []

    def test_finds_words_whatever_their_inflection(self, store: PassageStore) -> None:
        fill_small(store)
        assert places(store.matching("lunches on a friday", k=2)) == [("handbook", 21), ("faq", 0)]

    def test_finds_only_what_shares_a_term(self, store: PassageStore) -> None:
        fill_small(store)
        assert store.matching("salary", k=5) == []
        assert store.matching("is it on the", k=5) == []  # function words
        assert store.matching("", k=5) == []

    def test_finds_passages_by_given_terms(self, store: PassageStore) -> None:
        passage = StoredPassage(0, 3, "4.2", keys=("price", "euro"))
        store.put("table", "1", [passage], None)
        assert [each.text for each in store.matching("prices", k=5)] == ["4.2"]
        assert store.matching("4.2", k=5) == []

    def test_passages_without_a_vector_are_found_by_words(self, store: PassageStore) -> None:
        vectors = HANDBOOK_VECTORS.copy()
        vectors[1] = np.nan
        store.put("handbook", "1", HANDBOOK, vectors)
        store.put("faq", "1", FAQ, None)
        assert places(store.nearest(vectors[0], k=5)) == [("handbook", 0), ("handbook", 47)]
        assert len(store.matching("lunch", k=5)) == 2
        assert len(store) == 5

    def test_a_document_replaces_what_it_had(self, store: PassageStore) -> None:
        fill_small(store)
        store.put("handbook", "2", passages_of("Dinner is free."), normalized([0, 1, 1]))
        assert dict(store.versions()) == {"handbook": "2", "faq": "1"}
        assert len(store) == 3
        assert sorted(places(store.matching("lunch free", k=9))) == [("faq", 0), ("handbook", 0)]
        assert ("handbook", 21) not in places(store.nearest(HANDBOOK_VECTORS[0], k=9))

    def test_a_document_may_be_empty(self, store: PassageStore) -> None:
        store.put("empty", "1", [], None)
        store.put("blank", "1", [StoredPassage(0, 0, "", ())], normalized([1, 0]))
        assert dict(store.versions()) == {"empty": "1", "blank": "1"}
        assert len(store) == 1
        store.put("blank", "2", [], np.empty((0, 2), np.float32))
        assert len(store) == 0

    def test_forgets_documents(self, store: PassageStore) -> None:
        fill_small(store)
        store.delete(["handbook", "nobody"])
        assert (len(store), dict(store.versions())) == (2, {"faq": "1"})
        assert places(store.matching("lunch badges", k=9)) == [("faq", 0)]
        assert len(store.nearest(HANDBOOK_VECTORS[0], k=9)) == 2
        store.delete([])
        assert len(store) == 2

    def test_vectors_of_another_width_change_nothing(self, store: PassageStore) -> None:
        fill_small(store)
        with pytest.raises(CiteguardError, match="have 3 numbers"):
            store.put("other", "1", passages_of("One."), normalized([1, 0]))
        with pytest.raises(CiteguardError, match="have 3 numbers"):
            store.put("faq", "2", passages_of("One."), normalized([1, 0]))
        with pytest.raises(CiteguardError, match="have 3 numbers"):
            store.nearest(normalized([1, 0])[0], k=1)
        assert (len(store), dict(store.versions())) == (5, {"handbook": "1", "faq": "1"})

    def test_takes_another_width_once_it_is_empty(self, store: PassageStore) -> None:
        fill_small(store)
        store.delete(["handbook", "faq"])
        store.put("other", "1", passages_of("One."), normalized([1, 0]))
        assert places(store.nearest(normalized([1, 0])[0], k=1)) == [("other", 0)]

    def test_keeps_any_text(self, store: PassageStore) -> None:
        texts = [
            "Robert'); DROP TABLE citeguard_passages;-- %s {0} \\",
            "half a pair, lunch",
            "naïve 😀 日本語 مرحبا",
            "tab\tand\nline\r\\N",
            f"{'x' * 3_000} lunch",
            '"; lunch OR NOT (NEAR *',
        ]
        passages = passages_of(*texts)
        store.put("texts", "1", passages, random_vectors(len(texts), 8))
        for vector, passage in zip(random_vectors(len(texts), 8), passages, strict=True):
            [found] = store.nearest(vector, k=1)
            assert (found.text, found.span.end) == (passage.text, passage.end)
        assert len(store.matching("lunch \0 \ud83d", k=9)) == 3
        assert [each.text for each in store.matching("x" * 3_000, k=9)] == [texts[4]]
        assert [each.text for each in store.matching('naive "日本語', k=9)] == [texts[2]]

    def test_takes_any_usual_id(self, store: PassageStore) -> None:
        ids = ["'; DROP TABLE x;--", "%s", "a/b c.pdf", "日本", "\\", "{}", '"', "x" * 1_000]
        for at, source_id in enumerate(ids):
            store.put(source_id, "1", passages_of(f"lunch {at}"), None)
        assert set(store.versions()) == set(ids)
        for at, source_id in enumerate(ids):
            assert places(store.matching(f"lunch {at}", k=1, source_ids=[source_id])) == [
                (source_id, 0)
            ]
        store.delete(ids[:4])
        assert set(store.versions()) == set(ids[4:])

    def test_can_be_used_by_many_threads(self, store: PassageStore) -> None:
        vectors = random_vectors(8, 16)
        store.put("stays", "1", passages_of("lunch"), vectors[:1])

        def work(number: int) -> None:
            for version in range(4):
                passages = passages_of(*[f"lunch {version}"] * 8)
                store.put(f"document {number % 4}", str(version), passages, vectors)
                found = store.nearest(vectors[0], k=100)
                of_each = {at: places(found).count((f"document {at}", 0)) for at in range(4)}
                assert set(of_each.values()) <= {0, 1}  # whole or absent, and never twice
                assert ("stays", 0) in places(store.matching("lunch", k=100))

        with ThreadPoolExecutor(8) as pool:
            list(pool.map(work, range(8)))
        assert len(store) == 33
        assert set(store.versions().values()) == {"1", "3"}

    def test_cannot_be_used_when_closed(self, store: PassageStore) -> None:
        fill_small(store)
        store.close()
        store.close()
        with pytest.raises(CiteguardError, match="closed"):
            store.matching("lunch", k=1)

    def test_ranks_words_as_the_retriever_does(self, store: PassageStore) -> None:
        sources, questions = read_xquad()
        for source_id, passages in cut(sources).items():
            store.put(source_id, "1", passages, random_vectors(len(passages), 2))
        retriever = BM25Retriever(passages=Windows(size=1, overlap=0))
        expected = retriever.search(questions, Sources(sources.values()), k=5)
        found = [store.matching(question, k=5) for question in questions]
        first = [one[0].span == other[0].span for one, other in zip(expected, found, strict=True)]
        if isinstance(store, PgVectorStore):
            assert all(
                same_ranking(
                    [(each.span, each.score) for each in one],
                    [(each.span, each.score) for each in other],
                    within=1e-4,
                )
                for one, other in zip(expected, found, strict=True)
            )
        assert sum(first) >= 180  # SQLite's k1 is another one, Qdrant's mean length is given


@pytest.mark.parametrize("opener", KEPT, indirect=True)
def test_reopening_keeps_everything(opener: Opener) -> None:
    first = opener()
    fill_small(first)
    first.close()
    again = opener()
    try:
        assert dict(again.versions()) == {"handbook": "1", "faq": "1"}
        assert places(again.matching("lunch friday", k=1)) == [("handbook", 21)]
        assert places(again.nearest(FAQ_VECTORS[1], k=1)) == [("faq", 21)]
    finally:
        again.close()
