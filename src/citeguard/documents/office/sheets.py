"""Excel workbooks as documents: `read_sheets`."""

from __future__ import annotations

import warnings
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, time, timedelta
from functools import cache
from importlib import import_module
from io import BytesIO
from itertools import groupby, pairwise
from math import ceil
from operator import eq, ge, gt, le, lt, ne
from typing import Any, Literal

import openpyxl  # pyright: ignore[reportMissingTypeStubs]
from docx.oxml.parser import parse_xml

from citeguard.documents.document import (
    SMALLEST,
    Colour,
    Decision,
    Document,
    Reason,
    Writer,
    faint,
    visible,
)
from citeguard.documents.files import ContentError, fields_of, unpacked
from citeguard.documents.office.cell_formats import (
    has_unknown_names,
    section_of,
    shown,
    shown_by,
    shows_days,
)
from citeguard.documents.office.colours import Theme, rgb, tinted
from citeguard.documents.office.elements import (
    OFF,
    ON,
    A,
    Element,
    characters,
    fill_of,
    is_opaque,
    settled,
    whole,
)
from citeguard.documents.office.symbols import as_shown
from citeguard.documents.tables import Written, has_figures
from citeguard.language.formulas import subscript, superscript
from citeguard.language.tables import is_figure

# They have no types. The parser of sheets is not public, but the public ways to cells either do not
# tell which rows are hidden, or make an object for every empty cell of a merged range.
_openpyxl: Any = openpyxl
_cells: Any = import_module("openpyxl.utils.cell")
_parsing: Any = import_module("openpyxl.worksheet._reader")
_WorkSheetParser: Any = _parsing.WorkSheetParser
_FORMULA: str = _parsing.FORMULA_TAG
_numbers: Any = import_module("openpyxl.styles.numbers")
_rich: Any = import_module("openpyxl.cell.rich_text")
_SheetFormat: Any = import_module("openpyxl.worksheet.dimensions").SheetFormatProperties
_unescaped: Any = import_module("openpyxl.utils.escape").unescape  # of "_x000D_"
_palette: Any = import_module("openpyxl.styles.colors").COLOR_INDEX
_CellRange: Any = import_module("openpyxl.worksheet.cell_range").CellRange
_Formatting: Any = import_module("openpyxl.formatting.formatting").ConditionalFormatting
_Rule: Any = import_module("openpyxl.formatting.rule").Rule
_RuleLook: Any = import_module("openpyxl.styles.differential").DifferentialStyle
_relations: Any = import_module("openpyxl.packaging.relationship")
_DRAWING = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/drawing"
_X14 = "{http://schemas.microsoft.com/office/spreadsheetml/2009/9/main}"

_MOST_CELLS = 500_000  # with text, of a workbook: they take some 10 seconds
_MOST_CHARACTERS = 50_000_000  # many cells may share a long text
_MOST_NAMED = 10  # cells of a sheet, in a warning
# A table with few cells far apart is written without its empty cells: a workbook of a few
# kilobytes can have a cell in each corner of a sheet of 17,179,869,184.
_MOST_EMPTY = 20  # for each cell that is not
_COMPARED: dict[str, Callable[[float, float], bool]] = {  # the operators of conditions
    **{"lessThan": lt, "lessThanOrEqual": le, "equal": eq, "notEqual": ne},
    **{"greaterThan": gt, "greaterThanOrEqual": ge},
}
_LEAP = "1900-02-28"  # also the 29th, which only Excel knows
_NARROWEST = 0.2  # characters: the width of a column that shows nothing
_PAPER, _INK = (255, 255, 255), (0, 0, 0)
# The sides of cells, and how long they usually are, in English metric units; and the share of one
# below a picture with which its text is seen.
_SIDES, _TOUCHED = (("col", "cx", 609_600), ("row", "cy", 190_500)), 0.25
_Look = Reason | Literal["unsure"] | None
_MOVED = {"superscript": superscript, "subscript": subscript}
_Rows = dict[int, dict[int, str]]
_Place = tuple[int, int]
"""The numbers of a cell's row and column."""


@dataclass(frozen=True, slots=True)
class _Found:
    """What is found in a sheet.

    Attributes:
        rows: What its cells show.
        spans: By the first cell, the cells that are merged, or that its text is centred across.
        indents: How far the texts of cells are indented, if they are.
        numbers: The numbers of cells and their styles, if conditions may give them another format.
        unsure: The cells that a condition may hide, or that may be shown otherwise.
        faint: The cells with words that are seen or not as their ground is another colour.
    """

    rows: _Rows = field(default_factory=_Rows)
    spans: dict[_Place, Any] = field(default_factory=dict[_Place, Any])
    indents: dict[_Place, float] = field(default_factory=dict[_Place, float])
    numbers: dict[_Place, tuple[float, int]] = field(
        default_factory=dict[_Place, tuple[float, int]]
    )
    unsure: set[_Place] = field(default_factory=set[_Place])
    faint: set[_Place] = field(default_factory=set[_Place])


def read_sheets(content: bytes, name: str, decision: Decision | None = None) -> Document:
    """Return the text of an Excel workbook (.xlsx), sheet by sheet.

    A row of a sheet is one line with its cells separated by " | ", each as the workbook shows it:
    "12.5%" and not 0.125. A formula has the value that was saved last; a warning names those that
    have none. What is hidden, struck out,
    or of the colour behind it is as decided. Text boxes follow the cells; charts, pictures and
    comments are omitted. Cells that a condition may hide, or that something is drawn over, are
    doubtful. Columns too narrow for a number are no matter.

    Raises:
        InvalidSourcesError: the file is damaged, unpacks to too much, or has too many cells.
    """
    with unpacked(content, name, "Excel workbook"), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what is kept only if the workbook is written again
        book = _openpyxl.load_workbook(
            BytesIO(content), read_only=True, data_only=True, rich_text=True
        )
        writer = Writer(decision)
        looks = _Looks(book, writer.decision)
        for sheet in book.worksheets:
            found, title = _found_in(sheet, book, looks), f"Sheet *{sheet.title}*"
            anchors = _anchors(sheet, book)
            found.unsure.update(at for each in anchors for at in _below(each, found.rows))
            for table in _tables(found.rows):
                for part in _beside(table, found.spans):
                    _write(writer, title, part, found)
            for shape in (each for anchor in anchors for each in anchor.iter("{*}sp")):
                named, (lines, unsure) = shape.find(".//{*}cNvPr"), looks.words(shape)
                if sheet.sheet_state != "visible" or named.get("hidden") in ON:
                    lines = [writer.decision.on(line, "hidden") for line in lines]
                part = f"{title}, box *{named.get('name')}*"
                writer.write_lines(lines, part=part, unsure=unsure)
        facts = book.properties
        return writer.document(
            "sheets", title=facts.title or None, fields=fields_of(facts), warnings=looks.warnings
        )


class _Parser(_WorkSheetParser):
    """Reads a sheet with its newer conditions, and marks the cells of formulas without values."""

    def parse_cell(self, element: Any) -> dict[str, Any]:
        cell: dict[str, Any] = _WorkSheetParser.parse_cell(self, element)
        is_empty_text = element.get("t") == "str"  # the result of a formula
        if cell["value"] is None and not is_empty_text and element.find(_FORMULA) is not None:
            cell["data_type"] = "f"
        return cell

    def parse_extensions(self, element: Any) -> None:
        for each in element.iter(f"{_X14}conditionalFormatting"):
            places = each.findtext("{*}sqref") or ""
            looks = [_RuleLook.from_tree(look) for look in each.iter(f"{_X14}dxf")]
            if any(inner.get("showValue") in OFF for inner in each.iter()):
                # An icon or a bar takes the place of the number, as if the format showed nothing.
                looks.append(_RuleLook(numFmt=_numbers.NumberFormat(0, ";;;")))
            rules = [_Rule(type="expression", dxf=look) for look in looks]
            self.formatting.append(_Formatting(places, cfRule=rules))


def _read(sheet: Any, book: Any, looks: _Looks) -> tuple[Any, _Found]:
    """Return the parser of a sheet, which knows its properties, and what its cells show.

    Raises:
        ContentError: the workbook has too many cells.
    """
    found = _Found()
    empty: list[str] = []  # the names of cells with formulas that were never calculated
    with sheet._get_source() as file:
        parser = _Parser(
            file,
            sheet._shared_strings,
            data_only=True,
            epoch=book.epoch,
            date_formats=book._date_formats,
            timedelta_formats=book._timedelta_formats,
            rich_text=True,
        )
        view: _View | None = None
        for number, cells in parser.parse():
            if view is None:  # it comes before all rows, and so do the columns
                view = _View(parser)
                # In this view, cells show their formulas, not the values that are read.
                looks.decision.unsure |= view.shows_formulas
            row = parser.row_dimensions.get(str(number), {})
            shut = sheet.sheet_state != "visible" or view.hides_row(row)
            found.spans.update(_centred(cells, number, looks))
            for cell in cells:
                value, column = cell["value"], cell["column"]
                if value is not None:
                    gone = shut or view.hides(column, value)
                    looks.show(value, cell["style_id"], found, (number, column), gone=gone)
                elif cell["data_type"] == "f" and not (shut or view.hides(column, value)):
                    empty.append(f"{_letters(column)}{number}")
            looks.cells += len(found.rows.get(number, ()))
            if looks.cells > _MOST_CELLS or looks.characters > _MOST_CHARACTERS:
                raise ContentError(
                    f"has more than {_MOST_CELLS:,} cells or {_MOST_CHARACTERS:,} characters, of "
                    f"which the last are in the sheet {sheet.title!r}; save the parts that you "
                    "need as other workbooks"
                )
    if empty:
        named = ", ".join(empty[:_MOST_NAMED])
        more = f" and {len(empty) - _MOST_NAMED:,} more" if len(empty) > _MOST_NAMED else ""
        looks.warnings.append(
            f"sheet {sheet.title!r}: the formulas in {named}{more} have no values; "
            "open the workbook in a spreadsheet program, and save it"
        )
    return parser, found


def _centred(cells: Any, number: int, looks: _Looks) -> Iterator[tuple[_Place, Any]]:
    """Yield the cells whose texts are centred across the empty cells after them, with these."""
    first = 0
    for cell in cells if looks.has_centred else ():
        column, is_centred = cell["column"], looks.alignments[int(cell["style_id"])][1]
        if cell["value"] is not None or not is_centred:
            first = column if is_centred else 0
        elif first:
            yield (number, first), _CellRange(None, first, number, column, number)


def _anchors(sheet: Any, book: Any) -> list[Element]:
    """Return what is drawn on a sheet, each with its place."""
    archive, path = book._archive, _relations.get_rels_path(sheet._worksheet_path)
    names = archive.NameToInfo
    related = _relations.get_dependents(archive, path).find(_DRAWING) if path in names else ()
    parts = [each.target for each in related if each.target in names]
    return [anchor for part in parts for anchor in settled(parse_xml(archive.read(part)))]


def _below(anchor: Element, rows: _Rows) -> Iterator[_Place]:
    """Yield the places of the cells that something opaque is drawn over."""
    # A chart is in a "graphicFrame".
    if not any(e.tag.endswith("Frame") or is_opaque(e) for e in anchor.iter("{*}*")):
        return
    limits: list[tuple[int, int]] = []
    for side, length, usual in _SIDES:
        first, last, over = (
            whole(anchor.findtext(f"{{*}}{at}/{{*}}{side}{off}") or "")
            for at, off in (("from", ""), ("to", ""), ("to", "Off"))
        )
        # A drawing that is placed by one cell has a size instead of a second cell.
        if (size := anchor.find("{*}ext")) is not None:
            last, over = first, whole(size.get(length) or "")
        limits.append((first + 1, max(first + 1, ceil(last + over / usual - _TOUCHED))))
    (left, right), (top, bottom) = limits
    for number in range(top, min(bottom, max(rows, default=0)) + 1):
        yield from ((number, at) for at in rows.get(number, ()) if left <= at <= right)


def _found_in(sheet: Any, book: Any, looks: _Looks) -> _Found:
    """Return what is found in a sheet, with its conditions and merged cells."""
    parser, found = _read(sheet, book, looks)
    rows, numbers = found.rows, sorted(found.rows)

    def filled(span: Any) -> list[_Place]:
        """Return the places of the cells in a range that have text."""
        inside = numbers[bisect_left(numbers, span.min_row) : bisect_right(numbers, span.max_row)]
        columns = range(span.min_col, span.max_col + 1)
        return [(number, at) for number in inside for at in rows[number] if at in columns]

    rules = [(each, rule) for each in parser.formatting for rule in each.rules]
    for each, rule in sorted(rules, key=lambda pair: pair[1].priority or 0, reverse=True):
        form = looks.format_of(rule)
        # Most rules only colour what is seen, and a sheet may have thousands of them.
        if form == "" and not found.faint:
            continue
        ruled = {place for span in each.sqref.ranges for place in filled(span)}
        found.unsure.update(ruled if form is None else ruled & found.faint)
        if not form:
            continue
        for place in ruled:
            value, style = found.numbers.get(place, (None, 0))
            holds = None if value is None else _holds(rule, value)
            if holds is None:
                found.unsure.add(place)
            elif holds:  # of several rules, the first one counts, which comes last here
                rows[place[0]][place[1]] = looks.text(value, style, gone=False, form=form)
    merged = () if parser.merged_cells is None else parser.merged_cells.mergeCell
    covered = ((at, each) for each in merged for at in filled(each))
    # Excel shows the first of merged cells only.
    for number, column in {at for at, each in covered if at != (each.min_row, each.min_col)}:
        text = looks.decision.on(visible(rows[number].pop(column)), "hidden")
        rows[number] |= {column: text} if text else {}
    found.spans.update(((each.min_row, each.min_col), each) for each in merged)
    return replace(found, rows={number: rows[number] for number in numbers if rows[number]})


def _holds(rule: Any, value: float) -> bool | None:
    """Return whether a number fulfils a condition; `None` if that is not known."""
    kind: str = rule.operator or ""
    try:
        first, *more = sorted(map(float, rule.formula))
    except ValueError:
        return None
    # "between" and "notBetween" have two bounds.
    if rule.type != "cellIs" or len(more) != kind.endswith("etween"):
        return None
    if more:
        return (first <= value <= more[0]) == (kind == "between")
    return _COMPARED[kind](value, first) if kind in _COMPARED else None


_LAST_COLUMN = 16_384  # XFD


class _View:
    """What of a sheet's cells its properties hide."""

    def __init__(self, parser: Any) -> None:
        view = next(iter(parser.views.sheetView), None) if hasattr(parser, "views") else None
        self.shows_formulas = view is not None and bool(view.showFormulas)
        self._hides_zeros = view is not None and view.showZeros is False
        usual = getattr(parser, "sheet_format", _SheetFormat())
        self._hides_rows = usual.customHeight and usual.defaultRowHeight < SMALLEST
        self._hides_columns = _is_narrow(usual.defaultColWidth)
        self._columns = {  # those that the sheet names, and whether they are hidden
            at: each.get("hidden") in ON or _is_narrow(each.get("width"))
            for each in parser.column_dimensions.values()
            for at in range(int(each["min"]), min(int(each["max"]), _LAST_COLUMN) + 1)
        }

    def hides_row(self, row: Mapping[str, str]) -> bool:
        height = row.get("ht")
        is_flat = self._hides_rows if height is None else float(height) < SMALLEST
        return is_flat or row.get("hidden") in ON

    def hides(self, column: int, value: object) -> bool:
        # FALSE equals 0 in Python, and Excel shows it.
        is_zero = (
            self._hides_zeros and value in (0, time(), timedelta()) and not isinstance(value, bool)
        )
        return is_zero or self._columns.get(column, self._hides_columns)


def _is_narrow(width: float | str | None) -> bool:
    return width is not None and float(width) < _NARROWEST


class _Looks:
    """What the styles of a workbook show.

    Attributes:
        alignments: How far each style indents a text, and whether it is centred across empty cells.
        has_centred: Whether any of them centres texts so.
        cells: How many cells with text were read so far.
        characters: How many characters they have.
        warnings: What of the workbook was not read.
    """

    def __init__(self, book: Any, decision: Decision) -> None:
        self._book, self.decision, self._theme = book, decision, Theme(book.loaded_theme)
        self._formats = [
            _numbers.BUILTIN_FORMATS.get(each.numFmtId)
            if each.numFmtId < _numbers.BUILTIN_FORMATS_MAX_SIZE
            else book._number_formats[each.numFmtId - _numbers.BUILTIN_FORMATS_MAX_SIZE]
            for each in book._cell_styles
        ]
        self._is_unsure = [has_unknown_names(each or "") for each in self._formats]
        self._shows_days = [shows_days(each or "") for each in self._formats]
        self._grounds: list[list[Colour | None]] = [
            self._colours(book._fills[each.fillId]) for each in book._cell_styles
        ]
        self.alignments: list[tuple[float, bool]] = [
            (each.indent or 0, each.horizontal == "centerContinuous")
            for each in (book._alignments[style.alignmentId] for style in book._cell_styles)
        ]
        self.has_centred = any(is_centred for _, is_centred in self.alignments)
        looks = book._differential_styles.styles
        self._has_formats = any(look.numFmt is not None for look in looks)
        self.cells, self.characters, self.warnings = 0, 0, list[str]()
        self._reasons: dict[tuple[int, Colour | None], _Look] = {}
        self._is_faint = self._is_doubted = False  # the text of a cell, or a part of it

    def show(self, value: Any, style: int, found: _Found, place: _Place, *, gone: bool) -> None:
        """Note what is found in a cell with a value, if it shows anything."""
        self._is_faint = self._is_doubted = False
        text = self.text(value, style, gone=gone)
        self.characters += len(text)
        if not text:
            return
        found.rows.setdefault(place[0], {})[place[1]] = text
        # Blanks before a name indent it as well.
        blanks = len(value) - len(value.lstrip()) if isinstance(value, str) else 0
        if indent := self.alignments[style][0] + blanks:
            found.indents[place] = indent
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if self._has_formats and not gone and is_number:
            found.numbers[place] = float(value), style
        if self._is_faint:
            found.faint.add(place)
        if isinstance(value, date):
            self._is_doubted |= self._is_unsure[style] or f"{value:%Y-%m-%d}" == _LEAP
        # A time in a format with days: Excel draws day 0 of January 1900, which no date has.
        if self._is_doubted or (isinstance(value, time) and self._shows_days[style]):
            found.unsure.add(place)

    def text(self, value: Any, style: int, *, gone: bool, form: str = "") -> str:
        """Return what a cell with a value shows, or if it is gone, what becomes of that.

        A condition may give it another format.
        """
        form = form or self._formats[style] or "General"
        is_rich = isinstance(value, _rich.CellRichText)
        whole = str(value) if is_rich else value
        section, signed = section_of(whole, form)
        text, ink = shown_by(section, whole, signed=signed), section.ink
        gone = gone or not text
        texts: list[str] = []
        for piece in value if is_rich else [value]:
            plain = str(piece) if is_rich else text or str(piece)
            if isinstance(piece, _rich.TextBlock):
                font, name = piece.font, piece.font.rFont
                reason = self._unseen(font, self._grounds[style], ink)
                self._is_faint |= font.color is not None
            else:
                font = self._font(style)
                name, reason = font.name, self._reason(style, ink)
            # A bar would look like a border between cells.
            plain = as_shown(visible(_unescaped(plain)), name or "").replace("|", "/")
            plain = _MOVED.get(font.vertAlign, str)(plain)
            reason = "hidden" if gone else reason
            self._is_doubted |= reason == "unsure"
            if reason is not None and reason != "unsure":
                plain = self.decision.on(plain, reason)
            texts.append(plain)
        text = "".join(texts)
        return " ".join((shown(text, form) if is_rich and not gone else text).split())

    def words(self, shape: Element) -> tuple[list[str], bool]:
        """Return the lines of a shape on a sheet, and whether some of them may not be seen."""
        fill, styled = fill_of(shape.find("{*}spPr")), shape.find(f"{{*}}style/{A}fontRef")
        ground = _PAPER if fill is None else self._theme.colour_in(fill)
        usual = None if styled is None else self._theme.colour_in(styled)
        # Words of shapes that are struck out or faint are not left out, only in doubt.
        unsure = any(e.get("strike", "noStrike") not in OFF for e in shape.iter(f"{A}rPr"))
        for run in shape.iter(f"{A}r", f"{A}fld"):
            own = run.find(f"{A}rPr/{A}solidFill")
            ink = usual if own is None else self._theme.colour_in(own)
            unsure |= self._unseen(None, [ground], ink) is not None
        lines = ["".join(map(characters, p.iter(f"{A}t"))) for p in shape.iter(f"{A}p")]
        return [visible(line) for line in lines], unsure

    def _reason(self, style: int, ink: Colour | None) -> _Look:
        key = style, ink
        if key not in self._reasons:
            self._reasons[key] = self._unseen(self._font(style), self._grounds[style], ink)
        return self._reasons[key]

    def _font(self, style: int) -> Any:
        return self._book._fonts[self._book._cell_styles[style].fontId]

    def format_of(self, rule: Any) -> str | None:
        """Return the format that a condition gives cells, if any; `None` if it may hide them."""
        bars = (rule.iconSet, rule.dataBar)
        if any(each is not None and each.showValue is False for each in bars):
            return None
        by_number = None if rule.dxfId is None else self._book._differential_styles[rule.dxfId]
        look = rule.dxf or by_number
        if look is None:
            return ""
        # Unlike in a cell, the colour of a plain fill is what a pattern has behind it.
        ground = _PAPER if look.fill is None else self._colour(look.fill.bgColor, _PAPER)
        if self._unseen(look.font, [ground], None) is not None:
            return None
        return "" if look.numFmt is None else look.numFmt.formatCode

    def _unseen(self, font: Any, grounds: list[Colour | None], ink: Colour | None) -> _Look:
        """Return why text in a font on one or more grounds is not seen, or is seen struck out.

        Its format may give it a colour, the ink.
        """
        if ink is None:
            ink = _INK if font is None else self._colour(font.color, _INK)
        size = None if font is None else getattr(font, "sz", None)
        unread = [*faint([ink], grounds)]
        if (size is not None and size < SMALLEST) or all(unread):
            return "hidden"
        if font is not None and font.strike:
            return "struck out"
        return "unsure" if any(unread) else None

    def _colours(self, fill: Any) -> list[Colour | None]:
        """Return the colours of a fill, of which `None` is an unknown one."""
        if hasattr(fill, "stop"):  # of a gradient
            return [self._colour(each.color, _PAPER) for each in fill.stop] or [None]
        if fill.fill_type is None or fill.fill_type == "none":
            return [_PAPER]
        ground = [] if fill.fill_type == "solid" else [self._colour(fill.bgColor, _PAPER)]
        return [self._colour(fill.fgColor, _INK if ground else _PAPER), *ground]

    def _colour(self, colour: Any, usual: Colour) -> Colour | None:
        """Return a colour of a style, or `None` if it is unknown."""
        if colour is None or colour.type == "auto":
            return usual
        if colour.type == "theme":
            found = self._theme.named(colour.theme)
        elif colour.type == "indexed":
            is_known = colour.value < len(_palette)  # the others are those of the system
            found = rgb(_palette[colour.value]) if is_known else usual
        else:
            found = rgb(colour.value)
        return tinted(found, colour.tint) if found and colour.tint else found


def _tables(rows: _Rows) -> Iterator[_Rows]:
    """Yield the tables of a sheet: behind an empty row one begins if it has a head of its own."""
    table: _Rows = {}
    # Rows that follow one another differ by the same number from their places in the list.
    for _, group in groupby(enumerate(rows), lambda each: each[1] - each[0]):
        block = {number: rows[number] for _, number in group}
        head = next((row for row in block.values() if len(row) > 1), dict[int, str]())
        first = min(head, default=0)
        begun = [Written(text, 1, 1 + at - first) for at, text in head.items()]
        is_whole = bool(head) and head is not [*block.values()][-1] and not has_figures(begun)
        if is_whole and any(len(row) > 1 for row in table.values()):
            yield table
            table = {}
        table |= block
    if table:
        yield table


def _beside(table: _Rows, spans: Mapping[_Place, Any]) -> Iterator[_Rows]:
    """Yield the tables that are beside each other in rows of a sheet.

    An empty column is before each, and its first column has a name for each of its rows.
    """
    used = {
        column
        for number, row in table.items()
        if len(row) > 1  # others are titles
        for at in row
        for column in range(
            at, 1 + min(spans[number, at].max_col if (number, at) in spans else at, _LAST_COLUMN)
        )
    }
    first, *others = [column for column in sorted(used) if column - 1 not in used] or [1]
    starts = [first]
    for start in others:
        names = [row[start] for row in table.values() if start in row]
        inside = [at for at in range(starts[-1], start) if at in used]
        is_named = len({*names}) == len(names) > 2 and not any(map(is_figure, names))
        if is_named and start + 1 in used and len(inside) > 1:
            starts.append(start)
    if len(starts) == 1:
        yield table
        return
    for low, high in pairwise((1, *starts[1:], _LAST_COLUMN + 1)):
        parts = {
            number: {at: text for at, text in row.items() if low <= at < high}
            for number, row in table.items()
        }
        yield {number: row for number, row in parts.items() if row}


def _write(writer: Writer, name: str, table: _Rows, found: _Found) -> None:
    used = sorted({column for row in table.values() for column in row})
    padded = len(used) * len(table) <= _MOST_EMPTY * sum(map(len, table.values()))
    first, last = min(table), max(table)
    until: dict[int, int] = {}  # the last row that a merged cell covers, by column
    for number, row in table.items():
        cells: list[Written] = []
        for column in used if padded else sorted(row):
            if until.get(column, 0) >= number and column not in row:
                continue
            cell = Written(row.get(column, ""), number - first + 1, column - used[0] + 1)
            span: Any = found.spans.get((number, column))
            if span is not None:
                cell.rows = min(span.max_row, last) - number + 1
                cell.columns = min(span.max_col, used[-1]) - column + 1
                covered = (each for each in used if column <= each <= span.max_col)
                until |= dict.fromkeys(covered, int(span.max_row))
            cell.name = f"{_letters(column)}{number}"
            cell.unsure = (number, column) in found.unsure
            cell.indent = found.indents.get((number, column), 0)
            cells.append(cell)
        writer.write_row(table, cells, name=name)


@cache
def _letters(column: int) -> str:
    return _cells.get_column_letter(column)
