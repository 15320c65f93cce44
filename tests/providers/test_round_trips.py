"""Answers written in each provider's unit, and read again: the same words at the same places."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeguard import Answer, Source, Sources, Span
from citeguard.language.tokens import to_word_borders
from citeguard.providers import ImportedAnswer, Segment
from citeguard.providers.offsets import Unit
from citeguard.validation.models import Citation

WORDS = (
    "notice month the a probation — “quoted” Übergröße naïve e\u0301te\u0301 n\u0303 ĉu "
    "👩‍🚀 👍🏽 🇩🇪 😀 x² 𝒳 한국어 각각 กำหนด नोटिस ระยะ 予告期間 は 一か月 です 。 通知期 "
    "فترة الإشعار שהר חֹדֶשׁ \u200fשנה 30 % $5 I.V. …"
).split()
MARKS = [" ", " ", " ", "  ", "\n", "", ", ", ". "]

UNITS: tuple[Unit, ...] = ("code_points", "utf16", "utf8")
BLANK = " \n,.…—"
MOST = 30  # words of a text


def texts(pick: random.Random, most: int = MOST) -> str:
    """Return a text of words in many scripts, with repetitions."""
    few = pick.sample(WORDS, pick.randint(2, 12))
    return "".join(pick.choice(few) + pick.choice(MARKS) for _ in range(pick.randint(1, most)))


def part(pick: random.Random, text: str, whole_words: bool) -> tuple[int, int]:
    """Return an interval of a text that is not blank."""
    while True:
        start = pick.randrange(len(text))
        end = min(len(text), start + pick.randint(1, 60))
        if whole_words:  # as chunks are cut: at white space, which is no part of them
            start = max(text.rfind(blank, 0, start) for blank in " \n") + 1
            end = min(at for blank in " \n" if (at := (text + blank).find(blank, end)) >= 0)
            end = start + len(text[start:end].rstrip(BLANK))
            start = end - len(text[start:end].lstrip(BLANK))
        if text[start:end].strip():
            return start, end


def answers(seed: int, *, whole_words: bool) -> ImportedAnswer:
    """Return an answer whose segments, in order and apart, cite random places of two sources."""
    pick = random.Random(seed)
    while not any(map(str.isalnum, first := texts(pick))):
        pass
    sources = Sources(
        [
            Source("a", first, url="https://example.org/a"),
            Source("b", "b " + texts(pick), url="https://example.org/b"),
        ]
    )
    text = texts(pick)
    most = min(len(text) + 1, 2 * pick.randint(1, 6))
    places = sorted(pick.sample(range(len(text) + 1), most))
    segments: list[Segment] = []
    for start, end in zip(places[::2], places[1::2], strict=False):
        if whole_words:
            start, end = to_word_borders(text, start, end)
        if text[start:end].strip() and not (segments and start < segments[-1].end):
            cited = [citation(pick, sources, whole_words) for _ in range(pick.randint(1, 8))]
            cited = [each for place, each in enumerate(cited) if each not in cited[:place]]
            ids = dict.fromkeys(each.span.source_id for each in cited)
            segments.append(Segment(start=start, end=end, source_ids=(*ids,), citations=(*cited,)))
    answer = ImportedAnswer.model_construct(statements=[], text=text, segments=tuple(segments))
    return answer.with_sources(sources)


def citation(pick: random.Random, sources: Sources, whole_words: bool) -> Citation:
    """Return a citation of a random place."""
    source = pick.choice([*sources])
    place = Span(source.id, *part(pick, source.text, whole_words))
    return Citation.model_construct(
        quote=sources.slice(place), source_id=source.id, spans=(place,), grade="exact"
    )


Places = list[tuple[int, int, tuple[str, ...], list[Span]]]


def cited(answer: ImportedAnswer, *, with_spans: bool = True) -> Places:
    return [
        (
            each.start,
            each.end,
            each.source_ids,
            [one.spans[0] for one in each.citations] if with_spans else [],
        )
        for each in answer.segments
    ]


def converse(answer: ImportedAnswer) -> dict[str, Any]:
    """Return an answer as Bedrock's Converse writes it."""
    content: list[Any] = []
    for block in answer.to_anthropic()["content"]:
        citations = [
            {
                "sourceContent": [{"text": each["cited_text"]}],
                "location": {
                    "documentChar": {
                        "documentIndex": each["document_index"],
                        "start": each["start_char_index"],
                        "end": each["end_char_index"],
                    }
                },
            }
            for each in block["citations"] or []
        ]
        cited = {"content": [{"text": block["text"]}], "citations": citations}
        content.append({"citationsContent": cited} if citations else {"text": block["text"]})
    return {"output": {"message": {"role": "assistant", "content": content}}}


def same_in_anthropic(answer: ImportedAnswer) -> bool:
    again = Answer.from_anthropic(answer.to_anthropic(), answer.sources)
    return (cited(again), again.findings) == (cited(answer), ())


def same_in_converse(answer: ImportedAnswer) -> bool:
    again = Answer.from_bedrock(converse(answer), answer.sources)
    return (cited(again), again.findings) == (cited(answer), ())


def same_in_gemini(answer: ImportedAnswer) -> bool:
    # Chunks have no offsets: of words that a source has twice, the finding is `ambiguous`.
    again = Answer.from_gemini(answer.to_gemini(), answer.sources)
    unsure = ("ambiguous", "text_not_in_document")
    if {each.kind for each in again.findings} - {*unsure}:
        return False
    for written, read in zip(answer.segments, again.segments, strict=True):
        of_segment = [each for each in again.findings if each.segment == (read.start, read.end)]
        doubted = {each.quote for each in of_segment}
        sure = {each.span for each in written.citations if each.quote not in doubted}
        place = read.start, read.end, read.source_ids
        same = (written.start, written.end, written.source_ids) == place
        if not same or not sure <= {each.span for each in read.citations}:
            return False
    return True


PAGES = Sources(
    [Source(name, "Nothing.", url=f"https://example.org/{name}") for name in ("a", "b")]
)


def same_in_openai(answer: ImportedAnswer) -> bool:
    # OpenAI repeats no words, so that only segments that cut no word can be proved.
    again = Answer.from_openai(answer.to_openai(), PAGES)
    same = cited(again, with_spans=False) == cited(answer, with_spans=False)
    return same and {each.kind for each in again.findings} <= {"no_quote"}


ROUNDS: dict[str, tuple[Callable[[ImportedAnswer], bool], bool]] = {
    "anthropic": (same_in_anthropic, False),
    "converse": (same_in_converse, False),
    "gemini": (same_in_gemini, True),
    "openai": (same_in_openai, True),
}
"""For each provider whether a round loses nothing, and whether only whole words can be proved."""


class TestRoundTrips:
    # 100,000 places of each kind were tried when this was written.
    @pytest.mark.parametrize("name", ROUNDS)
    @given(seed=st.integers(0, 2**32))
    def test_keep_every_place(self, name: str, seed: int) -> None:
        same, whole_words = ROUNDS[name]
        assert same(answers(seed, whole_words=whole_words))
