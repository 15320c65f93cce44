"""Facts checked against pages: statement, queries, pages, passages, verdict."""
