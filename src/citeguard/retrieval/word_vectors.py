"""Vectors of texts from vectors of words: `SIFEmbedder`, and `read_word_vectors` for its files."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from citeguard.errors import CiteguardError, check_number
from citeguard.language import tokens

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_CLITICS = ("n't", "'s", "'re", "'ve", "'ll", "'d", "'m")
_LEAST_LEFT = 1e-6  # of a vector's length; less is what rounding leaves of the common component


class SIFEmbedder:
    """Averages of word vectors, without their common component, as an `Embedder`.

    The vector of a text is the mean of its words' vectors, each weighted by a / (a + p(w)), where
    p(w) is the share of the word in a sample of texts. Its projection on the first principal
    component of the sample is subtracted. Words without a vector share one, the mean of those of
    the sample. A text that has nothing but the common component has no vector: a row of NaN.

    Words are looked up in lower case, without punctuation, and "isn't" as "is" and "n't", as in
    GloVe's files.

    Reference: Arora, Liang & Ma, "A Simple but Tough-to-Beat Baseline for Sentence Embeddings",
    ICLR 2017, algorithm 1.

    Args:
        vectors: The vector of each word, all of one width; `read_word_vectors` reads files.
        texts: A sample of texts like those to embed, at least two different ones.
        a: The share at which a word's weight is 1/2, above 0 and up to 1.

    Raises:
        CiteguardError: An argument is out of range, or no word of the texts has a vector.

    Examples:
        >>> vectors = {"a": [1, 1, 1], "cat": [1, 0, 2], "dog": [1, 0, 1], "rises": [1, 2, 0]}
        >>> embedder = SIFEmbedder(vectors, ["A cat", "A dog", "A price rises"], a=0.1)
        >>> embedder(["the cat", "price"]).shape
        (2, 3)
    """

    def __init__(
        self, vectors: Mapping[str, Any], texts: Iterable[str], *, a: float = 1e-3
    ) -> None:
        import numpy as np

        check_number("SIFEmbedder(a=...)", a, 0, 1, above=True)
        self._a, self._vectors = a, vectors
        sample = list(dict.fromkeys(texts))
        counts = Counter(word for text in sample for word in _words_of(text))
        try:
            known = np.array([vectors[word] for word in counts if word in vectors], np.float64)
        except (TypeError, ValueError) as error:
            raise CiteguardError(f"SIFEmbedder(vectors): expected one width: {error}") from error
        if len(sample) < 2 or isinstance(texts, str) or known.ndim != 2:
            raise CiteguardError(
                "SIFEmbedder(texts): expected two or more different texts, with words that have "
                f"vectors when written in lower case, not as in {[*vectors][:1]}"
            )
        if not (np.isfinite(known).all() and known.any()):
            raise CiteguardError("SIFEmbedder(vectors): expected finite numbers, not all 0")
        self._unknown, self._width = known.mean(axis=0), known.shape[1]
        self._weights = {word: a / (a + n / counts.total()) for word, n in counts.items()}
        means = np.array([self._mean(text) for text in sample])
        # Not centred first, as in the reference: the first singular vector of the means.
        self._component: NDArray[np.float64] = np.linalg.eigh(means.T @ means)[1][:, -1]

    def __repr__(self) -> str:
        """Return what it is made of."""
        words = len(self._vectors)
        return f"SIFEmbedder(<{words} words, {self._width} dimensions>, a={self._a!r})"

    def __call__(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        """Return the vectors, shape (n, d); their lengths mean nothing."""
        import numpy as np

        means = np.array([self._mean(text) for text in texts]).reshape(-1, self._width)
        rest = means - np.outer(means @ self._component, self._component)
        left = np.linalg.norm(rest, axis=1) > _LEAST_LEFT * np.linalg.norm(means, axis=1)
        return np.where(left[:, None], rest, np.nan).astype(np.float32)

    def _mean(self, text: str) -> NDArray[np.float64]:
        """Return the weighted mean of the vectors of a text's words, shape (d,)."""
        import numpy as np

        words = _words_of(text) or [text]
        rows = [self._vectors.get(word, self._unknown) for word in words]
        weights = np.array([self._weights.get(word, 1.0) for word in words])
        return weights @ np.asarray(rows, np.float64) / len(words)


def _words_of(text: str) -> list[str]:
    words: list[str] = []
    for token in tokens.tokenize(text):
        if token.kind != "mark":
            clitic = next((each for each in _CLITICS if token.key[1:].endswith(each)), "")
            words += filter(None, (token.key.removesuffix(clitic), clitic))
    return words


def read_word_vectors(path: str | os.PathLike[str]) -> dict[str, NDArray[np.float32]]:
    """Return the words of a text file with their vectors, each of shape (d,).

    A line is a word and its numbers, separated by single blanks, as in the files of GloVe,
    word2vec's text format and fastText's `.vec`; a first line of two numbers is skipped. Words may
    have blanks; of a repeated one the first is taken.

    Raises:
        CiteguardError: The file cannot be read, a line does not have as many numbers as the first,
            or there is no line.
    """
    import numpy as np

    found: dict[str, NDArray[np.float32]] = {}
    at = width = 0
    try:
        # A word of such a file may have a carriage return in it.
        with open(path, encoding="utf-8", errors="replace", newline="\n") as lines:
            for at, line in enumerate(lines, start=1):
                fields = line.rstrip().split(" ")
                if at == 1 and len(fields) == 2:
                    continue
                width = width or len(fields) - 1
                word = " ".join(fields[:-width] if width else [])
                if not word:
                    raise ValueError("too few numbers")
                # Files begin with the most frequent words, so that of several the first is meant.
                found.setdefault(word, np.array(fields[-width:], np.float32))
        if not found:
            raise ValueError("no words")
    except (OSError, ValueError) as error:
        raise CiteguardError(
            f"{os.fspath(path)}, line {at}: expected a word and its numbers, {width or 'any'} on "
            f"each line ({type(error).__name__}: {error})"
        ) from error
    return found
