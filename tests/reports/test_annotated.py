"""`Report.annotate`: notes at their words in Word and PDF files, which else stay as they are."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from importlib import import_module
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import docx
import pytest
from docx.opc.constants import CONTENT_TYPE, RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml.parser import parse_xml
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree
from reportlab.pdfgen.canvas import Canvas

from citeguard.documents.loading import read_document
from citeguard.errors import CiteguardError
from citeguard.reports.annotated import annotated
from citeguard.reports.report import ATTENTION, Correction, Replacement, Report, Shown
from reports.samples import FAQ, claim_of, finding_of, place_of, report_of
from rows import each_row

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
NAMESPACES = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
)
pdfium: Any = import_module("pypdfium2")
Element = Any


def saved(file: Any) -> bytes:
    stream = BytesIO()
    file.save(stream)
    return stream.getvalue()


def word(*paragraphs: str, footnotes: Sequence[str] = ()) -> bytes:
    """Return a Word file with paragraphs, as XML, and the texts of its footnotes."""
    file = docx.Document()
    for content in paragraphs:
        file.element.body.insert(-1, parse_xml(f"<w:p {NAMESPACES}>{content}</w:p>"))
    notes = "".join(
        f'<w:footnote w:id="{at}"><w:p>{run(text)}</w:p></w:footnote>'
        for at, text in enumerate(footnotes, 1)
    )
    if notes:
        blob = f"<w:footnotes {NAMESPACES}>{notes}</w:footnotes>".encode()
        name, package = PackURI("/word/footnotes.xml"), file.part.package
        part = Part(name, CONTENT_TYPE.WML_FOOTNOTES, blob, package)
        file.part.relate_to(part, RELATIONSHIP_TYPE.FOOTNOTES)
    return saved(file)


def run(text: str, look: str = "") -> str:
    return f'<w:r><w:rPr>{look}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


BOLD, ITALIC, RAISED = "<w:b/>", "<w:i/>", '<w:vertAlign w:val="superscript"/>'
EQUATION = "<m:oMath><m:r><m:t>x=1</m:t></m:r></m:oMath>"
MARK = '<w:r><w:footnoteReference w:id="1"/></w:r>'


def report_on(
    content: bytes, words: Iterable[str], verdict: Shown = "unsupported", name: str = "a.docx"
) -> Report:
    """Return a report on a file in which words are claims of a verdict."""
    text = read_document(content, name).text
    return report_of(text, [claim_of(text, each, verdict) for each in words])


def corrected_report(content: bytes, claim: str, old: str, new: str) -> Report:
    """Return a report on a Word file with a claim in which words are corrected."""
    [made] = report_on(content, [claim], "contradicted").claims
    text = read_document(content, "a.docx").text
    start = text.index(old, made.start)
    swap = Replacement(start=start, end=start + len(old), text=new)
    whole = claim.replace(old, new)
    correction = Correction(claim=whole, sentence=whole, replacements=(swap,))
    return report_of(text, [made.model_copy(update={"correction": correction})])


def noted(content: bytes, report: Report, verdicts: Sequence[Shown] = ATTENTION) -> Any:
    """Return the annotated Word file, opened."""
    return docx.Document(BytesIO(annotated(report, content, "a.docx", verdicts)))


def commented(file: Any) -> list[str]:
    """Return the words in the range of each comment, in the order of their ids."""
    words: dict[str, str] = {}
    opened: list[str] = []
    for each in file.element.body.iter():
        if each.tag == f"{W}commentRangeStart":
            opened.append(each.get(f"{W}id"))
            words[opened[-1]] = ""
        elif each.tag == f"{W}commentRangeEnd":
            opened.remove(each.get(f"{W}id"))
        elif each.tag in (f"{W}t", f"{W}delText", f"{W}footnoteReference"):
            words |= {key: words[key] + (each.text or "*") for key in opened}
    assert opened == []
    marks = [each.get(f"{W}id") for each in file.element.body.iter(f"{W}commentReference")]
    assert sorted(marks) == sorted(words)
    return [words[str(comment.comment_id)] for comment in file.comments if comment.author != "Ann"]


def looks(content: bytes) -> list[tuple[str, str]]:
    """Return each character of a Word file with what is around it, and how it looks."""
    file = docx.Document(BytesIO(content))
    return [
        (char, f"{text.getparent().getparent().tag} {_look(text.getparent())}")
        for text in file.element.body.iter(f"{W}t", f"{W}delText")
        for char in text.text
    ]


def _look(element: Element) -> bytes:
    return b"".join(map(canonical, element.iter(f"{W}rPr")))


def canonical(element: Element) -> bytes:
    return etree.tostring(element, method="c14n", exclusive=True)


class TestComments:
    def test_say_what_the_report_says(self) -> None:
        content = word(run("Lunch is served until 3 p.m. It is free."))
        report = report_on(content, ["Lunch is served until 3 p.m."], "contradicted")
        deciding = place_of(FAQ, "It is served until 2 p.m.")
        claims = [each.model_copy(update={"deciding": deciding}) for each in report.claims]
        [comment] = noted(content, report_of(report.text, claims)).comments
        assert comment.text.splitlines() == [
            "Contradicted",
            "It is contradicted.",
            "Source: “It is served until 2 p.m.” (faq, line 2)",
        ]
        assert (comment.author, comment.initials) == ("citeguard", "cg")

    @each_row(
        ("content", "claim", "words"),
        [
            ([run("Say: it "), run("is", BOLD), run(" free. Yes.")], "it is free", "it is free"),
            (
                [f'<w:hyperlink w:anchor="a">{run("See the book")}</w:hyperlink>', run(" now.")],
                "the book now",
                "the book now",
            ),
            ([run("It is 10"), run("6", RAISED), run(" wide.")], "10⁶ wide", "106 wide"),
            ([run("One"), MARK, run(" and two.")], "One[1] and two", "One* and two"),
            (["<w:r><w:t>a</w:t><w:tab/><w:t>bc d</w:t></w:r>"], "bc", "bc"),
            (["<w:r><w:t>a b</w:t><w:tab/><w:t>cd</w:t></w:r>"], "b cd", "bcd"),
            ([run("If "), EQUATION, run(" then.")], "x=1 then", " then"),
            ([run("It is "), f"<w:ins w:id='3'>{run('not so')}</w:ins>"], "is not", "is not"),
        ],
    )  # fmt: skip
    def test_are_on_the_words(self, content: list[str], claim: str, words: str) -> None:
        file = word("".join(content), footnotes=["A note."])
        made = noted(file, report_on(file, [claim]))
        assert commented(made) == [words]
        assert looks(saved(made)) == looks(file)

    def test_are_on_items_of_lists_and_cells(self) -> None:
        file = docx.Document()
        file.add_paragraph("It is free.", style="List Number")
        table = file.add_table(2, 2)
        for at, text in enumerate(("City", "Limit", "Oslo", "140 euros")):
            table.cell(at // 2, at % 2).text = text
        content = saved(file)
        report = report_on(content, ["1. It is free", "Oslo | 140 euros"])
        assert commented(noted(content, report)) == ["It is free", "Oslo140 euros"]

    def test_on_footnotes_and_boxes_are_at_their_marks(self) -> None:
        box = f"<w:r><w:t>B</w:t><w:txbxContent><w:p>{run('In a box.')}</w:p></w:txbxContent></w:r>"
        content = word(f"{run('One')}{MARK}{run(' two.')}{box}", footnotes=["A note."])
        report = report_on(content, ["A note", "In a box"])
        assert commented(noted(content, report)) == ["BIn a box.", "*"]

    def test_are_only_on_what_needs_attention(self) -> None:
        content = word(run("One is so. Two is so. Three is so."))
        text = read_document(content, "a.docx").text
        claims = [
            claim_of(text, "One is so", "supported"),
            claim_of(text, "Two is so", "undecided"),
            claim_of(text, "Three is so", "unsupported", dismissed="A joke."),
        ]
        report = report_of(text, claims)
        assert commented(noted(content, report)) == ["Two is so"]
        assert commented(noted(content, report, ["supported"])) == ["One is so"]

    def test_are_on_marks_that_are_wrong(self) -> None:
        content = word(run("It is so [9]. It is [1][2]."))
        text = read_document(content, "a.docx").text
        findings = [
            finding_of(text, "[9]", "unknown_id", "There is no source 9."),
            finding_of(text, "[2]", "redundant", "[2] is not needed."),
        ]
        made = noted(content, report_of(text, findings=findings))
        assert commented(made) == ["[9]"]
        assert [each.text for each in made.comments] == ["Unknown source\nThere is no source 9."]

    def test_stand_beside_those_of_others(self) -> None:
        file = docx.Document()
        paragraph = file.add_paragraph("It is so. It is odd.")
        file.add_comment(paragraph.runs, "Really?", author="Ann")
        content = saved(file)
        made = noted(content, report_on(content, ["It is so", "It is odd"]))
        assert [each.author for each in made.comments] == ["Ann", "citeguard", "citeguard"]
        assert commented(made) == ["It is so", "It is odd"]

    @settings(max_examples=8)
    @given(st.data())
    def test_leave_text_and_looks_as_they_are(self, data: st.DataObject) -> None:
        words = data.draw(st.text("ab ⁷", min_size=1, max_size=12).map(lambda text: f"x{text}y"))
        cuts = sorted(data.draw(st.sets(st.integers(1, len(words) - 1), max_size=4)))
        pieces = [words[a:b] for a, b in zip([0, *cuts], [*cuts, len(words)], strict=True)]
        content = word("".join(run(each, BOLD if at % 2 else "") for at, each in enumerate(pieces)))
        text = read_document(content, "a.docx").text
        ends = sorted(data.draw(st.sets(st.integers(0, len(text)), min_size=2, max_size=4)))
        spans = [*pairwise(ends)]
        claims = [
            claim_of(text, text, "unsupported").model_copy(update={"start": a, "end": b})
            for a, b in spans
        ]
        made = noted(content, report_of(text, claims))
        assert looks(saved(made)) == looks(content)
        for (start, end), shown in zip(spans, commented(made), strict=True):
            if stripped := text[start:end].strip():
                assert shown == stripped


class TestTrackedChanges:
    @each_row(
        "runs",
        [
            [run("It costs $35 million now.")],
            [run("It costs $3", BOLD), run("5 ", ITALIC), run("million", BOLD), run(" now.")],
            [
                f'<w:hyperlink w:anchor="a">{run("It costs $35 million now")}</w:hyperlink>',
                run("."),
            ],
        ],
    )
    def test_correct_a_claim(self, runs: list[str]) -> None:
        content = word("".join(runs))
        report = corrected_report(content, "It costs $35 million now", "$35 million", "$30 million")
        made = noted(content, report)
        assert read_document(saved(made), "a.docx").text == report.corrected_text
        assert commented(made) == ["It costs $35 million$30 million now"]
        for inserted in [*made.element.body.iter(f"{W}ins")]:  # rejected
            assert _look(inserted) in _look(docx.Document(BytesIO(content)).element.body)
            inserted.getparent().remove(inserted)
        shown = "".join(t.text for t in made.element.body.iter(f"{W}t", f"{W}delText"))
        assert shown == "It costs $35 million now."

    @each_row(
        "runs",
        [
            [run("It "), f"<w:ins w:id='3'>{run('was so')}</w:ins>", run(".")],
            [
                "<w:r><w:fldChar w:fldCharType='begin'/></w:r>",
                "<w:r><w:fldChar w:fldCharType='separate'/></w:r>",
                run("It was so"),
                "<w:r><w:fldChar w:fldCharType='end'/></w:r>",
            ],
            [run("It w"), run("ill", "<w:vanish/>"), run("as so.")],
            [run("It w"), f"<w:hyperlink w:anchor='a'>{run('as')}</w:hyperlink>", run(" so.")],
            [run("It "), "<w:r><w:t>was</w:t><w:drawing/></w:r>", run(" so.")],
            [run("It "), EQUATION.replace("x=1", "was"), run(" so.")],
        ],
    )
    def test_are_not_made_where_they_are_not_safe(self, runs: list[str]) -> None:
        content = word("".join(runs))
        made = noted(content, corrected_report(content, "It was so", "was", "is"))
        assert len(made.comments) == 1
        assert [*made.element.body.iter(f"{W}del")] == []

    def test_are_made_together_or_not_at_all(self) -> None:
        content = word(f"{run('It was 3 ')}<w:ins w:id='3'>{run('or 4')}</w:ins>{run('.')}")
        report = corrected_report(content, "It was 3 or 4", "3", "5")
        [claim] = report.claims
        assert claim.correction is not None
        swap = Replacement(start=12, end=13, text="6")
        both = (*claim.correction.replacements, swap)
        correction = claim.correction.model_copy(update={"replacements": both})
        claim = claim.model_copy(update={"correction": correction})
        made = noted(content, report_of(report.text, [claim]))
        assert [*made.element.body.iter(f"{W}del")] == []


class TestAWordFile:
    def test_keeps_its_other_parts(self) -> None:
        content = word(run("It is so."), footnotes=["A note."])
        after = annotated(report_on(content, ["It is so"]), content, "a.docx", ATTENTION)
        changed: set[str] = set()
        with ZipFile(BytesIO(content)) as old, ZipFile(BytesIO(after)) as new:
            assert {*new.namelist()} - {*old.namelist()} == {"word/comments.xml"}
            for name in old.namelist():
                parts = [file.read(name) for file in (old, new)]
                if name.endswith((".xml", ".rels")):
                    parts = [
                        etree.tostring(etree.fromstring(each), method="c14n") for each in parts
                    ]
                changed |= {name} if parts[0] != parts[1] else set()
        assert changed == {
            "[Content_Types].xml",
            "word/_rels/document.xml.rels",
            "word/document.xml",
        }


def pdf() -> bytes:
    """Return a PDF file whose pages are plain, turned and cropped, with a link."""
    stream = BytesIO()
    canvas = Canvas(stream, pagesize=(400, 600))
    canvas.drawString(72, 500, "The first page is plain. It has two")
    canvas.drawString(72, 485, "sentences.")
    canvas.linkURL("https://example.org/", (72, 300, 90, 320))
    canvas.showPage()
    canvas.setPageRotation(90)
    canvas.setCropBox((50, 50, 350, 550))
    canvas.rotate(90)
    canvas.drawString(80, -100, "The second page is turned.")
    canvas.showPage()
    canvas.setPageRotation(180)
    canvas.translate(400, 600)
    canvas.rotate(180)
    canvas.drawString(80, 500, "The third page is upside down.")
    canvas.save()
    return stream.getvalue()


def highlights(content: bytes) -> Iterator[tuple[int, str, str]]:
    """Yield the page of each highlight, the words under it, and its note."""
    raw = pdfium.raw
    with closing(pdfium.PdfDocument(content)) as document:
        for number, page in enumerate(document, 1):
            words = page.get_textpage()
            for at in range(raw.FPDFPage_GetAnnotCount(page)):
                each = raw.FPDFPage_GetAnnot(page, at)
                if raw.FPDFAnnot_GetSubtype(each) == raw.FPDF_ANNOT_HIGHLIGHT:
                    yield number, " ".join(_under(words, each)), _string(each, b"Contents")
                raw.FPDFPage_CloseAnnot(each)
            words.close()
            page.close()


def _under(words: Any, annotation: Any) -> Iterator[str]:
    for at in range(pdfium.raw.FPDFAnnot_CountAttachmentPoints(annotation)):
        quad = pdfium.raw.FS_QUADPOINTSF()
        pdfium.raw.FPDFAnnot_GetAttachmentPoints(annotation, at, quad)
        xs, ys = (quad.x1, quad.x2, quad.x3, quad.x4), (quad.y1, quad.y2, quad.y3, quad.y4)
        yield words.get_text_bounded(min(xs), min(ys), max(xs), max(ys)).strip()


def _string(annotation: Any, key: bytes) -> str:
    length = pdfium.raw.FPDFAnnot_GetStringValue(annotation, key, None, 0)
    buffer = (pdfium.raw.FPDF_WCHAR * (length // 2))()
    pdfium.raw.FPDFAnnot_GetStringValue(annotation, key, buffer, length)
    return bytes(buffer).decode("utf-16-le").rstrip("\0")


class TestAPdfFile:
    CLAIMS = (
        *("It has two sentences.", "The second page is turned"),
        "The third page is upside down",
    )

    def test_has_highlights_on_the_words(self) -> None:
        content = pdf()
        report = report_on(content, self.CLAIMS, name="a.pdf")
        made = annotated(report, content, "a.pdf", ATTENTION)
        note = "Unsupported\nIt is unsupported."
        assert [*highlights(made)] == [
            (page, claim, note) for page, claim in enumerate(self.CLAIMS, 1)
        ]

    def test_keeps_every_byte(self) -> None:
        content = pdf()
        report = report_on(content, self.CLAIMS, name="a.pdf")
        made = annotated(report, content, "a.pdf", ATTENTION)
        assert made.startswith(content)
        assert read_document(made, "a.pdf").text == report.text
        assert made[len(content) :].count(b"/Highlight") == 3
        with closing(pdfium.PdfDocument(made)) as document, closing(document[0]) as page:
            assert pdfium.raw.FPDFPage_GetAnnotCount(page) == 2  # the link is still there


class TestAnnotate:
    def test_writes_a_copy(self, tmp_path: Path) -> None:
        content = word(run("It is so."))
        tmp_path.joinpath("a.docx").write_bytes(content)
        report = report_on(content, ["It is so"])
        report.annotate(tmp_path / "a.docx", tmp_path / "b.docx")
        assert commented(docx.Document(str(tmp_path / "b.docx"))) == ["It is so"]
        assert tmp_path.joinpath("a.docx").read_bytes() == content

    def test_of_text_that_was_hidden_and_kept(self) -> None:
        content = word(run("It is so."), run("Hidden.", "<w:vanish/>"))
        text = read_document(content, "a.docx", unseen="keep").text
        report = report_of(text, [claim_of(text, "It is so", "unsupported")])
        assert commented(noted(content, report)) == ["It is so"]

    def test_of_another_text(self) -> None:
        report = report_on(word(run("It is so.")), ["It is so"])
        with pytest.raises(CiteguardError, match=r"a\.docx: does not have the text"):
            annotated(report, word(run("It is odd.")), "a.docx", ATTENTION)

    def test_of_another_kind(self) -> None:
        report = report_of("It is so.")
        with pytest.raises(CiteguardError, match="only Word and PDF files can be annotated"):
            annotated(report, b"It is so.", "a.md", ATTENTION)
