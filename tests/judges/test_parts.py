from itertools import pairwise
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from citeguard.judges.verdicts import (
    ALIGNMENT,
    SUPPORT,
    Alignment,
    AlignmentQuestion,
    Evidence,
    Outcome,
    SupportQuestion,
    Verdict,
)
from rows import each_row

sentences = st.sampled_from(
    ["It is so. ", "Is it? ", "No!\n\n", "A much longer sentence stands here, with a comma. ", "x"]
)
prose = st.lists(sentences, max_size=40).map("".join)
texts = prose | st.text(st.characters(), max_size=300)
steady = settings(deadline=None, derandomize=True)
limits = st.integers(1, 120)


@st.composite
def passages(draw: st.DrawFn) -> tuple[Evidence, ...]:
    return tuple(
        Evidence(text=draw(texts), source_id=f"s{number}", start=draw(st.integers(0, 50)))
        for number in range(draw(st.integers(0, 4)))
    )


def shown(evidence: tuple[Evidence, ...]) -> int:
    return sum(len(each.text) for each in evidence)


def covered(parts: list[tuple[Evidence, ...]]) -> set[tuple[str | None, int]]:
    """Return every place of a source that some part shows."""
    return {
        (each.source_id, each.start + offset)
        for part in parts
        for each in part
        for offset in range(len(each.text))
    }


def asked(*evidence: Evidence) -> SupportQuestion:
    return SupportQuestion(statement="It is so.", evidence=evidence)


def cut(text: str, limit: int) -> list[str]:
    """Return a text as the parts show it."""
    parts = SUPPORT.split(asked(Evidence(text=text)), limit)
    return [each.text for part in parts for each in part.evidence]


class TestSplitSupport:
    @steady
    @given(passages(), limits)
    def test_shows_what_stands_there_within_the_limit_and_leaves_out_nothing_but_blanks(
        self, evidence: tuple[Evidence, ...], limit: int
    ) -> None:
        whole = {each.source_id: each for each in evidence}
        parts = [part.evidence for part in SUPPORT.split(asked(*evidence), limit)]
        for part in parts:
            assert shown(part) <= limit
            for piece in part:
                source = whole[piece.source_id]
                start = piece.start - source.start
                assert piece.text == source.text[start : start + len(piece.text)]
        places = covered(parts)
        for each in evidence:
            for offset, character in enumerate(each.text):
                assert (each.source_id, each.start + offset) in places or character.isspace()

    @steady
    @given(prose, limits)
    def test_repeats_no_more_than_an_eighth(self, text: str, limit: int) -> None:
        parts = SUPPORT.split(asked(Evidence(text=text)), limit)
        pieces = [each for part in parts for each in part.evidence]
        for before, after in pairwise(pieces):
            assert 0 <= before.start + len(before.text) - after.start <= limit / 8

    def test_cuts_between_sentences(self) -> None:
        assert [text.strip() for text in cut("One is here. Two is here. Three is here.", 30)] == [
            "One is here. Two is here.",
            "Three is here.",
        ]


class TestCombineSupport:
    @each_row(
        ("outcomes", "expected"),
        [
            (["supported"], "supported"),
            (["unsupported", "supported"], "supported"),
            (["undecided", "supported"], "supported"),
            (["contradicted", "supported"], "supported"),
            (["unsupported", "undecided"], "undecided"),
            (["contradicted", "undecided"], "undecided"),
            (["unsupported", "contradicted"], "contradicted"),
            (["unsupported", "unsupported"], "unsupported"),
        ],
    )
    def test_rules(self, outcomes: list[Outcome], expected: Outcome) -> None:
        verdicts = [Verdict(outcome) for outcome in outcomes]
        assert SUPPORT.combine(verdicts).outcome == expected
        assert SUPPORT.combine(verdicts[::-1]).outcome == expected


@st.composite
def answers(draw: st.DrawFn) -> AlignmentQuestion:
    evidence = draw(st.lists(passages(), max_size=4))
    return AlignmentQuestion(
        question="So?",
        statements=tuple(
            SupportQuestion(statement=f"Statement {number}.", evidence=each)
            for number, each in enumerate(evidence)
        ),
    )


class TestSplitAlignment:
    @steady
    @given(answers(), limits)
    def test_shows_every_statement_in_every_part_within_the_limit(
        self, question: AlignmentQuestion, limit: int
    ) -> None:
        statements = [each.statement for each in question.statements]
        for part in ALIGNMENT.split(question, limit):
            assert part.question == "So?"
            assert [each.statement for each in part.statements] == statements
            assert sum(shown(each.evidence) for each in part.statements) <= limit


def said(*outcomes: Any, answer: Outcome = "supported") -> Alignment:
    verdicts = tuple(None if outcome is None else Verdict(outcome) for outcome in outcomes)
    return Alignment(answer=Verdict(answer), statements=verdicts)


class TestCombineAlignment:
    def test_takes_each_statement_from_all_parts(self) -> None:
        combined = ALIGNMENT.combine(
            [said("unsupported", None, "contradicted"), said("supported", None, "unsupported")]
        )
        assert combined == said("supported", None, "contradicted")


def cuts(text: str, limit: int) -> set[int]:
    """Return the places inside a text at which a part begins or ends."""
    parts = SUPPORT.split(asked(Evidence(text=text)), limit)
    pieces = [each for part in parts for each in part.evidence]
    ends = {place for each in pieces for place in (each.start, each.start + len(each.text))}
    return ends - {0, len(text)}


def is_inside_a_word(text: str, place: int) -> bool:
    # Marks count: "12.5" and "1,000" are one number each, and so is "-3".
    return not any(map(str.isspace, text[place - 1 : place + 1]))


ROWS = [(f"Town {number}", 100_000 + 37 * number, number * 1.25) for number in range(200)]
MARKS = {
    "a table": "\n".join(f"| {town} | {people:,} | {share} |" for town, people, share in ROWS),
    "rows of a CSV": "\n".join(f"{town};{people};{share}" for town, people, share in ROWS),
    "tabs": "\n".join(f"{town}\t{people}\t{share}" for town, people, share in ROWS),
    "an endless line": " ".join(f"{town} has {people} people;" for town, people, _ in ROWS),
    "an endless list of numbers": " ".join(f"{people:,}" for _, people, _ in ROWS),
    "lines of many words": ("extraordinarily long words without any stop " * 9 + "\n") * 20,
}
table_words = st.sampled_from(["is", "100,000", "12.5", "-3", "|", "neverending", "%"])
lines = st.lists(st.tuples(table_words, st.sampled_from([" ", "\n", "\t", "  "])), min_size=1)


class TestCutsInLongSentences:
    @each_row("limit", [40, 250, 1_000])
    @each_row("text", MARKS.values(), ids=MARKS.keys())
    def test_are_never_inside_a_word_or_a_number(self, text: str, limit: int) -> None:
        places = cuts(text, limit)
        assert places
        assert not [place for place in places if is_inside_a_word(text, place)]

    @steady
    @given(lines, st.integers(12, 60))
    def test_are_between_blanks_wherever_words_fit(
        self, pairs: list[tuple[str, str]], limit: int
    ) -> None:
        text = "".join(word + blank for word, blank in pairs)
        assert not [place for place in cuts(text, limit) if is_inside_a_word(text, place)]
