"""The commands to look inside: `citeguard dev outline` and `citeguard dev bench`."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Literal

import typer

from citeguard.cli.arguments import AsJson, Quiet, argument, option
from citeguard.cli.output import ExitStatus, print_json, visible
from citeguard.documents import load_sources
from citeguard.errors import CiteguardError


def outline(
    file: Annotated[str, argument("FILE", "The file, of any kind that sources may be.")],
) -> int:
    """Print the tree of a file's headings as JSON.

        citeguard dev outline handbook.md

    Offsets are in characters of the text that is read from the file.

    Exit status:

          0  the headings were printed
    """
    sources = load_sources(file)
    if len(sources) > 1:
        raise CiteguardError(f"{file}: has {len(sources)} sources, and an outline is of one")
    source = sources[sources.ids[0]]
    sections = () if source.layout is None else source.layout.sections
    print_json([asdict(section) for section in sections])
    return ExitStatus.PASSED


def bench_command(
    what: Annotated[Literal["quotes"], argument("quotes", "What to measure.")],
    *,
    tool: Annotated[
        list[str] | None, option("NAME", "A tool to run, by its name in the table; repeatable.")
    ] = None,
    cases: Annotated[
        str | None, option("CASES.jsonl", "Other cases than those that come with the package.")
    ] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> int:
    """Measure how well citeguard and other tools distinguish true quotes from changed ones.

        citeguard dev bench quotes

        citeguard dev bench quotes --tool citeguard --tool gtrex --json

    It prints tables in Markdown: how many true quotes are refused, changed ones accepted, and clips
    that say something else unnoticed; by tool, by language, and by kind. Tools that are not
    installed are skipped. All of them take some minutes.

    Exit status:

          0  measured
    """
    from citeguard.bench.scores import SHIPPED, ToolScore, as_data, as_markdown, read_cases, run
    from citeguard.bench.tools import TOOLS, installed

    names = tuple(tool or ())
    if missing := sorted(set(names) - {each.name for each in installed(names)}):
        known = "; ".join(each.name for each in TOOLS)
        message = f"{'; '.join(missing)}: unknown, or not installed. The tools are: {known}"
        raise CiteguardError(message)
    read = read_cases(SHIPPED if cases is None else Path(cases))
    if all(each.label == "grey" for each in read):
        raise CiteguardError(f"{cases}: there is no case to measure")
    scores: list[ToolScore] = []
    for each in installed(names):
        if not quiet:
            typer.echo(visible(f"citeguard: {each.name}"), err=True)
        scores.append(run(each, read))
    if as_json:
        print_json(as_data(scores))
    else:
        typer.echo(as_markdown(scores))
    return ExitStatus.PASSED
