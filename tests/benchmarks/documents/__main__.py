"""Measure how documents are read: quotes in PDF files, quotes in web pages, long files.

    python -m tests.benchmarks.documents DATA_FOLDER

Prints Markdown tables, and what was not found. PDF files are made with reportlab and, where they
are installed, Chromium (with `pdfinfo`, of poppler) and pdfLaTeX.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

from ..tables import command, write
from .html_quotes import page_tables
from .pdf_quotes import quote_tables
from .speed import speed_table

if __name__ == "__main__":
    data = command("documents", __doc__).parse_args().data
    with TemporaryDirectory() as folder:
        for part in (quote_tables, page_tables, speed_table):
            write(part(data, Path(folder)))
