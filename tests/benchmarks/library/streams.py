"""Answers that come in random pieces, with marks in them that nobody has verified.

A model writes three sentences of a paragraph, each with the sentence as its quote, and marks of its
own; the reply is streamed over HTTP, cut anywhere. Whatever is told before the statements are
verified must be the beginning of what they say without marks, and every answer must end in the
reply whose references are these sentences.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import psutil

from citeguard import Library, Policy, ReaderJudge
from citeguard.language.sentences import sentence_intervals
from citeguard.library import LLMAnswerer
from citeguard.library.asking import ReplyEnded, StatementChecked, TextWritten
from llm_server import LLMServer
from llm_server import Reply as Sent

from .material import paragraphs

_TEXTS = 100
_SENTENCES = 3  # of a text, that the model says
_MARKS = (
    *("[1]", "[12]", "[1][2]", "[1, 2]", "[2-4]", "[^3]", "【4:0†source】", "【12†L3-L9】"),
    *("\ue200cite\ue202turn0search1\ue201", "<co>", "</co: 0,1>"),
)
_LONGEST_PIECE = 40  # characters


def main(data: Path, *, streams: int) -> int:
    """Write what it took and what went wrong to standard output."""
    logging.disable(logging.CRITICAL)
    with LLMServer() as server:
        faults = asyncio.run(_streamed(server, data, streams // _TEXTS))
    sys.stdout.write(f"faults: {sum(faults.values())} {dict(faults) or ''}\n")
    return 1 if faults else 0


async def _streamed(server: LLMServer, data: Path, each: int) -> Counter[str]:
    """Stream answers from every text, and return the faults by their kind."""
    random, faults = Random(11), Counter[str]()
    process, start = psutil.Process(), time.perf_counter()
    async with server.async_client() as client:
        # Whether sentences answer a question is measured elsewhere.
        policy = Policy(support=[ReaderJudge()], invalid="salvage", undecided="pass")
        answerer = LLMAnswerer(client, model="scripted", retries=0, policy=policy)
        for at, (text, sentences) in enumerate(_texts(data, random), 1):
            with Library() as library:
                library.add({"document": text})
                for _ in range(each):
                    server.push(_sent(sentences, random))
                    question = " ".join(sentences)
                    events = library.astream(question, answerer=answerer)
                    faults.update(_faults([event async for event in events], sentences))
            server.requests.clear()  # in the memory of this process
            if at % (_TEXTS // 10) == 0:
                seconds, memory = time.perf_counter() - start, process.memory_info().rss / 1e6
                sys.stdout.write(f"{at * each} streams: {seconds:.0f} s, {memory:.0f} MB\n")
                sys.stdout.flush()
    return faults


def _texts(data: Path, random: Random) -> Iterator[tuple[str, list[str]]]:
    """Yield texts, each with some of its sentences, which are in it once."""
    texts = paragraphs(data)
    random.shuffle(texts)
    yield from islice(_long_enough(texts, random), _TEXTS)


def _long_enough(texts: Iterable[str], random: Random) -> Iterator[tuple[str, list[str]]]:
    for text in texts:
        sentences = [text[start:end] for start, end in sentence_intervals(text)]
        plain = [
            each
            for each in sentences
            if len(each.split()) > 4 and text.count(each) == 1 and not {*"[]【】()<>†"} & {*each}
        ]
        if len(plain) >= _SENTENCES:
            yield text, random.sample(plain, _SENTENCES)


def _sent(sentences: list[str], random: Random) -> Sent:
    statements = [
        {
            "text": _marked(each, random),
            "citations": [{"quote": each, "source_id": "document"}],
        }
        for each in sentences
    ]
    sizes = tuple(random.randint(1, random.randint(1, _LONGEST_PIECE)) for _ in range(50))
    return Sent({"statements": statements, "unanswerable": None}, chunk_size=sizes)


def _marked(sentence: str, random: Random) -> str:
    """Return a sentence with marks after some of its words."""
    words = sentence.split(" ")
    for at in random.sample(range(len(words)), random.randint(0, 3)):
        words[at] += random.choice(("", " ")) + random.choice(_MARKS)
    return " ".join(words)


def _faults(events: list[Any], sentences: list[str]) -> Iterator[str]:
    told = [event for event in events if isinstance(event, TextWritten)]
    plain = _squeezed(" ".join(sentences))
    if len(told) < 2:
        yield "nothing was told on the way"
    if not all(plain.startswith(_squeezed(event.text)) for event in told):
        yield "a mark, or half of one, was told"
    reply = events[-1].reply if isinstance(events[-1], ReplyEnded) else None
    if reply is None or reply.outcome != "answered":
        yield f"outcome {None if reply is None else reply.outcome}"
        return
    if [each.quote for each in reply.references] != sentences:
        yield "other references"
    expected = " ".join(f"{each} [{number}]" for number, each in enumerate(sentences, 1))
    if _squeezed(reply.text) != _squeezed(expected):
        yield "another text"
    checked = [event for event in events if isinstance(event, StatementChecked)]
    if [each.statement for each in checked] != list(reply.statements):
        yield "other statements than those of the reply"


def _squeezed(text: str) -> str:
    """Return a text without blanks, of which a mark takes some with it."""
    return "".join(text.split())
