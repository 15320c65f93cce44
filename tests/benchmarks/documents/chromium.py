"""Papers printed by Chromium, from HTML with style sheets for print."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory

from .papers import Paper, Section, Sentence, hyphenated
from .printed import FIRST, LAST, STYLES, Maker, Place, Places, Style, mark

_PROGRAM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
_DESTINATIONS = "pdfinfo"
_FLAGS = "--headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run".split()
_PATIENCE = 60  # seconds
_DESTINATION = re.compile(r'^\s*(\d+) \[ XYZ\s+(\S+)\s+(\S+)\s+\S+\s*\] "(\d+\.(?:first|last))"$')

_STYLES = (
    Style("journal", 2),
    Style("webpage", 1),
    Style("newspaper", 3),
    Style("brochure", 1),
    Style("magazine", 2),
    Style("paperback", 1),
)
# Points from the left and from above; Chromium leaves them out where it says where links lead.
_MARGINS = {
    "journal": (56.7, 56.7),
    "webpage": (28.8, 28.8),
    "newspaper": (34.0, 51.0),
    "brochure": (56.7, 70.9),
    "magazine": (42.5, 62.4),
    "paperback": (39.7, 51.0),
}
_UNHYPHENATED = {"webpage", "brochure"}
_BROWSERS_HEADS = {"webpage"}
_TABLE_HEADS = {"brochure"}
_EXTRAS = {"brochure": "pulled", "magazine": "figure"}


def _written(paper: Paper, style: Style, path: Path) -> Places:
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        page, pointed = Path(folder) / "paper.html", Path(folder) / "pointed.pdf"
        body = "".join(_body(paper, style))
        if style.name in _TABLE_HEADS:
            body = _under_heads(paper.title, body)
        _print(_page(paper, style, body), page, path, style)
        # Links make Chromium tell where they lead; they take no room, so nothing moves.
        _print(_page(paper, style, body + _links(paper)), page, pointed, style)
        return _destinations(pointed, *_MARGINS[style.name])


def _print(html: str, page: Path, path: Path, style: Style) -> None:
    page.write_text(html, "utf-8")
    heads = [] if style.name in _BROWSERS_HEADS else ["--no-pdf-header-footer"]
    profile = f"--user-data-dir={page.parent / 'profile'}"
    command = [str(_PROGRAM), *_FLAGS, profile, *heads, f"--print-to-pdf={path}", page.as_uri()]
    subprocess.run(command, check=True, capture_output=True, timeout=_PATIENCE)


def _destinations(pdf: Path, right: float, down: float) -> Places:
    told = subprocess.run(
        [_DESTINATIONS, "-dests", pdf], check=True, capture_output=True, encoding="utf-8"
    ).stdout
    found = filter(None, map(_DESTINATION.match, told.splitlines()))
    return {
        each[4]: Place(int(each[1]), float(each[2]) + right, float(each[3]) - down)
        for each in found
    }


def _page(paper: Paper, style: Style, body: str) -> str:
    sheets = ((STYLES / f"{name}.css").read_text("utf-8") for name in ("every", style.name))
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        f"<title>{escape(paper.title)}</title><style>{''.join(sheets)}</style></head>"
        f"<body>{body}</body></html>"
    )


def _links(paper: Paper) -> str:
    every = [*paper.sentences, *paper.notes]
    names = (mark(sentence, end) for sentence in every for end in (FIRST, LAST))
    links = " ".join(f'<a href="#{name}">x</a>' for name in names)
    return f'<div style="position: absolute; top: 0; font-size: 1px">{links}</div>'


def _body(paper: Paper, style: Style) -> Iterator[str]:
    yield f"<main><h1>{escape(paper.title)}</h1>"
    for section in paper.sections:
        yield from _section(section, paper, style)
    yield "<hr>"
    for note in paper.notes:
        yield f'<p class="note">{paper.note_numbers[note]}. {_sentence(note, paper, style)}</p>'
    yield "</main>"


def _under_heads(title: str, body: str) -> str:
    """Put a page into a table, whose head and foot are printed on every sheet."""
    return (
        f'<table><thead><tr><td class="head">{escape(title)}</td></tr></thead>'
        f"<tbody><tr><td>{body}</td></tr></tbody>"
        '<tfoot><tr><td class="foot">Example House, 12 Hill Road. All rights reserved.</td></tr>'
        "</tfoot></table>"
    )


def _section(section: Section, paper: Paper, style: Style) -> Iterator[str]:
    yield f"<h2>{escape(section.heading)}</h2>"
    yield from _extra(section, style)
    for paragraph in section.paragraphs:
        yield f"<p>{' '.join(_sentence(each, paper, style) for each in paragraph)}</p>"


def _extra(section: Section, style: Style) -> Iterator[str]:
    """Yield what stands beside the text of a section in some styles."""
    match _EXTRAS.get(style.name):
        case "pulled":
            yield '<aside class="pulled">“Nobody had told us what the others would do.”</aside>'
        case "figure":
            caption = f"Fig. {len(section.paragraphs)}. A view of the hall, taken from the gallery."
            yield f'<figure><div class="plate"></div><figcaption>{caption}</figcaption></figure>'
        case _:
            return


def _sentence(sentence: Sentence, paper: Paper, style: Style) -> str:
    words = [_set(word, style) for word in sentence.text.split(" ")]
    # Its first letter, as a word may be parted by the end of a column.
    words[0] = f'<span id="{mark(sentence, FIRST)}">{words[0][0]}</span>{words[0][1:]}'
    words[-1] = f'<span id="{mark(sentence, LAST)}">{words[-1]}</span>'
    if sentence.note is not None:
        words[sentence.noted - 1] += f"<sup>{paper.note_numbers[sentence.note]}</sup>"
    return " ".join(words)


def _set(word: str, style: Style) -> str:
    return escape(word if style.name in _UNHYPHENATED else hyphenated(word), quote=False)


def _missing() -> str | None:
    if _PROGRAM is None:
        return "chromium"
    return None if shutil.which(_DESTINATIONS) else _DESTINATIONS


CHROMIUM = Maker("chromium", _missing(), _STYLES, _written)
