"""Results of the checks as plain text, for a language model that has called a tool.

Each says first whether everything is right, then what to correct, and then where the rest was
found. A text that is too long ends with how much is missing; the data beside it has everything.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from citeguard.language.excerpts import counted_as, in_lines, shown
from citeguard.sources.collection import Passage, Sources
from citeguard.validation.examine import CheckedAnswer, CheckedCitation, Problem, place_name
from citeguard.validation.models import Citation

# Maximum length of a text in characters: clients cut off results of about 25,000 tokens.
_LONGEST = 20_000

_QUOTE_LIMIT = 300  # characters of a quote, claim or piece of evidence


def quote_text(checked: CheckedCitation, sources: Sources) -> str:
    """Return whether a quote was found, and where, or what is wrong with it."""
    if checked.found is None:
        return joined("The quote cannot be used.", *map(_problem, checked.problems))
    return f"The quote is in the source: {_place(checked.found, sources)}"


def answer_text(checked: CheckedAnswer, sources: Sources) -> str:
    """Return what is wrong with an answer, part by part, and where its valid quotes are."""
    wrong = [f"{each.path}: {_problem(each)}".removeprefix(": ") for each in checked.all_problems]
    citations = [each for statement in checked.statements for each in statement.citations]
    counted = ", ".join(
        counted_as(len(parts), noun)
        for parts, noun in ((checked.statements, "statement"), (citations, "quote"))
    )
    verdict = "no problem" if not wrong else f"{counted_as(len(wrong), 'problem')} to correct"
    return joined(f"{counted}: {verdict}.", *wrong, *_answer_places(checked, sources))


def passages_text(passages: Sequence[Passage], sources: Sources) -> str:
    """Return the passages that a search has found, each under its place."""
    if not passages:
        return "No passage of the sources fits. Try other words."
    listed = (
        f"{shown(place_name(each.span, sources), _QUOTE_LIMIT)}\n{in_lines(each.text)}"
        for each in passages
    )
    return joined(f"{counted_as(len(passages), 'passage')}, the most relevant first.", *listed)


def joined(*parts: str) -> str:
    """Return paragraphs as one text, with as many as there is room for."""
    room = _LONGEST - 100  # for the last line
    kept: list[str] = []
    for part in parts:
        room -= len(part) + 2
        if room < 0:
            missing = len(parts) - len(kept)
            return "\n\n".join([*kept, f"[{missing:,} more in the structured content]"])
        kept.append(part)
    return "\n\n".join(kept)


def _answer_places(checked: CheckedAnswer, sources: Sources) -> Iterator[str]:
    for number, statement in enumerate(checked.statements):
        verdict = statement.verdict
        if verdict is not None and verdict.outcome == "supported":
            yield f"statements[{number}]: supported by what it cites"
        for position, citation in enumerate(statement.citations):
            if citation.found is not None:
                place = _place(citation.found, sources)
                yield f"statements[{number}].citations[{position}]: found in {place}"


def _problem(problem: Problem) -> str:
    return f"{problem.code}: {problem.message}"


def _place(found: Citation, sources: Sources) -> str:
    """Return where a quote is, how it was found, and what its own sentence does to it."""
    place = f"{place_name(found.spans[0], sources)} ({found.grade})"
    if found.quoted_as is not None:
        place += f", in the source's words: “{shown(found.quote, _QUOTE_LIMIT)}”"
    if found.framing is not None:
        frame = shown(found.framing.words, _QUOTE_LIMIT)
        place += f". Beware: it is {found.framing.kind} by its own sentence: “{frame}”"
    return place
