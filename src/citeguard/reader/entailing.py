"""Models that read whether windows support a statement: the shipped reader, or the user's own.

Both give `Probabilities` of pairs, and combine those of all windows that were read for a statement.
"""

from __future__ import annotations

import math
import os
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from citeguard.reader.cross_encoder import EntailmentModel, Probabilities, entailment_model
from citeguard.reader.model import (
    Pair,
    Reader,
    is_installed,
    is_reader,
    probability,
    shipped_reader,
)
from citeguard.reader.windows import Window
from citeguard.retrieval.embeddings import as_floats

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder

_PAIRS_KEPT = 10_000
_SLACK = 0.01  # by which probabilities may miss a sum of 1
_FARTHEST = 8.0  # log odds beyond which a window is as sure as can be

Scored = Sequence[tuple[Window, Probabilities]]
"""The windows that were read for a statement, in the order of `windows`; none has NaN."""


class Support(NamedTuple):
    """How probable it is, by all that was read, that a statement is supported, or contradicted."""

    supported: float
    contradicted: float


class UnusableOutputError(Exception):
    """A model returned something else than probabilities."""


class Entailing(Protocol):
    """A model as `ReaderJudge` asks it."""

    @property
    def name(self) -> str:
        """Its name in verdicts."""
        ...

    @property
    def version(self) -> str | None:
        """A name of everything that its probabilities depend on; `None` if it has none."""
        ...

    @property
    def thresholds(self) -> Mapping[str, float]:
        """From where it decides: `supported_from`, `contradicted_from`, `unsupported_below`."""
        ...

    def read(self, pairs: Sequence[Pair]) -> list[Probabilities]:
        """Return the probabilities for pairs of a statement and a window, in order."""
        ...

    def combined(self, scored: Scored, *, differs: bool) -> Support:
        """Return what all windows say together; there is at least one.

        Args:
            scored: The windows.
            differs: Whether the best of them has another fact in the place of the statement's.
        """
        ...


def entailing(
    model: str | os.PathLike[str] | Reader | CrossEncoder | EntailmentModel | None,
    *,
    labels: Sequence[str] | None = None,
    batch_size: int = 32,
) -> Entailing | None:
    """Return the model that the arguments of `ReaderJudge` name.

    It is `None` if that is the shipped one, and its packages are not installed; a `CiteguardError`
    if they name none.
    """
    if model is None:
        return FittedReader(shipped_reader()) if is_installed() else None
    if isinstance(model, str | os.PathLike) and is_reader(model):
        return FittedReader(Reader(model))
    if isinstance(model, Reader):
        return FittedReader(model)
    return OwnModel(entailment_model(model, labels=labels, batch_size=batch_size))


class FittedReader:
    """A reader, with what was fitted to it on statements that it was not trained on."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def __repr__(self) -> str:
        """Show the reader."""
        return repr(self._reader)

    @property
    def name(self) -> str:
        """That of the reader."""
        return self._reader.name

    @property
    def version(self) -> str:
        """Changes with the weights, and with what was fitted."""
        return f"{self._reader.version} {self._fitted}"

    @property
    def thresholds(self) -> Mapping[str, float]:
        """Those that were fitted: see the model card."""
        return self._fitted["thresholds"]

    @property
    def _fitted(self) -> Mapping[str, Any]:
        return self._reader.settings["entails"]

    def read(self, pairs: Sequence[Pair]) -> list[Probabilities]:
        """Return the probabilities; NaN for a pair that is too long."""
        import numpy as np

        if not pairs:
            return []
        logits = self._reader.entails(pairs)
        powers = np.exp(logits - logits.max(axis=1, keepdims=True))
        shares = powers / powers.sum(axis=1, keepdims=True)
        return [
            Probabilities(supported, neither, contradicted)
            for supported, contradicted, neither in shares.tolist()
        ]

    def combined(self, scored: Scored, *, differs: bool) -> Support:
        """Return what a logistic model of few numbers makes of all windows."""
        measured = [1.0, *features(scored), float(differs)]

        def fitted(about: str) -> float:
            weights: Sequence[float] = self._fitted[about]
            return probability(weights, measured)

        return Support(fitted("supported"), fitted("contradicted"))


def features(scored: Scored) -> list[float]:
    """Return the numbers that a fitted reader weighs.

    Log odds of support in the best window, in the stitched one and in the best sentence; log odds
    of contradiction in the surest window, and in the stitched one; the relevance of the stitched
    window, and of the best sentence.
    """
    (stitched, first), (sentence, last) = scored[0], scored[-1]
    return [
        _log_odds(max(found.entailment for _, found in scored)),
        _log_odds(first.entailment),
        _log_odds(last.entailment),
        _log_odds(max(found.contradiction for _, found in scored)),
        _log_odds(first.contradiction),
        stitched.relevance,
        sentence.relevance,
    ]


def foremost(scored: Scored) -> tuple[Window, Window]:
    """Return the window that supports a statement most, and the one that contradicts it most."""
    support = max(scored, key=lambda each: each[1].entailment)[0]
    return support, max(scored, key=lambda each: each[1].contradiction)[0]


def _log_odds(probability: float) -> float:
    bounded = min(max(probability, 1e-9), 1 - 1e-9)
    return max(-_FARTHEST, min(_FARTHEST, math.log(bounded / (1 - bounded))))


class OwnModel:
    """An entailment model of the user's own: its probabilities count as they are."""

    thresholds: Mapping[str, float] = {
        "supported_from": 0.5,
        "contradicted_from": 0.5,
        "unsupported_below": 0.5,
    }

    def __init__(self, model: EntailmentModel) -> None:
        self._model = model
        self._kept: OrderedDict[Pair, Probabilities] = OrderedDict()
        # Around the model, too: tokenizers cannot be used by two threads at a time.
        self._lock = threading.Lock()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the model alone."""
        return OwnModel, (self._model,)

    def __repr__(self) -> str:
        """Name the model."""
        return str(getattr(self._model, "__name__", repr(self._model)))

    @property
    def name(self) -> str:
        """The name of the model, of a function, or of a class."""
        named = getattr(self._model, "name", None) or getattr(self._model, "__name__", None)
        return str(named or type(self._model).__name__)

    @property
    def version(self) -> str | None:
        """That of the model, if it has one."""
        return getattr(self._model, "version", None)

    def read(self, pairs: Sequence[Pair]) -> list[Probabilities]:
        """Return the probabilities; NaN where the model fails.

        Raises:
            UnusableOutputError: The model returned something else.
            CiteguardError: The model is misconfigured.
        """
        with self._lock:
            # The longest first, so that the pairs of a batch are of similar length.
            new = [pair for pair in dict.fromkeys(pairs) if pair not in self._kept]
            new.sort(key=lambda pair: len(pair[0]) + len(pair[1]), reverse=True)
            known = {pair: self._kept[pair] for pair in pairs if pair in self._kept}
            if new:
                turned = [(passage, statement) for statement, passage in new]
                known |= zip(new, _checked(self._model(turned), len(new)), strict=True)
            for pair in known:
                # Pairs with NaN are run again: the failure need not be permanent.
                if not math.isnan(known[pair].entailment):
                    self._kept[pair] = known[pair]
                    self._kept.move_to_end(pair)
            while len(self._kept) > _PAIRS_KEPT:
                self._kept.popitem(last=False)
        return [known[pair] for pair in pairs]

    def combined(self, scored: Scored, *, differs: bool) -> Support:
        """Return the greatest probability of support, and that of contradiction."""
        return Support(
            max(found.entailment for _, found in scored),
            max(found.contradiction for _, found in scored),
        )


def _checked(given: Any, count: int) -> list[Probabilities]:
    """Return the rows of a model's array; a row that is not finite becomes NaN."""
    import numpy as np

    try:
        rows = as_floats(given)
    except (TypeError, ValueError) as error:
        raise UnusableOutputError("the model returned no array of numbers") from error
    rows = rows.reshape(-1, 1) if rows.ndim == 1 else rows
    if rows.shape == (count, 1):
        rows = np.column_stack([rows, 1 - rows, np.zeros(count)])
    if rows.shape != (count, 3):
        raise UnusableOutputError(
            f"the model returned an array of shape {rows.shape} for {count} pairs, not ({count}, 3)"
        )
    rows[~np.isfinite(rows).all(axis=1)] = np.nan
    finite = rows[~np.isnan(rows[:, 0])]
    if ((finite < 0) | (finite > 1)).any() or (abs(finite.sum(axis=1) - 1) > _SLACK).any():
        raise UnusableOutputError("the model returned numbers that are not probabilities")
    return [Probabilities(*row) for row in rows.tolist()]
