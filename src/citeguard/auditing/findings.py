"""What is wrong with the citations of a text: unknown ids, wrong and redundant sources.

Judges decide whether a cited source supports a claim, alone or with others. So `probes` lists what
to ask them, and `findings_on_citations` reads their verdicts.

Reference: what is redundant is decided as by the citation precision of Gao et al., "Enabling Large
Language Models to Generate Text with Citations" (ALCE), EMNLP 2023.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from citeguard.auditing.conclusions import OpenClaim
from citeguard.auditing.marks import Mark
from citeguard.judges.verdicts import Verdict
from citeguard.language.excerpts import shown
from citeguard.language.sentences import Interval
from citeguard.reports.report import CheckedClaim, CitationFinding, CitationProblem
from citeguard.sources.collection import Sources
from citeguard.validation.messages import closest

_LONGEST_KEY = 80
_LONGEST_LIST = 200
_MOST_NAMED = 3  # sources in a message


class Probe(NamedTuple):
    """A question about the citations of a claim: do these sources alone support it?

    Attributes:
        number: The number of the claim.
        about: Whether the sources are all that are not cited (`elsewhere`), one cited source
            (`alone`), or the other cited sources (`without`).
        source_ids: The sources.
    """

    number: int
    about: Literal["elsewhere", "alone", "without"]
    source_ids: tuple[str, ...]


Verdicts = Mapping[Probe, Verdict]


def probes(judged: OpenClaim, sources: Sources) -> Iterator[Probe]:
    """Yield what to ask about the citations of a judged claim.

    If the cited sources do not support it, whether any other does; if several of them together do,
    whether each is needed.
    """
    number, cited = judged.number, judged.cited
    if judged.verdict and judged.verdict.outcome == "supported":
        for source_id in cited if len(cited) > 1 else ():
            yield Probe(number, "alone", (source_id,))
            yield Probe(number, "without", _without(source_id, cited))
    elif cited and (others := _without(cited, sources.ids)):
        yield Probe(number, "elsewhere", others)


def better_sources(
    judged: OpenClaim, sources: Sources, verdicts: Verdicts
) -> tuple[str, ...] | None:
    """Return the source that supports a claim and is not cited; `None` if there is none.

    Empty if the judge does not say which one it is.
    """
    probe = Probe(judged.number, "elsewhere", _without(judged.cited, sources.ids))
    found = verdicts.get(probe)
    if found is None or found.outcome != "supported":
        return None
    return () if found.span is None else (found.span.source_id,)


def findings_on_citations(
    marks: Sequence[Mark],
    judged: Sequence[OpenClaim],
    claims: Sequence[CheckedClaim],
    verdicts: Verdicts,
    sources: Sources,
) -> Iterator[CitationFinding]:
    """Yield the problems with the marks of a text, and the claims without a mark.

    Args:
        marks: The marks of the text.
        judged: The claims with their marks.
        claims: The same, as the report has them.
        verdicts: The answers to their probes.
        sources: The sources.
    """
    numbers: dict[Mark, list[int]] = {mark: [] for mark in marks}
    for each in judged:
        for mark in each.marks:
            numbers[mark].append(each.number)
    for mark in marks:
        of_mark = [claims[number - 1] for number in numbers[mark]]
        deciding = [claim.deciding for claim in of_mark if claim.verdict == "supported"]
        all_supported = len(deciding) == len(of_mark) and not mark.cited
        better = tuple(dict.fromkeys(each.source_id for each in deciding if each))
        better = better if all_supported else ()
        for key, entry in zip(mark.unknown, mark.entries, strict=True):
            message = _unknown(key, entry, sources, better)
            yield finding(
                "unknown_id", mark.interval, numbers[mark], message, cited=key, better=better
            )
    for mark, source_id in _redundant(judged, verdicts, numbers):
        message = f"{_named(source_id)} does not say this, and the other sources cited do."
        yield finding("redundant", mark.interval, numbers[mark], message, cited=source_id)
    for each in judged:
        better = better_sources(each, sources, verdicts)
        if better is not None:
            instead = f": cite {', '.join(map(_named, better))}" if better else ""
            names = ", ".join(map(_named, each.cited))
            message = f"{names} does not say this, and another source does{instead}."
            wrong = each.cited[0]
            mark = next(mark for mark in each.marks if wrong in mark.cited)
            yield finding(
                "wrong_source", mark.interval, [each.number], message, cited=wrong, better=better
            )
        if marks and not each.marks and each.question:
            message = "No source is cited for this claim: cite one, or remove the claim."
            yield finding("uncited", (each.claim.start, each.claim.end), [each.number], message)


def finding(
    problem: CitationProblem,
    at: Interval,
    claims: Iterable[int],
    message: str,
    *,
    cited: str = "",
    better: tuple[str, ...] = (),
) -> CitationFinding:
    """Return a finding on what is at an interval of the text: see `CitationFinding`."""
    return CitationFinding(
        problem=problem,
        start=at[0],
        end=at[1],
        claims=tuple(claims),
        cited=cited,
        better=better,
        message=message,
    )


def _redundant(
    judged: Sequence[OpenClaim], verdicts: Verdicts, numbers: Mapping[Mark, Sequence[int]]
) -> Iterator[tuple[Mark, str]]:
    """Yield the sources of a mark that none of its claims needs."""
    needed: dict[tuple[Mark, str], set[int]] = {}
    checkable = {each.number for each in judged if each.question}
    for each in judged:
        for source_id in each.cited:
            alone = verdicts.get(Probe(each.number, "alone", (source_id,)))
            rest = verdicts.get(Probe(each.number, "without", _without(source_id, each.cited)))
            if alone and rest and (alone.outcome, rest.outcome) == ("unsupported", "supported"):
                for mark in (mark for mark in each.marks if source_id in mark.cited):
                    of_mark = checkable.intersection(numbers[mark])
                    needed.setdefault((mark, source_id), of_mark).discard(each.number)
    for (mark, source_id), by in needed.items():
        if not by:
            yield mark, source_id


def _without(cited: str | Sequence[str], ids: Sequence[str]) -> tuple[str, ...]:
    """Return ids but for one, or for several."""
    gone = (cited,) if isinstance(cited, str) else cited
    return tuple(each for each in ids if each not in gone)


def _unknown(key: str, entry: str, sources: Sources, better: Sequence[str]) -> str:
    instead = f" Cite {', '.join(map(_named, better))}, which says this." if better else ""
    if entry:
        words = shown(entry, _LONGEST_LIST)
        listed = f"{_named(key)} is listed as “{words}”, and no source is known to be that: add it."
        return f"{listed}{instead}"
    suggestion = None if better else closest(key, sources.ids)
    meant = f" Did you mean {_named(suggestion)}?" if suggestion else ""
    ids = shown(", ".join(sources.ids), _LONGEST_LIST)
    return f"No source is called {_named(key)}; the ids are {ids}.{meant}{instead}"


def _named(source_id: str) -> str:
    return f"“{shown(source_id, _LONGEST_KEY)}”"
