"""Vectors of texts from vectors of words: `SIFEmbedder`, and `read_word_vectors` for its files."""

from __future__ import annotations

import os
import re
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import shake_256
from typing import TYPE_CHECKING, Any

from citeguard.errors import CiteguardError, check_number, check_whole
from citeguard.language import tokens

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_CLITIC = re.compile(r"(?<=.)(n't|'(?:s|re|ve|ll|d|m))$")
_LEAST_LEFT = 1e-6  # of a vector's length; less is what rounding leaves of the common component


class SIFEmbedder:
    """Averages of word vectors, without their common component, as an `Embedder`.

    The vector of a text is the mean of its words' vectors, each weighted by a / (a + p(w)), where
    p(w) is the share of the word in a sample of texts, and 1 for a word that is not in it. Its
    projection on the first principal component of the sample is subtracted; the component is fitted
    at construction. A word without a vector gets a pseudo-random one, made from its digest, as long
    as the others are on average. A text without a word is embedded as one unknown word; one that
    has nothing but the common component has no vector: a row of NaN.

    Reference: Arora, Liang & Ma, "A Simple but Tough-to-Beat Baseline for Sentence Embeddings",
    ICLR 2017, algorithm 1. Unlike there, unknown words do not share one vector.

    Args:
        vectors: The vector of each word, as a mapping, or as a pair of the words and a matrix of
            shape (words, d), in any units; `read_word_vectors` reads files.
        texts: A sample of texts like those to embed, at least two different ones.
        a: The share at which a word's weight is 1/2, above 0 and up to 1.
        tokenize: Returns the words of a text as `vectors` spell them; by default in lower case,
            without punctuation, and "isn't" as "is" and "n't", as in GloVe's files.

    Raises:
        CiteguardError: An argument of a wrong type or shape or out of range, or no word of the
            texts has a vector.

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
        a: float = 1e-3,
        tokenize: Callable[[str], Iterable[str]] | None = None,
    ) -> None:
        import numpy as np

        check_number("SIFEmbedder(a=...)", a, 0, 1, above=True)
        self._a, self._tokenize = a, tokenize or _words_of
        try:
            if isinstance(vectors, Mapping):
                entries = vectors
                vectors = list(entries), np.array(list(entries.values()), np.float32)
            words, self._matrix = list[str](vectors[0]), np.asarray(vectors[1])
            # Without a copy of the matrix; not finite if any of its numbers is not.
            squares = np.einsum("ij,ij->", self._matrix, self._matrix, dtype=np.float64)
            if len(words) != len(self._matrix) or not 0 < squares < np.inf:
                raise ValueError(f"{len(words)} words, shape {self._matrix.shape}")
        except (IndexError, TypeError, ValueError) as error:
            raise CiteguardError(
                "SIFEmbedder(vectors): expected a mapping of words to vectors, or a pair of the "
                f"words and a matrix of finite numbers, not all 0, with a row for each: {error}"
            ) from error
        self._length = float(np.sqrt(squares / len(words)))
        # The first of a repeated word, as files begin with the most frequent ones.
        self._rows = {word: row for row, word in reversed(list(enumerate(words)))}
        sample = list(dict.fromkeys(texts))
        if isinstance(texts, str) or len(sample) < 2:
            raise CiteguardError("SIFEmbedder(texts): expected two or more different texts")
        counts = Counter(word for text in sample for word in self._tokenize(text))
        if not counts.keys() & self._rows.keys():
            raise CiteguardError(
                "SIFEmbedder(): no word of the texts has a vector; tokenize must return words as "
                f"the vectors spell them, such as {words[0]!r}"
            )
        self._weights = {word: a / (a + n / counts.total()) for word, n in counts.items()}
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
        vectors = self._matrix[[self._rows.get(word, 0) for word in words]].astype(np.float64)
        for at, word in enumerate(words):
            if word not in self._rows:
                # Not numpy's generators, whose numbers may change with its version.
                digest = shake_256(word.encode("utf-8", "surrogatepass"))
                drawn = np.frombuffer(digest.digest(vectors.shape[1]), np.uint8) - 127.5
                vectors[at] = drawn * (self._length / np.linalg.norm(drawn))
        return np.array([self._weights.get(word, 1.0) for word in words]) @ vectors / len(words)


def _words_of(text: str) -> list[str]:
    keys = (token.key for token in tokens.tokenize(text) if token.kind != "mark")
    return [word for key in keys for word in _CLITIC.sub(r" \1", key).split()]


def read_word_vectors(
    path: str | os.PathLike[str], *, most: int | None = None
) -> tuple[list[str], NDArray[np.float32]]:
    """Return the words of a text file and the matrix of their vectors, shape (words, d).

    A line is a word and its numbers, separated by single blanks, as in the files of GloVe,
    word2vec's text format and fastText's `.vec`; a first line of two numbers is skipped. Words may
    have blanks.

    Args:
        path: The file.
        most: How many words are read at most; files begin with the most frequent ones.

    Raises:
        CiteguardError: The file cannot be read, a line does not have as many numbers as the first,
            or there is no line.
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
