"""Systematic renderings of a text: the same words in another typography.

A copy in ASCII, with "ae" for "ä" or Swiss "ss"; stress marks; letters of another script that look
the same; polytonic Greek; spellings of Hindi nasals. What may be another word is taken for a
rendering only if the whole quote is written so.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from itertools import pairwise

from rapidfuzz.distance import Levenshtein

from citeguard.language.spelling import GREEK_VOWELS, without_marks
from citeguard.language.tokens import Token

_Sides = tuple[list[Token], list[Token]]
_Rule = Callable[[str], str]

_ENOUGH = 2  # words that are rendered, so that none of them is an error


def rendered_alike(quoted: Sequence[Token], source: Sequence[Token], language: str) -> _Sides:
    """Return the tokens of both sides, those of the quote as the source renders them.

    Args:
        quoted: The quote's tokens without marks.
        source: The source's.
        language: The code of their language, "" if unknown.
    """
    sides = _plain_charges(quoted), _plain_charges(source)
    pairs = _pairs(*sides)
    rules = [rule for rule in _sure_rules(*sides) if rule is not None]
    same = {i: j for i, j in pairs if _is_sure(sides[0], sides[1], i, j, rules)}
    rest = [(i, j) for i, j in pairs if i not in same]
    for systematic in (_german, _swiss, _ascii, _nukta):
        if systematic is _ascii and language == "de":
            continue  # "wurde" and "hatte" are other words than "würde" and "hätte"
        same |= systematic(*sides, [pair for pair in rest if pair[0] not in same])
    if not same:
        return sides
    quote = [
        _like(token, sides[1][same[i]]) if i in same else token for i, token in enumerate(sides[0])
    ]
    return quote, sides[1]


def _pairs(quoted: list[Token], source: list[Token]) -> list[tuple[int, int]]:
    """Return the places of words that differ, in both sides."""
    keys = [token.key for token in quoted], [token.key for token in source]
    pairs: list[tuple[int, int]] = []
    for op in Levenshtein.opcodes(*keys):
        if op.tag == "replace":
            places = zip(
                range(op.src_start, op.src_end), range(op.dest_start, op.dest_end), strict=False
            )
            pairs += [(i, j) for i, j in places if quoted[i].kind == source[j].kind == "word"]
    return pairs


def _like(token: Token, other: Token) -> Token:
    if token.text.isupper() and len(token.text) > 1:
        text = other.text.upper()
    else:
        text = other.text if token.text[:1].isupper() == other.text[:1].isupper() else token.text
    return token._replace(key=other.key, text=text)


# What is never another word

_STRESS = re.compile("(?<=[аеиоуыэюяіє\u0308])[\u0300\u0301]")
_POLYTONIC = "\u0300\u0342\u0313\u0314\u0345"
_BREATHINGS = re.compile("[\u0313\u0314\u0345]")
_ACCENTS = re.compile("[\u0300\u0301\u0342]")
# Consonants that a nasal is written before as a letter or as a dot.
_NASALS = re.compile("ङ्(?=[कखगघ])|ञ्(?=[चछजझ])|ण्(?=[टठडढ])|न्(?=[तथदध])|म्(?=[पफबभ])|ँ")
_TO_CYRILLIC = str.maketrans("aeopcxyijsbhkmt", "аеорсхуіјѕвнкмт")
_TO_GREEK = str.maketrans("ovaikptuxybehmzn", "οναικρτυχυβεημζν")
_FROM_CYRILLIC = str.maketrans("аеорсхуіјѕвнкмт", "aeopcxyijsbhkmt")


def _sure_rules(quoted: list[Token], source: list[Token]) -> list[_Rule | None]:
    keys = "".join(token.key for token in (*quoted, *source))
    decomposed = unicodedata.normalize("NFD", keys)
    has_cyrillic, has_greek = re.search("[а-я]", keys), re.search("[α-ω]", keys)
    return [
        _without_stress if has_cyrillic and _STRESS.search(decomposed) else None,
        _unmixed if has_cyrillic or has_greek else None,
        _monotonic if has_greek and any(mark in decomposed for mark in _POLYTONIC) else None,
        _nasal_dots if re.search("[\u0900-\u097f]", keys) else None,
    ]


def _is_sure(quoted: list[Token], source: list[Token], i: int, j: int, rules: list[_Rule]) -> bool:
    one, other = quoted[i].key, source[j].key
    if {one, other} == {"c", "с"}:
        return i > 0 and quoted[i - 1].key == "°"
    if all(_without_stress(word) != word for word in (one, other)):
        return False  # "за́мок" is a castle, "замо́к" a lock
    return any(rule(one) == rule(other) for rule in rules)


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


def _nasal_dots(word: str) -> str:
    # "हँस" is to laugh, "हंस" a swan.
    return word if word.startswith("हँस") else _NASALS.sub("ं", word)


# What a whole quote must be written in

_DIGRAPHS = (("ä", "ae"), ("ö", "oe"), ("ü", "ue"), ("ß", "ss"))
_NUKTA = re.compile("(?<=[कखगजफ])\u093c")
# Other words without the dot.
_DOTTED = frozenset("राज सजा जरा फन बाज खुदा गज तेज नाज कमर खाना".split())


def _digraphs(word: str) -> str:
    for umlaut, digraph in _DIGRAPHS:
        word = word.replace(umlaut, digraph)
    return word


def _german(
    quoted: list[Token], source: list[Token], pairs: list[tuple[int, int]]
) -> dict[int, int]:
    """Return the words with "ae" for "ä" and the like, if one side is without umlauts."""
    same = {i: j for i, j in pairs if _digraphs(quoted[i].key) == _digraphs(source[j].key)}
    umlauts = [
        any(char in token.key for token in side for char in "äöü") for side in (quoted, source)
    ]
    is_umlaut = [
        any(char in quoted[i].key + source[j].key for char in "äöü") for i, j in same.items()
    ]
    if all(umlauts) or not any(is_umlaut):
        return {}
    # "Mueller" alone may be another name than "Müller".
    is_word = any(quoted[i].text.islower() for i in same)
    return same if len(same) >= _ENOUGH or is_word else {}


def _swiss(
    quoted: list[Token], source: list[Token], pairs: list[tuple[int, int]]
) -> dict[int, int]:
    """Return the words with "ss" for "ß", if there are several and one side has no "ß"."""
    same = {
        i: j
        for i, j in pairs
        if quoted[i].key.replace("ß", "ss") == source[j].key.replace("ß", "ss")
    }
    has = [any("ß" in token.key for token in side) for side in (quoted, source)]
    return same if len(same) >= _ENOUGH and not all(has) else {}


def _ascii(
    quoted: list[Token], source: list[Token], pairs: list[tuple[int, int]]
) -> dict[int, int]:
    """Return the words of Latin letters without their marks, if the quote has no marks at all."""
    if not all(token.key.isascii() for token in quoted if token.kind == "word"):
        return {}
    same = {i: j for i, j in pairs if quoted[i].key == without_marks(source[j].key)}
    return same if len(same) >= _ENOUGH else {}


def _nukta(
    quoted: list[Token], source: list[Token], pairs: list[tuple[int, int]]
) -> dict[int, int]:
    """Return the words of Hindi without the dots of foreign sounds; several if one is unsure."""

    def plain(word: str) -> str:
        return _nasal_dots(_NUKTA.sub("", word))

    same = {i: j for i, j in pairs if plain(quoted[i].key) == plain(source[j].key)}
    if len(same) < _ENOUGH and any(plain(quoted[i].key) in _DOTTED for i in same):
        return {}
    return same


# Charges of ions

_IONS = frozenset(
    "H Li Na K Rb Cs Ag Cu Mg Ca Sr Ba Zn Fe Co Ni Mn Cd Hg Pb Sn Al Cr NH4 H3O".split()
)
_CHARGE = re.compile("([²³]?)(⁺)")


def _plain_charges(tokens: Sequence[Token]) -> list[Token]:
    """Return tokens with "Ca2+" for "Ca²⁺"."""
    plain = list(tokens[:1])
    for before, token in pairwise(tokens):
        match = _CHARGE.fullmatch(token.key) if token.kind == "symbol" else None
        # "x²" is not "x2", nor "m²" "m2".
        if match is None or before.end != token.start or before.text not in _IONS:
            plain.append(token)
            continue
        for start, end in (match.span(1), match.span(2)):
            if start < end:
                digit = unicodedata.normalize("NFKC", token.key[start:end])
                plain.append(
                    token._replace(
                        key=digit,
                        text=digit,
                        start=token.start + start,
                        end=token.start + end,
                        kind="number" if digit.isdigit() else "symbol",
                    )
                )
    return plain


# Search


def other_renderings(text: str) -> list[str]:
    """Return a text in other renderings whose letters approximate search may miss."""
    forms = [re.sub(r"(?<![aeqAEQ])([aouAOU])e", r"\1", text)] if text.isascii() else []
    if any(char in text for char in "äöüÄÖÜ"):
        forms.append(_digraphs(text.lower()))
    words = text.lower().split()
    unmixed = [_unmixed(word) for word in words]
    if unmixed != words:
        forms.append(" ".join(unmixed))
    return [form for form in forms if form != text]
