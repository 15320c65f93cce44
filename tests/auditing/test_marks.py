"""Citation marks: what is one, what it cites, and which claims it belongs to."""

from hypothesis import given
from hypothesis import strategies as st

from citeguard import Source, Sources
from citeguard.auditing.claims import Claim
from citeguard.auditing.marks import find_marks, marks_of, without_marks
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
LISTED = Sources(["The company grew.", "It rained."])
LINKED = Sources(
    [
        Source("docs/a.md", "It rained.", title="Rain", url="https://www.example.org/rain_(b)"),
        Source("docs/b.md", "It snowed.", url="https://example.org/snow/"),
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


class TestNumbers:
    @each_row(
        ("written", "cited"),
        [
            ("[1]", (1,)),
            ("[1, 2]", (1, 2)),
            ("[1,\n2]", (1, 2)),
            ("[1-3]", (1, 2, 3)),
            ("[1, 3–5]", (1, 3, 4, 5)),
            ("[01]", (1,)),
            ("[[1]]", (1,)),
            ("[Source 1]", (1,)),
            ("[Source 1, Source 3]", (1, 3)),
            ("[see 1]", (1,)),
            ("[1, p. 5]", (1,)),
            ("(Source 1)", (1,)),
            ("(Sources 1 and 2)", (1, 2)),
            ("(see source 2)", (2,)),
            ("【1】", (1,)),
            ("【1†source】", (1,)),
            ("【4:0†doc-2】", (2,)),
            ("[^1]", (1,)),
            ("^1^", (1,)),
            ("<sup>1</sup>", (1,)),
            ("¹", (1,)),
            ("¹,²", (1, 2)),
            ("¹²", (1, 2)),
            ("[1](https://example.org/a_(b))", (1,)),
            ("[[1]](https://example.org)", (1,)),
        ],
    )
    def test_name_the_source_in_that_place(self, written: str, cited: tuple[int, ...]) -> None:
        assert found(f"It rained{written}.") == [(written, docs(*cited), ())]

    @each_row(
        ("written", "cited", "unknown"),
        [
            ("[9]", (), ("9",)),
            ("[1, 9]", (1,), ("9",)),
            ("[4-7]", (4, 5), ("6", "7")),
            ("[1-999]", (), ("1-999",)),
            ("(Source 9)", (), ("9",)),
            ("【4:0†source】", (), ("4:0†source",)),
            ("¹⁹", (), ("19",)),
        ],
    )
    def test_of_no_source_are_unknown(
        self, written: str, cited: tuple[int, ...], unknown: tuple[str, ...]
    ) -> None:
        assert found(f"It rained {written}.".replace(" ¹", "¹")) == [
            (written, docs(*cited), unknown)
        ]

    def test_named_twice_count_once(self) -> None:
        (mark,) = find_marks("It rained [1, 2, doc-1].", DOCS)
        assert mark.cited == ("doc-1", "doc-2")


class TestIds:
    @each_row(
        ("written", "cited"),
        [
            ("[doc-3]", (3,)),
            ("[doc-1, doc-2]", (1, 2)),
            ("[doc_3]", (3,)),
            ("[source: doc-1]", (1,)),
            ("[doc-1, 2]", (1, 2)),
            ("[doc-1, as it says]", (1,)),
            ("[@doc-1]", (1,)),
            ("(doc-3)", (3,)),
            ("(doc-1, p. 3)", (1,)),
            ("(Source: doc-2)", (2,)),
        ],
    )
    def test_in_brackets(self, written: str, cited: tuple[int, ...]) -> None:
        assert found(f"It rained {written}.") == [(written, docs(*cited), ())]

    @each_row(
        ("written", "unknown"),
        [("[doc-9]", "doc-9"), ("(doc-9)", "doc-9"), ("[source: minutes]", "minutes")],
    )
    def test_that_do_not_exist(self, written: str, unknown: str) -> None:
        assert found(f"It rained {written}.") == [(written, (), (unknown,))]

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

    @each_row(
        "text",
        [
            "Bring a jacket [optional].",
            "He called it “a [splendid] day [indeed].”",
            "See the [main] gate.",
            "It is a [non-smoker].",
            "See [fig-2].",
            "It was dry [REDACTED].",
        ],
    )
    def test_of_editors_are_none(self, text: str) -> None:
        assert found(text, WORKS) == []

    @each_row("written", ["[weather.md]", "[Weather.PDF]"])
    def test_may_have_the_suffix_of_a_file(self, written: str) -> None:
        assert found(f"It hailed {written}.", WORKS) == [(written, ("weather",), ())]


class TestAuthorsAndYears:
    @each_row(
        ("written", "cited"),
        [
            ("(Smith 2020)", ["smith2020"]),
            ("(Smith et al., 2020)", ["smith2020"]),
            ("(see Smith 2020, p. 5)", ["smith2020"]),
            ("[Smith 2020]", ["smith2020"]),
            ("(Lee and Doe, 2019)", ["lee_doe_2019"]),
            ("(Smith, 2020; Lee & Doe, 2019)", ["smith2020", "lee_doe_2019"]),
            ("(Garcia and van Dijk, 2018)", ["weather"]),
            ("(Brown 2021b)", ["brown2021b"]),
            ("(Brown, 2021a, b)", ["brown2021a", "brown2021b"]),
        ],
    )
    def test_in_brackets(self, written: str, cited: list[str]) -> None:
        assert found(f"It rained {written}.", WORKS) == [(written, tuple(cited), ())]

    @each_row(
        ("text", "mark", "cited"),
        [
            ("Smith (2020) says so.", "(2020)", "smith2020"),
            ("It is Smith's (2020) word.", "(2020)", "smith2020"),
            ("As Smith et al. (2020, p. 5) say.", "(2020, p. 5)", "smith2020"),
            ("So García and van Dijk (2018) say.", "(2018)", "weather"),
            ("Unlike rain, and Smith (2020).", "(2020)", "smith2020"),
        ],
    )
    def test_of_authors_in_the_sentence_the_year_is_the_mark(
        self, text: str, mark: str, cited: str
    ) -> None:
        assert found(text, WORKS) == [(mark, (cited,), ())]

    @each_row(
        ("written", "unknown"),
        [
            ("(Doe, 2018)", "Doe, 2018"),
            ("(Lee and Roe, 2019)", "Lee and Roe, 2019"),
            ("(Brown 2021)", "Brown 2021"),
            ("[jones2021]", "jones2021"),
            ("(van Dijk 2019)", "van Dijk 2019"),
        ],
    )
    def test_of_no_source_or_several_are_unknown(self, written: str, unknown: str) -> None:
        assert found(f"It rained {written}.", WORKS) == [(written, (), (unknown,))]

    @each_row(
        "text",
        [
            "(June 2020)",
            "(as of then, 2020)",
            "(Olympics 2024)",
            "(FIFA 2018)",
            "Doe (2018) says",
            "(2020)",
            "[May2020]",
        ],
    )
    def test_a_date_is_none(self, text: str) -> None:
        assert found(text, WORKS) == []


NO_MARKS = [
    "[sic]", "[...]", "[…]", "[emphasis added]", "[the company]", "[a]nd so on", "[2019]",
    "[1.5, 2.5]", "[fig-2]", "(1)", "(a)", "(Source: Reuters)", "(note 3)", "(see below)",
    "[text](https://example.org)", "[doc-1](https://example.org)", "![1](image.png)",
    "- [ ] to do", "1. [x] done", "[1]: https://example.org", "[^1]: A note.", "95% CI [12, 15]",
    "95% CI: [12-15]", "a mean of [45]", "x in [0, 1]", "k = [1, 2]", "`a[1]`", "``a ` [1]``",
    "a[0]", "row[1] = 5", "row_[1].size", "```python\na[1]\n```", "~~~\n[1]\n```\n[2]",
    "# References\n[1] A book\n- [2] Another", "**Sources:**\n\n[1] A book\n", "x²", "5 m²",
    "10⁻³", "5 km<sup>2</sup>", "x^2", "[", "[]", "[ ]", "[1", "",
]  # fmt: skip


class TestNoMarks:
    @each_row("text", NO_MARKS, ids=repr)
    def test_what_is_no_citation(self, text: str) -> None:
        assert found(text) == []

    def test_backticks_that_do_not_match_are_no_code(self) -> None:
        assert [words for words, *_ in found("A ` b [1]\n\nc ` d [2] `` e")] == ["[1]", "[2]"]


class TestKeysTogether:
    @each_row(
        "written",
        ["[company]", "[citation needed]", "[sic]", "[a, b]", "[Enter]", "[...]", "[foo, 9]"],
    )
    def test_words_are_no_keys_beside_ids_that_are_numbers(self, written: str) -> None:
        assert found(f"It grew {written}.", LISTED) == []

    @each_row(
        ("written", "cited", "unknown"),
        [
            ("[1, 9, foo]", ["1"], ["9", "foo"]),
            ("[foo, 1]", ["1"], ["foo"]),
            ("[1, emphasis added]", ["1"], []),
            ("[1, p5]", ["1"], []),
            ("[1, ]", ["1"], []),
        ],
    )
    def test_one_that_is_known_makes_a_mark(
        self, written: str, cited: list[str], unknown: list[str]
    ) -> None:
        assert found(f"It grew {written}.", LISTED) == [(written, tuple(cited), tuple(unknown))]

    @each_row(
        ("written", "unknown"),
        [
            ("[doc-1, foo, doc-9]", ["foo", "doc-9"]),
            ("[doc-1, 2.5]", ["2.5"]),
            ("[doc-1, 2019]", []),
        ],
    )
    def test_beside_an_id(self, written: str, unknown: list[str]) -> None:
        assert found(f"It rained {written}.") == [(written, ("doc-1",), tuple(unknown))]

    @each_row(
        "text", ["[1, 2.5]", "[1, x]", "[x, 1]", "[1, 2 percent]", "[Table 1, 2]", r"x \in [1, 2]"]
    )
    def test_figures_are_none(self, text: str) -> None:
        assert found(text, LISTED) == []


class TestAddresses:
    @each_row(
        ("text", "mark", "cited"),
        [
            ("Rain [docs/a.md#L3].", "[docs/a.md#L3]", "docs/a.md"),
            ("Rain (docs/a.md#L3).", "(docs/a.md#L3)", "docs/a.md"),
            ("Snow [https://example.org/snow].", "[https://example.org/snow]", "docs/b.md"),
            ("Snow (http://example.org/snow#x).", "(http://example.org/snow#x)", "docs/b.md"),
            ("Snow <https://example.org/snow>.", "<https://example.org/snow>", "docs/b.md"),
            (
                "Snow [https://example.org/snow?utm_source=a].",
                "[https://example.org/snow?utm_source=a]",
                "docs/b.md",
            ),
            (
                "It [Rain](https://example.org/rain_(b)) fell.",
                "[Rain](https://example.org/rain_(b))",
                "docs/a.md",
            ),
            (
                "It [Example](https://example.org/snow) fell.",
                "[Example](https://example.org/snow)",
                "docs/b.md",
            ),
            (
                "The [white stuff](https://example.org/snow) fell.",
                "(https://example.org/snow)",
                "docs/b.md",
            ),
            (
                'The [white stuff](https://example.org/snow "so") fell.',
                '(https://example.org/snow "so")',
                "docs/b.md",
            ),
            (
                "It fell. [The news](https://example.org/snow)",
                "[The news](https://example.org/snow)",
                "docs/b.md",
            ),
            ("[1](https://example.org/snow)", "[1](https://example.org/snow)", "docs/b.md"),
            ("The [rest](docs/b.md#L1) fell.", "(docs/b.md#L1)", "docs/b.md"),
        ],
    )
    def test_name_the_source(self, text: str, mark: str, cited: str) -> None:
        assert found(text, LINKED) == [(mark, (cited,), ())]

    @each_row(
        "text",
        [
            "[x](https://example.org/hail)",
            "![x](https://example.org/snow)",
            "[docs/c.md#L3]",
            "[](<>)",
        ],
    )
    def test_others_are_none(self, text: str) -> None:
        assert found(text, LINKED) == []


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
        ("mark", "cited", "unknown"),
        [
            (f"{OPENED}cite{BETWEEN}turn0search1{CLOSED}", ("turn0search1",), ()),
            (
                f"{OPENED}cite{BETWEEN}turn0search1{BETWEEN}turn0file0{BETWEEN}L8-L13{CLOSED}",
                ("turn0search1", "turn0file0"),
                (),
            ),
            (f"{OPENED}filecite{BETWEEN}turn0file0{CLOSED}", ("turn0file0",), ()),
            (f"{OPENED}cite{BETWEEN}turn2news4{CLOSED}", (), ("turn2news4",)),
            ("citeturn0search1turn0file0", ("turn0search1", "turn0file0"), ()),
        ],
    )
    def test_in_private_use_characters(
        self, mark: str, cited: tuple[str, ...], unknown: tuple[str, ...]
    ) -> None:
        assert found(f"It rained {mark}.", self.TURNS) == [(mark, cited, unknown)]

    @each_row(
        ("text", "expected"),
        [
            ("It <co>rained</co: 0:[1,2]>.", [("</co: 0:[1,2]>", docs(2, 3), ())]),
            ("It <co: 0>rained</co: 0>.", [("</co: 0>", docs(1), ())]),
            ("Es <co>regnete</co: 0,4>.", [("</co: 0,4>", docs(1, 5), ())]),
            ("<co>下雨了</co: 9>。", [("</co: 9>", (), ("9",))]),
            ("It <co>rained</co>.", []),
        ],
    )
    def test_in_tags(self, text: str, expected: Found) -> None:
        assert found(text) == expected

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
