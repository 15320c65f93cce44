"""The 22 probes on which a dozen tools were compared: one paragraph, one quote for each row."""

from __future__ import annotations

from collections.abc import Iterator

from .cases import Case, Place

SOURCE = (
    "The company did not approve the merger in 2019. Revenue reached 250 million, up 12 percent, "
    "and the annual fee is $1,250. “The drug isn’t safe for children,” the agency wrote. "
    "The outlook — though improving — remains uncertain. "
    "Modern instru-\nments measure the field every second. "
    "The oﬃcial ﬁgures were published in the ﬂyer. "
    "Visitors met at the cafe\u0301 near the station. この薬は子どもには安全ではありません。 "
    "Patients in the first group received 50 mg of the compound each morning. "
    "Patients in the second group received 75 mg of the compound each evening. "
    "Sales went up in the north after the new road was opened."
)

ACCEPTED: tuple[tuple[str, str, str], ...] = (
    (
        "exact",
        "The company did not approve the merger in 2019.",
        "The company did not approve the merger in 2019.",
    ),
    (
        "other case",
        "the company DID NOT approve the Merger in 2019",
        "The company did not approve the merger in 2019",
    ),
    (
        "straight for curly quotes",
        '"The drug isn\'t safe for children," the agency wrote.',
        "“The drug isn’t safe for children,” the agency wrote.",
    ),
    (
        "hyphen for em dash",
        "The outlook - though improving - remains uncertain.",
        "The outlook — though improving — remains uncertain.",
    ),
    (
        "whitespace and newline",
        "Revenue  reached 250 million,\nup 12 percent",
        "Revenue reached 250 million, up 12 percent",
    ),
    (
        "hyphen at line break",
        "Modern instruments measure the field every second.",
        "Modern instru-\nments measure the field every second.",
    ),
    (
        "ligatures",
        "The official figures were published in the flyer.",
        "The oﬃcial ﬁgures were published in the ﬂyer.",
    ),
    (
        "NFC for NFD",
        "Visitors met at the café near the station.",
        "Visitors met at the cafe\u0301 near the station.",
    ),
    (
        "Japanese exact",
        "この薬は子どもには安全ではありません。",
        "この薬は子どもには安全ではありません。",
    ),
)
ELIDED = (
    "Revenue reached 250 million ... and the annual fee is $1,250.",
    "Revenue reached 250 million",
    "and the annual fee is $1,250.",
)
REFUSED: tuple[tuple[str, str], ...] = (
    ("not dropped", "The company did approve the merger in 2019."),
    ("isn't to is", "The drug is safe for children"),
    ("1,250 to 1,260", "the annual fee is $1,260"),
    ("up to down", "Sales went down in the north after the new road was opened."),
    (
        "50 mg to 500 mg",
        "Patients in the first group received 500 mg of the compound each morning.",
    ),
    ("2019 to 2018", "The company did not approve the merger in 2018."),
    ("Japanese negation dropped", "この薬は子どもには安全です。"),
    ("invented sentence", "The company opened a new factory in Portugal last year."),
    ("invented short word", "London"),
    (
        "two sentences stitched",
        "Patients in the first group received 75 mg of the compound each evening.",
    ),
    ("empty quote", ""),
    ("cut inside a number", "50 million, up 1"),
)


def probe_cases() -> Iterator[Case]:
    """Make the 22 probes: ten to accept, twelve to refuse."""
    sources = {"s1": SOURCE}
    for note, quote, words in ACCEPTED:
        places = ((_place(words),),)
        yield Case(
            category="probe_accept",
            accept=True,
            sources=sources,
            quote=quote,
            expected=places,
            note=note,
        )
    quote, *segments = ELIDED
    places = (tuple(map(_place, segments)),)
    yield Case(
        category="probe_accept",
        accept=True,
        sources=sources,
        quote=quote,
        expected=places,
        note="elided",
    )
    for note, quote in REFUSED:
        yield Case(category="probe_refuse", accept=False, sources=sources, quote=quote, note=note)


def _place(words: str) -> Place:
    """Find words of the paragraph."""
    start = SOURCE.index(words)
    return Place("s1", start, start + len(words))
