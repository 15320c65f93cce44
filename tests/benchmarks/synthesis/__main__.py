"""Measure the wrong quotes and statements that synthesis makes.

    python -m tests.benchmarks.synthesis DATA_FOLDER [--model MODEL] [--statements MANY]
        [--show MANY] [--misses]

Prints how many of each kind can be made, and what share the checks catch. `--show` prints wrong
texts to be read, with the true ones, and `--misses` the wrong quotes that pass.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from time import process_time

from citeguard import Policy, ReaderJudge, Similarity
from citeguard.datasets import Negative, negatives
from citeguard.datasets.synthesis import KINDS, Target

from ..tables import met, table
from .checking import Made, is_accepted, percent, question, shares
from .material import TrueText, quotes, statements

_MOST_REFUSED = 0.01


def main(arguments: list[str] | None = None) -> int:
    """Measure, and write the tables to standard output."""
    options = _parser().parse_args(arguments)
    started = process_time()
    true = list(quotes(options.data, seed=options.seed))
    drawn = process_time()
    made = [(each, text) for text in true for each in _made(text, options.seed, "quote")]
    done = process_time()
    for line in _quote_lines(true, made):
        sys.stdout.write(line + "\n")
    rate = len(made) / (done - drawn)
    sys.stdout.write(
        f"{len(made)} made in {done - drawn:.1f} s on one core, {rate:.0f} per second;"
    )
    sys.stdout.write(f" reading took {drawn - started:.1f} s.\n\n")
    for line in _statement_lines(options):
        sys.stdout.write(line + "\n")
    for line in [*_misses(made, options.misses), *_shown(made, options.show)]:
        sys.stdout.write(line + "\n")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.synthesis", description=__doc__
    )
    parser.add_argument("data", type=Path, help="folder with the *.jsonl.gz data sets")
    parser.add_argument("--model", help="name or folder of a SentenceTransformer")
    parser.add_argument("--seed", type=int, default=0, help="seed of what is drawn and made")
    parser.add_argument(
        "--statements", type=int, default=300, help="true statements of each data set, at most"
    )
    parser.add_argument("--show", type=int, default=0, help="print so many wrong texts")
    parser.add_argument("--misses", action="store_true", help="print the wrong quotes that pass")
    return parser


def _made(text: TrueText, seed: int, target: Target) -> list[Negative]:
    return negatives(text.text, text.sources, source_id=text.source_id, seed=seed, target=target)


def _quote_lines(true: Sequence[TrueText], made: Sequence[Made]) -> Iterator[str]:
    refused = sum(not is_accepted(each.text, each.source_id, each.sources) for each in true)
    columns = ("kind", "made", "from true quotes", "caught", "caught if denial counts", "passed")
    yield from table("Wrong quotes", columns, [_quote_row(kind, true, made) for kind in KINDS])
    variants = sorted({(each.kind, each.variant) for each, _ in made})
    rows = [
        [f"{kind}: {variant}", *_caught([m for m in made if _key(m) == (kind, variant)])]
        for kind, variant in variants
    ]
    yield from table("By variant", ("variant", "made", "caught", "passed"), rows)
    share = met(refused / len(true), _MOST_REFUSED, percent(refused, len(true)))
    yield f"Of {len(true)} true quotes, {refused} were rejected: {share}."


def _key(made: Made) -> tuple[str, str]:
    return made[0].kind, made[0].variant


def _caught(made: Sequence[Made]) -> list[object]:
    passed = sum(passes(each) for each in made)
    return [len(made), percent(len(made) - passed, len(made)), passed]


def _quote_row(kind: str, true: Sequence[TrueText], made: Sequence[Made]) -> list[object]:
    own = [each for each in made if each[0].kind == kind]
    number, caught, passed = _caught(own)
    strict = sum(
        passes(each, Policy(framed=("denied", "attributed", "conditional", "asked")))
        for each in own
    )
    possible = percent(len(own), len(true))
    return [kind, number, possible, caught, percent(len(own) - strict, len(own)), passed]


def passes(made: Made, policy: Policy | None = None) -> bool:
    """Tell whether a wrong quote is accepted."""
    return is_accepted(made[0].text, made[0].source_id, made[1].sources, policy)


def _statement_lines(options: argparse.Namespace) -> Iterator[str]:
    true = list(statements(options.data, most=options.statements))
    made = [(each, text) for text in true for each in _made(text, options.seed, "statement")]
    judges: list[ReaderJudge | Similarity] = [ReaderJudge()]
    if options.model:
        judges.append(Similarity(options.model))
    for judge in judges:
        rows = [["true statements", len(true), *_judged(judge, [(t.text, t) for t in true])]]
        for kind in KINDS:
            own = [(each.text, text) for each, text in made if each.kind == kind]
            if own:
                rows.append([kind, len(own), *_judged(judge, own)])
        columns = ("kind", "made", "rejected", "undecided", "passed")
        yield from table(f"Wrong statements, by {type(judge).__name__}", columns, rows)


def _judged(judge: ReaderJudge | Similarity, asked: Sequence[tuple[str, TrueText]]) -> list[str]:
    return shares(judge.judge([question(text, true.sources) for text, true in asked]))


def _misses(made: Sequence[Made], wanted: bool) -> Iterator[str]:
    for each in made if wanted else ():
        if passes(each):
            yield f"passed: {marked(each[0])}"


def _shown(made: Sequence[Made], many: int) -> Iterator[str]:
    """Print wrong texts with their sources, as many of each kind as there can be."""
    drawn = Random(0).sample(made, len(made))
    seen: Counter[str] = Counter()
    for negative, true in drawn:
        if seen[negative.kind] < many / len(KINDS) and seen.total() < many:
            seen[negative.kind] += 1
            yield f"\n[{seen.total()}] {marked(negative)}"
            yield f"    SOURCE {negative.source_id}: {true.sources[true.source_id].text}"


def marked(negative: Negative) -> str:
    """Return a wrong text with its changes marked: [-what stood there-] {+what stands now+}."""
    marks = f"[-{negative.removed}-]{{+{negative.added}+}}"
    after = negative.text[negative.start + len(negative.added) :]
    text = f"{negative.text[: negative.start]}{marks}{after}"
    return f"{negative.kind} ({negative.variant}): {text}"


if __name__ == "__main__":
    sys.exit(main())
