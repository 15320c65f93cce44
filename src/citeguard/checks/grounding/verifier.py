"""The support check that comes with the package: `GroundingVerifier`."""

from __future__ import annotations

from collections.abc import Sequence

from citeguard.checks.differences import Difference
from citeguard.checks.grounding.evidence import EvidenceIndex, index_of
from citeguard.checks.grounding.model import Model, shipped_model
from citeguard.checks.grounding.scoring import ScoredClaim, weakest_claim
from citeguard.checks.judge import JudgeSettings
from citeguard.errors import CiteguardError
from citeguard.fitting import shown
from citeguard.sources import Span
from citeguard.verdicts import Evidence, Outcome, SupportQuestion, Verdict

_MOST_NAMED = 6  # missing words in a reason
_LONGEST_WORDS = 200  # characters of them


class GroundingVerifier:
    """A judge by words: whether the evidence says what a statement says, as far as words tell.

    Needs no model but the small one that comes with the package, nothing to download and no GPU,
    and takes milliseconds. It weighs what share of a statement's words the evidence has, where, and
    in what order, and which facts (numbers, names, negations, opposites) differ between the
    statement and the passage that fits it best. A statement of several sentences is as well
    supported as the weakest of them.

    It reads no meaning. True statements in other words than the source's, and false ones in the
    same words, are what it gets wrong; between two thresholds it says `undecided`, so that a
    costlier judge can be asked next. How often it is right, per kind of data: the model card.

    Safe to share between threads. English; other languages by their words alone.

    Args:
        supported_from: The least score, 0 to 1, with which a statement is supported, inclusive; by
            default the one that was fitted.
        unsupported_below: The score below which it is not; between the two it is undecided. The
            same value for both makes it decide everything.

    Attributes:
        settings: How it is asked.

    Raises:
        CiteguardError: thresholds that are no numbers from 0 to 1 in this order.

    Examples:
        >>> from citeguard.verdicts import Evidence
        >>> evidence = (Evidence(text="The dose was 50 mg, once a day.", source_id="trial"),)
        >>> questions = [
        ...     SupportQuestion(statement=statement, evidence=evidence)
        ...     for statement in ("The dose was 50 mg once a day.", "The dose was 60 mg a day.")
        ... ]
        >>> [verdict.outcome for verdict in GroundingVerifier().judge(questions)]
        ['supported', 'contradicted']
    """

    name = "GroundingVerifier"

    def __init__(
        self, *, supported_from: float | None = None, unsupported_below: float | None = None
    ) -> None:
        model = shipped_model()
        low, high = _thresholds(model, unsupported_below, supported_from)
        self._low, self._high = low, high
        self.settings = JudgeSettings(
            batch_size=None, version=f"{model.version}, {low}, {high}", local=True
        )

    def __repr__(self) -> str:
        """Show the thresholds."""
        return f"GroundingVerifier(supported_from={self._high}, unsupported_below={self._low})"

    def judge(self, questions: Sequence[SupportQuestion]) -> list[Verdict]:
        """Return a verdict for each question, in order."""
        return [self._verdict(question) for question in questions]

    def _verdict(self, question: SupportQuestion) -> Verdict:
        passages = [each for each in question.evidence if each.text.strip()]
        evidence = index_of(tuple(each.text for each in passages))
        weakest = weakest_claim(question.statement, evidence, shipped_model())
        if weakest is None:
            return Verdict(
                "undecided", reason="the statement has no words to check", judge=self.name
            )
        outcome = self._outcome(weakest)
        words, span = _place(weakest, evidence, passages)
        return Verdict(
            outcome,
            reason=_reason(outcome, weakest),
            score=weakest.score,
            words=words,
            span=span,
            judge=self.name,
        )

    def _outcome(self, claim: ScoredClaim) -> Outcome:
        if claim.score >= self._high:
            return "supported"
        if claim.score >= self._low:
            return "undecided"
        return "contradicted" if claim.conflicts else "unsupported"


def _thresholds(model: Model, low: float | None, high: float | None) -> tuple[float, float]:
    """Return both thresholds; a default one gives way to the other."""
    if not all(each is None or isinstance(each, (int, float)) for each in (low, high)):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise _misfit(low, high)
    if low is None:
        low = min(model.unsupported_below, model.supported_from if high is None else high)
    if high is None:
        high = max(model.supported_from, low)
    if not 0 <= low <= high <= 1:
        raise _misfit(low, high)
    return low, high


def _misfit(low: object, high: object) -> CiteguardError:
    return CiteguardError(
        "GroundingVerifier needs 0 <= unsupported_below <= supported_from <= 1, "
        f"not {low!r} and {high!r}"
    )


def _place(
    claim: ScoredClaim, evidence: EvidenceIndex, passages: Sequence[Evidence]
) -> tuple[str, Span | None]:
    """Return the sentence of the evidence that decides, and where it stands in its source."""
    best = claim.measured.best
    if best is None:
        return "", None
    sentence = evidence.sentences[best]
    passage = passages[sentence.text]
    words = passage.text[sentence.start : sentence.end]
    if passage.source_id is None:
        return words, None
    start = passage.start + sentence.start
    return words, Span(passage.source_id, start, start + len(words))


def _reason(outcome: Outcome, claim: ScoredClaim) -> str:
    missing = _named(claim.measured.missing)
    if outcome == "supported":
        lacking = f"; it does not have: {missing}" if missing else ""
        return f"The passage has the words of the statement{lacking}."
    if claim.conflicts:
        conflict = claim.conflicts[0]
        return Difference(conflict.stated, conflict.found).reason
    if missing:
        return f"The evidence says nothing of: {missing}."
    return "The evidence has the words of the statement, but not together, or in another order."


def _named(words: Sequence[str]) -> str:
    return shown(", ".join(words[:_MOST_NAMED]), _LONGEST_WORDS)
