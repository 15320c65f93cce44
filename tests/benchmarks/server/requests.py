"""What the clients of the benchmark send: each request is a little different from all others."""

import io
from dataclasses import dataclass, field
from typing import Any

from reportlab.pdfgen.canvas import Canvas

_SENTENCES = (
    "The notice period of contract {n} is {k} months to the end of a calendar month.",
    "Laboratory {n} was founded in {y} by Marta Lindqvist and eleven colleagues.",
    "Guests of house {n} pay {k} euros for lunch, and employees pay nothing.",
    "Visitors may not enter hall {n} without a badge between eight and {k} o'clock.",
    "There are {n} parking spaces, {k} of them with a charger; they cannot be reserved.",
)


@dataclass(frozen=True)
class Ask:
    """A request.

    Attributes:
        kind: What kind of request it is.
        path: What it asks for.
        arguments: What `httpx` is given besides.
    """

    kind: str
    path: str
    arguments: dict[str, Any] = field(repr=False)


def ask(number: int) -> Ask:
    """Return one of a mix of requests, by its number."""
    makers = (_check, audit_json, _audit_streamed, _audit_markdown, _audit_html, audit_pdf)
    return makers[number % len(makers)](number)


def sentences(number: int, count: int) -> list[str]:
    """Return sentences that no other number has."""
    return [
        _SENTENCES[place % len(_SENTENCES)].format(
            n=number * 100 + place, k=3 + (number + place) % 9, y=1900 + (number + place) % 100
        )
        for place in range(count)
    ]


def _text(number: int) -> str:
    true = sentences(number, 8)
    return " ".join([*true[::2], true[1].replace("19", "18")])


def _source(number: int) -> str:
    return "\n\n".join(sentences(number, 40))


def audit_json(number: int) -> Ask:
    """Return a request that takes some milliseconds: JSON, with one source."""
    request = {"text": _text(number), "sources": {"handbook": _source(number)}}
    return Ask("audit, JSON", "/audit", {"json": request})


def _audit_streamed(number: int) -> Ask:
    arguments = {**audit_json(number).arguments, "headers": {"Accept": "text/event-stream"}}
    return Ask("audit, events", "/audit?page=true", arguments)


def _check(number: int) -> Ask:
    statements = [{"text": each, "citations": [{"quote": each}]} for each in sentences(number, 8)]
    request = {
        "answer": {"statements": statements},
        "sources": {"handbook": _source(number)},
        "support": number % 4 == 0,
    }
    return Ask("check, JSON", "/check", {"json": request})


def _upload(kind: str, number: int, name: str, content: bytes) -> Ask:
    arguments = {"data": {"text": _text(number)}, "files": {"files": (name, content)}}
    return Ask(kind, "/audit", arguments)


def _audit_markdown(number: int) -> Ask:
    content = f"# Handbook\n\n{_source(number)}".encode()
    return _upload("audit, Markdown", number, "handbook.md", content)


def _audit_html(number: int) -> Ask:
    paragraphs = "".join(f"<p>{each}</p>" for each in sentences(number, 40))
    page = f"<!doctype html><title>Handbook</title><body><main>{paragraphs}</main></body>"
    return _upload("audit, HTML", number, "handbook.html", page.encode())


def audit_pdf(number: int) -> Ask:
    """Return a request with a small PDF file."""
    file = io.BytesIO()
    canvas = Canvas(file)
    for place, each in enumerate(sentences(number, 40)):
        canvas.drawString(60, 780 - 18 * place, each)
    canvas.save()
    return _upload("audit, PDF", number, "handbook.pdf", file.getvalue())
