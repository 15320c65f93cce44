"""Sources out of records, documents of other libraries, and dataframes."""

from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import pandas
import pytest

from citeguard import InvalidSourcesError, Source, Sources
from rows import each_row

TEXT = "Notice is one month."


@dataclass
class LangChainDocument:
    """What `langchain_core.documents.Document` has."""

    page_content: str
    metadata: dict[str, Any] = field(default_factory=dict[str, Any])
    id: str | None = None


class LlamaIndexNode:
    """What `llama_index.core.schema.TextNode` has: `id` is no attribute, `get_content` is one."""

    def __init__(self, text: str, node_id: str, metadata: dict[str, Any]) -> None:
        self.text, self.node_id, self.metadata = text, node_id, metadata

    def get_content(self) -> str:
        return self.text


@dataclass
class LlamaIndexHit:
    """What `NodeWithScore` has."""

    node: LlamaIndexNode
    score: float = 0.5


@dataclass
class HaystackDocument:
    """What `haystack.Document` has."""

    content: str
    id: str
    meta: dict[str, Any]


def facts(source: Source) -> tuple[str, str, str | None, str | None]:
    return source.id, source.text, source.title, source.url


class TestRecords:
    @each_row(
        ("given", "read"),
        [
            ({"text": TEXT}, ("1", TEXT, None, None)),
            ({"id": 7, "text": TEXT}, ("7", TEXT, None, None)),
            (
                {"id": "a", "content": TEXT, "title": "T", "url": "https://example.org"},
                ("a", TEXT, "T", "https://example.org"),
            ),
            (
                {"text": TEXT, "metadata": {"source": "https://example.org/x"}},
                ("1", TEXT, None, "https://example.org/x"),
            ),
            (LangChainDocument(TEXT, {"source": "a.pdf"}), ("1", TEXT, "a.pdf", None)),
            (LangChainDocument(TEXT, {"title": "T"}, id="x"), ("x", TEXT, "T", None)),
            (
                LlamaIndexHit(LlamaIndexNode(TEXT, "n1", {"file_name": "b.pdf"})),
                ("n1", TEXT, "b.pdf", None),
            ),
            (
                HaystackDocument(TEXT, "h1", {"url": "https://x.org"}),
                ("h1", TEXT, None, "https://x.org"),
            ),
        ],
    )
    def test_are_read(self, given: Any, read: tuple[str, str, str | None, str | None]) -> None:
        (source,) = Sources([given])
        assert facts(source) == read

    @each_row(
        ("given", "read"),
        [
            ({"id": "a", "text": TEXT}, ("a", TEXT, None, None)),
            ({"page_content": TEXT, "metadata": {"title": "T"}}, ("1", TEXT, "T", None)),
            ({"title": "T", "content": TEXT, "url": None}, ("1", TEXT, "T", None)),
            (LangChainDocument(TEXT, id="x"), ("x", TEXT, None, None)),
            ({"id": "a", "text": TEXT, "score": 0.5}, ("a", TEXT, None, None)),
            ({"id": None, "page_content": TEXT, "type": "Document"}, ("1", TEXT, None, None)),
        ],
    )
    def test_need_no_list_if_there_is_one(
        self, given: Any, read: tuple[str, str, str | None, str | None]
    ) -> None:
        (source,) = Sources(given)
        assert facts(source) == read

    def test_are_not_texts_by_such_ids(self) -> None:
        assert Sources({"text": TEXT}).ids == ("text",)
        assert Sources({"text": TEXT, "appendix": "Lunch is free."}).ids == ("text", "appendix")

    @each_row(
        ("given", "message"),
        [
            (
                {"body": TEXT, "id": 1},
                "source '1': it must have its text, a string, in 'text' or 'page_content' or "
                "'content'; got a dict with the keys 'body', 'id'",
            ),
            (
                {},
                "source '1': it must have its text, a string, in 'text' or 'page_content' or "
                "'content'; got a dict with the keys none",
            ),
            ({"text": float("nan"), "id": 1}, "source '1': its text must be a string, not float"),
            (
                LangChainDocument(None),
                "source '1': its text must be a string, not LangChainDocument",
            ),  # type: ignore[arg-type]
        ],
    )
    def test_without_a_text_are_an_error(self, given: Any, message: str) -> None:
        with pytest.raises(InvalidSourcesError) as caught:
            Sources([given])
        assert str(caught.value) == message


class TestDataframes:
    @pytest.mark.parametrize("library", ["pandas", "polars"])
    def test_have_a_source_in_each_row(self, library: str) -> None:
        frames = import_module(library)
        frame = frames.DataFrame(
            {"id": ["a", "b"], "text": [TEXT, "Lunch is free."], "title": ["Rules", None]}
        )
        assert [facts(source) for source in Sources(frame)] == [
            ("a", TEXT, "Rules", None),
            ("b", "Lunch is free.", None, None),
        ]

    def test_must_have_rows(self) -> None:
        lazy = import_module("polars").LazyFrame({"text": [TEXT]})
        with pytest.raises(InvalidSourcesError, match="not LazyFrame"):
            Sources(lazy)


class TestMissingIds:
    @pytest.mark.parametrize("missing", [float("nan"), None, pandas.NA, pandas.NaT])
    def test_are_numbers(self, missing: Any) -> None:
        records = [{"id": "a", "text": TEXT}, {"id": missing, "text": TEXT}]
        assert Sources(records).ids == ("a", "2")

    def test_leave_the_other_numbers_whole(self) -> None:
        frame = pandas.DataFrame({"id": [7, None], "text": [TEXT, TEXT]})
        assert Sources(frame).ids == ("7", "2")
