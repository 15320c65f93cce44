"""Measure how often `same_question` takes two questions for the same, rightly and wrongly.

Questions that differ: the frozen ones of `tests/library/data/questions.jsonl`; all pairs of two
questions of XQuAD, and of CLAP NQ; and both with one small edit of each kind that changes what they
ask for, with a fixed seed. Paraphrases: the frozen ones, by kind.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations
from pathlib import Path
from random import Random

from citeguard.library.same_question import same_question

from ..adversarial.corpus import rows as read
from ..tables import table
from .edits import Edited, edits

FROZEN = Path(__file__).parents[2] / "library" / "data" / "questions.jsonl"


def main(data_folder: Path) -> int:
    """Measure, and write the tables to standard output, and false hits to standard error."""
    began = time.process_time()
    lines = [*_frozen_rows("tuning"), *_frozen_rows("held_out"), *_frozen_rows("later")]
    lines += _edited(data_folder)
    lines += _edited_again()
    lines += _pairs(data_folder)
    for line in lines:
        sys.stdout.write(line + "\n")
    sys.stderr.write(f"{time.process_time() - began:.0f} s of one core\n")
    return 0


def frozen(half: str) -> list[dict[str, str]]:
    """Return the frozen pairs of one half: "tuning", "held_out" or "later"."""
    rows = map(json.loads, FROZEN.read_text("utf-8").splitlines())
    return [row for row in rows if row["half"] == half]


def _frozen_rows(half: str) -> list[str]:
    counts: Counter[tuple[str, bool]] = Counter()
    hits: Counter[tuple[str, bool]] = Counter()
    for row in frozen(half):
        key = row["kind"], bool(row["same"])
        counts[key] += 1
        hits[key] += bool(same_question(row["asked"], row["stored"]))
    lines: list[str] = []
    for same, title in ((True, "Paraphrases"), (False, "Written questions that differ")):
        kinds = sorted(kind for kind, of in counts if of is same)
        if not kinds:
            continue
        rows = [(kind, counts[kind, same], _hits(hits[kind, same], counts[kind, same]))
                for kind in kinds]  # fmt: skip
        whole = sum(counts[kind, same] for kind in kinds)
        rows.append(("all", whole, _hits(sum(hits[kind, same] for kind in kinds), whole)))
        lines += table(f"{title}, half `{half}`", ["kind", "pairs", "taken for the same"], rows)
    return lines


def _hits(hits: int, count: int) -> str:
    return f"{hits} ({hits / count:.1%})"


def _edited(data_folder: Path) -> list[str]:
    return _table_of_edits("Questions with one edit", made(data_folder))


def _edited_again() -> list[str]:
    """Return a table of the frozen paraphrases, each with one edit of each kind."""
    random = Random(10)
    pairs = [row for half in ("tuning", "held_out") for row in frozen(half) if row["same"]]
    texts = [row["stored"] for row in pairs]
    made = [
        Edited(edited.kind, row["stored"], edited.asked)
        for row in pairs
        for edited in edits(row["asked"], random.sample(texts, 40), random)
    ]
    return _table_of_edits("Paraphrases with one edit", made)


def _table_of_edits(title: str, pairs: Iterable[Edited]) -> list[str]:
    counts: Counter[str] = Counter()
    hits: Counter[str] = Counter()
    for edited in pairs:
        counts[edited.kind] += 1
        if same_question(edited.asked, edited.stored):
            hits[edited.kind] += 1
            sys.stderr.write(f"{edited.kind}: {edited.stored} | {edited.asked}\n")
    rows = [(kind, count, _hits(hits[kind], count)) for kind, count in sorted(counts.items())]
    rows.append(("all", counts.total(), _hits(hits.total(), counts.total())))
    return [*table(title, ["edit", "pairs", "taken for the same"], rows)]


def made(data_folder: Path) -> Iterator[Edited]:
    """Yield the questions of both data sets, each with one edit of each kind."""
    random = Random(9)
    for name in ("xquad_en", "clapnq"):
        groups: dict[str, list[str]] = {}
        for record in read(data_folder, name):
            groups.setdefault(record["context"][0]["text"], []).append(record["question"].strip())
        for text, questions in groups.items():
            for question in questions:
                others = [each for each in questions if each != question]
                yield from edits(question, [*others, text], random)


def _pairs(data_folder: Path) -> list[str]:
    rows: list[tuple[str, int, int]] = []
    for name in ("xquad_en", "clapnq"):
        questions = [record["question"].strip() for record in read(data_folder, name)]
        count = hits = 0
        for one, other in combinations(sorted(set(questions)), 2):
            count += 1
            if same_question(one, other):
                hits += 1
                sys.stderr.write(f"{name}: {one} | {other}\n")
        rows.append((name, count, hits))
    return [*table("Pairs of two questions", ["data", "pairs", "taken for the same"], rows)]
