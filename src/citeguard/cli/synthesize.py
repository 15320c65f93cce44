"""`citeguard data synthesize`: labelled samples made from sources, correct ones and wrong ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Annotated, Any, Literal, cast

from citeguard.cli.arguments import SOURCE_FILES, STANDARD_STREAM, AsJson, argument, flag, option
from citeguard.cli.output import (
    ExitStatus,
    plain_console,
    print_lines,
    print_result,
    require_lines,
    table_of,
    write_lines,
)
from citeguard.language.excerpts import counted_as
from citeguard.sources.collection import Sources


def synthesize_command(
    paths: Annotated[list[str], argument("PATH", SOURCE_FILES)],
    to: Annotated[str, option("FILE.jsonl", "The file; - is standard output.")],
    *,
    target: Annotated[
        Literal["quote", "statement"], option("TARGET", "What is made wrong: quote or statement.")
    ] = "quote",
    kinds: Annotated[
        list[str] | None,
        option(
            "KIND",
            "How: negation, number, unit, date, entity or quantifier; may be given several "
            "times.  [default: all]",
            "--kind",
        ),
    ] = None,
    count: Annotated[
        int | None, option("N", "The largest number of true quotes to use.  [default: all]", min=1)
    ] = None,
    originals: Annotated[
        bool, flag("--originals", "Also write the true ones, each before its wrong ones.")
    ] = False,
    seed: Annotated[int, option("N", "The seed of the random choices.", min=0)] = 0,
    overwrite: Annotated[bool, flag("--overwrite", "Replace an existing file.")] = False,
    as_json: AsJson = False,
) -> int:
    """Make wrong quotes, or statements, from the sentences of your sources, with labels.

        citeguard data synthesize handbook.txt faq.md --to made.jsonl --originals

        citeguard evaluate made.jsonl --label-field label

    Each is wrong in one known way, such as another number or a lost "not", which its field negative
    names. They are made by rules, without a model, and are the same for the same seed. With them
    you can measure a check on your own documents, or train one.

    Exit status:

          0  written
          1  nothing written: nothing could be made from these sources
    """
    from citeguard.datasets import sample_of, synthesize, true_quotes
    from citeguard.datasets.synthesis.making import KINDS

    require_lines(to, overwrite=overwrite)
    sources = Sources.from_paths(paths)
    counts: Counter[str] = Counter()
    made = synthesize(
        (
            (sources.slice(span), span.source_id, sources)
            for span in true_quotes(sources, count=count, seed=seed)
        ),
        kinds=cast("Any", kinds or KINDS),
        seed=seed,
        target=target,
    )

    def samples() -> Iterator[dict[str, Any]]:
        last = None
        for negative in made:
            # The wrong texts that are made of one true text follow each other.
            for original in (True, False) if originals and negative.original != last else (False,):
                counts["true" if original else negative.kind] += 1
                yield sample_of(negative, sources, original=original)
            last = negative.original

    write_lines(samples(), to)
    if to != STANDARD_STREAM:
        data = {"to": to, "samples": counts.total(), "kinds": dict(sorted(counts.items()))}
        print_result(as_json, dict, show, data)
    return ExitStatus.PASSED if counts else ExitStatus.FAILED


def show(data: dict[str, Any]) -> None:
    """Print how many samples of each kind were written."""
    written = f" in {data['to']}" if data["samples"] else ": nothing could be made"
    print_lines(f"{counted_as(data['samples'], 'sample')}{written}")
    if data["samples"]:
        plain_console().print(table_of(["Kind", "Samples"], data["kinds"].items()))
