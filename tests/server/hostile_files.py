"""Files within the limits that would take far more time or memory than they seem to."""

import zlib
from collections.abc import Callable, Mapping

_MEGABYTE = 1_000_000


def pdf(objects: Mapping[int, bytes]) -> bytes:
    """Return a PDF file with these objects, of which the first is the catalogue."""
    content, places = b"%PDF-1.7\n", []
    for number, each in objects.items():
        places.append(len(content))
        content += b"%d 0 obj\n%s\nendobj\n" % (number, each)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    head = b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    tail = b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n"
    return content + head + table + tail % (len(objects) + 1, len(content))


def page_with(stream: bytes, filters: bytes = b"/FlateDecode") -> bytes:
    """Return a PDF file of one page, whose content is a stream as it is stored."""
    return pdf(
        {
            1: b"<< /Type /Catalog /Pages 2 0 R >>",
            2: b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            3: b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R"
            b" /Resources << /Font << /F 5 0 R >> >> >>",
            4: b"<< /Length %d /Filter %s >>\nstream\n%s\nendstream"
            % (len(stream), filters, stream),
            5: b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        }
    )


def packed(piece: bytes, count: int) -> bytes:
    """Return a piece repeated `count` times and compressed, without building it in memory."""
    packer = zlib.compressobj(9)
    many = max(_MEGABYTE // len(piece), 1)
    whole, rest = divmod(count, many)
    parts = [packer.compress(piece * many) for _ in range(whole)]
    return b"".join([*parts, packer.compress(piece * rest), packer.flush()])


def blank_stream(megabytes: int = 100) -> bytes:
    """Return a page whose content decompresses to nothing but blanks."""
    return page_with(packed(b" ", megabytes * _MEGABYTE))


def stream_packed_twice(megabytes: int = 200) -> bytes:
    """Return the same, compressed twice: a few kilobytes."""
    packed_once = packed(b" ", megabytes * _MEGABYTE)
    return page_with(zlib.compress(packed_once, 9), b"[/FlateDecode /FlateDecode]")


def endless_text(megabytes: int = 100) -> bytes:
    """Return a page that repeats the same words."""
    piece = b"BT /F 9 Tf 72 700 Td (Lunch is free.) Tj ET\n"
    return page_with(packed(piece, megabytes * _MEGABYTE // len(piece)))


def nested_arrays(depth: int = 1_000_000) -> bytes:
    """Return a page whose content nests arrays in arrays."""
    return page_with(zlib.compress(b"[" * depth + b"]" * depth))


def nested_objects(depth: int = 1_000_000) -> bytes:
    """Return a file with an object that nests arrays in arrays."""
    nested = b"[" * depth + b"]" * depth
    return pdf(
        {
            1: b"<< /Type /Catalog /Pages 2 0 R /Outlines 3 0 R >>",
            2: b"<< /Type /Pages /Kids [] /Count 0 >>",
            3: b"<< /First " + nested + b" >>",
        }
    )


def pages_that_are_one(levels: int = 6) -> bytes:
    """Return a file of 10 ** `levels` pages, all of which are the same."""
    tree = {
        number: b"<< /Type /Pages /Count %d /Kids [%s] >>"
        % (10 ** (levels - number + 2), b"%d 0 R " % (number + 1) * 10)
        for number in range(2, levels + 2)
    }
    page = b"<< /Type /Page /MediaBox [0 0 612 792] /Parent 2 0 R >>"
    return pdf({1: b"<< /Type /Catalog /Pages 2 0 R >>", **tree, levels + 2: page})


def pages_in_a_circle() -> bytes:
    """Return a file whose page tree contains its own root."""
    return pdf(
        {
            1: b"<< /Type /Catalog /Pages 2 0 R >>",
            2: b"<< /Type /Pages /Kids [3 0 R 3 0 R] /Count 1000000 >>",
            3: b"<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 1000000 /Parent 2 0 R >>",
        }
    )


def huge_picture(side: int = 15_000) -> bytes:
    """Return a page with a picture of so many pixels on each side."""
    stream = packed(b"\0", side * side)
    return pdf(
        {
            1: b"<< /Type /Catalog /Pages 2 0 R >>",
            2: b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            3: b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R"
            b" /Resources << /XObject << /I 5 0 R >> >> >>",
            4: b"<< /Length 30 >>\nstream\nq 612 0 0 792 0 0 cm /I Do Q\nendstream",
            5: b"<< /Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace /DeviceGray"
            b" /BitsPerComponent 8 /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream"
            % (side, side, len(stream), stream),
        }
    )


def deep_html(depth: int = 300_000) -> bytes:
    """Return a page of nested elements."""
    return b"<!doctype html><body>" + b"<div>" * depth + b"Lunch is free." + b"</div>" * depth


def deep_markdown(depth: int = 100_000) -> bytes:
    """Return nested block quotes."""
    return b">" * depth + b" Lunch is free."


def bracketed_markdown(count: int = 100_000) -> bytes:
    """Return links that are opened and never closed."""
    return b"Lunch [is " * count


HOSTILE: dict[str, Callable[[], bytes]] = {
    "blanks.pdf": blank_stream,
    "twice.pdf": stream_packed_twice,
    "text.pdf": endless_text,
    "arrays.pdf": nested_arrays,
    "objects.pdf": nested_objects,
    "pages.pdf": pages_that_are_one,
    "circle.pdf": pages_in_a_circle,
    "picture.pdf": huge_picture,
    "deep.html": deep_html,
    "deep.md": deep_markdown,
    "brackets.md": bracketed_markdown,
}
"""Functions that make each file, by its name."""
