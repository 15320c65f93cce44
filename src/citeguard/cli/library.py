"""`citeguard library`: the documents of a library's file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from pydantic_core import to_jsonable_python
from rich.text import Text

from citeguard.cli.arguments import AsJson, Paths, argument, option, shown_reading
from citeguard.cli.asking import Embedder, opened_library, report_unread
from citeguard.cli.output import (
    ExitStatus,
    plain_console,
    print_json,
    print_lines,
    print_wrapped,
    table_of,
    visible,
)
from citeguard.errors import CiteguardError
from citeguard.language.excerpts import counted_as
from citeguard.language.tokens import term_keys, terms
from citeguard.validation.examine import passages_data, place_name

if TYPE_CHECKING:
    from citeguard.library.catalogue import ChatInfo, DocumentInfo
    from citeguard.library.library import Changes
    from citeguard.retrieval import Passage
    from citeguard.sources.collection import Sources

_File = Annotated[str, argument("LIBRARY", "The library's file.")]


def add_command(
    library: _File, paths: Paths, *, as_json: AsJson = False, embedder: Embedder = None
) -> int:
    """Add documents to a library, or put new versions in the place of old ones.

        citeguard library add papers.db papers/ notes.md

    The file is created if there is none. A document with the same content is left as it is.

    Exit status:

          0  added
          1  some file could not be read; the others were added
    """
    return _change(library, paths, embedder, "add", as_json=as_json)


def update_command(
    library: _File, paths: Paths, *, as_json: AsJson = False, embedder: Embedder = None
) -> int:
    """Do what add does, and remove documents of these folders whose files are gone.

        citeguard library update papers.db papers/

    Exit status:

          0  updated
          1  some file could not be read; the others were
    """
    return _change(library, paths, embedder, "update", as_json=as_json)


def rebuild_command(library: _File, *, embedder: Embedder = None) -> int:
    """Cut all documents anew, and embed them, for a library that now has an embedding model.

        citeguard library rebuild papers.db --embedder all-MiniLM-L6-v2

    Exit status:

          0  rebuilt
    """
    with opened_library(library, embedder, new=False) as opened, shown_reading() as move:

        def show(name: str, number: int, count: int) -> None:
            move(f"{name}, document {number:,} of {count:,}", number - 1, count)

        opened.rebuild(show)
    return ExitStatus.PASSED


def remove_command(
    library: _File,
    ids: Annotated[list[str], argument("ID", "Ids of documents, as citeguard library list shows.")],
) -> int:
    """Remove documents from a library, with their passages and stored questions.

        citeguard library remove papers.db draft

    Exit status:

          0  removed
    """
    with opened_library(library, new=False) as opened:
        opened.remove(*ids)
    return ExitStatus.PASSED


def check_command(
    library: _File,
    *,
    salvage: Annotated[
        str | None, option("NEW", "Keep what can be read in this new file.", "--salvage")
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Check that the file of a library is whole: its structure, versions and hashes.

        citeguard library check papers.db --salvage saved.db

    The file is not changed. Salvaged documents have no vectors: rebuild makes them.

    Exit status:

          0  nothing is wrong
          1  something is damaged
    """
    from citeguard.library.checking import check_file

    problems = check_file(library, salvage)
    if as_json:
        print_json({"problems": problems})
    else:
        print_lines(counted_as(len(problems), "problem"), *problems)
    return ExitStatus.FAILED if problems else ExitStatus.PASSED


def list_command(library: _File, *, as_json: AsJson = False) -> int:
    """List the documents of a library, and its chats.

        citeguard library list papers.db

    Exit status:

          0  listed
    """
    with opened_library(library, new=False) as opened:
        documents, chats = opened.documents(), opened.chats()
    if as_json:
        print_json(to_jsonable_python({"documents": documents, "chats": chats}))
    else:
        _show_list(documents, chats)
    return ExitStatus.PASSED


def search_command(
    library: _File,
    query: Annotated[str, argument("QUERY", "A question, or some words.")],
    *,
    k: Annotated[int, option("N", "The most passages.", "--k", min=1)] = 4,
    as_json: AsJson = False,
    embedder: Embedder = None,
) -> int:
    """Print the passages of a library that match a query best.

        citeguard library search papers.db "how chains are scored"

    Exit status:

          0  something was found
          1  nothing was found
    """
    if not query.strip():
        raise CiteguardError("the query is empty")
    with opened_library(library, embedder, new=False) as opened:
        passages = opened.search(query, k=k)
        if passages:
            read = dict.fromkeys(passage.span.source_id for passage in passages)
            sources = opened.sources(read)
            if as_json:
                print_json(passages_data(passages, sources))
            else:
                _show_passages(passages, sources, query)
        elif as_json:
            print_json([])
        else:
            advice = "try other words, or citeguard library list to see what is in it"
            typer.echo(f"citeguard: no passage has words of the query; {advice}", err=True)
    return ExitStatus.PASSED if passages else ExitStatus.FAILED


def _change(
    path: str, paths: list[str], embedder: str | None, method: str, *, as_json: bool
) -> int:
    with opened_library(path, embedder, new=True) as library, shown_reading(paths):
        changes: Changes = getattr(library, method)(paths, strict=False)
    reached = changes.added + changes.updated + changes.unchanged + changes.removed
    if changes.failed and not reached:
        raise CiteguardError("\n".join(changes.failed.values()))
    names = ("added", "updated", "unchanged", "removed")
    listed = {name: list(getattr(changes, name)) for name in names}
    if as_json:
        print_json({**listed, "failed": changes.failed})
    else:
        print_lines(*(f"{name}: {', '.join(ids)}" for name, ids in listed.items() if ids))
    report_unread(changes)
    return ExitStatus.FAILED if changes.failed else ExitStatus.PASSED


def _show_list(documents: list[DocumentInfo], chats: list[ChatInfo]) -> None:
    console = plain_console()
    console.print(counted_as(len(documents), "document"))
    if documents:
        columns = ["Id", "Title", "Kind", "Characters", "Passages"]
        rows = (
            (
                visible(e.source_id),
                visible(e.title) if e.title else None,
                e.kind,
                e.characters,
                e.passages,
            )
            for e in documents
        )
        console.print(table_of(columns, rows, texts=3))
    if chats:
        console.print(counted_as(len(chats), "chat"))
        talks = ((e.id, visible(e.title), f"{e.updated_at:%Y-%m-%d %H:%M}") for e in chats)
        console.print(table_of(["Id", "First question", "Last message (UTC)"], talks, texts=2))


def _show_passages(passages: list[Passage], sources: Sources, query: str) -> None:
    """Print each passage under its place, with the terms of the query marked in colour."""
    console, wanted = plain_console(), term_keys(query)
    for position, each in enumerate(passages):
        if position:
            console.print()
        print_wrapped(console, Text(visible(place_name(each.span, sources)), "bold cyan"))
        for paragraph in each.text.split("\n\n"):
            text = Text(visible(paragraph))
            for term in terms(text.plain):
                if term.key in wanted:
                    text.stylize("bold yellow", term.start, term.end)
            print_wrapped(console, text, "  ")
