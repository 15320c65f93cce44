"""How long an answer of 10 statements over 5 sources of 5,000 characters takes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from statistics import median

from citeguard import Answer, Policy, Sources, verify
from citeguard.judges.grounding import GroundingVerifier
from citeguard.judges.verdicts import Evidence, SupportQuestion
from citeguard.verifier.evidence import index_of

from ..tables import table
from .data import Item

_SOURCES, _LENGTH, _STATEMENTS, _TIMES = 5, 5_000, 10, 20


def speed_table(items: Sequence[Item]) -> Iterator[str]:
    """Write the time of the verifier alone, and of validations with it."""
    long = [item for item in items if len(item.evidence[0]) >= _LENGTH]
    texts = [item.evidence[0][:_LENGTH] for item in long[:_SOURCES]]
    evidence = tuple(Evidence(text=text, source_id=str(n)) for n, text in enumerate(texts))
    questions = [
        SupportQuestion(statement=item.statement, evidence=evidence) for item in long[:_STATEMENTS]
    ]
    verifier = GroundingVerifier()

    def cold() -> None:
        index_of.cache_clear()
        verifier.judge(questions)

    rows = [
        ("verifier, evidence never seen", _milliseconds(cold)),
        ("verifier, evidence seen before", _milliseconds(lambda: verifier.judge(questions))),
    ]
    rows += list(_validations(texts, [question.statement for question in questions]))
    yield from table("10 statements, 5 sources of 5,000 characters", ["", "ms"], rows)


def _validations(texts: Sequence[str], statements: Sequence[str]) -> Iterator[tuple[str, str]]:
    sources = Sources(list(texts))
    quoted = list(zip(sources.ids, texts, strict=True))
    data = {
        "statements": [
            {"text": statement, "citations": [_citation(*quoted[place % len(quoted)])]}
            for place, statement in enumerate(statements)
        ]
    }
    # Nothing is to fail, so that the same is measured each time: the verdict is on the statement.
    verifier = GroundingVerifier(supported_from=0, unsupported_below=0)
    policy = Policy(support=[verifier], evidence="source", undecided="pass")
    context = sources.as_context(policy)
    yield (
        "`verify`, again",
        _milliseconds(lambda: verify(Answer, data, sources=sources, policy=policy)),
    )
    yield (
        "`model_validate`, again",
        _milliseconds(lambda: Answer.model_validate(data, context=context)),
    )


def _citation(source_id: str, text: str) -> dict[str, str]:
    return {"quote": " ".join(text.split(" ")[:8]), "source_id": source_id}


def _milliseconds(work: Callable[[], object]) -> str:
    work()
    times: list[float] = []
    for _ in range(_TIMES):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return f"{1000 * median(times):.1f}"
