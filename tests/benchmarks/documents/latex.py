"""Papers set by pdfLaTeX, which tells where each sentence went."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from .papers import Paper, Section, Sentence
from .printed import FIRST, LAST, STYLES, Maker, Place, Places, Style, mark

_POINTS = 65_781.76  # scaled points in a PDF point
_PROGRAM = "pdflatex"
_STYLES = (
    Style("journal", 2),
    Style("draft", 1),
    Style("classic", 2),
    Style("thesis", 1),
    Style("proceedings", 2),
    Style("book", 1),
)

# As a page is shipped out, `\at` writes its number and the place on it.
_TELLING = r"""
\newcount\sheet
\AddToHook{shipout/before}{\global\advance\sheet by 1 }
\newwrite\places
\immediate\openout\places=places.txt
\def\at#1{\leavevmode\pdfsavepos
  \write\places{#1 \the\sheet\space\the\pdflastxpos\space\the\pdflastypos}}
\providecommand\floats{}
"""
_SPECIAL = re.compile(r"[&%$#_{}]")
_ORDINAL = re.compile(r"(?<=\d)(?:st|nd|rd|th)\b")  # raised, as word processors do, too
_OPENING = re.compile(r'(?:(?<=[\s(\[—–-])|^)"')


def _written(paper: Paper, style: Style, path: Path) -> Places:
    with TemporaryDirectory() as folder:
        source = Path(folder) / "paper.tex"
        source.write_text("\n".join(_lines(paper, style)), "utf-8")
        for _ in range(2):  # the second time with the heads of the first
            subprocess.run(
                [_PROGRAM, "-interaction=nonstopmode", source.name],
                cwd=folder,
                capture_output=True,
                check=False,  # it also fails on a letter that a font lacks
            )
        shutil.copyfile(source.with_suffix(".pdf"), path)
        told = (Path(folder) / "places.txt").read_text("utf-8")
    return dict(_place(*line.split()) for line in told.splitlines())


def _place(name: str, sheet: str, x: str, y: str) -> tuple[str, Place]:
    return name, Place(int(sheet), int(x) / _POINTS, int(y) / _POINTS)


def _lines(paper: Paper, style: Style) -> Iterator[str]:
    title = _escaped(paper.title)
    yield (STYLES / f"{style.name}.tex").read_text("utf-8") + _TELLING
    yield rf"\def\papertitle{{{title}}}\title{{{title}}}"
    yield r"\author{A. Miller \and B. Sato}\date{3 May 2021}\begin{document}\maketitle"
    for number, section in enumerate(paper.sections):
        yield from _section(section)
        if number % 2:
            yield r"\floats"
    yield r"\end{document}"


def _section(section: Section) -> Iterator[str]:
    yield rf"\section{{{_escaped(section.heading)}}}"
    for paragraph in section.paragraphs:
        yield "\n".join(map(_sentence, paragraph)) + "\n"


def _sentence(sentence: Sentence) -> str:
    words = list(map(_escaped, _quoted(sentence.text).split(" ")))
    if sentence.note is not None:
        words[sentence.noted - 1] += rf"\footnote{{{_sentence(sentence.note)}}}"
    words[0] = rf"\at{{{mark(sentence, FIRST)}}}" + words[0]
    words[-1] = rf"\at{{{mark(sentence, LAST)}}}" + words[-1]
    return " ".join(words)


def _quoted(text: str) -> str:
    """Set straight quotation marks as a writer of LaTeX does."""
    return _OPENING.sub("``", text).replace('"', "''")


def _escaped(text: str) -> str:
    return _ORDINAL.sub(r"\\textsuperscript{\g<0>}", _SPECIAL.sub(r"\\\g<0>", text))


LATEX = Maker("latex", None if shutil.which(_PROGRAM) else _PROGRAM, _STYLES, _written)
