"""`citeguard ask`: a question to documents, answered with references."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from citeguard.cli.arguments import (
    SOURCE_FILES,
    STANDARD_STREAM,
    AsJson,
    ModelOptions,
    argument,
    read_input,
)
from citeguard.cli.asking import Asking, heard, say_how_answers_are_made, show_reply
from citeguard.cli.output import ExitStatus, print_json, visible
from citeguard.errors import CiteguardError

if TYPE_CHECKING:
    from citeguard.library.reply import ReplyOutcome

STATUSES: dict[ReplyOutcome, ExitStatus] = {
    "answered": ExitStatus.PASSED,
    "partly": ExitStatus.PASSED,
    "passages": ExitStatus.CLOSEST_PASSAGES,
    "cannot_answer": ExitStatus.FAILED,
    "undecided": ExitStatus.UNDECIDED,
}


def ask_command(
    *,
    documents: Annotated[
        list[str] | None,
        argument("PATH", f"{SOURCE_FILES} Needed unless --library has some already."),
    ] = None,
    question: Annotated[str, argument("QUESTION", "The question; - reads standard input.")],
    as_json: AsJson = False,
    asking: Asking,
    model: ModelOptions,
) -> int:
    """Answer a question from documents, with references, or say that they do not answer it.

        citeguard ask paper.pdf "How much memory does minimap2 need?"

        citeguard ask --library papers.db "Which tools were compared?"

        citeguard ask paper.pdf "How is it indexed?" --model openai/gpt-5-mini

    Without a model, the answer is a sentence of the documents that the reader is sure about, or
    the closest passages are shown; nothing leaves this machine. Whoever answers, every quote was
    found in the documents, where its reference says.

    Exit status:

          0  answered, or a part of it
          1  the documents do not answer it
          3  undecided: the model failed, or it could not be verified
          4  not answered clearly enough: the closest passages
    """
    if question != STANDARD_STREAM and os.path.exists(question):
        raise CiteguardError(f"{visible(question)} is a file or folder: the question comes last")
    if question == STANDARD_STREAM:
        question = read_input(question, "the question")
    if not question.strip():
        raise CiteguardError("the question is empty")
    answerer = model.answerer()
    options: dict[str, Any] = {"answerer": answerer, **asking.options}
    with asking.opened(documents or ()) as library:
        if as_json:
            reply = library.ask(question, **options)
            print_json(reply.model_dump(mode="json"))
        else:
            stream, whole = library.astream, library.ask
            reply = heard(partial(stream, question, **options), partial(whole, question, **options))
            show_reply(reply)
            by_reader = reply.asked_from in ("section", "passages")
            if answerer is None and by_reader and reply.outcome == "answered":
                say_how_answers_are_made()
    return STATUSES[reply.outcome]
