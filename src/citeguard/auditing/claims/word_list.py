"""Words by class, and the word list that knows the part of speech of each."""

from __future__ import annotations

import sys
import warnings
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from threading import Lock
from types import ModuleType
from typing import Any

from citeguard.text.reading.tables import irregular_forms

FINITE = frozenset(("VBD", "VBZ", "VBP", "MD"))
NOUNS = frozenset(("NN", "NNS", "NNP", "NNPS", "QUOTE"))
SUBJECT_PRONOUNS = frozenset("i you he she it we they".split())
BE = frozenset("is are was were be been being am 's 're 'm".split())
HAVE = frozenset("has have had having 've".split())
DO = frozenset("do does did".split())
DETERMINERS = frozenset(
    "a an the this these those every each some any no his her its their my our your another all"
    " both several many few such most more".split()
)
# Verbs that the list has not, or has as nouns alone.
_UNLISTED = frozenset("sauté saute preheat reboot upload download".split())
_lock = Lock()


@cache
def _loaded() -> Any:
    parser: Any = _english().parser
    # Its tables are read from files that it leaves to be closed when nobody holds them.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        parser.find_tags(["Anna", "walks", "unheardofly"])
    return parser


def _english() -> Any:
    """Return the module `textblob.en`, without what its package loads besides.

    That is all of nltk, and with it scipy and scikit-learn where they are installed: a second, for
    nothing that is used here. So the module is imported from an empty package of that name.
    """
    if "textblob" not in sys.modules and (found := find_spec("textblob")) is not None:
        package = ModuleType("textblob")
        package.__path__ = found.submodule_search_locations or []
        sys.modules["textblob"] = package
        try:
            return import_module("textblob.en")
        finally:
            for name in [each for each in sys.modules if each.split(".")[0] == "textblob"]:
                del sys.modules[name]  # whoever imports it next gets all of it
    return import_module("textblob.en")


def tagger() -> Any:
    """Return the tagger, loaded at its first use."""
    with _lock:  # its word list is read at the first use, which must not happen twice at once
        return _loaded()


@cache
def can_be_verb(word: str) -> bool:
    """Tell whether a word, in small letters and its plain form, is a verb, too.

    Examples:
        >>> can_be_verb("work"), can_be_verb("mayor")
        (True, False)
    """
    known: Any = tagger().lexicon
    stem = word[:-1] if word.endswith("e") else word
    doubled = word + word[-1:]
    forms = (stem + "ed", stem + "ing", doubled + "ed", doubled + "ing", word)
    tags = [str(known.get(form, "")) for form in forms]
    if word.endswith("y"):
        tags.append(str(known.get(word[:-1] + "ied", "")))
    return (
        word in _UNLISTED
        or word in _plain_irregulars()
        or any(tag.startswith("VB") for tag in tags)
    )


@cache
def _plain_irregulars() -> frozenset[str]:
    return frozenset(irregular_forms().values())


def plain_forms(word: str) -> tuple[str, ...]:
    """Return what a word in "s" may be the third person of.

    Examples:
        >>> plain_forms("carries")
        ('carry', 'carrie', 'carri')
    """
    if word.endswith("ies"):
        return word[:-3] + "y", word[:-1], word[:-2]
    if word.endswith("es"):
        return word[:-1], word[:-2]
    return (word[:-1],) if word.endswith("s") and not word.endswith("ss") else ()


def is_third_person(word: str) -> bool:
    """Tell whether a word in "s", in small letters, may be a verb."""
    return any(can_be_verb(plain) for plain in plain_forms(word))
