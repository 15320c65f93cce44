"""A language model as a judge: `LLMJudge`, its replies, and what is accepted of them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, Field

from citeguard.errors import CiteguardError, check_kind
from citeguard.judges.cache import MemoryCache, VerdictCache
from citeguard.judges.loops import aside
from citeguard.judges.model_calls import Caller, named_client
from citeguard.judges.prompts import Prompt, read_prompt
from citeguard.judges.verdicts import (
    ALIGNMENT,
    SUPPORT,
    Alignment,
    AlignmentQuestion,
    Evidence,
    Judge,
    JudgeSettings,
    SupportQuestion,
    Verdict,
)
from citeguard.language.tokens import is_long_enough, length_of
from citeguard.sources.collection import Source, Sources, Span
from citeguard.sources.matches import locate

if TYPE_CHECKING:
    import instructor
    import openai


_MOST_WORDS = 1_000  # characters; searching for more takes long, and the prompt wants a phrase
_LEAST_WORDS = 4  # letters or digits, as for a quote
_ID_LENGTH = 8  # hexadecimal digits; of equal ones, `ids_of` numbers the second


class CaseReply(BaseModel):
    """The verdict on one case."""

    id: str = Field(description="The id of the case, copied from the data.")
    reason: str = Field(default="", description="In one sentence, what the evidence says about it.")
    verdict: Literal["supported", "contradicted", "unsupported"] = Field(
        description="Whether the evidence supports the statement."
    )
    words: str = Field(
        default="", description="The words of the evidence that decide, copied verbatim."
    )


class SupportReply(BaseModel):
    """One verdict for each case, matched by id."""

    verdicts: list[CaseReply] = Field(description="Exactly one verdict for each id.")


class AlignmentReply(BaseModel):
    """Whether the answer answers the question, and one verdict for each statement with evidence."""

    reason: str = Field(
        default="", description="In one sentence, why the question is answered or not."
    )
    answered: bool = Field(
        description="Whether the statements together answer the question, as far as sources do."
    )
    verdicts: list[CaseReply] = Field(description="One verdict for each id that has evidence.")


def support_data(questions: Sequence[SupportQuestion]) -> dict[str, Any]:
    """Return questions as data for a prompt."""
    return {
        "cases": [
            {
                "id": name,
                "statement": question.statement,
                "evidence": [_passage(evidence) for evidence in question.evidence],
            }
            for name, question in zip(ids_of(questions), questions, strict=True)
        ]
    }


def alignment_data(question: AlignmentQuestion) -> dict[str, Any]:
    """Return a question about an answer as data for a prompt."""
    asked = {} if question.question is None else {"question": question.question}
    data = {**asked, "statements": support_data(question.statements)["cases"]}
    if question.unanswerable is not None:
        data["unanswerable"] = question.unanswerable
        data["passages"] = list(map(_passage, question.passages))
    return data


def support_verdicts(
    questions: Sequence[SupportQuestion], reply: SupportReply, judge: str
) -> list[Verdict]:
    """Return a verdict for each question, in order.

    It is `undecided` if the reply does not have its id exactly once, or its deciding words are not
    found in the evidence. Unknown ids are ignored.
    """
    identified = zip(ids_of(questions), questions, strict=True)
    return [_verdict(question, name, reply.verdicts, judge) for name, question in identified]


def alignment_verdicts(question: AlignmentQuestion, reply: AlignmentReply, judge: str) -> Alignment:
    """Return the verdicts on an answer and its statements, checked as by `support_verdicts`."""
    # Without a question, there is none to leave open.
    answered = reply.answered or question.question is None
    return Alignment(
        answer=Verdict(
            "supported" if answered else "unsupported", reason=reply.reason, judge=judge
        ),
        statements=tuple(
            _verdict(each, name, reply.verdicts, judge) if each.evidence else None
            for name, each in zip(ids_of(question.statements), question.statements, strict=True)
        ),
    )


def ids_of(questions: Sequence[SupportQuestion]) -> list[str]:
    """Return the ids of questions in a prompt, all different even if a statement comes twice."""
    ids = [id_of(question) for question in questions]
    before = (ids[:place].count(each) for place, each in enumerate(ids))
    return [f"{each}-{n + 1}" if n else each for each, n in zip(ids, before, strict=True)]


def id_of(question: SupportQuestion) -> str:
    """Return an id for a question: a digest, which a text cannot easily predict."""

    def said(fields: Iterable[tuple[str, Any]]) -> dict[str, Any]:
        unsaid = ("pieces", "written")
        return {name: value for name, value in fields if name not in unsaid and value != ""}

    content = json.dumps(asdict(question, dict_factory=said)).encode()
    # With a letter before it: some models turn digits alone into a number.
    return f"c{hashlib.sha256(content).hexdigest()[:_ID_LENGTH]}"


def _passage(evidence: Evidence) -> dict[str, str]:
    named = {} if evidence.source_id is None else {"source": evidence.source_id}
    titled = {"title": evidence.title} if evidence.title else {}
    return {**named, **titled, "text": evidence.text}


def _verdict(
    question: SupportQuestion, name: str, verdicts: Sequence[CaseReply], judge: str
) -> Verdict:
    replies = [each for each in verdicts if each.id.strip() == name]
    if len(replies) != 1:
        count = "no verdict" if not replies else f"{len(replies)} verdicts"
        reason = f"{judge}: returned {count} for this statement"
        return Verdict("undecided", reason=reason, judge=judge)
    (reply,) = replies
    # No words of the evidence show that it does not say something.
    if not reply.words.strip() and reply.verdict == "unsupported":
        return Verdict("unsupported", reason=reply.reason, judge=judge)
    found = _find(reply.words, question.evidence)
    if found is None:
        flaw = "are not in the evidence" if reply.words.strip() else "are missing"
        reason = f"{judge}: returned {reply.verdict!r}, but its deciding words {flaw}"
        return Verdict("undecided", reason=reason, judge=judge)
    words, span = found
    return Verdict(reply.verdict, reason=reply.reason, words=words, span=span, judge=judge)


def _find(words: str, evidence: Sequence[Evidence]) -> tuple[str, Span | None] | None:
    """Return words as the evidence has them, and where in a source, or `None`.

    Words so short that nearly any text has them do not count, unless they are all of a passage.
    """
    if len(words) > _MOST_WORDS:
        return None
    for passage in evidence:
        least = min(_LEAST_WORDS, length_of(passage.text))
        if least == 0 or not is_long_enough(words, least):
            continue
        match = locate(words, Sources([Source("evidence", passage.text)]))
        # The prompt asks for words without omissions: those of an ellipsis could be anything.
        if match is None or not match.accepted or match.grade == "elided":
            continue
        if not is_long_enough(match.text, least):
            continue
        return match.text, passage.span(match.span.start, match.span.end)
    return None


_LONG = 10_000  # characters of evidence for which preparing and checking takes milliseconds


class LLMJudge:
    """A language model that decides whether evidence supports statements.

    One call takes several statements. A verdict counts only if the reply has exactly one for the
    statement's id and the deciding words are found in the evidence; else it is `undecided`, as it
    is when the call fails. Long evidence is split over several calls. It also judges answers as a
    whole (`Policy.alignment`), one call for each.

    Each call is made once: what the client itself retries, such as HTTP 429, it retries within
    `timeout`. With an asynchronous client a call that is cancelled, or times out, ends at once;
    with a synchronous one it ends later, in its thread. Either kind works from synchronous and
    asynchronous code, and works best in its own.

    Args:
        client: One of instructor's, for any provider; an `OpenAI` or `AsyncOpenAI`, for any
            compatible endpoint; or a provider and a model, such as "openai/gpt-5-mini", whose key
            is read from the environment.
        model: The model's name; by default the one that the client was made with.
        support: The prompt for questions about statements.
        alignment: The prompt for questions about a whole answer.
        options: Further arguments for each call, such as `{"temperature": 0}`.
        batch_size: The most statements in one call.
        concurrency: The most calls at a time, in one event loop.
        timeout: Seconds that one call may take; `None` for no limit.
        evidence_limit: The most characters of evidence in one call.
        cache: Where verdicts are kept, under the endpoint, model, options, prompt, statement and
            evidence; by default in memory, for the lifetime of the judge.
        price: The price of a million tokens, for `Usage.cost`.

    Raises:
        CiteguardError: A client of another kind, no model, or invalid settings; and when asked, if
            the endpoint answers that the key or the model does not exist.

    Examples:
        >>> import openai
        >>> client = openai.OpenAI(api_key="…", base_url="http://localhost:8000/v1")
        >>> LLMJudge(client, model="gpt-5-mini")
        LLMJudge('gpt-5-mini')
    """

    def __init__(
        self,
        client: instructor.Instructor | openai.OpenAI | openai.AsyncOpenAI | str,
        *,
        model: str | None = None,
        support: Prompt | None = None,
        alignment: Prompt | None = None,
        options: Mapping[str, Any] | None = None,
        batch_size: int = 5,
        concurrency: int = 16,
        timeout: float | None = 60.0,
        evidence_limit: int = 20_000,
        cache: VerdictCache | None = None,
        price: float = 0.0,
    ) -> None:
        check_kind("LLMJudge(support=...)", support, Prompt)
        check_kind("LLMJudge(alignment=...)", alignment, Prompt)
        self.support = support or read_prompt("support")
        self.alignment = alignment or read_prompt("alignment")
        settings = JudgeSettings(
            batch_size=batch_size,
            concurrency=concurrency,
            timeout=timeout,
            evidence_limit=evidence_limit,
            cache=MemoryCache() if cache is None else cache,
            price=price,
        )
        self._caller = Caller(
            client,
            "LLMJudge",
            model=model,
            options=options,
            concurrency=concurrency,
            timeout=timeout,
        )
        of_client, of_options = self._caller.identity
        # The model is shown the schema of its reply, so that a verdict depends on it.
        shapes = [reply.model_json_schema() for reply in (SupportReply, AlignmentReply)]
        # A digest, as the arguments may hold what should not be shown.
        digest = hashlib.sha256(repr((of_client, shapes, of_options)).encode()).hexdigest()
        version = (self.name, self.support.identity, self.alignment.identity, digest)
        self.settings = replace(settings, version=" ".join(version))

    def __repr__(self) -> str:
        """Name the model."""
        return f"LLMJudge({self.name!r})"

    @property
    def name(self) -> str:
        """Its name in verdicts: the model's."""
        return self._caller.name

    async def judge(self, questions: Sequence[SupportQuestion]) -> list[Verdict]:
        """Ask the model about statements, in one call."""
        long = sum(map(SUPPORT.length, questions)) > _LONG
        messages = await aside(long, lambda: self.support.messages(support_data(questions)))
        reply = await self._caller.ask(SupportReply, messages=messages)
        return await aside(long, support_verdicts, questions, reply, self.name)

    async def align(self, question: AlignmentQuestion) -> Alignment:
        """Ask the model about a whole answer, in one call."""
        long = ALIGNMENT.length(question) > _LONG
        messages = await aside(long, lambda: self.alignment.messages(alignment_data(question)))
        reply = await self._caller.ask(AlignmentReply, messages=messages)
        return await aside(long, alignment_verdicts, question, reply, self.name)


def named_judge(name: str, *, base_url: str | None = None, price: float = 0.0) -> Judge:
    """Return the judge that a name stands for, as the command's `--judge` takes it.

    It is a provider and a language model, such as "openai/gpt-5-mini"; `reader` for the shipped
    reader, which then must be installed, or `reader:FOLDER` for another one, or for an entailment
    model.
    """
    kind, _, folder = name.partition(":")
    if kind != "reader":
        return LLMJudge(named_client(name, base_url=base_url), price=price)
    from citeguard.judges.reader import ReaderJudge
    from citeguard.reader.model import shipped_reader

    if folder and not Path(folder).is_dir():  # else a name on the hub, and a download
        raise CiteguardError(f"{name}: expected the folder of a reader or a model")
    return ReaderJudge(folder or shipped_reader())
