"""Pairs from which the reader learns: a premise and a hypothesis, a question and a passage."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, Literal, NamedTuple, get_args

from citeguard.errors import CiteguardError, check_number, described
from citeguard.language.sentences import sentence_windows

PairLabel = Literal["supported", "contradicted", "neutral", "not_supported"]
"""`not_supported` is neutral or contradicted, unknown which."""
LABELS: tuple[PairLabel, ...] = get_args(PairLabel)


class EntailmentPair(NamedTuple):
    """A premise, a hypothesis, and what the premise says about it.

    Examples:
        >>> EntailmentPair("Notice is one month.", "It takes a month.", "supported").label
        'supported'
    """

    premise: str
    hypothesis: str
    label: PairLabel


class AnswerPair(NamedTuple):
    """A question, a passage, and whether the passage answers it.

    Examples:
        >>> AnswerPair("How long is notice?", "Notice is one month.", answers=True).answers
        True
    """

    question: str
    passage: str
    answers: bool


def read_pairs(path: str | os.PathLike[str]) -> list[EntailmentPair]:
    """Return the pairs of a file of JSON lines, which may be compressed (`.gz`).

    Each line is an object with `premise`, `hypothesis` and `label`; other keys are ignored.

    Raises:
        CiteguardError: A line that is no pair, with its number; or the file cannot be read.

    Examples:
        >>> from pathlib import Path
        >>> from tempfile import mkdtemp
        >>> file = Path(mkdtemp(), "pairs.jsonl")
        >>> line = '{"premise": "It rains.", "hypothesis": "It snows.", "label": "contradicted"}'
        >>> _ = file.write_text(line)
        >>> read_pairs(file)
        [EntailmentPair(premise='It rains.', hypothesis='It snows.', label='contradicted')]
    """
    file = Path(path)
    opened = gzip.open if file.suffix == ".gz" else open
    try:
        with opened(file, "rt", encoding="utf-8") as lines:
            return [_pair(line, file, n) for n, line in enumerate(lines, 1) if line.strip()]
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise CiteguardError(f"{file} cannot be read: {error}") from error


def _pair(line: str, file: Path, number: int) -> EntailmentPair:
    try:
        row: Any = json.loads(line)
        return check_pair(EntailmentPair(row["premise"], row["hypothesis"], row["label"]))
    except (json.JSONDecodeError, KeyError, TypeError, CiteguardError) as error:
        raise CiteguardError(f"line {number} of {file.name} is no pair: {error}") from error


def check_pair(pair: EntailmentPair) -> EntailmentPair:
    """Return a pair whose texts are strings and whose label is known.

    Raises:
        CiteguardError: It is none.
    """
    if not isinstance(pair, tuple) or len(pair) != 3:  # pyright: ignore[reportUnnecessaryIsInstance, reportUnnecessaryComparison]
        raise CiteguardError(f"expected an EntailmentPair, got {described(pair)}")
    premise, hypothesis, label = pair
    for name, text in (("premise", premise), ("hypothesis", hypothesis)):
        if not isinstance(text, str) or not text.strip():  # pyright: ignore[reportUnnecessaryIsInstance]
            raise CiteguardError(f"the {name} must be a text with words, not {described(text)}")
    if label not in LABELS:
        raise CiteguardError(
            f"the label must be one of {', '.join(LABELS)}, not {described(label)}"
        )
    return EntailmentPair(premise, hypothesis, label)


def read_given(call: str, pairs: Iterable[EntailmentPair]) -> list[EntailmentPair]:
    """Return the pairs that a call was given, checked.

    Raises:
        CiteguardError: There are none, or something is no pair; the message names the call.
    """
    rows: list[EntailmentPair] = []
    for pair in pairs:
        try:
            rows.append(check_pair(pair))
        except CiteguardError as error:
            raise CiteguardError(f"{call}(): pair {len(rows) + 1}: {error}") from error
    if not rows:
        raise CiteguardError(f"{call}() needs pairs, and there are none")
    return rows


def fingerprint(values: Iterable[Any]) -> str:
    """Return a hash of pairs, or of other JSON-like data, which changes with their order, too."""
    digest = hashlib.sha256()
    for value in values:
        digest.update(json.dumps(value).encode())
    return digest.hexdigest()


_SHORT = 400  # characters of a premise that gets company


def with_distractors(
    pairs: Sequence[EntailmentPair], *, share: float = 0.4, most: int = 3, seed: int = 0
) -> Iterator[EntailmentPair]:
    """Yield the pairs, and put sentences of other premises around some of the short premises.

    So a model learns to look for the sentence that decides: in use it reads windows of several.
    A sentence that shares a third of the hypothesis's longer words is not used, because it might
    decide otherwise.

    Args:
        pairs: The pairs.
        share: The share of the short premises, up to 400 characters, that get company, 0 to 1.
        most: The most sentences that are put around one.
        seed: Of the choice.

    Raises:
        CiteguardError: A share out of range.

    Examples:
        >>> pairs = [
        ...     EntailmentPair("Notice is one month.", "It takes a month.", "supported"),
        ...     EntailmentPair("Lunch is free.", "Lunch costs nothing.", "supported"),
        ... ]
        >>> next(with_distractors(pairs, share=1, most=1, seed=1)).premise
        'Lunch is free. Notice is one month.'
    """
    check_number("with_distractors(share=...)", share, 0, 1)
    random = Random(seed)
    short = [pair for pair in pairs if len(pair.premise) <= _SHORT]
    for pair in pairs:
        if len(pair.premise) > _SHORT or random.random() >= share or len(short) < 2:
            yield pair
            continue
        words = set(_words(pair.hypothesis))
        around: list[str] = []
        for _ in range(random.randint(1, most)):
            other = random.choice(short).premise
            first, last = random.choice(list(sentence_windows(other, size=1, overlap=0)))
            # A sentence about the same thing might decide otherwise.
            if len(words & set(_words(other[first:last]))) * 3 < len(words):
                around.append(other[first:last].strip())
        place = random.randint(0, len(around))
        premise = " ".join((*around[:place], pair.premise, *around[place:]))
        yield pair._replace(premise=premise)


def _words(text: str) -> Iterable[str]:
    return (word for word in text.casefold().split() if len(word) > 3)
