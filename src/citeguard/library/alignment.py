"""A judge of whether what an answer quotes answers the question: `RelevanceJudge`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from citeguard.errors import check_number
from citeguard.judges.judge import local_settings
from citeguard.judges.short_answers.kinds import AnswerKind
from citeguard.judges.verdicts import (
    Alignment,
    AlignmentQuestion,
    Evidence,
    Outcome,
    SupportQuestion,
    Verdict,
)
from citeguard.language.excerpts import as_json
from citeguard.language.windows import sentence_pieces
from citeguard.library.relevance import LEAST, VERSION, AskedQuestion, Quoted, Relevance
from citeguard.retrieval.embeddings import Embedder
from citeguard.sources.collection import Passage, Sources

_PASSAGES = 8  # found for a question, to know which of its words the sources have
_READ = 4  # of them, for a sentence that answers better
_MOST_NAMED = 4  # words of the question in a reason
_LONGEST_WORD = 40  # characters of each
_SHOWN = 200  # characters of a sentence in a reason
_NAMES: dict[AnswerKind, str] = {
    "number": "a number",
    "date": "a date",
    "person": "a person",
    "place": "a place",
    "name": "a name",
    "phrase": "what is asked",
}


class RelevanceJudge:
    """A judge by words: whether the citations of an answer answer its question.

    For `Policy.alignment`. An answer is `supported` if the citations of at least one statement
    answer the question; `unsupported` otherwise, with the words of the question about which no
    quote says anything, so that a language model can find better ones. Then a statement whose
    citations have next to nothing to do with the question is `unsupported` by itself.

    An answer that only says that the sources do not answer (`Answer.unanswerable`) is `supported`,
    unless a sentence of the sources almost certainly answers.

    No language model is called. What is judged is whether the quotes answer the question, not
    whether they are true, nor whether the statements follow from them: judges of `Policy.support`
    decide that. A quote that lacks a name or a number of the question, or has another one, or no
    answer of the kind asked for, seldom passes. It reads no meaning: one that has the words of the
    question, but says something else about them, passes. See the limits in the documentation.

    Args:
        sources: The sources of the answer, for titles, headings and what is around a quote, and to
            know which words of the question the sources have at all. Without them it errs more.
        passages: What a search found for the question, if it was searched already.
        embedder: Vectors of texts, whose cosine then counts too.
        supported_from: The least score of a citation that answers the question, 0 to 1, inclusive.
        irrelevant_below: The probability that a citation is about what is asked, whether or not it
            says it, below which a statement is unsupported although another one answers, 0 to 1; 0
            for none. Never more than `supported_from`.
        outdone_by: For questions that the sources are known to answer, such as those of
            question-answer pairs: how many times the odds of the best citation another sentence of
            the passages found may have, above 1; `None` if others do not matter. It distinguishes
            the answer from what is beside it better than any score, which may then be as low as
            0.1. Sentences are read in four passages.
        answered_from: The least score of a sentence of the sources with which it is wrong to leave
            the question open, 0 to 1, inclusive.

    Attributes:
        settings: How it is asked.

    Raises:
        CiteguardError: A threshold that is not a number from 0 to 1, or `outdone_by` not above 1.

    Examples:
        >>> from citeguard import Answer, Policy
        >>> sources = Sources({"bridge": "It is painted red. The bridge opened in 1936."})
        >>> policy = Policy(alignment=RelevanceJudge(sources))
        >>> context = sources.as_context(policy, question="When did the bridge open?")
        >>> wrong = {"text": "It is red.", "citations": [{"quote": "It is painted red."}]}
        >>> try:
        ...     Answer.model_validate({"statements": [wrong]}, context=context)
        ... except ValueError as error:
        ...     error.errors()[0]["ctx"]["reason"]
        'None of the quotes has a date, which is asked for.'
    """

    name = "relevance"

    def __init__(
        self,
        sources: Sources | None = None,
        *,
        passages: Sequence[Passage] | None = None,
        embedder: Embedder | None = None,
        supported_from: float = LEAST,
        irrelevant_below: float = 0.05,
        outdone_by: float | None = None,
        answered_from: float = 0.85,
    ) -> None:
        thresholds = {
            "supported_from": supported_from,
            "irrelevant_below": irrelevant_below,
            "answered_from": answered_from,
        }
        for name, value in thresholds.items():
            check_number(f"RelevanceJudge({name}=...)", value, 0, 1)
        if outdone_by is not None:
            check_number("RelevanceJudge(outdone_by=...)", outdone_by, 1, float("inf"), above=True)
        self._sources, self._passages, self._embedder = sources, passages, embedder
        self._least, self._irrelevant = supported_from, min(irrelevant_below, supported_from)
        self._answered, self._outdone = answered_from, outdone_by
        # Verdicts depend on the sources, so they are kept by this judge alone.
        self.settings = local_settings(
            VERSION, *thresholds.values(), outdone_by, model=None, cache=None
        )

    def __repr__(self) -> str:
        """Show the threshold."""
        return f"RelevanceJudge(supported_from={self._least})"

    def align(self, question: AlignmentQuestion) -> Alignment:
        """Return whether the citations answer the question, or it is rightly left open."""
        text = question.question
        if text is None or not text.strip():
            reason = "No question is known that could be answered."
            return Alignment(answer=self._verdict("supported", reason))
        found = self._found(text)
        background = [passage.text for passage in found]
        asked = AskedQuestion(text, background=background, embedder=self._embedder)
        if not question.statements:
            return Alignment(answer=self._left_open(asked, question.passages))
        best = [self._best(asked, each.evidence) for each in question.statements]
        cited = [each for each in best if each is not None]
        if not cited:
            reason = "Nothing is quoted that could answer the question."
            return Alignment(answer=self._verdict("unsupported", reason, 0.0))
        first = max(cited, key=lambda each: each.relevance.score)
        score = first.relevance.score
        if score < self._least:
            reason = _reason([each.relevance for each in cited])
            return Alignment(answer=self._verdict("unsupported", reason, score))
        if (better := self._better(asked, found, score)) is not None:
            reason = f"Another sentence seems to answer it: {as_json(better.text, _SHOWN)}."
            return Alignment(answer=self._verdict("unsupported", reason, score))
        answer = self._verdict("supported", "A quote answers the question.", score)
        pairs = zip(question.statements, best, strict=True)
        return Alignment(answer=answer, statements=tuple(self._on(*pair) for pair in pairs))

    def _on(self, statement: SupportQuestion, best: _Sentence | None) -> Verdict | None:
        """Return the verdict on a statement of an answer that as a whole is right."""
        if best is None or not statement.evidence:
            return None
        about = best.relevance.about
        if about < self._irrelevant:
            reason = "What it quotes has nothing to do with the question."
            return self._verdict("unsupported", reason, about)
        return self._verdict("supported", "What it quotes is about the question.", about)

    def _better(
        self, asked: AskedQuestion, found: Sequence[Passage], score: float
    ) -> _Sentence | None:
        """Return the sentence that answers so much better that what is quoted does not answer."""
        if self._outdone is None:
            return None
        evidence = (
            Evidence(text=each.text, source_id=each.span.source_id, start=each.span.start)
            for each in found[:_READ]
        )
        best = self._best(asked, evidence)
        if best is None:
            return None
        least = _odds(score) * self._outdone
        return best if _odds(best.relevance.score) > least else None

    def _left_open(self, asked: AskedQuestion, passages: Iterable[Evidence]) -> Verdict:
        best = self._best(asked, passages)
        if best is None or best.relevance.score < self._answered:
            score = None if best is None else 1 - best.relevance.score
            return self._verdict("supported", "No sentence found clearly answers it.", score)
        said = as_json(best.text, _SHOWN)
        reason = f"The sources seem to answer it: {said}."
        return self._verdict("unsupported", reason, 1 - best.relevance.score)

    def _best(self, asked: AskedQuestion, evidence: Iterable[Evidence]) -> _Sentence | None:
        """Return the sentence that answers best; `None` without any."""
        quoted = [sentence for each in evidence for sentence in self._sentences(each)]
        pairs = zip(quoted, asked.relevances(quoted), strict=True)
        found = [_Sentence(each.text, relevance) for each, relevance in pairs]
        return max(found, key=lambda each: each.relevance.score, default=None)

    def _sentences(self, evidence: Evidence) -> Iterator[Quoted]:
        """Yield the sentences of evidence with what is around them in their source."""
        sources = self._sources
        known = sources is not None and evidence.source_id in sources
        for start, end in sentence_pieces(evidence.text):
            place = evidence.span(start, end)
            if sources is None or place is None or not known:
                yield Quoted(
                    text=evidence.text[start:end],
                    before=evidence.text[:start],
                    after=evidence.text[end:],
                )
            else:
                source = sources[place.source_id]
                yield Quoted.of(source, place.start, place.end, evidence.text[start:end])

    def _found(self, question: str) -> Sequence[Passage]:
        if self._passages is not None:
            return self._passages
        return () if self._sources is None else self._sources.search(question, k=_PASSAGES)

    def _verdict(self, outcome: Outcome, reason: str, score: float | None = None) -> Verdict:
        return Verdict(outcome, reason=reason, score=score, judge=self.name)


@dataclass(frozen=True, slots=True)
class _Sentence:
    text: str
    relevance: Relevance


def _odds(probability: float) -> float:
    return probability / (1 - probability) if probability < 1 else float("inf")


def _reason(cited: Sequence[Relevance]) -> str:
    """Return what no quote says, for a language model to look for."""
    missing = [word for word in cited[0].missing if all(word in each.missing for each in cited[1:])]
    if missing:
        words = ", ".join(as_json(word, _LONGEST_WORD) for word in missing[:_MOST_NAMED])
        return f"None of the quotes says anything about {words}."
    lacks = cited[0].lacks
    if lacks is not None and all(each.lacks for each in cited):
        return f"None of the quotes has {_NAMES[lacks]}, which is asked for."
    return "The quotes have words of the question, but none says what is asked."
