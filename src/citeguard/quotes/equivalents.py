"""Words and figures that mean the same by construction, read so that they are the same.

English contractions, British and American spelling, number words, digits with any separators,
dates, words for "%" and "°", and the names of Greek letters. A pair is listed only if neither form
is another word: "metre" and "meter", "practise" and "practice", "cheque" and "check", "its" and
"it's" stay two words each.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib import resources
from itertools import pairwise

from citeguard.language.lexicon import irregular_verbs
from citeguard.language.number_words import (
    CARDINALS,
    LETTER_MAGNITUDES,
    MAGNITUDE_WORDS,
    MAGNITUDES,
    MONTHS,
    NUMBER_WORDS,
    ORDINAL_ENDINGS,
    PERCENT,
    PERCENT_PHRASES,
    TENS,
    parse_symbol,
)
from citeguard.language.numbers import Figure, find_figures
from citeguard.language.spelling import is_english_word
from citeguard.language.tokens import Kind, Token, tokenize
from citeguard.quotes.search import fold

_DEGREES, _EUROS = ("degree", "degrees"), frozenset(("eur", "euro", "euros"))
_LENGTHS, _POWERS = ("m", "mm", "cm", "dm", "km"), {"2": "²", "3": "³"}
# Letters that terms are named by.
_LETTERS: dict[str, str] = dict(
    zip(
        "alpha beta gamma delta epsilon zeta eta theta kappa lambda mu pi rho sigma tau phi chi psi"
        " omega".split(),
        "αβγδεζηθκλμπρστφχψω",
        strict=True,
    )
)
_NAMES = {letter: name for name, letter in _LETTERS.items()} | {"%": "percent", "°": "degrees"}
# A Greek letter by itself or beside Latin ones, or its name beside a capital or a digit.
_GREEK = re.compile(
    rf"((?<![α-ωΑ-Ω])[{''.join(_LETTERS.values())}Δ](?![α-ωΑ-Ω])"
    rf"|(?<![a-z])(?:{'|'.join(_LETTERS)})(?![a-z])|\bDelta(?=[A-Z]))"
)
_WORDS = {str(value): word for word, value in (CARDINALS | TENS).items()}


TIME_OF_DAY = re.compile(
    r"(?<![\d.,:])(?P<hour>[01]?\d|2[0-4])[:.](?P<minutes>[0-5]\d)(?![\d%]|[.,:]\d)"
    r"(?P<half>\s?[ap]\.?m\b)?",
    re.IGNORECASE,
)
"""What may be a time of day: "7:30", "7.30 p.m."; also "7.30", which may be a decimal."""
# "1.250", "1.250.000"
_BY_STOPS = re.compile(r"[1-9]\d{0,2}(?:\.\d{3})+")


def normal_form(text: str, tokens: Sequence[Token], *, comma: bool = False) -> list[Token]:
    """Return the tokens of a text with equivalent ones made equal; their intervals stay.

    Args:
        text: The text.
        tokens: Its tokens without marks.
        comma: Whether decimals have a comma, so that "3.000" is 3000 and "7.30" a time of day.

    Examples:
        >>> from citeguard.language.tokens import tokenize
        >>> text = "They won't visit twelve theatres, nor ninety (90) others"
        >>> " ".join(token.key for token in normal_form(text, tokenize(text)))
        'they will not visit 12 theaters nor 90 others'
    """
    figures = {figure.first: figure for figure in _figures(text, tokens, comma=comma)}
    normal: list[Token] = []
    i = 0
    while i < len(tokens):
        token, end = tokens[i], i + 1
        before = normal[-1] if normal else None
        if _is_exponent(normal, token):
            normal.append(token._replace(key=_POWERS[token.text]))
        elif i in figures:
            end = figures[i].end
            number = _joined(tokens[i:end], figures[i].key, "number")
            if before is not None and _is_restated(text, before, number):
                close = text.index(")", number.end) + 1
                normal[-1] = before._replace(end=close)
            else:
                normal.append(number)
        elif before and before.kind == "number" and (width := _percent_width(tokens, i)):
            end = i + width
            normal.append(_joined(tokens[i:end], "%", "symbol"))
        elif token.kind == "word":
            normal += _expanded(token, is_counted=before is not None and before.kind == "number")
        else:
            normal.append(token)
        i = end
    keys = [token.key for token in normal]
    for i in range(1, len(normal)):
        if keys[i] in CONTRACTED:
            verb = contracted_verb(keys[i - 1], keys[i], keys[i + 1 : i + 4])
            normal[i] = normal[i]._replace(key=verb)
    return normal if _NAMES.keys().isdisjoint(keys) else [*_with_signs(text, normal)]


def _figures(text: str, tokens: Sequence[Token], *, comma: bool) -> Iterator[Figure]:
    """Yield values, dates and times of day; of overlapping ones the time comes last."""
    for figure in find_figures(text, tokens):
        is_by_stops = comma and _BY_STOPS.fullmatch(figure.key)
        yield figure._replace(key=figure.key.replace(".", "")) if is_by_stops else figure
    for i, token in enumerate(tokens):
        time = TIME_OF_DAY.match(text, token.start) if token.kind == "number" else None
        if time and ((has_colon := ":" in time[0]) or time["half"] or comma):
            yield Figure(i, i + (3 if has_colon else 1), f"{int(time['hour'])}:{time['minutes']}")


def _is_exponent(before: Sequence[Token], token: Token) -> bool:
    """Return whether a figure is the exponent of a unit of length behind a number: "250 m2"."""
    if token.text not in _POWERS or [each.kind for each in before[-2:]] != ["number", "word"]:
        return False
    return before[-1].key in _LENGTHS and before[-1].end == token.start


def _with_signs(text: str, normal: Sequence[Token]) -> Iterator[Token]:
    """Yield tokens, with the same signs beside a letter that names a term and beside its name.

    "alpha-beta" has the sign of "α-β"; "β- and γ-chains" has none.
    """
    yield normal[0]
    for one, other in pairwise(normal):
        if (sign := text[one.end : other.start]) in ("-", "/"):
            named = [token.text.lower() in _LETTERS for token in (one, other)]
            single = [
                token.kind == "word" and token.end == token.start + 1 for token in (one, other)
            ]
            if any(named) and (named[0] or single[0]) and (named[1] or single[1]):
                yield Token(sign, sign, one.end, other.start, "symbol")
        is_hyphen = other.key == "-" and one.key in _NAMES and not sign
        if not (is_hyphen and text[other.end : other.end + 1] in (" ", ",")):
            yield other


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
    # The longest phrase is the Thai one, of eleven tokens.
    keys = tuple(token.key for token in tokens[i : i + 12])
    return next((len(each) for each in PERCENT_PHRASES if keys[: len(each)] == each), 0)


def _expanded(token: Token, *, is_counted: bool) -> Iterator[Token]:
    """Yield a word in American spelling, the words that it contracts, or the parts of a term.

    Units that a number counts also have their signs.
    """
    if is_counted and token.text[0] == "u" and parse_symbol(f"µ{token.text[1:]}"):
        token = token._replace(text=f"μ{token.text[1:]}")
    if token.text == "EUR" or (is_counted and (token.key in _EUROS or token.key in _DEGREES)):
        sign = "°" if token.key in _DEGREES else "€"
        yield token._replace(key=sign, text=sign, kind="symbol")
        return
    if token.key in _LETTERS:
        yield token._replace(key=_LETTERS[token.key])
        return
    if len(parts := _parts(token.text)) > 1:
        for part in parts:
            kind: Kind = "number" if part.isdecimal() else "word"
            key = part.lower()
            yield token._replace(key=_LETTERS.get(key, key), text=part, kind=kind)
        return
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


@lru_cache(maxsize=20_000)
def _parts(word: str) -> tuple[str, ...]:
    """Return the parts of a term: "κB" and "kappaB" are "kappa B"."""
    return tuple(filter(None, _GREEK.split(word))) if len(word) < _LONGEST else (word,)


def are_two_verbs(quoted: Token, source: Token) -> bool:
    """Return whether equal tokens are "is" and "has", or "had" and "would", both written out."""
    if quoted.key not in (IS, HAD):
        return False
    words = quoted.text.lower(), source.text.lower()
    return words[0] != words[1] and quoted.key not in words


def names_letter(text: str) -> bool:
    """Return whether a text has a Greek letter, or the name of one, as in a term."""
    return _GREEK.search(f"{text} {text.lower()}") is not None


def other_letters(text: str) -> list[str]:
    """Return the letters of a text in normal form, and so with small numbers in words.

    Approximate search finds the other equivalents, unless the text is short.

    Examples:
        >>> other_letters("I have twelve"), other_letters("It fell by 25 %")
        (['ihave12'], ['itfellby25percent', 'itfellbytwentyfivepercent'])
    """
    if not any(map(may_vary, text.split())):
        return []
    tokens = [token for token in tokenize(text) if token.kind != "mark"]
    keys = [token.key for token in normal_form(text, tokens)]
    named = [_NAMES.get(key, key) for key in keys]
    forms = [fold(" ".join(each)) for each in (keys, named, map(_in_words, keys))]
    return [form for form in dict.fromkeys(forms) if form != fold(text)]


def _in_words(key: str) -> str:
    """Return a number that is often written in words, or "%", in English words."""
    if not key[0].isdecimal():
        return _NAMES.get(key, key)
    for word, value in MAGNITUDES.items():
        if value > 12 and key.endswith("0" * (len(str(int(value))) - 1)):
            count = key[: 1 - len(str(int(value)))]
            if count in _WORDS:
                return f"{_WORDS[count]} {word}"
    tens = f"{key[:1]}0"
    is_joined = len(key) == 2 and key not in _WORDS and tens in _WORDS and key[1] in _WORDS
    return f"{_WORDS[tens]} {_WORDS[key[1]]}" if is_joined else _WORDS.get(key, key)


def sign_named(word: str) -> str:
    """Return the sign behind a number that a word of small letters names; "" if there is none.

    Examples:
        >>> sign_named("euros"), sign_named("degrees"), sign_named("metres")
        ('€', '°', '')
    """
    names = (("€", _EUROS), ("°", _DEGREES), ("%", _PERCENT_ENDS))
    return next((sign for sign, words in names if word in words), "")


# British and American spelling

_AMERICAN = tomllib.loads(
    (resources.files("citeguard.language") / "data/american.toml").read_text("utf-8")
)
_SPELLINGS = dict(pair.split("/") for pair in _AMERICAN["words"].split())
_TO_AMERICAN = [
    (re.compile(british), american) for british, american in _AMERICAN["to_american"].items()
]
# "travelled", "modeller"
_LL = re.compile(r"(\w*[aeiou]\w*[aeiou])ll(ed|ing|er|ers|ings|ous|ously|or|ors|ist|ists)\Z")
# "organised", "realisation"; "apprise" and "assise" are no verbs in -ize.
_IZE = re.compile(r"(\w{3,})is(e[drs]?|ers|ing|ations?|ational|ationally|able)\Z")
_NOT_IZE = frozenset(("appr", "ass"))
# Letters: "grey" is among the shortest words of which spelling varies, and no word is so long.
_SHORTEST, _LONGEST = 4, 40


def us_spelling(word: str) -> str:
    """Return the American spelling of a British word of small letters; other words unchanged.

    Examples:
        >>> [us_spelling(word) for word in ("favourable", "centres", "analysed", "advise", "hour")]
        ['favorable', 'centers', 'analyzed', 'advise', 'hour']
    """
    return _us_spelling(word) if _SHORTEST <= len(word) <= _LONGEST and word.isascii() else word


@lru_cache(maxsize=20_000)
def _us_spelling(word: str) -> str:
    for british, american in _TO_AMERICAN:
        word = british.sub(american, word)
    word = _SPELLINGS.get(word, word)
    if match := _LL.match(word):
        # Only British spelling doubles the l of "travelled", but both that of "called".
        american = f"{match[1]}l", f"{match[1]}l{match[2]}"
        if all(map(is_english_word, american)) and not is_english_word(f"{match[1]}ll"):
            return american[1]
    if match := _IZE.match(word):
        american = f"{match[1]}iz{match[2]}"
        if match[1] not in _NOT_IZE and is_english_word(american):
            return american
    return word


# Contractions

_AUXILIARIES = frozenset(
    "do does did is are was were have has had would could should might must need ought dare may"
    " will can shall".split()
)
_IRREGULAR = {
    "won't": ("will", "not"), "can't": ("can", "not"), "shan't": ("shall", "not"),
    "cannot": ("can", "not"), "let's": ("let", "us"),
}  # fmt: skip
_ENDINGS = {"'re": "are", "'ve": "have", "'ll": "will", "'m": "am"}
# After these, "'s" is "is" or "has" and never a possessive, and "'d" is "had" or "would".
_SUBJECTS = frozenset("i you he she it we they there that who".split())
_BEFORE_IS = frozenset("he she it there that here what who where how when why".split())
_ADVERBS = frozenset("not never always already just only ever also often even now since".split())
_BASES_IN_ED = frozenset("need feed speed proceed succeed exceed bleed breed heed embed".split())

# Participles, and the participles that are base forms too.
_PARTICIPLES = frozenset(verb.participle for verb in irregular_verbs()).union(
    "been done had born borne lain got proven".split()
)
_BASE_PARTICIPLES = frozenset(
    verb.participle for verb in irregular_verbs() if verb.participle == verb.plain
)

CONTRACTED = frozenset("not is has had would are have will am us can cannot".split())
"""The words that a contraction may shorten."""
IS, HAD = "'s", "'d"
"""The keys of "is" or "has", and of "had" or "would", where a contraction may be in its place."""


def expand_contraction(word: str) -> tuple[str, ...]:
    """Return the words that a word of small letters contracts, or it alone if it is none.

    "'s" and "'d" stay: only the words after them tell which word they are.

    Examples:
        >>> [expand_contraction(word) for word in ("won't", "she'd", "john's", "its")]
        [('will', 'not'), ('she', "'d"), ("john's",), ('its',)]
    """
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word.endswith("n't've"):
        return *expand_contraction(word[:-3]), "have"
    head, apostrophe, tail = word.rpartition("'")
    if not (head and apostrophe):
        return (word,)
    if word.endswith("n't") and word[:-3] in _AUXILIARIES:
        return word[:-3], "not"
    if (ending := _ENDINGS.get(f"'{tail}")) and "'" not in head:
        return head, ending
    is_verb = (tail == "s" and head in _BEFORE_IS) or (tail == "d" and head in _SUBJECTS)
    return (head, f"'{tail}") if is_verb else (word,)


def contracted_verb(before: str, verb: str, after: Sequence[str]) -> str:
    """Return `IS` or `HAD` for a verb that may be contracted with the word before it, or the verb.

    Examples:
        >>> contracted_verb("he", "would", ["go"]), contracted_verb("he", "would", ["gone"])
        ("'d", 'would')
    """
    adverbs = _ADVERBS.union(word for word in after if word.endswith("ly") and len(word) > 4)
    follows = next((word for word in after if word not in adverbs), "")
    if not follows or verb not in ("is", "has", "would", "had"):
        return verb
    if before not in (_BEFORE_IS if verb in ("is", "has") else _SUBJECTS):
        return verb
    is_base = follows in _BASE_PARTICIPLES
    ends_in_ed = follows.endswith("ed") and follows not in _BASES_IN_ED
    is_participle = ends_in_ed or follows in _PARTICIPLES or is_base
    fits = {
        "is": follows not in ("been", "got"),
        "has": is_participle,
        "would": is_base or not is_participle,
        "had": is_participle or follows == "better",
    }
    return (IS if verb in ("is", "has") else HAD) if fits[verb] else verb


# A quick test

# The words that a number in percent ends with.
_PERCENT_ENDS = PERCENT.union(phrase[-1] for phrase in PERCENT_PHRASES)
_VARYING = frozenset(
    (
        *NUMBER_WORDS, *MAGNITUDE_WORDS, *LETTER_MAGNITUDES,
        *MONTHS, *ORDINAL_ENDINGS, *PERCENT, *CONTRACTED, *_DEGREES, *_EUROS, *_LETTERS,
    )
).union(*PERCENT_PHRASES)  # fmt: skip
_HYPHEN = "[-‐‑–—/]"
_AROUND = '.,;:!?()[]“”"…'


@lru_cache(maxsize=20_000)
def may_vary(word: str) -> bool:
    """Return whether a word may be written in another way; a quick test.

    American words may: whether they are British in another spelling is not looked up.
    """
    word = word.strip(_AROUND)
    if not word[1:].islower() and _GREEK.search(word):
        return True
    word = word.lower()
    if word.isalpha() and word.isascii():
        return word in _VARYING or us_spelling(word) != word
    parts = re.split(_HYPHEN, word)
    if len(parts) > 1 and all(map(str.isalpha, parts)):
        return any(map(may_vary, parts))
    # A figure, a contraction, "%", a term.
    return word in _PERCENT_ENDS or not word.isalpha() or _GREEK.search(word) is not None
