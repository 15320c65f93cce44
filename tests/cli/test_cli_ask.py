"""`citeguard ask`: what it prints, what it exits with, and whom it asks."""

import json
import re
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from inline_snapshot import snapshot

from citeguard import Reply
from citeguard.cli.app import run
from cli.conftest import KEY
from cli.material import told_in_one_line, write
from fixture_types import Captured, MonkeyPatch
from llm_server import LLMServer
from llm_server import Reply as Said

PAPER = Path(__file__).parent.parent.parent / "docs" / "example" / "paper" / "minimap2.pdf"
NOTICE = "How long is the notice period?"
FOUNDER = "Who founded the company?"
QUOTED = {
    "text": "It is one month.",
    "citations": [{"quote": "The notice period is one month.", "source_id": "handbook"}],
}
ANSWER: dict[str, Any] = {"statements": [QUOTED]}


pytestmark = pytest.mark.usefixtures("easily_sure", "no_model")


def by_model(endpoint: LLMServer, *options: str) -> list[str]:
    return ["--model", "openai/writer-1", "--base-url", endpoint.base_url, *options]


class TestWithoutAModel:
    def test_an_answer_has_its_references(self, capsys: Captured) -> None:
        assert run(["ask", "handbook.txt", NOTICE]) == 0
        assert capsys.readouterr().out == snapshot("""\
The notice period is one month. [1]

[1] “The notice period is one month.”
    handbook, line 3
""")

    def test_a_reference_has_its_page_and_heading(self, capsys: Captured) -> None:
        assert run(["ask", str(PAPER), "How much memory did minimap2 consume at the peak?"]) == 0
        printed = capsys.readouterr().out
        assert "consumed 6.8GB memory at the peak" in printed.splitlines()[0]
        place = "(minimap2), p. 4 › 3 RESULTS › 3.1 Aligning long genomic reads\n"
        assert f"\n    Minimap2: pairwise alignment for nucleotide sequences {place}" in printed

    def test_only_an_answer_is_said_to_be_chosen(self, capsys: Captured) -> None:
        said = []
        for question in (NOTICE, FOUNDER):
            run(["ask", "handbook.txt", question])
            said.append("a small reader chose" in capsys.readouterr().err)
        assert said == [True, False]

    def test_json_is_the_reply(self, capsys: Captured) -> None:
        assert run(["ask", "handbook.txt", NOTICE, "--json"]) == 0
        data = json.loads(capsys.readouterr().out)
        assert data["references"][0]["quote"] == "The notice period is one month."
        assert Reply.model_validate(data).outcome == "answered"

    def test_what_a_document_says_cannot_steer_the_terminal(self, capsys: Captured) -> None:
        write("evil.txt", "The notice \x1b[31mperiod\u202e is one month.")
        run(["ask", "evil.txt", NOTICE])
        printed = capsys.readouterr().out
        assert "one month" in printed
        assert "\x1b" not in printed
        assert "\u202e" not in printed

    def test_what_does_not_clearly_answer_is_a_closest_passage(self, capsys: Captured) -> None:
        assert run(["ask", "handbook.txt", NOTICE, "--threshold", "1"]) == 4
        assert capsys.readouterr().out == snapshot("""\
Not answered. No sentence that was found clearly answers it.
Closest passages:

[1] “Chapter 1 The notice period is one month. It does not apply during probation.”
    handbook, line 1
""")


class TestLibrary:
    def test_keeps_the_documents(self, capsys: Captured) -> None:
        assert run(["ask", "handbook.txt", NOTICE, "--library", "docs.db"]) == 0
        Path("handbook.txt").unlink()
        assert run(["ask", NOTICE, "--library", "docs.db"]) == 0

    def test_may_be_asked_in_part(self) -> None:
        write("faq.txt", "Lunch is free on Fridays.")
        both = ["handbook.txt", "faq.txt"]
        assert run(["ask", *both, NOTICE, "--source", "handbook"]) == 0
        assert run(["ask", *both, NOTICE, "--source", "faq"]) == 1

    def test_nothing_is_kept_without_one(self) -> None:
        run(["ask", "handbook.txt", NOTICE])
        assert [path.name for path in Path().iterdir()] == ["handbook.txt"]

    def test_with_an_embedder_finds_passages_by_meaning(self, monkeypatch: MonkeyPatch) -> None:
        def by_meaning(texts: list[str]) -> list[list[float]]:
            return [[("notice" in each) + ("resign" in each), 0.1] for each in texts]

        # Real ones, which take seconds to load, are those of the docs' examples.
        embedder = "citeguard.retrieval.embeddings.SentenceEmbedder"
        monkeypatch.setattr(embedder, lambda folder: by_meaning)
        options = ["--library", "docs.db", "--embedder", "."]
        assert run(["ask", "handbook.txt", NOTICE, *options]) == 0
        assert run(["library", "search", "docs.db", "resigning", *options[2:]]) == 0
        assert run(["library", "search", "docs.db", "resigning"]) == 1

    def test_files_of_a_folder_that_cannot_be_read_are_named(self, capsys: Captured) -> None:
        Path("folder").mkdir()
        write("folder/a.txt", "The notice period is one month.")
        write("folder/b.pdf", "nothing")
        assert run(["ask", "folder", NOTICE]) == 0
        assert "citeguard: not read: folder/b.pdf" in capsys.readouterr().err


def test_another_database_is_left_alone(capsys: Captured) -> None:
    with sqlite3.connect("other.db") as other:
        other.execute("CREATE TABLE orders (id INTEGER)")
    other.close()
    before = Path("other.db").read_bytes()
    assert run(["ask", "handbook.txt", NOTICE, "--library", "other.db"]) == 2
    assert "other.db: this SQLite file is not a library" in told_in_one_line(capsys)
    assert Path("other.db").read_bytes() == before


class TestModel:
    def test_answers_with_verified_quotes(self, endpoint: LLMServer, capsys: Captured) -> None:
        endpoint.push(ANSWER)
        assert run(["ask", "handbook.txt", NOTICE, *by_model(endpoint)]) == 0
        assert capsys.readouterr().out == snapshot("""\
It is one month. [1]

[1] “The notice period is one month.”
    handbook, line 3
""")
        assert endpoint.requests[0].body["model"] == "writer-1"
        assert "temperature" not in endpoint.requests[0].body

    def test_comes_from_the_environment(
        self, endpoint: LLMServer, monkeypatch: MonkeyPatch
    ) -> None:
        monkeypatch.setenv("CITEGUARD_MODEL", "openai/writer-1")
        monkeypatch.setenv("CITEGUARD_BASE_URL", endpoint.base_url)
        endpoint.push(ANSWER)
        assert run(["ask", "handbook.txt", NOTICE]) == 0
        assert len(endpoint.requests) == 1
        assert run(["ask", "handbook.txt", NOTICE, "--model", ""]) == 0
        assert len(endpoint.requests) == 1

    def test_that_says_what_is_missing_answers_a_part(
        self, endpoint: LLMServer, capsys: Captured
    ) -> None:
        missing = "The handbook does not say who decides."
        endpoint.push({**ANSWER, "unanswerable": missing})
        assert run(["ask", "handbook.txt", NOTICE, *by_model(endpoint)]) == 0
        shown = (
            "It is one month. [1] Only a part: Not in the sources, in the model's own, unchecked"
        )
        assert f"{shown} words: {missing}" in " ".join(capsys.readouterr().out.split())

    def test_that_fails_leaves_it_undecided(self, endpoint: LLMServer, capsys: Captured) -> None:
        endpoint.push(*[Said(f"overloaded {KEY}", status=503)] * 5)
        assert run(["ask", "handbook.txt", NOTICE, *by_model(endpoint)]) == 3
        printed = capsys.readouterr()
        assert "This could not be decided." in printed.out
        assert KEY not in f"{printed.out}{printed.err}"


def test_a_terminal_shows_the_text_while_it_is_written_and_no_mark_in_it(
    endpoint: LLMServer, monkeypatch: MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    text = "The notice period is one month [7]."
    endpoint.push(Said({"statements": [{**QUOTED, "text": text}]}, chunk_size=8))
    assert run(["ask", "handbook.txt", NOTICE, *by_model(endpoint)]) == 0
    assert endpoint.requests[0].body["stream"] is True
    printed = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", capsys.readouterr().out)
    assert "[7]" not in printed
    assert re.search(r"The notice period is one month\.[\r\n]", printed)  # not verified yet
    assert "The notice period is one month. [1]\n" in printed
