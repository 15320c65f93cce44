"""An entailment model (NLI) as a judge: `Entailment`."""

from __future__ import annotations

import math
import os
import threading
from collections import Counter, OrderedDict
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from citeguard.entailment.choice import entailment_model
from citeguard.entailment.cross_encoder import EntailmentModel, Pair, Probabilities
from citeguard.errors import check_number, check_text, check_whole
from citeguard.judges.cache import VerdictCache
from citeguard.judges.judge import JudgeFailedError, local_settings
from citeguard.judges.verdicts import Outcome, SupportQuestion, Verdict
from citeguard.language.excerpts import as_json
from citeguard.language.terms import terms
from citeguard.language.tokens import has_words
from citeguard.language.windows import LONGEST, sentence_windows
from citeguard.retrieval.models import as_floats, shown
from citeguard.retrieval.passages import check_windows
from citeguard.sources.collection import Span

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder


_TEXTS_KEPT = 256  # several statements cite one source; finding its windows takes milliseconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Premise:
    """A window of the evidence that the model reads.

    Attributes:
        text: The window.
        span: Where it is in a source; `None` if in no source, or in several places.
        relevance: The share of the statement's terms that it has, weighted by rarity, 0 to 1.
        whole: Whether it is all of the evidence in one piece, of which other premises are parts.
    """

    text: str
    span: Span | None
    relevance: float
    whole: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Which windows of the evidence the model reads.

    Attributes:
        size: The most sentences of a window.
        overlap: How many of them the next window repeats.
        passages: The most windows that are read for one statement.
    """

    size: int
    overlap: int
    passages: int

    def premises(self, question: SupportQuestion) -> list[Premise]:
        """Return the windows to read, the most relevant first; none if the evidence is blank.

        The relevant ones share the most terms with the statement, each term weighted by how few
        windows have it. Evidence of several windows that is short enough for one is also read in
        one piece: its sentences may support together what none of them supports alone.
        """
        windows = [
            (evidence, *window)
            for evidence in question.evidence
            for window in _windows(evidence.text, self.size, self.overlap)
        ]
        counts = Counter(key for *_, keys in windows for key in keys)
        weights = {
            key: math.log(1 + len(windows) / max(0.5, counts[key]))
            for key in term_keys(question.statement)
        }
        total = math.fsum(weights.values())

        def premise(text: str, span: Span | None, keys: Set[str], *, whole: bool) -> Premise:
            shared = math.fsum(weights[key] for key in weights.keys() & keys)
            return Premise(
                text=text, span=span, relevance=shared / total if total else 0.0, whole=whole
            )

        premises = [
            premise(evidence.text[start:end], evidence.span(start, end), keys, whole=False)
            for evidence, start, end, keys in windows
        ]
        relevant = sorted(premises, key=lambda each: -each.relevance)[: self.passages]
        read = [evidence for evidence in question.evidence if evidence.text.strip()]
        text = "\n".join(evidence.text for evidence in read)
        if len(windows) > 1 and len(text) <= LONGEST:
            span = read[0].span(0, len(text)) if len(read) == 1 else None
            relevant.insert(0, premise(text, span, counts.keys(), whole=True))
        return relevant


@lru_cache(maxsize=_TEXTS_KEPT)
def _windows(text: str, size: int, overlap: int) -> tuple[tuple[int, int, frozenset[str]], ...]:
    """Return the windows of a text, each with its terms."""
    return tuple(
        (start, end, term_keys(text[start:end]))
        for start, end in sentence_windows(text, size=size, overlap=overlap)
    )


@lru_cache(maxsize=_TEXTS_KEPT)
def term_keys(text: str) -> frozenset[str]:
    """Return the terms of a text."""
    return frozenset(term.key for term in terms(text))


def forget() -> None:
    """Drop what is cached of texts, to measure a first use."""
    _windows.cache_clear()
    term_keys.cache_clear()


_PAIRS_KEPT = 10_000
_SLACK = 0.01  # by which the sum of three probabilities may differ from 1


class PairScores:
    """Runs an entailment model on pairs, and caches the probabilities of those used last."""

    def __init__(self, model: EntailmentModel, *, size: int = _PAIRS_KEPT) -> None:
        self._model = model
        self._size = size
        self._kept: OrderedDict[Pair, Probabilities] = OrderedDict()
        # Around the model, too: tokenizers cannot be used by two threads at a time.
        self._lock = threading.Lock()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the model alone."""
        return PairScores, (self._model,)

    def __call__(self, pairs: Iterable[Pair]) -> dict[Pair, Probabilities]:
        """Return the probabilities of pairs.

        Raises:
            JudgeFailedError: The model returned something else.
            CiteguardError: The model is misconfigured.
        """
        wanted = list(dict.fromkeys(pairs))
        with self._lock:
            known = {pair: self._kept[pair] for pair in wanted if pair in self._kept}
            # The longest first, so that the pairs of a batch are of similar length.
            new = [pair for pair in wanted if pair not in known]
            new.sort(key=lambda pair: len(pair[0]) + len(pair[1]), reverse=True)
            if new:
                known |= zip(new, _checked(self._model(new), len(new)), strict=True)
            for pair, probabilities in known.items():
                # Pairs with NaN are run again: the failure need not be permanent.
                if not math.isnan(probabilities.entailment):
                    self._kept[pair] = probabilities
                    self._kept.move_to_end(pair)
            while len(self._kept) > self._size:
                self._kept.popitem(last=False)
        return known


def _checked(given: Any, count: int) -> list[Probabilities]:
    """Return the rows of a model's array; a row that is not finite becomes NaN."""
    import numpy as np

    try:
        rows = as_floats(given)
    except (TypeError, ValueError) as error:
        raise JudgeFailedError("the model returned no array of numbers") from error
    rows = rows.reshape(-1, 1) if rows.ndim == 1 else rows
    if rows.shape == (count, 1):
        rows = np.column_stack([rows, 1 - rows, np.zeros(count)])
    if rows.shape != (count, 3):
        raise JudgeFailedError(
            f"the model returned an array of shape {rows.shape} for {count} pairs, not ({count}, 3)"
        )
    rows[~np.isfinite(rows).all(axis=1)] = np.nan
    finite = rows[~np.isnan(rows[:, 0])]
    if ((finite < 0) | (finite > 1)).any() or (abs(finite.sum(axis=1) - 1) > _SLACK).any():
        raise JudgeFailedError("the model returned numbers that are not probabilities")
    return [Probabilities(*row) for row in rows.tolist()]


VERSION = "1"
"""Part of the key of cached verdicts; change it with the rules from probabilities to verdicts."""

_NEAR = 0.5  # share of the best window's relevance from which a window may contradict
_SHOWN = 200  # characters of a passage in a reason

Read = tuple[Premise, Probabilities]


class Entailment:
    """An entailment model (NLI) that decides whether evidence supports statements.

    The evidence is split into windows of sentences, and the model reads those that share the most
    terms with a statement. A statement is `supported` if one window entails it. It is
    `contradicted` if no window entails it and, of the windows with at least half the relevance of
    the best one, the one that the model is surest about contradicts it; this needs a model with
    three labels. It is `unsupported` if the model finds the windows neutral, and `undecided` if the
    model leans to one side without reaching a threshold, if it returns NaN, or if a statement and a
    window together are longer than it reads.

    All statements of an answer go through the model in one pass, the longest pairs first, and no
    pair twice; the last 10,000 pairs are cached. The model is loaded when it is first needed, and
    downloaded then if it is a name that is not yet on this machine; nothing else uses the network.
    A cross-encoder needs the extra `semantic`, an exported model the extra `entailment`.

    Support by several windows together is found only if all of the evidence has at most 1,000
    characters: it is then also read in one piece.

    Args:
        model: The name or folder of a cross-encoder for entailment or for support, a folder that
            `citeguard.training.export_onnx` wrote, a `sentence_transformers.CrossEncoder`, or an
            `EntailmentModel`.
        supported_from: The least probability of entailment with which a statement is supported,
            inclusive, above 0 and up to 1; it must also be likelier than a contradiction.
        contradicted_from: The least probability of a contradiction with which it is contradicted,
            in the same way.
        size: The most sentences of a window, which never has more than 1,000 characters.
        overlap: How many of them the next window repeats.
        passages: The most windows that are read for one statement.
        labels: What the model's outputs stand for, in their order, if its configuration does not
            say: `entailment`, `neutral`, `contradiction`, `not_entailment`.
        batch_size: How many pairs a cross-encoder reads at once.
        timeout: Seconds that one answer may take, loading included; `None` for no limit.
        version: Names a model without a name, a `CrossEncoder` or an `EntailmentModel`, for a cache
            that outlives this object.
        cache: Where verdicts are kept; by default in memory, for the lifetime of this object.

    Attributes:
        settings: How it is asked.

    Raises:
        CiteguardError: Not a model, or numbers out of range; and when first asked, if the model
            cannot be loaded, is not a classifier, or has unknown labels.

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
        self._model = entailment_model(model, labels=labels, batch_size=batch_size)
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
        return (
            f"Entailment({shown(self._model)}, supported_from={self._supported_from}, "
            f"contradicted_from={self._contradicted_from})"
        )

    @property
    def name(self) -> str:
        """Its name in verdicts: the model's, or the last part of a folder."""
        named = getattr(self._model, "name", None) or getattr(self._model, "__name__", None)
        return str(named or type(self._model).__name__)

    def judge(self, questions: Sequence[SupportQuestion]) -> list[Verdict]:
        """Return the verdicts, from one pass of the model over all new pairs.

        Raises:
            JudgeFailedError: The model returned another shape, or no probabilities.
            CiteguardError: The model cannot be used.
        """
        premises = [
            self._selection.premises(question) if has_words(question.statement) else []
            for question in questions
        ]
        known = self._scores(
            (premise.text, question.statement)
            for question, read in zip(questions, premises, strict=True)
            for premise in read
        )
        return [
            self._verdict([(each, known[each.text, question.statement]) for each in read], question)
            for question, read in zip(questions, premises, strict=True)
        ]

    def _verdict(self, read: Sequence[Read], question: SupportQuestion) -> Verdict:
        if not has_words(question.statement):
            return self._undecided("the statement has no words")
        if not read:
            return self._undecided("there is no evidence")
        finite = [each for each in read if not math.isnan(each[1].entailment)]
        best = max(finite, key=lambda each: each[1].entailment, default=None)
        if best and best[1].entailment >= max(self._supported_from, best[1].contradiction):
            return self._decided("supported", finite, best)
        # The evidence in one piece does not count: its parts have been read.
        unread = [each for each in read if each not in finite and not each[0].whole]
        if best is None or unread:
            return self._undecided(
                f"the model could not judge {len(unread)} of {len(read)} passages: with the "
                "statement they are longer than it reads, or it returned NaN"
            )
        return self._unsupporting(finite, best)

    def _unsupporting(self, read: Sequence[Read], best: Read) -> Verdict:
        """Return the verdict when no window supports the statement."""
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
        if premise.whole:  # show the part of it with the highest probability
            parts = [each for each in read if not each[0].whole]
            premise = max(parts, key=lambda each: each[1][column], default=by)[0]
        verdict = Verdict(
            outcome,
            reason=_reason(outcome, premise, by[1], len(read)),
            score=max(found.entailment for _, found in read),
            judge=self.name,
        )
        if outcome == "unsupported":
            return verdict
        return replace(verdict, words=premise.text, span=premise.span)

    def _undecided(self, reason: str, best: Read | None = None) -> Verdict:
        score = None if best is None else best[1].entailment
        return Verdict("undecided", reason=reason, score=score, judge=self.name)


def _reason(outcome: Outcome, premise: Premise, found: Probabilities, read: int) -> str:
    if outcome == "supported":
        return f"The passage supports it (entailment {found.entailment:.2f})."
    if outcome == "contradicted":
        return f"The passage contradicts it (contradiction {found.contradiction:.2f})."
    passages = "The passage does not say so" if read == 1 else f"None of {read} passages says so"
    return f"{passages}; the nearest is {as_json(premise.text, _SHOWN)}."
