"""Codes of what is wrong with samples, counted: `most_frequent_first`."""

from __future__ import annotations

from collections.abc import Mapping


def most_frequent_first(counts: Mapping[str, int]) -> dict[str, int]:
    """Return counts of codes, the greatest one first.

    Equal ones are ordered by their codes, so that it is the same however they were added up.

    Examples:
        >>> most_frequent_first({"undecided": 1, "quote_altered": 1, "quote_not_found": 2})
        {'quote_not_found': 2, 'quote_altered': 1, 'undecided': 1}
    """
    return dict(sorted(counts.items(), key=lambda counted: (-counted[1], counted[0])))
