"""What the clause around a quote does to it: denies, limits, attributes, conditions or asks it.

`find_limit` returns what stands right outside of a cut and certainly denies or limits the quote:
"No | employee may smoke". `find_framing` returns what else frames it; `_RULES` is the table of
where in a sentence which words do. The words of each language are in its lexicon. Another sentence,
item, row, cell or turn never frames a quote, whatever its punctuation.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice, takewhile
from typing import Literal, NamedTuple

from citeguard.language.lexicon import (
    CODES,
    DENYING_PICTURES,
    FRAMING_CODES,
    Lexicon,
    find_framing_lexicons,
    is_finite,
    is_past,
    load_lexicon,
    union,
)
from citeguard.language.markup import is_in_comment_block, read
from citeguard.language.scripts import LETTER_SPACED, CharacterTable, is_unspaced
from citeguard.language.sentences import Interval, whole_sentences

FramingKind = Literal["denied", "attributed", "conditional", "asked"]

_REACH = 300  # characters of the sentence that are read on either side
_NEAR = 90  # characters that hold a word that frames and the few words after it
_HEAD = 100  # characters before "that" that may have the words which frame what follows it
_LEAST_WORDS, _LEAST_CHARACTERS = 3, 6  # of a quote that says something by itself
# A stop after a word too long for an abbreviation, before a capital letter. The stop comes first,
# as a pattern is ten times as fast if a class begins it.
_CLEAR_STOP = re.compile(
    r"[.!?。！？](?:(?<=[。！？])|(?<=[^\W\d_]{5}.)[\"'”’)\]]*\s+(?=[\"'“‘(]?[^\W\d_a-z]))"
)
_STOP = re.compile(r"[,;.!?。！？；，،।؟·]")
_ENDED = tuple(".;!?。！？।؟")
_APOSTROPHES = "’‘ʼ＇"


@dataclass(frozen=True, slots=True)
class Framing:
    """The words of a source that keep it from asserting a quote.

    Attributes:
        kind: `denied` ("It is false that …"), `attributed` ("She claims that …"), `conditional`
            ("if …", "perhaps …", "…, except …") or `asked` ("whether …").
        words: the words that say so.
        span: their half-open interval in the text, in code points.
    """

    kind: FramingKind
    words: str
    span: Interval


def find_limit(text: str, start: int, end: int) -> Interval | None:
    """Return the interval of the words right outside of a cut that certainly deny or limit it.

    They are negators ("no", "did not"), limits ("only", "up to") and what qualifies a number
    ("about"), or follow as an exception or limit ("except", "only on Sundays"). `None` if there are
    none, or no tables for the language.

    Examples:
        >>> text = "No employee may smoke."
        >>> find_limit(text, 3, 21), find_limit(text, 0, 21)
        ((0, 2), None)
    """
    sign = _DENYING.search(text, max(0, start - _SIGN_REACH), start)
    # Before what denies by itself, it says the same: "❌ No Windows support".
    if sign and union("negators").isdisjoint(_words(text[start:end].lower())):
        return sign.span(1)
    if behind := _DENIED.match(text, end):
        return behind.span(1)
    if not _may_limit(text[max(0, start - _BESIDE) : start], text[end : end + _BESIDE]):
        return None
    seen = _Seen(text, start, end, LETTER_SPACED.finditer(text, max(0, start - _BESIDE), start))
    lexicons = find_framing_lexicons(text, start, end)
    limit = next(filter(None, (_find_limit(each, *seen.quote) for each in lexicons)), None)
    return limit and seen.original(limit)


def _find_limit(lexicon: Lexicon, text: str, start: int, end: int) -> Interval | None:
    low, high = _part(text, max(0, start - _BESIDE), start, end, min(len(text), end + _BESIDE))
    if not lexicon.stops:  # a blank ends a clause
        low = max(low, text.rfind(" ", low, start) + 1)
    left, right, idle, idle_before = _limits(lexicon.code)
    whole = idle.sub(_masked, _Folded(text[low:high], low).slice(low, high))
    before, quote, after = whole[: start - low], whole[start - low : end - low], whole[end - low :]
    cells = quote[:_HEAD].replace("|", "¦")  # of a table
    is_cut = low == start - _BESIDE  # so that what it begins with begins no clause
    for pattern in left:
        if found := pattern.search(f"{'¤' * is_cut}{before}|{cells}"):
            first, last = low + found.start("frame") - is_cut, low + len(before.rstrip())
            while first > low and text[first - 1].isalpha():  # of "n't"
                first -= 1
            # "The only" is one that there is.
            if pattern is left[1] or not idle_before.search(text, low, first):
                return first, last
    for pattern in () if quote.endswith(_ENDED) else right:
        if found := pattern.match(after):
            return end + found.start("frame"), end + found.end("frame")
    return None


def find_framing(text: str, start: int, end: int) -> Framing | None:
    """Return how the sentence around `text[start:end]` frames it, or `None`.

    Only what is outside the interval counts, so whole sentences have no frame but their own
    question mark. `None` too if there are no tables for the language. A hint, not a proof: the
    tables know words, not grammar.

    Examples:
        >>> text = "It is false that the drug is safe."
        >>> find_framing(text, 17, 33)
        Framing(kind='denied', words='It is false that', span=(0, 16))
    """
    seen = _Seen(text, start, end)
    lexicons = find_framing_lexicons(text, start, end)
    framing = next(filter(None, (_find_framing(each, *seen.quote) for each in lexicons)), None)
    if framing is None or seen.quote[0] is text:
        return framing
    low, high = seen.original(framing.span)
    return Framing(framing.kind, " ".join(text[low:high].split()), (low, high))


def _find_framing(lexicon: Lexicon, text: str, start: int, end: int) -> Framing | None:
    low, high = max(0, start - _REACH), min(len(text), end + _REACH)
    for stop in _CLEAR_STOP.finditer(text, low, start):
        low = stop.end()
    low, high = _part(text, low, start, end, high)
    folded = _Folded(text[low:high], low)
    # Finding the borders of a sentence is slow; most quotes have nothing like a frame nearby.
    stop = _CLEAR_STOP.search(text, max(start, end - 1), high)
    asked = any(mark in text[end : stop.end() if stop else high] for mark in "?？؟;")
    if not asked and not next(_frames(lexicon.code, folded, low, start, end, high), None):
        return None
    first, last = whole_sentences(text, start, end)
    if lexicon.code == "zh" or lexicon.final:  # a wrapped line is split from the one before it
        while first > low and text[first - 1] == "\n":
            first = whole_sentences(text, first - 2, first - 1)[0]
    frames = _frames(lexicon.code, folded, max(first, low), start, end, min(last, high))
    if (frame := next(frames, None)) is None:
        return None
    kind, (begin, stop) = frame
    return Framing(kind, " ".join(text[begin:stop].split()), (begin, stop))


# Soft hyphens, vowel signs of Arabic, emphasis of Markdown; possessive, as stars may come in long
# runs.
_UNSEEN = re.compile(
    "(?<!\\*)\\*++(?=\\S)|(?<=[^\\s*])\\*+|[\u00ad\u200b\u2060\ufeff\u064b-\u0652\u0670]+(?!\\n)"
)


class _Seen:
    """A text as a reader sees it, around a quote; the text itself if there is nothing unseen.

    Attributes:
        quote: What is seen, and where the quote begins and ends in it.
    """

    def __init__(
        self, text: str, start: int, end: int, spaced: Iterable[re.Match[str]] = ()
    ) -> None:
        self.quote, self._places = (text, start, end), range(len(text) + 1)
        low, high = max(0, start - 2 * _LINES), end + 2 * _LINES
        near = text[low:high]
        unseen = {i - low for word in spaced for i in range(word.start() + 1, word.end(), 2)}
        if unseen or _UNSEEN.search(near):
            unseen.update(i for match in _UNSEEN.finditer(near) for i in range(*match.span()))
            self._places = [low + i for i in range(len(near) + 1) if i not in unseen]
            seen = "".join(text[place] for place in self._places[:-1])
            self.quote = seen, bisect_left(self._places, start), bisect_left(self._places, end)

    def original(self, interval: Interval) -> Interval:
        """Return where in the text an interval of what is seen is."""
        return self._places[interval[0]], self._places[interval[1] - 1] + 1


# Parts of a page that no sentence joins

# Between cells and items, and the stop of the scripts of India, which syntok does not know. A stop
# of an inner clause of a legal or scientific text is no border: "(see Fig. 2)".
# Tabs, bars, the commas of CSV and JSON: '"Tea","Milk"'.
_CELL = re.compile(r"(?<=[^\s#/*])\t|\||[\w.!?]\"?,\"(?=\w)|\",(?=\w)|।")
# "• ", "- ", "2.1) ", "(a) ", "[10:02", "Scope: "
_ITEM = re.compile(
    r"\s*(?:[•●▪◦‣∙·>#|<{]|[*+–—-](?=\s)|\(?\d{1,3}(?:\.\d{1,3})*[.)]"
    r"|\(?[^\W\d_][.)]|\[?\d\d?:\d\d)"
    r"|\s*[^\W\d_a-z][\w .]{0,30}:\s"  # a speaker or a label
)
_COMMENT = re.compile(r"[ \t]*(?:#+|//+|/?\*+)(?=\s|\Z)")  # in a program
_SHORTEST_FULL = 45  # characters of a line that may be full; shorter ones are labels and items
_LINES = 400  # characters on either side that show how long lines are


def _part(text: str, low: int, start: int, end: int, high: int) -> Interval:
    """Return the part of `low:high` around `start:end` that no cell, item or line of its own cuts.

    A line goes on in the next one if that one's first word had no room on it, or if neither has
    anything where they meet but words that go on in small letters.
    """
    for border in _CELL.finditer(text, low, start + 1):
        low = border.end()
    if border := _CELL.search(text, end, high):
        high = border.start()
    for place in reversed([i for i in range(low, start) if text[i] == "\n"]):
        if not goes_on(text, place):
            low = place + 1
            break
    place = text.find("\n", end, high)
    while place >= 0:
        if not goes_on(text, place):
            high = place
            break
        place = text.find("\n", place + 1, high)
    return min(low, start), max(high, end)


def goes_on(text: str, place: int) -> bool:
    """Return whether the line that ends at a place goes on in the next one."""
    near = text[max(0, place - _LINES) : place + _LINES]
    before = text[text.rfind("\n", 0, place) + 1 : place]
    after = read(text[place + 1 : place + _LINES].partition("\n")[0])
    if all(map(_COMMENT.match, (before, after))) and (
        "*" not in after or is_in_comment_block(text, place + 1)
    ):
        before, after = (_COMMENT.sub("", line) for line in (before, after))
    if not before.strip() or not after.strip() or _ITEM.match(after):
        return False
    width = max(map(len, near.split("\n")[1:-1] or [before]), default=0)
    width = max(width, len(before))
    first = after.split(maxsplit=1)[0]
    if len(before) >= _SHORTEST_FULL and len(before.rstrip()) + len(first) + 1 > width:
        return True
    if before.endswith(" ") and not before.endswith("  "):  # as PDF files leave where they wrap
        return True
    last, opens = before.rstrip()[-1], first.lstrip('"“„«')[:1]
    return (last.isalpha() or last in ",，、،") and not (opens.isupper() or opens.isdigit())


# Limits

_NONE = frozenset[str]()
_BESIDE = 60  # characters on either side of a cut in which a limit may be
# A box without a tick denies nothing here: it may be of a list to work through.
_DENYING = re.compile(rf"([{DENYING_PICTURES}])\ufe0f?[ \t\u00a0]*\Z")
_DENIED = re.compile(rf"[ \t\u00a0]*([{DENYING_PICTURES}])\ufe0f?[ \t]*(?:[.!\n]|\Z)")
_SIGN_REACH = 6  # characters
_BLANKED = CharacterTable(lambda char: char if char.isalpha() else " ")
_LAST_WORDS = 6  # before a cut: those of a limit, and two small ones between it and the cut


@cache
def _limiting() -> tuple[frozenset[str], frozenset[str], tuple[str, ...], str]:
    """Return words of which every limit before a cut has one, and every one after it.

    In any language; the others are all limits in scripts without spaces, and clitics.
    """
    lexicons = [load_lexicon(code) for code in (*CODES, *FRAMING_CODES)]
    before = _NONE.union(
        *(
            each.negators | each.limits | each.limits_before | each.approximators
            for each in lexicons
        )
    )
    after = _NONE.union(*(each.limits | each.restrictions for each in lexicons))
    return (
        _keys(before),
        _keys(after),
        tuple(each for each in before | after if is_unspaced(each[0])),
        "".join(each.clitics for each in lexicons),
    )


def _keys(phrases: Iterable[str]) -> frozenset[str]:
    """Return words of which each phrase has one: words that are phrases themselves, or rare."""
    keys, common = set[str](), load_lexicon("en").common
    for words in sorted((_words(phrase) for phrase in phrases), key=len):
        if words and keys.isdisjoint(words):
            keys.add(max(words, key=lambda word: (word not in common, len(word))))
    return frozenset(keys)


# What is behind a cut up to a break, but for one right behind it.
_CLAUSE = re.compile(r"[\W_]*[^,;:.!?()،؛。！？；，।·]*")


def _may_limit(before: str, after: str) -> bool:
    """Return whether some words may be a limit: a quick test, as most quotes have none beside.

    It is fast because no language is looked up.
    """
    (left, right, signs, clitics), before, after = _limiting(), before.lower(), after.lower()
    if is_foreign := not (before.isascii() and after.isascii()):
        before, after = _UNSEEN.sub("", before), _UNSEEN.sub("", after)
    clause = _CLAUSE.match(after)
    following = _words(clause[0] if clause else after)
    near = _words(before)[-_LAST_WORDS:] + following[:1]
    if not (left.isdisjoint(near) and right.isdisjoint(following)) or "t" in near:  # of "n't"
        return True
    return is_foreign and (
        not left.isdisjoint(word.lstrip(clitics) for word in near)
        or any(sign in before or sign in after for sign in signs)
    )


def _words(text: str) -> list[str]:
    return text.translate(_BLANKED).split()


@cache
def _limits(
    code: str,
) -> tuple[list[re.Pattern[str]], list[re.Pattern[str]], re.Pattern[str], re.Pattern[str]]:
    """Return the patterns of limits before a cut, which is written "|", and after one.

    The others are of phrases in which a negator denies nothing, and of articles right before a
    limit, which make it one of the noun.
    """
    lexicon = load_lexicon(code)
    light = lexicon.common - lexicon.connectives - lexicon.relatives - lexicon.that
    light -= lexicon.subordinators | lexicon.negators | lexicon.auxiliaries
    light |= lexicon.adverbs
    between = rf"\s+(?:{_any(lexicon, light)}\s+){{0,2}}"
    between = (r"\s*" if _is_unspaced(lexicon) else between) + rf"{_QUOTED}\|"
    article = _any(lexicon, lexicon.determiners | lexicon.articles)
    articles = rf"(?:{article}\s+)?"
    # A relative clause limits what it is about: "eggs, which only she hatches".
    relatives = lexicon.relatives | lexicon.articles
    turns = _any(lexicon, lexicon.connectives | lexicon.subordinators - relatives)
    # Verbs that follow their clauses are denied behind them: what is before denies another one.
    denying = _NONE if lexicon.final else lexicon.negators - _OTHERWISE
    certain, about, limits, number, exceptions = (
        _any(lexicon, words)
        for words in (
            denying | lexicon.limits | lexicon.limits_before,
            lexicon.approximators,
            lexicon.limits,
            lexicon.numbers | lexicon.quantifiers | denying,
            lexicon.restrictions - lexicon.conditions,
        )
    )
    left = (
        rf"(?P<frame>{certain}){between}",
        rf"(?P<frame>{about}){between}(?=\W*{articles}(?:\d|{number}))",
        # "not quite | all of them"
        rf"(?P<frame>{_any(lexicon, denying)})\s+(?:(?!{turns})[^\s{_BREAK}]+\s+){{0,3}}"
        rf"{_QUOTED}\|(?=\W*{_any(lexicon, lexicon.quantifiers)})",
    )
    right = (
        # "… | , except on Sundays"
        rf"{_CLOSE}[,，、،(（—–-]?\s*(?:{turns}\s+)?(?P<frame>{limits}|{exceptions})",
        # "… | on Sundays only."
        rf"\s*(?:[^\s{_BREAK}]+\s+){{1,5}}(?P<frame>{limits})\s*(?:[.;!?)。]|\Z)",
        # "… | not."
        rf"{_CLOSE}(?P<frame>{_any(lexicon, denying)})\s*(?:[,.;!?)。]|\Z)",
        # "… | : no."
        rf"{_CLOSE}[,，、،:：→(（\[—–…]\s*(?P<frame>{_any(lexicon, denying)})\s*(?:[.;!)\]。]|\Z)",
    )
    idle = lexicon.exceptions - lexicon.limits - lexicon.restrictions - lexicon.negators
    idle -= lexicon.approximators
    # "some, but not | all, of them": a negator that ends a phrase denies what is behind the cut.
    idle = {phrase for phrase in idle if phrase.split()[-1] not in lexicon.negators}
    before = re.compile(rf"(?i:{article})\s+\Z" if article != "(?!)" else "(?!)")
    idle_ = re.compile(_any(lexicon, idle))
    return [*map(re.compile, left)], [*map(re.compile, right)], idle_, before


# Negators that often deny nothing before other words: German "noch" is "still".
_OTHERWISE = frozenset("noch personne ne né n' point".split())


# The rules

_Scope = Literal["before", "clause", "link", "marks", "after", "window"]


class _Rule(NamedTuple):
    """Words that frame a quote, and where they do.

    Attributes:
        kind: The kind of framing.
        scope: `before`, within 90 characters before the quote; `clause`, anywhere before it;
            `link`, in the clause that a word such as "that" ties to it; `marks`, around the marks
            of quotation that it is in; `after`, right after it;
            `window`, in the few words after it, in languages whose verbs follow their clauses.
        pattern: A regular expression; `_named` says what the names in braces stand for. The frame
            is the group `frame`, or all.
        only: "initial" for languages whose verbs do not follow their clauses, "final" for others.
        needs: What the quote must contain.
        unless: What the words around the quote must not contain, of those that the scope reads.
        parts: Whether it frames words as well that say nothing by themselves.
        ended: Whether it frames a quote that ends with a stop.
        raw: Whether it applies to words of `exceptions`, too.
    """

    kind: FramingKind
    scope: _Scope
    pattern: str
    only: Literal["", "initial", "final"] = ""
    needs: str = ""
    unless: str = ""
    parts: bool = False
    ended: bool = False
    raw: bool = False


_COMMAS = ",，、،"
_BREAK = r",;:.!?()،؛。！？；、，।·"
_QUOTED = r"[\s\"'“”„«»‘‹「『(\[]*"
_OPEN = r"[\s\"'“”„«»‘‹「『(\[:：,，、،¿¡—–-]*"
_CLOSE = r"[\s\"'”“’»«›)\]」』]*"
_CLOSED = re.compile(r"[.,!?;]?(?:[\"”“«»›」』]|&(?:rd|ra)quo;|&quot;)")
_PAUSE = r"(?:[\"'”’»」』]\s*[,，、،—–-]?|[,，、،—–-])\s*"

# The strongest first. Where a language lacks the words of a rule, it matches nothing.
_RULES = (
    # "wondered whether"
    _Rule("asked", "before", r"{whether}{aside}{open}{steps4}\Z"),
    _Rule("asked", "after", r".*?(?P<frame>[?？؟{greek}])\W*\Z"),
    # "no evidence that", "did not say"
    _Rule("denied", "link", "{denials}|{negators}", parts=True),
    _Rule("denied", "before", r"{denials}{blank}{steps1}\Z|{begun}{denials}\s*[:：]{open}\Z",
          "initial", parts=True),
    # "is a myth"; behind a pause it may be of the next clause
    _Rule("denied", "after", r"{close}(?:\s*|[,;，、،—–-]+\s*(?={back}))(?P<frame>{predicate})",
          parts=True, ended=True),
    # "it is | not"
    _Rule("denied", "after", r"\s*(?P<frame>{privative})", "initial",
          needs=r"(?:{copulas}|{auxiliaries})\Z", parts=True),
    # "no need to | renew it", "no member | was there": what is cut off of its own clause
    _Rule("denied", "before", r"{negators}\s+{clause_steps}{infinitives}\s+\Z", "initial",
          needs=r"\A(?:be|have|(?!{common}|{subjects}|\d))"),
    _Rule("denied", "before", r"{negators}\s+{clause_steps}\Z", "initial",
          needs=r"\A(?:{verbals}|{infinitives}|{adverbs})"),
    # "nie są | wystarczająco pojemne"
    _Rule("denied", "before", r"{negators}\s+{step}\Z", "initial"),
    _Rule("denied", "before", r"{begun}{negators}\s+{clause_steps}\Z", "initial",
          needs=r"\A(?:{auxiliaries}|{copulas})"),
    _Rule("denied", "window", "{denials}|{negators}", "final", parts=True),
    # "unless", "if it rains, "
    _Rule("conditional", "before", r"{conditions}{aside}{open}{steps4}\Z"),
    _Rule("conditional", "clause",
          r"{start}{open}{lead}(?:{opening}{clause}{pause}{own_steps}|{first}{words})\Z"),
    _Rule("conditional", "after", r"{close}{paused}\s*{between}(?P<frame>{later})"),
    # "may not sublet the flat | without", "cannot be edited | after the deadline"
    _Rule("conditional", "after", r"[^\S\n]+(?P<frame>(?!{connectives})[^\W\d_][^{break}]*)",
          "initial", needs=r"{negators}[^{break}]*\Z"),
    # "a risk that", "may"
    _Rule("conditional", "link", "{prospects}|{modals}|{possible}"),
    _Rule("conditional", "before", r"{modals}{quoted}{steps2}\Z", "initial"),
    # "On some systems, "
    _Rule("conditional", "before",
          r"{begun}[^\s{break}]+\s+{partial}\s+[^\s{break}]+\s*{own_step}?{open}\Z", "initial"),
    # "perhaps", "some say"
    _Rule("conditional", "before",
          r"(?:{begun}{possible}{open}|{possible}{quoted}){own_steps}\Z", raw=True),
    _Rule("attributed", "before",
          r"(?:{begun}{hearsay}{open}|{hearsay}{quoted}){own_steps}\Z", raw=True),
    _Rule("conditional", "window", "{possible}|{modals}", "final", raw=True),
    # "claims that", "According to the firm, "
    _Rule("attributed", "link", "{says}|{reports}"),
    # Any verb makes what it governs somebody's, but one of knowing: "tweeted that", "found that".
    # "that" after a noun begins a relative clause.
    _Rule("attributed", "link", r"\S",
          unless=r"¤|{factive}|{determined}\s+(?:[^\s{break}]+\s+)?[^\s{break}]+\s*\Z"),
    _Rule("attributed", "before",
          r"{attributions}(?:{open}\Z|\s+(?!{that})(?={subjects})(?:[^\s{break}]+\s+){1,3}\Z)"),
    _Rule("attributed", "clause",
          r"{begun}{according}[^;.!?。()]*{comma}{open}{steps3}\Z"
          r"|{start}{open}{according}\s+(?:[^\s,;:!?。]+\s+){1,7}\Z", "initial"),
    # "Kritiker werfen ihm vor, er habe gelogen": a mood says whose words they are
    _Rule("attributed", "before", r"(?:{says}|{reports})[^{break}]*,\s*\Z", needs="{reported}"),
    # ", said the minister", ", the minister said."
    _Rule("attributed", "after", r"{close}(?P<frame>{according}{claim})", ended=True),
    _Rule("attributed", "after", r"\s*{pause_}(?P<frame>{according}|{inverted})", ended=True),
    _Rule("attributed", "after",
          r"\s*{pause_}(?P<frame>{plain}{speakers}{says}"
          r"(?={ending}\s*(?:[{break}]|\Z)|(?:\s+\S+){1,6}[.,।]))", ended=True),
    # Whatever is said of words in marks of quotation, they are somebody's.
    _Rule("attributed", "marks",
          r"(?:[“„«»‹「『]|(?<=[\w,:][ ])(?<!\":[ ])\"|&(?:[lb]d|la)quo;|&quot;)\Z"),
    _Rule("attributed", "window", r"{attributions}|{according}|{tied}(?:{reports}|{says})",
          "final"),
)  # fmt: skip


class _Compiled(NamedTuple):
    """The rules of one language, and what `_frames` reads a sentence with."""

    rules: list[tuple[_Rule, re.Pattern[str], re.Pattern[str] | None, re.Pattern[str] | None]]
    exceptions: re.Pattern[str]
    doubtless: re.Pattern[str]  # "nobody doubts"
    that: re.Pattern[str]
    next_clause: frozenset[str]
    is_unspaced: bool


@cache
def _compiled(code: str) -> _Compiled:
    lexicon = load_lexicon(code)
    names = _named(lexicon)

    def fill(pattern: str) -> re.Pattern[str]:
        def read(name: re.Match[str]) -> str:
            if name[1] not in names:
                names[name[1]] = _any(lexicon, getattr(lexicon, name[1]))
            return names[name[1]]

        return re.compile(re.sub(r"\{([a-z]\w*)\}", read, pattern))

    order = "final" if lexicon.final else "initial"
    # Whether "that" may be another word as well, or is a letter of the next one.
    is_loose = bool(lexicon.that & lexicon.relatives) or any("*" in each for each in lexicon.that)
    return _Compiled(
        rules=[
            (
                rule,
                fill(rule.pattern),
                fill(rule.needs) if rule.needs else None,
                fill(rule.unless) if rule.unless else None,
            )
            for rule in _RULES
            if rule.only in ("", order)
            and (rule.scope != "window" or lexicon.final)
            and (not rule.unless or lexicon.factive or not is_loose)
        ],
        # "die Tatsache, dass" is written "die_tatsache_dass".
        exceptions=re.compile(_any(lexicon, lexicon.exceptions).replace(r"\s+", r"[,،]?\s+")),
        doubtless=fill(
            "{negators}{within}{doubts}" + "|{doubts}{within}{negators}" * lexicon.final
        ),
        that=fill(r"(?:{that}{aside}{open}{steps4}|{joined}\s*)\Z"),
        # "या नहीं" (or not) asks what comes before it.
        next_clause=lexicon.connectives - {each.split()[0] for each in lexicon.whether},
        is_unspaced=_is_unspaced(lexicon),
    )


def _is_unspaced(lexicon: Lexicon) -> bool:
    return any(is_unspaced(word[0]) for word in lexicon.negators)


def _named(lexicon: Lexicon) -> dict[str, str]:
    """Return what the names in patterns stand for, but for those of tables of the lexicon."""
    unspaced, final, stops = _is_unspaced(lexicon), lexicon.final, lexicon.stops

    def any_of(words: Iterable[str]) -> str:
        return _any(lexicon, words)

    def steps(most: int) -> str:
        """Return a pattern of up to some words of one clause, each with the blank after it."""
        if unspaced:
            return rf"[^\s{_BREAK}]{{0,{2 * most}}}"
        return rf"(?:[^\s{_BREAK}]+\s+){{0,{most}}}"

    joins, negators = any_of(lexicon.connectives), any_of(lexicon.negators)
    skip = rf"(?:(?!{negators})[^\s{_BREAK}]+\s+)"
    untrue = any_of(lexicon.untrue)
    if unspaced:
        predicate = rf"[^{_BREAK}]{{0,6}}?{untrue}"
    elif lexicon.copulas:
        phrases = any_of(phrase for phrase in lexicon.untrue if " " in phrase)
        copula = rf"{skip}{{0,3}}?{any_of(lexicon.copulas)}\s+{skip}{{0,2}}?{untrue}"
        predicate = rf"(?:{copula}|{skip}{{0,2}}?{phrases})"
    else:
        predicate = rf"{skip}{{0,2}}?{untrue}"
    # In Romance languages, ", que" begins a relative clause. What ends in "*" is written together
    # with the word after it.
    full = {word for word in lexicon.that if not word.endswith("*")}
    relative = any_of(lexicon.that & lexicon.relatives)
    that = rf"(?:(?<![,،]\s){relative}|{any_of(full - lexicon.relatives)})"
    conditions, starting = lexicon.conditions, lexicon.initial_conditions
    # Where no stop ends a sentence, a blank ends a clause.
    start = r"(?:\A|(?<=[.!?。！？।:：;·])|(?<=\s[-–—ـ]))" if stops else r"(?:\A|(?<=\s))"
    links = any_of(lexicon.connectives | lexicon.subordinators)
    begun = rf"(?:{start}|(?<=[{_COMMAS}:：(（–—-])|{links}){_OPEN}"
    # ", sagte der Minister": its subject follows the verb, unlike in ", added in 1990".
    light = lexicon.common | lexicon.subordinators
    no_subject = any_of(light - lexicon.subjects - lexicon.articles)
    phrases = {each for each in lexicon.speech if " " in each}  # "heter det"
    verbs = rf"{any_of(lexicon.speech - phrases)}(?!\s+{no_subject})"
    # ", in denen er mitteilte," says whose words follow.
    relatives = "(?!)" if final else any_of(lexicon.relatives - lexicon.articles)
    word = rf"(?:(?!{relatives})[^\s{_BREAK}]+\s+)"
    quotative = any_of(lexicon.quotatives) if lexicon.quotatives else ""
    if unspaced and final:  # "、と社長は述べた"
        speakers, ending, plain = rf"{quotative}[^\s{_BREAK}]{{1,10}}?", "[ぁ-ん]{0,4}", ""
    else:
        speakers = rf"[^\s{_BREAK}]{{1,8}}?" if unspaced else rf"{word}{{1,4}}?"
        ending, plain = "", rf"(?!{links})"
    relatives_ = any_of(lexicon.relatives | lexicon.that)
    step = rf"(?:(?!{links}|{relatives_})[^\s{_BREAK}]+\s+)"
    own_step = rf"(?:(?!{any_of(lexicon.connectives | lexicon.relatives)})[^\s{_BREAK}]+\s+)"
    reports = any_of(lexicon.reports)
    between = steps(4) if final else rf"(?:(?!{joins})[^\s{_BREAK}]+\s+){{0,2}}"
    return {
        "break": _BREAK,
        "open": _OPEN,
        "close": _CLOSE,
        "quoted": _QUOTED,
        "greek": ";" if lexicon.code == "el" else "",
        "start": start,
        "begun": begun if not unspaced else "",
        "clause": r"(?:[^;.!?。！？।·\n]|\n(?!\s*\n)|\.(?=\w))*" if stops else r"\S*",
        # "However, if", "That whenever"
        "lead": rf"(?:(?:{steps(3)}[^\s{_BREAK}]+\s*[{_COMMAS}]"
        rf"|{any_of(lexicon.connectives | full)})\s*)?",
        "words": rf"[^{_BREAK}]*",
        "pause": r"(?:[,，、،]|\s[–—])\s*" if stops else r"\s",
        "pause_": _PAUSE if stops else rf"(?:{_PAUSE}|\s)",
        "comma": r"[,，、:\s]" if unspaced else r"[,،:]",
        "blank": r"\s*" if unspaced else r"\s+",
        # Japanese and Korean seldom have conditions behind their clauses.
        "paused": "[(（]?" if final and not lexicon.that else "[,，、،—–(（-]?",
        "aside": rf"(?:[,，、]\s*[^{_BREAK}]{{1,60}}(?=[,，、]))?",  # "if, by the end of June, "
        "between": between,
        "within": rf"[^{_BREAK}]{{0,15}}?" if unspaced else rf"\s*[^{_BREAK}]{{0,40}}?",
        **{f"steps{most}": steps(most) for most in (1, 2, 3, 4)},
        "step": "(?!)" if unspaced else step,
        "clause_steps": f"{step}{{0,6}}",
        "own_step": own_step,
        "own_steps": steps(6) if unspaced else rf"{own_step}{{0,6}}",
        "that": that,
        "joined": any_of(lexicon.that - lexicon.relatives),
        "whether": any_of(lexicon.whether - conditions - starting),
        "opening": any_of(conditions.union(starting, lexicon.inversions, lexicon.restrictions)),
        "first": any_of(conditions | starting),
        "later": any_of(conditions - starting),
        "privative": any_of(lexicon.negators - lexicon.connectives),
        "back": any_of(lexicon.pointers.union(lexicon.relatives, lexicon.copulas)),
        "predicate": predicate,
        "says": any_of(lexicon.attributions | lexicon.speech),
        "claim": f"|{quotative}{reports}" if quotative and not final else "",  # "的说法"
        "tied": rf"\A{quotative}.*?" if quotative else "",
        "inverted": "(?!)"
        if unspaced
        else f"{any_of(lexicon.attributions)}|{any_of(phrases)}|{verbs}",
        "speakers": speakers,
        "ending": ending,
        "plain": plain,
        "determined": any_of(lexicon.determiners | lexicon.articles),
    }


# Python's \w lacks the vowel signs of the scripts of India.
_W = r"[\w\u0900-\u0963\u0970-\u0dff]"


def _any(lexicon: Lexicon, words: Iterable[str]) -> str:
    """Return a pattern of any of the words, the longest first; it matches nothing if none."""
    forms = sorted(words, key=lambda word: (-len(word), word))
    if not forms:
        return "(?!)"
    if _is_unspaced(lexicon):
        return _tree(map(_form, forms))
    clitics = f"[{lexicon.clitics}]{{0,2}}" if lexicon.clitics else ""
    # A word begins at a border; what begins with a comma, ", czy", and "n't" need none.
    loose = (",", "n't")
    signs = "".join(f"|{''.join(_form(word))}" for word in forms if word.startswith(loose))
    words_ = _tree(_form(word) for word in forms if not word.startswith(loose)) or "(?!)"
    return f"(?:(?<!{_W}){clitics}{words_}{signs})(?!{_W})"


def _form(word: str) -> tuple[str, ...]:
    """Return patterns that match a word or phrase, "*" for any beginning or ending, one by one."""
    letters = word.strip("*")
    form = tuple(r"\s+" if letter == " " else re.escape(letter) for letter in letters)
    return (f"{_W}+",) * word.startswith("*") + form + (f"{_W}*",) * word.endswith("*")


def _tree(forms: Iterable[tuple[str, ...]]) -> str:
    """Return a pattern of any of the forms, which tries what begins alike once only.

    Of two forms that begin alike, the first is tried first.
    """
    branches: dict[str, list[tuple[str, ...]]] = {}
    ends = False
    for form in forms:
        if form:
            branches.setdefault(form[0], []).append(form[1:])
        else:
            ends = True
    if not branches:
        return ""
    grown = [first + _tree(rest) for first, rest in branches.items()]
    if len(grown) == 1 and not ends:
        return grown[0]
    return f"(?:{'|'.join(grown)}){'?' if ends else ''}"


# Reading a sentence

# What is no word of a sentence: tags, cues of subtitles, the bullet or number of an item.
_NO_WORDS = re.compile(
    r"</?[a-z][^<>\n]{0,80}>|^(?:\d{1,5}\n)?[\d:.,]{5,12}[ \t]+-->[^\n]*"
    r"|^(?:[ \t]|<[^<>\n]{1,80}>)*(?:#+|//+|[•●▪◦‣∙·*†‡※+>–—-]|\(?\d{1,3}(?:\.\d{1,3})*[.)]?"
    r"|\(?[^\W\d_][.)]|§{1,2}[ \t]?\d{1,4}\.?)[ \t]+(?=\S)",
    re.MULTILINE,
)


class _Folded:
    """A part of a text in lower case, addressed by the offsets of the text."""

    def __init__(self, text: str, offset: int) -> None:
        lower = text.lower()
        if len(lower) != len(text):  # "İ" becomes two
            lower = "".join(low if len(low := char.lower()) == 1 else char for char in text)
        for mark in () if lower.isascii() else _APOSTROPHES:
            lower = lower.replace(mark, "'")
        lower = _NO_WORDS.sub(lambda match: " " * len(match[0]), lower)
        self._text, self._offset = lower, offset

    def slice(self, start: int, end: int) -> str:
        return self._text[start - self._offset : end - self._offset]


class _Sides(NamedTuple):
    """The sentence around a quote, as rules read it, and where in the text its parts begin."""

    quote: str
    before: str
    after: str
    first: int
    end: int


def _frames(
    code: str, text: _Folded, first: int, start: int, end: int, last: int
) -> Iterator[tuple[FramingKind, Interval]]:
    """Yield the frames of `start:end` in the sentence `first:last`, the strongest first."""
    compiled, quote = _compiled(code), text.slice(start, end)
    raw = _Sides(quote, text.slice(first, start), text.slice(end, last), first, end)
    before, after = (
        compiled.doubtless.sub(_masked, compiled.exceptions.sub(_masked, side))
        for side in (raw.before, raw.after)
    )
    masked = raw._replace(before=before, after=after)
    least = _LEAST_CHARACTERS if compiled.is_unspaced else _LEAST_WORDS
    says_something = len(quote if compiled.is_unspaced else quote.split()) >= least
    is_whole = not any(map(str.isalnum, raw.before + raw.after))
    is_ended = quote.endswith(_ENDED)
    is_told = code == "en" and is_past(quote)
    for rule, pattern, needs, unless in compiled.rules:
        applies = rule.parts or says_something
        if is_whole:
            applies = rule.kind == "asked"
        elif is_ended and rule.scope in ("after", "window"):
            applies = applies and rule.ended
        if applies and (needs is None or needs.search(quote)):
            found = _match(rule.scope, pattern, raw if rule.raw else masked, compiled, unless)
            # "When it rained, they took the bus" tells what happened.
            told = is_told and rule.scope == "clause" and rule.kind == "conditional"
            if found is not None and not (told and text.slice(*found).startswith(_TIMES)):
                yield rule.kind, found


# What begins a condition in the present, and a time in the past.
_TIMES = ("when", "once", "until", "till", "without", "where", "failing")


def _masked(found: re.Match[str]) -> str:
    return "¤" * len(found[0])


def _match(
    scope: _Scope,
    pattern: re.Pattern[str],
    sides: _Sides,
    compiled: _Compiled,
    unless: re.Pattern[str] | None,
) -> Interval | None:
    """Return where a pattern finds the words of a frame in the text, or `None`."""
    quote, before, after, first, end = sides
    near = max(0, len(before) - _NEAR)
    if scope in ("before", "clause"):
        found = pattern.search(before, near if scope == "before" else 0)
        if found is None:
            return None
        return first + found.start() + _lead(found[0]), first + len(before.rstrip())
    if scope == "link":
        link = compiled.that.search(before, near)
        head = _head(before, link.start()) if link else 0
        if link is None or not pattern.search(before, head, link.start()):
            return None
        is_near = len(before[link.start() :].split()) < _LEAST_WORDS
        if unless and not (is_near and not unless.search(before, head, link.start())):
            return None
        if unless and is_finite(quote.split()[0]):
            return None
        return first + head + _lead(before[head:]), first + len(before[: link.end()].rstrip())
    if scope == "marks":
        return _said_of(sides, pattern)
    if scope == "after":
        found = pattern.match(after)
        return found and (end + found.start("frame"), end + found.end("frame"))
    lead, window = _window(after, compiled)
    if found := pattern.search(window):
        return end + lead + found.start(), end + lead + found.end()
    # The quote may have the particle that ties it to what follows.
    tail = quote[-3:] if compiled.is_unspaced else quote[quote.rfind(" ") + 1 :]
    found = pattern.match(f"{tail} {window}")
    is_behind = found is not None and found.end() > len(tail) + 1
    return (end + lead, end + lead + found.end() - len(tail) - 1) if found and is_behind else None


def _said_of(sides: _Sides, opening: re.Pattern[str]) -> Interval | None:
    """Return the words before a quotation, or else behind it, in the sentence that has it."""
    _, before, after, first, end = sides
    opened, closed = opening.search(before), _CLOSED.match(after)
    if opened is None or closed is None:
        return None
    if any(map(str.isalnum, before[: opened.start()])):
        return first + _lead(before), first + len(before.rstrip())
    rest = after[closed.end() :]
    if not any(map(str.isalnum, rest)):
        return None
    return end + closed.end() + _lead(rest), end + len(after.rstrip())


def _window(after: str, compiled: _Compiled) -> tuple[int, str]:
    """Return the words that follow a quote in its clause, and where they begin."""
    stripped = after.lstrip(" \"'”』」")
    clause = re.split(rf"[{_BREAK}]", stripped, maxsplit=1)[0]
    if compiled.is_unspaced:
        window = clause[:18]
    else:
        words = takewhile(lambda word: word not in compiled.next_clause, clause.split(" "))
        window = " ".join(islice(words, 4))
    return len(after) - len(stripped), window


def _head(before: str, link: int) -> int:
    """Return where the clause begins that ends at a link."""
    low = max(0, link - _HEAD)
    link -= len(before[:link]) - len(before[:link].rstrip(" ,，،\n\t"))
    stops = [stop.end() for stop in _STOP.finditer(before, low, link)]
    return stops[-1] if stops else low


def _lead(text: str) -> int:
    """Return how many characters come before the first letter or digit."""
    return next((i for i, char in enumerate(text) if char.isalnum()), 0)
