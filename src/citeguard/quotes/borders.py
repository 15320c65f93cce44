"""Where a quote begins and ends in a text.

Search compares letters and digits only, so it returns an interval from a first to a last letter.
`widen` extends the interval by the punctuation and citation marks that the quote has as well.
`clipped` detects that a cut changes the meaning: through a word or number, or before "not".
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache

from citeguard.language.citations import NUMBERED_WORDS, is_note
from citeguard.language.lexicon import union
from citeguard.language.markup import Noise, find_noise, read_between
from citeguard.language.number_words import (
    CURRENCY_SIGNS,
    HAN_SCALES,
    MAGNITUDE_WORDS,
    MAGNITUDES,
    NUMBER_WORDS,
    PERCENT,
    PERCENT_PHRASES,
)
from citeguard.language.scripts import ZERO_WIDTH, is_unspaced
from citeguard.quotes.symbols import prefix_before

_APOSTROPHES = "'’ʼ＇"
_SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺"
_RAISED = f"{_SUPERSCRIPTS}ⁿⁱ"
_HYPHENS = "-‐‑"
_INVISIBLE = tuple(f"{ZERO_WIDTH}\u200c\u200d\u00ad")
_JOINER = "\u200d"
_EXTENDING = (_JOINER, "\ufe0f", "\u20e3", *map(chr, range(0x1F3FB, 0x1F400)))  # parts of emoji
_NEAR = 24  # characters beside a border that show what it cuts through
_REACH = 200  # characters around an interval that `widen` reads
_LOOK_BACK = 8  # characters before its end: a raised number after a word is a mark, no exponent
# " million", "-hundred", "½", " %"; but " %word" is a comment of LaTeX.
_MAGNITUDE = re.compile(
    r"(?!\s%[^\W\d_])[\s\[-]*"
    rf"(?:[%٪‰^½¼¾]|(?:{'|'.join(sorted(MAGNITUDE_WORDS, key=len, reverse=True))})\b)",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(r"[\s\"”’')\]]*(?:[.!?;]|\Z)")
_JOINING = "@&^" + _APOSTROPHES + _HYPHENS  # between letters or digits, these are part of a token
_HYPHENATED = re.compile(r".[ \t]*\n\s*[^\W\d_]")  # "-\nknown" behind "well"
_SIGNED = re.compile(r"(?<=[^\W_])[+#]|(?<=\+)\+|(?<=\b[A-Z])-(?!\w)")  # "C++", "A-"
_LETTERS = re.compile(r"[^\W\d_]+")
_FOLLOWING = re.compile(r"[ \u00a0\u202f]?([^\s\d.,;:!?()]+)(?: ([^\s\d.,;:!?()]+))?")
_PER = re.compile(r"\d[ \u00a0\u202f]?[^\W\d_]{1,4}$")  # "90 km", before "/h"
_STOPS = tuple(".,;:。，；：、،؛।")
_DOUBLE, _SINGLE_FOR_DOUBLE = ("''", "``"), tuple('"“”„')  # as they are typed
_PAIRS = ("()", "[]", "（）", "［］", "【】", "「」", "『』", "《》", "〈〉", "“”", "«»")
_ADDRESS_OF_LINK = re.compile(r"\((?:[^()\s]|\([^()\s]*\))+(?:\s+\"[^\"\n]*\")?\)")
# Braces of LaTeX, marks of wikis and Markdown; a tag is outside of its words.
_CLOSING = re.compile(r"\}|[$`\"]+|\*+|_+(?!\w)|''+")
_OPENING = re.compile(r"(?:(?:\\[a-z]+)?\{|[$`\"]+|\*+|(?<!\w)_+|''+)\Z")
_COMPARISONS = ((">=", "≥"), ("<=", "≤"), ("≥", ">="), ("≤", "<="))
_ENCLOSING = " \t\n\"'“”„«»[]*_"
_GLYPHS = str.maketrans("٪⎛⎞", "%()")  # brackets as formulas are read
# Signs that a reader does not see, or that show that there may be some.
_HIDING = re.compile(rf"[<>&*_`\\~{''.join(_INVISIBLE)}]")
_MARKUP = re.compile(r"[<>&\\]")  # what only its surroundings explain
_UNSEEN = re.compile(rf"[*`~{''.join(_INVISIBLE)}]|(?<![^\W_])_+|_+(?![^\W_])")


def widen(text: str, start: int, end: int, before: str, after: str) -> tuple[int, int]:
    """Return an interval of a text, widened by the punctuation and marks it shares with a quote.

    Quotation marks that the quoter added are not included, nor is a final stop that the source
    does not have.

    Args:
        text: The text.
        start: Offset of a letter or digit, in code points.
        end: Offset after a letter or digit.
        before: What the quote has before its first letter or digit.
        after: What it has after its last one.

    Examples:
        >>> widen('He said: “Go now.” Then', 10, 16, '"', '."')
        (9, 18)
    """
    while end < len(text) and unicodedata.category(text[end])[0] == "M":
        end += 1
    low, high = _widened_left(text, start, before), _widened_right(text, end, after)
    if "`" not in before and text.startswith("`", high) and text.startswith("`", low):
        low = start  # of code, not of a quotation
    return _balanced(text, low, high)


def _balanced(text: str, start: int, end: int) -> tuple[int, int]:
    """Return an interval widened by the bracket or markup next to it, if its pair is inside."""
    for opening, closing in _PAIRS:
        surplus = text.count(opening, start, end) - text.count(closing, start, end)
        while surplus > 0 and text.startswith(closing, end):
            end, surplus = end + 1, surplus - 1
            if closing == "]" and (address := _ADDRESS_OF_LINK.match(text, end)):
                end = address.end()
        while surplus < 0 and start and text[start - 1] == opening:
            start, surplus = start - 1, surplus + 1
    while (closing := _CLOSING.match(text, end)) and _has_pair(text, start, end, closing[0]):
        end = closing.end()
    before = text[max(0, start - _REACH) : start]
    while (opening := _OPENING.search(before)) and _has_pair(
        text, start, end, opening[0], opens=True
    ):
        before, start = before[: opening.start()], start - len(opening[0])
    return start, end


def _has_pair(text: str, start: int, end: int, markup: str, *, opens: bool = False) -> bool:
    """Return whether the other half of the markup beside an interval is inside."""
    depth = lowest = 0
    for each in _halves(text, start, end, markup):
        depth += 1 if each else -1
        lowest = min(lowest, depth)
    return lowest < 0 if opens else depth > lowest


def _halves(text: str, start: int, end: int, markup: str) -> Iterator[bool]:
    """Yield for each half of some kind of markup in an interval whether it opens."""
    if markup[-1] in "{}":
        yield from (char == "{" for char in text[start:end] if char in "{}")
    else:
        place = text.find(markup, start, end)
        while place >= 0:
            before, after = text[place - 1 : place], place + len(markup)
            begins = not before or before.isspace() or before in "([{-–—"
            yield begins and after < end and not text[after].isspace()
            place = text.find(markup, after, end)


def _widened_left(text: str, start: int, quoted: str) -> int:
    if not quoted:
        return start
    left = text[max(0, start - _REACH) : start]
    for typed, sign in _COMPARISONS:  # the text may have the other one
        if typed in quoted and left.rstrip().endswith(sign):
            quoted = quoted.replace(typed, sign)
    behind = start + _REACH if left.endswith("{") else start  # an argument of LaTeX
    noise = [n for n in find_noise(left + text[start:behind]) if n.end <= len(left)]
    has_mark = any(map(str.isalnum, quoted))
    if has_mark:  # what is a mark at the start of a quote need not be one in the source: "5. "
        mark = quoted.strip(_ENCLOSING)
        rest, same, after = left.rpartition(mark)
        if same and not after.strip() and not rest[-1:].isalnum():
            return start - len(same + after)
    if (
        has_mark
        and noise
        and noise[-1].kind == "mark"
        and not any(map(str.isalnum, left[noise[-1].end :]))
    ):
        return start - len(left) + noise[-1].start
    mirrored = {
        len(left) - place.end: replace(
            place, start=len(left) - place.end, end=len(left) - place.start
        )
        for place in noise
    }
    return start - _shared(_after_mark(quoted)[::-1], left[::-1], mirrored)


def _widened_right(text: str, end: int, quoted: str) -> int:
    if not quoted:
        return end
    raised = len(quoted) - len(quoted.lstrip(_SUPERSCRIPTS))
    if raised and text.startswith(quoted[:raised], end):  # of a unit, before any mark
        return _widened_right(text, end + raised, quoted[raised:])
    begin = max(0, end - (_REACH if text.startswith("}", end) else _LOOK_BACK))
    places = [
        place for place in find_noise(text[begin : end + _REACH]) if begin + place.start >= end
    ]
    if raised and places:  # "m^2", "\\mathrm{m}^2"
        brace = places[0].replacement == "" and len(places) > 1 and text.startswith("}", end)
        shown = places[1 if brace else 0]
        if shown.replacement == quoted[:raised] and begin + shown.start == end + brace:
            return _widened_right(text, begin + shown.end, quoted[raised:])
    if any(map(str.isalnum, quoted)):  # the quote ends with a mark: include the source's
        mark = next((place for place in places if place.kind == "mark"), None)
        if mark and not any(map(str.isalnum, text[end : begin + mark.start])):
            return (
                begin
                + mark.end
                + _shared(_after_mark(quoted), text[begin + mark.end : end + _REACH], {})
            )
    noise = {place.start + begin - end: place for place in places}
    return end + _shared(quoted, text[end : end + _REACH], noise)


def _after_mark(quoted: str) -> str:
    """Return the punctuation after the last letter or digit of a citation mark, or all of it."""
    last = max((i for i, char in enumerate(quoted) if char.isalnum()), default=-1)
    return quoted[last + 1 :].lstrip(".)]^］") if last >= 0 else quoted


def _shared(quoted: str, text: str, noise: Mapping[int, Noise]) -> int:
    """Return how many characters at the start of a text match the quote's punctuation.

    Blanks and citation marks of the text are skipped, but none for the sake of a stop behind it; an
    entity counts as its character.
    """
    position = 0
    punctuation = (
        char
        for char in quoted[:_REACH]
        if char in _SUPERSCRIPTS or not (char.isspace() or char.isalnum())
    )
    for char in punctuation:
        place, marks = _past_spaces(text, position), 0
        while (omitted := noise.get(place)) and not omitted.replacement.strip():
            marks += omitted.kind == "mark"
            place = _past_spaces(text, omitted.end - omitted.start + place)
        while char != "*" and text.startswith("*", place):
            place = _past_spaces(text, place + 1)
        entity = noise.get(place)
        here = _glyph(entity.replacement[:1] if entity else text[place : place + 1])
        # A quotation mark with a blank before it and a word after it opens another quotation.
        opens = here == '"' and place > position and text[place + 1 : place + 2].isalnum()
        is_mark = text[place : place + 1] == "`" != char and text[place + 1 : place + 2] != "`"
        is_dots = here == "." and text.startswith("..", place) and ".." not in quoted
        is_behind_mark = marks > 0 and here in _STOPS
        if here == _glyph(char) and not (opens or is_mark or is_dots or is_behind_mark):
            is_double = text.startswith(_DOUBLE, place) and char in _SINGLE_FOR_DOUBLE
            position = place + (entity.end - entity.start if entity else 1 + is_double)
    return position


def _past_spaces(text: str, position: int) -> int:
    while text[position : position + 1].isspace() or text[position : position + 1] in _INVISIBLE:
        position += 1
    return position


def _glyph(char: str) -> str:
    if not char:
        return ""
    if char in "\"'`´「」『』《》〈〉＂＇„‚" or unicodedata.category(char) in ("Pi", "Pf"):
        return '"'
    if unicodedata.category(char) == "Pd" or char == "−":
        return "-"
    return unicodedata.normalize("NFKC", char).translate(_GLYPHS)


def clipped(text: str, start: int, end: int) -> str:
    """Return what either end of an interval cuts off a word, number or denial; "" if nothing.

    Borders are those that a reader sees: markup, entities and soft hyphens neither make nor remove
    any.

    Examples:
        >>> clipped("It cost 25 million.", 9, 18), clipped("It cost 25 million.", 8, 18)
        ('2', '')
        >>> clipped("Some agreed, some did not.", 0, 21)
        'not'
    """
    is_clear = not start or _is_between_words(text, start - 1)
    if not is_clear and (_cuts_grapheme(text, start) or _is_torn_left(*_seen(text, start))):
        return "".join(text[max(0, start - _REACH) : start].split()[-1:])
    if _is_between_words(text, end):
        return ""
    before, after = _seen(text, end)
    if _cuts_grapheme(text, end) or _is_torn_right(before, after):
        return "".join(text[end : end + _REACH].split(maxsplit=1)[:1])
    # "some did not.": a negator that ends its clause belongs to what comes before it.
    after = after[len(_particle(before, after)) :]
    match = _negator_after().match(after)
    return match[1] if match and _CLAUSE_END.match(after, match.end()) else ""


# A blank between words of ASCII letters, which nothing joins.
_BETWEEN_WORDS = re.compile(r"[A-Za-z.,;!?)][ \n]([A-Za-z]+)(?=[\s.,;:!?)])")


def _is_between_words(text: str, blank: int) -> bool:
    """Return whether a blank is between words of which no cut changes either: a quick test."""
    match = _BETWEEN_WORDS.match(text, blank - 1) if blank else None
    return match is not None and match[1].lower() not in _tied_words()


@cache
def _tied_words() -> frozenset[str]:
    """Return the words that may belong to the word before them."""
    negators = (phrase.split()[0] for phrase in union("negators_after"))
    return MAGNITUDE_WORDS.union(NUMBER_WORDS, ("and", "a"), negators)


def _seen(text: str, place: int) -> tuple[str, str]:
    """Return what a reader sees before a place and after it, as far as it may be one token."""
    low, high = max(0, place - _NEAR), place + _NEAR
    if not _HIDING.search(text, low, high):
        return text[low:place], text[place:high]
    parts = text[low:place], text[place:high]
    if _MARKUP.search(text, low, high):
        low, high = max(0, place - _REACH), min(len(text), place + _REACH)
        parts = read_between(text, low, place), read_between(text, place, high)
    before, after = (_UNSEEN.sub("", part) for part in parts)
    return before[-_NEAR:], after[:_NEAR]


def negator_after(text: str, end: int) -> str:
    """Return the negator right after an offset, on the same line or the next; "" if none."""
    match = _negator_after().match(text[end : end + _NEAR])
    return match[1] if match else ""


def _cuts_grapheme(text: str, place: int) -> bool:
    """Return whether a place is within a grapheme, or between a vowel sign and the rest of a word.

    Such a sign is no letter: in "किताब" the second and the fourth character are signs.
    """
    if not 0 < place < len(text):
        return False
    before, after = text[place - 1], text[place]
    if before.isascii() and after.isascii():
        return False
    if after in _EXTENDING or unicodedata.category(after)[0] == "M" or before == _JOINER:
        return not before.isspace()
    goes_on = after.isalnum() and not is_unspaced(after)
    return goes_on and unicodedata.category(before) in ("Mc", "Mn")


def _is_torn_left(before: str, after: str) -> bool:
    """Return whether a token goes from what is before a place to what is after it."""
    if not (before and after):
        return False
    first, last = after[0], before[-1]
    if last == "第" and first.isnumeric():
        return True
    if not first.isascii() and is_unspaced(first):
        return before.endswith(tuple(union("negators_before"))) or _cuts_words(before, after)
    if first.isalnum() and prefix_before(before + after, len(before)):
        return True
    if first.isdecimal():
        glued = last.isalnum() and not is_unspaced(last)
        return (
            glued
            or bool(_BEFORE_FIGURE.search(before))
            or _is_grouped(before, after)
            or _ends_in_minus(before)
        )
    if first in CURRENCY_SIGNS:
        return last.isascii() and last.isalpha()  # "US$5"
    if first in ".,":
        return last.isdecimal() and after[1:2].isdecimal()
    if not first.isalnum() or last.isalnum():
        return first.isalnum() and not is_unspaced(last) and not _opens_note(before, after)
    if _ELIDED.search(before):
        return False
    return bool(_BEFORE_WORD.search(before)) or _is_prefixed(before) or _is_counted(before, after)


# A small word that has lost its vowel before another one, in French and Italian: "l'|élève". "n'"
# denies, so that it is a part of what follows it.
_ELIDED = re.compile(r"(?i)(?<![^\W_])(?:[cdjlmst]|\w{0,5}qu|un|\w{1,3}ll)['’ʼ]\Z")
# Signs that make two figures one, and operators, which may have blanks beside them.
_POINTS = "·⸱․‧˙⋅‚"  # of decimals, as some write them
_JOINED = f".,:/'’_\u066b\u066c{_POINTS}•⁄∕*^×"
_OPERATORS = "×÷±∓√≠≉≮≯⁄∕⋅^"
# What belongs to the figure after it: a currency, a sign, a bound, the digits before a separator,
# the point of a decimal.
_BEFORE_FIGURE = re.compile(
    rf"""(?:
      [{CURRENCY_SIGNS}]\s? | \d[{_JOINED}](?<!\d{{4}}-\d\d-\d\d,)
    | (?:\A|[\s($"“\[]|\d)[-–+˗➖] | (?:\A|[\s(\["“])[.{_POINTS}]
    | [−±∓≤≥≈<~▲△▼▽↑↓{_OPERATORS}]\s? | [^\s>]\s?>\s?  # ">" on a new line quotes
    )\Z""",
    re.VERBOSE,
)
# What belongs to the figure before it: more digits, an exponent, a unit's sign, an operator.
_AFTER_FIGURE = re.compile(
    rf"""[{_JOINED}][\d] | [-−–+]\d | [°′″] | ['’ʼ＇][^\W\d_] | \s?[٪‰‱^½¼¾] | %
    | \s%(?![^\W\d_])  # no comment of LaTeX
    | \s?[{_OPERATORS}]\s?\d | \s?[x·*]\s?10(?:[\^⁰¹²³⁴-⁹⁻]|\b)""",
    re.VERBOSE,
)
# A row of figures, before one with a label that begins with a sign.
_ROW_BEFORE, _NEXT_ROW = re.compile(r"\d[ \t]+[\d.,]+\Z"), re.compile(r"\n% [^\W\d]")
_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d\Z")
_DATE = re.compile(r"\d{4}-\d\d-\d\d\Z")  # before the comma that ends a cell
# What belongs to the word after it: what a hyphen or the like joins, a first part in brackets.
_BEFORE_WORD = re.compile(
    rf"(?:\w[{re.escape(_JOINING)}]|(?<!\n)[^\W\d_]-[ \t]*\n\s*|(?<!\w)[(\[][^\W\d_]+[)\]])\Z"
)
# The first groups of a figure, and the rest, with blanks between thousands.
_GROUP = r"[ \u00a0\u2009\u202f\u2007]\d{3}"
_GROUPS = re.compile(rf"(?<![\w.,])(?<!\d[ ])\d{{1,3}}(?:{_GROUP})*\Z")
_GROUPS_AFTER = re.compile(rf"(?:{_GROUP}(?!\d))+(?![ ]?\d)")


def _is_grouped(before: str, after: str) -> bool:
    """Return whether a blank separates the thousands of one figure: "1 250", not "Table 1 250"."""
    blanks = len(before) - len(before.rstrip())
    if blanks == 1:
        before, after = before[:-1], before[-1] + after
    groups = _GROUPS.search(before)
    if groups is None or not _GROUPS_AFTER.match(after):
        return False
    word = before[: groups.start()].split()[-1:]
    return not word or word[0].lower() not in NUMBERED_WORDS


def _opens_note(before: str, after: str) -> bool:
    """Return whether the number of a note is before its words: "¹Images", but not "¹³C"."""
    is_raised = before[-1] in _SUPERSCRIPTS and before[-2:-1].strip() == ""
    return is_raised and after[:3].isalpha()


def _is_prefixed(before: str) -> bool:
    """Return whether what precedes a word denies it, with a dash for its hyphen: "non–"."""
    head = before.removesuffix("–").split()[-1:]
    return before.endswith("–") and bool(head) and head[0].lower() in union("prefixes")


def _ends_in_minus(before: str) -> bool:
    exceptions, minus = union("exceptions"), tuple(union("minus"))
    at_least = tuple(f"{phrase} " for phrase in exceptions if phrase.endswith(minus))
    return bool(_minus().search(before)) and not before.lower().endswith(at_least)


@cache
def _minus() -> re.Pattern[str]:
    unspaced = [word for word in union("minus") if is_unspaced(word[0])]
    spaced = "|".join(union("minus").difference(unspaced))
    return re.compile(rf"(?<!\w)(?:{spaced}) $|(?:{'|'.join(unspaced)}) ?$", re.IGNORECASE)


@cache
def _negator_after() -> re.Pattern[str]:
    words = sorted(word for word in union("negators_after") if not is_unspaced(word[0]))
    return re.compile(rf"[ \t\u00a0]*\n?[ \t\u00a0]*(?<=\s)({'|'.join(words)})\b")


def _is_torn_right(before: str, after: str) -> bool:
    """Return whether a token goes from what is before a place to what is after it."""
    if not (before and after):
        return False
    first, last = after[0], before[-1]
    if not last.isascii() and is_unspaced(last):
        return after.startswith(tuple(union("negators_after"))) or _cuts_words(before, after)
    if last in ".,:/" and before[-2:-1].isdecimal():
        return first.isdecimal()
    if _SIGNED.match(before + after, len(before)):
        return True
    if not last.isalnum():
        return False
    if first in _SUPERSCRIPTS:  # behind a year, it is a note; raised signs in a row are one
        is_exponent = last in _RAISED or last.isdecimal() or not before[-2:-1].isalpha()
        return is_exponent and not _YEAR.search(before)
    if first.isalnum():
        if is_unspaced(first):
            return last.isdecimal() and first in HAN_SCALES
        note = len(before), len(before) + len(after) - len(after.lstrip("0123456789,–-"))
        is_mark = note[0] < note[1] and is_note(before + after, *note)
        return not is_mark and not _particle(before, after)
    return _goes_on(before, after)


def _goes_on(before: str, after: str) -> bool:
    """Return whether a number or word goes on with signs, or with a word of its own."""
    first, second = after[0], after[1:2]
    if before[-1].isdecimal():
        if first == "," and _DATE.search(before):
            return False
        if _NEXT_ROW.match(after) and _ROW_BEFORE.search(before):
            return False
        figure = _AFTER_FIGURE.match(after) or _MAGNITUDE.match(after)
        return bool(figure) or _is_grouped(before, after) or _is_multiplied(after)
    if first in _APOSTROPHES:
        return second in ("t", "T") and not after[2:3].isalpha()
    if first in _HYPHENS and _HYPHENATED.match(after):
        return True
    if first == "/" and second.isalpha() and _PER.search(before):
        return True
    return (first in _JOINING and second.isalnum()) or _is_counted(f"{before} ", after)


def _particle(before: str, after: str) -> str:
    """Return what is written together with the word before it, and is no part of it.

    Of a word of one syllable, it may well be a part.
    """
    if not before[-2:].isalpha() or after[:1].isascii():
        return ""
    rest = _LETTERS.match(after)
    return rest[0] if rest and rest[0] in union("particles") else ""


def _is_multiplied(after: str) -> bool:
    """Return whether a number goes on with a magnitude or percent, in the words of any language."""
    following = _FOLLOWING.match(after)
    if following is None:
        return False
    words = following[1].lower(), (following[2] or "").lower()
    word = words[0].rstrip(".")
    is_magnitude = word in union("magnitudes") or words[0][:1] in HAN_SCALES
    return is_magnitude or word in PERCENT or words in PERCENT_PHRASES


def _is_counted(before: str, after: str) -> bool:
    """Return whether a cut separates a number word from its magnitude: "two | hundred"."""
    is_multiplied = bool(_MAGNITUDE.match(after) and _number_word().search(before))
    return is_multiplied or _cuts_words(before, after)


def _cuts_words(before: str, after: str) -> bool:
    """Return whether a cut is inside a number in words: "hundred and | five", "三千|二百"."""
    last = (before.split() or " ")[-1]
    if not (last.lower() in _tied_words() or last[-1].isnumeric() or last[-1] in "分之点點"):
        return False  # a quick test
    found = _number_in_words().finditer(before + after)
    return any(match.start() < len(before) < match.end() for match in found)


@cache
def _number_in_words() -> re.Pattern[str]:
    words, magnitudes = "|".join(NUMBER_WORDS), "|".join(MAGNITUDES)
    digit, scale = "〇零一二三四五六七八九两兩", "".join(HAN_SCALES)
    han = f"[{digit}{scale}]"
    # Two digits are an estimate, or of two words; "一点一" may be of "有一点一定".
    return re.compile(
        rf"\b(?:(?:{words}|an?)[\s-]+(?:{magnitudes})(?:\s+and)?\s+(?:{words})"
        rf"|(?:{words})\s+and\s+(?:a|one)[\s-]+(?:half|quarter))\b"
        rf"|(?![{digit}]{{2}}(?!{han}))(?:\d+(?=[{scale}]))?{han}+(?:(?:分之|[点點](?!一)){han}+)*",
        re.IGNORECASE,
    )


@cache
def _number_word() -> re.Pattern[str]:
    # Compiled on first use, as it takes a good part of the import.
    return re.compile(rf"(?<!\w)(?:{'|'.join(union('numbers'))}|minus|\d+)[\s-]+$", re.IGNORECASE)
