"""What a failed assertion shows: every failure, its quote beside the nearest passage.

Lines are at most 72 columns wide, so that they fit into 80 behind what pytest puts before them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from pydantic import ValidationError

from citeguard.language.excerpts import counted_as, shown
from citeguard.sources.collection import Sources, Span
from citeguard.sources.matches import Edit
from citeguard.validation import messages
from citeguard.validation.messages import list_edits, word_diff

_WIDTH = 72
_LABEL_WIDTH = 11  # the longest label, its indentation, and two spaces
_TEXT_LIMIT = 400
_MESSAGE_LIMIT = 600
_PLACE_LIMIT = 160
_MOST_SHOWN = 10  # failures with their passages
_MOST_LISTED = 40  # failures with a line at least

# Errors of the user's own validators may have facts of the same names that are something else.
_FACTS: dict[str, Any] = {
    **dict.fromkeys(("quote", "source_id", "nearest", "judge", "reason", "words"), str),
    **dict.fromkeys(("nearest_span", "span"), Span),
    "edits": tuple,
    "score": float,
}

_LEGEND = "In a diff, [-the quote's words-] and {+the source's words+}."


@dataclass(frozen=True, slots=True)
class Failure:
    """One thing that is wrong, or that nobody could tell.

    Attributes:
        loc: Where in the answer, as Pydantic counts; empty for the whole.
        code: The error's code.
        message: Its message.
        value: What failed.
        facts: What is known of it: of a line error's `ctx` what citeguard's errors say.
    """

    loc: tuple[int | str, ...]
    code: str
    message: str
    value: Any
    facts: Mapping[str, Any]

    @property
    def place(self) -> str:
        """Where in the answer, as Python would write it."""
        steps = (f"[{each}]" if isinstance(each, int) else f".{each}" for each in self.loc)
        return shown("".join(steps).removeprefix("."), _PLACE_LIMIT)

    @property
    def span(self) -> Span | None:
        """Where in the sources the nearest passage stands, or the words that decide."""
        return self.facts.get("nearest_span") or self.facts.get("span")


def failures_of(error: ValidationError) -> list[Failure]:
    """Return the lines of a validation error, in its order."""
    return [
        Failure(line["loc"], line["type"], line["msg"], line["input"], _facts(line.get("ctx", {})))
        for line in error.errors(include_url=False)
    ]


def _facts(said: Mapping[str, Any]) -> dict[str, Any]:
    return {name: fact for name, fact in said.items() if isinstance(fact, _FACTS.get(name, ()))}


def report(failures: Sequence[Failure], sources: Sources, subject: str) -> str:
    """Write down failures for the reader of a test's output, the first line being a summary.

    The first ten are shown in full, thirty more in a line each, and further ones are counted.
    """
    full, brief = failures[:_MOST_SHOWN], failures[_MOST_SHOWN:_MOST_LISTED]
    blocks = [list(_lines(failure, sources)) for failure in full]
    legend = [_LEGEND] if any("  diff" in line[:6] for block in blocks for line in block) else []
    lines = [*_wrapped(_summary(failures, subject)), *legend]
    for block in blocks:
        lines += ["", *block]
    if brief:
        lines += ["", *(line for failure in brief for line in _wrapped(_headline(failure)))]
    if left := len(failures) - len(full) - len(brief):
        lines.append(f"… and {left} more")
    return "\n".join(lines)


def _summary(failures: Sequence[Failure], subject: str) -> str:
    codes = Counter(failure.code for failure in failures)
    undecided = codes.pop("undecided", 0)
    counted = ", ".join(f"{code} ({n})" if n > 1 else code for code, n in codes.items())
    if not codes:
        return f"{undecided} undecided in {subject}: nothing is known to be wrong"
    problems = f"{counted_as(codes.total(), 'problem')} in {subject}: {counted}"
    return f"{problems}; {undecided} undecided" if undecided else problems


def _lines(failure: Failure, sources: Sources) -> Iterator[str]:
    yield from _wrapped(_headline(failure))
    for label, text in _rows(failure, sources):
        first, *others = _wrapped(text, _WIDTH - _LABEL_WIDTH) or [""]
        yield f"  {label}".ljust(_LABEL_WIDTH) + first
        yield from (" " * _LABEL_WIDTH + other for other in others)


def _headline(failure: Failure) -> str:
    reasons = (edit.reason for edit in _edits(failure) if edit.material)
    kinds = dict.fromkeys(reason for reason in reasons if reason != "clipped")
    if (score := failure.facts.get("score")) is not None:
        kinds[f"score {score:.2f}"] = None
    why = f" ({shown(', '.join(kinds), _PLACE_LIMIT)})" if kinds else ""
    at = f"{failure.place}: " if failure.place else ""
    return f"{at}{failure.code}{why}"


def _rows(failure: Failure, sources: Sources) -> Iterator[tuple[str, str]]:
    """Yield what is known of a failure: labels and texts."""
    if isinstance(quote := failure.facts.get("quote"), str) and failure.span is not None:
        yield from _quote_rows(quote, failure, failure.span, sources)
    elif failure.code == "undecided" or "reason" in failure.facts:
        yield from _verdict_rows(failure, sources)
    else:
        yield from _other_rows(failure)


def _quote_rows(
    quote: str, failure: Failure, span: Span, sources: Sources
) -> Iterator[tuple[str, str]]:
    passage, difference = _passage(quote, failure, span, sources)
    cited = failure.facts.get("source_id")
    # Where no words differ, the blanks do, and those that cannot be seen are written out.
    show = _shown if difference or failure.code != "quote_altered" else _spelled_out
    yield "quote", show(quote)
    if cited is not None and cited != span.source_id:
        yield "cites", _shown(cited)
    yield "source", show(passage)
    yield "in", _where(span, sources)
    if difference:
        yield "diff", shown(difference, _TEXT_LIMIT)


def _passage(quote: str, failure: Failure, span: Span, sources: Sources) -> tuple[str, str]:
    """Return the passage that a quote is shown beside, and the words that differ."""
    text, edits = sources[span.source_id].text, _edits(failure)
    nearest = str(failure.facts.get("nearest", ""))
    if failure.code == "quote_clipped":
        whole = messages.widened(text, span.start, span.end, edits)
        return messages.around(text, span.start, span.end), word_diff(quote, whole, edits)
    if failure.code == "quote_denied":
        return messages.around(text, span.start, span.end), ""
    if failure.code == "quote_wrong_source":
        return nearest, ""
    if nearest != (stretch := sources.slice(span)):  # the parts of an elided quote
        left = [edit for edit in edits if edit.source != "…"]
        return stretch, list_edits(left) or word_diff(quote, stretch)
    return nearest, word_diff(quote, nearest, edits, exact=not edits)


def _verdict_rows(failure: Failure, sources: Sources) -> Iterator[tuple[str, str]]:
    facts = failure.facts
    if isinstance(failure.value, str):
        yield "text", _shown(failure.value)
    if judge := facts.get("judge"):
        yield "judge", _shown(str(judge))
    if reason := facts.get("reason"):
        yield "reason", _shown("; ".join(str(reason).splitlines()))
    if words := facts.get("words"):
        yield "source", _shown(str(words))
    if failure.span is not None:
        yield "in", _where(failure.span, sources)


def _other_rows(failure: Failure) -> Iterator[tuple[str, str]]:
    if isinstance(failure.value, (str, int, float)):
        yield "value", _shown(str(failure.value))
    if isinstance(quote := failure.facts.get("quote"), str) and quote != failure.value:
        yield "quote", _shown(quote)
    yield "problem", shown(failure.message, _MESSAGE_LIMIT)


def _edits(failure: Failure) -> tuple[Edit, ...]:
    return tuple(edit for edit in failure.facts.get("edits", ()) if isinstance(edit, Edit))


def _shown(text: str) -> str:
    return shown(text, _TEXT_LIMIT)


def _spelled_out(text: str) -> str:
    """Show a text with every character that cannot be seen as an escape."""
    seen = (c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    return shown("".join(seen).replace("  ", "\\x20\\x20"), _TEXT_LIMIT)


def _where(span: Span, sources: Sources) -> str:
    """Say where a passage is: the source's id, and the file and line, as editors can open them."""
    source_id, found = shown(span.source_id, _PLACE_LIMIT), sources.location_of(span)
    path = _path(sources[span.source_id].url)
    if path is not None and found.line is not None:
        return f"{source_id}, {path}:{found.line}"
    return ", ".join(filter(None, (source_id, path, shown(str(found), _PLACE_LIMIT))))


def _path(url: str | None) -> str | None:
    """Return the path in a file's URL, from the current folder if it is in there."""
    from urllib.request import url2pathname  # slow to load, and only failures need it

    with suppress(ValueError):
        parts = urlsplit(url or "")
        if parts.scheme == "file" and not parts.netloc:
            path = Path(url2pathname(parts.path))
            here = Path.cwd()
            return str(path.relative_to(here) if path.is_relative_to(here) else path)
    return None


def _wrapped(text: str, width: int = _WIDTH) -> list[str]:
    """Break a text into lines that are at most so many columns wide."""
    # Only a failure needs it. Unlike `textwrap` it knows that an ideograph takes two columns.
    from rich.console import Console
    from rich.text import Text

    lines: Iterable[Text] = Text(text).wrap(Console(width=width), width)
    return [line.plain.rstrip() for line in lines]
