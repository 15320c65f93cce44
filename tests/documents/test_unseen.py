"""One contract for all readers: what a reader of the file does not see is no evidence.

Each file says "The drug is not safe" with a "not" that is struck out, hidden, or plainly visible.
"""

import json
from collections.abc import Callable
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import Any, cast
from zipfile import ZipFile

import docx
import openpyxl
import pptx
import pytest
from docx.oxml.parser import parse_xml
from PIL import Image
from pptx.dml.color import RGBColor
from pptx.util import Inches
from reportlab.lib import colors
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase.pdfdoc import PDFDictionary
from reportlab.pdfgen.canvas import Canvas

from citeguard import CiteguardError, InvalidSourcesError, Source, Sources, locate
from citeguard.documents.document import Document, data_of_document, document_from
from citeguard.documents.html import styles
from citeguard.documents.loading import read_document, read_sources
from citeguard.documents.pdf import pdfium
from citeguard.sources.layout import Doubt, Layout
from documents.making import changed, numbered_in, saved
from rows import each_row

_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_M = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
_A = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
_P = "xmlns:p='http://schemas.openxmlformats.org/presentationml/2006/main'"
_MC = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:q="urn:unknown"'
_WP = 'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"'
_WPS = 'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"'
_V = 'xmlns:v="urn:schemas-microsoft-com:vml"'
_W14 = 'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"'

_openpyxl = cast("Any", openpyxl)  # it has no types
import_module("openpyxl.cell.rich_text")

File = tuple[str, bytes]
Made = File | Callable[[], File]


def later(make: Callable[..., File]) -> Callable[..., Callable[[], File]]:
    """Have files made in the tests alone: to make hundreds takes each process of a run seconds."""
    return lambda *args, **options: lambda: make(*args, **options)


def read(made: Made, **options: Any) -> Document:
    name, content = made() if callable(made) else made
    return read_document(content, name, **options)


def html(attributes: str = "", css: str = "", tag: str = "b") -> Made:
    page = f"<style>{css}</style><p>The drug is <{tag} {attributes}>not</{tag}> safe.</p>"
    return "a.html", page.encode()


def captions(middle: str, *, times: str = "00:02.000 --> 00:03.000", css: str = "") -> Made:
    cues = ("00:01.000 --> 00:02.000\nThe drug is", f"{times}\n{middle}", "03:00 --> 04:00\nsafe.")
    style = f"STYLE\n{css}\n\n" if css else ""
    return "a.vtt", "\n\n".join(("WEBVTT", f"{style}{cues[0]}", *cues[1:])).encode()


def markdown(text: str) -> Made:
    return "a.md", text.encode()


@later
def word(properties: str = "", *, content: str = "<w:t>not</w:t>", around: str = "{}") -> File:
    file = docx.Document()
    run = around.format(f"<w:r><w:rPr>{properties}</w:rPr>{content}</w:r>")
    before, after = (
        f'<w:r><w:t xml:space="preserve">{text}</w:t></w:r>' for text in ("The drug is ", " safe.")
    )
    file.element.body.append(
        parse_xml(f"<w:p {_W} {_M} {_W14} {_MC} {_WP}>{before}{run}{after}</w:p>")
    )
    return "a.docx", saved(file)


@later
def blocks(*between: str, last: str = "safe.", styles: str = "", levels: str = "") -> File:
    """Return a Word file with these blocks, as XML, between "The drug is" and "safe."."""
    file = docx.Document()
    spaces = f"{_W} {_M} {_W14} {_MC} {_WP} {_WPS} {_A} {_V}"
    section = file.element.body[-1]
    for each in parse_xml(f"<w:x {spaces}>{run_of('The drug is', *between, last)}</w:x>"):
        section.addprevious(each)
    file.styles.element.extend(parse_xml(f"<w:x {spaces}>{styles}</w:x>"))
    if levels:
        numbered_in(
            file,
            f'<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/>{levels}</w:lvl>',
        )
    return "a.docx", saved(file)


def run_of(*texts: str) -> str:
    """Return blocks of Word: a paragraph for each plain text."""
    return "".join(
        each if "<" in each else f"<w:p><w:r><w:t>{each}</w:t></w:r></w:p>" for each in texts
    )


def layout(properties: str, run: str = "", text: str = "not") -> str:
    """Return a paragraph of Word with these properties, and those of its run."""
    look = f"<w:pPr>{properties}</w:pPr>"
    return f"<w:p>{look}<w:r><w:rPr>{run}</w:rPr><w:t>{text}</w:t></w:r></w:p>"


def rows(*each: tuple[str, str, str], look: str = "") -> str:
    """Return a table of Word: for each row, its properties, and those of its cell with the cell."""
    made = "".join(
        f"<w:tr><w:trPr>{row}</w:trPr><w:tc><w:tcPr>{cell}</w:tcPr>{content}</w:tc></w:tr>"
        for row, cell, content in each
    )
    return f"<w:tbl><w:tblPr>{look}</w:tblPr><w:tblGrid/>{made}</w:tbl>"


def text_box(
    extent: str = 'cx="900000" cy="900000"',
    place: str = "",
    body: str = "",
    fill: str = "",
    look: str = "auto",
    grows: str = "",
) -> str:
    """Return a paragraph of Word with a text box that says "not"."""
    inside = layout("", f'<w:color w:val="{look}"/>')
    return (
        f"<w:p><w:r><w:drawing><wp:anchor>{place}<wp:extent {extent}/><wp:docPr id='1' name='b'/>"
        f"<a:graphic><a:graphicData><wps:wsp><wps:spPr>{fill}</wps:spPr><wps:txbx>"
        f"<w:txbxContent>{inside}</w:txbxContent></wps:txbx><wps:bodyPr {body}>{grows}"
        "</wps:bodyPr></wps:wsp></a:graphicData></a:graphic></wp:anchor></w:drawing></w:r></w:p>"
    )


OUTLINE = (
    '<w14:textOutline><w14:solidFill><w14:srgbClr w14:val="{}"/></w14:solidFill></w14:textOutline>'
)
HOLLOW = f"<w14:textFill><w14:noFill/></w14:textFill>{OUTLINE}"


def filled(colour: str, alpha: str = "100%") -> str:
    share = f'<a:alpha val="{alpha}"/>'
    return f'<a:solidFill><a:srgbClr val="{colour}">{share}</a:srgbClr></a:solidFill>'


def shape_over(
    text: str = "not",
    *,
    behind: int = 0,
    left: int = 0,
    top: int = 0,
    high: int = 200_000,
    wrap: str = "None",
    fill: str = filled("000000"),
    line: str = "<a:ln/>",
    frame: str = "paragraph",
    form: str = "",
    look: str = "",
) -> str:
    """Return a paragraph of Word with a text that is the anchor of a shape."""
    places = "".join(
        f"<wp:position{axis} relativeFrom='{each}'><wp:posOffset>{offset}</wp:posOffset>"
        f"</wp:position{axis}>"
        for axis, each, offset in (("H", "column", left), ("V", frame, top))
    )
    return (
        f"<w:p><w:r><w:rPr>{look}</w:rPr><w:t>{text}</w:t></w:r><w:r><w:drawing><wp:anchor "
        "relativeHeight='9' "
        f"behindDoc='{behind}'>{places}<wp:extent cx='900000' cy='{high}'/><wp:wrap{wrap}/>"
        f"<a:graphic><a:graphicData><wps:wsp><wps:spPr>{form}{fill}{line}</wps:spPr>"
        "</wps:wsp></a:graphicData></a:graphic></wp:anchor></w:drawing></w:r></w:p>"
    )


LOW = 'cx="900000" cy="60000"'
FIXED, EXACT = '<w:tblLayout w:type="fixed"/>', '<w:trHeight w:val="{}" w:hRule="exact"/>'


def far_column(look: str, wide: int = 14_000) -> str:
    """Return a table of Word whose second column, behind a wide one, says "not"."""
    grid = f'<w:tblGrid><w:gridCol w:w="{wide}"/><w:gridCol w:w="2000"/></w:tblGrid>'
    table = rows(('<w:gridBefore w:val="1"/>', "", run_of("not")), look=look)
    return table.replace("<w:tblGrid/>", grid)


def drawn_over(shape: str) -> str:
    """Return a paragraph of Word with "not" that is the anchor of a shape of VML."""
    shape = shape.replace(" ", ' xmlns:w10="urn:schemas-microsoft-com:office:word" ', 1)
    return f"<w:p><w:r><w:t>not</w:t></w:r><w:r><w:pict>{shape}</w:pict></w:r></w:p>"


def drawn_box(style: str) -> str:
    """Return a paragraph of Word with a text box of VML that says "not"."""
    return (
        f'<w:p><w:r><w:pict><v:rect style="{style}"><v:textbox><w:txbxContent>{run_of("not")}'
        "</w:txbxContent></v:textbox></v:rect></w:pict></w:r></w:p>"
    )


def style(kind: str, name: str, look: str, layout: str = "") -> str:
    return (
        f'<w:style w:type="{kind}" w:styleId="{name}"><w:name w:val="{name}"/>'
        f"<w:pPr>{layout}</w:pPr><w:rPr>{look}</w:rPr></w:style>"
    )


def part_style(kind: str, look: str) -> Made:
    """Return a Word file whose "not" is in a part of a table to which a style gives a look."""
    part = f'<w:tblStylePr w:type="{kind}"><w:rPr>{look}</w:rPr></w:tblStylePr>'
    bands = '<w:tblStylePr w:type="band1Horz"><w:tcPr><w:shd w:fill="DDDDDD"/></w:tcPr>'
    made = style("table", "T", "").replace("</w:style>", f"{part}{bands}</w:tblStylePr></w:style>")
    table = rows(("", "", run_of("not")), ("", "", run_of("")), look='<w:tblStyle w:val="T"/>')
    return blocks(table, styles=made)


@later
def slides(change: Callable[[Any, Any, Any], object]) -> File:
    """Return a presentation, after a change of the slide, the shape and the run that say "not"."""
    file = pptx.Presentation()
    slide = file.slides.add_slide(file.slide_layouts[6])
    for top, text in ((1, "The drug is"), (2, "not"), (3, "safe.")):
        shape = slide.shapes.add_textbox(Inches(1), Inches(top), Inches(4), Inches(1))
        shape.text_frame.text = text
        if text == "not":
            hidden, run = shape, shape.text_frame.paragraphs[0].runs[0]
    change(slide, hidden, run)
    return "a.pptx", saved(file)


def run_of_slide(properties: str, attributes: str = "") -> Made:
    """Return a presentation whose "not" has these properties."""
    look = f"<a:rPr {_A} {attributes}>{properties}</a:rPr>"
    return slides(lambda _, __, run: run._r.insert(0, parse_xml(look)))


def marked(colour: str) -> str:
    return f'<a:highlight><a:srgbClr val="{colour}"/></a:highlight>'


def styled_slide(look: str, layout: str = "") -> Made:
    """Return a presentation whose "not" inherits its look from a style of its list."""

    def change(_: object, shape: object, __: object) -> None:
        body = shape.text_frame._txBody  # pyright: ignore[reportAttributeAccessIssue]
        style = f"<a:lstStyle {_A}><a:lvl1pPr {layout}>{look}</a:lvl1pPr></a:lstStyle>"
        body.insert(1, parse_xml(style))

    return slides(change)


def turned_over(slide: Any, shape: Any, _: object) -> None:
    """Have a shape be under one that covers it only as it is turned by 90 degrees."""
    left = shape.left + (shape.width - shape.height) // 2
    top = shape.top - (shape.width - shape.height) // 2
    slide.shapes.add_shape(1, left, top, shape.height, shape.width).rotation = 90


def crossed_shape(slide: Any, shape: Any, _: object, share: float = 0.5) -> None:
    height = shape.top + int(share * shape.height)
    slide.shapes.add_connector(1, shape.left, height, shape.left + shape.width, height)


def shape_under_table(slide: Any, shape: Any, _: object) -> None:
    slide.shapes.add_table(1, 1, shape.left, shape.top, shape.width, shape.height)


def moved_group(slide: object, shape: object, _: object) -> None:
    group = slide.shapes.add_group_shape([shape])  # pyright: ignore[reportAttributeAccessIssue]
    group.left = Inches(-30)
    slide.shapes._spTree.insert(3, group._element)  # pyright: ignore[reportAttributeAccessIssue]


def table_of_slide(slide: Any, shape: Any) -> Any:
    """Return the table with which a shape that says "not" is replaced; its second cell says so."""
    table = slide.shapes.add_table(1, 2, shape.left, shape.top, shape.width, shape.height)
    table.table.cell(0, 1).text = "not"
    slide.shapes._spTree.replace(shape._element, table._element)
    return table.table


def covered_cell(slide: Any, shape: Any, _: object) -> None:
    table = table_of_slide(slide, shape)
    table.cell(0, 0)._tc.set("gridSpan", "2")
    table.cell(0, 1)._tc.set("hMerge", "1")


def flat_column(slide: Any, shape: Any, _: object) -> None:
    table = table_of_slide(slide, shape)
    table.columns[1].width = 0


def moved_layout(slide: Any, shape: Any, _: object) -> None:
    """Have a shape take its place from a placeholder of the layout that is off the slide."""
    form = slide.slide_layout.placeholders[0]
    form.left, form.top, form.width, form.height = Inches(40), 0, Inches(1), Inches(1)
    form._element.nvSpPr.nvPr.ph.set("type", "body")
    kept = shape._element.nvSpPr.find(f"{{{shape._element.nsmap['p']}}}nvPr")
    kept.append(parse_xml(form._element.nvSpPr.nvPr.ph.xml))
    shape._element.spPr.remove(shape._element.spPr.xfrm)


Change = Callable[[Any, Any, Any], object]


def other(
    fill: str = "",
    words: str = "",
    *,
    ink: str = "",
    styled: int = 0,
    form: str = "rect",
    around: str = "{}",
    look: str = "",
    part: tuple[float, float] = (0, 1),
    below_white: bool | None = None,
) -> Change:
    """Return a change of a slide that draws a shape where the one with "not" is, by its XML.

    The shape has words of its own, or is drawn over a part of the other's, or below them: whether
    they are white or black.
    """

    def change(slide: Any, shape: Any, run: Any) -> None:
        spaces = f"{_P} {_A}"
        left, right = (shape.left + int(each * shape.width) for each in part)
        place = (
            f"<a:off x='{left}' y='{shape.top}'/><a:ext cx='{right - left}' cy='{shape.height}'/>"
        )
        style = (
            f"<p:style><a:lnRef idx='0'/><a:fillRef idx='{styled}'/><a:effectRef idx='0'/>"
            f"<a:fontRef idx='minor'><a:schemeClr val='{ink or 'tx1'}'/></a:fontRef></p:style>"
        )
        text = f"<p:txBody><a:bodyPr/><a:p><a:r><a:t>{words}</a:t></a:r></a:p></p:txBody>"
        made = (
            f"<p:sp {look}><p:nvSpPr><p:cNvPr id='90' name='b'/><p:cNvSpPr/><p:nvPr/></p:nvSpPr>"
            f"<p:spPr><a:xfrm>{place}</a:xfrm><a:prstGeom prst='{form}'/>{fill}</p:spPr>"
            f"{style if ink or styled else ''}{text if words else ''}</p:sp>"
        )
        element = parse_xml(around.format(made).replace(" ", f" {spaces} ", 1))
        add = shape._element.addnext if below_white is None else shape._element.addprevious
        add(element)
        if below_white:
            run.font.color.rgb = RGBColor(255, 255, 255)
        if words:
            element.getparent().remove(shape._element)

    return change


def group_of(fill: str) -> str:
    """Return the XML around a shape for a group with a fill."""
    place = "<a:off x='0' y='0'/><a:ext cx='9' cy='9'/>"
    inner = place.replace("a:off", "a:chOff").replace("a:ext", "a:chExt")
    return (
        "<p:grpSp ><p:nvGrpSpPr><p:cNvPr id='91' name='g'/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr>"
        f"<p:grpSpPr><a:xfrm>{place}{inner}</a:xfrm>{fill}</p:grpSpPr>{{}}</p:grpSp>"
    )


def animated(name: str) -> Change:
    """Return a change that covers "not", and animates the shape with an identifier."""

    def change(slide: Any, shape: Any, run: Any) -> None:
        other(filled("000000"))(slide, shape, run)
        slide._element.append(parse_xml(
            f"<p:timing {_P}><p:tnLst><p:spTgt spid='{name}'/></p:tnLst></p:timing>"
        ))  # fmt: skip

    return change


def pictured(slide: Any, shape: Any, run: Any) -> None:
    """Have a clear picture above "not"."""
    stream = BytesIO()
    Image.new("RGBA", (9, 9)).save(stream, "PNG")
    slide.shapes.add_picture(stream, shape.left, shape.top, shape.width, shape.height)
    shape._element.addnext(slide.shapes[-1]._element)


def charted(slide: Any, shape: Any, _: object) -> None:
    data = import_module("pptx.chart.data").CategoryChartData()
    data.categories = ["a"]
    data.add_series("b", (1,))
    kind = import_module("pptx.enum.chart").XL_CHART_TYPE.PIE
    place = shape.left, shape.top, shape.width, shape.height
    shape._element.addnext(slide.shapes.add_chart(kind, *place, data)._element)


def overrun(_: object, shape: Any, run: Any) -> None:
    """Have "not" be before more lines than the slide has place for."""
    shape.top = Inches(6)
    for _ in range(9):
        run._r.addnext(parse_xml(f"<a:br {_A}/>"))


def endless(_: object, shape: Any, run: Any) -> None:
    """Have "not" be in a line that is longer than the slide is wide."""
    shape.text_frame.word_wrap = False
    run.text = "not" + " and so on" * 40


def recoloured(slide: Any, _: object, run: Any) -> None:
    """Have a slide be black with white text, but for a "not" that is black."""
    names = "bg1 tx1 bg2 tx2 hlink folHlink".split() + [f"accent{n}" for n in range(1, 7)]
    colours = {name: name for name in names} | {
        "bg1": "dk1",
        "tx1": "lt1",
        "bg2": "lt2",
        "tx2": "dk2",
    }
    attributes = " ".join(f"{name}='{colour}'" for name, colour in colours.items())
    override = slide._element.find(f"{{{slide._element.nsmap['p']}}}clrMapOvr")
    override.clear()
    override.append(parse_xml(f"<a:overrideClrMapping {_A} {attributes}/>"))
    run.font.color.rgb = RGBColor(0, 0, 0)


def usually_struck(slide: Any, shape: Any, _: object) -> None:
    """Have the text of a presentation be struck out, if it does not say otherwise."""
    usual = slide.part.package.presentation_part._element.find(".//{*}defaultTextStyle")
    usual.find(".//{*}lvl1pPr/{*}defRPr").set("strike", "sngStrike")
    for each in slide.shapes:
        if each._element is not shape._element:
            each.text_frame.paragraphs[0].runs[0]._r.get_or_add_rPr().set("strike", "noStrike")


@later
def sheet(change: Callable[[object, object], object]) -> File:
    """Return a workbook, after a change of the sheet and the cell that says "not"."""
    book = _openpyxl.Workbook()
    for text in ("The drug is", "not", "safe."):
        book.active.append([text])
    change(book.active, book.active["A2"])
    return "a.xlsx", saved(book)


def drawn_on_sheet(*anchors: str) -> Made:
    """Return a workbook with what is drawn at these anchors, as XML."""
    kind = "http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"
    drawing = f"<d:wsDr xmlns:d='{kind}' {_A}>{''.join(anchors)}</d:wsDr>"
    related = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/drawing"
    relations = (
        "<Relationships xmlns='http://schemas.openxmlformats.org/package/2006/relationships'>"
        f"<Relationship Id='r' Type='{related}' Target='../drawings/a.xml'/></Relationships>"
    )

    def make() -> File:
        name, content = sheet(lambda *_: None)()
        stream = BytesIO(content)
        with ZipFile(stream, "a") as file:
            file.writestr("xl/drawings/a.xml", drawing)
            file.writestr("xl/worksheets/_rels/sheet1.xml.rels", relations)
        return name, stream.getvalue()

    return make


def on_sheet(row: int, fill: str = "", words: str = "", name: str = "name='Box'") -> str:
    """Return the XML of a shape over the first cell of a row."""
    places = "".join(
        f"<d:{end}><d:col>{at}</d:col><d:row>{row - 1 + at}</d:row></d:{end}>"
        for at, end in enumerate(("from", "to"))
    )
    text = f"<d:txBody><a:p><a:r>{words}</a:r></a:p></d:txBody>" if words else ""
    return (
        f"<d:twoCellAnchor>{places}<d:sp><d:nvSpPr><d:cNvPr id='2' {name}/></d:nvSpPr>"
        f"<d:spPr>{fill}</d:spPr>{text}</d:sp></d:twoCellAnchor>"
    )


def gradient(*colours: str) -> Made:
    return sheet(lambda _, cell: setattr(
        cell, "fill", _openpyxl.styles.GradientFill(stop=[f"FF{each}" for each in colours])
    ))  # fmt: skip


def pattern(ink: str, ground: str) -> Made:
    fill = _openpyxl.styles.PatternFill("darkUp", fgColor=f"FF{ink}", bgColor=f"FF{ground}")
    return sheet(lambda _, cell: setattr(cell, "fill", fill))


def rich_if(page: Any, cell: Any) -> None:
    """Have a cell be white in part, and a condition give it another ground."""
    rich = _openpyxl.cell.rich_text
    white = rich.TextBlock(_openpyxl.cell.text.InlineFont(color="FFFFFFFF"), "ever")
    cell.value = rich.CellRichText("not", white)
    rules = import_module("openpyxl.formatting.rule")
    fill = _openpyxl.styles.PatternFill(bgColor="FF0000AA", fill_type="solid")
    page.conditional_formatting.add("A2", rules.FormulaRule(formula=["TRUE"], fill=fill))


def font(**look: object) -> Made:
    return sheet(lambda _, cell: setattr(cell, "font", _openpyxl.styles.Font(**look)))


def formed(cell: object, value: object, form: str) -> None:
    cell.value, cell.number_format = value, form  # pyright: ignore[reportAttributeAccessIssue]


def rich_text(_: object, cell: object) -> None:
    rich = _openpyxl.cell.rich_text
    struck = rich.TextBlock(_openpyxl.cell.text.InlineFont(strike=True), "not")
    cell.value = rich.CellRichText("", struck)  # pyright: ignore[reportAttributeAccessIssue]


@later
def hidden_slide() -> File:
    file = pptx.Presentation()
    for text in ("The drug is safe.", "not"):
        slide = file.slides.add_slide(file.slide_layouts[6])
        slide.shapes.add_textbox(0, 0, Inches(4), Inches(1)).text_frame.text = text
    file.slides[1]._element.set("show", "0")
    return "a.pptx", saved(file)


@later
def pdf(draw: Callable[[Canvas], object]) -> File:
    """Return a page on which a function draws the "not"; its place is (105, 460)."""
    stream = BytesIO()
    canvas = Canvas(stream, pagesize=(420, 595), pageCompression=0)
    canvas.setFont("Times-Roman", 12)
    canvas.drawString(40, 460, "The drug is")
    canvas.saveState()
    draw(canvas)
    canvas.restoreState()
    canvas.drawString(128, 460, "safe.")
    canvas.save()
    return "a.pdf", stream.getvalue()


def words(canvas: Canvas) -> None:
    canvas.drawString(105, 460, "not")


def steps(*lines: str) -> Callable[[Canvas], None]:
    """Return a function that draws by operators of PDF; `NOT` is the word."""

    def draw(canvas: Canvas) -> None:
        for line in lines:
            words(canvas) if line == "NOT" else canvas._code.append(line)

    return draw


BAR = "103 455 22 15 re f"


def in_form(*lines: str) -> Callable[[Canvas], None]:
    """Return a function that draws by operators of PDF in a form."""

    def draw(canvas: Canvas) -> None:
        canvas.beginForm("form", 0, 0, 420, 595)
        canvas.setFont("Times-Roman", 12)
        steps(*lines)(canvas)
        canvas.endForm()
        canvas.doForm("form")

    return draw


WRITTEN = "BT /F 12 Tf 105 460 Td (not) Tj ET"


def streamed(content: str, entries: str = "") -> str:
    """Return an object of PDF with a stream."""
    return f"<<{entries}/Length {len(content)}>>stream\n{content}\nendstream"


def raw_pdf(
    middle: str, *more: str, resources: str = "", catalog: str = "", font: str = ""
) -> Made:
    """Return a PDF file that draws something between words; objects from 6 on are added."""
    first, last = (
        "BT /F 12 Tf 40 460 Td (The drug is) Tj ET",
        "BT /F 12 Tf 128 460 Td (safe.) Tj ET",
    )
    drawn = f"{first} q {middle} Q {last}"
    objects = [
        f"<</Type/Catalog/Pages 2 0 R{catalog}>>",
        "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 420 595]/Contents 5 0 R"
        f"/Resources<</Font<</F 4 0 R{font}>>{resources}>>>>",
        "<</Type/Font/Subtype/Type1/BaseFont/Times-Roman>>",
        streamed(drawn),
        *more,
    ]
    body = "".join(f"{n} 0 obj\n{each}\nendobj\n" for n, each in enumerate(objects, 1))
    trailer = f"trailer<</Root 1 0 R/Size {len(objects) + 1}>>\n%%EOF\n"
    return "a.pdf", f"%PDF-1.7\n{body}{trailer}".encode()


def tiled(middle: str, tile: str, *more: str) -> Made:
    """Return a PDF file with a pattern, `/P`, in which an operator draws."""
    return raw_pdf(
        middle,
        streamed(
            tile,
            "/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 420 595]/XStep 420/YStep 595"
            "/Resources<</Font<</F 4 0 R>>>>",
        ),
        *more,
        resources="/Pattern<</P 6 0 R>>/XObject<</X 7 0 R>>",
    )


def in_layer(state: str, *, form: bool = False) -> Made:
    """Return a PDF file whose "not", or a form with it, is in a layer that is on or off."""
    catalog = f"/OCProperties<</OCGs[6 0 R]/D<</{state}[6 0 R]>>>>"
    layer = "<</Type/OCG/Name(L)>>"
    if not form:
        middle, resources = f"/OC /L BDC {WRITTEN} EMC", "/Properties<</L 6 0 R>>"
        return raw_pdf(middle, layer, resources=resources, catalog=catalog)
    entries = "/Subtype/Form/O#43 6 0 R/BBox[0 0 420 595]/Resources<</Font<</F 4 0 R>>>>"
    made = streamed(WRITTEN, entries)
    return raw_pdf("/X Do", layer, made, resources="/XObject<</X 7 0 R>>", catalog=catalog)


def drawn_by_operators(glyph: str) -> Made:
    """Return a PDF file whose "not" is in a font of which each glyph is drawn alike."""
    glyph = f"500 0 d0 {glyph}"
    return raw_pdf(
        WRITTEN.replace("/F ", "/G "),
        "<</Type/Font/Subtype/Type3/FontBBox[0 0 500 700]/FontMatrix[.001 0 0 .001 0 0]"
        "/FirstChar 110/LastChar 116/Widths[500 500 500 500 500 500 500]/CharProcs<</n 7 0 R>>"
        "/Encoding<</Differences[110/n/n/n/n/n/n/n]>>/ToUnicode 8 0 R>>",
        streamed(glyph),
        streamed(MAP),
        font="/G 6 0 R",
    )


MAP = (
    "begincmap 1 begincodespacerange <00> <FF> endcodespacerange "
    "1 beginbfrange <6E> <74> <006E> endbfrange endcmap"
)


def mapped(text: str, codes: str, font: str = "Times-Roman", encoding: str = "") -> Made:
    """Return a PDF file with a text in a font that says by itself which characters it has."""
    return raw_pdf(
        WRITTEN.replace("/F ", "/G ").replace("not", text),
        f"<</Type/Font/Subtype/Type1/BaseFont/{font}/ToUnicode 7 0 R{encoding}>>",
        streamed(codes),
        font="/G 6 0 R",
    )


def glyphs_of(name: str) -> Made:
    """Return a PDF file whose "not" is in a font of which each glyph is one of another name."""
    return mapped("not", MAP, encoding=f"/Encoding<</Differences[110{7 * f'/{name}'}]>>")


def striking(canvas: Canvas) -> None:
    words(canvas)
    canvas.line(104, 463.2, 122, 463.2)


def struck_by_note(points: str = "[104 470 122 470 104 458 122 458]", **more: str) -> Made:
    return annotated("/StrikeOut", "QuadPoints", points, **more)


def annotated(kind: str, key: str, points: str, **more: str) -> Made:
    """Return a PDF file with an annotation that draws over the "not"."""
    entries = {"Subtype": kind, "Rect": "[104 456 122 470]", "F": "4", key: points, **more}

    def draw(canvas: Canvas) -> None:
        words(canvas)
        canvas._addAnnotation(PDFDictionary(entries))

    return pdf(draw)


UNSEEN = [
    ("del", html(tag="del")),
    ("s", html(tag="s")),
    ("strike", html(tag="strike")),
    ("line-through", html('style="text-decoration: underline line-through"')),
    ("hidden attribute", html("hidden")),
    ("class", html("class=x", ".x { display: none }")),
    ("escaped and commented", html("class=x", r".\78 /**/{d\69splay/**/:/* */none}")),
    ("links of the body", ("a.html", b"<body link=white><p>The drug is <a href=a>not</a> safe.")),
    ("loose type", ("a.html", b"<!DOCTYPE HTML PUBLIC '-//W3C//DTD HTML 4.01 Transitional//EN'>"
        b"<style>.X{display:none}</style><p>The drug is <b class=x>not</b> safe.")),
    ("own type", ("a.html", b"<!DOCTYPE page><style>.X{display:none}</style>"
        b"<p>The drug is <b class=x>not</b> safe.")),
    ("element that goes on", ("a.html", b"<p>The drug is<article hidden title='>'/><p>not</article>"
        b"<p>safe.")),
    ("element that goes on, by its id", ("a.html", b"<style>#x{display:none}</style><p>The drug is"
        b"<x-y id=x /><p>not</p></x-y><p>safe.")),
    ("end within a block", ("a.html", b"<div>The drug is <span hidden><p>n</span>ot</p></span>"
        b"</div><p>safe.")),
    ("media", html("class=x", "@media screen and (min-width: 600px) { p .x { display: none } }")),
    ("attribute selector", html("data-a=1", '[data-a="1"] { visibility: hidden }')),
    ("nested rule", html("class=x", "p { color: red; & > .x { display: none } }")),
    ("variable", html("class=x", ":root { --d: none } .x { display: var(--d) }")),
    ("important", html('class=x style="display:inline"', ".x { display: none !important }")),
    ("opacity", html('style="opacity: 0"')),
    ("font-size", html('style="font-size: 0"')),
    ("font", html('style="font: 0/0 a"')),
    ("off-screen", html('style="position: absolute; left: -9999px"')),
    ("overflow", html('style="display: inline-block; height: 0; overflow: hidden"')),
    ("white", html('style="color: #fff"')),
    ("black on black", html('style="background: #000"')),
    ("transparent", html('style="color: rgba(0, 0, 0, 0)"')),
    ("font tag", html("color=white", tag="font")),
    ("screen readers", html("class=sr-only", "</style><link rel=stylesheet href=a.css><style>")),
    ("invalid value", html('style="display: none; display: nothing"')),
    ("own variable", html('style="--a: var(--b); --b: none; display: var(--a)"')),
    ("list of selectors", html("class=x", "p :is(i, .x) { display: none }")),
    ("negated list", html("", "b:not(.y, i.z) { display: none }")),
    ("place among siblings", html("", "b:nth-child(2n + 1) { display: none }")),
    ("only of its type", html("", "b:only-of-type { display: none }")),
    ("not on paper", html("class=x", "@media not print { .x { display: none } }")),
    ("unclosed rule", html("class=x", ".x { display: none")),
    ("logical side", html('style="position: absolute; inset-inline-start: -9999px"')),
    ("far from the right", html('style="position: fixed; right: 200vw"')),
    ("logical size", html('style="display: block; block-size: 0; overflow: hidden"')),
    ("scrolled height", html('style="display: block; height: 0; overflow: scroll"')),
    ("zoom", html('style="zoom: .01"')),
    ("on a dark screen", html(css="html { color-scheme: dark } b { color: #111 }")),
    ("on no ground", html(css="p { display: contents; background: red } b { color: #fff }")),
    ("white of another space", html('style="color: oklch(100% 0 0)"')),
    ("white of the system", html('style="color: Canvas"')),
    ("own colour behind", html('style="background: currentColor"')),
    ("plain gradient", html('style="color: red; background: linear-gradient(red, red)"')),
    ("popover", html("popover")),
    ("old colour", html("color=fff", tag="font")),
    ("class of a framework", html("class=d-none", "@import 'a.css';")),
    ("invalid values", html('style="font-size: 0; font-size: 1xy; font: bad 12px a; font: 12px"')),
    ("invalid sides", html('style="display: block; margin-left: -9999px; margin: 1px no"')),
    ("inherited on request", html("class=x", "p { opacity: .2 } .x { opacity: inherit }")),
    ("earlier layer", html("class=x", "@layer a, b; @layer b { .x { display: none } }"
                                      "@layer a { b.x { display: inline } }")),
    ("fallback", html("class=x", ".no { --d: inline } .x { display: var(--d, none) }")),
    ("registered variable", html("class=x", "@property --d { initial-value: none }"
                                 "p { --d: inline } .x { display: var(--d) }")),
    ("variable's case", html('style="--d: none; --D: inline; display: var(--d)"')),
    ("calculation", html('style="position: absolute; left: calc(2 * (10px - 500vmax) + 1px)"')),
    ("opacity of several", html("style=opacity:.4", "p, html { opacity: .4 }")),
    ("size of the page", html("class=x", "html { font-size: 1px } p { font-size: 9pt }"
                              ".x { font-size: 1rem }")),
    ("column", html('style="display: table-column"')),
    ("nearly transparent", html('style="color: rgba(200, 200, 200, .2)"')),
    ("own colour's gradient", html("class=x", ".x { background: linear-gradient(currentColor) }")),
    ("other language", html("class=x", ".x{opacity:0}</style><style type=no>.x{opacity:1}")),
    ("class in another case", html("class=x", ".X { display: none }")),
    ("later declaration", html("class=x", ".x { &{ display: inline } display: none }")),
    ("prefixes of XHTML", ("a.xhtml", b"<html xmlns:a='http://www.w3.org/1999/xhtml'><a:style>"
                           b"b { display: none }</a:style>The drug is <b>not</b> safe.</html>")),
    ("cell without width", ("a.html", b"<table><tr><td>The drug is<tr><td width=0 style=overflow:"
                            b"clip>not<tr><td>safe.")),
    ("form in a form", ("a.html", b"<p>The drug is<form hidden>n<form>ot</form><p>safe.")),
    ("moment of captions", captions("not", times="00:02.000 --> 00:02.000")),
    ("width of captions", captions("not", times="00:02.000 --> 00:03.000 size:0%")),
    ("place of captions", captions("not", times="0:02.00 --> 0:03.00 position:100% align:start")),
    ("s of captions", ("a.srt", captions("<s>not</s>")[1].removeprefix(b"WEBVTT"))),
    ("tildes", markdown("The drug is ~~not~~ safe.")),
    ("s in Markdown", markdown("The drug is <s>not</s> safe.")),
    ("style in Markdown", markdown("The drug is <b style='opacity:0'>not</b> safe.")),
    ("block in Markdown", markdown("<div hidden>\n\nnot\n\n</div>\n\nThe drug is safe.")),
    ("rule in Markdown", markdown(
        "<style>.x{opacity:0}</style>\n\nThe drug is <b class=x>not</b> safe."
    )),
    ("image's description", markdown("The drug is ![not](a.png) safe.")),
    ("Word strike", word("<w:strike/>")),
    ("Word double strike", word("<w:dstrike/>")),
    ("Word vanish", word("<w:vanish/>")),
    ("Word white", word('<w:color w:val="FFFFFF"/>')),
    ("Word shaded", word('<w:color w:val="00B050"/><w:shd w:val="clear" w:fill="00B050"/>')),
    ("Word tiny", word('<w:sz w:val="1"/>')),
    ("Word style", blocks(
        layout("", '<w:rStyle w:val="C"/>'), styles=style("character", "C", "<w:strike/>")
    )),
    ("Word theme", word('<w:color w:val="000000" w:themeColor="background1"/>')),
    ("Word pattern", word(
        '<w:color w:val="00B050"/><w:shd w:val="solid" w:color="00B050" w:fill="FFFFFF"/>'
    )),
    ("Word highlight", word('<w:color w:val="FF0000"/><w:highlight w:val="red"/>')),
    ("Word text fill", word(
        '<w14:textFill><w14:solidFill><w14:srgbClr w14:val="FFFFFF"/></w14:solidFill>'
        "</w14:textFill>"
    )),
    ("Word moved away", word('<w:position w:val="3000"/>')),
    ("Word hidden row", blocks(rows(("<w:hidden/>", "", run_of("not"))))),
    ("Word tiny row", blocks(rows(
        ('<w:trHeight w:val="5" w:hRule="exact"/>', "", run_of("not"))
    ))),
    ("Word deleted cell", blocks(rows(("", "<w:cellDel/>", run_of("not"))))),
    ("Word merged cell", blocks(rows(
        ("", '<w:vMerge w:val="restart"/>', "<w:p/>"), ("", "<w:vMerge/>", run_of("not"))
    ))),
    ("Word row of a table in a cell", blocks(
        "<w:tbl><w:tr><w:tc/><w:tc>" + rows(("<w:hidden/>", "", run_of("not")))
        + "</w:tc></w:tr></w:tbl>"
    )),
    ("Word table off the page", blocks(
        rows(("", "", run_of("not")), look='<w:tblInd w:w="30000"/>')
    )),
    ("Word style of characters", blocks(
        layout('<w:pStyle w:val="P"/>', '<w:rStyle w:val="C"/>'),
        styles=style("paragraph", "P", "<w:vanish/>")
        + style("character", "C", '<w:vanish w:val="0"/>'),
    )),
    ("Word style of another kind", blocks(
        layout('<w:pStyle w:val="P"/>', '<w:rStyle w:val="Q"/>'),
        styles=style("paragraph", "P", "<w:vanish/>")
        + style("paragraph", "Q", '<w:vanish w:val="0"/>'),
    )),
    ("Word size in another unit", word('<w:sz w:val="0.1mm"/>')),
    ("Word letters on one another", word('<w:spacing w:val="-400"/>')),
    ("Word tint", word('<w:color w:val="000000" w:themeColor="text1" w:themeTint="00"/>')),
    ("Word indented", blocks(layout('<w:ind w:left="30in"/>'))),
    ("Word first line", blocks(layout('<w:ind w:firstLine="30000"/>'))),
    ("Word characters to the left", blocks(layout('<w:ind w:leftChars="30000"/>'))),
    ("Word indented by its list", blocks(
        layout('<w:numPr><w:numId w:val="90"/></w:numPr>'),
        levels='<w:lvlText w:val=""/><w:pPr><w:ind w:left="30000"/></w:pPr>',
    )),
    ("Word number of a list", blocks(
        last=layout('<w:numPr><w:numId w:val="90"/></w:numPr>', text="safe."),
        levels='<w:lvlText w:val="not"/><w:rPr><w:vanish/></w:rPr>',
    )),
    ("Word highlight of automatic text", word('<w:highlight w:val="black"/>')),
    ("Word dense pattern", word(
        '<w:color w:val="000000"/><w:shd w:val="pct95" w:color="auto" w:fill="000000"/>'
    )),
    ("Word highlight of none", word('<w:color w:val="FFFFFF"/><w:highlight w:val="none"/>')),
    ("Word shade of nil", word(
        '<w:color w:val="FFFFFF"/><w:shd w:val="nil" w:fill="000000"/>'
    )),
    ("Word hollow letters in white", word(HOLLOW.format("FFFFFF"))),
    ("Word tiny box", blocks(text_box('cx="1" cy="1"'))),
    ("Word box beside the page", blocks(text_box(place=(
        '<wp:positionH relativeFrom="page"><wp:posOffset>9000000</wp:posOffset></wp:positionH>'
    )))),
    ("Word margin in a box", blocks(text_box(body='lIns="40000000"'))),
    ("Word flat VML", blocks(drawn_box("width:0;height:0"))),
    ("Word VML beside the page", blocks(drawn_box("margin-left:-5000pt;width:99pt"))),
    ("Word size of other scripts", word('<w:cs/><w:sz w:val="24"/><w:szCs w:val="1"/>')),
    ("Word flat frame", blocks(layout('<w:framePr w:h="1" w:hRule="exact"/>'))),
    ("Word box of its colour", blocks(
        text_box(fill='<a:solidFill><a:srgbClr val="000000"/></a:solidFill>', look="000000")
    )),
    ("Word struck equation", word(content="", around=(
        '<m:oMath><m:borderBox><m:borderBoxPr><m:strikeH m:val="1"/></m:borderBoxPr>'
        "<m:e><m:r><m:t>not</m:t></m:r></m:e></m:borderBox></m:oMath>"
    ))),
    ("slide theme", run_of_slide(
        '<a:solidFill><a:schemeClr val="tx1"><a:lumMod val="0"/><a:lumOff val="100000"/>'
        "</a:schemeClr></a:solidFill>"
    )),
    ("slide highlight", run_of_slide(filled("FF0000") + marked("FF0000"))),
    ("slide style struck", styled_slide('<a:defRPr strike="sngStrike"/>')),
    ("slide style tiny", styled_slide('<a:defRPr sz="100"/>')),
    ("covered shape", slides(other(filled("FFFFFF")))),
    ("styled shape above", slides(other(styled=1))),
    ("gradient above", slides(other("<a:gradFill/>"))),
    ("black shape", slides(other(filled("000000"), "not"))),
    ("two shapes above, each over a half", slides(lambda *given: [
        other(filled("000000"), part=each)(*given) for each in ((0, 0.5), (0.5, 1))
    ])),
    ("turned shape above", slides(turned_over)),
    ("black text above a black shape", slides(other(filled("000000"), below_white=False))),
    ("group beside the slide", slides(moved_group)),
    ("merged cells of a slide", slides(covered_cell)),
    ("flat column of a slide", slides(flat_column)),
    ("nearly beside the slide", slides(lambda _, shape, __: (
        setattr(shape, "left", Inches(-30)), setattr(shape, "width", Inches(30.05))
    ))),
    ("placeholder beside the slide", slides(moved_layout)),
    ("margin in a shape", slides(
        lambda _, shape, __: shape.text_frame._txBody.bodyPr.set("tIns", "40000000")
    )),
    ("margin of a paragraph", slides(
        lambda _, __, run: run._r.getparent().get_or_add_pPr().set("marL", "40000000")
    )),
    ("ink of a style on no fill", slides(other("<a:noFill/>", "not", ink="bg1"))),
    ("ink of a style on white", slides(other(filled("FFFFFF"), "not", ink="bg1"))),
    ("opaque shape with an alpha above", slides(other(filled("000000", "100000")))),
    ("shape with the fill of its group above", slides(other(
        "<a:grpFill/>", around=group_of(filled("000000"))
    ))),
    ("shape with the fill of the slide above", slides(other(look="useBgFill='1'"))),
    ("shape above, and another that moves", slides(animated("2"))),
    ("colours of a slide", slides(recoloured)),
    ("usual style of a presentation", slides(usually_struck)),
    ("link in the colour behind it", run_of_slide(marked("0000FF") + "<a:hlinkClick/>")),
    ("letters without ink", run_of_slide("<a:ln><a:noFill/></a:ln><a:noFill/>")),
    ("letters that their alpha clears", run_of_slide(
        '<a:solidFill><a:srgbClr val="000000"><a:alphaOff val="-100000"/></a:srgbClr></a:solidFill>'
    )),
    ("inherited margin of a paragraph", styled_slide('<a:defRPr/>', 'marL="40000000"')),
    ("colour of the system", run_of_slide(
        '<a:solidFill><a:sysClr val="window" lastClr="000000"/></a:solidFill>'
    )),
    ("letters of a slide on one another", run_of_slide("", 'spc="-40000"')),
    ("Excel white", font(color="FFFFFFFF")),
    ("Excel theme", font(color=_openpyxl.styles.colors.Color(theme=0))),
    ("Excel struck", font(strike=True)),
    ("Excel tiny", font(sz=1)),
    ("Excel black on black", sheet(lambda _, cell: setattr(
        cell, "fill", _openpyxl.styles.PatternFill("solid", fgColor="FF000000")
    ))),
    ("Excel pattern", pattern("000000", "000000")),
    ("Excel gradient", gradient("000000", "010101")),
    ("Excel format", sheet(lambda _, cell: setattr(cell, "number_format", ";;;"))),
    ("Excel row without height", sheet(
        lambda sheet, _: setattr(sheet.row_dimensions[2], "height", 0.1)
    )),
    ("Excel struck run", sheet(rich_text)),
    ("Excel rest of merged cells", sheet(lambda sheet, _: sheet.merged_cells.add("A1:A2"))),
    ("Excel columns without width", sheet(lambda sheet, cell: (
        setattr(sheet.sheet_format, "defaultColWidth", 0),
        setattr(sheet.column_dimensions["A"], "width", 9),
        sheet.move_range("A2", cols=1),
    ))),
    ("Excel zero", sheet(lambda sheet, cell: (
        setattr(sheet.sheet_view, "showZeros", False), formed(cell, 0, '"not"'),
    ))),
    ("Excel white format of negatives", sheet(lambda _, cell: formed(cell, -5, '0;[Color2]"not"'))),
    ("slide strike", run_of_slide("", 'strike="sngStrike"')),
    ("slide tiny", run_of_slide("", 'sz="100"')),
    ("slide white by inversion", run_of_slide(
        '<a:solidFill><a:srgbClr val="000000"><a:inv/></a:srgbClr></a:solidFill>'
    )),
    ("slide white pattern", run_of_slide(
        '<a:pattFill><a:fgClr><a:srgbClr val="FFFFFF"/></a:fgClr>'
        '<a:bgClr><a:srgbClr val="FFFFFF"/></a:bgClr></a:pattFill>'
    )),
    ("slide white", run_of_slide(filled("FFFFFF"))),
    ("hidden shape", slides(lambda _, shape, __: shape._element.nvSpPr.cNvPr.set("hidden", "1"))),
    ("hidden shape, by its own attribute", slides(lambda _, shape, __: (
        shape._element.nvSpPr.cNvPr.set("hidden", "1"),
        shape._element.nvSpPr.cNvPr.set("{urn:other}hidden", "0"),
    ))),
    ("beside the slide", slides(lambda _, shape, __: setattr(shape, "left", Inches(-9)))),
    ("hidden slide", hidden_slide()),
    ("PDF white", pdf(steps("1 g", "NOT"))),
    ("PDF near white", pdf(steps(".97 g", "NOT"))),
    ("PDF white pattern", tiled(f"/Pattern cs /P scn {WRITTEN}", "1 g 0 0 420 595 re f")),
    ("PDF empty pattern", tiled(f"/Pattern cs /P scn {WRITTEN}", "")),
    ("PDF on a pattern alike", tiled(f"/Pattern cs /P scn {BAR} 0 g {WRITTEN}", BAR)),
    ("PDF on a shading alike", raw_pdf(f"/Pattern cs /P scn {BAR} 0 g {WRITTEN}",
        resources="/Pattern<</P<</PatternType 2/Shading<</ShadingType 2/ColorSpace/DeviceGray"
        "/Coords[0 0 9 0]/Function<</FunctionType 2/Domain[0 1]/C0[0]/C1[0]/N 1>>"
        "/Extend[true true]>>>>>>")),
    ("PDF tiny", pdf(lambda canvas: (canvas.setFont("Times-Roman", 0.5), words(canvas)))),
    ("PDF covered", pdf(steps("NOT", "1 g", BAR))),
    ("PDF blackened", pdf(steps("NOT", BAR))),
    ("PDF black on black", pdf(steps(BAR, "NOT"))),
    ("PDF grey on grey", pdf(steps(".7 g", BAR, ".73 g", "NOT"))),
    ("PDF on a picture alike", pdf(lambda canvas: (
        canvas.drawInlineImage(Image.new("L", (1, 1)), 103, 455, 22, 15), words(canvas),
    ))),
    ("PDF striped", pdf(steps("NOT", "1 g", *(f"103 {n} 22 1 re f" for n in range(455, 470))))),
    ("PDF clipped", pdf(steps("0 0 50 50 re W n", "NOT"))),
    ("PDF transparent", pdf(lambda canvas: (canvas.setFillAlpha(0), words(canvas)))),
    ("PDF invisible", pdf(steps("3 Tr", "NOT"))),
    ("PDF white in a form", pdf(in_form("1 g", "NOT"))),
    ("PDF covered in a form", pdf(in_form("NOT", "1 g", BAR))),
    ("PDF clipped in a form", pdf(in_form("0 0 50 50 re W n", "NOT"))),
    ("PDF struck", pdf(striking)),
    ("PDF artifact", pdf(steps("/Artifact BMC", "NOT", "EMC"))),
    ("PDF off the page", pdf(lambda canvas: canvas.drawString(-60, 460, "not"))),
    ("PDF layer", in_layer("OFF")),
    ("PDF form in a layer", in_layer("OFF", form=True)),
    ("PDF without a drawing", drawn_by_operators("")),
    ("PDF narrow", pdf(steps("BT /F1 12 Tf 1 Tz 105 460 Td (not) Tj ET"))),
    ("PDF low", pdf(steps("BT /F1 12 Tf 1 0 0 .01 105 460 Tm (not) Tj ET"))),
    ("PDF under a stroke", pdf(steps("NOT", "1 G 15 w 103 462 m 125 462 l S"))),
    ("PDF struck by a pen", annotated("/Ink", "InkList", "[[104 463 113 464 122 463]]")),
    ("PDF struck in a form", pdf(in_form("NOT", "104 463.2 m 122 463.2 l S"))),
    ("PDF struck by a shading", raw_pdf(f"{WRITTEN} 103 463 22 1 re W n /S sh",
        "<</ShadingType 2/ColorSpace/DeviceGray/Coords[0 0 1 0]/Extend[true true]"
        "/Function<</FunctionType 2/Domain[0 1]/C0[0]/C1[0]/N 1>>>>",
        resources="/Shading<</S 6 0 R>>")),
    ("PDF struck by a note", struck_by_note()),
]  # fmt: skip

SEEN = [
    ("no colour of what is around a table", (
        "a.html", b"<body style=color:black><div style=color:"
        b"white><table><tr><td>The drug is not safe.</table></div>"
    )),
    ("dark page", html("style=color:#eee", "</style><meta name=color-scheme content=dark><style>")),
    ("print", html("class=x", "@media print { .x { display: none } }")),
    ("hidden for programs", html("aria-hidden=true")),
    ("not on paper", html("class=noprint")),
    ("framework's class in own styles", html("class=hidden", ".hidden { color: red }")),
    *(
        (f"{tag} by itself", html(tag=tag))
        for tag in ("map", "picture", "applet", "annotation", "option", "rt")
    ),
    ("phone", html("class=x", "@media (max-width: 600px) { .x { display: none } }")),
    ("hover", html("class=x", ".x:hover, .x::before { display: none }")),
    ("cascade", html('class="x y"', ".x.y { display: inline } .x { display: none }")),
    ("comment", html("class=x", "/* .x { display: none } */")),
    ("white on black", html('style="color: white; background: black"')),
    ("centred", html('style="display: block; transform: translate(-50%, -50%)"')),
    ("other place", html("", "b:nth-child(2n) { display: none }")),
    ("shown on wide screens", html('class="hidden md:block"')),
    ("clipped background", html(
        'style="color: transparent; background: linear-gradient(red, blue);'
        'background-clip: text"'
    )),
    ("dark screen", html(
        css=":root { --c: #111 } body { color: var(--c); background: #fff }"
        "@media (prefers-color-scheme: dark) { :root { --c: #eee }"
        "body { background: #000 } }"
    )),
    ("sign before", html("class=x", ".x::before { content: '\\f101 → ' }")),
    ("unset variable", html('style="display: none; display: var(--d)"')),
    ("calculated size", html('style="font-size: clamp(1rem, 1vw + 1rem, 2rem)"')),
    ("hanging", html('style="display: block; padding-left: 99px; text-indent: -99px"')),
    ("type of its own", html(css="body { font-size: 1px } p { font-size: 9pt }")),
    ("moved a little", html('style="position: relative; left: -2px; transform: translateX(1em)"')),
    ("own word", html(css="p { visibility: hidden } b, p { visibility: initial }")),
    ("prefix of HTML", html("xmlns:a='http://www.w3.org/1999/xhtml'", tag="a:del")),
    ("another's element", ("a.xhtml", b"<p>The drug is <del xmlns='urn:a'>not</del> safe.</p>")),
    ("head without an end", ("a.html", b"<meta charset=utf-8><article>The drug is not safe.")),
    ("colours of captions", captions("<c.x>not</c>", css="::cue { background: none }")),
    ("emphasis", markdown("The drug is **not** safe.")),
    ("Word strike off", word('<w:strike w:val="0"/>')),
    ("Word automatic on a black shade", word('<w:shd w:val="clear" w:fill="000000"/>')),
    ("Word shape below", blocks(shape_over(top=900_000))),
    ("Word shape in the margin", blocks(shape_over(left=-900_000))),
    ("Word shape that text flows around", blocks(shape_over(wrap="Square"))),
    ("Word shape without a fill", blocks(
        shape_over(fill="<a:noFill/>", line="<a:ln><a:noFill/></a:ln>")
    )),
    ("Word light shape behind", blocks(shape_over(behind=1, fill=filled("DDDDDD")))),
    ("Word clear shape over it", blocks(shape_over(fill=filled("000000", "50%")))),
    ("Word hollow letters", word(HOLLOW.format("0000FF"))),
    ("Word white letters in blue lines", word(
        '<w:color w:val="FFFFFF"/>' + OUTLINE.format("0000FF")
    )),
    ("Word line of VML below", blocks(
        drawn_over('<v:line style="position:absolute" from="0,90pt" to="90pt,90pt"/>')
    )),
    ("Word shape of VML that text flows around", blocks(
        drawn_over('<v:rect style="position:absolute;width:9pt;height:9pt">'
        '<w10:wrap type="square"/></v:rect>')
    )),
    ("Word row of a height that will do", blocks(rows((EXACT.format(220), "", run_of("not"))))),
    ("Word row of a least height", blocks(
        rows(('<w:trHeight w:val="100" w:hRule="atLeast"/>', "", run_of("not")))
    )),
    ("Word cell of several rows", blocks(
        rows((EXACT.format(100), '<w:vMerge w:val="restart"/>', run_of("not")))
    )),
    ("Word box that grows", blocks(text_box(LOW, grows="<a:spAutoFit/>"))),
    ("Word box that goes on in another", blocks(
        text_box(LOW).replace("<wps:txbx>", "<wps:txbx id='1'>")
    )),
    ("Word table that is as wide as the page lets it", blocks(far_column(""))),
    ("Word hanging line", blocks(layout('<w:ind w:left="720" w:hanging="720"/>'))),
    ("Word lines close to one another", blocks(
        layout('<w:spacing w:line="200" w:lineRule="exact"/>')
    )),
    ("Word lines not so close", blocks(layout('<w:spacing w:line="20" w:lineRule="atLeast"/>'))),
    ("Word white on black", word('<w:color w:val="FFFFFF"/><w:highlight w:val="black"/>')),
    ("Word white on a pattern", word(
        '<w:color w:val="FFFFFF"/><w:shd w:val="solid" w:color="000000" w:fill="FFFFFF"/>'
    )),
    ("Word for old programs", word(
        around='<mc:AlternateContent><mc:Choice Requires="q"><w:r><w:t>no</w:t></w:r></mc:Choice>'
        "<mc:Fallback>{}</mc:Fallback></mc:AlternateContent>"
    )),
    ("slide", slides(lambda _, __, ___: None)),
    ("slide white on a highlight", run_of_slide(filled("FFFFFF") + marked("FF0000"))),
    ("Word for programs to come", word(
        around="<mc:AlternateContent><mc:Choice Requires='z' "
        "xmlns:z='http://schemas.microsoft.com/office/word/2099/z'><w:r><w:t>no</w:t></w:r>"
        "</mc:Choice><mc:Fallback>{}</mc:Fallback></mc:AlternateContent>"
    )),
    ("slide with text in an extension", slides(
        lambda _, shape, __: shape._element.append(parse_xml(
            f"<p:extLst {_P}><p:ext><a:p {_A}><a:r><a:t>no</a:t></a:r></a:p></p:ext></p:extLst>"
        ))
    )),
    ("slide with a line below a shape", slides(lambda *given: crossed_shape(*given, share=1))),
    ("slide with white above a black shape", slides(other(filled("000000"), below_white=True))),
    ("slide with a shape beside the words", slides(other(filled("000000"), part=(0.8, 1)))),
    ("slide with the ink of a style", slides(other(filled("000000"), "not", ink="bg1"))),
    ("slide with white on the fill of a group", slides(
        other("<a:grpFill/>", "not", ink="bg1", around=group_of(filled("000000")))
    )),
    ("slide with white above the fill of a group", slides(
        other("<a:grpFill/>", around=group_of(filled("000000")), below_white=True)
    )),
    ("slide with a shape above that an animation takes away", slides(animated("90"))),
    ("slide with hollow letters", run_of_slide(f"<a:ln>{filled('000000')}</a:ln><a:noFill/>")),
    ("slide with a frame", slides(other(filled("000000"), form="frame"))),
    ("Word struck last row", part_style("lastRow", "<w:strike/>")),
    ("Excel", font(color="FF333333")),
    ("Excel gradient of others", gradient("FFFFFF", "EEEEEE")),
    ("Excel clear shape above", drawn_on_sheet(on_sheet(2, "<a:noFill/>"))),
    ("Excel shape beside it", drawn_on_sheet(on_sheet(4, filled("000000")))),
    ("Excel white format of others", sheet(lambda _, cell: formed(cell, -5, '[White]0;"not"'))),
    ("Excel white on black", sheet(
        lambda _, cell: (setattr(cell, "font", _openpyxl.styles.Font(color="FFFFFFFF")),
        setattr(cell, "fill", _openpyxl.styles.PatternFill("solid", fgColor="FF000000")))
    )),
    ("Excel rows that are not written", sheet(
        lambda page, _: setattr(cast("Any", page).sheet_format, "zeroHeight", True)
    )),
    ("PDF", pdf(words)),
    ("PDF boxed", pdf(steps(".9 g", BAR, "0 g", "NOT"))),
    ("PDF white on dark", pdf(steps(".2 g", BAR, "1 g", "NOT"))),
    ("PDF underlined", pdf(lambda canvas: (words(canvas), canvas.line(104, 458.5, 122, 458.5)))),
    ("PDF form", pdf(in_form("NOT"))),
    ("PDF replacement", pdf(steps("/Span <</ActualText (ever)>> BDC", "NOT", "EMC"))),
    ("PDF layer", in_layer("ON")),
    ("PDF form in a layer", in_layer("ON", form=True)),
    ("PDF with a drawing", drawn_by_operators("0 0 400 600 re f")),
    ("PDF struck by a hidden note", struck_by_note(F="2")),
    ("PDF struck by a note without ink", struck_by_note(CA="0")),
    ("PDF struck elsewhere", struck_by_note("[304 70 322 70 304 58 322 58]")),
    ("PDF on a marker", pdf(steps("1 1 0 rg 103 461 20 2.9 re f 0 g", "NOT"))),
    ("PDF over a covered line", pdf(
        steps("104 463.2 m 122 463.2 l S 1 g 103 455 22 15 re f 0 g", "NOT")
    )),
]  # fmt: skip

# Styles that hide the word, or add another, in some browsers or for some readers.
HIDING = [  # with "display: none"
    ("large screen", "@media (min-width: 1300px) { .x {} }"),
    ("not so large screen", "@media (max-width: 1279px) { .x {} }"),
    ("unknown feature", "@supports not (new: thing) { .x {} }"),
    ("preference", "@media (prefers-color-scheme: light) { .x {} }"),
    ("container", "@container (width > 1px) { .x {} }"),
    ("scope", "@scope (.x) { :scope {} }"),
    ("unknown pseudo-class", ".x:read-only {}"),
    ("negated pseudo-class", ".x:not(:autofill) {}"),
    ("rank of what is in it", "p:has(#a, b) .x {} p b.x { display: inline }"),
    (
        "part of a layer",
        "@layer a { @layer b { .x { display: none !important } }"
        "b.x { display: inline !important } }",
    ),
    ("two rules at their place", "@scope (.x) { :scope {} } .x { display: inline }"),
    ("two pseudo-classes", ".x:not(:autofill) {} .x:not(:new) { display: inline }"),
    ("unknown in a list", ".x {} .x:new, .x { display: inline }"),
    ("invalid in a list", ".x {} a..b, .x { display: inline }"),
    ("previous layer", "@layer a { .x {} } .x { display: revert-layer }"),
    (
        "without scripts",
        ".x {}</style><noscript><style>.x { display: block }</style></noscript><style>",
    ),
    ("long selector", ".x" * 101 + "{}"),
    ("other style sheet", "@import 'data:text/css,.x%20{}';"),
]
STYLED = [  # by the style of the word itself
    ("unknown function", "display: if(media(color): none)"),
    ("unknown calculation", "opacity: sin(0)"),
    ("mixed colour", "color: color-mix(in srgb, white, white)"),
    ("mixed ground", "color: red; background: color-mix(in srgb, red, red)"),
    ("unknown colour", "color: white; color: whitish"),
    ("shadow", "color: white; text-shadow: 0 0 2px black"),
    ("cut background", "color: transparent; background-clip: text"),
    ("flat matrix", "display: block; transform: matrix(1, 0, 0, 0, 0, 0)"),
    ("turned", "display: block; transform: rotateY(.25turn)"),
    ("scaled from afar", "scale: .9; transform-origin: -9999px"),
    ("above the page", "position: fixed; top: -40px"),
    ("below the screen", "position: fixed; top: 100vh"),
    ("beside its place", "position: absolute; right: 100%"),
    ("behind", "position: relative; z-index: -1"),
    ("small circle", "display: block; clip-path: circle(1px)"),
    ("cut side", "display: block; clip-path: inset(0 0 0 99px)"),
    ("clipped", "position: absolute; clip: rect(1px, 1px, 1px, 1px)"),
    ("discs", "-webkit-text-security: disc"),
    ("mask", "mask: linear-gradient(transparent, transparent)"),
    ("filter", "filter: blur(9px)"),
    ("blending", "mix-blend-mode: screen"),
    ("thick outline of letters", "-webkit-text-stroke: 20px white"),
    ("letters on one another", "letter-spacing: -1em"),
    ("words on one another", "word-spacing: -4px"),
    ("moved by itself", "display: block; transform: translateX(100%)"),
    ("moved by itself and more", "display: block; translate: 0 calc(100% + 9px)"),
    ("moved amid", "position: relative; left: 45px"),
    ("drawn elsewhere", "position: absolute"),
    ("floating back", "float: left; margin-left: -49px"),
    ("line over it", "text-decoration: underline; text-underline-offset: -20px"),
    ("cut height", "display: block; height: 1em; overflow: hidden"),
    ("cut share of a height", "display: block; max-height: 5%; overflow: hidden"),
    ("indented and cut", "display: block; text-indent: 100%; overflow: clip"),
    ("own extent left out", "display: inline-block; contain: size paint"),
]
DOUBTFUL = [
    ("slide with a line through a shape", slides(crossed_shape)),
    ("slide with a table above a shape", slides(shape_under_table)),
    *(
        (f"Word {kind} {look}", part_style(kind, look))
        for kind in ("firstRow", "lastCol", "wholeTable")
        for look in ("<w:strike/>", "<w:vanish/>", '<w:color w:val="FFFFFF"/>')
    ),
    *((name, html("class=x", css.replace("{}", "{ display: none }"))) for name, css in HIDING),
    *((name, html(f'style="{style}"')) for name, style in STYLED),
    ("Excel pattern in part", pattern("000000", "FFFFFF")),
    ("Excel gradient in part", gradient("000000", "FFFFFF")),
    ("Excel coloured words under a condition", sheet(rich_if)),
    ("Excel shape above", drawn_on_sheet(on_sheet(2, filled("000000")))),
    ("Excel chart above", drawn_on_sheet(
        "<d:oneCellAnchor><d:from><d:col>0</d:col><d:row>0</d:row></d:from>"
        "<d:ext cx='900000' cy='900000'/><d:graphicFrame/></d:oneCellAnchor>"
    )),
    ("slide with a clear picture above", slides(pictured)),
    ("slide with a chart above", slides(charted)),
    ("slide with a triangle above", slides(other(filled("000000"), form="rtTriangle"))),
    ("slide with white beyond a dark shape", slides(
        other(filled("000000"), part=(0, 0.05), below_white=True)
    )),
    ("slide with ink that fades", run_of_slide(
        '<a:gradFill><a:gsLst><a:gs pos="0"><a:srgbClr val="FFFFFF"/></a:gs>'
        '<a:gs pos="100000"><a:srgbClr val="000000"/></a:gs></a:gsLst></a:gradFill>'
    )),
    ("slide with a link of its own colour", run_of_slide(
        filled("00FF00") + marked("0000FF") + "<a:hlinkClick/>"
    )),
    ("slide with more lines than it has place for", slides(overrun)),
    ("slide with a line that leaves it", slides(endless)),
    ("Word letters from right to left", word(around="<w:bdo w:val='rtl'>{}</w:bdo>")),
    ("Word shape over it", blocks(shape_over())),
    ("Word shape that reaches it from above", blocks(shape_over("It", top=200_000), "not")),
    ("Word shape that reaches it from below", blocks("not", shape_over("It", top=-200_000))),
    ("Word shape on the page", blocks("not", shape_over("It", frame="page", top=2_000_000))),
    ("Word line over it", blocks(shape_over(high=0, fill="<a:noFill/>", top=90_000))),
    ("Word black shape behind", blocks(shape_over(behind=1))),
    *(
        (f"Word {colour} on {behind} behind", blocks(
            shape_over(behind=1, fill=fill, look=f'<w:color w:val="{colour}"/>')
        ))
        for colour, behind, fill in (
            ("FFFFFF", "black", filled("000000")), ("FFFFFF", "half", filled("000000", "50%")),
            ("FFFFFF", "pattern", "<a:gradFill/>"), ("auto", "pattern", "<a:gradFill/>"),
        )
    ),
    ("Word picture behind", blocks(
        shape_over(behind=1, fill="").replace("wps:wsp", "wps:pic").replace("wps:spPr", "wps:x")
    )),
    ("Word ink over it", blocks(shape_over().replace("wps:wsp", "w14:contentPart"))),
    ("Word drawing by hand over it", blocks(shape_over(fill="<a:noFill/>", form="<a:custGeom/>"))),
    ("Word frame as thick as a line", blocks(
        shape_over(fill="<a:noFill/>", line='<a:ln w="200000"/>')
    )),
    ("Word row too low for its lines", blocks(
        rows((EXACT.format(500), "", run_of("", "", "not")))
    )),
    ("Word row too low for a line", blocks(rows((EXACT.format(100), "", run_of("not"))))),
    ("Word table in a low row", blocks(
        rows((EXACT.format(100), "", rows(("", "", run_of("not"))) + "<w:p/>"))
    )),
    ("Word low box", blocks(text_box(LOW))),
    ("Word box with a margin of its height", blocks(text_box(body='tIns="850000"'))),
    ("Word low frame", blocks(layout('<w:framePr w:h="100" w:hRule="exact"/>'))),
    ("Word frame beside the page", blocks(layout('<w:framePr w:w="4000" w:x="-5000"/>'))),
    ("Word column beside the page", blocks(far_column(FIXED))),
    ("Word column without width", blocks(far_column(FIXED, 9_000).replace('"2000"', '"20"'))),
    ("Word table left of the page", blocks(far_column('<w:tblInd w:w="-18000"/>' + FIXED))),
    ("Word indented beyond the margin", blocks(layout('<w:ind w:left="11000" w:right="-9000"/>'))),
    ("Word indented left of the page", blocks(layout('<w:ind w:left="-8000"/>'))),
    ("Word box off the column", blocks(text_box(place=(
        '<wp:positionH relativeFrom="column"><wp:posOffset>6900000</wp:posOffset></wp:positionH>'
    )))),
    ("Word lines on one another", blocks(layout('<w:spacing w:line="60" w:lineRule="exact"/>'))),
    ("Word quarters of lines", blocks(layout('<w:spacing w:line="60"/>'))),
    ("Word shape over a box", blocks(
        text_box().replace("</w:p>", shape_over("").removeprefix("<w:p>"))
    )),
    ("Word shape of VML over it", blocks(drawn_over(
        '<v:rect style="position:absolute;width:90pt;height:9pt"/>'
    ))),
    ("Word line of VML over it", blocks(drawn_over(
        '<v:line style="position:absolute" from="0,9pt" to="90pt,9pt"/>'
    ))),
    ("slide with a shape over a part", slides(other(filled("000000"), part=(0, 0.05)))),
    ("mixed ground around it", html(css="p { background: color-mix(in srgb, red, red) }")),
    ("picture that may be missing", html(css="p { background: url(a.png) } b { color: #fff }")),
    ("ground elsewhere", html(css="p { background: linear-gradient(red, red) -9in 0 no-repeat }")),
    ("unknown pseudo-element", html("hidden", "b { display: none } a::new, b { display: block }")),
    ("two questions", html("class=x", "@media (hover) { .x { position: absolute } }"
                           "@media (color) { .x { left: -9999px } }")),
    ("shown by one of many questions", html("class=x", ".x { display: none }" + "".join(
        f"@media ({each}) {{ .x {{ display: {how} }} }}"
        for each, how in {"a": "none", "b": "none", "c": "none", "d": "inline"}.items()
    ))),
    ("word by one question", html("class=x", "@media (hover) { .x::before { content: 'never' } }")),
    ("many questions", html("class=x", "".join(
        f"@media ({each}) {{ .x {{ color: red }} }}" for each in ("hover", "color", "grid", "scan")
    ))),
    ("starting style", html("class=x", "@starting-style { .x { opacity: 0 } }")),
    ("animation", html(css="@keyframes a { to { opacity: 0 } } b { animation: a forwards }")),
    ("first line", html(css="p::first-line { color: transparent }")),
    ("scaled several times", html("style=scale:.3", "p { scale: .3 }")),
    ("moved several times", html("style=position:relative;left:-40px", "p { margin: 0 -180px }")),
    ("padded and cut", html(css="p { overflow: hidden } b { padding-left: 9in }")),
    ("cut line", html(css="p { width: 9em; overflow: hidden; white-space: nowrap }")),
    ("without extent", html(css="p { display: flex } b { flex: 0 0 0; overflow: clip }")),
    ("row without height", html(css="p { display: grid; grid-template-rows: 0fr }")),
    ("font without extent", html(css="@font-face { font-family: a; size-adjust: 0% }")),
    ("host of a shadow tree", ("a.html", b"<p>The drug is <span>not<template shadowrootmode=open>"
                               b"</template></span> safe.")),
    ("shadow tree", ("a.html", b"<p>The drug is <span><template shadowrootmode=open><style>"
                     b":host { opacity: 0 }</style><slot></slot></template>not</span> safe.")),
    ("reversed", html("dir=rtl", tag="bdo")),
    ("override", ("a.txt", "The drug is \u202enot\u202c safe.".encode())),
    ("moving", html(tag="marquee")),
    *((f"cut {cut}", ("a.html", f"<div style='overflow:hidden;{box}'><p style='{own}'>The drug is"
        f" not safe in all of these many patients.".encode())) for cut, box, own in (
        ("line in it", "width:60px", "white-space:nowrap"),
        ("line by its share", "width:10%", "text-wrap:nowrap"),
        ("wide box", "width:60px", "width:900px"),
        ("slide", "display:flex", "flex:0 0 100%"),
        ("slide of its width", "display:flex", "flex-shrink:0;width:100%"),
        ("shift", "width:60px", "margin-left:90px"),
        ("top", "", "margin-top:-40px"),
    )),
    ("class of a framework", html("class=sr-only")),
    ("word above another", ("a.html", b"<p>The drug is <ruby>not<rt>never</rt></ruby> safe.")),
    ("raised by some fonts", html("style=font-variant-position:super")),
    ("hidden column", ("a.html", b"<table><col style=visibility:collapse><tr><td>not<td>safe")),
    ("display of captions", captions("<c.x>not</c>", css="::cue(i) { display: none }")),
    ("style of captions", captions("<c.x>not</c>", css="::cue(.x) { opacity: 0 }")),
    ("tags of SubRip", ("a.srt", captions(r"{\an8\alpha&HFF&}not")[1].removeprefix(b"WEBVTT"))),
    ("raised by pixels", html("style=vertical-align:5px")),
    ("moved up", html('style="display: inline-block; transform: translateY(-.5em)"')),
    ("whole page", html(css="body { opacity: 0 }")),
    ("linked sheet", html("", "</style><link rel=stylesheet href=' DATA:,b{opacity:0}'><style>")),
    ("word before", html("class=x", ":root { --w: 'never' } .x::before { content: var(--w) }")),
    ("attribute after", html("class=x title=never", ".x::after { content: attr(title) }")),
    ("mark", html("style=\"list-style: 'never '\"", tag="li")),
    ("mark of the page", html("style='list-style: x'", "@counter-style x { symbols: 'never' }",
        tag="li")),
    ("mark with a name", html("style='list-style: X'", "@counter-style x { symbols: never }",
        tag="li")),
    ("mark of another name", html("type=i",
        "@media all { @counter-style lower-roman { system: extends disc; prefix: 'never ' } }",
        tag="li")),
    ("mark of another mark", html("style='list-style: x'",
        "@counter-style x { system: fixed 9; symbols: '•'; fallback: y }", tag="li")),
    ("word by an animation", html("class=x", "@keyframes a { to { content: 'never' } }"
        " .x::before { content: ''; animation: a 1s }")),
    ("word of a new kind", html("class=x", ".x::scroll-marker { content: 'never' }")),
    ("word where lines break", html("style=\"hyphenate-character: 'never'\"")),
    ("PDF struck in a layer", struck_by_note(OC="<</Type/OCG/Name(L)>>")),
    ("PDF blank glyphs", glyphs_of("space")),
    ("PDF tiny glyphs", glyphs_of("period")),
    ("PDF scribbled over",
        pdf(steps("NOT", "104 458 m 108 470 l 112 458 l 116 470 l 120 458 l S"))
    ),
]  # fmt: skip


def plain(document: Document) -> str:
    return " ".join(document.text.replace("Slide 1", "").replace("Slide 2", "").split())


def one(document: Document) -> Sources:
    return Sources([Source("a", document.text, layout=document.layout)])


def grade_of(quote: str, document: Document) -> str | None:
    match = locate(quote, one(document))
    assert match is not None
    return match.grade


class TestUnseen:
    @each_row(("family", "made"), UNSEEN)
    def test_is_no_evidence_and_is_kept_with_marks_on_request(
        self, family: str, made: Made
    ) -> None:
        file = made() if callable(made) else made
        document = read(file)
        assert plain(document) == "The drug is safe."
        assert sum(one(document)["a"].left_out.values()) == 3

        document = read(file, unseen="keep")
        assert "⟦not⟧" in document.text
        start = document.text.index("⟦")
        match = locate(document.text[start : start + 5], one(document))
        assert match is not None
        assert match.grade == "uncertain"
        assert {doubt.reason for doubt in match.doubts} == {"unseen"}

    @each_row(("family", "made"), SEEN)
    def test_is_not_what_only_looks_like_it(self, family: str, made: Made) -> None:
        document = read(made)
        assert plain(document) == "The drug is not safe."
        assert "unseen" not in {doubt.reason for doubt in document.layout.doubts}
        assert set(document.layout.left_out) <= {"replacement text"}

    @each_row(("family", "made"), DOUBTFUL)
    def test_is_in_doubt_if_not_every_browser_shows_it(self, family: str, made: Made) -> None:
        document = read(made)
        assert grade_of("not", document) == "uncertain"

    def test_leaves_other_blocks_certain(self) -> None:
        row = "<tr><td>It<td style='filter:blur(9px)'>is<tr><td>not<td>safe"
        page = f"<p>Surely.<p>This <b style=mask:url(a)>blurs</b><br><br>here.<table>{row}"
        document = read_document(page.encode(), "a.html")
        marked = [document.text[doubt.start : doubt.end] for doubt in document.layout.doubts]
        assert marked == ["This blurs", "here.", "It", "is"]

    @each_row(
        ("name", "middle"),
        [
            ("as large", "/Pattern cs /P scn 99 455 28 15 re f"),
            ("larger", "/Pattern cs /P scn 0 0 420 595 re f"),
            ("in pieces", "/Pattern cs /P scn 99 455 14 15 re f 113 455 14 15 re f"),
            ("in a form", "/X Do"),
        ],
    )
    def test_may_fill_a_gap_in_a_line_by_a_pattern(self, name: str, middle: str) -> None:
        entries = "/Subtype/Form/BBox[99 455 127 470]/Resources<</Pattern<</P 6 0 R>>>>"
        form = streamed("/Pattern cs /P scn 99 455 28 15 re f", entries)
        assert grade_of("The drug is safe.", read(tiled(middle, WRITTEN, form))) == "uncertain"

    def test_may_fill_a_gap_in_a_line(self) -> None:
        """Then the words beside it are in doubt: a picture or slanting letters may say "not"."""
        pictured = pdf(
            lambda canvas: canvas.drawInlineImage(Image.new("L", (1, 1)), 100, 460, 25, 8)
        )
        slanting = pdf(steps("BT /F1 12 Tf .98 .2 -.2 .98 99 460 Tm (never) Tj ET"))
        for document in map(read, (pictured, slanting)):
            assert grade_of("The drug is safe.", document) == "uncertain"

    def test_is_what_a_large_sign_is_drawn_over(self) -> None:
        def covered(canvas: Canvas) -> None:
            words(canvas)
            canvas.setFont("Times-Roman", 190)
            canvas.drawString(90, 457, ".")

        assert "not" not in read(pdf(covered)).text

    def test_is_a_choice_of_two(self, tmp_path: Path) -> None:
        path = tmp_path / "a.md"
        path.write_text("It is ~~not~~ safe.")
        assert Sources.from_paths(path)["a"].text == "It is safe."
        assert Sources.from_paths(path, unseen="keep")["a"].text == "It is ⟦not⟧ safe."
        with pytest.raises(CiteguardError, match='unseen must be "omit" or "keep"'):
            Sources.from_paths(path, unseen="show")  # pyright: ignore[reportArgumentType]

    def test_is_remembered(self) -> None:
        document = read_document(b"It is ~~not~~ safe.", "a.md", unseen="keep")
        again = document_from(data_of_document(document), None)
        assert again.layout.doubts == document.layout.doubts
        omitted = read_document(b"It is ~~not~~ safe.", "a.md")
        assert json.loads(data_of_document(omitted))["left_out"] == {"struck out": 3}


FIELD = (
    '<w:fldChar w:fldCharType="begin"/>{}<w:fldChar w:fldCharType="separate"/>{}'
    '<w:fldChar w:fldCharType="end"/>'
)
ENTRY = (
    '<w:fldChar w:fldCharType="begin"><w:ffData>{}</w:ffData></w:fldChar>'
    '<w:instrText>FORM</w:instrText><w:fldChar w:fldCharType="end"/>'
)
ENTRIES = '<w:listEntry w:val="low"/><w:listEntry w:val="high"/>'


def sign(code: str, font: str) -> str:
    return f'<w:sym w:font="{font}" w:char="{code}"/>'


@each_row(
    ("look", "fill", "grade"),
    [
        ("", "", "exact"),
        ("<a:rPr strike='sngStrike'/>", "", "uncertain"),
        (f"<a:rPr>{filled('FFFFFF')}</a:rPr>", "<a:noFill/>", "uncertain"),
        (f"<a:rPr>{filled('FFFFFF')}</a:rPr>", filled("000000"), "exact"),
    ],
)
def test_words_of_shapes_follow_the_cells_of_their_sheet(look: str, fill: str, grade: str) -> None:
    words = f"{look}<a:t>Only with gloves.</a:t>"
    document = read(drawn_on_sheet(on_sheet(9, fill, words)))
    assert document.text == "The drug is\nnot\nsafe.\n\nOnly with gloves."
    assert grade_of("Only with gloves.", document) == grade


def test_words_of_hidden_shapes_on_a_sheet_are_not_read() -> None:
    words = "<a:t>Only with gloves.</a:t>"
    document = read(drawn_on_sheet(on_sheet(9, "", words, "name='Box' hidden='1'")))
    assert "gloves" not in document.text
    assert document.layout.left_out == {"hidden": 15}


class TestSigns:
    @each_row(
        ("content", "text"),
        [
            (sign("F06D", "Symbol"), "μ"),
            (sign("F0B1", "Symbol"), "±"),
            (sign("F0A3", "Symbol"), "≤"),
            (sign("F0B9", "Symbol"), "≠"),
            (sign("F02D", "Symbol"), "−"),
            (sign("F0FE", "Wingdings"), "☑"),
            (sign("00B5", "Calibri"), "µ"),
            (sign("E123", "Own"), "\ufffd"),
            (sign("0050", "Wingdings 2"), "\ufffd"),
            (sign("zz", "Symbol"), "\ufffd"),
            ('<w:fldSimple w:instr="SYMBOL 109 \\f Symbol"/>', "μ"),
            ('<w:object><o:OLEObject xmlns:o="o"/></w:object>', "\ufffd"),
            (FIELD.format("<w:t>code</w:t>", "<w:t>result</w:t>"), "result"),
            (FIELD.format("<w:instrText>EQ a</w:instrText>", ""), "\ufffd"),
            ("<w:t>a<!-- b -->c</w:t>", "ac"),
            (
                '<w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox><w:default w:val="0"/>'
                "<w:checked/></w:checkBox></w:ffData></w:fldChar>",
                "☑",
            ),
            (ENTRY.format("<w:checkBox/>"), "☐"),
            (ENTRY.format(f'<w:ddList><w:result w:val="1"/>{ENTRIES}</w:ddList>'), "high"),
            (ENTRY.format(f"<w:ddList>{ENTRIES}</w:ddList>"), "low"),
            (
                '<w:fldChar w:fldCharType="begin"/><w:fldChar w:fldCharType="separate"/>' * 4_000
                + "<w:t>deep</w:t>"
                + '<w:fldChar w:fldCharType="end"/>' * 4_000,
                "deep",
            ),
        ],
    )
    def test_of_word_files_are_read(self, content: str, text: str) -> None:
        document = read(word(content=content))
        assert document.text == f"The drug is {text} safe."
        assert grade_of(document.text, document) == ("uncertain" if text == "\ufffd" else "exact")

    @each_row(("checked", "text"), [("1", "☑"), ("0", "☐")])
    def test_of_content_controls_are_boxes(self, checked: str, text: str) -> None:
        control = (
            f'<w:sdt><w:sdtPr><w14:checkbox><w14:checked w14:val="{checked}"/></w14:checkbox>'
            "</w:sdtPr><w:sdtContent>{}</w:sdtContent></w:sdt>"
        )
        assert (
            read(word(content="<w:t>☒</w:t>", around=control)).text == f"The drug is {text} safe."
        )

    @each_row(
        ("equation", "text"),
        [
            ("<m:sSup><m:e>{a}</m:e><m:sup>{2}</m:sup></m:sSup>", "a²"),
            ("<m:sSup><m:e>{a}</m:e><m:sup>{n}</m:sup></m:sSup>", "a^n"),
            ("<m:sSub><m:e>{x}</m:e><m:sub>{i}</m:sub></m:sSub>", "x_i"),
            ("<m:f><m:num>{a+b}</m:num><m:den>{2}</m:den></m:f>", "(a+b)/2"),
            ("<m:rad><m:deg/><m:e>{x+1}</m:e></m:rad>", "√(x+1)"),
            ("<m:d><m:e>{x}</m:e></m:d>", "(x)"),
            ("<m:sSup><m:e>{a+b}</m:e><m:sup>{2}</m:sup></m:sSup>", "(a+b)²"),
            ("{3}<m:f><m:num>{1}</m:num><m:den>{2}</m:den></m:f>{5}", "3 1/2 5"),
            ("<m:f><m:num>{1}</m:num><m:den>{2x}</m:den></m:f>", "1/(2x)"),
        ],
    )
    def test_of_equations_are_linear(self, equation: str, text: str) -> None:
        runs = equation.replace("{", "<m:r><m:t>").replace("}", "</m:t></m:r>")
        assert read(word(around=f"<m:oMath>{runs}</m:oMath>")).text == f"The drug is {text} safe."

    def test_of_fonts_of_signs_are_no_letters(self) -> None:
        document = read(word('<w:rFonts w:hAnsi="Webdings"/>', content="<w:t>a</w:t>"))
        assert document.text == "The drug is \ufffd safe."

    def test_raised_by_a_style_are_superscripts(self) -> None:
        up = style("character", "Up", '<w:vertAlign w:val="superscript"/>')
        document = read(blocks(layout("", '<w:rStyle w:val="Up"/>', text="5"), styles=up))
        assert plain(document) == "The drug is ⁵ safe."

    def test_of_choices_on_pages_are_boxes(self) -> None:
        page = b"<p>Safe? <label><input type=radio checked> no</label> <input type=checkbox> yes"
        assert read_document(page, "a.html").text == "Safe? ☑ no ☐ yes"


BLANK = ImageReader(Image.new("L", (1, 1), 255))


def whitened(canvas: Canvas, *box: float) -> None:
    canvas.setFillGray(1)
    canvas.rect(*box, stroke=0, fill=1)


def field(canvas: Canvas, *box: float, value: str = "") -> None:
    """Draw a field of a form that is filled with white."""
    x, y, width, height = box
    options: dict[str, Any] = {"fillColor": colors.white, "borderWidth": 0, "value": value}
    canvas.acroForm.textfield(x=x, y=y, width=width, height=height, **options)


def white_if(_: object, cell: object) -> None:
    """Have a condition make a cell white."""
    rules = import_module("openpyxl.formatting.rule")
    rule = rules.FormulaRule(formula=["TRUE"], font=_openpyxl.styles.Font(color="FFFFFFFF"))
    cell.parent.conditional_formatting.add("A2", rule)  # pyright: ignore[reportAttributeAccessIssue]


@later
def newer_if(rule: str) -> File:
    """Return a workbook with a condition of the kind that Excel 2010 brought."""
    x14 = 'xmlns:x14="http://schemas.microsoft.com/office/spreadsheetml/2009/9/main"'
    rule = (
        f"<extLst><ext uri='u' {x14}><x14:conditionalFormatting><x14:cfRule type='expression'>"
        f"{rule}</x14:cfRule><sqref>A2</sqref></x14:conditionalFormatting></ext></extLst>"
    )
    name, content = sheet(lambda *_: None)()
    return name, changed(content, "</worksheet>", f"{rule}</worksheet>")


class TestDoubts:
    @each_row(
        "made",
        [
            sheet(white_if),
            newer_if("<x14:dxf><font><strike/></font></x14:dxf>"),
            newer_if('<x14:dxf><font><color rgb="FFFFFFFF"/></font></x14:dxf>'),
            newer_if('<x14:dxf><numFmt numFmtId="164" formatCode=";;;"/></x14:dxf>'),
            newer_if('<x14:iconSet showValue="0"/>'),
        ],
    )
    def test_are_about_cells_that_a_condition_may_hide(self, made: Made) -> None:
        document = read(made)
        assert [(each.start, each.end) for each in document.layout.doubts] == [(12, 15)]
        assert document.text[12:15] == "not"

    @each_row(
        ("written", "draw"),
        [
            ("=", lambda canvas: canvas.line(107, 460, 111, 468)),
            ("=", lambda canvas: canvas.rect(108, 459, 0.6, 9, stroke=0, fill=1)),
            ("=", lambda canvas: canvas.bezier(106, 460, 108, 463, 109, 465, 111, 468)),
            ("=", lambda canvas: canvas.line(105.5, 459.5, 111.5, 459.5)),
            ("=", lambda canvas: canvas.drawString(107, 460, "/")),
            ("=", steps("BT /F1 9 Tf 107 461 Td (/) Tj ET")),
            ("=", in_form("107 460 m 107.5 460 l 111 468 l 110.5 468 l h f")),
            ("=", lambda canvas: canvas.circle(107, 463, 3)),
            ("88", lambda canvas: whitened(canvas, 104, 456, 10, 8)),
            ("88", lambda canvas: whitened(canvas, 104, 463, 10, 8)),
            ("88", lambda canvas: whitened(canvas, 104, 456, 4, 14)),
            ("88", lambda canvas: whitened(canvas, 104, 459.5, 10, 2.5)),
            ("88", lambda canvas: canvas.drawImage(BLANK, 104, 456, 10, 8)),
            ("88", in_form("1 1 1 rg 104 456 10 8 re f")),
            ("88", lambda canvas: field(canvas, 104, 456, 10, 8)),
            ("88", lambda canvas: canvas.line(20, 464, 400, 464)),
            ("88", lambda canvas: canvas.rect(100, 440, 20, 24)),
            ("88", lambda canvas: canvas.line(60, 440, 160, 484)),
            ("88", in_form("60 440 m 160 484 l 60 484 m 160 440 l S")),
        ],
    )
    def test_are_about_what_is_drawn_over(
        self, written: str, draw: Callable[[Canvas], None]
    ) -> None:
        document = read(pdf(lambda canvas: (canvas.drawString(105, 460, written), draw(canvas))))
        assert {doubt.reason for doubt in document.layout.doubts} == {"overdrawn"}
        assert grade_of(f"The drug is {written}", document) == "uncertain"

    @each_row(
        "draw",
        [
            lambda canvas: None,
            lambda canvas: canvas.circle(107, 440, 3),
            lambda canvas: canvas.line(95, 468, 195, 512),
            steps("20 440 m 22 480 l 120 484 l 220 480 l 222 440 l 20 440 l S"),
            lambda canvas: whitened(canvas, 104, 471, 10, 8),
            lambda canvas: field(canvas, 104, 471, 10, 8),
        ],
    )
    def test_are_not_about_what_is_drawn_beside(self, draw: Callable[[Canvas], None]) -> None:
        document = read(pdf(lambda canvas: (canvas.drawString(105, 460, "88"), draw(canvas))))
        assert not document.layout.doubts

    @each_row(
        ("x", "y", "grade"),
        [
            (105, 460, "uncertain"),
            (22, 460, "uncertain"),
            (153, 460, "uncertain"),
            (300, 460, "exact"),
            (105, 480, "exact"),
        ],
    )
    def test_are_about_words_beside_an_artifact_in_their_line(
        self, x: int, y: int, grade: str
    ) -> None:
        artifact = f"/Artifact BMC BT {x} {y} Td (not) Tj ET EMC"
        assert grade_of("The drug is safe.", read(pdf(steps(artifact)))) == grade

    def test_are_about_words_that_are_cut(self) -> None:
        def cut(canvas: Canvas) -> None:
            path = canvas.beginPath()
            path.rect(100, 464, 40, 20)
            canvas.clipPath(path, stroke=0)
            words(canvas)

        assert read(pdf(cut)).layout.doubts

    @pytest.mark.parametrize(
        ("most", "marked"),
        [("_MOST_STEPS", {"unseen"}), ("_LONGEST_CSS", {"unseen"}), (None, set())],
    )
    @pytest.mark.parametrize("name", ["a.html", "a.md"])
    def test_are_about_all_of_a_page_whose_styles_cost_too_much(
        self, most: str | None, marked: set[str], name: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        if most is not None:
            monkeypatch.setattr(styles, most, 50)
        css = ".a .b { color: red } " * 20
        page = f"<style>{css} .x {{ display: none }}</style>\n\n<p class=x>No.</p>\n\n<p>Safe.</p>"
        document = read_document(page.encode(), name)
        assert "Safe." in document.text
        assert {doubt.reason for doubt in document.layout.doubts} == marked

    @each_row(
        ("font", "code", "text", "grade"),
        [
            ("Symbol", "F0A3", "≤", "exact"),
            ("Wingdings-Regular", "F0FE", "☑", "exact"),
            ("Own", "F8EB", "⎛", "exact"),
            ("OpenSymbol", "F0A3", "\uf0a3", "uncertain"),
        ],
    )
    def test_are_about_signs_for_private_use(
        self, font: str, code: str, text: str, grade: str
    ) -> None:
        codes = MAP.replace("<6E> <74> <006E>", f"<6E> <6E> <{code}>")
        document = read(mapped("n", codes, font))
        assert document.text == f"The drug is {text} safe."
        assert grade_of(document.text, document) == grade

    def test_are_not_about_a_hyphen_that_is_drawn(self) -> None:
        codes = MAP.replace("<6E> <74> <006E>", "<30> <39> <0030>").replace(
            "endbfrange", "endbfrange 1 beginbfchar <2D> <00AD> endbfchar"
        )
        document = read(mapped("1-2", codes))
        assert document.text == "The drug is 1-2 safe."
        assert not document.layout.doubts

    def test_leave_another_place_with_the_same_words_certain(self) -> None:
        layout = Layout("text", 9, doubts=[Doubt(0, 3, "overdrawn")])
        match = locate("due", Sources([Source("a", "due. due.", layout=layout)]))
        assert match is not None
        assert (match.grade, match.span.start) == ("exact", 5)


@each_row(
    ("page", "text", "is_certain"),
    [
        ("<html><style><![CDATA[b{display:none}]]></style><p>It is <b>so</b>.</p></html>",
         "It is .", True),
        ('<?xml-stylesheet href="data:text/css,p{}"?><p>It is so.</p>', "It is so.", False),
        ("<div><p style='display:none'><p>Never seen.</p></p><p>So.</p></div>", "So.", True),
        ("<p>It is <TITLE>not</TITLE><b HIDDEN=''> so</b>.</p>", "It is not so.", True),
        ('<!DOCTYPE p [<!ENTITY shy " not ">]><p>It is&shy;so.</p>', "It is not so.", True),
        ("<!DOCTYPE p [<!ATTLIST b style CDATA 'opacity:0'>]><p>It is <b>so</b>.</p>",
         "It is .", True),
        ("<p>It&nbsp;is &lt; so.</p>", "It\xa0is < so.", True),
        ("<b<c>x</b<c><p>It is 5 <x<y.", None, False),
        ("<p>It\\0 is <so.", None, False),
    ],
)  # fmt: skip
def test_xhtml_is_read_as_xml_or_in_doubt(page: str, text: str | None, is_certain: bool) -> None:
    document = read_document(page.encode(), "a.xhtml")
    assert text in (None, document.text)
    assert is_certain == (not document.layout.doubts)


def test_variables_that_double_hide_nothing_and_take_no_time() -> None:
    doubled = "".join(f"--a{n}: var(--a{n - 1})var(--a{n - 1});" for n in range(1, 60))
    page = f"<style>:root {{--a0: x; {doubled}}} p {{color: var(--a59)}}</style><p>It is so.</p>"
    assert read_sources([("a.html", page.encode())])["a"].text == "It is so."


@each_row(
    ("control", "shown"),
    [
        ('<input value="not">', "not"),
        ('<input type="number" value="5">', "5"),
        ('<input type="hidden" value="not">', ""),
        ('<input value="not" style="opacity: 0">', ""),
        ('<input value="not" style="width: 0">', ""),
        ("<textarea>\nnot\never</textarea>", "not\never"),
        ("<select><option>so<option selected>not</select>", "not"),
        ("<select><option disabled>so<option label=not>n</select>", "not"),
    ],
)
def test_what_a_control_shows_is_read(control: str, shown: str) -> None:
    document = read_document(f"<p>It is {control} so.</p>".encode(), "a.html")
    assert document.text == f"It is {shown} so.".replace("  ", " ")
    assert not document.layout.doubts


@each_row(
    ("style", "text"),
    [
        ("p b { display: block }", "It is 5\n0\nmg."),
        ("p { display: flex }", "It is 5\n0\nmg."),
        ("p b { display: table-cell }", "It is 5\n0\nmg."),
        ("p b { display: inline-block }", "It is 50mg."),
        ("div { display: flex }", "It is 50mg."),
        ("p { width: 90px; overflow: hidden }", "It is 50mg."),
    ],
)
def test_what_styles_draw_as_blocks_is_apart(style: str, text: str) -> None:
    page = f"<style>{style}</style><div><p>It is 5<b>0</b>mg.</p></div>"
    document = read_document(page.encode(), "a.html")
    assert document.text == text
    assert not document.layout.doubts


def test_a_bullet_is_no_minus() -> None:
    sources = read_sources([("a.html", b"<ul><li>5 million in the north<li>-4 in the south</ul>")])
    found = [
        locate(quote, sources)
        for quote in ("-5 million in the north", "-4 in the south", "- 5 million")
    ]
    assert [bool(match and match.grade) for match in found] == [False, True, True]


OVER = "content: ''; position: absolute"


@each_row(
    ("page", "is_certain"),
    [
        ('It is <input placeholder="not"> so.', False),
        ('It is <input type="date" value="2020-01-02"> so.', False),
        ("It is <select multiple><option>not</select> so.", False),
        ("It is <svg><text>not</text></svg> so.", False),
        ('It is <iframe srcdoc="not"></iframe> so.', False),
        ('It is <input type="submit" value="Send"> so.', True),
        ('It is <svg><path d="M0"/></svg> so.', True),
        ("<style>b::before { content: '\\2212' }</style>It was <b>40</b>.", False),
        ("<style>b::before { content: '.' }</style>It was 4<b>0</b>.", False),
        ("<style>b::after { content: '%' }</style>It was 40<b></b>.", False),
        ("<style>b::before { content: url(a.png) 'not ' }</style>It was <b>so</b>.", False),
        ("<style>b::before { content: url(a.png) }</style>It was <b>so</b>.", True),
        ("<style>b::before { content: '-' }</style>It was <b>so</b>.", True),
        ("<style>b::before { content: '\\2022' }</style>It was <b>40</b>.", True),
        ("1<b style=position:relative;left:-8px>5</b> mg", False),
        ("1<b style=letter-spacing:-4px>.</b>5 mg", False),
        ("1<b style=margin-left:9px>5</b> mg", False),
        ("<b style=text-transform:uppercase>It takes 5 mW.</b>", False),
        ("<b style=text-transform:uppercase>It takes 5 men.</b>", True),
        ("a<b style=margin-left:-2px>b</b>c", True),
        ("It is <b style=padding:9px>v5</b>.", True),
        ("2<b style=float:left>50</b> mg", False),
        ("2<b style=display:inline-block;vertical-align:top;font-size:.5em>50</b>", False),
        ("In <b style=display:inline-block;vertical-align:top;font-size:.5em>50</b>", True),
        ("2<b style=display:inline-block;width:40px>50</b> mg", False),
        ("2<b style=display:inline-block;width:40px></b>50 mg", False),
        ("2<img src=a.png>50 mg", False),
        ("2<i><b><svg></svg></b></i><b>50</b> mg", False),
        ("2<a href=#x>#</a>50 mg", False),
        ("2<input type=hidden>50 mg", True),
        ("<ul style='list-style: \"\\2212\"'><li>50 mg</ul>", False),
        ("<ul style='list-style: \"\\2212\"'><li>In 50 mg</ul>", True),
        ("2 <img src=a.png> 50 mg", True),
    ],
)
def test_words_that_a_control_or_styles_may_add_put_those_beside_them_in_doubt(
    page: str, is_certain: bool
) -> None:
    document = read_document(f"<p>{page}</p>".encode(), "a.html")
    assert is_certain == (not document.layout.doubts)


@each_row(
    ("css", "is_certain"),
    [
        (f"p::after {{ {OVER}; left: 0; right: 0; top: 50%; border-top: 2px solid }}", False),
        (f"p::after {{ {OVER}; width: 9em; bottom: .5em; height: 1px; background: red }}", False),
        (f"p::after {{ {OVER}; inset: 0; background: white }}", False),
        ("p { background: linear-gradient(transparent 45%, red 45% 55%, transparent 55%) }", False),
        (f"p::after {{ {OVER}; left: 0; right: 0; bottom: -2px; border-top: 2px solid }}", True),
        (f"p::before {{ {OVER}; left: -1em; top: .5em; width: 6px; background: red }}", True),
        (f"p::after {{ {OVER}; left: 0; right: 0; top: 50%; opacity: 0; border: 1px }}", True),
        ("p::after { content: ''; display: table; clear: both; border: 1px solid }", True),
        ("p { background: linear-gradient(transparent 60%, yellow 60%) }", True),
        ("div { position: fixed; inset: 0; background: white }", False),
        ("div { position: relative; top: -50px; height: 60px; background: white }", False),
        ("div { position: fixed; top: 0; left: 0; right: 0; background: white }", True),
        ("div { position: fixed; inset: 0; background: white; z-index: -1 }", True),
        ("div { position: fixed; top: 50%; width: 50px; height: 50px; border: 3px solid }", True),
        ("div { display: table-column; visibility: collapse }", False),
        ("div { display: table-column; width: 9em }", True),
        ("col { display: table-column; visibility: visible }", True),
    ],
)
def test_what_styles_may_draw_or_hide_over_words_puts_them_in_doubt(
    css: str, is_certain: bool
) -> None:
    page = f"<style>{css}</style><p>It is not so.</p><div></div>"
    document = read_document(page.encode(), "a.html")
    assert document.text == "It is not so."
    assert is_certain == (not document.layout.doubts)


@each_row(
    ("written", "is_certain"),
    [
        ("It is ~not~ so.", False),
        ("H~2~O is so.", False),
        ("It takes ~5 to ~6 days.", True),
        ("It is `~not~` so.", True),
    ],
)
def test_words_between_single_tildes_are_in_doubt(written: str, is_certain: bool) -> None:
    document = read_document(written.encode(), "a.md")
    assert document.text == written.replace("`", "")
    assert is_certain == (not document.layout.doubts)


def test_pages_that_repeat_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("citeguard.documents.pdf.reader._MOST_ALIKE", 10)
    name, content = raw_pdf(WRITTEN)
    pages = b"Kids[" + b"3 0 R " * 110 + b"]/Count 110"
    with pytest.raises(InvalidSourcesError, match=r"a\.pdf: its pages repeat each other"):
        read_document(content.replace(b"Kids[3 0 R]/Count 1", pages), name)


def test_what_would_take_minutes_is_refused_or_in_doubt(monkeypatch: pytest.MonkeyPatch) -> None:
    def covered(canvas: Canvas) -> None:
        for _ in range(301):
            canvas._addAnnotation(PDFDictionary({"Subtype": "/Square", "Rect": "[0 0 420 595]"}))

    with pytest.raises(
        InvalidSourcesError, match=r"a\.pdf: annotations cover page 1 more than 300"
    ):
        read(pdf(covered))
    name, content = blocks("not")()
    monkeypatch.setattr("citeguard.documents.document._LONGEST", 10)
    with pytest.raises(InvalidSourcesError, match=r"a\.docx: has more than 10 characters"):
        read_document(content, name)
    monkeypatch.undo()
    monkeypatch.setattr("citeguard.documents.markdown._MOST_STEPS", 100)
    text = "*It* is " + "![" * 40
    assert read_document(text.encode(), "a.md").text == text
    monkeypatch.setattr("citeguard.documents.document._MOST_STEPS", 2)
    document = read(slides(other(filled("000000"))))
    assert [(each.start, each.end) for each in document.layout.doubts] == [(0, len(document.text))]


def test_marks_that_are_nested_without_an_end_are_refused() -> None:
    made = raw_pdf("/P <</MCID 1>> BDC " * 600 + "BT /F 12 Tf 104 460 Td (not) Tj ET")
    with pytest.raises(InvalidSourcesError, match=r"a\.pdf: page 1 nests 600 marks"):
        read(made)


def test_forms_that_call_themselves_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdfium, "_SECONDS", 1.0)
    entries = "/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 6 0 R>>>>"
    form = streamed("/X Do /X Do", entries)
    made = raw_pdf("/X Do", form, resources="/XObject<</X 6 0 R>>")
    with pytest.raises(InvalidSourcesError, match=r"a\.pdf: its forms call each other without"):
        read(made)
