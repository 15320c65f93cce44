"""Where a library keeps passages with their vectors: one SQLite file, or a database server."""
