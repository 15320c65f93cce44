"""A judge and an embedder for tests, which call no model and record what they were asked."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from hashlib import blake2b
from typing import TypeVar, get_args

from citeguard.errors import CiteguardError, check_whole
from citeguard.judges.verdicts import (
    Alignment,
    AlignmentQuestion,
    JudgeSettings,
    Outcome,
    SupportQuestion,
    Verdict,
)
from citeguard.language.scripts import UNSPACED

Said = Outcome | Verdict | Exception
T = TypeVar("T")

# Each character of a script without spaces is a word.
_WORD = f"[{UNSPACED}]|[^\\W{UNSPACED}]+"


class ScriptedJudge:
    """A judge for tests, with scripted verdicts and a record of the questions.

    Args:
        said: The verdict on a statement, by its text: an outcome, a whole `Verdict`, or an
            exception to raise.
        otherwise: The verdict on all other statements.
        answered: The verdict on an answer as a whole.
        seconds: How long each call takes.
        blocking: Whether a call blocks its thread during that time, as a synchronous judge does.
        settings: How it wants to be asked; by default one statement at a time, without a cache.

    Raises:
        CiteguardError: An outcome does not exist.

    Attributes:
        asked: The questions about statements, in the order in which they were asked.
        aligned: The questions about whole answers.

    Examples:
        >>> judge = ScriptedJudge({"It takes a year.": "contradicted"})
        >>> judge.asked
        []
    """

    def __init__(
        self,
        said: Mapping[str, Said] | None = None,
        *,
        otherwise: Said = "supported",
        answered: Said = "supported",
        seconds: float = 0.0,
        blocking: bool = False,
        settings: JudgeSettings | None = None,
    ) -> None:
        self.asked: list[SupportQuestion] = []
        self.aligned: list[AlignmentQuestion] = []
        self.settings = settings or JudgeSettings()
        self._said: dict[str, Said] = dict(said or {})
        self._otherwise: Said = otherwise
        self._answered: Said = answered
        self._seconds = seconds
        self._blocking = blocking
        for each in (*self._said.values(), otherwise, answered):
            # Here, not when it is first used, when it would be `undecided`.
            if not isinstance(each, (Exception, Verdict)) and each not in get_args(Outcome):
                raise CiteguardError(
                    f"ScriptedJudge: expected a Verdict, an exception or one of "
                    f"{', '.join(get_args(Outcome))}, got {each!r}"
                )

    def __repr__(self) -> str:
        """Show the script."""
        return f"ScriptedJudge({self._said!r}, otherwise={self._otherwise!r})"

    @property
    def name(self) -> str:
        """The name in verdicts."""
        return "script"

    def judge(
        self, questions: Sequence[SupportQuestion]
    ) -> list[Verdict] | Awaitable[list[Verdict]]:
        """Return the scripted verdict on each statement, or raise the scripted exception."""
        self.asked += questions
        return self._after_waiting(lambda: [self._verdict_on(each) for each in questions])

    def align(self, question: AlignmentQuestion) -> Alignment | Awaitable[Alignment]:
        """Return the scripted verdict on an answer, and on each of its statements with evidence."""
        self.aligned.append(question)

        def alignment() -> Alignment:
            statements = (
                self._verdict_on(each) if each.evidence else None for each in question.statements
            )
            return Alignment(answer=self._verdict(self._answered), statements=tuple(statements))

        return self._after_waiting(alignment)

    def _after_waiting(self, reply: Callable[[], T]) -> T | Awaitable[T]:
        if self._blocking:
            time.sleep(self._seconds)
            return reply()

        async def later() -> T:
            await asyncio.sleep(self._seconds)
            return reply()

        return later()

    def _verdict_on(self, question: SupportQuestion) -> Verdict:
        return self._verdict(self._said.get(question.statement, self._otherwise))

    def _verdict(self, said: Said) -> Verdict:
        if isinstance(said, Exception):
            raise said
        return said if isinstance(said, Verdict) else Verdict(said, judge=self.name)


class ScriptedEmbedder:
    """An embedder for tests: the more words two texts share, the more similar they are.

    Every word counts in one dimension, the same in every run and on every machine; case and order
    do not matter. The cosine is 1 for the same words in the same proportions, and 0 for texts
    without a common word, unless two words share a dimension, which is rarer the more `dimensions`
    there are. A text without a letter or digit has the zero vector, which citeguard treats as
    undecided. Does not need numpy.

    Args:
        said: What to embed instead of a text: another text, such as one that means the same; a
            vector; or an exception to raise.
        dimensions: The length of the vectors.

    Raises:
        CiteguardError: `dimensions` is not a positive integer, or a vector has another length.

    Attributes:
        asked: The texts that it was called with, in order.

    Examples:
        >>> from citeguard import Sources
        >>> from citeguard.retrieval import DenseRetriever
        >>> sources = Sources({"handbook": "Notice is one month.", "faq": "Lunch is free."})
        >>> embedder = ScriptedEmbedder({"What does a meal cost?": "Lunch free"})
        >>> passages = sources.search("What does a meal cost?", retriever=DenseRetriever(embedder))
        >>> passages[0].text
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
        """The name in verdicts."""
        return "script"

    def __call__(self, texts: Sequence[str], /) -> list[list[float]]:
        """Return a vector for each text, in order, or raise the scripted exception."""
        self.asked += texts
        return [self._vector(self._said.get(text, text)) for text in texts]

    def _vector(self, said: str | Sequence[float] | Exception) -> list[float]:
        if isinstance(said, Exception):
            raise said
        if not isinstance(said, str):
            return [float(number) for number in said]
        vector = [0.0] * self._dimensions
        for word in re.findall(_WORD, said.casefold()):
            # Not `hash`: it differs from run to run.
            digest = blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest()
            vector[int.from_bytes(digest) % self._dimensions] += 1.0
        return vector
