"""How a library replies to a model that quotes: the right sentence, or a verbatim irrelevant one.

XQuAD's articles that the weights of relevance were not fitted to: unseen ones, and those on which
the thresholds were chosen. Answerable: the model quotes the sentence that answers, and says it.
Unanswerable: the article of the question is not in the library, and the model quotes a sentence at
random of what it was shown, or the one that a search for the question finds first, and says it, or
answers in the question's own words. It never gives way.
"""

from __future__ import annotations

import json
import logging
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from citeguard import Library, LLMAnswerer, Sources
from citeguard.language.sentences import sentence_intervals
from citeguard.library.extraction import best_sentences
from llm_server import LLMServer
from llm_server import Reply as Sent

from .answerable_cases import Asked, Part, xquad

_QUESTIONS = 100
_EXTRACTED = 150
_READ = 4  # passages


def main(data: Path) -> int:
    """Write the tables to standard output."""
    logging.disable(logging.CRITICAL)
    for part in ("unseen", "report"):
        collected = xquad(data, part)
        questions = Random(5).sample(list(collected.questions), _QUESTIONS)
        _write(part, collected.sources, questions)
        _write_extracted(collected.sources, collected.questions)
    return 0


def _write(part: Part, sources: Sources, questions: list[Asked]) -> None:
    random = Random(5)
    table = {
        "answerable: the sentence that answers": [_gold(each) for each in questions],
        "unanswerable: a random sentence": [
            _wrong(sources, each, random, said="sentence") for each in questions
        ],
        "unanswerable: the sentence found first": [
            _wrong(sources, each, None, said="sentence") for each in questions
        ],
        "unanswerable: an invented answer, with the sentence found first": [
            _wrong(sources, each, None, said="invented") for each in questions
        ],
    }
    sys.stdout.write(
        f"\n| model says ({part} articles) | questions | answered | partly | undecided |"
        " cannot answer |\n"
    )
    sys.stdout.write("|---|--:|--:|--:|--:|--:|\n")
    for name, cases in table.items():
        counts = _outcomes(sources, questions, cases, without="un" in name[:2])
        numbers = (counts[each] for each in ("answered", "partly", "undecided", "cannot_answer"))
        cells = " | ".join(map(str, (name, len(cases), *numbers)))
        sys.stdout.write(f"| {cells} |\n")


def _write_extracted(sources: Sources, asked: Sequence[Asked]) -> None:
    """Write how often the sentences that are extracted without a model have the answer."""
    questions = Random(6).sample(list(asked), _EXTRACTED)
    rows: dict[str, tuple[int, int, int]] = {}
    for name, is_there in (("its article is there", True), ("its article is not", False)):
        answered = right = 0
        for each in questions:
            left = sources if is_there else _without_article(sources, each)
            found = best_sentences(each.question, left.search(each.question, k=_READ), left, most=2)
            answered += bool(found)
            right += any(each.answer in sentence.text for sentence in found)
        rows[name] = len(questions), answered, right
    sys.stdout.write("\n| without a model | questions | answered | has the answer |\n")
    sys.stdout.write("|---|--:|--:|--:|\n")
    for name, numbers in rows.items():
        sys.stdout.write(f"| {' | '.join(map(str, (name, *numbers)))} |\n")


def _gold(asked: Asked) -> dict[str, Any]:
    sentence = asked.gold[0]
    return _statement(sentence, sentence, asked.source_id)


def _wrong(sources: Sources, asked: Asked, random: Random | None, *, said: str) -> dict[str, Any]:
    left = _without_article(sources, asked)
    found = left.search(asked.question, k=4)
    sentences = [
        (passage.text[start:end], passage.span.source_id)
        for passage in found
        for start, end in sentence_intervals(passage.text)
        if len(passage.text[start:end]) > 20
    ]
    if not sentences:
        return _statement("Nothing.", "Nothing at all.", "1")
    sentence, source_id = sentences[0] if random is None else random.choice(sentences)
    words = asked.question.rstrip("?").split()
    invented = f"The answer to {' '.join(words[1:])} is {asked.answer}."
    return _statement(invented if said == "invented" else sentence, sentence, source_id)


def _statement(text: str, quote: str, source_id: str) -> dict[str, Any]:
    statement = {"text": text, "citations": [{"quote": quote, "source_id": source_id}]}
    return {"statements": [statement], "unanswerable": None}


def _without_article(sources: Sources, asked: Asked) -> Sources:
    article = sources[asked.source_id].title
    return Sources([each for each in sources if each.title != article])


def _outcomes(
    sources: Sources, questions: list[Asked], cases: list[dict[str, Any]], *, without: bool
) -> Counter[str]:
    outcomes: Counter[str] = Counter()
    by_question = {asked.question: case for asked, case in zip(questions, cases, strict=True)}

    def route(request: Any) -> Sent:
        data = "\n".join(request.texts)
        question = next(
            each for each in by_question if json.dumps(each, ensure_ascii=False) in data
        )
        return Sent(by_question[question])

    articles = {sources[asked.source_id].title for asked in questions}
    with LLMServer(route) as server, server.client() as client:
        answerer = LLMAnswerer(client, model="scripted", retries=1)
        for article in sorted(filter(None, articles)):
            kept = [each for each in sources if not (without and each.title == article)]
            with Library() as library:
                library.add(Sources(kept))
                for asked in questions:
                    if sources[asked.source_id].title == article:
                        reply = library.ask(asked.question, answerer=answerer)
                        outcomes[reply.outcome] += 1
    return outcomes
