"""What is given to a library, checked: users need not heed the types."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar, cast, get_args

from citeguard.errors import CiteguardError, check_text, described
from citeguard.library.answering import Answerer
from citeguard.library.catalogue import QuestionKind, StoredQuestion

T = TypeVar("T")


def ids_in(source_ids: Iterable[str]) -> list[str]:
    """Return the ids of documents that were given; one text is not taken for its letters.

    Raises:
        CiteguardError: They are no ids.
    """
    given: Any = source_ids
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise CiteguardError(f"source_ids: expected a list of ids of documents, got {given!r}")
    listed = list(cast("Iterable[Any]", given))
    for each in listed:
        check_text("source_ids", each, required=True)
    return listed


def questions_in(questions: Iterable[StoredQuestion]) -> list[StoredQuestion]:
    """Return questions whose types are right.

    Raises:
        CiteguardError: They are no questions, or a field of one is of another type.
    """
    listed = items_of("add_questions", questions, StoredQuestion)
    for each in listed:
        check_text("StoredQuestion(question=...)", each.question, required=True)
        if not each.question.strip():
            raise CiteguardError("add_questions: a question is empty")
        if not isinstance(each.answer, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise CiteguardError(
                "StoredQuestion(answer=...): expected an answer as JSON data, such as "
                f'answer.model_dump(mode="json"), got {described(each.answer)}'
            )
        check_text("StoredQuestion(source_id=...)", each.source_id, required=True)
        items_of("StoredQuestion(headings=...)", each.headings, str)
        if each.kind not in get_args(QuestionKind):
            kinds = ", ".join(map(repr, get_args(QuestionKind)))
            raise CiteguardError(
                f"StoredQuestion(kind=...): expected one of {kinds}, got {each.kind!r}"
            )
    return listed


def items_of(name: str, given: Any, kind: type[T]) -> list[T]:
    """Return the items of what was given, all of a kind.

    Raises:
        CiteguardError: It is no list, or an item is of another kind.
    """
    wanted = f"{name}: expected a list of {kind.__name__}s, got"
    if not isinstance(given, Iterable) or isinstance(given, (str, bytes, Mapping)):
        raise CiteguardError(f"{wanted} {described(cast('object', given))}")
    listed = list(cast("Iterable[Any]", given))
    for each in listed:
        if not isinstance(each, kind):
            raise CiteguardError(f"{wanted} one with a {described(each)}")
    return listed


def check_answerer(name: str, given: Any) -> None:
    """Require an `Answerer`, not its class.

    Raises:
        CiteguardError: It is something else.
    """
    if isinstance(given, type) or not isinstance(given, Answerer):
        raise CiteguardError(
            f"{name}: expected an Answerer, such as LLMAnswerer(client), got {given!r}"
        )
