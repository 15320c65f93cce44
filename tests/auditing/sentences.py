"""An extractor that takes every sentence for a claim: for tests of the rest."""

from collections.abc import Sequence

from citeguard.auditing.claims import Claim, Extraction
from citeguard.language.sentences import sentence_intervals


class SentenceClaims:
    """Takes sentences for claims; those that end in "!" are set aside as opinions."""

    def extract(self, texts: Sequence[str]) -> list[Extraction]:
        return [Extraction(claims=tuple(_claims(text))) for text in texts]


def _claims(text: str) -> list[Claim]:
    return [claim_at(text, start, end) for start, end in sentence_intervals(text)]


def claim_at(text: str, start: int, end: int) -> Claim:
    words = " ".join(text[start:end].split()).removesuffix(".").strip()
    aside = "opinion" if words.endswith("!") else None
    return Claim(text=words, start=start, end=end, sentence=(start, end), set_aside=aside)


def claim_of_text(text: str) -> Claim:
    return claim_at(text, 0, len(text))
