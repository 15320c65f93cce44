"""Tokens read so that what means the same by construction is the same.

English contractions, British and American spelling, number words, digits with any separators,
dates, and words for "%". Where neither form is another word: "its" and "it's" stay two words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from citeguard.language.numbers import find_figures
from citeguard.language.tokens import Kind, Token
from citeguard.language.variants import (
    CONTRACTED,
    HAD,
    IS,
    PERCENT,
    PERCENT_PHRASES,
    contracted_verb,
    expand_contraction,
    us_spelling,
)


def normal_form(text: str, tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens of a text with equivalent ones made equal; their intervals stay.

    Args:
        text: The text.
        tokens: Its tokens without marks.

    Examples:
        >>> from citeguard.language.tokens import tokenize
        >>> text = "They won't visit twelve theatres, nor ninety (90) others"
        >>> " ".join(token.key for token in normal_form(text, tokenize(text)))
        'they will not visit 12 theaters nor 90 others'
    """
    figures = {figure.first: figure for figure in find_figures(text, tokens)}
    normal: list[Token] = []
    i = 0
    while i < len(tokens):
        token, end = tokens[i], i + 1
        before = normal[-1] if normal else None
        if i in figures:
            end = figures[i].end
            number = _joined(tokens[i:end], figures[i].key, "number")
            if before is not None and _is_restated(text, before, number):
                close = text.index(")", number.end) + 1
                normal[-1] = before._replace(end=close)
            else:
                normal.append(number)
        elif (
            before is not None and before.kind == "number" and (width := _percent_width(tokens, i))
        ):
            end = i + width
            normal.append(_joined(tokens[i:end], "%", "symbol"))
        elif token.kind == "word":
            normal += _expanded(token)
        else:
            normal.append(token)
        i = end
    keys = [token.key for token in normal]
    for i in range(1, len(normal)):
        if keys[i] in CONTRACTED:
            verb = contracted_verb(keys[i - 1], keys[i], keys[i + 1 : i + 4])
            normal[i] = normal[i]._replace(key=verb)
    return normal


def _is_restated(text: str, number: Token, again: Token) -> bool:
    """Return whether a number is repeated in brackets, once in words: "ninety (90)"."""
    if number.kind != "number" or number.key != again.key:
        return False
    brackets = text[number.end : again.start].strip(), text[again.end : again.end + 1]
    written = text[number.start : number.end], text[again.start : again.end]
    in_words = [not any(map(str.isdecimal, each)) for each in written]
    return brackets == ("(", ")") and in_words[0] != in_words[1]


def _joined(tokens: Sequence[Token], key: str, kind: Kind) -> Token:
    if len(tokens) == 1 and tokens[0].key == key:
        return tokens[0]
    return tokens[0]._replace(key=key, text=key, end=tokens[-1].end, kind=kind)


def _percent_width(tokens: Sequence[Token], i: int) -> int:
    """Return how many tokens from a place, behind a number, mean "%"."""
    if tokens[i].key in PERCENT:
        return 1
    keys = tuple(token.key for token in tokens[i : i + 12])
    return next((len(each) for each in PERCENT_PHRASES if keys[: len(each)] == each), 0)


def _expanded(token: Token) -> Iterator[Token]:
    """Yield a word in American spelling, or the words that it contracts."""
    words = expand_contraction(token.key)
    if len(words) == 1:
        words = (us_spelling(token.key),)
    # "Mr Grey" is not "Mr Gray".
    if words == (token.key,) or (token.key == "grey" and token.text[0].isupper()):
        yield token
        return
    first = words[0]
    if token.text.isupper() and len(token.text) > 1:
        cased = first.upper()
    else:
        cased = first.capitalize() if token.text[0].isupper() else first
    yield token._replace(key=first, text=cased)
    for word in words[1:]:
        yield token._replace(key=word, text=word)


def are_two_verbs(quoted: Token, source: Token) -> bool:
    """Return whether equal tokens are "is" and "has", or "had" and "would", both written out."""
    if quoted.key not in (IS, HAD):
        return False
    words = quoted.text.lower(), source.text.lower()
    return words[0] != words[1] and quoted.key not in words
