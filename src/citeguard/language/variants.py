"""Words and figures that mean the same by construction: spelling, contractions, numbers, percent.

A pair is listed only if neither form is another word: "metre" and "meter", "practise" and
"practice", "cheque" and "check" stay two words each, as do "its" and "it's".
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from citeguard.language import quantities
from citeguard.language.spelling import is_english_word
from citeguard.language.tokens import tokenize

# British and American spelling

_AMERICAN = tomllib.loads(
    Path(__file__).with_name("data").joinpath("american.toml").read_text("utf-8")
)
_SPELLINGS = dict(pair.split("/") for pair in _AMERICAN["words"].split())
_TO_AMERICAN = [
    (re.compile(british), american) for british, american in _AMERICAN["to_american"].items()
]
_LL = re.compile(r"(\w*[aeiou]\w*[aeiou])ll(ed|ing|er|ers|ings|ous|ously|or|ors|ist|ists)\Z")
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
    if (match := _LL.match(word)) and _doubles_l(match[1], match[2]):
        return f"{match[1]}l{match[2]}"
    if match := _IZE.match(word):
        american = f"{match[1]}iz{match[2]}"
        if match[1] not in _NOT_IZE and is_english_word(american):
            return american
    return word


def _doubles_l(stem: str, ending: str) -> bool:
    """Return whether only British spelling doubles the l: "travelled", not "called"."""
    words = f"{stem}l", f"{stem}l{ending}"
    return all(map(is_english_word, words)) and not is_english_word(f"{stem}ll")


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
# Participles that are no base form, and those that are.
_PARTICIPLES = frozenset(
    "been gone done seen taken given known shown made said told found left kept held felt heard"
    " thought brought bought taught caught fought sought built sent spent lent lost met paid sold"
    " stood understood won written driven risen chosen spoken broken stolen frozen woken forgotten"
    " gotten got begun sung drunk swum rung sunk grown thrown flown drawn blown worn torn born"
    " borne sworn eaten fallen beaten bitten hidden ridden had meant dealt slept swept wept led"
    " fed fled bled sat shot stuck struck hung dug laid lain proven gone withdrawn overcome".split()
)
_BASE_PARTICIPLES = frozenset(
    "put cut come become run hit let set shut cost hurt read spread bet quit split cast burst"
    " overcome".split()
)
_BASES_IN_ED = frozenset("need feed speed proceed succeed exceed bleed breed heed embed".split())

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
    follows = next((word for word in after if not _is_adverb(word)), "")
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


def _is_adverb(word: str) -> bool:
    return word in _ADVERBS or (word.endswith("ly") and len(word) > len("only"))


# Percent

_PERCENT = """
percent pct pc prozent proz percento procent procenta procento procentů proc prosent prosenttia
százalék процент процента процентов проценты процентам процентами відсоток відсотка відсотки
відсотків процентів بالمئة بالمائة بالمية प्रतिशत फीसदी फ़ीसदी 퍼센트 프로
"""
_PHRASES = (
    "per cent|pour cent|por ciento|por cento|per cento|la sută|τοις εκατό|في المئة|في المائة"
    "|phần trăm|パーセント|เปอร์เซ็นต์"
)
PERCENT = frozenset(("%", *_PERCENT.split()))
"""Words for the percent sign, as tokens, behind a number."""
PERCENT_PHRASES = tuple(
    tuple(token.key for token in tokenize(phrase)) for phrase in _PHRASES.split("|")
)
"""The same, each of several tokens."""
PERCENT_ENDS = PERCENT.union(phrase[-1] for phrase in PERCENT_PHRASES)
"""The words that a number in percent ends with."""

_VARYING = frozenset(
    (
        *quantities.NUMBER_WORDS, *quantities.MAGNITUDE_WORDS, *quantities.LETTER_MAGNITUDES,
        *quantities.MONTHS, *quantities.ORDINAL_ENDINGS, *PERCENT, *CONTRACTED,
    )
).union(*PERCENT_PHRASES)  # fmt: skip
_HYPHEN = re.compile("[-‐‑–—/]")
_AROUND = '.,;:!?()[]“”"…'


@lru_cache(maxsize=20_000)
def may_vary(word: str) -> bool:
    """Return whether a word may be written in another way; a quick test.

    American words may: whether they are British in another spelling is not looked up.
    """
    word = word.strip(_AROUND).lower()
    if word.isalpha() and word.isascii():
        return word in _VARYING or us_spelling(word) != word
    parts = _HYPHEN.split(word)
    if len(parts) > 1 and all(map(str.isalpha, parts)):
        return any(map(may_vary, parts))
    # A figure, a contraction, "%".
    return word in PERCENT_ENDS or not word.isalpha()
