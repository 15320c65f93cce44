"""Documents, stored questions and chats in the file of a library."""

import tracemalloc
import zlib
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from citeguard import CiteguardError, UnknownSourceError
from citeguard.library.catalogue import Catalogue, StoredQuestion
from citeguard.library.database import LibraryFile
from citeguard.library.reply import Message
from citeguard.sources.collection import Source
from conftest import PAPER
from rows import each_row

FAQ = Source("faq", "Lunch is free.", title="Questions", url="https://example.org/faq")


@pytest.fixture
def catalogue(tmp_path: Path) -> Iterator[Catalogue]:
    file = LibraryFile(tmp_path / "docs.db")
    yield Catalogue(file)
    file.close()


def asked(question: str, source_id: str = "") -> StoredQuestion:
    return StoredQuestion(question=question, answer={"statements": []}, source_id=source_id)


def similar(catalogue: Catalogue, query: str, vector: Any = None, **options: Any) -> list[str]:
    found = catalogue.similar_questions(query, vector, k=4, **options)
    return [each.question for each in found]


class TestDocuments:
    def test_come_back_as_they_were(self, catalogue: Catalogue) -> None:
        catalogue.put(FAQ, version="1", passages=1, origin="/docs/faq.txt")
        assert catalogue.document("faq") == FAQ
        assert catalogue.document("faq").layout is None
        [info] = catalogue.documents()
        assert info == catalogue.info("faq")
        assert (info.title, info.url, info.kind, info.characters, info.passages, info.origin) == (
            *("Questions", "https://example.org/faq", "text", 14, 1, "/docs/faq.txt"),
        )
        assert datetime.now(UTC) - info.added_at < timedelta(minutes=10)

    def test_of_pdf_files_keep_their_pages_and_the_file(
        self, catalogue: Catalogue, paper: Source
    ) -> None:
        catalogue.put(paper, version="1", passages=9)
        read = catalogue.document(paper.id)
        assert (read, read.layout) != (paper, None)[::-1]
        for source in (paper, read):
            assert source.layout is not None
            assert source.layout.file == PAPER.read_bytes()
        assert read.layout is not None
        assert paper.layout is not None
        assert read.layout.pages == paper.layout.pages
        assert read.layout.headings == paper.layout.headings
        assert read.layout.boxes(1_000, 1_100) == paper.layout.boxes(1_000, 1_100)
        assert catalogue.documents()[0].kind == "pdf"

    def test_take_the_place_of_others_and_keep_their_questions(self, catalogue: Catalogue) -> None:
        catalogue.put(FAQ, version="1", passages=1)
        catalogue.add_questions([asked("Is lunch free?", "faq")], None)
        catalogue.put(Source("faq", "Lunch costs."), version="2", passages=1)
        assert catalogue.document("faq").text == "Lunch costs."
        assert catalogue.versions() == {"faq": "2"}
        assert len(catalogue.questions()) == 1

    def test_are_deleted_with_their_questions(self, catalogue: Catalogue) -> None:
        catalogue.put(FAQ, version="1", passages=1)
        catalogue.add_questions([asked("Is lunch free?", "faq"), asked("Where is lunch?")], None)
        catalogue.delete(["faq", "missing"])
        assert (catalogue.documents(), catalogue.info("faq")) == ([], None)
        assert similar(catalogue, "lunch") == ["Where is lunch?"]
        with pytest.raises(UnknownSourceError, match="no document 'faq'"):
            catalogue.document("faq")

    @each_row(
        ("column", "value"),
        [
            ("data", b"0"),
            ("data", zlib.compress(b"{}")[:-1]),
            ("file", "/docs/private.pdf"),
        ],
        ids=["no data", "cut off", "path for a file"],
    )
    def test_that_are_damaged_are_reported(
        self, catalogue: Catalogue, column: str, value: object
    ) -> None:
        catalogue.put(FAQ, version="1", passages=1)
        with catalogue.file.writing() as connection:
            connection.execute(f"UPDATE documents SET {column} = ?", (value,))
        with pytest.raises(CiteguardError, match="document 'faq' is damaged; add it again"):
            catalogue.document("faq")

    def test_that_inflate_take_little_memory(self, catalogue: Catalogue) -> None:
        catalogue.put(FAQ, version="1", passages=1)
        with catalogue.file.writing() as connection:
            data = zlib.compress(b" " * 2 * 10**8)
            connection.execute("UPDATE documents SET data = ?", (data,))
        tracemalloc.start()
        try:
            with pytest.raises(CiteguardError, match="document 'faq' is damaged"):
                catalogue.document("faq")
            assert tracemalloc.get_traced_memory()[1] < 1.9e8
        finally:
            tracemalloc.stop()

    def test_give_their_file_in_pieces_of_one_version(
        self, catalogue: Catalogue, paper: Source
    ) -> None:
        catalogue.put(paper, version="1", passages=9)
        size, pieces = catalogue.file_pieces(paper.id)
        assert size == PAPER.stat().st_size
        assert b"".join(pieces) == PAPER.read_bytes()
        _, pieces = catalogue.file_pieces(paper.id)
        assert len(next(pieces)) < size
        catalogue.put(paper, version="2", passages=9)
        with pytest.raises(CiteguardError, match="was replaced while it was read"):
            next(pieces)


class TestQuestions:
    def test_come_back_as_they_were(self, catalogue: Catalogue) -> None:
        catalogue.put(FAQ, version="1", passages=1)
        given = StoredQuestion(
            question="Is lunch free?",
            answer={"statements": [{"text": "Yes.", "citations": []}]},
            source_id="faq",
            headings=("Food", "Lunch"),
        )
        catalogue.add_questions([given], None)
        [kept] = catalogue.questions()
        assert kept == given.model_copy(update={"id": kept.id})

    def test_are_found_by_vectors_and_by_words_in_turn(self, catalogue: Catalogue) -> None:
        catalogue.put(FAQ, version="1", passages=1)
        listed = [asked("Is lunch free?", "faq"), asked("Is dinner free?"), asked("Who cooks?")]
        catalogue.add_questions(listed, np.eye(3, dtype=np.float32))
        assert similar(catalogue, "free dinners") == ["Is dinner free?", "Is lunch free?"]
        near = np.array([0.6, 0.0, 0.8], np.float32)
        expected = ["Who cooks?", "Is dinner free?", "Is lunch free?"]
        assert similar(catalogue, "free dinners", near) == expected
        assert similar(catalogue, "", near, source_ids=["faq"]) == ["Is lunch free?"]
        assert similar(catalogue, "free", source_ids=[""]) == ["Is dinner free?"]

    def test_are_kept_all_or_none(self, catalogue: Catalogue) -> None:
        with pytest.raises(UnknownSourceError, match="no document 'missing'"):
            catalogue.add_questions([asked("Is lunch free?"), asked("Why?", "missing")], None)
        assert catalogue.questions() == []
        assert similar(catalogue, "lunch") == []

    def test_name_the_documents_that_are_cited(self) -> None:
        citations = [
            {"quote": "Lunch", "source_id": None, "spans": [{"source_id": "b"}]},
            {"quote": "free", "source_id": "a"},
            {"quote": "Lunch", "source_id": "b"},
        ]
        question = StoredQuestion(
            question="Lunch?", answer={"statements": [{"text": "Free.", "citations": citations}]}
        )
        assert question.cited == ("b", "a")


def test_chats_the_latest_is_listed_first(catalogue: Catalogue) -> None:
    for name in ("a", "b"):
        catalogue.append(name, [Message(role="user", text="Lunch?")], title=name.upper())
    catalogue.append("a", [Message(role="assistant", text="Free.")])
    assert [(chat.id, chat.title) for chat in catalogue.chats()] == [("a", "A"), ("b", "B")]
    assert catalogue.chat("a") == catalogue.chats()[0]
    time = datetime(2026, 1, 1, tzinfo=UTC)
    catalogue.append("a", [Message(role="user", text="Why?", created_at=time)])
    [first, _, last] = catalogue.messages("a")
    assert first.created_at is not None
    assert last.created_at == time
    catalogue.delete_chat("a")
    assert (catalogue.chat("a"), catalogue.messages("a")) == (None, [])
