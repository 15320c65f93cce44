"""Excel workbooks as documents: `read_sheets`, and `shown`, a value as a workbook shows it."""

from __future__ import annotations

import calendar
import re
import warnings
from collections.abc import Iterator, Mapping
from datetime import date, datetime, time, timedelta
from decimal import ROUND_HALF_UP, Decimal
from functools import cache, lru_cache
from importlib import import_module
from io import BytesIO
from itertools import groupby
from typing import Any, NamedTuple

from citeguard.documents.colours import Theme, rgb, tinted
from citeguard.documents.document import (
    FAINTEST,
    SMALLEST,
    Colour,
    Decision,
    Document,
    Reason,
    Writer,
    contrast,
    visible,
)
from citeguard.documents.packed import fields_of, unpacked
from citeguard.documents.tables import Written, has_figures

# They have no types. The parser of sheets is not public, but the public ways to cells either do not
# tell which rows are hidden, or make an object for every empty cell of a merged range.
_openpyxl: Any = import_module("openpyxl")
_cells: Any = import_module("openpyxl.utils.cell")
_parsing: Any = import_module("openpyxl.worksheet._reader")
_numbers: Any = import_module("openpyxl.styles.numbers")
_rich: Any = import_module("openpyxl.cell.rich_text")
_palette: Any = import_module("openpyxl.styles.colors").COLOR_INDEX

# A table with few cells far apart is written without its empty cells: a workbook of a few
# kilobytes can have a cell in each corner of a sheet of 17,179,869,184.
_MOST_EMPTY = 20  # for each cell that is not
_ON = ("1", "true")
_NARROWEST = 0.2  # characters: the width of a column that shows nothing
_PAPER, _INK = (255, 255, 255), (0, 0, 0)
_Rows = dict[int, dict[int, str]]


def read_sheets(content: bytes, name: str, decision: Decision | None = None) -> Document:
    """Return the text of an Excel workbook (.xlsx), sheet by sheet.

    A row of a sheet is one line with its cells separated by " | ", each as the workbook shows it:
    "12.5%" and not 0.125. A formula has the value that was saved last. What is hidden, struck out,
    or of the colour behind it is as decided. Charts, pictures, comments and text boxes are omitted,
    and colours that depend on a condition are not looked at.

    Raises:
        InvalidSourcesError: the file is damaged, or unpacks to too much.
    """
    with unpacked(content, name, "Excel workbook"), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what is kept only if the workbook is written again
        book = _openpyxl.load_workbook(
            BytesIO(content), read_only=True, data_only=True, rich_text=True
        )
        writer = Writer(decision)
        for sheet in book.worksheets:
            rows, spans = _rows_of(sheet, book, writer.decision)
            for table in _tables(rows):
                _write(writer, f"Sheet *{sheet.title}*", table, spans)
        facts = book.properties
        return writer.document("sheets", title=facts.title or None, fields=fields_of(facts))


def _rows_of(sheet: Any, book: Any, decision: Decision) -> tuple[_Rows, dict[tuple[int, int], Any]]:
    """Return what the cells of a sheet show, and the merged ranges by their first cells."""
    formats = [
        _numbers.BUILTIN_FORMATS.get(each.numFmtId)
        if each.numFmtId < _numbers.BUILTIN_FORMATS_MAX_SIZE
        else book._number_formats[each.numFmtId - _numbers.BUILTIN_FORMATS_MAX_SIZE]
        for each in book._cell_styles
    ]
    theme = Theme(book.loaded_theme)
    grounds = [_ground(book._fills[each.fillId], theme) for each in book._cell_styles]
    reasons: list[Reason | None] = [  # by style, of which there are few: why its cells are not seen
        _unseen(book._fonts[each.fontId], ground, form or "General", theme)
        for each, ground, form in zip(book._cell_styles, grounds, formats, strict=True)
    ]
    found: _Rows = {}
    with sheet._get_source() as file:
        parser = _parsing.WorkSheetParser(
            file,
            sheet._shared_strings,
            data_only=True,
            epoch=book.epoch,
            date_formats=book._date_formats,
            timedelta_formats=book._timedelta_formats,
            rich_text=True,
        )
        columns: set[int] | None = None
        for number, cells in parser.parse():
            if columns is None:  # they come before all rows
                columns = _hidden_columns(parser.column_dimensions)
            row = parser.row_dimensions.get(str(number), {})
            height = row.get("ht")
            shut = (
                sheet.sheet_state != "visible"
                or row.get("hidden") in _ON
                or (height is not None and float(height) < SMALLEST)
                or (height is None and getattr(parser, "sheet_format", _Plain).zeroHeight)
            )
            for cell in cells:
                value = cell["value"]
                if value is None:
                    continue
                style: int = cell["style_id"]
                form = formats[style] or "General"
                is_hidden = shut or cell["column"] in columns
                pieces = value if isinstance(value, _rich.CellRichText) else [value]
                texts: list[str] = []
                for piece in pieces:
                    is_block = isinstance(piece, _rich.TextBlock)
                    plain = piece.text if is_block else piece
                    text = visible(shown(plain, form)).replace("|", "/")
                    reason: Reason | None = reasons[style]
                    if is_block:
                        reason = _unseen(piece.font, grounds[style], form, theme)
                    if is_hidden or not text:
                        reason = "hidden"
                    texts.append(decision.on(text or str(plain), reason) if reason else text)
                if text := " ".join("".join(texts).split()):
                    found.setdefault(number, {})[cell["column"]] = text
        merged = () if parser.merged_cells is None else parser.merged_cells.mergeCell
        spans = {(each.min_row, each.min_col): each for each in merged}
    return found, spans


class _Plain:
    zeroHeight = False  # noqa: N815 - as openpyxl has it


def _hidden_columns(dimensions: Mapping[str, Mapping[str, str]]) -> set[int]:
    hidden = (
        each
        for each in dimensions.values()
        if each.get("hidden") in _ON or float(each.get("width") or 1) < _NARROWEST
    )
    return {at for each in hidden for at in range(int(each["min"]), int(each["max"]) + 1)}


def _unseen(font: Any, ground: Colour | None, number_format: str, theme: Theme) -> Reason | None:
    """Return why text in a font on a ground is not seen, or is seen struck out."""
    ink = _INK if font is None else _colour(font.color, _INK, theme)
    ink = _PAPER if "[white]" in number_format.lower() else ink
    size = None if font is None else getattr(font, "sz", None)
    if (size is not None and size < SMALLEST) or (
        ink is not None and ground is not None and contrast(ink, ground) < FAINTEST
    ):
        return "hidden"
    return "struck out" if font is not None and font.strike else None


def _ground(fill: Any, theme: Theme) -> Colour | None:
    """Return the colour of a fill, or `None` for a pattern, a gradient, or one that is unknown."""
    kind = getattr(fill, "fill_type", "gradient")
    if kind is None or kind == "none":
        return _PAPER
    return _colour(fill.fgColor, _PAPER, theme) if kind == "solid" else None


def _colour(colour: Any, usual: Colour, theme: Theme) -> Colour | None:
    """Return a colour of a style, or `None` if it is unknown."""
    if colour is None or colour.type == "auto":
        return usual
    if colour.type == "theme":
        found = theme.named(colour.theme)
    elif colour.type == "indexed":
        is_known = colour.value < len(_palette)  # the others are those of the system
        found = rgb(_palette[colour.value]) if is_known else usual
    else:
        found = rgb(colour.value)
    return tinted(found, colour.tint) if found and colour.tint else found


def _tables(rows: _Rows) -> Iterator[_Rows]:
    """Yield the tables of a sheet: behind an empty row one begins if it has a head of its own."""
    table: _Rows = {}
    for _, group in groupby(enumerate(rows), lambda each: each[1] - each[0]):
        block = {number: rows[number] for _, number in group}
        head = next((row for row in block.values() if len(row) > 1), dict[int, str]())
        begun = [Written(text, 1, 1 + at - min(head)) for at, text in head.items()]
        is_whole = bool(head) and head is not [*block.values()][-1] and not has_figures(begun)
        if is_whole and any(len(row) > 1 for row in table.values()):
            yield table
            table = {}
        table |= block
    if table:
        yield table


def _write(writer: Writer, name: str, table: _Rows, spans: Mapping[tuple[int, int], Any]) -> None:
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
            span: Any = spans.get((number, column))
            if span is not None:
                cell.rows = min(span.max_row, last) - number + 1
                cell.columns = min(span.max_col, used[-1]) - column + 1
                covered = (each for each in used if column <= each <= span.max_col)
                until |= {each: int(span.max_row) for each in covered}
            cell.name = f"{_letters(column)}{number}"
            cells.append(cell)
        writer.write_row(table, cells, name=name)


@cache
def _letters(column: int) -> str:
    return _cells.get_column_letter(column)


# -- values as they are shown

_SECTION = re.compile(r'(?:"[^"]*"|\\.|[^;"\\]|["\\])+')
_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|_(?P<space>.)|\*.|\[\$(?P<currency>[^\]-]*)[^\]]*\]'
    r"|\[[^\]]*\]|(?P<mask>[#0?][#0?,]*(?:\.[#0?]*)?|\.[#0?]+)(?P<scale>,*)"
    r"(?P<power>E[+-]0+)?|(?P<other>.)",
    re.DOTALL,
)
_DATE_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|_.|\*.|(?P<elapsed>\[(?:h+|m+|s+)\])|\[[^\]]*\]'
    r"|(?P<unit>y+|m+|d+|h+|s+|am/pm|a/p|\.0+)|(?P<other>.)",
    re.IGNORECASE | re.DOTALL,
)
_LOCAL_DATE = "mm-dd-yy"  # each computer shows its own; no order of day and month is guessed
_GENERAL_DIGITS = 10  # significant ones of a number without a format, as a column has room


class _Mask(NamedTuple):
    before: str
    digits: str  # "#,##0.00"; "" for a text without a number
    power: str
    after: str
    scale: int  # the power of ten that it is multiplied by


def shown(value: object, number_format: str) -> str:
    """Return a value of a cell as its format shows it.

    Formats with conditions and fractions are shown as if they had none; names of months and days
    are in English, and a date in the computer's own order is "2024-03-01".

    Examples:
        >>> shown(0.125, "0.0%"), shown(-1234.5, '#,##0.00 "€";(#,##0.00 "€")')
        ('12.5%', '(1,234.50 €)')
        >>> shown(datetime(2024, 3, 1, 9, 5), "d mmm yyyy h:mm")
        '1 Mar 2024 9:05'
    """
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, (int, float)):
        return _number(value, number_format)
    if isinstance(value, (date, time, timedelta)):
        return _date(value, next(iter(_SECTION.findall(number_format)), ""))
    sections = re.split(r';(?=(?:[^"]*"[^"]*")*[^"]*\Z)', number_format)
    if len(sections) < 4 or "@" in sections[3] or "general" in sections[3].lower():
        return str(value)
    mask = _mask(sections[3])  # what all texts are shown as
    return "" if mask is None else mask.before


def _number(value: float, number_format: str) -> str:
    sections = _sections(number_format)
    at = 1 if value < 0 and len(sections) > 1 else 2 if value == 0 and len(sections) > 2 else 0
    mask = sections[at]
    sign = "-" if value < 0 and at == 0 else ""
    if mask is None or (not mask.digits and not number_format.replace(";", "")):
        number = f"{value:.{_GENERAL_DIGITS}g}".upper() if mask is None else ""
        return str(value) if mask is None and isinstance(value, int) else number
    if not mask.digits:
        return mask.before
    whole, _, decimals = mask.digits.partition(".")
    exact = Decimal(str(abs(value))).scaleb(mask.scale)
    exponent = ""
    if mask.power:
        power = exact.adjusted() if exact else 0
        exact = exact.scaleb(-power)
        plus = "-" if power < 0 else "+" if mask.power[1] == "+" else ""
        exponent = f"E{plus}{abs(power):0{len(mask.power) - 2}}"
    if exact.adjusted() + len(decimals) < _MOST_DIGITS:
        exact = exact.quantize(Decimal(1).scaleb(-len(decimals)), ROUND_HALF_UP)
    number, _, fraction = f"{exact:f}".partition(".")
    while fraction and len(fraction) > decimals.count("0") and fraction[-1] == "0":
        fraction = fraction[:-1]
    number = number.lstrip("0").zfill(whole.count("0"))
    number = f"{int(number):,}" if "," in whole and len(number) > 3 else number
    number += f".{fraction}" if fraction else ""
    return f"{sign}{mask.before}{number}{exponent}{mask.after}"


_MOST_DIGITS = 27  # of a decimal number in Python's usual context, less one


@lru_cache(1_000)
def _sections(number_format: str) -> list[_Mask | None]:
    """Return the forms of positive numbers, negative ones, and zero; `None` is no form."""
    parts = number_format.split(";") if '"' not in number_format else None
    written = parts if parts is not None else _SECTION.findall(number_format)
    return [_mask(each) for each in written] or [None]


def _mask(section: str) -> _Mask | None:
    before = after = digits = power = ""
    scale = 0
    if "general" in section.lower() or section == "@":
        return None
    for token in _TOKEN.finditer(section):
        if token["mask"]:
            if digits:  # as of telephone numbers
                return None
            digits, power = token["mask"], token["power"] or ""
            scale -= 3 * (len(token["scale"]) + len(digits) - len(digits.rstrip(",")))
            continue
        literal = token["quoted"] or token["escaped"] or token["currency"] or token["other"] or ""
        if token["other"] == "/":
            return None
        scale += 2 * (token["other"] == "%")
        literal = " " if token["space"] else literal
        before, after = (before, after + literal) if digits else (before + literal, after)
    return _Mask(before, digits, power, after, scale)


def _date(value: date | time | timedelta, section: str) -> str:
    if section == _LOCAL_DATE:
        section = "yyyy-mm-dd"
    elapsed = value if isinstance(value, timedelta) else None
    if elapsed is not None:
        moment = datetime.min + abs(elapsed) % timedelta(days=1)
    elif isinstance(value, time):
        moment = datetime.combine(date.min, value)
    else:
        assert isinstance(value, date)
        moment = value if isinstance(value, datetime) else datetime.combine(value, time())
    tokens = list(_DATE_TOKEN.finditer(section))
    units = [(token["unit"] or token["elapsed"] or "").strip("[]").lower() for token in tokens]
    named = [at for at, unit in enumerate(units) if unit]
    has_half = any(unit in ("am/pm", "a/p") for unit in units)
    pieces: list[str] = []
    for at, (token, unit) in enumerate(zip(tokens, units, strict=True)):
        if token["elapsed"]:
            seconds = int(elapsed.total_seconds()) if elapsed is not None else 0
            pieces.append(str(seconds // {"h": 3600, "m": 60, "s": 1}[unit[0]]).zfill(len(unit)))
        elif unit:
            place = named.index(at)
            around = [units[each][0] for each in named[max(0, place - 1) : place + 2] if each != at]
            before = units[named[place - 1]][0] if place else ""
            is_minute = unit[0] == "m" and (before == "h" or around[-1:] == ["s"])
            pieces.append(_unit(moment, "n" * len(unit) if is_minute else unit, has_half))
        else:
            pieces.append(token["quoted"] or token["escaped"] or token["other"] or "")
    return "".join(pieces).strip()


def _unit(moment: datetime, unit: str, has_half: bool) -> str:
    """Return a part of a date as a unit of a format says it; "n" are minutes."""
    width = len(unit)
    if unit[0] == "m" and width > 2:
        return (calendar.month_name if width > 3 else calendar.month_abbr)[moment.month]
    if unit[0] == "d" and width > 2:
        return (calendar.day_name if width > 3 else calendar.day_abbr)[moment.weekday()]
    if unit in ("am/pm", "a/p"):
        return ("AM" if moment.hour < 12 else "PM")[: 2 if unit == "am/pm" else 1]
    if unit[0] == ".":
        return f".{moment.microsecond:06}"[:width]
    hour = (moment.hour + 11) % 12 + 1 if has_half else moment.hour
    year = moment.year if width > 2 else moment.year % 100
    value = {
        **{"y": year, "m": moment.month, "d": moment.day},
        **{"h": hour, "n": moment.minute, "s": moment.second},
    }[unit[0]]
    return str(value).zfill(max(2, width) if unit[0] == "y" else width)
