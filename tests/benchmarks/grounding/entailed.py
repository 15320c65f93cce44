"""What an entailment model says of a claim and the passages of the evidence that decide it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, fields

from citeguard.entailment.cross_encoder import Pair, Probabilities
from citeguard.verifier.evidence import EvidenceIndex
from citeguard.verifier.features import Measured, around

_SENTENCES, _WINDOWS = 2, 2  # that are read for a claim
_LONGEST = 1_200  # characters of a window


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The passages that an entailment model reads for a claim.

    Attributes:
        claim: The claim.
        sentences: The sentences that share most with it, as indices, best first.
        windows: The windows of three sentences around them, as first and last index.
    """

    claim: str
    sentences: tuple[int, ...]
    windows: tuple[tuple[int, int], ...]

    def pairs(self, evidence: EvidenceIndex) -> list[Pair]:
        """Return the pairs to read, sentences first."""
        places = (*((each, each) for each in self.sentences), *self.windows)
        return [(evidence.passage(*place), self.claim) for place in places]


def reading_of(measured: Measured, evidence: EvidenceIndex) -> Reading:
    """Return what is read for a claim; nothing if no sentence has a word of it."""
    windows = dict.fromkeys(around(each, evidence) for each in measured.candidates)
    fitting = [each for each in windows if len(evidence.passage(*each)) <= _LONGEST]
    return Reading(
        claim=measured.claim,
        sentences=measured.candidates[:_SENTENCES],
        windows=tuple(fitting[:_WINDOWS]),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Entailed:
    """Probabilities, 0 to 1, that passages entail or contradict a claim.

    Attributes:
        best_sentence_entails: Of the sentence that shares most words with the claim.
        sentence_entails: The greatest of any sentence read.
        window_entails: The greatest of any window of three sentences read.
        best_sentence_contradicts: As above.
        window_contradicts: Of the first window.
        contradicts: The least of the two that the best sentence and the first window give.
    """

    best_sentence_entails: float = 0.0
    sentence_entails: float = 0.0
    window_entails: float = 0.0
    best_sentence_contradicts: float = 0.0
    window_contradicts: float = 0.0
    contradicts: float = 0.0

    def values(self) -> tuple[float, ...]:
        """Return the features in the order of `ENTAILED`."""
        return astuple(self)


ENTAILED = tuple(field.name for field in fields(Entailed))


def entailed(found: Sequence[Probabilities], sentences: int) -> Entailed:
    """Return the features, given what the model says of the passages of a `Reading`, in order.

    A pair that the model could not read counts as neutral.
    """
    known = [
        each if each.entailment == each.entailment else Probabilities(0.0, 1.0, 0.0)
        for each in found
    ]
    ofs, windows = known[:sentences], known[sentences:] or known[:sentences]
    if not ofs:
        return Entailed()
    return Entailed(
        best_sentence_entails=ofs[0].entailment,
        sentence_entails=max(each.entailment for each in ofs),
        window_entails=max(each.entailment for each in windows),
        best_sentence_contradicts=ofs[0].contradiction,
        window_contradicts=windows[0].contradiction,
        contradicts=min(ofs[0].contradiction, windows[0].contradiction),
    )


Known = Mapping[Pair, Probabilities]
"""What the model says of pairs."""


def all_pairs(readings: Iterable[tuple[Reading, EvidenceIndex]]) -> list[Pair]:
    """Return the pairs of several claims."""
    return [pair for reading, evidence in readings for pair in reading.pairs(evidence)]
