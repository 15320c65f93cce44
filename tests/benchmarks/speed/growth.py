"""How time grows with the input: twice as much text, at most 2.3 times the time."""

import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from time import process_time

from pydantic import ValidationError

from citeguard import Answer, Sources, audit, locate

from .texts import Prose
from .timing import Row, seconds

_MOST = 2.3
_NEGLIGIBLE = 0.05  # seconds of the larger input, below which noise decides
_LEAST = 0.3  # seconds of the smaller input, up to which it is doubled
_MOST_DOUBLINGS = 4

Text = Callable[[int], str]


def rows(_: Prose | None = None) -> Iterator[Row]:
    """Measure each action on each kind of text, cold: sources are prepared within it."""
    for kind, (text, quote) in texts().items():
        for name, action in _ACTIONS.items():
            yield _row(f"growth: {name}, {kind}", lambda n, t=text, q=quote, a=action: a(t(n), q))


def _row(case: str, run: Callable[[int], object]) -> Row:
    size = 1_000
    one = _seconds(run, size)
    for _ in range(_MOST_DOUBLINGS):
        if one > _LEAST:
            break
        size, one = 2 * size, _seconds(run, 2 * size)
    two = _seconds(run, 2 * size)
    if two > _MOST * one:  # again, as the caches may have been cold
        one, two = min(one, _seconds(run, size)), min(two, _seconds(run, 2 * size))
    return Row(
        case=f"{case}, {2 * size:,}",
        ours=seconds(two),
        ratio=f"{two / one:.2f}",
        aim=f"≤ {_MOST:g}",
        met=two <= max(_MOST * one, _NEGLIGIBLE),
    )


def _seconds(run: Callable[[int], object], size: int) -> float:
    start = process_time()
    with suppress(ValidationError):
        run(size)
    return process_time() - start


def _check(text: str, quote: str) -> object:
    answer = {"statements": [{"text": "So it is.", "citations": [{"quote": quote}]}]}
    return Answer.model_validate(answer, context=Sources(text).as_context())


def _check_long(text: str, _: str) -> object:
    """A quote as long as the text, with one word changed."""
    return _check(text, text[: len(text) // 2] + " changed " + text[len(text) // 2 :])


def _audit(text: str, quote: str) -> object:
    return audit(text, Sources(quote))


def _audit_sources(text: str, quote: str) -> object:
    return audit(f"It is so. “{quote}”", Sources(text))


_ACTIONS: dict[str, Callable[[str, str], object]] = {
    "check": _check,
    "check of a quote as long": _check_long,
    "locate": lambda text, quote: locate(quote, Sources(text)),
    "search": lambda text, quote: Sources(text).search(quote),
    "audit of the text": _audit,
    "audit beside it": _audit_sources,
}


def texts() -> dict[str, tuple[Text, str]]:
    """Return, by kind, what makes a text of so many units, and a quote that is nearly of it."""
    return {
        "brackets": (lambda n: "[aa] " * n, "aa bb aa aa bb aa aa aa"),
        "unclosed brackets": (lambda n: "[aa (b {c " * n, "aa bb aa aa bb aa aa aa"),
        "log lines": (_log, "request 17 took 12 ms on host alpha and was not served"),
        "checklists": (lambda n: "- [ ] x\n- [x] wash the car\n" * n, "wash the bar, dry the car"),
        "ellipses": (lambda n: "well ... " * n, "well ... then ... well ... so it was"),
        "dots": (lambda n: ". . . … " * n + "end", "the end of it all was near"),
        "repeated tokens": (lambda n: "the cat " * n, "the cat the dog the cat sat"),
        "repeated letters": (lambda n: "a" * 8 * n, "aaaaaaaaaaaaaaaaaaaaaaaab"),
        "blanks": (lambda n: "a" + " " * 8 * n + "b", "a c b and so it goes on"),
        "line breaks": (lambda n: "a\n\n\n\n" * n, "a b a a a c and so it goes on"),
        "side notes": (_side_notes, "the words of the text were wet"),
        "transcripts": (_transcript, "we will open it in the autumn of the year"),
        "dollars and braces": (lambda n: "$x^{2 \\emph{a} " * n, "x to the power of two and more"),
        "backslashes": (lambda n: "a\\nb \\\\ " * n, "b and a and c and so it goes on"),
        "numbers": (lambda n: "1,000 2.5 (3) -4% " * n, "1,000 2.5 and 3 and minus 4"),
        "markup": (lambda n: "<a <b> &amp; **x _y " * n, "x and y and so it goes on again"),
        "tables": (lambda n: "| a | 12 | b |\n|---|---|---|\n" * n, "a 12 b a 13 b a 12 b"),
    }


def _log(n: int) -> str:
    rng = random.Random(7)
    hosts = ("alpha", "beta", "gamma")
    return "".join(
        f"[2024-01-{i % 28 + 1:02} 12:{i % 60:02}:00] [INFO] [{rng.choice(hosts)}] request {i} took"
        f" {rng.randrange(99)} ms\n"
        for i in range(n)
    )


def _side_notes(n: int) -> str:
    lines = ("the words of the text were set in lines", "and the margin had a note beside them")
    return "".join(
        f"{lines[i % 2]:<48}{'Note' if i % 3 == 0 else ''}".rstrip() + "\n" for i in range(n)
    )


def _transcript(n: int) -> str:
    return "WEBVTT\n\n" + "".join(
        f"{i}\n00:{i // 60 % 60:02}:{i % 60:02}.000 --> 00:{i // 60 % 60:02}:{i % 60:02}.900\n"
        "<v Ann>we will open it in the spring\n\n"
        for i in range(n)
    )
