"""Captions of recordings as documents: `read_captions`, which knows who speaks, and when."""

from __future__ import annotations

import html
import re
from typing import NamedTuple

from citeguard.documents.document import Document, visible
from citeguard.documents.files import decode
from citeguard.errors import InvalidSourcesError
from citeguard.language.sentences import ends_as_sentence
from citeguard.quotes.printed import CUE, LABELLED, VOICE, name_in, speakers_among
from citeguard.sources.layout import Layout, Part

_STYLE = re.compile(r"</?(?:[biu]|font|lang|ruby|rt)\b[^<>\n]*>|\{\\[^{}\n]*\}")
_LONG, _LONGEST = 400, 4_000  # characters of a paragraph that ends with a sentence, or anywhere
_LONGEST_END = 20  # characters of a stop, with the marks behind it


class _Line(NamedTuple):
    """A line of a cue, without markup."""

    time: str
    text: str
    is_voice: bool  # whether markup names its speaker, at its start


def read_captions(content: bytes, name: str) -> Document:
    r"""Return what is said in a WebVTT or SubRip file, a paragraph or more for each turn.

    A turn begins with its speaker, if the file names one: by `<v Anna>`, or by a label such as
    "ANNA:" where a line begins. Each cue is a part of the document, with its time.

    Args:
        content: The file's content, in UTF-8.
        name: Its name or path; messages start with it.

    Raises:
        InvalidSourcesError: there are no cues with times.
        CiteguardError: the content is not UTF-8.

    Examples:
        >>> cues = b"0:01.000 --> 0:02.000\nANNA: It ships\n\n1:03.000 --> 1:04.000\non Monday.\n"
        >>> document = read_captions(cues, "talk.vtt")
        >>> document.text, document.layout.parts[1].time
        ('ANNA: It ships on Monday.', '1:03')
    """
    lines = _lines(decode(content, name).replace("\r\n", "\n"))
    if not lines:
        raise InvalidSourcesError(f"{name}: has no captions: no cue with its times")
    labels = [LABELLED.match(line.text) for line in lines]
    speakers = speakers_among(name_in(label) for label in labels if label)
    paragraphs, start, speaker = [""], 0, None  # and where the last one starts
    parts: list[Part] = []
    for line, label in zip(lines, labels, strict=True):
        said, named, last = line.text, name_in(label) if label else None, paragraphs[-1]
        is_turn = label is not None and (line.is_voice or named in speakers)
        if label and is_turn:
            said, is_turn = said[label.end() :].strip(), named != speaker
            speaker = named
        is_long = len(last) > _LONG and ends_as_sentence(last[-_LONGEST_END:])
        is_long = is_long or len(last) > _LONGEST
        if last and (is_turn or is_long):
            start += len(last) + len("\n\n")
            paragraphs.append("")
        elif last:
            paragraphs[-1] += " "
        place = ", ".join(filter(None, (speaker, line.time)))
        parts.append(Part(start + len(paragraphs[-1]), place, speaker, line.time))
        paragraphs[-1] += f"{speaker}: {said}" if is_turn else said
    text = "\n\n".join(paragraphs)
    return Document(text=text, layout=Layout("transcript", len(text), parts=parts))


def _lines(text: str) -> list[_Line]:
    """Return the lines of all cues; of captions that roll up, each line once."""
    found: list[_Line] = []
    rolls_up = any(voice[0][1].isdecimal() for voice in VOICE.finditer(text))
    cues = [*CUE.finditer(text)]
    ends = [*(cue.start() for cue in cues), len(text)][1:]
    for cue, following in zip(cues, ends, strict=True):
        time = cue[0].partition("-->")[0].split()[-1].partition(",")[0].partition(".")[0]
        written = text[cue.end() : following].partition("\n\n")[0]
        for row in VOICE.sub(_named, written).split("\n"):
            said = visible(html.unescape(_STYLE.sub("", row))).strip()
            line = " ".join(said.removeprefix("\x00").split())
            if line and not (rolls_up and found and found[-1].text == line):
                found.append(_Line(time, line, said.startswith("\x00")))
    return found


def _named(voice: re.Match[str]) -> str:
    """Return a tag of a voice as a label at the start of a line, and any other tag as nothing."""
    name = " ".join((voice["name"] or "").replace(":", " ").split())
    return f"\n\x00{name}: " if name and voice[0].startswith("<v") else ""
