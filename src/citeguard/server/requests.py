"""Reading a request in a worker process: JSON or a form, its fields, its documents."""

from __future__ import annotations

import asyncio
import re
import unicodedata
from collections.abc import (
    AsyncGenerator,
    Callable,
    Collection,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast
from urllib.parse import parse_qsl

from pydantic import BaseModel, ValidationError
from python_multipart.exceptions import FormParserError
from starlette.datastructures import Headers, UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser

from citeguard.documents import PageLimitError, read_sources
from citeguard.documents.files import decode, parse_json
from citeguard.errors import CiteguardError, InvalidSourcesError
from citeguard.server.errors import ServiceError
from citeguard.server.limits import Limits
from citeguard.server.schemas import (
    JSON,
    LONE_SURROGATE,
    MAX_ID,
    MULTIPART,
    AuditRequest,
    CheckRequest,
    QuoteRequest,
    SearchRequest,
    SourceInput,
    as_list,
    has_lone_surrogate,
)
from citeguard.sources.collection import Source, Sources

R = TypeVar("R", AuditRequest, CheckRequest, QuoteRequest, SearchRequest)
M = TypeVar("M", bound=BaseModel)

_FILES = "files"
_MAX_FIELDS = 1_000  # as Starlette allows by default
_MAX_FILE_NAME = 200  # characters; what precedes them is cut off
_MAX_MESSAGE = 600  # characters
_MAX_KEY = 60  # characters of a key in a message
_BODY = "the body"
PASTED = "pasted"
"""The id of a source that is pasted into the form."""
_LINE_END = re.compile(r"\r\n?")
_HIDDEN = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))  # controls, bidi marks, line breaks


def media_type_of(content_type: str) -> str:
    """Return the media type of a `Content-Type` header, without its parameters."""
    return content_type.partition(";")[0].strip().lower()


def read_request(
    kind: type[R],
    body: bytes,
    content_type: str,
    limits: Limits,
    *,
    on_file: Callable[[str], object],
    default: Sources | None = None,
) -> tuple[R, Sources]:
    """Return the fields of a request, and all its sources: documents, then those given as text.

    `on_file` is called with the name of each file before it is read. A request that names no
    sources gets those of `default`; one with an empty list of them is an error.
    """
    files: list[tuple[str, bytes]] = []
    if media_type_of(content_type) == JSON:
        data = _json(body, _BODY)
    else:
        form = parse_form(body, content_type, limits)
        data, files = _as_data(form), form.files
    fields: dict[str, Any] = cast("Any", data) if isinstance(data, dict) else {}
    is_silent = fields.get("sources") is None
    if default is not None and is_silent:
        fields["sources"] = []
    request = _validated(kind, data, limits)
    if default is not None and is_silent and not files:
        return request, default
    return request, sources_of(request.sources, files, limits, on_file)


def read_fields(kind: type[M], body: bytes, content_type: str, limits: Limits) -> M:
    """Return the fields of a request that has no sources."""
    if media_type_of(content_type) == JSON:
        return _validated(kind, _json(body, _BODY), limits)
    form = parse_form(body, content_type, limits)
    if form.files:
        raise ServiceError("invalid", "files: this request takes none")
    return _validated(kind, _single(form.fields), limits)


def _json(content: bytes, name: str) -> Any:
    try:
        return parse_json(decode(content, name), name)
    except CiteguardError as error:
        raise ServiceError("malformed", _shortened(str(error))) from error


def _validated(kind: type[M], data: Any, limits: Limits) -> M:
    given = cast("dict[str, Any]", data).get("sources") if isinstance(data, dict) else None
    if isinstance(given, (list, dict)):  # too many would take long to validate
        _require_room(len(cast("Collection[Any]", given)), 0, limits)
    try:
        return kind.model_validate(data)
    except ValidationError as error:
        first, *rest = error.errors(include_url=False, include_context=False, include_input=False)
        place = ".".join(str(part)[:_MAX_KEY] for part in first["loc"]) or _BODY
        more = f" (and {len(rest)} more)" if rest else ""
        raise ServiceError("invalid", f"{place}: {first['msg']}{more}") from error


@dataclass(slots=True)
class Form:
    """A parsed form: the values of each field, and the files in the field `files`.

    A file in another field is a value.
    """

    fields: dict[str, list[bytes]] = field(default_factory=dict[str, list[bytes]])
    files: list[tuple[str, bytes]] = field(default_factory=list[tuple[str, bytes]])


class _InMemoryParser(MultiPartParser):
    spool_max_size = 1 << 62  # the body is in memory already: no temporary files
    has_ended = False

    def on_end(self) -> None:
        self.has_ended = True


def parse_form(body: bytes, content_type: str, limits: Limits) -> Form:
    """Return the fields and files of a form."""
    # Latin-1 has a character for each byte, so values are decoded later, strictly.
    form = Form()
    for name, value in _parts(body, content_type, limits):
        file = None if isinstance(value, str) else value.filename or ""
        content = value.encode("latin-1") if isinstance(value, str) else value.file.read()
        if name != _FILES:
            text = name.encode("latin-1").decode("utf-8", "replace")
            form.fields.setdefault(text, []).append(content)
        elif file is None:
            raise ServiceError("invalid", "files: needs a file name")
        elif file or content:  # browsers send this where no file is chosen
            _add_file(form, file_name(file.encode("latin-1")), content, limits)
    return form


def _parts(body: bytes, content_type: str, limits: Limits) -> list[tuple[str, UploadFile | str]]:
    if media_type_of(content_type) != MULTIPART:
        try:
            return [
                *parse_qsl(
                    body.decode("latin-1"),
                    keep_blank_values=True,
                    encoding="latin-1",
                    max_num_fields=_MAX_FIELDS,
                )
            ]
        except ValueError as error:  # its only reason
            message = f"the form has more than {_MAX_FIELDS:,} fields"
            raise ServiceError("malformed", message) from error

    async def stream() -> AsyncGenerator[bytes]:
        yield body

    parser = _InMemoryParser(
        Headers({"content-type": f"{content_type}; charset=latin-1"}),
        stream(),
        # More than `limits.files`: `_add_file` says which limit it is, and does not count empty
        # inputs, which browsers send as files.
        max_files=_MAX_FIELDS + limits.files,
        max_fields=_MAX_FIELDS,
        # By default a field of more than 1 MB is an error; `Limits` already bounds the body.
        max_part_size=len(body) + 1,
    )
    try:
        form = asyncio.run(parser.parse())
    except (MultiPartException, FormParserError) as error:  # starlette 1.3 raises the latter
        raise ServiceError("malformed", f"the body is not a form: {error}") from error
    if not parser.has_ended:  # the parser accepts such a body, and loses its last part
        raise ServiceError("malformed", "the body is not a form: it has no end")
    return form.multi_items()


def _add_file(form: Form, name: str, content: bytes, limits: Limits) -> None:
    if len(form.files) == limits.files:
        raise ServiceError("too_many_files", f"there are more than {limits.files:,} files")
    taken = {name for name, _ in form.files}
    stem, dot, suffix = name.rpartition(".")
    untaken, number = name, 1
    while untaken in taken:
        number += 1
        untaken = f"{stem} ({number}){dot}{suffix}" if stem else f"{name} ({number})"
    if len(content) > (most := limits.file_bytes):
        raise ServiceError("file_too_large", f"{untaken}: has more than {most:,} bytes")
    form.files.append((untaken, content))


def file_name(given: bytes) -> str:
    """Return the name of an uploaded file: the last part of its path, without hidden characters.

    It appears in messages, and its suffix names the kind of file. No file is opened under it.
    """
    text = given.decode("utf-8", "replace").replace("\\", "/")
    visible = "".join(each for each in text if unicodedata.category(each) not in _HIDDEN)
    return visible.rpartition("/")[2].strip()[-_MAX_FILE_NAME:] or "a file without a name"


def _as_data(form: Form) -> dict[str, Any]:
    """Return a form as the data of the same request in JSON."""
    fields, sources = dict(form.fields), list[Any]()
    pasted = [text for each in fields.pop("source", []) if (text := _text(each, "source")).strip()]
    for value in filter(bytes.strip, fields.pop("sources", [])):
        given = as_list(_json(value, "sources"))
        if not isinstance(given, list):
            raise ServiceError("invalid", "sources: must be a list, or an object of {id: text}")
        sources += cast("list[Any]", given)
    for number, text in enumerate(pasted, 1):
        sources.append({"id": PASTED if len(pasted) == 1 else f"{PASTED} {number}", "text": text})
    data: dict[str, Any] = {**_single(fields), "sources": sources}
    if "answer" in data:
        data["answer"] = _json(data["answer"].encode(), "answer")
    return data


def _single(fields: Mapping[str, list[bytes]]) -> dict[str, str]:
    """Return the values of fields, each of which may be given once."""
    for name, values in fields.items():
        if len(values) > 1:
            raise ServiceError("invalid", f"{name}: is given {len(values):,} times")
    return {name: _text(values[0], name) for name, values in fields.items()}


def _text(value: bytes, name: str) -> str:
    """Return the value of a field; browsers end its lines with CR and LF."""
    try:
        return _LINE_END.sub("\n", decode(value, name))
    except CiteguardError as error:
        raise ServiceError("malformed", str(error)) from error


def sources_of(
    given: Iterable[SourceInput],
    files: Sequence[tuple[str, bytes]],
    limits: Limits,
    on_file: Callable[[str], object],
) -> Sources:
    """Return the sources of files, and those given as text; see `read_request`."""

    def begun() -> Iterator[tuple[str, bytes]]:
        for name, content in files:
            on_file(name)
            yield name, content

    try:
        documents = read_sources(begun(), max_pages=limits.pages) if files else ()
    except PageLimitError as error:
        raise ServiceError("too_many_pages", str(error)) from error
    except CiteguardError as error:
        raise ServiceError("unreadable", _shortened(str(error))) from error
    try:
        texts = [Source(each.id, each.text, each.title, each.url) for each in given]
        sources = Sources([*documents, *texts])
    except InvalidSourcesError as error:
        raise ServiceError("invalid", _shortened(str(error))) from error
    length = 0
    for source in sources:
        if len(source.id) > MAX_ID:  # of a JSON file: other ids are validated
            message = f"the id of a source has more than {MAX_ID} characters: {source.id!r}"
            raise ServiceError("sources_too_long", _shortened(message))
        text = f"{source.id}{source.text}{source.title or ''}{source.url or ''}"
        if has_lone_surrogate(text):
            raise ServiceError("invalid", f"the source {source.id!r} has {LONE_SURROGATE}")
        length += len(text)
    _require_room(len(sources), length, limits)
    return sources


def _require_room(sources: int, characters: int, limits: Limits) -> None:
    if sources > limits.sources:
        raise ServiceError("too_many_sources", f"there are more than {limits.sources:,} sources")
    if characters > (most := limits.source_characters):
        raise ServiceError("sources_too_long", f"the sources have more than {most:,} characters")


def _shortened(message: str) -> str:
    """Return a message that may quote the client, cut to a bounded length."""
    return message if len(message) <= _MAX_MESSAGE else f"{message[:_MAX_MESSAGE]}…"
