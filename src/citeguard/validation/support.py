"""The rules on what a statement rests on, for `Annotated[str, ...]` in any model.

`JudgedSupported` asks any judge; `SupportedBySource`, `EntailedBySource` and `SimilarToSource` ask
one that works on this machine.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field
from typing import Any

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema

from citeguard.errors import CiteguardError
from citeguard.judges.judge import Judge, can
from citeguard.validation.annotations import Siblings, checked_by
from citeguard.validation.context import Grounding
from citeguard.validation.judged import StatementCheck
from citeguard.validation.policy import Policy, embedded_judge, policy_of


@dataclass(frozen=True, slots=True, eq=False)  # by identity, as a judge may be unhashable
class JudgedSupported:
    """A statement that a judge finds supported by the evidence beside it.

    Asks the judge, or those of `Policy.support` when none is given. One by one and, in an event
    loop, blocking it; side by side, and without blocking, inside `verify`, `averify` and a client
    that is guarded (`guard`). `None` passes where the annotation allows it: it states nothing.

    Fails with `statement_unsupported`, `statement_contradicted`, `statement_empty`, with
    `statement_uncited` and `undecided` unless the policy lets them pass, and with the codes of
    `FuzzyQuote` when the evidence is no quote.

    Attributes:
        judge: Who is asked.
        evidence_field: The field of the same model, declared earlier, that holds the quote, or a
            list of quotes, to be judged by. When it is `None`, the judge is shown all of the
            source, or of all sources, part by part if it sets a limit; with
            `Policy(evidence="passages")`, the passages of them that match the statement best.
        source_field: The field of the same model, declared earlier, that holds the id of the
            source. When it is `None`, or holds `None`, any source will do; an id that no source
            has is an error.

    Raises:
        CiteguardError: where the rule is used without its parentheses; and at validation, when
            there are no sources or no judge, or a field is no field declared earlier.

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
    _: KW_ONLY
    evidence_field: str | None = None
    source_field: str | None = None

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler | None = None
    ) -> CoreSchema:
        """Check after the field's own validation."""
        return _schema("JudgedSupported()", self, source, handler)

    def __post_init__(self) -> None:
        """Refuse at once what could not be asked."""
        _require_judge("JudgedSupported", self.judge)

    def judges(self, policy: Policy) -> tuple[Judge, ...]:
        """Return who is asked under a policy."""
        return tuple(policy.support) if self.judge is None else (self.judge,)


@dataclass(frozen=True, slots=True, eq=False)
class SupportedBySource:
    """A statement that the embedded verifier finds supported: no model, no download, milliseconds.

    The policy does not choose the judge here; in all else this is `JudgedSupported`, with the same
    error codes.

    Attributes:
        judge: Who is asked instead of the embedded `GroundingVerifier`.
        evidence_field: As for `JudgedSupported`.
        source_field: As for `JudgedSupported`.

    Raises:
        CiteguardError: as for `JudgedSupported`.

    Examples:
        >>> from typing import Annotated
        >>> from pydantic import TypeAdapter
        >>> from citeguard import Sources
        >>> context = Sources("The notice period is one month.").as_context()
        >>> claim = TypeAdapter(Annotated[str, SupportedBySource()])
        >>> claim.validate_python("The notice period is one month.", context=context)
        'The notice period is one month.'
    """

    judge: Judge | None = None
    _: KW_ONLY
    evidence_field: str | None = None
    source_field: str | None = None

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler | None = None
    ) -> CoreSchema:
        """Check after the field's own validation."""
        return _schema("SupportedBySource()", self, source, handler)

    def __post_init__(self) -> None:
        """Refuse at once what could not be asked."""
        _require_judge("SupportedBySource", self.judge)

    def judges(self, _: Policy) -> tuple[Judge, ...]:
        """Return who is asked, whatever the policy says."""
        return (embedded_judge() if self.judge is None else self.judge,)


@dataclass(frozen=True, slots=True, eq=False)
class EntailedBySource:
    """A statement that an entailment model (NLI) finds entailed by its evidence.

    In all but the judge this is `JudgedSupported`, with the same error codes. Needs the extra
    `semantic` where the model is a name or a folder.

    Attributes:
        model: The name or folder of a model, or whatever else `Entailment` takes; or an
            `Entailment`, for other thresholds. It is loaded when it is first needed.
        evidence_field: As for `JudgedSupported`.
        source_field: As for `JudgedSupported`.

    Raises:
        CiteguardError: what is no model; and as for `JudgedSupported`.

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

    model: Any
    _: KW_ONLY
    evidence_field: str | None = None
    source_field: str | None = None
    _judge: Judge = field(init=False, repr=False)

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler | None = None
    ) -> CoreSchema:
        """Check after the field's own validation."""
        return _schema("EntailedBySource(...)", self, source, handler)

    def __post_init__(self) -> None:
        """Make the judge at once, and one for all fields with this rule."""
        from citeguard.judges.entailment import Entailment

        ready = isinstance(self.model, Entailment)
        object.__setattr__(self, "_judge", self.model if ready else Entailment(self.model))

    def judges(self, _: Policy) -> tuple[Judge, ...]:
        """Return who is asked, whatever the policy says."""
        return (self._judge,)


@dataclass(frozen=True, slots=True, eq=False)
class SimilarToSource:
    """A statement that means about what a window of its evidence says, by their embeddings.

    Similarity is no proof: it says that the evidence is about the same. In all but the judge this
    is `JudgedSupported`, with the same error codes.

    Attributes:
        model: The name or folder of a `SentenceTransformer`, or whatever else `Similarity` takes;
            or a `Similarity`. It is loaded when it is first needed.
        threshold: The least cosine with which it is similar, inclusive; by default that of
            `Similarity`.
        evidence_field: As for `JudgedSupported`.
        source_field: As for `JudgedSupported`.

    Raises:
        CiteguardError: what is no model or no threshold; and as for `JudgedSupported`.

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

    model: Any
    _: KW_ONLY
    threshold: float | None = None
    evidence_field: str | None = None
    source_field: str | None = None
    _judge: Judge = field(init=False, repr=False)

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler | None = None
    ) -> CoreSchema:
        """Check after the field's own validation."""
        return _schema("SimilarToSource(...)", self, source, handler)

    def __post_init__(self) -> None:
        """Make the judge at once, and one for all fields with this rule."""
        from citeguard.judges.similarity import Similarity

        judge = self.model
        if isinstance(judge, Similarity):
            if self.threshold is not None:
                raise CiteguardError("SimilarToSource(): a Similarity has its own threshold")
        elif self.threshold is None:
            judge = Similarity(judge)
        else:
            judge = Similarity(judge, threshold=self.threshold)
        object.__setattr__(self, "_judge", judge)

    def judges(self, _: Policy) -> tuple[Judge, ...]:
        """Return who is asked, whatever the policy says."""
        return (self._judge,)


def _schema(name: str, rule: Any, source: Any, handler: GetCoreSchemaHandler | None) -> CoreSchema:
    def check(statement: str, grounding: Grounding, siblings: Siblings) -> str:
        # Only here is it known that the rule is an object, and no class without its parentheses.
        judges = rule.judges(policy_of(grounding))
        asking = StatementCheck(name, judges, rule.evidence_field, rule.source_field)
        return asking(statement, grounding, siblings)

    return checked_by(name, check, source, handler)


def _require_judge(rule: str, judge: object) -> None:
    if judge is not None and not can(Judge, judge):
        raise CiteguardError(f"{rule}({judge!r}): that is no judge")
