"""Words broken at the end of a line are made whole; hyphens of their own stay."""

from citeguard.documents.pdf.lines import Joiner
from documents.pdf.making import Paper, page_of, read
from rows import each_row

TEXT = "The treatment of an example, and of a well-known one, is described elsewhere by the staff"


class TestJoiner:
    @each_row(
        ("line", "after", "joined"),
        [
            ("an exam-", "ple of it", "an example of it"),
            ("an exam\u00ad", "ple of it", "an example of it"),
            ("a well-", "known one", "a well-known one"),
            ("all decision-", "making bodies", "all decision-making bodies"),
            ("his intro-", "duction", "his introduction"),
            ("in 2019–", "2020 it", "in 2019–2020 it"),
            ("of COVID-", "19 cases", "of COVID-19 cases"),
            ("the Anglo-", "Saxon kings", "the Anglo-Saxon kings"),
            ("AN EXAM-", "PLE", "AN EXAMPLE"),
            ("state-of-", "the-art tools", "state-of-the-art tools"),
            ("either and/", "or", "either and/or"),
            ("a pause —", "and then", "a pause — and then"),
            ("漢字", "仮名", "漢字仮名"),
            ("the Zwyfel-", "barth method", "the Zwyfelbarth method"),
        ],
    )
    def test_joins(self, line: str, after: str, joined: str) -> None:
        cut, glue = Joiner([TEXT]).join(line, after)
        assert line[: len(line) - cut] + glue + after == joined

    def test_prefers_what_the_document_says_elsewhere(self) -> None:
        joiner = Joiner(["the co-operation of the e-mail and the of"])
        assert joiner.join("by co-", "operation") == (0, "")
        assert Joiner(["the cooperation and of"]).join("by co-", "operation") == (1, "")


class TestBrokenWords:
    def test_are_whole_across_lines_columns_and_pages(self) -> None:
        paper = Paper()
        left = ["This sentence has a word that is bro-", "ken at the end of a line, and an-"]
        left += ["other one further down, and of course", "it has to go on to the next col-"]
        right = ["umn, where it also finds some more of", "the words that are needed here until"]
        right += ["it comes to the end of the page, incom-"]
        paper.lines(20, 60, left)
        paper.lines(220, 60, right)
        paper.next_page()
        paper.lines(20, 60, ["plete as it is there, and ends."])
        document = read(paper)
        assert "bro-" not in document.text
        assert "is broken at the end of a line, and another one" in document.text
        assert page_of(document, "go on to the next column, where it also finds") == 1
        assert page_of(document, "the end of the page, incomplete as it is there, and ends.") == 1


class TestInitials:
    @each_row(
        ("initial", "first", "text"),
        [
            ("N", "ever was the harbour safe", "Never was the harbour safe"),
            ("N", "EVER was the harbour safe", "NEVER was the harbour safe"),
            ("“W", "e never saw the harbour", "“We never saw the harbour"),
        ],
    )
    def test_begin_the_first_of_the_lines_beside_them(
        self, initial: str, first: str, text: str
    ) -> None:
        paper = Paper()
        paper.text(40, 84, initial, size=36)
        left = 43 + paper.canvas.stringWidth(initial, "Times-Roman", 36)
        paper.lines(
            left, 60, [first, "and typical of the time it was", "for the ships of the king"]
        )
        paper.lines(40, 96, ["and their masters, who came from the land of salt."])
        rest = " and typical of the time it was for the ships of the king and their masters,"
        assert read(paper).text.startswith(text + rest)

    @each_row(
        ("sign", "first", "word", "in_doubt"),
        [
            ("2", "10 minutes later you get a mail", "10", True),
            ("3", "Wash the hands of all the ships", "Wash", False),
            ("12", "2020 graduates joined the guild", "2020", False),
            ("A", "accrual is what the guild is owed", "accrual", True),
        ],
    )
    def test_that_nothing_goes_on_below_are_apart(
        self, sign: str, first: str, word: str, *, in_doubt: bool
    ) -> None:
        paper = Paper()
        paper.text(40, 84, sign, size=36)
        left = 43 + paper.canvas.stringWidth(sign, "Times-Roman", 36)
        paper.lines(left, 60, [first, "and it is typical of the time"])
        document = read(paper)
        assert word in document.text.split()
        assert bool(document.layout.doubts) == in_doubt

    def test_of_a_price_tag_are_read(self) -> None:
        paper = Paper()
        for left, down, words, size in (
            (40, 120, "9", 100),
            (95, 60, "only", 10),
            (95, 74, "99", 36),
        ):
            paper.text(left, down, words, size=size)
        assert {*"9 only 99".split()} == {*read(paper).text.split()}


class TestFigures:
    @each_row(("gap", "text"), [(2.5, "held 10 5 cells"), (0.4, "held 105 cells")])
    def test_apart_are_two_numbers(self, gap: float, text: str) -> None:
        paper = Paper()
        paper.lines(40, 60, ["The members of the guild met in the large hall of the town"] * 3)
        paper.text(40, 100, "The plate held 10")
        end = 40 + paper.canvas.stringWidth("The plate held 10", "Times-Roman", 10)
        paper.text(end + gap, 100, "5 cells on the day.")
        assert text in read(paper).text

    def test_of_spaced_letters_are_whole(self) -> None:
        paper = Paper()
        paper.lines(40, 60, ["The members of the guild met in the large hall of the town"] * 3)
        written = paper.canvas.beginText(40, 480)
        written.setFont("Times-Roman", 10)
        written.setCharSpace(2)
        written.textOut("ORDER 4711 OF 2020 AT 12:30")
        paper.canvas.drawText(written)
        assert "ORDER 4711 OF 2020 AT 12:30" in read(paper).text
