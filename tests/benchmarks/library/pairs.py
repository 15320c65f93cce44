"""Measure which question-answer pairs `generate_questions` keeps, good ones and bad ones.

A scripted model on a local server writes pairs of one kind at a time about documents, and the real
client and all of the checks decide. Documents: the articles of XQuAD, each paragraph a section,
with its questions, answers and the sentences that have them; and the minimap2 paper, with pairs
written by hand. Bad pairs are made of these by rule, with a fixed seed.
"""

from __future__ import annotations

import json
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from citeguard import Policy, Source, Sources
from citeguard.datasets import negatives
from citeguard.documents import read_sources
from citeguard.language.sentences import sentence_pieces
from citeguard.library.pairs import QAReport, generate_questions, sections_of
from citeguard.library.relevance import RelevanceJudge
from llm_server import LLMServer
from pair_writer import PairWriter, pair

from ..data import rows as read
from ..tables import table

PAPER = Path(__file__).parents[3] / "docs" / "example" / "paper" / "minimap2.pdf"
WRITTEN = Path(__file__).with_name("minimap2_pairs.json")
SAMPLE = 300  # questions of XQuAD
SEED = 0

Json = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Gold:
    """A question of a section with its answer, and the sentence that has it."""

    question: str
    answer: str
    quote: str
    heading: str
    section: str


Kind = Callable[[Gold, Sequence[Gold], Random], Json | None]
"""What the model makes of a good pair, given all of them; `None` if it cannot be made."""


def main(data_folder: Path) -> int:
    """Measure, and write the tables to standard output."""
    for name, documents, golds in (_xquad(data_folder), _minimap2()):
        rows = [
            (title, *_measured(documents, golds, kind)) for title, kind in {**GOOD, **BAD}.items()
        ]
        columns = ["pairs", "made", "kept", "kept if relevant", "dropped as", "ms a pair"]
        for line in table(f"Pairs of {name}", columns, rows):
            sys.stdout.write(line + "\n")
    return 0


def _xquad(folder: Path) -> tuple[str, Sources, list[Gold]]:
    texts: defaultdict[str, list[str]] = defaultdict(list)
    golds: list[Gold] = []
    for row in read(folder / "xquad_en.jsonl.gz"):
        title, text = row["meta"]["title"], row["context"][0]["text"]
        if text not in texts[title]:
            texts[title].append(text)
        start = row["meta"]["answer_start"]
        [quote] = [text[low:high] for low, high in sentence_pieces(text) if low <= start < high]
        heading = f"{title} {texts[title].index(text) + 1}"
        facts: Json = {"question": row["question"], "answer": row["statement"], "quote": quote}
        golds.append(Gold(**facts, heading=heading, section=text))
    documents = [
        (
            f"{title}.md",
            "".join(f"## {title} {n}\n\n{text}\n\n" for n, text in enumerate(listed, start=1)),
        )
        for title, listed in texts.items()
    ]
    sources = read_sources((name, text.encode()) for name, text in documents)
    return "XQuAD", sources, Random(SEED).sample(golds, SAMPLE)


def _minimap2() -> tuple[str, Sources, list[Gold]]:
    sources = Sources.from_paths([PAPER])
    sections = {each.headings[-1]: each.text for each in sections_of(sources["minimap2"])}
    rows = json.loads(WRITTEN.read_text("utf-8"))
    golds = [Gold(**row, section=sections[row["heading"]]) for row in rows]
    return "the minimap2 paper", sources, golds


def _measured(
    documents: Sources, golds: Sequence[Gold], kind: Kind
) -> tuple[int, str, str, str, str]:
    made: defaultdict[str, list[Json]] = defaultdict(list)
    for gold in golds:
        draft = kind(gold, golds, Random(f"{SEED}{gold.question}"))
        if draft is not None:
            made[gold.heading].append(draft)
    count = sum(map(len, made.values()))
    began = time.perf_counter()
    plain = _report(documents, made, Policy.fast())
    seconds = time.perf_counter() - began
    relevant = _report(documents, made, Policy.fast(alignment=_relevance(documents)))
    codes = ", ".join(f"{code} {n}" for code, n in plain.codes.items())
    kept, relevant_kept = (_share(len(each.pairs), count) for each in (plain, relevant))
    return count, kept, relevant_kept, codes or "–", f"{1000 * seconds / max(1, count):.0f}"


def _relevance(documents: Sources) -> RelevanceJudge:
    return RelevanceJudge(documents, supported_from=0.1)


def _report(documents: Sources, made: dict[str, list[Json]], policy: Policy) -> QAReport:
    with LLMServer(PairWriter(made)) as server:
        report = generate_questions(documents, server.client(), model="scripted", policy=policy)
    if report.failures:
        raise RuntimeError(str(report))
    return report


def _share(count: int, of: int) -> str:
    return f"{count} ({count / max(1, of):.1%})"


# Good pairs.


def short(gold: Gold, _: Sequence[Gold], __: Random) -> Json:
    """The answer alone, with its sentence."""
    return pair(gold.question, gold.answer, gold.quote)


def sentence(gold: Gold, _: Sequence[Gold], __: Random) -> Json:
    """The sentence, with itself."""
    return pair(gold.question, gold.quote, gold.quote)


# Bad ones.


def altered_quote(gold: Gold, _: Sequence[Gold], __: Random) -> Json | None:
    """A fact in the quote is another one."""
    wrong = _wrong(gold, ["number", "date", "entity", "negation", "quantifier"], "quote")
    return None if wrong is None else pair(gold.question, gold.answer, wrong)


def wrong_value(gold: Gold, _: Sequence[Gold], __: Random) -> Json | None:
    """A number, date or unit in the answer is another one; the quote is right."""
    wrong = _wrong(gold, ["number", "date", "unit"], "statement")
    return None if wrong is None else pair(gold.question, wrong, gold.quote)


def contradicted(gold: Gold, _: Sequence[Gold], __: Random) -> Json | None:
    """The answer denies what the quote says, or says what it denies."""
    wrong = _wrong(gold, ["negation"], "statement")
    return None if wrong is None else pair(gold.question, wrong, gold.quote)


def wrong_name(gold: Gold, _: Sequence[Gold], __: Random) -> Json | None:
    """A name in the answer is another one."""
    wrong = _wrong(gold, ["entity", "role_swap"], "statement")
    return None if wrong is None else pair(gold.question, wrong, gold.quote)


def other_quote(gold: Gold, golds: Sequence[Gold], random: Random) -> Json | None:
    """The quote is of another question of the section, if there is one, else of another section."""
    others = [each for each in golds if gold.answer.casefold() not in each.quote.casefold()]
    near = [each for each in others if each.section == gold.section and each.quote != gold.quote]
    if not near:
        return None
    return pair(gold.question, gold.answer, random.choice(near).quote)


def other_section(gold: Gold, golds: Sequence[Gold], random: Random) -> Json:
    """The quote is right, but of another section."""
    other = random.choice([each for each in golds if each.section != gold.section])
    return pair(gold.question, other.answer, other.quote)


def other_answer(gold: Gold, golds: Sequence[Gold], random: Random) -> Json | None:
    """Answer and quote agree, but they are of another question of the section."""
    near = [
        each
        for each in golds
        if each.section == gold.section
        and each.quote != gold.quote
        and gold.answer.casefold() not in each.quote.casefold()
    ]
    if not near:
        return None
    other = random.choice(near)
    return pair(gold.question, other.answer, other.quote)


def told_in_question(gold: Gold, _: Sequence[Gold], __: Random) -> Json:
    """The question has the answer in it."""
    return pair(f"{gold.question.rstrip('?')}, {gold.answer}?", gold.answer, gold.quote)


def about_nothing(gold: Gold, _: Sequence[Gold], __: Random) -> Json:
    """The question names nothing."""
    return pair("What is said about this?", gold.answer, gold.quote)


GOOD: dict[str, Kind] = {"good: a short answer": short, "good: a whole sentence": sentence}
BAD: dict[str, Kind] = {
    "bad: altered quote": altered_quote,
    "bad: wrong value": wrong_value,
    "bad: wrong name": wrong_name,
    "bad: the contrary": contradicted,
    "bad: quote of another question": other_quote,
    "bad: quote of another section": other_section,
    "bad: answer to another question": other_answer,
    "bad: answer in the question": told_in_question,
    "bad: question about nothing": about_nothing,
}


def _wrong(gold: Gold, kinds: Sequence[Any], target: Any) -> str | None:
    source = Source("1", gold.section)
    made = negatives(gold.quote, source, source_id="1", kinds=kinds, seed=SEED, target=target)
    return made[0].text if made else None
