"""Fact checks made by hand, for tests of what shows them."""

from typing import Any

from citeguard.reports.report import (
    CheckedClaim,
    CheckedLink,
    Place,
    Report,
    Search,
    Spent,
    trust_of,
)

STATEMENT = "The bridge opened in 1937."
OPENED = "The bridge opened to traffic in May 1937, after four years of work."


def page(number: int = 1, **fields: Any) -> CheckedLink:
    """Return a page that was read, or what the fields say became of it."""
    url = f"https://example{number}.org/bridge"
    given: dict[str, Any] = {"url": url, "outcome": "read", "source_id": url, "origin": number}
    given |= {"title": f"Page {number}", "status": 200, "claims": (1,)}
    return CheckedLink(**{**given, **fields})


def place(number: int = 1, **fields: Any) -> Place:
    """Return words that support the statement, or what the fields say."""
    url = f"https://example{number}.org/bridge"
    given: dict[str, Any] = {"source_id": url, "title": f"Page {number}", "outcome": "supported"}
    given |= {"start": 0, "end": len(OPENED), "text": OPENED, "url": f"{url}#a"}
    return Place(**{**given, **fields})


def check(verdict: Any = "supported", **fields: Any) -> CheckedClaim:
    """Return a claim with a verdict, by default with a page that supports it."""
    text = fields.get("text", STATEMENT)
    given: dict[str, Any] = {"number": 1, "text": text, "start": 0, "end": len(text)}
    given |= {"sentence_start": 0, "sentence_end": len(text), "deciding": place()}
    given |= {"evidence": (place(),), "origins_for": 1, "explanation": "1 origin supports it."}
    return CheckedClaim(verdict=verdict, **{**given, **fields})


def report(*claims: CheckedClaim, **fields: Any) -> Report:
    """Return a report on these claims, one after the other."""
    text, placed = "", list[CheckedClaim]()
    for claim in claims:
        at = {"start": len(text), "end": len(text) + len(claim.text)}
        placed.append(claim.model_copy(update=at))
        text += f"{claim.text} "
    spent = Spent(searches=len(claims), pages=len(claims), seconds=0.5)
    given: dict[str, Any] = {"links": (page(),), "spent": spent, "trust": trust_of(claims)}
    return Report(text=text.strip(), sources=(), claims=tuple(placed), **{**given, **fields})


def opinion(**fields: Any) -> CheckedClaim:
    """Return a statement that is not checkable."""
    given = {"text": "I like it.", "explanation": "This is an opinion.", "origins_for": 0}
    return check(None, set_aside="opinion", deciding=None, evidence=(), **given, **fields)


CONTRADICTED = check(
    "contradicted",
    number=2,
    text="The bridge opened in 1938.",
    explanation="2 origins contradict it.",
    deciding=place(1, outcome="contradicted"),
    further=(place(2, outcome="contradicted"),),
)
UNDECIDED = check(
    "undecided",
    number=3,
    text="It is painted red.",
    causes=("search_failed",),
    explanation="No search engine answered.",
    deciding=None,
    evidence=(),
)
DISPUTED = check(
    "undecided",
    flag="conflicting",
    number=5,
    text="The bridge has a toll.",
    explanation="1 origin supports it, 1 origin contradicts it.",
    further=(place(2, outcome="contradicted"),),
)
UNREAD = page(3, outcome="unread", source_id=None, reason="behind a paywall (402): it asks to pay")
FAILED = Search(query="bridge red", provider="Scripted", failure="outage", reason="No answer.")
ALL = report(
    check(),
    CONTRADICTED,
    UNDECIDED,
    opinion(number=4),
    DISPUTED,
    links=(page(1), page(2), UNREAD),
    searches=(Search(query=STATEMENT, provider="Scripted", found=(page().url,)), FAILED),
)

EVIL = "<img src=x onerror=alert(1)>\x1b[31m\u202e"
HOSTILE = report(
    check(
        "contradicted",
        text=f"{EVIL} ![a](b)",
        explanation=EVIL,
        deciding=place(
            outcome="contradicted",
            title=EVIL,
            headings=(EVIL,),
            text=f"before {EVIL} after",
            url="javascript:alert(3)",
        ),
    ),
    searches=(Search(query=EVIL, provider=EVIL, reason=EVIL, partial=True),),
    links=(
        page(1, title=EVIL, url="javascript:alert(1)"),
        page(2, outcome="unread", source_id=None, reason=EVIL, url="javascript:alert(2)"),
    ),
)
"""A report on pages that try to get out of whatever shows it."""
