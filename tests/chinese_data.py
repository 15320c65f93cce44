"""Writes `language/data/chinese.toml` from the dictionaries of OpenCC.

Unpack the package `opencc-python-reimplemented` 0.1.7, and run `python -m tests.chinese_data` with
its folder `dictionary`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from textwrap import wrap

from citeguard.language import chinese

_HEADER = """\
# Traditional Chinese characters, each with its simplified one. Written by tests/chinese_data.py
# from OpenCC (Copyright Carbo Kuo and contributors, Apache License 2.0; see NOTICE.md).

"""
_FIRST, _LAST = "\u4e00", "\u9fff"  # what any font has
# By hand: "臺灣" and "台灣" are both traditional; OpenCC has rules for the words of "著" and "着".
_SAME_BY_HAND, _MERGED_BY_HAND, _BOTH_BY_HAND = {"臺": "台", "衞": "衛"}, {"著": "着"}, "著"
_ALSO = "畫划餘馀鍾锺"


def _load(path: Path) -> dict[str, list[str]]:
    rows = (line.split("\t") for line in path.read_text("utf-8").splitlines())
    return {row[0]: row[1].split() for row in rows}


def _sort(folder: Path) -> tuple[dict[str, str], dict[str, str], set[str]]:
    """Return the pairs of the same word, those that merge two, and what all texts may have."""
    to_simplified, to_traditional = (_load(folder / f"{n}Characters.txt") for n in ("TS", "ST"))
    standard = {each for row in to_traditional.values() for each in row}
    same, merged = dict(_SAME_BY_HAND), dict(_MERGED_BY_HAND)
    both = {char for char, row in to_traditional.items() if char in row}
    both |= {char for char, row in to_simplified.items() if char in row}
    for char, row in to_simplified.items():
        simplified = next((each for each in row if each != char), char)
        if simplified == char or not all(_FIRST <= each <= _LAST for each in char + simplified):
            continue
        originals = [each for each in to_traditional.get(simplified, ()) if each != simplified]
        if char not in standard and len(originals) == 1 and char not in both:
            same.setdefault(char, originals[0])  # a variant
        elif originals == [char] and not both.intersection(char + simplified):
            same.setdefault(char, simplified)
        else:
            merged.setdefault(char, simplified)
    used = {*same, *same.values(), *merged, *merged.values()}
    return same, merged, both.union(_BOTH_BY_HAND) & used


def _table(name: str, comment: str, entries: Iterable[str]) -> str:
    lines = wrap("".join(entries), 96)
    return "\n".join((f"# {comment}", f"{name} = '''", *lines, "'''", ""))


def main(folder: str) -> None:
    """Write the file."""
    same, merged, both = _sort(Path(folder))
    pairs = [map("".join, sorted(each.items())) for each in (same, merged)]
    tables = (
        _table("same", "One word in both, or two forms of one.", pairs[0]),
        _table("merged", "One of several words that are one character.", pairs[1]),
        _table("also", "Second forms.", _ALSO),
        _table("both", "What traditional and simplified texts may have.", sorted(both)),
    )
    chinese.PATH.write_text(_HEADER + "\n".join(tables), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
