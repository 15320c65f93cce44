"""Whether the corrections of audits are those that people would make."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import groupby

from citeguard.reports.report import CheckedClaim
from citeguard.language.tokens import tokenize
from citeguard.verifier.model import Model

from ..tables import table
from .detectors import audited
from .material import Answer

OUTCOMES = ("equals the reference", "closer to it", "as far from it", "farther from it")


def correction_tables(
    sets: Mapping[str, Sequence[Answer]], models: Mapping[str, Model]
) -> Iterator[str]:
    """Write how often a corrected answer is nearer to what it was before somebody made it wrong.

    In words that differ. An answer with several errors stays wrong when one is mended.

    Args:
        sets: `bump`, whose pairs are an answer made wrong and the right one, and `summedits`.
        models: For each a model that was fitted without it.
    """
    rows = [
        row
        for name, answers in sets.items()
        for row in _rows(name, sorted(found[1:] for found in judged(answers, models[name])))
    ]
    columns = ["data set, what differs", "corrections", *OUTCOMES]
    yield from table("Corrections of contradicted claims, by the result", columns, rows)


def _rows(name: str, found: Sequence[tuple[str, str]]) -> Iterator[tuple[object, ...]]:
    """Yield a row for each kind of differences, and one for all; `found` is in order."""
    for kinds, group in groupby(found, key=lambda each: each[0]):
        yield f"{name}, {kinds}", *_counts(group)
    yield f"{name}, all", *_counts(found)


def _counts(found: Iterable[tuple[str, str]]) -> list[int]:
    outcomes = Counter(outcome for _, outcome in found)
    return [outcomes.total(), *(outcomes[outcome] for outcome in OUTCOMES)]


def judged(answers: Sequence[Answer], model: Model | None) -> Iterator[tuple[Answer, str, str]]:
    """Yield each corrected answer, what kinds of facts differ, and how the correction turned out.

    Args:
        answers: Those of which the reference is among them, or named, are audited.
        model: The verifier's, fitted without them; `None` for the shipped one.
    """
    references = _references(answers)
    known = [answer for answer in answers if answer.id in references]
    for answer, report in zip(known, audited(known, model=model), strict=True):
        for claim in report.claims:
            if claim.correction is not None:
                yield answer, _kinds(claim), _outcome(answer.text, claim, references[answer.id])


def _references(answers: Sequence[Answer]) -> dict[str, str]:
    """Return for each answer the right one that it was made of, or is, if that is known."""
    pairs = {a.meta["pair"]: a.text for a in answers if "pair" in a.meta and not a.wrong}
    found = {a.id: a.meta.get("seed") or pairs.get(a.meta.get("pair")) for a in answers}
    return {name: reference for name, reference in found.items() if reference}


def _outcome(text: str, claim: CheckedClaim, reference: str) -> str:
    corrected = text
    for each in reversed(claim.correction.replacements if claim.correction else ()):
        corrected = corrected[: each.start] + each.text + corrected[each.end :]
    before, after = _far(text, reference), _far(corrected, reference)
    if after == 0:
        return OUTCOMES[0]
    return OUTCOMES[1 if after < before else 2 if after == before else 3]


def _far(text: str, reference: str) -> int:
    """Return in how many words two texts differ."""
    one, other = _words(text), _words(reference)
    changes = SequenceMatcher(None, one, other, autojunk=False).get_opcodes()
    return sum(
        max(end - start, last - first)
        for kind, start, end, first, last in changes
        if kind != "equal"
    )


def _words(text: str) -> list[str]:
    return [text[token.start : token.end].lower() for token in tokenize(text)]


def _kinds(claim: CheckedClaim) -> str:
    return ", ".join(sorted({fact.kind for fact in claim.differences}))
