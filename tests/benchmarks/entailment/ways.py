"""The ways to ask a cross-encoder about an answer: from a call for each statement to the check."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import process_time
from typing import Any

from citeguard.judges.entailment import Entailment, Selection, forget

from benchmarks.speed.timing import seconds
from citeguard import Answer, Policy, Sources, verify
from citeguard.judges.verdicts import Evidence, SupportQuestion
from citeguard.language.windows import sentence_windows
from tiny_entailment import MINILM

from ..speed.texts import Prose, passage
from ..tables import met

_SOURCES, _LENGTH, _STATEMENTS = 5, 5_000, 10
_FASTER, _AGAIN = 3, 0.002
_TIMES = 20  # that a way is measured which costs next to nothing
_LABELS = {0: "contradiction", 1: "entailment", 2: "neutral"}

Action = Callable[[], object]
Row = tuple[str, str, str, str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """A way to ask: the pairs that the model reads, and a preparation, not timed, of the timed."""

    name: str
    pairs: int
    prepare: Callable[[], Action]
    faster: float | None = None
    most: float | None = None
    times: int = 1


def rows(prose: Prose, folder: Path, rounds: int) -> Iterator[Row]:
    """Yield a row for each way; the ways take turns, and the best of the rounds counts."""
    import torch

    torch.set_num_threads(1)
    ways = list(_ways(_encoder(folder), prose))
    best = [float("inf")] * len(ways)
    for _ in range(rounds):
        for place, way in enumerate(ways):
            best[place] = min(best[place], _timed(way.prepare(), way.times))
    return (_row(way, time, best[0]) for way, time in zip(ways, best, strict=True))


def _row(way: Way, time: float, first: float) -> Row:
    most = first / way.faster if way.faster else way.most
    aim = "" if most is None else f"≤ {seconds(most)}"
    shown = met(time, float("inf") if most is None else most, seconds(time))
    return way.name, str(way.pairs), shown, f"{first / time:.3g}× as fast", aim


def _timed(action: Action, times: int) -> float:
    """Return the least seconds of CPU time that a call takes: on one thread others do not count."""
    samples: list[float] = []
    for _ in range(times):
        start = process_time()
        action()
        samples.append(process_time() - start)
    return min(samples)


def _encoder(folder: Path) -> Any:
    """Return a cross-encoder with MiniLM's weights under a head that nobody trained."""
    import torch
    from sentence_transformers import CrossEncoder

    torch.manual_seed(0)
    config = {"id2label": _LABELS, "label2id": {name: place for place, name in _LABELS.items()}}
    CrossEncoder(str(MINILM), num_labels=3, config_kwargs=config).save_pretrained(str(folder))
    return CrossEncoder(str(folder))


def _ways(encoder: Any, prose: Prose) -> Iterator[Way]:
    sources, questions = _material(prose)
    every = [_every_window(question) for question in questions]
    chosen = [_chosen_windows(question) for question in questions]
    count, few = sum(map(len, every)), sum(map(len, chosen))
    predict = partial(encoder.predict, batch_size=32, show_progress_bar=False)
    yield Way(
        name="`predict` for each statement, all windows",
        pairs=count,
        prepare=lambda: lambda: [predict(pairs) for pairs in every],
    )
    yield Way(
        name="`predict` once, all windows",
        pairs=count,
        prepare=lambda: lambda: predict([pair for pairs in every for pair in pairs]),
    )
    yield Way(
        name="`predict` for each statement, chosen windows",
        pairs=few,
        prepare=lambda: lambda: [predict(pairs) for pairs in chosen],
    )
    yield Way(
        name="`predict` once, chosen windows",
        pairs=few,
        prepare=lambda: lambda: predict([pair for pairs in chosen for pair in pairs]),
    )
    yield Way(
        name="`Entailment`, all windows",
        pairs=count,
        prepare=lambda: partial(_fresh(encoder, passages=count).judge, questions),
    )
    yield Way(
        name="`Entailment`",
        pairs=few,
        prepare=lambda: partial(_fresh(encoder).judge, questions),
        faster=_FASTER,
    )
    yield Way(
        name="`Entailment`, one statement changed",
        pairs=len(chosen[0]),
        prepare=lambda: partial(_used(encoder, questions[1:]).judge, questions),
    )
    yield Way(
        name="`Entailment` again",
        pairs=0,
        prepare=lambda: partial(_used(encoder, questions).judge, questions),
        times=_TIMES,
    )
    yield Way(
        name="`verify` again",
        pairs=0,
        prepare=lambda: _verified_again(sources),
        most=_AGAIN,
        times=_TIMES,
    )


def _material(prose: Prose) -> tuple[Sources, list[SupportQuestion]]:
    text = prose.first(_SOURCES * _LENGTH)
    texts = [text[start : start + _LENGTH] for start in range(0, len(text), _LENGTH)]
    evidence = tuple(Evidence(text=text, source_id=str(n)) for n, text in enumerate(texts, 1))
    places = range(0, len(text), len(text) // _STATEMENTS)
    statements = [passage(text, place, 120) for place in places]
    return Sources(texts), [SupportQuestion(statement=s, evidence=evidence) for s in statements]


def _every_window(question: SupportQuestion) -> list[tuple[str, str]]:
    return [
        (each.text[start:end], question.statement)
        for each in question.evidence
        for start, end in sentence_windows(each.text, size=3, overlap=1)
    ]


def _chosen_windows(question: SupportQuestion) -> list[tuple[str, str]]:
    selection = Selection(size=3, overlap=1, passages=4)
    return [(premise.text, question.statement) for premise in selection.premises(question)]


def _fresh(encoder: Any, **settings: int) -> Entailment:
    """Return a check that has seen nothing yet, no source either."""
    forget()
    return Entailment(encoder, **settings)


def _used(encoder: Any, questions: list[SupportQuestion]) -> Entailment:
    judge = _fresh(encoder)
    judge.judge(questions)
    return judge


def _verified_again(sources: Sources) -> Action:
    """Return the second validation of an answer; what was said of it is kept, by any model."""
    judge = Entailment(lambda pairs: [[0.9, 0.1, 0.0]] * len(pairs))
    policy = Policy(support=[judge], evidence="source")
    statements = [
        {"text": f"Statement {place}.", "citations": [{"quote": passage(source.text, place, 120)}]}
        for source in sources
        for place in (1_000, 3_000)
    ]
    action = partial(verify, Answer, {"statements": statements}, sources=sources, policy=policy)
    action()
    return action
