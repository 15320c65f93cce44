"""Tokens read so that what means the same by construction is the same; and how else to search it.

`normal_form` expands contractions and reads spelling, numbers, dates and percent in one form, so
that two texts can be compared. `other_letters` writes a quote in the other forms, to find it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import islice, product

from rapidfuzz.distance import Levenshtein

from citeguard.language.lexicon import find_language
from citeguard.language.numbers import find_figures
from citeguard.language.numerals import has_numeral, read_values
from citeguard.language.quantities import MONTH_NAMES, ORDINALS
from citeguard.language.tokens import Kind, Token, length_of, tokenize
from citeguard.language.units import may_be_unit, read_units
from citeguard.language.variants import (
    CONTRACTED,
    HAD,
    IS,
    PERCENT,
    PERCENT_BEFORE,
    PERCENT_PHRASES,
    contract,
    contracted_verb,
    expand_contraction,
    in_words,
    uk_spelling,
    us_spelling,
    which_vary,
)
from citeguard.quotes.canonical import PreparedText, fold, search_letters
from citeguard.quotes.search import LONGEST


def may_be_quantity(word: str, language: str) -> bool:
    """Return whether a word may be a number of a language or a unit; a quick test."""
    return has_numeral(word, language) or may_be_unit(word)


def normal_form(text: str, tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens of a text with equivalent ones made equal; their intervals stay.

    Args:
        text: The text.
        tokens: Its tokens without marks.

    Examples:
        >>> from citeguard.language.tokens import tokenize
        >>> text = "They won't visit twelve theatres"
        >>> " ".join(token.key for token in normal_form(text, tokenize(text)))
        'they will not visit 12 theaters'
    """
    figures = {figure.first: figure for figure in find_figures(text, tokens)}
    normal: list[Token] = []
    i = 0
    while i < len(tokens):
        token, end = tokens[i], i + 1
        if i in figures:
            end = figures[i].end
            normal.append(_joined(tokens[i:end], figures[i].key, "number"))
        elif width := _percent_width(
            tokens, i, behind=bool(normal) and normal[-1].kind == "number"
        ):
            end = i + width
            normal.append(_joined(tokens[i:end], "%", "symbol"))
        elif token.kind == "word":
            words = _read(token.key)
            # "Mr Grey" is not "Mr Gray".
            same = words == (token.key,) or (token.key == "grey" and token.text[0].isupper())
            normal += [token] if same else _expanded(token, words)
        else:
            normal.append(token)
        i = end
    keys = [token.key for token in normal]
    for i in range(1, len(normal)):
        if keys[i] in CONTRACTED:
            verb = contracted_verb(keys[i - 1], keys[i], keys[i + 1 : i + 4])
            normal[i] = normal[i]._replace(key=verb)
    return normal


def read_quantities(
    text: str,
    tokens: Sequence[Token],
    language: str,
    *,
    nearby: str = "",
) -> list[Token]:
    """Return the tokens of a text in normal form, with its values and units in any language.

    Args:
        text: The text.
        tokens: Its tokens without marks.
        language: The code of its language, "" if unknown.
        nearby: More of the text, which shows its decimal mark and what a name means.

    Examples:
        >>> text = "nach neunzig (90) Tagen und 20 s"
        >>> [token.key for token in read_quantities(text, tokenize(text), "de")][:3]
        ['nach', '90', 'duration-day']
    """
    read = read_values(text, tokens, language, nearby=nearby)
    if language not in ("en", ""):  # American spelling is for English only
        read = read_units(text, _restated_once(text, read), language, nearby=nearby)
        return normal_form(text, read)
    read = normal_form(text, read)
    return read_units(text, _restated_once(text, read), language, nearby=nearby)


def _restated_once(text: str, tokens: list[Token]) -> list[Token]:
    """Return tokens with a number and the same in brackets as one: "ninety (90)"."""
    once: list[Token] = []
    for token in tokens:
        if once and _is_restated(text, once[-1], token):
            end = text.index(")", token.end) + 1
            once[-1] = once[-1]._replace(end=end)
        else:
            once.append(token)
    return once


def _is_restated(text: str, number: Token, again: Token) -> bool:
    if number.kind != "number" or again.kind != "number" or number.key != again.key:
        return False
    brackets = text[number.end : again.start].strip(), text[again.end : again.end + 1]
    written = text[number.start : number.end], text[again.start : again.end]
    in_words = [not any(map(str.isdecimal, each)) for each in written]
    return brackets == ("(", ")") and in_words[0] != in_words[1]


def _joined(tokens: Sequence[Token], key: str, kind: Kind) -> Token:
    if len(tokens) == 1 and tokens[0].key == key:
        return tokens[0]
    first = tokens[0]
    return first._replace(key=key, text=key, end=tokens[-1].end, kind=kind)


def _percent_width(tokens: Sequence[Token], i: int, *, behind: bool) -> int:
    """Return how many tokens from a place mean "%"; `behind` a number, if not before one."""
    key = tokens[i].key
    if key in PERCENT_BEFORE:
        return int(i + 1 < len(tokens) and tokens[i + 1].kind == "number")
    if not behind:
        return 0
    if key in PERCENT:
        return 1
    for phrase in PERCENT_PHRASES:
        if phrase[0] == key and phrase == tuple(token.key for token in tokens[i : i + len(phrase)]):
            return len(phrase)
    return 0


def _read(word: str) -> tuple[str, ...]:
    """Return a word of small letters in American spelling, or the words that it contracts."""
    words = expand_contraction(word)
    return (us_spelling(word),) if len(words) == 1 else words


def _expanded(token: Token, words: tuple[str, ...]) -> Iterator[Token]:
    """Yield words in the place of a token."""
    yield token._replace(key=words[0], text=_cased(words[0], token.text))
    for word in words[1:]:
        yield token._replace(key=word, text=word)


def _cased(word: str, like: str) -> str:
    if like.isupper() and len(like) > 1:
        return word.upper()
    return word.capitalize() if like[:1].isupper() else word


def are_two_verbs(quoted: Token, source: Token) -> bool:
    """Return whether equal tokens are "is" and "has", or "had" and "would", both written out."""
    if quoted.key not in (IS, HAD):
        return False
    words = quoted.text.lower(), source.text.lower()
    return words[0] != words[1] and quoted.key not in words


# Search

NEARBY = 10_000
"""Characters on either side of a passage that show how its words and numbers are written."""
_MOST_ANCHORS, _MOST_PLACES = 2, 4
_TOKEN = re.compile(r"\w+|[^\w\s]")
_SHORTEST_ANCHOR = 8  # letters, of which ideographs count double


def equivalent_intervals(quote: str, source: PreparedText) -> Iterator[tuple[int, int]]:
    """Yield where a text may have a quote with its quantities in another writing, in code points.

    The longest words of the quote between its quantities are looked for, and from there as many
    tokens as the quote has once both are read.

    Args:
        quote: The quote.
        source: The text.
    """
    if _is_missing(quote, source):
        return
    tokens = [token for token in tokenize(quote) if token.kind != "mark"]
    seen: set[tuple[int, int]] = set()
    for first, last in _anchors(quote, tokens):
        letters = search_letters(quote[tokens[first].start : tokens[last - 1].end])
        for place in islice(source.places(letters), _MOST_PLACES):
            start, end = source.form.interval(*place)
            interval = _aligned(quote, tokens, tokens[first].start, source.text, start, end)
            if interval and interval not in seen:
                seen.add(interval)
                yield interval


def _is_missing(quote: str, source: PreparedText) -> bool:
    """Return whether a text lacks more words of a quote than may differ; a cheap test."""
    words, language = quote.split(), find_language(quote, 0, len(quote))
    varying = [
        varies or not word.isascii() or has_numeral(word, language)
        for word, varies in zip(words, which_vary(words), strict=True)
    ]
    beside = zip([False, *varying], varying, [*varying[1:], False], strict=False)
    pieces: list[str] = []
    piece = ""
    for word, unsure in zip(words, map(any, beside), strict=True):
        piece = "" if unsure else piece + fold(word)
        if len(piece) >= _SHORTEST_ANCHOR:
            pieces.append(piece)
            piece = ""
    missing = (piece for piece in pieces if not any(source.places(piece)))
    most = _most_different(len(_TOKEN.findall(quote)))
    return next(islice(missing, most, None), None) is not None


def _most_different(count: int) -> int:
    """Return how many tokens of a quote may differ."""
    return max(1, count // 8)


def _anchors(quote: str, tokens: list[Token]) -> list[tuple[int, int]]:
    """Return the longest runs of tokens that are no part of a quantity, as intervals of places."""
    language = find_language(quote, 0, len(quote))
    read = read_quantities(quote, tokens, language)
    unchanged = {(token.start, token.end, token.key) for token in read if token.kind != "number"}
    runs: list[tuple[int, int]] = []
    first, varies = 0, False
    for i, token in enumerate(tokens):
        is_fixed = (token.start, token.end, token.key) in unchanged
        if token.kind != "character":  # a part of a word in most cases
            is_fixed = is_fixed and not has_numeral(token.key, language)
            is_fixed = is_fixed and not (varies and may_be_unit(token.key))
        varies = not is_fixed
        if varies:
            runs.append((first, i))
            first = i + 1
    runs.append((first, len(tokens)))

    def length(run: tuple[int, int]) -> int:
        return length_of(quote[tokens[run[0]].start : tokens[run[1] - 1].end])

    runs = [run for run in runs if run[0] < run[1] and length(run) >= _SHORTEST_ANCHOR]
    return sorted(runs, key=length, reverse=True)[:_MOST_ANCHORS]


def _aligned(
    quote: str, tokens: list[Token], anchor: int, text: str, start: int, end: int
) -> tuple[int, int] | None:
    """Return what a quote's tokens are in a text, of which one that both have is known."""
    low = max(0, start - 2 * anchor - _LONGEST_FIGURE)
    high = min(len(text), end + 2 * (len(quote) - anchor) - (end - start) + _LONGEST_FIGURE)
    nearby = text[max(0, start - NEARBY) : end + NEARBY]
    language = find_language(text, start, end)
    window = [token for token in tokenize(text[low:high], offset=low) if token.kind != "mark"]
    read = read_quantities(text, window, language, nearby=nearby)
    quoted = read_quantities(quote, tokens, language, nearby=nearby)
    here = bisect_left(read, start, key=lambda token: token.start)
    first = here - bisect_left(quoted, anchor, key=lambda token: token.start)
    passage = read[first : first + len(quoted)] if first >= 0 else []
    if len(passage) < len(quoted):
        return None
    same = sum(one.key == other.key for one, other in zip(quoted, passage, strict=True))
    if same < len(quoted) - _most_different(len(quoted)):
        return None
    return passage[0].start, max(token.end for token in passage)


_MOST_FORMS = 12
_LONGEST_FIGURE = 12  # letters of most figures in words
_END = 2  # words at either end of a text

_Options = tuple[str, ...]  # ways of writing one piece of a text, the first as it is
_CONTRACTION, _SPELLING, _FIGURE = range(3)
_MAGNITUDES = ((10**12, "trillion", "tn"), (10**9, "billion", "bn"), (10**6, "million", "m"))
_ORDINAL_WORDS = {number: word for word, number in ORDINALS.items()}


def other_letters(text: str, budget: int) -> list[str]:
    """Return the letters of a text's search form in other equivalent writings, at most 12.

    All of a text is written in one way: all contractions expanded, or all figures in digits. None
    for texts of more than 4,000 characters.

    Args:
        text: The text.
        budget: The edits within which approximate search finds a writing anyway; it does not find
            the exact place if an end of the text differs.

    Examples:
        >>> other_letters("I'm five", 0)
        ['im5', 'iamfive', 'iam5']
    """
    if len(text) > LONGEST:
        return []
    words = text.split()
    varying = which_vary(words)
    # At most so many letters change.
    changed = sum(
        max(len("'ve"), len(word)) if word.isalpha() else _LONGEST_FIGURE
        for word, varies in zip(words, varying, strict=True)
        if varies
    )
    if changed <= budget and not any((*varying[:_END], *varying[-_END:])):
        return []
    pieces = _pieces(text, [token for token in tokenize(text) if token.kind != "mark"])
    widths = [
        max((len(options) for kind, options in pieces if kind == each), default=1)
        for each in (_CONTRACTION, _SPELLING, _FIGURE)
    ]
    own = "".join(options[0] for _, options in pieces)
    forms: dict[str, None] = {}
    for styles in sorted(product(*map(range, widths)), key=lambda each: sum(map(bool, each))):
        chosen = [options[min(styles[kind], len(options) - 1)] for kind, options in pieces]
        letters = "".join(chosen)
        ends = zip(
            (*chosen[:_END], *chosen[-_END:]), (*pieces[:_END], *pieces[-_END:]), strict=True
        )
        has_other_end = any(word != options[0] for word, (_, options) in ends)
        if has_other_end or Levenshtein.distance(own, letters, score_cutoff=budget) > budget:
            forms[fold(letters)] = None
        if len(forms) == _MOST_FORMS:
            break
    return [*forms]


def _pieces(text: str, tokens: Sequence[Token]) -> list[tuple[int, _Options]]:
    figures = {figure.first: figure for figure in find_figures(text, tokens)}
    pieces: list[tuple[int, _Options]] = []
    i, end_of_figure = 0, -1
    while i < len(tokens):
        token, end = tokens[i], i + 1
        key = token.key
        if i in figures:
            end = end_of_figure = figures[i].end
            written = "".join(token.key for token in tokens[i:end])
            pieces.append((_FIGURE, _written_figures(written, figures[i].key)))
        elif width := _percent_width(tokens, i, behind=i == end_of_figure):
            end = i + width
            written = "".join(token.key for token in tokens[i:end])
            pieces.append((_FIGURE, (written, "", "percent", "percent", "prozent")))
        elif key == "%":  # before a number
            pieces.append((_FIGURE, ("", *sorted(PERCENT_BEFORE))))
        else:
            after = [token.key for token in tokens[i + 1 : i + 4]]
            pieces += _written_words(tokens[i - 1].key if i else "", key, after, pieces)
        i = end
    return pieces


def _written_figures(written: str, key: str) -> _Options:
    """Return the ways of writing a figure: in digits, words, digits again; or orders of a date."""
    if len(date := key.split("-")) == 3:
        year, month, day = date
        name, iso = MONTH_NAMES[int(month) - 1], f"{year}{int(month):02}{day and f'{int(day):02}'}"
        nth = day and _nth(int(day))
        forms = (f"{day}{name}{year}", f"{name}{day}{year}", iso)
        raised = (f"{nth}{name}{year}", f"{name}{nth}{year}", f"{nth}of{name}{year}")
        return written, *forms, *raised, f"the{nth}of{name}{year}"
    if key.endswith("th") and key[:-2].isdigit():
        number = int(key[:-2])
        return written, _nth(number), _ORDINAL_WORDS.get(number, written)
    if not key.isdigit() or key.startswith("0"):
        return written, key
    for size, name, letter in _MAGNITUDES:
        if (value := int(key) / size) >= 1:
            words = in_words(int(value)) if value.is_integer() else ""
            figure = f"{value:.12g}"
            return written, key, (words or figure) + name, figure + name, figure + letter
    return written, key, in_words(int(key)) or written, key


def _nth(number: int) -> str:
    endings = {1: "st", 2: "nd", 3: "rd"}
    return f"{number}{'th' if number // 10 % 10 == 1 else endings.get(number % 10, 'th')}"


def _written_words(
    before: str, key: str, after: Sequence[str], pieces: list[tuple[int, _Options]]
) -> Iterator[tuple[int, _Options]]:
    """Yield the ways of writing a word; may change the last piece, of which it can be a part."""
    words = expand_contraction(key)
    if len(words) > 1:
        full = "".join(_verb_in_full(word, after) for word in words)
        yield _CONTRACTION, (key, full, "can't" if key == "cannot" else key)
    elif short := contract(before, key, after):
        if not short.startswith(("'", "n'")):  # "won't" has both words in it
            pieces[-1] = _CONTRACTION, (before, before, "")
        yield _CONTRACTION, (key, key, short)
    else:
        yield _SPELLING, (key, us_spelling(key), uk_spelling(key))


def _verb_in_full(word: str, after: Sequence[str]) -> str:
    """Return the likelier verb of "'s" and "'d", or the word if it is another."""
    verbs = {IS: ("is", "has"), HAD: ("would", "had")}.get(word, (word,))
    return next((verb for verb in verbs if contracted_verb("it", verb, after) == word), verbs[0])
