"""Make the extracts of `tests/floors`, and the list of documents that no model is trained on.

    python -m tests.benchmarks.floors.extracting DATA_FOLDER

Only data whose licences allow it; `tests/floors/NOTICE.md` names them. The list is made of the
documents of the extracts, and of all that nearly equal, contain or are contained in one of them.
Whoever runs this must train the reader again and freeze new floors: figures of other samples do
not compare.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from ..adversarial.corpus import Corpus, letters_and_digits, rows, usable_sentences
from ..adversarial.everything import all_cases
from .data import EXCLUDED, MIXED, document_key
from .extracts import write

_TEXTS = ("quotesum", "clapnq", "xquad_en", "halueval_qa")
_CASES, _LONGEST_TEXT = 2, 1_200
_CLAIMS = ("citecheck", "fever_symmetric", "fm2", "nli_breaking", "nli_conj", "nli_negation")
_CLAIMS_TOO = ("q2_wow", "ragtruth_sent")
_OF_A_LABEL = 40  # claims of a data set
_LONGEST_EVIDENCE = 1_500
_SOURCES = 14  # of answers of RAGTruth, each with up to six answers
_PAPERS, _PAPER, _NOTES = 6, 80, 12  # sentences
_GRAM, _SHARED = 10, 0.5

Row = dict[str, Any]


def main(arguments: list[str] | None = None) -> int:
    """Write the extracts and the list."""
    (folder,) = map(Path, sys.argv[1:] if arguments is None else arguments)
    write("quotes", _quotes(folder))
    audits = list(_audits(folder))
    claims = list(_claims(folder, {key for row in audits for key in _keys(row)}))
    write("claims", claims)
    write("audits", audits)
    write("pages", _pages(folder))
    kept = {text for row in (*claims, *audits) for text in row["sources"].values()}
    listed = sorted({document_key(text) for text in (*kept, *_near(folder, kept))})
    EXCLUDED.write_text("\n".join(listed) + "\n", "ascii")
    return 0


def _quotes(folder: Path) -> Iterator[Row]:
    for case in all_cases(folder, _CASES, Corpus(folder, _TEXTS, _LONGEST_TEXT)):
        if not case.category.startswith("synth_"):
            yield {
                "category": case.category,
                "accept": case.accept,
                "sources": case.sources,
                "quote": case.quote,
                "source_id": case.source_id,
                "denied": case.denied,
            }


def _audits(folder: Path) -> Iterator[Row]:
    """Yield the answers to the questions whose passages come first by their hash."""
    answers = [row for row in _labelled(folder, "ragtruth") if row["meta"]["task"] == "qa"]
    chosen: dict[str, None] = {}
    for row in answers:
        if sum(map(len, row["sources"].values())) <= _LONGEST_EVIDENCE:
            chosen[row["meta"]["source_id"]] = None
            if len(chosen) == _SOURCES:
                break
    yield from (row for row in answers if row["meta"]["source_id"] in chosen)


def _claims(folder: Path, of_audits: set[str]) -> Iterator[Row]:
    """Yield as many claims of both labels of each data set; of RAGTruth, of the audits' sources."""
    for name in (*_CLAIMS, *_CLAIMS_TOO):
        counts: Counter[bool] = Counter()
        for row in _labelled(folder, name):
            supported = row["label"] == "supported"
            fits = sum(map(len, row["sources"].values())) <= _LONGEST_EVIDENCE
            if name == "ragtruth_sent":
                fits = _keys(row) <= of_audits
            if fits and counts[supported] < _OF_A_LABEL:
                counts[supported] += 1
                yield {
                    "dataset": name,
                    **{k: row[k] for k in ("id", "statement", "label", "sources")},
                }


def _labelled(folder: Path, name: str) -> list[Row]:
    """Return the labelled rows of a data set, ordered by a hash of their texts."""
    found = [
        {
            "id": row["id"],
            "statement": row["statement"],
            "label": row["label"],
            "sources": {passage["id"]: passage["text"] for passage in row["context"]},
            "meta": row["meta"] or {},
        }
        for row in rows(folder, name)
        if row["label"] and row["statement"]
    ]
    return sorted(
        found, key=lambda row: (document_key("".join(row["sources"].values())), row["id"])
    )


def _keys(row: Mapping[str, Any]) -> set[str]:
    return {document_key(text) for text in row["sources"].values()}


def _pages(folder: Path) -> Iterator[Row]:
    texts = dict.fromkeys(row["context"][0]["text"] for row in rows(folder, "xquad_en"))
    sentences = (" ".join(t[a:b].split()) for t in texts for a, b in usable_sentences(t))
    distinct = iter(dict.fromkeys(sentences))
    for _ in range(_PAPERS):
        parts = {"sentences": islice(distinct, _PAPER), "notes": islice(distinct, _NOTES)}
        yield {"sources": {name: "\n".join(each) for name, each in parts.items()}}


def _near(folder: Path, kept: set[str]) -> Iterator[str]:
    """Yield the texts of the training data that share half of the letters in a row of one kept."""
    grams = [_grams(text) for text in sorted(kept)]
    having: defaultdict[str, list[int]] = defaultdict(list)
    for place, each in enumerate(grams):
        for gram in each:
            having[gram].append(place)
    texts = {
        context["text"]
        for name in MIXED
        for row in rows(folder, name)
        for context in row["context"]
    }
    for text in sorted(texts):
        own = _grams(text)
        shared = Counter(place for gram in own for place in having.get(gram, ()))
        if any(n >= _SHARED * min(len(own), len(grams[place])) for place, n in shared.items()):
            yield text


def _grams(text: str) -> set[str]:
    plain = letters_and_digits(text)
    return {plain[start : start + _GRAM] for start in range(max(1, len(plain) - _GRAM + 1))}


if __name__ == "__main__":
    sys.exit(main())
