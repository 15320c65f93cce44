"""What a request holds, read in a worker process: `read_request`."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any, TypeVar, cast

from pydantic import ValidationError

from citeguard.documents import PageLimitError, read_sources
from citeguard.documents.files import decode, kind_of, parse_json
from citeguard.errors import CiteguardError, InvalidSourcesError
from citeguard.server.forms import Form, parse_form
from citeguard.server.jobs import Job
from citeguard.server.limits import Limits
from citeguard.server.refusals import RefusedError
from citeguard.server.schemas import (
    HALF,
    LONGEST_ID,
    CheckRequest,
    SourceInput,
    VerifyRequest,
    has_half_a_character,
    listed,
)
from citeguard.server.unpacking import check_unpacked
from citeguard.sources.collection import Source, Sources

R = TypeVar("R", VerifyRequest, CheckRequest)

JSON = "application/json"
FORMS = ("multipart/form-data", "application/x-www-form-urlencoded")

_LONGEST_MESSAGE = 600  # characters
_LONGEST_KEY = 60  # characters of a key that a message names

_LINE_END = re.compile(r"\r\n?")
_BODY = "the body"
_PASTED = "pasted"


def media_type_of(content_type: str) -> str:
    """Return what a `Content-Type` header says, without its parameters.

    Examples:
        >>> media_type_of("Application/JSON; charset=utf-8")
        'application/json'
    """
    return content_type.partition(";")[0].strip().lower()


def read_request(
    job: Job, kind: type[R], limits: Limits, on_file: Callable[[str], object]
) -> tuple[R, Sources]:
    """Return what a client asks for, and the sources: those given as text, and the documents.

    Args:
        job: The request.
        kind: What it is to hold.
        limits: How much it may bring.
        on_file: Is told the name of each file before it is read.

    Raises:
        RefusedError: it is not what it should be, or more than it may be; or a document cannot be
            read.
    """
    files: list[tuple[str, bytes]] = []
    if media_type_of(job.content_type) == JSON:
        request = _validated(kind, _parsed(job.body, _BODY), limits)
    else:
        form = parse_form(job.body, job.content_type, limits)
        request, files = _validated(kind, _as_data(form), limits), form.files
    return request, _sources(request.sources, files, limits, on_file)


def _parsed(content: bytes, name: str) -> Any:
    try:
        return parse_json(decode(content, name), name)
    except CiteguardError as error:
        raise RefusedError("malformed", _shortened(str(error))) from error


def _validated(kind: type[R], data: Any, limits: Limits) -> R:
    _require_room(_number_of_sources(data), 0, limits)  # to validate them takes time, too
    try:
        return kind.model_validate(data)
    except ValidationError as error:
        first, *rest = error.errors(include_url=False, include_context=False, include_input=False)
        place = ".".join(str(part)[:_LONGEST_KEY] for part in first["loc"]) or _BODY
        more = f" (and {len(rest)} more)" if rest else ""
        raise RefusedError("invalid", f"{place}: {first['msg']}{more}") from error


def _number_of_sources(data: Any) -> int:
    given = cast("dict[str, Any]", data).get("sources") if isinstance(data, dict) else None
    return len(cast("Collection[Any]", given)) if isinstance(given, (list, dict)) else 0


def _as_data(form: Form) -> dict[str, Any]:
    """Return a form as the data that a request of JSON has."""
    fields = dict(form.fields)
    pasted = [_text(value, "source") for value in fields.pop("source", [])]
    given = [value for value in fields.pop("sources", []) if value.strip()]
    data: dict[str, Any] = {name: _single(name, values) for name, values in fields.items()}
    if "answer" in data:
        data["answer"] = _parsed(data["answer"].encode(), "answer")
    sources = [each for value in given for each in _listed(_parsed(value, "sources"))]
    return {**data, "sources": [*sources, *_pasted(pasted)]}


def _single(name: str, values: list[bytes]) -> str:
    if len(values) > 1:
        raise RefusedError("invalid", f"{name}: is given {len(values):,} times")
    return _text(values[0], name)


def _text(value: bytes, name: str) -> str:
    """Return the value of a field; browsers make each end of a line CR and LF."""
    try:
        return _LINE_END.sub("\n", decode(value, name))
    except CiteguardError as error:
        raise RefusedError("malformed", str(error)) from error


def _listed(sources: Any) -> list[Any]:
    """Return sources given as JSON as a list; what they hold is validated with all the rest."""
    given = listed(sources)
    if isinstance(given, list):
        return cast("list[Any]", given)
    raise RefusedError("invalid", "sources: must be a list, or an object of {id: text}")


def _pasted(texts: Iterable[str]) -> list[dict[str, str]]:
    said = [text for text in texts if text.strip()]
    if len(said) == 1:
        return [{"id": _PASTED, "text": said[0]}]
    return [{"id": f"{_PASTED} {number}", "text": text} for number, text in enumerate(said, 1)]


def _sources(
    given: Iterable[SourceInput],
    files: Sequence[tuple[str, bytes]],
    limits: Limits,
    on_file: Callable[[str], object],
) -> Sources:
    documents = _documents(_checked(files, on_file), limits) if files else ()
    try:
        texts = [Source(each.id, each.text, each.title, each.url) for each in given]
        sources = Sources([*documents, *texts])
    except InvalidSourcesError as error:
        raise RefusedError("invalid", _shortened(str(error))) from error
    for source in sources:
        _require_source(source)
    _require_room(len(sources), sum(len(part) for one in sources for part in _parts(one)), limits)
    return sources


def _checked(
    files: Iterable[tuple[str, bytes]], on_file: Callable[[str], object]
) -> Iterator[tuple[str, bytes]]:
    for name, content in files:
        on_file(name)
        if kind_of(name) == "pdf":
            check_unpacked(content, name)
        yield name, content


def _documents(files: Iterable[tuple[str, bytes]], limits: Limits) -> Sources:
    try:
        return read_sources(files, max_pages=limits.pages)
    except PageLimitError as error:
        raise RefusedError("too_many_pages", str(error)) from error
    except CiteguardError as error:
        raise RefusedError("unreadable", _shortened(str(error))) from error


def _require_room(number: int, characters: int, limits: Limits) -> None:
    if number > limits.sources:
        raise RefusedError("too_many_sources", f"there are more than {limits.sources:,} sources")
    if characters > (most := limits.source_characters):
        raise RefusedError("sources_too_long", f"the sources have more than {most:,} characters")


def _require_source(source: Source) -> None:
    """Refuse a source, also one of a file of JSON, that a reply could not tell of."""
    if len(source.id) > LONGEST_ID:
        told = f"the id of a source has more than {LONGEST_ID} characters: {source.id!r}"
        raise RefusedError("sources_too_long", _shortened(told))
    if any(map(has_half_a_character, _parts(source))):
        raise RefusedError("invalid", f"the source {source.id!r} has {HALF}")


def _parts(source: Source) -> Iterable[str]:
    return filter(None, (source.id, source.text, source.title, source.url))


def _shortened(message: str) -> str:
    """Return a message that may name what a client sent, which can be long."""
    return message if len(message) <= _LONGEST_MESSAGE else f"{message[:_LONGEST_MESSAGE]}…"
