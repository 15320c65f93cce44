"""`PgVectorStore` against a real server: its rights, versions, restarts, writers, index."""

import multiprocessing
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from citeguard import CiteguardError
from citeguard.library.stores.postgres import PgVectorStore
from library.postgres_server import PostgresServer, running_postgres
from library.stored import normalized, passages_of, places, random_vectors

pytestmark = pytest.mark.postgres


@pytest.fixture
def store(database: str) -> Iterator[PgVectorStore]:
    opened = PgVectorStore(database)
    yield opened
    opened.close()


@pytest.fixture
def breakable() -> Iterator[PostgresServer]:
    """A server that a test may stop or change."""
    with running_postgres() as server:
        yield server


class TestOpening:
    def test_again_changes_nothing(self, database: str, store: PgVectorStore) -> None:
        store.put("faq", "1", passages_of("Lunch is free."), None)
        for _ in range(3):
            other = PgVectorStore(database)
            assert dict(other.versions()) == {"faq": "1"}
            other.close()

    def test_at_the_same_time(self, database: str) -> None:
        with ThreadPoolExecutor(8) as pool:
            stores = list(pool.map(PgVectorStore, [database] * 8))
        for each in stores:
            assert len(each) == 0
            each.close()

    def test_prefixes_are_apart(self, database: str) -> None:
        stores = [PgVectorStore(database), PgVectorStore(database, prefix="other")]
        for at, each in enumerate(stores):
            each.put(f"document {at}", "1", passages_of("Lunch is free."), normalized([1, at]))
        for at, each in enumerate(stores):
            assert places(each.matching("lunch", k=5)) == [(f"document {at}", 0)]
            assert places(each.nearest(normalized([1, at])[0], k=5)) == [(f"document {at}", 0)]
            each.close()

    @pytest.mark.parametrize("name", ["", "x" * 41, "a\0b", "%s", "a; DROP", 'a"b', "{p}"])
    def test_takes_plain_names_that_postgres_does_not_cut(self, name: str) -> None:
        with pytest.raises(CiteguardError, match="must be a name of at most 40 letters"):
            PgVectorStore("", prefix=name)

    def test_says_what_else_is_wrong(self) -> None:
        with pytest.raises(CiteguardError, match="missing"):
            PgVectorStore("nonsense")

    def test_shows_no_password(self, database: str) -> None:
        store = PgVectorStore(database.replace("postgres@", "postgres:secret@"))
        assert repr(store) == "PgVectorStore(prefix='citeguard')"
        store.close()

    def test_without_a_server(self) -> None:
        with pytest.raises(
            CiteguardError, match="check the address, and that the server runs"
        ) as caught:
            PgVectorStore("postgresql://me:secret@127.0.0.1:1/library")
        assert "secret" not in str(caught.value)

    def test_without_the_database(self, postgres_server: PostgresServer) -> None:
        with pytest.raises(CiteguardError, match='database "nowhere" does not exist'):
            PgVectorStore(postgres_server.url("nowhere"))

    def test_without_rights(self, postgres_server: PostgresServer, database: str) -> None:
        name = database.rpartition("/")[2]
        postgres_server.execute("DROP ROLE IF EXISTS reader")
        postgres_server.execute("CREATE ROLE reader LOGIN")
        with pytest.raises(CiteguardError, match=r"have an administrator create the extension"):
            PgVectorStore(postgres_server.url(name, user="reader"))
        postgres_server.execute("CREATE EXTENSION vector", name)
        with pytest.raises(CiteguardError, match="permission denied for schema public; grant"):
            PgVectorStore(postgres_server.url(name, user="reader"))
        owner = PgVectorStore(database)
        owner.put("faq", "1", passages_of("Lunch is free."), normalized([1, 0]))
        owner.close()
        postgres_server.execute("GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader", name)
        reader = PgVectorStore(postgres_server.url(name, user="reader"))
        assert places(reader.matching("lunch", k=1)) == [("faq", 0)]
        assert places(reader.nearest(normalized([1, 0])[0], k=1)) == [("faq", 0)]
        with pytest.raises(CiteguardError, match="permission denied"):
            reader.put("faq", "2", [], None)
        reader.close()

    def test_with_pgvector_out_of_reach(
        self, postgres_server: PostgresServer, database: str
    ) -> None:
        name = database.rpartition("/")[2]
        postgres_server.execute("CREATE SCHEMA extensions", name)
        postgres_server.execute("CREATE EXTENSION vector SCHEMA extensions", name)
        with pytest.raises(CiteguardError, match="in a schema of the search_path"):
            PgVectorStore(database)
        store = PgVectorStore(f"{database}?options=-csearch_path%3Dpublic,extensions")
        store.put("faq", "1", passages_of("Lunch is free."), normalized([1, 0]))
        assert places(store.nearest(normalized([1, 0])[0], k=1)) == [("faq", 0)]
        store.close()

    def test_without_pgvector(self, breakable: PostgresServer) -> None:
        control = breakable.programs / "share" / "postgresql" / "extension" / "vector.control"
        control.rename(control.with_suffix(".gone"))
        with pytest.raises(CiteguardError, match="install pgvector"):
            PgVectorStore(breakable.url())

    def test_tables_that_are_gone(
        self, postgres_server: PostgresServer, database: str, store: PgVectorStore
    ) -> None:
        name = database.rpartition("/")[2]
        postgres_server.execute("DROP TABLE citeguard_passages", name)
        with pytest.raises(CiteguardError, match="gone or changed"):
            store.matching("lunch", k=1)  # not found before, as it has to be read


class TestRestarts:
    def test_of_the_server_are_not_noticed(self, breakable: PostgresServer) -> None:
        store = PgVectorStore(breakable.url())
        store.put("faq", "1", passages_of("Lunch is free."), None)
        for at_once in (True, False):
            breakable.stop(at_once=at_once)
            breakable.start()
            assert places(store.matching("lunch", k=1)) == [("faq", 0)]
            breakable.stop(at_once=at_once)
            breakable.start()
            store.put("handbook", "1", passages_of("Notice is one month."), None)
            assert len(store) == 2
        store.close()

    def test_a_server_that_stays_away(
        self, breakable: PostgresServer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("citeguard.library.stores.postgres._TIMEOUT", 2)
        store = PgVectorStore(breakable.url())
        breakable.stop()
        for _ in range(2):
            with pytest.raises(CiteguardError, match="check the address, and that the server runs"):
                len(store)
        breakable.start()
        assert len(store) == 0
        store.close()


def test_writers_of_several_processes_wait_for_each_other(
    database: str, store: PgVectorStore
) -> None:
    spawn = multiprocessing.get_context("spawn")
    writers = [spawn.Process(target=write, args=(database, seed)) for seed in range(4)]
    for each in writers:
        each.start()
    while any(each.is_alive() for each in writers):
        assert_whole(store, 5)
        time.sleep(0.02)
    assert [each.exitcode for each in writers] == [0] * 4
    assert len(store.versions()) == 10
    assert len(store) == 50
    assert_whole(store, 5)


def write(database: str, seed: int, rounds: int = 30) -> None:
    """Put ten documents of five passages, again and again, and delete some."""
    store = PgVectorStore(database)
    rng = np.random.default_rng(seed)
    for at in range(rounds):
        source_id = f"document {rng.integers(10)}"
        passages = passages_of(*[f"lunch {seed} {at}"] * 5)
        if rng.random() < 0.2:
            store.delete([source_id, f"document {rng.integers(10)}"])
        store.put(source_id, f"{seed} {at}", passages, random_vectors(5, 8, seed=at))
    for at in range(10):
        store.put(f"document {at}", "last", passages_of(*["lunch"] * 5), random_vectors(5, 8))
    store.close()


def assert_whole(store: PgVectorStore, count: int) -> None:
    """Require as many passages by words as by vectors, of each document all."""
    found = places(store.matching("lunch", k=100_000))
    documents = {source_id for source_id, _ in found}
    assert len(found) == count * len(documents)
