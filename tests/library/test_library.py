"""Documents of a library: added, updated, removed, found again."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from citeguard import CiteguardError, Source, Sources, UnknownSourceError
from citeguard.library.catalogue import Catalogue, StoredQuestion
from citeguard.library.library import Library
from citeguard.library.stores.sqlite import SQLiteStore
from citeguard.retrieval.passages import DefaultPassages
from citeguard.retrieval.ranking import DenseRetriever
from rows import each_row


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "docs.db"


@pytest.fixture
def library(path: Path) -> Iterator[Library]:
    with Library(path) as opened:
        yield opened


def stored(question: str, quote: str, source_id: str) -> StoredQuestion:
    citation = {"quote": quote, "source_id": source_id}
    answer = {"statements": [{"text": quote, "citations": [citation]}]}
    return StoredQuestion(question=question, answer=answer, source_id=source_id)


def texts(library: Library, query: str, **options: Any) -> list[str]:
    return [passage.text for passage in library.search(query, **options)]


class TestAdding:
    def test_what_is_added_is_found_by_another_process(self, path: Path) -> None:
        with Library(path) as library:
            library.add({"faq": "Lunch is free."})
        program = f"from citeguard import Library; print(Library({str(path)!r}).search('lunch'))"
        run = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=True
        )
        assert "Lunch is free." in run.stdout

    def test_the_same_content_is_left_as_it_is(self, library: Library) -> None:
        library.add({"a": "Lunch is free.", "b": "Parking is not."})
        changes = library.add({"a": "Lunch is free.", "b": "Parking is free.", "c": "New text."})
        assert (changes.added, changes.updated, changes.unchanged) == (("c",), ("b",), ("a",))
        assert texts(library, "parking") == ["Parking is free."]
        with pytest.raises(CiteguardError, match=r"a text is added as \{'id': text\}"):
            library.add("Lunch is free on Fridays.")
        assert len(library) == 3
        assert [info.source_id for info in library.documents(most=2)] == ["a", "b"]

    def test_files_have_their_names_as_ids_and_paths_if_taken(
        self, library: Library, tmp_path: Path
    ) -> None:
        for folder in ("one", "two"):
            (tmp_path / folder).mkdir()
            (tmp_path / folder / "report.txt").write_text(f"This is report {folder}.")
        first = library.add(tmp_path / "one")
        second = library.add([tmp_path / "one", tmp_path / "two" / "report.txt"])
        assert first.added == ("report",)
        assert second.unchanged == ("report",)
        assert second.added == ((tmp_path / "two" / "report.txt").as_posix(),)
        (tmp_path / "two" / "report.txt").write_text("This is another report.")
        assert library.add(tmp_path / "two").updated == second.added

    def test_a_file_that_cannot_be_read_does_not_stop_a_folder(
        self, library: Library, tmp_path: Path
    ) -> None:
        (tmp_path / "a.pdf").write_bytes(b"no PDF")
        (tmp_path / "b.txt").write_text("Lunch is free.")
        changes = library.add(tmp_path)
        assert changes.added == ("b",)
        assert [Path(each).name for each in changes.failed] == ["a.pdf"]
        with pytest.raises(CiteguardError, match=r"a\.pdf"):
            library.add(tmp_path / "a.pdf")
        paths = [tmp_path / "a.pdf", tmp_path / "none", tmp_path / "b.txt"]
        changes = library.add(paths, strict=False)
        assert changes.unchanged == ("b",)
        assert [Path(each).stem for each in changes.failed] == ["a", "none"]

    def test_no_file_takes_the_place_of_another(
        self, library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        kept: dict[str, str] = {}
        for folder in ("one", "two", "three"):
            (tmp_path / folder / "docs").mkdir(parents=True)
            monkeypatch.chdir(tmp_path / folder)
            Path("docs/fee.txt").write_text(f"The fee is that of {folder}.")
            Path("docs/all.json").write_text(json.dumps({"fee": f"In JSON, {folder}."}))
            for path in ("docs/fee.txt", "docs/all.json", "docs"):
                changes = library.add(path)
                assert changes.updated == ()
                kept |= {each: library.source(each).text for each in changes.added}
        assert len(kept) == len(library) == 6
        assert {each: library.source(each).text for each in kept} == kept
        Path("docs/all.json").write_text(json.dumps({"fee": "Another one."}))
        [changed] = library.add("docs").updated
        assert library.source(changed).text == "Another one."
        assert kept[changed] == "In JSON, three."

    def test_a_file_is_the_same_however_its_path_is_written(
        self, library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "docs").mkdir()
        (tmp_path / "docs" / "fee.txt").write_text("The fee is five euros.")
        (tmp_path / "link").symlink_to(tmp_path / "docs")
        monkeypatch.chdir(tmp_path / "docs")
        library.add(tmp_path / "docs")
        for at, path in enumerate(("../docs/fee.txt", "../link/fee.txt", "fee.txt")):
            Path("fee.txt").write_text(f"The fee is {at} euros.")
            assert library.add(path).updated == ("fee",)
        Path("fee.txt").unlink()
        Path("pay.txt").write_text("Salaries are paid in May.")
        assert library.update("../link").removed == ("fee",)

    def test_a_file_that_was_moved_keeps_its_document(
        self, library: Library, tmp_path: Path
    ) -> None:
        (tmp_path / "old").mkdir()
        (tmp_path / "old" / "fee.txt").write_text("The fee is five euros.")
        library.add(tmp_path / "old")
        (tmp_path / "old").rename(tmp_path / "new")
        assert library.add(tmp_path / "new").unchanged == ("fee",)
        (tmp_path / "new" / "fee.txt").write_text("The fee is six euros.")
        assert library.add(tmp_path / "new").updated == ("fee",)

    def test_nothing_of_a_document_is_kept_if_it_cannot_be_embedded(self, path: Path) -> None:
        def fails(texts: Any) -> Any:
            raise ValueError("no memory")

        with Library(path, embedder=fails) as library:
            with pytest.raises(ValueError, match="no memory"):
                library.add({"faq": "Lunch is free."})
            assert "faq" not in library
            assert library.documents() == []


class TestUpdating:
    def test_files_that_are_gone_are_removed(self, library: Library, tmp_path: Path) -> None:
        folder = tmp_path / "folder"
        folder.mkdir()
        for name in ("a", "b", "c"):
            (folder / f"{name}.txt").write_text(f"This is text {name}.")
        library.add({"other": "This is another text."})
        library.update(folder)
        (folder / "a.txt").unlink()
        (folder / "b.txt").write_text("This is a new text.")
        changes = library.update(folder)
        assert (changes.removed, changes.updated, changes.unchanged) == (("a",), ("b",), ("c",))
        assert sorted(info.source_id for info in library.documents()) == ["b", "c", "other"]

    def test_a_file_that_can_no_longer_be_read_is_kept(
        self, library: Library, tmp_path: Path
    ) -> None:
        folder = tmp_path / "folder"
        folder.mkdir()
        (folder / "a.txt").write_text("Lunch is free.")
        (folder / "b.txt").write_text("Parking is not.")
        library.update(folder)
        (folder / "a.txt").write_text("")
        changes = library.update(folder)
        assert changes.removed == ()
        assert len(changes.failed) == 1
        assert texts(library, "lunch") == ["Lunch is free."]

    def test_sources_leave_what_was_read_from_files(self, library: Library, tmp_path: Path) -> None:
        (tmp_path / "fee.txt").write_text("The fee is five euros.")
        library.add(tmp_path / "fee.txt")
        library.add({"a": "One text."})
        assert library.update({"b": "Two texts."}).removed == ("a",)
        assert "fee" in library

    def test_what_a_file_of_json_no_longer_has_is_removed(
        self, library: Library, tmp_path: Path
    ) -> None:
        file = tmp_path / "all.json"
        file.write_text(json.dumps({"x": "Lunch is free.", "y": "Parking is not."}))
        library.update(tmp_path)
        library.add({"z": "Salaries are paid in May."})
        file.write_text(json.dumps({"x": "Lunch is free."}))
        assert library.update(tmp_path).removed == ("y",)
        file.write_text("{")
        assert library.update(tmp_path).removed == ()
        assert sorted(info.source_id for info in library.documents()) == ["x", "z"]

    def test_a_folder_without_files_may_be_a_disk_that_is_away(
        self, library: Library, tmp_path: Path
    ) -> None:
        (tmp_path / "fee.txt").write_text("The fee is five euros.")
        library.update(tmp_path)
        (tmp_path / "fee.txt").unlink()
        with pytest.raises(CiteguardError, match="remove their documents by their ids"):
            library.update(tmp_path)
        assert library.update([str(tmp_path)], strict=False).removed == ()
        assert "fee" in library

    def test_what_was_given_with_an_id_is_not_a_file_any_more(
        self, library: Library, tmp_path: Path
    ) -> None:
        file = tmp_path / "all.json"
        file.write_text(json.dumps({"x": "Lunch is free.", "y": "Parking is not."}))
        library.update(file)
        library.add({"x": "Lunch is free."})
        file.write_text(json.dumps({"y": "Parking is not."}))
        assert library.update(file).removed == ()


def uncited(**citation: Any) -> list[StoredQuestion]:
    statements = [{"text": "Now.", "citations": [{"quote": "x", **citation}]}]
    return [StoredQuestion(question="When?", answer={"statements": statements})]


class Silent:
    async def answer(self, *_: Any) -> Any:
        return None


WRONG: list[tuple[str, Callable[[Any], Any]]] = [
    ("expected a PassageStore", lambda _: Library(store="qdrant")),
    ("expected", lambda _: Library(store=SQLiteStore)),
    ("expected", lambda _: Library(passages=3)),
    ("expected", lambda _: Library(answerer="gpt")),
    ("expected", lambda _: Library(answerer=Library)),
    ("the library has no document", lambda library: library.source(None)),
    ("the library has no document", lambda library: library.source(["a"])),
    ("remove: expected a list of strs", lambda library: library.remove(3)),
    ("remove: expected a list of strs", lambda library: library.remove(["a"])),
    ("empty", lambda library: library.ask("  ")),
    ("question", lambda library: library.ask("\ud800")),
    ("k", lambda library: library.ask("Lunch?", k=0)),
    ("threshold", lambda library: library.ask("Lunch?", threshold=1.5)),
    ("answerer", lambda library: library.ask("Lunch?", answerer=3)),
    ("expected an Answer, got None", lambda library: library.ask("Lunch?", answerer=Silent())),
    ("history: expected a list of Messages", lambda library: library.ask("Lunch?", history="?")),
    ("history: expected a list of Messages", lambda library: library.ask("Lunch?", history=None)),
    ("history: expected a list of Messages", lambda library: library.ask("Lunch?", history=["?"])),
    *(
        (message, lambda library, name=name, ids=ids: getattr(library, name)("Hi?", source_ids=ids))
        for name in ("search", "ask", "stored_questions")
        for ids, message in (
            (["a", "b"], "no document 'b'"),
            ("a", "source_ids: expected"),
            ([3], "source_ids: expected"),
        )
    ),
    ("question", lambda library: library.chat().ask("\ud800")),
    ("chat_id", lambda library: library.chat("\ud800")),
    ("chat_id", lambda library: library.chat(3)),
    ("chat", lambda library: library.messages("\ud800")),
    ("chat", lambda library: library.delete_chat([1])),
    ("expected", lambda library: library.state_of({"a": 1})),
    ("expected", lambda library: library.add_messages(library.chat().id, [1])),
    ("source", lambda library: library.restore({"a": "A text."}, version="1")),
    ("version", lambda library: library.restore(Source("a", "A text."), version=1)),
    ("question", lambda library: library.is_same_question(3, stored("Q?", "A.", "a"))),
    ("stored", lambda library: library.is_same_question("Q?", "A.")),
    ("progress", lambda library: library.rebuild(progress=3)),
    ("expected a list of Stored", lambda library: library.add_questions(stored("Q?", "A.", "a"))),
    ("a question is empty", lambda library: library.add_questions([stored(" ", "A.", "a")])),
    ("got one with a dict", lambda library: library.add_questions([{"question": "When?"}])),
    ("cites no document", lambda library: library.add_questions(uncited())),
    ("cites no document", lambda library: library.add_questions(uncited(source_id=None))),
]


@each_row(("message", "call"), WRONG)
def test_wrong_arguments_are_named(
    library: Library, message: str, call: Callable[[Any], Any]
) -> None:
    library.add({"a": "Lunch is free."})
    with pytest.raises(CiteguardError, match=message):
        call(library)
    assert "a" in library


def test_a_removed_document_goes_with_all_that_is_its_own(library: Library) -> None:
    library.add({"faq": "Lunch is free.", "other": "Parking is not."})
    library.remove("faq")
    assert texts(library, "lunch") == []
    assert "faq" not in library
    with pytest.raises(UnknownSourceError):
        library.source("faq")
    with pytest.raises(UnknownSourceError):
        library.remove("other", "nope")
    assert "other" in library


class TestSearching:
    def test_words_and_meaning_are_fused(self, path: Path) -> None:
        def embedder(texts: Any) -> Any:
            return [[("unch" in each) + ("meal" in each), 0.1] for each in texts]

        with Library(path, embedder=embedder) as library:
            library.add({"a": "Lunch is free.", "b": "Parking costs money."})
            assert texts(library, "a midday meal", k=1) == ["Lunch is free."]

    def test_another_embedder_is_an_error(self, path: Path) -> None:
        def one(texts: Any) -> Any:
            return np.ones((len(texts), 3))

        def other(texts: Any) -> Any:
            return np.ones((len(texts), 4))

        with Library(path, embedder=one) as library:
            library.add({"a": "Lunch is free."})
        with pytest.raises(CiteguardError, match="one"):
            Library(path, embedder=other)

    def test_a_document_without_vectors_does_not_join_those_that_have_some(
        self, path: Path
    ) -> None:
        def embedder(texts: Any) -> Any:
            return np.eye(2)[[len(text) % 2 for text in texts]]

        with Library(path, embedder=embedder) as library:
            library.add({"lunch": "Lunch is free."})
        with Library(path) as plain:
            assert texts(plain, "lunch") == ["Lunch is free."]  # words need no embedder
            with pytest.raises(CiteguardError, match="the documents of this library have vectors"):
                plain.add({"parking": "Parking is free."})
            plain.remove("lunch")
            assert plain.add({"parking": "Parking is free."}).added == ("parking",)

    def test_documents_get_vectors_that_a_library_was_made_without(self, path: Path) -> None:
        def embedder(texts: Any) -> Any:
            return np.eye(2)[[int("free" in text or "gratis" in text) for text in texts]]

        with Library(path) as plain:
            plain.add({"lunch": "Lunch is free.", "parking": "Parking costs 20 euros."})
            plain.add_questions([stored("What is free?", "Lunch is free.", "lunch")])
            added = [info.added_at for info in plain.documents()]
        with Library(path, embedder=embedder) as library:
            refusals: list[Callable[[], object]] = [
                lambda: library.search("gratis"),
                lambda: library.ask("gratis"),
                lambda: library.add({"new": "Notice is one month."}),
            ]
            for refused in refusals:
                with pytest.raises(CiteguardError, match=r"no vectors.*call rebuild\(\) once"):
                    refused()
            library.rebuild()
            assert texts(library, "gratis", k=1) == ["Lunch is free."]
            [question] = library.stored_questions("gratis")
            assert question.question == "What is free?"
            assert [info.added_at for info in library.documents()] == added

    def test_a_rebuild_that_was_interrupted_is_not_taken_for_a_whole_one(self, path: Path) -> None:
        failing = True

        def embedder(texts: Any) -> Any:
            if failing and "Parking" in texts[0]:
                raise ValueError("no memory")
            return np.ones((len(texts), 2))

        with Library(path) as plain:
            plain.add({"lunch": "Lunch is free.", "parking": "Parking costs 20 euros."})
        with Library(path, embedder=embedder) as library:
            with pytest.raises(ValueError, match="no memory"):
                library.rebuild()
            with pytest.raises(CiteguardError, match="call rebuild"):
                library.search("lunch")
            failing = False
            library.rebuild()
            assert len(texts(library, "lunch")) == 2

    def test_a_rebuild_leaves_what_changes_meanwhile(self, path: Path) -> None:
        with Library(path) as library, Library(path) as other:
            library.add({"a": "The old text.", "b": "Another text.", "c": "A third one."})

            class Interrupted(DefaultPassages):
                def intervals(self, source: Source) -> Any:
                    if source.text == "The old text.":
                        other.add({"a": "The new text."})
                        other.remove("b", "c")
                    return super().intervals(source)

            with Library(path, passages=Interrupted()) as slow:
                slow.rebuild()
            assert [info.source_id for info in library.documents()] == ["a"]
            assert texts(library, "text") == ["The new text."]


class TestStoreOutsideTheFile:
    @pytest.fixture
    def shared(self, tmp_path: Path) -> Path:
        return tmp_path / "passages.db"

    def test_what_a_killed_process_left_there_is_deleted(
        self, path: Path, shared: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with Library(path, store=SQLiteStore(shared)) as library:
            library.add({"lunch": "Lunch is free."})
            with monkeypatch.context() as patched:
                patched.setattr(Catalogue, "put", raise_interrupt)
                with pytest.raises(KeyboardInterrupt):
                    library.add({"parking": "Parking is free."})
        assert list(SQLiteStore(shared).versions()) == ["lunch", "parking"]
        with Library(path, store=SQLiteStore(shared)) as library:
            assert texts(library, "free") == ["Lunch is free."]
        assert list(SQLiteStore(shared).versions()) == ["lunch"]

    def test_that_of_another_library_is_left_as_it_is(self, path: Path, shared: Path) -> None:
        with Library(path, store=SQLiteStore(shared)) as library:
            library.add({"lunch": "Lunch is free."})
        with pytest.raises(CiteguardError, match="such as 'lunch'; give each library a prefix"):
            Library(path.with_name("other.db"), store=SQLiteStore(shared))
        assert list(SQLiteStore(shared).versions()) == ["lunch"]


def raise_interrupt(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


class Broken:
    """A retriever, an embedder, a store and an answerer that all raise."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def fail(self, *_: object, **__: object) -> Any:
        raise self.error

    __call__ = search = put = delete = nearest = matching = __len__ = fail

    def versions(self) -> dict[str, str]:
        return {}

    def close(self) -> None: ...

    async def answer(self, *_: object) -> Any:
        raise self.error


def use_library(name: str, given: Any, **options: Any) -> None:
    with Library(**options) as library:
        if "answerer" in options:
            library.add({"faq": "Lunch is free."})
        getattr(library, name)(given)


@pytest.mark.parametrize(
    "use",
    [
        lambda each: Sources("Lunch is free.").search("lunch", retriever=each),
        lambda each: Sources("Lunch is free.").search("lunch", retriever=DenseRetriever(each)),
        lambda each: use_library("add", {"faq": "Lunch is free."}, embedder=each),
        lambda each: use_library("search", "lunch", store=each),
        lambda each: use_library("ask", "lunch", store=each),
        lambda each: use_library("ask", "Is lunch free?", answerer=each),
    ],
    ids=["retriever", "embedder", "embedder of a library", "store", "asked store", "answerer"],
)
class TestObjectsOfTheUser:
    @pytest.mark.parametrize("kind", [AssertionError, StopIteration])
    def test_a_mistake_in_their_code_is_one_of_the_setup(
        self, use: Callable[[Any], object], kind: type[Exception]
    ) -> None:
        error = kind("mine")
        with pytest.raises(CiteguardError, match=f"raised {kind.__name__}: '?mine") as caught:
            use(Broken(error))
        cause: Any = caught.value.__cause__
        assert error in (cause, cause.__cause__)

    def test_their_failures_are_raised_as_they_are(self, use: Callable[[Any], object]) -> None:
        with pytest.raises(TimeoutError, match="late"):
            use(Broken(TimeoutError("late")))


def test_a_library_without_a_path_leaves_nothing_behind() -> None:
    with Library() as library:
        library.add({"faq": "Lunch is free."})
        folder = Path(repr(library).split("'")[1]).parent
        assert os.listdir(folder)
    assert not folder.exists()
