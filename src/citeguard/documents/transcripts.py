"""Captions of recordings as documents: `read_captions`, which knows who speaks, and when."""

from __future__ import annotations

import html
import re
from typing import NamedTuple

from citeguard.documents.document import Decision, Document, Writer, visible
from citeguard.documents.files import decode
from citeguard.errors import InvalidSourcesError
from citeguard.language.sentences import ends_as_sentence
from citeguard.quotes.printed import CHANGES, CUE, LABELLED, VOICE, name_in, speakers_among
from citeguard.sources.layout import Part

_STYLE = re.compile(r"</?(?:[biu]|font|lang|ruby|rt)\b[^<>\n]*>|\{\\[^{}\n]*\}")
_MAY_HIDE = re.compile(r"\{(?!(?:\\(?:an?|[biu])\d+)*\})\\")  # all but places and slants
_ANY_TAG = re.compile(rf"<[^<>\n]*>|{_STYLE.pattern}")  # WebVTT shows no tag, known or not
_RUBY = re.compile(r"<rt\b[^<>\n]*>([^<]*)")  # small words above others
_STRUCK = re.compile(r"<s(?:trike)?>(.*?)(?:</s(?:trike)?>|\Z)", re.DOTALL | re.IGNORECASE)
_LONG, _LONGEST = 400, 4_000  # characters of a paragraph that ends with a sentence, or anywhere
_MARK = "\ufdd2"  # a noncharacter, around the name of a voice
# What a style sheet says that may hide words.
_HIDING = re.compile(r"\b(?:opacity|visibility|display|font-size)\s*:|transparent|rgba")
_LONGEST_END = 20  # characters of a stop, with the marks behind it


class _Line(NamedTuple):
    """A line of a cue, without markup."""

    time: str
    text: str
    voice: str | None  # who says it, by the markup


def read_captions(content: bytes, name: str, decision: Decision | None = None) -> Document:
    r"""Return what is said in a WebVTT or SubRip file, a paragraph or more for each turn.

    A turn begins with its speaker, if the file names one: by `<v Anna>`, or by a label such as
    "ANNA:" where a line begins. Each cue is a part of the document, with its time. Cues that are
    never shown are as decided, by default left out; where a style sheet in the file may hide words,
    all is doubtful.

    Args:
        content: The file's content, in UTF-8.
        name: Its name or path; messages start with it.
        decision: What becomes of unseen text.

    Raises:
        InvalidSourcesError: there are no cues with times.
        CiteguardError: the content is not UTF-8.

    Examples:
        >>> cues = b"0:01.000 --> 0:02.000\nANNA: It ships\n\n1:03.000 --> 1:04.000\non Monday.\n"
        >>> document = read_captions(cues, "talk.vtt")
        >>> document.text, document.layout.parts[1].time
        ('ANNA: It ships on Monday.', '1:03')
    """
    writer = Writer(decision)
    text = visible(decode(content, name)).replace(_MARK, "")
    lines = _lines(re.sub(r"\r\n?", "\n", text), writer.decision)
    if not lines:
        raise InvalidSourcesError(f"{name}: has no captions: no cue with its times")
    # Where markup names speakers, a label is what one of them says.
    is_voiced = any(line.voice for line in lines)
    labels = [None if is_voiced else LABELLED.match(line.text) for line in lines]
    speakers = speakers_among(name_in(label) for label in labels if label)
    paragraphs, start, speaker = [""], 0, None  # and where the last one starts
    for line, label in zip(lines, labels, strict=True):
        said, before, last = line.text, speaker, paragraphs[-1]
        # ">> Who says so?" is said by another person, without a name.
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
        writer.parts.append(Part(start + len(paragraphs[-1]), place, speaker, line.time))
        paragraphs[-1] += f"{speaker}: {said}" if is_other and speaker else said
    writer.write("\n\n".join(paragraphs))
    return writer.document("transcript", title=None)


def _lines(text: str, decision: Decision) -> list[_Line]:
    """Return the lines of all cues; of captions that roll up, each line once."""
    found: list[_Line] = []
    # Times within cues, "<00:01.500>", mark captions that roll up: each line comes twice.
    rolls_up = any(voice[0][1].isdecimal() for voice in VOICE.finditer(text))
    cues = [*CUE.finditer(text)]
    ends = [*(cue.start() for cue in cues), len(text)][1:]
    written = [text[cue.end() : end] for cue, end in zip(cues, ends, strict=True)]
    decision.unsure |= bool(cues and _HIDING.search(text, 0, cues[0].start()))
    is_vtt = text.startswith("WEBVTT")
    if is_vtt:
        written = [each.partition("\n\n")[0] for each in written]
    else:  # most players go on behind a blank line, up to the next times
        decision.unsure |= any(map(_MAY_HIDE.search, written))
        written = [_STRUCK.sub(lambda s: decision.on(s[1], "struck out"), each) for each in written]
    for cue, content in zip(cues, written, strict=True):
        time = cue[0].partition("-->")[0].split()[-1].partition(",")[0].partition(".")[0]
        voice, shown = None, _is_shown(cue[0])
        for row in VOICE.sub(_marked, content).split("\n"):
            if row.startswith(_MARK):
                voice, row = row.removeprefix(_MARK).split(_MARK, 1)
            row = (_ANY_TAG if is_vtt else _STYLE).sub("", _RUBY.sub(r" (\1)", row))
            said = " ".join(html.unescape(row).split())
            said = said if shown else decision.on(said, "hidden")
            if said and not (rolls_up and found and found[-1].text == said):
                found.append(_Line(time, said, voice or None))
    return found


def _marked(voice: re.Match[str]) -> str:
    """Return a tag of a voice as a line that begins with the name, between marks; others as ""."""
    name = " ".join((voice["name"] or "").split())
    if not voice[0].startswith(("<v", "</v")):
        return ""
    return f"\n{_MARK}{html.unescape(name)}{_MARK}"


def _is_shown(cue: str) -> bool:
    """Return whether a cue is shown for a moment, and has some width (WebVTT, 6.1 and 7.2)."""
    begin, _, rest = cue.rpartition("\n")[2].partition("-->")
    end, *settings = rest.split()
    given = dict(each.split(":", 1) for each in settings if ":" in each)
    align = {"start": "left", "end": "right"}.get(given.get("align", ""), given.get("align"))
    at, _, side = given.get("position", "").partition(",")
    place = _percent(at, {"left": 0, "right": 100}.get(align or "", 50))
    rooms = {"line-left": 100 - place, "left": 100 - place, "line-right": place, "right": place}
    room = rooms.get(side or align or "", 2 * min(place, 100 - place))
    return _seconds(begin) < _seconds(end) and min(_percent(given.get("size", ""), 100), room) >= 1


def _percent(written: str, usual: float) -> float:
    found = re.fullmatch(r"([\d.]{1,9})%", written)
    return float(found[1]) if found else usual


def _seconds(clock: str) -> float:
    parts = re.findall(r"\d+(?:\.\d+)?", clock.replace(",", "."))[-3:]
    return sum(float(part) * 60**power for power, part in enumerate(reversed(parts)))
