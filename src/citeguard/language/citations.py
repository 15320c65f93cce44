"""What a citation mark looks like: numbers in brackets, raised numbers, authors and year.

The one home of these patterns. The search for quotes ignores such marks (`noise`), and an audit of
a text reads which sources they name (`auditing.citing`).
"""

from __future__ import annotations

import re
from functools import cache
from typing import Literal

from citeguard.language.quantities import MONTHS, find_unit
from citeguard.language.scripts import is_unspaced

SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_LETTERS = rf"[^\W\d_{SUPERSCRIPTS}]+"
_RAISED = str.maketrans("0123456789", SUPERSCRIPTS)
_LOOK_BACK = 40  # characters before a number in which its word is looked for
# A raised 2 or 3 after a length or one of these is an exponent; after a single letter or a digit it
# always is.
_WITH_EXPONENTS = frozenset("in sec min acre sin cos tan log chi sigma".split())
_SHORT_WORDS = frozenset(
    ("of in to is it on by as at be or an he we us up no so do go if my me").split()
)

YEAR = r"(?:1[6-9]|20)[0-9]{2}"
_TIMES = "|".join((*(month.title() for month in MONTHS), "Spring|Summer|Autumn|Fall|Winter"))
# Whole words: Marx and Martin are authors.
_NO_AUTHOR = rf"(?:{_TIMES}|In|Since)(?![^\W\d_])"
# "(Smith et al., 2019)", "[van Dijk and Lee, 1984, p. 5]"; but not "(June 1968)".
_FULL_YEAR = r"(?:(?:1[6-9]|20)\d\d(?:[a-z](?:,\s?[a-z])*)?|in press|n\.d\.)"
_PARTICLES = r"(?:(?:[Vv][ao]n|[Dd](?:e[rn]?|[uia])|[Ll][ae]|[Ee]l)\s){0,3}"
_NAME = rf"(?!{_NO_AUTHOR}){_PARTICLES}[A-ZÀ-ÖØ-ÞĀ-Ž][\w'’-]+(?:\s[A-Z][\w'’-]+){{0,3}}"
_AUTHORS = rf"{_NAME}(?:,\s{_NAME})*(?:,?\s(?:and|&(?:amp;)?)\s{_NAME}|,?\set\sal\.?)?,?\s"
_YEARS = rf"{YEAR}[a-z]?"
_NARRATED = rf"{_PARTICLES}[^\W\d_][\w'’-]*?"

LEAD = r"(?:see(?:\salso)?|e\.g\.,?|cf\.?|per|from)\s{1,3}"
LOCATOR = (
    r"(?:(?:pp?|pages?|ch|chap|chapter|sec|section|fig|figure|tab|table|par|para|lines?|vol|no)\b"
    r"\.?|§{1,2}|¶)\s{0,3}[0-9IVXivx][\w.–-]{0,20}"
)
_NUMBERS = r"\d{1,4}(?:\s{0,2}(?:[,;–-]|and|&)\s{0,2}\d{1,4}){0,9}"
_SOURCES = r"(?:passages?|sources?|documents?|docs?|ref(?:erence)?s?|contexts?|citations?|chunks?)"

_Name = Literal[
    "reference", "caret", "dagger", "emphasis note", "author and year", "raised", "raised tag",
    "last word", "figures before", "quantities before", "code after",
    "named", "square", "lenticular", "round", "year in brackets", "authors before",
    "any raised tag", "carets", "raised list", "lead", "locator", "beside", "label", "range", "id",
    "cited work", "author", "surname", "no surname", "no author", "and", "et al", "works",
]  # fmt: skip

_PATTERNS: dict[_Name, str] = {
    # What a faithful quote may drop.
    "reference": (
        r"[\[［](?:\d{1,3}(?:\s{0,3}[,;，、–—-]\s{0,3}\d{1,3}){0,9}"
        r"|\^[\w-]{1,20}|(?:note|nb|n) \d{1,3}|[^\[\]\n]{3,40} needed|edit|update|when\?|who\?"
        r"|by whom\?|sic!?|(?P<letter>[a-z]))[\]］](?!\d)"
    ),
    "caret": r"\^\d{1,3}\^",
    "dagger": r"【[^【】\n]{1,40}†[^【】\n]{0,40}】",
    "emphasis note": r"\((?:emphasis|italics) (?:added|mine|in original|supplied)\)",
    "author and year": (
        rf"[(\[](?-i:(?:see\s(?:also\s)?|e\.g\.,?\s|cf\.\s)?{_AUTHORS}{_FULL_YEAR}"
        rf"(?:[;,]\s(?:{_AUTHORS})?{_FULL_YEAR}){{0,9}})(?:[,:]\s?(?:pp?\.\s?)?\d+(?:[–-]\d+)?)?[)\]]"
    ),
    "raised": rf"[{SUPERSCRIPTS}]{{1,3}}(?!\w)",
    "raised tag": r"<sup>\s*\[?(\d{1,3})\]?\s*</sup>",
    "last word": rf"(?:{_LETTERS}(?:['’]{_LETTERS})*|[.,;:!?)\"'”’\]])\Z",
    # After these words, numbers in brackets are figures: "95% CI [12, 15]", "a mean of [45]".
    "figures before": (
        r"\b(?:CI|interval|range|mean|median|average|between|scores? of|mean of|age of)\s\Z"
    ),
    # The same in a text whose every mark is going to be resolved to a source.
    "quantities before": (
        r"(?:\b(?:CIs?|IQR|SD|SE|intervals?|range|mean|median|average|between|within|scores?|ages?"
        r"|values?|vector|coordinates?|array)(?:\s(?:of|was|were|is|from))?[,:]?|[=∈±]|\\in)"
        r"\s{0,3}\Z"
    ),
    "code after": r"\s?=[^=>]|\.(?-i:[a-z_])|\s?[+-]=",
    # "[1, 2]", "[doc-3]", "(Passage 1)", "(Sources 1 and 2)": marks whatever the sources are.
    "named": (
        rf"\[\s?(?:{_NUMBERS}|\^[\w-]{{1,20}}|{_SOURCES}[\s:_.#-]{{0,2}}(?:{_NUMBERS}|[\w.-]{{1,20}})"
        rf"|[a-z]{{1,8}}[-_:]?\d{{1,4}})\s?\](?!\()"
        rf"|\((?:(?:see|from|per|as\sper)\s)?{_SOURCES}\s?[:#]?\s?{_NUMBERS}"
        rf"(?:\s?(?:[,;]|and|&)\s?{_SOURCES}\s?[:#]?\s?{_NUMBERS}){{0,5}}\)"
        r"|【[^【】\n]{1,40}】"
        # After a blank, raised figures are no exponent.
        r"|(?<=\s)<sup>\s{0,3}\[?\d{1,3}\]?\s{0,3}</sup>"
    ),
    # What may name a source.
    "square": r"[\[［]([^\[\]［］]{1,300})[\]］]",
    "lenticular": r"【([^【】]{1,300})】",
    "round": r"\(([^()]{2,300})\)",
    "year in brackets": (
        rf"(?-i:\(({_YEARS}(?:,\s?(?:{_YEARS}|[a-z]\b)){{0,9}})(?:[,:]\s?[^()]{{1,30}})?\))"
    ),
    "authors before": (
        rf"(?-i:((?:{_NARRATED}\s(?:and|&)\s)?{_NARRATED}(?:\set\sal\.?|\sand\scolleagues)?)"
        r"(?:['’]s?)?\s\Z)"
    ),
    "any raised tag": r"<sup(?:\s[^<>]{0,100})?>\s{0,3}\[?([^<>\[\]]{1,100})\]?\s{0,3}</sup>",
    "carets": r"\^\[?([0-9]{1,3}(?:\s?[,;–-]\s?[0-9]{1,3}){0,9})\]?\^",
    "raised list": (
        rf"⁽?([{SUPERSCRIPTS}]{{1,3}}(?:[,˒⁻–-][{SUPERSCRIPTS}]{{1,3}}){{0,9}})⁾?(?!\w)"
    ),
    "lead": LEAD,
    "locator": LOCATOR,
    "beside": r"(?:1[6-9]|20)[0-9]{2}|(?:pp?|l|ch|sec|fig)\.?[0-9]+(?:[–-]\w+)?",
    "label": (
        r"(?:sources?|documents?|docs?|passages?|references?|refs?\.?|citations?|cite|contexts?"
        r"|chunks?|excerpts?|ids?|notes?|nb|n)(?P<colon>\s{0,3}:)?(?:\s{1,3}\#?|(?<=:)|\#)"
    ),
    "range": r"([0-9]{1,3})\s{0,3}[-–—]\s{0,3}([0-9]{1,3})",
    # An id that is written for nothing else: "[doc-9]".
    "id": (
        r"(?:docs?|documents?|sources?|src|refs?|references?|passages?|chunks?|contexts?|articles?"
        r"|papers?|files?)[-_][0-9]{1,4}"
    ),
    "works": r"(?-i:;|(?<=[0-9]),\s(?=[^\W\d_]{2})|(?<=[0-9][a-z]),\s(?=[^\W\d_]{2}))",
    "cited work": (
        rf"(?-i:(?P<authors>[^\d;]{{2,150}}?)(?P<comma>,)?\s{{1,3}}(?P<years>{_YEARS}"
        rf"(?:\s?,\s?(?:{_YEARS}|[a-z]\b))*)"
        r"(?:\s?[,:]\s?(?:pp?\.?\s?|§\s?|ch\.\s?)?[0-9]{1,5}(?:\s?[–-]\s?[0-9]{1,5})?)?)"
    ),
    "author": rf"(?-i:{_PARTICLES}[^\W\d_a-z][\w'’-]+(?:\s[^\W\d_a-z][\w'’-]+){{0,2}})",
    "surname": rf"(?-i:{_PARTICLES}[^\W\d_a-z](?=[\w'’-]*[a-zß-ÿ])[\w'’-]+)",
    # Hosts, events and models precede a year at least as often as an author does.
    "no surname": (
        r"(?-i:Paris|London|Tokyo|Beijing|Rio|Athens|Sydney|Atlanta|Berlin|Rome|Madrid|Vienna"
        r"|Geneva|Glasgow|Milan|Dubai|Davos|China|Japan|India|France|Germany|Italy|Spain|Russia"
        r"|Brazil|Mexico|Canada|Olympics|Euro|Expo|Covid|Brexit|Windows|Office|Census|Budget|Agenda"
        r"|Horizon|Edition|Act|Model)"
    ),
    "no author": rf"{_NO_AUTHOR}|(?:from|until|before|after|by|version)(?![^\W\d_])",
    "and": r"(?-i:,\s?(?:and\s|&\s)?|\s(?:and|&|&amp;)\s)",
    "et al": r"(?-i:,?\s(?:et\s+al\b\.?|and\s(?:others|colleagues)))",
}


@cache
def pattern(name: _Name) -> re.Pattern[str]:
    """Return a pattern by its name; letters match in both cases unless it says otherwise."""
    # Compiled when first used: together they would take a tenth of a second of every import.
    return re.compile(_PATTERNS[name], re.IGNORECASE)


def word_before(text: str, place: int) -> str:
    """Return the letters, or the one stop, right before a place; empty if neither is there."""
    match = pattern("last word").search(text, max(0, place - _LOOK_BACK), place)
    return match[0] if match else ""


def points_to_note(before: str, digits: str) -> bool:
    """Return whether a raised number after a word or a stop is a note, and not an exponent.

    Examples:
        >>> points_to_note("grew", "2"), points_to_note("cm", "2")
        (True, False)
    """
    short = before.isalpha() and len(before) < 3
    # One or two letters are a word, or the symbol of a quantity ("x", "πr").
    if not before or (short and before.casefold() not in _SHORT_WORDS and not is_unspaced(before)):
        return False
    word = before.casefold()
    unit = find_unit(word)
    is_length = unit is not None and unit.dimension == "length"
    has_exponent = digits.translate(_RAISED) in "²³"
    return not (has_exponent and (is_length or word in _WITH_EXPONENTS))


def is_figure(text: str, start: int, end: int) -> bool:
    """Return whether numbers in brackets are an interval, or the index of an array.

    Examples:
        >>> is_figure("95% CI [12, 15]", 7, 15), is_figure("It rained [12, 15]", 10, 18)
        (True, False)
    """
    before = text[max(0, start - _LOOK_BACK) : start]
    if pattern("quantities before").search(before):
        return True
    attached = before[-1:].isalnum() or before[-1:] == "_"
    assigned = pattern("code after").match(text, end)
    return attached and (text[start + 1 : end - 1] == "0" or assigned is not None)


def is_surname(name: str) -> bool:
    """Return whether a word before a year is likely to be an author's name."""
    known = pattern("no surname").fullmatch(name)
    return pattern("surname").fullmatch(name) is not None and not known
