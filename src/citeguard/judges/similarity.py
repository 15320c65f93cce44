"""Sentence embeddings as a judge: `Similarity`."""

from __future__ import annotations

import math
import os
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from itertools import compress
from typing import TYPE_CHECKING

from citeguard.errors import check_number, check_text
from citeguard.facts.aligned import differences
from citeguard.judges.cache import VerdictCache
from citeguard.judges.verdicts import (
    Evidence,
    JudgeFailedError,
    Outcome,
    SupportQuestion,
    Verdict,
    local_settings,
)
from citeguard.language.sentences import LONGEST
from citeguard.language.tokens import has_words
from citeguard.retrieval.embeddings import Embedder, EmbeddingFailedError, vectors_of
from citeguard.retrieval.passages import Windows

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from sentence_transformers import SentenceTransformer


VERSION = "3"
"""Part of the key of cached verdicts; change it with the rules from vectors to verdicts."""


# Several statements cite one source, and finding its windows takes milliseconds.
_intervals = lru_cache(maxsize=256)(Windows.cut)


class Similarity:
    """A judge by similarity: how close the nearest window of the evidence is to a statement.

    The evidence is split into windows of sentences, whose vectors are compared with the
    statement's by their cosine. A statement is supported if the nearest window reaches the
    threshold and has no other number, unit, negation or name at the same place: that makes it
    `unsupported`, however close the two are. So does a cosine below the threshold; with
    `undecided_from`, one between the two makes it `undecided`. Nothing is ever `contradicted`.

    Similarity is not proof. A statement on the same subject that says something else is supported,
    and a true one that rests on two distant sentences is not.

    All statements of an answer are embedded in one call, and no text twice. The model is loaded
    when it is first needed, and downloaded then if it is a name that is not on this machine.

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
        ('unsupported', "It says 'two months' where the source says 'one month'.")
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
        check_text("Similarity(version=...)", version)
        self._windows = Windows(size=size, overlap=overlap)
        self._vectors = vectors_of(model)
        self.threshold, self._undecided_from = threshold, undecided_from
        self.settings = local_settings(
            *(threshold, undecided_from, size, overlap, VERSION),
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
        """Return the verdicts, from one call of the embedder with all new texts."""
        cases: list[tuple[str, dict[str, tuple[Evidence, int]]]] = []
        for question in questions:
            windows: dict[str, tuple[Evidence, int]] = {}  # each with where it is first
            for evidence in question.evidence:
                for start, end in _intervals(self._windows, evidence.text):
                    windows.setdefault(evidence.text[start:end], (evidence, start))
            cases.append((question.statement, windows))
        obstacles = [_obstacle(*case) for case in cases]
        clear = [case for case, obstacle in zip(cases, obstacles, strict=True) if not obstacle]
        statements = [statement for statement, _ in clear]
        # The vector of a text that the model cuts off is that of its beginning.
        cut_off = set(compress(statements, self._vectors.cut_off(statements)))
        texts = dict.fromkeys(text for said, read in clear for text in (said, *read))
        try:
            rows = dict(zip(texts, self._vectors([*texts]), strict=True))
        except EmbeddingFailedError as error:
            raise JudgeFailedError(str(error)) from error
        too_long = "the statement is longer than the model reads"
        return [
            self._undecided(obstacle or too_long)
            if obstacle or statement in cut_off
            else self._verdict(statement, windows, rows)
            for (statement, windows), obstacle in zip(cases, obstacles, strict=True)
        ]

    def _verdict(
        self,
        statement: str,
        windows: Mapping[str, tuple[Evidence, int]],
        rows: Mapping[str, NDArray[np.float32]],
    ) -> Verdict:
        cosines = {text: float(rows[text] @ rows[statement]) for text in windows}
        finite = [text for text, cosine in cosines.items() if not math.isnan(cosine)]
        best = max(finite, key=cosines.__getitem__, default="")
        # A window without a vector might be nearer, but need not be if this one is near enough.
        if not finite or (len(finite) < len(cosines) and cosines[best] < self.threshold):
            failed = f"{len(cosines) - len(finite)} of {len(cosines)} passages"
            return self._undecided(f"the model gave no vector for {failed}, or for the statement")
        evidence, start = windows[best]
        outcome, reason = self._outcome(statement, best, cosines[best])
        return Verdict(
            outcome,
            reason=reason,
            # A cosine may be negative, or above 1 by rounding.
            score=min(1.0, max(0.0, cosines[best])),
            words=best,
            span=evidence.span(start, start + len(best)),
            judge=self.name,
        )

    def _outcome(self, statement: str, nearest: str, cosine: float) -> tuple[Outcome, str]:
        """Return the outcome by the nearest window, and the reason."""
        reached = f"similarity {cosine:.2f}; {self.threshold:.2f} is needed"
        if cosine >= self.threshold:
            if found := differences(statement, nearest):
                reason = found[0].reason
                return "unsupported", f"{reason[0].upper()}{reason[1:]}."
            return "supported", f"A passage says much the same ({reached})."
        if self._undecided_from is not None and cosine >= self._undecided_from:
            return "undecided", f"the nearest passage is neither near nor far ({reached})"
        return "unsupported", f"No passage says much the same (of the nearest: {reached})."

    def _undecided(self, reason: str) -> Verdict:
        return Verdict("undecided", reason=reason, judge=self.name)


def _obstacle(statement: str, windows: Collection[str]) -> str:
    if not has_words(statement):
        return "the statement has no words"
    if not windows:
        return "there is no evidence"
    if len(statement) > LONGEST:
        return f"the statement is longer than {LONGEST:,} characters, which no sentence is like"
    return ""
