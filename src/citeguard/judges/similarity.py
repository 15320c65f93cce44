"""Sentence embeddings as a judge: `Similarity`.

A close passage does not support a statement that differs from it in a fact; `difference` finds it.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import compress
from typing import TYPE_CHECKING, NamedTuple

from citeguard.errors import check_number, check_text
from citeguard.facts import contrasts
from citeguard.judges.cache import VerdictCache
from citeguard.judges.judge import JudgeFailedError, local_settings
from citeguard.judges.verdicts import Evidence, Outcome, SupportQuestion, Verdict
from citeguard.language.sentences import Interval
from citeguard.language.tokens import has_words
from citeguard.language.windows import LONGEST
from citeguard.retrieval.embeddings import Embedder, EmbeddingFailedError, vectors_of
from citeguard.retrieval.passages import Windows, check_windows
from citeguard.sources.collection import Span
from citeguard.verifier import differences
from citeguard.verifier.differences import CONFLICTING, Difference

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from sentence_transformers import SentenceTransformer


VERSION = "2"
"""Part of the key of cached verdicts; change it with the rules from vectors to verdicts."""


def difference(statement: str, passage: str, evidence: Sequence[str]) -> Difference | None:
    """Return the first difference of fact between a statement and a passage, if there is one.

    That is a negation, number, name, opposite or exchange of roles in two texts that otherwise say
    the same.

    Args:
        statement: The statement.
        passage: A sentence, or a few.
        evidence: All cited windows. A name in them is known, though the passage may say "she".
    """
    for each in contrasts(statement, passage):
        known = not each.found and any(
            each.stated.casefold() in text.casefold() for text in evidence
        )
        if each.kind in CONFLICTING and not known:
            return Difference(each.stated, each.found)
    return None


_TEXTS_KEPT = 256  # several statements cite one source; finding its windows takes milliseconds
Place = tuple[Evidence, int, int]


class Similarity:
    """A judge by similarity: how close the nearest window of the evidence is to a statement.

    The evidence is split into windows of sentences, whose vectors are compared with the
    statement's by their cosine. A statement is supported if the nearest window reaches the
    threshold and does not differ in a fact: a different negation, number, name or opposite, or an
    exchange of roles, makes it `unsupported`, however close the two are. So does a cosine below the
    threshold; with `undecided_from`, one between the two makes it `undecided`. Nothing is ever
    `contradicted`.

    Similarity is no proof. A statement on the same subject that differs in a way that no fact rule
    detects is supported, and a true one that rests on two distant sentences is not.

    All statements of an answer are embedded in one call, and no text twice; the last 10,000 vectors
    are cached, for all checks with the same model. The model is loaded when it is first needed, and
    downloaded then if it is a name that is not yet on this machine; nothing else uses the network.

    Args:
        model: The name or folder of a `SentenceTransformer`, one that is loaded, or an `Embedder`.
        threshold: The least cosine with which a statement is supported, inclusive, above 0 and up
            to 1. The default was chosen for all-MiniLM-L6-v2; other models need their own.
        undecided_from: The least cosine with which it is undecided, inclusive; `None` for never.
        size: The most sentences of a window, which never has more than 1,000 characters.
        overlap: How many of them the next window repeats.
        timeout: Seconds that one answer may take, loading included; `None` for no limit.
        version: Names a model without a name, a `SentenceTransformer` or an `Embedder`, for a cache
            that outlives this object.
        cache: Where verdicts are kept; by default in memory, for the lifetime of this object.

    Attributes:
        settings: How it is asked.
        threshold: See above.

    Raises:
        CiteguardError: Not a model, or numbers out of range; and when first asked, if the model
            cannot be loaded.

    Examples:
        >>> from citeguard.judges.verdicts import Evidence
        >>> def embedder(texts):  # yours may be the name of a model
        ...     return [[text.count("month"), text.count("unch") + 0.1] for text in texts]
        >>> evidence = (Evidence(text="Notice is one month. Lunch is free.", source_id="handbook"),)
        >>> statements = ["A month is the notice.", "Notice is two months."]
        >>> questions = [SupportQuestion(statement=each, evidence=evidence) for each in statements]
        >>> month, months = Similarity(embedder).judge(questions)
        >>> month.outcome, month.span
        ('supported', Span(source_id='handbook', start=0, end=20))
        >>> months.outcome, months.reason
        ('unsupported', 'It says "two" where the passage says "one".')
    """

    def __init__(
        self,
        model: str | os.PathLike[str] | SentenceTransformer | Embedder,
        *,
        threshold: float = 0.6,
        undecided_from: float | None = None,
        size: int = 1,
        overlap: int = 0,
        timeout: float | None = None,
        version: str | None = None,
        cache: VerdictCache | None = None,
    ) -> None:
        check_number("Similarity(threshold=...)", threshold, 0, 1, above=True)
        if undecided_from is not None:
            check_number("Similarity(undecided_from=...)", undecided_from, -1, threshold)
        check_windows("Similarity", size, overlap)
        check_text("Similarity(version=...)", version)
        self._windows = Windows(size=size, overlap=overlap)
        self._vectors = vectors_of(model)
        self.threshold, self._undecided_from = threshold, undecided_from
        self.settings = local_settings(
            *(threshold, undecided_from, size, overlap, VERSION, differences.VERSION),
            model=version or getattr(self._vectors.embedder, "version", None),
            cache=cache,
            timeout=timeout,
        )

    def __repr__(self) -> str:
        """Name the model and the threshold."""
        return f"Similarity({self._vectors}, threshold={self.threshold})"

    @property
    def name(self) -> str:
        """Its name in verdicts: the model's, or the last part of a folder."""
        return self._vectors.name

    def judge(self, questions: Sequence[SupportQuestion]) -> list[Verdict]:
        """Return the verdicts, from one call of the embedder with all new texts.

        Raises:
            JudgeFailedError: The embedder returned no array, or one of another shape.
            CiteguardError: The model cannot be used.
        """
        cases = [_Windowed(question, self._windows) for question in questions]
        texts = list(dict.fromkeys(text for case in cases for text in case.texts))
        cut_off = self._cut_off([case.statement for case in cases if not case.obstacle])
        try:
            rows = dict(zip(texts, self._vectors(texts), strict=True))
        except EmbeddingFailedError as error:
            raise JudgeFailedError(str(error)) from error
        return [
            self._undecided("the statement is longer than the model reads")
            if case.statement in cut_off
            else self._verdict(case, rows)
            for case in cases
        ]

    def _cut_off(self, statements: Sequence[str]) -> set[str]:
        return set(compress(statements, self._vectors.cut_off(statements)))

    def _verdict(self, case: _Windowed, rows: Mapping[str, NDArray[np.float32]]) -> Verdict:
        if case.obstacle:
            return self._undecided(case.obstacle)
        cosines = [float(rows[text] @ rows[case.statement]) for text in case.windows]
        finite = [place for place, cosine in enumerate(cosines) if not math.isnan(cosine)]
        best = max(finite, key=cosines.__getitem__, default=None)
        # A window without a vector might be nearer, but need not be if this one is near enough.
        if best is None or (len(finite) < len(cosines) and cosines[best] < self.threshold):
            failed = (
                f"{len(cosines) - len(finite)} of {len(cosines)} passages, or for the statement"
            )
            return self._undecided(f"the model gave no vector for {failed}")
        return self._compared(case, _Nearest(*case.places[best], cosines[best]))

    def _compared(self, case: _Windowed, nearest: _Nearest) -> Verdict:
        """Return the verdict by the nearest window."""
        reached = f"similarity {nearest.cosine:.2f}; {self.threshold:.2f} is needed"
        if nearest.cosine >= self.threshold:
            different = difference(case.statement, nearest.text, case.windows)
            if different is not None:
                return self._decided("unsupported", different.reason, nearest)
            return self._decided("supported", f"A passage says much the same ({reached}).", nearest)
        if self._undecided_from is not None and nearest.cosine >= self._undecided_from:
            reason = f"the nearest passage is neither near nor far ({reached})"
            return self._decided("undecided", reason, nearest)
        reason = f"No passage says much the same (of the nearest: {reached})."
        return self._decided("unsupported", reason, nearest)

    def _decided(self, outcome: Outcome, reason: str, nearest: _Nearest) -> Verdict:
        return Verdict(
            outcome,
            reason=reason,
            score=min(1.0, max(0.0, nearest.cosine)),
            words=nearest.text,
            span=nearest.span,
            judge=self.name,
        )

    def _undecided(self, reason: str) -> Verdict:
        return Verdict("undecided", reason=reason, judge=self.name)


class _Nearest(NamedTuple):
    """A window of the evidence, and its cosine."""

    evidence: Evidence
    start: int
    end: int
    cosine: float

    @property
    def text(self) -> str:
        return self.evidence.text[self.start : self.end]

    @property
    def span(self) -> Span | None:
        return self.evidence.span(self.start, self.end)


class _Windowed:
    """A question as texts to embed: the statement, and the windows of its evidence."""

    __slots__ = ("obstacle", "places", "statement", "windows")

    def __init__(self, question: SupportQuestion, windows: Windows) -> None:
        self.statement = question.statement
        self.places: list[Place] = [
            (evidence, start, end)
            for evidence in question.evidence
            for start, end in _intervals(evidence.text, windows)
        ]
        self.windows = [evidence.text[start:end] for evidence, start, end in self.places]
        self.obstacle = _obstacle(self.statement, self.windows)

    @property
    def texts(self) -> list[str]:
        """What is to be embedded."""
        return [] if self.obstacle else [self.statement, *self.windows]


def _obstacle(statement: str, windows: Sequence[str]) -> str:
    if not has_words(statement):
        return "the statement has no words"
    if not windows:
        return "there is no evidence"
    if len(statement) > LONGEST:
        return f"the statement is longer than {LONGEST:,} characters, which no sentence is like"
    return ""


@lru_cache(maxsize=_TEXTS_KEPT)
def _intervals(text: str, windows: Windows) -> tuple[Interval, ...]:
    return windows.cut(text)
