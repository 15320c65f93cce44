"""How often the sentence that bears on a query is found in documents with headings, by passages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from statistics import fmean

from citeguard.retrieval.passages import Passages, SectionPassages, TokenPassages, Windows
from citeguard.retrieval.ranking import BM25Retriever, DenseRetriever
from citeguard.retrieval.search import Retriever
from citeguard.sources.collection import Source, Sources
from citeguard.sources.layout import Heading, Layout

from ..tables import table
from .material import Item, embedder, groups, items

_SECTIONS = 10  # of a document
_WAYS: dict[str, tuple[Passages, int]] = {
    "3 sentences, over headings": (Windows(), 4),
    "3 sentences": (Windows(), 4),
    "sections": (SectionPassages(), 4),
    "sections, half as many": (SectionPassages(), 2),
    "tokens, half as many": (TokenPassages(), 2),
}
"""Passages, and how many are looked at."""

Section = tuple[str, str, Sequence[tuple[str, int, int]]]
"""A heading, the text below it, and queries, each with where in that text its answer stands."""


def lines(folder: Path, model: str) -> Iterator[str]:
    """Write the table of each data set: what is found, and how much text that takes."""
    for name, sections in (
        ("xquad_en: question → answer", _articles(items(folder, "xquad_en"))),
        ("clapnq: question → evidence", _passages(items(folder, "clapnq"), "question")),
        ("clapnq: answer → evidence", _passages(items(folder, "clapnq"), "statement")),
    ):
        documents = [_document(group) for group in groups(sections, _SECTIONS)]
        yield from table(
            f"{name}, in documents of {_SECTIONS} sections: recall",
            ("passages", "count", "BM25", "characters", "MiniLM", "characters"),
            (_row(way, documents, model) for way in _WAYS),
        )


Document = tuple[Source, Sequence[tuple[str, int, int]]]
"""A source with headings, and queries, each with where in it the answer stands."""


def _row(way: str, documents: Sequence[Document], model: str) -> list[object]:
    passages, k = _WAYS[way]
    retrievers: list[Retriever] = [
        BM25Retriever(passages=passages),
        DenseRetriever(embedder(model), passages=passages),
    ]
    cells: list[object] = [way, k]
    for retriever in retrievers:
        found = [
            each
            for source, queries in documents
            for each in _found(source, queries, retriever, k, flat="over" in way)
        ]
        cells.append(f"{fmean(hit for hit, _ in found):.1%}")
        cells.append(f"{fmean(length for _, length in found):,.0f}")
    return cells


def _found(
    source: Source,
    queries: Iterable[tuple[str, int, int]],
    retriever: Retriever,
    k: int,
    *,
    flat: bool,
) -> Iterator[tuple[bool, int]]:
    """Yield for each query whether it is answered, and the length of the passages found."""
    sources = Sources([Source(source.id, source.text) if flat else source])
    for query, start, end in queries:
        spans = [each.span for each in sources.search(query, k=k, retriever=retriever)]
        shared = (min(span.end, end) - max(span.start, start) for span in spans)
        yield max(shared, default=0) * 2 >= end - start, sum(s.end - s.start for s in spans)


def _document(sections: Sequence[Section]) -> Document:
    text = ""
    headings: list[Heading] = []
    queries: list[tuple[str, int, int]] = []
    for heading, body, asked in sections:
        headings.append(Heading(heading, 1, len(text), len(text) + len(heading)))
        text += f"{heading}\n\n"
        queries += [(query, start + len(text), end + len(text)) for query, start, end in asked]
        text += f"{body}\n\n"
    layout = Layout("markdown", len(text), headings=headings)
    return Source("document", text, layout=layout), queries


def _articles(data: Sequence[Item]) -> Iterator[Section]:
    """Yield each article of xquad_en: its paragraphs, and the questions about them."""
    title: Callable[[Item], str] = lambda item: item["meta"]["title"]  # noqa: E731
    for name, members in groupby(sorted(data, key=title), key=title):
        listed = list(members)
        body = "\n\n".join(dict.fromkeys(item["context"][0]["text"] for item in listed))
        starts = [
            body.index(item["context"][0]["text"]) + item["meta"]["answer_start"] for item in listed
        ]
        yield (
            name.replace("_", " "),
            body,
            [
                (item["question"], start, start + len(item["quote"]))
                for item, start in zip(listed, starts, strict=True)
            ],
        )


def _passages(data: Sequence[Item], field: str) -> Iterator[Section]:
    """Yield each passage of clapnq, which is a section, and who asks for each sentence used."""
    for item in data:
        body = item["context"][0]["text"]
        starts = [(body.index(words), len(words)) for words in item["meta"]["evidence"]]
        yield (
            item["meta"]["title"],
            body,
            [(item[field], start, start + length) for start, length in starts],
        )
