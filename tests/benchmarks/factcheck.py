"""Fact checks over pages that are held: how long they take, and how often they are right.

    python -m tests.benchmarks.factcheck speed [DATA_FOLDER]
    python -m tests.benchmarks.factcheck verdicts DATA_FOLDER

`speed` checks 20 statements over 60 pages of 50 kB, which are already read. `verdicts` takes
labelled statements of the data folder; the evidence of all of them is a small web of its own,
searched by words, in which the pages have to be found.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from citeguard import Outcome, Source
from citeguard.auditing.claims import Claim, Extraction
from citeguard.factcheck import FactPolicy, fact_check
from citeguard.language.terms import terms
from citeguard.web import SearchPage, SearchQuery, SearchResult, WebPage

from .data import rows

PAGES, PAGE_SIZE, STATEMENTS = 60, 50_000, 20
SAMPLE = 400  # statements of a data set
DATA_SETS = ("factcheck_gpt", "fm2", "fever_symmetric", "scifact_abs", "wice")
OUTCOMES = ("supported", "contradicted", "unsupported")


def _say(text: object) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


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
        words = {url: " ".join(term.key for term in terms(text)) for url, text in pages.items()}
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


@dataclass(frozen=True)
class Labelled:
    """A statement with the verdict that its evidence deserves, and the pages of that evidence."""

    text: str
    label: str
    gold: frozenset[str]


def labelled(folder: Path, name: str) -> tuple[dict[str, str], list[Labelled]]:
    """Return the pages of a data set, and its statements.

    Evidence with the same title is one page. A statement with several labels has the one that
    decides; those that some evidence supports and some contradicts are left out.
    """
    pages: dict[str, dict[str, None]] = defaultdict(dict)
    seen: dict[str, list[tuple[str, list[str]]]] = defaultdict(list)
    urls: dict[str, str] = {}
    for row in rows(folder / f"{name}.jsonl.gz"):
        if row["label"] is None:
            continue
        used: list[str] = []
        for passage in row["context"]:
            key = row["meta"].get("title") if name == "fm2" else passage["text"]
            url = urls.setdefault(key, f"https://page{len(urls)}.example/")
            pages[url][passage["text"]] = None
            used.append(url)
        seen[row["statement"]].append((row["label"], used))
    statements: list[Labelled] = []
    for text, given in seen.items():
        labels = {label for label, _ in given}
        if {"supported", "contradicted"} <= labels:
            continue
        label = next(each for each in OUTCOMES if each in labels)
        gold = frozenset(url for said, used in given for url in used if said == label)
        statements.append(Labelled(text, label, gold))
    random.Random(1).shuffle(statements)
    return {url: "\n".join(texts) for url, texts in pages.items()}, statements[:SAMPLE]


def three_way(outcome: Outcome | None) -> str:
    """Return an outcome as supported, contradicted or neither."""
    return outcome if outcome in ("supported", "contradicted") else "unsupported"


def scores(pairs: Sequence[tuple[str, str]]) -> tuple[float, float]:
    """Return the accuracy and the macro-F1 of pairs of a label and an outcome."""
    classes = sorted({label for label, _ in pairs})
    f1: list[float] = []
    for each in classes:
        right = sum(label == given == each for label, given in pairs)
        counted = sum((label == each) + (given == each) for label, given in pairs)
        f1.append(2 * right / counted if counted else 0.0)
    return sum(label == given for label, given in pairs) / len(pairs), sum(f1) / len(f1)


def verdicts(folder: Path) -> None:
    """Print how often checks of labelled statements are right, beside calling all supported."""
    for name in DATA_SETS:
        pages, statements = labelled(folder, name)
        web = HeldPages(pages)
        reports = [fact_check(each.text, search=web, extractor=WholeText()) for each in statements]
        checks = [report.claims[0] for report in reports]
        labels = [each.label for each in statements]
        read = [
            bool(each.gold & {page.url for page in report.links})
            for each, report in zip(statements, reports, strict=True)
        ]
        _say(f"\n{name}: {len(statements)} statements, {len(pages)} pages; {Counter(labels)}")
        _say(f"the right page is read: {sum(read) / len(read):.3f}")
        for way, given in (
            ("always supported", ["supported"] * len(labels)),
            ("checked", [three_way(check.verdict) for check in checks]),
        ):
            pairs = list(zip(labels, given, strict=True))
            accuracy, f1 = scores(pairs)
            right = [
                f"{outcome} {sum(label == outcome for label in told)}/{len(told)}"
                for outcome in ("supported", "contradicted")
                for told in [[label for label, said in pairs if said == outcome]]
            ]
            _say(f"{way}: accuracy {accuracy:.3f}, macro-F1 {f1:.3f}; right: {', '.join(right)}")
        _say(f"outcomes: {dict(Counter(check.verdict for check in checks))}")


def speed(folder: Path | None) -> None:
    """Print how long 20 statements over 60 pages take, from pages of real or of generated text."""
    if folder is None:
        chance = random.Random(1)
        words = [
            f"{a}{b}{c}" for a in "bdfgklmnprst" for b in "aeiou" for c in ("", "n", "r", "st")
        ]
        names = [word.title() for word in words]
        sentences = (
            f"{chance.choice(names)} {chance.choice(names)} has {chance.randint(2, 999)} "
            f"{' '.join(chance.choices(words, k=12))}."
            for _ in iter(int, 1)
        )
        texts = [_filled(sentences) for _ in range(PAGES)]
        said = [text[1000:].split(". ")[1] + "." for text in texts[:STATEMENTS]]
    else:
        found = [*rows(folder / "wice.jsonl.gz")]
        passages = (row["context"][0]["text"] for row in found * 2)
        texts = [_filled(passages) for _ in range(PAGES)]
        said = [row["statement"] for row in found if len(row["statement"]) < 300][:STATEMENTS]
    fact_check("The tower is tall.", search=HeldPages({"https://a.example/": "It is tall."}))
    for policy in (FactPolicy(), FactPolicy(limit=PAGES)):
        # Pages of their own, as what is derived from a page is kept as long as it lives.
        web = HeldPages({f"https://page{at}.example/": text for at, text in enumerate(texts)})
        wall, used = time.perf_counter(), time.process_time()
        report = fact_check("\n".join(said), search=web, extractor=Lines(), policy=policy)
        wall, used = time.perf_counter() - wall, time.process_time() - used
        read = Counter(number for page in report.links for number in page.claims).values()
        _say(
            f"{len(said)} statements over {report.spent.pages} pages of {PAGE_SIZE:,} characters, "
            f"{sum(read) / len(read):.1f} for each: {wall:.2f} s, of the processor {used:.2f} s"
        )
        _say(dict(Counter(check.verdict for check in report.claims)))


class Lines(WholeText):
    """Each line is a statement."""

    def extract(self, texts: Sequence[str]) -> list[Extraction]:
        claims, start = list[Claim](), 0
        for line in texts[0].split("\n"):
            end = start + len(line)
            claims.append(Claim(text=line, start=start, end=end, sentence=(start, end)))
            start = end + 1
        return [Extraction(claims=tuple(claims))]


def _filled(texts: Iterable[str]) -> str:
    page = ""
    for text in texts:
        page += text + ("\n" if len(text) > 100 else " ")
        if len(page) >= PAGE_SIZE:
            break
    return page[:PAGE_SIZE]


def main(arguments: Sequence[str]) -> None:
    """Run what is asked for."""
    ways: dict[str, Callable[[Path | None], None]] = {
        "speed": speed,
        "verdicts": lambda folder: verdicts(folder or Path(".")),
    }
    folder = Path(arguments[1]) if len(arguments) > 1 else None
    ways[arguments[0]](folder)


if __name__ == "__main__":
    main(sys.argv[1:])
