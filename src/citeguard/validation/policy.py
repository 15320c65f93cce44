"""The rules that answers are held to, `Policy`, and `use_sources`."""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Unpack, cast, get_args

from citeguard.errors import (
    CiteguardError,
    check_flag,
    check_kind,
    check_text,
    check_whole,
    described,
)
from citeguard.judges.usage import Budget
from citeguard.judges.verdicts import AlignmentJudge, Judge, is_judge, listed
from citeguard.sources.collection import Source, Sources, as_sources
from citeguard.sources.matches import FramingKind
from citeguard.validation.context import Grounding, current_grounding
from citeguard.validation.quote_rules import ExactQuote, FuzzyQuote, QuoteRule

if TYPE_CHECKING:
    from citeguard.retrieval.search import Retriever

# The annotations below are texts at run time, and cannot be read: a retriever's type is imported
# for type checkers only.
_CHOICES = {
    "uncited": ("fail", "pass", "search"),
    "empty": ("fail", "pass"),
    "invalid": ("fail", "drop", "salvage"),
    "evidence": ("quote", "sentence", "passages", "source"),
    "undecided": ("fail", "pass", "raise"),
}


class OtherRules(TypedDict, total=False):
    """The rules of a `Policy` but `support`, as `Policy.fast` and its kin take them."""

    quote: ExactQuote | FuzzyQuote
    uncited: Literal["fail", "pass", "search"]
    empty: Literal["fail", "pass"]
    invalid: Literal["fail", "drop", "salvage"]
    framed: Sequence[FramingKind]
    speech: bool
    alignment: AlignmentJudge | Sequence[AlignmentJudge] | None
    evidence: Literal["quote", "sentence", "passages", "source"]
    passages: int
    retriever: Retriever | None
    undecided: Literal["fail", "pass", "raise"]
    budget: Budget


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """The rules that an answer is held to; the defaults are the strict ones.

    Data of the wrong form fails under any policy, except that `invalid` also drops a statement of
    the wrong form. Unless the policy names judges, no model is needed.

    Attributes:
        quote: The rule for the quotes of every `Citation`. Its `source_field` is not used there: a
            citation names its source in `source_id`.
        uncited: Whether a statement without citations fails (`statement_uncited`), passes without
            being judged, or is judged by the passages that a `search` of all sources finds. If it
            finds none, the statement fails as unsupported.
        empty: Whether an answer without statements fails (`answer_empty`), unless it says why the
            sources do not answer (`Answer.unanswerable`).
        invalid: Whether an `Answer` with a wrong statement fails, so that it can be corrected; or
            the statement is dropped at once (`drop`); or the answer fails, and a client made by
            `guard` drops what is still wrong in the last attempt (`salvage`). Dropped statements
            are listed with their errors in `Answer.dropped`. An answer of which nothing is left
            fails; a statement that is only undecided is never dropped. Items of models of yours are
            dropped by `verify` and guarded clients only: `model_validate` raises. Filters, audits
            and assertions judge the data as it is, and drop nothing.
        framed: The kinds of `Citation.framing` that fail (`quote_framed`): `denied`, `attributed`,
            `conditional`, `asked`. A quote that is framed otherwise is only flagged.
        speech: Whether the sources are transcribed speech, so that quotes may leave out "uh",
            words said twice in a row and false starts. The source's own words replace them.
        support: The judge of whether a statement's citations support it, or several. The first
            decided verdict stands, and later judges get what is still undecided, so put the cheap
            ones first. Statements without citations are not judged, unless `uncited` says so.
        alignment: The judge of whether the answer as a whole answers the question and agrees with
            what it cites; or several, each asked if those before could not decide all of it.
        evidence: How much of a cited source the judges are shown: the `quote` alone, the whole
            `sentence` or sentences around it, these and the `passages` of the source that match the
            statement best, or all of the `source`.
        passages: The most passages that are retrieved for one statement.
        retriever: How they are found; by default `BM25Retriever()`.
        undecided: What happens if no judge could decide: the answer fails (`undecided`), passes
            with the verdict on it, or validation raises an `UndecidedError`, which no retry hides.
        budget: What the judges of one answer may cost.

    Raises:
        CiteguardError: An unknown choice, or a judge or a retriever of the wrong type.

    Examples:
        >>> Policy(uncited="pass")
        Policy(quote=FuzzyQuote(source_field=None, min_length=4, equivalent=True), \
uncited='pass', empty='fail', invalid='fail', framed=(), speech=False, support=(), \
alignment=None, evidence='sentence', passages=4, retriever=None, undecided='fail', \
budget=Budget(calls=None, tokens=None, seconds=None, cost=None))
    """

    quote: ExactQuote | FuzzyQuote = field(default_factory=FuzzyQuote)
    uncited: Literal["fail", "pass", "search"] = "fail"
    empty: Literal["fail", "pass"] = "fail"
    invalid: Literal["fail", "drop", "salvage"] = "fail"
    framed: Sequence[FramingKind] = ()
    speech: bool = False
    support: Judge | Sequence[Judge] = ()
    alignment: AlignmentJudge | Sequence[AlignmentJudge] | None = None
    evidence: Literal["quote", "sentence", "passages", "source"] = "sentence"
    passages: int = 4
    retriever: Retriever | None = None
    undecided: Literal["fail", "pass", "raise"] = "fail"
    budget: Budget = field(default_factory=Budget)

    def __post_init__(self) -> None:
        """Reject a misspelt choice: it would accept what it was meant to stop."""
        for name, choices in _CHOICES.items():
            if getattr(self, name) not in choices:
                raise CiteguardError(
                    f"Policy({name}=...) must be one of {', '.join(map(repr, choices))}, "
                    f"not {getattr(self, name)!r}"
                )
        given: Any = self  # users need not heed the types
        _require(
            isinstance(given.quote, QuoteRule), "quote", "ExactQuote or FuzzyQuote", given.quote
        )
        check_kind("Policy(budget=...)", given.budget, Budget, required=True)
        check_whole("Policy(passages=...)", given.passages, 1)
        if given.retriever is not None:
            searches = callable(getattr(given.retriever, "search", None))
            is_retriever = searches and not isinstance(given.retriever, type)
            _require(is_retriever, "retriever", "a Retriever", given.retriever)
        check_flag("Policy(speech=...)", given.speech)
        known, framed = get_args(FramingKind), given.framed
        is_list = isinstance(framed, Collection) and not isinstance(framed, str)
        if not is_list or any(kind not in known for kind in cast("Collection[Any]", framed)):
            raise CiteguardError(
                f"Policy(framed=...) must be a sequence of {', '.join(map(repr, known))}, "
                f"not {self.framed!r}"
            )
        object.__setattr__(self, "framed", tuple(self.framed))
        object.__setattr__(self, "support", listed("Policy(support=...)", given.support))
        for judge in self.judges:
            check_kind("Policy(support=...)", judge, Judge, required=True)
        if self.alignment is not None and not is_judge(self.alignment, AlignmentJudge):
            several = isinstance(given.alignment, (list, tuple))
            aligners: tuple[Any, ...] = tuple(given.alignment) if several else (given.alignment,)
            for judge in aligners:
                check_kind("Policy(alignment=...)", judge, AlignmentJudge, required=True)
            object.__setattr__(self, "alignment", aligners)

    @property
    def judges(self) -> tuple[Judge, ...]:
        """The judges of `support`, one or several, in their order."""
        return cast("tuple[Judge, ...]", self.support)

    @property
    def aligners(self) -> tuple[AlignmentJudge, ...]:
        """The judges of `alignment`, one or several, in their order."""
        if isinstance(self.alignment, tuple):
            return self.alignment
        return () if self.alignment is None else (cast("AlignmentJudge", self.alignment),)

    @classmethod
    def fast(cls, **rules: Unpack[OtherRules]) -> Policy:
        """Return a policy whose statements are judged by the reader only: `ReaderJudge()`.

        It needs the extra `reader`, no GPU and no download, and takes milliseconds per answer. What
        it cannot decide is `undecided`, and fails unless `undecided="pass"`: then look at the
        verdicts, as such statements are no better than unchecked.

        Args:
            rules: Other rules, as for `Policy`, except `support`.

        Raises:
            CiteguardError: `support` is given, or a rule has an invalid value.

        Examples:
            >>> Policy.fast(undecided="pass").undecided
            'pass'
        """
        return cls(support=_cascade("fast", [], rules), **rules)

    @classmethod
    def strict(cls, judge: Judge | str, **rules: Unpack[OtherRules]) -> Policy:
        """Return a policy in which a judge decides what the reader cannot.

        What the reader decides is final, right or wrong. To leave more to the judge, name both:
        `Policy(support=[ReaderJudge(supported_from=0.9, unsupported_below=0.1), judge])`.

        Args:
            judge: The judge, such as an `LLMJudge`, or `ReaderJudge(model)` for an entailment model
                of yours; it is asked about the uncertain part only. Or its name, as the command's
                `--judge` takes it, such as "openai/gpt-5-mini".
            rules: Other rules, as for `Policy`, except `support`.

        Raises:
            CiteguardError: Not a judge, `support` is given, or a rule has an invalid value.

        Examples:
            >>> from citeguard.testing import ScriptedJudge
            >>> Policy.strict(ScriptedJudge()).support[1].name
            'script'
        """
        if isinstance(judge, str):
            from citeguard.judges.llm import named_judge

            judge = named_judge(judge)
        return cls(support=_cascade("strict", [judge], rules), **rules)


@cache
def reader_judge() -> Judge:
    """Return the `ReaderJudge` with the thresholds that it ships with, one per process."""
    from citeguard.judges.reader import ReaderJudge

    return ReaderJudge()


def grounded(sources: Any, policy: Policy | None = None, question: str | None = None) -> Grounding:
    """Return what validation needs, made of what a user passes."""
    if policy is not None and not isinstance(policy, Policy):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise CiteguardError(
            f"policy: expected a Policy, such as Policy(invalid='drop'), got {described(policy)}"
        )
    check_text("question", question)
    return Grounding(as_sources(sources), policy, question)


@contextmanager
def use_sources(
    sources: Sources | Source | str | Mapping[Any, Any] | Iterable[Any],
    policy: Policy | None = None,
    question: str | None = None,
) -> Generator[Sources, None, None]:
    """Check what is validated inside the block, without a context of its own, against `sources`.

    For frameworks that cannot pass a validation context. An explicit context takes precedence.
    Blocks nest, and the innermost one applies, with its own policy; each thread and each asyncio
    task sees its own. A thread that is started inside the block does not see it, unless it is
    started with a copy of the context, as by `asyncio.to_thread`.

    Args:
        sources: Anything that `Sources` accepts.
        policy: The rules; the default policy if `None`.
        question: The user's question, for judges of the whole answer.

    Yields:
        The prepared sources.

    Raises:
        InvalidSourcesError: `sources` cannot be read as sources.
        CiteguardError: `policy` is not a `Policy`, or `question` is not a `str`.

    Examples:
        >>> from citeguard import Citation
        >>> with use_sources({"handbook": "Notice is one month."}):
        ...     Citation(quote="one month").span
        Span(source_id='handbook', start=10, end=19)
    """
    grounding = grounded(sources, policy, question)
    token = current_grounding.set(grounding)
    try:
        yield grounding.sources
    finally:
        current_grounding.reset(token)


def without_drops(policy: Policy | None) -> Policy | None:
    """Return a policy under which a wrong statement fails, for a verdict on the data as it is."""
    drops = isinstance(policy, Policy) and policy.invalid != "fail"  # users need not heed types
    return replace(policy, invalid="fail") if policy is not None and drops else policy


def policy_of(grounding: Grounding) -> Policy:
    """Return the policy of a validation."""
    return DEFAULT_POLICY if grounding.policy is None else grounding.policy


def _cascade(name: str, judges: Sequence[Judge], rules: Mapping[str, Any]) -> list[Judge]:
    if "support" in rules:
        raise CiteguardError(
            f"Policy.{name}() sets support itself; to choose judges, use Policy(support=[...])"
        )
    return [reader_judge(), *judges]


def _require(valid: bool, name: str, expected: str, given: Any) -> None:
    if not valid:
        raise CiteguardError(f"Policy({name}=...): expected {expected}, got {described(given)}")


DEFAULT_POLICY = Policy()
