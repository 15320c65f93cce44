"""What keeps a statement from being similar to a passage, however close their vectors are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from citeguard.facts import contrasts
from citeguard.quotes.canonical import PreparedText
from citeguard.quotes.differences import Edit
from citeguard.quotes.find import QuoteForm, find_quote
from citeguard.verifier.differences import CONFLICTING, Difference

VERSION = "1"
"""Changes with what the check makes of the same vectors: verdicts are kept under it."""

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def difference(statement: str, passage: str, evidence: Sequence[str]) -> Difference | None:
    """Return the first difference of fact between a statement and a passage, if there is one.

    That is a negation, number, name or opposite, where the two say the same thing about the same
    things otherwise; or a number or a negation that is changed in words that are else the same.

    Args:
        statement: What is compared.
        passage: With what: a sentence, or a few.
        evidence: All that is cited. A name in it is known, though the passage may say "she".
    """
    found = chain(_contrasting(statement, passage, evidence), _altered(statement, passage))
    return next(found, None)


def _contrasting(statement: str, passage: str, evidence: Iterable[str]) -> Iterator[Difference]:
    for each in contrasts(statement, passage):
        known = not each.found and any(_has(text, each.stated) for text in evidence)
        if each.kind in CONFLICTING and not known:
            yield Difference(each.stated, each.found)


def _has(text: str, words: str) -> bool:
    return words.casefold() in text.casefold()


def _altered(statement: str, passage: str) -> Iterator[Difference]:
    """Yield what is changed if the statement is else a quote of the passage."""
    quote = QuoteForm(statement)
    found = find_quote(quote, PreparedText(passage)) if quote.letters else None
    material = [edit for edit in found.edits if edit.material] if found else []
    if all(map(_changes_a_fact, material)):
        yield from (Difference(edit.quoted, edit.source) for edit in material)


def _changes_a_fact(edit: Edit) -> bool:
    if edit.reason == "negation":
        return edit.operation != "replace"
    quoted, source = (set(_NUMBER.findall(words)) for words in (edit.quoted, edit.source))
    return bool(quoted and source and quoted != source)
