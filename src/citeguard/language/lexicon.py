"""Words by class, and words that carry meaning out of proportion to their length.

English words by class (auxiliaries, pronouns, prepositions, irregular verbs, abbreviations) are
listed here. The others are tables by language (`Lexicon`): each is a file in `lexicons/`, and
`en.toml` explains how it is written. To extend one, edit its file; to add one, name it in `CODES`,
too. All words but abbreviations are in lower case, with the apostrophe `'`, as `tokenize` yields
them; in scripts without spaces they are found anywhere. `find_lexicon` chooses by the words and
letters of a text.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cache, lru_cache
from importlib import resources
from itertools import chain, pairwise
from pathlib import Path
from typing import Any, NamedTuple

from citeguard.language import number_words
from citeguard.language.scripts import HAN, KANA

FINITE_BE = frozenset("is are was were am 's 're 'm".split())
FINITE_HAVE = frozenset("has have had 've".split())
DO = frozenset("do does did".split())
MODALS = frozenset(
    "will would can could may might must shall should cannot ca wo 'll 'd".split()
)  # fmt: skip
AUXILIARIES = FINITE_BE | FINITE_HAVE | DO | MODALS
"""Verbs that are finite wherever they are verbs."""

SUBJECT_PRONOUNS = frozenset("i you he she it we they".split())
OBJECT_PRONOUNS = frozenset("me him her us them".split())
POSSESSIVES = frozenset("my your his her its our their".split())
DEMONSTRATIVES = frozenset("this that these those".split())
PRONOMINAL = DEMONSTRATIVES | frozenset(
    "some any each another all both several many few such most more".split()
)
"""Determiners that can be subjects by themselves: "both died", "this works"."""
DETERMINERS = frozenset(("a", "an", "the", "no", "every")) | POSSESSIVES | PRONOMINAL - {"that"}
PREPOSITIONS = frozenset(
    "of in on at by for from with as into onto about against during through between among since"
    " until after before despite without within across per via than like under over near around"
    " behind above below toward towards throughout upon to".split()
)
DENYING_PICTURES = "✗✘❌❎✕✖🚫⛔⊘👎🙅"
"""Pictures that deny what they stand before."""
DENYING_SIGNS = f"☐☒⮽{DENYING_PICTURES}∄∉⊄⊈≠≢≁¬"
"""Symbols that deny what follows them, or say that it is not so."""

DENIALS = frozenset(
    "not no never none nobody nothing nowhere neither nor without cannot n't ain't hardly scarcely"
    " barely rarely seldom non".split()
)
"""What denies whatever follows; `negators` of the English lexicon also has verbs such as "fail"."""


class Verb(NamedTuple):
    """The forms of an irregular verb, of which some may be equal."""

    plain: str
    past: str
    participle: str


@cache
def irregular_verbs() -> tuple[Verb, ...]:
    """Return the irregular verbs of English, without auxiliaries."""
    text = resources.files("citeguard.language").joinpath("data/irregular.txt").read_text("utf-8")
    rows = (line.split() for line in text.splitlines() if line and not line.startswith("#"))
    return tuple(Verb(row[0], row[1], row[2] if len(row) > 2 else row[1]) for row in rows)


@cache
def _past_forms() -> frozenset[str]:
    return frozenset(verb.past for verb in irregular_verbs() if verb.past != verb.plain)


def is_finite(word: str) -> bool:
    """Return whether an English word, in lower case, may be a finite verb: "is", "rose", "denied".

    Of the present only auxiliaries count: "rises" may be a noun.
    """
    return word in AUXILIARIES or word in _past_forms() or word.endswith("ed")


_FIRST_WORDS = 10  # of a clause, among which its verb is
_PARTICIPLES_FOLLOW = AUXILIARIES | {"be", "been", "being", "have"}


def is_past(clause: str) -> bool:
    """Return whether an English clause, in lower case, tells of the past by its first verbs."""
    words = re.findall(r"[a-z']+", clause)[:_FIRST_WORDS]
    return any(
        word in ("was", "were", "had", "did")
        or (word not in AUXILIARIES and is_finite(word) and before not in _PARTICIPLES_FOLLOW)
        for before, word in pairwise(["", *words])
    )


# Abbreviations

_BEFORE_NAMES = "Mr Mrs Ms Dr Prof St Sen Gen Gov Rep Lt Col Capt Sgt Maj Rev Hon Mt Ft".split()
_AFTER_NAMES = "Jr Sr Inc Ltd Co Corp".split()
_OTHERS = "vs No Nos Fig Figs Eq approx e.g i.e cf al".split()

ABBREVIATIONS = frozenset((*_BEFORE_NAMES, *_AFTER_NAMES, *_OTHERS))
"""Abbreviations without their last stop, in the case in which they are written.

"No" is one, "no" is a word; so compare with the case of the text.
"""

TITLES = frozenset(
    "mr mrs ms miss dr prof professor sir dame lord lady king queen prince princess president vice"
    " senator governor mayor judge justice chief general captain colonel major minister prime"
    " secretary st saint pope father sister brother jr sr chancellor emperor director chairman ceo"
    " officer police detective coach former".split()
)
"""Titles that stand beside a name and are no part of it, in small letters."""

_LISTED = "|".join(re.escape(each) for each in sorted(ABBREVIATIONS, key=len, reverse=True))

ABBREVIATED = rf"\b(?:[A-Z]|{_LISTED})"
"""The pattern of an abbreviation or an initial without its stop."""

_ENDING = re.compile(rf"{ABBREVIATED}\.\Z")


def ends_in_abbreviation(text: str) -> bool:
    """Return whether the full stop that a text ends in is that of an abbreviation or an initial.

    Examples:
        >>> [ends_in_abbreviation(text) for text in ("See Fig.", "by J.", "He said no.", "et al")]
        [True, True, False, False]
    """
    return _ENDING.search(text) is not None


Words = frozenset[str]
_NONE: Words = frozenset()


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lexicon:
    """The tables of one language: words, and phrases with single blanks."""

    code: str  # the language, by ISO 639-1
    common: Words = _NONE  # function words that identify the language
    letters: str = ""  # letters that identify it
    negators: Words = _NONE  # words that deny
    negating_parts: Words = _NONE  # parts of words, or of text without spaces, that deny
    # characters that deny what follows at once (scripts without spaces)
    negators_before: Words = _NONE
    # what denies the words before it: at once, in scripts without spaces; else at the end of a
    # clause, as "not" does
    negators_after: Words = _NONE
    # what makes the number after it negative; not in its `exceptions`, "au moins"
    minus: Words = _NONE
    hedges: Words = _NONE  # what turns a statement, such as "only" and "perhaps"
    # what certainly limits what follows at once, or ends a clause: "only", "at most"
    limits: Words = _NONE
    limits_before: Words = _NONE  # those that limit or deny only what follows: "instead of"
    # what qualifies the words right after it, such as "about" and "most of"
    approximators: Words = _NONE
    # verbs, adverbs and phrases that name a speaker or a doer of a claim
    attributions: Words = _NONE
    conditions: Words = _NONE  # what begins a condition
    connectives: Words = _NONE  # what joins equals
    determiners: Words = _NONE  # articles with which a subject of its own begins; no pronouns
    auxiliaries: Words = _NONE  # verbs and particles with which a clause goes on after its subject
    bound: Words = _NONE  # beginnings and endings of words that deny them: "ne*", "*talan"
    unbound: Words = _NONE  # words with such letters that deny nothing: "nebo"
    litotes: Words = _NONE  # phrases with a negator that affirm: "not without", "not least"
    subordinators: Words = _NONE  # what begins a subordinate clause
    subjects: Words = _NONE  # what the subject of a clause begins with
    # what turns a statement if it is hidden right before the words it quantifies
    quantifiers: Words = _NONE
    qualifiers: Words = _NONE  # quantifiers, comparatives, modals and hedges
    numbers: Words = _NONE  # number words that are no function words, and magnitudes
    magnitudes: Words = _NONE  # what multiplies the number before it, such as "millions" and "Mrd"
    prefixes: Words = _NONE  # beginnings of words that deny them
    that: Words = _NONE  # what links a frame to the clause that it is about
    whether: Words = _NONE  # what links a question to it
    denials: Words = _NONE  # what denies the clause that follows; `*` stands for any ending
    asking: Words = _NONE  # what makes a question of words that are conditions too: "demande si"
    # words of saying that frame only the clause tied to them: "legend has it that"; `*` stands
    # for any beginning or ending
    reports: Words = _NONE
    # what begins a condition or a limit only at the start of a sentence, up to a pause: "Should
    # it rain,", "Until it rains,"
    inversions: Words = _NONE
    # what may be between a negator and the words that it denies: "really", "*ly"
    adverbs: Words = _NONE
    infinitives: Words = _NONE  # what comes before an infinitive: "to"
    verbals: Words = _NONE  # how verbs end that have no subject of their own: "*ing", "*ed"
    # what links `reports` to the clause before them, in `final` languages
    quotatives: Words = _NONE
    # what begins a relative clause; how participles end, in `final` languages
    relatives: Words = _NONE
    reported: Words = _NONE  # verbs in the mood of reported speech
    # what comes before nouns, if they are written with a capital like names
    articles: Words = _NONE
    # verbs, and verbs with "not", that make what follows at once possible or forbidden
    modals: Words = _NONE
    # what makes its clause possible only: "perhaps", "in theory", "otherwise", "if only"; in
    # `final` languages also what ends such a clause
    possible: Words = _NONE
    # what makes only possible or wished for a clause that is tied to it: "a risk that", "would
    # like that"
    prospects: Words = _NONE
    partial: Words = _NONE  # what says that not all are meant: "in some cases"
    factive: Words = _NONE  # verbs of knowing, and phrases, after which "that" makes nobody's claim
    # further verbs, beside `attributions`, that say whose words are tied to them; `*` stands for
    # any ending
    speech: Words = _NONE
    hearsay: Words = _NONE  # what makes its clause hearsay: "reportedly", "some say"
    # what begins an exception to the clause before it: "except", "but only if"
    restrictions: Words = _NONE
    clitics: str = ""  # letters that are written together with the word after them
    # what is written together with the word before it, and is no part of it
    particles: Words = _NONE
    doubts: Words = _NONE  # what a negator turns into an affirmation: "nobody doubts that"
    # phrases in which words of these tables do not have this sense: "not only"
    exceptions: Words = _NONE
    untrue: Words = _NONE  # what denies the clause that precedes it, such as "is a myth"
    copulas: Words = _NONE  # what may come before `untrue`
    # what a sentence begins with that denies the one before it: "This is a myth."
    pointers: Words = _NONE
    according: Words = _NONE  # attributions that no verb needs, such as "according to"
    # words that begin a condition only at the start of a sentence or clause
    initial_conditions: Words = _NONE
    decimal_comma: bool = True  # whether "1,5" is one and a half
    sparse: bool = False  # whether `data/spelling` lacks many sequences of letters of its words
    # whether verbs follow their clauses, so that what frames a quote is behind it
    final: bool = False
    stops: bool = True  # whether stops end sentences; if not, a blank ends a clause


_TABLES = frozenset(each.name for each in fields(Lexicon) if each.type == "Words")


def _read(name: str) -> dict[str, Any]:
    # Not `importlib.resources`, whose import takes longer than reading all tables.
    tables = tomllib.loads((Path(__file__).parent / name).read_text("utf-8"))
    return tables.pop("framing", {}) | tables


@cache
def english(name: str) -> frozenset[str]:
    """Return a list of English words of `data/english.toml`, by its name."""
    return _words(_read("data/english.toml")[name])


# How tokens write these letters; `tokens` itself is above this module.
_AS_IN_TOKENS = str.maketrans(
    {"ς": "σ", "ș": "ş", "ț": "ţ", "æ": "ae", "œ": "oe", "-": " ", "\u200c": ""}
)


def _entries(text: str) -> frozenset[str]:
    """Return the words of a table, as texts have them and as the keys of tokens."""
    words = [word.replace("_", " ") for word in text.split()]
    return frozenset((*words, *(word.translate(_AS_IN_TOKENS) for word in words)))


CODES = tuple("en de fr es it pt nl ro pl tr vi ru uk el ar hi th zh ja ko".split())
"""The languages that have all tables."""

FRAMING_CODES = tuple("cs sk hu sv da no fi id fa he bg hr ca bn ta sw".split())
"""The languages that have tables of what frames a clause and, most of them, of what an ellipsis may
omit; but whose number words have no values, and whose words are not sought in other languages."""

# Words of one language that are common words of another: Turkish "on" is ten, French "point" not.
_HOMOGRAPHS = _words(
    "on due opt bin sub but ma no sa mil men or sei elf tot ani ne point mica phi hic her una"
)
# Negators that often deny nothing where the language is unknown: German "noch" is "still", French
# "né" and "personne" are "born" and "person".
_DOUBTFUL_NEGATORS = _words("ni né sin mai noch personne sans nada nem ما")


@cache
def load_lexicon(code: str) -> Lexicon:
    """Return the lexicon of a language, read on first use; an empty one if it has no tables."""
    if code not in (*CODES, *FRAMING_CODES):
        return _foreign().get(code, Lexicon(code=code))
    lexicon = _lexicon(code, _read(f"lexicons/{code}.toml"))
    return replace(lexicon, numbers=number_words.NUMBER_WORDS) if code == "en" else lexicon


@cache
def _foreign() -> Mapping[str, Lexicon]:
    """Return what identifies each language without all tables."""
    rows = {code: _lexicon(code, tables) for code, tables in _read("lexicons/foreign.toml").items()}
    return rows | {code: load_lexicon(code) for code in FRAMING_CODES}


def _lexicon(code: str, tables: dict[str, Any]) -> Lexicon:
    rows: dict[str, Any] = {
        name: _entries(row) if name in _TABLES else row for name, row in tables.items()
    }
    return Lexicon(code=code, **rows)


@cache
def union(table: str) -> frozenset[str]:
    """Return the words of a table in any language, for texts whose language is unknown.

    Without those that are common words of another language.
    """
    foreign = (getattr(load_lexicon(code), table) for code in CODES if code != "en")
    return frozenset[str]().union(*foreign) - _HOMOGRAPHS | getattr(load_lexicon("en"), table)


@cache
def clear_negators() -> frozenset[str]:
    """Return words that deny in any language but English, whose are in `grammar.DENIALS`."""
    return frozenset(
        word
        for code in ("de", "fr", "es", "it", "pt", "nl", "ru", "ar")
        for word in load_lexicon(code).negators - _HOMOGRAPHS - _DOUBTFUL_NEGATORS
        if " " not in word
    )


# A run of letters; scripts in the order of their code points.
_RUN = re.compile(r"[^\W\d_]+")
_SCRIPTS = (
    ("latin", "\u0000", "\u024f"),
    ("el", "\u0370", "\u03ff"),
    ("cyrillic", "\u0400", "\u052f"),
    ("he", "\u0590", "\u05ff"),
    ("arabic", "\u0600", "\u06ff"),
    ("hi", "\u0900", "\u097f"),
    ("bn", "\u0980", "\u09ff"),
    ("ta", "\u0b80", "\u0bff"),
    ("th", "\u0e00", "\u0e7f"),
    ("latin", "\u1e00", "\u1eff"),
    ("el", "\u1f00", "\u1fff"),
    ("han", "\u3005", "\u9fff"),
    ("ko", "\uac00", "\ud7ff"),
)
_KANA, _HAN = re.compile(f"[{KANA}]"), re.compile(f"[{HAN}]")
_LEAST_KANA = 0.2  # of kana and ideographs; a Chinese text may name something in Japanese
# Letters and words of Persian that Arabic lacks, and letters of Urdu that Persian lacks.
_PERSIAN = re.compile(r"[پچژگکیٹڈڑںےہ]|\b(?:است|را|این|که|شد|بود)\b")
_URDU = "[ٹڈڑںےہ]"
# Cyrillic letters and words of languages without a table: Bulgarian, Serbian, Macedonian, Kazakh.
_CYRILLIC_FOREIGN = "[јљњћђџѓќѕәғқңөұүһў]"
_FARTHEST = 600  # characters that are read
_LONGEST_SYMBOL = 2  # letters of number words that are too often other words: Turkish "on"
_SENTENCE, _PART = 200, 400  # characters beside an interval that may be of its sentence; of a part
_BORDER = re.compile(r"[.!?]\s|[。！？।؟]|\n\s*\n")
# The weights of the words found, and their share of all. One word that three languages have in
# common weighs a third, and is not enough.
_LEAST_SCORE, _LEAST_SHARE = 0.34, 0.05


def _function_words(lexicon: Lexicon) -> frozenset[str]:
    tables = (
        *(lexicon.common, lexicon.negators, lexicon.subjects, lexicon.subordinators),
        *(lexicon.attributions, lexicon.according, lexicon.hedges, lexicon.asking),
        *(lexicon.possible, lexicon.hearsay, lexicon.modals),
        *(lexicon.speech, lexicon.that, lexicon.whether),
    )
    # Short texts often have little else than numbers.
    numerals = (word for word in lexicon.numbers if len(word) > _LONGEST_SYMBOL)
    return lexicon.quantifiers.union(*tables, lexicon.conditions, numerals)


@cache
def _identifying() -> dict[str, tuple[tuple[str, float], ...]]:
    """Return the languages, with weights, that a function word or a letter speaks for.

    The more languages share it, the less it says.
    """
    words: defaultdict[str, list[str]] = defaultdict(list)
    for lexicon in (*map(load_lexicon, CODES), *_foreign().values()):
        for word in {*_function_words(lexicon), *(f"={letter}" for letter in lexicon.letters)}:
            words[word].append(lexicon.code)
    return {
        word: tuple((code, (0.5 if word[0] == "=" else 1) / len(codes)) for code in codes)
        for word, codes in words.items()
    }


def find_lexicon(text: str) -> Lexicon | None:
    """Return the lexicon of the language in which a short text is written, or `None`.

    The script decides, then the most frequent words of the languages that share it. `None` if there
    are no tables for the language, or nothing in the text shows it.

    Args:
        text: From three words on; some hundred characters are enough.

    Examples:
        >>> find_lexicon("Das Mittel wurde nicht zugelassen.").code
        'de'
        >>> find_lexicon("Lääkettä ei ole hyväksytty.")
    """
    lexicon = _identify(text)
    return lexicon if lexicon and lexicon.code in CODES else None


def find_framing_lexicon(text: str) -> Lexicon | None:
    """Return `find_lexicon(text)`, or that of a language of `FRAMING_CODES`.

    Examples:
        >>> find_framing_lexicon("Lääkettä ei ole hyväksytty, kertoo lehti.").code
        'fi'
    """
    lexicon = _identify(text)
    return lexicon if lexicon and lexicon.code in (*CODES, *FRAMING_CODES) else None


def find_framing_lexicons(text: str, start: int, end: int) -> tuple[Lexicon, ...]:
    """Return the lexicons of the sentence around an interval, and of what is around it.

    They differ where a text is in two languages, or where a sentence shows too little of its own.

    Examples:
        >>> text = f"{'This is not the end. ' * 20}Das Mittel ist nicht zugelassen."
        >>> [each.code for each in find_framing_lexicons(text, 425, 431)]
        ['de', 'en']
    """
    low, high = max(0, start - _SENTENCE), min(len(text), end + _SENTENCE)
    for border in _BORDER.finditer(text, low, start):
        low = border.end()
    if border := _BORDER.search(text, min(end, low + _FARTHEST), high):
        high = border.start()
    # Sentences of one part of a text share what is found for it.
    part = max(0, start - start % _PART - _PART // 2)
    found = map(find_framing_lexicon, (text[low:high], text[part : part + 2 * _PART]))
    return tuple(dict.fromkeys(each for each in found if each is not None))


def find_language(text: str, start: int, end: int) -> str:
    """Return the code of the language around an interval, with tables or not; "" if unknown."""
    lexicon = _identify(text[max(0, start - _FARTHEST // 2) : end + _FARTHEST // 2])
    return lexicon.code if lexicon else ""


def language_has_decimal_comma(language: str, text: str) -> bool | None:
    """Return whether a language, or else that of a text, writes "1,5"; `None` if it is unknown."""
    lexicon = load_lexicon(language) if language else _identify(text[: 2 * _FARTHEST])
    return None if lexicon is None else lexicon.decimal_comma


_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,300}>")


@lru_cache(maxsize=1_000)
def _identify(text: str) -> Lexicon | None:
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
    if "<" in text:
        text = _TAG.sub(" ", text)  # "em" is a word of Portuguese
    runs = _RUN.findall(text.replace("-\n", "").lower(), 0, _FARTHEST)
    lengths: defaultdict[str, int] = defaultdict(int)
    for run in () if text.isascii() else runs:
        # Not by its first letter: a unit may begin it, as in "5kg的米".
        lengths[_script_of(run[len(run) // 2])] += len(run)
    script = max(lengths, key=lambda name: lengths[name], default="latin")
    if script == "han":
        kana, han = len(_KANA.findall(text)), len(_HAN.findall(text))
        return load_lexicon("ja" if kana > _LEAST_KANA * (kana + han) else "zh")
    if script == "arabic":
        if re.search(_URDU, text):
            return None
        return load_lexicon("fa" if _PERSIAN.search(text) else "ar")
    if script in (*CODES, *FRAMING_CODES):
        return load_lexicon(script)
    return _by_words(runs, script)


@cache
def _script_of(letter: str) -> str:
    return next((name for name, first, last in _SCRIPTS if first <= letter <= last), "")


def _by_words(runs: list[str], script: str) -> Lexicon | None:
    """Return the lexicon whose function words and letters the runs have most of."""
    if script == "cyrillic" and re.search(_CYRILLIC_FOREIGN, " ".join(runs)):
        return None
    weights, scores = _identifying(), defaultdict[str, float](float)
    for run in runs:
        letters = () if run.isascii() else (f"={letter}" for letter in run)
        for code, weight in chain.from_iterable(weights.get(each, ()) for each in (run, *letters)):
            scores[code] += weight
    code = max(scores, key=lambda each: (round(scores[each], 6), each in CODES), default="")
    enough = max(_LEAST_SCORE, _LEAST_SHARE * len(runs))
    return load_lexicon(code) if scores and scores[code] >= enough else None
