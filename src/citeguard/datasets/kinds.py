"""The kinds of wrong texts: for each, the ways to rewrite a true text that make it false.

They need no model. The rules are few on purpose: a rewrite that reads oddly gives itself away, so
that a rule finds little rather than much.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from math import inf
from random import Random
from typing import Literal, NamedTuple

from citeguard.language.lexicon import find_lexicon
from citeguard.language.numbers import Number, find_numbers
from citeguard.language.quantities import CARDINALS, MONTH_NAMES, TENS, WEEKDAYS
from citeguard.language.sentences import sentence_intervals
from citeguard.language.terms import term_keys
from citeguard.quotes.canonical import SearchForm
from citeguard.sources.collection import Sources

Kind = Literal["negation", "number", "unit", "date", "entity", "quantifier"]

_LONGEST = 200_000  # characters of a source that are read
_MOST_TEXTS = 256  # whose sentences are cached
_SAID = 0.6  # share of a text's terms in one sentence that also has the new ones


class Edit(NamedTuple):
    """A replacement of `text[start:end]`; offsets in code points, half-open."""

    start: int
    end: int
    text: str


Rewrite = tuple[str, Edit]
"""One way to make a text wrong: its name, and the edit that does it."""


@lru_cache(maxsize=_MOST_TEXTS)
def sentences_of(text: str) -> tuple[str, ...]:
    """Return a text's sentences, without those of several lines."""
    found = (text[start:end] for start, end in sentence_intervals(text[:_LONGEST]))
    return tuple(sentence for sentence in found if "\n" not in sentence)


@lru_cache(maxsize=_MOST_TEXTS)
def _values(text: str) -> frozenset[float]:
    """Return the values of a text's numbers, and of the parts of its dates."""
    return frozenset(
        float(value)
        for number in find_numbers(text[:_LONGEST])
        for value in (number.value, number.low, number.high, number.year, number.day)
        if value is not None
    )


class Material:
    """The sources of a true text, and the one that it is from."""

    def __init__(self, sources: Sources, source_id: str) -> None:
        self.sources, self.source_id = sources, source_id
        self.text = sources[source_id].text
        lexicon = find_lexicon(self.text[:_LONGEST])
        self.is_english = lexicon is not None and lexicon.code == "en"

    def has(self, text: str) -> bool:
        """Return whether a source has the letters and digits of a text in a row."""
        letters = SearchForm(text).letters
        return any(letters in source.prepared.form.letters for source in self.sources)

    def has_value(self, value: float) -> bool:
        """Return whether a source has a number."""
        return any(value in _values(source.text) for source in self.sources)

    def says(self, text: str, new: str) -> bool:
        """Return whether a sentence of a source has all new terms, and most others of a text."""
        wanted, fresh = term_keys(text), term_keys(new)
        return bool(fresh) and any(
            fresh <= term_keys(said) and len(wanted & term_keys(said)) >= _SAID * len(wanted)
            for source in self.sources
            for said in sentences_of(source.text)
        )


# Other words

_DETAIL = r"[^,;:?()\"“”—]*"  # the rest of a simple sentence, of which a denial is believed
_ADVERBS = r"(?!not\b|no\b|a few\b|only\b|also\b|always\b|often\b|so\b|there\b|here\b|too\b)"
_DENIED = re.compile(
    rf"(?<=[a-z] )(is|are|was|were|can|could|has been|have been|had been) {_ADVERBS}"
    rf"(?!un|in[a-z])(?=\w+ {_DETAIL}\.$)(?![A-Z])",
)
_VAGUE = re.compile(
    r"\b(?:some|all|every|each|many|most|few|several|any|no|not|never|may|might|sometimes|often"
    r"|usually|generally|because|unless|whether|why|if|but|until)\b|n['’]t\b",
    re.IGNORECASE,
)
_OPEN = re.compile(r"\b(?:if|whether|why|unless|so that|not only|until|but|any|ever|either)\b")
# What is replaced, and by what; of several the first.
_UNDENIED: Sequence[tuple[str, str]] = (
    (r"\bcannot\b", "can"),
    (
        r"\b(is|are|was|were|has|have|had|could|would|did|does|may|must|shall)(?: not|n['’]t)\b",
        r"\1",
    ),
    (r"(?<=\w )do(?: not|n['’]t) (?=\w)", ""),
    (r"\bno longer\b", "still"),
    (r"\bno evidence\b", "evidence"),
    (r"\bwithout (?=a )", "with "),
)
_HAS = re.compile(rf"(?<=[a-z] )has (?=(?:an?|the|two|three|\d+) {_DETAIL}\.$)")
_OPPOSITES = (
    *("able likely successful known safe necessary popular stable common usual".split()),
    *("affected changed damaged important aware".split()),
)


def find_negations(text: str, material: Material, random: Random) -> Iterator[Rewrite]:
    """Yield ways to remove a denial, or to add one where there is none, and opposites."""
    if not _OPEN.search(text):
        for pattern, other in _UNDENIED:
            for match in re.finditer(pattern, text):
                yield "denial removed", Edit(*match.span(), match.expand(other))
    if _VAGUE.search(text):
        return
    for match in _DENIED.finditer(text):
        verb, *rest = match[1].split()
        denied = "cannot" if verb == "can" else " ".join([verb, "not", *rest])
        yield "denial added", Edit(*match.span(1), denied)
    for match in _HAS.finditer(text):
        yield "denial added", Edit(*match.span(), "does not have ")
    for word in re.finditer(r"\b(?:is|was|are|were) ((un)?([a-z]+))\b", text):
        if word[3] in _OPPOSITES:
            yield "opposite", Edit(*word.span(1), word[3] if word[2] else f"un{word[3]}")


_COUNTED = r"(?=\s+(?:[$€£]\s?)?(?:\d|two|three|four|five|six|seven|eight|nine|ten|twenty|half)\b)"
_PLURAL = r"(?=(?: of (?:the|these|their|its))?\s+(?:[a-z-]+\s+)?[a-z]{3,}(?<!s)s\b)"
_DEGREES = (
    (r"{}(?= than\b)", "larger smaller|higher lower|older newer|longer shorter|faster slower"),
    (r"(?<=the ){}", "largest smallest|highest lowest|oldest newest|first last"),
)
# What is not true because the other is; "some" for "all" would be true, so it is not here.
_QUANTIFIERS: Sequence[tuple[str, str, str]] = (
    ("bound", rf"(?:at least|more than|over){_COUNTED}", "at most|less than"),
    ("bound", rf"(?:at most|up to|fewer than|less than){_COUNTED}", "at least|more than"),
    ("order", rf"within{_COUNTED}", "after"),
    ("quantifier", rf"(?:many|most|all|several){_PLURAL}", "few"),
    ("quantifier", rf"some{_PLURAL}", "all|most"),
    ("quantifier", rf"(?:very )?few{_PLURAL}", "many"),
    ("quantifier", r"only(?= (?:by|for|in|on|with|if|to)\b)", "also"),
    ("share", r"(?:the|a) (?:vast |large |great )?majority(?= of\b)", "a small minority"),
    ("frequency", r"(?:often|frequently|usually|generally|typically|always)(?= [a-z])", "rarely"),
    ("frequency", r"(?:rarely|seldom)(?= [a-z])", "often|usually"),
    ("order", r"before(?= (?:the|a|it|\d))", "after"),
    ("order", r"after(?= (?:the|a|it|\d))", "before"),
    ("hedge", r"(?:may|might)(?= [a-z])", "will"),
    *(
        ("degree", pattern.format(one), other)
        for pattern, words in _DEGREES
        for pair in words.split("|")
        for one, other in (pair.split(), pair.split()[::-1])
    ),
)
_REASON = re.compile(r"\b(?:because|therefore|since|although|though|also|even)\b")
_NOT_BEFORE = re.compile(
    r"(?:\bnot|n['’]t|\bno|\bthan|\bmore|\bmost|\band|\bor|\bonly|\bas)\s\Z", re.IGNORECASE
)


def find_quantifiers(text: str, material: Material, random: Random) -> Iterator[Rewrite]:
    """Yield, for each quantifier, bound, hedge or degree, another that does not follow from it."""
    if _REASON.search(text):
        return
    for variant, pattern, others in _QUANTIFIERS:
        for match in re.finditer(rf"\b{pattern}", text, re.IGNORECASE):
            inverted = variant == "frequency" and match[0][0].isupper()
            if not inverted and not _NOT_BEFORE.search(text, 0, match.start()):
                yield variant, Edit(*match.span(), random.choice(others.split("|")))


# Other values

_FIGURE = re.compile(r"(?:\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)(?!st|nd|rd|th)|[A-Za-z]+")
_NUMBER_WORDS = (list(CARDINALS)[1:], list(TENS))  # "one" is a pronoun, too
# "F-16", "1:10", "10 - 2", "(12", "Section 12", and "403 m (1,322 ft)".
_JOINED_BEFORE = re.compile(
    r"(?:[-–—/:.,#№_+×=*'’^(\[\w]|\d\s?[-–—/]\s?|\b[A-Z]\w*\s"
    r"|\b(?:between|grade|level|no|number|page|part|step|vol)\.?\s)\Z"
)
_JOINED_AFTER = re.compile(
    r"[½¼¾]|\s?[-–—/:+×.'’]\s?\d|\w|(?:\s+\S+){0,3}\s+\(\s?\d|[^()]{0,40}\)|\s(?:[ap]m|o'clock)\b"
)
_MOST_LISTED = 12
_LIST = re.compile(r":[^.;]*(?:\band\b|, )")
_LONGEST_NUMBER = 15  # characters of a number that counts something
_LEAST_SHIFT, _MOST_SHIFT, _FEWEST = 0.05, 0.6, 4  # shares of a number; the least reach
_DRAWN = 60  # figures drawn for one number


def find_numbers_rewritten(text: str, material: Material, random: Random) -> Iterator[Rewrite]:
    """Yield another value for each number, which no source has, in the same form.

    It rises after "at least" and falls after "at most", where the other direction would be true.
    Dates, labels, ranges, ranks and parts of names are left alone.
    """
    for number in find_numbers(text):
        match = _FIGURE.match(text, number.start, number.end)
        if match is None or not _counts(text, number, *match.span(), material):
            continue
        (start, end), figure = match.span(), match[0]
        words = next((each for each in _NUMBER_WORDS if figure.lower() in each), list[str]())
        drawn = random.sample(words, len(words)) or [
            re.sub("[1-9]", lambda _: str(random.randint(1, 9)), figure) for _ in range(_DRAWN)
        ]
        old = _value_of(figure.lower())
        scale = abs(number.value) / old  # a million in "5 million"
        for other in drawn:
            new = _value_of(other)
            reach = max(_FEWEST, _MOST_SHIFT * old)
            falls = (number.high == inf and new < old) or (number.low == -inf and new > old)
            if new < 2 or not _LEAST_SHIFT * old <= abs(new - old) <= reach or falls:
                continue
            if number.kind == "percent" and old <= 100 < new:
                continue
            if not (material.has_value(new) or material.has_value(new * scale)):
                yield "number", Edit(start, end, other)
                break


def _counts(text: str, number: Number, start: int, end: int, material: Material) -> bool:
    """Return whether a number counts or measures something, by itself."""
    if number.kind in ("date", "label", "ordinal") or number.is_range or number.value < 1:
        return False
    figure, before = text[start:end], text[max(0, start - 12) : start]
    is_word = any(figure.lower() in each for each in _NUMBER_WORDS) and material.is_english
    # A capital at the beginning of the text is that of a sentence.
    is_first = before and before == text[:start].title()
    return not (
        end - start > _LONGEST_NUMBER
        or (figure.isalpha() and not is_word)
        or (number.value <= _MOST_LISTED and _LIST.search(text, end))
        or (_JOINED_BEFORE.search(before) and not is_first)
        or _JOINED_AFTER.match(text, end)
        or text.startswith("-", end)
    )


def _value_of(written: str) -> float:
    words = CARDINALS | TENS
    return float(words[written] if written in words else written.replace(",", ""))


_OTHER_UNITS = {
    word: other
    for pair in (
        "seconds minutes|minutes hours|hours days|days weeks|weeks months|months weeks|years months"
        "|kilometers miles|miles kilometers|meters feet|feet yards|metres feet|kg lb|km miles"
        "|grams kilograms|kilograms tonnes|tonnes kilograms|MB GB|GB MB|dollars euros|euros dollars"
        "|billion million|trillion billion"
    ).split("|")
    for word, other in [pair.split()]
}
_UNIT = re.compile(rf"\s({'|'.join(_OTHER_UNITS)})\b(?!\s*(?:/|\(|a\b|per\b|old\b|of age\b))")
_CURRENCIES = {"$": "€", "€": "$", "£": "$"}


def find_units(text: str, material: Material, random: Random) -> Iterator[Rewrite]:
    """Yield another unit of the same dimension after a number, another magnitude or currency."""
    numbers = find_numbers(text)
    if sum(text.count(sign) for sign in _CURRENCIES) == 1 and not re.search(r"[A-Z]\$", text):
        at = next(i for i, char in enumerate(text) if char in _CURRENCIES)
        yield "currency", Edit(at, at + 1, _CURRENCIES[text[at]])
    units = list(_UNIT.finditer(text))
    # Years would give a time away.
    if len(units) != 1 or any(number.year for number in numbers):
        return
    [unit] = units
    for number in numbers:
        beside = {*unit.span()} & {number.end, number.whole[1]} and number.start <= unit.start()
        if beside and not text[: number.whole[0]].endswith("("):
            yield "unit", Edit(*unit.span(1), _OTHER_UNITS[unit[1]])


_SHIFTS = (-9, -7, -4, -3, -2, -1, 1, 2, 3, 4, 7, 9)
_LATEST = 2024


def find_dates(text: str, material: Material, random: Random) -> Iterator[Rewrite]:
    """Yield another year, month or weekday for each date that is the only one of its kind."""
    dates = [number for number in find_numbers(text) if number.kind == "date"]
    dated = [(date, date.year) for date in dates if date.year]
    if len(dated) == 1:
        [(date, year)] = dated
        years = [year + shift for shift in _SHIFTS if year + shift <= _LATEST]
        others = [str(each) for each in years if not material.has_value(float(each))]
        at = text.find(str(year), date.start)
        if 0 <= at < date.end and others and not re.match(r"\s?[-–/]", text[date.end :]):
            yield "year", Edit(at, at + len(str(year)), random.choice(others))
    if re.search(r"\b(?:between|until|weekdays|weekends?)\b", text):
        return
    for variant, names in (("month", MONTH_NAMES), ("weekday", WEEKDAYS)):
        titled = [name.title() for name in names]
        # Not in a name, such as "Palm Sunday".
        found = [*re.finditer(rf"(?<![A-Z][a-z][a-z][a-z] )(?:{'|'.join(titled)})", text)]
        if len(found) == 1 and any(e.start <= found[0].start() < e.end for e in dates):
            # Every month has a 28th, and a 30th but February.
            others = [name for name in titled if name not in (found[0][0], "February")]
            yield variant, Edit(*found[0].span(), random.choice(others))


# Other names

# A capital run, with the word before it: names that follow the same word are of one type, mostly.
_NAMED = re.compile(
    r"\b([a-z]+) ((?:[A-Z][\w.'’]*[a-z]\w*)(?: [A-Z][\w.]*[a-z]\w*){0,3})\b(?!, [A-Z]|['’])"
)


def find_names(text: str, material: Material, random: Random) -> Iterator[Rewrite]:
    """Yield, for each name, others of the document that follow the same word."""
    named = {
        (match[1], len(match[2].split()), match[2])
        for sentence in sentences_of(material.text)
        for match in _NAMED.finditer(sentence)
    }
    dates = {name.title() for name in (*MONTH_NAMES, *WEEKDAYS)}
    for match in _NAMED.finditer(text):
        key = match[1], len(match[2].split())
        others = sorted(name for *same, name in named if (*same,) == key)
        for other in random.sample(others, len(others)):
            known = set(other.split()) & (set(text.split()) | dates)
            if not known and not dates & set(match[2].split()):
                yield "name", Edit(*match.span(2), other)


class Rule(NamedTuple):
    """How texts of a kind are made, and how rarely that is possible: rare kinds are drawn more.

    `said` is whether the new words may make what another sentence of the sources says.
    """

    find: Callable[[str, Material, Random], Iterator[Rewrite]]
    weight: float
    english: bool = True
    said: bool = False


RULES: dict[Kind, Rule] = {
    "negation": Rule(find_negations, 5),
    "number": Rule(find_numbers_rewritten, 3, english=False),
    "unit": Rule(find_units, 9, said=True),
    "date": Rule(find_dates, 3, english=False, said=True),
    "entity": Rule(find_names, 6, said=True),
    "quantifier": Rule(find_quantifiers, 6),
}
"""The rule of each kind."""
