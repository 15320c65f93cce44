"""How a quote and its source differ, word by word, in few words.

Written `[-what the quote says-] {+what the source says+}`, as `wdiff` does, with words around.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from citeguard.language.excerpts import CUT, shown
from citeguard.language.scripts import UNSPACED
from citeguard.sources.matches import Edit

_Interval = tuple[int, int]  # half-open; of code points

_DIFF_LIMIT = 180
# One difference always fits: words before it, both its sides, and the marks.
_SIDE_LIMIT = 60
_CONTEXT_LIMIT = 40
# Bounds of work, not of output: what lies beyond them could not be shown anyway.
_DIFF_CHARACTERS = 60_000
_DIFF_TOKENS = 150

# Scripts without spaces are compared character by character.
_TOKEN = f"[{UNSPACED}]|[^\\W{UNSPACED}]+(?:[.,:/'’-][^\\W{UNSPACED}]+)*|[^\\w\\s]"
_GLYPHS = str.maketrans("‘’‚‛“”„‟‐‑", "''''\"\"\"\"--")


def word_diff(quote: str, passage: str, edits: Sequence[Edit] = (), exact: bool = False) -> str:
    """Show the words that differ, `[-quote-] {+source+}`, in at most 180 characters.

    Starts at the first material edit that can be told apart. Words that differ in the shape of
    their quotation marks or hyphens only are the same, unless `exact`; so are different spaces,
    always. When no words differ, lists the material edits; without any, returns an empty text.

    Examples:
        >>> word_diff("Visitors may enter the lab.", "Visitors may not enter the lab.")
        'Visitors may {+not+} enter the lab'
    """
    groups = _groups(quote[:_DIFF_CHARACTERS], passage[:_DIFF_CHARACTERS], exact)
    if not groups:
        return list_edits(edits)
    first = next((i for i, group in enumerate(groups) if _shows(group, edits)), 0)
    pieces = ["…"] if first else []
    for group in groups[first:]:
        pieces += [*group, "…"]
    return _joined(pieces[:-1], " ")


def _groups(quote: str, passage: str, exact: bool) -> list[list[str]]:
    ours, theirs = _tokens(quote), _tokens(passage)
    a, b = _keys(quote, ours, exact), _keys(passage, theirs, exact)
    alike = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), None)
    skip = max(0, (min(len(a), len(b)) if alike is None else alike) - 4)
    window = slice(skip, skip + _DIFF_TOKENS)
    matcher = SequenceMatcher(None, a[window], b[window], autojunk=False)
    ours, theirs = ours[window], theirs[window]
    return [
        [
            _same(passage, theirs[j:k])
            if tag == "equal"
            else _changed(_text(quote, ours[h:i]), _text(passage, theirs[j:k]))
            for tag, h, i, j, k in group
        ]
        for group in matcher.get_grouped_opcodes(3)
    ]


def _tokens(text: str) -> list[_Interval]:
    return [token.span() for token in re.finditer(_TOKEN, text)]


def _keys(text: str, tokens: Sequence[_Interval], exact: bool) -> list[str]:
    read = text if exact else text.translate(_GLYPHS)
    return [read[start:end] for start, end in tokens]


def _text(text: str, tokens: Sequence[_Interval]) -> str:
    return text[tokens[0][0] : tokens[-1][1]] if tokens else ""


def _same(passage: str, tokens: Sequence[_Interval]) -> str:
    return shown(_text(passage, tokens), _CONTEXT_LIMIT)


def _changed(quoted: str, source: str) -> str:
    sides = ("[-{}-]", quoted), ("{{+{}+}}", source)
    return " ".join(mark.format(shown(side, _SIDE_LIMIT)) for mark, side in sides if side)


def _shows(group: Sequence[str], edits: Sequence[Edit]) -> bool:
    changes = " ".join(piece for piece in group if piece.startswith(("[-", "{+")))
    sides = (side for edit in edits if edit.material for side in (edit.quoted, edit.source))
    return any(side.strip() and side.strip() in changes for side in sides)


def list_edits(edits: Sequence[Edit]) -> str:
    """Show the edits that are material, in at most 180 characters."""
    changes = (_changed(edit.quoted, edit.source) for edit in edits if edit.material)
    return _joined([change for change in dict.fromkeys(changes) if change], "; ")


def _joined(pieces: Sequence[str], separator: str) -> str:
    shown = ""
    for piece in pieces:
        longer = f"{shown}{separator}{piece}" if shown else piece
        if len(longer) > _DIFF_LIMIT - len(CUT):
            return shown + CUT
        shown = longer
    return shown
