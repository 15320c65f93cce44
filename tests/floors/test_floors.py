"""Accuracy floors: figures on short frozen samples that no change may make worse.

`NOTICE.md` says where the samples are from. No model that is shipped was trained on their
documents. The samples of the data folder are measured by `tests/benchmarks/floors`.
"""

from collections.abc import Mapping
from functools import cache

from benchmarks.floors import extracts
from benchmarks.floors.data import document_key, excluded_documents
from benchmarks.floors.figures import Figure, broken, load
from rows import each_row

FLOORS = load(extracts.FLOORS)
PARTS = {
    "quote error": "quotes",
    "claims AUC": "claims",
    "claims balanced accuracy": "claims",
    "written false supported": "written",
    "written true supported": "written",
    "audit F1 ragtruth": "audits",
    "page hits": "pages",
}


@cache
def figures(part: str) -> Mapping[str, Figure]:
    return dict(extracts.PARTS[part]())


@each_row("name", PARTS)
def test_figure_holds_its_floor(name: str) -> None:
    part = PARTS[name]
    failure = broken(name, figures(part)[name], FLOORS)
    again = f"python -m tests.benchmarks.floors --only {part}"
    assert failure is None, f"{name}: {failure}. To measure it again: {again}"


def test_every_floor_is_measured() -> None:
    assert set(PARTS) == set(FLOORS)


@each_row("extract", ["claims", "audits"])
def test_no_model_is_trained_on_the_documents(extract: str) -> None:
    texts = {text for row in extracts.read(extract) for text in row["sources"].values()}
    assert {document_key(text) for text in texts} <= excluded_documents()
