"""How long audits take: as a process of their own, in a running one, stage by stage, when long."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import cycle
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import NamedTuple, TypeVar

import citeguard
from citeguard import Sources, audit
from citeguard.auditing.claims.claim import Claim
from citeguard.auditing.claims.local import LocalClaims
from citeguard.auditing.marks import find_marks, marks_of, without_marks
from citeguard.auditing.run import AuditJudges
from citeguard.judges.grounding import GroundingVerifier
from citeguard.judges.verdicts import SupportQuestion

from ..tables import table
from .material import load

_CLAIMS = 10
_SOURCES, _LENGTH = 5, 20_000
_PROCESSES, _PAGES = 7, 12
_LONG = (125_000, 250_000, 500_000, 1_000_000, 2_000_000)
_MOST_JUDGED = 250_000  # characters; to judge two million takes minutes
_PROGRAM = (
    "import json, sys\n"
    "from citeguard import audit\n"
    "text, sources = json.load(sys.stdin)\n"
    "sys.stdout.write(audit(text, sources).model_dump_json())"
)
Result = TypeVar("Result")
_AIMS = {"cold": 3.0, "warm": 0.5, "claims": 0.05, "retrieval": 0.02, "verification": 0.1}


class Page(NamedTuple):
    """A text of about ten claims, and the texts of its sources by id."""

    text: str
    sources: Mapping[str, str]


def speed_tables(folder: Path) -> Iterator[str]:
    """Write the times for one page, and those for long texts."""
    answers = load(folder, "ragtruth")
    evidence = "\n\n".join(dict.fromkeys(t for a in answers for t in a.sources.values()))
    texts = [answer.text for answer in answers if _checkable(answer.text) == _CLAIMS]
    pages = [_page(text, evidence, place) for place, text in enumerate(texts[:_PAGES])]
    title = f"{_CLAIMS} claims, {_SOURCES} sources of {_LENGTH:,} characters"
    yield from table(title, ["", "median", "worst", "aim", "met"], _page_rows(pages))
    yield from _long_table("\n\n".join(dict.fromkeys(a.text for a in answers)), pages[0].sources)


def _checkable(text: str) -> int:
    (found,) = LocalClaims().extract([text])
    return sum(claim.set_aside is None for claim in found.claims)


def _page(text: str, evidence: str, place: int) -> Page:
    first = place * _LENGTH
    starts = ((first + number * _LENGTH) % (len(evidence) - _LENGTH) for number in range(_SOURCES))
    return Page(text, {f"s{n}": evidence[at : at + _LENGTH] for n, at in enumerate(starts)})


def _page_rows(pages: Sequence[Page]) -> Iterator[tuple[str, ...]]:
    processes = [_process(page) for page, _ in zip(cycle(pages), range(_PROCESSES), strict=False)]
    yield _row("a process of its own, with import and JSON", processes, "cold")
    audit(*pages[0])
    yield _row("in a running process", [_seconds(lambda p=p: audit(*p)) for p in pages[1:]], "warm")
    prepared = [(page.text, Sources(page.sources)) for page in pages[1:]]
    for text, sources in prepared:
        audit(text, sources)
    again = [_seconds(lambda p=p: audit(*p)) for p in prepared]
    yield _row("the same text and sources again", again, "warm")
    stages = [_stages(page) for page in pages]
    for name, aim in _STAGES.items():
        yield _row(name, [stage[name] for stage in stages], aim)


_STAGES = {
    "claims found": "claims",
    "sources cut and indexed": "",
    "retrieval, a claim": "retrieval",
    "verification, a claim": "verification",
}
"""What the stages are called, and what is aimed at."""


def _stages(page: Page) -> dict[str, float]:
    sources = Sources(page.sources)
    claims: list[Claim] = []
    found = _seconds(lambda: claims.extend(LocalClaims().extract([page.text])[0].claims))
    checkable = [claim for claim in claims if claim.set_aside is None]
    indexed = _seconds(lambda: sources.search("words"))
    asked: list[SupportQuestion] = []
    judges, judge = AuditJudges(sources, None), GroundingVerifier()
    retrieved = _seconds(lambda: asked.extend(_questions(judges, checkable)))
    verified = _seconds(lambda: judge.judge(asked))
    count = max(1, len(checkable))
    times = (found, indexed, retrieved / count, verified / max(1, len(asked)))
    return dict(zip(_STAGES, times, strict=True))


def _questions(judges: AuditJudges, claims: Sequence[Claim]) -> Iterator[SupportQuestion]:
    questions = (judges.question(claim) for claim in claims)
    return (each for each in questions if isinstance(each, SupportQuestion))


def _process(page: Page) -> float:
    given = json.dumps([page.text, page.sources]).encode()
    package = Path(citeguard.__file__).parents[1]
    environment = {**os.environ, "PYTHONPATH": str(package)}
    command = [sys.executable, "-c", _PROGRAM]
    start = perf_counter()
    subprocess.run(command, input=given, stdout=subprocess.DEVNULL, check=True, env=environment)
    return perf_counter() - start


def _row(name: str, seconds: Sequence[float], aim: str) -> tuple[str, ...]:
    middle, most = median(seconds), _AIMS.get(aim)
    met = "" if most is None else "yes" if middle <= most else "**no**"
    return (name, _written(middle), _written(max(seconds)), _written(most) if most else "", met)


def _long_table(text: str, sources: Mapping[str, str]) -> Iterator[str]:
    """Write how the time grows with the length of the text."""
    text = f"{text}\n\n" * (1 + max(_LONG) // len(text))
    rows = [_long_row(text[:length], sources) for length in _LONG]
    columns = ["characters", "claims", "marks", "finding claims", "linking marks", "whole audit"]
    yield from table(f"Long texts, {_SOURCES} sources", columns, rows)


def _long_row(text: str, sources: Mapping[str, str]) -> tuple[str, ...]:
    prepared = Sources(sources)
    marks, marking = _timed(lambda: find_marks(text, prepared))
    words = without_marks(text, marks)
    (extraction,), finding = _timed(lambda: LocalClaims().extract([words]))
    _, owning = _timed(lambda: marks_of(extraction.claims, marks, text))
    whole = "–"
    if len(text) <= _MOST_JUDGED:
        whole = _written(_seconds(lambda: audit(text, sources)))
    times = (_written(marking), _written(finding), _written(owning), whole)
    return (f"{len(text):,}", f"{len(extraction.claims):,}", *times)


def _timed(action: Callable[[], Result]) -> tuple[Result, float]:
    gc.collect()
    start = perf_counter()
    result = action()
    return result, perf_counter() - start


def _seconds(action: Callable[[], object]) -> float:
    return _timed(action)[1]


def _written(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 1 else f"{1000 * seconds:.3g} ms"
