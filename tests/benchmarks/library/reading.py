"""How often what is read has the answer: passages alone, and with stored questions.

XQuAD's articles, each a document whose paragraphs are sections. The first question of each
paragraph is stored with its answer; the others are asked. An answerer that only looks notes whether
what it is given to read contains the answer. clapnq has one question a passage, so that nothing can
be stored there.
"""

from __future__ import annotations

import gzip
import json
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from citeguard.language.sentences import sentences_around
from citeguard.library.answering import Asked, NoAnswerError, Tell
from citeguard.library.catalogue import StoredQuestion
from citeguard.library.library import Library
from citeguard.retrieval import SectionPassages
from citeguard.validation.models import Answer


class _Case(NamedTuple):
    question: str
    answer: str
    sentence: str
    source_id: str
    heading: str


class _Looking:
    """An answerer that answers nothing, and keeps what it was given."""

    def __init__(self) -> None:
        self.asked: Asked | None = None

    async def answer(self, asked: Asked, tell: Tell | None = None, /) -> Answer:
        self.asked = asked
        raise NoAnswerError("")


def main(data: Path) -> int:
    """Write the tables to standard output."""
    articles = _articles(data / "xquad_en.jsonl.gz")
    sys.stdout.write(
        "| read | questions | has the answer | by stored answer | from sections |" + "\n"
    )
    sys.stdout.write("|---|---|---|---|---|" + "\n")
    for stored in (False, True):
        with tempfile.TemporaryDirectory() as folder, _library(articles, Path(folder)) as library:
            cases = list(_cases(articles))
            if stored:
                library.add_questions(_stored(each) for each in _firsts(cases))
            asked = [each for each in cases if each not in set(_firsts(cases))]
            found, answers, sections = _measured(library, asked)
        name = "with stored questions" if stored else "passages"
        shares = " | ".join(f"{share / len(asked):.3f}" for share in (found, answers, sections))
        sys.stdout.write(f"| {name} | {len(asked)} | {shares} |" + "\n")
    return 0


def _articles(path: Path) -> dict[str, dict[str, list[dict[str, Any]]]]:
    """Return the questions of each paragraph of each article, by title and text."""
    found: dict[str, dict[str, list[dict[str, Any]]]] = defaultdict(lambda: defaultdict(list))
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for sample in map(json.loads, lines):
            found[sample["meta"]["title"]][sample["context"][0]["text"]].append(sample)
    return found


def _library(articles: Any, folder: Path) -> Library:
    for number, paragraphs in enumerate(articles.values()):
        written = (f"## Part {at}\n\n{text}" for at, text in enumerate(paragraphs))
        (folder / f"article-{number}.md").write_text("\n\n".join(written), "utf-8")
    library = Library(folder / "library.db", passages=SectionPassages())
    library.add(folder)
    return library


def _cases(articles: Any) -> Iterator[_Case]:
    for number, paragraphs in enumerate(articles.values()):
        for at, (text, samples) in enumerate(paragraphs.items()):
            for sample in samples:
                start, answer = sample["meta"]["answer_start"], sample["quote"]
                low, high = sentences_around(text, start, start + len(answer), len(text)) or (0, 0)
                place = f"article-{number}", f"Part {at}"
                yield _Case(sample["question"], answer, text[low:high], *place)


def _firsts(cases: Sequence[_Case]) -> list[_Case]:
    return list({(each.source_id, each.heading): each for each in reversed(cases)}.values())


def _stored(case: _Case) -> StoredQuestion:
    citation = {"quote": case.sentence, "source_id": case.source_id}
    answer = {"statements": [{"text": case.sentence, "citations": [citation]}]}
    return StoredQuestion(
        question=case.question, answer=answer, source_id=case.source_id, headings=(case.heading,)
    )


def _measured(library: Library, cases: Sequence[_Case]) -> tuple[int, int, int]:
    """Return how many questions read their answer, get a stored one, and read a section."""
    found = answers = sections = 0
    for case in cases:
        looking = _Looking()
        reply = library.ask(case.question, answerer=looking)
        answers += reply.asked_from == "answer"
        sections += reply.asked_from == "section"
        texts = [] if looking.asked is None else [each.text for each in looking.asked.passages]
        texts += [each.quote for each in reply.references]
        found += any(case.answer in text for text in texts)
    return found, answers, sections
