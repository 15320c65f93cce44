"""Fact checks over pages that are held: how long they take, and how often they are right.

    python -m tests.benchmarks.factcheck speed [DATA_FOLDER]
    python -m tests.benchmarks.factcheck verdicts DATA_FOLDER

`speed` checks 20 statements over 60 pages of 50 kB, which are already read, with the shipped
verifier. `verdicts` takes labelled statements of the data folder and their evidence: once the judge
is shown the gold evidence alone, and once the evidence of all statements is a small web of its own,
searched by words, in which the pages have to be found.
"""

from __future__ import annotations

import gzip
import json
import random
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from citeguard import BM25Retriever, GroundingVerifier, Source, Sources
from citeguard.auditing.claims.claim import Claim, Extraction
from citeguard.auditing.run import UNSUPPORTED_BELOW
from citeguard.factcheck import FactOutcome, FactPolicy, conclude, fact_check
from citeguard.factcheck.conclusions import Finding
from citeguard.judges.verdicts import Evidence, SupportQuestion
from citeguard.language.terms import terms
from citeguard.retrieval import Windows
from citeguard.web import SearchPage, SearchQuery, SearchResult, WebPage

PAGES, PAGE_SIZE, STATEMENTS = 60, 50_000, 20
SAMPLE = 400  # statements of a data set
DATA_SETS = ("factcheck_gpt", "fm2", "fever_symmetric", "scifact_abs", "wice")
OUTCOMES = ("supported", "contradicted", "unsupported")


class WholeText:
    """The text is one statement."""

    def extract(self, texts: Sequence[str]) -> list[Extraction]:
        return [
            Extraction(claims=(Claim(text=text, start=0, end=len(text), sentence=(0, len(text))),))
            for text in texts
        ]


class HeldPages:
    """A small web: pages that are held, and found by BM25 over all of their words."""

    def __init__(self, pages: Mapping[str, str]) -> None:
        self.name = "held"
        self._pages = {
            url: WebPage(
                url=url,
                outcome="fetched",
                final_url=url,
                source=Source(url, text, url=url),
            )
            for url, text in pages.items()
        }
        # A page is one passage here: what is ranked are pages.
        words = {url: " ".join(term.key for term in terms(text)) for url, text in pages.items()}
        self._words = Sources({url: keys for url, keys in words.items() if keys})
        self._retriever = BM25Retriever(passages=Windows(size=100_000, overlap=0))
        self._index(words)

    def _index(self, words: Mapping[str, str]) -> None:
        import bm25s

        self._urls = list(words)
        vocabulary: dict[str, int] = {}
        numbers = [
            [vocabulary.setdefault(key, len(vocabulary)) for key in words[url].split()]
            for url in self._urls
        ]
        self._vocabulary = vocabulary
        self._bm25: Any = bm25s.BM25()
        self._bm25.index((numbers, vocabulary), show_progress=False, create_empty_token=False)

    def search(self, query: SearchQuery) -> SearchPage:
        keys = dict.fromkeys(term.key for term in terms(query.text))
        known = [self._vocabulary[key] for key in keys if key in self._vocabulary]
        if not known:
            return SearchPage()
        scores = self._bm25.get_scores_from_ids(known)
        best = sorted(range(len(scores)), key=lambda at: -scores[at])[: query.limit]
        return SearchPage(
            results=tuple(
                SearchResult(url=self._urls[at], rank=rank)
                for rank, at in enumerate(best, 1)
                if scores[at] > 0
            )
        )

    def holds(self, url: str) -> bool:
        return url in self._pages

    def fetch(self, url: str) -> WebPage:
        return self._pages[url]


def rows_of(folder: Path, name: str) -> list[dict[str, Any]]:
    with gzip.open(folder / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]
