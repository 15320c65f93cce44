"""Forms as clients send them, with files or without: `parse_form`."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field
from urllib.parse import parse_qsl

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import Field, File, FormParser, parse_options_header

from citeguard.server.limits import Limits
from citeguard.server.refusals import RefusedError

FILES = b"files"
"""The field that holds documents."""

_MOST_FIELDS = 1_000
_LONGEST_NAME = 200  # characters of a file's name; what is before them is cut off
_HIDDEN = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))  # controls, bidi marks, line breaks


@dataclass(slots=True)
class Form:
    """What a form holds.

    Attributes:
        fields: The values of each field; of a file in another field than `files`, what it holds.
        files: The documents: pairs of a name and what the file holds.
    """

    fields: dict[str, list[bytes]] = field(default_factory=dict[str, list[bytes]])
    files: list[tuple[str, bytes]] = field(default_factory=list[tuple[str, bytes]])


def parse_form(body: bytes, content_type: str, limits: Limits) -> Form:
    """Return what a form holds.

    Args:
        body: The body of the request.
        content_type: As its header says: `multipart/form-data`, with its boundary, or
            `application/x-www-form-urlencoded`.
        limits: What it may hold.

    Raises:
        RefusedError: it is no such form, or holds too many files, or one that is too large.
    """
    reading = _Reading(limits)
    media_type, options = parse_options_header(content_type)
    try:
        if media_type == b"multipart/form-data":
            _read_parts(body, options.get(b"boundary"), reading)
        else:
            _read_pairs(body, reading)
    except FormParserError as error:
        told = f"the body is not the form that it should be: {error}"
        raise RefusedError("malformed", told) from error
    return reading.form


def _read_pairs(body: bytes, reading: _Reading) -> None:
    # Latin-1 has a character for each byte: what the bytes mean is not to be decided here.
    text = body.decode("latin-1")
    try:
        pairs = parse_qsl(
            text, keep_blank_values=True, encoding="latin-1", max_num_fields=_MOST_FIELDS
        )
    except ValueError as error:  # it has no other reason
        raise _too_many_fields() from error
    for name, value in pairs:
        reading.add(name.encode("latin-1"), value.encode("latin-1"))


def _read_parts(body: bytes, boundary: bytes | None, reading: _Reading) -> None:
    # It is in memory already, and no file is made of it.
    config = {"MAX_MEMORY_FILE_SIZE": len(body) + 1, "UPLOAD_ERROR_ON_BAD_CTE": True}
    parser = FormParser(
        "multipart/form-data",
        reading.take_field,
        reading.take_file,
        reading.end,
        boundary=boundary,
        config=config,
    )
    parser.write(body)
    parser.finalize()
    if not reading.ended:
        raise FormParserError("it has no end")


def _too_many_fields() -> RefusedError:
    return RefusedError("malformed", f"the form has more than {_MOST_FIELDS:,} fields")


class _Reading:
    """What was read of a form so far."""

    def __init__(self, limits: Limits) -> None:
        self.form = Form()
        self.ended = False
        self._limits = limits
        self._fields = 0

    def take_field(self, parsed: Field) -> None:
        self.add(parsed.field_name or b"", parsed.value or b"")

    def take_file(self, parsed: File) -> None:
        parsed.file_object.seek(0)
        content = parsed.file_object.read()
        parsed.close()
        if parsed.field_name != FILES:
            self.add(parsed.field_name or b"", content)
        elif parsed.file_name or content:  # a browser sends a file without a name if none is chosen
            self._add_file(file_name(parsed.file_name or b""), content)

    def end(self) -> None:
        self.ended = True

    def add(self, name: bytes, value: bytes) -> None:
        self._fields += 1
        if self._fields > _MOST_FIELDS:
            raise _too_many_fields()
        if name == FILES:
            raise RefusedError("invalid", "files: needs a file name")
        self.form.fields.setdefault(name.decode("utf-8", "replace"), []).append(value)

    def _add_file(self, name: str, content: bytes) -> None:
        if len(self.form.files) == self._limits.files:
            raise RefusedError(
                "too_many_files", f"there are more than {self._limits.files:,} files"
            )
        if len(content) > (most := self._limits.file_bytes):
            raise RefusedError("file_too_large", f"{name}: has more than {most:,} bytes")
        taken = {taken for taken, _ in self.form.files}
        self.form.files.append((_untaken(name, taken), content))


def file_name(given: bytes) -> str:
    r"""Return what an uploaded file is called: the last part of the name given, if it has one.

    It names the file in messages, and says by its suffix of what kind it is; nothing is opened by
    it.

    Examples:
        >>> file_name(rb"C:\papers\a.pdf"), file_name(b"../../etc/passwd"), file_name(b"a\n.md")
        ('a.pdf', 'passwd', 'a.md')
    """
    text = given.decode("utf-8", "replace").replace("\\", "/")
    seen = "".join(each for each in text if unicodedata.category(each) not in _HIDDEN)
    return seen.rpartition("/")[2].strip()[-_LONGEST_NAME:] or "a file without a name"


def _untaken(name: str, taken: set[str]) -> str:
    stem, dot, suffix = name.rpartition(".")
    tried, number = name, 1
    while tried in taken:
        number += 1
        tried = f"{stem} ({number}){dot}{suffix}" if stem else f"{name} ({number})"
    return tried
