"""Changes of meaning: each finds the places of a sentence where one kind of change can be made."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from random import Random

from .cases import Candidates, Edit
from .corpus import Corpus
from .typography import matches
from .word_pairs import ANTONYMS, NEAR_WORDS, PREFIXED

_AUX = "is|are|was|were|did|does|do|has|have|had|can|could|would|should|must|may|might|will|be|been"
_MONTHS = (
    ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"]
)
_DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]


def swaps(*pairs: tuple[str, str], both: bool = True) -> Candidates:
    """Make a finder of words and phrases of a table, to be replaced by the other of their pair."""
    table: dict[str, list[str]] = {}
    for one, other in pairs:
        table.setdefault(one, []).append(other)
        if both:
            table.setdefault(other, []).append(one)
    return replaced(table)


def replaced(table: Mapping[str, Sequence[str]]) -> Candidates:
    """Make a finder of whole words of a table, small or with a capital as the text has them."""

    def new(m: re.Match[str], rng: Random) -> str:
        word = m.group()
        chosen = rng.choice(table[word if word in table else word[0].lower() + word[1:]])
        return chosen[0].upper() + chosen[1:] if word not in table else chosen

    either_case = "|".join(f"[{k[0].upper()}{k[0]}]{re.escape(k[1:])}" if k[0].islower() else re.escape(k) for k in sorted(table, key=len, reverse=True))  # fmt: skip
    return matches(rf"(?<![\w’'-])(?:{either_case})(?![\w’'-])", new)


def removed(words: str) -> Candidates:
    """Make a finder of words with the space after them, to be left out."""
    return matches(rf"(?<![\w’'-])(?:{words}) (?=[\w$£€])", lambda m, r: "")


def inserted(place: str, words: Sequence[str]) -> Candidates:
    """Make a finder of places that a pattern of no width matches, where a word and a space fit."""
    return matches(place, lambda m, r: r.choice(words) + " ")


def any_of(*finders: Candidates) -> Candidates:
    """Put several finders together."""
    return lambda text, rng: [edit for finder in finders for edit in finder(text, rng)]


def _recase(old: str, new: str) -> str:
    return new[0].upper() + new[1:] if old[0].isupper() else new


_POSITIVE = {"won't": "will", "can't": "can", "shan't": "shall", "ain't": "is"}


def _without_nt(m: re.Match[str], rng: Random) -> str:
    """Write an auxiliary verb without its n't."""
    plain = m.group().replace("’", "'")
    return _recase(plain, _POSITIVE.get(plain.lower(), plain[:-3].lower()))


def _with_nt(m: re.Match[str], rng: Random) -> str:
    """Write an auxiliary verb with n't, under any apostrophe or none."""
    odd = {"will": "won{}t", "can": "can{}t"}
    return odd.get(m.group(), m.group() + "n{}t").format(rng.choice("'’'’ʼ`′"))


NEGATION: dict[str, Candidates] = {
    "negation_not": any_of(
        matches(rf"(?<=\b)(?:{_AUX}) not (?=[a-z])", lambda m, r: m.group()[:-4]),
        matches(r"(?<=[a-z,;] )not (?=[a-z])", lambda m, r: ""),
        matches(r"\bcannot\b", lambda m, r: "can"),
    ),
    "negation_not_gained": inserted(
        r"(?<=\b(?:is|be) )(?=[a-z])|(?<=\b(?:are|was|has|had|can|did) )(?=[a-z])|(?<=\b(?:were|will|have|does|been) )(?=[a-z])",
        ("not",),
    ),
    "negation_nt": matches(r"\b(?:[A-Za-z]+n['’]t|[Ww]on['’]t|[Cc]an['’]t)\b", _without_nt),
    "negation_nt_gained": matches(
        r"\b(?:is|are|was|were|has|had|can|could|would|should|will|does|did)\b(?= [a-z])(?! (?:not|no|n't)\b)",
        _with_nt,
    ),
    "negation_never": any_of(
        removed("never"), swaps(("never", "always"), ("never", "often"), both=False)
    ),
    "negation_never_gained": any_of(
        inserted(
            r"(?<=\b(?:has|had|was) )(?=[a-z])|(?<=\b(?:have|were|will) )(?=[a-z])", ("never",)
        )
    ),
    "negation_no": any_of(
        removed("no"),
        matches(r"\bno longer\b", lambda m, r: r.choice(("still", "now"))),
        swaps(
            ("no", "some"),
            ("no", "a"),
            ("none", "all"),
            ("nobody", "somebody"),
            ("nothing", "everything"),
            ("nothing", "something"),
            ("nowhere", "everywhere"),
            both=False,
        ),
    ),
    "negation_without": any_of(swaps(("without", "with")), removed("without")),
    "negation_prefix": swaps(*PREFIXED),
    "negation_weak": any_of(
        removed("hardly|barely|scarcely|rarely|seldom"),
        swaps(
            ("rarely", "usually"),
            ("rarely", "often"),
            ("hardly", "clearly"),
            ("neither", "both"),
            ("neither", "either"),
            ("nor", "and"),
            ("nor", "or"),
            ("fail to", "manage to"),
            ("failed to", "managed to"),
            ("fails to", "manages to"),
            ("failed to", "was to"),
            ("lack of", "abundance of"),
            ("lacked", "had"),
            ("lacks", "has"),
            ("lack", "have"),
            ("refused to", "agreed to"),
            ("denied", "confirmed"),
            both=False,
        ),
        inserted(
            r"(?<=\b(?:was|has|had|are|can) )(?=[a-z])",
            ("hardly", "barely", "scarcely", "rarely", "seldom"),
        ),
    ),
}

_NUMBER = r"(?<![\w.,])\d+(?:,\d{3})*(?:\.\d+)?(?![\w])"
_WORDED = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety", "hundred", "thousand"]
_ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "twelfth"]


def _other(values: Sequence[str]) -> Callable[[re.Match[str], Random], str]:
    """Choose another of some values."""
    return lambda m, rng: _recase(
        m.group(), rng.choice([v for v in values if v != m.group().lower() and v != m.group()])
    )


def _digit_changed(m: re.Match[str], rng: Random) -> str:
    """Change one digit of a number."""
    number = m.group()
    at = rng.choice([i for i, char in enumerate(number) if char.isdigit()])
    options = [d for d in "123456789" if d != number[at]]
    return number[:at] + rng.choice(options) + number[at + 1 :]


def _digits_exchanged(m: re.Match[str], rng: Random) -> str:
    """Exchange two neighbouring digits that differ."""
    number = m.group()
    places = [
        i
        for i in range(len(number) - 1)
        if number[i : i + 2].isdigit() and number[i] != number[i + 1]
    ]
    if not places:
        return number
    at = rng.choice(places)
    return number[:at] + number[at + 1] + number[at] + number[at + 2 :]


def _digit_added(m: re.Match[str], rng: Random) -> str:
    """Write a number with a digit more or less."""
    number = m.group()
    return number[:-1] if len(number) > 2 and rng.random() < 0.5 else number + rng.choice("05")


def _point_moved(m: re.Match[str], rng: Random) -> str:
    """Lose or move a decimal point."""
    whole, part = m.group().split(".")
    return rng.choice(
        (
            whole + part,
            f"{whole}{part[0]}.{part[1:] or '0'}",
            f"0.{whole}{part}",
            f"{whole},{part}00",
        )
    )


def _thousands_changed(m: re.Match[str], rng: Random) -> str:
    """Change what a thousands separator means."""
    number = m.group()
    return rng.choice(
        (
            number.replace(",", ".", 1),
            number + ",000",
            number[: number.rfind(",")],
            number.replace(",", ",0", 1),
            number + "0",
        )
    )


def _roman_changed(m: re.Match[str], rng: Random) -> str:
    return rng.choice(
        [r for r in ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X") if r != m.group()]
    )


NUMBERS: dict[str, Candidates] = {
    "number_digit": matches(_NUMBER, _digit_changed),
    "number_order": matches(r"(?<![\w.,])\d{2,}(?:,\d{3})*(?:\.\d+)?(?!\w)", _digits_exchanged),
    "number_length": matches(r"(?<![\w.,])\d+(?![\w.,])", _digit_added),
    "number_decimal": matches(r"(?<![\w.,])\d+\.\d+(?![\w.])", _point_moved),
    "number_thousands": matches(r"(?<![\w.,])\d{1,3}(?:,\d{3})+(?![\w.])", _thousands_changed),
    "number_word": any_of(
        matches(rf"\b(?:{'|'.join(_WORDED)})\b", _other(_WORDED)),
        matches(rf"\b(?:{'|'.join(_ORDINALS)})\b", _other(_ORDINALS)),
        swaps(("twice", "three times"), ("dozen", "hundred"), ("half", "third"), ("quarter", "third"), ("double", "triple"), ("doubled", "tripled"), ("once", "twice"), ("half", "quarter"), ("dozens", "hundreds"), ("hundreds", "thousands"), ("single", "double"), ("both", "three")),
    ),
    "number_lost": matches(rf"(?<=[a-z] )(?:\d+(?:,\d{{3}})*|{'|'.join(_WORDED)}) (?=[a-z]{{3}})", lambda m, r: ""),
    "number_roman": matches(r"(?<=[a-z] )(?:II|III|IV|VI|VII|VIII|IX|V)\b", _roman_changed),
    "date_year": matches(r"\b(?:1[5-9]\d\d|20[0-2]\d)\b(?!s|,)", lambda m, r: str(int(m.group()) + r.choice((-100, -10, -2, -1, 1, 2, 10)))),
    "date_month": any_of(matches(rf"\b(?:{'|'.join(_MONTHS)})\b(?=,? \d|\.| of \d)|(?<=\d )(?:{'|'.join(_MONTHS)})\b", _other(_MONTHS)), matches(rf"\b(?:{'|'.join(_DAYS)})\b", _other(_DAYS))),
    "date_day": any_of(matches(r"(?<=[a-z] )\d{1,2}(?=, (?:1[5-9]|20)\d\d)", lambda m, r: str(int(m.group()) % 28 + 1)), matches(rf"\b\d{{1,2}}(?= (?:{'|'.join(_MONTHS)})\b)", lambda m, r: str(int(m.group()) % 28 + 1))),
    "date_period": any_of(matches(r"\b\d{3}0s\b", lambda m, r: f"{int(m.group()[:-1]) + r.choice((-20, -10, 10))}s"), matches(r"\b\d{1,2}th(?= century| centuries|-century)", lambda m, r: f"{int(m.group()[:-2]) % 9 + 11}th" if int(m.group()[:-2]) % 9 + 11 != int(m.group()[:-2]) else "4th"), swaps(("BC", "AD"), ("BCE", "CE"), ("a.m.", "p.m."), ("am", "pm"), ("AM", "PM"), ("mid", "late"), ("early", "late"))),
    "percent": any_of(matches(r"(?<=\d)%", lambda m, r: r.choice(("", "", "‰"))), matches(r"(?<=\d) percent\b|(?<=\d) per cent\b", lambda m, r: r.choice(("", " percentage points", " basis points")))),
    "currency": matches(r"[$£€¥](?=\d)", lambda m, r: r.choice([c for c in ("$", "£", "€", "¥", "") if c != m.group()])),
    "magnitude": any_of(swaps(("million", "billion"), ("billion", "trillion"), ("thousand", "million"), ("hundred", "thousand"), ("millions", "billions"), ("thousands", "millions")), matches(r"(?<=\d) (?:million|billion|thousand)\b", lambda m, r: "")),
}  # fmt: skip

_QUANTITY = (
    ("all", "some"),
    ("all", "most"),
    ("most", "some"),
    ("many", "few"),
    ("many", "some"),
    ("every", "almost every"),
    ("several", "many"),
    ("some", "many"),
    ("few", "a few"),
    ("each", "some"),
    ("any", "every"),
    ("both", "neither"),
    ("majority", "minority"),
    ("much", "little"),
    ("everyone", "someone"),
    ("entire", "partial"),
    ("always", "sometimes"),
    ("always", "often"),
    ("usually", "always"),
    ("often", "rarely"),
    ("sometimes", "always"),
    ("entirely", "partly"),
    ("mostly", "entirely"),
    ("completely", "partially"),
    ("fully", "partly"),
    ("other", "all"),
    ("numerous", "few"),
    ("largely", "wholly"),
)
_COMPARED = (
    ("more", "less"),
    ("higher", "lower"),
    ("greater", "smaller"),
    ("larger", "smaller"),
    ("better", "worse"),
    ("best", "worst"),
    ("most", "least"),
    ("highest", "lowest"),
    ("largest", "smallest"),
    ("earlier", "later"),
    ("older", "younger"),
    ("longer", "shorter"),
    ("faster", "slower"),
    ("stronger", "weaker"),
    ("above", "below"),
    ("over", "under"),
    ("before", "after"),
    ("more than", "less than"),
    ("more than", "fewer than"),
    ("greatest", "smallest"),
    ("oldest", "youngest"),
    ("longest", "shortest"),
    ("up", "down"),
    ("upper", "lower"),
    ("first", "last"),
    ("maximum", "minimum"),
    ("at least", "at most"),
    ("since", "until"),
    ("top", "bottom"),
    ("same", "opposite"),
    ("equal", "unequal"),
    ("major", "minor"),
    ("as much as", "more than"),
)
_MODALS = (
    ("may", "will"),
    ("may", "must"),
    ("can", "must"),
    ("could", "can"),
    ("could", "will"),
    ("should", "must"),
    ("might", "will"),
    ("would", "will"),
    ("will", "may"),
    ("must", "may"),
    ("would", "could"),
    ("should", "can"),
    ("could", "should"),
)
_HEDGES = "about|approximately|nearly|almost|roughly|around|up to|at least|at most|only|just|merely|allegedly|reportedly|possibly|probably|likely|perhaps|apparently|supposedly|sometimes|often|usually|generally|typically|frequently|partly|partially|mainly|mostly|largely|primarily|potentially|alleged|suspected|presumably|arguably|relatively|virtually|initially|so-called|proposed|potential|possible|if|unless|even if|more than|less than|fewer than|as many as|as much as|over"
_FUNCTIONS = (
    ("and", "or"),
    ("he", "she"),
    ("his", "her"),
    ("to", "from"),
    ("for", "against"),
    ("because", "although"),
    ("into", "out of"),
    ("between", "outside"),
    ("inside", "outside"),
    ("during", "after"),
    ("before", "during"),
    ("by", "for"),
    ("they", "we"),
    ("their", "our"),
    ("while", "because"),
    ("from", "for"),
    ("him", "them"),
    ("I", "he"),
    ("former", "latter"),
    ("my", "your"),
    ("however", "therefore"),
    ("but", "so"),
    ("toward", "away from"),
    ("if", "because"),
    ("and", "but not"),
)
_TENSES = (
    ("is", "was"),
    ("are", "were"),
    ("has", "had"),
    ("was", "will be"),
    ("will be", "was"),
    ("is", "may be"),
    ("are", "may be"),
    ("was", "could have been"),
    ("were", "would be"),
    ("have been", "will be"),
    ("has been", "may be"),
)

WORDS_OF_DEGREE: dict[str, Candidates] = {
    "quantifier": swaps(*_QUANTITY),
    "quantifier_gained": any_of(inserted(r"(?<=[a-z] )(?=the [a-z]+s\b)", ("all of", "most of", "some of", "half of", "none of", "few of")), removed("all|most|some|many|several|every|both|any")),
    "comparative": swaps(*_COMPARED),
    "modal": swaps(*_MODALS, both=False),
    "modal_gained": any_of(matches(r"\b(?:is|are)\b(?= [a-z])", lambda m, r: r.choice(("may be", "might be", "could be", "should be", "must be"))), removed("may|might|could|should|would|can|must")),
    "hedge_lost": removed(_HEDGES),
    "hedge_gained": any_of(
        inserted(r"(?<=[a-z] )(?=\$?\d)", ("up to", "about", "at least", "almost", "nearly", "only", "over", "at most", "more than", "less than", "around", "roughly")),
        inserted(r"(?<=\b(?:was|are|has|had) )(?=[a-z])", ("allegedly", "only", "possibly", "probably", "reportedly", "almost", "partly", "apparently", "sometimes")),
    ),
    "hedge_swapped": swaps(("about", "exactly"), ("approximately", "exactly"), ("nearly", "over"), ("almost", "more than"), ("up to", "at least"), ("at least", "up to"), ("likely", "certain"), ("possible", "certain"), ("possibly", "certainly"), ("probably", "certainly"), ("allegedly", "admittedly"), ("alleged", "convicted"), ("suggests", "proves"), ("suggest", "prove"), ("suggested", "proved"), ("believed", "known"), ("believe", "know"), ("believes", "knows"), ("claimed", "proved"), ("claims", "shows"), ("seems", "is"), ("appears", "is known"), ("if", "when"), ("unless", "if"), ("only", "also"), ("could", "did"), ("mainly", "only"), ("primarily", "exclusively"), ("thought to", "known to"), ("said to", "proven to"), ("may", "does"), ("estimated", "measured"), ("tend to", "always"), ("reportedly", "evidently"), both=False),
    "function_word": swaps(*_FUNCTIONS),
    "tense": swaps(*_TENSES, both=False),
    "antonym": swaps(*ANTONYMS),
    "near_word": swaps(*NEAR_WORDS),
    "bracketed_meaning": any_of(
        inserted(r"(?<=\b(?:is|be) )(?=[a-z])|(?<=\b(?:are|was|has|had|can|did) )(?=[a-z])|(?<=\b(?:were|will|have|does) )(?=[a-z])", ("[not]", "[never]", "[only]", "[almost]", "[hardly]")),
        inserted(r"(?<=[a-z] )(?=the [a-z]+s\b)", ("[almost all of]", "[none of]", "[up to half of]")),
    ),
}  # fmt: skip

_FILLERS = ["new", "former", "national", "illegal", "private", "secret", "public", "foreign", "temporary", "fake", "failed", "dangerous", "modern", "religious", "wooden", "expensive", "independent", "annual", "senior", "local", "military", "royal", "digital", "young", "rural", "commercial", "unofficial", "retired", "wealthy", "experimental", "abandoned", "popular", "minor"]


class ContentWords:
    """Changes of plain content words and of names, judged by the corpus."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        common = [
            w
            for w, n in sorted(corpus.spellings.items())
            if w.islower()
            and w.isascii()
            and w.isalpha()
            and 20 <= n <= 2000
            and 5 <= len(w) <= 11
            and corpus.is_common(w)
        ]
        self.by_ending = {
            ending: [w for w in common if w.endswith(ending)]
            for ending in (
                "ing",
                "ed",
                "ly",
                "tion",
                "s",
                "al",
                "ity",
                "er",
                "ment",
                "ive",
                "ous",
                "y",
                "t",
                "n",
                "e",
                "r",
                "l",
                "h",
                "m",
                "d",
                "g",
                "k",
            )
        }
        self.names = [
            w
            for w, n in sorted(corpus.spellings.items())
            if 4 <= len(w) <= 10 and n >= 6 and w.isascii() and w.isalpha() and corpus.is_name(w)
        ]

    def swapped(self, text: str, rng: Random) -> list[Edit]:
        """Find content words, each to be replaced by another of the same ending."""
        edits: list[Edit] = []
        for m in re.finditer(r"(?<=[a-z,] )[a-z]{5,}\b(?![-’'])", text):
            word = m.group()
            ending = next((e for e in self.by_ending if word.endswith(e)), None)
            if ending and self.corpus.is_common(word):
                other = rng.choice(self.by_ending[ending])
                if other[:4] != word[:4] and other not in text.lower():
                    edits.append((*m.span(), other))
        return edits

    def added(self, text: str, rng: Random) -> list[Edit]:
        """Find nouns after an article, which a new word can qualify."""
        places = re.finditer(r"(?<=\bthe )(?=[a-z]{4})|(?<=\b(?:of|in) )(?=[a-z]{4,}s\b)", text)
        return [(m.start(), m.start(), rng.choice(_FILLERS) + " ") for m in places]

    def lost(self, text: str, rng: Random) -> list[Edit]:
        """Find content words inside a sentence, to be left out."""
        places = re.finditer(r"(?<=[a-z] )([a-z]{5,}) (?=[a-z]{3})", text)
        return [(m.start(), m.end(), "") for m in places if self.corpus.is_common(m[1])]

    def lost_several(self, text: str, rng: Random) -> list[Edit]:
        """Find runs of two to five words inside a sentence, to be left out silently."""
        places = re.finditer(r"(?<=[a-z] )(?:[a-z]{4,} (?:[a-z]+ ){1,4})(?=[a-z]{3})", text)
        return [(*m.span(), "") for m in places]

    def renamed(self, text: str, rng: Random) -> list[Edit]:
        """Find names, each to be replaced by another name."""
        found = [
            m
            for m in re.finditer(r"(?<=[a-z,] )[A-Z][a-z]{3,}\b", text)
            if self.corpus.is_name(m.group())
        ]
        return [(*m.span(), rng.choice([n for n in self.names if n not in text])) for m in found]

    def respelled(self, text: str, rng: Random) -> list[Edit]:
        """Find names, each to be written with one letter another way."""
        found = [
            m
            for m in re.finditer(r"(?<=[a-z,] )[A-Z][a-z]{3,}\b", text)
            if self.corpus.is_name(m.group())
        ]
        return [(*m.span(), _one_letter(m.group(), rng)) for m in found]

    def unnamed(self, text: str, rng: Random) -> list[Edit]:
        """Find first or last names beside another name, to be left out."""
        found = re.finditer(r"(?<=[a-z,] )([A-Z][a-z]{3,}) (?=[A-Z][a-z]{3,}\b)", text)
        return [(*m.span(), "") for m in found if self.corpus.is_name(m[1])]

    def exchanged(self, text: str, rng: Random) -> list[Edit]:
        """Find two names of a sentence, to change places; one edit spans both."""
        found = [
            m
            for m in re.finditer(r"(?<![A-Z][a-z] )(?<=[a-z,] )[A-Z][a-z]{3,}\b(?! [A-Z])", text)
            if self.corpus.is_name(m.group())
        ]
        edits: list[Edit] = []
        for a, b in zip(found, found[1:], strict=False):
            between = text[a.end() : b.start()]
            if a.group() != b.group() and not re.fullmatch(r",? (?:and|or|&) |, ", between):
                edits.append((a.start(), b.end(), b.group() + between + a.group()))
        return edits

    def initials(self, text: str, rng: Random) -> list[Edit]:
        """Find initials of names, to be changed."""
        found = re.finditer(
            r"(?<=[a-z,] )[A-Z](?=\. [A-Z][a-z]+)|(?<=[A-Z][a-z]{3} )[A-Z](?=\. [A-Z][a-z]+)", text
        )
        return [
            (*m.span(), rng.choice([c for c in "ABCDEFGHJKLMPRSTW" if c != m.group()]))
            for m in found
        ]

    def table(self) -> dict[str, Candidates]:
        """Return the changes by category."""
        return {
            "word_swapped": self.swapped,
            "word_added": self.added,
            "word_lost": self.lost,
            "words_lost": self.lost_several,
            "name_swapped": self.renamed,
            "name_letter": self.respelled,
            "name_lost": self.unnamed,
            "name_exchanged": self.exchanged,
            "name_initial": self.initials,
        }


def _one_letter(name: str, rng: Random) -> str:
    """Change one letter of a name, or leave it out, or write it twice."""
    at = rng.randint(1, len(name) - 1)
    vowels = "aeiou"
    if name[at] in vowels:
        return name[:at] + rng.choice([v for v in vowels if v != name[at]]) + name[at + 1 :]
    other = rng.choice([c for c in "bcdfgklmnprstv" if c != name[at]])
    options = (
        name[:at] + other + name[at + 1 :],
        name[:at] + name[at + 1 :],
        name[: at + 1] + name[at:],
    )
    return rng.choice(options)
