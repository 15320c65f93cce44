"""How high the evidence text is ranked among all texts of a data set, by words and by vectors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from citeguard.retrieval.passages import Windows
from citeguard.retrieval.ranking import BM25Retriever, DenseRetriever
from citeguard.retrieval.search import HybridRetriever, Retriever
from citeguard.retrieval.word_vectors import SIFEmbedder, read_word_vectors
from citeguard.sources.collection import Passage, Sources

from ..tables import table
from .material import Item, embedder, items

_DEPTH = 200  # passages of a ranking; a text that none of them is from has the rank infinity
_DEVIATIONS = 1.96  # of a mean, on either side, for an interval of 95 %

Ranks = NDArray[np.float64]
"""The rank of the first evidence text for each query, from 1; infinite if it is not found."""

Arguments = Mapping[str, Any]
"""The arguments of a `SIFEmbedder`, besides the texts."""


class Case(NamedTuple):
    """Texts by their ids, and for each query the ids of its evidence, one of which is enough."""

    sources: Sources
    wanted: Mapping[str, set[str]]


def lines(folder: Path, model: str, word_vectors: Path | None) -> Iterator[str]:
    """Write the tables of recall and reciprocal rank, of differences, and of SIF's settings."""
    cases = {name: make(folder) for name, make in _CASES.items()}
    words = word_vectors_of(model, word_vectors)
    ranks = {name: _ranks(case, model, words) for name, case in cases.items()}
    columns = ("queries", "texts", *next(iter(ranks.values())))
    for title, score in _SCORES.items():
        yield from table(
            f"{title}, ± half of the 95 % interval",
            ("", *columns),
            (
                (name, *_size(cases[name]), *(_mean(score(each)) for each in by_way.values()))
                for name, by_way in ranks.items()
            ),
        )
    yield from table(
        "Difference in mean reciprocal rank, same queries, ± half of the 95 % interval",
        ("", *(f"{one} − {other}" for one, other in _compared(words))),
        (
            (
                name,
                *(_mean(1 / by_way[one] - 1 / by_way[other]) for one, other in _compared(words)),
            )
            for name, by_way in ranks.items()
        ),
    )
    yield from table(
        "Mean reciprocal rank of SIF, mean over the data sets, by setting",
        ("setting", *words),
        (
            (
                setting,
                *(_over_all(cases.values(), {**each, **changed}) for each in words.values()),
            )
            for setting, changed in _SETTINGS.items()
        ),
    )


def word_vectors_of(model: str, file: Path | None) -> dict[str, Arguments]:
    """Return the word vectors to compare: a model's input embeddings, and those of a file."""
    found = {"SIF": input_embeddings(model)}
    return found if file is None else {**found, "SIF, file": {"vectors": read_word_vectors(file)}}


def input_embeddings(model: str) -> Arguments:
    """Return the pieces of words that a transformer reads, with their vectors, as arguments."""
    from sentence_transformers import SentenceTransformer

    loaded: Any = SentenceTransformer(model)
    tokenizer = loaded.tokenizer
    matrix = loaded[0].auto_model.get_input_embeddings().weight.detach().numpy()
    pieces = tokenizer.convert_ids_to_tokens(range(len(matrix)))
    return {"vectors": (pieces, matrix), "tokenize": tokenizer.tokenize}


def _ranks(case: Case, model: str, words: Mapping[str, Arguments]) -> dict[str, Ranks]:
    bm25, minilm = BM25Retriever(), DenseRetriever(embedder(model))
    sif = {name: DenseRetriever(_sif(case, each)) for name, each in words.items()}
    ways: dict[str, Retriever] = {"BM25": bm25, **sif, "MiniLM": minilm}
    ways |= {f"BM25 + {name}": HybridRetriever(bm25, each) for name, each in sif.items()}
    ways["BM25 + MiniLM"] = HybridRetriever(bm25, minilm)
    return {name: _ranks_by(case, retriever) for name, retriever in ways.items()}


def _sif(case: Case, arguments: Arguments) -> SIFEmbedder:
    spans = Windows().spans(case.sources)
    return SIFEmbedder(texts=map(case.sources.slice, spans), **arguments)


def _ranks_by(case: Case, retriever: Retriever) -> Ranks:
    rankings = retriever.search(list(case.wanted), case.sources, k=_DEPTH)
    pairs = zip(rankings, case.wanted.values(), strict=True)
    return np.array([_rank(ranking, wanted) for ranking, wanted in pairs])


def _rank(ranking: Iterable[Passage], wanted: set[str]) -> float:
    """Return the rank of the first evidence text, a text being ranked by its best passage."""
    ids = dict.fromkeys(passage.span.source_id for passage in ranking)
    return next((rank for rank, name in enumerate(ids, 1) if name in wanted), np.inf)


def _compared(words: Iterable[str]) -> Iterator[tuple[str, str]]:
    for name in words:
        yield name, "BM25"
        yield f"BM25 + {name}", "BM25"
        yield f"BM25 + {name}", "BM25 + MiniLM"
    yield "BM25 + MiniLM", "BM25"


_SETTINGS: dict[str, Arguments] = {
    **{f"a = {a:g}": {"a": a} for a in (1e-4, 1e-3, 1e-2, 1e-1)},
    "all words alike": {"frequencies": {}},
}


def _over_all(cases: Iterable[Case], arguments: Arguments) -> str:
    means = [(1 / _ranks_by(case, DenseRetriever(_sif(case, arguments)))).mean() for case in cases]
    return f"{np.mean(means):.3f}"


def _size(case: Case) -> tuple[int, int]:
    return len(case.wanted), len(case.sources)


def _mean(values: NDArray[np.float64]) -> str:
    half = _DEVIATIONS * values.std(ddof=1) / np.sqrt(len(values))
    return f"{values.mean():.3f} ± {half:.3f}"


_SCORES: dict[str, Callable[[Ranks], NDArray[np.float64]]] = {
    "Recall at 1": lambda ranks: (ranks <= 1).astype(np.float64),
    "Recall at 5": lambda ranks: (ranks <= 5).astype(np.float64),
    "Mean reciprocal rank": lambda ranks: 1 / ranks,
}


def _all_of(item: Item) -> Sequence[str]:
    return [each["text"] for each in item["context"]]


def _cited(item: Item) -> Sequence[str]:
    return [each["text"] for each in item["context"] if each["id"] == item["meta"]["cited"]]


def _case(
    folder: Path, name: str, field: str, evidence: Callable[[Item], Sequence[str]] = _all_of
) -> Case:
    """Return all texts of a data set, and what is evidence for the items' questions or statements.

    The gold evidence of a contradicted statement is evidence, too.
    """
    data = [item for item in items(folder, name) if item["label"] != "unsupported"]
    texts = dict.fromkeys(text for item in data for text in _all_of(item))
    ids = {text: str(number) for number, text in enumerate(texts)}
    wanted: dict[str, set[str]] = {}
    for item in data:
        wanted.setdefault(item[field], set()).update(ids[text] for text in evidence(item))
    return Case(Sources({number: text for text, number in ids.items()}), wanted)


_CASES: dict[str, Callable[[Path], Case]] = {
    "xquad_en: question": lambda folder: _case(folder, "xquad_en", "question"),
    "clapnq: question": lambda folder: _case(folder, "clapnq", "question"),
    "clapnq: answer": lambda folder: _case(folder, "clapnq", "statement"),
    "quotesum: question": lambda folder: _case(folder, "quotesum", "question", _cited),
    "halueval_qa: question": lambda folder: _case(folder, "halueval_qa", "question"),
    "scifact_abs: claim": lambda folder: _case(folder, "scifact_abs", "statement"),
    "fm2: claim": lambda folder: _case(folder, "fm2", "statement"),
}
