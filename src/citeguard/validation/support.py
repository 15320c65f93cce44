"""The rules on the support of a statement, for `Annotated[str, ...]` in any model.

`JudgedSupported` asks any judge; `SupportedBySource`, `EntailedBySource` and `SimilarToSource` are
the same rule with a judge that runs on this machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import KW_ONLY, dataclass, field
from functools import partial
from typing import Any, cast

from citeguard.errors import CiteguardError
from citeguard.judges.judge import Judge, check_judge
from citeguard.judges.verdicts import Evidence
from citeguard.validation import messages
from citeguard.validation.context import Grounding, Siblings, TextRule, custom_error
from citeguard.validation.evidence import all_evidence, cited_evidence, found_evidence
from citeguard.validation.judgement import support_error, verdict_on
from citeguard.validation.policy import Policy, policy_of, reader_judge
from citeguard.validation.quotes import FuzzyQuote, check_quote

_ANY_QUOTE = FuzzyQuote(min_length=1)


# Compared by identity, as a judge may be unhashable.
@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class _SupportRule(TextRule):
    """What all four rules do; they differ in their judges."""

    evidence_field: str | None = None
    source_field: str | None = None

    def judges(self, policy: Policy) -> tuple[Judge, ...]:
        """Return the judges to ask under a policy, in turn."""
        raise NotImplementedError

    def _check(self, text: str, grounding: Grounding, siblings: Siblings) -> str:
        policy = policy_of(grounding)
        judges = self.judges(policy)
        if not judges:
            name = type(self).__name__
            raise CiteguardError(f"{name}(...) has no judge, and neither has the policy: name one")
        if not text.strip():
            raise custom_error("statement_empty", messages.statement_empty(siblings.field))
        siblings.source_id(self.source_field)  # an error of that field comes first
        quotes = self._quotes(siblings)
        evidence = None if quotes is None else self._evidence(text, quotes, grounding, siblings)
        if evidence is not None:
            verdict = verdict_on(text, judges, evidence, grounding)
            error = verdict and support_error(
                verdict, text, policy, cited=bool(quotes), field=siblings.field
            )
            if error is not None:
                raise error
        return text

    def _quotes(self, siblings: Siblings) -> list[str] | None:
        """Return what is cited; `None` if the field that holds it has failed by itself."""
        field_name = self.evidence_field
        if field_name is None:
            return []
        value, there = siblings.read("evidence_field", field_name)
        if not there and siblings.is_earlier(field_name):
            return None
        if not there:
            raise custom_error(
                "statement_uncited",
                messages.evidence_unread(siblings.written(field_name), siblings.field),
            )
        if value is None or isinstance(value, str):
            return [] if value is None else [value]
        several = isinstance(value, (list, tuple, set))
        listed = list(cast("Iterable[Any]", value)) if several else [value]
        if not all(isinstance(quote, str) for quote in listed):
            raise CiteguardError(f"evidence_field={field_name!r} must hold a quote or several")
        return listed

    def _evidence(
        self, text: str, quotes: list[str], grounding: Grounding, siblings: Siblings
    ) -> Callable[[], Sequence[Evidence]] | None:
        """Return a function that returns the evidence; `None` if nothing is to be judged."""
        policy, field_name = policy_of(grounding), self.evidence_field
        source_id = siblings.source_id(self.source_field)
        if quotes:
            field = None if field_name is None else siblings.written(field_name)
            matches = [
                check_quote(quote, grounding, source_id=source_id, rule=_ANY_QUOTE, field=field)
                for quote in quotes
            ]
            return partial(cited_evidence, text, [match.spans for match in matches], grounding)
        if field_name is not None and policy.uncited == "fail":
            message = messages.evidence_missing(siblings.written(field_name), siblings.field)
            raise custom_error("statement_uncited", message)
        if field_name is not None and policy.uncited == "pass":
            return None
        _require_source(source_id, grounding)
        if field_name is not None or policy.evidence == "passages":
            within = None if source_id is None else (source_id,)
            return partial(found_evidence, text, grounding, within)
        return partial(all_evidence, source_id, grounding.sources)


@dataclass(frozen=True, slots=True, eq=False)
class JudgedSupported(_SupportRule):
    """A statement that a judge finds supported by the evidence beside it.

    Asks the judge, or by default those of `Policy.support`. In plain validation questions are asked
    one by one, and block an event loop; inside `verify`, `averify` and a guarded client (`guard`)
    they are asked concurrently, without blocking. `None` passes if the annotation allows it.

    Fails with `statement_unsupported`, `statement_contradicted`, `statement_empty`, with
    `statement_uncited` and `undecided` unless the policy lets them pass, and with the codes of
    `FuzzyQuote` when the evidence is not a quote.

    Attributes:
        judge: The judge; by default those of `Policy.support`.
        evidence_field: The field of the same model, declared earlier, that holds the quote, or a
            list of quotes, as evidence. With `None`, the judge is shown all of the source, or all
            sources, in parts if it has a limit; with `Policy(evidence="passages")`, the passages
            that match the statement best.
        source_field: The field of the same model, declared earlier, that holds the id of the
            source. If it is `None`, or holds `None`, any source counts; an unknown id is an error.

    Raises:
        CiteguardError: Not a judge, or the rule lacks its parentheses; and at validation, without
            sources, without a judge, or if a field is not declared earlier.

    Examples:
        >>> from typing import Annotated
        >>> from pydantic import BaseModel
        >>> from citeguard import FuzzyQuote, Sources
        >>> from citeguard.testing import ScriptedJudge
        >>> class Finding(BaseModel):
        ...     evidence: Annotated[str, FuzzyQuote()]
        ...     claim: Annotated[str, JudgedSupported(ScriptedJudge(), evidence_field="evidence")]
        >>> context = Sources({"handbook": "Notice is one month."}).as_context()
        >>> data = {"evidence": "one month", "claim": "It takes a month."}
        >>> Finding.model_validate(data, context=context).claim
        'It takes a month.'
    """

    judge: Judge | None = None

    def __post_init__(self) -> None:
        """Reject what is not a judge."""
        if self.judge is not None:
            check_judge(f"{type(self).__name__}(judge)", self.judge)

    def judges(self, policy: Policy) -> tuple[Judge, ...]:
        """Return the judge, or by default those of the policy."""
        return policy.judges if self.judge is None else (self.judge,)


@dataclass(frozen=True, slots=True, eq=False)
class SupportedBySource(JudgedSupported):
    """A statement that the shipped reader finds supported, in milliseconds, without a download.

    Like `JudgedSupported`, with the same error codes, but the policy does not choose the judge.

    Attributes:
        judge: Asked instead of the shipped `ReaderJudge`.
        evidence_field: As for `JudgedSupported`.
        source_field: As for `JudgedSupported`.

    Raises:
        CiteguardError: As for `JudgedSupported`.

    Examples:
        >>> from typing import Annotated
        >>> from pydantic import TypeAdapter
        >>> from citeguard import Sources
        >>> context = Sources("The notice period is one month.").as_context()
        >>> claim = TypeAdapter(Annotated[str, SupportedBySource()])
        >>> claim.validate_python("The notice period is one month.", context=context)
        'The notice period is one month.'
    """

    def judges(self, policy: Policy) -> tuple[Judge, ...]:
        """Return the judge, or by default the shipped reader, under any policy."""
        return (reader_judge() if self.judge is None else self.judge,)


@dataclass(frozen=True, slots=True, eq=False)
class _ModelRule(_SupportRule):
    """A rule that makes its judge of a model, one for all fields with this rule."""

    model: Any
    _judge: Judge = field(init=False, repr=False)

    def judges(self, policy: Policy) -> tuple[Judge, ...]:
        """Return the judge, under any policy."""
        return (self._judge,)


@dataclass(frozen=True, slots=True, eq=False)
class EntailedBySource(_ModelRule):
    """A statement that an entailment model (NLI) finds entailed by its evidence.

    Like `JudgedSupported` in all but the judge, with the same error codes. Needs the extra
    `semantic` if the model is a name or a folder.

    Attributes:
        model: The name or folder of a model, or anything else that `ReaderJudge` takes; or an
            `ReaderJudge`, for other thresholds. It is loaded when it is first needed.
        evidence_field: As for `JudgedSupported`.
        source_field: As for `JudgedSupported`.

    Raises:
        CiteguardError: Not a model; and as for `JudgedSupported`.

    Examples:
        >>> from typing import Annotated
        >>> from pydantic import TypeAdapter
        >>> from citeguard import Sources
        >>> def model(pairs):  # yours may be the name of one
        ...     return [[0.9, 0.1, 0.0] for premise, hypothesis in pairs]
        >>> context = Sources("Notice is one month.").as_context()
        >>> claim = TypeAdapter(Annotated[str, EntailedBySource(model)])
        >>> claim.validate_python("It takes a month.", context=context)
        'It takes a month.'
    """

    def __post_init__(self) -> None:
        """Make the judge."""
        from citeguard.judges.reader import ReaderJudge

        ready = isinstance(self.model, ReaderJudge)
        object.__setattr__(self, "_judge", self.model if ready else ReaderJudge(self.model))


@dataclass(frozen=True, slots=True, eq=False)
class SimilarToSource(_ModelRule):
    """A statement whose embedding is close to that of a window of its evidence.

    Similarity is not proof: it shows that the evidence is about the same subject. Like
    `JudgedSupported` in all but the judge, with the same error codes.

    Attributes:
        model: The name or folder of a `SentenceTransformer`, or anything else that `Similarity`
            takes; or a `Similarity`. It is loaded when it is first needed.
        threshold: The least cosine, inclusive; by default that of
            `Similarity`.
        evidence_field: As for `JudgedSupported`.
        source_field: As for `JudgedSupported`.

    Raises:
        CiteguardError: Not a model, or an invalid threshold; and as for `JudgedSupported`.

    Examples:
        >>> from typing import Annotated
        >>> from pydantic import TypeAdapter
        >>> from citeguard import Sources
        >>> def embedder(texts):  # yours may be the name of a model
        ...     return [[text.count("month") + 0.1, text.count("unch") + 0.1] for text in texts]
        >>> context = Sources("Notice is one month.").as_context()
        >>> claim = TypeAdapter(Annotated[str, SimilarToSource(embedder)])
        >>> claim.validate_python("It takes a month.", context=context)
        'It takes a month.'
    """

    _: KW_ONLY
    threshold: float | None = None

    def __post_init__(self) -> None:
        """Make the judge."""
        from citeguard.judges.similarity import Similarity

        judge = self.model
        if isinstance(judge, Similarity):
            if self.threshold is not None:
                raise CiteguardError("SimilarToSource(threshold=...): a Similarity has its own")
        elif self.threshold is None:
            judge = Similarity(judge)
        else:
            judge = Similarity(judge, threshold=self.threshold)
        object.__setattr__(self, "_judge", judge)


def _require_source(source_id: str | None, grounding: Grounding) -> None:
    known = grounding.sources.ids
    if source_id is not None and source_id not in known:
        suggestion = messages.closest(source_id, known)
        message = messages.source_unknown(source_id, known, (), suggestion, quoted=False)
        raise custom_error("source_unknown", message, source_id=source_id, suggestion=suggestion)
