"""Words, numbers and meaningful symbols of a text, in the form in which texts are compared.

Typography is folded, meaning is not: "ﬁ" becomes "fi" and a curly apostrophe a straight one, but
"²" does not become "2", nor "ü" "u". Punctuation without a meaning of its own is not a token.

Search and judges compare the terms of a text (`terms`): inflection is folded ("measured" and
"measures" are one), and function words are ignored.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import count
from typing import Any, Literal, NamedTuple, cast

from citeguard.language.markup import Noise, find_noise
from citeguard.language.scripts import CharacterTable, is_unspaced, is_wide

Kind = Literal["word", "number", "symbol", "character", "mark"]


class Token(NamedTuple):
    """A unit of comparison.

    Attributes:
        key: what is compared; equal keys are the same up to typography and case.
        text: the token with its case, typography folded.
        start: offset of its first character, in code points.
        end: offset after its last character.
        kind: what it is; a `mark` is a citation or footnote mark.
        bracketed: whether it is in square brackets.
    """

    key: str
    text: str
    start: int
    end: int
    kind: Kind
    bracketed: bool = False


_new_token = cast("Callable[[type[Token], tuple[Any, ...]], Token]", tuple.__new__)  # pyright: ignore[reportUnknownMemberType]

# The class of a character decides how tokens are cut: letters "w", digits "d", letters of scripts
# without spaces "c", their voicing marks "k", a prime "p", a logical not "n", superscripts "s", a
# mark "m", a soft hyphen "h", a minus "M", currencies "$", mathematics "°", pictures "e", combining
# strokes and bars "a", white space " " and "\n", thousands spaces "t", other ASCII itself, and the
# rest ",".
_APOSTROPHES = "'’‘‛ʼʻ＇`´ʹ"
_HYPHENS = "-‐‑‒–﹣－﹘"
_THIN_SPACES = "\u00a0\u2009\u202f\u2007\u2008"
_SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ"
# Beside a digit, a lowered or enclosed one is no further digit of its number: "5₂" is not 52. There
# it has a stand-in, of the private use area, that folds to itself.
_NO_DIGITS = {ord(char): chr(0xF0000 + ord(char)) for char in "₀₁₂₃₄₅₆₇₈₉①②③④⑤⑥⑦⑧⑨⓪❶❷❸❹❺❻❼❽❾"}
_RUN_OF_NO_DIGITS = re.compile(f"[{''.join(map(chr, _NO_DIGITS))}]+")
_MARK = "\ufffc"
PDFIUM_HYPHENS = "\u0002\ufffe"  # what PDFium writes for a hyphen at the end of a line
REPLACEMENT = "\ufffd"  # what a decoder writes for a byte that it cannot read
# Half-width kana and decomposed ones have their voicing marks apart.
_VOICING = {"ﾞ": "\u3099", "ﾟ": "\u309a", "\u3099": "\u3099", "\u309a": "\u309a"}
_SYMBOLS = "°″‰⌊⌋⌈⌉"
_NO_SIGNS = "●○■□▪▫◦◆◇►▶‣⁃❖¦"  # the bullets of lists
_FOLDED_PUNCTUATION = {
    **dict.fromkeys(_APOSTROPHES, ("'", "'")),
    **dict.fromkeys(_HYPHENS, ("-", "-")),
    **dict.fromkeys(_THIN_SPACES, (" ", "t")),
    **{char: (char, "s") for char in _SUPERSCRIPTS},
    **{apart: (chr(code), "s") for code, apart in _NO_DIGITS.items()},
    **dict.fromkeys("⁄∕", ("/", "/")),
    **dict.fromkeys("∼～〜", ("~", "~")),
    # Romanian commas below are often typed as Turkish cedillas; no language has both.
    **dict(zip("ȘșȚț", (("Ş", "w"), ("ş", "w"), ("Ţ", "w"), ("ţ", "w")), strict=True)),
    "\u318d": ("·", ","),  # the middle dot of Korean keyboards, which is a letter by itself
    "٪": ("%", "%"),
    "٫": (".", "."),
    "٬": (",", ","),
    **dict.fromkeys("™℠®©", ("", "")),
    _MARK: (_MARK, "m"),
    **dict.fromkeys(f"\u00ad{PDFIUM_HYPHENS}", ("\u00ad", "h")),
    **dict.fromkeys("−˗➖", ("−", "M")),
    "¬": ("¬", "n"),
    "′": ("′", "p"),
    REPLACEMENT: (REPLACEMENT, "w"),
}
# Variation selectors, the Arabic tatweel, and the vowel signs of Arabic and Hebrew.
_INVISIBLE = frozenset(
    map(
        chr,
        [
            *range(0xFE00, 0xFE10),
            *(0x640, 0x670),
            *range(0x64B, 0x653),
            *range(0x591, 0x5BE),
            *(0x5BF, 0x5C1, 0x5C2, 0x5C4, 0x5C5, 0x5C7),
        ],
    )
)


_GROUP = re.compile(r"\d{1,3}(?!\d)")


def to_word_borders(text: str, start: int, end: int) -> tuple[int, int]:
    """Return an interval widened so that it cuts no word or number of a script with spaces."""
    while start and _is_inside(text, start - 1):
        start -= 1
    while end < len(text) and _is_inside(text, end):
        end += 1
    return start, end


def _is_inside(text: str, place: int) -> bool:
    """Return whether a character is of a word or number, as "," is in "1,250" and "2,5"."""
    if text[place] in ".,":
        return text[place - 1 : place].isdecimal() and bool(_GROUP.match(text, place + 1))
    return text[place].isalnum() and not is_unspaced(text[place])


def to_nearest_borders(text: str, start: int, end: int) -> tuple[int, int]:
    """Return an interval widened to words that are mostly in it, without the others at its ends.

    Examples:
        >>> text = "One month. Staff may"
        >>> to_nearest_borders(text, 4, 12), to_nearest_borders(text, 4, 8)
        ((4, 9), (4, 9))
    """
    low, high = to_word_borders(text, start, end)
    if (low, high) == (start, end):
        return low, high
    after = to_word_borders(text, start, start)[1]
    before = to_word_borders(text, end, end)[0]
    if low < start and 2 * (after - start) < after - low and after < before:
        low = after + next((i for i, char in enumerate(text[after:end]) if char.isalnum()), 0)
    if end < high and 2 * (end - before) < high - before and before > low:
        inside = text[low:before]
        high = low + max((i + 1 for i, char in enumerate(inside) if char.isalnum()), default=0)
    return low, high


def _classify(char: str) -> tuple[str, str]:
    """Return a character with its typography folded, and a class letter for each that results."""
    if char in _VOICING:
        return _VOICING[char], "k"
    if char in _FOLDED_PUNCTUATION:
        return _FOLDED_PUNCTUATION[char]
    category = unicodedata.category(char)
    if category == "Cf" or char in _INVISIBLE:
        return "", ""
    if char in "\n\r\f\v\u2028\u2029":
        return "\n", "\n"
    if char.isspace() or char == "\0":
        return " ", " "
    if category == "Cc":
        return REPLACEMENT, "w"  # a glyph that the font had and the decoder did not
    if category == "Nd":
        return str(unicodedata.digit(char)), "d"
    folded = unicodedata.normalize("NFKC", char)
    if folded == char:
        return char, _class_of(char, category)
    if "⁄" in folded:  # "6½" is "6 1/2", not "61/2"
        folded = f" {folded}"
    parts = [_classify(part) for part in folded]
    return "".join(part for part, _ in parts), "".join(cut for _, cut in parts)


def _class_of(char: str, category: str) -> str:
    if category[0] == "M":
        return "a" if _ACCENTS.match(char) else "w"
    if category[0] in "LN":
        return "c" if is_unspaced(char) else "w"
    if category == "Sc":
        return "$"
    if (category == "Sm" and not char.isascii()) or char in _SYMBOLS:
        return "°"
    if category == "So" and char not in _NO_SIGNS:
        return "e"
    return char if char.isascii() or char == "—" else ","


_FOLDED = CharacterTable(lambda char: _classify(char)[0])
_CLASSES = CharacterTable(lambda char: _classify(char)[1])

# Not what separates the cells of a line: "16,1992-05-01,2740", "27.50,20,3300.00".
_COMMA = r",(?!d{4}-dd-dd(?!d))(?<!d{4}-dd-dd,)(?!d{4,}\.d)(?<!\.d,)(?<!\.dd,)"
_TOKEN = re.compile(
    r"(?P<word>w[wa]*(?:(?:['p]|d+|h\s*|[-n][ t]*\n[ t]*)w[wa]*)*)"
    r"|(?P<number>(?:d{1,3}(?:[t']d{3})+(?!d)(?:[.,]a*d+)?"
    rf"|d+(?:(?:\.|{_COMMA})a*d+)*|(?<![dw.])\.d+)a*)"
    r"|(?P<character>ck?)|(?P<mark>m)|(?P<sign>[<>!]=(?![=a])|<?[-M=]>|<-(?=[ t])|[+]/[-M]"
    r"|[+]-(?=[ t]?d)"
    # "x**2", but not "1**bold**".
    r"|(?<=[d)w])(?<!ww)[*]{2}(?=d|[(]|w(?!w))(?!w?d*[*]))"
    r"|(?P<symbol>s+|e+|[-M%$°np:/*^=+<>~&#@_!—]a*)"
)
# Signs of several characters, by the one that means the same.
_SIGNS = {
    ">=": "≥",
    "<=": "≤",
    "!=": "≠",
    "->": "→",
    "=>": "⇒",
    "<-": "←",
    "<->": "↔",
    "<=>": "⇔",
    "+/-": "±",
    "+-": "±",
    "**": "**",
}
_SAME_SIGNS = {"—": "-", "−": "-", "⩾": "≥", "≧": "≥", "⩽": "≤", "≦": "≤", "⟶": "→", "⟹": "⇒"}
_HYPHENATION = re.compile(r"\u00ad\s*|[-¬]\s+")
_GROUPED = re.compile(r"\d{1,3}(?:[, ']\d{3})+(?:\.\d+)?")
_BRACKETS = re.compile(r"\[([^\[\]]{1,80})\]")

_ACCENTS = re.compile("[\u0300-\u036f\u20d0-\u20ff]+")
_SIDE = 16  # characters on either side that show whether a symbol means something
_ANY = ("", "")
# Between numbers, single letters or brackets: "a / b", not "and/or"; emphasis marks may be between.
_TERMS = (r"(?:[d)°]|(?<![wa])wa*)[*_`]*[ t\n]*\Z", r"[ t\n]*[*_`]*(?:[d(°]|w(?![wa]))")
_NUMBERS = (r"d[ t\n]*\Z", r"[ t\n]*d")
_BEFORE_SIGN = r"(?:^|[^wadc)\]-])\Z"
_SIGN = (_BEFORE_SIGN, r"[$.*_'t]*d|[(°]")  # also of a root or a group: "-√x", "-(a+b)/c"
_VARIABLES = (r"(?:^|[^wa])wa*[ t]?\Z", r"[ t]?wa*(?![wa])")
_IN_BRACKETS = ((r"°wa*[ t]?\Z", r"[ t]?d"), (r"(?:^|[^wa])wa*[ t]?\Z", r"[ t]?d+°"))
# Not at the start of a line: Markdown's quotation. Quotation and code marks may be between.
_COMPARED = (r"[dw)%][ t'*]*\Z", r"[ t'*]*(?:\n[ t\n#/*]*)?[dwc.-]")
_TIMES = (r"d\Z", r"(?![wda])")  # "10x faster"
_OPENING = (r"^[ t]*\Z", r"[ t]*d")
_OF_A_NORM = (r"[w)]\|[ t]?\Z", r"[ t]?d")  # "|x| < 1"

# The classes of characters before and after a symbol with which it means something; one pair is
# enough, and a symbol that is not listed always means something.
_MEANINGFUL: dict[str, tuple[tuple[str, str], ...]] = {
    # Of a power: "1e-5"; of a grade: "A-".
    "-": (
        _NUMBERS,
        _SIGN,
        _VARIABLES,
        *_IN_BRACKETS,
        (r"dw\Z", r"d"),
        (r"(?:^|[^wadc'])w\Z", r"(?![wdc\n])"),
    ),
    # A minus is no hyphen: before a blank or a line break it is still a sign.
    "−": (
        _NUMBERS,
        (_BEFORE_SIGN, r"[$.*_'t \n]*d|[(°]"),
        _VARIABLES,
        (r"[wd]\Z", ""),
    ),
    "—": (_NUMBERS,),
    ":": ((r"d\Z", r"d"),),
    "/": (_TERMS,),
    "*": (
        (r"(?:d|\)|(?<![wa])wa*)\Z", r"(?:d|\(|w(?![wa]))"),
        (r"(?:d|\)|(?<![wa])wa*)[ t]\Z", r"[ t](?:d|\(|w(?![wa]))"),
    ),
    # Also of a wrapped name, and of LaTeX.
    "_": ((r"[dw°]\Z", r"[dw°]|\{\w+\}"), (r"[dw]_[dw]+\Z", r"[ t]*\n[ t]*[dw]")),
    "@": ((r"[dw]\Z", r"[dw]"),),
    "!": (("", "="),),
    "^": ((r"[dw)°]\Z", r"[dw(M-]"), (r"\[\Z", "")),
    "=": ((r"(?:^|[^=])\Z", r"(?!=)"),),
    "+": (("", "d"), (r"[dw+]\Z", ""), _TERMS, (r"[dw)][ t]\Z", r"[ t](?:[dw(])")),
    "<": (_COMPARED, _OPENING, _OF_A_NORM),
    ">": (_COMPARED, _OPENING, _OF_A_NORM),
    "#": ((r"w\Z", r"(?![wa])"),),
    "′": ((r"[dp]\Z", r"(?![wa])"), (r"(?:^|[^wa])wa*\Z", r"(?![wa])")),
    "~": ((r"(?:^|[^~])\Z", r"(?!~)[ t]?d"),),
}


def tokenize(text: str, *, offset: int = 0, noise: list[Noise] | None = None) -> list[Token]:
    """Return the tokens of a text in order; `offset` is added to their starts and ends.

    `noise` is what is known of the text's noise from what is around it.

    Examples:
        >>> [token.key for token in tokenize("It isn’t −1,250.0 mg.")]
        ['it', "isn't", '-', '1250.0', 'mg']
    """
    noise = find_noise(text) if noise is None else noise
    starts: Sequence[int] = range(len(text))
    ends: Sequence[int] = range(1, len(text) + 1)
    read = _with_stand_ins(text)
    classes = read.translate(_CLASSES)
    if noise or len(classes) != len(text):
        starts, ends, read = _spread(text, noise)
        read = _with_stand_ins(read)
        classes = read.translate(_CLASSES)
    folded = read.translate(_FOLDED)
    bracketed = [match.span(1) for match in _BRACKETS.finditer(folded)] if "[" in text else ()
    tokens: list[Token] = []
    inside, last = False, 0
    for match in _TOKEN.finditer(classes):
        start, end = match.span()
        surface = folded[start:end]
        kind: Kind = "word"
        if surface.isalpha() and surface.isascii() and surface not in "xX":  # nearly all are
            key = surface.lower()
        else:
            kind, key = _read(match, surface, classes)
            if not key:
                continue
        origin, stop = starts[start], ends[end - 1]
        if kind == "mark":
            surface = key = text[origin:stop]
        if bracketed:
            while last < len(bracketed) and bracketed[last][1] <= start:
                last += 1
            inside = last < len(bracketed) and bracketed[last][0] <= start
        # As `Token(...)`, in half of its time: there are very many tokens.
        fields = (key, surface, origin + offset, stop + offset, kind, inside)
        tokens.append(_new_token(Token, fields))
    return tokens


def _read(match: re.Match[str], surface: str, classes: str) -> tuple[Kind, str]:
    """Return the kind and the key of a token; the key of a symbol without a meaning is empty."""
    kind = match.lastgroup
    if kind == "word" and _ACCENTS.fullmatch(surface):
        return "word", ""  # without a letter, as the extraction of a PDF leaves them
    start, end = match.span()
    around = classes[max(0, start - _SIDE) : start], classes[end : end + _SIDE]
    if surface in "xX*" and _is_between(
        (_NUMBERS, _TIMES) if kind == "word" else (_NUMBERS,), *around
    ):
        return "symbol", "×"
    if kind == "word":
        return ("word" if surface.strip(REPLACEMENT) else "symbol"), _word_key(surface)
    if kind == "number":
        # Without its thousands separators: "1,250" and "1 250" are "1250".
        plain = re.sub(r"[, ']", "", surface) if _GROUPED.fullmatch(surface) else surface
        return "number", f"0{plain}" if plain.startswith(".") else plain
    if kind == "sign":
        return "symbol", _SIGNS[surface.replace("−", "-")]
    if kind == "symbol":
        if surface == "&":
            return "word", "and"
        surface = unicodedata.normalize("NFC", surface)  # with its stroke, "≠"
        key = _SAME_SIGNS.get(surface, surface)
        return "symbol", key if _is_between(_MEANINGFUL.get(surface, (_ANY,)), *around) else ""
    if kind == "mark":
        return "mark", surface
    return "character", unicodedata.normalize("NFC", surface)


_compiled = cache(re.compile)


def _is_between(pairs: tuple[tuple[str, str], ...], before: str, after: str) -> bool:
    """Return whether the classes around a symbol are those of one of some pairs."""
    return any(
        _compiled(behind).search(before) and _compiled(ahead).match(after)
        for behind, ahead in pairs
    )


# What is the same in a word of small letters: a prime for an apostrophe, ligatures, the dot that
# `lower` leaves of "İ", sigma wherever it is, and cedillas of a decomposed letter.
_SAME = (("′", "'"), ("œ", "oe"), ("æ", "ae"), ("i\u0307", "i"), ("ς", "σ"), ("ș", "ş"), ("ț", "ţ"))
# Vietnamese puts the tone of an open syllable on either of two vowels: "hòa" and "hoà".
_TONES = "\u0300\u0301\u0303\u0309\u0323"
_OPEN_SYLLABLE = re.compile(
    rf"(?:(?<=o)([{_TONES}])([ae])|(?<=u)([{_TONES}])(y))(?![^\W\d_]|[\u0300-\u036f])"
)


def _word_key(surface: str) -> str:
    # Not casefold: "Maße" and "Masse" are two words.
    folded = unicodedata.normalize("NFC", _HYPHENATION.sub("", surface.lower()))
    for one, other in _SAME:
        folded = folded.replace(one, other)
    if not folded.isascii():
        folded = re.sub("ı(?=[\u0300-\u036f])", "i", folded)  # as PDF files write "ï"
        folded = _OPEN_SYLLABLE.sub(r"\2\1\4\3", unicodedata.normalize("NFD", folded))
    return unicodedata.normalize("NFC", folded)


_QUOTATION = str.maketrans(dict.fromkeys("“”„‟«»‹›「」『』", '"'))
_BLANK = re.compile(r"\s+")
_OUTSIDE = re.compile(r"(?<!\w) | (?!\w)")  # blanks that do not separate two words


def canonical(text: str) -> str:
    r"""Return a text with its glyphs folded, marks and markup kept, and one blank between words.

    Two texts with one canonical form are the same, whatever their encoding and lines.

    Examples:
        >>> canonical("(Deng\n   et al., 2009)") == canonical("(Deng et al.,2009)")
        True
    """
    plain = html.unescape(text) if "&" in text else text
    plain = _with_stand_ins(unicodedata.normalize("NFC", plain))
    folded = plain.translate(_QUOTATION).translate(_FOLDED)
    folded = folded.replace("−", "-")
    return unicodedata.normalize("NFC", _OUTSIDE.sub("", _BLANK.sub(" ", folded).strip()))


def _with_stand_ins(text: str) -> str:
    """Return a text, of the same length, with the stand-ins of lowered digits beside digits.

    And with ">" for what is between the steps of a menu, as no mark of quotation is: " › ".
    """

    def apart(run: re.Match[str]) -> str:
        around = text[run.start() - 1 : run.start()], text[run.end() : run.end() + 1]
        return run[0].translate(_NO_DIGITS) if any(map(str.isdecimal, around)) else run[0]

    return text if text.isascii() else _RUN_OF_NO_DIGITS.sub(apart, text.replace(" › ", " > "))


def _spread(text: str, noise: list[Noise]) -> tuple[list[int], list[int], str]:
    """Return the start and end of each *folded* character, and the text to fold."""
    starts: list[int] = []
    ends: list[int] = []
    read: list[str] = []
    for start, end, char in _characters(text, noise):
        width = len(char.translate(_CLASSES))
        starts += [start] * width
        ends += [end] * width
        read.append(char)
    return starts, ends, "".join(read)


def _characters(text: str, noise: list[Noise]) -> Iterator[tuple[int, int, str]]:
    """Yield (start, end, character), with markup and garbled characters read, a mark as one."""
    position = 0
    for place in noise:
        yield from zip(count(position), count(position + 1), text[position : place.start])
        for char in _MARK if place.kind == "mark" else place.replacement:
            yield place.start, place.end, char
        position = place.end
    yield from zip(count(position), count(position + 1), text[position:])


def has_words(text: str) -> bool:
    """Return whether a text has any letter or digit."""
    return any(map(str.isalnum, text))


def length_of(text: str) -> int:
    """Return the number of letters and digits; ideographs, kana and hangul count double.

    Examples:
        >>> length_of("4 Uhr!"), length_of("四時")
        (4, 4)
    """
    return sum(map(_weight, text))


def is_long_enough(text: str, least: int) -> bool:
    """Return whether `length_of(text)` is at least `least`, and above 0; reads no further."""
    head = text[: 2 * least]
    if head.isascii() and sum(map(str.isalnum, head)) >= max(1, least):
        return True
    length = 0
    for character in text:
        length += _weight(character)
        if length and length >= least:
            return True
    return False


def _weight(character: str) -> int:
    return character.isalnum() and 1 + is_wide(character)


_MOST_STEMS = 100_000
_MOST_TEXTS = 4_096  # the same sentences are compared with many others
_LONGEST_WORD = 60  # letters; what is longer is encoded, and stemming it takes long

FUNCTION_WORDS = frozenset(
    (
        "a an the this that these those of in on at by to from for with as into onto upon about"
        " than and or but if so then there here it its it's he him his she her hers they them"
        " their theirs we us our ours you your yours i me my mine who whom whose which what when"
        " where why how is are was were be been being am isn't aren't wasn't weren't do does did"
        " doing done don't doesn't didn't have has had having will would shall should can could"
        " may might must not no nor s t 's also such both each any all some very just only own"
        " same too while during up down out over under again further because until through"
        " between before after above below"
    ).split()
)


class Term(NamedTuple):
    """A content word, a number, or two neighbouring characters of a script without spaces.

    Attributes:
        key: What is compared.
        start: Offset in the text of its first character, in code points.
        end: Offset after its last one.
    """

    key: str
    start: int
    end: int


def terms(text: str) -> list[Term]:
    """Return the terms of a text, in order.

    Examples:
        >>> [term.key for term in terms("The doses were measured in 2019.")]
        ['dose', 'measur', '2019']
    """
    found: list[Term] = []
    before: Token | None = None
    for token in tokenize(text):
        if token.kind == "word" and token.key not in FUNCTION_WORDS:
            found.append(Term(stem(token.key), token.start, token.end))
        elif token.kind == "number":
            found.append(Term(token.key, token.start, token.end))
        # Words of scripts without spaces are mostly of two characters; pairs need no list of them.
        elif before and before.kind == token.kind == "character" and before.end == token.start:
            found.append(Term(before.key + token.key, before.start, token.end))
        before = token
    return found


@lru_cache(maxsize=_MOST_TEXTS)
def term_keys(text: str) -> frozenset[str]:
    """Return the keys of the terms of a text, each once.

    Examples:
        >>> sorted(term_keys("Doses were measured: a dose."))
        ['dose', 'measur']
    """
    return frozenset(term.key for term in terms(text))


@lru_cache(maxsize=_MOST_STEMS)
def stem(word: str) -> str:
    """Return the stem of an English word (Snowball, "Porter2")."""
    if len(word) > _LONGEST_WORD:
        return word
    import snowballstemmer  # pyright: ignore[reportMissingTypeStubs]  (loaded when needed)

    # A stemmer keeps its word while it works, so threads cannot share one.
    stemmer: Any = snowballstemmer.stemmer("english")  # pyright: ignore[reportUnknownMemberType]
    return str(stemmer.stemWord(word.removesuffix("'s")))
