"""Vectors of texts from vectors of words: `SIFEmbedder`, and `read_word_vectors` for its files."""

from __future__ import annotations

import math
import os
import re
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import shake_256
from typing import TYPE_CHECKING, Any, cast

from citeguard.errors import CiteguardError, check_number, check_whole
from citeguard.language import tokens
from citeguard.retrieval.models import as_floats

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_CLITIC = re.compile(r"(?<=.)(n't|'(?:s|re|ve|ll|d|m))$")
_LEAST_LEFT = 1e-6  # of a vector's length; less is what rounding leaves of the common component


class SIFEmbedder:
    """Averages of word vectors, without their common component, as an `Embedder`.

    The vector of a text is the mean of its words' vectors, each weighted by a / (a + p(w)), where
    p(w) is the probability of the word. Its projection on the first principal component of a sample
    of texts is subtracted. Order and grammar do not count. No model is called.

    The component is fitted to `texts` at construction and never changes: a passage and a query get
    the same one, whichever is embedded first, and the same arguments give the same vectors. An
    embedder is immutable, so threads may share it. A matrix is not copied, whatever its type; a
    mapping is copied into one matrix of 32-bit floats.

    - A word without a vector gets a pseudo-random one, made from a digest of the word, the same in
      every process, whose length is the root mean square of the others'. So texts that share a rare
      name are closer, and different unknown words are nearly orthogonal.
    - A word without a probability has weight 1.
    - A text without a word, such as an empty one, is embedded as one unknown word: it is near
      nothing but itself.
    - A text of which nothing but the common component is there has no vector: a row of NaN.

    Reference: Arora, Liang & Ma, "A Simple but Tough-to-Beat Baseline for Sentence Embeddings",
    ICLR 2017, algorithm 1. Unlike there, unknown words do not share one vector.

    Args:
        vectors: The vector of each word, as a mapping, or as a pair of the words and a matrix of
            shape (words, d), in any units; `read_word_vectors` reads files.
        texts: A sample of texts like those to embed, such as the passages of your sources; at least
            two different ones. Some hundreds are enough for the component.
        frequencies: How frequent words are: counts, or probabilities whose sum is at most 1. By
            default the words of `texts` are counted.
        a: The probability at which a word's weight is 1/2, above 0 and up to 1: the lower, the less
            frequent words count.
        tokenize: Returns the words of a text as `vectors` and `frequencies` spell them. By default
            they are in lower case, without citation marks and punctuation, and clitics are words,
            as in GloVe's files: "isn't" is "is" and "n't".

    Raises:
        CiteguardError: an argument of a wrong type or shape or out of range; a vector or frequency
            that is not a finite number; or no word of the texts has a vector.

    Examples:
        >>> vectors = {"a": [1, 1, 1], "cat": [1, 0, 2], "dog": [1, 0, 1], "rises": [1, 2, 0]}
        >>> embedder = SIFEmbedder(vectors, ["A cat", "A dog", "A price rises"], a=0.1)
        >>> embedder(["the cat", "price"]).shape
        (2, 3)
    """

    def __init__(
        self,
        vectors: Mapping[str, Any] | tuple[Sequence[str], Any],
        texts: Iterable[str],
        *,
        frequencies: Mapping[str, float] | None = None,
        a: float = 1e-3,
        tokenize: Callable[[str], Iterable[str]] | None = None,
    ) -> None:
        import numpy as np

        check_number("SIFEmbedder(a=...)", a, 0, 1, above=True)
        self._a, self._tokenize = a, tokenize or _words_of
        self._rows, self._matrix, self._length = _table(vectors)
        sample = list(dict.fromkeys(texts))
        if isinstance(texts, str) or len(sample) < 2:
            raise CiteguardError("SIFEmbedder(texts): expected two or more different texts")
        counts = Counter(word for text in sample for word in self._tokenize(text))
        if not counts.keys() & self._rows.keys():
            raise CiteguardError(
                "SIFEmbedder(): no word of the texts has a vector; tokenize must return words as "
                f"the vectors spell them, such as {next(iter(self._rows))!r}"
            )
        self._weights = _weights(counts if frequencies is None else frequencies, a)
        means = np.array([self._mean(text) for text in sample])
        self._component: NDArray[np.float64] = np.linalg.eigh(means.T @ means)[1][:, -1]

    def __repr__(self) -> str:
        """Return what it is made of."""
        words, width = self._matrix.shape
        return f"SIFEmbedder(<{words} words, {width} dimensions>, a={self._a!r})"

    def __call__(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        """Return the vectors, shape (n, d); their lengths mean nothing."""
        import numpy as np

        means = np.array([self._mean(text) for text in texts]).reshape(-1, len(self._component))
        rest = means - np.outer(means @ self._component, self._component)
        left = np.linalg.norm(rest, axis=1) > _LEAST_LEFT * np.linalg.norm(means, axis=1)
        return np.where(left[:, None], rest, np.nan).astype(np.float32)

    def _mean(self, text: str) -> NDArray[np.float64]:
        """Return the weighted mean of the vectors of a text's words, shape (d,)."""
        import numpy as np

        words = list(self._tokenize(text)) or [text]
        rows = [self._rows.get(word, -1) for word in words]
        vectors = self._matrix[rows].astype(np.float64)
        for at, row in enumerate(rows):
            if row < 0:
                vectors[at] = self._unknown(words[at])
        weights = np.array([self._weights.get(word, 1.0) for word in words])
        return weights @ vectors / len(words)

    def _unknown(self, word: str) -> NDArray[np.float64]:
        """Return the pseudo-random vector of a word without one, shape (d,)."""
        import numpy as np

        # Not numpy's generators, whose numbers may change with its version.
        digest = shake_256(word.encode("utf-8", "surrogatepass")).digest(self._matrix.shape[1])
        vector = np.frombuffer(digest, np.uint8) - 127.5
        return vector * (self._length / np.linalg.norm(vector))


def read_word_vectors(
    path: str | os.PathLike[str], *, most: int | None = None
) -> tuple[list[str], NDArray[np.float32]]:
    r"""Return the words of a text file and the matrix of their vectors, shape (words, d).

    A line is a word and its numbers, separated by single blanks, as in the files of GloVe,
    word2vec's text format and fastText's `.vec`; a first line of two numbers is skipped. Words may
    have blanks. What is not UTF-8 is replaced. Compressed and binary files are not read.

    Args:
        path: The file.
        most: How many words are read at most; files begin with the most frequent ones.

    Raises:
        CiteguardError: the file cannot be read, a line does not have as many numbers as the first,
            or there is no line.

    Examples:
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     path = Path(folder) / "vectors.txt"
        ...     _ = path.write_text("cat 1 0.5\ndog 1 0\n")
        ...     read_word_vectors(path)
        (['cat', 'dog'], array([[1. , 0.5],
               [1. , 0. ]], dtype=float32))
    """
    import numpy as np

    if most is not None:
        check_whole("read_word_vectors(most=...)", most, 1)
    words: list[str] = []
    numbers, width, at = array("f"), 0, 0
    try:
        with open(path, encoding="utf-8", errors="replace", newline="\n") as lines:
            for at, line in enumerate(lines, start=1):
                fields = line.rstrip().split(" ")
                if at == 1 and len(fields) == 2:
                    continue
                if len(fields) == 1:
                    raise ValueError("no numbers")
                width = width or len(fields) - 1
                numbers.extend(map(float, fields[-width:]))
                words.append(" ".join(fields[:-width]))
                if len(words) == most:
                    break
        if not words:
            raise ValueError("no words")
        return words, np.frombuffer(numbers, np.float32).reshape(len(words), width)
    except (OSError, ValueError) as error:
        raise CiteguardError(
            f"{os.fspath(path)}, line {at}: expected a word and its numbers, {width or 'any'} on "
            f"each line ({type(error).__name__}: {error})"
        ) from error


def _words_of(text: str) -> list[str]:
    keys = (token.key for token in tokens.tokenize(text) if token.kind != "mark")
    return [word for key in keys for word in _CLITIC.sub(r" \1", key).split()]


def _table(vectors: Any) -> tuple[dict[str, int], NDArray[Any], float]:
    """Return the row of each word, the matrix, and the root mean square of its rows' lengths.

    Raises:
        CiteguardError: not as many vectors as words, of one length, of finite numbers.
    """
    import numpy as np

    try:
        if isinstance(vectors, Mapping):
            entries = cast("Mapping[str, Any]", vectors)
            vectors = list(entries), np.array(list(entries.values()), np.float32)
        words, matrix = list[str](vectors[0]), np.asarray(vectors[1])
        # Without a copy of the matrix; not finite if any of its numbers is not.
        squares = float(np.einsum("ij,ij->", matrix, matrix, dtype=np.float64))
        if len(words) != len(matrix) or not 0 < squares < math.inf:
            raise ValueError(f"{len(words)} words, shape {matrix.shape}, sum of squares {squares}")
    except (IndexError, TypeError, ValueError) as error:
        raise CiteguardError(
            "SIFEmbedder(vectors): expected a mapping of words to vectors, or a pair of the words "
            f"and a matrix of finite numbers, not all 0, with a row for each: {error}"
        ) from error
    # The first of a repeated word, as files begin with the most frequent ones.
    rows = {word: row for row, word in reversed(list(enumerate(words)))}
    return rows, matrix, math.sqrt(squares / len(matrix))


def _weights(frequencies: Mapping[str, float], a: float) -> dict[str, float]:
    """Return the weight of each word, a / (a + p).

    Raises:
        CiteguardError: a frequency is not a finite number from 0 on.
    """
    try:
        numbers = as_floats(list(frequencies.values()))
        if not ((numbers >= 0) & (numbers < math.inf)).all():
            raise ValueError(f"they are from {numbers.min()} to {numbers.max()}")
    except (AttributeError, TypeError, ValueError) as error:
        message = "SIFEmbedder(frequencies=...): expected finite numbers from 0 on, by words"
        raise CiteguardError(f"{message}: {error}") from error
    probabilities = numbers / max(1.0, numbers.sum())
    return dict(zip(frequencies, (a / (a + probabilities)).tolist(), strict=True))
