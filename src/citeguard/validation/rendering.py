"""An `Answer`, which is defined above, for readers: Markdown with footnotes."""

from __future__ import annotations

from typing import Any

from citeguard.errors import CiteguardError, InvalidSourcesError
from citeguard.language.citations import without_machine_marks
from citeguard.language.excerpts import as_paragraph, counted_as, escaped
from citeguard.sources.collection import Sources
from citeguard.sources.matches import ELLIPSIS

# An answer is shown whole; the bound is on what a hostile one can make of a page.
_LONGEST = 20_000


def check_sources(answer: Any, sources: Sources) -> None:
    """Check that an answer's quotes are where it says in the sources.

    Raises:
        CiteguardError: A citation of it was never validated.
        UnknownSourceError: It cites a source that is not among them.
        InvalidSourcesError: It was validated against others, which have the same ids.
    """
    for statement in answer.statements:
        for citation in statement.citations or ():
            if not citation.spans:
                raise CiteguardError("the answer has a citation that was never validated")
            if ELLIPSIS.join(map(sources.slice, citation.spans)) != citation.quote:
                raise InvalidSourcesError(
                    f"source {citation.spans[0].source_id!r} does not have a quote where the "
                    "answer says: it was validated with other sources of the same ids"
                )


def as_markdown(answer: Any, sources: Sources | None) -> str:
    """Return an answer as Markdown; see `Answer.to_markdown`."""
    notes: dict[object, tuple[int, str]] = {}  # by spans: a place has only one
    parts: list[str] = []
    for statement in answer.statements:
        cited: dict[int, None] = {}
        for citation in statement.citations or ():
            if citation.spans not in notes:
                first = citation.spans[0]
                source = escaped(first.source_id)
                if sources is not None:
                    place = sources.location_of(first)
                    source = escaped(sources[first.source_id].title or first.source_id)
                    # A URL cannot end the link: `web_url` lets no space or control character in.
                    if (url := place.url) is not None:
                        url = url.replace("(", "%28").replace(")", "%29")
                        source = f"[{source}]({url})"
                    source += f", {escaped(str(place))}" if str(place) else ""
                number = len(notes) + 1
                note = f"[^{number}]: “{escaped(citation.quote, _LONGEST)}” – {source}"
                notes[citation.spans] = number, note
            cited[notes[citation.spans][0]] = None
        marks = "".join(f"[^{number}]" for number in cited)
        parts.append(as_paragraph(without_machine_marks(statement.text), _LONGEST) + marks)
    remarks: list[str] = []
    if answer.unanswerable is not None:
        remarks.append(f"Not in the sources: {answer.unanswerable}")
    if answer.dropped:
        count = counted_as(len(answer.dropped), "statement")
        remarks.append(f"{count} omitted, as wrong or unsupported.")
    shown = [" ".join(parts), *(f"*{escaped(remark, _LONGEST)}*" for remark in remarks)]
    return "\n\n".join(filter(None, [*shown, "\n".join(note for _, note in notes.values())])) + "\n"
