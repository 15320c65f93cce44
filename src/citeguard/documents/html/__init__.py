"""HTML files: the main text of a page, without what surrounds it."""
