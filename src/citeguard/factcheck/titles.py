"""A page's title says what its sentences are about: "It opened in 1937" – what did?"""

from __future__ import annotations

import re
from dataclasses import replace

from citeguard.facts.names import names
from citeguard.facts.reading import read as read_words
from citeguard.judges.verdicts import Evidence
from citeguard.language.cells import Piece
from citeguard.language.grammar import is_finite
from citeguard.language.windows import sentence_windows
from citeguard.sources.collection import Source
from citeguard.verifier.content import read
from citeguard.verifier.placing import said_of_subject, subject_names

_LONGEST_TITLE = 8  # words; a longer one is a headline
_PARTS_OF_TITLE = re.compile(r"\s+[-–—|·•:]\s+|:\s+")
_WORD = re.compile(r"\w+")


def title_of(source: Source, statement: str) -> str:
    """Return what a page is about, by its first heading or else its title; empty if neither says.

    A title may name a thing, but it states nothing: of one that is longer than eight words, has a
    verb or a number, or says of a name what the statement says of it, only the first name counts.
    """
    headings = () if source.layout is None else source.layout.headings
    first = headings[0].text if headings else _PARTS_OF_TITLE.split(source.title or "")[0]
    title = " ".join(first.split())
    said = said_of_subject(statement)
    if len(title.split()) <= _LONGEST_TITLE and not any(
        word.kind == "number" or word.key in said or is_finite(word.text.casefold())
        for word in read(title).words
    ):
        return title
    reading = read_words(title)
    return next((reading.slice(run.first, run.last).text for run in names(reading).runs), "")


def under_title(evidence: Evidence, source: Source, statement: str) -> Evidence:
    """Return a passage as judges on this machine should read it: under the title of its page.

    The title is put before each sentence that does not have all of its words: "The bridge: It
    opened in 1937." If the statement is about what the title names, a sentence about another name
    stays as it is ("Pierre was killed in 1906"). A judge's `words` stay the page's own, because
    each piece of the text is mapped to its source; language models see the passage as it stands.
    Headings, tables and records are left as they are.
    """
    title = title_of(source, statement)
    if evidence.pieces or not title:
        return evidence
    named = _words(title)
    is_about_title = bool(named & _words(" ".join(subject_names(statement))))
    headings = () if source.layout is None else source.layout.headings
    text, pieces, at = "", list[Piece](), evidence.start
    end = evidence.start + len(evidence.text)
    for low, high in sentence_windows(evidence.text, size=1, overlap=0):
        place = evidence.start + low
        sentence = evidence.text[low:high]
        is_heading = any(
            each.start < evidence.start + high and place < each.end for each in headings
        )
        about = _words(" ".join(subject_names(sentence)))
        if is_heading or named <= _words(sentence):
            continue
        if is_about_title and about and not about & named:
            continue
        own = source.text[at:place]
        for part, start, is_own in ((own, at, True), (f"{title}: ", place, False)):
            if part:
                begun = len(text)
                text += part
                pieces.append(Piece(begun, len(text), start, place, is_own))
        at = place
    if not pieces:
        return evidence
    pieces.append(Piece(len(text), len(text) + end - at, at, end, True))
    text += source.text[at:end]
    return replace(evidence, text=text, pieces=tuple(pieces), written=evidence.text)


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.casefold()))
