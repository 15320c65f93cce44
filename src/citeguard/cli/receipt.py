"""`citeguard receipt`: records of where an answer's quotes were found, made and checked again."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import ValidationError
from rich.text import Text

from citeguard.cli.arguments import (
    AsJson,
    HowUnseen,
    argument,
    flag,
    option,
    read_sources,
    sources_option,
)
from citeguard.cli.asking import opened_library
from citeguard.cli.check import message_of, read_answer, show_problem
from citeguard.cli.output import (
    ExitStatus,
    plain_console,
    print_json,
    print_lines,
    print_result,
    print_wrapped,
    visible,
)
from citeguard.documents.files import read_bytes
from citeguard.language.excerpts import counted_as
from citeguard.receipts import CheckedReceipt, QuoteState, check_receipt
from citeguard.sources.collection import Sources
from citeguard.validation.examine import place_name, problems_of
from citeguard.validation.models import Answer
from citeguard.validation.verification import verify

_Key = Annotated[
    str | None, option("FILE", "The file of a secret, or of a key of Ed25519 in PEM.", "--key")
]


def make_receipt_command(
    answer: Annotated[str, argument("ANSWER.json", "The answer; - reads standard input.")],
    sources: Annotated[list[str], sources_option(after="ANSWER.json")],
    *,
    key: _Key = None,
    web_annotations: Annotated[
        bool, flag("--web-annotations", "Print W3C Web Annotations in place of the receipt.")
    ] = False,
    unseen: HowUnseen = "omit",
) -> int:
    """Print a record of where the quotes of an answer are found.

        citeguard receipt make answer.json --sources docs/ > receipts/answer.json

        citeguard receipt make answer.json --sources docs/ --key private.pem

    Exit status:

          0  made
          1  something in the answer is wrong: see citeguard check
    """
    _, text = read_answer(answer)
    loaded = read_sources(sources, unseen=unseen)
    try:
        valid = verify(Answer, text, sources=loaded)
    except ValidationError as error:
        for problem in problems_of(error):
            typer.echo(visible(f"citeguard: {message_of(problem)}"), err=True)
        return ExitStatus.FAILED
    receipt = valid.receipt(loaded, key=_read_key(key))
    if web_annotations:
        print_json(valid.to_web_annotations(loaded))
    else:
        typer.echo(receipt.to_json(), nl=False)
    return ExitStatus.PASSED


def check_receipts_command(
    receipts: Annotated[list[str], argument("RECEIPT.json", "The receipts.")],
    sources: Annotated[list[str] | None, sources_option(after="RECEIPT.json")] = None,
    *,
    library: Annotated[
        str | None, option("LIBRARY", "The file of a library that has the sources.")
    ] = None,
    key: _Key = None,
    unseen: HowUnseen = "omit",
    as_json: AsJson = False,
) -> int:
    """Check receipts against the sources of today: does every quote still stand?

        citeguard receipt check receipts/*.json --sources docs/

        citeguard receipt check receipts/*.json --library docs.db --key public.pem

    A quote holds, or has moved; its context has changed; or it is stale, or forged.

    Exit status:

          0  every quote holds, or has moved
          1  some quote is stale, or forged
          3  neither, but the context of some quote has changed
    """
    if (sources is None) == (library is None):
        raise typer.BadParameter("give --sources, or --library.")
    if library is None:
        loaded = read_sources(sources or [], unseen=unseen)
    else:
        with opened_library(library, new=False) as opened:
            loaded = opened.sources()
    secret = _read_key(key)
    checked = {path: check_receipt(read_bytes(Path(path)), loaded, key=secret) for path in receipts}
    print_result(as_json, _as_data, _show, checked, loaded, key is not None)
    statuses = {each.status for each in checked.values()}
    if statuses & {"stale", "forged"}:
        return ExitStatus.FAILED
    return ExitStatus.UNDECIDED if "context_changed" in statuses else ExitStatus.PASSED


def _read_key(path: str | None) -> bytes | None:
    return None if path is None else read_bytes(Path(path))


def _as_data(checked: dict[str, CheckedReceipt], sources: Sources, has_key: bool) -> Any:
    return [
        {
            "receipt": path,
            "status": each.status,
            "signature": _signature(each, has_key),
            **({} if each.reason is None else {"reason": each.reason}),
            "quotes": [_quote_data(state, sources) for state in each.quotes],
        }
        for path, each in checked.items()
    ]


def _quote_data(state: QuoteState, sources: Sources) -> dict[str, Any]:
    quote, problem = state.quote, state.problem
    return {
        "statement": quote.statement,
        "quote": quote.quote,
        "source_id": quote.source_id,
        "status": state.status,
        "spans": [asdict(span) for span in state.spans],
        **({"place": place_name(state.spans[0], sources)} if state.spans else {}),
        **({} if problem is None else {"code": problem.code, "message": problem.message}),
    }


def _signature(checked: CheckedReceipt, has_key: bool) -> str:
    if checked.receipt is None or checked.receipt.signature is None:
        return "none"
    if not has_key:
        return "unchecked"
    return "wrong" if checked.reason else "valid"


_GOOD, _OPEN, _BAD = ("  ✓ ", "green"), ("  ? ", "yellow"), ("  ✕ ", "red")
_SIGNS = {"holds": _GOOD, "moved": _GOOD, "context_changed": _OPEN, "stale": _BAD, "forged": _BAD}
_SIGNATURES = {
    "none": "not signed",
    "unchecked": "signature not checked",
    "wrong": "signature wrong",
    "valid": "signature valid",
}


def _show(checked: dict[str, CheckedReceipt], sources: Sources, has_key: bool) -> None:
    console = plain_console()
    for path, each in checked.items():
        signature = _SIGNATURES[_signature(each, has_key)]
        said = Text(visible(f"{path}: {each.status.replace('_', ' ')}, {signature}"), "bold")
        print_wrapped(console, said)
        if each.reason is not None:
            print_wrapped(console, Text(visible(each.reason), "red"), "  ")
        for state in each.quotes:
            words = Text(visible(f"“{state.quote.quote}” ({state.quote.source_id})"))
            print_wrapped(console, words, _SIGNS[state.status])
            if state.problem is not None:
                show_problem(console, state.problem, sources)
            elif state.spans:
                place = (visible(place_name(state.spans[0], sources)), "cyan")
                print_wrapped(console, Text.assemble(f"{state.status}: ", place), "    ")
    counts = Counter(each.status for each in checked.values())
    counted = ", ".join(f"{count} {status}" for status, count in counts.items())
    print_lines(f"{counted_as(len(checked), 'receipt')}: {counted}".replace("_", " "))
