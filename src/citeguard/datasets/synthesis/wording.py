"""Kinds of other words: `negation` and `quantifier`, and the forms of English verbs and nouns."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib import resources
from random import Random

from citeguard.datasets.synthesis.passages import Edit, Material, Passage, Rewrite
from citeguard.facts import tables
from citeguard.language import grammar
from citeguard.language.lexicon import load_lexicon

# Forms of words

_VOWELS = "aeiou"
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
def _irregular() -> dict[str, grammar.Verb]:
    return {verb.plain: verb for verb in grammar.irregular_verbs()}


def past(verb: str) -> str:
    """Return the past tense of a verb in its plain form.

    Examples:
        >>> [past(verb) for verb in ("win", "stop", "carry", "create", "play")]
        ['won', 'stopped', 'carried', 'created', 'played']
    """
    if verb in ("have", "do"):
        return "had" if verb == "have" else "did"
    if verb in _irregular():
        return _irregular()[verb].past
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
    pasts = {past(verb): (verb, "did") for verb in verbs() if past(verb) != verb}
    return {third_person(verb): (verb, "does") for verb in verbs()} | pasts


@cache
def _participles() -> frozenset[str]:
    return frozenset(verb.participle for verb in _irregular().values()) | {"been"}


def is_plural(word: str) -> bool:
    """Return whether a noun is probably a plural.

    Examples:
        >>> is_plural("weeks"), is_plural("glass"), is_plural("people")
        (True, False, True)
    """
    irregular = word in ("people", "men", "women", "children", "percent")
    return irregular or (word.endswith("s") and not word.endswith(("ss", "us", "is", "ics")))


# Negation

_BE = frozenset("is are was were".split())
_HAVE = {"has": "does", "have": "do", "had": "did"}
_MODALS = frozenset("can will would could".split())  # nobody is told not to do what is good
_DENIABLE = grammar.AUXILIARIES - {"may", "might"}  # "It may rain" and "it may not" are both true
_DENIALS = frozenset("unable unlikely despite although though therefore".split())
# "Some are" and "some are not" can both be true, and "all are not" may mean either.
_VAGUE = frozenset(
    "some many most few several any all every each may might if unless whether only both either"
    " perhaps possibly often sometimes usually generally because just after before while when once"
    " since until".split()
)
_NOT_BESIDE = _VAGUE | frozenset(
    "and or but who so than as what how why where that's who's there here by in at to even too much"
    " more less better rarely hardly nothing none already still yet ever always mainly mostly"
    " largely partly probably likely typically commonly almost nearly about is are was were".split()
)
_SUBJECTS = frozenset("he she it they who which that we i".split())
_DETERMINERS = frozenset(
    "the a an his her its their our this that these those two three four five six seven eight"
    " nine ten several one him them it".split()
)
_LONGEST_SUBJECT = 4  # words
_POLAR = re.compile(
    r"\b(?:but|instead|rather|any|anything|anyone|ever|either|nor|anymore|too|until)\b"
)
# Clauses that leave open or aim at what they say: "unclear why he was not".
_OPEN = frozenset("why whether if unless until sure ensure ensures so that".split())
# What a denied sentence would not go on to tell: "It was not repaired, with new doors and lamps."
_DETAIL = re.compile(r"[,;:(—–\"“”]|--|``|\b(?:and|but|with|which|such|to show)\b")
_LEAST_DENIED, _MOST_DENIED = 2, 14  # words after a "not" that is added
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
_LINKING = frozenset("is are was were be been being become became remained remains".split())
_DENYING = frozenset(("not", "no", "never", "if", "whether", "but"))


def find_negations(passage: Passage, material: Material, random: Random) -> Iterator[Rewrite]:
    """Yield ways to remove a denial, or to add one where there is none, and opposites."""
    if passage.text.rstrip().endswith("?"):
        return
    for i, word in enumerate(passage.words):
        if edit := _removal(passage, i):
            yield Rewrite("denial removed", (edit,), preference=2)
        if (edit := _addition(passage, i)) and _is_plain(passage, i):
            yield Rewrite("denial added", (edit,), preference=1)
        linked = passage.key_at(i - 1) in _LINKING or passage.key_at(i + 1) == "to"
        if linked and word.key in _OPPOSITES and passage.keys.isdisjoint(_DENYING):
            yield Rewrite("opposite", (passage.edit(i, i, _OPPOSITES[word.key]),))


def _removal(passage: Passage, i: int) -> Edit | None:
    key, before, after = (passage.key_at(k) for k in (i, i - 1, i + 1))
    if key not in _REMOVED or _POLAR.search(passage.text, passage.words[i].end):
        return None
    if any(passage.key_at(k) in _OPEN for k in range(passage.clause_start(i), i)):
        return None
    if key in _DO or before in _DO.values():
        return _undone(passage, i if key in _DO else i - 1, i)
    if key in _CONTRACTED:
        return passage.edit(i, i, _CONTRACTED[key])
    if (key == "not" and before in _DENIABLE) or (key == "no" and after == "evidence" and i):
        return passage.removal(i)
    if key == "no" and after == "longer":
        return passage.edit(i, i + 1, "still")
    return passage.edit(i, i, "with") if key == "without" and after[-3:] != "ing" else None


def _undone(passage: Passage, first: int, last: int) -> Edit | None:
    """Return the edit that makes "won" from "did not win"."""
    do, verb = passage.key_at(first).removesuffix("n't"), passage.key_at(last + 1)
    is_order = do == "do" and passage.clause_start(first) == first  # "Do not use"
    if is_order or verb not in verbs() | {"have", "do"}:
        return None
    form = {"do": verb, "does": third_person(verb), "did": past(verb)}[do]
    return passage.edit(first, last + 1, form)


def _is_plain(passage: Passage, i: int) -> bool:
    """Return whether a verb is that of a short, simple sentence, of which a denial is believed."""
    sentence = passage.sentence(i)
    clause = {passage.key_at(k) for k in range(passage.clause_start(i), i)}
    denials = load_lexicon("en").negators | _DENIALS | _DENIABLE
    others = {passage.key_at(k) for k in sentence if k != i} & denials
    rest = passage.text[passage.words[i].end : passage.words[sentence[-1]].end]
    is_short = _LEAST_DENIED <= sentence[-1] - i <= _MOST_DENIED
    return is_short and not (clause & _VAGUE or others or _DETAIL.search(rest))


def _addition(passage: Passage, i: int) -> Edit | None:
    if not 0 < i < len(passage.words) - 1 or passage.words[i + 1].gap:
        return None
    if passage.key_at(i - 1) in _NOT_BESIDE:
        return None
    key, after, written = passage.key_at(i), passage.key_at(i + 1), passage.words[i].text
    if after in ("also", "still", "now") and key in _BE:
        return passage.edit(i + 1, i + 1, "not" if after == "also" else "no longer")
    if key in _BE and after not in _NOT_BESIDE and not after.startswith("un"):
        return passage.edit(i, i, f"{written} not")
    if key in _MODALS and after in verbs() | {"be", "have", "do"}:
        return passage.edit(i, i, "cannot" if key == "can" else f"{written} not")
    if key in _HAVE and (after.endswith("ed") or after in _participles()):
        return passage.edit(i, i, f"{written} not")
    if after not in _DETERMINERS:
        return None
    if key in _HAVE:
        return passage.edit(i, i, f"{_HAVE[key]} not have")
    if key in finite_forms() and _has_subject(passage, i):
        plain, do = finite_forms()[key]
        return passage.edit(i, i, f"{do} not {plain}")
    return None


def _has_subject(passage: Passage, i: int) -> bool:
    """Return whether a verb follows a pronoun, or a short phrase that begins its sentence."""
    if passage.key_at(i - 1) in _SUBJECTS:
        return True
    start = passage.clause_start(i)
    words = passage.words[start:i]
    is_phrase = len(words) > 1 and words[0].key in grammar.NOUN_MARKERS
    is_name = bool(words) and all(word.text[0].isupper() for word in words)
    begins = passage.sentence(i).start == start
    return begins and len(words) <= _LONGEST_SUBJECT and (is_phrase or is_name)


# Quantifiers

_NUMBER = (
    r"(?=\s+(?:[$€£]\s?)?(?:\d|two|three|four|five|six|seven|eight|nine|ten|twenty|half|one)\b)"
)
_PLURAL = (
    r"(?!\s+(?:those|these|the|his|her|its|their|our|my|your|of|such)\b)"
    r"(?!\s+(?:years|decades|centuries|days|times|months|weeks|hours|minutes|others|cases)\b)"
    r"(?=\s+(?:[a-z-]+\s+)?[a-z]{3,}(?<!s)s\b)"
)
_NO_ARTICLE = r"(?<!\bthe )(?<!\ba )(?<!\ban )(?<!\bits )(?<!\bhis )(?<!\bher )(?<!\btheir )"
_FREE = _NO_ARTICLE + r"(?<!\bso )(?<!\bas )(?<!\bhow )(?<!\bof )(?<!\bat )(?<!\bin )"
_ADJECTIVE = r"(?=\s+[a-z]+(?:[ae]nt|ful|ive|ous|[ai]ble|ial|ar|ult|ed|ely|ently|mon|lex)\b)"
_OF = r"(?= of (?:the|these|those|its|their|his)\b)"
_COMPARED = r"(?= than\b| rates?\b| levels?\b| prices?\b| temperatures?\b)"
_MEASURED = r"(?= (?:of|age|wage|level|number|amount)\b)"
# What is not true because the other is; "some" for "all" would be true, so it is not here.
_RULES = (
    ("bound", rf"(?:at least|(?<!\bno )more than|(?<=[a-z] )over){_NUMBER}", "at most|less than"),
    ("bound", rf"(?:at most|up to|no more than|fewer than|less than){_NUMBER}",
     "at least|more than"),
    ("bound", rf"(?<!\ba )(?<!\bthe )(?:nearly|almost){_NUMBER}", "well over"),
    ("quantifier", f"(?:many|most|all){_OF}", "few"),
    ("quantifier", f"{_FREE}(?:many|several|most|all){_PLURAL}", "few"),
    ("quantifier", f"{_FREE}some{_PLURAL}", "all|most"),
    ("quantifier", f"{_NO_ARTICLE}(?:a |very )?few{_PLURAL}", "many"),
    ("share", r"(?:the|a) (?:vast |large |great )?majority(?= of\b)", "a small minority"),
    ("frequency",
     r"(?<!\bmore )(?<!\bmost )(?<!\bless )(?<!\bnot )"
     "(?:often|frequently|usually|generally|typically|commonly|normally|always)(?= [a-z])",
     "rarely"),
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
)  # fmt: skip


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
_BEFORE = ("not", "n't", "no", "than", "the more", "and", "too", "quite", "or", "only", "'s", "’s",
           "(")  # fmt: skip
_SUBJECT_AFTER = re.compile(r"(?:^|[.,;:–—]| that| are| were)\Z")


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
    """Return whether other words would not fit: "not few", "the lowest and the highest"."""
    before = text[: match.start()].rstrip()
    inverted = variant == "frequency" and match[0][0].isupper()  # "Often it is", "Rarely is it"
    repeated = text.count(match[0]) > 1 or words in text.lower().split()
    paired = before.lower().endswith(_BEFORE) or _PAIRED.match(text, match.end())
    if inverted or repeated or paired:
        return True
    if words == "few" and _MORE.search(text):
        return True
    # As an object or after a preposition, other words than these would be used.
    return variant == "quantifier" and not _SUBJECT_AFTER.search(before) and words != "many"
