"""Make the files of `citeguard/language/data/spelling` from the word lists of wordfreq 3.1.1.

    pip install wordfreq && python -m tests.benchmarks.spelling_data

A `.sequences` and a `.words` are Bloom filters: a few slips are taken for words, but no listed word
for a slip.
"""

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

_SHORTEST_LISTED, _BARE_RARER = spelling.SHORTEST_FOREIGN, 100  # times


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


if __name__ == "__main__":
    main()
