"""A small library to ask, and a scripted language model that answers from it, or misbehaves."""

import json
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from reportlab.pdfgen.canvas import Canvas

from citeguard import Library, Source
from citeguard.library import ExtractiveAnswerer, LLMAnswerer
from citeguard.server import Chatting
from llm_server import LLMServer, Reply, Request

EVIL = "<img src=x onerror=alert(1)>"
HANDBOOK = (
    "The notice period is one month to the end of a calendar month. During probation, either party "
    "may end the contract within fourteen days.\n\n"
    "Lunch is free for all employees on weekdays; guests pay 9 euros.\n\n"
    f"The logo of the institute is {EVIL} and nothing else."
)
PAGES = (
    ("The institute was founded in 1984 by Marta Lindqvist.", "It has eleven departments."),
    ("The swimming pool opens at seven in the morning.", "Towels cost two euros."),
)
NOTICE = "How long is the notice period?"
POOL = "When does the swimming pool open?"
NOWHERE = "Who won the football match in Lisbon?"

ANSWERS: dict[str, Any] = {
    "notice": (
        "The notice period is one month.",
        "The notice period is one month to the end of a calendar month.",
        "handbook",
    ),
    "lunch": ("Guests pay 9 euros for lunch.", "guests pay 9 euros", "handbook"),
    "logo": (
        f"The logo of the institute is {EVIL}.",
        f"The logo of the institute is {EVIL} and nothing else.",
        "handbook",
    ),
    "pool": (
        "The pool opens at seven in the morning.",
        "The swimming pool opens at seven in the morning.",
        "guide",
    ),
}


def answer_of(text: str, quote: str, source_id: str) -> dict[str, Any]:
    """Return an answer of one statement, as a model writes it."""
    citation = {"quote": quote, "source_id": source_id}
    return {"statements": [{"text": text, "citations": [citation]}], "unanswerable": None}


def route(request: Request) -> Reply:
    """Answer a question as its words ask for; write one about the pool in full."""
    if "FollowUp" in json.dumps(request.body):
        return Reply({"question": POOL} if "about the pool" in request.texts[-1] else {"no": 1})
    asked = "".join(request.texts).partition('"question":')[2]
    words = asked.partition('",')[0].lower()
    latency = 30.0 if "slowly" in words else 0.0
    if "outage" in words:
        return Reply("it is down", status=500)
    if "rejected" in words:
        return Reply("the key secret-123 is wrong", status=401)
    if "surrogate" in words:
        return Reply(answer_of("Half a character: \ud83d.", "one month", "handbook"))
    for word, (text, quote, source_id) in ANSWERS.items():
        if f"{word} " in words or f"{word}?" in words:
            return Reply(answer_of(text, quote, source_id), latency=latency, chunk_size=8)
    return Reply(
        {"statements": [], "unanswerable": "Nothing in the passages is about it."}, latency=latency
    )


def write_guide(file: Path) -> None:
    """Write a PDF file of two pages."""
    canvas = Canvas(str(file))
    for lines in PAGES:
        for number, line in enumerate(lines):
            canvas.drawString(72, 700 - 40 * number, line)
        canvas.showPage()
    canvas.save()


@contextmanager
def small_library(folder: Path) -> Generator[tuple[Library, Chatting, LLMServer]]:
    """Return a library of three documents, who answers from it, and the scripted model."""
    write_guide(folder / "guide.pdf")
    with (
        LLMServer(route) as model,
        Library(folder / "library.db") as library,
    ):
        evil = Source(f"a/b {EVIL}?#%", f"Everything is {EVIL}.", title=f"Title {EVIL}")
        library.add({"handbook": HANDBOOK})
        library.add(folder / "guide.pdf")
        library.add(evil)
        answerers = {
            "scripted": LLMAnswerer(model.async_client(), model="scripted"),
            "extractive": ExtractiveAnswerer(),
        }
        yield library, Chatting(library=library, answerers=answerers), model
