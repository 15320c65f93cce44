"""What an ellipsis in a quote omits, and whether the omission changes what the source says.

People quote in this way: the parts are verbatim, in order and of one section. Whole sentences may
be omitted, whatever they say. A part of a sentence may be omitted by its form: what commas,
brackets, dashes or words such as "and" set off on both sides, its first or last words, lines of
verse, and who speaks; but no denial, condition, attribution or hedge. A gap from the middle of one
sentence to the middle of another joins the two into a third, and is harmless only between whole
clauses.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import cache
from typing import Literal

from citeguard.language import quantities
from citeguard.language.lexicon import (
    CODES,
    Lexicon,
    find_framing_lexicon,
    union,
)
from citeguard.language.scripts import is_unspaced
from citeguard.language.sentences import whole_sentences
from citeguard.language.tokens import Token, has_words, tokenize
from citeguard.quotes.differences import Edit, omission
from citeguard.quotes.printed import is_speaker

FARTHEST = 20_000  # characters between two segments: a long section
# What an editor writes in brackets for what is left out; dots, also those of East Asia.
_LEFT_OUT = (
    "snip|omitted|omissis|[中前後后上下]略|(?:以[上下])?(?:省?略|생략)|[중전후]략|이하 ?생략"
)
_DOTS = r"\.\s?\.\s?\.|…|⋯|‥|・・|･･|．．"
_ELLIPSIS = re.compile(
    rf"\s*(?:[\[(（［【〔<]\s*(?:{_DOTS}|{_LEFT_OUT})[.…⋯‥・･．]*\s*[\])）］】〕>]"
    r"|(?:\.\s?){2,}\.|…+|⋯+|‥+|[・･]{3,}|．{3,}|。{3,})"
    r"(?:[.,;:!?–—]+(?=\s|$))?\s*"  # of the quote, as what follows begins with none
)
_SIGNS = (
    *("…", "⋯", "..", ". .", ".\n.", ".\t.", ".\u00a0.", "‥", "・・", "･･", "．．", "。。"),
    *("snip", "omi", "略", "생략", "중략", "전략", "후략"),
)
# A heading between two parts: of Markdown, underlined, or a short line without a stop that blank
# lines set off.
_HEADING = re.compile(
    r"\n[ \t]*#{1,6}[ \t]|\n[^\n]{1,80}\n[ \t]*(?:={3,}|-{3,})[ \t]*\n"
    r"|\n[ \t]*\n[ \t]*(?:\d+(?:\.\d+)*\.?[ \t]+)?[A-Z0-9][^\n.!?;:,]{2,60}\n[ \t]*\n"
)
_BORDERS = ',;:()[]—–-、，；：（）،؛"“”«»'
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
_SENTENCE = 400  # characters of the sentence that show its language
_LONGEST_TAG = 8  # words of "she told the reporter"
_QUOTATION_MARKS = tuple('"“”„«»「」『』')
_LETTERS = re.compile(r"[^\W\d_]+")
_NAME = re.compile(r"\s\S*[A-Z\d]\S*\s*\Z")
_GENITIVE = frozenset("of de du des der von di da do van".split())
_CLAUSE = 3  # words of a clause, at least
_VERSE = 70  # characters of a line of verse
# What a clause ends with: a semicolon, or a mark or a bullet where a line ends or begins.
_CLAUSE_BORDER = re.compile(r"[;؛；]|(?=[^\n]*\n)(?=.*[,،.!?:…—–*•·-])", re.DOTALL)
_SIGNS_BEFORE, _SIGNS_AFTER = re.compile(r"[\W_]*"), re.compile(r"[\W_]*\Z")
_NEAR = 20  # characters in which the signs between two words are sought


_Place = Literal["beginning", "middle", "end"]  # of a sentence


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
    if not has_words(text[slice(*tail)]):
        return _hidden_in(text, *head, "beginning")
    if not _joins_clauses(text, left[0], start, end):
        return omission(_shortened(gap), "two sentences joined")
    return _hidden_in(text, *tail, "end") or _hidden_in(text, *head, "beginning")


def _borders(text: str, start: int, end: int) -> tuple[str, str]:
    """Return the signs before the first word of a gap and those behind its last."""
    gap, before, after = (
        text[start:end],
        text[max(0, start - _NEAR) : start],
        text[end : end + _NEAR],
    )
    return _at_end(before) + _at_start(gap), _at_end(gap[-_NEAR:]) + _at_start(after)


def _at_start(text: str) -> str:
    found = _SIGNS_BEFORE.match(text)
    return found[0] if found else ""


def _at_end(text: str) -> str:
    found = _SIGNS_AFTER.search(text)
    return found[0] if found else ""


def _joins_clauses(text: str, low: int, start: int, end: int) -> bool:
    """Return whether a clause ends before a gap, whose sentence begins at `low`, and one behind."""
    lexicon = _find_tables(text, start, end)
    if lexicon is None:
        return False
    before, after = _borders(text, start, end)
    one, other = _Words(text[low:start], lexicon), _Words(text[end : end + _SENTENCE], lexicon)
    if not one.keys or not other.keys:
        return False
    dependent = lexicon.conditions | lexicon.initial_conditions
    dependent |= lexicon.subordinators - lexicon.articles - lexicon.determiners
    ends = any(sign in before for sign in _BORDERS) and (
        _CLAUSE_BORDER.search(before) is not None
        or (len(one.keys) >= _CLAUSE and one.keys[0] in lexicon.subjects)
    )
    begins = any(sign in after for sign in _BORDERS) and (
        _CLAUSE_BORDER.search(after) is not None or other.keys[0] in lexicon.subjects
    )
    return ends and begins and dependent.isdisjoint((*one.keys[:1], *other.keys[:1]))


def _find_tables(text: str, start: int, end: int) -> Lexicon | None:
    """Return the tables of the language around a gap; `None` if it has none for ellipses."""
    lexicon = find_framing_lexicon(text[max(0, start - _SENTENCE) : end + _SENTENCE])
    return lexicon if lexicon is not None and lexicon.approximators else None


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


def _hidden_in(text: str, start: int, end: int, place: _Place) -> Edit | None:
    """Return what the omission of a part of a sentence hides, or `None`.

    The form decides: what is set off, coordinated or at an end may be omitted. An adverbial or
    phrase between a verb and its complement may not, whatever it says.
    """
    gap = text[start:end]
    lexicon = _find_tables(text, start, end)
    if lexicon is None:
        return omission(_shortened(gap), "part of a sentence")
    omitted = _Words(gap, lexicon)
    if not omitted.keys or _is_speech_tag(text, start, end):
        return None
    if loaded := _find_loaded(omitted):
        return omission(*loaded)
    if place == "end" or _is_set_off(text, start, end, place, lexicon):
        return None
    if place == "beginning":
        kept = _Words(text[end : end + _SENTENCE], lexicon)
        has_subject = bool(kept.keys) and kept.keys[0] in lexicon.subjects
        return None if has_subject else omission(_shortened(gap), "another subject")
    return (
        None if _is_of_verse(text, start, end) else omission(_shortened(gap), "part of a sentence")
    )


def _is_speech_tag(text: str, start: int, end: int) -> bool:
    """Return whether a gap is all that is said between two parts of a speech: '," she said, "'."""
    before, after = _borders(text, start, end)
    closes, opens = (any(mark in side for mark in _QUOTATION_MARKS) for side in (before, after))
    return closes and opens and len(text[start:end].split()) <= _LONGEST_TAG


def _is_of_verse(text: str, start: int, end: int) -> bool:
    """Return whether a gap is of whole lines that begin with capitals, as in verse."""
    before, after = _borders(text, start, end)
    if "\n" not in before or "\n" not in after:
        return False
    low = text.rfind("\n", 0, len(text[:start].rstrip())) + 1
    high = end + len(_at_start(text[end : end + _NEAR]))
    stop = text.find("\n", high)
    lines = [line.strip() for line in text[low : stop if stop >= 0 else len(text)].splitlines()]
    return all(len(line) <= _VERSE and line[:1].isupper() for line in lines if line)


@cache
def _denying(lexicon: Lexicon) -> frozenset[str]:
    phrases = {each for each in lexicon.denials if " " in each}  # "far from"
    # A few words may have been taken for those of another language.
    others = union("negators") - lexicon.common if lexicon.code != "en" else frozenset[str]()
    return lexicon.negators | phrases | others


@cache
def _turning(lexicon: Lexicon) -> frozenset[str]:
    """Return what makes a clause uncertain, or another's."""
    words = lexicon.hedges | lexicon.conditions - lexicon.initial_conditions | lexicon.attributions
    if lexicon.code in CODES:
        return words
    # These tables have been made for frames; for the other languages `hedges` has their words.
    return words | lexicon.possible | lexicon.hearsay | lexicon.speech | lexicon.modals


@cache
def _bound(lexicon: Lexicon) -> re.Pattern[str] | None:
    """Return what finds words that deny by their first or last letters, or roots that deny."""
    rows = lexicon.bound
    if lexicon.code not in CODES:
        rows |= {each for each in lexicon.denials if " " not in each}
    if not rows:
        return None
    one, other = (
        "|".join(re.escape(each).replace(r"\*", r"[\w\u200c]*") for each in sorted(table)) or "(?!)"
        for table in (rows, lexicon.unbound)
    )
    return re.compile(rf"(?<![\w\u200c])(?!(?:{other})(?![\w\u200c]))(?:{one})(?![\w\u200c])")


def _find_loaded(omitted: _Words) -> tuple[str, str] | None:
    """Return a word that turns what is kept, and what kind of word it is, or `None`."""
    lexicon = omitted.lexicon
    negators = _denying(lexicon)
    if not lexicon.relatives.isdisjoint(omitted.keys):  # "which is a myth"
        negators |= lexicon.untrue
    if hidden := omitted.find_denial(negators):
        return hidden, "negation"
    if hidden := omitted.find(_turning(lexicon)) or omitted.find_condition():
        return hidden, "qualifier"
    if hidden := omitted.find_last(lexicon.approximators | lexicon.quantifiers):
        return hidden, "qualifier"
    if omitted.keys and omitted.keys[0] in quantities.MAGNITUDE_WORDS:
        return omitted.keys[0], "number"  # "ten … dollars" hides "million"
    return None


def _is_set_off(text: str, start: int, end: int, place: _Place, lexicon: Lexicon) -> bool:
    """Return whether a gap has borders on both sides, as in "the drug, an opioid, was".

    A word that joins equals is a border, too: "red, | white | and green", "| red and | green".
    """
    gap, before = text[start:end].strip(), text[max(0, start - 4) : start].rstrip()[-1:]
    after = text[end : end + _NEAR].lstrip()
    words = _LETTERS.findall(gap.casefold())
    follows = _LETTERS.match(after.casefold())
    joins = follows is not None and follows[0] in lexicon.connectives
    opens = place == "beginning" or gap[0] in _BORDERS or before in tuple(_BORDERS)
    if (
        opens and gap[-1] not in _BORDERS and not lexicon.that.isdisjoint(words)
    ):  # ", which shows that | it is so"
        stems = tuple(each[:-1] for each in lexicon.factive if each.endswith("*"))
        return any(word in lexicon.factive or word.startswith(stems) for word in words[:-1])
    named = _NAME.search(text, max(0, start - _NEAR), start)
    if words and named and words[0] in _GENITIVE and words[-1] not in lexicon.common:
        return True  # "Directive 96/9/EC | of the Council | on databases"
    if words and not opens:
        return words[-1] in lexicon.connectives or (joins and words[0] in lexicon.connectives)
    return joins or gap[-1] in _BORDERS or after[:1] in tuple(_BORDERS + ".!?。")


def _shortened(gap: str) -> str:
    gap = " ".join(gap.split())
    return gap if len(gap) <= 120 else f"{gap[:60].rstrip()} … {gap[-50:].lstrip()}"


class _Words:
    """A part of a text, as words of its language."""

    def __init__(self, text: str, lexicon: Lexicon) -> None:
        self.source, self.text, self.lexicon = text, text.casefold(), lexicon
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
            if key[:1] in self.lexicon.clitics and len(key) > 2 and key[1:] in words:
                return key
        phrases = (word for word in words if " " in word and f" {word} " in joined)
        return min(phrases, default=None) or min(
            filter(self.text.__contains__, parts), default=None
        )

    def find_denial(self, negators: frozenset[str]) -> str | None:
        """Return the first word that denies what it is in, or `None`; "not least" does not."""
        lexicon, words = self.lexicon, self
        for phrase in lexicon.litotes:
            if f" {phrase} " in f" {' '.join(words.keys)} ":
                words = _Words(f" {' '.join(words.keys)} ".replace(f" {phrase} ", " "), lexicon)
        if hidden := words.find(negators, lexicon.negating_parts):
            return hidden
        bound = _bound(lexicon)
        found = bound.search(words.text) if bound else None
        return found[0] if found else None

    def find_condition(self) -> str | None:
        """Return a word with which a condition begins where a clause does, or `None`."""
        initial = self.lexicon.initial_conditions & self.lexicon.conditions
        for i, token in enumerate(self.tokens):
            if token.key in initial and (
                self.follows_border(i) or self.keys[i - 1] in self.lexicon.connectives
            ):
                return token.key
        return None

    def follows_border(self, i: int) -> bool:
        """Return whether a word is the first one, or behind a comma or another border."""
        if i == 0:
            return True
        between = self.source[self.tokens[i - 1].end : self.tokens[i].start]
        return any(sign in between for sign in _BORDERS)

    def find_last(self, words: frozenset[str]) -> str | None:
        """Return a word or phrase of a table with which the part ends, or `None`."""
        if any(map(is_unspaced, self.text[:1])):
            return min(filter(self.text.rstrip().endswith, words), default=None)
        joined = f" {' '.join(self.keys)}"
        ends = joined, joined.removesuffix(" of")
        return min(
            (word for word in words if any(e.endswith(f" {word}") for e in ends)), default=None
        )
