"""Measure how documents are read: quotes in PDF files, quotes in web pages, long files.

    python -m tests.benchmarks.documents DATA_FOLDER [--only PART] [--folder FOLDER]

Prints Markdown tables, and what was not found. PDF files are made with reportlab and, where they
are installed, Chromium (with `pdfinfo`, of poppler) and pdfLaTeX.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

from ..tables import command, write
from .html_quotes import page_tables
from .pdf_quotes import quote_tables
from .speed import speed_tables

_PARTS = {"quotes": quote_tables, "html": page_tables, "speed": speed_tables}

if __name__ == "__main__":
    parser = command("documents", __doc__)
    parser.add_argument("--only", choices=_PARTS, nargs="+", default=[*_PARTS], help="run these")
    parser.add_argument("--folder", type=Path, help="keep the documents here, and use what is kept")
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        made = options.folder or Path(folder)
        made.mkdir(parents=True, exist_ok=True)
        for part in options.only:
            write(_PARTS[part](options.data, made))
