"""What stores on database servers check and convert alike: vectors, and texts that not all take."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from citeguard.errors import CiteguardError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_SURROGATE = re.compile("[\ud800-\udfff]")
_SURROGATE_OR_NUL = re.compile("[\0\ud800-\udfff]")


def checked_vectors(
    owner: str, passages: Sequence[object], vectors: Any
) -> NDArray[np.float32] | None:
    """Return vectors as they are kept, rounded to half precision; NaN or infinite where they are.

    Args:
        owner: The class that was called.
        passages: The passages that they belong to.
        vectors: Shape (n, d), or `None`.

    Raises:
        CiteguardError: they are not a row of numbers for each passage.
    """
    import numpy as np

    if vectors is None:
        return None
    rows = np.asarray(vectors)
    if rows.ndim != 2 or len(rows) != len(passages) or (len(rows) and not rows.shape[1]):
        raise CiteguardError(
            f"{owner}.put(vectors): expected a row for each of {len(passages)} passages, got an "
            f"array of shape {rows.shape}"
        )
    with np.errstate(all="ignore"):  # NaN, and what is too large
        return rows.astype(np.float16).astype(np.float32)


def checked_query(owner: str, vector: Any) -> NDArray[np.float32]:
    """Return the vector of a query.

    Raises:
        CiteguardError: it is not one vector of finite numbers.
    """
    import numpy as np

    query = np.asarray(vector, np.float32)
    if query.ndim != 1 or not np.isfinite(query).all():
        raise CiteguardError(
            f"{owner}.nearest(vector): expected one vector of finite numbers, got an array of "
            f"shape {query.shape}"
        )
    return query


def different_width(owner: str, given: int, kept: int) -> CiteguardError:
    """Return the error for a vector that cannot be compared with those that are kept."""
    return CiteguardError(
        f"{owner}: the vectors that are kept have {kept} numbers, and a vector of {given} cannot "
        "be compared with them; use the same embedder, or delete all documents and add them again"
    )


def kept_text(text: str, *, nul: bool) -> tuple[str, bytes | None]:
    r"""Return a text without what a server does not store; and as bytes, if it has some of it.

    Args:
        text: The text.
        nul: Whether the server stores NUL.

    Examples:
        >>> kept_text("free", nul=False), kept_text("a\ud800", nul=True)
        (('free', None), ('a�', b'a\xed\xa0\x80'))
    """
    refused = _SURROGATE if nul else _SURROGATE_OR_NUL
    if not refused.search(text):
        return text, None
    return refused.sub("�", text), text.encode("utf-8", "surrogatepass")


def read_text(text: str, raw: bytes | None) -> str:
    """Return the text of which `kept_text` made these."""
    return text if raw is None else raw.decode("utf-8", "surrogatepass")
