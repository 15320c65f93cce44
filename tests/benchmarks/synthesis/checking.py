"""What the checks say of true texts and of wrong ones."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import ValidationError

from citeguard import Citation, Policy, Sources
from citeguard.datasets import Negative
from citeguard.judges.verdicts import Evidence, SupportQuestion, Verdict

from .material import TrueText


def is_accepted(quote: str, source_id: str, sources: Sources, policy: Policy | None = None) -> bool:
    """Tell whether a citation of the quote passes, with the source named."""
    data = {"quote": quote, "source_id": source_id}
    try:
        Citation.model_validate(data, context=sources.as_context(policy))
    except ValidationError:
        return False
    return True


def question(statement: str, sources: Sources) -> SupportQuestion:
    """Ask whether all sources together support a statement."""
    evidence = tuple(Evidence(text=each.text, source_id=each.id) for each in sources)
    return SupportQuestion(statement=statement, evidence=evidence)


def shares(found: Sequence[Verdict]) -> list[str]:
    """Return what share was refused, left undecided, and passed, as texts."""
    refused = sum(each.outcome in ("unsupported", "contradicted") for each in found)
    undecided = sum(each.outcome == "undecided" for each in found)
    passed = len(found) - refused - undecided
    return [percent(each, len(found)) for each in (refused, undecided, passed)]


def percent(part: int, whole: int) -> str:
    """Return a share as a text; "" where there is nothing to share."""
    return f"{part / whole:.1%}" if whole else ""


Made = tuple[Negative, TrueText]
