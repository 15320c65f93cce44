"""Page furniture: the lines that stand between two parts of a text and are no part of it.

Running heads, feet and page numbers that a PDF puts into a sentence; advertisements, credits and
links between two sentences. A quote omits these lines, which does not change the meaning. A line
counts as furniture if it looks like a page number, a heading or a publisher's label, if it consists
of words of the table `furniture` of a language, or if other pages repeat it. A line that says
something never does: one with a negation or qualifier, a sentence, what ends in a colon.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from itertools import pairwise

from citeguard.language.lexicon import union
from citeguard.language.quantities import MAGNITUDE_WORDS, UNIT_WORDS
from citeguard.language.scripts import IDEOGRAPHS, is_unspaced
from citeguard.language.tokens import length_of
from citeguard.language.units import may_be_unit
from citeguard.language.variants import PERCENT_PHRASES
from citeguard.quotes.canonical import fold

_MOST_PAGES = 3  # between two page breaks in one quote
_PAGES = 20_000  # characters on either side in which a running head is repeated: some pages
_MOST_LINES, _MOST_CHARACTERS = 6, 90  # of one page break, and of a line of it
_ROMAN = r"x{0,3}(?:ix|iv|v?i{1,3}|v|x)"
_PAGE_NUMBER = re.compile(
    rf"\W*(?:p(?:\s?a\s?g\s?e|\.|g\.?)?|seite|第)?\W*(?:(?:[A-Z]|\d{{1,2}})\s?[-–.]\s?)?(?:\d{{1,3}}|{_ROMAN})"
    r"(?:\s*(?:of|/|von|\|)\s*\d{1,4})?\W*(?:p\s?a\s?g\s?e|[页頁]|ページ)?(?:\s*共\s*\d{1,4}\s*[页頁])?\W*",
    re.IGNORECASE,
)
# Lines that publishers print on every page, by how they begin.
_LABEL = re.compile(
    r"\W*(?:(?:doi|arxiv|issn|isbn)\b.{0,60}|(?:©|\(c\)|copyright\b).{0,80}"
    r"|.{0,60}\ball rights reserved|downloaded from\b.{0,80}"
    r"|cite as:? .{0,60}\d"
    r"|(?:last (?:updated|modified)|printed (?:on|from)|accessed on)\b.{0,40}\d.{0,10}"
    r"|(?:chapter|section) [\divxlc.]{1,6}\b.{0,60}|this article is protected by copyright.{0,40}"
    r"|(?:strictly )?(?:confidential|draft)(?:\W+(?:do not|not for) \w+)?)\W*",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"(?:https?://|www\.)\S+")
_ISSUE = re.compile(
    r"\b(?:vol|no)\. ?\d+|\b\d{1,4} ?\((?:19|20)\d\d\),? ?\d+ ?[-–] ?\d+"
    r"|\b(?:19|20)\d\d; ?\d+ ?(?:\(\d+\) ?)?: ?[a-z]?\d+(?: ?[-–] ?[a-z]?\d+)?",
    re.IGNORECASE,
)
_ABBREVIATED = re.compile(r"(?:\bet al|\b[A-Z])\.$", re.IGNORECASE)
_LINE = re.compile(r"[^\n\r\f]+")
BETWEEN_LINES = re.compile(r"[\n\r\f]\s*[^\s][^\n\r\f]*[\n\r\f]")  # in the middle of a passage
_WORD = re.compile(r"(?<![\w])[^\W\d_]+(?:['’.-][^\W\d_]+)*")
_SMALL_WORDS = frozenset(
    (
        "a an and as at by for from in of on or the to with de la le von und der die et al v vs"
    ).split()
)
_LONGEST_CHAPTER = 24  # characters
_CHAPTER = re.compile(
    rf"(?=.*[{IDEOGRAPHS}])(?:第?\d{{1,4}}\b|第?\d{{1,4}}[章節节編编部]).*|[^。、，,.!?]*\s\d{{1,4}}"
)
# Of scripts without spaces.
_UNSPACED_UNITS = (
    *"元円圓圆年月日人名个個件次回台册本万億亿兆千百度时時分秒岁歳歲倍割",
    *("บาท", "คน", "ปี", "วัน"),
)
_COUNTED = UNIT_WORDS | MAGNITUDE_WORDS
_ARTICLES = frozenset(["a", "an", "the", "der", "die", "la", "le"])
_FIGURE = re.compile(r"[\s\d.,%€$£+-]*\d[\s\d.,%€$£+-]*")
_NUMBERED_LINE = re.compile(r"\d{1,4}[\W_]*\s[\W_]*[^\W\d_].*|.*\w.?[\W_]*\s[\W_]*\d{1,4}")


def find_furniture(text: str, start: int, end: int, quoted: str = "") -> list[tuple[int, int]]:
    r"""Return the intervals of `text[start:end]` that are whole lines of the page, not of its text.

    The first and the last line of the interval are never furniture, nor are lines whose words the
    search form `quoted` contains.

    Examples:
        >>> text = "most of the\n\n12\nAnnual Report\n\nsoldiers"
        >>> [text[low:high] for low, high in find_furniture(text, 0, len(text))]
        ['12\nAnnual Report']
    """
    lines = [match.span() for match in _LINE.finditer(text, start, end) if match[0].strip()]
    breaks: list[tuple[int, int]] = []
    first = 1
    while first < len(lines) - 1:
        for count in range(min(_MOST_LINES, len(lines) - 1 - first), 0, -1):
            if _are_furniture(text, lines[first - 1 : first + count + 1], quoted):
                breaks.append((lines[first][0], lines[first + count - 1][1]))
                first += count - 1
                break
        first += 1
    # Page numbers follow one another; numbers of the text do not.
    plain = (_plain(text[low:high]) for low, high in breaks)
    pages = [int(line) for line in plain if line.isdecimal()]
    is_ascending = all(one < other <= one + _MOST_PAGES for one, other in pairwise(pages))
    return breaks if is_ascending else []


def _are_furniture(text: str, lines: list[tuple[int, int]], quoted: str) -> bool:
    """Return whether the lines between the first and the last are page furniture."""
    inner = [_plain(text[low:high]) for low, high in lines[1:-1]]
    if any(len(line) > _MOST_CHARACTERS or _is_quoted(line, quoted) for line in inner):
        return False
    gaps = text[lines[0][1] : lines[1][0]], text[lines[-2][1] : lines[-1][0]]
    set_off = any(gap.count("\n") > 1 or "\f" in gap for gap in gaps)
    # A heading alone may belong to the text; a page number or a new page shows that it does not.
    paged = any(_PAGE_NUMBER.fullmatch(line) or _ISSUE.search(line) for line in inner)
    paged = paged or any("\f" in gap for gap in gaps) or any(map(_LABEL.fullmatch, inner))
    before, after = text[lines[0][0] : lines[0][1]], text[lines[-1][0] : lines[-1][1]]
    if _is_counted(inner, after):
        return False
    if _is_torn(before, after, quoted):
        return True
    apart = _is_between(before, after, gaps)
    nearby = text[max(0, lines[0][0] - _PAGES) : lines[-1][1] + _PAGES]
    return all(
        _PAGE_NUMBER.fullmatch(line)
        or _LABEL.fullmatch(line)
        or _is_address(line)
        or (_is_heading(line) and (paged or _is_running_head(line, nearby)))
        or (set_off and _is_chapter(line))
        or (len(inner) == 1 and _is_numbered_title(line, before, after))
        or _is_of_page(line, apart=apart)
        for line in inner
    )


_TORN = re.compile(r"([^\W\d_]{2,})[-\u00ad‐¬]\s*\Z"), re.compile(r"\s*([^\W\d_]{2,})")


def _is_torn(before: str, after: str, quoted: str) -> bool:
    """Return whether lines stand within a word with a hyphen, which the quote has in one."""
    parts = _TORN[0].search(before), _TORN[1].match(after)
    if parts[0] is None or parts[1] is None or not parts[1][1].islower():
        return False
    return fold(parts[0][1] + parts[1][1]) in quoted


def _is_counted(lines: list[str], after: str) -> bool:
    """Return whether a number on a line of its own counts what the next line begins with."""
    word = _WORD.match(after.strip())
    # Words of two letters, such as "in" and "am", are seldom units.
    unit = word is not None and len(word[0]) > 2 and _is_unit(word[0].casefold())
    unit = unit or after.lstrip().lower().startswith(_measures())
    return unit and len(lines) == 1 and lines[0].isdigit()


def _is_unit(word: str) -> bool:
    return word in _COUNTED or may_be_unit(word)


@cache
def _measures() -> tuple[str, ...]:
    """Return what counts a number though no space is between them, and signs and words for "%"."""
    return "%", "°", *map(" ".join, PERCENT_PHRASES), *_UNSPACED_UNITS


def _is_quoted(line: str, quoted: str) -> bool:
    return not _PAGE_NUMBER.fullmatch(line) and fold(line) in quoted


def _plain(line: str) -> str:
    return line.replace("\u00ad", "").strip()


def _is_address(line: str) -> bool:
    """Return whether a line is a web address, with a date, page or name beside it at most."""
    beside, addresses = _ADDRESS.subn(" ", line)
    return bool(addresses) and all(word[0].isupper() for word in _WORD.findall(beside))


def _is_running_head(line: str, nearby: str) -> bool:
    """Return whether a heading has the page number on its line, or is repeated on other pages."""
    inline = not set(",;()").intersection(line) and len(_WORD.findall(line)) > 1
    numbered = inline and _NUMBERED_LINE.fullmatch(line) and not _is_row(line)
    return bool(numbered or _ISSUE.search(line)) or nearby.count(f"\n{line}\n") > 1


_BESIDE = r"(?:\s{2,}|\t|\s*[|•·]\s*)"
_EDGE_NUMBER = re.compile(rf"^\d{{1,4}}{_BESIDE}(?=\S)|{_BESIDE}\d{{1,4}}$")
_EDGE_LABEL = re.compile(r"\s+[-–—|•·/]\s+|\s{2,}|\t|\s+(?=第\s?\d+\s?[页頁])")
_AMOUNT = re.compile(r"[%‰€$£¥₹°=<>*]|\d[.,]\d|\d\s*\W+\s*\d")
_LEAST_RUNNING = 12  # characters of a line of running text; an ideograph counts double
_LONGEST_TITLE = 70  # characters


def _is_numbered_title(line: str, before: str, after: str) -> bool:
    """Return whether a line in the middle of a sentence is a title beside the number of a page."""
    if not (_is_running(before) and _is_running(after)) or not _is_mid_sentence(before, after):
        return False
    parts = [part for part in _EDGE_LABEL.split(line) if part]
    titles: list[tuple[str, int]] = []  # with the fewest words
    if len(parts) > 1 and _is_page(parts[-1]):
        titles.append((line[: line.rindex(parts[-1])], 1))
    if len(parts) > 1 and _is_page(parts[0]):
        titles.append((line[len(parts[0]) :], 1))
    if number := _EDGE_NUMBER.search(line):
        titles.append((line[: number.start()] + line[number.end() :], 2))
    return any(_is_title(title.strip(_DECORATION + "|•·/"), fewest=n) for title, n in titles)


def _is_running(line: str) -> bool:
    """Return whether a line is of running text, and no row of a table."""
    return length_of(line) >= _LEAST_RUNNING and not re.search(r"\s{3,}|\t", line.strip())


def _is_mid_sentence(before: str, after: str) -> bool:
    """Return whether a sentence goes on behind a line, with neither a pause nor a conjunction."""
    last, first = before.rstrip()[-1:], _WORD.match(after.lstrip())
    # A vowel sign ends words, too.
    if not last or not (last.isalnum() or unicodedata.category(last)[0] == "M"):
        return False
    is_joined = first is not None and first[0].lower() in union("connectives")
    return not is_joined and not after.lstrip()[:1].isupper()


def _is_title(text: str, *, fewest: int) -> bool:
    """Return whether a text of so many words may be a running head, in the case of a sentence."""
    if not text or text[0].islower() or len(text) > _LONGEST_TITLE or text.endswith(_STOPS):
        return False
    if _says_something(text) or _AMOUNT.search(text):
        return False
    if any(map(is_unspaced, text)):
        return length_of(text) >= 2 * _FEWEST_IDEOGRAPHS and not text.startswith(_qualifying())
    words = [word.lower() for word in _WORD.findall(text)]
    # One word may be a name, with its figure beside it; a year shows that it is a title.
    is_long = len(words) + len(_YEAR.findall(text)) >= fewest
    return is_long and bool(words) and words[-1] not in _qualifying()


_FEWEST_IDEOGRAPHS = 4
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


@cache
def _qualifying() -> tuple[str, ...]:
    return *union("approximators"), *union("quantifiers")


def _is_row(line: str) -> bool:
    """Return whether a line is a row of a table, with figures in several cells."""
    return sum(map(bool, map(_FIGURE.fullmatch, re.split(r"\s{2,}|\t", line)))) > 1


def _is_chapter(line: str) -> bool:
    """Return whether a line of a script without capitals is short, numbered and unpunctuated."""
    is_row = line.lower() != line.upper() and "  " in line
    return (
        not is_row
        and not _says_something(line)
        and len(line) <= _LONGEST_CHAPTER
        and bool(_CHAPTER.fullmatch(line))
    )


def _is_heading(line: str) -> bool:
    """Return whether a line is in title case or capitals, so that it is not part of a sentence."""
    line = _ISSUE.sub("", line)
    words = _WORD.findall(line)
    if (line.rstrip(" ,")[-1:] in tuple(".,;:?!") and not _ABBREVIATED.search(line)) or not words:
        return False
    if any(word.casefold() in _loaded() for word in words):
        return False
    if words[0].casefold() in _SMALL_WORDS - _ARTICLES:
        return False
    return all(word[0].isupper() or word.casefold() in _SMALL_WORDS for word in words)


# Lines of the words of a table

_GAP = re.compile(r"\s{2,}|[\t\u3000|•·]+|_{2,}")  # between the parts of a line
_TOKEN = re.compile(r"\d+|[^\W\d_](?:[^\s\d:：|/()<>»«,;–—…•_#*\[\]]|(?<=\w)[.-](?=\w))*")
_COLON = re.compile(r"\s*[:：|»>→▶–—©]+\s*")
_DECORATION = "[](){}<>«»—–-*=#.… "
_STOPS = tuple(".!?…。！？।؟")
_COUNT = re.compile(r"\W*\d{1,4}\s?/\s?\d{1,4}\W*")
_MOST_NUMBERS, _MOST_DIGITS, _LONGEST_PREPOSITION = 2, 4, 4  # "3 von 9"
_LONGEST_NAMES, _LONGEST_UNSPACED = 32, 12  # characters of a credit
_AGENCY = re.compile(r"\s*/\s*\w{2,6}$")


@cache
def _loaded() -> frozenset[str]:
    return union("negators").union(union("qualifiers"), union("hedges"))


@cache
def _loaded_phrases() -> tuple[str, ...]:
    return tuple(f" {words} " for words in union("negators") | union("hedges") if " " in words)


@cache
def _loaded_unspaced() -> tuple[str, ...]:
    return tuple(word for word in union("negators") | union("hedges") if is_unspaced(word[0]))


@cache
def _labels() -> dict[str, str]:
    """Return the folded words of the table, and what each has: "#" a number, "*" any words."""
    return {_folded(word): word[-1] if word[-1] in "#*" else "" for word in union("furniture")}


@cache
def _unspaced(marks: str) -> re.Pattern[str]:
    """Return a pattern of the words of scripts without spaces that have one of the marks."""
    words = [word for word, mark in _labels().items() if mark in marks and is_unspaced(word[0])]
    return re.compile("|".join(map(re.escape, sorted(words, key=len, reverse=True))))


def _folded(text: str) -> str:
    return " ".join(filter(None, map(fold, _TOKEN.findall(text))))


def _is_of_page(line: str, *, apart: bool) -> bool:
    """Return whether each part of a line is a label, or beside the number of a page."""
    parts = [part for part in map(str.strip, _GAP.split(line)) if part]
    if line.endswith((":", "：")):
        return False
    numbered = [_is_page(part) for part in parts]
    if any(numbered):
        rest = (part for part, number in zip(parts, numbered, strict=True) if not number)
        return all(_is_label(part) or _is_beside(part) for part in rest)
    return apart and bool(parts) and all(map(_is_label, parts))


def _says_something(text: str) -> bool:
    """Return whether a text has a negation, a qualifier or a hedge."""
    if any(map(is_unspaced, text)):
        return any(word in text for word in _loaded_unspaced())
    words = [word.strip("'’.,;!?()\"").lower() for word in re.split(r"[\s:|/]+", text)]
    line = f" {' '.join(words)} "
    return not _loaded().isdisjoint(words) or any(phrase in line for phrase in _loaded_phrases())


def _is_page(part: str) -> bool:
    """Return whether part of a line is a page number: "Seite 3 von 9", "第2版", "2/4"."""
    if _COUNT.fullmatch(part):
        return True
    folded = _folded(part)
    words = _unspaced("#").sub(" ", folded).split()
    numbers = [word for word in words if word.isdecimal()]
    if not 0 < len(numbers) <= _MOST_NUMBERS or max(map(len, numbers)) > _MOST_DIGITS:
        return False
    others = [word for word in words if not word.isdecimal()]
    if len(numbers) == _MOST_NUMBERS and others and words[-2] == others[-1]:
        preposition = others.pop()
        if len(preposition) > _LONGEST_PREPOSITION or _says_something(preposition):
            return False
    return _labels().get(" ".join(others)) == "#" or (not others and words != folded.split())


def _is_label(part: str) -> bool:
    """Return whether part of a line is a label, with names behind it, or any words for some."""
    label, *rest = _COLON.split(part.strip(_DECORATION), maxsplit=1)
    mark = _labels().get(_folded(label), "#")
    if mark == "#" or label[0].islower():
        return False
    return not any(rest) or (mark == "*" and _is_headline(rest[0])) or _is_name(rest[0])


def _is_headline(text: str) -> bool:
    return not text.endswith(_STOPS) and not _says_something(text)


def _is_name(text: str) -> bool:
    if any(map(is_unspaced, text)):
        return len(text) <= _LONGEST_UNSPACED and _is_beside(text)
    return len(text) <= _LONGEST_NAMES and _is_beside(_AGENCY.sub("", text))


def _is_beside(part: str) -> bool:
    """Return whether part of a line beside a page number is a heading or a name."""
    if not _is_headline(part) or any(map(str.isdecimal, part)):
        return False
    return _is_heading(part) if part.lower() != part.upper() else len(part) <= _LONGEST_NAMES


def _is_between(before: str, after: str, gaps: tuple[str, str]) -> bool:
    """Return whether lines stand between two sentences, or blank lines set them apart."""
    before, after = before.rstrip(" \t\r\"'”’»«)]」』"), after.lstrip()[:1]
    if before.endswith(_STOPS):
        return not after.islower()
    set_off = all(gap.count("\n") > 1 or "\f" in gap for gap in gaps)
    return set_off and after.islower()
