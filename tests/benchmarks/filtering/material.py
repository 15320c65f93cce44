"""Labelled data as samples: an answer of one statement, with a quote from its context."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from citeguard.language.sentences import sentence_intervals

from ..data import rows

_SETS = ("quotes_synth", "ragtruth_sent")


def samples(data: Path) -> dict[str, list[dict[str, Any]]]:
    """Return the samples of each set; over half of the quotes in quotes_synth are altered ones."""
    return {name: list(_samples(data / f"{name}.jsonl.gz")) for name in _SETS}


def _samples(path: Path) -> Iterator[dict[str, Any]]:
    for item in rows(path):
        quote, source_id = _quote(item)
        citation = {"quote": quote, "source_id": source_id}
        yield {
            "id": item["id"],
            "question": item["question"],
            "statements": [{"text": item["statement"], "citations": [citation]}],
            "sources": item["context"],
        }


def _quote(item: dict[str, Any]) -> tuple[str, str]:
    """Return the item's own quote, or the sentence of its context that shares most words."""
    if item["quote"] is not None:
        return item["quote"], item["meta"]["cited"]
    wanted = _words(item["statement"])
    sentences = [
        (source["text"][start:end], source["id"])
        for source in item["context"]
        for start, end in sentence_intervals(source["text"])
    ]
    return max(sentences, key=lambda each: len(wanted & _words(each[0])))


def _words(text: str) -> set[str]:
    return set(text.lower().split())
