"""A benchmark of quotes that comes with the package, and the tools that it compares."""
