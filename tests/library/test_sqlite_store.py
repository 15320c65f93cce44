"""Passages in a SQLite file: found by words as `BM25Retriever` finds them, and by vectors."""

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, rule
from numpy.typing import NDArray

from citeguard import Sources
from citeguard.library.database import LibraryFile
from citeguard.library.stores import sqlite
from citeguard.library.stores.sqlite import SQLiteStore
from citeguard.library.stores.store import stored_passages
from citeguard.retrieval import BM25Retriever, SectionPassages, Windows
from citeguard.sources.collection import Passage
from library.stored import passages_of

WORDS = (
    'lunch notice badge garden euro month year free Köln €5 3.5 don\'t 東京 naïve "x" a_b'.split()
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "passages.db"


@pytest.fixture
def store(path: Path) -> Iterator[SQLiteStore]:
    opened = SQLiteStore(path)
    yield opened
    opened.close()


def axes(*numbers: int) -> NDArray[np.float32]:
    return np.eye(4, dtype=np.float32)[list(numbers)]


def texts(passages: Sequence[Passage]) -> list[str]:
    return [passage.text for passage in passages]


class TestMatching:
    @pytest.mark.parametrize("query", ['"', "NOT lunch", "lunch*", "keys:lunch", "NEAR(lunch, a)"])
    def test_a_query_is_words_never_syntax(self, store: SQLiteStore, query: str) -> None:
        store.put("a", "1", passages_of("Lunch is free."), None)
        found = texts(store.matching(query, k=4))
        assert found == (["Lunch is free."] if "lunch" in query else [])

    def test_what_tables_say_is_found_as_by_the_retriever(self, store: SQLiteStore) -> None:
        text = "| City | Rent |\n|---|---|\n| Bonn | 900 |\n| Cologne | 1200 |\n"
        sources = Sources({"rents": text * 3})
        for source in sources:
            store.put(source.id, "1", stored_passages(source, SectionPassages()), None)
        wanted = sources.search("rent of Bonn", retriever=BM25Retriever(passages=SectionPassages()))
        assert [each.span for each in store.matching("rent of Bonn", k=4)] == [
            each.span for each in wanted
        ]

    @settings(max_examples=15)
    @given(st.integers(0, 10_000), st.booleans())
    def test_finds_what_the_retriever_finds(
        self, tmp_path_factory: pytest.TempPathFactory, seed: int, limited: bool
    ) -> None:
        random = Random(seed)
        given = {
            f"d{at:02}": ". ".join(
                " ".join(random.choices(WORDS, k=random.randrange(1, 12)))
                for _ in range(random.randrange(1, 6))
            )
            for at in range(random.randrange(1, 12))
        }
        if not any(map(str.isalnum, "".join(given.values()))):
            return
        sources = Sources(given)
        windows = Windows(size=1, overlap=0)
        store = SQLiteStore(tmp_path_factory.mktemp("words") / "passages.db")
        for source in sources:
            store.put(source.id, "0", passages_of("Something else."), None)
        store.delete(random.sample(list(given), k=len(given) // 2))
        for source in sources:
            store.put(source.id, "1", stored_passages(source, windows), None)
        query = " ".join(random.choices(WORDS, k=random.randrange(1, 5)))
        ids = random.sample(list(given), k=random.randrange(len(given))) if limited else None
        [ranking] = BM25Retriever(passages=windows).search([query], sources, k=100, source_ids=ids)
        found = store.matching(query, k=100, source_ids=ids)
        assert {each.span for each in found} == {each.span for each in ranking}
        keys = [(-each.score, each.span.source_id, each.span.start) for each in found]
        assert keys == sorted(keys)
        store.close()

    def test_common_words_are_limited_in_large_libraries(
        self, store: SQLiteStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for at in range(60):
            rare = " badge" if at == 30 else ""
            store.put(
                f"{at:02}", "1", passages_of(f"Lunch {'free ' * (at % 7)} month{rare}."), None
            )
        best = texts(store.matching("free lunch badge", k=1))
        monkeypatch.setattr(sqlite, "_MOST_RANKED", 10)
        assert texts(store.matching("free lunch badge", k=5)) == best
        assert len(store.matching("free lunch", k=5)) == 5  # with the rarer of the two


class Model(RuleBasedStateMachine):
    """A store and a dictionary, changed in the same way; now and then another store opens."""

    ids = Bundle("ids")

    def __init__(self) -> None:
        super().__init__()
        from tempfile import TemporaryDirectory

        self.folder = TemporaryDirectory()
        self.path = Path(self.folder.name) / "passages.db"
        self.stores = [SQLiteStore(self.path), SQLiteStore(self.path)]
        self.known: dict[str, list[tuple[str, int]]] = {}

    @rule(
        target=ids,
        source_id=st.sampled_from("abcde"),
        passages=st.lists(st.tuples(st.sampled_from(WORDS[:8]), st.integers(0, 3)), max_size=6),
        which=st.integers(0, 1),
    )
    def put(self, source_id: str, passages: list[tuple[str, int]], which: int) -> str:
        self.stores[which].put(
            source_id,
            str(len(passages)),
            passages_of(*(word for word, _ in passages)),
            axes(*(axis for _, axis in passages)),
        )
        self.known[source_id] = passages
        return source_id

    @rule(source_ids=st.sets(consumes(ids), max_size=2), which=st.integers(0, 1))
    def delete(self, source_ids: Collection[str], which: int) -> None:
        self.stores[which].delete(source_ids)
        for source_id in source_ids:
            self.known.pop(source_id, None)

    @rule(source_id=ids, which=st.integers(0, 1))
    def change_and_undo(self, source_id: str, which: int) -> None:
        file = LibraryFile(self.path)
        store = SQLiteStore(file)
        with pytest.raises(KeyError), file.writing():  # noqa: PT012
            store.put(source_id, "x", passages_of("lunch"), axes(0))
            store.nearest(axes(0)[0], k=3)
            raise KeyError
        assert_as_known(store, self.known)
        file.close()

    @rule(which=st.integers(0, 1))
    def open_again(self, which: int) -> None:
        self.stores[which].close()
        self.stores[which] = SQLiteStore(self.path)

    @invariant()
    def every_store_has_what_is_known(self) -> None:
        for store in self.stores:
            assert_as_known(store, self.known)

    def teardown(self) -> None:
        for store in self.stores:
            store.close()
        self.folder.cleanup()


def assert_as_known(store: SQLiteStore, known: dict[str, list[tuple[str, int]]]) -> None:
    assert store.versions() == {each: str(len(passages)) for each, passages in known.items()}
    assert len(store) == sum(map(len, known.values()))
    near = store.nearest(axes(1)[0], k=100)
    assert [(each.score > 0.5, each.span.source_id, each.span.start) for each in near] == sorted(
        (
            (axis == 1, source_id, passage.start)
            for source_id, passages in known.items()
            for passage, (_, axis) in zip(
                passages_of(*(word for word, _ in passages)), passages, strict=True
            )
        ),
        key=lambda each: (not each[0], *each[1:]),
    )
    assert sorted(texts(store.matching("lunch", k=100))) == [
        word for passages in known.values() for word, _ in passages if word == "lunch"
    ]


TestModel = Model.TestCase
TestModel.settings = settings(max_examples=10, stateful_step_count=12, deadline=None)


def test_a_file_that_was_given_open_stays_open(path: Path) -> None:
    file = LibraryFile(path)
    SQLiteStore(file).close()
    assert len(SQLiteStore(file)) == 0
    file.close()
