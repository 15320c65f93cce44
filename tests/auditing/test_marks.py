"""Citation marks: what is one, what it cites, and which claims it belongs to."""

from hypothesis import given
from hypothesis import strategies as st

from citeguard import Source, Sources
from citeguard.auditing.claims import Claim
from citeguard.auditing.marks import find_marks, marks_of, without_marks
from quotes.tables import cases
from rows import each_row

DOCS = Sources({f"doc-{number}": "It rained." for number in range(1, 6)})
NUMBERED = Sources({"1": "It rained.", "7": "It snowed."})
WORKS = Sources(
    [
        Source("smith2020", "It rained."),
        Source("lee_doe_2019", "It snowed."),
        Source("weather", "It hailed.", title="García & van Dijk (2018). A study of hail"),
        Source("brown2021a", "It froze."),
        Source("brown2021b", "It thawed."),
        Source("handbook", "It was dry.", title="The Handbook"),
    ]
)

OPENED, BETWEEN, CLOSED = "\ue200", "\ue202", "\ue201"

Found = list[tuple[str, tuple[str, ...], tuple[str, ...]]]


def found(text: str, sources: Sources = DOCS) -> Found:
    """Return the words, the ids and the unknown keys of each mark."""
    marks = find_marks(text, sources)
    return [(text[mark.start : mark.end], mark.cited, mark.unknown) for mark in marks]


def docs(*numbers: int) -> tuple[str, ...]:
    return tuple(f"doc-{number}" for number in numbers)


LISTED = Sources(["The company grew.", "It rained."])
LINKED = Sources(
    [
        Source("docs/a.md", "It rained.", title="Rain", url="https://www.example.org/rain_(b)"),
        Source("docs/b.md", "It snowed.", url="https://example.org/snow/"),
    ]
)
TURNS = Sources({"turn0search1": "It rained.", "turn0file0": "It snowed."})
LABELLED = {
    **dict.fromkeys(("numbers", "unknown numbers", "ids", "unknown ids"), DOCS),
    **dict.fromkeys(("no marks", "beside an id", "tags"), DOCS),
    **dict.fromkeys(("words", "files", "authors and years"), WORKS),
    **dict.fromkeys(("years", "unknown authors", "dates"), WORKS),
    **dict.fromkeys(("words beside numbers", "known beside unknown", "figures"), LISTED),
    **dict.fromkeys(("addresses", "other addresses"), LINKED),
    "marks for programs": TURNS,
}
"""The sources of each section of `cases.txt`."""


@each_row(("section", "sources"), LABELLED.items())
def test_what_a_text_cites(section: str, sources: Sources) -> None:
    for text, *marks in cases(section, "auditing"):
        cited = [
            f"{words} => {'; '.join([*ids, *(f'?{key}' for key in unknown)])}"
            for words, ids, unknown in found(text, sources)
        ]
        assert cited == marks, text


class TestNumbers:
    def test_named_twice_count_once(self) -> None:
        (mark,) = find_marks("It rained [1, 2, doc-1].", DOCS)
        assert mark.cited == ("doc-1", "doc-2")


class TestIds:
    def test_that_differ_in_capitals_only_are_told_apart(self) -> None:
        sources = Sources({"A-1": "It rained.", "a-1": "It snowed."})
        assert found("[A-1] [a-1] [a1]", sources) == [
            ("[A-1]", ("A-1",), ()),
            ("[a-1]", ("a-1",), ()),
            ("[a1]", (), ("a1",)),
        ]


class TestWords:
    @each_row(
        ("text", "unknown"),
        [
            ("It was dry [rain-policy].", ["rain-policy"]),
            ("It was dry. [almanac] It rained.", ["almanac"]),
            ("It was dry [almanac] and cold [docs/weather.md#L3].", ["almanac"]),
            ("It was dry [SLB+09].", ["SLB+09"]),
            (r"It was dry \citep[p. 3]{green1999}.", ["green1999"]),
        ],
    )
    def test_that_look_like_ids_are_unknown(self, text: str, unknown: list[str]) -> None:
        marks = find_marks(text, WORKS)
        assert [*marks[0].unknown] == unknown


class TestNoMarks:
    def test_backticks_that_do_not_match_are_no_code(self) -> None:
        assert [words for words, *_ in found("A ` b [1]\n\nc ` d [2] `` e")] == ["[1]", "[2]"]


class TestRoundBracketsAroundMarks:
    @each_row(
        ("written", "cited"),
        [
            ("([1])", (1,)),
            ("([1], [2])", (1, 2)),
            ("([1][2]; [3])", (1, 2, 3)),
            ("(see [1])", (1,)),
            ("(see [1], p. 3)", (1,)),
            ("(see [1], p. 3, and [2])", (1, 2)),
            ("([1](u))", (1,)),
        ],
    )
    def test_go_with_the_marks(self, written: str, cited: tuple[int, ...]) -> None:
        text = f"It rained {written}."
        assert [ids for _, ids, _ in found(text)] == [docs(number) for number in cited]
        assert without_marks(text, find_marks(text, DOCS)) == f"It rained {' ' * len(written)}."

    @each_row("text", ["(the [1])", "([1] says so)", "([1]", "(it [1], [2])", "() [1]"])
    def test_with_other_words_stay(self, text: str) -> None:
        assert "(" in without_marks(text, find_marks(text, DOCS))


PIECES = [
    *"[]()^¹²,;-–`.\n 12a\\【】", "doc-1", "doc-9", "[1]", "(Smith 2020)", "([1])", "(see ", "](",
    "#L3", "smith", "<sup>", "</sup>", "Source ", "It rained. ", "†", "```\n",
]  # fmt: skip
TEXTS = st.one_of(st.lists(st.sampled_from(PIECES), max_size=40).map("".join), st.text())


class TestProperties:
    @given(TEXTS, st.sampled_from([DOCS, NUMBERED, WORKS]))
    def test_marks_are_in_order_and_name_sources_that_exist(
        self, text: str, sources: Sources
    ) -> None:
        end = 0
        for mark in find_marks(text, sources):
            assert end <= mark.start < mark.end <= len(text)
            assert mark.cited or mark.unknown
            assert set(mark.cited) <= set(sources.ids)
            assert len({*mark.cited}) == len(mark.cited)
            end = mark.end

    @given(TEXTS, st.lists(st.tuples(st.integers(0, 60), st.integers(1, 30)), max_size=5))
    def test_claims_are_cited_by_marks_of_the_text(
        self, text: str, places: list[tuple[int, int]]
    ) -> None:
        claims = [claim(text, start, start + length) for start, length in places]
        marks = find_marks(text, DOCS)
        given_marks = marks_of(claims, marks, text)
        assert len(given_marks) == len(claims)
        for each in given_marks:
            assert set(each) <= set(marks)
            assert [*each] == sorted(set(each), key=lambda mark: mark.start)

    @each_row(
        "unit",
        [
            "[",
            "[1",
            "(Smith 2020",
            "`a``",
            "¹,",
            "<sup>1",
            "[1](a",
            "([1],",
            "(see [1], p. 3",
            "[a](https://x",
            "- - ",
            "\n",
            "(",
        ],
    )
    def test_hostile_text_ends(self, unit: str) -> None:
        find_marks(unit * 2_000, WORKS)


def claim(text: str, start: int, end: int, sentence: tuple[int, int] | None = None) -> Claim:
    return Claim(text=text[start:end], start=start, end=end, sentence=sentence or (start, end))


def cited(text: str, sentences: str) -> str:
    """Return the marks of each claim, separated by "|".

    Args:
        text: The text.
        sentences: The words of its claims: those of one sentence are separated by "+", sentences
            by "/".
    """
    claims: list[Claim] = []
    for clauses in (sentence.split(" + ") for sentence in sentences.split(" / ")):
        around = text.index(clauses[0]), text.index(clauses[-1]) + len(clauses[-1])
        starts = [(text.index(words), words) for words in clauses]
        claims += [claim(text, start, start + len(words), around) for start, words in starts]
    marks = marks_of(claims, find_marks(text, DOCS), text)
    return "|".join("".join(text[mark.start : mark.end] for mark in each) for each in marks)


class TestMarksOf:
    @each_row(
        ("text", "sentences", "expected"),
        [
            ("It rained [1].", "It rained [1].", "[1]"),
            ("It rained.[1]", "It rained.", "[1]"),
            ("It rained. [1] Then it froze.", "It rained. / Then it froze.", "[1]|"),
            ("It rained. [1] It froze. [2]", "It rained. / [1] It froze.", "[1]|[2]"),
            ("It rained. [1][2], [3] It froze.", "It rained. / It froze.", "[1][2][3]|"),
            ('He said: "It rained." [1] It froze.', 'He said: "It rained. / It froze.', "[1]|"),
            ("It rained [1], and it froze [2].", "It rained [1] + and it froze [2].", "[1]|[2]"),
            ("It rained [1], and it froze [2].", "It rained + and it froze", "[1]|[2]"),
            ("It rained and it froze [1, 2].", "It rained + it froze", "[1, 2]|[1, 2]"),
            (
                "It rained [1], it froze and it hailed [2].",
                "It rained + it froze + it hailed",
                "[1]|[2]|[2]",
            ),
            ("It rained [1] for days [2].", "It rained [1] for days [2].", "[1][2]"),
            ("[1] It rained and it froze.", "It rained + it froze", "[1]|[1]"),
            (
                "It rained in\nthe north\n[1]. It froze.",
                "It rained in\nthe north / It froze.",
                "[1]|",
            ),
            ("It rained.\n- [1] It froze.", "It rained. / It froze.", "|[1]"),
            ("[1] It rained. [2] It froze. [3]", "It rained. / It froze.", "[1]|[2][3]"),
            ("[1] It rained.\n\nIt froze. [2] Hail.", "It rained. / It froze. / Hail.", "[1]|[2]|"),
            ("[1] It rained [2]. It froze [3].", "It rained [2]. / It froze [3].", "[1][2]|[3]"),
            ("It rained.\n[1]\n\nIt froze.", "It rained. / It froze.", "[1]|"),
            ("It rained. Nobody cared. [1] It froze.", "It rained. / It froze.", "|"),
            ("It rained [1]. Nobody cared.", "Nobody cared.", ""),
            ("According to [1], it rained.", "it rained.", ""),
            ("[1]", "[1]", ""),
        ],
    )
    def test_by_place(self, text: str, sentences: str, expected: str) -> None:
        assert cited(text, sentences) == expected


class TestWithoutMarks:
    @given(TEXTS)
    def test_all_else_keeps_its_place(self, text: str) -> None:
        marks = find_marks(text, DOCS)
        blanked = without_marks(text, marks)
        inside = {place for mark in marks for place in range(mark.start, mark.end)}
        assert len(blanked) == len(text)
        for place, char in enumerate(text):
            # Round brackets around nothing but marks go with them.
            assert blanked[place] in ((" ",) if place in inside else (" ", char))
            assert blanked[place] == char or place in inside or "(" in text


class TestMarksForPrograms:
    """OpenAI's in private-use characters, and Cohere's tags."""

    TURNS = Sources({"turn0search1": "It rained.", "turn0file0": "It snowed."})

    @each_row(
        "text",
        [
            f"It rained {OPENED}cite{BETWEEN}turn0search1{CLOSED}.",
            "It <co>rained</co: 0>.",
            f"{OPENED}navlist{BETWEEN}News{CLOSED} It rained.",
        ],
    )
    def test_are_no_words(self, text: str) -> None:
        words = without_marks(text, find_marks(text, DOCS))
        assert len(words) == len(text)
        assert words.split() in (["It", "rained", "."], ["It", "rained."])
