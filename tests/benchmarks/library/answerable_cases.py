"""Questions with quotes that answer them, and with quotes that do not.

The documents are those of XQuAD (English), clapnq, the minimap2 paper and the passages of
`docs/example`. Articles are divided into three parts by a digest of their title: weights are fitted
to the first, thresholds are chosen and figures reported on the second, and the third is unseen.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, Literal

from citeguard import Source, Sources, Windows
from citeguard.facts.names import names as find_names
from citeguard.facts.reading import read as read_facts
from citeguard.facts.tables import lines
from citeguard.library.relevance import Quoted
from citeguard.retrieval.ranking import BM25Retriever

from .edits import edits

Part = Literal["fit", "report", "unseen"]
PARTS: tuple[Part, ...] = ("fit", "report", "unseen")
FOUND = 8  # passages that a search finds for a question
_DEPTH = 60
_POOL = 30  # questions of other articles whose words are put into one
_POOLED = frozenset(("name", "other word"))
_EDITS = _POOLED | {"number", "unit", "negation", "opposite", "question word", "exchanged names"}
_ROOT = Path(__file__).parents[3]
WRITTEN = _ROOT / "tests/library/data/answerable.json"
_SENTENCES = BM25Retriever(passages=Windows(size=1, overlap=0))


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A question, the documents, and what is quoted.

    Attributes:
        kind: The origin of the question and of the quote, such as "xquad, same article".
        question: The question.
        sources: The documents.
        hidden: The ids of those that are taken out, as they answer the question.
        source_id: The document that is quoted.
        quote: A sentence of it; empty if nothing was found to quote.
        statements: What an answer may say, by kind of statement.
        answers: Whether the sentence answers the question.
        found: The passages found for the question, best first, without hidden documents.
    """

    kind: str
    question: str
    sources: Sources
    source_id: str
    quote: str
    answers: bool
    hidden: frozenset[str] = frozenset()
    statements: tuple[tuple[str, str], ...] = ()
    gold: str = ""
    found: tuple[tuple[str, str], ...] = ()

    @property
    def quoted(self) -> Quoted:
        """The quote, and what is around it."""
        source = self.sources[self.source_id]
        start = source.text.find(self.quote)
        return Quoted.of(source, start, start + len(self.quote))

    @property
    def left(self) -> Sources:
        """The documents without those that are hidden."""
        return Sources([each for each in self.sources if each.id not in self.hidden])


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of a data set."""

    question: str
    source_id: str
    article: str
    gold: tuple[str, ...]  # sentences that answer it
    answer: str


class Collected:
    """The documents of a part of a data set, and their questions."""

    def __init__(self, name: str, sources: Sources, questions: Sequence[Asked]) -> None:
        self.name, self.sources, self.questions = name, sources, questions
        self.by_article: dict[str, frozenset[str]] = {
            article: frozenset(each.id for each in sources if each.title == article)
            for article in {each.title or "" for each in sources}
        }

    def cases(self, random: Random) -> Iterator[Case]:
        """Yield the cases of all questions."""
        for asked in self.questions:
            own = self.by_article[asked.article]
            for gold in asked.gold:
                yield self.case("answered", asked, asked.source_id, gold, answers=True)
            other = self.nearest(asked, own)
            yield self.case("other article", asked, *other, hidden=own)
            others = [each for each in self.sources if each.id not in own]
            source = random.choice(others)
            yield self.case(
                "random, other article",
                asked,
                source.id,
                random.choice(sentences(source)),
                hidden=own,
            )
            yield from self._same_article(asked, own, random)

    def _same_article(self, asked: Asked, own: frozenset[str], random: Random) -> Iterator[Case]:
        hidden = frozenset((asked.source_id,))
        beside = [each for each in self.sources if each.id in own - hidden]
        if beside:
            source = random.choice(beside)
            said = random.choice(sentences(source))
            yield self.case("random, same article", asked, source.id, said, hidden=hidden)
            outside = frozenset(self.sources.ids) - own
            near = self.nearest(asked, outside | hidden)
            yield self.case("same article", asked, *near, hidden=hidden)
        paragraph = self.sources[asked.source_id]
        rest = [each for each in sentences(paragraph) if each not in asked.gold]
        if rest:
            only = frozenset(self.sources.ids) - {asked.source_id}
            source_id, said = self.nearest(asked, only, without=asked.gold)
            yield self.case("beside the answer", asked, source_id, said)

    def nearest(
        self, asked: Asked, hidden: frozenset[str], without: Sequence[str] = ()
    ) -> tuple[str, str]:
        """Return the sentence that BM25 ranks first, without the answer, in what is not hidden."""
        left = [each.id for each in self.sources if each.id not in hidden]
        found = self.sources.search(asked.question, k=_DEPTH, retriever=_SENTENCES, source_ids=left)
        for passage in found:
            repeats = len(asked.answer) > 2 and asked.answer in passage.text
            if not repeats and not any(passage.text in each for each in without):
                return passage.span.source_id, passage.text
        return left[0], ""

    def case(
        self,
        kind: str,
        asked: Asked,
        source_id: str,
        quote: str,
        *,
        hidden: frozenset[str] = frozenset(),
        answers: bool = False,
    ) -> Case:
        """Return a case about a question."""
        statements = [("the sentence", quote)]
        if answers and asked.answer:
            statements.append(("the answer", asked.answer))
        left = [each.id for each in self.sources if each.id not in hidden]
        found = self.sources.search(asked.question, k=FOUND, source_ids=left)
        return Case(
            kind=f"{self.name}, {kind}",
            question=asked.question,
            sources=self.sources,
            source_id=source_id,
            quote=quote,
            answers=answers,
            hidden=hidden,
            statements=tuple(statements),
            gold=asked.answer,
            found=tuple((each.span.source_id, each.text) for each in found),
        )

    def near_misses(self, random: Random) -> Iterator[Case]:
        """Yield cases that nearly answer: the question or the sentence is another one of the text.

        The sentence that answers another question of the paragraph, and of the article; and the
        sentence that answers a question before that had one small edit, with names and words of the
        paragraph, of the article, or of other articles.
        """
        everything = [asked.question for asked in self.questions]
        for asked in self.questions:
            rest = [
                each
                for each in self.questions
                if each.article == asked.article
                and each.gold[0] != asked.gold[0]
                and not (asked.answer and asked.answer in each.gold[0])
            ]
            beside = [each for each in rest if each.source_id == asked.source_id]
            for kind, others in (("same paragraph", beside), ("same article", rest)):
                if others:
                    other = random.choice(others)
                    yield self.case(
                        f"answers another, {kind}", asked, other.source_id, other.gold[0]
                    )
            paragraph = [self.sources[asked.source_id].text]
            pools = {
                "paragraph": [*(each.question for each in beside), *paragraph],
                "article": [self.sources[each].text for each in self.by_article[asked.article]],
                "elsewhere": random.sample(everything, min(_POOL, len(everything))),
            }
            for pool, texts in pools.items():
                for edited in edits(asked.question, texts, random):
                    is_pooled = edited.kind in _POOLED
                    if edited.kind in _EDITS and (pool == "paragraph" or is_pooled):
                        kind = f"edited, {edited.kind}" + f" of {pool}" * is_pooled
                        other = replace(asked, question=edited.asked)
                        yield self.case(kind, other, asked.source_id, asked.gold[0])

    def swapped(self, random: Random) -> Iterator[Case]:
        """Yield cases whose questions name something else than the sentence quoted: to fit to.

        A name, a number or a word in the question becomes another name of the article, another
        number, or the opposite, so that the sentence does not answer any more.
        """
        names = {
            article: sorted({name for each in ids for name in _names(self.sources[each].text)})
            for article, ids in self.by_article.items()
        }
        for asked in self.questions:
            quote = asked.gold[0]
            given = (quote, asked.question, asked.article)
            others = [
                name for name in names[asked.article] if not any(name in text for text in given)
            ]
            questions = [*_other_numbers(asked.question, quote, random)]
            questions += _opposites(asked.question, quote)
            for name in _names(asked.question):
                if others and name in quote and name.lower() not in asked.article.lower():
                    questions.append(asked.question.replace(name, random.choice(others)))
            if questions:
                other = replace(asked, question=random.choice(questions))
                yield self.case("swapped", other, asked.source_id, quote)


def _names(text: str) -> list[str]:
    reading = read_facts(text)
    return [
        text[reading.words[each.first].start : reading.words[each.last].end]
        for each in find_names(reading).runs
    ]


def _other_numbers(question: str, quote: str, random: Random) -> Iterator[str]:
    for match in re.finditer(r"\b\d{2,4}\b", question):
        if match[0] in quote:
            other = str(int(match[0]) + random.choice([-13, -3, 2, 7, 11]))
            yield question[: match.start()] + other + question[match.end() :]


def _opposites(question: str, quote: str) -> Iterator[str]:
    for line in lines("opposites"):
        one, other = (side.split() for side in line.split(" / ")[:2])
        for words, opposite in ((one, other[0]), (other, one[0])):
            for word in words:
                pattern = rf"\b{re.escape(word)}\b"
                if re.search(pattern, question) and re.search(pattern, quote):
                    yield re.sub(pattern, opposite, question)


def sentences(source: Source) -> list[str]:
    """Return the sentences of a source that have a few words at least."""
    found: list[str] = []
    place = 0
    while place < len(source.text):
        start, end = source.prepared.sentences_at(place, place + 1)
        if len(said := source.text[start:end].strip()) > 20:
            found.append(said)
        place = max(end, place + 1)
    return found


def sentence_with(source: Source, place: int) -> str:
    """Return the sentence of a source around a place."""
    start, end = source.prepared.sentences_at(place, place + 1)
    return source.text[start:end]


def part_of(title: str, titles: Sequence[str]) -> Part:
    """Return the part that an article belongs to: of four, two are fitted to."""
    ordered = sorted(titles, key=lambda each: sha256(each.encode()).hexdigest())
    return PARTS[max(0, 4 * ordered.index(title) // len(ordered) - 1)]


def read(folder: Path, name: str) -> list[dict[str, Any]]:
    """Return the records of a data set."""
    with gzip.open(folder / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def xquad(folder: Path, part: Part) -> Collected:
    """Return the questions of a part of XQuAD; each paragraph is a document."""
    records = read(folder, "xquad_en")
    titles = list(dict.fromkeys(each["meta"]["title"] for each in records))
    records = [each for each in records if part_of(each["meta"]["title"], titles) == part]
    ids: dict[str, Source] = {}
    for each in records:
        text, title = each["context"][0]["text"], each["meta"]["title"].replace("_", " ")
        if text not in ids:
            ids[text] = Source(f"{title} {len(ids)}", text, title=title)
    questions: list[Asked] = []
    for each in records:
        source = ids[each["context"][0]["text"]]
        gold = sentence_with(source, each["meta"]["answer_start"])
        questions.append(
            Asked(each["question"], source.id, source.title or "", (gold,), each["statement"])
        )
    return Collected("xquad", Sources(list(ids.values())), questions)


def clapnq(folder: Path, part: Part) -> Collected:
    """Return the questions of a part of clapnq; each passage is a document."""
    records = read(folder, "clapnq")
    titles = list(dict.fromkeys(each["meta"]["title"] for each in records))
    records = [each for each in records if part_of(each["meta"]["title"], titles) == part]
    ids: dict[str, Source] = {}
    for each in records:
        text = each["context"][0]["text"]
        if text not in ids:
            title = each["meta"]["title"]
            ids[text] = Source(f"{title} {len(ids)}", text, title=title)
    asked: dict[str, Asked] = {}
    for each in records:
        source = ids[each["context"][0]["text"]]
        gold = [said for said in each["meta"]["evidence"] if said in source.text]
        if gold and each["question"] not in asked:
            asked[each["question"]] = Asked(
                each["question"], source.id, source.title or "", tuple(gold), ""
            )
    return Collected("clapnq", Sources(list(ids.values())), list(asked.values()))


def written(folder: Path) -> Iterator[Case]:
    """Yield the questions written by hand, whose kind is what they exchange, if anything.

    Args:
        folder: The folder with XQuAD, whose articles some of the questions are about.
    """
    questions = json.loads(WRITTEN.read_text("utf-8"))
    records = read(folder, "xquad_en")
    documents: dict[str, Sources] = {}
    for answers, rows in ((False, questions["unanswerable"]), (True, questions["answerable"])):
        for row in rows:
            name = row["document"]
            if name not in documents:
                documents[name] = _document(name, records)
            sources, said = documents[name], row["gold" if answers else "nearest"]
            source = next(each for each in sources if said in each.text)
            found = sources.search(row["question"], k=FOUND)
            yield Case(
                kind="answered" if answers else row["exchanged"],
                question=row["question"],
                sources=sources,
                source_id=source.id,
                quote=sentence_with(source, source.text.index(said) + len(said) // 2).strip(),
                answers=answers,
                found=tuple((each.span.source_id, each.text) for each in found),
            )


def _document(name: str, records: Sequence[dict[str, Any]]) -> Sources:
    """Return a document of `docs/example`, or the paragraphs of an article of XQuAD."""
    examples = _ROOT / "docs" / "example"
    paths = [examples / "paper" / f"{name}.pdf", examples / f"{name}.txt"]
    if existing := [path for path in paths if path.exists()]:
        return Sources.from_paths(existing)
    own = (each for each in records if each["meta"]["title"] == name)
    texts = dict.fromkeys(each["context"][0]["text"] for each in own)
    title = name.replace("_", " ")
    return Sources([Source(f"{title} {n}", text, title=title) for n, text in enumerate(texts)])
