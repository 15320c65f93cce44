"""Orthography: what makes two spellings of a text one, systematic or of another time.

A copy in ASCII, with "ae" for "ä" or Swiss "ss"; stress marks; letters of another script that look
the same; polytonic Greek; spellings of Hindi nasals; words with two spellings; Russian and Japanese
before their reforms; charges of ions. What may be another word counts as the same only if the whole
of one side is written so.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from typing import Any

from rapidfuzz.distance import Levenshtein

from citeguard.language import lexicon
from citeguard.language.chinese import (
    are_same_character,
    is_simplified,
    may_be_same_character,
)
from citeguard.language.numerals import other_numerals
from citeguard.language.spelling import GREEK_VOWELS, without_marks
from citeguard.language.tokens import Kind, Token

_Sides = tuple[list[Token], list[Token]]


def spelled_alike(
    quoted: Sequence[Token], source: Sequence[Token], language: str
) -> tuple[list[Token], list[Token], list[tuple[Token, Token]]]:
    """Return the tokens of both sides, those of the quote as the source spells them.

    Also the pairs of words that are spelt, and not just typed, in another way.

    Args:
        quoted: The quote's tokens without marks.
        source: The source's.
        language: The code of their language, "" if unknown.
    """
    sides = [*_plain_charges(quoted)], [*_plain_charges(source)]
    if language == "ja":
        sides = _japanese(*sides)
    pairs = _differing(*sides, "word")
    same = _surely_same(*sides, pairs)
    rest = {i: j for i, j in pairs.items() if i not in same}
    respelled = _variants_of(*sides, rest, language)
    for way in _WAYS:
        # "wurde" and "hatte" are other words than "würde" and "hätte".
        if way is not _ASCII or language != "de":
            respelled |= way.same(*sides, rest, language)
    respelled |= _fully_written(*sides, pairs, respelled)
    respelled |= _in_both_characters(*sides, _differing(*sides, "character"))
    same |= respelled
    quote = [
        _like(token, sides[1][same[i]]) if i in same else token for i, token in enumerate(sides[0])
    ]
    return quote, sides[1], [(sides[0][i], sides[1][j]) for i, j in respelled.items()]


def _differing(quoted: list[Token], source: list[Token], kind: Kind) -> dict[int, int]:
    """Return the places of tokens of a kind that differ, in both sides."""
    keys = [token.key for token in quoted], [token.key for token in source]
    pairs: dict[int, int] = {}
    for op in Levenshtein.opcodes(*keys):
        if op.tag == "replace":
            pairs |= zip(
                range(op.src_start, op.src_end), range(op.dest_start, op.dest_end), strict=False
            )
    return {i: j for i, j in pairs.items() if quoted[i].kind == source[j].kind == kind}


def _like(token: Token, other: Token) -> Token:
    if token.text.isupper() and len(token.text) > 1:
        text = other.text.upper()
    else:
        text = other.text if token.text[:1].isupper() == other.text[:1].isupper() else token.text
    return token._replace(key=other.key, text=text)


# What is never another word

_STRESS = re.compile("(?<=[аеиоуыэюяіє\u0308])[\u0300\u0301]")
_BREATHINGS = re.compile("[\u0313\u0314\u0345]")
_ACCENTS = re.compile("[\u0300\u0301\u0342]")
# Consonants that a nasal is written before as a letter or as a dot.
_NASALS = re.compile("ङ्(?=[कखगघ])|ञ्(?=[चछजझ])|ण्(?=[टठडढ])|न्(?=[तथदध])|म्(?=[पफबभ])|ँ")
_NASAL_LETTERS = {
    consonant: f"{nasal}्"
    for nasal, row in zip("ङञणनम", ("कखगघ", "चछजझ", "टठडढ", "तथदध", "पफबभ"), strict=True)
    for consonant in row
}
_NASAL_DOT = re.compile("ं(?=([क-घच-झट-ढत-धप-भ]))")
_BEFORE_WAW, _HUNDRED = re.compile("[ئء]و|أو(?=ا$)"), re.compile("مائ(?=[ةهت])")
_EZAFE = re.compile("(?:[هە]\u0654|[ۀۂ])$")
_CYRILLIC, _LATIN = "аеорсхуіјѕвнкмт", "aeopcxyijsbhkmt"
_TO_CYRILLIC = str.maketrans(_LATIN, _CYRILLIC)
_FROM_CYRILLIC = str.maketrans(_CYRILLIC, _LATIN)
_TO_GREEK = str.maketrans("ovaikptuxybehmzn", "οναικρτυχυβεημζν")
# By sight, in the case that they have: "Μ" is a Greek M, "μ" no m.
_LOOKALIKES = str.maketrans(
    "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧοАВЕКМНОРСТХУІЈЅаеорсухіјѕ", "ABEZHIKMNOPTYXoABEKMHOPCTXYIJSaeopcyxijs"
)
_IN_LATIN, _IN_ANOTHER = re.compile("[A-Za-z]"), re.compile("[\u0370-\u03ff\u0400-\u052f]")
# Turkish that was read as Western European.
_LATIN5 = str.maketrans("ýþð", "ışğ")


def _surely_same(quoted: list[Token], source: list[Token], pairs: dict[int, int]) -> dict[int, int]:
    """Return the words that are the same in a writing that makes no two words one."""
    keys = "".join(token.key for token in (*quoted, *source))
    written = keys + unicodedata.normalize("NFD", keys)
    rules = [rule for sign, rule in _SURE_RULES if re.search(sign, written)]

    def is_same(i: int, j: int) -> bool:
        one, other = quoted[i].key, source[j].key
        if {one, other} == {"c", "с"}:
            return i > 0 and quoted[i - 1].key == "°"
        if _look_alike(quoted[i].text, source[j].text):
            return True
        # "за́мок" is a castle, "замо́к" a lock.
        stressed = all(_without_stress(word) != word for word in (one, other))
        return not stressed and any(rule(one) == rule(other) for rule in rules)

    return {i: j for i, j in pairs.items() if is_same(i, j)}


def _variants_of(
    quoted: list[Token], source: list[Token], pairs: dict[int, int], language: str
) -> dict[int, int]:
    """Return the words that the table of a language has in two spellings."""
    return {
        i: j
        for i, j in pairs.items()
        if _in_one_spelling(quoted[i].key, language) == _in_one_spelling(source[j].key, language)
    }


@lru_cache(maxsize=1_000)
def _in_one_spelling(word: str, language: str) -> str:
    for pattern, other in _variants(language):
        if match := pattern.fullmatch(word):
            return match[1] + other + match[2]
    return word


@cache
def _variants(language: str) -> list[tuple[re.Pattern[str], str]]:
    """Return words with two spellings, longest first, each with the letters that replace it."""
    rows = lexicon.load_lexicon(language).variants
    words = (row.split("=") for row in sorted(rows, key=len, reverse=True))
    return [
        (
            re.compile(
                f"({'.*' * one.startswith('*')})"
                f"{re.escape(one.strip('*'))}({'.*' * one.endswith('*')})"
            ),
            other.strip("*"),
        )
        for one, other in words
    ]


def _without_stress(word: str) -> str:
    return unicodedata.normalize("NFC", _STRESS.sub("", unicodedata.normalize("NFD", word)))


def _unmixed(word: str) -> str:
    """Return a word of letters of two scripts in one of them."""
    if not re.search("[a-z]", word):
        return word
    if re.search("[а-я]", word):
        cyrillic = word.translate(_TO_CYRILLIC)
        return word.translate(_FROM_CYRILLIC) if re.search("[a-z]", cyrillic) else cyrillic
    return word.translate(_TO_GREEK) if re.search("[\u0370-\u03ff]", word) else word


def _look_alike(one: str, other: str) -> bool:
    """Return whether two words have the same letters by sight, one of them in two scripts."""
    is_mixed = any(_IN_LATIN.search(word) and _IN_ANOTHER.search(word) for word in (one, other))
    return is_mixed and one.translate(_LOOKALIKES).lower() == other.translate(_LOOKALIKES).lower()


def _monotonic(word: str) -> str:
    """Return a Greek word with the accents of today; a monosyllable has none, but for "ή"."""
    decomposed = _BREATHINGS.sub("", unicodedata.normalize("NFD", word))
    bare = _ACCENTS.sub("", decomposed)
    if len(GREEK_VOWELS.findall(bare)) == 1:
        if bare in ("που", "πωσ"):
            decomposed = decomposed.replace("\u0300", "")
        elif bare != "η":
            decomposed = bare
    return unicodedata.normalize("NFC", _ACCENTS.sub("\u0301", decomposed))


def _on_waw(word: str) -> str:
    """Return an Arabic word with the hamza as in "شؤون", "مئة" and "شيء", for other seats of it."""
    word = _BEFORE_WAW.sub("ؤو", word)
    return _HUNDRED.sub("مئ", word).replace("شئ", "شيء") if "ئ" in word else word


def _nasal_dots(word: str) -> str:
    # "हँस" is to laugh, "हंस" a swan.
    return word if word.startswith("हँस") else _NASALS.sub("ं", word)


def _romanian(word: str) -> str:
    return re.sub("(?<=[^\\W\\d_])î(?=[^\\W\\d_])", "â", word)


# (what must occur on either side, the writing)
_SURE_RULES: tuple[tuple[str, Callable[[str], str]], ...] = (
    (_STRESS.pattern, _without_stress),
    ("[а-яα-ω]", _unmixed),
    ("[α-ω][\u0301\u0308]*[\u0300\u0342\u0313\u0314\u0345]", _monotonic),
    ("[\u0900-\u097f]", _nasal_dots),
    ("[ئءأ]و|مائ|شئ", _on_waw),
    ("[هە]\u0654|[ۀۂ]", lambda word: _EZAFE.sub("هی", word)),
    ("î", _romanian),
    ("[ýþð]", lambda word: word.translate(_LATIN5)),
)


# What a whole side must be written in


@dataclass(frozen=True, slots=True)
class _Way:
    """A way of writing that makes some words the same as others.

    Attributes:
        signs: What one side has in it, and the other nowhere.
        rewrite: Returns a word in the way of the other side.
        weight: What a word of the quote, among its tokens in a language, proves: 2 is enough.
    """

    signs: re.Pattern[str]
    rewrite: Callable[[str], str]
    weight: Callable[[list[Token], int, str], int]

    def same(
        self, quoted: list[Token], source: list[Token], pairs: dict[int, int], language: str
    ) -> dict[int, int]:
        """Return those of the words that differ which are the same in this way of writing."""
        has = [any(self.signs.search(token.key) for token in side) for side in (quoted, source)]
        if has[0] == has[1]:
            return {}
        rewrite = self.rewrite
        same = {i: j for i, j in pairs.items() if rewrite(quoted[i].key) == rewrite(source[j].key)}
        return same if sum(self.weight(quoted, i, language) for i in same) >= _PROVEN else {}


_PROVEN = 2
_DIGRAPHS = (("ä", "ae"), ("ö", "oe"), ("ü", "ue"), ("ß", "ss"), ("å", "aa"), ("ø", "oe"))
_NUKTA = re.compile("(?<=[कखगजफ])\u093c")
# Other words without the dot.
_DOTTED = frozenset("राज सजा जरा फन बाज खुदा गज तेज नाज कमर खाना".split())
_PRE_REFORM = re.compile("[ѣѳѵ]|[бвгджзклмнпрстфхцчшщ]ъ$")
_REFORMED = str.maketrans("ѣѳѵіё", "ефиие")
_FINAL_CONSONANT = re.compile(r"(?<=[бвгджзклмнпрстфхцчшщ])(?!\w)")


def _digraphs(word: str) -> str:
    for umlaut, digraph in _DIGRAPHS:
        word = word.replace(umlaut, digraph)
    return word


def _weight(tokens: list[Token], i: int, language: str) -> int:
    """Return what a word proves: little if it may be a name, nothing if it is another word."""
    words = lexicon.load_lexicon(language)
    if tokens[i].key.replace("ß", "ss") in words.distinct:
        return 0
    # "Mueller" may be another name than "Müller"; after an article it is a noun.
    noun = i > 0 and tokens[i - 1].key in words.articles
    return 2 if noun or tokens[i].text.islower() else 1


def _without_nukta(word: str) -> str:
    return _nasal_dots(_NUKTA.sub("", word))


def _reformed(text: str) -> str:
    text = re.sub(r"ъ(?!\w)", "", text.translate(_REFORMED))
    return re.sub(
        r"(?<=\w\w)([ая])го(?!\w)", lambda match: {"а": "ого", "я": "его"}[match[1]], text
    )


def _dotted_weight(tokens: list[Token], i: int, _: str) -> int:
    return 1 if _without_nukta(tokens[i].key) in _DOTTED else 2


def _sure(weight: int) -> Callable[[list[Token], int, str], int]:
    return lambda tokens, i, language: weight


_ASCII = _Way(re.compile(r"[^\x00-\x7f]"), without_marks, _sure(1))
_WAYS = (
    _Way(re.compile("[äöüåø]"), _digraphs, _weight),
    _Way(re.compile("ß"), lambda word: word.replace("ß", "ss"), _weight),
    _ASCII,
    _Way(_NUKTA, _without_nukta, _dotted_weight),
    _Way(_PRE_REFORM, _reformed, _sure(2)),
)

# Hebrew without vowel letters

_HEBREW = re.compile("[\u05d0-\u05ea]{3,}")
# "כותב" writes, "כתב" wrote: here the letter makes another form of the word.
_PARTICIPLE = re.compile("[והשבלמכ]{0,2}[א-ת]ו[א-ת]{2}(?:ת|ים|ות|ה)?")


def _fully_written(
    quoted: list[Token], source: list[Token], pairs: dict[int, int], known: dict[int, int]
) -> dict[int, int]:
    """Return the words that one side writes with more vowel letters, if it writes several so."""
    longer: list[dict[int, int]] = [{}, {}]
    for i, j in pairs.items():
        one, other = quoted[i].key, source[j].key
        if _has_vowel_letters(one, other):
            longer[0][i] = j
        elif _has_vowel_letters(other, one):
            longer[1][i] = j
    if all(longer):
        return {}
    full = longer[0] or longer[1]
    return full if len(full) + len(known.keys() - full.keys()) >= _PROVEN else {}


def _has_vowel_letters(full: str, short: str) -> bool:
    """Return whether a Hebrew word is another one with vowel letters inside, and no other form."""
    if not (len(full) > len(short) and _HEBREW.fullmatch(full) and _HEBREW.fullmatch(short)):
        return False
    ops = Levenshtein.editops(short, full)
    if len(ops) > len(full) - len(short) or any(full[op.dest_pos] not in "וי" for op in ops):
        return False
    if _PARTICIPLE.fullmatch(full) and not _PARTICIPLE.fullmatch(short):
        return False
    # A letter before the last one makes a plural ("שכונות") or a participle ("כתוב"), and a double
    # one at the beginning a future ("ייצא").
    last = len(full) - 2
    return not full.startswith("יי") and all(
        0 < op.dest_pos < last
        or full[op.dest_pos] in (full[op.dest_pos - 1], full[op.dest_pos + 1 :][:1])
        or (op.dest_pos == last and full.startswith("ל"))
        for op in ops
    )


# Chinese


def _in_both_characters(
    quoted: list[Token], source: list[Token], pairs: dict[int, int]
) -> dict[int, int]:
    """Return the characters that are the traditional and the simplified form of one word.

    A form of two words is the same as either only where a side is simplified as a whole, and other
    characters show that the other is not: "頭發" and "頭髮", "皇后" and "皇後" differ.
    """
    alike = {i: j for i, j in pairs.items() if may_be_same_character(quoted[i].key, source[j].key)}
    for side, places in ((quoted, alike.keys()), (source, alike.values())):
        differing = "".join(side[i].key for i in places)
        if is_simplified(differing) and is_simplified("".join(token.key for token in side)):
            return alike
    return {i: j for i, j in alike.items() if are_same_character(quoted[i].key, source[j].key)}


# Japanese


@cache
def _japanese_tables() -> dict[str, Any]:
    data = resources.files("citeguard.language").joinpath("data/japanese.toml")
    return tomllib.loads(data.read_text("utf-8"))


@cache
def _modern_kanji() -> dict[int, int]:
    kanji = "".join(_japanese_tables()["kanji"].split())
    return str.maketrans(kanji[::2], kanji[1::2])


@cache
def _optional_kana() -> tuple[re.Pattern[str], ...]:
    """Return patterns of which the last group is a character that may be missing."""
    tables = _japanese_tables()
    return re.compile(tables["long_mark"]), re.compile("|".join(tables["okurigana"].split()))


def _japanese(quoted: list[Token], source: list[Token]) -> _Sides:
    """Return both sides with today's characters and kana, without optional kana."""
    texts = ["".join(map(_character, side)) for side in (quoted, source)]
    modern = [*texts]
    for old, new in _japanese_tables()["kana"].items():
        modern = [re.sub(old, new, text) for text in modern]
    # Only one side may be in old kana, or else "っ" and "つ" are different.
    one_is_old = (texts[0] == modern[0]) != (texts[1] == modern[1])
    one, other = map(_shortened, (quoted, source), modern if one_is_old else texts)
    return one, other


def _character(token: Token) -> str:
    return token.key if token.kind == "character" and len(token.key) == 1 else "\0"


def _shortened(tokens: list[Token], text: str) -> list[Token]:
    text = text.translate(_modern_kanji())
    dropped = {
        match.start(match.lastindex or 0)
        for kana in _optional_kana()
        for match in kana.finditer(text)
    }
    return [
        token if char == "\0" else token._replace(key=char, text=char)
        for place, (token, char) in enumerate(zip(tokens, text, strict=True))
        if place not in dropped
    ]


# Charges of ions

_CHARGE = re.compile("([²³⁴-⁹]?)([⁺⁻])")
_LOWERED = str.maketrans("²³⁴⁵⁶⁷⁸⁹⁺⁻", "23456789+-")


def _plain_charges(tokens: Sequence[Token]) -> Iterator[Token]:
    """Yield tokens with "Ca2+" for "Ca²⁺": no exponent ends in a sign."""
    for token in tokens:
        match = _CHARGE.fullmatch(token.key) if token.kind == "symbol" else None
        if match is None:
            yield token
            continue
        for group in (1, 2):
            if key := match[group].translate(_LOWERED):
                start, end = token.start + match.start(group), token.start + match.end(group)
                kind = "number" if key.isdecimal() else "symbol"
                yield Token(key, key, start, end, kind, token.bracketed)


# Search


def other_writings(text: str) -> list[str]:
    """Return a text with its numbers and letters in other writings that search may miss."""
    forms = [*other_numerals(text)]
    if text.isascii():
        forms.append(re.sub(r"(?<![aeqAEQ])([aouAOU])e|(?<=[aA])a", r"\1", text))
    else:
        modern = _modern_kanji()
        forms += [_digraphs(text.lower()), _FINAL_CONSONANT.sub("ъ", text), _reformed(text)]
        forms += [text.translate(modern), text.translate({new: old for old, new in modern.items()})]
        forms.append(_NASAL_DOT.sub(lambda dot: _NASAL_LETTERS[dot[1]], text))
        forms.append(" ".join(map(_unmixed, text.lower().split())))
    return [form for form in dict.fromkeys(forms) if form != text]
