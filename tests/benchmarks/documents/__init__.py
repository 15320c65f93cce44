"""How well quotes are found in PDF files and web pages, and how fast long files are read."""
