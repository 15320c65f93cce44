"""Questions that two short documents answer or leave open, and a model that would rather invent."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from integration.judge_material import read_data
from integration.material import Json, citation
from llm_server import Reply, Request

# Question, what the model would invent, the source it would name, and words of that source that it
# may misuse for it.
OPEN = [
    ("How much is the yearly bonus?", "The bonus is two salaries.", "handbook", "final salary"),
    ("How many days of parental leave are there?", "Parents get 60 days off.", "handbook", ""),
    ("What does the laptop cost?", "The laptop costs 900 euros.", "handbook", "their laptop"),
    ("Can I work from abroad?", "Employees may work abroad for 20 days.", "handbook", "25 days"),
    ("Which company makes veltamor?", "Norvia makes veltamor.", "trial", "veltamor or a placebo"),
    ("Was the trial blinded?", "The trial was double-blind.", "trial", "We assigned 412 adults"),
    ("May children take veltamor?", "Children may take 10 mg of veltamor.", "trial", "20 mg"),
    ("Is veltamor approved in Japan?", "Japan approved veltamor in 2019.", "trial", ""),
]

ANSWERED = {
    "How long is the notice period after two years?": (
        "It is three months.",
        "three months after that",
        "handbook",
    ),
    "Does an e-mail count as notice?": (
        "An e-mail is not enough.",
        "an e-mail does not count as written notice",
        "handbook",
    ),
    "Did anybody die in the trial?": (
        "Nobody died.",
        "No deaths occurred during the study",
        "trial",
    ),
    "How many adults took part?": ("There were 412 adults.", "We assigned 412 adults", "trial"),
}


@dataclass
class Inventor:
    """A route of the scripted server: a model that invents rather than leave a question open.

    It answers what the sources answer. For the rest it invents a statement; once it is told that
    this is wrong it says that the sources do not answer, unless it is stubborn. A `lazy` one begins
    by leaving open what the sources do answer.

    Args:
        misuses: Cite words of the source that say something else, where there are some.
        stubborn: Never give in.
        lazy: Leave a question open at first that the sources do answer.
    """

    misuses: bool = False
    stubborn: bool = False
    lazy: bool = False

    def __call__(self, request: Request) -> Reply | None:
        """Answer the question that a prompt asks; leave what a judge is asked to the queue."""
        if read_data(request) is not None:
            return None
        asked = next(text for text in request.texts if "Question: " in text)
        is_first = not any("validation error" in text for text in request.texts)
        for question, answered in ANSWERED.items():
            if question in asked:
                return Reply(leave_open(question) if self.lazy and is_first else say(*answered))
        number, question = next(
            (number, each[0]) for number, each in enumerate(OPEN) if each[0] in asked
        )
        if is_first or self.stubborn:
            return Reply(self.invented(number))
        return Reply(leave_open(question))

    def invented(self, number: int) -> Json:
        """Return an invented answer."""
        _, text, source_id, words = OPEN[number]
        return say(text, words if self.misuses and words else text, source_id)


def say(text: str, quote: str, source_id: str) -> Json:
    """Return an answer of one statement."""
    return {"statements": [{"text": text, "citations": [citation(quote, source_id)]}]}


def leave_open(question: str) -> Json:
    """Return an answer that says that the sources have none."""
    return {"statements": [], "unanswerable": f"The sources do not say: {question}"}


def sources_answer(data: Mapping[str, Any]) -> bool:
    """Return whether a judge of the whole answer finds its question rightly answered or open."""
    return bool(data["statements"]) == (data["question"] in ANSWERED)
