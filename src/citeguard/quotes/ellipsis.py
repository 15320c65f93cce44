"""What an ellipsis in a quote omits, and whether the omission changes what the source says.

People quote in this way: the parts are verbatim, in order and of one section. Whole sentences may
be omitted, whatever they say. A part of a sentence may be omitted if nothing in it bears on what is
kept: no denial, condition, attribution or hedge, no other subject, no other value. What is set off
on both sides, and lines of verse, may be omitted. A gap from the middle of one sentence to the
middle of another joins the two into a third, and is harmless only between whole clauses.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence
from functools import cache
from itertools import pairwise
from typing import Literal

from citeguard.language import number_words
from citeguard.language.lexicon import (
    AUXILIARIES,
    CODES,
    DETERMINERS,
    MODALS,
    OBJECT_PRONOUNS,
    PREPOSITIONS,
    PRONOMINAL,
    Lexicon,
    find_framing_lexicons,
    is_finite,
    is_past,
    union,
)
from citeguard.language.number_words import NUMBER_WORDS
from citeguard.language.scripts import LETTER_SPACED, is_unspaced
from citeguard.language.sentences import whole_sentences
from citeguard.language.tokens import Token, has_words, tokenize
from citeguard.quotes.differences import Edit, omission
from citeguard.quotes.framing import goes_on
from citeguard.quotes.printed import is_speaker
from citeguard.quotes.symbols import ROW

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
# The label of a list, after a blank line.
_LABEL_OF_LIST = re.compile(r"\n\n[ \t]*[^\n.!?;,:]{2,60}(?::[ \t]*\n|\n(?=[ \t]*[-*+•][ \t]))")
_BORDERS = ',;:()[]—–-、，；：（）،؛"“”«»'
_BESIDE = 2  # characters right before a gap: an empty line, or a stop and a blank
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
# Where a quotation begins, and where one of whole sentences ends; the marks differ by language.
_OPENING = re.compile(r"(?<![\w.,!?…])[\"“„«»”](?=[¡¿\w])|[「『]")
_CLOSING = re.compile(r"(?<=[.!?…])[\"“”«»](?!\w)|(?<=[。！？…])[」』]")
_SENTENCE = 400  # characters of the sentence that show its language
_FIRST_WORDS = 4  # of what follows a gap, in which a value may take the place of one omitted
_CLAUSE = 3  # words of a clause, at least
_VERSE = 70  # characters of a line of verse
# What a clause ends with: a semicolon, or a mark or a bullet where a line ends or begins.
_CLAUSE_BORDER = re.compile(r"[;؛；]|(?=[^\n]*\n)(?=.*[,،.!?:…—–*•·-])", re.DOTALL)
_STOPS = (".", "!", "?", "。", "！", "？")
# The number of the next clause of a contract is no words of it: " 4.2 ".
_CLAUSE_NUMBER = re.compile(r"\A\s*\d{1,3}(?:\.\d{1,3})+\.?\s+\Z")
_LETTER = re.compile(r"[^\W_]")
_NEAR = 20  # characters in which the signs between two words are sought


_JOINING = frozenset(("and", "or", "but"))
_ARTICLES = DETERMINERS - PRONOMINAL
_LIGHT = AUXILIARIES | PREPOSITIONS
_OPENERS = DETERMINERS | PREPOSITIONS | OBJECT_PRONOUNS


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
    # Also without a word in the gap: what another one says may begin behind it.
    if _has_two_speakers(text, start, end):
        return omission(_shortened(gap), "two speakers joined")
    if not has_words(gap):
        return None
    if apart := _set_apart(text, start, end):
        return omission(_shortened(gap), apart)
    # The number of the item with which the quote goes on is no words.
    end = next((row.start() for row in ROW.finditer(text, start, end) if row.end() == end), end)
    return None if _are_items(text, start, end) else _hidden_between(text, start, end)


def _hidden_between(text: str, start: int, end: int) -> Edit | None:
    """Return what an ellipsis hides between two parts that belong together, or `None`."""
    gap = text[start:end]
    if own := _ELLIPSIS.match(gap):  # of the text: for a reader, it is the one that the quote has
        stop = whole_sentences(text, start + own.end(), start + own.end() + 1)[1]
        if hidden := _hidden_in(text, start, min(stop, end), "end"):
            return hidden
    left = whole_sentences(text, start - 1, start)
    right = whole_sentences(text, end, end + 1)
    if left[1] > end or right[0] <= left[0]:
        place = "middle" if has_words(text[end : left[1]]) else "end"
        return _hidden_in(text, start, end, place)
    tail, head = (start, min(left[1], end)), (max(right[0], start), end)
    if not has_words(_CLAUSE_NUMBER.sub("", text[slice(*head)])):
        return _hidden_in(text, *tail, "end") if has_words(text[slice(*tail)]) else None
    if not has_words(text[slice(*tail)]):
        return _hidden_in(text, *head, "beginning")
    if not _joins_clauses(text, left[0], start, end):
        return omission(_shortened(gap), "two sentences joined")
    return _hidden_in(text, *tail, "end") or _hidden_in(text, *head, "beginning")


def _set_apart(text: str, start: int, end: int) -> str:
    """Return why what is on both sides of a gap does not belong together; "" if it may."""
    gap = text[start:end]
    is_asked = text[:start].rstrip().endswith("?") and "?" in gap  # what follows answers another
    if len(gap) > FARTHEST or _HEADING.search(gap) or is_asked:
        return "different passages"
    return "two rows joined" if _joins_rows(text, start, end) else ""


def _are_items(text: str, start: int, end: int) -> bool:
    """Return whether a gap has whole items, of which the first is behind what introduces them."""
    label = ROW.match(text, text.find("\n", start, end))
    is_introduced = text[:start].endswith(":") or text[start:end].startswith(":")
    return is_introduced and bool(label) and ROW.match(text, end) is not None


def _joins_rows(text: str, start: int, end: int) -> bool:
    """Return whether a gap goes from the middle of one row or item into that of another.

    So does one from what is no whole sentence into a list with a label of its own.
    """
    first, last = text.find("\n", start, end), text.rfind("\n", start, end) + 1
    if first < 0:
        return False
    begin, stop = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    stop = stop if stop >= 0 else len(text)
    are_rows = all(_is_row(text, *line) for line in ((begin, first), (last, stop)))
    kept, begun = text[begin:start], ROW.sub("", f"\n{text[last:end]}", 1)
    label = _LABEL_OF_LIST.match(text, max(start, text.rfind("\n\n", start, end)))
    if label and label.end() <= end and not _is_ended(kept):
        return True
    lines = [line for line in text[begin:stop].splitlines() if line.strip()]
    margins = [len(line) - len(line.lstrip()) for line in lines]
    if margins[-1] > min(margins[1:-1], default=margins[-1]) <= margins[0] and not _is_ended(kept):
        return True  # what the last one is part of is left out: "server: … port: 5"
    is_cut = has_words(kept) and has_words(text[start:first]) and not _is_ended(kept)
    is_cut = is_cut or (has_words(begun) and not _is_ended(begun))
    return are_rows and is_cut


def _is_row(text: str, start: int, end: int) -> bool:
    """Return whether a line is one of a table or list, as its marks or its indentation shows."""
    line = text[start:end]
    if "\t" in line.strip() or ROW.search(f"\n{line}"):
        return True
    return line[:1].isspace() and not goes_on(text, end)


def _is_ended(text: str) -> bool:
    return text.rstrip().endswith(_STOPS)


def _borders(text: str, start: int, end: int) -> tuple[str, str]:
    """Return the signs before the first word of a gap and those behind its last."""
    gap, before, after = (
        text[start:end],
        text[max(0, start - _NEAR) : start],
        text[end : end + _NEAR],
    )
    ends, begins = _LETTER.split(gap), (_LETTER.split(before)[-1], _LETTER.split(after, 1)[0])
    return begins[0] + ends[0], ends[-1] + begins[1]


def _joins_clauses(text: str, low: int, start: int, end: int) -> bool:
    """Return whether a clause ends before a gap, whose sentence begins at `low`, and one behind."""
    if not (lexicons := _find_tables(text, start, end)):
        return False
    lexicon = lexicons[0]
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


def _find_tables(text: str, start: int, end: int) -> list[Lexicon]:
    """Return the lexicons of the sentence with a gap and its surroundings, if made for ellipses."""
    return [each for each in find_framing_lexicons(text, start, end) if each.approximators]


def _has_two_speakers(text: str, start: int, end: int) -> bool:
    """Return whether what is before a gap and what is behind it are said by two people."""
    # "… he lied.” She left": what is behind the gap is said by nobody, or by another one.
    opened = _OPENING.findall(text, start, end + 1)
    closed = _CLOSING.findall(text, start, end)
    if len(closed) > len(opened) and has_words(text[start:end]):
        return True
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
    low = max(low, text.rfind("\n\n", low, max(low, place - _BESIDE)))
    return max(_LABEL.finditer(text, low, place), key=lambda label: label.start(), default=None)


def _hidden_in(text: str, start: int, end: int, place: _Place) -> Edit | None:
    """Return what the omission of a part of a sentence hides, or `None`."""
    if not (lexicons := _find_tables(text, start, end)):
        return omission(_shortened(text[start:end]), "part of a sentence")
    parts = [_Words(text[start:end], each) for each in lexicons]
    if not parts[0].keys:
        return None
    if loaded := next(filter(None, map(_find_loaded, parts)), None):
        return omission(*loaded)
    reason = _find_joint(parts[0], text, start, end, place)
    return omission(_shortened(text[start:end]), reason) if reason else None


def _find_joint(omitted: _Words, text: str, start: int, end: int, place: _Place) -> str:
    """Return why the words around a gap do not belong together without it; "" if they may."""
    lexicon = omitted.lexicon
    before = _Words(text[max(0, start - _NEAR) : start], lexicon)
    kept = _Words(text[end : end + _SENTENCE], lexicon)
    is_listed = ";" in text[max(0, start - _BESIDE) : start + 1]  # "when …; when …; when"
    is_aside = _is_parenthesis(text, start, end, place)
    if not is_listed and omitted.qualifies(before, kept, place, is_aside=is_aside):
        return "qualifier"
    if place == "end" or is_aside:
        return ""
    if place == "beginning":
        has_subject = bool(kept.keys) and kept.keys[0] in lexicon.subjects
        return "" if has_subject else "another subject"
    if _is_of_verse(text, start, end):
        return ""
    if lexicon.code != "en":
        # "pictures, | maps, coins | and chairs", "pictures, | maps and | chairs"
        opens = any(sign in _borders(text, start, end)[0] for sign in _BORDERS)
        joined = kept.keys[:1] + omitted.keys[-1:] * opens
        return "part of a sentence" if lexicon.connectives.isdisjoint(joined) else ""
    if omitted.adds_verb(before, kept):
        return "another verb"
    # "from twelve to | eighteen crowns"
    if not any(map(NUMBER_WORDS.isdisjoint, (omitted.keys[-2:], kept.keys[:1]))):
        return "number"
    if omitted.measures() & kept.measures(_FIRST_WORDS):
        return "number"
    quantifiers = lexicon.approximators | lexicon.quantifiers
    if omitted.begins_with(quantifiers) or omitted.governs(before, kept):
        return "qualifier"
    return "another subject" if omitted.opens_clause(kept) else ""


def _is_of_verse(text: str, start: int, end: int) -> bool:
    """Return whether a gap is of whole lines that begin with capitals, as in verse."""
    before, after = _borders(text, start, end)
    if "\n" not in before or "\n" not in after:
        return False
    low = text.rfind("\n", 0, len(text[:start].rstrip())) + 1
    high = end + len(_LETTER.split(text[end : end + _NEAR], 1)[0])
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
    words |= lexicon.restrictions
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
    # A clause in brackets of its own may deny what it says, unless that is how it begins.
    is_clause = omitted.source.strip()[:1] == "(" and len(omitted.keys) >= _CLAUSE + 1
    denying = _Words(omitted.text[: omitted.tokens[1].end], lexicon) if is_clause else omitted
    if hidden := denying.find_denial(negators) or next(filter(_is_disguised, omitted.keys), None):
        return hidden, "negation"
    if hidden := omitted.find(_turning(lexicon)) or omitted.find_condition():
        return hidden, "qualifier"
    if not is_clause and (hidden := omitted.find_last(lexicon.approximators | lexicon.quantifiers)):
        return hidden, "qualifier"
    if omitted.keys and omitted.keys[0] in number_words.MAGNITUDE_WORDS:
        return omitted.keys[0], "number"  # "ten … dollars" hides "million"
    return None


def _is_disguised(word: str) -> bool:
    """Return whether a word mixes alphabets, or has unusual letters: "nоt", "ɴᴏᴛ"."""
    if word.isascii():
        return False
    names = [unicodedata.name(char, "").split() for char in word if char.isalpha()]
    alphabets = {name[0] for name in names if name} & {"LATIN", "CYRILLIC", "GREEK"}
    return len(alphabets) > 1 or any("CAPITAL" in name and "SMALL" in name for name in names)


def _is_parenthesis(text: str, start: int, end: int, place: _Place) -> bool:
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
        text = LETTER_SPACED.sub(lambda word: word[0][::2], text)
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

    def governs(self, before: _Words, kept: _Words) -> bool:
        """Return whether the part has what makes the words that follow depend on it.

        "The firm | denies that it | paid", "rejected plans to | extend it", "refused again | to pay
        it", "met | the wife of | the mayor", "the | wife of the | mayor".
        """
        if not kept.keys:
            return False
        first, last = kept.keys[0], self.keys[-1]
        links = self.lexicon.that | self.lexicon.whether
        if last in links:
            return len(self.keys) > 1  # "that" alone may be left out
        is_plain = kept.tokens[0].text.islower() and first.isalpha()
        if last in self.lexicon.infinitives:  # but not "by car to | Rome" or "to | the town"
            return is_plain and first not in self.lexicon.common | self.lexicon.subjects
        if first in links | self.lexicon.infinitives or (is_plain and first.endswith("ing")):
            omits_verb = self.is_verb(0) and self.keys[0] not in _LIGHT
            return omits_verb or (len(self.keys) == 1 and last in PREPOSITIONS)
        if before.keys and before.keys[-1] in _ARTICLES:
            return last in _ARTICLES and first not in DETERMINERS
        # "designed | and built | a ship"
        if not before.is_verb(-1) or before.keys[-1] in _LIGHT or self.keys[0] in _JOINING:
            return False
        is_object = first in DETERMINERS | OBJECT_PRONOUNS
        is_joint = last.endswith(("ing", "ed")) or is_finite(last)
        is_joint = is_joint or last in DETERMINERS | PREPOSITIONS
        return is_joint and (is_object or kept.tokens[0].text[0].isupper())

    def qualifies(self, before: _Words, kept: _Words, place: _Place, *, is_aside: bool) -> bool:
        """Return whether the part qualifies what is beside it, set off or not.

        "will, | when used wisely, | protect", "may, | with consent, | work", "He | briefly | led".
        """
        lexicon = self.lexicon
        if self.keys[0] in lexicon.inversions and not is_past(kept.text):
            return True
        if place != "middle":
            return False
        adverbs = tuple(each.removeprefix("*") for each in lexicon.adverbs if each[0] == "*")
        is_adverb = len(self.keys) == 1 and self.keys[0].endswith(adverbs)
        modals = lexicon.modals | (MODALS if lexicon.code == "en" else frozenset[str]())
        is_beside_verb = not modals.isdisjoint(before.keys[-1:])
        return is_adverb or (is_aside and is_beside_verb)

    def find_last(self, words: frozenset[str]) -> str | None:
        """Return a word or phrase of a table with which the part ends, or `None`."""
        if any(map(is_unspaced, self.text[:1])):
            return min(filter(self.text.rstrip().endswith, words), default=None)
        joined = f" {' '.join(self.keys)}"
        ends = joined, joined.removesuffix(" of")
        return min(
            (word for word in words if any(e.endswith(f" {word}") for e in ends)), default=None
        )

    def begins_with(self, words: frozenset[str]) -> bool:
        """Return whether the part begins with a word or phrase of a table, or "and" and that."""
        skipped = self.keys[0] in self.lexicon.connectives
        joined = f"{' '.join(self.keys[skipped:])} "
        return any(joined.startswith(f"{word} ") for word in words)

    def measures(self, most: int | None = None) -> set[str]:
        """Return what the numbers among the first words measure: "%", "$", a unit, or "".

        Those with a magnitude measure "#" too: "20 million, against | 80 million dollars".
        """
        found: set[str] = set()
        for i, token in enumerate(self.tokens[:most]):
            if token.kind == "number" or token.key in NUMBER_WORDS:
                before, after = self.keys[i - 1 : i], self.keys[i + 1 : i + 3]
                signs = [key for key in (*before, *after) if key in number_words.CURRENCIES]
                if after and after[0] in NUMBER_WORDS:
                    found.add("#")
                percent = any(key in number_words.PERCENT for key in after[:1])
                units = [key for key in after[:1] if key in number_words.UNIT_WORDS]
                found.add("%" if percent else "".join((signs or units or [""])[:1]))
        return found

    def adds_verb(self, before: _Words, kept: _Words) -> bool:
        """Return whether the part has a verb beside the one before, and what follows is its rest.

        "bought Alpha | and sold | Beta" or "in May"; not "designed | and built | engines".
        """
        if before.is_verb(-1):
            return False
        last = max((i for i, key in enumerate(self.keys) if key in _JOINING), default=None)
        if last is None:
            return False
        rest = _Words(f"{self.source[self.tokens[last].end :]} {kept.source}", self.lexicon)
        light = self.lexicon.common - AUXILIARIES
        told = (i for i, key in enumerate(rest.keys) if key not in light and key[-2:] != "ly")
        return rest.is_verb(next(told, 0))

    def is_verb(self, i: int) -> bool:
        """Return whether a word is a finite verb, as it or what follows it shows."""
        if not self.keys:
            return False
        key, after = self.keys[i], self.tokens[i:][1:2]
        if is_finite(key) and not key.endswith("ed"):
            return True
        # "and painted the wall", "and sells Beta", but "and painted walls", "and cats"
        opens = after and (after[0].key in _OPENERS or not after[0].text[0].islower())
        return bool(key.endswith(("ed", "s")) and (opens or not after))

    def opens_clause(self, kept: _Words) -> bool:
        """Return whether the part begins a clause of which the words that follow are the rest.

        "and sales | rose", but not "and red | cars" or "as described here | is".
        """
        links = self.lexicon.subordinators | self.lexicon.connectives
        is_opened = ";" in self.source or any(
            key in links and (key, after[-2:]) != ("as", "ed") for key, after in pairwise(self.keys)
        )
        follows = [key for key in kept.keys[:2] if not key.endswith("ly")][:1]
        return is_opened and self.keys[-1] not in links and any(map(is_finite, follows))
