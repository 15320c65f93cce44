"""A model that tells entailment as a judge: `Entailment`."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from citeguard.errors import CiteguardError, check_number, check_text, check_whole
from citeguard.judges.cache import VerdictCache
from citeguard.judges.entailment.labels import Probabilities
from citeguard.judges.entailment.models import (
    CrossEncoderModel,
    EntailmentModel,
    is_cross_encoder,
)
from citeguard.judges.entailment.premises import Premise, Selection
from citeguard.judges.entailment.scores import PairScores
from citeguard.judges.judge import local_settings
from citeguard.judges.verdicts import Outcome, SupportQuestion, Verdict
from citeguard.language.excerpts import as_json
from citeguard.language.tokens import has_words
from citeguard.retrieval.models import is_of_package, shown
from citeguard.retrieval.passages import check_windows

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder

VERSION = "1"
"""Changes with what the check makes of the same probabilities: verdicts are kept under it."""

_NEAR = 0.5  # of the relevance of the most relevant window, from which one may contradict
_SHOWN = 200  # characters of a passage in a reason

Read = tuple[Premise, Probabilities]


class Entailment:
    """An entailment model (NLI) that is asked whether evidence supports statements.

    The evidence is cut into windows of sentences, and those that share the most terms with a
    statement are read. One window that entails it is enough to support it. It is contradicted if
    no window entails it, and the window that the model is surest of contradicts it, among those
    that have at least half as much to do with it as the best; if no model of three ways says so, it
    never is. It is `unsupported` if the model finds the windows neutral, and `undecided` if the
    model leans to one side and not enough, if it gives NaN, or if a statement and a window are
    together longer than it reads.

    All statements of an answer are put through the model in one pass, the longest pairs first, and
    no pair twice; the pairs used last (10,000) are kept. The model is loaded when it is first
    needed, and downloaded then if it is a name that has not been; nothing else uses the network.

    What is said only by several windows together is found only where all evidence has at most 1,000
    characters: it is then read in one piece, too.

    Args:
        model: The name or folder of a cross-encoder with labels of entailment, or that supports and
            does not support; a `sentence_transformers.CrossEncoder`; or an `EntailmentModel`.
        supported_from: The least probability of entailment with which a statement is supported,
            inclusive, above 0 and up to 1; it must also be likelier than a contradiction.
        contradicted_from: The least probability of a contradiction with which it is contradicted,
            alike.
        size: The most sentences of a window, which has never more than 1,000 characters.
        overlap: How many of them the next window repeats.
        passages: The most windows that are read for one statement.
        labels: What the model's outputs stand for, in their order, if its configuration does not
            say: `entailment`, `neutral`, `contradiction`, `not_entailment`.
        batch_size: How many pairs a cross-encoder reads at once.
        timeout: Seconds that one answer may take, loading included; `None` for ever.
        version: Names the model, for a cache that outlives this object, where it has no name: a
            `CrossEncoder` or an `EntailmentModel`.
        cache: Where verdicts are kept; by default in memory, as long as this object lives.

    Attributes:
        settings: How it is asked.

    Raises:
        CiteguardError: what is no model, numbers that make no sense; and when first asked, if the
            model cannot be loaded, is no classifier, or does not say what its outputs stand for.

    Examples:
        >>> from citeguard.judges.verdicts import Evidence
        >>> def model(pairs):  # yours may be the name of one: Entailment("cross-encoder/…")
        ...     return [[0.9, 0.1, 0.0] if "month" in premise else [0.1, 0.9, 0.0]
        ...             for premise, hypothesis in pairs]
        >>> evidence = (Evidence(text="Notice is one month.", source_id="handbook"),)
        >>> question = SupportQuestion(statement="It takes a month.", evidence=evidence)
        >>> (verdict,) = Entailment(model).judge([question])
        >>> verdict.outcome, verdict.score, verdict.span
        ('supported', 0.9, Span(source_id='handbook', start=0, end=20))
    """

    def __init__(
        self,
        model: str | os.PathLike[str] | CrossEncoder | EntailmentModel,
        *,
        supported_from: float = 0.5,
        contradicted_from: float = 0.5,
        size: int = 3,
        overlap: int = 1,
        passages: int = 4,
        labels: Sequence[str] | None = None,
        batch_size: int = 32,
        timeout: float | None = None,
        version: str | None = None,
        cache: VerdictCache | None = None,
    ) -> None:
        thresholds = {"supported_from": supported_from, "contradicted_from": contradicted_from}
        for name, value in thresholds.items():
            check_number(f"Entailment({name}=...)", value, 0, 1, above=True)
        check_windows("Entailment", size, overlap)
        check_whole("Entailment(passages=...)", passages, 1)
        check_whole("Entailment(batch_size=...)", batch_size, 1)
        check_text("Entailment(version=...)", version)
        self._model = _as_model(model, labels, batch_size)
        self._supported_from, self._contradicted_from = supported_from, contradicted_from
        self._selection = Selection(size=size, overlap=overlap, passages=passages)
        self._scores = PairScores(self._model)
        self.settings = local_settings(
            *(supported_from, contradicted_from, self._selection, VERSION),
            model=version or getattr(self._model, "version", None),
            cache=cache,
            timeout=timeout,
        )

    def __repr__(self) -> str:
        """Name the model and the thresholds."""
        model = (
            repr(self._model) if isinstance(self._model, CrossEncoderModel) else shown(self._model)
        )
        return (
            f"Entailment({model}, supported_from={self._supported_from}, "
            f"contradicted_from={self._contradicted_from})"
        )

    @property
    def name(self) -> str:
        """What it is called in verdicts: the model's name, of a folder its last part."""
        named = getattr(self._model, "name", None) or getattr(self._model, "__name__", None)
        return str(named or type(self._model).__name__)

    def judge(self, questions: Sequence[SupportQuestion]) -> list[Verdict]:
        """Return the verdicts, all from one pass of the model over what is new.

        Raises:
            JudgeFailedError: the model gave an array of another shape, or no probabilities.
            CiteguardError: the model cannot be used.
        """
        premises = [self._premises(question) for question in questions]
        known = self._scores(
            (premise.text, question.statement)
            for question, read in zip(questions, premises, strict=True)
            for premise in read
        )
        return [
            self._verdict([(each, known[each.text, question.statement]) for each in read], question)
            for question, read in zip(questions, premises, strict=True)
        ]

    def _premises(self, question: SupportQuestion) -> list[Premise]:
        return self._selection.premises(question) if has_words(question.statement) else []

    def _verdict(self, read: Sequence[Read], question: SupportQuestion) -> Verdict:
        if not read:
            there = has_words(question.statement)
            return self._undecided(
                "there is no evidence" if there else "the statement has no words"
            )
        told = [each for each in read if not math.isnan(each[1].entailment)]
        best = max(told, key=lambda each: each[1].entailment, default=None)
        if best is not None and self._supports(best[1]):
            return self._decided("supported", told, best)
        # All of it in one piece comes on top: its parts have been read.
        unread = [each for each in read if each not in told and not each[0].whole]
        if best is None or unread:
            return self._undecided(
                f"the model cannot tell of {len(unread)} of {len(read)} passages: they are, with "
                "the statement, longer than it reads, or it gave NaN"
            )
        return self._unsupporting(told, best)

    def _supports(self, found: Probabilities) -> bool:
        return found.entailment >= max(self._supported_from, found.contradiction)

    def _unsupporting(self, read: Sequence[Read], best: Read) -> Verdict:
        """Return the verdict where no window supports the statement."""
        least = _NEAR * max(premise.relevance for premise, _ in read)
        near = [each for each in read if each[0].relevance >= least]
        surest = max(near, key=lambda each: max(each[1].entailment, each[1].contradiction))
        _, neutral, contradiction = surest[1]
        if contradiction >= max(self._contradicted_from, surest[1].entailment):
            return self._decided("contradicted", read, surest)
        if best[1].entailment > max(best[1][1:]) or contradiction > neutral:
            leaning = f"entailment {best[1].entailment:.2f}, contradiction {contradiction:.2f}"
            return self._undecided(f"the model is not sure enough ({leaning})", best)
        return self._decided("unsupported", read, best)

    def _decided(self, outcome: Outcome, read: Sequence[Read], by: Read) -> Verdict:
        column = 2 if outcome == "contradicted" else 0
        premise = by[0]
        if premise.whole:  # point to the part of it that says most
            parts = [each for each in read if not each[0].whole]
            premise = max(parts, key=lambda each: each[1][column], default=by)[0]
        entailment = max(found.entailment for _, found in read)
        reason = _reason(outcome, premise, by[1], len(read))
        if outcome == "unsupported":
            return Verdict(outcome, reason=reason, score=entailment, judge=self.name)
        return Verdict(
            outcome,
            reason=reason,
            score=entailment,
            words=premise.text,
            span=premise.span,
            judge=self.name,
        )

    def _undecided(self, reason: str, best: Read | None = None) -> Verdict:
        score = None if best is None else best[1].entailment
        return Verdict("undecided", reason=reason, score=score, judge=self.name)


def _reason(outcome: Outcome, premise: Premise, found: Probabilities, read: int) -> str:
    if outcome == "supported":
        return f"The passage says so (entailment {found.entailment:.2f})."
    if outcome == "contradicted":
        return f"The passage says otherwise (contradiction {found.contradiction:.2f})."
    passages = "The passage does not say so" if read == 1 else f"None of {read} passages says so"
    return f"{passages}; the nearest is {as_json(premise.text, _SHOWN)}."


def _as_model(model: Any, labels: Sequence[str] | None, batch_size: int) -> EntailmentModel:
    if isinstance(model, (str, os.PathLike)) or is_cross_encoder(model):
        return CrossEncoderModel(model, labels=labels, batch_size=batch_size)
    if isinstance(model, type) or not callable(model) or is_of_package(model):
        raise CiteguardError(
            "Entailment(model) takes the name or folder of a cross-encoder, a CrossEncoder, or a "
            f"function of pairs that returns an array, not {model!r}"
        )
    if labels is not None:
        raise CiteguardError(
            "labels= is for cross-encoders; a function of your own returns entailment, neutral and "
            "contradiction, in this order"
        )
    return model
