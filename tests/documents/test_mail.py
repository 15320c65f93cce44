"""Mails: their headers, text and attachments, their places, and what is wrong with a file."""

from email.message import EmailMessage
from io import BytesIO

import pytest
from docx import Document as Word

from citeguard import InvalidSourcesError, Sources, Span, locate
from citeguard.documents.loading import read_sources
from citeguard.sources.collection import Source
from rows import each_row

QUOTED = (
    b"From: =?utf-8?q?Zo=C3=AB_M=C3=BCller?= <zoe@example.org>\r\n"
    b"To: team@example.org\r\n"
    b"Date: Fri, 01 Mar 2024 23:30:00 +0100\r\n"
    b"Subject: =?iso-8859-1?q?K=FCndigung?=\r\n =?utf-8?b?OiAzMCBUYWdl?=\r\n"
    b"MIME-Version: 1.0\r\n"
    b"Content-Type: text/plain; charset=iso-8859-1\r\n"
    b"Content-Transfer-Encoding: quoted-printable\r\n\r\n"
    b"The notice period in Z=FCrich is=\r\n thirty days.\r\n\r\nLunch is free.\r\n"
)


def parts(kind: str, *content: str, bound: str = "a", more: str = "") -> str:
    inside = "".join(f"--{bound}\n{each}\n" for each in content)
    return f"Content-Type: multipart/{kind}; boundary={bound}{more}\n\n{inside}--{bound}--\n"


PLAIN = "Content-Type: text/plain\n\nplain"
HTML = "Content-Type: text/html\n\n<p>HTML</p>"


def read(content: bytes) -> Source:
    return read_sources([("a.eml", content)])["a"]


def place_of(content: bytes, words: str) -> str:
    sources = read_sources([("a.eml", content)])
    start = sources["a"].text.index(words)
    return str(sources.location_of(Span("a", start, start + len(words))))


def mail(text: str | None = "Hello Bob.") -> EmailMessage:
    message = EmailMessage()
    message["Subject"], message["From"] = "Rules", "Ann <ann@example.org>"
    if text is not None:
        message.set_content(text, cte="base64")
    return message


def word() -> bytes:
    document, stream = Word(), BytesIO()
    document.add_heading("Pay", 1)
    document.add_paragraph("Pay is monthly.")
    table = document.add_table(1, 2)
    table.cell(0, 0).text, table.cell(0, 1).text = "Bonus", "500"
    document.save(stream)
    return stream.getvalue()


class TestReadMail:
    def test_headers_and_encoded_text(self) -> None:
        source = read(QUOTED)
        assert source.text == (
            "Kündigung: 30 Tage\n\nFrom: Zoë Müller <zoe@example.org>\nTo: team@example.org\n"
            "Date: Fri, 01 Mar 2024 23:30:00 +0100\n\n"
            "The notice period in Zürich is thirty days.\n\nLunch is free."
        )
        assert source.title == "Kündigung: 30 Tage"
        assert (source.fields.authors, source.fields.date) == (("Zoë Müller",), "2024-03-01")
        assert place_of(QUOTED, "Lunch") == "Kündigung: 30 Tage, paragraph 2"
        assert place_of(QUOTED, "To: ") == "Kündigung: 30 Tage, header *To*"

    def test_html_is_read_of_alternatives(self) -> None:
        message = mail("Nobody sees this.")
        html = "<p style='display:none'>Preview</p><h2>Pay</h2><p>Monthly.</p><img src='http://x'>"
        html += "<link rel=stylesheet href=x.css><p style='color: white'>White</p>"
        message.add_alternative(html, subtype="html")
        source = read(bytes(message))
        assert source.text.endswith("example.org>\n\nPay\n\nMonthly.")
        assert source.left_out == {"hidden": len("PreviewWhite")}

    @each_row(
        ("parts", "text"),
        [
            (parts("alternative", PLAIN, HTML), "HTML"),
            (parts("alternative", PLAIN, "Content-Type: text/html\n\n "), "plain"),
            (parts("alternative", PLAIN, parts("related", HTML, PLAIN, bound="b")), "HTML"),
            (parts("alternative", parts("mixed", PLAIN, bound="b"), HTML), "HTML"),
            (parts("alternative", "Content-Type: message/rfc822\n\n" + PLAIN, HTML), "HTML"),
            (parts("related", HTML, PLAIN), "HTML"),
            (parts("related", PLAIN, f"Content-ID: <1@a>\n{HTML}", more='; start="<1@a>"'), "HTML"),
            (parts("mixed", PLAIN, HTML), "plain\n\nHTML"),
            (parts("mixed", PLAIN, "Content-Type: text/enriched\n\nrich"), "plain\n\nrich"),
            (parts("mixed", PLAIN, "Content-Type: text/calendar; name=a.ics\n\nDAY"), "plain"),
            (parts("mixed", PLAIN.replace("plain", "plain; name=body", 1)), "plain"),
            (parts("mixed", HTML, "Content-Type: message/partial; id=1\n\n" + PLAIN), "HTML"),
            ("Content-Type: text/plain; format=flowed; delsp=yes\n\npla \nin", "plain"),
        ],
    )
    def test_of_parts_those_are_read_that_programs_show(self, parts: str, text: str) -> None:
        assert read(f"Subject: Rules\n{parts}".encode()).text == f"Rules\n\n{text}"

    def test_alternatives_in_the_wrong_order_are_uncertain(self) -> None:
        source = read(f"Subject: Rules\n{parts('alternative', HTML, PLAIN)}".encode())
        assert source.text.endswith("HTML")
        match = locate("HTML", Sources([source]))
        assert match is not None
        assert match.grade == "uncertain"

    def test_an_attachment_takes_no_doubt_away(self) -> None:
        message = mail()
        message.add_alternative("Hello Bob.", subtype="html")
        message.add_alternative("Hello Ann.")
        message.add_attachment("# Tea", filename="tea.md")
        assert read(bytes(message)).layout.doubts

    def test_a_header_with_two_values_is_omitted(self) -> None:
        head = "From: Ann <ann@example.org>\nFrom: Bob <bob@example.org>\nSubject: Pay\n"
        source = read(f"{head}Subject: Pay\n\nMonthly.".encode())
        assert (source.text, source.fields.authors) == ("Pay\n\nMonthly.", ())
        assert source.left_out == {"hidden": len("Ann<ann@example.org>Bob<bob@example.org>")}

    def test_attachments_follow_under_their_names(self) -> None:
        message = mail()
        message.add_attachment(
            word(), maintype="application", subtype="octet-stream", filename="Vergütung.docx"
        )
        message.add_attachment(b"\x89PNG", maintype="image", subtype="png", filename="logo.png")
        message.add_attachment("Tea is free.", filename="../notes.txt")
        content = bytes(message)
        assert read(content).text.endswith(
            "Hello Bob.\n\nVergütung.docx\n\nPay\n\nPay is monthly.\n\nBonus | 500\n\n"
            "notes.txt\n\nTea is free.\n"
        )
        place = "Rules › Vergütung.docx › Pay, paragraph 2 of *Vergütung.docx*"
        assert place_of(content, "Pay is monthly") == place
        assert place_of(content, "Tea") == "Rules › notes.txt, attachment *notes.txt*"
        assert "table 1, row *Bonus*, column 2" in place_of(content, "500")

    def test_pages_of_an_attached_pdf_are_places(self) -> None:
        message = mail()
        with open("docs/example/paper/minimap2.pdf", "rb") as file:
            message.add_attachment(
                file.read(), maintype="application", subtype="pdf", filename="paper.pdf"
            )
        assert place_of(bytes(message), "2.3 Aligning").endswith("p. 3 of *paper.pdf*")

    def test_forwarded_mails_are_attachments(self) -> None:
        inner = mail("Notice is one month.")
        inner.replace_header("Subject", "Notice")
        message = mail()
        message.add_attachment(inner)
        place = "Rules › Notice › Notice, paragraph 1 of *Notice*"
        assert place_of(bytes(message), "Notice is one month") == place

    def test_wrong_and_missing_charsets(self) -> None:
        for charset in (b"", b"; charset=unknown-8bit", b"; charset=us-ascii"):
            head = b"Subject: Caf\xc3\xa9\nContent-Type: text/plain" + charset + b"\n\n"
            assert read(head + "Zürich".encode()).text == "Café\n\nZürich"
            assert read(head + "Zürich".encode("cp1252")).text == "Café\n\nZürich"

    def test_a_cut_mail_is_read_as_far_as_it_goes(self) -> None:
        message = mail()
        message.add_alternative("<p>Hello</p>", subtype="html")
        assert read(bytes(message)[:-60]).text.endswith("Hello Bob.")

    @each_row(
        "header",
        [
            f"Subject: {' '.join(['=?utf-8?q?a?='] * 6_000)}",
            f"Content-Type: text/plain; {' '.join(f'a*{n}*=x;' for n in range(4_000))}",
        ],
    )
    def test_headers_of_any_length_are_read_in_a_moment(self, header: str) -> None:
        content = f"From: a@example.org\r\n{header}\r\n\r\nLunch is free.\r\n".encode()
        assert read(content).text.endswith("Lunch is free.")

    def test_what_cannot_be_read_is_rejected(self) -> None:
        nested = mail()
        for _ in range(12):
            outer = mail()
            outer.add_attachment(nested)
            nested = outer
        damaged = mail()
        damaged.add_attachment(
            b"PK\x03\x04", maintype="application", subtype="zip", filename="b.docx"
        )
        many = mail()
        for _ in range(1_000):
            many.add_attachment(b"x", maintype="image", subtype="png")
        for content, message in [
            (b"Only some text.", "is damaged: no mail"),
            (b"Subject: a\nContent-Type: multipart/encrypted; boundary=x\n\n--x--", "is encrypted"),
            (bytes(nested), "is nested too deeply"),
            (bytes(many), "has more than 1,000 parts"),
            (bytes(damaged), r"b\.docx: "),
            (b"Subject: a\n\n" + b"a " * 50_000_000, "is larger than is read of a mail"),
        ]:
            with pytest.raises(InvalidSourcesError, match=rf"a\.eml: {message}"):
                read(content)
