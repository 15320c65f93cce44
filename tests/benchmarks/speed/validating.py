"""What the quotes of an answer add to parsing it."""

from collections.abc import Iterator
from functools import partial

from pydantic import BaseModel, ConfigDict

from citeguard import Answer, Sources

from .texts import Prose, passage
from .timing import Row, best_in_turns, seconds


class _Citation(BaseModel):
    model_config = ConfigDict(frozen=True)

    quote: str
    source_id: str | None = None
    spans: tuple[str, ...] = ()
    grade: str | None = None
    quoted_as: str | None = None
    framing: None = None


class _Statement(BaseModel):
    model_config = ConfigDict(frozen=True)

    text: str
    citations: list[_Citation]


class _Answer(BaseModel):
    model_config = ConfigDict(frozen=True)

    statements: list[_Statement]
    question: str | None = None


def rows(prose: Prose) -> Iterator[Row]:
    """Validate 10 verbatim quotes over 10 sources of 5,000 characters."""
    text = prose.first(50_000)
    texts = {f"s{i}": text[5_000 * i : 5_000 * (i + 1)] for i in range(10)}
    context = Sources(texts).as_context()
    for named in (True, False):
        answer = answer_from(texts, named=named)
        ours, bare = best_in_turns(
            (
                partial(Answer.model_validate, answer, context=context),
                partial(_Answer.model_validate, answer),
            ),
            25,
        )
        yield Row(
            case=f"validate 10 quotes, {'with' if named else 'without'} source_id",
            ours=seconds(ours),
            peer="the same models, bare",
            theirs=seconds(bare),
            ratio=f"+{seconds(ours - bare)}",
        )


def answer_from(texts: dict[str, str], *, named: bool) -> dict[str, object]:
    """Return an answer that quotes every text, two quotes a statement."""
    citations = [
        {"quote": passage(text, 1_000 + 61 * i, 120)} | ({"source_id": name} if named else {})
        for i, (name, text) in enumerate(texts.items())
    ]
    pairs = zip(citations[::2], citations[1::2], strict=True)
    return {"statements": [{"text": "So it says.", "citations": list(pair)} for pair in pairs]}
