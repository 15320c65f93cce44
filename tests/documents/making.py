"""Files in memory, for the tests of all readers."""

from io import BytesIO
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from docx.oxml.parser import parse_xml


def saved(file: Any) -> bytes:
    """Return a document, a presentation or a workbook as bytes."""
    stream = BytesIO()
    file.save(stream)
    return stream.getvalue()


def changed(content: bytes, old: str, new: str, part: str = "") -> bytes:
    """Return a packed file with other words in one of its parts, or in all of them."""
    stream = BytesIO()
    with ZipFile(BytesIO(content)) as before, ZipFile(stream, "w", ZIP_DEFLATED) as after:
        for name in before.namelist():
            data = before.read(name)
            is_meant = name == part or not part
            after.writestr(name, data.replace(old.encode(), new.encode()) if is_meant else data)
    return stream.getvalue()


def numbered_in(file: Any, levels: str) -> None:
    """Add list 90 to a Word document, whose levels are given as XML without namespaces."""
    space = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    numbering = file.part.numbering_part.element
    abstract = f'<w:abstractNum {space} w:abstractNumId="90">{levels}</w:abstractNum>'
    numbering.insert(0, parse_xml(abstract))
    numbering.append(
        parse_xml(f'<w:num {space} w:numId="90"><w:abstractNumId w:val="90"/></w:num>')
    )
