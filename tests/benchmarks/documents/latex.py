"""Papers set by pdfLaTeX, which tells where each sentence went."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from .papers import Paper, Section, Sentence
from .printed import FIRST, LAST, Maker, Place, Places, Style, mark

_POINTS = 65_781.76  # scaled points in a PDF point
_PROGRAM = "pdflatex"

# As a page is shipped out, `\at` writes its number and the place on it.
_TELLING = r"""
\newcount\sheet \AddToHook{shipout/before}{\global\advance\sheet by 1 }
\newwrite\places \immediate\openout\places=places.txt
\def\at#1{\leavevmode\pdfsavepos\write\places{#1 \the\sheet\space\the\pdflastxpos\space\the\pdflastypos}}
"""
_MODERN = r"\usepackage[T1]{fontenc}\usepackage{lmodern}\usepackage{microtype}"
_HEADS = r"\usepackage{fancyhdr}\pagestyle{fancy}\fancyhf{}"
_STYLES = (
    Style(
        "journal",
        2,
        r"\documentclass[10pt,a4paper,twocolumn,twoside]{article}"
        + _MODERN
        + r"\usepackage[margin=2cm]{geometry}"
        + _HEADS
        + r"\fancyhead[LE]{\thepage}\fancyhead[RE]{\itshape A.~Miller and B.~Sato}"
        r"\fancyhead[LO]{\itshape\papertitle}\fancyhead[RO]{\thepage}"
        r"\fancyfoot[C]{\footnotesize \copyright\ 2021 The Authors. All rights reserved.}",
    ),
    Style(
        "draft",
        1,
        r"\documentclass[11pt,a4paper]{article}"
        + _MODERN
        + _HEADS
        + r"\fancyhead[L]{\nouppercase{\leftmark}}\fancyhead[R]{3 May 2021}\fancyfoot[C]{\thepage}",
    ),
    Style(
        "classic",
        2,
        r"\documentclass[10pt,twocolumn,twoside]{article}\usepackage{textcomp}\pagestyle{headings}",
    ),
    Style(
        "thesis",
        1,
        r"\documentclass[12pt,twoside]{article}\usepackage[T1]{fontenc}\usepackage{mathptmx}"
        r"\linespread{1.3}"
        + _HEADS
        + r"\fancyhead[LE,RO]{\thepage}\fancyhead[RE]{\slshape\nouppercase{\rightmark}}"
        r"\fancyhead[LO]{\slshape\nouppercase{\leftmark}}\setcounter{secnumdepth}{0}",
    ),
    Style(
        "proceedings",
        2,
        r"\documentclass[10pt,letterpaper,twocolumn]{article}\usepackage[T1]{fontenc}"
        r"\usepackage{times}\usepackage{microtype}\usepackage{booktabs}"
        r"\usepackage[margin=1in,top=0.9in]{geometry}"
        + _HEADS
        + r"\renewcommand\headrulewidth{0pt}\setcounter{page}{4171}\fancyfoot[C]{\thepage}"
        r"\fancypagestyle{plain}{\fancyhf{}\fancyfoot[C]{\footnotesize\thepage\\"
        r"\emph{Proceedings of the 14th Conference on Collected Texts}, pages 4171--4186}}"
        r"\def\floats{}",
    ),
    Style(
        "book",
        1,
        r"\documentclass[10pt,a5paper,twoside]{article}\usepackage[T1]{fontenc}"
        r"\usepackage{mathpazo}\usepackage{microtype}\usepackage[margin=1.8cm]{geometry}"
        + _HEADS
        + r"\fancyhead[CE]{\scshape\papertitle}\fancyhead[CO]{\nouppercase{\leftmark}}"
        r"\fancyhead[LE,RO]{\thepage}\renewcommand\thefootnote{\fnsymbol{footnote}}"
        r"\counterwithin*{footnote}{section}",
    ),
)

_FLOATS = r"""
\begin{table}[t]\centering\begin{tabular}{lrr}\toprule Group & Before & After \\ \midrule
Control & 12.4 & 12.9 \\ Treated & 11.8 & 17.3 \\ Followed up & 9.6 & 14.0 \\ \bottomrule
\end{tabular}\caption{Means of the three groups, before and after the change.}\end{table}
\begin{figure}[t]\centering\rule{0.8\linewidth}{3cm}
\caption{How the shares moved over the years, as a dark rectangle.}\end{figure}
"""
_SPECIAL = re.compile(r"[&%$#_{}]")
_OPENING = re.compile(r'(?:(?<=[\s(\[—–-])|^)"')


def _written(paper: Paper, style: Style, path: Path) -> Places:
    with TemporaryDirectory() as folder:
        source = Path(folder) / "paper.tex"
        source.write_text("\n".join(_lines(paper, style)), "utf-8")
        for _ in range(2):  # the second time with the heads of the first
            subprocess.run(
                [_PROGRAM, "-interaction=nonstopmode", source.name],
                cwd=folder,
                stdout=subprocess.DEVNULL,
                check=False,  # it also fails on a letter that a font lacks
            )
        shutil.copyfile(source.with_suffix(".pdf"), path)
        told = (Path(folder) / "places.txt").read_text("utf-8")
    return dict(_place(*line.split()) for line in told.splitlines())


def _place(name: str, sheet: str, x: str, y: str) -> tuple[str, Place]:
    return name, Place(int(sheet), int(x) / _POINTS, int(y) / _POINTS)


def _lines(paper: Paper, style: Style) -> Iterator[str]:
    title = _escaped(paper.title)
    yield style.setting + _TELLING + rf"\def\papertitle{{{title}}}"
    yield rf"\title{{{title}}}\author{{A. Miller \and B. Sato}}\date{{3 May 2021}}\begin{{document}}\maketitle"
    for number, section in enumerate(paper.sections):
        yield from _section(section)
        if number % 2 == 1 and r"\floats" in style.setting:
            yield _FLOATS
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
    return _SPECIAL.sub(r"\\\g<0>", text)


LATEX = Maker("latex", None if shutil.which(_PROGRAM) else _PROGRAM, _STYLES, _written)
