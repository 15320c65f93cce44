"""The words of a sentence with their offsets, which of them can be verbs, and their clauses.

No tagger: a word can be a verb if it is an auxiliary, is in the table of irregular verbs, or
its regular forms ("walked", "walking") are in the list of English words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Literal, NamedTuple

from citeguard.auditing.claims.units import FILLER, quotations
from citeguard.language.abbreviations import ABBREVIATIONS
from citeguard.language.sentences import Interval
from citeguard.language.spelling import is_english_word
from citeguard.language.terms import stem

_ABBREVIATED = "|".join(map(re.escape, sorted(ABBREVIATIONS, key=len, reverse=True)))
_WORD = re.compile(
    rf"(?:[^\W\d_]\.){{2,}}|(?:[^\W_]+-)?(?:{_ABBREVIATED})\.(?=\s)|[A-Z]\.(?=\s[A-Z])"
    r"|https?://\S+|www\.\S+"
    r"|\d+(?:[.,:/]\d+)*(?:-[^\W\d_]+)+"
    r"|\d+(?:[.,:/]\d+)*(?:st|nd|rd|th|s)?(?![^\W_])"
    rf"|[^\W_]+(?:[-‑'’/&.]{FILLER}*[^\W_]+)*"
    rf"|\.{{2,}}|[^\s{FILLER}]"
)
_CLITIC = re.compile(rf"(?i)(?<=\w)(?:n['’]{FILLER}*t|['’]{FILLER}*(?:s|re|ve|ll|d|m))\Z")
_OPENING = re.compile(r"[(\[]")
_LONGEST_BRACKET = 300

BE = frozenset("is are was were be been being am 's 're 'm".split())
HAVE = frozenset("has have had having 've".split())
DO = frozenset("do does did".split())
MODALS = frozenset(
    "will would can could may might must shall should cannot ca wo 'll 'd".split()
)  # fmt: skip
AUXILIARIES = (BE - {"be", "been", "being"}) | (HAVE - {"having"}) | DO | MODALS
"""Verbs that are finite wherever they are verbs."""

DETERMINERS = frozenset(
    "a an the this these those every each some any no another his her its their my our your all"
    " both several many few such most more".split()
)
PREPOSITIONS = frozenset(
    "of in on at by for from with as into onto about against during through between among since"
    " until after before despite without within across per via than like under over near around"
    " behind above below toward towards throughout upon to".split()
)
PRONOUNS = frozenset("i you he she it we they".split())
COUNTS = frozenset(
    "one two three four five six seven eight nine ten about over around nearly almost some".split()
)
_OBJECTS = frozenset("that him them it us her me".split())
_FUNCTION_WORDS = (
    AUXILIARIES | DETERMINERS | PREPOSITIONS | PRONOUNS | COUNTS | {"and", "or", "but"}
)
# Plain form, past tense and, where it is another word, participle.
_IRREGULAR = (
    "arise arose arisen/beat beat beaten/become became become/begin began begun/bend bent/bind"
    " bound/bite bit bitten/bleed bled/blow blew blown/break broke broken/breed bred/bring brought"
    "/build built/buy bought/catch caught/choose chose chosen/cling clung/come came come/cost cost"
    "/creep crept/cut cut/deal dealt/dig dug/do did done/draw drew drawn/drink drank drunk"
    "/drive drove driven/eat ate eaten/fall fell fallen/feed fed/feel felt/fight fought/find found"
    "/flee fled/fly flew flown/forbid forbade forbidden/forget forgot forgotten/freeze froze frozen"
    "/get got/give gave given/go went gone/grow grew grown/hang hung/hear heard/hide hid hidden"
    "/hit hit/hold held/hurt hurt/keep kept/know knew known/lay laid/lead led/leave left/lend lent"
    "/let let/lose lost/make made/mean meant/meet met/overcome overcame overcome/pay paid/put put"
    "/quit quit/read read/ride rode ridden/ring rang rung/rise rose risen/run ran run/say said"
    "/see saw seen/seek sought/sell sold/send sent/set set/shake shook shaken/shoot shot/show"
    " showed shown/shrink shrank shrunk/shut shut/sing sang sung/sink sank sunk/sit sat/sleep slept"
    "/speak spoke spoken/spend spent/split split/spread spread/stand stood/steal stole stolen"
    "/stick stuck/strike struck/swear swore sworn/sweep swept/swim swam swum/take took taken"
    "/teach taught/tear tore torn/tell told/think thought/throw threw thrown/undergo underwent"
    " undergone/understand understood/wake woke woken/wear wore worn/win won/withdraw withdrew"
    " withdrawn/write wrote written/bear bore born"
)
_ROWS = [row.split() for row in _IRREGULAR.split("/")]
_PLAIN = frozenset(row[0] for row in _ROWS)
PAST_ONLY = frozenset(row[1] for row in _ROWS if len(row) > 2) - _PLAIN - {row[-1] for row in _ROWS}
"""Past tenses that are no participles, and so are finite verbs wherever they stand."""
_PAST = frozenset(row[1] for row in _ROWS)
_PARTICIPLES = frozenset(row[-1] for row in _ROWS)
_NO_PAST = frozenset("hundred kindred sacred naked wicked speed need seed bed red shed".split())


CONDITIONS = frozenset("if unless whether provided assuming lest either neither nor".split())
CONCESSIONS = frozenset("although though whereas while".split())
LINKS = CONCESSIONS | frozenset("and but so yet".split())
SUBORDINATORS = CONDITIONS | CONCESSIONS | frozenset(
    "that who whom whose which what why how because when where before after until since".split()
)  # fmt: skip
SUBJECTS = DETERMINERS | PRONOUNS | frozenset("everyone someone nobody there others".split())
_ADVERBS = frozenset(
    "also further then not n't never later still now often always just even soon".split()
)
_LONGEST_SUBJECT, _LONGEST_LEAD = 14, 40  # words
_LONGEST_COMMAND_LEAD = 12  # words of "In a large pot over medium heat,"
_BEFORE_COMMAND = frozenset("then next first finally lastly also and now alternatively".split())
_NO_COMMANDS = frozenset(
    "there here thank yes no not unlike like given including according based regarding".split()
)


class Word(NamedTuple):
    """A word, number or sign of a sentence, or a whole quotation or bracket of it.

    Attributes:
        text: As it is written.
        key: In small letters, with straight apostrophes.
        start: Offset in the unit of its first character.
        end: Offset after its last one.
        kind: What it is.
    """

    text: str
    key: str
    start: int
    end: int
    kind: Literal["word", "number", "sign", "quotation", "bracket"]

    @property
    def capital(self) -> bool:
        """Whether it is a word that begins with a capital letter."""
        return self.kind == "word" and self.text[0].isupper()


def read_words(plain: str) -> list[Word]:
    """Return the words of a sentence; a quotation or bracket is one, as nothing in it is split.

    Examples:
        >>> [(word.text, word.kind) for word in read_words('He said "I came" twice.')][2:4]
        [('"I came"', 'quotation'), ('twice', 'word')]
    """
    found: list[Word] = []
    done = 0
    for start, end, kind in _closed(plain):
        if start >= done:
            found += _cut(plain, done, start)
            found.append(Word(plain[start:end], kind, start, end, kind))
            done = end
    return [*found, *_cut(plain, done, len(plain))]


def _closed(plain: str) -> list[tuple[int, int, Literal["quotation", "bracket"]]]:
    """Return the quotations and the brackets of a sentence, in order."""
    found: list[tuple[int, int, Literal["quotation", "bracket"]]] = [
        (start, end, "quotation") for start, end in quotations(plain)
    ]
    for opening in _OPENING.finditer(plain):
        closing = {"(": ")", "[": "]"}[opening[0]]
        end = plain.find(closing, opening.end(), opening.end() + _LONGEST_BRACKET)
        if end >= 0:
            found.append((opening.start(), end + 1, "bracket"))
    return sorted(found)


def _cut(plain: str, low: int, high: int) -> list[Word]:
    spans: list[Interval] = []
    for match in _WORD.finditer(plain, low, high):
        start, end = match.span()
        clitic = _CLITIC.search(match[0])
        inner = [start + clitic.start()] if clitic else []
        borders = [start, *inner, end]
        spans += pairwise(borders)
    return [_word(plain, start, end) for start, end in spans]


def _word(plain: str, start: int, end: int) -> Word:
    text = plain[start:end]
    first = text.lstrip("'’")[:1]
    kind = "number" if text[0].isdecimal() else "word" if first.isalpha() else "sign"
    key = text.replace("’", "'").replace(FILLER, "").lower()
    return Word(text, key, start, end, kind)


def text_of(plain: str, pieces: Sequence[Interval]) -> str:
    """Return the words of some intervals of a sentence, one after the other.

    Examples:
        >>> text_of("She came , and left.", [(0, 3), (15, 19)])
        'She left'
    """
    joined = " ".join(plain[start:end] for start, end in pieces).replace(FILLER, "")
    if " | " in joined:  # the cells of a row
        first, *others = filter(None, map(str.strip, joined.split("|")))
        joined = f"{first}: {', '.join(others)}"
    return re.sub(r"\s+(?=[.,;:!?)\]%](?:\s|\Z))", "", " ".join(joined.split()))


@cache
def can_be_verb(key: str) -> bool:
    """Return whether a word, in small letters and its plain form, can be a verb.

    Examples:
        >>> can_be_verb("work"), can_be_verb("mayor")
        (True, False)
    """
    if key in _PLAIN or key in _FUNCTION_WORDS or not key.isalpha():
        return key in _PLAIN
    stem = key[:-1] if key.endswith("e") else key
    is_short = re.fullmatch(r"[^aeiou]*[aeiou][^aeiouwxy]", key)  # "stop", "stopped"
    stem = key + key[-1] if is_short else stem
    past = key[:-1] + "ied" if re.search("[^aeiou]y$", key) else stem + "ed"
    return is_english_word(past) and is_english_word(stem + "ing")


def is_present(key: str) -> bool:
    """Return whether a word in "s", in small letters, can be a verb: "works", "carries"."""
    if not key.endswith("s") or key.endswith(("ss", "us")):
        return False
    plain = [key[:-1], *([key[:-2]] if key.endswith("es") else [])]
    return any(map(can_be_verb, [*plain, key[:-3] + "y"] if key.endswith("ies") else plain))


def is_past(key: str) -> bool:
    """Return whether a word can be a past tense: "walked", "left"."""
    return key in _PAST or (
        key.endswith("ed") and len(key) > 4 and key not in _NO_PAST and "-" not in key
    )


def is_participle(key: str) -> bool:
    """Return whether a word can be a participle: "walked", "left", "taken"."""
    return key in _PARTICIPLES or key == "been" or (is_past(key) and key not in PAST_ONLY)


def is_plural(word: Word) -> bool:
    """Return whether a word looks like a plural noun."""
    key = word.key
    return key in _PLURALS or (key.endswith("s") and not key.endswith(("ss", "us", "is", "'s")))


_PLURALS = frozenset(
    "people police men women children others some many several most both we you they these"
    " those".split()
)


_PLAIN_OF = {form: row[0] for row in _ROWS for form in row}


def verb_root(key: str) -> str:
    """Return what the forms of a verb have in common: "fell" and "falls" share it."""
    return stem(_PLAIN_OF.get(key, key))


def verbs_of(words: Sequence[Word]) -> list[Word]:
    """Return the verbs of a sentence: those of its main clause, and all that can be nothing else.

    "Winds" in "8 mph winds from the west" may be a noun, so it is none of them.
    """
    clause, _ = first_clause(words, 0, len(words))
    main = range(clause.verb, clause.main + 1) if clause else range(0)
    return [
        word
        for at, word in enumerate(words)
        if at in main or (is_finite(words, at) and (is_past(word.key) or word.key in SURE_PRESENT))
    ]


def has_finite_verb(words: Sequence[Word]) -> bool:
    """Return whether some words have a verb of their own, as far as that can be seen."""
    return any(is_finite(words, at) for at in range(len(words)))


def is_finite(words: Sequence[Word], at: int) -> bool:
    """Return whether a word is a finite verb; words that can be nouns need a hint beside them."""
    word, before = words[at], words[at - 1] if at else None
    after = words[at + 1] if at + 1 < len(words) else None
    key = word.key
    if word.kind != "word" or (word.text[0].isupper() and at and key not in ("is", "are")):
        return False
    if key == "'s":
        return before is not None and before.key in _WITH_IS
    if key in AUXILIARIES:
        modal_noun = key in ("will", "might", "can", "must") and before and before.key in _ARTICLES
        bare = key in ("have", "do") and before is not None and before.key in (*MODALS, "to")
        return not (modal_noun or bare)
    if before is None or before.key in PREPOSITIONS or before.key in DETERMINERS - _PLURALS:
        return False
    if key in PAST_ONLY:
        return True
    before_verb = before.kind != "sign" and before.key not in ("and", "or", "but")
    if before.key in BE or before.key in HAVE or before.key in MODALS or not before_verb:
        return False
    if before.key in PRONOUNS or before.key in ("who", "which"):
        return is_past(key) or is_present(key) or (can_be_verb(key) and before.key in _PLURALS)
    if is_past(key):
        return after is None or after.key != "by"
    if is_present(key):
        named = before.capital and (at > 1 or not is_english_word(before.key))
        named = named and (after is None or after.kind != "sign" or after.text in ".!")
        sure = key in SURE_PRESENT or named or before.key.endswith("ly")
        singular = before.capital or not is_plural(before)
        return singular and (sure or opens_phrase(after, plural=True))
    return can_be_verb(key) and is_plural(before) and before.key != "'s" and opens_phrase(after)


# Verbs in the present that are hardly ever plural nouns.
SURE_PRESENT = frozenset(
    "becomes begins brings buys chooses comes eats finds gets gives goes grows hears hides keeps"
    " knows loses makes meets pays says sees sells sits sleeps speaks spends takes teaches tells"
    " throws understands undergoes wears writes contains includes provides requires".split()
)
_ARTICLES = frozenset("a an the his her its their my our your".split())
_WITH_IS = frozenset("it he she that there what who here where how".split())


def opens_phrase(word: Word | None, *, plural: bool = False) -> bool:
    """Return whether a word follows verbs rather than nouns: "the", "in", "5", "Rome".

    Args:
        word: The word; `None` at the end of a sentence.
        plural: Whether a plural noun will do.
    """
    return word is not None and (
        word.key in (DETERMINERS | PREPOSITIONS | COUNTS | _OBJECTS) - {"of", "such"}
        or word.kind in ("number", "quotation")
        or word.capital
        or word.key.endswith(("ly", "ing"))
        or word.text in "$€£"
        or (plural and is_plural(word))
    )


class Clause(NamedTuple):
    """A subject, its finite verb, and the last of its verbs, by places of words."""

    subject: Interval
    verb: int
    main: int
    kind: Literal["simple", "be", "modal", "perfect", "passive", "progressive"]


def first_clause(words: Sequence[Word], at: int, end: int) -> tuple[Clause | None, int]:
    """Return the main clause of a sentence, and the end of what introduces it."""
    if clause := clause_at(words, at, end):
        return clause, at
    for comma in range(at + 1, min(end - 1, at + _LONGEST_LEAD)):
        opens = words[comma].text == "," and words[comma + 1].key not in LINKS
        if opens and (clause := clause_at(words, comma + 1, end)):
            return clause, comma + 1
    return None, at


def clause_at(words: Sequence[Word], at: int, end: int) -> Clause | None:
    """Return the clause whose subject begins at a place; `None` if none certainly does."""
    first = skipped(words, at, end)
    if first >= end or words[first].key in PREPOSITIONS | SUBORDINATORS | AUXILIARIES:
        return None
    for verb in range(first + 1, min(end, first + _LONGEST_SUBJECT)):
        key = words[verb].key
        # "a diet combined with rest is good": a surer verb follows in the same phrase.
        sure = key in AUXILIARIES | PAST_ONLY or not _auxiliary_after(words, verb, end)
        if sure and is_finite(words, verb):
            return clause_of(words, (first, _subject_end(words, verb)), verb, end)
        aim = key == "to" and verb + 1 < end and can_be_verb(words[verb + 1].key)
        subordinate = aim or (key in SUBORDINATORS and words[verb - 1].key not in PREPOSITIONS)
        if subordinate or words[verb].text in ",;:" or key in PRONOUNS:
            return None
    return None


def _auxiliary_after(words: Sequence[Word], verb: int, end: int) -> bool:
    for at in range(verb + 1, end):
        key = words[at].key
        if key in AUXILIARIES and is_finite(words, at):
            return True
        if words[at].text in ",;" or key in SUBORDINATORS | SUBJECTS - {"a", "an"} | {"but"}:
            return False
    return False


def clause_of(words: Sequence[Word], subject: Interval, verb: int, end: int) -> Clause:
    """Return the clause of a subject and a finite verb, with the verbs that this begins."""
    main, at = verb, skipped(words, verb + 1, end)
    auxiliaries: list[str] = []
    while at < end and words[main].key in AUXILIARIES | {"be", "been", "being"}:
        key, before = words[at].key, words[main].key
        after_be = is_participle(key) or key.endswith("ing") or key == "being"
        if not (
            (before in MODALS | DO and (can_be_verb(key) or key in ("be", "have")))
            or (before in BE and after_be)
            or (before in HAVE and is_participle(key))
        ):
            break
        auxiliaries.append(before)
        main, at = at, skipped(words, at + 1, end)
    if not auxiliaries:
        return Clause(subject, verb, main, "be" if words[verb].key in BE else "simple")
    if auxiliaries[0] in MODALS | DO:
        return Clause(subject, verb, main, "modal")
    if words[main].key.endswith("ing"):
        return Clause(subject, verb, main, "progressive")
    return Clause(subject, verb, main, "passive" if auxiliaries[-1] in BE else "perfect")


def skipped(words: Sequence[Word], at: int, end: int) -> int:
    """Return the place of the first word from a place on that is no adverb."""
    while at < end and (words[at].key in _ADVERBS or words[at].key.endswith("ly")):
        at += 1
    return at


def _subject_end(words: Sequence[Word], verb: int) -> int:
    """Return where the subject before a verb ends, without the adverbs between them."""
    while skipped(words, verb - 1, verb) == verb:
        verb -= 1
    return verb


def is_command(words: Sequence[Word], start: int = 0) -> bool:
    """Return whether words tell the reader to do something: "In a pot, boil the rice."."""
    if _is_command_at(words, start):
        return True
    if start < len(words) and words[start].key in PREPOSITIONS | {"when", "once"}:
        for at in range(start, min(len(words), start + _LONGEST_COMMAND_LEAD)):
            if words[at].text == ",":
                return _is_command_at(words, at + 1)
    return False


def _is_command_at(words: Sequence[Word], at: int) -> bool:
    while at < len(words) and (words[at].key in _BEFORE_COMMAND or words[at].text in ",:"):
        at += 1
    if at >= len(words) or words[at].key in _NO_COMMANDS | (BE | HAVE) - {"be", "have"}:
        return False
    after = words[at + 1] if at + 1 < len(words) else None
    if words[at].key in ("do", "be"):
        return after is not None and after.key not in PRONOUNS
    if words[at].kind != "word" or not can_be_verb(words[at].key) or after is None:
        return False
    objects = DETERMINERS | PREPOSITIONS - {"to", "of"} | {"it", "them", "him", "her"}
    plain = after.kind in ("number", "quotation") or after.key.endswith("ly")
    return plain or after.key in objects
