"""Reports built by hand, for the tests of the page."""

from collections.abc import Iterator
from typing import Any, get_args

from citeguard.judges.verdicts import Outcome
from citeguard.reports.report import (
    CheckedClaim,
    CheckedSource,
    CitationFinding,
    Correction,
    DifferingFact,
    Place,
    Replacement,
    Report,
    Shown,
    Uncovered,
    trust_of,
)
from reports.samples import claim_of

HANDBOOK = """Staff handbook of the Harbour Institute

1. Notice. The notice period is one month to the end of a calendar month. During probation, either \
party may end the contract within fourteen days.

2. Visitors. Visitors may not enter the laboratory without a badge. Badges are handed out at the \
main gate between 8:00 and 18:00.

3. History. The institute was founded in 1984 by Marta Lindqvist and eleven colleagues. It moved \
to the old rope works in 1997.
"""
FAQ = """Is lunch free? Lunch is free for all employees on weekdays; guests pay 9 euros.

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


def place(source: CheckedSource, words: str) -> Place:
    """Return where words first stand in a source."""
    start = source.text.index(words)
    line = source.text.count("\n", 0, start) + 1
    return Place(source_id=source.id, start=start, end=start + len(words), line=line, text=words)


def claim(number: int, text: str, words: str, verdict: Shown, **fields: Any) -> CheckedClaim:
    """Return a claim whose own words are found in the text."""
    said = {"explanation": "The sources were compared with it.", "judge": ""}
    return claim_of(text, words, verdict, **{"number": number, **said, **fields})


def report_of(
    text: str, claims: tuple[CheckedClaim, ...] = (), sources: tuple[CheckedSource, ...] = ()
) -> Report:
    """Return a report with these claims and its trust score."""
    return Report(text=text, sources=sources, claims=claims, trust=trust_of(claims))


def everything() -> Report:
    """Return a report with every verdict, every citation problem and a sentence not examined."""
    handbook = CheckedSource(
        id="handbook", title="Staff handbook", url="https://example.org/handbook", text=HANDBOOK
    )
    faq = CheckedSource(id="faq", text=FAQ)
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
                place(handbook, "The notice period is one month to the end of a calendar month."),
            ),
            deciding=place(handbook, "The notice period is one month"),
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
                place(handbook, HANDBOOK[HANDBOOK.index("The institute") :].rstrip("\n")),
                place(handbook, "Staff handbook of the Harbour Institute"),
            ),
            deciding=place(handbook, "The institute was founded in 1984 by Marta Lindqvist"),
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
            evidence=(place(faq, "Lunch is free for all employees on weekdays"),),
            deciding=place(faq, "Lunch is free for all employees"),
            differences=(DifferingFact(kind="word", stated="everybody", found="all employees"),),
        ),
        claim(
            4,
            TEXT,
            "visitors need a badge to enter the laboratory",
            "supported",
            cited=("faq",),
            explanation="The source says the same in other words.",
            evidence=(place(handbook, "Visitors may not enter the laboratory without a badge."),),
            deciding=place(handbook, "Visitors may not enter the laboratory without a badge."),
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
            evidence=(place(faq, "There are 40 spaces, six of them with a charger."),),
            deciding=place(faq, "They cannot be reserved."),
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
            evidence=(place(source, found),),
            deciding=place(source, found),
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
    return report_of(text, claims, (source,))
