"""How often the passages that bear on a query are among the first four that are found."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import fmean

from citeguard.retrieval.passages import Windows
from citeguard.retrieval.ranking import BM25Retriever, DenseRetriever
from citeguard.retrieval.search import HybridRetriever, Retriever
from citeguard.sources.collection import Sources, Span

from ..tables import table
from .material import embedder, groups, items

Case = tuple[str, Sources, list[list[Span]]]
"""A query, where to look, and the places that have to be found: one list of them is enough."""

_TOGETHER = 20  # contexts of different items in one `Sources`


def lines(folder: Path, model: str) -> Iterator[str]:
    """Write the table of recall, for each data set and retriever."""
    retrievers = _retrievers(model, size=3, overlap=1)
    yield from table(
        "Recall at 4",
        ("queries", "count", *retrievers),
        (_row(name, make(folder), retrievers) for name, make in _CASES.items()),
    )
    xquad = list(_questions(folder))
    yield from table(
        "Recall at 4, questions of xquad_en, by window",
        ("sentences", "overlap", *retrievers),
        (
            [*map(str, w), *_recalls(xquad, _retrievers(model, *w))]
            for w in ((1, 0), (2, 1), (3, 1), (5, 2))
        ),
    )


def _retrievers(model: str, size: int, overlap: int) -> dict[str, Retriever]:
    windows = Windows(size=size, overlap=overlap)
    words = BM25Retriever(passages=windows)
    dense = DenseRetriever(embedder(model), passages=windows)
    return {"BM25": words, "dense": dense, "hybrid": HybridRetriever(words, dense)}


def _row(name: str, cases: Iterator[Case], retrievers: dict[str, Retriever]) -> list[object]:
    known = list(cases)
    return [name, len(known), *_recalls(known, retrievers)]


def _recalls(cases: Sequence[Case], retrievers: dict[str, Retriever]) -> list[str]:
    return [
        f"{fmean(_is_found(case, retriever) for case in cases):.1%}"
        for retriever in retrievers.values()
    ]


def _is_found(case: Case, retriever: Retriever) -> bool:
    query, sources, alternatives = case
    found = [passage.span for passage in sources.search(query, k=4, retriever=retriever)]
    return any(all(_covers(found, place) for place in places) for places in alternatives)


def _covers(found: Sequence[Span], place: Span) -> bool:
    """Tell whether a passage has at least half of the characters of a place."""
    return any(
        each.source_id == place.source_id
        and 2 * (min(each.end, place.end) - max(each.start, place.start)) >= place.end - place.start
        for each in found
    )


def _questions(folder: Path) -> Iterator[Case]:
    """Questions of xquad_en, whose answer is to be found among twenty paragraphs."""
    data = items(folder, "xquad_en")
    for texts in groups(dict.fromkeys(item["context"][0]["text"] for item in data), _TOGETHER):
        sources = Sources(list(texts))
        ids = {source.text: source.id for source in sources}
        for item in data:
            if (text := item["context"][0]["text"]) in ids:
                start = item["meta"]["answer_start"]
                place = Span(ids[text], start, start + len(item["quote"]))
                yield item["question"], sources, [[place]]


def _answers(folder: Path, field: str) -> Iterator[Case]:
    """Questions or answers of clapnq, all of whose evidence is to be found among twenty."""
    for group in groups(items(folder, "clapnq"), _TOGETHER):
        sources = Sources({item["id"]: item["context"][0]["text"] for item in group})
        for item in group:
            text = item["context"][0]["text"]
            starts = [(text.index(words), len(words)) for words in item["meta"]["evidence"]]
            places = [Span(item["id"], start, start + length) for start, length in starts]
            if places:
                yield item[field], sources, [places]


def _quotes(folder: Path) -> Iterator[Case]:
    """Questions of quotesum, whose quoted answer is to be found among the sources of ten items."""
    data = [item for item in items(folder, "quotesum") if item["quote"]]
    questions = dict.fromkeys(item["question"] for item in data)
    for group in groups(questions, 10):
        members = [item for item in data if item["question"] in group]
        texts = {f"{i['question']}/{c['id']}": c["text"] for i in members for c in i["context"]}
        sources = Sources(texts)
        for item in members:
            source_id = f"{item['question']}/{item['meta']['cited']}"
            start = texts.get(source_id, "").find(item["quote"])
            if start >= 0:
                yield (
                    item["question"],
                    sources,
                    [[Span(source_id, start, start + len(item["quote"]))]],
                )


def _claims(folder: Path) -> Iterator[Case]:
    """Supported claims of wice, one full set of whose evidence is to be found on a web page."""
    for item in items(folder, "wice"):
        text = item["context"][0]["text"]
        places = _line_spans(text)
        if item["label"] == "supported":
            alternatives = [[places[line] for line in each] for each in item["meta"]["supporting"]]
            yield item["statement"], Sources({"page": text}), alternatives


def _line_spans(text: str) -> list[Span]:
    spans: list[Span] = []
    start = 0
    for line in text.split("\n"):
        spans.append(Span("page", start, start + len(line)))
        start += len(line) + 1
    return spans


_CASES: dict[str, Callable[[Path], Iterator[Case]]] = {
    "xquad_en: question → answer": _questions,
    "quotesum: question → quote": _quotes,
    "clapnq: question → all evidence": lambda folder: _answers(folder, "question"),
    "clapnq: answer → all evidence": lambda folder: _answers(folder, "statement"),
    "wice: claim → all evidence": _claims,
}
