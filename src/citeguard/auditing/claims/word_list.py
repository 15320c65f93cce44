"""Words by class, names and people among them, and the list that knows parts of speech."""

from __future__ import annotations

import warnings
from functools import cache
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from threading import Lock
from typing import Any

from citeguard.errors import CiteguardError
from citeguard.facts.tables import irregular_forms

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
# The most frequent given names of people in news and books, where they are of one gender.
HE = frozenset(
    "james john robert michael william david richard joseph thomas charles christopher daniel"
    " matthew anthony mark donald steven paul andrew joshua kenneth kevin brian george timothy"
    " ronald edward jason jeffrey ryan jacob gary nicholas eric jonathan stephen larry justin scott"
    " brandon benjamin samuel gregory alexander frank patrick raymond jack dennis jerry tyler aaron"
    " jose adam nathan henry douglas zachary peter kyle noah ethan jeremy walter christian keith"
    " roger terry austin sean gerald carl harold dylan arthur lawrence jordan jesse bryan billy"
    " bruce gabriel joe logan alan juan albert willie elijah wayne randy vincent mason roy ralph"
    " bobby russell bradley philip eugene carlos ivan hans karl pierre jean luis pedro antonio"
    " mohammed muhammad ahmed ali omar vladimir boris dmitri barack tom tim jim bob bill ben dan"
    " mike steve dave ted fred max leo oliver harry simon martin stuart ian graham hugh isaac"
    " abraham napoleon winston elon jeff".split()
)
SHE = frozenset(
    "mary patricia jennifer linda elizabeth barbara susan jessica sarah karen lisa nancy betty"
    " sandra margaret ashley kimberly emily donna michelle carol amanda melissa deborah stephanie"
    " rebecca sharon laura cynthia dorothy amy kathleen angela shirley emma brenda pamela nicole"
    " anna samantha katherine christine helen debra rachel carolyn janet maria catherine heather"
    " diane olivia julie joyce victoria ruth virginia lauren kelly christina joan evelyn judith"
    " andrea hannah megan cheryl jacqueline martha madison teresa gloria sara janice ann kathryn"
    " abigail sophia frances jean alice judy isabella julia grace amber denise danielle marilyn"
    " beverly charlotte natalie theresa diana brittany doris kayla alexis lori marie hillary"
    " kate jane lucy ella mia zoe clara eva marta elena sofia ingrid greta marie serena venus oprah"
    " beyonce madonna taylor angelina".split()
) - frozenset(("jean",))
PERSONS = frozenset(
    "man woman boy girl mother father son daughter wife husband brother sister friend teacher"
    " officer doctor president minister king queen actor actress author singer writer player coach"
    " captain director manager founder deputy judge lawyer driver pilot student professor leader"
    " owner neighbor neighbour bishop pope senator mayor governor victim suspect person people men"
    " women children child parents patients students officials residents members workers"
    " individuals police couple".split()
)
PAST_ONLY = frozenset(
    "went took gave wrote became began came saw knew did ate drove rose chose broke spoke fell flew"
    " grew ran sang swam threw wore drew stole shook swore woke froze hid rode blew underwent"
    " overcame was were had arose forgot got shrank sank".split()
)
# Verbs that the list has not, or has as nouns alone.
_UNLISTED = frozenset("sauté saute preheat reboot upload download".split())
_TABLES = ("lexicon", "morphology", "context", "entities")
_UNKNOWN = ("NN", "NNP", "CD")  # tags of words that no table has: others, names, numbers
_lock = Lock()


@cache
def _loaded() -> Any:
    folder = _folder()
    text = _module(folder / "_text.py")
    tables = {name: str(folder / "en" / f"en-{name}.txt") for name in _TABLES}
    lexicon = text.Lexicon(path=tables.pop("lexicon"), language="en", **tables)
    parser = text.Parser(lexicon=lexicon, default=_UNKNOWN, language="en")
    # The tables are read from files that it leaves to be closed when nobody holds them.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        parser.find_tags(["Anna", "walks", "unheardofly"])
    return parser


def _folder() -> Path:
    found = find_spec("textblob")
    if found is None or not found.submodule_search_locations:
        raise CiteguardError("claims need the package textblob: pip install textblob")
    return Path(found.submodule_search_locations[0])


def _module(path: Path) -> Any:
    """Return the module of textblob's tagger, by itself.

    The package loads all of nltk, and with it scipy and scikit-learn where they are installed: a
    second, for nothing that is used here.
    """
    spec = spec_from_file_location("citeguard_textblob", path)
    if spec is None or spec.loader is None:
        raise CiteguardError(f"the tagger of textblob cannot be loaded: {path}")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def tagger() -> Any:
    """Return the tagger, loaded at its first use."""
    with _lock:  # its word list is read at the first use, which must not happen twice at once
        return _loaded()


def is_listed_verb(word: str) -> bool:
    """Tell whether the list has a word, in small letters, as a verb and not as a noun."""
    return str(tagger().lexicon.get(word, "")).startswith("VB")


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
