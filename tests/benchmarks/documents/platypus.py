"""Papers set by reportlab, with what its users add to it: heads, notes, ligatures, hyphens."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from reportlab.lib.enums import TA_CENTER, TA_JUSTIFY, TA_LEFT
from reportlab.lib.pagesizes import A4, LETTER
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.platypus import BaseDocTemplate, Flowable, Frame, FrameBreak, PageTemplate, Paragraph

from .papers import Paper, Sentence, hyphenated
from .printed import FIRST, LAST, Maker, Place, Places, Style, mark

_MARGIN, _GAP = 54, 18  # points
_HEAD, _FOOT = 30, 24  # from the edge of the paper
_NOTES = 62  # points above the lower margin that are kept free for notes
_TITLE = 70  # points above the columns of the first page
_NOTE_SIZE = 7.5
_RULE = 90  # how long the line above them is
_LIGATURES = {"fi": "ﬁ", "fl": "ﬂ"}


@dataclass(frozen=True, slots=True)
class _Look:
    """What a page of a style looks like."""

    size: tuple[float, float]
    font: str
    points: float
    leading: float
    hyphens: bool = True
    justified: bool = True
    ligatures: bool = False
    heads: tuple[str, str, str] = ("{title}", "A. Miller and B. Sato", "{page}")
    alternating: bool = True
    stamp: str = ""


_LOOKS = {
    "journal": _Look(
        A4, "Times-Roman", 9.5, 11.5, stamp="Downloaded from library.example.org on 4 June 2022"
    ),
    "report": _Look(
        LETTER,
        "Helvetica",
        10.5,
        14,
        hyphens=False,
        justified=False,
        heads=("Quarterly Report", "Confidential", "Page {page}"),
        alternating=False,
    ),
    "magazine": _Look(A4, "Vera", 8, 10.5, ligatures=True),
    "brochure": _Look(
        LETTER,
        "Vera",
        9.5,
        13,
        ligatures=True,
        heads=("{section}", "{title}", "– {page} –"),
    ),
    "newsletter": _Look(A4, "Times-Roman", 9, 10.8, heads=("{title}", "Vol. 12, No. 3", "{page}")),
    "typescript": _Look(
        LETTER, "Courier", 10, 15, hyphens=False, justified=False, heads=("", "{title}", "{page}")
    ),
}
_STYLES = tuple(
    Style(name, columns) for name, columns in zip(_LOOKS, (2, 1, 2, 1, 3, 1), strict=True)
)


@dataclass
class _Sheet:
    """What is known while the pages are drawn."""

    paper: Paper
    look: _Look
    places: dict[str, Place] = field(default_factory=dict)
    marked: list[tuple[int, Sentence]] = field(default_factory=list)
    section: str = ""

    def draw_head(self, canvas: Any, document: Any) -> None:
        for told in ("heading", "note", "word"):
            canvas.setNamedCB(told, getattr(self, f"tell_{told}"))
        width, height = self.look.size
        page = canvas.getPageNumber()
        known = {"page": page, "title": self.paper.title[:60], "section": self.section}
        outer, inner, number = (part.format(**known) for part in self.look.heads)
        if self.look.alternating and page % 2:
            outer, inner = inner, outer
        canvas.saveState()
        canvas.setFont(self.look.font, self.look.points - 1.5)
        canvas.drawString(_MARGIN, height - _HEAD, outer)
        canvas.drawRightString(width - _MARGIN, height - _HEAD, inner)
        canvas.drawCentredString(width / 2, _FOOT, number)
        if self.look.stamp:
            canvas.rotate(90)
            canvas.setFont(self.look.font, 6.5)
            canvas.drawString(height / 4, -width + 16, self.look.stamp)
        canvas.restoreState()

    def draw_notes(self, canvas: Any, document: Any) -> None:
        """Draw the notes of the marks that the page has got, below its columns."""
        style = ParagraphStyle("note", fontName=self.look.font, fontSize=_NOTE_SIZE, leading=9)
        width = self.look.size[0] - 2 * _MARGIN
        up = _MARGIN + _NOTES - 6
        if self.marked:
            canvas.line(_MARGIN, up, _MARGIN + _RULE, up)
        for number, note in self.marked:
            drawn = Paragraph(f"<super>{number}</super> {_sentence(note, self)}", style)
            up -= drawn.wrap(width, up)[1] + 1
            drawn.drawOn(canvas, _MARGIN, up)
        self.marked.clear()

    def tell_heading(self, canvas: Any, kind: str, label: str) -> None:
        self.section = label

    def tell_note(self, canvas: Any, kind: str, label: str) -> None:
        self.marked.append((int(label), self.paper.notes[int(label) - 1]))

    def tell_word(self, canvas: Any, kind: str, label: str) -> None:
        at = canvas._curr_tx_info
        x, y = canvas.absolutePosition(at["cur_x"], at["cur_y"])
        self.places[label] = Place(canvas.getPageNumber(), x, y)


class _Document(BaseDocTemplate):
    """A document whose first page has its title above the columns."""

    def __init__(self, path: Path, sheet: _Sheet, columns: int) -> None:
        super().__init__(
            str(path), pagesize=sheet.look.size, title=sheet.paper.title, author="A. Miller"
        )
        self.addPageTemplates(
            [
                PageTemplate(
                    name,
                    _frames(sheet.look.size, columns, below),
                    onPage=sheet.draw_head,
                    onPageEnd=sheet.draw_notes,
                    autoNextPageTemplate="later",
                )
                for name, below in (("first", _TITLE), ("later", 0))
            ]
        )


def _frames(size: tuple[float, float], columns: int, below: float) -> list[Frame]:
    """Return the frames of a page: the title's, if it has any, and those of its columns."""
    width, top = size[0] - 2 * _MARGIN, size[1] - _MARGIN
    low = _MARGIN + _NOTES
    one = (width - (columns - 1) * _GAP) / columns
    tight = {"leftPadding": 0, "rightPadding": 0, "topPadding": 0, "bottomPadding": 0}
    title = [Frame(_MARGIN, top - below, width, below, **tight)] if below else []
    return title + [
        Frame(_MARGIN + n * (one + _GAP), low, one, top - below - low, **tight)
        for n in range(columns)
    ]


def _written(paper: Paper, style: Style, path: Path) -> Places:
    if "Vera" not in pdfmetrics.getRegisteredFontNames():
        pdfmetrics.registerFont(TTFont("Vera", "Vera.ttf"))
    sheet = _Sheet(paper, _LOOKS[style.name])
    document = _Document(path, sheet, style.columns)
    document.build(list(_story(sheet)))
    return sheet.places


def _story(sheet: _Sheet) -> Iterator[Flowable]:
    look = sheet.look
    heading = ParagraphStyle(
        "heading",
        fontName=look.font,
        fontSize=look.points + 3,
        leading=look.leading + 4,
        spaceBefore=9,
        keepWithNext=1,
    )
    title = ParagraphStyle(
        "title", fontName=look.font, fontSize=17, leading=22, alignment=TA_CENTER
    )
    body = ParagraphStyle(
        "body",
        fontName=look.font,
        fontSize=look.points,
        leading=look.leading,
        alignment=TA_JUSTIFY if look.justified else TA_LEFT,
        firstLineIndent=look.points,
    )
    yield Paragraph(escape(sheet.paper.title), title)
    yield FrameBreak()
    for section in sheet.paper.sections:
        yield Paragraph(f"{_told('heading', section.heading)}{section.heading}", heading)
        for paragraph in section.paragraphs:
            yield Paragraph(" ".join(_sentence(each, sheet) for each in paragraph), body)


def _sentence(sentence: Sentence, sheet: _Sheet) -> str:
    words = [_set(word, sheet.look) for word in sentence.text.split(" ")]
    if sentence.note is not None:
        number = sheet.paper.note_numbers[sentence.note]
        words[sentence.noted - 1] += f"<super>{number}</super>{_told('note', str(number))}"
    # Behind the words: before one, reportlab loses the blank where there are soft hyphens.
    words[0] += _told("word", mark(sentence, FIRST))
    words[-1] += _told("word", mark(sentence, LAST))
    return " ".join(words)


def _told(told: str, label: str) -> str:
    return f'<onDraw name="{told}" label="{label}"/>'


def _set(word: str, look: _Look) -> str:
    word = hyphenated(word) if look.hyphens else word
    if look.ligatures:
        for letters, ligature in _LIGATURES.items():
            word = word.replace(letters, ligature)
    return escape(word)


REPORTLAB = Maker("reportlab", None, _STYLES, _written)
