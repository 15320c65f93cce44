"""Questions with long evidence, put part by part; and one verdict from those on the parts."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import zip_longest
from typing import TypeVar

from citeguard.judges.verdicts import (
    Alignment,
    AlignmentQuestion,
    Evidence,
    SupportQuestion,
    Verdict,
)
from citeguard.language.sentences import sentence_intervals

_OVERLAP = 8  # a part repeats up to this share (one in 8) of the one before, so that no fact is cut

_SOURCES_KEPT = 16

Q = TypeVar("Q")
Part = tuple[Evidence, ...]


def support_length(question: SupportQuestion) -> int:
    """Count the characters of evidence."""
    return _size(question.evidence)


def alignment_length(question: AlignmentQuestion) -> int:
    """Count the characters of evidence, of all statements."""
    return sum(_size(statement.evidence) for statement in question.statements)


def split_support(question: SupportQuestion, limit: int) -> list[SupportQuestion]:
    """Return questions with at most `limit` characters of evidence each, which together have all.

    Evidence is cut between sentences where it can be, and a part begins with the last sentences
    of the part before.
    """
    return [replace(question, evidence=part) for part in _parts(question.evidence, limit)]


def batches(
    questions: Sequence[Q], length: Callable[[Q], int], *, most: int | None, limit: int | None
) -> list[list[Q]]:
    """Group questions, in order: no more than `most` and, unless one has more, `limit` characters.

    Args:
        questions: What to group.
        length: Counts the characters of evidence of a question.
        most: The most questions in a group; `None` for any number.
        limit: The most characters of evidence in a group; `None` for any number.
    """
    groups: list[list[Q]] = []
    room = 0
    for question in questions:
        size = length(question)
        if not groups or len(groups[-1]) == most or size > room:
            groups.append([])
            room = sys.maxsize if limit is None else limit
        groups[-1].append(question)
        room -= size
    return groups


def combine_support(verdicts: Sequence[Verdict]) -> Verdict:
    """Return what verdicts on the parts of the evidence say together.

    One part that supports the statement is enough. Failing that, nobody can tell as long as one
    part is undecided; then a contradiction counts for more than silence.
    """
    order = ("supported", "undecided", "contradicted", "unsupported")
    return min(verdicts, key=lambda verdict: order.index(verdict.outcome))


def split_alignment(question: AlignmentQuestion, limit: int) -> list[AlignmentQuestion]:
    """Return questions that show all statements, each with the evidence of some of them.

    No question has more than `limit` characters of evidence.
    """
    loads = [
        (place, part)
        for place, statement in enumerate(question.statements)
        if statement.evidence
        for part in _parts(statement.evidence, limit)
    ]
    return [_only(question, dict(group)) for group in _grouped(loads, limit)] or [question]


def combine_alignment(alignments: Sequence[Alignment]) -> Alignment:
    """Return what verdicts on an answer, given part by part, say together.

    Every part shows the whole answer, so the first one that can tell says whether it answers the
    question.
    """
    answers = [alignment.answer for alignment in alignments]
    return Alignment(
        answer=next((answer for answer in answers if answer.decided), answers[0]),
        statements=tuple(
            combine_support(verdicts) if verdicts else None for verdicts in by_statement(alignments)
        ),
    )


def by_statement(alignments: Sequence[Alignment]) -> list[list[Verdict]]:
    """Return, for each statement, the verdicts that there are on it."""
    columns = zip_longest(*(alignment.statements for alignment in alignments))
    return [[verdict for verdict in column if verdict is not None] for column in columns]


def _only(question: AlignmentQuestion, evidence: dict[int, Part]) -> AlignmentQuestion:
    statements = (
        replace(statement, evidence=evidence.get(place, ()))
        for place, statement in enumerate(question.statements)
    )
    return replace(question, statements=tuple(statements))


def _grouped(loads: Sequence[tuple[int, Part]], limit: int) -> list[list[tuple[int, Part]]]:
    groups: list[list[tuple[int, Part]]] = []
    room = 0
    for place, part in loads:
        size = _size(part)
        # Two parts of one statement's evidence never meet in one question.
        if not groups or size > room or groups[-1][-1][0] == place:
            groups.append([])
            room = limit
        groups[-1].append((place, part))
        room -= size
    return groups


def _parts(evidence: Part, limit: int) -> list[Part]:
    if _size(evidence) <= limit:
        return [evidence]
    parts: list[list[Evidence]] = []
    room = 0
    for piece in (piece for passage in evidence for piece in _cut(passage, limit)):
        if not parts or len(piece.text) > room:
            parts.append([])
            room = limit
        parts[-1].append(piece)
        room -= len(piece.text)
    return [tuple(part) for part in parts]


# Many statements may cite one long source, and to find its sentences takes a while.
@lru_cache(maxsize=_SOURCES_KEPT)
def _cut(passage: Evidence, limit: int) -> tuple[Evidence, ...]:
    return tuple(_pieces(passage, limit))


def _pieces(passage: Evidence, limit: int) -> Iterator[Evidence]:
    """Cut a passage into pieces of at most `limit` characters, which overlap."""
    text, start = passage.text, 0
    if len(text) <= limit:
        yield passage
        return
    ends = [end for _, end in sentence_intervals(text)]
    done = 0
    while True:
        # A sentence that is longer than a piece is cut where the piece ends.
        fitting = [end for end in ends if done < end <= start + limit]
        if not fitting:
            start = done  # no room for what would be repeated
            fitting = [end for end in ends if done < end <= start + limit]
        end = fitting[-1] if fitting else _between_words(text, start, start + limit)
        yield replace(passage, text=text[start:end], start=passage.start + start)
        if not text[end:].strip():
            return
        repeated = [past for past in ends if max(start, end - limit // _OVERLAP) <= past < end]
        if not fitting:
            places = range(max(start + 1, end - limit // _OVERLAP), end)
            repeated = [place for place in places if _is_at_blank(text, place)][:1]
        start = repeated[0] if repeated and repeated[0] > start else end
        done = end


def _between_words(text: str, start: int, end: int) -> int:
    """Return the last place up to `end` where no word or number is cut, if it is beyond `start`.

    At a blank if there is one; else beside a sign that is no part of a number; else beside any.
    """
    if end >= len(text):
        return len(text)
    for is_border in (_is_at_blank, _is_outside_number, _is_outside_word):
        for place in range(end, start, -1):
            if is_border(text, place):
                return place
    return end


def _is_at_blank(text: str, place: int) -> bool:
    return text[place - 1].isspace() or text[place].isspace()


def _is_outside_word(text: str, place: int) -> bool:
    return not (text[place - 1].isalnum() and text[place].isalnum())


def _is_outside_number(text: str, place: int) -> bool:
    return _is_outside_word(text, place) and not re.search(r"\d", text[place - 1 : place + 1])


def _size(part: Part) -> int:
    return sum(len(evidence.text) for evidence in part)
