"""What can flag an answer or a part of it: audits, and the share of words that the sources have."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple
from unittest.mock import patch

from citeguard import Policy, audit
from citeguard.auditing.claims.claim import Claim, ClaimExtractor, Extraction
from citeguard.reports.report import CheckedClaim, Report, AuditVerdict
from citeguard.auditing.run import UNSUPPORTED_BELOW
from citeguard.judges import grounding
from citeguard.judges.grounding import GroundingVerifier
from citeguard.language.sentences import sentence_intervals
from citeguard.verifier.content import read
from citeguard.verifier.model import Model

from .material import Answer

WRONG: frozenset[AuditVerdict] = frozenset(("contradicted", "not_found", "partly_supported"))
"""The verdicts with which a claim is flagged."""

OPEN: frozenset[AuditVerdict] = WRONG | {"undecided"}
"""The same, and those with which nobody knows."""


class Piece(NamedTuple):
    """A part of an answer, `text[start:end]`, and how well it is supported, 0 to 1."""

    start: int
    end: int
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Detector:
    """What somebody says of answers.

    Attributes:
        name: Who.
        scores: How well each answer is supported, higher is better.
        pieces: Its parts, each with a score; none if only answers are scored.
        border: What scores below it is flagged; `None` if that is yet to be chosen.
    """

    name: str
    scores: Sequence[float]
    pieces: Sequence[Sequence[Piece]] = ()
    border: float | None = None


class Sentences:
    """Takes each sentence for a claim."""

    def extract(self, texts: Sequence[str], /) -> list[Extraction]:
        """Return the sentences of each text that say anything."""
        return [Extraction(claims=tuple(_sentences(text))) for text in texts]


def _sentences(text: str) -> Iterator[Claim]:
    for start, end in sentence_intervals(text):
        if any(map(str.isalnum, text[start:end])):
            yield Claim(text=text[start:end], start=start, end=end, sentence=(start, end))


@contextmanager
def using(model: Model | None) -> Iterator[None]:
    """Make every `GroundingVerifier` use another model than the shipped one; `None` for that."""
    if model is None:
        yield
        return
    with patch.object(grounding, "shipped_model", lambda: model):
        yield


def audited(
    answers: Iterable[Answer],
    *,
    model: Model | None = None,
    extractor: ClaimExtractor | None = None,
    judge: Callable[[], GroundingVerifier] | None = None,
) -> list[Report]:
    """Audit answers, each against its own sources, by default with the judge of audits."""
    with using(model):
        chosen = judge() if judge else GroundingVerifier(unsupported_below=UNSUPPORTED_BELOW)
        policy = Policy(support=[chosen])
        return [
            audit(answer.text, answer.sources, policy=policy, extractor=extractor)
            for answer in answers
        ]


def by_verdicts(name: str, reports: Sequence[Report], flagged: Collection[str]) -> Detector:
    """Flag the claims with some verdicts, and the answers that have any."""
    return _detector(
        name, [_pieces(report, lambda claim: claim.verdict not in flagged) for report in reports], 1
    )


def by_scores(name: str, reports: Sequence[Report]) -> Detector:
    """Flag the claims with low scores; those that were not found have the lowest."""
    return _detector(name, [_pieces(report, _score) for report in reports])


def by_trust(name: str, reports: Sequence[Report]) -> Detector:
    """Flag the answers with a low trust score."""
    trust = [report.trust.value if report.trust else 100.0 for report in reports]
    return Detector(name=name, scores=trust)


def by_words(name: str, answers: Sequence[Answer]) -> Detector:
    """Flag the sentences that share few of their content words with three of their sources."""
    return _detector(name, [_shares(answer) for answer in answers])


def _detector(
    name: str, pieces: Sequence[Sequence[Piece]], border: float | None = None
) -> Detector:
    lowest = [min((piece.score for piece in each), default=1.0) for each in pieces]
    return Detector(name=name, scores=lowest, pieces=pieces, border=border)


def _pieces(report: Report, score: Callable[[CheckedClaim], float]) -> list[Piece]:
    checked = (claim for claim in report.claims if claim.verdict != "not_checkable")
    return [Piece(claim.start, claim.end, float(score(claim))) for claim in checked]


def _score(claim: CheckedClaim) -> float:
    if claim.score is not None:
        return claim.score
    return 0.5 if claim.verdict == "undecided" else 0.0


def _shares(answer: Answer) -> list[Piece]:
    windows = [window for text in answer.sources.values() for window in _windows(text)]
    return [
        Piece(claim.start, claim.end, _share(_keys(claim.text), windows))
        for claim in _sentences(answer.text)
    ]


def _windows(text: str) -> list[frozenset[str]]:
    """Return the content words of every three sentences in a row, and of all if there are fewer."""
    bounds = sentence_intervals(text)
    starts = [start for start, _ in bounds]
    ends = [end for _, end in bounds[2:]] or [len(text)]
    return [_keys(text[start:end]) for start, end in zip(starts, ends, strict=False)]


def _keys(text: str) -> frozenset[str]:
    return frozenset(word.key for word in read(text).words)


def _share(words: frozenset[str], windows: Iterable[frozenset[str]]) -> float:
    if not words:
        return 1.0
    return max((len(words & window) for window in windows), default=0) / len(words)
