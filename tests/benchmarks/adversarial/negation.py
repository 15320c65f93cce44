"""Negations lost and gained."""

from __future__ import annotations

import re
from random import Random

from .cases import Candidates
from .rewrites import any_of, inserted, recase, removed, swaps
from .typography import matches
from .word_pairs import PREFIXED

_AUX = "is|are|was|were|did|does|do|has|have|had|can|could|would|should|must|may|might|will|be|been"
AFTER_VERB = (
    r"(?<=\b(?:is|be) )(?=[a-z])|(?<=\b(?:are|was|has|had|can|did) )(?=[a-z])"
    r"|(?<=\b(?:were|will|have|does|been) )(?=[a-z])"
)
"""Matches where an adverb fits: behind a verb that helps or links."""

_POSITIVE = {"won't": "will", "can't": "can", "shan't": "shall", "ain't": "is"}


def _without_nt(m: re.Match[str], rng: Random) -> str:
    """Write an auxiliary verb without its n't."""
    plain = m.group().replace("’", "'")
    return recase(plain, _POSITIVE.get(plain.lower(), plain[:-3].lower()))


def _with_nt(m: re.Match[str], rng: Random) -> str:
    """Write an auxiliary verb with n't, under any apostrophe or none."""
    odd = {"will": "won{}t", "can": "can{}t"}
    return odd.get(m.group(), m.group() + "n{}t").format(rng.choice("'’'’ʼ`′"))


NEGATION: dict[str, Candidates] = {
    "negation_not": any_of(
        matches(rf"(?<=\b)(?:{_AUX}) not (?=[a-z])", lambda m, r: m.group()[:-4]),
        matches(r"(?<=[a-z,;] )not (?=[a-z])", lambda m, r: ""),
        matches(r"\bcannot\b", lambda m, r: "can"),
    ),
    "negation_not_gained": inserted(
        AFTER_VERB,
        ("not",),
    ),
    "negation_nt": matches(r"\b(?:[A-Za-z]+n['’]t|[Ww]on['’]t|[Cc]an['’]t)\b", _without_nt),
    "negation_nt_gained": matches(
        r"\b(?:is|are|was|were|has|had|can|could|would|should|will|does|did)\b"
        r"(?= [a-z])(?! (?:not|no|n't)\b)",
        _with_nt,
    ),
    "negation_never": any_of(
        removed("never"), swaps(("never", "always"), ("never", "often"), both=False)
    ),
    "negation_never_gained": any_of(
        inserted(
            r"(?<=\b(?:has|had|was) )(?=[a-z])|(?<=\b(?:have|were|will) )(?=[a-z])", ("never",)
        )
    ),
    "negation_no": any_of(
        removed("no"),
        matches(r"\bno longer\b", lambda m, r: r.choice(("still", "now"))),
        swaps(
            ("no", "some"),
            ("no", "a"),
            ("none", "all"),
            ("nobody", "somebody"),
            ("nothing", "everything"),
            ("nothing", "something"),
            ("nowhere", "everywhere"),
            both=False,
        ),
    ),
    "negation_without": any_of(swaps(("without", "with")), removed("without")),
    "negation_prefix": swaps(*PREFIXED),
    "negation_weak": any_of(
        removed("hardly|barely|scarcely|rarely|seldom"),
        swaps(
            ("rarely", "usually"),
            ("rarely", "often"),
            ("hardly", "clearly"),
            ("neither", "both"),
            ("neither", "either"),
            ("nor", "and"),
            ("nor", "or"),
            ("fail to", "manage to"),
            ("failed to", "managed to"),
            ("fails to", "manages to"),
            ("failed to", "was to"),
            ("lack of", "abundance of"),
            ("lacked", "had"),
            ("lacks", "has"),
            ("lack", "have"),
            ("refused to", "agreed to"),
            ("denied", "confirmed"),
            both=False,
        ),
        inserted(
            r"(?<=\b(?:was|has|had|are|can) )(?=[a-z])",
            ("hardly", "barely", "scarcely", "rarely", "seldom"),
        ),
    ),
}
