"""The texts of papers as web pages, amid what stands on pages that exist."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from random import Random

from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup, escape

from .papers import Paper, Sentence

_TEMPLATES = Path(__file__).parent / "templates"
_NOTE_MARKS = {
    "blog": '<sup id="fnref{0}"><a href="#fn{0}" rel="footnote">{0}</a></sup>',
    "documentation": '<a class="footnote-reference brackets" href="#f{0}" role="doc-noteref">'
    '<span class="fn-bracket">[</span>{0}<span class="fn-bracket">]</span></a>',
    "encyclopedia": '<sup id="cite_ref-{0}" class="reference"><a href="#cite_note-{0}">'
    '<span class="cite-bracket">&#91;</span>{0}<span class="cite-bracket">&#93;</span></a></sup>',
    "journal": '<sup><a href="#ref-CR{0}" aria-label="Reference {0}">{0}</a></sup>',
    "tables": '<A HREF="#n{0}"><SUP>{0}</SUP></A>',
}
_NO_MARK = ""  # in the news and in magazines
_MARKED_UP = 0.35  # of the sentences
_MARKUP = (
    '<a href="/wiki/It" title="It">{}</a>',
    "<a href='https://example.org/a?b=1&amp;c=2' target=_blank rel=noopener>{}</a>",
    "<em>{}</em>",
    "<i>{}</i>",
    "<strong>{}</strong>",
    '<span class="highlighted">{}</span>',
    '<abbr title="explained">{}</abbr>',
    "<q>{}</q>",
)
_ENTITIES = {"’": "&rsquo;", "“": "&ldquo;", "”": "&#8221;", "—": "&mdash;", "–": "&#x2013;"}


@dataclass(frozen=True, slots=True)
class WebPage:
    """A web page of a paper.

    Attributes:
        paper: What its main text is.
        template: What kind of page it is.
        path: The file.
        furniture: What else it says, that is not of the text.
    """

    paper: Paper
    template: str
    path: Path
    furniture: tuple[str, ...]


def web_pages(papers: list[Paper], folder: Path) -> list[WebPage]:
    """Write each paper as a page, of all kinds by turns."""
    environment = Environment(loader=FileSystemLoader(_TEMPLATES), autoescape=True)
    names = sorted(Path(name).stem for name in environment.list_templates())
    return [
        _web_page(paper, name, environment, folder)
        for paper, name in zip(papers, cycle(names), strict=False)
    ]


def _web_page(paper: Paper, name: str, environment: Environment, folder: Path) -> WebPage:
    told: dict[str, None] = {}

    def furniture(words: str) -> str:
        told[words] = None
        return words

    def text(sentence: Sentence) -> Markup:
        return _marked_up(sentence, name, paper)

    html = environment.get_template(f"{name}.html").render(
        paper=paper, furniture=furniture, text=text, dropped=_dropped, plain=_plain
    )
    path = folder / f"{name}-{paper.name}.html"
    path.write_text(html, "utf-8")
    return WebPage(paper, name, path, tuple(told))


def _plain(note: Sentence) -> str:
    return note.text


def _marked_up(sentence: Sentence, template: str, paper: Paper) -> Markup:
    """Return a sentence with links, emphasis, character references and its note's mark."""
    random = Random(sentence.text)
    words = [_referenced(word, random) for word in sentence.text.split(" ")]
    if len(words) > 4 and random.random() < _MARKED_UP:
        first = random.randrange(1, len(words) - 2)
        last = random.randint(first, first + 1)
        markup = random.choice(_MARKUP)
        words[first : last + 1] = [markup.format(" ".join(words[first : last + 1]))]
    if sentence.note is not None:
        place = min(sentence.noted, len(words)) - 1
        number = paper.note_numbers[sentence.note]
        words[place] += _NOTE_MARKS.get(template, _NO_MARK).format(number)
    return Markup("".join(_joined(words, random)))


def _joined(words: list[str], random: Random) -> list[str]:
    """Put blanks between words: now and then a line break, or one at which no line breaks."""
    blanks = random.choices((" ", "\n", "&nbsp;", "\n    "), (90, 6, 2, 2), k=len(words) - 1)
    return [part for pair in zip(words, [*blanks, ""], strict=True) for part in pair]


def _referenced(word: str, random: Random) -> str:
    written = str(escape(word))
    if random.random() < 0.5:
        for letter, entity in _ENTITIES.items():
            written = written.replace(letter, entity)
    return written


def _dropped(sentence: Sentence) -> Markup:
    """Return a sentence whose first letter is a large one that hangs in the lines below."""
    first, rest = sentence.text[0], sentence.text[1:]
    return Markup('<span class="dropcap">{}</span>{}').format(first, rest)
