"""What an ellipsis in a quote omits, and whether the omission changes what the source says.

People quote in this way: the parts are verbatim, in order and of one section. Whole sentences may
be omitted, whatever they say. A part of a sentence may be omitted if nothing in it bears on what is
kept: no denial, condition, attribution or hedge, no other subject, no other value. A relative
clause that is set off on both sides and omitted as a whole says nothing about the rest. A gap from
the middle of one sentence to the middle of another joins the two into a third, and is never
harmless.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import cache
from typing import Literal

from citeguard.language import quantities
from citeguard.language.grammar import is_finite
from citeguard.language.lexicon import Lexicon, find_lexicon, load_lexicon, name_language
from citeguard.language.scripts import is_unspaced
from citeguard.language.sentences import whole_sentences
from citeguard.language.tokens import Token, has_words, tokenize
from citeguard.quotes.differences import Edit, omission
from citeguard.quotes.insertions import is_speaker

FARTHEST = 20_000  # characters between two segments: a long section
_ELLIPSIS = re.compile(
    r"\s*(?:[\[(]\s*(?:\.\s?\.\s?\.|…|⋯|snip|omitted)\s*\.?\s*[\])]|(?:\.\s?){2,}\.|…+|⋯+)"
    r"(?:[.,;:!?–—]+(?=\s|$))?\s*"  # of the quote, as what follows begins with none
)
_SIGNS = ("…", "⋯", "..", ". .", ".\n.", ".\t.", ".\u00a0.", "snip", "omitted")
# A heading between two parts: of Markdown, underlined, or a short line without a stop that blank
# lines set off.
_HEADING = re.compile(
    r"\n[ \t]*#{1,6}[ \t]|\n[^\n]{1,80}\n[ \t]*(?:={3,}|-{3,})[ \t]*\n"
    r"|\n[ \t]*\n[ \t]*(?:\d+(?:\.\d+)*\.?[ \t]+)?[A-Z0-9][^\n.!?;:,]{2,60}\n[ \t]*\n"
)
_BORDERS = ',;:()[]—–-、，；：（）،؛"“”«»'
_ASIDE_BORDER = re.compile(r"([,،](?!\d)|[;()\[\]—–]|(?<=\s)--?(?=\s))")
_LEAST_SAID = 2  # characters
# "[10:02] **Ann:** ", "ANN.— ", "— "
_LABEL = re.compile(
    r"""
    ^ (?P<time> [\[(]? \d{1,2}:\d\d (?: :\d\d )? [\])]? [ \t]* )?
    (?: (?: \*\* | >>[ \t]* | <v[ \t]+ )?
        (?P<name> [^\W\d_][\w.'’-]* (?: [ \t][^\s:\[\]()]+ ){0,3}? )
        (?: [ \t]* [(\[] [\d:.,\x20]+ [)\]] )? (?: \*\* )?
        (?: [:：] (?: \*\* )? (?= \s | [^\x00-\x7f] ) | \.?[ \t]?[—–] (?=\s) | > )
      | (?P<dash> [—―] ) (?= [\s\w¿¡] )
    )
    """,
    re.MULTILINE | re.VERBOSE,
)
_BEFORE_RELATIVE = 2  # words: "two of whom"
_SENTENCE = 400  # characters of the sentence that show its language
_FIRST_WORDS = 4  # of what follows a gap, in which a value may take the place of one omitted


def may_have_ellipsis(text: str) -> bool:
    """Return whether a text has a sign without which it has no ellipsis; a quick test."""
    return any(sign in text for sign in _SIGNS)


def without_ellipses(text: str) -> str:
    """Return a text with a blank in place of each ellipsis."""
    return _ELLIPSIS.sub(" ", text)


def split_at_ellipses(quote: str) -> list[str]:
    """Return the segments of a quote between its ellipses, without blank ones.

    Examples:
        >>> split_at_ellipses("The drug [...] was safe…")
        ['The drug', 'was safe']
    """
    return [part for part in _ELLIPSIS.split(quote) if has_words(part)]


def find_hidden(text: str, start: int, end: int) -> Edit | None:
    """Return the material edit that an ellipsis hides in `text[start:end]`, or `None`.

    Examples:
        >>> find_hidden("It rained. Nobody came. We left.", 10, 24)
        >>> text = "The drug was not approved."
        >>> find_hidden(text, 12, 16).reason
        'negation'
    """
    gap = text[start:end]
    if _has_two_speakers(text, start, end):
        return omission(_shortened(gap), "two speakers joined")
    if not has_words(gap):
        return None
    if len(gap) > FARTHEST or _HEADING.search(gap):
        return omission(_shortened(gap), "different passages")
    left = whole_sentences(text, start - 1, start)
    right = whole_sentences(text, end, end + 1)
    if left[1] > end or right[0] <= left[0]:
        place = "middle" if has_words(text[end : left[1]]) else "end"
        return _hidden_in(text, start, end, place)
    tail, head = (start, min(left[1], end)), (max(right[0], start), end)
    if not has_words(text[slice(*head)]):
        return _hidden_in(text, *tail, "end") if has_words(text[slice(*tail)]) else None
    if has_words(text[slice(*tail)]):
        return omission(_shortened(gap), "two sentences joined")
    return _hidden_in(text, *head, "beginning")


def _has_two_speakers(text: str, start: int, end: int) -> bool:
    """Return whether what is before a gap and what is behind it are said by two people."""
    if "\n" not in text[start:end]:
        return False
    one, other = (_speaker_before(text, place) for place in (start, end))
    if one is None or other is None or one.start() == other.start():
        return False
    if one["dash"] or other["dash"]:  # of a dialogue, in which each line has another speaker
        return one["dash"] == other["dash"]
    surely = all(label["time"] or is_speaker(label["name"]) for label in (one, other))
    return surely and one["name"] != other["name"]


def _speaker_before(text: str, place: int) -> re.Match[str] | None:
    """Return what names the speaker of the words right before a place, where a line begins."""
    low = max(0, place - _SENTENCE)
    # Not of a paragraph before; a label may end one.
    low = max(low, text.rfind("\n\n", low, max(low, place - _LEAST_SAID)))
    return max(_LABEL.finditer(text, low, place), key=lambda label: label.start(), default=None)


def _hidden_in(
    text: str, start: int, end: int, place: Literal["beginning", "middle", "end"]
) -> Edit | None:
    """Return what the omission of a part of a sentence hides, or `None`."""
    gap = text[start:end]
    near = text[max(0, start - _SENTENCE) : end + _SENTENCE]
    lexicon = find_lexicon(near)
    if lexicon is None:
        is_joint = gap.strip(" \t\n,;").casefold() in _connectives(near)
        return None if is_joint else omission(_shortened(gap), "part of a sentence")
    rest = _without_asides(text, start, end, place, lexicon) if lexicon.relatives else gap
    omitted, kept = _Words(rest, lexicon), _Words(text[end : end + _SENTENCE], lexicon)
    if not omitted.keys:
        return None
    if loaded := _find_loaded(omitted):
        return omission(*loaded)
    # "Ann, who is ill, and Bob, who is not, left" has an aside at either end and is none.
    one = lexicon.final or rest == gap
    if place == "end" or (one and _is_parenthesis(text, start, end, place)):
        return None
    if place == "beginning":
        own = bool(kept.keys) and kept.keys[0] in lexicon.subjects
        return None if own else omission(_shortened(gap), "another subject")
    if hidden := omitted.find_first(lexicon.approximators | lexicon.quantifiers):
        return omission(hidden, "qualifier")
    if omitted.measures() & kept.measures(_FIRST_WORDS):
        return omission(_shortened(gap), "number")
    if omitted.opens_clause(kept):
        return omission(_shortened(gap), "another subject")
    return None


def _connectives(text: str) -> frozenset[str]:
    """Return what joins equals in the language of a text, whose other words are unknown."""
    return load_lexicon(name_language(text, 0, len(text))).connectives


@cache
def _denying(lexicon: Lexicon) -> frozenset[str]:
    return lexicon.negators | {each for each in lexicon.denials if " " in each}  # "far from"


def _find_loaded(omitted: _Words) -> tuple[str, str] | None:
    """Return a word that turns what is kept, and what kind of word it is, or `None`."""
    lexicon = omitted.lexicon
    negators = _denying(lexicon)
    if not lexicon.relatives.isdisjoint(omitted.keys):  # "which is a myth"
        negators |= lexicon.untrue
    if hidden := omitted.find(negators, lexicon.negating_parts):
        return hidden, "negation"
    if hidden := omitted.find(lexicon.hedges | lexicon.conditions | lexicon.attributions):
        return hidden, "qualifier"
    if hidden := omitted.find_last(lexicon.approximators | lexicon.quantifiers):
        return hidden, "qualifier"
    if omitted.keys and omitted.keys[0] in quantities.MAGNITUDE_WORDS:
        return omitted.keys[0], "number"  # "ten … dollars" hides "million"
    return None


def _without_asides(text: str, start: int, end: int, place: str, lexicon: Lexicon) -> str:
    """Return a gap without the relative clauses that are set off on both sides in it."""
    pieces = _ASIDE_BORDER.split(text[start:end])
    before, after = text[max(0, start - 4) : start].rstrip()[-1:], text[end : end + 4].lstrip()[:1]
    opened = place != "beginning" and bool(before) and before in _BORDERS
    closed = place == "end" or (bool(after) and after in _BORDERS + ".!?।")
    for i in range(0, len(pieces), 2):
        is_set_off = (opened or i > 0) and (closed or i < len(pieces) - 1)
        if is_set_off and _Words(pieces[i], lexicon).is_relative_clause():
            pieces[i] = " "
    return "".join(pieces)


def _is_parenthesis(text: str, start: int, end: int, place: str) -> bool:
    """Return whether a gap is set off on both sides, as in "the drug, an opioid, was"."""
    gap, before = text[start:end].strip(), text[max(0, start - 4) : start].rstrip()[-1:]
    after = text[end : end + 4].lstrip()[:1]
    opens = place == "beginning" or gap[0] in _BORDERS or before in tuple(_BORDERS)
    return opens and (gap[-1] in _BORDERS or after in tuple(_BORDERS + ".!?。"))


def _shortened(gap: str) -> str:
    gap = " ".join(gap.split())
    return gap if len(gap) <= 120 else f"{gap[:60].rstrip()} … {gap[-50:].lstrip()}"


class _Words:
    """A part of a text, as words of its language."""

    def __init__(self, text: str, lexicon: Lexicon) -> None:
        self.text, self.lexicon = text.casefold(), lexicon
        self.tokens: Sequence[Token] = [t for t in tokenize(text) if t.kind != "mark"]
        self.keys = [token.key for token in self.tokens]

    def find(self, words: frozenset[str], parts: Collection[str] = ()) -> str | None:
        """Return the first word or phrase of a table that the part has, or `None`."""
        if any(map(is_unspaced, self.text[:1])):
            return min((word for word in (*words, *parts) if word in self.text), default=None)
        joined = f" {' '.join(self.keys)} "
        for i, key in enumerate(self.keys):
            is_month = key == "may" and self.tokens[i].text[:1].isupper()
            if (key in words and not is_month) or key.endswith("n't"):
                return key
        phrases = (word for word in words if " " in word and f" {word} " in joined)
        return min(phrases, default=None) or min(
            filter(self.text.__contains__, parts), default=None
        )

    def find_last(self, words: frozenset[str]) -> str | None:
        """Return a word or phrase of a table with which the part ends, or `None`."""
        if any(map(is_unspaced, self.text[:1])):
            return min(filter(self.text.rstrip().endswith, words), default=None)
        joined = f" {' '.join(self.keys)}"
        ends = joined, joined.removesuffix(" of")
        return min(
            (word for word in words if any(e.endswith(f" {word}") for e in ends)), default=None
        )

    def find_first(self, words: frozenset[str]) -> str | None:
        """Return a word or phrase of a table with which the part begins, or `None`."""
        skipped = self.keys[:1] and self.keys[0] in self.lexicon.connectives
        joined = f"{' '.join(self.keys[bool(skipped) :])} "
        return min((word for word in words if joined.startswith(f"{word} ")), default=None)

    def is_relative_clause(self) -> bool:
        """Return whether the part is a clause about a noun; not "which is a myth"."""
        lexicon, keys = self.lexicon, self.keys
        if lexicon.final:  # "temel ilkelere dayanan"
            ends = tuple(end[1:] for end in lexicon.relatives)
            return len(keys) > 1 and keys[-1].endswith(ends)
        place = next((i for i, key in enumerate(keys) if key in lexicon.relatives), len(keys))
        light = lexicon.common | lexicon.quantifiers | lexicon.numbers | quantities.NUMBER_WORDS
        if place > _BEFORE_RELATIVE or place >= len(keys) or not light.issuperset(keys[:place]):
            return False
        return not self.find(lexicon.untrue | lexicon.denials)

    def measures(self, most: int | None = None) -> set[str]:
        """Return what the numbers among the first words measure: "%", "$", a unit, or ""."""
        found: set[str] = set()
        for i, token in enumerate(self.tokens[:most]):
            if token.kind == "number" or token.key in quantities.NUMBER_WORDS:
                before, after = self.keys[i - 1 : i], self.keys[i + 1 : i + 3]
                signs = [key for key in (*before, *after) if key in quantities.CURRENCIES]
                percent = any(key in quantities.PERCENT for key in after[:1])
                units = [key for key in after[:1] if key in quantities.UNIT_WORDS]
                found.add("%" if percent else "".join((signs or units or [""])[:1]))
        return found

    def opens_clause(self, kept: _Words) -> bool:
        """Return whether the part begins a clause of which the words that follow are the rest."""
        clause, last = None, 0
        for i, key in enumerate(self.keys):
            if key in self.lexicon.subordinators or key in self.lexicon.connectives:
                clause, last = key, i
        rest = self.keys[last + 1 :]
        if clause is None or not rest:
            return False
        follows = [key for key in kept.keys[:2] if not key.endswith("ly")][:1]
        if self.lexicon.code == "en":  # "and sales | rose", but not "and red | cars"
            return any(map(is_finite, follows))
        # "on Monday and Tuesday | in Bonn" goes on with the clause; "and sales | rose" does not.
        words = self.lexicon.common - self.lexicon.subjects
        return clause in self.lexicon.subordinators or words.isdisjoint(follows)
