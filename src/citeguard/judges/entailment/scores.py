"""The probabilities of pairs: each computed once, all new ones of a call in one pass."""

from __future__ import annotations

import math
import threading
from collections import OrderedDict
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from citeguard.judges.entailment.labels import Probabilities
from citeguard.judges.entailment.models import EntailmentModel, Pair
from citeguard.judges.judge import JudgeFailedError
from citeguard.retrieval.models import as_floats

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_PAIRS_KEPT = 10_000
_SLACK = 0.01  # by which three probabilities may miss the sum of 1


class PairScores:
    """Asks an entailment model about pairs, and keeps what it said of those used last."""

    def __init__(self, model: EntailmentModel, *, size: int = _PAIRS_KEPT) -> None:
        self._model = model
        self._size = size
        self._kept: OrderedDict[Pair, Probabilities] = OrderedDict()
        # Around the model, too: tokenizers cannot be used by two threads at a time.
        self._lock = threading.Lock()

    def __call__(self, pairs: Iterable[Pair]) -> dict[Pair, Probabilities]:
        """Return the probabilities of pairs.

        Raises:
            JudgeFailedError: the model gave something else.
            CiteguardError: the model's set-up is wrong.
        """
        wanted = list(dict.fromkeys(pairs))
        with self._lock:
            known = {pair: self._kept[pair] for pair in wanted if pair in self._kept}
            # The longest first, so that those of one batch are about as long.
            new = sorted((pair for pair in wanted if pair not in known), key=_length)
            if new:
                known |= zip(new, _checked(self._model(new), len(new)), strict=True)
            self._keep(known)
        return known

    def _keep(self, used: dict[Pair, Probabilities]) -> None:
        # A model that could not tell may be asked again: its fault need not be a lasting one.
        told = {pair: each for pair, each in used.items() if not math.isnan(each.entailment)}
        for pair, probabilities in told.items():
            self._kept[pair] = probabilities
            self._kept.move_to_end(pair)
        while len(self._kept) > self._size:
            self._kept.popitem(last=False)


def _length(pair: Pair) -> int:
    return -len(pair[0]) - len(pair[1])


def _checked(given: Any, count: int) -> list[Probabilities]:
    """Return the rows of a model's array; a row that is not finite is NaN throughout."""
    import numpy as np

    try:
        rows = as_floats(given)
    except (TypeError, ValueError) as error:
        raise JudgeFailedError("the model gave no array of numbers") from error
    rows = _three_columns(rows[:, None] if rows.ndim == 1 else rows, count)
    rows[~np.isfinite(rows).all(axis=1)] = np.nan
    finite = rows[~np.isnan(rows[:, 0])]
    if ((finite < 0) | (finite > 1)).any() or (abs(finite.sum(axis=1) - 1) > _SLACK).any():
        raise JudgeFailedError("the model gave numbers that are no probabilities")
    return [Probabilities(*row) for row in rows.tolist()]


def _three_columns(rows: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    import numpy as np

    if rows.shape == (count, 1):
        return np.column_stack([rows[:, 0], 1 - rows[:, 0], np.zeros(count)])
    if rows.shape != (count, 3):
        raise JudgeFailedError(
            f"the model gave an array of shape {rows.shape} for {count} pairs, not ({count}, 3)"
        )
    return rows.copy()
