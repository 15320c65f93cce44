"""The evidence that judges are shown: what is cited, what a search finds, or whole sources."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter

from citeguard.errors import foreign_code
from citeguard.judges.verdicts import Evidence, JudgeFailedError, SupportQuestion, Verdict, explain
from citeguard.language.tables import read_passage
from citeguard.reader.windows import title_over
from citeguard.retrieval.passages import Kept
from citeguard.sources.collection import Sources, Span
from citeguard.validation.context import Grounding
from citeguard.validation.policy import Policy, policy_of

NOTHING_FOUND = Verdict(
    "unsupported", reason="No passage of the sources is about it.", judge="search"
)
"""The verdict on a statement without citations for which a search found nothing."""

_SHORT = 8_000  # characters; with the statements, well within one call of a judge
_MOST_FOUND = 1_000  # statements; far more than an answer has
# Holds the retriever, too, so that no other one gets its id.
_FOUND: Kept[tuple[object, tuple[Span, ...]]] = Kept(most=_MOST_FOUND)


def retrieves(policy: Policy) -> bool:
    """Return whether validation under a policy may search, which can take long."""
    return policy.evidence == "passages" or policy.uncited == "search" or bool(policy.aligners)


def question_about(statement: str, evidence: Iterable[Evidence]) -> SupportQuestion:
    """Return the question whether evidence supports a statement; repeated evidence counts once."""
    return SupportQuestion(statement=statement, evidence=tuple(dict.fromkeys(evidence)))


def undecided_search(error: JudgeFailedError) -> Verdict:
    """Return the verdict after a search for evidence has failed."""
    return Verdict("undecided", reason=str(error), judge=NOTHING_FOUND.judge)


def cited_evidence(
    statement: str, quotes: Sequence[Sequence[Span]], grounding: Grounding
) -> list[Evidence]:
    """Return the evidence at the places that a statement cites, by `Policy.evidence`.

    Each quote has at least one span, and all its spans are of one source.

    Raises:
        JudgeFailedError: The retriever failed.
    """
    sources, shown = grounding.sources, policy_of(grounding).evidence
    if shown == "quote":
        every = (span for spans in quotes for span in spans)
        return evidence_at(every, sources)
    if shown == "source":
        every = (_all_of(spans[0].source_id, sources) for spans in quotes)
        return evidence_at(every, sources)
    own: list[Span] = []
    for source_id, start, end in ((s[0].source_id, s[0].start, s[-1].end) for s in quotes):
        own.append(Span(source_id, *sources[source_id].prepared.sentences_at(start, end)))
    if shown == "sentence" or not own:
        return evidence_at(own, sources)
    cited = list(dict.fromkeys(span.source_id for span in own))
    found = _joined([*own, *_found(statement, grounding, cited)], cited)
    return evidence_at(found, sources)


def found_evidence(
    statement: str, grounding: Grounding, source_ids: Sequence[str] | None = None
) -> list[Evidence]:
    """Return the passages of some sources, or of all, that match a statement best, if any.

    Raises:
        JudgeFailedError: The retriever failed.
    """
    within = grounding.sources.ids if source_ids is None else source_ids
    found = _joined(_found(statement, grounding, within), within)
    return evidence_at(found, grounding.sources)


def open_evidence(question: str, grounding: Grounding) -> list[Evidence]:
    """Return what might answer a question that is left open: short sources whole, else a search.

    A search may miss what answers in other words ("die" and "deaths").

    Raises:
        JudgeFailedError: The retriever failed.
    """
    if sum(len(source.text) for source in grounding.sources) <= _SHORT:
        return all_evidence(None, grounding.sources)
    return found_evidence(question, grounding)


def all_evidence(source_id: str | None, sources: Sources) -> list[Evidence]:
    """Return all of a source, or of all sources."""
    within = sources.ids if source_id is None else (source_id,)
    return evidence_at((_all_of(each, sources) for each in within), sources)


def _found(statement: str, grounding: Grounding, within: Sequence[str]) -> tuple[Span, ...]:
    """Return what a search finds; cached, as answers are validated several times.

    Raises:
        JudgeFailedError: The retriever failed.
    """
    policy, sources = policy_of(grounding), grounding.sources

    def search() -> tuple[object, tuple[Span, ...]]:
        # Whatever failed in a retriever, the verdict is undecided.
        with foreign_code(
            lambda error: JudgeFailedError(f"search: {explain(error)}"), owner="the retriever"
        ):
            passages = sources.search(
                statement, k=policy.passages, retriever=policy.retriever, source_ids=within
            )
        return policy.retriever, tuple(passage.span for passage in passages)

    key = (statement, tuple(within), policy.passages, id(policy.retriever))
    return _FOUND.get(sources, key, search)[1]


def _joined(spans: Iterable[Span], source_ids: Iterable[str]) -> Iterator[Span]:
    """Yield spans by source and place, merging those that touch, so that nothing is shown twice."""
    places = sorted(spans, key=attrgetter("start", "end"))
    for source_id in source_ids:
        joined: list[Span] = []
        for span in (each for each in places if each.source_id == source_id):
            if joined and span.start <= joined[-1].end:
                whole = joined.pop()
                span = Span(source_id, whole.start, max(whole.end, span.end))
            joined.append(span)
        yield from joined


def _all_of(source_id: str, sources: Sources) -> Span:
    return Span(source_id, 0, len(sources[source_id].text))


def evidence_at(places: Iterable[Span], sources: Sources) -> list[Evidence]:
    """Return the evidence at some places, with tables and records read as sentences."""
    found: list[Evidence] = []
    for place in places:
        source = sources[place.source_id]
        prepared = source.prepared
        text, pieces = read_passage(prepared.text, place.start, place.end, prepared.tables)
        found.append(
            Evidence(
                text=text,
                source_id=place.source_id,
                start=place.start,
                pieces=pieces,
                written=sources.slice(place) if pieces else "",
                title=title_over(source.title, source.text, place.start),
            )
        )
    return found
