"""Captions of recordings as documents: `read_captions`, which knows who speaks, and when."""

from __future__ import annotations

import html
import re
from typing import NamedTuple

from citeguard.documents.document import Document, visible
from citeguard.documents.files import decode
from citeguard.errors import InvalidSourcesError
from citeguard.language.sentences import ends_as_sentence
from citeguard.quotes.printed import CHANGES, CUE, LABELLED, VOICE, name_in, speakers_among
from citeguard.sources.layout import Layout, Part

_STYLE = re.compile(r"</?(?:[biu]|font|lang|ruby|rt)\b[^<>\n]*>|\{\\[^{}\n]*\}")
_LONG, _LONGEST = 400, 4_000  # characters of a paragraph that ends with a sentence, or anywhere
_MARK = "\x00"  # which no text file has
_LONGEST_END = 20  # characters of a stop, with the marks behind it


class _Line(NamedTuple):
    """A line of a cue, without markup."""

    time: str
    text: str
    voice: str | None  # who says it, by the markup


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
    lines = _lines(re.sub(r"\r\n?", "\n", decode(content, name)))
    if not lines:
        raise InvalidSourcesError(f"{name}: has no captions: no cue with its times")
    # Where markup names speakers, a label is what one of them says.
    is_voiced = any(line.voice for line in lines)
    labels = [None if is_voiced else LABELLED.match(line.text) for line in lines]
    speakers = speakers_among(name_in(label) for label in labels if label)
    paragraphs, start, speaker = [""], 0, None  # and where the last one starts
    parts: list[Part] = []
    for line, label in zip(lines, labels, strict=True):
        said, before, last = line.text, speaker, paragraphs[-1]
        is_other = not is_voiced and said.startswith(CHANGES)
        if label and name_in(label) in speakers:
            said, speaker = said[label.end() :].strip(), name_in(label)
            is_other = speaker != before
        elif is_voiced or is_other:
            speaker = line.voice
        is_other = is_other or speaker != before
        is_long = len(last) > _LONG and ends_as_sentence(last[-_LONGEST_END:])
        if last and (is_other or is_long or len(last) > _LONGEST):
            start += len(last) + len("\n\n")
            paragraphs.append("")
        elif last:
            paragraphs[-1] += " "
        place = ", ".join(filter(None, (speaker, line.time)))
        parts.append(Part(start + len(paragraphs[-1]), place, speaker, line.time))
        paragraphs[-1] += f"{speaker}: {said}" if is_other and speaker else said
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
        voice = None
        for row in VOICE.sub(_marked, written).split("\n"):
            if row.startswith(_MARK):
                voice, row = row.removeprefix(_MARK).split(_MARK, 1)
            said = " ".join(visible(html.unescape(_STYLE.sub("", row))).split())
            if said and not (rolls_up and found and found[-1].text == said):
                found.append(_Line(time, said, voice or None))
    return found


def _marked(voice: re.Match[str]) -> str:
    """Return a tag of a voice as a line that begins with the name, between marks; others as ""."""
    name = " ".join((voice["name"] or "").split())
    if not voice[0].startswith(("<v", "</v")):
        return ""
    return f"\n{_MARK}{html.unescape(name)}{_MARK}"
