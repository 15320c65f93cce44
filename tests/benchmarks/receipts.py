"""Measure what receipts say of new versions, and who is found to have said a quote.

    python -m tests.benchmarks.receipts DATA_FOLDER

Takes true quotes. Makes a receipt of each, and changes its source, or the receipt, in one known
way. Lets three speakers say the same texts in turn, as captions, chats and transcripts.
"""

import json
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from citeguard import Answer, Sources, locate
from citeguard.datasets import negatives
from citeguard.documents import read_sources
from citeguard.receipts import check_receipt

from .synthesis.material import TrueText, quotes
from .tables import command, table, write

_KEY = "a secret of the benchmark"
_SPEAKERS = ("Anna", "Ben", "Chloé")
_TURNS = 30  # of a talk

# What is done to the source, and what its receipt is expected to say.
_EXPECTED = {
    "nothing": {"holds"},
    "other spaces and line ends": {"holds", "moved"},
    "a paragraph before": {"moved"},
    "a sentence beside": {"context_changed"},
    "a changed word, number or date": {"stale"},
    "a sentence taken out": {"stale"},
    "a letter of the receipt": {"forged"},
    "the statement of a signed receipt": {"forged"},
}


def _receipts(true: TrueText) -> Iterator[tuple[str, str]]:
    """Yield what was done to the quote's source or receipt, and what is said of the receipt."""
    quote, text = true.text, true.sources[true.source_id].text
    if text.count(quote) != 1:
        return
    data = {"quote": quote, "source_id": true.source_id}
    answer = Answer.model_validate(
        {"statements": [{"text": "It says so.", "citations": [data]}]},
        context=true.sources.as_context(),
    )
    receipt = answer.receipt(true.sources).to_json()

    def status(new: str, receipt: str = receipt, key: str | None = None) -> str:
        return check_receipt(receipt, Sources({true.source_id: new}), key=key).status

    yield "nothing", status(text)
    yield "other spaces and line ends", status(text.replace(" ", "  ").replace("\n", "\r\n"))
    yield "a paragraph before", status(f"This is a new edition.\n\n{text}")
    if not text.startswith(quote):
        yield "a sentence beside", status(text.replace(quote, f"This was read again. {quote}"))
    for wrong in negatives(quote, true.sources, source_id=true.source_id):
        yield "a changed word, number or date", status(text.replace(quote, wrong.text))
    yield "a sentence taken out", status(text.replace(quote, "This was taken out."))
    edited = json.loads(receipt)
    edited["quotes"][0]["quote"] += "x"
    yield "a letter of the receipt", status(text, json.dumps(edited))
    signed = answer.receipt(true.sources, key=_KEY).to_json()
    forged = signed.replace("It says so.", "It denies it.")
    yield "the statement of a signed receipt", status(text, forged, _KEY)


def _measure_talk(true: list[TrueText], suffix: str) -> tuple[str, int, str, int, str]:
    """Return how many quotes have the right speaker, and how many runs over two are refused."""
    found = ran = right = refused = 0
    texts = list(dict.fromkeys(" ".join(each.text.split()) for each in true))
    for at in range(0, len(texts) - _TURNS, _TURNS):
        turns = [(_SPEAKERS[n % 3], text) for n, text in enumerate(texts[at : at + _TURNS])]
        sources = _talk(turns, suffix)
        for speaker, text in turns:
            match = locate(text, sources)
            found += 1
            right += match is not None and sources.location_of(match.span).speaker == speaker
        for (_, one), (_, other) in pairwise(turns):
            match = locate(f"{one} {other}", sources)
            ran += 1
            refused += match is None or not match.accepted
    return suffix, found, f"{right / found:.1%}", ran, f"{refused / ran:.1%}"


def _talk(turns: list[tuple[str, str]], suffix: str) -> Sources:
    """Return what is read from a file of the turns."""
    lines: list[str] = []
    for number, (speaker, text) in enumerate(turns):
        start, end = (f"00:{number + later:02}:00" for later in (0, 1))
        if suffix == ".vtt":
            lines += [f"{start}.000 --> {end}.000", f"<v {speaker}>{text}", ""]
        elif suffix == ".srt":
            lines += [
                str(number + 1),
                f"{start},000 --> {end},000",
                f"{speaker}: {text}",
                "",
            ]
        else:
            lines.append(f"[2026-05-17 {start}] {speaker}: {text}")
    head = "WEBVTT\n\n" if suffix == ".vtt" else ""
    return read_sources([(f"talk{suffix}", (head + "\n".join(lines)).encode())])


if __name__ == "__main__":
    options = command("receipts", __doc__).parse_args()
    true = list(quotes(options.data))
    said = Counter(each for text in true for each in _receipts(text))
    rows: list[tuple[object, ...]] = []
    for change, expected in _EXPECTED.items():
        statuses = {status: count for (what, status), count in said.items() if what == change}
        right = sum(statuses.get(status, 0) for status in expected)
        number = sum(statuses.values())
        rows.append((change, number, f"{right / number:.1%}"))
    write(table("Receipts", ("what changes", "receipts", "said so"), rows))
    talks = [_measure_talk(true, suffix) for suffix in (".vtt", ".srt", ".txt")]
    write(table("Speakers", ("file", "quotes", "right", "of two turns", "refused"), talks))
