"""Make the files of `citeguard/language/data/spelling` from the word lists of wordfreq 3.1.1.

    pip install wordfreq && python -m tests.benchmarks.spelling_data

A `.sequences` and a `.words` are Bloom filters: a few slips are taken for words, but no listed word
for a slip.
"""

from __future__ import annotations

import gzip
import unicodedata
from collections.abc import Iterable
from pathlib import Path

from citeguard.language import spelling

# Of the most frequent words, the more the more forms a word has. Measured on 5,025 to 48,562 words
# a language of manuals, fortunes and help pages that a Hunspell dictionary has too: of their pairs
# that are one edit apart, `is_garbled` takes at most 0.1 % for a slip.
_WORDS = {
    **dict.fromkeys(("es", "fr", "it", "nl", "pt", "ro", "tr"), 100_000),
    "de": 200_000,
    **dict.fromkeys(("sv", "no"), 200_000),
    **dict.fromkeys(("pl", "ru", "uk", "cs", "fi"), 500_000),
    **dict.fromkeys(("da", "hu"), 100_000),  # all that are listed, so that they are `sparse`
}
_CODES = {"no": "nb"}  # of wordfreq
_SHORTEST_WORD = 3
_BITS = 5  # of the filter for each sequence or word: 9 % of all others are taken for known

# So many of the most frequent words are in `.words`. Of Spanish words one edit from a listed one,
# weighted by their frequency, 0.1 % are not among 150,000.
_LISTED = {
    **dict.fromkeys(("de", "fr", "es", "it", "pt", "nl", "sv", "no"), 150_000),
    **dict.fromkeys(("pl", "ru", "uk", "cs", "fi"), 180_000),
    **dict.fromkeys(("ro", "tr", "da", "hu", "el", "id", "sk", "bg", "ca"), 60_000),
}

# How much rarer a bare spelling is, and marks that tell inflected forms or letters apart, anywhere
# and in the last two letters.
_BARE = {
    "es": (1.5, "ñ", "óé"),
    "fr": (1.5, "", "é"),
    "it": (1.5, "", "òì"),
    "pt": (2.0, "ç", "óé"),
    "pl": (2.0, "ł", "ąęłśćńóżź"),
}
# Words that are often written without their marks, though a bare spelling of them is no word; and
# endings with which it never is.
_SURE = {
    "es": "también según árbol lápiz fácil difícil ningún algún después detrás quizás adiós"
    " francés alemán corazón razón millón avión jardín camión portugués rápido rápida"
    " próximo próxima allí aquí así demás habrá tendrá podrá hará dirá vendrá querrá"
    " sabrá podrán tendrán habrán podría tendría habría había decía días"
    " países todavía mayoría policía energía economía tecnología compañía categoría",
    "fr": "très après même mêmes être société vérité liberté qualité activité possibilité santé"
    " université identité sécurité réalité beauté majorité priorité autorité électricité évidemment"
    " déjà première premières dernière manière matière année années idée idées armée musée"
    " lycée journée soirée élève élèves père mère frère problème système état états école études"
    " étude également général générale européen européenne américain américaine",
    "it": "perché poiché benché finché anziché affinché università libertà qualità realtà"
    " verità velocità pubblicità responsabilità società città attività possibilità difficoltà"
    " comunità novità autorità quantità identità più già può giù lunedì martedì"
    " mercoledì giovedì venerdì",
    "pl": "również większość właśnie możliwość jeżeli także człowiek później dzięki więcej"
    " będzie będą jesteś jesteśmy część częściowo gdzieś ktoś coś świat życie życia"
    " może można możliwe ponieważ zwłaszcza żeby",
    "pt": "também possível difícil difíceis ninguém alguém português inglês francês você vocês três"
    " atrás através então não são estão também países impossível possíveis nível níveis"
    " milhão milhões região regiões opinião televisão decisão",
}
_SURE_ENDINGS = {"es": ("ción", "sión", "xión")}

_SHORTEST_LISTED, _BARE_RARER = spelling.SHORTEST_FOREIGN, 100  # times
_SHORTEST_MARKED, _RAREST = 5, 1.0


def _bare(word: str) -> str:
    decomposed = unicodedata.normalize("NFD", word.replace("ł", "l"))
    return "".join(char for char in decomposed if not unicodedata.combining(char))


def _marked(code: str) -> set[str]:
    import wordfreq

    rarer, anywhere, at_end = _BARE[code]
    frequency = {
        word: wordfreq.zipf_frequency(word, code, wordlist="large", minimum=_RAREST)
        for word in wordfreq.top_n_list(code, 1_000_000, wordlist="large")
        if word.isalpha()
    }
    sure = {
        word
        for word in (*_SURE[code].split(), *frequency)
        if word in _SURE[code].split() or word.endswith(_SURE_ENDINGS.get(code, ()))
    }
    return sure | {
        word
        for word, zipf in frequency.items()
        if len(word) >= _SHORTEST_MARKED and _bare(word) != word
        if not set(anywhere) & set(word) and not set(at_end) & set(word[-2:])
        if frequency.get(_bare(word), _RAREST) <= zipf - rarer
    }


def _frequent(code: str, most: int) -> list[str]:
    import wordfreq

    words = [
        word
        for word in wordfreq.top_n_list(_CODES.get(code, code), 1_000_000, wordlist="best")
        if word.isalpha() and len(word) >= _SHORTEST_WORD
    ]
    return words[:most]


def _sequences(code: str) -> set[str]:
    return {part for word in _frequent(code, _WORDS[code]) for part in spelling.sequences(word)}


def _listed(code: str) -> set[str]:
    import wordfreq

    # Shorter words are not looked up.
    words = [word for word in _frequent(code, _LISTED[code]) if len(word) >= _SHORTEST_LISTED]
    table = wordfreq.get_frequency_dict(_CODES.get(code, code), wordlist="best")
    marked = dict[str, float]()
    for word in words:
        if (bare := spelling.without_marks(word)) != word and bare.isascii():
            marked[bare] = max(table[word], marked.get(bare, 0))
    # Lists from the web have the bare spelling of most words with diacritics.
    return {
        spelling.listed_form(word)
        for word in words
        if marked.get(word, 0) < _BARE_RARER * table[word]
    }


def _filter(items: Iterable[str], bits: int) -> bytes:
    items = list(items)
    packed = bytearray(len(items) * bits // 8)
    for item in items:
        for place in spelling.places(item, len(packed)):
            packed[place >> 3] |= 1 << (place & 7)
    return bytes(packed)


def main() -> None:
    """Write the files."""
    folder = Path(spelling.__file__).with_name("data") / "spelling"
    folder.mkdir(exist_ok=True)
    for code in _WORDS:
        (folder / f"{code}.sequences").write_bytes(_filter(_sequences(code), _BITS))
    for code in _LISTED:
        (folder / f"{code}.words").write_bytes(_filter(_listed(code), _BITS))
    for code in _BARE:
        listed = "\n".join(sorted(_marked(code))).encode()
        (folder / f"{code}.marked.gz").write_bytes(gzip.compress(listed, mtime=0))


if __name__ == "__main__":
    main()
