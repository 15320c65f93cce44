"""The cases of the benchmark, what a careful editor says of them, and what tools make of them."""

from __future__ import annotations

import gzip
import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from citeguard.bench.tools import Judgement, Tool
from citeguard.errors import CiteguardError, foreign_code

CaseLabel = Literal["true", "part", "clipped", "changed", "grey"]  # what is right: see `Case`
LABELS: tuple[CaseLabel, ...] = get_args(CaseLabel)

SHIPPED = Path(__file__).with_name("quotes.jsonl.gz")
"""The cases that come with the package; `quotes.md` beside them describes them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A quote, the text that it is said to be from, and whether it is.

    Attributes:
        id: Its name, which stays the same.
        language: The language of the text, as in ISO 639-1.
        genre: What kind of text it is.
        kind: What was done to the quote, in two or three words.
        label: `true`, if an editor would let it stand as a quotation; `part`, if it is moreover a
            fair part of a sentence; `clipped`, if it is word for word, but says something else
            than the sentence that it is cut out of; `changed`, if the text does not say it, or not
            in these words; `grey`, if those who labelled it disagree, and nothing is measured.
        text: The source.
        quote: The quote.
        spans: Where it is in the text: half-open intervals of code points, one for each part of an
            elided quote; empty if it is changed.
    """

    id: str
    language: str
    genre: str
    kind: str
    label: CaseLabel
    text: str
    quote: str
    spans: tuple[tuple[int, int], ...]


def read_cases(file: Path = SHIPPED) -> list[Case]:
    """Return the cases of a file of JSON lines, which may be compressed (`.gz`).

    A line is a text with its cases; `quotes.md` shows one.
    """
    opened = gzip.open if file.suffix == ".gz" else open
    try:
        with opened(file, "rt", encoding="utf-8") as lines:
            return [case for n, line in enumerate(lines, 1) for case in _cases(line, n, file)]
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise CiteguardError(f"{file} cannot be read: {error}") from error


def _cases(line: str, number: int, file: Path) -> Iterator[Case]:
    try:
        row: Any = json.loads(line)
        for place, each in enumerate(row["cases"]):
            spans = tuple((int(start), int(end)) for start, end in each.get("spans", ()))
            if each["label"] not in LABELS:
                known = ", ".join(LABELS)
                raise ValueError(f"the label of case {place + 1} is none of {known}")
            if not all(0 <= start < end <= len(row["text"]) for start, end in spans):
                raise ValueError(f"a span of case {place + 1} is outside the text")
            yield Case(
                id=f"{row['id']}-{place + 1}",
                language=row["language"],
                genre=row["genre"],
                kind=each["kind"],
                label=each["label"],
                text=row["text"],
                quote=each["quote"],
                spans=spans,
            )
    except KeyError as error:
        raise CiteguardError(f"line {number} of {file.name} lacks the field {error}") from error
    except (AttributeError, TypeError, ValueError) as error:
        raise CiteguardError(f"line {number} of {file.name} has no cases: {error}") from error


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A case, what a tool says of it, and how long that took in seconds.

    A tool that `failed` has raised an exception, which counts as a rejection.
    """

    case: Case
    judgement: Judgement
    seconds: float
    failed: bool = False

    @property
    def is_wrong(self) -> bool:
        """Whether a true quote is rejected, a changed one accepted, or a clip passes unnoticed."""
        accepted = self.judgement.accepted
        if self.case.label == "clipped":
            return accepted and not self.judgement.framed
        return accepted == (self.case.label == "changed")

    @property
    def has_exact_place(self) -> bool:
        """Whether the quote is placed from its first letter or digit to its last.

        Whether a closing full stop or quotation mark belongs to a quote is a matter of taste, and
        so is whether what it leaves out in the middle does.
        """
        text, places = self.case.text, set[tuple[int, int]]()
        for spans in (self.judgement.spans, self.case.spans):
            if not spans:
                return False
            letters = [at for at in range(spans[0][0], spans[-1][1]) if text[at].isalnum()]
            places.add((letters[0], letters[-1]) if letters else spans[0])
        return len(places) == 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """How many `of` some cases are of a kind."""

    number: int
    of: int

    @classmethod
    def where(cls, flags: Iterable[bool]) -> Count:
        """Count the flags that are true."""
        each = list(flags)
        return cls(number=sum(each), of=len(each))

    def __str__(self) -> str:
        """Show the share in percent, and both numbers."""
        if not self.of:
            return "–"
        return f"{100 * self.number / self.of:.1f} ({self.number} of {self.of})"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolScore:
    """How a tool fares on the cases; grey ones do not count.

    The version is empty for what Python can do.
    """

    name: str
    version: str
    outcomes: Sequence[Outcome]

    @property
    def measures(self) -> Mapping[str, Count | None]:
        """How many cases are judged wrongly, and so on, by the names that the data have.

        `refused`: true quotes, parts of sentences among them, that are rejected; `accepted`:
        changed quotes that are; `unnoticed`: clipped quotes that are neither rejected nor reported;
        `alarmed`: fair parts of a sentence that are reported as if they were clipped; `placed`:
        true quotes with their exact place, of those accepted, or `None` if it gives no places.
        """
        labelled: dict[str, list[Outcome]] = {}
        for each in self.outcomes:
            labelled.setdefault(each.case.label, []).append(each)
        part, changed, clipped = (labelled.get(it, []) for it in ("part", "changed", "clipped"))
        true = [*labelled.get("true", []), *part]
        accepted = [each for each in true if each.judgement.accepted]
        gives_places = any(each.judgement.spans for each in accepted)
        return {
            "refused": Count.where(each.is_wrong for each in true),
            "accepted": Count.where(each.is_wrong for each in changed),
            "unnoticed": Count.where(each.is_wrong for each in clipped),
            "alarmed": Count.where(each.judgement.framed for each in part),
            "placed": Count.where(each.has_exact_place for each in accepted)
            if gives_places
            else None,
        }

    @property
    def failures(self) -> int:
        """How many cases it raised an exception at."""
        return sum(each.failed for each in self.outcomes)

    @property
    def milliseconds(self) -> float:
        """The time for a case, on the mean."""
        return 1000 * sum(each.seconds for each in self.outcomes) / max(1, len(self.outcomes))

    def wrong_by(self, group: Callable[[Case], str]) -> Mapping[str, Count]:
        """Return how many cases of each group are judged wrongly, in the order of their names."""
        groups: dict[str, list[bool]] = {}
        for each in self.outcomes:
            groups.setdefault(group(each.case), []).append(each.is_wrong)
        return {name: Count.where(groups[name]) for name in sorted(groups)}

    @property
    def by_kind(self) -> Mapping[str, Count]:
        """How many cases of each label and kind are judged wrongly."""
        return self.wrong_by(lambda case: f"{case.label}: {case.kind}")

    @property
    def by_language(self) -> Mapping[str, Count]:
        """How many cases in each language are judged wrongly."""
        return self.wrong_by(lambda case: case.language)


def run(tool: Tool, cases: Iterable[Case]) -> ToolScore:
    """Run a tool over all cases but the grey ones; an exception counts as a rejection."""
    check = tool.load()
    outcomes: list[Outcome] = []
    for case in cases:
        if case.label == "grey":
            continue
        started, failed = time.perf_counter(), False
        try:
            # Peers raise at what they cannot read; citeguard may, too, and is measured alike.
            with foreign_code(lambda error: CiteguardError(f"{tool.name}: {error}")):
                judgement = check(case.quote, case.text)
        except CiteguardError:
            judgement, failed = Judgement(accepted=False), True
        seconds = time.perf_counter() - started
        outcomes.append(Outcome(case=case, judgement=judgement, seconds=seconds, failed=failed))
    return ToolScore(name=tool.name, version=tool.version or "", outcomes=outcomes)


_COLUMNS = (
    *("true quotes refused %", "changed quotes accepted %", "clips unnoticed %"),
    *("parts reported as clips %", "exact places %"),
)


def as_data(scores: Sequence[ToolScore]) -> dict[str, Any]:
    """Return the scores as JSON-like data, with the ids of the cases judged wrongly."""
    return {
        "tools": [
            {
                "name": score.name,
                "version": score.version,
                **{name: count and asdict(count) for name, count in score.measures.items()},
                "failures": score.failures,
                "milliseconds": round(score.milliseconds, 3),
                "wrong": [each.case.id for each in score.outcomes if each.is_wrong],
                "by_kind": {name: asdict(count) for name, count in score.by_kind.items()},
                "by_language": {name: asdict(count) for name, count in score.by_language.items()},
            }
            for score in scores
        ]
    }


def as_markdown(scores: Sequence[ToolScore]) -> str:
    """Return three tables: the tools, their errors by language, and those of the first by kind."""
    rows: list[list[str]] = []
    for score in scores:
        counts = ["–" if count is None else str(count) for count in score.measures.values()]
        time = f"{score.milliseconds:.2f}"
        rows.append([score.name, score.version or "–", *counts, str(score.failures), time])
    first, by_language = scores[0], [score.by_language for score in scores]
    languages: list[list[str]] = []
    for name, count in by_language[0].items():
        shares = [f"{100 * each[name].number / each[name].of:.1f}" for each in by_language]
        languages.append([name, str(count.of), *shares])
    kinds = [[name, str(count.of), str(count.number)] for name, count in first.by_kind.items()]
    return "\n\n".join(
        (
            _table(["tool", "version", *_COLUMNS, "failures", "ms a case"], rows),
            "Wrong judgements by language, in percent:",
            _table(["language", "cases", *(score.name for score in scores)], languages),
            f"Wrong judgements of {first.name} by kind:",
            _table(["kind", "cases", "wrong"], kinds),
        )
    )


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---", *("---:" for _ in head[1:])], *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
