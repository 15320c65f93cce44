"""Whether two questions ask for the same, so that one answer serves both.

Every word counts until a rule says otherwise. Both questions are brought into a plain form, and are
the same if the forms are equal, word by word. What the plain form leaves out or writes in one way:

- what is only polite ("Could you tell me …, please?"), articles, commas;
- contractions, numbers written as words, American spelling, inflection, a few sure synonyms;
- frames that ask for the same: "How can I …" and "What are the steps to …", "in what year" and
  "when", "how tall is" and "what is the height of", "what is … called" and "the name of …";
- the place of auxiliary verbs: "when was it built", "tell me when it was built";
- word order that exchanges no roles: a clause or preposition in front, "of" and the genitive, a
  passive with its agent, the two sides of "between".

What the order says stays: who does it is before the verb, and whom it is done to behind it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from citeguard.language import lexicon
from citeguard.language.grammar import BE, DO, HAVE, PREPOSITIONS
from citeguard.language.spelling import is_english_word
from citeguard.language.tokens import Token, tokenize
from citeguard.library.same_question.frames import in_plain_frame, without_politeness
from citeguard.library.same_question.words import (
    CLAUSE_WORDS,
    FLOATING,
    OWNS,
    QUESTION_WORDS,
    Word,
    cased,
    is_participle,
    plain_form,
    read_words,
)
from citeguard.quotes.equivalents import normal_form
from citeguard.quotes.spellings import Language

_LONGEST = 1_000  # characters of a question that is read; longer ones are compared as they are
_LEAST_ENGLISH = 0.8  # share of English words in a question that begins like an English one
_MOST_FORMS = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionMatch:
    """Whether two questions ask for the same; truthy if they do.

    Attributes:
        difference: What differs, as "asked / stored"; empty if the questions ask for the same.
    """

    difference: str = ""

    def __bool__(self) -> bool:
        """Return whether the questions ask for the same."""
        return not self.difference


def same_question(asked: str, stored: str) -> QuestionMatch:
    """Return whether two questions ask for the same, and what differs if they do not.

    Made to be right whenever it finds no difference; many paraphrases have one. Only English is
    paraphrased: in other languages the words must be the same, apart from case and punctuation.
    Singular and plural are the same, and "my" and "the", but not "my" and "your". What "it" or
    "that" refers to is not looked up: both questions must be complete by themselves. No model is
    called.

    Args:
        asked: A question.
        stored: Another one. Which is which does not change whether they match.

    Returns:
        A `QuestionMatch`. A text without a word matches nothing.

    Examples:
        >>> bool(same_question("How can I turn on SSO, please?", "How do I enable SSO?"))
        True
        >>> same_question("Who acquired Google in 2015?", "Who did Google acquire in 2015?")
        QuestionMatch(difference='order of words: acquired google / google acquire')
        >>> same_question("What changed in version 3?", "What changed in version 2?").difference
        '3 / 2'
    """
    return QuestionMatch(difference=_difference(_form(asked), _form(stored)))


# Comparison


class _Form(NamedTuple):
    """A question in its plain form.

    Attributes:
        words: Its words in order, without its auxiliaries.
        auxiliaries: Forms of "be" and "have" and modal verbs with the number of their clause, in
            alphabetic order, and whether the main clause is denied.
        pasts: The clauses of the auxiliaries that are past forms, "did" among them.
        details: (kind, value) of what may be left unsaid, but must not differ: whether "when" asks
            for a year or a date, whose something is, whether "you" or "I" do it, the tense of "What
            was it that …".
        owned: The places of words that have an owner before them: "key" of "the user's key", not of
            "the user key".
    """

    words: tuple[Word, ...]
    auxiliaries: tuple[str, ...] = ()
    pasts: tuple[int, ...] = ()
    details: frozenset[tuple[str, str]] = frozenset()
    owned: frozenset[int] = frozenset()


def _difference(one: _Form, other: _Form) -> str:
    """Return what differs between two plain forms; empty if nothing does."""
    if not (one.words and other.words):
        return "no words"
    pairs = [*zip(one.words, other.words, strict=False)]
    is_same = all(word.text == like.text or word.key == like.key for word, like in pairs)
    if len(one.words) != len(other.words) or not is_same:
        return _difference_of_words(one, other)
    if one.auxiliaries != other.auxiliaries:
        ones, others = Counter(one.auxiliaries), Counter(other.auxiliaries)
        return _shown((ones - others).elements(), (others - ones).elements())
    return (
        _difference_of_tense(one, other, [pair for pair in pairs if pair[0].text != pair[1].text])
        or _difference_of_details(one, other)
        or _difference_of_owners(one, other)
    )


def _difference_of_tense(one: _Form, other: _Form, differing: Sequence[tuple[Word, Word]]) -> str:
    """Return whether one of two forms is of the past where the other is not: "did" is "-ed"."""
    ones = [*one.pasts, *(word.clause for word, _ in differing if word.past)]
    others = [*other.pasts, *(word.clause for _, word in differing if word.past)]
    if sorted(ones) == sorted(others):
        return ""
    return "past / present" if len(ones) > len(others) else "present / past"


def _difference_of_details(one: _Form, other: _Form) -> str:
    for kind in sorted({kind for kind, _ in one.details} & {kind for kind, _ in other.details}):
        ones, others = (
            {value for name, value in form.details if name == kind} for form in (one, other)
        )
        if not (ones <= others or others <= ones):
            return _shown(sorted(ones - others), sorted(others - ones))
    return ""


def _difference_of_owners(one: _Form, other: _Form) -> str:
    """Return what has other owners: "the user's group key" and "the user group's key" may agree."""
    if one.owned <= other.owned or other.owned <= one.owned:
        return ""
    ones, others = ([form.words[i].text for i in sorted(form.owned)] for form in (one, other))
    return f"whose: {_shown(ones, others)}"


def _difference_of_words(one: _Form, other: _Form) -> str:
    """Return the words that differ, or those that are in another order."""
    texts = [{word.text for word in form.words} for form in (one, other)]
    keys = [
        [word.text if word.text in texts[0] & texts[1] else word.key for word in form.words]
        for form in (one, other)
    ]
    ones, others = map(Counter, keys)
    if ones != others:
        return _shown(
            (word.text for word, key in zip(one.words, keys[0], strict=True)
             if ones[key] > others[key]),
            (word.text for word, key in zip(other.words, keys[1], strict=True)
             if others[key] > ones[key]),
        )  # fmt: skip
    blocks = SequenceMatcher(None, *keys, autojunk=False).get_opcodes()
    changed = [block for block in blocks if block[0] != "equal"]
    (_, start, _, other_start, _), (_, _, end, _, other_end) = changed[0], changed[-1]
    return "order of words: " + _shown(
        (word.text for word in one.words[start:end]),
        (word.text for word in other.words[other_start:other_end]),
    )


def _shown(asked: Iterable[str], stored: Iterable[str]) -> str:
    return f"{' '.join(asked) or '–'} / {' '.join(stored) or '–'}"


# The words of a question, in full


@lru_cache(maxsize=_MOST_FORMS)
def _form(question: str) -> _Form:
    """Return the plain form of a question."""
    tokens = [token for token in tokenize(question) if token.kind != "mark"]
    if len(question) > _LONGEST or not _is_english(question, tokens):
        words = (cased(token.text) if token.text.isupper() else token.key for token in tokens)
        return _Form(tuple(Word(word, word) for word in words))
    words = without_politeness(" ".join(_written(question, tokens))).split()
    front, words = _split_front(words)
    return _Clause(in_plain_frame(" ".join(words)).split(), front).form()


def _is_english(question: str, tokens: Sequence[Token]) -> bool:
    if any(token.kind == "character" for token in tokens):
        return False
    found = lexicon.find_lexicon(question)
    if (found and found.code == "en") or Language(tokens, question, lambda: "").is_english:
        return True
    words = [token.key for token in tokens if token.kind == "word"]
    asks = bool(words) and words[0] in QUESTION_WORDS | FLOATING
    return asks and sum(map(is_english_word, words)) >= _LEAST_ENGLISH * len(words)


_PAUSE = re.compile(r"[,;:()\[\]–—]|[.!?…](?=\s|$)")
_SIGN = re.compile(r"\s[\"'“(]?(-{1,2}|[./~@#*&]{1,2})$")
_BARE_CONTRACTIONS = {
    **{f"{verb}nt": (verb, "not") for verb in "do does did is are was were should would".split()},
    **{f"{verb}nt": (verb, "not") for verb in "could has have had".split()},
    **{f"{word}s": (word, "is") for word in "what how who where when why".split()},
    "cant": ("can", "not"),
    "wont": ("will", "not"),
}


def _written(question: str, tokens: Sequence[Token]) -> Iterator[str]:
    """Yield the words of a question, in full, and a comma for each pause.

    Words in the midst keep their capital, unless all have one.
    """
    read = normal_form(question, tokens)
    is_title = all(token.text[0].isupper() for token in read if token.kind == "word")
    end = 0
    for i, token in enumerate(read):
        gap = question[end : token.start] if end else f" {question[: token.start]}"
        if end and _PAUSE.search(gap):
            yield ","
        end = max(end, token.end)
        low = token.text.lower()
        if token.kind != "word":
            yield token.key
        elif sign := _SIGN.search(gap):  # "-v" is not "-V", nor "v"
            yield sign[1] + token.text
        elif token.key in ("'s", "'d"):
            yield _verb_in_full(token, read[i + 1].key if i + 1 < len(read) else "")
        elif token.key in _BARE_CONTRACTIONS:
            yield from _BARE_CONTRACTIONS[token.key]
        elif low != token.key or ((is_title or i == 0) and cased(token.text) != token.text):
            yield token.key
        else:
            yield token.text
    if _PAUSE.search(question[end:]):
        yield ","


def _verb_in_full(token: Token, after: str) -> str:
    """Return the verb of a contraction; of two, the likelier."""
    written = token.text.lower()
    if written in ("is", "has", "had", "would"):
        return written
    if token.key == "'d":
        return "would"
    return "has" if after in ("been", "got", "had") else "is"


# Word order

_ARTICLES = frozenset("a an the that".split())
_POSSESSIVES = {"my": "my", "our": "my", "your": "your"}
_PAST = frozenset("did was were had".split())
_TENSE = {"was": ["did"], "were": ["did"]}
_BORDERS = PREPOSITIONS | FLOATING
_FRONTED = PREPOSITIONS | frozenset("when if while once because according soon although".split())
_STRANDED = frozenset(
    "in on at by for from with as of about to into through against like between among under over"
    " after".split()
)
_DETAILS = ("when", "copula", "subject")  # the marks of `in_plain_frame`
_SAME_DETAIL = {"day": "date", "are": "is", "were": "was"}
_NOT_MAIN = CLAUSE_WORDS | frozenset("to and or but before after until since".split())
_QUANTIFIERS = frozenset("all every each any both many most some only always".split())
_PARTICLES = frozenset("on off up down out in back away".split())
_WITH_PARTICLE = frozenset(
    "turn switch set log sign back shut take pick put bring roll start boot fill look lock".split()
)


def _find(words: Sequence[str], start: int, sought: frozenset[str]) -> int:
    """Return the place of the first of some words from a place on; the end if there is none."""
    return next((i for i in range(start, len(words)) if words[i] in sought), len(words))


def _asks_at(lows: Sequence[str], i: int) -> bool:
    """Return whether a question begins at a place: "who", "to whom", "is"."""
    word, after = [*lows[i : i + 2], "", ""][:2]
    return word in QUESTION_WORDS | FLOATING or (word in PREPOSITIONS and after in QUESTION_WORDS)


def _split_front(words: list[str]) -> tuple[list[str], list[str]]:
    """Return a clause or preposition in front of a question, and the question: "In 1998, who …"."""
    lows = [word.lower() for word in words]
    if not lows or lows[0] not in _FRONTED or (lows[0] != "when" and _asks_at(lows, 0)):
        return [], words
    commas = [i for i, low in enumerate(lows) if low == ","]
    for i in commas:
        if (_asks_at(lows, i + 1) and lows[i + 1] != "when") or len(commas) == 1:
            return words[:i], words[i + 1 :]
    i = _find(lows, 2, QUESTION_WORDS)
    if lows[0] in PREPOSITIONS and not commas and i < len(lows):
        i -= int(i > 2 and lows[i - 1] in PREPOSITIONS)
        return words[:i], words[i:]
    return [], words


class _Clause:
    """The words of a question while they are brought into one order.

    Each step is the same for all questions and keeps all words that say who does what, so that two
    questions which become equal said the same before. A step that reads a phrase too far or not far
    enough makes a paraphrase differ; it makes no two questions equal.
    """

    def __init__(self, words: list[str], front: Sequence[str]) -> None:
        self._words = words
        self._front = front
        self._details: set[tuple[str, str]] = set()

    def form(self) -> _Form:
        """Return the plain form."""
        self._read_details()
        self._put_question_first()
        self._put_particle_first()
        self._put_preposition_first()
        self._words = [word for word in self._words if word != ","]
        self._make_active()
        self._words += self._front
        self._sort_pairs()
        self._put_owners_first()
        auxiliaries, pasts = self._take_auxiliaries()
        words, owned = read_words(self._without_articles())
        if ("copula", "was") in self._details and not (pasts or any(w.past for w in words)):
            auxiliaries = (*auxiliaries, "was")  # "What was the reason that it fails?"
        return _Form(words, auxiliaries, pasts, frozenset(self._details), owned)

    def _lows(self) -> list[str]:
        return [word.lower() for word in self._words]

    def _read_details(self) -> None:
        """Take what the frame says beside the words from them."""
        words: list[str] = []
        for word in self._words:
            kind, _, value = word.lower().partition(":")
            if kind not in _DETAILS or not value:
                words.append(word)
                continue
            self._details.add((kind, _SAME_DETAIL.get(value, value)))
            if kind == "when":
                words.append(kind)
        self._words = words

    def _put_question_first(self) -> None:
        """Move what asks to the front: "It was built when", "They took how many teams to …"."""
        lows = self._lows()
        places = [i for i, low in enumerate(lows) if low in QUESTION_WORDS]
        if _asks_at(lows, 0) or len(places) != 1:
            return
        first, end = places[0], places[0] + 1
        if lows[first] in ("what", "which", "how", "whose"):
            end = _find(lows, end, _BORDERS | {","})
            if lows[end : end + 1] == ["of"] and lows[end - 1] in ("kind", "kinds"):
                end = _find(lows, end + 1, _BORDERS | {","})
        first -= int(lows[first - 1] in PREPOSITIONS)
        self._words = self._words[first:end] + self._words[:first] + self._words[end:]

    def _put_particle_first(self) -> None:
        """Move a particle to its verb: "turn it on" is "turn on it"."""
        lows = self._lows()
        for i in range(len(lows) - 1, 1, -1):
            is_last = i + 1 == len(lows) or lows[i + 1] in PREPOSITIONS or lows[i + 1] == ","
            if lows[i] in _PARTICLES and is_last:
                verbs = [k for k in range(i - 1) if plain_form(lows[k]) in _WITH_PARTICLE]
                if verbs and PREPOSITIONS.isdisjoint(lows[verbs[-1] : i]):
                    self._words.insert(verbs[-1] + 1, self._words.pop(i))
                    return

    def _put_preposition_first(self) -> None:
        """Move a preposition from the end to the words that ask: "What is it used for?"."""
        lows = self._lows()
        end = _find(lows, 0, frozenset(","))
        if end < 3 or lows[0] in ("when", "why") or lows[0] not in QUESTION_WORDS:
            return
        is_manner = lows[0] == "how" and lows[1] not in ("many", "much")
        if lows[end - 1] in _STRANDED and not is_manner:
            self._words.insert(0, self._words.pop(end - 1))

    def _make_active(self) -> None:
        """Write a passive with its agent as an active: "it was built by Ann", "Ann built it"."""
        lows = self._lows()
        be, by = _find(lows, 0, BE), _find(lows, 0, frozenset(("by",)))
        if by == len(lows) or not {"been", "being"}.isdisjoint(lows):
            return
        asks_for_agent = by == 0 and lows[1:2] != [] and lows[1] in QUESTION_WORDS
        end = len(lows) if asks_for_agent else by
        verbs = [i for i in range(be + 1, end) if is_participle(self._words[i])]
        if not verbs:
            return
        verb = verbs[0] if asks_for_agent else verbs[-1]
        if not CLAUSE_WORDS.isdisjoint(lows[2 : max(verb, by)]):
            return
        tense, done = _TENSE.get(lows[be], []), plain_form(lows[verb])
        if asks_for_agent:
            is_who = lows[1] in ("who", "whom")
            first = 2 if is_who else _find(lows, 1, FLOATING)
            agent = ["who"] if is_who else self._words[1:first]
            between = [word for word in self._words[first:verb] if word.lower() not in BE]
            modals = [word for word in between if word.lower() in FLOATING]
            subject = [word for word in between if word.lower() not in FLOATING]
            self._words = [*agent, *modals, *tense, done, *subject, *self._words[verb + 1 :]]
            return
        end = _find(lows, by + 1, PREPOSITIONS | CLAUSE_WORDS)
        agent = self._words[by + 1 : end]
        if not agent or agent[0].endswith("ing") or agent[0][0].isdigit():
            return  # "by using it", "by 1998"
        subject, rest = self._words[be + 1 : verb], self._words[verb + 1 : by] + self._words[end:]
        self._words = [*self._words[:be], *tense, *agent, done, *subject, *rest]

    def _sort_pairs(self) -> None:
        """Put the two sides of "between" in alphabetic order, and two single words at the end."""
        lows = self._lows()
        for i, low in enumerate(lows):
            end = _find(lows, i + 1, _BORDERS)
            if low == "between" and lows[i + 1 : end].count("and") == 1:
                self._sort_sides(i + 1, lows.index("and", i), end)
        lows = self._lows()
        if len(lows) > 4 and lows[-2] in ("and", "or"):
            # "Where does it start and end", "for Ann and Bob", but not "the old king and queen"
            are_single = lows[-4] in _ARTICLES | _BORDERS or not DO.isdisjoint(lows)
            if are_single:
                self._sort_sides(len(lows) - 3, len(lows) - 2, len(lows))

    def _sort_sides(self, start: int, joint: int, end: int) -> None:
        sides = [self._words[start:joint], self._words[joint + 1 : end]]
        sides.sort(key=lambda side: [w.lower() for w in side if w.lower() not in _ARTICLES])
        self._words[start:end] = [*sides[0], self._words[joint], *sides[1]]

    def _put_owners_first(self) -> None:
        """Write "the name of the king" as "the king's name"."""
        for place in range(len(self._words) - 1, 0, -1):
            if self._words[place].lower() == "of":
                self._put_owner_first(place)
        words: list[str] = []
        for word in self._words:
            is_genitive = len(word) > 2 and word.lower().endswith("'s")
            words += [word[:-2], OWNS] if is_genitive else [word]
        self._words = words

    def _put_owner_first(self, place: int) -> None:
        lows = self._lows()
        end = _find(lows, place + 1, _BORDERS | CLAUSE_WORDS | HAVE)
        inner = range(place + 2, end)
        end = next(
            (i for i in inner if lows[i] in _ARTICLES or is_participle(self._words[i], sure=True)),
            end,
        )
        start = place - 1
        for i in range(place - 1, -1, -1):
            if lows[i] in _BORDERS | QUESTION_WORDS:
                break
            if lows[i] in _ARTICLES:
                start = i + 1
                break
        if start < place < end - 1 and lows[start] not in QUESTION_WORDS | FLOATING:
            owner, owned = self._words[place + 1 : end], self._words[start:place]
            self._words[start:end] = [*owner, OWNS, *owned]

    def _take_auxiliaries(self) -> tuple[tuple[str, ...], tuple[int, ...]]:
        """Remove auxiliary verbs, and return `auxiliaries` and `pasts` of the form."""
        lows = self._lows()
        first = _find(lows, 0, FLOATING | HAVE)
        main = range(first + 1, _find(lows, 1, _NOT_MAIN))
        found: list[str] = []
        pasts: list[int] = []
        kept: list[str] = []
        clause = 0
        for i, (word, low) in enumerate(zip(self._words, lows, strict=True)):
            clause += int(i > 0 and low in CLAUSE_WORDS)
            after = lows[i + 1] if i + 1 < len(lows) else ""
            is_have = low in HAVE and any(map(is_participle, self._words[i + 1 :]))
            if low in FLOATING or is_have:
                pasts += [clause] * (low in _PAST)
                name = "have" if is_have else "be" if low in BE else low
                found += [f"{name} {clause or ''}".strip()] * (low not in DO)
            # "Users not paying" are denied themselves, and so are "not all users".
            elif low == "not" and i in main and "not" not in found and not (
                after.endswith("ing") or after in _QUANTIFIERS
            ):  # fmt: skip
                found.append("not")
                if i > main.start:  # behind the subject: it denies the word after it
                    self._details.add(("denied", plain_form(after)))
            else:
                kept.append(word)
        self._words = kept
        return tuple(sorted(found)), tuple(pasts)

    def _without_articles(self) -> list[str]:
        """Return the words without articles and "my", which is kept as a detail, like "your"."""
        kept: list[str] = []
        for word, after in pairwise([*self._words, ""]):
            low, after = word.lower(), after.lower()
            if low in _POSSESSIVES:
                self._details.add(("owner", f"{_POSSESSIVES[low]} {plain_form(after)}"))
            elif word not in _ARTICLES or (word == "a" and after in _BORDERS | {"", "and"}):
                kept.append(word)  # also the "A" of "vitamin A"
        return kept
