"""What is searched for: the statement itself, and its names."""

from __future__ import annotations

import re
from collections.abc import Iterable

from citeguard.web.names import names_in
from citeguard.web.search import as_words, fitted

_LONGEST_NAMES = 12  # words of a query made of names


def local_queries(statement: str, context: str = "") -> tuple[str, ...]:
    """Return queries for a statement, without a model: its words, and its names with its numbers.

    The `context` are the words before it that a pronoun refers to; their names are added.
    """
    before = list(dict.fromkeys(each.text for each in names_in(context)))
    named = list(dict.fromkeys([*before, *(each.text for each in names_in(statement))]))
    queries = [" ".join([*before, statement])]
    if named or before:
        numbers = re.findall(r"\d[\d.,:/-]*\d|\d", statement)
        queries.append(" ".join(" ".join([*named, *numbers]).split()[:_LONGEST_NAMES]))
    return distinct_queries(queries)


def distinct_queries(queries: Iterable[str]) -> tuple[str, ...]:
    r"""Return queries without operators, on one line and as long as services take them.

    Blank ones are left out, and those that differ in no word.

    Examples:
        >>> distinct_queries(["Rain  fell\nin\tOslo.", 'site:evil.example "Rain" -fell', "rain fell in oslo"])
        ('Rain fell in Oslo.', 'site evil.example Rain fell')
    """  # noqa: E501
    kept: dict[str, str] = {}
    for query in (fitted(as_words(each)) for each in queries):
        words = re.findall(r"\w+", query.casefold())
        if words:
            kept.setdefault(" ".join(words), query)
    return tuple(kept.values())
