"""Distinguishing slips of spelling from other words.

A slip is forgiven only if one of the two spellings is not a word: "recieve" for "receive", but not
"contract" for "contact". English words are those of a list and of the source itself. In other
languages a list lacks too many forms of words. There the evidence that a spelling is no word is a
sequence of letters that none of the frequent words has, as even rare forms are made of frequent
parts; where the spelling is not among the frequent words and the other is, less of it will do.
"""

from __future__ import annotations

import gzip
import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from hashlib import blake2b
from importlib import resources
from pathlib import Path

from rapidfuzz.distance import OSA

from citeguard.language.lexicon import english, load_lexicon, union

_SHORTEST = 4  # letters; too many shorter words are one slip apart
_ENDINGS = frozenset(
    "ol al il yl an en in on ane ene yne ine one ate ite ide ase ose ous ese ize ise or er ar ee"
    " ed es ey ic ia ium ive ion ist ism ity ety ant ent ance ence".split()
)
_INFLECTIONS = frozenset(("s es d ed ing ly er est 's n en r y al").split())
_OPPOSITES = tuple(
    tuple(pair.split("/"))
    for pair in (
        "hyper/hypo inter/intra pre/post over/under macro/micro ante/anti in/ex up/down out/in"
        " mono/di di/tri bi/tri homo/hetero endo/exo pro/anti sub/super milli/micro im/em il/al"
        " meth/eth pro/pre ab/ad per/peri"
    ).split()
)


@cache
def _word_list() -> bytes:
    packed = (
        resources.files("citeguard.language").joinpath("data/english_words.txt.gz").read_bytes()
    )
    return b"\n" + gzip.decompress(packed)


@cache
def is_english_word(word: str) -> bool:
    """Return whether a word of lower-case letters is in the English list."""
    # Bisection in one string: a set of the words would take ten times the memory for few look-ups.
    words, sought = _word_list(), word.encode("utf-8", "replace")
    low, high = 0, len(words)
    while low < high:
        start = words.rfind(b"\n", 0, (low + high) // 2 + 1) + 1
        end = words.find(b"\n", start)
        found = words[start:end]
        if found == sought:
            return bool(word)
        low, high = (end + 1, high) if found < sought else (low, start - 1)
    return False


def is_slip(quoted: str, source: str, *, quoted_known: bool, source_known: bool) -> bool:
    """Return whether one of two different spellings is a slip for the other.

    Args:
        quoted: the quote's spelling, lower case.
        source: the source's spelling, lower case.
        quoted_known: whether the first is a word.
        source_known: whether the second is a word.

    Examples:
        >>> is_slip("recieve", "receive", quoted_known=False, source_known=True)
        True
        >>> is_slip("contract", "contact", quoted_known=True, source_known=True)
        False
    """
    if (quoted_known and source_known) or not (quoted.isalpha() and source.isalpha()):
        return False
    if min(len(quoted), len(source)) < _SHORTEST or not _are_near(quoted, source):
        # "teh", "adn"
        swapped = sorted(quoted) == sorted(source) and quoted in english("function_words")
        return swapped and not source_known
    if _changes_affix(quoted, source) or _changes_ending(quoted, source):
        return False
    if _inserts_before_ending(quoted, source):
        return False
    return quoted_known or source_known  # of two unknown words, each may be a name or a substance


# Where a printed word may lack two letters: "primites", "documention". Elsewhere what lacks two is
# often another term: of 538 unlisted words of abstracts "synthase", "intergenic", "mutator".
_WORN = tuple("ation ations ative atives itive itives ating ated ements ement ability".split())
_DOUBLED = re.compile(r"(.)\1")


def _are_near(quoted: str, source: str) -> bool:
    """Return whether one spelling is one edit from the other, or a usual slip of two letters."""
    if OSA.distance(quoted, source, score_cutoff=1) <= 1:
        return True
    if _DOUBLED.sub(r"\1", quoted) == _DOUBLED.sub(r"\1", source):
        return True
    pairs = zip(quoted, source, strict=False)
    start = next((i for i, (one, other) in enumerate(pairs) if one != other), len(source))
    lost, rest = quoted[start : start + 2], quoted[start + 2 :]
    return (
        bool(lost)
        and source[start:] == rest
        and quoted.endswith(_WORN)
        and len(rest) < len(_WORN[0])
    )


def _is_keying_slip(quoted: str, source: str) -> bool:
    """Return whether two unknown words differ only by a doubled letter or the order of letters."""
    # Technical terms that differ otherwise are often two terms.
    if sorted(quoted) == sorted(source):
        return True
    longer, shorter = sorted((quoted, source), key=len, reverse=True)
    return any(
        longer[i] == longer[i - 1] and longer[:i] + longer[i + 1 :] == shorter
        for i in range(1, len(longer))
    )


def _changes_ending(quoted: str, source: str) -> bool:
    """Return whether two words differ by their endings: "ethanol", "ethanal"."""
    return len(quoted) == len(source) and any(
        quoted[-width:] != source[-width:]
        and {quoted[-width:], source[-width:]} <= _ENDINGS
        and quoted[:-width] == source[:-width]
        for width in (2, 3)
    )


def _inserts_before_ending(quoted: str, source: str) -> bool:
    """Return whether one word is the other with a letter before its ending: "malate", "maleate".

    A doubled letter is a slip, and so is a lost "i": "assocate".
    """
    shorter, longer = sorted((quoted, source), key=len)
    return len(shorter) > _SHORTEST and any(
        longer[:-width] == shorter[:-width] + longer[-width - 1]
        and longer.endswith(shorter[-width:])
        and longer[-width - 1] not in ("i", shorter[-width - 1])
        and shorter[-width:] in _ENDINGS
        for width in (3, 4)
    )


def _changes_affix(quoted: str, source: str) -> bool:
    longer, shorter = sorted((quoted, source), key=len, reverse=True)
    if longer.startswith(shorter) and longer[len(shorter) :] in _INFLECTIONS:
        return True
    if longer.endswith(shorter) and longer[: -len(shorter)] in union("prefixes"):
        return True
    return any(
        a.startswith(one) and b.startswith(other) and a.removeprefix(one) == b.removeprefix(other)
        for one, other in _OPPOSITES
        for a, b in ((quoted, source), (source, quoted))
    )


# Other languages

SHORTEST_FOREIGN = 5  # letters
_SEQUENCE = 4  # letters; of five, rare forms have many that no frequent word has
_PROBES = 3  # bits for each item of a Bloom filter
_ENDING = 2  # letters that inflection changes
_SHORTEST_UNLISTED, _SHORTEST_LACKING = 7, 9  # letters
_AGGLUTINATIVE = ("fi", "hu", "tr")  # where one letter is often an ending within a word
_GLYPHS = frozenset(map(frozenset, "un ec bh li lt ft ип нп ин цп шщ".split()))


# One form for letters that lists and texts have in two.
_SPELLED_OUT = str.maketrans({"ß": "ss", "œ": "oe", "æ": "ae", "ș": "ş", "ț": "ţ"})


@cache
def _data(name: str) -> bytes:
    path = Path(__file__).with_name("data") / "spelling" / name
    return path.read_bytes() if path.exists() else b""


def places(item: str, width: int) -> Iterator[int]:
    """Yield the bits that show an item in a Bloom filter of so many bytes."""
    digest = blake2b(item.encode(), digest_size=4 * _PROBES).digest()
    for i in range(0, len(digest), 4):
        yield int.from_bytes(digest[i : i + 4], "big") % (8 * width)


def _has(packed: bytes, item: str) -> bool:
    return all(packed[place >> 3] >> (place & 7) & 1 for place in places(item, len(packed)))


def sequences(word: str) -> set[str]:
    """Return the sequences of letters of a word, its borders included."""
    bounded = f"^{word.translate(_SPELLED_OUT)}$"
    return {bounded[i : i + _SEQUENCE] for i in range(len(bounded) - _SEQUENCE + 1)}


def listed_form(word: str) -> str:
    """Return the form in which the frequent words of a language are listed."""
    return word.translate(_SPELLED_OUT)


def _is_listed(word: str, language: str) -> bool:
    packed = _data(f"{language}.words")
    return bool(packed) and _has(packed, listed_form(word))


def is_garbled(
    word: str, intended: str, language: str, *, intended_known: bool | None = None
) -> bool:
    """Return whether a word is no word of a language but a slip for another.

    A slip is one transposition, doubling, misread glyph or, with more evidence, any other letter
    but the first; also all diacritics that a word has.

    Args:
        word: in lower case.
        intended: the other, in lower case.
        language: a code; of a language without a list nothing is a slip.
        intended_known: whether the other is a word for sure, so that the first not being listed
            counts against it; `None` asks the list of frequent words.

    Examples:
        >>> is_garbled("wochc", "woche", "de"), is_garbled("trauben", "tauben", "de")
        (True, False)
        >>> is_garbled("neccessario", "necessario", "it")
        True
    """
    if not (_data(f"{language}.sequences") or _data(f"{language}.words")):
        return False
    if min(len(word), len(intended)) < SHORTEST_FOREIGN:
        return False
    is_bare = word == without_marks(intended)
    if not is_bare and OSA.distance(word, intended, score_cutoff=1) > 1:
        return False
    if is_english_word(word) and is_english_word(intended):
        return False
    least = _least_evidence(word, intended, language)
    if least is None:
        return False
    if intended_known is None:
        intended_known = _is_listed(intended, language)
    if intended_known and _data(f"{language}.words") and not _is_listed(word, language):
        # Short words, beginnings and endings have too many neighbours for a list to have them all.
        is_long = min(len(word), len(intended)) >= _SHORTEST_UNLISTED
        if is_long and word[:2] == intended[:2] and not _is_misread_glyph(word, intended):
            least -= 1 + _lacks_letter(word, intended, language)
    if least < 1:
        return word.isalpha() and intended.isalpha() and not _changes_affix(word, intended)
    return _looks_impossible(word, intended, language, least=least)


def _looks_impossible(word: str, other: str, language: str, *, least: int) -> bool:
    """Return whether a word has sequences that no word of a language has, and another has none.

    Only those in which they differ count, of which `least` must be unknown.
    """
    packed = _data(f"{language}.sequences")
    is_of_other_script = word.isascii() and not any(map(str.isascii, other))
    if is_of_other_script or not (packed and word.isalpha() and other.isalpha()):
        return False
    own, others = sequences(word), sequences(other)
    unknown = sum(not _has(packed, part) for part in own - others)
    return unknown >= least and all(_has(packed, part) for part in others - own)


def _least_evidence(word: str, intended: str, language: str) -> int | None:
    """Return how many unknown sequences show a slip, `None` if none do."""
    # Letters in another order: one sequence that no word has is enough.
    if sorted(word) == sorted(intended):
        return 1
    width = max(len(word), len(intended))
    start = next((i for i in range(width) if word[i : i + 1] != intended[i : i + 1]), width)
    at_end, is_sparse = width - start <= _ENDING, load_lexicon(language).sparse
    if not (at_end and is_sparse):
        if _is_misread_glyph(word, intended) or _is_keying_slip(word, intended):
            return 1 if start else None
        if not at_end and without_marks(word) == without_marks(intended):
            return 1
    return None if not start or is_sparse else 2


def _lacks_letter(word: str, intended: str, language: str) -> bool:
    """Return whether a long word lacks a letter that is not of its ending.

    Of 49 unlisted words of programs' messages in fourteen languages that do, seven are other words.
    """
    kept = len(word) - _ENDING - 1
    is_long = _SHORTEST_LACKING <= len(intended) == len(word) + 1
    return is_long and word[kept:] == intended[kept + 1 :] and language not in _AGGLUTINATIVE


def _is_misread_glyph(word: str, intended: str) -> bool:
    """Return whether two words of one length differ first in glyphs that are often confused."""
    pairs = zip(word, intended, strict=False)
    first = next((frozenset(pair) for pair in pairs if pair[0] != pair[1]), frozenset[str]())
    return len(word) == len(intended) and first in _GLYPHS


_UNDECOMPOSED = str.maketrans({"ł": "l", "ı": "i", "đ": "d", "ø": "o", "ð": "d", "ß": "ss"})
_MARKS = re.compile("[\u0300-\u036f]")


def without_marks(word: str) -> str:
    """Return a word of Latin or Greek letters without its diacritics."""
    return _MARKS.sub("", unicodedata.normalize("NFD", word).translate(_UNDECOMPOSED))
