"""Traditional and simplified Chinese: which characters are one word in two ways of writing.

Most traditional characters have one simplified form, and nothing else has it. Some forms are those
of two words ("发" is "發" or "髮") or a word of traditional texts as well ("后", "面").
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

PATH = Path(__file__).with_name("data") / "chinese.toml"
_FIRST, _LAST = "\u4e00", "\u9fff"


@dataclass(frozen=True)
class _Tables:
    """The pairs of the file, and the characters of which either way of writing has no other use."""

    same: dict[str, str]
    merged: dict[str, str]
    both: frozenset[str]
    also: dict[str, str]

    @cached_property
    def traditional(self) -> frozenset[str]:
        return frozenset((*self.same, *self.merged)) - self.both

    @cached_property
    def simplified(self) -> frozenset[str]:
        forms = frozenset((*self.same.values(), *self.merged.values()))
        return forms - self.traditional - self.both


@cache
def _tables() -> _Tables:
    data = tomllib.loads(PATH.read_text("utf-8"))
    tables = {name: "".join(row.split()) for name, row in data.items()}
    same, merged, also = (
        dict(zip(tables[name][::2], tables[name][1::2], strict=True))
        for name in ("same", "merged", "also")
    )
    return _Tables(same, merged, frozenset(tables["both"]), also)


def is_ideograph(char: str) -> bool:
    """Return whether a character is of the block that has all ideographs in common use."""
    return _FIRST <= char <= _LAST


def simplify(char: str) -> str:
    """Return the simplified form of a character, which may be that of another word as well.

    Examples:
        >>> [simplify(char) for char in "國髮發发面A"]
        ['国', '发', '发', '发', '面', 'A']
    """
    if not is_ideograph(char):
        return char
    tables = _tables()
    char = _end(tables.same, char)
    return tables.merged.get(char, char)


def may_be_same_character(one: str, other: str) -> bool:
    """Return whether two characters are forms of one word in some text.

    Examples:
        >>> [may_be_same_character(*pair) for pair in ("髮发", "畫画", "畫划", "髮國")]
        [True, True, True, False]
    """
    also = _tables().also
    return simplify(one) == simplify(other) or also.get(one) == other or also.get(other) == one


def are_same_character(one: str, other: str) -> bool:
    """Return whether two characters are one word in whatever text they are.

    Examples:
        >>> are_same_character("國", "国"), are_same_character("裡", "裏")
        (True, True)
        >>> are_same_character("髮", "发"), are_same_character("後", "后")
        (False, False)
    """
    same = _tables().same
    return _end(same, one) == _end(same, other)


def _end(same: dict[str, str], char: str) -> str:
    char = same.get(char, char)
    return same.get(char, char)  # of a variant


def is_simplified(text: str) -> bool:
    """Return whether a text has simplified characters, and no traditional ones.

    Examples:
        >>> [is_simplified(text) for text in ("头发长", "頭髮長", "头髮", "后面")]
        [True, False, False, False]
    """
    tables = _tables()
    return not tables.simplified.isdisjoint(text) and tables.traditional.isdisjoint(text)
