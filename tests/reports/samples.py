"""Audit reports by hand: one with everything, one of hostile strings, and any that are drawn.

Words are looked up in their texts, so no offset is counted by hand.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from hypothesis import strategies as st

from citeguard.reports.report import (
    BY_URGENCY,
    CheckedClaim,
    CheckedSource,
    CitationFinding,
    CitationProblem,
    Correction,
    DifferingFact,
    Place,
    Replacement,
    Report,
    Shown,
    Uncovered,
    trust_of,
)

HANDBOOK = CheckedSource(
    id="handbook",
    text="Chapter 1\n\nThe notice period is one month.\nIt does not apply during probation.\n",
    title="Staff handbook",
    url="https://example.com/handbook",
)
FAQ = CheckedSource(id="faq", text="Lunch is free for all employees.\nIt is served until 2 p.m.\n")

TEXT = (
    "Working here\n"
    "\n"
    "Lunch is free for all employees [faq][faq]. The notice period is two months [handbook].\n"
    "It does not apply during probation [handbook].\n"
    "Lunch is free and served until 3 p.m. [handbook]\n"
    "The office has a gym [9]. In my view, that is fair. Probation 🕐 lasts half a year.\n"
    "As was said above.\n"
)

HOSTILE = (
    "<script>alert(1)</script> | **bold** `code` [here](http://evil.example/) @anna and #1\r\n"
    "# ]]> &amp; {0} www.evil.example $x$ \x1b[2J\x07 \u202edrawkcab\u2066 \x00 \ufffe \\ :bomb: "
    "~~x~~"
)
"""What could break out of HTML, Markdown, XML, SARIF messages or a terminal."""


def span_of(text: str, words: str) -> tuple[int, int]:
    """Return where words stand; they must, once."""
    assert text.count(words) == 1, words
    return text.index(words), text.index(words) + len(words)


def place_of(source: CheckedSource, words: str) -> Place:
    """Return where words stand in a source."""
    start, end = span_of(source.text, words)
    line = source.text.count("\n", 0, start) + 1
    return Place(source_id=source.id, start=start, end=end, line=line, text=words)


def claim_of(text: str, words: str, verdict: Shown, /, **facts: Any) -> CheckedClaim:
    """Return a claim whose own words, and sentence, are these words of the text.

    What else it says can be given as `facts`.
    """
    start, end = span_of(text, words)
    return CheckedClaim(
        **{
            "number": 1,
            "text": words,
            "start": start,
            "end": end,
            "sentence_start": start,
            "sentence_end": end,
            "verdict": None if verdict == "set_aside" else verdict,
            "set_aside": "opinion" if verdict == "set_aside" else None,
            "judge": "" if verdict == "set_aside" else "scripted",
            "explanation": f"It is {verdict}.",
            **facts,
        }
    )


def finding_of(
    text: str, words: str, problem: CitationProblem, message: str, **facts: Any
) -> CitationFinding:
    """Return a finding about these words of the text."""
    start, end = span_of(text, words)
    return CitationFinding(start=start, end=end, problem=problem, message=message, **facts)


def report_of(
    text: str,
    claims: Iterable[CheckedClaim] = (),
    *,
    sources: Sequence[CheckedSource] = (HANDBOOK, FAQ),
    findings: Iterable[CitationFinding] = (),
    uncovered: Iterable[str] = (),
) -> Report:
    """Return a report with the claims numbered in the order of the text, and its trust score."""
    ordered = sorted(claims, key=lambda claim: claim.start)
    numbered = [each.model_copy(update={"number": at}) for at, each in enumerate(ordered, start=1)]
    spans = [span_of(text, words) for words in uncovered]
    return Report(
        text=text,
        sources=tuple(sources),
        claims=tuple(numbered),
        findings=tuple(findings),
        uncovered=tuple(Uncovered(start=start, end=end) for start, end in spans),
        trust=trust_of(numbered),
    )


def empty_report() -> Report:
    """Return a report of a text without claims."""
    return report_of("Hello!\n")


def good_report() -> Report:
    """Return a report with which nothing is wrong."""
    text = "Lunch is free for all employees."
    return report_of(text, [_supported(text, text)])


def report_with(verdict: Shown) -> Report:
    """Return a report of a supported claim and one of this verdict."""
    text = "Lunch is free for all employees. Cake is, too."
    supported = _supported(text, "Lunch is free for all employees.")
    return report_of(text, [supported, claim_of(text, "Cake is, too.", verdict)])


def report_with_problem(problem: CitationProblem) -> Report:
    """Return a report of a supported claim and something wrong with its mark."""
    text = "Lunch is free for all employees [faq]."
    finding = finding_of(text, "[faq]", problem, f"It is {problem}.", claims=(1,))
    claims = [_supported(text, "Lunch is free for all employees")]
    return report_of(text, claims, findings=[finding])


def full_report() -> Report:
    """Return a report with every verdict and finding, a correction and an uncovered sentence."""
    return report_of(TEXT, _full_claims(), findings=_full_findings(), uncovered=[_UNCOVERED])


def hostile_report(words: str = HOSTILE) -> Report:
    """Return a report in which everything that others wrote is hostile: text, sources and reasons.

    It has a claim of each verdict, a finding, a correction and an uncovered sentence; its places
    are on pages, under headings.
    """
    source = CheckedSource(id=words, text=words, title=words, url=f"javascript:{words}")
    place = place_of(source, words).model_copy(
        update={"headings": (words, words), "page": 4, "page_label": words}
    )
    parts = [f"{at}{words}" for at in range(len(BY_URGENCY) + 1)]
    text = "\n".join(parts)
    claims = [
        claim_of(
            text,
            part,
            verdict,
            explanation=words,
            context=words,
            cited=(words,),
            judge=words,
            deciding=place,
            evidence=(place,),
            differences=(DifferingFact(kind="word", stated=words, found=words),),
            correction=_correction_of(text, part, part, words),
        )
        for part, verdict in zip(parts, BY_URGENCY, strict=False)
    ]
    finding = finding_of(text, parts[0], "unknown_id", words, cited=words, better=(words,))
    return report_of(text, claims, sources=[source], findings=[finding], uncovered=parts[-1:])


@st.composite
def drawn_reports(draw: st.DrawFn, texts: st.SearchStrategy[str] | None = None) -> Report:
    """Draw reports with any strings: whatever is not a claim is a sentence without one."""
    words = st.text(st.characters(), min_size=1, max_size=40) if texts is None else texts
    parts = draw(st.lists(st.tuples(words, st.sampled_from([*BY_URGENCY, None])), max_size=6))
    source = CheckedSource(id=draw(words), text=draw(words), title=draw(words))
    headings = tuple(draw(st.lists(words, max_size=2)))
    place = place_of(source, source.text).model_copy(
        update={"headings": headings, "page": draw(st.none() | st.just(4))}
    )
    claims: list[CheckedClaim] = []
    uncovered: list[Uncovered] = []
    text = ""
    for part, verdict in parts:
        start, text = len(text), text + part
        if verdict is None:
            uncovered.append(Uncovered(start=start, end=len(text)))
            continue
        facts = {"number": len(claims) + 1, "explanation": draw(words), "deciding": place}
        facts["correction"] = _correction_of(part, part, part, draw(words), shift=start)
        shifted = {"start": start, "end": len(text)}
        shifted |= {"sentence_start": start, "sentence_end": len(text)}
        claims.append(claim_of(part, part, verdict, **facts, **shifted))
    findings = [
        CitationFinding(start=each.start, end=each.end, problem="wrong_source", message=each.text)
        for each in claims[:1]
    ]
    return Report(
        text=text,
        sources=(source,),
        claims=tuple(claims),
        findings=tuple(findings),
        uncovered=tuple(uncovered),
        trust=trust_of(claims),
    )


_UNCOVERED = "As was said above."


def _supported(text: str, words: str) -> CheckedClaim:
    deciding = place_of(FAQ, "Lunch is free for all employees.")
    return claim_of(
        text,
        words,
        "supported",
        score=1.0,
        cited=("faq",),
        explanation="The source says so.",
        evidence=(deciding,),
        deciding=deciding,
    )


def _full_claims() -> list[CheckedClaim]:
    notice = place_of(HANDBOOK, "The notice period is one month.")
    served = place_of(FAQ, "It is served until 2 p.m.")
    return [
        claim_of(TEXT, "Working here", "set_aside", set_aside="heading"),
        _supported(TEXT, "Lunch is free for all employees"),
        claim_of(
            TEXT,
            "The notice period is two months",
            "contradicted",
            score=0.03,
            cited=("handbook",),
            explanation="It says “two months”, and the source says “one month”.",
            evidence=(notice,),
            deciding=notice,
            differences=(DifferingFact(kind="number", stated="two months", found="one month"),),
            correction=_correction_of(TEXT, "two months", TEXT_CLAIM, "one month"),
        ),
        claim_of(
            TEXT,
            "It does not apply during probation",
            "supported",
            text="The notice period does not apply during probation.",
            cited=("handbook",),
            deciding=place_of(HANDBOOK, "It does not apply during probation."),
            explanation="The source says so.",
        ),
        claim_of(
            TEXT,
            "Lunch is free and served until 3 p.m.",
            "unsupported",
            score=0.5,
            cited=("handbook",),
            explanation="That it is served until 3 p.m. is not said.",
            evidence=(served,),
            deciding=served,
        ),
        claim_of(
            TEXT,
            "The office has a gym",
            "unsupported",
            score=0.2,
            explanation="No source says anything like it.",
            evidence=(notice,),
        ),
        claim_of(TEXT, "In my view, that is fair.", "set_aside", set_aside="opinion"),
        claim_of(
            TEXT,
            "Probation 🕐 lasts half a year.",
            "undecided",
            context="The office has a gym.",
            explanation="The judge timed out.",
        ),
    ]


TEXT_CLAIM = "The notice period is two months"


def _correction_of(
    text: str, words: str, claim: str, corrected: str, *, shift: int = 0
) -> Correction:
    """Return the correction of a claim in which these words are replaced."""
    start, end = span_of(text, words)
    whole = claim.replace(words, corrected)
    replacement = Replacement(start=start + shift, end=end + shift, text=corrected)
    return Correction(claim=whole, sentence=whole, replacements=(replacement,), score=1.0)


def _full_findings() -> list[CitationFinding]:
    wrong = TEXT.index("[handbook]", TEXT.index("3 p.m."))
    twice = TEXT.index("[faq][faq]") + len("[faq]")
    return [
        CitationFinding(
            problem="redundant",
            start=twice,
            end=twice + len("[faq]"),
            claims=(2,),
            cited="faq",
            message="“faq” is cited twice; one mark is enough.",
        ),
        CitationFinding(
            problem="wrong_source",
            start=wrong,
            end=wrong + len("[handbook]"),
            claims=(5,),
            cited="handbook",
            better=("faq",),
            message="“handbook” does not say it; cite “faq” instead.",
        ),
        finding_of(
            TEXT,
            "[9]",
            "unknown_id",
            "“9” is no source; there are “handbook” and “faq”.",
            claims=(6,),
            cited="9",
        ),
        finding_of(
            TEXT,
            "Probation 🕐 lasts half a year.",
            "uncited",
            "Nothing is cited; name the source, or drop the claim.",
            claims=(8,),
        ),
    ]
