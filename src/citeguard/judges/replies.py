"""What a language model replies as a judge, and what may be believed of it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, Literal

from pydantic import BaseModel, Field

from citeguard.judges.verdicts import (
    Alignment,
    AlignmentQuestion,
    Evidence,
    SupportQuestion,
    Verdict,
)
from citeguard.language.tokens import is_long_enough, length_of
from citeguard.sources.collection import Source, Sources, Span
from citeguard.sources.matches import locate

_MOST_WORDS = 1_000  # characters; to look for more takes long, and a phrase was asked for
_LEAST_WORDS = 4  # letters or digits, as for a quote
_ID_LENGTH = 8  # hexadecimal digits


class CaseReply(BaseModel):
    """The verdict on one case."""

    id: str = Field(description="The id of the case, copied as it stands in the data.")
    reason: str = Field(default="", description="In one sentence, what the evidence says of it.")
    verdict: Literal["supported", "contradicted", "unsupported"] = Field(
        description="What the evidence makes of the statement."
    )
    words: str = Field(
        default="", description="The words of the evidence that decide, copied verbatim."
    )


class SupportReply(BaseModel):
    """One verdict for each case, matched by id."""

    verdicts: list[CaseReply] = Field(description="Exactly one verdict for each id.")


class AlignmentReply(BaseModel):
    """Whether the answer answers the question, and one verdict for each statement with evidence."""

    reason: str = Field(default="", description="In one sentence, why it is answered, or is not.")
    answered: bool = Field(description="Whether the statements together answer the question.")
    verdicts: list[CaseReply] = Field(description="One verdict for each id that has evidence.")


def support_data(questions: Sequence[SupportQuestion]) -> dict[str, Any]:
    """Return questions as the data of a prompt."""
    return {"cases": _listed(questions)}


def alignment_data(question: AlignmentQuestion) -> dict[str, Any]:
    """Return a question about an answer as the data of a prompt."""
    asked = {} if question.question is None else {"question": question.question}
    return {**asked, "statements": _listed(question.statements)}


def support_verdicts(
    questions: Sequence[SupportQuestion], reply: SupportReply, judge: str
) -> list[Verdict]:
    """Return a verdict for each question, in order.

    A question whose id is missing from the reply, or there twice, is `undecided`, and so is one
    whose deciding words do not stand in its evidence. Ids that nobody asked about are passed over.
    """
    replies = _by_id(reply.verdicts)
    identified = zip(ids_of(questions), questions, strict=True)
    return [_verdict(question, replies.get(name, ()), judge) for name, question in identified]


def alignment_verdicts(question: AlignmentQuestion, reply: AlignmentReply, judge: str) -> Alignment:
    """Return the verdicts on an answer and its statements, with the care of `support_verdicts`."""
    answered = reply.answered or question.question is None
    replies = _by_id(reply.verdicts)
    return Alignment(
        answer=Verdict(
            "supported" if answered else "unsupported", reason=reply.reason, judge=judge
        ),
        statements=tuple(
            _verdict(each, replies.get(name, ()), judge) if each.evidence else None
            for name, each in zip(ids_of(question.statements), question.statements, strict=True)
        ),
    )


def ids_of(questions: Sequence[SupportQuestion]) -> list[str]:
    """Return the ids of questions in a prompt, all different: an answer may say the same twice."""
    ids = [id_of(question) for question in questions]
    before = (ids[:place].count(each) for place, each in enumerate(ids))
    return [f"{each}-{n + 1}" if n else each for each, n in zip(ids, before, strict=True)]


def id_of(question: SupportQuestion) -> str:
    """Return an id for a question: a digest, so that no text can easily foresee it."""
    said = json.dumps(asdict(question)).encode()
    # With a letter before it: of digits alone some models make a number.
    return f"c{hashlib.sha256(said).hexdigest()[:_ID_LENGTH]}"


def _listed(questions: Sequence[SupportQuestion]) -> list[dict[str, Any]]:
    return [
        {
            "id": name,
            "statement": question.statement,
            "evidence": [_passage(evidence) for evidence in question.evidence],
        }
        for name, question in zip(ids_of(questions), questions, strict=True)
    ]


def _passage(evidence: Evidence) -> dict[str, str]:
    named = {} if evidence.source_id is None else {"source": evidence.source_id}
    return {**named, "text": evidence.text}


def _by_id(replies: Sequence[CaseReply]) -> Mapping[str, Sequence[CaseReply]]:
    grouped: dict[str, list[CaseReply]] = {}
    for reply in replies:
        grouped.setdefault(reply.id.strip(), []).append(reply)
    return grouped


def _verdict(question: SupportQuestion, replies: Sequence[CaseReply], judge: str) -> Verdict:
    if len(replies) != 1:
        told = "no verdict" if not replies else f"{len(replies)} verdicts"
        return Verdict("undecided", reason=f"{judge}: gave {told} for this statement", judge=judge)
    (reply,) = replies
    if not reply.words.strip() and reply.verdict == "unsupported":
        return Verdict("unsupported", reason=reply.reason, judge=judge)
    found = _find(reply.words, question.evidence)
    if found is None:
        flaw = "do not stand in the evidence" if reply.words.strip() else "are missing"
        told = f"said {reply.verdict!r}, but its deciding words {flaw}"
        return Verdict("undecided", reason=f"{judge}: {told}", judge=judge)
    words, span = found
    return Verdict(reply.verdict, reason=reply.reason, words=words, span=span, judge=judge)


def _find(words: str, evidence: Sequence[Evidence]) -> tuple[str, Span | None] | None:
    """Return words as they stand in the evidence, and where in a source, or `None`.

    As few as stand nearly anywhere do not count, unless they are all there is.
    """
    if len(words) > _MOST_WORDS:
        return None
    for passage in evidence:
        least = min(_LEAST_WORDS, length_of(passage.text))
        if least == 0 or not is_long_enough(words, least):
            continue
        match = locate(words, Sources([Source("evidence", passage.text)]))
        if match is None or not match.accepted:
            continue
        return match.text, passage.span(match.span.start, match.span.end)
    return None
