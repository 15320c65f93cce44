"""What the fast algorithms are measured against: slow ones, from the definition."""

from __future__ import annotations

from random import Random

import numpy as np


def end_distances_by_table(pattern: str, text: str) -> list[int]:
    """Fill the dynamic-programming table of semi-global edit distance; return its last row.

    Entry `j` is the least distance of the pattern to a substring that ends before `text[j]`.
    """
    codes = np.array([ord(char) for char in text], dtype=np.int64)
    steps = np.arange(len(text) + 1)
    row = np.zeros(len(text) + 1, dtype=np.int64)
    for char in pattern:
        below = row + 1
        below[1:] = np.minimum(below[1:], row[:-1] + (codes != ord(char)))
        # A gap in the pattern: the least of all cells to the left, one edit a step.
        row = np.minimum.accumulate(below - steps) + steps
    return row.tolist()


def semi_global_distance(pattern: str, text: str) -> int:
    """Return the least edit distance of a pattern to any substring of a text."""
    return min(end_distances_by_table(pattern, text))


def edit_distance(one: str, other: str) -> int:
    """Return the edit distance of two whole strings, by the textbook recurrence."""
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, start=1):
        previous, row = row, [i]
        for j, b in enumerate(other, start=1):
            row.append(min(previous[j] + 1, row[j - 1] + 1, previous[j - 1] + (a != b)))
    return row[-1]


def edited(words: str, edits: int, alphabet: str, random: Random) -> str:
    """Return a string after random insertions, deletions and substitutions."""
    chars = list(words)
    for _ in range(edits):
        place = random.randrange(len(chars) + 1)
        operation = random.choice("idr")
        if operation == "i":
            chars.insert(place, random.choice(alphabet))
        elif place < len(chars):
            chars[place : place + 1] = [random.choice(alphabet)] if operation == "r" else []
    return "".join(chars)


def random_text(random: Random, alphabet: str, most: int) -> str:
    """Return letters at random; every other time, a short period repeated with slips in it."""
    length = random.randint(0, most)
    if random.random() < 0.5:
        return "".join(random.choices(alphabet, k=length))
    period = "".join(random.choices(alphabet, k=random.randint(1, 12)))
    return edited((period * length)[:length], random.randint(0, 6), alphabet, random)
