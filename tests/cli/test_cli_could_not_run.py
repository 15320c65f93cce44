"""Commands that could not run: each says why in one line, writes nothing, and ends with two."""

import json
import shlex
from pathlib import Path

import pytest

from citeguard.cli.app import run
from cli.conftest import KEY
from cli.material import GOOD, answer, told_in_one_line, write
from fixture_types import Captured, MonkeyPatch

SAMPLE = {"question": "?", **answer(GOOD), "label": 1, "other": [GOOD]}
CASE = {"quote": "Lunch is free.", "label": "grey", "kind": "verbatim", "spans": []}
FILES = {
    "a.json": answer(GOOD),
    "a.md": "Acme was founded in 1984.",
    "text.txt": "The notice period is one month.",
    "binary": b"\xff\xfe",
    "two.json": {"a": "It rained.", "b": "So be it."},
    "rows.jsonl": json.dumps(SAMPLE),
    "empty.zim": b"",
    "cut.zim": b"ZIM\x04" + bytes(99),
    "cases.jsonl": {"id": "1", "language": "en", "genre": "x", "text": "Y.", "cases": [CASE]},
}
ROWS = {
    "": {
        "": "Missing command. See citeguard --help.",
        "chek": "No such command 'chek'",
        "audit a.md": "--links to read what the text links to",
    },
    "check": {
        "": "Missing argument 'ANSWER.json'. See citeguard check --help.",
        "a.json": "Missing option '--sources'",
        "a.json --sources": "--sources needs at least one path after it.",
        "a.json --sources --json": "--sources needs at least one path",
        "a.json --sources a.txt --jsn": "No such option: --jsn",
        "--sources a.txt a.json": "Missing argument 'ANSWER.json'. a.json was read as a source: "
        "put ANSWER.json before --sources. See citeguard check --help.",
        "--sources a.txt a.JSON --json": "put ANSWER.json before",
        "--sources a.txt": "Missing argument 'ANSWER.json'. See citeguard",
        "--sources=a.json": "Missing argument 'ANSWER.json'. See citeguard",
        "'' --sources handbook.txt": "the path of the answer is empty",
        "a.json --sources ''": "the path of a source is empty",
        "a.json --sources=": "the path of a source is empty",
        "nope.json --sources handbook.txt": "nope.json: no such file",
        ". --sources handbook.txt": ".: is a directory",
        "a.json --sources nope.txt": "nope.txt: no such file or directory",
        "a.json --sources empty": "empty: the folder has no files that are read",
        "a.json --sources 'a\x1b[31m\nb.txt'": "a\\u001b[31m b.txt: no such",
        "a.json --sources handbook.txt handbook.txt": "source id given twice: 'handbook.txt'",
    },
    "ask": {
        "Who?": "say what to ask: files or folders, or a library with --library",
        "Who? handbook.txt": "handbook.txt is a file or folder: the question comes last",
        "handbook.txt ' '": "the question is empty",
        "Who? --library none.db": "none.db: no such file",
        "Who? --library handbook.txt": "this is not a library",
        "none.txt Who?": "none.txt: no such file",
        "Who? --library ''": "the path of the library is empty",
        "handbook.txt Who? --source faq": "the library has no document 'faq'",
        "handbook.txt Who? --k 0": "'--k'",
        "handbook.txt Who? --threshold 2": "'--threshold'",
        "handbook.txt Who? --embedder no/where": "--embedder no/where: expected",
        "handbook.txt Who? --base-url http://a": "--base-url needs --model",
        "handbook.txt Who? --model nobody/x": "--model nobody/x: ",
        f"handbook.txt Who? --model openai/x --base-url http://{KEY}@a/v1": "keys belong",
    },
    "chat": {"handbook.txt --chat 3f2a": "--chat needs --library"},
    "audit --sources=handbook.txt": {
        "missing.txt": "missing.txt: no such file or directory",
        "''": "the path of the text is empty",
        "binary": "binary: not UTF-8",
        "text.txt --html no/report.html": "no/report.html: no such directory as no",
        "text.txt --html .": ".: is a directory",
        "text.txt --html=": "the path of a file to write is empty",
        "text.txt --html text.txt": "--html: text.txt is read or written already.",
        "text.txt --html ./handbook.txt": "--html: ./handbook.txt is read or written already.",
        "text.txt --html a --sarif ./a": "--sarif: ./a is read or written already.",
        "text.txt --html - --sarif -": "--sarif: - is read or written already.",
        "text.txt --baseline none.json": "--baseline: none.json: No such file",
        "text.txt --baseline a.md": "a.md is no report; write one with --json",
        "text.txt --baseline a.json": "a.json is no report; write one with --json",
        "text.txt --wayback": "need --links",
        "text.txt --judge reader:nowhere": "--judge reader:nowhere: expected the folder",
        "text.txt --judge-tokens 10": "--judge-tokens needs --judge",
        f"text.txt --judge openai/x --base-url https://me:{KEY}@a.example/v1": "--base-url must be",
        f"text.txt --judge openai/x --base-url https://a.example/?key={KEY}": "--base-url must be",
        "text.txt --judge openai/x --base-url ftp://a": "--base-url must be an address",
    },
    "filter --quiet --sources=handbook.txt": {
        "''": "the path of the samples is empty",
        "nope.jsonl": "nope.jsonl: no such file",
        "rows.csv": "rows.csv: not a kind of file that samples are read from",
        "rows.jsonl --max-rejected 2": "'--max-rejected': Input should be less than or equal to 1",
        "rows.jsonl --max-rejected nan": "--max-rejected",
        "rows.jsonl --workers 0": "'--workers': Input should be greater than or equal to 1",
        "rows.jsonl --answer-field a[": "--answer-field 'a[' must be a key or a valid JMESPath",
        "rows.jsonl --quoted-from-field a": "--quoted-from-field ... must be given together with",
        "rows.jsonl --kept kept.csv": "kept.csv: not a kind of file that samples are written to",
        "rows.jsonl --kept rows.jsonl": "must be different files",
    },
    "evaluate rows.jsonl": {
        "--sources-field x": "1 by sources_missing: no sources at 'x'",
        "--sources handbook.txt --target-recall 0.5": "a threshold is chosen against labels",
        "--sources handbook.txt --label-field label --target-recall 2": "recall must be a number",
        "--sources handbook.txt --label-field truth": "no sample has a label at 'truth'",
        "--sources handbook.txt --label-field other": "sample 1: the label must be one of",
    },
    "export rows.jsonl --to data --sources handbook.txt": {
        "--form nope": "'--form': 'nope' is not one of 'chat', 'completion'",
        "--validation 1": "validation",
        "--group-field a[": "group='a[' must be a key or a valid JMESPath expression",
    },
    "fact-check": {
        "said.txt --folder pages": "said.txt: no such file, and no statement in one word",
        "' ' --folder pages": "the text is empty",
        "a.md": "say where to look for pages: --folder FOLDER (saved pages), --pages URL..., "
        "--zim FILE, or --search NAME",
        "a.md --folder pages --zim a.zim": "--search NAME, not both --zim and --folder",
        "a.md --search brave": "Brave() requires a key: set BRAVE_API_KEY",
        "a.md --search searxng": "--search searxng needs its address: --url URL",
        "a.md --search mediawiki": "as its operators ask: --contact ADDRESS",
        "a.md --search google": "'google' is not one of",
        "a.md --folder pages --url http://localhost": "--url needs --search",
        "a.md --zim a.zim --original-addresses": "--original-addresses needs --folder",
        "a.md --folder nowhere": "nowhere is not a folder",
        "a.md --pages ftp://example.org/": "expected an http or https address",
        "a.md --pages": "--pages needs at least one address after it",
        "a.md --allow localhost:80": "say where to look for pages",
        "a.md --folder pages --allow localhost": "localhost",
        "a.md --folder pages --write-queries": "--write-queries needs --judge",
        "a.md --folder pages --max-cost 1": "--max-cost needs --judge",
        "a.md --folder pages --html nowhere/a.html": "no such directory",
        "a.md --pages=http://a.example/ --articles http://a/": "--articles needs --zim",
        "a.md --zim a.zim --articles en.wikipedia.org": "what addresses begin with",
        "a.md --zim empty.zim": "not a ZIM file",
        "a.md --zim cut.zim": "not a ZIM file",
    },
    "serve": {
        "--port 70000": "--port",
        "--limit pages=0": "Limits(pages=...)",
        "--limit pages": "--limit",
        "--limit nothing=1": "nothing",
        "--grace -1": "--grace",
        "--grace inf": "--grace",
        "--grace nan": "--grace",
        "file": "file",
        "--host 203.0.113.1": "--token",
        "--host 0.0.0.0 --token ' '": "--token",
        "--host ::": "--token",
        "--judge nobody/judge-1": "--judge nobody/judge-1: Unsupported provider",
        "--model openai/one": "--model needs --library",
        "--model-url http://127.0.0.1/v1": "--model-url needs --model",
        "--search searxng": "--url URL",
        "--allow localhost:80": "say where to look for pages",
    },
    "mcp": {
        "--http 8000": "--http: expected ADDRESS:PORT, got 8000",
        "--http 127.0.0.1:70000": "--http: expected ADDRESS:PORT, got 127.0.0.1:70000",
        "nope.pdf": "nope.pdf: no such file or directory",
        "--http 203.0.113.1:80": "--token",
        "--limit workers=0": "Limits(workers=...)",
        "--search brave": "BRAVE_API_KEY",
        "--folder nowhere": "is not a folder",
    },
    "library": {
        "list none.db": "none.db: no such file",
        "remove none.db lunch": "none.db: no such file",
        "search none.db lunch": "none.db: no such file",
    },
    "receipt check": {
        "a.json": "give --sources, or --library.",
        "a.json --sources handbook.txt --library a.db": "give --sources, or --library.",
        "none.json --sources handbook.txt": "none.json: no such file or directory",
        "a.json --sources handbook.txt --key none": "none: no such file or directory",
    },
    "data": {
        "fine-tune rows.jsonl --model small --base-url https://me:secret@host/v1": "keys belong in",
        "questions a.md --to new.jsonl": "--model is needed",
        "questions a.md --to new.txt --model openai/x": "must name a file that ends in .jsonl",
        "questions a.md --to rows.jsonl --model openai/x": "already exists",
        "synthesize a.md --to rows.jsonl": "already exists; remove it, or give --overwrite",
        "synthesize a.md --to made.csv": "--to 'made.csv' must name a file that ends in .jsonl",
        "synthesize a.md --to made.jsonl --kind nope": "kinds must be of negation, number,",
        "synthesize a.md --to no/made.jsonl": "no/made.jsonl.partial: no such file or directory",
    },
    "dev": {
        "outline two.json": "two.json: has 2 sources, and an outline is of one",
        "bench quotes --cases cases.jsonl --tool in": "cases.jsonl: there is no case to measure",
        "bench quotes --cases cases.jsonl --tool magic": "magic: unknown, or not installed.",
    },
}
"""What is said of a command's arguments: by the command, and by what follows it."""


def contents() -> dict[Path, bytes | None]:
    return {path: path.read_bytes() if path.is_file() else None for path in Path().rglob("*")}


@pytest.mark.parametrize("command", ROWS, ids=lambda command: command.split(" ")[0] or "none")
def test_commands(command: str, no_model: None, monkeypatch: MonkeyPatch, capsys: Captured) -> None:
    for name, content in FILES.items():
        write(name, content)
    for folder in ("empty", "pages"):
        Path(folder).mkdir()
    monkeypatch.delenv("BRAVE_API_KEY", raising=False)
    monkeypatch.setattr("citeguard.auditing.run.audit", None)  # all is found before the audit
    before = contents()
    for arguments, message in ROWS[command].items():
        told = told_in_one_line(capsys, run(shlex.split(f"{command} {arguments}")))
        assert message in told, arguments
        assert "internal error" not in told, arguments
        assert KEY not in told, arguments
    assert contents() == before
