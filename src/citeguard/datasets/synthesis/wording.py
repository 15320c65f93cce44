"""Kinds of other words: `negation` and `quantifier`, and the forms of English verbs."""

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
from citeguard.language.variants import expand_contraction

# Forms of words

_DOUBLED = frozenset("admit commit control drop prefer refer stop submit transfer".split())


def data_lines(name: str) -> list[str]:
    """Return the lines of a table under `data/` without its comments."""
    path = resources.files("citeguard.datasets.synthesis").joinpath(f"data/{name}.txt")
    return [row for row in path.read_text("utf-8").splitlines() if row and row[0] != "#"]


@cache
def inflected() -> dict[str, dict[str, str]]:
    """Return, for common verbs, what "do", "does" and "did" with them amount to.

    Examples:
        >>> [inflected()[verb]["did"] for verb in ("win", "drop", "carry", "create", "play")]
        ['won', 'dropped', 'carried', 'created', 'played']
        >>> [inflected()[verb]["does"] for verb in ("win", "carry", "reach", "have")]
        ['wins', 'carries', 'reaches', 'has']
    """
    pasts = {verb.plain: verb.past for verb in grammar.irregular_verbs()}
    found: dict[str, dict[str, str]] = {}
    for verb in (word for line in data_lines("verbs") for word in line.split()):
        stem = f"{verb[:-1]}i" if verb[-1] == "y" and verb[-2] not in "aeiou" else verb
        hissed = stem != verb or verb.endswith(("s", "x", "z", "ch", "sh", "o"))
        doubled = verb[-1] if verb in _DOUBLED else ""
        past = pasts.get(verb, f"{stem.removesuffix('e')}{doubled}ed")
        found[verb] = {"do": verb, "does": f"{stem}es" if hissed else f"{stem}s", "did": past}
    return found | {"have": {"do": "have", "does": "has", "did": "had"}}


@cache
def finite_forms() -> dict[str, tuple[str, str]]:
    """Return, by past tense and third person, (the plain form, the form of "do" to deny it)."""
    return {
        form: (verb, do)
        for do in ("does", "did")
        for verb, forms in inflected().items()
        if (form := forms[do]) != verb
    }


@cache
def _participles() -> frozenset[str]:
    return frozenset(verb.participle for verb in grammar.irregular_verbs()) | {"been"}


# Negation

_BE = frozenset("is are was were".split())
_DENIABLE = grammar.AUXILIARIES - {"may", "might"}  # "It may rain" and "it may not" are both true
_MODALS = frozenset("can will would could".split())  # nobody is told not to do what is good
_ENGLISH = load_lexicon("en")
# "Some are" and "some are not" can both be true, and "all are not" may mean either.
_VAGUE = (
    _ENGLISH.quantifiers | _ENGLISH.hedges | _ENGLISH.conditions | _ENGLISH.negators
) | frozenset("sometimes usually generally often because just after before while when".split())
# What is not between a verb and what it denies: "was always", "is in", "are there".
_NOT_BESIDE = (
    _VAGUE | grammar.PREPOSITIONS | _ENGLISH.subordinators | grammar.FINITE_BE
) | frozenset("and or but so there here too even much more less already still yet always".split())
_COMPLEMENTS = frozenset("in at on by for".split())  # "is not in the north"
_DETERMINERS = (
    grammar.DETERMINERS | grammar.OBJECT_PRONOUNS | {"it", "two", "three", "four", "five", "one"}
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
_BASES = "able likely successful known constitutional safe necessary popular stable".split()
_OPPOSITES = {
    **{base: f"un{base}" for base in _BASES},
    **{f"un{base}": base for base in _BASES},
    **{"possible": "impossible", "impossible": "possible", "legal": "illegal", "illegal": "legal"},
}
_LINKING = grammar.BE | frozenset("became become remained remains".split())
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
    verb, denial = (*expand_contraction(key), "")[:2]
    contracted = denial == "not"
    denies = contracted or key in ("not", "no", "without")
    if not denies or _POLAR.search(passage.text, passage.words[i].end):
        return None
    if any(passage.key_at(k) in _OPEN for k in range(passage.clause_start(i), i)):
        return None
    if contracted and verb not in grammar.DO:
        return passage.edit(i, i, verb)
    if contracted or before in grammar.DO:
        return _undone(passage, i if contracted else i - 1, i)
    if (key == "not" and before in _DENIABLE) or (key == "no" and after == "evidence" and i):
        return Edit(passage.words[i - 1].end, passage.words[i].end, "")
    if key == "no" and after == "longer":
        return passage.edit(i, i + 1, "still")
    return passage.edit(i, i, "with") if key == "without" and after[-3:] != "ing" else None


def _undone(passage: Passage, first: int, last: int) -> Edit | None:
    """Return the edit that makes "won" from "did not win"."""
    do, verb = passage.key_at(first).removesuffix("n't"), passage.key_at(last + 1)
    is_order = do == "do" and passage.clause_start(first) == first  # "Do not use"
    forms = inflected().get(verb)
    return passage.edit(first, last + 1, forms[do]) if forms and not is_order else None


def _is_plain(passage: Passage, i: int) -> bool:
    """Return whether a verb is that of a short, simple sentence, of which a denial is believed."""
    sentence = passage.sentence(i)
    clause = {passage.key_at(k) for k in range(passage.clause_start(i), i)}
    others = {passage.key_at(k) for k in sentence if k != i}
    rest = passage.text[passage.words[i].end : passage.words[sentence[-1]].end]
    is_short = _LEAST_DENIED <= sentence[-1] - i <= _MOST_DENIED
    denied = others & (_ENGLISH.negators | _DENIABLE)
    return is_short and not (clause & _VAGUE or denied or _DETAIL.search(rest))


def _addition(passage: Passage, i: int) -> Edit | None:
    if not 0 < i < len(passage.words) - 1 or passage.words[i + 1].gap:
        return None
    key, before, after = (passage.key_at(k) for k in (i, i - 1, i + 1))
    written = f"{passage.words[i].text} not"
    if before in _NOT_BESIDE:
        return None
    if after in ("also", "still", "now") and key in _BE:
        return passage.edit(i + 1, i + 1, "not" if after == "also" else "no longer")
    be = key in _BE and after not in _NOT_BESIDE - _COMPLEMENTS and not after.startswith("un")
    have = key in grammar.FINITE_HAVE and (after.endswith("ed") or after in _participles())
    if be or have or (key in _MODALS and after in inflected().keys() | {"be"}):
        return passage.edit(i, i, "cannot" if key == "can" else written)
    is_denied = key in finite_forms() and after in _DETERMINERS
    if not is_denied or not (key in grammar.FINITE_HAVE or _has_subject(passage, i)):
        return None
    plain, do = finite_forms()[key]
    return passage.edit(i, i, f"{do} not {plain}")


def _has_subject(passage: Passage, i: int) -> bool:
    """Return whether a verb follows a pronoun, or a short phrase that begins its sentence."""
    if passage.key_at(i - 1) in grammar.SUBJECT_PRONOUNS | {"who", "which", "that"}:
        return True
    words = passage.words[passage.sentence(i).start : i]
    is_phrase = len(words) > 1 and words[0].key in grammar.NOUN_MARKERS
    is_name = bool(words) and all(word.text[0].isupper() for word in words)
    together = not any(word.gap for word in words[1:]) and len(words) <= _LONGEST_SUBJECT
    return together and (is_phrase or is_name)


# Quantifiers

_NUMBER = r"(?=\s+(?:[$€£]\s?)?(?:\d|two|three|four|five|six|seven|eight|nine|ten|twenty|half)\b)"
# A plural that is not one of time, after no article.
_PLURAL = (
    r"(?!\s+(?:years|decades|centuries|days|times|months|weeks|hours|minutes|others|cases)\b)"
    r"(?=\s+(?:[a-z-]+\s+)?[a-z]{3,}(?<!s)s\b)"
)
_OF = r"(?= of (?:the|these|those|its|their|his)\b)"
_MANY = f"(?:{_OF}|{_PLURAL})"
_ADJECTIVE = r"(?=\s+[a-z]+(?:[ae]nt|ful|ive|ous|[ai]ble|ial|ar|ult|ed|ely|ently|mon|lex)\b)"
_MEASURED = r"(?= (?:of|age|wage|level|number|amount)\b)"
_COMPARED = r"(?= than\b| rates?\b| levels?\b| prices?\b| temperatures?\b)"
# What is not true because the other is; "some" for "all" would be true, so it is not here.
_RULES = (
    ("bound", f"(?:at least|more than|(?<=[a-z] )over){_NUMBER}", "at most|less than"),
    ("bound", f"(?:at most|up to|fewer than|less than){_NUMBER}", "at least|more than"),
    ("quantifier", f"(?:many|most|all|several){_MANY}", "few"),
    ("quantifier", f"some{_PLURAL}", "all|most"),
    ("quantifier", f"(?:very )?few{_PLURAL}", "many"),
    ("share", r"(?:the|a) (?:vast |large |great )?majority(?= of\b)", "a small minority"),
    ("frequency",
     "(?:often|frequently|usually|generally|typically|commonly|normally|always)(?= [a-z])",
     "rarely"),
    ("frequency", "sometimes(?= [a-z])", "always|never"),
    ("frequency", "(?:rarely|seldom)(?= [a-z])", "often|usually"),
    ("degree", f"more{_ADJECTIVE}", "less"),
    ("degree", f"less{_ADJECTIVE}", "more"),
    ("degree", rf"(?<=\bthe )most{_ADJECTIVE}", "least"),
    ("degree", f"minimum{_MEASURED}", "maximum"),
    ("degree", f"maximum{_MEASURED}", "minimum"),
    ("degree", "(?:mainly|mostly|largely|primarily)(?= (?!known|because|in |as |for |to )[a-z])",
     "only partly"),
    ("degree", "partly(?= [a-z])", "entirely"),
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
                    rules.append(("degree", rf"{word}\b(?!-)", other[0]))
                elif word.endswith("er") or word == "worse":
                    rules.append(("degree", f"{word}{_COMPARED}", other[0]))
    return [
        (variant, re.compile(rf"\b{pattern}", re.IGNORECASE), others.split("|"))
        for variant, pattern, others in rules
    ]


# "A few of them also went" and "few lakes, such as Garda" show that there were more.
_MORE = re.compile(r"\b(?:also|even|other|different|various|including|such as|especially)\b", re.I)
_REASON = re.compile(r"\b(?:because|so|therefore|since|although|though|resulting)\b|, as\b")
_PAIRED = re.compile(r" (?:not|no)\b| and (?:most\b|[a-z]+est\b)")
# "not few", "the most rarely", "the lowest and the highest"
_BEFORE = (
    *("not", "n't", "no", "than", "more", "most", "less", "least", "and", "too", "quite", "or"),
    *("only", "'s", "’s", "(", " so", " as", " a"),
)
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
    if inverted or repeated or paired or (words == "few" and _MORE.search(text)):
        return True
    # As an object or after a preposition, other words than these would be used.
    return variant == "quantifier" and not _SUBJECT_AFTER.search(before)
