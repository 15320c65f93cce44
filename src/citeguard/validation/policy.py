"""What fails and what passes: `Policy`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, cast

from citeguard.errors import CiteguardError, check_whole
from citeguard.judges.judge import AlignmentJudge, Judge, can
from citeguard.judges.usage import Budget
from citeguard.validation.context import Grounding
from citeguard.validation.validators import ExactQuote, FuzzyQuote

if TYPE_CHECKING:
    from citeguard.retrieval.search import Retriever

_CHOICES = {
    "uncited": ("fail", "pass", "search"),
    "empty": ("fail", "pass"),
    "denied": ("flag", "fail"),
    "evidence": ("quote", "sentence", "passages", "source"),
    "undecided": ("fail", "pass", "raise"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """The rules that an answer is held to; the defaults are the strict ones.

    It decides nothing about data that is wrong in form. Unless it names judges, no model is needed.

    Attributes:
        quote: The rule for the quotes of every `Citation`. Its `source_field` is not used there: a
            citation names its source in `source_id`.
        uncited: Whether a statement without citations fails (`statement_uncited`), passes without
            being judged, or is judged by the passages that a `search` of all sources finds. If it
            finds none, the statement fails as unsupported.
        empty: Whether an answer without statements fails (`answer_empty`).
        denied: Whether a quote whose own sentence denies it fails (`quote_denied`), or is only
            flagged, as `Citation.denied`.
        support: Who is asked whether what a statement cites supports it. The first one's verdict
            stands if it is decided; else the next is asked, so put the cheap ones first. Nobody is
            asked about statements without citations, unless `uncited` says so.
        alignment: Who is asked whether the answer as a whole answers the question and agrees with
            what it cites: a judge, or several, of whom each is asked when those before could not
            decide all of it.
        evidence: What of a cited source the judges are shown: the `quote` alone, the whole
            `sentence` or sentences that it stands in, these and the `passages` of the source that
            match the statement best, or all of the `source`.
        passages: The most passages that are retrieved for one statement.
        retriever: How they are found; by default `BM25Retriever()`.
        undecided: What happens when no judge could tell: the answer fails (`undecided`), passes
            with the verdict on it, or validation raises an `UndecidedError`, which no retry hides.
        budget: What the judges of one answer may cost.

    Raises:
        CiteguardError: a choice that does not exist, or a judge or a retriever that is none.

    Examples:
        >>> Policy(uncited="pass")
        Policy(quote=FuzzyQuote(source_field=None, min_length=4), uncited='pass', empty='fail', \
denied='flag', support=(), alignment=None, evidence='sentence', passages=4, retriever=None, \
undecided='fail', budget=Budget(calls=None, tokens=None, seconds=None))
    """

    quote: ExactQuote | FuzzyQuote = field(default_factory=FuzzyQuote)
    uncited: Literal["fail", "pass", "search"] = "fail"
    empty: Literal["fail", "pass"] = "fail"
    denied: Literal["flag", "fail"] = "flag"
    support: Sequence[Judge] = ()
    alignment: AlignmentJudge | Sequence[AlignmentJudge] | None = None
    evidence: Literal["quote", "sentence", "passages", "source"] = "sentence"
    passages: int = 4
    retriever: Retriever | None = None
    undecided: Literal["fail", "pass", "raise"] = "fail"
    budget: Budget = field(default_factory=Budget)

    def __post_init__(self) -> None:
        """Refuse a misspelt choice: it would let through what it was meant to stop."""
        for name, choices in _CHOICES.items():
            if getattr(self, name) not in choices:
                raise CiteguardError(
                    f"Policy({name}=...) must be one of {', '.join(map(repr, choices))}, "
                    f"not {getattr(self, name)!r}"
                )
        if not isinstance(self.quote, (ExactQuote, FuzzyQuote)):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise CiteguardError(
                f"Policy(quote=...) must be an ExactQuote() or a FuzzyQuote(), not {self.quote!r}"
            )
        if not isinstance(self.budget, Budget):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise CiteguardError(f"Policy(budget=...) must be a Budget(...), not {self.budget!r}")
        _check_retrieval(self.passages, self.retriever)
        object.__setattr__(self, "support", _listed(self.support))
        if self.alignment is not None and not can(AlignmentJudge, self.alignment):
            object.__setattr__(self, "alignment", _aligners(self.alignment))

    @property
    def aligners(self) -> tuple[AlignmentJudge, ...]:
        """The judges of `alignment`, one or several, in their order."""
        if isinstance(self.alignment, tuple):
            return self.alignment
        return () if self.alignment is None else (cast("AlignmentJudge", self.alignment),)

    @classmethod
    def fast(cls, **rules: Any) -> Policy:
        """Return a policy whose statements are judged by the embedded verifier only.

        Plain CPU, no download, milliseconds for an answer. What it is not sure enough of is
        `undecided`, and fails unless `undecided="pass"`: then look at the verdicts, as such
        statements are no better than unchecked.

        Args:
            rules: Other rules, as for `Policy`, except `support`.

        Raises:
            CiteguardError: `support`, or no rule's value.

        Examples:
            >>> Policy.fast(undecided="pass").undecided
            'pass'
        """
        return cls(support=_cascade("fast", [], rules), **rules)

    @classmethod
    def balanced(cls, model: Any = None, **rules: Any) -> Policy:
        """Return a policy in which a model on this machine decides what the verifier cannot.

        Without a model it is `Policy.fast()`. The verifier has the thresholds that it ships with:
        they leave about half of the statements to the model, and what they decide is final. To
        leave more, name the judges yourself: `Policy(support=[GroundingVerifier(supported_from=0.8,
        unsupported_below=0.2), judge])`.

        Args:
            model: The name or folder of an entailment model, or whatever `Entailment` takes; or
                any judge.
            rules: Other rules, as for `Policy`, except `support`.

        Raises:
            CiteguardError: what is no model, `support`, or no rule's value; and when first asked,
                if the model cannot be loaded.
        """
        return cls(support=_cascade("balanced", _entailment(model), rules), **rules)

    @classmethod
    def strict(cls, judge: Judge, **rules: Any) -> Policy:
        """Return a policy in which a judge decides what the embedded verifier cannot.

        The verifier has the thresholds that it ships with: they leave about half of the statements
        to the judge, and what they decide is final, right or wrong. To be stricter, name both
        yourself: `Policy(support=[GroundingVerifier(supported_from=0.8, unsupported_below=0.2),
        judge])`.

        Args:
            judge: The judge, such as an `LLMJudge`; it costs a call for the uncertain part only.
            rules: Other rules, as for `Policy`, except `support`.

        Raises:
            CiteguardError: the judge is none, `support`, or no rule's value.

        Examples:
            >>> from citeguard.testing import ScriptedJudge
            >>> Policy.strict(ScriptedJudge()).support[1].name
            'script'
        """
        return cls(support=_cascade("strict", [judge], rules), **rules)


@cache
def embedded_judge() -> Judge:
    """Return the `GroundingVerifier` with the fitted thresholds that all of a process share."""
    from citeguard.judges.grounding import GroundingVerifier

    return GroundingVerifier()


def policy_of(grounding: Grounding) -> Policy:
    """Return the policy that a validation is held to."""
    return DEFAULT_POLICY if grounding.policy is None else grounding.policy


def _cascade(name: str, judges: Sequence[Judge], rules: Mapping[str, Any]) -> list[Judge]:
    """Return the embedded verifier and the judges that are asked after it.

    Raises:
        CiteguardError: the rules name judges, too.
    """
    if "support" in rules:
        raise CiteguardError(
            f"Policy.{name}() names its judges itself; to name them, use Policy(support=[...])"
        )
    return [embedded_judge(), *judges]


def _entailment(model: Any) -> list[Judge]:
    if model is None or can(Judge, model):
        return [] if model is None else [model]
    from citeguard.judges.entailment import Entailment

    return [Entailment(model)]


def _check_retrieval(passages: Any, retriever: Any) -> None:
    check_whole("Policy(passages=...)", passages, 1)
    if retriever is not None and (
        isinstance(retriever, type) or not callable(getattr(retriever, "search", None))
    ):
        raise CiteguardError(
            f"Policy(retriever=...) must be a retriever, such as BM25Retriever(), not {retriever!r}"
        )


def _aligners(alignment: Any) -> tuple[AlignmentJudge, ...]:
    judges: list[Any] = [*alignment] if isinstance(alignment, (list, tuple)) else [alignment]  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    if not all(can(AlignmentJudge, judge) for judge in judges):
        raise CiteguardError(
            f"Policy(alignment=...) must be one or more judges of answers, not {alignment!r}"
        )
    return tuple(judges)


def _listed(support: Any) -> tuple[Judge, ...]:
    if isinstance(support, str) or not isinstance(support, Sequence):
        raise CiteguardError(f"Policy(support=...) must be a list of judges, not {support!r}")
    judges: tuple[Any, ...] = tuple(support)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    for judge in judges:
        if not can(Judge, judge):
            raise CiteguardError(
                f"Policy(support=...) must be a list of judges, and {judge!r} is none"
            )
    return judges


DEFAULT_POLICY = Policy()
