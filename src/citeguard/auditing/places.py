"""What a report keeps of its sources: `AuditedSource`, its pages, and places in it."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from citeguard.sources.layout import Box, name_of_place


class Part(BaseModel):
    """A part of a report: it never changes, and has no fields but its own."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class AuditedPage(Part):
    """A page of a source that was read from a PDF file.

    Attributes:
        number: Which page of the file it is, from 1.
        label: What the file calls it: "iv"; the number as text where it calls it nothing.
        width: In points, 1/72 inch, as the page is shown.
        height: The same.
        start: Where its words start in the source's text, in code points; `None` if it has none.
        picture: A picture of the page, as PNG in Base64; empty for pages that no claim rests on,
            for those that were too many, and for one that takes too long to draw.
    """

    number: int
    label: str
    width: float
    height: float
    start: int | None = None
    picture: str = Field(default="", pattern="^[A-Za-z0-9+/]*=*$", repr=False)

    @property
    def name(self) -> str:
        """The page, for a reader: `p. 4`.

        Examples:
            >>> AuditedPage(number=16, label="iv", width=612, height=792).name
            'p. iv (16 of the file)'
        """
        return name_of_place(page=self.number, page_label=self.label)


class AuditedSource(Part):
    """A source as it was when the text was audited.

    Attributes:
        id: What citations call it.
        text: Its words.
        title: What it is called.
        url: Where it stands on the web.
        pages: The pages of a PDF file, in order.
    """

    id: str
    text: str = Field(repr=False)
    title: str | None = None
    url: str | None = None
    pages: tuple[AuditedPage, ...] = Field(default=(), repr=False)


class Place(Part):
    """Words of a source.

    Attributes:
        source_id: The source.
        start: Where they start in its text, in code points.
        end: Where they end, exclusive.
        line: The number of the line they start on, from 1; `None` for HTML and PDF, whose lines
            say nothing to a reader.
        text: The words, as the source has them.
        headings: The headings above, the highest first.
        page: The number of the page they start on, from 1; `None` in a file without pages.
        page_label: What the file calls that page.
        boxes: What they cover, line by line, on this page and the next; empty without pages.
    """

    source_id: str
    start: int
    end: int
    line: int | None = None
    text: str
    headings: tuple[str, ...] = ()
    page: int | None = None
    page_label: str | None = None
    boxes: tuple[Box, ...] = Field(default=(), repr=False)

    @property
    def name(self) -> str:
        """The place, for a reader: `p. 4, Results`, or `line 12`; empty if nothing is known.

        Examples:
            >>> Place(source_id="handbook", start=0, end=3, line=12, text="One").name
            'line 12'
        """
        return name_of_place(
            page=self.page, page_label=self.page_label, headings=self.headings, line=self.line
        )
