"""True quotes, and the kinds of wrong ones made of whole sentences or by cuts.

`true_quotes` draws quotes from sources. The kinds are `stitched`, `misattributed`, `clipped` and
`fabricated`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

from citeguard.datasets.synthesis.names import find_names
from citeguard.datasets.synthesis.passages import (
    Edit,
    Material,
    Passage,
    Rewrite,
    drawn,
    is_balanced,
    rewritten,
    sentences_of,
)
from citeguard.datasets.synthesis.values import find_dates, find_numbers, find_units
from citeguard.datasets.synthesis.wording import finite_forms
from citeguard.errors import check_whole
from citeguard.language.abbreviations import ends_in_abbreviation
from citeguard.language.grammar import AUXILIARIES
from citeguard.language.lexicon import load_lexicon
from citeguard.language.quantities import MAGNITUDES
from citeguard.language.scripts import UNSPACED
from citeguard.sources.collection import Span, as_sources

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
    given = as_sources(sources)
    spans = {
        source.text[start:end]: Span(source.id, start, end)
        for source in given
        for start, end in sentences_of(source.text)
        if _is_natural(source.text[start:end])
    }
    ranks = {text: Random(f"{seed}\0{text}").random() for text in spans}
    chosen = frozenset(sorted(ranks, key=ranks.__getitem__)[:count])
    return [span for text, span in spans.items() if text in chosen]


def _is_natural(text: str) -> bool:
    if "\n" in text or not text.endswith(_STOPS) or ends_in_abbreviation(text):
        return False
    if _UNSPACED.search(text):
        return _FEWEST_UNSPACED <= len(text) <= _MOST_UNSPACED
    words = text.split()
    short = len(words) < _FEWEST_WORDS or len(text) < _FEWEST_CHARACTERS
    if short or len(text) > _MOST_CHARACTERS or not text[0].isupper():
        return False
    letters = sum(char.isalpha() for char in text)
    capitals = sum(word[0].isupper() for word in words)
    is_prose = letters >= _LEAST_LETTERS * len("".join(words))
    return is_prose and capitals <= _MOST_CAPITALS * len(words)


# Whole sentences

# Where a sentence can go on as another one does after the same words.
_JOINT = re.compile(
    r"(?:, and (?:it|he|she|they|the|is|was|has|had|are|were)|, (?:but|while|although|which|who"
    r"|where|including|making)|,? (?:because|when)| (?:so that|in order to|due to|despite|until"
    r"|according to|such as|as well as|in which|that (?:is|was|are|were|has|had))) "
)
_ELLIPSIS = re.compile(r"\.\s?\.|…")
_WHOLE_STOPS = (".", "!", "。", "”", '"', ")")
_LEAST = 4  # words of either half
_MOST_SENTENCES = 40
_MOST_TEMPLATES, _MOST_FABRICATED = 12, 2
_FEWEST_CHANGES = 2


def find_joins(passage: Passage, material: Material, random: Random) -> Iterator[Rewrite]:
    """Yield the text continued as another sentence is, or followed by one that does not follow it.

    Joins after the same words are preferred; one time in three, what is elided in a wrong order is.
    """
    if _ELLIPSIS.search(passage.text):
        return
    others = drawn(_joinable(passage, material), _MOST_SENTENCES, random)
    elided = 3 if random.random() < 1 / 3 else 0
    end, place = len(passage.text), material.document.text.find(passage.text)
    stopped = passage.text.rstrip().endswith((".", "!", "?", "。")) and is_balanced(passage.text)
    gap = "" if passage.text.rstrip().endswith("。") else " "
    for other in others:
        yield from _joined(passage.text, other) if material.document.is_english else ()
        if stopped:
            yield Rewrite("appended", (Edit(end, end, f"{gap}{other}"),), preference=1)
        is_before = 0 <= material.document.text.rfind(other) < place
        if is_before and other.split()[0] in ("The", "It", "He", "She"):
            yield Rewrite("out of order", (Edit(end, end, f" … {other}"),), preference=elided)


def _joinable(passage: Passage, material: Material) -> Iterator[str]:
    """Yield the other sentences of the source that could be quoted."""
    for text in material.document.sentences:
        apart = text not in passage.text and passage.text not in text
        long = len(text.split()) > 2 * _LEAST or (" " not in text and len(text) > 3 * _LEAST)
        whole = text[0].isalpha() and not text[0].islower() and text.endswith(_WHOLE_STOPS)
        if apart and long and whole and not _ELLIPSIS.search(text) and is_balanced(text):
            yield text


def _joined(text: str, other: str) -> Iterator[Rewrite]:
    there = {match[0]: other[match.end() :] for match in _JOINT.finditer(other)}
    for here in _JOINT.finditer(text):
        rest = there.get(here[0], "")
        long = all(len(half.split()) >= _LEAST for half in (text[: here.start()], rest))
        if long and rest != text[here.end() :] and is_balanced(text[: here.end()] + rest):
            yield Rewrite("joined", (Edit(here.end(), len(text), rest),), preference=2)


def find_attributions(passage: Passage, material: Material, random: Random) -> Iterator[Rewrite]:
    """Yield the other sources; those that have the text are rejected later."""
    for source_id in material.sources.ids:
        if source_id != material.source_id:
            yield Rewrite("source", (), source_id=source_id)


def find_fabrications(passage: Passage, material: Material, random: Random) -> Iterator[Rewrite]:
    """Yield other sentences of the source with several of their facts changed at once."""
    templates = drawn(_joinable(passage, material), _MOST_TEMPLATES, random)
    refilled = (_refilled(Passage(text), material, random) for text in templates)
    for text in islice(filter(None, refilled), _MOST_FABRICATED):
        yield Rewrite("refilled", (Edit(0, len(passage.text), text),))


def _refilled(template: Passage, material: Material, random: Random) -> str | None:
    """Return a sentence with a name, number, date or unit changed each, or `None` if it has one."""
    edits: list[Edit] = []
    for find in (find_names, find_numbers, find_dates, find_units):
        for _, [edit], *_ in find(template, material, random):
            if all(edit.end < other.start or other.end < edit.start for other in edits):
                edits.append(edit)
                break
    return rewritten(template.text, edits)[0] if len(edits) >= _FEWEST_CHANGES else None


# Cuts

_LEAST_CUT = 2  # words
_LIMIT = re.compile(
    r"(?<!\bor)(?<!\bthat)(?<!\bas)(?<!\beven)(?<!\bonly)(?<!\beach),? (?:unless|except|excluding"
    r"|as long as|only if|but only|but not|other than|with the exception of"
    r"|if(?! (?:ever|any|not|necessary|possible)\b)) "
)
_FRAME = re.compile(r"\b(\w+) that\s+")
_ENGLISH = load_lexicon("en")
_DENIED = _ENGLISH.denials | _ENGLISH.untrue | {"evidence"}  # "there is no evidence that"
_ALLEGED = _ENGLISH.attributions & (_ENGLISH.hedges | _ENGLISH.qualifiers)
_MEASURING = frozenset("of by than about at over under nearly almost around is was $ € £".split())
_UNENDED = (" for", " of", " to", " by", " in", " with", " and", " a", " the")
_DENYING = frozenset("not never cannot hardly rarely seldom barely".split())
_HEDGING = frozenset("allegedly reportedly supposedly purportedly formerly almost nearly".split())
_BOUND = re.compile(r"\b(?:but|any|anymore|ever|either)\b")  # to the "not" before them
_NOT_BESIDE = frozenset("if and or only just limited".split())


def find_cuts(passage: Passage, material: Material, random: Random) -> Iterator[Rewrite]:
    """Yield cuts by which a quote misleads.

    `torn number` cuts a number in two, or from its magnitude or sign. `hidden denial` replaces a
    "not" by an ellipsis, and `hidden hedge` an "allegedly". `lost denial` and `lost source` omit
    what denies a sentence or who says it, and `lost condition` what limits it; the source has the
    words of these three in a row.
    """
    text = passage.text
    for edit in _torn(passage):
        left = f"{text[: edit.start]}{text[edit.end :]}"
        if len(left.split()) > _LEAST and _has_verb(left) and is_balanced(left):
            yield Rewrite("torn number", (edit,))
    if not material.document.is_english:
        return
    yield from _hidden(passage)
    for match in _FRAME.finditer(text):
        denied = match[1] in _DENIED and ("no" in passage.keys or match[1] != "evidence")
        if (denied or match[1] in _ALLEGED) and len(text[match.end() :].split()) > _LEAST:
            variant = "lost denial" if denied else "lost source"
            yield Rewrite(variant, (Edit(0, match.end(), ""),))
    for match in _LIMIT.finditer(text):
        before, after = text[: match.start()], text[match.end() :]
        whole = len(before.split()) >= _LEAST and len(after.split()) >= _LEAST_CUT
        ends = not before.endswith(_UNENDED) and is_balanced(before) and " would " not in before
        if whole and ends and _has_verb(before):
            yield Rewrite("lost condition", (Edit(match.start(), len(text), ""),))


def _torn(passage: Passage) -> Iterator[Edit]:
    """Yield cuts that leave a smaller number: "25" of "25 million", "250" of "1,250"."""
    for number in passage.numbers:
        figure = re.match(r"\d[\d.,]*\d|\d", passage.text[number.start : number.end])
        if figure is None or number.kind in ("date", "label"):
            continue
        start, i = number.start, passage.place_at(number.start)
        before, end = passage.key_at(i - 1), len(passage.text)
        if before in _MEASURING:
            if passage.key_at(i + 1) in {*MAGNITUDES, "percent"} and "." not in figure[0]:
                yield Edit(start + figure.end(), end, "")
            if figure[0].count(".") == 1:
                yield Edit(start + figure[0].index("."), end, "")
        if "," in figure[0] and figure[0].partition(",")[2][0] != "0":
            yield Edit(0, start + figure[0].index(",") + 1, "")
        elif before in ("$", "€", "£"):
            yield Edit(0, start, "")


def _hidden(passage: Passage) -> Iterator[Rewrite]:
    """Make "It … apply" of "It does not apply", and "He … went" of "He allegedly went"."""
    words = passage.words
    for i in range(2, len(words) - 2):
        key, before, after = words[i].key, passage.key_at(i - 1), passage.key_at(i + 1)
        if key not in _DENYING | _HEDGING or _BOUND.search(passage.text, words[i].end):
            continue
        # "not-for-profit" and "(not ...)"
        glued = words[i + 1].start == words[i].end or passage.text[words[i].start - 1] == "("
        if not glued and _NOT_BESIDE.isdisjoint((before, after)):
            first = i - (before in ("does", "do", "did"))
            last = i + (after in ("longer", "necessarily"))
            variant = "hidden denial" if key in _DENYING else "hidden hedge"
            yield Rewrite(variant, (passage.edit(first, last, "…"),))


def _has_verb(text: str) -> bool:
    """Return whether a text is likely to be a clause: it has a common form of a verb."""
    words = set(text.lower().split())
    return not AUXILIARIES.isdisjoint(words) or not words.isdisjoint(finite_forms())
