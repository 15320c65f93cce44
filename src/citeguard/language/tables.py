"""Tables of a text, as lines of cells: Markdown, cells between bars, aligned and spaced columns."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from citeguard.language.cells import Cell, Table
from citeguard.language.measures import (
    Measures,
    in_sentence,
    is_number_of,
    is_period,
    lowered,
    measures_in,
    read_value,
    split_measures,
    unit_of,
)
from citeguard.language.quantities import MONTH_NAMES, MONTHS
from citeguard.language.records import find_records

_LINE = re.compile(r"[^\n]*\n?")
_RULE = re.compile(r"[\s|:+=_–—-]*")
_WIDE = re.compile(r"(?:[ \u00a0]{2,}|\t+)\s*|\s*\.{4,}\s*")
_BLANKS = re.compile(r"\s+")
_SIGN_ALONE = re.compile(r"[A-Z]{0,2}[$€£¥₹(]|[$€£¥₹]\s*\(")
_END_ALONE = re.compile(r"[)%]+\s*%?")
_NOTHING = re.compile(r"[-–—―.·]*|(?i:n/?[am]|nm|nil|\*+)")
_YEARS = re.compile(r"(?:(?:FY|fy)\s?)?(?:1[89]|20)\d\d[AEae]?")
_FIGURE = re.compile(r"[(\-−–$€£¥₹]*\d[\d,.]*\)?%?\)?|[-–—]|[$€£¥₹(]|[)%]")
_SPANNING = re.compile(
    r"(?i)(?:(?:for|as of|at)\s+)?(?:the\s+)?(?:\w+\s+){0,3}(?:years?|quarters?|months|weeks)"
    r"(?:\s+end(?:ed|ing))?(?:\s+[a-z]+\.?\s+\d{1,2},?)?"
    rf"|(?:(?:as of|at)\s+)?(?:{'|'.join(MONTHS)})\.?\s+\d{{1,2}},?"
)
_TITLE_YEARS = re.compile(
    r"(?i)\s*[,(]?\s*\b(?:as of|at|for|ended|in)\b(?:\s+(?:the|fiscal|years?|ended|and|[a-z]{3,9}"
    r"|\d{1,2},?)){0,8}?\s+(?:1[89]|20)\d\d\b(?:(?:,|\s+and|,\s+and)\s+(?:1[89]|20)\d\d)*\)?"
    r"|\b(?:1[89]|20)\d\d\b"
)
_AS_FOLLOWS = re.compile(
    r"(?i)\b(?:(?:(?:were|are|was|is|consists? of|consisted of) )?(?:the following|as follows))\b"
)
_STATEMENT = re.compile(
    r"(?i)\b(?:consolidated|condensed|statements?|balance sheets?|summary|financial data)\b"
)
_ONLY_SCALE = re.compile(r"(?i)(?:\w+ )?in (?:thousands|millions|billions)\b")
_TRUTH = {"yes": True, "✓": True, "✔": True, "true": True, "no": False, "✗": False, "✘": False,
          "false": False}  # fmt: skip
_NUMBERED_TITLE = re.compile(r"(?i)^(?:[#*\s]*)(?:table|exhibit|figure|item|note)\s+[\w.]+[.:]?\s*")
_KIND = re.compile(r"(?!(?i:years?|dates?|in|n)\b)[^\W\d_]{3,}(?: [^\W\d_]{3,})?")
_MOST_OF_CAPTION = 12  # words
_FEWEST_ROWS = 2
_MOST_HEADS = 3  # lines
_FAR_ABOVE = 12  # lines above a table in which its caption may be
_LONGEST_CAPTION = 300  # characters
_TEXT_COLUMNS = 3
_TEXT_ROWS = 3  # of a table without numbers


class _Piece(NamedTuple):
    """A cell as it is written, with its place."""

    text: str
    start: int
    end: int


class _Line(NamedTuple):
    start: int
    end: int
    pieces: tuple[_Piece, ...]
    text: str
    barred: bool = False
    wide: bool = False  # whether its cells are several blanks apart


class _Row(NamedTuple):
    """A line of data: its label, and for each column a value or `None`."""

    line: _Line
    label: str
    values: tuple[_Piece | None, ...]


def find_tables(text: str) -> tuple[Table, ...]:
    r"""Return the tables and records of a text, in order and without overlap.

    A table is found by its lines: cells between bars, or columns that blanks separate, below a line
    of heads, with two rows at least. Lines that are not understood are in no cell. Records are
    JSON, and lines of keys and values. Prose has none.

    Examples:
        >>> text = "In thousands:\n| | 2022 | 2021 |\n|-|-|-|\n| Cost | 41 | 39 |\n| Debt | 7 | 8 |"
        >>> [cell.sentences[0] for table in find_tables(text) for cell in table.cells][:2]
        ['Cost was 41 thousand in 2022.', 'Cost was 39 thousand in 2021.']
    """
    records = find_records(text)
    taken = [(table.start, table.end) for table in records]
    found = [
        table
        for table in _tables(text)
        if not any(start < table.end and table.start < end for start, end in taken)
    ]
    return tuple(sorted([*records, *found]))


def _tables(text: str) -> Iterator[Table]:
    lines = [_line(text, match.start(), match.end()) for match in _LINE.finditer(text) if match[0]]
    at = 0
    while at < len(lines):
        is_blank = not lines[at].text.strip()
        end = at if is_blank else _end_of_block(lines, at)
        table = _table(lines, at, end) if end - at >= _FEWEST_ROWS else None
        if table is not None:
            yield table
        at = max(end, at + 1)


def _end_of_block(lines: Sequence[_Line], first: int) -> int:
    """Return the index after the lines that look like rows of one table, one blank between."""
    at = end = first
    while at < len(lines):
        line = lines[at]
        if not line.text.strip():
            if at == end + 1 and lines[at - 1].text.strip():
                break
            if at > end:
                break
            at += 1
            continue
        if not _is_row_like(line) or (end > first and line.barred != lines[first].barred):
            # A label alone, such as "Operating expenses:", may be between two rows.
            between = end > first and at + 1 < len(lines) and _is_row_like(lines[at + 1])
            if not (between and _is_label(line) and not lines[first].barred):
                break
        at += 1
        end = at
    return end


def _is_label(line: _Line) -> bool:
    plain = line.text.strip()
    return len(plain.split()) <= 8 and not plain.endswith((".", "?", "!"))


def _is_row_like(line: _Line) -> bool:
    if _RULE.fullmatch(line.text):
        return len(line.text.strip()) > 2
    if line.barred:
        return True
    if len(line.pieces) < 2:
        return False
    values = [read_value(piece.text) for piece in line.pieces]
    return any(values) or all(len(piece.text) <= 40 for piece in line.pieces)


def _line(text: str, start: int, end: int) -> _Line:
    written = text[start:end].rstrip("\n")
    if "|" in written and (" | " in written or written.strip().startswith("|")):
        return _Line(start, start + len(written), _barred(written, start), written, barred=True)
    wide = _split(_WIDE, written, start) if _WIDE.search(written) else ()
    is_wide = len(wide) > 1
    pieces = wide if is_wide else _spaced(written, start)
    return _Line(start, start + len(written), pieces, written, wide=is_wide)


def _barred(written: str, start: int) -> tuple[_Piece, ...]:
    low = len(written) - len(written.lstrip())
    high = len(written.rstrip())
    low += written[low : low + 1] == "|"
    high -= written[low:high].endswith("|")
    places = [low]
    for bar in re.finditer(r"\|", written[low:high]):
        places += [low + bar.start(), low + bar.end()]
    places.append(max(low, high))
    return tuple(
        _stripped(written, one, other, start)
        for one, other in zip(places[::2], places[1::2], strict=True)
    )


def _stripped(written: str, low: int, high: int, start: int) -> _Piece:
    part = written[low:high]
    before = len(part) - len(part.lstrip())
    plain = part.strip().replace("**", "")
    return _Piece(plain, start + low + before, start + low + max(before, len(part.rstrip())))


def _split(pattern: re.Pattern[str], written: str, start: int) -> tuple[_Piece, ...]:
    pieces: list[_Piece] = []
    low = 0
    for gap in [*pattern.finditer(written), None]:
        high = len(written) if gap is None else gap.start()
        if written[low:high].strip():
            pieces.append(_stripped(written, low, high, start))
        low = len(written) if gap is None else gap.end()
    return _with_signs(pieces)


def _with_signs(pieces: Sequence[_Piece]) -> tuple[_Piece, ...]:
    """Return pieces with signs that are alone joined to their numbers: "$" and "4,126", ")"."""
    joined: list[_Piece] = []
    for piece in pieces:
        if (
            joined
            and _SIGN_ALONE.fullmatch(joined[-1].text)
            and piece.text[:1] in "(-0123456789.–—"
        ) or (joined and _END_ALONE.fullmatch(piece.text) and joined[-1].text[-1:].isdigit()):
            joined[-1] = _Piece(f"{joined[-1].text}{piece.text}", joined[-1].start, piece.end)
        else:
            joined.append(piece)
    return tuple(joined)


def _spaced(written: str, start: int) -> tuple[_Piece, ...]:
    """Return a label and the figures behind it, as text that was read from a page has them."""
    last = written.rsplit(maxsplit=1)
    if not last or not _FIGURE.fullmatch(last[-1]):  # as of nearly all lines of prose
        return ()
    words = [(match.group(), match.start(), match.end()) for match in re.finditer(r"\S+", written)]
    first = len(words)
    while first and _FIGURE.fullmatch(words[first - 1][0]):
        first -= 1
    pieces = [_Piece(word, start + low, start + high) for word, low, high in words[first:]]
    while pieces and not any(map(str.isdigit, pieces[0].text)) and pieces[0].text in "-–—)%":
        pieces.pop(0)
        first += 1
    figures = _with_signs(pieces)
    if not figures:
        return ()
    label = written[: words[first][1]] if first else ""
    low = len(label) - len(label.lstrip())
    named = [_Piece(label.strip(), start + low, start + len(label.rstrip()))] if first else []
    return (*named, *figures)


# Rows and heads


def _table(lines: Sequence[_Line], first: int, end: int) -> Table | None:
    """Return the table of some lines, if they have heads and rows that fit each other."""
    places = [i for i in range(first, end) if lines[i].text.strip()]
    rules = [i for i in places if _RULE.fullmatch(lines[i].text)]
    body = [i for i in places if i not in rules]
    top = _first_of_data([lines[i] for i in body])
    if lines[first].barred and rules and body and body[0] < rules[0] < body[-1]:
        top = sum(i < rules[0] for i in body)
    if top is None or len(body) - top < 1:
        return None
    # "Operating activities:" between the heads and the first row.
    while top and not lines[body[top - 1]].barred and _is_section(lines[body[top - 1]]):
        top -= 1
    data = [lines[i] for i in body[top:]]
    rows, width = _rows([lines[i] for i in body[:top]], data)
    if not rows:
        return None
    heads = _heads([lines[i] for i in body[:top]], width)
    if (
        heads is None
        or (width == 1 and len(rows) < _FEWEST_ROWS)
        or len(heads.lines) + len(rows) < 2
    ):
        return None
    start = heads.lines[0].start if heads.lines else data[0].start
    near = lines[max(0, body[top] - _FAR_ABOVE) : body[top]]
    above = [line for line in near if line.end <= start and line.text.strip()][-4:]
    columns, above = _under_period(heads.columns, above)
    caption, stated = _caption(above, lines[end : end + 2])
    if width == 1 and not (lines[first].barred or (lines[first].wide and heads.lines)):
        # Lines that end in a number are a table only if they say what it measures.
        values = (read_value(piece.text) for row in rows for piece in row.values if piece)
        is_measured = any(value and (value.currency or value.percent) for value in values)
        if not (caption and (stated.scale or stated.currency or is_measured)):
            return None
    cells = _cells(rows, columns, caption, heads.stated.or_else(stated), data, heads.kind)
    understood = {row.line.start for row in rows}
    others = (
        Cell(line.start, line.end, (line.start, line.end), ())
        for line in data
        if line.start not in understood and len(line.pieces) > 1
    )
    cells = tuple(sorted([*cells, *others]))
    return Table(start, lines[body[-1]].end, cells) if cells else None


def _is_section(line: _Line) -> bool:
    plain = line.text.strip()
    return len(line.pieces) < 2 and not plain.startswith("(") and not _SPANNING.fullmatch(plain)


def _first_of_data(body: Sequence[_Line]) -> int | None:
    """Return the index of the first row of data; without any figures, the second line."""
    first = next((i for i, line in enumerate(body) if _is_data(line)), None)
    if first is not None:
        return first
    widths = {len(line.pieces) for line in body}
    is_sure = len(widths) == 1 and max(widths) >= _TEXT_COLUMNS and len(body) > _TEXT_ROWS
    return 1 if is_sure and all(line.barred or line.wide for line in body) else None


def _under_period(
    columns: Sequence[str], above: Sequence[_Line]
) -> tuple[Sequence[str], Sequence[_Line]]:
    """Return columns with the period that is alone on the line above: "Fiscal year ended"."""
    if not above or not columns or not all(map(is_period, columns)):
        return columns, above
    line = above[-1].text.strip()
    if not _SPANNING.fullmatch(line):
        return columns, above
    return [f"{line} {column}" for column in columns], above[:-1]


def _is_data(line: _Line) -> bool:
    """Return whether a line has figures that are no years, and a label before them."""
    values = _values_of(line)
    if not values or all(_YEARS.fullmatch(piece.text) for piece in values):
        labelled = len(values) == 1 and line.pieces[0].text and len(line.pieces) > 1
        return bool(labelled) and values[0].text[:1] in "$€£"
    return bool(line.pieces[0].text) and line.pieces[0] not in values


def _values_of(line: _Line) -> list[_Piece]:
    pieces = [piece for piece in line.pieces[1:] if piece.text]
    if (
        line.pieces
        and read_value(line.pieces[0].text)
        and not _YEARS.fullmatch(line.pieces[0].text)
    ) or (line.pieces and all(_YEARS.fullmatch(piece.text) for piece in (line.pieces[0], *pieces))):
        pieces.insert(0, line.pieces[0])
    return [piece for piece in pieces if read_value(piece.text) or _YEARS.fullmatch(piece.text)]


def _rows(above: Sequence[_Line], data: Sequence[_Line]) -> tuple[list[_Row], int]:
    """Return the rows of a table, and of how many columns beside that of the labels."""
    lines = [line for line in data if len(line.pieces) > 1]
    raw = {len(line.pieces) for line in [*above[-1:], *lines]}
    has_signs = any(
        _SIGN_ALONE.fullmatch(piece.text) or _END_ALONE.fullmatch(piece.text)
        for line in lines
        for piece in line.pieces
    )
    if lines and lines[0].barred and len(raw) == 1 and not has_signs:
        return [_Row(line, line.pieces[0].text, line.pieces[1:]) for line in lines], raw.pop() - 1
    rows = [_compressed(line) for line in lines]
    counts = Counter(len(row.values) for row in rows if row.values)
    if not counts:
        return [], 0
    width = max(counts, key=lambda each: (counts[each], each))
    rights = _right_edges([row for row in rows if len(row.values) == width])
    fitted = (_fitted(row, width, rights) for row in rows)
    return [row for row in fitted if row is not None], width


def _compressed(line: _Line) -> _Row:
    pieces = _with_signs([piece for piece in line.pieces if piece.text])
    return _Row(line, pieces[0].text, pieces[1:]) if pieces else _Row(line, "", ())


def _right_edges(rows: Sequence[_Row]) -> list[list[int]]:
    return [
        sorted(piece.end - row.line.start for row in rows if (piece := row.values[i]) is not None)
        for i in range(len(rows[0].values))
    ]


def _fitted(row: _Row, width: int, rights: Sequence[Sequence[int]]) -> _Row | None:
    """Return a row with a value or nothing for each column, by right edges where some are empty."""
    if len(row.values) == width:
        return row
    if row.line.barred or not row.values or len(row.values) > width or "  " not in row.line.text:
        return None
    middles = [edges[len(edges) // 2] for edges in rights]
    values: list[_Piece | None] = [None] * width
    for piece in filter(None, row.values):
        edge = piece.end - row.line.start
        nearest = min(range(width), key=lambda i: abs(middles[i] - edge))
        if values[nearest] is not None:
            return None
        values[nearest] = piece
    return _Row(row.line, row.label, tuple(values))


class _Heads(NamedTuple):
    """The heads of columns, the lines they are on, and what is stated in the head of the labels.

    Attributes:
        columns: The heads.
        lines: Their lines.
        stated: The measures.
        kind: What rows are, such as "region"; empty if it is not said.
    """

    columns: Sequence[str]
    lines: Sequence[_Line]
    stated: Measures
    kind: str = ""


def _heads(above: Sequence[_Line], width: int) -> _Heads | None:
    """Return the heads of columns, read upwards; a head above several belongs to each.

    `None` if no line has one for each column, and there are several.
    """
    columns, used, stated, kind = [""] * width, list[_Line](), Measures(), ""
    for line in reversed(above):
        if len(used) == _MOST_HEADS:
            return None
        texts = [piece.text for piece in line.pieces]
        if line.barred and len(texts) != width + 1:
            texts = list(filter(None, texts))
        beside = ""
        if len(texts) == width + 1:
            beside, *texts = texts
            stated = stated.or_else(measures_in(beside))
        if len(texts) == 1 and width > 1 and not _SPANNING.fullmatch(texts[0]):
            stated = stated.or_else(measures_in(texts[0]))
            break
        periods = all(is_period(text) for text in texts)
        fits = len(texts) == width or (used and texts and width % len(texts) == 0)
        if not fits or not (line.barred or line.wide or periods):
            break
        span = width // len(texts)
        columns = [f"{texts[i // span]} {head}".strip() for i, head in enumerate(columns)]
        if periods and _SPANNING.fullmatch(beside):
            columns = [f"{beside} {column}" for column in columns]
        elif _KIND.fullmatch(beside):
            kind = kind or beside
        used.insert(0, line)
    if not used:
        return _Heads(columns, (), stated) if width == 1 else None
    return _Heads(columns, used, stated, kind)


# Sentences


def _caption(above: Sequence[_Line], below: Sequence[_Line]) -> tuple[str, Measures]:
    """Return what a table is about, without dates, and the measures stated around it."""
    after = next((line.text.strip() for line in below if line.text.strip()), "")
    stated, title = Measures(), ""
    for line in reversed(above):
        text = line.text.strip()[-_LONGEST_CAPTION:]
        brackets = " ".join(re.findall(r"\([^()]*\)", text))
        unit = unit_of(brackets.strip("()"))
        stated = stated.or_else(Measures(unit=unit) if unit else measures_in(brackets or _in(text)))
        title = title or _title(text)
    if after.startswith("("):
        about, measures = split_measures(after.strip("()"))
        stated = stated.or_else(measures if measures.unit else measures_in(after))
        title = title or about
    return title, stated


def _in(text: str) -> str:
    """Return the part of a line without brackets that says what figures are in."""
    found = re.search(r"(?i)\b(?:in|amounts?|figures|dollars|\$|€|£)\b.*", text)
    return found[0] if found and len(text.split()) <= _MOST_OF_CAPTION else ""


def _title(text: str) -> str:
    """Return a short caption without its number, measures and dates; else an empty text."""
    plain = _NUMBERED_TITLE.sub("", re.sub(r"\([^()]*\)", "", text)).strip("#* |")
    plain = re.sub(r"\s+", " ", plain).strip()
    if plain.endswith((".", "?", "!")) or not plain:
        return ""
    plain = _TITLE_YEARS.sub("", _AS_FOLLOWS.sub("", plain)).strip(" :,;–—-")
    if plain.isupper() or _STATEMENT.search(plain) or is_period(plain) or _ONLY_SCALE.match(plain):
        return ""  # the name of a statement, not of its figures
    return plain if 0 < len(plain.split()) <= _MOST_OF_CAPTION else ""


def _cells(
    rows: Sequence[_Row],
    columns: Sequence[str],
    caption: str,
    stated: Measures,
    data: Sequence[_Line],
    kind: str,
) -> Iterator[Cell]:
    split = [split_measures(column) for column in columns]
    values = [[piece and read_value(piece.text) for piece in row.values] for row in rows]
    signs = (value.currency for row in values for value in row if value and value.currency)
    currency = next(signs, "")
    sections = _sections(rows, data)
    for row, read, section in zip(rows, values, sections, strict=True):
        label, of_row = split_measures(row.label)
        for (name, of_column), piece, value in zip(split, row.values, read, strict=False):
            if piece is None or not piece.text or _NOTHING.fullmatch(piece.text):
                continue
            about = f"{label} {name}"
            measures = of_row.or_else(of_column)
            if not measures.unit:
                is_count = (stated.currency or currency) and is_number_of(about)
                measures = measures.or_else(Measures() if is_count else stated)
                measures = measures.or_else(Measures(currency=currency))
            said = piece.text if value is None else measures.written(value, about)
            yield Cell(
                piece.start,
                piece.end,
                (row.line.start, row.line.end),
                _sentences(label, name, said, caption, section, kind),
                (("row", label), *((("column", _when(name)),) if name else ())),
            )


def _sections(rows: Sequence[_Row], data: Sequence[_Line]) -> list[str]:
    """Return for each row the label above it that has no values; it ends at a total."""
    by_start = {row.line.start: row for row in rows}
    found: list[str] = []
    section, indent = "", 0
    for line in data:
        row = by_start.get(line.start)
        here = len(line.text) - len(line.text.lstrip(" |\t"))
        if row is None:
            section, indent = line.text.strip(" |*\t").rstrip(":"), here
            continue
        is_total = re.match(r"(?i)(?:total|net)\b", row.label) is not None
        if is_total or (here <= indent and _is_indented(data)):
            section = ""
        found.append(section)
    return found


def _is_indented(data: Sequence[_Line]) -> bool:
    return len({len(line.text) - len(line.text.lstrip(" \t")) for line in data}) > 1


def _sentences(
    label: str, head: str, said: str, caption: str, section: str, kind: str
) -> tuple[str, ...]:
    """Return what a cell says, in several ways: "Cost of sales was $4,126.3 million in 2022."."""
    has_topic = bool(caption) and caption.lower() not in f"{label} {head}".lower()
    topic = f"{caption}: " if has_topic else ""
    if section and section.lower() not in label.lower():
        label = f"{label} ({lowered(section)})"
    if not head and is_period(label):
        topic, label, head = "", caption, label
    elif is_period(label) and not is_period(head):
        label, head = head, label
    about = lowered(label) if topic else label
    if not head:
        ways = [f"{about} was {said}"]
    elif is_period(head):
        when = _when(head)
        ways = [f"{about} was {said} in {when}", f"in {when}, {lowered(label)} was {said}"]
    else:
        ways = [*_ways(about, lowered(head) if topic else head, said, lowered(kind))]
    return tuple(in_sentence(f"{topic}{way}") for way in ways)


def _ways(label: str, head: str, said: str, kind: str) -> Iterator[str]:
    """Yield what a cell says whose row and column are no periods; either may be a thing."""
    row, column = (
        f"{kind} {name}" if kind and kind.lower() not in name.lower() else name
        for name in (label, head)
    )
    truth = _TRUTH.get(said.lower())
    if truth is not None:
        has = "has" if truth else "has no"
        yield from (f"{column} {has} {lowered(label)}", f"{row} {has} {lowered(head)}")
        return
    yield f"{head} of {row} is {said}"
    yield f"{label} of {column} is {said}"
    if any(map(str.isdigit, said)):
        yield f"{row} has a {lowered(head)} of {said}"
        yield f"{column} has a {lowered(label)} of {said}"


def _when(head: str) -> str:
    """Return a period as it is written within a sentence: "the fiscal year ended 1 May 2022"."""
    if head.lower().rstrip(".") in MONTHS:
        return MONTH_NAMES[MONTHS[head.lower().rstrip(".")] - 1].capitalize()
    within = re.sub(r"\A\D*\b(?i:ended|ending)\b", lambda found: found[0].lower(), lowered(head))
    return f"the {within}" if re.match(r"(?i)[a-z ]*\bended\b", within) else within
