"""Glyphs that leave their line, accents drawn apart, and codes that the file does not explain."""

from documents.pdf.making import Paper, read
from rows import each_row

BEFORE = ["The harbour was built in the reign of the third", "king, who never saw it finished."]


def paper_with_logo() -> Paper:
    """Write the logo of LaTeX as LaTeX does: its A raised, small, and over both its neighbours."""
    paper = Paper()
    paper.lines(50, 60, BEFORE)
    paper.text(50, 84, "The annals are set with L")
    left = 50 + paper.canvas.stringWidth("The annals are set with L", "Times-Roman", 10)
    paper.text(left - 3.4, 84 - 2.1, "A", size=7)
    paper.text(left, 84, "TEX on a press of the town.")
    paper.lines(50, 96, BEFORE)
    return paper


class TestRaisedLetters:
    def test_stay_in_their_line(self) -> None:
        assert " set with LATEX on a press of the town. The " in read(paper_with_logo()).text

    @each_row("rise", [1, 3, 5, 6])
    def test_marks_stay_in_the_first_line_of_a_page(self, rise: float) -> None:
        paper = Paper()
        width = paper.canvas.stringWidth("The harbour", "Times-Roman", 10)
        paper.text(50, 60, "The harbour")
        paper.text(50 + width, 60 - rise, "4", size=6)
        paper.text(50 + width + 6, 60, "was built in the reign of the third king.")
        assert "\n" not in read(paper).text


class TestAccents:
    def accented(self, letter: str, accent: str) -> str:
        paper = Paper()
        paper.text(50, 60, f"where {letter} is the depth of the harbour")
        left = 50 + paper.canvas.stringWidth("where ", "Times-Roman", 10)
        paper.text(left, 59, accent)
        return read(paper).text

    def test_drawn_over_a_letter_make_it_one_character(self) -> None:
        assert self.accented("e", "\u00b4") == "where \u00e9 is the depth of the harbour"

    def test_without_such_a_character_combine_with_the_letter(self) -> None:
        assert self.accented("w", "\u00af") == "where w\u0304 is the depth of the harbour"


class TestUnexplainedCodes:
    def test_of_ligatures_and_quotation_marks_are_those_of_tex(self) -> None:
        shown = rb"A \020new\021 of\034 and \033 \025 of\036ce of\035"
        assert read(bitmap_file(shown)).text == "A \u201cnew\u201d offi and ff \u2013 offfice offl"


def bitmap_file(shown: bytes) -> bytes:
    """Make a file whose font names its glyphs as TeX's bitmap fonts do: by their codes."""
    glyph = b"5 0 0 0 5 7 d1 0 0 5 7 re f"
    text = b"BT /F 10 Tf 50 200 Td (" + shown + b") Tj ET"
    codes = b" ".join(b"/a%d" % code for code in range(128))
    glyphs = b" ".join(b"/a%d 6 0 R" % code for code in range(128) if code != 32)
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 300]/Contents 4 0 R"
        b"/Resources<</Font<</F 5 0 R>>>>>>",
        b"<</Length %d>>stream\n%b\nendstream" % (len(text), text),
        b"<</Type/Font/Subtype/Type3/FontBBox[0 0 5 7]/FontMatrix[.1 0 0 .1 0 0]/FirstChar 0"
        b"/LastChar 127/Widths[" + b"5 " * 128 + b"]/Encoding<</Differences[0 " + codes + b"]>>"
        b"/CharProcs<<" + glyphs + b">>>>",
        b"<</Length %d>>stream\n%b\nendstream" % (len(glyph), glyph),
    ]
    content = b"%PDF-1.4\n"
    places: list[int] = []
    for number, written in enumerate(objects, start=1):
        places.append(len(content))
        content += b"%d 0 obj%b endobj\n" % (number, written)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    table = b"xref\n0 7\n0000000000 65535 f \n" + table
    end = b"trailer<</Size 7/Root 1 0 R>>startxref\n%d\n%%%%EOF" % len(content)
    return content + table + end
