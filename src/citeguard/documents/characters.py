"""Characters for what pages show, such as x² and H₂O; and those that no page shows."""

from __future__ import annotations

import re

_SIGNS = "0123456789+-−=()"
_RAISED = str.maketrans(_SIGNS, "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾")
_LOWERED = str.maketrans(_SIGNS, "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎")
_NUMBERS = re.compile(r"[0-9+−=()-]+(?:\s?,\s?[0-9]+)*")
_NOTES = re.compile(r"[0-9]{1,3}(?:\s?[,–—-]\s?[0-9]{1,3})*|[a-z]")
_RANGE = re.compile(r"[0-9]\s?[–—-]\s?[0-9]")
_INVISIBLE = str.maketrans("", "", "\xad\u200b\u2060\ufeff")  # soft hyphens, blanks of no width


def visible(text: str) -> str:
    r"""Return a text without characters that a page does not show.

    Examples:
        >>> visible("infor\xadmation")
        'information'
    """
    return text.translate(_INVISIBLE)


def raised(text: str) -> str:
    """Return what is raised as plain text that does not read as part of the word before it.

    Numbers become superscripts; a range of them, which is a mark of notes, stands in brackets.
    Words stay as they are: 4th.

    Examples:
        >>> ["word" + raised(text) for text in ("3", "-1", "1–3", "th")]
        ['word³', 'word⁻¹', 'word[1–3]', 'wordth']
    """
    if _NOTES.fullmatch(text) and _RANGE.search(text):
        return note_mark(text)
    return text.translate(_RAISED) if _NUMBERS.fullmatch(text) else text


def note_mark(text: str) -> str:
    """Return the mark of a note as plain text: a number or a letter in brackets, else as it is.

    Examples:
        >>> [note_mark(text) for text in ("12", "a", "[12]", "†")]
        ['[12]', '[a]', '[12]', '†']
    """
    return f"[{text}]" if _NOTES.fullmatch(text) else text


def lowered(text: str) -> str:
    """Return what is lowered as plain text: numbers as subscripts, else as it is.

    Examples:
        >>> [f"CO{lowered('2')}", f"x{lowered('max')}"]
        ['CO₂', 'xmax']
    """
    return text.translate(_LOWERED) if _NUMBERS.fullmatch(text) else text
