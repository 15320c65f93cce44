"""Kinds of other words: `negation` and `quantifier`, and the forms of English verbs and nouns."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib import resources
from random import Random

from citeguard.datasets.synthesis.passages import Edit, Material, Passage, Rewrite
from citeguard.facts import tables
from citeguard.language.lexicon import ENGLISH
from citeguard.language.spelling import is_english_word

# Forms of words

_VOWELS = "aeiou"
_SAME_IN_PAST = frozenset("cut put set let hit hurt cost shut spread quit split".split())
_DOUBLED = frozenset(
    "admit ban beg chop commit compel control drop equip fit grab grip hop occur omit permit plan"
    " prefer refer regret rob scan ship slip snap stop strip submit trap transfer wrap".split()
)


def data_lines(name: str) -> list[str]:
    """Return the lines of a table under `data/` without its comments."""
    path = resources.files("citeguard.datasets.synthesis").joinpath(f"data/{name}.txt")
    return [row for row in path.read_text("utf-8").splitlines() if row and row[0] != "#"]


@cache
def verbs() -> frozenset[str]:
    """Return the plain forms of common verbs."""
    return frozenset(word for line in data_lines("verbs") for word in line.split())


@cache
def _irregular() -> dict[str, list[str]]:
    return {row[0]: row[1:] for row in map(str.split, tables.lines("irregular"))}


def past(verb: str) -> str:
    """Return the past tense of a verb in its plain form.

    Examples:
        >>> [past(verb) for verb in ("win", "stop", "carry", "create", "play")]
        ['won', 'stopped', 'carried', 'created', 'played']
    """
    if verb in ("have", "do"):
        return "had" if verb == "have" else "did"
    if verb in _SAME_IN_PAST:
        return verb
    if verb in _irregular():
        return _irregular()[verb][0]
    if verb.endswith("e"):
        return f"{verb}d"
    if verb.endswith("y") and verb[-2:-1] not in _VOWELS:
        return f"{verb[:-1]}ied"
    return f"{verb}{verb[-1]}ed" if verb in _DOUBLED else f"{verb}ed"


def third_person(verb: str) -> str:
    """Return the form of a verb after "she".

    Examples:
        >>> [third_person(verb) for verb in ("win", "carry", "reach", "have", "do")]
        ['wins', 'carries', 'reaches', 'has', 'does']
    """
    if verb in ("have", "do"):
        return "has" if verb == "have" else "does"
    if verb.endswith("y") and verb[-2:-1] not in _VOWELS:
        return f"{verb[:-1]}ies"
    return f"{verb}es" if verb.endswith(("s", "x", "z", "ch", "sh", "o")) else f"{verb}s"


@cache
def finite_forms() -> dict[str, tuple[str, str]]:
    """Return, by past tense and third person, (the plain form, the form of "do" to deny it)."""
    pasts = {past(verb): (verb, "did") for verb in verbs() - _SAME_IN_PAST}
    return {third_person(verb): (verb, "does") for verb in verbs()} | pasts


@cache
def _participles() -> frozenset[str]:
    return frozenset(forms[-1] for forms in _irregular().values()) | _SAME_IN_PAST | {"been"}


def is_plural(word: str) -> bool:
    """Return whether a noun is probably a plural.

    Examples:
        >>> is_plural("weeks"), is_plural("glass"), is_plural("people")
        (True, False, True)
    """
    if word in ("people", "men", "women", "children", "percent"):
        return True
    return len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is", "ics"))


# Negation

_BE = frozenset("is are was were".split())
_HAVE = {"has": "does", "have": "do", "had": "did"}
_MODALS = frozenset("can will should must would could".split())
_AUXILIARIES = _BE | _MODALS | _HAVE.keys()
_OBLIGING = frozenset(("should", "must"))  # nobody is told not to do what is good
_UNFIT = (ENGLISH.negators - {"refuse", "lack", "instead", "unlike"}) | frozenset(
    "unable unlikely despite although though therefore thus".split()
)
# "Some are" and "some are not" can both be true, and "all are not" may mean either.
_VAGUE = frozenset(
    "some many most few several any all every each may might if unless whether until only both"
    " either perhaps possibly often sometimes usually generally because just after before while"
    " when once since".split()
)
_NOT_BEFORE = frozenset(
    "not nor neither who so than as what how why if whether that's then there here only never who's"
    " and or but is was are were to".split()
)
_NOT_AFTER = frozenset(
    "not no never only just both either neither hardly still yet always often usually sometimes"
    " mainly mostly largely partly even to too much more less rarely all each nothing none better"
    " already ever probably likely generally typically commonly in by when where what how why"
    " because almost nearly about most at".split()
)
_POINTING = frozenset(("here", "below", "above", "by", "what", "how", "why", "where", "when"))
_SUBJECTS = frozenset("he she it they who which that we i".split())
_DETERMINERS = frozenset(
    "the a an his her its their our this that these those more two three four five six seven"
    " eight nine ten several one him them it".split()
)
_NOUN_PHRASE_STARTS = frozenset("the a an this his her its their these those".split())
_AFTER_NOT = frozenset(
    "only just necessarily all every yet until simply merely even because so too least always"
    " many much everyone everything entirely limited to".split()
)
_LONGEST_SUBJECT = 4  # words
_POLAR = re.compile(
    r"\b(?:but|instead|rather|any|anything|anyone|ever|either|nor|anymore|too|until)\b"
)
# Clauses that leave open or aim at what they say: "unclear why he was not".
_OPEN = frozenset("why whether if unless until sure ensure ensures so that".split())
# What a denied sentence would not go on to tell: "It was not repaired, with new doors and lamps."
_DETAIL = re.compile(
    r"[,;:(—–]|--|\b(?:and|but|while|who|which|as|with|by \w+ing|to show|such|only)\b"
)
_LEAST_DENIED, _MOST_DENIED = 2, 14  # words after a "not" that is added
_UNDENIED = re.compile(r"\bit (?:is|was|has been) \w+ that\b|[\"“”;:–—]|--|``", re.IGNORECASE)
_CONTRACTED = {
    **{f"{verb}n't": verb for verb in "is was are were could would should has have had".split()},
    "can't": "can",
    "won't": "will",
    "cannot": "can",
}
_DO = {"don't": "do", "doesn't": "does", "didn't": "did"}
_REMOVED = frozenset(("not", "no", "without", *_CONTRACTED, *_DO))
_BASES = "able likely successful known constitutional safe necessary popular stable".split()
_OPPOSITES = {
    **{base: f"un{base}" for base in _BASES},
    **{f"un{base}": base for base in _BASES},
    **{"possible": "impossible", "impossible": "possible", "legal": "illegal", "illegal": "legal"},
}
_BE_WORDS = frozenset("is are was were be been being became become remained remains not".split())
_DENYING = frozenset(("not", "no", "never", "if", "whether", "but"))


def find_negations(passage: Passage, material: Material, random: Random) -> Iterator[Rewrite]:
    """Yield ways to remove a denial, or to add one where there is none, and opposites."""
    if passage.text.rstrip().endswith("?"):
        return
    for i in range(len(passage.words)):
        if edits := _removal(passage, i):
            yield Rewrite("denial removed", edits, preference=2)
    if passage.keys.isdisjoint(_UNFIT):
        for i in range(1, len(passage.words) - 1):
            edit = _addition(passage, i)
            if edit is not None and _is_plain(passage, i):
                yield Rewrite("denial added", (edit,), preference=1)
    for i, word in enumerate(passage.words) if passage.keys.isdisjoint(_DENYING) else ():
        linked = passage.key_at(i - 1) in _BE_WORDS or passage.key_at(i + 1) == "to"
        if word.key in _OPPOSITES and linked:
            yield Rewrite("opposite", (passage.edit(i, i, _OPPOSITES[word.key]),))


def _removal(passage: Passage, i: int) -> tuple[Edit, ...]:
    key, before, after = (passage.key_at(k) for k in (i, i - 1, i + 1))
    if key not in _REMOVED or after in _AFTER_NOT:
        return ()
    clause = {passage.key_at(k) for k in range(passage.clause_start(i), i)}
    linked = {before, passage.key_at(i - 2)} & {"and", "or"}
    conceding = passage.keys & {"although", "though"}
    if linked or conceding or clause & _OPEN or _POLAR.search(passage.text, passage.words[i].end):
        return ()
    if key == "not" and before in _AUXILIARIES:
        return (passage.removal(i),)
    if key == "not" and before in _DO.values():
        return _undone(passage, i - 1, i, before)
    if key in _DO:
        return _undone(passage, i, i, _DO[key])
    if key in _CONTRACTED and i and passage.words[i - 1].kind == "word":
        return (passage.edit(i, i, _CONTRACTED[key]),)
    if key == "no" and after == "longer":
        return (passage.edit(i, i + 1, "still"),)
    if key == "no" and before in _BE | _HAVE.keys() and (is_plural(after) or after == "evidence"):
        return (passage.removal(i),)
    if key == "without" and not after.endswith("ing"):
        return (passage.edit(i, i, "with"),)
    return ()


def _undone(passage: Passage, first: int, last: int, do: str) -> tuple[Edit, ...]:
    """Return the edit that makes "won" from "did not win"."""
    verb = passage.key_at(last + 1)
    is_order = do == "do" and passage.clause_start(first) == first  # "Do not use"
    if is_order or verb not in verbs() | {"have", "do"}:
        return ()
    form = {"do": verb, "does": third_person(verb), "did": past(verb)}[do]
    return (passage.edit(first, last + 1, form),)


def _is_plain(passage: Passage, i: int) -> bool:
    """Return whether a verb is that of a short, simple sentence, of which a denial is believed."""
    clause = {passage.key_at(k) for k in range(passage.clause_start(i), i)}
    if not clause.isdisjoint(_VAGUE):
        return False
    sentence = passage.sentence(i)
    last = sentence[-1]
    rest = passage.text[passage.words[i].end : passage.words[last].end]
    whole = passage.text[passage.words[sentence.start].start : passage.words[last].end]
    others = {passage.key_at(k) for k in sentence if k != i} & _AUXILIARIES
    plain = not (others or _DETAIL.search(rest) or _UNDENIED.search(whole))
    return plain and _LEAST_DENIED <= last - i <= _MOST_DENIED


def _addition(passage: Passage, i: int) -> Edit | None:
    key, before, after = passage.key_at(i), passage.key_at(i - 1), passage.words[i + 1]
    if before in _NOT_BEFORE or passage.key_at(0) in _POINTING or after.gap:
        return None
    if key in _AUXILIARIES - _OBLIGING:
        return _denied_auxiliary(passage, i)
    if after.key in _DETERMINERS and key in finite_forms() and _has_subject(passage, i):
        plain, do = finite_forms()[key]
        return passage.edit(i, i, f"{do} not {plain}")
    return None


def _denied_auxiliary(passage: Passage, i: int) -> Edit | None:
    key, after = passage.key_at(i), passage.words[i + 1]
    if after.key in ("still", "now") and key in _BE:
        return passage.edit(i + 1, i + 1, "no longer")
    if after.key == "also" and key in _BE | _MODALS:
        return passage.edit(i + 1, i + 1, "not")
    denies = after.key.startswith("un") and is_english_word(after.key.removeprefix("un"))
    if after.key in _NOT_AFTER or denies or after.kind not in ("word", "number"):
        return None
    if key in _MODALS and after.key not in verbs() | {"be", "have", "do"}:
        return None
    written = passage.words[i].text
    if key in _HAVE and not (after.key.endswith("ed") or after.key in _participles()):
        return passage.edit(i, i, f"{_HAVE[key]} not have") if after.key in _DETERMINERS else None
    return passage.edit(i, i, "cannot" if key == "can" else f"{written} not")


def _has_subject(passage: Passage, i: int) -> bool:
    """Return whether a verb follows a pronoun, or a short phrase that begins its clause."""
    if passage.key_at(i - 1) in _SUBJECTS:
        return True
    start = passage.clause_start(i)
    words = passage.words[start:i]
    if not 0 < len(words) <= _LONGEST_SUBJECT or any(word.kind != "word" for word in words):
        return False
    if words[0].key in _NOUN_PHRASE_STARTS:
        return len(words) > 1 and ENGLISH.qualifiers.isdisjoint(word.key for word in words)
    return all(word.text[0].isupper() for word in words) and passage.is_start(start)


# Quantifiers

_NUMBER = (
    r"(?=\s+(?:[$€£]\s?)?(?:\d|two|three|four|five|six|seven|eight|nine|ten|twenty|half|one)\b)"
)
_NO_NOUN = r"(?!\s+(?:those|these|the|his|her|its|their|our|my|your|of|such)\b)"
_TIMES = r"(?!\s+(?:years|decades|centuries|days|times|months|weeks|hours|minutes|others|cases)\b)"
_PLURAL = _NO_NOUN + _TIMES + r"(?=\s+(?:[a-z-]+\s+)?[a-z]{3,}(?<!s)s\b)"
_NO_ARTICLE = r"(?<!\bthe )(?<!\ba )(?<!\ban )(?<!\bits )(?<!\bhis )(?<!\bher )(?<!\btheir )"
_ADJECTIVE = (
    r"(?=\s+(?:important|common|popular|efficient|effective|expensive|powerful|successful|likely"
    r"|famous|accurate|complex|severe|widely|frequently|frequent|recent|reliable|difficult|stable"
    r"|commonly|significant|influential|valuable|dangerous|productive|active|prominent|populous"
    r"|notable|diverse|advanced|sensitive|abundant|detailed|visited|often)\b)"
)
_OF = r"(?= of (?:the|these|those|its|their|his)\b)"
_COMPARED = r"(?= than\b| rates?\b| levels?\b| prices?\b| temperatures?\b)"
_MEASURED = r"(?= (?:of|age|wage|level|number|amount)\b)"
# What is not true because the other is; "some" for "all" would be true, so it is not here.
_RULES: list[tuple[str, str, str]] = [
    ("bound", rf"at least{_NUMBER}", "at most|no more than"),
    ("bound", rf"(?:at most|up to|no more than){_NUMBER}", "at least|more than"),
    ("bound", rf"(?<!\bno )more than{_NUMBER}", "less than"),
    ("bound", rf"(?:fewer|less) than{_NUMBER}", "more than"),
    ("bound", rf"(?<=[a-z] )over{_NUMBER}", "under"),
    ("bound", rf"(?<!\ba )(?<!\bthe )(?:nearly|almost){_NUMBER}", "well over"),
    ("quantifier", f"(?:many|most|all){_OF}", "few"),
    ("quantifier", rf"{_NO_ARTICLE}(?<!\bso )(?<!\bas )(?<!\bhow )many{_PLURAL}", "few"),
    ("quantifier", rf"{_NO_ARTICLE}(?<!\bof )some{_PLURAL}", "all|most"),
    ("quantifier", rf"{_NO_ARTICLE}(?<!\bof )(?<!\bat )(?<!\bin )(?:several|most|all){_PLURAL}",
     "few"),
    ("quantifier", f"a few{_PLURAL}", "many"),
    ("quantifier", f"{_NO_ARTICLE}(?:very )?few{_PLURAL}", "many|most"),
    ("share", "(?:the|a) (?:vast |large |great )?majority(?= of\\b)", "a small minority"),
    ("frequency",
     r"(?<!\bmore )(?<!\bmost )(?<!\bless )"
     "(?:often|frequently|usually|generally|typically|commonly|normally)(?= [a-z])", "rarely"),
    ("frequency", r"(?<!\bnot )always(?= [a-z])", "rarely|never"),
    ("frequency", "sometimes(?= [a-z])", "always|never"),
    ("frequency", r"(?<!\bor )(?:rarely|seldom)(?= [a-z])", "often|usually"),
    ("degree", f"more{_ADJECTIVE}", "less"),
    ("degree", f"less{_ADJECTIVE}", "more"),
    ("degree", rf"(?<=\bthe )most{_ADJECTIVE}", "least"),
    ("degree", f"minimum{_MEASURED}", "maximum"),
    ("degree", f"maximum{_MEASURED}", "minimum"),
    ("degree",
     r"(?:mainly|mostly|largely|primarily)(?= (?!known|because|in\b|as\b|for\b|to\b)[a-z])",
     "only partly"),
    ("degree", "(?<!least )partly(?= [a-z])", "entirely"),
]  # fmt: skip


@cache
def _rules() -> list[tuple[str, re.Pattern[str], list[str]]]:
    """Return (variant, pattern, other words), with the superlatives and comparatives of facts."""
    rules = list(_RULES)
    for line in tables.lines("opposites"):
        sides = [side.split() for side in line.split(" / ")]
        for side, other in (sides, sides[::-1]):
            for word in side:
                if len(word) > len("best") and word.endswith("est"):
                    rules.append(("degree", rf"(?<!\bas )(?<=[ -]){word}\b(?!-)", other[0]))
                elif word.endswith("er") or word == "worse":
                    rules.append(("degree", f"{word}{_COMPARED}", other[0]))
    return [
        (variant, re.compile(rf"\b{pattern}", re.IGNORECASE), others.split("|"))
        for variant, pattern, others in rules
    ]


# "A few of them also went" and "few lakes, such as Garda" show that there were more.
_MORE = re.compile(
    r"\b(?:also|indeed|even|other|different|various|including|such as|especially|particularly"
    r"|here are|these are)\b",
    re.IGNORECASE,
)
_REASON = re.compile(r"\b(?:because|so|therefore|since|although|though|resulting)\b|, as\b")
_PAIRED = re.compile(r" (?:not|no)\b| and (?:most\b|[a-z]+est\b)")
_PREPOSITIONS = (" in", " of", " by", " with", " for", " to", " from", " on")
_BEFORE = ("not", "n't", "no", "than", "the more", "and", "too", "quite", "or", "only", "'s", "’s")


def find_quantifiers(passage: Passage, material: Material, random: Random) -> Iterator[Rewrite]:
    """Yield, for each quantifier, bound or degree, another that does not follow from it."""
    if _REASON.search(passage.text):
        return
    for variant, pattern, others in _rules():
        for match in pattern.finditer(passage.text):
            words = random.choice(others)
            if not _is_idiom(passage.text, match, words, variant):
                fitting = words.capitalize() if match[0][0].isupper() else words
                yield Rewrite(variant, (Edit(match.start(), match.end(), fitting),))


def _is_idiom(text: str, match: re.Match[str], words: str, variant: str) -> bool:
    """Return whether other words would not fit: "not few", "the lowest and most esteemed"."""
    before, after = text[: match.start()].rstrip(), text[match.end() :]
    if variant == "frequency" and match[0][0].isupper():  # "Often it is", "Rarely is it"
        return True
    if before.endswith("(") or text.count(match[0]) > 1 or words in text.lower().split():
        return True
    if before.lower().endswith(_BEFORE) or _PAIRED.match(after):
        return True
    if words.startswith("few"):
        return _MORE.search(text) is not None or not _is_subject(before, match[0])
    return match[0].lower() == "some" and not _is_subject(before, match[0])


def _is_subject(before: str, words: str) -> bool:
    """Return whether words begin a clause; "many" only must not follow a preposition."""
    begins = not before or before[-1] in ".,;:–—" or before.endswith((" that", " are", " were"))
    return begins or (words.lower() == "many" and not before.endswith(_PREPOSITIONS))
