"""`citeguard outline`: the headings of a file as a tree, or its passages, as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Annotated, Any

import typer

from citeguard.cli.display import print_json
from citeguard.cli.statuses import ExitStatus
from citeguard.documents import load_sources
from citeguard.errors import CiteguardError
from citeguard.retrieval.cutting import SectionPassages
from citeguard.sources.collection import Source, Sources, Span


def outline(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A text, Markdown, HTML or PDF file.")
    ],
    *,
    passages: Annotated[
        bool,
        typer.Option("--passages", help="Print the passages of the sections instead, one a line."),
    ] = False,
) -> int:
    """Print the tree of a file's headings as JSON.

        citeguard outline handbook.md

        citeguard outline paper.pdf --passages > passages.jsonl

    Offsets count the characters of the text that is read from the file.

    Exit status:

          0  it was printed
          2  the file could not be read
        130  interrupted
    """
    sources = load_sources(file)
    source = _only(sources, file)
    if passages:
        for span in SectionPassages().of(source):
            typer.echo(json.dumps(_passage(span, sources)))
    else:
        print_json(list(_tree(source)))
    return ExitStatus.PASSED


def _only(sources: Sources, path: str) -> Source:
    if len(sources) > 1:
        raise CiteguardError(f"{path}: has {len(sources)} sources, and an outline is of one file")
    return sources[sources.ids[0]]


def _tree(source: Source) -> Iterator[dict[str, Any]]:
    if source.layout is not None:
        yield from (section.as_data() for section in source.layout.sections)


def _passage(span: Span, sources: Sources) -> dict[str, Any]:
    # Where it ends: it may start with a heading above its own.
    place = sources.location_of(Span(span.source_id, span.end - 1, span.end))
    first = sources.location_of(span)
    return {
        "start": span.start,
        "end": span.end,
        "headings": place.headings,
        "page": first.page,
        "line": first.line,
        "text": sources.slice(span),
    }
