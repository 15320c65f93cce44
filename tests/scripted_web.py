"""The pages and records of the examples on links: there is no web where the tests run."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import pytest

from citeguard.sources.collection import Source
from citeguard.web import Fetcher, WebPage
from citeguard.web.connecting import Reply

_HISTORY = (
    "Acme was founded in 1984 in a garage in Ohio. In 2019, it moved to a new plant near Dayton."
)
_FIGURES = "Acme employs about 2,500 people in four countries. Its revenue was $310 million."
_WORK = {
    "DOI": "10.1000/heat.1",
    "title": ["The Heat of Stoves"],
    "author": [{"family": "Müller", "given": "Eva"}, {"family": "Dong", "given": "Carl"}],
    "issued": {"date-parts": [[2019]]},
    "URL": "https://doi.org/10.1000/heat.1",
    "abstract": "<jats:p>Stoves of cast iron stay warm for seven hours after the fire.</jats:p>",
}

TEXTS = {
    "https://acme.example/history": ("The history of Acme", _HISTORY),
    "https://acme.example/figures": ("Acme in figures", _FIGURES),
    "https://beta.example/": ("Beta Labs", "Welcome to Beta Labs."),
}
REDIRECTS = {"https://beta.example/7": "https://beta.example/"}
BLOCKED = {"https://paper.example/acme"}

ANSWERS: dict[str, tuple[int, Any]] = {
    "https://api.crossref.org/works/10.1000/heat.1": (200, {"message": _WORK}),
    "https://archive.org/wayback/available": (
        200,
        {
            "archived_snapshots": {
                "closest": {
                    "available": True,
                    "status": "200",
                    "url": "https://web.archive.org/web/2020/acme.example/awards",
                }
            }
        },
    ),
}


def install(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every `Fetcher` and every registry answer from here."""

    async def afetch(_: Fetcher, url: str) -> WebPage:
        final = REDIRECTS.get(url, url)
        if url in BLOCKED:
            reason = "the server does not let us read it"
            return WebPage(url=url, outcome="blocked", reason=reason, status=403, final_url=url)
        if final not in TEXTS:
            reason = "there is no such page"
            return WebPage(url=url, outcome="dead", reason=reason, status=404, final_url=url)
        title, text = TEXTS[final]
        return WebPage(
            url=url,
            outcome="fetched",
            final_url=final,
            status=200,
            content_type="text/html",
            fetched_at=datetime(2026, 3, 9, tzinfo=UTC),
            source=Source(url, text, title, final),
        )

    async def ask(
        url: str, *, service: str, seconds: float, parameters: Mapping[str, str] | None = None
    ) -> Reply:
        status, body = ANSWERS.get(url, (404, {"responseCode": 100}))
        no_record = status == 404 and "api.crossref.org" in url
        content = b"Resource not found." if no_record else json.dumps(body).encode()
        return Reply(status, {}, content)

    monkeypatch.setattr(Fetcher, "afetch", afetch)
    monkeypatch.setattr("citeguard.web.works.ask", ask)
