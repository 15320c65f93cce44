"""What readers of a PDF page see of its fields and notes is part of its text."""

import subprocess
import sys
from collections.abc import Callable
from io import BytesIO

import pytest
from reportlab.pdfgen.canvas import Canvas

from citeguard import locate
from citeguard.documents import read_sources
from citeguard.documents.loading import read_document
from citeguard.documents.pdf import pdfium


def made(draw: Callable[[Canvas], None]) -> bytes:
    stream = BytesIO()
    canvas = Canvas(stream, pagesize=(400, 400))
    canvas.setFont("Helvetica", 12)
    draw(canvas)
    canvas.save()
    return stream.getvalue()


def filled(*fields: str, has_drawings: bool = True) -> bytes:
    """Return a page with fields or notes that the file itself does not draw."""
    numbers = "".join(f"{number} 0 R " for number in range(5, 5 + len(fields)))
    text = "BT /F 12 Tf 40 350 Td (Dose:) Tj 0 -40 Td (The drug is safe.) Tj ET"
    fonts = "/DR<</Font<</F 3 0 R>>>>/DA(/F 11 Tf 0 g)"
    objects = [
        f"<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[{numbers}]{fonts}"
        f"/NeedAppearances {'false' if has_drawings else 'true'}>>>>",
        "<</Type/Pages/Count 1/Kids[<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 400]"
        f"/Resources<</Font<</F 3 0 R>>>>/Contents 4 0 R/Annots[{numbers}]>>]>>",
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        f"<</Length {len(text)}>>stream\n{text}\nendstream",
        *(f"<</Type/Annot/DA(/F 11 Tf 0 g){field}>>" for field in fields),
    ]
    body = "".join(f"{n} 0 obj\n{each}\nendobj\n" for n, each in enumerate(objects, 1))
    return f"%PDF-1.7\n{body}trailer<</Root 1 0 R/Size {len(objects) + 1}>>\n%%EOF\n".encode()


TEXT = "/Subtype/Widget/FT/Tx/T(a)/Rect[80 342 300 362]"


def test_fields_are_read_in_their_places() -> None:
    def draw(canvas: Canvas) -> None:
        form = canvas.acroForm
        for top, label in ((350, "Dose:"), (270, "Country:"), (230, "It is taken daily.")):
            canvas.drawString(40, top, label)
        form.textfield(name="d", value="50 mg", x=90, y=342, width=150, height=20, fontSize=11)
        for left, label, ticked in ((40, "Smoker", True), (140, "Drinker", False)):
            canvas.drawString(left + 20, 310, label)
            form.checkbox(name=label, checked=ticked, x=left, y=308, size=14)
        for left, label in ((240, "Male"), (320, "Female")):
            canvas.drawString(left + 20, 310, label)
            chosen = label == "Female"
            form.radio(name="g", value=label, selected=chosen, x=left, y=308, size=14)
        options = ["France", "Germany"]
        place = {"x": 90, "y": 262, "width": 150, "height": 20}
        form.choice(name="c", value="Germany", options=options, fontSize=11, **place)

    document = read_document(made(draw), "a.pdf")
    assert [*filter(None, document.text.split("\n"))] == [
        "Dose: 50 mg",
        "☑ Smoker ☐ Drinker ☐ Male ☑ Female",
        "Country: Germany",
        "It is taken daily.",
    ]
    assert (document.layout.doubts, document.layout.warnings) == ((), ())


@pytest.mark.parametrize(
    ("field", "text"),
    [
        (f"{TEXT}/V(50 mg)/F 4", "Dose: 50 mg"),
        (f"{TEXT}/V(secret)/F 4/Ff 8192", "Dose: ******"),  # a password
        (f"{TEXT}/V(50 mg)/F 2", "Dose:"),  # hidden
        (f"{TEXT}/V(50 mg)/F 32", "Dose:"),  # only printed
        ("/Subtype/FreeText/Contents(50 mg)/Rect[80 342 300 362]/F 4", "Dose: 50 mg"),
    ],
)
def test_what_the_file_leaves_to_its_readers_to_draw_is_read(field: str, text: str) -> None:
    document = read_document(filled(field, has_drawings=False), "a.pdf")
    assert document.text.split("\n")[0] == text
    assert not document.layout.warnings


def test_a_tick_without_a_drawing_is_none() -> None:
    box = "/Subtype/Widget/FT/Btn/T(a)/AS/Yes/Rect[80 342 100 362]/F 4/AP<</N<</Off 4 0 R>>>>"
    assert "\u2611" not in read_document(filled(box), "a.pdf").text


def test_a_value_that_is_not_drawn_is_named() -> None:
    document = read_document(filled(f"{TEXT}/V(50 mg)/F 4"), "a.pdf")
    assert "50" not in document.text
    assert document.layout.warnings == ("page 1 has fields or notes whose text may not be read",)


def test_a_word_below_a_field_is_not_seen() -> None:
    over = TEXT.replace("80 342 300 362", "100 306 118 324")
    found = locate(
        "The drug is safe.",
        read_sources([("a.pdf", filled(f"{over}/MK<</BG[1 1 1]>>/V(un)/F 4", has_drawings=False))]),
    )
    assert found is None or found.grade != "exact"


def test_a_process_that_tries_a_file_ends_with_the_one_that_it_tries_for() -> None:
    # Of this process it is no child of the one named, so it ends at once; else it waits for input.
    command = [sys.executable, "-P", "-c", pdfium._LOAD_PAGES, "[]", "1"]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
        assert process.wait(60) == 1
