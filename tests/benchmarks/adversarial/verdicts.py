"""What citeguard says of a case, and whether it is right."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from citeguard import Framing

from .cases import Case, Place


@dataclass(frozen=True, slots=True)
class Verdict:
    """A checker's answer: accepted or not, where, and in words why not."""

    accepted: bool
    places: tuple[Place, ...] = ()
    denied: bool | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A case with its verdict and the seconds it took; `crash` names an unexpected exception."""

    case: Case
    verdict: Verdict
    seconds: float
    crash: str = ""

    @property
    def right(self) -> bool:
        """Tell whether the verdict is the wanted one and nothing broke."""
        wanted_denied = self.case.denied is None or self.case.denied == self.verdict.denied
        return not self.crash and self.verdict.accepted == self.case.accept and wanted_denied

    @property
    def span_right(self) -> bool:
        """Tell whether the places are one of the expected alternatives, edges trimmed alike."""
        found = [trimmed(place, self.case) for place in self.verdict.places]
        return any(
            [trimmed(p, self.case) for p in places] == found for places in self.case.expected
        )


def trimmed(place: Place, case: Case) -> Place:
    """Take characters that are neither letters nor digits off a place's edges.

    Whether a closing full stop, quotation mark or emphasis mark belongs to a quote is a matter of
    taste; where its first and last letter stand is not.
    """
    text, start, end = case.sources.get(place.source_id, ""), place.start, place.end
    while start < end and not text[start].isalnum():
        start += 1
    while end > start and not text[end - 1].isalnum():
        end -= 1
    return Place(place.source_id, start, end)


def citeguard_checker() -> Callable[[Case], Verdict]:
    """Return citeguard's check: by `Citation`, or by `locate` where that is all there is."""
    try:
        from citeguard.validation.models import Citation
    except ImportError:
        return _by_locate
    from pydantic import ValidationError

    from citeguard.sources.collection import Sources

    def check(case: Case) -> Verdict:
        data = {"quote": case.quote, "source_id": case.source_id}
        try:
            citation = Citation.model_validate(data, context=Sources(case.sources).as_context())
        except ValidationError as error:
            return Verdict(False, reason="; ".join(str(e["type"]) for e in error.errors()))
        places = tuple(Place(s.source_id, s.start, s.end) for s in citation.spans)
        return Verdict(True, places, _is_denied(citation.framing), str(citation.grade))

    return check


def _by_locate(case: Case) -> Verdict:
    """Check a case with the kernel alone."""
    from citeguard.errors import UnknownSourceError
    from citeguard.sources.collection import Sources
    from citeguard.sources.matches import locate

    try:
        match = locate(case.quote, Sources(case.sources), source_id=case.source_id)
    except UnknownSourceError:
        return Verdict(False, reason="source_unknown")
    if match is None:
        return Verdict(False, reason="not found")
    places = tuple(Place(s.source_id, s.start, s.end) for s in match.spans)
    material = (f"{e.quoted!r}/{e.source!r} {e.reason}" for e in match.material)
    reason = f"{match.grade} " + "; ".join(material)
    return Verdict(match.accepted, places, _is_denied(match.framing), reason)


def outcomes(cases: Iterable[Case], check: Callable[[Case], Verdict]) -> Iterator[Outcome]:
    """Check every case; an exception is an outcome too."""
    for case in cases:
        began, crash, verdict = time.perf_counter(), "", Verdict(False, reason="crash")
        try:
            verdict = check(case)
        except Exception as error:
            crash = f"{type(error).__name__}: {error}"[:300]
        yield Outcome(case, verdict, time.perf_counter() - began, crash)


def _is_denied(framing: Framing | None) -> bool:
    return framing is not None and framing.kind == "denied"
