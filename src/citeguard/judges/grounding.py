"""The support check that comes with the package: `GroundingVerifier`."""

from __future__ import annotations

from collections.abc import Sequence

from citeguard.errors import CiteguardError, check_number
from citeguard.judges.cache import VerdictCache
from citeguard.judges.judge import local_settings
from citeguard.judges.verdicts import Evidence, Outcome, SupportQuestion, Verdict
from citeguard.language.excerpts import shown
from citeguard.sources.collection import Span
from citeguard.verifier import differences
from citeguard.verifier.content import read
from citeguard.verifier.differences import Difference
from citeguard.verifier.evidence import EvidenceIndex, index_of
from citeguard.verifier.features import Misplaced
from citeguard.verifier.model import Model, shipped_model
from citeguard.verifier.placing import Place, says_it, says_otherwise
from citeguard.verifier.scoring import ScoredClaim, measured_claims, weakest_claim

VERSION = "4"
"""Part of the key of cached verdicts; change it with the rules from scores to verdicts."""

_MOST_NAMED = 6  # missing words in a reason
_LONGEST_WORDS = 200  # characters of them


class GroundingVerifier:
    """A judge by words: how well the words of the evidence support a statement.

    Uses a small model that comes with the package, needs no download and no GPU, and takes
    milliseconds. It weighs what share of a statement's words the evidence has, where, and in what
    order, and which facts (numbers, names, negations, opposites) differ between the statement and
    the passage that fits it best. A statement of several sentences is only as well supported as the
    weakest of them.

    It does not understand meaning. It errs on true statements in other words than the source's, and
    on false ones in the same words; between two thresholds the verdict is `undecided`, so that a
    costlier judge can be asked next. The model card reports how often it is right, by kind of data.

    Thread-safe. For English; in other languages it compares words only.

    Args:
        supported_from: The least score, 0 to 1, with which a statement is supported, inclusive; by
            default the one that was fitted.
        unsupported_below: The score below which it is not; between the two it is undecided. The
            same value for both makes it decide what it can.
        contradicted_from: The least share, 0 to 1, of a sentence's content words that the evidence
            must have, and the name that it begins with among them, to contradict it. With less,
            the evidence is about something else, and the sentence is unsupported. 0 for evidence
            that was cited for the statement; for passages that were searched for, 0.5 avoids most
            contradictions by pages about others.
        in_one_place: Whether one sentence, or one that refers to the sentence before it, must say
            what a statement says, or say otherwise of its subject; else it is undecided. For
            passages that were searched for: their words are of several things.
        cache: Where verdicts are kept; by default in memory, for the lifetime of this object.

    Attributes:
        settings: How it is asked.

    Raises:
        CiteguardError: Thresholds that are not numbers from 0 to 1, in this order.

    Examples:
        >>> from citeguard.judges.verdicts import Evidence
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
        self,
        *,
        supported_from: float | None = None,
        unsupported_below: float | None = None,
        contradicted_from: float = 0.0,
        in_one_place: bool = False,
        cache: VerdictCache | None = None,
    ) -> None:
        model = shipped_model()
        low, high = _thresholds(model, unsupported_below, supported_from)
        check_number("GroundingVerifier(contradicted_from=...)", contradicted_from, 0, 1)
        self._low, self._high, self._about = low, high, contradicted_from
        self._in_one_place = in_one_place
        options = (low, high, contradicted_from) if contradicted_from else (low, high)
        options = (*options, "in one place") if in_one_place else options
        self.settings = local_settings(
            *options, VERSION, differences.VERSION, model=model.version, cache=cache
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
        if not evidence.sentences:
            return Verdict("undecided", reason="there is no evidence", judge=self.name)
        if weakest is None:
            reason = "the statement has no words of its own"
            return Verdict("undecided", reason=reason, judge=self.name)
        misplaced = weakest.misplaced if weakest.score >= self._high else None
        best = misplaced.sentence if misplaced else weakest.measured.best
        words, span = _decisive(best, evidence, passages)
        outcome = self._outcome(weakest, words)
        reason = _reason(outcome, weakest, misplaced)
        # What would be supported, but for a value of something else, is as surely wrong.
        wrong = misplaced is not None and outcome == "contradicted"
        score = 1 - weakest.score if wrong else weakest.score
        if self._in_one_place and outcome in ("supported", "contradicted"):
            place = _place_of(outcome, question.statement, weakest, evidence)
            if place is None:
                outcome, reason, score = "undecided", _SCATTERED[outcome], weakest.score
            else:
                words, span = _decisive(place.sentence, evidence, passages)
        return Verdict(outcome, reason=reason, score=score, words=words, span=span, judge=self.name)

    def _outcome(self, claim: ScoredClaim, words: str) -> Outcome:
        if claim.measured.on_silence:
            return "undecided"
        if claim.score >= self._high:
            if claim.misplaced:
                return "contradicted"  # but for the value of something else it is well supported
            # A fact that differs counts, however many words the two have in common.
            doubtful = claim.differences or claim.measured.is_of_unknown_name
            return "undecided" if doubtful else "supported"
        if claim.score >= self._low:
            return "undecided"
        contradicts = claim.is_contradicted_by(words) and self._is_about(claim)
        return "contradicted" if contradicts else "unsupported"

    def _is_about(self, claim: ScoredClaim) -> bool:
        """Return whether the evidence is about what a claim is about."""
        if not self._about:
            return True
        count = len(read(claim.measured.claim).words)
        shared = 1 - len(claim.measured.missing) / max(1, count)
        return shared >= self._about and not claim.measured.is_of_unknown_name


def _decisive(
    sentence: int | None, evidence: EvidenceIndex, passages: Sequence[Evidence]
) -> tuple[str, Span | None]:
    """Return the words of a sentence of the evidence, and where they are in its source."""
    if sentence is None:
        return "", None
    found = evidence.sentences[sentence]
    passage = passages[found.text]
    return passage.text[found.start : found.end], passage.span(found.start, found.end)


def _place_of(
    outcome: Outcome, statement: str, weakest: ScoredClaim, evidence: EvidenceIndex
) -> Place | None:
    """Return the one place of the evidence that a verdict can rest on; `None` without one."""
    if outcome == "contradicted":
        return says_otherwise(weakest.measured, evidence)
    rarity = shipped_model().rarity_of
    claims = measured_claims(statement, evidence, rarity)
    if not all(says_it(claim, evidence, rarity) for claim in claims):
        return None
    return says_it(weakest.measured, evidence, rarity)


_SCATTERED = {
    "supported": "The evidence has the words of the statement, but not in one place.",
    "contradicted": "The evidence has another value, but perhaps of something else.",
}


def _thresholds(model: Model, low: float | None, high: float | None) -> tuple[float, float]:
    """Return both thresholds; a default one adapts to the other."""
    for name, value in (("unsupported_below", low), ("supported_from", high)):
        if value is not None:
            check_number(f"GroundingVerifier({name}=...)", value, 0, 1)
    if low is None:
        low = min(model.unsupported_below, model.supported_from if high is None else high)
    if high is None:
        high = max(model.supported_from, low)
    if low > high:
        raise CiteguardError(
            "GroundingVerifier(unsupported_below=...) must not be above supported_from, "
            f"and {low} is above {high}"
        )
    return low, high


def _reason(outcome: Outcome, claim: ScoredClaim, misplaced: Misplaced | None) -> str:
    missing = shown(", ".join(claim.measured.missing[:_MOST_NAMED]), _LONGEST_WORDS)
    if outcome == "supported":
        rest = f", all but: {missing}" if missing else ""
        return f"The evidence has the words of the statement{rest}."
    if claim.measured.on_silence:
        return "It says what the sources do not say, and words cannot tell that."
    if misplaced is not None and outcome == "contradicted":
        return Difference(misplaced.contrast.stated, misplaced.contrast.found).reason
    if claim.differences and (outcome != "unsupported" or not missing):
        different = claim.differences[0]
        return Difference(different.stated, different.found).reason
    if missing and outcome == "undecided":
        return f"The evidence may say it in other words, but it lacks: {missing}."
    if missing:
        return f"The evidence says nothing of: {missing}."
    return "The evidence has the words of the statement, but not together, or in another order."
