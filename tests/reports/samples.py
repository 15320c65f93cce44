"""Audit reports by hand: one with everything, one of hostile strings, and any that are drawn.

Words are looked up in their texts, so no offset is counted by hand.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, get_args

from hypothesis import strategies as st

from citeguard.judges.verdicts import Outcome
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


_HANDBOOK = """Staff handbook of the Harbour Institute

1. Notice. The notice period is one month to the end of a calendar month. During probation, either \
party may end the contract within fourteen days.

2. Visitors. Visitors may not enter the laboratory without a badge. Badges are handed out at the \
main gate between 8:00 and 18:00.

3. History. The institute was founded in 1984 by Marta Lindqvist and eleven colleagues. It moved \
to the old rope works in 1997.
"""
_FAQ = """Is lunch free? Lunch is free for all employees on weekdays; guests pay 9 euros.

Is there parking? There are 40 spaces, six of them with a charger. They cannot be reserved.
"""
TEXT = """# Working at the Harbour Institute

The notice period is one month [handbook]. The institute was founded in 1985 by Marta Lindqvist \
[handbook]. Lunch is free for everybody [faq], and visitors need a badge to enter the laboratory \
[faq].

The campus has a swimming pool. In my opinion it is the nicest place to work in the city. Parking \
spaces can be booked by the hour [rules].

The institute moved to the old rope works in 1997 [handbook]. Guests pay 9 euros for lunch [faq]. \
Badges are handed out at the main gate [handbook].

Staff may work from home on some days. Welcome aboard!
"""

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


def claim(number: int, text: str, words: str, verdict: Shown, **fields: Any) -> CheckedClaim:
    """Return a claim whose own words are found in the text."""
    said = {"explanation": "The sources were compared with it.", "judge": ""}
    return claim_of(text, words, verdict, **{"number": number, **said, **fields})


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
    """Return a report with every verdict, every citation problem and a sentence not examined."""
    handbook = CheckedSource(
        id="handbook", title="Staff handbook", url="https://example.org/handbook", text=_HANDBOOK
    )
    faq = CheckedSource(id="faq", text=_FAQ)
    claims = _claims(handbook, faq)
    uncovered = TEXT.index("Welcome aboard!")
    return Report(
        text=TEXT,
        sources=(handbook, faq),
        claims=claims,
        findings=_findings(claims),
        uncovered=(Uncovered(start=uncovered, end=uncovered + len("Welcome aboard!")),),
        trust=trust_of(claims),
    )


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


def large(characters: int) -> Report:
    """Return a report of a text and a source of so many characters, with a claim per sentence."""
    texts: list[str] = []
    spans: list[tuple[int, int]] = []
    at = 0
    while at < characters:
        number = len(texts)
        sentence = (
            f"Station {number} of the coastal survey recorded a mean water level of {number % 97} "
            f"centimetres above the datum in the year {1900 + number % 120} of its log"
        )
        end = ".\n\n" if number % 5 == 4 else ". "
        texts.append(sentence + end)
        spans.append((at, at + len(sentence)))
        at += len(texts[-1])
    text = "".join(texts)
    source = CheckedSource(id="survey", text=text, url="https://example.org/survey")
    claims = tuple(
        CheckedClaim.model_validate(
            {
                "number": number,
                "text": text[start:end],
                "start": start,
                "end": end,
                "sentence_start": start,
                "sentence_end": end + 1,
                "verdict": get_args(Outcome)[number % 4],
                "explanation": "The claim and the source were compared word by word, and every "
                "number in one of them was looked for in the other.",
                "evidence": [
                    {
                        "source_id": "survey",
                        "start": max(0, start - 140),
                        "end": min(len(text), end + 140),
                        "line": number // 5 * 2 + 1,
                        "text": text[max(0, start - 140) : min(len(text), end + 140)],
                    }
                ],
                "deciding": {
                    "source_id": "survey",
                    "start": start,
                    "end": end,
                    "line": number // 5 * 2 + 1,
                    "text": text[start:end],
                },
            }
        )
        for number, (start, end) in enumerate(spans, 1)
    )
    return report_of(text, claims, sources=[source])


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


def _correction_of(
    text: str, words: str, claim: str, corrected: str, *, shift: int = 0
) -> Correction:
    """Return the correction of a claim in which these words are replaced."""
    start, end = span_of(text, words)
    whole = claim.replace(words, corrected)
    replacement = Replacement(start=start + shift, end=end + shift, text=corrected)
    return Correction(claim=whole, sentence=whole, replacements=(replacement,), score=1.0)


def _claims(handbook: CheckedSource, faq: CheckedSource) -> tuple[CheckedClaim, ...]:
    founded = "The institute was founded in 1985 by Marta Lindqvist"
    start = TEXT.index(founded)
    year = TEXT.index("1985")
    return (
        claim(
            1,
            TEXT,
            "The notice period is one month",
            "supported",
            score=0.97,
            judge="grounding",
            cited=("handbook",),
            explanation="The source says the same.",
            evidence=(
                place_of(handbook, "The notice period is one month to the end of a calendar"),
            ),
            deciding=place_of(handbook, "The notice period is one month"),
        ),
        claim(
            2,
            TEXT,
            founded,
            "contradicted",
            score=0.06,
            judge="grounding",
            cited=("handbook",),
            explanation="The claim says 1985; the source says 1984.",
            evidence=(
                place_of(handbook, _HANDBOOK[_HANDBOOK.index("The institute") :].rstrip("\n")),
                place_of(handbook, "Staff handbook of the Harbour Institute"),
            ),
            deciding=place_of(handbook, "The institute was founded in 1984 by Marta Lindqvist"),
            differences=(DifferingFact(kind="number", stated="1985", found="1984"),),
            correction=Correction(
                claim=founded.replace("1985", "1984"),
                sentence=founded.replace("1985", "1984"),
                replacements=(Replacement(start=year, end=year + 4, text="1984"),),
                score=0.98,
            ),
            sentence_start=start,
        ),
        claim(
            3,
            TEXT,
            "Lunch is free for everybody",
            "unsupported",
            score=0.55,
            cited=("faq",),
            explanation="The source says so of employees; it says that guests pay.",
            evidence=(place_of(faq, "Lunch is free for all employees on weekdays"),),
            deciding=place_of(faq, "Lunch is free for all employees"),
            differences=(DifferingFact(kind="word", stated="everybody", found="all employees"),),
        ),
        claim(
            4,
            TEXT,
            "visitors need a badge to enter the laboratory",
            "supported",
            cited=("faq",),
            explanation="The source says the same in other words.",
            evidence=(
                place_of(handbook, "Visitors may not enter the laboratory without a badge."),
            ),
            deciding=place_of(handbook, "Visitors may not enter the laboratory without a badge."),
        ),
        claim(
            5,
            TEXT,
            "The campus has a swimming pool",
            "unsupported",
            explanation="No source says anything of a swimming pool.",
        ),
        claim(
            6,
            TEXT,
            "In my opinion it is the nicest place to work in the city",
            "set_aside",
            set_aside="opinion",
            context="The campus has a swimming pool.",
            explanation="That is an opinion: no source can bear it out.",
        ),
        claim(
            7,
            TEXT,
            "Parking spaces can be booked by the hour",
            "contradicted",
            cited=("rules",),
            explanation="The source says that they cannot be reserved.",
            evidence=(place_of(faq, "There are 40 spaces, six of them with a charger."),),
            deciding=place_of(faq, "They cannot be reserved."),
            differences=(DifferingFact(kind="negation", stated="", found="cannot"),),
        ),
        *_said_so(handbook, faq),
        claim(
            11,
            TEXT,
            "Staff may work from home on some days",
            "undecided",
            explanation="The judge did not answer in time.",
        ),
    )


def _said_so(handbook: CheckedSource, faq: CheckedSource) -> Iterator[CheckedClaim]:
    said = (
        ("The institute moved to the old rope works in 1997", handbook, "It moved to the old rope"),
        ("Guests pay 9 euros for lunch", faq, "guests pay 9 euros"),
        ("Badges are handed out at the main gate", handbook, "Badges are handed out"),
    )
    for number, (words, source, found) in enumerate(said, 8):
        yield claim(
            number,
            TEXT,
            words,
            "supported",
            cited=(source.id,),
            explanation="The source says the same.",
            evidence=(place_of(source, found),),
            deciding=place_of(source, found),
        )


def _findings(claims: tuple[CheckedClaim, ...]) -> tuple[CitationFinding, ...]:
    wrong = TEXT.index("[faq].")
    unknown = TEXT.index("[rules]")
    pool = claims[4]
    return (
        CitationFinding(
            problem="wrong_source",
            start=wrong,
            end=wrong + 5,
            claims=(4,),
            cited="faq",
            better=("handbook",),
            message="faq does not say this; cite handbook.",
        ),
        CitationFinding(
            problem="uncited",
            start=pool.start,
            end=pool.end,
            claims=(5,),
            message="This claim cites nothing.",
        ),
        CitationFinding(
            problem="unknown_id",
            start=unknown,
            end=unknown + 7,
            claims=(7,),
            cited="rules",
            message="No source is called rules.",
        ),
    )
