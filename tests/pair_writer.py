"""A scripted language model that writes questions about the sections of a document."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from llm_server import Reply, Request

Json = dict[str, Any]

GUIDE = """\
# Visitor guide

Riverside Works, Site Office, 12 Mill Lane, Ashford. Written by Anna Lee and Tom Grant.

## Abstract

Visitors of the plant need a badge and pay a daily fee. The guide says how both are handled.

## 1 Entry

Visitors wear a badge at all times. The badge is issued at the north gate. Children under twelve \
years must not enter the furnace hall.

## 2 Fees

Visitors pay 5 euros a day at the north gate. Groups of more than ten people pay 40 euros. \
Lunch costs 7 euros and is served from noon.

## 3 Safety

The alarm is tested on the first Monday of each month. In case of fire everyone leaves by the \
south stairs. The lifts stop at once.

## Conclusion

A badge costs nothing, while the daily fee pays for the guided tour through the plant.

## Acknowledgements

We thank the fire brigade of Ashford for its advice on the safety of all visitors.

## References

- Lee, A. (2019). Safety of visitors in steel plants. Journal of Plants 4, 12-19.
- Grant, T. (2021). Badges and gates. Site Press, Ashford.
"""
"""A document with sections of every kind, in Markdown."""


def pair(question: str, answer: str, *quotes: str) -> Json:
    """Return a question as the model writes it; without quotes, the answer is one."""
    return {"question": question, "answer": answer, "quotes": list(quotes or (answer,))}


def statement(text: str, *quotes: str) -> Json:
    return {"text": text, "citations": [{"quote": quote} for quote in quotes or (text,)]}


def answer(*statements: Json) -> Json:
    return {"statements": list(statements)}


class PairWriter:
    """Replies to the calls of `generate_questions`; to be given to an `LLMServer` as its route.

    A value may also be a `Reply`, for a call that fails.

    Args:
        questions: What it writes about a section, by the section's last heading.
        answers: Its long answers, by question; of several, one for each attempt.

    Attributes:
        data: What it was shown, by what was wanted: "sparse", …, or an "answer".
    """

    def __init__(
        self,
        questions: Mapping[str, Iterable[Json] | Reply] | None = None,
        answers: Mapping[str, Json | Reply | list[Json]] | None = None,
    ) -> None:
        self._questions = dict(questions or {})
        self._answers = dict(answers or {})
        self._attempts: defaultdict[str, int] = defaultdict(int)
        self.data: defaultdict[str, list[Json]] = defaultdict(list)

    def __call__(self, request: Request) -> Reply | None:
        tool = request.tool or ""
        if tool != "QuestionsReply" and not tool.startswith("Answer"):
            return None
        shown = json.loads("\n".join(request.texts[1].splitlines()[1:-1]))
        self.data[shown.get("wanted", "answer")].append(shown)
        if tool != "QuestionsReply":
            return self._long_answer(shown["question"])
        said = self._questions.get(_heading(shown), [])
        return said if isinstance(said, Reply) else Reply({"pairs": list(said)})

    def _long_answer(self, question: str) -> Reply:
        said = self._answers[question]
        if isinstance(said, list):
            attempt = min(self._attempts[question], len(said) - 1)
            self._attempts[question] += 1
            said = said[attempt]
        return said if isinstance(said, Reply) else Reply(said)


def _heading(shown: Json) -> str:
    return shown["headings"][-1] if shown["headings"] else ""
