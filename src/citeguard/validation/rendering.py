"""An `Answer`, which is defined above, for readers: text with footnotes, as Markdown or HTML."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
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


@dataclass(frozen=True, slots=True)
class _Note:
    """A footnote: a quote, and where it is from."""

    number: int
    quote: str
    name: str
    place: str
    url: str | None


def _footnotes(answer: Any, sources: Sources | None) -> tuple[list[list[int]], list[_Note]]:
    """Return the numbers of each statement's notes, and the notes; a place has only one."""
    notes: dict[object, _Note] = {}
    numbers: list[list[int]] = []
    for statement in answer.statements:
        cited: dict[int, None] = {}
        for citation in statement.citations or ():
            if citation.spans not in notes:
                first = citation.spans[0]
                name, place, url = first.source_id, "", None
                if sources is not None:
                    location = sources.location_of(first)
                    name, place, url = sources[name].title or name, str(location), location.url
                number = len(notes) + 1
                notes[citation.spans] = _Note(number, citation.quote, name, place, url)
            cited[notes[citation.spans].number] = None
        numbers.append([*cited])
    return numbers, [*notes.values()]


def as_markdown(answer: Any, sources: Sources | None) -> str:
    """Return an answer as Markdown; see `Answer.to_markdown`."""
    numbers, notes = _footnotes(answer, sources)
    parts = [
        as_paragraph(without_machine_marks(statement.text), _LONGEST)
        + "".join(f"[^{number}]" for number in cited)
        for statement, cited in zip(answer.statements, numbers, strict=True)
    ]
    listed: list[str] = []
    for note in notes:
        name, place = escaped(note.name), f", {escaped(note.place)}" if note.place else ""
        # A URL cannot end the link: `web_url` lets no space or control character through.
        url = None if note.url is None else note.url.replace("(", "%28").replace(")", "%29")
        linked = name if url is None else f"[{name}]({url})"
        listed.append(f"[^{note.number}]: “{escaped(note.quote, _LONGEST)}” – {linked}{place}")
    remarks = [f"*{escaped(remark, _LONGEST)}*" for remark in _remarks(answer)]
    return "\n\n".join(filter(None, [" ".join(parts), *remarks, "\n".join(listed)])) + "\n"


def as_html(answer: Any, sources: Sources | None, prefix: str) -> str:
    """Return an answer as HTML; see `Answer.to_html`."""
    (numbers, notes), prefix = _footnotes(answer, sources), escape(prefix)
    texts: list[str] = []
    for statement, cited in zip(answer.statements, numbers, strict=True):
        links = "".join(f'<a href="#{prefix}-{number}">[{number}]</a>' for number in cited)
        marks = f"<sup>{links}</sup>" if cited else ""
        texts.append(_isolated(without_machine_marks(statement.text)) + marks)
    blocks = [f"<p>{' '.join(texts)}</p>"] if texts else []
    blocks += [f"<p><em>{_isolated(remark)}</em></p>" for remark in _remarks(answer)]
    items: list[str] = []
    for note in notes:
        name, place = _isolated(note.name), f", {_isolated(note.place)}" if note.place else ""
        linked = name if note.url is None else f'<a href="{escape(note.url)}">{name}</a>'
        item = f"<q>{_isolated(note.quote)}</q> – {linked}{place}"
        items.append(f'<li id="{prefix}-{note.number}">{item}</li>')
    if items:
        blocks.append("\n".join(["<ol>", *items, "</ol>"]))
    return "\n".join(['<div class="citeguard-answer">', *blocks, "</div>"]) + "\n"


def _isolated(text: str) -> str:
    """Return a text as HTML whose direction marks and lone surrogates have no effect outside."""
    encodable = text.encode("utf-8", "replace").decode()
    return f"<bdi>{escape(encodable)}</bdi>"


def _remarks(answer: Any) -> Iterator[str]:
    if answer.unanswerable is not None:
        yield f"Not in the sources: {answer.unanswerable}"
    if answer.dropped:
        yield f"{counted_as(len(answer.dropped), 'statement')} omitted, as wrong or unsupported."
