"""A report of a fact check as people read it: HTML, Markdown, and for a terminal."""
