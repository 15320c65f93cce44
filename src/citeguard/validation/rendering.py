"""An `Answer`, which is defined above, for readers: text with footnotes, as Markdown or HTML."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
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


class _Notes:
    """The footnotes of an answer; a quote that is cited twice has one."""

    def __init__(self, sources: Sources | None) -> None:
        self._sources = sources
        self._notes: dict[object, _Note] = {}

    def __iter__(self) -> Iterator[_Note]:
        return iter(self._notes.values())

    def numbers(self, citations: Iterable[Any]) -> list[int]:
        """Return the numbers of the notes of some citations, without repetition."""
        notes: list[_Note] = []
        for citation in citations:
            if citation.spans not in self._notes:
                self._notes[citation.spans] = self._note(citation)
            notes.append(self._notes[citation.spans])
        return list(dict.fromkeys(note.number for note in notes))

    def _note(self, citation: Any) -> _Note:
        number, source_id = len(self._notes) + 1, citation.spans[0].source_id
        if self._sources is None:
            return _Note(number, citation.quote, source_id, "", None)
        place, source = self._sources.location_of(citation.spans[0]), self._sources[source_id]
        return _Note(number, citation.quote, source.title or source_id, str(place), place.url)


def as_markdown(answer: Any, sources: Sources | None) -> str:
    """Return an answer as Markdown; see `Answer.to_markdown`."""
    notes = _Notes(sources)
    parts = [
        as_paragraph(without_machine_marks(statement.text), _LONGEST)
        + "".join(f"[^{number}]" for number in notes.numbers(statement.citations or ()))
        for statement in answer.statements
    ]
    blocks = [" ".join(parts)] if parts else []
    blocks += [f"*{escaped(remark, _LONGEST)}*" for remark in _remarks(answer)]
    listed = [f"[^{note.number}]: {_markdown_note(note)}" for note in notes]
    return "\n\n".join([*blocks, *(["\n".join(listed)] if listed else [])]) + "\n"


def _markdown_note(note: _Note) -> str:
    name = escaped(note.name)
    # A URL cannot end the link: `web_url` lets no space or control character through.
    url = None if note.url is None else note.url.replace("(", "%28").replace(")", "%29")
    linked = name if url is None else f"[{name}]({url})"
    place = f", {escaped(note.place)}" if note.place else ""
    return f"“{escaped(note.quote, _LONGEST)}” – {linked}{place}"


def as_html(answer: Any, sources: Sources | None, prefix: str) -> str:
    """Return an answer as HTML; see `Answer.to_html`."""
    notes, prefix = _Notes(sources), escape(prefix)
    texts = [
        _isolated(without_machine_marks(statement.text))
        + _html_marks(notes.numbers(statement.citations or ()), prefix)
        for statement in answer.statements
    ]
    blocks = [f"<p>{' '.join(texts)}</p>"] if texts else []
    blocks += [f"<p><em>{_isolated(remark)}</em></p>" for remark in _remarks(answer)]
    items = [f'<li id="{prefix}-{note.number}">{_html_note(note)}</li>' for note in notes]
    if items:
        blocks.append("\n".join(["<ol>", *items, "</ol>"]))
    return "\n".join(['<div class="citeguard-answer">', *blocks, "</div>"]) + "\n"


def _isolated(text: str) -> str:
    """Return a text as HTML whose direction marks and lone surrogates have no effect outside."""
    encodable = text.encode("utf-8", "replace").decode()
    return f"<bdi>{escape(encodable)}</bdi>"


def _html_marks(numbers: Sequence[int], prefix: str) -> str:
    links = (f'<a href="#{prefix}-{number}">[{number}]</a>' for number in numbers)
    return f"<sup>{''.join(links)}</sup>" if numbers else ""


def _html_note(note: _Note) -> str:
    name = _isolated(note.name)
    linked = name if note.url is None else f'<a href="{escape(note.url)}">{name}</a>'
    place = f", {_isolated(note.place)}" if note.place else ""
    return f"<q>{_isolated(note.quote)}</q> – {linked}{place}"


def _remarks(answer: Any) -> Iterator[str]:
    if answer.unanswerable is not None:
        yield f"Not in the sources: {answer.unanswerable}"
    if answer.dropped:
        yield f"{counted_as(len(answer.dropped), 'statement')} omitted, as wrong or unsupported."
