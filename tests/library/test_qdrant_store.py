"""`QdrantStore` in the client's local mode: what a broken put leaves, addresses, threads."""

from collections.abc import Iterator
from typing import Any

import pytest
from qdrant_client import QdrantClient

from citeguard import CiteguardError
from citeguard.library.stores.qdrant import QdrantStore
from library.stored import normalized, passages_of, places, random_vectors

OLD = passages_of("Lunch is free.", "Badges are red.")
NEW = passages_of("Lunch costs nothing.", "Badges are blue.", "Dinner is late.")


class FailingClient(QdrantClient):
    """A client that fails before one of its writes."""

    def __init__(self) -> None:
        super().__init__(":memory:")
        self.writes_left = 10**9

    def upsert(self, *args: Any, **options: Any) -> Any:
        self._count()
        return super().upsert(*args, **options)

    def delete(self, *args: Any, **options: Any) -> Any:
        self._count()
        return super().delete(*args, **options)

    def _count(self) -> None:
        if self.writes_left == 0:
            raise ConnectionError("the server is gone")
        self.writes_left -= 1


@pytest.fixture
def client() -> Iterator[FailingClient]:
    opened = FailingClient()
    yield opened
    opened.close()


class TestBrokenPut:
    # Before the passages, the document, and the removal of the old passages.
    @pytest.mark.parametrize(("writes", "texts"), [(0, OLD), (1, OLD), (2, NEW)])
    def test_leaves_the_document_whole(
        self, client: FailingClient, writes: int, texts: Any
    ) -> None:
        store = QdrantStore(client)
        store.put("faq", "1", OLD, random_vectors(2, 8))
        client.writes_left = writes
        with pytest.raises(CiteguardError, match="ConnectionError: the server is gone; check"):
            store.put("faq", "2", NEW, random_vectors(3, 8))
        again = QdrantStore(client)
        found = again.nearest(random_vectors(1, 8)[0], k=100)
        assert {each.text for each in found} == {each.text for each in texts}
        assert len(again) == len(texts)
        assert dict(again.versions()) == {"faq": "1" if texts is OLD else "2"}
        words = again.matching("lunch badges dinner", k=100)
        assert {each.text for each in words} == {each.text for each in texts}

    @pytest.mark.parametrize("writes", [0, 1, 2])
    def test_is_cleaned_up_by_the_next(self, client: FailingClient, writes: int) -> None:
        store = QdrantStore(client)
        store.put("faq", "1", OLD, None)
        client.writes_left = writes
        with pytest.raises(CiteguardError):
            store.put("faq", "2", NEW, None)
        client.writes_left = 10**9
        store.put("faq", "3", OLD[:1], None)
        assert client.count("citeguard").count == 2  # the passage and the document
        store.delete(["faq"])
        assert client.count("citeguard").count == 0

    def test_finds_enough_beside_many_that_are_not_whole(self, client: FailingClient) -> None:
        store = QdrantStore(client)
        store.put("faq", "1", OLD, normalized([1, 1], [1, 2]))
        client.writes_left = 1
        with pytest.raises(CiteguardError):
            store.put("other", "1", passages_of(*["Lunch."] * 50), normalized(*[[1, 0]] * 50))
        assert places(store.nearest(normalized([1, 0])[0], k=2)) == [("faq", 0), ("faq", 15)]


class TestOpening:
    def test_without_a_server(self) -> None:
        with pytest.raises(CiteguardError, match="check the address of the server, that it runs"):
            QdrantStore(QdrantClient("http://127.0.0.1:1", check_compatibility=False))

    def test_says_what_else_is_wrong(self) -> None:
        wrong: Any = 5
        with pytest.raises(CiteguardError, match="expected a QdrantClient, got int"):
            QdrantStore(wrong)
        with pytest.raises(CiteguardError, match=r"collection=\.\.\.\): expected a str, got int"):
            QdrantStore(QdrantClient(":memory:"), collection=wrong)

    def test_leaves_a_client_open(self, client: FailingClient) -> None:
        QdrantStore(client).close()
        assert client.get_collections().collections == []

    def test_collections_are_apart(self, client: FailingClient) -> None:
        one, other = QdrantStore(client), QdrantStore(client, collection="other")
        one.put("faq", "1", OLD, None)
        other.put("handbook", "1", NEW, None)
        assert (dict(one.versions()), len(other)) == ({"faq": "1"}, 3)
        assert repr(other) == "QdrantStore(collection='other')"


def test_a_longer_passage_counts_less() -> None:
    store = QdrantStore(QdrantClient(":memory:"))
    long = f"Lunch {' '.join(f'word{at}' for at in range(100))}."
    store.put("faq", "1", passages_of(long, "Lunch is free.", "Badges."), None)
    assert places(store.matching("lunch", k=2)) == [("faq", len(long) + 1), ("faq", 0)]
    store.close()
