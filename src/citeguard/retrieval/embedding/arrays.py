"""What models give, read as numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def as_floats(given: Any) -> NDArray[np.float64]:
    """Return an array, a tensor or nested lists as an array of floats; NaN for what is masked.

    Raises:
        TypeError, ValueError: it is no array of real numbers.
    """
    import numpy as np

    masked: Any = np.ma.getmaskarray(given) if np.ma.isMaskedArray(given) else None
    read: NDArray[Any] = np.asarray(given)
    if np.iscomplexobj(read):
        raise TypeError("its numbers are complex")
    floats = read.astype(np.float64)
    if masked is not None:
        floats[masked] = np.nan
    return floats
