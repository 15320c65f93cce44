"""What the sentence around a quote does to it: denies, attributes, conditions or asks it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice, takewhile
from typing import Literal

from citeguard.language.lexicon import Lexicon, find_framing_lexicon, load_lexicon
from citeguard.language.scripts import is_unspaced
from citeguard.language.sentences import Interval, whole_sentences

FramingKind = Literal["denied", "attributed", "conditional", "asked"]

_REACH = 300  # characters of the sentence that are read on either side
_NEAR = 90  # characters that hold a word that frames and the few words after it
_LANGUAGE = 400  # characters that share a language
_HEAD = 100  # characters before "that" in which the words stand that frame what follows it
_LINKED = 40  # characters before "that" of which a clause is the object: "a risk for all that"
_LEAST_WORDS, _LEAST_CHARACTERS = 3, 6  # of a quote that says something by itself
# Python's \w lacks the vowel signs of the scripts of India.
_W = r"[\w\u0900-\u0963\u0970-\u0dff]"
_QUOTED = r"[\s\"'“”„«»‘‹「『(\[]*"
_OPEN = r"[\s\"'“”„«»‘‹「『(\[:：,，、،¿¡—–-]*"
_CLOSE = r"[\s\"'”“’»«›)\]」』]*"
_PAUSE = r"(?:[\"'”’»」』]\s*[,，、،—–-]?|[,，、،—–-])\s*"
_BREAK = r",;:.!?()،؛。！？；、，।·"
_COMMAS = ",，、،"
_STOP = re.compile(r"[,;.!?。！？；，،।؟·]")
_START = r"(?:\A|(?<=[.!?。！？।:;·]))"  # of a clause that nothing before it governs
_CLAUSE = r"(?:[^;.!?。！？।·\n]|\n(?!\s*\n)|\.(?=\w))*"
# A stop after a word too long for an abbreviation, before a capital letter. The stop comes first,
# as a pattern is ten times as fast if a class begins it.
_CLEAR_STOP = re.compile(
    r"[.!?。！？](?:(?<=[。！？])|(?<=[^\W\d_]{5}.)[\"'”’)\]]*\s+(?=[\"'“‘(]?[^\W\d_a-z]))"
)
_ENDED = tuple(".;!?。！？।؟")
_APOSTROPHES = "’‘ʼ＇"
_DANDA = "।"


@dataclass(frozen=True, slots=True)
class Framing:
    """The words of a source that keep it from asserting a quote.

    Attributes:
        kind: `denied` ("It is false that …"), `attributed` ("She claims that …"), `conditional`
            ("if …", "perhaps …", "until then …", "…, except …") or `asked` ("whether …").
        words: the words that say so.
        span: their half-open interval in the text, in code points.
    """

    kind: FramingKind
    words: str
    span: Interval


def find_framing(text: str, start: int, end: int) -> Framing | None:
    """Return how the sentence around `text[start:end]` frames it, or `None`.

    Only what stands outside the interval counts. Whole sentences are framed only by a denial in the
    next one. `None` too if there are no tables for the language. A hint, not a proof: the tables
    know words, not grammar.

    Examples:
        >>> text = "It is false that the drug is safe."
        >>> find_framing(text, 17, 33)
        Framing(kind='denied', words='It is false that', span=(0, 16))
    """
    low, high = max(0, start - _REACH), min(len(text), end + _REACH)
    for stop in _CLEAR_STOP.finditer(text, low, start):
        low = stop.end()
    # Quotes from one part of a text share what is found for it.
    part = max(0, start - start % _LANGUAGE - _LANGUAGE // 2)
    lexicon = find_framing_lexicon(text[part : part + 2 * _LANGUAGE])
    if lexicon is None:
        return None
    folded = _Folded(text[low:high], low)
    patterns = _Patterns.of(lexicon.code)
    # Finding the borders of a sentence is slow; most quotes have nothing like a frame nearby.
    stop = _CLEAR_STOP.search(text, max(start, end - 1), high)
    asked = any(mark in text[end : stop.end() if stop else high] for mark in patterns.marks)
    nearby = asked or next(patterns.frames(folded, low, start, end, high), None)
    if not nearby and not patterns.next.match(folded.slice(end, high)):
        return None
    first, last = whole_sentences(text, start, end)
    if (danda := text.rfind(_DANDA, first, start)) >= 0:
        first = danda + 1
    if (danda := text.find(_DANDA, end - 1, last)) >= 0:
        last = max(danda + 1, end)
    found = patterns.frames(folded, max(first, low), start, end, min(last, high))
    frame = next(found, None)
    if frame is None:
        return None
    kind, (begin, stop) = frame
    return Framing(kind, " ".join(text[begin:stop].split()), (begin, stop))


# What is no word of a sentence: tags, cues of subtitles, the bullet or number of an item.
_NO_WORDS = re.compile(
    r"</?[a-z][^<>\n]{0,80}>|^(?:\d{1,5}\n)?[\d:.,]{5,12}[ \t]+-->[^\n]*"
    r"|^[ \t]*(?:[•●▪◦‣∙·*+>–—-]|\(?\d{1,3}(?:\.\d{1,3})*[.)]?|\(?[^\W\d_][.)]"
    r"|§{1,2}[ \t]?\d{1,4}\.?)[ \t]+(?=\S)",
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


_Frame = tuple[FramingKind, Interval]
# A kind with its words before a quote, at the end of its clause, and anywhere.
_Hedge = tuple[FramingKind, re.Pattern[str], re.Pattern[str], re.Pattern[str]]


class _Patterns:
    """The patterns of one language."""

    @staticmethod
    @cache
    def of(code: str) -> _Patterns:
        return _Patterns(load_lexicon(code))

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self.unspaced = any(is_unspaced(word[0]) for word in lexicon.negators)
        # What is written together with the word after it ("ש") is part of the quote.
        # In Romance languages, ", que" begins a relative clause.
        full = {word for word in lexicon.that if not word.endswith("*")}
        ties = self._any(lexicon.that & lexicon.relatives), self._any(full - lexicon.relatives)
        that = rf"(?:(?<![,،]\s){ties[0]}|{ties[1]})"
        whether = self._any(lexicon.whether)
        negators, conditions = self._any(lexicon.negators), self._any(lexicon.conditions)
        denials, untrue = self._any(lexicon.denials), self._any(lexicon.untrue)
        says, according = self._any(lexicon.attributions), self._any(lexicon.according)
        subjects, copulas = self._any(lexicon.subjects), self._any(lexicon.copulas)
        initial = self._any(lexicon.initial_conditions)
        reports = self._any(lexicon.reports)
        speech = self._any(lexicon.attributions | lexicon.speech)
        # Where no stop ends a sentence, a blank ends a clause.
        start, clause = (_START, _CLAUSE) if lexicon.stops else (r"(?:\A|(?<=\s))", r"\S*")
        opening = f"{conditions}|{initial}|{self._any(lexicon.inversions)}"
        compile_ = re.compile
        blank = r"\s*" if self.unspaced else r"\s+"
        comma = r"[,，、:\s]" if self.unspaced else r"[,،:]"
        pause = r"[,，、،]\s*" if lexicon.stops else r"\s"
        # "die Tatsache, dass" is written "die_tatsache_dass".
        self.exceptions = compile_(self._any(lexicon.exceptions).replace(r"\s+", r"[,،]?\s+"))
        self.sources = compile_(according)
        aside = rf"(?:[,，、]\s*[^{_BREAK}]{{1,60}}(?=[,，、]))?"  # "if, by the end of June, "
        joined = self._any(lexicon.that - lexicon.relatives)
        self.that = compile_(rf"(?:{that}{aside}{_OPEN}{self._steps(4)}|{joined}\s*)\Z")
        self.link = compile_(rf"\W*{joined}\s*")
        self.denying = compile_(f"{denials}|{negators}")
        doubts = self._any(lexicon.doubts)
        doubtless = rf"{negators}{self._within(5)}{doubts}"
        if lexicon.final:
            doubtless = rf"{doubtless}|{doubts}{self._within(5)}{negators}"
        self.doubting = compile_(doubtless)
        self.negated = compile_(rf"{negators}{blank}(?:{says}{_OPEN}|{self._steps(1)})\Z")
        self.denied = compile_(rf"{denials}(?:{blank}{self._steps(1)}|\s*[:：]{_OPEN})\Z")
        self.whether = compile_(rf"{whether}{aside}{_OPEN}{self._steps(4)}\Z")
        # "Si …" is a condition at the start of a clause, and a question after a verb.
        both = self._any(lexicon.whether & (lexicon.conditions | lexicon.initial_conditions))
        self.either = compile_(both)
        self.asking = compile_(self._any(lexicon.asking))
        self.marks = "?？؟;" if lexicon.code == "el" else "?？؟"
        self.question = compile_(rf"[{self.marks}]\W*\Z")
        self.whether_after = compile_(rf"{_CLOSE}{self._steps(2)}{whether}")
        self.condition = compile_(rf"{conditions}{aside}{_OPEN}{self._steps(4)}\Z")
        self.initial = compile_(
            rf"(?:{start}{_OPEN}|[{_COMMAS}]\s*){initial}{_OPEN}{self._steps(4)}\Z"
        )
        self.opening = compile_(
            rf"{start}{_OPEN}(?:{self._any(lexicon.connectives)}\s*)?(?:{opening})"
            rf"{clause}{pause}{self._steps(4)}\Z"
        )
        # "If it rains, the bus, which …": so it does if it does not rain.
        clear = frozenset[str]() if lexicon.final else lexicon.relatives - lexicon.articles
        relative = self._any(lexicon.relatives & lexicon.articles | clear)
        self.relative = compile_(
            rf"[,،]\s*(?:{relative}|{self._any(lexicon.common)}\s+{self._any(clear)})"
        )
        self.says = compile_(
            rf"{says}(?:{_OPEN}\Z|\s+(?!{that})(?={subjects})(?:[^\s{_BREAK}]+\s+){{1,3}}\Z)"
        )
        self.prospect = compile_(self._any(lexicon.prospects | lexicon.modals | lexicon.possible))
        self.saying, self.attributing = compile_(says), compile_(f"{speech}|{reports}")
        # "Kritiker werfen ihm vor, er habe gelogen": a mood says whose words they are.
        self.introduced = compile_(rf"(?:{speech}|{reports})[^{_BREAK}]*,\s*\Z")
        self.announced = compile_(rf"{self._any(lexicon.speech)}\s*[:：]{_OPEN}\Z")
        self.reported = compile_(self._any(lexicon.reported))
        # "Sizes vary according to the model, and" says nothing of what follows.
        links = self._any(lexicon.connectives | lexicon.subordinators)
        begun = rf"(?:{start}|(?<=[{_COMMAS}:：(（–—-])|{links}){_OPEN}"
        anywhere = (begun if lexicon.stops else start) if not self.unspaced else ""
        clauses = rf"[^;.!?。()]*{comma}"
        if lexicon.final:  # what it is according to comes before it
            anywhere, clauses = "", rf"\s*{comma}(?:{clauses})?"
        adjacent = rf"|{according}{_OPEN}\Z" if lexicon.final else ""
        self.according = compile_(
            rf"{anywhere}{according}{clauses}{_OPEN}{self._steps(3)}\Z"
            rf"|{start}{_OPEN}{according}\s+{self._steps(4)}\Z{adjacent}"
        )
        self.settings: tuple[tuple[FramingKind, re.Pattern[str]], ...] = (
            ("conditional", compile_(self._setting(begun, lexicon.limits))),
            ("attributed", compile_(self._setting(begun, lexicon.fictions, lexicon.inside))),
        )
        self.limited = compile_(
            rf"{_CLOSE}[{_COMMAS}]?\s*(?P<frame>{self._any(lexicon.limits)})\s*(?:[.;!?。।]|\Z)"
        )
        skip = rf"(?:(?!{negators})[^\s{_BREAK}]+\s+)"
        if lexicon.copulas:
            phrases = self._any(phrase for phrase in lexicon.untrue if " " in phrase)
            predicate = (
                rf"(?:{skip}{{0,3}}?{copulas}\s+{skip}{{0,2}}?{untrue}|{skip}{{0,2}}?{phrases})"
            )
        else:
            predicate = rf"(?:{self._within(2, skip)}{untrue})"
        self.untrue = compile_(rf"{_CLOSE}[,;，、،—–-]*\s*{predicate}")
        # What follows the pause after a main clause is of the next one, unless it points back.
        back = self._any(lexicon.pointers.union(lexicon.relatives, lexicon.copulas))
        self.untrue_main = compile_(rf"{_CLOSE}(?:\s*|[,;，、،—–-]+\s*(?={back})){predicate}")
        self.next = compile_(
            rf"[.!?。！？।]*{_OPEN}(?:{self._any(lexicon.connectives)}\s*)?"
            rf"(?={self._any(lexicon.pointers)})"
            rf"{self._within(5, skip)}{untrue}[^.!?。！？।]{{0,25}}(?:[.!?。！？।]|\Z)"
        )
        joins = self._any(lexicon.connectives)
        between = unnegated = self._steps(4)
        if not lexicon.final:
            between = rf"(?:(?!{joins})[^\s{_BREAK}]+\s+){{0,2}}"
            unnegated = (
                rf"(?:(?!{joins}|{negators})[^\s{_BREAK}]+\s+){{0,2}}"  # "does not run except"
            )
        # Japanese and Korean seldom have conditions behind their clauses.
        paused = "" if lexicon.final and not lexicon.that else "[,，、،—–(（-]?"
        after = rf"{_CLOSE},\s*" if lexicon.stops else ""
        starting = lexicon.initial_conditions
        if not paused and not self.unspaced:
            starting |= {word for word in lexicon.conditions if not word.startswith("*")}
        later, starting = (
            self._any(lexicon.conditions - lexicon.initial_conditions),
            self._any(starting),
        )
        restrictions = self._restrictions()
        rest = rf"(?:(?!{joins})[^{_BREAK}]){{0,{_NEAR}}}?[,，、،(（—–]\s*"
        # Where a script has no spaces, exceptions are named first: "但……除外".
        lag = rf"[^{_BREAK}]{{0,20}}?" if self.unspaced else ""
        farther = "" if lexicon.final else rf"|{rest}(?P<later>{later})"
        self.other_clause = compile_(rf"\s*(?!{joins})[^\W\d_]")
        self.condition_after = compile_(
            rf"{_CLOSE}{paused}\s*{between}(?P<frame>{later})|{after}(?P<initial>{starting}){farther}"
        )
        self.restricted = compile_(
            rf"{_CLOSE}{paused or '[(（]?'}\s*(?:{unnegated}|{rest}{lag})(?P<frame>{restrictions})"
        )
        modals = self._any(lexicon.modals)
        step = rf"(?:(?!{self._any(lexicon.connectives | lexicon.relatives)})[^\s{_BREAK}]+\s+)"
        steps = self._steps(6) if self.unspaced else rf"{step}{{0,6}}"
        self.modal = compile_(rf"{modals}{_QUOTED}{self._steps(2)}\Z")
        # In Arabic, "قد" makes what follows possible only before some forms of verbs.
        phrases = self._any(each for each in lexicon.modals if " " in each)
        self.modal_within = compile_(rf"{phrases}\Z")
        verbs = lexicon.modals if lexicon.final else frozenset[str]()
        kinds: tuple[tuple[FramingKind, str, str], ...] = (
            ("conditional", self._any(lexicon.possible), self._any(lexicon.possible | verbs)),
            ("attributed", self._any(lexicon.hearsay), self._any(lexicon.hearsay)),
        )
        ended = r"\s*(?:[.;!?)。！？।؟]|\Z)"
        self.hedges: tuple[_Hedge, ...] = tuple(
            (
                kind,
                compile_(rf"(?:{ahead}{_QUOTED}|{begun}{ahead}{_OPEN}){steps}\Z"),
                compile_(rf"{_CLOSE}[,，、،(（—–-]?\s*(?P<frame>{behind}){ended}"),
                compile_(behind),
            )
            for kind, ahead, behind in kinds
        )
        quotative = self._any(lexicon.quotatives) if lexicon.quotatives else ""
        tied = rf"\A{quotative}.*?" if quotative else ""
        claim = f"|{quotative}{reports}" if quotative and not lexicon.final else ""  # "的说法"
        # ", in denen er mitteilte," says whose words follow.
        relatives = "(?!)" if lexicon.final else self._any(lexicon.relatives - lexicon.articles)
        word = rf"(?:(?!{relatives})[^\s{_BREAK}]+\s+)"
        speakers = rf"[^\s{_BREAK}]{{1,8}}?" if self.unspaced else rf"{word}{{1,4}}?"
        ending, plain = "", rf"(?!{self._any(lexicon.connectives | lexicon.subordinators)})"
        if self.unspaced and lexicon.final:  # "、と社長は述べた"
            speakers, ending, plain = rf"{quotative}[^\s{_BREAK}]{{1,10}}?", "[ぁ-ん]{0,4}", ""
        # ", sagte der Minister": its subject follows the verb, unlike in ", added in 1990".
        light = lexicon.common | lexicon.subordinators
        no_subject = self._any(light - lexicon.subjects - lexicon.articles)
        phrases = {each for each in lexicon.speech if " " in each}  # "heter det"
        verbs = rf"{self._any(lexicon.speech - phrases)}(?!\s+{no_subject})"
        inverted = "" if self.unspaced else f"{says}|{self._any(phrases)}|{verbs}|"
        likewise = self._any(lexicon.likewise)  # ", as the minister says in her letter"
        pause_ = _PAUSE if lexicon.stops else rf"(?:{_PAUSE}|\s)"
        self.speaker = compile_(
            rf"{_CLOSE}(?P<frame>{according}{claim})|\s*{pause_}(?P<spoken>{according}|{inverted}"
            rf"(?:(?P<so>{likewise}{blank})(?:{word}{{0,4}}?|{speakers})|{plain}{speakers}){speech}"
            rf"(?(so)|(?={ending}\s*(?:[{_BREAK}]|\Z)|(?:\s+\S+){{1,6}}[.,।])))"
        )
        # ", der den Vorwurf bestreitet," frames nothing.
        self.aside = compile_(
            rf"[,،]\s*(?:[^\s{_BREAK}]+\s+)?{self._any(lexicon.relatives)}\s[^{_BREAK}]*[,،]\s*\Z"
        )
        # "या नहीं" (or not) asks what comes before it.
        self.next_clause = lexicon.connectives - {each.split()[0] for each in lexicon.whether}
        self.behind: tuple[tuple[FramingKind, re.Pattern[str]], ...] = ()
        if lexicon.final:
            self.behind = (
                ("denied", compile_(f"{denials}|{negators}")),
                ("asked", compile_(whether)),
                ("conditional", compile_(conditions)),
                ("attributed", compile_(rf"{says}|{according}|{tied}(?:{reports}|{speech})")),
            )

    def _setting(
        self, begun: str, words: Iterable[str], inside: frozenset[str] = frozenset()
    ) -> str:
        """Return a pattern of a setting that ends before a quote: "In her novel, [the mayor …"."""
        if self.unspaced:
            return rf"{self._any(words)}[^\s{_BREAK}]{{0,4}}[{_COMMAS}]?{_OPEN}\Z"
        article = rf"(?:{self._any(self.lexicon.subjects)}\s+)?"
        into = rf"{self._any(inside)}\s+{article}{self._steps(1)}" if inside else article
        if self.lexicon.final:
            into = self._steps(4)
        rest = rf"[^;.!?।()]{{0,{_NEAR}}}?[{_COMMAS}]{_OPEN}{self._steps(1)}"
        return rf"{begun}{into}{self._any(words)}(?:{rest}|\s+{_QUOTED}{self._steps(2)})\Z"

    def _any(self, words: Iterable[str]) -> str:
        """Return a pattern of any of the words, the longest first; it matches nothing if none."""
        forms = sorted(words, key=lambda word: (-len(word), word))
        if not forms:
            return "(?!)"
        if self.unspaced:
            return _tree(map(_form, forms))
        clitics = f"[{self.lexicon.clitics}]{{0,2}}" if self.lexicon.clitics else ""
        # A word begins at a border; what begins with a comma, ", czy", and "n't" need none.
        loose = (",", "n't")
        signs = "".join(f"|{''.join(_form(word))}" for word in forms if word.startswith(loose))
        words_ = _tree(_form(word) for word in forms if not word.startswith(loose)) or "(?!)"
        return f"(?:(?<!{_W}){clitics}{words_}{signs})(?!{_W})"

    def _restrictions(self) -> str:
        """Return a pattern of what begins an exception."""
        lexicon = self.lexicon
        # "but only one can be the default" excepts nothing, "but only on Mondays" does.
        words = {word for word in lexicon.restrictions if word.split()[0] in lexicon.connectives}
        idle = {
            phrase
            for phrase in lexicon.exceptions
            if any(phrase.startswith(f"{word} ") for word in lexicon.restrictions)
        }
        light = self._any(lexicon.common | lexicon.conditions | lexicon.subordinators)
        rest = self._any(lexicon.restrictions - words)
        return rf"(?:(?!{self._any(idle)})(?:{rest}|{self._any(words)}(?=\s+{light})))"

    def _steps(self, most: int) -> str:
        """Return a pattern of up to some words of one clause, each with the blank after it."""
        if self.unspaced:
            return rf"[^\s{_BREAK}]{{0,{2 * most}}}"
        return rf"(?:[^\s{_BREAK}]+\s+){{0,{most}}}"

    def _within(self, most: int, step: str = "") -> str:
        if self.unspaced:
            return rf"[^{_BREAK}]{{0,{3 * most}}}?"
        return rf"\s*(?:{step or rf'[^{_BREAK}]'}){{0,{most if step else 40}}}?"

    def frames(
        self, text: _Folded, first: int, start: int, end: int, last: int
    ) -> Iterator[_Frame]:
        """Yield the frames of `start:end` in the sentence `first:last`, the strongest first."""
        begin = start
        link = self.link.match(self._masked(text.slice(start, end)))
        if link and any(map(str.isalnum, text.slice(first, start))):
            start += link.end()
        raw = self.aside.sub(_mask, text.slice(first, start)), text.slice(end, last)
        before, after = map(self._masked, raw)
        whole = not any(map(str.isalnum, before + after))
        if whole and (found := self.question.search(after)):
            yield "asked", (end + found.start(), end + found.start() + 1)
        if not whole:
            for frame in self._around(text.slice(start, end), raw, (before, after), first, end):
                # "…, [чтобы открыть окно]" has the word itself.
                if not begin <= frame[1][0] < end:
                    yield frame
        if not any(map(str.isalnum, after)):
            following = text.slice(last, last + _REACH)
            if found := self.next.match(following):
                yield "denied", (last + _lead(found[0]), last + found.end())

    def _around(
        self, quote: str, raw: tuple[str, str], masked: tuple[str, str], first: int, end: int
    ) -> Iterator[_Frame]:
        """Yield the frames that what is before and after a quote in its sentence makes."""
        before, after = self._undoubted(raw, masked)
        says_something = self._says_something(quote)
        if says_something:
            yield from self._asked(quote, before, after, first, end)
        yield from self._denied(quote, before, after, first, end)
        if says_something:
            yield from self._conditional(quote, before, after, first, end)
            yield from self._possible(quote, before, first)
            yield from self._hedged(quote, *raw, first, end)
            # In "小说" (novel), an exception, "说" does not say anything.
            yield from self._set(quote, raw[0] if self.unspaced else before, after, first, end)
            yield from self._attributed(quote, before, after, first, end)

    def _undoubted(self, raw: tuple[str, str], masked: tuple[str, str]) -> tuple[str, str]:
        """Mask what affirms by denying a doubt: "nobody denies that", "aucun doute"."""
        before, after = masked
        if link := _at_end(self.that, before):
            head = self._head(before, link.start())
            if found := self.doubting.search(raw[0], head, link.start()):
                before = before[: found.start()] + _mask(found) + before[found.end() :]
        if self.lexicon.final:
            lead, window = self._window(raw[1])
            if found := self.doubting.search(window):
                end = lead + len(window)
                after = after[:lead] + "¤" * len(window) + after[end:]
        return before, after

    def _masked(self, text: str, words: re.Pattern[str] | None = None) -> str:
        return (words or self.exceptions).sub(_mask, text)

    def _says_something(self, quote: str) -> bool:
        if self.unspaced:
            return len(quote) >= _LEAST_CHARACTERS
        return len(quote.split()) >= _LEAST_WORDS

    def _denied(
        self, quote: str, before: str, after: str, first: int, end: int
    ) -> Iterator[_Frame]:
        if link := _at_end(self.that, before):
            head = self._head(before, link.start())
            denial = self.denying.search(before, head, link.start())
            if denial:
                begin = head + _lead(before[head:])
                yield "denied", (first + begin, first + len(before[: link.end()].rstrip()))
        # "除非" (unless) has a negator in it.
        conditional = self.unspaced and _at_end(self.condition, before)
        if not self.lexicon.final and not conditional:
            for pattern in (self.negated, self.denied):
                if found := _at_end(pattern, before):
                    yield "denied", (first + found.start(), first + len(before.rstrip()))
        if found := (self.untrue if link else self.untrue_main).match(after):
            yield "denied", (end + _lead(found[0]), end + found.end())
        yield from self._behind(quote, after, end, "denied")

    def _asked(self, quote: str, before: str, after: str, first: int, end: int) -> Iterator[_Frame]:
        found = _at_end(self.whether, before)
        if found and (
            not self.either.search(found[0])
            or self.asking.search(before, self._head(before, found.start()), found.start())
        ):
            yield "asked", (first + found.start(), first + len(before.rstrip()))
        if not quote.endswith(_ENDED) and (found := self.question.search(after)):
            yield "asked", (end + found.start(), end + found.start() + 1)
        if self.unspaced and (found := self.whether_after.match(after)):
            yield "asked", (end + found.start(), end + found.end())
        yield from self._behind(quote, after, end, "asked")

    def _conditional(
        self, quote: str, before: str, after: str, first: int, end: int
    ) -> Iterator[_Frame]:
        before = self._masked(before, self.sources)
        found = _at_end(self.condition, before) or _at_end(self.initial, before)
        if not found and (found := self.opening.search(before)):
            pause = max(map(before.rfind, _COMMAS))
            found = None if self.relative.match(before[pause:] + quote) else found
        if found:
            begin = found.start() + _lead(found[0])
            yield "conditional", (first + begin, first + len(before.rstrip()))
        found = None if quote.endswith(_ENDED) else self.condition_after.match(after)
        if found and not self._is_of_next(found, after):
            name = found.lastgroup or "frame"
            yield "conditional", (end + found.start(name), end + found.end(name))
        yield from self._behind(quote, after, end, "conditional")

    def _is_of_next(self, found: re.Match[str], after: str) -> bool:
        """Return whether what may be a condition of a quote belongs to what follows it."""
        start, end = found.span(found.lastgroup or "frame")
        if self.unspaced or self.lexicon.final:  # "，若……，则……"
            is_paused = any(mark in after[:start] for mark in _COMMAS)
            rest = _STOP.split(after[end:], maxsplit=1)
            goes_on = len(rest) > 1 and self.other_clause.match(rest[1]) is not None
            is_restriction = after[start:end] in self.lexicon.restrictions
            return is_paused and goes_on and not is_restriction
        between = re.findall(r"\w+", after[:start])
        is_clear = not between or between[-1] in self.lexicon.hedges
        return not is_clear and self.either.fullmatch(after, start, end) is not None

    def _possible(self, quote: str, before: str, first: int) -> Iterator[_Frame]:
        """Yield what makes a quote a possibility or a wish by the verb that governs it."""
        if link := _at_end(self.that, before):
            head = self._head(before, link.start())
            near = max(head, link.start() - _LINKED)
            if self.prospect.search(before, near, link.start()):
                begin = head + _lead(before[head:])
                yield "conditional", (first + begin, first + len(before[: link.end()].rstrip()))
        first_word = re.match(r"\W*\w+", quote)
        opened = before + (first_word[0] if first_word else "")
        found = _at_end(self.modal, before) or _at_end(self.modal_within, opened)
        if found and not self.lexicon.final:
            yield "conditional", (first + found.start(), first + len(before.rstrip()))

    def _hedged(
        self, quote: str, before: str, after: str, first: int, end: int
    ) -> Iterator[_Frame]:
        """Yield what makes a quote possible or hearsay by one word, and exceptions behind it."""
        for kind, ahead, _, _ in self.hedges:
            if found := _at_end(ahead, before):
                begin = found.start() + _lead(found[0])
                yield kind, (first + begin, first + len(before.rstrip()))
        if quote.endswith(_ENDED):
            return
        if found := self.restricted.match(after):
            yield "conditional", (end + found.start("frame"), end + found.end("frame"))
        lead, window = self._window(after) if self.lexicon.final else (0, "")
        for kind, _, behind, anywhere in self.hedges:
            if found := behind.match(after):
                yield kind, (end + found.start("frame"), end + found.end("frame"))
            if found := anywhere.search(window):
                yield kind, (end + lead + found.start(), end + lead + found.end())

    def _set(self, quote: str, before: str, after: str, first: int, end: int) -> Iterator[_Frame]:
        """Yield what limits a quote to a time, or sets it in a work of fiction or a dream."""
        for kind, setting in self.settings:
            if found := setting.search(before, max(0, len(before) - 2 * _NEAR)):
                begin = found.start() + _lead(found[0])
                yield kind, (first + begin, first + len(before.rstrip()))
        if not quote.endswith(_ENDED) and (found := self.limited.match(after)):
            yield "conditional", (end + found.start("frame"), end + found.end("frame"))

    def _attributed(
        self, quote: str, before: str, after: str, first: int, end: int
    ) -> Iterator[_Frame]:
        if link := _at_end(self.that, before):
            head = self._head(before, link.start())
            if self.attributing.search(before, head, link.start()):
                begin = head + _lead(before[head:])
                yield "attributed", (first + begin, first + len(before[: link.end()].rstrip()))
        found = _at_end(self.says, before) or _at_end(self.announced, before)
        if not found and self.sources.search(before):
            found = self.according.search(before)
        if not found and self.reported.search(quote):
            found = self.introduced.search(before)
        if found:
            yield "attributed", (first + found.start(), first + len(before.rstrip()))
        found = self.speaker.match(after)
        if not (found or self.lexicon.final) or self.saying.search(quote):
            return
        if found:
            name = "frame" if found["frame"] else "spoken"
            yield "attributed", (end + found.start(name), end + found.end(name))
        yield from self._behind(quote, after, end, "attributed")

    def _behind(self, quote: str, after: str, end: int, *kinds: FramingKind) -> Iterator[_Frame]:
        """Yield what follows a quote in its clause, where verbs follow their clauses."""
        if not self.lexicon.final or quote.endswith(_ENDED):
            return
        lead, window = self._window(after)
        # The quote may have the particle that ties it to what follows.
        tail = quote[-3:] if self.unspaced else quote[quote.rfind(" ") + 1 :]
        for kind, pattern in self.behind:
            if kind not in kinds:
                continue
            if found := pattern.search(window):
                yield kind, (end + lead + found.start(), end + lead + found.end())
            elif (found := pattern.match(f"{tail} {window}")) and found.end() > len(tail) + 1:
                yield kind, (end + lead, end + lead + found.end() - len(tail) - 1)

    def _window(self, after: str) -> tuple[int, str]:
        """Return the words that follow a quote in its clause, and where they begin."""
        stripped = after.lstrip(" \"'”』」")
        clause = re.split(rf"[{_BREAK}]", stripped, maxsplit=1)[0]
        if self.unspaced:
            window = clause[:18]
        else:
            words = takewhile(lambda word: word not in self.next_clause, clause.split(" "))
            window = " ".join(islice(words, 4))
        return len(after) - len(stripped), window

    def _head(self, before: str, link: int) -> int:
        """Return where the clause begins that ends at a link."""
        low = max(0, link - _HEAD)
        link -= len(before[:link]) - len(before[:link].rstrip(" ,，،\n\t"))
        stops = [stop.end() for stop in _STOP.finditer(before, low, link)]
        return stops[-1] if stops else low


def _mask(found: re.Match[str]) -> str:
    return "¤" * len(found[0])


def _at_end(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """Return the match of a pattern that only words near the end of a text can have."""
    return pattern.search(text, max(0, len(text) - _NEAR))


def _form(word: str) -> tuple[str, ...]:
    """Return patterns that match a word or phrase, "*" for any beginning or ending, one by one."""
    letters = word.strip("*").strip()
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


def _lead(text: str) -> int:
    """Return how many characters come before the first letter or digit."""
    return next((i for i, char in enumerate(text) if char.isalnum()), 0)
