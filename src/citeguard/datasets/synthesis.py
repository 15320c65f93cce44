"""Wrong texts from true ones: `negatives` of one, `synthesize` of many, `sample_of` as a sample.

`true_quotes` draws the texts to start from. Rules, which need no model, yield rewrites of a text;
these are drawn, applied and checked. The rules are few and narrow on purpose: a rewrite that reads
oddly gives itself away.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from itertools import chain, islice
from math import inf
from random import Random
from typing import Any, Literal, NamedTuple, get_args

from citeguard.errors import CiteguardError, check_whole
from citeguard.language.lexicon import ends_in_abbreviation, find_lexicon
from citeguard.language.number_words import CARDINALS, MONTH_NAMES, TENS, WEEKDAYS
from citeguard.language.numbers import Number, find_numbers
from citeguard.language.scripts import UNSPACED
from citeguard.language.sentences import sentence_intervals
from citeguard.language.tokens import term_keys
from citeguard.quotes.canonical import SearchForm
from citeguard.sources.collection import Span, as_sources

Kind = Literal["negation", "number", "unit", "date", "entity"]
KINDS: tuple[Kind, ...] = get_args(Kind)

Target = Literal["quote", "statement"]
Label = Literal["supported", "unsupported", "contradicted", "false"]
Item = tuple[str, str, Any]
"""A true text, the id of its source, and its sources: whatever `Sources` accepts."""

_CONTRADICTED: frozenset[Kind] = frozenset(("negation", "number", "unit", "date"))
_ARTICLE = re.compile(r"\b(an?)\s+\Z", re.IGNORECASE)
# "a unit", "a user", "a European", "a one-way ticket"; "an hour", "an honour", "an heir", "an 8",
# "an 11", "an 18".
_VOWEL = re.compile(
    r"(?!uni|us[eu]|eu|on(?:e|ce)\b)[aeiou]|hour|hono|heir|8|1[18]\b", re.IGNORECASE
)
_LONGEST = 5_000  # characters of a quote or statement


@dataclass(frozen=True, slots=True, kw_only=True)
class Negative:
    """A quote or a statement that is wrong, made from a true one by one change.

    `dataclasses.asdict` makes JSON of it.

    Attributes:
        kind: What is wrong.
        variant: How it was made wrong, such as `denial added`.
        target: Whether it is a quote or a statement.
        text: The wrong text.
        source_id: The source that it claims to be from.
        original: The true text.
        start: Where the change starts, in both texts, in code points.
        removed: The words of the original there.
        added: The new words, in their place.
    """

    kind: Kind
    variant: str
    target: Target
    text: str
    source_id: str
    original: str
    start: int
    removed: str
    added: str

    @property
    def label(self) -> Label:
        """The label of the wrong text.

        A wrong quote is not found in its source and supports nothing: `unsupported`. A statement is
        `contradicted` if its negation, number, unit or date is wrong; otherwise it is `false`,
        which may be either.
        """
        if self.target == "quote":
            return "unsupported"
        return "contradicted" if self.kind in _CONTRADICTED else "false"


def negatives(
    text: str,
    sources: Any,
    *,
    source_id: str,
    kinds: Sequence[Kind] = KINDS,
    seed: int = 0,
    target: Target = "quote",
) -> list[Negative]:
    """Return wrong texts made from a true one, one of each kind that is possible.

    The result of one kind depends on the text, the sources and the seed, not on the other kinds. No
    wrong quote is found in a source, and no other sentence of the sources says the same with the
    new name, number or date. Whether the true text is true is not checked. Nothing is made of a
    text of more than 5,000 characters. No model is called.

    Texts are made wrong by rules of English. From sources in other languages only the kinds
    `number` and `date` are made.

    Args:
        text: A quote that is found in the source, or a statement that it supports.
        sources: Whatever `Sources` accepts.
        source_id: The source that the text is from.
        kinds: The kinds wanted, in the order of the result.
        seed: Another seed gives other texts.
        target: Whether the text is a `quote` or a `statement`.

    Raises:
        CiteguardError: a kind or target does not exist, or the seed is not an integer.
        UnknownSourceError: no source has the id.

    Examples:
        >>> rules = "Visitors must wear a badge. The notice period is 3 months. It is paid."
        >>> quote = "The notice period is 3 months."
        >>> for each in negatives(quote, rules, source_id="1", kinds=["negation", "unit"]):
        ...     print(each.kind, "|", each.text)
        negation | The notice period is not 3 months.
        unit | The notice period is 3 weeks.
    """
    _check_choices(kinds, seed, target)
    material = _Material((text, source_id, sources), seed, target)
    return [made for kind in dict.fromkeys(kinds) if (made := material.negative(kind))]


def synthesize(
    items: Iterable[Item],
    *,
    kinds: Sequence[Kind] = KINDS,
    seed: int = 0,
    each: int = 1,
    target: Target = "quote",
) -> Iterator[Negative]:
    """Yield wrong texts made from many true ones, in their order.

    Some of the kinds that a text allows are drawn, rare ones more often, so that all kinds are as
    frequent as possible. The result of an item depends on that item and the seed, not on the items
    before it. Items are read one at a time.

    Args:
        items: True texts, each with the id of its source, and its sources: whatever `Sources`
            accepts. Pass `Sources` that several items share as one object, in consecutive items.
        kinds: The kinds wanted.
        seed: Another seed gives other texts.
        each: The most texts made of an item.
        target: Whether the texts are quotes or statements.

    Raises:
        CiteguardError: a kind or target does not exist, or a number is not an integer.
        UnknownSourceError: no source has the id of an item.

    Examples:
        >>> handbook = {"handbook": "The notice period is 3 months. Lunch is free."}
        >>> items = [("The notice period is 3 months.", "handbook", handbook)]
        >>> [made.text for made in synthesize(items, kinds=["number"])]
        ['The notice period is 6 months.']
    """
    _check_choices(kinds, seed, target)
    check_whole("synthesize(each=...)", each, 1)
    return chain.from_iterable(_Material(item, seed, target).some(kinds, each) for item in items)


def sample_of(
    negative: Negative,
    sources: Any,
    *,
    quote: str | None = None,
    question: str | None = None,
    original: bool = False,
) -> dict[str, Any]:
    """Return a wrong text as a sample: an answer of one statement, with its citation and sources.

    A quote is cited for a statement with the same words. A statement cites the true text, or the
    given quote.

    Args:
        negative: The wrong text.
        sources: The sources that it was made with.
        quote: The quote that a statement cites, if the true one is not a quote itself.
        question: The question, if there was one.
        original: Whether to return the true text instead, labelled `supported`.

    Examples:
        >>> rules = "Visitors wear a badge. The notice period is 3 months."
        >>> quote = "The notice period is 3 months."
        >>> made = negatives(quote, rules, source_id="1", kinds=["negation"])[0]
        >>> sample = sample_of(made, rules)
        >>> sample["label"], sample["statements"][0]["citations"][0]["quote"]
        ('unsupported', 'The notice period is not 3 months.')
    """
    text, source_id = negative.original if original else negative.text, negative.source_id
    cited = text if negative.target == "quote" else quote or negative.original
    kind = "true" if original else negative.kind
    # From what it is made of, so that the same negative has the same id in every run.
    key = "\0".join((kind, negative.target, source_id, text, cited))
    return {
        "id": f"{kind}-{hashlib.sha256(key.encode()).hexdigest()[:12]}",
        "question": question,
        "statements": [{"text": text, "citations": [{"quote": cited, "source_id": source_id}]}],
        "sources": [{"id": source.id, "text": source.text} for source in as_sources(sources)],
        "label": "supported" if original else negative.label,
        "negative": None if original else asdict(negative),
    }


class _Material:
    """A true text, its sources, and what can be made of it; `document` is the source it is from."""

    def __init__(self, item: Item, seed: int, target: Target) -> None:
        self._text, self._source_id, given = item
        self._sources = as_sources(given)
        self.document = self._sources[self._source_id].text
        lexicon = find_lexicon(self.document[:_MOST_READ])
        self.is_english = lexicon is not None and lexicon.code == "en"
        self._seed = seed
        self._target: Target = target

    def some(self, kinds: Sequence[Kind], most: int) -> Iterator[Negative]:
        """Yield wrong texts of so many kinds, rare ones more often."""
        ranks: dict[Kind, float] = {
            # The largest of such powers is a weighted draw without replacement (Efraimidis and
            # Spirakis, 2006).
            kind: self._random(f"order\0{kind}").random() ** (1 / RULES[kind].weight)
            for kind in KINDS
            if kind in kinds
        }
        drawn = sorted(ranks, key=lambda kind: -ranks[kind])
        return islice(filter(None, map(self.negative, drawn)), most)

    def negative(self, kind: Kind) -> Negative | None:
        """Return a wrong text of a kind, or `None`."""
        rule, original = RULES[kind], self._text
        foreign = rule.english and not self.is_english
        if not 0 < len(original) <= _LONGEST or foreign:
            return None
        random = self._random(kind)
        rewrites = list(rule.find(original, self, random))
        random.shuffle(rewrites)
        for variant, found in rewrites:
            edit = _fitted(original, found)
            text = original[: edit.start] + edit.text + original[edit.end :]
            # The sign of a currency is no letter: "€5" is found where "$5" is.
            known = text == original or (variant != "currency" and self._has(text))
            if not known and not (rule.said and self._says(text, found.text)):
                return Negative(
                    kind=kind,
                    variant=variant,
                    target=self._target,
                    text=text,
                    source_id=self._source_id,
                    original=original,
                    start=edit.start,
                    removed=original[edit.start : edit.end],
                    added=edit.text,
                )
        return None

    def has_value(self, value: float) -> bool:
        """Return whether a source has a number."""
        return any(value in _values(source.text) for source in self._sources)

    def _has(self, text: str) -> bool:
        """Return whether a source has the letters and digits of a text in a row."""
        letters = SearchForm(text).letters
        return any(letters in source.prepared.form.letters for source in self._sources)

    def _says(self, text: str, new: str) -> bool:
        """Return whether a sentence of a source has all new terms, and most others of a text."""
        wanted, fresh = term_keys(text), term_keys(new)
        return bool(fresh) and any(
            fresh <= term_keys(said) and len(wanted & term_keys(said)) >= _SAID * len(wanted)
            for source in self._sources
            for said in _sentences_of(source.text)
        )

    def _random(self, purpose: str) -> Random:
        # A string seeds alike in every process; the hash of a string does not.
        return Random(f"{self._seed}\0{purpose}\0{self._source_id}\0{self._text}")


def _fitted(text: str, edit: Edit) -> Edit:
    """Return an edit with the capital of a text's beginning, and with "a" or "an" before it."""
    before, new = text[: edit.start], edit.text
    if not before.strip(" \"'“‘([") and text[edit.start : edit.start + 1].isupper():
        new = new[:1].upper() + new[1:]
    article, n = _ARTICLE.search(before), "n" if _VOWEL.match(new) else ""
    if article and new[:1].isalnum() and article[1][1:] != n:
        between = before[article.end(1) :]
        return Edit(article.start(1), edit.end, f"{article[1][0]}{n}{between}{new}")
    return edit._replace(text=new)


def _check_choices(kinds: Sequence[Kind], seed: int, target: object) -> None:
    unknown = [kind for kind in kinds if kind not in KINDS]
    if unknown or isinstance(kinds, str):
        raise CiteguardError(f"kinds must be of {', '.join(KINDS)}, not {kinds!r}")
    if target not in ("quote", "statement"):
        raise CiteguardError(f'target must be "quote" or "statement", not {target!r}')
    check_whole("seed", seed, 0)


# True quotes

_FEWEST_WORDS = 6
_FEWEST_CHARACTERS, _MOST_CHARACTERS = 35, 320
_LEAST_LETTERS = 0.7  # share of letters among what is no white space
_MOST_CAPITALS = 0.5  # share of words with a capital, above which a line is a heading
_UNSPACED = re.compile(f"[{UNSPACED}]")
_FEWEST_UNSPACED, _MOST_UNSPACED = 12, 120
_STOPS = (".", "!", "。", "！", '."', ".”", ".'", ".’", ".)", "。」")


def true_quotes(sources: Any, *, count: int | None = None, seed: int = 0) -> list[Span]:
    """Draw quotes from sources: whole sentences.

    Headings, fragments, questions, tables, and sentences of fewer than 6 words or more than 320
    characters are omitted. A sentence that is found in several places is drawn once. No model is
    called.

    Args:
        sources: Whatever `Sources` accepts.
        count: The most quotes; `None` for all. Fewer are returned if there are not as many.
        seed: Another seed draws other quotes.

    Returns:
        The spans of the quotes, in the order of the sources.

    Raises:
        CiteguardError: `count` or `seed` is not an integer of at least 0, or the sources are not
            what `Sources` accepts.

    Examples:
        >>> from citeguard import Sources
        >>> sources = Sources({"rules": "Rules. Visitors may not enter the laboratory on Sundays."})
        >>> [sources.slice(span) for span in true_quotes(sources, count=1)]
        ['Visitors may not enter the laboratory on Sundays.']
    """
    check_whole("true_quotes(seed=...)", seed, 0)
    if count is not None:
        check_whole("true_quotes(count=...)", count, 0)
    spans = {
        source.text[start:end]: Span(source.id, start, end)
        for source in as_sources(sources)
        for start, end in sentence_intervals(source.text)
        if _is_natural(source.text[start:end])
    }
    # A rank by its own text: a sentence more in a source leaves the draw of the others as it was.
    ranks = {text: Random(f"{seed}\0{text}").random() for text in spans}
    chosen = frozenset(sorted(ranks, key=ranks.__getitem__)[:count])
    return [span for text, span in spans.items() if text in chosen]


def _is_natural(text: str) -> bool:
    if "\n" in text or not text.endswith(_STOPS) or ends_in_abbreviation(text):
        return False
    if _UNSPACED.search(text):
        return _FEWEST_UNSPACED <= len(text) <= _MOST_UNSPACED
    words = text.split()
    return (
        len(words) >= _FEWEST_WORDS
        and _FEWEST_CHARACTERS <= len(text) <= _MOST_CHARACTERS
        and text[0].isupper()
        and sum(map(str.isalpha, text)) >= _LEAST_LETTERS * len("".join(words))
        and sum(word[0].isupper() for word in words) <= _MOST_CAPITALS * len(words)
    )


# The rules

_MOST_READ = 200_000  # characters of a source that are read
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
def _sentences_of(text: str) -> tuple[str, ...]:
    """Return a text's sentences, without those of several lines."""
    found = (text[start:end] for start, end in sentence_intervals(text[:_MOST_READ]))
    return tuple(sentence for sentence in found if "\n" not in sentence)


@lru_cache(maxsize=_MOST_TEXTS)
def _values(text: str) -> frozenset[float]:
    """Return the values of a text's numbers, and of the parts of its dates."""
    return frozenset(
        float(value)
        for number in find_numbers(text[:_MOST_READ])
        for value in (number.value, number.low, number.high, number.year, number.day)
        if value is not None
    )


# Other words

_DETAIL = r"[^,;:?()\"“”—]*"  # the rest of a simple sentence, of which a denial is believed
_ADVERBS = r"(?!not\b|no\b|a few\b|only\b|also\b|always\b|often\b|so\b|there\b|here\b|too\b)"
# Not before "unknown" or "invalid": a denied denial reads oddly.
_DENIED = re.compile(
    rf"(?<=[a-z] )(is|are|was|were|can|could|has been|have been|had been) {_ADVERBS}"
    rf"(?!un|in[a-z])(?=\w+ {_DETAIL}\.$)(?![A-Z])"
)
# Of "some are" and "may be" the denial may be true, too.
_VAGUE = re.compile(
    r"\b(?:some|all|every|each|many|most|few|several|any|no|not|never|may|might|sometimes|often"
    r"|usually|generally|because|unless|whether|why|if|but|until)\b|n['’]t\b",
    re.IGNORECASE,
)
# Within these nothing is asserted that could become false.
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


def find_negations(text: str, material: _Material, random: Random) -> Iterator[Rewrite]:
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
# "Three tools: A, B and C": the list gives another number away.
_MOST_LISTED = 12
_LIST = re.compile(r":[^.;]*(?:\band\b|, )")
_LONGEST_NUMBER = 15  # characters of a number that counts something
_LEAST_SHIFT, _MOST_SHIFT, _FEWEST = 0.05, 0.6, 4  # shares of a number; the least reach
_DRAWN = 60  # figures drawn for one number


def find_numbers_rewritten(text: str, material: _Material, random: Random) -> Iterator[Rewrite]:
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
            # More than all of something gives itself away.
            if number.kind == "percent" and old <= 100 < new:
                continue
            if not (material.has_value(new) or material.has_value(new * scale)):
                yield "number", Edit(start, end, other)
                break


def _counts(text: str, number: Number, start: int, end: int, material: _Material) -> bool:
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


def find_units(text: str, material: _Material, random: Random) -> Iterator[Rewrite]:
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


def find_dates(text: str, material: _Material, random: Random) -> Iterator[Rewrite]:
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


def find_names(text: str, material: _Material, random: Random) -> Iterator[Rewrite]:
    """Yield, for each name, others of the document that follow the same word."""
    named = {
        (match[1], len(match[2].split()), match[2])
        for sentence in _sentences_of(material.document)
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

    find: Callable[[str, _Material, Random], Iterator[Rewrite]]
    weight: float
    english: bool = True
    said: bool = False


# Each weight is how seldom the kind is possible, as measured on encyclopedias' sentences.
RULES: dict[Kind, Rule] = {
    "negation": Rule(find_negations, 5),
    "number": Rule(find_numbers_rewritten, 3, english=False),
    "unit": Rule(find_units, 9, said=True),
    "date": Rule(find_dates, 3, english=False, said=True),
    "entity": Rule(find_names, 6, said=True),
}
"""The rule of each kind."""
