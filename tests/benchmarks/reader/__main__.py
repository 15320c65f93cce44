"""Train the reader that ships, or measure one on what it has never read.

    python -m tests.benchmarks.reader train DATA_FOLDER OUTPUT
    python -m tests.benchmarks.reader measure DATA_FOLDER [READER_FOLDER]

`DATA_FOLDER` is the folder of labelled data. `train` goes on from the reader that ships, for some
hours, survives being stopped, and calibrates; `measure` prints Markdown tables.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from citeguard import ReaderJudge
from citeguard.judges.verdicts import Evidence, Outcome, SupportQuestion
from citeguard.metrics import roc_auc
from citeguard.reader.answering import answer_probabilities, answered_from
from citeguard.reader.model import SHIPPED, Reader
from citeguard.training import AnswerPair, EntailmentPair, calibrate_reader, train_reader

from ..tables import table
from .material import (
    Statement,
    measured_questions,
    measured_statements,
    trained_pairs,
    trained_questions,
)

_MOST = 100  # statements or questions of a set


def main(arguments: list[str] | None = None) -> int:
    """Run a command, and write to standard output."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.reader", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    train = commands.add_parser("train")
    train.add_argument("data", type=Path)
    train.add_argument("output", type=Path)
    measure = commands.add_parser("measure")
    measure.add_argument("data", type=Path)
    measure.add_argument("reader", type=Path, nargs="?", default=SHIPPED)
    options = parser.parse_args(arguments)
    if options.command == "train":
        _train(options.data, options.output)
        return 0
    for line in (*_on_statements(options), *_on_questions(options)):
        sys.stdout.write(f"{line}\n")
    return 0


def _train(data: Path, output: Path) -> None:
    pairs, questions = trained_pairs(data), list(trained_questions(data))
    train_reader(pairs, output, questions=questions, epochs=2.0)
    calibrate_reader(
        output,
        [
            EntailmentPair("\n".join(each.evidence), each.text, each.label)
            for each in measured_statements(data, _MOST)
        ],
        questions=[
            AnswerPair(each.text, each.passage, each.answered)
            for each in measured_questions(data, 60)
        ],
    )


_OUTCOMES: Sequence[Outcome] = ("supported", "undecided", "unsupported", "contradicted")


def _on_statements(options: argparse.Namespace) -> Iterator[str]:
    judge = ReaderJudge(options.reader)
    by_set: dict[str, list[tuple[Statement, Outcome, float]]] = {}
    for each in measured_statements(options.data, _MOST):
        evidence = tuple(Evidence(text=text) for text in each.evidence)
        (verdict,) = judge.judge([SupportQuestion(statement=each.text, evidence=evidence)])
        found = (each, verdict.outcome, verdict.score or 0.0)
        by_set.setdefault(each.set, []).append(found)
        if each.kind:
            by_set.setdefault(f"- {each.kind}", []).append(found)
    rows: list[Sequence[object]] = []
    for name, found in by_set.items():
        true = [outcome for each, outcome, _ in found if each.label == "supported"]
        false = [outcome for each, outcome, _ in found if each.label != "supported"]
        auc = roc_auc([each.label == "supported" for each, *_ in found], [s for *_, s in found])
        counts = [f"{part.count(outcome)}" for part in (true, false) for outcome in _OUTCOMES]
        rows.append((name, len(true), len(false), "" if auc is None else f"{auc:.3f}", *counts))
    columns = ["set", "true", "false", "AUC"]
    columns += [f"{part}: {outcome}" for part in ("true", "false") for outcome in _OUTCOMES]
    yield from table("Statements that nothing was trained on", columns, rows)


def _on_questions(options: argparse.Namespace) -> Iterator[str]:
    reader = Reader(options.reader)
    least = answered_from(reader)
    by_set: dict[str, list[tuple[bool, float]]] = {}
    for each in measured_questions(options.data, _MOST):
        (found,) = answer_probabilities(each.text, [each.passage], reader=reader)
        by_set.setdefault(each.set, []).append((each.answered, found))
    rows: list[Sequence[object]] = []
    for name, found in by_set.items():
        auc = roc_auc(
            [answered for answered, _ in found], [probability for _, probability in found]
        )
        passed = [
            sum(p >= least for answered, p in found if answered == kind) for kind in (True, False)
        ]
        counts = [sum(answered == kind for answered, _ in found) for kind in (True, False)]
        rows.append((name, *counts, "" if auc is None else f"{auc:.3f}", *passed))
    columns = ["set", "answerable", "not", "AUC", "answerable answered", "others answered"]
    yield from table("Questions that nothing was trained on", columns, rows)


if __name__ == "__main__":
    sys.exit(main())
