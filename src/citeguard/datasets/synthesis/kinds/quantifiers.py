"""Quantifiers and degrees: all for some, at most for at least, rarely for often, less for more."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from citeguard.datasets.synthesis.material import Material
from citeguard.datasets.synthesis.passages import Edit, Passage, Rewrite

_NUMBER = (
    r"(?=\s+(?:[$€£]\s?)?(?:\d|two|three|four|five|six|seven|eight|nine|ten|twenty|half|one)\b)"
)
_NO_NOUN = r"(?!\s+(?:those|these|the|his|her|its|their|our|my|your|of|such)\b)"
_TIMES = r"(?!\s+(?:years|decades|centuries|days|times|months|weeks|hours|minutes|others|cases)\b)"
_PLURALS = _NO_NOUN + _TIMES + r"(?=\s+(?:[a-z-]+\s+)?[a-z]{3,}(?<!s)s\b)"
_NO_ARTICLE = r"(?<!\bthe )(?<!\ba )(?<!\ban )(?<!\bits )(?<!\bhis )(?<!\bher )(?<!\btheir )"
_ADJECTIVE = (
    r"(?=\s+(?:important|common|popular|efficient|effective|expensive|powerful|successful|likely"
    r"|famous|accurate|complex|severe|widely|frequently|frequent|recent|reliable|difficult|stable"
    r"|commonly|significant|influential|valuable|dangerous|productive|active|prominent|populous"
    r"|notable|diverse|advanced|sensitive|abundant|detailed|visited|often)\b)"
)
# What is not true because the other is; "some" for "all" would be true, so it is not here.
_RULES: tuple[tuple[str, str, str], ...] = (
    ("bound", rf"\bat least{_NUMBER}", "at most|no more than"),
    ("bound", rf"\b(?:at most|up to|no more than){_NUMBER}", "at least|more than"),
    ("bound", rf"(?<!\bno )\bmore than{_NUMBER}", "less than"),
    ("bound", rf"\b(?:fewer|less) than{_NUMBER}", "more than"),
    ("bound", rf"(?<=[a-z] )\bover{_NUMBER}", "under"),
    ("bound", rf"\b(?:nearly|almost){_NUMBER}", "well over"),
    ("quantifier", r"\b(?:many|most|all) of (?=the\b|these\b|those\b|its\b|their\b|his\b)",
     "few of "),
    ("quantifier", rf"{_NO_ARTICLE}(?<!\bso )(?<!\bas )(?<!\bhow )\bmany{_PLURALS}", "few"),
    ("quantifier", rf"{_NO_ARTICLE}(?<!\bof )\bsome{_PLURALS}", "all|most"),
    ("quantifier", rf"{_NO_ARTICLE}(?<!\bof )\bseveral{_PLURALS}", "few"),
    ("quantifier", rf"{_NO_ARTICLE}\bmost{_PLURALS}", "few"),
    ("quantifier", rf"{_NO_ARTICLE}(?<!\bat )(?<!\bin )(?<!\bof )\ball{_PLURALS}", "few"),
    ("quantifier", rf"\ba few{_PLURALS}", "many"),
    ("quantifier", rf"{_NO_ARTICLE}\b(?:very )?few{_PLURALS}", "many|most"),
    ("share", r"\b(?:the|a) (?:vast |large |great )?majority(?= of\b)", "a small minority"),
    ("frequency", r"(?<!\bmore )(?<!\bmost )(?<!\bless )\b(?:often|frequently)(?= [a-z])",
     "rarely"),
    ("frequency", r"(?<!most )\b(?:usually|generally|typically|commonly|normally)(?= [a-z])",
     "rarely"),
    ("frequency", r"(?<!\bnot )\balways(?= [a-z])", "rarely|never"),
    ("frequency", r"\bsometimes(?= [a-z])", "always|never"),
    ("frequency", r"(?<!\bor )\b(?:rarely|seldom)(?= [a-z])", "often|usually"),
    ("frequency", r"(?<=\bhas )never(?= been\b)", "long"),
    ("degree", rf"\bmore{_ADJECTIVE}", "less"),
    ("degree", rf"\bless{_ADJECTIVE}", "more"),
    ("degree", rf"(?<=\bthe )most{_ADJECTIVE}", "least"),
    ("degree", r"\blargest\b", "smallest"),
    ("degree", r"\bsmallest\b", "largest"),
    ("degree", r"\bhighest\b", "lowest"),
    ("degree", r"\blowest\b", "highest"),
    ("degree", r"\b(?:larger|bigger|greater)(?= than\b)", "smaller"),
    ("degree", r"\bsmaller(?= than\b)", "larger"),
    ("degree", r"\bhigher(?= than\b| rates?\b| levels?\b| prices?\b| temperatures?\b)", "lower"),
    ("degree", r"\blower(?= than\b| rates?\b| levels?\b| prices?\b| temperatures?\b)", "higher"),
    ("degree", r"\bbetter(?= than\b)", "worse"),
    ("degree", r"\bworse(?= than\b)", "better"),
    ("degree", r"\blonger(?= than\b)", "shorter"),
    ("degree", r"\bshorter(?= than\b)", "longer"),
    ("degree", r"\boldest\b", "newest"),
    ("degree", r"\b(?<=the )longest\b", "shortest"),
    ("degree", r"\bminimum(?= (?:of|age|wage|level)\b)", "maximum"),
    ("degree", r"\bmaximum(?= (?:of|age|level|number|amount)\b)", "minimum"),
    ("degree",
     r"\b(?:mainly|mostly|largely|primarily)(?= (?!known|because|in\b|as\b|for\b|to\b)[a-z])",
     "only partly"),
    ("degree", r"(?<!least )\bpartly(?= [a-z])", "entirely"),
    ("time", r"(?<=[a-z,] )\bbefore(?= [12]\d{3}\b)", "after"),
    ("time", r"(?<=[a-z,] )\bafter(?= [12]\d{3}\b)", "before"),
)  # fmt: skip
_COMPILED = tuple(
    (variant, re.compile(pattern, re.IGNORECASE), others.split("|"))
    for variant, pattern, others in _RULES
)
# "A few of them also went" and "few lakes, such as Garda" tell that there were more.
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
    """Yield exchanges of a quantifier for one that does not follow from it; drawn order."""
    ways = list(_ways(passage, random))
    random.shuffle(ways)
    yield from ways


def _ways(passage: Passage, random: Random) -> Iterator[Rewrite]:
    for variant, pattern, others in _COMPILED:
        for found in pattern.finditer(passage.text):
            words = random.choice(others)
            if _is_idiom(passage.text, found, words, variant):
                continue
            if found[0][0].isupper():
                words = words[0].upper() + words[1:]
            yield Rewrite(variant, (Edit(found.start(), found.end(), words),))


def _is_idiom(text: str, found: re.Match[str], words: str, variant: str) -> bool:
    """Tell whether other words would not stand there: "not few", "the lowest and most esteemed"."""
    before, after = text[: found.start()].rstrip(), text[found.end() :]
    if variant == "frequency" and found[0][0].isupper():  # "Often it is", "Rarely is it"
        return True
    if before.endswith("(") or _REASON.search(text) or text.count(found[0]) > 1:
        return True
    if words.lower() in text.lower().split():
        return True
    if before.lower().endswith(_BEFORE) or _PAIRED.match(after):
        return True
    if found[0].lower() == "some":
        return not _is_subject(before, found[0])
    if not words.lower().startswith("few"):
        return False
    return _MORE.search(text) is not None or not _is_subject(before, found[0])


def _is_subject(before: str, words: str) -> bool:
    """Tell whether words begin a clause; "many" can also stand where something is told of."""
    begins = not before or before[-1] in ".,;:–—" or before.endswith((" that", " are", " were"))
    return begins or (words.lower() == "many" and not before.endswith(_PREPOSITIONS))
