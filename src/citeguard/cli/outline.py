"""`citeguard outline`: the tree of headings of a file, or its passages, as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated, Any

import typer

from citeguard.cli.arguments import flag
from citeguard.cli.output import ExitStatus, print_json
from citeguard.documents import load_sources
from citeguard.errors import CiteguardError
from citeguard.retrieval.passages import SectionPassages
from citeguard.sources.collection import Sources, Span


def outline(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help="A text, Markdown, HTML, PDF, CSV, Word or PowerPoint file."
        ),
    ],
    *,
    passages: Annotated[
        bool, flag("--passages", "Print the passages of the sections instead, one per line.")
    ] = False,
) -> int:
    """Print the tree of a file's headings as JSON.

        citeguard outline handbook.md

        citeguard outline paper.pdf --passages > passages.jsonl

    Offsets are in characters of the text that is read from the file.

    Exit status:

          0  the headings were printed
          2  the file could not be read
        130  interrupted
    """
    sources = load_sources(file)
    if len(sources) > 1:
        raise CiteguardError(f"{file}: has {len(sources)} sources, and an outline is of one")
    source = sources[sources.ids[0]]
    if passages:
        for span in SectionPassages().of(source):
            typer.echo(json.dumps(_passage(span, sources)))
    else:
        sections = () if source.layout is None else source.layout.sections
        print_json([asdict(section) for section in sections])
    return ExitStatus.PASSED


def _passage(span: Span, sources: Sources) -> dict[str, Any]:
    # Its headings are those of its end: it may begin with one above its own.
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
