"""Tokens read so that what means the same by construction is the same.

English contractions, British and American spelling, number words, digits with any separators,
dates, and words for "%". Where neither form is another word: "its" and "it's" stay two words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from citeguard.language.numbers import find_figures
from citeguard.language.quantities import CARDINALS, MAGNITUDES, TENS
from citeguard.language.tokens import Kind, Token, tokenize
from citeguard.language.variants import (
    CONTRACTED,
    HAD,
    IS,
    PERCENT,
    PERCENT_PHRASES,
    contracted_verb,
    expand_contraction,
    may_vary,
    us_spelling,
)
from citeguard.quotes.folding import fold

_WORDS = {str(value): word for word, value in (CARDINALS | TENS).items()}


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


def other_letters(text: str) -> list[str]:
    """Return the letters of a text in normal form, and so with small numbers in words.

    Approximate search finds the other equivalents, unless the text is short.

    Examples:
        >>> other_letters("I have twelve"), other_letters("It fell by 25 %")
        (['ihave12'], ['itfellbytwentyfivepercent'])
    """
    if not any(map(may_vary, text.split())):
        return []
    tokens = [token for token in tokenize(text) if token.kind != "mark"]
    keys = [token.key for token in normal_form(text, tokens)]
    forms = fold(" ".join(keys)), fold(" ".join(map(_in_words, keys)))
    return [form for form in dict.fromkeys(forms) if form != fold(text)]


def _in_words(key: str) -> str:
    """Return a number that is often written in words, or "%", in English words."""
    if key == "%":
        return "percent"
    for word, value in MAGNITUDES.items():
        if value > 12 and key.endswith("0" * (len(str(int(value))) - 1)):
            count = key[: 1 - len(str(int(value)))]
            if count in _WORDS:
                return f"{_WORDS[count]} {word}"
    tens = f"{key[:1]}0"
    is_joined = len(key) == 2 and key not in _WORDS and tens in _WORDS and key[1] in _WORDS
    return f"{_WORDS[tens]} {_WORDS[key[1]]}" if is_joined else _WORDS.get(key, key)
