"""An embedder without a model, the same on every machine: `ScriptedEmbedder`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from hashlib import blake2b

from citeguard.errors import CiteguardError, check_whole

# A letter of a script that is written without spaces is a word of its own.
_IDEOGRAPH = "[\u2e80-\u30ff\u3400-\u9fff\uf900-\ufaff]"
_WORD = f"{_IDEOGRAPH}|(?:(?!{_IDEOGRAPH})\\w)+"


class ScriptedEmbedder:
    """An embedder for tests: texts are as alike as the words that they share.

    Every word counts in one place of the vector, the same in every run and on every machine; case
    and order do not matter. The cosine is 1 for the same words in the same proportion, and 0 for
    texts without a common word, unless two words fall on the same place, which more `dimensions`
    make rarer. A text without a letter or digit has the vector of zeros, which citeguard takes for
    "cannot tell". Needs no numpy.

    Args:
        said: What to embed in the place of a text: another text, such as one that means the same;
            a vector; or an exception to raise.
        dimensions: The length of the vectors.

    Raises:
        CiteguardError: no number of dimensions, or a vector of another length.

    Attributes:
        asked: The texts that it was given, in the order in which it was called with them.

    Examples:
        >>> from citeguard import DenseRetriever, Sources
        >>> sources = Sources({"handbook": "Notice is one month.", "faq": "Lunch is free."})
        >>> embedder = ScriptedEmbedder({"What does a meal cost?": "Lunch free"})
        >>> found = sources.search("What does a meal cost?", retriever=DenseRetriever(embedder))
        >>> found[0].text
        'Lunch is free.'
    """

    def __init__(
        self,
        said: Mapping[str, str | Sequence[float] | Exception] | None = None,
        *,
        dimensions: int = 512,
    ) -> None:
        check_whole("ScriptedEmbedder(dimensions=...)", dimensions, 1)
        self.asked: list[str] = []
        self._said = dict(said or {})
        self._dimensions = dimensions
        for text, each in self._said.items():
            if not isinstance(each, (str, Exception)) and len(each) != dimensions:
                raise CiteguardError(
                    f"ScriptedEmbedder: the vector of {text!r} has {len(each)} numbers, not "
                    f"{dimensions}"
                )

    def __repr__(self) -> str:
        """Show the script."""
        return f"ScriptedEmbedder({self._said!r}, dimensions={self._dimensions})"

    @property
    def name(self) -> str:
        """What it is called in verdicts."""
        return "script"

    def __call__(self, texts: Sequence[str], /) -> list[list[float]]:
        """Return the vectors, one for each text, in order.

        Raises:
            Exception: the one that was scripted.
        """
        self.asked += texts
        return [self._vector(self._said.get(text, text)) for text in texts]

    def _vector(self, said: str | Sequence[float] | Exception) -> list[float]:
        if isinstance(said, Exception):
            raise said
        if not isinstance(said, str):
            return [float(number) for number in said]
        vector = [0.0] * self._dimensions
        for word in re.findall(_WORD, said.casefold()):
            vector[self._place(word)] += 1.0
        return vector

    def _place(self, word: str) -> int:
        # Not `hash`: it differs from run to run.
        digest = blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest()
        return int.from_bytes(digest) % self._dimensions
