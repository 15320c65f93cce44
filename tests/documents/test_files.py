"""What kind a file is: by its name, and what its content shows it to be."""

import os
import re
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest

from citeguard import InvalidSourcesError
from citeguard.documents.files import SUFFIXES, check_content, find_files, kind_of
from rows import each_row


def zipped(*names: str) -> bytes:
    """Return a ZIP archive with members of these names."""
    content = BytesIO()
    with ZipFile(content, "w") as archive:
        for name in names:
            archive.writestr(name, "text")
    return content.getvalue()


class TestFindFiles:
    def test_waits_for_no_pipe_and_no_device(self, tmp_path: Path) -> None:
        os.mkfifo(pipe := tmp_path / "pipe.txt")
        for path in (pipe, Path(os.devnull)):
            with pytest.raises(InvalidSourcesError, match=f"^{path}: only regular files and fol"):
                list(find_files(path))


class TestKindOf:
    @each_row("name", ["a", "a.doc", "pdf", ".html", "a.txt.gz"])
    def test_others_are_refused(self, name: str) -> None:
        told = f"{name}: not a kind of file that is read as sources ({', '.join(SUFFIXES)})"
        with pytest.raises(InvalidSourcesError, match=f"^{re.escape(told)}$"):
            kind_of(name)


class TestCheckContent:
    @each_row(
        ("name", "content", "told"),
        [
            ("a.txt", b"", "is empty"),
            ("a.txt", b"%PDF-1.7\n", "a PDF file; its name must end in .pdf"),
            ("a.pdf", b"PK\x03\x04...", "a ZIP archive; unpack it"),
            ("a.pdf", zipped("word/document.xml"), "a Word document"),
            (
                "a.docx",
                zipped("ppt/presentation.xml"),
                "a PowerPoint presentation; its name must end in .pptx",
            ),
            ("a.docx", zipped("xl/workbook.xml"), "an Excel workbook"),
            ("a.html", b"\x89PNG\r\n\x1a\n", "a PNG image"),
            ("a.txt", b"{\\rtf1 x}", "an RTF document"),
            ("a.pdf", b" \n<!DOCTYPE html>", "an HTML page"),
            ("a.txt", b"<HTML><p>x", "name must end in .html"),
            ("a.txt", b"\xff\xfex\x00", "text in UTF-16; save it"),
            ("a.txt", b"one\x00two", "binary data, not text: it contains NUL"),
        ],
    )
    def test_rejects_another_kind(self, name: str, content: bytes, told: str) -> None:
        with pytest.raises(InvalidSourcesError, match=f"^{name}: .*{re.escape(told)}"):
            check_content(content, name)

    @each_row(
        ("name", "content"),
        [
            ("a.pdf", b"%PDF-1.7\n"),
            ("a.pdf", b"damaged \x00"),
            ("a.html", "<p>é".encode("utf-16")),
            ("a.md", b"<p>HTML in Markdown"),
            ("a.json", b""),
        ],
    )
    def test_leaves_the_rest_to_the_reader(self, name: str, content: bytes) -> None:
        check_content(content, name)
