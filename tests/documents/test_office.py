"""`read_word` and `read_slides`: what a reader of the file sees, and what is wrong with a file."""

import random
from contextlib import suppress
from datetime import datetime
from io import BytesIO
from time import process_time
from zipfile import ZIP_DEFLATED, ZipFile

import docx
import pptx
import pytest
from docx.oxml.ns import qn
from docx.oxml.parser import parse_xml
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from citeguard import InvalidSourcesError
from citeguard.documents import PageLimitError, read_sources
from citeguard.documents.office.lists import counted
from citeguard.documents.office.slides import read_slides
from citeguard.documents.office.word import read_word
from documents.making import changed, numbered_in, saved
from rows import each_row

_NAMESPACES = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
)


def word(*blocks: str) -> str:
    """Return the text of a Word file with these blocks, as XML."""
    file = docx.Document()
    for block in blocks:
        tag, _, rest = block.partition(">")
        file.element.body.append(parse_xml(f"{tag} {_NAMESPACES}>{rest}"))
    return read_word(saved(file), "a.docx").text


RUBY = (
    "<w:r><w:ruby><w:rt><w:r><w:t>{}</w:t></w:r></w:rt>"
    "<w:rubyBase><w:r><w:t>{}</w:t></w:r></w:rubyBase></w:ruby></w:r>"
)


def run(text: str, properties: str = "") -> str:
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def paragraph(*content: str) -> str:
    return f"<w:p>{''.join(content)}</w:p>"


def tagged(tag: str, content: str) -> str:
    return f"<{tag}>{content}</{tag}>"


def control(content: str) -> str:
    return tagged("w:sdt", tagged("w:sdtContent", content))


def table(*rows: list[str]) -> str:
    """Return a table as XML; a cell that is no XML itself is one of a paragraph."""
    cells = (
        "".join(
            tagged("w:tc", each if each.startswith("<") else paragraph(run(each))) for each in row
        )
        for row in rows
    )
    return tagged("w:tbl", "".join(tagged("w:tr", row) for row in cells))


RAISED, LOWERED = (f'<w:vertAlign w:val="{form}script"/>' for form in ("super", "sub"))
BEGIN, SEPARATE, END = (
    f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>' for kind in ("begin", "separate", "end")
)
REF, SET, BUTTON = (
    tagged("w:r", tagged("w:instrText", code)) for code in ("REF x", "SET x", "MACROBUTTON X not")
)
DELETED = tagged("w:del", tagged("w:r", tagged("w:delText", "old")))
PICTURE = tagged(
    "w:r",
    tagged("w:pict", '<v:shape xmlns:v="urn:schemas-microsoft-com:vml" style="position:"/>'),
)
BOX = tagged("w:txbxContent", paragraph(run("In a box")))
CHOICES = "".join(tagged(f"mc:{kind}", BOX) for kind in ("Choice", "Fallback"))
ANCHORED = tagged("w:r", tagged("mc:AlternateContent", CHOICES))
SIMPLE = f'<w:fldSimple w:instr=" SET\tx ">{run("not")}</w:fldSimple>'
SYMBOL = run('</w:t><w:sym w:font="A" w:char="41"/><w:t>')
ONE_AND_TWO = paragraph(run("One.")) + paragraph(run("Two."))


class TestWord:
    def test_has_headings_lists_and_tables(self) -> None:
        file = docx.Document()
        file.core_properties.title = "Travel policy"
        file.add_heading("Travel", 1)
        file.add_paragraph("Flights are booked early.", style="List Bullet")
        file.add_heading("Hotels", 2)
        for text in ("Ask first.", "Then book."):
            file.add_paragraph(text, style="List Number")
        table = file.add_table(2, 2)
        for at, text in enumerate(("City", "Limit", "Oslo", "140 euros")):
            table.cell(at // 2, at % 2).text = text
        document = read_word(saved(file), "a.docx")
        assert document.text == (
            "Travel\n\n- Flights are booked early.\n\nHotels\n\n1. Ask first.\n\n2. Then book.\n\n"
            "City | Limit\nOslo | 140 euros"
        )
        assert document.title == "Travel policy"
        assert [(each.text, each.level) for each in document.layout.headings] == [
            ("Travel", 1),
            ("Hotels", 2),
        ]
        assert document.layout.headings_at(document.text.index("140")) == ("Travel", "Hotels")

    @each_row(
        ("block", "text"),
        [
            (paragraph(run("a"), run("b")), "ab"),
            (paragraph(run("10"), run("6", RAISED)), "10⁶"),
            (paragraph(run("H"), run("2", LOWERED)), "H₂"),
            (paragraph(tagged("w:ins", run("new")), DELETED), "new"),
            (paragraph(run("a</w:t><w:br/><w:tab/><w:t>b")), "a\n b"),
            (paragraph(run('10</w:t><w:br w:type="page"/><w:t>5 cells')), "10 5 cells"),
            (paragraph(run('</w:t><w:br w:type="page"/><w:t>A new page')), "A new page"),
            (paragraph(RUBY.format("とうきょう", "東京")), "東京"),
            (paragraph(run("is "), RUBY.format("deadly", "safe")), "is \ufffdsafe"),
            (paragraph(run("seen"), run("not", "<w:vanish/>")), "seen"),
            (paragraph(tagged("w:hyperlink", run("link"))), "link"),
            (control(paragraph(run("a control"))), "a control"),
            (paragraph(tagged("m:oMath", tagged("m:r", tagged("m:t", "x=1")))), "x=1"),
            (paragraph(run("Anchor"), ANCHORED), "Anchor\n\nIn a box"),
            (tagged("w:tbl", tagged("w:tr", tagged("w:tc", ONE_AND_TWO))), "One.\n\nTwo."),
            (
                table([paragraph(run("Rates")), table(["a", "1"], ["b", "2"]) + "<w:p/>"]),
                "Rates\n\na | 1\nb | 2",
            ),
            (paragraph(BEGIN, SET, SEPARATE, run("not"), END, run("seen")), "seen"),
            (paragraph(SIMPLE, run("seen")), "seen"),
            (paragraph(BEGIN, SYMBOL, END, run("seen")), "seen"),
            (
                control(
                    paragraph(BEGIN, REF)
                    + paragraph(run("not"), BEGIN, REF, SEPARATE, run("not"))
                    + paragraph(END, run("not"), SEPARATE, run("seen"), END)
                ),
                "seen",
            ),
            (paragraph(BEGIN, REF, run("never ends")), "never ends"),
            (paragraph(BEGIN, BUTTON, END), "not"),
            (paragraph(run("one</w:t><w:ptab/><w:t>hundred")), "one hundred"),
            (paragraph(run("is "), PICTURE, run(" safe")), "is \ufffd safe"),
            (
                paragraph(run("is "), PICTURE.replace("position:", "position:absolute"), run("it")),
                "is it",
            ),
            (paragraph(PICTURE, run("It is. "), PICTURE), "It is."),
            (paragraph(run("seen"), f'<q:x xmlns:q="urn:q">{run("not")}</q:x>'), "seen"),
        ],
    )
    def test_is_what_a_reader_sees(self, block: str, text: str) -> None:
        assert word(block) == text

    def test_has_the_fields_of_its_properties(self) -> None:
        file = docx.Document()
        file.add_paragraph("Pay is monthly.")
        facts = file.core_properties
        facts.author, facts.comments = "Ines Halvorsen; Tom Reed", "On pay."
        facts.created = datetime(2024, 3, 1)
        fields = read_word(saved(file), "a.docx").layout.fields
        assert fields.authors == ("Ines Halvorsen", "Tom Reed")
        assert (fields.date, fields.abstract) == ("2024-03-01", "On pay.")

    def test_numbers_headings_by_their_levels(self) -> None:
        file = docx.Document()
        levels = "".join(
            f'<w:lvl w:ilvl="{at}"><w:start w:val="1"/><w:numFmt w:val="{form}"/>'
            f'<w:lvlText w:val="{text}"/></w:lvl>'
            for at, (form, text) in enumerate((("decimal", "%1"), ("upperRoman", "%1.%2")))
        )
        numbered_in(file, levels)
        cells = file.add_table(1, 2).rows[0].cells
        headings = [
            file.add_heading(text, depth + 1)
            for depth, text in ((0, "Scope"), (1, "Staff"), (1, "Guests"), (0, "Pay"))
        ]
        file.element.body.append(cells[0]._tc.getparent().getparent())  # behind them
        cells[0].text, cells[1].text = "Bonus", "5%"
        numbered = (*headings, cells[0].paragraphs[0])
        for depth, heading in zip((0, 1, 1, 0, 1), numbered, strict=True):
            heading._p.get_or_add_pPr().append(
                parse_xml(
                    f'<w:numPr {_NAMESPACES}><w:ilvl w:val="{depth}"/><w:numId w:val="90"/>'
                    "</w:numPr>"
                )
            )
        document = read_word(saved(file), "a.docx")
        assert document.text.split("\n\n") == [
            *("1 Scope", "1.I Staff", "1.II Guests", "2 Pay", "2.I Bonus | 5%")
        ]
        assert [each.text for each in document.layout.headings][:2] == ["Scope", "Staff"]

    @each_row(
        ("bullet", "mark"),
        [("\uf0b7", "-"), ("o", "-"), ("✗", "✗"), ("\uf0fb", "✗"), ("Never", "Never")],
    )
    def test_keeps_bullets_that_say_something(self, bullet: str, mark: str) -> None:
        file = docx.Document()
        file.add_paragraph("smoke", style="List Bullet")
        for each in file.part.numbering_part.element.iter("{*}lvlText", "{*}rFonts"):
            key = each.keys()[0]
            font = "Wingdings" if bullet > "\ue000" else "Arial"
            each.set(key, bullet if each.tag.endswith("lvlText") else font)
        assert read_word(saved(file), "a.docx").text == f"{mark} smoke"

    @each_row(
        ("form", "number", "written"),
        [
            ("decimalZero", 2, "02"),
            ("hex", 11, "B"),
            ("upperRoman", 4, "IV"),
            ("ordinalText", 2, "2"),
            ("chineseCountingThousand", 2, "2"),
            ("hebrew1", 2, "\ufffd"),  # nobody knows which sign
            ("russianLower", 2, "\ufffd"),
        ],
    )
    def test_counts_in_the_forms_of_lists(self, form: str, number: int, written: str) -> None:
        assert counted(number, form) == written

    def test_a_font_of_the_theme_comes_before_a_named_one(self) -> None:
        fonts = '<w:rFonts w:ascii="Symbol"{}/>'
        themed = fonts.format(' w:asciiTheme="minorHAnsi"')
        both = paragraph(run("m", fonts.format("")), run("m", themed))
        assert word(both) == "μm"

    def test_takes_linear_time_for_boxes_in_a_paragraph(self) -> None:
        box = (
            '<w:r><w:pict xmlns:v="urn:schemas-microsoft-com:vml"><v:rect style="position:absolute;'
            f'width:9pt;height:9pt"><v:textbox><w:txbxContent>{paragraph(run("Box."))}'
            "</w:txbxContent></v:textbox></v:rect></w:pict></w:r>"
        )
        spent = [process_time()]
        for number in (150, 1_500):
            assert word(paragraph(*[box] * number)).count("Box.") == number
            spent.append(process_time())
        assert spent[2] - spent[1] < 20 * (spent[1] - spent[0]) + 0.2

    def test_warns_of_words_that_are_not_read(self) -> None:
        file = docx.Document()
        shape = (
            '<v:shape xmlns:v="urn:schemas-microsoft-com:vml"><v:textpath string="No"/></v:shape>'
        )
        file.add_paragraph("Seen.").add_run()._r.append(parse_xml(shape))
        file.element.body.insert(0, file.element.body.makeelement(qn("w:altChunk")))
        assert read_word(saved(file), "a.docx").layout.warnings == (
            "the words of inserted documents are not read",
            "the words of WordArt are not read",
        )

    def test_puts_footnotes_last(self) -> None:
        file = docx.Document()
        file.add_paragraph("Pay is monthly")
        mark = f'<w:r {_NAMESPACES}><w:footnoteReference w:id="2"/></w:r>'
        file.paragraphs[0]._p.append(parse_xml(mark))
        note = f'<w:footnotes {_NAMESPACES}><w:footnote w:id="2">{paragraph(run("By law."))}</w:footnote></w:footnotes>'  # noqa: E501
        part = docx.opc.part.Part(
            docx.opc.packuri.PackURI("/word/footnotes.xml"),
            "application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml",
            note.encode(),
            file.part.package,
        )
        file.part.relate_to(part, docx.opc.constants.RELATIONSHIP_TYPE.FOOTNOTES)
        assert read_word(saved(file), "a.docx").text == "Pay is monthly[1]\n\n[1] By law."
        hidden = mark.replace(">", "><w:rPr><w:vanish/></w:rPr>", 1)
        file.paragraphs[0]._p.insert(0, parse_xml(hidden))  # is not counted
        document = read_word(saved(file), "a.docx")
        assert document.text == "Pay is monthly[1]\n\n[1] By law."
        assert document.layout.left_out == {"hidden": len("[0]Bylaw.")}

    @each_row(
        ("data", "properties", "is_certain"),
        [
            ("Yes", "", False),
            ("No", "", True),
            ("No", "<w:dataBinding w:xpath='//title'/>", False),
            ("No", "<w:dataBinding w:xpath='/other:title'/>", False),
            ("2", "<w:listItem w:value='2' w:displayText='No'/>", True),
            ("2", "<w:listItem w:value='2' w:displayText='Yes'/>", False),
            ("", "<w:showingPlcHdr/>", True),
            ("", "", False),
        ],
    )
    def test_a_control_that_is_bound_to_other_data_is_in_doubt(
        self, data: str, properties: str, is_certain: bool
    ) -> None:
        file = docx.Document()
        file.core_properties.title = data
        spaces = (
            "xmlns:c='http://schemas.openxmlformats.org/package/2006/metadata/core-properties'"
            " xmlns:d='http://purl.org/dc/elements/1.1/'"
        )
        bound = (
            f'<w:dataBinding w:prefixMappings="{spaces}" w:xpath="/c:coreProperties[1]/d:title"/>'
        )
        control = f"<w:sdt><w:sdtPr>{bound}{properties}</w:sdtPr><w:sdtContent>{run('No')}"
        block = paragraph(f"{control}</w:sdtContent></w:sdt>", run(", of course."))
        file.element.body.append(parse_xml(block.replace("<w:p>", f"<w:p {_NAMESPACES}>")))
        document = read_word(saved(file), "a.docx")
        assert document.text == "No, of course."
        assert is_certain == (not document.layout.doubts)


class TestSlides:
    def talk(self) -> bytes:
        file = pptx.Presentation()
        first = file.slides.add_slide(file.slide_layouts[1])
        first.shapes.title.text = "Results"
        first.placeholders[1].text = "Sales rose by 12%.\nCosts fell."
        first.notes_slide.notes_text_frame.text = "Mention Oslo."
        second = file.slides.add_slide(file.slide_layouts[6])
        table = second.shapes.add_table(2, 2, *map(Inches, (1, 1, 4, 1))).table
        for at, text in enumerate(("Year", "Staff", "2025", "140")):
            table.cell(at // 2, at % 2).text = text
        group = second.shapes.add_group_shape()
        group.shapes.add_textbox(*map(Inches, (1, 3, 2, 1))).text_frame.text = "In a group"
        return saved(file)

    def test_have_a_heading_each_and_their_notes(self) -> None:
        document = read_slides(self.talk(), "a.pptx")
        assert document.text == (
            "Slide 1: Results\n\nSales rose by 12%.\n\nCosts fell.\n\nMention Oslo.\n\n"
            "Slide 2\n\nYear | Staff\n2025 | 140\n\nIn a group"
        )
        assert document.layout.headings_at(document.text.index("140")) == ("Slide 2",)

    def test_have_the_numbers_of_their_lists(self) -> None:
        file = pptx.Presentation()
        frame = file.slides.add_slide(file.slide_layouts[1]).placeholders[1].text_frame
        items = [
            *(("one", 0, "arabicPeriod"), ("a", 1, "alphaLcParenR"), ("b", 1, "alphaLcParenR")),
            *(("two", 0, "arabicPeriod"), ("", 0, "arabicPeriod"), ("three", 0, "arabicPeriod")),
            *(("plain", 0, ""), ("again", 0, "arabicPeriod")),
            *(("five", 0, 'romanUcParenBoth" startAt="5'),),
        ]
        for at, (text, level, form) in enumerate(items):
            paragraph = frame.add_paragraph() if at else frame.paragraphs[0]
            paragraph.text, paragraph.level = text, level
            number = f'<a:buAutoNum xmlns:a="{frame._txBody.nsmap["a"]}" type="{form}"/>'
            if form:
                paragraph._p.get_or_add_pPr().append(parse_xml(number))
        assert read_slides(saved(file), "a.pptx").text == (
            "Slide 1\n\n1. one\n\na) a\n\nb) b\n\n2. two\n\n3. three\n\nplain\n\n1. again"
            "\n\n(V) five"
        )

    @each_row(
        ("font", "bullet", "text"),
        [
            ("Arial", "•", "smoke"),
            ("Wingdings", "\u00fb", "✗ smoke"),
            ("Wingdings", "\u00fc", "smoke"),
            ("Arial", "Never", "Never smoke"),
        ],
    )
    def test_keep_bullets_that_deny_or_say_something(
        self, font: str, bullet: str, text: str
    ) -> None:
        file = pptx.Presentation()
        frame = file.slides.add_slide(file.slide_layouts[1]).placeholders[1].text_frame
        frame.text = "smoke"
        for each in (f'buFont typeface="{font}"', f'buChar char="{bullet}"'):
            element = parse_xml(f'<a:{each} xmlns:a="{frame._txBody.nsmap["a"]}"/>')
            frame.paragraphs[0]._p.get_or_add_pPr().append(element)
        assert read_slides(saved(file), "a.pptx").text == f"Slide 1\n\n{text}"

    def test_have_notes_wherever_they_are_on_their_page(self) -> None:
        file = pptx.Presentation(BytesIO(self.talk()))
        notes = file.slides[0].notes_slide.notes_placeholder
        notes.left, notes.top, notes.width, notes.height = map(Inches, (1, 8, 5, 2))
        assert "Mention Oslo." in read_slides(saved(file), "a.pptx").text

    @each_row(
        "inside",
        [
            '<a:fld id="{1}" type="slidenum"><a:t>not</a:t></a:fld>',
            '<q:x xmlns:q="urn:q"><a:r><a:t>not</a:t></a:r></q:x>',
        ],
    )
    def test_have_no_fields_of_now_and_nothing_unknown(self, inside: str) -> None:
        file = pptx.Presentation()
        slide = file.slides.add_slide(file.slide_layouts[6])
        frame = slide.shapes.add_textbox(*map(Inches, (1, 1, 4, 1))).text_frame
        frame.text = "Seen."
        spaces = frame._txBody.nsmap["a"]
        frame.paragraphs[0]._p.append(parse_xml(inside.replace(">", f' xmlns:a="{spaces}">', 1)))
        assert read_slides(saved(file), "a.pptx").text == "Slide 1\n\nSeen."

    def test_warn_of_words_that_are_not_read(self) -> None:
        file = pptx.Presentation()
        box = file.slide_layouts[6].shapes._spTree
        for name in ("one", "two"):
            slide = file.slides.add_slide(file.slide_layouts[6])
            slide.shapes.add_textbox(0, 0, 900, 900).text_frame.text = name
        data = CategoryChartData()
        data.categories = ["a"]
        data.add_series("Sales", [1])
        slide.shapes.add_chart(XL_CHART_TYPE.PIE, 0, 0, 9_000, 9_000, data)
        words = slide.shapes.add_textbox(0, 0, 9_000, 9_000)
        words.text_frame.text = "Draft"
        box.append(words._element)
        foot = slide.shapes.add_textbox(0, 0, 9_000, 9_000)
        foot.text_frame.text = "Not for patients"
        holder = f'<p:ph xmlns:p="{foot._element.nsmap["p"]}" type="ftr"/>'
        foot._element.find(".//{*}nvPr").append(parse_xml(holder))
        assert read_slides(saved(file), "a.pptx").layout.warnings == (
            'slides 1, 2: the words "Draft" of its layout are not read',
            "slide 2: the words of a chart are not read",
            'slide 2: the words "Not for patients" of its footer are not read',
        )

    def test_are_counted_as_pages(self) -> None:
        assert read_sources([("a.pptx", self.talk())], max_pages=2).ids == ("a",)
        with pytest.raises(PageLimitError, match=r"^a\.pptx: has 2 slides; at most 1 are read$"):
            read_sources([("a.pptx", self.talk())], max_pages=1)


class TestFiles:
    @each_row(
        ("name", "part"),
        [("a.docx", "word/document.xml"), ("a.pptx", "ppt/presentation.xml")],
    )
    def test_that_unpack_to_too_much_are_rejected(self, name: str, part: str) -> None:
        stream = BytesIO()
        with ZipFile(stream, "w", ZIP_DEFLATED) as packed:
            packed.writestr(part, b" " * 64_000_001)
        assert len(stream.getvalue()) < 100_000
        with pytest.raises(InvalidSourcesError, match=f"^{name}: unpacks to more than is read"):
            read_sources([(name, stream.getvalue())])

    @each_row("name", ["a.docx", "a.pptx"])
    def test_that_are_damaged_are_rejected_and_nothing_else_happens(self, name: str) -> None:
        whole = saved(docx.Document() if name == "a.docx" else pptx.Presentation())
        randomly = random.Random(7)
        for _ in range(60):
            damaged = bytearray(whole)
            for _ in range(randomly.randint(1, 40)):
                damaged[randomly.randrange(4, len(damaged))] = randomly.randrange(256)
            with suppress(InvalidSourcesError):
                read_sources([(name, bytes(damaged[: randomly.randint(100, len(damaged))]))])

    def test_cannot_name_other_files(self) -> None:
        file = docx.Document()
        file.add_paragraph("MARK")
        content = changed(saved(file), "MARK", "&here;", "word/document.xml")
        entity = '<!DOCTYPE x [<!ENTITY here SYSTEM "file:///etc/hostname">]><w:document '
        content = changed(content, "<w:document ", entity, "word/document.xml")
        with pytest.raises(InvalidSourcesError, match=r"a\.docx: has an entity"):
            read_sources([("a.docx", content)])
