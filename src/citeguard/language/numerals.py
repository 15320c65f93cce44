"""Values in any language with tables: number words, numerals of Han script, and decimal marks.

`read_values` writes them in one form, so that two texts can be compared; `other_numerals` writes a
text in digits or in words, to find it. The words are in the lexicons.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise

from citeguard.language.lexicon import CODES, find_lexicon, load_lexicon
from citeguard.language.tokens import Token, tokenize
from citeguard.language.units import find_magnitudes
from citeguard.language.variants import PERCENT_PHRASES

_Keys = tuple[str, ...]

# Languages that write numbers below a hundred in one word: 21 is "einundzwanzig", "ventuno".
_UNITS_FIRST, _TENS_FIRST = ("de", "nl"), ("it",)
_NO_COMMA = frozenset(("en", "zh", "ja", "ko", "th", "hi", "ar"))  # decimal points, or both
_TEN, _HUNDRED, _THOUSAND = 10, 100, 1000
_LONGEST = 2  # tokens of a word in the tables


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Numerals:
    """The number words of one language, by their keys as tokens.

    Attributes:
        code: the language.
        values: what each word adds, below a thousand.
        scales: what each word multiplies by, from a thousand on.
        joiners: what may be between the words of one number.
        unsure: the words that are other words as well, unless something counted follows.
        counted: words of units and the like.
        digits: the digits of Han script.
        others: words of Han script that look like numbers.
        ordinals: ordinal words.
        ordinal_endings: what ordinals in digits end in, with the mark before it.
    """

    code: str
    values: dict[_Keys, int]
    scales: dict[str, int]
    joiners: frozenset[str]
    unsure: frozenset[str]
    counted: frozenset[str]
    digits: dict[str, int]
    others: tuple[str, ...]
    ordinals: dict[str, int]
    ordinal_endings: frozenset[str]


@cache
def _numerals(code: str) -> _Numerals | None:
    table = load_lexicon(code).values
    if not table:
        return None
    values: dict[_Keys, int] = {}
    rows = [_row(table.get(name, "")) for name in ("units", "tens", "hundreds")]
    for row, first, step in zip(rows, (0, 2 * _TEN, _HUNDRED), (1, _TEN, _HUNDRED), strict=True):
        for i, words in enumerate(row):
            # Korean and Turkish tables of tens begin with 20 and 10.
            start = _TEN if step == _TEN and code == "tr" else first
            values |= {_keys(word): start + i * step for word in words}
    if code in (*_UNITS_FIRST, *_TENS_FIRST):
        values = {(word,): value for word, value in _joined(code, rows).items()} | values
    if code == "ko":
        tens = [(_TEN, "열"), *((20 + i * _TEN, row[0]) for i, row in enumerate(rows[1]))]
        values |= {
            (ten + unit,): value + i
            for value, ten in tens
            for i, row in enumerate(rows[0][1:10], start=1)
            for unit in row
        }
    if code == "th":
        units = [row[0] for row in rows[0]]
        ones = [(0, ""), (1, "เอ็ด"), *enumerate(units[2:_TEN], start=2)]
        values |= {
            _keys(("" if ten == 1 else "ยี่" if ten == 2 else units[ten]) + "สิบ" + one): (
                ten * _TEN + i
            )
            for ten in range(1, _TEN)
            for i, one in ones
        }
    values |= _by_value(table.get("others", "")) if "digits" not in table else {}
    ones = {word for words in rows[0][1:2] for word in words}
    return _Numerals(
        code=code,
        values=values,
        scales=find_magnitudes(code)
        | {keys[0]: value for keys, value in _by_value(table.get("scales", "")).items()},
        joiners=frozenset(
            key for keys in map(_keys, table.get("joiner", "").split()) for key in keys
        ),
        unsure=frozenset(
            "".join(_keys(word)) for word in (*ones, *table.get("unsure", "").split())
        ),
        counted=frozenset("".join(_keys(word)) for word in table.get("counted", "").split()),
        digits={
            char: i for i, row in enumerate(table.get("digits", "").split(", ")) for char in row
        },
        others=tuple(table.get("others", "").split()) if "digits" in table else (),
        ordinals={
            _keys(word)[0]: i
            for i, row in enumerate(_row(table.get("ordinals", "")), start=1)
            for word in row
        },
        ordinal_endings=frozenset(
            mark + "".join(_keys(ending.removeprefix(mark)))
            for ending in table.get("ordinal_endings", "").split()
            for mark in (ending[:1] if ending[0] in "-.'" else "",)
        ),
    )


def _row(text: str) -> list[list[str]]:
    return [entry.split() for entry in text.split(",")] if text else []


def _by_value(text: str) -> dict[_Keys, int]:
    return {
        _keys(word): int(value) for value, *words in _row(text) for word in words if value.isdigit()
    }


def _keys(word: str) -> _Keys:
    return tuple(token.key for token in tokenize(word.replace("_", " ")))


def _joined(code: str, rows: list[list[list[str]]]) -> dict[str, int]:
    """Return the numbers below a million that are one word, with their values."""
    units, tens, hundreds = rows
    words: dict[str, int] = {}
    for i, row in enumerate(tens, start=2):
        for ten, (unit, forms) in ((ten, each) for ten in row for each in enumerate(units[:10])):
            for form in ("ein",) if (code, unit) == ("de", 1) else forms if unit else ():
                if code in _TENS_FIRST:
                    # "ventuno", "ventotto", "ventitré"
                    stem = ten[:-1] if unit in (1, 8) else ten
                    words[stem + ("tré" if unit == 3 else form)] = i * _TEN + unit
                else:
                    joiner = "und" if code == "de" else "ën" if form.endswith("e") else "en"
                    words[form + joiner + ten] = i * _TEN + unit
    small = {form: i for i, row in enumerate(units) for form in row if i}
    small |= {ten: i * _TEN for i, row in enumerate(tens, start=2) for ten in row} | words
    for hundred in (word for row in hundreds[:1] for word in row):
        for form, i in [("", 1), *((f, n) for f, n in small.items() if 1 < n < _TEN)]:
            head = form + hundred
            words[head] = i * _HUNDRED
            words |= {head + rest: i * _HUNDRED + value for rest, value in small.items()}
    thousand = {"de": "tausend", "nl": "duizend", "it": "mila"}[code]
    words |= {
        form + thousand: value * _THOUSAND for form, value in (small | words).items() if value > 1
    }
    return words


# Values of number words


def _read_words(
    numerals: _Numerals, tokens: Sequence[Token], i: int, text: str
) -> tuple[int, int] | None:
    """Return the value of the number words at a place and the place after them, or `None`."""
    start, result, found = i, 0, _read_group(numerals, tokens, i, text)
    last = 10**15
    while True:
        value, i = found or (0, i)
        scale = numerals.scales.get(_near(tokens, i, text, first=i == start))
        if not scale or scale >= last or not (value or (scale == _THOUSAND and i == start)):
            result += value
            break
        result, last, i = result + (value or 1) * scale, scale, i + 1
        found = _read_group(numerals, tokens, _after_joiner(numerals, tokens, i, text), text)
        if found is None or not _is_near(tokens, i, text):
            break
    if i == start or (result == 0 and not found):
        return None
    if i == start + 1 and tokens[start].key in numerals.unsure and not _counts(numerals, tokens, i):
        return None
    return result, i


def _read_group(
    numerals: _Numerals, tokens: Sequence[Token], i: int, text: str
) -> tuple[int, int] | None:
    """Read a value below a thousand: each word adds to a lower place than the one before."""
    total, room, start = 0, _THOUSAND, i
    while i < len(tokens):
        place = _after_joiner(numerals, tokens, i, text) if i > start else i
        value, end = _word(numerals, tokens, place, text)
        joined = False
        if value is None and numerals.code == "ar" and i > start:
            value, end, joined = *_word_with_and(numerals, tokens, i), True
        if value is None or (i > start and not _is_near(tokens, i, text)):
            break
        if i > start and value == _HUNDRED and 0 < total < _TEN and place == i:
            total, room = total * _HUNDRED, _HUNDRED
        elif numerals.code == "fr" and total == 4 and value == 2 * _TEN:
            total, room = 80, 2 * _TEN
        elif numerals.code == "ar" and (
            (total < _TEN < value < _HUNDRED and joined) or (value == _TEN and 2 < total < _TEN)
        ):
            total, room = total + value, 1
        elif i == start or (0 < value < room and _may_add(numerals, tokens[place].key, room)):
            total += value
            room = 2 * _TEN if numerals.code == "fr" and total == 60 else _room(numerals, value)
        else:
            break
        i = end
    return (total, i) if i > start else None


def _may_add(numerals: _Numerals, key: str, room: int) -> bool:
    """Return whether a word may end a number: "thirty one", but "five hundred a ..." may not."""
    if numerals.code == "vi" and key == "năm":
        return False  # "mười năm" is ten years, "mười lăm" fifteen
    return key not in numerals.unsure or room <= 2 * _TEN


def _room(numerals: _Numerals, value: int) -> int:
    """Return what the next word must be below: 100 after "two hundred", 10 after "twenty"."""
    for place in (_THOUSAND, _HUNDRED):
        if value % place == 0:
            return place if value else 1
    least = 1 if numerals.code in ("tr", "vi", "ko") else 2
    return _TEN if value % _TEN == 0 and value >= least * _TEN else 1


def _word(
    numerals: _Numerals, tokens: Sequence[Token], i: int, text: str
) -> tuple[int | None, int]:
    for width in range(_LONGEST, 0, -1):
        keys = tuple(token.key for token in tokens[i : i + width])
        value = numerals.values.get(keys) if len(keys) == width else None
        if value is not None and (width == 1 or _is_near(tokens, i + 1, text)):
            return value, i + width
    return None, i


def _word_with_and(numerals: _Numerals, tokens: Sequence[Token], i: int) -> tuple[int | None, int]:
    key = tokens[i].key
    return (numerals.values.get((key[1:],)), i + 1) if key.startswith("و") else (None, i)


def _after_joiner(numerals: _Numerals, tokens: Sequence[Token], i: int, text: str) -> int:
    has_joiner = i < len(tokens) and tokens[i].key in numerals.joiners
    return i + 1 if has_joiner and _is_near(tokens, i + 1, text) else i


def _near(tokens: Sequence[Token], i: int, text: str, *, first: bool = False) -> str:
    return tokens[i].key if i < len(tokens) and (first or _is_near(tokens, i, text)) else ""


def _is_near(tokens: Sequence[Token], i: int, text: str) -> bool:
    """Return whether only blanks or a hyphen separate a token from the one before."""
    if not 0 < i < len(tokens):
        return False
    between = text[tokens[i - 1].end : tokens[i].start]
    return len(between) < 4 and not between.strip(" -\n\u00a0\u2009\u202f‐‑\u200c")


def _counts(numerals: _Numerals, tokens: Sequence[Token], i: int) -> bool:
    if i >= len(tokens):
        return False
    return tokens[i].key in numerals.counted or tokens[i].key in "%°€$£"


# Values in Han script

_HAN_SCALES = {"十": 10, "百": 100, "千": 1000, "万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}
_TRILLION = {"ja": {"兆": 10**12}}  # in Chinese also a million
_HAN_YEAR = 4  # digits


def _read_han(numerals: _Numerals, tokens: Sequence[Token], i: int) -> tuple[int, int] | None:
    """Return the value of the numerals at a place and the place after them, or `None`."""
    end = i
    while end < len(tokens) and (
        tokens[end].key in numerals.digits or tokens[end].key in _HAN_SCALES
    ):
        end += 1
    run = "".join(token.key for token in tokens[i:end])
    after = "".join(token.key for token in tokens[end : end + 4])
    before = tokens[i - 1].key if i else ""
    if not run or any((run + after).startswith(word) for word in numerals.others):
        return None
    if not any(char in _HAN_SCALES for char in run):
        if len(run) == 1:
            is_counted = any(after.startswith(word) for word in numerals.counted)
            sure = is_counted or before == "第"
            return (numerals.digits[run], end) if sure else None
        # "三五年" is three to five years.
        if len(run) != _HAN_YEAR and not set(run) & set("〇零"):
            return None
        return int("".join(str(numerals.digits[char]) for char in run)), end
    value = _han_value(run, numerals.digits)
    return None if value is None else (value, end)


def _han_value(run: str, digits: dict[str, int]) -> int | None:
    total = group = digit = 0
    last_is_digit, last_scale = False, _THOUSAND * _TEN
    for char in run:
        if char in digits:
            if last_is_digit and digit:
                return None
            digit, last_is_digit = digits[char], True
            continue
        scale = _HAN_SCALES[char]
        if scale < _HAN_SCALES["万"]:
            if scale >= last_scale:
                return None
            group, last_scale = group + (digit or 1) * scale, scale
        else:
            if not group + digit:
                return None
            total, group = total + (group + digit) * scale, 0
            last_scale = _HAN_SCALES["万"]
        digit, last_is_digit = 0, False
    return total + group + digit


def _to_han(number: int) -> str:
    if number >= _HAN_SCALES["万"]:
        return ""
    han, written = "零一二三四五六七八九", ""
    for scale, name in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit, number = divmod(number, scale)
        if digit:
            written += (han[digit] if digit > 1 or scale != _TEN or written else "") + name
        elif written and number and not written.endswith("零"):
            written += "零"
    return written or "零"


# Figures

_SEPARATED = re.compile(r"\d+(?:[.,]\d+)+")
_THREE = re.compile(r"\d{3}(?:[.,]\d{1,2})?")
_POINTS = re.compile(r"(?<![\d.,])\d+\.\d\d?(?![\d.,])")
_GROUPS = re.compile(r"(?<![\d.,])[1-9]\d{0,2}\.\d{3}(?:\.\d{3}(?![\d.])|,\d\d?(?![\d.,]))")
_CURRENCY = frozenset(
    "€ $ £ ¥ ₹ ₽ ₴ ₺ euro euros eur usd gbp chf zł złotych złoty pln руб рублей рубля грн гривень"
    " гривні lei leu ron lira tl try ευρώ dollars dollar reais brl".split()
)


def _plain(written: str, *, comma: bool, money: bool) -> str:
    """Return a number with a decimal point, if any, as its only separator; else unchanged.

    Args:
        written: With the thousands separators and the decimal mark of any language.
        comma: Whether the text has decimal commas: "1.250" is a thousand then.
        money: Whether a currency is beside, so that ",00" says nothing.
    """
    if not _SEPARATED.fullmatch(written):
        return written
    *groups, last = re.split("[.,]", written)
    marks = [char for char in written if char in ".,"]
    grouped = groups[0] != "0" and len(groups[0]) <= 3
    if len(set(marks[:-1])) <= 1 and len(groups) > 1 and marks[-1] != marks[0]:
        middle = groups[1:]
        if not grouped or any(len(group) not in (2, 3) for group in middle):
            return written
        return _without_zeros("".join(groups), last)
    if len(marks) > 1:
        in_threes = all(len(group) == 3 for group in (*groups[1:], last))
        indian = marks[0] == "," and len(last) == 3 and all(len(g) == 2 for g in groups[1:])
        is_number = grouped and len(set(marks)) == 1 and (in_threes or indian)
        return "".join((*groups, last)) if is_number else written
    if len(last) != 3 or not grouped:
        return _without_zeros(groups[0], last) if money else f"{groups[0]}.{last}"
    if marks[0] == ("." if comma else ","):
        return groups[0] + last
    return written


def _without_zeros(whole: str, part: str) -> str:
    return whole if part == "00" else f"{whole}.{part}"


# Texts

_NEARBY = 600
_UNSPACED_NUMERAL = re.compile(
    "[〇零一二三四五六七八九十百千万萬亿億两兩]|[가-힣]\\d|\\d[가-힣]|퍼센트|프로|[십백천]|ศูนย์|หนึ่ง|สอง|สาม|สี่|ห้า|หก|เจ็ด|แปด|เก้า|สิบ"
)


@lru_cache(maxsize=20_000)
def has_numeral(word: str) -> bool:
    """Return whether a word of an edit may be a number in another writing; a quick test."""
    bare = word.strip('.,;:!?()[]{}«»„“”"…').lower()
    if not bare.isascii() and _UNSPACED_NUMERAL.search(bare):
        return True
    words = _all_words()
    return any(part in words for part in (bare, *re.split("[-‐‑]", bare), bare.lstrip("و")))


@cache
def _all_words() -> frozenset[str]:
    tables = (_numerals(code) for code in CODES)
    return frozenset(
        key
        for table in tables
        if table
        for keys in (*table.values, *((key,) for key in (*table.scales, *table.ordinals)))
        for key in (*keys, *(each.replace("σ", "ς") for each in keys if each.endswith("σ")))
    )


def find_language(text: str, start: int, end: int) -> str:
    """Return the code of the language around an interval of a text, "" if it has no tables."""
    lexicon = find_lexicon(text[max(0, start - _NEARBY // 2) : end + _NEARBY // 2])
    return lexicon.code if lexicon else ""


def writes_decimal_comma(text: str, language: str) -> bool:
    """Return whether "1,250" is less than two, by the language of a text and its other numbers."""
    has_comma = _GROUPS.search(text) if not language else language not in _NO_COMMA
    return bool(has_comma) and not _POINTS.search(text)


def read_values(
    text: str, tokens: Sequence[Token], language: str, *, nearby: str = ""
) -> list[Token]:
    """Return tokens with each value and each percentage in one form; their intervals stay.

    Args:
        text: The text.
        tokens: Its tokens without marks.
        language: The code of its language, "" if unknown.
        nearby: More of the text, which shows its decimal mark.

    Examples:
        >>> text = "fünfundzwanzig von 1.250,00"
        >>> [token.key for token in read_values(text, tokenize(text), "de")]
        ['25', 'von', '1250']
    """
    numerals = _numerals(language) if language else None
    if numerals is not None and language == "ko":
        tokens = _korean(numerals, tokens)
    comma = writes_decimal_comma(nearby or text, language)
    read: list[Token] = []
    i = 0
    while i < len(tokens):
        token, end, key = tokens[i], i + 1, ""
        if token.kind == "number":
            key, end = _figure(text, tokens, i, comma=comma)
            key, end = _scaled(key, end, numerals, tokens, text)
            if numerals is not None and _ends_in_ordinal(numerals, tokens, end, text):
                key, end = f"{key}th", end + 1
        elif tuple(each.key for each in tokens[i : i + 3]) == _PERCENT_OF:
            read += tokens[i : i + 3]
            i += 3
            continue
        elif i and (tokens[i - 1].key, token.key) in PERCENT_PHRASES:
            pass  # "pour cent" is no hundred
        elif (
            numerals is not None
            and token.key in numerals.ordinals
            and not (
                read and read[-1].kind == "number"  # "1 segundo"
            )
        ):
            key = f"{numerals.ordinals[token.key]}th"
        elif numerals is not None and (found := _value(numerals, tokens, i, text)):
            key, end = str(found[0]), found[1]
        if not key or (end == i + 1 and key == token.key):
            read.append(token)
        else:
            read.append(_new(token, key, tokens[end - 1].end))
        i = end
    return _with_percent_behind(read)


def _ends_in_ordinal(numerals: _Numerals, tokens: Sequence[Token], i: int, text: str) -> bool:
    """Return whether a token is the ending of the figure before it, as in "3-го"."""
    if i >= len(tokens) or not numerals.ordinal_endings:
        return False
    gap = text[tokens[i - 1].end : tokens[i].start].replace("’", "'")
    return len(gap) < 2 and gap + tokens[i].key in numerals.ordinal_endings


def _value(
    numerals: _Numerals, tokens: Sequence[Token], i: int, text: str
) -> tuple[int, int] | None:
    if numerals.digits:
        return _read_han(numerals, tokens, i)
    if numerals.code == "th":
        return _read_thai(numerals, tokens, i)
    return _read_words(numerals, tokens, i, text)


def _read_thai(numerals: _Numerals, tokens: Sequence[Token], i: int) -> tuple[int, int] | None:
    """Read one word that something counted follows: most are parts of other words."""
    written = "".join(token.key for token in tokens[i : i + 24])
    words = {"".join(keys): value for keys, value in numerals.values.items()}
    for word in sorted(words, key=len, reverse=True):
        if written.startswith(word) and written[len(word) :].startswith(tuple(numerals.counted)):
            end, length = i, 0
            while length < len(word):
                length, end = length + len(tokens[end].key), end + 1
            return (words[word], end) if length == len(word) else None
    return None


_SINO = "일이삼사오육칠팔구십백천만억"
_HAN_OF_SINO = str.maketrans(_SINO, "一二三四五六七八九十百千万億")
_SINO_OF_HAN = str.maketrans("零一二三四五六七八九十百千万億", f"영{_SINO}")
_HAN_ONES = {char: i for i, char in enumerate("一二三四五六七八九", start=1)}
_SINO_NUMBER = re.compile(f"(?=.*[십백천만억])[{_SINO}]{{2,}}")
_KOREAN_PART = re.compile(r"\d+(?:[.,]\d+)*|퍼센트|프로|\D+?(?=퍼센트|\d|\Z)")


def _korean(numerals: _Numerals, tokens: Sequence[Token]) -> list[Token]:
    """Return tokens cut where a figure, number or percent word ends: endings have no blank."""
    cut: list[Token] = []
    for token in tokens:
        parts = [token]
        if token.kind == "word" and token.end - token.start == len(token.key):
            after_number = bool(cut) and cut[-1].kind == "number"
            parts = [*_korean_parts(numerals, token, after_number=after_number)]
        cut += parts
    for i, (token, after) in enumerate(pairwise(cut)):
        if _SINO_NUMBER.fullmatch(token.key) and after.key.startswith(tuple(numerals.counted)):
            value = _han_value(token.key.translate(_HAN_OF_SINO), _HAN_ONES)
            cut[i] = token if value is None else _new(token, str(value), token.end)
    return cut


def _korean_parts(numerals: _Numerals, token: Token, *, after_number: bool) -> Iterator[Token]:
    key, cuts = token.key, {0}
    if any(map(str.isdigit, key)):
        cuts |= {place for match in _KOREAN_PART.finditer(key) for place in match.span()}
    elif after_number and (word := next(filter(key.startswith, ("퍼센트", "프로")), "")):
        cuts.add(len(word))
    elif (number := _SINO_NUMBER.match(key)) and key.startswith(
        tuple(numerals.counted), number.end()
    ):
        cuts.add(number.end())
    for low, high in pairwise(sorted({*cuts, len(key)})):
        part = key[low:high]
        kind = "number" if part[0].isdigit() else "word"
        start = token.start + low
        yield token._replace(
            key=part, text=token.text[low:high], start=start, end=token.start + high, kind=kind
        )


def _figure(text: str, tokens: Sequence[Token], i: int, *, comma: bool) -> tuple[str, int]:
    """Return a figure in its plain form, and the place after its groups."""
    written, end = tokens[i].text.replace(" ", "").replace("'", ""), i + 1
    if re.fullmatch(r"[1-9]\d{0,2}", written):
        while (
            end < len(tokens)
            and tokens[end].kind == "number"
            and text[tokens[end - 1].end : tokens[end].start] in (" ", "\u00a0", "&nbsp;")
            and _THREE.fullmatch(tokens[end].text)
            and written.isdigit()
        ):
            written, end = written + tokens[end].text, end + 1
    beside = [tokens[place].key for place in (i - 1, end) if 0 <= place < len(tokens)]
    money = not _CURRENCY.isdisjoint(beside)
    if end > i + 1:
        whole, _, part = written.replace(",", ".").partition(".")
        return (whole if part in ("", "00") else f"{whole}.{part}"), end
    if not any(mark in written for mark in ".,"):
        return written if written == tokens[i].text else tokens[i].key, end
    return _plain(written, comma=comma, money=money), end


def _scaled(
    key: str, end: int, numerals: _Numerals | None, tokens: Sequence[Token], text: str
) -> tuple[str, int]:
    """Return a figure times the magnitudes after it: "2万", "5 Millionen", "5 mil millones"."""
    if numerals is None or not re.fullmatch(r"\d+(\.\d+)?", key):
        return key, end
    if "." in key and key.endswith("0"):
        return key, end
    if numerals.digits:
        return _scaled_by_han(key, end, numerals, tokens)
    scale = 1
    # "20 de milioane"
    place = end + (numerals.code == "ro" and _near(tokens, end, text) == "de")
    while magnitude := numerals.scales.get(_near(tokens, place, text)):
        scale, end, place = scale * magnitude, place + 1, place + 1
    return (key if scale == 1 else f"{float(key) * scale:.15g}"), end


def _scaled_by_han(
    key: str, end: int, numerals: _Numerals, tokens: Sequence[Token]
) -> tuple[str, int]:
    """Return a figure with the numerals of Han script right after it: "13兆9千億"."""
    scales = _HAN_SCALES | _TRILLION.get(numerals.code, {})
    total, group, digit, last = 0.0, 0.0, float(key), 10**16
    i = end
    while i < len(tokens) and tokens[i].start == tokens[i - 1].end:
        following = tokens[i].key
        if scale := scales.get(following, 0):
            if following == "千" and _of_unit(tokens, i + 1):
                break  # "20千米" is 20 kilometres
            if scale < _HAN_SCALES["万"]:
                group, digit = group + (digit or 1) * scale, 0.0
            elif group + digit:
                if scale >= last:
                    return key, end
                total, last = total + (group + digit) * scale, scale
                group = digit = 0.0
            else:
                total *= scale  # "2万亿"
        elif tokens[i].kind == "number" and following.isdigit() and not digit:
            digit = float(following)
        elif following in numerals.digits and not digit:
            digit = float(numerals.digits[following])
        else:
            break
        i += 1
    if i == end or (i == end + 1 and tokens[end].key in "十百"):
        return key, end
    return f"{total + group + digit:.17g}", i


def _of_unit(tokens: Sequence[Token], i: int) -> bool:
    return i < len(tokens) and tokens[i].key in "米克瓦卡赫伏"


def _new(token: Token, key: str, end: int) -> Token:
    return token._replace(key=key, text=key, end=end, kind="number")


_PERCENT_OF = ("百", "分", "之")
_PERCENTS_BEFORE = (("%",), ("yüzde",), _PERCENT_OF, (*"ร้อยละ",))
_LONGEST_PERCENT = max(map(len, _PERCENTS_BEFORE))


def _with_percent_behind(tokens: list[Token]) -> list[Token]:
    """Return tokens with "%" behind its number, where it was before it: "%5", "百分之23.6"."""
    read: list[Token] = []
    i = 0
    while i < len(tokens):
        width = _percent_width_before(tokens, i)
        if not width:
            read.append(tokens[i])
            i += 1
            continue
        sign, number = tokens[i], tokens[i + width]
        # Both come from one place: what is between them is not compared.
        read.append(number._replace(start=sign.start))
        read.append(sign._replace(key="%", text="%", kind="symbol", end=number.end))
        i += width + 1
    return read


def _percent_width_before(tokens: list[Token], i: int) -> int:
    """Return how many tokens before a number mean "%", 0 if none do."""
    keys = tuple(token.key for token in tokens[i : i + _LONGEST_PERCENT])
    width = next((len(each) for each in _PERCENTS_BEFORE if keys[: len(each)] == each), 0)
    behind = i and tokens[i].key == "%" and tokens[i - 1].end == tokens[i].start
    if not width or (behind and tokens[i - 1].kind == "number"):
        return 0
    number = tokens[i + width] if i + width < len(tokens) else None
    if number is None or number.kind != "number" or number.start - tokens[i + width - 1].end > 1:
        return 0
    return width


# Search

_MOST_FORMS = 4
_BEFORE_PERCENT = re.compile(r"(\d+(?:\.\d+)?)\s?[%％]")
_LONGEST_IN_WORDS = 5  # digits


@lru_cache(maxsize=64)
def other_numerals(text: str) -> tuple[str, ...]:
    """Return a text with its numbers in digits, and with small numbers in words, at most 4.

    Examples:
        >>> other_numerals("Wir haben 5 Minuten und nicht mehr")[0]
        'Wir haben fünf Minuten und nicht mehr'
    """
    # "%" and "百分之" are far apart in letters; other words for it are few letters.
    if not any(char.isdigit() for char in text) and not any(map(has_numeral, text.split())):
        return ()
    language = find_language(text, 0, len(text))
    numerals = _numerals(language) if language else None
    if numerals is None:
        return ()
    tokens = [token for token in tokenize(text) if token.kind != "mark"]
    read = read_values(text, tokens, language)
    forms: dict[str, None] = {}
    for form in range(_MOST_FORMS):
        written, position = "", 0
        for token in read:
            surface = text[token.start : token.end]
            if token.kind != "number" or token.start < position:
                continue
            replaced = token.key
            if surface == token.key or form > 0:
                replaced = _in_words(numerals, token.key, max(0, form - 1)) or surface
            written += text[position : token.start] + replaced
            position = token.end
        forms[written + text[position:]] = None
    if language == "ko":
        forms[_FIGURE.sub(lambda figure: _to_sino(figure[0]), text)] = None
    if numerals.digits:
        forms[_BEFORE_PERCENT.sub(r"百分之\1", text)] = None
        forms[_HAN_DATE.sub(lambda date: _dated(numerals, date[0]), text)] = None
    forms.pop(text, None)
    return (*forms,)[:_MOST_FORMS]


_HAN_DATE = re.compile(r"\d{4}年\d{1,2}月\d{1,2}日")


def _dated(numerals: _Numerals, date: str) -> str:
    """Return a date in Han numerals, the digits of its year one by one."""
    year, rest = date[:4], date[4:]
    han = "".join(next(char for char, i in numerals.digits.items() if i == int(n)) for n in year)
    return han + re.sub(r"\d+", lambda number: _to_han(int(number[0])), rest)


_FIGURE = re.compile(r"(?<![\d.,])\d{1,4}(?![\d.,])")


def _to_sino(figure: str) -> str:
    return _to_han(int(figure)).translate(_SINO_OF_HAN)


def _in_words(numerals: _Numerals, key: str, form: int) -> str:
    """Return a number below a million in words, in the form of that index or the last."""
    if not key.isdigit() or len(key) > _LONGEST_IN_WORDS:
        return ""
    if numerals.digits:
        return _to_han(int(key))
    return " ".join(_spelled(numerals, int(key), form))


def _spelled(numerals: _Numerals, number: int, form: int) -> list[str]:
    """Return the words of a number, without joiners; empty if the tables lack one."""
    by_value = _words_of(numerals.code)
    if number in by_value:
        return [by_value[number][min(form, len(by_value[number]) - 1)]]
    if number < _TEN or (numerals.code == "vi" and number < 2 * _TEN):
        return []
    if numerals.code == "fr" and 60 < number < _HUNDRED:
        base = 60 if number < 80 else 80
        head = ["soixante"] if base == 60 else ["quatre", "vingt"]
        return head + _spelled(numerals, number - base, form)
    place = next(each for each in (_THOUSAND, _HUNDRED, _TEN) if number >= each)
    head, rest = divmod(number, place)
    words = [] if head * place not in by_value else [by_value[head * place][0]]
    if not words and place == _HUNDRED:
        words = [*_spelled(numerals, head, form), *by_value.get(_HUNDRED, [])[:1]]
    elif not words and place == _THOUSAND:
        scale = [word for word, value in numerals.scales.items() if value == _THOUSAND]
        words = [*(_spelled(numerals, head, form) if head > 1 else ()), *scale[:1]]
    tail = _spelled(numerals, rest, form) if rest else []
    return words + tail if words and (tail or not rest) else []


@cache
def _words_of(code: str) -> dict[int, list[str]]:
    numerals = _numerals(code)
    words: dict[int, list[str]] = {}
    for keys, value in numerals.values.items() if numerals else ():
        words.setdefault(value, []).append(" ".join(keys))
    return words


_ENDS_IN_PERCENT = re.compile(r"百分之[\d.]+\Z")


def ends_in_percent(text: str) -> bool:
    """Return whether a text ends with a percentage whose sign, in another writing, is behind it."""
    return _ENDS_IN_PERCENT.search(text) is not None
