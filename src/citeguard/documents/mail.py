"""Mails as documents: `read_mail`, which reads the headers, text and attachments of a message."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import EmailPolicy
from itertools import groupby
from pathlib import PurePath
from typing import Any, TypeVar, cast

from citeguard.documents.document import Decision, Document, Writer, visible
from citeguard.documents.html.blocks import write_page
from citeguard.documents.html.tree import decode_page
from citeguard.errors import InvalidSourcesError, foreign_code
from citeguard.sources.layout import SUFFIXES, Cell, Doubt, Fields, Heading, Layout, Part, Table

# Servers take mails of 25 to 50 MB; attachments are a quarter smaller than as they are sent.
_LARGEST, _MOST_PARTS = 100_000_000, 1_000
_LONGEST_HEADER = 10_000  # characters
_DEEPEST = 20  # parts in parts; a mail forwarded as an attachment takes two
_HEADERS = ("From", "To", "Cc", "Date")
_BLANK_LINES = re.compile(r"\n[^\S\n]*(?:\n[^\S\n]*)+")

Read = Callable[[bytes, str], Document]
"""Reads an attachment, given its content and its name."""
_Piece = TypeVar("_Piece", Heading, Table, Cell, Doubt)


def read_mail(content: bytes, name: str, read: Read, decision: Decision | None = None) -> Document:
    """Return the text of a mail (.eml): its subject, headers and text, then its attachments.

    Of alternatives, the HTML is read, which programs show, or the plain text where there is none. A
    header that has two values is omitted, as programs show one or the other. Each attachment
    follows under its name, as the reader of its kind reads it; other kinds, such as pictures, are
    omitted. Nothing is loaded.

    Args:
        content: The content of the file.
        name: The name of the file in messages.
        read: Reads the attachments whose names end in one of `SUFFIXES`, by the same decision.
        decision: What becomes of unseen text.

    Raises:
        InvalidSourcesError: the file is no mail, encrypted, too large or nested too deeply; or an
            attachment cannot be read.
    """
    if len(content) > _LARGEST:
        raise InvalidSourcesError(f"{name}: is larger than is read of a mail")
    with foreign_code(lambda _: InvalidSourcesError(f"{name}: is damaged: no mail")):
        message = cast("EmailMessage", message_from_bytes(content, policy=_Bounded()))
        if not any(header in message for header in ("Subject", *_HEADERS)):
            raise InvalidSourcesError(f"{name}: is damaged: no mail")
        if sum(1 for _ in message.walk()) > _MOST_PARTS:
            raise InvalidSourcesError(f"{name}: has more than {_MOST_PARTS:,} parts")
        return _read(message, name, read, decision or Decision(), 0)


def _read(message: EmailMessage, name: str, read: Read, decision: Decision, depth: int) -> Document:
    writer = Writer(decision, numbered=True)
    subject = _header(message, "Subject", decision)
    writer.write(subject, level=1, part="header *Subject*")
    for header in _HEADERS:
        if value := _header(message, header, decision):
            writer.write(f"{header}: {value}", part=f"header *{header}*", close=header != "From")
    attached: list[tuple[str, Document]] = []
    for part in _leaves(message, name, decision, depth):
        if part.get_content_type() == "message/rfc822":
            inner = cast("EmailMessage", part.get_content())
            # With a decision of its own: what it leaves out counts when that mail is read.
            title = _file_name(part) or _header(inner, "Subject", Decision()) or "message"
            attached.append((title, _read(inner, name, read, decision, depth + 2)))
        elif _is_text(part):
            _write_text(writer, part, name)
        elif PurePath(file := _file_name(part)).suffix.lower() in SUFFIXES:
            attached.append((file, read(_content(part), f"{name}: {file}")))
    date: Any = _only(message, "Date")
    senders: Any = _only(message, "From")
    fields = Fields(
        authors=tuple(
            visible(each.display_name or each.addr_spec)
            for each in getattr(senders, "addresses", ())
        ),
        date=None if getattr(date, "datetime", None) is None else date.datetime.date().isoformat(),
    )
    return _joined(writer.document("mail", title=visible(subject) or None, fields=fields), attached)


def _leaves(
    part: EmailMessage, name: str, decision: Decision, depth: int
) -> Iterator[EmailMessage]:
    """Yield the parts of a mail that are no parts of others, of alternatives the one to read."""
    if depth > _DEEPEST:
        raise InvalidSourcesError(f"{name}: is nested too deeply")
    kind = part.get_content_type()
    if kind in ("multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime"):
        raise InvalidSourcesError(f"{name}: is encrypted")
    # For Python, a mail in a mail is a multipart, too.
    if not part.is_multipart() or kind == "message/rfc822":
        yield part
    if not part.is_multipart() or kind.startswith("message/"):  # such as a part of another mail
        return
    parts = cast("Sequence[EmailMessage]", part.get_payload())
    inside = [list(_leaves(each, name, decision, depth + 1)) for each in parts]
    shown: int | None = None
    if kind == "multipart/alternative":
        with_text = {
            wanted: at
            for wanted in ("text/plain", "text/html")
            for at, leaves in enumerate(inside)
            if any(_is_text(each, wanted) and _content(each).strip() for each in leaves)
        }
        shown = with_text.get("text/html", with_text.get("text/plain", -1))
        # The last is to be shown (RFC 2046, 5.1.4), but most programs prefer HTML in any order.
        decision.unsure |= any(at > shown for at in with_text.values())
    elif kind == "multipart/related":  # the other parts are what the first refers to
        start = part.get_param("start")
        named = (at for at, each in enumerate(parts) if start and each["Content-ID"] == start)
        shown = next(named, 0)
    for at, leaves in enumerate(inside):
        # Some programs put the attachments of a mail into one of its alternatives.
        yield from leaves if shown in (None, at) else filter(_file_name, leaves)


def _is_text(part: EmailMessage, *kinds: str) -> bool:
    """Return whether a part is text of the mail, not a file that is attached."""
    is_known = PurePath(_file_name(part)).suffix.lower() in SUFFIXES
    if part.get_content_disposition() == "attachment" or is_known:
        return False
    kind = part.get_content_type()
    # Text of an unknown kind is plain text (RFC 2046, 4.1.4).
    # As "text/enriched", but not "text/calendar" with the name of a file.
    unknown = not kinds and kind.startswith("text/") and not _file_name(part)
    return unknown or kind in (kinds or ("text/plain", "text/html"))


def _write_text(writer: Writer, part: EmailMessage, name: str) -> None:
    text = decode_page(_content(part), charset=part.get_content_charset(""))
    if part.get_content_type() == "text/html":
        write_page(writer, text, name, lambda _: "")  # programs load nothing, either
        return
    text = visible(text).replace("\r\n", "\n")
    if part.get_param("delsp") == "yes":  # of a line that goes on, the blank is no character
        text = text.replace(" \n", "")
    for paragraph in _BLANK_LINES.split(text):
        writer.write(paragraph)


def _content(part: EmailMessage) -> bytes:
    return cast("bytes", part.get_payload(decode=True) or b"")


class _Bounded(EmailPolicy):
    """Reads no more of a header than can be parsed in a moment: its parser takes quadratic time."""

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        name, value = super().header_source_parse(sourcelines)
        return name, value[:_LONGEST_HEADER]


def _header(message: EmailMessage, header: str, decision: Decision) -> str:
    """Return the text of a header; of one with two values, what becomes of unseen text."""
    values = [" ".join(visible(str(each)).split()) for each in message.get_all(header, [])]
    if _only(message, header) is None:
        values = [decision.on(each, "hidden") for each in values]
    return " ".join(dict.fromkeys(values))


def _only(message: EmailMessage, header: str) -> Any:
    """Return the value of a header, or `None` if it has none or two."""
    values = message.get_all(header, [])
    return values[0] if len({str(each) for each in values}) == 1 else None


def _file_name(part: EmailMessage) -> str:
    return PurePath(" ".join(visible(part.get_filename("")).split()).replace("\\", "/")).name


def _joined(mail: Document, attached: Sequence[tuple[str, Document]]) -> Document:
    """Return a mail with its attachments after it, each under its name as a heading."""
    text, own = mail.text, mail.layout
    headings, parts = list(own.headings), list(own.parts)
    tables, doubts = list(own.tables), list(own.doubts)
    for name, document in attached:
        layout = document.layout
        text += "\n\n" if text else ""
        headings.append(Heading(name, 2, len(text), len(text) + len(name)))
        parts.append(Part(len(text), f"attachment *{name}*"))
        text += f"{name}\n\n"
        at = len(text)
        text += document.text
        inside = (replace(each, level=min(6, each.level + 2)) for each in layout.headings)
        headings += (_moved(each, at) for each in inside)
        parts += (Part(at + each.start, f"{each.name} of *{name}*") for each in layout.parts)
        for number, lines in groupby(layout.printed, lambda line: line.page):
            label = layout.pages[number - 1].label
            parts.append(Part(at + next(lines).start, f"p. {label} of *{name}*"))
        for table in layout.tables:
            cells = tuple(_moved(each, at) for each in table.cells)
            tables.append(_moved(replace(table, cells=cells), at))
        doubts += (_moved(each, at) for each in layout.doubts)
    pieces: Any = {"headings": headings, "parts": parts, "tables": tables, "doubts": doubts}
    layout = Layout("mail", len(text), left_out=own.left_out, fields=own.fields, **pieces)
    return replace(mail, text=text, layout=layout)


def _moved(piece: _Piece, by: int) -> _Piece:
    return replace(piece, start=piece.start + by, end=piece.end + by)
