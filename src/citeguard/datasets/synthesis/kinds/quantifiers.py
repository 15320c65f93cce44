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
    ("quantifier", r"\b(?:many|most|some|all) of (?=the\b|these\b|those\b|its\b|their\b|his\b)",
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
    ("frequency", r"\b(?:usually|generally|typically|commonly|normally)(?= [a-z])", "rarely"),
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
    ("degree", r"\b(?:mainly|mostly|largely|primarily)(?= [a-z])", "only partly"),
    ("degree", r"\bpartly(?= [a-z])", "entirely"),
    ("time", r"(?<=[a-z,] )\bbefore(?= (?:the|he|she|it|they|his|her|its|a|\d))", "after"),
    ("time", r"(?<=[a-z,] )\bafter(?= (?:the|he|she|it|they|his|her|its|a|\d))", "before"),
)  # fmt: skip
_COMPILED = tuple(
    (variant, re.compile(pattern, re.IGNORECASE), others.split("|"))
    for variant, pattern, others in _RULES
)
_LOOSE = frozenset(("time",))
_NAMED_AFTER = re.compile(
    r"\b(?:name[sd]?\b[^,.;]*|(?:call(?:ed|s)?|looks?|looked|day|shortly)\s)\Z"
)


def find_quantifiers(passage: Passage, material: Material, random: Random) -> Iterator[Rewrite]:
    """Yield exchanges of a quantifier for one that does not follow from it; drawn order.

    What says when, before or after, comes last.
    """
    ways = list(_ways(passage, random))
    random.shuffle(ways)
    yield from sorted(ways, key=lambda way: way.variant in _LOOSE)


def _ways(passage: Passage, random: Random) -> Iterator[Rewrite]:
    for variant, pattern, others in _COMPILED:
        for found in pattern.finditer(passage.text):
            if _is_idiom(passage.text, found.start(), variant):
                continue
            words = random.choice(others)
            if found[0][0].isupper():
                words = words[0].upper() + words[1:]
            yield Rewrite(variant, (Edit(found.start(), found.end(), words),))


def _is_idiom(text: str, start: int, variant: str) -> bool:
    if variant == "time":
        return _NAMED_AFTER.search(text[:start]) is not None
    before = text[:start].lower().rstrip()
    return before.endswith(("not", "n't", "no", "than", "the more", "and", "too", "quite", "or"))
