"""Measure what tidying accepts and refuses.

Paragraphs of XQuAD and clapnq are hyphenated as the lines of a PDF file are, and a scripted model
returns the text with one change of what it says.
"""

import json
import logging
import re
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from citeguard import Source
from citeguard.datasets import negatives
from citeguard.language.sentences import sentence_intervals
from citeguard.library.tidying import Tidied, tidy
from llm_server import LLMServer, Reply, Request

from ..data import rows
from ..tables import table

_SETS = ("xquad_en", "clapnq")
_SHORTEST = 300  # characters of a paragraph
_WIDTH = 72
_CONTEXT = 64_000
_MOST_CHANGED = 60  # paragraphs of a data set, for each change


@dataclass(frozen=True, slots=True)
class Case:
    """A damaged text, and what the model makes of it: numbers of paragraphs, and their text."""

    raw: str
    replies: list[tuple[list[int], str]]


def main(data_folder: Path) -> int:
    """Measure, and write the tables to standard output."""
    logging.disable(logging.CRITICAL)
    texts = {name: list(paragraphs(data_folder, name)) for name in _SETS}
    changes = [
        [name, data, *_changed(change, own)]
        for name, change in CHANGES.items()
        for data, own in texts.items()
    ]
    _write(table("Changes", ("change", "data", "made", "without effect", "passed"), changes))
    made, passed = (sum(int(str(row[column])) for row in changes) for column in (2, 4))
    sys.stdout.write(f"{made} changes made, {passed} passed.\n")
    return 0


def _write(lines: Iterator[str]) -> None:
    for line in lines:
        sys.stdout.write(line + "\n")
    sys.stdout.flush()


def paragraphs(folder: Path, name: str) -> Iterator[str]:
    """Yield the long paragraphs of a data set, each once, spaced as they are printed."""
    seen: set[str] = set()
    for row in rows(folder / f"{name}.jsonl.gz"):
        text = _as_printed(" ".join(row["context"][0]["text"].split()))
        if len(text) >= _SHORTEST and text not in seen:
            seen.add(text)
            yield text


def _as_printed(text: str) -> str:
    """Return a text without the blanks that tokenizing puts around its signs."""
    text = re.sub(r"`` ?(.*?) ?''", r'"\1"', text)
    text = re.sub(r" (?=[.,;:!?)%]|'s\b|n't\b)|(?<=\() ", "", text)
    return text.replace(" - ", "-").replace(" -- ", " – ")


# Damage


def hyphenated(text: str, rng: Random, width: int = _WIDTH) -> list[str]:
    """Return the lines of a text, with words hyphenated where lines end, as in print."""
    words, line = text.split(), ""
    lines: list[str] = []
    while words:
        word = words.pop(0)
        room = width - len(line) - 1
        if len(line) + len(word) < width:
            line = f"{line} {word}".strip()
            continue
        if word.isalpha() and word.islower() and len(word) > 6 and room > 4 and rng.random() < 0.7:
            cut = rng.randint(3, min(len(word) - 3, max(3, room - 1)))
            line, word = f"{line} {word[:cut]}-", word[cut:]
        lines.append(line)
        line = word
    return [*filter(None, lines), line]


# Changes of what is said


def _negative(kind: Any) -> Callable[[str, Random], str | None]:
    def change(text: str, rng: Random) -> str | None:
        sentences = [text[low:high] for low, high in sentence_intervals(text)]
        for sentence in rng.sample(sentences, len(sentences)):
            seed = rng.randrange(1_000)
            made = negatives(sentence, text, source_id="1", kinds=[kind], seed=seed)
            if made:
                return text.replace(sentence, made[0].text)
        return None

    return change


def _replaced(pattern: str, by: Callable[[re.Match[str], Random], str]) -> Any:
    def change(text: str, rng: Random) -> str | None:
        found = list(re.finditer(pattern, text))
        if not found:
            return None
        match = rng.choice(found)
        return text[: match.start()] + by(match, rng) + text[match.end() :]

    return change


def _other_digit(match: re.Match[str], rng: Random) -> str:
    return rng.choice([digit for digit in "0123456789" if digit != match[0]])


def _sentences(reorder: Callable[[list[str], Random], list[str]]) -> Any:
    def change(text: str, rng: Random) -> str | None:
        own = [text[low:high] for low, high in sentence_intervals(text)]
        changed = reorder(own, rng) if len(own) > 1 else own
        return None if changed == own else " ".join(changed)

    return change


def _exchanged(sentences: list[str], rng: Random) -> list[str]:
    place = rng.randrange(len(sentences) - 1)
    first, other = sentences[place : place + 2]
    return [*sentences[:place], other, first, *sentences[place + 2 :]]


def _without_one(sentences: list[str], rng: Random) -> list[str]:
    place = rng.randrange(len(sentences))
    return [*sentences[:place], *sentences[place + 1 :]]


def _swapped_words(match: re.Match[str], rng: Random) -> str:
    return f"{match[2]} {match[1]}" if match[1] != match[2] else f"{match[1]}"


_WORDINGS: Mapping[str, Callable[[str, Random], str | None]] = {
    "number": _negative("number"),
    "date": _negative("date"),
    "unit": _negative("unit"),
    "negation": _negative("negation"),
    "name": _negative("entity"),
    "digit": _replaced(r"\d", _other_digit),
    "digit omitted": _replaced(r"\d", lambda match, rng: ""),
    "digits apart": _replaced(r"(?<=\d)(?=\d)", lambda match, rng: " "),
    "decimal or thousands mark omitted": _replaced(r"(?<=\d)[.,](?=\d)", lambda match, rng: ""),
    "“not” omitted": _replaced(r" (?:not|never|no)(?= )", lambda match, rng: ""),
    "“not” added": _replaced(r"(?<=is)(?= )|(?<= was)(?= )", lambda match, rng: " not"),
    "word in quotation": _replaced(
        r'(?<=")[^"\s]+(?=[^"]*")', lambda match, rng: rng.choice(["so", "rather", "nearly"])
    ),
    "quotation marks omitted": _replaced(r'"([^"]+)"', lambda match, rng: match[1]),
    "word omitted": _replaced(r" [a-z]+(?= )", lambda match, rng: ""),
    "word added": _replaced(r"(?<=[a-z]) (?=[a-z])", lambda match, rng: " mostly "),
    "word replaced": _replaced(r"(?<= )[a-z]{4,}(?= )", lambda match, rng: "something"),
    "words exchanged": _replaced(r"\b([A-Za-z]+) ([a-z]+)\b", _swapped_words),
    "words joined": _replaced(r"(?<=[a-z]) (?=[a-z])", lambda match, rng: ""),
    "word split": _replaced(r"(?<= [a-z]{3})(?=[a-z]{3})", lambda match, rng: " "),
    "capital": _replaced(r"(?<= )[A-Z](?=[a-z])", lambda match, rng: match[0].lower()),
    "comma omitted": _replaced(r",(?= )", lambda match, rng: ""),
    "sentence added": _sentences(lambda own, rng: [*own, "Experts agree that this is certain."]),
    "sentence omitted": _sentences(_without_one),
    "sentence twice": _sentences(lambda own, rng: [*own, rng.choice(own)]),
    "sentences exchanged": _sentences(_exchanged),
    "first sentence alone": _sentences(lambda own, rng: own[:1]),
}


def _reworded(change: Callable[[str, Random], str | None]) -> Callable[[str, Random], Case | None]:
    def damaged(text: str, rng: Random) -> Case | None:
        changed = change(text, rng)
        if changed is None or changed == text:
            return None
        return Case("\n".join(hyphenated(text, rng)), [([1], changed)])

    return damaged


def _rearranged(change: Callable[[list[str], Random], list[str]]) -> Any:
    def damaged(text: str, rng: Random) -> Case:
        lines = textwrap.wrap(text, _WIDTH)
        return Case("\n".join(lines), [([1], "\n".join(change(lines, rng)))])

    return damaged


def _cell_omitted(text: str, rng: Random) -> Case | None:
    """Omit a line of a table with a name or a figure on each."""
    cells = re.findall(r"\b(?:[A-Z][a-z]+(?: [A-Z][a-z]+)*|\d+)\b", text)
    place = rng.randrange(1, len(cells) - 1) if len(cells) > 3 else 0
    if not place:
        return None
    rest = [*cells[:place], *cells[place + 1 :]]
    return Case("\n".join(cells), [([1], "\n".join(rest))])


def _paragraph_omitted(text: str, rng: Random) -> Case:
    parts = [text[low:high] for low, high in sentence_intervals(text)]
    place = rng.randrange(len(parts))
    texts = ["" if i == place else part for i, part in enumerate(parts)]
    return Case("\n\n".join(parts), [([i], part) for i, part in enumerate(texts, 1)])


def _paragraphs_exchanged(text: str, rng: Random) -> Case:
    parts = [text[low:high] for low, high in sentence_intervals(text)]
    return Case(
        "\n\n".join(parts),
        [(list(range(1, len(parts) + 1)), "\n\n".join(_exchanged([*parts, ""], rng)))],
    )


CHANGES: Mapping[str, Callable[[str, Random], Case | None]] = {
    **{name: _reworded(change) for name, change in _WORDINGS.items()},
    "line omitted": _rearranged(_without_one),
    "lines exchanged": _rearranged(_exchanged),
    "lines read as two columns": _rearranged(lambda lines, rng: [*lines[::2], *lines[1::2]]),
    "cell of a table omitted": _cell_omitted,
    "paragraph omitted": _paragraph_omitted,
    "paragraphs exchanged": _paragraphs_exchanged,
}

# Measuring


def _tidied(cases: Sequence[Case]) -> list[Tidied]:
    """Tidy each text with a model that replies as the case says."""
    queue = {json.dumps(_paragraphs_of(case.raw)): case for case in cases}

    def route(request: Request) -> Reply:
        data = json.loads("\n".join(request.texts[-1].splitlines()[1:-1]))
        case = queue[json.dumps([each["text"] for each in data["paragraphs"]])]
        return Reply({"paragraphs": [{"numbers": own, "text": text} for own, text in case.replies]})

    with LLMServer(route) as server:
        client = server.client()
        return [
            tidy(Source("raw", case.raw), client, model="scripted", context_tokens=_CONTEXT)
            for case in cases
        ]


def _paragraphs_of(raw: str) -> list[str]:
    return [part.strip() for part in re.split(r"\n[ \t]*\n", raw) if part.strip()]


def _changed(
    change: Callable[[str, Random], Case | None], texts: Sequence[str]
) -> Iterator[object]:
    rng = Random(1)
    made = (case for text in texts if (case := change(text, rng)) is not None)
    cases = list(islice(made, _MOST_CHANGED))
    # Accepted or not, the words must be those of the raw text, in its order.
    passed = sum(
        _undamaged(each.source.text) != _undamaged(each.raw.text) for each in _tidied(cases)
    )
    yield len(cases)
    yield f"{1 - passed / max(1, len(cases)):.1%}"
    yield passed


def _undamaged(text: str) -> list[str]:
    """Return the words of a text in its order, without what breaks words at line ends."""
    return text.replace("-\n", "").split()
